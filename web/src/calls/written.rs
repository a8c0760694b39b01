//! Notation of answers.

use cassius::game::Game as _;
use cassius::games::chess::line::{WrittenLine, WrittenMove};
use cassius::games::chess::notation::{is_chess960, to_fen, to_uci};
use cassius::games::chess::{Move, Position};
use cassius::profile::score::Scored;
use cassius::value::Value;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// A value in the form that answers have.
pub(crate) fn value(value: Value) -> Scored {
    Scored(value)
}

/// A line in both notations.
pub(crate) fn line(position: &Position, moves: &[Move]) -> WrittenLine {
    WrittenLine::new(position, moves)
}

/// A move in both notations.
pub(crate) fn written_move(position: &Position, m: Move) -> WrittenMove {
    WrittenMove::new(position, m, is_chess960(position))
}

/// Side to move.
pub(crate) fn side(position: &Position) -> &'static str {
    if position.is_black_to_move() {
        "black"
    } else {
        "white"
    }
}

/// Reason why the game is over in a position, if it is.
pub(crate) fn over(position: &Position) -> Option<&'static str> {
    position.outcome()?;
    Some(if position.has_legal_move() {
        "draw"
    } else if position.in_check() {
        "checkmate"
    } else {
        "stalemate"
    })
}

/// Chances of the side to move, in permille.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Chances {
    win: u32,
    draw: u32,
    loss: u32,
}

impl Chances {
    /// From White's chances of a win, a draw and a loss.
    pub(crate) fn of([win, draw, loss]: [u32; 3], is_black: bool) -> Chances {
        let [win, loss] = if is_black { [loss, win] } else { [win, loss] };
        Chances { win, draw, loss }
    }
}

/// A move with its squares and the position after it.
pub(crate) fn step(position: &Position, m: Move) -> Json {
    let after = position.after(m);
    let WrittenMove { san, uci } = written_move(position, m);
    let [from, to] = squares(m);
    json!({ "san": san, "uci": uci, "from": from, "to": to, "fen": to_fen(&after) })
}

/// Squares that a move leaves and reaches; for castling the king's.
pub(crate) fn squares(m: Move) -> [String; 2] {
    let squares = to_uci(m, false);
    let (from, to) = squares.split_at(2);
    [from.to_owned(), to.chars().take(2).collect()]
}
