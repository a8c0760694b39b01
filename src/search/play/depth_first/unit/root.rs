//! The root under unit costs. The papers' numbers are the root's: all its moves contribute to them, and are asked
//! together.

use super::node::{Demands, UnitCosts};
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::search::kit::team::shared::RootTask;
use crate::search::play::depth_first::common::certificates::Certificate;
use crate::search::play::depth_first::common::driver::{Certified, Costs, Driver, RootAnswer};
use crate::search::play::depth_first::common::settling::Scale;
use crate::search::play::depth_first::common::worker::Worker;
use crate::search::{Cost, Support};

/// Centipawns from an answer to the next question while the value moves in one direction; they double.
const STEP: i32 = 8;

impl<G: Game> Costs<G> for UnitCosts {
    /// Ranges are one grain wide: the papers' numbers are about values.
    fn scale(&self, grain: i32) -> Scale {
        Scale {
            grain,
            step: STEP,
            range: grain,
        }
    }

    fn certify<E: Evaluator<G>>(
        driver: &mut Driver<'_, G, E, UnitCosts>,
        demand: u32,
        line: usize,
    ) -> Result<Certified, Stopped> {
        let settling = driver.settling(line);
        driver.settle(demand, line, line..driver.moves.len(), settling)
    }

    fn ask_root<E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E, UnitCosts>,
        root: &G,
        task: &RootTask<G::Move>,
    ) -> Result<RootAnswer, Stopped> {
        let demands = Demands::both(Cost::whole(task.iteration as u16));
        let (moves, theta) = (&task.moves, task.window.beta);
        let (answer, m) = worker.unit_root(root, moves, theta, demands)?;
        let supporter = moves.iter().position(|&other| other == m);
        let supporter = supporter.filter(|_| answer.holds(theta));
        Ok(RootAnswer {
            failed: supporter.map_or(answer, |_| Certificate::OF_NO_MOVE),
            held: supporter.map(|place| (place, answer)),
        })
    }

    fn support(lower: Cost, upper: Cost) -> Support {
        Support::Leaves {
            below: lower.whole_units(),
            above: upper.whole_units(),
        }
    }
}
