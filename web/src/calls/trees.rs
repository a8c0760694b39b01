//! Open trees: `tree`, `children`, `conspirators`, `grow` (search here) and `close`.

use anyhow::{Result, anyhow};
use cassius::conspiracy::Push;
use cassius::engine::settings::EngineSettings;
use cassius::game::Game as _;
use cassius::games::chess::notation::{is_chess960, to_fen, to_uci};
use cassius::games::chess::{Evaluation, Move, Position};
use cassius::profile::Nature;
use cassius::value::Value;
use serde_json::{Map, Value as Json, json};

use super::request::{DEFAULT_NODES, Request, read_moves};
use super::watch::Watch;
use super::written::{line, side, squares, value, written_move};
use crate::desk::State;
use crate::open_tree::{Growing, OpenTree, target};

/// Least positions of a step, after which the tree is shown.
const STEP: u64 = 10_000;
/// A step visits at least the positions visited so far divided by this, since showing a tree takes time in proportion
/// to its size.
const PART: u64 = 3;

/// Grows a tree from a request's position and keeps it open; returns its number.
pub(crate) fn grown(state: &State, request: &Request, settings: &EngineSettings) -> Result<u32> {
    let root = request.position()?.root;
    let centipawns = request.change()?;
    let limit = request.limit(Some(DEFAULT_NODES));
    state.kept.ensure(settings.megabytes())?;
    let mut watch = Watch::start(state, &limit);
    let mut growing = Growing::new(&root, settings)?;
    let all = limit.nodes.unwrap_or(u64::MAX);
    let step = STEP.min(all);
    let profile = growing.search(&watch.step(step), &mut watch)?;
    let nodes = profile.nodes;
    let number = state.kept.open(OpenTree::open(growing, settings, profile)?);
    if step < all && nodes >= step {
        go_on(state, number, &[], all - nodes, centipawns, &mut watch)?;
    }
    Ok(number)
}

/// Grows a tree below a node by `nodes` positions beyond the present branch, in steps. Shows the tree after each step.
fn go_on(
    state: &State,
    number: u32,
    path: &[Move],
    nodes: u64,
    centipawns: i32,
    watch: &mut Watch<'_>,
) -> Result<()> {
    let mut growing = state.kept.with_tree(number, |tree| tree.grow(path))?;
    let mut left = nodes.saturating_add(growing.arrears());
    let mut visited = 0;
    while left > 0 && !watch.is_over() {
        let step = STEP.max(growing.arrears()).max(visited / PART).min(left);
        let profile = growing.search(&watch.step(step), watch)?;
        let nodes = profile.nodes;
        visited += nodes;
        left = left.saturating_sub(nodes);
        let news = state.kept.with_tree(number, |tree| {
            tree.look_at(&mut growing, profile);
            Ok(overview(number, tree, centipawns))
        })?;
        state.progress(&news);
        // A search that ends early has nothing left to search.
        if nodes < step {
            break;
        }
    }
    state.kept.with_tree(number, |tree| {
        tree.take(growing);
        Ok(())
    })
}

/// `tree`: opens a tree.
pub(crate) fn open(state: &State, request: &Request) -> Result<Json> {
    let settings = request.settings("best-first", Evaluation::Tactical)?;
    let number = grown(state, request, &settings)?;
    let centipawns = request.change()?;
    state.kept.with_tree(number, |tree| {
        let told = overview(number, tree, centipawns);
        Ok(with(told, [("stopped", state.is_to_end().into())]))
    })
}

/// `children`: lists the children of a node.
pub(crate) fn children(state: &State, request: &Request) -> Result<Json> {
    let (number, centipawns) = (request.tree()?, request.change()?);
    state.kept.with_tree(number, |tree| {
        let path = read_moves(&tree.root().position, &request.path)?;
        let node = node_at(tree, "path", &path)?;
        let of = read_moves(&tree.root().position, &request.of)?;
        let of = node_at(tree, "of", &of)?;
        let numbers = Numbers::of(tree, of, centipawns);
        let position = position_at(tree, &path);
        Ok(json!({
            "tree": number,
            "node": numbers.node(tree, node, &path),
            "fen": to_fen(&position),
            "children": numbers.children(tree, node, &path),
            "higher": numbers.higher.map(value),
            "lower": numbers.lower.map(value),
        }))
    })
}

