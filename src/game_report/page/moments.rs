//! The moments of a game, its costliest moves: as puzzles to be solved on a board where the answer is sure, and else told at once.
//!
//! Without its script the page shows puzzles as diagrams, with the answers folded up.

use serde::Serialize;

use super::super::holding;
use super::super::moments::Moment;
use super::super::move_marks::{Grade, Word};
use super::super::record::{Game, Row};
use super::super::reply;
use super::super::standing::{self, BETTER, Band, Standing, WINNING};
use super::super::summary::GameDigest;
use super::moves;
use crate::game::Game as _;
use crate::games::chess::line::{boards, moves_of, parsed};
use crate::games::chess::notation::{is_chess960, parse_chess960_fen, parse_san, to_uci};
use crate::games::chess::{Move, Position};
use crate::web::{board, escape, fill};

const MOMENT: &str = include_str!("moment.html");
/// What a puzzle has besides.
const SOLVING: &str = include_str!("solving.html");
/// Most plies shown of a line, unless they would end within an exchange: what comes later was hardly searched.
const LONGEST_LINE: usize = 5;
/// Fewest expected points of a side that still holds the game.
const HOLDS: f64 = 1.0 - BETTER;

/// A moment for the script.
#[derive(Serialize)]
pub(super) struct Puzzle {
    /// Ply in the game.
    ply: usize,
    /// Pieces, as in a FEN.
    board: String,
    black: bool,
    /// Move before, in UCI notation; empty if there is none.
    last: String,
    /// Legal moves, in UCI notation.
    legal: String,
    /// Right answers, the best first.
    held: Vec<String>,
    /// The move that was played.
    played: Option<String>,
    /// Explanation of the move played.
    why: String,
    /// Text shown with the solution.
    answer: String,
    /// For each right answer, boards after each move of its line, with the move.
    lines: Vec<Vec<[String; 2]>>,
}

/// Section of a game's moments; empty if there are none.
pub(super) fn section(digest: &GameDigest<'_>) -> String {
    let game = digest.game.info.game;
    let cards = (1..).zip(&digest.moments);
    let cards: String = cards.map(|(rank, it)| card(digest, rank, it)).collect();
    let heading = match digest.moments.len() {
        0 => return String::new(),
        1 => "The key moment",
        _ => "Key moments",
    };
    format!(
        "<section class=\"moments\" aria-labelledby=\"g{game}m\"><h3 id=\"g{game}m\">{heading}</h3><div class=\"cards\">{cards}</div></section>"
    )
}

/// The moments for the script.
pub(super) fn puzzles(digest: &GameDigest<'_>) -> Vec<Puzzle> {
    let moments = digest.moments.iter().filter(|it| it.is_puzzle());
    moments.filter_map(|it| puzzle(digest, it)).collect()
}

/// Position before a moment's, with the move that led to it.
fn before<'g>(digest: &GameDigest<'g>, moment: &Moment<'_>) -> Option<&'g Row> {
    let before = moment.row.ply.checked_sub(1)?;
    digest
        .game
        .rows
        .get(before)
        .filter(|it| it.played.is_some())
}

/// Card of a moment, readable without the script; the chart shows it with its number, `rank`.
fn card(digest: &GameDigest<'_>, rank: usize, moment: &Moment<'_>) -> String {
    let row = moment.row;
    let is_puzzle = moment.is_puzzle();
    let is_hint = digest.is_puzzle(row.ply + 1);
    let (answer, why) = (answer(moment), why(digest.game, moment));
    let (summary, text, (played, best)) = match is_puzzle {
        true => ("Answer", format!("{answer} {why}"), (None, None)),
        false => ("Why", format!("{why} Better was {answer}"), moves(row)),
    };
    fill(
        MOMENT,
        &[
            ("game", &digest.game.info.game.to_string()),
            ("rank", &rank.to_string()),
            ("ply", &row.ply.to_string()),
            ("number", row.numbered("").trim_end()),
            ("task", &escape(&task(digest, moment))),
            ("board", &board::draw_for_mover(&row.fen, played, best)),
            ("solving", if is_puzzle { SOLVING } else { "" }),
            ("open", if is_puzzle || is_hint { "" } else { " open" }),
            ("summary", summary),
            ("answer", &escape(&text)),
        ],
    )
}

/// Task of the puzzle: `White to move after 14... Nb3: surely one move alone holds`.
fn task(digest: &GameDigest<'_>, moment: &Moment<'_>) -> String {
    let row = moment.row;
    let last = before(digest, moment);
    let last = last.map_or_else(String::new, |it| format!(" after {}", it.move_text()));
    let side = format!("{} to move{last}", row.mover());
    let points = |at: &Row| standing::points(at, &at.verdict, row.black).unwrap_or(0.5);
    let best = points(row);
    let others = best - row.facts.rest.unwrap_or_default();
    let others = others.max(points(moment.after));
    // The others must do less, not only cost something.
    let alone = |least: f64| best >= least && others < least;
    let (one, more) = match () {
        () if alone(WINNING) => ("alone wins", "win"),
        () if alone(BETTER) => ("alone stays ahead", "stay ahead"),
        () if alone(HOLDS) => ("alone holds", "hold"),
        () => ("is best", "are best"),
    };
    if !moment.is_puzzle() {
        let played = row.played.as_ref().map_or("", |it| it.san.as_str());
        return format!("{played}: {}", moment.mark.in_words());
    }
    match row.facts.held.as_ref().map(Vec::len) {
        Some(1) => format!("{side}: surely one move {one}"),
        Some(2) => format!("{side}: two moves {more}"),
        _ => format!("{side}: three moves {more}"),
    }
}

