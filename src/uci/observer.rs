//! What stands between a running search and the world: the clock, the stop flag, and the decision
//! which news is worth a line.
//!
//! A search limited by nodes or iterations must print the same lines every time, so which reports
//! are printed depends on the reports alone. The clock has a say only after a long silence, when a
//! person would start to wonder whether the engine is still there.

use std::sync::Arc;
use std::time::Duration;

use super::control::Control;
use super::info::{self, Style};
use super::output::Output;
use super::stability::TimeManager;
use crate::engine::outlook::Prospects;
use crate::game::Root;
use crate::games::chess::line::playable;
use crate::games::chess::tablebase::{Tables, Verdict};
use crate::games::chess::{Move, Position, notation};
use crate::outlook::Course;
use crate::outlook::course::BEGINNING;
use crate::platform::Instant;
use crate::search::{Bound, Observer, Occasion, Report};

/// The longest a search goes without printing.
const SILENCE: Duration = Duration::from_secs(3);
/// Nodes that are searched even if the time was over before the search began, as happens on a busy
/// machine: a fraction of a millisecond, for a move that has been looked at...
const LEAST_NODES: u64 = 1_000;
/// ...unless they take so long: the system may hand over the memory of a large table no faster.
const LONGEST_LEAST: Duration = Duration::from_millis(10);
/// Iterations that are printed whatever they say.
const FIRST_ITERATIONS: u32 = 40;
/// Nodes between two lines must have grown by one such part for the second to be news. Lines then
/// come ever more slowly, a few dozen for each thousandfold.
const GROWTH: u64 = 8;
/// Improvements before so many nodes come too fast to be read.
const FIRST_IMPROVEMENT: u64 = 2_000;

/// What a search prints, and when it has to end.
pub(crate) struct UciObserver<'a> {
    root: &'a Root<Position>,
    settings: ObserverSettings,
    output: &'a Output,
    control: Arc<Control>,
    time: TimeManager<Move>,
    start: Instant,
    /// Hits of earlier searches.
    hits_before: u64,
    last_line: Instant,
    /// The last report on the best line.
    latest: Option<Report<Move>>,
    /// The last report on the best line that was printed.
    printed: Option<Report<Move>>,
    /// Whether the iteration under way would not have begun but for pondering: the hit ends it.
    is_overdue: bool,
    /// The further lines of the last iteration.
    further: Vec<Report<Move>>,
    /// Whether the further lines of the report under way are printed.
    prints_further_lines: bool,
}

/// What an observer is to pay attention to.
#[derive(Clone, Debug)]
pub(crate) struct ObserverSettings {
    /// How lines are written.
    pub style: Style,
    /// How many best lines are asked for.
    pub lines: usize,
    /// Whether time is saved on choices that are settled, and spent on those that are not.
    pub adapts: bool,
    /// Tablebases whose hits are told.
    pub tables: Tables,
    /// Whether it is told how sure values are.
    pub shows_evidence: bool,
    /// What they say of the root.
    pub verdict: Option<Verdict>,
    /// The course of the search, where its outlook is known.
    pub course: Option<Course<Move>>,
}

