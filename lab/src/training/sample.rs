//! Positions to learn from, and their inputs to the network.
//!
//! A sample takes 32 bytes, since there are millions: the position from the side to move's point of view, a search's
//! score, and the game's result.

use cassius::games::chess::network::weights::bucket;

/// Most pieces of a position, hence most active inputs of each view.
pub const MOST_PIECES: usize = 32;

/// Bit of an enemy piece in its code.
const ENEMY: u8 = 8;
/// Code of a king, and of the enemy's.
const KING: u8 = 5;
const ENEMY_KING: u8 = KING | ENEMY;

/// A position with a score and a result, all for the side to move ("us").
///
/// Squares are numbered a1 = 0, b1 = 1 to h8 = 63 on a board that is flipped vertically if Black is
/// to move. A piece's code is its role, from 0 for a pawn by knight, bishop, rook and queen to 5 for a
/// king, and 8 more for the enemy's. Each side has one king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: u64,
    /// Codes of the pieces in the order of their squares, the first in the low half of the first byte.
    pieces: [u8; 16],
    score: i16,
    result: u8,
    king: u8,
    /// Square of the enemy's king from the enemy's side, flipped vertically.
    enemy_king: u8,
}

impl Sample {
    /// A sample of the pieces given as squares and codes, in any order; each side has one king. `score` is in
    /// centipawns, `result` is 0 for a loss, 1 for a draw and 2 for a win.
    pub fn new(pieces: &[(u8, u8)], score: i16, result: u8) -> Sample {
        let mut sorted = pieces.to_vec();
        sorted.sort_unstable();
        let mut sample = Sample {
            occupied: 0,
            pieces: [0; 16],
            score,
            result,
            king: 0,
            enemy_king: 0,
        };
        for (index, (square, code)) in sorted.into_iter().enumerate() {
            sample.occupied |= 1 << square;
            sample.pieces[index / 2] |= code << (4 * (index % 2));
            match code {
                KING => sample.king = square,
                ENEMY_KING => sample.enemy_king = square ^ 56,
                _ => {}
            }
        }
        sample
    }

    /// A search's score of the position, in centipawns for the side to move.
    pub fn score(&self) -> i16 {
        self.score
    }

    /// Points of the side to move in the game: 0, 0.5 or 1.
    pub fn points(&self) -> f32 {
        f32::from(self.result) / 2.0
    }

    /// Number of pieces, 2 to 32.
    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// The pieces as squares and codes, by rising square.
    pub fn pieces(&self) -> impl Iterator<Item = (u8, u8)> {
        let mut occupied = self.occupied;
        let codes = self.pieces.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        codes.take(self.count()).map(move |code| {
            let square = occupied.trailing_zeros() as u8;
            occupied &= occupied.wrapping_sub(1);
            (square, code)
        })
    }

    /// Bucket of the position, of `buckets`, by its number of pieces: 0 for the fewest.
    pub fn bucket(&self, buckets: usize) -> usize {
        bucket(self.count(), buckets)
    }
}

/// The active inputs of a position, for both sides' views.
///
/// The input of a piece is (enemy * 6 + role) * 64 + square, where `enemy` is 0 for the viewer's own pieces and 1 for
/// the others. Squares are seen from the viewer's side, and mirrored if its king stands on one of the files e to h, so
/// that its king is always on the files a to d.
#[derive(Clone, Debug, Default)]
pub struct Features {
    count: usize,
    us: [u16; MOST_PIECES],
    them: [u16; MOST_PIECES],
}

impl Features {
    /// The active inputs of a sample.
    pub fn of(sample: &Sample) -> Features {
        let mirror = |king: u8| if king % 8 >= 4 { 7 } else { 0 };
        let (ours, theirs) = (mirror(sample.king), mirror(sample.enemy_king) ^ 56);
        let mut features = Features {
            count: sample.count(),
            us: [0; MOST_PIECES],
            them: [0; MOST_PIECES],
        };
        let places = features.us.iter_mut().zip(&mut features.them);
        for ((us, them), (square, code)) in places.zip(sample.pieces()) {
            let (role, enemy) = (u16::from(code & 7), u16::from(code & ENEMY != 0));
            *us = (enemy * 6 + role) * 64 + u16::from(square ^ ours);
            *them = ((1 - enemy) * 6 + role) * 64 + u16::from(square ^ theirs);
        }
        features
    }

