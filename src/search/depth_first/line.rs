//! Principal variations, read back from the table.

use super::certificates::Certificate;
use super::driver::Driver;
use super::worker::MAX_PLY;
use crate::game::{Evaluator, Game};
use crate::search::mate_line;
use crate::value::Value;

impl<G: Game, E: Evaluator<G>> Driver<'_, G, E> {
    /// The line that begins with a root move worth `value`: the table's moves, and where the game is
    /// decided those that prove it, down to the end.
    pub(super) fn line(&self, first: G::Move, value: Value) -> Vec<G::Move> {
        let mut line = vec![first];
        if value.is_decided() {
            mate_line::complete(self.root, value, &mut line, |position| {
                self.proven_value(position)
            });
            return line;
        }
        let mut keys = vec![self.root.key()];
        let mut position = self.root.after(first);
        while line.len() < MAX_PLY
            && !keys.contains(&position.key())
            && position.outcome().is_none()
        {
            keys.push(position.key());
            let Some(m) = self.table_move(&position) else {
                break;
            };
            line.push(m);
            position.play(m);
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

    /// The win or loss that the table has proven for a position.
    fn proven_value(&self, position: &G) -> Option<Value> {
        let entry = self.worker.table.probe(position.key())?;
        let proven = |bound: Certificate| bound.cost.is_infinite().then_some(bound.value);
        let win = proven(entry.lower).filter(|value| value.is_win());
        win.or_else(|| proven(entry.upper).filter(|value| value.is_loss()))
    }
}
