//! The moves of one side, with their times as told and as the differences of clocks.

use super::control::Control;
use crate::games::chess::pgn::PgnGame;

/// A rise from here on is a new stage rather than an increment, in milliseconds.
const STAGE_MS: u64 = 300_000;
/// Error of times by rounding, in milliseconds.
const ROUNDED_MS: u64 = 1_000;

/// A move of a side.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockedMove {
    /// Its number, as players count.
    number: u32,
    /// The clock after it, in milliseconds.
    pub(super) clock: Option<u64>,
    /// Time spent on it that is told outright, in milliseconds.
    told: Option<u64>,
}

/// Differences of a side's clocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    /// Time spent on each move, in milliseconds.
    pub(super) spent: Vec<Option<u64>>,
    /// Number of moves with a clock before and after.
    pub(super) known: usize,
    /// Number of moves after which the clock shows more than it can, but for new stages.
    pub(super) rises: usize,
}

/// The side whose first move is the game's first or second.
pub(super) fn turns(game: &PgnGame, first: usize, has_hours: Option<bool>) -> Vec<ClockedMove> {
    let start = &game.start;
    let spots = game.layout.moves.iter().enumerate();
    let own = spots.skip(first).step_by(2);
    let turns = own.map(|(ply, spot)| {
        let halves = ply as u32 + u32::from(start.is_black_to_move());
        let number = start.fullmoves().saturating_add(halves / 2);
        let clock = spot.clock.and_then(|it| match has_hours {
            _ if !it.is_short => Some(it.ms),
            Some(true) => it.ms.checked_mul(60),
            Some(false) => Some(it.ms),
            None => None,
        });
        // Beside clocks in hours and minutes nobody knows.
        let told = spot
            .elapsed
            .filter(|it| !it.is_short || has_hours != Some(true));
        let told = told.map(|it| it.ms);
        ClockedMove {
            number,
            clock,
            told,
        }
    });
    turns.collect()
}

/// The times told outright; `None` if they are more than the control allows.
pub(super) fn times_told(turns: &[ClockedMove], control: &Control) -> Option<Vec<Option<u64>>> {
    let is_whole = turns.first().is_some_and(|it| it.number == 1);
    let mut available = control.base_ms().filter(|_| is_whole);
    let mut sum = 0;
    let mut before = None;
    let mut told = Vec::new();
    for turn in turns {
        let (stage, next) = control.stage(turn.number);
        let added = stage.increment_ms + next.map_or(0, |it| it.base_ms);
        if control.is_for_each_move() {
            (available, sum) = (Some(stage.base_ms), 0);
        }
        sum += turn.told.unwrap_or(0);
        if let Some(available) = &mut available {
            *available += stage.increment_ms;
            let most = *available + ROUNDED_MS;
            if turn.told > Some(most) || sum > most + *available / 10 {
                return None;
            }
            *available += next.map_or(0, |it| it.base_ms);
        }
        // Nobody spends more than the clock before has.
        let most = before.filter(|_| !control.is_for_each_move());
        let most = most.map_or(u64::MAX, |it: u64| it + added + ROUNDED_MS);
        told.push(turn.told.filter(|&it| it <= most));
        before = turn.clock;
    }
    Some(told)
}

impl Differences {
    /// Compares the clocks of a side, which had the time `first` for its first move. Clocks are precise to `unit`.
    pub(super) fn of(
        turns: &[ClockedMove],
        first: Option<u64>,
        control: &Control,
        unit: u64,
    ) -> Differences {
        let mut found = Differences {
            spent: vec![None; turns.len()],
            ..Differences::default()
        };
        let last_rise = last_rise(turns, control);
        let mut before = None;
        // Time of a new stage that the clock does not show yet.
        let mut awaited = None;
        for (index, turn) in turns.iter().enumerate() {
            let (stage, next) = control.stage(turn.number);
            awaited = next.map(|it| it.base_ms).or(awaited);
            let had = match index {
                0 => first,
                _ => before.map(|it: u64| it + stage.increment_ms),
            };
            before = turn.clock;
            let (Some(had), Some(now)) = (had, turn.clock) else {
                awaited = None;
                continue;
            };
            found.known += 1;
            let added: u64 = awaited.unwrap_or(0);
            if let Some(spent) = had.checked_sub(now) {
                // Has the new stage begun after a long thought, or does the clock show it later?
                let is_open = next.is_some() && spent + added <= had && last_rise <= index;
                found.spent[index] = Some(spent).filter(|_| !is_open);
            } else if let Some(spent) = (had + added).checked_sub(now)
                && (spent <= had || 2 * (now - had) >= added)
            {
                found.spent[index] = Some(spent);
                awaited = None;
            } else {
                found.rises += usize::from((unit..STAGE_MS).contains(&(now - had)));
            }
        }
        found
    }
}

/// Index of the last move after which the clock shows more than before and its increment.
fn last_rise(turns: &[ClockedMove], control: &Control) -> usize {
    let pairs = turns.windows(2).rposition(|pair| {
        let (stage, _) = control.stage(pair[1].number);
        let before = pair[0].clock.map(|it| it + stage.increment_ms);
        before
            .zip(pair[1].clock)
            .is_some_and(|(before, now)| now > before)
    });
    pairs.map_or(0, |it| it + 1)
}
