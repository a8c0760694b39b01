//! Time management: from the clock to the limits of a search.
//!
//! There are two limits. After the *soft* one no new iteration is begun; at the *hard* one the search ends. Both leave
//! the move overhead on the clock unless too little is left, and the hard one is never zero: a move is due even when
//! the flag has fallen, and a millisecond is enough for a sensible one. The search's course adjusts the soft limit: see
//! `stability`.

use std::time::Duration;

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clock {
    /// Time left; zero also stands for a fallen flag.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` if the rest of the game must be played.
    pub moves_to_go: Option<u32>,
}

/// Time limits of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TimeLimits {
    /// No new iteration after this; `None` for no such limit.
    pub soft: Option<Duration>,
    /// Stop after this; `None` for no such limit.
    pub hard: Option<Duration>,
}

/// Expected number of moves to the end of the game; a time control farther away counts as this far.
const EXPECTED_MOVES: u32 = 30;
/// Shortest time for a move.
const INSTANT: Duration = Duration::from_millis(1);
/// Longest time for an only move.
const FORCED: Duration = Duration::from_millis(10);
/// The hard limit in even shares. An even share is the clock with its increments, divided by the moves to play.
const HARD_SHARES: u32 = 3;
/// The soft limit in percent of an even share; the last iteration runs beyond it. With 60 %, two fifths of the clock
/// were left after fifty moves at 10+0.1.
const SOFT_PERCENT: u32 = 75;
/// Percentage of the soft limit with pondering.
const PONDER_PERCENT: u32 = 125;
/// Most of the clock for one move far from a time control, in percent. The rest is a reserve against delays of the
/// machine: with an increment the clock settles where this percentage of it equals the increment.
const MOST_PERCENT: u32 = 30;
/// Most of the clock for one move before a time control: this percentage divided by the moves to it, but at most 90 %
/// and at least [`MOST_PERCENT`].
const MOST_PERCENT_SHARED: u32 = 120;
/// Reserve against delays: busy machines now and then suspend a process for about this long.
const RESERVE: Duration = Duration::from_millis(100);
/// Largest part of a short clock to reserve: one third.
const RESERVE_PART: u32 = 3;
/// Cap on all times, against overflow: a hundred days.
const LONGEST: Duration = Duration::from_secs(100 * 24 * 60 * 60);

impl TimeLimits {
    /// The limits for a move with a clock, a fixed time, both or neither.
    pub(crate) fn new(
        clock: Option<Clock>,
        fixed: Option<Duration>,
        overhead: Duration,
    ) -> TimeLimits {
        let mut limits = clock.map_or(TimeLimits::default(), |clock| {
            TimeLimits::on_clock(clock, overhead)
        });
        if let Some(fixed) = fixed {
            let fixed = fixed.min(LONGEST);
            let usable = fixed.saturating_sub(overhead).max(fixed / 2).max(INSTANT);
            limits.hard = Some(limits.hard.map_or(usable, |hard| hard.min(usable)));
        }
        limits
    }

    fn on_clock(clock: Clock, overhead: Duration) -> TimeLimits {
        let remaining = clock.remaining.min(LONGEST);
        let reserve = RESERVE.min(remaining / RESERVE_PART);
        // With less on the clock than the overhead, the game is lost on time unless the overhead is overstated: a
        // tenth of the clock is tried.
        let available = remaining
            .saturating_sub(overhead + reserve)
            .max(remaining / 10);
        let moves = clock
            .moves_to_go
            // Some clients send 0 without a time control.
            .filter(|&moves| moves > 0)
            .map_or(EXPECTED_MOVES, |moves| moves.min(EXPECTED_MOVES));
        let increments = clock.increment.min(LONGEST) * (moves - 1);
        let share = (available + increments) / moves;
        let most = (MOST_PERCENT_SHARED / moves).clamp(MOST_PERCENT, 90);
        let hard = (share * HARD_SHARES)
            .min(available * most / 100)
            .max(INSTANT);
        let soft = (share * SOFT_PERCENT / 100).min(hard);
        TimeLimits {
            soft: Some(soft),
            hard: Some(hard),
        }
    }

    /// The limits with pondering: some of the opponent's time will have been used.
    pub(crate) fn for_pondering(self) -> TimeLimits {
        let soft = self.soft.map(|soft| soft * PONDER_PERCENT / 100);
        TimeLimits {
            soft: soft.map(|soft| self.hard.map_or(soft, |hard| soft.min(hard))),
            hard: self.hard,
        }
    }

