//! `cassius lab train` and `cassius lab train-scale`: networks from games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use thiserror::Error;

use super::batches::{Progress, Settings};
use super::calibration::{Calibration, calibrate};
use super::quantise::{dequantised, output, quantised};
use super::weights::Weights;
use super::{data, scale, value};
use crate::outcome::{Column, Outcome, Plot, Table};
use crate::selfplay::folder::{SelfplayError, files_of};
use crate::text;
use cassius::games::chess::Quiescence;
use cassius::games::chess::network::weights::HIDDEN;
use cassius::games::chess::network::{FormatError, Network, NetworkError};
use cassius::output::output_file::{self, Existing, OutputError, WholeFile};
use cassius::output::provenance::Provenance;
use cassius::version;

/// Scales that are tried for what a score means, in centipawns.
const SCALES: std::ops::RangeInclusive<u16> = 50..=1_000;

/// Why no network could be learnt.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Games that cannot be read.
    #[error(transparent)]
    Games(#[from] SelfplayError),
    /// A network that cannot be read.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Weights that no network can have.
    #[error("what was learnt is no network: {0}")]
    Weights(#[from] FormatError),
    /// No positions to learn from.
    #[error("there are no positions to learn from in these games")]
    Nothing,
    /// Standard output.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What to learn from, and how.
#[derive(Clone, Debug)]
pub struct TrainOptions {
    /// Recorded games: shards, or folders of them.
    pub games: Vec<PathBuf>,
    /// How to train; the scale of scores is not looked at.
    pub settings: Settings,
    /// The network to begin with, instead of random weights.
    pub begin: Option<PathBuf>,
    /// Where the network goes.
    pub output: PathBuf,
    /// Where the curves go, as JSON.
    pub json: Option<PathBuf>,
    /// What becomes of files that are there already.
    pub existing: Existing,
    /// The command line, to be recorded with the curves.
    pub command: String,
}

/// What is told of a run besides the network.
struct Told {
    experiment: &'static str,
    title: &'static str,
    /// Settings that not every run has.
    more: Vec<(&'static str, String)>,
    tables: Vec<Table>,
    notes: Vec<String>,
}

/// The files that a run will write, claimed before anything is done.
struct Outputs {
    network: WholeFile,
    json: Option<WholeFile>,
    start: Instant,
}

impl Outputs {
    fn claim<'p>(
        options: &'p TrainOptions,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Outputs, TrainError> {
        let outputs = [Some(options.output.as_path()), options.json.as_deref()];
        output_file::check_distinct(inputs, outputs)?;
        let claim = |path: &PathBuf| WholeFile::claim(path, options.existing);
        Ok(Outputs {
            network: claim(&options.output)?,
            json: options.json.as_ref().map(claim).transpose()?,
            start: Instant::now(),
        })
    }

    /// Writes the network and what is told of it.
    fn write(
        mut self,
        network: &Network,
        options: &TrainOptions,
        told: Told,
    ) -> Result<(), TrainError> {
        let Told {
            experiment,
            title,
            more,
            tables,
            notes,
        } = told;
        self.network.write(&network.to_bytes())?;
        let Some(mut file) = self.json else {
            return Ok(());
        };
        let Settings {
            epochs,
            batch,
            rate,
            ..
        } = options.settings;
        let mut settings = vec![
            ("epochs", epochs.to_string()),
            ("batch", batch.to_string()),
            ("rate", rate.to_string()),
            ("output buckets", network.value.bias.len().to_string()),
            ("hidden layer", HIDDEN.to_string()),
            ("network", network.checksum().to_owned()),
        ];
        settings.extend(more);
        let outcome = Outcome {
            experiment: experiment.to_owned(),
            title: title.to_owned(),
            about: String::new(),
            cassius: version::NUMBER.to_owned(),
            provenance: Provenance::here(options.command.clone()),
            seconds: self.start.elapsed().as_secs_f64().round(),
            seed: Some(options.settings.seed),
            inputs: Vec::new(),
            settings: settings
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            tables,
            notes,
        };
        Ok(file.write(&outcome.to_json()?)?)
    }
}

/// A table of losses by epoch, told to `out` as it grows.
struct Curve<'o> {
    table: Table,
    out: &'o mut dyn Write,
    told: io::Result<()>,
}

impl<'o> Curve<'o> {
    fn new(title: &str, unit: &str, out: &'o mut dyn Write) -> Curve<'o> {
        let columns = [
            Column::decimals("epoch", 1),
            Column::decimals("learnt from", 6),
            Column::decimals("held back", 6),
        ];
        let table = Table::new("loss", title, columns).plotted(Plot {
            x: "epoch".to_owned(),
            y: vec!["learnt from".to_owned(), "held back".to_owned()],
            y_label: unit.to_owned(),
            log_x: false,
            log_y: false,
        });
        Curve {
            table,
            out,
            told: Ok(()),
        }
    }

    fn add(&mut self, progress: &Progress) {
        let (learnt, kept) = (progress.learn_loss, progress.held_back_loss);
        self.table
            .row([progress.epoch.into(), learnt.into(), kept.into()]);
        if self.told.is_ok() {
            self.told = writeln!(
                self.out,
                "epoch {:>5.1}: loss {learnt:.6}, on games held back {}",
                progress.epoch,
                if kept.is_nan() {
                    "none".to_owned()
                } else {
                    format!("{kept:.6}")
                }
            );
        }
    }
}

/// Learns what positions are worth; tells `out` how it goes.
pub fn train(options: &TrainOptions, out: &mut dyn Write) -> Result<(), TrainError> {
    let files = files_of(&options.games)?;
    let inputs = files.iter().chain(&options.begin);
    let outputs = Outputs::claim(options, inputs.map(PathBuf::as_path))?;
    let begin = options.begin.as_deref().map(Network::open).transpose()?;
    let data = data::value_samples(&options.games)?;
    if data.learn.is_empty() {
        return Err(TrainError::Nothing);
    }
    let score_scale = logistic_scale(&data.learn);
    let facts = format!(
        "{} games with {} positions: {} to learn from, {} held back; a factor e in the odds is {score_scale} centipawns",
        data.games,
        data.positions,
        data.learn.len(),
        data.held_back.len()
    );
    writeln!(out, "{facts}")?;
    let settings = Settings {
        score_scale: f32::from(score_scale),
        ..options.settings.clone()
    };
    let weights = match &begin {
        Some(network) => dequantised(network, score_scale.into()),
        None => Weights::random(HIDDEN, settings.buckets, settings.seed),
    };
    let title = "Loss: squared error of the expected points";
    let mut curve = Curve::new(title, "mean loss", out);
    let (learn, held_back) = (&data.learn, &data.held_back);
    let learnt = value::train_value(weights, learn, held_back, &settings, &mut |progress| {
        curve.add(progress);
    })?;
    // First what took the time: whoever listened may be gone.
    let told = curve.told;
    let network = quantised(&learnt, score_scale.into())?;
    let share = settings.result_share.to_string();
    let mut more = vec![("share of the result", share)];
    if let Some(path) = &options.begin {
        more.push(("begun with", path.display().to_string()));
    }
    let told_of = Told {
        experiment: "train",
        title: "A network learns what positions are worth",
        more,
        tables: vec![curve.table],
        notes: vec![facts],
    };
    outputs.write(&network, options, told_of)?;
    told?;
    Ok(writeln!(out, "network {}", network.checksum())?)
}

/// Centipawns of a score that change the odds of the result by the factor e.
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

/// Learns how far a network's values may be wrong; tells `out` how it goes.
pub fn train_scale(
    network: &Path,
    options: &TrainOptions,
    out: &mut dyn Write,
) -> Result<(), TrainError> {
    let files = files_of(&options.games)?;
    let inputs = files.iter().map(PathBuf::as_path);
    let outputs = Outputs::claim(options, inputs.chain([network]))?;
    let mut network = Network::open(network)?;
    let mut quiescence = Quiescence::learnt(Arc::new(network.clone()));
    let data = data::misses(&options.games, &mut quiescence)?;
    if data.learn.is_empty() {
        return Err(TrainError::Nothing);
    }
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
    let settings = &options.settings;
    let head = scale::train_scale(
        &weights,
        &data.learn,
        &data.held_back,
        settings,
        &mut |progress| {
            curve.add(progress);
        },
    )?;
    let (told, curve) = (curve.told, curve.table);
    network = Network::new(
        network.input,
        network.input_bias,
        network.value,
        network.centipawns,
        Some(output(&head)),
    )?;
    let calibration = calibrate(&weights, &head, &data.learn, &data.held_back);
    let tables = vec![curve, likelihoods(&calibration), tenths(&calibration)];
    let words: String = tables[1..]
        .iter()
        .map(|table| format!("\n{}", text::plain(table)))
        .collect();
    let told_of = Told {
        experiment: "train-scale",
        title: "A network learns how far its values may be wrong",
        more: Vec::new(),
        tables,
        notes: vec![facts],
    };
    outputs.write(&network, options, told_of)?;
    told?;
    Ok(writeln!(out, "{words}\nnetwork {}", network.checksum())?)
}

fn likelihoods(calibration: &Calibration) -> Table {
    let columns = [Column::new("scale"), Column::decimals("nats", 4)];
    let title = "Negative logarithm of the likelihood of an error, games held back";
    let mut table = Table::new("likelihood", title, columns);
    table.row(["learnt".into(), calibration.learnt.into()]);
    table.row([
        "by |value| and number of pieces".into(),
        calibration.simple.into(),
    ]);
    table.row(["one for all".into(), calibration.common.into()]);
    table
}

fn tenths(calibration: &Calibration) -> Table {
    let columns = [
        Column::new("tenth"),
        Column::decimals("scale", 1),
        Column::decimals("error", 1),
        Column::decimals("error over scale", 3),
    ];
    let title = "Errors by predicted scale, games held back";
    let mut table = Table::new("tenths", title, columns).plotted(Plot {
        x: "tenth".to_owned(),
        y: vec!["error over scale".to_owned()],
        y_label: "mean of |error| over scale".to_owned(),
        log_x: false,
        log_y: false,
    });
    for (number, class) in (1_usize..).zip(&calibration.classes) {
        table.row([
            number.into(),
            class.scale.into(),
            class.error.into(),
            class.ratio.into(),
        ]);
    }
    table
}
