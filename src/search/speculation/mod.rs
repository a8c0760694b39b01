//! Speculative play: among moves about as good, the one whose refutation is the hardest to find.
//!
//! Minimax takes the opponent to see what we see. Who stands worse against one who may not can do
//! better: Khalid et al. ("Critical position identification in games and its application to
//! speculative play", ICAART 2015) ask when to leave minimax, and answer by conspiracy numbers: at
//! critical positions, where MaxCN or MinCN has fallen abruptly. How to leave it they do not describe ("any part
//! of speculative play is not described"); they name opponent-model search. Here the
//! opponent's reply becomes a chance node, and among moves within a small margin of the best the one
//! with the best expectation is played.
//!
//! There are several versions ([`Rule`]). *When* is decided by ours otherwise than in the paper: where the side to move stands worse and its value is no
//! harder to raise than to lower, by the search's own measure ([`Support`](super::Support)). For best-first
//! search and for unit costs that compares conspiracy numbers, the fewest leaves that must be wrong. For
//! the default search it compares prices: what the cheapest line costs by which the value would rise, and
//! by which it would fall. That is no count of leaves and no probability.
//!
//! By the paper's rules it is decided by MaxCN and MinCN of the root, compared with those at the same side's last move. A
//! [`Gauge`] counts them before the main search, in a tree of its own, with as many nodes at every move: numbers of
//! trees of different sizes cannot be compared. The opponent is then a known one, who looks as deep as the scout
//! (opponent-model search: H. Iida et al., "Potential applications of opponent-model search", ICCA Journal 16(4),
//! 1993). That search takes the move that is best against him, whatever it costs against another; the margin is ours.
//!
//! A *control* ([`Settings::control`]) does all this and plays the main search's move all the same. What it loses
//! against plain play the nodes cost, what it loses against its version the other moves.
//!
//! [`Speculative`] is a searcher above any other, which it asks several times within one budget:
//!
//! 1. *Main search*, as without speculation. It ends after [`MAIN_SHARE`] of the budget if the position calls
//!    for speculation, else it has all.
//! 2. *Candidates*: a search for the best few lines. Moves farther behind than the margin drop out.
//! 3. *Studies* of each candidate, with equal effort. The position after it is searched for its value and the
//!    best reply. Then it is searched once more by a *scout*, the same search without memory, which like the
//!    opponent has yet to find that reply. What is best in its early iterations is easy to find, what
//!    comes up late or not at all is hard: `study` turns this into odds. Last, replies that only looked
//!    best are searched by themselves, to see what such a mistake is worth.
//! 4. *The choice* is expectiminimax over the candidates, the replies and their values in points: one
//!    chance node a candidate.
//! 5. *A last look*: studies are shallow. The move chosen is searched alone, up to the iteration that the
//!    main search has come to. If it does not get there, or the move turns out to be worse than the best
//!    one by more than the margin, it is not played.
//!
//! As the main search looks deeper than the studies, no other move is credited with being better than its
//! choice: expectations differ by what mistakes are worth. Where there is nothing to choose from, the main
//! search goes on with what is left; whenever the budget runs out on the way, its move stands.

mod gauge;
mod phase;
mod rule;
mod study;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::time::Duration;

use super::path::Path;
use super::{Bound, Limits, Observer, Occasion, Report, Searcher};
use crate::game::{Game, Root};
use crate::profile::criticality::Turn;
use crate::value::Value;
use crate::wdl;
pub use gauge::Gauge;
use phase::{MainPhase, Rest, SidePhase};
pub use rule::Rule;
use rule::{Call, Past};
use study::Study;

/// The part of the budget that the main search has where there is something to speculate on.
pub const MAIN_SHARE: f64 = 0.6;
/// The part of what the main search has taken that the search for candidates gets.
const CANDIDATES_SHARE: f64 = 0.08;
/// The same for the studies, all together.
const STUDIES_SHARE: f64 = 0.28;
/// The same for the last look at a move that is to be played instead of the main search's.
const CHECK_SHARE: f64 = 0.28;
/// Nodes that the gauge has at every move, and the part of the budget that it takes at most.
const GAUGE_NODES: u64 = 1_000;
const GAUGE_SHARE: f64 = 0.125;
/// Most candidates.
const MOST_CANDIDATES: usize = 3;
/// The part of a study that goes into the best reply, and into the scout.
const BEST_REPLY_SHARE: f64 = 0.4;
const SCOUT_SHARE: f64 = 0.3;
/// The part for each mistake.
const MISTAKE_SHARE: f64 = 0.15;
/// Most mistakes of the opponent's that are looked into for each candidate.
const MOST_MISTAKES: usize = 2;
/// A search aside needs so many nodes for each move at its root, or it is not begun: less tells nothing,
/// and could take more than is left.
const LEAST_NODES_A_MOVE: u64 = 6;
/// Who is worth no more than this stands worse.
const WORSE: Value = Value::centipawns(-50);
/// Points that a move must promise beyond the best one's before it is preferred: what is less is noise.
const LEAST_GAIN: f64 = 0.03;

