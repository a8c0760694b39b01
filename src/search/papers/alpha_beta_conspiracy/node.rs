//! One position: alpha-beta, with two credits in place of a depth.

use super::credit::Credits;
use crate::game::{Evaluated, Evaluator, Game};
use crate::search::Bound;
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::path::{Path, Repetition};
use crate::search::kit::planted::FirstLook;
use crate::search::kit::sorting::sort_by_key;
use crate::search::kit::transposition_table::{Entry, Open};
use crate::value::{Value, Window};

/// Ply from which on nothing is expanded.
const MAX_PLY: usize = 200;

/// Key parts that separate kinds of entries in the table.
const STATIC_VALUES: u64 = 0x9E6C_63D0_876A_46D5;
const VALUES: u64 = 0xD1B5_4A32_D192_ED03;

/// A value and the line that leads to it.
pub(super) type ValueAndLine<M> = (Value, Vec<M>);

/// A move with the first look at its position.
pub(super) struct ProbedMove<G: Game> {
    pub(super) m: G::Move,
    pub(super) position: G,
    pub(super) look: FirstLook,
}

/// One search under way.
pub(super) struct Worker<'a, G: Game, E> {
    pub(super) evaluator: &'a mut E,
    pub(super) table: Open<'a>,
    pub(super) budget: Budget<'a, G::Move>,
    pub(super) path: Path,
    pub(super) margin: i32,
    pub(super) seldepth: usize,
    /// Lowest ply that a repetition has led back to since the last reset; `usize::MAX` if there was none.
    pub(super) oldest_repetition: usize,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The value of a position that has had its first look, exact inside the window, and its line.
    pub(super) fn node(
        &mut self,
        position: &G,
        look: FirstLook,
        window: Window,
        credits: Credits,
        ply: usize,
    ) -> Result<ValueAndLine<G::Move>, Stopped> {
        self.budget.check()?;
        if look.is_final || ply >= MAX_PLY || is_enough(look.value, window, credits) {
            return Ok((look.value, Vec::new()));
        }
        let key = position.key();
        let of_credits = key ^ credits.code().wrapping_mul(VALUES) ^ VALUES;
        if position.plies_to_rule_draw() > credits.plies()
            && let Some(entry) = self.table.probe(of_credits)
            && answers(entry, window)
        {
            let line = position.move_from_code(entry.code).into_iter().collect();
            return Ok((entry.value, line));
        }
        self.budget.visit()?;
        let outer = std::mem::replace(&mut self.oldest_repetition, usize::MAX);
        self.path.push(key);
        let result = self.children(position, window, credits, ply);
        self.path.pop();
        let below = std::mem::replace(&mut self.oldest_repetition, outer);
        self.oldest_repetition = outer.min(below);
        let (value, line) = result?;
        let code = line.first().map_or(0, |&m| G::move_code(m));
        // A value that rests on a repetition of a position above holds on this path only.
        if below >= ply {
            let entry = Entry {
                code,
                value,
                bound: Bound::of(value, window),
                depth: u8::try_from(credits.plies()).unwrap_or(u8::MAX),
                static_value: look.value,
            };
            self.table.store(of_credits, entry);
        }
        if code != 0 {
            let best = Entry::without_value(code, look.value);
            self.table.store(key, best);
        }
        Ok((value, line))
    }

    /// The value and line of a position by alpha-beta over its moves.
    fn children(
        &mut self,
        position: &G,
        window: Window,
        credits: Credits,
        ply: usize,
    ) -> Result<ValueAndLine<G::Move>, Stopped> {
        let moves = position.legal_moves();
        let known = self.table.probe(position.key()).map(|entry| entry.code);
        let mut candidates = self.look_at_all(position, &moves, ply)?;
        // The table move first, then by value.
        sort_by_key(&mut candidates, |it| {
            (Some(G::move_code(it.m)) != known, it.look.value)
        });
        let after = credits.after_move(self.alternatives(&candidates));
        let (mut best, mut alpha) = ((-Value::INFINITY, Vec::new()), window.alpha);
        for candidate in &candidates {
            let of_child = Window::new(alpha, window.beta).to_child();
            let (value, line) = self.node(
                &candidate.position,
                candidate.look,
                of_child,
                after,
                ply + 1,
            )?;
            let value = value.from_child();
            if value > best.0 {
                best = (value, [vec![candidate.m], line].concat());
            }
            alpha = alpha.max(value);
            if alpha >= window.beta {
                break;
            }
        }
        Ok(best)
    }

    /// Number of moves within the margin of the best, by the first look.
    pub(super) fn alternatives(&self, candidates: &[ProbedMove<G>]) -> usize {
        let values = || candidates.iter().map(|it| it.look.value.from_child());
        let best = values().max().unwrap_or(-Value::INFINITY);
        let least = best.offset(-self.margin);
        values().filter(|&value| value >= least).count()
    }

    /// The moves, each with the first look at the position after it. The path must end with the key of `position`.
    pub(super) fn look_at_all(
        &mut self,
        position: &G,
        moves: &[G::Move],
        ply: usize,
    ) -> Result<Vec<ProbedMove<G>>, Stopped> {
        let mut candidates = Vec::with_capacity(moves.len());
        for &m in moves {
            let position = position.after(m);
            let look = self.look(&position, ply + 1)?;
            candidates.push(ProbedMove { m, position, look });
        }
        Ok(candidates)
    }

    /// The first look at a position below the root; the path must hold the keys of the positions before it.
    pub(super) fn look(&mut self, position: &G, ply: usize) -> Result<FirstLook, Stopped> {
        self.budget.check()?;
        self.seldepth = self.seldepth.max(ply);
        let known = |value| Ok(FirstLook::known(value));
        if let Some(value) = position.outcome() {
            return known(value);
        }
        if let Some(repetition) = self.path.repetition(position) {
            let first = match repetition {
                // A draw in this game only: values that rest on it are not stored.
                Repetition::InGame => 0,
                Repetition::OnPath(first) => first,
            };
            self.oldest_repetition = self.oldest_repetition.min(first);
            return known(Value::DRAW);
        }
        if let Some(value) = self.evaluator.known_value(position) {
            return known(value);
        }
        let key = position.key() ^ STATIC_VALUES;
        // A mate after the draw by rule does not count.
        let in_time = |value: &Value| value.ends_within(position.plies_to_rule_draw());
        let stored = self.table.probe(key).map(|entry| entry.value);
        let value = match stored.filter(in_time) {
            Some(value) => value,
            None => {
                let window = Window::FULL;
                let Evaluated { value, plies } =
                    self.evaluator
                        .evaluate(position, window, &mut self.budget)?;
                self.seldepth = self.seldepth.max(ply + plies as usize);
                let entry = Entry {
                    code: 0,
                    value,
                    bound: Bound::Exact,
                    depth: 0,
                    static_value: value,
                };
                self.table.store(key, entry);
                value
            }
        };
        Ok(FirstLook::estimated(value))
    }
}

/// Whether the credit of the strategy that a position belongs to is used up: the mover's if `value`, that of the
/// first look, is at least beta; the opponent's if it is at most alpha; both credits if it is inside
/// the window.
fn is_enough(value: Value, window: Window, credits: Credits) -> bool {
    let own_is_used = credits.own <= 0 || value <= window.alpha;
    let others_is_used = credits.others <= 0 || value >= window.beta;
    own_is_used && others_is_used
}

/// Whether an entry gives a cutoff in the window. A win or loss inside the window is searched
/// again, for its line.
fn answers(entry: Entry, window: Window) -> bool {
    match entry.bound {
        Bound::Exact if entry.value <= window.alpha || entry.value >= window.beta => true,
        Bound::Exact => !entry.value.is_decided(),
        Bound::Lower => entry.value >= window.beta,
        Bound::Upper => entry.value <= window.alpha,
    }
}
