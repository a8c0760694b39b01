//! `cassius suite` and `cassius suite merge`: from options to tables.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::choice::Filter;
use super::compare;
use super::epd::{self, Record};
use super::player::Contestant;
use super::process::EngineError;
use super::results::{CSV_HEADING, Entry, Header, Outcome, Results, ResultsError, Shard};
use super::run::{self, Plan, RunError};
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::spec::SearchSpec;
use crate::games::chess::notation::{Castling, to_fen};
use crate::output::csv::CsvFile;
use crate::output::json_lines::{self, JsonLines};
use crate::output::output_file::{self, Existing, OutputError};
use crate::output::progress::Progress;
use crate::output::provenance::Provenance;
use crate::version;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// EPD files.
    pub files: Vec<PathBuf>,
    /// By which rules their castling rights are read.
    pub castling: Castling,
    /// What ends each search.
    pub limit: Limit,
    /// Our searches.
    pub searches: Vec<SearchSpec>,
    /// Commands that start external engines.
    pub engines: Vec<String>,
    /// How long an engine may keep us waiting beyond its time.
    pub patience: Duration,
    /// Memory for each search, in MiB.
    pub hash_megabytes: usize,
    /// Which positions to run.
    pub filter: Option<Filter>,
    /// Which part of them.
    pub shard: Option<Shard>,
    /// File of results to write.
    pub json: Option<PathBuf>,
    /// CSV file to write.
    pub csv: Option<PathBuf>,
    /// What becomes of files that are there already: the JSON file is continued or not, the CSV file
    /// made anew with it.
    pub existing: Existing,
    /// How many positions are worked on at a time.
    pub jobs: usize,
    /// The command line that asks for all this, to be recorded with the results.
    pub command: String,
}

/// What did not go well in a run that came to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flaws {
    /// Items that were skipped, whole or in part: malformed lines and games, files without any, lines that are cut short.
    pub malformed: usize,
    /// Positions where our own search failed, or an engine crashed, hung or gave no legal move.
    pub failures: usize,
}

impl Flaws {
    /// Whether every position was run by every search.
    pub fn is_none(self) -> bool {
        self == Flaws::default()
    }
}

impl fmt::Display for Flaws {
    /// `2 malformed items skipped, whole or in part; 1 failure`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = |count: usize| if count == 1 { "" } else { "s" };
        let Flaws {
            malformed,
            failures,
        } = *self;
        if malformed > 0 {
            let ending = several(malformed);
            write!(
                f,
                "{malformed} malformed item{ending} skipped, whole or in part"
            )?;
        }
        if malformed > 0 && failures > 0 {
            f.write_str("; ")?;
        }
        if failures > 0 {
            write!(f, "{failures} failure{}", several(failures))?;
        }
        Ok(())
    }
}

