//! Analysed games as text for a terminal, and as rows for a spreadsheet.

use super::accuracy::Sides;
use super::measure::{Columns, Measure};
use super::moments::{self, Moment};
use super::record::{Game, GameInfo, Row};
use super::summary::Summary;
use super::verdict::number;
use crate::output::table::Table;

/// A game as text: who played, a row for each move, and where it turns.
pub(super) fn game(game: &Game) -> String {
    // A column that tells nothing is not there.
    let columns = Columns::of(game);
    let line = |fixed: [String; 2],
                error: String,
                measured: Option<[String; 3]>,
                min_cn: String,
                turn: String,
                last: String| {
        let mut cells = Vec::from(fixed);
        cells.extend(columns.errors.then_some(error));
        cells.extend(measured.into_iter().flatten());
        cells.extend(columns.min_cn.then_some(min_cn));
        cells.extend(columns.turns.then_some(turn));
        cells.push(last);
        cells
    };
    let headings = columns.measure.map(Measure::headings);
    let headings = headings.map(|it| it.map(|(name, _)| name.to_owned()));
    let [first, value, error, min_cn, turn, best] =
        ["move", "value", "±", "MinCN", "turn", "best"].map(str::to_owned);
    let mut table = Table::new(line([first, value], error, headings, min_cn, turn, best));
    for row in &game.rows {
        let verdict = &row.verdict;
        table.row(line(
            [move_text(row), verdict.value()],
            verdict.error(),
            columns.measure.map(|it| it.cells(verdict)),
            number(verdict.min_cn),
            row.turn.arrows().to_owned(),
            match &verdict.failure {
                Some(_) => "failed".to_owned(),
                None => row
                    .better()
                    .map_or_else(String::new, |best| best.san.clone()),
            },
        ));
    }
    let mut text = format!("Game {}: {}\n", game.info.game, title(&game.info));
    if let Some(error) = &game.info.error {
        text += &format!("{error}\n");
    }
    if let Some(opening) = &game.info.opening {
        text += &format!("Opening: {} {}\n", opening.eco, opening.name);
    }
    text += &table.to_string();
    text += &accuracy(&Summary::of(game));
    let moments: Vec<String> = moments::of(game).iter().map(moment).collect();
    if !moments.is_empty() {
        text += &format!("Decided by: {}\n", moments.join("; "));
    }
    let critical: Vec<String> = turning_points(game).map(move_text).collect();
    if !critical.is_empty() {
        text += &format!("Critical: {}\n", critical.join(", "));
    }
    for row in &game.rows {
        if let Some(failure) = &row.verdict.failure {
            text += &format!("Failed: {}: {failure}\n", move_text(row));
        }
    }
    text
}

/// A line with the accuracy of both; empty if neither is known.
fn accuracy(summary: &Summary) -> String {
    let Sides { white, black } = summary.accuracy;
    if white.or(black).is_none() {
        return String::new();
    }
    let told = |name, accuracy: Option<f64>, lost| {
        let accuracy = accuracy.map_or_else(|| "–".to_owned(), |it| format!("{it:.1}"));
        format!("{name} {accuracy} ({lost:.2} points lost)")
    };
    let white = told("White", white, summary.lost.white);
    let black = told("Black", black, summary.lost.black);
    format!("Accuracy: {white}, {black}\n")
}

/// A moment that decided the game: `19. Rad1 costs 0.26, Qe4 holds`.
fn moment(moment: &Moment<'_>) -> String {
    let held: Vec<&str> = moment
        .solutions()
        .iter()
        .map(|it| it.san.as_str())
        .collect();
    let verb = if held.len() == 1 { "holds" } else { "hold" };
    format!(
        "{} costs {:.2}, {} {verb}",
        move_text(moment.row),
        moment.cost,
        held.join(" or ")
    )
}

/// The positions in which the game turns.
pub(super) fn turning_points(game: &Game) -> impl Iterator<Item = &Row> {
    game.rows.iter().filter(|row| row.turn.critical)
}

