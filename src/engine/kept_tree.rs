//! Trees that searches keep, with the report on their roots, for display.

use anyhow::{Context as _, Result, bail, ensure};

use super::analyst::{Analyst, Sureness};
use super::fault::Guarded;
use super::settings::EngineSettings;
use crate::game::{Evaluator as _, Root};
use crate::games::chess::line::{WrittenLine, playable};
use crate::games::chess::{Move, Position};
use crate::profile::Snapshot;
use crate::profile::snapshot::Judged;
use crate::search::proof_number::{self, Form, KeptProof, ProofNumber};
use crate::search::registry::Algorithm;
use crate::search::{Limits, Observer, Support};
use crate::value::Value;

/// A position's tree, with the report on its root. Values are for the side to move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct KeptTree {
    /// The root's value; for proof-number search a proven result, else an estimate by the evaluation.
    pub value: Value,
    /// Principal variation in standard notation with move numbers.
    pub line: String,
    /// Nodes visited.
    pub nodes: u64,
    /// The root's number downwards: conspirators, or the proof number of the opponent's win. `None` if a lower value is
    /// ruled out.
    pub below: Option<u32>,
    /// The root's number upwards: conspirators, or the proof number of its own win. `None` if a higher value is
    /// ruled out.
    pub above: Option<u32>,
    /// The tree itself.
    pub tree: SearchTree,
}

/// A tree, by the kind of search.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SearchTree {
    /// A tree of best-first conspiracy-number search.
    Values {
        /// Last completed conspiracy threshold.
        threshold: u32,
        /// Distance between the evaluator's values, in centipawns.
        grain: i32,
        /// Name of the rule by which the search chooses among candidates.
        branch_rule: &'static str,
        /// The nodes.
        snapshot: Snapshot<Move, Judged>,
    },
    /// A tree of proof-number search.
    Proof(KeptProof<Move>),
}

/// Error for a root without legal moves.
const OVER: &str = "the game is over here, so there is no tree";

/// Fails if a search keeps no tree.
pub(crate) fn keeps_tree(algorithm: Algorithm) -> Result<()> {
    let keeps_one = matches!(algorithm, Algorithm::BestFirst | Algorithm::ProofNumberTree);
    ensure!(
        keeps_one,
        "{algorithm} keeps no tree; choose best-first or proof-number-tree"
    );
    Ok(())
}

/// Searches a position and returns the tree. Best-first search evaluates leaves exactly, as for a profile.
///
/// # Errors
/// If the game is over, if the search keeps no tree, or if it panics.
pub(crate) fn search(
    settings: &EngineSettings,
    root: &Root<Position>,
    limits: &Limits<Move>,
    observer: &mut dyn Observer<Move>,
) -> Result<KeptTree> {
    let algorithm = settings.search.algorithm;
    keeps_tree(algorithm)?;
    if algorithm == Algorithm::ProofNumberTree {
        return prove(settings, root, limits, observer);
    }
    let mut analyst = Analyst::new(settings)?;
    let profile = analyst.profile(root, limits, observer)?;
    let is_over = profile.line.uci.is_empty();
    let (Sureness::Counted(counted), Some(snapshot), false) =
        (profile.sureness, analyst.tree(), is_over)
    else {
        bail!(OVER);
    };
    Ok(KeptTree {
        value: counted.value,
        line: profile.line.san,
        nodes: profile.nodes,
        below: counted.below,
        above: counted.above,
        tree: SearchTree::Values {
            threshold: profile.iteration,
            grain: settings.evaluator().grain(),
            branch_rule: settings.search.best_first.branch_rule.name(),
            snapshot,
        },
    })
}

fn prove(
    settings: &EngineSettings,
    root: &Root<Position>,
    limits: &Limits<Move>,
    observer: &mut dyn Observer<Move>,
) -> Result<KeptTree> {
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
    let tree = tree.filter(|_| !report.pv.is_empty()).context(OVER)?;
    Ok(KeptTree {
        value: report.value,
        line: WrittenLine::new(&root.position, &playable(root, &report.pv)).san,
        nodes: report.nodes,
        below,
        above,
        tree: SearchTree::Proof(tree),
    })
}
