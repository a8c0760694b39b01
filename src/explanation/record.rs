//! Explanations as data, for JSON and for the text.

use serde::{Serialize, Serializer};

use super::WatchedSearch;
use super::cut_off_trace::{Cause, TraceStep};
use super::line_recorder::LineQuery;
use crate::engine::analyst::text::amount;
use crate::engine::settings::EngineSettings;
use crate::game::{Game as _, Root};
use crate::games::chess::line::{WrittenLine, playable};
use crate::games::chess::notation::{to_fen, to_san};
use crate::games::chess::{Move, Position};
use crate::search::events::{By, Descent, Pruning};
use crate::search::registry::Algorithm;
use crate::search::{Bound, Cost, Occasion};
use crate::value::Value;
use crate::version;

/// Explains why a search does not play the first move of a line, or did not at first. Values are for the side that
/// makes this move. Demands and costs are in plies; for alpha-beta they are depths.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Explanation {
    pub cassius: &'static str,
    pub commit: &'static str,
    pub fen: String,
    pub search: &'static str,
    /// Positions visited, quiescence included.
    pub nodes: u64,
    /// Last iteration completed.
    pub iterations: u32,
    /// Move that the search plays; `None` if there is no legal one.
    pub plays: Option<String>,
    pub value: String,
    pub best_line: String,
    pub line: WrittenLine,
    /// Number of moves given by the user. The others are answers of this search or of a longer one.
    pub given: usize,
    /// When the search began to play the move, if it does.
    pub found: Option<Found>,
    /// Fate of the move, iteration by iteration.
    pub course: Vec<Iteration>,
    /// Questions along the line when the move was last rejected.
    pub stages: Vec<StageRecord>,
    /// Where the line was cut off.
    pub cause: Cause,
    /// Move that answers at the last stage, if one does; the second if two are needed.
    pub reply: Option<String>,
    /// The next move of the line, if it was pruned.
    pub left_out: Option<LeftOutRecord>,
    /// Lower bound of the iteration that would look further along the line; `None` if prices do not tell it.
    pub takes: Option<u32>,
}

/// When a search began to play a move.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Found {
    pub iteration: u32,
    pub nodes: u64,
    pub value: String,
}

/// One iteration.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Iteration {
    pub iteration: u32,
    /// Positions visited until its end.
    pub nodes: u64,
    pub plays: String,
    pub value: String,
    /// Positions visited for questions about the move.
    pub spent: u64,
    /// The last question about the move, if there was one.
    pub asked: Option<StageRecord>,
}

/// A question about a position of the line.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StageRecord {
    /// Move that leads to the position, with its number.
    pub after: String,
    /// Its place in the move order, from 1.
    pub place: Option<usize>,
    /// Kind of the move.
    pub kind: MoveKind,
    /// Price of the move: the demand before it less the demand after it.
    pub price: Option<f64>,
    pub iteration: u32,
    /// Value to exceed.
    pub more_than: String,
    pub demand: f64,
    pub nodes: u64,
    pub value: String,
    /// Kind of bound that `value` is, for the side that begins the line.
    #[serde(serialize_with = "name_of_bound")]
    pub bound: Bound,
    /// Source of the answer.
    #[serde(serialize_with = "name_of_source")]
    pub by: By<Move>,
    /// Cost of the answer; `None` is infinity.
    pub cost: Option<f64>,
    /// Move that answers, if one does.
    pub reply: Option<String>,
    /// Demand after the null move, if that answers, or for the second of two replies.
    pub aside: Option<f64>,
    /// Origin of the table's answer, if the table answers.
    pub source: Option<Box<StageRecord>>,
}

/// Kind of a move, as searches distinguish them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(super) struct MoveKind {
    pub quiet: bool,
    pub checks: bool,
    /// Whether it loses material by exchange.
    pub loses: bool,
    /// Whether the side that makes it is in check.
    pub evades: bool,
}

/// A pruned move.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LeftOutRecord {
    pub m: String,
    pub place: usize,
    pub kind: MoveKind,
    #[serde(serialize_with = "name_of_reason")]
    pub why: Pruning,
    /// Its price, if that is the reason.
    pub price: Option<f64>,
}

fn name_of_bound<S: Serializer>(bound: &Bound, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match bound {
        Bound::Upper => "at-most",
        Bound::Lower => "at-least",
        Bound::Exact => "exact",
    })
}

fn name_of_source<S: Serializer>(by: &By<Move>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match by {
        By::Rules => "rules",
        By::Known => "tablebase",
        By::Table(_) => "table",
        By::Leaf => "leaf",
        By::StaticValue => "static-value",
        By::Pass => "null-move",
        By::Another => "another",
        By::Move(_) => "move",
        By::NoMove => "no-move",
    })
}

fn name_of_reason<S: Serializer>(why: &Pruning, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match why {
        Pruning::Price(_) => "price",
        Pruning::Behind => "behind",
        Pruning::Late => "late",
        Pruning::Hopeless => "hopeless",
        Pruning::Exchange => "exchange",
    })
}

/// Sixteenths of a ply as plies.
fn plies(sixteenths: i32) -> f64 {
    f64::from(sixteenths) / f64::from(Cost::ONE.get())
}

/// Value as text, by [`amount`] or as `∞` and `-∞` beyond all values.
fn value_text(value: Value) -> String {
    match value {
        Value::INFINITY => "∞".to_owned(),
        value if value == -Value::INFINITY => "-∞".to_owned(),
        value => amount(value),
    }
}

impl WatchedSearch {
    /// Move with its number, in the position after `after` moves.
    fn numbered(&self, after: usize, m: Move) -> String {
        WrittenLine::new(&self.positions[after], &[m]).san
    }

