//! `cassius lab falls`: positions of games, each searched, looked at, and searched again with far more nodes.
//!
//! A killed run is continued from its file of JSON lines.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use clap::builder::TypedValueParser as _;

use super::look::{Course, look, written};
use super::record::{Header, Longer, TIMES, Verdict};
use crate::resumption::resume;
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::memory::{self, parse_hash};
use cassius::engine::settings::ChessSearcher;
use cassius::engine::spec::SearchSpec;
use cassius::game::{Game, Root};
use cassius::games::chess::notation::to_fen;
use cassius::games::chess::pgn::Games;
use cassius::games::chess::{Evaluation, Position};
use cassius::output::flaws::Flaws;
use cassius::output::output_file::{self, OverwriteArgs};
use cassius::output::progress::Progress;
use cassius::random::{Random, mix};
use cassius::search::{Limits, Unobserved};
use cassius::{version, workers};

/// Version of the file format.
const FORMAT: u32 = 1;
/// First ply of a game from which a position is taken.
const FIRST_PLY: usize = 12;

/// Games, their searches, and the file to write.
#[derive(Clone, Debug, Args)]
pub struct SamplingOptions {
    /// PGN files of games to take positions from
    #[arg(required = true, value_name = "GAMES.pgn")]
    pub games: Vec<PathBuf>,
    /// Write the verdicts to this file, a line of JSON each; given again with --resume, the command goes on
    #[arg(long, value_name = "FILE")]
    pub output: PathBuf,
    /// Visit N positions in a search; the longer one visits 16 times as many
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=u64::MAX / TIMES))]
    pub nodes: u64,
    /// Take one position in N plies of a game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
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
}

/// A position of a game.
struct Drawn {
    game: u64,
    ply: usize,
    root: Root<Position>,
}

/// Searches the positions that the file lacks. Failures are named in `err`.
pub fn sample(options: &SamplingOptions, err: &mut dyn Write) -> Result<Flaws> {
    let search = &options.search;
    let settings = search.settings(Evaluation::default(), options.hash);
    memory::ensure([settings.megabytes()], options.jobs.into())?;
    let inputs = options.games.iter().map(PathBuf::as_path);
    output_file::check_distinct(inputs, [Some(options.output.as_path())])?;
    let header = Header {
        falls: FORMAT,
        version: version::FULL.to_owned(),
        search: search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: options.hash,
        nodes: options.nodes,
        every: options.every,
        seed: options.seed,
    };
    let mut drawn = positions(options)?;
    ensure!(
        !drawn.is_empty(),
        "there are no positions to search in these games"
    );
    let existing = options.overwrite.or_resume(options.resume);
    let (mut file, past) = resume(&options.output, existing, &header, |_| {
        "made by another command or version; choose another file".to_owned()
    })?;
    let past = past.into_iter().map(|it: Verdict| (it.game, it.ply));
    let done: BTreeSet<(u64, usize)> = past.collect();
    drawn.retain(|it| !done.contains(&(it.game, it.ply)));
    let progress = Progress::new(drawn.len() as u64);
    let mut flaws = Flaws::default();
    workers::share(
        drawn.into_iter(),
        options.jobs.into(),
        || anyhow::Ok(settings.guarded()),
        |search, drawn, hand_over| {
            hand_over(verdict(search, &drawn, options.nodes));
            Ok(())
        },
        |result| {
            match result {
                Ok(Some(verdict)) => file.push(&verdict)?,
                Ok(None) => {}
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

/// One position in every `every` plies of each game from a random one on, if there is a choice of moves.
fn positions(options: &SamplingOptions) -> Result<Vec<Drawn>> {
    let mut drawn = Vec::new();
    let mut number = 0;
    for path in &options.games {
        let named = || path.display().to_string();
        let file = File::open(path).with_context(named)?;
        for game in Games::new(BufReader::new(file)) {
            let game = game.with_context(named)?;
            let mut random = Random::new(mix(options.seed ^ mix(number)));
            let first = FIRST_PLY + random.below(options.every);
            let mut root = Root::new(game.start);
            let moves = game.moves.iter().take_while(|it| !it.is_pass());
            for (ply, &m) in (1..).zip(moves) {
                root.play(m);
                let is_its_turn = ply >= first && (ply - first).is_multiple_of(options.every);
                if is_its_turn && root.position.legal_moves().len() > 1 {
                    drawn.push(Drawn {
                        game: number,
                        ply,
                        root: root.clone(),
                    });
                }
            }
            number += 1;
        }
    }
    Ok(drawn)
}

/// Searches a position, looks at the verdict, and searches again; `None` if the game is over or decided.
fn verdict(
    search: &mut Guarded<ChessSearcher>,
    drawn: &Drawn,
    nodes: u64,
) -> Result<Option<Verdict>, Fault> {
    let Drawn { game, ply, root } = drawn;
    search.search(&root.position, |search| {
        search.clear();
        let mut course = Course::default();
        let report = search.search(root, &Limits::nodes(nodes), &mut course);
        let best = report.best_move().filter(|_| !report.value.is_decided())?;
        let looked = look(search, root, &report.pv, nodes, &course);
        let mut longer = |moves: &[_]| {
            search.clear();
            let limits = Limits {
                search_moves: moves.to_vec(),
                ..Limits::nodes(nodes * TIMES)
            };
            search.search(root, &limits, &mut Unobserved)
        };
        let of = |report: &cassius::search::Report<_>| Longer {
            value: report.value.get(),
            line: written(&report.pv),
        };
        let long = longer(&[]);
        let kept = (long.best_move() != Some(best)).then(|| longer(&[best]));
        Some(Verdict {
            game: *game,
            ply: *ply,
            fen: to_fen(&root.position),
            value: report.value.get(),
            line: looked.line,
            candidates: looked.candidates,
            look: looked.nodes,
            longer: of(&long),
            kept: kept.as_ref().map(of),
        })
    })
}
