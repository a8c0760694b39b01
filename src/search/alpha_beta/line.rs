//! Completion of principal variations.
//!
//! A line ends where the search stopped following it: at an entry of the table or in the
//! evaluator. In a decided game the line is completed to the end of the game, which proves the value.

use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::search::events::Watcher;
use crate::search::kit::deepening::RootMove;
use crate::search::kit::mate_line;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Lengthens the line of a root move where it ends too early: where the game is decided to its end, if that is
    /// found quickly; elsewhere by the table's moves, as deep as the iteration and no further than the first draw.
    pub(super) fn complete_line(&mut self, position: &G, root: &mut RootMove<G::Move>) {
        let line = &mut root.line;
        // A bound that proves a mate may be the last word, if a limit comes.
        if root.bound.proves(root.value) {
            mate_line::complete(position, root.value, line, &|position| {
                self.probe(position)?.proven()
            });
            return;
        }
        // Any other bound will be searched again.
        if root.bound != Bound::Exact {
            return;
        }
        let mut end = position.clone();
        for &m in line.iter() {
            self.path.push(end.key());
            end.play(m);
        }
        while line.len() < self.iteration as usize
            && !end.is_drawn_by_rule()
            && self.path.repetition(&end).is_none()
            && let Some(entry) = self.probe(&end)
            && let Some(m) = end.move_from_code(entry.code)
        {
            self.path.push(end.key());
            end.play(m);
            line.push(m);
        }
        for _ in line.iter() {
            self.path.pop();
        }
    }
}
