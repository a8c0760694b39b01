//! Panics of our searches: each costs no more than the item searched.
//!
//! A panic is a fault of Cassius, whatever its input. [`guard`] turns it into a [`Fault`], an error that names the
//! search, the position and the place in the source, and says what to do about it. [`Guarded`] is a searcher that is
//! made anew after a panic, as its old state cannot be trusted.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::panic::{self, AssertUnwindSafe, catch_unwind};

use thiserror::Error;

use crate::games::chess::Position;
use crate::games::chess::notation::to_fen;
use crate::lines::printable;
use crate::version;

/// Most characters shown of a panic's message.
const LONGEST_REASON: usize = 140;

/// A panic of ours as an error of one line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "internal error in {doing}: {reason}; please report this, with the version: cassius {}",
    version::FULL
)]
pub struct Fault {
    /// The work: a search by name, with the position.
    pub doing: String,
    /// The panic's message and place in the source.
    pub reason: String,
}

thread_local! {
    /// Number of guards around the current work of the thread.
    static GUARDS: Cell<u32> = const { Cell::new(0) };
    /// Message and place of the last panic under a guard.
    static NOTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs a panic hook that records panics under a guard instead of printing them: the holder of the [`Fault`]
/// reports them, and a print could break a progress bar. All other panics are printed as ever.
/// `RUST_LOG=error` logs guarded panics, too; `RUST_BACKTRACE=1` adds a backtrace.
pub(crate) fn note_panics() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if GUARDS.get() == 0 {
            return print(info);
        }
        let mut reason = message(info.payload());
        if let Some(place) = info.location() {
            let _ = write!(reason, " at {}:{}", place.file(), place.line());
        }
        NOTED.set(Some(reason));
        log::error!("{info}\n{}", Backtrace::capture());
    }));
}

/// Does work that may panic; `doing` describes it in a few words, for the error.
///
/// After a panic the caller must not use again what the work was changing.
pub fn guard<R>(doing: impl FnOnce() -> String, work: impl FnOnce() -> R) -> Result<R, Fault> {
    GUARDS.set(GUARDS.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDS.set(GUARDS.get() - 1);
    done.map_err(|payload| Fault {
        doing: doing(),
        reason: one_line(&NOTED.take().unwrap_or_else(|| message(payload.as_ref()))),
    })
}

/// Describes a search of a position for a [`Fault`].
pub(crate) fn searching(search: &str, position: &Position) -> String {
    format!("{search}, position {}", to_fen(position))
}

/// The message of a panic.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
        .to_owned()
}

/// A text on one line without control characters, cut at the front if too long.
fn one_line(text: &str) -> String {
    // Keeps the end, which has the place.
    let skipped = text.chars().count().saturating_sub(LONGEST_REASON);
    let dots = if skipped == 0 { "" } else { "..." };
    let end: String = text.chars().skip(skipped).collect();
    dots.to_owned() + &printable(&end)
}

/// A searcher of chess positions that is made anew after a panic.
pub struct Guarded<T> {
    name: &'static str,
    make: Box<dyn Fn() -> T + Send>,
    /// `None` after a panic.
    made: Option<T>,
}

impl<T> Guarded<T> {
    /// Wraps what `make` returns; `name` is its name in a [`Fault`].
    pub fn new(name: &'static str, make: impl Fn() -> T + Send + 'static) -> Guarded<T> {
        Guarded {
            name,
            made: Some(make()),
            make: Box::new(make),
        }
    }

    /// The searcher, for work that is no search.
    pub fn get(&mut self) -> &mut T {
        self.made.get_or_insert_with(&self.make)
    }

