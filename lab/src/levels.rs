//! Accuracy of the scale of `UCI_Elo`: levels 200 apart play each other.

use anyhow::Result;

use super::experiment::{Experiment, Findings, Request, Subject};
use super::outcome::{Cell, Column, Table};
use super::selfplay::opening::{of_game, random_opening};
use super::statistics::{Estimate, elo_score};
use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::engine::strength::{self, Level};
use cassius::game::{Game, Root};
use cassius::games::chess::Position;
use cassius::output::progress::Progress;
use cassius::random::{Random, mix};
use cassius::search::registry::Settings;
use cassius::search::{Limits, Unobserved};
use cassius::value::Value;
use cassius::workers;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "levels",
    title: "Are the levels of UCI_Elo as far apart as they say?",
    about: "Levels of UCI_Elo that are 200 apart play each other; by the definition of Elo the stronger one should \
        score 76.0 %. Games begin with random moves that leave neither side ahead, and each opening is played twice, with \
        colours exchanged. No game is ended before the rules end it, but for a draw after 400 plies. Choose the number of \
        games of each pair with --games. Games depend on the seed alone.",
    subject: Subject::Games,
    run,
    ..Experiment::PLAIN
};

/// The pairs, the weaker level first.
const PAIRS: [(u16, u16); 4] = [
    (1_300, 1_500),
    (1_700, 1_900),
    (2_100, 2_300),
    (2_500, 2_700),
];
/// Largest value of a playable opening for either side, in centipawns ...
const FAIR: i16 = 50;
/// ... by a search of this many nodes.
const FAIR_NODES: u64 = 3_000;
/// Memory of that search, in MiB.
const FAIR_MEGABYTES: usize = 1;
/// Longest game, in plies; longer ones are drawn.
const LONGEST: usize = 400;

fn run(request: &Request) -> Result<Findings> {
    let games = request.games.unwrap_or(request.quick_or_full(40, 1_000));
    let games = u64::from(games.max(2) / 2 * 2);
    let mut findings = Findings::seeded(request);
    findings.setting("games of each pair", games.to_string());
    let columns = Column::list(
        "stronger | weaker | games | won | drawn | lost | score, %:1 | ± (95 %):1 | \
         expected, %:1 | plies:0",
    );
    let mut scores = Table::new("scores", "Scores of the stronger level", columns);
    let progress = Progress::new(games * PAIRS.len() as u64);
    let numbers: Vec<u64> = (0..games).collect();
    for (weaker, stronger) in PAIRS {
        let played = workers::map(
            &numbers,
            request.jobs,
            judge,
            |judge, &number| play(judge, request.seed, [stronger, weaker], number),
            |_| progress.advance(format!("{stronger} against {weaker}")),
        )?;
        scores.row(row(weaker, stronger, &played));
    }
    progress.finish();
    findings.tables.push(scores);
    findings.note(
        "The interval takes an opening, played with both colours, as one observation. Expected is \
         1 / (1 + 10^(-d/400)) for levels d apart.",
    );
    Ok(findings)
}

/// The search that judges openings.
fn judge() -> ChessSearcher {
    let settings = EngineSettings {
        search: Settings {
            hash_megabytes: FAIR_MEGABYTES,
            ..Settings::default()
        },
        ..EngineSettings::default()
    };
    settings.searcher()
}

/// The result of a game.
struct Played {
    /// Half points of the stronger level.
    half_points: u8,
    plies: usize,
}

/// Plays a game of two levels, the stronger first in `levels`: it moves first in even games, and two in a row share an
/// opening.
fn play(judge: &mut ChessSearcher, seed: u64, levels: [u16; 2], number: u64) -> Played {
    let pair = u64::from(levels[0]) << 16 | u64::from(levels[1]);
    let mut root = opening(judge, &mut of_game(mix(seed ^ pair), number / 2));
    let mut seeds = of_game(mix(seed ^ pair).wrapping_add(1), number);
    let mut players = levels.map(|elo| strength::searcher(Level::of(elo), seeds.bits()));
    let mut to_move = (number % 2) as usize;
    let mut plies = 0;
    while plies < LONGEST && root.position.outcome().is_none() && !is_threefold(&root) {
        let report = players[to_move].search(&root, &Limits::default(), &mut Unobserved);
        // A root with legal moves always has a best move.
        let Some(m) = report.best_move() else { break };
        root.play(m);
        to_move = 1 - to_move;
        plies += 1;
    }
    // Only the side to move can be mated.
    let is_mate = root.position.outcome().is_some_and(Value::is_loss);
    Played {
        half_points: match (is_mate, to_move) {
            (false, _) => 1,
            (true, 0) => 0,
            (true, _) => 2,
        },
        plies,
    }
}

/// Whether the position stands for the third time.
fn is_threefold(root: &Root<Position>) -> bool {
    let key = root.position.key();
    let reversible = root.position.reversible_plies();
    let past = root.history.iter().rev().take(reversible);
    past.filter(|&&before| before == key).count() >= 2
}

/// Draws a fair opening.
fn opening(judge: &mut ChessSearcher, random: &mut Random) -> Root<Position> {
    loop {
        let root = random_opening(random);
        judge.clear();
        let report = judge.search(&root, &Limits::nodes(FAIR_NODES), &mut Unobserved);
        if report.value.get().abs() <= FAIR {
            // The opening's moves belong to no player.
            return Root::new(root.position);
        }
    }
}

/// The row of a pair.
fn row(weaker: u16, stronger: u16, played: &[Played]) -> Vec<Cell> {
    let count = |half_points| {
        let such = played.iter().filter(|it| it.half_points == half_points);
        such.count()
    };
    let pairs = Estimate::of(played.chunks(2).map(|pair| {
        let points: u32 = pair.iter().map(|it| u32::from(it.half_points)).sum();
        50.0 * f64::from(points) / pair.len() as f64
    }));
    let apart = f64::from(stronger) - f64::from(weaker);
    vec![
        usize::from(stronger).into(),
        usize::from(weaker).into(),
        played.len().into(),
        count(2).into(),
        count(1).into(),
        count(0).into(),
        pairs.value.into(),
        pairs.half_width.into(),
        (100.0 * elo_score(apart)).into(),
        Cell::mean(played.iter().map(|it| it.plies as f64)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(half_points: &[u8]) -> Vec<Played> {
        let played = |&half_points| Played {
            half_points,
            plies: 80,
        };
        half_points.iter().map(played).collect()
    }

    #[test]
    fn scores_are_the_stronger_levels() {
        let row = row(1_300, 1_500, &played(&[2, 2, 2, 1, 0, 2, 2, 2]));
        assert_eq!(row[..6], [1_500, 1_300, 8, 6, 1, 1].map(Cell::Whole));
        let Cell::Real(score) = row[6] else { panic!() };
        assert!((score - 81.25).abs() < 1e-9);
        let Cell::Real(expected) = row[8] else {
            panic!()
        };
        assert!((expected - 75.97).abs() < 0.01);
    }

    #[test]
    fn games_depend_on_the_seed_alone_and_colours_are_exchanged() {
        let plies = |seed, number| play(&mut judge(), seed, [1_500, 1_300], number).plies;
        assert_eq!(plies(1, 0), plies(1, 0));
        let mut openings = Vec::new();
        for number in 0..3 {
            let pair = 1_500 << 16 | 1_300;
            let mut random = of_game(mix(1 ^ pair), number / 2);
            openings.push(opening(&mut judge(), &mut random).position.key());
        }
        assert_eq!(openings[0], openings[1]);
        assert_ne!(openings[1], openings[2]);
    }
}
