//! Judges, who give verdicts on positions: a search of ours, or another engine.

use anyhow::Result;

use super::effort::Effort;
use super::holding::Held;
use super::record::Header;
use super::verdict::PositionVerdict;
use crate::engine::analyst::{Analyst, Known, PositionProfile, Sureness, give_or_take};
use crate::engine::fault::Guarded;
use crate::engine::limit::Limit;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::engine::stopwatch::Stopwatch;
use crate::game::{Game as _, Root};
use crate::games::chess::line::{WrittenLine, WrittenMove, moves_of, parsed, playable};
use crate::games::chess::notation::to_san;
use crate::games::chess::pgn::PgnGame;
use crate::games::chess::{Move, Position, Quiescence};
use crate::output::provenance::Provenance;
use crate::profile::Profile;
use crate::search::{Limits, PREPARATION, Report};
use crate::value::Value;
use crate::version;

/// A position of a game, to be judged.
pub(super) struct JudgedPosition<'g> {
    /// The game: an engine is given moves, not a position.
    pub(super) game: &'g PgnGame,
    /// The position, a FEN.
    pub(super) fen: String,
    /// The position, with the game before it. Past the fifty-move mark it counts fewer plies, as nobody claims the draw.
    pub(super) root: Root<Position>,
    /// Moves played before.
    pub(super) ply: usize,
    /// The move played; `None` at the end, and for a null move.
    pub(super) played: Option<Move>,
    /// Whether the game is drawn here by rule, so that nothing is searched.
    pub(super) is_over: bool,
}

impl JudgedPosition<'_> {
    pub(super) fn is_black(&self) -> bool {
        self.root.position.is_black_to_move()
    }

    /// The value for the mover of a move played that leaves no reply or no material to mate with; `None` if the game
    /// goes on.
    pub(super) fn value_at_end(&self) -> Option<Value> {
        let after = self.root.position.after(self.played?);
        let is_over = !after.has_legal_move() || after.is_insufficient_material();
        after.outcome().filter(|_| is_over).map(Value::from_child)
    }

    /// The line that begins with the move played and goes on with `rest`, a line from the position after it.
    pub(super) fn with_played(&self, rest: &str) -> String {
        let Some(played) = self.played else {
            return String::new();
        };
        let own = WrittenLine::new(&self.root.position, &[played]).san;
        // After a move of White the number of the rest's first move is written already.
        let is_repeated = |word: &str| !self.is_black() && word.ends_with("...");
        let rest = rest.split_whitespace().skip_while(|it| is_repeated(it));
        std::iter::once(own.as_str())
            .chain(rest)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Takes the move played for the best one of a verdict if it is proven to win and no other sooner, or if it is the
    /// only one. `line` begins with it.
    pub(super) fn prefer_played(&self, verdict: &mut PositionVerdict, line: &str) {
        let of_played = verdict.of_played().value_for(self.is_black());
        let Some(value) = of_played.filter(|it| it.is_decided()) else {
            return;
        };
        let is_better = value.is_win() && of_played > verdict.value_for(self.is_black());
        if is_better || !self.is_choice() {
            let position = &self.root.position;
            let known = Known::by(&self.root, value, &parsed(position, line), &[]);
            let line = WrittenLine::new(position, &known.line);
            let told = PositionVerdict::valued(self.is_black(), known.value, known.is_at_most);
            verdict.replace(told, first_of(&line), line.san);
        }
    }

    /// Whether the move played is the best one by a verdict.
    pub(super) fn is_best(&self, verdict: &PositionVerdict) -> bool {
        let san = self.played.map(|it| to_san(&self.root.position, it));
        san.is_some() && verdict.best.as_ref().map(|it| &it.san) == san.as_ref()
    }

    /// Whether there are two legal moves or more.
    pub(super) fn is_choice(&self) -> bool {
        self.root.position.legal_moves().len() > 1
    }
}

/// Gives verdicts on positions.
pub(super) trait Judge {
    /// Forgets everything, so that verdicts on the next part of a game do not depend on earlier ones.
    fn new_game(&mut self);