/// Who played, and how it ended: `Anderssen – Kieseritzky 1-0`.
pub(super) fn title(info: &GameInfo) -> String {
    let name = |tag: &str| info.tag(tag).unwrap_or("?").to_owned();
    format!("{} – {} {}", name("White"), name("Black"), info.result)
}

/// The move of a row with its number: `12. Nf3`, `12... Nf6`; `end` after the last.
pub(super) fn move_text(row: &Row) -> String {
    let dots = if row.black { "..." } else { "." };
    match &row.played {
        Some(played) => format!("{}{dots} {}", row.number, played.san),
        None => "end".to_owned(),
    }
}

/// The columns of a CSV file of positions.
#[cfg(feature = "cli")]
pub(super) const CSV_HEADING: [&str; 33] = [
    "game",
    "ply",
    "move",
    "side",
    "played",
    "best",
    "cp",
    "mate",
    "give_or_take",
    "confidence",
    "lower",
    "higher",
    "demand",
    "price_lower",
    "price_higher",
    "max_cn",
    "min_cn",
    "down_tactic",
    "up_tactic",
    "critical",
    "iteration",
    "nodes",
    "ms",
    "fen",
    "failure",
    "margin_lower",
    "margin_higher",
    "other_move",
    "phase",
    "clock_s",
    "spent_s",
    "move_stays",
    "value_stays",
];

/// A row under [`CSV_HEADING`]; what there is not is empty.
#[cfg(feature = "cli")]
pub(super) fn csv_row(row: &Row) -> Vec<String> {
    fn optional<T: ToString>(value: Option<T>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    let verdict = &row.verdict;
    vec![
        row.game.to_string(),
        row.ply.to_string(),
        row.number.to_string(),
        if row.black { "black" } else { "white" }.to_owned(),
        optional(row.played.as_ref().map(|it| &it.san)),
        optional(verdict.best.as_ref().map(|it| &it.san)),
        optional(verdict.cp),
        optional(verdict.mate),
        optional(verdict.give_or_take),
        optional(verdict.confidence),
        optional(verdict.lower),
        optional(verdict.higher),
        optional(verdict.demand),
        optional(verdict.price_lower),
        optional(verdict.price_higher),
        optional(verdict.max_cn),
        optional(verdict.min_cn),
        row.turn.down_tactic.to_string(),
        row.turn.up_tactic.to_string(),
        row.turn.critical.to_string(),
        verdict.iteration.to_string(),
        verdict.nodes.to_string(),
        format!("{:.1}", verdict.ms),
        row.fen.clone(),
        optional(verdict.failure.as_ref()),
        optional(verdict.margin_lower),
        optional(verdict.margin_higher),
        optional(verdict.other_move),
        optional(row.facts.phase.map(|it| it.name().to_lowercase())),
        optional(row.facts.clock_s),
        optional(row.facts.spent_s),
        optional(verdict.outlook.map(|it| it.move_stays)),
        optional(verdict.outlook.map(|it| it.value_stays)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::verdict::Verdict;
    use crate::games::chess::line::WrittenMove;

    #[test]
    fn a_position_that_failed_is_told() {
        let move_of = |name: &str| WrittenMove {
            san: name.to_owned(),
            uci: "g1f3".to_owned(),
        };
        let row = Row {
            game: 1,
            ply: 0,
            number: 1,
            black: false,
            fen: String::new(),
            played: Some(move_of("Nf3")),
            verdict: Verdict {
                failure: Some("internal error".to_owned()),
                ..Verdict::default()
            },
            turn: crate::profile::criticality::Turn::default(),
            facts: crate::game_report::record::Facts::default(),
        };
        assert_eq!(csv_row(&row).len(), CSV_HEADING.len());
        let info = GameInfo {
            game: 1,
            tags: Vec::new(),
            start: String::new(),
            chess960: false,
            plies: 1,
            result: "*".to_owned(),
            error: None,
            oddities: Vec::new(),
            positions: Some(1),
            opening: None,
        };
        let text = super::game(&Game {
            info,
            rows: vec![row],
        });
        assert!(text.contains("\nmove    value    best\n"), "{text}");
        assert!(text.contains("  failed\n"), "{text}");
        assert!(text.ends_with("Failed: 1. Nf3: internal error\n"), "{text}");
    }
}
