//! Lines to the win, out of the table.

use super::Question;
use super::horizon::Horizon;
use super::numbers::Numbers;
use super::table::{Known, Table};
use super::worker::{Worker, kind_of};
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game};
use crate::search::mate_line;
use crate::value::Value;

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// In how many plies the attacker is known to win, and so that the line is as long.
    pub(super) fn win(&self, table: &Table, question: Question, position: &G) -> Option<u16> {
        table.win(self.key(position, question))
    }

    /// The plies to the win as the sons have them now, and the move that leads there.
    fn best_son(
        &self,
        table: &Table,
        question: Question,
        position: &G,
        ply: usize,
    ) -> Option<(u16, G::Move)> {
        let moves = self.moves(position, ply).into_iter();
        let wins = |m| {
            let son = position.after(m);
            if !son.has_legal_move() {
                return son.terminal_value().is_loss().then_some(0);
            }
            self.win(table, question, &son)
        };
        match kind_of(position, question) {
            Kind::Max => moves
                .filter_map(|m| Some((wins(m)?, m)))
                .min_by_key(|&(plies, _)| plies),
            Kind::Min => {
                let all: Option<Vec<(u16, G::Move)>> = moves.map(|m| Some((wins(m)?, m))).collect();
                all?.into_iter().rev().max_by_key(|&(plies, _)| plies)
            }
        }
    }

    /// A line to the win: the attacker's shortest way by what the table has proven, against the longest
    /// defence; and the plies it takes. Shorter ways found after a position was proven are passed on
    /// up the line until the line is as long as is said.
    pub(super) fn winning_line(
        &self,
        table: &mut Table,
        question: Question,
        root: &G,
        plies: u16,
    ) -> (u16, Vec<G::Move>) {
        let mut most = plies;
        loop {
            let (line, of_root) = self.walk(table, question, root, most);
            match of_root {
                // Something on the way turned out nearer: the walk goes another way now, or is as
                // long as is said.
                Some(plies) => most = plies,
                None if line.len() == usize::from(most) => return (most, line),
                None => {
                    let mut line = line;
                    let value = match kind_of(root, question) {
                        Kind::Max => Value::win_in(most),
                        Kind::Min => Value::loss_in(most),
                    };
                    mate_line::complete(root, value, &mut line, |position| {
                        let plies = self.win(table, question, position)?;
                        Some(match kind_of(position, question) {
                            Kind::Max => Value::win_in(plies),
                            Kind::Min => Value::loss_in(plies),
                        })
                    });
                    return (most, line);
                }
            }
        }
    }

    /// One walk down the table. Where it ends early, what is now known of the root's distance.
    fn walk(
        &self,
        table: &mut Table,
        question: Question,
        root: &G,
        plies: u16,
    ) -> (Vec<G::Move>, Option<u16>) {
        let mut line = Vec::new();
        let mut visited = vec![root.clone()];
        let mut position = root.clone();
        while let Some((rest, m)) = self.best_son(table, question, &position, line.len()) {
            if line.len() + 1 + usize::from(rest) > usize::from(plies) {
                break;
            }
            line.push(m);
            position.play(m);
            visited.push(position.clone());
            if rest == 0 {
                break;
            }
        }
        if line.len() >= usize::from(plies) || position.has_legal_move() {
            return (line, None);
        }
        let mut of_root = None;
        for (ply, position) in visited.iter().enumerate().rev().skip(1) {
            let Some((rest, _)) = self.best_son(table, question, position, ply) else {
                break;
            };
            let known = Known {
                numbers: Numbers::PROVEN,
                plies: rest + 1,
            };
            table.store(self.key(position, question), Horizon::UNLIMITED, known, 1);
            of_root = (ply == 0).then_some(rest + 1);
        }
        (line, of_root)
    }
}