    /// The side to move's inputs.
    pub fn us(&self) -> &[u16] {
        &self.us[..self.count]
    }

    /// The opponent's inputs.
    pub fn them(&self) -> &[u16] {
        &self.them[..self.count]
    }
}

/// A position with random pieces, a random score and a random result, for tests.
#[cfg(test)]
pub(super) fn random_sample(random: &mut cassius::random::Random) -> Sample {
    let mut squares: Vec<u8> = (0..64).collect();
    random.shuffle(&mut squares);
    let mut pieces = vec![(squares[0], KING), (squares[1], ENEMY_KING)];
    let others = &squares[2..2 + random.below(31)];
    let code = |&square: &u8| (square, (random.below(5) + 8 * random.below(2)) as u8);
    pieces.extend(others.iter().map(code));
    let score = random.below(2001) as i16 - 1000;
    Sample::new(&pieces, score, random.below(3) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::games::chess::network::weights::INPUTS;
    use cassius::random::Random;

    /// White: king g1, queen d1, pawn e4; Black: king c8, rook h8, pawn e5; Black is to move: the board is flipped.
    fn example() -> Sample {
        let pieces = [(58, 5), (63, 3), (36, 0), (6, 13), (3, 12), (28, 8)];
        let flipped = pieces.map(|(square, code)| (square ^ 56, code));
        Sample::new(&flipped, -123, 1)
    }

    fn sorted(features: &[u16]) -> Vec<u16> {
        let mut features = features.to_vec();
        features.sort_unstable();
        features
    }

    #[test]
    fn the_pieces_make_the_same_sample_again() {
        assert_eq!(size_of::<Sample>(), 32);
        let mut random = Random::new(2);
        for _ in 0..500 {
            let sample = random_sample(&mut random);
            let pieces: Vec<_> = sample.pieces().collect();
            let again = Sample::new(&pieces, sample.score(), (2.0 * sample.points()) as u8);
            assert_eq!(again, sample);
        }
    }

    #[test]
    fn each_side_sees_the_board_from_its_own_side() {
        let features = Features::of(&example());
        let inputs = |pieces: [(u16, u16); 6]| pieces.map(|(piece, square)| 64 * piece + square);
        // Black's king c8 is input as c1, the rook h8 as h1, the pawn e5 as e4; then White's pieces.
        let us = inputs([(5, 2), (3, 7), (0, 28), (11, 62), (10, 59), (6, 36)]);
        // White's king g1 is input as b1, the queen d1 as e1, the pawn e4 as d4; then Black's pieces.
        let them = inputs([(5, 1), (4, 4), (0, 27), (11, 61), (9, 56), (6, 35)]);
        assert_eq!(sorted(features.us()), sorted(&us));
        assert_eq!(sorted(features.them()), sorted(&them));
    }

    #[test]
    fn mirrored_boards_look_the_same() {
        let mut random = Random::new(4);
        for _ in 0..100 {
            let sample = random_sample(&mut random);
            let changed = |square_by: u8, code_by: u8| {
                let pieces = sample
                    .pieces()
                    .map(|(square, code)| (square ^ square_by, code ^ code_by));
                Features::of(&Sample::new(&pieces.collect::<Vec<_>>(), 0, 0))
            };
            let (mirrored, swapped) = (changed(7, 0), changed(56, 8));
            let features = Features::of(&sample);
            assert_eq!(sorted(features.us()), sorted(mirrored.us()));
            assert_eq!(sorted(features.them()), sorted(mirrored.them()));
            assert_eq!(sorted(features.us()), sorted(swapped.them()));
            assert_eq!(sorted(features.them()), sorted(swapped.us()));
            let mut inputs = features.us().iter();
            assert!(inputs.all(|&input| usize::from(input) < INPUTS));
        }
    }
}
