//! Clears stale entries of a search's tables when the game's history changes which positions are draws.
//!
//! A table entry knows neither the clock of the fifty-move rule nor the positions before. If keys included them,
//! positions that differ in nothing else would share no work. So entries are cleared when these matter and change:
//!
//! - *The clock* grows until a capture or a pawn move, after which the positions before cannot come again. Going back
//!   in a game, or to a position with another clock, meets entries that no longer hold. If an earlier search may have
//!   reached the fifty-move draw, everything is cleared.
//! - *A position that stood twice* in the game is a draw where it comes again. Entries from before it stood twice do
//!   not know: a mate may lead through it. Proofs are cleared. A search that can tell other entries from proofs keeps
//!   the others, since larger demands search them again; any other search clears everything.

use std::collections::HashSet;
use std::time::Duration;

use crate::game::{Game, Root};
use crate::profile::snapshot::Judged;
use crate::profile::{Profile, Question, Snapshot};
use crate::search::{Limits, Observer, Report, Searcher};

/// A search that clears its tables when the game's history requires it.
pub(crate) struct Forgetting<G: Game> {
    search: Box<dyn Searcher<G> + Send>,
    /// The last root.
    last: Option<GameKey>,
    /// Positions that stood twice before the last root and may come again.
    twice: HashSet<u64>,
    /// Roots whose search may have reached a fifty-move draw. Between two captures or pawn moves only the latest is
    /// kept: its draw is the nearest.
    draws: Vec<Draw>,
}

/// Position of a root in its game.
#[derive(Clone, Copy, PartialEq, Eq)]
struct GameKey {
    key: u64,
    /// Number of positions of the game before it.
    before: usize,
}

impl GameKey {
    fn of<G: Game>(root: &Root<G>) -> GameKey {
        GameKey {
            key: root.position.key(),
            before: root.history.len(),
        }
    }

    /// Whether a root continues the game of this one.
    fn leads_to<G: Game>(self, root: &Root<G>) -> bool {
        root.history.get(self.before) == Some(&self.key)
    }
}

/// A root whose search may have reached a fifty-move draw.
struct Draw {
    root: GameKey,
    /// Plies from the root to the draw.
    left: usize,
}

impl Draw {
    /// Whether entries found from here on hold for `root`: it continues this game, or is the same position with its
    /// draw at least as near.
    fn holds_for<G: Game>(&self, root: &Root<G>) -> bool {
        let is_same =
            GameKey::of(root) == self.root && root.position.plies_to_rule_draw() <= self.left;
        self.root.leads_to(root) || is_same
    }

    /// Whether `root` makes this note redundant: it meets the same draw, from the same position or later in the game.
    fn is_the_one_of<G: Game>(&self, root: &Root<G>) -> bool {
        let plies = root.history.len().saturating_sub(self.root.before);
        let left = root.position.plies_to_rule_draw();
        self.holds_for(root) && left <= self.left && (plies == 0 || left + plies == self.left)
    }
}

/// Allowance for helper threads that searched beyond the reported seldepth, in plies.
const OTHERS: usize = 8;

impl<G: Game> Forgetting<G> {
    /// Wraps a search whose tables are empty.
    pub(crate) fn new(search: Box<dyn Searcher<G> + Send>) -> Forgetting<G> {
        Forgetting {
            search,
            last: None,
            twice: HashSet::new(),
            draws: Vec::new(),
        }
    }

    /// Whether the entries account for the positions in `twice`, which stood twice before `root`.
    fn knows_the_past(&self, root: &Root<G>, twice: &HashSet<u64>) -> bool {
        // Positions that the game has left behind cannot come again.
        let goes_on = self.last.is_some_and(|last| last.leads_to(root));
        *twice == self.twice || goes_on && twice.is_subset(&self.twice)
    }

    /// Notes the root of a search of depth `deepest`, in plies, if it may have reached a draw by rule.
    fn note(&mut self, root: &Root<G>, deepest: u32) {
        let left = root.position.plies_to_rule_draw();
        // A child of the deepest position can be the draw.
        let deepest = usize::try_from(deepest).unwrap_or(usize::MAX);
        if deepest.saturating_add(OTHERS) < left.saturating_sub(1) {
            return;
        }
        self.draws.retain(|draw| !draw.is_the_one_of(root));
        self.draws.push(Draw {
            root: GameKey::of(root),
            left,
        });
    }
}

