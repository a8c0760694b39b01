//! Completes lines that claim a mate up to the mate.
//!
//! A search's line ends where the search stopped following it: at a table entry, at a leaf whose quiescence saw the
//! mate, or at its last node. The end of the line is the proof, so the missing moves are searched
//! here, outside the limits of the search and not counted as its nodes. Proofs in the search's table shorten the way.
//!
//! A search need not find the shortest mate. [`shortest`] looks for a shorter one, and says whether there is none.

use crate::game::Game;
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Bound, Report};
use crate::value::Value;

/// Limit on positions for one line, some ten milliseconds' worth; positions after moves that are only sorted or looked
/// up count too.
const MOST_POSITIONS: usize = 100_000;

/// Extends `line`, which leads from `position` to its decided `value`, to the end of the game. The loser resists as
/// long as it can. A line whose end is not found within the limit stays as it is.
///
/// `proven` returns a proven win or loss of a position, whose plies are an upper bound.
pub(in crate::search) fn complete<G: Game>(
    position: &G,
    value: Value,
    line: &mut Vec<G::Move>,
    proven: &dyn Fn(&G) -> Option<Value>,
) {
    let Some(plies) = value.plies_to_end().map(usize::from) else {
        return;
    };
    let Some(missing) = plies.checked_sub(line.len()).filter(|&plies| plies > 0) else {
        return;
    };
    let mut end = position.clone();
    for &m in line.iter() {
        end.play(m);
    }
    if end.outcome().is_some() {
        return;
    }
    let mut finder = Finder::new(proven);
    // The loser is to move when the number of plies left is even.
    let rest = if missing % 2 == 0 {
        finder.loss_within(&end, missing)
    } else {
        finder.win_within(&end, missing)
    };
    line.extend(rest.into_iter().flatten());
}

/// Completes the line of a report; an exact mate becomes a bound if its line still does not reach mate.
pub(in crate::search) fn complete_report<G: Game>(position: &G, report: &mut Report<G::Move>) {
    report_win_at_once(position, report);
    complete(position, report.value, &mut report.pv, &|_| None);
    report.bound = report.bound.as_reported(report.value, &report.pv);
}

/// Report before anything has been searched, on the root's `first` move: only a win at once needs no search.
pub(in crate::search) fn before_search<G: Game>(
    root: &G,
    value: Value,
    first: Option<G::Move>,
) -> Report<G::Move> {
    let mut report = Report::before_search(value, first.into_iter().collect());
    report_win_at_once(root, &mut report);
    report
}

/// Tells a win for what it is if the first move of a report brings it about at once, whatever the search made of it.
pub(in crate::search) fn report_win_at_once<G: Game>(root: &G, report: &mut Report<G::Move>) {
    let wins = |m| root.after(m).outcome() == Some(Value::LOSS);
    if !report.value.is_decided() && report.best_move().is_some_and(wins) {
        (report.value, report.bound) = (Value::win_in(1), Bound::Exact);
        report.pv.truncate(1);
    }
}

/// A proven win or loss, as short as it is known to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shortest<M> {
    /// The win or loss.
    pub(crate) value: Value,
    /// Whether it is proven that the loser can be beaten no sooner.
    pub(crate) is_exact: bool,
    /// A line to the end, or its beginning.
    pub(crate) line: Vec<M>,
}

/// Looks for the shortest proof of a proven `value` of `position`, whose `line` may end early, within a limit.
pub(crate) fn shortest<G: Game>(
    position: &G,
    value: Value,
    mut line: Vec<G::Move>,
) -> Shortest<G::Move> {
    let plies = value.plies_to_end().map_or(0, usize::from);
    let value_in = |plies: usize| {
        let plies = plies as u16;
        if value.is_win() {
            Value::win_in(plies)
        } else {
            Value::loss_in(plies)
        }
    };
    let mut finder = Finder::new(&|_| None);
    let first = if value.is_win() { 1 } else { 2 };
    for fewer in (first..plies).step_by(2) {
        if let Some(line) = finder.end_within(position, value, fewer) {
            let (value, is_exact) = (value_in(fewer), true);
            return Shortest {
                value,
                is_exact,
                line,
            };
        }
        if finder.positions_left == 0 {
            let mut value = value;
            if line.len() < plies && ends_in_loss(position, &line) {
                if Finder::new(&|_| None).proves(position, value, &line) == Some(true) {
                    value = value_in(line.len());
                } else {
                    // The loser can hold out longer than on this line: it would tell less than the value.
                    line.truncate(line.len().saturating_sub(2).max(1));
                }
            }
            return Shortest {
                value,
                is_exact: false,
                line,
            };
        }
    }
    Shortest {
        value,
        is_exact: true,
        line,
    }
}

