//! Games of a search against itself, from random openings.

use crate::engine::fault::{Fault, Guarded};
use crate::engine::settings::ChessSearcher;
use crate::game::{Game, Root, is_repetition};
use crate::games::chess::{Move, Position, Quiescence};
use crate::games::random_tree::mix;
use crate::lab::tuning::record::{GameRecord, GameResult};
use crate::search::alpha_beta::{AlphaBeta, Settings};
use crate::search::{Limits, Report, Unobserved};
use crate::value::Value;

/// Random moves before the game proper.
const OPENING_PLIES: usize = 8;
/// An opening is played if neither side is better by more, in centipawns.
const FAIR: i16 = 150;
/// A game is won once both sides have seen so many centipawns ...
const WON: i16 = 1_000;
/// ... for so many plies,
const WON_PLIES: usize = 6;
/// and drawn once they have seen at most so many ...
const LEVEL: i16 = 6;
/// ... for so many plies ...
const LEVEL_PLIES: usize = 12;
/// ... after so many.
const LEVEL_FROM: usize = 80;
/// No game is longer.
const LONGEST: usize = 400;
/// Memory for the search, in MiB: enough for some thousand positions a move.
const HASH_MEGABYTES: usize = 2;

/// What plays: alpha-beta on the positional evaluation.
fn searcher() -> ChessSearcher {
    let settings = Settings {
        hash_megabytes: HASH_MEGABYTES,
        ..Settings::full()
    };
    Box::new(AlphaBeta::new(settings, Quiescence::positional()))
}

/// Plays games one after the other. Each is the same whichever others are played.
pub struct Selfplay {
    seed: u64,
    nodes: u64,
    search: Guarded<ChessSearcher>,
}

impl Selfplay {
    /// Games of alpha-beta on the positional evaluation, with so many nodes a move.
    pub fn new(seed: u64, nodes: u64) -> Selfplay {
        Selfplay {
            seed,
            nodes,
            search: Guarded::new("alpha-beta", searcher),
        }
    }

    /// Plays the game with that number; a fault of the search ends it, and no other.
    pub fn play(&mut self, number: u64) -> Result<GameRecord, Fault> {
        self.search.get().clear();
        let (mut root, mut moves) = self.opening(number)?;
        let mut values = Vec::new();
        let result = loop {
            if let Some(result) = over(&root, &values) {
                break result;
            }
            let report = self.think(&root)?;
            let Some(m) = report.best_move() else {
                break GameResult::Draw;
            };
            moves.push((m, Some(report.value)));
            values.push(of_white(&root.position, report.value));
            root.play(m);
        };
        Ok(GameRecord { result, moves })
    }

    fn think(&mut self, root: &Root<Position>) -> Result<Report<Move>, Fault> {
        let limits = Limits::nodes(self.nodes);
        self.search.search(&root.position, |it| {
            it.search(root, &limits, &mut Unobserved)
        })
    }

    /// Random moves to a position that is fair.
    fn opening(&mut self, number: u64) -> Result<(Root<Position>, Moves), Fault> {
        let mut random = mix(self.seed ^ mix(number));
        loop {
            let mut root = Root::new(Position::initial());
            let mut moves = Moves::new();
            while moves.len() < OPENING_PLIES && root.position.outcome().is_none() {
                random = mix(random);
                let legal = root.position.legal_moves();
                let m = legal[(random % legal.len() as u64) as usize];
                root.play(m);
                moves.push((m, None));
            }
            if root.position.outcome().is_none() && self.think(&root)?.value.get().abs() <= FAIR {
                return Ok((root, moves));
            }
        }
    }
}

type Moves = Vec<(Move, Option<Value>)>;

fn of_white(position: &Position, value: Value) -> i16 {
    match position.side_to_move() {
        crate::game::Side::First => value.get(),
        crate::game::Side::Second => -value.get(),
    }
}

/// The result, if there is one: by the rules, or because the values so far leave no doubt.
fn over(root: &Root<Position>, values: &[i16]) -> Option<GameResult> {
    let position = &root.position;
    if let Some(value) = position.outcome() {
        return Some(match of_white(position, value) {
            0 => GameResult::Draw,
            white if white > 0 => GameResult::White,
            _ => GameResult::Black,
        });
    }
    // The first repetition will do: nobody had anything better.
    if is_repetition(&root.history, position.key(), position.reversible_plies())
        || values.len() >= LONGEST
    {
        return Some(GameResult::Draw);
    }
    let last = |plies: usize| values.len().checked_sub(plies).map(|from| &values[from..]);
    let all = |plies: usize, holds: &dyn Fn(i16) -> bool| {
        last(plies).is_some_and(|values| values.iter().all(|&value| holds(value)))
    };
    if all(WON_PLIES, &|value| value >= WON) {
        Some(GameResult::White)
    } else if all(WON_PLIES, &|value| value <= -WON) {
        Some(GameResult::Black)
    } else if values.len() >= LEVEL_FROM && all(LEVEL_PLIES, &|value| value.abs() <= LEVEL) {
        Some(GameResult::Draw)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Observer, Searcher};

    #[test]
    fn a_game_is_the_same_every_time_and_its_record_can_be_read() {
        let game = Selfplay::new(3, 300).play(5).unwrap();
        let mut again = Selfplay::new(3, 300);
        let other = again.play(4).unwrap();
        assert_ne!(other, game);
        assert_eq!(again.play(5).unwrap(), game);
        assert_eq!(game.to_string().parse(), Ok(game.clone()));
        assert!(game.moves.len() > OPENING_PLIES);
        assert!(game.moves[..OPENING_PLIES].iter().all(|m| m.1.is_none()));
        assert!(game.moves[OPENING_PLIES..].iter().all(|m| m.1.is_some()));
    }

    /// Panics in about every hundredth position.
    struct Unreliable(ChessSearcher);

    impl Searcher<Position> for Unreliable {
        fn search(
            &mut self,
            root: &Root<Position>,
            limits: &Limits<Move>,
            observer: &mut dyn Observer<Move>,
        ) -> Report<Move> {
            assert!(!root.position.key().is_multiple_of(100), "on purpose");
            self.0.search(root, limits, observer)
        }

        fn clear(&mut self) {
            self.0.clear();
        }
    }

    #[test]
    fn a_panic_costs_one_game() {
        let mut sound = Selfplay::new(3, 100);
        let mut player = Selfplay::new(3, 100);
        player.search = Guarded::new("unreliable", || {
            Box::new(Unreliable(searcher())) as ChessSearcher
        });
        let mut failures = 0;
        for number in 0..12 {
            match player.play(number) {
                Ok(game) => assert_eq!(game, sound.play(number).unwrap()),
                Err(fault) => {
                    assert!(fault.to_string().contains("on purpose"));
                    failures += 1;
                }
            }
        }
        assert!((1..12).contains(&failures), "{failures}");
    }
}
