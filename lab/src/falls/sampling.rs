//! `cassius lab falls`: positions of games, each searched, looked at, and searched again with far more nodes.
//!
//! A killed run is continued from its file of JSON lines.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use clap::builder::TypedValueParser as _;

use super::look::{Reports, look, written};
use super::record::{Header, Longer, TIMES, Verdict};
use crate::resumption::{PlaceInGame, RecordingOptions};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::settings::ChessSearcher;
use cassius::game::{Game, Root};
use cassius::games::chess::notation::to_fen;
use cassius::games::chess::pgn::Games;
use cassius::games::chess::{Move, Position};
use cassius::output::flaws::Flaws;
use cassius::random::{Random, mix};
use cassius::search::{Limits, Report, Unobserved};
use cassius::version;

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
    /// Visit N positions in a search; the longer one visits 16 times as many
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=u64::MAX / TIMES))]
    pub nodes: u64,
    /// Take one position in N plies of a game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..).map(usize::from))]
    pub every: usize,
    /// File and search.
    #[command(flatten)]
    pub recording: RecordingOptions,
}

/// Searches the positions that the file lacks. Failures are named in `err`.
pub fn sample(options: &SamplingOptions, err: &mut dyn Write) -> Result<Flaws> {
    let recording = &options.recording;
    let settings = recording.settings();
    recording.check(options.games.iter().map(PathBuf::as_path))?;
    let header = Header {
        falls: FORMAT,
        version: version::FULL.to_owned(),
        search: recording.search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: recording.hash,
        nodes: options.nodes,
        every: options.every,
        seed: recording.seed,
    };
    // Checked before writing: a file with only a header would block the next run.
    let drawn = positions(options)?;
    ensure!(
        !drawn.is_empty(),
        "there are no positions to search in these games"
    );
    recording.record(
        &header,
        drawn,
        |line: Verdict| (line.game, line.ply, line.fen),
        || settings.guarded(),
        |search, place, root| verdict(search, place, &root, options.nodes),
        err,
    )
}

/// One position in every `every` plies of each game from a random one on, if there is a choice of moves.
fn positions(options: &SamplingOptions) -> Result<Vec<(PlaceInGame, Root<Position>)>> {
    let mut drawn = Vec::new();
    let mut number = 0;
    for path in &options.games {
        let named = || path.display().to_string();
        let file = File::open(path).with_context(named)?;
        for game in Games::new(BufReader::new(file)) {
            let game = game.with_context(named)?;
            let mut random = Random::new(mix(options.recording.seed ^ mix(number)));
            let first = FIRST_PLY + random.below(options.every);
            let mut root = Root::new(game.start);
            let moves = game.moves.iter().take_while(|it| !it.is_pass());
            for (ply, &m) in (1..).zip(moves) {
                root.play(m);
                let is_its_turn = ply >= first && (ply - first).is_multiple_of(options.every);
                if is_its_turn && root.position.legal_moves().len() > 1 {
                    let place = (number, ply, to_fen(&root.position));
                    drawn.push((place, root.clone()));
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
    (game, ply, fen): &PlaceInGame,
    root: &Root<Position>,
    nodes: u64,
) -> Result<Option<Verdict>, Fault> {
    search.search(&root.position, |search| {
        search.clear();
        let mut reports = Reports::default();
        let report = search.search(root, &Limits::nodes(nodes), &mut reports);
        let best = report.best_move().filter(|_| !report.value.is_decided())?;
        let looked = look(search, root, &report.pv, nodes, &reports);
        let mut longer = |moves: &[_]| {
            search.clear();
            let limits = Limits {
                search_moves: moves.to_vec(),
                ..Limits::nodes(nodes * TIMES)
            };
            search.search(root, &limits, &mut Unobserved)
        };
        let of = |report: &Report<Move>| Longer {
            value: report.value.get(),
            line: written(&report.pv),
        };
        let long = longer(&[]);
        let kept = (long.best_move() != Some(best)).then(|| longer(&[best]));
        Some(Verdict {
            game: *game,
            ply: *ply,
            fen: fen.clone(),
            value: report.value.get(),
            line: looked.line,
            places: looked.places,
            look: looked.nodes,
            longer: of(&long),
            kept: kept.as_ref().map(of),
        })
    })
}
