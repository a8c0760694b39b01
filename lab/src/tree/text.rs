//! Trees as text.

use std::fmt::Write as _;

use super::diagram::{Conspirators, Diagram, Span, name};
use super::parse::word;
use cassius::conspiracy::Count;
use cassius::conspiracy::definition::Tree;

/// Draws the tree, one line with its numbers for each node; then a table of conspirators for each interior node; then
/// remarks on the target and the threshold.
pub fn draw(diagram: &Diagram<'_>, target: Option<i32>, threshold: Option<Count>) -> String {
    let (marked, remarks) = remarks(diagram, target, threshold);
    let mut lines = Vec::new();
    let stems = (String::new(), String::new());
    branch(diagram, 0, stems, &marked, &mut lines);
    let width = lines.iter().map(|(node, _)| node.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for (node, numbers) in &lines {
        let _ = writeln!(text, "{node:width$}   {numbers}");
    }
    for (index, node) in diagram.nodes().iter().enumerate() {
        if index == 0 || node.kind().is_some() {
            let _ = write!(text, "\n{}", table(diagram, index));
        }
    }
    for line in remarks {
        let _ = writeln!(text, "\n{line}");
    }
    text
}

/// The leaves to mark, and lines of remarks on the target and the threshold.
pub(super) fn remarks(
    diagram: &Diagram<'_>,
    target: Option<i32>,
    threshold: Option<Count>,
) -> (Vec<usize>, Vec<String>) {
    let conspirators = target.map(|target| (target, diagram.conspirators(0, target)));
    let marked = conspirators.iter().flat_map(|(_, it)| it.leftmost());
    let lines = conspirators.iter();
    let lines = lines.map(|(target, it)| target_line(*target, it));
    let likely = threshold.map(|threshold| {
        let range = diagram.likely_range(threshold);
        format!("Conspiracy threshold {threshold}: likely range {range}")
    });
    (marked.collect(), lines.chain(likely).collect())
}

/// `A smallest set of conspirators to make the root 6: D, E`
fn target_line(target: i32, conspirators: &Conspirators) -> String {
    match conspirators {
        Conspirators::None => format!("The root is {target} already."),
        Conspirators::Impossible => format!("Nobody can make the root {target}."),
        _ => {
            let names: Vec<String> = conspirators.leftmost().into_iter().map(name).collect();
            let names = names.join(", ");
            format!("A smallest set of conspirators to make the root {target}: {names}")
        }
    }
}

/// Appends a subtree: each node's drawing and numbers. `stems` are the prefixes of the node's own line and of those of
/// its subtree.
fn branch(
    diagram: &Diagram<'_>,
    index: usize,
    stems: (String, String),
    marked: &[usize],
    lines: &mut Vec<(String, String)>,
) {
    let node = &diagram.nodes()[index];
    let (before, below) = stems;
    let kind = node.kind().map(|kind| format!(" {}", word(kind)));
    let kind = kind.unwrap_or_default();
    let is_final = match node.tree {
        Tree::Terminal(_) => "!",
        _ => "",
    };
    let mark = if marked.contains(&index) { " *" } else { "" };
    let value = node.value;
    lines.push((
        format!("{before}{}{kind} {value}{is_final}{mark}", name(index)),
        row(&diagram.numbers(node)),
    ));
    for child in node.children.clone() {
        let (fork, stem) = if child + 1 == node.children.end {
            ("└─ ", "   ")
        } else {
            ("├─ ", "│  ")
        };
        let stems = (format!("{below}{fork}"), format!("{below}{stem}"));
        branch(diagram, child, stems, marked, lines);
    }
}

/// `<=1:2, 2:1, 3:0, 4..5:1, >=6:2`
pub fn row(numbers: &[Span<Count>]) -> String {
    let spans = numbers.iter();
    let spans = spans.map(|it| format!("{}:{}", it.values, it.what));
    spans.collect::<Vec<_>>().join(", ")
}

/// A table of the conspirators of a node by value.
pub fn table(diagram: &Diagram<'_>, index: usize) -> String {
    let mut text = format!("{:>8}  CN  conspirators\n", name(index));
    for Span { values, what } in diagram.conspiracies(index) {
        let (number, conspirators) = what;
        let values = values.to_string();
        let _ = writeln!(text, "{values:>8}  {number:>2}  {conspirators}");
    }
    text
}
