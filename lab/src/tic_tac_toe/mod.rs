//! Khalid et al. 2015: largest and smallest conspiracy numbers along games of tic-tac-toe.
//!
//! - [`play`]: their games: evaluation, fixed-depth minimax, depths.
//! - [`reading`] and [`running`]: readings of their rules for the numbers.
//! - [`verdict`]: all readings compared with the printed numbers.
//! - `figures`: both numbers along the two games of figures 2 to 4.
//! - `printed`: their printed numbers.
//! - `book`: a cache of their players' moves and numbers.
//! - `speculation`, `resignation`: uses of the numbers, in games from many positions.

mod book;
mod figures;
pub mod play;
mod printed;
pub mod reading;
mod resignation;
pub mod running;
mod speculation;
#[cfg(test)]
mod tests;
pub mod verdict;

use anyhow::Result;

use self::play::{DEPTHS, Game, MOVES};
use self::printed::{FINAL_SCORES, MAX_CN, MIN_CN};
use self::verdict::Verdict;
use crate::experiment::{Experiment, Findings, Request};
use crate::outcome::{Cell, Table};
use cassius::output::progress::Progress;
use cassius::output::table::thousands;

/// Both numbers in the paper's games: by the definition, and by the reading that gives most printed numbers.
pub static EXPERIMENT: Experiment = Experiment {
    name: "tic-tac-toe",
    title: "MaxCN and MinCN along games of tic-tac-toe, depths 2 to 6 against each other",
    about: "Fixed-depth minimax plays itself, X at depths 2 to 6 against O at depths 2 to 6, with the \
        evaluation that M. N. A. Khalid et al. describe (\"Critical Position Identification in Games and \
        Its Application to Speculative Play\", ICAART 2015, section 3.1). Their three tables are made again. \
        They do not say in which tree, by which rules exactly and over which values they took the largest and \
        the smallest conspiracy number at X's moves, so all plausible readings are tried, and the \
        tables show the one that gives most of the printed numbers beside what the definition gives.",
    run,
    ..Experiment::PLAIN
};

/// The two games of the paper's figures.
pub static GAMES: Experiment = Experiment {
    name: "tic-tac-toe-games",
    title: "MaxCN and MinCN at every move of two games of tic-tac-toe (Khalid et al., figures 2 to 4)",
    about: "Two of the games of the experiment tic-tac-toe, move by move for X and O: the largest and the smallest \
        conspiracy number of the root by the definition, over the tree that the player to move has searched, beside \
        what the paper prints. A move is critical by the paper's rule if a number is less than half of what the \
        same player had a move before.",
    run: |_| {
        let mut findings = Findings::tables(figures::tables());
        for (x, o) in [(2, 3), (5, 4)] {
            let moves = Game::play(x, o).moves;
            let moves: Vec<String> = moves.iter().map(|cell| cell.0.to_string()).collect();
            findings.setting(&format!("X {x}, O {o}"), moves.join(" "));
        }
        findings.note("Moves are cells from 0 at the top left to 8 at the bottom right.");
        Ok(findings)
    },
    ..Experiment::PLAIN
};

/// Use of the numbers for speculative play.
pub static SPECULATION: Experiment = Experiment {
    name: "tic-tac-toe-speculation",
    title: "Speculative play at critical positions of tic-tac-toe",
    about: "The players of the experiment tic-tac-toe, depths 2 to 6, play from all 334 positions of up to three marks, once \
        with either side. One of the two speculates: at critical positions; or where it stands worse and the score is no \
        harder to raise than to lower (support); or at every move. It then plays the move that is best against its \
        opponent instead of the move that is best against the best reply (opponent-model search). A known opponent is one \
        whose depth the player knows, an unknown one it takes to search from one ply to its own depth, all equally \
        likely. Nothing is random and depths are fixed, so speculation leaves the rest of the search as it is, and its \
        difference from plain play is exact.",
    run: |_| {
        let tables = speculation::tables();
        Ok(from_positions("2 to 6 against 2 to 6", tables))
    },
    ..Experiment::PLAIN
};

/// Use of the numbers for resignation.
pub static RESIGNATION: Experiment = Experiment {
    name: "tic-tac-toe-resignation",
    title: "Resignation at critical positions of tic-tac-toe",
    about: "The players of the experiment tic-tac-toe, depths 2 to 6 against each other, play from all 334 positions of up to \
        three marks. At each move but a player's first: would he resign by the rule, would perfect play have lost, and did the \
        game go on to be lost? Nothing is random.",
    run: |_| Ok(from_positions("X and O 2 to 6", vec![resignation::table()])),
    ..Experiment::PLAIN
};

