//! Section 4 of Khalid et al.: correlation of the largest and smallest conspiracy numbers with the largest proof and
//! disproof numbers over the same games. The paper argues that they correlate; here are the numbers.

use std::collections::BTreeMap;

use anyhow::Result;

use super::experiment::{Experiment, Findings, Request};
use super::outcome::{Cell, Plot, Table};
use super::tic_tac_toe::play;
use cassius::conspiracy::Kind;
use cassius::conspiracy::definition::Tree;
use cassius::game::{Game, Side};
use cassius::games::connect_four::ConnectFour;
use cassius::games::tic_tac_toe::TicTacToe;
use cassius::profile::{self, Question};
use cassius::random::mix;
use cassius::search::proof_number::course;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "proof-numbers",
    title: "Conspiracy numbers beside proof numbers over the same games",
    about: "Khalid et al. (ICAART 2015, section 4) hold that MaxCN and MinCN, the largest and the smallest \
        conspiracy number of a position for any value but its own, correlate with the largest proof and \
        disproof number met while proof-number search asks whether the side to move wins; they give no \
        numbers. Here are games of tic-tac-toe between minimax players of depth 2 to 6, as in their section \
        3, and games of random moves of tic-tac-toe and of connect-four on 4 by 4 cells. Before each move: \
        MaxCN and MinCN of the whole tree to a fixed depth, and the largest finite numbers of the root \
        while best-first proof-number search, whose leaves start with 1 and 1, finds its answer. The correlation \
        is Spearman's, of ranks: 1 if both numbers rank the moves alike.",
    run,
    ..Experiment::PLAIN
};

/// Depth of the trees in games of random moves.
const RANDOM_DEPTH: usize = 3;
/// Node limit of proof-number search.
const MOST_NODES: u64 = 300_000;

/// Measurements at a position.
#[derive(Clone, Copy, Debug)]
struct Sample {
    ply: usize,
    max_cn: u32,
    min_cn: u32,
    proof: u32,
    disproof: u32,
}

fn run(request: &Request) -> Result<Findings> {
    let games = request.quick_or_full(40, 200);
    let mut findings = Findings::seeded(request);
    findings.setting("games of random moves", games.to_string());
    findings.setting("depth of the trees in these", RANDOM_DEPTH.to_string());
    let families = [
        ("tic-tac-toe, players of section 3", players()),
        (
            "tic-tac-toe, random moves",
            random_games(&TicTacToe::new(), TicTacToe::row_score, games, request.seed),
        ),
        (
            "connect-four on 4 by 4, random moves",
            random_games(&Board::new(), Board::line_score, games, request.seed),
        ),
    ];
    let headings = "games | positions | MaxCN, largest proof:2 | MaxCN, largest disproof:2 | \
         MinCN, largest proof:2 | MinCN, largest disproof:2 | \
         MaxCN, largest proof, at equal plies:2 | MinCN, largest disproof, at equal plies:2";
    let mut table = Table::new("correlations", "Rank correlations", headings);
    for (name, samples) in &families {
        let count = Cell::from(samples.len());
        let correlations = correlations(samples).map(Cell::from);
        table.named_row(*name, [count].into_iter().chain(correlations));
    }
    findings.tables.push(table);
    for ((name, samples), id) in families.iter().zip(["players", "random", "connect-four"]) {
        findings.tables.push(by_ply(id, name, samples));
    }
    findings.note(
        "Each position counts once in a family of games. Positions where nothing can change the value have \
         MaxCN and MinCN 0, as MinCN in the paper's table 2; in its table 1 no MaxCN is 0.",
    );
    findings.note(
        "All four numbers shrink as the game goes on, since the trees do. The last two columns are partial \
         correlations, with the plies played held: what is left of the correlation beyond that.",
    );
    Ok(findings)
}

/// Connect-four small enough to be solved from any position.
type Board = ConnectFour<4, 4>;

/// Static value of a position for the side that began.
type Score<G> = fn(&G) -> i32;

/// Samples of the games of section 3, with trees as deep as the player's search.
fn players() -> Vec<Sample> {
    let mut samples = BTreeMap::new();
    for game in play::all() {
        let depths = [game.depths.0, game.depths.1];
        for (ply, position) in game.positions.iter().enumerate() {
            let depth = depths[ply % 2];
            if position.has_legal_move() {
                samples
                    .entry((position.key(), depth))
                    .or_insert_with(|| sample(position, ply, depth, TicTacToe::row_score));
            }
        }
    }
    samples.into_values().collect()
}

/// Samples of games of random moves.
fn random_games<G: Game>(start: &G, score: Score<G>, games: u64, seed: u64) -> Vec<Sample> {
    let mut samples = BTreeMap::new();
    for game in 0..games {
        let mut position = start.clone();
        for ply in 0.. {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            samples
                .entry(position.key())
                .or_insert_with(|| sample(&position, ply, RANDOM_DEPTH, score));
            let random = mix(seed ^ mix(game << 8 | ply as u64));
            position.play(moves[(random % moves.len() as u64) as usize]);
        }
    }
    samples.into_values().collect()
}

