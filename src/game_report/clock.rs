//! Time spent on moves, from the comments of a game.
//!
//! `[%emt 0:00:02]`, or what a program that runs matches writes in place of it, is the time of a move.
//! `[%clk 0:09:58]` is the mover's clock after the move: the time is the difference to the mover's previous clock, plus
//! the increment of the tag `TimeControl`, which also has the initial time and what later stages add. In correspondence
//! games (`1/86400`) each move has that time for itself.
//!
//! Times that the evidence leaves open are unknown: the time of a move after which a clock shows more than it can; all
//! differences if clocks rise more often than the control allows, or rise at all where no control tells of increments;
//! times told outright if they are more than the player had; and clocks such as `1:30` where hours and minutes are as
//! likely as minutes and seconds.

mod control;
mod side;

use self::control::Control;
use self::side::{ClockedMove, Differences};
use crate::games::chess::pgn::{PgnGame, Spot};

/// Clocks of two numbers that begin here have no hours, in milliseconds if read as minutes and seconds.
const LONG_MS: u64 = 300_000;
/// Milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;
/// Most rises for a number of moves that are taken for time given away where the control has no increments.
const RARE: usize = 10;

/// Times of a move, in seconds; `None` if unknown.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Times {
    /// The mover's clock after it.
    pub(super) clock_s: Option<f64>,
    /// Time spent on it.
    pub(super) spent_s: Option<f64>,
}

/// The times of all moves of a game.
pub(super) fn times(game: &PgnGame) -> Vec<Times> {
    let tag = game.tag("TimeControl").unwrap_or_default();
    let control = Control::read(tag);
    let has_hours = has_hours(&game.layout.moves, &control);
    let sides = [0, 1].map(|first| side::turns(game, first, has_hours));
    let told = sides.each_ref().map(|it| side::times_told(it, &control));
    let is_possible = told.iter().all(Option::is_some);
    let counted = if control.is_for_each_move() {
        let spent = |turn: &ClockedMove| control.base_ms()?.checked_sub(turn.clock?);
        Some(sides.each_ref().map(|it| it.iter().map(spent).collect()))
    } else {
        let unit = if has_hours == Some(true) {
            MINUTE_MS
        } else {
            1
        };
        // In an hourglass, one clock rises while the other falls.
        counted(game, &sides, &control, unit).filter(|_| !tag.starts_with('*'))
    };
    let seconds = |ms: Option<u64>| ms.map(|it| it as f64 / 1_000.0);
    let times = (0..game.layout.moves.len()).map(|ply| {
        let (side, index) = (ply % 2, ply / 2);
        let told = told[side].as_ref().filter(|_| is_possible);
        let told = told.and_then(|it| it[index]);
        let counted = counted.as_ref().and_then(|it| it[side][index]);
        Times {
            clock_s: seconds(sides[side][index].clock),
            spent_s: seconds(told.or(counted)),
        }
    });
    times.collect()
}

/// Whether clocks of two numbers are hours and minutes; `None` if there are none, or the evidence does not tell. It is
/// the side's clock before the first of them, or else the initial time: hardly anybody spends half of that on a move.
fn has_hours(spots: &[Spot], control: &Control) -> Option<bool> {
    let of_side = |first: usize| {
        let mut own = spots.iter().skip(first).step_by(2);
        let mut before = control.base_ms();
        let short = own.find_map(|spot| {
            let clock = spot.clock?;
            before = if clock.is_short {
                before
            } else {
                Some(clock.ms)
            };
            clock.is_short.then_some(clock.ms)
        })?;
        let likely = before.map(|it| it / 2..=it + 2 * MINUTE_MS);
        let is_likely = |ms: u64| likely.as_ref().is_some_and(|it| it.contains(&ms));
        match [is_likely(short), is_likely(short.saturating_mul(60))] {
            [true, false] => Some(false),
            [false, true] => Some(true),
            _ => (short >= LONG_MS).then_some(false),
        }
    };
    match [of_side(0), of_side(1)] {
        [Some(white), Some(black)] if white != black => None,
        [white, black] => white.or(black),
    }
}

