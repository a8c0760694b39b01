//! The order of questions about the root.
//!
//! Two questions: does the side to move win, does its opponent? Mates in one are searched for first; under a limit on
//! moves also mates in two, three and so on, as long as that is cheap. Then follow wins within the limit, or without
//! one within horizons that grow until there is none, for each side in turn, in slices that double. The plies of such
//! a win are an upper bound. Without a limit nearer wins are searched for until they are disproven; only then is the
//! distance exact. A mate is claimed only after its proof has been followed to the mate.

use super::Form;
use super::line::{ProofFollower, ProofLine};
use super::node::DepthFirst;
use super::question::{Attack, Horizon, ProofQuery, Win, horizon_of};
use super::table::ProofTable;
use super::tree::{KeptProof, ProofTree, TreeEnd};
use super::worker::{ProofContext, Worker, kind_of};
use crate::game::{Evaluator, Game};
use crate::search::kit::memory::bytes;
use crate::search::{Occasion, Report};
use crate::value::Value;

/// Nodes of the first slice.
const FIRST_SLICE: u64 = 2_000;

/// Nodes of the attacker that stands better by the evaluation, for one of the other's.
const NODES_TO_ONE: u64 = 2;

/// Mates in up to this many moves are searched for first.
const NEAR_MOVES: u32 = 1;

/// Nodes for each side on each of these mates, and under a limit on moves on each mate within it.
const NEAR_QUOTA: u64 = 20_000;

/// Mates in up to this many moves are searched for next, then in twice as many, and so on.
const FAR_MOVES: u32 = 16;

/// Farthest mate searched for before mates at any distance, in moves.
const FARTHEST_FIRST: u32 = 64;

/// Nodes to spend on showing a win: this many, or as many as the first thread has searched if more.
const LEAST_TO_SHOW: u64 = 50_000;

/// Storage for searched positions.
pub(super) enum Memory<'a, M> {
    /// Depth-first: one table.
    Table(&'a ProofTable),
    /// Best-first: one tree for each attacker.
    Trees(Box<[Option<ProofTree<M>>; 2]>),
}

/// The questions about a root so far: a search that was interrupted goes on from here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Results by attacker, the side to move first.
    pub(super) attacks: [Attack; 2],
    /// Both sides are proven not to win within this many moves.
    pub(super) none_within: u32,
    /// Whether mates in one, in two and so on are still searched for one after the other.
    is_near: bool,
    /// Moves within which farther wins are searched for; `None` is no limit.
    far: Option<u32>,
    /// Whether each attacker's question within this horizon is settled.
    settled: [bool; 2],
    /// Nodes of the next slice of the attacker that stands better.
    slice: u64,
    /// Nodes of its slices for one of the other attacker's.
    nodes_to_one: u64,
    /// Nodes left of the present slices, by attacker; `None` between two rounds.
    left: Option<[u64; 2]>,
}

impl Course {
    /// Nothing has been asked; wins within `most` moves are to be found, if that is given. The attacker that stands better
    /// gets `nodes_to_one` nodes for one of the other's.
    pub(super) fn new(most: Option<u32>, nodes_to_one: u64) -> Course {
        Course {
            attacks: [Attack::NEW; 2],
            none_within: 0,
            is_near: true,
            far: Some(most.unwrap_or(FAR_MOVES)),
            settled: [false; 2],
            slice: FIRST_SLICE,
            nodes_to_one,
            left: None,
        }
    }
}

/// A running search of one root.
pub(super) struct Driver<'a, G: Game, E> {
    pub(super) worker: Worker<'a, G, E>,
    pub(super) memory: Memory<'a, G::Move>,
    pub(super) root: &'a G,
    /// Questions asked and answers so far.
    pub(super) course: Course,
    /// Estimated values of the root moves, best first.
    pub(super) guesses: Vec<(Value, G::Move)>,
    pub(super) last: Report<G::Move>,
    /// Whether a proof has been found that is not yet reported.
    pub(super) has_news: bool,
    /// Whether nobody wants reports.
    pub(super) is_silent: bool,
    /// Receives a copy of a tree, if wanted: see [`super::ProofNumber::search_keeping`].
    pub(super) kept: Option<&'a mut Option<KeptProof<G::Move>>>,
}

impl<'a, G: Game, E: Evaluator<G>> Driver<'a, G, E> {
    pub(super) fn new(worker: Worker<'a, G, E>, table: &'a ProofTable, root: &'a G) -> Self {
        Driver {
            memory: match worker.settings.form {
                Form::DepthFirst => Memory::Table(table),
                Form::Tree => Memory::Trees(Box::default()),
            },
            course: Course::new(worker.most_moves(), NODES_TO_ONE),
            worker,
            root,
            guesses: Vec::new(),
            last: Report::before_search(root.terminal_value(), Vec::new()),
            has_news: false,
            is_silent: false,
            kept: None,
        }
    }

