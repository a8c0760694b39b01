//! What comes of an analysed game as a whole: a line of the record behind its positions.

use serde::{Deserialize, Serialize};

use super::accuracy::{self, Sides};
use super::moments;
use super::record::Game;

/// A game as a whole. All of it follows from its positions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Which game of the file, from 1.
    pub game: usize,
    /// How accurately both have played, from 0 to 100; see [`accuracy`].
    pub accuracy: Sides<Option<f64>>,
    /// Points that their moves have cost.
    pub lost: Sides<f64>,
    /// The moments that decided it, by the moves played before them; see `moments`.
    pub moments: Vec<usize>,
}

impl Summary {
    /// The summary of a game.
    pub fn of(game: &Game) -> Summary {
        let rounded = |value: f64, to: f64| (value * to).round() / to;
        let (told, lost) = (accuracy::of(game), accuracy::lost(game));
        let [white, black] = [told.white, told.black].map(|it| it.map(|it| rounded(it, 10.0)));
        let moments = moments::of(game);
        Summary {
            game: game.info.game,
            accuracy: Sides { white, black },
            lost: Sides {
                white: rounded(lost.white, 1_000.0),
                black: rounded(lost.black, 1_000.0),
            },
            moments: moments.iter().map(|it| it.row.ply).collect(),
        }
    }
}
