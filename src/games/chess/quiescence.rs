//! The static value of a position (thesis, section 5.2.1): alpha-beta over captures and promotions
//! to any depth, over checking moves too at its first ply, with material counted at the end.
//!
//! Moves that lose material by static exchange evaluation are left out, captures and checks alike.
//! A side in check has no choice of standing pat and all its moves are tried. That makes decided
//! values proofs: the winner's checks are some of its moves, the loser's answers are all of them.

use super::material::{PAWN, material};
use super::{Move, Position};
use crate::game::{Evaluator, Game, Moves};
use crate::value::{Value, Window};

/// Below so many pieces a capture may leave too little to win, so that material gained is no
/// longer a bound on the value.
const ENDING_PIECES: usize = 5;

/// The quiescence evaluator.
#[derive(Clone, Debug, Default)]
pub struct Quiescence {
    nodes: u64,
    max_ply: u32,
}

impl Quiescence {
    /// An evaluator on the tactical scale of the thesis: material alone.
    pub fn tactical() -> Quiescence {
        Quiescence::default()
    }

    fn search(&mut self, position: &Position, window: Window, ply: u32) -> Value {
        self.nodes += 1;
        self.max_ply = self.max_ply.max(ply);
        if position.in_check() {
            self.evade(position, window, ply)
        } else {
            self.stand_pat_or_capture(position, window, ply)
        }
    }

    /// In check: every legal move, and a proven loss if there is none.
    fn evade(&mut self, position: &Position, window: Window, ply: u32) -> Value {
        let mut moves = position.capture_moves();
        sort_captures(position, &mut moves);
        position.add_quiet_moves(&mut moves);
        if moves.is_empty() {
            return Value::LOSS;
        }
        let mut best = -Value::INFINITY;
        for &m in &moves {
            let alpha = window.alpha.max(best);
            let son = Window::new(alpha, window.beta).to_son();
            best = best.max(self.search(&position.after(m), son, ply + 1).from_son());
            if best >= window.beta {
                break;
            }
        }
        best
    }

    fn stand_pat_or_capture(&mut self, position: &Position, window: Window, ply: u32) -> Value {
        if position.is_insufficient_material() || ply == 0 && !position.has_legal_move() {
            return Value::DRAW;
        }
        let static_value = Value::centipawns(position.material());
        let mut best = static_value;
        if best >= window.beta {
            return best;
        }
        let mut moves = position.capture_moves();
        sort_captures(position, &mut moves);
        if ply == 0 {
            position.add_quiet_checks(&mut moves);
        }
        let bounded = position.occupied().count() > ENDING_PIECES;
        for &m in &moves {
            let alpha = window.alpha.max(best);
            // The opponent can stand pat after the capture, unless it is in check: then more than
            // what the capture takes cannot come of it.
            if bounded && !m.is_quiet() {
                let most = static_value.offset(gain(m));
                if most <= alpha && !position.is_checking(m) {
                    best = best.max(most);
                    continue;
                }
            }
            // Moves that lose the piece by the exchanges they start rarely do anything else, and cost
            // most of the time.
            if !position.exchange_reaches(m, 0) {
                continue;
            }
            let son = Window::new(alpha, window.beta).to_son();
            best = best.max(self.search(&position.after(m), son, ply + 1).from_son());
            if best >= window.beta {
                break;
            }
        }
        best
    }
}

/// What a capture or promotion takes at once, in centipawns.
fn gain(m: Move) -> i32 {
    m.capture().map_or(0, material) + m.promotion().map_or(0, |role| material(role) - PAWN)
}

/// Best capture first; the generation order decides among equals.
fn sort_captures(position: &Position, moves: &mut Moves<Move>) {
    moves.sort_by_key(|&m| -position.capture_order(m));
}

impl Evaluator<Position> for Quiescence {
    fn evaluate(&mut self, position: &Position, window: Window) -> Value {
        self.search(position, window, 0)
    }

    fn static_value(&mut self, position: &Position) -> Value {
        Value::centipawns(position.material())
    }

    fn grain(&self) -> i32 {
        PAWN
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn take_max_ply(&mut self) -> u32 {
        std::mem::take(&mut self.max_ply)
    }
}
