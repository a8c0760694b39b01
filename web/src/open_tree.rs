//! A tree that stays open, to be unfolded and to be grown below any of its nodes.
//!
//! Best-first search grows it from the root. To search below another node, a separate search grows a tree from
//! there, which replaces the branch; values above are recomputed. A branch that is larger than the new tree stays.

use anyhow::{Result, ensure};

use cassius::conspiracy::{Kind, Push};
use cassius::engine::analyst::{Analyst, PositionProfile};
use cassius::engine::fault::Fault;
use cassius::engine::settings::EngineSettings;
use cassius::game::{Game as _, Root};
use cassius::games::chess::{Move, Position};
use cassius::profile::snapshot::{Judged, SnapshotNode};
use cassius::profile::{Nature, Snapshot};
use cassius::search::{Limits, Observer};
use cassius::value::Value;

/// Most searches below nodes that are kept to be continued.
const KEPT: usize = 3;
/// Most memory for each of these, in MiB.
const MEGABYTES: usize = 16;

/// The open tree of a position. Values are for the side to move at the root.
pub(crate) struct OpenTree {
    root: Root<Position>,
    settings: EngineSettings,
    /// Searches whose trees it is made of, sorted by the length of their paths; the first is the root's.
    growths: Vec<Growth>,
    /// Paths of the kept searches, the most recently used last.
    recent: Vec<Vec<Move>>,
    /// The joined tree.
    tree: Snapshot<Move, Judged>,
    /// Nodes below each node, itself included.
    sizes: Vec<usize>,
    /// Whether a search below a node has grown this node.
    grown: Vec<bool>,
    profile: PositionProfile,
}

/// The tree that a search has grown below a node.
struct Growth {
    path: Vec<Move>,
    tree: Snapshot<Move, Judged>,
    /// Positions visited.
    nodes: u64,
    /// The search; `None` while it runs, and when it has not been used for long.
    analyst: Option<Analyst>,
}

/// A running search below a node.
pub(crate) struct Growing {
    path: Vec<Move>,
    root: Root<Position>,
    analyst: Analyst,
    nodes: u64,
    /// Positions that a new search must visit before it is as far as the present branch.
    arrears: u64,
}

impl Growing {
    /// Makes a search that grows a tree from a root.
    ///
    /// # Errors
    /// If the settings are of a search that does not say how sure it is.
    pub(crate) fn new(root: &Root<Position>, settings: &EngineSettings) -> Result<Growing> {
        Ok(Growing {
            path: Vec::new(),
            root: root.clone(),
            analyst: Analyst::new(settings)?,
            nodes: 0,
            arrears: 0,
        })
    }

    /// Searches on, within limits.
    ///
    /// # Errors
    /// If the search fails.
    pub(crate) fn search(
        &mut self,
        limits: &Limits<Move>,
        observer: &mut dyn Observer<Move>,
    ) -> Result<PositionProfile, Fault> {
        let profile = self.analyst.profile(&self.root, limits, observer)?;
        self.nodes += profile.nodes;
        self.arrears = self.arrears.saturating_sub(profile.nodes);
        Ok(profile)
    }

    /// Positions left to visit before it is as far as the present branch.
    pub(crate) fn arrears(&self) -> u64 {
        self.arrears
    }
}

impl OpenTree {
    /// Opens the tree that a search has grown from its root; `profile` is the last profile of the root.
    ///
    /// # Errors
    /// If there is no tree: the game is over, or the search keeps none.
    pub(crate) fn open(
        mut first: Growing,
        settings: &EngineSettings,
        profile: PositionProfile,
    ) -> Result<OpenTree> {
        ensure!(
            first.root.position.outcome().is_none(),
            "the game is over here, so there is no tree"
        );
        let tree = first.analyst.tree();
        let Some(tree) = tree.filter(|tree| tree.nodes().len() > 1) else {
            anyhow::bail!(
                "{} keeps no tree; choose best-first",
                settings.search.algorithm
            );
        };
        let mut open = OpenTree {
            root: first.root.clone(),
            settings: settings.clone(),
            growths: vec![Growth {
                path: Vec::new(),
                tree: tree.clone(),
                nodes: first.nodes,
                analyst: Some(first.analyst),
            }],
            recent: Vec::new(),
            tree,
            sizes: Vec::new(),
            grown: Vec::new(),
            profile,
        };
        open.put_together();
        Ok(open)
    }

