//! Plays games: of a search against itself, or from any position by moves that the caller chooses.

use super::opening::{has_been, of_game, random_opening};
use super::record::{GameRecord, GameResult, of_white};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::settings::ChessSearcher;
use cassius::game::{Game, Root};
use cassius::games::chess::{Move, Position};
use cassius::random::Random;
use cassius::search::{Limits, Report, Unobserved};
use cassius::value::Value;

/// Largest value of a fair opening for either side, in centipawns.
const FAIR: i16 = 300;
/// Openings to try for a fair one; after these any will do.
const MOST_OPENINGS: u32 = 1_000;
/// One move in this many is random: won and lost positions must be learnt, too.
const RANDOM_EVERY: usize = 40;
/// A game is won once both sides have had values of this many centipawns for [`WON_PLIES`].
const WON: i16 = 1_500;
/// Plies with decided values after which a game is won.
const WON_PLIES: usize = 6;
/// A game is drawn once both sides have had values of at most this many centipawns for [`LEVEL_PLIES`].
const LEVEL: i16 = 6;
/// Plies with level values after which a game is drawn.
const LEVEL_PLIES: usize = 12;
/// First ply from which on level values count.
const LEVEL_FROM: usize = 80;
/// Longest game, in plies.
const LONGEST: usize = 400;

/// Plays game `number`, which depends on these numbers alone, with at most `nodes` nodes for each move; a panic of the
/// search ends this game only.
pub(crate) fn play(
    search: &mut Guarded<ChessSearcher>,
    seed: u64,
    number: u64,
    nodes: u64,
) -> Result<GameRecord, Fault> {
    search.get().clear();
    let mut random = of_game(seed, number);
    let root = fair_opening(search, &mut random, FAIR, nodes)?;
    let (mut moves, mut after_random) = (0, Vec::new());
    let mut game = play_on(root, |root| {
        let chosen = choice(search, root, nodes)?;
        Ok(chosen.map(|(best, value)| {
            moves += 1;
            let is_random = random.below(RANDOM_EVERY) == 0;
            let any = is_random.then(|| random.one_of(&root.position.legal_moves()));
            let played = any.unwrap_or(best);
            if played != best {
                after_random.push(moves);
            }
            (played, value)
        }))
    })?;
    // The last move may be random, too.
    after_random.retain(|&index| index < game.moves.len());
    game.after_random = after_random;
    Ok(game)
}

/// Searches a position with at most `nodes` nodes.
fn think(
    search: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    nodes: u64,
) -> Result<Report<Move>, Fault> {
    let limits = Limits::nodes(nodes);
    search.search(&root.position, |it| {
        it.search(root, &limits, &mut Unobserved)
    })
}

/// A search's move, with its value.
pub(crate) fn choice(
    search: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    nodes: u64,
) -> Result<Option<(Move, Value)>, Fault> {
    let report = think(search, root, nodes)?;
    Ok(report.best_move().map(|best| (best, report.value)))
}

/// Plays a game between two searches; returns the points of the first.
pub(crate) fn duel(
    root: Root<Position>,
    sides: &mut [Guarded<ChessSearcher>; 2],
    first_is_white: bool,
    nodes: u64,
) -> Result<f64, Fault> {
    let game = play_on(root, |root| {
        let first_moves = root.position.is_black_to_move() != first_is_white;
        choice(&mut sides[usize::from(!first_moves)], root, nodes)
    })?;
    let white = game.result.points();
    Ok(if first_is_white { white } else { 1.0 - white })
}

/// A fair opening. The search is cleared before, so that the opening does not depend on earlier games, and after.
pub(crate) fn opening(
    search: &mut Guarded<ChessSearcher>,
    mut random: Random,
    most: i16,
    nodes: u64,
) -> Result<Root<Position>, Fault> {
    search.get().clear();
    let root = fair_opening(search, &mut random, most, nodes);
    search.get().clear();
    root
}

/// A random opening worth at most `most` centipawns to either side, if one is found soon.
fn fair_opening(
    search: &mut Guarded<ChessSearcher>,
    random: &mut Random,
    most: i16,
    nodes: u64,
) -> Result<Root<Position>, Fault> {
    for _ in 0..MOST_OPENINGS {
        let root = random_opening(random);
        let value = think(search, &root, nodes)?.value;
        if value.get().abs() <= most {
            return Ok(root);
        }
    }
    Ok(random_opening(random))
}

