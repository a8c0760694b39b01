//! `cassius lab tune`: weights from games.

use std::io::{self, Write};
use std::path::PathBuf;

use thiserror::Error;

use super::chances::Chances;
use super::fit::{Fit, Settings, logistic_scale};
use super::sample::{self, Sample};
use crate::games::chess::Quiescence;
use crate::lab::selfplay::folder::{SelfplayError, files_of, read_games};
use crate::report::output_file::{self, Existing, OutputError, WholeFile};

/// One game in so many is not learnt from but kept to see how well the weights do on others.
const HELD_BACK: usize = 10;
/// Steps between two lines that tell how it goes.
const TELL_EVERY: u32 = 50;

/// Why nothing could be learnt.
#[derive(Debug, Error)]
pub enum TuningError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// Games that cannot be read.
    #[error(transparent)]
    Games(#[from] SelfplayError),
    /// No positions to learn from.
    #[error("there are no quiet positions in these games")]
    Nothing,
    /// Standard output.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What to learn from, and how.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// Recorded games: shards, or folders of them.
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
    let inputs = files_of(&options.files)?;
    let inputs = inputs.iter().map(PathBuf::as_path);
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
    let learnt = fit.loss(learnt);
    let held_back = if held_back.is_empty() {
        "none".to_owned()
    } else {
        format!("{:.6}", fit.loss(held_back))
    };
    writeln!(
        out,
        "step {step:>5}: loss {learnt:.6}, on games held back {held_back}"
    )
}

/// Samples to learn from and samples held back.
fn read(paths: &[PathBuf]) -> Result<(Vec<Sample>, Vec<Sample>), TuningError> {
    let mut quiescence = Quiescence::positional();
    let (mut learnt, mut held_back) = (Vec::new(), Vec::new());
    let mut games = 0;
    for file in files_of(paths)? {
        read_games(&file, |game| {
            games += 1;
            let samples = if games % HELD_BACK == 0 {
                &mut held_back
            } else {
                &mut learnt
            };
            sample::of_game(game, &mut quiescence, samples);
        })?;
    }
    Ok((learnt, held_back))
}
