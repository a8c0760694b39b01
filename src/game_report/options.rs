//! Options of `cassius analyze`, read by clap.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use clap::{ArgGroup, Args};

use super::effort::Effort;
use crate::analysis::command as analysis;
use crate::engine::limit::{Limit, milliseconds};
use crate::engine::spec::SearchSpec;
use crate::output::output_file::Existing;
use crate::output::shard::Shard;
use crate::search::registry::Algorithm;
use crate::uci_client::engine::EngineCommand;

/// Position or games to analyse, and how.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("subject").required(true).args(["file", "fen"]))]
pub struct Options {
    /// PGN file: analyse every position of its games and mark where the games turn
    #[arg(value_name = "GAMES.pgn")]
    pub(super) file: Option<PathBuf>,
    /// Options for positions and games.
    #[command(flatten)]
    pub(super) common: analysis::AnalysisOptions,
    /// Options for games only.
    #[command(flatten)]
    pub(super) games: GameOptions,
}

/// Options for games only.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Games")]
pub(super) struct GameOptions {
    /// Write a page for the browser, updated after each game
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub(super) html: Option<PathBuf>,
    /// Fill a folder with a page for each game, and index.html to search and sort them
    ///
    /// Memory does not grow with the number of games.
    #[arg(long, value_name = "FOLDER", conflicts_with = "fen")]
    pub(super) html_dir: Option<PathBuf>,
    /// Show this player's habits first on the index of --html-dir: a name as the games have it [default: who played most]
    #[arg(long, value_name = "NAME", requires = "html_dir")]
    pub(super) player: Option<String>,
    /// Write the positions as comma-separated values, each as soon as it is known
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub(super) csv: Option<PathBuf>,
    /// Write the games again, with remarks: values, marks on bad moves, better lines, how many positions would have to be misjudged
    ///
    /// Nothing in GAMES.pgn is lost. A move that probably costs a twentieth, a tenth or a fifth of a point gets ?!, ?
    /// or ??, and the better line as a variation. Best-first search says how many positions would have to be
    /// misjudged for the move to be as good.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "shard"])]
    pub(super) pgn: Option<PathBuf>,
    /// Continue the run that wrote the --json file
    #[arg(long, requires = "json", conflicts_with_all = ["fen", "overwrite"])]
    pub(super) resume: bool,
    /// Analyse only part I of N, for a cluster; to join the parts, put their lines into one --json file and use --resume
    #[arg(long, value_name = "I/N", conflicts_with = "fen")]
    pub(super) shard: Option<Shard>,
    /// Spend M minutes on each game by the clock, with all cores at work [default: 1, unless another limit is given]
    #[arg(long, value_name = "M", conflicts_with_all = ["nodes", "movetime", "fen"], value_parser = parse_minutes)]
    pub(super) minutes: Option<f64>,
    /// Work on N games, or parts of them, at a time [default: the number of cores]
    ///
    /// With --nodes the results do not depend on it.
    #[arg(long, value_name = "N", conflicts_with = "fen", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    /// Let a UCI engine judge, started by this command, and compare it with Cassius
    ///
    /// Values, marks and better lines are the engine's. Cassius judges the same positions, says what a mark rests on,
    /// and where the two disagree. They share the time of --minutes; --nodes and --movetime hold for each of them,
    /// unless the engine has its own limit.
    #[arg(long, value_name = "COMMAND", conflicts_with = "fen")]
    pub(super) engine: Option<String>,
    /// Let the engine visit N positions for each one of the game, on average
    #[arg(long, value_name = "N", requires = "engine", conflicts_with = "minutes",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) engine_nodes: Option<u64>,
    /// Let the engine think MS milliseconds about each position of the game, on average
    #[arg(long, value_name = "MS", requires = "engine", conflicts_with = "minutes",
          value_parser = milliseconds)]
    pub(super) engine_movetime: Option<u64>,
    /// Wait SECONDS for an overdue answer of the engine, or for any answer if its time is not limited
    ///
    /// After that the engine has failed at the position. Three failures in a row end the engine's work.
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

/// Parses minutes for a game, at least a second.
fn parse_minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok();
    minutes
        .filter(|it| (1.0 / 60.0..=1_440.0).contains(it))
        .ok_or_else(|| "expected minutes from 0.02 to 1440".to_owned())
}

impl Options {
    /// Output files.
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

    /// Treatment of existing files. `--resume` continues the JSON file; the others are made again from it.
    pub(super) fn existing(&self) -> Existing {
        self.common.overwrite.or_resume(self.games.resume)
    }

    /// Limit of an engine for a position, on average: its own, or else that of our searches; empty if games are limited
    /// in time.
    pub(super) fn engine_limit(&self) -> Limit {
        let nodes = self.games.engine_nodes;
        let movetime_ms = self.games.engine_movetime;
        if nodes.or(movetime_ms).is_none() {
            return self.effort().stated().0;
        }
        Limit {
            nodes,
            movetime_ms,
            depth: None,
        }
    }

    /// Effort of our own searches for a game; of an engine too, unless it has its own limits.
    pub(super) fn effort(&self) -> Effort {
        let of_engine = self.games.engine_nodes.or(self.games.engine_movetime);
        if self.common.is_limited() || of_engine.is_some() {
            return Effort::Position(self.common.limit());
        }
        let minutes = self.games.minutes.unwrap_or(1.0);
        Effort::Game {
            seconds: (minutes * 60.0).round() as u64,
        }
    }

    /// Number of threads.
    pub(super) fn jobs(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        self.games.jobs.map_or_else(cores, usize::from)
    }

    /// Search that judges, alone or beside an engine.
    pub(super) fn search(&self) -> SearchSpec {
        self.common.search(Algorithm::DepthFirst)
    }

    /// Engine that judges, if there is one. It is started to ask for its name.
    pub(super) fn engine(&self) -> Result<Option<EngineCommand>> {
        let patience = Duration::from_secs(self.games.engine_timeout);
        let find = |it| EngineCommand::find(it, self.common.hash, patience);
        self.games.engine.as_deref().map(find).transpose()
    }
}
