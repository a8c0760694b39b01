//! Reports as `info` lines, and sentences on the certainty of a value.

use std::time::Duration;

use crate::engine::stopwatch::nodes_per_second;
use crate::games::chess::{Move, notation};
use crate::search::{Bound, Conspiracy, Cost, Report, Support};
use crate::value::Value;
use crate::wdl;

/// Format of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Style {
    /// Castling as king takes rook.
    pub chess960: bool,
    /// Scores with the chances of a win, a draw and a loss.
    pub wdl: bool,
}

/// The full `info` line of a report with `pv` as its principal variation, `elapsed` after the search began, with
/// `table_hits` tablebase hits.
pub(crate) fn info_line(
    report: &Report<Move>,
    pv: &[Move],
    style: Style,
    elapsed: Duration,
    table_hits: u64,
) -> String {
    let chances = if style.wdl {
        let [win, draw, loss] = wdl::permille(report.value);
        format!(" wdl {win} {draw} {loss}")
    } else {
        String::new()
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{}{chances} nodes {} nps {} hashfull {} tbhits {table_hits} time {}",
        report.iteration,
        report.seldepth.max(report.iteration),
        report.line,
        score(report.value),
        bound(report.bound),
        report.nodes,
        nodes_per_second(report.nodes, elapsed),
        report.fullness.min(1_000),
        elapsed.as_millis(),
    );
    if !pv.is_empty() {
        line += " pv";
    }
    for &m in pv {
        line += " ";
        line += &notation::to_uci(m, style.chess960);
    }
    line
}

/// The `info` line of a search without news: `nodes` nodes after `elapsed`.
pub(crate) fn progress_line(nodes: u64, elapsed: Duration) -> String {
    let speed = nodes_per_second(nodes, elapsed);
    let time = elapsed.as_millis();
    format!("info nodes {nodes} nps {speed} time {time}")
}

/// A score: `cp 31` or `mate -2`.
fn score(value: Value) -> String {
    match value.mate_in_moves() {
        Some(moves) => format!("mate {moves}"),
        None => format!("cp {}", value.get()),
    }
}

fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    }
}

/// Describes how certain a value is: its likely range, and the leaves, proof numbers or prices that it takes to change
/// it.
pub(crate) fn conspiracy_story(value: Value, conspiracy: &Conspiracy) -> String {
    let (low, high) = conspiracy.likely_range;
    let (threshold, likely) = (conspiracy.threshold, range(low, high));
    let now = if low == high {
        String::new()
    } else {
        format!(", now {}", amount(value))
    };
    let tree = conspiracy.tree.map_or_else(String::new, |tree| {
        let nodes = if tree.nodes == 1 { "node" } else { "nodes" };
        format!("; tree of {} {nodes}", tree.nodes)
    });
    match conspiracy.support {
        Support::Leaves { below, above } => {
            let takes = leaves(below, above, conspiracy.tree.is_some());
            format!("conspiracy threshold {threshold}: likely {likely}{now}{tree}; {takes}")
        }
        Support::ProofNumbers { below, above } => {
            let takes = proof_numbers(below, above);
            format!("iteration {threshold}: {likely}{now}{tree}; {takes}")
        }
        Support::Prices { below, above } => {
            let takes = prices(below, above);
            format!("demand {threshold}: value {likely}; {takes}")
        }
    }
}

/// Describes the number of leaves that must be wrong, a lower bound unless they are counted in a stored tree.
fn leaves(below: Option<u32>, above: Option<u32>, is_exact: bool) -> String {
    let wrong = |leaves: u32| {
        let least = if is_exact { "" } else { "at least " };
        let leaves = match leaves {
            1 => "1 leaf".to_owned(),
            more => format!("{more} leaves"),
        };
        format!("{least}{leaves} would have to be wrong for it")
    };
    match (below, above) {
        (None, None) => "proven: no leaf can change it".to_owned(),
        (Some(below), None) => format!("{} to be less, nothing can make it more", wrong(below)),
        (None, Some(above)) => format!("nothing can make it less, {} to be more", wrong(above)),
        (Some(below), Some(above)) => {
            format!("{} to be less, {above} to be more", wrong(below))
        }
    }
}

