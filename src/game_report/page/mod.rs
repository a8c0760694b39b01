//! The page that shows analysed games in a browser: one file that needs nothing else and can be read
//! without its script.
//!
//! Everything that comes from PGN goes through `escape`: tags are written by strangers.

mod chart;
mod moments;
mod phases;
mod score;
mod times;

use std::fmt::Write as _;

use serde::Serialize;

use self::chart::Chart;
use super::judgement::{self, Judgement};
use super::measure::{Columns, Measure};
use super::record::{Game, Header, Row, number, pawns};
use super::text::{move_text, title};
use crate::report::page::{self, board, escape, fill};
use crate::report::table::thousands;
use crate::version;

const PAGE: &str = include_str!("page.html");
const GAME: &str = include_str!("game.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
const MOMENTS_SCRIPT: &str = include_str!("moments.js");

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
/// The heading of how far values may be wrong, and what it means; left out where it is known of none.
const ERROR: &str = "<th scope=\"col\" class=\"wide\"><abbr title=\"how far the evaluation alone may be off: two errors in three are smaller\">±</abbr></th>";
/// The same in the legend.
const ERRORS: &str = "\
<dt>±</dt><dd>How far the evaluation of the position may be from what a search says, as the evaluation itself expects: two errors in three are smaller. The band in the chart. The search that found the value looked further, so the value should be nearer the truth than that; a large figure means an unclear position. A dash: a mate is proven, or it is not known.</dd>
";
/// The legend of prices.
const PRICES: &str = "\
<dt>demand</dt><dd>The demand that the search completed: how dear it had to be to change the value.</dd>
<dt>price-, price+</dt><dd>The price of the cheapest line by which White would stand worse, or better, than the value says. An ordinary ply costs 1. A price counts no misjudged positions. A dash: that is ruled out, or it is not known.</dd>
";

/// The page of games in the order given; `left_out` others are not shown, since there is no room for them.
pub fn render(header: &Header, games: &[&Game], left_out: usize) -> String {
    whole(header, games, left_out, &contents(games, left_out))
}

/// The page of a game that an index leads to.
pub(super) fn render_one(header: &Header, game: &Game, index: &str) -> String {
    let back = format!("<nav><a href=\"{index}\">All games</a></nav>");
    whole(header, &[game], 0, &back)
}

fn whole(header: &Header, games: &[&Game], left_out: usize, contents: &str) -> String {
    let name = match games {
        [game] if left_out == 0 => title(&game.info),
        _ => format!("{}: {} games", header.file, games.len() + left_out),
    };
    let sections: String = games.iter().map(|game| section(game)).collect();
    let columns: Vec<Columns> = games.iter().map(|game| Columns::of(game)).collect();
    let errors = if columns.iter().any(|it| it.errors) {
        ERRORS
    } else {
        ""
    };
    fill(
        PAGE,
        &[
            ("title", &escape(&name)),
            ("style", &[page::STYLE, page::SOLVE_STYLE, STYLE].concat()),
            ("pieces", page::PIECES),
            ("contents", contents),
            ("games", &sections),
            ("errors", errors),
            ("legend", &legend(header, &columns)),
            ("made", &made(header)),
            (
                "script",
                &[
                    page::BOARD_SCRIPT,
                    page::SOLVE_SCRIPT,
                    MOMENTS_SCRIPT,
                    SCRIPT,
                ]
                .concat(),
            ),
        ],
    )
}

/// What the columns mean that not all games have.
fn legend(header: &Header, columns: &[Columns]) -> String {
    let has = |measure: Measure| columns.iter().any(|it| it.measure == measure);
    let mut text = String::new();
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
    if columns.iter().any(|it| it.turns) {
        text += TURNS;
    }
    text
}

/// Links to the games, if there are several, and how many are missing.
fn contents(games: &[&Game], left_out: usize) -> String {
    if games.len() + left_out < 2 {
        return String::new();
    }
    let mut list = String::from("<nav class=\"contents\"><h1>Games</h1><ol>");
    for game in games {
        let opening = game.info.opening.as_ref().map_or("", |it| &it.name);
        let _ = write!(
            list,
            "<li><a href=\"#g{}\">{}</a> <span>{}</span></li>",
            game.info.game,
            escape(&title(&game.info)),
            escape(opening),
        );
    }
    list += "</ol>";
    if left_out > 0 {
        let _ = write!(
            list,
            "<p class=\"error\">There is no room for {} more. They are in the files written with --json and --csv.</p>",
            thousands(left_out as u64),
        );
    }
    list + "</nav>"
}

/// How the analysis was made.
pub(super) fn made(header: &Header) -> String {
    let made = format!(
        "Cassius {}, {}, {} a position, {} MiB, {}; {}",
        version::of_results(&header.cassius, header.provenance.commit.as_deref()),
        header.search,
        header.limit,
        header.hash_mb,
        header.provenance.date,
        header.file,
    );
    escape(&made)
}

/// A game: board, curves, critical positions, moves.
fn section(game: &Game) -> String {
    let info = &game.info;
    // Where the opening is over: what comes later would tell the answers.
    let known = info.opening.as_ref().map_or(0, |it| it.plies);
    let shown = game.rows.get(known).or(game.rows.first());
    let at = shown.map_or(0, |row| row.ply);
    let error = info.error.as_ref();
    let error = error.map_or_else(String::new, |error| {
        format!("<p class=\"error\">{}</p>", escape(error))
    });
    let board = shown.map_or_else(|| board::draw(&info.start, None, None), draw);
    let caption = shown.map_or_else(String::new, |row| escape(&caption(row)));
    let columns = Columns::of(game);
    let move_rows = game.rows.iter().map(|row| move_row(game, row, at, columns));
    let moves: String = move_rows.collect();
    fill(
        GAME,
        &[
            ("game", &info.game.to_string()),
            ("title", &escape(&title(info))),
            ("about", &about(game)),
            ("fault", &error),
            ("at", &at.to_string()),
            ("board", &board),
            ("caption", &caption),
            ("charts", &charts(game, at, columns)),
            ("opening", &opening(game)),
            ("score", &score::table(game)),
            ("moments", &moments::section(game)),
            ("costs", &cost_headings(game)),
            ("headings", &headings(columns)),
            ("moves", &moves),
            ("data", &data(game)),
        ],
    )
}

/// The headings of the columns that not all games have.
fn headings(columns: Columns) -> String {
    let mut html = String::new();
    if columns.errors {
        html += ERROR;
    }
    for ((name, meaning), class) in columns.measure.headings().into_iter().zip(MEASURED) {
        let _ = write!(
            html,
            "<th scope=\"col\"{}><abbr title=\"{meaning}\">{name}</abbr></th>",
            attribute(class)
        );
    }
    for (is, name) in [(columns.min_cn, "MinCN"), (columns.turns, "turn")] {
        if is {
            let _ = write!(html, "<th scope=\"col\">{name}</th>");
        }
    }
    html
}

/// Classes of the three columns of how sure a value is: a phone has no room for all.
const MEASURED: [&str; 3] = ["", "", "wide"];

/// The classes of an element.
fn attribute(class: &str) -> String {
    match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    }
}