/// Why a suite cannot be run, or not to its end.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What happened.
        reason: io::Error,
    },
    /// No positions.
    #[error("there are no positions to run")]
    Nothing,
    /// The same search or engine twice: results are told apart by name.
    #[error("'{name}' is given twice")]
    Twice {
        /// Its name.
        name: String,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// A file of results that cannot be continued or merged.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The file of results is about another position.
    #[error("{}: position {number} has changed since; the run cannot be continued", path.display())]
    Moved {
        /// The file of results.
        path: PathBuf,
        /// The position's number in the EPD files.
        number: usize,
    },
    /// An engine that cannot be started, or fails again and again.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The searches are too large for the machine.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// The output.
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl From<RunError> for SuiteError {
    fn from(error: RunError) -> SuiteError {
        match error {
            RunError::Engine(error) => SuiteError::Engine(error),
            RunError::File(error) => SuiteError::File(error),
            RunError::Io(error) => SuiteError::Output(error),
        }
    }
}

/// Runs a suite: misses and tables go to `out`, malformed lines to `err`.
pub fn run(
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws, SuiteError> {
    let inputs = options.files.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [options.json.as_deref(), options.csv.as_deref()])?;
    let (records, malformed) = read(&options.files, options.castling, err)?;
    let contestants = contestants(options)?;
    memory::ensure(contestants.iter().map(Contestant::megabytes), options.jobs)?;
    let header = Header {
        cassius: version::NUMBER.to_owned(),
        files: names(&options.files),
        positions: records.len(),
        filter: options.filter.as_ref().map(ToString::to_string),
        shard: options.shard,
        limit: options.limit,
        hash_mb: options.hash_megabytes,
        searches: contestants.iter().map(|c| c.name().to_owned()).collect(),
        networks: contestants.iter().map(Contestant::network).collect(),
        programs: contestants.iter().map(Contestant::program).collect(),
        runs: vec![Provenance::here(options.command.clone())],
    };
    let chosen = choose(records, options);
    if chosen.is_empty() {
        return Err(SuiteError::Nothing);
    }
    let mut store = Store::open(options, header, &chosen)?;
    let done = store.done();
    let progress = Progress::new((chosen.len() * contestants.len() - done.len()) as u64);
    let plan = Plan {
        records: &chosen,
        contestants: &contestants,
        limit: options.limit,
        jobs: options.jobs,
    };
    let ran = run::run(plan, &done, |entry| {
        if !entry.outcome.solved {
            progress.aside(|| writeln!(out, "{}", miss(&entry)))?;
        }
        progress.advance(entry.id.clone());
        Ok(store.push(entry)?)
    });
    progress.finish();
    ran?;
    let results = store.results;
    writeln!(out, "\n{}", compare::to_text(&results).trim_end())?;
    let failed = |entry: &&Entry| entry.outcome.failure.is_some();
    Ok(Flaws {
        malformed,
        failures: results.entries.iter().filter(failed).count(),
    })
}

/// Puts files of results together, shows their tables, and writes them to `json` and `csv` if asked to. What is not
/// whole is named in `err`.
pub fn merge(
    paths: &[PathBuf],
    json: Option<&Path>,
    csv: Option<&Path>,
    existing: Existing,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws, SuiteError> {
    output_file::check_distinct(paths.iter().map(PathBuf::as_path), [json, csv])?;
    let results = Results::merge(paths)?;
    let malformed = json_lines::name_torn(paths, err)?;
    let csv = csv.map(|path| CsvFile::create(path, existing));
    let csv = csv.transpose()?;
    if let Some(path) = json {
        results.write(path, existing)?;
    }
    if let Some(mut file) = csv {
        write_csv(&mut file, &results.entries)?;
    }
    write!(out, "{}", compare::to_text(&results))?;
    Ok(Flaws {
        malformed,
        failures: 0,
    })
}

/// The positions of all files, and how many lines are none, or files have none; these are named in `err`, with what is odd in
/// others.
pub fn read(
    files: &[PathBuf],
    castling: Castling,
    err: &mut dyn Write,
) -> Result<(Vec<Record>, usize), SuiteError> {
    let (mut records, mut malformed) = (Vec::new(), 0);
    for path in files {
        let file = epd::read_file(path, castling).map_err(|reason| SuiteError::Read {
            path: path.clone(),
            reason,
        })?;
        if file.records.is_empty() {
            writeln!(
                err,
                "{}: there are no positions in this file",
                path.display()
            )?;
            malformed += usize::from(file.malformed.is_empty());
        }
        records.extend(file.records);
        malformed += file.malformed.len();
        for line in file.oddities {
            writeln!(err, "{line}")?;
        }
        for line in file.malformed {
            writeln!(err, "{line}")?;
        }
    }
    Ok((records, malformed))
}

fn names(paths: &[PathBuf]) -> Vec<String> {
    paths
        .iter()
        .map(|path| path.display().to_string())
        .collect()
}

fn contestants(options: &Options) -> Result<Vec<Contestant>, SuiteError> {
    let hash = options.hash_megabytes;
    let searches = options.searches.iter();
    let mut contestants: Vec<Contestant> = searches
        .map(|spec| Contestant::search(spec, hash))
        .collect();
    for command in &options.engines {
        contestants.push(Contestant::engine(command, hash, options.patience)?);
    }
    let mut names = BTreeSet::new();
    for contestant in &contestants {
        if !names.insert(contestant.name()) {
            let name = contestant.name().to_owned();
            return Err(SuiteError::Twice { name });
        }
    }
    Ok(contestants)
}

/// The positions to run, with their numbers in the files. The shard is taken of what the filter
/// leaves, so that shards are of one size.
fn choose(records: Vec<Record>, options: &Options) -> Vec<(usize, Record)> {
    let numbered = (1..).zip(records);
    let filtered = numbered.filter(|(number, record)| {
        let filter = options.filter.as_ref();
        filter.is_none_or(|filter| filter.accepts(*number, &record.id))
    });
    let in_shard = |index: usize| options.shard.is_none_or(|shard| shard.has(index));
    let indexed = filtered.enumerate().filter(|&(index, _)| in_shard(index));
    indexed.map(|(_, numbered)| numbered).collect()
}

/// How a position that was not solved is told.
fn miss(entry: &Entry) -> String {
    let Entry {
        id, search, goal, ..
    } = entry;
    let Outcome {
        best_move,
        cp,
        mate,
        failure,
        ..
    } = &entry.outcome;
    if let Some(failure) = failure {
        return format!("failed  {id}  {search}: {failure}");
    }
    let value = match (mate, cp) {
        (Some(moves), _) => format!("#{moves}"),
        (None, Some(cp)) => format!("{:+.2}", f64::from(*cp) / 100.0),
        (None, None) => "?".to_owned(),
    };
    let played = best_move.as_deref().unwrap_or("no move");
    format!("missed  {id}  {search}: {played} ({value}); wanted {goal}")
}

/// The results so far, in memory and in files.
struct Store {
    results: Results,
    json: Option<JsonLines>,
    csv: Option<CsvFile>,
}

impl Store {
    fn open(
        options: &Options,
        header: Header,
        chosen: &[(usize, Record)],
    ) -> Result<Store, SuiteError> {
        let mut results = Results {
            header,
            entries: Vec::new(),
        };
        let (mut json, mut csv, mut existing) = (None, None, options.existing);
        if let Some(path) = &options.json {
            let mut file = JsonLines::open(path, existing, &results.header)?;
            if !file.is_empty() {
                let old = Results::from_lines(path, file.lines()?)?;
                results.entries = continued(path, &results.header, old, chosen)?;
                // It was made from the JSON file, and is made from it again.
                existing = Existing::Overwrite;
            }
            json = Some(file);
        }
        // Nothing is written before it is certain that all can be.
        if let Some(path) = &options.csv {
            csv = Some(CsvFile::create(path, existing)?);
        }
        if let Some(file) = json.as_mut().filter(|file| file.is_empty()) {
            file.push(&results.header)?;
        }
        if let Some(file) = &mut csv {
            write_csv(file, &results.entries)?;
        }
        Ok(Store { results, json, csv })
    }

    /// What need not be run again.
    fn done(&self) -> BTreeSet<(usize, String)> {
        let entries = self.results.entries.iter();
        entries
            .map(|entry| (entry.position, entry.search.clone()))
            .collect()
    }

    fn push(&mut self, entry: Entry) -> Result<(), OutputError> {
        if let Some(json) = &mut self.json {
            json.push(&entry)?;
        }
        if let Some(csv) = &mut self.csv {
            csv.row(&entry.csv_row())?;
        }
        self.results.entries.push(entry);
        Ok(())
    }
}

/// The entries of an earlier run that this one continues, if it is the same run.
fn continued(
    path: &Path,
    header: &Header,
    old: Results,
    chosen: &[(usize, Record)],
) -> Result<Vec<Entry>, SuiteError> {
    let other_shard = (header.shard != old.header.shard).then_some("shard");
    if let Some(what) = header.difference(&old.header).or(other_shard) {
        let path = path.to_owned();
        return Err(ResultsError::Different { path, what }.into());
    }
    for entry in &old.entries {
        let same = chosen.iter().any(|(number, record)| {
            *number == entry.position
                && record.id == entry.id
                && to_fen(&record.position) == entry.fen
                && record.goal() == entry.goal
        });
        if !same {
            return Err(SuiteError::Moved {
                path: path.to_owned(),
                number: entry.position,
            });
        }
    }
    Ok(old.entries)
}

fn write_csv(file: &mut CsvFile, entries: &[Entry]) -> Result<(), OutputError> {
    file.row(&CSV_HEADING)?;
    entries
        .iter()
        .try_for_each(|entry| file.row(&entry.csv_row()))
}
