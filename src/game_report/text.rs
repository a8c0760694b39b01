//! Analysed games as text for a terminal, and as rows for a spreadsheet.

use super::disagreement::Disagreement;
use super::grades;
#[cfg(feature = "cli")]
use super::labels::{self, Standing};
use super::moments::Moment;
use super::record::{Opinion, Row, Sides, Summary};
use super::story::Story;
use super::summary::Told;
use crate::output::table::Table;

/// A game as text: players, a row for each move, and what decided it; `judge` names who judged.
pub(super) fn game(told: &Told<'_>, judge: &str) -> String {
    let Told { game, columns, .. } = told;
    let headings = columns.headings().into_iter().map(|it| it.0);
    let mut table = Table::new(
        ["move", "value"]
            .into_iter()
            .chain(headings)
            .chain(["best"]),
    );
    for row in &game.rows {
        let verdict = &row.verdict;
        let last = match &verdict.failure {
            Some(_) => "failed",
            None => row.better().map_or("", |best| best.san.as_str()),
        };
        let mut cells = vec![row.move_text(), verdict.value()];
        cells.extend(columns.cells(row));
        cells.push(last.to_owned());
        table.row(cells);
    }
    let mut text = format!("Game {}: {}\n", game.info.game, game.info.title());
    if let Some(error) = &game.info.error {
        text += &format!("{error}\n");
    }
    if let Some(opening) = &game.info.opening {
        text += &format!("Opening: {} {}\n", opening.eco, opening.name);
    }
    text += &table.to_string();
    if game.info.game == 1 {
        text += &legend(told);
    }
    text += &accuracy(&told.summary);
    if let Some(story) = Story::of(told, judge) {
        let sentences = [Some(story.turn), story.missed, story.before];
        let sentences: Vec<String> = sentences.into_iter().flatten().collect();
        text += &format!("What decided it: {}\n", sentences.join(" "));
    }
    let moments: Vec<String> = told.moments.iter().map(moment).collect();
    if !moments.is_empty() {
        text += &format!("Moments: {}\n", moments.join("; "));
    }
    let disagreements = told.disagreements.iter();
    let disagreements: Vec<String> = disagreements.map(Disagreement::entry).collect();
    if !disagreements.is_empty() {
        text += &format!("The judges disagree: {}\n", disagreements.join("; "));
    }
    let critical = game.rows.iter().filter(|row| row.turn.critical);
    let critical: Vec<String> = critical.map(Row::move_text).collect();
    if !critical.is_empty() {
        text += &format!("Critical: {}\n", critical.join(", "));
    }
    for row in &game.rows {
        if let Some(failure) = &row.verdict.failure {
            text += &format!("Failed: {}: {failure}\n", row.move_text());
        }
    }
    text
}

/// A line that says what the columns are.
fn legend(told: &Told<'_>) -> String {
    let own = [("value", "for White, in pawns, before the move")];
    let best = [("best", "the move preferred to the one played")];
    let all = own.into_iter().chain(told.columns.headings()).chain(best);
    let meant = all.filter(|(_, meaning)| !meaning.is_empty());
    let meant: Vec<String> = meant.map(|(name, it)| format!("{name}: {it}")).collect();
    format!("({})\n", meant.join("; "))
}

/// A line with the accuracy of both players; empty if neither is known.
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

/// A moment that decided the game: `19. Rad1 costs 0.26 (surely a blunder), Qe4 holds`.
fn moment(moment: &Moment<'_>) -> String {
    let held: Vec<&str> = moment
        .solutions()
        .iter()
        .map(|it| it.san.as_str())
        .collect();
    let words = moment.mark.words();
    let verb = if held.len() == 1 { "holds" } else { "hold" };
    let sure = if moment.is_puzzle() {
        "surely only "
    } else {
        ""
    };
    format!(
        "{} costs {:.2}{}, {sure}{} {verb}",
        moment.row.move_text(),
        moment.mark.cost,
        words.map_or_else(String::new, |it| format!(" ({it})")),
        held.join(" or ")
    )
}

