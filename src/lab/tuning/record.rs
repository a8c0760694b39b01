//! Recorded games: one to a line, a result and the moves, each with the value found before it.
//!
//! `1-0 e2e4 c7c5 g1f3=35 d7d6=-28 ...`: values are the search's, for the side to move, in
//! centipawns or as [`Value::get`] encodes a decided game. Moves of the opening, which nobody
//! thought about, have none. Lines that begin with `#` are comments.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::game::Game;
use crate::games::chess::{Move, Position, notation};
use crate::value::Value;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// White won.
    White,
    /// Nobody did.
    Draw,
    /// Black won.
    Black,
}

impl GameResult {
    const ALL: [GameResult; 3] = [GameResult::White, GameResult::Draw, GameResult::Black];

    /// White's points.
    pub const fn points(self) -> f64 {
        match self {
            GameResult::White => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Black => 0.0,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            GameResult::White => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::Black => "0-1",
        }
    }
}

/// A game from the initial position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// How it ended.
    pub result: GameResult,
    /// The moves, each with the value that the side to move found.
    pub moves: Vec<(Move, Option<Value>)>,
}

impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.result.text())?;
        for &(m, value) in &self.moves {
            write!(f, " {}", notation::to_uci(m, false))?;
            if let Some(value) = value {
                write!(f, "={}", value.get())?;
            }
        }
        Ok(())
    }
}

/// Why a line is no game.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RecordError {
    /// It does not begin with a result.
    #[error("expected 1-0, 1/2-1/2 or 0-1, found '{0}'")]
    Result(String),
    /// A move that cannot be played.
    #[error("move {0}: {1}")]
    Move(usize, notation::MoveError),
    /// What stands behind a move is no value.
    #[error("move {0}: expected a value, found '{1}'")]
    Value(usize, String),
}

impl FromStr for GameRecord {
    type Err = RecordError;

    fn from_str(line: &str) -> Result<GameRecord, RecordError> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        let result = GameResult::ALL
            .into_iter()
            .find(|result| result.text() == first)
            .ok_or_else(|| RecordError::Result(first.to_owned()))?;
        let mut position = Position::initial();
        let mut moves = Vec::new();
        for (number, word) in (1..).zip(words) {
            let (text, value) = match word.split_once('=') {
                None => (word, None),
                Some((text, value)) => {
                    let bad = || RecordError::Value(number, value.to_owned());
                    let raw: i16 = value.parse().map_err(|_| bad())?;
                    let inside = Value::LOSS.get()..=Value::WIN.get();
                    if !inside.contains(&raw) {
                        return Err(bad());
                    }
                    (text, Some(Value::from_raw(raw)))
                }
            };
            let m = notation::parse_uci(&position, text)
                .map_err(|error| RecordError::Move(number, error))?;
            position.play(m);
            moves.push((m, value));
        }
        Ok(GameRecord { result, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let line = "0-1 f2f3 e7e5 g2g4=-80 d8h4=31999";
        let record: GameRecord = line.parse().unwrap();
        assert_eq!(record.result, GameResult::Black);
        assert_eq!(record.moves.len(), 4);
        assert_eq!(record.moves[1].1, None);
        assert_eq!(record.moves[3].1, Some(Value::win_in(1)));
        assert_eq!(record.to_string(), line);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let parse = |line: &str| line.parse::<GameRecord>();
        assert!(matches!(parse(""), Err(RecordError::Result(_))));
        assert!(matches!(parse("e2e4"), Err(RecordError::Result(_))));
        assert!(matches!(parse("1-0 e2e5"), Err(RecordError::Move(1, _))));
        assert!(matches!(
            parse("1-0 e2e4 e7e5=x"),
            Err(RecordError::Value(2, _))
        ));
        assert!(matches!(
            parse("1-0 e2e4=32001"),
            Err(RecordError::Value(1, _))
        ));
    }
}
