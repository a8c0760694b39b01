//! Trees that searches keep, with what the search says of their roots: for people to look at.

use anyhow::{Result, ensure};

use super::analyst::{Analyst, PositionProfile};
use super::fault::{Fault, Guarded};
use super::settings::EngineSettings;
use crate::game::{Evaluator as _, Root};
use crate::games::chess::line::{WrittenLine, playable};
use crate::games::chess::{Move, Position};
use crate::profile::Snapshot;
use crate::profile::snapshot::Judged;
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
#[derive(Clone, PartialEq, Debug)]
pub struct ProofVerdict {
    /// A proven win or loss, or what the evaluation says.
    pub value: Value,
    pub line: WrittenLine,
    /// Positions visited.
    pub nodes: u64,
    /// Proof number of the opponent's win; `None` is infinity, and stands for what is proven already too.
    pub below: Option<u32>,
    /// Proof number of a win.
    pub above: Option<u32>,
}

/// Fails if a search keeps no tree.
pub fn keeps_tree(algorithm: Algorithm) -> Result<()> {
    let keeps_one = matches!(algorithm, Algorithm::BestFirst | Algorithm::ProofNumberTree);
    ensure!(
        keeps_one,
        "{algorithm} keeps no tree; choose best-first or proof-number-tree"
    );
    Ok(())
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
) -> Result<KeptTree> {
    let algorithm = settings.search.algorithm;
    keeps_tree(algorithm)?;
    if algorithm == Algorithm::ProofNumberTree {
        return Ok(prove(settings, root, limits, observer)?);
    }
    let mut analyst = Analyst::new(settings)?;
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
        value: report.value,
        line: WrittenLine::new(&root.position, &playable(root, &report.pv)),
        nodes: report.nodes,
        below,
        above,
    };
    Ok(KeptTree::Proof { verdict, tree })
}
