//! The driver: demands one after the other, and for each the value that holds while the next
//! larger one fails. How the root is asked, and what answers cost, each search brings as its [`Costs`].

use std::ops::Range;

use super::certificates::Certificate;
use super::line::principal_variation;
use super::settling::{Scale, Settling};
use super::worker::Worker;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::{Deepening, Effort, RootMove};
use crate::search::kit::sorting::sort_by_key;
use crate::search::kit::team::shared::RootTask;
use crate::search::{Bound, Conspiracy, Cost, Occasion, Report, Support};
use crate::value::{Value, Window};

/// Highest demand, in units of [`Cost`]: no search gets so far but where little is left to search.
pub const HIGHEST_DEMAND: u32 = 120;

/// The value of a move of the root before anything is known of it: a limit may leave no time for it. Such
/// a move comes after all that are evaluated but those that lose.
const NOT_EVALUATED: Value = Value::centipawns(-Value::MAX_CENTIPAWNS as i32);

/// What a search answers in its own way: what it costs to be wrong, and how the root is asked for that.
pub(crate) trait Costs<G: Game>: Sized {
    /// How finely values are told apart where the evaluator's are so many centipawns apart.
    fn scale(&self, grain: i32) -> Scale;

    /// Finds the value that holds and above which nothing does, or a narrow range of such values, both
    /// asked for at a cost of the demand, for the moves from `line` on; the move that holds it comes to
    /// stand there.
    fn certify<E: Evaluator<G>>(
        driver: &mut Driver<'_, G, E, Self>,
        demand: u32,
        line: usize,
    ) -> Result<Certified, Stopped>;

    /// Answers a question at the root, whose key is on the path.
    fn ask_root<E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E, Self>,
        question: &RootQuestion<'_, G>,
    ) -> Result<RootAnswer, Stopped>;

    /// What the costs of the root's two answers say: that of the lower bound, that of the upper.
    fn support(lower: Cost, upper: Cost) -> Support;
}

/// "At least `theta`?" for some of the root's moves.
pub(crate) struct RootQuestion<'q, G: Game> {
    pub(crate) root: &'q G,
    /// Those asked.
    pub(crate) moves: &'q [G::Move],
    /// The number of the first of them among those that may be asked, the best first.
    pub(crate) first: usize,
    pub(crate) theta: Value,
    /// In whole units of cost.
    pub(crate) demand: u32,
}

/// The answer to a question about some of the root's moves.
#[derive(Clone, Copy)]
pub(crate) struct RootAnswer {
    /// What those that fail are worth at the most, as far as they were asked.
    pub(crate) failed: Certificate,
    /// The first that holds, with what it is worth at the least: its place among those asked; as a driver tells
    /// it, its number.
    pub(crate) held: Option<(usize, Certificate)>,
}

impl RootAnswer {
    /// What the answer says of all moves asked together.
    pub(crate) fn certificate(self) -> Certificate {
        self.held.map_or(self.failed, |(_, held)| held)
    }
}

/// The two answers a value rests on: at least the lower's, at most the upper's.
#[derive(Clone, Copy)]
pub(crate) struct Certified {
    pub(crate) lower: Certificate,
    pub(crate) upper: Certificate,
}