/// What can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Most that the move played may be worse than the best one, in centipawns.
    pub margin: u16,
    /// When to speculate, and on what opponent.
    pub rule: Rule,
    /// Whether to play the main search's move all the same: for experiments that ask what speculation costs.
    pub control: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            margin: 30,
            rule: Rule::default(),
            control: false,
        }
    }
}

/// A move that was thought about, and what it promises.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate<M> {
    /// The move.
    pub m: M,
    /// Its value for the side that plays it if the reply is the best one.
    pub value: Value,
    /// Points expected of it, 0 to 1, if the reply is as likely as it is easy to find.
    pub expectation: f64,
    /// The move and the line that is best for both from there.
    pub pv: Vec<M>,
    /// The replies that look best at some depth, the best first; none if the move ends the game.
    pub replies: Vec<Reply<M>>,
}

/// What the opponent may answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reply<M> {
    /// The reply.
    pub m: M,
    /// How likely it is to be found.
    pub odds: f64,
    /// What it is worth to the side that speculates; if it was not looked into, what the best reply is.
    pub value: Value,
}

/// What came of a speculation.
#[derive(Clone, PartialEq, Debug)]
pub struct Speculation<M> {
    /// The main search's move and its alternatives, that first.
    pub candidates: Vec<Candidate<M>>,
    /// Index of the one to play.
    pub chosen: usize,
}

impl<M> Speculation<M> {
    /// The one to play among `candidates`, of which the first is the main search's: the best expectation
    /// within the margin.
    fn new(candidates: Vec<Candidate<M>>, margin: u16) -> Speculation<M>
    where
        M: Copy + Eq + Debug,
    {
        let mut chosen = 0;
        if let Some(plain) = candidates.first() {
            let mut best = plain.expectation + LEAST_GAIN;
            for (index, candidate) in candidates.iter().enumerate().skip(1) {
                let is_sound = is_within(margin, candidate.value, plain.value);
                if is_sound && candidate.expectation > best {
                    best = candidate.expectation;
                    chosen = index;
                }
            }
        }
        Speculation { candidates, chosen }
    }
}

/// Whether `value` is worse than `best` by at most so many centipawns. Decided values are near nothing
/// but themselves.
fn is_within(margin: u16, value: Value, best: Value) -> bool {
    let is_near = i32::from(best.get()) - i32::from(value.get()) <= i32::from(margin);
    value >= best || (is_near && !value.is_decided() && !best.is_decided())
}

/// Whether a position calls for speculation: the side to move stands worse, is not lost yet, and its
/// value is no harder to raise than to lower. Where a search cannot tell, any worse position does.
fn calls_for_it<M>(report: &Report<M>) -> bool {
    let is_worse = report.value <= WORSE && !report.value.is_decided();
    let may_be_raised = report
        .conspiracy
        .is_none_or(|it| it.support.is_no_harder_to_raise());
    is_worse && may_be_raised
}

/// What a search aside has said: its iterations, and its last word.
type Heard<M> = (Study<M>, Report<M>);

/// A searcher that speculates with what another one finds.
///
/// Searches for several lines or for a mate are the other one's alone.
pub struct Speculative<G: Game> {
    settings: Settings,
    inner: Box<dyn Searcher<G> + Send>,
    /// What the opponent's view is found with.
    scout: Box<dyn Searcher<G> + Send>,
    /// What `MaxCN` and `MinCN` are counted with, and the numbers of the game so far.
    gauge: Option<Box<dyn Gauge<G> + Send>>,
    past: Past,
}

impl<G: Game> Speculative<G> {
    /// A searcher that speculates with what `inner` finds. `scout` should be the same search; it is made to
    /// forget again and again, and little memory will do.
    pub fn new(
        settings: Settings,
        inner: Box<dyn Searcher<G> + Send>,
        scout: Box<dyn Searcher<G> + Send>,
    ) -> Speculative<G> {
        Speculative {
            settings,
            inner,
            scout,
            gauge: None,
            past: Past::default(),
        }
    }

    /// The same with what counts `MaxCN` and `MinCN`. Without it rules that need them never speculate.
    #[must_use]
    pub fn with_gauge(mut self, gauge: Box<dyn Gauge<G> + Send>) -> Speculative<G> {
        self.gauge = Some(gauge);
        self
    }

