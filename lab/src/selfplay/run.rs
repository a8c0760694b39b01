//! `cassius lab selfplay`: a folder of games, shard by shard.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::folder::{Recipe, agree_on_recipe, shard_path, sweep, write_manifest};
use super::player::play;
use super::record::GameRecord;
use cassius::engine::fault::Guarded;
use cassius::engine::memory::{self, parse_hash};
use cassius::engine::settings::ChessSearcher;
use cassius::engine::spec::SearchSpec;
use cassius::games::chess::Evaluation;
use cassius::output::flaws::Flaws;
use cassius::output::output_file::{self, Existing, Refusal};
use cassius::output::progress::Progress;
use cassius::version;
use cassius::workers;

/// Most shards of a folder: their names have five digits.
const MOST_SHARDS: u64 = 100_000;

/// Games to play, and the folder to fill.
#[derive(Clone, Debug, Args)]
pub struct SelfplayOptions {
    /// Fill this folder with games; those that are there stay
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Make these shards, by number: from 0 up to, but not including, 10, for example. Shards that are
    /// there are left alone, so several runs can share a folder
    #[arg(long, value_name = "FROM..TO", default_value = "0..1", value_parser = parse_range)]
    pub shards: Range<u64>,
    /// Games in a shard
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
    /// The search that plays: NAME[:OPTION=VALUE]...
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// Memory for each search's table
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = parse_hash)]
    pub hash: usize,
    /// Positions to visit for each move
    #[arg(long, value_name = "N", default_value_t = 5_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Seed of openings and random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Make N shards at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

/// A range of shards.
fn parse_range(text: &str) -> Result<Range<u64>, String> {
    let number = |text: &str| text.trim().parse::<u32>().map(u64::from).ok();
    text.split_once("..")
        .and_then(|(from, to)| Some(number(from)?..number(to)?))
        .filter(|range| range.start < range.end && range.end <= MOST_SHARDS)
        .ok_or_else(|| {
            format!("expected FROM..TO, as 0..10: two whole numbers, the first the smaller, up to {MOST_SHARDS}")
        })
}

/// Makes the missing shards; then writes the manifest. A game in which the search fails is an empty record in its
/// shard. `err` names it, and warns of a program built from uncommitted sources.
pub fn selfplay(options: &SelfplayOptions, err: &mut dyn Write) -> Result<Flaws> {
    let (search, jobs) = (&options.search, usize::from(options.jobs));
    let settings = search.settings(Evaluation::default(), options.hash);
    let threads = settings.search.threads.count;
    ensure!(
        threads == 1,
        "--search {search}: games of {threads} threads are others each time; leave Threads at 1, and use --jobs"
    );
    memory::ensure([settings.megabytes()], jobs)?;
    if version::is_dirty() {
        writeln!(
            err,
            "these games can be made again by this binary only: it was built from sources that no commit has ({})",
            version::COMMIT
        )?;
    }
    let folder = &options.folder;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    sweep(folder);
    let recipe = Recipe {
        version: version::FULL.to_owned(),
        search: search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: Some(settings.search.hash_megabytes),
        nodes: options.nodes,
        seed: options.seed,
        games_per_shard: options.games,
    };
    agree_on_recipe(folder, &recipe)?;
    // An empty file may be left by a machine that lost power.
    let has_content = |path: PathBuf| fs::metadata(path).is_ok_and(|it| it.len() > 0);
    let missing = |shard: &u64| !has_content(shard_path(folder, *shard));
    let shards: Vec<u64> = options.shards.clone().filter(missing).collect();
    let mut flaws = Flaws::default();
    let progress = Progress::new(shards.len() as u64 * options.games);
    let start = Instant::now();
    let mut positions = 0;
    workers::share(
        shards.into_iter(),
        jobs,
        || Ok(settings.guarded()),
        |search, shard, hand_over| make_shard(options, search, shard, hand_over),
        |played: Result<usize, String>| {
            match played {
                Ok(moves) => positions += moves,
                Err(fault) => {
                    flaws.failures += 1;
                    progress.aside(|| writeln!(err, "{fault}"))?;
                }
            }
            let seconds = start.elapsed().as_secs_f64();
            let rate = positions as f64 / seconds.max(f64::EPSILON);
            progress.advance(format!("{rate:.0} positions per second"));
            Ok(())
        },
    )?;
    progress.finish();
    write_manifest(folder, &recipe)?;
    Ok(flaws)
}

/// Plays a shard's games and writes them, unless another run has done so meanwhile.
fn make_shard(
    options: &SelfplayOptions,
    search: &mut Guarded<ChessSearcher>,
    shard: u64,
    hand_over: &mut dyn FnMut(Result<usize, String>) -> bool,
) -> Result<()> {
    let mut contents = Vec::new();
    let first = shard * options.games;
    for number in first..first + options.games {
        let told = match play(search, options.seed, number, options.nodes) {
            Ok(game) => {
                game.write(&mut contents)?;
                Ok(game.moves.len())
            }
            Err(fault) => {
                GameRecord::not_played().write(&mut contents)?;
                Err(format!("game {number} failed: {fault}"))
            }
        };
        if !hand_over(told) {
            return Ok(());
        }
    }
    let path = shard_path(&options.folder, shard);
    match output_file::write(&path, Existing::Refuse, &contents) {
        // Another run with the same recipe made it: it holds the same games.
        Err(error) if matches!(error.reason, Refusal::Exists) => Ok(()),
        written => Ok(written?),
    }
}
