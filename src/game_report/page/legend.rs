//! Legends of the optional columns on a page.

use super::super::columns::{Columns, Measure};
use super::super::record::Header;
use super::super::verdict::pawns;
use crate::web::{escape, fill};

/// Legend of numbers by a margin.
const MARGIN: &str = "\
<dt>worse, better</dt><dd>Number of leaves of the search's tree that would have to be misjudged together, each by {{error}} pawns at most, for White to stand worse, or better, by {{margin}}. The value is likelier to be wrong on the side of the smaller number. A dash: no number suffices.</dd>
<dt>other</dt><dd>The same for another move to be better than the preferred one by {{margin}}.</dd>
";
/// Legend of numbers that count leaves.
const LEAVES: &str = "\
<dt>conf</dt><dd>Conspiracy threshold that the search completed: the value stands as long as fewer leaves than this are misjudged.</dd>
<dt>worse, better</dt><dd>Number of leaves that would have to be misjudged together for White to stand worse, or better, than the value says. A dash: no number suffices, or it is unknown.</dd>
";
/// Legend of MinCN.
const MIN_CN: &str = "\
<dt>MinCN</dt><dd>Smallest number of leaves that would change the value at all.</dd>
";
/// Legend of critical positions.
const TURNS: &str = "\
<dt>↓, ↑</dt><dd>Critical positions (Khalid and others, 2015). MinCN and MaxCN are the smallest and the largest number of leaves that would change the value to another one. ↓: MaxCN has fallen to less than half since the same player's last move. ↑: MinCN has. In games of engines these arrows foretold swings no better than chance.</dd>
";
/// Legend of the evaluation's error.
const ERRORS: &str = "\
<dt>±</dt><dd>The evaluation's own estimate of its error without search, in pawns; two errors in three are smaller. It is the band in the chart. The value comes from a search and should be nearer the truth. A large figure means an unclear position. A dash: no error is true, as in endgames, where the value is 0.00 or beyond ten pawns, and where a mate is proven.</dd>
";
/// Legend of prices.
const PRICES: &str = "\
<dt>demand</dt><dd>Demand that the search completed: the least price of a line that changes the value.</dd>
<dt>price-, price+</dt><dd>Price of the cheapest line by which White would stand worse, or better, than the value says; an ordinary ply costs 1. The value is likelier to be wrong on the side of the lower price. A dash: ruled out, or unknown.</dd>
";

/// Legend of our own search beside an engine.
const OWN: &str = "\
<dt>Cassius, cost, move</dt><dd>{{engine}} has judged: value, cost, marks and the move under <em>instead</em> are its own. Its marks have no chances, since Cassius does not know how often they are right. These columns have Cassius's own value, the cost of the move played by Cassius, and the move that Cassius prefers.</dd>
";

/// Legends of the columns that any of the games has.
pub(super) fn of(header: &Header, columns: &[Columns]) -> String {
    let any = |has: fn(&Columns) -> bool| columns.iter().any(has);
    let has = |measure: Measure| columns.iter().any(|it| it.measure == Some(measure));
    let margin = header.margin.unwrap_or_default();
    let by_margin = fill(
        MARGIN,
        &[
            ("margin", &pawns(margin.centipawns().into())),
            ("error", &pawns(margin.leaf_error().into())),
        ],
    );
    let engine = header.engine.as_ref().map_or("", |it| &it.name);
    let own = fill(OWN, &[("engine", &escape(engine))]);
    let parts = [
        (any(|it| it.errors), ERRORS.to_owned()),
        (has(Measure::Margin), by_margin),
        (has(Measure::Leaves), LEAVES.to_owned()),
        (has(Measure::Prices), PRICES.to_owned()),
        (any(|it| it.min_cn), MIN_CN.to_owned()),
        (header.engine.is_some(), own),
        (any(|it| it.turns), TURNS.to_owned()),
    ];
    let parts = parts.into_iter().filter(|(is_needed, _)| *is_needed);
    parts.map(|(_, text)| text).collect()
}
