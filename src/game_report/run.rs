//! Puts the positions of games to the `judge`, some of them twice.

use std::ops::Range;

use anyhow::Result;

use super::clock;
use super::holding::{self, LEAST_COST};
use super::judge::{Judge, Question};
use super::judgement;
use super::opening::Opening;
use super::phase::Phase;
use super::record::{Facts, GameInfo, Row};
use super::verdict::{Doubt, Verdict};
use crate::engine::analyst::{Analyst, Sureness};
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::settings::EngineSettings;
use crate::engine::stopwatch::Stopwatch;
use crate::game::{Game as _, Root};
use crate::games::chess::Position;
use crate::games::chess::line::WrittenMove;
use crate::games::chess::notation::{is_chess960, to_fen};
use crate::games::chess::pgn::PgnGame;
use crate::profile::criticality::Turn;
use crate::value::Value;
use crate::workers;

/// How it is to be done.
pub(super) struct Plan<'a> {
    /// Makes who analyses.
    pub(super) judge: &'a (dyn Fn() -> Result<Box<dyn Judge>> + Sync),
    /// The limit of each search.
    pub(super) limit: Limit,
    /// How many games are worked on at a time.
    pub(super) jobs: usize,
    /// Looks at moves that look bad a second time.
    pub(super) skeptic: Option<EngineSettings>,
    /// Looks for moves that would have held, where one has cost much.
    pub(super) holder: Option<EngineSettings>,
}

impl Plan<'_> {
    /// Sees to it that there is memory for whoever judges, in MiB, and for those that look again.
    pub(super) fn ensure_memory(&self, judge: usize) -> Result<(), NotEnoughMemory> {
        let others = [&self.skeptic, &self.holder].into_iter().flatten();
        let each = others.map(EngineSettings::megabytes).chain([judge]);
        memory::ensure(each, self.jobs)
    }
}

/// A game to be analysed.
pub(super) struct Job {
    /// The game.
    pub(super) pgn: PgnGame,
    /// What it is.
    pub(super) info: GameInfo,
    /// What is known of its positions already.
    pub(super) rows: Vec<Row>,
    /// Whether it has not been told of yet.
    pub(super) is_new: bool,
    /// Where it stands in the file.
    pub(super) bytes: Range<u64>,
}

impl Job {
    /// A game of which nothing is known yet.
    pub(super) fn new(pgn: PgnGame) -> Job {
        Job {
            info: info(&pgn),
            pgn,
            rows: Vec::new(),
            is_new: true,
            bytes: 0..0,
        }
    }
}

/// News of a game under way.
pub(super) enum News {
    /// It begins.
    Game(Box<GameInfo>),
    /// A position is known.
    Position(Box<Row>),
}

/// What a game is, for the record.
pub(super) fn info(game: &PgnGame) -> GameInfo {
    GameInfo {
        game: game.number,
        tags: game.tags.clone(),
        start: to_fen(&game.start),
        chess960: is_chess960(&game.start),
        plies: game.moves.len(),
        result: game.result.to_owned(),
        error: game.flaw.as_ref().map(ToString::to_string),
        oddities: game.oddities.iter().map(ToString::to_string).collect(),
        positions: positions(game),
        opening: Opening::of(&game.start, &game.moves),
    }
}

/// The positions of a game that have a value of their own: all but a last one in which a side is mated, which
/// the move that led there tells. A game that could not be set up has none.
fn positions(game: &PgnGame) -> usize {
    if game.moves.is_empty() && game.flaw.is_some() {
        return 0;
    }
    let mut last = game.start.clone();
    game.moves.iter().for_each(|&m| last.play_recorded(m));
    game.moves.len() + usize::from(last.outcome().is_none_or(|it| it == Value::DRAW))
}

/// Analyses games, and tells what comes of them as soon as it is known, with how far the file is done by then, in
/// bytes. The positions of one game come in order.
pub(super) fn run(
    games: impl Iterator<Item = Result<Job>> + Send,
    plan: &Plan<'_>,
    mut tell: impl FnMut(News, u64) -> Result<()>,
) -> Result<()> {
    workers::share(
        games,
        plan.jobs,
        || {
            let skeptic = plan.skeptic.as_ref();
            let skeptic = skeptic.and_then(|it| Analyst::new(it).ok());
            let holder = plan.holder.as_ref().map(EngineSettings::guarded);
            Ok(((plan.judge)()?, skeptic, holder))
        },
        |(judge, skeptic, holder), job, hand_over| {
            let Job {
                pgn,
                info,
                mut rows,
                is_new,
                bytes,
            } = job?;
            let positions = info.positions;
            if is_new && !hand_over((News::Game(Box::new(info)), bytes.start)) {
                return Ok(());
            }
            let mut root = Root::new(pgn.start.clone());
            for ply in 0..positions {
                if ply == rows.len() {
                    // In stalemate a pass leads on, but there is nothing to search.
                    let is_last = ply == pgn.moves.len() || !root.position.has_legal_move();
                    let is_over = is_last && root.position.outcome().is_some();
                    let mut verdict = if is_over {
                        Verdict::drawn()
                    } else {
                        judge.new_game();
                        judge.judge(&Question {
                            root: &root,
                            played: pgn.moves.get(ply).copied(),
                            limit: plan.limit,
                        })?
                    };
                    if !is_over
                        && let (Some(skeptic), Some(before)) = (skeptic.as_mut(), rows.last())
                        && judgement::of(before, &verdict).is_some()
                    {
                        verdict.doubt = doubt(skeptic, &root, before, plan.limit);
                    }
                    let mut row = row(&pgn, ply, &root.position, verdict, &rows);
                    if let (Some(holder), Some(before)) = (holder.as_mut(), rows.last())
                        && judgement::cost(before, &row.verdict).is_some_and(|it| it >= LEAST_COST)
                    {
                        row.facts.held =
                            holding::moves(holder, &root_at(&pgn, ply - 1), plan.limit);
                    }
                    rows.push(row.clone());
                    let part = (ply + 1) as f64 / positions as f64;
                    let done = (part * (bytes.end - bytes.start) as f64) as u64;
                    if !hand_over((News::Position(Box::new(row)), bytes.start + done)) {
                        break;
                    }
                }
                if let Some(&m) = pgn.moves.get(ply) {
                    root.play_recorded(m);
                }
            }
            Ok(())
        },
        |(news, bytes)| tell(news, bytes),
    )
}

