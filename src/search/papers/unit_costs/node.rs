//! One position and one question under unit costs: searched until the answer costs what is demanded.
//!
//! A position holds if some child fails; to overthrow that, every such supporter must be overthrown: costs add up. It
//! fails if every child holds; overthrowing one child suffices: the least cost counts. The search always tries the
//! cheapest way of overthrowing the answer, and returns to the parent as soon as the answer has changed or costs
//! enough, with the two thresholds of depth-first proof-number search (A. Nagai, 2002), applied to values.

use std::cmp::Reverse;

use crate::game::{Evaluated, Evaluator, Game, Root};
use crate::search::depth_first::certificates::{Certificate, Open, is_proof, of_known_value};
use crate::search::depth_first::line::LAST_PLY;
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::Effort;
use crate::search::kit::path::Path;
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Cost, Limits, Observer};
use crate::value::{Value, Window};

/// Thresholds: the costs at which the search of a position ends, for either answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demands {
    if_holds: Cost,
    if_fails: Cost,
}

impl Demands {
    /// One cost for both answers.
    pub(super) fn both(cost: Cost) -> Demands {
        Demands {
            if_holds: cost,
            if_fails: cost,
        }
    }

    fn met_by(self, answer: Certificate, theta: Value) -> bool {
        let demand = if answer.holds(theta) {
            self.if_holds
        } else {
            self.if_fails
        };
        answer.cost >= demand
    }
}

/// A child's data in the search of its parent.
struct AnsweredChild<G: Game> {
    position: G,
    m: G::Move,
    answer: Certificate,
}

/// The answer that the children's answers give.
struct Combined {
    answer: Certificate,
    /// The child to search next.
    next: usize,
    /// The second least cost where the least counts; elsewhere infinite.
    rival: Cost,
}

/// A search under way.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) table: Open<'a>,
    pub(super) budget: Budget<'a, G::Move>,
    path: Path,
    seldepth: usize,
    /// The evaluator's grain.
    pub(super) grain: i32,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    /// A worker at `root`.
    pub(super) fn new(
        root: &Root<G>,
        table: Open<'a>,
        evaluator: &'a mut E,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
    ) -> Worker<'a, G, E> {
        Worker {
            grain: evaluator.grain(),
            evaluator,
            table,
            budget: Budget::new(limits, observer),
            path: Path::to_root(root),
            seldepth: 0,
        }
    }

    /// Effort so far.
    pub(super) fn effort(&self) -> Effort {
        Effort {
            seldepth: self.seldepth,
            nodes: self.budget.nodes(),
            proof_share: None,
            fullness: self.table.fullness(),
        }
    }

    /// Answers the question at the root, for some of its moves; the second result is the move to play if it holds.
    pub(super) fn answer_at_root(
        &mut self,
        root: &G,
        moves: &[G::Move],
        theta: Value,
        demands: Demands,
    ) -> Result<(Certificate, G::Move), Stopped> {
        self.budget.visit()?;
        if let (Some(answer), Some(&first)) = (too_much_to_ask(theta), moves.first()) {
            return Ok((answer, first));
        }
        self.path.push(root.key());
        let result = self.search_children(root, moves, theta, demands, 0);
        self.path.pop();
        result
    }

    /// Searches "is the value at least `theta`?" until the answer costs as much as demanded.
    fn search(
        &mut self,
        position: &G,
        theta: Value,
        demands: Demands,
        ply: usize,
    ) -> Result<Certificate, Stopped> {
        self.budget.check()?;
        let known = self.answer_without_search(position, theta, ply)?;
        if demands.met_by(known, theta) || ply >= LAST_PLY {
            return Ok(known);
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(known);
        }
        self.budget.visit()?;
        let key = position.key();
        self.path.push(key);
        let result = self.search_children(position, &moves, theta, demands, ply);
        self.path.pop();
        let (answer, best) = result?;
        self.table.store(key, theta, answer, G::move_code(best));
        Ok(answer)
    }

    /// Searches the children of a position, which is on the path, until the answer costs as much as demanded; the second
    /// result is the move to try first.
    fn search_children(
        &mut self,
        position: &G,
        moves: &[G::Move],
        theta: Value,
        demands: Demands,
        ply: usize,
    ) -> Result<(Certificate, G::Move), Stopped> {
        let child_theta = theta.to_child().next_up_by(self.grain);
        let mut children: Vec<AnsweredChild<G>> = Vec::new();
        for &m in moves {
            let child = position.after(m);
            let answer = self.answer_without_search(&child, child_theta, ply + 1)?;
            children.push(AnsweredChild {
                position: child,
                m,
                answer,
            });
        }
        // Best for the side to move first, as in the papers.
        sort_by_key(&mut children, |child| child.answer.value);
        loop {
            let combined = combine(&children, theta, child_theta, self.grain);
            let next = &mut children[combined.next];
            if demands.met_by(combined.answer, theta) {
                return Ok((combined.answer, next.m));
            }
            let held = combined.answer.holds(theta);
            // A changed answer returns to the parent whatever it costs.
            let child_demands = if held {
                let others = combined.answer.cost.minus(next.answer.cost);
                Demands {
                    if_fails: demands.if_holds.minus(others),
                    if_holds: Cost::ONE,
                }
            } else {
                let enough = demands
                    .if_fails
                    .min(combined.rival.plus(Cost::ONE.get().into()));
                Demands {
                    if_holds: enough,
                    if_fails: Cost::ONE,
                }
            };
            let before = next.answer;
            next.answer = self.search(&next.position, child_theta, child_demands, ply + 1)?;
            if next.answer == before {
                // The child cannot be searched further on this path: count it as paid.
                next.answer.cost = demands.if_holds.max(demands.if_fails);
            }
        }
    }

    /// The answer without expanding a position: by rules, tablebase, table, or evaluator.
    fn answer_without_search(
        &mut self,
        position: &G,
        theta: Value,
        ply: usize,
    ) -> Result<Certificate, Stopped> {
        if !position.has_legal_move() {
            let value = position.terminal_value();
            return Ok(Certificate::new(value, Cost::INFINITE));
        }
        if let Some(answer) = too_much_to_ask(theta) {
            return Ok(answer);
        }
        if ply > 0 && (position.is_drawn_by_rule() || self.path.repetition(position).is_some()) {
            // A draw on this path: as dear as anything finite, but no proof for the table.
            return Ok(Certificate::new(Value::DRAW, Cost::MOST));
        }
        if ply > 0
            && let Some(value) = self.evaluator.known_value(position)
        {
            let cost = of_known_value(value, Cost::MOST);
            return Ok(Certificate::new(value, cost));
        }
        let key = position.key();
        if let Some(answer) = self.table.probe(key).and_then(|entry| entry.answer(theta))
            && answer.value.ends_within(position.plies_to_rule_draw())
        {
            return Ok(answer);
        }
        let value = self.evaluate(position, theta, ply)?;
        let cost = if is_proof(value, theta) {
            Cost::INFINITE
        } else {
            Cost::ONE
        };
        let answer = Certificate::new(value, cost);
        self.table.store(key, theta, answer, 0);
        Ok(answer)
    }

    /// The evaluator's answer to "at least `theta`?".
    fn evaluate(&mut self, position: &G, theta: Value, ply: usize) -> Result<Value, Stopped> {
        let window = Window::at_least(theta);
        let Evaluated { value, plies } =
            self.evaluator
                .evaluate(position, window, &mut self.budget)?;
        self.seldepth = self.seldepth.max(ply + plies as usize);
        Ok(value)
    }
}

