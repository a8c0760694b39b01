//! Sets up the position of a `position` command, with its history.

use anyhow::Result;

use crate::game::Root;
use crate::games::chess::notation::{Castling, DroppedRights};
use crate::games::chess::{Position, notation};
use crate::uci::command::Setup;

/// The position after `moves`; dropped castling rights of the FEN are reported.
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
