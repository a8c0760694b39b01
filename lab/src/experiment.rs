//! Experiments, requests and findings.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use clap::builder::TypedValueParser as _;
use serde::{Deserialize, Serialize};

use super::outcome::{Input, Table};
use cassius::engine::fault::Fault;
use cassius::engine::memory::parse_hash;
use cassius::game_report::record::Record;
use cassius::output::output_file::OverwriteArgs;
use cassius::search::registry::Settings;
use cassius::suite::choice::Filter;
use cassius::suite::epd;

/// A question, and the way to answer it.
#[derive(Debug)]
pub struct Experiment {
    /// Name on the command line: lower case, words with hyphens.
    pub name: &'static str,
    /// Subject in one line.
    pub title: &'static str,
    /// Numbers of the figures of Klingbeil's thesis that it repeats: `5.2`.
    pub figures: &'static [&'static str],
    /// Method and reading of the tables, in a paragraph or two for readers who do not know the thesis.
    pub about: &'static str,
    /// The positions, trees or files it works on.
    pub subject: Subject,
    /// Limits that the user can set.
    pub effort: EffortLimit,
    /// Runs it. Long runs show a [`Progress`](cassius::output::progress::Progress).
    pub run: fn(&Request) -> Result<Findings>,
}

impl Experiment {
    /// Defaults: no figures, a subject and an effort of its own.
    pub const PLAIN: Experiment = Experiment {
        name: "",
        title: "",
        figures: &[],
        about: "",
        subject: Subject::Own,
        effort: EffortLimit::Fixed,
        run: |_| Ok(Findings::default()),
    };
}

/// Input of an experiment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Chess problems from EPD files.
    Problems,
    /// Chess problems; the results on each can be saved as they arrive ([`Request::states`]).
    Efforts,
    /// Analyses of games: files of `cassius analyze`.
    Analyses,
    /// Input it makes itself, such as random trees; takes no files.
    Own,
    /// Games on a board of a size to be chosen; takes no files.
    Board,
}

/// Limits on the effort for a problem, a tree or a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffortLimit {
    /// None: the experiment chooses its effort.
    Fixed,
    /// By nodes ([`Request::nodes`]).
    Nodes,
    /// By nodes or by time ([`Request::movetime_ms`]).
    NodesOrTime,
}

/// Arguments of an experiment. `None` leaves the choice to the experiment.
#[derive(Clone, Debug, Args)]
pub struct Request {
    /// EPD files, for experiments on chess; epd/wac.epd if there are none. For experiments on analysed
    /// games: JSON files of `cassius analyze`
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Use only some positions: even, odd, or a part of the id; with * or ? a pattern for the whole id
    #[arg(long, value_name = "WHICH")]
    pub filter: Option<Filter>,
    /// Run in full: more effort, more trees
    #[arg(long)]
    pub full: bool,
    /// Greatest effort per position or tree, in positions visited
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..))]
    pub nodes: Option<u64>,
    /// Measure effort in time: greatest per position or tree, in milliseconds
    #[arg(long = "movetime", value_name = "MS", conflicts_with = "nodes",
          value_parser = clap::value_parser!(u64).range(10..=86_400_000))]
    pub movetime_ms: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Memory for each search's tree or table
    #[arg(long = "hash", value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash_megabytes: usize,
    /// Work on N positions or trees at a time; not with --movetime
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "movetime_ms",
          value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
    pub jobs: usize,

    /// Rows and columns of the board, for games on one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8)
          .range(i64::from(*crate::hex::SIZES.start())..=i64::from(*crate::hex::SIZES.end())))]
    pub size: Option<u8>,
    /// How many games to play, by either side in turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: Option<u32>,

    /// Write the results of each search on each problem to this file as they arrive (chapters 5 and 6)
    #[arg(long, value_name = "FILE")]
    pub states: Option<PathBuf>,
    /// Continue the file of --states after a run that was killed; --overwrite then replaces the JSON alone
    #[arg(long, requires = "states")]
    pub resume: bool,

    /// Write the outcome as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,

    /// The problems, at least one, if the experiment needs any.
    #[arg(skip)]
    pub problems: Vec<epd::Record>,
    /// The analyses, if the experiment needs any.
    #[arg(skip)]
    pub analyses: Vec<Record>,
}

impl Request {
    /// `quick` for a quick run, `full` for a full one.
    pub fn quick_or_full<T>(&self, quick: T, full: T) -> T {
        if self.full { full } else { quick }
    }

    /// The limit in nodes: the user's, or else `quick` or `full` by the kind of run.
    pub fn nodes_or(&self, quick: u64, full: u64) -> u64 {
        self.nodes.unwrap_or(self.quick_or_full(quick, full))
    }
}

/// Results of an experiment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// The seed, if the experiment is random.
    pub seed: Option<u64>,
    /// The input files.
    pub inputs: Vec<Input>,
    /// Names and values of the settings, limits above all: `("positions visited", "100 000")`.
    pub settings: Vec<(String, String)>,
    /// The tables, usually one per figure.
    pub tables: Vec<Table>,
    /// Notes needed to read the tables, a sentence or two each.
    pub notes: Vec<String>,
    /// Positions or trees that were left out, each with the reason.
    #[serde(skip)]
    pub left_out: Vec<Fault>,
}

impl Findings {
    /// Empty findings with the request's seed.
    pub fn seeded(request: &Request) -> Findings {
        Findings {
            seed: Some(request.seed),
            ..Findings::default()
        }
    }

    /// Findings of tables alone.
    pub fn tables(tables: Vec<Table>) -> Findings {
        Findings {
            tables,
            ..Findings::default()
        }
    }

    /// Adds a setting.
    pub fn setting(&mut self, name: &str, value: impl Into<String>) {
        self.settings.push((name.to_owned(), value.into()));
    }

    /// Returns the successful results; notes the faults as left out.
    pub fn keep<T>(&mut self, results: Vec<Result<T, Fault>>) -> Vec<T> {
        let results = results.into_iter();
        let kept = results.filter_map(|it| it.map_err(|fault| self.left_out.push(fault)).ok());
        kept.collect()
    }

    /// Writes the faults for which something was left out to `err` and to the notes; returns their number.
    pub fn name_left_out(&mut self, err: &mut dyn Write) -> io::Result<usize> {
        let left_out = std::mem::take(&mut self.left_out);
        for fault in &left_out {
            writeln!(err, "left out: {fault}")?;
            self.note(format!("Left out: {fault}."));
        }
        Ok(left_out.len())
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}
