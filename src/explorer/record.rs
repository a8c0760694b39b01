//! The record of a tree, for `--tree FILE.json` and for the page.
//!
//! Nodes are in breadth-first order, one column for each property. The root is number 0; siblings are contiguous, in
//! the order of their parents, so the column `children` suffices to find them.

use serde::Serialize;

use crate::conspiracy::{Kind, Push};
use crate::engine::analyst::Color;
use crate::engine::kept_tree::{KeptTree, SearchTree};
use crate::game::Game as _;
use crate::games::chess::notation::{is_chess960, to_fen, to_san, to_uci};
use crate::games::chess::{Move, Position};
use crate::profile::snapshot::{Judged, SnapshotNode};
use crate::profile::{Nature, Snapshot, settled};
use crate::search::proof_number::{KeptProof, Proof};
use crate::value::Value;
use crate::version;

/// A search's tree, with the report on its root. Values are for the side to move at the root, in centipawns; a win in n
/// plies from the root is 32000 - n, a loss n - 32000. A count of `null` is infinite: no number suffices.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct TreeRecord {
    pub cassius: &'static str,
    pub commit: &'static str,
    /// The position at the root.
    pub fen: String,
    /// The side to move at the root.
    pub side_to_move: Color,
    pub search: &'static str,
    /// Kind of numbers: `conspiracy` or `proof`.
    pub numbers: &'static str,
    /// Nodes visited by the search, those of quiescence included.
    pub nodes: u64,
    /// Nodes of the whole tree, those left out of the record included.
    pub size: usize,
    pub value: i16,
    /// Principal variation in standard notation with move numbers.
    pub line: String,
    /// The root's number downwards: conspirators for it to be worth at most `lower`; or the proof number of the
    /// opponent's win.
    pub below: Option<u32>,
    /// The root's number upwards: conspirators for it to be worth at least `higher`; or the proof number of a win.
    pub above: Option<u32>,
    /// Fields for one kind of numbers.
    #[serde(flatten)]
    pub particulars: Particulars,
    /// The nodes.
    pub tree: Columns,
}

/// Properties of a tree by its kind of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Particulars {
    Conspiracy {
        /// Last completed conspiracy threshold.
        threshold: u32,
        /// Distance between the evaluator's values, in centipawns.
        grain: i32,
        /// The rule by which the search chooses among candidates.
        rule: &'static str,
        /// Target of the column `down`: the next value below the root's.
        lower: i16,
        /// Target of the column `up`: the next value above the root's.
        higher: i16,
    },
    Proof {
        /// The side that tries to win in this tree.
        attacker: Color,
        /// Horizon in plies; `null` without limit.
        within_plies: Option<u16>,
    },
}

/// The nodes, one column for each property.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Columns {
    /// The move from the parent, in UCI's coordinate notation; empty at the root.
    pub uci: Vec<String>,
    /// The move from the parent in standard algebraic notation.
    pub san: Vec<String>,
    /// Number of children in the record.
    pub children: Vec<usize>,
    /// `l`: a leaf, whose value may be wrong; `t`: a final value; `i`: a node with children.
    pub state: String,
    /// Value; empty with proof numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub value: Vec<i16>,
    /// Leaves that must change for the node to be worth at least `higher`; or its proof number.
    pub up: Vec<Option<u32>>,
    /// Leaves that must change for the node to be worth at most `lower`; or its disproof number.
    pub down: Vec<Option<u32>>,
    /// Index of the child that a round robin takes next; empty with proof numbers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub turn: Vec<u16>,
    /// The leaves of a smallest conspiracy that brings the root to `higher`, or proves it.
    pub raisers: Vec<usize>,
    /// The leaves of a smallest conspiracy that brings the root to `lower`, or disproves it.
    pub lowerers: Vec<usize>,
    /// Whether plies of the tree are left out.
    pub is_cut: bool,
}

