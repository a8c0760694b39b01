//! Values as they are known after a search: a mate as short as can be proven, and whether it is the shortest.

use crate::game::{Game as _, Root};
use crate::games::chess::line::playable;
use crate::games::chess::{Move, Position};
use crate::search::kit::mate_line::{self, Shortest};
use crate::search::{Bound, Report};
use crate::value::Value;

/// A value with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// The value, for the side to move.
    pub(crate) value: Value,
    /// Whether it is a mate that may take fewer moves.
    pub(crate) is_at_most: bool,
    /// The playable part of the line.
    pub(crate) line: Vec<Move>,
}

impl Known {
    /// The value that a search found for the best of these moves, or of all if there are none. A mate is shortened as
    /// far as a limit of its own allows.
    pub(crate) fn of(root: &Root<Position>, report: &Report<Move>, moves: &[Move]) -> Known {
        if report.proof_share.is_some() && report.bound == Bound::Exact && report.value.is_decided()
        {
            // The prover has shown that none is shorter.
            return Known {
                value: report.value,
                is_at_most: false,
                line: playable(root, &report.pv),
            };
        }
        Known::by(root, report.value, &report.pv, moves)
    }

    /// Shortens a mate as [`Known::of`] does, for a `value` with its line.
    pub(crate) fn by(root: &Root<Position>, value: Value, pv: &[Move], moves: &[Move]) -> Known {
        let line = playable(root, pv);
        if !value.is_decided() || !root.position.has_legal_move() {
            return Known {
                value,
                is_at_most: false,
                line,
            };
        }
        match (moves, line.first()) {
            ([], _) => Known::shortest(&root.position, value, line),
            // Another move may mate sooner.
            ([only], Some(&first)) if *only == first && value != Value::win_in(1) => {
                let after = root.position.after(first);
                let rest = Known::shortest(&after, value.to_child(), line[1..].to_vec());
                Known {
                    value: rest.value.from_child(),
                    is_at_most: rest.is_at_most,
                    line: [vec![first], rest.line].concat(),
                }
            }
            _ => Known {
                value,
                is_at_most: value.mate_in_moves().is_some_and(|it| it.abs() > 1),
                line,
            },
        }
    }

    fn shortest(position: &Position, value: Value, line: Vec<Move>) -> Known {
        let Shortest {
            value,
            is_exact,
            line,
        } = mate_line::shortest(position, value, line);
        Known {
            value,
            is_at_most: !is_exact,
            line,
        }
    }
}
