//! What best-first searches on an [`Arena`] share: the first look at a position, and what is told of the
//! root.

use std::cmp::Reverse;

use crate::game::{Evaluator, Game, Moves};
use crate::search::kit::budget::{Budget, Stopped};
use crate::search::kit::path::Path;
use crate::search::kit::sorting::sort_by_key;
use crate::search::mates::mate_line;
use crate::search::papers::arena::{Arena, NodeId, ROOT};
use crate::search::{Bound, Occasion, Report};
use crate::value::{Value, Window};

/// What is kept at a node tells its value for the side to move there.
pub(super) trait Valued {
    /// The value.
    fn value(&self) -> Value;
}

/// What a position is worth before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstLook {
    /// For the side to move there.
    pub(super) value: Value,
    /// Whether no search can change it.
    pub(super) is_final: bool,
}

/// Values a position; the keys before it are on the path. The deepest ply visited goes to `seldepth`.
pub(super) fn first_look<G: Game, E: Evaluator<G>>(
    position: &G,
    ply: usize,
    path: &Path,
    evaluator: &mut E,
    budget: &mut Budget<'_, G::Move>,
    seldepth: &mut usize,
) -> Result<FirstLook, Stopped> {
    budget.check()?;
    *seldepth = (*seldepth).max(ply);
    let known = if let Some(value) = position.outcome() {
        Some(value)
    } else if path.repetition(position).is_some() {
        Some(Value::DRAW)
    } else {
        evaluator.known_value(position)
    };
    if let Some(value) = known {
        let is_final = true;
        return Ok(FirstLook { value, is_final });
    }
    let value = evaluator.evaluate(position, Window::FULL, budget)?;
    *seldepth = (*seldepth).max(ply + evaluator.take_max_ply() as usize);
    let is_final = value.is_decided();
    Ok(FirstLook { value, is_final })
}

/// What a move that a stop has left unlooked at is taken to be worth, for the side to move after it, if all those looked
/// at, whose positions are worth so much, lose: such a move is better than they are. `None` if one does not lose.
pub(super) fn unlooked_at<G: Game, E: Evaluator<G>>(
    position: &G,
    mut looked_at: impl Iterator<Item = Value>,
    evaluator: &mut E,
) -> Option<Value> {
    let all_lose = looked_at.all(Value::is_win);
    all_lose.then(|| evaluator.static_value(position).to_child())
}

/// What has been told of a root.
#[derive(Debug)]
pub(super) struct News<G: Game> {
    root: G,
    /// The root's moves that are searched.
    pub(super) moves: Moves<G::Move>,
    /// Whether only some of them have been looked at.
    pub(super) is_partial: bool,
    /// Deepest ply visited.
    pub(super) seldepth: usize,
    /// The last iteration that has been completed.
    pub(super) completed: u32,
    /// That, or the one under way once there is news from it.
    iteration: u32,
    /// The move last told.
    told: Option<G::Move>,
}

impl<G: Game> News<G> {
    /// Nothing has been told yet.
    pub(super) fn new(root: &G, moves: Moves<G::Move>) -> News<G> {
        News {
            root: root.clone(),
            moves,
            is_partial: false,
            seldepth: 0,
            completed: 0,
            iteration: 0,
            told: None,
        }
    }

    /// Tells that another move is best, if that is so.
    pub(super) fn tell_if_new<D: Valued + Copy>(
        &mut self,
        tree: &Arena<G::Move, D>,
        best: Option<NodeId>,
        budget: &mut Budget<'_, G::Move>,
    ) {
        let m = best.map(|best| tree.move_to(best));
        if self.completed > 0 && self.told != m {
            self.tell(tree, best, Occasion::Improvement, budget);
        }
    }

    /// Reports to the observer; `best` is the child of the root to play, whose value is the greatest.
    pub(super) fn tell<D: Valued + Copy>(
        &mut self,
        tree: &Arena<G::Move, D>,
        best: Option<NodeId>,
        occasion: Occasion,
        budget: &mut Budget<'_, G::Move>,
    ) -> Report<G::Move> {
        self.told = best.map(|best| tree.move_to(best));
        self.iteration = match occasion {
            Occasion::Improvement => self.completed + 1,
            Occasion::Iteration => self.completed,
            Occasion::Final => self.iteration,
        };
        let report = Report {
            occasion,
            iteration: self.iteration,
            seldepth: self.seldepth as u32,
            nodes: budget.nodes(),
            fullness: tree.fullness(),
            ..self.line(tree, best)
        };
        budget.report(&report);
        if occasion == Occasion::Iteration {
            let mut ranked: Vec<NodeId> = tree.children(ROOT).collect();
            let value = |child: NodeId| tree.get(child).value().from_child();
            sort_by_key(&mut ranked, |&child| {
                (Some(child) != best, Reverse(value(child)), child)
            });
            let lines = budget.limits.multipv;
            for (line, &child) in ranked.iter().enumerate().take(lines).skip(1) {
                let of_child = self.line(tree, Some(child));
                budget.report(&Report {
                    line: line + 1,
                    value: of_child.value,
                    bound: of_child.bound,
                    pv: of_child.pv,
                    ..report.clone()
                });
            }
        }
        report
    }

    /// The value of a move of the root, and the line that it begins.
    fn line<D: Valued + Copy>(
        &self,
        tree: &Arena<G::Move, D>,
        child: Option<NodeId>,
    ) -> Report<G::Move> {
        let Some(child) = child else {
            // Stopped before anything was evaluated: no win or loss is known.
            let pv = self.moves.first().copied().into_iter().collect();
            let most = Value::centipawns(i32::from(Value::MAX_CENTIPAWNS));
            return Report::before_search(tree.get(ROOT).value().clamp(-most, most), pv);
        };
        let value = tree.get(child).value().from_child();
        let mut id = child;
        let mut pv = vec![tree.move_to(id)];
        loop {
            let value = tree.get(id).value();
            let is_next = |next: &NodeId| tree.get(*next).value().from_child() == value;
            let Some(next) = tree.children(id).find(is_next) else {
                break;
            };
            id = next;
            pv.push(tree.move_to(id));
        }
        let mut report = Report::before_search(value, pv);
        mate_line::complete_report(&self.root, &mut report);
        if self.is_partial && value.is_loss() {
            // A move that nobody has looked at may be better.
            report.bound = Bound::Lower;
        }
        report
    }
}
