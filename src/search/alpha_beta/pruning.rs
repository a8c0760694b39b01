//! What is not searched, or less deep, or deeper.
//!
//! Everything here guesses. The guesses keep three promises: none returns a win or a loss, none
//! leaves out a move while all others lose, and none works in check, where the static value means
//! nothing. So a decided value is always a proof.

use super::node::{Candidate, Context, Node};
use super::settings::{MovePruning, Reductions};
use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::search::budget::Stopped;
use crate::search::ordering::Picker;
use crate::value::{Value, Window};

const TABLE_SIZE: usize = 64;

/// Plies of late-move reduction by depth and number of the move.
pub(super) struct ReductionTable(Box<[[u8; TABLE_SIZE]; TABLE_SIZE]>);

impl ReductionTable {
    /// The table for `reductions`; all zero without.
    pub(super) fn new(reductions: Option<Reductions>) -> ReductionTable {
        let mut table = Box::new([[0; TABLE_SIZE]; TABLE_SIZE]);
        if let Some(settings) = reductions {
            for (depth, row) in table.iter_mut().enumerate().skip(1) {
                for (number, plies) in row.iter_mut().enumerate().skip(1) {
                    let product = (depth as f64).ln() * (number as f64).ln();
                    *plies = (settings.base + product / settings.divisor) as u8;
                }
            }
        }
        ReductionTable(table)
    }

    fn plies(&self, depth: i32, number: usize) -> i32 {
        let depth = (depth.max(0) as usize).min(TABLE_SIZE - 1);
        i32::from(self.0[depth][number.min(TABLE_SIZE - 1)])
    }
}

impl MovePruning {
    /// How many quiet moves are tried at `depth`.
    fn late_limit(&self, depth: i32, improving: bool) -> usize {
        let most = self.late_base + depth * depth;
        (if improving { most } else { most / 2 }).max(1) as usize
    }

    fn futility(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_margin * depth
    }
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// A ply more in check, as long as extensions have not doubled the depth.
    pub(super) fn check_extension(&self, in_check: bool, ply: usize) -> i32 {
        let room = (ply as i32) < 2 * self.iteration;
        i32::from(self.settings.check_extension && in_check && room)
    }

    /// The value of a position that need not be searched, if a cheaper look can tell.
    pub(super) fn prune_position(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
    ) -> Result<Option<Value>, Stopped> {
        let Some(static_value) = context.static_value else {
            return Ok(None);
        };
        if node.pv || node.excluded.is_some() {
            return Ok(None);
        }
        let static_value = refined(static_value, context);
        if let Some(value) = self.futile(node, static_value, context.improving) {
            return Ok(Some(value));
        }
        self.null_move(position, node, static_value)
    }

    /// Reverse futility: near the leaves, a static value far above beta stays there.
    fn futile(&self, node: &Node<G::Move>, static_value: Value, improving: bool) -> Option<Value> {
        let settings = self.settings.static_pruning?;
        let beta = node.window.beta;
        let margin = settings.reverse_margin * (node.depth - i32::from(improving));
        let futile = node.depth <= settings.reverse_depth
            && !beta.is_loss()
            && static_value.offset(-margin) >= beta;
        futile.then_some(static_value)
    }

    /// Null move: if the opponent may move twice and we still stand above beta, a real move will do
    /// as well. Not where [`Game::pass`] sees a zugzwang coming, nor twice in a row.
    fn null_move(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        static_value: Value,
    ) -> Result<Option<Value>, Stopped> {
        let Some(settings) = self.settings.null_move else {
            return Ok(None);
        };
        let (ply, beta) = (node.ply, node.window.beta);
        let after_null = ply > 0 && self.frames[ply - 1].slot.is_none();
        if node.depth < settings.min_depth
            || after_null
            || ply < self.null_move_from
            || static_value < beta
            || beta.is_loss()
        {
            return Ok(None);
        }
        let Some(passed) = position.pass() else {
            return Ok(None);
        };
        let above = i32::from(static_value.get()) - i32::from(beta.get());
        let reduction = settings.reduction
            + node.depth / settings.depth_divisor
            + (above / settings.value_divisor).min(settings.most_for_value);
        let depth = node.depth - reduction;
        self.frames[ply].slot = None;
        self.frames[ply + 1].extended = self.frames[ply].extended;
        let floor = self.path.push_null(position.key());
        let window = Window::at_least(beta).to_child();
        let value = self
            .search(&passed, window, depth, ply + 1, !node.cut)?
            .from_child();
        self.path.pop_null(floor);
        if value < beta {
            return Ok(None);
        }
        // A win after a null move is not a win.
        let value = if value.is_win() { beta } else { value };
        if node.depth < settings.verification_depth || self.null_move_from > 0 {
            return Ok(Some(value));
        }
        self.null_move_from = ply + (3 * depth.max(1) / 4) as usize;
        let verified = self.interior(
            position,
            Node {
                window: Window::at_least(beta),
                pv: false,
                depth: depth.max(1),
                ..*node
            },
        );
        self.null_move_from = 0;
        Ok((verified? >= beta).then_some(value))
    }

