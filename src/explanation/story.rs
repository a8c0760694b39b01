//! Why a search does not play a move: the questions along a line, from the root to where the line was cut off.

use serde::Serialize;

use super::follower::{Follower, ONE, Question};
use crate::search::kit::watching::{By, LeftOut, Pruning, Step};
use crate::search::{Bound, Cost};

/// Where a line was cut off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Cause {
    /// Nowhere: its first move was never turned down.
    NotRefused,
    /// At a leaf: the value after quiescence was taken for an answer.
    Leaf,
    /// The static value was taken for an answer.
    StaticValue,
    /// The opponent may pass: the moves so far threaten too little.
    NullMove,
    /// The next move was left out.
    LeftOut,
    /// The opponent has two answers, and that was taken for proof enough.
    Another,
    /// The rules end the game, or a tablebase knows the value.
    End,
    /// The opponent answers otherwise than the line has it.
    OtherReply,
    /// The line ends before the search gives it up.
    LineEnds,
    /// The next move was not asked about.
    NotAsked,
}

/// A question along a line.
#[derive(Clone, Debug)]
pub(super) struct Stage<M> {
    pub question: Question<M>,
    /// Where the table answered: the question whose answer stood there.
    pub source: Option<Question<M>>,
}

impl<M> Stage<M> {
    /// The question that was answered by more than the table.
    pub(super) fn worked_on(&self) -> &Question<M> {
        self.source.as_ref().unwrap_or(&self.question)
    }
}

/// The questions that tell why a move was not played.
#[derive(Clone, Debug)]
pub(super) struct Story<M> {
    pub stages: Vec<Stage<M>>,
    pub cause: Cause,
    /// The move that answers at the last stage, if one does; the second of two.
    pub reply: Option<M>,
    /// The next move of the line, where it was left out.
    pub left_out: Option<LeftOut<M>>,
}

impl<M: Copy + Eq> Story<M> {
    /// Why the first move of the line was turned down for the last time before so many positions had been visited: it was not worth
    /// what was asked, or something that another move surpassed.
    pub(super) fn new(follower: &Follower<M>, line: &[M], before: u64) -> Story<M> {
        let mut story = Story {
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
            story.follow(follower, line, number);
        }
        story
    }

    /// Goes on with the question of that number, and from there to where the line is cut off.
    fn follow(&mut self, follower: &Follower<M>, line: &[M], mut number: usize) {
        loop {
            let question = &follower.questions[number];
            let source = source(follower, number);
            self.stages.push(Stage {
                question: question.clone(),
                source: source.map(|it| follower.questions[it].clone()),
            });
            let worked_on = source.unwrap_or(number);
            let question = &follower.questions[worked_on];
            let next = line.get(question.after).copied();
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
            let goes_on = |it: &Question<M>| {
                let by_move = matches!(it.asked.step, Step::Move { .. });
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

    /// Iterations that it takes at least for the line not to be cut off where it was, if prices stay what they are; `None` if
    /// that cannot be told from prices.
    pub(super) fn takes(&self, counts_depth: bool) -> Option<u32> {
        // By how much more would be demanded today where the table's answer is older.
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

impl<M> Question<M> {
    /// Whether it is about the first move of the line, and asked for the root.
    pub(super) fn is_about_first_move(&self) -> bool {
        let by_move = matches!(self.asked.step, Step::Move { .. });
        self.after == 1 && self.asked.ply == 1 && by_move
    }
}

/// What an answer from the table, or else the answer itself, is worth.
fn worth<M>(question: &Question<M>) -> i32 {
    let cost = match question.by {
        Some(By::Table(cost)) => cost,
        _ => question.answer.map_or(Cost::ZERO, |it| it.cost),
    };
    i32::from(cost.get())
}

/// The cause, if the line is cut off by what answers a question; `next` is the line's next move.
fn cut_off<M: Copy + Eq>(question: &Question<M>, next: Option<M>) -> Option<Cause> {
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

/// The second of two moves that are good enough.
fn second<M: Copy + Eq>(follower: &Follower<M>, of: usize) -> Option<M> {
    let is_search = |it: &&Question<M>| it.part_of == Some(of) && it.asked.step == Step::Others;
    match follower.questions.iter().rfind(is_search)?.by {
        Some(By::Move(m)) => Some(m),
        _ => None,
    }
}

/// The question before one that the table answers, by whose answer it does.
fn source<M: Copy + Eq>(follower: &Follower<M>, number: usize) -> Option<usize> {
    let question = &follower.questions[number];
    let (Some(By::Table(cost)), Some(answer)) = (question.by, question.answer) else {
        return None;
    };
    let says_so = |it: &Question<M>| {
        let is_own = !matches!(it.by, Some(By::Table(_)) | None) && it.asked.step != Step::Others;
        let same = it.answer.is_some_and(|it| it.value == answer.value);
        it.after == question.after && is_own && same
    };
    let same_cost = |it: &Question<M>| it.answer.is_some_and(|it| it.cost == cost);
    let before = || follower.questions[..number].iter().enumerate();
    let exactly = before().rfind(|(_, it)| says_so(it) && same_cost(it));
    let found = exactly.or_else(|| before().rfind(|(_, it)| says_so(it)));
    found.map(|(source, _)| source)
}
