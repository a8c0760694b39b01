//! The budget of a search: its count of positions, its limits, and the polling of its observer.

use super::prover::{ProvenMove, Prover, Share};
use crate::game::Visits;
use crate::platform;
use crate::search::{Bound, Limits, Observer, Occasion, Report};
use crate::value::Value;

/// The search must end: a limit was reached or the observer said stop. Unfinished results are invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct Stopped;

/// Nodes between polls of the observer; fewer at first, while page faults of a large table make nodes slow.
const POLL_INTERVAL: u64 = 256;

/// Stands for the next check while limits do not count yet.
const UNLIMITED: u64 = u64::MAX;

/// The limits of one search, the observer it answers to, and the positions it has visited.
///
/// The evaluator counts its positions here too ([`Visits`]), so no part of a search exceeds a
/// limit. Once stopped, a search stays stopped.
pub(in crate::search) struct Budget<'a, M> {
    pub(in crate::search) limits: &'a Limits<M>,
    pub(in crate::search) observer: &'a mut dyn Observer<M>,
    nodes: u64,
    /// The count at which to check again: the limit or the next poll, whichever comes first.
    next_check: u64,
    /// Positions between polls, if fixed.
    turn: Option<u64>,
    stopped: bool,
    /// The count at which to yield to the host next, if there is one.
    next_rest: u64,
    /// The prover of mates beside the search, if any.
    prover: Option<Share<'a, M>>,
    /// Whether its news interrupt the search.
    is_interrupted: bool,
}

