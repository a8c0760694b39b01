//! One node: the answer to a question about a position. The search goes on until overthrowing the answer would cost what
//! is demanded, or nearly.
//!
//! The question is always "is the value for the side to move at least θ?". A position *holds* if the answer is yes,
//! and *fails* if it is no. It holds if some child fails its question, "at least the next value above -θ?"
//! ([`Worker::question_of_child`]); that child is a *supporter*. [`Worker::answer`] and [`Worker::search`] have all steps in
//! their order: draws, tablebases, tables, quiescence, null move, multi-cut and singular extension, moves. Each child is
//! asked for the demand less the price of its move.

use std::cell::LazyCell;

use super::certificates::{Certificate, CertificateEntry, is_proof, of_known_value};
use super::constants::{ONE, WHOLE_SHARE};
use super::line::LAST_PLY;
use super::moves::{Candidate, Children, MoveLoop, Price};
use super::worker::{NodeContext, OpenQuery, Query, Worker};
use crate::game::{Evaluator, Game};
use crate::search::Cost;
use crate::search::events::{By, Descent, Watcher};
use crate::search::kit::budget::Stopped;
use crate::search::kit::history::Killers;
use crate::search::kit::{has_risen, is_near_rule_draw};
use crate::value::Value;

/// Plies left to a draw by the fifty-move rule at which, or below, no answer from the table ends the search: the table
/// ignores the halfmove clock. It still gives the move to try first, and a supporter.
const RULE_DRAW_NEAR: usize = 8;

/// Largest shortfall of the known supporter's cost, in sixteenths, at which a second one is searched for: three plies, so
/// that the table's answers to the last few demands count.
const SUPPORTER_SLACK: i32 = 3 * ONE;