fn sample<G: Game>(position: &G, ply: usize, depth: usize, score: Score<G>) -> Sample {
    let tree = tree(position, depth, score);
    let profile = profile::of_tree(&&tree, &Question::default());
    let course = course(position, position.side_to_move(), MOST_NODES);
    Sample {
        ply,
        max_cn: profile.max_cn.unwrap_or(0),
        min_cn: profile.min_cn.unwrap_or(0),
        proof: course.largest_proof,
        disproof: course.largest_disproof,
    }
}

/// The whole tree to a depth, with values for the side to move at its root. Ends of the game are final.
fn tree<G: Game>(position: &G, depth: usize, score: Score<G>) -> Tree {
    let side = position.side_to_move();
    play::whole_tree(position, depth, Kind::Max, &|end| {
        let value = match side {
            Side::First => score(end),
            Side::Second => -score(end),
        };
        if end.has_legal_move() {
            Tree::Leaf(value)
        } else {
            Tree::Terminal(value)
        }
    })
}

/// The columns of the table of correlations.
fn correlations(samples: &[Sample]) -> [Option<f64>; 6] {
    let of = |number: fn(&Sample) -> u32| -> Vec<f64> {
        samples.iter().map(|it| f64::from(number(it))).collect()
    };
    let (max_cn, min_cn) = (of(|it| it.max_cn), of(|it| it.min_cn));
    let (proof, disproof) = (of(|it| it.proof), of(|it| it.disproof));
    let ply = of(|it| it.ply as u32);
    [
        spearman(&max_cn, &proof),
        spearman(&max_cn, &disproof),
        spearman(&min_cn, &proof),
        spearman(&min_cn, &disproof),
        partial(&max_cn, &proof, &ply),
        partial(&min_cn, &disproof, &ply),
    ]
}

/// The rank correlation of Charles Spearman, ties sharing their mean rank; `None` if all numbers of `a` or all of `b` are equal.
fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let products = |x: &[f64], y: &[f64]| -> f64 {
        let pairs = x.iter().zip(y);
        pairs.map(|(x, y)| (x - mean) * (y - mean)).sum()
    };
    let spread = (products(&a, &a) * products(&b, &b)).sqrt();
    (spread > 0.0).then(|| products(&a, &b) / spread)
}

/// The partial rank correlation of two numbers with a third held constant.
fn partial(a: &[f64], b: &[f64], held: &[f64]) -> Option<f64> {
    let (ab, ah, bh) = (spearman(a, b)?, spearman(a, held)?, spearman(b, held)?);
    let rest = ((1.0 - ah * ah) * (1.0 - bh * bh)).sqrt();
    (rest > 0.0).then(|| (ab - ah * bh) / rest)
}

/// Ranks from 1; ties share their mean rank.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let rank = |x: &f64| {
        let below = numbers.iter().filter(|other| *other < x).count();
        let equal = numbers.iter().filter(|other| *other == x).count();
        below as f64 + (equal as f64 + 1.0) / 2.0
    };
    numbers.iter().map(rank).collect()
}

/// Means by number of plies played.
fn by_ply(id: &str, name: &str, samples: &[Sample]) -> Table {
    let drawn = [
        "MaxCN",
        "MinCN",
        "largest proof number",
        "largest disproof number",
    ];
    let headings = format!("plies played | positions | {}:1", drawn.join(":1 | "));
    let mut table = Table::new(id, format!("Means over the game: {name}"), &headings);
    let last = samples.iter().map(|it| it.ply).max().unwrap_or(0);
    for ply in 0..=last {
        let here = || samples.iter().filter(|it| it.ply == ply);
        let mean = |number: fn(&Sample) -> u32| Cell::mean(here().map(|it| f64::from(number(it))));
        table.row([
            Cell::from(ply),
            here().count().into(),
            mean(|it| it.max_cn),
            mean(|it| it.min_cn),
            mean(|it| it.proof),
            mean(|it| it.disproof),
        ]);
    }
    table.plotted(Plot::new("plies played", drawn, "leaves").log_y())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_of_ranks_are_as_textbooks_have_them() {
        let a = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(spearman(&a, &[10.0, 20.0, 25.0, 1000.0]), Some(1.0));
        assert_eq!(spearman(&a, &[4.0, 3.0, 2.0, 1.0]), Some(-1.0));
        assert_eq!(spearman(&a, &[7.0; 4]), None);
        assert_eq!(ranks(&[5.0, 1.0, 5.0]), [2.5, 1.0, 2.5]);
        // Two numbers related only through the third.
        let held = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        let a = [1.0, 2.0, 4.0, 3.0, 5.0, 6.0, 8.0, 7.0];
        let b = [2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 7.0, 8.0];
        let left = partial(&a, &b, &held);
        assert!(left.is_some_and(|left| left.abs() < 0.2), "{left:?}");
    }

    #[test]
    fn a_won_position_has_its_numbers() {
        // X completes a row at once; else O does, unless X blocks.
        let position = TicTacToe::after_cells(&[0, 3, 1, 4]).unwrap();
        let sample = sample(&position, 4, 2, TicTacToe::row_score);
        assert_eq!(sample.ply, 4);
        assert!(sample.max_cn > 0 && sample.proof > 0);
        let course = course(&position, position.side_to_move(), MOST_NODES);
        assert_eq!(course.won, Some(true));
    }

    #[test]
    fn games_of_section_3_are_full_length_or_won() {
        let samples = players();
        assert!(samples.iter().any(|it| it.ply == 8));
        assert!(samples.iter().all(|it| it.ply < 9));
    }
}
