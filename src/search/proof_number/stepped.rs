//! The depth-first form in steps, as a [prover](crate::search::kit::prover) of mates beside another search.
//!
//! The table keeps what a step has found and the [`Course`] which question is asked, so each step is a search of its own
//! that goes on where the last one stopped.

use super::driver::{Course, Driver};
use super::line::{ProofFollower, ProofLine};
use super::question::{Horizon, ProofQuery, Win};
use super::table::ProofTable;
use super::worker::Worker;
use super::{Form, Settings};
use crate::game::{Evaluator, Game, Moves, Root, Side};
use crate::search::kit::prover::{ProvenMove, Prover};
use crate::search::kit::team::{Task, Team};
use crate::search::{Limits, Report, Unobserved};
use crate::value::Value;

/// Nodes of the attacker that stands better, for one of the other's: more than without a search beside the prover, which
/// knows better who that is.
const NODES_TO_ONE: u64 = 4;

/// The prover, with its table, which it makes at first use and keeps from one position to the next.
pub(in crate::search) struct SteppedProver<E> {
    settings: Settings,
    team: Team<E>,
    table: Option<ProofTable>,
    share: u32,
}

impl<E> SteppedProver<E> {
    /// A prover with this memory and this `share` of all nodes, in percent; `evaluator` knows endgames.
    pub(in crate::search) fn new(
        hash_megabytes: usize,
        share: u32,
        evaluator: E,
    ) -> SteppedProver<E> {
        SteppedProver {
            settings: Settings {
                form: Form::DepthFirst,
                hash_megabytes,
                ..Settings::default()
            },
            team: Team::alone(evaluator),
            table: None,
            share,
        }
    }

    /// Its share of all nodes, in percent.
    pub(in crate::search) fn share(&self) -> u32 {
        self.share
    }

    /// Clears what earlier searches have stored.
    pub(in crate::search) fn clear(&mut self) {
        self.table.iter_mut().for_each(ProofTable::clear);
    }

    /// Begins the search for mates from a root, of the moves that `limits` allow.
    pub(in crate::search) fn begin<'a, G: Game>(
        &'a mut self,
        root: &'a Root<G>,
        limits: &Limits<G::Move>,
    ) -> SteppedSearch<'a, G, E>
    where
        E: Evaluator<G>,
    {
        let megabytes = self.settings.hash_megabytes;
        let table = self.table.get_or_insert_with(|| ProofTable::new(megabytes));
        table.new_search();
        let mut course = Course::new(None, NODES_TO_ONE);
        let side = root.position.side_to_move();
        for (attack, attacker) in course.attacks.iter_mut().zip([side, side.other()]) {
            if !root.position.can_win(attacker) {
                attack.not_within = Some(Horizon::UNLIMITED);
            }
        }
        SteppedSearch {
            settings: &self.settings,
            share: self.share,
            team: &mut self.team,
            table,
            root,
            search_moves: limits.search_moves.clone(),
            value: Value::DRAW,
            course,
            proven: Vec::new(),
            followed: Vec::new(),
            is_over: false,
        }
    }
}

/// A root under search.
pub(in crate::search) struct SteppedSearch<'a, G: Game, E> {
    settings: &'a Settings,
    share: u32,
    team: &'a mut Team<E>,
    table: &'a ProofTable,
    root: &'a Root<G>,
    /// The root moves to consider; empty means all.
    search_moves: Vec<G::Move>,
    /// The value by the other search.
    value: Value,
    course: Course,
    proven: Vec<ProvenMove<G::Move>>,
    /// Proofs in the table that have been followed, by root move: the plies after it that they promise.
    followed: Vec<(G::Move, u16)>,
    /// Whether all questions have been answered.
    is_over: bool,
}

