//! Trees as SVG: squares are MAX nodes, circles MIN nodes, dashed squares leaves, double frames terminals.

use std::fmt::Write as _;

use super::diagram::{Diagram, Node, Span, name};
use super::parse::notation;
use super::text::remarks;
use cassius::conspiracy::definition::Tree;
use cassius::conspiracy::{Count, Kind};

/// Half the width of a node; this and all other lengths are in pixels.
const RADIUS: f64 = 17.0;
/// Distance between rows of nodes.
const ROW: f64 = 112.0;
/// Distance between neighbours, and margin.
const GAP: f64 = 18.0;
/// Height of a cell of a strip of numbers.
const CELL: f64 = 17.0;
/// Width of a character in a strip.
const CHARACTER: f64 = 7.0;
/// Height of a line of words.
const LINE: f64 = 20.0;

const MARK: &str = "#c8401e";
const LIKELY: &str = "#cfe3f7";
const INK: &str = "#222";

/// Draws the tree with a strip of numbers under the root and each interior node. With a threshold the root's likely
/// range is shaded, with a target the conspirators are marked.
pub fn draw(diagram: &Diagram<'_>, target: Option<i32>, threshold: Option<Count>) -> String {
    let (marked, remarks) = remarks(diagram, target, threshold);
    let places = Places::of(diagram);
    let said = remarks.iter().map(|line| line.chars().count()).max();
    let width = places.width.max(said.unwrap_or(0) as f64 * CHARACTER) + 2.0 * GAP;
    let left = (width - places.width) / 2.0;
    let lowest = places.nodes.iter().map(|(_, y)| *y).fold(0.0, f64::max);
    let under = match diagram.nodes().len() {
        1 => 2.5 * CELL,
        _ => 0.0,
    };
    let words_from = lowest + RADIUS + under + 2.0 * GAP;
    let height = words_from + LINE * remarks.len() as f64;

    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"13\" \
         text-anchor=\"middle\" fill=\"{INK}\">"
    );
    let _ = writeln!(svg, "<title>{}</title>", notation(diagram.root().tree));
    let _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    let _ = writeln!(svg, "<g transform=\"translate({left:.1} 0)\">");
    edges(diagram, &places, &mut svg);
    for (index, node) in diagram.nodes().iter().enumerate() {
        let place = places.nodes[index];
        if index == 0 || node.kind().is_some() {
            let likely = threshold.filter(|_| index == 0);
            strip(&diagram.numbers(node), likely, place, &mut svg);
        }
        shape(node, index, marked.contains(&index), place, &mut svg);
    }
    svg.push_str("</g>\n");
    for (number, line) in remarks.iter().enumerate() {
        let place = (width / 2.0, words_from + LINE * number as f64);
        words(place, "", line, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Places of the nodes, and the width of the drawing.
struct Places {
    nodes: Vec<(f64, f64)>,
    width: f64,
}

impl Places {
    /// Centres every node over its children; subtrees stand side by side, each as wide as its widest row or strip.
    fn of(diagram: &Diagram<'_>) -> Places {
        let mut widths = vec![0.0; diagram.nodes().len()];
        // Children come after their parent.
        for (index, node) in diagram.nodes().iter().enumerate().rev() {
            let own = if index == 0 || node.kind().is_some() {
                let cells = diagram.numbers(node);
                cells.iter().map(cell_width).sum()
            } else {
                2.0 * RADIUS
            };
            widths[index] = sum(&widths[node.children.clone()]).max(own);
        }
        let mut nodes = vec![(0.0, 0.0); widths.len()];
        nodes[0] = (widths[0] / 2.0, GAP + RADIUS);
        for (index, node) in diagram.nodes().iter().enumerate() {
            let (x, y) = nodes[index];
            let mut from = x - sum(&widths[node.children.clone()]) / 2.0;
            for child in node.children.clone() {
                nodes[child] = (from + widths[child] / 2.0, y + ROW);
                from += widths[child] + GAP;
            }
        }
        Places {
            nodes,
            width: widths[0],
        }
    }
}

/// Width of neighbours with the gaps between them.
fn sum(widths: &[f64]) -> f64 {
    widths.iter().sum::<f64>() + GAP * widths.len().saturating_sub(1) as f64
}

/// Lines from the strips to the children, so that none crosses a number.
fn edges(diagram: &Diagram<'_>, places: &Places, svg: &mut String) {
    for (index, node) in diagram.nodes().iter().enumerate() {
        let (x, y) = places.nodes[index];
        let from = y + RADIUS + 2.0 * CELL + 5.0;
        for child in node.children.clone() {
            let (to_x, to_y) = places.nodes[child];
            let to_y = to_y - RADIUS;
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{from:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" stroke=\"#888\"/>"
            );
        }
    }
}

/// A node: its value inside, its name beside.
fn shape(node: &Node<'_>, index: usize, marked: bool, (x, y): (f64, f64), svg: &mut String) {
    let stroke = if marked { MARK } else { INK };
    let width = if marked { 3 } else { 1 };
    let line = format!("fill=\"#fff\" stroke=\"{stroke}\" stroke-width=\"{width}\"");
    let mut square = |half: f64, line: &str| {
        rectangle([x - half, y - half, 2.0 * half, 2.0 * half], line, svg);
    };
    match (node.kind(), node.tree) {
        (Some(Kind::Max), _) => square(RADIUS, &line),
        (Some(Kind::Min), _) => {
            let place = format!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"");
            let _ = writeln!(svg, "<circle {place} {line}/>");
        }
        (None, Tree::Terminal(_)) => {
            square(RADIUS - 3.0, &line);
            square(RADIUS - 6.0, &line);
        }
        (None, _) if marked => square(RADIUS - 3.0, &line),
        (None, _) => {
            let line = "fill=\"#fff\" stroke=\"#bbb\" stroke-dasharray=\"3 2\"";
            square(RADIUS - 3.0, line);
        }
    }
    words((x, y + 4.5), "", &node.value.to_string(), svg);
    let beside = (x + RADIUS + 3.0, y - RADIUS + 9.0);
    let style = " font-size=\"11\" fill=\"#777\" text-anchor=\"start\"";
    words(beside, style, &name(index), svg);
}

/// A rectangle: left edge, upper edge, width, height.
fn rectangle([x, y, width, height]: [f64; 4], style: &str, svg: &mut String) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {style}/>"
    );
}

