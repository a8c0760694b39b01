//! Positions to learn from.

use crate::game::{Evaluator, Game};
use crate::games::chess::evaluation::Trace;
use crate::games::chess::{Position, Quiescence};
use crate::lab::selfplay::record::{GameRecord, of_white};
use crate::value::{Value, Window};

/// A quiet position and what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// What the evaluation makes of it.
    pub trace: Trace,
    /// Its static value with the weights of today, for White.
    pub now: f64,
    /// White's points in the end.
    pub points: f64,
    /// What the search saw, for White, in centipawns.
    pub seen: f64,
}

/// Takes the quiet positions of a game: not in check, not decided, not changed by captures, and left
/// by a quiet move, so that what the search saw is not a tactical blow.
pub fn of_game(game: &GameRecord, quiescence: &mut Quiescence, samples: &mut Vec<Sample>) {
    let mut position = game.start.clone();
    for &(m, value) in &game.moves {
        if position.is_quiet(m)
            && let Some(trace) = quiet(&position, value, quiescence)
        {
            let white = |value: Value| f64::from(of_white(&position, value).get());
            samples.push(Sample {
                now: white(quiescence.static_value(&position)),
                trace,
                points: game.result.points(),
                seen: white(value),
            });
        }
        position.play(m);
    }
}

fn quiet(position: &Position, value: Value, quiescence: &mut Quiescence) -> Option<Trace> {
    if position.in_check() || value.is_decided() {
        return None;
    }
    let standing = quiescence.static_value(position);
    if quiescence.value(position, Window::FULL) != standing {
        return None;
    }
    Trace::new(position)
}
