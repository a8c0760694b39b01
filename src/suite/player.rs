//! The columns of a suite: whatever can be given a position and answers with a move.

use std::str::FromStr;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::engine::Engine;
use super::epd::Record;
use super::process::EngineError;
use super::results::{Limit, Moment, Outcome};
use crate::game::Root;
use crate::games::chess::notation::to_san;
use crate::games::chess::{Evaluation, Move, Position};
use crate::search::registry::{Algorithm, UnknownAlgorithm};
use crate::search::{Limits, Observer, Report, Searcher};
use crate::uci::options::{self, EngineSettings, OptionError};

/// One of our searches with UCI options: `NAME[:OPTION=VALUE]...`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchSpec {
    text: String,
    algorithm: Algorithm,
    options: Vec<(String, String)>,
}

/// Why a text is no search.
#[derive(PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// The name.
    #[error(transparent)]
    Name(#[from] UnknownAlgorithm),
    /// Not an option with a value.
    #[error("expected OPTION=VALUE, found '{given}'")]
    Shape {
        /// What was given.
        given: String,
    },
    /// The option or its value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl SearchSpec {
    /// Gives settings the search and its options.
    pub fn apply(&self, settings: &mut EngineSettings) -> Result<(), OptionError> {
        for (name, value) in &self.options {
            options::set(settings, name, Some(value))?;
        }
        settings.search.algorithm = self.algorithm;
        Ok(())
    }

    /// The settings it stands for, with this evaluation and so much memory unless it is given
    /// others.
    pub fn settings(&self, evaluation: Evaluation, hash_megabytes: usize) -> EngineSettings {
        let mut settings = EngineSettings {
            evaluation,
            ..EngineSettings::default()
        };
        settings.search.hash_megabytes = hash_megabytes;
        // The options have been tried on the default settings when the specification was read.
        let _ = self.apply(&mut settings);
        settings
    }
}

impl FromStr for SearchSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<SearchSpec, SpecError> {
        let mut parts = text.split(':').map(str::trim);
        let algorithm: Algorithm = parts.next().unwrap_or_default().parse()?;
        let mut spec = SearchSpec {
            text: algorithm.name().to_owned(),
            algorithm,
            options: Vec::new(),
        };
        for part in parts {
            let (name, value) = part.split_once('=').ok_or_else(|| SpecError::Shape {
                given: part.to_owned(),
            })?;
            let (name, value) = (name.trim(), value.trim());
            spec.text.push_str(&format!(":{name}={value}"));
            spec.options.push((name.to_owned(), value.to_owned()));
        }
        spec.apply(&mut EngineSettings::default())?;
        Ok(spec)
    }
}

/// Who takes part, by name.
#[derive(Clone, Debug)]
pub enum Column {
    /// One of our searches.
    Search {
        /// What the results call it.
        name: String,
        /// What it is.
        settings: Box<EngineSettings>,
    },
    /// A UCI engine.
    Engine {
        /// What the results call it.
        name: String,
        /// How it is started.
        command: String,
        /// How long it may keep us waiting; see [`Engine::start`].
        patience: Duration,
        /// Its hash table, in MiB.
        hash_megabytes: usize,
    },
}

impl Column {
    /// One of our searches as it plays games, with so much memory, unless it is told otherwise.
    pub fn search(spec: &SearchSpec, hash_megabytes: usize) -> Column {
        Column::Search {
            name: spec.text.clone(),
            settings: Box::new(spec.settings(Evaluation::Positional, hash_megabytes)),
        }
    }

    /// An engine by the command that starts it, called what it calls itself. It is started to ask
    /// for that, and ended again.
    pub fn engine(
        command: &str,
        hash_megabytes: usize,
        patience: Duration,
    ) -> Result<Column, EngineError> {
        let engine = Engine::start(command, hash_megabytes, patience)?;
        Ok(Column::Engine {
            name: engine.name().to_owned(),
            command: command.to_owned(),
            patience,
            hash_megabytes,
        })
    }

    /// What the results call it.
    pub fn name(&self) -> &str {
        match self {
            Column::Search { name, .. } | Column::Engine { name, .. } => name,
        }
    }