/// The position after so many plies of a game, with those before.
fn root_at(game: &PgnGame, plies: usize) -> Root<Position> {
    let mut root = Root::new(game.start.clone());
    game.moves
        .iter()
        .take(plies)
        .for_each(|&m| root.play_recorded(m));
    root
}

/// What would have to be misjudged in a position for the move that led there to be as good as the best one.
fn doubt(
    skeptic: &mut Analyst,
    root: &Root<Position>,
    before: &Row,
    limit: Limit,
) -> Option<Doubt> {
    let best = before.verdict.value_for_white()?;
    let target = if before.black { best } else { -best };
    skeptic.clear();
    let mut clock = Stopwatch::start(&limit);
    let limits = limit.kept_by_search();
    let profile = skeptic.profile_and(Some(target), root, &limits, &mut clock);
    let Sureness::Counted(profile) = profile.ok()?.sureness else {
        return None;
    };
    // The opponent moves: for him to be worth no more than the target is what is asked. What is worth
    // less already takes nobody.
    let asked = profile.asked?;
    let holds = profile.value <= asked.target;
    let first = asked.names.into_iter().next();
    Some(Doubt {
        conspirators: if holds { Some(0) } else { asked.conspirators },
        line: first.map_or_else(String::new, |it| it.line.san),
    })
}

/// The row of a position; `rows` are those before it.
fn row(game: &PgnGame, ply: usize, position: &Position, verdict: Verdict, rows: &[Row]) -> Row {
    let chess960 = is_chess960(&game.start);
    let played = game.moves.get(ply);
    let times = clock::of(game, ply);
    let last_phase = rows.last().and_then(|row| row.facts.phase);
    let mut row = Row {
        game: game.number,
        ply,
        number: position.fullmoves(),
        black: position.is_black_to_move(),
        fen: to_fen(position),
        played: played.map(|&m| WrittenMove::new(position, m, chess960)),
        verdict,
        turn: Turn::default(),
        facts: Facts {
            forced: position.legal_moves().len() == 1,
            phase: Some(Phase::next(last_phase, position, ply)),
            clock_s: times.clock_s,
            spent_s: times.spent_s,
            held: None,
        },
    };
    if let Some(last) = ply.checked_sub(2) {
        row.turn = Turn::between(rows[last].extremes(), row.extremes());
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fault::tests::{FATAL, treacherous};
    use crate::game_report::judge::OwnJudge;
    use crate::games::chess::pgn::Games;
    use crate::search::registry::Algorithm;

    const LIMIT: Limit = Limit {
        movetime_ms: None,
        nodes: Some(500),
        depth: None,
    };

    #[test]
    fn a_panic_costs_one_position_of_a_game() {
        let pgn = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *";
        let fatal = format!("[FEN \"{FATAL}\"]\n\n1. e4 *");
        let text = format!("{pgn}\n\n{fatal}\n\n{pgn}");
        let games: Vec<PgnGame> = Games::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(games.len(), 3);
        for algorithm in [Algorithm::BestFirst, Algorithm::AlphaBeta] {
            let settings = treacherous(algorithm);
            let jobs = games.iter().map(|pgn| {
                Ok(Job {
                    pgn: pgn.clone(),
                    info: info(pgn),
                    rows: Vec::new(),
                    is_new: false,
                    bytes: 0..1,
                })
            });
            let plan = Plan {
                judge: &|| Ok(Box::new(OwnJudge::new(&settings))),
                limit: LIMIT,
                jobs: 1,
                skeptic: None,
                holder: None,
            };
            let mut rows = Vec::new();
            let ran = run(jobs, &plan, |news, _| {
                if let News::Position(row) = news {
                    rows.push(*row);
                }
                Ok(())
            });
            assert!(ran.is_ok());
            let all: usize = games.iter().map(positions).sum();
            assert_eq!(rows.len(), all);
            let failed = rows.iter().filter(|row| row.verdict.failure.is_some());
            assert!(failed.clone().count() > 0);
            for row in failed {
                assert_eq!(row.game, 2, "{algorithm} {row:?}");
                assert_eq!((row.verdict.cp, row.verdict.mate), (None, None));
                let text = super::super::text::csv_row(row);
                assert!(text.iter().any(|it| it.contains("internal error")));
            }
        }
    }
}
