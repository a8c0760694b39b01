//! An explanation in words.

use std::fmt::Write as _;

use super::cut_off_trace::Cause;
use super::record::{Explanation, Iteration, LeftOutRecord, MoveKind, StageRecord};
use crate::output::table::{Table, thousands};
use crate::search::Bound;
use crate::search::events::{By, Pruning};

impl Explanation {
    /// The side that begins the line, and the other one.
    fn sides(&self) -> [&'static str; 2] {
        let mut sides = ["White", "Black"];
        if self.fen.split(' ').nth(1) == Some("b") {
            sides.reverse();
        }
        sides
    }

    /// Whether the search counts depth instead of demands.
    fn counts_depth(&self) -> bool {
        self.search != "depth-first"
    }

    /// Demand as text: `demand 12.5`, `depth 7`.
    fn demand(&self, plies: f64) -> String {
        if self.counts_depth() {
            format!("depth {plies:.0}")
        } else {
            format!("demand {plies:.1}")
        }
    }

    /// Name of the unit in which iterations count.
    fn unit(&self) -> &'static str {
        if self.counts_depth() {
            "depth"
        } else {
            "demand"
        }
    }
}

/// The explanation in words, each line with its end.
pub(super) fn explanation(it: &Explanation) -> String {
    let mut text = head(it);
    if let Some(asked) = it.stages.first() {
        text += &why(it, asked);
    }
    if !it.course.is_empty() {
        let _ = write!(text, "\n{}", course(it));
    }
    text
}

/// The first move of the line, with its number.
fn first(it: &Explanation) -> String {
    let words: Vec<&str> = it.line.san.split(' ').take(2).collect();
    words.join(" ")
}

/// Says what the search plays.
fn head(it: &Explanation) -> String {
    let Some(plays) = &it.plays else {
        return "There is no legal move.\n".to_owned();
    };
    let (first, unit) = (first(it), it.unit());
    let mut text = format!(
        "{} visits {} positions and completes {unit} {}.\n",
        it.search,
        thousands(it.nodes),
        it.iterations
    );
    text += &match &it.found {
        Some(found) => format!(
            "It plays {plays}, and has since {} positions ({unit} {}, {} then).\n",
            thousands(found.nodes),
            found.iteration,
            found.value
        ),
        None => format!("It plays {plays} ({}), not {first}.\n", it.value),
    };
    text += &format!("  {}: {}\n", it.value, it.best_line);
    text += &match (it.cause, &it.found) {
        (Cause::NotRefused, Some(_)) => format!("It never turned {first} down.\n"),
        (Cause::NotRefused, None) => {
            format!("It did not come to an answer about {first}: more positions are needed.\n")
        }
        _ => String::new(),
    };
    text
}

/// Says what was asked along the line, at first `asked`, why the line was cut off, and what it would take to go on.
fn why(it: &Explanation, asked: &StageRecord) -> String {
    let [us, them] = it.sides();
    let (when, verb) = match it.found {
        Some(_) => ("before that", "was it"),
        None => ("in the end", "is it"),
    };
    let at = format!("{} {}", it.unit(), asked.iteration);
    let answer = match asked.bound {
        Bound::Exact => format!(
            "It was worth {} at {at}, and then another move more.",
            asked.value
        ),
        _ => format!(
            "The question was: {verb} worth more than {}? The answer was no, at {at}.",
            asked.more_than
        ),
    };
    let mut text = format!("\nWhy not {} {when}? {answer}\n", first(it));
    if it.given < it.line.uci.len() {
        text += &format!(
            "The line followed is {}. After the given moves, {them}'s moves are the search's answers, {us}'s a longer search's.\n",
            it.line.san
        );
    }
    text.push('\n');
    let width = it.stages.iter().map(|it| it.after.chars().count()).max();
    let width = width.unwrap_or(0);
    for (ply, stage) in it.stages.iter().enumerate() {
        let sentence = sentence(it, stage, ply);
        text += &format!("{:width$}  {sentence}\n", stage.after);
    }
    text += &format!("\n{}\n", cause(it));
    let takes = takes(it);
    if !takes.is_empty() {
        text += &(takes + "\n");
    }
    text
}

