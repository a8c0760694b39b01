//! One search: iterations of growing doubt on the same tree.

use super::belief::{Belief, Doubt};
use super::guide::{self, Aim, Tree};
use super::{Guide, Settings};
use crate::game::{Evaluator, Game, Root, Visits};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::memory::bytes;
use crate::search::kit::path::Path;
use crate::search::kit::sorting::sort_by_key;
use crate::search::papers::arena::{NodeId, ROOT};
use crate::search::papers::planted::{News, first_look, unlooked_at};
use crate::search::{Limits, Observer, Occasion, Report};
use crate::value::Value;

/// The last iteration: in it every leaf may turn out anything, but for those farther below the root than the doubt
/// reaches.
const LAST: u32 = 60;

/// A search under way.
pub(super) struct Run<'a, G: Game, E> {
    settings: Settings,
    budget: Budget<'a, G::Move>,
    evaluator: &'a mut E,
    root: &'a Root<G>,
    path: Path,
    tree: Tree<G::Move>,
    doubt: Doubt,
    news: News<G>,
}

impl<'a, G: Game, E: Evaluator<G>> Run<'a, G, E> {
    /// A search about to begin; if there is nothing to search, the report that says so.
    pub(super) fn new(
        settings: Settings,
        root: &'a Root<G>,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
        evaluator: &'a mut E,
    ) -> Result<Self, Report<G::Move>> {
        let root_moves = limits.root_moves(&root.position);
        let Some(&placeholder) = root_moves.first() else {
            let value = root.position.terminal_value();
            let report = Report::before_search(value, Vec::new());
            observer.report(&report);
            return Err(report);
        };
        // What an earlier search left unread is not this one's.
        evaluator.take_max_ply();
        let doubt = Doubt {
            iteration: 1,
            grain: evaluator.grain(),
            separator: Value::DRAW,
        };
        let value = evaluator.static_value(&root.position);
        let width = width(evaluator, &root.position, settings);
        let belief = Belief::leaf(value, width, 0, doubt);
        Ok(Run {
            settings,
            budget: Budget::new(limits, observer),
            evaluator,
            root,
            path: Path::to_root(root),
            tree: Tree::new(bytes(settings.hash_megabytes), placeholder, belief),
            doubt,
            news: News::new(&root.position, root_moves),
        })
    }

    /// Searches until something ends it; returns the final report.
    pub(super) fn finish(mut self) -> Report<G::Move> {
        // Stopped or not, what has been found so far is the answer.
        let _: Result<(), Stopped> = self.deepen();
        self.tell(Occasion::Final)
    }

    /// The tree it grows, and the separator.
    #[cfg(test)]
    pub(super) fn grown(mut self) -> (Tree<G::Move>, Value) {
        let _: Result<(), Stopped> = self.deepen();
        (self.tree, self.doubt.separator)
    }

    fn deepen(&mut self) -> Result<(), Stopped> {
        let last = self.budget.limits.iterations.unwrap_or(LAST).min(LAST);
        self.grow(&[ROOT])?;
        for iteration in 1..=last {
            self.doubt.iteration = iteration;
            self.doubt_everything();
            while !self.is_settled() {
                self.step()?;
            }
            self.news.completed = iteration;
            let report = self.tell(Occasion::Iteration);
            if self.is_decided() || !self.budget.wants_another_iteration(&report) {
                break;
            }
        }
        Ok(())
    }

    /// Whether the iteration is over: one move is proven best, and its value is known as well as the
    /// evaluator knows values.
    fn is_settled(&self) -> bool {
        guide::is_separated(&self.tree) && !self.is_loose()
    }

    /// Whether the root's bounds are farther apart than the evaluator's doubt of the root.
    fn is_loose(&self) -> bool {
        let root = self.tree.get(ROOT);
        let apart = i32::from(root.high.get()) - i32::from(root.low.get());
        apart >= i32::from(root.width)
    }

    /// Whether nothing that could be found would matter: the root is won or lost in a number of plies that
    /// is known, or the mate asked for is proven.
    fn is_decided(&self) -> bool {
        let root = self.tree.get(ROOT);
        let is_known = root.value.is_decided() && !root.is_open();
        is_known || self.budget.has_mate(root.value)
    }

    /// Expands a leaf.
    fn step(&mut self) -> Result<(), Stopped> {
        self.tree.make_room();
        let (child, aim) = if guide::is_separated(&self.tree) {
            (ROOT, Aim::Promising)
        } else {
            let choice = guide::choose(&self.tree, self.settings.guide);
            choice.unwrap_or((ROOT, Aim::Promising))
        };
        let mut way = guide::descend(&self.tree, child, aim);
        if child != ROOT {
            way.insert(0, ROOT);
        }
        self.grow(&way)
    }

