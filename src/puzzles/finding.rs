//! The search for puzzles in a game.

use crate::engine::fault::{Fault, Guarded};
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::game::{Game as _, Root};
use crate::games::chess::line::{WrittenLine, WrittenMove, boards, playable};
use crate::games::chess::notation::{is_chess960, to_fen, to_uci};
use crate::games::chess::pgn::PgnGame;
use crate::games::chess::{Move, Position};
use crate::search::registry::Algorithm;
use crate::search::{Limits, Observer, Occasion, Report};
use crate::value::Value;
use crate::wdl;

/// Fewest points with the best move: below, the game is lost.
const LOST: f64 = 0.1;
/// Most points with the second best move: above, the game is won anyway.
const WON: f64 = 0.9;
/// Fraction of its nodes after which alpha-beta finds a move late.
const LATE: f64 = 0.5;
/// Least demand for a move that is not obvious.
const LEAST_GRADE: u32 = 3;
/// Fraction of the gap required at first: the values are rough, and longer searches decide.
const FIRST_LOOK: f64 = 0.75;
/// Iterations to be completed with the move after the one that found it.
const SPARE: u32 = 1;
/// Factor of effort when the best move and the others are searched apart.
const LONGER: u64 = 10;
/// Longest line shown, in plies.
const LONGEST_LINE: usize = 8;

/// A position in which one move is better than all others.
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    /// Number of the game in the file, from 1.
    pub game: usize,
    /// The players: `White - Black`.
    pub players: String,
    pub fen: String,
    /// Number of the move, as in notation.
    pub number: u32,
    /// Whether Black is to move.
    pub black: bool,
    pub best: WrittenMove,
    /// All legal moves, in UCI's coordinate notation.
    pub legal: Vec<String>,
    /// The line that begins with the best move.
    pub line: WrittenLine,
    /// The boards after each move of that line, as in FEN.
    pub boards: Vec<String>,
    /// Values of the best move and of the second best, for the side to move.
    pub values: [Value; 2],
    pub second: WrittenMove,
    /// The demand at which depth-first search finds the move.
    pub grade: u32,
    /// Fraction of depth-first search's nodes at which alpha-beta has the move for good; `None` if never.
    pub alpha_beta: Option<f64>,
}

/// The terms for puzzles.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Terms {
    /// Visit at most N positions in each search, one for most positions of a game; ten times as many to make sure of a puzzle
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 100_000,
               value_parser = clap::value_parser!(u64).range(1..)))]
    pub nodes: u64,
    /// How much better than all others the best move has to be, in points: a win is 1, a draw 0.5
    #[cfg_attr(feature = "cli", arg(long, value_name = "POINTS", default_value_t = 0.2, value_parser = parse_gap))]
    pub gap: f64,
    /// Memory for each search's table; there are two
    #[cfg_attr(feature = "cli", arg(long = "hash", value_name = "MIB", value_parser = crate::engine::memory::parse_hash,
               default_value_t = crate::search::registry::Settings::default().hash_megabytes))]
    pub hash_megabytes: usize,
}

/// Parses a gap: more than 0, and at most a whole point.
#[cfg(feature = "cli")]
fn parse_gap(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(gap) if gap > 0.0 && gap <= 1.0 => Ok(gap),
        _ => Err("expected points, more than 0 and at most 1".to_owned()),
    }
}

/// Finds puzzles.
pub(crate) struct Finder {
    terms: Terms,
    conspiracy: Guarded<ChessSearcher>,
    alpha_beta: Guarded<ChessSearcher>,
}

impl Terms {
    /// Settings of one of the two searches.
    pub fn settings(&self, algorithm: Algorithm) -> EngineSettings {
        let mut settings = EngineSettings::default();
        settings.search.algorithm = algorithm;
        settings.search.hash_megabytes = self.hash_megabytes;
        settings
    }
}

impl Finder {
    /// A finder with these terms.
    pub(crate) fn new(terms: Terms) -> Finder {
        let guarded = |algorithm| terms.settings(algorithm).guarded();
        Finder {
            conspiracy: guarded(Algorithm::DepthFirst),
            alpha_beta: guarded(Algorithm::AlphaBeta),
            terms,
        }
    }

