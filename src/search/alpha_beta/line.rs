//! Principal variations made complete.
//!
//! A line ends where the search stopped following it: at an entry of the table or in the
//! evaluator. Where the game is decided people want to see it to its end, and the end is the proof.

use super::Settings;
use super::deepening::RootMove;
use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::value::{Value, Window};

/// Positions that may be spent on the missing moves of one line.
const MOST_NODES: u64 = 20_000;

/// Nothing but sound means, so that a search as deep as the game's end finds it.
const PROOF: Settings = Settings {
    table: true,
    ..Settings::exact()
};

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Lengthens the line of a root move where it ends too early: by the table's moves, and where the
    /// game is decided to its end, if that is found quickly.
    pub(super) fn complete_line(&mut self, position: &G, root: &mut RootMove<G::Move>) {
        let depth = self.iteration as usize;
        let plies = root.value.plies_to_end().map_or(depth, usize::from);
        // A bound will be searched again.
        if root.line.len() >= plies || root.bound != Bound::Exact {
            return;
        }
        let mut end = position.clone();
        let mut value = root.value;
        for &m in &root.line {
            self.path.push(end.key());
            end.play(m);
            value = value.to_son();
        }
        let added = if root.value.is_decided() {
            self.decided_line(&end, value, root.line.len())
        } else {
            self.table_line(&end, root.line.len())
        };
        for _ in &root.line {
            self.path.pop();
        }
        root.line.extend(added);
    }

    /// The line from a position `ply` plies from the root to the end that `value` promises, or to an
    /// earlier one if the winner has missed it so far; empty if it was not found.
    fn decided_line(&mut self, end: &G, value: Value, ply: usize) -> Vec<G::Move> {
        let Some(plies) = value.plies_to_end().filter(|_| ply < self.lines.len()) else {
            return Vec::new();
        };
        let window = if value.is_win() {
            Window::new(value.next_down(), Value::INFINITY)
        } else {
            Window::new(-Value::INFINITY, value.next_up())
        };
        let settings = self.settings;
        self.settings = &PROOF;
        let most = self.budget.restrict(self.nodes() + MOST_NODES);
        let path = self.path.clone();
        let found = self.search(end, window, i32::from(plies), ply, false);
        (self.settings, self.path) = (settings, path);
        self.budget.restore(most);
        match found {
            Ok(found) if found.is_decided() && found > window.alpha => self.lines[ply].clone(),
            _ => Vec::new(),
        }
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