    /// The limits for an only move: time is better spent on other moves.
    pub(crate) fn for_only_move(self) -> TimeLimits {
        match (self.soft, self.hard) {
            (Some(_), Some(hard)) => TimeLimits {
                soft: Some(Duration::ZERO),
                hard: Some(hard.min(FORCED)),
            },
            _ => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn millis(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: millis(remaining),
            increment: millis(increment),
            moves_to_go,
        }
    }

    fn soft_and_hard(clock: Clock) -> (Duration, Duration) {
        let limits = TimeLimits::new(Some(clock), None, OVERHEAD);
        (limits.soft.unwrap(), limits.hard.unwrap())
    }

    #[test]
    fn short_clocks_are_answered_at_once() {
        assert!(soft_and_hard(clock(100, 0, None)).1 <= millis(40));
        assert_eq!(soft_and_hard(clock(10, 0, None)).1, millis(1));
        assert_eq!(soft_and_hard(clock(1, 0, None)).1, millis(1));
        assert_eq!(soft_and_hard(clock(0, 0, Some(1))).1, millis(1));
        assert_eq!(soft_and_hard(clock(0, 5_000, None)).1, millis(1));
    }

    /// Checks that a game of `moves` moves leaves more than `reserve` milliseconds; each move takes what `spent` makes of
    /// its soft and hard limits.
    fn leaves(
        reserve: u64,
        mut clock: Clock,
        moves: u32,
        spent: fn(Duration, Duration) -> Duration,
    ) {
        for _ in 0..moves {
            let (soft, hard) = soft_and_hard(clock);
            assert!(hard < clock.remaining / 2, "{hard:?} {clock:?}");
            let left = clock.remaining.checked_sub(spent(soft, hard));
            clock.remaining = left.unwrap() + clock.increment;
        }
        assert!(clock.remaining > millis(reserve), "{clock:?}");
    }

    #[test]
    fn games_of_any_length_leave_a_reserve() {
        // A minute lasts for many moves.
        leaves(5_000, clock(60_000, 0, None), 60, |soft, hard| {
            assert!(soft < hard, "{soft:?} {hard:?}");
            soft
        });
        leaves(150, clock(2_000, 100, None), 200, |_, hard| {
            // Every move takes all it may, and half the increment more.
            hard + millis(50)
        });
        // The shortest games have room for a stall.
        leaves(200, clock(1_000, 10, None), 200, |soft, _| soft);
    }

    #[test]
    fn increments_and_time_controls_are_used() {
        let plain = soft_and_hard(clock(60_000, 0, None)).0;
        assert!(soft_and_hard(clock(60_000, 1_000, None)).0 > plain + millis(400));
        assert!(soft_and_hard(clock(60_000, 0, Some(5))).0 > plain * 3);
        // The last move before the control may take most of the clock, but not all.
        let (_, hard) = soft_and_hard(clock(10_000, 0, Some(1)));
        assert!(hard > millis(8_000) && hard < millis(9_900));
        // Some clients send 0 without a time control.
        assert_eq!(
            soft_and_hard(clock(10_000, 0, Some(0))),
            soft_and_hard(clock(10_000, 0, None))
        );
    }

    #[test]
    fn a_fixed_time_is_kept_less_the_overhead() {
        let hard = |fixed| {
            TimeLimits::new(None, Some(millis(fixed)), OVERHEAD)
                .hard
                .unwrap()
        };
        assert_eq!(hard(1_000), millis(980));
        assert_eq!(hard(30), millis(15));
        assert_eq!(hard(1), millis(1));
        assert_eq!(hard(0), millis(1));
        let both = TimeLimits::new(Some(clock(1_000, 0, None)), Some(millis(5_000)), OVERHEAD);
        assert_eq!(
            both.hard,
            TimeLimits::new(Some(clock(1_000, 0, None)), None, OVERHEAD).hard
        );
    }

    #[test]
    fn an_only_move_costs_next_to_nothing_but_only_on_a_clock() {
        let limits = TimeLimits::new(Some(clock(60_000, 0, None)), None, OVERHEAD).for_only_move();
        assert_eq!(limits.soft, Some(Duration::ZERO));
        assert_eq!(limits.hard, Some(FORCED));
        let fixed = TimeLimits::new(None, Some(millis(500)), OVERHEAD);
        assert_eq!(fixed.for_only_move(), fixed);
        assert_eq!(TimeLimits::default().for_only_move(), TimeLimits::default());
    }

    proptest! {
        #[test]
        fn no_clock_is_ever_overdrawn(
            remaining in any::<u64>(),
            increment in any::<u64>(),
            moves_to_go in any::<Option<u32>>(),
            overhead in 0_u64..10_000,
        ) {
            let clock = clock(remaining, increment, moves_to_go);
            let limits = TimeLimits::new(Some(clock), None, millis(overhead));
            let (soft, hard) = (limits.soft.unwrap(), limits.hard.unwrap());
            prop_assert!(soft <= hard && hard >= millis(1));
            let spare = remaining.saturating_sub(overhead).max(remaining / 10).max(1);
            prop_assert!(hard <= millis(spare));
        }
    }
}
