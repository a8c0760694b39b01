//! Alpha-beta's techniques and their parameters.
//!
//! Every technique is a field of [`Settings`]; [`Settings::plain`] and [`Settings::full`] are the two presets. Margins
//! are in centipawns and must suit the evaluator: with steps of 100, as in the tactical one, "50" and "1" mean the
//! same.

use crate::search::kit::team::Threads;

/// Deepest iteration.
pub const MAX_DEPTH: u32 = 120;

/// Settings of an alpha-beta search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Transposition table (D. Slate and L. Atkin, "Chess 4.5", 1977): transpositions are searched once, and the last
    /// iteration's best moves come first in the next.
    pub table: bool,
    /// Memory for the table, in MiB.
    pub hash_megabytes: usize,
    /// Number of threads; without a table all would do the same search.
    pub threads: Threads,
    /// Order quiet moves by their cutoffs after the moves one and two plies earlier, too; try the refutation of the
    /// previous move early.
    pub continuation_history: bool,
    /// Weight, in sixteenths, of corrections of static values by what searches of positions with the same parts found;
    /// 0 is off.
    pub correction: i32,
    /// Try captures that lose material by static exchange after the quiet moves.
    pub exchange_ordering: bool,
    /// Extend evasions of check by a ply: a forced move says little.
    pub check_extension: bool,
    /// Search all but the first move with a null window, and again only if they surprise (A.
    /// Reinefeld, "An improvement to the scout tree-search algorithm", ICCA Journal 6(4), 1983).
    pub principal_variation: bool,
    /// Start with a window around the last iteration's value.
    pub aspiration: Option<Aspiration>,
    /// Null-move pruning: a position that fails high after a pass would do so anyway.
    pub null_move: Option<NullMove>,
    /// Reduce late moves: good ordering has put the good ones first.
    pub reductions: Option<Reductions>,
    /// Prune positions whose static value is far outside the window.
    pub static_pruning: Option<StaticPruning>,
    /// Prune moves near the leaves that are unlikely to matter.
    pub move_pruning: Option<MovePruning>,
    /// Extend a move that is better than all others by a margin.
    pub singular: Option<Singular>,
    /// Reduce by a ply where the table has no move, from this depth on: without a good first move the effort is ill
    /// spent, and the next visit will have one.
    pub internal_reduction: Option<i32>,
}

/// Aspiration windows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Aspiration {
    /// First iteration with such a window.
    pub min_depth: i32,
    /// Half width of the first window, in centipawns.
    pub half_width: i32,
}

/// Null move (G. Goetsch and M. Campbell, "Experiments with the null-move heuristic", 1990), with a
/// reduction that grows with depth and with the margin by which the position already stands better
/// (E. Heinz, "Adaptive null-move pruning", ICCA Journal 22(3), 1999).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NullMove {
    /// Least depth.
    pub min_depth: i32,
    /// Reduction in plies, to which those by depth and by value are added.
    pub reduction: i32,
    /// Depth over this is added to the reduction.
    pub depth_divisor: i32,
    /// Centipawns above beta over this are added to the reduction.
    pub value_divisor: i32,
    /// Most plies that the value adds to the reduction.
    pub most_for_value: i32,
    /// Least depth for verification by a search without null move, against errors in zugzwang.
    pub verification_depth: i32,
}

/// Late-move reductions, logarithmic in depth and in the number of the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reductions {
    /// Least depth.
    pub min_depth: i32,
    /// Reduction at depth and number 1, in hundredths of a ply.
    pub base: i32,
    /// The product of the two logarithms over this, in hundredths, is added to the reduction.
    pub divisor: i32,
    /// History over this is subtracted, in plies; negative history adds.
    pub history_divisor: i32,
}

/// Pruning of whole positions by their static value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaticPruning {
    /// Reverse futility pruning: largest depth.
    pub reverse_depth: i32,
    /// Reverse futility pruning: a static value this much above beta for each ply is a cutoff.
    pub reverse_margin: i32,
}

/// Pruning of single moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovePruning {
    /// Late-move pruning: largest depth.
    pub late_depth: i32,
    /// Late-move pruning: quiet moves are pruned after this many moves plus the square of the depth (half if not
    /// improving).
    pub late_base: i32,
    /// Futility pruning: largest depth (after reduction).
    pub futility_depth: i32,
    /// Futility pruning: quiet moves are pruned if the static value is below alpha by this much.
    pub futility_base: i32,
    /// Futility pruning: added to `futility_base` for each ply.
    pub futility_margin: i32,
    /// Pruning by static exchange: largest depth.
    pub exchange_depth: i32,
    /// Pruning by static exchange: most that a quiet move may lose for each ply (after reduction).
    pub exchange_quiet: i32,
    /// Pruning by static exchange: most that a capture may lose for each ply.
    pub exchange_capture: i32,
}

/// Singular extensions (T. Anantharaman, M. Campbell and F.-h. Hsu, "Singular extensions: adding selectivity to
/// brute-force searching", 1990): a shallow search of the other moves tests the table move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Singular {
    /// Least depth.
    pub min_depth: i32,
    /// The table entry may be this many plies shallower.
    pub table_slack: i32,
    /// All other moves must fall short by this much for each ply of depth, in hundredths of a centipawn.
    pub margin_per_ply: i32,
    /// If they fall short by this much more, the extension is two plies.
    pub double_margin: i32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::full()
    }
}

impl Settings {
    /// Alpha-beta as in Phoenix, the opponent in the thesis (chapter 5.2): iterative deepening,
    /// transposition table, killers, history, check extension.
    pub const fn plain() -> Settings {
        Settings {
            table: true,
            hash_megabytes: 64,
            threads: Threads::ONE,
            continuation_history: false,
            correction: 0,
            exchange_ordering: false,
            check_extension: true,
            principal_variation: false,
            aspiration: None,
            null_move: None,
            reductions: None,
            static_pruning: None,
            move_pruning: None,
            singular: None,
            internal_reduction: None,
        }
    }

    /// The strongest settings known: today's alpha-beta.
    pub const fn full() -> Settings {
        Settings {
            continuation_history: true,
            correction: 10,
            exchange_ordering: true,
            principal_variation: true,
            aspiration: Some(Aspiration {
                min_depth: 4,
                half_width: 10,
            }),
            null_move: Some(NullMove {
                min_depth: 3,
                reduction: 5,
                depth_divisor: 4,
                value_divisor: 100,
                most_for_value: 3,
                verification_depth: 12,
            }),
            reductions: Some(Reductions {
                min_depth: 3,
                base: 82,
                divisor: 196,
                history_divisor: 19_200,
            }),
            static_pruning: Some(StaticPruning {
                reverse_depth: 6,
                reverse_margin: 55,
            }),
            move_pruning: Some(MovePruning {
                late_depth: 10,
                late_base: 5,
                futility_depth: 4,
                futility_base: 52,
                futility_margin: 91,
                exchange_depth: 5,
                exchange_quiet: 54,
                exchange_capture: 118,
            }),
            singular: Some(Singular {
                min_depth: 7,
                table_slack: 2,
                margin_per_ply: 287,
                double_margin: 130,
            }),
            internal_reduction: Some(3),
            ..Settings::plain()
        }
    }

    /// No technique that could change the value of a search to a given depth, nor deepen it: results must agree with
    /// plain minimax.
    pub const fn exact() -> Settings {
        Settings {
            check_extension: false,
            aspiration: Settings::full().aspiration,
            continuation_history: true,
            exchange_ordering: true,
            principal_variation: true,
            // Entries deeper than asked for would make a position's value that of a deeper search.
            table: false,
            ..Settings::plain()
        }
    }
}
