//! Proof-number search: is there a forced win, and how soon?
//!
//! Conspiracy-number search for a game of two values (section 4 of M. N. A. Khalid et al., "Critical
//! position identification in games and its application to speculative play", ICAART 2015; L. V. Allis et al.,
//! "Proof-number search", Artificial Intelligence 66, 1994). One side attacks; a position is won if the attacker wins
//! in time, else not won. The *proof number* of a node is the least number of leaves that must turn out won for the
//! node to be won. The *disproof number* is the least number of leaves that must turn out not won for the node to be
//! not won. They are the conspiracy numbers ↑CN(won) and ↓CN(not won); a test compares them with the recursive
//! definition in [`crate::conspiracy::definition`].
//!
//! It is the same search as [depth-first conspiracy-number search](crate::search::depth_first) with unit costs
//! and the one question "at least won?": a leaf can be overthrown at a finite cost, a proof at an infinite one; an OR
//! node takes the least cost of its children, an AND node the sum. In that search each leaf has a value, hence an
//! answer, and only the opposite answer has a cost. Here leaves have no value, so both answers have a cost and a node
//! has two numbers. The two searches share the code of budget and path.
//!
//! - `numbers`: the numbers, and a parent's from its children's.
//! - `worker`: limits, path and the first look at a position, for both forms.
//! - `node`, `table`: the depth-first form (df-pn) with a table of bounded size.
//! - `sharing`: cooperation of several threads in the depth-first form.
//! - `tree`: the best-first form with its tree in bounded memory.
//! - `question`: whether and how soon a side wins, and results so far; `driver`: the order of questions about the root.
//! - `stepped`: the depth-first form in steps, beside another search.
//! - `line`: lines to the win, without which no mate is claimed; `report`: reports on the root.
//!
//! *Cycles.* A proof never rests on a repetition, since a repetition counts only against the attacker. The plies to
//! the win decrease with each move along a proven line, so no position occurs twice on it, whatever path led to its
//! beginning: proofs hold on every path. A disproof may rest on a repetition. Within a horizon repetitions need no
//! special treatment, since each ply reduces the horizon: there are no cycles, and "no win in n plies" is a fact.
//! Without a horizon a position met again on the path counts as not won on this path. Disproofs that follow from this
//! are marked, stored in the table only as a large finite number, and never claimed. A position that stood twice in
//! the game before the root is drawn on every path, so roots with different pasts have different keys.
//!
//! *Fifty moves.* The key of a position includes the clock if the clock runs out within the horizon, or soon. Other
//! keys leave it out, so a proof in the table may need more plies than the clock allows; following its line (`line`)
//! shows whether it holds.

mod driver;
mod line;
mod node;
pub(crate) mod numbers;
mod question;
mod report;
mod sharing;
pub(in crate::search) mod stepped;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

use self::driver::Driver;
pub use self::numbers::Proof;
use self::question::{Horizon, ProofQuery};
use self::sharing::follow;
use self::table::ProofTable;
pub use self::tree::KeptProof;
use self::tree::ProofTree;
use self::worker::Worker;
use crate::game::{Evaluator, Game, OutcomesOnly, Root, Side};
use crate::search::kit::memory::bytes;
use crate::search::kit::team::{Task, Team, Threads};
use crate::search::{Limits, Observer, Report, Searcher, Unobserved};

/// The form of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Depth-first with a table: df-pn.
    #[default]
    DepthFirst,
    /// Best-first with the tree in memory: PNS.
    Tree,
}

/// Settings of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The form.
    pub form: Form,
    /// Memory for its table or trees, in MiB.
    pub hash_megabytes: usize,
    /// Threads that search together in the depth-first form; the best-first form has one thread.
    pub threads: Threads,
    /// Whether leaves start with estimated proof numbers; otherwise with 1.
    pub is_informed: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            form: Form::DepthFirst,
            hash_megabytes: 64,
            threads: Threads::ONE,
            is_informed: true,
        }
    }
}

