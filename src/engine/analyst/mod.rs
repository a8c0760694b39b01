//! Profiles of chess positions: the certainty of a value, and the leaves or prices that would change
//! it.
//!
//! An [`Analyst`] makes the profile of a position under a limit, as data; [`text`]
//! puts it into words.

mod known;
pub mod text;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(crate) use self::known::Known;
use super::fault::{Fault, Guarded};
use super::outlook;
use super::settings::{ChessSearcher, EngineSettings};
use super::tracker::Tracker;
use crate::game::{Evaluator, Game, Root, Side};
use crate::games::chess::line::WrittenLine;
use crate::games::chess::{Move, Position, Quiescence, notation};
use crate::outlook::Outlook;
use crate::profile::snapshot::Judged;
use crate::profile::{Basis, Profile, Question, Snapshot, score};
use crate::search::Cost;
use crate::search::best_first::LeafWindow;
use crate::search::registry::Algorithm;
use crate::search::{Limits, Observer, Report, Support};
use crate::value::Value;

/// The certainty of a position's value, with the other results of the search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionProfile {
    pub fen: String,
    /// The side to move; all values are from its view.
    pub side_to_move: Color,
    pub search: String,
    /// Positions visited, those of quiescence included.
    pub nodes: u64,
    /// Nodes of the tree with the numbers; `None` if the search keeps only a table.
    pub tree_size: Option<u64>,
    /// Last completed conspiracy threshold, or demand.
    pub iteration: u32,
    /// Error of the static evaluation against a search, in centipawns: two errors in three are smaller.
    /// `None` if the evaluation states none, or the value is proven.
    #[serde(default)]
    pub give_or_take: Option<u32>,
    /// Probabilities that more thinking changes nothing. `None` without a learnt outlook for search and evaluation, or
    /// where [`outlook::at_report`] has none.
    #[serde(default)]
    pub outlook: Option<Outlook>,
    /// Whether the value is a mate that may take fewer moves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mate_at_most: bool,
    /// The best line, the move to play first; empty if the game is over.
    pub line: WrittenLine,
    /// The certainty of the value.
    #[serde(flatten)]
    pub sureness: Sureness,
}

/// The certainty of a value, in the units of its search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Sureness {
    /// Leaves that would have to be misjudged together.
    Counted(Profile<WrittenLine>),
    Priced(Prices),
}

impl Sureness {
    /// The position's value.
    pub fn value(&self) -> Value {
        match self {
            Sureness::Counted(profile) => profile.value,
            Sureness::Priced(prices) => prices.value,
        }
    }

    /// Takes over a proven value as it is known.
    fn with(mut self, known: &Known) -> Sureness {
        if known.value.is_decided() {
            match &mut self {
                Sureness::Counted(profile) => profile.value = known.value,
                Sureness::Priced(prices) => prices.know(known),
            }
        }
        self
    }
}

/// Prices of changing a value in depth-first search: those of the cheapest
/// lines that could change it. An ordinary ply costs 1; no leaves are counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Prices {
    /// Kind of the numbers.
    pub basis: PricesBasis,
    /// Lower bound of the value.
    #[serde(with = "score")]
    pub value: Value,
    /// Upper bound of the value.
    #[serde(with = "score")]
    pub at_most: Value,
    /// Price of a value less than `value`; `None` if that is ruled out.
    pub price_below: Option<f64>,
    /// Price of a value more than `at_most`; `None` if that is ruled out.
    pub price_above: Option<f64>,
}

impl Prices {
    /// Takes over what is known of a mate: an exact one cannot change.
    fn know(&mut self, known: &Known) {
        self.value = known.value;
        if !known.is_at_most {
            self.at_most = known.value;
            (self.price_below, self.price_above) = (None, None);
        }
        self.at_most = self.at_most.max(self.value);
    }
}

/// The word for prices where a [`Profile`] has its [`Basis`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PricesBasis {
    /// Prices of the cheapest lines.
    Prices,
}

