//! Completes lines that claim a mate up to the mate.
//!
//! A search's line ends where the search stopped following it: at a table entry, at a leaf whose quiescence saw the
//! mate, or at its last node. The end of the line is the proof, so the missing moves are searched
//! here, outside the limits of the search and not counted as its nodes. Proofs in the search's table shorten the way.

use crate::game::Game;
use crate::search::Report;
use crate::search::kit::sorting::sort_by_key;
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
    let mut finder = Finder {
        proven,
        positions_left: MOST_POSITIONS,
    };
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
    complete(position, report.value, &mut report.pv, &|_| None);
    report.bound = report.bound.told(report.value, &report.pv);
}

struct Finder<'a, G> {
    proven: &'a dyn Fn(&G) -> Option<Value>,
    positions_left: usize,
}

impl<G: Game> Finder<'_, G> {
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
