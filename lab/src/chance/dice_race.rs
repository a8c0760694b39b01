//! A race with dice, a test bed for searches of games with chance.
//!
//! Each side has two pieces, which start before the first square of a track and are home on the twelfth or beyond.
//! The player first chooses the dice: one with six faces, or two with three faces each, which are added. Then he moves
//! one piece by the number shown. A piece that lands on a square with opposing pieces sends them back to the start; at
//! home none can be hit. The first player with both pieces home wins.
//!
//! So a turn has three nodes: the choice of dice, the throw (equal odds or 1 : 2 : 3 : 2 : 1), the choice of a piece.
//! Two dice advance farther on average, 4 squares against 3.5; only one die can hit a piece on the next square.

use crate::chance::game::{ChanceGame, Interval, Turn};
use cassius::game::{Moves, Side};

/// The square on which a piece is home; a larger throw takes it no farther.
const HOME: u8 = 12;
/// Squares that the two pieces of a side have to advance together.
const WHOLE_WAY: u8 = 2 * HOME;
/// The largest number of a throw.
const MOST: u8 = 6;

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DiceRace {
    /// Squares advanced by each piece of the side to move and of the other, at most [`HOME`].
    own: [u8; 2],
    other: [u8; 2],
    to_move: Side,
    step: Step,
}

/// The steps of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Step {
    Choose,
    Throw(Dice),
    Move(u8),
}

/// The dice of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dice {
    /// One die with six faces.
    One,
    /// Two dice with three faces each.
    Two,
}

/// A move or an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaceMove {
    /// Chooses dice.
    Take(Dice),
    /// The dice show this number.
    Show(u8),
    /// Advances the piece with this index, 0 or 1.
    Advance(u8),
}

impl DiceRace {
    /// The start of the game: all pieces before the first square.
    pub fn new() -> DiceRace {
        DiceRace::at([0, 0], [0, 0])
    }

    /// The beginning of a turn of [`Side::First`]; each side's two pieces have advanced these numbers of squares.
    pub fn at(first: [u8; 2], second: [u8; 2]) -> DiceRace {
        DiceRace {
            own: first.map(|square| square.min(HOME)),
            other: second.map(|square| square.min(HOME)),
            to_move: Side::First,
            step: Step::Choose,
        }
    }

    fn advance(&mut self, piece: u8, squares: u8) {
        let piece = usize::from(piece % 2);
        let square = (self.own[piece] + squares).min(HOME);
        self.own[piece] = square;
        for hit in &mut self.other {
            if *hit == square && square < HOME {
                *hit = 0;
            }
        }
        std::mem::swap(&mut self.own, &mut self.other);
        self.to_move = self.to_move.other();
        self.step = Step::Choose;
    }
}

impl Default for DiceRace {
    fn default() -> DiceRace {
        DiceRace::new()
    }
}

impl ChanceGame for DiceRace {
    type Move = RaceMove;

    fn turn(&self) -> Turn {
        match self.step {
            // Only the player who has just moved can have come home.
            Step::Choose if self.other == [HOME; 2] => Turn::Over,
            Step::Throw(_) => Turn::Chance,
            Step::Choose | Step::Move(_) => Turn::Player(self.to_move),
        }
    }

    fn legal_moves(&self) -> Moves<RaceMove> {
        let mut moves = Moves::new();
        match self.step {
            Step::Choose => moves.extend([Dice::One, Dice::Two].map(RaceMove::Take)),
            Step::Throw(_) => {}
            Step::Move(_) => {
                // Pieces on the same square are equivalent.
                let count = if self.own[0] == self.own[1] { 1 } else { 2 };
                let pieces = (0..count).filter(|&piece| self.own[usize::from(piece)] < HOME);
                moves.extend(pieces.map(RaceMove::Advance));
            }
        }
        moves
    }

    fn events(&self) -> Vec<(RaceMove, f64)> {
        let show = |(shown, odds): (u8, f64)| (RaceMove::Show(shown), odds);
        match self.step {
            Step::Throw(Dice::One) => (1..=MOST).map(|n| show((n, 1.0 / 6.0))).collect(),
            Step::Throw(Dice::Two) => {
                let ways = [1.0, 2.0, 3.0, 2.0, 1.0].map(|ways| ways / 9.0);
                (2..=MOST).zip(ways).map(show).collect()
            }
            Step::Choose | Step::Move(_) => Vec::new(),
        }
    }

