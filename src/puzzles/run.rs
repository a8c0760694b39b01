//! Finds the puzzles of many games.

use std::collections::HashSet;

use anyhow::Result;

use super::finding::{Finder, Puzzle, Terms};
use crate::engine::fault::Fault;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::games::chess::pgn::PgnGame;
use crate::search::registry::Algorithm;
use crate::workers;

/// News of a game under way.
pub(super) enum News {
    /// Something in it is odd and does not end it.
    Oddity(String),
    /// Something is wrong with it.
    Flaw(String),
    /// It has a puzzle, in a position that no puzzle has been in before.
    Puzzle(Box<Puzzle>),
    /// A search failed in it.
    Fault(Fault),
    /// It is done, and with it the games as far as what came with it says.
    Done(u64),
}

/// Whether the machine has memory for the searches of so many games at a time.
pub(super) fn ensure_memory(terms: &Terms, jobs: usize) -> Result<(), NotEnoughMemory> {
    let each = [Algorithm::DepthFirst, Algorithm::AlphaBeta];
    memory::ensure(each.map(|it| terms.settings(it).megabytes()), jobs)
}

/// Finds the puzzles of games, so many games at a time, and tells of them as soon as they are known. With each game comes
/// where it ends in its file.
pub(super) fn run(
    games: impl Iterator<Item = Result<(PgnGame, u64)>> + Send,
    terms: &Terms,
    jobs: usize,
    mut tell: impl FnMut(News) -> Result<()>,
) -> Result<()> {
    // Positions without their clocks. Openings come again and again.
    let mut known: HashSet<String> = HashSet::new();
    workers::share(
        games,
        jobs,
        || Ok(Finder::new(terms.clone())),
        |finder, game, hand_over| {
            let (game, bytes) = game?;
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
                hand_over(News::Done(bytes));
            }
            Ok(())
        },
        |news| match &news {
            News::Puzzle(puzzle) if !known.insert(place(&puzzle.fen)) => Ok(()),
            _ => tell(news),
        },
    )
}

/// A position without its clocks.
fn place(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<&str>>().join(" ")
}