impl<'a, M: Copy + Eq> Budget<'a, M> {
    /// The budget of a search about to begin.
    pub(in crate::search) fn new(
        limits: &'a Limits<M>,
        observer: &'a mut dyn Observer<M>,
    ) -> Budget<'a, M> {
        Budget::in_turns(None, limits, observer)
    }

    /// Like [`Budget::new`], polling the observer after every `turn` positions if there are turns.
    pub(in crate::search) fn in_turns(
        turn: Option<u64>,
        limits: &'a Limits<M>,
        observer: &'a mut dyn Observer<M>,
    ) -> Budget<'a, M> {
        Budget {
            limits,
            observer,
            nodes: 0,
            next_check: if limits.least_iterations > 0 {
                UNLIMITED
            } else {
                0
            },
            turn,
            stopped: false,
            next_rest: 0,
            prover: None,
            is_interrupted: false,
        }
    }

    /// Never yields to the host from now on: a step of a prover runs where the search beside it cannot be suspended.
    pub(in crate::search) fn never_rest(&mut self) {
        self.next_rest = u64::MAX;
    }

    /// Gives a prover its share from now on.
    pub(in crate::search) fn set_prover(&mut self, prover: Option<&'a mut dyn Prover<M>>) {
        self.prover = prover.map(Share::new);
    }

    /// Ends an interruption by the prover's news; false if there is none, so that the search was stopped.
    pub(in crate::search) fn take_news(&mut self) -> bool {
        if let Some(prover) = &mut self.prover {
            prover.take_news();
        }
        std::mem::take(&mut self.is_interrupted) && !self.stopped
    }

    /// Returns the prover's proof of a root move, if there is one; without one the search looks at the move now.
    pub(in crate::search) fn proven(&mut self, m: M) -> Option<&ProvenMove<M>> {
        self.prover.as_mut()?.of_move(m)
    }

    /// All root moves proven so far.
    pub(in crate::search) fn all_proven(&self) -> &[ProvenMove<M>] {
        self.prover.as_ref().map_or(&[], Share::proven)
    }

    /// The bound of a report with this value and bound: a mate beside a prover is exact only if the prover has shown it
    /// to be the shortest.
    pub(in crate::search) fn bound_of(&self, value: Value, bound: Bound) -> Bound {
        match &self.prover {
            Some(prover) => prover.bound(value, bound),
            None => bound,
        }
    }

    /// Positions visited, those of quiescence included.
    #[inline]
    pub(in crate::search) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Share of the positions that the prover has visited, in permille, if there is one.
    pub(in crate::search) fn proof_share(&self) -> Option<u16> {
        let nodes = self.prover.as_ref()?.nodes();
        Some((1_000 * nodes).checked_div(self.nodes).unwrap_or(0) as u16)
    }

    /// Number of best lines to find among so many root `moves`.
    pub(in crate::search) fn lines(&self, moves: usize) -> usize {
        self.limits.multipv.clamp(1, moves)
    }

    /// Fails if no further position may be visited. Yields to the host now and then, if there is one.
    #[inline]
    pub(in crate::search) fn check(&mut self) -> Result<(), Stopped> {
        if platform::IS_HOSTED && self.nodes >= self.next_rest {
            self.rest();
        }
        self.check_at_once()
    }

    /// Counts another position of the search itself, if the limits allow one.
    #[inline]
    pub(in crate::search) fn visit(&mut self) -> Result<(), Stopped> {
        self.check()?;
        self.nodes += 1;
        Ok(())
    }

    /// Like [`Budget::check`], without yielding.
    #[inline]
    fn check_at_once(&mut self) -> Result<(), Stopped> {
        if self.nodes < self.next_check {
            return Ok(());
        }
        self.ask_observer()
    }

    /// Yields to the host, which may suspend the whole search. Called from searches only, not from evaluators: code
    /// that can be suspended is slower.
    #[cold]
    fn rest(&mut self) {
        self.next_rest = self.nodes + POLL_INTERVAL;
        if platform::give_way() {
            self.stopped = true;
            self.next_check = 0;
        }
    }

    /// Polls the observer at once: for long work that visits no positions.
    #[cold]
    pub(in crate::search) fn ask(&mut self) -> Result<(), Stopped> {
        if platform::IS_HOSTED {
            self.rest();
        }
        self.ask_observer()
    }

    #[cold]
    fn ask_observer(&mut self) -> Result<(), Stopped> {
        if self.next_check == UNLIMITED {
            return Ok(());
        }
        if self.is_interrupted {
            return Err(Stopped);
        }
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        self.stopped = self.stopped || self.nodes >= most || self.observer.should_stop(self.nodes);
        if self.stopped {
            // Makes every later check come here again.
            self.next_check = 0;
            return Err(Stopped);
        }
        self.is_interrupted = self.prove();
        self.stopped = self.nodes >= most;
        if self.is_interrupted || self.stopped {
            // As above.
            self.next_check = 0;
            return Err(Stopped);
        }
        let turn = self.turn.unwrap_or(POLL_INTERVAL.min(self.nodes / 4));
        self.next_check = most.min(self.nodes + turn.max(1));
        Ok(())
    }

    /// Gives the prover its share; returns whether it has news for the search.
    fn prove(&mut self) -> bool {
        let left = self.left();
        let Some(prover) = &mut self.prover else {
            return false;
        };
        self.nodes += prover.step(self.nodes, left);
        prover.has_news()
    }

    /// Adds `nodes` positions that were visited elsewhere. Adds none and returns false if they exceed the limit.
    pub(in crate::search) fn take(&mut self, nodes: u64) -> bool {
        let fits = nodes <= self.left();
        if fits {
            self.nodes += nodes;
        }
        fits
    }

    /// Positions that may still be visited.
    pub(in crate::search) fn left(&self) -> u64 {
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        most.saturating_sub(self.nodes)
    }

    /// Whether `value` proves the mate that was asked for.
    pub(in crate::search) fn has_mate(&self, value: Value) -> bool {
        self.limits.mate.is_some_and(|most| {
            let mate = value.mate_in_moves();
            mate.is_some_and(|moves| moves.unsigned_abs() <= most)
        })
    }

    /// Whether no further iteration can matter: the mate asked for is proven, or the game is decided and
    /// searched as deep as its end.
    pub(in crate::search) fn is_enough(&self, last: &Report<M>) -> bool {
        let plies = last.value.plies_to_end();
        let is_settled = self.prover.as_ref().is_some_and(Share::is_settled);
        (is_settled && self.limits.multipv <= 1)
            || self.has_mate(last.value)
            || plies.is_some_and(|plies| u32::from(plies) <= last.iteration)
    }

    /// Lets the prover alone go on with a root of a decided `value`, unless iterations are limited; returns whether it has
    /// news.
    pub(in crate::search) fn settle(&mut self, value: Value) -> bool {
        let is_to_go_on = value.is_decided() && self.limits.iterations.is_none();
        if let Some(prover) = self.prover.as_mut().filter(|_| is_to_go_on) {
            prover.take_all(self.nodes);
        }
        while self
            .prover
            .as_ref()
            .is_some_and(|it| it.goes_on(self.nodes))
        {
            if self.ask().is_err() {
                return self.take_news();
            }
        }
        false
    }

    /// Reports to the observer. The limits count from the last of the least iterations on.
    pub(in crate::search) fn report(&mut self, report: &Report<M>) {
        if self.next_check == UNLIMITED
            && report.occasion == Occasion::Iteration
            && report.iteration >= self.limits.least_iterations
        {
            self.next_check = 0;
        }
        if let Some(prover) = &mut self.prover {
            prover.note(report);
        }
        self.observer.report(report);
    }

    /// Asks, after an iteration, whether there shall be another.
    pub(in crate::search) fn wants_another_iteration(&mut self, done: &Report<M>) -> bool {
        self.observer.wants_another_iteration(done)
    }
}

