//! Trees that searches keep, with what the search says of their roots: for people to look at.

use serde::Serialize;
use thiserror::Error;

use super::analyst::{Analyst, PositionProfile};
use super::fault::{Fault, Guarded};
use super::settings::EngineSettings;
use crate::game::{Evaluator as _, Root};
use crate::games::chess::line::{WrittenLine, playable};
use crate::games::chess::{Move, Position, notation};
use crate::profile::snapshot::Judged;
use crate::profile::{Snapshot, score};
use crate::search::mates::proof_number::{self, Form, KeptProof, ProofNumber};
use crate::search::registry::Algorithm;
use crate::search::{Limits, Observer, Support};
use crate::value::Value;

/// A position's tree.
#[derive(Clone, PartialEq, Debug)]
pub enum KeptTree {
    /// Of best-first conspiracy-number search.
    Values {
        /// What it says of the root.
        profile: Box<PositionProfile>,
        /// Distance between the evaluator's values, in centipawns.
        grain: i32,
        /// The rule by which it chooses among the children that are candidates.
        branch_rule: &'static str,
        /// The tree; `None` if the game is over.
        tree: Option<Snapshot<Move, Judged>>,
    },
    /// Of proof-number search.
    Proof {
        /// What it says of the root.
        verdict: ProofVerdict,
        /// The tree; `None` if the game is over.
        tree: Option<KeptProof<Move>>,
    },
}

/// What proof-number search says of a position. Values are for the side to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProofVerdict {
    /// The position.
    pub fen: String,
    /// Says what the numbers are.
    pub basis: &'static str,
    /// A proven win or loss, or what the evaluation says.
    #[serde(with = "score")]
    pub value: Value,
    /// The best line known.
    pub line: WrittenLine,
    /// Positions visited.
    pub nodes: u64,
    /// Nodes of the tree, that of one side's attack.
    pub tree_size: Option<usize>,
    /// Proof number of the opponent's win; `None` is infinity, and stands for what is proven already too.
    pub below: Option<u32>,
    /// Proof number of a win.
    pub above: Option<u32>,
}

/// The search keeps no tree.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{search} keeps no tree; choose best-first or proof-number-tree")]
pub struct KeepsNoTree {
    /// Its name.
    pub search: &'static str,
}

/// Whether a search keeps a tree.
pub fn keeps_tree(algorithm: Algorithm) -> Result<(), KeepsNoTree> {
    match algorithm {
        Algorithm::BestFirst | Algorithm::ProofNumberTree => Ok(()),
        other => Err(KeepsNoTree {
            search: other.name(),
        }),
    }
}

/// Searches a position and gives the tree. Best-first search evaluates leaves exactly, as for a profile.
///
/// # Errors
/// If the search keeps no tree, or is at fault.
pub fn search(
    settings: &EngineSettings,
    root: &Root<Position>,
    limits: &Limits<Move>,
    observer: &mut dyn Observer<Move>,
) -> Result<KeptTree, KeptError> {
    let algorithm = settings.search.algorithm;
    keeps_tree(algorithm)?;
    if algorithm == Algorithm::ProofNumberTree {
        return Ok(prove(settings, root, limits, observer)?);
    }
    let Ok(mut analyst) = Analyst::new(settings) else {
        let search = algorithm.name();
        return Err(KeepsNoTree { search }.into());
    };
    let profile = analyst.profile(root, limits, observer)?;
    let is_over = profile.line.uci.is_empty();
    Ok(KeptTree::Values {
        profile: Box::new(profile),
        grain: settings.evaluator().grain(),
        branch_rule: settings.search.best_first.branch_rule.name(),
        tree: if is_over { None } else { analyst.tree() },
    })
}

fn prove(
    settings: &EngineSettings,
    root: &Root<Position>,
    limits: &Limits<Move>,
    observer: &mut dyn Observer<Move>,
) -> Result<KeptTree, Fault> {
    let (evaluator, algorithm) = (settings.evaluator(), settings.search.algorithm);
    let settings = proof_number::Settings {
        form: Form::Tree,
        hash_megabytes: settings.search.hash_megabytes,
        ..proof_number::Settings::default()
    };
    let make = move || ProofNumber::new(settings.clone(), evaluator.clone());
    let mut guarded = Guarded::new(algorithm.name(), make);
    let (report, tree) = guarded.search(&root.position, |search| {
        search.search_keeping(root, limits, observer)
    })?;
    let (below, above) = match report.conspiracy.map(|it| it.support) {
        Some(Support::ProofNumbers { below, above }) => (below, above),
        _ => (None, None),
    };
    let tree = tree.filter(|_| !report.pv.is_empty());
    let verdict = ProofVerdict {
        fen: notation::to_fen(&root.position),
        basis: "proof-numbers",
        value: report.value,
        line: WrittenLine::new(&root.position, &playable(root, &report.pv)),
        nodes: report.nodes,
        tree_size: tree.as_ref().map(|it| it.tree.nodes().len()),
        below,
        above,
    };
    Ok(KeptTree::Proof { verdict, tree })
}

/// Why there is no tree.
#[derive(Debug, Error)]
pub enum KeptError {
    /// The search keeps none.
    #[error(transparent)]
    None(#[from] KeepsNoTree),
    /// The search is at fault.
    #[error(transparent)]
    Fault(#[from] Fault),
}
