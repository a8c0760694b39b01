//! `cassius lab fit-outlook`: fits the outlook's weights to searches, and measures their accuracy.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::fit::{Observation, dot, fit};
use super::judging::{Forecast, class, judge, reliability};
use super::record;
use super::snapshots::{Snapshot, of_search};
use crate::experiment::Findings;
use crate::outcome::Table;
use crate::results::ResultArgs;
use crate::training::command::number_within;
use cassius::outlook::Outlook;
use cassius::outlook::model::{TERMS, probability, sum, terms};
use cassius::output::flaws::Flaws;
use cassius::output::json_lines;

/// One game in this many is learnt from; the others are held back.
const LEARNT_FROM: u64 = 3;

/// Searches to learn from, and files to write.
#[derive(Clone, Debug, Args)]
pub struct FitOptions {
    /// Files of `cassius lab sample-outlook`
    #[arg(required = true, value_name = "FILE")]
    pub samples: Vec<PathBuf>,
    /// Observations that say of each weight that it is 0
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = number_within(0.0, 1_000_000.0))]
    pub ridge: f64,
    /// Test the program's numbers instead of learning new ones
    #[arg(long, conflicts_with_all = ["output", "ridge"])]
    pub judge_only: bool,
    /// Files for the result, or none.
    #[command(flatten)]
    pub result: ResultArgs,
}

/// A model: name in the source, description, and outcome to predict.
type Model = (&'static str, &'static str, fn(&Snapshot) -> f64);

const MODELS: [Model; 2] = [
    ("MOVE_STAYS", "the probability that the move stays", |it| {
        f64::from(it.move_stays)
    }),
    (
        "VALUE_STAYS",
        "the probability that the value stays",
        |it| f64::from(it.value_stays),
    ),
];

/// The weights of all models.
struct Weights([[f64; TERMS]; MODELS.len()]);

/// Fits weights, unless those of the program are to be judged, and judges them; reports to `out`. `err` gets the names
/// of sample files that are cut short.
pub fn fit_outlook(
    options: &FitOptions,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let files = options.result.claim(&options.samples)?;
    let (searches, inputs) = record::read(&options.samples)?;
    let malformed = json_lines::name_torn(&options.samples, err)?;
    let (mut learn, mut held_back) = (Vec::new(), Vec::new());
    let mut positions = 0;
    for search in &searches {
        let snapshots = of_search(search);
        if search.game % LEARNT_FROM == 0 {
            learn.extend(snapshots);
        } else {
            positions += usize::from(!snapshots.is_empty());
            held_back.extend(snapshots);
        }
    }
    ensure!(
        !learn.is_empty() && !held_back.is_empty(),
        "there are too few searches to learn from and to judge by; sample more positions"
    );
    let weights = (!options.judge_only).then(|| learn_from(&learn, options.ridge));
    let predict = |snapshot: &Snapshot| match &weights {
        Some(weights) => weights.outlook(snapshot),
        None => Outlook::of(&snapshot.features),
    };
    let outlooks: Vec<Outlook> = held_back.iter().map(predict).collect();
    let judged = Judged {
        learn: &learn,
        held_back: &held_back,
        outlooks: &outlooks,
    };
    let mut findings = Findings::tables(judged.tables());
    findings.inputs = inputs;
    findings.setting("ridge", options.ridge.to_string());
    findings.setting("positions held back", positions.to_string());
    findings.setting("iterations of theirs", held_back.len().to_string());
    findings.setting("iterations learnt from", learn.len().to_string());
    let names = [
        "fit-outlook",
        "What more thinking changes: stated probabilities and what came",
        "Searches of positions of games held back, each followed to 16 times the effort and further.",
    ];
    let source = weights.as_ref().map(Weights::to_source);
    let flaws = files.report(source.as_deref(), names, findings, out, err)?;
    Ok(Flaws { malformed, ..flaws })
}

fn learn_from(learn: &[Snapshot], ridge: f64) -> Weights {
    Weights(MODELS.map(|(.., outcome)| {
        let observation =
            |it: &Snapshot| Observation::new(terms(&it.features), outcome(it), it.weight);
        let observations: Vec<_> = learn.iter().map(observation).collect();
        fit(&observations, ridge)
    }))
}

impl Weights {
    fn outlook(&self, snapshot: &Snapshot) -> Outlook {
        let terms = terms(&snapshot.features);
        let predict = |model: usize| probability(sum(&self.0[model], &terms));
        let [move_stays, value_stays] = [0, 1].map(predict);
        Outlook {
            move_stays,
            value_stays,
        }
    }

    /// The text of `src/outlook/weights.rs`.
    fn to_source(&self) -> String {
        let mut text = String::from(
            "//! The numbers of the outlook. Written by `cassius lab fit-outlook`; see docs/outlook.md.\n\n\
             use super::model::TERMS;\n",
        );
        for ((name, what, ..), weights) in MODELS.iter().zip(&self.0) {
            let _ = write!(
                text,
                "\n/// Of {what}.\n#[rustfmt::skip]\npub(crate) static {name}: [f64; TERMS] = ["
            );
            for (number, weight) in weights.iter().enumerate() {
                let before = if number % 10 == 0 { "\n    " } else { " " };
                let _ = write!(text, "{before}{weight:.4},");
            }
            text.push_str("\n];\n");
        }
        text
    }
}