/// Positions that an evaluator visits.
impl<M: Copy + Eq> Visits for Budget<'_, M> {
    type Stop = Stopped;

    #[inline]
    fn visit(&mut self) -> Result<(), Stopped> {
        self.check_at_once()?;
        self.nodes += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Notes when it is asked.
    #[derive(Default)]
    struct Asked {
        at: Vec<u64>,
        /// Says stop from this question on.
        most: Option<usize>,
    }

    impl Observer<u16> for Asked {
        fn should_stop(&mut self, nodes: u64) -> bool {
            self.at.push(nodes);
            self.most.is_some_and(|most| self.at.len() >= most)
        }
    }

    /// Says stop from the second question on.
    fn impatient() -> Asked {
        Asked {
            most: Some(2),
            ..Asked::default()
        }
    }

    #[test]
    fn the_node_limit_is_kept_exactly() {
        let limits = Limits::nodes(3);
        let mut observer = impatient();
        let mut budget = Budget::in_turns(Some(100), &limits, &mut observer);
        assert_eq!(budget.visit(), Ok(()));
        assert_eq!(budget.visit(), Ok(()));
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.visit(), Ok(()));
        assert_eq!(budget.check(), Err(Stopped));
        assert_eq!(budget.visit(), Err(Stopped));
        assert_eq!(budget.nodes(), 3);
        assert_eq!(observer.at, [0]);
    }

    #[test]
    fn the_observer_is_asked_after_each_turn_and_taken_at_its_word() {
        for turn in [1, 100, 256] {
            let limits = Limits::default();
            let mut observer = impatient();
            let mut budget = Budget::in_turns(Some(turn), &limits, &mut observer);
            while budget.visit().is_ok() {}
            assert_eq!(budget.nodes(), turn);
            assert_eq!(budget.check(), Err(Stopped));
            assert_eq!(observer.at, [0, turn]);
        }
    }

    #[test]
    fn the_observer_is_asked_often_at_first() {
        let limits = Limits::default();
        let mut observer = impatient();
        let mut budget = Budget::new(&limits, &mut observer);
        while budget.visit().is_ok() {}
        assert_eq!(observer.at, [0, 1]);
        let limits = Limits::nodes(100 * POLL_INTERVAL);
        let mut patient = Asked::default();
        let mut budget = Budget::new(&limits, &mut patient);
        while budget.visit().is_ok() {}
        let intervals = patient.at.windows(2).map(|it| (it[0], it[1] - it[0]));
        for (nodes, interval) in intervals {
            assert!(
                (1..=POLL_INTERVAL.min(1 + nodes / 4)).contains(&interval),
                "{interval} at {nodes}"
            );
        }
        assert!(patient.at.len() < 140, "{}", patient.at.len());
    }

    #[test]
    fn no_limit_counts_before_the_least_iterations_are_complete() {
        let limits = Limits {
            least_iterations: 1,
            ..Limits::nodes(3)
        };
        let mut observer = Asked {
            most: Some(1),
            ..Asked::default()
        };
        let mut budget = Budget::new(&limits, &mut observer);
        let mut report = Report::before_search(Value::DRAW, Vec::new());
        for occasion in [Occasion::Improvement, Occasion::Iteration] {
            assert_eq!((budget.visit(), budget.ask()), (Ok(()), Ok(())));
            report.occasion = occasion;
            report.iteration = 1;
            budget.report(&report);
        }
        assert_eq!((budget.visit(), budget.nodes()), (Err(Stopped), 2));
        assert_eq!(observer.at, [2]);
    }

    #[test]
    fn positions_visited_elsewhere_count_if_they_fit() {
        let limits = Limits::nodes(10);
        let mut observer = impatient();
        let mut budget = Budget::new(&limits, &mut observer);
        assert!(budget.take(4));
        assert_eq!((budget.nodes(), budget.left()), (4, 6));
        assert!(!budget.take(7));
        assert_eq!(budget.nodes(), 4);
        assert!(budget.take(6));
        assert_eq!(budget.visit(), Err(Stopped));
    }
}
