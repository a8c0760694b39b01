//! Mates as they are told. A proof of a mate bounds its moves from above: a shorter one may exist.

use std::fmt;

use super::Value;

/// A proven mate: its moves, and whether they are the fewest or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mate {
    /// Moves to the mate, negative if the side is mated that the value is for.
    pub moves: i32,
    /// Whether it may take fewer moves.
    pub is_at_most: bool,
}

impl Mate {
    /// The mate of a value; `None` if it is an estimate, or a win or loss of any length.
    pub fn of(value: Value, is_at_most: bool) -> Option<Mate> {
        let is_counted = value != Value::WIN && value != Value::LOSS;
        let moves = value.mate_in_moves().filter(|_| is_counted)?;
        Some(Mate { moves, is_at_most })
    }

    /// The mate, told for White, a ply earlier, before a move of this side: its own mate is a move farther.
    pub fn earlier(self, is_black: bool) -> Mate {
        let farther = if is_black { -1 } else { 1 };
        let is_own = self.moves.signum() == farther;
        Mate {
            moves: self.moves + if is_own { farther } else { 0 },
            ..self
        }
    }

    /// The inverse of [`Mate::earlier`]: the mate after the move of this side that leads to it.
    pub fn later(self, is_black: bool) -> Mate {
        let farther = if is_black { -1 } else { 1 };
        let is_own = self.moves.signum() == farther;
        Mate {
            moves: self.moves - if is_own { farther } else { 0 },
            ..self
        }
    }

    /// The number of moves, whoever is mated.
    pub fn count(self) -> Count {
        Count {
            moves: self.moves.unsigned_abs(),
            is_at_most: self.is_at_most,
        }
    }

    /// The mate in ASCII: `#3`, `#-5 or sooner`.
    pub fn ascii(self) -> String {
        let sooner = if self.is_at_most { " or sooner" } else { "" };
        format!("#{}{sooner}", self.moves)
    }
}

impl fmt::Display for Mate {
    /// For tables: `#3`, `#-3`; `#≤5`, `#-≤5` if it may take fewer moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.moves < 0 { "-" } else { "" };
        let at_most = if self.is_at_most { "≤" } else { "" };
        write!(f, "#{sign}{at_most}{}", self.moves.unsigned_abs())
    }
}

/// The number of moves of a mate, whoever is mated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// The moves.
    pub moves: u32,
    /// Whether it may take fewer.
    pub is_at_most: bool,
}

impl fmt::Display for Count {
    /// As in *mate in*: `3`, `at most 5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_most = if self.is_at_most { "at most " } else { "" };
        write!(f, "{at_most}{}", self.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_told_as_one() {
        let told = |value: Value, is_at_most: bool| {
            let mate = Mate::of(value, is_at_most)?;
            Some([mate.to_string(), mate.ascii(), mate.count().to_string()])
        };
        let some = |it: [&str; 3]| Some(it.map(str::to_owned));
        assert_eq!(told(Value::win_in(5), false), some(["#3", "#3", "3"]));
        assert_eq!(told(Value::loss_in(4), false), some(["#-2", "#-2", "2"]));
        let bound = some(["#≤5", "#5 or sooner", "at most 5"]);
        assert_eq!(told(Value::win_in(9), true), bound);
        let bound = some(["#-≤5", "#-5 or sooner", "at most 5"]);
        assert_eq!(told(Value::loss_in(10), true), bound);
        for uncounted in [Value::centipawns(31), Value::WIN, Value::LOSS] {
            assert_eq!(told(uncounted, false), None);
        }
    }
}
