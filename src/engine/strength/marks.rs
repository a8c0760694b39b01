//! The measured points of the scale of `UCI_Elo`, weakest first. Written by `cassius lab fit-levels`.

use super::scale::{Mark, mark};

#[rustfmt::skip]
pub(super) static MARKS: [Mark; 10] = [
    mark(1200, 600, 100.00, 180.0),
    mark(1300, 600, 100.00, 140.0),
    mark(1500, 600, 100.00, 80.0),
    mark(1700, 600, 70.00, 56.0),
    mark(1900, 740, 40.00, 43.0),
    mark(2100, 1300, 18.00, 32.5),
    mark(2300, 2050, 10.70, 29.0),
    mark(2500, 3410, 5.60, 26.0),
    mark(2700, 6060, 2.80, 22.0),
    mark(3000, 16500, 1.00, 20.0),
];
