//! Logistic regression of the weights, by gradient.
//!
//! A sample's target is a mixture of the game's result and of what the search saw; the loss is the
//! mean squared distance of the predicted points from it. Each weight is held back by a spring to where
//! it began, so that parameters few positions know of stay near it, and material and the squares,
//! which could trade sums, do not drift.

use super::sample::Sample;
use crate::games::chess::evaluation::parameters::{COUNT, Parameters};
use crate::games::chess::evaluation::{Score, WEIGHTS, phase};

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Steps down the gradient.
    pub steps: u32,
    /// Length of the first step in centipawns; later ones are shorter.
    pub rate: f64,
    /// Share of the result in the target; the rest is what the search saw.
    pub result_share: f64,
    /// Strength of the springs: the loss of one sample wrong by a whole point, for a weight this many
    /// centipawns off.
    pub spring: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            steps: 150,
            rate: 2.0,
            result_share: 0.2,
            spring: 40.0,
        }
    }
}

/// Expected points of a value.
fn points(centipawns: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-centipawns / scale).exp())
}

/// Centipawns that stand for a factor e in the odds: the scale on which today's values predict the
/// results best.
pub fn logistic_scale(samples: &[Sample]) -> f64 {
    let loss = |scale: f64| {
        let errors = samples.iter().map(|sample| {
            let error = points(sample.now, scale) - sample.points;
            error * error
        });
        errors.sum::<f64>()
    };
    // The loss has one minimum over the scale: narrow the bracket.
    let (mut low, mut high) = (30.0, 1_000.0);
    while high - low > 0.5 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}

/// A number for each weight: those of the middlegame and the endgame of each parameter by turns.
type Weights = Vec<f64>;

/// A fit under way.
pub struct Fit {
    settings: Settings,
    scale: f64,
    start: Weights,
    weights: Weights,
    momentum: Weights,
    square: Weights,
    step: i32,
}

impl Fit {
    /// Begins with today's weights. `scale` is that of [`logistic_scale`].
    pub fn new(settings: Settings, scale: f64) -> Fit {
        let groups = WEIGHTS.groups().into_iter();
        let start: Weights = groups
            .flat_map(|(_, _, weights)| weights.iter())
            .flat_map(|weight| [weight.middlegame(), weight.endgame()])
            .map(f64::from)
            .collect();
        Fit {
            settings,
            scale,
            weights: start.clone(),
            start,
            momentum: vec![0.0; 2 * COUNT],
            square: vec![0.0; 2 * COUNT],
            step: 0,
        }
    }

    /// Shares of a sample's value that come from the middlegame and the endgame values.
    fn shares(sample: &Sample) -> [f64; 2] {
        let middlegame = f64::from(sample.trace.phase) / f64::from(phase::FULL);
        let kept = f64::from(sample.trace.scale) / 64.0;
        [middlegame * kept, (1.0 - middlegame) * kept]
    }

    /// White's value with the present weights.
    fn value(&self, sample: &Sample) -> f64 {
        let [middlegame, endgame] = Fit::shares(sample);
        let terms = sample.trace.counts.iter().map(|&(term, count)| {
            let index = 2 * usize::from(term);
            let weight = self.weights[index] * middlegame + self.weights[index + 1] * endgame;
            weight * f64::from(count)
        });
        terms.sum()
    }

    fn target(&self, sample: &Sample) -> f64 {
        let share = self.settings.result_share;
        share * sample.points + (1.0 - share) * points(sample.seen, self.scale)
    }

    /// Mean squared distance of the predicted points from the targets; not a number if there are no samples.
    pub fn loss(&self, samples: &[Sample]) -> f64 {
        let errors = samples.iter().map(|sample| {
            let error = points(self.value(sample), self.scale) - self.target(sample);
            error * error
        });
        errors.sum::<f64>() / samples.len() as f64
    }

    /// One step down the gradient of all samples.
    pub fn step(&mut self, samples: &[Sample]) {
        let gradient = self.gradient(samples);
        self.step += 1;
        let (decay, square_decay) = (0.9, 0.999);
        let progress = f64::from(self.step) / f64::from(self.settings.steps.max(1));
        let rate = self.settings.rate * (1.0 - 0.95 * progress.min(1.0));
        let unbias = 1.0 - f64::powi(decay, self.step);
        let unbias_square = 1.0 - f64::powi(square_decay, self.step);
        for (index, slope) in gradient.into_iter().enumerate() {
            let momentum = &mut self.momentum[index];
            *momentum = decay * *momentum + (1.0 - decay) * slope;
            let square = &mut self.square[index];
            *square = square_decay * *square + (1.0 - square_decay) * slope * slope;
            let size = (*square / unbias_square).sqrt() + 1e-12;
            self.weights[index] -= rate * (*momentum / unbias) / size;
        }
    }

