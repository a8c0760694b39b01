//! `cassius lab sample-outlook`: positions of recorded games, each searched to its limit, with all reports on the way.
//!
//! A killed run is continued from its file of JSON lines.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use clap::builder::TypedValueParser as _;

use super::record::{Header, Search, Step};
use crate::resumption::{PlaceInGame, RecordingOptions};
use crate::selfplay::folder::{files_of, read_games};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::settings::ChessSearcher;
use cassius::game::{Evaluator, Game, Root};
use cassius::games::chess::notation::{to_fen, to_uci};
use cassius::games::chess::{Move, Position, Quiescence};
use cassius::output::flaws::Flaws;
use cassius::random::{Random, mix};
use cassius::search::{Limits, Observer, Occasion, Report, Support};
use cassius::version;

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
    /// Take one position in N plies of a game
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
    pub every: usize,
    /// File and search.
    #[command(flatten)]
    pub recording: RecordingOptions,
    /// Fewest positions to visit in a search
    #[arg(long, value_name = "N", default_value_t = 16_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub least_nodes: u64,
    /// Most positions to visit; between the two, the logarithm is spread evenly
    #[arg(long, value_name = "N", default_value_t = 320_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub most_nodes: u64,
}

/// Searches the positions that the file lacks. Failures are named in `err`.
pub fn sample(options: &SamplingOptions, err: &mut dyn Write) -> Result<Flaws> {
    let recording = &options.recording;
    let settings = recording.settings();
    let nodes @ [least, most] = [options.least_nodes, options.most_nodes];
    ensure!(
        least <= most,
        "at least {least} positions and at most {most} cannot both be: see --least-nodes and --most-nodes"
    );
    let inputs = files_of(&options.games)?;
    recording.check(inputs.iter().map(PathBuf::as_path))?;
    let header = Header {
        outlook: FORMAT,
        version: version::FULL.to_owned(),
        search: recording.search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: recording.hash,
        nodes,
        every: options.every,
        seed: recording.seed,
    };
    // Checked before writing: a file with only a header would block the next run.
    let drawn = positions(options)?;
    ensure!(
        !drawn.is_empty(),
        "there are no positions to draw in these games; 'cassius lab selfplay' makes games"
    );
    recording.record(
        &header,
        drawn,
        |line: Search| (line.game, line.ply, line.fen),
        || Sampler {
            search: settings.guarded(),
            evaluator: settings.evaluator(),
        },
        |sampler, place, (position, nodes)| sampler.search(place, &position, nodes).map(Some),
        err,
    )
}

/// One position in every `every` plies of each game, unless it is decided or has only one legal move, and the nodes drawn
/// for its search.
fn positions(options: &SamplingOptions) -> Result<Vec<(PlaceInGame, (Position, u64))>> {
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
            let mut random = Random::new(mix(options.recording.seed ^ mix(game)));
            let first = random.below(every);
            let mut position = record.start.clone();
            for (ply, &(m, value)) in record.moves.iter().enumerate() {
                if ply % every == first {
                    let nodes = nodes(&mut random);
                    let is_open = value.get().abs() < DECIDED;
                    if is_open && position.legal_moves().len() > 1 {
                        let place = (game, ply, to_fen(&position));
                        drawn.push((place, (position.clone(), nodes)));
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
    fn search(
        &mut self,
        (game, ply, fen): &PlaceInGame,
        position: &Position,
        nodes: u64,
    ) -> Result<Search, Fault> {
        let root = Root::new(position.clone());
        let limits = Limits::nodes(nodes);
        let mut scribe = Scribe(Vec::new());
        self.search.search(position, |search| {
            search.clear();
            search.search(&root, &limits, &mut scribe);
        })?;
        Ok(Search {
            game: *game,
            ply: *ply,
            fen: fen.clone(),
            moves: position.legal_moves().len(),
            pieces: position.occupied().count() as u32,
            width: self.evaluator.width(position),
            nodes,
            course: scribe.0,
        })
    }
}
