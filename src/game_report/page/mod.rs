//! The page that shows analysed games in a browser: one file that needs nothing else and can be read
//! without its script.
//!
//! All text from PGN goes through `escape`, as tags may contain HTML.

mod chart;
mod disagreements;
mod legend;
mod list;
mod moments;
mod odds;
mod phases;
mod score;
mod times;

use serde::Serialize;

use self::chart::Chart;
use super::columns::{Columns, Measure};
use super::move_marks;
use super::record::{Game, Header, Opinion, Row};
use super::story::GameStory;
use super::summary::GameDigest;
use crate::version;
use crate::web::{self, board, escape, fill};

const PAGE: &str = include_str!("page.html");
const GAME: &str = include_str!("game.html");
const STYLE: &str = include_str!("page.css");
/// Style of two judges side by side.
const JUDGES_STYLE: &str = include_str!("judges.css");
const SCRIPT: &str = include_str!("page.js");
const MOMENTS_SCRIPT: &str = include_str!("moments.js");

/// Largest game, in positions, whose lines are on the page: they would make it large.
const MOST_WITH_LINES: usize = 250;

/// The page of these games; `left_out` others have no room and are counted only.
pub(crate) fn render(header: &Header, games: &[&Game], left_out: usize) -> String {
    let digests: Vec<GameDigest<'_>> = games.iter().map(|game| GameDigest::of(game)).collect();
    whole(header, &digests, left_out, &contents(games, left_out))
}

/// The page of one game, with a link to the index.
#[cfg(feature = "cli")]
pub(super) fn render_one(header: &Header, digest: &GameDigest<'_>, index: &str) -> String {
    let back = format!("<nav><a href=\"{index}\">All games</a></nav>{HEADING}");
    whole(header, std::slice::from_ref(digest), 0, &back)
}