/// Predictions for held-back snapshots, their outcomes, and the snapshots that were learnt from.
struct Judged<'a> {
    learn: &'a [Snapshot],
    held_back: &'a [Snapshot],
    outlooks: &'a [Outlook],
}

/// A stated probability: its name, the prediction, the outcome.
type Statement = (&'static str, fn(&Outlook) -> f64, fn(&Snapshot) -> bool);

const STATEMENTS: [Statement; 2] = [
    ("the move stays", |it| it.move_stays, |it| it.move_stays),
    ("the value stays", |it| it.value_stays, |it| it.value_stays),
];

impl Judged<'_> {
    fn tables(&self) -> Vec<Table> {
        let [of_move, of_value] = &STATEMENTS;
        vec![
            self.scores(),
            self.reliability("outlook-move", of_move),
            self.reliability("outlook-value", of_value),
            self.groups(),
        ]
    }

    fn forecasts(
        &self,
        (_, stated, came): &Statement,
        with: &dyn Fn(&Snapshot) -> bool,
    ) -> Vec<Forecast> {
        let both = self.held_back.iter().zip(self.outlooks);
        both.filter(|(snapshot, _)| with(snapshot))
            .map(|(it, outlook)| Forecast::new(stated(outlook), came(it), it.weight))
            .collect()
    }

    /// Forecasts of the same statement by a simpler model with these `terms`, fitted to the snapshots learnt from.
    fn simpler<const N: usize>(
        &self,
        came: fn(&Snapshot) -> bool,
        terms: fn(&Snapshot) -> [f64; N],
    ) -> Vec<Forecast> {
        let observation = |it: &Snapshot| Observation::new(terms(it), came(it), it.weight);
        let observations: Vec<_> = self.learn.iter().map(observation).collect();
        let weights = fit(&observations, 0.01);
        let forecast = |it: &Snapshot| {
            let stated = probability(dot(&weights, &terms(it)));
            Forecast::new(stated, came(it), it.weight)
        };
        self.held_back.iter().map(forecast).collect()
    }

    /// Brier scores, beside those of simpler models, and calibration errors.
    fn scores(&self) -> Table {
        let headings = "statement | came, percent:1 | Brier score:4 | of a constant:4 | of the last change:4 | \
             calibration error:4";
        let title = "Probabilities stated, on games held back";
        let mut table = Table::new("outlook-scores", title, headings);
        for statement in &STATEMENTS {
            let (name, _, came) = *statement;
            let all = self.forecasts(statement, &|_| true);
            let rate = class(&all).map(|it| 100.0 * it.came);
            let judgement = judge(all);
            let constant = judge(self.simpler(came, |_| [1.0]));
            let last_change = judge(self.simpler(came, |it| {
                let (changed, moved) = it.last_change;
                [1.0, f64::from(changed), (1.0 + moved / 10.0).ln()]
            }));
            table.row([
                name.into(),
                rate.into(),
                judgement.brier.into(),
                constant.brier.into(),
                last_change.brier.into(),
                judgement.calibration_error.into(),
            ]);
        }
        table
    }

    /// Stated probabilities by tenths, and observed frequencies.
    fn reliability(&self, id: &str, statement: &Statement) -> Table {
        let title = format!(
            "That {}: tenths of the statements, from the least probable",
            statement.0
        );
        reliability(id, title, self.forecasts(statement, &|_| true))
    }

    /// Mean stated probabilities and observed frequencies by effort, phase and sharpness.
    fn groups(&self) -> Table {
        let headings =
            "iterations with | move stays, stated:1 | came:1 | value stays, stated:1 | came so:1";
        let title = "By effort, phase and sharpness, in percent";
        let mut table = Table::new("outlook-groups", title, headings);
        type Group = (&'static str, fn(&Snapshot) -> bool);
        let groups: [Group; 10] = [
            ("up to 2,000 nodes", |it| it.nodes <= 2_000),
            ("up to 6,000 nodes", |it| {
                it.nodes > 2_000 && it.nodes <= 6_000
            }),
            ("up to 20,000 nodes", |it| {
                it.nodes > 6_000 && it.nodes <= 20_000
            }),
            ("more nodes", |it| it.nodes > 20_000),
            ("25 to 32 pieces", |it| it.pieces >= 25),
            ("13 to 24 pieces", |it| (13..25).contains(&it.pieces)),
            ("up to 12 pieces", |it| it.pieces < 13),
            ("a width up to 35 centipawns", |it| it.width <= 35.0),
            ("a width up to 70 centipawns", |it| {
                it.width > 35.0 && it.width <= 70.0
            }),
            ("a larger width", |it| it.width > 70.0),
        ];
        for (name, with) in groups {
            let means = STATEMENTS.map(|statement| class(&self.forecasts(&statement, &with)));
            let cells =
                means.map(|it| [it.map(|it| 100.0 * it.stated), it.map(|it| 100.0 * it.came)]);
            table.named_row(name, cells.concat());
        }
        table
    }
}
