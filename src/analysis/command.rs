//! `cassius analyze --fen`: from options to what is printed.

use std::io::{self, Write};

use serde::Serialize;
use thiserror::Error;

use crate::engine::analyst::{AnalysisError, Analyst, PositionProfile, text};
use crate::engine::fault::Fault;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::spec::SearchSpec;
use crate::engine::stopwatch::Stopwatch;
use crate::game::Root;
use crate::games::chess::notation::{self, FenError};
use crate::games::chess::{Evaluation, Move};
use crate::report::progress::Progress;
use crate::search::Observer;
use crate::version;

/// What the user asks for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The position.
    pub fen: String,
    /// What ends the search.
    pub limit: Limit,
    /// The search.
    pub search: SearchSpec,
    /// Memory for its tree or table, in MiB.
    pub hash_megabytes: usize,
    /// Whether to write JSON instead of text.
    pub json: bool,
}

/// Why there is no analysis.
#[derive(Debug, Error)]
pub enum AnalyzeError {
    /// The position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The search.
    #[error(transparent)]
    Search(#[from] AnalysisError),
    /// The search is at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The search is too large for the machine.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// The profile cannot be written.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Profiles a position; the profile goes to `out`.
pub fn position(options: &Options, out: &mut dyn Write) -> Result<(), AnalyzeError> {
    let root = Root::new(notation::parse_fen(&options.fen)?);
    // Profiles are over whole pawns, the scale of the papers.
    let settings = options
        .search
        .settings(Evaluation::Tactical, options.hash_megabytes);
    memory::ensure([settings.megabytes()], 1)?;
    let mut analyst = Analyst::new(&settings)?;
    let limits = options.limit.kept_by_search();
    let mut watch = Watch::new(&options.limit);
    let profile = analyst.profile(&root, &limits, &mut watch);
    watch.progress.finish();
    let profile = profile?;
    if options.json {
        let told = Told {
            cassius: version::NUMBER,
            commit: version::COMMIT,
            profile: &profile,
        };
        serde_json::to_writer_pretty(&mut *out, &told)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", text::profile(&profile))?;
    }
    Ok(())
}

/// A profile as JSON.
#[derive(Serialize)]
struct Told<'a> {
    /// Version of Cassius.
    cassius: &'a str,
    /// Its commit.
    commit: &'a str,
    #[serde(flatten)]
    profile: &'a PositionProfile,
}

/// Ends a search by the clock, and shows how far it is.
struct Watch {
    clock: Stopwatch,
    is_timed: bool,
    progress: Progress,
}

impl Watch {
    fn new(limit: &Limit) -> Watch {
        Watch {
            clock: Stopwatch::start(limit),
            is_timed: limit.movetime_ms.is_some(),
            progress: Progress::new(limit.movetime_ms.or(limit.nodes).unwrap_or_default()),
        }
    }
}

impl Observer<Move> for Watch {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.progress.reach(if self.is_timed {
            self.clock.ms() as u64
        } else {
            nodes
        });
        self.clock.is_over()
    }
}
