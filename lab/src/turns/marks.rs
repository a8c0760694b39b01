//! Ways to mark positions of a game, and random draws.

use super::data::{Game, Ply};
use cassius::random::{Random, mix};

/// A way to mark positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// The paper's critical positions.
    Critical,
    /// ↓tactic alone.
    DownTactic,
    /// ↑tactic alone.
    UpTactic,
    /// The largest changes of the value since the same player's last move, as many as there are critical positions.
    Jumps,
    /// The smallest `MinCN`, as many again: the level instead of the fall.
    Unsure,
}

impl Way {
    /// All ways with their names, in the order of the tables.
    pub(super) const ALL: [(Way, &'static str); 5] = [
        (Way::Critical, "critical (either fall)"),
        (Way::DownTactic, "MaxCN's fall (↓tactic)"),
        (Way::UpTactic, "MinCN's fall (↑tactic)"),
        (Way::Jumps, "largest jumps of the value"),
        (Way::Unsure, "smallest MinCN"),
    ];

    /// Indices of the open positions of a game that it marks. Ties are broken at random.
    pub(super) fn marks(self, game: &Game, draw: &mut Draw) -> Vec<usize> {
        let open = game.open();
        let by = |is_marked: fn(&Ply) -> bool| -> Vec<usize> {
            let open = open.iter().copied();
            open.filter(|&at| is_marked(&game.plies[at])).collect()
        };
        let critical = by(|ply| ply.turn.critical);
        let mut most = |rank: &dyn Fn(usize) -> f64| {
            let mut ranked: Vec<usize> = draw.some(&open, open.len());
            // The sort is stable: ties stay in the random order.
            ranked.sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
            ranked.truncate(critical.len());
            ranked
        };
        match self {
            Way::Critical => critical,
            Way::DownTactic => by(|ply| ply.turn.down_tactic),
            Way::UpTactic => by(|ply| ply.turn.up_tactic),
            Way::Jumps => most(&|at| (game.plies[at].value - game.plies[at - 2].value).abs()),
            Way::Unsure => most(&|at| {
                let number = game.plies[at].extremes.min_cn;
                -f64::from(number.unwrap_or(u32::MAX))
            }),
        }
    }
}

/// Random draws from a seed.
#[derive(Clone, Debug)]
pub(super) struct Draw(Random);

impl Draw {
    /// Draws that differ for each seed.
    pub(super) fn new(seed: u64) -> Draw {
        let mut random = Random::new(mix(seed));
        // The recorded results were drawn without the first number.
        random.bits();
        Draw(random)
    }

    /// True or false with equal chances.
    pub(super) fn coin(&mut self) -> bool {
        self.0.bits() >> 63 == 1
    }

    /// `count` different items in random order; all if there are no more.
    pub(super) fn some(&mut self, from: &[usize], count: usize) -> Vec<usize> {
        let mut these = from.to_vec();
        let count = count.min(these.len());
        for at in 0..count {
            let left = (these.len() - at) as u64;
            these.swap(at, at + (self.0.bits() % left) as usize);
        }
        these.truncate(count);
        these
    }
}
