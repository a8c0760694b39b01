//! `cassius analyze GAME.pgn`: from options to tables and files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::page;
use super::record::{Game, Header, Line, Record, RecordError, Row};
use super::run::{self, Plan, RunError};
use super::text;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::games::chess::pgn::{self, PgnGame};
use crate::report::csv::CsvFile;
use crate::report::json_lines::JsonLines;
use crate::report::output_file::{self, Existing, OutputError, WholeFile};
use crate::report::progress::Progress;
use crate::report::provenance::Provenance;
use crate::suite::command::Flaws;
use crate::suite::player::Column;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The PGN file.
    pub file: PathBuf,
    /// Who analyses.
    pub column: Column,
    /// Memory for the search, in MiB.
    pub hash_megabytes: usize,
    /// What ends each search.
    pub limit: Limit,
    /// How many games are worked on at a time.
    pub jobs: usize,
    /// Page to write.
    pub html: Option<PathBuf>,
    /// File of JSON lines to write.
    pub json: Option<PathBuf>,
    /// CSV file to write.
    pub csv: Option<PathBuf>,
    /// What becomes of files that are there already: the JSON file is continued or not, the others are made
    /// anew with it.
    pub existing: Existing,
    /// The command line that asks for all this, to be recorded.
    pub command: String,
}

/// Why games cannot be analysed, or not to their ends.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What happened.
        reason: io::Error,
    },
    /// No games.
    #[error("{}: there is no game in it", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
    },
    /// `--json` without a file.
    #[error("--json needs the name of a file when games are analysed")]
    NoFile,
    /// A file that is no analysis, or none that can be continued.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The search is too large for the machine.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// The search or the output.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<io::Error> for ReportError {
    fn from(error: io::Error) -> ReportError {
        ReportError::Run(error.into())
    }
}

