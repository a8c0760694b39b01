//! [`EngineSettings`]: the settings of a search, and the searcher built from them.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::fault::Guarded;
use crate::games::chess::network::Network;
use crate::games::chess::tablebase::Tables;
use crate::games::chess::{Evaluation, Position, Quiescence};
use crate::profile::Margin;
use crate::search::Searcher;
use crate::search::events::Watchable;
use crate::search::kit::forgetting::Forgetting;
use crate::search::registry::{self, Algorithm, Settings};

/// A searcher that can be handed to a thread.
pub type ChessSearcher = Box<dyn Searcher<Position> + Send>;

/// Settings of the engine, which its options change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSettings {
    /// The search and its settings.
    pub search: Settings,
    /// The static evaluation.
    pub evaluation: Evaluation,
    /// The network, if that is the evaluation.
    pub network: NetworkChoice,
    /// Endgame tablebases.
    pub tables: Tables,
    /// Change of value, in centipawns, for which profiles count conspirators.
    pub sureness_margin: Margin,
    /// [`Settings::mate_share`] in analysis, in percent; elsewhere there is no prover.
    pub mate_share: u32,
}

/// Default of [`EngineSettings::mate_share`].
const MATE_SHARE: u32 = 12;

impl Default for EngineSettings {
    fn default() -> EngineSettings {
        EngineSettings {
            search: Settings::default(),
            evaluation: Evaluation::default(),
            network: NetworkChoice::default(),
            tables: Tables::default(),
            sureness_margin: Margin::default(),
            mate_share: MATE_SHARE,
        }
    }
}

/// The network of the evaluation.
#[derive(Clone, Debug)]
pub struct NetworkChoice {
    network: Arc<Network>,
    path: String,
}

impl NetworkChoice {
    /// The network in a file; without a path, the program's own.
    pub fn open(path: &str) -> Result<NetworkChoice> {
        if path.is_empty() {
            return Ok(NetworkChoice::default());
        }
        Ok(NetworkChoice {
            network: Arc::new(Network::open(Path::new(path))?),
            path: path.to_owned(),
        })
    }

    /// Path of its file; empty for the program's own.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl Default for NetworkChoice {
    fn default() -> NetworkChoice {
        NetworkChoice {
            network: Network::embedded(),
            path: String::new(),
        }
    }
}

/// Compares networks by checksum, whatever their files.
impl PartialEq for NetworkChoice {
    fn eq(&self, other: &NetworkChoice) -> bool {
        self.network.checksum() == other.network.checksum()
    }
}

impl Eq for NetworkChoice {}

impl EngineSettings {
    /// Returns the settings for an analysis: with a prover of mates beside the search.
    #[must_use]
    pub fn for_analysis(&self) -> EngineSettings {
        let mut settings = self.clone();
        settings.search.mate_share = self.mate_share;
        settings
    }

    /// Builds the searcher.
    pub fn searcher(&self) -> ChessSearcher {
        self.build(&self.search)
    }

    /// Builds a searcher for a watcher, if the search can be watched.
    pub(crate) fn watchable(&self) -> Option<Box<dyn Watchable<Position> + Send>> {
        registry::build_watchable(&self.search, self.evaluator())
    }

    /// Builds a searcher that is rebuilt after a panic.
    pub fn guarded(&self) -> Guarded<ChessSearcher> {
        let settings = self.clone();
        Guarded::new(self.search.algorithm.name(), move || settings.searcher())
    }

    /// Builds the searcher of `go mate`: proof-number search, in its best-first form if the settings
    /// choose that.
    pub(crate) fn mate_searcher(&self) -> ChessSearcher {
        let algorithm = match self.search.algorithm {
            Algorithm::ProofNumberTree => Algorithm::ProofNumberTree,
            _ => Algorithm::ProofNumber,
        };
        self.build(&Settings {
            algorithm,
            ..self.search.clone()
        })
    }

    /// Approximate memory of the searcher in analysis, in MiB.
    pub fn megabytes(&self) -> usize {
        self.for_analysis().search.megabytes()
    }

    fn build(&self, search: &Settings) -> ChessSearcher {
        Box::new(Forgetting::new(registry::build(search, self.evaluator())))
    }

    /// Checksum of the network, if that is the evaluation.
    pub fn network_checksum(&self) -> Option<&str> {
        (self.evaluation == Evaluation::Network).then(|| self.network.network.checksum())
    }

    /// Builds the evaluator, with tablebases.
    pub fn evaluator(&self) -> Quiescence {
        let evaluator = match self.evaluation {
            Evaluation::Network => Quiescence::learnt(Arc::clone(&self.network.network)),
            Evaluation::Tactical => Quiescence::tactical(),
        };
        evaluator.with_tables(self.tables.clone())
    }

    /// Whether these settings and others build the same searcher.
    pub(crate) fn makes_the_same_searcher(&self, other: &EngineSettings) -> bool {
        // What does not make the searcher is equated; the rest is compared.
        let mut other = other.clone();
        other.sureness_margin.clone_from(&self.sureness_margin);
        if self.evaluation != Evaluation::Network {
            other.network.clone_from(&self.network);
        }
        *self == other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::spec::SearchSpec;
    use crate::game::Root;
    use crate::games::chess::Move;
    use crate::search::events::{Event, Watcher};
    use crate::search::{Limits, Report, Unobserved};

    /// Counts what is asked.
    struct Tally(u64);

    impl Watcher<Move> for Tally {
        fn receive(&mut self, event: Event<Move>) {
            self.0 += u64::from(matches!(event, Event::Asked(_)));
        }
    }

    #[test]
    fn a_search_that_is_watched_finds_the_same() {
        let settings = |text: &str| {
            let spec: SearchSpec = text.parse().unwrap();
            spec.settings(Evaluation::default(), 1)
        };
        let watchable = |name: &str| settings(name).watchable();
        let root = Root::new(Position::initial());
        let limits = Limits::nodes(5_000);
        for name in ["depth-first", "alpha-beta", "alpha-beta-plain"] {
            let mut tally = Tally(0);
            let plain = settings(name)
                .searcher()
                .search(&root, &limits, &mut Unobserved);
            let watched = watchable(name).unwrap().search_watched(
                &root,
                &limits,
                &mut Unobserved,
                &mut tally,
            );
            let found = |it: Report<_>| (it.value, it.pv, it.iteration, it.nodes);
            assert_eq!(found(watched), found(plain), "{name}");
            assert!(tally.0 > 1_000, "{name}: {}", tally.0);
        }
        assert!(watchable("best-first").is_none());
    }
}
