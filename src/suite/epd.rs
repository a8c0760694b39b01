//! Extended Position Description: one position with operations a line.
//!
//! Of the operations, `bm` (best moves), `am` (moves to avoid), `dm` (mate in so many moves,
//! negative if the side to move is mated) and `id` matter here, and `hmvc` and `fmvn` (the clocks)
//! are heeded; all others are skipped.

use std::fs;
use std::io;
use std::path::Path;

use thiserror::Error;

use crate::game::Game;
use crate::games::chess::notation::{FenError, MoveError, parse_fen, parse_san, parse_uci, to_san};
use crate::games::chess::{Move, Position};
use crate::lines::printable;

/// A position with a known answer.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name: the `id` operation, or the file's name and the line.
    pub id: String,
    /// The position.
    pub position: Position,
    /// The right moves (`bm`); empty if any move but those to avoid will do.
    pub best: Vec<Move>,
    /// The wrong moves (`am`).
    pub avoid: Vec<Move>,
    /// Mate in so many moves (`dm`), negative if the side to move is mated. What an answer is
    /// measured by where there is neither `bm` nor `am`.
    pub mate: Option<i32>,
}

impl Record {
    /// Whether a search solves the position that would play `m` and claims a mate in `mate` moves
    /// (negative: against it).
    pub fn is_solved_by(&self, m: Option<Move>, mate: Option<i32>) -> bool {
        if self.asks_for_mate() {
            return match (self.mate, mate) {
                (Some(known), Some(claimed)) => {
                    known.signum() == claimed.signum()
                        && claimed.unsigned_abs() <= known.unsigned_abs()
                }
                _ => false,
            };
        }
        m.is_some_and(|m| {
            (self.best.is_empty() || self.best.contains(&m)) && !self.avoid.contains(&m)
        })
    }

    /// Whether a mate is asked for and nothing else: then who has proven one near enough is done.
    pub fn asks_for_mate(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty() && self.mate.is_some()
    }

    /// Whether `line` is a mate in `mate` moves (negative: of the side to move).
    pub fn shows_mate(&self, mate: i32, line: &[Move]) -> bool {
        let plies = 2 * mate.unsigned_abs() as usize - usize::from(mate > 0);
        let mut position = self.position.clone();
        for &m in line {
            if !position.legal_moves().contains(&m) {
                return false;
            }
            position.play(m);
        }
        line.len() == plies && position.in_check() && !position.has_legal_move()
    }