/// Analyses games: tables go to `out`, what is wrong with games to `err`.
pub fn run(
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws, ReportError> {
    let path = &options.file;
    // That is what `--json` alone stands for.
    if options.json.as_deref() == Some(Path::new("-")) {
        return Err(ReportError::NoFile);
    }
    let outputs = [&options.json, &options.csv, &options.html];
    output_file::check_distinct([path.as_path()], outputs.map(Option::as_deref))?;
    let pgn = pgn::read_games(fs::read(path).map_err(at(path))?);
    if pgn.is_empty() {
        return Err(ReportError::Nothing { path: path.clone() });
    }
    let mut malformed = 0;
    for flaw in pgn.iter().filter_map(|game| game.flaw.as_ref()) {
        writeln!(err, "{}: {flaw}", path.display())?;
        malformed += 1;
    }
    memory::ensure([options.column.megabytes()], options.jobs)?;
    let mut store = Store::open(options, &pgn)?;
    let games = pgn.into_iter().zip(store.record.games.iter().cloned());
    let games: Vec<(PgnGame, Game)> = games.collect();
    let lengths: Vec<usize> = games.iter().map(|(pgn, _)| run::positions(pgn)).collect();
    let known: usize = games.iter().map(|(_, game)| game.rows.len()).sum();
    let progress = Progress::new((lengths.iter().sum::<usize>() - known) as u64);
    for ((_, game), &length) in games.iter().zip(&lengths) {
        if game.rows.len() == length {
            write!(out, "{}", text::game(game))?;
        }
    }
    let plan = Plan {
        games: &games,
        column: &options.column,
        limit: options.limit,
        jobs: options.jobs,
    };
    let ran = run::run(&plan, |row| {
        let (game, ply) = (row.game, row.ply);
        progress.advance(format!("game {game}, {}", text::move_text(&row)));
        let game = store.push(row)?;
        if ply + 1 == lengths[game] {
            let text = text::game(&store.record.games[game]);
            progress.aside(|| writeln!(out, "{text}"))?;
            store.rewrite_page()?;
        }
        Ok(())
    });
    progress.finish();
    // What has been done is shown even if not everything could be.
    store.write_page()?;
    ran?;
    let rows = store.record.games.iter().flat_map(|game| &game.rows);
    Ok(Flaws {
        malformed,
        failures: rows.filter(|row| row.verdict.failure.is_some()).count(),
    })
}

/// What is known so far, in memory and in files.
struct Store {
    record: Record,
    json: Option<JsonLines>,
    csv: Option<CsvFile>,
    html: Option<WholeFile>,
}

impl Store {
    fn open(options: &Options, pgn: &[PgnGame]) -> Result<Store, ReportError> {
        let name = options.file.file_name().unwrap_or_default();
        let header = Header {
            cassius: env!("CARGO_PKG_VERSION").to_owned(),
            file: name.to_string_lossy().into_owned(),
            games: pgn.len(),
            search: options.column.name().to_owned(),
            limit: options.limit,
            hash_mb: options.hash_megabytes,
            provenance: Provenance::here(options.command.clone()),
        };
        let games = pgn.iter().map(|game| Game {
            info: run::info(game),
            rows: Vec::new(),
        });
        let mut record = Record {
            header,
            games: games.collect(),
        };
        let (mut json, mut csv, mut html) = (None, None, None);
        let mut existing = options.existing;
        if let Some(path) = &options.json {
            let header = Line::Header(record.header.clone());
            let mut file = JsonLines::open(path, existing, &header)?;
            if !file.is_empty() {
                let old = Record::from_lines(path, file.lines()?)?;
                record = continued(path, &record, old)?;
                // They were made from the JSON file, and are made from it again.
                existing = Existing::Overwrite;
            }
            json = Some(file);
        }
        // Nothing is written before it is certain that all can be.
        if let Some(path) = &options.csv {
            csv = Some(CsvFile::create(path, existing)?);
        }
        if let Some(path) = &options.html {
            html = Some(WholeFile::claim(path, existing)?);
        }
        if let Some(file) = json.as_mut().filter(|file| file.is_empty()) {
            file.push(&Line::Header(record.header.clone()))?;
            for game in &record.games {
                file.push(&Line::Game(game.info.clone()))?;
            }
        }
        if let Some(file) = &mut csv {
            file.row(&text::CSV_HEADING)?;
            for row in record.games.iter().flat_map(|game| &game.rows) {
                file.row(&text::csv_row(row))?;
            }
        }
        Ok(Store {
            record,
            json,
            csv,
            html,
        })
    }

    /// Adds a row; returns the index of its game.
    fn push(&mut self, row: Row) -> Result<usize, OutputError> {
        if let Some(csv) = &mut self.csv {
            csv.row(&text::csv_row(&row))?;
        }
        let game = row.game - 1;
        let line = Line::Position(row);
        if let Some(json) = &mut self.json {
            json.push(&line)?;
        }
        if let Line::Position(row) = line {
            self.record.games[game].rows.push(row);
        }
        Ok(game)
    }

    /// Writes the page; whoever has it open sees the old one or the new one whole.
    fn write_page(&mut self) -> Result<(), OutputError> {
        match &mut self.html {
            Some(file) => file.write(page::render(&self.record).as_bytes()),
            None => Ok(()),
        }
    }

    /// Writes the page again, unless pages would come one behind the other.
    fn rewrite_page(&mut self) -> Result<(), OutputError> {
        match &self.html {
            Some(file) if !file.is_stream() => self.write_page(),
            _ => Ok(()),
        }
    }
}

/// What an earlier run has found, if it is the same analysis of the same games.
fn continued(path: &Path, new: &Record, old: Record) -> Result<Record, ReportError> {
    let mut what = new.header.difference(&old.header);
    let both = new.games.iter().zip(&old.games);
    let differs = both.filter(|(new, old)| new.info != old.info).count() > 0;
    if differs || new.games.len() != old.games.len() {
        what = what.or(Some("list of games"));
    }
    match what {
        Some(what) => Err(ReportError::Record(RecordError::Different {
            path: path.to_owned(),
            what,
        })),
        None => Ok(old),
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> ReportError + '_ {
    move |reason| ReportError::File {
        path: path.to_owned(),
        reason,
    }
}
