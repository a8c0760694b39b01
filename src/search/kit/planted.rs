//! Code that searches on an [`Arena`] share: the growing tree, the first look at a position, reports on the
//! root.

use std::cmp::Reverse;

use crate::game::{Evaluated, Evaluator, Game, Moves, Root};
use crate::search::kit::arena::{Arena, Node, NodeId};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::mate_line;
use crate::search::kit::memory::bytes;
use crate::search::kit::path::Path;
use crate::search::kit::sorting::sort_by_key;
use crate::search::{Bound, Limits, Observer, Occasion, Report};
use crate::value::{Value, Window};

/// The data that a search keeps at each node of its tree.
pub(in crate::search) trait PlantedData: Copy {
    /// The node's value for the side to move there.
    fn value(&self) -> Value;

    /// The rank as a child of the root. The highest is played; it must belong to the greatest value for the root's
    /// side.
    fn rank(&self) -> impl Ord;
}

/// A position's value before it is searched.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct FirstLook {
    /// Value for the side to move there.
    pub(in crate::search) value: Value,
    /// Whether no search can change it.
    pub(in crate::search) is_final: bool,
}

impl FirstLook {
    /// A value that is known for good.
    pub(in crate::search) const fn known(value: Value) -> FirstLook {
        let is_final = true;
        FirstLook { value, is_final }
    }

    /// A value from an evaluator or a search: final if it is a win or loss.
    pub(in crate::search) fn estimated(value: Value) -> FirstLook {
        let is_final = value.is_decided();
        FirstLook { value, is_final }
    }

    /// A guess, which any search may change.
    pub(in crate::search) const fn guessed(value: Value) -> FirstLook {
        let is_final = false;
        FirstLook { value, is_final }
    }
}

/// Assumed value of a move that a stop left unvisited, for the side to move after it. Better than a loss, it is needed
/// only if all visited moves lose (`looked_at` has the values after them); otherwise `None`.
pub(in crate::search) fn unlooked_at<G: Game, E: Evaluator<G>>(
    position: &G,
    mut looked_at: impl Iterator<Item = Value>,
    evaluator: &mut E,
) -> Option<Value> {
    let all_lose = looked_at.all(Value::is_win);
    all_lose.then(|| evaluator.static_value(position).to_child())
}

/// A growing tree, and its last report.
pub(in crate::search) struct Planted<'a, G: Game, E, D> {
    pub(in crate::search) budget: Budget<'a, G::Move>,
    pub(in crate::search) evaluator: &'a mut E,
    pub(in crate::search) root: &'a G,
    pub(in crate::search) path: Path,
    pub(in crate::search) tree: Arena<G::Move, D>,
    /// The root's moves that are searched.
    moves: Moves<G::Move>,
    /// Whether a stop left some of these moves unvisited.
    is_partial: bool,
    /// Deepest ply visited.
    seldepth: usize,
    /// The last completed iteration.
    pub(in crate::search) completed: u32,
    /// The last completed iteration, or the current one once it has reported an improvement.
    iteration: u32,
    /// The best move as last reported.
    reported: Option<G::Move>,
}

impl<'a, G: Game, E: Evaluator<G>, D: PlantedData> Planted<'a, G, E, D> {
    /// A tree of the root alone, in `megabytes` MiB; `kept` makes the root's data from its static value. Fails with the
    /// final report if there is no move to search.
    pub(in crate::search) fn new(
        megabytes: usize,
        root: &'a Root<G>,
        limits: &'a Limits<G::Move>,
        observer: &'a mut dyn Observer<G::Move>,
        evaluator: &'a mut E,
        kept: impl FnOnce(&mut E, Value) -> D,
    ) -> Result<Self, Report<G::Move>> {
        let moves = limits.root_moves(&root.position);
        let Some(&placeholder) = moves.first() else {
            let value = root.position.terminal_value();
            let report = Report::before_search(value, Vec::new());
            observer.report(&report);
            return Err(report);
        };
        let value = evaluator.static_value(&root.position);
        let mut tree = Arena::new(bytes(megabytes), 0);
        tree.plant(Node::new(placeholder, kept(evaluator, value)));
        Ok(Planted {
            budget: Budget::new(limits, observer),
            evaluator,
            root: &root.position,
            path: Path::to_root(root),
            tree,
            moves,
            is_partial: false,
            seldepth: 0,
            completed: 0,
            iteration: 0,
            reported: None,
        })
    }

    /// The last iteration to search: the limit on iterations, but at most `most`.
    pub(in crate::search) fn last_iteration(&self, most: u32) -> u32 {
        self.budget.limits.iterations.unwrap_or(most).min(most)
    }

    /// Takes a first look at a position at `ply`. The path must hold the keys of the positions before it.
    pub(in crate::search) fn look(
        &mut self,
        position: &G,
        ply: usize,
    ) -> Result<FirstLook, Stopped> {
        self.budget.check()?;
        self.seldepth = self.seldepth.max(ply);
        let repeated = || self.path.repetition(position).map(|_| Value::DRAW);
        let ruled = position.outcome().or_else(repeated);
        if let Some(value) = ruled.or_else(|| self.evaluator.known_value(position)) {
            return Ok(FirstLook::known(value));
        }
        let Evaluated { value, plies } =
            self.evaluator
                .evaluate(position, Window::FULL, &mut self.budget)?;
        self.seldepth = self.seldepth.max(ply + plies as usize);
        Ok(FirstLook::estimated(value))
    }