    pub(super) fn run(mut self) -> Report<G::Move> {
        if self.root.has_legal_move() {
            self.guess();
            self.search();
            if self.has_news {
                self.emit_report(self.next_iteration());
            }
        }
        if let (Some(kept), Memory::Trees(trees)) = (&mut self.kept, &self.memory)
            && kept.is_none()
        {
            **kept = trees.iter().flatten().next().map(ProofTree::kept);
        }
        self.update_report();
        self.last.occasion = Occasion::Final;
        self.worker.budget.report(&self.last);
        self.last
    }

    /// Asks one question after the other, from where the course stands.
    pub(super) fn search(&mut self) {
        let most = self.worker.most_moves();
        self.look_near(most);
        if most.is_none_or(|most| most > self.course.none_within) {
            self.look_far(most);
        }
        if most.is_none() {
            self.shorten();
        }
        // Spends the nodes that are left on showing wins: nothing else remains to be done.
        for index in 0..2 {
            if let Some(proof) = self.course.attacks[index].unshown()
                && !self.worker.is_stopped()
            {
                self.show(index, proof, &[], u64::MAX);
            }
        }
    }

    /// Searches for wins in one move, in two, and so on, as long as that is cheap.
    fn look_near(&mut self, most: Option<u32>) {
        if !self.course.is_near {
            return;
        }
        for moves in self.course.none_within + 1..=most.unwrap_or(NEAR_MOVES) {
            for index in 0..2 {
                self.ask(index, horizon_of(index, moves), true, NEAR_QUOTA);
                if self.is_over() {
                    return;
                }
            }
            if !self.none_is_within(moves) {
                break;
            }
            self.rule_out(moves);
            if !self.emit_report(moves) {
                return;
            }
        }
        self.course.is_near = false;
    }

    /// Searches for wins of either side in turn, within growing horizons.
    fn look_far(&mut self, most: Option<u32>) {
        while !self.is_over() {
            if self.course.settled == [true; 2] {
                let Some(moves) = self.course.far.filter(|_| most.is_none()) else {
                    break;
                };
                self.course.far = Some(2 * moves).filter(|&moves| moves <= FARTHEST_FIRST);
                self.course.settled = [false; 2];
            }
            // The side that stands better has the first turn, and more nodes.
            let first = usize::from(self.last.value < Value::DRAW);
            let slice = self.course.slice;
            let mut slices = [slice, slice / self.course.nodes_to_one];
            slices.rotate_right(first);
            let mut left = self.course.left.unwrap_or(slices);
            for index in [first, 1 - first] {
                let far = self.course.far;
                let horizon = far.map_or(Horizon::UNLIMITED, |far| horizon_of(index, far));
                let before = self.worker.nodes();
                if !self.course.settled[index] && left[index] > 0 {
                    let is_settled = self.ask(index, horizon, most.is_some(), left[index]);
                    self.course.settled[index] = is_settled;
                }
                if self.is_over() {
                    left[index] = left[index].saturating_sub(self.worker.nodes() - before);
                    self.course.left = Some(left);
                    return;
                }
                left[index] = 0;
            }
            self.course.left = None;
            if !self.emit_report(self.next_iteration()) {
                return;
            }
            self.course.slice = slice.saturating_mul(2);
        }
        if let Some(most) = most
            && self.none_is_within(most)
        {
            self.rule_out(most);
        }
    }

    /// Number of the iteration that ends now. Under a limit on iterations, which is one on moves, all that search for the
    /// farthest mate have the same number.
    fn next_iteration(&self) -> u32 {
        let last = self.worker.budget.limits.iterations.unwrap_or(u32::MAX);
        (self.last.iteration + 1).min(last)
    }

    /// Notes that neither side wins within so many moves; tells it unless root moves have been left out.
    fn rule_out(&mut self, moves: u32) {
        self.course.none_within = moves;
        if self.worker.budget.limits.search_moves.is_empty() {
            self.worker.budget.observer.no_win_within(moves);
        }
    }