/// The search of one root.
pub(crate) struct Driver<'a, G: Game, E, C> {
    pub(crate) worker: Worker<'a, G, E, C>,
    root: &'a G,
    pub(crate) moves: Vec<RootMove<G::Move>>,
    last: Report<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>, C: Costs<G>> Driver<'a, G, E, C> {
    /// A driver for `root`, its moves in order of their static value.
    pub(crate) fn new(mut worker: Worker<'a, G, E, C>, root: &'a G) -> Driver<'a, G, E, C> {
        let limits = worker.budget.limits;
        let mut moves: Vec<RootMove<G::Move>> = limits
            .root_moves(root)
            .into_iter()
            .map(|m| RootMove::new(m, NOT_EVALUATED))
            .collect();
        for root_move in &mut moves {
            let child = root.after(root_move.m);
            let value = match child.outcome() {
                Some(value) => Ok(value),
                None => worker
                    .evaluator
                    .evaluate(&child, Window::FULL, &mut worker.budget),
            };
            let Ok(value) = value else {
                break;
            };
            root_move.value = value.from_child();
        }
        sort_by_key(&mut moves, |r| {
            (std::cmp::Reverse(r.value), -root.preference(r.m))
        });
        let best = moves.first();
        let value = match best {
            None => root.terminal_value(),
            Some(best) if best.value == NOT_EVALUATED => worker.evaluator.static_value(root),
            Some(best) => best.value,
        };
        let pv = best.map(|best| best.m).into_iter().collect();
        let last = Report {
            nodes: worker.budget.nodes(),
            ..Report::before_search(value, pv)
        };
        let mut driver = Driver {
            worker,
            root,
            moves,
            last,
        };
        if let Some(best) = driver.moves.first() {
            let last = &driver.last;
            let pv = driver.line(best.m, best.value);
            driver.last.bound = last.bound.told(last.value, &pv);
            driver.last.pv = pv;
        }
        driver
    }

    /// Puts the best lines in order: a later one may turn out better, as the table has learnt since.
    fn sort_lines(&mut self, certified: &mut [Certified]) {
        let lines = certified.len();
        let mut sorted: Vec<_> = self.moves[..lines]
            .iter()
            .cloned()
            .zip(certified.iter().copied())
            .collect();
        sort_by_key(&mut sorted, |(_, certified)| {
            std::cmp::Reverse(certified.lower.value)
        });
        for (line, (root_move, of_line)) in sorted.into_iter().enumerate() {
            self.moves[line] = root_move;
            certified[line] = of_line;
        }
    }

    /// Where the questions about the move at `line` begin.
    pub(crate) fn settling(&self, line: usize) -> Settling {
        Settling::new(self.scale(), self.moves[line].value)
    }

    /// How finely values are told apart.
    pub(crate) fn scale(&self) -> Scale {
        self.worker.costs.scale(self.worker.grain)
    }

    /// Asks some of the moves from `line` on until what they are worth is settled.
    pub(crate) fn settle(
        &mut self,
        demand: u32,
        line: usize,
        asked: Range<usize>,
        mut settling: Settling,
    ) -> Result<Certified, Stopped> {
        while let Some(theta) = settling.next_question() {
            let answer = self.ask(theta, demand, line, asked.clone())?;
            settling.learn(theta, answer.certificate());
        }
        let Settling { lower, upper, .. } = settling;
        self.moves[line].value = lower.value;
        Ok(Certified { lower, upper })
    }

    /// "At least `theta`?" for some of the root's moves from `line` on; one that supports it comes to
    /// stand there.
    pub(crate) fn ask(
        &mut self,
        theta: Value,
        demand: u32,
        line: usize,
        asked: Range<usize>,
    ) -> Result<RootAnswer, Stopped> {
        let moves: Vec<G::Move> = self.moves[asked.clone()].iter().map(|it| it.m).collect();
        let question = RootQuestion {
            root: self.root,
            moves: &moves,
            first: asked.start - line,
            theta,
            demand,
        };
        if let Some(shared) = &mut self.worker.shared {
            shared.lay_out(RootTask {
                moves: moves.clone(),
                first: question.first,
                window: Window::at_least(theta),
                iteration: demand,
            });
        }
        let mut answer = ask_root(&mut self.worker, &question)?;
        if let Some((place, held)) = answer.held {
            let index = asked.start + place;
            answer.held = Some((index, held));
            self.moves[line..=index].rotate_right(1);
            self.moves[line].value = held.value;
            if line == 0 {
                self.report_improvement(demand, held.value);
            }
        }
        Ok(answer)
    }

    /// Tells of a new best move, or of a larger value than the last demand's.
    fn report_improvement(&mut self, demand: u32, value: Value) {
        let best = self.moves[0].m;
        if self.last.best_move() == Some(best) && value <= self.last.value {
            return;
        }
        let line = self.line(best, value);
        let root_move = &mut self.moves[0];
        (root_move.line, root_move.bound) = (line, Bound::Lower);
        self.last = root_move.report(0, Occasion::Improvement, demand, self.worker.effort());
        self.worker.budget.report(&self.last);
    }

    /// The line that begins with a root move worth `value`.
    fn line(&self, first: G::Move, value: Value) -> Vec<G::Move> {
        principal_variation(self.worker.table, self.root, first, value)
    }

    fn report_of(&self, line: usize, demand: u32, certified: Certified) -> Report<G::Move> {
        let Certified { lower, upper } = certified;
        let effort = self.worker.effort();
        Report {
            conspiracy: Some(Conspiracy {
                threshold: demand,
                // A tree that has grown since may contradict an answer: the later one counts.
                likely_range: (lower.value, upper.value.max(lower.value)),
                support: C::support(lower.cost, upper.cost),
                tree: None,
            }),
            ..self.moves[line].report(line, Occasion::Iteration, demand, effort)
        }
    }
}

impl<'a, G: Game, E: Evaluator<G>, C: Costs<G>> Deepening<'a, G::Move> for Driver<'a, G, E, C> {
    const LAST: u32 = HIGHEST_DEMAND;

    /// One demand: the best lines, one after the other, each without the moves of those before.
    fn iterate(&mut self, demand: u32) -> Result<(), Stopped> {
        let lines = self.worker.budget.limits.multipv.clamp(1, self.moves.len());
        let mut certified = Vec::new();
        for line in 0..lines {
            certified.push(C::certify(self, demand, line)?);
        }
        self.sort_lines(&mut certified);
        for (line, &certified) in certified.iter().enumerate() {
            let pv = self.line(self.moves[line].m, certified.lower.value);
            let root_move = &mut self.moves[line];
            root_move.line = pv;
            root_move.bound = Bound::Exact;
            let report = self.report_of(line, demand, certified);
            self.worker.budget.report(&report);
            if line == 0 {
                self.last = report;
            }
        }
        Ok(())
    }

    fn last(&mut self) -> &mut Report<G::Move> {
        &mut self.last
    }

    fn budget(&mut self) -> &mut Budget<'a, G::Move> {
        &mut self.worker.budget
    }

    fn effort(&self) -> Effort {
        self.worker.effort()
    }
}

/// Asks a question at the root.
fn ask_root<G: Game, E: Evaluator<G>, C: Costs<G>>(
    worker: &mut Worker<'_, G, E, C>,
    question: &RootQuestion<'_, G>,
) -> Result<RootAnswer, Stopped> {
    worker.path.push(question.root.key());
    let answer = C::ask_root(worker, question);
    worker.path.pop();
    answer
}

/// Searches what the leader lays out, until the end of the search.
pub(crate) fn follow<G: Game, E: Evaluator<G>, C: Costs<G>>(
    mut worker: Worker<'_, G, E, C>,
    root: &G,
) {
    loop {
        let Some(shared) = &mut worker.shared else {
            return;
        };
        let Ok(task) = shared.next_task(&mut worker.budget) else {
            return;
        };
        let question = RootQuestion {
            root,
            moves: &task.moves,
            first: task.first,
            theta: task.window.beta,
            demand: task.iteration,
        };
        // What it finds out stands in the table.
        let answer = ask_root(&mut worker, &question);
        if answer.is_err() && worker.broken_off.take().is_none() {
            return;
        }
    }
}
