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
    /// So many downloads have waited for a word of it for as long as a turn lasts; nobody else begins.
    Quiet(usize),
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
                Some(Known::Quiet(_) | Known::Doubted) => tokio::time::sleep(LOOK).await,
                Some(Known::Silent { fault, proxy }) => {
                    return Err(FetchError::Network { url: redacted(url), fault, proxy, answered: false });
                }
            }
        }
    }

    /// Notes that a server did not answer. Whether it is for the caller to find out if it does after all.
    pub fn doubt(&self, url: &Url) -> bool {
        let is_first = !matches!(self.known(url), Some(Known::Doubted | Known::Silent { .. }));
        if is_first {
            self.set(url, Known::Doubted);
        }
        is_first
    }

    /// Notes that nothing came of a server for as long as a turn lasts, if nothing is known of it: until one of those
    /// who wait for it is done, or something comes, nobody else begins to.
    pub fn hush(&self, url: &Url) -> Option<Hush<'_>> {
        let quiet = match self.known(url) {
            None => 0,
            Some(Known::Quiet(quiet)) => quiet,
            Some(_) => return None,
        };
        self.set(url, Known::Quiet(quiet + 1));
        Some(Hush { hosts: self, url: url.clone() })
    }

    /// Whether it is not to be asked for anything else, for now or at all.
    pub fn is_avoided(&self, url: &Url) -> bool {
        matches!(self.known(url), Some(Known::Quiet(_) | Known::Doubted | Known::Silent { .. }))
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

/// Somebody waits for a server from which nothing has come so far.
pub(super) struct Hush<'a> {
    hosts: &'a Hosts,
    url: Url,
}

impl Drop for Hush<'_> {
    /// Where nobody waits any more, and nobody has found anything out, somebody else may.
    fn drop(&mut self) {
        match self.hosts.known(&self.url) {
            Some(Known::Quiet(quiet)) if quiet > 1 => self.hosts.set(&self.url, Known::Quiet(quiet - 1)),
            Some(Known::Quiet(_)) => drop(self.hosts.0.borrow_mut().remove(&name(&self.url))),
            _ => {}
        }
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

    #[test]
    fn of_a_quiet_server_nobody_else_asks_anything_until_one_who_waits_is_done() {
        let hosts = Hosts::default();
        let url = Url::parse("https://a.test/x").unwrap();
        let (one, other) = (hosts.hush(&url).unwrap(), hosts.hush(&url).unwrap());
        drop(one);
        assert!(hosts.is_avoided(&url) && !hosts.has_answered(&url));
        drop(other);
        assert!(!hosts.is_avoided(&url), "nobody is left to find out");

        let failing = hosts.hush(&url);
        assert!(hosts.doubt(&url) && !hosts.doubt(&url) && hosts.hush(&url).is_none());
        drop(failing);
        assert!(hosts.is_avoided(&url));

        hosts.answers(&url);
        assert!(!hosts.is_avoided(&url) && hosts.hush(&url).is_none());
    }
}
