//! Games with what a search and a judge say of them.

use super::WON;
use crate::game_report::record::{self, Record, Row, Verdict};
use crate::lab::experiment::LabError;
use crate::profile::criticality::{Extremes, Turn};

/// A game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// Its positions, in order.
    pub(super) plies: Vec<Ply>,
    /// The first position from which on the winner's expected score stays at [`WON`] or more; `None` for
    /// draws, and where there is no such position or it is the first.
    pub(super) turning_point: Option<usize>,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    /// White's expected score by the judge.
    pub(super) expected: f64,
    /// Whether it may be marked: the game is open by the judge, its player has moved before, and
    /// something follows.
    pub(super) open: bool,
    /// White's expected score by the search.
    pub(super) value: f64,
    /// What the rule says.
    pub(super) turn: Turn,
    /// The numbers the rule is about.
    pub(super) extremes: Extremes,
}

impl Game {
    /// The positions that may be marked.
    pub(super) fn open(&self) -> Vec<usize> {
        let plies = self.plies.iter().enumerate();
        plies.filter(|it| it.1.open).map(|it| it.0).collect()
    }
}

/// Whether an analysis has conspiracy numbers.
pub(super) fn has_numbers(record: &Record) -> bool {
    let mut rows = record.games.iter().flat_map(|game| &game.rows);
    rows.any(|row| row.verdict.min_cn.is_some())
}

/// The games of two analyses, one with conspiracy numbers and one of a judge, whatever their order.
pub(super) fn games(records: &[Record]) -> Result<Vec<Game>, LabError> {
    let (search, judge) = match records {
        [a, b] if has_numbers(a) && !has_numbers(b) => (a, b),
        [a, b] if has_numbers(b) && !has_numbers(a) => (b, a),
        _ => return Err(LabError::NoPair),
    };
    let pairs = search.games.iter().zip(&judge.games);
    if pairs.clone().any(|(a, b)| a.info != b.info) {
        return Err(LabError::NoPair);
    }
    let games = pairs.filter(|(game, _)| game.info.error.is_none());
    Ok(games.map(|(game, judged)| paired(game, judged)).collect())
}

fn paired(game: &record::Game, judged: &record::Game) -> Game {
    let pairs = game.rows.iter().zip(&judged.rows);
    let known = pairs.map_while(|(row, judged)| ply(row, judged));
    let mut plies: Vec<Ply> = known.collect();
    if let Some(last) = plies.last_mut() {
        last.open = false;
    }
    let winner: Option<fn(f64) -> f64> = match game.info.result.as_str() {
        "1-0" => Some(|expected| expected),
        "0-1" => Some(|expected| 1.0 - expected),
        _ => None,
    };
    let turning_point = winner.and_then(|winners| {
        let undecided = plies.iter().rposition(|ply| winners(ply.expected) < WON);
        undecided
            .map(|last| last + 1)
            .filter(|&at| at < plies.len())
    });
    Game {
        plies,
        turning_point,
    }
}

/// A position, if both have a value for it.
fn ply(row: &Row, judged: &Row) -> Option<Ply> {
    let expected = expected(&judged.verdict, row.black)?;
    Some(Ply {
        expected,
        open: row.ply >= 2 && (0.1..=0.9).contains(&expected),
        value: self::expected(&row.verdict, row.black)?,
        turn: row.turn,
        extremes: row.extremes(),
    })
}

/// White's expected score by a value.
fn expected(verdict: &Verdict, black: bool) -> Option<f64> {
    let centipawns = match (verdict.mate, verdict.cp) {
        (Some(0), _) => {
            // The side to move is mated.
            let sign = if black { 1.0 } else { -1.0 };
            sign * f64::INFINITY
        }
        (Some(moves), _) => f64::from(moves.signum()) * f64::INFINITY,
        (None, Some(cp)) => f64::from(cp),
        (None, None) => return None,
    };
    Some(1.0 / (1.0 + 10_f64.powf(-centipawns / 400.0)))
}
