//! `cassius lab sample-outlook`: positions of recorded games, each searched to the end, with what was
//! reported on the way.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use thiserror::Error;

use super::record::{Header, Search, Step};
use crate::engine::fault::Guarded;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::engine::spec::SearchSpec;
use crate::game::{Evaluator, Game, Root};
use crate::games::chess::notation::{to_fen, to_uci};
use crate::games::chess::{Evaluation, Move, Position, Quiescence};
use crate::games::random::{Random, mix};
use crate::lab::selfplay::folder::{SelfplayError, files_of, read_games};
use crate::outlook::MORE_EFFORT;
use crate::outlook::course::BEGINNING;
use crate::report::json_lines::{JsonLines, ReadError, parse};
use crate::report::output_file::{self, Existing, OutputError};
use crate::report::progress::Progress;
use crate::search::{Limits, Observer, Occasion, Report, Support};
use crate::suite::command::Flaws;
use crate::version;
use crate::workers;

/// The version of the files written.
const FORMAT: u32 = 1;
/// A position where a side is farther ahead than this is no position to choose in, in centipawns.
const DECIDED: i16 = 1_500;
/// A move given up is searched alone with this part of the nodes.
const ALONE: u64 = 2;

/// Why positions could not be sampled.
#[derive(Debug, Error)]
pub enum SamplingError {
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file of earlier samples that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Games that cannot be read.
    #[error(transparent)]
    Games(#[from] SelfplayError),
    /// A file of other samples.
    #[error("{}: made by '{found}'; this run would add '{wanted}'; choose another file", path.display())]
    Different {
        /// Which.
        path: PathBuf,
        /// What made the samples that are there.
        found: String,
        /// What would make more.
        wanted: String,
    },
    /// Too little memory.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// Standard output, or threads.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What to sample.
#[derive(Clone, Debug)]
pub struct SamplingOptions {
    /// Recorded games: shards, or folders of them.
    pub games: Vec<PathBuf>,
    /// Where the searches go.
    pub output: PathBuf,
    /// What becomes of a file that is there already.
    pub existing: Existing,
    /// The search.
    pub search: SearchSpec,
    /// Its memory, in MiB.
    pub hash_megabytes: usize,
    /// The least and the most nodes of a search; the logarithm is spread evenly between.
    pub nodes: [u64; 2],
    /// Plies of a game between two positions.
    pub every: usize,
    /// Seed of the choice of positions and of nodes.
    pub seed: u64,
    /// How many to search at a time.
    pub jobs: usize,
}

/// A position to be searched.
struct Task {
    game: u64,
    ply: usize,
    position: Position,
    nodes: u64,
}

/// Searches the positions that the file does not have yet. What a search fails at is named in `err`.
pub fn sample(options: &SamplingOptions, err: &mut dyn Write) -> Result<Flaws, SamplingError> {
    let settings = options
        .search
        .settings(Evaluation::default(), options.hash_megabytes);
    memory::ensure([settings.megabytes()], options.jobs)?;
    let inputs = options.games.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [Some(options.output.as_path())])?;
    let header = Header {
        outlook: FORMAT,
        version: version::FULL.to_owned(),
        search: options.search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: options.hash_megabytes,
        nodes: options.nodes,
        every: options.every,
        seed: options.seed,
    };
    let mut file = JsonLines::open(&options.output, options.existing, &header)?;
    let done = past(options, &header, &mut file)?;
    let mut tasks = tasks(options)?;
    tasks.retain(|task| !done.contains(&(task.game, task.ply)));
    let progress = Progress::new(tasks.len() as u64);
    let mut flaws = Flaws::default();
    workers::share(
        tasks.into_iter(),
        options.jobs,
        || Ok::<_, SamplingError>(Sampler::new(&settings)),
        |sampler, task, hand_over| {
            hand_over(sampler.search(&task));
            Ok(())
        },
        |result: Result<Search, String>| {
            match result {
                Ok(search) => file.push(&search)?,
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

/// The searches that the file has already; begins it if it has nothing.
fn past(
    options: &SamplingOptions,
    header: &Header,
    file: &mut JsonLines,
) -> Result<BTreeSet<(u64, usize)>, SamplingError> {
    let mut done = BTreeSet::new();
    if file.is_empty() {
        file.push(header)?;
        return Ok(done);
    }
    let path = &options.output;
    for line in file.lines()? {
        let (number, line) = line?;
        if number > 1 {
            let search: Search = parse(path, number, &line)?;
            done.insert((search.game, search.ply));
            continue;
        }
        let found: Header = parse(path, number, &line)?;
        if found != *header {
            let text = |header: &Header| serde_json::to_string(header).unwrap_or_default();
            return Err(SamplingError::Different {
                path: path.clone(),
                found: text(&found),
                wanted: text(header),
            });
        }
    }
    Ok(done)
}

/// The positions of the games, every so many plies, with the effort for each.
fn tasks(options: &SamplingOptions) -> Result<Vec<Task>, SamplingError> {
    let mut tasks = Vec::new();
    let mut game = 0;
    let every = options.every.max(1);
    let [least, most] = options.nodes.map(|nodes| (nodes.max(1) as f64).ln());
    for file in files_of(&options.games)? {
        read_games(&file, |record| {
            let mut random = Random::new(mix(options.seed ^ mix(game)));
            let first = random.below(every);
            let mut position = record.start.clone();
            for (ply, &(m, value)) in record.moves.iter().enumerate() {
                if ply % every == first {
                    let part = random.below(1 << 20) as f64 / f64::from(1 << 20);
                    let nodes = (least + part * (most - least)).exp().round() as u64;
                    let is_open = value.get().abs() < DECIDED;
                    if is_open && position.legal_moves().len() > 1 {
                        tasks.push(Task {
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
    Ok(tasks)
}

/// Searches positions one after the other, each from an empty table.
struct Sampler {
    search: Guarded<ChessSearcher>,
    evaluator: Quiescence,
}

/// Writes down what is reported on the best line.
#[derive(Default)]
struct Scribe {
    course: Vec<Step>,
}

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
        self.course.push(Step {
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
    fn new(settings: &EngineSettings) -> Sampler {
        Sampler {
            search: settings.guarded(),
            evaluator: settings.evaluator(),
        }
    }

    fn search(&mut self, task: &Task) -> Result<Search, String> {
        let position = &task.position;
        let (course, _) = self.think(position, &Limits::nodes(task.nodes))?;
        let given_up = self.given_up(task, &course)?;
        Ok(Search {
            game: task.game,
            ply: task.ply,
            fen: to_fen(position),
            moves: position.legal_moves().len(),
            pieces: position.occupied().count() as u32,
            width: self.evaluator.width(position),
            nodes: task.nodes,
            course,
            given_up,
        })
    }

    /// Searches each move alone that was the choice at a time that has an outlook, and is no longer.
    fn given_up(&mut self, task: &Task, course: &[Step]) -> Result<Vec<(String, i16)>, String> {
        let Some(last) = course.last() else {
            return Ok(Vec::new());
        };
        let counts =
            |step: &&Step| step.done && step.n >= BEGINNING && step.n * MORE_EFFORT <= task.nodes;
        let others: BTreeSet<&str> = course
            .iter()
            .filter(counts)
            .map(|step| step.m.as_str())
            .filter(|&m| m != last.m)
            .collect();
        let moves = task.position.legal_moves();
        let mut given_up = Vec::new();
        for m in moves {
            let text = to_uci(m, true);
            if !others.contains(text.as_str()) {
                continue;
            }
            let limits = Limits {
                search_moves: vec![m],
                ..Limits::nodes(task.nodes / ALONE)
            };
            let (_, value) = self.think(&task.position, &limits)?;
            given_up.push((text, value));
        }
        Ok(given_up)
    }

    /// A search from an empty table: its course and the value in the end.
    fn think(
        &mut self,
        position: &Position,
        limits: &Limits<Move>,
    ) -> Result<(Vec<Step>, i16), String> {
        let root = Root::new(position.clone());
        let mut scribe = Scribe::default();
        let report = self.search.search(position, |search| {
            search.clear();
            search.search(&root, limits, &mut scribe)
        });
        match report {
            Ok(report) => Ok((scribe.course, report.value.get())),
            Err(fault) => Err(fault.to_string()),
        }
    }
}
