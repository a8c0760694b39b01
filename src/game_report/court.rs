//! Those who judge on one thread, and what they find.
//!
//! The `passes` judge a part of a game, by whoever is the `judge`; our own search may judge beside another engine. Moves that are
//! marked get `evidence`, and the moves that would have held.

use anyhow::Result;

use super::effort::{self, Effort};
use super::evidence::Witness;
use super::holding::{self, Held};
use super::judge::{Judge, OwnJudge, Question};
use super::judgement;
use super::marks::{Chances, Circumstances};
use super::passes::{self, Asked};
use super::record::{Facts, Opinion};
use super::verdict::Verdict;
use crate::engine::fault::Guarded;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::game::Game as _;
use crate::games::chess::pgn::PgnGame;
use crate::wdl;

/// How it is to be done.
pub(super) struct Plan<'a> {
    /// Makes who judges.
    pub(super) judge: &'a (dyn Fn() -> Result<Box<dyn Judge>> + Sync),
    /// What a game may take.
    pub(super) effort: Effort,
    /// Our own search, which judges beside an engine.
    pub(super) beside: Option<Beside>,
    /// How many parts of games are worked on at a time.
    pub(super) jobs: usize,
    /// Whether the chances are known that a stronger judge agrees with who judges.
    pub(super) has_chances: bool,
    /// Gives evidence, where marks are or everywhere.
    pub(super) witness: Option<EngineSettings>,
    pub(super) is_everywhere: bool,
    /// Looks for moves that would have held, where one has cost much.
    pub(super) holder: Option<EngineSettings>,
}

/// A search of ours beside an engine.
pub(super) struct Beside {
    /// The search.
    pub(super) settings: EngineSettings,
    /// What a game may take of it; the engine's time is in it if that is limited for the game.
    pub(super) effort: Effort,
}

impl Plan<'_> {
    /// What those who judge a game of so many positions, and who gives evidence, may take for each.
    pub(super) fn limits(&self, positions: usize) -> Limits {
        let of_position = |effort: Effort| effort.of_position(positions, self.jobs);
        let all = of_position(self.effort);
        let [judge, rest] = match &self.beside {
            None => {
                let [judge, evidence] = effort::shared(all, self.is_everywhere);
                return Limits {
                    judge,
                    own: judge,
                    evidence,
                };
            }
            Some(beside) if matches!(beside.effort, Effort::Game { .. }) => effort::divided(all),
            Some(beside) => [all, of_position(beside.effort)],
        };
        let [own, evidence] = effort::shared(rest, true);
        Limits {
            judge,
            own,
            evidence,
        }
    }

    /// Sees to it that there is memory for whoever judges, in MiB, and for those that look again.
    pub(super) fn ensure_memory(&self, judge: usize) -> Result<(), NotEnoughMemory> {
        let others = [&self.witness, &self.holder].into_iter().flatten();
        let each = others.map(EngineSettings::megabytes).chain([judge]);
        memory::ensure(each, self.jobs)
    }
}

/// What may be taken for a position, on average.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) judge: Limit,
    /// Of our own search beside another judge.
    own: Limit,
    evidence: Limit,
}

/// What is known of a position.
pub(super) struct Found {
    pub(super) verdict: Verdict,
    pub(super) own: Option<Box<Opinion>>,
    /// What follows for the move.
    pub(super) facts: Facts,
}

/// Of the limit of a search for evidence, what a glance takes at a position without a mark: whether the move played was the only one.
const GLANCE: f64 = 0.125;
/// Points of a side between which a game is open.
const OPEN: std::ops::RangeInclusive<f64> = 0.1..=0.9;

/// Those who judge on one thread.
pub(super) struct Court<'p> {
    plan: &'p Plan<'p>,
    judge: Box<dyn Judge>,
    own: Option<OwnJudge>,
    witness: Option<Witness>,
    holder: Option<Guarded<ChessSearcher>>,
}

