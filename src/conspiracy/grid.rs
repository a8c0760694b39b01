//! The values for which there are conspiracy numbers.

use crate::value::Value;

/// Evenly spaced values around a centre: the targets of a search, with indices from 0 (the worst for the root's side).
///
/// Every [`Value`] has an index, and larger values never have a smaller one, so minimax may run on full values while
/// counts use the grid. Usually the two ends are reserved for proven losses and wins (thesis, section 3.1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    centre: i32,
    step: i32,
    half_width: u8,
    /// Largest distance of an estimate's index from the centre.
    reach: u8,
}

impl Grid {
    /// Most values a grid can have.
    pub const MAX_LEN: u8 = 253;
    /// Material at the outermost estimates of a tactical grid, in centipawns.
    const MATERIAL: i32 = 1_400;

    /// `len` values `step` centipawns apart around `centre` centipawns, the ends reserved for decided games. `len` is
    /// clamped to 3 to [`Grid::MAX_LEN`] and rounded down to an odd number; `step` is raised to at least 1.
    pub fn new(len: u8, step: i32, centre: i32) -> Grid {
        let half_width = (len.clamp(3, Grid::MAX_LEN) - 1) / 2;
        Grid {
            centre,
            step: step.max(1),
            half_width,
            reach: half_width - 1,
        }
    }

    /// The thesis's scale for tactics (section 5.2.1): 31 values, a pawn apart, from -14 to 14
    /// pawns, and ±15 for games won and lost.
    pub fn tactical() -> Grid {
        Grid::material(31)
    }

    /// A grid of `len` values over the range of [`Grid::tactical`] (thesis, figure 5.7); 31 values are a pawn apart.
    pub fn material(len: u8) -> Grid {
        let grid = Grid::new(len, 1, 0);
        let reach = i32::from(grid.reach).max(1);
        Grid {
            step: (Grid::MATERIAL + reach / 2) / reach,
            ..grid
        }
    }

    /// All integers from `-limit` to `limit` as centipawns; the ends are ordinary values.
    pub fn integers(limit: u8) -> Grid {
        let half_width = limit.min((Grid::MAX_LEN - 1) / 2);
        Grid {
            centre: 0,
            step: 1,
            half_width,
            reach: half_width,
        }
    }

    /// This grid around another centre, in centipawns.
    #[must_use]
    pub fn centred(self, centre: i32) -> Grid {
        Grid { centre, ..self }
    }

    /// Number of values, which is odd.
    pub const fn len(&self) -> u8 {
        2 * self.half_width + 1
    }

    /// Always false: a grid has at least one value.
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Distance between neighbours in centipawns.
    pub const fn step(&self) -> i32 {
        self.step
    }

    /// The index of the value nearest to `value`; of two equally near, the one farther from the centre.
    pub fn index(&self, value: Value) -> u8 {
        if value.is_win() {
            return 2 * self.half_width;
        }
        if value.is_loss() {
            return 0;
        }
        let distance = i32::from(value.get()) - self.centre;
        let steps = (distance.abs() + self.step / 2) / self.step * distance.signum();
        let reach = i32::from(self.reach);
        (i32::from(self.half_width) + steps.clamp(-reach, reach)) as u8
    }

    /// The value of an index: the middle of its step, or a decided game at reserved ends.
    pub fn value(&self, index: u8) -> Value {
        let steps = i32::from(index) - i32::from(self.half_width);
        if steps > i32::from(self.reach) {
            Value::WIN
        } else if steps < -i32::from(self.reach) {
            Value::LOSS
        } else {
            Value::centipawns(self.centre + steps * self.step)
        }
    }

    /// The smallest value with that index.
    pub fn lowest(&self, index: u8) -> Value {
        let steps = i32::from(index) - i32::from(self.half_width);
        let reach = i32::from(self.reach);
        let centipawns = if index == 0 {
            return -Value::INFINITY;
        } else if steps > reach {
            return Value::centipawns(i32::from(Value::MAX_CENTIPAWNS)).next_up();
        } else if steps == -reach {
            -i32::from(Value::MAX_CENTIPAWNS)
        } else if steps > 0 {
            self.centre + steps * self.step - self.step / 2
        } else {
            self.centre + (steps - 1) * self.step + self.step / 2 + 1
        };
        Value::centipawns(centipawns)
    }

    /// The largest value with that index.
    pub fn highest(&self, index: u8) -> Value {
        if index >= 2 * self.half_width {
            Value::INFINITY
        } else {
            self.lowest(index + 1).next_down()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grids() -> [Grid; 6] {
        [
            Grid::tactical(),
            Grid::material(5),
            Grid::material(29).centred(37),
            Grid::new(3, 7, 0),
            Grid::integers(20),
            Grid::new(253, 25, -300),
        ]
    }

    #[test]
    fn every_value_has_a_place_and_edges_are_sharp() {
        for grid in grids() {
            let mut last = 0;
            for raw in Value::LOSS.get()..=Value::WIN.get() {
                let value = Value::from_raw(raw);
                let index = grid.index(value);
                assert!(index >= last && index < grid.len(), "{grid:?} at {raw}");
                assert!(grid.lowest(index) <= value && value <= grid.highest(index));
                if index > last {
                    assert_eq!(grid.lowest(index), value, "{grid:?}");
                    assert_eq!(grid.highest(last).next_up(), value, "{grid:?}");
                }
                last = index;
            }
            assert_eq!(last, grid.len() - 1);
        }
    }

    #[test]
    fn values_stand_for_their_own_index() {
        for grid in grids() {
            for index in 0..grid.len() {
                assert_eq!(grid.index(grid.value(index)), index, "{grid:?}");
            }
        }
    }

    #[test]
    fn the_tactical_grid_is_the_thesis_s() {
        let grid = Grid::tactical();
        assert_eq!((grid.len(), grid.step()), (31, 100));
        assert_eq!(grid.index(Value::DRAW), 15);
        assert_eq!(grid.index(Value::centipawns(100)), 16);
        assert_eq!(grid.index(Value::centipawns(-149)), 14);
        assert_eq!(grid.index(Value::centipawns(-150)), 13);
        assert_eq!(grid.index(Value::centipawns(5_000)), 29);
        assert_eq!(grid.index(Value::win_in(9)), 30);
        assert_eq!(grid.index(Value::loss_in(900)), 0);
    }
}
