//! Draws positions from recorded games and works on them one by one; a killed run is continued from its file of JSON
//! lines. For `cassius lab sample-outlook`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::Args;
use clap::builder::TypedValueParser as _;

use super::record::{Header, Search};
use crate::outcome::Input;
use crate::resumption::resume;
use crate::selfplay::folder::{files_of, read_games};
use cassius::game::Game;
use cassius::games::chess::Position;
use cassius::games::chess::notation::to_fen;
use cassius::output::json_lines::{JsonLines, parse, read_lines};
use cassius::output::output_file::{self, Existing, OverwriteArgs};
use cassius::output::progress::Progress;
use cassius::random::{Random, mix};
use cassius::suite::command::Flaws;
use cassius::suite::results::Shard;
use cassius::workers;

/// Largest absolute value of a position with something to choose, in centipawns.
const DECIDED: i16 = 1_500;

/// Positions to draw, and the file to write.
#[derive(Clone, Debug, Args)]
pub struct Draw {
    /// Games written by `cassius lab selfplay`: folders, or single shards
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// Write the searches to this file, a line of JSON each; given again with --resume, the command goes on
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Take one position in N plies of a game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
    pub every: usize,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Search only part I of N of the positions, for a cluster
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Search N positions at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Continue a file of an earlier run of the same command
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// A position of a game, and the nodes drawn for its search.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    /// Index of the game among those given, from 0.
    pub(super) game: u64,
    /// Index of the move, from 0.
    pub(super) ply: usize,
    pub(super) position: Position,
    pub(super) nodes: u64,
}

/// Works on the positions that the file lacks. `header` is the file's first line; `nodes` draws the nodes of a search,
/// `worker` makes a thread's state, `work` does the work: failures are named in `err`.
pub(super) fn work_on<W>(
    options: &Draw,
    header: &Header,
    nodes: impl FnMut(&mut Random) -> u64,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Drawn) -> Result<Search, String> + Sync,
    err: &mut dyn Write,
) -> Result<Flaws> {
    let inputs = files_of(&options.games)?;
    let inputs = inputs.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [Some(options.output.as_path())])?;
    // Checked before writing: a file with only a header would block the next run.
    let mut drawn = positions(options, nodes)?;
    ensure!(
        !drawn.is_empty(),
        "there are no positions to draw in these games; 'cassius lab selfplay' makes games"
    );
    let existing = options.overwrite.or_resume(options.resume);
    let (mut file, done) = past(&options.output, existing, header)?;
    check_games(&options.output, &done, &drawn)?;
    if let Some(shard) = options.shard {
        // Draws depend only on the game, so that shards together equal a whole run.
        let mut indices = 0..;
        drawn.retain(|_| indices.next().is_some_and(|index| shard.has(index)));
    }
    drawn.retain(|it| !done.contains_key(&(it.game, it.ply)));
    let progress = Progress::new(drawn.len() as u64);
    let mut flaws = Flaws::default();
    workers::share(
        drawn.into_iter(),
        options.jobs.into(),
        || anyhow::Ok(worker()),
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

/// The file, and the positions it already has.
fn past(path: &Path, existing: Existing, header: &Header) -> Result<(JsonLines, Places)> {
    let text = |header: &Header| serde_json::to_string(header).unwrap_or_default();
    let other = |found: &Header| {
        let (found, wanted) = (text(found), text(header));
        format!("made by '{found}'; this run would add '{wanted}'; choose another file")
    };
    let (file, lines) = resume(path, existing, header, other)?;
    let places = lines
        .into_iter()
        .map(|line: Search| ((line.game, line.ply), line.fen));
    Ok((file, places.collect()))
}

/// Checks that the file's positions come from the games given.
fn check_games(path: &Path, done: &Places, drawn: &[Drawn]) -> Result<()> {
    let drawn: BTreeMap<_, _> = drawn
        .iter()
        .map(|it| ((it.game, it.ply), &it.position))
        .collect();
    let is_of_them = |(place, fen): &(&(u64, usize), &String)| {
        drawn.get(*place).is_some_and(|it| to_fen(it) == **fen)
    };
    match done.iter().find(|it| !is_of_them(it)) {
        Some((&(game, ply), _)) => bail!(
            "{}: has another position for ply {ply} of game {game}; go on with the games it was begun with, or choose another file",
            path.display()
        ),
        None => Ok(()),
    }
}

/// One position in every `every` plies of each game, if there is something to choose.
fn positions(options: &Draw, mut nodes: impl FnMut(&mut Random) -> u64) -> Result<Vec<Drawn>> {
    let mut drawn = Vec::new();
    let mut game = 0;
    let every = options.every;
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

/// Several files merged.
pub(super) struct Parts {
    /// The results.
    pub(super) lines: Vec<Search>,
    /// The files, with their numbers of positions.
    pub(super) inputs: Vec<Input>,
}

/// Merges files. A file without a line adds nothing.
pub(super) fn read(paths: &[PathBuf]) -> Result<Parts> {
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
                ensure!(
                    found == *wanted,
                    "{}: sampled from '{found}', the files before it from '{wanted}'; give files of one search",
                    path.display()
                );
                continue;
            }
            let line: Search = parse(path, number, &line)?;
            // Another seed may draw a position again. Games of different folders have the same indices.
            ensure!(
                seen.insert((seed, line.game, line.ply, line.fen.clone())),
                "{}: ply {} of game {} was read before; give each part once",
                path.display(),
                line.ply,
                line.game
            );
            lines.push(line);
        }
        inputs.push(Input {
            file: path.display().to_string(),
            positions: lines.len() - before,
        });
    }
    Ok(Parts { lines, inputs })
}
