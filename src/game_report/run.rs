//! Judges games on several threads.
//!
//! Games are cut into parts, and each part goes to a `court`. A game is reported when all its parts are done, in the
//! order of the file. So with limits in nodes the results depend on the game only, not on the number of threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, ensure};

use super::court::{Court, Limits, Plan};
use super::opening::Opening;
use super::passes;
use super::record::{Game, GameInfo, Row};
use crate::game::Game as _;
use crate::games::chess::notation::{is_chess960, to_fen};
use crate::games::chess::pgn::PgnGame;
use crate::profile::criticality::{Extremes, turns};
use crate::value::Value;
use crate::workers;

/// A game to be analysed.
pub(super) struct Job {
    /// The game.
    pub(super) pgn: PgnGame,
    /// Its description.
    pub(super) info: GameInfo,
    /// Its length in the file, in bytes.
    pub(super) bytes: u64,
}

impl Job {
    /// A game of unknown length.
    pub(super) fn new(pgn: PgnGame) -> Job {
        Job {
            info: info(&pgn),
            pgn,
            bytes: 0,
        }
    }
}

/// Describes a game for the record.
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

/// Number of positions with a value of their own: all but a final mate, which is the value of the last move. A game
/// whose start position is invalid has none.
pub(super) fn positions(game: &PgnGame) -> usize {
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
    plies: Range<usize>,
}

/// A game with unfinished parts.
struct UnderWay {
    /// Its index among the games.
    place: usize,
    job: Job,
    limits: Limits,
    /// The positions of finished parts, by their plies.
    done: Mutex<BTreeMap<usize, Row>>,
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
        let limits = plan.limits(positions);
        let game = Arc::new(UnderWay {
            place,
            job,
            limits,
            done: Mutex::default(),
        });
        let parts = passes::parts(positions, limits.judge, plan.jobs).into_iter();
        let part = |plies| {
            Ok(Part {
                game: Arc::clone(&game),
                plies,
            })
        };
        parts.map(part).collect()
    })
}

/// Results that threads hand over.
enum Told {
    /// More bytes of the file are done, in this game.
    Done { game: usize, bytes: f64 },
    /// The game with this index is done.
    Game(usize, Box<Game>),
}

/// Analyses games. `progress` gets the number of a game under way, and how many bytes of the file are done; `done` gets
/// each game, in the order of the file.
pub(super) fn run(
    games: impl Iterator<Item = Result<Job>> + Send,
    plan: &Plan<'_>,
    mut progress: impl FnMut(usize, u64) -> Result<()>,
    mut done: impl FnMut(Game) -> Result<()>,
) -> Result<()> {
    let (mut bytes_done, mut next) = (0.0, 0);
    let mut waiting: BTreeMap<usize, Box<Game>> = BTreeMap::new();
    workers::share(
        parts(games, plan),
        plan.jobs,
        || Court::new(plan),
        |court, part, hand_over| hear(court, &part?, hand_over),
        |told| match told {
            Told::Done { game, bytes } => {
                bytes_done += bytes;
                progress(game, f64::round(bytes_done) as u64)
            }
            Told::Game(place, game) => {
                waiting.insert(place, game);
                while let Some(game) = waiting.remove(&next) {
                    next += 1;
                    done(*game)?;
                }
                Ok(())
            }
        },
    )
}

/// Judges a part of a game. After the last part it hands the game over.
fn hear(court: &mut Court<'_>, part: &Part, hand_over: &mut dyn FnMut(Told) -> bool) -> Result<()> {
    let UnderWay {
        place,
        job,
        limits,
        done,
    } = part.game.as_ref();
    let asked = passes::asked(&job.pgn, part.plies.clone());
    let game = job.pgn.number;
    let share = part.plies.len() as f64 / job.info.positions.max(1) as f64;
    let mut bytes_left = share * job.bytes as f64;
    let of_position = bytes_left / asked.len().max(1) as f64;
    let rows = court.judge(&asked, limits, &mut |spent| {
        let bytes = (spent * of_position).min(bytes_left);
        bytes_left -= bytes;
        // Nobody hears of this error: the run has failed already.
        ensure!(hand_over(Told::Done { game, bytes }), "stopped");
        Ok(())
    })?;
    hand_over(Told::Done {
        game,
        bytes: bytes_left,
    });
    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
    done.extend(rows.into_iter().map(|row| (row.ply, row)));
    if done.len() == job.info.positions {
        let rows = std::mem::take(&mut *done).into_values().collect();
        hand_over(Told::Game(*place, Box::new(whole(&job.info, rows))));
    }
    Ok(())
}