    /// Searches a position.
    pub fn search<R>(
        &mut self,
        position: &Position,
        work: impl FnOnce(&mut T) -> R,
    ) -> Result<R, Fault> {
        // Taken out, and put back only after success.
        let made = self.made.take();
        let search = || {
            let mut it = made.unwrap_or_else(&self.make);
            let result = work(&mut it);
            (it, result)
        };
        let (made, result) = guard(|| searching(self.name, position), search)?;
        self.made = Some(made);
        Ok(result)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::engine::settings::{ChessSearcher, EngineSettings};
    use crate::game::{Game, Root};
    use crate::games::chess::tablebase::{Tablebase, TablebaseResult, Tables};
    use crate::games::chess::{Move, notation};
    use crate::search::registry::Algorithm;
    use crate::search::{Limits, Observer, Report, Searcher, Unobserved};

    /// The position at which [`Panicker`] panics, after a report.
    pub(crate) const FATAL: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    /// A search that panics at [`FATAL`], after one report, and is alpha-beta elsewhere.
    pub(crate) struct Panicker(ChessSearcher);

    impl Panicker {
        pub(crate) fn boxed() -> ChessSearcher {
            let mut settings = EngineSettings::default();
            settings.search.algorithm = Algorithm::AlphaBeta;
            settings.search.hash_megabytes = 1;
            Box::new(Panicker(settings.searcher()))
        }

        pub(crate) fn guarded() -> Guarded<ChessSearcher> {
            Guarded::new("panicker", Panicker::boxed)
        }
    }

    impl Searcher<Position> for Panicker {
        fn search(
            &mut self,
            root: &Root<Position>,
            limits: &Limits<Move>,
            observer: &mut dyn Observer<Move>,
        ) -> Report<Move> {
            let report = self.0.search(root, limits, observer);
            assert!(to_fen(&root.position) != FATAL, "on\npurpose");
            report
        }

        fn clear(&mut self) {
            self.0.clear();
        }
    }

    /// Tables that panic when probed: a fault in the middle of a real search, with few pieces left.
    pub(crate) struct Treacherous {
        pub(crate) pieces: usize,
    }

    impl Tablebase for Treacherous {
        fn max_pieces(&self) -> usize {
            self.pieces
        }

        fn verdict(&self, _position: &Position) -> Option<TablebaseResult> {
            panic!("on purpose");
        }

        fn best_move(&self, _position: &Position) -> Option<Move> {
            None
        }
    }

    /// Settings of a search that panics at [`FATAL`].
    pub(crate) fn treacherous(algorithm: Algorithm) -> EngineSettings {
        let mut settings = EngineSettings {
            tables: Tables::new("treacherous", Treacherous { pieces: 3 }),
            ..EngineSettings::default()
        };
        settings.search.algorithm = algorithm;
        settings.search.hash_megabytes = 1;
        settings
    }

    #[test]
    fn a_fault_names_search_position_and_version_in_one_line() {
        let position = notation::parse_fen(FATAL).unwrap();
        let mut guarded = Panicker::guarded();
        let root = Root::new(position.clone());
        let fault = guarded
            .search(&position, |it| {
                it.search(&root, &Limits::nodes(100), &mut Unobserved)
            })
            .unwrap_err();
        let text = fault.to_string();
        let words = ["internal error", "panicker", "on purpose", "report"];
        for part in words.into_iter().chain([FATAL, version::FULL]) {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains('\n'));
    }

    #[test]
    fn what_panics_is_not_used_again() {
        let mut guarded = Guarded::new("counter", || 0);
        let start = Position::initial();
        let count = |it: &mut i32| {
            *it += 1;
            assert!(*it < 3, "{}", "x".repeat(1_000));
            *it
        };
        let counts = [(); 7].map(|()| guarded.search(&start, count));
        let good: Vec<i32> = counts.iter().flatten().copied().collect();
        assert_eq!(good, [1, 2, 1, 2, 1]);
        let fault = counts[2].as_ref().unwrap_err();
        assert!(fault.reason.len() < 2 * LONGEST_REASON, "{fault}");
        assert_eq!(*guarded.get(), 1);
    }

    #[test]
    fn every_search_that_panics_is_survived() {
        let position = notation::parse_fen(FATAL).unwrap();
        let root = Root::new(position.clone());
        for algorithm in Algorithm::ALL {
            for threads in [1, 3] {
                let mut settings = treacherous(algorithm);
                settings.search.threads.count = threads;
                let mut guarded = settings.guarded();
                let limits = Limits::nodes(20_000);
                let result = guarded.search(&position, |it| {
                    it.search(&root, &limits, &mut Unobserved).best_move()
                });
                // Proof-number search may disprove all before it probes the tables.
                if let Ok(m) = result {
                    let is_legal = |m| position.legal_moves().contains(&m);
                    assert!(m.is_none_or(is_legal), "{algorithm} {threads}");
                }
            }
        }
    }
}
