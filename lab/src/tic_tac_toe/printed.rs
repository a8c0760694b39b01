//! The paper's printed numbers. Each row is a depth of X, from 2 to 6, and holds for all depths of O; columns are X's moves 1, 3,
//! 5, 7 and 9.

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

/// MaxCN and MinCN at a move, if printed.
pub(super) type Told = [Option<u32>; 2];

/// Figure 2, X at depth 2 against O at depth 3: X's moves by tables 1 and 2, O's by the prose of section 3.1.
pub(super) const FIGURE_2: [Told; 9] = [
    [Some(8), Some(1)],
    [Some(22), Some(4)],
    [Some(6), Some(1)],
    [Some(8), Some(4)],
    [Some(4), Some(1)],
    [None, Some(1)],
    [Some(2), Some(0)],
    [None, None],
    [Some(1), Some(0)],
];

/// Figure 3, X at depth 5 against O at depth 4. The prose gives X's first MinCN as 4, table 2 as 13.
pub(super) const FIGURE_3: [Told; 9] = [
    [Some(360), Some(13)],
    [Some(62), Some(13)],
    [Some(206), Some(5)],
    [None, None],
    [Some(17), Some(0)],
    [None, None],
    [Some(2), Some(0)],
    [None, None],
    [Some(1), Some(0)],
];

/// Table 3, final scores, the same for all depths of O.
pub(super) const FINAL_SCORES: [i32; 5] = [0, 0, -100, -100, -100];
