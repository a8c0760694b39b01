//! Small alpha-beta searches at leaves, without a table.

use super::run::Run;
use crate::game::{Evaluator, Game};
use crate::search::kit::budget::Stopped;
use crate::search::kit::sorting::sort_by_key;
use crate::search::papers::planted::FirstLook;
use crate::value::{Value, Window};

impl<G: Game, E: Evaluator<G>> Run<'_, G, E> {
    /// The value of a position searched `depth` plies deep; the path must hold the positions before it.
    pub(super) fn value_to_depth(
        &mut self,
        position: &G,
        depth: u8,
        ply: usize,
    ) -> Result<FirstLook, Stopped> {
        let look = self.planted.look(position, ply)?;
        if look.is_final || depth == 0 {
            return Ok(look);
        }
        let value = self.below(position, Window::FULL, depth, ply)?;
        Ok(FirstLook::estimated(value))
    }

    /// The value of a position that is not terminal, exact in the window.
    fn below(
        &mut self,
        position: &G,
        window: Window,
        depth: u8,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let before = self.planted.path.len();
        self.planted.path.push(position.key());
        let result = self.moves_below(position, window, depth, ply);
        self.planted.path.truncate(before);
        result
    }

    fn moves_below(
        &mut self,
        position: &G,
        window: Window,
        depth: u8,
        ply: usize,
    ) -> Result<Value, Stopped> {
        let mut looks = Vec::new();
        for m in position.legal_moves() {
            let child = position.after(m);
            let look = self.planted.look(&child, ply + 1)?;
            looks.push((look, child));
        }
        sort_by_key(&mut looks, |(look, _)| look.value);
        let (mut best, mut alpha) = (-Value::INFINITY, window.alpha);
        for (look, child) in looks {
            let value = if look.is_final || depth <= 1 {
                look.value
            } else {
                let of_child = Window::new(alpha, window.beta).to_child();
                self.below(&child, of_child, depth - 1, ply + 1)?
            };
            best = best.max(value.from_child());
            alpha = alpha.max(best);
            if alpha >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}
