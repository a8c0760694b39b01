//! Clock and threads of the machine, or their substitutes where it has none.
//!
//! WebAssembly without a system (`wasm32-unknown-unknown`) has no threads: all work is done by the caller's. It has a clock
//! only if its host lends one, see `hosted::lend`; without one the clock stands still, so that limits of time end no search.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use hosted::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use hosted::{Host, lend};

/// Whether the machine has threads.
pub(crate) const HAS_THREADS: bool = cfg!(not(all(target_family = "wasm", target_os = "unknown")));

/// Whether searches must [`give_way`] to a host now and then, if there is one.
pub(crate) const IS_HOSTED: bool = !HAS_THREADS;

/// The number of threads to use where `wanted` are asked for.
pub(crate) const fn threads(wanted: usize) -> usize {
    if HAS_THREADS { wanted } else { 1 }
}

/// Whether there is a clock.
pub(crate) fn has_clock() -> bool {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return hosted::host().is_some();
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    true
}

/// Lets a host do other work for a moment, in the middle of a search; tells whether it wants the search to end.
pub(crate) fn give_way() -> bool {
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    return hosted::host().is_some_and(|host| (host.give_way)());
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    false
}

/// What a host lends, where there is no system.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod hosted {
    use std::ops::Add;
    use std::sync::OnceLock;
    use std::time::Duration;

    /// Functions that the host, a web page or Node, lends the program.
    #[derive(Clone, Copy, Debug)]
    pub struct Host {
        /// Time since a fixed moment; it never decreases.
        pub now: fn() -> Duration,
        /// Called every few hundred positions of a search: the host may do other work, and answers whether the search is
        /// to end.
        pub give_way: fn() -> bool,
    }

    static HOST: OnceLock<Host> = OnceLock::new();

    /// Takes over what the host lends; only the first call has an effect.
    pub fn lend(host: Host) {
        let _ = HOST.set(host);
    }

    /// What has been lent.
    pub(super) fn host() -> Option<&'static Host> {
        HOST.get()
    }

    /// A moment by the host's clock.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment.
        pub fn now() -> Instant {
            Instant(host().map_or(Duration::ZERO, |host| (host.now)()))
        }

        /// Time gone since then.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// Time from an earlier moment to this one.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}
