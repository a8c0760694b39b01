//! `cassius analyze`: from options to what is printed.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::position::{AnalysisError, Analyst};
use super::text;
use crate::game::Root;
use crate::games::chess::notation::{self, FenError};
use crate::games::chess::{Evaluation, Move};
use crate::report::progress::Progress;
use crate::search::{Limits, Observer};
use crate::suite::player::SearchSpec;
use crate::suite::results::Limit;

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
    let mut analyst = Analyst::new(&settings)?;
    let limits = Limits {
        nodes: options.limit.nodes,
        ..Limits::default()
    };
    let mut watch = Watch::new(&options.limit);
    let profile = analyst.profile(&root, &limits, &mut watch);
    watch.progress.finish();
    if options.json {
        serde_json::to_writer_pretty(&mut *out, &profile)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", text::profile(&profile))?;
    }
    Ok(())
}

/// Ends a search by the clock, and shows how far it is.
struct Watch {
    start: Instant,
    movetime: Option<Duration>,
    progress: Progress,
}

impl Watch {
    fn new(limit: &Limit) -> Watch {
        Watch {
            start: Instant::now(),
            movetime: limit.movetime_ms.map(Duration::from_millis),
            progress: Progress::new(limit.movetime_ms.or(limit.nodes).unwrap_or_default()),
        }
    }
}

impl Observer<Move> for Watch {
    fn should_stop(&mut self, nodes: u64) -> bool {
        let Some(movetime) = self.movetime else {
            self.progress.reach(nodes);
            return false;
        };
        let elapsed = self.start.elapsed();
        self.progress.reach(elapsed.as_millis() as u64);
        elapsed >= movetime
    }
}
