//! `cassius lab selfplay` and `cassius lab tune`: games to a file, weights from files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::chances::Chances;
use super::fit::{Fit, Settings, logistic_scale};
use super::record::{GameRecord, RecordError};
use super::sample::{self, Sample};
use super::selfplay::Selfplay;
use crate::games::chess::Quiescence;
use crate::report::output_file::{self, Existing, GrowingFile, OutputError, WholeFile};
use crate::report::progress::Progress;
use crate::suite::command::Flaws;
use crate::version;

/// One game in so many is not learnt from but kept to see how well the weights do on others.
const HELD_BACK: usize = 10;
/// Steps between two lines that tell how it goes.
const TELL_EVERY: u32 = 50;

/// Why games could not be played or learnt from.
#[derive(Debug, Error)]
pub enum TuningError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file that cannot be read.
    #[error("{}: {reason}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What happened.
        reason: io::Error,
    },
    /// A line that is no game.
    #[error("{}, line {line}: {reason}", path.display())]
    Record {
        /// Where.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        reason: RecordError,
    },
    /// No positions to learn from.
    #[error("there are no quiet positions in these games")]
    Nothing,
    /// Games of another run.
    #[error(
        "{}: written by '{found}'; this run would write '{wanted}'; it cannot be continued",
        path.display()
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// What it begins with.
        found: String,
        /// What it should begin with.
        wanted: String,
    },
    /// Standard output.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn at(path: &Path) -> impl Fn(io::Error) -> TuningError + '_ {
    move |reason| TuningError::Read {
        path: path.to_owned(),
        reason,
    }
}

/// Which games to play.
#[derive(Clone, Debug)]
pub struct SelfplayOptions {
    /// Where they go.
    pub file: PathBuf,
    /// How many.
    pub games: u64,
    /// Number of the first: each number is another game.
    pub first: u64,
    /// Seed of the openings.
    pub seed: u64,
    /// Nodes a move.
    pub nodes: u64,
    /// What becomes of a file that is there already.
    pub existing: Existing,
}

/// What the line of a game that failed begins with: a comment to whoever learns from the games.
const FAILED: &str = "# failed: game ";

/// What every file of games begins with.
const SIGNATURE: &str = "# cassius ";

/// Plays games and writes their records, each as soon as it is over; goes on behind those that are there.
/// A game that the search fails in is a comment in the file, and named in `err`.
pub fn selfplay(options: &SelfplayOptions, err: &mut dyn Write) -> Result<Flaws, TuningError> {
    let path = &options.file;
    let &SelfplayOptions {
        games,
        first,
        seed,
        nodes,
        ..
    } = options;
    // How many games there are to be is no part of it: a file can be continued with more.
    let heading = format!(
        "{SIGNATURE}{} lab selfplay --first {first} --seed {seed} --nodes {nodes}",
        version::FULL
    );
    let mut file = GrowingFile::open(path, options.existing, SIGNATURE)?;
    let mut played = 0;
    if file.is_empty() {
        file.push(format!("{heading}\n").as_bytes())?;
    } else {
        played = count_games(path, file.reader()?, &heading)?;
    }
    let mut player = Selfplay::new(seed, nodes);
    let mut flaws = Flaws::default();
    let progress = Progress::new(games.saturating_sub(played));
    for number in first.saturating_add(played)..first.saturating_add(games) {
        match player.play(number) {
            Ok(game) => file.push(format!("{game}\n").as_bytes())?,
            Err(fault) => {
                flaws.failures += 1;
                progress.aside(|| writeln!(err, "game {number} failed: {fault}"))?;
                file.push(format!("{FAILED}{number}: {fault}\n").as_bytes())?;
            }
        }
        progress.advance(String::new());
    }
    progress.finish();
    Ok(flaws)
}

/// How many games an earlier run has written, if it had the same heading.
fn count_games(path: &Path, reader: impl Read, heading: &str) -> Result<u64, TuningError> {
    let mut games = 0;
    for (line, text) in (1..).zip(BufReader::new(reader).lines()) {
        let text = text.map_err(at(path))?;
        if line == 1 {
            if text != heading {
                return Err(TuningError::Different {
                    path: path.to_owned(),
                    found: text,
                    wanted: heading.to_owned(),
                });
            }
            continue;
        }
        if !text.starts_with(FAILED) {
            parse(path, line, &text)?;
        }
        games += 1;
    }
    Ok(games)
}

/// A line as a game.
fn parse(path: &Path, line: usize, text: &str) -> Result<GameRecord, TuningError> {
    text.parse().map_err(|reason| TuningError::Record {
        path: path.to_owned(),
        line,
        reason,
    })
}

/// What to learn from, and how.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// Records of games.
    pub files: Vec<PathBuf>,
    /// How to fit.
    pub fit: Settings,
    /// Where the weights go, as the source text of `weights.rs`; otherwise nowhere.
    pub output: Option<PathBuf>,
    /// What becomes of a file that is there already.
    pub existing: Existing,
}

/// Fits the weights; tells `out` how it goes.
pub fn tune(options: &TuneOptions, out: &mut dyn Write) -> Result<(), TuningError> {
    let inputs = options.files.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [options.output.as_deref()])?;
    // Better now than after hours.
    let output = options.output.as_deref();
    let output = output.map(|path| WholeFile::claim(path, options.existing));
    let output = output.transpose()?;
    let (learnt, held_back) = read(&options.files)?;
    if learnt.is_empty() {
        return Err(TuningError::Nothing);
    }
    let scale = logistic_scale(&learnt);
    let (learnt_from, kept) = (learnt.len(), held_back.len());
    writeln!(
        out,
        "{learnt_from} positions to learn from, {kept} held back; a factor e in the odds is {scale:.1} centipawns"
    )?;
    let Chances { half, scale: width } = Chances::fit(&learnt);
    writeln!(
        out,
        "every second game is won by a side {half:.0} centipawns ahead; a factor e in the odds of that is {width:.0}"
    )?;
    let mut fit = Fit::new(options.fit, scale);
    for step in 0..options.fit.steps {
        if step % TELL_EVERY == 0 {
            tell(&fit, step, &learnt, &held_back, out)?;
        }
        fit.step(&learnt);
    }
    tell(&fit, options.fit.steps, &learnt, &held_back, out)?;
    if let Some(mut file) = output {
        file.write(fit.rounded().to_source().as_bytes())?;
    }
    Ok(())
}

fn tell(
    fit: &Fit,
    step: u32,
    learnt: &[Sample],
    held_back: &[Sample],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (learnt, held_back) = (fit.loss(learnt), fit.loss(held_back));
    writeln!(
        out,
        "step {step:>5}: loss {learnt:.6}, on games held back {held_back:.6}"
    )
}

/// Samples to learn from and samples held back.
fn read(files: &[PathBuf]) -> Result<(Vec<Sample>, Vec<Sample>), TuningError> {
    let mut quiescence = Quiescence::positional();
    let (mut learnt, mut held_back) = (Vec::new(), Vec::new());
    let mut games = 0;
    for path in files {
        let file = BufReader::new(File::open(path).map_err(at(path))?);
        for (line, text) in (1..).zip(file.lines()) {
            let text = text.map_err(at(path))?;
            if text.starts_with('#') || text.trim().is_empty() {
                continue;
            }
            let game = parse(path, line, &text)?;
            games += 1;
            let samples = if games % HELD_BACK == 0 {
                &mut held_back
            } else {
                &mut learnt
            };
            sample::of_game(&game, &mut quiescence, samples);
        }
    }
    Ok((learnt, held_back))
}