/// Words at a place; `style` is empty or begins with a blank.
fn words((x, y): (f64, f64), style: &str, words: &str, svg: &mut String) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\"{style}>{words}</text>");
}

/// Two rows under a node: values above, conspiracy numbers below.
fn strip(numbers: &[Span<Count>], likely: Option<Count>, (x, y): (f64, f64), svg: &mut String) {
    let width: f64 = numbers.iter().map(cell_width).sum();
    let (mut left, top) = (x - width / 2.0, y + RADIUS + 5.0);
    for span in numbers {
        let wide = cell_width(span);
        let is_likely = likely.is_some_and(|threshold| span.what < threshold);
        let fill = if is_likely { LIKELY } else { "#f4f4f4" };
        let style = format!("fill=\"{fill}\" stroke=\"#ccc\"");
        rectangle([left, top, wide, 2.0 * CELL], &style, svg);
        let (middle, upper) = (left + wide / 2.0, top + CELL - 4.0);
        let style = " font-size=\"11\" fill=\"#777\"";
        words((middle, upper), style, &label(span), svg);
        let below = (middle, upper + CELL - 1.0);
        words(below, " font-weight=\"bold\"", &span.what.to_string(), svg);
        left += wide;
    }
}

/// The values with typographic signs.
fn label(span: &Span<Count>) -> String {
    let text = span.values.to_string();
    text.replace("<=", "≤").replace(">=", "≥").replace('-', "−")
}

fn cell_width(span: &Span<Count>) -> f64 {
    label(span).chars().count() as f64 * CHARACTER + 10.0
}
