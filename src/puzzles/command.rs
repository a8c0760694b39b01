//! `cassius puzzles GAMES.pgn`: reads options and games, writes files.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::finding::{Puzzle, Terms};
use super::run::{self, News};
use super::{epd, page};
use crate::games::chess::pgn::GamesFile;
use crate::lines::printable;
use crate::output::flaws::Flaws;
use crate::output::output_file::{self, GrowingFile, OutputError, OverwriteArgs, WholeFile};
use crate::output::progress::Progress;

/// Most puzzles on a page: each takes about a kilobyte.
const MOST_ON_PAGE: usize = 2_000;

/// The games, the terms for puzzles, and the files to write.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// PGN file of games
    #[arg(value_name = "GAMES.pgn")]
    pub file: PathBuf,
    /// Write each puzzle to FILE when it is found, as a line of EPD; without --epd and --html puzzles are printed
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
    /// Write a web page on which to solve the puzzles, updated after each one
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Terms for puzzles.
    #[command(flatten)]
    pub terms: Terms,
    /// Work on N games at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

const EXAMPLES: &str = "\
A position is a puzzle if all of this holds. One move, or a few of the same worth, are surely better than
all others by --gap; a search that knows how the game went on agrees. The game is open, and not lost with
these moves either; the best is no recapture. Depth-first
conspiracy-number search finds the move at a demand of 3 or more and keeps it for another iteration.
Alpha-beta search with as many nodes as that search needed misses the move, or settles on it only in the
second half of them. The grade (c0) is the demand at which depth-first search finds the move.

Examples:
  cassius puzzles games.pgn --epd puzzles.epd --html puzzles.html
  cassius puzzles games.pgn --nodes 20000 --gap 0.3 | head";

/// Finds the puzzles in the games of a file. Writes those that neither the EPD file nor the page takes to `out`, as EPD
/// lines; reports flaws of games and the number of puzzles to `err`.
pub(crate) fn run(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> Result<Flaws> {
    let path = options.file.as_path();
    let outputs = [&options.epd, &options.html];
    output_file::check_distinct([path], outputs.map(Option::as_deref))?;
    let (jobs, existing) = (usize::from(options.jobs), options.overwrite.existing());
    run::ensure_memory(&options.terms, jobs)?;
    // Opened first, so that a wrong path leaves the output files as they are.
    let games = GamesFile::open(path)?;
    let epd = options.epd.as_deref();
    let mut epd = epd
        .map(|path| GrowingFile::create(path, existing))
        .transpose()?;
    let page = options.html.as_deref();
    let page = page.map(|path| WholeFile::claim(path, existing));
    let page = page.transpose()?;
    if let Some(epd) = &mut epd {
        // Creates the file even if there are no puzzles.
        epd.push(b"")?;
    }
    let mut telling = Telling {
        options,
        epd,
        page,
        shown: Vec::new(),
        count: 0,
        flaws: Flaws::default(),
        progress: Progress::of_bytes(games.length),
    };
    let ran = run::run(games, &options.terms, jobs, |news| {
        telling.tell(news, out, err)
    });
    telling.progress.finish();
    ran?;
    telling.finish(err)
}

/// The outputs for puzzles; counts and progress so far.
struct Telling<'a> {
    options: &'a Options,
    epd: Option<GrowingFile>,
    page: Option<WholeFile>,
    /// The puzzles on the page.
    shown: Vec<Puzzle>,
    /// Number of puzzles.
    count: usize,
    flaws: Flaws,
    progress: Progress,
}

impl Telling<'_> {
    fn tell(&mut self, news: News, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
        let path = self.options.file.display();
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
            News::Done(game) => {
                let count = format!("{} puzzles", self.count);
                self.progress.reach_with(game.layout.end, count);
            }
            News::Puzzle(puzzle) => {
                self.count += 1;
                let line = epd::line(&puzzle);
                let is_shown = self.page.is_some() && self.shown.len() < MOST_ON_PAGE;
                if is_shown {
                    self.shown.push(*puzzle);
                    // Rewritten, so that a killed run leaves all it has found. A stream gets the page once, at the end.
                    if self.page.as_ref().is_some_and(|it| !it.is_stream()) {
                        self.write_page()?;
                    }
                }
                match &mut self.epd {
                    Some(epd) => epd.push(line.as_bytes())?,
                    // Whoever solves the puzzles on the page should not see the solutions first.
                    None if is_shown => {}
                    None => self.progress.aside(|| out.write_all(line.as_bytes()))?,
                }
            }
        }
        Ok(())
    }

    /// Writes the page and reports the number of puzzles.
    fn finish(mut self, err: &mut dyn Write) -> Result<Flaws> {
        self.write_page()?;
        if let Some(page) = &self.options.html {
            self.progress.report_page(page, err)?;
        }
        match self.count {
            0 => writeln!(
                err,
                "0 puzzles: most games have none; give more games, or a smaller --gap"
            )?,
            1 => writeln!(err, "1 puzzle")?,
            count => writeln!(err, "{count} puzzles")?,
        }
        Ok(self.flaws)
    }

    /// Writes the page, if there is one.
    fn write_page(&mut self) -> Result<(), OutputError> {
        let Some(page) = &mut self.page else {
            return Ok(());
        };
        let Options { file, terms, .. } = self.options;
        let name = printable(&file.file_name().unwrap_or_default().to_string_lossy());
        page.write(page::render(&name, terms, &self.shown).as_bytes())
    }
}
