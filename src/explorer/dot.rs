//! A tree for Graphviz: `dot -Tsvg tree.dot`.

use std::fmt::Write as _;

use super::record::{Numbers, TreeRecord};
use crate::value::Value;

/// The tree as a graph in the DOT language. Boxes are nodes where the root's side moves (or the attacker), ellipses
/// those of its opponent; a bold frame is a final value; the leaves of a smallest conspiracy are filled, upwards in one
/// colour and downwards in another. Labels have the value, and the numbers upwards and downwards.
pub(crate) fn graph(record: &TreeRecord) -> String {
    let tree = &record.tree;
    let mut text = String::from("digraph tree {\n");
    let _ = writeln!(
        text,
        "  label=\"{}: {}\\n{}\";\n  labelloc=t;\n  rankdir=LR;\n  ordering=out;\n  \
         node [fontname=\"sans-serif\", fontsize=11];\n  edge [arrowsize=0.6];",
        escaped(record.search),
        escaped(&record.fen),
        escaped(&record.line),
    );
    let plies = tree.plies();
    let states = tree.state.chars();
    for (node, (&ply, state)) in plies.iter().zip(states).enumerate() {
        let mut label = match tree.san[node].as_str() {
            "" => "root".to_owned(),
            san => escaped(san),
        };
        if let Some(&value) = tree.value.get(node) {
            let _ = write!(label, "\\n{}", Value::from_raw(value));
        }
        let _ = write!(
            label,
            "\\n{}{} {}{}",
            if record.numbers == Numbers::Proof {
                "proof "
            } else {
                "↑"
            },
            number(tree.up[node]),
            if record.numbers == Numbers::Proof {
                "disproof "
            } else {
                "↓"
            },
            number(tree.down[node]),
        );
        let shape = if record.is_max(ply) { "box" } else { "ellipse" };
        let _ = write!(text, "  n{node} [label=\"{label}\", shape={shape}");
        if state == 't' {
            text += ", penwidth=2.5";
        }
        let color = if tree.raisers.contains(&node) {
            Some("#b7dfc6")
        } else if tree.lowerers.contains(&node) {
            Some("#f3c9c2")
        } else {
            None
        };
        if let Some(color) = color {
            let _ = write!(text, ", style=filled, fillcolor=\"{color}\"");
        }
        text += "];\n";
    }
    let mut next = 1;
    for (node, &children) in tree.children.iter().enumerate() {
        for child in next..next + children {
            let _ = writeln!(text, "  n{node} -> n{child};");
        }
        next += children;
    }
    text + "}\n"
}

fn number(number: Option<u32>) -> String {
    number.map_or_else(|| "∞".to_owned(), |number| number.to_string())
}

/// Escapes the text of a label.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
