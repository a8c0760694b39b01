//! All searches by name: makes a [`Searcher`] from a name and [`Settings`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Searcher;
use super::alpha_beta::{self, AlphaBeta};
use super::beside::{BesideProver, prover_megabytes};
use super::best_first::{self, BestFirst, LeafScores};
use super::depth_first::{self, DepthFirst};
use super::events::Watchable;
pub use super::kit::settings_text::Tunable;
use super::kit::settings_text::Tuned as _;
use super::kit::team::Threads;
use super::papers::alpha_beta_conspiracy::{self, AlphaBetaConspiracy};
use super::papers::b_star::{self, BStar, Guide};
use super::papers::controlled::{self, Controlled, Target};
use super::papers::minimax::Minimax;
use super::papers::unit_costs::UnitCosts;
use super::proof_number::{self, Form, ProofNumber};
use crate::conspiracy::Grid;
use crate::game::{Evaluator, Game};

/// All searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Algorithm {
    /// Depth-first conspiracy-number search: the one to play with.
    DepthFirst,
    /// Depth-first conspiracy-number search with unit costs and plain sums: the papers' numbers.
    DepthFirstUnit,
    /// Best-first conspiracy-number search: the whole tree in memory.
    BestFirst,
    /// Plain minimax by iterative deepening: the reference of the tests.
    Minimax,
    /// Alpha-beta as the thesis's opponent had it.
    AlphaBetaPlain,
    /// Alpha-beta with all techniques that pay.
    AlphaBeta,
    /// Proof-number search, depth-first with a table (df-pn): looks for forced wins only.
    ProofNumber,
    /// Proof-number search, best-first with its tree in memory.
    ProofNumberTree,
    /// Alpha-beta conspiracy search: one depth for either side's strategy.
    AlphaBetaConspiracy,
    /// Sibling conspiracy number search: best-first on values relative to siblings.
    SiblingConspiracy,
    /// Controlled conspiracy-number search: demands passed down.
    ControlledConspiracy,
    /// Controlled conspiracy-2 search: a decision that no single leaf overthrows.
    ControlledConspiracy2,
    /// B*: one move proven better than the others by bounds.
    BStar,
    /// B*, guided by conspiracy numbers.
    BStarConspiracy,
}

names!(Algorithm {
    DepthFirst = "depth-first",
    DepthFirstUnit = "depth-first-unit",
    BestFirst = "best-first",
    AlphaBeta = "alpha-beta",
    AlphaBetaPlain = "alpha-beta-plain",
    ProofNumber = "proof-number",
    ProofNumberTree = "proof-number-tree",
    AlphaBetaConspiracy = "alpha-beta-conspiracy",
    BStar = "b-star",
    BStarConspiracy = "b-star-conspiracy",
    SiblingConspiracy = "sibling-conspiracy",
    ControlledConspiracy = "controlled-conspiracy",
    ControlledConspiracy2 = "controlled-conspiracy-2",
    Minimax = "minimax",
});

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that no search has.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("there is no search called '{given}'; choose one of {}", names())]
pub struct UnknownAlgorithm {
    given: String,
}

fn names() -> String {
    Algorithm::ALL.map(Algorithm::name).join(", ")
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Algorithm, UnknownAlgorithm> {
        Algorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownAlgorithm {
                given: text.to_owned(),
            })
    }
}

/// Settings of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The search.
    pub algorithm: Algorithm,
    /// Memory for its tree or table, in MiB.
    pub hash_megabytes: usize,
    /// Threads of depth-first, alpha-beta, best-first and proof-number search; the others use one.
    pub threads: Threads,
    /// Settings of best-first conspiracy-number search.
    pub best_first: best_first::Settings,
    /// The constants of depth-first search.
    pub depth_first: depth_first::Constants,
    /// Techniques and constants of alpha-beta; `alpha-beta-plain` has its own.
    pub alpha_beta: alpha_beta::Settings,
    /// Share of the nodes for a prover of mates beside depth-first search or alpha-beta, in percent; 0 is none.
    pub mate_share: u32,
    /// δ of alpha-beta conspiracy search, in centipawns.
    pub conspiracy_margin: u16,
}

/// Number of values that sibling conspiracy number search distinguishes; the next constant is their distance in
/// centipawns: siblings differ by less than a pawn.
const SIBLING_VALUES: u8 = 127;
const SIBLING_STEP: i32 = 25;

