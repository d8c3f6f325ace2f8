use std::time::{Duration, Instant};

/// By when a run must have its answer (docs/spec/commands.md#a-page-is-waiting). Whatever waits, for a server or for
/// another writer, waits no longer; what is done by then is kept and told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// None: a run takes as long as it takes.
    pub const NONE: Deadline = Deadline(None);

    /// So long from now. One so far off that no clock reaches it is none.
    pub fn after(time: Duration) -> Self {
        Deadline(Instant::now().checked_add(time))
    }

    /// The moment itself.
    pub fn at(self) -> Option<Instant> {
        self.0
    }

    /// How long there is still, where there is a deadline at all; nothing once it is over.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Whether it has passed.
    pub fn is_over(self) -> bool {
        self.left().is_some_and(|left| left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::Deadline;
    use std::time::Duration;

    #[test]
    fn it_is_over_when_nothing_is_left_and_never_where_there_is_none() {
        assert!(Deadline::after(Duration::ZERO).is_over());
        assert!(!Deadline::after(Duration::from_secs(3600)).is_over());
        assert!(!Deadline::NONE.is_over());
        assert_eq!(Deadline::NONE.left(), None);
        assert!(!Deadline::after(Duration::MAX).is_over());
    }
}
