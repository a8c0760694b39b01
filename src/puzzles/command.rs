//! `cassius puzzles GAMES.pgn`: from options to files.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::finding::{Puzzle, Terms};
use super::run::{self, News};
use super::{epd, page};
use crate::engine::memory::NotEnoughMemory;
use crate::games::chess::pgn::Games;
use crate::output::output_file::{self, Existing, GrowingFile, OutputError, WholeFile};
use crate::output::progress::Progress;
use crate::suite::command::Flaws;

/// Most puzzles on a page: each takes about a kilobyte.
const MOST_ON_PAGE: usize = 2_000;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The PGN file.
    pub file: PathBuf,
    /// What is a puzzle.
    pub terms: Terms,
    /// How many games are worked on at a time.
    pub jobs: usize,
    /// EPD file to write; without it the lines are printed.
    pub epd: Option<PathBuf>,
    /// Page to write.
    pub html: Option<PathBuf>,
    /// What becomes of files that are there already.
    pub existing: Existing,
}

/// Why there are no puzzles, or not all.
#[derive(Debug, Error)]
pub enum PuzzlesError {
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What happened.
        reason: io::Error,
    },
    /// No games.
    #[error("{}: there is no game in this file", path.display())]
    Nothing {
        /// The file.
        path: PathBuf,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The searches are too large for the machine.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// Standard output, or a thread.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Finds the puzzles in the games of a file. Lines of EPD go to `out` unless there is a file for them; what is wrong
/// with games and how many puzzles there are goes to `err`.
pub fn run(
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Flaws, PuzzlesError> {
    let path = options.file.as_path();
    let outputs = [&options.epd, &options.html];
    output_file::check_distinct([path], outputs.map(Option::as_deref))?;
    run::ensure_memory(&options.terms, options.jobs)?;
    let file = File::open(path).map_err(at(path))?;
    let there = file.metadata().map_err(at(path))?;
    let mut games = Games::new(BufReader::new(file));
    // Before anything is written.
    let Some(first) = games.next() else {
        let path = path.to_owned();
        return Err(PuzzlesError::Nothing { path });
    };
    let first = Some((first, games.bytes()));
    let epd = options.epd.as_deref();
    let mut epd = epd
        .map(|path| GrowingFile::create(path, options.existing))
        .transpose()?;
    let html = options.html.as_deref();
    let html = html
        .map(|path| WholeFile::claim(path, options.existing))
        .transpose()?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let page = html.map(|file| Page {
        file,
        name: name.into_owned(),
        terms: options.terms.clone(),
        puzzles: Vec::new(),
    });
    if let Some(epd) = &mut epd {
        // There may be no puzzles.
        epd.push(b"")?;
    }
    let mut telling = Telling {
        path,
        epd,
        page,
        count: 0,
        flaws: Flaws::default(),
        progress: Progress::of_bytes(there.is_file().then_some(there.len())),
    };
    let others = std::iter::from_fn(|| {
        let game = games.next()?;
        Some((game, games.bytes()))
    });
    let items = first.into_iter().chain(others);
    let items = items.map(|(game, bytes)| game.map(|game| (game, bytes)).map_err(at(path)));
    let ran = run::run(items, &options.terms, options.jobs, |news| {
        telling.tell(news, out, err)
    });
    telling.progress.finish();
    ran?;
    telling.finish(err)
}

/// Where puzzles go, and what is known of those so far.
struct Telling<'a> {
    /// The file of games.
    path: &'a Path,
    epd: Option<GrowingFile>,
    page: Option<Page>,
    /// How many puzzles there are.
    count: usize,
    flaws: Flaws,
    progress: Progress,
}

impl Telling<'_> {
    fn tell(
        &mut self,
        news: News,
        out: &mut dyn Write,
        err: &mut dyn Write,
    ) -> Result<(), PuzzlesError> {
        let path = self.path.display();
        match news {
            News::Oddity(odd) => self.progress.aside(|| writeln!(err, "{path}: {odd}"))?,
            News::Flaw(flaw) => {
                self.progress.aside(|| writeln!(err, "{path}: {flaw}"))?;
                self.flaws.malformed += 1;
            }
            News::Fault(fault) => {
                self.progress.aside(|| writeln!(err, "{path}: {fault}"))?;
                self.flaws.failures += 1;
            }
            News::Done(bytes) => {
                let count = format!("{} puzzles", self.count);
                self.progress.reach_with(bytes, count);
            }
            News::Puzzle(puzzle) => {
                self.count += 1;
                let line = epd::line(&puzzle);
                match &mut self.epd {
                    Some(epd) => epd.push(line.as_bytes())?,
                    None => self.progress.aside(|| out.write_all(line.as_bytes()))?,
                }
                if let Some(page) = &mut self.page {
                    page.add(*puzzle)?;
                }
            }
        }
        Ok(())
    }

    /// Writes the page and says how many puzzles there are.
    fn finish(mut self, err: &mut dyn Write) -> Result<Flaws, PuzzlesError> {
        if let Some(page) = &mut self.page {
            page.write()?;
        }
        let count = self.count;
        let word = if count == 1 { "puzzle" } else { "puzzles" };
        writeln!(err, "{count} {word}")?;
        Ok(self.flaws)
    }
}

/// Makes an error name its file.
fn at(path: &Path) -> impl Fn(io::Error) -> PuzzlesError + '_ {
    move |reason| PuzzlesError::File {
        path: path.to_owned(),
        reason,
    }
}

/// The page, with the puzzles that are on it.
struct Page {
    file: WholeFile,
    name: String,
    terms: Terms,
    puzzles: Vec<Puzzle>,
}

impl Page {
    /// Adds a puzzle, and writes the page anew: a run that is killed leaves what it has found.
    fn add(&mut self, puzzle: Puzzle) -> Result<(), OutputError> {
        if self.puzzles.len() < MOST_ON_PAGE {
            self.puzzles.push(puzzle);
            if !self.file.is_stream() {
                return self.write();
            }
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), OutputError> {
        let text = page::render(&self.name, &self.terms, &self.puzzles);
        self.file.write(text.as_bytes())
    }
}
