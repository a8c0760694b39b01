//! An engine's output about a position, line by line, up to its `bestmove`.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::time::Instant;

use super::epd::Record;
use super::player::{Tracker, shows_mate};
use super::results::{Moment, Outcome};
use crate::engine::stopwatch::milliseconds;
use crate::game::Game as _;
use crate::games::chess::notation::{parse_uci, to_san};
use crate::games::chess::{Move, Position};

/// Most characters shown of an answer that is not a move.
const LONGEST_WORD: usize = 20;

/// An engine's answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// The answer in the form that results of suites have.
    pub(crate) outcome: Outcome,
    /// The principal variation, beginning with the move; empty if there was none.
    pub(crate) line: Vec<Move>,
    /// Valued moves, the best first, at most as many as were wanted.
    pub(crate) ranking: Vec<Ranked>,
}

/// A move with its value for the side that makes it: centipawns, or moves to a mate (negative: against that side).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked {
    pub(crate) m: Move,
    pub(crate) cp: Option<i32>,
    pub(crate) mate: Option<i32>,
}

/// An engine's output about a position so far.
pub(super) struct Conversation<'a> {
    position: &'a Position,
    start: Instant,
    pub(super) tracker: Tracker<'a>,
    moves_wanted: usize,
    /// The answer so far, without the ranking.
    answer: Answer,
    /// Valued moves by `multipv` number.
    ranking: BTreeMap<usize, Ranked>,
}

impl<'a> Conversation<'a> {
    /// A conversation about a position, to value `moves_wanted` moves, in a search begun at `start`.
    pub(super) fn new(
        position: &'a Position,
        moves_wanted: usize,
        wanted: Option<&'a Record>,
        start: Instant,
    ) -> Conversation<'a> {
        Conversation {
            position,
            start,
            tracker: Tracker::new(wanted),
            moves_wanted,
            answer: Answer::default(),
            ranking: BTreeMap::new(),
        }
    }

    /// Reads a line that arrived `at`. A `bestmove` completes the answer; the error says why its move
    /// cannot be played.
    pub(super) fn hear(&mut self, line: &str, at: Instant) -> Option<Result<Answer, String>> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("info") => self.hear_info(words, at),
            Some("bestmove") => {
                let m = self.read_move(words.next());
                return Some(m.map(|m| self.complete(m, at)));
            }
            _ => {}
        }
        None
    }

    /// Completes the answer with the move of `bestmove`.
    fn complete(&mut self, m: Option<Move>, at: Instant) -> Answer {
        self.track(m, at);
        let mut answer = std::mem::take(&mut self.answer);
        answer.ranking = std::mem::take(&mut self.ranking).into_values().collect();
        if answer.line.first().copied() != m {
            answer.line = m.into_iter().collect();
        }
        let outcome = &mut answer.outcome;
        outcome.ms = milliseconds(at - self.start);
        outcome.best_move = m.map(|m| to_san(self.position, m));
        outcome.solution = self.tracker.solution;
        outcome.solved = outcome.solution.is_some();
        answer
    }

    /// Notes that the answer is this move, `at` this time.
    fn track(&mut self, m: Option<Move>, at: Instant) {
        let so_far = &self.answer.outcome;
        let moment = Moment {
            ms: milliseconds(at - self.start),
            nodes: so_far.nodes,
            iteration: so_far.iteration,
        };
        self.tracker.answer(m, so_far.mate, moment);
    }

    fn hear_info<'w>(&mut self, words: impl Iterator<Item = &'w str>, at: Instant) {
        let mut words = words.peekable();
        let mut line = None;
        let mut place = 1;
        let mut heard = self.answer.outcome.clone();
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "depth" => number(&mut words, &mut heard.iteration),
                "seldepth" => number(&mut words, &mut heard.seldepth),
                "nodes" => number(&mut words, &mut heard.nodes),
                "multipv" => number(&mut words, &mut place),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse().ok());
                    heard.cp = value.filter(|_| kind == Some("cp"));
                    heard.mate = value.filter(|_| kind == Some("mate"));
                    // What an earlier `info` line showed does not hold for this value.
                    heard.mate_shown = None;
                }
                "pv" => line = Some(self.read_line(&mut words)),
                _ => {}
            }
        }
        // The value may stand behind the line.
        if let Some(line) = &line {
            let mate = heard.mate;
            heard.mate_shown = mate.map(|mate| shows_mate(self.position, mate, line));
        }
        let line = line.unwrap_or_default();
        let best = line.first().copied();
        if let Some(m) = best.filter(|_| (1..=self.moves_wanted).contains(&place)) {
            let (cp, mate) = (heard.cp, heard.mate);
            self.ranking.insert(place, Ranked { m, cp, mate });
        }
        if place != 1 {
            return;
        }
        self.answer.outcome = heard;
        if best.is_some() {
            self.answer.line = line;
            self.track(best, at);
        }
    }

    /// The moves of a line, as far as they are legal. The word behind them stays.
    fn read_line<'w>(&self, words: &mut Peekable<impl Iterator<Item = &'w str>>) -> Vec<Move> {
        let mut position = self.position.clone();
        let mut line = Vec::new();
        while let Some(m) = words.peek().and_then(|it| parse_uci(&position, it).ok()) {
            words.next();
            position.play(m);
            line.push(m);
        }
        line
    }

    /// The move of `bestmove`; `None` only if the position has no legal move.
    fn read_move(&self, word: Option<&str>) -> Result<Option<Move>, String> {
        let position = self.position;
        if position.legal_moves().is_empty() {
            return Ok(None);
        }
        let word = word.ok_or("'bestmove' has nothing behind it")?;
        // Cut: a word that is no move may be very long.
        let word: String = word.chars().take(LONGEST_WORD).collect();
        let m = parse_uci(position, &word).map_err(|error| error.to_string())?;
        Ok(Some(m))
    }
}