    /// Judges a position and the move played in it ([`PositionVerdict::played_cp`]) by one measure, with `limit` for
    /// both together. Positions come from the last to the first, so that results of later ones help; some come again
    /// with a larger limit.
    fn judge(&mut self, asked: &JudgedPosition<'_>, limit: Limit) -> Result<PositionVerdict> {
        let Some(played) = asked.played else {
            return self.position(asked, limit);
        };
        let own = limit.scaled(self.own_share());
        let mut verdict = self.position(asked, own)?;
        if let Some(end) = asked.value_at_end() {
            verdict.set_played(&PositionVerdict::valued(asked.is_black(), end, false));
            asked.prefer_played(&mut verdict, &asked.with_played(""));
            return Ok(verdict);
        }
        if verdict.failure.is_some() || asked.is_best(&verdict) {
            verdict.set_played(&verdict.clone());
            return Ok(verdict);
        }
        let left = limit.less(verdict.nodes, verdict.ms);
        let told = self.played(asked, played, left, &mut verdict)?;
        verdict.nodes += told.nodes;
        verdict.ms += told.ms;
        verdict.failure = told.failure;
        asked.prefer_played(&mut verdict, &told.line);
        Ok(verdict)
    }

    /// Judges a position alone.
    fn position(&mut self, asked: &JudgedPosition<'_>, limit: Limit) -> Result<PositionVerdict>;

    /// Adds the value of the move played, which is not the best one, to the verdict on its position. Returns the
    /// verdict of the search that gave this value.
    fn played(
        &mut self,
        asked: &JudgedPosition<'_>,
        played: Move,
        limit: Limit,
        verdict: &mut PositionVerdict,
    ) -> Result<PositionVerdict>;

    /// Share of a position's limit for the search of the position; the rest is for the move played.
    fn own_share(&self) -> f64;

    /// Share of a position's limit for the first pass over a part of a game; the rest is for doubtful moves.
    fn first_pass(&self) -> f64 {
        0.5
    }

    /// The moves that hold in a position ([`holding`](super::holding)), the best first; `None` if the judge leaves
    /// that to our own search.
    fn held(&mut self, _: &JudgedPosition<'_>, _: Limit) -> Result<Option<Held>> {
        Ok(None)
    }
}

/// A search of ours.
pub(super) enum OwnJudge {
    /// A search that says how sure its value is.
    Analyst(Box<Analyst>),
    /// Another search of ours, with its evaluation.
    Search(Guarded<ChessSearcher>, Box<Quiescence>),
}

/// Header of a record by a search with these settings. The caller fills in file, name of the search and memory.
pub(super) fn header(settings: &EngineSettings, effort: Effort, command: String) -> Header {
    let (limit, seconds_a_game) = effort.stated();
    Header {
        cassius: version::NUMBER.to_owned(),
        network: settings.network_checksum().map(str::to_owned),
        limit,
        seconds_a_game,
        margin: Some(settings.sureness_margin),
        provenance: Provenance::here(command),
        ..Header::default()
    }
}

impl OwnJudge {
    /// Makes the search.
    pub(super) fn new(settings: &EngineSettings) -> OwnJudge {
        match Analyst::new(settings) {
            Ok(analyst) => OwnJudge::Analyst(Box::new(analyst)),
            Err(_) => OwnJudge::Search(
                settings.for_analysis().guarded(),
                Box::new(settings.evaluator()),
            ),
        }
    }
}

impl Judge for OwnJudge {
    fn new_game(&mut self) {
        match self {
            OwnJudge::Analyst(analyst) => {
                analyst.clear();
                analyst.prepare(PREPARATION);
            }
            OwnJudge::Search(searcher, _) => {
                searcher.get().clear();
                searcher.get().prepare(PREPARATION);
            }
        }
    }

    fn position(&mut self, asked: &JudgedPosition<'_>, limit: Limit) -> Result<PositionVerdict> {
        Ok(self.search(&asked.root, limit, Limits::default()))
    }

    fn played(
        &mut self,
        asked: &JudgedPosition<'_>,
        played: Move,
        limit: Limit,
        verdict: &mut PositionVerdict,
    ) -> Result<PositionVerdict> {
        // To the same depth, so that the difference of the two values is the move's cost. Only a proven mate may be
        // found at a depth that tells nothing of other moves.
        let depth = verdict.iteration.max(1);
        let alone = Limits {
            search_moves: vec![played],
            iterations: (!verdict.is_proven()).then_some(depth),
            ..Limits::default()
        };
        let told = self.search(&asked.root, limit, alone);
        verdict.set_played(&told);
        Ok(told)
    }

