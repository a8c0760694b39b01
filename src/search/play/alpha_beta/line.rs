//! Completion of principal variations.
//!
//! A line ends where the search stopped following it: at an entry of the table or in the
//! evaluator. In a decided game the line is completed to the end of the game, which proves the value.

use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::search::kit::deepening::RootMove;
use crate::search::kit::watching::Watcher;
use crate::search::mates::mate_line;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Lengthens the line of a root move where it ends too early: by the table's moves, and where the
    /// game is decided to its end, if that is found quickly.
    pub(super) fn complete_line(&mut self, position: &G, root: &mut RootMove<G::Move>) {
        let depth = self.iteration as usize;
        let plies = root.value.plies_to_end().map_or(depth, usize::from);
        // A bound will be searched again.
        if root.line.len() >= plies || root.bound != Bound::Exact {
            return;
        }
        if root.value.is_decided() {
            mate_line::complete(position, root.value, &mut root.line, &|position| {
                self.probe(position)?.proven()
            });
            return;
        }
        let mut end = position.clone();
        for &m in &root.line {
            self.path.push(end.key());
            end.play(m);
        }
        let added = self.table_line(&end, root.line.len());
        for _ in &root.line {
            self.path.pop();
        }
        root.line.extend(added);
    }

    /// The table's best moves from a position on, as deep as the iteration and no further than the
    /// first draw.
    fn table_line(&mut self, end: &G, ply: usize) -> Vec<G::Move> {
        let mut position = end.clone();
        let mut line = Vec::new();
        while ply + line.len() < self.iteration as usize
            && !position.is_drawn_by_rule()
            && self.path.repetition(&position).is_none()
            && let Some(entry) = self.probe(&position)
            && let Some(m) = position.move_from_code(entry.code)
        {
            self.path.push(position.key());
            position.play(m);
            line.push(m);
        }
        for _ in &line {
            self.path.pop();
        }
        line
    }
}
