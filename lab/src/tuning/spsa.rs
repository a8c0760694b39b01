//! Simultaneous perturbation (J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", IEEE Transactions on Automatic Control 37(3), 1992): all constants are moved at once, each up or down by
//! chance, and a comparison of both ends says which way to go.
//!
//! In iteration k of N, constant i is compared at θ + cΔ and θ − cΔ, where Δ is 1 or −1 and c = `step` (N/k)^0.101. Each game
//! that one end wins moves it towards that end by `rate` `step` ((A+N)/(A+k))^0.602 (k/N)^0.101, with A = N/10. In
//! the last iteration c is `step`, and `rate` is Spall's gain a/(A+k)^0.602 divided by c², as in Stockfish's fishtest.

use serde::{Deserialize, Serialize};

use crate::selfplay::opening::of_game;
use cassius::random::{Random, mix};

/// Exponent by which gains fall.
const GAIN: f64 = 0.602;
/// Exponent by which perturbations fall.
const PERTURBATION: f64 = 0.101;
/// A, as a fraction of all iterations: without it the first gains would be too large.
const DELAY: f64 = 0.1;

/// A constant to tune.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Tuned {
    pub(crate) name: String,
    /// Its value at the start.
    pub(crate) start: i32,
    /// Its perturbation in the last iteration.
    pub(crate) step: f64,
    /// The least and the largest value allowed.
    pub(crate) range: (i32, i32),
}

/// The settings of a run on which its course depends, the games aside.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) iterations: u64,
    /// Pairs of games in an iteration, each with signs of its own: the moves of the constants add up.
    pub(crate) pairs: usize,
    /// Steps that a constant moves for each game won in the last iteration.
    pub(crate) rate: f64,
    pub(crate) constants: Vec<Tuned>,
}

/// The two sides of a pair of games.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Trial {
    /// Number of the pair in the run, from 0.
    pub(crate) number: u64,
    /// The constants of either side.
    pub(crate) sides: [Vec<i32>; 2],
    /// Δ: the first side's signs.
    signs: Vec<f64>,
}

/// A run under way.
#[derive(Clone, Debug)]
pub(crate) struct Spsa<'a> {
    plan: &'a Plan,
    /// Iterations that are done.
    pub(crate) done: u64,
    /// The constants now.
    pub(crate) values: Vec<f64>,
}

impl Spsa<'_> {
    /// A run before its first iteration.
    pub(crate) fn new(plan: &Plan) -> Spsa<'_> {
        let values = plan.constants.iter().map(|it| it.start.into()).collect();
        let done = 0;
        Spsa { plan, done, values }
    }

    /// The pairs of games of the next iteration.
    pub(crate) fn trials(&self) -> Vec<Trial> {
        let pairs = self.plan.pairs as u64;
        let numbers = self.done * pairs..(self.done + 1) * pairs;
        numbers.map(|number| self.trial(number)).collect()
    }

    fn trial(&self, number: u64) -> Trial {
        // Openings are drawn from the seed itself, signs from its mix: they must not depend on each other.
        let mut random = of_game(mix(self.plan.seed), number);
        let share = self.plan.iterations as f64 / (self.done + 1) as f64;
        let mut trial = Trial {
            number,
            sides: [Vec::new(), Vec::new()],
            signs: Vec::new(),
        };
        for (constant, value) in self.plan.constants.iter().zip(&self.values) {
            let sign = [-1.0, 1.0][random.below(2)];
            trial.signs.push(sign);
            // Rounded up or down by chance, both sides by the same: on average they are where they should be.
            let chance = chance(&mut random);
            let by = sign * constant.step * share.powf(PERTURBATION);
            for (side, by) in trial.sides.iter_mut().zip([by, -by]) {
                let rounded = (constant.within(value + by) + chance).floor();
                side.push(constant.within(rounded) as i32);
            }
        }
        trial
    }

    /// Learns from the results of [`trials`](Spsa::trials): games that the first side won, less those that it lost.
    pub(crate) fn learn(&mut self, trials: &[Trial], results: &[i32]) {
        self.done += 1;
        let (all, done) = (self.plan.iterations as f64, self.done as f64);
        let delay = DELAY * all;
        let gain = ((delay + all) / (delay + done)).powf(GAIN) * (done / all).powf(PERTURBATION);
        let constants = self.plan.constants.iter().zip(&mut self.values);
        for (index, (constant, value)) in constants.enumerate() {
            let results = trials.iter().zip(results);
            let towards = results.map(|(it, &won)| it.signs[index] * f64::from(won));
            let towards: f64 = towards.sum();
            *value = constant.within(*value + self.plan.rate * constant.step * gain * towards);
        }
    }
}

