//! The icons and the pages of documentation that entries name, asked for where they are served.

use super::files::absent;
use super::icon;
use super::listed::Listed;
use crate::catalog::{Branch, on_branch};
use crate::fetch::{Fetcher, WebAddress};
use crate::types::{Pointer, Problem, Reporter, Severity, codes};
use std::collections::BTreeMap;
use url::Url;

/// What came of asking.
#[derive(Default)]
pub(super) struct Asked {
    /// Findings, each with the place of its entry among those given. Pointers begin at the entry.
    pub found: Vec<(usize, Problem)>,
    /// The bytes of each file that came.
    pub came: Vec<u64>,
    /// How many addresses nobody can be asked at.
    pub unasked: usize,
    /// How many could not be had, which says nothing of the catalog.
    pub unhad: usize,
}

/// What an entry names beside its files.
#[derive(Clone, Copy)]
enum Named {
    Icon,
    Page,
}

/// Asks for the icon and the page of each entry, once where several name the same.
pub(super) fn ask(
    entries: &[&Listed<'_>],
    official: Option<Branch>,
    fetcher: &Fetcher,
    reporter: &dyn Reporter,
) -> Asked {
    let mut asked = Asked::default();
    let mut named: BTreeMap<String, (WebAddress, Vec<(usize, Named)>)> = BTreeMap::new();
    for (at, listed) in entries.iter().enumerate() {
        for (what, written) in [(Named::Icon, &listed.icon), (Named::Page, &listed.page)] {
            let Some(written) = written else { continue };
            let written = official.map_or_else(|| written.clone(), |branch| on_branch(written, branch));
            match Url::parse(&written).ok().and_then(|url| WebAddress::try_from(url).ok()) {
                // Without what the browser does with it alone.
                Some(address) => {
                    named.entry(address.url().to_string()).or_insert((address, Vec::new())).1.push((at, what))
                }
                None => asked.unasked += 1,
            }
        }
    }
    let addresses: Vec<WebAddress> = named.values().map(|(address, _)| address.clone()).collect();
    let bodies = fetcher.glance(&addresses, reporter);
    for ((_, namers), body) in named.into_values().zip(bodies) {
        match body {
            Ok(body) => {
                asked.came.push(body.len() as u64);
                let icons = namers.into_iter().filter(|(_, what)| matches!(what, Named::Icon));
                if let Some(why) = icon::fault(&body[..body.len().min(icon::HEAD as usize)]) {
                    let problem = Problem::new(codes::ICON_IMAGE, &Pointer::root().at("iconUrl"), why);
                    asked.found.extend(icons.map(|(at, _)| (at, problem.clone().severity(of_icon(official)))));
                }
            }
            Err(error) if !error.is_not_there() => asked.unhad += namers.len(),
            Err(error) => {
                let problem = absent(error);
                let of = |(at, what): (usize, Named)| {
                    let (key, severity) = match what {
                        Named::Icon => ("iconUrl", of_icon(official)),
                        Named::Page => ("documentationUrl", Severity::Warning),
                    };
                    let pointer = Some(Pointer::root().at(key).to_string());
                    (at, Problem { pointer, ..problem.clone() }.severity(severity))
                };
                asked.found.extend(namers.into_iter().map(of));
            }
        }
    }
    asked
}

/// The official catalog has an icon of every package.
fn of_icon(official: Option<Branch>) -> Severity {
    if official.is_some() { Severity::Error } else { Severity::Warning }
}
