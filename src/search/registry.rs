//! Every search by name: how a name and [`Settings`] become a [`Searcher`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::alpha_beta::{self, AlphaBeta};
use super::{Searcher, minimax};
use crate::game::{Evaluator, Game};

/// The searches there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Algorithm {
    /// Plain minimax by iterative deepening: the yardstick of the tests.
    Minimax,
    /// Alpha-beta as the thesis's opponent had it.
    AlphaBetaPlain,
    /// Alpha-beta with everything that pays.
    AlphaBeta,
}

impl Algorithm {
    /// All of them, in the order they are listed to people.
    pub const ALL: [Algorithm; 3] = [
        Algorithm::AlphaBeta,
        Algorithm::AlphaBetaPlain,
        Algorithm::Minimax,
    ];

    /// The name people type.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::AlphaBetaPlain => "alpha-beta-plain",
            Algorithm::AlphaBeta => "alpha-beta",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no search's.
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

/// Everything about a search that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Which search.
    pub algorithm: Algorithm,
    /// Memory for its tree or table, in MiB.
    pub hash_megabytes: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: Algorithm::AlphaBeta,
            hash_megabytes: 64,
        }
    }
}

/// Makes the search that `settings` describe.
pub fn build<G, E>(settings: &Settings, evaluator: E) -> Box<dyn Searcher<G> + Send>
where
    G: Game + Send + 'static,
    E: Evaluator<G> + Send + 'static,
{
    let alpha_beta = |preset: alpha_beta::Settings| alpha_beta::Settings {
        hash_megabytes: settings.hash_megabytes,
        ..preset
    };
    match settings.algorithm {
        Algorithm::AlphaBeta => Box::new(AlphaBeta::new(
            alpha_beta(alpha_beta::Settings::full()),
            evaluator,
        )),
        Algorithm::AlphaBetaPlain => Box::new(AlphaBeta::new(
            alpha_beta(alpha_beta::Settings::plain()),
            evaluator,
        )),
        Algorithm::Minimax => Box::new(minimax::Minimax::new(evaluator)),
    }
}
