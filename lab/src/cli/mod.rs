//! `cassius-lab`, which `cassius lab` starts.

mod outlook;
mod training;

use std::path::PathBuf;

use cassius::cli::{CompletionsArgs, ManualArgs, OverwriteArgs, is_any_given};
use cassius::conspiracy::Count;
use cassius::conspiracy::definition::Tree;
use cassius::engine::memory::parse_hash;
use cassius::search::registry::Settings;
use cassius::suite::choice::Filter;
use cassius::version;
use clap::{Args, Parser, Subcommand};

pub use self::outlook::{FitOutlookArgs, SampleOutlookArgs};
pub use self::training::{SelfplayArgs, TrainArgs, TrainScaleArgs};
use crate::Experiment;
use crate::command::{self, Options};
use crate::tree::{self, Request};

/// Repeat the experiments of the papers that Cassius follows, play games to learn from, train networks
#[derive(Debug, Parser)]
#[command(name = "cassius-lab", bin_name = "cassius lab", version = version::WITH_NETWORK, max_term_width = 100,
          args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
          arg_required_else_help = true, after_help = examples())]
pub struct Cli {
    /// Command to carry out instead of an experiment.
    #[command(subcommand)]
    pub command: Option<LabCommand>,

    /// Experiment to run otherwise.
    #[command(flatten)]
    pub run: ExperimentArgs,
}

impl Cli {
    /// Whether files are written, so that to print is not all that is asked for.
    pub fn writes_files(&self) -> bool {
        match &self.command {
            None => is_any_given(&[&self.run.json, &self.run.states]),
            Some(LabCommand::List | LabCommand::Completions(_)) => false,
            Some(LabCommand::Manual(args)) => args.folder.is_some(),
            Some(LabCommand::Page(args)) => is_any_given(&[&args.output]),
            Some(LabCommand::Tree(args)) => is_any_given(&[&args.svg]),
            Some(LabCommand::FitOutlook(args)) => is_any_given(&[&args.output, &args.json]),
            Some(
                LabCommand::Selfplay(_)
                | LabCommand::Train(_)
                | LabCommand::TrainScale(_)
                | LabCommand::SampleOutlook(_),
            ) => true,
        }
    }
}

/// Returns the text below the help: the experiments by name, and how to use them.
fn examples() -> String {
    format!(
        "\
Experiments:
{}
Name an experiment or one of its figures. Without --full it takes a minute or two. It prints its
tables, beside the thesis's own figures where there are any.

Examples:
  cassius lab list
  cassius lab tree 'MAX(MIN(5,2),MIN(3,4))'
  cassius lab fig5.2
  cassius lab fig5.2 epd/bk.epd --nodes 50000 --json result.json
  cassius lab versions --full --states versions.states --resume
  cassius lab hex --size 7 --games 200 --nodes 2000
  scripts/plot result.json

Exit code: 0 if the experiment was run on every position; 1 if a line was malformed or the
experiment could not be finished; 2 if the command line is wrong.",
        command::contents()
    )
}

/// The commands of `cassius lab`.
#[derive(Debug, Subcommand)]
pub enum LabCommand {
    /// List the experiments and what each does
    List,
    /// Make a page of recorded results
    ///
    /// The folder holds Markdown files, the sections of the page in the order of their names, and
    /// the JSON files of experiments and suites. A line {{FILE.json}} in a section stands for the
    /// results in that file, {{FILE.json TABLE}} for one of its tables, {{FILE.json made}} for how
    /// they were made. In a sentence {{FILE.json TABLE; ROW; COLUMN}} is one figure of an experiment: the
    /// row by what stands first in it, or `last`; A / B of two columns is their quotient, A - B the
    /// difference of paired counts with its 95 % interval. {{FILE.json made; NAME}} is a setting,
    /// or the command.
    Page(PageArgs),
    /// Draw a small tree with its conspiracy numbers
    ///
    /// The tree is written as MAX(MIN(5,2),MIN(3,4!)): a whole number is a leaf, one with a ! behind it
    /// a terminal, which no conspiracy can move. Nodes are called A, B, C, ... row by row.
    #[command(after_help = TREE_EXAMPLES)]
    Tree(TreeArgs),
    /// Play games against itself, to learn evaluations from
    Selfplay(SelfplayArgs),
    /// Learn a network from recorded games: what positions are worth
    Train(TrainArgs),
    /// Learn how far a network's values may be wrong, from recorded games
    ///
    /// Use other games than the network was learnt from: on those its errors are smaller.
    TrainScale(TrainScaleArgs),
    /// Search positions of recorded games and write down how each search went
    SampleOutlook(SampleOutlookArgs),
    /// Learn from such searches what more thinking is likely to change
    ///
    /// One game in three is learnt from. How true the stated probabilities are is judged by the others.
    FitOutlook(FitOutlookArgs),
    /// Print the script by which a shell completes commands and options of cassius-lab
    Completions(CompletionsArgs),
    /// Print a page of the manual, or write all of them to a folder
    Manual(ManualArgs),
}

