//! Chances of a win, a draw and a loss: the two numbers of the model in [`crate::wdl`], from games.

use super::sample::Sample;
use crate::wdl::win;

/// The model's numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    /// Centipawns with which every second game is won.
    pub half: f64,
    /// Centipawns in which the odds of a win grow by a factor of e.
    pub scale: f64,
}

impl Chances {
    /// Those under which the games' results are likeliest, given what the search saw; to a centipawn.
    pub fn fit(samples: &[Sample]) -> Chances {
        let mut best = Chances {
            half: 128.0,
            scale: 128.0,
        };
        let mut least = best.surprise(samples);
        let mut step = 64.0;
        while step >= 1.0 {
            let neighbours = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)];
            let before = least;
            for (half, scale) in neighbours {
                let other = Chances {
                    half: best.half + half,
                    scale: best.scale + scale,
                };
                if other.half > 0.0 && other.scale > 0.0 {
                    let surprise = other.surprise(samples);
                    if surprise < least {
                        (best, least) = (other, surprise);
                    }
                }
            }
            if least == before {
                step /= 2.0;
            }
        }
        best
    }

    /// Minus the logarithm of how likely the model thought the results.
    fn surprise(self, samples: &[Sample]) -> f64 {
        let of = |sample: &Sample| {
            let white = win(sample.seen, self.half, self.scale);
            let black = win(-sample.seen, self.half, self.scale);
            let chance = if sample.points == 1.0 {
                white
            } else if sample.points == 0.0 {
                black
            } else {
                1.0 - white - black
            };
            -chance.max(1e-9).ln()
        };
        samples.iter().map(of).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::Position;
    use crate::games::chess::evaluation::Trace;

    #[test]
    fn what_the_games_were_made_with_is_found_again() {
        let trace = Trace::new(&Position::initial()).unwrap();
        let (half, scale) = (150.0, 90.0);
        let mut samples = Vec::new();
        for seen in (-600..=600).step_by(50).map(f64::from) {
            // A thousand games, as many of each result as the model says.
            let wins = (1_000.0 * win(seen, half, scale)).round() as usize;
            let losses = (1_000.0 * win(-seen, half, scale)).round() as usize;
            for game in 0..1_000 {
                let points = match game {
                    _ if game < wins => 1.0,
                    _ if game < wins + losses => 0.0,
                    _ => 0.5,
                };
                samples.push(Sample {
                    trace: trace.clone(),
                    now: seen,
                    points,
                    seen,
                });
            }
        }
        let fit = Chances::fit(&samples);
        assert!(
            (fit.half - half).abs() <= 2.0 && (fit.scale - scale).abs() <= 2.0,
            "{fit:?}"
        );
    }
}
