//! What stands beside a game's values, and which columns that makes in the text and on the page.
//!
//! A column that says the same of nearly all positions of a game is left out.

use super::record::{Game, Opinion, Row};
use super::verdict::{Verdict, dash, number};

/// Points that a move costs at the least for our own search's count of them to be shown.
const LEAST_COST: f64 = 0.05;

/// What the numbers beside a game's values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    /// Leaves that would have to be misjudged for the value to change by a margin, or the move.
    Margin,
    /// Leaves that would have to be misjudged for the value to change at all.
    Leaves,
    /// Prices of lines.
    Prices,
}

impl Measure {
    /// What the numbers of these positions are; `None` if they have values alone.
    fn of(rows: &[Row]) -> Option<Measure> {
        let often = |has: fn(&Verdict) -> bool| rows.iter().filter(|row| has(&row.verdict)).count();
        let by_margin = often(|it| {
            let leaves = it.margin_lower.or(it.margin_higher);
            leaves.or(it.other_move).is_some()
        });
        // Where marked moves alone have such numbers, columns of them would be empty.
        if by_margin > 0 && 2 * by_margin >= rows.len() {
            Some(Measure::Margin)
        } else if often(|it| it.demand.is_some()) > 0 {
            Some(Measure::Prices)
        } else {
            let leaves = often(|it| it.confidence.or(it.lower).or(it.higher).is_some());
            (leaves > 0).then_some(Measure::Leaves)
        }
    }

    /// The headings of three columns, each with its meaning.
    const fn headings(self) -> [Heading; 3] {
        match self {
            Measure::Margin => [
                (
                    "worse",
                    "leaves that must be wrong for White to stand worse by the margin",
                ),
                (
                    "better",
                    "leaves that must be wrong for White to stand better by the margin",
                ),
                (
                    "other",
                    "leaves that must be wrong for another move to be better by the margin",
                ),
            ],
            Measure::Leaves => [
                ("conf", "conspiracy threshold completed"),
                (
                    "worse",
                    "leaves that must be wrong for White to stand worse",
                ),
                (
                    "better",
                    "leaves that must be wrong for White to stand better",
                ),
            ],
            Measure::Prices => [
                ("demand", "demand completed"),
                (
                    "price-",
                    "price of the cheapest line by which White would stand worse",
                ),
                (
                    "price+",
                    "price of the cheapest line by which White would stand better",
                ),
            ],
        }
    }

    /// What stands in these columns; `–` where a number is infinite or not known.
    fn cells(self, verdict: &Verdict) -> [String; 3] {
        let price = |price: Option<f64>| price.map_or_else(dash, |it| format!("{it:.1}"));
        match self {
            Measure::Margin => [
                verdict.margin_lower,
                verdict.margin_higher,
                verdict.other_move,
            ]
            .map(number),
            Measure::Leaves => [verdict.confidence, verdict.lower, verdict.higher].map(number),
            Measure::Prices => [
                number(verdict.demand),
                price(verdict.price_lower),
                price(verdict.price_higher),
            ],
        }
    }
}

/// The heading of a column, and what it means; that is empty where the legend alone tells.
pub(super) type Heading = (&'static str, &'static str);

/// Which columns a game has besides those that all have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Columns {
    /// What its search measures in; `None` for searches that tell of values alone.
    pub(super) measure: Option<Measure>,
    /// Whether it is known of any value how far it may be wrong.
    pub(super) errors: bool,
    /// Whether MinCN tells positions apart: no number of it stands in nine of ten. Where values lie close together it
    /// is 1 nearly always.
    pub(super) min_cn: bool,
    /// Whether the rule for critical positions has numbers to go by.
    pub(super) turns: bool,
    /// Whether our own search has judged beside an engine.
    pub(super) own: bool,
}

impl Columns {
    /// Those of a game.
    pub(super) fn of(game: &Game) -> Columns {
        let any = |has: fn(&Verdict) -> bool| game.rows.iter().any(|row| has(&row.verdict));
        Columns {
            measure: Measure::of(&game.rows),
            errors: any(|it| it.give_or_take.is_some()),
            min_cn: tells_apart(&game.rows, |row| row.verdict.min_cn),
            turns: any(|it| it.max_cn.is_some()),
            own: game.rows.iter().any(|row| row.own.is_some()),
        }
    }

    /// What stands over them.
    pub(super) fn headings(self) -> Vec<Heading> {
        let off = "how far the evaluation alone may be off: two errors in three are smaller";
        let mut headings = Vec::new();
        headings.extend(self.errors.then_some(("±", off)));
        headings.extend(self.measure.iter().flat_map(|it| it.headings()));
        headings.extend(self.min_cn.then_some(("MinCN", "")));
        if self.own {
            headings.extend([
                ("Cassius", "what the position is worth to White by Cassius"),
                ("its cost", "points that the move takes away by Cassius"),
                (
                    "its move",
                    "what Cassius would have played, if it is another move",
                ),
            ]);
        }
        headings.extend(self.turns.then_some(("turn", "")));
        headings
    }

    /// What stands in them, in a row.
    pub(super) fn cells(self, row: &Row) -> Vec<String> {
        let verdict = &row.verdict;
        let mut cells = Vec::new();
        cells.extend(self.errors.then(|| verdict.error()));
        cells.extend(self.measure.iter().flat_map(|it| it.cells(verdict)));
        cells.extend(self.min_cn.then(|| number(verdict.min_cn)));
        if self.own {
            cells.extend(
                row.own
                    .as_deref()
                    .map_or_else(Default::default, |it| opinion(row, it)),
            );
        }
        cells.extend(self.turns.then(|| row.turn.arrows().to_owned()));
        cells
    }
}

/// What our own search says beside an engine: the value, what the move played costs, and another move.
fn opinion(row: &Row, own: &Opinion) -> [String; 3] {
    let cost = own.cost.filter(|&it| it >= LEAST_COST);
    let best = own.verdict.best.as_ref().map(|it| &it.san);
    let best = best.filter(|&it| Some(it) != row.played.as_ref().map(|it| &it.san));
    [
        own.verdict.value(),
        cost.map_or_else(String::new, |it| format!("{it:.2}")),
        best.cloned().unwrap_or_default(),
    ]
}

/// Whether no number stands in nine of ten positions of those that have one.
fn tells_apart(rows: &[Row], number: impl Fn(&Row) -> Option<u32>) -> bool {
    let mut numbers: Vec<u32> = rows.iter().filter_map(number).collect();
    numbers.sort_unstable();
    let most = numbers.chunk_by(u32::eq).map(<[u32]>::len).max();
    most.is_some_and(|most| 10 * most < 9 * numbers.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::row;

    #[test]
    fn a_number_that_is_nearly_always_the_same_tells_nothing() {
        let told = |numbers: &[u32]| {
            let rows = numbers.iter().enumerate().map(|(ply, &it)| {
                let mut row = row(ply, None, "a", 0);
                row.verdict.min_cn = Some(it);
                row
            });
            tells_apart(&rows.collect::<Vec<Row>>(), |row| row.verdict.min_cn)
        };
        assert!(!told(&[]));
        assert!(!told(&[3]));
        assert!(!told(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 2]));
        assert!(told(&[1, 1, 1, 1, 1, 1, 1, 1, 2, 2]));
        assert!(told(&[1, 2]));
    }
}