/// The answer if no value reaches `theta`: no side has won before moving.
fn too_much_to_ask(theta: Value) -> Option<Certificate> {
    let value = Value::win_in(1);
    (theta > value).then_some(Certificate::new(value, Cost::INFINITE))
}

/// Sums the supporters' costs; without supporters takes the least cost of all children.
///
/// The cost is that of this question's answer and no other's: two children of values 4 and 5 hold "at least 3" with two
/// conspirators, "at least 5" with one. So the bound says no more than the answer, unless it is a proof.
fn combine<G: Game>(
    children: &[AnsweredChild<G>],
    theta: Value,
    child_theta: Value,
    grain: i32,
) -> Combined {
    let best = children
        .iter()
        .map(|child| child.answer.value.from_child())
        .max()
        .unwrap_or_default();
    let bound = |otherwise| {
        if is_proof(best, theta) {
            best
        } else {
            otherwise
        }
    };
    let costs = || (0..).zip(children.iter().map(|child| child.answer.cost));
    let supports = |place: usize| children[place].answer.value < child_theta;
    let supporters = || costs().filter(|&(place, _)| supports(place));
    // The dearest supporter is the likeliest to stand.
    let dearest = supporters().max_by_key(|&(place, cost)| (cost, Reverse(place)));
    if let Some((next, _)) = dearest {
        let value = bound(theta);
        let cost = supporters().fold(Cost::ZERO, |sum, (_, cost)| sum.and(cost));
        return Combined {
            answer: Certificate::new(value, cost),
            next,
            rival: Cost::INFINITE,
        };
    }
    let value = bound(theta.next_down_by(grain));
    let cheapest = costs().min_by_key(|&(_, cost)| cost);
    let (next, cost) = cheapest.unwrap_or((0, Cost::INFINITE));
    let rivals = costs().filter(|&(place, _)| place != next);
    Combined {
        answer: Certificate::new(value, cost),
        next,
        rival: rivals.map(|(_, cost)| cost).min().unwrap_or(Cost::INFINITE),
    }
}
