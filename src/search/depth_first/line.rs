//! Principal variations, read back from the table.

use super::driver::Driver;
use super::worker::MAX_PLY;
use crate::game::{Evaluator, Game};
use crate::value::{Value, Window};

impl<G: Game, E: Evaluator<G>> Driver<'_, G, E> {
    /// The line that begins with a root move worth `value`: the table's moves, and where the game is
    /// decided the evaluator's, down to the end.
    pub(super) fn line(&mut self, first: G::Move, value: Value) -> Vec<G::Move> {
        let mut line = vec![first];
        let mut keys = vec![self.root.key()];
        let mut position = self.root.after(first);
        let mut value = value.to_son();
        while line.len() < MAX_PLY
            && !keys.contains(&position.key())
            && position.outcome().is_none()
        {
            keys.push(position.key());
            let next = if value.is_decided() {
                self.decisive_move(&position)
            } else {
                self.table_move(&position)
            };
            let Some(m) = next else { break };
            line.push(m);
            position.play(m);
            value = value.to_son();
        }
        line
    }

    fn table_move(&self, position: &G) -> Option<G::Move> {
        let entry = self.worker.table.probe(position.key())?;
        if entry.code == 0 {
            None
        } else {
            position.move_from_code(entry.code)
        }
    }

    /// In a decided position: the move after which the game is decided soonest for the winner, last
    /// for the loser, as far as table and evaluator can prove.
    fn decisive_move(&mut self, position: &G) -> Option<G::Move> {
        let proven = |driver: &mut Self, m: G::Move| {
            let son = position.after(m);
            if let Some(value) = son.outcome() {
                return value.from_son();
            }
            let entry = driver.worker.table.probe(son.key());
            let bounds = entry.map(|entry| (entry.lower, entry.upper));
            let stored = bounds.and_then(|(lower, upper)| {
                if lower.value.is_win() && lower.cost.is_infinite() {
                    Some(lower.value)
                } else if upper.value.is_loss() && upper.cost.is_infinite() {
                    Some(upper.value)
                } else {
                    None
                }
            });
            let seen = driver.worker.evaluator.evaluate(&son, Window::FULL);
            let value = match stored {
                Some(stored) if stored.is_win() => stored.max(seen),
                Some(stored) => stored.min(seen),
                None => seen,
            };
            value.from_son()
        };
        let best = position
            .legal_moves()
            .into_iter()
            .map(|m| (proven(self, m), m))
            .max_by_key(|&(value, _)| value)?;
        best.0.is_decided().then_some(best.1)
    }
}