    /// What is asked for, as the file would have it: `bm Qg6`, `am Rd1 Rd2`, `dm 4`.
    pub fn goal(&self) -> String {
        let list = |opcode: &str, moves: &[Move]| {
            let sans: Vec<String> = moves.iter().map(|&m| to_san(&self.position, m)).collect();
            (!sans.is_empty()).then(|| format!("{opcode} {}", sans.join(" ")))
        };
        let parts = [
            list("bm", &self.best),
            list("am", &self.avoid),
            self.mate.map(|moves| format!("dm {moves}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// Why a line is not a position with a known answer.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum EpdError {
    /// Fewer than the four fields that make a position.
    #[error("expected four fields (board, side to move, castling, en passant), found {found}")]
    MissingFields {
        /// How many there are.
        found: usize,
    },
    /// The position itself.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A move of `bm` or `am`.
    #[error("{opcode}: {reason}")]
    Move {
        /// `bm` or `am`.
        opcode: String,
        /// What is wrong with it.
        reason: MoveError,
    },
    /// A number of moves or a clock that is none.
    #[error("{opcode}: expected a number, found '{found}'")]
    Number {
        /// The operation.
        opcode: String,
        /// Its operand.
        found: String,
    },
    /// A string that is not closed.
    #[error("a quotation mark is not closed")]
    OpenString,
    /// Nothing to measure an answer by.
    #[error("nothing to solve: none of the operations bm, am, dm")]
    NoGoal,
    /// A game that is over.
    #[error("the game is over in this position")]
    GameOver,
}

/// A line that could not be read.
#[derive(Debug, Error)]
#[error("{file}:{line}: {reason}")]
pub struct Malformed {
    /// The file, as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: EpdError,
}

/// Reads the positions of a file in their order, and apart from them the lines that are none. Blank
/// lines and lines that begin with `#` are passed over.
pub fn read_file(path: &Path) -> io::Result<(Vec<Record>, Vec<Malformed>)> {
    let bytes = fs::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let stem = path
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let (mut records, mut malformed) = (Vec::new(), Vec::new());
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let (number, line) = (index + 1, line.trim());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match parse_line(line, &format!("{stem}:{number}")) {
            Ok(record) => records.push(record),
            Err(reason) => malformed.push(Malformed {
                file: path.display().to_string(),
                line: number,
                reason,
            }),
        }
    }
    Ok((records, malformed))
}

/// Reads one line; `default_id` names the position if the line does not.
///
/// Moves are in standard algebraic notation, or else in coordinate notation, which some files have.
/// A FEN with its two clocks is taken for the four fields as well, since many files are written so.
pub fn parse_line(line: &str, default_id: &str) -> Result<Record, EpdError> {
    let (fields, operations) = split_fields(line);
    if fields.len() < 4 {
        return Err(EpdError::MissingFields {
            found: fields.len(),
        });
    }
    let operations = split_operations(operations)?;
    let clock = |opcode: &str, field: Option<&&str>, default: u32| -> Result<u32, EpdError> {
        let operand = operations
            .iter()
            .find(|(name, _)| name == opcode)
            .and_then(|(_, operands)| operands.first());
        match operand {
            Some(operand) => number(opcode, operand),
            None => field.map_or(Ok(default), |field| number(opcode, field)),
        }
    };
    let halfmoves = clock("hmvc", fields.get(4), 0)?;
    let fullmoves = clock("fmvn", fields.get(5), 1)?;
    let board = fields[..4].join(" ");
    let position = parse_fen(&format!("{board} {halfmoves} {fullmoves}"))?;
    if !position.has_legal_move() {
        return Err(EpdError::GameOver);
    }
    let mut record = Record {
        id: default_id.to_owned(),
        position,
        best: Vec::new(),
        avoid: Vec::new(),
        mate: None,
    };
    for (opcode, operands) in &operations {
        match opcode.as_str() {
            "bm" => record
                .best
                .extend(moves(&record.position, opcode, operands)?),
            "am" => record
                .avoid
                .extend(moves(&record.position, opcode, operands)?),
            "dm" => record.mate = Some(mate(operands)?),
            // A name of blanks is none.
            "id" if operands.iter().any(|word| !word.trim().is_empty()) => {
                record.id = printable(&operands.join(" "));
            }
            _ => {}
        }
    }
    if record.best.is_empty() && record.avoid.is_empty() && record.mate.is_none() {
        return Err(EpdError::NoGoal);
    }
    Ok(record)
}

/// The fields of the position, up to six if the fifth and sixth are numbers, and the rest.
fn split_fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::new();
    let mut rest = line.trim();
    while fields.len() < 6 {
        let (field, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_clock = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (fields.len() >= 4 && !is_clock) {
            break;
        }
        fields.push(field);
        rest = tail.trim_start();
    }
    (fields, rest)
}

/// Operations and their operands. Operands are separated by blanks or commas; what stands in
/// quotation marks is one operand, semicolons included.
fn split_operations(text: &str) -> Result<Vec<(String, Vec<String>)>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => loop {
                match characters.next() {
                    Some('"') => {
                        words.push(std::mem::take(&mut word));
                        break;
                    }
                    Some(inside) => word.push(inside),
                    None => return Err(EpdError::OpenString),
                }
            },
            ';' | ',' | ' ' | '\t' => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                if character == ';' && !words.is_empty() {
                    operations.push((words.remove(0), std::mem::take(&mut words)));
                }
            }
            other => word.push(other),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    if !words.is_empty() {
        operations.push((words.remove(0), words));
    }
    Ok(operations)
}

fn moves(position: &Position, opcode: &str, operands: &[String]) -> Result<Vec<Move>, EpdError> {
    let parse = |text: &String| {
        parse_san(position, text).or_else(|reason| {
            parse_uci(position, text).map_err(|_| EpdError::Move {
                opcode: opcode.to_owned(),
                reason,
            })
        })
    };
    operands.iter().map(parse).collect()
}

fn mate(operands: &[String]) -> Result<i32, EpdError> {
    let operand = operands.first().map_or("", String::as_str);
    match number("dm", operand)? {
        0 => Err(EpdError::GameOver),
        moves => Ok(moves),
    }
}

fn number<N: std::str::FromStr>(opcode: &str, operand: &str) -> Result<N, EpdError> {
    operand.parse().map_err(|_| EpdError::Number {
        opcode: opcode.to_owned(),
        found: operand.to_owned(),
    })
}
