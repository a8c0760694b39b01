//! Puts the positions of games to a search, or to an engine.

use std::io;
use std::ops::Range;

use thiserror::Error;

use super::clock;
use super::holding::{self, LEAST_COST};
use super::judgement;
use super::opening::Opening;
use super::phase::Phase;
use super::record::{Doubt, Facts, GameInfo, Row, Step, Verdict};
use crate::engine::analyst::{AnalysisError, Analyst, PositionProfile, Sureness, give_or_take};
use crate::engine::fault::{Fault, Guarded};
use crate::engine::limit::Limit;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::engine::stopwatch::Stopwatch;
use crate::game::{Game as _, Root};
use crate::games::chess::line::{WrittenLine, playable};
use crate::games::chess::notation::{is_chess960, parse_san, parse_uci, to_fen, to_san, to_uci};
use crate::games::chess::pgn::PgnGame;
use crate::games::chess::{Move, Position, Quiescence};
use crate::profile::criticality::Turn;
use crate::search::Report;
use crate::suite::epd;
use crate::suite::player::{Column, Player};
use crate::suite::process::EngineError;
use crate::value::Value;
use crate::workers;

/// How it is to be done.
pub(super) struct Plan<'a> {
    /// Who analyses.
    pub(super) column: &'a Column,
    /// What ends each search.
    pub(super) limit: Limit,
    /// How many games are worked on at a time.
    pub(super) jobs: usize,
    /// Looks at moves that look bad a second time.
    pub(super) skeptic: Option<&'a EngineSettings>,
    /// Looks for moves that would have held, where one has cost much.
    pub(super) holder: Option<&'a EngineSettings>,
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

/// What comes of a game.
pub(super) enum News {
    /// It begins.
    Game(GameInfo),
    /// A position is known.
    Position(Box<Row>),
}

/// Why games could not be analysed to their ends.
#[derive(Debug, Error)]
pub enum RunError {
    /// An engine that cannot be started, or fails again and again.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A thread, or the output.
    #[error(transparent)]
    Io(#[from] io::Error),
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
        positions: Some(positions(game)),
        opening: Opening::of(&game.start, &game.moves),
    }
}

/// The positions of a game in which there is something to search: all but a last one in which the game
/// is over by its rules. A game that could not be set up has none.
fn positions(game: &PgnGame) -> usize {
    if game.moves.is_empty() && game.flaw.is_some() {
        return 0;
    }
    let mut last = game.start.clone();
    game.moves.iter().for_each(|&m| last.play_legal(m));
    game.moves.len() + usize::from(last.outcome().is_none())
}

