//! Selects the questions that explain why a search does not play a move, from the root to where the line was cut off.

use serde::Serialize;

use super::line_recorder::{LineQuery, LineRecorder, ONE};
use crate::search::Bound;
use crate::search::events::{By, Descent, LeftOut, Pruning};

/// Cause of a cut-off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Cause {
    /// None: the first move was never rejected.
    NotRefused,
    /// A leaf: the quiescence value answered.
    Leaf,
    /// The static value answered (reverse futility).
    StaticValue,
    /// A null move answered: the moves so far threaten too little.
    NullMove,
    /// The next move was pruned.
    LeftOut,
    /// The opponent has two good replies, which sufficed as an answer.
    Another,
    /// The rules end the game, or a tablebase knows the value.
    End,
    /// The opponent has another reply than the line's.
    OtherReply,
    /// The line ends before a cut-off.
    LineEnds,
    /// There was no question about the next move.
    NotAsked,
}

/// A question along a line.
#[derive(Clone, Debug)]
pub(super) struct TraceStep<M> {
    pub question: LineQuery<M>,
    /// If the table answered: the question whose answer it had.
    pub source: Option<LineQuery<M>>,
}

impl<M> TraceStep<M> {
    /// The question whose answer came from a search.
    pub(super) fn worked_on(&self) -> &LineQuery<M> {
        self.source.as_ref().unwrap_or(&self.question)
    }
}

/// The questions that explain why a move was not played.
#[derive(Clone, Debug)]
pub(super) struct CutOffTrace<M> {
    pub stages: Vec<TraceStep<M>>,
    pub cause: Cause,
    /// Move that answers at the last stage, if one does; the second if two are needed.
    pub reply: Option<M>,
    /// The next move of the line, if it was pruned.
    pub left_out: Option<LeftOut<M>>,
}

impl<M: Copy + Eq> CutOffTrace<M> {
    /// Explains the last rejection of the line's first move before `before` positions had been visited: it was worth
    /// less than asked, or less than another move.
    pub(super) fn new(follower: &LineRecorder<M>, before: u64) -> CutOffTrace<M> {
        let mut story = CutOffTrace {
            stages: Vec::new(),
            cause: Cause::NotRefused,
            reply: None,
            left_out: None,
        };
        let questions = follower.questions.iter().enumerate();
        let mut down = questions.filter(|(_, it)| {
            let is_down = matches!(it.bound(), Some(Bound::Lower | Bound::Exact));
            let is_earlier = it.answer.is_some_and(|it| it.nodes < before);
            it.is_about_first_move() && is_earlier && is_down
        });
        if let Some((number, _)) = down.next_back() {
            story.follow(follower, number);
        }
        story
    }

    /// Follows the line from question `number` to the cut-off.
    fn follow(&mut self, follower: &LineRecorder<M>, mut number: usize) {
        loop {
            let question = &follower.questions[number];
            let source = source(follower, number);
            self.stages.push(TraceStep {
                question: question.clone(),
                source: source.map(|it| follower.questions[it].clone()),
            });
            let worked_on = source.unwrap_or(number);
            let question = &follower.questions[worked_on];
            let next = follower.line.get(question.after).copied();
            if let Some(cause) = cut_off(question, next) {
                self.cause = cause;
                self.reply = match question.by {
                    Some(By::Move(reply)) => Some(reply),
                    Some(By::Another) => second(follower, worked_on),
                    _ => None,
                };
                return;
            }
            if let Some(left_out) = question.left_out {
                (self.cause, self.left_out) = (Cause::LeftOut, Some(left_out));
                return;
            }
            let goes_on = |it: &LineQuery<M>| {
                let by_move = matches!(it.asked.descent, Descent::Move { .. });
                it.part_of == Some(worked_on) && by_move && it.bound().is_some()
            };
            let mut below = follower.questions.iter().enumerate();
            let Some((next, _)) = below.rfind(|(_, it)| goes_on(it)) else {
                self.cause = Cause::NotAsked;
                return;
            };
            number = next;
        }
    }

