//! Figure 4.1: cost of the three storages as trees grow.

use std::time::Duration;

use anyhow::Result;

use super::{
    RATE, SHORT_NOTE, STATIC_VALUES, STORAGES, Stopwatch, Trees, findings_of, seeds,
    storage_headings,
};
use crate::experiment::{Experiment, Findings, Request};
use crate::outcome::{Cell, Plot, Table};
use cassius::output::progress::Progress;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "storages",
    title: "Time the storages take as random trees grow",
    figures: &["4.1"],
    about: "The same trees (five children, values from -20 to 20) are grown with each storage, for each way \
        that static values come about. The first table gives the time until the tree has so many nodes, as the thesis's \
        figure does, the second the expansions per second between two sizes. Basic computes each \
        number from the leaves up, so that it becomes the slower the larger the tree.",
    run,
    ..Experiment::PLAIN
};

/// Tree sizes, in nodes.
const MARKS: [usize; 9] = [
    1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 40_000,
];

/// Total time, total expansions and number of trees, at each mark.
type Laps = [(Duration, usize, usize); MARKS.len()];

/// Time limit of one tree: basic would take hours for some.
const PATIENCE: Duration = Duration::from_secs(5);

fn run(request: &Request) -> Result<Findings> {
    let trees = request.quick_or_full(3, 40);
    let progress = Progress::new((STORAGES.len() * STATIC_VALUES.len() * trees) as u64);
    let mut findings = findings_of(request, trees);
    for (values_name, values) in STATIC_VALUES {
        let family = Trees::new(5, 20, values);
        let mut laps = [Laps::default(); STORAGES.len()];
        let mut grown = 0;
        for seed in seeds(request, trees) {
            for (sums, (name, storage)) in laps.iter_mut().zip(STORAGES) {
                let mut search = family.search(storage, request);
                let mut watch = Stopwatch::new(&MARKS);
                watch.patience = PATIENCE * request.quick_or_full(1, 20);
                let watch = watch.grow(&mut search, &family.root(seed));
                progress.advance(format!("{values_name}, {name}, tree {seed}"));
                let Some(watch) = watch else { continue };
                grown += 1;
                for (sum, lap) in sums.iter_mut().zip(watch.laps) {
                    *sum = (sum.0 + lap.0, sum.1 + lap.1, sum.2 + 1);
                }
            }
        }
        let grown = grown / STORAGES.len();
        findings.tables.push(times(&laps, grown, values_name));
        findings.tables.push(rates(&laps, grown, values_name));
    }
    progress.finish();
    findings.note(SHORT_NOTE);
    findings.note(
        "A tree is given up after five seconds (a hundred with --full): on the deep, narrow trees \
         of settled values basic computes every number at every ply of its way down.",
    );
    findings.note(
        "The thesis's figure 4.1 survives without its numbers; it says that basic is inferior \
         and that the other two are fairly close. Figure 4.2 gives totals for one tree.",
    );
    Ok(findings)
}

fn times(laps: &[Laps; STORAGES.len()], grown: usize, values: &str) -> Table {
    let names = storage_headings(", ms");
    let headings = format!("nodes | {}:2", names.join(":2 | "));
    let title = format!("Time until the tree has so many nodes, {values} values");
    let mut table = Table::new(&format!("fig4.1-{values}"), title, &headings);
    for (at, mark) in MARKS.into_iter().enumerate() {
        let time = |laps: &Laps| {
            let (time, _, trees) = laps[at];
            let mean = time.as_secs_f64() * 1_000.0 / trees as f64;
            Cell::from((trees == grown).then_some(mean))
        };
        table.named_row(mark, laps.iter().map(time));
    }
    table.plotted(Plot::new("nodes", names, "ms").log_y())
}

fn rates(laps: &[Laps; STORAGES.len()], grown: usize, values: &str) -> Table {
    let names = storage_headings(RATE);
    let headings = format!(
        "nodes | {}:0 | storage-intensive / basic:1 | storage-intensive / compromise:2 | \
         storage-intensive / four numbers:2 | storage-intensive, nodes/s:0",
        names.join(":0 | ")
    );
    let title = format!("Expansions per second from the size before to this one, {values} values");
    let mut table = Table::new(&format!("fig4.1-rates-{values}"), title, &headings);
    for (at, mark) in MARKS.into_iter().enumerate() {
        let [basic, intensive, compromise, four_numbers] = laps.map(|laps| {
            let before = at.checked_sub(1).map(|it| laps[it]).unwrap_or_default();
            let seconds = (laps[at].0.checked_sub(before.0)).map_or(0.0, |it| it.as_secs_f64());
            let rate = (laps[at].1 - before.1.min(laps[at].1)) as f64 / seconds;
            if laps[at].2 == grown { rate } else { f64::NAN }
        });
        let rates = [basic, intensive, compromise, four_numbers];
        let ratios = [basic, compromise, four_numbers].map(|rate| intensive / rate);
        let cells = rates.into_iter().chain(ratios).chain([5.0 * intensive]);
        table.named_row(mark, cells);
    }
    table.plotted(Plot::new("nodes", names, "expansions per second").log_y())
}