    /// Searches for nearer wins until none is left.
    fn shorten(&mut self) {
        while let Some(index) = self
            .course
            .attacks
            .iter()
            .position(|attack| attack.won.is_some())
            && !self.course.attacks[index].is_nearest()
            && let Some(Win { plies, .. }) = self.course.attacks[index].won
            && !self.worker.is_stopped()
        {
            if self.has_news && !self.emit_report(self.next_iteration()) {
                return;
            }
            self.ask(index, Horizon::plies(plies - 2), true, u64::MAX);
            let attack = &self.course.attacks[index];
            let is_nearer = attack.won.is_some_and(|now| now.plies < plies);
            if !is_nearer && !attack.is_nearest() {
                // Unanswered: a limit was reached, a tree was full, or the disproof holds on this path only.
                return;
            }
            self.has_news = true;
        }
    }

    /// Whether both sides are proven not to win within `moves`.
    fn none_is_within(&self, moves: u32) -> bool {
        (0..2).all(|index| self.course.attacks[index].is_ruled_out(horizon_of(index, moves)))
    }

    /// Whether a win is proven, or a limit reached.
    fn is_over(&mut self) -> bool {
        self.course
            .attacks
            .iter()
            .any(|attack| attack.won.is_some())
            || self.worker.is_stopped()
    }

    /// Searches one question for at most `quota` nodes and records the answer; returns whether it needs no more search:
    /// it is answered, or its tree is full.
    fn ask(&mut self, index: usize, horizon: Horizon, strict: bool, quota: u64) -> bool {
        let side = self.root.side_to_move();
        let attacker = if index == 0 { side } else { side.other() };
        let question = ProofQuery {
            attacker,
            horizon,
            strict,
        };
        self.worker.set_quota(quota);
        self.worker.shared_search.publish(|| question);
        let mut children = Vec::new();
        let mut is_full = false;
        let (found, numbers) = match &mut self.memory {
            &mut Memory::Table(table) => {
                let mut form = DepthFirst::new(&mut self.worker, table, question);
                let found = form.answer(self.root, ProofContext::root(horizon));
                children = form.winning_children;
                (found.ok(), form.top_numbers)
            }
            Memory::Trees(trees) => {
                let tree = match &mut trees[index] {
                    Some(tree) if tree.question == question => tree,
                    slot => {
                        // Frees the old tree first, so that there are never three.
                        *slot = None;
                        let bytes_of_two = bytes(self.worker.settings.hash_megabytes);
                        slot.insert(ProofTree::new(question, bytes_of_two / 2))
                    }
                };
                let grown = tree.grow(&mut self.worker, self.root);
                is_full = grown == Err(TreeEnd::Full);
                (grown.is_ok().then(|| tree.root()), tree.root().numbers)
            }
        };
        self.course.attacks[index].numbers = numbers;
        let Some(finding) = found else {
            return is_full;
        };
        if finding.numbers.is_disproven() {
            if finding.everywhere {
                let attack = &mut self.course.attacks[index];
                attack.not_within = attack.not_within.max(Some(horizon));
            }
        } else {
            let plies = finding.plies;
            let quota = self.worker.nodes().max(LEAST_TO_SHOW);
            self.show(index, Win { plies, question }, &children, quota);
        }
        true
    }

    /// Follows a proof to its end, for at most `quota` nodes, and records a win with or without its line, or that there
    /// is none.
    fn show(&mut self, index: usize, proof: Win, children: &[(G::Move, u16)], quota: u64) {
        self.worker.quota = self.worker.nodes().saturating_add(quota);
        let line = match &mut self.memory {
            &mut Memory::Table(table) => {
                let mut follower = ProofFollower::new(&mut self.worker, table, proof.question);
                follower.line(self.root, proof.plies, children)
            }
            Memory::Trees(trees) => {
                let kind = kind_of(self.root, proof.question);
                if let (Some(kept), Some(tree)) = (&mut self.kept, &trees[index]) {
                    **kept = Some(tree.kept());
                }
                let line = trees[index].as_ref().map(|tree| tree.winning_line(kind));
                ProofLine::Whole(line.unwrap_or_default())
            }
        };
        let attack = &mut self.course.attacks[index];
        match line {
            ProofLine::Whole(line) => {
                let plies = line.len() as u16;
                attack.won = Some(Win { plies, ..proof });
                attack.shown = Some(plies);
                self.last.pv = line;
                self.has_news = true;
            }
            ProofLine::Part(line, plies) => {
                self.has_news |= attack.won.is_none_or(|known| plies < known.plies);
                attack.won = Some(Win { plies, ..proof });
                // A longer win with a complete line is the better one to report.
                if attack.shown.is_none() && !line.is_empty() {
                    self.last.pv = line;
                }
            }
            ProofLine::Refuted => {
                attack.won = attack.shown.map(|plies| Win { plies, ..proof });
                if attack.won.is_none() {
                    self.fall_back_on_guess();
                }
            }
        }
    }
}
