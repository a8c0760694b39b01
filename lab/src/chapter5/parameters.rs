//! Figures 5.7 and 5.8: effects of the size of the range of values and of the depth limit.

use anyhow::Result;

use super::{CONSPIRE_NOTE, NODES_NOTE, PAIRED, conspire, marks, paired, search, settings, solved};
use crate::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use crate::outcome::{Cell, Plot, Table};
use crate::timeline::Mark;
use cassius::conspiracy::Grid;
use cassius::output::table::thousands;
use cassius::search::best_first::Settings as Search;
use cassius::search::registry::{Algorithm, Settings};

/// Figure 5.7.
pub static RANGE_SIZES: Experiment = Experiment {
    name: "range-sizes",
    title: "How finely values must be told apart",
    figures: &["5.7"],
    about: "\
Conspiracy numbers are kept for a range of values. Here the same material, from -14 to 14 pawns, is put on
ranges of different sizes, the ends kept for won and lost games: with 31 values a step is a pawn, with 5
it is 14. Few values tell moves apart badly, many cost time.",
    subject: Subject::Efforts,
    effort: EffortLimit::NodesOrTime,
    run: range_sizes,
};

/// Figure 5.8.
pub static DEPTH_LIMITS: Experiment = Experiment {
    name: "depth-limits",
    title: "How deep a best-first search may look",
    figures: &["5.8"],
    about: "\
A best-first search follows forced lines as far as they go. A depth limit, from which on positions keep the
value they have, makes it look around more. This counts problems solved with different limits.",
    subject: Subject::Efforts,
    effort: EffortLimit::NodesOrTime,
    run: depth_limits,
};

const QUICK_NODES: u64 = 50_000;
const FULL_NODES: u64 = 3_000_000;
/// Number of equal steps of effort, like the thesis's 100,000, 200,000 and 300,000 expansions.
const THIRDS: u64 = 3;

const NAMES: [&str; 2] = ["conspire", "best-first"];

/// A row of the thesis's tables: problems solved after 100,000, 200,000 and 300,000 expansions, and the seconds taken.
type Printed = Option<[i32; 4]>;

/// A value of the parameter, with the settings of conspire and best-first, and the thesis's row.
struct Variant {
    value: i32,
    settings: [Search; 2],
    printed: Printed,
}

fn variants<T: Copy + Into<i32>, const N: usize>(
    rows: [(T, Printed); N],
    change: impl Fn(T, &mut Search),
) -> [Variant; N] {
    rows.map(|(value, printed)| {
        let mut settings = [conspire(), Search::default()];
        settings.iter_mut().for_each(|it| change(value, it));
        Variant {
            value: value.into(),
            settings,
            printed,
        }
    })
}

fn range_sizes(request: &Request) -> Result<Findings> {
    let sizes: [(u8, Printed); 8] = [
        (5, Some([23, 27, 32, 1_207])),
        (9, Some([27, 31, 33, 1_457])),
        (13, Some([26, 31, 35, 1_677])),
        (17, Some([27, 33, 34, 1_751])),
        (21, Some([29, 35, 35, 1_930])),
        (25, Some([29, 35, 35, 1_987])),
        (29, Some([29, 35, 35, 2_055])),
        (31, None),
    ];
    let variants = variants(sizes, |size, it| it.grid = Grid::material(size));
    let title = "Problems solved with ranges of different sizes";
    vary(request, ["fig5.7", title, "range size"], &variants, 31)
}

fn depth_limits(request: &Request) -> Result<Findings> {
    let limits: [(u16, Printed); 7] = [
        (30, None),
        (21, Some([29, 35, 35, 1_930])),
        (16, Some([31, 37, 40, 1_940])),
        (15, Some([32, 36, 37, 1_976])),
        (12, Some([32, 37, 38, 1_910])),
        (8, None),
        (6, None),
    ];
    let variants = variants(limits, |limit, it| it.depth_limit = limit);
    let title = "Problems solved with different depth limits";
    vary(request, ["fig5.8", title, "depth limit"], &variants, 21)
}

/// Runs all variants on all problems; `about` has the table's id and title, and the parameter's name; `usual` is the
/// value with which the others are compared, problem by problem.
fn vary(request: &Request, about: [&str; 3], variants: &[Variant], usual: i32) -> Result<Findings> {
    let [id, title, parameter] = about;
    let [whole] = marks(request, QUICK_NODES, FULL_NODES, [1]);
    let thirds = [1, 2, 3].map(|third| {
        let part = (whole.amount() / THIRDS * third).max(1);
        match whole {
            Mark::Nodes(_) => Mark::Nodes(part),
            Mark::Time(_) => Mark::Time(part),
        }
    });
    let both = variants.iter().flat_map(|it| it.settings);
    let searches: Vec<Settings> = both
        .map(|it| settings(Algorithm::BestFirst, it, request))
        .collect();
    let mut findings = Findings::default();
    let states = search(request, thirds, &searches, &mut findings)?;
    let by_search = NAMES.map(|name| thirds.map(|at| solved_by(name, at)));
    let columns = NAMES.iter().zip(&by_search);
    let columns = columns.map(|(name, solved)| format!("{} | {name}, ms:1", solved.join(" | ")));
    let columns: Vec<String> = columns.collect();
    let headings = format!("{parameter} | {}", columns.join(" | "));
    let mut table = Table::new(id, title, &headings);
    for (number, variant) in variants.iter().enumerate() {
        let mut row = vec![Cell::from(variant.value)];
        for search in 0..NAMES.len() {
            let search = NAMES.len() * number + search;
            let solved = |third| Cell::from(solved(&states, search, third));
            row.extend([0, 1, 2].map(solved));
            row.push(Cell::mean(states.iter().map(|it| it[search][2].ms)));
        }
        table.row(row);
    }
    let headings = "solved, 100 000 | solved, 200 000 | solved, 300 000 | seconds";
    let rows = variants.iter().map(|it| {
        let cells = it.printed.map(|row| row.map(Cell::from).to_vec());
        cells.unwrap_or_default()
    });
    let number = id.trim_start_matches("fig");
    let source = format!(
        "thesis, figure {number} (Encyclopedia of Middlegame Combinations, 95 problems, nodes of the \
         tree)"
    );
    let table = table.beside(source, headings, rows);
    let drawn = by_search.into_iter().flatten();
    let plot = Plot::new(parameter, drawn, "problems solved");
    findings.tables.push(table.plotted(plot));
    let usual = variants.iter().position(|it| it.value == usual);
    let title = format!("Each {parameter} against the usual one, at the greatest effort");
    let mut pairs = Table::new("pairs", title, PAIRED);
    for (search, name) in NAMES.iter().enumerate() {
        for number in 0..variants.len() {
            let Some(usual) = usual.filter(|it| *it != number) else {
                continue;
            };
            let head =
                [number, usual].map(|it| Cell::from(format!("{name}, {}", variants[it].value)));
            let at = |it: usize| NAMES.len() * it + search;
            let compared = paired(&states, at(number), at(usual));
            pairs.row(head.into_iter().chain(compared));
        }
    }
    findings.tables.push(pairs);
    findings.note(CONSPIRE_NOTE);
    findings.note(NODES_NOTE);
    findings.note(format!(
        "Times are means per position of {} at a time, and depend on what else the machine does.",
        request.jobs
    ));
    Ok(findings)
}

fn solved_by(name: &str, at: Mark) -> String {
    let amount = thousands(at.amount());
    match at {
        Mark::Nodes(_) => format!("{name}, {amount}"),
        Mark::Time(_) => format!("{name}, {amount} ms"),
    }
}