/// Allowance for each thread, in MiB: its cache of static values, a share of the statistics of moves.
const MEGABYTES_PER_THREAD: usize = 2;

impl Settings {
    /// Default settings of a search with this memory, in MiB.
    pub fn of(algorithm: Algorithm, hash_megabytes: usize) -> Settings {
        Settings {
            algorithm,
            hash_megabytes,
            ..Settings::default()
        }
    }

    /// The constants of the search that are set by name; none if it has no such.
    pub fn tunables(&self) -> Vec<Tunable> {
        match self.algorithm {
            Algorithm::DepthFirst => self.depth_first.tunables(),
            Algorithm::AlphaBeta => self.alpha_beta.tunables(),
            _ => Vec::new(),
        }
    }

    /// Sets one of [`tunables`](Settings::tunables).
    ///
    /// # Errors
    /// If there is none of that name or the value is out of its range.
    pub fn tune(&mut self, name: &str, value: i32) -> Result<(), String> {
        match self.algorithm {
            Algorithm::DepthFirst => self.depth_first.set(name, value),
            Algorithm::AlphaBeta => self.alpha_beta.set(name, value),
            other => Err(format!("{other} has no constants that are set by name")),
        }
    }

    /// Approximate memory of a searcher with these settings, in MiB.
    pub fn megabytes(&self) -> usize {
        let of_threads = self.threads.count.saturating_mul(MEGABYTES_PER_THREAD);
        let of_prover = match self.algorithm {
            Algorithm::DepthFirst | Algorithm::AlphaBeta if self.mate_share > 0 => {
                prover_megabytes(self.hash_megabytes)
            }
            _ => 0,
        };
        (self.hash_megabytes + of_prover).saturating_add(of_threads)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: Algorithm::DepthFirst,
            hash_megabytes: 64,
            threads: Threads::ONE,
            best_first: best_first::Settings::default(),
            depth_first: depth_first::Constants::default(),
            alpha_beta: alpha_beta::Settings::full(),
            mate_share: 0,
            conspiracy_margin: alpha_beta_conspiracy::Settings::default().margin,
        }
    }
}

fn depth_first<E: Clone>(settings: &Settings, evaluator: E) -> Box<DepthFirst<E>> {
    let settings = depth_first::Settings {
        constants: settings.depth_first.clone(),
        hash_megabytes: settings.hash_megabytes,
        threads: settings.threads,
    };
    Box::new(DepthFirst::new(settings, evaluator))
}

fn alpha_beta<E: Clone>(
    settings: &Settings,
    preset: alpha_beta::Settings,
    evaluator: E,
) -> Box<AlphaBeta<E>> {
    let settings = alpha_beta::Settings {
        hash_megabytes: settings.hash_megabytes,
        threads: settings.threads,
        ..preset
    };
    Box::new(AlphaBeta::new(settings, evaluator))
}

/// Makes the search of `settings` in a form that can be watched; `None` if it has none.
pub fn build_watchable<G, E>(
    settings: &Settings,
    evaluator: E,
) -> Option<Box<dyn Watchable<G> + Send>>
where
    G: Game + Send + Sync + 'static,
    E: Evaluator<G> + Clone + Send + 'static,
{
    Some(match settings.algorithm {
        Algorithm::DepthFirst => depth_first(settings, evaluator),
        Algorithm::AlphaBeta => alpha_beta(settings, settings.alpha_beta, evaluator),
        Algorithm::AlphaBetaPlain => alpha_beta(settings, alpha_beta::Settings::plain(), evaluator),
        _ => return None,
    })
}

