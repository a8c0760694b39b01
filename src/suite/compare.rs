//! Positions solved by each search, and the significance of differences.

use std::collections::BTreeMap;

use super::results::{Entry, Outcome, Results};
use crate::output::table::{Table, thousands};

/// Summary of one search's results.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    pub search: String,
    /// Number of positions.
    pub positions: usize,
    /// Number of positions solved.
    pub solved: usize,
    /// Number of positions where it failed: crashed, hung or gave no legal move.
    pub failures: usize,
    /// Number of mates claimed, for either side, with a line to the mate.
    pub mates_shown: usize,
    /// Number of mates claimed, for either side.
    pub mates: usize,
    /// Mean number of nodes; like the other means, over the positions where the search did not fail.
    pub mean_nodes: f64,
    /// Mean of the last completed iteration: depth, demand or conspiracy threshold.
    pub mean_iteration: f64,
    /// Mean time, in milliseconds.
    pub mean_ms: f64,
    /// Mean time until the right answer was found for good, over the solved positions, in milliseconds; `None` if there
    /// are none.
    pub mean_solution_ms: Option<f64>,
}

/// Two searches compared on the positions that both were given.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pairing {
    pub first: String,
    pub second: String,
    /// Positions that only the first solved.
    pub only_first: u64,
    /// Positions that only the second solved.
    pub only_second: u64,
    /// Positions that both solved.
    pub both: u64,
    /// Positions that neither solved.
    pub neither: u64,
}

