//! Chances of a win, a draw and a loss, from a value (`UCI_ShowWDL`, reports).
//!
//! The odds of a win are log-linear, with a bend at 0: a side that is `v` centipawns ahead wins with probability
//! `1 / (1 + exp((A - v) / B))`, one that is `v` behind with `1 / (1 + exp(A / B + v / C))`; it loses with the other side's
//! probability, and otherwise draws. A, B and C were fitted to Cassius's own games (docs/evaluation.md).

mod fitted;

use self::fitted::{A, B, C};
use crate::value::Value;

/// Win, draw and loss for the side to move, in permille; they add up to 1000. A proven win or loss
/// is certain.
pub fn permille(value: Value) -> [u32; 3] {
    if value.is_win() {
        return [1_000, 0, 0];
    } else if value.is_loss() {
        return [0, 0, 1_000];
    }
    let win = |centipawns: f64| {
        let scale = if centipawns < 0.0 { C } else { B };
        (1_000.0 / (1.0 + (A / B - centipawns / scale).exp())).round() as u32
    };
    let centipawns = f64::from(value.get());
    let (win, loss) = (win(centipawns), win(-centipawns));
    [win, 1_000_u32.saturating_sub(win + loss), loss]
}

/// Expected points of the side to move: 1 for a win, 1/2 for a draw.
pub fn points(value: Value) -> f64 {
    let [win, draw, _] = permille(value);
    (f64::from(win) + f64::from(draw) / 2.0) / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror_each_other() {
        for centipawns in (-30_000..=30_000).step_by(7) {
            let value = Value::centipawns(centipawns);
            let [win, draw, loss] = permille(value);
            assert_eq!(win + draw + loss, 1_000, "{centipawns}");
            assert_eq!(permille(-value), [loss, draw, win]);
        }
    }

    #[test]
    fn chances_grow_with_the_value() {
        let win = |centipawns| permille(Value::centipawns(centipawns))[0];
        assert!(win(-100) < win(0) && win(0) < win(100) && win(100) < win(400));
        assert_eq!(win(A as i32), 500);
        assert_eq!(permille(Value::win_in(7)), [1_000, 0, 0]);
        assert_eq!(permille(Value::loss_in(2)), [0, 0, 1_000]);
        let [win, draw, loss] = permille(Value::DRAW);
        assert!(win == loss && draw > win);
    }

    #[test]
    fn a_draw_is_half_a_point() {
        assert_eq!(points(Value::DRAW), 0.5);
        assert_eq!(points(Value::win_in(3)), 1.0);
        assert_eq!(points(Value::loss_in(4)), 0.0);
        let (ahead, behind) = (Value::centipawns(80), Value::centipawns(-80));
        assert!((points(ahead) + points(behind) - 1.0).abs() < 1e-9);
    }
}
