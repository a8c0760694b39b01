//! `cassius analyze`.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use super::{OverwriteArgs, is_any_given, position};
use crate::analysis::command::{Options, TreeFile};
use crate::engine::analyst::DEFAULT_NODES;
use crate::engine::limit::Limit;
use crate::engine::memory::parse_hash;
use crate::engine::spec::SearchSpec;
use crate::game_report::command as games;
use crate::profile::Margin;
use crate::search::registry::{Algorithm, Settings};
use crate::suite::player::Contestant;
use crate::suite::results::Shard;

/// What to analyse, and how.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("subject").required(true).args(["file", "fen"]))]
pub struct AnalyzeArgs {
    /// PGN file: analyse every position of its games and mark where the games turn
    #[arg(value_name = "GAMES.pgn")]
    pub file: Option<PathBuf>,
    /// Analyse this position instead
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Read the castling rights of the FEN by the rules of Chess960; without it other than king e1, rooks a1, h1 have none
    #[arg(long, conflicts_with = "file")]
    pub chess960: bool,

    /// Visit at most N positions in each search [default: 100000, unless --movetime is given]
    ///
    /// A position takes one search. A move of a game that costs a twentieth of a point takes one more, with --pgn two.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search for at most MS milliseconds each time
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub movetime: Option<u64>,

    /// Search to use, with UCI options as NAME:OPTION=VALUE: best-first, depth-first-unit or depth-first
    ///
    /// best-first counts and names the positions that would have to be misjudged, in the tree it keeps.
    /// depth-first-unit counts them for the nearest values only. depth-first counts none: it gives the
    /// price of the cheapest line that could change the value. Games can be given to other searches too,
    /// for values alone. A --tree can also be had of proof-number-tree.
    /// [default: best-first; with --pgn depth-first, which plays best]
    #[arg(long, value_name = "NAME")]
    pub search: Option<SearchSpec>,
    /// Count what it takes to change the value by this much, in centipawns [default: 50]
    ///
    /// Told are the fewest positions that would have to be misjudged together for the value to be lower by this much,
    /// or higher, or for another move to be better by as much; each by twice as much at most. best-first counts them.
    /// The same as the option "Sureness Margin" of --search.
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(1..=i64::from(Margin::MOST)))]
    pub margin: Option<u16>,
    /// Memory for the search's tree or table
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash: usize,
    /// Position: print JSON instead of text, or write it to FILE. Games: write JSON lines to FILE, each as soon as it is known
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,

    /// Position: write the tree that the search has grown, as JSON, or for Graphviz if FILE ends in .dot
    ///
    /// best-first and proof-number-tree keep a tree. The JSON has a column for each thing that is known of the
    /// nodes; docs/trees.md explains it.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub tree: Option<PathBuf>,
    /// Write the tree down to this ply only
    #[arg(long, value_name = "N", requires = "tree", value_parser = clap::value_parser!(u32).range(1..))]
    pub tree_plies: Option<u32>,

    /// What is asked of games only.
    #[command(flatten)]
    pub games: GameArgs,
}

/// What can be asked of games only.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub struct GameArgs {
    /// Write a page to look at in a browser, anew after each game
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub html: Option<PathBuf>,
    /// Fill a folder with a page for each game, and index.html to search and sort them
    ///
    /// A page is written when its game is done and then forgotten, so there may be any number of games.
    #[arg(long, value_name = "FOLDER", conflicts_with = "fen")]
    pub html_dir: Option<PathBuf>,
    /// Write the positions as comma-separated values, each as soon as it is known
    #[arg(long, value_name = "FILE", conflicts_with = "fen")]
    pub csv: Option<PathBuf>,
    /// Write the games again, with remarks: values, bad moves marked, better lines, what would have to be wrong
    ///
    /// All that stands in GAMES.pgn stays. A move that costs a twentieth, a tenth or a fifth of a point gets ?!, ? or
    /// ??, and the better line as a variation. Best-first search then looks at it a second time and tells how many
    /// positions would have to be misjudged for the move to be as good.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "shard"])]
    pub pgn: Option<PathBuf>,
    /// Continue the run that wrote the --json file
    #[arg(long, requires = "json", conflicts_with_all = ["fen", "overwrite"])]
    pub resume: bool,
    /// What becomes of files that are there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
    /// Analyse only part I of N, for a cluster; --resume with the lines of all parts in one --json file joins them
    #[arg(long, value_name = "I/N", conflicts_with = "fen")]
    pub shard: Option<Shard>,
    /// Analyse N games at a time; not with --movetime
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["movetime", "fen"],
          value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,
    /// Take the values from a UCI engine, started by this command; it does not say how sure they are
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["search", "margin", "fen"])]
    pub engine: Option<String>,
    /// Seconds that an engine may answer too late, or think in all where there is no --movetime
    ///
    /// Then it has failed at that position. After three failures in a row it is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "engine",
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub engine_timeout: u64,
}

