//! Parts that several searches share: budgets and iterations, memory and tables, the path, threads; statistics and order of
//! moves; trees in bounded memory; lines to a mate.

pub(crate) mod arena;
pub(in crate::search) mod budget;
pub(in crate::search) mod correction;
pub(in crate::search) mod deepening;
pub(crate) mod forgetting;
pub(in crate::search) mod histories;
pub(in crate::search) mod history;
pub(crate) mod mate_line;
pub(crate) mod memory;
pub(in crate::search) mod ordering;
pub(crate) mod path;
pub(in crate::search) mod planted;
pub(in crate::search) mod prover;
pub(crate) mod settings_text;
pub(in crate::search) mod sorting;
mod statistics;
pub(in crate::search) mod sync;
pub mod team;
pub(crate) mod transposition_table;

use crate::game::Game;
use crate::value::Value;

/// Plies to a draw by rule at which, or below, searches neither prune nor reduce the moves that put it off: all others may
/// draw.
const RULE_DRAW_NEAR: usize = 12;

/// Whether a draw by rule is so near that the moves that put it off are spared.
#[inline]
pub(in crate::search) fn is_near_rule_draw<G: Game>(position: &G) -> bool {
    position.plies_to_rule_draw() <= RULE_DRAW_NEAR
}

/// Whether a move puts off a near draw by rule, and so is spared.
#[inline]
pub(in crate::search) fn averts_rule_draw<G: Game>(position: &G, m: G::Move) -> bool {
    is_near_rule_draw(position) && position.is_irreversible(m)
}

/// Whether the static value at `ply` is known to be larger than at this side's last turn: if so, the side has moves
/// that work.
#[inline]
pub(in crate::search) fn has_risen(
    ply: usize,
    static_value_at: impl Fn(usize) -> Option<Value>,
) -> bool {
    let before = ply.checked_sub(2).and_then(&static_value_at);
    matches!((before, static_value_at(ply)), (Some(before), Some(now)) if now > before)
}
