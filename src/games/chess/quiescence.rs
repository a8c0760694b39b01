//! The static value of a position (thesis, section 5.2.1): alpha-beta over captures and promotions to any depth, with
//! an [`Evaluation`] at the end: the thesis's, which counts material, or a network.
//!
//! With the thesis's evaluation the first ply has checking moves too, and moves that lose material by static exchange
//! evaluation are left out, captures and checks alike. With a network only moves that win material are tried: the
//! network sees most of what an equal exchange changes, and a search finds more with the positions saved. A side in
//! check may not stand pat, and all its moves are tried. That makes decided values proofs: the winner needs only some
//! of its moves, and all answers of the loser are tried.
//!
//! One evaluation looks at a bounded number of positions. No position of a game comes near the bound, so values are
//! exact there; on boards full of queens, positions beyond the bound have the value of the [`Evaluation`].

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::exchange::gain;
use super::material::PAWN;
use super::network::{Learnt, Network};
use super::tablebase::{TablebaseResult, Tables};
use super::{Move, Position};
use crate::game::ranked::Ranked;
use crate::game::{Evaluated, Evaluator, Game, Moves, Visits};
use crate::value::{Value, Window};

/// Most pieces on a board on which a capture may leave too little material to win: the draw may then be worth more than
/// the material.
const ENDING_PIECES: usize = 5;

/// Most positions that one evaluation looks into; those beyond get the value of the [`Evaluation`].
const MOST_POSITIONS: u32 = 100_000;

/// Depth limit in plies below the evaluated position: answers to checks may give check themselves without end.
const MAX_PLY: u32 = 128;

/// The evaluation of positions at the end of captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluation {
    /// A network learnt from games: see [`super::network`].
    #[default]
    Network,
    /// Material in whole pawns: the thesis's.
    Tactical,
}

names!(Evaluation {
    Network = "network",
    Tactical = "tactical",
});

/// The quiescence evaluator.
#[derive(Clone, Debug)]
pub struct Quiescence {
    /// The network; `None` for material alone.
    network: Option<Box<Learnt>>,
    tables: Tables,
    /// Deepest ply of the evaluation under way.
    max_ply: u32,
    /// Positions that the evaluation under way may still look into.
    left: u32,
}

impl Default for Quiescence {
    fn default() -> Quiescence {
        Quiescence::tactical()
    }
}

impl Quiescence {
    /// An evaluator with this evaluation at the end of captures.
    pub fn new(evaluation: Evaluation) -> Quiescence {
        match evaluation {
            Evaluation::Network => Quiescence::learnt(Network::embedded()),
            Evaluation::Tactical => Quiescence::tactical(),
        }
    }

    /// An evaluator on the tactical scale of the thesis: material alone.
    pub fn tactical() -> Quiescence {
        Quiescence {
            network: None,
            tables: Tables::default(),
            max_ply: 0,
            left: 0,
        }
    }

    /// An evaluator on a scale of centipawns that a network has learnt.
    pub fn learnt(network: Arc<Network>) -> Quiescence {
        Quiescence {
            network: Some(Box::new(Learnt::new(network))),
            ..Quiescence::tactical()
        }
    }

    /// This evaluator with tables that know some positions' values.
    pub fn with_tables(self, tables: Tables) -> Quiescence {
        Quiescence { tables, ..self }
    }

    fn search<V: Visits>(
        &mut self,
        position: &Position,
        window: Window,
        ply: u32,
        visits: &mut V,
    ) -> Result<Value, V::Stop> {
        visits.visit()?;
        self.max_ply = self.max_ply.max(ply);
        if self.left == 0 || ply >= MAX_PLY {
            // An estimate, in check too: it proves nothing.
            return Ok(self.static_value(position));
        }
        self.left -= 1;
        if position.in_check() {
            self.evade(position, window, ply, visits)
        } else {
            self.stand_pat_or_capture(position, window, ply, visits)
        }
    }

    /// The value of the position after `m`, for the side that plays it.
    fn value_of_move<V: Visits>(
        &mut self,
        position: &Position,
        m: Move,
        window: Window,
        ply: u32,
        visits: &mut V,
    ) -> Result<Value, V::Stop> {
        let next = position.after(m);
        let value = self.search(&next, window.to_child(), ply + 1, visits)?;
        Ok(value.from_child())
    }

