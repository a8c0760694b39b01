//! What happens when a search of ours panics: it costs the item that was searched, and no more.
//!
//! A panic is a fault of Cassius, whatever it was given. [`guard`] turns it into a [`Fault`], an error that
//! names the search, the position and the place in the source, and says what to do about it.
//! [`Guarded`] is a searcher that is made anew after one: what has panicked is in no state to go on
//! with.

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

/// Characters shown of what a panic says.
const LONGEST_REASON: usize = 140;

/// A panic of ours, as an error to be told and recorded: one line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "internal error in {doing}: {reason}; please report this, with the version: cassius {}",
    version::FULL
)]
pub struct Fault {
    /// What was being done: a search by name, with the position.
    pub doing: String,
    /// What the panic said, and where in the source.
    pub reason: String,
}

thread_local! {
    /// How many guards the thread is under.
    static GUARDS: Cell<u32> = const { Cell::new(0) };
    /// What the last panic under a guard said, and where.
    static NOTED: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Has panics under a guard noted instead of printed: they are told by whoever holds the [`Fault`], and
/// printed they would land in the middle of a progress bar. All other panics are printed as ever. With
/// `RUST_LOG=error` they are logged, too, `RUST_BACKTRACE=1` adds where they come from.
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

/// Does some work that may panic; `doing` says in a few words what it is, for the error.
///
/// What the work has changed by then is left as it was at that moment: the caller must not use it again.
pub fn guard<R>(doing: impl FnOnce() -> String, work: impl FnOnce() -> R) -> Result<R, Fault> {
    GUARDS.set(GUARDS.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDS.set(GUARDS.get() - 1);
    done.map_err(|payload| Fault {
        doing: doing(),
        reason: one_line(&NOTED.take().unwrap_or_else(|| message(payload.as_ref()))),
    })
}

/// How a search of a position is called in a [`Fault`].
pub(crate) fn searching(search: &str, position: &Position) -> String {
    format!("{search}, position {}", to_fen(position))
}

/// What a panic says.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
        .to_owned()
}

/// A text without line ends and other control characters, and not longer than needed.
fn one_line(text: &str) -> String {
    // The place is at the end.
    let skipped = text.chars().count().saturating_sub(LONGEST_REASON);
    let dots = if skipped == 0 { "" } else { "..." };
    let end: String = text.chars().skip(skipped).collect();
    dots.to_owned() + &printable(&end)
}

/// Something that searches chess positions, made anew after a panic.
pub struct Guarded<T> {
    name: String,
    make: Box<dyn Fn() -> T + Send>,
    /// Absent after a panic.
    made: Option<T>,
}

impl<T> Guarded<T> {
    /// Makes it; `name` is what a [`Fault`] calls it.
    pub fn new(name: impl Into<String>, make: impl Fn() -> T + Send + 'static) -> Guarded<T> {
        Guarded {
            name: name.into(),
            made: Some(make()),
            make: Box::new(make),
        }
    }

    /// The thing itself, for work that is no search.
    pub fn get(&mut self) -> &mut T {
        self.made.get_or_insert_with(&self.make)
    }

    /// Searches a position.
    pub fn search<R>(
        &mut self,
        position: &Position,
        work: impl FnOnce(&mut T) -> R,
    ) -> Result<R, Fault> {
        // Taken out, and put back only if all goes well.
        let made = self.made.take();
        let search = || {
            let mut it = made.unwrap_or_else(&self.make);
            let result = work(&mut it);
            (it, result)
        };
        let (made, result) = guard(|| searching(&self.name, position), search)?;
        self.made = Some(made);
        Ok(result)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::engine::settings::{ChessSearcher, EngineSettings};
    use crate::game::{Game, Root};
    use crate::games::chess::tablebase::{Tablebase, Tables, Verdict};
    use crate::games::chess::{Move, notation};
    use crate::search::registry::Algorithm;
    use crate::search::{Limits, Observer, Report, Searcher, Unobserved};

    /// A position that [`Panicker`] panics at, once it has told of a move.
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

    /// Tables that panic when asked: a fault in the middle of a real search, wherever few pieces are
    /// left.
    pub(crate) struct Treacherous {
        pub(crate) pieces: usize,
    }

    impl Tablebase for Treacherous {
        fn max_pieces(&self) -> usize {
            self.pieces
        }

        fn verdict(&self, _position: &Position) -> Option<Verdict> {
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
        for part in [
            "internal error",
            "panicker",
            FATAL,
            "on purpose",
            "report",
            version::FULL,
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains('\n'));
        // It is made anew, and works.
        let start = Position::initial();
        let root = Root::new(start.clone());
        let report = guarded.search(&start, |it| {
            it.search(&root, &Limits::nodes(100), &mut Unobserved)
        });
        assert!(report.unwrap().best_move().is_some());
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
                // Proof-number search may prove that there is nothing to prove before it asks.
                if let Ok(m) = result {
                    let is_legal = |m| position.legal_moves().contains(&m);
                    assert!(m.is_none_or(is_legal), "{algorithm} {threads}");
                }
            }
        }
    }
}
