//! Chances of a win, a draw and a loss: a bar and a sentence, which the script redraws for each position.

use super::super::record::Row;
use super::super::standing::Standing;

/// The bars of positions, and for each position which it is, as a character that comes as far after `0`. A bar is empty
/// if the position has no value.
pub(super) fn all(rows: &[Row]) -> (Vec<Vec<u32>>, String) {
    let mut bars: Vec<Vec<u32>> = Vec::new();
    let which = rows.iter().filter_map(|row| {
        let bar = Standing::of(row).map_or_else(Vec::new, |it| shares(&it).to_vec());
        let at = bars.iter().position(|it| *it == bar).unwrap_or(bars.len());
        if at == bars.len() {
            bars.push(bar);
        }
        char::from_u32(u32::from('0') + at as u32)
    });
    let which = which.collect();
    (bars, which)
}

/// Percentages of White's wins, of draws and of Black's wins.
fn shares(standing: &Standing) -> [u32; 3] {
    let [win, _, loss] = standing.odds.map(|it| (it + 5) / 10);
    [win, 100_u32.saturating_sub(win + loss), loss]
}

/// Bar of a position with its sentence; empty if the position has no value.
pub(super) fn bar(row: &Row) -> String {
    let Some(standing) = Standing::of(row) else {
        return String::new();
    };
    let [win, draw, loss] = shares(&standing);
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
        standing.words()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::row;

    #[test]
    fn each_bar_stands_once() {
        let rows = [0, 208, 0].map(|cp| row(0, Some("a"), "a", cp));
        let (bars, which) = all(&rows);
        assert_eq!(bars, [[25, 50, 25], [50, 45, 5]]);
        assert_eq!(which, "010");
    }

    #[test]
    fn bands_are_told_with_the_chances() {
        let told = |cp: i32| {
            let bar = bar(&row(0, Some("a"), "a", cp));
            let (_, sentence) = bar.split_once("<p>").unwrap();
            sentence.trim_end_matches("</p>").to_owned()
        };
        assert_eq!(
            told(0),
            "level: White wins 25 %, draw 50 %, Black wins 25 %"
        );
        assert_eq!(
            told(208),
            "White better: White wins 50 %, draw 45 %, Black wins 5 %"
        );
        assert!(told(-208).starts_with("Black better"));
        assert!(told(900).starts_with("White winning: White wins 98 %"));
        let mut mated = row(0, None, "a", 0);
        mated.verdict.cp = None;
        assert_eq!(bar(&mated), "");
        mated.verdict.mate = Some(-2);
        assert!(bar(&mated).contains("Black winning: White wins 0 %, draw 0 %, Black wins 100 %"));
    }
}
