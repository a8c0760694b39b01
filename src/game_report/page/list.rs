//! The list of a game's moves: a table with a row for each position.

use super::super::move_marks;
use super::super::record::{Game, Row};
use super::super::standing::{self, Standing};
use super::super::summary::GameDigest;
use super::score;
use crate::web::escape;

/// Least cost that is shown of a move without a mark, in points.
const LEAST_COST: f64 = 0.005;

/// The headings of the columns of numbers, which not all games have and which are shown on demand.
pub(super) fn headings(digest: &GameDigest<'_>) -> String {
    let time = has_times(digest.game).then_some(("time", ""));
    let headings = time.into_iter().chain(digest.columns.headings());
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

/// A cell whose arrows of critical positions have explanations that pointing at them shows.
fn explained(cell: String) -> String {
    let arrows = [("down", "↓", "MaxCN"), ("up", "↑", "MinCN")].into_iter();
    arrows.fold(cell, |cell, (class, sign, number)| {
        let title = format!("{number} has fallen abruptly: {sign}tactic");
        let arrow = format!("<abbr class=\"{class}\" title=\"{title}\">{sign}</abbr>");
        cell.replace(sign, &arrow)
    })
}

/// Row of a position; `at` is the ply shown first.
///
/// To keep pages small, cells have no classes (the style goes by columns), and there are neither end tags nor quotes where
/// HTML does not require them.
pub(super) fn move_row(digest: &GameDigest<'_>, row: &Row, at: usize) -> String {
    let game = digest.game;
    let judged = move_marks::of(row);
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
    let sure = judged.and_then(|it| it.word);
    let sure = sure.map_or_else(String::new, |it| format!(" <small>{}</small>", it.name()));
    let mut html = format!(
        "<tr id=\"g{0}p{1}\"{2}><th><a href=#g{0}p{1}>{3}{4}</a>{sure}",
        row.game,
        row.ply,
        classes,
        escape(&row.move_text()),
        judged.map_or("", |it| it.grade.sign()),
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
    let of_move = standing::of_move(row).join("; ");
    if !of_move.is_empty() {
        words += &format!(" <em>{of_move}</em>");
    }
    let after = judged.map_or_else(String::new, |_| {
        format!(" → {}", game.verdict_after(row).value())
    });
    let instead = row.better();
    let instead = instead.map_or_else(String::new, |best| escape(&best.san));
    let value = escape(&row.verdict.value()) + &after;
    let mut cells = vec![value, cost, instead, words];
    let time = row.facts.spent_s.map_or_else(String::new, score::minutes);
    cells.extend(has_times(game).then_some(time));
    cells.extend(digest.columns.cells(row).into_iter().map(explained));
    for cell in cells {
        html += "<td>";
        html += &cell;
    }
    html + "\n"
}
