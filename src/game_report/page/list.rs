//! The list of a game's moves: a table with a row for each position.

use std::fmt::Write as _;

use super::super::judgement::{self, Judgement};
use super::super::measure::{Columns, Measure};
use super::super::record::{Game, Row};
use super::super::text::move_text;
use super::super::verdict::number;
use super::score;
use crate::web::escape;

/// The heading of how far values may be wrong, and what it means.
const ERROR: &str = "<th scope=\"col\" class=\"wide\"><abbr title=\"how far the evaluation alone may be off: two errors in three are smaller\">±</abbr></th>";
/// The headings of the columns that not all games have.
pub(super) fn headings(columns: Columns) -> String {
    let mut html = String::new();
    if columns.errors {
        html += ERROR;
    }
    html.extend(columns.measure.map(measured));
    for (is, name, class) in [
        (columns.min_cn, "MinCN", ""),
        (columns.turns, "turn", "turn"),
    ] {
        if is {
            let _ = write!(html, "<th scope=\"col\"{}>{name}</th>", attribute(class));
        }
    }
    html
}

/// The headings of how sure a value is. A phone has no room for all three: it shows the two that belong together.
fn measured(measure: Measure) -> String {
    let classes = match measure {
        Measure::Margin => ["", "", "wide"],
        Measure::Leaves | Measure::Prices => ["wide", "", ""],
    };
    let headings = measure.headings().into_iter().zip(classes);
    let headings = headings.map(|((name, meaning), class)| {
        format!(
            "<th scope=\"col\"{}><abbr title=\"{meaning}\">{name}</abbr></th>",
            attribute(class)
        )
    });
    headings.collect()
}

/// The classes of an element.
fn attribute(class: &str) -> String {
    match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    }
}

/// What a row's move costs, if that is worth a word.
fn judged(game: &Game, row: &Row) -> Option<Judgement> {
    let after = game.rows.get(row.ply + 1)?;
    judgement::of(row, &after.verdict)
}

/// The headings of what moves cost, in points and in time.
pub(super) fn cost_headings(game: &Game) -> String {
    let cost = "<th scope=\"col\"><abbr title=\"points that the move takes away: 1 for a win, 1/2 for a draw\">cost</abbr></th>";
    let time = if has_times(game) {
        "<th scope=\"col\" class=\"wide\">time</th>"
    } else {
        ""
    };
    format!("{cost}{time}")
}

/// Whether the game tells the time that its moves took.
fn has_times(game: &Game) -> bool {
    game.rows.iter().any(|row| row.facts.spent_s.is_some())
}

/// The tactics of a row, with what they mean to be had by pointing at them.
fn arrows(row: &Row) -> String {
    let arrow = |class: &str, sign: &str, meaning: &str| {
        format!("<abbr class=\"{class}\" title=\"{meaning}\">{sign}</abbr>")
    };
    let mut text = String::new();
    if row.turn.down_tactic {
        text += &arrow("down", "↓", "MaxCN has fallen abruptly: ↓tactic");
    }
    if row.turn.up_tactic {
        text += &arrow("up", "↑", "MinCN has fallen abruptly: ↑tactic");
    }
    text
}

/// A row; `at` is the ply shown first.
///
/// Of rows there may be hundreds: cells have neither classes, as the style knows columns by their headings and places,
/// nor end tags, which HTML does not ask for.
pub(super) fn move_row(game: &Game, row: &Row, at: usize, columns: Columns) -> String {
    let verdict = &row.verdict;
    let other = row.better();
    let judged = judged(game, row);
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
    let mut html = format!(
        "<tr id=\"g{0}p{1}\" class=\"{2}\"><th scope=\"row\"><a href=\"#g{0}p{1}\">{3}{4}</a></th>",
        row.game,
        row.ply,
        classes.join(" "),
        escape(&move_text(row)),
        judged.map_or("", |it| it.grade.sign()),
    );
    let cost = judged.map_or_else(String::new, |it| format!("{:.2}", it.cost));
    let mut cells = vec![escape(&verdict.value()), cost];
    let time = row.facts.spent_s.map_or_else(String::new, score::minutes);
    cells.extend(has_times(game).then_some(time));
    cells.extend(columns.errors.then(|| verdict.error()));
    cells.extend(columns.measure.iter().flat_map(|it| it.cells(verdict)));
    cells.extend(columns.min_cn.then(|| number(verdict.min_cn)));
    cells.extend(columns.turns.then(|| arrows(row)));
    cells.push(other.map_or_else(String::new, |best| escape(&best.san)));
    for cell in cells {
        html += "<td>";
        html += &cell;
    }
    html + "</tr>\n"
}
