use std::error::Error;
use std::io;
use std::time::Duration;

/// What went wrong on the way to a server or back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the name of the server cannot be resolved ({0})")]
    Name(String),
    #[error("no connection to the server ({0})")]
    Connect(String),
    #[error("the server cannot be trusted: {0}")]
    Certificate(String),
    #[error("no secure connection to the server ({0})")]
    Tls(String),
    #[error("the connection broke off ({0})")]
    BrokeOff(String),
    #[error("nothing came for {} s", .0.as_secs())]
    Silence(Duration),
    #[error("not done within {} s", .0.as_secs())]
    Timeout(Duration),
    #[error("the request could not be made ({0})")]
    Request(String),
}

impl Fault {
    /// Tells what an error of the HTTP client stands for. Its own words mislead: a connection that breaks within a
    /// body is "error decoding response body" to it, and a refused certificate is a failure to connect.
    pub(super) fn of(error: &reqwest::Error) -> Self {
        if let Some(fault) = chain(error).find_map(|cause| cause.downcast_ref::<rustls::Error>()).map(tls) {
            return fault;
        }
        let why = root_cause(error);
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

    pub(super) fn is_tls(&self) -> bool {
        matches!(self, Fault::Certificate(_) | Fault::Tls(_))
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Fault::Certificate(_) => {
                "where a company or school checks all traffic, give its certificate with --ca-cert FILE; also look at \
                 the clock of this machine. A self-signed certificate must say CA:FALSE"
            }
            Fault::Tls(_) => {
                "something between here and the server may be in the way; --ca-cert FILE adds a company's certificate"
            }
            Fault::Name(_) | Fault::Connect(_) => "check the network connection, or use --offline",
            Fault::BrokeOff(_) | Fault::Silence(_) => "try again",
            Fault::Timeout(_) => "try again, or give it more time with --timeout SECS",
            Fault::Request(_) => "check the address",
        }
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

/// The last cause of an error in its own words.
pub(super) fn root_cause(error: &(dyn Error + 'static)) -> String {
    chain(error).last().unwrap_or(error).to_string()
}

fn tls(error: &rustls::Error) -> Fault {
    use rustls::CertificateError as Refused;
    match error {
        rustls::Error::InvalidCertificate(refused) => Fault::Certificate(match refused {
            Refused::UnknownIssuer => "its certificate is signed by nobody this machine trusts".to_owned(),
            Refused::ExpiredContext { not_after, .. } => format!("its certificate expired on {}", day(*not_after)),
            Refused::NotValidYetContext { not_before, .. } => {
                format!("its certificate is valid only from {}", day(*not_before))
            }
            Refused::Other(why) => why.0.to_string(),
            other => other.to_string(),
        }),
        rustls::Error::NoCertificatesPresented => Fault::Certificate("it shows no certificate".to_owned()),
        other => Fault::Tls(other.to_string()),
    }
}

fn day(time: rustls::pki_types::UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    match jiff::Timestamp::from_second(seconds) {
        Ok(time) => time.strftime("%Y-%m-%d").to_string(),
        Err(_) => "an impossible day".to_owned(),
    }
}
