//! A random choice among good moves.

use crate::random::Random;
use crate::value::Value;

/// Moves that lose more than this many times the slack are never played.
pub(super) const FARTHEST: f64 = 6.0;

/// Index of the move to play among moves of these values, the best first.
///
/// A move's weight falls by a factor of e for each `slack` centipawns it is worse than the best. Decided values leave
/// no choice: a mate seen is played, and a move that gets mated is played only if the best one does, too.
pub(super) fn choose(values: &[Value], slack: f64, random: &mut Random) -> usize {
    let Some(&best) = values.first().filter(|best| !best.is_decided()) else {
        return 0;
    };
    let weights: Vec<f64> = values.iter().map(|&it| weight(it, best, slack)).collect();
    let mut left = unit(random) * weights.iter().sum::<f64>();
    let chosen = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    chosen.unwrap_or(0)
}

fn weight(value: Value, best: Value, slack: f64) -> f64 {
    let loss = f64::from(i32::from(best.get()) - i32::from(value.get()));
    if value.is_decided() || loss > FARTHEST * slack {
        // The best move always has a weight.
        return f64::from(u8::from(loss <= 0.0));
    }
    (-loss / slack).exp()
}

/// A uniform random number from 0 to 1.
pub(super) fn unit(random: &mut Random) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(centipawns: &[i32]) -> Vec<Value> {
        centipawns.iter().map(|&it| Value::centipawns(it)).collect()
    }

    /// How often each is chosen in `draws` draws.
    fn drawn(values: &[Value], slack: f64, draws: usize) -> Vec<usize> {
        let mut random = Random::new(1);
        let mut counts = vec![0; values.len()];
        for _ in 0..draws {
            counts[choose(values, slack, &mut random)] += 1;
        }
        counts
    }

    #[test]
    fn a_loss_of_the_slack_is_e_times_less_likely() {
        let counts = drawn(&values(&[50, 0, -50]), 50.0, 100_000);
        for pair in counts.windows(2) {
            let ratio = pair[0] as f64 / pair[1] as f64;
            assert!((ratio - std::f64::consts::E).abs() < 0.15, "{counts:?}");
        }
    }

    #[test]
    fn a_move_that_loses_too_much_is_never_played() {
        let counts = drawn(&values(&[0, -299, -301]), 50.0, 100_000);
        assert!(counts[1] > 0, "{counts:?}");
        assert_eq!(counts[2], 0);
    }

    #[test]
    fn decided_values_leave_no_choice() {
        let mate = [Value::win_in(5), Value::centipawns(900), Value::win_in(9)];
        assert_eq!(drawn(&mate, 500.0, 1_000), [1_000, 0, 0]);
        let mated = [Value::centipawns(-900), Value::loss_in(4)];
        assert_eq!(drawn(&mated, 5_000.0, 1_000), [1_000, 0]);
        let lost = [Value::loss_in(8), Value::loss_in(4)];
        assert_eq!(drawn(&lost, 5_000.0, 1_000), [1_000, 0]);
        assert_eq!(choose(&[], 50.0, &mut Random::new(1)), 0);
    }
}