    /// The value in check: tries every legal move; a proven loss if there is none.
    fn evade<V: Visits>(
        &mut self,
        position: &Position,
        window: Window,
        ply: u32,
        visits: &mut V,
    ) -> Result<Value, V::Stop> {
        if position.plies_to_rule_draw() == 0 && position.has_legal_move() {
            return Ok(Value::DRAW);
        }
        let mut moves = CapturesFirst::new();
        moves.begin(position);
        let mut best = None;
        while let Some(m) = moves.next(|others| position.add_quiet_moves(others)) {
            let alpha = best.map_or(window.alpha, |best| window.alpha.max(best));
            let narrowed = Window::new(alpha, window.beta);
            let value = self.value_of_move(position, m, narrowed, ply, visits)?;
            best = best.max(Some(value));
            if best >= Some(window.beta) {
                break;
            }
        }
        Ok(best.unwrap_or(Value::LOSS))
    }

    /// An upper bound on the [`Evaluation`]'s value for the mover after a capture or promotion, if there is one. Unless
    /// the move gives check, it bounds the quiescence value too: an opponent not in check can stand pat.
    fn most_after(&self, position: &Position, m: Move) -> Option<Value> {
        // A network's value of a position does not bound its value of the next one, and a capture in an ending may leave
        // too little to win.
        let is_bounded = self.network.is_none() && position.occupied().count() > ENDING_PIECES;
        is_bounded.then(|| Value::centipawns(position.material() + gain(m)))
    }

    fn stand_pat_or_capture<V: Visits>(
        &mut self,
        position: &Position,
        window: Window,
        ply: u32,
        visits: &mut V,
    ) -> Result<Value, V::Stop> {
        if position.is_drawn_by_rule() || ply == 0 && !position.has_legal_move() {
            return Ok(Value::DRAW);
        }
        let mut best = self.static_value(position);
        if best >= window.beta {
            return Ok(best);
        }
        // With material alone, equal exchanges are tried too, and quiet checks at the first ply.
        let with_checks = ply == 0 && self.network.is_none();
        let least_gain = i32::from(self.network.is_some());
        let mut moves = CapturesFirst::new();
        moves.begin(position);
        while let Some(m) = moves.next(|others| {
            if with_checks {
                position.add_quiet_checks(others);
            }
        }) {
            let alpha = window.alpha.max(best);
            // A move that cannot bring the value above alpha need not be played.
            if !m.is_quiet()
                && let Some(most) = self.most_after(position, m)
                && most <= alpha
                && !position.is_checking(m)
            {
                best = best.max(most);
                continue;
            }
            // A move whose exchange wins too little is rarely good otherwise, and such moves cost most of the time.
            if !position.exchange_reaches(m, least_gain) {
                continue;
            }
            let narrowed = Window::new(alpha, window.beta);
            best = best.max(self.value_of_move(position, m, narrowed, ply, visits)?);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}

/// The moves of a position: captures and promotions, the best first, then others in the order of their generation.
struct CapturesFirst {
    captures: Ranked<Move>,
    others: Moves<Move>,
    /// Number of the others returned so far; `None` before they are generated.
    given: Option<usize>,
}

impl CapturesFirst {
    /// No moves: the lists are too long to be copied, so [`CapturesFirst::begin`] fills them in place.
    #[inline(always)]
    fn new() -> CapturesFirst {
        CapturesFirst {
            captures: Ranked::new(),
            others: Moves::new(),
            given: None,
        }
    }

    /// Generates the captures.
    #[inline]
    fn begin(&mut self, position: &Position) {
        position.add_capture_moves(self.captures.refill());
        self.captures.rank(None, |m| position.capture_order(m));
    }

    /// The next move; `add` generates those after the captures.
    fn next(&mut self, add: impl FnOnce(&mut Moves<Move>)) -> Option<Move> {
        if let Some(m) = self.captures.take_best() {
            return Some(m);
        }
        let given = self.given.get_or_insert_with(|| {
            add(&mut self.others);
            0
        });
        let m = self.others.get(*given).copied();
        *given += 1;
        m
    }
}

impl Evaluator<Position> for Quiescence {
    fn evaluate<V: Visits>(
        &mut self,
        position: &Position,
        window: Window,
        visits: &mut V,
    ) -> Result<Evaluated, V::Stop> {
        self.left = MOST_POSITIONS;
        self.max_ply = 0;
        let value = self.search(position, window, 0, visits)?;
        let plies = self.max_ply;
        Ok(Evaluated { value, plies })
    }

    #[inline]
    fn known_value(&mut self, position: &Position) -> Option<Value> {
        self.tables.verdict(position).map(TablebaseResult::value)
    }

    fn static_value(&mut self, position: &Position) -> Value {
        Value::centipawns(match &mut self.network {
            Some(network) => network.value(position),
            None => position.material(),
        })
    }

    fn width(&mut self, position: &Position) -> Option<f32> {
        self.network.as_mut()?.width(position)
    }

    fn grain(&self) -> i32 {
        if self.network.is_some() { 1 } else { PAWN }
    }
}
