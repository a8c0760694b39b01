//! Games with the values of a search and of a judge.

use anyhow::{Result, bail};

use super::WON;
use crate::statistics::elo_score;
use cassius::engine::outlook::Prospects;
use cassius::game_report::record::{self, Record, Row};
use cassius::game_report::verdict::Verdict;
use cassius::profile::criticality::{Extremes, Turn};

/// A game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// Its positions, in order.
    pub(super) plies: Vec<Ply>,
    /// The first position from which the winner's expected score stays at [`WON`] or more; `None` for draws, and if
    /// there is no such position or it is the first.
    pub(super) turning_point: Option<usize>,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ply {
    /// White's expected score by the judge.
    pub(super) expected: f64,
    /// Whether it may be marked: by the judge the game is open, its player has moved before, and something follows.
    pub(super) open: bool,
    /// White's expected score by the search.
    pub(super) value: f64,
    /// The rule's verdict.
    pub(super) turn: Turn,
    /// The conspiracy numbers that the rule uses.
    pub(super) extremes: Extremes,
    /// Results of a search that states its certainty, if any.
    pub(super) evidence: Option<Evidence>,
}

/// Certainty of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// White's expected score by that search.
    pub(super) value: f64,
    /// Chances of changes by more effort.
    pub(super) outlook: Option<Prospects>,
    /// Expected error of the evaluation, in centipawns.
    pub(super) give_or_take: Option<u32>,
}

impl Game {
    /// Indices of the positions that may be marked.
    pub(super) fn open(&self) -> Vec<usize> {
        let plies = self.plies.iter().enumerate();
        plies.filter(|it| it.1.open).map(|it| it.0).collect()
    }
}

/// Role of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It has conspiracy numbers.
    Numbers,
    /// It states the certainty of its values.
    Evidence,
    /// Its values are taken as true.
    Judge,
}

impl Role {
    /// The role of an analysis, by its contents.
    pub(super) fn of(record: &Record) -> Role {
        let has = |known: fn(&Verdict) -> bool| {
            let mut rows = record.games.iter().flat_map(|game| &game.rows);
            rows.any(|row| known(&row.verdict))
        };
        if has(|it| it.min_cn.is_some()) {
            Role::Numbers
        } else if has(|it| it.outlook.is_some()) {
            Role::Evidence
        } else {
            Role::Judge
        }
    }

    /// Its name among the settings.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Role::Numbers => "analysed by",
            Role::Evidence => "sureness by",
            Role::Judge => "judged by",
        }
    }
}

/// Error for analyses that do not belong together.
const NOT_TOGETHER: &str = "expected analyses of the same games: one with conspiracy numbers (`--search best-first`), one of a judge, \
    and if wanted one that says how sure it is (`--search depth-first`)";

/// The games of two or three analyses, in any order: one with conspiracy numbers, one of a judge, and perhaps one that
/// states its certainty.
pub(super) fn games(records: &[Record]) -> Result<Vec<Game>> {
    let of = |role: Role| {
        let mut all = records.iter().filter(move |it| Role::of(it) == role);
        (all.next(), all.next().is_some())
    };
    let ((Some(search), false), (Some(judge), false), (evidence, false)) =
        (of(Role::Numbers), of(Role::Judge), of(Role::Evidence))
    else {
        bail!(NOT_TOGETHER);
    };
    let is_other = |record: &Record| {
        let infos = record.games.iter().map(|game| &game.info);
        !infos.eq(search.games.iter().map(|game| &game.info))
    };
    if is_other(judge) || evidence.is_some_and(is_other) {
        bail!(NOT_TOGETHER);
    }
    let games = search.games.iter().zip(&judge.games).enumerate();
    let games = games.filter(|(_, (game, _))| game.info.error.is_none());
    let games = games.map(|(at, (game, judged))| {
        let evidence = evidence.map(|it| it.games[at].rows.as_slice());
        joined(game, judged, evidence)
    });
    Ok(games.collect())
}

fn joined(game: &record::Game, judged: &record::Game, evidence: Option<&[Row]>) -> Game {
    let pairs = game.rows.iter().zip(&judged.rows).enumerate();
    let known = pairs.map_while(|(at, (row, judged))| {
        let mut ply = ply(row, judged)?;
        if let Some(rows) = evidence {
            ply.evidence = Some(self::evidence(rows.get(at)?)?);
        }
        Some(ply)
    });
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

/// A position, if both analyses have a value for it.
fn ply(row: &Row, judged: &Row) -> Option<Ply> {
    let expected = expected(&judged.verdict, row.black)?;
    Some(Ply {
        expected,
        open: row.ply >= 2 && (0.1..=0.9).contains(&expected),
        value: self::expected(&row.verdict, row.black)?,
        turn: row.turn,
        extremes: row.extremes(),
        evidence: None,
    })
}

/// Results of the search that states its certainty, if it has a value.
fn evidence(row: &Row) -> Option<Evidence> {
    Some(Evidence {
        value: expected(&row.verdict, row.black)?,
        outlook: row.verdict.outlook,
        give_or_take: row.verdict.give_or_take,
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
    Some(elo_score(centipawns))
}
