//! A court: the judges of one thread, who turn positions into findings.
//!
//! `passes` judges a part of a game by the `judge`, a search of ours or an engine; beside an engine our own search
//! judges too. Marked moves get `evidence`, and the moves that would have held (`holding`).

use anyhow::Result;

use super::chances::{Chances, Circumstances};
use super::effort::{self, ENGINE, Effort, JUDGING};
use super::evidence::Witness;
use super::holding::{self, Held};
use super::judge::{Asked, Judge, OwnJudge};
use super::marks;
use super::passes;
use super::record::{Facts, Opinion};
use super::verdict::Verdict;
use crate::engine::fault::Guarded;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::game::Game as _;
use crate::games::chess::pgn::PgnGame;

/// Plan for judging games.
pub(super) struct Plan<'a> {
    /// Makes the judge of a thread.
    pub(super) judge: &'a (dyn Fn() -> Result<Box<dyn Judge>> + Sync),
    /// Effort for a game.
    pub(super) effort: Effort,
    /// Our own search, if an engine judges.
    pub(super) beside: Option<Beside>,
    /// Parts of games that are judged at a time.
    pub(super) jobs: usize,
    /// Whether chances of marks were learnt for our own search.
    pub(super) has_chances: bool,
    /// Best-first search for evidence: at marked moves, or at every position if `is_everywhere`.
    pub(super) witness: Option<EngineSettings>,
    pub(super) is_everywhere: bool,
    /// Search for the moves that hold: at marked moves, and at a glance at others.
    pub(super) holder: EngineSettings,
}

/// A search of ours beside an engine.
pub(super) struct Beside {
    /// The search.
    pub(super) settings: EngineSettings,
    /// Effort for a game; ignored if it is a time for the whole game, which [`Plan::effort`] then shares out.
    pub(super) effort: Effort,
}

impl Plan<'_> {
    /// Limits for each position of a game, for judging and for evidence.
    pub(super) fn limits(&self, positions: usize) -> Limits {
        let of_position = |effort: Effort| effort.of_position(positions, self.jobs);
        let all = of_position(self.effort);
        let [judge, rest] = match &self.beside {
            None => {
                let judging = JUDGING[usize::from(self.is_everywhere)];
                let [judge, evidence] = effort::divided(all, judging);
                return Limits {
                    judge,
                    own: judge,
                    evidence,
                };
            }
            Some(beside) if matches!(beside.effort, Effort::Game { .. }) => {
                effort::divided(all, ENGINE)
            }
            Some(beside) => [all, of_position(beside.effort)],
        };
        let [own, evidence] = effort::divided(rest, JUDGING[1]);
        Limits {
            judge,
            own,
            evidence,
        }
    }

    /// Checks that there is memory for all judges (`judge` MiB each), witnesses and holders.
    pub(super) fn ensure_memory(&self, judge: usize) -> Result<(), NotEnoughMemory> {
        let others = self.witness.iter().chain([&self.holder]);
        let each = others.map(EngineSettings::megabytes).chain([judge]);
        memory::ensure(each, self.jobs)
    }
}

/// Limits for a position, on average.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) judge: Limit,
    /// For our own search beside an engine.
    own: Limit,
    evidence: Limit,
}

/// Findings about a position.
pub(super) struct Found {
    pub(super) verdict: Verdict,
    pub(super) own: Option<Box<Opinion>>,
    /// Facts about the move: its cost, its chances, the moves that hold.
    pub(super) facts: Facts,
}

/// A glance's share of the limit of a search for evidence. A glance asks if an unmarked move alone holds.
const GLANCE: f64 = 0.125;
/// Expected points of either side in an open game.
const OPEN: std::ops::RangeInclusive<f64> = 0.1..=0.9;

