//! Values of positions and windows over them.
//!
//! A [`Value`] is for the side to move (unless stated otherwise) at its position: *win in 3* means three plies from
//! there. Passing it to the parent therefore changes the sign and adds a ply, which is [`Value::from_child`].

mod mate;

use std::fmt;
use std::ops::Neg;

pub use self::mate::{Count, Mate};

/// A value for the side to move: centipawns, or a win or loss in a number of plies.
///
/// Layout: numbers from `LOSS` to below `-MAX_CENTIPAWNS` are losses, `-MAX_CENTIPAWNS ..= MAX_CENTIPAWNS` estimates,
/// those above up to `WIN` wins; the nearer the win, the larger the value. `±INFINITY` lie outside all values of
/// positions and are the ends of an open window.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(i16);

impl Value {
    /// A drawn or level position.
    pub const DRAW: Value = Value(0);
    /// Above every value a position can have.
    pub const INFINITY: Value = Value(32_001);
    /// Largest estimate, in centipawns.
    pub const MAX_CENTIPAWNS: i16 = 30_000;
    /// The side to move has won already.
    pub const WIN: Value = Value(32_000);
    /// The side to move has lost already: checkmate.
    pub const LOSS: Value = Value(-32_000);
    /// Greatest distance of a win that [`Value::win_in`] makes, in plies.
    pub const MAX_PLIES: u16 = 1_000;

    /// An estimate in centipawns, clamped to ± [`Value::MAX_CENTIPAWNS`].
    pub const fn centipawns(centipawns: i32) -> Value {
        let limit = Value::MAX_CENTIPAWNS as i32;
        if centipawns > limit {
            Value(Value::MAX_CENTIPAWNS)
        } else if centipawns < -limit {
            Value(-Value::MAX_CENTIPAWNS)
        } else {
            Value(centipawns as i16)
        }
    }

    /// A win for the side to move after `plies` more plies.
    pub const fn win_in(plies: u16) -> Value {
        let plies = if plies > Value::MAX_PLIES {
            Value::MAX_PLIES
        } else {
            plies
        };
        Value(Value::WIN.0 - plies as i16)
    }

    /// A loss for the side to move after `plies` more plies.
    pub const fn loss_in(plies: u16) -> Value {
        Value(-Value::win_in(plies).0)
    }

    /// The encoded number: centipawns, or a win or loss.
    pub const fn get(self) -> i16 {
        self.0
    }

    /// The inverse of [`Value::get`], for values that were stored as numbers.
    pub const fn from_raw(raw: i16) -> Value {
        Value(raw)
    }

    /// Whether the side to move is proven to win.
    pub const fn is_win(self) -> bool {
        self.0 > Value::MAX_CENTIPAWNS
    }

    /// Whether the side to move is proven to lose.
    pub const fn is_loss(self) -> bool {
        self.0 < -Value::MAX_CENTIPAWNS
    }

    /// Whether the game is decided: a proven win or loss.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Plies until the end of a decided game; `None` for estimates.
    pub const fn plies_to_end(self) -> Option<u16> {
        if self.is_decided() {
            Some((Value::WIN.0 - self.0.abs()) as u16)
        } else {
            None
        }
    }

    /// Whether a decided game ends no later than the rule draw, which is this many plies away. True for estimates.
    #[inline]
    pub fn ends_within(self, plies_to_rule_draw: usize) -> bool {
        let plies = self.plies_to_end();
        plies.is_none_or(|plies| usize::from(plies) <= plies_to_rule_draw)
    }

    /// Moves to mate, as in UCI: positive if the side to move mates, negative if it is mated, `None` for estimates.
    pub fn mate_in_moves(self) -> Option<i32> {
        let plies = i32::from(self.plies_to_end()?);
        Some(if self.is_win() {
            (plies + 1) / 2
        } else {
            -(plies / 2)
        })
    }

    /// A child's value for its parent: sign changed, a decided game one ply longer.
    pub const fn from_child(self) -> Value {
        let raw = -self.0;
        if raw > Value::MAX_CENTIPAWNS + 1 && raw <= Value::WIN.0 {
            Value(raw - 1)
        } else if raw < -Value::MAX_CENTIPAWNS - 1 && raw >= Value::LOSS.0 {
            Value(raw + 1)
        } else {
            Value(raw)
        }
    }

    /// The inverse of [`Value::from_child`], for passing bounds to a child.
    pub const fn to_child(self) -> Value {
        let raw = self.0;
        if raw > Value::MAX_CENTIPAWNS && raw < Value::WIN.0 {
            Value(-(raw + 1))
        } else if raw < -Value::MAX_CENTIPAWNS && raw > Value::LOSS.0 {
            Value(-(raw - 1))
        } else {
            Value(-raw)
        }
    }

