//! `cassius puzzles GAMES.pgn`: from options to files.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::finding::{Finder, Puzzle, Terms};
use super::{epd, page};
use crate::engine::fault::Fault;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::games::chess::pgn::{Games, PgnGame};
use crate::output::output_file::{self, Existing, GrowingFile, OutputError, WholeFile};
use crate::output::progress::Progress;
use crate::search::registry::Algorithm;
use crate::suite::command::Flaws;
use crate::workers;

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

/// What comes of a game.
enum News {
    /// Something in it is odd and does not end it.
    Oddity(String),
    /// Something is wrong with it.
    Flaw(String),
    /// It has a puzzle.
    Puzzle(Box<Puzzle>),
    /// A search failed in it.
    Fault(Fault),
    /// It is done, and the file with it as far as this, in bytes.
    Done(u64),
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
    let each = [Algorithm::DepthFirst, Algorithm::AlphaBeta];
    let each = each.map(|it| options.terms.settings(it).megabytes());
    memory::ensure(each, options.jobs)?;
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
        known: HashSet::new(),
        flaws: Flaws::default(),
        progress: Progress::of_bytes(there.is_file().then_some(there.len())),
    };
    let others = std::iter::from_fn(|| {
        let game = games.next()?;
        Some((game, games.bytes()))
    });
    let items = first.into_iter().chain(others);
    let ran: Result<(), PuzzlesError> = workers::share(
        items,
        options.jobs,
        || Ok(Finder::new(options.terms.clone())),
        |finder, (game, bytes), hand_over| {
            let game: PgnGame = game.map_err(at(path))?;
            for odd in &game.oddities {
                hand_over(News::Oddity(odd.to_string()));
            }
            if let Some(flaw) = &game.flaw
                && !hand_over(News::Flaw(flaw.to_string()))
            {
                return Ok(());
            }
            let is_wanted = finder.find(&game, |found| {
                hand_over(match found {
                    Ok(puzzle) => News::Puzzle(Box::new(puzzle)),
                    Err(fault) => News::Fault(fault),
                })
            });
            if is_wanted {
                hand_over(News::Done(bytes));
            }
            Ok(())
        },
        |news| telling.tell(news, out, err),
    );
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
    /// The positions, without their clocks.
    known: HashSet<String>,
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
                let count = format!("{} puzzles", self.known.len());
                self.progress.reach_with(bytes, count);
            }
            News::Puzzle(puzzle) => {
                // Openings come again and again.
                if !self.known.insert(place(&puzzle.fen)) {
                    return Ok(());
                }
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
        let count = self.known.len();
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

/// A position without its clocks.
fn place(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<&str>>().join(" ")
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
        // Easy ones first; those of a grade as they came.
        let mut puzzles: Vec<&Puzzle> = self.puzzles.iter().collect();
        puzzles.sort_by_key(|puzzle| puzzle.grade);
        let text = page::render(&self.name, &self.terms, &puzzles);
        self.file.write(text.as_bytes())
    }
}
