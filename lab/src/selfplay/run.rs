//! `cassius lab selfplay`: a folder of games, shard by shard.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use super::folder::{Recipe, SelfplayError, agree_on_recipe, at, shard_path, write_manifest};
use super::player::Player;
use super::record::{GameRecord, GameResult};
use cassius::engine::memory;
use cassius::engine::settings::EngineSettings;
use cassius::engine::spec::SearchSpec;
use cassius::games::chess::{Evaluation, Position};
use cassius::output::output_file::{self, Existing, OutputError};
use cassius::output::progress::Progress;
use cassius::suite::command::Flaws;
use cassius::version;
use cassius::workers;

/// Which games to play.
#[derive(Clone, Debug)]
pub struct SelfplayOptions {
    /// Where they go.
    pub folder: PathBuf,
    /// Which shards to make, by number.
    pub shards: Range<u64>,
    /// Games in each.
    pub games: u64,
    /// Who plays.
    pub search: SearchSpec,
    /// Memory of each search, in MiB.
    pub hash_megabytes: usize,
    /// Nodes a move.
    pub nodes: u64,
    /// Seed of openings and random moves.
    pub seed: u64,
    /// How many shards to make at a time.
    pub jobs: usize,
}

/// Makes the shards that are missing; then lists what is there in the manifest. A game that the search
/// fails in is an empty record in its shard, and named in `err`. So is a version that no commit has.
pub fn selfplay(options: &SelfplayOptions, err: &mut dyn Write) -> Result<Flaws, SelfplayError> {
    let settings = options
        .search
        .settings(Evaluation::default(), options.hash_megabytes);
    let threads = settings.search.threads.count;
    if threads != 1 {
        return Err(SelfplayError::Threads {
            search: options.search.to_string(),
            threads,
        });
    }
    memory::ensure([settings.megabytes()], options.jobs)?;
    if version::is_dirty() {
        writeln!(
            err,
            "these games can be made again by this binary only: it was built from sources that no commit has ({})",
            version::COMMIT
        )?;
    }
    let folder = &options.folder;
    fs::create_dir_all(folder).map_err(at(folder))?;
    let recipe = Recipe {
        version: version::FULL.to_owned(),
        search: options.search.to_string(),
        network: settings.network_checksum().map(str::to_owned),
        hash: Some(settings.search.hash_megabytes),
        nodes: options.nodes,
        seed: options.seed,
        games_per_shard: options.games,
    };
    agree_on_recipe(folder, &recipe)?;
    // An empty one may be left of a machine that lost power.
    let has_content = |path: PathBuf| fs::metadata(path).is_ok_and(|it| it.len() > 0);
    let missing = |shard: &u64| !has_content(shard_path(folder, *shard));
    let shards: Vec<u64> = options.shards.clone().filter(missing).collect();
    let mut flaws = Flaws::default();
    let progress = Progress::new(shards.len() as u64 * options.games);
    let start = Instant::now();
    let mut positions = 0;
    workers::share(
        shards.into_iter(),
        options.jobs,
        || Ok(player(options, &settings)),
        |player, shard, hand_over| make_shard(options, player, shard, hand_over),
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
            Ok::<(), SelfplayError>(())
        },
    )?;
    progress.finish();
    write_manifest(folder, &recipe)?;
    Ok(flaws)
}

fn player(options: &SelfplayOptions, settings: &EngineSettings) -> Player {
    Player::new(options.seed, options.nodes, settings.guarded())
}

/// Plays a shard's games and writes them, unless another run has by then.
fn make_shard(
    options: &SelfplayOptions,
    player: &mut Player,
    shard: u64,
    hand_over: &mut dyn FnMut(Result<usize, String>) -> bool,
) -> Result<(), SelfplayError> {
    let mut contents = Vec::new();
    let first = shard * options.games;
    for number in first..first + options.games {
        let told = match player.play(number) {
            Ok(game) => {
                game.write(&mut contents)?;
                Ok(game.moves.len())
            }
            Err(fault) => {
                not_played().write(&mut contents)?;
                Err(format!("game {number} failed: {fault}"))
            }
        };
        if !hand_over(told) {
            return Ok(());
        }
    }
    let path = shard_path(&options.folder, shard);
    match output_file::write(&path, Existing::Refuse, &contents) {
        // By another run with the same recipe: it holds the same games.
        Err(OutputError::Exists { .. }) => Ok(()),
        written => Ok(written?),
    }
}

/// What stands in for a game that failed.
fn not_played() -> GameRecord {
    GameRecord {
        start: Position::initial(),
        result: GameResult::Draw,
        moves: Vec::new(),
    }
}
