//! Analyses the games of a text, and makes a page or the same games with remarks.
//!
//! No file is read or written, so this works in a browser too.
//!
//! ```
//! use cassius::engine::limit::Limit;
//! use cassius::game_report::from_text::{Request, analyze, annotated, page};
//!
//! let pgn = b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0";
//! let limit = Limit { nodes: Some(500), ..Limit::default() };
//! let request = Request { hash_megabytes: 1, ..Request::new("a game", "depth-first".parse()?, limit) };
//! let record = analyze(pgn, &request)?;
//! assert!(page(&record).contains("<svg"));
//! // Lines of a PGN end anywhere between words.
//! let remarked = String::from_utf8(annotated(pgn, &record)?)?.replace('\n', " ");
//! assert!(remarked.contains("2... Ke7 $4 {[%eval #1]"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use anyhow::{Result, ensure};

use super::analyser::JudgingPlan;
use super::effort::Effort;
use super::judge;
use super::page;
use super::record::{Game, Header, Record};
use super::run::{self, Job};
use crate::engine::limit::Limit;
use crate::engine::spec::SearchSpec;
use crate::games::chess::Evaluation;
use crate::games::chess::pgn::Games;
use crate::platform;
use crate::search::registry::Settings;

pub use super::annotated::annotated;

/// Request for an analysis of games.
#[derive(Clone, Debug)]
pub struct Request {
    /// Name of the text, shown on the page.
    pub name: String,
    /// The search.
    pub search: SearchSpec,
    /// Memory for the search, in MiB.
    pub hash_megabytes: usize,
    /// Limit for each position, on average.
    pub limit: Limit,
    /// Whether best-first search gives evidence at marked moves: how many positions would have to be misjudged.
    pub second_look: bool,
}

impl Request {
    /// A request with the default memory and with evidence.
    pub fn new(name: &str, search: SearchSpec, limit: Limit) -> Request {
        Request {
            name: name.to_owned(),
            search,
            hash_megabytes: Settings::default().hash_megabytes,
            limit,
            second_look: true,
        }
    }
}

/// Progress of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Number of the game under way, from 1.
    pub game: usize,
    /// Positions done, counted by their effort.
    pub done: usize,
    /// Positions in all.
    pub of: usize,
}

/// Analyses the games in a text, one after the other.
///
/// # Errors
/// If there is no game, the text is UTF-16, or memory is insufficient. Games with faults are analysed up to the fault.
pub fn analyze(pgn: &[u8], request: &Request) -> Result<Record> {
    analyze_with_progress(pgn, request, |_| true)
}

/// Analyses the games in a text and calls `tell` with the progress after each search. If that returns false the
/// analysis ends, and the record has the games done by then.
///
/// # Errors
/// As [`analyze`].
pub fn analyze_with_progress(
    pgn: &[u8],
    request: &Request,
    mut tell: impl FnMut(Progress) -> bool,
) -> Result<Record> {
    let settings = request
        .search
        .settings(Evaluation::default(), request.hash_megabytes);
    let effort = Effort::Position(request.limit);
    let plan = JudgingPlan::new(&settings, effort, 1, request.second_look);
    plan.ensure_memory()?;
    let of = positions(pgn)?;
    // Progress is told in positions, not in bytes.
    let jobs = Games::new(pgn).map(|game| {
        let job = Job::new(game?);
        let bytes = job.info.positions as u64;
        Ok(Job { bytes, ..job })
    });
    let mut games: Vec<Game> = Vec::new();
    let mut goes_on = true;
    let ran = of.map_or(Ok(()), |of| {
        run::run(
            jobs,
            &plan,
            |game, done| {
                let done = done as usize;
                goes_on = tell(Progress { game, done, of });
                ensure!(goes_on, "stopped");
                Ok(())
            },
            |game| {
                games.push(game);
                Ok(())
            },
        )
    });
    // Keeps the games done before a stop.
    if goes_on {
        ran?;
    }
    let header = Header {
        file: request.name.clone(),
        search: request.search.to_string(),
        hash_mb: request.hash_megabytes,
        second_look: request.second_look,
        ..judge::header(&settings, effort, String::new())
    };
    Ok(Record { header, games })
}

/// Number of positions in the games of a text; `None` if the host ends the work first.
fn positions(pgn: &[u8]) -> Result<Option<usize>> {
    let mut games = Games::new(pgn).peekable();
    ensure!(
        games.peek().is_some(),
        "there is no game in this text; expected PGN"
    );
    let mut positions = 0;
    for game in games {
        positions += run::positions(&game?);
        // There may be many games, so let the host interrupt.
        if platform::give_way() {
            return Ok(None);
        }
    }
    Ok(Some(positions))
}

/// The page that shows analysed games in a browser.
pub fn page(record: &Record) -> String {
    let games: Vec<&Game> = record.games.iter().collect();
    page::render(&record.header, &games, 0)
}
