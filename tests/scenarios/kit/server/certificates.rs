use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, date_time_ymd};
use std::sync::{Arc, LazyLock};
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// The tests' own certificate authority: one a process, since making keys is what costs.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// What the server shows to prove who it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// Good for `localhost` and `127.0.0.1`.
    Good,
    /// The same, but its time ran out years ago.
    Expired,
    /// In good order, but for `other.test`.
    OfAnotherHost,
    /// Good, but for the mark of one that signs others, which self-signed ones carry unless told not to.
    OfAnAuthority,
}

static AUTHORITY: LazyLock<Authority> = LazyLock::new(|| {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "rulepack scenario tests");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let pem = params.self_signed(&key).unwrap().pem();
    Authority { issuer: Issuer::new(params, key), pem }
});

impl Authority {
    pub fn of_the_tests() -> &'static Self {
        &AUTHORITY
    }

    /// The authority's certificate, for `--ca-cert`.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// A TLS configuration with a fresh certificate of this kind, offering these protocols by ALPN.
    pub fn configure(&self, certificate: Certificate, protocols: &[&str]) -> Arc<ServerConfig> {
        let hosts: &[&str] = match certificate {
            Certificate::Good | Certificate::Expired | Certificate::OfAnAuthority => &["localhost", "127.0.0.1"],
            Certificate::OfAnotherHost => &["other.test"],
        };
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        let mut params = CertificateParams::new(hosts).unwrap();
        // A certificate that may sign others is refused as a server's own.
        params.is_ca = IsCa::ExplicitNoCa;
        if certificate == Certificate::OfAnAuthority {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        }
        if certificate == Certificate::Expired {
            params.not_before = date_time_ymd(2020, 1, 1);
            params.not_after = date_time_ymd(2021, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        let leaf = params.signed_by(&key, &self.issuer).unwrap();
        let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::from(leaf)], PrivateKeyDer::try_from(key.serialize_der()).unwrap())
            .unwrap();
        config.alpn_protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        Arc::new(config)
    }
}
