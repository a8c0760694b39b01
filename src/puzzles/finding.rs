//! The search for puzzles in a game.

use crate::engine::fault::{Fault, Guarded};
use crate::engine::limit::Limit;
use crate::engine::outlook;
use crate::engine::settings::{ChessSearcher, EngineSettings};
use crate::engine::stopwatch::Stopwatch;
use crate::game::{Evaluator as _, Game as _, Root};
use crate::game_report::holding::{self, Held, MOST, Since, Watch};
use crate::game_report::verdict::PositionVerdict;
use crate::games::chess::line::{WrittenLine, WrittenMove, boards, playable};
use crate::games::chess::notation::{is_chess960, to_fen, to_uci};
use crate::games::chess::pgn::PgnGame;
use crate::games::chess::{Move, Position};
use crate::search::registry::Algorithm;
use crate::search::{Limits, Report};
use crate::value::Value;
use crate::wdl;

/// Fewest points with a move that solves a puzzle: below, the game is as good as lost with it too.
const HOLDS: f64 = 0.4;
/// Most points with the second best move: above, the game is won anyway.
const WON: f64 = 0.9;
/// Fraction of the nodes from which on alpha-beta finds a move late.
const LATE: f64 = 0.5;
/// Least demand for a move that is not obvious.
const LEAST_GRADE: u32 = 3;
/// Fraction of the gap required at first: the values are rough, and longer searches decide.
const FIRST_LOOK: f64 = 0.75;
/// Iterations to be completed with the move after the one that found it.
const SPARE: u32 = 1;
/// Factor of effort when the best move and the others are searched apart.
const LONGER: u64 = 10;
/// Plies of the game's course that the last check knows.
const AHEAD: usize = 8;
/// Longest line shown, in plies.
const LONGEST_LINE: usize = 8;

/// A position in which one move, or a few, are surely better than all others.
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
    /// The moves that solve it, the best first.
    pub solutions: Vec<WrittenMove>,
    /// All legal moves, in UCI's coordinate notation.
    pub legal: Vec<String>,
    /// The line that begins with the first of them.
    pub line: WrittenLine,
    /// The boards after each move of that line, as in FEN.
    pub boards: Vec<String>,
    /// Values of the best move and of the best that does not solve it, for the side to move.
    pub values: [Value; 2],
    pub second: WrittenMove,
    /// The chance that no other move solves it; `None` if no chances were learnt for the search.
    pub sure: Option<f64>,
    /// The demand at which depth-first search finds the move.
    pub grade: u32,
    /// Alpha-beta gets the nodes that depth-first took: the fraction at which it has the move for good; `None`: never.
    pub alpha_beta: Option<f64>,
}

