//! Names a game's opening by its positions: code and name.
//!
//! The names come from <https://github.com/lichess-org/chess-openings> (public domain, CC0 1.0).
//! `scripts/opening-names` makes `table.tsv` of them, with a line for each named position and the moves that lead to
//! it. A game has the name of its last named position, whatever the order of moves.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::game::Game as _;
use crate::games::chess::notation::parse_san;
use crate::games::chess::{Move, Position};

const TABLE: &str = include_str!("table.tsv");

/// An opening.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Opening {
    /// Code in the *Encyclopaedia of Chess Openings*: `C41`.
    pub eco: String,
    /// Name: `Philidor Defense`.
    pub name: String,
    /// Plies until the named position.
    pub plies: usize,
}

/// The table, by Zobrist keys.
static ENTRIES: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| entries(TABLE));

impl Opening {
    /// The opening of a game; `None` if none of its positions has a name.
    pub fn of(start: &Position, moves: &[Move]) -> Option<Opening> {
        let mut position = start.clone();
        let mut found = ENTRIES.get(&position.key()).map(|entry| (0, entry));
        // The longest line of the table is shorter.
        for (plies, &m) in (1..=60).zip(moves) {
            position.play_recorded(m);
            found = ENTRIES.get(&position.key()).map(|it| (plies, it)).or(found);
        }
        // Other moves may lead there sooner or later than those of the table.
        found.map(|(plies, it)| Opening {
            plies,
            ..it.clone()
        })
    }
}

/// Reads the table. A line has five fields: how many plies, and how many characters of the name, it shares with the
/// line before; the code; the other moves; the rest of the name. An invalid line would end the reading; a test checks
/// that there is none.
fn entries(table: &str) -> HashMap<u64, Opening> {
    let mut line = vec![Position::initial()];
    let mut name = String::new();
    let lines = table.lines();
    lines
        .map_while(|text| entry(text, &mut line, &mut name))
        .collect()
}

/// Reads a line of the table: the key of its position, and the opening. `line` has the positions on the way there.
fn entry(text: &str, line: &mut Vec<Position>, name: &mut String) -> Option<(u64, Opening)> {
    let mut fields = text.split('\t');
    let plies: usize = fields.next()?.parse().ok()?;
    let letters: usize = fields.next()?.parse().ok()?;
    let eco = fields.next()?.to_owned();
    line.truncate(plies + 1);
    for san in fields.next()?.split_whitespace() {
        let mut position = line.last()?.clone();
        position.play_legal(parse_san(&position, san).ok()?);
        line.push(position);
    }
    let shared: String = name.chars().take(letters).collect();
    *name = shared + fields.next()?;
    let opening = Opening {
        eco,
        name: name.clone(),
        plies: line.len() - 1,
    };
    Some((line.last()?.key(), opening))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::pgn::Games;

    fn opening(text: &str) -> Option<Opening> {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        assert_eq!(game.flaw, None);
        Opening::of(&game.start, &game.moves)
    }

    fn told(text: &str) -> String {
        opening(text).map_or_else(String::new, |it| {
            format!("{} {}, {}", it.eco, it.name, it.plies)
        })
    }

    #[test]
    fn the_whole_table_is_read() {
        assert_eq!(ENTRIES.len(), TABLE.lines().count());
        for entry in ENTRIES.values() {
            let eco = entry.eco.as_bytes();
            let is_code = matches!(eco, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
            assert!(is_code && !entry.name.is_empty(), "{entry:?}");
            assert_eq!(entry.name.trim(), entry.name);
        }
    }

    #[test]
    fn a_game_has_the_last_name_that_its_positions_have() {
        let philidor = told("1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 *");
        assert_eq!(philidor, "C41 Philidor Defense, 5");
        assert_eq!(told("1. e4 *"), "B00 King's Pawn Game, 1");
        assert_eq!(told("[White \"A\"]\n\n*"), "");
    }

    #[test]
    fn transpositions_lead_to_the_same_name() {
        let direct = opening("1. d4 Nf6 2. c4 g6 3. Nc3 d5 *").unwrap();
        let other = opening("1. c4 Nf6 2. Nc3 g6 3. d4 d5 *").unwrap();
        assert_eq!(direct, other);
        assert_eq!(direct.eco, "D80");
    }

    #[test]
    fn games_from_elsewhere_have_none() {
        let text =
            "[FEN \"nrk1rbbq/pppppppp/8/8/8/8/PPPPPPPP/NRK1RBBQ w KQkq - 0 1\"]\n\n1. e4 e5 *";
        assert_eq!(opening(text), None);
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
        assert_eq!(opening(text), None);
    }
}