/// A side, by its chess name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::First => Color::White,
            Side::Second => Color::Black,
        }
    }
}

/// The search of this name counts no conspirators, and prices nothing.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "{0} does not tell how sure a value is; choose best-first, depth-first-unit or depth-first"
)]
pub struct AnalysisError(&'static str);

/// A search that profiles positions, one after the other.
pub struct Analyst {
    search: Guarded<ChessSearcher>,
    evaluator: Quiescence,
    settings: EngineSettings,
}

impl Analyst {
    /// An analyst with the search and evaluation of `settings`. Best-first search always evaluates leaves exactly here,
    /// so that every number is exact for its tree.
    pub fn new(settings: &EngineSettings) -> Result<Analyst, AnalysisError> {
        let algorithm = settings.search.algorithm;
        if !matches!(
            algorithm,
            Algorithm::BestFirst | Algorithm::DepthFirst | Algorithm::DepthFirstUnit
        ) {
            return Err(AnalysisError(algorithm.name()));
        }
        let mut settings = settings.clone();
        settings.search.best_first.leaf_window = LeafWindow::Whole;
        Ok(Analyst {
            search: settings.for_analysis().guarded(),
            evaluator: settings.evaluator(),
            settings,
        })
    }

    /// Clears all that earlier searches have stored.
    pub fn clear(&mut self) {
        self.search.get().clear();
    }

    /// Pre-faults memory as [`Searcher::prepare`] does, so that the clock of the next search
    /// does not pay for it.
    pub(crate) fn prepare(&mut self, longest: Duration) -> bool {
        self.search.get().prepare(longest)
    }

    /// Searches `root` and returns its profile, without conspirators if the game is over.
    pub fn profile(
        &mut self,
        root: &Root<Position>,
        limits: &Limits<Move>,
        observer: &mut dyn Observer<Move>,
    ) -> Result<PositionProfile, Fault> {
        self.profile_and(None, root, limits, observer)
    }

    /// Searches and makes the profile. If `target` is given and the search keeps its tree, also counts the conspirators
    /// for it: [`Profile::asked`].
    pub fn profile_and(
        &mut self,
        target: Option<Value>,
        root: &Root<Position>,
        limits: &Limits<Move>,
        observer: &mut dyn Observer<Move>,
    ) -> Result<PositionProfile, Fault> {
        let mut watch = Tracked {
            observer,
            tracker: Tracker::new(outlook::history(
                &self.settings,
                &root.position,
                limits.root_moves(&root.position).len(),
            )),
        };
        let question = Question {
            grain: self.evaluator.grain(),
            target,
            margin: Some(self.settings.sureness_margin),
            ..Question::default()
        };
        let position = &root.position;
        let evaluator = &mut self.evaluator;
        let (report, grown, give_or_take) = self.search.search(position, |search| {
            let last = search.search(root, limits, &mut watch);
            // If the game is over there is nothing to count.
            let is_over = last.pv.is_empty();
            let grown = (!is_over).then(|| search.profile(&question)).flatten();
            // Without a tree, the final report may be of a demand that was cut short, without certificates.
            let certified = watch.tracker.certified().filter(|_| grown.is_none());
            let report = match certified {
                Some(certified) => Report {
                    nodes: last.nodes,
                    ..certified.clone()
                },
                None => last,
            };
            let give_or_take = give_or_take(evaluator, position, &report);
            (report, grown, give_or_take)
        })?;
        let known = Known::of(root, &report, &limits.search_moves);
        let write = |line: Vec<Move>| WrittenLine::new(position, &line);
        let algorithm = self.settings.search.algorithm;
        let sureness = match (grown, algorithm) {
            (Some(profile), _) => Sureness::Counted(profile.map_lines(write)),
            (None, Algorithm::DepthFirst) => Sureness::Priced(prices_of(&report)),
            (None, _) => Sureness::Counted(self.of_report(&report).map_lines(write)),
        };
        let sureness = sureness.with(&known);
        Ok(PositionProfile {
            fen: notation::to_fen(position),
            side_to_move: position.side_to_move().into(),
            search: algorithm.name().to_owned(),
            nodes: report.nodes,
            tree_size: report.conspiracy.and_then(|it| it.tree).map(|it| it.nodes),
            iteration: report.iteration,
            give_or_take,
            outlook: watch.tracker.outlook_at(&report),
            mate_at_most: known.is_at_most,
            line: WrittenLine::new(position, &known.line),
            sureness,
        })
    }

    /// A copy of the tree that the last profile rests on; `None` if the search keeps only a table, or has not
    /// searched.
    pub fn tree(&mut self) -> Option<Snapshot<Move, Judged>> {
        self.search.get().snapshot()
    }

    /// The profile from a report alone: the value and its two numbers.
    fn of_report(&self, report: &Report<Move>) -> Profile<Vec<Move>> {
        let (below, above) = match report.conspiracy.map(|it| it.support) {
            Some(Support::Leaves { below, above }) => (below, above),
            // Before the first certificate one leaf may suffice; if the game is over, nothing can change the value.
            _ => {
                let otherwise = (!report.pv.is_empty()).then_some(1);
                (otherwise, otherwise)
            }
        };
        let basis = match self.settings.search.algorithm {
            Algorithm::DepthFirstUnit => Basis::Certificates,
            _ => Basis::Tree,
        };
        Profile {
            below,
            above,
            min_cn: below.into_iter().chain(above).min(),
            ..Profile::certain(basis, report.value)
        }
    }
}

/// Largest value that is told as a number, in centipawns: a side that is further ahead is *winning*.
pub const MOST_TOLD: i32 = 1_000;

/// The error of [`give_or_take`] if it may stand beside a searched value, in centipawns. It may not in endgames, where an
/// evaluation takes drawn positions for won ones and a search changes values by more or by nothing, nor beside a value
/// that says that the game is drawn or won.
pub fn error_of_searched(
    is_endgame: bool,
    centipawns: i32,
    give_or_take: Option<u32>,
) -> Option<u32> {
    let is_open = centipawns != 0 && centipawns.abs() <= MOST_TOLD;
    give_or_take.filter(|_| is_open && !is_endgame)
}

/// Error of the static evaluation against a search, in centipawns: two errors in three are smaller. `None` if the
/// evaluation states none, or `report` proves the value, or the game is over.
pub fn give_or_take(
    evaluator: &mut Quiescence,
    position: &Position,
    report: &Report<Move>,
) -> Option<u32> {
    let is_proven = report.pv.is_empty() || report.value.is_decided();
    (!is_proven)
        .then(|| evaluator.give_or_take(position))
        .flatten()
}

/// The prices of a report.
fn prices_of(report: &Report<Move>) -> Prices {
    let told = report.conspiracy;
    let (below, above) = match told.map(|it| it.support) {
        Some(Support::Prices { below, above }) => (below, above),
        // If the game is over, nothing can change the value; before the first certificate any line may, at no cost.
        _ if report.pv.is_empty() => (Cost::INFINITE, Cost::INFINITE),
        _ => (Cost::ZERO, Cost::ZERO),
    };
    Prices {
        basis: PricesBasis::Prices,
        value: report.value,
        at_most: told.map_or(report.value, |it| it.likely_range.1),
        price_below: below.units(),
        price_above: above.units(),
    }
}

/// An observer that forwards all, and keeps what it forwards.
struct Tracked<'a> {
    observer: &'a mut dyn Observer<Move>,
    tracker: Tracker,
}

impl Observer<Move> for Tracked<'_> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.observer.should_stop(nodes)
    }

    fn wants_another_iteration(&mut self, done: &Report<Move>) -> bool {
        self.observer.wants_another_iteration(done)
    }

    fn report(&mut self, report: &Report<Move>) {
        self.tracker.learn(report);
        self.observer.report(report);
    }
}