    fn play(&mut self, m: RaceMove) {
        match (m, self.step) {
            (RaceMove::Take(dice), _) => self.step = Step::Throw(dice),
            (RaceMove::Show(shown), _) => self.step = Step::Move(shown),
            (RaceMove::Advance(piece), Step::Move(squares)) => self.advance(piece, squares),
            (RaceMove::Advance(_), _) => {}
        }
    }

    /// 1 for a win of [`Side::First`], -1 for its loss; else its lead as a fraction of the whole way.
    fn value(&self) -> f64 {
        let gone = |pieces: [u8; 2]| f64::from(pieces[0]) + f64::from(pieces[1]);
        let lead = match self.turn() {
            Turn::Over => -1.0,
            _ => (gone(self.own) - gone(self.other)) / f64::from(WHOLE_WAY),
        };
        match self.to_move {
            Side::First => lead,
            Side::Second => -lead,
        }
    }

    fn range(&self) -> Interval {
        match self.turn() {
            Turn::Over => Interval::new(self.value(), self.value()),
            _ => Interval::new(-1.0, 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::search::expectiminimax;

    fn after(position: DiceRace, moves: &[RaceMove]) -> DiceRace {
        moves.iter().fold(position, |it, &m| it.after(m))
    }

    const TWO: RaceMove = RaceMove::Take(Dice::Two);
    const ONE: RaceMove = RaceMove::Take(Dice::One);

    #[test]
    fn odds_add_up_to_one() {
        for dice in [ONE, TWO] {
            let events = DiceRace::new().after(dice).events();
            let sum: f64 = events.iter().map(|(_, odds)| odds).sum();
            assert!((sum - 1.0).abs() < 1e-12);
            assert_eq!(DiceRace::new().after(dice).turn(), Turn::Chance);
        }
        assert_eq!(DiceRace::new().after(ONE).events().len(), 6);
        assert_eq!(
            DiceRace::new().after(TWO).events()[2],
            (RaceMove::Show(4), 3.0 / 9.0)
        );
    }

    #[test]
    fn a_piece_that_is_hit_begins_again() {
        let moves = [ONE, RaceMove::Show(3), RaceMove::Advance(0)];
        let hit = after(DiceRace::at([2, 9], [5, 5]), &moves);
        assert_eq!((hit.own, hit.other), ([0, 0], [5, 9]));
        assert_eq!(hit.turn(), Turn::Player(Side::Second));
        // Pieces that are home cannot be hit.
        let home = after(DiceRace::at([9, 0], [HOME, 4]), &moves);
        assert_eq!(home.own, [HOME, 4]);
    }

    #[test]
    fn pieces_that_are_home_or_alike_leave_less_choice() {
        let choices = |first| {
            let position = after(DiceRace::at(first, [0, 0]), &[ONE, RaceMove::Show(1)]);
            position.legal_moves().to_vec()
        };
        assert_eq!(choices([3, 4]).len(), 2);
        assert_eq!(choices([3, 3]), [RaceMove::Advance(0)]);
        assert_eq!(choices([HOME, 3]), [RaceMove::Advance(1)]);
    }

    #[test]
    fn the_chance_to_win_at_once_is_what_the_dice_say() {
        // Four squares to go: 4, 5 and 6 suffice, three of the six throws of one die, six of the nine of two dice.
        let position = DiceRace::at([HOME, HOME - 4], [0, 0]);
        let short = |gone: u8| f64::from(gone + 20) / 24.0;
        let one = 3.0 / 6.0 + (short(1) + short(2) + short(3)) / 6.0;
        let two = 6.0 / 9.0 + short(2) / 9.0 + 2.0 * short(3) / 9.0;
        let verdict = expectiminimax(&position, 3);
        assert!((verdict.value - two).abs() < 1e-12 && two > one);
        assert_eq!(verdict.best, Some(TWO));
        // One square to go: any throw wins.
        let certain = expectiminimax(&DiceRace::at([HOME, HOME - 1], [0, 0]), 3);
        assert_eq!((certain.value * 1e12).round(), 1e12);
    }
}
