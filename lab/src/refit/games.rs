//! Games by which numbers are fitted: each depends on seed and number alone.

use std::io;

use anyhow::Result;
use clap::Args;

use crate::selfplay::opening::of_game;
use crate::selfplay::player::{fair_opening, think};
use crate::selfplay::record::GameRecord;
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::game::Root;
use cassius::games::chess::{Move, Position};
use cassius::output::progress::Progress;
use cassius::value::Value;
use cassius::workers;

/// Nodes for the value of an opening.
const OPENING_NODES: u64 = 2_000;

/// How many games to play, and how.
#[derive(Clone, Debug, Args)]
pub struct Playing {
    /// Games to play; for levels, between each two
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub games: u64,
    /// Seed of openings and of what levels choose
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Play N games at a time; it changes nothing about them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

/// A random opening that is worth at most `most` centipawns to either side, by the default search.
pub(super) fn opening(
    search: &mut Guarded<ChessSearcher>,
    seed: u64,
    number: u64,
    most: i16,
) -> Result<Root<Position>, Fault> {
    search.get().clear();
    let mut random = of_game(seed, number);
    let root = fair_opening(&mut random, most, |root| think(search, root, OPENING_NODES));
    search.get().clear();
    root
}

/// A search's move, with its value.
pub(super) fn choice(
    search: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    nodes: u64,
) -> Result<Option<(Move, Value)>, Fault> {
    let report = think(search, root, nodes)?;
    Ok(report.best_move().map(|best| (best, report.value)))
}

/// Plays games 0 to `count` on several threads, each with a default search of its own; returns them in their order.
pub(super) fn play_all(
    count: u64,
    jobs: u16,
    play: impl Fn(&mut Guarded<ChessSearcher>, u64) -> Result<GameRecord, Fault> + Sync,
) -> io::Result<Vec<Result<GameRecord, Fault>>> {
    let progress = Progress::new(count);
    let mut games = Vec::new();
    workers::share(
        0..count,
        jobs.into(),
        || Ok(EngineSettings::default().guarded()),
        |search, number, hand_over| {
            hand_over((number, play(search, number)));
            Ok(())
        },
        |game| {
            games.push(game);
            progress.advance(String::new());
            Ok::<(), io::Error>(())
        },
    )?;
    progress.finish();
    games.sort_by_key(|&(number, _)| number);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}
