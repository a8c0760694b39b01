//! Clock and threads of the machine, or their absence, decided in one place.
//!
//! WebAssembly without a system (`wasm32-unknown-unknown`) has neither: the clock stands still there, so that limits of
//! time end no search, and all work is done by the caller's thread.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use still::Instant;

/// Whether the machine has a clock and threads.
pub(crate) const HAS_CLOCK_AND_THREADS: bool =
    cfg!(not(all(target_family = "wasm", target_os = "unknown")));

/// The number of threads to use where `wanted` are asked for.
pub(crate) const fn threads(wanted: usize) -> usize {
    if HAS_CLOCK_AND_THREADS { wanted } else { 1 }
}

/// A clock that stands still.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod still {
    use std::time::Duration;

    /// A moment, the same as every other.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant;

    impl Instant {
        /// The present moment.
        pub const fn now() -> Instant {
            Instant
        }

        /// Time gone since then: none.
        pub const fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }
}
