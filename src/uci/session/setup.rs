//! From the `position` command to a position with its past.

use anyhow::Result;

use crate::game::Root;
use crate::games::chess::notation::{Castling, DroppedRights};
use crate::games::chess::{Position, notation};
use crate::uci::command::Setup;

/// The position that `moves` lead to; castling rights of the FEN that do not count are told.
pub(super) fn set_up(
    setup: &Setup,
    moves: &[String],
    castling: Castling,
    tell: impl FnOnce(DroppedRights),
) -> Result<Root<Position>> {
    let mut root = Root::new(match setup {
        Setup::Initial => Position::initial(),
        Setup::Fen(fen) => {
            let read = notation::read_fen(fen, castling)?;
            read.dropped.map(tell);
            read.position
        }
    });
    for text in moves {
        let m = notation::parse_uci(&root.position, text)?;
        root.play(m);
    }
    Ok(root)
}
