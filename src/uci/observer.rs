//! The observer of a UCI search: applies the clock and the stop flag, and chooses the reports to print.
//!
//! A search limited by nodes or iterations must print the same lines every time, so the choice depends on the reports
//! alone. Only after a long silence a line is printed by the clock, to show that the engine is alive.

use std::sync::Arc;
use std::time::Duration;

use super::info::{self, Style};
use super::job::Control;
use super::output::Output;
use super::stability::TimeManager;
use super::time_limits::TimeLimits;
use crate::engine::outlook;
use crate::engine::tracker::Tracker;
use crate::game::Root;
use crate::games::chess::line::playable;
use crate::games::chess::tablebase::{TablebaseResult, Tables};
use crate::games::chess::{Move, Position, notation};
use crate::outlook::SearchHistory;
use crate::platform::Instant;
use crate::search::{Bound, Observer, Occasion, Report};

/// The longest a search goes without printing.
const SILENCE: Duration = Duration::from_secs(3);
/// Nodes before which the clock ends no search, even if its time is over before it begins, as happens on a busy
/// machine. They take a fraction of a millisecond.
const LEAST_NODES: u64 = 1_000;
/// Time after which the clock counts even before [`LEAST_NODES`], as page faults of a large table may slow the search.
const LONGEST_LEAST: Duration = Duration::from_millis(10);
/// Number of first iterations, which are always printed.
const FIRST_ITERATIONS: u32 = 40;
/// Divisor of the last line's nodes: the next line needs more new nodes than the quotient. That makes a few dozen lines
/// for each factor of 1,000 in nodes.
const GROWTH: u64 = 8;
/// Nodes before which improvements are not printed: they come too fast to read.
const FIRST_IMPROVEMENT: u64 = 2_000;

/// The observer of one search.
pub(crate) struct UciObserver<'a> {
    root: &'a Root<Position>,
    settings: ObserverSettings,
    output: &'a Output,
    control: Arc<Control>,
    time: TimeManager,
    start: Instant,
    /// Tablebase hits of earlier searches.
    hits_before: u64,
    last_line: Instant,
    /// The reports so far; with `MultiPV` no improvements.
    tracker: Tracker,
    /// The last report on the best line that was printed.
    printed: Option<Report<Move>>,
    /// Whether the current iteration began only because of pondering: the ponder hit ends it.
    is_overdue: bool,
    /// Whether the further lines of the current report are printed.
    prints_further_lines: bool,
}

/// Settings of an observer.
#[derive(Debug, Default)]
pub(crate) struct ObserverSettings {
    /// Time limits of the search.
    pub time: TimeLimits,
    /// Format of lines.
    pub style: Style,
    /// Number of lines (`MultiPV`).
    pub lines: usize,
    /// Whether the time used depends on the stability of the best move.
    pub adapts: bool,
    /// Tablebases, whose hits are printed.
    pub tables: Tables,
    /// Whether to print the certainty of values.
    pub shows_evidence: bool,
    /// Verdict of the tablebases on the root.
    pub verdict: Option<TablebaseResult>,
    /// What the [outlook](crate::outlook) needs of the search so far; `None` for searches that have none.
    pub history: Option<SearchHistory<Move>>,
}

impl<'a> UciObserver<'a> {
    /// An observer of a search of `root` that has begun at `start`.
    pub(crate) fn new(
        root: &'a Root<Position>,
        mut settings: ObserverSettings,
        output: &'a Output,
        control: Arc<Control>,
        start: Instant,
    ) -> UciObserver<'a> {
        UciObserver {
            tracker: Tracker::new(settings.history.take()),
            root,
            hits_before: settings.tables.hits(),
            time: TimeManager::new(settings.time),
            settings,
            output,
            control,
            start,
            last_line: Instant::now(),
            printed: None,
            is_overdue: false,
            prints_further_lines: false,
        }
    }

    /// The best line so far; empty before the first report.
    pub(crate) fn best_line(&self) -> &[Move] {
        self.tracker.best().map_or(&[], |report| &report.pv)
    }

    fn print(&mut self, report: &Report<Move>) {
        let pv = playable(self.root, &report.pv);
        let elapsed = self.start.elapsed();
        let hits = self.settings.tables.hits() - self.hits_before;
        let style = self.settings.style;
        let line = info::info_line(report, &pv, style, elapsed, hits);
        self.output.line(&line);
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

    /// The outlook in words, if there is one.
    fn outlook(&self, report: &Report<Move>) -> Option<String> {
        let outlook = self.tracker.outlook_at(report)?;
        let m = notation::to_uci(report.best_move()?, self.settings.style.chess960);
        Some(format!("outlook: {}", outlook::words(&outlook, &m)))
    }

    /// Prints the final best line, then the other lines of the last complete iteration, as many as it had.
    fn print_all(&mut self, best: &Report<Move>) {
        let count = self.tracker.last_iteration().count();
        let iteration = self.tracker.best().unwrap_or(best).iteration;
        let lines = self.tracker.final_lines(best).into_iter().take(count);
        for (number, mut report) in lines.enumerate() {
            report.line = number + 1;
            report.iteration = iteration;
            report.nodes = best.nodes;
            self.print(&report);
        }
    }

    /// The report with the tablebases' value unless the search has a proven one.
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

    /// Whether a report on the best line may be printed within an iteration. With `MultiPV` all lines are printed
    /// together; a mate is printed only with its whole line.
    fn may_come_alone(&self, report: &Report<Move>) -> bool {
        let shows_its_mate = || {
            let plies = report.value.plies_to_end();
            plies.is_none_or(|plies| playable(self.root, &report.pv).len() >= usize::from(plies))
        };
        self.settings.lines <= 1 && shows_its_mate()
    }

    /// Prints a line after a long silence: the latest unprinted report, or the number of nodes.
    fn reassure(&mut self, nodes: u64) {
        let news = self.tracker.best().cloned().filter(|latest| {
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
        // While pondering the search goes on, as no clock runs; the time spent pondering counts after the hit.
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
        // Further lines are printed if the best one is.
        if report.line > 1 {
            self.tracker.learn(report);
            if self.prints_further_lines {
                self.print(report);
            }
            return;
        }
        let news = self.is_news(report);
        if report.occasion == Occasion::Final && news && self.tracker.last_iteration().count() > 1 {
            return self.print_all(report);
        }
        // Lines of MultiPV are updated together.
        if self.settings.lines <= 1 || report.occasion != Occasion::Improvement {
            self.tracker.learn(report);
        }
        self.prints_further_lines = news;
        if news {
            self.print(report);
        }
    }
}

#[cfg(test)]
mod tests;
