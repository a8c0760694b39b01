//! Analyses of positions of other games.

use super::Certainty;
use crate::conspiracy::Grid;
use crate::engine::limit::DEFAULT_NODES;
use crate::game::{Evaluator, Game, Root};
use crate::profile::{Basis, Profile, Question};
use crate::search::best_first::{self, BestFirst, LeafWindow};
use crate::search::{Limits, Unobserved};
use crate::value::Value;

/// An analysis of a position of any game by best-first conspiracy-number search, to be configured and run.
///
/// ```
/// use cassius::analysis::{Certainty, GameAnalysis};
/// use cassius::game::OutcomesOnly;
/// use cassius::games::tic_tac_toe::{Cell, TicTacToe};
/// use cassius::value::Value;
///
/// // X has two cells of the top row, O the centre: O must take the row's third cell, which draws.
/// let position = TicTacToe::after_cells(&[0, 4, 1]).ok_or("not legal")?;
/// let verdict = GameAnalysis::of(position, OutcomesOnly).run();
/// assert_eq!((verdict.best_move, verdict.value), (Some(Cell(2)), Value::DRAW));
/// assert_eq!(verdict.certainty(), Certainty::Proven);
/// # Ok::<(), &str>(())
/// ```
pub struct GameAnalysis<G, E> {
    root: Root<G>,
    evaluator: E,
    nodes: u64,
    megabytes: usize,
    settings: best_first::Settings,
}

/// The result of an analysis. Values are for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct GameVerdict<M> {
    /// The move to play; `None` if the game is over.
    pub best_move: Option<M>,
    /// The value of the position.
    pub value: Value,
    /// Principal variation.
    pub line: Vec<M>,
    /// Nodes visited.
    pub nodes: u64,
    /// Last completed conspiracy threshold.
    pub threshold: u32,
    /// For every other value, how many leaves of the tree would have to be misjudged together, and which.
    pub profile: Profile<Vec<M>>,
}

impl<G: Game, E: Evaluator<G>> GameAnalysis<G, E> {
    /// Analyses this position with this evaluator, by default with 100,000 nodes and 64 MiB.
    pub fn of(position: G, evaluator: E) -> GameAnalysis<G, E> {
        GameAnalysis {
            root: Root::new(position),
            evaluator,
            nodes: DEFAULT_NODES,
            megabytes: 64,
            settings: best_first::Settings::default(),
        }
    }

    /// Limits the nodes. Results are reproducible.
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Sets the memory of the tree, in MiB.
    #[must_use]
    pub fn memory(mut self, megabytes: usize) -> Self {
        self.megabytes = megabytes.max(1);
        self
    }

    /// Sets the values distinguished while the tree grows; the default is 31 values, 100 centipawns apart. The profile
    /// distinguishes all values of the evaluator.
    #[must_use]
    pub fn grid(mut self, grid: Grid) -> Self {
        self.settings.grid = grid;
        self
    }

    /// Sets the search's settings. Leaves are evaluated exactly in any case, so that the profile is exact for the tree.
    #[must_use]
    pub fn settings(mut self, settings: best_first::Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Runs the search.
    pub fn run(self) -> GameVerdict<G::Move> {
        let question = Question {
            grain: self.evaluator.grain(),
            ..Question::default()
        };
        let settings = best_first::Settings {
            leaf_window: LeafWindow::Whole,
            ..self.settings
        };
        let mut search = BestFirst::new(settings, self.megabytes, self.evaluator);
        let report = search.search_alone(&self.root, &Limits::nodes(self.nodes), &mut Unobserved);
        let grown = (!report.pv.is_empty()).then(|| search.profile(&question));
        GameVerdict {
            best_move: report.best_move(),
            value: report.value,
            nodes: report.nodes,
            threshold: report.iteration,
            profile: grown
                .flatten()
                .unwrap_or_else(|| Profile::certain(Basis::Tree, report.value)),
            line: report.pv,
        }
    }
}

impl<M> GameVerdict<M> {
    /// The certainty of the value, in one number.
    pub fn certainty(&self) -> Certainty {
        Certainty::of_count(self.profile.min_cn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::OutcomesOnly;
    use crate::games::random_tree::{RandomTree, ReadOff, Shape};
    use crate::games::tic_tac_toe::TicTacToe;

    #[test]
    fn a_verdict_is_the_search_s() {
        let root = RandomTree::new(Shape::default(), 3);
        let analysis = GameAnalysis::of(root, ReadOff).grid(Grid::integers(20));
        let verdict = analysis.nodes(2_000).memory(1).run();
        assert_eq!(verdict.best_move, verdict.line.first().copied());
        assert_eq!(verdict.profile.value, verdict.value);
        assert!(verdict.threshold > 0 && verdict.nodes >= 2_000);
        let least = verdict.profile.min_cn;
        assert_eq!(verdict.certainty(), Certainty::of_count(least));
        assert!(least.is_some());
    }

    #[test]
    fn a_game_that_is_over_is_certain() {
        let won = TicTacToe::after_cells(&[0, 3, 1, 4, 2]).unwrap();
        let verdict = GameAnalysis::of(won, OutcomesOnly).run();
        assert_eq!((verdict.best_move, verdict.value), (None, Value::LOSS));
        assert_eq!(verdict.certainty(), Certainty::Proven);
    }
}
