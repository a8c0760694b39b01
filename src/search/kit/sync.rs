//! What threads share memory by: the standard library's, and for tests with `--cfg loom` that of loom, which tries
//! all orders in which threads can come, and all that the memory of a processor may show them.
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
