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
use crate::games::chess::pgn::{self, PgnGame};
use crate::report::csv::CsvFile;
use crate::report::json_lines::JsonLines;
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
    /// Whether a JSON file that is there already is continued.
    pub resume: bool,
    /// The command line that asks for all this, to be recorded.
    pub command: String,
}

/// Why games cannot be analysed, or not to their ends.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file that cannot be read or written.
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
    /// An analysis that would be overwritten.
    #[error("{}: is there already; continue it with --resume, or remove it", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file that is no analysis, or none that can be continued.
    #[error(transparent)]
    Record(#[from] RecordError),
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
    let pgn = pgn::read_games(fs::read(path).map_err(at(path))?);
    if pgn.is_empty() {
        return Err(ReportError::Nothing { path: path.clone() });
    }
    let mut malformed = 0;
    for flaw in pgn.iter().filter_map(|game| game.flaw.as_ref()) {
        writeln!(err, "{}: {flaw}", path.display())?;
        malformed += 1;
    }
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
            store.write_page()?;
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
struct Store<'a> {
    record: Record,
    options: &'a Options,
    json: Option<JsonLines>,
    csv: Option<CsvFile>,
}

impl Store<'_> {
    fn open<'a>(options: &'a Options, pgn: &[PgnGame]) -> Result<Store<'a>, ReportError> {
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
        let json = match &options.json {
            Some(path) if !path.exists() => Some(begin(path, &record).map_err(at(path))?),
            Some(path) if options.resume => {
                record = continued(path, &record)?;
                Some(JsonLines::append(path).map_err(at(path))?)
            }
            Some(path) => return Err(ReportError::Exists { path: path.clone() }),
            None => None,
        };
        let rows = record.games.iter().flat_map(|game| &game.rows);
        let csv = match &options.csv {
            Some(path) => Some(write_csv(path, rows).map_err(at(path))?),
            None => None,
        };
        Ok(Store {
            record,
            options,
            json,
            csv,
        })
    }

    /// Adds a row; returns the index of its game.
    fn push(&mut self, row: Row) -> io::Result<usize> {
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

    /// Writes the page anew; whoever has it open sees the old one or the new one whole.
    fn write_page(&self) -> io::Result<()> {
        let Some(path) = &self.options.html else {
            return Ok(());
        };
        let unfinished = path.with_extension("html.part");
        fs::write(&unfinished, page::render(&self.record))?;
        fs::rename(&unfinished, path)
    }
}

/// Begins a file: all that is known before the first search.
fn begin(path: &Path, record: &Record) -> io::Result<JsonLines> {
    let mut json = JsonLines::create(path)?;
    json.push(&Line::Header(record.header.clone()))?;
    for game in &record.games {
        json.push(&Line::Game(game.info.clone()))?;
    }
    Ok(json)
}

/// What an earlier run has found, if it is the same analysis of the same games.
fn continued(path: &Path, new: &Record) -> Result<Record, ReportError> {
    let old = Record::read(path)?;
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

fn write_csv<'r>(path: &Path, rows: impl Iterator<Item = &'r Row>) -> io::Result<CsvFile> {
    let mut csv = CsvFile::create(path, &text::CSV_HEADING)?;
    for row in rows {
        csv.row(&text::csv_row(row))?;
    }
    Ok(csv)
}

fn at(path: &Path) -> impl Fn(io::Error) -> ReportError + '_ {
    move |reason| ReportError::File {
        path: path.to_owned(),
        reason,
    }
}
