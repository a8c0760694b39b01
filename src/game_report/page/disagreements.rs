//! Shows where the engine that judges and Cassius disagree, side by side.

use super::super::disagreement::{About, Disagreement, points};
use super::super::move_marks::{self, Judgement};
use super::super::record::Header;
use super::super::summary::GameDigest;
use super::super::verdict::{PositionVerdict, dash, pawns};
use crate::web::{board, escape, fill};

const JUDGES: &str = include_str!("judges.html");
/// Most disagreements shown of a game.
const MOST: usize = 6;
/// Expected points above a half from which a side stands better.
const LEAD: f64 = 0.05;
/// Most plies of a line.
const LONGEST_LINE: usize = 6;

/// Section of a game's disagreements, or a sentence that there are none; empty if no engine judged.
pub(super) fn section(header: &Header, digest: &GameDigest<'_>) -> String {
    let all = &digest.disagreements;
    let Some(engine) = &header.engine else {
        return String::new();
    };
    if all.is_empty() {
        let engine = escape(&engine.name);
        return format!(
            "<p class=\"agreed\">{engine} gives the marks. Cassius has judged the same positions, and says nothing else of note.</p>"
        );
    }
    let mut shown: Vec<&Disagreement<'_>> = all.iter().collect();
    shown.sort_by(|a, b| b.points.total_cmp(&a.points));
    shown.truncate(MOST);
    shown.sort_by_key(|it| it.row.ply);
    let cards: String = shown.iter().map(|it| card(&engine.name, it)).collect();
    let left = match all.len() - shown.len() {
        0 => String::new(),
        left => format!(" {left} smaller ones are in the list of moves."),
    };
    let (game, engine) = (digest.game.info.game, escape(&engine.name));
    format!(
        "<section class=\"disagreements\" aria-labelledby=\"g{game}d\"><h3 id=\"g{game}d\">Where the two judges disagree</h3>\
         <p>{engine} gives the marks. Cassius has judged the same positions, and says something else here: by a tenth of a point or more \
         about a move, or by a fifth about who stands better. At most one of the two is right, so these are worth a look of your own.{left} On the boards: \
         <span class=\"key played\">played</span> <span class=\"key best\">{engine}</span> <span class=\"key own\">Cassius, if another</span></p>\
         {cards}</section>"
    )
}

/// Card of a disagreement.
fn card(engine: &str, disagreement: &Disagreement<'_>) -> String {
    let Disagreement { row, own, .. } = disagreement;
    let moves = [&row.played, &row.verdict.best, &own.verdict.best];
    let [played, best, ours] = moves.map(|it| it.as_ref().map(|it| it.uci.as_str()));
    let arrows = [
        (ours.filter(|_| ours != best && ours != played), "own"),
        (best.filter(|_| best != played), "best"),
        (played, "played"),
    ];
    let title = match row.played {
        Some(_) => row.move_text(),
        None => format!("After move {}", row.number),
    };
    fill(
        JUDGES,
        &[
            ("game", &row.game.to_string()),
            ("ply", &row.ply.to_string()),
            ("title", &escape(&title)),
            ("about", &escape(&about(engine, disagreement))),
            ("board", &board::with_arrows(&row.fen, &arrows)),
            ("engine", &escape(engine)),
            ("rows", &rows(disagreement)),
            ("evidence", &escape(&evidence(disagreement))),
        ],
    )
}

/// Says what the disagreement is about.
fn about(engine: &str, disagreement: &Disagreement<'_>) -> String {
    let Disagreement { row, own, .. } = disagreement;
    if disagreement.about == About::Position {
        let ahead = [&row.verdict, &own.verdict].map(leader);
        let mover = row.mover();
        return match ahead {
            [Some(one), Some(other)] if one == other => {
                format!("{mover} to move: how much better does {one} stand?")
            }
            _ => format!("{mover} to move: who stands better?"),
        };
    }
    let [theirs, ours] = [
        move_marks::of(row),
        move_marks::mark(own.cost, own.chances.as_ref()),
    ];
    let words = |mark: Option<Judgement>| {
        let word = mark.map(Judgement::in_words);
        word.unwrap_or_else(|| "nothing wrong with it".to_owned())
    };
    format!("{engine}: {}. Cassius: {}.", words(theirs), words(ours))
}

/// Side that stands better by a verdict; `None` if neither does.
fn leader(verdict: &PositionVerdict) -> Option<&'static str> {
    match verdict.points()? - 0.5 {
        LEAD.. => Some("White"),
        it if it <= -LEAD => Some("Black"),
        _ => None,
    }
}

/// Verdicts of both judges, as rows of a table.
fn rows(disagreement: &Disagreement<'_>) -> String {
    let Disagreement { row, own, .. } = disagreement;
    let both = [&row.verdict, &own.verdict];
    let mut rows = vec![(
        "value for White".to_owned(),
        both.map(PositionVerdict::value),
    )];
    if let (About::Move, Some(played)) = (disagreement.about, &row.played) {
        let played = &played.san;
        let after = format!("after {played}");
        rows.push((after, both.map(|it| it.of_played().value())));
        let costs = [row.facts.cost, own.cost];
        let cost = |it: Option<f64>| it.map_or_else(dash, points);
        rows.push((format!("{played} costs"), costs.map(cost)));
    }
    let line = |it: &PositionVerdict| row.line(it, LONGEST_LINE).unwrap_or_else(dash);
    rows.push(("best".to_owned(), both.map(line)));
    let rows = rows.iter().map(|(name, [theirs, ours])| {
        let [name, theirs, ours] = [name, theirs, ours].map(|it| escape(it));
        format!("<tr><th scope=\"row\">{name}</th><td>{theirs}</td><td>{ours}</td></tr>")
    });
    rows.collect()
}

/// Says what Cassius's verdict hangs on.
fn evidence(disagreement: &Disagreement<'_>) -> String {
    let Disagreement { row, own, .. } = disagreement;
    let played = row.played.as_ref().map_or("", |it| &it.san);
    let mut told = Vec::new();
    if let Some(error) = row.error(&own.verdict) {
        told.push(format!(
            "Cassius's evaluation, without search, may be off by {} pawns here.",
            pawns(error)
        ));
    }
    if let Some(doubt) = &row.verdict.doubt {
        told.push(doubt.words(played));
    }
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{opinion, row};

    #[test]
    fn what_it_is_about_is_said_as_it_is() {
        let about = |engine: i32, cassius: i32| {
            let row = row(1, Some("a"), "b", engine);
            let own = opinion(cassius, None);
            about(
                "Engine",
                &Disagreement {
                    row: &row,
                    own: &own,
                    about: About::Position,
                    points: 0.3,
                },
            )
        };
        assert_eq!(about(500, 0), "Black to move: who stands better?");
        assert_eq!(about(500, -500), "Black to move: who stands better?");
        let how_much = |side| format!("Black to move: how much better does {side} stand?");
        assert_eq!(about(500, 100), how_much("White"));
        assert_eq!(about(-100, -500), how_much("Black"));
    }
}