/// The game with these positions. Adds to each what depends on the ones before it.
fn whole(info: &GameInfo, mut rows: Vec<Row>) -> Game {
    let extremes: Vec<Extremes> = rows.iter().map(Row::extremes).collect();
    let mut phase = None;
    for (row, turn) in rows.iter_mut().zip(turns(&extremes)) {
        row.turn = turn;
        // A phase that is over does not come again.
        row.facts.phase = row.facts.phase.max(phase);
        phase = row.facts.phase;
    }
    Game {
        info: info.clone(),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fault::tests::{FATAL, treacherous};
    use crate::engine::limit::Limit;
    use crate::engine::settings::EngineSettings;
    use crate::game_report::effort::Effort;
    use crate::game_report::fixtures;
    use crate::game_report::outputs::CSV;
    use crate::game_report::phase::Phase;
    use crate::games::chess::pgn::Games;
    use crate::search::registry::Algorithm;

    /// Rows of games, judged with `nodes` a position on `jobs` threads.
    fn rows(games: &str, settings: &EngineSettings, nodes: u64, jobs: usize) -> Vec<Row> {
        let games = Games::new(games.as_bytes()).map(|pgn| Ok(Job::new(pgn?)));
        let effort = Effort::Position(Limit::of_analysis(Some(nodes), None));
        let plan = Plan::new(settings, effort, jobs, false);
        let mut rows: Vec<Row> = Vec::new();
        let ran = run(
            games,
            &plan,
            |_, _| Ok(()),
            |game| {
                rows.extend(game.rows);
                Ok(())
            },
        );
        assert!(ran.is_ok(), "{ran:?}");
        rows.iter_mut().for_each(|row| row.verdict.ms = 0.0);
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
            let is_told = |row: &Row| row.verdict.failure.is_some() || row.verdict.best.is_some();
            assert!(rows.iter().all(is_told), "{algorithm}");
            for row in failed {
                assert_eq!(row.game, 2, "{algorithm} {row:?}");
                assert_eq!((row.verdict.cp, row.verdict.mate), (None, None));
                let mut cells = CSV.iter().map(|column| column.1(row));
                assert!(cells.any(|it| it.contains("internal error")));
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
        let mut settings = EngineSettings::default();
        settings.search.hash_megabytes = 1;
        let games = format!("{}\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *", long_game());
        let alone = rows(&games, &settings, 400, 1);
        assert_eq!(alone, rows(&games, &settings, 400, 3));
        let plies: Vec<(usize, usize)> = alone.iter().map(|it| (it.game, it.ply)).collect();
        assert!(plies.is_sorted(), "{plies:?}");
        assert!(alone.len() > 100, "{}", alone.len());
        // All positions together take at most their number times the average limit.
        let spent: u64 = alone.iter().map(|it| it.verdict.nodes).sum();
        assert!(spent <= 400 * alone.len() as u64, "{spent}");
        assert!(alone.iter().any(|it| it.verdict.looks.is_some()));
    }

    #[test]
    fn a_phase_does_not_come_again() {
        for last in [Phase::Opening, Phase::Middlegame, Phase::Endgame] {
            let rows = [last, Phase::Opening].map(|phase| {
                let mut row = fixtures::row(0, None, "", 0);
                row.facts.phase = Some(phase);
                row
            });
            let game = whole(&fixtures::info(1), rows.to_vec());
            assert_eq!(game.rows[1].facts.phase, Some(last));
        }
    }

    #[test]
    fn the_best_move_costs_nothing_and_a_blunder_much() {
        let text = "1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";
        let rows = rows(text, &EngineSettings::default(), 3_000, 1);
        assert_eq!(rows.len(), 5);
        for row in &rows {
            let is_best = row.better().is_none();
            let cost = row.facts.cost.unwrap();
            assert!(!is_best || cost == 0.0, "{row:?}");
            let chances = row.facts.chances.map(|it| it.each());
            assert!(chances.is_none_or(|it| it.is_sorted_by(|a, b| a >= b)));
        }
        // White mates.
        let last = &rows[4].verdict;
        assert_eq!((last.mate, last.played_mate), (Some(1), Some(1)));
        assert!(rows[3].facts.cost > Some(0.3), "{:?}", rows[3]);
        assert_eq!(rows[3].verdict.played_mate, Some(1));
    }

    #[test]
    fn a_longer_mate_costs_nothing() {
        let text =
            "[FEN \"r6r/5Q2/p4R2/6k1/1P1P2qp/2P5/4N2K/8 w - - 3 35\"]\n\n35. Qg7+ Kh5 36. Qf7+ *";
        let rows = rows(text, &EngineSettings::default(), 3_000, 1);
        let verdict = &rows[0].verdict;
        assert_eq!((verdict.mate, rows[0].facts.cost), (Some(1), Some(0.0)));
        assert!(verdict.played_mate > Some(1), "{verdict:?}");
    }
}