/// The terms for puzzles.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Terms {
    /// Visit at most N positions in a search. Most positions of a game get one; ten times as many make sure of a puzzle
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
    /// Settings of conspiracy-number search.
    settings: EngineSettings,
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
        let guarded = |algorithm| terms.settings(algorithm).for_analysis().guarded();
        Finder {
            settings: terms.settings(Algorithm::DepthFirst),
            conspiracy: guarded(Algorithm::DepthFirst),
            alpha_beta: guarded(Algorithm::AlphaBeta),
            terms,
        }
    }

    /// Passes the puzzles of a game, in order, and faults of searches to `tell`, which returns whether to go on.
    /// Positions on the line of a puzzle are skipped. Returns whether `tell` let it go on to the end.
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
            if expected.is_empty()
                && let Some(found) = self.puzzle(&root, last, &pgn.moves[ply..]).transpose()
            {
                let found = found.map(|puzzle| Puzzle {
                    game: pgn.number,
                    players: players(pgn),
                    ..puzzle
                });
                if let Ok(puzzle) = &found {
                    expected = puzzle.line.uci.iter().rev().cloned().collect();
                }
                if !tell(found) {
                    return false;
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

    /// The puzzle in a position that the move `last` led to, and after which the game took a `course`, without the
    /// game's data; `None` if it is none.
    fn puzzle(
        &mut self,
        root: &Root<Position>,
        last: Option<Move>,
        course: &[Move],
    ) -> Result<Option<Puzzle>, Fault> {
        let position = &root.position;
        let moves = position.legal_moves();
        if position.outcome().is_some() || moves.len() < 2 {
            return Ok(None);
        }
        let limits = Limits {
            multipv: MOST,
            ..Limits::nodes(self.terms.nodes)
        };
        let (report, ranked) = search(&mut self.conspiracy, root, &limits)?;
        let Some(held) = ranked.held(&report) else {
            return Ok(None);
        };
        let solutions = &held.moves;
        let best = solutions[0];
        let (Some(first), Some(other)) = (value_of(&ranked, 0), value_of(&ranked, solutions.len()))
        else {
            return Ok(None);
        };
        let is_plain = holding::takes_back(last, best);
        if is_plain || !is_clear([first, other], FIRST_LOOK * self.terms.gap) {
            return Ok(None);
        }
        let limits = Limits::nodes(self.terms.nodes);
        let (report, found) = search(&mut self.conspiracy, root, &limits)?;
        let Some(since) = found.since(solutions) else {
            return Ok(None);
        };
        if since.iteration < LEAST_GRADE || report.iteration < since.iteration + SPARE {
            return Ok(None);
        }
        // The same effort: the nodes at which depth-first search found the move.
        let effort = Limits::nodes(since.nodes);
        let (_, alpha_beta) = search(&mut self.alpha_beta, root, &effort)?;
        let part = |it: Since| it.nodes as f64 / since.nodes.max(1) as f64;
        let seen = alpha_beta.since(solutions).map(part);
        if seen.is_some_and(|part| part < LATE) {
            return Ok(None);
        }
        let puzzle = self.confirmed(root, &moves, solutions, since, seen)?;
        match puzzle {
            Some(_) if !course.is_empty() && !self.stands(root, course, solutions)? => Ok(None),
            puzzle => Ok(puzzle),
        }
    }

    /// Whether a report on the game would agree: a search that knows the course of the game prefers one of the
    /// solutions, and if another move was played, that one is worse by the gap.
    fn stands(
        &mut self,
        root: &Root<Position>,
        course: &[Move],
        solutions: &[Move],
    ) -> Result<bool, Fault> {
        let mut later = vec![root.clone()];
        for &m in course.iter().take(AHEAD) {
            let mut next = later[later.len() - 1].clone();
            next.play_recorded(m);
            later.push(next);
        }
        self.conspiracy.get().clear();
        let mut ask = |root: &Root<Position>, times: u64, search_moves: Vec<Move>| {
            let limits = Limits {
                search_moves,
                ..Limits::nodes(self.terms.nodes.saturating_mul(times))
            };
            let clock = Stopwatch::start(&Limit::default());
            let searched = holding::search_on(&mut self.conspiracy, root, &limits, clock)?;
            Ok::<_, Fault>(searched.0)
        };
        let open = |it: &&Root<Position>| it.position.outcome().is_none();
        for after in later[1..].iter().rev().filter(open) {
            ask(after, 1, Vec::new())?;
        }
        let best = ask(root, LONGER, Vec::new())?;
        let points = wdl::points(best.value);
        let is_solved = best.best_move().is_some_and(|it| solutions.contains(&it));
        if !is_solved || points < HOLDS {
            return Ok(false);
        }
        let other = course
            .first()
            .filter(|it| !it.is_pass() && !solutions.contains(it));
        let Some(&played) = other else {
            return Ok(true);
        };
        let played = ask(root, LONGER, vec![played])?;
        Ok(points - wdl::points(played.value) >= self.terms.gap)
    }

    /// The puzzle with these solutions, if much longer searches confirm that they and no other moves hold.
    fn confirmed(
        &mut self,
        root: &Root<Position>,
        moves: &[Move],
        solutions: &[Move],
        since: Since,
        alpha_beta: Option<f64>,
    ) -> Result<Option<Puzzle>, Fault> {
        let position = &root.position;
        let Some([of_best, of_others]) = self.apart(root, moves, solutions)? else {
            return Ok(None);
        };
        let (Some(best), Some(second)) = (of_best.best_move(), of_others.best_move()) else {
            return Ok(None);
        };
        let values = [of_best.value, of_others.value];
        if !is_clear(values, self.terms.gap) {
            return Ok(None);
        }
        let [points, rest] = values.map(wdl::points);
        let held = Held {
            moves: solutions.to_vec(),
            rest: Some(points - rest),
            found: None,
            nodes: of_best.nodes,
        };
        let width = self.settings.evaluator().width(position);
        let is_black = position.is_black_to_move();
        let verdict = PositionVerdict {
            give_or_take: width.map(|it| it.round() as u32),
            ..PositionVerdict::valued(is_black, of_best.value, false)
        };
        let chance = outlook::is_learnt_for(&self.settings)
            .then(|| held.chance(is_black, moves.len(), &verdict));
        let sure = chance.flatten();
        if !holding::is_sure(held.rest, sure) {
            return Ok(None);
        }
        let chess960 = is_chess960(position);
        let mut solutions = held.written(position);
        let line_of = WrittenMove::new(position, best, chess960);
        solutions.sort_by_key(|it| it.uci != line_of.uci);
        let mut line = playable(root, &of_best.pv);
        line.truncate(LONGEST_LINE);
        Ok(Some(Puzzle {
            game: 0,
            players: String::new(),
            fen: to_fen(position),
            number: position.fullmoves(),
            black: is_black,
            solutions,
            legal: moves.iter().map(|&m| to_uci(m, chess960)).collect(),
            boards: boards(position, &line),
            line: WrittenLine::new(position, &line),
            values,
            second: WrittenMove::new(position, second, chess960),
            sure,
            grade: since.iteration,
            alpha_beta,
        }))
    }

    /// Reports on the solutions and on the other moves, searched apart and much longer than before: an only move should
    /// really be one. `None` if one of the solutions does not hold after all.
    fn apart(
        &mut self,
        root: &Root<Position>,
        moves: &[Move],
        solutions: &[Move],
    ) -> Result<Option<[Report<Move>; 2]>, Fault> {
        let nodes = self.terms.nodes.saturating_mul(LONGER);
        let mut alone = |search_moves: Vec<Move>, multipv: usize| {
            let limits = Limits {
                search_moves,
                multipv,
                ..Limits::nodes(nodes)
            };
            search(&mut self.conspiracy, root, &limits)
        };
        let (best, ranked) = alone(solutions.to_vec(), solutions.len())?;
        let holds = |it: &Report<Move>| wdl::points(it.value) >= HOLDS;
        let all_hold = ranked.held(&best).is_some_and(|it| it.rest.is_none())
            && ranked.tracker.lines().all(holds);
        let others = moves.iter().copied().filter(|it| !solutions.contains(it));
        let (others, _) = alone(others.collect(), 1)?;
        Ok(all_hold.then_some([best, others]))
    }
}

/// The value of the move at `place`, 0 for the best.
fn value_of(ranked: &Watch, place: usize) -> Option<Value> {
    Some(ranked.tracker.lines().nth(place)?.value)
}

/// Whether the better of two values is better by `gap` points, in an undecided game.
fn is_clear(values: [Value; 2], gap: f64) -> bool {
    let [best, second] = values.map(wdl::points);
    best >= HOLDS && second <= WON && best - second >= gap
}

/// Searches a position from scratch; returns the final report and what was seen of the search.
fn search(
    searcher: &mut Guarded<ChessSearcher>,
    root: &Root<Position>,
    limits: &Limits<Move>,
) -> Result<(Report<Move>, Watch), Fault> {
    holding::search(searcher, root, limits, Stopwatch::start(&Limit::default()))
}

/// The players of a game.
fn players(pgn: &PgnGame) -> String {
    let name = |tag| pgn.tag(tag).unwrap_or("?");
    format!("{} - {}", name("White"), name("Black"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chess::line;
    use crate::games::chess::notation::parse_fen;

    fn puzzle(fen: &str) -> Option<Puzzle> {
        let terms = Terms {
            nodes: 3_000,
            gap: 0.2,
            hash_megabytes: 1,
        };
        let root = Root::new(parse_fen(fen).unwrap());
        Finder::new(terms).puzzle(&root, None, &[]).unwrap()
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
        assert!(
            !is_clear([cp(-200), cp(-900)]),
            "the solution is worse than 0.4"
        );
        assert!(is_clear([Value::win_in(5), cp(100)]));
    }

    /// From a game. Only the perpetual check that the game went on with holds; a search from scratch prefers g4.
    #[test]
    fn what_the_course_of_the_game_refutes_is_no_puzzle() {
        let mut root =
            Root::new(parse_fen("5q2/5p2/5P1k/2pp1Q2/8/3p2PP/1PP4K/r7 w - - 0 33").unwrap());
        let start = root.clone();
        let course = line::tests::play(&mut root, "f5f4 h6g6 g3g4 f8h6 f4f5");
        let g4 = line::tests::moves(&start, "g3g4");
        let mut finder = Finder::new(Terms {
            nodes: 20_000,
            gap: 0.2,
            hash_megabytes: 4,
        });
        assert_eq!(finder.stands(&start, &course, &g4).ok(), Some(false));
    }

    #[test]
    fn what_is_seen_at_once_is_no_puzzle() {
        // A queen hangs: alpha-beta takes it at its first iteration.
        assert_eq!(puzzle("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), None);
    }
}
