//! A UCI engine that gives verdicts.

use anyhow::Result;

use super::judge::{Judge, Question, sign};
use super::verdict::Verdict;
use crate::games::chess::line::WrittenMove;
use crate::games::chess::notation::{is_chess960, parse_san};
use crate::suite::player::Player;

/// The engine.
pub(super) struct Foreign(pub(super) Box<dyn Player>);

impl Judge for Foreign {
    /// A player knows nothing of positions before.
    fn new_game(&mut self) {}

    fn judge(&mut self, question: &Question<'_>) -> Result<Verdict> {
        let position = &question.root.position;
        let outcome = self.0.solve(position, None, &question.limit)?;
        let sign = sign(position);
        let best = outcome.best_move;
        let best = best.and_then(|san| parse_san(position, &san).ok());
        Ok(Verdict {
            best: best.map(|m| WrittenMove::new(position, m, is_chess960(position))),
            cp: outcome.cp.map(|cp| sign * cp),
            mate: outcome.mate.map(|mate| sign * mate),
            iteration: outcome.iteration,
            nodes: outcome.nodes,
            ms: outcome.ms,
            failure: outcome.failure,
            ..Verdict::default()
        })
    }
}
