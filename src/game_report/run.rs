//! Judges games, as many at a time as are wanted.
//!
//! The `passes` judge a part of a game, by whoever is the `judge`. Moves that are marked get `evidence`, and the moves that
//! would have held. A game is told of when all its parts are done, in the order of the text: so what is told depends neither
//! on how many are worked on at a time nor, with limits in nodes, on anything but the game.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;

use super::clock;
use super::effort::Effort;
use super::evidence::Witness;
use super::holding;
use super::judge::Judge;
use super::judgement;
use super::marks::{Chances, Circumstances};
use super::opening::Opening;
use super::passes::{self, Asked};
use super::phase::Phase;
use super::record::{Facts, GameInfo, Row};
use super::verdict::Verdict;
use crate::engine::fault::Guarded;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::game::Game as _;
use crate::games::chess::line::WrittenMove;
use crate::games::chess::notation::{is_chess960, to_fen};
use crate::games::chess::pgn::PgnGame;
use crate::profile::criticality::Turn;
use crate::value::Value;
use crate::workers;

/// How it is to be done.
pub(super) struct Plan<'a> {
    /// Makes who judges.
    pub(super) judge: &'a (dyn Fn() -> Result<Box<dyn Judge>> + Sync),
    /// What a game may take.
    pub(super) effort: Effort,
    /// How many parts of games are worked on at a time.
    pub(super) jobs: usize,
    /// Whether the chances are known that a stronger judge agrees with who judges.
    pub(super) has_chances: bool,
    /// Gives evidence, where marks are or everywhere.
    pub(super) witness: Option<EngineSettings>,
    pub(super) is_everywhere: bool,
    /// Looks for moves that would have held, where one has cost much.
    pub(super) holder: Option<EngineSettings>,
}

impl Plan<'_> {
    /// Sees to it that there is memory for whoever judges, in MiB, and for those that look again.
    pub(super) fn ensure_memory(&self, judge: usize) -> Result<(), NotEnoughMemory> {
        let others = [&self.witness, &self.holder].into_iter().flatten();
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
    /// How many of its positions are told of already. They are judged again with the others, as these depend on them.
    pub(super) told: usize,
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
            told: 0,
            is_new: true,
            bytes: 0..0,
        }
    }
}

/// News of games.
pub(super) enum News {
    /// Somebody is at a game, with what has been done of the file, in bytes.
    #[cfg_attr(
        not(feature = "cli"),
        expect(dead_code, reason = "told on the command line")
    )]
    Progress { game: usize, bytes: u64 },
    /// A game is done: its positions follow.
    Game(Box<GameInfo>),
    /// A position of it.
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

/// A part of a game.
struct Part {
    game: Arc<UnderWay>,
    number: usize,
    plies: Range<usize>,
}

/// A game of which not all parts are done.
struct UnderWay {
    /// Its place among the games.
    place: usize,
    job: Job,
    limit: Limit,
    parts: usize,
    /// The parts that are done, by their numbers.
    done: Mutex<BTreeMap<usize, Vec<Found>>>,
}

/// What is known of a position.
struct Found {
    verdict: Verdict,
    cost: Option<f64>,
    chances: Option<Chances>,
    held: Option<Vec<WrittenMove>>,
    is_forced: bool,
}

/// Cuts games into parts.
fn parts<'p>(
    games: impl Iterator<Item = Result<Job>> + Send + 'p,
    plan: &'p Plan<'_>,
) -> impl Iterator<Item = Result<Part>> + Send + 'p {
    games.enumerate().flat_map(|(place, job)| {
        let job = match job {
            Ok(job) => job,
            Err(error) => return vec![Err(error)],
        };
        let positions = job.info.positions;
        let limit = plan.effort.of_position(positions, plan.jobs);
        let parts = passes::parts(positions, limit, plan.jobs);
        let game = Arc::new(UnderWay {
            place,
            job,
            limit,
            parts: parts.len(),
            done: Mutex::default(),
        });
        let parts = parts.into_iter().enumerate();
        let part = |(number, plies)| {
            Ok(Part {
                game: Arc::clone(&game),
                number,
                plies,
            })
        };
        parts.map(part).collect()
    })
}

/// What those at work hand over.
enum Told {
    /// So many bytes more are done, in a game of this number.
    Done { game: usize, bytes: f64 },
    /// All news of the game at a place.
    Game(usize, Vec<News>),
}

/// Analyses games, and tells what comes of each in the order of the games.
pub(super) fn run(
    games: impl Iterator<Item = Result<Job>> + Send,
    plan: &Plan<'_>,
    mut tell: impl FnMut(News) -> Result<()>,
) -> Result<()> {
    let (mut bytes_done, mut next) = (0.0, 0);
    let mut waiting: BTreeMap<usize, Vec<News>> = BTreeMap::new();
    workers::share(
        parts(games, plan),
        plan.jobs,
        || Court::new(plan),
        |court, part, hand_over| court.hear(&part?, hand_over),
        |told| match told {
            Told::Done { game, bytes } => {
                bytes_done += bytes;
                let bytes = bytes_done as u64;
                tell(News::Progress { game, bytes })
            }
            Told::Game(place, news) => {
                waiting.insert(place, news);
                while let Some(news) = waiting.remove(&next) {
                    next += 1;
                    news.into_iter().try_for_each(&mut tell)?;
                }
                Ok(())
            }
        },
    )
}

