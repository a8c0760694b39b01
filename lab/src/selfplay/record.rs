//! Recorded games in the `viriformat`: a position in 32 bytes that include the result, then each move with the value
//! before it, then four zero bytes.
//!
//! Values are White's, in centipawns or as [`Value::get`] encodes a decided game. A game without moves
//! stands for one that could not be played. Nothing separates games, and there is no header.
//!
//! After a random move the game goes on in a record of its own, so that in each record a search chose all moves but the
//! last. The byte that the format leaves free tells such a record from a new game; a reader that ignores it sees shorter
//! games. New labels of a game's positions are records of one move each; in all but
//! the first of a game this byte has another value.

use std::io::{self, Write};

use anyhow::{Context as _, Result, ensure};

use cassius::game::{Game, Side};
use cassius::games::chess::packed::{
    FREE_BYTE, POSITION_BYTES, RESULT_BYTE, pack, pack_move, unpack, unpack_move,
};
use cassius::games::chess::{Move, Position};
use cassius::value::Value;

/// Free byte of a record that goes on with the game of the record before it; a new game has 0.
const GOES_ON: u8 = 1;
/// Free byte of a record with another position of the same game as in the record before it.
const SAME_GAME: u8 = 2;
/// End of a record.
const END: [u8; 4] = [0; 4];

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Black won.
    Black,
    /// A draw.
    Draw,
    /// White won.
    White,
}

impl GameResult {
    const ALL: [GameResult; 3] = [GameResult::Black, GameResult::Draw, GameResult::White];

    /// White's points.
    pub const fn points(self) -> f64 {
        match self {
            GameResult::White => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Black => 0.0,
        }
    }
}

/// A game with the values of its positions.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Position after the opening.
    pub start: Position,
    /// The result.
    pub result: GameResult,
    /// The moves, each with the value of the position before it, for the side to move.
    pub moves: Vec<(Move, Value)>,
    /// Indices of the moves that follow a random one, rising: the values before and after are not those of one line of
    /// play. Empty for games recorded before this was.
    pub after_random: Vec<usize>,
    /// Whether this is a further part of the game in the record before.
    pub is_same_game: bool,
}

/// A value for White.
pub fn of_white(position: &Position, value: Value) -> Value {
    match position.side_to_move() {
        Side::First => value,
        Side::Second => -value,
    }
}

impl GameRecord {
    /// A game without moves: one that could not be played.
    pub fn not_played() -> GameRecord {
        GameRecord {
            start: Position::initial(),
            result: GameResult::Draw,
            moves: Vec::new(),
            after_random: Vec::new(),
            is_same_game: false,
        }
    }

    /// Appends the game.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut position = self.start.clone();
        let free = if self.is_same_game { SAME_GAME } else { 0 };
        self.write_head(&position, free, out)?;
        for (index, &(m, value)) in self.moves.iter().enumerate() {
            if self.after_random.binary_search(&index).is_ok() {
                out.write_all(&END)?;
                self.write_head(&position, GOES_ON, out)?;
            }
            let value = of_white(&position, value).get();
            out.write_all(&pack_move(m).to_le_bytes())?;
            out.write_all(&value.to_le_bytes())?;
            position.play(m);
        }
        out.write_all(&END)
    }

    fn write_head(&self, position: &Position, free: u8, out: &mut impl Write) -> io::Result<()> {
        let mut head = pack(position);
        head[RESULT_BYTE] = self.result as u8;
        head[FREE_BYTE] = free;
        out.write_all(&head)
    }
}