impl<G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Worker<'_, G, E, W> {
    /// Asks the position that a descent leads to, and emits query and answer: see [`Worker::answer`].
    #[inline]
    pub(super) fn ask(
        &mut self,
        descent: Descent<G::Move>,
        position: &G,
        theta: Value,
        demand: i32,
        node: NodeContext,
    ) -> Result<Certificate, Stopped> {
        self.emit_query(descent, position, theta, demand, node.ply);
        let answer = self.answer(position, theta, demand, node);
        self.emit_answer(answer);
        answer
    }

    /// Answers "is the value at least `theta`?" with a search worth `demand`: here by what needs no move, in
    /// [`Worker::search`] by moves.
    ///
    /// The answer costs at least the demand, except where a node here or below had no table move (`unknown_rebate`), at the
    /// depth limit, where a leaf has its own cost, or by another thread's answer.
    fn answer(
        &mut self,
        position: &G,
        theta: Value,
        demand: i32,
        node: NodeContext,
    ) -> Result<Certificate, Stopped> {
        self.check_limits()?;
        let in_check = position.in_check();

        // Draws by repetition and by rule, or a mate on the last move before. They cost just the demand, as they may depend
        // on the path.
        if let Some(value) = self.value_by_repetition_or_rule(position) {
            self.watcher.emit_source(By::Rules);
            return Ok(Certificate::new(value, Cost::sixteenths(demand.max(1))));
        }

        // Tablebases.
        if let Some(value) = self.evaluator.known_value(position) {
            self.watcher.emit_source(By::Known);
            let cost = of_known_value(value, Cost::sixteenths(demand.max(1)));
            return Ok(Certificate::new(value, cost));
        }

        // Static evaluation, corrected by correction history. The table's entry, prefetched by the caller, arrives
        // meanwhile.
        let plies_to_rule_draw = position.plies_to_rule_draw();
        let (static_value, corrections, correction) = if in_check {
            (theta, None, 0)
        } else {
            let corrections = self.corrections.places(position, node.previous);
            let correction = self.corrections.of(corrections);
            let value = self.evaluator.static_value(position);
            (value.offset(correction), corrections, correction)
        };

        // Transposition table.
        let entry = self.table.probe(position.key());
        if let Some(known) = entry.and_then(|entry| entry.answer(theta))
            && i32::from(known.cost.get()) >= demand
            && plies_to_rule_draw > RULE_DRAW_NEAR
            && known.value.ends_within(plies_to_rule_draw)
        {
            return Ok(self.by_table(position, known, demand));
        }

        // Internal iterative reduction: without a table move less is demanded.
        let has_table_move = entry.is_some_and(|entry| entry.code != 0);
        let rebate = if !has_table_move && demand >= self.constants.unknown_least {
            self.constants.unknown_rebate
        } else {
            0
        };

        // An answer that another thread has found meanwhile.
        let open_query = OpenQuery {
            key: position.key(),
            theta,
            demand,
            accepted: demand - rebate,
            plies_to_rule_draw,
        };
        let may_be_shared = plies_to_rule_draw > RULE_DRAW_NEAR;
        if may_be_shared && let Some(known) = self.found_elsewhere(open_query) {
            return Ok(self.by_table(position, known, demand));
        }

        // Quiescence at the horizon, razoring (the static value falls short of θ) and reverse futility pruning (it is
        // beyond θ). All three are one test: whether the leaf's cost meets the demand.
        self.static_values[node.ply] = (!in_check).then_some(static_value);
        let at_limit = node.ply >= LAST_PLY;
        if at_limit || demand <= self.leaf_cost(static_value, theta) {
            let leaf = self.leaf(position, theta, correction, node.ply)?;
            if at_limit || i32::from(leaf.cost.get()) >= demand {
                self.watcher.emit_source(By::Leaf);
                self.table
                    .store_unless_cheap(position.key(), theta, leaf, 0);
                return Ok(leaf);
            }
        }

        // What stands after the corrections is filled in by `search`.
        let query = Query {
            theta,
            demand,
            node,
            in_check,
            static_value,
            corrections,
            endgame: false,
            not_improving: false,
            near_rule_draw: false,
            table_move_captures: false,
            table_move: None,
        };
        if !may_be_shared {
            return self.search(position, query, entry, rebate);
        }
        self.search_shared(position, open_query, |worker| {
            worker.search(position, query, entry, rebate)
        })
    }

    /// Answers a question by moves. `rebate` is taken off the demand on the children; it is 0 where the table has a move
    /// to try first.
    fn search(
        &mut self,
        position: &G,
        mut query: Query<G::Move>,
        entry: Option<CertificateEntry>,
        rebate: i32,
    ) -> Result<Certificate, Stopped> {
        let Query {
            theta,
            demand,
            node,
            ..
        } = query;
        self.budget.visit()?;
        self.seldepth = self.seldepth.max(node.ply);
        query.table_move = match entry.map_or(0, |entry| entry.code) {
            0 => None,
            code => position.move_from_code(code),
        };
        self.prefetch_child(position, query.table_move);
        query.endgame = position.is_endgame();
        query.not_improving = !has_risen(node.ply, |ply| self.static_values[ply]);
        query.near_rule_draw = is_near_rule_draw(position);
        query.table_move_captures = query.table_move.is_some_and(|m| !position.is_quiet(m));

        // Null-move pruning.
        if let Some(answer) = self.null_move(position, &query)? {
            self.watcher.emit_source(By::Pass);
            self.table
                .store_unless_cheap(position.key(), theta, answer, 0);
            return Ok(answer);
        }
        query.demand -= rebate;

        // Multi-cut: a second supporter beside the known one answers at once. Without one the known supporter gets a
        // singular extension.
        let mut singular_extension = 0;
        if let Some(entry) = entry
            && self.has_supporter(&query, &entry)
        {
            let others = demand * self.constants.second_share / WHOLE_SHARE;
            let of_others = Query {
                demand: others,
                ..query
            };
            self.emit_query(Descent::Others, position, theta, others, node.ply);
            let second = self.search_moves(position, &of_others, Children::Others);
            self.emit_answer(second);
            let second = second?;
            if !second.holds(theta) {
                singular_extension = self.constants.second_worth;
            } else if !second.value.is_decided() {
                self.watcher.emit_source(By::Another);
                let value = second.value.min(entry.lower.value);
                return Ok(Certificate::new(value, Cost::sixteenths(demand)));
            }
        }

        self.search_moves(position, &query, Children::All { singular_extension })
    }

    /// Null-move pruning: if the answer is yes though the opponent moves twice in a row, it is yes.
    fn null_move(
        &mut self,
        position: &G,
        query: &Query<G::Move>,
    ) -> Result<Option<Certificate>, Stopped> {
        let &Query {
            theta,
            demand,
            node,
            in_check,
            static_value,
            ..
        } = query;
        if !node.may_pass
            || in_check
            || demand < self.constants.null_least
            || static_value < theta
            || theta.is_decided()
        {
            return Ok(None);
        }
        let Some(passed) = position.pass() else {
            return Ok(None);
        };
        self.table.prefetch(passed.key());
        let beyond = self.beyond(static_value, theta);
        let child_demand = demand - self.constants.null_worth(demand, beyond);
        let floor = self.path.push_null(position.key());
        let child_theta = self.question_of_child(theta);
        let answer = self.ask(
            Descent::Pass,
            &passed,
            child_theta,
            child_demand,
            node.child(None),
        );
        self.path.pop_null(floor);
        let value = answer?.value.from_child();
        if value < theta {
            return Ok(None);
        }
        // A win after a null move is no proof of a win.
        let value = if value.is_decided() { theta } else { value };
        Ok(Some(Certificate::new(value, Cost::sixteenths(demand))))
    }

    /// Whether the table holds a yes that costs about the demand: then a second supporter is searched for. The table's move
    /// is taken for the first, though a later no, a null move or a leaf may have left another move there.
    fn has_supporter(&self, query: &Query<G::Move>, entry: &CertificateEntry) -> bool {
        query.demand >= self.constants.second_least
            && entry.code != 0
            && entry.lower.value >= query.theta
            && !query.theta.is_decided()
            && i32::from(entry.lower.cost.get()) >= query.demand - SUPPORTER_SLACK
    }

    /// Searches the moves until one supports the position, or none does at the demand.
    fn search_moves(
        &mut self,
        position: &G,
        query: &Query<G::Move>,
        children: Children,
    ) -> Result<Certificate, Stopped> {
        let &Query { theta, demand, .. } = query;
        let key = position.key();
        let check_test = LazyCell::new(|| position.check_test());
        // The first move often answers: to test it alone is cheaper.
        let gives_check = |m, is_first| {
            if is_first {
                position.gives_check(m)
            } else {
                check_test(m)
            }
        };
        let mut moves = MoveLoop::new(children, query.table_move);
        let mut answer = Certificate::OF_NO_MOVE;
        let mut best_code = 0;
        while let Some((candidate, price)) =
            self.next_move(position, query, &mut moves, gives_check, &mut answer)
        {
            let m = candidate.m;
            let of_move = self.search_move(position, query, &candidate, &price)?;
            if of_move.holds(theta) {
                self.watcher.emit_source(By::Move(m));
                self.credit(position, query, m, &moves.considered);
                if children != Children::Others {
                    self.learn_correction(query, of_move, position.is_quiet(m));
                    let code = G::move_code(m);
                    self.table.store_unless_cheap(key, theta, of_move, code);
                }
                return Ok(of_move);
            }
            answer.cost = answer.cost.min(of_move.cost);
            if of_move.value > answer.value {
                answer.value = of_move.value;
                best_code = G::move_code(m);
            }
        }
        let is_over = children != Children::Others && moves.considered.is_empty();
        self.watcher
            .emit_source(if is_over { By::Rules } else { By::NoMove });
        if children == Children::Others {
            // The value of the others is not the position's.
            let value = theta.next_down();
            return Ok(Certificate::new(value, Cost::sixteenths(demand)));
        }
        if is_over {
            answer = Certificate::new(position.terminal_value(), Cost::INFINITE);
        }
        self.learn_correction(query, answer, true);
        self.table.store_unless_cheap(key, theta, answer, best_code);
        Ok(answer)
    }

    /// A move's certificate for its mover.
    fn search_move(
        &mut self,
        position: &G,
        query: &Query<G::Move>,
        candidate: &Candidate<G::Move>,
        price: &Price,
    ) -> Result<Certificate, Stopped> {
        let Query {
            theta,
            demand,
            node,
            ..
        } = *query;
        // The killers two plies below are from other positions.
        self.killers[node.ply + 2] = Killers::NONE;
        let child = position.after(candidate.m);
        self.path.push(position.key());
        let descent = Descent::Move {
            m: candidate.m,
            number: candidate.number + 1,
        };
        let below = node.child(Some(position.history_slot(candidate.m)));
        let answer = self.ask_child(descent, &child, theta, demand, price, below);
        self.path.pop();
        answer
    }

    /// A child's answer as a certificate for its parent, the cost increased by the move's price. A reduced move that
    /// supports the parent is searched again without the reduction.
    pub(super) fn ask_child(
        &mut self,
        descent: Descent<G::Move>,
        child: &G,
        theta: Value,
        demand: i32,
        price: &Price,
        node: NodeContext,
    ) -> Result<Certificate, Stopped> {
        let theta = self.question_of_child(theta);
        let mut paid = price.reduced;
        let mut answer = self.ask(descent, child, theta, demand - paid, node)?;
        if paid != price.full && !answer.holds(theta) {
            paid = price.full;
            answer = self.ask(descent, child, theta, demand - paid, node)?;
        }
        let value = answer.value.from_child();
        Ok(Certificate::new(value, answer.cost.plus(paid)))
    }

    /// The value of a repetition on this path or in the game, or of the end by rule.
    fn value_by_repetition_or_rule(&self, position: &G) -> Option<Value> {
        if self.path.repetition(position).is_some() {
            return Some(Value::DRAW);
        }
        if !position.is_drawn_by_rule() {
            return None;
        }
        // Mate on the last move before the draw counts as mate.
        position.outcome()
    }

    /// The quiescence value and its price, infinite for a proof: a win that holds, a loss that fails.
    fn leaf(
        &mut self,
        position: &G,
        theta: Value,
        correction: i32,
        ply: usize,
    ) -> Result<Certificate, Stopped> {
        let value = self.evaluate(position, theta.offset(-correction), ply)?;
        let value = value.offset(correction);
        let cost = if is_proof(value, theta) {
            Cost::INFINITE
        } else {
            Cost::sixteenths(self.leaf_cost(value, theta))
        };
        Ok(Certificate::new(value, cost))
    }

    /// The cost of a leaf, which grows with its distance from the question.
    fn leaf_cost(&self, value: Value, theta: Value) -> i32 {
        self.constants.leaf_cost(self.beyond(value, theta))
    }
}
