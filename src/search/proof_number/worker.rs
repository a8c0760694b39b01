//! Code of both forms of the search: limits, the path, and the first look at a position.

use super::Settings;
use super::numbers::{Number, Numbers, Proof, interior};
use super::question::{FARTHEST, Horizon, ProofQuery};
use super::table::ProofTable;
use crate::conspiracy::Kind;
use crate::game::{Evaluator, Game, Moves, Root};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::path::{Path, Repetition};
use crate::search::kit::team::Task;
use crate::search::kit::team::shared_search::SharedSearch;
use crate::value::Value;

/// Plies from the root at which a position counts as not won on this path, without search.
pub(super) const MAX_PLY: usize = 250;

/// Most plies to a draw by rule at which keys include the clock, whatever the horizon.
const RULE_DRAW_NEAR: usize = 64;

/// Proof number of a position after a move that cannot win at once, without the part for the expected replies.
const QUIET_PROOF: u32 = 2;
/// Expected replies of the defender that add one to this proof number.
const REPLIES_TO_ONE: u32 = 2;

/// Numbers of a node, and their validity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub(super) numbers: Numbers,
    /// Plies to the attacker's win, at most, if it is proven.
    pub(super) plies: u16,
    /// Whether it holds on every path. Only a disproof may hold on this path alone: a repeated position is
    /// not won on it.
    pub(super) everywhere: bool,
}

impl Finding {
    /// A win of the attacker in at most `plies`.
    pub(super) const fn proven(plies: u16) -> Finding {
        Finding::known(Proof {
            numbers: Numbers::PROVEN,
            plies,
        })
    }

    /// No win of the attacker within the horizon.
    pub(super) const fn disproven(everywhere: bool) -> Finding {
        Finding {
            numbers: Numbers::DISPROVEN,
            plies: 0,
            everywhere,
        }
    }

    /// The finding of a parent from its children's.
    pub(super) fn of_parent(
        kind: Kind,
        children: impl Iterator<Item = Finding> + Clone,
    ) -> Finding {
        let numbers = interior(kind, children.clone().map(|child| child.numbers));
        if numbers.is_proven() {
            let wins = children.filter(|child| child.numbers.is_proven());
            let plies = wins.map(|child| child.plies);
            let plies = match kind {
                Kind::Max => plies.min(),
                Kind::Min => plies.max(),
            };
            return Finding::proven(plies.unwrap_or(0).saturating_add(1));
        }
        if numbers.is_disproven() {
            let mut refuted = children.filter(|child| child.numbers.is_disproven());
            let everywhere = match kind {
                Kind::Max => refuted.all(|child| child.everywhere),
                Kind::Min => refuted.any(|child| child.everywhere),
            };
            return Finding::disproven(everywhere);
        }
        Finding::open(numbers)
    }

    /// A finding from the table.
    pub(super) const fn known(Proof { numbers, plies }: Proof) -> Finding {
        Finding {
            numbers,
            plies,
            everywhere: true,
        }
    }

    /// Neither proven nor disproven.
    pub(super) const fn open(numbers: Numbers) -> Finding {
        Finding::known(Proof { numbers, plies: 0 })
    }
}

/// A node's place in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofContext {
    /// Plies from the root.
    pub(super) ply: usize,
    pub(super) horizon: Horizon,
    /// Replies the defender had at its last move, as a guess of those at its next.
    pub(super) replies: u32,
}

/// Replies that the defender is assumed to have before its first move.
const REPLIES_AT_FIRST: u32 = 20;

impl ProofContext {
    /// The root's place.
    pub(super) fn root(horizon: Horizon) -> ProofContext {
        ProofContext {
            ply: 0,
            horizon,
            replies: REPLIES_AT_FIRST,
        }
    }

    /// A child's place, with its `horizon`; the parent has `moves` legal moves.
    pub(super) fn below(self, horizon: Horizon, kind: Kind, moves: usize) -> ProofContext {
        ProofContext {
            ply: self.ply + 1,
            horizon,
            replies: match kind {
                Kind::Max => self.replies,
                Kind::Min => moves as u32,
            },
        }
    }
}

/// The search of a node under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenProof {
    pub(super) key: u64,
    pub(super) horizon: Horizon,
    /// Numbers at which it ends.
    pub(super) limit: Numbers,
}

