//! Endings that must be won, from random positions, within the fifty-move rule: without tablebases, and with real ones
//! if available.
//!
//! A few of each kind are played in every run of the tests; `CASSIUS_ENDGAMES=100 cargo test --release --test
//! integration endgames -- --nocapture` plays that many and prints the lengths of the games.

use cassius::engine::settings::EngineSettings;
use cassius::game::{Game, Root};
use cassius::games::chess::tablebase::{TABLE_WIN, TablebaseResult, Tables};
use cassius::games::chess::{Evaluation, Move, Position, notation};
use cassius::random::Random;
use cassius::search::registry::{Algorithm, Settings};
use cassius::search::{Limits, Unobserved};

use crate::common::{searcher, shared};

/// Positions of each kind to play, unless the environment sets another number.
const GAMES: usize = 3;

/// A legal position of White's `pieces` against the bare king, White to move, with that king beside no piece: nothing
/// can be taken at once, so that all these endings are won.
fn random_position(random: &mut Random, pieces: &str) -> Position {
    let men: Vec<char> = pieces.chars().chain(['k']).collect();
    loop {
        let squares: Vec<usize> = men.iter().map(|_| random.below(64)).collect();
        let bare = squares[men.len() - 1];
        let apart = |&square: &usize| {
            let ranks = (square / 8).abs_diff(bare / 8);
            ranks.max((square % 8).abs_diff(bare % 8)) > 1
        };
        if squares[..men.len() - 1].iter().all(apart)
            && let Ok(position) = notation::parse_fen(&fen(&men, &squares))
            && position.outcome().is_none()
        {
            return position;
        }
    }
}

/// The FEN of a board with `men` on `squares`; with two men on a square one is lost, and the position is illegal or of
/// another kind.
fn fen(men: &[char], squares: &[usize]) -> String {
    let rank = |rank: usize| -> String {
        let man = |file| squares.iter().position(|&square| square == 8 * rank + file);
        (0..8)
            .map(|file| man(file).map_or('1', |n| men[n]))
            .collect()
    };
    let board: Vec<String> = (0..8).rev().map(rank).collect();
    format!("{} w - - 0 1", board.join("/"))
}

/// Plays both sides with the moves of `choose`; returns White's moves to mate, if he mates.
fn moves_to_mate(
    position: Position,
    mut choose: impl FnMut(&Root<Position>) -> Option<Move>,
) -> Option<usize> {
    let mut root = Root::new(position);
    let mut plies = 0_usize;
    while root.position.outcome().is_none() {
        root.play(choose(&root)?);
        plies += 1;
    }
    let mated = root.position.in_check() && !root.position.has_legal_move();
    (mated && plies % 2 == 1).then_some(plies.div_ceil(2))
}

fn games() -> usize {
    std::env::var("CASSIUS_ENDGAMES").map_or(GAMES, |n| n.parse().unwrap())
}

#[allow(clippy::print_stdout)]
fn check(pieces: &str, nodes: u64) {
    let games = games();
    let mut search = searcher(Settings::of(Algorithm::DepthFirst, 4), Evaluation::Network);
    let mut choose = |root: &Root<Position>| {
        let report = search.search(root, &Limits::nodes(nodes), &mut Unobserved);
        report.best_move()
    };
    let mut random = Random::new(1);
    let mut lengths = Vec::new();
    let mut failures = Vec::new();
    for _ in 0..games {
        let position = random_position(&mut random, pieces);
        let text = notation::to_fen(&position);
        match moves_to_mate(position, &mut choose) {
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
fn bare_kings_are_mated() {
    check("KQ", 2_000);
    check("KR", 3_000);
    check("KBB", 3_000);
    check("KBN", 12_000);
}

/// Real Syzygy tables, as the source package of python-chess brings them along (`pip download chess
/// --no-deps --no-binary :all:`, folder `data/syzygy/regular`), if they are in the folder `syzygy` of
/// the collection of test positions.
fn real_tables() -> Option<Tables> {
    let file = shared("syzygy/KQvK.rtbz")?;
    Some(Tables::open(file.parent()?.to_str()?).unwrap())
}

#[test]
fn real_tables_win_as_fast_as_can_be() {
    let Some(tables) = real_tables() else { return };
    let mut random = Random::new(1);
    // The longest wins in moves, as known from all such tables.
    for (pieces, longest) in [("KQ", 10), ("KR", 16), ("KBN", 33)] {
        for _ in 0..games() {
            let position = random_position(&mut random, pieces);
            let text = notation::to_fen(&position);
            let mut choose = |root: &Root<Position>| {
                let (verdict, moves) = tables.root_moves(&root.position)?;
                let fen = notation::to_fen(&root.position);
                assert_ne!(verdict, TablebaseResult::Draw, "{fen}");
                moves.first().copied()
            };
            let moves = moves_to_mate(position, &mut choose);
            let is_won = moves.is_some_and(|moves| moves <= longest);
            assert!(is_won, "{text}: {moves:?}");
        }
    }
}

#[test]
fn real_tables_know_pawn_endings_and_tell_searches() {
    let Some(tables) = real_tables() else { return };
    let position = |fen| notation::parse_fen(fen).unwrap();
    for (fen, expected) in [
        // With his king on the sixth rank in front of the pawn White wins, but not with a rook's pawn.
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", TablebaseResult::Win),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", TablebaseResult::Loss),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", TablebaseResult::Draw),
        ("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", TablebaseResult::Draw),
    ] {
        assert_eq!(tables.verdict(&position(fen)), Some(expected), "{fen}");
    }
    // A capture that leads into a won ending is found in the tables by any search.
    let fen = "7k/8/8/1r6/8/8/8/KR6 w - - 0 1";
    let settings = EngineSettings {
        tables: tables.clone(),
        ..EngineSettings::default()
    };
    let hits = tables.hits();
    let mut search = settings.searcher();
    let root = Root::new(position(fen));
    let report = search.search(&root, &Limits::nodes(5_000), &mut Unobserved);
    assert!(tables.hits() > hits);
    assert_eq!(report.value, TABLE_WIN, "{report:?}");
}
