//! `cassius suite` and `cassius suite merge`: from options to tables.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

use super::compare;
use super::epd::{self, Record};
use super::options::{MergeArgs, Options, SuiteArgs, SuiteCommand};
use super::player::Contestant;
use super::results::{CSV, Entry, Header, Results, different};
use super::run::{self, Plan};
use crate::engine::memory;
use crate::engine::spec::SearchSpec;
use crate::games::chess::Evaluation;
use crate::games::chess::notation::{Castling, to_fen};
use crate::output::csv::CsvFile;
use crate::output::flaws::Flaws;
use crate::output::json_lines::{self, JsonLines};
use crate::output::output_file::{self, Existing, OutputError};
use crate::output::progress::Progress;
use crate::output::provenance::{Provenance, own_command_line};
use crate::uci_client::engine::EngineCommand;
use crate::version;

/// Runs `cassius suite`.
pub fn suite(args: &SuiteArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<Flaws> {
    match &args.command {
        Some(SuiteCommand::Merge(merged)) => merge(merged, out, err),
        None => run(&args.run, out, err),
    }
}

/// Runs a suite: misses and tables go to `out`, malformed lines to `err`.
fn run(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> Result<Flaws> {
    let names = options.files.iter().map(|path| path.display().to_string());
    check_distinct(options)?;
    let castling = Castling::of(options.chess960);
    let (records, malformed) = read(&options.files, castling, err)?;
    let contestants = contestants(options)?;
    let jobs = usize::from(options.jobs);
    memory::ensure(contestants.iter().map(|it| it.megabytes), jobs)?;
    let header = Header {
        cassius: version::NUMBER.to_owned(),
        files: names.collect(),
        positions: records.len(),
        filter: options.filter.clone().map(|filter| filter.0),
        shard: options.shard,
        limit: options.limit,
        hash_mb: options.hash,
        searches: contestants.iter().map(|it| it.name.clone()).collect(),
        networks: contestants.iter().map(|it| it.network.clone()).collect(),
        programs: contestants.iter().map(|it| it.program.clone()).collect(),
        runs: vec![Provenance::here(own_command_line("cassius"))],
    };
    let chosen = choose(records, options);
    ensure!(!chosen.is_empty(), "there are no positions to run");
    let mut store = Store::open(options, header, &chosen)?;
    // Results of the run that is continued: these searches are not run again.
    let done = store.results.entries.iter();
    let done = done.map(|entry| (entry.position, entry.search.clone()));
    let done: BTreeSet<(usize, String)> = done.collect();
    let all = chosen.len() * contestants.len();
    let progress = Progress::new(all.saturating_sub(done.len()) as u64);
    let plan = Plan {
        records: &chosen,
        contestants: &contestants,
        limit: options.limit,
        jobs,
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

/// Checks that no file has two uses: the positions, networks, what the engines' commands name, and the outputs.
fn check_distinct(options: &Options) -> Result<(), OutputError> {
    let of_search = |spec: &SearchSpec| spec.settings(Evaluation::default(), options.hash);
    let networks: Vec<_> = options.search.iter().map(of_search).collect();
    let networks = networks.iter().map(|it| Path::new(it.network.path()));
    let engines = options
        .engine
        .iter()
        .flat_map(|it| EngineCommand::files(it));
    let inputs = options.files.iter().map(PathBuf::as_path);
    let inputs = inputs.chain(networks).chain(engines);
    output_file::check_distinct(inputs, [options.json.as_deref(), options.csv.as_deref()])
}

/// Merges files of results, shows the tables, and writes the merged results to files if requested. Files whose last
/// line is cut short are named in `err`.
fn merge(args: &MergeArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<Flaws> {
    let (paths, existing) = (&args.files, args.overwrite.existing());
    let (json, csv) = (args.json.as_deref(), args.csv.as_deref());
    output_file::check_distinct(paths.iter().map(PathBuf::as_path), [json, csv])?;
    let results = Results::merge(paths)?;
    let malformed = json_lines::name_torn(paths, err)?;
    let csv = csv
        .map(|path| CsvFile::create(path, existing, &CSV))
        .transpose()?;
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

/// Reads the positions of all files; also returns the number of malformed lines and empty files. Names these in `err`,
/// and the oddities of lines that were read.
pub fn read(
    files: &[PathBuf],
    castling: Castling,
    err: &mut dyn Write,
) -> Result<(Vec<Record>, usize)> {
    let (mut records, mut malformed) = (Vec::new(), 0);
    for path in files {
        let file = epd::read_file(path, castling);
        let file = file.with_context(|| path.display().to_string())?;
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
        for line in file.oddities.iter().chain(&file.malformed) {
            writeln!(err, "{line}")?;
        }
    }
    Ok((records, malformed))
}

fn contestants(options: &Options) -> Result<Vec<Contestant>> {
    let hash = options.hash;
    let patience = Duration::from_secs(options.engine_timeout);
    let none = options.engines_only;
    let searches: &[_] = if none { &[] } else { &options.search };
    let own = searches.iter().map(|spec| {
        let settings = spec.settings(Evaluation::default(), hash);
        Contestant::search(spec.to_string(), settings)
    });
    let mut contestants: Vec<Contestant> = own.collect();
    for command in &options.engine {
        let engine = EngineCommand::find(command, hash, patience)?;
        contestants.push(Contestant::engine(engine));
    }
    let mut names = BTreeSet::new();
    for contestant in &contestants {
        // Names identify results.
        let name = &contestant.name;
        ensure!(names.insert(name), "'{name}' is given twice");
    }
    Ok(contestants)
}

/// The positions to run, with their numbers in the files. The shard is a part of the filtered positions, so that all
/// shards have the same size, give or take one.
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

/// The line about an unsolved position.
fn miss(entry: &Entry) -> String {
    let (id, search, outcome) = (&entry.id, &entry.search, &entry.outcome);
    if let Some(failure) = &outcome.failure {
        return format!("failed  {id}  {search}: {failure}");
    }
    let value = match (outcome.mate, outcome.cp) {
        (Some(moves), _) => format!("#{moves}"),
        (None, Some(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
        (None, None) => "?".to_owned(),
    };
    let (played, goal) = (outcome.best_move.as_deref(), &entry.goal);
    let played = played.unwrap_or("no move");
    format!("missed  {id}  {search}: {played} ({value}); wanted {goal}")
}

/// The results so far, in memory and in files.
struct Store {
    results: Results,
    json: Option<JsonLines>,
    csv: Option<CsvFile<Entry>>,
}

impl Store {
    fn open(options: &Options, header: Header, chosen: &[(usize, Record)]) -> Result<Store> {
        let mut results = Results {
            header,
            entries: Vec::new(),
        };
        let mut existing = options.overwrite.or_resume(options.resume);
        let (mut json, mut csv) = (None, None);
        if let Some(path) = &options.json {
            let mut file = JsonLines::open(path, existing, &results.header)?;
            if file.is_begun() {
                // The CSV file is written anew from the JSON file, even if that has but a part of its header.
                existing = Existing::Overwrite;
            }
            if !file.is_empty() {
                let old = Results::from_lines(path, file.lines()?)?;
                results.entries = continued(path, &results.header, old, chosen)?;
            }
            json = Some(file);
        }
        // Opens all files before writing any.
        if let Some(path) = &options.csv {
            csv = Some(CsvFile::create(path, existing, &CSV)?);
        }
        if let Some(file) = json.as_mut().filter(|file| file.is_empty()) {
            file.push(&results.header)?;
        }
        if let Some(file) = &mut csv {
            write_csv(file, &results.entries)?;
        }
        Ok(Store { results, json, csv })
    }

    fn push(&mut self, entry: Entry) -> Result<(), OutputError> {
        if let Some(json) = &mut self.json {
            json.push(&entry)?;
        }
        if let Some(csv) = &mut self.csv {
            csv.row(&entry)?;
        }
        self.results.entries.push(entry);
        Ok(())
    }
}

/// The entries of an earlier run that this one continues; an error if the conditions or positions differ.
fn continued(
    path: &Path,
    header: &Header,
    old: Results,
    chosen: &[(usize, Record)],
) -> Result<Vec<Entry>> {
    let other_shard = (header.shard != old.header.shard).then_some("shard");
    if let Some(what) = header.difference(&old.header).or(other_shard) {
        return Err(different(path, what));
    }
    for entry in &old.entries {
        let same = chosen.iter().any(|(number, record)| {
            *number == entry.position
                && record.id == entry.id
                && to_fen(&record.position) == entry.fen
                && record.goal() == entry.goal
        });
        ensure!(
            same,
            "{}: position {} has changed since; the run cannot be continued",
            path.display(),
            entry.position
        );
    }
    Ok(old.entries)
}

fn write_csv(file: &mut CsvFile<Entry>, entries: &[Entry]) -> Result<(), OutputError> {
    file.heading()?;
    entries.iter().try_for_each(|entry| file.row(entry))
}