impl<G: Game, E: Evaluator<G>> SteppedSearch<'_, G, E> {
    /// The side to move (0), or its opponent (1).
    fn attacker(&self, index: usize) -> Side {
        let side = self.root.position.side_to_move();
        if index == 0 { side } else { side.other() }
    }

    /// The root moves to consider.
    fn root_moves(&self) -> Moves<G::Move> {
        let limits = Limits {
            search_moves: self.search_moves.clone(),
            ..Limits::default()
        };
        limits.root_moves(&self.root.position)
    }

    /// Whether this side wins, at any distance.
    fn question(&self, index: usize) -> ProofQuery {
        ProofQuery {
            attacker: self.attacker(index),
            horizon: Horizon::UNLIMITED,
            strict: false,
        }
    }

    /// Root moves that the table has a proof of that has not been followed: the winner (0: the side to move), and the plies
    /// after the move.
    fn found(&mut self) -> Vec<(G::Move, usize, u16)> {
        let questions = [0, 1].map(|index| self.question(index));
        let (moves, limits) = (self.root_moves(), Limits::default());
        let mut nobody = Unobserved;
        let task = self.team.task(&limits, &mut nobody);
        let worker = worker_of_step(self.settings, self.root, task);
        let mut found = Vec::new();
        for m in moves {
            let child = self.root.position.after(m);
            for (index, question) in questions.into_iter().enumerate() {
                if let Some(rest) = worker.win(self.table, &child, question)
                    && !self.followed.contains(&(m, rest))
                {
                    found.push((m, index, rest));
                }
            }
        }
        found
    }

    /// Follows the proofs that the table has of root moves: one holds if it can be followed to the end. Returns the
    /// positions visited, at most `quota`.
    fn follow(&mut self, quota: u64) -> u64 {
        let mut visited = 0;
        for (m, index, rest) in self.found() {
            let question = self.question(index);
            let limits = Limits {
                search_moves: vec![m],
                ..Limits::nodes(quota - visited)
            };
            let (root, table) = (self.root, self.table);
            let mut nobody = Unobserved;
            let task = self.team.task(&limits, &mut nobody);
            let mut worker = worker_of_step(self.settings, root, task);
            let mut follower = ProofFollower::new(&mut worker, table, question);
            let line = follower.line(&root.position, rest + 1, &[(m, rest)]);
            let is_cut_short = visited > 0 && worker.is_stopped();
            visited += worker.nodes();
            if is_cut_short {
                // It is the first one in the next step.
                return visited;
            }
            self.followed.push((m, rest));
            if let ProofLine::Whole(line) = line {
                let plies = line.len() as u16;
                if index == 0 {
                    self.course.attacks[0].show(Win { plies, question });
                }
                take(&mut self.proven, line, value_of(index, plies));
            }
            if visited >= quota {
                break;
            }
        }
        visited
    }

    /// Goes on with the questions about the root; returns the positions visited, at most `quota`, and whether all
    /// questions are answered.
    fn ask(&mut self, quota: u64) -> (u64, bool) {
        let limits = Limits {
            search_moves: self.search_moves.clone(),
            ..Limits::nodes(quota)
        };
        let (root, table) = (self.root, self.table);
        let mut nobody = Unobserved;
        let task = self.team.task(&limits, &mut nobody);
        let worker = worker_of_step(self.settings, root, task);
        let mut driver = Driver::new(worker, table, &root.position);
        driver.course = self.course;
        driver.last.value = self.value;
        driver.is_silent = true;
        driver.search();
        let line = driver.last.pv;
        let is_over = !driver.worker.is_stopped();
        let visited = driver.worker.nodes();
        self.course = driver.course;
        for index in 0..2 {
            if let Some(plies) = self.course.attacks[index].shown
                && line.len() == usize::from(plies)
            {
                take(&mut self.proven, line.clone(), value_of(index, plies));
            }
        }
        (visited, is_over)
    }

    /// If the side to move loses, every root move loses as soon, whether the table still has its proof or not.
    fn all_lose(&mut self) {
        let Some(plies) = self.course.attacks[1].shown else {
            return;
        };
        for m in self.root_moves() {
            take(&mut self.proven, vec![m], Value::loss_in(plies));
        }
    }
}

/// A worker for a part of a step.
fn worker_of_step<'a, 'b: 'a, G: Game, E: Evaluator<G>>(
    settings: &'a Settings,
    root: &Root<G>,
    task: Task<'b, G, E, (), ProofQuery>,
) -> Worker<'a, G, E> {
    let mut worker = Worker::new(settings, root, task);
    worker.budget.never_rest();
    worker
}

/// The root's value if the side to move (0) or its opponent (1) wins in so many plies.
fn value_of(index: usize, plies: u16) -> Value {
    [Value::win_in(plies), Value::loss_in(plies)][index]
}

impl<G: Game, E: Evaluator<G>> Prover<G::Move> for SteppedSearch<'_, G, E> {
    fn share(&self) -> u32 {
        self.share
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn step(&mut self, quota: u64) -> u64 {
        let mut visited = self.follow(quota);
        if visited < quota {
            let (of_questions, is_over) = self.ask(quota - visited);
            visited += of_questions;
            self.is_over = is_over;
        }
        self.all_lose();
        visited
    }

    fn proven(&self) -> &[ProvenMove<G::Move>] {
        &self.proven
    }

    fn exact(&self) -> Option<Value> {
        let exact = |index: usize| {
            let attack = &self.course.attacks[index];
            let win = attack.won.filter(|_| attack.is_exact())?;
            Some(value_of(index, win.plies))
        };
        exact(0).or_else(|| exact(1))
    }

    fn note(&mut self, report: &Report<G::Move>) {
        self.value = report.value;
        let Some(plies) = report.value.plies_to_end().filter(|&plies| plies > 0) else {
            return;
        };
        let index = usize::from(report.value.is_loss());
        if report.bound.proves(report.value) && report.pv.len() == usize::from(plies) {
            let question = ProofQuery {
                attacker: self.attacker(index),
                horizon: Horizon::plies(plies),
                strict: true,
            };
            if self.course.attacks[index].show(Win { plies, question }) {
                self.is_over = false;
            }
        }
    }
}

/// Takes over a proof of a root move, unless one as short is known.
fn take<M: Copy + Eq>(proven: &mut Vec<ProvenMove<M>>, line: Vec<M>, value: Value) {
    let Some(&m) = line.first() else {
        return;
    };
    let new = ProvenMove { m, value, line };
    match proven.iter_mut().find(|it| it.m == m) {
        None => proven.push(new),
        // Nearer for whoever wins.
        Some(known) if value.plies_to_end() < known.value.plies_to_end() => *known = new,
        Some(_) => {}
    }
}