/// Time spent by the differences of clocks, in milliseconds, for each side; `None` if they contradict the control.
fn counted(
    game: &PgnGame,
    sides: &[Vec<ClockedMove>; 2],
    control: &Control,
    unit: u64,
) -> Option<[Vec<Option<u64>>; 2]> {
    let base = control.base_ms().filter(|_| game.start.fullmoves() == 1);
    let firsts = sides.each_ref().map(|it| it.first()?.clock);
    // Some servers add the increment before the first move, some do not.
    let (first, _) = control.stage(1);
    let is_above = |clock: &u64| base.is_some_and(|it| *clock > it);
    let is_added = firsts.iter().flatten().any(is_above);
    let had = base.map(|it| it + if is_added { first.increment_ms } else { 0 });
    let mut differences = sides
        .each_ref()
        .map(|it| Differences::of(it, had, control, unit));
    let [known, rises] = [
        differences.iter().map(|it| it.known).sum::<usize>(),
        differences.iter().map(|it| it.rises).sum(),
    ];
    let is_likely = match (control.is_known(), control.has_increments()) {
        (false, _) => rises == 0,
        (true, false) => rises * RARE <= known,
        (true, true) => 2 * rises <= known,
    };
    for (found, first) in differences.iter_mut().zip(firsts) {
        // Half of it was given away before the game (berserk), often with the increments, unless somebody thought for
        // just as long.
        if base.is_some() && base == first.map(|it| 2 * it) {
            let unclear = if control.has_increments() {
                usize::MAX
            } else {
                1
            };
            found
                .spent
                .iter_mut()
                .take(unclear)
                .for_each(|it| *it = None);
        }
    }
    is_likely.then(|| differences.map(|it| it.spent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::pgn::Games;

    fn of(text: &str) -> Vec<Times> {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        times(&game)
    }

    fn spent(text: &str) -> Vec<Option<f64>> {
        of(text).iter().map(|it| it.spent_s).collect()
    }

    /// A game with this control and these comments to its moves.
    fn game(control: &str, comments: &[&str]) -> String {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle();
        let moves = moves
            .zip(comments)
            .map(|(m, said)| format!("{m} {{{said}}} "));
        let moves: String = moves.collect();
        format!("[TimeControl \"{control}\"]\n\n{moves}*")
    }

    /// The time spent on each move, in seconds, with `-` for an unknown one; with clocks in a game with this control.
    fn told(control: &str, clocks: &str) -> String {
        let commands: Vec<String> = clocks.split(' ').map(|it| format!("[%clk {it}]")).collect();
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        let words = spent(&game(control, &commands)).into_iter();
        let words = words.map(|it| it.map_or("-".to_owned(), |it| it.to_string()));
        words.collect::<Vec<String>>().join(" ")
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
        // The increments may be gone, too.
        assert_eq!(told("180+2", "1:30 3:00 1:28 2:50"), "- 0 - 12");
        assert_eq!(told("180", "1:30 3:00 1:28 2:50"), "- 0 2 10");
    }

    #[test]
    fn what_is_told_outright_comes_first() {
        let text =
            "1. e4 {[%emt 0:00:07] [%clk 0:09:00]} e5 {[%clk 0:10:00]} 2. Nf3 {[%clk 0:08:50]} *";
        assert_eq!(spent(text), [Some(7.0), None, Some(10.0)]);
        assert_eq!(spent("1. e4 e5 *"), [None, None]);
    }

    #[test]
    fn stages_add_time_and_have_increments_of_their_own() {
        let clocks =
            "0:09:00 0:09:00 0:08:00 0:08:00 0:12:00 0:12:00 0:11:30 0:11:30 0:11:00 0:11:00";
        let expected = "60 60 60 60 60 60 60 60 60 60";
        assert_eq!(told("3/600:300+30", clocks), expected);
        // White's clock shows the new stage one move later; Black has not reached it.
        let clocks = "0:09:00 0:09:00 0:08:30 0:08:59 0:13:20 0:08:58";
        assert_eq!(told("1/600:300+10", clocks), "60 - 40 11 20 11");
        // After a long thought, or later? No clock tells.
        assert_eq!(
            told("2/600:60", "0:09:00 0:09:00 0:07:00 0:09:59"),
            "60 60 - 1"
        );
        assert_eq!(
            told("2/600:900", "0:09:00 0:09:00 0:07:00 0:23:00"),
            "60 60 120 60"
        );
        // The same control again and again.
        let clocks = "0:00:50 0:00:50 0:01:40 0:01:45 0:01:30 0:01:40 0:02:25 0:02:35";
        assert_eq!(told("2/60", clocks), "10 10 10 5 10 5 5 5");
    }

    #[test]
    fn increments_that_no_control_tells_of_leave_times_unknown() {
        let rising = "1:30:20 1:30:10 1:30:16 1:30:18 1:29:50 1:30:40";
        for control in ["?", "", "5400", "*5400", "90 min"] {
            assert_eq!(told(control, rising), "- - - - - -", "{control}");
        }
        assert_eq!(told("5400+30", rising), "10 20 34 22 56 8");
        // A new stage.
        let stage = "0:10:00 0:10:00 0:09:00 0:09:30 0:39:00 0:09:00";
        assert_eq!(told("?", stage), "- - 60 30 - 30");
        // Time that the opponent gave away.
        let mut clocks: Vec<String> = (10..40).rev().map(|it| format!("0:00:{it}")).collect();
        clocks.push("0:00:25".to_owned());
        let expected = "21 22".to_owned() + &" 2".repeat(28) + " -";
        assert_eq!(told("60", &clocks.join(" ")), expected);
    }

    #[test]
    fn clocks_may_have_hours_and_minutes() {
        let clocks = |control: &str, clocks: &str| {
            let commands: Vec<String> =
                clocks.split(' ').map(|it| format!("[%clk {it}]")).collect();
            let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
            let words = of(&game(control, &commands)).into_iter();
            let words = words.map(|it| it.clock_s.map_or("-".to_owned(), |it| it.to_string()));
            words.collect::<Vec<String>>().join(" ")
        };
        let slow = "1:30 1:30 1:29 1:27 1:20 1:18";
        let expected = "5400 5400 5340 5220 4800 4680";
        assert_eq!(clocks("5400+30", slow), expected);
        assert_eq!(told("5400+30", slow), "0 0 90 210 570 570");
        assert_eq!(clocks("90+1", "1:30 1:29"), "90 89");
        assert_eq!(clocks("300+3", "5:00 4:58"), "300 298");
        assert_eq!(
            clocks("40/7200:3600", "1:58 1:59 1:40 0:59"),
            "7080 7140 6000 3540"
        );
        // The clock before tells.
        assert_eq!(
            clocks("?", "1:00:10 1:00:00 0:59 0:58"),
            "3610 3600 3540 3480"
        );
        assert_eq!(clocks("?", "0:01:10 0:01:00 0:59 0:58"), "70 60 59 58");
        assert_eq!(clocks("?", "10:00 9:58"), "600 598");
        // Nothing tells.
        assert_eq!(clocks("?", "1:30 1:30 1:29 1:27"), "- - - -");
        assert_eq!(clocks("5400", "0:40 0:41"), "- -");
    }

    #[test]
    fn programs_write_times_of_their_own() {
        let own = ["+0.25/12 1.2s", "-0.25/12 0.50s", "+M5/20 1,5s", "book"];
        let expected = [Some(1.2), Some(0.5), Some(1.5), None];
        assert_eq!(spent(&game("40/60", &own)), expected);
        let tcec = [
            "d=1, mt=2000, tl=7198000,",
            "d=1, mt=00:01:02, tl=01:59:13,",
        ];
        let expected = [(7_198.0, 2.0), (7_153.0, 62.0)];
        let expected = expected.map(|(clock, spent)| Times {
            clock_s: Some(clock),
            spent_s: Some(spent),
        });
        assert_eq!(of(&game("7200+15", &tcec)), expected);
    }

    #[test]
    fn no_time_is_larger_than_the_player_had() {
        // Minutes for seconds: none of the times can be believed.
        let emt = [
            "[%emt 0:00:02]",
            "[%emt 0:00:01]",
            "[%emt 0:05:00]",
            "[%emt 0:00:01]",
        ];
        assert_eq!(spent(&game("60+1", &emt)), [None; 4]);
        assert_eq!(spent(&game("600", &emt))[2], Some(300.0));
        let cutechess = ["+0.25/12 50s", "0.00/9 1s", "+0.25/12 40s", "0.00/9 1s"];
        assert_eq!(spent(&game("60+1", &cutechess)), [None; 4]);
        assert_eq!(spent(&game("2/60", &cutechess)), [None; 4]);
        assert_eq!(spent(&game("1/60", &cutechess))[2], Some(40.0));
        let clocks = [
            "[%clk 0:05:00]",
            "[%clk 0:05:00]",
            "[%emt 0:06:00] [%clk 0:04:50]",
        ];
        assert_eq!(spent(&game("?", &clocks)), [None, None, Some(10.0)]);
        // A game that begins in the middle.
        let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]\n[TimeControl \"5400\"]\n\n\
            30. e4 {[%clk 0:10:00]} Kd7 {[%clk 0:10:00]} 31. e5 {[%clk 0:09:00]} *";
        assert_eq!(spent(text), [None, None, Some(60.0)]);
    }
}
