//! The interfaces of a game and of an evaluator.
//!
//! Searches are generic over [`Game`] and [`Evaluator`]. The required methods of `Game` are the rules; the others
//! follow from them or are hints for searches, which a game may ignore.

pub(crate) mod ranked;

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt::Debug;

use arrayvec::ArrayVec;

use crate::value::{Value, Window};

/// Capacity of a list of moves. A chess game needs no more than 218; sixteen queens, which can be set up but not
/// obtained, have fewer than 432 moves.
pub const MAX_MOVES: usize = 432;

/// Number of parts of a position in [`Game::part_keys`].
pub const PARTS: usize = 3;

/// A list of moves on the stack.
pub type Moves<M> = ArrayVec<M, MAX_MOVES>;

/// The two sides.
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

    /// The side to move after `plies` moves in turn.
    pub(crate) const fn at_ply(plies: u32) -> Side {
        if plies.is_multiple_of(2) {
            Side::First
        } else {
            Side::Second
        }
    }
}

/// A two-player zero-sum game with perfect information; a value of this type is a position.
pub trait Game: Clone {
    /// A move; small, since nodes and tables store many.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Number of values of [`Game::history_slot`].
    const HISTORY_SLOTS: usize = 1;

    // Rules, required.

    /// A hash of all that determines how the game can go on, but not of the path to the position.
    fn key(&self) -> u64;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// All legal moves, in a fixed order. Empty if and only if the position itself ends the game (mate, stalemate,
    /// three in a row).
    fn legal_moves(&self) -> Moves<Self::Move>;

    /// Plays a legal move.
    fn play(&mut self, m: Self::Move);

    /// The value of a position without legal moves.
    fn terminal_value(&self) -> Value;

    /// A move as 16 bits for tables; never 0.
    fn move_code(m: Self::Move) -> u16;

    // Rules of some games.

    /// Whether the position is drawn by rule although there are legal moves: fifty moves, insufficient material.
    /// Repetitions need the path and are detected elsewhere.
    fn is_drawn_by_rule(&self) -> bool {
        false
    }

    /// Whether a side could win at all, as far as that is seen at once; in chess it needs more than its king.
    fn can_win(&self, _side: Side) -> bool {
        true
    }

    /// Plies until a draw by rule if only reversible moves are played. A value from a table may have been found farther
    /// from that draw.
    fn plies_to_rule_draw(&self) -> usize {
        usize::MAX
    }

    /// Number of latest plies that could be part of a repetition (chess: the halfmove clock).
    fn reversible_plies(&self) -> usize {
        0
    }

    // Derived from the rules; a game may have a faster way.

    /// Whether there is a legal move.
    fn has_legal_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// The value if the game is over here: no legal move, or a draw by rule.
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

    /// The key after a legal move, computed without playing it; wrong for a few moves. Used to prefetch the table entry
    /// while the move is made.
    fn likely_key_after(&self, m: Self::Move) -> u64 {
        self.after(m).key()
    }

    /// The legal move with that code, if any.
    fn move_from_code(&self, code: u16) -> Option<Self::Move> {
        self.legal_moves()
            .into_iter()
            .find(|&m| Self::move_code(m) == code)
    }

    /// Appends the legal moves that are not quiet, in a fixed order, for searches that try these first and may never
    /// need the others.
    fn add_captures(&self, moves: &mut Moves<Self::Move>) {
        let mut all = self.legal_moves();
        all.retain(|m| !self.is_quiet(*m));
        moves.extend(all);
    }

    /// Appends the quiet legal moves, in a fixed order: with [`Game::add_captures`] they are [`Game::legal_moves`].
    fn add_quiets(&self, moves: &mut Moves<Self::Move>) {
        let mut all = self.legal_moves();
        all.retain(|m| self.is_quiet(*m));
        moves.extend(all);
    }

    // Hints for searches; a game may ignore them.

    /// Whether a legal move neither captures nor promotes.
    fn is_quiet(&self, _m: Self::Move) -> bool {
        true
    }

    /// Whether a legal move starts the count to a draw by rule anew.
    fn is_irreversible(&self, _m: Self::Move) -> bool {
        false
    }

    /// Whether the side to move is under a threat it must answer (check).
    fn in_check(&self) -> bool {
        false
    }

    /// Whether a legal move gives check.
    fn gives_check(&self, _m: Self::Move) -> bool {
        false
    }

    /// [`Game::gives_check`] for several moves of the position, with shared work done once.
    fn check_test(&self) -> impl Fn(Self::Move) -> bool {
        |m| self.gives_check(m)
    }

    /// False only if a legal move certainly does not win the game at once.
    fn may_win(&self, _m: Self::Move) -> bool {
        true
    }

    /// Whether a legal move and the exchanges on its target gain at least `threshold` (static exchange evaluation).
    fn exchange_gains(&self, _m: Self::Move, _threshold: Value) -> bool {
        true
    }

    /// A cheap estimate of how promising a capture or promotion is; larger is better.
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
    /// either side's pieces), for corrections learnt while searching; `None` where its value is not to be corrected.
    fn part_keys(&self) -> Option<[u64; PARTS]> {
        None
    }

    /// Whether so few pieces are left that attacks on the king are rare and plans are long.
    fn is_endgame(&self) -> bool {
        false
    }

