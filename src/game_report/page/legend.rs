//! What the numbers on a page mean: those that not all games have.

use super::super::measure::{Columns, Measure};
use super::super::record::Header;
use super::super::verdict::pawns;
use crate::web::{escape, fill};

/// The legend of numbers by a margin.
const MARGIN: &str = "\
<dt>worse, better</dt><dd>How many leaves of the search's tree would have to be misjudged together for White to stand worse, or better, by {{margin}} pawns; each by {{error}} at most. A small number on one side: that is where the value may go. A dash: no number would do.</dd>
<dt>other</dt><dd>The same for another move to be better than the search's own by {{margin}}.</dd>
";
/// The legend of numbers that count leaves.
const LEAVES: &str = "\
<dt>conf</dt><dd>The conspiracy threshold that the search completed: as long as fewer leaves than this are misjudged, its verdict stands.</dd>
<dt>worse, better</dt><dd>How many leaves would have to be misjudged together for White to stand worse, or better, than the value says. A dash: no number would do, or it is not known.</dd>
";
/// The legend of MinCN.
const MIN_CN: &str = "\
<dt>MinCN</dt><dd>The smallest number of leaves it takes to change the value at all.</dd>
";
/// The legend of critical positions.
const TURNS: &str = "\
<dt>↓, ↑</dt><dd>MaxCN (↓tactic) or MinCN (↑tactic), the largest and the smallest number of leaves it takes to change the value to another, has fallen to less than half since the same player's last move. Either makes the position critical (Khalid and others, 2015). In games of engines these arrows foretold swings no better than chance.</dd>
";
/// The legend of how far values may be wrong.
const ERRORS: &str = "\
<dt>±</dt><dd>How far the evaluation of the position may be from what a search says, as the evaluation itself expects: two errors in three are smaller. The band in the chart. The search that found the value looked further, so the value should be nearer the truth than that; a large figure means an unclear position. A dash: a mate is proven, or it is not known.</dd>
";
/// The legend of prices.
const PRICES: &str = "\
<dt>demand</dt><dd>The demand that the search completed: how dear it had to be to change the value.</dd>
<dt>price-, price+</dt><dd>The price of the cheapest line by which White would stand worse, or better, than the value says. An ordinary ply costs 1. A price counts no misjudged positions. A dash: that is ruled out, or it is not known.</dd>
";

/// The legend of our own search beside an engine.
const OWN: &str = "\
<dt>Cassius, cost, move</dt><dd>{{engine}} has judged: value, cost, marks and the move under <em>instead</em> are its own. How often its marks are right is not known to Cassius, so no chance is told. Beside it stand the value by Cassius, what the move played costs by Cassius, and the move that Cassius would have played.</dd>
";

/// The meanings of the columns that some of the games have.
pub(super) fn of(header: &Header, columns: &[Columns]) -> String {
    let has = |measure: Measure| columns.iter().any(|it| it.measure == Some(measure));
    let mut text = String::new();
    if columns.iter().any(|it| it.errors) {
        text += ERRORS;
    }
    if has(Measure::Margin) {
        let margin = header.margin.unwrap_or_default();
        text += &fill(
            MARGIN,
            &[
                ("margin", &pawns(margin.centipawns().into())),
                ("error", &pawns(margin.leaf_error().into())),
            ],
        );
    }
    for (measure, meaning) in [(Measure::Leaves, LEAVES), (Measure::Prices, PRICES)] {
        if has(measure) {
            text += meaning;
        }
    }
    if columns.iter().any(|it| it.min_cn) {
        text += MIN_CN;
    }
    if let Some(engine) = &header.engine {
        text += &fill(OWN, &[("engine", &escape(&engine.name))]);
    }
    if columns.iter().any(|it| it.turns) {
        text += TURNS;
    }
    text
}