/// Whether the side to move at the end of a `line` from `position` has lost.
pub(in crate::search) fn ends_in_loss<G: Game>(position: &G, line: &[G::Move]) -> bool {
    let mut end = position.clone();
    line.iter().for_each(|&m| end.play(m));
    end.outcome() == Some(Value::LOSS)
}

struct Finder<'a, G> {
    proven: &'a dyn Fn(&G) -> Option<Value>,
    positions_left: usize,
}

impl<'a, G: Game> Finder<'a, G> {
    fn new(proven: &'a dyn Fn(&G) -> Option<Value>) -> Finder<'a, G> {
        Finder {
            proven,
            positions_left: MOST_POSITIONS,
        }
    }

    /// A line by which the side that has won by `value` wins within `plies`.
    fn end_within(&mut self, position: &G, value: Value, plies: usize) -> Option<Vec<G::Move>> {
        if value.is_win() {
            self.win_in(position, plies)
        } else {
            self.loss_within(position, plies)
        }
    }

    /// Whether every other reply on a `line` to the end loses as soon; `None` once the limit is exceeded.
    fn proves(&mut self, position: &G, value: Value, line: &[G::Move]) -> Option<bool> {
        let mut at = position.clone();
        for (ply, &m) in line.iter().enumerate() {
            let is_losers = value.is_loss() == (ply % 2 == 0);
            let left = line.len() - ply - 1;
            let others = at.legal_moves().into_iter();
            for other in others.filter(|&other| is_losers && other != m) {
                let child = at.after(other);
                if child.is_drawn_by_rule() || self.win_within(&child, left).is_none() {
                    return (self.positions_left > 0).then_some(false);
                }
            }
            at.play(m);
        }
        Some(true)
    }

    /// Counts `positions` against the limit; `None` once it is exceeded.
    fn look_at(&mut self, positions: usize) -> Option<()> {
        let left = self.positions_left.checked_sub(positions);
        self.positions_left = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// A line by which the side to move wins within `plies`, an odd number: the shortest, unless a win is already
    /// proven.
    fn win_within(&mut self, position: &G, plies: usize) -> Option<Vec<G::Move>> {
        if plies > 1
            && let Some((rest, m)) = self.proven_win(position)
            && rest < plies
            && let Some(line) = self.loss_within(&position.after(m), rest)
        {
            return Some([vec![m], line].concat());
        }
        (1..=plies)
            .step_by(2)
            .find_map(|plies| self.win_in(position, plies))
    }

    /// The move with the shortest proven win, and the plies left after it.
    fn proven_win(&mut self, position: &G) -> Option<(usize, G::Move)> {
        let moves = position.legal_moves();
        self.look_at(moves.len())?;
        let lost = moves.into_iter().filter_map(|m| {
            let value = (self.proven)(&position.after(m)).filter(|value| value.is_loss())?;
            Some((usize::from(value.plies_to_end()?), m))
        });
        lost.min_by_key(|&(plies, _)| plies)
    }

    /// A line by which the side to move wins within `plies`; checks and captures first.
    fn win_in(&mut self, position: &G, plies: usize) -> Option<Vec<G::Move>> {
        let mut moves = position.legal_moves();
        self.look_at(moves.len())?;
        if plies == 1 {
            moves.retain(|&mut m| position.may_win(m));
        }
        sort_by_key(&mut moves, |&m| {
            (!position.gives_check(m), position.is_quiet(m))
        });
        for m in moves {
            if let Some(rest) = self.loss_within(&position.after(m), plies - 1) {
                return Some([vec![m], rest].concat());
            }
            if self.positions_left == 0 {
                break;
            }
        }
        None
    }

    /// The longest line that loses for the side to move within `plies`; `None` if it can hold out longer, or the limit
    /// is exceeded.
    fn loss_within(&mut self, position: &G, plies: usize) -> Option<Vec<G::Move>> {
        self.look_at(1)?;
        if !position.has_legal_move() {
            return position.terminal_value().is_loss().then(Vec::new);
        }
        if plies == 0 || position.is_drawn_by_rule() {
            return None;
        }
        // The plies that the winner needs at most after the loser's best move, that move, and the winner's line if one
        // has been found.
        let mut longest: Option<(usize, _, _)> = None;
        for m in position.legal_moves() {
            let child = position.after(m);
            // This move may bring about the draw, of which a proof in the table does not know.
            if child.is_drawn_by_rule() {
                return None;
            }
            let known = (self.proven)(&child).filter(|value| value.is_win());
            let known = known.and_then(Value::plies_to_end).map(usize::from);
            let (length, rest) = match known.filter(|&known| known < plies) {
                Some(known) => (known, None),
                None => {
                    let rest = self.win_within(&child, plies - 1)?;
                    (rest.len(), Some(rest))
                }
            };
            if longest.as_ref().is_none_or(|&(best, ..)| length > best) {
                longest = Some((length, m, rest));
            }
        }
        let (length, m, rest) = longest?;
        let rest = match rest {
            Some(rest) => rest,
            None => self.win_within(&position.after(m), length)?,
        };
        Some([vec![m], rest].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation;

    fn completed(fen: &str, value: Value, line: &str) -> String {
        let position = notation::parse_fen(fen).unwrap();
        let mut game = position.clone();
        let mut moves = Vec::new();
        for text in line.split_whitespace() {
            let m = notation::parse_uci(&game, text).unwrap();
            game.play(m);
            moves.push(m);
        }
        complete(&position, value, &mut moves, &|_| None);
        let words: Vec<String> = moves.iter().map(|&m| notation::to_uci(m, false)).collect();
        words.join(" ")
    }

    #[test]
    fn the_missing_moves_are_found_for_either_side() {
        let back_rank = "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1";
        assert_eq!(completed(back_rank, Value::win_in(1), ""), "b1b8");
        let cornered = "k7/8/1K6/8/8/8/8/7R b - - 0 1";
        assert_eq!(completed(cornered, Value::loss_in(2), ""), "a8b8 h1h8");
        assert_eq!(completed(cornered, Value::loss_in(2), "a8b8"), "a8b8 h1h8");
        // Smothered: queen sacrifice and knight mate.
        let smothered = "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1";
        let line = completed(smothered, Value::win_in(7), "g5f7 h8g8");
        assert_eq!(line, "g5f7 h8g8 f7h6 g8h8 c4g8 a8g8 h6f7");
    }

    #[test]
    fn the_shortest_mate_is_looked_for() {
        let told = |fen: &str, value: Value, line: &[&str]| {
            let position = notation::parse_fen(fen).unwrap();
            let mut end = position.clone();
            let line = line.iter().map(|text| {
                let m = notation::parse_uci(&end, text).unwrap();
                end.play(m);
                m
            });
            let found = shortest(&position, value, line.collect());
            (found.value, found.is_exact, found.line.len())
        };
        let (won, lost) = (
            "7k/8/5K2/8/8/8/8/Q7 w - - 0 1",
            "7k/8/5K2/8/Q7/8/8/8 b - - 0 1",
        );
        assert_eq!(
            told(won, Value::win_in(9), &[]),
            (Value::win_in(3), true, 3)
        );
        assert_eq!(
            told(won, Value::win_in(3), &["a1g1"]),
            (Value::win_in(3), true, 1)
        );
        assert_eq!(
            told(lost, Value::loss_in(14), &[]),
            (Value::loss_in(4), true, 4)
        );
        // Too far to rule out all shorter ones.
        let far = told(
            "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
            Value::win_in(41),
            &["a1b2"],
        );
        assert_eq!(far, (Value::win_in(41), false, 1));
    }

    #[test]
    fn a_move_that_wins_at_once_needs_no_search() {
        let position = notation::parse_fen("8/P7/8/8/8/8/8/k1K5 w - - 0 1").unwrap();
        let told = |m: &str| {
            let m = notation::parse_uci(&position, m).ok();
            let report = before_search(&position, Value::centipawns(880), m);
            (report.value, report.bound)
        };
        assert_eq!(told("a7a8q"), (Value::win_in(1), Bound::Exact));
        assert_eq!(told("a7a8n").0, Value::centipawns(880));
    }

    #[test]
    fn no_line_leads_through_a_draw_by_rule() {
        // A rook move would mate as soon, but Black's reply to it is the hundredth ply.
        let late = "7k/8/7K/8/8/8/P7/5R2 b - - 97 150";
        let line = completed(late, Value::loss_in(4), "h8g8");
        assert_eq!(line, "h8g8 a2a3 g8h8 f1f8");
        // With time on the clock a rook move, which comes first, will do.
        let early = "7k/8/7K/8/8/8/P7/5R2 b - - 0 150";
        let line = completed(early, Value::loss_in(4), "h8g8");
        assert_eq!(line, "h8g8 f1f2 g8h8 f2f8");
    }

    #[test]
    fn what_is_not_found_is_not_made_up() {
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(completed(quiet, Value::win_in(3), "e2e4"), "e2e4");
        assert_eq!(completed(quiet, Value::win_in(41), ""), "");
        assert_eq!(completed(quiet, Value::centipawns(3), "e2e4"), "e2e4");
        let mate = "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1";
        assert_eq!(completed(mate, Value::win_in(1), "b1b8"), "b1b8");
    }
}