/// `conspirators`: lists those for a change of a node's value; of the root's, if no path is given.
pub(crate) fn conspirators(state: &State, request: &Request) -> Result<Json> {
    let (number, centipawns) = (request.tree()?, request.change()?);
    state.kept.with_tree(number, |tree| {
        let root = &tree.root().position;
        let path = read_moves(root, &request.path)?;
        let node = node_at(tree, "path", &path)?;
        let [worse, better] = changes(tree, node, centipawns, request.most_named());
        Ok(json!({
            "tree": number,
            "value": value(tree.value_of(node)),
            "worse": worse,
            "better": better,
        }))
    })
}

/// `grow`: searches below a node.
pub(crate) fn grow(state: &State, request: &Request) -> Result<Json> {
    let (number, centipawns) = (request.tree()?, request.change()?);
    let (path, before, line_before) = state.kept.with_tree(number, |tree| {
        let root = &tree.root().position;
        let path = read_moves(root, &request.path)?;
        let before = tree.values_along(&path);
        Ok((path, before, line(root, &tree.line())))
    })?;
    let limit = request.limit(Some(DEFAULT_NODES));
    let nodes = limit.nodes.unwrap_or(u64::MAX);
    let mut watch = Watch::start(state, &limit);
    go_on(state, number, &path, nodes, centipawns, &mut watch)?;
    state.kept.with_tree(number, |tree| {
        let after = tree.values_along(&path);
        let mut position = tree.root().position.clone();
        let mut moved = Vec::new();
        let names = names(&position, &path);
        for (plies, (before, after)) in before.iter().zip(after).enumerate() {
            let m = plies.checked_sub(1).map(|last| path[last]);
            let written = m.map(|m| {
                let written = written_move(&position, m);
                position.play(m);
                written
            });
            moved.push(json!({
                "path": names[..plies],
                "move": written,
                "before": value(*before),
                "after": value(after),
            }));
        }
        let told = overview(number, tree, centipawns);
        let besides = [
            ("path", json!(names)),
            ("moved", json!(moved)),
            ("line_before", json!(line_before)),
            ("stopped", state.is_to_end().into()),
        ];
        Ok(with(told, besides))
    })
}

/// `close`: closes a tree.
pub(crate) fn close(state: &State, request: &Request) -> Result<Json> {
    state.kept.close(request.tree()?);
    Ok(Json::Null)
}

/// A tree as a whole, with the children of its root.
fn overview(number: u32, tree: &OpenTree, centipawns: i32) -> Json {
    let numbers = Numbers::of(tree, 0, centipawns);
    let root = &tree.root().position;
    json!({
        "tree": number,
        "fen": to_fen(root),
        "side_to_move": side(root),
        "value": value(tree.value()),
        "line": line(root, &tree.line()),
        "nodes": tree.visited(),
        "size": tree.tree().nodes().len(),
        "threshold": tree.profile().iteration,
        "higher": numbers.higher.map(value),
        "lower": numbers.lower.map(value),
        "root": numbers.node(tree, 0, &[]),
        "children": numbers.children(tree, 0, &[]),
        "stopped": false,
    })
}

/// Adds fields to an object.
fn with<const N: usize>(object: Json, fields: [(&str, Json); N]) -> Json {
    let mut object = match object {
        Json::Object(object) => object,
        _ => Map::new(),
    };
    object.extend(fields.map(|(name, field)| (name.to_owned(), field)));
    Json::Object(object)
}

/// Node at the end of a path, which the request has as `field`.
fn node_at(tree: &OpenTree, field: &str, path: &[Move]) -> Result<usize> {
    let node = tree.find(path);
    node.map_err(|plies| anyhow!("move {} of '{field}' is not in the tree", plies + 1))
}

/// Position at the end of a path.
fn position_at(tree: &OpenTree, path: &[Move]) -> Position {
    let mut position = tree.root().position.clone();
    path.iter().for_each(|&m| position.play(m));
    position
}

