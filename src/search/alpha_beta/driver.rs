//! Iterative deepening, aspiration windows, the root.

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::node::{Candidate, Node};
use super::settings::MAX_DEPTH;
use super::worker::{Frame, Worker};
use crate::game::{Evaluator, Game, Root};
use crate::search::events::{By, Descent, Watcher};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::deepening::{self, Deepening, Effort, RootMove};
use crate::search::kit::mate_line;
use crate::search::kit::ordering::{GameHints, Picker};
use crate::search::kit::prover::Prover;
use crate::search::kit::sorting::sort_by_key;
use crate::search::kit::team::shared::RootTask;
use crate::search::{Bound, Occasion, Report};
use crate::value::{Value, Window};

/// Factor by which an aspiration window is widened when the value falls outside.
const WIDENING: i32 = 3;

/// Half width in centipawns beyond which a window is opened instead of widened: material was won or lost, and the
/// value cannot be guessed.
const WIDEST: i32 = 1000;

/// The search of one root.
pub(super) struct Driver<'a, G: Game, E, W> {
    worker: Worker<'a, G, E, W>,
    root: &'a G,
    moves: Vec<RootMove<G::Move>>,
    last: Report<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Driver<'a, G, E, W> {
    /// A driver for `root`, its moves in the [`Picker`]'s order by the game's hints; the prover has its share.
    pub(super) fn new(
        mut worker: Worker<'a, G, E, W>,
        root: &'a Root<G>,
        prover: Option<&'a mut dyn Prover<G::Move>>,
    ) -> Driver<'a, G, E, W> {
        worker.budget.set_prover(prover);
        let root = &root.position;
        let wanted = worker.budget.limits.root_moves(root);
        let mut picker = Picker::new(None, worker.settings.exchange_ordering);
        let moves: Vec<_> = std::iter::from_fn(|| picker.next(root, &GameHints))
            .filter(|m| wanted.contains(m))
            .map(|m| RootMove::new(m, Value::DRAW))
            .collect();
        let value = if root.has_legal_move() {
            worker.evaluator.static_value(root)
        } else {
            root.terminal_value()
        };
        let first = moves.first().map(|best| best.m);
        Driver {
            worker,
            root,
            moves,
            last: mate_line::before_search(root, value, first),
        }
    }

    /// Searches the moves from `line` on, at first with a window around the last iteration's value,
    /// and with a wider one as long as the value falls outside.
    fn aspire(&mut self, line: usize) -> Result<(), Stopped> {
        let expected = self.moves[line].value;
        let mut window = Window::FULL;
        let mut half_width = 0;
        if let Some(settings) = self.worker.settings.aspiration
            && self.worker.iteration >= settings.min_depth
            && !expected.is_decided()
        {
            half_width = settings.half_width;
            window = Window::new(expected.offset(-half_width), expected.offset(half_width));
        }
        loop {
            let value = self.search_root(line, window)?;
            half_width *= WIDENING;
            if value <= window.alpha {
                window.alpha = widened(value, -half_width);
            } else if value >= window.beta {
                window.beta = widened(value, half_width);
            } else {
                return Ok(());
            }
        }
    }

    /// Searches the root's moves from `line` on; the best one that reaches above alpha is moved to
    /// `line`.
    fn search_root(&mut self, line: usize, window: Window) -> Result<Value, Stopped> {
        let depth = self.worker.iteration;
        self.worker
            .emit_query(Descent::Root, self.root, window, depth, 0);
        let value = self.search_root_moves(line, window);
        if let Ok(value) = value {
            let is_above = value > window.alpha;
            let best = self.moves[line].m;
            self.worker
                .watcher
                .emit_source(if is_above { By::Move(best) } else { By::NoMove });
        }
        self.worker.emit_answer(value, depth);
        value
    }

    /// [`Driver::search_root`] without telling the watcher.
    fn search_root_moves(&mut self, line: usize, window: Window) -> Result<Value, Stopped> {
        let root = self.root;
        let (worker, moves, last) = (&mut self.worker, &mut self.moves, &mut self.last);
        worker.budget.visit()?;
        let task = RootTask {
            moves: moves[line..].iter().map(|it| it.m).collect(),
            first: 0,
            window,
            iteration: worker.iteration as u32,
        };
        worker.shared_search.publish(|| task.clone());
        search_task(worker, root, &task, |worker, candidate, window, value| {
            if value <= window.alpha {
                if candidate.number == 1 {
                    let first = &mut moves[line];
                    (first.value, first.bound) = (value, Bound::Upper);
                    first.line.truncate(1);
                }
                return;
            }
            worker.set_line(0, candidate.m);
            let index = moves.iter().position(|it| it.m == candidate.m);
            moves[line..=index.unwrap_or(line)].rotate_right(1);
            let found = &mut moves[line];
            let known = found.value == value && found.shows_the_end();
            found.value = value;
            found.bound = worker.budget.bound_of(value, Bound::of(value, window));
            if !known {
                found.line.clone_from(&worker.lines[0]);
                worker.complete_line(root, found);
            }
            if line == 0 {
                let iteration = worker.iteration as u32;
                *last = found.report(0, Occasion::Improvement, iteration, worker.effort());
                if last.value.is_loss() {
                    // A later move may delay the loss.
                    last.bound = Bound::Lower;
                }
                worker.budget.report(last);
            }
        })
    }
}