/// The exact two-sided test of McNemar (1947) for `first` and `second` discordant pairs: the probability of a difference
/// at least as large if the two solved each position with the same probability. It is twice the smaller tail of a
/// binomial distribution with probability 1/2, at most 1.
pub fn mcnemar(first: u64, second: u64) -> f64 {
    let pairs = first + second;
    // Logarithms, since 2^-n is 0 in floating point from n = 1075 on.
    let mut log_term = -(pairs as f64) * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    for k in 1..=first.min(second) {
        log_term += ((pairs - k + 1) as f64).ln() - (k as f64).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// A summary for each search, in the order of the header.
pub fn summaries(results: &Results) -> Vec<Summary> {
    let searches = results.header.searches.iter();
    searches.map(|search| summary(results, search)).collect()
}

fn summary(results: &Results, search: &str) -> Summary {
    let own = |entry: &&Entry| entry.search == search;
    let outcomes = results.entries.iter().filter(own).map(|it| &it.outcome);
    let count = |has: fn(&Outcome) -> bool| outcomes.clone().filter(|it| has(it)).count();
    // Failed searches count neither in nodes nor in depths nor in times.
    let finished = outcomes.clone().filter(|it| it.failure.is_none());
    let mean_of = |of: fn(&Outcome) -> f64| mean(finished.clone().map(of)).unwrap_or(0.0);
    let solutions = outcomes.clone().filter_map(|it| it.solution);
    Summary {
        search: search.to_owned(),
        positions: outcomes.clone().count(),
        solved: count(|it| it.solved),
        failures: count(|it| it.failure.is_some()),
        mates_shown: count(|it| it.mate_shown == Some(true)),
        mates: count(|it| it.mate.is_some()),
        mean_nodes: mean_of(|it| it.nodes as f64),
        mean_iteration: mean_of(|it| f64::from(it.iteration)),
        mean_ms: mean_of(|it| it.ms),
        mean_solution_ms: mean(solutions.map(|at| at.ms)),
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let numbers: Vec<f64> = numbers.collect();
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// All pairs of searches, in the order of the header.
pub(crate) fn pairings(results: &Results) -> Vec<Pairing> {
    let mut solved: BTreeMap<usize, BTreeMap<&str, bool>> = BTreeMap::new();
    for entry in &results.entries {
        let position = solved.entry(entry.position).or_default();
        position.insert(&entry.search, entry.outcome.solved);
    }
    let searches = &results.header.searches;
    let mut pairings = Vec::new();
    for (index, first) in searches.iter().enumerate() {
        for second in &searches[index + 1..] {
            let mut counts = [[0; 2]; 2];
            for position in solved.values() {
                let by = |search: &String| position.get(search.as_str()).copied();
                if let (Some(a), Some(b)) = (by(first), by(second)) {
                    counts[usize::from(a)][usize::from(b)] += 1;
                }
            }
            pairings.push(Pairing {
                first: first.clone(),
                second: second.clone(),
                only_first: counts[1][0],
                only_second: counts[0][1],
                both: counts[1][1],
                neither: counts[0][0],
            });
        }
    }
    pairings
}

/// A probability with three decimals that never reads as 0.
fn probability(p: f64) -> String {
    if p < 0.0005 {
        "<0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// The summaries as a table.
pub fn summary_table(results: &Results) -> Table {
    let asks_for_mates = results.entries.iter().any(|it| it.goal.starts_with("dm"));
    let mut headings = vec!["search", "solved", "of", "%"];
    if asks_for_mates {
        headings.extend(["mates", "shown"]);
    }
    headings.extend([
        "mean nodes",
        "mean depth",
        "mean ms",
        "ms to solution",
        "failed",
    ]);
    let mut table = Table::new(headings);
    for summary in summaries(results) {
        let percent = 100.0 * summary.solved as f64 / (summary.positions as f64).max(1.0);
        let to_solution = summary.mean_solution_ms;
        let mut row = vec![
            summary.search,
            summary.solved.to_string(),
            summary.positions.to_string(),
            format!("{percent:.1}"),
        ];
        if asks_for_mates {
            row.extend([summary.mates.to_string(), summary.mates_shown.to_string()]);
        }
        row.extend([
            thousands(summary.mean_nodes.round() as u64),
            format!("{:.1}", summary.mean_iteration),
            format!("{:.1}", summary.mean_ms),
            to_solution.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.1}")),
            summary.failures.to_string(),
        ]);
        table.row(row);
    }
    table
}

/// All pairs of searches as a table; without rows for a single search.
pub fn pairing_table(results: &Results) -> Table {
    table_of(pairings(results))
}

/// The pairs of one search with each of the others as a table; without rows if there is no such search.
pub fn pairing_table_of(results: &Results, search: &str) -> Table {
    let mut pairs = pairings(results);
    pairs.retain(|pair| pair.first == search || pair.second == search);
    table_of(pairs)
}

fn table_of(pairings: Vec<Pairing>) -> Table {
    let mut pairs = Table::new(["A", "B", "both", "only A", "only B", "neither", "p"]);
    for pair in pairings {
        pairs.row([
            pair.first,
            pair.second,
            pair.both.to_string(),
            pair.only_first.to_string(),
            pair.only_second.to_string(),
            pair.neither.to_string(),
            probability(mcnemar(pair.only_first, pair.only_second)),
        ]);
    }
    pairs
}

/// Meaning of the last column of [`pairing_table`].
pub const LEGEND: &str = "p: exact McNemar test, two-sided";

/// Both tables as text for a terminal; the second only if there are several searches.
pub(crate) fn to_text(results: &Results) -> String {
    let (table, pairs) = (summary_table(results), pairing_table(results));
    if pairs.is_empty() {
        table.to_string()
    } else {
        format!("{table}\n{pairs}{LEGEND}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::results::{Header, Moment};

    /// Results of some searches, one letter for each position: `+` solved, `-` missed, `!` failed, `.` not run.
    fn results<const N: usize>(by_search: [(&str, &str); N]) -> Results {
        let mut entries = Vec::new();
        for (search, letters) in by_search {
            for (index, letter) in letters.chars().enumerate().filter(|&(_, c)| c != '.') {
                let ms = 10.0 * (index + 1) as f64;
                let moment = Moment {
                    ms: ms / 2.0,
                    nodes: 1,
                    iteration: 1,
                };
                entries.push(Entry {
                    position: index + 1,
                    id: index.to_string(),
                    fen: String::new(),
                    goal: String::new(),
                    search: search.to_owned(),
                    outcome: Outcome {
                        solved: letter == '+',
                        iteration: 2 * index as u32,
                        nodes: 1_000,
                        ms,
                        solution: (letter == '+').then_some(moment),
                        failure: (letter == '!').then(|| "crashed".to_owned()),
                        ..Outcome::default()
                    },
                });
            }
        }
        Results {
            header: Header {
                searches: by_search.map(|(search, _)| search.to_owned()).to_vec(),
                ..Header::default()
            },
            entries,
        }
    }

    #[test]
    fn summaries_count_and_average() {
        let results = results([("a", "++-+"), ("b", "!..."), ("c", "!!++")]);
        let [a, b, c] = &summaries(&results)[..] else {
            panic!("three summaries");
        };
        assert_eq!((a.positions, a.solved, a.failures), (4, 3, 0));
        assert_eq!(
            (a.mean_nodes, a.mean_iteration, a.mean_ms),
            (1_000.0, 3.0, 25.0)
        );
        let over_solved = (5.0 + 10.0 + 20.0) / 3.0;
        assert_eq!(a.mean_solution_ms, Some(over_solved));
        assert_eq!((b.positions, b.solved, b.failures), (1, 0, 1));
        assert_eq!(b.mean_solution_ms, None);
        // Failed searches do not count in the means.
        assert_eq!((c.positions, c.failures), (4, 2));
        assert_eq!(
            (c.mean_nodes, c.mean_iteration, c.mean_ms),
            (1_000.0, 5.0, 35.0)
        );
    }

    #[test]
    fn pairings_count_only_what_both_were_given() {
        let results = results([("a", "++++--.+"), ("b", "+---+-+.")]);
        let [pair] = &pairings(&results)[..] else {
            panic!("one pairing");
        };
        assert_eq!((pair.first.as_str(), pair.second.as_str()), ("a", "b"));
        let counts = (pair.both, pair.only_first, pair.only_second, pair.neither);
        assert_eq!(counts, (1, 3, 1, 1));
        let p = mcnemar(pair.only_first, pair.only_second);
        assert!((p - 10.0 / 16.0).abs() < 1e-12);
    }

    #[test]
    fn one_search_is_set_beside_each_of_the_others() {
        let results = results([("a", "++-"), ("b", "+--"), ("c", "-++")]);
        assert_eq!(pairings(&results).len(), 3);
        let pairs = pairing_table_of(&results, "b").markdown();
        assert!(
            pairs.contains("| a | b | 1 | 1 | 0 | 1 | 1.000 |"),
            "{pairs}"
        );
        assert!(
            pairs.contains("| b | c | 0 | 1 | 2 | 0 | 1.000 |"),
            "{pairs}"
        );
        assert!(!pairs.contains("| a | c |"), "{pairs}");
        assert!(pairing_table_of(&results, "d").is_empty());
    }

    #[test]
    fn no_probability_looks_like_none() {
        assert_eq!(probability(1.0), "1.000");
        assert_eq!(probability(0.0214), "0.021");
        assert_eq!(probability(1e-9), "<0.001");
    }

    #[test]
    fn mcnemar_agrees_with_known_values() {
        // Binomial tails, by hand: for (1, 9) this is 2 (1 + 10) / 2^10.
        let known = [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (0, 5, 0.0625),
            (1, 9, 22.0 / 1024.0),
            (9, 1, 22.0 / 1024.0),
            (12, 5, 2.0 * 9402.0 / 131_072.0),
            (3, 3, 1.0),
        ];
        for (first, second, expected) in known {
            let p = mcnemar(first, second);
            assert!((p - expected).abs() < 1e-12, "({first}, {second}): {p}");
        }
        // Beyond the range of 2^-n: two standard deviations of the normal approximation.
        let p = mcnemar(5_000 - 100, 5_000 + 100);
        assert!((p - 0.0466).abs() < 0.0005, "{p}");
        assert!(mcnemar(0, 20_000) < 1e-100);
    }
}