fn proof_numbers(below: Option<u32>, above: Option<u32>) -> String {
    match (below, above) {
        (None, None) => "proven".to_owned(),
        (Some(loss), None) => format!("proof number of a loss {loss}, more is ruled out"),
        (None, Some(win)) => format!("less is ruled out, proof number of a win {win}"),
        (Some(loss), Some(win)) => format!("proof number of a loss {loss}, of a win {win}"),
    }
}

/// Describes the prices of the cheapest lines that would change the value.
fn prices(below: Cost, above: Cost) -> String {
    match (below.is_infinite(), above.is_infinite()) {
        (true, true) => "proven".to_owned(),
        (false, true) => format!("a lower value costs {below}, a higher one is ruled out"),
        (true, false) => format!("a lower value is ruled out, a higher one costs {above}"),
        (false, false) => format!("a lower value costs {below}, a higher one {above}"),
    }
}

/// Describes the values from `low` to `high`; if both are mates, by their numbers of moves.
fn range(low: Value, high: Value) -> String {
    let at_any_time = |value: Value| value <= Value::LOSS || value >= Value::WIN;
    let soonest = |value: Value| value.mate_in_moves().filter(|_| !at_any_time(value));
    let (first, last) = match (soonest(low), soonest(high)) {
        (Some(first), Some(last)) if first != last => (first, last),
        _ if low == high => return amount(low),
        _ => return format!("{} to {}", amount(low), amount(high)),
    };
    match (first, last) {
        (-1, 1) => "anything".to_owned(),
        (..0, 1..) if first == -last => {
            format!("no mate in fewer than {last} moves for either side")
        }
        (..0, 1..) => format!("mated in {} or mate in {last} at the soonest", -first),
        (..0, _) => format!("mated in {} to {} moves", -first, -last),
        _ => format!("mate in {last} to {first} moves"),
    }
}

