//! Synchronization primitives: the standard library's, or loom's in tests with `--cfg loom`, which tries all
//! interleavings of threads and all memory orders that a processor may show them.
//!
//! ```sh
//! RUSTFLAGS='--cfg loom' cargo test --profile quick --lib in_any_order
//! ```

#[cfg(all(test, loom))]
pub(in crate::search) use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(all(test, loom))]
pub(in crate::search) use loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(all(test, loom)))]
pub(in crate::search) use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(all(test, loom)))]
pub(in crate::search) use std::sync::{Condvar, Mutex, MutexGuard};