impl<'p> Court<'p> {
    /// Those of a plan.
    pub(super) fn new(plan: &'p Plan<'_>) -> Result<Court<'p>> {
        Ok(Court {
            judge: (plan.judge)()?,
            own: plan.beside.as_ref().map(|it| OwnJudge::new(&it.settings)),
            witness: plan.witness.as_ref().and_then(Witness::new),
            holder: plan.holder.as_ref().map(EngineSettings::guarded),
            plan,
        })
    }

    /// Judges a part of a game. `tick` is told of what has been spent as for [`passes::verdicts`]; if it ends the work there is nothing.
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

    /// What verdicts come to, with evidence where a move is marked. What that may take is shared among those positions: the limit is
    /// for each of all. `own` are our own search's verdicts beside another judge's.
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
        let glances = match self.holder {
            Some(_) if self.own.is_none() => all.iter().filter(|it| it.is_glanced_at()).count(),
            _ => 0,
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
                && !asked.is_over()
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
            // An engine's values are not on the scale of our evaluation.
            let own = found.own.as_ref().map_or(&found.verdict, |it| &it.verdict);
            let best = own.value_for_white();
            let best = best.map(|it| if asked.is_black() { -it } else { it });
            if let (Some(witness), Some(best)) = (&mut self.witness, best) {
                found.verdict.doubt = witness.doubt(&asked.root, played, best, limit);
            }
            let question = Question {
                root: &asked.root,
                game,
                ply: asked.ply,
                played: asked.played,
                limit: Limit {
                    movetime_ms: limit.movetime_ms,
                    ..limits.judge
                },
            };
            let mut held = self.judge.held(&question)?;
            if let (None, None, Some(holder)) = (&held, &self.own, &mut self.holder) {
                held = holding::moves(holder, &asked.root, limit);
            }
            if let Some(held) = held {
                found.facts.held = Some(held.written(&asked.root.position));
                self.learn(asked, found, &held);
            }
        }
        Ok(all)
    }

    /// Looks whether the move played in a position without a mark, the best one, is the only one that holds.
    fn glance(&mut self, game: &PgnGame, asked: &Asked, found: &mut Found, limit: Limit) {
        let last = asked.ply.checked_sub(1).map(|last| game.moves[last]);
        let is_plain = asked.played.is_some_and(|m| holding::takes_back(last, m));
        let is_wanted = found.is_glanced_at() && asked.is_best(&found.verdict) && !is_plain;
        let (Some(holder), None, true) = (&mut self.holder, &self.own, is_wanted) else {
            return;
        };
        if let Some(held) = holding::moves(holder, &asked.root, limit)
            && held.moves.len() == 1
        {
            self.learn(asked, found, &held);
        }
    }

    /// Takes over how sure it is that other moves do not hold, and how soon those were found that do: unless the best move by the
    /// verdict is none of them.
    fn learn(&self, asked: &Asked, found: &mut Found, held: &Held) {
        let position = &asked.root.position;
        let rounded = |it: f64| (it * 1_000.0).round() / 1_000.0;
        let best = found.verdict.best.as_ref();
        if !held.written(position).iter().any(|it| Some(it) == best) {
            found.facts.found = held.found.map(|_| 1.0);
            return;
        }
        let choices = position.legal_moves().len();
        let has_chance = self.plan.has_chances && self.own.is_none();
        let chance = has_chance.then(|| held.chance(asked.is_black(), choices, &found.verdict));
        found.facts.rest = held.rest.map(rounded);
        found.facts.only = chance.flatten();
        found.facts.found = held.found.map(rounded);
    }

    /// What our own search makes of a position beside another judge.
    fn opinion(&self, asked: &Asked, verdict: Verdict) -> Opinion {
        let cost = judgement::cost(asked.is_black(), &verdict);
        Opinion {
            chances: self.chances(asked, &verdict, cost),
            cost,
            verdict,
        }
    }

    /// What follows from a verdict. Nothing was learnt of how often an engine's are right.
    fn found(&self, asked: &Asked, verdict: Verdict) -> Found {
        let cost = judgement::cost(asked.is_black(), &verdict);
        let chances = self.chances(asked, &verdict, cost);
        Found {
            own: None,
            facts: Facts {
                forced: !asked.is_choice(),
                cost,
                chances: chances.filter(|_| self.own.is_none()),
                ..Facts::default()
            },
            verdict,
        }
    }

    /// The chances that the move played is a loss, by our own search's verdict.
    fn chances(&self, asked: &Asked, verdict: &Verdict, cost: Option<f64>) -> Option<Chances> {
        let circumstances = Circumstances {
            verdict,
            is_black: asked.is_black(),
            cost: cost?,
            choices: asked.root.position.legal_moves().len(),
            is_best: asked.is_best(verdict),
        };
        let is_known = self.plan.has_chances && asked.is_choice();
        is_known.then(|| Chances::of(&circumstances))
    }
}

impl Found {
    /// Whether the move played gets a mark, of who judges or of our own search beside.
    fn is_marked(&self) -> bool {
        let is_mark = |cost, chances| judgement::mark(cost, chances).is_some();
        let own = self.own.as_ref();
        is_mark(self.facts.cost, self.facts.chances.as_ref())
            || own.is_some_and(|it| is_mark(it.cost, it.chances.as_ref()))
    }

    /// Whether a glance is worth while: the best move was played, there was a choice, and the game is open.
    fn is_glanced_at(&self) -> bool {
        let points = self.verdict.value_for_white().map(wdl::points);
        let is_open = points.is_some_and(|it| OPEN.contains(&it));
        is_open && !self.facts.forced && self.facts.cost == Some(0.0) && !self.is_marked()
    }
}
