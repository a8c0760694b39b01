//! Puzzles of the games in a text: as data, as EPD, and on a page.
//!
//! No file is read or written, so this works in a browser too.
//!
//! ```
//! use cassius::puzzles::finding::Terms;
//! use cassius::puzzles::from_text::find;
//!
//! let terms = Terms { nodes: 1_000, gap: 0.2, hash_megabytes: 1 };
//! let found = find(b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", "a game", &terms, |_, _| true)?;
//! assert_eq!(found.epd().lines().count(), found.puzzles.len());
//! assert!(found.page().starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use anyhow::{Result, ensure};

use super::finding::{Puzzle, Terms};
use super::run::{self, News};
use super::{epd, page};
use crate::games::chess::pgn::Games;

/// Puzzles of some games.
#[derive(Clone, Debug)]
pub struct Found {
    /// The puzzles, in the order of the games.
    pub puzzles: Vec<Puzzle>,
    /// Oddities and faults of the games, and searches that failed, in words.
    pub remarks: Vec<String>,
    name: String,
    terms: Terms,
}

/// Finds the puzzles of the games in a text; `name` is its name on the page. `tell` gets the number of puzzles and of
/// games so far, and returns whether to go on.
///
/// # Errors
/// If the text is UTF-16, or there is not enough memory.
pub fn find(
    pgn: &[u8],
    name: &str,
    terms: &Terms,
    mut tell: impl FnMut(usize, u64) -> bool,
) -> Result<Found> {
    run::ensure_memory(terms, 1)?;
    let mut found = Found {
        puzzles: Vec::new(),
        remarks: Vec::new(),
        name: name.to_owned(),
        terms: terms.clone(),
    };
    let games = Games::new(pgn).map(|game| Ok(game?));
    let (mut goes_on, mut done) = (true, 0);
    let ran = run::run(games, terms, 1, |news| {
        match news {
            News::Puzzle(puzzle) => {
                // Asked before keeping it: a stopped search may have taken a position for a puzzle.
                goes_on = tell(found.puzzles.len(), done);
                found.puzzles.extend(goes_on.then_some(*puzzle));
            }
            News::Oddity(text) | News::Flaw(text) => found.remarks.push(text),
            News::Fault(fault) => found.remarks.push(fault.to_string()),
            News::Done(game) => {
                done = game.number as u64;
                goes_on = tell(found.puzzles.len(), done);
            }
        }
        ensure!(goes_on, "stopped");
        Ok(())
    });
    // Keeps the puzzles found before a stop.
    if goes_on {
        ran?;
    }
    Ok(found)
}

impl Found {
    /// The puzzles as EPD, a line for each.
    pub fn epd(&self) -> String {
        self.puzzles.iter().map(epd::line).collect()
    }

    /// The page to solve the puzzles on.
    pub fn page(&self) -> String {
        page::render(&self.name, &self.terms, &self.puzzles)
    }
}