/// Makes the search of `settings`.
pub fn build<G, E>(settings: &Settings, evaluator: E) -> Box<dyn Searcher<G> + Send>
where
    G: Game + Send + Sync + 'static,
    E: Evaluator<G> + Clone + Send + 'static,
{
    let hash_megabytes = settings.hash_megabytes;
    let best_first = |of_search| {
        let search = BestFirst::new(of_search, hash_megabytes, evaluator.clone());
        Box::new(search.with_threads(settings.threads.count))
    };
    let proof_number = |form| {
        let settings = proof_number::Settings {
            form,
            hash_megabytes,
            threads: settings.threads,
            ..proof_number::Settings::default()
        };
        Box::new(ProofNumber::new(settings, evaluator.clone()))
    };
    let b_star = |guide| {
        let settings = b_star::Settings {
            guide,
            hash_megabytes,
            ..b_star::Settings::default()
        };
        Box::new(BStar::new(settings, evaluator.clone()))
    };
    let controlled = |target| {
        let settings = controlled::Settings {
            target,
            hash_megabytes,
            ..controlled::Settings::default()
        };
        Box::new(Controlled::new(settings, evaluator.clone()))
    };
    match settings.algorithm {
        Algorithm::DepthFirst => {
            let search = depth_first(settings, evaluator.clone());
            Box::new(BesideProver::new(
                *search,
                hash_megabytes,
                settings.mate_share,
                evaluator,
            ))
        }
        Algorithm::AlphaBeta => {
            let search = alpha_beta(settings, settings.alpha_beta, evaluator.clone());
            Box::new(BesideProver::new(
                *search,
                hash_megabytes,
                settings.mate_share,
                evaluator,
            ))
        }
        Algorithm::AlphaBetaPlain => alpha_beta(settings, alpha_beta::Settings::plain(), evaluator),
        Algorithm::DepthFirstUnit => Box::new(UnitCosts::new(hash_megabytes, evaluator)),
        Algorithm::BestFirst => best_first(settings.best_first),
        Algorithm::ProofNumber => proof_number(Form::DepthFirst),
        Algorithm::ProofNumberTree => proof_number(Form::Tree),
        Algorithm::AlphaBetaConspiracy => {
            let settings = alpha_beta_conspiracy::Settings {
                hash_megabytes,
                margin: settings.conspiracy_margin,
            };
            Box::new(AlphaBetaConspiracy::new(settings, evaluator))
        }
        Algorithm::BStar => b_star(Guide::Depths),
        Algorithm::BStarConspiracy => b_star(Guide::Conspirators),
        Algorithm::SiblingConspiracy => best_first(best_first::Settings {
            grid: Grid::new(SIBLING_VALUES, SIBLING_STEP, 0),
            leaf_scores: LeafScores::Sibling,
            ..settings.best_first
        }),
        Algorithm::ControlledConspiracy => controlled(Target::Growing),
        Algorithm::ControlledConspiracy2 => controlled(Target::Two),
        Algorithm::Minimax => Box::new(Minimax::new(evaluator)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Root;
    use crate::games::tic_tac_toe::{OpenRows, TicTacToe};
    use crate::search::tests::references::{minimax, of_move, tic_tac_toe, winner};
    use crate::search::{Limits, Unobserved};

    /// The one test of them all: who wins by minimax wins by the search's move, and a value that decides the game is
    /// true.
    #[test]
    fn every_search_plays_tic_tac_toe_like_minimax() {
        for root in tic_tac_toe().skip(1) {
            let best = winner(minimax(&root, 9, OpenRows));
            for algorithm in Algorithm::ALL {
                let mut search = build(&Settings::of(algorithm, 8), OpenRows);
                let report = search.search(&root, &Limits::nodes(300_000), &mut Unobserved);
                let reply = of_move(&root, report.best_move().unwrap(), 9, OpenRows);
                assert_eq!(winner(reply), best, "{algorithm} {root:?}");
                if report.value.is_decided() {
                    assert_eq!(winner(report.value), best, "{algorithm} {root:?}");
                }
            }
        }
    }

    #[test]
    fn tic_tac_toe_is_a_draw_however_many_threads_search() {
        for algorithm in Algorithm::ALL {
            // These look for wins, and there is none.
            if [Algorithm::ProofNumber, Algorithm::ProofNumberTree].contains(&algorithm) {
                continue;
            }
            let settings = Settings {
                threads: Threads::of(4),
                ..Settings::of(algorithm, 1)
            };
            let mut search = build(&settings, OpenRows);
            let root = Root::new(TicTacToe::after_cells(&[4, 0]).unwrap());
            let limits = Limits {
                nodes: Some(300_000),
                iterations: Some(20),
                ..Limits::default()
            };
            let value = search.search(&root, &limits, &mut Unobserved).value;
            assert!(!value.is_decided(), "{algorithm}: {}", value.get());
        }
    }
}
