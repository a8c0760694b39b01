//! Principal variations made complete.
//!
//! A line ends where the search stopped following it: at an entry of the table or at a leaf. Where
//! the game is decided people want to see it to its end, and the end is the proof.

use super::deepening::RootMove;
use super::worker::{Stopped, Worker};
use crate::game::{Evaluator, Game};
use crate::value::Value;

/// Positions that may be spent on the missing moves of one line.
const MOST_NODES: u64 = 20_000;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Lengthens a line that leads to a decided value until it ends in that end, if the missing
    /// moves are found quickly. Any other line is left as it is.
    pub(super) fn complete_line(&mut self, position: &G, root: &mut RootMove<G::Move>) {
        let Some(plies) = root.value.plies_to_end().map(usize::from) else {
            return;
        };
        if root.line.len() >= plies {
            return;
        }
        let mut end = position.clone();
        let mut value = root.value;
        for &m in &root.line {
            end.play(m);
            value = value.to_son();
        }
        let most = self.nodes() + MOST_NODES;
        if let Ok(Some(rest)) = self.decided_line(&end, value, most) {
            root.line.extend(rest);
        }
    }

    /// A line of exactly as many plies as `value` says, in which the loser holds out and the winner
    /// only has forcing moves; `None` if there is none, or not for so few nodes.
    fn decided_line(
        &mut self,
        position: &G,
        value: Value,
        most: u64,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        self.check_limits()?;
        self.count_node();
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok((position.terminal_value() == value).then(Vec::new));
        }
        let plies = value.plies_to_end().unwrap_or(0);
        if plies == 0 || position.is_drawn_by_rule() || self.nodes() >= most {
            return Ok(None);
        }
        // The longest resistance: a line of the full length that stands if all others are lost, too.
        let mut line = None;
        for m in moves {
            if value.is_win() {
                if !position.gives_check(m) && position.is_quiet(m) {
                    continue;
                }
                if let Some(rest) = self.decided_line(&position.after(m), value.to_son(), most)? {
                    return Ok(Some([vec![m], rest].concat()));
                }
            } else {
                match self.lost_within(&position.after(m), value.to_son(), most)? {
                    Some(rest) if rest.len() + 1 == usize::from(plies) => {
                        line = Some([vec![m], rest].concat());
                    }
                    Some(_) => {}
                    None => return Ok(None),
                }
            }
        }
        Ok(line)
    }

    /// The shortest win at least as good as `value`.
    fn lost_within(
        &mut self,
        position: &G,
        value: Value,
        most: u64,
    ) -> Result<Option<Vec<G::Move>>, Stopped> {
        let plies = value.plies_to_end().unwrap_or(0);
        for shorter in (1..=plies).filter(|shorter| shorter % 2 == plies % 2) {
            let line = self.decided_line(position, Value::win_in(shorter), most)?;
            if line.is_some() {
                return Ok(line);
            }
        }
        Ok(None)
    }
}
