//! Do critical positions foretell turning points? The rule of Khalid et al. on games of chess, checked by another
//! judge.
//!
//! The criteria were fixed before the first game was analysed:
//!
//! - The judge's value of v centipawns stands for White's expected score 1 / (1 + 10^(-v/400)).
//! - A *swing* follows a position within k plies if the expected score comes to differ by `SWING` or more from the
//!   position's.
//! - The *turning point* of a won game is the first position from which the winner's expected score stays at `WON` or
//!   more. It is predicted if one of the k positions before is marked.
//! - Only open positions are marked or drawn: in a won game nothing swings.
//!
//! Each way to mark positions is compared with chance: the same number of random positions of each game. Ways that are
//! not the paper's mark as many positions of each game as are critical by the paper's rule.

mod data;
mod marks;

use anyhow::Result;

use self::data::Game;
#[cfg(test)]
use self::data::Ply;
use self::marks::{Draw, Way};
use super::experiment::{Experiment, Findings, Request, Subject};
use super::outcome::{Cell, Table};

/// Difference of expected score that is a swing.
const SWING: f64 = 0.2;
/// Expected score from which a side is winning.
const WON: f64 = 0.75;
/// Plies within which the event must follow; the verdict rests on the second.
const WITHIN: [usize; 3] = [2, 4, 8];
/// Random draws by which chance is measured.
const DRAWINGS: usize = 2_000;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "turns",
    title: "Do critical positions foretell swings?",
    about: "Takes two analyses of the same games, made by `cassius analyze`: one with conspiracy numbers, \
            one by a judge. Counts how often a position that the rule of Khalid et al. (2015) calls critical is followed by a swing of the judge's \
            value, against the largest jumps of the plain value and against positions drawn at random.",
    subject: Subject::Analyses,
    run,
    ..Experiment::PLAIN
};

fn run(request: &Request) -> Result<Findings> {
    let games = data::games(&request.analyses)?;
    let mut findings = Findings::seeded(request);
    for record in &request.analyses {
        let header = &record.header;
        let role = match data::has_numbers(record) {
            true => "analysed by",
            false => "judged by",
        };
        let (search, limit) = (&header.search, header.limit);
        findings.setting(role, format!("{search}, {limit} a position"));
    }
    let plies = || games.iter().flat_map(|game| &game.plies);
    let open = plies().filter(|ply| ply.open).count();
    let is_turned = |game: &&Game| game.turning_point.is_some();
    let won = games.iter().filter(is_turned).count();
    findings.setting("games", games.len().to_string());
    findings.setting("positions", plies().count().to_string());
    findings.setting("open positions", open.to_string());
    findings.setting("games with a turning point", won.to_string());
    findings.note(format!(
        "A swing is a change of the judge's expected score, 1 / (1 + 10^(-centipawns/400)), by {SWING} or more; a \
         turning point is where the winner's expected score reaches {WON} for good."
    ));
    findings.note(format!(
        "Chance: as many open positions of each game, drawn at random {DRAWINGS} times; p is the share of the \
         drawings that do as well or better."
    ));
    let chance = Chance {
        seed: request.seed,
        drawings: DRAWINGS,
    };
    let swings_title = "Marked positions followed by a swing within so many plies";
    let points_title = "Turning points with a marked position among so many plies before";
    let points = "turning-points";
    let [critical, _, _, jumps, _] = Way::ALL;
    findings.tables = vec![
        table("swings", swings_title, &games, chance, swings),
        table(points, points_title, &games, chance, turning_points),
        duel(&games, critical, jumps, chance),
    ];
    Ok(findings)
}

/// Parameters for measuring chance.
#[derive(Clone, Copy)]
struct Chance {
    /// Seed of the draws.
    seed: u64,
    /// Number of draws.
    drawings: usize,
}

/// Success of marks: hits, out of those possible.
#[derive(Clone, Copy, Default)]
struct Score {
    hits: usize,
    of: usize,
}