impl<'a> UciObserver<'a> {
    /// An observer of a search of `root` that has begun at `start`.
    pub(crate) fn new(
        root: &'a Root<Position>,
        settings: ObserverSettings,
        output: &'a Output,
        control: Arc<Control>,
        time: TimeManager<Move>,
        start: Instant,
    ) -> UciObserver<'a> {
        UciObserver {
            root,
            hits_before: settings.tables.hits(),
            settings,
            output,
            control,
            time,
            start,
            last_line: Instant::now(),
            latest: None,
            printed: None,
            is_overdue: false,
            further: Vec::new(),
            prints_further_lines: false,
        }
    }

    /// The best line told so far; empty before the first.
    pub(crate) fn best_line(&self) -> &[Move] {
        self.latest.as_ref().map_or(&[], |report| &report.pv)
    }

    fn print(&mut self, report: &Report<Move>) {
        let pv = playable(self.root, &report.pv);
        let elapsed = self.start.elapsed();
        let hits = self.settings.tables.hits() - self.hits_before;
        self.output.line(&info::info_line(
            report,
            &pv,
            self.settings.style,
            elapsed,
            hits,
        ));
        let tells_story = self.settings.shows_evidence
            && report.line == 1
            && report.occasion != Occasion::Improvement;
        if let Some(conspiracy) = report.conspiracy.filter(|_| tells_story) {
            let story = info::conspiracy_story(report.value, &conspiracy);
            self.output.message(&story);
        }
        if let Some(outlook) = self.outlook(report).filter(|_| tells_story) {
            self.output.message(&outlook);
        }
        if report.line == 1 {
            self.printed = Some(report.clone());
        }
        self.last_line = Instant::now();
    }

    /// What more thinking is likely to change, in words, unless the search has just begun or the value
    /// is proven.
    fn outlook(&self, report: &Report<Move>) -> Option<String> {
        let course = self.settings.course.as_ref()?;
        let m = course.choice()?;
        if report.nodes < BEGINNING || report.value.is_decided() || report.best_move() != Some(m) {
            return None;
        }
        let outlook = course.outlook()?;
        let m = notation::to_uci(m, self.settings.style.chess960);
        Some(format!("outlook: {}", Prospects::of(&outlook).words(&m)))
    }

    /// Prints the final best line and those of the last complete iteration that are left beside it.
    /// Where the search has since come to think less of the best line, it still prefers it: to its
    /// knowledge the others are worth no more.
    fn print_all(&mut self, best: &Report<Move>) {
        let mut lines = vec![best.clone()];
        lines.extend(self.latest.take().filter(|it| it.line == 1));
        lines.append(&mut self.further);
        let count = lines.len() - 1;
        let iteration = lines.iter().map(|it| it.iteration).min();
        lines.retain({
            let mut seen = Vec::new();
            move |it| {
                let is_new = !seen.contains(&it.best_move());
                seen.push(it.best_move());
                is_new
            }
        });
        for (number, mut report) in lines.into_iter().take(count).enumerate() {
            report.line = number + 1;
            if report.value > best.value {
                (report.value, report.bound) = (best.value, Bound::Upper);
            }
            report.iteration = iteration.unwrap_or(report.iteration);
            report.nodes = best.nodes;
            self.print(&report);
        }
    }

    /// The report with the tables' value, where they know better than the search.
    fn with_verdict(&self, report: &Report<Move>) -> Report<Move> {
        let mut report = report.clone();
        if let Some(verdict) = self.settings.verdict
            && report.line == 1
            && !report.value.is_decided()
        {
            report.value = verdict.value();
            report.bound = Bound::Exact;
        }
        report
    }

    /// Whether a report on the best line is worth printing.
    fn is_news(&self, report: &Report<Move>) -> bool {
        if report.occasion == Occasion::Improvement
            && (report.nodes < FIRST_IMPROVEMENT || !self.may_come_alone(report))
        {
            return false;
        }
        let Some(printed) = &self.printed else {
            return true;
        };
        let has_grown = report.nodes > printed.nodes + printed.nodes / GROWTH;
        let is_other = report.value != printed.value || report.best_move() != printed.best_move();
        match report.occasion {
            Occasion::Final => {
                is_other
                    || report.nodes != printed.nodes
                    || report.iteration != printed.iteration
                    || report.pv != printed.pv
            }
            Occasion::Iteration => report.iteration <= FIRST_ITERATIONS || has_grown,
            Occasion::Improvement => is_other && has_grown,
        }
    }

    /// Whether a report on the best line may be printed within an iteration. Several lines are told together, all
    /// of the same iteration; a mate waits until the line leads to it.
    fn may_come_alone(&self, report: &Report<Move>) -> bool {
        let shows_its_mate = || {
            let plies = report.value.plies_to_end();
            plies.is_none_or(|plies| playable(self.root, &report.pv).len() >= usize::from(plies))
        };
        self.settings.lines <= 1 && shows_its_mate()
    }

    /// Breaks a long silence: with news that came too fast to be told, or by how far the search is.
    fn reassure(&mut self, nodes: u64) {
        let news = self.latest.clone().filter(|latest| {
            let printed = self.printed.as_ref();
            self.may_come_alone(latest)
                && printed.is_none_or(|it| it.value != latest.value || it.pv != latest.pv)
        });
        if let Some(mut report) = news {
            report.occasion = Occasion::Improvement;
            report.nodes = report.nodes.max(nodes);
            self.print(&report);
        } else {
            let line = info::progress_line(nodes, self.start.elapsed());
            self.output.line(&line);
        }
        self.last_line = Instant::now();
    }
}

impl Observer<Move> for UciObserver<'_> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        if self.control.is_stopped() || self.output.is_closed() {
            return true;
        }
        if self.last_line.elapsed() >= SILENCE {
            self.reassure(nodes);
        }
        let clock = self.control.clock();
        let must_stop = |clock| self.is_overdue || self.time.must_stop(clock);
        let has_looked = nodes >= LEAST_NODES || self.start.elapsed() >= LONGEST_LEAST;
        has_looked && clock.is_some_and(must_stop)
    }

    fn wants_another_iteration(&mut self, done: &Report<Move>) -> bool {
        if self.should_stop(done.nodes) {
            return false;
        }
        if self.settings.adapts {
            self.time.learn(done);
        }
        // While pondering no time is spent; from the hit on, all that went before counts.
        let wants = self.time.wants_another_iteration(self.start.elapsed());
        let ponders = self.control.clock().is_none();
        self.is_overdue = ponders && !wants;
        wants || ponders
    }

    fn no_win_within(&mut self, moves: u32) {
        if !self.settings.shows_evidence {
            return;
        }
        let plural = if moves == 1 { "" } else { "s" };
        self.output.message(&format!(
            "proven: no mate within {moves} move{plural}, for either side"
        ));
    }

    fn report(&mut self, report: &Report<Move>) {
        let report = &self.with_verdict(report);
        // Further lines follow the fate of the best one.
        if report.line > 1 {
            self.further.push(report.clone());
            if self.prints_further_lines {
                self.print(report);
            }
            return;
        }
        if let Some(course) = &mut self.settings.course {
            course.learn(report);
        }
        let news = self.is_news(report);
        match report.occasion {
            Occasion::Iteration => self.further.clear(),
            Occasion::Final if news && !self.further.is_empty() => return self.print_all(report),
            Occasion::Final | Occasion::Improvement => {}
        }
        self.prints_further_lines = news;
        if news {
            self.print(report);
        }
        // Several lines are brought up to date together.
        if self.settings.lines == 1 || report.occasion != Occasion::Improvement {
            self.latest = Some(report.clone());
        }
    }
}

#[cfg(test)]
mod tests;
