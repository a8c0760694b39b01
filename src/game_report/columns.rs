//! Columns beside a game's values, in the text and on the page.
//!
//! A column with no entries, or with the same entry in nearly all rows, is left out.

use super::record::{Game, Opinion, Row};
use super::verdict::{PositionVerdict, dash, number, pawns};

/// Least cost, in points, at which our own search's cost is shown.
const LEAST_COST: f64 = 0.05;

/// Kind of the numbers beside the values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Measure {
    /// Leaves that would have to be misjudged for the value to change by a margin, or for the move to change.
    Margin,
    /// Leaves that would have to be misjudged for the value to change at all.
    Leaves,
    /// Prices of lines.
    Prices,
}

impl Measure {
    /// Kind of numbers that these positions have; `None` if they have values only.
    fn of(rows: &[Row]) -> Option<Measure> {
        let often =
            |has: fn(&PositionVerdict) -> bool| rows.iter().filter(|row| has(&row.verdict)).count();
        let by_margin = often(|it| {
            let leaves = it.margin_lower.or(it.margin_higher);
            leaves.or(it.other_move).is_some()
        });
        // If only marked moves have such numbers, their columns would be nearly empty.
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
                (
                    "demand",
                    "least price of a line that could change the value",
                ),
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

    /// Cells of these columns; `–` for an infinite or unknown number.
    fn cells(self, verdict: &PositionVerdict) -> [String; 3] {
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

/// The heading of a column, and its meaning; the meaning is empty where only the page's legend gives it.
pub(super) type Heading = (&'static str, &'static str);

/// Optional columns of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Columns {
    /// Kind of numbers beside the values; `None` if the search has values only.
    pub(super) measure: Option<Measure>,
    /// Whether the evaluation states its own error.
    pub(super) errors: bool,
    /// Whether MinCN varies: no value of it fills nine tenths of the rows. On fine-grained evaluations it is 1
    /// nearly always.
    pub(super) min_cn: bool,
    /// Whether the rule for critical positions has the numbers it needs.
    pub(super) turns: bool,
    /// Whether our own search judged beside an engine.
    pub(super) own: bool,
}

impl Columns {
    /// The columns that a game fills.
    pub(super) fn of(game: &Game) -> Columns {
        let any = |has: fn(&PositionVerdict) -> bool| game.rows.iter().any(|row| has(&row.verdict));
        Columns {
            measure: Measure::of(&game.rows),
            errors: game
                .rows
                .iter()
                .any(|row| row.error(&row.verdict).is_some()),
            min_cn: tells_apart(game.rows.iter().filter_map(|row| row.verdict.min_cn)),
            turns: any(|it| it.max_cn.is_some()),
            own: game.rows.iter().any(|row| row.own.is_some()),
        }
    }

    /// Headings of these columns.
    pub(super) fn headings(self) -> Vec<Heading> {
        let off = "the evaluation's own error without search: two errors in three are smaller";
        let mut headings = Vec::new();
        headings.extend(self.errors.then_some(("±", off)));
        headings.extend(self.measure.iter().flat_map(|it| it.headings()));
        headings.extend(self.min_cn.then_some(("MinCN", "")));
        if self.own {
            headings.extend([
                ("Cassius", "value for White by Cassius"),
                ("its cost", "points that the move loses by Cassius"),
                (
                    "its move",
                    "the move that Cassius prefers, if another was played",
                ),
            ]);
        }
        headings.extend(self.turns.then_some(("turn", "")));
        headings
    }

    /// Cells of a row.
    pub(super) fn cells(self, row: &Row) -> Vec<String> {
        let verdict = &row.verdict;
        let mut cells = Vec::new();
        let error = row.error(verdict);
        cells.extend(self.errors.then(|| error.map_or_else(dash, pawns)));
        cells.extend(self.measure.iter().flat_map(|it| it.cells(verdict)));
        cells.extend(self.min_cn.then(|| number(verdict.min_cn)));
        if self.own {
            let own = row.own.as_deref();
            cells.extend(own.map_or_else(Default::default, |it| opinion(row, it)));
        }
        cells.extend(self.turns.then(|| row.turn.arrows().to_owned()));
        cells
    }
}

/// Cells of our own search beside an engine: value, cost of the move played, and its own move if that differs.
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

/// Whether no single number makes up nine tenths of these.
fn tells_apart(numbers: impl Iterator<Item = u32>) -> bool {
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    let most = numbers.chunk_by(u32::eq).map(<[u32]>::len).max();
    most.is_some_and(|most| 10 * most < 9 * numbers.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_nearly_always_the_same_tells_nothing() {
        let told = |numbers: &[u32]| tells_apart(numbers.iter().copied());
        assert!(!told(&[]));
        assert!(!told(&[3]));
        assert!(!told(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 2]));
        assert!(told(&[1, 1, 1, 1, 1, 1, 1, 1, 2, 2]));
        assert!(told(&[1, 2]));
    }
}
