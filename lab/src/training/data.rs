//! Extracts samples from recorded games.

use std::path::PathBuf;

use anyhow::Result;

use super::sample::Sample;
use super::scale::Miss;
use crate::selfplay::folder::{files_of, read_games};
use crate::selfplay::record::GameRecord;
use cassius::game::{Evaluator, Game};
use cassius::games::chess::packed::pieces_of_mover;
use cassius::games::chess::{Position, Quiescence};
use cassius::value::{Value, Window};

/// One game in this many is held back to measure the loss on new games.
const HELD_BACK: usize = 20;
/// First ply of a game to learn values from: earlier, the random moves have hardly been answered.
const FIRST_PLY: u32 = 16;
/// Absolute value from which the game counts as decided, in centipawns.
const DECIDED: i16 = 2_000;
/// Cap on the absolute values whose difference is an error, in centipawns.
const MOST_ERROR: i16 = 3_000;

/// Samples to learn from, and samples to measure with.
#[derive(Clone, Debug)]
pub struct Data<T> {
    /// Samples to learn from.
    pub learn: Vec<T>,
    /// Samples of other games.
    pub held_back: Vec<T>,
    /// Number of games read.
    pub games: usize,
    /// Number of their positions.
    pub positions: usize,
}

/// Reads the games in these files and folders.
fn read<T>(
    paths: &[PathBuf],
    mut of_game: impl FnMut(&GameRecord, &mut Vec<T>),
) -> Result<Data<T>> {
    let mut data = Data {
        learn: Vec::new(),
        held_back: Vec::new(),
        games: 0,
        positions: 0,
    };
    for file in files_of(paths)? {
        read_games(&file, |game| {
            data.games += 1;
            data.positions += game.moves.len();
            let samples = if data.games % HELD_BACK == 0 {
                &mut data.held_back
            } else {
                &mut data.learn
            };
            of_game(game, samples);
        })?;
    }
    Ok(data)
}

/// Samples for the value: undecided positions from ply `FIRST_PLY` on, out of check, in which the move played is quiet.
pub fn value_samples(paths: &[PathBuf]) -> Result<Data<Sample>> {
    read(paths, |game, samples| {
        let mut position = game.start.clone();
        for &(m, value) in &game.moves {
            let ply = 2 * (position.fullmoves() - 1) + u32::from(position.is_black_to_move());
            if ply >= FIRST_PLY
                && !position.in_check()
                && position.is_quiet(m)
                && value.get().abs() < DECIDED
            {
                samples.push(sample(&position, value, game.result.points()));
            }
            position.play(m);
        }
    })
}

/// Samples for the scale: the difference between the values of quiescence and of the search, at every position.
pub fn misses(paths: &[PathBuf], quiescence: &mut Quiescence) -> Result<Data<Miss>> {
    read(paths, |game, misses| {
        let mut position = game.start.clone();
        for &(m, value) in &game.moves {
            let within = |value: Value| value.get().clamp(-MOST_ERROR, MOST_ERROR);
            let still = quiescence.value(&position, Window::FULL);
            let error = f32::from(within(value)) - f32::from(within(still));
            let sample = sample(&position, still, game.result.points());
            misses.push((sample, error));
            position.play(m);
        }
    })
}

/// A sample of a position, a value for the side to move, and White's points in the game.
pub fn sample(position: &Position, value: Value, points: f64) -> Sample {
    let points = if position.is_black_to_move() {
        1.0 - points
    } else {
        points
    };
    let pieces = pieces_of_mover(position);
    Sample::new(&pieces, value.get(), (2.0 * points) as u8)
}