/// Says what was demanded after a move, and what answered.
fn sentence(it: &Explanation, stage: &StageRecord, ply: usize) -> String {
    let sides = it.sides();
    let (us, mover) = (sides[0], sides[(ply + 1) % 2]);
    let mut text = it.demand(stage.demand);
    // Moves of the root are free, but for late ones.
    if let Some(price) = stage.price.filter(|&it| ply > 0 || it > 0.0) {
        let _ = write!(text, ", {}", priced(it, stage, price));
    }
    let _ = write!(text, "; {}. ", positions(stage.nodes));
    let from = stage.source.as_deref().unwrap_or(stage);
    if let Some(source) = &stage.source {
        let worth = stage.cost.map_or("beyond doubt".to_owned(), |cost| {
            format!("good for {}", it.demand(cost))
        });
        let _ = write!(
            text,
            "The table has an answer {worth}, found at {} {} with {}: ",
            it.unit(),
            source.iteration,
            it.demand(source.demand)
        );
    }
    text + &match from.by {
        By::Move(_) => format!("{mover} has {}.", from.reply.as_deref().unwrap_or("a move")),
        By::NoMove => format!("No move brings {us} more than {}.", from.more_than),
        By::Pass => format!("{mover} might as well pass."),
        By::Another => format!("{mover} has two good moves."),
        By::Leaf => format!("A leaf: {us} has {} at the most.", from.value),
        By::StaticValue => format!("Not searched: {us} has {} at the most.", from.value),
        By::Rules => format!("The rules end the game: {}.", from.value),
        By::Known => format!("A tablebase says {}.", from.value),
        By::Table(_) => "The table has an answer whose origin is not known.".to_owned(),
    }
}

fn positions(number: u64) -> String {
    match number {
        0 => "no position visited".to_owned(),
        1 => "1 position".to_owned(),
        _ => format!("{} positions", thousands(number)),
    }
}

/// Says what a move costs, and why.
fn priced(it: &Explanation, stage: &StageRecord, price: f64) -> String {
    let place = stage.place.unwrap_or(1);
    let kind = kind(stage.kind);
    let order = match place {
        ..=1 => kind,
        _ => format!("{kind}, number {place} in the order"),
    };
    if it.counts_depth() {
        match price.round() as i32 {
            1 => order,
            0 => format!("{order}, not counted"),
            less if less < 0 => format!("{order}, searched {} deeper", plies(-less)),
            more => format!("{order}, searched {} less deep", plies(more - 1)),
        }
    } else {
        let alone = if price < 0.0 {
            ": it stands alone, so more is demanded"
        } else {
            ""
        };
        format!("{order}, price {price:.2}{alone}")
    }
}

fn plies(number: i32) -> String {
    if number == 1 {
        "1 ply".to_owned()
    } else {
        format!("{number} plies")
    }
}

fn kind(kind: MoveKind) -> String {
    let (name, loses) = match kind {
        MoveKind { evades: true, .. } => ("a move out of check", false),
        MoveKind { checks: true, .. } => ("a check", kind.loses),
        MoveKind { quiet: false, .. } => ("a capture", kind.loses),
        MoveKind { .. } => ("a quiet move", kind.loses),
    };
    let material = if loses { " that loses material" } else { "" };
    format!("{name}{material}")
}

/// Says why the line was cut off.
fn cause(it: &Explanation) -> String {
    let [us, them] = it.sides();
    let Some(asked) = it.stages.last() else {
        return String::new();
    };
    let last = asked.source.as_deref().unwrap_or(asked);
    let is_opponent = it.stages.len() % 2 == 1;
    let (after, demand) = (&last.after, it.demand(last.demand));
    let reply = it.reply.as_deref().unwrap_or("another move");
    let aside = last.aside.map(|aside| it.demand(aside)).unwrap_or_default();
    match it.cause {
        Cause::Leaf => {
            let worth = if it.counts_depth() {
                "No depth was left".to_owned()
            } else {
                let cost = last
                    .cost
                    .map_or("beyond doubt".to_owned(), |it| format!("good for {it:.1}"));
                format!(
                    "Such a value is {cost}, and no more than {:.1} was demanded",
                    asked.demand
                )
            };
            let next = if is_opponent { them } else { us };
            format!(
                "So the line was cut off at a leaf, after {after}. {worth}: {next}'s moves were not looked at, but for captures and \
                 the first checks."
            )
        }
        Cause::StaticValue => format!(
            "So the line was cut off after {after}: {them} stands so far above what is asked that {demand} was not thought to \
             change it. No move was looked at."
        ),
        Cause::NullMove => format!(
            "So the line was cut off by a null move, after {after}. {us} was given two moves in a row, with {aside}, \
             and still did not get more than {}. It was taken that {them} then has a good move as well. What {us} \
             threatens takes more than that to see.",
            last.more_than
        ),
        Cause::LeftOut => it.left_out.as_ref().map_or_else(String::new, |left_out| {
            format!(
                "So the line was cut off after {after}: {} was left out, {}. {}.",
                left_out.m,
                kind(left_out.kind),
                left_out_why(it, left_out, last)
            )
        }),
        Cause::Another => format!(
            "So the line was cut off after {after}: the table knew a good answer for {them} from before, and a search with {aside} \
             found {reply} good enough, too. Two answers were taken for proof; neither was searched with {demand}, which was \
             asked for."
        ),
        Cause::End => format!("So the line ends after {after}: {}.", last.value),
        Cause::OtherReply => {
            format!("The search answers {after} with {reply}, not as the line has it.")
        }
        Cause::LineEnds if is_opponent => {
            format!("Here the line ends. The search answers {reply}; give more moves, or --deeper.")
        }
        Cause::LineEnds => format!(
            "Here the line ends: the search finds nothing for {us} after {after}. Give {us}'s move, or --deeper."
        ),
        Cause::NotAsked | Cause::NotRefused => {
            format!("What became of the next move after {after} cannot be told.")
        }
    }
}

