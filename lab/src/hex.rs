//! Sibling conspiracy number search against alpha-beta at Hex, as in Pawlewicz and Hayward (2015), each opening played
//! from both sides.

use anyhow::Result;

use super::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use super::outcome::{Cell, Table};
use super::statistics::Estimate;
use cassius::engine::limit::Limit;
use cassius::engine::stopwatch::Stopwatch;
use cassius::game::{Game, Root};
use cassius::games::hex::{self, Hex, TwoDistance};
use cassius::output::progress::Progress;
use cassius::random::Random;
use cassius::search::registry::{self, Algorithm, Settings};
use cassius::search::{Limits, Searcher};
use cassius::workers;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "hex",
    title: "Sibling conspiracy number search against alpha-beta at Hex",
    figures: &[],
    about: "Two searches play Hex without the swap rule on one evaluation: the difference of the stones that \
        the sides still need by two-distance (van Rijswijck 2000). Games begin after one stone on each cell \
        of the board, then after two stones on random cells, and each opening is played twice, with colours \
        exchanged. Choose the board with --size (5 to 11) and the number of games with --games, \
        the effort for each move with --nodes or --movetime. In full, best-first search on the same \
        evaluation, whose leaves have the evaluator's values instead of values relative to siblings, plays \
        alpha-beta too. Pawlewicz and Hayward played on 11 by 11 cells, with values of an electric \
        circuit, against other programs.",
    subject: Subject::Board,
    effort: EffortLimit::NodesOrTime,
    run,
};

/// The search that all others play against.
const OPPONENT: Algorithm = Algorithm::AlphaBeta;

/// Board sizes, in cells along a side.
pub const SIZES: std::ops::RangeInclusive<u8> = 5..=11;

/// The result of a game.
struct Played {
    opening: String,
    /// Whether the search plays the side that placed the first stone of the opening.
    is_first: bool,
    has_won: bool,
    plies: usize,
    moves: String,
}

fn run(request: &Request) -> Result<Findings> {
    match request.size.unwrap_or(7) {
        5 => on_board::<5>(request),
        6 => on_board::<6>(request),
        8 => on_board::<8>(request),
        9 => on_board::<9>(request),
        10 => on_board::<10>(request),
        11 => on_board::<11>(request),
        _ => on_board::<7>(request),
    }
}

fn on_board<const SIZE: usize>(request: &Request) -> Result<Findings> {
    let games = request.games.unwrap_or(request.quick_or_full(20, 200));
    let games = games.max(2) as usize / 2 * 2;
    let nodes = request.nodes.unwrap_or(2_000);
    let openings = openings::<SIZE>(games / 2, request.seed);
    let both = [Algorithm::SiblingConspiracy, Algorithm::BestFirst];
    let players = &both[..request.quick_or_full(1, 2)];
    let mut findings = Findings::seeded(request);
    findings.setting("board", format!("{SIZE} by {SIZE} cells"));
    findings.setting("games of each pair", games.to_string());
    match request.movetime_ms {
        Some(ms) => findings.setting("milliseconds a move", ms.to_string()),
        None => findings.setting("positions visited a move", nodes.to_string()),
    }
    let headings = "search | against | games | won as first player | won as second player | won | \
         won, %:1 | ± (95 %):1 | plies:1";
    let mut scores = Table::new("scores", "Games won", headings);
    let mut records = Vec::new();
    let progress = Progress::new((games * players.len()) as u64);
    for &player in players {
        let tasks = openings.iter().flat_map(|it| [(it, true), (it, false)]);
        let tasks: Vec<(&Vec<u8>, bool)> = tasks.collect();
        let limit = Limit {
            nodes: request.movetime_ms.is_none().then_some(nodes),
            movetime_ms: request.movetime_ms,
            ..Limit::default()
        };
        let played = workers::map(
            &tasks,
            request.jobs,
            || [player, OPPONENT].map(|it| searcher::<SIZE>(it, request.hash_megabytes)),
            |searchers, &(opening, is_first)| play(searchers, opening, is_first, &limit),
            |_| progress.advance(format!("{player} against {OPPONENT}")),
        )?;
        scores.row(score(player, &played));
        records.push(record(player, &played));
    }
    progress.finish();
    findings.tables.push(scores);
    findings.tables.extend(records);
    findings.note(
        "The interval takes an opening, played from both sides, as one observation. The first player has a \
         won game on the empty board, and most first stones keep or lose it whoever plays: two equal \
         players would win half of each opening's games.",
    );
    Ok(findings)
}

type HexSearcher<const SIZE: usize> = Box<dyn Searcher<Hex<SIZE>> + Send>;

fn searcher<const SIZE: usize>(algorithm: Algorithm, hash_megabytes: usize) -> HexSearcher<SIZE> {
    registry::build(&Settings::of(algorithm, hash_megabytes), TwoDistance)
}