/// Those who judge on one thread.
struct Court<'p> {
    plan: &'p Plan<'p>,
    judge: Box<dyn Judge>,
    witness: Option<Witness>,
    holder: Option<Guarded<ChessSearcher>>,
}

impl<'p> Court<'p> {
    fn new(plan: &'p Plan<'_>) -> Result<Court<'p>> {
        Ok(Court {
            judge: (plan.judge)()?,
            witness: plan.witness.as_ref().and_then(Witness::new),
            holder: plan.holder.as_ref().map(EngineSettings::guarded),
            plan,
        })
    }

    /// Judges a part of a game. Who does the last one tells of the game.
    fn hear(&mut self, part: &Part, hand_over: &mut dyn FnMut(Told) -> bool) -> Result<()> {
        let UnderWay {
            job, limit, parts, ..
        } = part.game.as_ref();
        let asked = passes::asked(&job.pgn, part.plies.clone());
        let game = job.pgn.number;
        let share = part.plies.len() as f64 / job.info.positions.max(1) as f64;
        let mut bytes_left = share * (job.bytes.end - job.bytes.start) as f64;
        let of_position = bytes_left / asked.len().max(1) as f64;
        let (limit, of_evidence) = self.plan.effort.shared(*limit, self.plan.is_everywhere);
        let verdicts =
            passes::verdicts(self.judge.as_mut(), &job.pgn, &asked, limit, &mut |spent| {
                let bytes = (spent * of_position).min(bytes_left);
                bytes_left -= bytes;
                hand_over(Told::Done { game, bytes })
            })?;
        let Some(verdicts) = verdicts else {
            return Ok(());
        };
        let found = self.look_into(&asked, verdicts, of_evidence);
        hand_over(Told::Done {
            game,
            bytes: bytes_left,
        });
        let mut done = part
            .game
            .done
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        done.insert(part.number, found);
        if done.len() == *parts {
            let found = std::mem::take(&mut *done).into_values().flatten();
            hand_over(Told::Game(part.game.place, news(job, found.collect())));
        }
        Ok(())
    }

    /// What verdicts come to, with evidence where a move is marked. What that may take is shared among those positions: `limit` is for
    /// each of all.
    fn look_into(&mut self, asked: &[Asked], verdicts: Vec<Verdict>, limit: Limit) -> Vec<Found> {
        let both = asked.iter().zip(verdicts);
        let mut all: Vec<Found> = both.map(|(asked, it)| self.found(asked, it)).collect();
        let is_marked = |it: &Found| judgement::mark(it.cost, it.chances.as_ref()).is_some();
        let marked = all.iter().filter(|it| is_marked(it)).count();
        let searches = 3 * marked
            + if self.plan.is_everywhere {
                all.len()
            } else {
                0
            };
        let limit = self.plan.effort.of_evidence(limit, all.len(), searches);
        for (asked, found) in asked.iter().zip(&mut all) {
            let is_marked = is_marked(found);
            if let Some(witness) = &mut self.witness
                && (is_marked || self.plan.is_everywhere)
                && !asked.is_over()
            {
                let verdict = std::mem::take(&mut found.verdict);
                found.verdict = witness.count(&asked.root, limit, self.plan.is_everywhere, verdict);
            }
            let (true, Some(played)) = (is_marked, asked.played) else {
                continue;
            };
            let best = found.verdict.value_for_white();
            let best = best.map(|it| if asked.is_black() { -it } else { it });
            if let (Some(witness), Some(best)) = (&mut self.witness, best) {
                found.verdict.doubt = witness.doubt(&asked.root, played, best, limit);
            }
            if let Some(holder) = &mut self.holder {
                found.held = holding::moves(holder, &asked.root, limit);
            }
        }
        all
    }

    /// What follows from a verdict.
    fn found(&self, asked: &Asked, verdict: Verdict) -> Found {
        let position = &asked.root.position;
        let choices = position.legal_moves().len();
        let cost = judgement::cost(asked.is_black(), &verdict);
        let circumstances = cost.map(|cost| Circumstances {
            verdict: &verdict,
            is_black: asked.is_black(),
            cost,
            choices,
            is_best: asked.is_best(&verdict),
        });
        let chances = circumstances.filter(|_| self.plan.has_chances && choices > 1);
        Found {
            chances: chances.map(|it| Chances::of(&it)),
            cost,
            held: None,
            is_forced: choices == 1,
            verdict,
        }
    }
}