    /// Gives the last node of a way from the root its children, and brings the way up to date.
    fn grow(&mut self, way: &[NodeId]) -> Result<(), Stopped> {
        let mut position = self.root.position.clone();
        let before = self.path.len();
        for &id in &way[1..] {
            self.path.push(position.key());
            position.play(self.tree.move_to(id));
        }
        for &id in way {
            self.tree.visit(id);
        }
        let leaf = way.last().copied().unwrap_or(ROOT);
        let result = self.expand(leaf, &position, way.len() - 1);
        self.path.truncate(before);
        for &id in way.iter().rev() {
            self.back_up(id);
        }
        self.move_separator();
        result?;
        if self.budget.has_mate(self.tree.get(ROOT).value) {
            return Err(Stopped);
        }
        let best = guide::best(&self.tree);
        self.news.tell_if_new(&self.tree, best, &mut self.budget);
        Ok(())
    }

    /// An expansion that is stopped half-way leaves no trace, except at the root, which then gets the
    /// children looked at so far so that there is a move to play.
    fn expand(&mut self, id: NodeId, position: &G, ply: usize) -> Result<(), Stopped> {
        self.budget.visit()?;
        let moves = match ply {
            0 => self.news.moves.clone(),
            _ => position.legal_moves(),
        };
        let mut children = Vec::with_capacity(moves.len());
        self.path.push(position.key());
        let mut result = Ok(());
        for &m in &moves {
            match self.assess(&position.after(m), ply + 1) {
                Ok(belief) => children.push((m, belief)),
                Err(stopped) => {
                    result = Err(stopped);
                    break;
                }
            }
        }
        self.path.pop();
        if result.is_err() {
            if ply > 0 {
                return result;
            }
            self.news.is_partial = true;
            let looked_at = children.iter().map(|(_, belief)| belief.value);
            if let Some(value) = unlooked_at(position, looked_at, self.evaluator) {
                let belief = Belief::leaf(value, 0, ply + 1, self.doubt);
                let rest = moves[children.len()..].iter();
                children.extend(rest.map(|&m| (m, belief)));
            }
        }
        // The best for the side to move first: of equals the leftmost is taken.
        sort_by_key(&mut children, |(_, belief)| belief.value);
        self.tree.expand(id, children);
        result
    }

    /// What is believed of a position before it is searched; the keys before it are on the path.
    fn assess(&mut self, position: &G, ply: usize) -> Result<Belief, Stopped> {
        let look = first_look(
            position,
            ply,
            &self.path,
            self.evaluator,
            &mut self.budget,
            &mut self.news.seldepth,
        )?;
        let width = if look.is_final {
            0
        } else {
            width(self.evaluator, position, self.settings)
        };
        Ok(Belief::leaf(look.value, width, ply, self.doubt))
    }

    fn back_up(&mut self, id: NodeId) {
        if self.tree.is_leaf(id) {
            return;
        }
        let mut belief = *self.tree.get(id);
        let children = self.tree.children(id);
        belief.back_up(children.map(|child| self.tree.get(child)));
        *self.tree.get_mut(id) = belief;
    }

    /// Works everything out again: the doubt, or the separator, has changed.
    fn doubt_everything(&mut self) {
        for id in (0..self.tree.len()).rev() {
            if self.tree.is_leaf(id) {
                let doubt = self.doubt;
                self.tree.get_mut(id).doubt(doubt);
            } else {
                self.back_up(id);
            }
        }
    }

    /// Moves the separator between the best move and the others if it no longer lies there.
    fn move_separator(&mut self) {
        if self.settings.guide != Guide::Conspirators {
            return;
        }
        let Some((second, best)) = guide::gap(&self.tree) else {
            return;
        };
        let most = Value::centipawns(i32::from(Value::MAX_CENTIPAWNS));
        let (second, best) = (second.clamp(-most, most), best.clamp(-most, most));
        if !(second..=best).contains(&self.doubt.separator) {
            let middle = (i32::from(second.get()) + i32::from(best.get())).div_euclid(2);
            self.doubt.separator = Value::centipawns(middle);
            self.doubt_everything();
        }
    }

    fn tell(&mut self, occasion: Occasion) -> Report<G::Move> {
        let best = guide::best(&self.tree);
        self.news.tell(&self.tree, best, occasion, &mut self.budget)
    }
}

/// How far the value of a position may be wrong, in centipawns, at least 1.
fn width<G: Game, E: Evaluator<G>>(evaluator: &mut E, position: &G, settings: Settings) -> u16 {
    let most = f32::from(Value::MAX_CENTIPAWNS);
    let width = evaluator.width(position);
    width.map_or(settings.width.max(1), |width| width.clamp(1.0, most) as u16)
}
