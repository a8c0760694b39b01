//! Lines of moves, written.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::game::{Game, Side};
use crate::games::chess::{Move, Position, notation};

/// A line of moves from a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WrittenLine {
    /// With move numbers, as people write: `12... Nf6 13. e5`.
    pub san: String,
    /// Move by move in UCI's coordinate notation.
    pub uci: Vec<String>,
}

impl WrittenLine {
    /// A line of legal moves from `position`.
    pub fn new(position: &Position, moves: &[Move]) -> WrittenLine {
        let mut line = WrittenLine::default();
        let chess960 = notation::is_chess960(position);
        let mut position = position.clone();
        for &m in moves {
            let number = position.fullmoves();
            let blank = if line.uci.is_empty() { "" } else { " " };
            let _ = match position.side_to_move() {
                Side::First => write!(line.san, "{blank}{number}. "),
                Side::Second if line.uci.is_empty() => write!(line.san, "{number}... "),
                Side::Second => write!(line.san, "{blank}"),
            };
            line.san.push_str(&notation::to_san(&position, m));
            line.uci.push(notation::to_uci(m, chess960));
            position.play(m);
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(fen: &str, moves: &[&str]) -> WrittenLine {
        let start = notation::parse_fen(fen).unwrap();
        let mut position = start.clone();
        let mut line = Vec::new();
        for text in moves {
            let m = notation::parse_san(&position, text).unwrap();
            position.play(m);
            line.push(m);
        }
        WrittenLine::new(&start, &line)
    }

    #[test]
    fn moves_are_numbered() {
        let white = written(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            &["Nf3", "Nc6", "Bb5"],
        );
        assert_eq!(white.san, "2. Nf3 Nc6 3. Bb5");
        assert_eq!(white.uci, ["g1f3", "b8c6", "f1b5"]);
        let black = written("4k3/8/8/8/8/8/8/R3K2R b KQ - 0 30", &["Kf8", "O-O+", "Kg7"]);
        assert_eq!(black.san, "30... Kf8 31. O-O+ Kg7");
        assert_eq!(black.uci, ["e8f8", "e1g1", "f8g7"]);
    }
}