fn whole(header: &Header, games: &[GameDigest<'_>], left_out: usize, contents: &str) -> String {
    let name = match games {
        [digest] if left_out == 0 => digest.game.info.title(),
        _ => format!("{}: {} games", header.file, games.len() + left_out),
    };
    let sections: String = games.iter().map(|it| section(header, it)).collect();
    let columns: Vec<Columns> = games.iter().map(|it| it.columns).collect();
    let judges = header.engine.as_ref().map_or("", |_| JUDGES_STYLE);
    fill(
        PAGE,
        &[
            (
                "head",
                &web::head(&name, &[web::SOLVE_STYLE, STYLE, judges]),
            ),
            ("pieces", web::PIECES),
            ("contents", contents),
            ("games", &sections),
            ("legend", &legend::of(header, &columns)),
            ("made", &made(header)),
            (
                "script",
                &web::compact(&web::script(&[
                    web::BOARD_MODULE,
                    web::SOLVE_MODULE,
                    MOMENTS_SCRIPT,
                    SCRIPT,
                ])),
            ),
        ],
    )
}

/// Heading for screen readers, where the page shows none.
const HEADING: &str = "<h1 class=\"unseen\">Game report</h1>";

/// Links to the games, if there are several, and the number left out.
fn contents(games: &[&Game], left_out: usize) -> String {
    if games.len() + left_out < 2 {
        return HEADING.to_owned();
    }
    let mut list = String::from("<nav class=\"contents\"><h1>Games</h1><ol>");
    for game in games {
        let opening = game.info.opening.as_ref().map_or("", |it| &it.name);
        list += &format!(
            "<li><a href=\"#g{}\">{}</a> <span>{}</span></li>",
            game.info.game,
            escape(&game.info.title()),
            escape(opening),
        );
    }
    list += "</ol>";
    if left_out > 0 {
        list += &format!(
            "<p class=\"error\">There is no room for {} more. They are in the files written with --json and --csv.</p>",
            web::thousands(left_out as u64),
        );
    }
    list + "</nav>"
}

/// Says how the analysis was made.
pub(super) fn made(header: &Header) -> String {
    let date = &header.provenance.date;
    let made = format!(
        "Cassius {}, {}, {} MiB{}{date}; {}",
        version::of_results(&header.cassius, header.provenance.commit.as_deref()),
        header.judged(),
        header.hash_mb,
        if date.is_empty() { "" } else { ", " },
        header.file,
    );
    escape(&made)
}

/// Section of a game: accuracy, moments, board, curves, moves.
fn section(header: &Header, told_of: &GameDigest<'_>) -> String {
    let (game, info) = (told_of.game, &told_of.game.info);
    // The board opens at the first moment; if that is a puzzle, without its answer.
    let at = told_of.moments.first().map_or(0, |it| it.row.ply);
    let shown = game.rows.get(at);
    let error = info.error.as_ref();
    let error = error.map_or_else(String::new, |error| {
        format!("<p class=\"error\">{}</p>", escape(error))
    });
    let told = shown.filter(|_| !told_of.is_puzzle(at));
    let fen = shown.map_or(&info.start, |row| &row.fen);
    let board = told.map_or_else(|| board::draw(fen, None, None), draw);
    let caption = told.map_or_else(String::new, |row| escape(&caption(game, row)));
    let odds = told.map_or_else(String::new, odds::bar);
    let rows = game.rows.iter();
    let moves = rows.map(|row| list::move_row(told_of, row, at));
    fill(
        GAME,
        &[
            ("game", &info.game.to_string()),
            ("title", &escape(&info.title())),
            ("about", &about(game)),
            ("fault", &error),
            ("at", &at.to_string()),
            ("board", &board),
            ("caption", &caption),
            ("odds", &odds),
            ("charts", &charts(header, told_of, at)),
            ("opening", &opening(game)),
            ("story", &story(header, told_of)),
            ("score", &score::table(told_of)),
            ("moments", &moments::section(told_of)),
            ("disagreements", &disagreements::section(header, told_of)),
            ("headings", &list::headings(told_of)),
            ("moves", &moves.collect::<String>()),
            ("data", &data(told_of)),
        ],
    )
}

/// Event, place, day, round, ratings and opening, as far as known.
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

/// Board of a position with the move played and, if that is marked, the preferred one.
fn draw(row: &Row) -> String {
    let (played, best) = moves(row);
    board::draw(
        &row.fen,
        played,
        best.filter(|_| move_marks::of(row).is_some()),
    )
}

/// Move played and, if it differs, the preferred one, in UCI notation.
fn moves(row: &Row) -> (Option<&str>, Option<&str>) {
    let played = row.played.as_ref().map(|it| it.uci.as_str());
    (played, row.better().map(|it| it.uci.as_str()))
}

/// The opening, as a paragraph.
fn opening(game: &Game) -> String {
    let opening = game.info.opening.as_ref();
    opening.map_or_else(String::new, |it| {
        let (eco, name) = (escape(&it.eco), escape(&it.name));
        format!("<p class=\"opening\"><strong>{eco}</strong> {name}</p>")
    })
}

/// Paragraph on what decided the game; what was missed is folded up if it is the answer to a puzzle below.
fn story(header: &Header, digest: &GameDigest<'_>) -> String {
    let Some(story) = GameStory::of(digest, header.judge()) else {
        return String::new();
    };
    let game = digest.game.info.game;
    let sentences = [Some(story.turn), story.before].into_iter().flatten();
    let sentences: Vec<String> = sentences.map(|it| escape(&it)).collect();
    let missed = story.missed.map_or_else(String::new, |it| {
        let it = escape(&it);
        match story.is_puzzle {
            true => format!(
                "<details class=\"solution\"><summary>What was missed</summary><p>{it}</p></details>"
            ),
            false => format!("<p>{it}</p>"),
        }
    });
    format!(
        "<section class=\"story\" aria-labelledby=\"g{game}s\"><h3 id=\"g{game}s\">What decided the game</h3><p>{}</p>{missed}</section>",
        sentences.join(" ")
    )
}

/// The caption of the board as it opens, without the numbers that are shown on demand. For other positions the script
/// makes it.
fn caption(game: &Game, row: &Row) -> String {
    let (played, mover) = (row.move_text(), row.mover());
    let first = match &row.played {
        Some(_) => format!("{played} ({mover} to move)"),
        None => format!("{mover} to move"),
    };
    let parts = TOLD.iter().zip(told(game, row));
    let parts = parts.filter(|(name, it)| !it.is_empty() && !NUMBERS.contains(name));
    let parts = parts.map(|(name, it)| format!("{name} {it}").trim_start().to_owned());
    std::iter::once(first)
        .chain(parts)
        .collect::<Vec<String>>()
        .join(" · ")
}

/// Labels of a position's properties. A game's data has those that it needs.
const TOLD: [&str; 11] = [
    "value",
    "leaves to misjudge for White to be worse",
    "leaves to misjudge for White to be better",
    "leaves to misjudge for another move",
    "demand",
    "price to be worse for White",
    "price to be better for White",
    "",
    "best line",
    "Cassius",
    "",
];

/// Labels of the properties that are shown on demand.
const NUMBERS: [&str; 6] = [TOLD[1], TOLD[2], TOLD[3], TOLD[4], TOLD[5], TOLD[6]];

/// Properties of a position by these labels; empty if unknown.
fn told(game: &Game, row: &Row) -> [String; TOLD.len()] {
    let verdict = &row.verdict;
    let known = |it: Option<u32>| it.map_or_else(String::new, |it| web::thousands(it.into()));
    let price = |it: Option<f64>| it.map_or_else(String::new, |price| format!("{price:.1}"));
    let arrows = row.turn.arrows();
    let has_line = game.rows.len() <= MOST_WITH_LINES;
    [
        row.value_and_error(verdict),
        known(verdict.margin_lower),
        known(verdict.margin_higher),
        known(verdict.other_move),
        known(verdict.demand),
        price(verdict.price_lower),
        price(verdict.price_higher),
        match arrows.is_empty() {
            true => String::new(),
            false => format!("{arrows}tactic"),
        },
        match has_line {
            true => verdict.line.clone(),
            false => String::new(),
        },
        row.own
            .as_deref()
            .map_or_else(String::new, |it| opinion(row, it)),
        verdict.failure.clone().unwrap_or_default(),
    ]
}

/// Opinion of our own search beside an engine: `+0.35, 12. Nf3`.
fn opinion(row: &Row, own: &Opinion) -> String {
    let best = own.verdict.best.as_ref();
    let best = best.map_or_else(String::new, |it| format!(", {}", row.numbered(&it.san)));
    row.value_and_error(&own.verdict) + &best
}

/// The curves of a game.
fn charts(header: &Header, digest: &GameDigest<'_>, at: usize) -> String {
    let (rows, columns) = (&digest.game.rows, digest.columns);
    if rows.len() < 2 {
        return String::new();
    }
    let chart = Chart {
        rows,
        marks: &digest.summary.moments,
        engine: header.engine.as_ref().map(|it| it.name.as_str()),
        at,
    };
    let mut charts = chart.value();
    if columns.measure == Some(Measure::Margin) {
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

/// Data for the script.
#[derive(Serialize)]
struct Data {
    /// Labels that this game needs.
    told: Vec<&'static str>,
    /// Labels in `told` that are shown on demand.
    numbers: Vec<&'static str>,
    /// For each position its FEN, the move played, a better one, and the properties in the order of
    /// the labels.
    positions: Vec<Vec<String>>,
    moments: Vec<moments::Puzzle>,
    /// The bars of the game: percentages of White's wins, of draws and of Black's wins.
    bars: Vec<Vec<u32>>,
    /// For each position its bar: a character that comes as far after `0`.
    odds: String,
}

fn data(told_of: &GameDigest<'_>) -> String {
    let game = told_of.game;
    let all: Vec<_> = game.rows.iter().map(|row| told(game, row)).collect();
    let is_needed = |it: &usize| all.iter().any(|told| !told[*it].is_empty());
    let needed: Vec<usize> = (0..TOLD.len()).filter(is_needed).collect();
    let position = |(row, told): (&Row, &[String; TOLD.len()])| {
        let (played, best) = moves(row);
        let shown = [
            &row.fen,
            played.unwrap_or_default(),
            best.unwrap_or_default(),
        ];
        let told = needed.iter().map(|&it| told[it].as_str());
        shown.into_iter().chain(told).map(str::to_owned).collect()
    };
    let names = needed.iter().map(|&it| TOLD[it]);
    let (bars, odds) = odds::all(&game.rows);
    web::json(&Data {
        told: names.clone().collect(),
        numbers: names.filter(|it| NUMBERS.contains(it)).collect(),
        positions: game.rows.iter().zip(&all).map(position).collect(),
        moments: moments::puzzles(told_of),
        bars,
        odds,
    })
}

#[cfg(test)]
mod tests;
