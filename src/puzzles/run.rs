//! Finds the puzzles of many games.

use std::collections::HashSet;

use anyhow::Result;

use super::finding::{Finder, Puzzle, Terms};
use crate::engine::fault::Fault;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::games::chess::pgn::PgnGame;
use crate::search::registry::Algorithm;
use crate::workers;

/// Event of a game under way.
pub(super) enum News {
    /// An oddity that does not end the game.
    Oddity(String),
    /// A fault of the game.
    Flaw(String),
    /// A puzzle, in a position that no earlier puzzle had.
    Puzzle(Box<Puzzle>),
    /// A search that failed.
    Fault(Fault),
    /// A game is done.
    Done(Box<PgnGame>),
}

/// Checks that there is memory for the searches of `jobs` games at a time.
pub(super) fn ensure_memory(terms: &Terms, jobs: usize) -> Result<(), NotEnoughMemory> {
    let each = [Algorithm::DepthFirst, Algorithm::AlphaBeta];
    memory::ensure(each.map(|it| terms.settings(it).megabytes()), jobs)
}

/// Finds the puzzles of games, `jobs` games at a time, and reports them at once.
pub(super) fn run(
    games: impl Iterator<Item = Result<PgnGame>> + Send,
    terms: &Terms,
    jobs: usize,
    mut tell: impl FnMut(News) -> Result<()>,
) -> Result<()> {
    // Positions without their move counters, so that a recurring position gives one puzzle.
    let mut known: HashSet<String> = HashSet::new();
    workers::share(
        games,
        jobs,
        || Ok(Finder::new(terms.clone())),
        |finder, game, hand_over| {
            let game = game?;
            for odd in &game.oddities {
                hand_over(News::Oddity(odd.to_string()));
            }
            if let Some(flaw) = &game.flaw
                && !hand_over(News::Flaw(flaw.to_string()))
            {
                return Ok(());
            }
            let is_wanted = finder.find(&game, |found| {
                hand_over(match found {
                    Ok(puzzle) => News::Puzzle(Box::new(puzzle)),
                    Err(fault) => News::Fault(fault),
                })
            });
            if is_wanted {
                hand_over(News::Done(Box::new(game)));
            }
            Ok(())
        },
        |news| match &news {
            News::Puzzle(puzzle) if !known.insert(place(&puzzle.fen)) => Ok(()),
            _ => tell(news),
        },
    )
}

/// A position without its move counters.
fn place(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<&str>>().join(" ")
}
