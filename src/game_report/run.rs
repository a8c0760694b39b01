//! Judges games on several threads.
//!
//! Games are cut into parts, and each part goes to an `analyser`. A game is reported when all its parts are done, in the
//! order of the file. So with limits in nodes the results depend on the game only, not on the number of threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, ensure};

use super::analyser::{Analyser, JudgingPlan, Limits};
use super::clock::{self, Times};
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

/// A game with unfinished parts.
struct OpenGame {
    /// Its index among the games.
    place: usize,
    job: Job,
    limits: Limits,
    /// The positions of finished parts, by their plies.
    done: Mutex<BTreeMap<usize, Row>>,
}

/// Cuts games into parts: each is a game and the plies of the part.
fn parts<'p>(
    games: impl Iterator<Item = Result<Job>> + Send + 'p,
    plan: &'p JudgingPlan<'_>,
) -> impl Iterator<Item = Result<(Arc<OpenGame>, Range<usize>)>> + Send + 'p {
    games.enumerate().flat_map(|(place, job)| {
        let job = match job {
            Ok(job) => job,
            Err(error) => return vec![Err(error)],
        };
        let positions = job.info.positions;
        let limits = plan.limits(positions);
        let game = Arc::new(OpenGame {
            place,
            job,
            limits,
            done: Mutex::default(),
        });
        let parts = passes::parts(positions, limits.judge, plan.jobs).into_iter();
        parts.map(|plies| Ok((Arc::clone(&game), plies))).collect()
    })
}

/// Results that threads hand over.
enum JobResult {
    /// More bytes of the file are done, in this game.
    Done { game: usize, bytes: f64 },
    /// The game with this index is done.
    Game(usize, Box<Game>),
}

