//! Positions solved by each search, and the significance of differences.

use std::collections::BTreeMap;

use super::results::{Outcome, Results};
use crate::output::table::{Table, thousands};

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

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let numbers: Vec<f64> = numbers.collect();
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// A probability with three decimals that never reads as 0.
fn probability(p: f64) -> String {
    if p < 0.0005 {
        "<0.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// A summary of each search as a table, in the order of the header. Its depth is the last completed iteration: depth,
/// demand or conspiracy threshold.
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
    for search in &results.header.searches {
        let own = results.entries.iter().filter(|it| it.search == *search);
        let outcomes = own.map(|it| &it.outcome);
        let count = |has: fn(&Outcome) -> bool| outcomes.clone().filter(|it| has(it)).count();
        // Failed searches count neither in nodes nor in depths nor in times.
        let finished = outcomes.clone().filter(|it| it.failure.is_none());
        let mean_of = |of: fn(&Outcome) -> f64| mean(finished.clone().map(of)).unwrap_or(0.0);
        // The time until the right answer was found for good, of solved positions.
        let to_solution = mean(outcomes.clone().filter_map(|it| Some(it.solution?.ms)));
        let (solved, positions) = (count(|it| it.solved), count(|_| true));
        let percent = 100.0 * solved as f64 / (positions as f64).max(1.0);
        let mut row = vec![
            search.clone(),
            solved.to_string(),
            positions.to_string(),
            format!("{percent:.1}"),
        ];
        if asks_for_mates {
            // For either side.
            let claimed = count(|it| it.mate.is_some());
            let shown = count(|it| it.mate_shown == Some(true));
            row.extend([claimed.to_string(), shown.to_string()]);
        }
        row.extend([
            thousands(mean_of(|it| it.nodes as f64).round() as u64),
            format!("{:.1}", mean_of(|it| f64::from(it.iteration))),
            format!("{:.1}", mean_of(|it| it.ms)),
            to_solution.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.1}")),
            count(|it| it.failure.is_some()).to_string(),
        ]);
        table.row(row);
    }
    table
}

/// The pairs of searches as a table, each compared on the positions that both were given: all pairs, or those of one
/// search with each of the others. Without rows if there are none.
pub fn pairing_table(results: &Results, of: Option<&str>) -> Table {
    let mut solved: BTreeMap<usize, BTreeMap<&str, bool>> = BTreeMap::new();
    for entry in &results.entries {
        let position = solved.entry(entry.position).or_default();
        position.insert(&entry.search, entry.outcome.solved);
    }
    let searches = &results.header.searches;
    let mut table = Table::new(["A", "B", "both", "only A", "only B", "neither", "p"]);
    for (index, first) in searches.iter().enumerate() {
        for second in &searches[index + 1..] {
            if of.is_some_and(|it| it != first && it != second) {
                continue;
            }
            let mut counts = [[0; 2]; 2];
            for position in solved.values() {
                let by = |search: &String| position.get(search.as_str()).copied();
                if let (Some(a), Some(b)) = (by(first), by(second)) {
                    counts[usize::from(a)][usize::from(b)] += 1;
                }
            }
            let [[neither, only_second], [only_first, both]] = counts;
            table.row([
                first.clone(),
                second.clone(),
                both.to_string(),
                only_first.to_string(),
                only_second.to_string(),
                neither.to_string(),
                probability(mcnemar(only_first, only_second)),
            ]);
        }
    }
    table
}

/// Meaning of the last column of [`pairing_table`].
pub const LEGEND: &str = "p: exact McNemar test, two-sided";

/// Both tables as text for a terminal; the second only if there are several searches.
pub(crate) fn to_text(results: &Results) -> String {
    let (table, pairs) = (summary_table(results), pairing_table(results, None));
    if pairs.is_empty() {
        table.to_string()
    } else {
        format!("{table}\n{pairs}{LEGEND}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::results::{Entry, Header, Moment};

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
        let results = results([("a", "-+-+"), ("b", "!..."), ("c", "!!++")]);
        let table = summary_table(&results).markdown();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        // Failed searches do not count in the means.
        assert_eq!(
            rows,
            [
                "| a | 2 | 4 | 50.0 | 1 000 | 3.0 | 25.0 | 15.0 | 0 |",
                "| b | 0 | 1 | 0.0 | 0 | 0.0 | 0.0 | - | 1 |",
                "| c | 2 | 4 | 50.0 | 1 000 | 5.0 | 35.0 | 17.5 | 2 |",
            ]
        );
    }

    #[test]
    fn pairs_are_compared_on_what_both_were_given() {
        let rows = |by_search: [(&str, &str); 3], of: Option<&str>| -> Vec<String> {
            let table = pairing_table(&results(by_search), of).markdown();
            table.lines().skip(2).map(str::to_owned).collect()
        };
        let partly = [("a", "++++--.+"), ("b", "+---+-+."), ("c", "........")];
        assert_eq!(rows(partly, None)[0], "| a | b | 1 | 3 | 1 | 1 | 0.625 |");
        let three = [("a", "++-"), ("b", "+--"), ("c", "-++")];
        assert_eq!(rows(three, None).len(), 3);
        // One search beside each of the others.
        assert_eq!(
            rows(three, Some("b")),
            [
                "| a | b | 1 | 1 | 0 | 1 | 1.000 |",
                "| b | c | 0 | 1 | 2 | 0 | 1.000 |",
            ]
        );
        assert_eq!(rows(three, Some("d")), [""; 0]);
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
            (3, 1, 10.0 / 16.0),
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
