//! The page to solve puzzles on, a single file in the style of the game report.
//!
//! All text from PGN goes through `escape` or `json`.

use serde::Serialize;

use super::epd;
use super::finding::{Puzzle, Terms};
use crate::version;
use crate::wdl;
use crate::web::{self, PIECES, board, escape, fill, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A puzzle for the script.
#[derive(Serialize)]
struct Shown<'p> {
    /// Pieces, as in a FEN.
    board: &'p str,
    black: bool,
    /// The answers, as UCI and people write them.
    best: Vec<&'p str>,
    san: String,
    /// Legal moves, in UCI notation.
    legal: String,
    grade: u32,
    title: String,
    line: &'p str,
    /// Boards after each move of the line, with the move.
    boards: Vec<[&'p str; 2]>,
    /// Text shown with the solution.
    told: String,
}

/// Page of puzzles, sorted by grade, otherwise in the order given; `name` is the file of games.
pub(super) fn render(name: &str, terms: &Terms, puzzles: &[Puzzle]) -> String {
    let mut sorted: Vec<&Puzzle> = puzzles.iter().collect();
    sorted.sort_by_key(|puzzle| puzzle.grade);
    let shown: Vec<Shown<'_>> = sorted.into_iter().map(shown).collect();
    let made = format!(
        "Cassius {}; {}, {} nodes for each search, a gap of {:.2} points",
        version::FULL,
        name,
        web::thousands(terms.nodes),
        terms.gap
    );
    let title = format!("Puzzles from {name}");
    fill(
        PAGE,
        &[
            ("head", &web::head(&title, &[web::SOLVE_STYLE, STYLE])),
            ("title", &escape(&title)),
            ("pieces", PIECES),
            ("made", &escape(&made)),
            ("data", &json(&shown)),
            (
                "script",
                &web::script(&[web::BOARD_MODULE, web::SOLVE_MODULE, SCRIPT]),
            ),
        ],
    )
}

fn shown(puzzle: &Puzzle) -> Shown<'_> {
    let [best, second] = puzzle.values.map(wdl::points);
    let boards = puzzle.boards.iter().zip(&puzzle.line.uci);
    Shown {
        board: board::pieces(&puzzle.fen),
        black: puzzle.black,
        best: puzzle.solutions.iter().map(|it| it.uci.as_str()).collect(),
        san: epd::names(puzzle, " or "),
        legal: puzzle.legal.join(" "),
        grade: puzzle.grade,
        title: epd::id(puzzle),
        line: &puzzle.line.san,
        boards: boards.map(|(board, m)| [board.as_str(), m]).collect(),
        told: format!(
            "It is worth {best:.2} points; the best of the others, {}, {second:.2}. Found at demand {}; {}.",
            puzzle.second.san,
            puzzle.grade,
            epd::alpha_beta(puzzle)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::epd::tests::puzzle;
    use crate::web::tests::assert_is_whole;

    #[test]
    fn what_strangers_write_stays_text_and_the_page_needs_no_other_file() {
        let terms = Terms {
            nodes: 1_000,
            gap: 0.2,
            hash_megabytes: 1,
        };
        let page = render("<i>.pgn", &terms, &[puzzle()]);
        assert_is_whole(&page);
        assert!(!page.contains("<b>") && !page.contains("<i>"));
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 2);
    }
}
