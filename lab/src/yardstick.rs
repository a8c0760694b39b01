//! `cassius lab yardstick`: how far networks' values are from a judge's, without any search.
//!
//! Of the positions that `scripts/measure judge` valued, those count in which nothing is about to happen: out of check,
//! and the judge's move neither captures nor promotes. Points are expected points, 0 to 1. The judge's are its wins and
//! half of its draws if it tells them (`UCI_ShowWDL`), else they follow from centipawns, as those of the networks do. A
//! factor scales each network's centipawns such that the root mean square of its errors is least.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde::Deserialize;

use crate::experiment::Findings;
use crate::outcome::{Cell, Input, Table};
use crate::results::ResultFiles;
use cassius::game::Game;
use cassius::games::chess::Position;
use cassius::games::chess::network::{Learnt, Network};
use cassius::games::chess::notation::{parse_fen, parse_uci};
use cassius::output::flaws::Flaws;
use cassius::output::json_lines::read_lines;
use cassius::output::output_file::OverwriteArgs;

/// Centipawns that multiply the odds by e, of a judge and of a network with the factor 1 (docs/measuring.md).
const SCALE: f64 = 200.0;
/// Binary logarithms of the least and the greatest factor.
const FACTORS: (f64, f64) = (-2.0, 2.0);
/// Steps in which the factor is found: each leaves two thirds of the interval.
const STEPS: u32 = 40;
/// Classes by number of pieces: name, fewest, most.
const CLASSES: [(&str, usize, usize); 4] = [
    ("all", 0, 32),
    ("7 to 14", 7, 14),
    ("15 to 22", 15, 22),
    ("23 and more", 23, 32),
];
/// Fewest positions to fit a factor to.
const FEWEST: usize = 2;

/// Positions with a judge's values, and networks.
#[derive(Clone, Debug, Args)]
pub struct YardstickOptions {
    /// Positions that `scripts/measure judge` valued; one still under way counts as far as it is
    #[arg(value_name = "JUDGED")]
    pub judged: PathBuf,
    /// The networks; the first one is the reference. Without any, the network of this program
    #[arg(value_name = "NETWORK")]
    pub networks: Vec<PathBuf>,
    /// Write the outcome as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Whether an existing file is replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// The first line of a judge's file.
#[derive(Deserialize)]
struct Header {
    judge: Judge,
    limit: (String, u64),
}

/// The judge as the first line names it.
#[derive(Deserialize)]
struct Judge {
    name: String,
}

/// A line of a judge's file; lines with `of` value a move and no position.
#[derive(Deserialize)]
struct Line {
    of: Option<String>,
    game: Option<String>,
    fen: Option<String>,
    cp: Option<f64>,
    mate: Option<i32>,
    /// Wins, draws and losses, in permille.
    wdl: Option<[f64; 3]>,
    #[serde(rename = "move")]
    best: Option<String>,
}

/// A quiet position.
#[derive(Clone, Debug)]
struct Judged {
    position: Position,
    /// Index of its game.
    game: usize,
    /// The judge's expected points for the side to move.
    points: f64,
}

/// Expected points of a value in centipawns.
pub(crate) fn points(centipawns: f64, factor: f64) -> f64 {
    1.0 / (1.0 + (-factor * centipawns / SCALE).exp())
}

impl Line {
    /// The judge's expected points for the side to move.
    fn points(&self) -> Option<f64> {
        match (self.wdl, self.cp, self.mate) {
            (Some([win, draw, _]), ..) => Some((win + draw / 2.0) / 1_000.0),
            (None, Some(centipawns), _) => Some(points(centipawns, 1.0)),
            (None, None, mate) => mate.map(|it| f64::from(u8::from(it > 0))),
        }
    }

