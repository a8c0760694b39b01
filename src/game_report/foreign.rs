//! A UCI engine that gives verdicts.
//!
//! It searches a position and then, if it prefers another move than was played, the position after the move played,
//! one ply less deep. The cost of the move is the difference of the two values: both look equally far ahead.
//! `searchmoves` would do the same, but not every engine knows it.
//!
//! After three failures in a row (crashes, silence, illegal moves, moves without a value) no thread asks it any more.

use std::sync::{Arc, OnceLock};

use anyhow::Result;

use super::holding::{Held, MOST};
use super::judge::{Judge, JudgedPosition, written};
use super::verdict::PositionVerdict;
use crate::engine::analyst::Known;
use crate::engine::limit::Limit;
use crate::game::{Game as _, Root};
use crate::games::chess::pgn::PgnGame;
use crate::games::chess::{Move, Position};
use crate::uci_client::conversation::Answer;
use crate::uci_client::engine::{Engine, EngineQuery, FAILURES_IN_A_ROW};
use crate::uci_client::process::Failure;
use crate::value::Value;

/// Longest mate that a [`Value`] can express, in moves; a longer one is cut to it.
const FARTHEST_MATE: i32 = Value::MAX_PLIES as i32 / 2;

/// Message about an engine that has been given up, for all threads; empty before.
pub(super) type GivenUp = Arc<OnceLock<String>>;

/// The engine.
pub(super) struct Foreign {
    engine: Engine,
    /// Whether it has had `ucinewgame` for the game being judged.
    is_same_game: bool,
    /// Failures in a row.
    failures: u32,
    given_up: GivenUp,
}

impl Foreign {
    /// Judges by an engine that has been started, until it is `given_up` here or by another thread.
    pub(super) fn new(engine: Engine, given_up: GivenUp) -> Foreign {
        Foreign {
            engine,
            is_same_game: false,
            failures: 0,
            given_up,
        }
    }

    /// Searches the position after `ply` plies of the game, for the best `moves_wanted` moves.
    fn ask(
        &mut self,
        game: &PgnGame,
        ply: usize,
        position: &Position,
        limit: Limit,
        moves_wanted: usize,
    ) -> Result<Answer, String> {
        if let Some(message) = self.given_up.get() {
            self.engine.end();
            return Err(message.clone());
        }
        let first = ply.saturating_sub(position.reversible_plies());
        let (before, since) = game.moves[..ply].split_at(first);
        let mut start = game.start.clone();
        before.iter().for_each(|&m| start.play_recorded(m));
        // An engine that counts the moves would claim the draw that nobody claimed.
        let counted = usize::from(start.halfmoves()) + since.len();
        let (start, since) = match counted == position.reversible_plies() {
            true => (start, since),
            false => (position.clone(), &[][..]),
        };
        let query = EngineQuery {
            position,
            start: &start,
            moves: since,
            is_same_game: self.is_same_game,
            moves_wanted,
        };
        let answer = match self.engine.ask(&query, &limit, &mut |_| false) {
            Ok(answer) if has_value(&answer) => Ok(answer),
            Ok(_) => Err(Failure::NoValue),
            Err(failure) => Err(failure),
        };
        self.is_same_game = true;
        let failure = match answer {
            Ok(answer) => {
                self.failures = 0;
                return Ok(answer);
            }
            Err(failure) => failure,
        };
        let mut told = self.engine.tells(&failure);
        // Nothing is wrong with an engine that does not know Chess960.
        self.failures += u32::from(!matches!(failure, Failure::NoChess960));
        if self.failures >= FAILURES_IN_A_ROW {
            told += &format!("; giving up after {FAILURES_IN_A_ROW} failures in a row");
            let _ = self.given_up.set(self.engine.was_given_up());
        }
        Err(told)
    }
}

impl Judge for Foreign {
    fn new_game(&mut self) {
        self.is_same_game = false;
    }

    /// All of the effort: with this share an engine's costs came nearest to its costs at ten times the nodes
    /// (lab/docs/judging.md). Doubtful moves get the effort that other positions leave unused.
    fn first_pass(&self) -> f64 {
        1.0
    }

