//! What is asked of the root in which order, and what is told of it.
//!
//! Two questions: does the side to move win, does its opponent? Near wins are looked for first, one
//! move farther each time, as long as that is cheap; then wins at any time (or within what was asked
//! for), by turns for either side, in slices that double. A win found that way is one in at most so
//! many plies; nearer ones are asked for until there is none, and only then is the distance exact.

use super::horizon::Horizon;
use super::node::DepthFirst;
use super::numbers::{Number, Numbers};
use super::table::Table;
use super::tree::{End, Tree};
use super::worker::{Finding, Worker, kind_of};
use super::{Question, Settings};
use crate::game::{Evaluator, Game, Root};
use crate::search::{Bound, Conspiracy, Limits, Occasion, Report};
use crate::value::{Value, Window};

/// Positions of the first slice.
const FIRST_SLICE: u64 = 2_000;

/// Farthest mate, in moves, looked for before mates at any time.
const FARTHEST_FIRST: u32 = 64;

/// Farthest mate, in moves, looked for by a horizon.
const FARTHEST: u32 = 500;

/// Makes positions differ from those of searches with another past or other root moves.
pub(super) fn salt<G: Game>(root: &Root<G>, limits: &Limits<G::Move>) -> u64 {
    let mut salt = 0_u64;
    let reversible = root.position.reversible_plies();
    let from = root.history.len().saturating_sub(reversible);
    for key in &root.history[from..] {
        salt = (salt.rotate_left(5) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    for &m in &limits.search_moves {
        let code = u64::from(G::move_code(m));
        salt = (salt.rotate_left(7) ^ code).wrapping_mul(0xD1B5_4A32_D192_ED03);
    }
    salt
}

/// What the search keeps of the positions it has visited.
pub(super) enum Memory<'a, M> {
    /// Depth-first, in a table.
    Table(&'a mut Table),
    /// Best-first, a tree for each side's attack.
    Trees([Option<Tree<M>>; 2]),
}

/// What is known of one side's attack on the root.
#[derive(Clone, Copy, Debug)]
struct Attack {
    /// The plies in which it is proven to win.
    won: Option<u16>,
    /// The farthest horizon within which it is proven not to win.
    not_within: Option<Horizon>,
    /// The numbers of the question asked last.
    numbers: Numbers,
    /// The question asked last need not be asked again: it is answered, or its tree is full.
    settled: bool,
}

impl Attack {
    const NEW: Attack = Attack {
        won: None,
        not_within: None,
        numbers: Numbers::new(Number::ONE, Number::ONE),
        settled: false,
    };

    fn is_ruled_out(&self, horizon: Horizon) -> bool {
        self.not_within.is_some_and(|within| within >= horizon)
    }

    /// Whether it is known to win in so many plies and no sooner.
    fn is_exact(&self) -> bool {
        self.won
            .is_some_and(|plies| plies <= 2 || self.is_ruled_out(Horizon::plies(plies - 2)))
    }
}

/// One search under way.
pub(super) struct Driver<'a, G: Game, E> {
    worker: Worker<'a, G, E>,
    memory: Memory<'a, G::Move>,
    root: &'a G,
    /// The side to move first.
    attacks: [Attack; 2],
    /// Moves within which no side is known to win.
    none_within: u32,
    /// What the evaluator thinks of the root's moves, best first.
    guesses: Vec<(Value, G::Move)>,
    last: Report<G::Move>,
    /// Whether a proof has been found that has not been told.
    has_news: bool,
}

impl<'a, G: Game, E: Evaluator<G>> Driver<'a, G, E> {
    pub(super) fn new(worker: Worker<'a, G, E>, memory: Memory<'a, G::Move>, root: &'a G) -> Self {
        Driver {
            worker,
            memory,
            root,
            attacks: [Attack::NEW; 2],
            none_within: 0,
            guesses: Vec::new(),
            last: Report::before_search(root.terminal_value(), Vec::new()),
            has_news: false,
        }
    }

    pub(super) fn run(mut self) -> Report<G::Move> {
        if self.root.has_legal_move() {
            self.guess();
            self.search();
            if self.has_news {
                self.tell(self.last.iteration + 1);
            }
        }
        self.update_report();
        self.last.occasion = Occasion::Final;
        self.worker.budget.report(&self.last);
        self.last
    }

    /// Values of the moves for want of a proof: what the evaluator thinks, best first.
    fn guess(&mut self) {
        for m in self.worker.root_moves.clone() {
            let son = self.root.after(m);
            let evaluator = &mut *self.worker.evaluator;
            let value = son.outcome().or_else(|| evaluator.known_value(&son));
            let value = value.unwrap_or_else(|| evaluator.evaluate(&son, Window::FULL));
            // A win is told when it is proven here, with its line.
            let guess = unproven(value.from_son());
            let place = self.guesses.partition_point(|&(other, _)| other >= guess);
            self.guesses.insert(place, (guess, m));
            if place == 0 {
                self.last.value = guess;
                self.last.pv = vec![m];
                self.last.occasion = Occasion::Improvement;
                self.update_report();
                self.worker.budget.report(&self.last);
            }
            if self.is_stopped() {
                break;
            }
        }
    }

    fn search(&mut self) {
        let limits = self.worker.budget.limits;
        let most = [limits.mate, limits.iterations].into_iter().flatten().min();
        let most = most.map(|moves| moves.clamp(1, FARTHEST));
        self.look_near(most);
        if most.is_none_or(|most| most > self.none_within) {
            self.look_far(most);
        }
        if most.is_none() {
            self.shorten();
        }
    }

    /// Looks for wins in one move, in two, and so on, as long as that is cheap.
    fn look_near(&mut self, most: Option<u32>) {
        let (farthest, quota) = match most {
            Some(most) => (most, self.worker.settings.asked_quota),
            None => (
                self.worker.settings.near_moves,
                self.worker.settings.near_quota,
            ),
        };
        for moves in 1..=farthest {
            for index in 0..2 {
                self.ask(index, horizon_of(index, moves), true, quota);
                if self.is_over() {
                    return;
                }
            }
            if !self.attacks.iter().all(|attack| attack.settled) {
                return;
            }
            self.none_within = moves;
            self.worker.budget.observer.no_win_within(moves);
            if !self.tell(moves) {
                return;
            }
        }
    }

    /// Looks for a win of either side by turns.
    fn look_far(&mut self, most: Option<u32>) {
        let mut slice = FIRST_SLICE;
        // The side that stands better has the first turn, and twice as much of it.
        let first = usize::from(self.last.value < Value::DRAW);
        let mut far = most.or(Some(self.worker.settings.far_moves).filter(|&far| far > 0));
        for attack in &mut self.attacks {
            attack.settled = false;
        }
        while !self.is_over() {
            if self.attacks.iter().all(|attack| attack.settled) {
                let Some(next) = farther(far).filter(|_| most.is_none()) else {
                    break;
                };
                far = next;
                self.attacks[0].settled = false;
                self.attacks[1].settled = false;
            }
            for (index, quota) in [(first, slice), (1 - first, slice / 2)] {
                let horizon = far.map_or(Horizon::UNLIMITED, |far| horizon_of(index, far));
                if !self.attacks[index].settled {
                    self.ask(index, horizon, most.is_some(), quota);
                }
                if self.is_over() {
                    return;
                }
            }
            if !self.tell(self.last.iteration + 1) {
                return;
            }
            slice = slice.saturating_mul(2);
        }
        if let Some(most) = most
            && (0..2).all(|index| self.attacks[index].is_ruled_out(horizon_of(index, most)))
        {
            self.none_within = most;
            self.worker.budget.observer.no_win_within(most);
        }
    }

    /// Looks for a nearer win until there is none.
    fn shorten(&mut self) {
        while let Some(index) = self.attacks.iter().position(|attack| attack.won.is_some())
            && !self.attacks[index].is_exact()
            && let Some(plies) = self.attacks[index].won
            && !self.is_stopped()
        {
            if self.has_news && !self.tell(self.last.iteration + 1) {
                return;
            }
            self.attacks[index].settled = false;
            self.ask(index, Horizon::plies(plies - 2), true, u64::MAX);
            if !self.attacks[index].settled {
                return;
            }
            self.has_news = true;
        }
    }

    /// Whether the limits are reached.
    fn is_stopped(&mut self) -> bool {
        self.worker.is_stopped()
    }

    /// Whether a side has won, or the limits are reached.
    fn is_over(&mut self) -> bool {
        self.attacks.iter().any(|attack| attack.won.is_some()) || self.is_stopped()
    }

    /// Asks a question for so many positions at most.
    fn ask(&mut self, index: usize, horizon: Horizon, strict: bool, quota: u64) {
        let side = self.root.side_to_move();
        let attacker = if index == 0 { side } else { side.other() };
        let question = Question {
            attacker,
            horizon,
            strict,
        };
        self.worker.quota = self.worker.nodes().saturating_add(quota);
        let path = self.worker.path.len();
        let (found, numbers) = match &mut self.memory {
            Memory::Table(table) => {
                let mut form = DepthFirst::new(&mut self.worker, table, question);
                let found = form.answer(self.root);
                (found.ok(), form.root_numbers)
            }
            Memory::Trees(trees) => {
                let tree = match &mut trees[index] {
                    Some(tree) if tree.question() == question => tree,
                    slot => {
                        // First the old one goes, so that there are never three.
                        *slot = None;
                        slot.insert(Tree::new(question, tree_bytes(self.worker.settings)))
                    }
                };
                let grown = tree.grow(&mut self.worker, self.root);
                self.attacks[index].settled |= grown == Err(End::Full);
                (grown.is_ok().then(|| tree.root()), tree.root().numbers)
            }
        };
        self.worker.path.truncate(path);
        self.attacks[index].numbers = numbers;
        if let Some(finding) = found {
            self.learn(index, question, finding);
        }
    }

    /// A question has been answered.
    fn learn(&mut self, index: usize, question: Question, finding: Finding) {
        let attack = &mut self.attacks[index];
        attack.settled = true;
        if finding.numbers.is_disproven() {
            if finding.everywhere {
                attack.not_within = attack.not_within.max(Some(question.horizon));
            }
            return;
        }
        let (plies, line) = match &mut self.memory {
            Memory::Table(table) => {
                self.worker
                    .winning_line(table, question, self.root, finding.plies)
            }
            Memory::Trees(trees) => {
                let kind = kind_of(self.root, question);
                let line = trees[index].as_ref().map(|tree| tree.winning_line(kind));
                (finding.plies, line.unwrap_or_default())
            }
        };
        attack.won = Some(plies);
        self.has_news = true;
        if !line.is_empty() {
            self.last.pv = line;
        }
    }

    /// Tells what is known after an iteration, as many lines as are asked for; whether there shall be
    /// another iteration.
    fn tell(&mut self, iteration: u32) -> bool {
        self.has_news = false;
        self.last.iteration = iteration;
        self.last.occasion = Occasion::Iteration;
        self.update_report();
        self.worker.budget.report(&self.last);
        let best = self.last.best_move();
        let others = self.guesses.iter().filter(|&&(_, m)| Some(m) != best);
        let others: Vec<(Value, G::Move)> = others.copied().collect();
        let lines = self.worker.budget.limits.multipv;
        for (line, (guess, m)) in (2..=lines).zip(others) {
            let report = Report {
                line,
                // Nobody knows more of the moves behind a lost one than that they lose, too.
                value: guess.min(self.last.value),
                pv: vec![m],
                ..self.last.clone()
            };
            self.worker.budget.report(&report);
        }
        self.worker.budget.wants_another_iteration(&self.last)
    }

    /// Brings the report up to date.
    fn update_report(&mut self) {
        let [own, others] = self.attacks;
        if let Some(plies) = own.won {
            self.last.value = Value::win_in(plies);
            self.last.bound = Bound::Lower;
        } else if let Some(plies) = others.won {
            self.last.value = Value::loss_in(plies);
            self.last.bound = Bound::Upper;
        } else if own.is_ruled_out(Horizon::UNLIMITED) && others.is_ruled_out(Horizon::UNLIMITED) {
            self.last.value = Value::DRAW;
        }
        if own.is_exact() || others.is_exact() {
            self.last.bound = Bound::Exact;
        }
        self.last.nodes = self.worker.nodes();
        self.last.seldepth = self.worker.seldepth as u32;
        let (fullness, size, bytes) = match &self.memory {
            Memory::Table(table) => (table.fullness(), table.len(), None),
            Memory::Trees(trees) => {
                let trees = || trees.iter().flatten();
                let fullness = trees().map(Tree::fullness).max().unwrap_or(0);
                let bytes = trees().map(Tree::bytes).sum();
                (fullness, trees().map(Tree::len).sum(), Some(bytes))
            }
        };
        self.last.fullness = fullness;
        self.last.conspiracy = Some(self.conspiracy(size as u64, bytes));
    }

    /// Proof numbers are conspiracy numbers: how many leaves must turn out won for the root to be.
    fn conspiracy(&self, tree_size: u64, tree_bytes: Option<u64>) -> Conspiracy {
        let [own, others] = self.attacks;
        let value = self.last.value;
        let decided = own.is_exact() || others.is_exact();
        // The least and the greatest value that is not ruled out.
        let nearest = |index: usize| horizon_of(index, self.none_within + 1).get().unwrap_or(0);
        let low = if own.won.is_some() || decided || others.is_ruled_out(Horizon::UNLIMITED) {
            value
        } else {
            Value::loss_in(nearest(1))
        };
        let high = if others.won.is_some() || decided || own.is_ruled_out(Horizon::UNLIMITED) {
            value
        } else {
            Value::win_in(nearest(0))
        };
        let leaves = |attack: &Attack| match attack.numbers.proof.get() {
            // The question answered is not the last that could be asked.
            None | Some(0) => Some(1),
            leaves => leaves,
        };
        Conspiracy {
            threshold: self.last.iteration,
            likely_range: (low, high),
            conspirators_below: (low < value).then(|| leaves(&others)).flatten(),
            conspirators_above: (high > value).then(|| leaves(&own)).flatten(),
            tree_size,
            tree_bytes,
        }
    }
}

/// The next horizon in moves, none being without limit; nothing if there is no farther one.
fn farther(far: Option<u32>) -> Option<Option<u32>> {
    let next = 2 * far?;
    Some((next <= FARTHEST_FIRST).then_some(next))
}

/// A value as far from a win or loss as estimates are.
fn unproven(value: Value) -> Value {
    let most = i32::from(Value::MAX_CENTIPAWNS);
    value.clamp(Value::centipawns(-most), Value::centipawns(most))
}

/// The horizon for a win in so many moves, of the side to move (0) or its opponent.
fn horizon_of(index: usize, moves: u32) -> Horizon {
    Horizon::plies((2 * moves.min(FARTHEST + 1)) as u16 - 1 + index as u16)
}

/// What one of two trees may take.
fn tree_bytes(settings: &Settings) -> usize {
    settings.hash_megabytes.saturating_mul(1 << 20) / 2
}