    /// Counts `MaxCN` and `MinCN` of the root if the rule needs them, and tells what has become of them since the
    /// last move.
    fn turn(&mut self, root: &Root<G>, rest: &mut Rest<'_, G::Move>) -> Turn {
        let gauge = self.gauge.as_mut();
        let Some(gauge) = gauge.filter(|_| self.settings.rule.counts_extremes()) else {
            return Turn::default();
        };
        gauge.clear();
        let most = rest.most.map(|most| (most as f64 * GAUGE_SHARE) as u64);
        let nodes = most.map_or(GAUGE_NODES, |most| most.min(GAUGE_NODES));
        let searched = search_aside(gauge.as_mut(), root, nodes, Limits::default(), rest);
        if searched.is_none() {
            return Turn::default();
        }
        let key = root.position.key();
        self.past.turn(&root.history, key, gauge.extremes())
    }

    /// Candidates and studies, and the choice. `None` if there is nothing to choose from, or the budget
    /// has run out.
    fn speculate(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        plain: &Report<G::Move>,
        rest: &mut Rest<'_, G::Move>,
    ) -> Option<Speculation<G::Move>> {
        let part = |share: f64| (plain.nodes as f64 * share) as u64;
        let asked = Limits {
            search_moves: limits.search_moves.clone(),
            multipv: MOST_CANDIDATES,
            ..Limits::default()
        };
        let inner = self.inner.as_mut();
        let (study, _) = search_aside(inner, root, part(CANDIDATES_SHARE), asked, rest)?;
        let best = study.lines().first()?.1;
        let mut moves = vec![plain.best_move()?];
        for &(m, value) in study.lines() {
            if is_within(self.settings.margin, value, best) && !moves.contains(&m) {
                moves.push(m);
            }
        }
        if moves.len() < 2 {
            return None;
        }
        let share = STUDIES_SHARE / moves.len() as f64;
        let mut candidates: Vec<Candidate<G::Move>> = Vec::new();
        for m in moves {
            let most = candidates.first().map_or(Value::INFINITY, |it| it.value);
            candidates.push(self.study(root, m, most, part(share), rest)?);
        }
        let mut speculation = Speculation::new(candidates, self.settings.margin);
        if speculation.chosen > 0 {
            let m = speculation.candidates[speculation.chosen].m;
            let is_sound = self.is_sound(root, m, plain, part(CHECK_SHARE), rest);
            if !is_sound || self.settings.control {
                speculation.chosen = 0;
            }
        }
        Some(speculation)
    }

    /// Whether a move keeps the margin in as many iterations as the main search has made, if so many
    /// nodes suffice to find out.
    fn is_sound(
        &mut self,
        root: &Root<G>,
        m: G::Move,
        plain: &Report<G::Move>,
        nodes: u64,
        rest: &mut Rest<'_, G::Move>,
    ) -> bool {
        let asked = Limits {
            iterations: Some(plain.iteration),
            search_moves: vec![m],
            ..Limits::default()
        };
        let nodes = rest.grant(nodes);
        let checked = search_aside(self.inner.as_mut(), root, nodes, asked, rest);
        checked.is_some_and(|(_, report)| {
            let is_complete = report.nodes < nodes;
            is_complete && is_within(self.settings.margin, report.value, plain.value)
        })
    }

    /// The main search once more with what is left of its budget, `before` having been spent before it; `None` if it
    /// gets no farther.
    fn go_on(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        plain: &Report<G::Move>,
        before: u64,
        rest: &mut Rest<'_, G::Move>,
    ) -> Option<Report<G::Move>> {
        let whole = (plain.nodes as f64 / MAIN_SHARE) as u64;
        let left = whole.saturating_sub(rest.spent - before);
        let inner = self.inner.as_mut();
        let (_, more) = search_aside(inner, root, left, limits.clone(), rest)?;
        (more.iteration >= plain.iteration).then_some(more)
    }

