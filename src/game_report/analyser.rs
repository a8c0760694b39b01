//! The analyser: the judges of one thread, which turn positions into rows of the record.
//!
//! `passes` judges a part of a game by the `judge`, a search of ours or an engine; beside an engine our own search
//! judges too. Marked moves get `evidence`, and the moves that would have held (`holding`).

use anyhow::Result;

use super::chances::{Chances, Circumstances};
use super::effort::{self, ENGINE, Effort, JUDGING};
use super::evidence::EvidenceSearch;
use super::holding::{self, Held};
use super::judge::{Judge, JudgedPosition, OwnJudge};
use super::move_marks;
use super::passes;
use super::phase::Phase;
use super::record::{Facts, Opinion, Row};
use super::verdict::PositionVerdict;
use crate::engine::fault::Guarded;
use crate::engine::limit::Limit;
use crate::engine::memory::{self, NotEnoughMemory};
use crate::engine::outlook;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::game::Game as _;
use crate::games::chess::line::WrittenMove;
use crate::games::chess::notation::is_chess960;
use crate::search::registry::Algorithm;

/// Plan for judging games.
pub(super) struct JudgingPlan<'a> {
    /// The engine that judges, with our own search beside it; `None` if our own search judges.
    pub(super) engine: Option<EngineJudge<'a>>,
    /// Our own search that judges, alone or beside the engine.
    pub(super) own: EngineSettings,
    /// Its effort for a game; a time for the whole game is shared by all judges.
    pub(super) effort: Effort,
    /// Parts of games that are judged at a time.
    pub(super) jobs: usize,
    /// Whether chances of marks were learnt for our own search.
    pub(super) has_chances: bool,
    /// Best-first search for evidence: at marked moves, or at every position if `is_everywhere`.
    pub(super) evidence: Option<EngineSettings>,
    pub(super) is_everywhere: bool,
    /// Search for the moves that hold: at marked moves, and at a glance at others.
    pub(super) holder: EngineSettings,
}

/// An engine that judges.
pub(super) struct EngineJudge<'a> {
    /// Starts it, for a thread.
    pub(super) start: Box<dyn Fn() -> Result<Box<dyn Judge>> + Sync + 'a>,
    /// Its limit for a position, on average; ignored if games are limited in time.
    pub(super) limit: Limit,
    /// Its memory, in MiB.
    pub(super) megabytes: usize,
}

impl<'a> JudgingPlan<'a> {
    /// Plan for judging by our own search alone. If that is best-first search, it gives evidence at all positions, and
    /// depth-first search judges; otherwise it gives evidence at marked moves if there is to be a `second_look`.
    pub(super) fn new(
        settings: &EngineSettings,
        effort: Effort,
        jobs: usize,
        second_look: bool,
    ) -> JudgingPlan<'a> {
        let with = |algorithm| {
            let mut settings = settings.clone();
            settings.search.algorithm = algorithm;
            settings
        };
        let is_everywhere = settings.search.algorithm == Algorithm::BestFirst;
        let own = if is_everywhere {
            with(Algorithm::DepthFirst)
        } else {
            settings.clone()
        };
        let is_wanted = second_look || is_everywhere;
        JudgingPlan {
            engine: None,
            effort,
            jobs,
            has_chances: outlook::is_learnt_for(&own),
            evidence: is_wanted.then(|| with(Algorithm::BestFirst)),
            is_everywhere,
            holder: holding::settings(&own),
            own,
        }
    }

    /// Limits for each position of a game, for judging and for evidence.
    pub(super) fn limits(&self, positions: usize) -> Limits {
        let all = self.effort.of_position(positions, self.jobs);
        let Some(engine) = &self.engine else {
            let judging = JUDGING[usize::from(self.is_everywhere)];
            let [judge, evidence] = effort::divided(all, judging);
            return Limits {
                judge,
                own: judge,
                evidence,
            };
        };
        let [judge, rest] = match self.effort {
            Effort::Position(_) => [engine.limit, all],
            Effort::Game { .. } => effort::divided(all, ENGINE),
        };
        let [own, evidence] = effort::divided(rest, JUDGING[1]);
        Limits {
            judge,
            own,
            evidence,
        }
    }

    /// Checks that there is memory for all judges, witnesses and holders.
    pub(super) fn ensure_memory(&self) -> Result<(), NotEnoughMemory> {
        let of_engine = self.engine.as_ref().map_or(0, |it| it.megabytes);
        let others = self.evidence.iter().chain([&self.holder]);
        let each = others.map(EngineSettings::megabytes);
        memory::ensure(each.chain([self.own.megabytes() + of_engine]), self.jobs)
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

/// A glance's share of the limit of a search for evidence. A glance asks if an unmarked move alone holds.
const GLANCE: f64 = 0.125;
/// Expected points of either side in an open game.
const OPEN: std::ops::RangeInclusive<f64> = 0.1..=0.9;

/// The judge of one thread, with the searches that look at marked moves.
pub(super) struct Analyser<'p> {
    plan: &'p JudgingPlan<'p>,
    judge: Box<dyn Judge>,
    own: Option<OwnJudge>,
    evidence: Option<EvidenceSearch>,
    holder: Guarded<ChessSearcher>,
}

