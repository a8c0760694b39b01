//! What people ask of `cassius analyze`, as clap reads it.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::effort::Effort;
use crate::analysis::command as analysis;
use crate::engine::limit::Limit;
use crate::engine::spec::SearchSpec;
use crate::output::output_file::Existing;
use crate::search::registry::Algorithm;
use crate::suite::engine::EngineCommand;
use crate::suite::results::Shard;

/// Position or games to analyse, and how.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("subject").required(true).args(["file", "fen"]))]
pub struct Options {
    /// PGN file: analyse every position of its games and mark where the games turn
    #[arg(value_name = "GAMES.pgn")]
    pub(super) file: Option<PathBuf>,
    /// What a position takes, or games.
    #[command(flatten)]
    pub(super) common: analysis::AnalysisOptions,
    /// What games take besides.
    #[command(flatten)]
    pub(super) games: GameOptions,
}

/// The options for games alone.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Games")]
pub(super) struct GameOptions {
    /// Write a page to look at in a browser, anew after each game
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub(super) html: Option<PathBuf>,
    /// Fill a folder with a page for each game, and index.html to search and sort them
    ///
    /// A page is written when its game is done and then forgotten, so there may be any number of games.
    #[arg(long, value_name = "FOLDER", conflicts_with = "fen")]
    pub(super) html_dir: Option<PathBuf>,
    /// Show this player's habits first on the index of --html-dir: a name as the games have it [default: who played most]
    #[arg(long, value_name = "NAME", requires = "html_dir")]
    pub(super) player: Option<String>,
    /// Write the positions as comma-separated values, each as soon as it is known
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub(super) csv: Option<PathBuf>,
    /// Write the games again, with remarks: values, bad moves marked, better lines, what would have to be wrong
    ///
    /// All that stands in GAMES.pgn stays. A move that probably costs a twentieth, a tenth or a fifth of a point gets ?!, ? or
    /// ??, and the better line as a variation. Best-first search tells how many positions would have to be misjudged for the move
    /// to be as good.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "shard"])]
    pub(super) pgn: Option<PathBuf>,
    /// Continue the run that wrote the --json file
    #[arg(long, requires = "json", conflicts_with_all = ["fen", "overwrite"])]
    pub(super) resume: bool,
    /// Analyse only part I of N, for a cluster; --resume with the lines of all parts in one --json file joins them
    #[arg(long, value_name = "I/N", conflicts_with = "fen")]
    pub(super) shard: Option<Shard>,
    /// Spend so many minutes on each game, all cores together [default: 1, unless --nodes or --movetime is given]
    #[arg(long, value_name = "M", conflicts_with_all = ["nodes", "movetime", "fen"], value_parser = parse_minutes)]
    pub(super) minutes: Option<f64>,
    /// Work on N games, or parts of them, at a time [default: the number of cores]
    ///
    /// With --nodes the results do not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "fen", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    /// Have a UCI engine judge, started by this command, and compare what Cassius says
    ///
    /// Values, marks and better lines are the engine's. Cassius judges beside it, tells what a mark rests on, and where the two
    /// disagree. They share the time of the game; --nodes and --movetime hold for each of them, unless the engine has its own limit.
    #[arg(long, value_name = "COMMAND", conflicts_with = "fen")]
    pub(super) engine: Option<String>,
    /// Let the engine visit N positions for each one of the game, on average
    #[arg(long, value_name = "N", requires = "engine", conflicts_with = "minutes",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) engine_nodes: Option<u64>,
    /// Let the engine think MS milliseconds about each position of the game, on average
    #[arg(long, value_name = "MS", requires = "engine", conflicts_with = "minutes",
          value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub(super) engine_movetime: Option<u64>,
    /// Seconds that an engine may answer too late, or think in all where its time is not limited
    ///
    /// Then it has failed at that position. After three failures in a row it is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(super) engine_timeout: u64,
}

const EXAMPLES: &str = "\
Examples:
  cassius analyze game.pgn --html game.html
  cassius analyze games.pgn --nodes 20000 --html-dir games --json games.json --resume
  cassius analyze games.pgn --nodes 20000 --json games.json --csv games.csv --resume
  cassius analyze games.pgn --minutes 2 --pgn annotated.pgn --json games.json --resume
  cassius analyze games.pgn --engine stockfish --engine-nodes 200000 --html-dir games
  cassius analyze --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3'
  cassius analyze --fen '8/8/8/8/3k4/8/3PK3/8 w - - 0 1' --nodes 1000000 --json";

/// Reads minutes a game, at least a second of them.
fn parse_minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok();
    minutes
        .filter(|it| (1.0 / 60.0..=1_440.0).contains(it))
        .ok_or_else(|| "expected minutes from 0.02 to 1440".to_owned())
}

impl Options {
    /// Files that are written.
    pub fn outputs(&self) -> [&Option<PathBuf>; 5] {
        let GameOptions {
            html,
            html_dir,
            csv,
            pgn,
            ..
        } = &self.games;
        [&self.common.json, html, html_dir, csv, pgn]
    }

    /// Whether files that exist are continued or replaced: the JSON file is the one continued, the others are made
    /// anew with it.
    pub(super) fn existing(&self) -> Existing {
        self.common.overwrite.or_resume(self.games.resume)
    }

    /// What a game may take of an engine.
    pub(super) fn engine_effort(&self) -> Effort {
        let GameOptions {
            engine_nodes: nodes,
            engine_movetime: movetime_ms,
            ..
        } = self.games;
        if nodes.or(movetime_ms).is_none() {
            return self.effort();
        }
        Effort::Position(Limit {
            nodes,
            movetime_ms,
            depth: None,
        })
    }

    /// What a game may take of our own searches; of an engine too, if both share the time.
    pub(super) fn effort(&self) -> Effort {
        let has_limits = self.common.is_limited()
            || self.games.engine_nodes.is_some()
            || self.games.engine_movetime.is_some();
        if has_limits {
            return Effort::Position(self.common.limit());
        }
        let minutes = self.games.minutes.unwrap_or(1.0);
        Effort::Game {
            seconds: (minutes * 60.0).round() as u64,
        }
    }

    /// How many work on games at a time.
    pub(super) fn jobs(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.games.jobs.map_or_else(cores, usize::from)
    }

    /// The search that judges, or that judges beside an engine.
    pub(super) fn search(&self) -> SearchSpec {
        self.common.search(Algorithm::DepthFirst)
    }

    /// The engine that judges, if there is one. It is started to ask what it is called.
    pub(super) fn engine(&self) -> Result<Option<EngineCommand>> {
        let patience = Duration::from_secs(self.games.engine_timeout);
        let engine = self.games.engine.as_ref();
        let engine = engine.map(|it| EngineCommand::find(it, self.common.hash, patience));
        engine.transpose()
    }
}
