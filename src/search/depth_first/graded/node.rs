//! One position and one question under the graded model: worked on until the answer costs what is
//! demanded, or nearly.
//!
//! The question is always "is the value for the side to move at least θ?". The position holds it if
//! some child fails its own, "at least 1-θ"; that child is a supporter. The answer is looked for in the
//! order table, quiescence, null move, children; each child is asked for its share of the demand, which is
//! the demand less what the move costs.

use std::cell::LazyCell;

use super::constants::WHOLE_SHARE;
use super::costs::GradedCosts;
use super::price::{Priced, Trial};
use super::question::{Place, Question};
use crate::game::{Evaluator, Game, Moves, Visits};
use crate::search::budget::Stopped;
use crate::search::depth_first::common::certificates::{Certificate, Entry, is_proof};
use crate::search::depth_first::common::cost::Cost;
use crate::search::depth_first::common::sharing::Outcome;
use crate::search::depth_first::common::worker::{UnderWay, Worker};
use crate::search::has_risen;
use crate::search::history::Killers;
use crate::search::ordering::{ByHistory, Picker};
use crate::search::watching::{Answer, Asked, MoveKind};
use crate::value::Value;

/// So many plies from a draw by rule the table, which does not know the clock, is not believed.
const RULE_DRAW_NEAR: usize = 8;

/// The farthest that values can be apart, in centipawns: what is farther costs the most anyway.
const FARTHEST: f32 = 2.0 * Value::WIN.get() as f32;

/// A position that comes after so many reversible plies may be part of a cycle.
const SHORTEST_CYCLE: usize = 4;

/// How far a known supporter may fall short of the demand and still be asked for a second one: three plies,
/// so that the table's answers to the last few demands count.
const SUPPORTER_SLACK: i32 = 3 * ONE;

/// One unit of cost, for demands, which are plain numbers.
const ONE: i32 = Cost::ONE.get() as i32;

/// The order of moves: by their records, captures' too.
type Order<'a> = ByHistory<'a, false, true>;

/// How the children of a node are gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    /// All of them; the first is worth so much more.
    All { singular_extension: i32 },
    /// All but the known supporter: is there a second one?
    Others,
}

