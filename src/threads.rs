//! Doing the same to many things at the same time.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

thread_local! {
    /// Whether this thread does its share already: work within it is not shared again.
    static IS_ONE_OF_MANY: Cell<bool> = const { Cell::new(false) };
}

/// What `work` makes of every item, in the order of the items, on all processors.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // Asking the system reads several files, for every look at a ruleset.
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    let processors = PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
    map_on(*processors, items, work)
}

/// The same on so many threads: for work that waits more than it works.
pub fn map_on<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads <= 1 || IS_ONE_OF_MANY.get() {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let share = || {
        IS_ONE_OF_MANY.set(true);
        let mut done = Vec::new();
        // Taken one by one: a thread that met a large item does not keep the small ones waiting.
        while let Some((at, item)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| Some((at, items.get(at)?)))
        {
            done.push((at, work(item)));
        }
        IS_ONE_OF_MANY.set(false);
        done
    };
    let mut done = std::thread::scope(|scope| {
        // Where the system gives no more threads, those there are do the work.
        let another = |_| std::thread::Builder::new().spawn_scoped(scope, share).ok();
        let others: Vec<_> = (1..threads).map_while(another).collect();
        let mut done = share();
        for other in others {
            // A panic there must not read as items without an answer.
            done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn every_item_is_answered_for_in_its_place() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(map(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_comes_through() {
        map(&(0..100).collect::<Vec<_>>(), |item| assert_ne!(*item, 7, "seven"));
    }
}