/// Number of marks that a swing follows within `within` plies.
fn swings(game: &Game, marks: &[usize], within: usize) -> Score {
    let follows = |&&at: &&usize| {
        let mut later = game.plies.iter().skip(at + 1).take(within);
        let now = game.plies[at].expected;
        later.any(|ply| (ply.expected - now).abs() >= SWING)
    };
    Score {
        hits: marks.iter().filter(follows).count(),
        of: marks.len(),
    }
}

/// Whether a mark stands within `within` plies before the turning point, if there is one.
fn turning_points(game: &Game, marks: &[usize], within: usize) -> Score {
    let Some(turn) = game.turning_point else {
        return Score::default();
    };
    let is_near = |&at: &usize| at < turn && at + within >= turn;
    Score {
        hits: usize::from(marks.iter().any(is_near)),
        of: 1,
    }
}

/// A table of ways to mark, by one way to count.
fn table(
    id: &str,
    title: &str,
    games: &[Game],
    chance: Chance,
    score: fn(&Game, &[usize], usize) -> Score,
) -> Table {
    let headings = "marked by | plies | cases | foretold | %:1 | chance %:1 | ratio:2 | p:4";
    let mut table = Table::new(id, title, headings);
    for within in WITHIN {
        for (way, name) in Way::ALL {
            let mut draw = Draw::new(chance.seed);
            let marked: Vec<Vec<usize>> = games.iter().map(|it| way.marks(it, &mut draw)).collect();
            let pairs = || games.iter().zip(&marked);
            let total = sum(pairs().map(|(game, marks)| score(game, marks, within)));
            let drawn: Vec<usize> = (0..chance.drawings)
                .map(|_| {
                    let scores = pairs().map(|(game, marks)| {
                        let marks = draw.some(&game.open(), marks.len());
                        score(game, &marks, within)
                    });
                    sum(scores).hits
                })
                .collect();
            let as_good = drawn.iter().filter(|&&hits| hits >= total.hits).count();
            let mean = drawn.iter().sum::<usize>() as f64 / chance.drawings as f64;
            let percent = |hits: f64| 100.0 * hits / total.of as f64;
            table.row([
                name.into(),
                within.into(),
                total.of.into(),
                total.hits.into(),
                percent(total.hits as f64).into(),
                percent(mean).into(),
                (total.hits as f64 / mean).into(),
                ((as_good + 1) as f64 / (chance.drawings + 1) as f64).into(),
            ]);
        }
    }
    table
}

/// Compares two ways that mark the same number of positions, game by game.
fn duel(
    games: &[Game],
    (one, name): (Way, &str),
    (other, other_name): (Way, &str),
    chance: Chance,
) -> Table {
    let headings = format!("plies | {name} | {other_name} | p:4");
    let title = format!("Swings foretold by two ways to mark as many positions: {name}");
    let mut table = Table::new("duel", title, &headings);
    for within in WITHIN {
        let mut draw = Draw::new(chance.seed);
        let mut hits = |game: &Game, way: Way| {
            let marks = way.marks(game, &mut draw);
            swings(game, &marks, within).hits
        };
        let pairs = games.iter().map(|it| (hits(it, one), hits(it, other)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        let differences: Vec<i64> = pairs.iter().map(|&(a, b)| a as i64 - b as i64).collect();
        let total: i64 = differences.iter().sum();
        // If the two were equally good, each game's difference could as well have the other sign.
        let as_far = (0..chance.drawings).filter(|_| {
            let flipped = differences.iter();
            let sum: i64 = flipped.map(|it| if draw.coin() { *it } else { -it }).sum();
            sum.abs() >= total.abs()
        });
        let p = (as_far.count() + 1) as f64 / (chance.drawings + 1) as f64;
        table.row([
            within.into(),
            pairs.iter().map(|it| it.0).sum::<usize>().into(),
            pairs.iter().map(|it| it.1).sum::<usize>().into(),
            Cell::from(p),
        ]);
    }
    table
}

fn sum(scores: impl Iterator<Item = Score>) -> Score {
    scores.fold(Score::default(), |sum, score| Score {
        hits: sum.hits + score.hits,
        of: sum.of + score.of,
    })
}

#[cfg(test)]
mod tests;
