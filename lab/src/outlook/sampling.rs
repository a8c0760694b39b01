//! `cassius lab sample-outlook`: positions of recorded games, each searched to its limit, with all reports on the way.
//!
//! A killed run is continued from its file of JSON lines.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::Args;
use clap::builder::TypedValueParser as _;

use super::record::{Header, Search, Step};
use crate::resumption::resume;
use crate::selfplay::folder::{files_of, read_games};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::memory::{self, parse_hash};
use cassius::engine::settings::ChessSearcher;
use cassius::engine::spec::SearchSpec;
use cassius::game::{Evaluator, Game, Root};
use cassius::games::chess::notation::{to_fen, to_uci};
use cassius::games::chess::{Evaluation, Move, Position, Quiescence};
use cassius::output::flaws::Flaws;
use cassius::output::json_lines::JsonLines;
use cassius::output::output_file::{self, Existing, OverwriteArgs};
use cassius::output::progress::Progress;
use cassius::random::{Random, mix};
use cassius::search::{Limits, Observer, Occasion, Report, Support};
use cassius::{version, workers};

/// Version of the file format.
const FORMAT: u32 = 1;
/// Absolute value from which a position counts as decided and is not drawn, in centipawns.
const DECIDED: i16 = 1_500;

/// Positions to draw, their searches, and the file to write.
#[derive(Clone, Debug, Args)]
pub struct SamplingOptions {
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
    /// Search N positions at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Continue a file of an earlier run of the same command
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
    /// The search: NAME[:OPTION=VALUE]...
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// Memory for each search's table
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = parse_hash)]
    pub hash: usize,
    /// Fewest positions to visit in a search
    #[arg(long, value_name = "N", default_value_t = 16_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub least_nodes: u64,
    /// Most positions to visit; between the two, the logarithm is spread evenly
    #[arg(long, value_name = "N", default_value_t = 320_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub most_nodes: u64,
}

/// A position of a game, and the nodes drawn for its search.
#[derive(Clone, Debug)]
struct Drawn {
    /// Index of the game among those given, from 0.
    game: u64,
    /// Index of the move, from 0.
    ply: usize,
    position: Position,
    nodes: u64,
}

/// Searches the positions that the file lacks. Failures are named in `err`.
pub fn sample(options: &SamplingOptions, err: &mut dyn Write) -> Result<Flaws> {
    let search = &options.search;
    let settings = search.settings(Evaluation::default(), options.hash);
    let nodes @ [least, most] = [options.least_nodes, options.most_nodes];
    ensure!(
        least <= most,
        "at least {least} positions and at most {most} cannot both be: see --least-nodes and --most-nodes"
    );
    memory::ensure([settings.megabytes()], options.jobs.into())?;
    let header = Header {
        outlook: FORMAT,
        version: version::FULL.to_owned(),
        search: search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: options.hash,
        nodes,
        every: options.every,
        seed: options.seed,
    };
    let inputs = files_of(&options.games)?;
    let inputs = inputs.iter().map(PathBuf::as_path);
    let inputs = inputs.chain([Path::new(settings.network.path())]);
    output_file::check_distinct(inputs, [Some(options.output.as_path())])?;
    // Checked before writing: a file with only a header would block the next run.
    let mut drawn = positions(options)?;
    ensure!(
        !drawn.is_empty(),
        "there are no positions to draw in these games; 'cassius lab selfplay' makes games"
    );
    let existing = options.overwrite.or_resume(options.resume);
    let (mut file, done) = past(&options.output, existing, &header)?;
    check_games(&options.output, &done, &drawn)?;
    drawn.retain(|it| !done.contains_key(&(it.game, it.ply)));
    let progress = Progress::new(drawn.len() as u64);
    let mut flaws = Flaws::default();
    workers::share(
        drawn.into_iter(),
        options.jobs.into(),
        || {
            anyhow::Ok(Sampler {
                search: settings.guarded(),
                evaluator: settings.evaluator(),
            })
        },
        |sampler, drawn, hand_over| {
            hand_over(sampler.search(&drawn));
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
    let place = |line: Search| ((line.game, line.ply), line.fen);
    Ok((file, lines.into_iter().map(place).collect()))
}

/// Checks that the file's positions come from the games given.
fn check_games(path: &Path, done: &Places, drawn: &[Drawn]) -> Result<()> {
    let drawn = drawn.iter().map(|it| ((it.game, it.ply), &it.position));
    let drawn: BTreeMap<_, _> = drawn.collect();
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

/// One position in every `every` plies of each game, unless it is decided or has only one legal move.
fn positions(options: &SamplingOptions) -> Result<Vec<Drawn>> {
    let [least, most] = [options.least_nodes, options.most_nodes].map(|it| (it as f64).ln());
    let nodes = |random: &mut Random| {
        let part = random.below(1 << 20) as f64 / f64::from(1 << 20);
        (least + part * (most - least)).exp().round() as u64
    };
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

/// Searches positions one by one, each from an empty table.
struct Sampler {
    search: Guarded<ChessSearcher>,
    evaluator: Quiescence,
}

/// Records the reports on the best line.
struct Scribe(Vec<Step>);

impl Observer<Move> for Scribe {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<Move>) {
        let Some(m) = report.best_move() else {
            return;
        };
        if report.line > 1 || report.occasion == Occasion::Final {
            return;
        }
        let costs = report.conspiracy.and_then(|it| match it.support {
            Support::Prices { below, above } => Some([below.get(), above.get()]),
            Support::Leaves { .. } | Support::ProofNumbers { .. } => None,
        });
        self.0.push(Step {
            n: report.nodes,
            i: report.iteration,
            done: report.occasion == Occasion::Iteration,
            v: report.value.get(),
            m: to_uci(m, true),
            costs,
        });
    }
}

impl Sampler {
    fn search(&mut self, task: &Drawn) -> Result<Search, Fault> {
        let position = &task.position;
        let root = Root::new(position.clone());
        let limits = Limits::nodes(task.nodes);
        let mut scribe = Scribe(Vec::new());
        self.search.search(position, |search| {
            search.clear();
            search.search(&root, &limits, &mut scribe);
        })?;
        Ok(Search {
            game: task.game,
            ply: task.ply,
            fen: to_fen(position),
            moves: position.legal_moves().len(),
            pieces: position.occupied().count() as u32,
            width: self.evaluator.width(position),
            nodes: task.nodes,
            course: scribe.0,
        })
    }
}