    /// The puzzles of a game, in order, passed to `tell` with faults of searches; `tell` returns whether to go on.
    /// Positions on the line of a puzzle are skipped.
    pub(crate) fn find(
        &mut self,
        pgn: &PgnGame,
        mut tell: impl FnMut(Result<Puzzle, Fault>) -> bool,
    ) -> bool {
        let mut root = Root::new(pgn.start.clone());
        let mut expected: Vec<String> = Vec::new();
        let chess960 = is_chess960(&pgn.start);
        for ply in 0..=pgn.moves.len() {
            let last = ply.checked_sub(1).map(|last| pgn.moves[last]);
            if expected.is_empty() {
                match self.puzzle(&root, last) {
                    Ok(None) => {}
                    Ok(Some(puzzle)) => {
                        expected = puzzle.line.uci.iter().rev().cloned().collect();
                        let puzzle = Puzzle {
                            game: pgn.number,
                            players: players(pgn),
                            ..puzzle
                        };
                        if !tell(Ok(puzzle)) {
                            return false;
                        }
                    }
                    Err(fault) => {
                        if !tell(Err(fault)) {
                            return false;
                        }
                    }
                }
            }
            if let Some(&m) = pgn.moves.get(ply) {
                if expected.pop() != Some(to_uci(m, chess960)) {
                    expected.clear();
                }
                root.play_recorded(m);
            }
        }
        true
    }

    /// The puzzle in a position, reached by `last`; without the game's data.
    fn puzzle(
        &mut self,
        root: &Root<Position>,
        last: Option<Move>,
    ) -> Result<Option<Puzzle>, Fault> {
        let position = &root.position;
        let moves = position.legal_moves();
        if position.outcome().is_some() || moves.len() < 2 {
            return Ok(None);
        }
        let limits = Limits {
            multipv: 2,
            ..Limits::nodes(self.terms.nodes)
        };
        let lines = search(&mut self.conspiracy, root, &limits)?.1.lines;
        let [Some(first), Some(second)] = lines else {
            return Ok(None);
        };
        let (Some(best), Some(other)) = (first.best_move(), second.best_move()) else {
            return Ok(None);
        };
        let takes_back = last
            .is_some_and(|last| last.is_capture() && best.is_capture() && last.to() == best.to());
        if takes_back || !is_clear([first.value, second.value], FIRST_LOOK * self.terms.gap) {
            return Ok(None);
        }
        let limits = Limits::nodes(self.terms.nodes);
        let (report, found) = search(&mut self.conspiracy, root, &limits)?;
        let Some(since) = found.since(best) else {
            return Ok(None);
        };
        if since.iteration < LEAST_GRADE || report.iteration < since.iteration + SPARE {
            return Ok(None);
        }
        // The same effort: the nodes at which depth-first search found the move.
        let effort = Limits::nodes(since.nodes);
        let (_, alpha_beta) = search(&mut self.alpha_beta, root, &effort)?;
        let part = |it: Since| it.nodes as f64 / since.nodes.max(1) as f64;
        let seen = alpha_beta.since(best).map(part);
        if seen.is_some_and(|part| part < LATE) {
            return Ok(None);
        }
        let [of_best, of_others] = self.apart(root, &moves, best)?;
        let values = [of_best.value, of_others.value];
        if !is_clear(values, self.terms.gap) {
            return Ok(None);
        }
        let chess960 = is_chess960(position);
        let step = |m| WrittenMove::new(position, m, chess960);
        let mut line = playable(root, &of_best.pv);
        line.truncate(LONGEST_LINE);
        Ok(Some(Puzzle {
            game: 0,
            players: String::new(),
            fen: to_fen(position),
            number: position.fullmoves(),
            black: position.is_black_to_move(),
            best: step(best),
            legal: moves.iter().map(|&m| to_uci(m, chess960)).collect(),
            boards: boards(position, &line),
            line: WrittenLine::new(position, &line),
            values,
            second: step(of_others.best_move().unwrap_or(other)),
            grade: since.iteration,
            alpha_beta: seen,
        }))
    }

