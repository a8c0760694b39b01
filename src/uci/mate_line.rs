//! Lines that claim a mate, followed to the mate.
//!
//! A search's line ends where the search stopped following it: at an entry of its table, at a leaf
//! whose quiescence saw the mate, or at its last node. People want to see the end, which is the
//! proof; so the missing moves are looked for here, outside the limits of the search.

use crate::game::Game;
use crate::games::chess::{Move, Position};
use crate::value::Value;

/// Positions that may be looked at for one line: a few milliseconds' worth.
const MOST_POSITIONS: u32 = 10_000;

/// Lengthens `line`, which leads from `position` to its decided `value`, up to the mate. The loser
/// holds out as long as it can. A line whose end is not found quickly stays as it is.
pub(super) fn complete(position: &Position, value: Value, line: &mut Vec<Move>) {
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
    let mut finder = Finder {
        positions_left: MOST_POSITIONS,
    };
    // The loser is to move where an even number of plies is left.
    let rest = if missing % 2 == 0 {
        finder.loss_within(&end, missing)
    } else {
        finder.win_within(&end, missing)
    };
    line.extend(rest.into_iter().flatten());
}

struct Finder {
    positions_left: u32,
}

impl Finder {
    /// The shortest mate the side to move can force in at most so many plies, an odd number.
    fn win_within(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        (1..=plies)
            .step_by(2)
            .find_map(|plies| self.win_in(position, plies))
    }

    /// A mate the side to move can force in at most so many plies; checks and captures first.
    fn win_in(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        let mut moves = position.legal_moves();
        if plies == 1 {
            moves.retain(|m| position.gives_check(*m));
        }
        moves.sort_by_key(|&m| (!position.gives_check(m), position.is_quiet(m)));
        moves.into_iter().find_map(|m| {
            let rest = self.loss_within(&position.after(m), plies - 1)?;
            Some([vec![m], rest].concat())
        })
    }

    /// The longest line to the mate that the side to move cannot avoid for more plies than these;
    /// `None` if it can, or if the search for it has gone on too long.
    fn loss_within(&mut self, position: &Position, plies: usize) -> Option<Vec<Move>> {
        self.positions_left = self.positions_left.checked_sub(1)?;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return position.in_check().then(Vec::new);
        }
        if plies == 0 || position.is_drawn_by_rule() {
            return None;
        }
        let mut longest = Vec::new();
        for m in moves {
            let rest = self.win_within(&position.after(m), plies - 1)?;
            if rest.len() + 1 > longest.len() {
                longest = [vec![m], rest].concat();
            }
        }
        Some(longest)
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
        complete(&position, value, &mut moves);
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
    fn what_is_not_found_is_not_made_up() {
        let quiet = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(completed(quiet, Value::win_in(3), "e2e4"), "e2e4");
        assert_eq!(completed(quiet, Value::win_in(41), ""), "");
        assert_eq!(completed(quiet, Value::centipawns(3), "e2e4"), "e2e4");
        let mate = "6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1";
        assert_eq!(completed(mate, Value::win_in(1), "b1b8"), "b1b8");
    }
}
