//! Time controls, as in the tag `TimeControl`.

/// A stage of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Stage {
    /// Moves after which the next stage begins; `None` for the rest of the game.
    moves: Option<u32>,
    /// Time that the stage adds, in milliseconds.
    pub(super) base_ms: u64,
    /// Time that each move adds, in milliseconds.
    pub(super) increment_ms: u64,
}

/// A time control; without stages if it is unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Control {
    stages: Vec<Stage>,
}

impl Control {
    /// Reads a control such as `300+3`, `40/7200:3600`, `40/5400+30:1800+30` or `1/86400`.
    pub(super) fn read(text: &str) -> Control {
        let stages: Option<Vec<Stage>> = text.split(':').map(Stage::read).collect();
        Control {
            stages: stages.unwrap_or_default(),
        }
    }

    pub(super) fn is_known(&self) -> bool {
        !self.stages.is_empty()
    }

    /// Time before the first move, in milliseconds.
    pub(super) fn base_ms(&self) -> Option<u64> {
        self.stages.first().map(|it| it.base_ms)
    }

    /// Whether any move adds time.
    pub(super) fn has_increments(&self) -> bool {
        self.stages.iter().any(|it| it.increment_ms > 0)
    }

    /// Whether each move has time for itself, as in correspondence games.
    pub(super) fn is_for_each_move(&self) -> bool {
        matches!(self.stages[..], [Stage { moves: Some(1), .. }])
    }

    /// The stage of a move, by its number from 1, and the stage that begins when it is made. The last stage is
    /// repeated if its moves are limited.
    pub(super) fn stage(&self, number: u32) -> (Stage, Option<Stage>) {
        let mut left = number;
        let mut stages = self.stages.iter().copied().peekable();
        while let Some(stage) = stages.next() {
            let Some(moves) = stage.moves else {
                return (stage, None);
            };
            let Some(&next) = stages.peek() else {
                return (stage, left.is_multiple_of(moves).then_some(stage));
            };
            if left <= moves {
                return (stage, (left == moves).then_some(next));
            }
            left -= moves;
        }
        (Stage::default(), None)
    }
}

impl Stage {
    fn read(text: &str) -> Option<Stage> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let moves: u32 = moves.trim().parse().ok()?;
                (Some(moves).filter(|&it| it > 0), time)
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let ms = |text: &str| {
            let seconds: f64 = text.trim().parse().ok()?;
            let is_time = (0.0..1e7).contains(&seconds);
            is_time.then(|| (1_000.0 * seconds).round() as u64)
        };
        Some(Stage {
            moves,
            base_ms: ms(base)?,
            increment_ms: ms(increment)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        for (text, base_ms) in [
            ("300+3", 300_000),
            ("40/7200:3600", 7_200_000),
            ("60.5+0.6", 60_500),
            ("1/86400", 86_400_000),
        ] {
            assert_eq!(Control::read(text).base_ms(), Some(base_ms), "{text}");
        }
        for text in ["", "-", "?", "*180", "180x", "40/90,30", "5/move", "300+x"] {
            assert!(!Control::read(text).is_known(), "{text}");
        }
    }

    #[test]
    fn each_move_has_its_stage() {
        let told = |control: &str, number| {
            let (stage, next) = Control::read(control).stage(number);
            let next = next.map(|it| it.base_ms / 1_000);
            (stage.increment_ms / 1_000, next)
        };
        let control = "40/5400+10:20/1800:900+30";
        for (number, expected) in [
            (1, (10, None)),
            (40, (10, Some(1_800))),
            (41, (0, None)),
            (60, (0, Some(900))),
            (61, (30, None)),
            (u32::MAX, (30, None)),
        ] {
            assert_eq!(told(control, number), expected, "{number}");
        }
        // A control for some moves is repeated.
        assert_eq!(told("40/60+1", 80), (1, Some(60)));
        assert_eq!(told("40/60+1", 81), (1, None));
        assert_eq!(told("0/60", 1), (0, None));
        assert_eq!(told("?", 1), (0, None));
    }
}