    /// The best move and the others, searched apart and much longer than before: an only move should really be one.
    fn apart(
        &mut self,
        root: &Root<Position>,
        moves: &[Move],
        best: Move,
    ) -> Result<[Report<Move>; 2], Fault> {
        let nodes = self.terms.nodes.saturating_mul(LONGER);
        let mut alone = |search_moves: Vec<Move>| {
            let limits = Limits {
                search_moves,
                ..Limits::nodes(nodes)
            };
            Ok(search(&mut self.conspiracy, root, &limits)?.0)
        };
        let others = moves.iter().copied().filter(|&m| m != best).collect();
        Ok([alone(vec![best])?, alone(others)?])
    }
}

/// Whether the better of two values is better by `gap` points, in an undecided game.
fn is_clear(values: [Value; 2], gap: f64) -> bool {
    let [best, second] = values.map(wdl::points);
    best >= LOST && second <= WON && best - second >= gap
}

/// The moment since which a move has been the best.
#[derive(Clone, Copy, Debug)]
struct Since {
    nodes: u64,
    iteration: u32,
}

/// Records the best lines, and the moment since which the best is best.
#[derive(Default)]
struct Watch {
    /// The two best lines of the last completed iteration.
    lines: [Option<Report<Move>>; 2],
    since: Option<(Move, Since)>,
}

impl Watch {
    /// The moment since which the search has had a move for good; `None` if it would play another.
    fn since(&self, m: Move) -> Option<Since> {
        self.since
            .filter(|(best, _)| *best == m)
            .map(|(_, since)| since)
    }
}

impl Observer<Move> for Watch {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, report: &Report<Move>) {
        if report.occasion == Occasion::Iteration
            && let Some(line) = self.lines.get_mut(report.line - 1)
        {
            *line = Some(report.clone());
        }
        if let Some(m) = report.best_move().filter(|_| report.line == 1)
            && self.since.is_none_or(|(best, _)| best != m)
        {
            let since = Since {
                nodes: report.nodes,
                iteration: report.iteration,
            };
            self.since = Some((m, since));
        }
    }
}

/// Searches a position from scratch; returns the final report and the record.
fn search(
    searcher: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    limits: &Limits<Move>,
) -> Result<(Report<Move>, Watch), Fault> {
    searcher.get().clear();
    let mut watch = Watch::default();
    let last = searcher.search(&root.position, |it| it.search(root, limits, &mut watch))?;
    Ok((last, watch))
}

/// The players of a game.
fn players(pgn: &PgnGame) -> String {
    let name = |tag| pgn.tag(tag).unwrap_or("?");
    format!("{} - {}", name("White"), name("Black"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::notation::parse_fen;

    fn finder() -> Finder {
        Finder::new(Terms {
            nodes: 3_000,
            gap: 0.2,
            hash_megabytes: 1,
        })
    }

    fn puzzle(fen: &str) -> Option<Puzzle> {
        let root = Root::new(parse_fen(fen).unwrap());
        finder().puzzle(&root, None).unwrap()
    }

    #[test]
    fn what_has_no_choice_or_is_decided_is_no_puzzle() {
        // One legal move; the game is over; won whatever is played.
        for fen in [
            "7k/8/8/8/8/6q1/8/7K w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1",
        ] {
            assert_eq!(puzzle(fen), None, "{fen}");
        }
    }

    #[test]
    fn values_must_be_a_gap_apart_in_an_open_game() {
        let cp = Value::centipawns;
        let is_clear = |values| is_clear(values, 0.2);
        assert!(is_clear([cp(0), cp(-300)]));
        assert!(!is_clear([cp(0), cp(-50)]));
        assert!(!is_clear([cp(2_000), cp(900)]), "won anyway");
        assert!(!is_clear([cp(-900), Value::loss_in(2)]), "lost anyway");
        assert!(is_clear([Value::win_in(5), cp(100)]));
    }

    #[test]
    fn what_is_seen_at_once_is_no_puzzle() {
        // A queen hangs: alpha-beta takes it at its first iteration.
        assert_eq!(puzzle("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), None);
    }
}