    fn position(&mut self, asked: &JudgedPosition<'_>, limit: Limit) -> Result<PositionVerdict> {
        let answer = self.ask(asked.game, asked.ply, &asked.root.position, limit, 1);
        Ok(verdict_of(&asked.root, answer))
    }

    /// Searches the position after the move played.
    fn played(
        &mut self,
        asked: &JudgedPosition<'_>,
        played: Move,
        limit: Limit,
        verdict: &mut PositionVerdict,
    ) -> Result<PositionVerdict> {
        let mut after = asked.root.clone();
        after.play_recorded(played);
        let mut line = vec![played];
        let told = if is_drawn(&after) {
            PositionVerdict::drawn()
        } else {
            let limit = Limit {
                depth: Some(verdict.iteration.saturating_sub(1).max(1)),
                ..limit
            };
            let answer = self.ask(asked.game, asked.ply + 1, &after.position, limit, 1);
            line.extend(answer.iter().flat_map(|it| &it.line));
            verdict_of(&after, answer)
        };
        let is_black = asked.is_black();
        verdict.set_played(&PositionVerdict {
            mate: told.mate().map(|it| it.earlier(is_black).moves),
            ..told.clone()
        });
        if verdict.of_played().value_for(is_black) > verdict.value_for(is_black) {
            // After this search the move played is the best one.
            (verdict.cp, verdict.mate) = (verdict.played_cp, verdict.played_mate);
            verdict.mate_at_most = verdict.mate.is_some();
            (verdict.best, verdict.line) = written(&asked.root, &line);
        }
        Ok(told)
    }

    fn own_share(&self) -> f64 {
        0.75
    }

    fn held(&mut self, asked: &JudgedPosition<'_>, limit: Limit) -> Result<Option<Held>> {
        let Ok(answer) = self.ask(asked.game, asked.ply, &asked.root.position, limit, MOST) else {
            return Ok(None);
        };
        let ranking = answer.ranking.iter();
        // All these values are for the side to move.
        let moves = ranking.filter_map(|it| Some((it.m, value(false, it.cp, it.mate).points()?)));
        Ok(Held::among(&moves.collect::<Vec<_>>()))
    }
}

/// A verdict of an engine's score for the side to move, clamped to what is possible.
fn value(is_black: bool, cp: Option<i32>, mate: Option<i32>) -> PositionVerdict {
    let sign = if is_black { -1 } else { 1 };
    let most = i32::from(Value::MAX_CENTIPAWNS);
    let mate = mate.filter(|&it| it != 0);
    PositionVerdict::worth(
        cp.map(|it| sign * it.clamp(-most, most)),
        mate.map(|it| sign * it.clamp(-FARTHEST_MATE, FARTHEST_MATE)),
    )
}

/// Whether a game is drawn by its rules, so that no engine is asked about it.
fn is_drawn(root: &Root<Position>) -> bool {
    let key = root.position.key();
    let is_third_time = root.history.iter().filter(|&&it| it == key).count() >= 2;
    root.position.outcome().is_some() || is_third_time
}

/// Whether an answer has a value; a mate in 0 is none where there is a move.
fn has_value(answer: &Answer) -> bool {
    let mate = answer.progress.mate.filter(|&it| it != 0);
    answer.cp.or(mate).is_some()
}

/// Makes a verdict of an engine's answer, or of the reason why there is none.
fn verdict_of(root: &Root<Position>, answer: Result<Answer, String>) -> PositionVerdict {
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => {
            return PositionVerdict {
                failure: Some(failure),
                ..PositionVerdict::default()
            };
        }
    };
    let progress = answer.progress;
    let value = value(false, answer.cp, progress.mate).value_for_white();
    let is_black = root.position.is_black_to_move();
    let (value, line) = match value {
        None => (PositionVerdict::default(), answer.line),
        Some(value) => {
            let known = Known::by(root, value, &answer.line, &[]);
            let value = PositionVerdict::valued(is_black, known.value, known.is_at_most);
            (value, known.line)
        }
    };
    let (best, line) = written(root, &line);
    PositionVerdict {
        best,
        line,
        iteration: progress.iteration,
        nodes: progress.nodes,
        ms: progress.ms,
        ..value
    }
}
