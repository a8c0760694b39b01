//! Shared parts of pages for the browser, each a single file: head, style, boards, escaped text.
//!
//! All foreign text goes through [`escape`] or [`json`].

pub(crate) mod board;

use serde::Serialize;

use crate::lines::is_unprintable;
use crate::output::table;

const HEAD: &str = include_str!("head.html");
/// Style: colours for light and dark, text, boards.
const STYLE: &str = include_str!("base.css");
/// Pieces and squares of boards, to be in a page once.
pub(crate) const PIECES: &str = include_str!("pieces.svg");
/// Script with `draw(board, position)`, which redraws a board as [`board::draw`] does.
pub(crate) const BOARD_MODULE: &str = include_str!("board.js");
/// Script that computes conspiracy numbers of a tree.
pub(crate) const TREE_MODULE: &str = include_str!("tree.js");
/// Script with `solving_board(stage, play)`, a board to solve puzzles on. It needs [`BOARD_MODULE`] before it.
pub(crate) const SOLVE_MODULE: &str = include_str!("solve.js");
/// Style of the solving board.
pub(crate) const SOLVE_STYLE: &str = include_str!("solve.css");

/// Escapes text for an HTML element or a quoted attribute. Leaves out what is not to be printed but line ends and tabs.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            c if is_unprintable(c) => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// Joins ES modules, which a single file cannot import, into a classic script: removes `import` lines, since imported
/// modules come before, and the word `export`.
pub(crate) fn script(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|it| it.split_inclusive('\n'));
    let kept = lines.filter(|line| !line.starts_with("import "));
    let classic = kept.map(|line| line.strip_prefix("export ").unwrap_or(line));
    std::iter::once("\"use strict\";\n")
        .chain(classic)
        .collect()
}

/// Number with thousands separated by no-break spaces.
pub(crate) fn thousands(number: u64) -> String {
    table::thousands(number).replace(' ', "\u{a0}")
}

/// Replaces `{{names}}` in a template; inserted text is not searched again.
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

/// The beginning of a page up to its style, the shared one and `styles`; it forbids to load anything from elsewhere.
pub(crate) fn head(title: &str, styles: &[&str]) -> String {
    fill(
        HEAD,
        &[
            ("title", &escape(title)),
            ("base", STYLE),
            ("style", &styles.concat()),
        ],
    )
}

/// Removes indentation and comment lines from a script. It must have no strings over several lines.
pub(crate) fn compact(script: &str) -> String {
    let lines = script.lines().map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Data as JSON for a `script` element of type `application/json`, which no text in it can end.
pub(crate) fn json(data: &impl Serialize) -> String {
    let json = serde_json::to_string(data).unwrap_or_else(|_| "null".to_owned());
    json.replace('<', "\\u003c")
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::web::script;

    /// Fails unless a page needs no other file and all of its template is filled in.
    pub(crate) fn assert_is_whole(page: &str) {
        assert!(page.starts_with("<!DOCTYPE html>"));
        assert!(!page.contains("{{"), "all is filled in");
        // The name of SVG's namespace is no address that is visited.
        assert_eq!(page.matches("http:").count(), 1);
        assert_eq!(page.matches("http://www.w3.org/").count(), 1);
        for elsewhere in ["https:", "src=", "url(//", "@import", "<link rel=\"style"] {
            assert!(!page.contains(elsewhere), "{elsewhere}");
        }
    }

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