/// Folder to make a page of, and file to write.
#[derive(Debug, Args)]
pub struct PageArgs {
    /// The folder
    #[arg(value_name = "FOLDER", default_value = "lab/docs/results")]
    pub folder: PathBuf,
    /// Write the page to a file beside the folder instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What becomes of a file that is there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

const TREE_EXAMPLES: &str = "\
Examples:
  cassius lab tree 'MAX(MIN(5,2),MIN(3,4))'
  cassius lab tree 'MAX(MIN(5,2),MIN(3,4))' --target 6 --threshold 2 --svg tree.svg
  cassius lab tree 'MAX(0,0)' --range -3..3 --threshold 2";

/// Which tree to draw.
#[derive(Debug, Args)]
pub struct TreeArgs {
    /// The tree
    #[arg(value_name = "TREE", value_parser = tree::parse::parse, allow_hyphen_values = true)]
    pub tree: Tree,
    /// The least and the greatest value there is, as -3..3 [default: no bounds]
    #[arg(long, value_name = "LOW..HIGH", value_parser = tree::parse_range,
          allow_hyphen_values = true)]
    pub range: Option<(i32, i32)>,
    /// Mark a smallest set of conspirators to make the root this value
    #[arg(long, value_name = "V", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(
              -i64::from(tree::parse::MAX_VALUE)..=i64::from(tree::parse::MAX_VALUE)))]
    pub target: Option<i32>,
    /// Show the likely range at this conspiracy threshold
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=254))]
    pub threshold: Option<u32>,
    /// Draw the tree into this file, too
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// What becomes of a file that is there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl From<TreeArgs> for Request {
    fn from(args: TreeArgs) -> Request {
        Request {
            tree: args.tree,
            range: args.range,
            target: args.target,
            threshold: args.threshold.map(Count::new),
            svg: args.svg,
            existing: args.overwrite.existing(),
        }
    }
}

/// Experiment to run, and its effort.
#[derive(Debug, Args)]
pub struct ExperimentArgs {
    /// The experiment, by name or by one of its figures
    #[arg(required = true, value_name = "EXPERIMENT", value_parser = crate::find)]
    pub experiment: Option<&'static Experiment>,
    /// EPD files, for experiments on chess; epd/wac.epd if there are none. For experiments on analysed
    /// games: JSON files of `cassius analyze`
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Use only some positions: even, odd, or a part of the id; with * or ? a pattern for the whole id
    #[arg(long, value_name = "WHICH")]
    pub filter: Option<Filter>,
    /// Run in full: more effort, more trees
    #[arg(long)]
    pub full: bool,
    /// Greatest effort per position or tree, in positions visited
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..))]
    pub nodes: Option<u64>,
    /// Measure effort in time: greatest per position or tree, in milliseconds
    #[arg(long, value_name = "MS", conflicts_with = "nodes",
          value_parser = clap::value_parser!(u64).range(10..=86_400_000))]
    pub movetime: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Memory for each search's tree or table
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().hash_megabytes,
          value_parser = parse_hash)]
    pub hash: usize,
    /// Work on N positions or trees at a time; not with --movetime
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "movetime",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: u16,

    /// Rows and columns of the board, for games on one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8)
          .range(i64::from(*crate::hex::SIZES.start())..=i64::from(*crate::hex::SIZES.end())))]
    pub size: Option<u8>,
    /// How many games to play, by either side in turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub games: Option<u32>,

    /// Keep what each search came to on each problem in this file as soon as it is known (chapters 5 and 6)
    #[arg(long, value_name = "FILE")]
    pub states: Option<PathBuf>,
    /// Go on with the file of --states where a run that was killed left it
    #[arg(long, requires = "states", conflicts_with = "overwrite")]
    pub resume: bool,

    /// Write the outcome as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// What becomes of a file that is there already.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

impl ExperimentArgs {
    /// What they ask for; `command` is the command line they stood in.
    pub fn into_options(self, command: String) -> Options {
        Options {
            files: self.files,
            filter: self.filter,
            full: self.full,
            nodes: self.nodes,
            movetime_ms: self.movetime,
            seed: self.seed,
            hash_megabytes: self.hash,
            jobs: usize::from(self.jobs),
            size: self.size,
            games: self.games,
            states: self.states,
            resume: self.resume,
            json: self.json,
            existing: self.overwrite.existing(),
            command,
        }
    }
}
