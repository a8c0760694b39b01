//! What pages to look at in a browser have in common: one file each that needs nothing else. Style, boards, and text
//! that cannot do harm.
//!
//! Everything that comes from outside goes through [`escape`] or [`json`]: it may be written by strangers.

pub(crate) mod board;

use serde::Serialize;

use crate::output::table;

/// Colours for light and dark, text, boards.
pub(crate) const STYLE: &str = include_str!("base.css");
/// The pieces and squares that boards are made of, to stand in the page once.
pub(crate) const PIECES: &str = include_str!("pieces.svg");
/// `draw(board, position)`: draws a board anew as [`board::draw`] does.
pub(crate) const BOARD_MODULE: &str = include_str!("board.js");
/// Conspiracy numbers of a tree.
pub(crate) const TREE_MODULE: &str = include_str!("tree.js");
/// `solving_board(stage, play)`: a board to solve puzzles on. Stands behind [`BOARD_MODULE`].
pub(crate) const SOLVE_MODULE: &str = include_str!("solve.js");
/// Its style.
pub(crate) const SOLVE_STYLE: &str = include_str!("solve.css");

/// Text as HTML, in an element or an attribute with quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// One classic script of ES modules, which a page that is a single file cannot import: their imports go, since what they
/// import stands before them, and so does the word that exports.
pub(crate) fn script(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|it| it.split_inclusive('\n'));
    let kept = lines.filter(|line| !line.starts_with("import "));
    let classic = kept.map(|line| line.strip_prefix("export ").unwrap_or(line));
    std::iter::once("\"use strict\";\n")
        .chain(classic)
        .collect()
}

/// A whole number with its thousands set apart by blanks at which no line ends.
pub(crate) fn thousands(number: u64) -> String {
    table::thousands(number).replace(' ', "\u{a0}")
}

/// A template with its `{{names}}` replaced; what is put in is not looked at again.
pub(crate) fn fill(template: &str, parts: &[(&str, &str)]) -> String {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        filled += before;
        filled.extend(parts.iter().filter(|it| it.0 == name).map(|it| it.1));
        rest = after;
    }
    filled + rest
}

/// A script without its indentation and the lines that are comments: readers of the page do without. No text in it goes over
/// several lines.
pub(crate) fn compact(script: &str) -> String {
    let lines = script.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Data for the page's script, to stand in an element of type `application/json`: text cannot end that.
pub(crate) fn json(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::script;

    #[test]
    fn modules_become_one_script() {
        let modules = [
            "export const a = 1;\n",
            "import { a } from \"./a.js\";\n\nexport const b = a;\n",
        ];
        assert_eq!(
            script(&modules),
            "\"use strict\";\nconst a = 1;\n\nconst b = a;\n"
        );
    }
}