impl<G: Game> Searcher<G> for Forgetting<G> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        // Positions before the last irreversible move cannot come again.
        let twice = root.stood_twice(root.position.reversible_plies());
        if !self.draws.iter().all(|draw| draw.holds_for(root)) {
            self.clear();
        } else if self.last.is_some() && !self.knows_the_past(root, &twice) {
            self.search.forget_proofs();
        }
        (self.last, self.twice) = (Some(GameKey::of(root)), twice);
        let report = self.search.search(root, limits, observer);
        self.note(root, report.seldepth);
        report
    }

    fn clear(&mut self) {
        self.last = None;
        self.draws.clear();
        self.search.clear();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        self.search.prepare(longest)
    }

    fn profile(&self, question: &Question) -> Option<Profile<Vec<G::Move>>> {
        self.search.profile(question)
    }

    fn snapshot(&self) -> Option<Snapshot<G::Move, Judged>> {
        self.search.snapshot()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::games::chess::line::tests::play;
    use crate::games::chess::notation::parse_fen;
    use crate::games::chess::{Evaluation, Position, Quiescence};
    use crate::search::Unobserved;
    use crate::search::registry::{self, Algorithm, Settings};
    use crate::value::Value;

    fn root(clock: usize) -> Root<Position> {
        Root::new(parse_fen(&format!("8/8/8/3k4/8/8/8/R6K w - - {clock} 120")).unwrap())
    }

    fn forgetting(algorithm: Algorithm) -> Forgetting<Position> {
        let evaluator = Quiescence::new(Evaluation::Network);
        Forgetting::new(registry::build(&Settings::of(algorithm, 1), evaluator))
    }

    #[test]
    fn a_draw_that_is_far_again_is_forgotten() {
        for algorithm in [
            Algorithm::DepthFirst,
            Algorithm::DepthFirstUnit,
            Algorithm::AlphaBeta,
            Algorithm::AlphaBetaPlain,
        ] {
            let mut search = forgetting(algorithm);
            let late = search.search(&root(98), &Limits::nodes(20_000), &mut Unobserved);
            assert_eq!(late.value.get(), 0, "{algorithm}");
            let fresh = search.search(&root(0), &Limits::nodes(5_000), &mut Unobserved);
            assert!(fresh.value.get() > 200, "{algorithm} {}", fresh.value);
        }
    }

    /// Counts calls of `clear`. Each of its searches reports to be as deep as the draw by rule.
    struct Counting(Arc<AtomicU32>);

    impl<G: Game> Searcher<G> for Counting {
        fn search(
            &mut self,
            _root: &Root<G>,
            _limits: &Limits<G::Move>,
            _observer: &mut dyn Observer<G::Move>,
        ) -> Report<G::Move> {
            Report {
                seldepth: 200,
                ..Report::before_search(Value::DRAW, Vec::new())
            }
        }

        fn clear(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Searches one root after the other; returns how often the tables have been cleared.
    fn thinking() -> impl FnMut(&Root<Position>) -> u32 {
        let count = Arc::new(AtomicU32::new(0));
        let mut search = Forgetting::new(Box::new(Counting(Arc::clone(&count))));
        move |root| {
            search.search(root, &Limits::default(), &mut Unobserved);
            count.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn nothing_is_forgotten_while_the_game_goes_on() {
        let mut think = thinking();
        // The pawn move puts the draw far off.
        let mut game = Root::new(parse_fen("8/8/8/3k4/8/8/P7/R6K w - - 97 120").unwrap());
        assert_eq!(think(&game), 0);
        play(&mut game, "a2a4");
        assert_eq!(think(&game), 0);
        assert_eq!(
            think(&root(98)),
            1,
            "another game, though its draw is nearer"
        );
        assert_eq!(think(&root(98)), 1, "the same");
        assert_eq!(think(&root(90)), 2);
    }

    #[test]
    fn a_draw_met_before_a_nearer_one_does_not_hide_it() {
        let mut think = thinking();
        let mut game = Root::new(parse_fen("8/8/8/3k4/8/8/P7/R6K w - - 98 120").unwrap());
        assert_eq!(think(&game), 0);
        play(&mut game, "a2a4");
        assert_eq!(think(&game), 0);
        assert_eq!(think(&root(96)), 1);
    }

    #[test]
    fn a_draw_met_between_two_others_is_not_hidden() {
        let mut think = thinking();
        // The capture puts the draw far off; then later searches reach one again, from farther away.
        let mut game = Root::new(parse_fen("8/8/8/3k4/8/p7/8/R6K w - - 98 120").unwrap());
        assert_eq!(think(&game), 0);
        play(&mut game, "a1a3 d5d4 a3a1 d4d5");
        assert_eq!(think(&game), 0);
        let early = Root {
            position: game.position.clone(),
            history: game.history[..1].to_vec(),
        };
        assert_eq!(think(&early), 1, "the same position of another game");
    }

    /// A mate in five would lead through a third repetition.
    #[test]
    fn no_mate_leads_through_a_position_that_stood_twice() {
        let mut game = Root::new(parse_fen("8/1k6/3K4/8/8/6R1/8/8 w - - 0 150").unwrap());
        let first = game.clone();
        let cycle = "d6c5 b7a8 g3b3 a8a7 b3g3 a7b8 c5d6 b8b7";
        play(&mut game, cycle);
        play(&mut game, cycle);
        for algorithm in [
            Algorithm::DepthFirst,
            Algorithm::DepthFirstUnit,
            Algorithm::AlphaBeta,
            Algorithm::AlphaBetaConspiracy,
        ] {
            let mut search = forgetting(algorithm);
            let mut think = |root| search.search(root, &Limits::nodes(40_000), &mut Unobserved);
            think(&first);
            let later = think(&game).value;
            // By retrograde analysis it is mate in six.
            assert!(later <= Value::win_in(11), "{algorithm} {later}");
            assert!(later > Value::DRAW, "{algorithm} {later}");
        }
    }

    #[test]
    fn what_was_found_before_a_position_stood_twice_is_forgotten() {
        let mut think = thinking();
        let mut game = Root::new(parse_fen("8/8/8/3k4/8/8/P7/R6K w - - 0 1").unwrap());
        play(&mut game, "a1b1 d5d4 b1a1 d4d5");
        assert_eq!(think(&game), 0, "it stands here for the second time");
        play(&mut game, "a1b1");
        assert_eq!(think(&game), 1, "it stood twice");
        let (went_on, mut once_more) = (game.clone(), game.clone());
        play(&mut once_more, "d5d4 b1a1");
        assert_eq!(think(&once_more), 2, "and the positions after it");
        play(&mut once_more, "d4d5 a2a4");
        assert_eq!(think(&once_more), 2, "none can come again");
        assert_eq!(think(&went_on), 3, "back in the game");
    }
}
