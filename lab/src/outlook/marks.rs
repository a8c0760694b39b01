//! `cassius lab fit-marks`: learns the chances that marks are right, from analysed games and a stronger judge's labels,
//! and tests these chances.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use serde::Deserialize;

use super::fit::{Observation, fit};
use super::judging::{Forecast, class, judge, reliability};
use crate::experiment::Findings;
use crate::outcome::{Cell, Input, Table};
use crate::results::ResultArgs;
use crate::training::command::number_within;
use cassius::game::Game as _;
use cassius::game_report::chances::{Chances, Circumstances, FEATURES, LOSSES, WORDS};
use cassius::game_report::record::{Game, Record, Row};
use cassius::games::chess::network::weights::sha256;
use cassius::games::chess::notation::parse_chess960_fen;
use cassius::output::flaws::Flaws;
use cassius::output::json_lines::{self, read_lines};

/// Folds of the cross-validation over games.
const FOLDS: usize = 10;
/// Centipawns that multiply the odds of a win by e, by Lichess's curve from value to a player's expected points.
const LICHESS: f64 = 271.589;
/// Hexadecimal digits of a game's name in the labels.
const NAME_DIGITS: usize = 16;

/// Games to learn from, and the result's files.
#[derive(Clone, Debug, Args)]
pub struct MarksOptions {
    /// Files of `cassius analyze GAMES.pgn --json FILE`
    #[arg(required = true, value_name = "FILE")]
    pub analyses: Vec<PathBuf>,
    /// Labels of a judge (`scripts/measure label`) of the same games
    #[arg(long, required = true, value_name = "FILE")]
    pub labels: Vec<PathBuf>,
    /// Observations that say of each weight that it is 0
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = number_within(0.0, 1_000_000.0))]
    pub ridge: f64,
    /// Judge the numbers of the program instead of learning others
    #[arg(long, conflicts_with_all = ["output", "ridge"])]
    pub judge_only: bool,
    /// Files for the result, or none.
    #[command(flatten)]
    pub result: ResultArgs,
}

/// The first line of a file of labels.
#[derive(Deserialize)]
struct Heading {
    measure: String,
}

/// A position, the move played and the judge's best move and value.
#[derive(Deserialize)]
struct Label {
    game: String,
    ply: usize,
    played: Option<String>,
    best: Option<String>,
    cp: Option<i32>,
    mate: Option<i32>,
}

/// The labels of games, by name and ply.
type Labels = BTreeMap<(String, usize), Label>;

/// A move's features, and its cost by the judge, in expected points.
struct Example {
    /// Index of the game among those with labels; analyses of it with several limits share the index.
    game: usize,
    features: [[f64; FEATURES]; LOSSES.len()],
    cost: f64,
}

/// Learns weights, unless those of the program are to be judged, and writes to `out` how true the chances are.
/// `err` gets the names of label files that are cut short.
pub fn fit_marks(
    options: &MarksOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let inputs = options.analyses.iter().chain(&options.labels);
    let result = options.result.claim(inputs)?;
    let labels = read_labels(&options.labels)?;
    let malformed = json_lines::name_torn(&options.labels, err)?;
    let (mut examples, mut files, mut games) = (Vec::new(), Vec::new(), Vec::new());
    for path in &options.analyses {
        let before = examples.len();
        for game in Record::read(path)?.games {
            let name = name_of(&game);
            let known = games.iter().position(|it| *it == name);
            let of_game = examples_of(&game, &name, known.unwrap_or(games.len()), &labels);
            if known.is_none() && !of_game.is_empty() {
                games.push(name);
            }
            examples.extend(of_game);
        }
        files.push(Input::new(path, examples.len() - before));
    }
    ensure!(
        games.len() >= FOLDS,
        "there are labels for {} of the games; expected {FOLDS} games or more: label those that were analysed",
        games.len()
    );
    let weights = (!options.judge_only).then(|| learn(&examples, |_| true, options.ridge));
    let stated = match weights {
        Some(_) => held_back(&examples, options.ridge),
        None => by_the_program(&examples),
    };
    let mut findings = Findings::tables(tables(&examples, &stated));
    findings.inputs = files;
    findings.setting("ridge", options.ridge.to_string());
    findings.setting("games", games.len().to_string());
    findings.setting("moves", examples.len().to_string());
    let names = [
        "fit-marks",
        "Marks: the chances stated, and what a stronger judge says",
        "Moves of games, each by numbers that were learnt from nine tenths of the others.",
    ];
    let source = weights.as_ref().map(to_source);
    let flaws = result.report(source.as_deref(), names, findings, out, err)?;
    Ok(Flaws { malformed, ..flaws })
}

