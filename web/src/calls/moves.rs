//! `move`: says whether a move is good, and if not, why.

use anyhow::{Context as _, Result};
use cassius::engine::analyst::{Analyst, Sureness};
use cassius::engine::limit::Limit;
use cassius::engine::settings::EngineSettings;
use cassius::game::{Game as _, Root};
use cassius::game_report::grade;
use cassius::games::chess::line::playable;
use cassius::games::chess::notation::{parse_uci, to_fen};
use cassius::games::chess::{Evaluation, Move, Position};
use cassius::search::Report;
use cassius::search::registry::Algorithm;
use cassius::value::Value;
use cassius::wdl;
use serde_json::{Value as Json, json};

use super::request::{DEFAULT_NODES, Request, read_move};
use super::verdict::{self, Question, Verdict};
use super::watch::Watch;
use super::written::{line, squares, value, written_move};
use crate::desk::State;
use crate::failure::Stopped;

/// Factor for the positions of the second search of a move that seems a mistake or a blunder.
const AGAIN: u64 = 4;

pub(crate) fn answer(state: &State, request: &Request) -> Result<Json> {
    let given = request.position()?;
    let root = &given.root;
    let text = request.m.as_deref();
    let m = read_move(&root.position, text.context("'move' is missing")?)?;
    let settings = request.settings("depth-first", Evaluation::default())?;
    let limit = request.limit(Some(DEFAULT_NODES));
    let mut question = Question {
        root,
        settings: &settings,
        limit,
        lines: 1,
        moves: Vec::new(),
        clear: request.clear,
    };
    let mut judged = Judged::of(state, &mut question, m)?;
    let is_blamed = matches!(grade(judged.points()), "mistake" | "blunder");
    let is_by_nodes = limit.movetime_ms.is_none() && limit.depth.is_none();
    if is_blamed && is_by_nodes && !state.is_to_end() {
        question.clear = false;
        question.limit.nodes = limit.nodes.map(|nodes| nodes.saturating_mul(AGAIN));
        judged = match Judged::of(state, &mut question, m) {
            Ok(again) if !state.is_to_end() => again,
            _ => judged,
        };
    }
    let points = (judged.points() * 2_000.0).round() / 2_000.0;
    let Judged {
        before,
        best,
        after,
        played,
        is_best,
    } = judged;
    let doubt = if is_best || state.is_to_end() {
        None
    } else {
        doubt(state, root, m, best.value, &settings, limit)?
    };
    let is_counted = !best.value.is_decided() && !played.value.is_decided();
    let centipawns = i32::from(best.value.get()) - i32::from(played.value.get());
    let centipawns = if is_best { 0 } else { centipawns.max(0) };
    let position = &root.position;
    Ok(json!({
        "move": written_move(position, m),
        "best": written_move(position, best.best_move().context(Stopped)?),
        "is_best": is_best,
        "verdict": before,
        "after": after,
        "cost": { "centipawns": is_counted.then_some(centipawns), "points": points },
        "grade": grade(points),
        "refutation": line(position, &playable(root, &played.pv)),
        "doubt": doubt,
        "stopped": state.is_to_end(),
    }))
}

/// A move and the best one, by the same search.
struct Judged {
    before: Verdict,
    best: Report<Move>,
    after: Verdict,
    played: Report<Move>,
    is_best: bool,
}

impl Judged {
    /// Searches the position, then the move alone.
    fn of(state: &State, question: &mut Question<'_>, m: Move) -> Result<Judged> {
        question.moves.clear();
        let (before, best) = verdict::search(state, question)?;
        let best = best.context(Stopped)?;
        let is_best = best.best_move().context(Stopped)? == m;
        let (after, played) = if is_best || state.is_to_end() {
            (before.clone(), best.clone())
        } else {
            question.moves = vec![m];
            let (after, played) = verdict::search(state, question)?;
            (after, played.context(Stopped)?)
        };
        // A search that was stopped before it searched the move knows nothing about it.
        anyhow::ensure!(is_best || played.best_move() == Some(m), Stopped);
        Ok(Judged {
            before,
            best,
            after,
            played,
            is_best,
        })
    }

    /// Cost of the move in points.
    fn points(&self) -> f64 {
        if self.is_best {
            return 0.0;
        }
        (wdl::points(self.best.value) - wdl::points(self.played.value)).max(0.0)
    }
}

/// Leaves that would have to be misjudged for a move to be as good as the best one, by best-first search.
fn doubt(
    state: &State,
    root: &Root<Position>,
    m: Move,
    best: Value,
    settings: &EngineSettings,
    limit: Limit,
) -> Result<Option<Json>> {
    let mut after = root.clone();
    after.play(m);
    if after.position.outcome().is_some() {
        return Ok(Some(json!({ "conspirators": null, "names": [] })));
    }
    let mut settings = settings.clone();
    settings.search.algorithm = Algorithm::BestFirst;
    state.kept.ensure(settings.megabytes())?;
    let mut analyst = Analyst::new(&settings)?;
    let mut watch = Watch::start(state, &limit);
    // The opponent's value must be at most what the best move leaves.
    let target = best.to_child();
    let limits = limit.kept_by_search();
    let profile = analyst.profile_and(Some(target), &after, &limits, &mut watch)?;
    let Sureness::Counted(counted) = profile.sureness else {
        return Ok(None);
    };
    let Some(asked) = counted.asked else {
        return Ok(None);
    };
    let conspirators = if counted.value <= asked.target {
        Some(0)
    } else {
        asked.conspirators
    };
    let names = asked.names.iter().map(|name| {
        let mut position = after.position.clone();
        let mut moves = vec![m];
        for uci in &name.line.uci {
            let m = parse_uci(&position, uci)?;
            position.play(m);
            moves.push(m);
        }
        let last = moves.last().map_or_else(Vec::new, |&m| squares(m).to_vec());
        Ok(json!({
            "line": line(&root.position, &moves),
            "value": value(name.value.from_child()),
            "fen": to_fen(&position),
            "squares": last,
        }))
    });
    let names: Result<Vec<Json>> = names.collect();
    Ok(Some(
        json!({ "conspirators": conspirators, "names": names? }),
    ))
}
