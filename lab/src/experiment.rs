//! What an experiment is.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::outcome::Table;
use cassius::engine::fault::Fault;
use cassius::engine::memory::NotEnoughMemory;
use cassius::game_report::reading::RecordError;
use cassius::game_report::record::Record;
use cassius::output::json_lines::ReadError;
use cassius::output::output_file::{Existing, OutputError};
use cassius::suite::command::SuiteError;
use cassius::suite::epd;

/// Something to find out, and how.
#[derive(Debug)]
pub struct Experiment {
    /// The name people type: lower case, words with hyphens.
    pub name: &'static str,
    /// What it is about, in a line.
    pub title: &'static str,
    /// The figures of Klingbeil's thesis that it repeats, by number: `5.2`.
    pub figures: &'static [&'static str],
    /// What is done and what the tables tell, in a paragraph or two for somebody who has not read
    /// the thesis.
    pub about: &'static str,
    /// What it works on.
    pub subject: Subject,
    /// Which limits it keeps.
    pub effort: EffortLimit,
    /// Does it. Long runs show a [`Progress`](cassius::output::progress::Progress).
    pub run: fn(&Request) -> Result<Findings, LabError>,
}

/// What an experiment works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// Chess problems from EPD files.
    Problems,
    /// The same, put to searches whose efforts can be kept as they come ([`Request::states`]).
    Efforts,
    /// Analyses of games, files that `cassius analyze` has written.
    Analyses,
    /// Something it makes itself, such as random trees; there are no files to be given.
    Own,
    /// Games on a board whose size can be chosen; there are no files to be given.
    Board,
    /// Games of chess, whose number can be chosen; there are no files to be given.
    Games,
}

/// How the user can limit the effort on a problem, a tree or a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EffortLimit {
    /// Not at all: the experiment chooses it.
    Fixed,
    /// By nodes ([`Request::nodes`]).
    Nodes,
    /// By nodes or by time ([`Request::movetime_ms`]).
    NodesOrTime,
}

/// What the user asks of an experiment. `None` leaves the choice to the experiment.
#[derive(Clone, Debug)]
pub struct Request {
    /// The problems, if the experiment works on such: at least one.
    pub problems: Vec<epd::Record>,
    /// The analyses, if the experiment works on such.
    pub analyses: Vec<Record>,
    /// Names of the files they come from, without folders and endings: `wac`.
    pub sets: Vec<String>,
    /// Whether to take the time it takes instead of a minute or two.
    pub full: bool,
    /// Greatest effort per position or tree, in positions visited.
    pub nodes: Option<u64>,
    /// Greatest effort per position or tree in milliseconds, instead; then `jobs` is 1.
    pub movetime_ms: Option<u64>,
    /// Seed of whatever is random.
    pub seed: u64,
    /// Memory for each search, in MiB.
    pub hash_megabytes: usize,
    /// How many positions or trees are worked on at a time.
    pub jobs: usize,
    /// Rows and columns of the board, if the experiment plays on one.
    pub size: Option<u8>,
    /// How many games to play, if it plays games.
    pub games: Option<u32>,
    /// A file to keep in what each search came to on each problem, and what becomes of one that is there: a
    /// long run that is killed can go on with it. Only for [`Subject::Efforts`].
    pub states: Option<(PathBuf, Existing)>,
}

/// What an experiment has found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// What was chosen for the experiment, limits above all, as name and value:
    /// `("positions visited", "100 000")`.
    pub settings: Vec<(String, String)>,
    /// The seed, if anything was random.
    pub seed: Option<u64>,
    /// The tables, usually one per figure.
    pub tables: Vec<Table>,
    /// What must be known to read the tables, a sentence or two each.
    pub notes: Vec<String>,
    /// Positions or trees that had to be left out, each with the reason.
    pub left_out: Vec<Fault>,
}

impl Findings {
    /// Notes a setting.
    pub fn setting(&mut self, name: &str, value: impl Into<String>) {
        self.settings.push((name.to_owned(), value.into()));
    }

    /// What could be found; what could not is left out.
    pub fn keep<T>(&mut self, results: Vec<Result<T, Fault>>) -> Vec<T> {
        let keep =
            |result: Result<T, Fault>| result.map_err(|fault| self.left_out.push(fault)).ok();
        results.into_iter().filter_map(keep).collect()
    }

    /// Adds a note.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

/// Why an experiment cannot be run, or not to its end, or its outcome not be kept.
#[derive(Debug, Error)]
pub enum LabError {
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// EPD files for an experiment that has no use for them.
    #[error("{experiment} makes its own trees or games and takes no files")]
    NoUseForFiles {
        /// The experiment's name.
        experiment: &'static str,
    },
    /// A board for an experiment that has none, or none to choose.
    #[error("{experiment} plays no games on a board: leave out --size")]
    NoUseForBoard {
        /// The experiment's name.
        experiment: &'static str,
    },
    /// A file of states for an experiment that keeps none.
    #[error("{experiment} keeps no states: leave out --states")]
    NoUseForStates {
        /// The experiment's name.
        experiment: &'static str,
    },
    /// A file of states that were come to under other conditions.
    #[error("{}: these states are of another version, of other searches or limits; they cannot be gone on with", path.display())]
    OtherStates {
        /// Which.
        path: PathBuf,
    },
    /// A file of states.
    #[error(transparent)]
    States(#[from] ReadError),
    /// A number of games for an experiment that plays none.
    #[error("{experiment} plays no games: leave out --games")]
    NoUseForGames {
        /// The experiment's name.
        experiment: &'static str,
    },
    /// A limit for an experiment that chooses its effort itself.
    #[error("{experiment} chooses its effort itself: leave out --nodes and --movetime")]
    NoUseForLimit {
        /// The experiment's name.
        experiment: &'static str,
    },
    /// Time as a limit, where it has no meaning.
    #[error("{experiment} counts positions: give --nodes instead of --movetime")]
    NoUseForTime {
        /// The experiment's name.
        experiment: &'static str,
    },
    /// No positions.
    #[error("there are no positions to run")]
    Nothing,
    /// An analysis.
    #[error(transparent)]
    Analysis(#[from] RecordError),
    /// Analyses that do not belong together.
    #[error(
        "expected analyses of the same games: one with conspiracy numbers (`--search best-first`), one of a judge, \
         and if wanted one that says how sure it is (`--search depth-first`)"
    )]
    NotTogether,
    /// Problems, or searches on them.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// Cassius is at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The searches are too large for the machine.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// The output, or a thread.
    #[error(transparent)]
    Io(#[from] io::Error),
}
