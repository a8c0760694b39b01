//! The chances of a win, a draw and a loss in a position: a bar and a sentence, which the script draws anew for each position.

use serde::Serialize;

use super::super::record::Row;
use crate::wdl;

/// Chance of a win from which on a side is winning, and points from which on it is better.
const BANDS: [f64; 2] = [0.85, 0.6];

/// What the script needs to draw the bar of any value.
#[derive(Serialize)]
pub(super) struct Model {
    model: [f64; 2],
    bands: [f64; 2],
}

impl Model {
    /// The model of the program.
    pub(super) const fn new() -> Model {
        Model {
            model: wdl::MODEL,
            bands: BANDS,
        }
    }
}

/// The bar of a position with its sentence; empty if the position has no value.
pub(super) fn bar(row: &Row) -> String {
    let Some(value) = row.verdict.value_for_white() else {
        return String::new();
    };
    let permille = wdl::permille(value);
    let [win, loss] = [permille[0], permille[2]].map(|it| (it + 5) / 10);
    let draw = 100_u32.saturating_sub(win + loss);
    let parts = [("w", win), ("d", draw), ("l", loss)];
    let bar = parts.map(|(class, share)| {
        let number = if share < 8 {
            String::new()
        } else {
            share.to_string()
        };
        format!("<i class=\"{class}\" style=\"flex:{share}\">{number}</i>")
    });
    format!(
        "<div aria-hidden=\"true\">{}</div><p>{}: White wins {win} %, draw {draw} %, Black wins {loss} %</p>",
        bar.concat(),
        band(permille)
    )
}

/// Who stands how.
fn band([win, draw, loss]: [u32; 3]) -> &'static str {
    let chances = [win, loss].map(|it| f64::from(it) / 1_000.0);
    let half = f64::from(draw) / 2_000.0;
    let [winning, better] = BANDS;
    let [white, black] = chances;
    if white >= winning {
        "White is winning"
    } else if black >= winning {
        "Black is winning"
    } else if white + half >= better {
        "White is better"
    } else if black + half >= better {
        "Black is better"
    } else {
        "Level"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::row;

    #[test]
    fn bands_are_told_with_the_chances() {
        let told = |cp: i32| {
            let bar = bar(&row(0, None, "a", cp));
            let (_, sentence) = bar.split_once("<p>").unwrap();
            sentence.trim_end_matches("</p>").to_owned()
        };
        assert_eq!(
            told(0),
            "Level: White wins 32 %, draw 36 %, Black wins 32 %"
        );
        assert_eq!(
            told(144),
            "White is better: White wins 50 %, draw 32 %, Black wins 18 %"
        );
        assert!(told(-144).starts_with("Black is better"));
        assert!(told(900).starts_with("White is winning: White wins 98 %"));
        let mut mated = row(0, None, "a", 0);
        mated.verdict.cp = None;
        assert_eq!(bar(&mated), "");
        mated.verdict.mate = Some(-2);
        assert!(
            bar(&mated).contains("Black is winning: White wins 0 %, draw 0 %, Black wins 100 %")
        );
    }
}