/// The judge of one thread, with the searches that look at marked moves.
pub(super) struct Court<'p> {
    plan: &'p Plan<'p>,
    judge: Box<dyn Judge>,
    own: Option<OwnJudge>,
    witness: Option<Witness>,
    holder: Guarded<ChessSearcher>,
}

impl<'p> Court<'p> {
    /// Makes the searches that a plan names.
    pub(super) fn new(plan: &'p Plan<'_>) -> Result<Court<'p>> {
        Ok(Court {
            judge: (plan.judge)()?,
            own: plan.beside.as_ref().map(|it| OwnJudge::new(&it.settings)),
            witness: plan.witness.as_ref().and_then(Witness::new),
            holder: plan.holder.guarded(),
            plan,
        })
    }

    /// Judges a part of a game. `tick` gets the effort spent, as in [`passes::verdicts`], averaged over the judges; the
    /// result is `None` if `tick` ends the work.
    pub(super) fn judge(
        &mut self,
        game: &PgnGame,
        asked: &[Asked],
        limits: &Limits,
        tick: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Option<Vec<Found>>> {
        let judges = if self.own.is_some() { 2.0 } else { 1.0 };
        let mut tick = |spent: f64| tick(spent / judges);
        let judge = self.judge.as_mut();
        let verdicts = passes::verdicts(judge, game, asked, limits.judge, &mut tick)?;
        let own = match &mut self.own {
            Some(own) if verdicts.is_some() => {
                passes::verdicts(own, game, asked, limits.own, &mut tick)?
            }
            _ => Some(Vec::new()),
        };
        let (Some(verdicts), Some(own)) = (verdicts, own) else {
            return Ok(None);
        };
        Ok(Some(self.look_into(game, asked, verdicts, own, limits)?))
    }

    /// Grades the moves played, and looks for evidence at marked ones. The searches for evidence share the limits that
    /// `limits` gives all positions for it. `own` has our own search's verdicts if an engine judges.
    fn look_into(
        &mut self,
        game: &PgnGame,
        asked: &[Asked],
        verdicts: Vec<Verdict>,
        own: Vec<Verdict>,
        limits: &Limits,
    ) -> Result<Vec<Found>> {
        let both = asked.iter().zip(verdicts);
        let mut all: Vec<Found> = both.map(|(asked, it)| self.found(asked, it)).collect();
        for ((asked, found), own) in asked.iter().zip(&mut all).zip(own) {
            found.own = Some(Box::new(self.opinion(asked, own)));
        }
        let marked = all.iter().filter(|it| it.is_marked()).count();
        let glances = match self.own {
            None => all.iter().filter(|it| it.is_glanced_at()).count(),
            Some(_) => 0,
        };
        let everywhere = if self.plan.is_everywhere {
            all.len()
        } else {
            0
        };
        let searches = 3 * marked + (GLANCE * glances as f64).ceil() as usize + everywhere;
        let limit = effort::of_evidence(limits.evidence, all.len(), searches);
        for (asked, found) in asked.iter().zip(&mut all) {
            let is_marked = found.is_marked();
            if let Some(witness) = &mut self.witness
                && (is_marked || self.plan.is_everywhere)
                && !asked.is_over
            {
                let verdict = std::mem::take(&mut found.verdict);
                found.verdict = witness.count(&asked.root, limit, self.plan.is_everywhere, verdict);
            }
            if !is_marked {
                self.glance(game, asked, found, limit.scaled(GLANCE));
                continue;
            }
            let Some(played) = asked.played else {
                continue;
            };
            // The witness counts on the scale of our evaluation; an engine's values are on another one.
            let own = found.own.as_ref().map_or(&found.verdict, |it| &it.verdict);
            let best = own.value_for(asked.is_black());
            if let (Some(witness), Some(best)) = (&mut self.witness, best) {
                found.verdict.doubt = witness.doubt(&asked.root, played, best, limit);
            }
            let of_judge = Limit {
                movetime_ms: limit.movetime_ms,
                ..limits.judge
            };
            let mut held = self.judge.held(game, asked, of_judge)?;
            if held.is_none() && self.own.is_none() {
                held = holding::moves(&mut self.holder, &asked.root, limit);
            }
            if let Some(held) = held {
                found.facts.held = Some(held.written(&asked.root.position));
                self.learn(asked, found, &held);
            }
        }
        Ok(all)
    }

    /// Looks whether an unmarked move is the only one that holds, if it is the best one and no recapture.
    fn glance(&mut self, game: &PgnGame, asked: &Asked, found: &mut Found, limit: Limit) {
        let last = asked.ply.checked_sub(1).map(|last| game.moves[last]);
        let is_plain = asked.played.is_some_and(|m| holding::takes_back(last, m));
        let is_wanted = found.is_glanced_at() && asked.is_best(&found.verdict) && !is_plain;
        if is_wanted
            && self.own.is_none()
            && let Some(held) = holding::moves(&mut self.holder, &asked.root, limit)
            && held.moves.len() == 1
        {
            self.learn(asked, found, &held);
        }
    }

    /// Takes over how sure it is that no other move holds, and how soon the search found one that does. If the best
    /// move by the verdict is none of those that hold, the search counts as late, and nothing is said of the others.
    fn learn(&self, asked: &Asked, found: &mut Found, held: &Held) {
        let position = &asked.root.position;
        let best = found.verdict.best.as_ref();
        if !held.written(position).iter().any(|it| Some(it) == best) {
            found.facts.found = held.found.map(|_| held.nodes.max(holding::LATE));
            return;
        }
        let choices = position.legal_moves().len();
        let has_chance = self.plan.has_chances && self.own.is_none();
        let chance = has_chance.then(|| held.chance(asked.is_black(), choices, &found.verdict));
        found.facts.rest = held.rest.map(|it| (it * 1_000.0).round() / 1_000.0);
        found.facts.only = chance.flatten();
        found.facts.found = held.found;
    }

    /// Grades the move played, by a verdict. An engine's verdict gets no chances: none were learnt.
    fn found(&self, asked: &Asked, verdict: Verdict) -> Found {
        let opinion = self.opinion(asked, verdict);
        Found {
            own: None,
            facts: Facts {
                forced: !asked.is_choice(),
                cost: opinion.cost,
                chances: opinion.chances.filter(|_| self.own.is_none()),
                ..Facts::default()
            },
            verdict: opinion.verdict,
        }
    }

    /// Adds to a verdict the cost of the move played, and the chances that a stronger judge calls the move a loss, if
    /// they were learnt for our own search.
    fn opinion(&self, asked: &Asked, verdict: Verdict) -> Opinion {
        let cost = marks::cost(asked.is_black(), &verdict);
        let is_known = self.plan.has_chances && asked.is_choice();
        let chances = cost.filter(|_| is_known).map(|cost| {
            Chances::of(&Circumstances {
                verdict: &verdict,
                is_black: asked.is_black(),
                cost,
                choices: asked.root.position.legal_moves().len(),
                is_best: asked.is_best(&verdict),
            })
        });
        Opinion {
            chances,
            cost,
            verdict,
        }
    }
}

impl Found {
    /// Whether the move played gets a mark, by the judge or by our own search beside it.
    fn is_marked(&self) -> bool {
        let is_mark = |cost, chances| marks::mark(cost, chances).is_some();
        let own = self.own.as_ref();
        is_mark(self.facts.cost, self.facts.chances.as_ref())
            || own.is_some_and(|it| is_mark(it.cost, it.chances.as_ref()))
    }

    /// Whether a glance is worth while: the best move was played, there was a choice, and the game is open.
    fn is_glanced_at(&self) -> bool {
        let is_open = self.verdict.points().is_some_and(|it| OPEN.contains(&it));
        is_open && !self.facts.forced && self.facts.cost == Some(0.0) && !self.is_marked()
    }
}
