//! Lines of moves: their playable part, and their notation.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::{Move, Position, notation};
use crate::game::{Game, Root, Side, is_repetition};

/// The part of a line that can be played from `root`: legal moves, up to mate, stalemate, repetition or a draw by rule.
///
/// A search may take its line out of a table that does not know the path, so this is checked here, once for all
/// searches. The first repetition ends a line, as it does for searches.
pub fn playable(root: &Root<Position>, line: &[Move]) -> Vec<Move> {
    let (mut position, mut before) = (root.position.clone(), root.repeatable());
    let mut played = Vec::with_capacity(line.len());
    for &m in line {
        if !position.legal_moves().contains(&m) {
            break;
        }
        before.push(position.key());
        position.play(m);
        played.push(m);
        let repeated = is_repetition(&before, position.key(), position.reversible_plies());
        if repeated || position.outcome().is_some() {
            break;
        }
    }
    played
}

/// A move in both notations.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WrittenMove {
    /// Standard algebraic notation.
    pub san: String,
    /// UCI's coordinates.
    pub uci: String,
}

impl WrittenMove {
    /// Writes a legal move in `position`, castling in coordinates as in Chess960 if `chess960`.
    pub fn new(position: &Position, m: Move, chess960: bool) -> WrittenMove {
        WrittenMove {
            san: notation::to_san(position, m),
            uci: notation::to_uci(m, chess960),
        }
    }

    /// Whether the move is a pass.
    pub fn is_pass(&self) -> bool {
        self.uci == notation::to_uci(Move::PASS, false)
    }
}

/// Whether a word of a written line is a move number: `12.`, `12...`.
pub fn is_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|it| it.is_ascii_digit()) && !digits.is_empty()
}

/// The moves of a written line, without their numbers.
pub(crate) fn moves_of(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().filter(|word| !is_number(word))
}

/// Moves of a line from a position, as far as they are legal.
pub(crate) fn parsed(position: &Position, line: &str) -> Vec<Move> {
    let mut end = position.clone();
    let moves = moves_of(line).map_while(|san| {
        let m = notation::parse_san(&end, san).ok()?;
        end.play(m);
        Some(m)
    });
    moves.collect()
}

/// The board after each move of a line of legal moves: the first field of its FEN.
pub fn boards(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let boards = line.iter().map(|&m| {
        position.play(m);
        let fen = notation::to_fen(&position);
        fen.split(' ').next().unwrap_or_default().to_owned()
    });
    boards.collect()
}

/// A line of moves from a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WrittenLine {
    /// With move numbers, as people write: `12... Nf6 13. e5`.
    pub san: String,
    /// Move by move in UCI's coordinate notation.
    pub uci: Vec<String>,
}

impl WrittenLine {
    /// Writes a line of legal moves from `position`.
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
pub(crate) mod tests {
    use super::*;

    /// Plays a legal line in coordinate notation, with blanks between the moves.
    pub(crate) fn play(game: &mut Root<Position>, line: &str) -> Vec<Move> {
        let read = |word| {
            let m = notation::parse_uci(&game.position, word).unwrap();
            game.play(m);
            m
        };
        line.split_whitespace().map(read).collect()
    }

    /// Reads such a line.
    pub(crate) fn moves(root: &Root<Position>, line: &str) -> Vec<Move> {
        play(&mut root.clone(), line)
    }

    /// The positions of a game of random moves, the initial one included.
    pub(crate) fn random_game(choices: &[u16]) -> Vec<Position> {
        let mut position = Position::initial();
        let mut game = vec![position.clone()];
        for &choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[usize::from(choice) % moves.len()]);
            game.push(position.clone());
        }
        game
    }

    fn root(fen: &str) -> Root<Position> {
        Root::new(notation::parse_fen(fen).unwrap())
    }

    #[test]
    fn moves_are_numbered() {
        let e5 = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let castling = "4k3/8/8/8/8/8/8/R3K2R b KQ - 0 30";
        for (fen, uci, san) in [
            (e5, "g1f3 b8c6 f1b5", "2. Nf3 Nc6 3. Bb5"),
            (castling, "e8f8 e1g1 f8g7", "30... Kf8 31. O-O+ Kg7"),
        ] {
            let start = root(fen);
            let line = WrittenLine::new(&start.position, &moves(&start, uci));
            assert_eq!((line.san.as_str(), line.uci.join(" ").as_str()), (san, uci));
        }
    }

    #[test]
    fn lines_end_where_the_game_does() {
        // Repetition: the knights return, and later moves are cut.
        let start = Root::new(Position::initial());
        let there_and_back = moves(&start, "g1f3 g8f6 f3g1 f6g8 e2e4");
        assert_eq!(playable(&start, &there_and_back).len(), 4);
        // The fifty-move rule.
        let fifty = root("7k/8/8/8/8/8/8/KR6 w - - 98 90");
        let on = moves(&fifty, "b1b2 h8g8 b2b3 g8h8");
        assert_eq!(playable(&fifty, &on).len(), 2);
        // Insufficient material.
        let bare = root("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
        let on = moves(&bare, "a1b2 h8g8 b2b3");
        assert_eq!(playable(&bare, &on).len(), 1);
        // Mate, and illegal moves.
        let mate = root("6k1/5ppp/8/8/8/8/8/K6R w - - 0 1");
        let quiet = moves(&mate, "h1h2 g8f8");
        assert_eq!(playable(&mate, &[quiet[0], quiet[0]]).len(), 1);
        let back_rank = root("6k1/5ppp/8/8/8/8/8/KR6 w - - 0 1");
        let mut line = moves(&back_rank, "b1b8");
        line.push(line[0]);
        assert_eq!(playable(&back_rank, &line).len(), 1);
    }
}
