//! What the paper printed. Its rows for all depths of O are the same, so there is one for each depth
//! of X; columns are X's moves 1, 3, 5, 7 and 9.

use super::Grid;

/// Table 1, maximum conspiracy numbers.
pub(super) const MAX_CN: Grid<u32> = [
    [8, 6, 4, 2, 1],
    [56, 26, 10, 2, 1],
    [136, 89, 17, 2, 1],
    [360, 206, 17, 2, 1],
    [648, 295, 17, 2, 1],
];

/// Table 2, minimum conspiracy numbers.
pub(super) const MIN_CN: Grid<u32> = [
    [1, 1, 1, 0, 0],
    [6, 4, 0, 0, 0],
    [4, 3, 1, 0, 0],
    [13, 5, 0, 0, 0],
    [13, 5, 0, 0, 0],
];

/// Table 3, final scores, the same for all depths of O.
pub(super) const FINAL_SCORES: [i32; 5] = [0, 0, -100, -100, -100];