/// `wanted` openings, or all there are: each single cell, then random pairs of cells. If fewer are wanted than there
/// are cells, random cells.
fn openings<const SIZE: usize>(wanted: usize, seed: u64) -> Vec<Vec<u8>> {
    let cells = (SIZE * SIZE) as u8;
    let mut random = Random::new(seed);
    let mut singles: Vec<Vec<u8>> = (0..cells).map(|cell| vec![cell]).collect();
    let mut pairs: Vec<Vec<u8>> = (0..cells)
        .flat_map(|a| (0..cells).filter(move |&b| b != a).map(move |b| vec![a, b]))
        .collect();
    random.shuffle(&mut pairs);
    if wanted < singles.len() {
        random.shuffle(&mut singles);
    }
    singles.into_iter().chain(pairs).take(wanted).collect()
}

/// Plays a game. If `is_first`, the first searcher plays for the side that placed the first stone of the opening,
/// otherwise for the other.
fn play<const SIZE: usize>(
    searchers: &mut [HexSearcher<SIZE>; 2],
    opening: &[u8],
    is_first: bool,
    limit: &Limit,
) -> Played {
    for searcher in searchers.iter_mut() {
        searcher.clear();
    }
    let mut root = Root::new(Hex::<SIZE>::new());
    let mut moves = Vec::new();
    for &cell in opening {
        root.play(hex::Cell(cell));
        moves.push(Hex::<SIZE>::name(hex::Cell(cell)));
    }
    let opening = moves.join(" ");
    let mut plies = moves.len();
    while root.position.has_legal_move() {
        let player = usize::from((plies % 2 == 0) != is_first);
        let limits = Limits {
            nodes: limit.nodes,
            ..Limits::default()
        };
        let report = searchers[player].search(&root, &limits, &mut Stopwatch::start(limit));
        // A root with legal moves always has a best move.
        let Some(m) = report.best_move() else { break };
        moves.push(Hex::<SIZE>::name(m));
        root.play(m);
        plies += 1;
    }
    // The last player to move has won.
    let first_has_won = plies % 2 == 1;
    Played {
        opening,
        is_first,
        has_won: first_has_won == is_first,
        plies,
        moves: moves.join(" "),
    }
}

/// The row of a search.
fn score(player: Algorithm, played: &[Played]) -> Vec<Cell> {
    let won = |is_first: Option<bool>| {
        let counts = |it: &&Played| it.has_won && is_first.is_none_or(|side| it.is_first == side);
        played.iter().filter(counts).count()
    };
    let pairs = Estimate::of(played.chunks(2).map(|pair| {
        let won = pair.iter().filter(|it| it.has_won).count();
        100.0 * won as f64 / pair.len() as f64
    }));
    let mut row = [player, OPPONENT].map(|it| Cell::from(it.name())).to_vec();
    let won = [Some(true), Some(false), None].map(won);
    row.extend([played.len()].into_iter().chain(won).map(Cell::from));
    row.extend(pairs.cells());
    row.push(Cell::mean(played.iter().map(|it| it.plies as f64)));
    row
}

/// A table of all games.
fn record(player: Algorithm, played: &[Played]) -> Table {
    let headings = "opening | plays first | winner | plies | moves";
    let title = format!("Games of {player} against {OPPONENT}");
    let mut table = Table::new(&format!("games-{player}"), title, headings);
    for game in played {
        let name = |is_player| if is_player { player } else { OPPONENT }.name();
        table.row([
            Cell::from(game.opening.as_str()),
            name(game.is_first).into(),
            name(game.has_won).into(),
            game.plies.into(),
            game.moves.as_str().into(),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn openings_are_different_and_every_cell_comes_first() {
        let all = openings::<5>(100, 1);
        assert_eq!(all.len(), 100);
        assert!(all[..25].iter().all(|opening| opening.len() == 1));
        let different: BTreeSet<&Vec<u8>> = all.iter().collect();
        assert_eq!(different.len(), 100);
        assert_eq!(openings::<5>(10_000, 1).len(), 25 + 25 * 24);
    }

    #[test]
    fn games_are_played_to_the_end_by_the_rules() {
        let mut searchers = [Algorithm::SiblingConspiracy, OPPONENT].map(|it| searcher::<5>(it, 1));
        let limit = Limit {
            nodes: Some(200),
            ..Limit::default()
        };
        for is_first in [true, false] {
            let game = play(&mut searchers, &[3], is_first, &limit);
            let cell = |name: &str| {
                let column = name.as_bytes()[0] - b'a';
                let row: u8 = name[1..].parse().unwrap();
                (row - 1) * 5 + column
            };
            let cells: Vec<u8> = game.moves.split(' ').map(cell).collect();
            assert_eq!(cells.len(), game.plies);
            let end = Hex::<5>::after_cells(&cells).unwrap();
            assert!(end.outcome().is_some());
            assert_eq!((game.plies % 2 == 1) == is_first, game.has_won);
        }
    }
}
