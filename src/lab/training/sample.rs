//! Positions to learn from, and what the network sees of them.
//!
//! A sample is 32 bytes, laid out as the `ChessBoard` of the crate `bulletformat`: the position from
//! the side to move's view, what a search thought of it, and how its game ended.

/// Bytes of a sample in a file.
pub const BYTES: usize = 32;
/// Most pieces of a position, hence most active inputs of a view.
pub const MOST_PIECES: usize = 32;

/// Bit of a piece's code that tells that it is the enemy's.
const ENEMY: u8 = 8;
/// Code of a king.
const KING: u8 = 5;

/// A position with a score and a result, all for the side to move ("us").
///
/// Squares are numbered a1 = 0, b1 = 1 to h8 = 63 on a board that is flipped vertically if Black is
/// to move. A piece's code is its role, from 0 for a pawn by knight, bishop, rook and queen to 5 for a
/// king, and 8 more for the enemy's. Each side has one king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Sample {
    occupied: u64,
    /// Codes of the pieces in the order of their squares, the first in the low half of the first byte.
    pieces: [u8; 16],
    score: i16,
    result: u8,
    king: u8,
    /// Square of the enemy's king as the enemy sees it, that is flipped vertically.
    enemy_king: u8,
    extra: [u8; 3],
}

impl Sample {
    /// A sample of the pieces given as squares and codes, in any order. `score` is in centipawns,
    /// `result` is 0 for a loss, 1 for a draw and 2 for a win. None if these are out of their ranges, if two
    /// pieces share a square, or if a side has not exactly one king.
    pub fn new(pieces: &[(u8, u8)], score: i16, result: u8) -> Option<Sample> {
        let mut board = [None; 64];
        for &(square, code) in pieces {
            let place = board.get_mut(usize::from(square))?;
            if code & !ENEMY > KING || place.replace(code).is_some() {
                return None;
            }
        }
        if pieces.len() > MOST_PIECES || result > 2 {
            return None;
        }
        let king = |wanted| {
            let mut found = (0..64).filter(|&square| board[usize::from(square)] == Some(wanted));
            found.next().filter(|_| found.next().is_none())
        };
        let mut sample = Sample {
            occupied: 0,
            pieces: [0; 16],
            score,
            result,
            king: king(KING)?,
            enemy_king: king(KING | ENEMY)? ^ 56,
            extra: [0; 3],
        };
        let codes = board
            .iter()
            .enumerate()
            .filter_map(|(square, code)| Some((square, (*code)?)));
        for (index, (square, code)) in codes.enumerate() {
            sample.occupied |= 1 << square;
            sample.pieces[index / 2] |= code << (4 * (index % 2));
        }
        Some(sample)
    }

    /// Reads a sample; none if it is no position of the kind that [`Sample::new`] takes.
    pub fn from_bytes(bytes: &[u8; BYTES]) -> Option<Sample> {
        let (occupied, rest) = bytes.split_first_chunk::<8>()?;
        let (codes, rest) = rest.split_first_chunk::<16>()?;
        let &[low, high, result, king, enemy_king, ..] = rest else {
            return None;
        };
        let mut occupied = u64::from_le_bytes(*occupied);
        let mut pieces = [(0, 0); 64];
        let count = occupied.count_ones() as usize;
        for (index, piece) in pieces.iter_mut().take(count).enumerate() {
            let code = codes.get(index / 2)? >> (4 * (index % 2)) & 15;
            *piece = (occupied.trailing_zeros() as u8, code);
            occupied &= occupied - 1;
        }
        let sample = Sample::new(&pieces[..count], i16::from_le_bytes([low, high]), result)?;
        (sample.king == king && sample.enemy_king == enemy_king).then_some(sample)
    }

    /// The sample as bytes, which [`Sample::from_bytes`] reads.
    pub fn to_bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        bytes[27] = self.king;
        bytes[28] = self.enemy_king;
        bytes[29..].copy_from_slice(&self.extra);
        bytes
    }

    /// What a search thought of the position, in centipawns for the side to move.
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

    /// The pieces as squares and codes, in the order of the squares.
    pub fn pieces(&self) -> impl Iterator<Item = (u8, u8)> {
        let mut occupied = self.occupied;
        let codes = self.pieces.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        codes.take(self.count()).map(move |code| {
            let square = occupied.trailing_zeros() as u8;
            occupied &= occupied.wrapping_sub(1);
            (square, code)
        })
    }

    /// Which of `buckets` output weights the position takes, by its number of pieces: 0 for the fewest.
    pub fn bucket(&self, buckets: usize) -> usize {
        self.count().saturating_sub(2) * buckets / 31
    }
}

/// The active inputs of a position, for both views.
///
/// A view numbers the pieces as (enemy * 6 + role) * 64 + square, where `enemy` is 0 for the viewer's
/// own pieces and 1 for the others. The viewer sees the board from its own side, and mirrored if its king
/// stands on one of the files e to h, so that its king is always on the files a to d.
#[derive(Clone, Debug)]
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

    /// What the side to move sees.
    pub fn us(&self) -> &[u16] {
        &self.us[..self.count]
    }

    /// What the other side sees.
    pub fn them(&self) -> &[u16] {
        &self.them[..self.count]
    }
}