/// Analyses games, and tells what comes of them as soon as it is known, with how far the file is done by then, in
/// bytes. The positions of one game come in order.
pub(super) fn run<E: Send + From<RunError> + From<io::Error>>(
    games: impl Iterator<Item = Result<Job, E>> + Send,
    plan: &Plan<'_>,
    mut tell: impl FnMut(News, u64) -> Result<(), E>,
) -> Result<(), E> {
    workers::share(
        games,
        plan.jobs,
        || {
            let skeptic = plan.skeptic.and_then(|it| Analyst::new(it).ok());
            let holder = plan.holder.map(EngineSettings::guarded);
            Ok((Judge::new(plan.column)?, skeptic, holder))
        },
        |(judge, skeptic, holder), job, hand_over| {
            let Job {
                pgn,
                info,
                mut rows,
                is_new,
                bytes,
            } = job?;
            let positions = info.positions.unwrap_or(0);
            if is_new && !hand_over((News::Game(info), bytes.start)) {
                return Ok(());
            }
            let mut root = Root::new(pgn.start.clone());
            for ply in 0..positions {
                if ply == rows.len() {
                    let mut verdict = judge.judge(&root, plan.limit)?;
                    if let (Some(skeptic), Some(before)) = (skeptic.as_mut(), rows.last())
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
                    root.play(m);
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
    game.moves.iter().take(plies).for_each(|&m| root.play(m));
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
        played: played.map(|&m| step(position, m, chess960)),
        verdict,
        turn: Turn::default(),
        facts: Facts {
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

fn step(position: &Position, m: Move, chess960: bool) -> Step {
    Step {
        san: to_san(position, m),
        uci: to_uci(m, chess960),
    }
}

/// Who gives verdicts.
enum Judge {
    /// A search that tells how sure its value is.
    Analyst(Box<Analyst>),
    /// Another search of ours, and what it judges by.
    Search(Guarded<ChessSearcher>, Box<Quiescence>),
    /// A UCI engine.
    Engine(Box<dyn Player>),
}

impl Judge {
    fn new(column: &Column) -> Result<Judge, RunError> {
        Ok(match column {
            Column::Search { settings, .. } => match Analyst::new(settings) {
                Ok(analyst) => Judge::Analyst(Box::new(analyst)),
                Err(AnalysisError::NoConspirators { .. }) => {
                    Judge::Search(settings.guarded(), Box::new(settings.evaluator()))
                }
            },
            Column::Engine { .. } => Judge::Engine(column.player()?),
        })
    }

    /// The verdict on a position, by itself: nothing is kept from the one before, so that the verdict
    /// does not depend on where a run was interrupted.
    fn judge(&mut self, root: &Root<Position>, limit: Limit) -> Result<Verdict, RunError> {
        let position = &root.position;
        let limits = limit.kept_by_search();
        // Clearing a table takes time that is not the search's.
        match self {
            Judge::Analyst(analyst) => analyst.clear(),
            Judge::Search(searcher, _) => {
                searcher.get().clear();
                searcher.get().prepare();
            }
            Judge::Engine(_) => {}
        }
        let mut clock = Stopwatch::start(&limit);
        match self {
            Judge::Analyst(analyst) => {
                let profile = analyst.profile(root, &limits, &mut clock);
                let ms = clock.ms();
                Ok(profile.map_or_else(
                    |fault| failed(&fault, ms),
                    |profile| profiled(position, profile, ms),
                ))
            }
            Judge::Search(searcher, evaluator) => {
                let told = searcher.search(position, |it| {
                    let report = it.search(root, &limits, &mut clock);
                    let give_or_take = give_or_take(evaluator, position, &report);
                    (report, give_or_take)
                });
                let ms = clock.ms();
                Ok(told.map_or_else(
                    |fault| failed(&fault, ms),
                    |(report, give_or_take)| Verdict {
                        give_or_take,
                        ..reported(root, &report, ms)
                    },
                ))
            }
            Judge::Engine(engine) => {
                let record = epd::Record {
                    id: to_fen(position),
                    position: position.clone(),
                    best: Vec::new(),
                    avoid: Vec::new(),
                    mate: None,
                };
                let outcome = engine.solve(&record, &limit)?;
                let sign = sign(position);
                let best = outcome.best_move;
                let best = best.and_then(|san| parse_san(position, &san).ok());
                Ok(Verdict {
                    best: best.map(|m| step(position, m, is_chess960(position))),
                    cp: outcome.cp.map(|cp| sign * cp),
                    mate: outcome.mate.map(|mate| sign * mate),
                    iteration: outcome.iteration,
                    nodes: outcome.nodes,
                    ms: outcome.ms,
                    failure: outcome.failure,
                    ..Verdict::default()
                })
            }
        }
    }
}

/// No verdict: the search is at fault.
fn failed(fault: &Fault, ms: f64) -> Verdict {
    Verdict {
        ms,
        failure: Some(fault.to_string()),
        ..Verdict::default()
    }
}

/// A profile as a verdict.
fn profiled(position: &Position, profile: PositionProfile, ms: f64) -> Verdict {
    let value = valued(position, profile.sureness.value());
    let is_black = position.is_black_to_move();
    let known = match &profile.sureness {
        Sureness::Counted(told) => {
            let [lower, higher] = for_white(is_black, told.below, told.above);
            let by_margin = told.by_margin;
            let [margin_lower, margin_higher] = for_white(
                is_black,
                by_margin.and_then(|it| it.worse),
                by_margin.and_then(|it| it.better),
            );
            Verdict {
                confidence: Some(profile.iteration),
                lower,
                higher,
                margin_lower,
                margin_higher,
                other_move: by_margin.and_then(|it| it.other_move),
                max_cn: told.max_cn,
                min_cn: told.min_cn,
                ..value
            }
        }
        Sureness::Priced(told) => {
            let [price_lower, price_higher] =
                for_white(is_black, told.price_below, told.price_above);
            Verdict {
                demand: Some(profile.iteration),
                price_lower,
                price_higher,
                ..value
            }
        }
    };
    let best = profile.line.uci.first();
    let best = best.and_then(|uci| parse_uci(position, uci).ok());
    let chess960 = is_chess960(position);
    Verdict {
        best: best.map(|m| step(position, m, chess960)),
        give_or_take: profile.give_or_take,
        outlook: profile.outlook,
        iteration: profile.iteration,
        nodes: profile.nodes,
        ms,
        line: profile.line.san,
        ..known
    }
}

/// What it takes to lower and to raise the value of the side to move, as it is for White.
fn for_white<T>(is_black: bool, below: T, above: T) -> [T; 2] {
    if is_black {
        [above, below]
    } else {
        [below, above]
    }
}

/// What a search without conspiracy numbers says.
fn reported(root: &Root<Position>, report: &Report<Move>, ms: f64) -> Verdict {
    let position = &root.position;
    let line = playable(root, &report.pv);
    let chess960 = is_chess960(position);
    Verdict {
        best: line.first().map(|&m| step(position, m, chess960)),
        iteration: report.iteration,
        nodes: report.nodes,
        ms,
        line: WrittenLine::new(position, &line).san,
        ..valued(position, report.value)
    }
}

/// A verdict of which nothing is known but the value for the side to move.
fn valued(position: &Position, value: Value) -> Verdict {
    let (sign, mate) = (sign(position), value.mate_in_moves());
    let cp = mate.is_none().then(|| sign * i32::from(value.get()));
    Verdict {
        cp,
        mate: mate.map(|moves| sign * moves),
        ..Verdict::default()
    }
}

/// 1 if White moves, -1 if Black does.
fn sign(position: &Position) -> i32 {
    if position.is_black_to_move() { -1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fault::tests::{FATAL, Panicker, treacherous};
    use crate::games::chess::Evaluation;
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
            let column = Column::Search {
                name: "treacherous".to_owned(),
                settings: Box::new(treacherous(algorithm)),
            };
            let jobs = games.iter().map(|pgn| {
                Ok::<Job, RunError>(Job {
                    pgn: pgn.clone(),
                    info: info(pgn),
                    rows: Vec::new(),
                    is_new: false,
                    bytes: 0..1,
                })
            });
            let plan = Plan {
                column: &column,
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

    #[test]
    fn a_judge_goes_on_after_a_panic() {
        let mut judge = Judge::Search(
            Panicker::guarded(),
            Box::new(Quiescence::new(Evaluation::Positional)),
        );
        let fatal = Root::new(crate::games::chess::notation::parse_fen(FATAL).unwrap());
        let start = Root::new(Position::initial());
        for _ in 0..2 {
            let verdict = judge.judge(&fatal, LIMIT).unwrap();
            assert!(verdict.failure.is_some_and(|it| it.contains("on purpose")));
            let verdict = judge.judge(&start, LIMIT).unwrap();
            assert!(verdict.failure.is_none() && verdict.best.is_some());
        }
    }
}
