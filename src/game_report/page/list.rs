//! The list of a game's moves: a table with a row for each position.

use super::super::labels::{self, Standing};
use super::super::marks::{self, Word};
use super::super::measure::Columns;
use super::super::record::{Game, Row};
use super::score;
use crate::web::escape;

/// Least cost that is shown of a move without a mark, in points.
const LEAST_COST: f64 = 0.005;

/// The headings of the columns of numbers, which not all games have and which are shown on demand.
pub(super) fn headings(game: &Game, columns: Columns) -> String {
    let time = has_times(game).then_some(("time", ""));
    let headings = time.into_iter().chain(columns.headings());
    let headings = headings.map(|(name, meaning)| {
        let class = match name {
            "turn" => " class=\"turn\"",
            _ => "",
        };
        let name = match meaning {
            "" => name.to_owned(),
            meaning => format!("<abbr title=\"{meaning}\">{name}</abbr>"),
        };
        format!("<th scope=\"col\"{class}>{name}</th>")
    });
    headings.collect()
}

/// Whether the game has the times of its moves.
pub(super) fn has_times(game: &Game) -> bool {
    game.rows.iter().any(|row| row.facts.spent_s.is_some())
}

/// Arrows of critical positions, with explanations that pointing at them shows.
fn explained(cell: &str) -> String {
    let arrows = [
        ("down", "↓", "MaxCN has fallen abruptly: ↓tactic"),
        ("up", "↑", "MinCN has fallen abruptly: ↑tactic"),
    ];
    let arrows = arrows.into_iter().filter(|it| cell.contains(it.1));
    let arrows: String = arrows
        .map(|(class, sign, meaning)| {
            format!("<abbr class=\"{class}\" title=\"{meaning}\">{sign}</abbr>")
        })
        .collect();
    if arrows.is_empty() {
        cell.to_owned()
    } else {
        arrows
    }
}

/// Text after a mark that says how sure it is.
fn word(word: Word) -> String {
    format!(" <small>{}</small>", word.name())
}

/// Row of a position; `at` is the ply shown first.
///
/// To keep pages small, cells have no classes (the style goes by columns), and there are neither end tags nor quotes where
/// HTML does not require them.
pub(super) fn move_row(game: &Game, row: &Row, at: usize, columns: Columns) -> String {
    let verdict = &row.verdict;
    let other = row.better();
    let judged = marks::of(row);
    let classes = [
        (row.black, "black"),
        (row.turn.critical, "critical"),
        (judged.is_some(), "costly"),
        (row.ply == at, "now"),
    ];
    let classes: Vec<&str> = classes
        .into_iter()
        .filter_map(|(is, class)| is.then_some(class))
        .collect();
    let classes = match classes.as_slice() {
        [] => String::new(),
        [class] => format!(" class={class}"),
        classes => format!(" class=\"{}\"", classes.join(" ")),
    };
    let mut html = format!(
        "<tr id=\"g{0}p{1}\"{2}><th><a href=#g{0}p{1}>{3}{4}</a>{5}",
        row.game,
        row.ply,
        classes,
        escape(&row.move_text()),
        judged.map_or("", |it| it.grade.sign()),
        judged.and_then(|it| it.word).map_or_else(String::new, word),
    );
    let cost = row
        .facts
        .cost
        .filter(|&it| judged.is_some() || it >= LEAST_COST);
    let cost = cost.map_or_else(String::new, |it| format!("{it:.2}"));
    let standing = Standing::of(row);
    let mut words = standing.map_or_else(String::new, |it| it.words());
    let next = judged.and_then(|_| Standing::of(game.after(row)?));
    // The script takes the text before the arrow for the position's.
    if let Some(next) = next.filter(|it| standing.is_some_and(|before| !it.is_like(&before))) {
        words += &format!(" → {}", next.words());
    }
    let of_move = labels::of_move(row).join("; ");
    if !of_move.is_empty() {
        words += &format!(" <em>{of_move}</em>");
    }
    let after = judged.map_or_else(String::new, |_| format!(" → {}", game.value_after(row)));
    let instead = other.map_or_else(String::new, |best| escape(&best.san));
    let mut cells = vec![escape(&verdict.value()) + &after, cost, instead, words];
    let time = row.facts.spent_s.map_or_else(String::new, score::minutes);
    cells.extend(has_times(game).then_some(time));
    cells.extend(columns.cells(row).iter().map(|it| explained(it)));
    for cell in cells {
        html += "<td>";
        html += &cell;
    }
    html + "\n"
}
