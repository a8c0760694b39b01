//! Games in a text, analysed: to a page, or to the same games with remarks.
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

use super::annotated;
use super::court::Plan;
use super::effort::Effort;
use super::evidence;
use super::holding;
use super::judge::{self, OwnJudge};
use super::page;
use super::record::{Game, Header, Record};
use super::run::{self, Job, News};
use crate::engine::limit::Limit;
use crate::engine::outlook;
use crate::engine::spec::SearchSpec;
use crate::games::chess::Evaluation;
use crate::games::chess::pgn::Games;
use crate::search::registry::Settings;

/// How games are to be analysed.
#[derive(Clone, Debug)]
pub struct Request {
    /// Name of the text, as the page tells it.
    pub name: String,
    /// The search.
    pub search: SearchSpec,
    /// Memory for the search, in MiB.
    pub hash_megabytes: usize,
    /// What a position may take on average.
    pub limit: Limit,
    /// Whether best-first search looks at marked moves, too, to tell what would have to be wrong.
    pub second_look: bool,
}

impl Request {
    /// A request with memory as searches take it, and a second look.
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

/// Analyses the games in a text, one after the other.
///
/// # Errors
/// If there is no game, if the text is UTF-16, or if there is not enough memory. Games with faults are analysed as far as they can be read.
pub fn analyze(pgn: &[u8], request: &Request) -> Result<Record> {
    let settings = request
        .search
        .settings(Evaluation::default(), request.hash_megabytes);
    let effort = Effort::Position(request.limit);
    let own = judge::settings(&settings);
    let is_everywhere = own != settings;
    let witness = request.second_look || is_everywhere;
    let plan = Plan {
        judge: &|| Ok(Box::new(OwnJudge::new(&own))),
        effort,
        beside: None,
        jobs: 1,
        has_chances: outlook::is_learnt_for(&own),
        witness: witness.then(|| evidence::settings(&settings)),
        is_everywhere,
        holder: Some(holding::settings(&own)),
    };
    plan.ensure_memory(own.megabytes())?;
    let mut games: Vec<Game> = Vec::new();
    let jobs = Games::new(pgn).map(|game| Ok(Job::new(game?)));
    run::run(jobs, &plan, |news| {
        match news {
            News::Progress { .. } => {}
            News::Game(info) => games.push(Game {
                info: *info,
                rows: Vec::new(),
            }),
            News::Position(row) => {
                if let Some(game) = games.iter_mut().rfind(|it| it.info.game == row.game) {
                    game.rows.push(*row);
                }
            }
        }
        Ok(())
    })?;
    ensure!(!games.is_empty(), "there is no game in this text");
    let header = Header {
        file: request.name.clone(),
        search: request.search.to_string(),
        hash_mb: request.hash_megabytes,
        second_look: request.second_look,
        ..judge::header(Some(&settings), effort, String::new())
    };
    Ok(Record { header, games })
}

/// The page that shows analysed games in a browser.
pub fn page(record: &Record) -> String {
    let games: Vec<&Game> = record.games.iter().collect();
    page::render(&record.header, &games, 0)
}

/// The text of analysed games again, with remarks on their moves. Its encoding is kept.
///
/// # Errors
/// If the text has other games than those that were analysed.
pub fn annotated(pgn: &[u8], record: &Record) -> Result<Vec<u8>> {
    annotated::annotated(pgn, record)
}
