//! What a search needs of a game, and of an evaluator.
//!
//! Searches are generic over [`Game`] and [`Evaluator`]. The methods of `Game` that must be given are the rules; what
//! follows from them and hints for searches come after them, and a game may have no use for these.

pub(crate) mod ranked;

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt::Debug;

use arrayvec::ArrayVec;

use crate::value::{Value, Window};

/// Room in a list of moves. Chess needs no more than 218 in a game; sixteen queens, which nobody gets but
/// anybody can set up, have fewer than 432.
pub const MAX_MOVES: usize = 432;

/// How many parts of a position [`Game::part_keys`] tells apart.
pub const PARTS: usize = 3;

/// A list of moves that lives on the stack.
pub type Moves<M> = ArrayVec<M, MAX_MOVES>;

/// The two sides. `First` is the one a root's maximiser is compared with when numbers are printed
/// for people (White in chess).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Side {
    /// White in chess, X in tic-tac-toe.
    First,
    /// Black in chess, O in tic-tac-toe.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// A two-player zero-sum game with perfect information; the value itself is one position of it.
pub trait Game: Clone {
    /// A move; small, since tree nodes and tables hold many.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Number of values [`Game::history_slot`] can take.
    const HISTORY_SLOTS: usize = 1;

    // Rules, which must be given.

    /// A hash of everything that decides how the game can go on (not of the path to it).
    fn key(&self) -> u64;

    /// Who moves.
    fn side_to_move(&self) -> Side;

    /// All legal moves, in a fixed order. Empty if and only if the game is over by the position
    /// itself (mate, stalemate, three in a row).
    fn legal_moves(&self) -> Moves<Self::Move>;

    /// Plays a legal move.
    fn play(&mut self, m: Self::Move);

    /// The value of a position without legal moves.
    fn terminal_value(&self) -> Value;

    /// A move as 16 bits for tables; never 0.
    fn move_code(m: Self::Move) -> u16;

    // Rules of some games.

    /// Whether the rules call the position drawn although there are legal moves: fifty moves,
    /// insufficient material. Repetition is the business of whoever knows the path.
    fn is_drawn_by_rule(&self) -> bool {
        false
    }

    /// Plies until the rules call the position drawn if nothing irreversible is played meanwhile. A
    /// value from a table may have been found farther from that end.
    fn plies_to_rule_draw(&self) -> usize {
        usize::MAX
    }

    /// How many of the last plies could be part of a repetition (chess: the halfmove clock).
    fn reversible_plies(&self) -> usize {
        0
    }

    // What follows from the rules; a game may know a quicker way.

    /// Whether there is a legal move at all.
    fn has_legal_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// The value of the game where it is over here: no legal move, or drawn by rule.
    fn outcome(&self) -> Option<Value> {
        if !self.has_legal_move() {
            Some(self.terminal_value())
        } else if self.is_drawn_by_rule() {
            Some(Value::DRAW)
        } else {
            None
        }
    }

    /// The position after a legal move.
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(m);
        next
    }

    /// The key after a legal move as far as it can be told without playing it: right for most moves. A
    /// table is far from the processor, and what it knows can be on its way while the move is made.
    fn likely_key_after(&self, m: Self::Move) -> u64 {
        self.after(m).key()
    }

    /// The legal move with that code, if it is one here.
    fn move_from_code(&self, code: u16) -> Option<Self::Move> {
        self.legal_moves()
            .into_iter()
            .find(|&m| Self::move_code(m) == code)
    }

    /// Appends the legal moves that are not quiet, in a fixed order: a search that tries these first may never
    /// need the others.
    fn add_captures(&self, moves: &mut Moves<Self::Move>) {
        let mut all = self.legal_moves();
        all.retain(|m| !self.is_quiet(*m));
        moves.extend(all);
    }

    /// Appends the legal moves that are quiet, in a fixed order: these and [`Game::add_captures`] together are
    /// [`Game::legal_moves`].
    fn add_quiets(&self, moves: &mut Moves<Self::Move>) {
        let mut all = self.legal_moves();
        all.retain(|m| self.is_quiet(*m));
        moves.extend(all);
    }

    // Hints: what helps a search. A game may have no use for them.

    /// Whether a legal move neither captures nor promotes.
    fn is_quiet(&self, _m: Self::Move) -> bool {
        true
    }

    /// Whether the side to move is under a threat it must answer (check).
    fn in_check(&self) -> bool {
        false
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, _m: Self::Move) -> bool {
        false
    }

    /// [`Game::gives_check`] for several moves of the position, with what they share worked out once.
    fn check_test(&self) -> impl Fn(Self::Move) -> bool {
        |m| self.gives_check(m)
    }

    /// Whether a legal move may win the game at once; if not, it certainly does not.
    fn may_win(&self, _m: Self::Move) -> bool {
        true
    }

    /// Whether the exchanges on the target square that a legal move starts gain at least
    /// `threshold` (static exchange evaluation).
    fn exchange_gains(&self, _m: Self::Move, _threshold: Value) -> bool {
        true
    }

    /// A cheap guess of how promising a capture or promotion is; larger is better.
    fn capture_order(&self, _m: Self::Move) -> i32 {
        0
    }

    /// A cheap guess of how promising a move is where nothing else tells moves apart (same tactical
    /// value): positional sense in a few instructions, in centipawns.
    fn preference(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Index into a table of move statistics, below [`Game::HISTORY_SLOTS`].
    fn history_slot(&self, _m: Self::Move) -> usize {
        0
    }

    /// Hashes of parts of the position that an evaluator may misjudge wherever they occur (chess: the pawns,
    /// either side's pieces), for corrections learnt while searching; `None` where it knows better than they do.
    fn part_keys(&self) -> Option<[u64; PARTS]> {
        None
    }

    /// Whether so few pieces are left that attacks on the king are rare and plans are long.
    fn is_endgame(&self) -> bool {
        false
    }

    /// The position with the move handed to the opponent, where that makes sense as a threat test
    /// (null move): not in check, and not where being obliged to move is likely to hurt.
    fn pass(&self) -> Option<Self> {
        None
    }
}

