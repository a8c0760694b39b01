//! A UCI engine that gives verdicts.
//!
//! It searches a position and then, if it prefers another move than was played, the position after the move played,
//! one ply less deep. The cost of the move is the difference of the two
//! values, which so look equally far ahead. `searchmoves` would do the same, but not every engine knows it.

use anyhow::Result;

use super::holding::{Held, MOST};
use super::judge::{Judge, Question, sign};
use super::verdict::Verdict;
use crate::engine::limit::Limit;
use crate::game::{Game as _, Root};
use crate::games::chess::line::{WrittenLine, WrittenMove, playable};
use crate::games::chess::notation::{is_chess960, to_san};
use crate::games::chess::pgn::PgnGame;
use crate::games::chess::{Move, Position};
use crate::suite::conversation::Answer;
use crate::suite::engine::{Asked, Engine};
use crate::value::Value;
use crate::wdl;

/// Share of a position's limit for the position itself; the rest is for the position after the move played.
const OWN_SHARE: f64 = 0.75;
/// Longest mate that is believed, in moves. Searches have not proven longer ones.
const FARTHEST_MATE: i32 = Value::MAX_PLIES as i32 / 2;

/// The engine.
pub(super) struct Foreign {
    engine: Engine,
    /// Whether it has had `ucinewgame` for the game being judged.
    is_same_game: bool,
}

impl Foreign {
    /// Judges by an engine that has been started.
    pub(super) const fn new(engine: Engine) -> Foreign {
        Foreign {
            engine,
            is_same_game: false,
        }
    }

    /// Searches the position after `ply` plies of the game, with `multipv` lines.
    fn ask(
        &mut self,
        game: &PgnGame,
        ply: usize,
        position: &Position,
        limit: &Limit,
        moves_wanted: usize,
    ) -> Result<Answer> {
        let first = ply.saturating_sub(position.reversible_plies());
        let (before, since) = game.moves[..ply].split_at(first);
        let mut start = game.start.clone();
        before.iter().for_each(|&m| start.play_recorded(m));
        let asked = Asked {
            position,
            start: &start,
            moves: since,
            is_same_game: self.is_same_game,
            moves_wanted,
        };
        let answer = self.engine.ask(&asked, None, limit)?;
        self.is_same_game = true;
        Ok(answer)
    }

    /// Searches the position after the move played: its answer, the line from there, and the value of the move to its
    /// mover.
    fn played(
        &mut self,
        question: &Question<'_>,
        played: Move,
        limit: &Limit,
    ) -> Result<(Verdict, Vec<Move>, Worth)> {
        let mut after = question.root.clone();
        after.play_recorded(played);
        if let Some(worth) = Worth::at_end(&after) {
            return Ok((Verdict::default(), Vec::new(), worth.of_mover()));
        }
        let answer = self.ask(question.game, question.ply + 1, &after.position, limit, 1)?;
        let worth = Worth::of(&answer).of_mover();
        let line = answer.line.clone();
        Ok((told(&after, answer), line, worth))
    }
}

impl Judge for Foreign {
    fn new_game(&mut self) {
        self.is_same_game = false;
    }

    /// All of the effort: an engine's costs came nearest to those at ten times the nodes so (lab/docs/judging.md).
    /// Doubtful moves get what clear ones leave.
    fn first_pass(&self) -> f64 {
        1.0
    }

    fn judge(&mut self, question: &Question<'_>) -> Result<Verdict> {
        let (root, limit) = (question.root, question.limit);
        let own = match question.played {
            Some(_) => limit.scaled(OWN_SHARE),
            None => limit,
        };
        let answer = self.ask(question.game, question.ply, &root.position, &own, 1)?;
        let mut verdict = told(root, answer);
        let Some(played) = question.played else {
            return Ok(verdict);
        };
        let san = to_san(&root.position, played);
        let is_best = verdict.best.as_ref().is_some_and(|best| best.san == san);
        if verdict.failure.is_some() || is_best {
            (verdict.played_cp, verdict.played_mate) = (verdict.cp, verdict.mate);
            return Ok(verdict);
        }
        let left = Limit {
            depth: Some(verdict.iteration.saturating_sub(1).max(1)),
            ..limit.less(verdict.nodes, verdict.ms)
        };
        let (told, line, worth) = self.played(question, played, &left)?;
        verdict.nodes += told.nodes;
        verdict.ms += told.ms;
        verdict.failure = told.failure;
        let sign = sign(&root.position);
        verdict.played_cp = worth.cp.map(|cp| sign * cp);
        verdict.played_mate = worth.mate.map(|mate| sign * mate);
        let of_mover = |it: Option<Value>| it.map(|it| if sign < 0 { -it } else { it });
        if of_mover(verdict.played_for_white()) > of_mover(verdict.value_for_white()) {
            // After this search the move played is the best one.
            (verdict.cp, verdict.mate) = (verdict.played_cp, verdict.played_mate);
            let line: Vec<Move> = [played].into_iter().chain(line).collect();
            (verdict.best, verdict.line) = written(root, &line);
        }
        Ok(verdict)
    }

