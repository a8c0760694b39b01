//! Extended Position Description: one position with operations on each line.
//!
//! The operations `bm` (best moves), `am` (moves to avoid), `dm` (moves to mate, negative if the side to move is
//! mated), `id`, `hmvc` and `fmvn` (the clocks) are read; all others are ignored.

use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail, ensure};

use crate::game::Game;
use crate::games::chess::notation::{
    Castling, DroppedRights, parse_san, read_fen, to_san, without_number,
};
use crate::games::chess::{Move, Position};
use crate::lines::{self, printable};

/// Longest line, in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// Error for a position without legal moves.
const GAME_OVER: &str = "the game is over in this position";

/// A position with a known answer.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name: the `id` operation, or the file's name and the line.
    pub id: String,
    pub position: Position,
    /// The right moves (`bm`); if empty, any move but those to avoid is right.
    pub best: Vec<Move>,
    /// The wrong moves (`am`).
    pub avoid: Vec<Move>,
    /// Moves to mate (`dm`), negative if the side to move is mated. It decides if there is neither `bm` nor `am`.
    pub mate: Option<i32>,
}

impl Record {
    /// Whether the answer `m`, with a claim of mate in `mate` moves (negative: for the opponent), solves the position.
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

    /// Whether the goal is only a mate: then the claim of one that is near enough ends the search.
    pub(crate) fn asks_for_mate(&self) -> bool {
        self.best.is_empty() && self.avoid.is_empty() && self.mate.is_some()
    }

    /// The goal, written as in the file: `bm Qg6`, `am Rd1 Rd2`, `dm 4`.
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

/// The readable and unreadable lines of a file. A message about a line begins with the file's path as the user gave it
/// and the line's number, from 1.
#[derive(Debug, Default)]
pub struct EpdFile {
    /// The positions, in their order.
    pub records: Vec<Record>,
    /// The lines that could not be read, with the reasons.
    pub malformed: Vec<String>,
    /// Oddities of lines that were read: castling rights that do not fit the board.
    pub oddities: Vec<String>,
}

/// Reads the positions of a file. Blank lines and lines that begin with `#` or `;` are skipped.
pub fn read_file(path: &Path, castling: Castling) -> io::Result<EpdFile> {
    let mut input = BufReader::new(lines::open(path)?);
    lines::ensure_text(input.fill_buf()?)?;
    let (name, stem) = (path.display(), path.file_stem().unwrap_or_default());
    let stem = printable(&stem.to_string_lossy());
    let (mut file, mut number) = (EpdFile::default(), 0);
    while let Some((line, _)) = lines::read_any_end(&mut input, LONGEST_LINE)? {
        number += 1;
        let read = match line {
            None => Err(anyhow!("the line has more than 1 MiB")),
            Some(line) => {
                let (_, line) = lines::without_marks(line);
                let (line, _) = lines::decoded(line);
                let line = line.trim();
                if line.is_empty() || line.starts_with(['#', ';']) {
                    continue;
                }
                let id = format!("{stem}:{number}");
                parse(line, &id, castling)
            }
        };
        match read {
            Ok((record, dropped)) => {
                let odd = dropped.map(|rights| {
                    let hint = castling.hint("--chess960");
                    format!("{name}:{number}: {rights}{hint}")
                });
                file.oddities.extend(odd);
                file.records.push(record);
            }
            Err(reason) => file.malformed.push(format!("{name}:{number}: {reason}")),
        }
    }
    Ok(file)
}

/// Reads one line by the rules of standard chess; `default_id` is the name if the line has none: see [`parse`].
pub fn parse_line(line: &str, default_id: &str) -> Result<Record> {
    parse(line, default_id, Castling::Standard).map(|(record, _)| record)
}

/// Reads one line; `default_id` is the name if the line has none. Also returns castling rights that do not fit the
/// board.
///
/// Moves are in standard algebraic notation, or in coordinate notation, which some files have. A FEN with its two
/// clocks is accepted in place of the four fields, since many files are written so. A best move `#2`, as in collections
/// of mates, is a mate in two moves (`dm 2`).
pub fn parse(
    line: &str,
    default_id: &str,
    castling: Castling,
) -> Result<(Record, Option<DroppedRights>)> {
    let (fields, operations) = split_fields(line);
    ensure!(
        fields.len() >= 4,
        "expected four fields (board, side to move, castling, en passant), found {}",
        fields.len()
    );
    let operations = split_operations(operations)?;
    let clock = |opcode: &str, field: Option<&&str>, default: u32| -> Result<u32> {
        let operand = operations
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(opcode))
            .and_then(|(_, operands)| operands.first());
        let text = operand.map(String::as_str).or(field.copied());
        text.map_or(Ok(default), |text| number(opcode, text))
    };
    let halfmoves = clock("hmvc", fields.get(4), 0)?;
    let fullmoves = clock("fmvn", fields.get(5), 1)?;
    let board = fields[..4].join(" ");
    let fen = read_fen(&format!("{board} {halfmoves} {fullmoves}"), castling)?;
    ensure!(fen.position.has_legal_move(), GAME_OVER);
    let mut record = Record {
        id: default_id.to_owned(),
        position: fen.position,
        best: Vec::new(),
        avoid: Vec::new(),
        mate: None,
    };
    for (opcode, operands) in &operations {
        let (mates, moves) = split_mates(operands);
        let read = |operand| {
            parse_san(&record.position, operand).map_err(|reason| {
                let rights = fen.dropped.as_ref();
                let rights = rights.map_or_else(String::new, |it| format!("; {it}"));
                anyhow!("{opcode}: {reason}{rights}")
            })
        };
        let moves = moves.into_iter().map(read);
        match opcode.to_ascii_lowercase().as_str() {
            "bm" => {
                record.best.extend(moves.collect::<Result<Vec<Move>>>()?);
                if let Some(count) = mates.last() {
                    record.mate = Some(mate(opcode, count)?);
                }
            }
            "am" => record.avoid.extend(moves.collect::<Result<Vec<Move>>>()?),
            "dm" => record.mate = Some(mate(opcode, operands.first().map_or("", |it| it))?),
            // A blank name counts as none.
            "id" if operands.iter().any(|word| !word.trim().is_empty()) => {
                record.id = printable(&operands.join(" "));
            }
            _ => {}
        }
    }
    ensure!(
        !record.best.is_empty() || !record.avoid.is_empty() || record.mate.is_some(),
        "nothing to solve: none of the operations bm, am, dm"
    );
    Ok((record, fen.dropped))
}