/// Moves in UCI notation.
fn names(position: &Position, path: &[Move]) -> Vec<String> {
    let chess960 = is_chess960(position);
    path.iter().map(|&m| to_uci(m, chess960)).collect()
}

/// For a change of the value of a node, the one in question: conspirators below each node, and whether a node is or
/// leads to one of that node's.
struct Numbers {
    higher: Option<Value>,
    lower: Option<Value>,
    up: Vec<Option<u32>>,
    down: Vec<Option<u32>>,
    raises: Vec<bool>,
    lowers: Vec<bool>,
}

impl Numbers {
    fn of(tree: &OpenTree, asked: usize, centipawns: i32) -> Numbers {
        let of = |push| {
            let nodes = tree.tree().nodes().len();
            let Some(target) = target(tree.value_of(asked), push, centipawns) else {
                return (None, vec![None; nodes], vec![false; nodes]);
            };
            let counts = tree.tree().counts(push, target);
            let mut marked = vec![false; nodes];
            for leaf in tree.tree().conspirators(asked, push, &counts) {
                marked[leaf] = true;
            }
            // Marks the paths to them, too; children come after their parents.
            for node in (0..nodes).rev() {
                marked[node] |= marked[tree.tree().children_of(node)].contains(&true);
            }
            (Some(target), counts, marked)
        };
        let (higher, up, raises) = of(Push::Raise);
        let (lower, down, lowers) = of(Push::Lower);
        Numbers {
            higher,
            lower,
            up,
            down,
            raises,
            lowers,
        }
    }

    /// A node as JSON.
    fn node(&self, tree: &OpenTree, node: usize, path: &[Move]) -> Json {
        let root = &tree.root().position;
        let last = path.split_last();
        let written = last.map(|(&m, before)| written_move(&position_at(tree, before), m));
        let it = &tree.tree().nodes()[node];
        json!({
            "path": names(root, path),
            "move": written,
            "value": value(it.known.value),
            "state": match it.known.nature {
                Nature::Leaf => "leaf",
                Nature::Terminal => "final",
                Nature::Interior(_) => "inner",
            },
            "children": it.children,
            "size": tree.size(node),
            "up": self.up[node],
            "down": self.down[node],
            "raises": self.raises[node],
            "lowers": self.lowers[node],
            "grown": tree.is_grown(node),
        })
    }

    /// Children of a node as JSON.
    fn children(&self, tree: &OpenTree, node: usize, path: &[Move]) -> Vec<Json> {
        let children = tree.tree().children_of(node).filter_map(|child| {
            let m = tree.tree().nodes()[child].m?;
            Some(self.node(tree, child, &[path, &[m]].concat()))
        });
        children.collect()
    }
}

/// Conspirators for a node's value to be less, and to be more, by `centipawns`; named if they are at most `named`.
pub(crate) fn changes(tree: &OpenTree, node: usize, centipawns: i32, named: u32) -> [Json; 2] {
    [Push::Lower, Push::Raise].map(|push| {
        let Some(target) = target(tree.value_of(node), push, centipawns) else {
            let end = match push {
                Push::Lower => Value::LOSS,
                Push::Raise => Value::WIN,
            };
            return json!({ "target": value(end), "conspirators": null, "names": [] });
        };
        let counts = tree.tree().counts(push, target);
        let count = counts[node];
        let few = count.is_some_and(|count| count <= named);
        let leaves = if few {
            tree.tree().conspirators(node, push, &counts)
        } else {
            Vec::new()
        };
        let names: Vec<Json> = leaves.iter().map(|&leaf| conspirator(tree, leaf)).collect();
        json!({ "target": value(target), "conspirators": count, "names": names })
    })
}

/// A leaf with the line to it.
fn conspirator(tree: &OpenTree, leaf: usize) -> Json {
    let path = tree.path_to(leaf);
    let position = position_at(tree, &path);
    let last = path.last();
    json!({
        "line": line(&tree.root().position, &path),
        "value": value(tree.tree().nodes()[leaf].known.value),
        "fen": to_fen(&position),
        "squares": last.map_or_else(Vec::new, |&m| squares(m).to_vec()),
    })
}