/// What the table's answer is worth where so much is demanded: no more than that if the position may be
/// part of a cycle. Answers round a cycle rest on one another, each a ply dearer than the next; taken at
/// their cost they would outgrow every demand, and what is wrong would never be looked at again.
#[inline]
fn known_on_this_path<G: Game>(position: &G, known: Certificate, demand: i32) -> Certificate {
    if known.cost.is_infinite() || position.reversible_plies() < SHORTEST_CYCLE {
        return known;
    }
    Certificate {
        cost: Cost::sixteenths(demand.max(1)),
        ..known
    }
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E, GradedCosts<'_>> {
    /// Answers "is the value at least `theta`?" with a search worth `demand`.
    ///
    /// The answer costs that much or more, with two exceptions: without a move to begin with less is
    /// demanded (`unknown_rebate`), and at the depth limit a leaf costs what it costs.
    pub(in super::super) fn ask(
        &mut self,
        position: &G,
        theta: Value,
        demand: i32,
        place: Place,
    ) -> Result<Certificate, Stopped> {
        self.check_limits()?;
        let in_check = position.in_check();
        if let Some(value) = self.drawn_or_over(position, in_check) {
            // A draw on this path is as good as the demand and no better: a proof it is not.
            return Ok(Certificate {
                value,
                cost: Cost::sixteenths(demand.max(1)),
            });
        }
        if let Some(value) = self.evaluator.known_value(position) {
            return Ok(Certificate {
                value,
                cost: Cost::INFINITE,
            });
        }
        let entry = self.table.probe(position.key());
        if let Some(known) = entry.and_then(|entry| entry.answer(theta))
            && i32::from(known.cost.get()) >= demand
            && position.plies_to_rule_draw() > RULE_DRAW_NEAR
        {
            return Ok(known_on_this_path(position, known, demand));
        }
        let code = entry.map_or(0, |entry| entry.code);
        let rebate = if code == 0 && demand >= self.costs.graded.unknown_least {
            self.costs.graded.unknown_rebate
        } else {
            0
        };
        let asked = UnderWay {
            key: position.key(),
            theta,
            demand,
            accepted: demand - rebate,
            rebated: demand - self.costs.graded.unknown_rebate,
        };
        let may_be_shared = position.plies_to_rule_draw() > RULE_DRAW_NEAR;
        if may_be_shared && let Some(known) = self.found_elsewhere(asked) {
            return Ok(known_on_this_path(position, known, demand));
        }
        let (static_value, corrections, correction) = if in_check {
            (theta, None, 0)
        } else {
            let corrections = self.corrections_at(position, place);
            let correction = self.correction(corrections);
            let value = self.evaluator.static_value(position);
            (value.offset(correction), corrections, correction)
        };
        self.costs.static_values[place.ply] = (!in_check).then_some(static_value);
        let at_limit = place.ply >= self.depth_limit;
        if at_limit || demand <= self.leaf_cost(position, static_value, theta) {
            let leaf = self.leaf(position, theta, correction, place.ply)?;
            if at_limit || i32::from(leaf.cost.get()) >= demand {
                self.table
                    .store_unless_cheap(position.key(), theta, leaf, 0);
                return Ok(leaf);
            }
        }
        let question = Question {
            theta,
            demand,
            place,
            in_check,
            static_value,
            corrections,
            endgame: false,
            stale: false,
            table_move: None,
        };
        if !may_be_shared {
            return self.search(position, question, entry, rebate);
        }
        let answer = self.together(asked, |worker| {
            worker.search(position, question, entry, rebate)
        })?;
        Ok(match answer {
            Outcome::Own(answer) => answer,
            Outcome::Found(known) => known_on_this_path(position, known, demand),
        })
    }

    /// Answers a question that neither the table nor the evaluator does: null move, a second supporter,
    /// children. Where no move is known to begin with, so much less is demanded.
    fn search(
        &mut self,
        position: &G,
        mut question: Question<G::Move>,
        entry: Option<Entry>,
        rebate: i32,
    ) -> Result<Certificate, Stopped> {
        let Question {
            theta,
            demand,
            place,
            ..
        } = question;
        self.budget.visit()?;
        self.seldepth = self.seldepth.max(place.ply);
        question.table_move = match entry.map_or(0, |entry| entry.code) {
            0 => None,
            code => position.move_from_code(code),
        };
        self.expect(position, question.table_move);
        question.endgame = position.is_endgame();
        question.stale =
            question.endgame && !has_risen(place.ply, |ply| self.costs.static_values[ply]);
        if let Some(answer) = self.ask_after_passing(position, &question)? {
            self.table
                .store_unless_cheap(position.key(), theta, answer, 0);
            return Ok(answer);
        }
        question.demand -= rebate;
        let mut singular_extension = 0;
        if let Some(entry) = entry
            && self.has_supporter(&question, &entry)
        {
            let others = demand * self.costs.graded.second_share / WHOLE_SHARE;
            let second = self.ask_children(
                position,
                &Question {
                    demand: others,
                    ..question
                },
                Children::Others,
            )?;
            if !second.holds(theta) {
                singular_extension = self.costs.graded.second_worth;
            } else if !second.value.is_decided() {
                let value = second.value.min(entry.lower.value);
                return Ok(Certificate {
                    value,
                    cost: Cost::sixteenths(demand),
                });
            }
        }
        self.ask_children(position, &question, Children::All { singular_extension })
    }

    /// A question about the child after `m` is likely to come soon: fetches what the table knows of it.
    #[inline]
    fn expect(&self, position: &G, m: Option<G::Move>) {
        if let Some(m) = m {
            self.table.prefetch(position.likely_key_after(m));
        }
    }

    /// The value of a position where the game ends on this path: repetition, draw by rule.
    fn drawn_or_over(&self, position: &G, in_check: bool) -> Option<Value> {
        if self.path.repetition(position).is_some() {
            return Some(Value::DRAW);
        }
        if !position.is_drawn_by_rule() {
            return None;
        }
        // Mate on the last move before the draw counts as mate.
        let mated = in_check && !position.has_legal_move();
        Some(if mated {
            position.terminal_value()
        } else {
            Value::DRAW
        })
    }

    /// The quiescence value and its price; a decided value is a proof.
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
            Cost::sixteenths(self.leaf_cost(position, value, theta))
        };
        Ok(Certificate { value, cost })
    }

    /// What a leaf with that value costs: more, the farther it is from the question, and the surer its value.
    fn leaf_cost(&mut self, position: &G, value: Value, theta: Value) -> i32 {
        let beyond = self.beyond(value, theta);
        let graded = self.costs.graded;
        if beyond == 0 || graded.leaf_width == 0 {
            return graded.leaf_cost(beyond);
        }
        let width = self.evaluator.width(position);
        let weight = width.map_or(1.0, |width| graded.leaf_width as f32 / width);
        graded.leaf_cost((beyond as f32 * weight).clamp(-FARTHEST, FARTHEST) as i32)
    }

    /// Null move: where the question holds though the opponent moves twice, it will hold.
    fn ask_after_passing(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
    ) -> Result<Option<Certificate>, Stopped> {
        let &Question {
            theta,
            demand,
            place,
            in_check,
            static_value,
            ..
        } = question;
        if !place.may_pass
            || in_check
            || demand < self.costs.graded.null_least
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
        let child_demand = demand - self.costs.graded.null_worth(demand, beyond);
        let floor = self.path.push_null(position.key());
        let child_theta = self.question_of_child(theta);
        let answer = self.ask(&passed, child_theta, child_demand, place.below(None));
        self.path.pop_null(floor);
        let value = answer?.value.from_child();
        if value < theta {
            return Ok(None);
        }
        // A win after a null move is no proof of a win.
        let value = if value.is_decided() { theta } else { value };
        Ok(Some(Certificate {
            value,
            cost: Cost::sixteenths(demand),
        }))
    }

    /// Whether the table's move is a supporter worth about the demand, so that it is time to ask
    /// whether it stands alone.
    fn has_supporter(&self, question: &Question<G::Move>, entry: &Entry) -> bool {
        question.demand >= self.costs.graded.second_least
            && entry.code != 0
            && entry.lower.value >= question.theta
            && !question.theta.is_decided()
            && i32::from(entry.lower.cost.get()) >= question.demand - SUPPORTER_SLACK
    }

    /// Goes through the children until one supports the question, or none does at the question's demand.
    fn ask_children(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
        children: Children,
    ) -> Result<Certificate, Stopped> {
        let &Question {
            theta,
            demand,
            place,
            table_move,
            ..
        } = question;
        let key = position.key();
        let mut picker = Picker::new(table_move, true);
        let mut tried: Moves<G::Move> = Moves::new();
        let mut answer = Certificate::OF_NO_MOVE;
        let mut best_code = 0;
        let check_test = LazyCell::new(|| position.check_test());
        // What the table knows of the next child comes while the one before is searched.
        let mut fetched = table_move;
        // Quiet moves come by record: after one that nobody looks at, those that follow are dearer.
        let mut rest_unseen = false;
        // Moves that other threads are at: they come last, those put off first before the others.
        let mut put_off = Vec::new();
        let mut come_back = 0;
        loop {
            let record = Order {
                history: self.costs.history,
                refuters: self
                    .costs
                    .history
                    .refuters(self.costs.killers[place.ply], place.previous),
                previous: place.previous,
            };
            let (trial, price) = if let Some(m) = picker.next(position, &record) {
                let excluded = children == Children::Others && Some(m) == table_move;
                if excluded {
                    continue;
                }
                let number = tried.len();
                tried.push(m);
                let singular_extension = match children {
                    Children::All { singular_extension } if number == 0 => singular_extension,
                    _ => 0,
                };
                let trial = Trial {
                    m,
                    number,
                    losing: picker.gives_losing_captures(),
                    // The first move often answers.
                    checks: if number == 0 {
                        position.gives_check(m)
                    } else {
                        check_test(m)
                    },
                    singular_extension,
                };
                if rest_unseen && !trial.checks && position.is_quiet(m) {
                    self.tell_of(position, question, &trial, Answer::Unseen, 0);
                    continue;
                }
                let price = self.price(position, question, &trial);
                if let Some(unseen) =
                    self.late_move_pruning(position, question, &trial, &price, answer.value)
                {
                    // So dear to overthrow that nobody need look; and it says nothing about the value.
                    answer.cost = answer.cost.min(unseen);
                    picker.stop_ordering();
                    rest_unseen = !record.refuters.contain(G::move_code(m));
                    self.tell_of(position, question, &trial, Answer::Unseen, 0);
                    continue;
                }
                if fetched != Some(m) {
                    self.expect(position, Some(m));
                }
                fetched = picker.peek();
                self.expect(position, fetched);
                if number > 0 && self.is_put_off(position, m, question, &price) {
                    put_off.push((trial, price));
                    continue;
                }
                (trial, price)
            } else if let Some(&back) = put_off.get(come_back) {
                // Other threads have answered them meanwhile, or need help.
                come_back += 1;
                back
            } else {
                break;
            };
            let m = trial.m;
            // The killers of the grandchildren were another position's children'.
            self.costs.killers[place.ply + 2] = Killers::NONE;
            let child = position.after(m);
            self.path.push(key);
            let below = place.below(Some(position.history_slot(m)));
            let nodes = self.budget.nodes();
            let verdict = self.ask_child(&child, question, &price, below);
            self.path.pop();
            let (verdict, step) = verdict?;
            let value = verdict.value.from_child();
            let found = if value >= theta {
                Answer::Holds
            } else {
                Answer::Fails
            };
            let nodes = self.budget.nodes() - nodes;
            self.tell_of(position, question, &trial, found, nodes);
            if value >= theta {
                self.credit(position, demand / ONE, place.ply, place.previous, m, &tried);
                let answer = Certificate {
                    value,
                    cost: verdict.cost.plus(price.full),
                };
                if children != Children::Others {
                    self.learn_correction(question, answer, position.is_quiet(m));
                    self.table
                        .store_unless_cheap(key, theta, answer, G::move_code(m));
                }
                return Ok(answer);
            }
            answer.cost = answer.cost.min(verdict.cost.plus(step));
            if value > answer.value {
                answer.value = value;
                best_code = G::move_code(m);
            }
        }
        if children == Children::Others {
            // What the others are worth says nothing about the position.
            return Ok(Certificate {
                value: theta.next_down(),
                cost: Cost::sixteenths(demand),
            });
        }
        if tried.is_empty() {
            answer = Certificate {
                value: position.terminal_value(),
                cost: Cost::INFINITE,
            };
        }
        self.learn_correction(question, answer, true);
        self.table.store_unless_cheap(key, theta, answer, best_code);
        Ok(answer)
    }

    /// Whether another thread is at a move.
    fn is_put_off(
        &self,
        position: &G,
        m: G::Move,
        question: &Question<G::Move>,
        price: &Priced,
    ) -> bool {
        let demand = question.demand - price.step;
        self.may_be_elsewhere(demand) && {
            let theta = self.question_of_child(question.theta);
            self.is_elsewhere(position.after(m).key(), theta, demand)
        }
    }

    /// Tells the watcher what was found out about a move of the position, if there is one.
    #[inline]
    fn tell_of(
        &mut self,
        position: &G,
        question: &Question<G::Move>,
        trial: &Trial<G::Move>,
        answer: Answer,
        nodes: u64,
    ) {
        self.tell(|| Asked {
            child: position.after(trial.m),
            ply: question.place.ply + 1,
            theta: question.theta,
            demand: question.demand,
            kind: MoveKind {
                number: trial.number,
                quiet: position.is_quiet(trial.m),
                checks: trial.checks,
                losing: trial.losing,
            },
            answer,
            nodes,
        });
    }

    /// A child's answer, and the price of the move at which it was given: a surcharged move that turns
    /// out to answer the question is looked at again for its full share.
    fn ask_child(
        &mut self,
        child: &G,
        question: &Question<G::Move>,
        price: &Priced,
        below: Place,
    ) -> Result<(Certificate, i32), Stopped> {
        let theta = self.question_of_child(question.theta);
        let verdict = self.ask(child, theta, question.demand - price.step, below)?;
        if price.step == price.full || verdict.holds(theta) {
            return Ok((verdict, price.step));
        }
        let verdict = self.ask(child, theta, question.demand - price.full, below)?;
        Ok((verdict, price.full))
    }
}