    /// The next larger value.
    pub const fn next_up(self) -> Value {
        Value(if self.0 >= Value::INFINITY.0 {
            self.0
        } else {
            self.0 + 1
        })
    }

    /// The next smaller value.
    pub const fn next_down(self) -> Value {
        Value(if self.0 <= -Value::INFINITY.0 {
            self.0
        } else {
            self.0 - 1
        })
    }

    /// The next larger value of an evaluator with this grain (in centipawns, at least 1).
    pub fn next_up_by(self, grain: i32) -> Value {
        if self.is_decided() || self.0.abs() > Value::MAX_CENTIPAWNS {
            return self.next_up();
        }
        let next = (i32::from(self.0).div_euclid(grain) + 1) * grain;
        if next > i32::from(Value::MAX_CENTIPAWNS) {
            self.next_up()
        } else {
            Value(next as i16)
        }
    }

    /// The next smaller value of an evaluator with this grain.
    pub fn next_down_by(self, grain: i32) -> Value {
        -(-self).next_up_by(grain)
    }

    /// This value plus `centipawns`, clamped to estimates; decided values stay.
    pub const fn offset(self, centipawns: i32) -> Value {
        if self.is_decided() {
            self
        } else {
            Value::centipawns(self.0 as i32 + centipawns)
        }
    }
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Value {
    /// `+1.25`, `-0.50`, `#3` (mate in three moves), `#-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_in_moves() {
            Some(moves) if self.is_loss() => write!(f, "#-{}", -moves),
            Some(moves) => write!(f, "#{moves}"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

/// An open interval `(alpha, beta)` of values in which a search must be exact. Outside it results are only bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Results at or below this are upper bounds.
    pub alpha: Value,
    /// Results at or above this are lower bounds.
    pub beta: Value,
}

impl Window {
    /// The window that asks for the exact value.
    pub const FULL: Window = Window {
        alpha: Value(-Value::INFINITY.0),
        beta: Value::INFINITY,
    };

    /// The window `(alpha, beta)`.
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// The null window that asks whether the value is at least `value`.
    pub const fn at_least(value: Value) -> Window {
        Window {
            alpha: value.next_down(),
            beta: value,
        }
    }

    /// The window for a child: each end passed down by [`Value::to_child`], and the ends swapped.
    pub const fn to_child(self) -> Window {
        Window {
            alpha: self.beta.to_child(),
            beta: self.alpha.to_child(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decided_values_count_plies_from_their_own_position() {
        let mated = Value::LOSS;
        assert_eq!(mated.from_child(), Value::win_in(1));
        assert_eq!(mated.from_child().from_child(), Value::loss_in(2));
        assert_eq!(Value::win_in(3).mate_in_moves(), Some(2));
        assert_eq!(Value::loss_in(2).mate_in_moves(), Some(-1));
        assert_eq!(mated.mate_in_moves(), Some(0));
        assert_eq!(Value::centipawns(31).mate_in_moves(), None);
    }

    #[test]
    fn handing_down_undoes_handing_up() {
        for raw in -32_001..=32_001 {
            let value = Value(raw);
            // The farthest decided values saturate: no search reaches them.
            if value.is_decided() && raw.abs() <= Value::MAX_CENTIPAWNS + 1 {
                continue;
            }
            // A parent's "already won" comes from no child.
            if value.get().abs() != Value::WIN.get() {
                assert_eq!(value.to_child().from_child(), value, "{raw}");
            }
            assert_eq!(value.from_child().to_child(), value, "{raw}");
        }
    }

    #[test]
    fn steps_land_on_the_grain() {
        let step = |centipawns, grain| Value::centipawns(centipawns).next_up_by(grain).get();
        assert_eq!(step(0, 100), 100);
        assert_eq!(step(-100, 100), 0);
        assert_eq!(step(-101, 100), -100);
        assert_eq!(step(-1, 100), 0);
        assert_eq!(step(7, 1), 8);
        assert_eq!(Value::centipawns(100).next_down_by(100), Value::DRAW);
        assert_eq!(Value::win_in(5).next_up_by(100), Value::win_in(4));
    }

    #[test]
    fn values_print_as_people_write_them() {
        assert_eq!(Value::centipawns(125).to_string(), "+1.25");
        assert_eq!(Value::centipawns(-50).to_string(), "-0.50");
        assert_eq!(Value::win_in(5).to_string(), "#3");
        assert_eq!(Value::loss_in(4).to_string(), "#-2");
    }
}
