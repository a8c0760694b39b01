//! The table of late-move reductions of alpha-beta; the default search has surcharges instead, in
//! [`depth_first`](crate::search::depth_first).

use super::settings::Reductions;

/// Depths and numbers of moves in the table; beyond, the logarithms hardly grow.
const TABLE_SIZE: usize = 64;

/// Settings are in hundredths.
const HUNDREDTHS: f64 = 100.0;

/// Plies of late-move reduction by depth and number of the move.
pub(super) struct ReductionTable(Box<[[u8; TABLE_SIZE]; TABLE_SIZE]>);

impl ReductionTable {
    /// The table for `reductions`; all zero without.
    pub(super) fn new(reductions: Option<Reductions>) -> ReductionTable {
        let mut table = Box::new([[0; TABLE_SIZE]; TABLE_SIZE]);
        if let Some(settings) = reductions {
            let [base, divisor] =
                [settings.base, settings.divisor].map(|it| f64::from(it) / HUNDREDTHS);
            for (depth, row) in table.iter_mut().enumerate().skip(1) {
                for (number, plies) in row.iter_mut().enumerate().skip(1) {
                    let product = (depth as f64).ln() * (number as f64).ln();
                    *plies = (base + product / divisor) as u8;
                }
            }
        }
        ReductionTable(table)
    }

    /// Reduction in plies of the `number`-th move, from 1, at `depth`.
    pub(super) fn plies(&self, depth: i32, number: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(TABLE_SIZE - 1);
        i32::from(self.0[depth][number.min(TABLE_SIZE - 1)])
    }
}
