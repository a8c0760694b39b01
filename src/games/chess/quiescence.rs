//! The quiescence evaluator.

use shakmaty::{Color, Position as _, Role};

use super::{Move, Position};
use crate::game::{Evaluator, Game};
use crate::value::{Value, Window};

/// Alpha-beta over captures and promotions; material values.
#[derive(Clone, Debug, Default)]
pub struct Quiescence {
    nodes: u64,
}

impl Quiescence {
    /// An evaluator on the tactical scale of the thesis: material alone.
    pub fn tactical() -> Quiescence {
        Quiescence::default()
    }
}

impl Evaluator<Position> for Quiescence {
    fn evaluate(&mut self, position: &Position, window: Window) -> Value {
        self.nodes += 1;
        let mut best = self.static_value(position);
        let mut alpha = window.alpha.max(best);
        if best >= window.beta {
            return best;
        }
        let captures = position
            .legal_moves()
            .into_iter()
            .filter(|m: &Move| !m.is_quiet());
        for m in captures {
            let value = self
                .evaluate(&position.after(m), Window::new(alpha, window.beta).to_son())
                .from_son();
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= window.beta {
                    break;
                }
            }
        }
        best
    }

    fn static_value(&mut self, position: &Position) -> Value {
        let chess = position.to_shakmaty();
        let material = |color: Color| {
            [
                (Role::Pawn, 100),
                (Role::Knight, 300),
                (Role::Bishop, 300),
                (Role::Rook, 500),
            ]
            .into_iter()
            .chain([(Role::Queen, 900)])
            .map(|(role, value)| (chess.board().by_piece(role.of(color)).count() as i32) * value)
            .sum::<i32>()
        };
        Value::centipawns(material(chess.turn()) - material(!chess.turn()))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
