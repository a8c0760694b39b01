//! The games of a trial: one search with two sets of constants.

use super::spsa::Trial;
use crate::selfplay::opening::of_game;
use crate::selfplay::player::{duel, opening};
use cassius::engine::fault::Fault;
use cassius::engine::settings::EngineSettings;

/// Largest value of a random opening for either side, in centipawns: most pairs from worse ones are drawn 1 to 1.
const FAIR: i16 = 100;
/// Most nodes for the value of a random opening.
const FAIR_NODES: u64 = 2_000;

/// The settings of all games of a run.
pub(crate) struct Games {
    /// The search, with the constants that are not tuned.
    pub(crate) settings: EngineSettings,
    /// Names of the constants that are tuned, in the order of a trial's values.
    pub(crate) names: Vec<String>,
    /// Nodes for each move.
    pub(crate) nodes: u64,
    /// Seed of the openings.
    pub(crate) seed: u64,
}

impl Games {
    /// The settings with these values of the constants.
    pub(crate) fn settings(&self, values: &[i32]) -> EngineSettings {
        let mut settings = self.settings.clone();
        for (name, &value) in self.names.iter().zip(values) {
            // Cannot fail: names and ranges come from the search.
            let _ = settings.search.tune(name, value);
        }
        settings
    }

    /// Plays a game, with the same opening for both of a pair. Returns 1, 0 or -1: the first side's win, draw or loss.
    pub(crate) fn play(&self, trial: &Trial, first_is_white: bool) -> Result<i32, Fault> {
        let sides = trial.sides.each_ref();
        let mut sides = sides.map(|values| self.settings(values).guarded());
        let random = of_game(self.seed, trial.number);
        let root = opening(&mut sides[0], random, FAIR, self.nodes.min(FAIR_NODES))?;
        let points = duel(root, &mut sides, first_is_white, self.nodes)?;
        Ok((2.0 * points) as i32 - 1)
    }
}