/// Event, place, day, round, ratings, opening: what there is.
fn about(game: &Game) -> String {
    let tags = [
        "Event", "Site", "Date", "Round", "WhiteElo", "BlackElo", "ECO",
    ];
    let is_known = game.info.opening.is_some();
    let told = |name: &str| {
        let value = game.info.tag(name).filter(|_| name != "ECO" || !is_known)?;
        let is_blank = value.chars().all(|c| "?.-".contains(c));
        let text = match name {
            "Round" => format!("round {value}"),
            "WhiteElo" => format!("White {value}"),
            "BlackElo" => format!("Black {value}"),
            _ => value.to_owned(),
        };
        (!is_blank).then(|| escape(&text))
    };
    let told: Vec<String> = tags.into_iter().filter_map(told).collect();
    told.join(" · ")
}

/// The board of a position with the move played and, if it is another, the move the search prefers.
fn draw(row: &Row) -> String {
    let (played, best) = moves(row);
    board::draw(&row.fen, played, best)
}

/// The move played, and the best if it is another, in coordinates.
fn moves(row: &Row) -> (Option<&str>, Option<&str>) {
    let played = row.played.as_ref().map(|it| it.uci.as_str());
    let best = row.verdict.best.as_ref().map(|it| it.uci.as_str());
    (played, best.filter(|_| best != played))
}

/// What a row's move costs, if that is worth a word.
fn judged(game: &Game, row: &Row) -> Option<Judgement> {
    let after = game.rows.get(row.ply + 1)?;
    judgement::of(row, &after.verdict)
}

/// The headings of what moves cost, in points and in time.
fn cost_headings(game: &Game) -> String {
    let cost = "<th scope=\"col\"><abbr title=\"points that the move takes away: 1 for a win, 1/2 for a draw\">cost</abbr></th>";
    let time = if has_times(game) {
        "<th scope=\"col\" class=\"wide\">time</th>"
    } else {
        ""
    };
    format!("{cost}{time}")
}

/// Whether the game tells the time that its moves took.
fn has_times(game: &Game) -> bool {
    game.rows.iter().any(|row| row.facts.spent_s.is_some())
}

/// The opening, as a paragraph.
fn opening(game: &Game) -> String {
    let opening = game.info.opening.as_ref();
    opening.map_or_else(String::new, |it| {
        let (eco, name) = (escape(&it.eco), escape(&it.name));
        format!("<p class=\"opening\"><strong>{eco}</strong> {name}</p>")
    })
}

/// The tactics of a row, with what they mean to be had by pointing at them.
fn arrows(row: &Row) -> String {
    let arrow = |class: &str, sign: &str, meaning: &str| {
        format!("<abbr class=\"{class}\" title=\"{meaning}\">{sign}</abbr>")
    };
    let mut text = String::new();
    if row.turn.down_tactic {
        text += &arrow("down", "↓", "MaxCN has fallen abruptly: ↓tactic");
    }
    if row.turn.up_tactic {
        text += &arrow("up", "↑", "MinCN has fallen abruptly: ↑tactic");
    }
    text
}