impl Tuned {
    fn within(&self, value: f64) -> f64 {
        value.clamp(self.range.0.into(), self.range.1.into())
    }

    /// Distance of a value from the start, in steps.
    pub(crate) fn moved(&self, value: f64) -> f64 {
        (value - f64::from(self.start)) / self.step
    }
}

/// A uniform number from 0 to 1, 1 excluded.
fn chance(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The best values of the constants of [`plan`].
    const BEST: [f64; 4] = [30.0, -20.0, 4.0, 900.0];

    pub(crate) fn plan(iterations: u64) -> Plan {
        let constant = |(name, start, step, range): (&str, _, _, _)| Tuned {
            name: name.to_owned(),
            start,
            step,
            range,
        };
        Plan {
            seed: 5,
            iterations,
            pairs: 4,
            rate: 0.01,
            constants: [
                ("a", 16, 2.0, (0, 64)),
                ("b", 0, 4.0, (-64, 64)),
                ("c", 5, 1.0, (4, 64)),
                ("d", 1_500, 100.0, (0, 10_000)),
            ]
            .map(constant)
            .to_vec(),
        }
    }

    /// A game by chance: the side that is nearer to [`BEST`] has the better chances, by Elo's formula; 40 % are draws.
    pub(crate) fn game(trial: &Trial, is_white: bool) -> i32 {
        let steps = plan(1).constants;
        let [first, second] = [0, 1].map(|side: usize| -> f64 {
            let values = trial.sides[side].iter().zip(&BEST).zip(&steps);
            values
                .map(|((&value, best), it)| -2.0 * ((f64::from(value) - best) / it.step).powi(2))
                .sum()
        });
        let expected = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
        let chance = chance(&mut of_game(u64::from(is_white) + 77, trial.number));
        if chance < expected - 0.2 {
            1
        } else {
            -i32::from(chance >= expected + 0.2)
        }
    }

    #[test]
    fn constants_go_where_games_are_won() {
        let plan = plan(4_000);
        let mut run = Spsa::new(&plan);
        for _ in 0..plan.iterations {
            let trials = run.trials();
            let results = trials.iter().map(|it| game(it, true) + game(it, false));
            run.learn(&trials, &results.collect::<Vec<_>>());
        }
        for ((constant, value), best) in plan.constants.iter().zip(&run.values).zip(BEST) {
            let (before, now) = (constant.moved(best), constant.moved(*value));
            assert!((now - before).abs() < 1.2, "{}: {value}", constant.name);
        }
    }

    #[test]
    fn sides_are_as_far_apart_as_the_plan_says() {
        let mut plan = plan(500);
        plan.pairs = 4_000;
        let mut run = Spsa::new(&plan);
        for (done, share) in [(0, 500_f64), (499, 1.0)] {
            run.done = done;
            let trials = run.trials();
            for (index, constant) in plan.constants.iter().enumerate() {
                let mean = |of: &dyn Fn(f64, f64) -> f64| {
                    let all = trials.iter().map(|it| {
                        let [plus, minus] = it.sides.each_ref().map(|side| f64::from(side[index]));
                        of(plus, minus)
                    });
                    all.sum::<f64>() / trials.len() as f64
                };
                let up = constant.step * share.powf(0.101);
                // One of them is near the end of its range.
                let down = up.min(f64::from(constant.start - constant.range.0));
                let middle = f64::from(constant.start) + (up - down) / 2.0;
                assert!((mean(&|plus, minus| (plus - minus).abs()) - up - down).abs() < 0.05);
                assert!((mean(&|plus, minus| (plus + minus) / 2.0) - middle).abs() < 0.05);
                let ups = mean(&|plus, minus| f64::from(u8::from(plus > minus)));
                assert!((0.47..0.53).contains(&ups), "{ups}");
            }
        }
    }
}