/// Describes a value: `+1.25`, `mate in 3`, `mated in 2`; at the ends of the scale `won` or `lost`.
fn amount(value: Value) -> String {
    match value.mate_in_moves() {
        None => value.to_string(),
        Some(_) if value >= Value::WIN => "won".to_owned(),
        Some(_) if value <= Value::LOSS => "lost".to_owned(),
        Some(moves) if moves > 0 => format!("mate in {moves}"),
        Some(moves) => format!("mated in {}", -moves),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Root;
    use crate::games::chess::Position;
    use crate::games::chess::line::tests::moves;
    use crate::search::StoredTree;

    fn report(pv: Vec<Move>) -> Report<Move> {
        Report {
            iteration: 4,
            seldepth: 9,
            nodes: 3_000,
            best_share: None,
            fullness: 12,
            ..Report::before_search(Value::centipawns(31), pv)
        }
    }

    #[test]
    fn a_full_line_has_every_field() {
        let root = Root::new(Position::initial());
        let mut report = report(moves(&root, "e2e4 e7e5"));
        let mut style = Style::default();
        let took = Duration::from_micros(1_500_900);
        let line = |report: &Report<Move>| info_line(report, &report.pv, style, took, 0);
        assert_eq!(
            line(&report),
            "info depth 4 seldepth 9 multipv 1 score cp 31 nodes 3000 nps 1998 hashfull 12 \
             tbhits 0 time 1500 pv e2e4 e7e5"
        );
        report.value = Value::loss_in(4);
        report.bound = Bound::Upper;
        assert!(line(&report).contains(" score mate -2 upperbound nodes "));
        report.value = Value::win_in(5);
        report.bound = Bound::Lower;
        assert!(line(&report).contains(" score mate 3 lowerbound nodes "));
        style.wdl = true;
        let line = info_line(&report, &report.pv, style, took, 7);
        assert!(line.contains(" score mate 3 lowerbound wdl 1000 0 0 nodes "));
        assert!(line.contains(" tbhits 7 "));
    }

    #[test]
    fn the_story_reads_like_one() {
        let story = |value, likely_range, below, above, tree| {
            let conspiracy = Conspiracy {
                threshold: 5,
                likely_range,
                support: Support::Leaves { below, above },
                tree,
            };
            conspiracy_story(value, &conspiracy)
        };
        let tree = Some(StoredTree {
            nodes: 1_234,
            bytes: 50_000,
        });
        let (win, loss, centipawns) = (Value::win_in, Value::loss_in, Value::centipawns);
        let value = centipawns(300);
        assert_eq!(
            story(value, (value, value), Some(5), Some(7), tree),
            "conspiracy threshold 5: likely +3.00; tree of 1234 nodes; \
             5 leaves would have to be wrong for it to be less, 7 to be more"
        );
        let wide = (centipawns(-100), Value::INFINITY);
        assert_eq!(
            story(value, wide, Some(1), None, tree),
            "conspiracy threshold 5: likely -1.00 to won, now +3.00; tree of 1234 nodes; \
             1 leaf would have to be wrong for it to be less, nothing can make it more"
        );
        let told = story(loss(4), (Value::LOSS, Value::WIN), Some(1), None, tree);
        assert!(
            told.contains("likely lost to won, now mated in 2;"),
            "{told}"
        );
        let no_mate = "no mate in fewer than 9 moves for either side";
        let either = "mated in 2 or mate in 3 at the soonest";
        for (low, high, words) in [
            (loss(18), win(17), no_mate),
            (loss(2), win(1), "anything"),
            (loss(4), win(5), either),
            (loss(4), loss(32), "mated in 2 to 16 moves"),
            (win(31), win(3), "mate in 2 to 16 moves"),
            (loss(4), centipawns(40), "mated in 2 to +0.40"),
            (win(5), Value::WIN, "mate in 3 to won"),
        ] {
            let told = story(low, (low, high), Some(1), None, tree);
            let expected = format!("threshold 5: likely {words}, now {}; tree", amount(low));
            assert!(told.contains(&expected), "{told}");
        }
        let mate = win(3);
        assert_eq!(
            story(mate, (mate, mate), None, None, tree),
            "conspiracy threshold 5: likely mate in 2; tree of 1234 nodes; \
             proven: no leaf can change it"
        );
        // Without a stored tree the numbers are lower bounds.
        let told = story(mate, (mate, mate), Some(5), Some(7), None);
        assert!(
            told.ends_with("mate in 2; at least 5 leaves would have to be wrong for it to be less, 7 to be more"),
            "{told}"
        );
    }

    /// Only numbers of leaves are called leaves.
    #[test]
    fn prices_and_proof_numbers_are_called_that() {
        let mut conspiracy = Conspiracy {
            threshold: 12,
            likely_range: (Value::centipawns(30), Value::centipawns(38)),
            support: Support::Prices {
                below: Cost::whole(12),
                above: Cost::sixteenths(200),
            },
            tree: None,
        };
        let story = |conspiracy: &Conspiracy| conspiracy_story(Value::centipawns(30), conspiracy);
        assert_eq!(
            story(&conspiracy),
            "demand 12: value +0.30 to +0.38; a lower value costs 12.0, a higher one 12.5"
        );
        let one = "a lower value costs 1.0, a higher one is ruled out";
        let zero = "a lower value is ruled out, a higher one costs 0.0";
        for (below, above, said) in [
            (Cost::ONE, Cost::INFINITE, one),
            (Cost::INFINITE, Cost::ZERO, zero),
            (Cost::INFINITE, Cost::INFINITE, "; proven"),
        ] {
            conspiracy.support = Support::Prices { below, above };
            assert!(story(&conspiracy).ends_with(said), "{}", story(&conspiracy));
        }
        let (below, above) = (Some(4), Some(9));
        conspiracy.support = Support::ProofNumbers { below, above };
        conspiracy.likely_range = (Value::loss_in(18), Value::win_in(17));
        assert_eq!(
            story(&conspiracy),
            "iteration 12: no mate in fewer than 9 moves for either side, now +0.30; \
             proof number of a loss 4, of a win 9"
        );
    }
}