/// Hands over the games in these bytes one by one.
pub fn read_all(bytes: &[u8], mut each: impl FnMut(&GameRecord)) -> Result<()> {
    let mut rest = bytes;
    let mut games = 0;
    // The game so far, its last position and where it begins: the next record may go on with it.
    let mut open: Option<(GameRecord, Position, usize)> = None;
    while !rest.is_empty() {
        let goes_on = rest.get(FREE_BYTE) == Some(&GOES_ON);
        let is_same_game = rest.get(FREE_BYTE) == Some(&SAME_GAME) && games > 0;
        let number = games + usize::from(!(goes_on || is_same_game) || games == 0);
        let begin = bytes.len() - rest.len();
        let begin_of_game = open.as_ref().filter(|_| goes_on).map_or(begin, |it| it.2);
        let (mut record, last) = read_record(&mut rest, number, begin_of_game)?;
        record.is_same_game = is_same_game;
        match &mut open {
            Some((game, position, _)) if goes_on => {
                ensure!(
                    pack(position) == pack(&record.start) && game.result == record.result,
                    "game {number}: the record at byte {begin} does not go on with it"
                );
                game.after_random.push(game.moves.len());
                game.moves.extend(record.moves);
                *position = last;
            }
            _ => {
                if let Some((game, ..)) = open.replace((record, last, begin)) {
                    each(&game);
                }
            }
        }
        games = number;
    }
    if let Some((game, ..)) = open {
        each(&game);
    }
    Ok(())
}

/// Reads one record of a game that begins at byte `begin` of the file; returns its last position, too.
fn read_record(rest: &mut &[u8], game: usize, begin: usize) -> Result<(GameRecord, Position)> {
    let cut = || {
        format!("the file is cut short: it ends inside game {game}, which begins at byte {begin}")
    };
    let head: &[u8; POSITION_BYTES] = take(rest).with_context(cut)?;
    let found = head[RESULT_BYTE];
    let result = GameResult::ALL.get(usize::from(found)).copied();
    let result = result
        .with_context(|| format!("game {game}: expected a result of 0, 1 or 2, found {found}"))?;
    let start = unpack(head).with_context(|| format!("game {game}"))?;
    let mut position = start.clone();
    let mut moves = Vec::new();
    loop {
        let bytes: &[u8; 4] = take(rest).with_context(cut)?;
        if *bytes == END {
            break;
        }
        let &[a, b, c, d] = bytes;
        let number = moves.len() + 1;
        let m = unpack_move(&position, u16::from_le_bytes([a, b]))
            .with_context(|| format!("game {game}: move {number} is not legal"))?;
        let found = i16::from_le_bytes([c, d]);
        ensure!(
            (Value::LOSS.get()..=Value::WIN.get()).contains(&found),
            "game {game}: move {number} has a value of {found}, which is out of range"
        );
        moves.push((m, of_white(&position, Value::from_raw(found))));
        position.play(m);
    }
    let record = GameRecord {
        start,
        result,
        moves,
        after_random: Vec::new(),
        is_same_game: false,
    };
    Ok((record, position))
}