    /// The position after a null move, for tests of threats; `None` in check and where zugzwang is likely.
    fn pass(&self) -> Option<Self> {
        None
    }
}

/// Counts nodes, and limits them.
pub trait Visits {
    /// The error at the limit: [`Infallible`] without one.
    type Stop;

    /// Counts the next node. After an error it must not be visited.
    fn visit(&mut self) -> Result<(), Self::Stop>;
}

/// Neither counts nor limits nodes.
#[derive(Clone, Copy, Debug)]
pub struct Uncounted;

impl Visits for Uncounted {
    type Stop = Infallible;

    fn visit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Distance within which two thirds of a logistic distribution lie, in widths: the natural logarithm of 5.
const TWO_THIRDS: f32 = 1.609_438;

/// The result of [`Evaluator::evaluate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluated {
    /// The value for the side to move.
    pub value: Value,
    /// Deepest ply below the position that was looked at; 0 if no other position was.
    pub plies: u32,
}

impl From<Value> for Evaluated {
    /// The value of a position without a look at others.
    fn from(value: Value) -> Evaluated {
        Evaluated { value, plies: 0 }
    }
}

/// Evaluates leaves: in chess by quiescence.
pub trait Evaluator<G: Game> {
    /// The value for the side to move: exact inside `window`, a bound on the right side outside (fail-soft). A decided
    /// value is proven.
    ///
    /// Every position visited, this one first, is counted by `visits`; at its limit there is no value. The default is
    /// [`Evaluator::static_value`].
    fn evaluate<V: Visits>(
        &mut self,
        position: &G,
        _window: Window,
        visits: &mut V,
    ) -> Result<Evaluated, V::Stop> {
        visits.visit()?;
        Ok(self.static_value(position).into())
    }

    /// [`Evaluator::evaluate`] outside a search, without counting or limit.
    fn value(&mut self, position: &G, window: Window) -> Value {
        let Ok(evaluated) = self.evaluate(position, window, &mut Uncounted);
        evaluated.value
    }

    /// The proven value of a position (as in an endgame tablebase), which is then terminal. Never called for a search's
    /// root. Counts no node.
    fn known_value(&mut self, _position: &G) -> Option<Value> {
        None
    }

    /// The value without any search, for margins and pruning. Counts no node.
    fn static_value(&mut self, position: &G) -> Value;

    /// Expected difference from a search's value, in centipawns: the width of a logistic distribution. `None` if the
    /// evaluator cannot tell. Counts no node.
    fn width(&mut self, _position: &G) -> Option<f32> {
        None
    }

    /// [`Evaluator::width`] for display, in centipawns: two errors in three are smaller.
    fn give_or_take(&mut self, position: &G) -> Option<u32> {
        let width = self.width(position)?;
        Some((width * TWO_THIRDS).round() as u32)
    }

    /// The grain of the values, in centipawns: every estimate is a multiple of it. A search need not ask for values
    /// between.
    fn grain(&self) -> i32 {
        1
    }
}

/// Evaluates every position as a draw until the game is over.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutcomesOnly;

impl<G: Game> Evaluator<G> for OutcomesOnly {
    fn static_value(&mut self, position: &G) -> Value {
        position.outcome().unwrap_or(Value::DRAW)
    }
}

/// A position with the keys of the game's earlier positions, oldest first: the start of a search.
#[derive(Clone, Debug)]
pub struct Root<G> {
    /// The position to search.
    pub position: G,
    /// Keys of the game's earlier positions.
    pub history: Vec<u64>,
}

impl<G: Game> Root<G> {
    /// A root without earlier positions.
    pub fn new(position: G) -> Root<G> {
        Root {
            position,
            history: Vec::new(),
        }
    }

    /// The keys of the game's earlier positions for the detection of repetitions: by the rules the third occurrence is
    /// a draw, so positions that stood only once are replaced by a key that no position has.
    pub fn repeatable(&self) -> Vec<u64> {
        let twice = self.stood_twice(self.history.len());
        let key = |&key| if twice.contains(&key) { key } else { !key };
        self.history.iter().map(key).collect()
    }

    /// The keys that occur more than once among those of the last `plies` earlier positions.
    pub(crate) fn stood_twice(&self, plies: usize) -> HashSet<u64> {
        let from = self.history.len().saturating_sub(plies);
        let mut seen = HashSet::new();
        let keys = self.history[from..].iter().copied();
        keys.filter(|&key| !seen.insert(key)).collect()
    }

    /// Plays a legal move and adds the position left to the history.
    pub fn play(&mut self, m: G::Move) {
        self.history.push(self.position.key());
        self.position.play(m);
    }
}

/// The latest index of `key` among the last `reversible_plies` keys of `path`, which is oldest first and without the
/// current position.
#[inline]
pub fn last_repetition(path: &[u64], key: u64, reversible_plies: usize) -> Option<usize> {
    let from = path.len().saturating_sub(reversible_plies);
    let index = path[from..].iter().rposition(|&before| before == key)?;
    Some(from + index)
}

/// Whether [`last_repetition`] finds an index.
///
/// The papers make any repeated position terminal; a search takes the first repetition for the whole cycle.
pub fn is_repetition(path: &[u64], key: u64, reversible_plies: usize) -> bool {
    last_repetition(path, key, reversible_plies).is_some()
}
