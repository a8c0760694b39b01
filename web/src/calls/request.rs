//! Requests of calls. All calls share the fields, and each uses those it needs.

use anyhow::{Context as _, Result, ensure};
use cassius::engine::limit::Limit;
use cassius::engine::settings::EngineSettings;
use cassius::engine::spec::SearchSpec;
use cassius::game::{Game as _, Root};
use cassius::games::chess::notation::{self, Castling, DroppedRights};
use cassius::games::chess::{Evaluation, Move, Position};
use cassius::search::registry::Settings;
use serde::Deserialize;

/// Default nodes of searches that need a limit.
pub(crate) const DEFAULT_NODES: u64 = 100_000;
/// Most memory for one search, in MiB; larger requests are clamped.
const MOST_MEGABYTES: usize = 128;
/// Most milliseconds of one search: a day.
const MOST_MILLISECONDS: u64 = 86_400_000;

/// Request of a call.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Request {
    pub(crate) fen: Option<String>,
    pub(crate) moves: Vec<String>,
    pub(crate) chess960: bool,
    pub(crate) nodes: Option<u64>,
    pub(crate) movetime: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) search: Option<String>,
    pub(crate) hash: Option<usize>,
    pub(crate) clear: bool,
    pub(crate) lines: Option<usize>,
    pub(crate) search_moves: Vec<String>,
    pub(crate) centipawns: Option<i32>,
    pub(crate) named: Option<u32>,
    pub(crate) tree: Option<u32>,
    pub(crate) path: Vec<String>,
    pub(crate) of: Vec<String>,
    #[serde(rename = "move")]
    pub(crate) m: Option<String>,
    pub(crate) pgn: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) second_look: Option<bool>,
    pub(crate) gap: Option<f64>,
    pub(crate) iterations: Option<u32>,
}

/// A position given by a request.
pub(crate) struct Given {
    /// The position, with its past.
    pub(crate) root: Root<Position>,
    /// Start position of the moves.
    pub(crate) start: Position,
    /// Moves to the position.
    pub(crate) moves: Vec<Move>,
    /// Castling rights that were dropped.
    pub(crate) dropped: Option<DroppedRights>,
}

/// Reads a move in UCI notation or SAN.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move> {
    let m = notation::parse_uci(position, text);
    Ok(m.or_else(|error| notation::parse_san(position, text).map_err(|_| error))?)
}

/// Reads a sequence of moves.
pub(crate) fn read_moves(position: &Position, texts: &[String]) -> Result<Vec<Move>> {
    let mut position = position.clone();
    let read = |text: &String| {
        let m = read_move(&position, text)?;
        position.play(m);
        Ok(m)
    };
    texts.iter().map(read).collect()
}

impl Request {
    /// Position of the request.
    pub(crate) fn position(&self) -> Result<Given> {
        let (start, dropped) = match &self.fen {
            None => (Position::initial(), None),
            Some(fen) => {
                let read = notation::read_fen(fen, Castling::of(self.chess960))?;
                (read.position, read.dropped)
            }
        };
        let moves = read_moves(&start, &self.moves)?;
        let mut root = Root::new(start.clone());
        moves.iter().for_each(|&m| root.play(m));
        Ok(Given {
            root,
            start,
            moves,
            dropped,
        })
    }

    /// Memory for a search, in MiB.
    pub(crate) fn megabytes(&self) -> usize {
        let megabytes = self.hash.unwrap_or(Settings::default().hash_megabytes);
        megabytes.clamp(1, MOST_MEGABYTES)
    }

    /// Search of the request; `otherwise` if it names none.
    pub(crate) fn search(&self, otherwise: &str) -> Result<SearchSpec> {
        Ok(self.search.as_deref().unwrap_or(otherwise).parse()?)
    }

    /// Settings of the request's search, by default `otherwise`; with `evaluation` unless its options set another.
    pub(crate) fn settings(
        &self,
        otherwise: &str,
        evaluation: Evaluation,
    ) -> Result<EngineSettings> {
        let mut settings = self
            .search(otherwise)?
            .settings(evaluation, self.megabytes());
        let megabytes = &mut settings.search.hash_megabytes;
        *megabytes = (*megabytes).min(MOST_MEGABYTES);
        Ok(settings)
    }

    /// Limits of the request; `nodes` if it has none.
    pub(crate) fn limit(&self, nodes: Option<u64>) -> Limit {
        let is_limited = self.nodes.or(self.movetime).is_some() || self.depth.is_some();
        Limit {
            movetime_ms: self.movetime.map(|ms| ms.clamp(1, MOST_MILLISECONDS)),
            nodes: self
                .nodes
                .map(|nodes| nodes.max(1))
                .or(nodes.filter(|_| !is_limited)),
            depth: self.depth.map(|depth| depth.max(1)),
        }
    }

    /// Change of value in question, in centipawns.
    pub(crate) fn change(&self) -> Result<i32> {
        let centipawns = self.centipawns.unwrap_or(50);
        ensure!(
            (1..=10_000).contains(&centipawns),
            "'centipawns' must be from 1 to 10000, not {centipawns}"
        );
        Ok(centipawns)
    }

    /// Most conspirators to name.
    pub(crate) fn most_named(&self) -> u32 {
        self.named.unwrap_or(12)
    }

    /// Number of the tree in question.
    pub(crate) fn tree(&self) -> Result<u32> {
        self.tree
            .context("'tree' is missing: the number that 'tree' or 'profile' gave")
    }

    /// Text of games.
    pub(crate) fn pgn<'a>(&'a self, bytes: Option<&'a [u8]>) -> Result<&'a [u8]> {
        let text = self.pgn.as_deref().map(str::as_bytes);
        bytes
            .or(text)
            .context("'pgn' is missing: the text of a PGN file")
    }
}