    /// Expands a leaf at `ply`. `kept` makes the data of each child from its position (`None` if a stop left it
    /// unvisited) and its first look. A stopped expansion changes nothing, except at the root, which keeps the children
    /// visited so far so that there is a move to play.
    pub(in crate::search) fn expand(
        &mut self,
        id: NodeId,
        position: &G,
        ply: usize,
        kept: impl Fn(&mut E, Option<&G>, FirstLook) -> D,
    ) -> Result<(), Stopped> {
        self.budget.visit()?;
        let moves = match ply {
            0 => self.moves.clone(),
            _ => position.legal_moves(),
        };
        let mut children = Vec::with_capacity(moves.len());
        self.path.push(position.key());
        let result = moves.iter().try_for_each(|&m| {
            let child = position.after(m);
            let look = self.look(&child, ply + 1)?;
            let data = kept(self.evaluator, Some(&child), look);
            children.push(Node::new(m, data));
            Ok(())
        });
        self.path.pop();
        if result.is_err() {
            if ply > 0 {
                return result;
            }
            self.is_partial = true;
            let looked_at = children.iter().map(|child| child.value());
            if let Some(value) = unlooked_at(position, looked_at, self.evaluator) {
                let data = kept(self.evaluator, None, FirstLook::guessed(value));
                let rest = moves[children.len()..].iter();
                children.extend(rest.map(|&m| Node::new(m, data)));
            }
        }
        // The best for the side to move first, since the leftmost of equals is chosen.
        sort_by_key(&mut children, |child| child.value());
        self.tree.expand(id, &children);
        result
    }

    /// Ensures that one more expansion of any size fits, unless the search is stopped meanwhile.
    pub(in crate::search) fn make_room(&mut self) -> Result<(), Stopped> {
        if !self.tree.has_room() {
            let budget = &mut self.budget;
            self.tree.reclaim(&mut || budget.ask().is_ok());
        }
        self.budget.check()
    }

    /// The child of the root to play.
    pub(in crate::search) fn best(&self) -> Option<NodeId> {
        let root = self.tree.root();
        let children = self.tree.children(root).iter().enumerate();
        let best = children.max_by_key(|&(number, child)| (child.rank(), Reverse(number)));
        best.map(|(number, _)| self.tree.child(root, number))
    }

    /// Reports an improvement if another move than the one last reported is best.
    pub(in crate::search) fn report_if_new(&mut self) {
        let m = self.best().map(|best| self.tree.node(best).m);
        if self.completed > 0 && self.reported != m {
            self.emit_report(Occasion::Improvement);
        }
    }

    /// Reports the best line to the observer, and after an iteration the further lines; returns the best line's report.
    pub(in crate::search) fn emit_report(&mut self, occasion: Occasion) -> Report<G::Move> {
        let best = self.best();
        self.reported = best.map(|best| self.tree.node(best).m);
        self.iteration = match occasion {
            Occasion::Improvement => self.completed + 1,
            Occasion::Iteration => self.completed,
            Occasion::Final => self.iteration,
        };
        let report = Report {
            occasion,
            iteration: self.iteration,
            seldepth: self.seldepth as u32,
            nodes: self.budget.nodes(),
            fullness: self.tree.fullness(),
            ..self.line(best)
        };
        self.budget.report(&report);
        if occasion == Occasion::Iteration {
            let mut ranked: Vec<NodeId> = self.tree.child_ids(NodeId::ROOT).collect();
            sort_by_key(&mut ranked, |&child| {
                (Some(child) != best, self.tree.node(child).value(), child)
            });
            let lines = self.budget.limits.multipv;
            for (line, &child) in ranked.iter().enumerate().take(lines).skip(1) {
                let of_child = self.line(Some(child));
                self.budget.report(&report.further(line + 1, of_child));
            }
        }
        report
    }

    /// The value and the line of a root move.
    fn line(&self, child: Option<NodeId>) -> Report<G::Move> {
        let Some(child) = child else {
            // Stopped before anything was evaluated: no win or loss is known.
            let most = Value::centipawns(i32::from(Value::MAX_CENTIPAWNS));
            let value = self.tree.root().value().clamp(-most, most);
            return mate_line::before_search(self.root, value, self.moves.first().copied());
        };
        let mut node = self.tree.node(child);
        let value = node.value().from_child();
        let mut pv = vec![node.m];
        let best = |node: &Node<G::Move, D>| {
            let is_best = |it: &&Node<G::Move, D>| it.value().from_child() == node.value();
            self.tree.children(node).iter().find(is_best)
        };
        while let Some(next) = best(node) {
            node = next;
            pv.push(node.m);
        }
        let mut report = Report::before_search(value, pv);
        mate_line::complete_report(self.root, &mut report);
        if self.is_partial && value.is_loss() {
            // An unvisited move may be better.
            report.bound = Bound::Lower;
        }
        report
    }
}
