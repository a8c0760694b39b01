//! Opening, middlegame and endgame, by one rule.
//!
//! - The *opening* lasts until at most two of the knights and bishops of both sides together stand on their own first
//!   ranks, or each side has made fifteen moves.
//! - The *endgame* begins when the pieces left are half of those at the beginning, or fewer: a knight or a bishop
//!   counts 1, a rook 2, a queen 4, so 12 of 24. It may follow the opening at once.
//! - The *middlegame* lies between. A phase that is over does not come again.

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::games::chess::Position;
use crate::games::chess::notation::to_fen;

/// Knights and bishops on their own first ranks at which the opening ends.
const AT_HOME: usize = 2;
/// Plies after which the opening ends at the latest.
const LONGEST_OPENING: usize = 30;

/// A phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The pieces come out.
    Opening,
    /// The pieces are out.
    Middlegame,
    /// Half of them are gone.
    Endgame,
}

impl Phase {
    /// Phase of a position after `plies` plies of a game, unless a later one has begun.
    pub fn of(position: &Position, plies: usize) -> Phase {
        if position.is_endgame() {
            Phase::Endgame
        } else if plies >= LONGEST_OPENING || at_home(position) <= AT_HOME {
            Phase::Middlegame
        } else {
            Phase::Opening
        }
    }

    /// Name, capitalised.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "Opening",
            Phase::Middlegame => "Middlegame",
            Phase::Endgame => "Endgame",
        }
    }
}

/// Knights and bishops on their own first ranks.
fn at_home(position: &Position) -> usize {
    let fen = to_fen(position);
    let board = fen.split(' ').next().unwrap_or_default();
    let count =
        |rank: Option<&str>, pieces: [char; 2]| rank.map_or(0, |rank| rank.matches(pieces).count());
    count(board.split('/').next(), ['n', 'b']) + count(board.split('/').next_back(), ['N', 'B'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::parse_fen;

    fn phase(fen: &str, plies: usize) -> Phase {
        Phase::of(&parse_fen(fen).unwrap(), plies)
    }

    #[test]
    fn phases_follow_the_pieces() {
        let start = Position::initial();
        assert_eq!(Phase::of(&start, 0), Phase::Opening);
        assert_eq!(Phase::of(&start, 30), Phase::Middlegame);
        // Two knights at home, all bishops out.
        let out = "r2qk1nr/pppbbppp/2np4/4p3/2B1P3/2NPB3/PPP2PPP/R2QK1NR w KQkq - 4 6";
        assert_eq!(phase(out, 11), Phase::Middlegame);
        // Two rooks and two minor pieces a side; a queen more for one.
        let few = "r1b2rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R1B2RK1 w - - 0 12";
        assert_eq!(phase(few, 8), Phase::Endgame);
        let more = "r1b2rk1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R1BQ1RK1 w - - 0 12";
        assert_eq!(phase(more, 22), Phase::Middlegame);
        // A Chess960 game begins with its opening too.
        let other = "nrk1rbbq/pppppppp/8/8/8/8/PPPPPPPP/NRK1RBBQ w KQkq - 0 1";
        assert_eq!(phase(other, 0), Phase::Opening);
    }
}
