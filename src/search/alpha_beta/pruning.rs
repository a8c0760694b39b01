//! Alpha-beta's decisions on pruning, reductions and extensions, each from one position or move. The
//! [recursion](super::recursion) carries them out. Those of the default search are in
//! [`depth_first`](crate::search::depth_first).
//!
//! All decisions are heuristic, but keep three rules: none returns a win or a loss, none
//! prunes a move while all others lose, and none prunes in check, where the static value means
//! nothing. So a decided value is always a proof.

use super::node::{Candidate, Context, Node};
use super::settings::MovePruning;
use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::Bound;
use crate::search::events::{Pruning, Watcher};
use crate::search::kit::averts_rule_draw;
use crate::search::kit::ordering::Picker;
use crate::value::Value;

/// Longest extended line, in multiples of the iteration's depth.
const MOST_EXTENDED: i32 = 2;

/// Margins of singular extensions are in hundredths of a centipawn.
const HUNDREDTHS: i32 = 100;

/// Singular extension of the table's move, in plies.
const ALONE: i32 = 1;

/// Singular extension of the table's move if all others fall far short, in plies.
const FAR_ALONE: i32 = 2;

/// Negative extension of the table's move, in plies, if others come near it and the table's value cuts off: another
/// is likely to cut off too.
const ONE_OF_SEVERAL: i32 = -2;

/// Negative extension of the table's move at an expected cut node, in plies, if others come near it.
const MAYBE_ONE_OF_SEVERAL: i32 = -1;

/// The decision on the table's move after the search of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Singularity {
    /// Extend it by these plies, negative to reduce it.
    Extend(i32),
    /// Multi-cut: another move reaches beta, with this value.
    Cutoff(Value),
}

impl MovePruning {
    /// Number of moves after which quiet ones are pruned at `depth`.
    fn late_limit(&self, depth: i32, improving: bool) -> usize {
        let most = self.late_base + depth * depth;
        (if improving { most } else { most / 2 }).max(1) as usize
    }

