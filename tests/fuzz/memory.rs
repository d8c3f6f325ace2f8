//! Counts what each thread holds of the heap, so that an input can be held to a bound.

// An allocator is unsafe to write.
#![expect(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting.
pub struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    // A thread that is ending has no counters any more.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        MOST.with(|most| most.set(most.get().max(held.get())));
    });
}

fn signed(size: usize) -> isize {
    isize::try_from(size).unwrap_or(isize::MAX)
}

// SAFETY: everything is the system allocator's; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-signed(layout.size()));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both are there while it is copied.
        count(signed(size));
        count(-signed(layout.size()));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Runs it and tells the most bytes this thread held meanwhile beyond what it held before.
pub fn most_held<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    MOST.set(before);
    let result = run();
    (result, usize::try_from(MOST.get() - before).unwrap_or(0))
}
