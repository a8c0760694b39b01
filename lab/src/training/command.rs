//! `cassius lab train` and `cassius lab train-scale`: networks from games.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::batches::{Progress, Settings, train as train_on};
use super::calibration::{Calibration, calibrate};
use super::data::{self, Returns};
use super::quantise::{dequantised, output, quantised};
use super::scale::train_scale as train_scale_on;
use super::value::ValueTask;
use super::weights::{TILE, Weights};
use crate::experiment::Findings;
use crate::outcome::{Plot, Table};
use crate::results::ResultFiles;
use crate::selfplay::folder::files_of;
use crate::text;
use cassius::games::chess::Quiescence;
use cassius::games::chess::network::Network;
use cassius::games::chess::network::weights::HIDDEN;
use cassius::output::output_file::OverwriteArgs;

/// Scales among which [`logistic_scale`] chooses, in centipawns.
const SCALES: std::ops::RangeInclusive<u16> = 50..=1_000;

/// Context of the error for weights that do not fit a network.
const UNFIT: &str = "what was learnt is no network";
/// Error for games without positions.
const NOTHING: &str = "there are no positions to learn from in these games";

/// Games to learn from, and files to write.
#[derive(Clone, Debug, Args)]
pub struct FitOptions {
    /// Games written by `cassius lab selfplay`: folders, or single shards
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// Write the network to this file
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// How often each position is seen
    #[arg(long, value_name = "N", default_value_t = 10.0, value_parser = number_within(0.0, 10_000.0))]
    pub epochs: f64,
    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// Highest rate of learning: about how far a step moves each weight
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = number_within(1e-9, 1.0))]
    pub rate: f64,
    /// Seed of the initial weights and of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Use N threads; they change nothing about the network
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Write the losses as JSON, for scripts/plot
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl FitOptions {
    fn settings(&self) -> Settings {
        Settings {
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            seed: self.seed,
            threads: usize::from(self.jobs),
        }
    }

    fn claim<'p>(&'p self, inputs: impl Iterator<Item = &'p PathBuf>) -> Result<ResultFiles> {
        let outputs = [Some(self.output.as_path()), self.json.as_deref()];
        ResultFiles::claim(inputs, outputs, self.overwrite.existing())
    }

    /// Findings with the settings of the run, and the network's sizes and checksum.
    fn findings(&self, tables: Vec<Table>, facts: String, network: &Network) -> Findings {
        let mut findings = Findings::tables(tables);
        findings.note(facts);
        findings.seed = Some(self.seed);
        findings.setting("epochs", self.epochs.to_string());
        findings.setting("batch", self.batch.to_string());
        findings.setting("rate", self.rate.to_string());
        findings.setting("output buckets", network.value.bias.len().to_string());
        findings.setting("hidden layer", network.hidden.to_string());
        findings.setting("network", network.checksum());
        findings
    }
}

/// Games to learn a network from, and settings.
#[derive(Clone, Debug, Args)]
pub struct TrainOptions {
    /// Games and files.
    #[command(flatten)]
    pub fit: FitOptions,
    /// Begin with this network, instead of random weights; its sizes stay
    #[arg(long, value_name = "NETWORK", conflicts_with_all = ["hidden", "buckets"])]
    pub begin: Option<PathBuf>,
    /// Units of the hidden layer, for either side: a multiple of 32
    #[arg(long, value_name = "N", default_value_t = HIDDEN, value_parser = units)]
    pub hidden: usize,
    /// Sets of output weights, by the number of pieces
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=32))]
    pub buckets: u16,
    /// Share of the game's result in the target, from 0 to 1; the rest is the value that the search gave
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = number_within(0.0, 1.0))]
    pub result_share: f64,
    /// Learn the mean of the values of the next 8 plies of a position's own game, each with LAMBDA times the weight of
    /// the one before, up to a random move; 0: its own value alone
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = number_within(0.0, 1.0))]
    pub returns: f64,
}