fn move_row(game: &Game, row: &Row, at: usize, columns: Columns) -> String {
    let verdict = &row.verdict;
    let best = verdict.best.as_ref();
    let other = best.filter(|best| row.played.as_ref() != Some(best));
    let judged = judged(game, row);
    let classes = [
        (row.black, "black"),
        (row.turn.critical, "critical"),
        (judged.is_some(), "costly"),
        (row.ply == at, "now"),
    ];
    let classes: Vec<&str> = classes
        .into_iter()
        .filter_map(|(is, class)| is.then_some(class))
        .collect();
    let mut html = format!(
        "<tr id=\"g{0}p{1}\" data-ply=\"{1}\" class=\"{2}\"><th scope=\"row\"><a href=\"#g{0}p{1}\">{3}{4}</a></th>",
        row.game,
        row.ply,
        classes.join(" "),
        escape(&move_text(row)),
        judged.map_or("", |it| it.grade.sign()),
    );
    let cost = judged.map_or_else(String::new, |it| format!("{:.2}", it.cost));
    let mut cells = vec![("", escape(&verdict.value())), ("cost", cost)];
    let time = row.facts.spent_s.map_or_else(String::new, score::minutes);
    cells.extend(has_times(game).then_some(("wide", time)));
    cells.extend(columns.errors.then(|| ("wide", verdict.error())));
    cells.extend(MEASURED.into_iter().zip(columns.measure.cells(verdict)));
    cells.extend(columns.min_cn.then(|| ("", number(verdict.min_cn))));
    cells.extend(columns.turns.then(|| ("turn", arrows(row))));
    let other = other.map_or_else(String::new, |best| escape(&best.san));
    cells.push(("san wide", other));
    for (class, cell) in cells {
        let _ = write!(html, "<td{}>{cell}</td>", attribute(class));
    }
    html + "</tr>\n"
}

/// What stands under the board: everything that is known of a position.
fn caption(row: &Row) -> String {
    let verdict = &row.verdict;
    let mover = if row.black { "Black" } else { "White" };
    let mut parts = vec![
        match &row.played {
            Some(_) => format!("{} ({mover} to move)", move_text(row)),
            None => format!("{mover} to move"),
        },
        format!("value {}", verdict.value_and_error()),
    ];
    let numbers = [
        ("leaves for White to be worse", verdict.margin_lower),
        ("to be better", verdict.margin_higher),
        ("for another move", verdict.other_move),
        ("demand", verdict.demand),
    ];
    let known = |(name, it): (&str, Option<u32>)| it.map(|_| format!("{name} {}", number(it)));
    parts.extend(numbers.into_iter().filter_map(known));
    let prices = [
        ("price to be worse for White", verdict.price_lower),
        ("to be better", verdict.price_higher),
    ];
    let priced = |(name, it): (&str, Option<f64>)| it.map(|price| format!("{name} {price:.1}"));
    parts.extend(prices.into_iter().filter_map(priced));
    if !row.turn.arrows().is_empty() {
        parts.push(format!("{}tactic", row.turn.arrows()));
    }
    if !verdict.line.is_empty() {
        parts.push(format!("best line {}", verdict.line));
    }
    if let Some(failure) = &verdict.failure {
        parts.push(failure.clone());
    }
    parts.join(" · ")
}

/// The curves of a game.
fn charts(game: &Game, at: usize, columns: Columns) -> String {
    let rows = &game.rows;
    if rows.len() < 2 {
        return String::new();
    }
    let moments = super::moments::of(game);
    let marks: Vec<usize> = moments.iter().map(|it| it.row.ply).collect();
    let chart = Chart {
        game: game.info.game,
        rows,
        marks: &marks,
        at,
    };
    let mut charts = chart.value();
    if columns.measure == Measure::Margin {
        charts += &chart.sureness();
    }
    let mut numbers = String::new();
    if columns.turns {
        numbers += &chart.numbers(
            "MaxCN",
            |row| row.verdict.max_cn,
            |row| row.turn.down_tactic,
        );
    }
    if columns.min_cn {
        numbers += &chart.numbers("MinCN", |row| row.verdict.min_cn, |row| row.turn.up_tactic);
    }
    if !numbers.is_empty() {
        charts += &format!(
            "<details><summary>The numbers behind the arrows</summary>{numbers}</details>"
        );
    }
    charts + &chart.times()
}

/// What the script needs.
#[derive(Serialize)]
struct Data<'r> {
    positions: Vec<Shown<'r>>,
    moments: Vec<moments::Puzzle>,
}

/// What the script needs of a position.
#[derive(Serialize)]
struct Shown<'r> {
    /// The pieces, as FEN has them.
    board: &'r str,
    played: Option<&'r str>,
    best: Option<&'r str>,
    caption: String,
}

fn data(game: &Game) -> String {
    let shown = game.rows.iter().map(|row| {
        let (played, best) = moves(row);
        Shown {
            board: board::pieces(&row.fen),
            played,
            best,
            caption: caption(row),
        }
    });
    page::json(&Data {
        positions: shown.collect(),
        moments: moments::puzzles(game),
    })
}

#[cfg(test)]
mod tests;