    fn futility(&self, depth: i32) -> i32 {
        self.futility_base + self.futility_margin * depth
    }
}

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Check extension of one ply, unless extensions have doubled the depth.
    pub(super) fn check_extension(&self, in_check: bool, ply: usize) -> i32 {
        let room = (ply as i32) < MOST_EXTENDED * self.iteration;
        i32::from(self.settings.check_extension && in_check && room)
    }

    /// Internal iterative reduction, in plies, if the table has no move.
    pub(super) fn internal_reduction(&self, node: &Node<G::Move>, no_move: bool) -> i32 {
        let is_deep = self
            .settings
            .internal_reduction
            .is_some_and(|from| node.depth >= from);
        i32::from(is_deep && no_move && node.excluded.is_none() && (node.cut || node.pv))
    }

    /// The static value by which a position may be pruned: `None` in check, where it means nothing, where
    /// an exact value is wanted, and in singular searches.
    pub(super) fn pruning_value(
        &self,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
    ) -> Option<Value> {
        if node.pv || node.excluded.is_some() {
            return None;
        }
        Some(refined(context.static_value?, context))
    }

    /// Reverse futility: near the leaves, a static value far above beta stays there.
    pub(super) fn futile(
        &self,
        node: &Node<G::Move>,
        static_value: Value,
        improving: bool,
    ) -> Option<Value> {
        let settings = self.settings.static_pruning?;
        let beta = node.window.beta;
        let margin = settings.reverse_margin * (node.depth - i32::from(improving));
        let futile = node.depth <= settings.reverse_depth
            && !beta.is_loss()
            && static_value.offset(-margin) >= beta;
        futile.then_some(static_value)
    }

    /// Plies to go after a null move; `None` if it is not to be tried. Never two in a row.
    pub(super) fn null_move_depth(&self, node: &Node<G::Move>, static_value: Value) -> Option<i32> {
        let settings = self.settings.null_move?;
        let (ply, beta) = (node.ply, node.window.beta);
        let after_null = ply > 0 && self.frames[ply - 1].slot.is_none();
        if node.depth < settings.min_depth
            || after_null
            || ply < self.null_move_from
            || static_value < beta
            || beta.is_loss()
        {
            return None;
        }
        let above = i32::from(static_value.get()) - i32::from(beta.get());
        let reduction = settings.reduction
            + node.depth / settings.depth_divisor
            + (above / settings.value_divisor).min(settings.most_for_value);
        Some(node.depth - reduction)
    }

    /// Whether a search without null move must agree with a null move that reached beta.
    pub(super) fn must_verify_null_move(&self, node: &Node<G::Move>) -> bool {
        let settings = self.settings.null_move;
        self.null_move_from == 0 && settings.is_some_and(|it| node.depth >= it.verification_depth)
    }

    /// Reason to prune a move near the leaves, if any; may tell the picker not to order the
    /// rest.
    pub(super) fn prune_move(
        &self,
        position: &G,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        candidate: &Candidate<G::Move>,
        gives_check: impl Fn() -> bool,
        picker: &mut Picker<G::Move>,
    ) -> Option<Pruning> {
        let &Candidate { m, number, .. } = candidate;
        let settings = self.settings.move_pruning?;
        let static_value = context.static_value?;
        if node.ply == 0 || number == 1 {
            return None;
        }
        if !position.is_quiet(m) {
            let loss = Value::centipawns(-settings.exchange_capture * node.depth);
            let is_bad = node.depth <= settings.exchange_depth && !position.exchange_gains(m, loss);
            return is_bad.then_some(Pruning::Exchange);
        }
        if node.depth <= settings.late_depth
            && number > settings.late_limit(node.depth, context.improving)
        {
            // Of the quiet moves only checks can follow.
            picker.stop_ordering();
            return (!gives_check()).then_some(Pruning::Late);
        }
        let depth = (node.depth - self.reductions.plies(node.depth, number)).max(1);
        let alpha = node.window.alpha;
        let far_below = depth <= settings.futility_depth
            && !alpha.is_decided()
            && static_value.offset(settings.futility(depth)) <= alpha;
        if far_below && !gives_check() {
            return Some(Pruning::Hopeless);
        }
        let loss = Value::centipawns(-settings.exchange_quiet * depth);
        let is_bad =
            depth <= settings.exchange_depth && !position.exchange_gains(m, loss) && !gives_check();
        is_bad.then_some(Pruning::Exchange)
    }

    /// Late-move reduction, in plies.
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
        // Tactics consist of forcing moves: they are few, and late only because of imperfect
        // ordering.
        if !position.is_quiet(m) || child.in_check() {
            return 0;
        }
        let code = G::move_code(m);
        let killer = context.refuters.contain(code);
        let record = self
            .history
            .of_quiet(position.history_slot(m), context.previous);
        let plies = self.reductions.plies(node.depth, number)
            + i32::from(node.cut)
            + i32::from(!context.improving)
            - i32::from(node.pv)
            - i32::from(node.in_check)
            - i32::from(killer)
            - record / settings.history_divisor;
        if averts_rule_draw(position, m) {
            return 0;
        }
        plies.clamp(0, (node.depth - 2).max(0))
    }

    /// The bound that all other moves must fall short of for the table's move to be singular; `None` if that is not to be
    /// tested.
    pub(super) fn singular_beta(
        &self,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
    ) -> Option<Value> {
        let (settings, entry) = (self.settings.singular?, context.entry?);
        if node.depth < settings.min_depth
            || node.ply == 0
            || node.excluded.is_some()
            || entry.bound == Bound::Upper
            || entry.value.is_decided()
            || i32::from(entry.depth) < node.depth - settings.table_slack
            || self.frames[node.ply].extended > self.iteration
        {
            return None;
        }
        let margin = settings.margin_per_ply * node.depth / HUNDREDTHS;
        Some(entry.value.offset(-margin))
    }

    /// The decision on the table's move, `without` being the value of the others.
    pub(super) fn singularity(
        &self,
        node: &Node<G::Move>,
        context: &Context<G::Move>,
        singular_beta: Value,
        without: Value,
    ) -> Singularity {
        let double_margin = self.settings.singular.map_or(0, |it| it.double_margin);
        let beta = node.window.beta;
        if without < singular_beta {
            let far = !node.pv && without < singular_beta.offset(-double_margin);
            Singularity::Extend(if far { FAR_ALONE } else { ALONE })
        } else if singular_beta >= beta {
            Singularity::Cutoff(singular_beta)
        } else if context.entry.is_some_and(|it| it.value >= beta) {
            Singularity::Extend(ONE_OF_SEVERAL)
        } else if node.cut {
            Singularity::Extend(MAYBE_ONE_OF_SEVERAL)
        } else {
            Singularity::Extend(0)
        }
    }
}

/// The static value, refined by the table's value and bound.
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