/// A position with random pieces, a random score and a random result, for tests.
#[cfg(test)]
pub(super) fn random_sample(random: &mut crate::lab::training::random::Random) -> Sample {
    loop {
        let mut squares: Vec<u8> = (0..64).collect();
        random.shuffle(&mut squares);
        let count = 2 + random.below(31);
        let code = |random: &mut crate::lab::training::random::Random| {
            (random.below(5) + 8 * random.below(2)) as u8
        };
        let mut pieces = vec![(squares[0], KING), (squares[1], KING | ENEMY)];
        pieces.extend(
            squares[2..count]
                .iter()
                .map(|&square| (square, code(random))),
        );
        let score = random.below(2001) as i16 - 1000;
        if let Some(sample) = Sample::new(&pieces, score, random.below(3) as u8) {
            return sample;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::network::weights::INPUTS;
    use crate::lab::training::random::Random;

    /// White: king g1, queen d1, pawn e4; Black: king c8, rook h8, pawn e5; Black is to move, so
    /// that the board is flipped.
    fn example() -> Sample {
        let pieces = [(58, 5), (63, 3), (36, 0), (6, 13), (3, 12), (28, 8)];
        let flipped = pieces.map(|(square, code)| (square ^ 56, code));
        Sample::new(&flipped, -123, 1).unwrap()
    }

    #[test]
    fn bytes_are_those_of_the_known_layout() {
        // What bulletformat 1.8.0 makes of "2k4r/8/8/4p3/4P3/8/8/3Q2K1 b - - 0 1 | 123 | 0.5".
        let expected = [
            132, 0, 0, 16, 16, 0, 0, 72, 53, 128, 220, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 133,
            255, 1, 2, 6, 0, 0, 0,
        ];
        assert_eq!(example().to_bytes(), expected);
        assert_eq!(Sample::from_bytes(&expected), Some(example()));
    }

    #[test]
    fn what_is_written_is_read() {
        let mut random = Random::new(2);
        for _ in 0..500 {
            let sample = random_sample(&mut random);
            assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
            let pieces: Vec<_> = sample.pieces().collect();
            let again = Sample::new(&pieces, sample.score(), (2.0 * sample.points()) as u8);
            assert_eq!(again, Some(sample));
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let kings = [(4, 5), (60, 13)];
        assert!(Sample::new(&kings, 0, 2).is_some());
        assert!(Sample::new(&kings, 0, 3).is_none());
        assert!(Sample::new(&kings[..1], 0, 0).is_none());
        assert!(Sample::new(&[(4, 5), (64, 13)], 0, 0).is_none());
        for third in [(4, 0), (5, 5), (5, 13), (5, 6), (5, 15), (5, 16)] {
            assert!(Sample::new(&[kings[0], kings[1], third], 0, 0).is_none());
        }
        let bytes = example().to_bytes();
        for (place, wrong) in [(0, 255), (8, 255), (26, 3), (27, 0), (28, 1)] {
            let mut bytes = bytes;
            bytes[place] = wrong;
            assert!(Sample::from_bytes(&bytes).is_none(), "{place}");
        }
    }

    #[test]
    fn each_side_sees_the_board_from_its_own_side() {
        let features = Features::of(&example());
        // Black's king on c8 is seen on c1, the rook h8 on h1, the pawn e5 on e4; then White's.
        let us = [
            5 * 64 + 2,
            3 * 64 + 7,
            28,
            11 * 64 + 62,
            10 * 64 + 59,
            6 * 64 + 36,
        ];
        // White's king on g1 is seen on b1, the queen d1 on e1, the pawn e4 on d4; then Black's.
        let them = [
            5 * 64 + 1,
            4 * 64 + 4,
            27,
            11 * 64 + 61,
            9 * 64 + 56,
            6 * 64 + 35,
        ];
        let sorted = |features: &[u16]| {
            let mut features = features.to_vec();
            features.sort_unstable();
            features
        };
        assert_eq!(sorted(features.us()), sorted(&us));
        assert_eq!(sorted(features.them()), sorted(&them));
    }

    #[test]
    fn mirrored_boards_look_the_same() {
        let mut random = Random::new(4);
        for _ in 0..100 {
            let sample = random_sample(&mut random);
            let mirrored: Vec<_> = sample
                .pieces()
                .map(|(square, code)| (square ^ 7, code))
                .collect();
            let mirrored = Features::of(&Sample::new(&mirrored, 0, 0).unwrap());
            let swapped: Vec<_> = sample
                .pieces()
                .map(|(square, code)| (square ^ 56, code ^ 8))
                .collect();
            let swapped = Features::of(&Sample::new(&swapped, 0, 0).unwrap());
            let features = Features::of(&sample);
            let sorted = |features: &[u16]| {
                let mut features = features.to_vec();
                features.sort_unstable();
                features
            };
            assert_eq!(sorted(features.us()), sorted(mirrored.us()));
            assert_eq!(sorted(features.them()), sorted(mirrored.them()));
            assert_eq!(sorted(features.us()), sorted(swapped.them()));
            assert_eq!(sorted(features.them()), sorted(swapped.us()));
            assert!(
                features
                    .us()
                    .iter()
                    .all(|&input| usize::from(input) < INPUTS)
            );
        }
    }

    #[test]
    fn buckets_rise_with_the_number_of_pieces() {
        let bucket = |count: u8, buckets| {
            let mut pieces = vec![(0, 5), (1, 13)];
            pieces.extend((2..count).map(|square| (square, 0)));
            Sample::new(&pieces, 0, 0).unwrap().bucket(buckets)
        };
        for buckets in [1, 4, 8] {
            let all: Vec<_> = (2..=32).map(|count| bucket(count, buckets)).collect();
            assert_eq!((all[0], all[30]), (0, buckets - 1));
            assert!(all.is_sorted());
        }
    }
}
