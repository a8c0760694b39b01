//! A profile in words, for chess players.

use std::fmt::Write as _;

use super::super::outlook;
use super::{Color, MOST_TOLD, PositionProfile, Prices, Sureness, error_of_searched};
use crate::game::Game as _;
use crate::games::chess::line::{WrittenLine, moves_of};
use crate::games::chess::notation::parse_chess960_fen;
use crate::output::table::{Table, thousands};
use crate::profile::{Basis, ByMargin, Profile, Range, Step};
use crate::value::{Mate, Value};

/// Most steps in each direction to put into words.
const STEPS: usize = 4;

/// The whole profile as ended lines; `note`, empty or ended too, follows the value.
pub fn profile(position: &PositionProfile, note: &str) -> String {
    let mut text = String::new();
    let value = position.sureness.value();
    let side = match position.side_to_move {
        Color::White => "White",
        Color::Black => "Black",
    };
    if position.line.uci.is_empty() {
        let _ = writeln!(text, "the game is over here: {}", amount(value));
        return text;
    }
    let tree = position.tree_size.map_or_else(String::new, |nodes| {
        format!(", a tree of {}", thousands(nodes))
    });
    let mate = Mate::of(value, position.mate_at_most);
    let _ = writeln!(
        text,
        "{}: {}\n\
         {note}Values are for {side}, who is to move. {}, {} positions visited{tree}.",
        mate.map_or_else(|| headline(value), |it| it.to_string()),
        position.line.san,
        position.search,
        thousands(position.nodes),
    );
    let is_endgame = parse_chess960_fen(&position.fen).is_ok_and(|it| it.is_endgame());
    let error = error_of_searched(is_endgame, value.get().into(), position.give_or_take);
    if let Some(centipawns) = error {
        let pawns = f64::from(centipawns) / 100.0;
        let _ = writeln!(
            text,
            "Without search the evaluation is right give or take {pawns:.2}: two errors in three are smaller."
        );
    }
    if let Some(outlook) = &position.outlook {
        let first = moves_of(&position.line.san).next();
        let words = outlook::words(outlook, first.unwrap_or("the move"));
        let _ = writeln!(text, "More thinking: {words}.");
    }
    text.push('\n');
    match (mate, &position.sureness) {
        (Some(mate), _) => text.push_str(proven(mate)),
        (None, Sureness::Counted(profile)) => text.push_str(&counted(profile)),
        (None, Sureness::Priced(prices)) => text.push_str(&priced(prices, position.iteration)),
    }
    text
}

/// The certainty of a mate: the numbers tell that somebody wins, not how soon.
fn proven(mate: Mate) -> &'static str {
    match mate.is_at_most {
        true => "The mate is proven. A shorter one is not ruled out.\n",
        false => "The mate is proven, and that there is no shorter one.\n",
    }
}

/// The certainty, if leaves are counted.
fn counted(profile: &Profile<WrittenLine>) -> String {
    let mut text = sureness(profile);
    let is_proven = profile.min_cn.is_none();
    if profile.basis == Basis::Tree && !is_proven {
        text.push('\n');
        text.push_str(&ranges(&profile.ranges));
        for (steps, is_raise) in [(&profile.lowered, false), (&profile.raised, true)] {
            text.push_str(&conspirators(steps, is_raise));
        }
    }
    text
}

/// The certainty, if lines are priced.
fn priced(prices: &Prices, demand: u32) -> String {
    let &Prices { value, at_most, .. } = prices;
    let side = |price: Option<f64>, what: &str, than: Value| {
        let than = amount(than);
        match price {
            Some(price) => format!("Price of {what} than {than}: {price:.1}.\n"),
            None => format!("It is proven that it is not {what} than {than}.\n"),
        }
    };
    format!(
        "Demand {demand}. This search counts no misjudged positions. It gives the price of the cheapest line\n\
         that could change the value; an ordinary ply costs 1. Best-first search counts positions.\n{}{}",
        side(prices.price_below, "less", value),
        side(prices.price_above, "more", at_most),
    )
}