/// Text of the solution.
fn answer(moment: &Moment<'_>) -> String {
    let solutions = moment.solutions();
    let verdict = &moment.row.verdict;
    let names: Vec<&str> = solutions.iter().map(|it| it.san.as_str()).collect();
    let mut text = moment.row.numbered(&names.join(" or "));
    text += &match verdict.is_far() {
        true => format!(", {}.", verdict.in_words()),
        false => format!(
            ". Value for White: {}.",
            moment.row.value_and_error(verdict)
        ),
    };
    // A line of one move would repeat the solution.
    if solving_line(moment).is_some_and(|it| moves_of(it).count() > 1)
        && let Some(line) = shown_line(moment.row)
    {
        text += &format!(" It might go on {line}.");
    }
    text
}

/// Beginning of the principal variation, with the numbers of its moves; `None` if there is none.
fn shown_line(row: &Row) -> Option<String> {
    let position = parse_chess960_fen(&row.fen).ok()?;
    row.line(
        &row.verdict,
        most_shown(&parsed(&position, &row.verdict.line)),
    )
}

/// Most plies shown of a line with these moves.
fn most_shown(moves: &[Move]) -> usize {
    let later = moves.windows(2).skip(LONGEST_LINE - 1);
    let exchange = later.take_while(|it| holding::takes_back(Some(it[0]), it[1]));
    LONGEST_LINE + exchange.count()
}

/// Principal variation, if it begins with the first solution.
fn solving_line<'g>(moment: &Moment<'g>) -> Option<&'g str> {
    let verdict = &moment.row.verdict;
    let solutions = moment.solutions();
    let is_best = solutions.first().copied() == verdict.best.as_ref();
    Some(verdict.line.as_str()).filter(|it| is_best && !it.is_empty())
}

/// Says what was played, and what came of it.
fn why(game: &Game, moment: &Moment<'_>) -> String {
    let after = &moment.after.verdict;
    let words = moment.mark.words();
    let best = shown_line(moment.after).map(|it| format!("Best play is then {it}"));
    let value = after.in_words();
    let outcome = match reply::best_reply(game, moment.row).or(best) {
        Some(reply) => format!("{reply} ({value})"),
        None if after.is_far() => format!("The position is then {value}"),
        None => format!("The value is then {value}"),
    };
    let (row, cost) = (moment.row, moment.mark.cost);
    // The mark is the worst grade that is probable; a worse one may still have an even chance.
    let worse = row.facts.chances.as_ref().and_then(|chances| {
        let mut grades = Grade::LEAST.iter().map(|&(grade, _)| grade);
        grades.find(|&it| it > moment.mark.grade && Word::of(it.chance(chances)).is_some())
    });
    let worse = worse.map_or_else(String::new, |it| format!(", perhaps {}", it.name()));
    let words = words.map_or_else(String::new, |it| format!(", {it}{worse}"));
    let is_sure = |it: f64| Word::of(it) >= Some(Word::Probably);
    let is_lost =
        |it: &Standing| it.is_for(!row.black, Band::Decisive) && it.chance.is_none_or(is_sure);
    let rest = match Standing::of(row).filter(is_lost) {
        Some(_) => ": the game was all but lost before",
        None => "",
    };
    format!(
        "In the game {} was played{words}. It costs {cost:.2} points (a win is 1){rest}. {outcome}.",
        row.move_text(),
    )
}

fn puzzle(digest: &GameDigest<'_>, moment: &Moment<'_>) -> Option<Puzzle> {
    let row = moment.row;
    let position = parse_chess960_fen(&row.fen).ok()?;
    let chess960 = is_chess960(&position);
    let legal = position.legal_moves().into_iter();
    let legal: Vec<String> = legal.map(|m| to_uci(m, chess960)).collect();
    // Written as the other moves are: in Chess960 the record may write castling otherwise.
    let played = row.played.as_ref();
    let played = played.and_then(|it| parse_san(&position, &it.san).ok());
    let solutions = moment.solutions();
    Some(Puzzle {
        ply: row.ply,
        board: board::pieces(&row.fen).to_owned(),
        black: row.black,
        last: before(digest, moment)
            .and_then(|it| it.played.as_ref())
            .map_or_else(String::new, |it| it.uci.clone()),
        legal: legal.join(" "),
        held: solutions.iter().map(|it| it.uci.clone()).collect(),
        played: played.map(|m| to_uci(m, chess960)),
        why: why(digest.game, moment),
        answer: answer(moment),
        lines: lines(&position, moment),
    })
}

/// Boards after each move of the solutions' lines, with the moves; only the first may have more than one move.
fn lines(position: &Position, moment: &Moment<'_>) -> Vec<Vec<[String; 2]>> {
    let chess960 = is_chess960(position);
    let lines = moment
        .solutions()
        .into_iter()
        .enumerate()
        .map(|(rank, it)| {
            let best = solving_line(moment).filter(|_| rank == 0);
            let mut moves = parsed(position, best.unwrap_or(&it.san));
            moves.truncate(most_shown(&moves));
            let written = moves.iter().map(|&m| to_uci(m, chess960));
            let boards = boards(position, &moves).into_iter().zip(written);
            boards.map(|(board, m)| [board, m]).collect()
        });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::parse_fen;

    #[test]
    fn a_line_ends_after_five_plies_or_with_its_exchange() {
        let start = parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
        let shown = |line: &str| most_shown(&parsed(&start, line));
        assert_eq!(shown("1. e4 e5"), 5);
        assert_eq!(shown("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6"), 5);
        let exchange = "1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 Ng6";
        assert_eq!(shown(exchange), 6);
        let other_square = "1. e4 d5 2. Nf3 Nc6 3. exd5 Nb4 4. Nc3 Nxc2+";
        assert_eq!(shown(other_square), 5);
    }
}