    /// The position and the judge's points, if it is quiet.
    fn quiet(&self) -> Result<Option<(Position, f64)>> {
        let missing = "expected a position's fen, the judge's value and its move";
        let (fen, best) = self
            .fen
            .as_deref()
            .zip(self.best.as_deref())
            .context(missing)?;
        let points = self.points().context(missing)?;
        let position = parse_fen(fen)?;
        let best = parse_uci(&position, best)?;
        let is_quiet = !position.in_check() && position.is_quiet(best);
        Ok(is_quiet.then_some((position, points)))
    }
}

/// The quiet positions of a judge's file; how many others there are; the first line.
fn read(path: &Path) -> Result<(Vec<Judged>, usize, Header)> {
    let mut lines = read_lines(path)?;
    let name = path.display();
    let header: Option<(usize, Header)> = lines.parse_next()?;
    let (_, header) = header.with_context(|| format!("{name}: is empty"))?;
    let (mut judged, mut others, mut games) = (Vec::new(), 0, BTreeMap::new());
    while let Some((number, line)) = lines.parse_next::<Line>()? {
        if line.of.is_some() {
            continue;
        }
        match line.quiet().with_context(|| format!("{name}:{number}"))? {
            Some((position, points)) => {
                let count = games.len();
                // A position of no game stands for itself.
                let game = line.game.unwrap_or_else(|| number.to_string());
                judged.push(Judged {
                    position,
                    points,
                    game: *games.entry(game).or_insert(count),
                });
            }
            None => others += 1,
        }
    }
    Ok((judged, others, header))
}

/// A network's errors.
struct Errors {
    factor: f64,
    /// Its points less the judge's, position by position.
    errors: Vec<f64>,
}

impl Errors {
    /// The errors of these values, with the factor for which their squares are least.
    fn of(values: &[f64], judged: &[Judged]) -> Errors {
        let errors = |factor: f64| -> Vec<f64> {
            let pairs = values.iter().zip(judged);
            pairs
                .map(|(value, it)| points(*value, factor) - it.points)
                .collect()
        };
        let loss = |power: f64| -> f64 { errors(power.exp2()).iter().map(|it| it * it).sum() };
        let (mut low, mut high) = FACTORS;
        for _ in 0..STEPS {
            let third = (high - low) / 3.0;
            if loss(low + third) <= loss(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        let factor = low.midpoint(high).exp2();
        Errors {
            factor,
            errors: errors(factor),
        }
    }
}

/// A number with its standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Figure {
    value: f64,
    error: f64,
}

impl Figure {
    /// A figure whose relative error is a mean of `terms`, one for each position and 0 in the mean; positions of one
    /// game are alike, so games are what is independent.
    fn new(value: f64, terms: impl Iterator<Item = (usize, f64)>) -> Figure {
        let (mut sums, mut count) = (BTreeMap::new(), 0.0);
        for (game, term) in terms {
            *sums.entry(game).or_insert(0.0) += term;
            count += 1.0;
        }
        let games = sums.len() as f64;
        let squares: f64 = sums.values().map(|it: &f64| it * it).sum();
        Figure {
            value,
            error: value * (squares * games / (games - 1.0)).sqrt() / count,
        }
    }

