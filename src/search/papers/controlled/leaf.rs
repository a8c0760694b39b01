//! Small alpha-beta searches at leaves, without a table.

use super::run::ControlledRun;
use crate::game::{Evaluator, Game};
use crate::search::kit::arena::NodeId;
use crate::search::kit::budget::Stopped;
use crate::search::kit::planted::FirstLook;
use crate::search::kit::sorting::sort_by_key;
use crate::value::{Value, Window};

impl<G: Game, E: Evaluator<G>> ControlledRun<'_, G, E> {
    /// Searches a leaf to the depth of the iteration, at least one ply; the path must hold the positions before it.
    pub(super) fn search_leaf(&mut self, id: NodeId, position: &G) -> Result<(), Stopped> {
        let (depth, ply) = (self.depth, usize::from(self.planted.tree.node(id).ply));
        let mut look = self.planted.look(position, ply)?;
        if !look.is_final {
            let value = self.below(position, Window::FULL, depth, ply)?;
            look = FirstLook::estimated(value);
        }
        let node = self.planted.tree.node_mut(id);
        (node.value, node.is_final, node.depth) = (look.value, look.is_final, depth);
        node.met = None;
        Ok(())
    }

    /// The value of a position that is not terminal, exact in the window. A stop ends the whole search, so it need not
    /// restore the path.
    fn below(
        &mut self,
        position: &G,
        window: Window,
        depth: u8,
        ply: usize,
    ) -> Result<Value, Stopped> {
        self.planted.path.push(position.key());
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
        self.planted.path.pop();
        Ok(best)
    }
}
