//! Positions drawn from recorded games, worked on one by one, and what comes of each written to a file of JSON lines
//! that a killed run goes on with, for `cassius lab sample-outlook`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::record::{Header, Search};
use crate::outcome::Input;
use crate::selfplay::folder::{SelfplayError, files_of, read_games};
use cassius::engine::memory::NotEnoughMemory;
use cassius::game::Game;
use cassius::games::chess::Position;
use cassius::games::chess::notation::to_fen;
use cassius::output::json_lines::{JsonLines, ReadError, parse, read_lines};
use cassius::output::output_file::{self, Existing, OutputError};
use cassius::output::progress::Progress;
use cassius::random::{Random, mix};
use cassius::suite::command::Flaws;
use cassius::suite::results::Shard;
use cassius::workers;

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
    /// Games without a position to draw, or no games.
    #[error("there are no positions to draw in these games; 'cassius lab selfplay' makes games")]
    Nothing,
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
    /// Fewer nodes at the most than at the least.
    #[error(
        "at least {least} positions and at most {most} cannot both be: see --least-nodes and --most-nodes"
    )]
    Nodes {
        /// At the least.
        least: u64,
        /// At the most.
        most: u64,
    },
    /// A file of other games.
    #[error(
        "{}: has another position for ply {ply} of game {game}; go on with the games it was begun with, or choose another file",
        path.display()
    )]
    OtherGames {
        /// Which.
        path: PathBuf,
        /// The number of the game, from 0.
        game: u64,
        /// The number of the move, from 0.
        ply: usize,
    },
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// Standard output, or threads.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Why files cannot be put together.
#[derive(Debug, Error)]
pub enum PartsError {
    /// A file that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Files of several searches.
    #[error("{}: sampled from '{found}', the files before it from '{wanted}'; give files of one search", path.display())]
    Different {
        /// The file.
        path: PathBuf,
        /// Its search.
        found: String,
        /// That of the others.
        wanted: String,
    },
    /// A position that was read before.
    #[error("{}: ply {ply} of game {game} was read before; give each part once", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// The number of the game, from 0.
        game: u64,
        /// The number of the move, from 0.
        ply: usize,
    },
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

/// A position of a game, and the nodes drawn for its search.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    /// The number of the game among those given, from 0.
    pub(super) game: u64,
    /// The number of the move, from 0.
    pub(super) ply: usize,
    /// The position.
    pub(super) position: Position,
    /// The nodes.
    pub(super) nodes: u64,
}

/// Works on the positions that the file does not have yet. `header` is the file's first line; `nodes` draws the nodes
/// of a search, `worker` makes what works on positions, `work` does it: what it fails at is named in `err`.
pub(super) fn work_on<W>(
    options: &Draw,
    header: &Header,
    nodes: impl FnMut(&mut Random) -> u64,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Drawn) -> Result<Search, String> + Sync,
    err: &mut dyn Write,
) -> Result<Flaws, DrawnError> {
    let inputs = files_of(&options.games)?;
    let inputs = inputs.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [Some(options.output.as_path())])?;
    // Before anything is written: a header alone would stand in the way of the next run.
    let mut drawn = positions(options, nodes)?;
    if drawn.is_empty() {
        return Err(DrawnError::Nothing);
    }
    let mut file = JsonLines::open(&options.output, options.existing, header)?;
    let done = past(&options.output, header, &mut file)?;
    check_games(&options.output, &done, &drawn)?;
    if let Some(shard) = options.shard {
        // What is drawn for a position depends on its game only, so parts make together what one run makes.
        let mut indices = 0..;
        drawn.retain(|_| indices.next().is_some_and(|index| shard.has(index)));
    }
    drawn.retain(|it| !done.contains_key(&(it.game, it.ply)));
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

/// Positions by their game and ply, in Forsyth-Edwards notation.
type Places = BTreeMap<(u64, usize), String>;

/// The positions that the file has already; begins it if it has nothing.
fn past(path: &Path, header: &Header, file: &mut JsonLines) -> Result<Places, DrawnError> {
    let mut done = Places::new();
    if file.is_empty() {
        file.push(header)?;
        return Ok(done);
    }
    for line in file.lines()? {
        let (number, line) = line?;
        if number > 1 {
            let line: Search = parse(path, number, &line)?;
            done.insert((line.game, line.ply), line.fen);
            continue;
        }
        let found: Header = parse(path, number, &line)?;
        if found != *header {
            let text = |header: &Header| serde_json::to_string(header).unwrap_or_default();
            return Err(DrawnError::Different {
                path: path.to_owned(),
                found: text(&found),
                wanted: text(header),
            });
        }
    }
    Ok(done)
}

/// Whether what the file has already is of the games that positions are drawn from.
fn check_games(path: &Path, done: &Places, drawn: &[Drawn]) -> Result<(), DrawnError> {
    let drawn: BTreeMap<_, _> = drawn
        .iter()
        .map(|it| ((it.game, it.ply), &it.position))
        .collect();
    let is_of_them = |(place, fen): &(&(u64, usize), &String)| {
        drawn.get(*place).is_some_and(|it| to_fen(it) == **fen)
    };
    match done.iter().find(|it| !is_of_them(it)) {
        Some((&(game, ply), _)) => Err(DrawnError::OtherGames {
            path: path.to_owned(),
            game,
            ply,
        }),
        None => Ok(()),
    }
}

/// One position in so many plies of each game, where there is something to choose.
fn positions(
    options: &Draw,
    mut nodes: impl FnMut(&mut Random) -> u64,
) -> Result<Vec<Drawn>, DrawnError> {
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
                    let nodes = nodes(&mut random);
                    let is_open = value.get().abs() < DECIDED;
                    if is_open && position.legal_moves().len() > 1 {
                        drawn.push(Drawn {
                            game,
                            ply,
                            position: position.clone(),
                            nodes,
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

/// Files put together.
pub(super) struct Parts {
    /// What came of the positions.
    pub(super) lines: Vec<Search>,
    /// The files, with how many positions each has.
    pub(super) inputs: Vec<Input>,
}

/// Puts files together. A file without a line adds nothing.
pub(super) fn read(paths: &[PathBuf]) -> Result<Parts, PartsError> {
    let (mut wanted, mut lines, mut inputs) = (None, Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for path in paths {
        let before = lines.len();
        let mut seed = 0;
        for line in read_lines(path)? {
            let (number, line) = line?;
            if number == 1 {
                let header: Header = parse(path, number, &line)?;
                seed = header.seed;
                let found = header.search();
                let wanted = wanted.get_or_insert_with(|| found.clone());
                if found != *wanted {
                    return Err(PartsError::Different {
                        path: path.clone(),
                        found,
                        wanted: wanted.clone(),
                    });
                }
                continue;
            }
            let line: Search = parse(path, number, &line)?;
            // Another seed may draw a position again. Games of other folders have the same numbers.
            if !seen.insert((seed, line.game, line.ply, line.fen.clone())) {
                return Err(PartsError::Twice {
                    path: path.clone(),
                    game: line.game,
                    ply: line.ply,
                });
            }
            lines.push(line);
        }
        inputs.push(Input {
            file: path.display().to_string(),
            positions: lines.len() - before,
        });
    }
    Ok(Parts { lines, inputs })
}
