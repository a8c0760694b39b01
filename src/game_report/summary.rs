//! Derives what text, page and record say of a game as a whole from its positions, once for all three.

use super::accuracy;
use super::columns::Columns;
use super::disagreement::{self, Disagreement};
use super::moments::{self, Moment};
use super::record::{Game, Summary};
use super::turn;

/// A game with all that is derived from its positions.
pub(super) struct GameDigest<'g> {
    /// The game.
    pub(super) game: &'g Game,
    /// The moments that decided it.
    pub(super) moments: Vec<Moment<'g>>,
    /// Positions about which engine and our own search disagree.
    pub(super) disagreements: Vec<Disagreement<'g>>,
    /// The game's line in the record.
    pub(super) summary: Summary,
    /// Columns beside the values.
    pub(super) columns: Columns,
}

impl<'g> GameDigest<'g> {
    /// Derives it.
    pub(super) fn of(game: &'g Game) -> GameDigest<'g> {
        let moments = moments::of(game, turn::turn_of(game));
        let disagreements = disagreement::of(game);
        let rounded = |value: f64, to: f64| (value * to).round() / to;
        let accuracy = accuracy::of(game);
        GameDigest {
            game,
            summary: Summary {
                game: game.info.game,
                accuracy: accuracy.map(|it| it.map(|it| rounded(it, 10.0))),
                lost: accuracy::lost(game).map(|it| rounded(it, 1_000.0)),
                moments: moments.iter().map(|it| it.row.ply).collect(),
                disagreements: disagreements.iter().map(|it| it.row.ply).collect(),
            },
            disagreements,
            moments,
            columns: Columns::of(game),
        }
    }

    /// Whether the position at a ply is a puzzle.
    pub(super) fn is_puzzle(&self, ply: usize) -> bool {
        let mut moments = self.moments.iter();
        moments.any(|it| it.row.ply == ply && it.is_puzzle())
    }
}
