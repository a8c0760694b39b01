//! Records a search's questions about the positions of a line, each with its answer and the question that it is part
//! of.

use crate::game::Game;
use crate::search::events::{Answered, By, Descent, Event, LeftOut, NodeQuery, Watcher};
use crate::search::{Bound, Cost};

/// A ply, in sixteenths.
pub(super) const ONE: i32 = Cost::ONE.get() as i32;

/// A question about a position of the line.
#[derive(Clone, Debug)]
pub(super) struct LineQuery<M> {
    pub asked: NodeQuery<M>,
    /// Number of the line's moves before the position, which the search may have reached by other moves.
    pub after: usize,
    /// Iteration under way: a demand, or a depth.
    pub iteration: u32,
    /// Index in [`LineRecorder::questions`] of the question that it is part of, if that is about the line, too.
    pub part_of: Option<usize>,
    /// The next move of the line, if it was pruned.
    pub left_out: Option<LeftOut<M>>,
    /// Demand, in sixteenths of a ply, of the last question that was not about a move: after a null move, or for a
    /// second good move.
    pub aside: Option<i32>,
    /// Source of the answer.
    pub by: Option<By<M>>,
    /// Answer; `None` while the question is under way.
    pub answer: Option<Answered>,
}

impl<M: Copy> LineQuery<M> {
    /// Positions visited for the answer.
    pub(super) fn nodes(&self) -> u64 {
        let until = self.answer.map_or(self.asked.nodes, |it| it.nodes);
        until - self.asked.nodes
    }

    /// Kind of bound that the answer is, for the side to move: a lower one if the value reaches the window's upper
    /// end. `None` without an answer.
    pub(super) fn bound(&self) -> Option<Bound> {
        Some(Bound::of(self.answer?.value?, self.asked.window))
    }

    /// Cost of the table's answer, or else of the answer itself.
    pub(super) fn cost(&self) -> Cost {
        match self.by {
            Some(By::Table(cost)) => cost,
            _ => self.answer.map_or(Cost::ZERO, |it| it.cost),
        }
    }
}

/// Records the questions about a line.
#[derive(Clone, Debug)]
pub(super) struct LineRecorder<M> {
    pub line: Vec<M>,
    /// Keys of the line's positions, the root's first.
    keys: Vec<u64>,
    /// The questions under way, each with its index in `questions` if it is about the line.
    under_way: Vec<(NodeQuery<M>, Option<usize>)>,
    /// Questions about the line, in the order asked.
    pub questions: Vec<LineQuery<M>>,
}

impl<M: Copy + Eq> LineRecorder<M> {
    /// Follows a line of legal moves.
    pub(super) fn new<G: Game<Move = M>>(root: &G, line: &[M]) -> LineRecorder<M> {
        let mut position = root.clone();
        let mut keys = vec![position.key()];
        for &m in line {
            position.play(m);
            keys.push(position.key());
        }
        LineRecorder {
            line: line.to_vec(),
            keys,
            under_way: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// Number of the line's moves before a position in question; `None` if it is not on the line. If the line repeats
    /// it, the search's ply decides.
    fn moves_before(&self, asked: &NodeQuery<M>) -> Option<usize> {
        if self.keys.get(asked.ply) == Some(&asked.key) {
            return Some(asked.ply);
        }
        self.keys.iter().position(|&key| key == asked.key)
    }

    /// Index of the question under way, if that is about the line.
    fn current(&self) -> Option<usize> {
        self.under_way.last()?.1
    }

    fn ask(&mut self, asked: NodeQuery<M>) {
        let part_of = self.current();
        let of_root = self.under_way.first().map_or(asked, |it| it.0);
        let number = self.moves_before(&asked).map(|after| {
            self.questions.push(LineQuery {
                asked,
                after,
                iteration: (of_root.demand / ONE).max(0) as u32,
                part_of,
                left_out: None,
                aside: None,
                by: None,
                answer: None,
            });
            self.questions.len() - 1
        });
        self.under_way.push((asked, number));
    }

    fn answer(&mut self, answer: Answered) {
        let Some((asked, number)) = self.under_way.pop() else {
            return;
        };
        if let Some(number) = number {
            self.questions[number].answer = Some(answer);
        }
        if let Some(above) = self.current()
            && matches!(asked.descent, Descent::Pass | Descent::Others)
        {
            self.questions[above].aside = Some(asked.demand);
        }
    }

    fn leave_out(&mut self, left_out: LeftOut<M>) {
        let Some(number) = self.current() else {
            return;
        };
        let question = &mut self.questions[number];
        if self.line.get(question.after) == Some(&left_out.m) {
            question.left_out = Some(left_out);
        }
    }
}

impl<M: Copy + Eq> Watcher<M> for LineRecorder<M> {
    fn receive(&mut self, event: Event<M>) {
        match event {
            Event::Asked(asked) => self.ask(asked),
            Event::Answered(answer) => self.answer(answer),
            Event::LeftOut(left_out) => self.leave_out(left_out),
            Event::By(by) => {
                if let Some(number) = self.current() {
                    self.questions[number].by = Some(by);
                }
            }
        }
    }
}
