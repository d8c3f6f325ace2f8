use super::{Code, Failure};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the reader has asked to stop (Ctrl-C, SIGTERM). Long work looks at it between steps, so that it ends
/// within a second and leaves the disk as it was.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Whether to stop at the next step.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For work that ends with a failure.
    ///
    /// # Errors
    ///
    /// `interrupted` once asked.
    pub fn stop_if_asked(&self) -> Result<(), Failure> {
        if self.is_asked() { Err(Failure::new(Code::Interrupted, "interrupted")) } else { Ok(()) }
    }

    /// The flag itself, for a signal handler to set.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }
}