/// Analyses games. `progress` gets the number of a game under way, and how many bytes of the file are done; `done` gets
/// each game, in the order of the file.
pub(super) fn run(
    games: impl Iterator<Item = Result<Job>> + Send,
    plan: &JudgingPlan<'_>,
    mut progress: impl FnMut(usize, u64) -> Result<()>,
    mut done: impl FnMut(Game) -> Result<()>,
) -> Result<()> {
    let (mut bytes_done, mut next) = (0.0, 0);
    let mut waiting: BTreeMap<usize, Box<Game>> = BTreeMap::new();
    workers::share(
        parts(games, plan),
        plan.jobs,
        || Analyser::new(plan),
        |analyser, part, hand_over| {
            let (game, plies) = part?;
            judge_part(analyser, &game, plies, hand_over)
        },
        |told| match told {
            JobResult::Done { game, bytes } => {
                bytes_done += bytes;
                progress(game, f64::round(bytes_done) as u64)
            }
            JobResult::Game(place, game) => {
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
fn judge_part(
    analyser: &mut Analyser<'_>,
    open_game: &OpenGame,
    plies: Range<usize>,
    hand_over: &mut dyn FnMut(JobResult) -> bool,
) -> Result<()> {
    let OpenGame {
        place,
        job,
        limits,
        done,
    } = open_game;
    let game = job.pgn.number;
    let share = plies.len() as f64 / job.info.positions.max(1) as f64;
    let positions = passes::positions_of(&job.pgn, plies);
    let mut bytes_left = share * job.bytes as f64;
    let of_position = bytes_left / positions.len().max(1) as f64;
    let rows = analyser.judge(&positions, limits, &mut |spent| {
        let bytes = (spent * of_position).min(bytes_left);
        bytes_left -= bytes;
        // Nobody hears of this error: the run has failed already.
        ensure!(hand_over(JobResult::Done { game, bytes }), "stopped");
        Ok(())
    })?;
    hand_over(JobResult::Done {
        game,
        bytes: bytes_left,
    });
    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
    done.extend(rows.into_iter().map(|row| (row.ply, row)));
    if done.len() == job.info.positions {
        let rows = std::mem::take(&mut *done).into_values().collect();
        let times = clock::times(&job.pgn);
        let game = whole(&job.info, rows, &times);
        hand_over(JobResult::Game(*place, Box::new(game)));
    }
    Ok(())
}

/// The game with these positions. Adds to each what depends on the others, and the times of its move.
fn whole(info: &GameInfo, mut rows: Vec<Row>, times: &[Times]) -> Game {
    let extremes: Vec<Extremes> = rows.iter().map(Row::extremes).collect();
    let mut phase = None;
    for (row, turn) in rows.iter_mut().zip(turns(&extremes)) {
        row.turn = turn;
        // A phase that is over does not come again.
        row.facts.phase = row.facts.phase.max(phase);
        phase = row.facts.phase;
        let Times { clock_s, spent_s } = times.get(row.ply).copied().unwrap_or_default();
        (row.facts.clock_s, row.facts.spent_s) = (clock_s, spent_s);
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
    use crate::game_report::phase::Phase;
    use crate::game_report::standing;
    use crate::game_report::store::CSV;
    use crate::games::chess::pgn::Games;
    use crate::search::registry::Algorithm;

    /// Rows of games, judged with `nodes` a position on `jobs` threads.
    fn rows(games: &str, settings: &EngineSettings, nodes: u64, jobs: usize) -> Vec<Row> {
        let games = Games::new(games.as_bytes()).map(|pgn| Ok(Job::new(pgn?)));
        let effort = Effort::Position(Limit::of_analysis(Some(nodes), None));
        let plan = JudgingPlan::new(settings, effort, jobs, false);
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
            let game = whole(&fixtures::info(1), rows.to_vec(), &[]);
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

    /// Rows of a game from this position, judged with few nodes.
    fn rows_from(fen: &str, moves: &str, nodes: u64) -> Vec<Row> {
        let text = format!("[FEN \"{fen}\"]\n\n{moves}");
        rows(&text, &EngineSettings::default(), nodes, 1)
    }

    fn mates(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.verdict.value()).collect()
    }

    /// A search need not find the shortest mate.
    #[test]
    fn mates_are_told_with_the_fewest_moves() {
        let games = [
            (
                "7k/8/5K2/8/8/8/8/Q7 w - - 0 60",
                "60. Qa4 Kg8 61. Qd7 Kh8 62. Qg7# 1-0",
                &["#2", "#2", "#2", "#1", "#1"][..],
            ),
            (
                "1N3Q2/7P/8/6Q1/p1k5/P3R3/1P1K4/7R b - - 0 45",
                "45... Kd4 46. h8=Q+ 1-0",
                &["#1", "#1", "#1"],
            ),
            (
                "7k/8/8/8/8/8/R7/1R4K1 w - - 0 1",
                "1. Ra6 Kg7 2. Rb7+ Kf8 3. Ra8# *",
                &["#2", "#2", "#2", "#1", "#1"],
            ),
            (
                "r6k/6pp/8/6N1/2Q5/8/8/6K1 w - - 0 1",
                "1. Nf7+ Kg8 2. Nh6+ Kh8 3. Qg8+ Rxg8 4. Nf7# *",
                &["#4", "#3", "#3", "#2", "#2", "#1", "#1"],
            ),
            (
                "8/8/8/8/8/1k6/4q3/K7 b - - 0 1",
                "1... Qd2 2. Kb1 Qb2# *",
                &["#-1", "#-1", "#-1"],
            ),
        ];
        for (fen, moves, expected) in games {
            let rows = rows_from(fen, moves, 1_000);
            assert_eq!(mates(&rows), expected, "{fen}");
            assert!(
                rows.iter()
                    .all(|it| it.facts.cost == Some(0.0) || it.played.is_none())
            );
        }
    }

    #[test]
    fn a_mate_by_the_move_played_is_told() {
        let fen = "2r5/1p1n3p/pp1p1p2/3P1Pk1/PP2p1P1/2P2P2/2B2KP1/7R w - - 0 34";
        let rows = rows_from(fen, "34. Kg3 Rxc3 35. Rh5# 1-0", 3_000);
        assert_eq!(mates(&rows), ["#2", "#1", "#1"]);
        assert!(rows[0].better().is_none() && rows[0].verdict.line.ends_with('#'));
        // What leaves no reply needs no search.
        let opera = "1n2kb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2KR4 w k - 0 17";
        let rows = rows_from(opera, "17. Rd8# 1-0", 1);
        assert_eq!(
            (mates(&rows), rows[0].facts.cost),
            (vec!["#1".to_owned()], Some(0.0))
        );
    }

    /// A mark that rests on proofs is as sure as they are.
    #[test]
    fn what_is_proven_is_sure() {
        let chances = |fen: &str, moves: &str| {
            let rows = rows_from(fen, moves, 1_000);
            rows[0].facts.chances.unwrap().each()
        };
        // From a position that was not lost into a mate; from a mate into stalemate, and into another mate.
        let allowed = "5q2/5p2/5Pk1/2pp4/5QP1/3p3P/1PP4K/r7 b - - 0 34";
        assert_eq!(chances(allowed, "34... Qh6 35. Qf5# 1-0"), [1.0; 3]);
        let won = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
        assert_eq!(chances(won, "1. Qf7 1/2-1/2"), [1.0; 3]);
        assert_eq!(chances(won, "1. Qf6+ *"), [0.0; 3]);
    }

    /// Nobody is made to claim the draw.
    #[test]
    fn a_game_that_goes_on_past_the_fifty_move_mark_is_judged_as_it_was_played() {
        let late = "7k/8/5K2/8/8/8/8/Q7 w - - 100 160";
        let game = "160. Qa4 Kg8 161. Qd7 Kh8 162. Qg7# 1-0";
        for halfmoves in ["100", "148", "171"] {
            let late = late.replace("100", halfmoves);
            let rows = rows_from(&late, game, 1_000);
            let is_told = |row: &Row| standing::of_move(row).join(" ").contains("claimed");
            let told: Vec<bool> = rows.iter().map(is_told).collect();
            assert_eq!(told, [true, false, false, false, false]);
            assert_eq!(rows[0].fen, late);
            // Without a claim the game is drawn after 75 moves.
            let drawn = ["+0.00", "+0.00", "#2", "#1", "#1"];
            let mated = ["#2", "#2", "#2", "#1", "#1"];
            let expected = if halfmoves == "148" { drawn } else { mated };
            assert_eq!(mates(&rows), expected, "{halfmoves}");
        }
        let end = |result: &str| {
            let game = format!("160. Qa4 {result}");
            mates(&rows_from(&late.replace("100", "99"), &game, 1_000))[1].clone()
        };
        assert_eq!(end("1/2-1/2"), "+0.00");
        assert_eq!(end("1-0"), "#2");
    }

    #[test]
    fn a_won_ending_is_not_drawn_while_a_pawn_can_start_the_count_anew() {
        let late = "8/7k/8/8/8/2N5/3P1K2/6B1 b - - 95 102";
        let game = "102... Kg7 103. Nd5 Kh8 104. d3 Kh7 105. Ke2 1-0";
        assert!(!mates(&rows_from(late, game, 1_000)).contains(&"+0.00".into()));
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
