//! Extracts samples from recorded games.

use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::sample::Sample;
use super::scale::Miss;
use crate::selfplay::folder::{files_of, read_games};
use crate::selfplay::record::GameRecord;
use cassius::game::{Evaluator, Game};
use cassius::games::chess::packed::pieces_of_mover;
use cassius::games::chess::{Move, Position, Quiescence};
use cassius::value::{Value, Window};

/// One game in this many is held back to measure the loss on new games.
const HELD_BACK: usize = 20;
/// First ply of a game to learn values from: earlier, the random moves have hardly been answered.
const FIRST_PLY: u32 = 16;
/// Plies of its own game whose values a position's return looks ahead to.
const AHEAD: usize = 8;
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
            data.games += usize::from(!game.is_same_game);
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

/// λ-returns: the label of a position is the mean of the values of the next plies of its own game, each with λ times the
/// weight of the one before, as far as no random move was played. A search that overvalues the side to move would make
/// them swing from ply to ply, so that is taken out first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Returns {
    /// Weight of what follows against a position's own value, 0 to 1; with 0 only its own value counts.
    pub lambda: f64,
    /// Centipawns by which values are too high for the side to move.
    pub swing: f64,
}

impl Returns {
    /// Returns over these games: half the mean of the sums of neighbouring values is what the search overvalues.
    ///
    /// # Errors
    /// If the games do not tell which moves were random.
    pub fn over(paths: &[PathBuf], lambda: f64) -> Result<Returns> {
        let (mut sum, mut count, mut is_marked) = (0.0, 0.0, false);
        for file in files_of(paths)? {
            read_games(&file, |game| {
                is_marked |= !game.after_random.is_empty();
                for (index, pair) in (1..).zip(game.moves.windows(2)) {
                    let [one, other] = [pair[0].1.get(), pair[1].1.get()];
                    let is_open = one.abs().max(other.abs()) < DECIDED;
                    if is_open && game.after_random.binary_search(&index).is_err() {
                        sum += (f64::from(one) + f64::from(other)) / 2.0;
                        count += 1.0;
                    }
                }
            })?;
        }
        ensure!(is_marked, "these games do not tell which moves were random");
        let swing = if count > 0.0 { sum / count } else { 0.0 };
        Ok(Returns { lambda, swing })
    }

    /// The label of each position of a game, for its side to move.
    fn labels(&self, game: &GameRecord) -> Vec<Value> {
        let decided = f64::from(DECIDED);
        let value = |index: usize| {
            let value = f64::from(game.moves[index].1.get());
            value.clamp(-decided, decided) - self.swing
        };
        let label = |index: usize| {
            let random = game.after_random.iter().find(|&&it| it > index);
            let end = random.copied().unwrap_or(game.moves.len());
            let last = (index + AHEAD).min(end - 1);
            // The next ply's return is for the opponent.
            let next =
                |following: f64, ply| (1.0 - self.lambda) * value(ply) - self.lambda * following;
            let label = (index..last).rev().fold(value(last), next);
            Value::centipawns(label.round() as i32)
        };
        (0..game.moves.len()).map(label).collect()
    }
}

/// Whether a network learns values from this position with a search's move and value: an undecided one from ply
/// `FIRST_PLY` on, out of check, in which the move is quiet.
pub(crate) fn is_learnt_from(position: &Position, m: Move, value: Value) -> bool {
    let ply = 2 * (position.fullmoves() - 1) + u32::from(position.is_black_to_move());
    ply >= FIRST_PLY && !position.in_check() && position.is_quiet(m) && value.get().abs() < DECIDED
}

/// Samples for the value: positions that `is_learnt_from` lets through. Labels are the values that the search gave, or
/// returns.
pub fn value_samples(paths: &[PathBuf], returns: Option<&Returns>) -> Result<Data<Sample>> {
    read(paths, |game, samples| {
        let labels = returns.map(|it| it.labels(game));
        let mut position = game.start.clone();
        for (index, &(m, value)) in game.moves.iter().enumerate() {
            if is_learnt_from(&position, m, value) {
                let label = labels.as_ref().map_or(value, |it| it[index]);
                samples.push(sample(&position, label, game.result.points()));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::record::GameResult;

    /// A game of shuffling knights with these values for the side to move; before the moves `after_random` a random one.
    fn game(values: &[i16], after_random: &[usize]) -> GameRecord {
        let start = Position::initial();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for &value in values {
            let m = position.legal_moves()[0];
            moves.push((m, Value::from_raw(value)));
            position.play(m);
        }
        GameRecord {
            start,
            result: GameResult::Draw,
            moves,
            after_random: after_random.to_vec(),
            is_same_game: false,
        }
    }

    fn labels(lambda: f64, swing: f64, game: &GameRecord) -> Vec<i16> {
        let labels = Returns { lambda, swing }.labels(game).into_iter();
        labels.map(Value::get).collect()
    }

    #[test]
    fn returns_mean_the_values_of_the_next_plies() {
        let game = game(&[100, -60, 20], &[]);
        // 100 / 2 + (60 / 2 + 20 / 2) / 2, for the side to move; the last position has its own value alone.
        assert_eq!(labels(0.5, 0.0, &game), [70, -40, 20]);
        assert_eq!(labels(1.0, 0.0, &game), [20, -20, 20]);
        assert_eq!(labels(0.0, 0.0, &game), [100, -60, 20]);
    }

    #[test]
    fn returns_end_before_a_random_move_counts() {
        let game = game(&[100, -60, 400, -500], &[2]);
        assert_eq!(labels(0.5, 0.0, &game), [80, -60, 450, -500]);
    }

    #[test]
    fn the_swing_is_taken_out() {
        // White is 30 ahead, and both sides think 20 too well of themselves.
        let game = game(&[50, -10, 50, -10], &[]);
        assert_eq!(labels(0.7, 20.0, &game), [30, -30, 30, -30]);
    }

    #[test]
    fn returns_look_eight_plies_ahead_and_at_no_more_than_a_decided_value() {
        let mut values = [0; 10];
        values[8] = 31_990;
        values[9] = -100;
        let labels = labels(1.0, 0.0, &game(&values, &[]));
        assert_eq!(labels[..2], [2_000, -100]);
    }

    #[test]
    fn the_swing_is_measured_and_games_without_marks_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let over = |game: &GameRecord| {
            let path = folder.path().join("games.viri");
            let mut bytes = Vec::new();
            game.write(&mut bytes).unwrap();
            std::fs::write(&path, bytes).unwrap();
            Returns::over(&[path], 0.8)
        };
        let values = [50, -10, 50, 500, -460, 2_500];
        let error = over(&game(&values, &[])).unwrap_err().to_string();
        assert_eq!(error, "these games do not tell which moves were random");
        let returns = over(&game(&values, &[3])).unwrap();
        assert_eq!((returns.lambda, returns.swing), (0.8, 20.0));
    }
}