fn read_labels(paths: &[PathBuf]) -> Result<Labels> {
    let mut labels = Labels::new();
    for path in paths {
        let mut lines = read_lines(path)?;
        if let Some((_, Heading { measure })) = lines.parse_next()? {
            ensure!(
                measure == "labels",
                "{}: expected labels, found '{measure}'; give files of `scripts/measure label`",
                path.display()
            );
        }
        while let Some((_, label)) = lines.parse_next::<Label>()? {
            labels.insert((label.game.clone(), label.ply), label);
        }
    }
    Ok(labels)
}

/// The name of a game in the labels: the first [`NAME_DIGITS`] digits of the SHA-256 of its start and its moves.
fn name_of(game: &Game) -> String {
    let moves = game.rows.iter().filter_map(|row| row.played.as_ref());
    let mut text = game.info.start.clone();
    for m in moves {
        let _ = write!(text, " {}", m.uci);
    }
    let mut name = sha256(text.as_bytes());
    name.truncate(NAME_DIGITS);
    name
}

/// The game's moves whose cost is known, by the analysis and by the labels, and that were not forced.
fn examples_of(game: &Game, name: &str, number: usize, labels: &Labels) -> Vec<Example> {
    let example = |row: &Row| {
        let label = |ply: usize| labels.get(&(name.to_owned(), ply));
        let cost = judged_cost(label(row.ply)?, label(row.ply + 1)?)?;
        let position = parse_chess960_fen(&row.fen).ok()?;
        let choices = position.legal_moves().len();
        let circumstances = Circumstances {
            verdict: &row.verdict,
            is_black: row.black,
            cost: row.facts.cost?,
            choices,
            is_best: row.better().is_none(),
        };
        (choices > 1).then(|| Example {
            game: number,
            features: LOSSES.map(|loss| circumstances.features(loss)),
            cost,
        })
    };
    game.rows.iter().filter_map(example).collect()
}

/// The points that a move costs by the judge's values before it and after it.
fn judged_cost(before: &Label, after: &Label) -> Option<f64> {
    let played = before.played.as_ref()?;
    if before.best.as_ref() == Some(played) {
        return Some(0.0);
    }
    let lost = points(before)? - (1.0 - points(after)?);
    Some(lost.max(0.0))
}

/// The points that the side to move can expect, from 0 to 1.
fn points(label: &Label) -> Option<f64> {
    match (label.mate, label.cp) {
        (Some(moves), _) => Some(f64::from(moves > 0)),
        (None, cp) => cp.map(|cp| 1.0 / (1.0 + (-f64::from(cp) / LICHESS).exp())),
    }
}

/// Learns weights from the games that `with` allows: one set for all three losses, since large losses are rare.
fn learn(examples: &[Example], with: impl Fn(usize) -> bool, ridge: f64) -> [f64; FEATURES] {
    let chosen = examples.iter().filter(|it| with(it.game));
    let observations = chosen.flat_map(|it| {
        let losses = LOSSES.iter().zip(it.features);
        losses.map(|(&loss, terms)| Observation::new(terms, it.cost >= loss, 1.0))
    });
    fit(&observations.collect::<Vec<_>>(), ridge)
}

/// The chances of each example, learnt from other games.
fn held_back(examples: &[Example], ridge: f64) -> Vec<[f64; 3]> {
    let folds: [_; FOLDS] =
        std::array::from_fn(|fold| learn(examples, |game| game % FOLDS != fold, ridge));
    let chances = |it: &Example| Chances::by(&folds[it.game % FOLDS], &it.features).each();
    examples.iter().map(chances).collect()
}

