//! The page that shows a tree: one file that needs nothing else.
//!
//! It contains the tree as a [`TreeRecord`]. The script counts conspirators for any target, and makes
//! elements only for unfolded branches, so that large trees open at once.

use super::record::{Particulars, TreeRecord};
use crate::version;
use crate::web::{self, board, escape, fill};

const PAGE: &str = include_str!("page/explorer.html");
const STYLE: &str = include_str!("page/explorer.css");
const SCRIPT: &str = include_str!("page/explorer.js");

/// The page of a whole tree.
pub(crate) fn render(record: &TreeRecord) -> String {
    let counts = matches!(record.particulars, Particulars::Conspiracy { .. });
    let made = format!(
        "Cassius {}, {}, {} positions visited, a tree of {}",
        version::of_results(record.cassius, Some(record.commit)),
        record.search,
        web::thousands(record.nodes),
        web::thousands(record.size as u64),
    );
    fill(
        PAGE,
        &[
            (
                "head",
                &web::head(&format!("Tree of {}", record.fen), &[STYLE]),
            ),
            ("pieces", web::PIECES),
            ("fen", &escape(&record.fen)),
            ("line", &escape(&record.line)),
            ("board", &board::draw(&record.fen, None, None)),
            ("legend", if counts { COUNTED } else { PROVEN }),
            ("made", &escape(&made)),
            ("data", &web::json(record)),
            (
                "script",
                &web::script(&[web::BOARD_MODULE, web::TREE_MODULE, SCRIPT]),
            ),
        ],
    )
}

const COUNTED: &str = "\
<dt>value</dt><dd>What the node is worth to the side to move at the root, in pawns; #3 is mate in three.</dd>
<dt>↑, ↓</dt><dd>How many leaves below the node would have to be misjudged for it to be worth at least the target (↑), or at most (↓). One of the two is 0: the node is there already. ∞: no number of leaves will do.</dd>
<dt>●</dt><dd>A conspirator: a leaf of the smallest set that brings the root to the target, the leftmost of several. The branches that lead there are marked as well.</dd>
<dt>▶</dt><dd>The branch that the search would take next, if it wanted the root at the target. Where one child suffices (an OR node) it is one with the least number; where all that stand in the way must move (an AND node), the first of those.</dd>
<dt>threshold</dt><dd>How many conspirators make a change unlikely. Values of the root that take fewer are its likely range; the search rules out the end farther from the root's value. Nodes that take fewer to be at the target are in bold, those that take more are faint.</dd>
";
const PROVEN: &str = "\
<dt>↑, ↓</dt><dd>The proof number: how many leaves below the node would have to be won by the attacker for the node to be (↑); and the disproof number, for it not to be (↓). A new leaf may count for several. 0: proven. ∞: ruled out.</dd>
<dt>●</dt><dd>A leaf of the smallest set that would prove (or disprove) the root, the leftmost of several. The branches that lead there are marked as well.</dd>
<dt>▶</dt><dd>The branch to the most-proving node, which the search expands next. Where one child suffices (an OR node) it is one with the least number; where all are needed (an AND node), one that is not done.</dd>
<dt>threshold</dt><dd>Nodes whose number is smaller, but not 0, are in bold; the others are faint.</dd>
";