    /// Nearly all: the position after the move played has just been searched.
    fn own_share(&self) -> f64 {
        0.95
    }
}

impl OwnJudge {
    /// Searches a position within `limit`; moves and iterations are those of `limits`, if given.
    fn search(
        &mut self,
        root: &Root<Position>,
        limit: Limit,
        limits: Limits<Move>,
    ) -> PositionVerdict {
        let position = &root.position;
        let kept = limit.kept_by_search();
        let limits = Limits {
            nodes: kept.nodes,
            iterations: limits.iterations.or(kept.iterations),
            ..limits
        };
        let mut clock = Stopwatch::start(&limit);
        let told = match self {
            OwnJudge::Analyst(analyst) => {
                let profile = analyst.profile(root, &limits, &mut clock);
                profile.map(|it| profiled(position, it))
            }
            OwnJudge::Search(searcher, evaluator) => searcher.search(position, |it| {
                let report = it.search(root, &limits, &mut clock);
                PositionVerdict {
                    give_or_take: give_or_take(evaluator, position, &report),
                    ..reported(root, &report, &limits.search_moves)
                }
            }),
        };
        let ms = clock.ms();
        let verdict = told.unwrap_or_else(|fault| PositionVerdict {
            failure: Some(fault.to_string()),
            ..PositionVerdict::default()
        });
        PositionVerdict { ms, ..verdict }
    }
}

/// Makes a verdict of a profile.
fn profiled(position: &Position, profile: PositionProfile) -> PositionVerdict {
    let is_black = position.is_black_to_move();
    let value = PositionVerdict::valued(is_black, profile.sureness.value(), profile.mate_at_most);
    let known = match &profile.sureness {
        Sureness::Counted(told) => counted(is_black, told, profile.iteration, value),
        Sureness::Priced(told) => {
            let [price_lower, price_higher] =
                for_white(is_black, told.price_below, told.price_above);
            PositionVerdict {
                demand: Some(profile.iteration),
                price_lower,
                price_higher,
                ..value
            }
        }
    };
    let best = first_of(&profile.line);
    PositionVerdict {
        best,
        give_or_take: profile.give_or_take,
        outlook: profile.outlook,
        iteration: profile.iteration,
        nodes: profile.nodes,
        line: profile.line.san,
        ..known
    }
}

/// Adds to a verdict the conspiracy numbers of a search that completed the iteration `threshold`.
pub(super) fn counted(
    is_black: bool,
    told: &Profile<WrittenLine>,
    threshold: u32,
    verdict: PositionVerdict,
) -> PositionVerdict {
    let [lower, higher] = for_white(is_black, told.below, told.above);
    let by_margin = told.by_margin;
    let [margin_lower, margin_higher] = for_white(
        is_black,
        by_margin.and_then(|it| it.worse),
        by_margin.and_then(|it| it.better),
    );
    PositionVerdict {
        confidence: Some(threshold),
        lower,
        higher,
        margin_lower,
        margin_higher,
        other_move: by_margin.and_then(|it| it.other_move),
        max_cn: told.max_cn,
        min_cn: told.min_cn,
        ..verdict
    }
}

/// Turns a pair for the mover's lower and higher values into one for White's.
fn for_white<T>(is_black: bool, below: T, above: T) -> [T; 2] {
    if is_black {
        [above, below]
    } else {
        [below, above]
    }
}

/// Makes a verdict of the report of a search without conspiracy numbers.
fn reported(root: &Root<Position>, report: &Report<Move>, moves: &[Move]) -> PositionVerdict {
    let known = Known::of(root, report, moves);
    let line = WrittenLine::new(&root.position, &known.line);
    PositionVerdict {
        best: first_of(&line),
        iteration: report.iteration,
        nodes: report.nodes,
        line: line.san,
        ..PositionVerdict::valued(
            root.position.is_black_to_move(),
            known.value,
            known.is_at_most,
        )
    }
}

/// First move of the playable part of a line, and that part in SAN.
pub(super) fn written(root: &Root<Position>, line: &[Move]) -> (Option<WrittenMove>, String) {
    let line = WrittenLine::new(&root.position, &playable(root, line));
    (first_of(&line), line.san)
}

/// First move of a written line.
pub(super) fn first_of(line: &WrittenLine) -> Option<WrittenMove> {
    let san = moves_of(&line.san).next()?.to_owned();
    let uci = line.uci.first()?.clone();
    Some(WrittenMove { san, uci })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::spec::SearchSpec;
    use crate::games::chess::Evaluation;

    /// Page faults would use up the time of the first position judged, the end of the game.
    #[test]
    fn a_judge_has_its_memory_before_the_first_clock_runs() {
        let search: SearchSpec = "depth-first".parse().unwrap();
        let settings = search.settings(Evaluation::Tactical, 16);
        let mut judge = OwnJudge::new(&settings);
        judge.new_game();
        let OwnJudge::Analyst(analyst) = &mut judge else {
            panic!("depth-first search says how sure it is");
        };
        // This touches at most four MiB of memory that is not resident.
        assert!(analyst.prepare(Duration::ZERO), "all is resident");
    }
}