    fn cells(self) -> [Cell; 2] {
        [self.value.into(), self.error.into()]
    }
}

/// Squared errors of a class: the game and the square, position by position.
type Squares = [(usize, f64)];

fn mean(squares: &Squares) -> f64 {
    squares.iter().map(|it| it.1).sum::<f64>() / squares.len() as f64
}

/// The root mean square, in permille.
fn root_mean_square(squares: &Squares) -> Figure {
    let mean = mean(squares);
    let terms = squares
        .iter()
        .map(|&(game, it)| (game, (it / mean - 1.0) / 2.0));
    Figure::new(1_000.0 * mean.sqrt(), terms)
}

/// The quotient of two root mean squares over the same positions.
fn ratio(squares: &Squares, reference: &Squares) -> Figure {
    let [mean, of_reference] = [squares, reference].map(mean);
    let terms = squares.iter().zip(reference);
    let terms = terms.map(|(it, other)| (it.0, (it.1 / mean - other.1 / of_reference) / 2.0));
    Figure::new((mean / of_reference).sqrt(), terms)
}

/// Measures networks against a judge; writes tables to `out`.
pub fn yardstick(
    options: &YardstickOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let inputs = [&options.judged].into_iter().chain(&options.networks);
    let json = options.json.as_deref();
    let files = ResultFiles::claim(inputs, [None, json], options.overwrite.existing())?;
    let opened = options
        .networks
        .iter()
        .map(|it| Network::open(it).map(Arc::new));
    let mut networks = opened.collect::<Result<Vec<Arc<Network>>>>()?;
    if networks.is_empty() {
        networks.push(Network::embedded());
    }
    let (judged, others, header) = read(&options.judged)?;
    let few = "too few quiet positions";
    ensure!(
        judged.len() >= FEWEST,
        "{}: {few}",
        options.judged.display()
    );
    let mut table = Table::new(
        "errors",
        "Errors of expected points without a search, permille, root mean square",
        "network | pieces | positions | error:1 | ± of error:1 | ratio:3 | ± of ratio:3 | offset:1 | factor:3",
    );
    let measured: Vec<(&str, Errors)> = networks.iter().map(|it| measure(it, &judged)).collect();
    for (name, errors) in &measured {
        add_rows(&mut table, name, errors, &measured[0].1, &judged);
    }
    let mut findings = Findings::tables(vec![table]);
    findings.inputs = vec![Input::new(&options.judged, judged.len())];
    findings.setting("judge", header.judge.name);
    findings.setting("limit", format!("{} {}", header.limit.1, header.limit.0));
    findings.note(format!(
        "{} quiet positions; {others} others left out: in check, or the judge's move captures or promotes",
        judged.len()
    ));
    findings.note(format!(
        "±: one standard error, by game. ratio: to {}. offset: mean of the network's points less the judge's, for the side to move",
        measured[0].0
    ));
    let names = ["yardstick", "Networks against a judge", ""];
    files.report(None, names, findings, out, err)
}

/// A network's checksum and errors.
fn measure<'n>(network: &'n Arc<Network>, judged: &[Judged]) -> (&'n str, Errors) {
    let mut learnt = Learnt::new(Arc::clone(network));
    let values = judged
        .iter()
        .map(|it| f64::from(learnt.value(&it.position)));
    let values: Vec<f64> = values.collect();
    (network.checksum(), Errors::of(&values, judged))
}

/// Adds a network's rows, one for each class that has positions enough.
fn add_rows(table: &mut Table, name: &str, errors: &Errors, reference: &Errors, judged: &[Judged]) {
    for (class, fewest, most) in CLASSES {
        let in_class: Vec<usize> = (0..judged.len())
            .filter(|&it| (fewest..=most).contains(&judged[it].position.occupied().count()))
            .collect();
        if in_class.len() < FEWEST {
            continue;
        }
        let squares = |of: &Errors| -> Vec<(usize, f64)> {
            let squares = in_class
                .iter()
                .map(|&it| (judged[it].game, of.errors[it].powi(2)));
            squares.collect()
        };
        let (ours, theirs) = (squares(errors), squares(reference));
        let offset = Cell::mean(in_class.iter().map(|&it| 1_000.0 * errors.errors[it]));
        let [error, error_of_error] = root_mean_square(&ours).cells();
        let [ratio, error_of_ratio] = ratio(&ours, &theirs).cells();
        table.row([
            name.into(),
            class.into(),
            in_class.len().into(),
            error,
            error_of_error,
            ratio,
            error_of_ratio,
            offset,
            errors.factor.into(),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(points: f64, game: usize) -> Judged {
        Judged {
            position: Position::initial(),
            game,
            points,
        }
    }

    #[test]
    fn values_that_are_the_judges_but_for_a_factor_have_no_errors() {
        let values = [-400.0, -30.0, 0.0, 55.0, 900.0];
        let judged: Vec<Judged> = values.map(|it| judged(points(it, 0.6), 0)).into();
        let errors = Errors::of(&values, &judged);
        assert!((errors.factor - 0.6).abs() < 1e-4, "{}", errors.factor);
        assert!(errors.errors.iter().all(|it| it.abs() < 1e-4));
    }

    #[test]
    fn errors_are_root_mean_squares_with_errors_by_game() {
        let squares = [(0, 0.01), (1, 0.03), (2, 0.01), (3, 0.03)];
        let error = root_mean_square(&squares);
        assert!((error.value - 1_000.0 * 0.02_f64.sqrt()).abs() < 1e-9);
        // Each term is a quarter: the sum of squares 1/4, times 4/3, its root over 4 positions.
        let expected = error.value * (1.0_f64 / 3.0).sqrt() / 4.0;
        assert!((error.error - expected).abs() < 1e-9, "{error:?}");
        // The same positions in two games whose errors are opposite: nothing is left but the sum of each game.
        let alike = [(0, 0.01), (1, 0.03), (1, 0.01), (0, 0.03)];
        assert!(root_mean_square(&alike).error < 1e-9);
    }

    #[test]
    fn a_ratio_is_paired() {
        let ours: Vec<(usize, f64)> = (0..4).map(|it| (it, 0.01 * (1.0 + it as f64))).collect();
        let half: Vec<(usize, f64)> = ours.iter().map(|it| (it.0, it.1 / 4.0)).collect();
        let ratio = ratio(&half, &ours);
        assert!(
            (ratio.value - 0.5).abs() < 1e-9 && ratio.error < 1e-9,
            "{ratio:?}"
        );
    }

    #[test]
    fn quiet_positions_of_a_judges_file_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("judged");
        let header = r#"{"measure":"judgement","judge":{"name":"A judge"},"limit":["nodes",5]}"#;
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let lines = [
            header.to_owned(),
            format!(r#"{{"id":1,"game":"a","fen":"{start}","cp":200,"move":"e2e4"}}"#),
            r#"{"id":1,"of":"e2e4","cp":9}"#.to_owned(),
            r#"{"id":2,"game":"a","fen":"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1","cp":90,"move":"e4d5"}"#.to_owned(),
            r#"{"id":3,"game":"b","fen":"4k3/8/8/8/8/8/8/4KQ2 w - - 0 1","mate":9,"move":"f1f4"}"#.to_owned(),
            format!(r#"{{"id":4,"game":"a","fen":"{start}","cp":0,"wdl":[100,800,100],"move":"e2e4"}}"#),
            r#"{"id":5,"game":"b","fen":"4k3/8/8/8/8/"#.to_owned(),
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let (judged, others, header) = read(&path).unwrap();
        assert_eq!((header.judge.name.as_str(), others), ("A judge", 1));
        let points: Vec<f64> = judged.iter().map(|it| it.points).collect();
        let expected = [1.0 / (1.0 + (-1.0_f64).exp()), 1.0, 0.5];
        assert!(
            points
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-9),
            "{points:?}"
        );
        let games: Vec<usize> = judged.iter().map(|it| it.game).collect();
        assert_eq!(games, [0, 1, 0]);
    }
}