/// The next bytes, taken away from the rest; `None` if there are too few.
fn take<'b, const N: usize>(rest: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (taken, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::games::chess::notation::{parse_fen, parse_uci, to_fen};

    fn example() -> GameRecord {
        let start = parse_fen("r3k2r/8/8/8/8/8/6pP/R3K2R b KQkq - 3 20").unwrap();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for (text, value) in [("g2h1q", 900), ("e1e2", -31_990), ("e8c8", 31_991)] {
            let m = parse_uci(&position, text).unwrap();
            moves.push((m, Value::from_raw(value)));
            position.play(m);
        }
        GameRecord {
            start,
            result: GameResult::Black,
            moves,
            after_random: Vec::new(),
            is_same_game: false,
        }
    }

    fn all(bytes: &[u8]) -> Result<Vec<GameRecord>> {
        let mut all = Vec::new();
        read_all(bytes, |game| all.push(game.clone()))?;
        Ok(all)
    }

    #[test]
    fn what_is_written_is_read() {
        let game = example();
        let mut bytes = Vec::new();
        for _ in 0..2 {
            game.write(&mut bytes).unwrap();
        }
        assert_eq!(bytes.len(), 2 * (32 + 3 * 4 + 4));
        let games = all(&bytes).unwrap();
        assert_eq!(games.len(), 2);
        for read in games {
            assert_eq!(to_fen(&read.start), to_fen(&game.start));
            assert_eq!(read.result, game.result);
            assert_eq!(read.moves, game.moves);
        }
    }

    #[test]
    fn a_game_goes_on_after_a_random_move() {
        let mut game = example();
        game.after_random = vec![1, 2];
        let mut bytes = Vec::new();
        for _ in 0..2 {
            game.write(&mut bytes).unwrap();
        }
        let records: Vec<_> = bytes.chunks(32 + 4 + 4).collect();
        let marks: Vec<u8> = records.iter().map(|it| it[31]).collect();
        assert_eq!(marks, [0, 1, 1, 0, 1, 1]);
        let games = all(&bytes).unwrap();
        assert_eq!(games.len(), 2);
        for read in games {
            assert_eq!(read.moves, game.moves);
            assert_eq!(read.after_random, [1, 2]);
        }
        let error = all(&bytes[..115]).unwrap_err().to_string();
        let place = "inside game 1, which begins at byte 0";
        assert!(error.ends_with(place), "{error}");
        // What ignores the mark reads each record as a game of its own.
        bytes.iter_mut().skip(31).step_by(40).for_each(|it| *it = 0);
        let lengths: Vec<usize> = all(&bytes)
            .unwrap()
            .iter()
            .map(|it| it.moves.len())
            .collect();
        assert_eq!(lengths, [1; 6]);
    }

    #[test]
    fn positions_of_one_game_may_stand_apart() {
        let mut bytes = Vec::new();
        for is_same_game in [false, true, true, false] {
            let game = GameRecord {
                is_same_game,
                ..example()
            };
            game.write(&mut bytes).unwrap();
        }
        let games = all(&bytes).unwrap();
        let same: Vec<bool> = games.iter().map(|it| it.is_same_game).collect();
        assert_eq!(same, [false, true, true, false]);
        let error = all(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
        assert!(error.contains("inside game 2"), "{error}");
    }

    #[test]
    fn a_record_that_goes_on_with_another_game_is_refused() {
        let mut bytes = Vec::new();
        for _ in 0..2 {
            example().write(&mut bytes).unwrap();
        }
        let second = bytes.len() / 2;
        bytes[second + 31] = 1;
        let error = all(&bytes).unwrap_err().to_string();
        assert_eq!(
            error,
            "game 1: the record at byte 48 does not go on with it"
        );
    }

    #[test]
    fn values_are_whites_in_the_file() {
        let mut bytes = Vec::new();
        example().write(&mut bytes).unwrap();
        assert_eq!(i16::from_le_bytes([bytes[34], bytes[35]]), -900);
        assert_eq!(i16::from_le_bytes([bytes[38], bytes[39]]), -31_990);
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let mut whole = Vec::new();
        example().write(&mut whole).unwrap();
        for length in 1..whole.len() {
            let error = all(&whole[..length]).unwrap_err().to_string();
            let place = "inside game 1, which begins at byte 0";
            assert!(error.ends_with(place), "{error}");
        }
        let twice = whole.repeat(2);
        for length in whole.len() + 1..twice.len() {
            let error = all(&twice[..length]).unwrap_err().to_string();
            let place = format!("inside game 2, which begins at byte {}", whole.len());
            assert!(error.ends_with(&place), "{error}");
        }
        let changed = |at: usize, byte: u8| {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            format!("{:#}", all(&bytes).unwrap_err())
        };
        for (at, byte, told) in [
            (0, 0xff, "game 1: "),
            (30, 3, "expected a result of 0, 1 or 2, found 3"),
            (32, 0, "move 1 is not legal"),
            (39, 0x7e, "move 2 has a value of "),
        ] {
            let error = changed(at, byte);
            assert!(error.contains(told), "{error}");
        }
    }
}
