//! Figure 5.6 and section 5.2.4: distribution of nodes over the tree.

use anyhow::Result;

use super::{CONSPIRE_NOTE, conspire, marks, note_limits};
use crate::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use crate::outcome::{Cell, Plot, Table};
use crate::timeline::{Mark, Timeline};
use cassius::engine::fault::{Fault, Guarded};
use cassius::engine::memory;
use cassius::games::chess::{Position, Quiescence};
use cassius::output::progress::Progress;
use cassius::search::Searcher;
use cassius::search::best_first::{self, BestFirst};
use cassius::suite::epd::Record;
use cassius::workers;

/// Figure 5.6.
pub static EXPERIMENT: Experiment = Experiment {
    name: "distribution",
    title: "Where in the tree the nodes are, and how many are below the right move",
    figures: &["5.6"],
    about: "\
A conspiracy-number search looks where the conspirators are, however deep that leads. After a search of
each position this counts the nodes of the stored tree below each child of the root, and below each child of
the busiest of these. Figure 5.6 gives their shares, busiest first; the other table tells whether the
branch of the right move was the busiest, for problems solved and unsolved.",
    subject: Subject::Problems,
    effort: EffortLimit::NodesOrTime,
    run,
};

const QUICK_NODES: u64 = 200_000;
const FULL_NODES: u64 = 4_000_000;

/// Names of children with a row of their own.
const RANKS: [&str; 5] = ["busiest child", "second", "third", "fourth", "fifth"];
const NAMES: [&str; 2] = ["conspire", "best-first"];

type Search = BestFirst<Position, Quiescence>;

/// Distribution of nodes after the search of one problem.
#[derive(Default)]
struct Spread {
    /// Shares of the nodes below the root by child, busiest first, and the rest.
    at_root: Shares,
    /// Shares below the root's busiest child; `None` if nothing is below it.
    at_busiest: Option<Shares>,
    /// Whether the problem was solved, and the attention to the right move; `None` for goals other than a move.
    verdict: Option<(bool, Attention)>,
}

type Shares = [f64; RANKS.len() + 1];

/// The right move's share of the nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attention {
    /// No other move has more.
    Most,
    /// At least an equal share, but not the most.
    Some,
    /// Less than an equal share.
    Little,
}

fn run(request: &Request) -> Result<Findings> {
    let [mark] = marks(request, QUICK_NODES, FULL_NODES, [1]);
    memory::ensure([request.hash_megabytes; NAMES.len()], request.jobs)?;
    let mut findings = Findings::default();
    let prepare = || {
        [conspire(), best_first::Settings::default()].map(|settings| {
            let hash = request.hash_megabytes;
            let build = move || Search::new(settings, hash, Quiescence::tactical());
            Guarded::new("best-first", build)
        })
    };
    let work = |searches: &mut [Guarded<Search>; 2], problem: &Record| {
        let [one, other] = searches
            .each_mut()
            .map(|it| it.search(&problem.position, |search| spread(search, problem, mark)));
        Ok::<_, Fault>([one?, other?])
    };
    let progress = Progress::new(request.problems.len() as u64);
    let done = |problem: &Record| progress.advance(problem.id.clone());
    let spreads = workers::map(&request.problems, request.jobs, prepare, work, done)?;
    progress.finish();
    let spreads = findings.keep(spreads);
    findings.tables = vec![shares(&spreads), attention(&spreads)];
    note_limits(request, mark, &mut findings);
    findings.note(CONSPIRE_NOTE);
    findings.note(
        "Shares are means over the problems. Columns of level 1 count only nodes below the root's busiest child. \
         \"Little\" is less than the move would have got in equal shares.",
    );
    Ok(findings)
}

fn spread(search: &mut Search, problem: &Record, mark: Mark) -> Spread {
    let end = Timeline::record(search, problem, mark).end();
    let solved = end.solved.is_some();
    let Some(tree) = search.snapshot() else {
        return Spread::default();
    };
    let sizes = tree.sizes();
    let branches = tree.children_of(0);
    let busiest = branches.clone().max_by_key(|&child| sizes[child]);
    let below = |node: usize| ranked(sizes[tree.children_of(node)].to_vec());
    let moves = |child: usize| tree.nodes()[child].m;
    let is_right = |&child: &usize| moves(child).is_some_and(|m| problem.best.contains(&m));
    let right = branches.clone().filter(is_right);
    let right = right.map(|child| sizes[child]).max();
    Spread {
        at_root: below(0).unwrap_or_default(),
        at_busiest: busiest.and_then(below),
        verdict: right.zip(busiest).map(|(right, busiest)| {
            let attention = if right == sizes[busiest] {
                Attention::Most
            } else if right * branches.len() >= sizes[0] - 1 {
                Attention::Some
            } else {
                Attention::Little
            };
            (solved, attention)
        }),
    }
}