/// Reads the next word into `place` if it is a number.
fn number<'w, N: std::str::FromStr>(words: &mut impl Iterator<Item = &'w str>, place: &mut N) {
    if let Some(number) = words.next().and_then(|word| word.parse().ok()) {
        *place = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::parse_fen;

    /// Answer of an engine about the initial position: value, mate, iteration, nodes, and plies of its line.
    fn heard(info: &str) -> (Option<i32>, Option<i32>, u32, u64, usize) {
        let (start, position) = (Instant::now(), Position::initial());
        let mut conversation = Conversation::new(&position, 1, None, start);
        assert!(conversation.hear(info, start).is_none());
        let answer = conversation.hear("bestmove e2e4", start).unwrap().unwrap();
        let Outcome {
            cp,
            mate,
            iteration,
            nodes,
            ..
        } = answer.outcome;
        (cp, mate, iteration, nodes, answer.line.len())
    }

    #[test]
    fn the_line_may_stand_anywhere() {
        for info in [
            "info depth 7 score cp 31 nodes 12 pv e2e4 e7e5",
            "info depth 7 pv e2e4 e7e5 score cp 31 nodes 12",
            "info pv e2e4 e7e5 depth 7 nodes 12 score cp 31",
            "info pv e2e4 e7e5 depth 7 score cp 31 lowerbound nodes 12 string pv d2d4",
            // A line is read up to its first illegal move.
            "info multipv 1 pv e2e4 e7e5 e4e5 a1a1 depth 7 nodes 12 score cp 31",
        ] {
            assert_eq!(heard(info), (Some(31), None, 7, 12, 2), "{info}");
        }
        let (cp, mate, ..) = heard("info pv e2e4 score mate 3 depth 4");
        assert_eq!((cp, mate), (None, Some(3)));
    }

    #[test]
    fn a_mate_is_shown_wherever_its_value_stands() {
        let position = parse_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1").unwrap();
        for (info, shown) in [
            ("info pv a1a8 score mate 1", Some(true)),
            ("info score mate 1 pv a1a8", Some(true)),
            ("info pv a1a7 score mate 1", Some(false)),
            ("info pv a1a7 score cp 1", None),
        ] {
            let start = Instant::now();
            let mut conversation = Conversation::new(&position, 1, None, start);
            conversation.hear(info, start);
            let answer = conversation.hear("bestmove a1a8", start).unwrap().unwrap();
            assert_eq!(answer.outcome.mate_shown, shown, "{info}");
        }
    }
}