/// Counts positions as they are visited, and says when there may be no more.
pub trait Visits {
    /// What ends the work: [`Infallible`] where nothing does.
    type Stop;

    /// Another position is about to be visited. An error means that it must not be.
    fn visit(&mut self) -> Result<(), Self::Stop>;
}

/// Visits that nobody counts and nothing ends.
#[derive(Clone, Copy, Debug)]
pub struct Uncounted;

impl Visits for Uncounted {
    type Stop = Infallible;

    fn visit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Two errors in three are within so many widths of a logistic distribution: the natural logarithm of 5.
const TWO_THIRDS: f32 = 1.609_438;

/// Gives positions their static value: for chess a quiescence search.
pub trait Evaluator<G: Game> {
    /// The value for the side to move, exact inside `window`, a bound on the right side outside
    /// it (fail-soft). A decided value is proven, not guessed.
    ///
    /// Every position looked at, this one first, is a visit of `visits`; once that says stop there
    /// is no value.
    fn evaluate<V: Visits>(
        &mut self,
        position: &G,
        window: Window,
        visits: &mut V,
    ) -> Result<Value, V::Stop>;

    /// [`Evaluator::evaluate`] outside a search: nobody counts, and nothing stops it.
    fn value(&mut self, position: &G, window: Window) -> Value {
        let Ok(value) = self.evaluate(position, window, &mut Uncounted);
        value
    }

    /// The value of a position, other than a search's root, that is known for good without search
    /// (an endgame tablebase's): the position is terminal. Counts no node.
    fn known_value(&mut self, _position: &G) -> Option<Value> {
        None
    }

    /// The value without any look ahead, for margins and pruning. Counts no node.
    fn static_value(&mut self, position: &G) -> Value;

    /// How far the value of a position may be from what a search would say, in centipawns: the width of a
    /// logistic distribution. `None` where the evaluator does not know. Counts no node.
    fn width(&mut self, _position: &G) -> Option<f32> {
        None
    }

    /// [`Evaluator::width`] for people, in centipawns: two errors in three are smaller.
    fn give_or_take(&mut self, position: &G) -> Option<u32> {
        let width = self.width(position)?;
        Some((width * TWO_THIRDS).round() as u32)
    }

    /// The grain of the values: every estimate is a multiple of this many centipawns. A search need
    /// not ask about values between.
    fn grain(&self) -> i32 {
        1
    }

    /// Deepest ply below an evaluated position reached since the last call.
    fn take_max_ply(&mut self) -> u32 {
        0
    }
}

/// An evaluator without an opinion: a draw as long as the game goes on.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutcomesOnly;

impl<G: Game> Evaluator<G> for OutcomesOnly {
    fn evaluate<V: Visits>(
        &mut self,
        position: &G,
        _window: Window,
        visits: &mut V,
    ) -> Result<Value, V::Stop> {
        visits.visit()?;
        Ok(position.outcome().unwrap_or(Value::DRAW))
    }

    fn static_value(&mut self, position: &G) -> Value {
        position.outcome().unwrap_or(Value::DRAW)
    }
}

/// A position together with the keys of the positions that led to it, oldest first and without the
/// position itself: what a search starts from.
#[derive(Clone, Debug)]
pub struct Root<G> {
    /// The position to search.
    pub position: G,
    /// Keys of the game's earlier positions.
    pub history: Vec<u64>,
}

impl<G: Game> Root<G> {
    /// A root without a past.
    pub fn new(position: G) -> Root<G> {
        Root {
            position,
            history: Vec::new(),
        }
    }

    /// The keys of the game's earlier positions as a search may meet them again: by the rules a position is drawn the
    /// third time, so one that stood only once has a key here that no position has.
    pub fn repeatable(&self) -> Vec<u64> {
        let mut seen = HashSet::new();
        let twice: HashSet<u64> = self
            .history
            .iter()
            .copied()
            .filter(|&key| !seen.insert(key))
            .collect();
        let key = |&key| if twice.contains(&key) { key } else { !key };
        self.history.iter().map(key).collect()
    }

    /// Plays a legal move, remembering the position it leaves.
    pub fn play(&mut self, m: G::Move) {
        self.history.push(self.position.key());
        self.position.play(m);
    }
}

/// Where a position with `key` stands among the last `reversible_plies` keys of `path` (oldest first,
/// the position itself not included): the latest place, as an index of `path`.
#[inline]
pub fn last_repetition(path: &[u64], key: u64, reversible_plies: usize) -> Option<usize> {
    let from = path.len().saturating_sub(reversible_plies);
    let index = path[from..].iter().rposition(|&before| before == key)?;
    Some(from + index)
}

/// Whether [`last_repetition`] finds one.
///
/// The papers make any position "that stood before" terminal; a search takes the first repetition
/// for the whole cycle.
pub fn is_repetition(path: &[u64], key: u64, reversible_plies: usize) -> bool {
    last_repetition(path, key, reversible_plies).is_some()
}