    /// Studies a move, which with the best reply is worth no more than `most`, with so many nodes; `None`
    /// if the budget ran out.
    fn study(
        &mut self,
        root: &Root<G>,
        m: G::Move,
        most: Value,
        nodes: u64,
        rest: &mut Rest<'_, G::Move>,
    ) -> Option<Candidate<G::Move>> {
        let mut after = root.clone();
        after.play(m);
        let ends = after.position.outcome().map(Value::from_child);
        let repeats = Path::to_root(&after).repetition(&after.position);
        if let Some(value) = ends.or(repeats.map(|_| Value::DRAW)) {
            return Some(Candidate {
                m,
                value: value.min(most),
                expectation: wdl::points(value.min(most)),
                pv: vec![m],
                replies: Vec::new(),
            });
        }
        let part = |share: f64| (nodes as f64 * share) as u64;
        let everything = Limits::default();
        let inner = self.inner.as_mut();
        let nodes = part(BEST_REPLY_SHARE);
        let (_, report) = search_aside(inner, &after, nodes, everything.clone(), rest)?;
        let mut value = report.value.from_child().min(most);
        let best = report.best_move();
        let mut pv = [vec![m], report.pv].concat();
        let mut replies = Vec::new();
        if let Some(best) = best {
            self.scout.clear();
            let scout = self.scout.as_mut();
            let (study, _) = search_aside(scout, &after, part(SCOUT_SHARE), everything, rest)?;
            replies = if self.settings.rule.knows_opponent() {
                study.predicted(best, value)
            } else {
                study.replies(best, value)
            };
        }
        for reply in replies.iter_mut().skip(1).take(MOST_MISTAKES) {
            let asked = Limits {
                search_moves: vec![reply.m],
                ..Limits::default()
            };
            let inner = self.inner.as_mut();
            let (_, report) = search_aside(inner, &after, part(MISTAKE_SHARE), asked, rest)?;
            reply.value = report.value.from_child();
            // It may turn out to be no mistake.
            if reply.value < value {
                value = reply.value;
                pv = [vec![m], report.pv].concat();
            }
        }
        replies.sort_by_key(|reply| reply.value);
        Some(Candidate {
            m,
            value,
            expectation: expectation(value, &replies),
            pv,
            replies,
        })
    }
}

/// The points expected of a move, 0 to 1: of its value where it ends the game, else of the replies by
/// their odds.
fn expectation<M>(value: Value, replies: &[Reply<M>]) -> f64 {
    if replies.is_empty() {
        return wdl::points(value);
    }
    let points = |reply: &Reply<M>| reply.odds * wdl::points(reply.value);
    replies.iter().map(points).sum()
}

/// Searches a position aside from the main search, for so many nodes; `None` if the budget ran out.
fn search_aside<G: Game>(
    searcher: &mut (dyn Searcher<G> + Send),
    root: &Root<G>,
    nodes: u64,
    asked: Limits<G::Move>,
    rest: &mut Rest<'_, G::Move>,
) -> Option<Heard<G::Move>> {
    let moves = asked.root_moves(&root.position).len() as u64;
    let granted = rest.grant(nodes);
    if granted < LEAST_NODES_A_MOVE * moves {
        return None;
    }
    let asked = Limits {
        nodes: Some(granted),
        ..asked
    };
    let mut phase = SidePhase::new(rest);
    let report = searcher.search(root, &asked, &mut phase);
    let (study, was_stopped) = phase.finish();
    rest.spent += report.nodes;
    (!was_stopped).then_some((study, report))
}

impl<G: Game> Searcher<G> for Speculative<G> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        if limits.multipv > 1 || limits.mate.is_some() {
            return self.inner.search(root, limits, observer);
        }
        let mut rest = Rest {
            observer,
            most: limits.nodes,
            spent: 0,
        };
        let call = Call {
            rule: self.settings.rule,
            turn: self.turn(root, &mut rest),
        };
        let before = rest.spent;
        let left = Limits {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(before)),
            ..limits.clone()
        };
        let mut main = MainPhase::new(&mut rest, call, left.nodes);
        let plain = self.inner.search(root, &left, &mut main);
        let was_stopped = main.was_stopped();
        rest.spent += plain.nodes;
        let mut last = plain.clone();
        if call.is_for(&plain) && !was_stopped {
            let speculation = self.speculate(root, limits, &plain, &mut rest);
            if let Some(speculation) = speculation {
                rest.observer.speculated(&speculation);
                if speculation.chosen > 0 {
                    let candidate = &speculation.candidates[speculation.chosen];
                    last.value = candidate.value;
                    last.bound = Bound::Exact;
                    last.conspiracy = None;
                    last.pv.clone_from(&candidate.pv);
                }
            } else if let Some(more) = self.go_on(root, limits, &plain, before, &mut rest) {
                last = more;
            }
        }
        last.nodes = rest.spent;
        last.occasion = Occasion::Final;
        rest.observer.report(&last);
        last
    }

    fn clear(&mut self) {
        self.inner.clear();
        self.scout.clear();
        self.past.clear();
    }

    fn prepare(&mut self, longest: Duration) -> bool {
        // One after the other.
        self.inner.prepare(longest)
            && self.scout.prepare(longest)
            && self.gauge.as_mut().is_none_or(|it| it.prepare(longest))
    }
}