    /// Position at the root, with its past.
    pub(crate) fn root(&self) -> &Root<Position> {
        &self.root
    }

    /// Last profile of the root.
    pub(crate) fn profile(&self) -> &PositionProfile {
        &self.profile
    }

    /// Positions visited by all its searches together.
    pub(crate) fn visited(&self) -> u64 {
        self.growths.iter().map(|it| it.nodes).sum()
    }

    /// The tree.
    pub(crate) fn tree(&self) -> &Snapshot<Move, Judged> {
        &self.tree
    }

    /// Nodes below a node, itself included.
    pub(crate) fn size(&self, node: usize) -> usize {
        self.sizes[node]
    }

    /// Whether a search below a node has grown it.
    pub(crate) fn is_grown(&self, node: usize) -> bool {
        self.grown[node]
    }

    /// The node at the end of a path.
    ///
    /// # Errors
    /// The number of moves of the path that are in the tree.
    pub(crate) fn find(&self, path: &[Move]) -> Result<usize, usize> {
        let mut node = 0;
        for (ply, &m) in path.iter().enumerate() {
            let mut children = self.tree.children_of(node);
            let child = children.find(|&child| self.tree.nodes()[child].m == Some(m));
            node = child.ok_or(ply)?;
        }
        Ok(node)
    }

    /// The root's value.
    pub(crate) fn value(&self) -> Value {
        self.value_of(0)
    }

    /// A node's value.
    pub(crate) fn value_of(&self, node: usize) -> Value {
        self.tree.nodes()[node].known.value
    }

    /// Path to a node.
    pub(crate) fn path_to(&self, node: usize) -> Vec<Move> {
        let nodes = self.tree.nodes();
        let (mut node, mut path) = (node, Vec::new());
        while let Some(m) = nodes[node].m {
            path.push(m);
            // Children are in the order of their parents.
            let behind = nodes[..node].partition_point(|it| it.first_child <= node);
            node = behind - 1;
        }
        path.reverse();
        path
    }

    /// Values of the nodes along a path, from the root on, as far as it is in the tree.
    pub(crate) fn values_along(&self, path: &[Move]) -> Vec<Value> {
        let nodes = (0..=path.len()).map_while(|plies| self.find(&path[..plies]).ok());
        nodes.map(|node| self.value_of(node)).collect()
    }