impl<'a, G: Game, E: Evaluator<G>, W: Watcher<G::Move>> Deepening<'a, G::Move>
    for Driver<'a, G, E, W>
{
    const LAST: u32 = MAX_DEPTH;

    /// One iteration: line by line (`MultiPV`), each without the first moves of the lines before.
    fn iterate(&mut self, depth: u32) -> Result<(), Stopped> {
        self.worker.iteration = depth as i32;
        let lines = self.worker.budget.lines(self.moves.len());
        for line in 0..lines {
            self.aspire(line)?;
        }
        // A later line may have a better value, as the table has more entries by then.
        sort_by_key(&mut self.moves[..lines], |it| Reverse(it.value));
        for (line, it) in self.moves[..lines].iter_mut().enumerate() {
            it.bound = self.worker.budget.bound_of(it.value, it.bound);
            let report = it.report(line, Occasion::Iteration, depth, self.worker.effort());
            self.worker.budget.report(&report);
            if line == 0 {
                self.last = report;
            }
        }
        Ok(())
    }

    fn take_proofs(&mut self, depth: u32) {
        self.worker.return_to_root();
        for proven in self.worker.budget.all_proven().to_vec() {
            self.worker.seldepth = self.worker.seldepth.max(proven.line.len());
            for (position, value, theta, m) in proven.positions(self.root) {
                let window = Window::at_least(theta);
                self.worker
                    .store_leaf(&position, window, value, G::move_code(m));
            }
        }
        let budget = &mut self.worker.budget;
        if let Some(best) = deepening::decide(&mut self.moves, &self.last, budget) {
            self.last = best.report(0, Occasion::Improvement, depth, self.worker.effort());
            self.worker.budget.report(&self.last);
        }
    }

    fn state(&mut self) -> (&Report<G::Move>, &mut Budget<'a, G::Move>) {
        (&self.last, &mut self.worker.budget)
    }

    fn effort(&self) -> Effort {
        self.worker.effort()
    }
}

/// The root as a node to be searched.
fn root_node<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    worker: &mut Worker<'_, G, E, W>,
    root: &G,
    window: Window,
) -> Node<G::Move> {
    worker.frames[0].rests_on = Frame::NOTHING;
    let in_check = root.in_check();
    Node {
        window,
        pv: true,
        depth: worker.iteration + worker.check_extension(in_check, 0),
        ply: 0,
        cut: false,
        in_check,
        excluded: None,
    }
}

/// Searches a task's moves one after the other, and tells `take` the value of each and the window it was searched with;
/// returns the best value.
fn search_task<'a, G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    worker: &mut Worker<'a, G, E, W>,
    root: &G,
    task: &RootTask<G::Move>,
    mut take: impl FnMut(&mut Worker<'a, G, E, W>, Candidate<G::Move>, Window, Value),
) -> Result<Value, Stopped> {
    let node = root_node(worker, root, task.window);
    let context = worker.context(root, &node, None);
    let mut best = -Value::INFINITY;
    let mut window = task.window;
    // A move that another thread is searching is put off to the end, once.
    let numbered = (1..).zip(&task.moves);
    let mut queue: VecDeque<_> = numbered.map(|(number, &m)| (number, m, true)).collect();
    while window.alpha < window.beta
        && let Some((number, m, is_new)) = queue.pop_front()
    {
        let candidate = Candidate {
            m,
            number,
            extension: 0,
        };
        if is_new && worker.is_searched_elsewhere(root, &node, &context, candidate, window) {
            queue.push_back((number, m, false));
            continue;
        }
        let value = match worker.budget.proven(m) {
            Some(proven) => {
                worker.lines[1].clear();
                worker.lines[1].extend_from_slice(&proven.line[1..]);
                proven.value
            }
            None => worker.child(root, &node, &context, candidate, window)?,
        };
        take(worker, candidate, window, value);
        best = best.max(value);
        window.alpha = window.alpha.max(value);
    }
    Ok(best)
}

/// Searches the leader's tasks on a helper thread, until the search ends.
pub(super) fn follow<G: Game, E: Evaluator<G>, W: Watcher<G::Move>>(
    mut worker: Worker<'_, G, E, W>,
    root: &G,
) {
    while let Some(task) = worker.shared_search.next_task(&mut worker.budget) {
        worker.iteration = task.iteration as i32;
        // Results are in the table. Stopped or not, waits for the leader's next task.
        let _ = search_task(&mut worker, root, &task, |_, _, _, _| {});
    }
}

/// A window's bound moved beyond `value`, or opened if that is a proof or `by` too much.
fn widened(value: Value, by: i32) -> Value {
    if value.is_decided() || by.abs() > WIDEST {
        if by > 0 {
            Value::INFINITY
        } else {
            -Value::INFINITY
        }
    } else {
        value.offset(by)
    }
}
