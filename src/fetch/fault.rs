use std::error::Error;
use std::io;
use std::time::Duration;

/// What went wrong on the way to a server or back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("cannot resolve the name of the server ({0})")]
    Name(String),
    #[error("cannot connect to the server ({0})")]
    Connect(String),
    #[error("the server cannot be trusted: {0}")]
    Certificate(Distrust),
    #[error("cannot connect securely to the server ({0})")]
    Tls(String),
    #[error("the connection was lost ({0})")]
    BrokeOff(String),
    #[error("nothing was received for {} s", seconds(*.0))]
    Silence(Duration),
    #[error("it took longer than {} s", seconds(*.0))]
    Timeout(Duration),
    #[error("cannot make the request ({0})")]
    Request(String),
}

/// Whole seconds, or tenths of one where it is not whole; never none at all.
fn seconds(wait: Duration) -> String {
    let tenths = (wait.as_millis() + 50) / 100;
    match tenths.max(1) {
        tenths if tenths % 10 == 0 => (tenths / 10).to_string(),
        tenths => format!("{}.{}", tenths / 10, tenths % 10),
    }
}

/// Why a server's certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    #[error("it sent no certificate")]
    None,
    #[error("its certificate is not signed by an authority that this machine trusts")]
    Signer,
    #[error("its certificate expired on {0}")]
    Expired(String),
    #[error("its certificate is not valid before {0}")]
    Early(String),
    #[error("its certificate is for {names}, not for {wanted}")]
    Name { wanted: String, names: String },
    #[error("its certificate is not valid for a server ({0})")]
    Unfit(String),
}

impl Fault {
    /// Tells what an error of the HTTP client stands for. Its own words mislead: a connection that breaks within a
    /// body is "error decoding response body" to it, and a refused certificate is a failure to connect.
    pub(super) fn of(error: &reqwest::Error) -> Self {
        if let Some(fault) = chain(error).find_map(|cause| cause.downcast_ref::<rustls::Error>()).map(tls) {
            return fault;
        }
        let why = match ended_early(error) {
            true => "it ended too early".to_owned(),
            false => root_cause(error),
        };
        if error.is_dns() {
            Fault::Name(why)
        } else if error.is_connect() {
            Fault::Connect(why)
        } else if error.is_builder() {
            Fault::Request(why)
        } else {
            Fault::BrokeOff(why)
        }
    }

    /// Whether the same request may succeed a little later.
    pub(super) fn is_transient(&self) -> bool {
        !matches!(self, Fault::Certificate(_) | Fault::Tls(_) | Fault::Request(_))
    }

    /// Whether it means that nobody answers there, if nothing had come before.
    pub(super) fn is_of_no_answer(&self) -> bool {
        matches!(self, Fault::Name(_) | Fault::Connect(_) | Fault::Silence(_) | Fault::Timeout(_))
    }

    pub(super) fn is_tls(&self) -> bool {
        matches!(self, Fault::Certificate(_) | Fault::Tls(_))
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Fault::Certificate(why) => why.hint(),
            Fault::Tls(_) => {
                "check for a proxy or firewall in between, or add a company's certificate with `--ca-cert FILE`"
            }
            Fault::Name(_) | Fault::Connect(_) => "check the network connection, or use `--offline`",
            Fault::BrokeOff(_) | Fault::Silence(_) => "try again",
            Fault::Timeout(_) => "try again, or allow more time with `--timeout SECS`",
            Fault::Request(_) => "check the address",
        }
    }
}

impl Distrust {
    fn of(refused: &rustls::CertificateError) -> Self {
        use rustls::CertificateError as Refused;
        match refused {
            // The latter two are what another signed in the name of an authority that is trusted.
            Refused::UnknownIssuer
            | Refused::BadSignature
            | Refused::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => Distrust::Signer,
            Refused::UnsupportedSignatureAlgorithmContext { .. } => {
                Distrust::Unfit("signed with an algorithm that is not supported".to_owned())
            }
            Refused::ExpiredContext { not_after, .. } => Distrust::Expired(day(*not_after)),
            Refused::NotValidYetContext { not_before, .. } => Distrust::Early(day(*not_before)),
            Refused::NotValidForNameContext { expected, presented } => {
                Distrust::Name { wanted: expected.to_str().into_owned(), names: listed(presented) }
            }
            Refused::Other(why) => Distrust::Unfit(why.0.to_string()),
            other => Distrust::Unfit(other.to_string()),
        }
    }

