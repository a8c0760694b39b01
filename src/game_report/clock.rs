//! Time spent on moves, from the comments of a game.
//!
//! `[%emt 0:00:02]` is the time of a move. `[%clk 0:09:58]` is the mover's clock after the move: the time is the
//! difference to the mover's previous clock, plus the increment of the tag `TimeControl`, which also has the initial
//! time. Where a clock shows more than that allows, as after a time control, the time is unknown. In correspondence games
//! (`1/86400`) each move has that time for itself.

use crate::games::chess::pgn::PgnGame;

/// The mover's clock after the move that is played at `ply`, and the time spent on it, in seconds; `None` if unknown.
pub(super) fn of(game: &PgnGame, ply: usize) -> [Option<f64>; 2] {
    let spots = &game.layout.moves;
    let Some(spot) = spots.get(ply) else {
        return [None; 2];
    };
    let control = game.tag("TimeControl").unwrap_or_default();
    let (base_ms, increment_ms) = time_control(control);
    let difference = || {
        let now = spot.clock_ms?;
        if control.starts_with("1/") {
            return base_ms?.checked_sub(now);
        }
        match ply.checked_sub(2) {
            Some(last) => (spots[last].clock_ms? + increment_ms).checked_sub(now),
            // Half of it was given away before the game (berserk), unless somebody thought for just as long.
            None if base_ms? == 2 * now => None,
            // Some servers add the increment before the first move, some do not.
            None => base_ms?
                .checked_sub(now)
                .or_else(|| (base_ms? + increment_ms).checked_sub(now)),
        }
    };
    let spent_ms = spot.elapsed_ms.or_else(difference);
    [spot.clock_ms, spent_ms].map(|it| it.map(|ms| ms as f64 / 1_000.0))
}

/// Initial time and increment, in milliseconds, of a control such as `300+3`; of several stages (`40/7200:3600`) the
/// first.
fn time_control(text: &str) -> (Option<u64>, u64) {
    let first = text.split(':').next().unwrap_or_default();
    let first = first.split_once('/').map_or(first, |(_, time)| time);
    let (base, increment) = first.split_once('+').unwrap_or((first, "0"));
    let ms = |text: &str| {
        let seconds: f64 = text.trim().parse().ok()?;
        let is_time = (0.0..1e7).contains(&seconds);
        is_time.then(|| (1_000.0 * seconds).round() as u64)
    };
    (ms(base), ms(increment).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::pgn::Games;

    fn spent(text: &str) -> Vec<Option<f64>> {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        let plies = 0..game.moves.len();
        plies.map(|ply| of(&game, ply)[1]).collect()
    }

    #[test]
    fn clocks_tell_what_moves_took() {
        let text = "[TimeControl \"300+3\"]\n\n1. e4 {[%clk 0:05:00]} e5 {[%clk 0:04:58]} 2. Nf3 {x [%clk 0:05:01]} \
            Nc6 {[%clk 0:04:31.5]} 3. Bb5 {[%clk 0:06:00]} a6 *";
        let expected = [Some(0.0), Some(2.0), Some(2.0), Some(29.5), None, None];
        assert_eq!(spent(text), expected);
    }

    #[test]
    fn a_clock_may_begin_anew_or_with_half_of_the_time() {
        let daily = "[TimeControl \"1/86400\"]\n\n1. e4 {[%clk 23:00:00]} e5 {[%clk 23:59:00]} \
            2. Nf3 {[%clk 12:00:00]} *";
        assert_eq!(spent(daily), [Some(3_600.0), Some(60.0), Some(43_200.0)]);
        let berserk = "[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:01:30]} e5 {[%clk 0:03:00]} *";
        assert_eq!(spent(berserk), [None, Some(0.0)]);
    }

    #[test]
    fn what_is_told_outright_comes_first() {
        let text =
            "1. e4 {[%emt 0:00:07] [%clk 0:09:00]} e5 {[%clk 0:10:00]} 2. Nf3 {[%clk 0:08:50]} *";
        assert_eq!(spent(text), [Some(7.0), None, Some(10.0)]);
        assert_eq!(spent("1. e4 e5 *"), [None, None]);
    }

    #[test]
    fn time_controls_are_read() {
        assert_eq!(time_control("300+3"), (Some(300_000), 3_000));
        assert_eq!(time_control("40/7200:3600"), (Some(7_200_000), 0));
        assert_eq!(time_control("60.5+0.6"), (Some(60_500), 600));
        for text in ["", "-", "?", "*180x"] {
            assert_eq!(time_control(text), (None, 0), "{text}");
        }
    }
}