/// The network whose scale is to be learnt, and the games.
#[derive(Clone, Debug, Args)]
pub struct ScaleOptions {
    /// The network whose errors are learnt; its values stay
    #[arg(value_name = "NETWORK")]
    pub network: PathBuf,
    /// Games and files.
    #[command(flatten)]
    pub fit: FitOptions,
}

/// Parses a size of the hidden layer.
fn units(text: &str) -> Result<usize, String> {
    let number = text.parse().ok();
    number
        .filter(|units| (TILE..=HIDDEN).contains(units) && units.is_multiple_of(TILE))
        .ok_or_else(|| format!("expected a multiple of {TILE}, at most {HIDDEN}"))
}

/// A parser of numbers between two bounds; NaN is refused.
pub(crate) fn number_within(least: f64, most: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| format!("expected a number from {least} to {most}"))
    }
}

/// A table of losses by epoch, written to `out` as it grows.
struct Curve<'o> {
    table: Table,
    out: &'o mut dyn Write,
    told: io::Result<()>,
}

impl<'o> Curve<'o> {
    fn new(title: &str, unit: &str, out: &'o mut dyn Write) -> Curve<'o> {
        let headings = "epoch:1 | learnt from:6 | held back:6";
        let plot = Plot::new("epoch", ["learnt from", "held back"], unit);
        let table = Table::new("loss", title, headings).plotted(plot);
        Curve {
            table,
            out,
            told: Ok(()),
        }
    }

    fn add(&mut self, progress: &Progress) {
        let (learnt, kept) = (progress.learn_loss, progress.held_back_loss);
        let epoch = progress.epoch;
        self.table.named_row(epoch, [learnt, kept]);
        let kept = match kept.is_nan() {
            true => "none".to_owned(),
            false => format!("{kept:.6}"),
        };
        let line = format!("epoch {epoch:>5.1}: loss {learnt:.6}, on games held back {kept}");
        if self.told.is_ok() {
            self.told = writeln!(self.out, "{line}");
        }
    }
}

/// Trains a network's values; reports progress to `out`.
pub fn train(options: &TrainOptions, out: &mut dyn Write) -> Result<()> {
    let fit = &options.fit;
    let files = files_of(&fit.games)?;
    let outputs = fit.claim(files.iter().chain(&options.begin))?;
    let begin = options.begin.as_deref().map(Network::open).transpose()?;
    let returns = (options.returns > 0.0).then(|| Returns::over(&fit.games, options.returns));
    let returns = returns.transpose()?;
    let data = data::value_samples(&fit.games, returns.as_ref())?;
    ensure!(!data.learn.is_empty(), NOTHING);
    let score_scale = logistic_scale(&data.learn);
    let facts = format!(
        "{} games with {} positions: {} to learn from, {} held back; {score_scale} centipawns multiply the odds by e",
        data.games,
        data.positions,
        data.learn.len(),
        data.held_back.len()
    );
    writeln!(out, "{facts}")?;
    let task = ValueTask {
        result_share: options.result_share as f32,
        score_scale: f32::from(score_scale),
    };
    let weights = match &begin {
        Some(network) => dequantised(network, score_scale.into()),
        None => Weights::random(options.hidden, options.buckets.into(), fit.seed),
    };
    let title = "Loss: squared error of the expected points";
    let mut curve = Curve::new(title, "mean loss", out);
    let (learn, held_back) = (&data.learn, &data.held_back);
    let mut told = |progress: &Progress| curve.add(progress);
    let learnt = train_on(&task, weights, learn, held_back, &fit.settings(), &mut told)?;
    // The files come first, since training took time; only then is a failed write to `out` an error.
    let told = curve.told;
    let network = quantised(&learnt, score_scale.into()).context(UNFIT)?;
    let mut findings = fit.findings(vec![curve.table], facts, &network);
    findings.setting("share of the result", task.result_share.to_string());
    if let Some(Returns { lambda, swing }) = returns {
        let told = format!("λ {lambda}, less {swing:.1} centipawns for the side to move");
        findings.setting("returns", told);
    }
    if let Some(path) = &options.begin {
        findings.setting("begun with", path.display().to_string());
    }
    let names = ["train", "A network learns what positions are worth", ""];
    outputs.write(Some(&network.to_bytes()), names, findings)?;
    told?;
    Ok(writeln!(out, "network {}", network.checksum())?)
}

/// Centipawns of a score that multiply the odds of a win by e, by least squares of expected and actual points.
fn logistic_scale(samples: &[super::sample::Sample]) -> u16 {
    // Counted by score and points: there are millions of samples and few scores.
    let mut counts = std::collections::BTreeMap::new();
    for sample in samples {
        let points = (2.0 * sample.points()) as u8;
        *counts.entry((sample.score(), points)).or_insert(0_u32) += 1;
    }
    let loss = |scale: u16| -> f64 {
        let terms = counts.iter().map(|(&(score, points), &count)| {
            let expected = 1.0 / (1.0 + (-f64::from(score) / f64::from(scale)).exp());
            f64::from(count) * (expected - f64::from(points) / 2.0).powi(2)
        });
        terms.sum()
    };
    let best = SCALES.min_by(|&a, &b| loss(a).total_cmp(&loss(b)));
    best.unwrap_or(*SCALES.start())
}

/// Learns the scale of a network's errors; reports progress to `out`.
pub fn train_scale(options: &ScaleOptions, out: &mut dyn Write) -> Result<()> {
    let ScaleOptions { network, fit } = options;
    let files = files_of(&fit.games)?;
    let outputs = fit.claim(files.iter().chain([network]))?;
    let mut network = Network::open(network)?;
    let mut quiescence = Quiescence::learnt(Arc::new(network.clone()));
    let data = data::misses(&fit.games, &mut quiescence)?;
    ensure!(!data.learn.is_empty(), NOTHING);
    let facts = format!(
        "{} games: {} positions to learn from, {} held back",
        data.games,
        data.learn.len(),
        data.held_back.len()
    );
    writeln!(out, "{facts}")?;
    let weights = dequantised(&network, network.centipawns);
    let title = "Loss: negative logarithm of the likelihood of an error";
    let mut curve = Curve::new(title, "nats", out);
    let (learn, held_back) = (&data.learn, &data.held_back);
    let mut told = |progress: &Progress| curve.add(progress);
    let head = train_scale_on(&weights, learn, held_back, &fit.settings(), &mut told)?;
    let (told, curve) = (curve.told, curve.table);
    network = Network::new(
        network.hidden,
        network.input,
        network.input_bias,
        network.value,
        network.centipawns,
        Some(output(&head)),
    )
    .context(UNFIT)?;
    let calibration = calibrate(&weights, &head, learn, held_back);
    let tables = vec![curve, likelihoods(&calibration), tenths(&calibration)];
    let words = tables[1..].iter().map(text::plain);
    let words: String = words.map(|it| format!("\n{it}")).collect();
    let title = "A network learns how far its values may be wrong";
    let names = ["train-scale", title, ""];
    let findings = fit.findings(tables, facts, &network);
    outputs.write(Some(&network.to_bytes()), names, findings)?;
    told?;
    Ok(writeln!(out, "{words}\nnetwork {}", network.checksum())?)
}

fn likelihoods(calibration: &Calibration) -> Table {
    let title = "Negative logarithm of the likelihood of an error, games held back";
    let mut table = Table::new("likelihood", title, "scale | nats:4");
    table.named_row("learnt", [calibration.learnt]);
    table.named_row("by |value| and number of pieces", [calibration.simple]);
    table.named_row("one for all", [calibration.common]);
    table
}

fn tenths(calibration: &Calibration) -> Table {
    let headings = "tenth | scale:1 | error:1 | error over scale:3";
    let title = "Errors by predicted scale, games held back";
    let plot = Plot::new("tenth", ["error over scale"], "mean of |error| over scale");
    let mut table = Table::new("tenths", title, headings).plotted(plot);
    for (number, class) in (1_usize..).zip(&calibration.classes) {
        table.named_row(number, [class.scale, class.error, class.ratio]);
    }
    table
}
