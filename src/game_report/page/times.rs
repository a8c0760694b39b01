//! Times of moves as bars over the game: White's above the line, Black's below.

use super::chart::{BOTH_SIDES, Chart, MIDDLE, REACH, SIDES, line};
use super::score::minutes;

/// Possible distances between lines of the scale, in seconds.
const STEPS: [f64; 12] = [
    1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1_800.0, 3_600.0,
];

/// Label of a line of the scale, rounded to a tenth: `20`, `2.5`.
fn label(number: f64) -> String {
    let number = (number * 10.0).round() / 10.0;
    format!("{number}")
}

impl Chart<'_> {
    /// The chart as HTML; empty if the game has no times.
    pub(super) fn times(&self) -> String {
        let spent = self.rows.iter().filter_map(|row| row.facts.spent_s);
        let longest = spent.fold(0.0, f64::max);
        if longest <= 0.0 {
            return String::new();
        }
        // Two lines on each side suffice as a scale.
        let step = STEPS.into_iter().rfind(|&it| 2.0 * it <= longest);
        let step = step.unwrap_or(longest);
        let length = |seconds: f64| seconds / longest * REACH;
        // The unit keeps labels short: on a phone they are large.
        let (unit, seconds_in) = match longest {
            ..120.0 => ("seconds", 1.0),
            ..7_200.0 => ("minutes", 60.0),
            _ => ("hours", 3_600.0),
        };
        let mut grid = line("zero", MIDDLE, "0");
        for seconds in [step, 2.0 * step].into_iter().filter(|&it| it <= longest) {
            for y in [MIDDLE - length(seconds), MIDDLE + length(seconds)] {
                grid += &line("line", y, &label(seconds / seconds_in));
            }
        }
        let width = (0.7 * self.step()).min(9.0);
        let bars = SIDES.map(|(class, black)| {
            let rows = self.rows.iter().filter(|row| row.black == black);
            let bars = rows.filter_map(|row| {
                let length = length(row.facts.spent_s?);
                let length = if black { length } else { -length };
                let x = self.x(row.ply) - width / 2.0;
                Some(format!("M{x:.1} {MIDDLE}v{length:.1}h{width:.1}V{MIDDLE}z"))
            });
            let path: String = bars.collect();
            format!("<path class=\"bar {class}\" d=\"{path}\"/>")
        });
        let told = format!("Time per move: the longest took {}.", minutes(longest));
        let name = format!("Time per move, in {unit}");
        self.frame(&name, BOTH_SIDES, &told, &grid, &bars.concat())
    }
}