/// Findings of games from many positions.
fn from_positions(depths: &str, tables: Vec<Table>) -> Findings {
    let mut findings = Findings::tables(tables);
    findings.setting("depths", depths);
    findings.setting("positions", "334 of up to three marks");
    findings
}

/// A number for each of X's five moves, in one game for each depth of X.
type Grid<T> = [[T; MOVES]; DEPTHS];

/// A grid of numbers that come game by game, move by move.
fn grid(numbers: impl Iterator<Item = u32>) -> Grid<u32> {
    let mut grid = Grid::default();
    for (cell, number) in grid.as_flattened_mut().iter_mut().zip(numbers) {
        *cell = number;
    }
    grid
}

fn run(_: &Request) -> Result<Findings> {
    let mut findings = Findings::default();
    let games = play::all();
    findings.tables.push(final_scores(&games));
    let by_depth: Vec<&Game> = games.iter().filter(|game| game.depths.1 == 2).collect();
    let progress = Progress::new(verdict::steps());
    let [largest, smallest] = verdict::judge_all(&by_depth, || progress.advance(String::new()));
    progress.finish();
    let (max_cn, min_cn) = definition(&by_depth);
    let tables = [
        ("max-cn", "MaxCN", max_cn, &largest, &MAX_CN),
        ("min-cn", "MinCN", min_cn, &smallest, &MIN_CN),
    ];
    for (id, name, defined, verdict, printed) in tables {
        let table = numbers(id, name, &defined, verdict, printed);
        findings.tables.push(table);
        findings.note(told(name, verdict));
    }
    findings.setting("depths", "X and O 2 to 6");
    findings.setting("readings", thousands(largest.tried as u64));
    findings.note(
        "O's depth makes no difference: X meets the same replies whatever it is, which is why the \
         paper's rows are the same for all of O's depths.",
    );
    Ok(findings)
}

/// The paper's table 3: the score before the last move, when one cell is left and nobody has three in a row.
fn final_scores(games: &[Game]) -> Table {
    let headings = "X | O 2 | O 3 | O 4 | O 5 | O 6";
    let title = "Scores before the last move (table 3)";
    let mut table = Table::new("final-scores", title, headings);
    for row in games.chunks(DEPTHS) {
        table.named_row(row[0].depths.0, row.iter().map(Game::final_score));
    }
    let printed = FINAL_SCORES.map(|score| vec![Cell::from(score); DEPTHS]);
    let headings = "paper O 2 | paper O 3 | paper O 4 | paper O 5 | paper O 6";
    table.beside("Khalid et al., table 3", headings, printed)
}

/// The largest and the smallest number by the definition, in the tree of X's search. Ends of the game count as leaves.
fn definition(games: &[&Game]) -> (Grid<Option<u32>>, Grid<Option<u32>>) {
    let mut grids = (Grid::default(), Grid::default());
    for (depth, game) in games.iter().enumerate() {
        for number in 0..MOVES {
            let numbers = play::extremes(&game.positions[2 * number], game.depths.0);
            [grids.0[depth][number], grids.1[depth][number]] = numbers;
        }
    }
    grids
}

fn numbers(
    id: &str,
    name: &str,
    defined: &Grid<Option<u32>>,
    verdict: &Verdict,
    printed: &Grid<u32>,
) -> Table {
    let headings = |kind: &str| [1, 3, 5, 7, 9].map(|m| format!("{kind} {m}")).join(" | ");
    let own = format!("X | {} | {}", headings("defined"), headings("read"));
    let title = format!("{name} at X's moves: by the definition, and as read");
    let mut table = Table::new(id, title, &own);
    for ((depth, defined), read) in (2_u32..).zip(defined).zip(&verdict.numbers) {
        let read = read.map(Some);
        table.named_row(depth, defined.iter().copied().chain(read));
    }
    let printed = printed.map(|row| row.map(Cell::from).to_vec());
    let source = format!("Khalid et al., {name}");
    table.beside(source, &headings("paper"), printed)
}

/// Describes the best reading, and the numbers that no reading gives.
fn told(name: &str, verdict: &Verdict) -> String {
    let mut missing = Vec::new();
    for (depth, row) in (2..).zip(&verdict.anywhere) {
        let moves = [1, 3, 5, 7, 9].into_iter().zip(row);
        let not_given = moves.filter(|(_, is_given)| !**is_given);
        missing.extend(not_given.map(|(number, _)| format!("depth {depth} move {number}")));
    }
    let nowhere = if missing.is_empty() {
        "Each printed number is given by some reading, but not all by one".to_owned()
    } else {
        format!("No reading at all gives {}", missing.join(", "))
    };
    format!(
        "{name}: the best of {} readings gives {} of the 25 printed numbers: {}. {nowhere}.",
        thousands(verdict.tried as u64),
        verdict.hits,
        verdict.best,
    )
}
