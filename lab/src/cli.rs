//! Command line of `cassius-lab`, which `cassius lab` starts.

use std::io::Write;

use anyhow::Result;
use cassius::cli::{Shell, is_any_given, program, write_completions};
use cassius::output::flaws::Flaws;
use cassius::version;
use clap::{Parser, Subcommand};

use crate::command::{self, PageArgs};
use crate::falls::fitting::{self as falls, JudgeOptions};
use crate::falls::sampling as verdicts;
use crate::outlook::{command as outlook, marks, sampling};
use crate::refit::{self, chances, levels};
use crate::selfplay::{relabel, run as selfplay};
use crate::training::command as training;
use crate::tuning::command as tuning;
use crate::yardstick::{self, YardstickOptions};
use crate::{Experiment, Request, tree};

/// Repeat the experiments of the papers that Cassius follows, play games to learn from, train networks
#[derive(Debug, Parser)]
#[command(name = "cassius-lab", bin_name = "cassius lab", version = version::WITH_NETWORK, max_term_width = 100,
          args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
          arg_required_else_help = true, after_help = examples())]
pub struct Cli {
    /// Command to run instead of an experiment.
    #[command(subcommand)]
    pub command: Option<LabCommand>,

    /// The experiment, by name or by one of its figures
    #[arg(required = true, value_name = "EXPERIMENT", value_parser = crate::find)]
    pub experiment: Option<&'static Experiment>,
    /// The experiment, its subject and its effort.
    #[command(flatten)]
    pub request: Request,
}

impl Cli {
    /// Whether the command writes files besides what it prints.
    pub fn writes_files(&self) -> bool {
        match &self.command {
            None => is_any_given(&[&self.request.json, &self.request.states]),
            Some(LabCommand::List | LabCommand::Completions { .. }) => false,
            Some(LabCommand::Page(args)) => is_any_given(&[&args.output]),
            Some(LabCommand::Tree(args)) => is_any_given(&[&args.svg]),
            Some(LabCommand::Yardstick(args)) => is_any_given(&[&args.json]),
            Some(LabCommand::JudgeFalls(args)) => is_any_given(&[&args.json]),
            Some(LabCommand::FitOutlook(args)) => args.result.writes_files(),
            Some(LabCommand::FitMarks(args)) => args.result.writes_files(),
            Some(LabCommand::FitChances(args)) => args.result.writes_files(),
            Some(LabCommand::FitLevels(args)) => args.result.writes_files(),
            Some(_) => true,
        }
    }

    /// Runs the command.
    ///
    /// # Errors
    /// The reason why the command did not complete.
    pub fn carry_out(self, out: &mut dyn Write) -> Result<Flaws> {
        match (self.command, self.experiment) {
            (Some(command), _) => command.carry_out(out),
            (None, Some(it)) => command::run(it, self.request, out, &mut program::errors()),
            (None, None) => Ok(Flaws::default()),
        }
    }
}

impl LabCommand {
    fn carry_out(self, out: &mut dyn Write) -> Result<Flaws> {
        let err = &mut program::errors();
        match self {
            LabCommand::List => command::list(out)?,
            LabCommand::Page(args) => command::page(&args, out)?,
            LabCommand::Tree(request) => tree::draw(&request, out)?,
            LabCommand::Train(options) => training::train(&options, out)?,
            LabCommand::TrainScale(options) => training::train_scale(&options, out)?,
            LabCommand::Completions { shell } => write_completions::<Cli>(shell, out)?,
            LabCommand::Yardstick(options) => {
                return yardstick::yardstick(&options, out, err);
            }
            LabCommand::Selfplay(options) => return selfplay::selfplay(&options, err),
            LabCommand::Relabel(options) => return relabel::relabel(&options, err),
            LabCommand::Falls(options) => return verdicts::sample(&options, err),
            LabCommand::JudgeFalls(options) => return falls::judge(&options, out, err),
            LabCommand::SampleOutlook(options) => return sampling::sample(&options, err),
            LabCommand::FitOutlook(options) => return outlook::fit_outlook(&options, out, err),
            LabCommand::FitMarks(options) => return marks::fit_marks(&options, out, err),
            LabCommand::FitChances(options) => return chances::fit_chances(&options, out, err),
            LabCommand::FitLevels(options) => return levels::fit_levels(&options, out, err),
            LabCommand::Tune(options) => return tuning::tune(&options, out, err),
            LabCommand::Refit(options) => {
                return refit::refit(&options, out, |words, out| {
                    let words = words.iter().map(String::as_str);
                    Cli::try_parse_from(["cassius lab"].into_iter().chain(words))?.carry_out(out)
                });
            }
        }
        Ok(Flaws::default())
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
    Tree(tree::Request),
    /// Play games against itself, to learn evaluations from
    Selfplay(selfplay::SelfplayOptions),
    /// Give positions of recorded games new values, by longer searches
    ///
    /// The folder then serves `train` in place of the games.
    Relabel(relabel::RelabelOptions),
    /// Learn a network from recorded games: what positions are worth
    Train(training::TrainOptions),
    /// Learn how far a network's values may be wrong, from recorded games
    ///
    /// Use other games than the network was learnt from: on those its errors are smaller.
    TrainScale(training::ScaleOptions),
    /// Measure how far networks' values are from a judge's, without any search
    ///
    /// The positions are those of `scripts/measure positions --quiet` with the values of `scripts/measure judge
    /// --only-positions`. It prints root mean squares of errors of expected points after one fitted factor, by number of
    /// pieces, and their ratios to the first network's.
    Yardstick(YardstickOptions),
    /// Search positions of games, and again with 16 times the nodes: where do verdicts fall?
    ///
    /// A verdict falls if its value changes by a tenth of a point, or its move loses a twentieth. After the first search the
    /// other moves at the first six positions of its line are looked at, for a twentieth of its effort.
    Falls(verdicts::SamplingOptions),
    /// Tell from these records where verdicts fell, and how often that place is one of three names
    ///
    /// The likely places are learnt from nine tenths of the games, and tested on the others, each tenth once.
    JudgeFalls(JudgeOptions),
    /// Search positions of recorded games and record the course of each search
    SampleOutlook(sampling::SamplingOptions),
    /// Learn from these records how likely more thinking is to change move or value
    ///
    /// One game in three is learnt from; the stated probabilities are tested on the others.
    FitOutlook(outlook::FitOptions),
    /// Learn from analysed games and a stronger judge's labels the chances that marks are right
    ///
    /// They are tested by cross-validation over tenths of the games.
    FitMarks(marks::MarksOptions),
    /// Fit the chances of a win, a draw and a loss to games of the default search against itself
    ///
    /// How true they are is judged by every second game, which the numbers were not fitted to.
    FitChances(chances::ChancesOptions),
    /// Measure the distances between levels of strength, and make a scale on which they are true
    FitLevels(levels::LevelsOptions),
    /// Make all numbers anew that depend on search and network: chances, levels, outlook, marks
    ///
    /// Each fit writes a source file of the program below FOLDER/src: copy them there when all is done. A
    /// run that was killed is continued by the same command.
    Refit(refit::RefitOptions),
    /// Tune the constants of a search by games against itself
    ///
    /// In each pair of games all constants are moved at once, up on the one side and down on the other, and go towards
    /// the side that wins (simultaneous perturbation, SPSA). It ends with a table, and with the option to play with.
    Tune(tuning::TuneOptions),
    /// Print the script by which a shell completes commands and options of cassius-lab
    Completions {
        /// The shell that is to read the script
        shell: Shell,
    },
}