    /// Each names `--ca-cert` (docs/spec/commands.md#downloads), and first what is likelier.
    fn hint(&self) -> &'static str {
        match self {
            Distrust::None | Distrust::Signer => {
                "if a company or school inspects all traffic, or the server is your own, give the signing certificate \
                 with `--ca-cert FILE`"
            }
            Distrust::Expired(_) | Distrust::Early(_) => {
                "check the clock of this machine; if a company or school inspects all traffic, give its certificate \
                 with `--ca-cert FILE`"
            }
            Distrust::Name { .. } => {
                "check the address: a certificate lists its hosts in subjectAltName; if a company or school inspects \
                 all traffic, give its certificate with `--ca-cert FILE`"
            }
            Distrust::Unfit(_) => {
                "make the self-signed certificate with CA:FALSE, or sign one with an authority of your own and give \
                 the authority's with `--ca-cert FILE`"
            }
        }
    }
}

/// The names of a certificate, which the TLS library gives as `DnsName("other.test")`.
fn listed(presented: &[String]) -> String {
    let bare = |name: &String| name.split('"').nth(1).unwrap_or(name).to_owned();
    match presented {
        [] => "no name at all".to_owned(),
        names => names.iter().map(bare).collect::<Vec<_>>().join(", "),
    }
}

/// An error and all its causes. An [`io::Error`] hides the error it was made of from `source`, so it is opened.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn Error + 'static)| {
        let error: &'a (dyn Error + 'static) = *error;
        match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inside) => Some(inside),
            None => error.source(),
        }
    })
}

/// Whether the other side hung up. The TLS library explains that with a link to its own manual.
fn ended_early(error: &(dyn Error + 'static)) -> bool {
    let kinds = chain(error).filter_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
    kinds.last() == Some(io::ErrorKind::UnexpectedEof)
}

/// The last cause of an error in its own words.
pub(super) fn root_cause(error: &(dyn Error + 'static)) -> String {
    chain(error).last().unwrap_or(error).to_string()
}

fn tls(error: &rustls::Error) -> Fault {
    match error {
        rustls::Error::InvalidCertificate(refused) => Fault::Certificate(Distrust::of(refused)),
        rustls::Error::NoCertificatesPresented => Fault::Certificate(Distrust::None),
        other => Fault::Tls(other.to_string()),
    }
}

fn day(time: rustls::pki_types::UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    match jiff::Timestamp::from_second(seconds) {
        Ok(time) => time.strftime("%Y-%m-%d").to_string(),
        Err(_) => "an impossible date".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::CertificateError as Refused;

    #[test]
    fn that_the_other_side_hung_up_is_told_without_the_words_of_a_library() {
        let inner = io::Error::new(io::ErrorKind::UnexpectedEof, "peer closed connection: see https://docs.rs/rustls");
        assert!(ended_early(&io::Error::other(inner)));
        assert!(!ended_early(&io::Error::from(io::ErrorKind::ConnectionReset)));
    }

    #[test]
    fn another_authority_of_the_same_name_is_nobody_known() {
        let other_key = Refused::UnsupportedSignatureAlgorithmForPublicKeyContext {
            signature_algorithm_id: vec![6, 3, 43, 101, 112],
            public_key_algorithm_id: vec![6, 9],
        };
        for refused in [Refused::UnknownIssuer, Refused::BadSignature, other_key] {
            assert_eq!(Distrust::of(&refused), Distrust::Signer);
        }
    }

    #[test]
    fn the_names_of_a_certificate_are_told_bare() {
        let names = ["DnsName(\"a.test\")".to_owned(), "IpAddress(127.0.0.1)".to_owned()];
        assert_eq!(listed(&names), "a.test, IpAddress(127.0.0.1)");
        assert_eq!(listed(&[]), "no name at all");
    }

    #[test]
    fn times_are_told_to_the_tenth_of_a_second() {
        let told = |millis| Fault::Timeout(Duration::from_millis(millis)).to_string();
        let all = [30_000, 998, 1540, 3].map(told);
        assert_eq!(all, ["30", "1", "1.5", "0.1"].map(|seconds| format!("it took longer than {seconds} s")));
    }
}