const EXAMPLES: &str = "\
Examples:
  cassius analyze game.pgn --html game.html
  cassius analyze games.pgn --nodes 20000 --html-dir games --json games.json --resume
  cassius analyze games.pgn --nodes 20000 --json games.json --csv games.csv --resume
  cassius analyze games.pgn --nodes 200000 --pgn annotated.pgn --json games.json --resume
  cassius analyze --fen 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3'
  cassius analyze --fen '8/8/8/8/3k4/8/3PK3/8 w - - 0 1' --nodes 1000000 --json
  cassius analyze --fen '8/8/8/8/3k4/8/3PK3/8 w - - 0 1' --nodes 200 --tree tree.dot";

/// What is to be analysed.
#[derive(Debug)]
pub enum Task {
    /// A position.
    Position(Box<Options>),
    /// The games of a file.
    Games(Box<games::Options>),
}

impl AnalyzeArgs {
    pub(super) fn writes_files(&self) -> bool {
        let of = &self.games;
        is_any_given(&[
            &self.json,
            &self.tree,
            &of.html,
            &of.html_dir,
            &of.csv,
            &of.pgn,
        ])
    }

    /// What they ask for; `command` is the command line they stood in, and `err` is told what is odd in the FEN. An
    /// engine is started to ask what it is called.
    ///
    /// # Errors
    /// If the FEN is none, or the engine cannot be started.
    pub fn into_task(self, command: String, err: &mut dyn Write) -> anyhow::Result<Task> {
        let otherwise = self.movetime.is_none().then_some(DEFAULT_NODES);
        let limit = Limit {
            movetime_ms: self.movetime,
            nodes: self.nodes.or(otherwise),
            depth: None,
        };
        let existing = self.games.overwrite.existing();
        let default = if self.games.pgn.is_some() {
            Algorithm::DepthFirst
        } else {
            Algorithm::BestFirst
        };
        let mut search = self.search.unwrap_or(default.into());
        if let Some(margin) = self.margin {
            search = search.with_margin(Margin::new(margin));
        }
        let Some(file) = self.file else {
            return Ok(Task::Position(Box::new(Options {
                position: position(&self.fen.unwrap_or_default(), self.chess960, err)?,
                limit,
                search,
                hash_megabytes: self.hash,
                json: self.json,
                tree: self.tree.map(|path| TreeFile {
                    path,
                    plies: self.tree_plies,
                }),
                existing,
            })));
        };
        let contestant = match &self.games.engine {
            Some(engine) => {
                let patience = Duration::from_secs(self.games.engine_timeout);
                Contestant::engine(engine, self.hash, patience)?
            }
            None => Contestant::search(&search, self.hash),
        };
        Ok(Task::Games(Box::new(games::Options {
            file,
            contestant,
            hash_megabytes: self.hash,
            limit,
            jobs: self.games.jobs.into(),
            shard: self.games.shard,
            html: self.games.html,
            html_dir: self.games.html_dir,
            json: self.json,
            csv: self.games.csv,
            pgn: self.games.pgn,
            existing: self.games.overwrite.or_resume(self.games.resume),
            command,
        })))
    }
}
