//! Analysed games as text for a terminal.

use super::disagreement::Disagreement;
use super::moments::Moment;
use super::record::{Row, Sides, Summary};
use super::story::GameStory;
use super::summary::GameDigest;
use super::verdict::dash;
use crate::output::table::Table;

/// A game as text: players, a row for each move, and what decided it; `judge` names who judged. A legend that differs
/// from `explained`, the one printed most recently, is printed too.
pub(super) fn game(digest: &GameDigest<'_>, judge: &str, explained: &mut String) -> String {
    let GameDigest { game, columns, .. } = digest;
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
    let legend = legend(digest);
    if legend != *explained {
        text += &legend;
        *explained = legend;
    }
    text += &accuracy(&digest.summary);
    let mut list = |name: &str, entries: Vec<String>, between: &str| {
        if !entries.is_empty() {
            text += &format!("{name}: {}\n", entries.join(between));
        }
    };
    let story = GameStory::of(digest, judge).map(|it| [Some(it.turn), it.missed, it.before]);
    let sentences = story.into_iter().flatten().flatten();
    list("What decided it", sentences.collect(), " ");
    let moments = digest.moments.iter().map(moment);
    list("Moments", moments.collect(), "; ");
    let disagreements = digest.disagreements.iter().map(Disagreement::entry);
    list("The judges disagree", disagreements.collect(), "; ");
    let critical = game.rows.iter().filter(|row| row.turn.critical);
    let claims = game.rows.iter().filter(|row| row.is_first_claim());
    let claims = claims.map(|row| format!("before {}", row.move_text()));
    list("A draw could be claimed", claims.collect(), ", ");
    list("Critical", critical.map(Row::move_text).collect(), ", ");
    text + &failures(&game.rows)
}

/// A line for each failure; positions that follow one another with the same failure share one.
fn failures(rows: &[Row]) -> String {
    let line = |rows: &[Row]| {
        let (first, last) = (rows.first()?, rows.last()?);
        let failure = first.verdict.failure.as_ref()?;
        let mut moves = first.move_text();
        if rows.len() > 1 {
            moves += &format!(" to {}", last.move_text());
        }
        Some(format!("Failed: {moves}: {failure}\n"))
    };
    let alike = rows.chunk_by(|one, next| one.verdict.failure == next.verdict.failure);
    alike.filter_map(line).collect()
}

/// A line that says what the columns are.
fn legend(digest: &GameDigest<'_>) -> String {
    let is_bound = |row: &Row| row.verdict.mate_at_most;
    let value = match digest.game.rows.iter().any(is_bound) {
        true => "for White, in pawns, before the move; #≤3 is mate in three at most",
        false => "for White, in pawns, before the move",
    };
    let own = [("value", value)];
    let best = [("best", "the move preferred to the one played")];
    let all = own.into_iter().chain(digest.columns.headings()).chain(best);
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
        let accuracy = accuracy.map_or_else(dash, |it| format!("{it:.1}"));
        format!("{name} {accuracy} ({lost:.2} points lost)")
    };
    let white = told("White", white, summary.lost.white);
    let black = told("Black", black, summary.lost.black);
    format!("Accuracy: {white}, {black}\n")
}

/// A moment that decided the game: `19. Rad1 costs 0.26 (surely a blunder), Qe4 holds`.
fn moment(moment: &Moment<'_>) -> String {
    let solutions = moment.solutions();
    let held: Vec<&str> = solutions.iter().map(|it| it.san.as_str()).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{info, row};
    use crate::game_report::record::Game;
    use crate::game_report::verdict::PositionVerdict;

    #[test]
    fn a_position_that_failed_is_told_and_the_legend_once() {
        let mut row = row(0, Some("Nf3"), "e4", 0);
        row.verdict = PositionVerdict {
            failure: Some("internal error".to_owned()),
            ..PositionVerdict::default()
        };
        let game = Game {
            info: info(1),
            rows: vec![row],
        };
        let mut explained = String::new();
        let mut text = || super::game(&GameDigest::of(&game), "Cassius", &mut explained);
        let (text, again) = (text(), text());
        assert!(text.contains("\nmove    value    best\n"), "{text}");
        assert!(text.contains("  failed\n"), "{text}");
        let legend = "\n(value: for White, in pawns, before the move; best: ";
        assert!(text.contains(legend) && !again.contains(legend), "{text}");
        assert!(text.ends_with("Failed: 1. Nf3: internal error\n"), "{text}");
    }
}