impl OpenProof {
    /// The table's finding, if that reaches the limit.
    pub(super) fn answer(&self, table: &ProofTable) -> Option<Finding> {
        let known = table.probe(self.key, self.horizon)?;
        let is_enough = known.numbers.reach(self.limit);
        is_enough.then(|| Finding::known(known))
    }
}

/// A term for keys that differs between games with different reversible pasts.
fn salt<G: Game>(root: &Root<G>) -> u64 {
    let reversible = root.position.reversible_plies();
    let from = root.history.len().saturating_sub(reversible);
    root.history[from..].iter().fold(0_u64, |salt, key| {
        (salt.rotate_left(5) ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// One search under way.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) budget: Budget<'a, G::Move>,
    pub(super) path: Path,
    pub(super) settings: &'a Settings,
    /// The root moves to search.
    pub(super) root_moves: Moves<G::Move>,
    /// Part of every key: the game before the root.
    salt: u64,
    /// Part of the root's key: the root moves chosen.
    root_salt: u64,
    /// Count of positions at which the current question is interrupted.
    pub(super) quota: u64,
    pub(super) stopped: bool,
    pub(super) seldepth: usize,
    /// The other threads that search the same question at the root.
    pub(super) shared_search: SharedSearch<'a, ProofQuery, OpenProof, Finding>,
}

impl<'a, G: Game, E: Evaluator<G>> Worker<'a, G, E> {
    /// A worker for one thread.
    pub(super) fn new<'b: 'a>(
        settings: &'a Settings,
        root: &Root<G>,
        task: Task<'b, G, E, (), ProofQuery>,
    ) -> Self {
        let chosen = task.limits.search_moves.iter();
        let root_salt = chosen.fold(0_u64, |salt, &m| {
            (salt.rotate_left(7) ^ u64::from(G::move_code(m))).wrapping_mul(0xD1B5_4A32_D192_ED03)
        });
        Worker {
            evaluator: task.evaluator,
            path: Path::to_root(root),
            settings,
            root_moves: task.limits.root_moves(&root.position),
            budget: Budget::in_turns(task.turn, task.limits, task.observer),
            salt: salt(root),
            root_salt,
            quota: u64::MAX,
            stopped: false,
            seldepth: 0,
            shared_search: SharedSearch::new(task.shared),
        }
    }

    /// Sets the quota of the next question to `positions` of all threads together, an equal part for
    /// each.
    pub(super) fn set_quota(&mut self, positions: u64) {
        let threads = if self.shared_search.is_any() {
            self.settings.threads.count
        } else {
            1
        };
        let own = positions.div_ceil(threads as u64);
        self.quota = self.nodes().saturating_add(own);
    }

    /// Moves within which a win is wanted, by the limits; `None` if at any distance.
    pub(super) fn most_moves(&self) -> Option<u32> {
        let limits = self.budget.limits;
        let most = [limits.mate, limits.iterations].into_iter().flatten().min();
        most.map(|moves| moves.clamp(1, FARTHEST))
    }

    /// Positions visited.
    pub(super) fn nodes(&self) -> u64 {
        self.budget.nodes()
    }

    /// Counts a position about to be visited, if the limits allow another.
    pub(super) fn visit(&mut self) -> Result<(), Stopped> {
        if self.nodes() >= self.quota || self.is_stopped() {
            return Err(Stopped);
        }
        self.budget.visit()
    }

    /// Whether a limit has been reached, or the observer has said stop, now or before.
    pub(super) fn is_stopped(&mut self) -> bool {
        self.stopped |= self.budget.check().is_err();
        self.stopped
    }

    /// The moves of a node.
    pub(super) fn moves(&self, position: &G, ply: usize) -> Moves<G::Move> {
        if ply == 0 {
            self.root_moves.clone()
        } else {
            position.legal_moves()
        }
    }

    /// The finding of a node without `moves`, where the game is over; `None` if there are any.
    pub(super) fn over(&self, position: &G, moves: &[G::Move], kind: Kind) -> Option<Finding> {
        if !moves.is_empty() {
            return None;
        }
        let value = position.terminal_value();
        let won = match kind {
            Kind::Max => value.is_win(),
            Kind::Min => value.is_loss(),
        };
        Some(if won {
            Finding::proven(0)
        } else {
            Finding::disproven(true)
        })
    }

    /// Plies within which the attacker is known to win, by the rules or the table.
    pub(super) fn win(
        &self,
        table: &ProofTable,
        position: &G,
        question: ProofQuery,
    ) -> Option<u16> {
        if !position.has_legal_move() {
            let over = self.over(position, &[], kind_of(position, question))?;
            return over.numbers.is_proven().then_some(0);
        }
        if position.is_drawn_by_rule() {
            return None;
        }
        table.win(self.key(position, question))
    }

    /// The key of a node: of the root, whose moves may have been chosen, or of a position below it.
    pub(super) fn key_at(&self, ply: usize, position: &G, question: ProofQuery) -> u64 {
        let root_salt = if ply == 0 { self.root_salt } else { 0 };
        self.key(position, question) ^ root_salt
    }

    /// The key of a position below the root for a question about it. It includes the clock if that runs
    /// out within the question's horizon or within [`RULE_DRAW_NEAR`] plies.
    pub(super) fn key(&self, position: &G, question: ProofQuery) -> u64 {
        let mut key = position.key() ^ self.salt ^ question.salt();
        let clock = position.plies_to_rule_draw();
        let horizon = question.horizon.get().map_or(0, usize::from);
        if clock <= horizon.max(RULE_DRAW_NEAR) {
            key ^= (clock as u64 + 1).wrapping_mul(0x9E6C_63D0_876A_68DE);
        }
        key
    }

    /// The likely [`Worker::key`] after a move, computed without playing it.
    pub(super) fn likely_key_after(&self, position: &G, m: G::Move, question: ProofQuery) -> u64 {
        position.likely_key_after(m) ^ self.salt ^ question.salt()
    }

    /// The finding about the position after `m` by the rules, the path and known values; `None` if they do not decide.
    pub(super) fn ruled(
        &mut self,
        question: ProofQuery,
        parent: &G,
        m: G::Move,
        child: &G,
        place: ProofContext,
    ) -> Option<Finding> {
        let attacked = parent.side_to_move() == question.attacker;
        match self.path.repetition(child) {
            Some(Repetition::InGame) => return Some(Finding::disproven(true)),
            Some(Repetition::OnPath(_)) if !question.strict => {
                return Some(Finding::disproven(false));
            }
            _ => {}
        }
        let may_win = attacked && parent.may_win(m);
        if child.is_drawn_by_rule() {
            // Mate on the last move before the draw counts as mate.
            let mated = may_win && !child.has_legal_move() && child.terminal_value().is_loss();
            return Some(if mated {
                Finding::proven(0)
            } else {
                Finding::disproven(true)
            });
        }
        if place.horizon.get() == Some(0) && !may_win {
            return Some(Finding::disproven(true));
        }
        if place.ply >= MAX_PLY {
            return Some(Finding::disproven(false));
        }
        let known = self.evaluator.known_value(child)?;
        let for_attacker = if attacked { -known } else { known };
        (for_attacker <= Value::DRAW).then(|| Finding::disproven(true))
    }

    /// The initial numbers of an unvisited child of a `parent` node.
    pub(super) fn leaf(&self, parent: Kind, place: ProofContext) -> Finding {
        let proof = match parent {
            Kind::Max if self.settings.is_informed => {
                Number::new(QUIET_PROOF + place.replies / REPLIES_TO_ONE)
            }
            _ => Number::ONE,
        };
        Finding::open(Numbers::new(proof, Number::ONE))
    }

    /// The first look at the position after `m`: the numbers of a leaf. If the move may win at once, the replies
    /// are counted, which is a visit: none ends the game, else their number is the proof number (if informed).
    pub(super) fn first_look(
        &mut self,
        question: ProofQuery,
        parent: &G,
        m: G::Move,
        child: &G,
        place: ProofContext,
    ) -> Result<Finding, Stopped> {
        let kind = kind_of(parent, question);
        if kind == Kind::Min || !parent.may_win(m) {
            return Ok(self.leaf(kind, place));
        }
        self.visit()?;
        let replies = child.legal_moves();
        if let Some(over) = self.over(child, &replies, Kind::Min) {
            return Ok(over);
        }
        Ok(if place.horizon.get() == Some(0) {
            Finding::disproven(true)
        } else if !self.settings.is_informed {
            self.leaf(Kind::Max, place)
        } else {
            Finding::open(Numbers::new(Number::new(replies.len() as u32), Number::ONE))
        })
    }
}

/// The kind of node: MAX if the attacker is to move, who needs one child.
pub(super) fn kind_of<G: Game>(position: &G, question: ProofQuery) -> Kind {
    if position.side_to_move() == question.attacker {
        Kind::Max
    } else {
        Kind::Min
    }
}
