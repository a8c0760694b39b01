//! A folder filled shard by shard, and `cassius lab selfplay`, which fills it with new games.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::folder::{Recipe, agree_on_recipe, shard_path, sweep, write_manifest};
use super::player::play;
use super::record::GameRecord;
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::memory::{self, parse_hash};
use cassius::engine::settings::{ChessSearcher, EngineSettings};
use cassius::engine::spec::SearchSpec;
use cassius::games::chess::Evaluation;
use cassius::output::flaws::Flaws;
use cassius::output::output_file::{self, Existing, Refusal};
use cassius::output::progress::Progress;
use cassius::version;
use cassius::workers;

/// Most shards of a folder: their names have five digits.
const MOST_SHARDS: u64 = 100_000;

/// The folder to fill, and the search that does it.
#[derive(Clone, Debug, Args)]
pub struct FillOptions {
    /// Fill this folder with games; those that are there stay
    #[arg(value_name = "FOLDER")]
    pub folder: PathBuf,
    /// Make these shards, by number: from 0 up to, but not including, 10, for example. Shards that are
    /// there are left alone, so several runs can share a folder
    #[arg(long, value_name = "FROM..TO", default_value = "0..1", value_parser = parse_range)]
    pub shards: Range<u64>,
    /// The search: NAME[:OPTION=VALUE]...
    #[arg(long, value_name = "SEARCH", default_value = "depth-first")]
    pub search: SearchSpec,
    /// Memory for each search's table
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = parse_hash)]
    pub hash: usize,
    /// Positions to visit in each search
    #[arg(long, value_name = "N", default_value_t = 5_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Make N shards at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
}

/// Games to play, and the folder to fill.
#[derive(Clone, Debug, Args)]
pub struct SelfplayOptions {
    /// Folder and search.
    #[command(flatten)]
    pub fill: FillOptions,
    /// Games in a shard
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub games: u64,
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

/// The outcome of one game: its number of positions with a value, or what went wrong.
pub(super) type Made = Result<usize, String>;

/// Plays the games of the missing shards; then writes the manifest. A game in which the search fails is an empty record
/// in its shard. `err` names it, and warns of a program built from uncommitted sources.
pub fn selfplay(options: &SelfplayOptions, err: &mut dyn Write) -> Result<Flaws> {
    let (games, fill) = (options.games, &options.fill);
    let recipe = fill.recipe(games);
    fill.run(&recipe, err, |search, shard, contents, hand_over| {
        for number in shard * games..(shard + 1) * games {
            let game = play(search, fill.seed, number, fill.nodes);
            if !hand_over(record(game.map(|it| vec![it]), number, contents)?) {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Appends the records of a game to a shard, an empty one for a game without any and for a failed one.
pub(super) fn record(
    game: Result<Vec<GameRecord>, Fault>,
    number: u64,
    contents: &mut Vec<u8>,
) -> Result<Made> {
    let (records, made) = match game {
        Ok(records) => {
            let positions = records.iter().map(|it| it.moves.len()).sum();
            (records, Ok(positions))
        }
        Err(fault) => (Vec::new(), Err(format!("game {number} failed: {fault}"))),
    };
    if records.is_empty() {
        GameRecord::not_played().write(contents)?;
    }
    for record in records {
        record.write(contents)?;
    }
    Ok(made)
}

impl FillOptions {
    fn settings(&self) -> EngineSettings {
        self.search.settings(Evaluation::default(), self.hash)
    }

    /// The recipe of games played by this search.
    pub(super) fn recipe(&self, games_per_shard: u64) -> Recipe {
        let settings = self.settings();
        Recipe {
            version: version::FULL.to_owned(),
            search: self.search.to_string(),
            network: settings.network_checksum().map(str::to_owned),
            hash: Some(settings.search.hash_megabytes),
            nodes: self.nodes,
            seed: self.seed,
            games_per_shard,
            labels_of: None,
        }
    }

    /// Makes the missing shards by `make`, which appends a shard's games to its contents and hands over what came of each
    /// one, and returns false if it was told to stop; then writes the manifest.
    pub(super) fn run(
        &self,
        recipe: &Recipe,
        err: &mut dyn Write,
        make: impl Fn(
            &mut Guarded<ChessSearcher>,
            u64,
            &mut Vec<u8>,
            &mut dyn FnMut(Made) -> bool,
        ) -> Result<bool>
        + Sync,
    ) -> Result<Flaws> {
        let (search, jobs) = (&self.search, usize::from(self.jobs));
        let settings = self.settings();
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
        let folder = &self.folder;
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        sweep(folder);
        agree_on_recipe(folder, recipe)?;
        // An empty file may be left by a machine that lost power.
        let has_content = |path: PathBuf| fs::metadata(path).is_ok_and(|it| it.len() > 0);
        let missing = |shard: &u64| !has_content(shard_path(folder, *shard));
        let shards: Vec<u64> = self.shards.clone().filter(missing).collect();
        let mut flaws = Flaws::default();
        let progress = Progress::new(shards.len() as u64 * recipe.games_per_shard);
        let start = Instant::now();
        let mut positions = 0;
        workers::share(
            shards.into_iter(),
            jobs,
            || Ok(settings.guarded()),
            |search, shard, hand_over| {
                let mut contents = Vec::new();
                if make(search, shard, &mut contents, hand_over)? {
                    write_shard(folder, shard, &contents)?;
                }
                anyhow::Ok(())
            },
            |made: Made| {
                match made {
                    Ok(count) => positions += count,
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
        write_manifest(folder, recipe)?;
        Ok(flaws)
    }
}

/// Writes a shard, unless another run has done so meanwhile.
fn write_shard(folder: &Path, shard: u64, contents: &[u8]) -> Result<()> {
    match output_file::write(&shard_path(folder, shard), Existing::Refuse, contents) {
        // Another run with the same recipe made it: it holds the same games.
        Err(error) if matches!(error.reason, Refusal::Exists) => Ok(()),
        written => Ok(written?),
    }
}