impl<'p> Analyser<'p> {
    /// Makes the searches that a plan names.
    pub(super) fn new(plan: &'p JudgingPlan<'_>) -> Result<Analyser<'p>> {
        let own = OwnJudge::new(&plan.own);
        let (judge, own): (Box<dyn Judge>, _) = match &plan.engine {
            Some(engine) => ((engine.start)()?, Some(own)),
            None => (Box::new(own), None),
        };
        Ok(Analyser {
            judge,
            own,
            evidence: plan.evidence.as_ref().and_then(EvidenceSearch::new),
            holder: plan.holder.for_analysis().guarded(),
            plan,
        })
    }

    /// Judges a part of a game. `tick` gets the effort spent, as in [`passes::verdicts`], averaged over the judges, and may
    /// end the work with an error.
    pub(super) fn judge(
        &mut self,
        asked: &[JudgedPosition<'_>],
        limits: &Limits,
        tick: &mut dyn FnMut(f64) -> Result<()>,
    ) -> Result<Vec<Row>> {
        let judges = if self.own.is_some() { 2.0 } else { 1.0 };
        let mut tick = |spent: f64| tick(spent / judges);
        let judge = self.judge.as_mut();
        let verdicts = passes::verdicts(judge, asked, limits.judge, &mut tick)?;
        let own = match &mut self.own {
            Some(own) => passes::verdicts(own, asked, limits.own, &mut tick)?,
            None => Vec::new(),
        };
        self.add_evidence(asked, verdicts, own, limits)
    }

    /// Grades the moves played, and looks for evidence at marked ones. The searches for evidence share the limits that
    /// `limits` gives all positions for it. `own` has our own search's verdicts if an engine judges.
    fn add_evidence(
        &mut self,
        asked: &[JudgedPosition<'_>],
        verdicts: Vec<PositionVerdict>,
        own: Vec<PositionVerdict>,
        limits: &Limits,
    ) -> Result<Vec<Row>> {
        let both = asked.iter().zip(verdicts);
        let mut rows: Vec<Row> = both.map(|(asked, it)| self.row(asked, it)).collect();
        for ((asked, row), own) in asked.iter().zip(&mut rows).zip(own) {
            row.own = Some(Box::new(self.opinion(asked, own)));
        }
        let marked = rows.iter().filter(|row| is_marked(row)).count();
        let glances = match self.own {
            None => rows.iter().filter(|row| is_glanced_at(row)).count(),
            Some(_) => 0,
        };
        let everywhere = if self.plan.is_everywhere {
            rows.len()
        } else {
            0
        };
        let searches = 3 * marked + (GLANCE * glances as f64).ceil() as usize + everywhere;
        let limit = effort::of_evidence(limits.evidence, rows.len(), searches);
        for (asked, row) in asked.iter().zip(&mut rows) {
            let is_marked = is_marked(row);
            if let Some(evidence) = &mut self.evidence
                && (is_marked || self.plan.is_everywhere)
                && !asked.is_over
            {
                let verdict = std::mem::take(&mut row.verdict);
                row.verdict = evidence.count(&asked.root, limit, self.plan.is_everywhere, verdict);
            }
            if !is_marked {
                self.glance(asked, row, limit.scaled(GLANCE));
                continue;
            }
            let Some(played) = asked.played else {
                continue;
            };
            // Best-first search counts on the scale of our evaluation; an engine's values are on another one.
            let own = row.own.as_ref().map_or(&row.verdict, |it| &it.verdict);
            let best = own.value_for(row.black);
            if let (Some(evidence), Some(best)) = (&mut self.evidence, best) {
                row.verdict.doubt = evidence.doubt(&asked.root, played, best, limit);
            }
            let of_judge = Limit {
                movetime_ms: limit.movetime_ms,
                ..limits.judge
            };
            let mut held = self.judge.held(asked, of_judge)?;
            if held.is_none() && self.own.is_none() {
                held = holding::moves(&mut self.holder, &asked.root, limit);
            }
            if let Some(held) = held {
                row.facts.held = Some(held.written(&asked.root.position));
                self.learn(asked, row, &held);
            }
        }
        Ok(rows)
    }

    /// Looks whether an unmarked move is the only one that holds, if it is the best one and is not expected anyway.
    fn glance(&mut self, asked: &JudgedPosition<'_>, row: &mut Row, limit: Limit) {
        let last = asked.ply.checked_sub(1).map(|last| asked.game.moves[last]);
        let position = &asked.root.position;
        let is_expected = |m| holding::is_expected(position, last, m);
        let is_wanted = is_glanced_at(row)
            && asked.is_best(&row.verdict)
            && !asked.played.is_some_and(is_expected);
        if is_wanted
            && self.own.is_none()
            && let Some(held) = holding::moves(&mut self.holder, &asked.root, limit)
            && held.moves.len() == 1
        {
            self.learn(asked, row, &held);
        }
    }

    /// Takes over how sure it is that no other move holds, and how soon the search found one that does. If the best
    /// move by the verdict is none of those that hold, the search counts as late, and nothing is said of the others.
    fn learn(&self, asked: &JudgedPosition<'_>, row: &mut Row, held: &Held) {
        let position = &asked.root.position;
        let best = row.verdict.best.as_ref();
        if !held.written(position).iter().any(|it| Some(it) == best) {
            row.facts.found = held.found.map(|_| held.nodes.max(holding::LATE));
            return;
        }
        let choices = position.legal_moves().len();
        let has_chance = self.plan.has_chances && self.own.is_none();
        let chance = has_chance.then(|| held.chance(row.black, choices, &row.verdict));
        row.facts.rest = held.rest.map(|it| (it * 1_000.0).round() / 1_000.0);
        row.facts.only = chance.flatten();
        row.facts.found = held.found;
    }

    /// Makes the row of a position, as far as it depends on no other position, and grades the move played. An engine's
    /// verdict gets no chances: none were learnt.
    fn row(&self, asked: &JudgedPosition<'_>, verdict: PositionVerdict) -> Row {
        let Opinion {
            verdict,
            cost,
            chances,
        } = self.opinion(asked, verdict);
        let (game, position) = (asked.game, &asked.root.position);
        let chess960 = is_chess960(&game.start);
        let played = game.moves.get(asked.ply);
        Row {
            game: game.number,
            ply: asked.ply,
            number: position.fullmoves(),
            black: asked.is_black(),
            fen: asked.fen.clone(),
            played: played.map(|&m| WrittenMove::new(position, m, chess960)),
            verdict,
            facts: Facts {
                forced: !asked.is_choice(),
                phase: Some(Phase::of(position, asked.ply)),
                cost,
                chances: chances.filter(|_| self.own.is_none()),
                ..Facts::default()
            },
            ..Row::default()
        }
    }

    /// Adds to a verdict the cost of the move played, and the chances that a stronger judge calls the move a loss, if
    /// they were learnt for our own search.
    fn opinion(&self, asked: &JudgedPosition<'_>, verdict: PositionVerdict) -> Opinion {
        let cost = move_marks::cost(asked.is_black(), &verdict);
        let is_known = self.plan.has_chances && asked.is_choice();
        let is_fact = verdict.played_mate.is_some() || asked.value_at_end().is_some();
        let chances = cost.filter(|_| is_known).map(|cost| {
            let learnt = Chances::of(&Circumstances {
                verdict: &verdict,
                is_black: asked.is_black(),
                cost,
                choices: asked.root.position.legal_moves().len(),
                is_best: asked.is_best(&verdict),
            });
            match is_fact {
                true => learnt.of_proven(cost, verdict.is_proven()),
                false => learnt,
            }
        });
        Opinion {
            chances,
            cost,
            verdict,
        }
    }
}

/// Whether the move played gets a mark, by the judge or by our own search beside it.
fn is_marked(row: &Row) -> bool {
    let own = row.own.as_ref();
    move_marks::of(row).is_some()
        || own.is_some_and(|it| move_marks::mark(it.cost, it.chances.as_ref()).is_some())
}

/// Whether a glance is worth while: the best move was played, there was a choice, and the game is open.
fn is_glanced_at(row: &Row) -> bool {
    let is_open = row.verdict.points().is_some_and(|it| OPEN.contains(&it));
    is_open && !row.facts.forced && row.facts.cost == Some(0.0) && !is_marked(row)
}
