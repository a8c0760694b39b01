//! The contestants of a suite: searches and engines.

use anyhow::{Result, ensure};

use super::epd::Record;
use super::results::{Moment, Outcome};
use crate::engine::fault::Guarded;
use crate::engine::limit::Limit;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::engine::stopwatch::Stopwatch;
use crate::game::Root;
use crate::games::chess::notation::to_san;
use crate::games::chess::{Move, Position};
use crate::search::{Observer, PREPARATION, Report};
use crate::uci_client::conversation::{Answer, EngineProgress, shows_mate};
use crate::uci_client::engine::{Engine, EngineCommand, EngineQuery, FAILURES_IN_A_ROW};
use crate::uci_client::process::Failure;

/// A contestant: one of our searches, or another engine.
pub(crate) struct Contestant {
    /// Its name in the results.
    pub(crate) name: String,
    /// Approximate memory of a player, in MiB.
    pub(crate) megabytes: usize,
    /// Checksum of the network with which our search evaluates; `None` for other evaluations and for engines.
    pub(crate) network: Option<String>,
    /// Identity of an engine's program, as results note it; `None` for our searches.
    pub(crate) program: Option<String>,
    /// Makes a player: builds the search, or starts the engine.
    pub(crate) player: Box<dyn Fn() -> Result<Box<dyn Player>> + Sync>,
}

impl Contestant {
    /// One of our searches.
    pub(crate) fn search(name: String, settings: EngineSettings) -> Contestant {
        Contestant {
            name,
            megabytes: settings.megabytes(),
            network: settings.network_checksum().map(str::to_owned),
            program: None,
            player: Box::new(move || Ok(Box::new(settings.guarded()))),
        }
    }

    /// Another engine.
    pub(crate) fn engine(engine: EngineCommand) -> Contestant {
        Contestant {
            name: engine.name.clone(),
            megabytes: engine.hash_megabytes,
            network: None,
            program: Some(engine.program()),
            player: Box::new(move || {
                let engine = engine.start()?;
                Ok(Box::new(EnginePlayer {
                    engine,
                    failures: 0,
                }))
            }),
        }
    }
}

/// A solver of positions.
pub(crate) trait Player {
    /// Searches a position under a limit, without knowledge of earlier positions. A failure at this position is part of
    /// the outcome; an error means that the player is unusable.
    fn solve(&mut self, record: &Record, limit: &Limit) -> Result<Outcome>;
}

/// Tracks since when the answer has been right.
pub(super) struct SolvedSince<'a> {
    wanted: Option<&'a Record>,
    /// The moment since which the answer has been right.
    pub(super) solution: Option<Moment>,
}

impl<'a> SolvedSince<'a> {
    pub(super) fn new(wanted: Option<&'a Record>) -> SolvedSince<'a> {
        SolvedSince {
            wanted,
            solution: None,
        }
    }

    /// Whether the search may end: only a mate is asked for, and one that is near enough has been claimed.
    pub(super) fn is_done(&self) -> bool {
        self.wanted.is_some_and(Record::asks_for_mate) && self.solution.is_some()
    }

    /// The answer at `moment` is this move, with this claim of a mate.
    pub(super) fn answer(&mut self, m: Option<Move>, mate: Option<i32>, moment: Moment) {
        if self.wanted.is_some_and(|it| it.is_solved_by(m, mate)) {
            self.solution.get_or_insert(moment);
        } else {
            self.solution = None;
        }
    }
}

impl Player for Guarded<ChessSearcher> {
    fn solve(&mut self, record: &Record, limit: &Limit) -> Result<Outcome> {
        let position = &record.position;
        self.get().clear();
        self.get().prepare(PREPARATION);
        let root = Root::new(position.clone());
        let limits = limit.kept_by_search();
        let mut watch = Watch {
            clock: Stopwatch::start(limit),
            solved_since: SolvedSince::new(Some(record)),
        };
        let report = self.search(position, |it| it.search(&root, &limits, &mut watch));
        let ms = watch.clock.ms();
        let report = match report {
            Ok(report) => report,
            Err(fault) => {
                return Ok(Outcome {
                    ms,
                    failure: Some(fault.to_string()),
                    ..Outcome::default()
                });
            }
        };
        watch.report(&report);
        let mate = report.value.mate_in_moves();
        Ok(Outcome {
            solved: watch.solved_since.solution.is_some(),
            best_move: report.best_move().map(|m| to_san(position, m)),
            cp: mate.is_none().then(|| i32::from(report.value.get())),
            mate,
            mate_shown: mate.map(|mate| shows_mate(position, mate, &report.pv)),
            iteration: report.iteration,
            seldepth: report.seldepth,
            nodes: report.nodes,
            ms,
            solution: watch.solved_since.solution,
            failure: None,
        })
    }
}

/// An engine that solves positions.
struct EnginePlayer {
    engine: Engine,
    /// Failures in a row.
    failures: u32,
}

impl Player for EnginePlayer {
    /// Wrong answers are results of a suite: they do not end it, as three failures of the process in a row do.
    fn solve(&mut self, record: &Record, limit: &Limit) -> Result<Outcome> {
        let query = EngineQuery {
            position: &record.position,
            start: &record.position,
            moves: &[],
            is_same_game: false,
            moves_wanted: 1,
        };
        let mut solved_since = SolvedSince::new(Some(record));
        let is_enough = &mut |EngineProgress {
                                  m,
                                  mate,
                                  iteration,
                                  nodes,
                                  ms,
                              }| {
            solved_since.answer(
                m,
                mate,
                Moment {
                    ms,
                    nodes,
                    iteration,
                },
            );
            solved_since.is_done()
        };
        let failure = match self.engine.ask(&query, limit, is_enough) {
            Ok(answer) => {
                self.failures = 0;
                return Ok(outcome(&record.position, &answer, solved_since.solution));
            }
            Err(failure) => failure,
        };
        let told = self.engine.tells(&failure);
        match failure {
            // Nothing is wrong with the engine itself.
            Failure::NoChess960 => {}
            Failure::NoMove(_) => self.failures = 0,
            _ => self.failures += 1,
        }
        ensure!(
            self.failures < FAILURES_IN_A_ROW,
            "{told}; giving up after {FAILURES_IN_A_ROW} failures in a row"
        );
        Ok(Outcome {
            failure: Some(told),
            ..Outcome::default()
        })
    }
}

/// An engine's answer in the form that results of suites have.
fn outcome(position: &Position, answer: &Answer, solution: Option<Moment>) -> Outcome {
    let EngineProgress {
        m,
        mate,
        iteration,
        nodes,
        ms,
    } = answer.progress;
    Outcome {
        solved: solution.is_some(),
        best_move: m.map(|m| to_san(position, m)),
        cp: answer.cp,
        mate,
        mate_shown: answer.mate_shown,
        iteration,
        seldepth: answer.seldepth,
        nodes,
        ms,
        solution,
        failure: None,
    }
}

/// Ends a search by the clock or once its goal is reached, and notes since when its answer has been right.
struct Watch<'a> {
    clock: Stopwatch,
    solved_since: SolvedSince<'a>,
}

impl Observer<Move> for Watch<'_> {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.solved_since.is_done() || self.clock.is_over()
    }

    fn report(&mut self, report: &Report<Move>) {
        let moment = Moment {
            ms: self.clock.ms(),
            nodes: report.nodes,
            iteration: report.iteration,
        };
        let mate = report.value.mate_in_moves();
        self.solved_since.answer(report.best_move(), mate, moment);
    }
}