    fn held(&mut self, question: &Question<'_>) -> Result<Option<Held>> {
        let position = &question.root.position;
        let answer = self.ask(question.game, question.ply, position, &question.limit, MOST)?;
        let ranking = answer.ranking.iter();
        let moves = ranking.filter_map(|it| Some((it.m, Worth::new(it.cp, it.mate).points()?)));
        Ok(Held::among(&moves.collect::<Vec<_>>()))
    }
}

/// A value for the side to move: centipawns or moves to mate; neither if the engine gave none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Worth {
    cp: Option<i32>,
    mate: Option<i32>,
}

impl Worth {
    /// Makes a value of an engine's score, clamped to what is possible.
    fn new(cp: Option<i32>, mate: Option<i32>) -> Worth {
        let most = i32::from(Value::MAX_CENTIPAWNS);
        let mate = mate.filter(|&it| it != 0);
        Worth {
            cp: cp.map(|it| it.clamp(-most, most)),
            mate: mate.map(|it| it.clamp(-FARTHEST_MATE, FARTHEST_MATE)),
        }
    }

    fn of(answer: &Answer) -> Worth {
        Worth::new(answer.outcome.cp, answer.outcome.mate)
    }

    /// Expected points by Cassius's model.
    fn points(self) -> Option<f64> {
        let Worth { cp, mate } = self;
        let verdict = Verdict {
            cp,
            mate,
            ..Verdict::default()
        };
        verdict.value_for_white().map(wdl::points)
    }

    /// Value of a finished game, which no engine is asked about.
    fn at_end(root: &Root<Position>) -> Option<Worth> {
        if root.position.outcome() == Some(Value::LOSS) {
            return Some(Worth {
                cp: None,
                mate: Some(0),
            });
        }
        let is_drawn = root.position.outcome().is_some() || is_third_time(root);
        is_drawn.then_some(Worth {
            cp: Some(0),
            mate: None,
        })
    }

    /// The same value for the mover, one ply earlier.
    fn of_mover(self) -> Worth {
        Worth {
            cp: self.cp.map(|it| -it),
            mate: self.mate.map(|it| if it > 0 { -it } else { 1 - it }),
        }
    }
}

/// Whether the root has occurred three times in the game.
fn is_third_time(root: &Root<Position>) -> bool {
    let key = root.position.key();
    root.history.iter().filter(|&&it| it == key).count() >= 2
}

/// Makes a verdict of an engine's answer; a failure if it has no value.
fn told(root: &Root<Position>, answer: Answer) -> Verdict {
    let worth = Worth::of(&answer);
    let outcome = answer.outcome;
    let sign = sign(&root.position);
    let is_silent = worth == Worth::default();
    let nothing = || is_silent.then(|| "the engine gave a move without a value".to_owned());
    let (best, line) = written(root, &answer.line);
    Verdict {
        best,
        line,
        cp: worth.cp.map(|cp| sign * cp),
        mate: worth.mate.map(|mate| sign * mate),
        iteration: outcome.iteration,
        nodes: outcome.nodes,
        ms: outcome.ms,
        failure: outcome.failure.or_else(nothing),
        ..Verdict::default()
    }
}

/// First move of a line, and the line in SAN.
fn written(root: &Root<Position>, line: &[Move]) -> (Option<WrittenMove>, String) {
    let position = &root.position;
    let chess960 = is_chess960(position);
    let best = line.first();
    let best = best.map(|&m| WrittenMove::new(position, m, chess960));
    let line = playable(root, line);
    (best, WrittenLine::new(position, &line).san)
}
