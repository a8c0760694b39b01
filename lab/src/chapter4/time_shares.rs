//! Figure 4.2: shares of time by phase for the three storages.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::{
    ALL_THRESHOLDS, STATIC_VALUES, STORAGES, Trees, findings_of, seeds, size, stop_if,
    storage_headings,
};
use crate::experiment::{EffortLimit, Experiment, Findings, Request};
use crate::outcome::{Cell, Plot, TOTAL, Table};
use cassius::search::best_first::{Expansion, GrowthEnd, GrowthPhase, Watcher};

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "profile",
    title: "Where the three storages spend their time on a random tree",
    figures: &["4.2"],
    about: "One tree (five children, values from -20 to 20, settled) is grown with each storage, \
        and the time of each kind of work is added up: finding the leaf to expand, generating and \
        ordering its children, bringing values and numbers up to date along the path, and finding \
        Vmin and Vmax. Basic computes numbers while it descends and while it looks for Vmin and \
        Vmax, the others keep them up to date.",
    effort: EffortLimit::Nodes,
    run,
    ..Experiment::PLAIN
};

/// The phases, as rows.
const PHASES: [(GrowthPhase, &str); 5] = [
    (GrowthPhase::Descend, "find a leaf"),
    (GrowthPhase::Update, "update values and numbers"),
    (GrowthPhase::Range, "find Vmin, Vmax"),
    (GrowthPhase::Expand, "generate children"),
    (GrowthPhase::Rest, "other"),
];

/// Accumulates times by phase.
struct Profile {
    nodes: usize,
    now: usize,
    since: Instant,
    times: [Duration; PHASES.len()],
    /// Number of clock readings.
    readings: u32,
}

impl Profile {
    fn new(nodes: usize) -> Profile {
        Profile {
            nodes,
            now: PHASES.len() - 1,
            since: Instant::now(),
            times: [Duration::ZERO; PHASES.len()],
            readings: 0,
        }
    }
}

impl Watcher for Profile {
    fn enters(&mut self, phase: GrowthPhase) {
        let now = Instant::now();
        self.times[self.now] += now - self.since;
        self.since = now;
        self.readings += 1;
        let entered = PHASES.iter().position(|it| it.0 == phase);
        self.now = entered.unwrap_or(self.now);
    }

    fn expanded(&mut self, expansion: &Expansion) -> ControlFlow<()> {
        let is_enough = expansion.nodes >= self.nodes;
        if is_enough {
            self.enters(GrowthPhase::Rest);
        }
        stop_if(is_enough)
    }
}

/// Time of one clock reading.
fn reading() -> Duration {
    const TIMES: u32 = 100_000;
    let start = Instant::now();
    let mut last = start;
    for _ in 0..TIMES {
        last = Instant::now();
    }
    (last - start) / TIMES
}

fn run(request: &Request) -> Result<Findings> {
    let usual = request.quick_or_full(30_000, 100_000);
    let nodes = size(request, usual);
    let family = Trees::new(5, 20, STATIC_VALUES[2].1);
    let one = reading();
    let columns = STORAGES.map(|(name, _)| format!(" | {name}, ms:2 | {name}, %:1"));
    let headings = format!("work{}", columns.concat());
    let mut rows = PHASES.map(|(_, name)| vec![Cell::from(name)]);
    let mut total = vec![Cell::from(TOTAL)];
    for (_, storage) in STORAGES {
        let mut profile = Profile::new(nodes);
        for seed in seeds(request, 100) {
            profile = Profile::new(nodes);
            let mut search = family.search(storage, request);
            let end = search.grow(&family.root(seed), ALL_THRESHOLDS, &mut profile);
            if end == GrowthEnd::Enough {
                break;
            }
        }
        // Each lap includes one reading, and all phases have as many laps.
        let each = one * profile.readings / PHASES.len() as u32;
        let times = profile.times.map(|time| time.saturating_sub(each));
        let sum: Duration = times.iter().sum();
        for (row, time) in rows.iter_mut().zip(times) {
            let (time, sum) = (time.as_secs_f64(), sum.as_secs_f64());
            row.extend([1_000.0 * time, 100.0 * time / sum].map(Cell::from));
        }
        total.extend([1_000.0 * sum.as_secs_f64(), 100.0].map(Cell::from));
    }
    let mut table = Table::new("fig4.2", "Time by kind of work", &headings);
    rows.into_iter().for_each(|row| table.row(row));
    table.row(total);
    let table = table.plotted(Plot::new("work", storage_headings(", %"), "% of the time"));
    let mut findings = findings_of(request, 1);
    findings.setting("nodes", nodes.to_string());
    findings.tables = vec![table, printed()];
    findings.note(format!(
        "The clock is read five times an expansion; the {} ns that a reading takes are subtracted.",
        one.as_nanos()
    ));
    findings.note(
        "The thesis's profile goes by functions, not by kinds of work, and does not give the size \
         of its tree; basic's computing of numbers is found here in the two kinds of work that it \
         is done for.",
    );
    Ok(findings)
}

/// The thesis's figures.
fn printed() -> Table {
    let tasks: [(&str, [Option<f64>; 3]); 7] = [
        ("compute or update CNs", [7_427.63, 8.82, 27.20].map(Some)),
        ("access CNs", [None, Some(6.24), Some(3.17)]),
        (
            "compute Vmin, Vmax, new CNs",
            [Some(56.08), None, Some(0.12)],
        ),
        ("Rule_out_Vmax", [5.55, 3.58, 3.16].map(Some)),
        ("Rule_out_Vmin", [0.44, 0.38, 0.16].map(Some)),
        ("others", [1.31, 2.05, 1.67].map(Some)),
        (TOTAL, [7_491.01, 21.07, 35.48].map(Some)),
    ];
    let title = "The thesis's profile, in seconds on a Sun 3/75";
    let names = [0, 1, 2].map(|storage| format!("{}, s:2", STORAGES[storage].0));
    Table::new("fig4.2-thesis", title, "").beside(
        "thesis, figure 4.2",
        &format!("task | {}", names.join(" | ")),
        tasks.map(|(task, seconds)| {
            let cells = seconds.into_iter().map(Cell::from);
            [Cell::from(task)].into_iter().chain(cells).collect()
        }),
    )
}