/// Says why a move was pruned.
fn left_out_why(it: &Explanation, left_out: &LeftOutRecord, last: &StageRecord) -> String {
    let (place, demand) = (left_out.place, it.demand(last.demand));
    match left_out.why {
        Pruning::Price(_) => format!(
            "It is number {place} in the order, and its own price, {:.1}, meets the demand, {:.1}: so it was pruned",
            left_out.price.unwrap_or(0.0),
            last.demand
        ),
        Pruning::Behind => format!(
            "It is number {place} in the order, behind a quiet move whose price alone met {demand}"
        ),
        Pruning::Late => format!(
            "It is number {place} in the order, and this near the leaves ({demand}) so late a move is pruned"
        ),
        Pruning::Hopeless => {
            format!("With {demand} left, the position stood too far below what is asked")
        }
        Pruning::Exchange => format!("It loses material by exchange, and {demand} was left"),
    }
}

/// Says what it would take to go on.
fn takes(it: &Explanation) -> String {
    let unit = it.unit();
    let mut text = match (it.takes, it.cause) {
        (Some(takes), _) => {
            let more = takes.saturating_sub(it.stages[0].iteration);
            format!(
                "Looking further there takes at least {unit} {takes} at the root, {more} more than when it was asked."
            )
        }
        (None, Cause::LeftOut) => {
            format!("To look at it takes a larger {unit} there, or a place nearer to the front.")
        }
        (None, Cause::Another) => {
            format!("It takes a {unit} for which the known answer no longer will do.")
        }
        (None, Cause::StaticValue) => format!("It takes a larger {unit} there."),
        (None, _) => String::new(),
    };
    let prices = it.stages.iter().filter_map(|it| Some((it, it.price?)));
    let dearest = prices.max_by(|(_, a), (_, b)| a.total_cmp(b));
    if let Some((dearest, price)) = dearest.filter(|&(_, price)| price >= 2.0) {
        let _ = write!(
            text,
            " The dearest move on the way was {}: {}.",
            dearest.after,
            priced(it, dearest, price)
        );
    }
    text.trim_start().to_owned()
}

/// Fate of the move, as a table.
fn course(it: &Explanation) -> Table {
    let first = first(it);
    let mut table = Table::new([
        it.unit().to_owned(),
        "positions".to_owned(),
        "plays".to_owned(),
        "value".to_owned(),
        format!("{first} > "),
        "answer".to_owned(),
        "positions for it".to_owned(),
    ]);
    for row in &it.course {
        let asked = row.asked.as_ref();
        table.row([
            row.iteration.to_string(),
            thousands(row.nodes),
            row.plays.clone(),
            row.value.clone(),
            asked.map_or("-".to_owned(), |it| it.more_than.clone()),
            answer(row),
            thousands(row.spent),
        ]);
    }
    table
}

/// The search's answer about the line's first move in an iteration, in a few words.
fn answer(row: &Iteration) -> String {
    let Some(asked) = &row.asked else {
        let word = match row.spent {
            0 => "not asked",
            _ => "no answer",
        };
        return word.to_owned();
    };
    let by = match (asked.bound, asked.by) {
        (Bound::Lower, _) => return "yes".to_owned(),
        (Bound::Exact, _) => return format!("worth {}", asked.value),
        (Bound::Upper, By::Move(_)) => asked.reply.as_deref().unwrap_or_default(),
        (Bound::Upper, By::Pass) => "pass",
        (Bound::Upper, By::Another) => "two replies",
        (Bound::Upper, By::Table(_)) => "table",
        (Bound::Upper, By::Leaf | By::StaticValue | By::NoMove) => "leaf",
        (Bound::Upper, By::Rules | By::Known) => "rules",
    };
    format!("no: {by}")
}