    /// Lower bound of the iteration that would avoid this cut-off, if prices stay the same; `None` if prices do not
    /// tell it.
    pub(super) fn takes(&self, counts_depth: bool) -> Option<u32> {
        let worth = |question: &LineQuery<M>| i32::from(question.cost().get());
        // Increase of the demand since the table's answer was found, in sixteenths of a ply.
        let mut grown = 0;
        let mut missing = 0;
        for stage in &self.stages {
            let asked = stage.question.asked.demand + grown;
            if let Some(source) = &stage.source {
                missing = missing.max(worth(&stage.question) - asked);
                grown = asked - source.asked.demand;
            }
        }
        let last = self.stages.last()?.worked_on();
        let asked = last.asked.demand + grown;
        missing = missing.max(match (self.cause, self.left_out) {
            (Cause::Leaf, _) if counts_depth => -asked,
            (Cause::Leaf, _) => worth(last) - asked,
            (Cause::LeftOut, Some(left_out)) => match left_out.why {
                Pruning::Price(price) => price - asked,
                _ => return None,
            },
            _ => return None,
        });
        let iteration = self.stages.first()?.question.iteration;
        Some(iteration + (missing.max(0) / ONE) as u32 + 1)
    }
}

impl<M> LineQuery<M> {
    /// Whether the question is about the line's first move, and asked at the root.
    pub(super) fn is_about_first_move(&self) -> bool {
        let by_move = matches!(self.asked.descent, Descent::Move { .. });
        self.after == 1 && self.asked.ply == 1 && by_move
    }
}

/// Cause, if the answer cuts the line off; `next` is the line's next move.
fn cut_off<M: Copy + Eq>(question: &LineQuery<M>, next: Option<M>) -> Option<Cause> {
    let is_opponent = question.after % 2 == 1;
    Some(match question.by? {
        By::Leaf => Cause::Leaf,
        By::StaticValue => Cause::StaticValue,
        By::Pass => Cause::NullMove,
        By::Another => Cause::Another,
        By::Rules | By::Known => Cause::End,
        By::Move(reply) if is_opponent && next.is_some_and(|it| it != reply) => Cause::OtherReply,
        By::Move(_) | By::NoMove if next.is_none() => Cause::LineEnds,
        By::Table(_) => Cause::NotAsked,
        By::Move(_) | By::NoMove => return None,
    })
}

/// The second of two moves that suffice.
fn second<M: Copy + Eq>(follower: &LineRecorder<M>, of: usize) -> Option<M> {
    let is_search =
        |it: &&LineQuery<M>| it.part_of == Some(of) && it.asked.descent == Descent::Others;
    match follower.questions.iter().rfind(is_search)?.by {
        Some(By::Move(m)) => Some(m),
        _ => None,
    }
}

/// Index of the earlier question whose answer the table gives.
fn source<M: Copy + Eq>(follower: &LineRecorder<M>, number: usize) -> Option<usize> {
    let question = &follower.questions[number];
    let (Some(By::Table(cost)), Some(answer)) = (question.by, question.answer) else {
        return None;
    };
    let says_so = |it: &LineQuery<M>| {
        let is_own =
            !matches!(it.by, Some(By::Table(_)) | None) && it.asked.descent != Descent::Others;
        let same = it.answer.is_some_and(|it| it.value == answer.value);
        let same_bound = it.bound() == Some(Bound::Exact) || it.bound() == question.bound();
        it.after == question.after && is_own && same && same_bound
    };
    let same_cost = |it: &LineQuery<M>| it.answer.is_some_and(|it| it.cost == cost);
    let before = || follower.questions[..number].iter().enumerate();
    let exactly = before().rfind(|(_, it)| says_so(it) && same_cost(it));
    let found = exactly.or_else(|| before().rfind(|(_, it)| says_so(it)));
    found.map(|(source, _)| source)
}