    /// Makes the player: builds the search, or starts the engine.
    pub fn player(&self) -> Result<Box<dyn Player>, EngineError> {
        match self {
            Column::Search { settings, .. } => Ok(Box::new(OwnSearch {
                searcher: settings.searcher(),
            })),
            Column::Engine {
                command,
                patience,
                hash_megabytes,
                ..
            } => Ok(Box::new(Engine::start(
                command,
                *hash_megabytes,
                *patience,
            )?)),
        }
    }
}

/// Somebody who can be given positions.
pub trait Player {
    /// Solves a position under a limit, knowing nothing of positions before it. What goes wrong with
    /// one position is told in its outcome; an error means that no more need be tried.
    fn solve(&mut self, record: &Record, limit: &Limit) -> Result<Outcome, EngineError>;
}

/// Remembers since when the answer has been right.
pub(super) struct Tracker<'a> {
    record: &'a Record,
    /// When the right answer came that has stood ever since.
    pub(super) solution: Option<Moment>,
}

impl<'a> Tracker<'a> {
    pub(super) fn new(record: &'a Record) -> Tracker<'a> {
        Tracker {
            record,
            solution: None,
        }
    }

    /// Whether nothing that is still to come can matter: the mate asked for has been proven.
    pub(super) fn is_done(&self) -> bool {
        self.record.asks_for_mate() && self.solution.is_some()
    }

    /// The answer at `moment` is this move, with this claim of a mate.
    pub(super) fn answer(&mut self, m: Option<Move>, mate: Option<i32>, moment: Moment) {
        if self.record.is_solved_by(m, mate) {
            self.solution.get_or_insert(moment);
        } else {
            self.solution = None;
        }
    }
}

/// Milliseconds, with microseconds as decimals.
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e3
}

struct OwnSearch {
    searcher: Box<dyn Searcher<Position> + Send>,
}

impl Player for OwnSearch {
    fn solve(&mut self, record: &Record, limit: &Limit) -> Result<Outcome, EngineError> {
        self.searcher.forget();
        let limits = Limits {
            nodes: limit.nodes,
            iterations: limit.depth,
            ..Limits::default()
        };
        let root = Root::new(record.position.clone());
        let mut watch = Stopwatch {
            start: Instant::now(),
            movetime: limit.movetime_ms.map(Duration::from_millis),
            tracker: Tracker::new(record),
        };
        let report = self.searcher.search(&root, &limits, &mut watch);
        let took = watch.start.elapsed();
        watch.report(&report);
        let mate = report.value.mate_in_moves();
        Ok(Outcome {
            solved: watch.tracker.solution.is_some(),
            best_move: report.best_move().map(|m| to_san(&record.position, m)),
            cp: mate.is_none().then(|| i32::from(report.value.get())),
            mate,
            mate_shown: mate.map(|mate| record.shows_mate(mate, &report.pv)),
            iteration: report.iteration,
            seldepth: report.seldepth,
            nodes: report.nodes,
            ms: milliseconds(took),
            solution: watch.tracker.solution,
            failure: None,
        })
    }
}

/// Ends a search by the clock, and notes since when its answer has been right.
struct Stopwatch<'a> {
    start: Instant,
    movetime: Option<Duration>,
    tracker: Tracker<'a>,
}

impl Observer<Move> for Stopwatch<'_> {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        let over = |movetime| self.start.elapsed() >= movetime;
        self.tracker.is_done() || self.movetime.is_some_and(over)
    }

    fn report(&mut self, report: &Report<Move>) {
        let moment = Moment {
            ms: milliseconds(self.start.elapsed()),
            nodes: report.nodes,
            iteration: report.iteration,
        };
        let mate = report.value.mate_in_moves();
        self.tracker.answer(report.best_move(), mate, moment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::best_first::{BranchRule, StorageKind};

    #[test]
    fn a_search_takes_options_and_values_with_blanks() {
        let text =
            "best-first:Best-First=branch-rule=likelihoods'+rr storage=compromise : hash = 5";
        let spec: SearchSpec = text.parse().unwrap();
        let settings = spec.settings(Evaluation::Tactical, 3).search;
        assert_eq!(settings.algorithm, Algorithm::BestFirst);
        assert_eq!(settings.hash_megabytes, 5);
        let best_first = settings.best_first;
        assert_eq!(
            best_first.branch_rule,
            BranchRule::PrimedLikelihoodsRoundRobin
        );
        assert_eq!(best_first.storage, StorageKind::Compromise);
    }
}