/// The news of a game that is done, but for what has been told before.
fn news(job: &Job, found: Vec<Found>) -> Vec<News> {
    let mut rows: Vec<Row> = Vec::with_capacity(found.len());
    let mut position = job.pgn.start.clone();
    for (ply, found) in found.into_iter().enumerate() {
        rows.push(row(&job.pgn, ply, &position, found, &rows));
        if let Some(&m) = job.pgn.moves.get(ply) {
            position.play_recorded(m);
        }
    }
    let game = job.is_new.then(|| News::Game(Box::new(job.info.clone())));
    let rows = rows.into_iter().skip(job.told);
    let rows = rows.map(|row| News::Position(Box::new(row)));
    game.into_iter().chain(rows).collect()
}

/// The row of a position; `rows` are those before it.
fn row(
    game: &PgnGame,
    ply: usize,
    position: &crate::games::chess::Position,
    found: Found,
    rows: &[Row],
) -> Row {
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
        verdict: found.verdict,
        turn: Turn::default(),
        facts: Facts {
            forced: found.is_forced,
            phase: Some(Phase::next(last_phase, position, ply)),
            clock_s: times.clock_s,
            spent_s: times.spent_s,
            cost: found.cost,
            chances: found.chances,
            held: found.held,
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

    /// The rows of games, judged with so many nodes a position by so many at a time.
    fn rows(games: &str, settings: &EngineSettings, nodes: u64, jobs: usize) -> Vec<Row> {
        let games = Games::new(games.as_bytes()).map(|pgn| Ok(Job::new(pgn?)));
        let plan = Plan {
            judge: &|| Ok(Box::new(OwnJudge::new(settings))),
            effort: Effort::Position(Limit {
                nodes: Some(nodes),
                ..Limit::default()
            }),
            jobs,
            has_chances: true,
            witness: None,
            is_everywhere: false,
            holder: None,
        };
        let mut rows = Vec::new();
        let ran = run(games, &plan, |news| {
            if let News::Position(mut row) = news {
                row.verdict.ms = 0.0;
                rows.push(*row);
            }
            Ok(())
        });
        assert!(ran.is_ok(), "{ran:?}");
        rows
    }

    #[test]
    fn a_panic_costs_one_position_of_a_game() {
        let pgn = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *";
        let fatal = format!("[FEN \"{FATAL}\"]\n\n1. e4 *");
        let text = format!("{pgn}\n\n{fatal}\n\n{pgn}");
        for algorithm in [Algorithm::DepthFirst, Algorithm::AlphaBeta] {
            let rows = rows(&text, &treacherous(algorithm), 2_000, 1);
            assert_eq!(rows.len(), 10);
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

    /// Knights out and back for 60 moves: a game in several parts.
    fn long_game() -> String {
        let moves = ["Nf3 Nf6", "Nc3 Nc6", "Ng1 Ng8", "Nb1 Nb8"];
        let moves = moves.iter().cycle().zip(1..=60);
        let moves = moves.map(|(both, number)| format!("{number}. {both} "));
        moves.collect::<String>() + "*"
    }

    #[test]
    fn what_is_found_does_not_depend_on_how_many_are_at_work() {
        let settings = EngineSettings {
            search: crate::search::registry::Settings {
                hash_megabytes: 1,
                ..Default::default()
            },
            ..EngineSettings::default()
        };
        let games = format!("{}\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *", long_game());
        let alone = rows(&games, &settings, 400, 1);
        assert_eq!(alone, rows(&games, &settings, 400, 3));
        let plies: Vec<(usize, usize)> = alone.iter().map(|it| (it.game, it.ply)).collect();
        assert!(plies.is_sorted(), "{plies:?}");
        assert!(alone.len() > 100, "{}", alone.len());
        // A part may take no more than its positions may on average.
        let spent: u64 = alone.iter().map(|it| it.verdict.nodes).sum();
        assert!(spent <= 400 * alone.len() as u64, "{spent}");
        assert!(alone.iter().any(|it| it.verdict.looks.is_some()));
    }

    #[test]
    fn the_best_move_costs_nothing_and_a_blunder_much() {
        let rows = rows(
            "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0",
            &EngineSettings::default(),
            3_000,
            1,
        );
        assert_eq!(rows.len(), 5);
        for row in &rows {
            let is_best = row.better().is_none();
            let cost = row.facts.cost.unwrap();
            assert!(!is_best || cost == 0.0, "{row:?}");
            let chances = row.facts.chances.map(|it| it.each());
            assert!(chances.is_none_or(|it| it.is_sorted_by(|a, b| a >= b)));
        }
        // White mates.
        assert_eq!(
            (rows[4].verdict.mate, rows[4].verdict.played_mate),
            (Some(1), Some(1))
        );
        assert!(rows[3].facts.cost > Some(0.3), "{:?}", rows[3]);
        assert_eq!(rows[3].verdict.played_mate, Some(1));
    }
}
