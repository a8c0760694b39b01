//! Iterative deepening: one iteration after the other, each with what the last one learnt.

use super::MAX_DEPTH;
use super::node::{Candidate, Context, Node};
use super::worker::{Frame, Worker};
use crate::game::{Evaluator, Game, Root};
use crate::search::budget::Stopped;
use crate::search::ordering::{GameHints, Picker};
use crate::search::{Bound, Occasion, Report};
use crate::value::{Value, Window};

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) m: M,
    /// Value when it was last found better than the moves before it.
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The line that goes with the value; its first move is `m`.
    pub(super) line: Vec<M>,
}

impl<M> RootMove<M> {
    /// Whether the line leads all the way to the end its value promises.
    pub(super) fn shows_the_end(&self) -> bool {
        self.value
            .plies_to_end()
            .is_some_and(|plies| self.line.len() == usize::from(plies))
    }
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The whole search of a root, from iteration `first` on.
    pub(super) fn deepen(mut self, root: &Root<G>, first: u32) -> Report<G::Move> {
        let position = &root.position;
        let mut moves = self.root_moves(position);
        let mut last = self.first_report(position, &moves);
        if !moves.is_empty() {
            let most = self
                .budget
                .limits
                .iterations
                .unwrap_or(MAX_DEPTH)
                .min(MAX_DEPTH);
            for depth in first..=most {
                let done = self.iterate(position, &mut moves, depth, &mut last);
                if done.is_err() || self.is_enough(&last) || depth == most {
                    break;
                }
                if !self.budget.wants_another_iteration(&last) {
                    break;
                }
            }
        }
        last.occasion = Occasion::Final;
        last.nodes = self.nodes();
        last.fullness = self.table.fullness();
        self.budget.report(&last);
        last
    }

    /// The moves to consider, captures and what the game prefers first.
    fn root_moves(&self, position: &G) -> Vec<RootMove<G::Move>> {
        let wanted = self.budget.limits.root_moves(position);
        let mut picker = Picker::new(None, self.settings.exchange_ordering);
        std::iter::from_fn(|| picker.next(position, &GameHints))
            .filter(|m| wanted.contains(m))
            .map(|m| RootMove {
                m,
                value: Value::DRAW,
                bound: Bound::Lower,
                line: vec![m],
            })
            .collect()
    }

    /// What can be said before any search.
    fn first_report(&mut self, position: &G, moves: &[RootMove<G::Move>]) -> Report<G::Move> {
        let value = if position.has_legal_move() {
            self.evaluator.static_value(position)
        } else {
            position.terminal_value()
        };
        Report::before_search(
            value,
            moves.first().map(|root| root.m).into_iter().collect(),
        )
    }

    /// One iteration: the best lines, one after the other, each without the moves of those before.
    /// `last` follows what is known about the best one.
    fn iterate(
        &mut self,
        position: &G,
        moves: &mut [RootMove<G::Move>],
        depth: u32,
        last: &mut Report<G::Move>,
    ) -> Result<(), Stopped> {
        self.iteration = depth as i32;
        self.seldepth = 0;
        let lines = self.budget.limits.multipv.clamp(1, moves.len());
        for line in 0..lines {
            self.aspire(position, moves, line, last)?;
        }
        // A later line may turn out better, as the table has learnt since.
        moves[..lines].sort_by_key(|root| std::cmp::Reverse(root.value));
        *last = self.report_of(&moves[0], 0, Occasion::Iteration);
        for (line, root) in moves[..lines].iter().enumerate() {
            let report = self.report_of(root, line, Occasion::Iteration);
            self.budget.report(&report);
        }
        Ok(())
    }

    /// Searches the moves from `line` on, at first with a window around the last iteration's value,
    /// and with a wider one as long as the value falls outside.
    fn aspire(
        &mut self,
        position: &G,
        moves: &mut [RootMove<G::Move>],
        line: usize,
        last: &mut Report<G::Move>,
    ) -> Result<(), Stopped> {
        let expected = moves[line].value;
        let mut window = Window::FULL;
        let mut half_width = 0;
        if let Some(settings) = self.settings.aspiration
            && self.iteration >= settings.min_depth
            && !expected.is_decided()
        {
            half_width = settings.half_width;
            window = Window::new(expected.offset(-half_width), expected.offset(half_width));
        }
        loop {
            let value = self.search_root(position, moves, line, window, last)?;
            half_width *= 3;
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
    fn search_root(
        &mut self,
        position: &G,
        moves: &mut [RootMove<G::Move>],
        line: usize,
        window: Window,
        last: &mut Report<G::Move>,
    ) -> Result<Value, Stopped> {
        self.count_node()?;
        self.frames[0].rests_on = Frame::NOTHING;
        let node = self.root_node(position, window);
        let context = self.root_context(position, &node);
        let mut best = -Value::INFINITY;
        let mut alpha = window.alpha;
        for index in line..moves.len() {
            let candidate = Candidate {
                m: moves[index].m,
                number: index - line + 1,
                extension: 0,
            };
            let window = Window::new(alpha, window.beta);
            let value = self.child(position, &node, &context, candidate, window)?;
            best = best.max(value);
            if value <= alpha {
                if index == line {
                    let root = &mut moves[line];
                    (root.value, root.bound) = (value, Bound::Upper);
                    root.line.truncate(1);
                }
                continue;
            }
            alpha = value;
            self.set_line(0, candidate.m);
            moves[line..=index].rotate_right(1);
            let root = &mut moves[line];
            let known = root.value == value && root.shows_the_end();
            root.value = value;
            root.bound = if value >= window.beta {
                Bound::Lower
            } else {
                Bound::Exact
            };
            if !known {
                root.line.clone_from(&self.lines[0]);
                self.complete_line(position, root);
            }
            if line == 0 {
                *last = self.report_of(root, 0, Occasion::Improvement);
                if value.is_loss() {
                    // Moves still to come may hold out longer.
                    last.bound = Bound::Lower;
                }
                self.budget.report(last);
            }
            if value >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    fn root_node(&self, position: &G, window: Window) -> Node<G::Move> {
        let in_check = position.in_check();
        Node {
            window,
            pv: true,
            depth: self.iteration + self.check_extension(in_check, 0),
            ply: 0,
            cut: false,
            in_check,
            excluded: None,
        }
    }

    fn root_context(&mut self, position: &G, node: &Node<G::Move>) -> Context<G::Move> {
        self.context(position, node, None)
    }

    fn report_of(
        &self,
        root: &RootMove<G::Move>,
        line: usize,
        occasion: Occasion,
    ) -> Report<G::Move> {
        Report {
            occasion,
            iteration: self.iteration as u32,
            seldepth: self.seldepth as u32,
            line: line + 1,
            value: root.value,
            bound: root.bound,
            nodes: self.nodes(),
            fullness: self.table.fullness(),
            pv: root.line.clone(),
            conspiracy: None,
        }
    }

    /// Whether no further iteration can matter: the mate asked for, or a decided game searched as
    /// deep as its end.
    fn is_enough(&self, last: &Report<G::Move>) -> bool {
        let asked = self.budget.has_mate(last.value);
        let to_its_end = last
            .value
            .plies_to_end()
            .is_some_and(|plies| u32::from(plies) <= last.iteration);
        asked || to_its_end
    }
}

/// The end of a window moved beyond `value`, or all the way where values are proofs.
fn widened(value: Value, by: i32) -> Value {
    if value.is_decided() || by.abs() > 1000 {
        if by > 0 {
            Value::INFINITY
        } else {
            -Value::INFINITY
        }
    } else {
        value.offset(by)
    }
}