/// The fields of the position, up to six if the fifth and sixth are numbers, and the rest of the line. Fields end with
/// blanks or semicolons; dashes in place of the numbers are ignored.
fn split_fields(line: &str) -> (Vec<&str>, &str) {
    let is_between = |c: char| c.is_whitespace() || c == ';';
    let mut fields = Vec::new();
    let mut rest = line.trim();
    while fields.len() < 6 {
        let (field, tail) = rest.split_once(is_between).unwrap_or((rest, ""));
        if fields.len() >= 4 && field == "-" {
            rest = tail.trim_start_matches(is_between);
            continue;
        }
        let is_clock = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (fields.len() >= 4 && !is_clock) {
            break;
        }
        fields.push(field);
        rest = tail.trim_start_matches(is_between);
    }
    (fields, rest)
}

/// Operations with their operands. Operands are separated by blanks or commas; a quoted text is one operand, semicolons
/// included.
fn split_operations(text: &str) -> Result<Vec<(String, Vec<String>)>> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            // Within a word a quotation mark is an ordinary character: some files have times as `00'40"`.
            '"' if word.is_empty() => loop {
                match characters.next() {
                    Some('"') => {
                        words.push(std::mem::take(&mut word));
                        break;
                    }
                    Some(inside) => word.push(inside),
                    None => bail!("a quotation mark is not closed"),
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

/// The operands `#N`, moves to mate, without their `#`; and the other operands without move numbers.
fn split_mates(operands: &[String]) -> (Vec<&str>, Vec<&str>) {
    let (mut mates, mut moves) = (Vec::new(), Vec::new());
    for operand in operands {
        match operand.strip_prefix('#') {
            Some(count) => mates.push(count),
            None => moves.push(without_number(operand)),
        }
    }
    moves.retain(|word| !word.is_empty());
    (mates, moves)
}

fn mate(opcode: &str, operand: &str) -> Result<i32> {
    let moves: i32 = number(opcode, operand)?;
    ensure!(
        moves != 0,
        "{opcode} 0: expected the number of moves to mate, 1 or more"
    );
    Ok(moves)
}

fn number<N: std::str::FromStr>(opcode: &str, operand: &str) -> Result<N> {
    let number = operand.parse().ok();
    number.with_context(|| format!("{opcode}: expected a number, found '{operand}'"))
}
