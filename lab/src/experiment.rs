//! What an experiment is.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use clap::builder::TypedValueParser as _;

use super::outcome::{Input, Outcome, Table};
use cassius::engine::fault::Fault;
use cassius::engine::memory::parse_hash;
use cassius::game_report::record::Record;
use cassius::output::output_file::{Existing, OverwriteArgs};
use cassius::output::progress::Progress;
use cassius::output::provenance::Provenance;
use cassius::search::registry::Settings;
use cassius::suite::choice::Filter;
use cassius::suite::epd;
use cassius::version;
use cassius::workers;

/// Something to find out, and how.
#[derive(Debug)]
pub struct Experiment {
    /// The name people type: lower case, words with hyphens.
    pub name: &'static str,
    /// What it is about, in a line.
    pub title: &'static str,
    /// The figures of Klingbeil's thesis that it repeats, by number: `5.2`.
    pub figures: &'static [&'static str],
    /// What is done and what the tables tell, in a paragraph or two for somebody who has not read
    /// the thesis.
    pub about: &'static str,
    /// The positions, trees or files it works on.
    pub subject: Subject,
    /// Which limits it keeps.
    pub effort: EffortLimit,
    /// Does it. Long runs show a [`Progress`].
    pub run: fn(&Request) -> Result<Findings>,
}

impl Experiment {
    /// The defaults of experiments: no figures, a subject and an effort of their own.
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

/// What an experiment works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Chess problems from EPD files.
    Problems,
    /// The same, put to searches whose efforts can be kept as they come ([`Request::states`]).
    Efforts,
    /// Analyses of games, files that `cassius analyze` has written.
    Analyses,
    /// Something it makes itself, such as random trees; there are no files to be given.
    Own,
    /// Games on a board whose size can be chosen; there are no files to be given.
    Board,
    /// Games of chess, whose number can be chosen; there are no files to be given.
    Games,
}

/// How the user can limit the effort on a problem, a tree or a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffortLimit {
    /// Not at all: the experiment chooses it.
    Fixed,
    /// By nodes ([`Request::nodes`]).
    Nodes,
    /// By nodes or by time ([`Request::movetime_ms`]).
    NodesOrTime,
}

/// What the user asks of an experiment. `None` leaves the choice to the experiment.
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

    /// Keep what each search came to on each problem in this file as soon as it is known (chapters 5 and 6)
    #[arg(long, value_name = "FILE")]
    pub states: Option<PathBuf>,
    /// Go on with the file of --states where a run that was killed left it
    #[arg(long, requires = "states", conflicts_with = "overwrite")]
    pub resume: bool,

    /// Write the outcome as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Whether files that exist are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,

    /// The problems, if the experiment works on such: at least one.
    #[arg(skip)]
    pub problems: Vec<epd::Record>,
    /// The analyses, if the experiment works on such.
    #[arg(skip)]
    pub analyses: Vec<Record>,
}

impl Request {
    /// One amount for a quick run, another for a full one.
    pub fn quick_or_full<T>(&self, quick: T, full: T) -> T {
        if self.full { full } else { quick }
    }

    /// The positions to visit: as many as were asked for, or these amounts.
    pub fn nodes_or(&self, quick: u64, full: u64) -> u64 {
        self.nodes.unwrap_or(self.quick_or_full(quick, full))
    }

    /// Maps `work` over the problems, several at a time. `prepare` makes the searches for a thread. A problem
    /// that one of them fails at is left out and noted in `findings`.
    pub fn on_each_problem<S, R: Send>(
        &self,
        findings: &mut Findings,
        prepare: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, &epd::Record) -> Result<R, Fault> + Sync,
    ) -> Result<Vec<R>> {
        let progress = Progress::new(self.problems.len() as u64);
        let done = |problem: &epd::Record| progress.advance(problem.id.clone());
        let results = workers::map(&self.problems, self.jobs, prepare, work, done)?;
        progress.finish();
        Ok(findings.keep(results))
    }

    /// Names of the files without folders and endings: `wac`.
    pub fn sets(&self) -> impl Iterator<Item = String> {
        let stems = self.files.iter().filter_map(|file| file.file_stem());
        stems.map(|stem| stem.to_string_lossy().into_owned())
    }

    /// The file to keep in what each search came to on each problem, and what becomes of one that is there: a
    /// long run that is killed can go on with it. Only for [`Subject::Efforts`].
    pub fn states(&self) -> Option<(&Path, Existing)> {
        let states = self.states.as_deref();
        states.map(|path| (path, self.overwrite.or_resume(self.resume)))
    }
}

/// What an experiment has found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// What was chosen for the experiment, limits above all, as name and value:
    /// `("positions visited", "100 000")`.
    pub settings: Vec<(String, String)>,
    /// The seed, if anything was random.
    pub seed: Option<u64>,
    /// The tables, usually one per figure.
    pub tables: Vec<Table>,
    /// What must be known to read the tables, a sentence or two each.
    pub notes: Vec<String>,
    /// Positions or trees that had to be left out, each with the reason.
    pub left_out: Vec<Fault>,
}

impl Findings {
    /// Nothing yet; what will be found depends on the request's seed.
    pub fn seeded(request: &Request) -> Findings {
        Findings {
            seed: Some(request.seed),
            ..Findings::default()
        }
    }

    /// Tables, and one note.
    pub fn of(tables: Vec<Table>, note: impl Into<String>) -> Findings {
        Findings {
            tables,
            notes: vec![note.into()],
            ..Findings::default()
        }
    }

    /// Notes a setting.
    pub fn setting(&mut self, name: &str, value: impl Into<String>) {
        self.settings.push((name.to_owned(), value.into()));
    }

    /// What could be found; what could not is left out.
    pub fn keep<T>(&mut self, results: Vec<Result<T, Fault>>) -> Vec<T> {
        let keep =
            |result: Result<T, Fault>| result.map_err(|fault| self.left_out.push(fault)).ok();
        results.into_iter().filter_map(keep).collect()
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// All of it as it is kept: `names` are the experiment's name, title and what it is about; it began at `start`.
    pub fn into_outcome(
        self,
        names: [&str; 3],
        inputs: Vec<Input>,
        provenance: Provenance,
        start: Instant,
    ) -> Outcome {
        let [experiment, title, about] = names.map(str::to_owned);
        Outcome {
            experiment,
            title,
            about,
            cassius: version::NUMBER.to_owned(),
            provenance,
            seconds: (start.elapsed().as_secs_f64() * 10.0).round() / 10.0,
            seed: self.seed,
            inputs,
            settings: self.settings,
            tables: self.tables,
            notes: self.notes,
        }
    }
}
