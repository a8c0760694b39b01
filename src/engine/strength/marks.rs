//! The measured points of the scale of `UCI_Elo`, weakest first. Written by `cassius lab fit-levels`.

use super::scale::{Level, mark};

#[rustfmt::skip]
pub(super) static MARKS: [(u16, Level); 10] = [
    mark(1200, 600, 100.00, 180.0),
    mark(1300, 600, 100.00, 130.1),
    mark(1500, 600, 95.36, 76.3),
    mark(1700, 600, 73.94, 59.2),
    mark(1900, 681, 49.86, 47.7),
    mark(2100, 887, 30.93, 39.3),
    mark(2300, 1284, 18.31, 32.7),
    mark(2500, 2161, 10.01, 28.7),
    mark(2700, 3989, 4.64, 24.8),
    mark(3000, 12334, 1.35, 20.6),
];
