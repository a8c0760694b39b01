//! Games by which numbers are fitted: each depends on seed and number alone.

use std::io;

use anyhow::Result;
use clap::Args;

use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::output::progress::Progress;
use cassius::workers;

/// Nodes for the value of an opening.
pub(super) const OPENING_NODES: u64 = 2_000;

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

/// Plays the games by their numbers, from 0, on several threads, each with a default search of its own; returns them in their order.
pub(super) fn play_all<G: Send>(
    playing: &Playing,
    play: impl Fn(&mut Guarded<ChessSearcher>, u64) -> Result<G, Fault> + Sync,
) -> io::Result<Vec<Result<G, Fault>>> {
    let progress = Progress::new(playing.games);
    let numbers: Vec<u64> = (0..playing.games).collect();
    let prepare = || EngineSettings::default().guarded();
    let play = |search: &mut _, &number: &u64| play(search, number);
    let done = |_: &u64| progress.advance(String::new());
    let games = workers::map(&numbers, playing.jobs.into(), prepare, play, done)?;
    progress.finish();
    Ok(games)
}
