//! `cassius lab sample-outlook`: positions of recorded games, each searched to the end, with all reports on the way.

use std::io::Write;

use anyhow::{Result, ensure};
use clap::Args;

use super::drawn::{self, Draw, Drawn};
use super::record::{Header, Search, Step};
use cassius::engine::fault::Guarded;
use cassius::engine::memory::{self, parse_hash};
use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::engine::spec::SearchSpec;
use cassius::game::{Evaluator, Game, Root};
use cassius::games::chess::notation::{to_fen, to_uci};
use cassius::games::chess::{Evaluation, Move, Quiescence};
use cassius::random::Random;
use cassius::search::{Limits, Observer, Occasion, Report, Support};
use cassius::suite::command::Flaws;
use cassius::version;

/// Version of the file format.
const FORMAT: u32 = 1;

/// Searches to sample.
#[derive(Clone, Debug, Args)]
pub struct SamplingOptions {
    /// The positions, and the file for their searches.
    #[command(flatten)]
    pub draw: Draw,
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

/// Searches the positions that the file lacks. Failures are named in `err`.
pub fn sample(options: &SamplingOptions, err: &mut dyn Write) -> Result<Flaws> {
    let search = &options.search;
    let settings = search.settings(Evaluation::default(), options.hash);
    let draw = &options.draw;
    let nodes @ [least, most] = [options.least_nodes, options.most_nodes];
    ensure!(
        least <= most,
        "at least {least} positions and at most {most} cannot both be: see --least-nodes and --most-nodes"
    );
    memory::ensure([settings.megabytes()], draw.jobs.into())?;
    let header = Header {
        outlook: FORMAT,
        version: version::FULL.to_owned(),
        search: search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: options.hash,
        nodes,
        every: draw.every,
        seed: draw.seed,
        shard: draw.shard,
    };
    let [least, most] = nodes.map(|nodes| (nodes.max(1) as f64).ln());
    let nodes = |random: &mut Random| {
        let part = random.below(1 << 20) as f64 / f64::from(1 << 20);
        (least + part * (most - least)).exp().round() as u64
    };
    drawn::work_on(
        draw,
        &header,
        nodes,
        || Sampler::new(&settings),
        Sampler::search,
        err,
    )
}

/// Searches positions one by one, each from an empty table.
struct Sampler {
    search: Guarded<ChessSearcher>,
    evaluator: Quiescence,
}

/// Records the reports on the best line.
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

    fn search(&mut self, task: &Drawn) -> Result<Search, String> {
        let position = &task.position;
        let root = Root::new(position.clone());
        let limits = Limits::nodes(task.nodes);
        let mut scribe = Scribe::default();
        let searched = self.search.search(position, |search| {
            search.clear();
            search.search(&root, &limits, &mut scribe);
        });
        searched.map_err(|fault| fault.to_string())?;
        Ok(Search {
            game: task.game,
            ply: task.ply,
            fen: to_fen(position),
            moves: position.legal_moves().len(),
            pieces: position.occupied().count() as u32,
            width: self.evaluator.width(position),
            nodes: task.nodes,
            course: scribe.course,
        })
    }
}
