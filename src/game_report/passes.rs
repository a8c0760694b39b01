//! Spends a game's effort on its positions.
//!
//! A part of a game is judged backwards, so that the judge knows what came of a position. The first pass takes a
//! share of the effort. The rest goes to doubtful moves, whose cost is within the evaluation's error of a grade's
//! least cost: they are judged again with four times the effort of the first pass, then with sixteen times, while
//! there is effort left.

use std::cmp::Reverse;
use std::ops::Range;

use anyhow::Result;

use super::agreement::{self, is_refuted};
use super::judge::{Judge, JudgedPosition};
use super::move_marks::{self, Grade};
use super::record::CLAIM;
use super::verdict::{Looks, PositionVerdict};
use crate::engine::limit::Limit;
use crate::game::{Game as _, Root};
use crate::games::chess::Position;
use crate::games::chess::notation::to_fen;
use crate::games::chess::pgn::PgnGame;

/// Most plies of a part.
const PART: usize = 48;
/// Fewest plies of a part, if a limit of time asks for more parts.
const LEAST_PART: usize = 8;

/// Passes over doubtful moves: effort of a position as a multiple of the first pass's.
const AGAIN: [f64; 2] = [4.0, 16.0];
/// A move is doubtful if its cost is within this many errors of a grade's least cost.
const DOUBTFUL: f64 = 1.0;

/// Cuts a game into parts. With limits in nodes they depend on the number of positions only, so results do not depend
/// on `jobs`; with limits of time there are enough parts for all `jobs`.
pub(super) fn parts(positions: usize, limit: Limit, jobs: usize) -> Vec<Range<usize>> {
    let few = positions.div_ceil(PART).max(1);
    let count = match limit.movetime_ms {
        Some(_) => few.max(jobs.min(positions / LEAST_PART)),
        None => few,
    };
    let at = |part: usize| part * positions / count;
    (0..count).map(|part| at(part)..at(part + 1)).collect()
}

/// Plies without a capture or pawn move after which a game is drawn without a claim.
const DRAWN: u16 = 150;

/// The root as it is judged where the game goes on although a draw could be claimed: nobody claims it, and the draw
/// without a claim is as far as it is. A game that went on beyond that is judged as if the count began anew.
fn unclaimed(mut root: Root<Position>) -> Root<Position> {
    let halfmoves = match root.position.halfmoves() {
        few @ ..CLAIM => few,
        many @ CLAIM..DRAWN => many - (DRAWN - CLAIM),
        DRAWN.. => 0,
    };
    root.position = root.position.with_halfmoves(halfmoves);
    root
}

/// The positions of a part of a game.
pub(super) fn positions_of(game: &PgnGame, plies: Range<usize>) -> Vec<JudgedPosition<'_>> {
    let mut root = Root::new(game.start.clone());
    let mut all = Vec::new();
    for ply in 0..plies.end {
        let played = game.moves.get(ply).copied();
        if ply >= plies.start {
            // In stalemate a null move may lead on, but there is nothing to search.
            let is_last = played.is_none() || !root.position.has_legal_move();
            let is_over = is_last && root.position.outcome().is_some();
            // Whoever won or lost later did so without a claim.
            let is_claimed = is_over && !matches!(game.result, "1-0" | "0-1" | "0-0");
            let judged = match is_claimed {
                true => root.clone(),
                false => unclaimed(root.clone()),
            };
            all.push(JudgedPosition {
                game,
                fen: to_fen(&root.position),
                is_over: is_last && judged.position.outcome().is_some(),
                root: judged,
                ply,
                played: played.filter(|it| !it.is_pass()),
            });
        }
        if let Some(played) = played {
            root.play_recorded(played);
        }
    }
    all
}

/// The judge of a part of a game, with the effort left.
struct Bench<'b> {
    judge: &'b mut dyn Judge,
    /// Limit for a position, on average.
    limit: Limit,
    /// Effort left, as a multiple of the limit.
    left: f64,
}