/// Extremes of a position's numbers while the best-first form searched for one side's win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofCourse {
    /// Whether the side wins; `None` if undecided.
    pub won: Option<bool>,
    /// The largest finite proof number on the way.
    pub largest_proof: u32,
    /// The largest finite disproof number on the way.
    pub largest_disproof: u32,
}

/// Searches for a win of `attacker` as the search was first described (every leaf counts one, and conspirators add up),
/// and records its numbers. Ends after `most` positions, or when the memory is full.
pub fn course<G: Game>(position: &G, attacker: Side, most: u64) -> ProofCourse {
    let settings = Settings {
        is_informed: false,
        ..Settings::default()
    };
    let root = Root::new(position.clone());
    let limits = Limits::nodes(most);
    let (mut team, mut nobody) = (Team::alone(OutcomesOnly), Unobserved);
    let mut worker = Worker::new(&settings, &root, team.task::<G, _>(&limits, &mut nobody));
    let question = ProofQuery {
        attacker,
        horizon: Horizon::UNLIMITED,
        strict: false,
    };
    let mut tree = ProofTree::new(question, bytes(settings.hash_megabytes));
    let answered = tree.grow(&mut worker, position).is_ok();
    ProofCourse {
        won: answered.then(|| tree.root().numbers.is_proven()),
        largest_proof: tree.largest.proof.get().unwrap_or(0),
        largest_disproof: tree.largest.disproof.get().unwrap_or(0),
    }
}

/// The search, with its table, which it keeps from one position to the next. An iteration is a mate's number of moves.
pub struct ProofNumber<E> {
    settings: Settings,
    team: Team<E>,
    table: ProofTable,
}

impl<E: Clone> ProofNumber<E> {
    /// A search; `evaluator` values the moves as long as nothing is proven.
    pub fn new(settings: Settings, evaluator: E) -> ProofNumber<E> {
        let (megabytes, threads) = match settings.form {
            Form::DepthFirst => (settings.hash_megabytes, settings.threads),
            Form::Tree => (
                0,
                Threads {
                    count: 1,
                    ..settings.threads
                },
            ),
        };
        ProofNumber {
            table: ProofTable::new(megabytes),
            team: Team::new(threads, evaluator),
            settings,
        }
    }
}

impl<E> ProofNumber<E> {
    /// Searches like [`Searcher::search`] with one thread, and also returns a copy of a tree: the one that proves the
    /// reported win, else the last one grown for the side to move's attack, else for its opponent's. `None` in the
    /// depth-first form, or if the game is over.
    pub fn search_keeping<G: Game>(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> (Report<G::Move>, Option<KeptProof<G::Move>>)
    where
        E: Evaluator<G>,
    {
        let mut kept = None;
        self.table.new_search();
        let worker = Worker::new(&self.settings, root, self.team.task(limits, observer));
        let mut driver = Driver::new(worker, &self.table, &root.position);
        driver.kept = Some(&mut kept);
        let report = driver.run();
        (report, kept)
    }
}

impl<G: Game + Sync, E: Evaluator<G> + Send> Searcher<G> for ProofNumber<E> {
    fn search(
        &mut self,
        root: &Root<G>,
        limits: &Limits<G::Move>,
        observer: &mut dyn Observer<G::Move>,
    ) -> Report<G::Move> {
        self.table.new_search();
        let (settings, table) = (&self.settings, &self.table);
        let lead = |task: Task<'_, G, E, (), ProofQuery>| {
            Driver::new(Worker::new(settings, root, task), table, &root.position).run()
        };
        let help = |task: Task<'_, G, E, (), ProofQuery>| {
            follow(Worker::new(settings, root, task), table, &root.position);
        };
        self.team.search(limits, observer, lead, help)
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    /// Does nothing: roots with different pasts have different keys.
    fn forget_proofs(&mut self) {}
}
