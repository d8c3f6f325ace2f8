//! A look at what else an address serves: the lanes beside a catalog, its notes, its icons, its pages. Nothing vouches
//! for these bytes, so whoever asks knows no more than that they are there and how they begin.

use super::download::{Answer, Line};
use super::error::{FetchError, FileOrigin};
use super::fetcher::{Fetcher, Network};
use super::index;
use super::source::WebAddress;
use crate::types::Reporter;
use futures_util::stream::{self, StreamExt as _};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How long each is waited for.
const PATIENCE: Duration = Duration::from_secs(15);

/// How many are asked for at the same time.
const AT_ONCE: usize = 8;

/// The text of a catalog, or of a file beside it, that came from an address.
///
/// # Errors
/// `invalid-catalog` for what no reading can make JSON of.
pub fn text_of(body: Vec<u8>, address: &WebAddress) -> Result<String, FetchError> {
    index::text(body).map_err(|invalid| FetchError::Catalog { place: FileOrigin::Web(address.to_string()), invalid })
}

impl Fetcher {
    /// What lies at each of these addresses, in their order. Each stands alone; none is kept.
    pub fn glance(&self, addresses: &[WebAddress], reporter: &dyn Reporter) -> Vec<Result<Vec<u8>, FetchError>> {
        let whole = self.settings.deadline.left().map_or(PATIENCE, |left| left.min(PATIENCE));
        let timeout = self.settings.timeout.map_or(whole, |timeout| timeout.min(whole));
        let network = match Network::ready(&self.network, &self.settings) {
            Ok(network) => network,
            Err(error) => return addresses.iter().map(|_| Err(error.clone().into())).collect(),
        };
        let (turns, slots) = (Semaphore::new(AT_ONCE), Semaphore::new(AT_ONCE));
        let (pace, scratch) = (self.pace.hurried(), PathBuf::new());
        let line = Line { fetcher: self, network, pace, timeout, reporter, turns, slots, scratch };
        let asked = addresses.iter().map(|address| async {
            match line.catalog(address.url(), None, whole).await? {
                Answer::Body(body, _) => Ok(body),
                Answer::Unchanged => Err(FetchError::unasked(address.to_string())),
            }
        });
        network.block_on(stream::iter(asked).buffered(AT_ONCE).collect())
    }
}
