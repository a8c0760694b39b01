//! Positions drawn from recorded games, worked on one by one, and what comes of each written to a file of JSON lines
//! that a killed run goes on with: what `cassius lab sample-outlook` and `cassius lab reversals` share.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::selfplay::folder::{SelfplayError, files_of, read_games};
use crate::engine::memory::NotEnoughMemory;
use crate::game::Game;
use crate::games::chess::Position;
use crate::games::random::{Random, mix};
use crate::report::json_lines::{JsonLines, ReadError, parse, read_lines};
use crate::report::output_file::{self, Existing, OutputError};
use crate::report::progress::Progress;
use crate::suite::command::Flaws;
use crate::suite::results::Shard;
use crate::workers;

/// A position where a side is farther ahead than this is no position to choose in, in centipawns.
const DECIDED: i16 = 1_500;

/// Why positions could not be drawn or worked on.
#[derive(Debug, Error)]
pub enum DrawnError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file of earlier work that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Games that cannot be read.
    #[error(transparent)]
    Games(#[from] SelfplayError),
    /// A file of other work.
    #[error("{}: made by '{found}'; this run would add '{wanted}'; choose another file", path.display())]
    Different {
        /// Which.
        path: PathBuf,
        /// What made what is there.
        found: String,
        /// What would make more.
        wanted: String,
    },
    /// A search that does not let itself be watched.
    #[error(
        "the search '{0}' cannot be watched; choose depth-first, alpha-beta or alpha-beta-plain"
    )]
    Unwatchable(String),
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// Standard output, or threads.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Which positions to draw, and where what comes of them goes.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Recorded games: shards, or folders of them.
    pub games: Vec<PathBuf>,
    /// Where the results go.
    pub output: PathBuf,
    /// What becomes of a file that is there already.
    pub existing: Existing,
    /// Plies of a game between two positions.
    pub every: usize,
    /// Seed of the choice.
    pub seed: u64,
    /// Which part of the positions drawn; `None` for all.
    pub shard: Option<Shard>,
    /// How many to work on at a time.
    pub jobs: usize,
}

/// A position of a game, and what else was drawn for it.
#[derive(Clone, Debug)]
pub(super) struct Drawn<T> {
    /// The number of the game among those given, from 0.
    pub(super) game: u64,
    /// The number of the move, from 0.
    pub(super) ply: usize,
    /// The position.
    pub(super) position: Position,
    /// What else.
    pub(super) more: T,
}

/// What came of a position: a line of the file.
pub(super) trait Line: Serialize + DeserializeOwned + Send {
    /// The game and the ply of the position.
    fn place(&self) -> (u64, usize);
}

/// Works on the positions that the file does not have yet. `header` is the file's first line; `draw` draws what else
/// a position needs, `worker` makes what works on them, `work` does it: what it fails at is named in `err`.
pub(super) fn work_on<H, T, W, L>(
    options: &Draw,
    header: &H,
    draw: impl FnMut(&mut Random) -> T,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Drawn<T>) -> Result<L, String> + Sync,
    err: &mut dyn Write,
) -> Result<Flaws, DrawnError>
where
    H: Serialize + DeserializeOwned + PartialEq,
    T: Send,
    L: Line,
{
    let inputs = options.games.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [Some(options.output.as_path())])?;
    let mut file = JsonLines::open(&options.output, options.existing, header)?;
    let done = past::<H, L>(&options.output, header, &mut file)?;
    let mut drawn = positions(options, draw)?;
    if let Some(shard) = options.shard {
        // What is drawn for a position depends on its game only, so parts make together what one run makes.
        let mut indices = 0..;
        drawn.retain(|_| indices.next().is_some_and(|index| shard.has(index)));
    }
    drawn.retain(|it| !done.contains(&(it.game, it.ply)));
    let progress = Progress::new(drawn.len() as u64);
    let mut flaws = Flaws::default();
    workers::share(
        drawn.into_iter(),
        options.jobs,
        || Ok::<_, DrawnError>(worker()),
        |worker, drawn, hand_over| {
            hand_over(work(worker, &drawn));
            Ok(())
        },
        |result| {
            match result {
                Ok(line) => file.push(&line)?,
                Err(fault) => {
                    flaws.failures += 1;
                    progress.aside(|| writeln!(err, "{fault}"))?;
                }
            }
            progress.advance(String::new());
            Ok(())
        },
    )?;
    progress.finish();
    Ok(flaws)
}

/// The positions that the file has already; begins it if it has nothing.
fn past<H, L>(
    path: &Path,
    header: &H,
    file: &mut JsonLines,
) -> Result<BTreeSet<(u64, usize)>, DrawnError>
where
    H: Serialize + DeserializeOwned + PartialEq,
    L: Line,
{
    let mut done = BTreeSet::new();
    if file.is_empty() {
        file.push(header)?;
        return Ok(done);
    }
    for line in file.lines()? {
        let (number, line) = line?;
        if number > 1 {
            done.insert(parse::<L>(path, number, &line)?.place());
            continue;
        }
        let found: H = parse(path, number, &line)?;
        if found != *header {
            let text = |header: &H| serde_json::to_string(header).unwrap_or_default();
            return Err(DrawnError::Different {
                path: path.to_owned(),
                found: text(&found),
                wanted: text(header),
            });
        }
    }
    Ok(done)
}

/// One position in so many plies of each game, where there is something to choose.
fn positions<T>(
    options: &Draw,
    mut draw: impl FnMut(&mut Random) -> T,
) -> Result<Vec<Drawn<T>>, DrawnError> {
    let mut drawn = Vec::new();
    let mut game = 0;
    let every = options.every.max(1);
    for file in files_of(&options.games)? {
        read_games(&file, |record| {
            let mut random = Random::new(mix(options.seed ^ mix(game)));
            let first = random.below(every);
            let mut position = record.start.clone();
            for (ply, &(m, value)) in record.moves.iter().enumerate() {
                if ply % every == first {
                    let more = draw(&mut random);
                    let is_open = value.get().abs() < DECIDED;
                    if is_open && position.legal_moves().len() > 1 {
                        drawn.push(Drawn {
                            game,
                            ply,
                            position: position.clone(),
                            more,
                        });
                    }
                }
                position.play(m);
            }
            game += 1;
        })?;
    }
    Ok(drawn)
}

/// The first line of such a file, and what the others say. A file without a line has neither.
pub(super) fn read<H: DeserializeOwned, L: DeserializeOwned>(
    path: &Path,
) -> Result<(Option<H>, Vec<L>), ReadError> {
    let (mut header, mut all) = (None, Vec::new());
    for line in read_lines(path)? {
        let (number, line) = line?;
        if number == 1 {
            header = Some(parse(path, number, &line)?);
        } else {
            all.push(parse(path, number, &line)?);
        }
    }
    Ok((header, all))
}