    fn kind(&self, after: usize, m: Move) -> MoveKind {
        let position = &self.positions[after];
        MoveKind {
            quiet: position.is_quiet(m),
            checks: position.gives_check(m),
            loses: !position.exchange_gains(m, Value::DRAW),
            evades: position.in_check(),
        }
    }

    /// Makes the record of a question about a position after the root.
    fn question(&self, question: &LineQuery<Move>) -> StageRecord {
        let after = question.after;
        let m = self.follower.line[after - 1];
        let questions = &self.follower.questions;
        let above = question.part_of.map(|number| &questions[number]);
        let place = match question.asked.descent {
            Descent::Move { number, .. } => Some(number),
            _ => None,
        };
        // Whether the opponent of the side that began the line is to move.
        let is_opponent = after % 2 == 1;
        // The value for the root's side, with mates counted from the root.
        let at_root = |value: Value| (0..after).fold(value, |value, _| value.from_child());
        // The lower end of the window of the side that began the line.
        let window = question.asked.window;
        let exceed = if is_opponent {
            window.beta
        } else {
            window.alpha
        };
        let value = question.answer.and_then(|it| it.value);
        let by = question.by.unwrap_or(By::Rules);
        let reply = match by {
            By::Move(reply) => Some(self.numbered(after, reply)),
            _ => None,
        };
        let is_aside = matches!(by, By::Pass | By::Another);
        StageRecord {
            after: self.numbered(after - 1, m),
            place,
            kind: self.kind(after - 1, m),
            price: above.map(|it| plies(it.asked.demand - question.asked.demand)),
            iteration: question.iteration,
            more_than: value_text(at_root(exceed)),
            demand: plies(question.asked.demand),
            nodes: question.nodes(),
            value: value_text(at_root(value.unwrap_or(Value::DRAW))),
            bound: match question.bound() {
                Some(Bound::Lower) if is_opponent => Bound::Upper,
                Some(Bound::Upper) if is_opponent => Bound::Lower,
                bound => bound.unwrap_or(Bound::Exact),
            },
            by,
            cost: question.cost().units(),
            reply,
            aside: question.aside.filter(|_| is_aside).map(plies),
            source: None,
        }
    }

    fn stage(&self, stage: &TraceStep<Move>) -> StageRecord {
        let source = stage.source.as_ref();
        StageRecord {
            source: source.map(|it| Box::new(self.question(it))),
            ..self.question(&stage.question)
        }
    }

    /// Fate of the first move, iteration by iteration; the last iteration may be incomplete.
    fn course(&self) -> Vec<Iteration> {
        let root = &self.positions[0];
        let mut course: Vec<Iteration> = Vec::new();
        for report in &self.reports {
            let goes_on = course
                .last()
                .is_some_and(|it| it.iteration == report.iteration);
            let is_repeated = report.occasion == Occasion::Final && goes_on;
            if let Some(last) = course.last_mut()
                && is_repeated
                && self.completed() < report.iteration
            {
                // The search ended within this iteration.
                last.nodes = report.nodes;
            }
            if report.iteration == 0 || report.line > 1 || is_repeated {
                continue;
            }
            if goes_on {
                course.pop();
            }
            let about = || {
                let questions = self.follower.questions.iter();
                questions.filter(|it| it.is_about_first_move() && it.iteration == report.iteration)
            };
            let last = about().rfind(|it| it.bound().is_some());
            let first = report.best_move();
            course.push(Iteration {
                iteration: report.iteration,
                nodes: report.nodes,
                plays: first.map_or_else(String::new, |m| to_san(root, m)),
                value: value_text(report.value),
                spent: about().map(LineQuery::nodes).sum(),
                asked: last.map(|it| self.question(it)),
            });
        }
        course
    }

    /// The last iteration completed; 0 if none was.
    fn completed(&self) -> u32 {
        let reports = self.reports.iter();
        let done = reports.filter(|it| it.occasion == Occasion::Iteration);
        done.map(|it| it.iteration).max().unwrap_or(0)
    }
}

/// Makes an explanation of a watched search.
pub(super) fn of(
    root: &Root<Position>,
    given: usize,
    settings: &EngineSettings,
    seen: &WatchedSearch,
) -> Explanation {
    let (start, line) = (&root.position, &seen.follower.line);
    let story = &seen.story;
    let stages = story.stages.iter().map(|it| seen.stage(it)).collect();
    let after = story.stages.last().map_or(0, |it| it.worked_on().after);
    let left_out = story.left_out.map(|it| LeftOutRecord {
        m: seen.numbered(after, it.m),
        place: it.number,
        kind: seen.kind(after, it.m),
        why: it.why,
        price: match it.why {
            Pruning::Price(price) => Some(plies(price)),
            _ => None,
        },
    });
    let last = &seen.last;
    let counts_depth = settings.search.algorithm != Algorithm::DepthFirst;
    Explanation {
        cassius: version::NUMBER,
        commit: version::COMMIT,
        fen: to_fen(start),
        search: settings.search.algorithm.name(),
        nodes: last.nodes,
        iterations: seen.completed(),
        plays: last.best_move().map(|m| seen.numbered(0, m)),
        value: value_text(last.value),
        best_line: WrittenLine::new(start, &playable(root, &last.pv)).san,
        line: WrittenLine::new(start, line),
        given: given.min(line.len()),
        found: seen.found.as_ref().map(|it| Found {
            iteration: it.iteration,
            nodes: it.nodes,
            value: value_text(it.value),
        }),
        course: seen.course(),
        stages,
        cause: story.cause,
        reply: story.reply.map(|m| seen.numbered(after, m)),
        left_out,
        takes: story.takes(counts_depth),
    }
}
