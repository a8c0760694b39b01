//! Where verdicts fall: places on a search's line, and what a far longer search changes there.
//!
//! A verdict is a move, a value and a line. It *falls* if the same search with [`TIMES`](record::TIMES) times the nodes
//! changes the value by a tenth of a point or finds that the move loses a twentieth. The *place of a fall* is the first
//! move of the longer search's line that is not on the verdict's, with the position where it is played. The look after
//! a search says which places are likely; [`sampling`] records how searches fell, [`fitting`] learns from that and holds the
//! likely places against names that anybody could give.

pub mod fitting;
mod look;
pub mod record;
pub mod sampling;
