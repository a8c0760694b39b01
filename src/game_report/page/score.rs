//! Table of both sides' accuracy, points lost and marks.

use super::super::move_marks::{self, Grade};
use super::super::record::Game;
use super::super::summary::GameDigest;
use super::super::verdict::dash;
use super::list;
use crate::web::escape;

/// Headings of the columns, with explanations.
const HEADINGS: [(&str, &str); 5] = [
    (
        "accuracy",
        "100 if no move costs anything; halves with each twentieth of a point of the mean cost",
    ),
    (
        "points lost",
        "expected points that the moves lost, also those without a mark: 1 for a win, 1/2 for a draw",
    ),
    (
        "?!",
        "inaccuracies: moves that lose a twentieth of a point or more, as a stronger judge would say too",
    ),
    (
        "?",
        "mistakes: a tenth of a point or more, as a stronger judge would say too",
    ),
    (
        "??",
        "blunders: a fifth of a point or more, as a stronger judge would say too; else the mark is smaller than the cost",
    ),
];

/// Text below the table: not every device shows explanations of headings.
const CAPTION: &str = "Accuracy: 100 if no move costs anything; moves of a decided game hardly count. Points lost: the costs of all moves; a win is 1.";

/// Table of a game; empty if nothing is known.
pub(super) fn table(digest: &GameDigest<'_>) -> String {
    let game = digest.game;
    let (accuracy, lost) = (digest.summary.accuracy, digest.summary.lost);
    if accuracy.white.or(accuracy.black).is_none() {
        return String::new();
    }
    let time = list::has_times(game);
    let mut html = format!(
        "<table class=\"score\" aria-label=\"Both sides\"><caption>{CAPTION}</caption><thead><tr><th scope=\"col\"><span class=\"unseen\">player</span></th>",
    );
    for (name, meaning) in HEADINGS {
        html += &format!("<th scope=\"col\"><abbr title=\"{meaning}\">{name}</abbr></th>");
    }
    if time {
        html += "<th scope=\"col\">time</th>";
    }
    html += "</tr></thead><tbody>";
    let sides = [
        ("White", false, accuracy.white, lost.white),
        ("Black", true, accuracy.black, lost.black),
    ];
    for (side, black, accuracy, lost) in sides {
        let name = game.info.tag(side).unwrap_or(side);
        let accuracy = accuracy.map_or_else(dash, |it| format!("{it:.0}"));
        html += &format!(
            "<tr><th scope=\"row\"><span class=\"side {}\" aria-hidden=\"true\"></span>{}</th><td class=\"accuracy\">{accuracy}</td><td>{lost:.2}</td>",
            side.to_lowercase(),
            escape(name),
        );
        for grade in [Grade::Dubious, Grade::Mistake, Grade::Blunder] {
            html += &format!("<td>{}</td>", count(game, black, grade));
        }
        if time {
            let own = game.rows.iter().filter(|row| row.black == black);
            let spent: f64 = own.filter_map(|row| row.facts.spent_s).sum();
            html += &format!("<td>{}</td>", minutes(spent));
        }
        html += "</tr>";
    }
    html + "</tbody></table>"
}

/// Number of a side's moves of a grade.
fn count(game: &Game, black: bool, grade: Grade) -> usize {
    let own = game.rows.iter().filter(|row| row.black == black);
    let judged = own.filter_map(move_marks::of);
    judged.filter(|it| it.grade == grade).count()
}

/// Seconds as minutes and seconds: `12:05`.
pub(super) fn minutes(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