fn by_the_program(examples: &[Example]) -> Vec<[f64; 3]> {
    let chances = |it: &Example| Chances::by_features(&it.features).each();
    examples.iter().map(chances).collect()
}

fn tables(examples: &[Example], stated: &[[f64; 3]]) -> Vec<Table> {
    let mut tables = vec![scores(examples, stated), marks(examples, stated)];
    for (loss, points) in LOSSES.iter().enumerate() {
        let title =
            format!("A loss of {points} or more: tenths of the moves, from the least probable");
        let id = format!("marks-{}", (points * 100.0).round());
        tables.push(reliability(&id, title, forecasts(examples, stated, loss)));
    }
    tables
}

fn forecasts(examples: &[Example], stated: &[[f64; 3]], loss: usize) -> Vec<Forecast> {
    let both = examples.iter().zip(stated);
    both.map(|(it, stated)| Forecast::new(stated[loss], it.cost >= LOSSES[loss], 1.0))
        .collect()
}

/// Brier scores and calibration errors, beside the score of the best constant chance for the same moves.
fn scores(examples: &[Example], stated: &[[f64; 3]]) -> Table {
    let headings = "a loss of:2 | moves | came, percent:1 | Brier score:4 | of a constant:4 | calibration error:4 | \
         of those from 0.3 on:4";
    let mut table = Table::new("marks-scores", "Chances stated", headings);
    for (loss, &points) in LOSSES.iter().enumerate() {
        let all = forecasts(examples, stated, loss);
        let rate = class(&all).map_or(0.0, |it| it.came);
        let likely: Vec<Forecast> = all.iter().copied().filter(|it| it.stated >= 0.3).collect();
        let of_likely = (!likely.is_empty()).then(|| judge(likely).calibration_error);
        let moves = all.len() as i64;
        let judgement = judge(all);
        table.row([
            points.into(),
            Cell::Whole(moves),
            (100.0 * rate).into(),
            judgement.brier.into(),
            (rate * (1.0 - rate)).into(),
            judgement.calibration_error.into(),
            of_likely.into(),
        ]);
    }
    table
}

/// Precision of each word, and the share of the judge's losses that get it.
fn marks(examples: &[Example], stated: &[[f64; 3]]) -> Table {
    let headings = "a loss of:2 | word | moves | right, percent:1 | stated, percent:1 | of the losses, percent:1";
    let title = "The words, and how often they are right";
    let mut table = Table::new("marks-words", title, headings);
    for (loss, &points) in LOSSES.iter().enumerate() {
        let all = forecasts(examples, stated, loss);
        let losses = all.iter().filter(|it| it.came).count().max(1) as f64;
        let mut most = f64::INFINITY;
        for (word, least) in WORDS {
            let mut said = all.clone();
            said.retain(|it| (least..most).contains(&it.stated));
            most = least;
            let mean = class(&said);
            let found = said.iter().filter(|it| it.came).count() as f64;
            table.row([
                points.into(),
                word.into(),
                Cell::Whole(said.len() as i64),
                mean.map(|it| 100.0 * it.came).into(),
                mean.map(|it| 100.0 * it.stated).into(),
                (100.0 * found / losses).into(),
            ]);
        }
    }
    table
}

/// The text of `src/game_report/chances/weights.rs`.
fn to_source(weights: &[f64; FEATURES]) -> String {
    let numbers: Vec<String> = weights.iter().map(|it| format!("{it:.4}")).collect();
    format!(
        "//! The weights of the chances that marks are right. Written by `cassius lab fit-marks`; see docs/games.md.\n\n\
         use super::FEATURES;\n\n\
         /// In the order of the features.\n\
         #[rustfmt::skip]\n\
         pub(super) static WEIGHTS: [f64; FEATURES] = [\n    {},\n];\n",
        numbers.join(", ")
    )
}
