//! Endings that must be won without tablebases, from random positions, within the fifty-move rule.
//!
//! A few of each kind are played in every run of the tests; `CASSIUS_ENDGAMES=100 cargo test --release
//! --test endgames -- --nocapture` plays so many and tells how long the games last.

use cassius::game::{Game, Root};
use cassius::games::chess::{Position, Quiescence, notation};
use cassius::search::registry::{self, Settings};
use cassius::search::{Limits, Unobserved};

/// Positions of each kind that are played unless the environment says otherwise.
const GAMES: usize = 3;

/// Pseudo-random numbers (G. Marsaglia, "Xorshift RNGs", 2003): the same ones in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }

    /// A legal position of White's `pieces` against the bare king, White to move, in which that king
    /// stands beside no piece: nothing is lost at once, so that all these endings are won.
    fn position(&mut self, pieces: &str) -> Position {
        let men: Vec<char> = pieces.chars().chain(['k']).collect();
        loop {
            let squares: Vec<usize> = men.iter().map(|_| self.below(64)).collect();
            let bare = squares[men.len() - 1];
            let apart = |&square: &usize| {
                let (ranks, files) = (
                    (square / 8).abs_diff(bare / 8),
                    (square % 8).abs_diff(bare % 8),
                );
                ranks.max(files) > 1
            };
            if squares[..men.len() - 1].iter().all(apart)
                && let Ok(position) = notation::parse_fen(&fen(&men, &squares))
                && position.outcome().is_none()
            {
                return position;
            }
        }
    }
}

/// The FEN of a board with `men` on `squares`; of two men on one square only one is there, which
/// leaves no legal position or one of another kind.
fn fen(men: &[char], squares: &[usize]) -> String {
    let rank = |rank: usize| {
        let man = |file| squares.iter().position(|&square| square == 8 * rank + file);
        (0..8)
            .map(|file| man(file).map_or('1', |n| men[n]))
            .collect::<String>()
    };
    let board: Vec<String> = (0..8).rev().map(rank).collect();
    format!("{} w - - 0 1", board.join("/"))
}

/// Plays both sides with so many nodes a move; the moves it took White to mate, if it did.
fn moves_to_mate(position: Position, nodes: u64) -> Option<usize> {
    let settings = Settings {
        hash_megabytes: 4,
        ..Settings::default()
    };
    let mut search = registry::build(&settings, Quiescence::positional());
    let mut root = Root::new(position);
    let mut plies = 0_usize;
    while root.position.outcome().is_none() {
        let report = search.search(&root, &Limits::nodes(nodes), &mut Unobserved);
        root.play(report.best_move()?);
        plies += 1;
    }
    let mated = root.position.in_check() && !root.position.has_legal_move();
    (mated && plies % 2 == 1).then_some(plies.div_ceil(2))
}

fn check(pieces: &str, nodes: u64) {
    let games = std::env::var("CASSIUS_ENDGAMES").map_or(GAMES, |n| n.parse().unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut lengths = Vec::new();
    let mut failures = Vec::new();
    for _ in 0..games {
        let position = random.position(pieces);
        let text = notation::to_fen(&position);
        match moves_to_mate(position, nodes) {
            Some(moves) => lengths.push(moves),
            None => failures.push(text),
        }
    }
    let (won, longest) = (lengths.len(), lengths.iter().max());
    println!(
        "{pieces}K at {nodes} nodes a move: {won} of {games} won, in at most {longest:?} moves"
    );
    assert!(failures.is_empty(), "{pieces}: not won: {failures:#?}");
}

#[test]
fn queen_against_bare_king() {
    check("KQ", 2_000);
}

#[test]
fn rook_against_bare_king() {
    check("KR", 3_000);
}

#[test]
fn bishop_and_knight_against_bare_king() {
    check("KBN", 12_000);
}