/// Counts as shares, greatest first, the rest together; `None` if all are 0.
fn ranked(mut counts: Vec<usize>) -> Option<Shares> {
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let all: usize = counts.iter().sum();
    let mut shares = Shares::default();
    for (rank, count) in counts.into_iter().enumerate() {
        shares[rank.min(RANKS.len())] += count as f64 / all as f64;
    }
    (all > 0).then_some(shares)
}

fn shares(spreads: &[[Spread; 2]]) -> Table {
    let drawn = NAMES.map(|name| ["root", "level 1"].map(|level| format!("{name}, {level}, %")));
    let drawn = drawn.concat();
    let headings = format!("nodes below | {}:1", drawn.join(":1 | "));
    let mut table = Table::new("fig5.6", "Distribution of nodes below children", &headings);
    for (rank, label) in RANKS.into_iter().chain(["all others"]).enumerate() {
        let mut row = vec![Cell::from(label)];
        for search in 0..NAMES.len() {
            let of_search = spreads.iter().map(move |spreads| &spreads[search]);
            let percent = |shares: &Shares| 100.0 * shares[rank];
            row.push(Cell::mean(of_search.clone().map(|it| percent(&it.at_root))));
            let below = of_search.filter_map(|it| it.at_busiest.as_ref());
            row.push(Cell::mean(below.map(percent)));
        }
        table.row(row);
    }
    let source = "thesis, section 5.2.4: \"about 80%\" below just one child of a node on level 0 or 1; \
        the figure itself is a drawing without numbers";
    table
        .beside(source, "Conspire, about %", [vec![80.into()]])
        .plotted(Plot::new("nodes below", drawn, "% of nodes"))
}

fn attention(spreads: &[[Spread; 2]]) -> Table {
    let headings = "problems | conspire | best-first";
    let title = "How much of the tree is below the right move";
    let mut table = Table::new("attention", title, headings);
    let attentions = [
        ("the most", Attention::Most),
        ("some", Attention::Some),
        ("little", Attention::Little),
    ];
    for (problems, solved) in [("solved", true), ("unsolved", false)] {
        for (share, attention) in attentions {
            let wanted = Some((solved, attention));
            let count = |search: usize| {
                let verdicts = spreads.iter().map(|spreads| spreads[search].verdict);
                verdicts.filter(|&verdict| verdict == wanted).count()
            };
            let label = format!("{problems}, right move got {share}");
            table.named_row(label, [count(0), count(1)]);
        }
    }
    // The thesis's counts; its three classes of unsolved problems nearly match these rows.
    let printed = [Some(37), Some(3), None, Some(19), Some(3), Some(31)];
    table.beside(
        "thesis, section 5.2.4 (93 problems; its classes, solved: right move explored much more than \
         other moves, effort spread more evenly; unsolved: explored much more, effort on moves further \
         down, hardly explored)",
        "Conspire",
        printed.map(|cell| vec![Cell::from(cell)]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cassius::suite::epd;

    #[test]
    fn shares_are_ranked_and_add_up() {
        assert_eq!(ranked(vec![]), None);
        let shares = ranked(vec![1, 5, 1, 1, 1, 0, 1]).unwrap();
        assert_eq!(shares, [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]);
    }

    /// The distribution in a small tree of a mate in one, with this goal.
    fn spread_of(goal: &str) -> Spread {
        let line = format!("6k1/5ppp/8/8/8/8/8/K3R3 w - - {goal};");
        let problem = epd::parse_line(&line, "mate").unwrap();
        let mut search = Search::new(conspire(), 1, Quiescence::tactical());
        spread(&mut search, &problem, Mark::Nodes(2_000))
    }

    #[test]
    fn a_mate_in_one_gets_solved_with_little_attention_to_anything() {
        let spread = spread_of("bm Re8#");
        assert!(spread.verdict.is_some_and(|(solved, _)| solved));
        assert!((spread.at_root.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn problems_without_a_right_move_have_no_verdict() {
        assert_eq!(spread_of("am Ka2").verdict, None);
    }
}