    /// Principal variation, from the root to a leaf.
    pub(crate) fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut node = 0;
        loop {
            let value = self.tree.nodes()[node].known.value;
            let mut children = self.tree.children_of(node);
            let best = children.find(|&child| self.tree.nodes()[child].known.value == value);
            let Some(child) = best else { return line };
            line.extend(self.tree.nodes()[child].m);
            node = child;
        }
    }

    /// Begins a search below the node at the end of a path, or continues the kept one; give it back by
    /// [`OpenTree::take`]. A new search first has to come as far as the present branch.
    ///
    /// # Errors
    /// If the path is not in the tree, or the game is over there.
    pub(crate) fn grow(&mut self, path: &[Move]) -> Result<Growing> {
        let node = self.find(path);
        let node = node
            .map_err(|plies| anyhow::anyhow!("move {} of 'path' is not in the tree", plies + 1))?;
        let mut root = self.root.clone();
        path.iter().for_each(|&m| root.play(m));
        ensure!(root.position.outcome().is_none(), "the game is over there");
        let kept = self.growths.iter_mut().find(|it| it.path == path);
        if let Some(kept) = kept
            && let Some(analyst) = kept.analyst.take()
        {
            return Ok(Growing {
                path: path.to_vec(),
                root,
                analyst,
                nodes: kept.nodes,
                arrears: 0,
            });
        }
        let mut settings = self.settings.clone();
        settings.search.hash_megabytes = settings.search.hash_megabytes.min(MEGABYTES);
        let share = self.sizes[node] as f64 / self.tree.nodes().len() as f64;
        Ok(Growing {
            path: path.to_vec(),
            arrears: (share * self.visited() as f64) as u64,
            ..Growing::new(&root, &settings)?
        })
    }

    /// Takes over the present tree of a search below a node; the search may go on.
    pub(crate) fn look_at(&mut self, growing: &mut Growing, profile: PositionProfile) {
        let Some(tree) = growing.analyst.tree() else {
            return;
        };
        if growing.path.is_empty() {
            self.profile = profile;
        }
        let nodes = growing.nodes;
        match self.growths.iter_mut().find(|it| it.path == growing.path) {
            Some(growth) => (growth.tree, growth.nodes) = (tree, nodes),
            None => {
                let path = growing.path.clone();
                let place = self
                    .growths
                    .partition_point(|it| it.path.len() <= path.len());
                let growth = Growth {
                    path,
                    tree,
                    nodes,
                    analyst: None,
                };
                self.growths.insert(place, growth);
            }
        }
        self.put_together();
    }

    /// Takes a finished search back, to be continued another time.
    pub(crate) fn take(&mut self, growing: Growing) {
        if !growing.path.is_empty() {
            self.recent.retain(|path| *path != growing.path);
            self.recent.push(growing.path.clone());
        }
        let old = self.recent.len().checked_sub(KEPT + 1);
        let old = old.map(|_| self.recent.remove(0));
        for growth in &mut self.growths {
            if Some(&growth.path) == old.as_ref() {
                growth.analyst = None;
            }
        }
        if let Some(growth) = self.growths.iter_mut().find(|it| it.path == growing.path) {
            growth.analyst = Some(growing.analyst);
        }
    }

    /// Joins the trees of all searches.
    fn put_together(&mut self) {
        let mut grafts = Vec::new();
        self.tree = self.growths[0].tree.clone();
        for growth in &self.growths[1..] {
            let Ok(place) = self.find(&growth.path) else {
                continue;
            };
            let smaller = self.tree.sizes()[place] <= growth.tree.nodes().len();
            if smaller {
                self.tree = grafted(&self.tree, place, &growth.tree);
                grafts.push(&growth.path);
            }
        }
        self.sizes = self.tree.sizes();
        let roots: Vec<usize> = grafts.iter().filter_map(|it| self.find(it).ok()).collect();
        self.grown = vec![false; self.sizes.len()];
        for node in roots {
            self.grown[node] = true;
        }
        for node in 0..self.sizes.len() {
            if self.grown[node] {
                self.grown[self.tree.children_of(node)].fill(true);
            }
        }
    }
}

/// Replaces the branch at a node by another tree, and recomputes the values above.
fn grafted(
    tree: &Snapshot<Move, Judged>,
    place: usize,
    graft: &Snapshot<Move, Judged>,
) -> Snapshot<Move, Judged> {
    let plies = tree.nodes()[place].ply;
    // Converts a value of the graft: for the side to move at the root, with mates counted from there.
    let value = |value: Value| (0..plies).fold(value, |value, _| value.from_child());
    let children = |of: &Snapshot<Move, Judged>, node: usize, is_grafted: bool| {
        let children = of.children_of(node);
        let children =
            children.filter_map(|child| Some((of.nodes()[child].m?, (child, is_grafted))));
        children.collect::<Vec<_>>()
    };
    let mut whole = Snapshot::of((0, false), |&(node, is_grafted)| {
        let (of, node, is_grafted) = if !is_grafted && node == place {
            (graft, 0, true)
        } else if is_grafted {
            (graft, node, true)
        } else {
            (tree, node, false)
        };
        let SnapshotNode { ply, known, .. } = of.nodes()[node];
        let ply = if is_grafted { ply + plies } else { ply };
        let known = Judged {
            value: if is_grafted {
                value(known.value)
            } else {
                known.value
            },
            nature: match known.nature {
                Nature::Interior(_) => Nature::Interior(Kind::at_ply(ply as usize)),
                other => other,
            },
            turn: known.turn,
        };
        (known, children(of, node, is_grafted))
    });
    whole.judge_again();
    whole
}

/// `value` plus or minus `centipawns`; from a mate the nearest value without. `None` to raise a win or lower a loss.
pub(crate) fn target(value: Value, push: Push, centipawns: i32) -> Option<Value> {
    let is_there = match push {
        Push::Raise => value.is_win(),
        Push::Lower => value.is_loss(),
    };
    let moved = match push {
        Push::Raise if value.is_loss() => Value::centipawns(i32::MIN / 2),
        Push::Lower if value.is_win() => Value::centipawns(i32::MAX / 2),
        Push::Raise => value.offset(centipawns),
        Push::Lower => value.offset(-centipawns),
    };
    (!is_there).then_some(moved)
}