    fn gradient(&self, samples: &[Sample]) -> Weights {
        let mut gradient = vec![0.0; 2 * COUNT];
        for sample in samples {
            let predicted = points(self.value(sample), self.scale);
            let error = predicted - self.target(sample);
            let slope = 2.0 * error * predicted * (1.0 - predicted) / self.scale;
            let [middlegame, endgame] = Fit::shares(sample);
            for &(term, count) in &sample.trace.counts {
                let slope = slope * f64::from(count);
                let index = 2 * usize::from(term);
                gradient[index] += slope * middlegame;
                gradient[index + 1] += slope * endgame;
            }
        }
        let spring = self.settings.spring.max(1e-3);
        for ((slope, weight), start) in gradient.iter_mut().zip(&self.weights).zip(&self.start) {
            *slope += 2.0 * (weight - start) / (spring * spring);
        }
        gradient
    }

    /// The weights as they are now, rounded.
    pub fn rounded(&self) -> Parameters<Score> {
        let mut parameters = WEIGHTS.clone();
        let mut weights = self.weights.chunks_exact(2);
        for (_, values) in parameters.groups_mut() {
            for value in values {
                if let Some(&[middlegame, endgame]) = weights.next() {
                    *value = Score::new(middlegame.round() as i16, endgame.round() as i16);
                }
            }
        }
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::evaluation::Trace;
    use crate::games::chess::evaluation::parameters::TERMS;
    use crate::games::chess::notation;

    /// Games won by whoever has two bishops against bishop and knight, other games drawn.
    fn samples() -> Vec<Sample> {
        let fens = [
            ("r1b1k1nr/pppppppp/8/8/8/8/PPPPPPPP/R1B1KB1R w - - 0 1", 1.0),
            ("r1b1kb1r/pppppppp/8/8/8/8/PPPPPPPP/R1B1K1NR w - - 0 1", 0.0),
            ("r1b1k1nr/pppppppp/8/8/8/8/PPPPPPPP/RN2KB1R w - - 0 1", 0.5),
            ("rn2kb1r/pppppppp/8/8/8/8/PPPPPPPP/R1B1K1NR b - - 0 1", 0.5),
        ];
        fens.map(|(fen, points)| Sample {
            trace: Trace::new(&notation::parse_fen(fen).unwrap()).unwrap(),
            now: 0.0,
            points,
            seen: 25.0,
        })
        .to_vec()
    }

    /// The middlegame weight of the bishop pair.
    fn pair(fit: &Fit) -> f64 {
        fit.weights[2 * TERMS.bishop_pair[0].index()]
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let samples = samples();
        let mut fit = Fit::new(Settings::default(), 150.0);
        for weight in fit.weights.iter_mut().step_by(2) {
            *weight += 3.0;
        }
        let total = |fit: &Fit| {
            let spring: f64 = std::iter::zip(&fit.weights, &fit.start)
                .map(|(now, start)| (now - start).powi(2))
                .sum();
            fit.loss(&samples) * samples.len() as f64 + spring / fit.settings.spring.powi(2)
        };
        let gradient = fit.gradient(&samples);
        let pair = 2 * TERMS.bishop_pair[0].index();
        for index in [0, 1, 5, 70, 71, 2 * TERMS.tempo[0].index(), pair, pair + 1] {
            let here = fit.weights[index];
            let mut at = |weight: f64| {
                fit.weights[index] = weight;
                total(&fit)
            };
            let slope = (at(here + 0.01) - at(here - 0.01)) / 0.02;
            at(here);
            assert!((slope - gradient[index]).abs() < 1e-7, "{index}");
        }
    }

    #[test]
    fn what_wins_games_gains_weight() {
        let samples = samples();
        let settings = Settings {
            steps: 60,
            spring: 1_000.0,
            ..Settings::default()
        };
        let mut fit = Fit::new(settings, 150.0);
        let (loss, weight) = (fit.loss(&samples), pair(&fit));
        for _ in 0..settings.steps {
            fit.step(&samples);
        }
        assert!(fit.loss(&samples) < 0.8 * loss);
        let gained = pair(&fit) - weight;
        assert!(gained > 1.0, "{gained}");
        let rounded = fit.rounded();
        assert_eq!(
            f64::from(rounded.bishop_pair[0].middlegame()),
            pair(&fit).round()
        );
        // A parameter that no position knows of has not moved.
        assert_eq!(rounded.passed_unstoppable, WEIGHTS.passed_unstoppable);
    }

    #[test]
    fn the_scale_is_found_that_predicts_best() {
        // Three of four games won at +110: e to the 110 / 100 are odds of 3 to 1.
        let trace = samples()[0].trace.clone();
        let outcome = |points| Sample {
            trace: trace.clone(),
            now: 109.86,
            points,
            seen: 0.0,
        };
        let games = [1.0, 1.0, 1.0, 0.0].map(outcome);
        assert!((logistic_scale(&games) - 100.0).abs() < 1.0);
    }
}