impl TreeRecord {
    /// Records the tree of a position, whole or down to `plies` plies.
    pub(crate) fn new(position: &Position, kept: &KeptTree, plies: Option<u32>) -> TreeRecord {
        let (search, numbers, particulars, size, tree) = match &kept.tree {
            SearchTree::Values {
                threshold,
                grain,
                branch_rule,
                snapshot,
            } => {
                let value = settled(kept.value);
                let (lower, higher) = (value.next_down_by(*grain), value.next_up_by(*grain));
                let particulars = Particulars::Conspiracy {
                    threshold: *threshold,
                    grain: *grain,
                    rule: branch_rule,
                    lower: lower.get(),
                    higher: higher.get(),
                };
                let columns = of_values(position, snapshot, [lower, higher], plies);
                let size = snapshot.nodes().len();
                ("best-first", "conspiracy", particulars, size, columns)
            }
            SearchTree::Proof(proof) => {
                let particulars = Particulars::Proof {
                    attacker: proof.attacker.into(),
                    within_plies: proof.within_plies,
                };
                let columns = of_proof(position, proof, plies);
                let size = proof.tree.nodes().len();
                ("proof-number-tree", "proof", particulars, size, columns)
            }
        };
        TreeRecord {
            cassius: version::NUMBER,
            commit: version::COMMIT,
            fen: to_fen(position),
            side_to_move: position.side_to_move().into(),
            search,
            numbers,
            nodes: kept.nodes,
            size,
            value: kept.value.get(),
            line: kept.line.clone(),
            below: kept.below,
            above: kept.above,
            particulars,
            tree,
        }
    }
}

fn of_values(
    position: &Position,
    tree: &Snapshot<Move, Judged>,
    [lower, higher]: [Value; 2],
    plies: Option<u32>,
) -> Columns {
    let (up, down) = (
        tree.counts(Push::Raise, higher),
        tree.counts(Push::Lower, lower),
    );
    let marked = [
        tree.conspirators(0, Push::Raise, &up),
        tree.conspirators(0, Push::Lower, &down),
    ];
    let state = |node: &SnapshotNode<Move, Judged>| match node.known.nature {
        Nature::Leaf => 'l',
        Nature::Terminal => 't',
        Nature::Interior(_) => 'i',
    };
    let columns = written(position, tree, state, [up, down], marked, plies);
    let nodes = &tree.nodes()[..columns.children.len()];
    Columns {
        value: nodes.iter().map(|node| node.known.value.get()).collect(),
        turn: nodes.iter().map(|node| node.known.turn).collect(),
        ..columns
    }
}

fn of_proof(position: &Position, kept: &KeptProof<Move>, plies: Option<u32>) -> Columns {
    let tree = &kept.tree;
    let attacks_first = kept.attacker == position.side_to_move();
    let is_max = |node: usize| (tree.nodes()[node].kind() == Kind::Max) == attacks_first;
    let numbers = || tree.nodes().iter().map(|node| node.known.numbers);
    let up: Vec<Option<u32>> = numbers().map(|it| it.proof.get()).collect();
    let down: Vec<Option<u32>> = numbers().map(|it| it.disproof.get()).collect();
    let marked = [
        tree.conspiracy(0, &up, is_max),
        tree.conspiracy(0, &down, |node| !is_max(node)),
    ];
    let state = |node: &SnapshotNode<Move, Proof>| {
        let numbers = node.known.numbers;
        match node.children {
            0 if numbers.is_proven() || numbers.is_disproven() => 't',
            0 => 'l',
            _ => 'i',
        }
    };
    written(position, tree, state, [up, down], marked, plies)
}

/// The moves and the shape of a tree down to `plies` plies, with its nodes' numbers and marked leaves.
fn written<K>(
    position: &Position,
    tree: &Snapshot<Move, K>,
    state: impl Fn(&SnapshotNode<Move, K>) -> char,
    [up, down]: [Vec<Option<u32>>; 2],
    [raisers, lowerers]: [Vec<usize>; 2],
    plies: Option<u32>,
) -> Columns {
    let deepest = plies.unwrap_or(u32::MAX);
    let all = tree.nodes();
    let shown = all.partition_point(|node| node.ply <= deepest);
    let nodes = &all[..shown];
    let is_chess960 = is_chess960(position);
    let is_shown = |node: &usize| *node < shown;
    let children = nodes.iter().map(|node| match node.ply {
        ply if ply < deepest => node.children,
        _ => 0,
    });
    let mut columns = Columns {
        uci: vec![String::new(); shown],
        san: vec![String::new(); shown],
        children: children.collect(),
        state: nodes.iter().map(state).collect(),
        up: up.into_iter().take(shown).collect(),
        down: down.into_iter().take(shown).collect(),
        raisers: raisers.into_iter().filter(is_shown).collect(),
        lowerers: lowerers.into_iter().filter(is_shown).collect(),
        is_cut: shown < all.len(),
        ..Columns::default()
    };
    // Depth-first, so that few positions are in memory at a time.
    let mut path = vec![(0, position.clone())];
    while let Some((number, position)) = path.pop() {
        for child in tree.children_of(number).filter(is_shown) {
            let node = &all[child];
            let Some(m) = node.m else { continue };
            columns.uci[child] = to_uci(m, is_chess960);
            columns.san[child] = to_san(&position, m);
            if node.children > 0 && node.ply < deepest {
                path.push((child, position.after(m)));
            }
        }
    }
    columns
}
