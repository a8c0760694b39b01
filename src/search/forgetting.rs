//! A search that forgets what may rest on a draw by rule, where the rule is no longer near.
//!
//! Within a game the clock of the fifty-move rule only grows until a capture or a pawn move, and after one the positions
//! before it cannot come again. Who goes back in a game, or looks at a position with another clock, meets positions whose
//! stored answers are right no more. What is stored has no clock: with one, positions that differ in nothing else would
//! share no work.

use super::{Limits, Observer, Report, Searcher};
use crate::game::{Game, Root};

/// The search, and when it must forget.
pub struct Forgetting<G: Game> {
    search: Box<dyn Searcher<G> + Send>,
    last: Option<Last>,
}

/// The root of this game whose search met the nearest draw by rule, if it may have met one.
struct Last {
    key: u64,
    /// Positions of the game before it.
    before: usize,
    /// Plies from it to the draw.
    left: usize,
}

impl Last {
    /// Whether what has been found from here on holds for a root: the game has gone on from here to it, or it is the same
    /// and its draw as near.
    fn holds_for<G: Game>(&self, root: &Root<G>) -> bool {
        let is_before = root.history.get(self.before) == Some(&self.key);
        let is_same = root.position.key() == self.key
            && root.history.len() == self.before
            && root.position.plies_to_rule_draw() <= self.left;
        is_before || is_same
    }
}

/// So many plies farther than the deepest that is told other threads may have been.
const OTHERS: usize = 8;

impl<G: Game> Forgetting<G> {
    /// The search has stored nothing yet.
    pub fn new(search: Box<dyn Searcher<G> + Send>) -> Forgetting<G> {
        Forgetting { search, last: None }
    }
}

impl<G: Game> Searcher<G> for Forgetting<G> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        let left = root.position.plies_to_rule_draw();
        if self.last.as_ref().is_some_and(|last| !last.holds_for(root)) {
            self.clear();
        }
        let report = self.search.search(root, limits, observer);
        let nearest = self.last.as_ref().is_none_or(|last| left <= last.left);
        // A child of the deepest position may be drawn.
        let deepest = usize::try_from(report.seldepth).unwrap_or(usize::MAX);
        if nearest && deepest.saturating_add(OTHERS) >= left.saturating_sub(1) {
            self.last = Some(Last {
                key: root.position.key(),
                before: root.history.len(),
                left,
            });
        }
        report
    }

    fn clear(&mut self) {
        self.last = None;
        self.search.clear();
    }

    fn prepare(&mut self) {
        self.search.prepare();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::games::chess::notation::{parse_fen, parse_uci};
    use crate::games::chess::{Position, Quiescence};
    use crate::search::Unobserved;
    use crate::search::registry::{self, Algorithm, Settings};

    fn root(clock: usize) -> Root<Position> {
        Root::new(parse_fen(&format!("8/8/8/3k4/8/8/8/R6K w - - {clock} 120")).unwrap())
    }

    #[test]
    fn a_draw_that_is_far_again_is_forgotten() {
        for algorithm in [
            Algorithm::DepthFirst,
            Algorithm::DepthFirstUnit,
            Algorithm::AlphaBeta,
            Algorithm::AlphaBetaPlain,
        ] {
            let settings = Settings {
                algorithm,
                hash_megabytes: 1,
                ..Settings::default()
            };
            let mut search = Forgetting::new(registry::build(&settings, Quiescence::positional()));
            let late = search.search(&root(98), &Limits::nodes(20_000), &mut Unobserved);
            assert_eq!(late.value.get(), 0, "{algorithm}");
            let fresh = search.search(&root(0), &Limits::nodes(5_000), &mut Unobserved);
            assert!(fresh.value.get() > 200, "{algorithm} {}", fresh.value);
        }
    }

    /// Counts how often it is told to forget. Every search of it may meet the draw by rule.
    struct Counting(Arc<AtomicU32>);

    impl Searcher<Position> for Counting {
        fn search(
            &mut self,
            root: &Root<Position>,
            limits: &Limits<<Position as Game>::Move>,
            observer: &mut dyn Observer<<Position as Game>::Move>,
        ) -> Report<<Position as Game>::Move> {
            let settings = Settings {
                algorithm: Algorithm::AlphaBeta,
                hash_megabytes: 1,
                ..Settings::default()
            };
            let mut search = registry::build(&settings, Quiescence::tactical());
            Report {
                seldepth: 200,
                ..search.search(root, limits, observer)
            }
        }

        fn clear(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Searches one root after the other; tells how often the search has had to forget.
    fn thinking() -> impl FnMut(&Root<Position>) -> u32 {
        let count = Arc::new(AtomicU32::new(0));
        let mut search = Forgetting::new(Box::new(Counting(Arc::clone(&count))));
        move |root| {
            search.search(root, &Limits::nodes(1_000), &mut Unobserved);
            count.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn nothing_is_forgotten_while_the_game_goes_on() {
        let mut think = thinking();
        // The pawn's move makes the draw far.
        let mut game = Root::new(parse_fen("8/8/8/3k4/8/8/P7/R6K w - - 97 120").unwrap());
        assert_eq!(think(&game), 0);
        game.play(parse_uci(&game.position, "a2a4").unwrap());
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
        game.play(parse_uci(&game.position, "a2a4").unwrap());
        assert_eq!(think(&game), 0);
        assert_eq!(think(&root(96)), 1);
    }
}