/// Plays a game to its end; `choose` returns a move and its value for the side to move, or `None` for a draw.
pub(crate) fn play_on(
    mut root: Root<Position>,
    mut choose: impl FnMut(&Root<Position>) -> Result<Option<(Move, Value)>, Fault>,
) -> Result<GameRecord, Fault> {
    let start = root.position.clone();
    let (mut moves, mut values) = (Vec::new(), Vec::new());
    let result = loop {
        if let Some(result) = over(&root, &values) {
            break result;
        }
        let Some((played, value)) = choose(&root)? else {
            break GameResult::Draw;
        };
        moves.push((played, value));
        values.push(of_white(&root.position, value).get());
        root.play(played);
    };
    Ok(GameRecord {
        start,
        result,
        moves,
        after_random: Vec::new(),
        is_same_game: false,
    })
}

/// The result, if decided: by the rules, by a repetition, by length, or by White's values so far.
fn over(root: &Root<Position>, values: &[i16]) -> Option<GameResult> {
    let position = &root.position;
    if let Some(value) = position.outcome() {
        let white = of_white(position, value);
        return Some(match white.cmp(&Value::DRAW) {
            std::cmp::Ordering::Equal => GameResult::Draw,
            std::cmp::Ordering::Greater => GameResult::White,
            std::cmp::Ordering::Less => GameResult::Black,
        });
    }
    // The first repetition ends the game: neither side had anything better.
    if has_been(root) || values.len() >= LONGEST {
        return Some(GameResult::Draw);
    }
    let all_of_last = |plies: usize, holds: &dyn Fn(i16) -> bool| {
        let from = values.len().checked_sub(plies);
        from.is_some_and(|from| values[from..].iter().all(|&value| holds(value)))
    };
    if all_of_last(WON_PLIES, &|value| value >= WON) {
        Some(GameResult::White)
    } else if all_of_last(WON_PLIES, &|value| value <= -WON) {
        Some(GameResult::Black)
    } else if values.len() >= LEVEL_FROM && all_of_last(LEVEL_PLIES, &|value| value.abs() <= LEVEL)
    {
        Some(GameResult::Draw)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::engine::settings::EngineSettings;
    use cassius::search::{Observer, Searcher};

    /// Seed of all games here.
    const SEED: u64 = 3;

    fn settings() -> EngineSettings {
        let mut settings = EngineSettings::default();
        settings.search.hash_megabytes = 1;
        settings
    }

    fn bytes(game: &GameRecord) -> Vec<u8> {
        let mut bytes = Vec::new();
        game.write(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_game_is_the_same_every_time() {
        let play = |search: &mut _, number| bytes(&play(search, SEED, number, 300).unwrap());
        let game = play(&mut settings().guarded(), 5);
        let mut again = settings().guarded();
        assert_ne!(play(&mut again, 4), game);
        assert_eq!(play(&mut again, 5), game);
    }

    /// The moves that are marked are those that the search did not choose.
    #[test]
    fn random_moves_are_marked() {
        let mut search = settings().guarded();
        let mut games = (0..9).map(|number| (number, play(&mut search, SEED, number, 50).unwrap()));
        let (number, game) = games.find(|it| !it.1.after_random.is_empty()).unwrap();
        search.get().clear();
        let mut root = fair_opening(&mut search, &mut of_game(SEED, number), FAIR, 50).unwrap();
        let mut marks = Vec::new();
        for (index, &(m, value)) in game.moves.iter().enumerate() {
            let (best, again) = choice(&mut search, &root, 50).unwrap().unwrap();
            assert_eq!(value, again);
            if m != best && index + 1 < game.moves.len() {
                marks.push(index + 1);
            }
            root.play(m);
        }
        assert_eq!(game.after_random, marks);
    }

    /// Panics at about every hundredth position.
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
        let mut sound = settings().guarded();
        let mut unreliable = Guarded::new("unreliable", || {
            Box::new(Unreliable(settings().searcher())) as ChessSearcher
        });
        let mut failures = 0;
        for number in 0..12 {
            match play(&mut unreliable, SEED, number, 100) {
                Ok(game) => {
                    let expected = play(&mut sound, SEED, number, 100).unwrap();
                    assert_eq!(bytes(&game), bytes(&expected));
                }
                Err(fault) => {
                    assert!(fault.to_string().contains("on purpose"));
                    failures += 1;
                }
            }
        }
        assert!((1..12).contains(&failures), "{failures}");
    }
}