    /// Whether a move near the leaves may be left out; may tell the picker that the order of
    /// the rest does not matter.
    pub(super) fn prune_move(
        &self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        candidate: &Candidate<G::Move>,
        gives_check: impl Fn() -> bool,
        picker: &mut Picker<G::Move>,
    ) -> bool {
        let &Candidate { m, number, .. } = candidate;
        let Some(settings) = self.settings.move_pruning else {
            return false;
        };
        let Some(static_value) = context.static_value else {
            return false;
        };
        if node.ply == 0 || number == 1 {
            return false;
        }
        if !position.is_quiet(m) {
            let loss = Value::centipawns(-settings.exchange_capture * node.depth);
            return node.depth <= settings.exchange_depth && !position.exchange_gains(m, loss);
        }
        if node.depth <= settings.late_depth
            && number > settings.late_limit(node.depth, context.improving)
        {
            // All that still come are left out but those that give check.
            picker.stop_ordering();
            return !gives_check();
        }
        let depth = (node.depth - self.reductions.plies(node.depth, number)).max(1);
        let alpha = node.window.alpha;
        let far_below = depth <= settings.futility_depth
            && !alpha.is_decided()
            && static_value.offset(settings.futility(depth)) <= alpha;
        let unloved = depth <= settings.history_depth
            && self.statistics(position, context, m) < -settings.history_margin * depth;
        if (far_below || unloved) && !gives_check() {
            return true;
        }
        let loss = Value::centipawns(-settings.exchange_quiet * depth);
        depth <= settings.exchange_depth && !position.exchange_gains(m, loss) && !gives_check()
    }

    /// History and continuation history of a quiet move, summed.
    fn statistics(&self, position: &G, context: &Context<G::Move>, m: G::Move) -> i32 {
        let slot = position.history_slot(m);
        self.history.quiet(slot) + self.history.continuation(context.previous, slot)
    }

    /// Plies by which a late move is searched less deep than the first.
    pub(super) fn reduction(
        &self,
        position: &G,
        child: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        m: G::Move,
        number: usize,
    ) -> i32 {
        let Some(settings) = self.settings.reductions else {
            return 0;
        };
        if node.depth < settings.min_depth {
            return 0;
        }
        // Forcing moves are what tactics are made of: they are few, and late only for want of better
        // ordering.
        if !position.is_quiet(m) || child.in_check() {
            return 0;
        }
        let code = G::move_code(m);
        let killer = context.refuters.contain(code);
        let plies = self.reductions.plies(node.depth, number)
            + i32::from(node.cut)
            + i32::from(!context.improving)
            - i32::from(node.pv)
            - i32::from(node.in_check)
            - i32::from(killer)
            - self.statistics(position, context, m) / settings.history_divisor;
        plies.clamp(0, (node.depth - 2).max(0))
    }

    /// Plies by which the table's move is searched deeper because all others fall short of it; or,
    /// as an error, a cutoff because even without it another move reaches beta.
    pub(super) fn singular_extension(
        &mut self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        m: G::Move,
    ) -> Result<Result<i32, Value>, Stopped> {
        let (Some(settings), Some(entry)) = (self.settings.singular, context.entry) else {
            return Ok(Ok(0));
        };
        if node.depth < settings.min_depth
            || node.ply == 0
            || node.excluded.is_some()
            || entry.bound == Bound::Upper
            || entry.value.is_decided()
            || i32::from(entry.depth) < node.depth - settings.table_slack
            || self.frames[node.ply].extended > self.iteration
        {
            return Ok(Ok(0));
        }
        let beta = entry
            .value
            .offset(-(settings.margin_per_ply * node.depth / 100));
        let without = self.interior(
            position,
            Node {
                window: Window::at_least(beta),
                pv: false,
                depth: (node.depth - 1) / 2,
                excluded: Some(m),
                ..*node
            },
        )?;
        self.lines[node.ply].clear();
        Ok(if without < beta {
            let far = !node.pv && without < beta.offset(-settings.double_margin);
            Ok(if far { 2 } else { 1 })
        } else if beta >= node.window.beta {
            Err(beta)
        } else if entry.value >= node.window.beta {
            Ok(-2)
        } else if node.cut {
            Ok(-1)
        } else {
            Ok(0)
        })
    }
}

/// The static value, or the table's where that says more.
fn refined<M>(static_value: Value, context: &Context<M>) -> Value {
    match context.entry {
        Some(entry) if !entry.value.is_decided() => match entry.bound {
            Bound::Exact => entry.value,
            Bound::Lower => static_value.max(entry.value),
            Bound::Upper => static_value.min(entry.value),
        },
        _ => static_value,
    }
}