/// Judges the positions of a part of a game, with `limit` for each on average. `tick` gets the effort spent since the
/// last call, as a multiple of the limit, and may end the work with an error.
pub(super) fn verdicts(
    judge: &mut dyn Judge,
    asked: &[JudgedPosition<'_>],
    limit: Limit,
    tick: &mut dyn FnMut(f64) -> Result<()>,
) -> Result<Vec<PositionVerdict>> {
    judge.new_game();
    let first = judge.first_pass();
    let mut bench = Bench {
        judge,
        limit,
        left: asked.len() as f64,
    };
    let mut verdicts = vec![PositionVerdict::drawn(); asked.len()];
    for (place, asked) in asked.iter().enumerate().rev() {
        if !asked.is_over {
            verdicts[place] = bench.ask(asked, first)?;
        }
        tick(first)?;
    }
    for times in AGAIN {
        let effort = first * times;
        let room = (bench.left / effort) as usize;
        for place in doubtful(asked, &verdicts, room) {
            let again = bench.ask(&asked[place], effort)?;
            let before = std::mem::take(&mut verdicts[place]);
            verdicts[place] = put_together(asked[place].is_black(), before, again);
            tick(effort)?;
        }
    }
    agreement::agree(asked, &mut verdicts);
    Ok(verdicts)
}

impl Bench<'_> {
    /// Asks for a verdict with `effort` times the limit of a position.
    fn ask(&mut self, asked: &JudgedPosition<'_>, effort: f64) -> Result<PositionVerdict> {
        let limit = self.limit.scaled(effort);
        let verdict = self.judge.judge(asked, limit)?;
        let of = |spent: f64, limit: Option<u64>| limit.map(|it| spent / it as f64);
        let spent = [
            of(verdict.nodes as f64, self.limit.nodes),
            of(verdict.ms, self.limit.movetime_ms),
        ];
        self.left -= spent.into_iter().flatten().fold(0.0, f64::max);
        Ok(verdict)
    }
}

/// Indices of the most doubtful moves, at most `most`, from the last to the first.
fn doubtful(asked: &[JudgedPosition<'_>], verdicts: &[PositionVerdict], most: usize) -> Vec<usize> {
    let both = asked.iter().zip(verdicts).enumerate();
    let mut all: Vec<(f64, usize)> = both
        .filter(|(_, (asked, _))| asked.is_choice())
        .filter_map(|(place, (asked, verdict))| {
            let after = verdicts.get(place + 1);
            let doubt = match after.is_some_and(|it| is_refuted(asked, verdict, it)) {
                true => 0.0,
                false => doubt(asked.is_black(), verdict)?,
            };
            Some((doubt, place))
        })
        .filter(|&(doubt, _)| doubt <= DOUBTFUL)
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.truncate(most);
    all.sort_unstable_by_key(|it| Reverse(it.1));
    all.into_iter().map(|it| it.1).collect()
}

/// Distance of a move's cost from the nearest limit of a grade, in errors of the evaluation; less is more doubtful.
/// `None` if cost or error is unknown.
fn doubt(is_black: bool, verdict: &PositionVerdict) -> Option<f64> {
    let cost = move_marks::cost(is_black, verdict)?;
    let error = verdict.error_in_points();
    let from = Grade::LEAST.iter().map(|&(_, least)| (cost - least).abs());
    let nearest = from.fold(f64::INFINITY, f64::min);
    (error > 0.0 && !verdict.is_proven()).then(|| nearest / error)
}

/// Joins a repeated verdict with the one before: sums of effort, and what has changed.
fn put_together(
    is_black: bool,
    before: PositionVerdict,
    mut again: PositionVerdict,
) -> PositionVerdict {
    if again.failure.is_some() {
        return PositionVerdict {
            failure: again.failure,
            ..before
        };
    }
    let cost = |it: &PositionVerdict| move_marks::cost(is_black, it).unwrap_or(0.0);
    let moved = (cost(&again) - cost(&before)).abs();
    again.looks = Some(Looks {
        again: before.looks.map_or(1, |it| it.again + 1),
        changed: again.best != before.best,
        moved: (moved * 10_000.0).round() / 10_000.0,
    });
    again.nodes += before.nodes;
    again.ms += before.ms;
    again
}
