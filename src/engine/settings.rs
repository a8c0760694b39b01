//! What is searched with: [`EngineSettings`], and the searcher that comes of them.

use super::fault::Guarded;
use crate::games::chess::tablebase::Tables;
use crate::games::chess::{Evaluation, Position, Quiescence};
use crate::search::Searcher;
use crate::search::registry::{self, Algorithm, Settings};
use crate::search::speculation::{self, Speculative};

/// A searcher that can be handed to a thread.
pub type ChessSearcher = Box<dyn Searcher<Position> + Send>;

/// What the engine's options change: how to search, and with what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSettings {
    /// How to search.
    pub search: Settings,
    /// What positions are judged by.
    pub evaluation: Evaluation,
    /// Endgame tablebases.
    pub tables: Tables,
    /// Whether to speculate on the opponent's mistakes.
    pub speculates: bool,
    /// How to.
    pub speculation: speculation::Settings,
}

/// Memory of the search that speculation looks through the opponent's eyes with, besides `Hash`.
const SCOUT_MEGABYTES: usize = 1;

impl EngineSettings {
    /// Makes the search that the settings describe.
    pub fn searcher(&self) -> ChessSearcher {
        let searcher = self.build(&self.search);
        let Some(settings) = self.speculation() else {
            return searcher;
        };
        let scout = self.build(&Settings {
            hash_megabytes: SCOUT_MEGABYTES,
            threads: 1,
            ..self.search.clone()
        });
        Box::new(Speculative::new(settings, searcher, scout))
    }

    /// The same, made anew when it panics.
    pub fn guarded(&self) -> Guarded<ChessSearcher> {
        let settings = self.clone();
        Guarded::new(self.search.algorithm.name(), move || settings.searcher())
    }

    /// How to speculate, if at all.
    fn speculation(&self) -> Option<speculation::Settings> {
        self.speculates.then_some(self.speculation)
    }

    /// Makes the search that looks for a mate (`go mate`): proof-number search, whatever the settings'
    /// search, in the form they say if they say one.
    pub fn mate_searcher(&self) -> ChessSearcher {
        let algorithm = match self.search.algorithm {
            Algorithm::ProofNumberTree => Algorithm::ProofNumberTree,
            _ => Algorithm::ProofNumber,
        };
        self.build(&Settings {
            algorithm,
            ..self.search.clone()
        })
    }

    /// About the memory that a searcher made of these will take, in MiB.
    pub fn megabytes(&self) -> usize {
        let scout = self.speculation().map_or(0, |_| SCOUT_MEGABYTES);
        self.search.megabytes().saturating_add(scout)
    }

    fn build(&self, search: &Settings) -> ChessSearcher {
        let evaluator = Quiescence::new(self.evaluation).with_tables(self.tables.clone());
        registry::build(search, evaluator)
    }

    /// Whether [`EngineSettings::searcher`] makes the same of these settings and of others.
    pub fn makes_the_same_searcher(&self, other: &EngineSettings) -> bool {
        self.search == other.search
            && self.evaluation == other.evaluation
            && self.tables == other.tables
            && self.speculation() == other.speculation()
    }
}