/// A column of the CSV file: its name, and its cell in a row, empty if there is nothing to say.
#[cfg(feature = "cli")]
type CsvColumn = (&'static str, fn(&Row) -> String);

#[cfg(feature = "cli")]
const CSV: [CsvColumn; 50] = [
    ("game", |row| row.game.to_string()),
    ("ply", |row| row.ply.to_string()),
    ("move", |row| row.number.to_string()),
    ("side", |row| row.mover().to_lowercase()),
    ("played", |row| {
        optional(row.played.as_ref().map(|it| &it.san))
    }),
    ("best", |row| {
        optional(row.verdict.best.as_ref().map(|it| &it.san))
    }),
    ("cp", |row| optional(row.verdict.cp)),
    ("mate", |row| optional(row.verdict.mate)),
    ("give_or_take", |row| optional(row.verdict.give_or_take)),
    ("confidence", |row| optional(row.verdict.confidence)),
    ("lower", |row| optional(row.verdict.lower)),
    ("higher", |row| optional(row.verdict.higher)),
    ("demand", |row| optional(row.verdict.demand)),
    ("price_lower", |row| optional(row.verdict.price_lower)),
    ("price_higher", |row| optional(row.verdict.price_higher)),
    ("max_cn", |row| optional(row.verdict.max_cn)),
    ("min_cn", |row| optional(row.verdict.min_cn)),
    ("down_tactic", |row| row.turn.down_tactic.to_string()),
    ("up_tactic", |row| row.turn.up_tactic.to_string()),
    ("critical", |row| row.turn.critical.to_string()),
    ("iteration", |row| row.verdict.iteration.to_string()),
    ("nodes", |row| row.verdict.nodes.to_string()),
    ("ms", |row| format!("{:.1}", row.verdict.ms)),
    ("fen", |row| row.fen.clone()),
    ("failure", |row| optional(row.verdict.failure.as_ref())),
    ("margin_lower", |row| optional(row.verdict.margin_lower)),
    ("margin_higher", |row| optional(row.verdict.margin_higher)),
    ("other_move", |row| optional(row.verdict.other_move)),
    ("phase", |row| {
        optional(row.facts.phase.map(|it| it.name().to_lowercase()))
    }),
    ("clock_s", |row| optional(row.facts.clock_s)),
    ("spent_s", |row| optional(row.facts.spent_s)),
    ("move_stays", |row| {
        optional(row.verdict.outlook.map(|it| it.move_stays))
    }),
    ("value_stays", |row| {
        optional(row.verdict.outlook.map(|it| it.value_stays))
    }),
    ("own_best", |row| {
        optional(own(row, |it| {
            it.verdict.best.as_ref().map(|it| it.san.clone())
        }))
    }),
    ("own_cp", |row| optional(own(row, |it| it.verdict.cp))),
    ("own_mate", |row| optional(own(row, |it| it.verdict.mate))),
    ("own_cost", |row| optional(own(row, |it| it.cost))),
    ("played_cp", |row| optional(row.verdict.played_cp)),
    ("played_mate", |row| optional(row.verdict.played_mate)),
    ("cost", |row| optional(row.facts.cost)),
    ("chance_dubious", |row| {
        optional(row.facts.chances.map(|it| it.dubious))
    }),
    ("chance_mistake", |row| {
        optional(row.facts.chances.map(|it| it.mistake))
    }),
    ("chance_blunder", |row| {
        optional(row.facts.chances.map(|it| it.blunder))
    }),
    ("mark", |row| {
        optional(grades::of(row).map(|it| it.grade.sign()))
    }),
    ("band", |row| {
        optional(Standing::of(row).map(|it| it.band.name()))
    }),
    ("band_chance", |row| {
        let chance = Standing::of(row).and_then(|it| it.chance);
        chance.map_or_else(String::new, |it| format!("{it:.3}"))
    }),
    ("words", |row| labels::of_move(row).join("; ")),
    ("rest", |row| optional(row.facts.rest)),
    ("only", |row| optional(row.facts.only)),
    ("found", |row| optional(row.facts.found)),
];

/// A property of our own search's opinion beside an engine.
#[cfg(feature = "cli")]
fn own<T>(row: &Row, told: impl Fn(&Opinion) -> Option<T>) -> Option<T> {
    row.own.as_deref().and_then(told)
}

#[cfg(feature = "cli")]
fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Names of the columns of the CSV file.
#[cfg(feature = "cli")]
pub(super) fn csv_heading() -> Vec<&'static str> {
    CSV.iter().map(|(name, _)| *name).collect()
}

/// Cells of a row of the CSV file.
#[cfg(feature = "cli")]
pub(super) fn csv_row(row: &Row) -> Vec<String> {
    CSV.iter().map(|(_, cell)| cell(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{info, row};
    use crate::game_report::record::Game;
    use crate::game_report::verdict::Verdict;

    #[test]
    fn a_position_that_failed_is_told() {
        let mut row = row(0, Some("Nf3"), "e4", 0);
        row.verdict = Verdict {
            failure: Some("internal error".to_owned()),
            ..Verdict::default()
        };
        let game = Game {
            info: info(1),
            rows: vec![row],
        };
        let text = super::game(&Told::of(&game), "Cassius");
        assert!(text.contains("\nmove    value    best\n"), "{text}");
        assert!(text.contains("  failed\n"), "{text}");
        let legend = "\n(value: for White, in pawns, before the move; best: ";
        assert!(text.contains(legend), "{text}");
        assert!(text.ends_with("Failed: 1. Nf3: internal error\n"), "{text}");
    }
}
