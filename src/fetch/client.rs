use super::fault::root_cause;
use super::source::is_loopback;
use crate::types::{Code, Coded, redacted};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, NoProxy, Proxy};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use std::cell::OnceCell;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use url::Url;

/// Why there can be no client for https at all. Said once and true of every request, so it can be repeated.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ClientError {
    #[error("the certificate file `{}` does not exist", .0.display())]
    NoCertificateFile(PathBuf),
    #[error("the certificate file `{}` cannot be read ({why})", .path.display())]
    CertificateFile { path: PathBuf, why: String },
    #[error("`{}` contains no certificate in PEM format", .0.display())]
    NoCertificate(PathBuf),
    #[error("a certificate in `{}` cannot be used ({why})", .path.display())]
    Certificate { path: PathBuf, why: String },
    #[error("the proxy in {variable} cannot be used: {why}")]
    Proxy { variable: &'static str, why: String },
    #[error("cannot set up secure connections ({0})")]
    NoTrust(String),
    #[error("cannot set up the network ({0})")]
    Runtime(String),
}

impl Coded for ClientError {
    fn code(&self) -> Code {
        match self {
            ClientError::NoCertificateFile(_) => Code::FileNotFound,
            ClientError::CertificateFile { .. } => Code::Io,
            ClientError::NoCertificate(_) | ClientError::Certificate { .. } | ClientError::Proxy { .. } => Code::Usage,
            ClientError::NoTrust(_) => Code::Network,
            ClientError::Runtime(_) => Code::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            ClientError::NoCertificate(_) | ClientError::Certificate { .. } => {
                "give a PEM file: it has a line `-----BEGIN CERTIFICATE-----`"
            }
            ClientError::Proxy { .. } => "write it as `http://HOST:PORT` or `socks5h://HOST:PORT`, or unset it",
            ClientError::NoTrust(_) => {
                "check the trusted certificates that SSL_CERT_FILE and SSL_CERT_DIR name, or give some with `--ca-cert \
                 FILE`"
            }
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

/// The client of a run, with the proxy it was told to use, for messages.
pub(super) struct Web {
    pub client: Client,
    /// Made when something is tried again.
    anew: OnceCell<Client>,
    certificates: Vec<Certificate>,
    proxy: Option<Chosen>,
}

impl Web {
    /// Reads the system's roots, which takes some milliseconds: made only when something goes over the network.
    pub fn new(ca_cert: Option<&Path>) -> Result<Self, ClientError> {
        // An error means that it is installed already. Without one, building the client panics.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut trusted = ca_cert.map(certificates).transpose()?.unwrap_or_default();
        // Elsewhere the system's own verifier never looks at it.
        if cfg!(any(windows, target_vendor = "apple"))
            && let Some(path) = variable("SSL_CERT_FILE")
        {
            trusted.extend(certificates(Path::new(&path))?);
        }
        let proxy = choose(&variable)?;
        let client = build(&trusted, proxy.as_ref(), Connections::Kept)?;
        Ok(Web { client, anew: OnceCell::new(), certificates: trusted, proxy })
    }

    /// A client that makes a connection for each request: what is tried again does not go over one that the server has
    /// closed, or is about to.
    pub fn anew(&self) -> &Client {
        self.anew.get_or_init(|| {
            let built = build(&self.certificates, self.proxy.as_ref(), Connections::New);
            // It could be built a moment ago.
            built.unwrap_or_else(|_| self.client.clone())
        })
    }

    /// What to say about the proxy when an address could not be reached.
    pub fn proxy_of(&self, url: &Url) -> Option<String> {
        let chosen = self.proxy.as_ref().filter(|chosen| !is_loopback(url) || is_loopback(&chosen.url))?;
        if url.host_str().is_some_and(|host| chosen.passes_by(host)) {
            return None;
        }
        Some(format!("check the proxy {1}, which {0} names", chosen.variable, redacted(&chosen.url)))
    }
}

/// What becomes of a connection once a request has been answered.
#[derive(Clone, Copy, PartialEq)]
enum Connections {
    Kept,
    New,
}

fn build(trusted: &[Certificate], proxy: Option<&Chosen>, connections: Connections) -> Result<Client, ClientError> {
    let mut builder = Client::builder()
        .user_agent(concat!("rulepack/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .referer(false)
        .dns_resolver(Names)
        .tls_certs_merge(trusted.iter().cloned());
    if connections == Connections::New {
        builder = builder.pool_max_idle_per_host(0);
    }
    // Left to itself the client reads HTTP_PROXY too, and takes it even for this machine's own addresses. Only
    // settings that a system keeps elsewhere are wanted of it.
    let own_settings = cfg!(any(windows, target_vendor = "apple"));
    builder = match proxy {
        Some(chosen) => {
            let proxy = Proxy::https(chosen.url.clone()).map_err(|error| chosen.refused(error.to_string()))?;
            builder.proxy(proxy.no_proxy(NoProxy::from_string(&chosen.direct)))
        }
        None if own_settings && !is_everything(&exempt(&variable)) => builder,
        None => builder.no_proxy(),
    };
    builder.build().map_err(|error| ClientError::NoTrust(root_cause(&error)))
}

/// Looks names up on a thread of its own each, since the system's way cannot be broken off. Where it allows no further
/// thread, it is done here: the client's own way ends the program there.
struct Names;

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let (answer, answered) = tokio::sync::oneshot::channel();
        let host = name.as_str().to_owned();
        let look_up = |host: &str| (host, 0).to_socket_addrs().map(|found| found.collect::<Vec<SocketAddr>>());
        let on_its_own = {
            let host = host.clone();
            std::thread::Builder::new().spawn(move || drop(answer.send(look_up(&host))))
        };
        Box::pin(async move {
            let found = match on_its_own {
                Ok(_) => answered.await.map_err(|_| io::Error::other("the lookup ended without an answer"))?,
                Err(_) => look_up(&host),
            };
            Ok(Box::new(found?.into_iter()) as Addrs)
        })
    }
}

/// A proxy out of the environment.
#[derive(Debug, PartialEq, Eq)]
struct Chosen {
    variable: &'static str,
    url: Url,
    /// The hosts that are reached without it.
    direct: String,
}

impl Chosen {
    /// Whether a host is named among those reached without it, itself or by its domain. For messages: what takes the
    /// proxy is decided by the client, which knows ranges of addresses, too.
    fn passes_by(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let is_of = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        let named = self.direct.split(',').map(|entry| entry.trim().trim_start_matches('.').to_ascii_lowercase());
        named.filter(|domain| !domain.is_empty()).any(|domain| is_of(&domain))
    }

    fn refused(&self, why: String) -> ClientError {
        ClientError::Proxy { variable: self.variable, why }
    }
}

/// Picks the proxy for https (docs/spec/commands.md#downloads). The HTTP client would read the same variables, but pass
/// over a value that it cannot use and go out without a proxy.
fn choose(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Chosen>, ClientError> {
    let names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
    let Some((name, value)) = names.into_iter().find_map(|name| Some((name, variable(name)?))) else {
        return Ok(None);
    };
    let refused = |why: &str| ClientError::Proxy { variable: name, why: why.to_owned() };
    let text = if value.contains("://") { value } else { format!("http://{value}") };
    let url = Url::parse(&text).map_err(|_| refused("it is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https" | "socks4" | "socks4a" | "socks5" | "socks5h") {
        return Err(refused("its scheme is not http, https or socks"));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(refused("it has no host"));
    }
    let named = exempt(variable);
    if is_everything(&named) {
        return Ok(None);
    }
    // A proxy elsewhere can never reach this machine's own addresses; one on this machine can.
    let direct = if is_loopback(&url) { named } else { format!("{named},localhost,127.0.0.0/8,::1") };
    Ok(Some(Chosen { variable: name, url, direct }))
}

/// The hosts that are to be reached without a proxy, as written.
fn exempt(variable: &dyn Fn(&str) -> Option<String>) -> String {
    ["NO_PROXY", "no_proxy"].into_iter().find_map(variable).unwrap_or_default()
}

/// The HTTP client takes a star for every host with a name, but for none with a number.
fn is_everything(exempt: &str) -> bool {
    exempt.split(',').any(|entry| entry.trim() == "*")
}

/// A variable of the environment; an empty one is as good as unset.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()).filter(|value| !value.trim().is_empty())
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, ClientError> {
    let pem = std::fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => ClientError::NoCertificateFile(path.to_owned()),
        _ => ClientError::CertificateFile { path: path.to_owned(), why: error.to_string() },
    })?;
    let unusable = |why: String| ClientError::Certificate { path: path.to_owned(), why };
    let mut found = Vec::new();
    for der in CertificateDer::pem_slice_iter(&pem) {
        let der = der.map_err(|error| unusable(error.to_string()))?;
        // The client takes any bytes as a certificate, and cannot be built with those that are none.
        RootCertStore::empty().add(der.clone()).map_err(|error| unusable(error.to_string()))?;
        found.push(Certificate::from_der(&der).map_err(|error| unusable(error.to_string()))?);
    }
    // No certificate at all would silently add nothing.
    if found.is_empty() { Err(ClientError::NoCertificate(path.to_owned())) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(environment: &[(&str, &str)]) -> Result<Option<Chosen>, ClientError> {
        let find = |name: &str| environment.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        choose(&find)
    }

    #[test]
    fn the_proxy_for_https_in_either_case() {
        assert_eq!(chosen(&[("HTTP_PROXY", "http://p:1")]).unwrap(), None);
        for (environment, variable, url) in [
            (&[("HTTPS_PROXY", "http://a:1"), ("ALL_PROXY", "http://b:1")][..], "HTTPS_PROXY", "http://a:1/"),
            (&[("https_proxy", "a:1")], "https_proxy", "http://a:1/"),
            (&[("all_proxy", "socks5h://a:1")], "all_proxy", "socks5h://a:1"),
        ] {
            let chosen = chosen(environment).unwrap().unwrap();
            assert_eq!((chosen.variable, chosen.url.as_str()), (variable, url));
        }
        let exempt = chosen(&[("ALL_PROXY", "a"), ("no_proxy", "example.org")]).unwrap().unwrap();
        assert!(exempt.direct.starts_with("example.org,localhost,"));
        assert_eq!(chosen(&[("ALL_PROXY", "a"), ("NO_PROXY", "example.org, *")]).unwrap(), None);
        for here in ["localhost:1", "http://127.0.0.1:1", "socks5h://[::1]:1"] {
            assert_eq!(chosen(&[("HTTPS_PROXY", here)]).unwrap().unwrap().direct, "", "{here}");
        }
    }

    #[test]
    fn a_host_reached_without_the_proxy_is_not_blamed_on_it() {
        let chosen = chosen(&[("HTTPS_PROXY", "http://127.0.0.1:1"), ("NO_PROXY", ".example.org, Host.test,")]);
        let chosen = chosen.unwrap().unwrap();
        for (host, passes) in [
            ("example.org", true),
            ("a.example.org", true),
            ("host.test", true),
            ("notexample.org", false),
            ("test", false),
        ] {
            assert_eq!(chosen.passes_by(host), passes, "{host}");
        }
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_an_error() {
        for wrong in ["http://", "ftp://a:1", "http://a:port", "://", "a b"] {
            let error = chosen(&[("HTTPS_PROXY", wrong)]).expect_err(wrong);
            assert_eq!(error.code(), Code::Usage);
            assert!(error.to_string().contains("HTTPS_PROXY"));
        }
    }

    #[test]
    fn a_certificate_file_must_hold_a_certificate() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ca.pem");
        let code = || Web::new(Some(&path)).err().map(|error| error.code());
        assert_eq!(code(), Some(Code::FileNotFound));
        for wrong in ["", "not a certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            std::fs::write(&path, wrong).unwrap();
            assert_eq!(code(), Some(Code::Usage), "{wrong}");
        }
    }
}
