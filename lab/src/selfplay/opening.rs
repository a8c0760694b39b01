//! Random openings: random moves from the initial position or from one of Chess960.

use cassius::game::{Game, Root, is_repetition};
use cassius::games::chess::Position;
use cassius::games::chess::notation::parse_chess960_fen;
use cassius::random::{Random, mix};

/// Fewest random plies of an opening.
const LEAST_PLIES: usize = 6;
/// Number of possible lengths; even, so that White and Black begin about equally often.
const MORE_PLIES: usize = 4;
/// One game in this many begins with an array of Chess960.
const CHESS960_EVERY: usize = 10;

/// The random numbers of one game of a run.
pub(crate) fn of_game(seed: u64, number: u64) -> Random {
    Random::new(mix(seed ^ mix(number)))
}

/// A position after random moves, with the game not over.
pub(crate) fn random_opening(random: &mut Random) -> Root<Position> {
    loop {
        let start = match random.below(CHESS960_EVERY) {
            0 => chess960(random),
            _ => Position::initial(),
        };
        let mut root = Root::new(start);
        for _ in 0..LEAST_PLIES + random.below(MORE_PLIES) {
            if root.position.outcome().is_some() {
                break;
            }
            root.play(random.one_of(&root.position.legal_moves()));
        }
        if root.position.outcome().is_none() && !has_been(&root) {
            return root;
        }
    }
}

/// Whether the position occurred before: the first repetition ends a game.
pub(super) fn has_been(root: &Root<Position>) -> bool {
    let position = &root.position;
    is_repetition(&root.history, position.key(), position.reversible_plies())
}

/// An initial position of Chess960: bishops on squares of both colours, the king between the rooks.
fn chess960(random: &mut Random) -> Position {
    let mut files = [' '; 8];
    files[2 * random.below(4)] = 'b';
    files[2 * random.below(4) + 1] = 'b';
    let free =
        |files: &[char; 8]| -> Vec<usize> { (0..8).filter(|&it| files[it] == ' ').collect() };
    for piece in ['q', 'n', 'n'] {
        files[random.one_of(&free(&files))] = piece;
    }
    for (file, piece) in free(&files).into_iter().zip(['r', 'k', 'r']) {
        files[file] = piece;
    }
    let black: String = files.iter().collect();
    let white = black.to_uppercase();
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    parse_chess960_fen(&fen).unwrap_or_else(|error| unreachable!("an initial position: {error}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use cassius::games::chess::notation::to_fen;

    #[test]
    fn all_arrays_of_chess960_come_up() {
        let mut random = of_game(1, 1);
        let arrays: BTreeSet<String> = (0..20_000)
            .map(|_| to_fen(&chess960(&mut random))[..8].to_owned())
            .collect();
        assert_eq!(arrays.len(), 960);
    }

    #[test]
    fn both_sides_begin() {
        let openings = (0..200).map(|number| random_opening(&mut of_game(5, number)));
        let black = openings.filter(|it| it.position.is_black_to_move()).count();
        assert!((60..140).contains(&black), "{black}");
    }
}
