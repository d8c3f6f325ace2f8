//! Which servers do not answer. One that did not is not asked for its other files in the same run
//! (docs/spec/commands.md#a-page-is-waiting): one of them finds out whether it answers after all, and the others wait
//! for what it finds.

use super::error::FetchError;
use super::fault::Fault;
use crate::types::redacted;
use std::cell::RefCell;
use std::collections::HashMap;
use std::time::Duration;
use url::Url;

/// How often those who wait look again.
const LOOK: Duration = Duration::from_millis(20);

/// What is known of the servers asked in one run.
#[derive(Default)]
pub(super) struct Hosts(RefCell<HashMap<String, Known>>);

#[derive(Clone, Debug)]
enum Known {
    Answers,
    /// One download tries again; until it is done, nobody else does.
    Doubted,
    Silent {
        fault: Fault,
        proxy: Option<String>,
    },
}

impl Hosts {
    /// Waits until a server may be asked.
    ///
    /// # Errors
    /// What it failed with, when it has been found not to answer.
    pub async fn may_be_asked(&self, url: &Url) -> Result<(), FetchError> {
        loop {
            match self.known(url) {
                None | Some(Known::Answers) => return Ok(()),
                Some(Known::Doubted) => tokio::time::sleep(LOOK).await,
                Some(Known::Silent { fault, proxy }) => {
                    return Err(FetchError::Network { url: redacted(url), fault, proxy, answered: false });
                }
            }
        }
    }

    /// Notes that a server did not answer. Whether it is for the caller to find out if it does after all.
    pub fn doubt(&self, url: &Url) -> bool {
        let is_first = !self.is_doubted(url);
        if is_first {
            self.set(url, Known::Doubted);
        }
        is_first
    }

    /// Whether it is in doubt, or known, that it does not answer.
    pub fn is_doubted(&self, url: &Url) -> bool {
        matches!(self.known(url), Some(Known::Doubted | Known::Silent { .. }))
    }

    /// Notes that it does.
    pub fn answers(&self, url: &Url) {
        self.set(url, Known::Answers);
    }

    /// Notes that it does not, and with what it was given up.
    pub fn give_up(&self, url: &Url, error: &FetchError) {
        if let FetchError::Network { fault, proxy, answered: false, .. } = error {
            self.set(url, Known::Silent { fault: fault.clone(), proxy: proxy.clone() });
        }
    }

    /// Whether it has answered anything in this run.
    pub fn has_answered(&self, url: &Url) -> bool {
        matches!(self.known(url), Some(Known::Answers))
    }

    fn known(&self, url: &Url) -> Option<Known> {
        self.0.borrow().get(&name(url)).cloned()
    }

    fn set(&self, url: &Url, known: Known) {
        self.0.borrow_mut().insert(name(url), known);
    }
}

/// A server by its name and port.
fn name(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_finds_out_for_all_and_a_server_that_was_given_up_is_not_asked() {
        let hosts = Hosts::default();
        let [one, other] = ["https://a.test/x", "https://b.test/x"].map(|text| Url::parse(text).unwrap());
        assert!(hosts.doubt(&one) && !hosts.doubt(&one) && hosts.doubt(&other));
        hosts.answers(&other);
        let fault = Fault::Silence(Duration::from_secs(1));
        let error = FetchError::Network { url: one.to_string(), fault, proxy: None, answered: false };
        hosts.give_up(&one, &error);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        assert!(runtime.block_on(hosts.may_be_asked(&one)).is_err());
        assert!(runtime.block_on(hosts.may_be_asked(&other)).is_ok());
        assert!(hosts.has_answered(&other) && !hosts.has_answered(&one));
    }
}
