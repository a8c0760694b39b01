//! An engine's output about a position, line by line, up to its `bestmove`.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::time::Instant;

use crate::engine::stopwatch::milliseconds;
use crate::game::Game as _;
use crate::games::chess::notation::parse_uci;
use crate::games::chess::{Move, Position};

/// Most characters shown of an answer that is not a move.
const LONGEST_WORD: usize = 20;

/// An engine's answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// The state of the search at its end.
    pub(crate) progress: EngineProgress,
    /// Its value for the side to move, in centipawns, unless it claims a mate.
    pub(crate) cp: Option<i32>,
    /// Whether the line of the mate that it claims leads to it. `None` if it claims none.
    pub(crate) mate_shown: Option<bool>,
    /// Deepest ply visited.
    pub(crate) seldepth: u32,
    /// The principal variation, beginning with the move; empty if there was none.
    pub(crate) line: Vec<Move>,
    /// Valued moves, the best first, at most as many as were wanted.
    pub(crate) ranking: Vec<Ranked>,
}

/// Progress of an engine's search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EngineProgress {
    /// Its move.
    pub(crate) m: Option<Move>,
    /// Moves to the mate that it claims, negative if the side to move is mated.
    pub(crate) mate: Option<i32>,
    /// Iteration under way or completed.
    pub(crate) iteration: u32,
    /// Nodes visited.
    pub(crate) nodes: u64,
    /// Milliseconds since the search began.
    pub(crate) ms: f64,
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
        start: Instant,
    ) -> Conversation<'a> {
        Conversation {
            position,
            start,
            moves_wanted,
            answer: Answer::default(),
            ranking: BTreeMap::new(),
        }
    }

    /// Reads a line that arrived `at`, and passes what it says of the best move to `follow`. A `bestmove` completes the
    /// answer; the error says why its move cannot be played.
    pub(super) fn read(
        &mut self,
        line: &str,
        at: Instant,
        follow: &mut dyn FnMut(EngineProgress),
    ) -> Option<Result<Answer, String>> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("info") if self.read_info(&mut words) => follow(self.progress(at)),
            Some("bestmove") => {
                let m = self.read_move(words.next());
                let answer = m.map(|m| self.complete(m, at));
                answer.iter().for_each(|it| follow(it.progress));
                return Some(answer);
            }
            _ => {}
        }
        None
    }

    /// Completes the answer with the move of `bestmove`.
    fn complete(&mut self, m: Option<Move>, at: Instant) -> Answer {
        self.answer.progress.m = m;
        self.answer.progress = self.progress(at);
        let mut answer = std::mem::take(&mut self.answer);
        answer.ranking = std::mem::take(&mut self.ranking).into_values().collect();
        if answer.line.first().copied() != m {
            answer.line = m.into_iter().collect();
        }
        answer
    }

    /// The progress so far, `at` this time.
    fn progress(&self, at: Instant) -> EngineProgress {
        EngineProgress {
            ms: milliseconds(at - self.start),
            ..self.answer.progress
        }
    }

    /// Reads an `info` line; returns whether it has a best move.
    fn read_info<'w>(&mut self, words: impl Iterator<Item = &'w str>) -> bool {
        let mut words = words.peekable();
        let mut line = None;
        let mut rank = 1;
        let (mut progress, mut cp) = (self.answer.progress, self.answer.cp);
        let (mut seldepth, mut mate_shown) = (self.answer.seldepth, self.answer.mate_shown);
        while let Some(word) = words.next() {
            match word {
                "string" => break,
                "depth" => number(&mut words, &mut progress.iteration),
                "seldepth" => number(&mut words, &mut seldepth),
                "nodes" => number(&mut words, &mut progress.nodes),
                "multipv" => number(&mut words, &mut rank),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse().ok());
                    cp = value.filter(|_| kind == Some("cp"));
                    progress.mate = value.filter(|_| kind == Some("mate"));
                    // What an earlier `info` line showed does not hold for this value.
                    mate_shown = None;
                }
                "pv" => line = Some(self.read_line(&mut words)),
                _ => {}
            }
        }
        // The value may stand behind the line.
        let mate = progress.mate;
        if let Some(line) = &line {
            mate_shown = mate.map(|mate| shows_mate(self.position, mate, line));
        }
        let line = line.unwrap_or_default();
        let best = line.first().copied();
        if let Some(m) = best.filter(|_| (1..=self.moves_wanted).contains(&rank)) {
            self.ranking.insert(rank, Ranked { m, cp, mate });
        }
        if rank != 1 {
            return false;
        }
        let answer = &mut self.answer;
        (answer.progress, answer.cp) = (progress, cp);
        (answer.seldepth, answer.mate_shown) = (seldepth, mate_shown);
        if best.is_some() {
            answer.line = line;
            answer.progress.m = best;
        }
        best.is_some()
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

/// Reads the next word into `to` if it is a number.
fn number<'w, N: std::str::FromStr>(words: &mut impl Iterator<Item = &'w str>, to: &mut N) {
    if let Some(number) = words.next().and_then(|word| word.parse().ok()) {
        *to = number;
    }
}

/// Whether `line` is a mate in `mate` moves (negative: the side to move is mated).
pub(crate) fn shows_mate(position: &Position, mate: i32, line: &[Move]) -> bool {
    let plies = 2 * mate.unsigned_abs() as usize - usize::from(mate > 0);
    let mut position = position.clone();
    for &m in line {
        if !position.legal_moves().contains(&m) {
            return false;
        }
        position.play(m);
    }
    line.len() == plies && position.in_check() && !position.has_legal_move()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::parse_fen;

    /// Answer of an engine about the initial position: value, mate, iteration, nodes, and plies of its line.
    fn heard(info: &str) -> (Option<i32>, Option<i32>, u32, u64, usize) {
        let (start, position) = (Instant::now(), Position::initial());
        let mut conversation = Conversation::new(&position, 1, start);
        let mut read = |line| conversation.read(line, start, &mut |_| ());
        assert!(read(info).is_none());
        let answer = read("bestmove e2e4").unwrap().unwrap();
        let EngineProgress {
            mate,
            iteration,
            nodes,
            ..
        } = answer.progress;
        (answer.cp, mate, iteration, nodes, answer.line.len())
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
            let mut conversation = Conversation::new(&position, 1, start);
            let mut read = |line| conversation.read(line, start, &mut |_| ());
            read(info);
            let answer = read("bestmove a1a8").unwrap().unwrap();
            assert_eq!(answer.mate_shown, shown, "{info}");
        }
    }
}