/// The numbers next to the value, MinCN and MaxCN.
fn sureness(profile: &Profile<WrittenLine>) -> String {
    let least = match profile.basis {
        Basis::Tree => "",
        Basis::Certificates => "at least ",
    };
    let side = |name: &str, number: Option<u32>, direction: &str| match number {
        Some(number) => format!(
            "{name} = {number}: {least}{} would have to be misjudged for it to be {direction}.\n",
            positions(number)
        ),
        None => format!("{name} = ∞: it is proven that it is not {direction}.\n"),
    };
    let mut text = side("C<", profile.below, "worth less");
    text.push_str(&side("C>", profile.above, "worth more"));
    if let Some(counts) = &profile.by_margin {
        text.push_str(&by_margin(counts));
    }
    if profile.basis == Basis::Tree {
        let number = |it: Option<u32>| it.map_or("none".to_owned(), |it| it.to_string());
        let (min, max) = (number(profile.min_cn), number(profile.max_cn));
        let _ = writeln!(text, "MinCN = {min}, MaxCN = {max}.");
    }
    text
}

/// Numbers of leaves that would change the value by a margin, or the move.
fn by_margin(counts: &ByMargin) -> String {
    let pawns = |centipawns: u16| format!("{:.2}", f64::from(centipawns) / 100.0);
    let number = |it: Option<u32>| it.map_or("∞".to_owned(), positions);
    format!(
        "By {}: {} for worse, {} for better, {} for another move; each misjudged by {} at most.\n",
        pawns(counts.margin.centipawns()),
        number(counts.worse),
        number(counts.better),
        number(counts.other_move),
        pawns(counts.margin.leaf_error()),
    )
}

/// The likely range at each threshold; a range like the one before is left out.
fn ranges(ranges: &[Range]) -> String {
    let mut table = Table::new(["misjudged", "worth at least", "at most"]);
    let mut last = None;
    for range in ranges {
        if last.replace((range.min, range.max)) != Some((range.min, range.max)) {
            let number = format!("up to {}", range.conspirators);
            table.row([number, amount(range.min), amount(range.max)]);
        }
    }
    table.to_string()
}

/// The leaves that would have to be misjudged, step by step.
fn conspirators(steps: &[Step<WrittenLine>], is_raise: bool) -> String {
    let named = steps.iter().filter(|step| !step.names.is_empty());
    let mut text = String::new();
    for step in named.take(STEPS) {
        let value = match step.to {
            Value::WIN => "Won".to_owned(),
            Value::LOSS => "Lost".to_owned(),
            value if is_raise => format!("At least {value}"),
            value => format!("At most {value}"),
        };
        let positions = match step.conspirators {
            1 => "the last position of this line is misjudged (in front: its value now)".to_owned(),
            more => format!(
                "the last positions of these {more} lines are misjudged (in front: their values now)"
            ),
        };
        let _ = writeln!(text, "\n{value} if {positions}:");
        for name in &step.names {
            let line = match name.line.san.as_str() {
                "" => "the position itself",
                line => line,
            };
            let _ = writeln!(text, "  {:>8}  {line}", amount(name.value));
        }
    }
    text
}

/// The position's value, in words where it is decided or far from even.
fn headline(value: Value) -> String {
    let is_far = !value.is_decided() && i32::from(value.get()).abs() > MOST_TOLD;
    match value > Value::DRAW {
        true if is_far => format!("winning ({value})"),
        false if is_far => format!("losing ({value})"),
        _ => amount(value),
    }
}

/// A value in words where it is decided.
pub(crate) fn amount(value: Value) -> String {
    match value {
        Value::WIN => "won".to_owned(),
        Value::LOSS => "lost".to_owned(),
        value => value.to_string(),
    }
}

fn positions(number: u32) -> String {
    match number {
        1 => "1 position".to_owned(),
        more => format!("{more} positions"),
    }
}
