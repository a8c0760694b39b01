//! The driver: iterates over demands, and finds for each the largest value that holds.
//! A search's [`Costs`] ask the root and price answers.

use std::cmp::Reverse;
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
use crate::search::mates::mate_line;
use crate::search::{Bound, Conspiracy, Cost, Occasion, Report, Support};
use crate::value::{Value, Window};

/// Highest demand, in units of [`Cost`]; only nearly exhausted trees reach it.
pub const HIGHEST_DEMAND: u32 = 120;

/// The value of a root move that a limit left unevaluated. It sorts behind all evaluated moves but those that lose.
const NOT_EVALUATED: Value = Value::centipawns(-Value::MAX_CENTIPAWNS as i32);

/// A cost model: the prices of answers, and the questions at the root.
pub(crate) trait Costs<G: Game>: Sized {
    /// Resolution of values, for an evaluator with steps of `grain` centipawns.
    fn scale(&self, grain: i32) -> Scale;

    /// Finds the largest value that holds at a cost of `demand`, or a narrow range around it, for the moves
    /// from `line` on; the move that holds it is moved to `line`.
    fn certify<E: Evaluator<G>>(
        driver: &mut Driver<'_, G, E, Self>,
        demand: u32,
        line: usize,
    ) -> Result<Certified, Stopped>;

    /// Answers a question at the root, whose key is on the path.
    fn ask_root<E: Evaluator<G>>(
        worker: &mut Worker<'_, G, E, Self>,
        root: &G,
        task: &RootTask<G::Move>,
    ) -> Result<RootAnswer, Stopped>;

    /// The support of the root's value, from the costs of its lower and upper bound.
    fn support(lower: Cost, upper: Cost) -> Support;
}

/// The answer to a question about some of the root's moves.
#[derive(Clone, Copy)]
pub(crate) struct RootAnswer {
    /// Upper bound over the moves that failed, of those asked.
    pub(crate) failed: Certificate,
    /// The first move that holds, by its index among those asked ([`Driver::ask`]: among all), and its lower bound.
    pub(crate) held: Option<(usize, Certificate)>,
}

impl RootAnswer {
    /// The certificate of all moves asked together.
    pub(crate) fn certificate(self) -> Certificate {
        self.held.map_or(self.failed, |(_, held)| held)
    }
}

/// Lower and upper bound of a value, each with its cost.
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
    pub(crate) last: Report<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>, C: Costs<G>> Driver<'a, G, E, C> {
    /// A driver for `root`, its moves in order of the evaluator's values.
    pub(crate) fn new(mut worker: Worker<'a, G, E, C>, root: &'a G) -> Driver<'a, G, E, C> {
        let limits = worker.budget.limits;
        let mut moves: Vec<RootMove<G::Move>> = limits
            .root_moves(root)
            .into_iter()
            .map(|m| RootMove::new(m, NOT_EVALUATED))
            .collect();
        for root_move in &mut moves {
            let child = root.after(root_move.m);
            let evaluate = || (worker.evaluator).evaluate(&child, Window::FULL, &mut worker.budget);
            let Ok(value) = child.outcome().map_or_else(evaluate, Ok) else {
                break;
            };
            root_move.value = value.from_child();
        }
        sort_by_key(&mut moves, |it| (Reverse(it.value), -root.preference(it.m)));
        let best = moves.first();
        let value = match best {
            None => root.terminal_value(),
            Some(best) if best.value == NOT_EVALUATED => worker.evaluator.static_value(root),
            Some(best) => best.value,
        };
        let mut last = Report {
            nodes: worker.budget.nodes(),
            ..Report::before_search(value, Vec::new())
        };
        if let Some(best) = best {
            last.pv = principal_variation(worker.table, root, best.m, best.value);
            last.bound = last.bound.told(value, &last.pv);
            mate_line::tell_win_at_once(root, &mut last);
        }
        Driver {
            worker,
            root,
            moves,
            last,
        }
    }

    /// A settling around the value of the move at `line`, with no question asked yet.
    pub(crate) fn settling(&self, line: usize) -> Settling {
        Settling::new(self.scale(), self.moves[line].value)
    }

    /// Resolution of values.
    pub(crate) fn scale(&self) -> Scale {
        self.worker.costs.scale(self.worker.grain)
    }

    /// Asks the moves at the indices `asked`, none below `line`, until their largest value is settled.
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

    /// Asks "at least `theta`?" of the moves at the indices `asked`, none below `line`; one that holds moves to `line`.
    pub(crate) fn ask(
        &mut self,
        theta: Value,
        demand: u32,
        line: usize,
        asked: Range<usize>,
    ) -> Result<RootAnswer, Stopped> {
        let task = RootTask {
            moves: self.moves[asked.clone()].iter().map(|it| it.m).collect(),
            first: asked.start - line,
            window: Window::at_least(theta),
            iteration: demand,
        };
        self.worker.company.lay_out(|| task.clone());
        let before = self.worker.budget.nodes();
        let mut answer = ask_root(&mut self.worker, self.root, &task)?;
        let alone = task.moves.len() == 1 && self.worker.budget.limits.multipv <= 1;
        if alone {
            self.moves[asked.start].nodes += self.worker.budget.nodes() - before;
        }
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

    /// Reports a new best move, or a larger value than the last report's.
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
                // Answers may contradict each other: then the lower bound counts.
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

    /// One demand: line by line (`MultiPV`), each without the first moves of the lines before.
    fn iterate(&mut self, demand: u32) -> Result<(), Stopped> {
        let lines = self.worker.budget.limits.multipv.clamp(1, self.moves.len());
        let mut certified = Vec::new();
        for line in 0..lines {
            certified.push(C::certify(self, demand, line)?);
        }
        let mut sorted: Vec<_> = self.moves.iter().cloned().zip(certified).collect();
        // A later line may have a better value, as the table has more entries by then.
        sort_by_key(&mut sorted, |(_, it)| Reverse(it.lower.value));
        for (line, (root_move, certified)) in sorted.into_iter().enumerate() {
            self.moves[line] = RootMove {
                line: self.line(root_move.m, certified.lower.value),
                bound: Bound::Exact,
                ..root_move
            };
            let report = self.report_of(line, demand, certified);
            self.worker.budget.report(&report);
            if line == 0 {
                self.last = report;
            }
        }
        Ok(())
    }

    fn state(&mut self) -> (&Report<G::Move>, &mut Budget<'a, G::Move>) {
        (&self.last, &mut self.worker.budget)
    }

    fn effort(&self) -> Effort {
        self.worker.effort()
    }
}

/// Asks a question at the root.
fn ask_root<G: Game, E: Evaluator<G>, C: Costs<G>>(
    worker: &mut Worker<'_, G, E, C>,
    root: &G,
    task: &RootTask<G::Move>,
) -> Result<RootAnswer, Stopped> {
    worker.path.push(root.key());
    let answer = C::ask_root(worker, root, task);
    worker.path.pop();
    answer
}

/// Searches the leader's tasks on a helper thread, until the search ends.
pub(crate) fn follow<G: Game, E: Evaluator<G>, C: Costs<G>>(
    mut worker: Worker<'_, G, E, C>,
    root: &G,
) {
    while let Some(task) = worker.company.next_task(&mut worker.budget) {
        // Results are in the table. Stopped or not, waits for the leader's next task.
        let _ = ask_root(&mut worker, root, &task);
    }
}
