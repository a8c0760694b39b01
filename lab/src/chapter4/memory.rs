//! Figure 4.6: memory of the three storages.

use anyhow::Result;

use super::{Counts, SHORT_NOTE, STORAGES, Stopwatch, Trees, findings_of, seeds, storage_headings};
use crate::experiment::{Experiment, Findings, Request};
use crate::outcome::{Plot, Table};
use cassius::games::random_tree::StaticValues;
use cassius::search::best_first::StorageKind;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "memory",
    title: "Memory the three storages take on random trees",
    figures: &["4.6"],
    about: "Bytes of a tree of some 10 000 nodes. A leaf takes the same with all storages: value, \
        move and a link, never numbers. An interior node takes more, with storage-intensive a byte \
        for each value of the range, with compromise two windows of eight. So few values and many children favour \
        storage-intensive, and many values and few children do not.",
    run,
    ..Experiment::PLAIN
};

/// Limit of the values, children of a node, and the thesis's bytes per node for each storage.
const CASES: [(u8, u16, [f64; 3]); 2] = [(5, 40, [8.0, 6.4, 12.0]), (30, 5, [8.0, 19.2, 12.0])];

/// Size of the thesis's trees, in nodes.
const NODES: usize = 10_001;

fn run(request: &Request) -> Result<Findings> {
    let own = storage_headings(", bytes a node");
    let [basic, intensive, compromise, _] = storage_headings(", thesis, bytes a node");
    let thesis = [basic, intensive, compromise];
    let headings = format!("trees | nodes | {}:1", own.join(":1 | "));
    let mut table = Table::new("fig4.6", "Memory of a tree", &headings);
    let headings = "trees | compromise / storage-intensive:2 | four numbers / storage-intensive:2 | \
         compromise / storage-intensive, numbers at leaves too:2 | \
         four numbers / storage-intensive, numbers at leaves too:2 | compromise / storage-intensive, thesis:2";
    let title = "Memory as parts of storage-intensive's, with numbers at interior nodes and at all";
    let mut at_leaves = Table::new("fig4.6-leaves", title, headings);
    for (limit, children, printed) in CASES {
        let family = Trees::new(children, limit, StaticValues::Independent);
        let grown = STORAGES.map(|(_, storage)| grow(family, storage, request));
        let head = [family.name().into(), grown[0].map(|it| it.nodes).into()];
        let each = grown.map(|it| it.map(|it| it.bytes as f64 / it.nodes as f64).into());
        table.row(head.into_iter().chain(each));
        if let [Some(basic), Some(intensive), Some(a), Some(b)] = grown {
            let numbers = parts(children, basic, intensive, [a, b]);
            let row = numbers.into_iter().chain([printed[2] / printed[1]]);
            at_leaves.named_row(family.name(), row);
        }
    }
    let plot = Plot::new("trees", own.iter().chain(&thesis), "bytes a node");
    let mut findings = findings_of(request, 1);
    findings.tables.push(table.plotted(plot).printed(
        "thesis, figure 4.6 (ranges of 10 and 60, 10 001 nodes)",
        &format!("{}:1", thesis.join(":1 | ")),
        CASES.map(|(.., bytes)| bytes),
    ));
    findings.tables.push(at_leaves);
    findings.note(SHORT_NOTE);
    findings.note(
        "The thesis's basic and compromise store the children' number and pointer with every node; \
         here all storages keep them with interior nodes only, and each node holds a move, which \
         random trees hardly need but chess does. The chunks that memory is taken in, and what \
         is set aside for thinning out a full tree, come on top.",
    );
    Ok(findings)
}

/// Memory of two storages as fractions of storage-intensive's, then the same if leaves too stored numbers, as with the
/// thesis's compromise. Storages differ in the records of interior nodes only.
fn parts(children: u16, basic: Counts, intensive: Counts, others: [Counts; 2]) -> [f64; 4] {
    let interior = (basic.nodes - 1) as f64 / f64::from(children);
    let (least, whole) = (basic.bytes as f64, intensive.bytes as f64);
    let [a, b] = others.map(|it| it.bytes as f64);
    let at_leaves = |bytes: f64| least + (bytes - least) / interior * basic.nodes as f64;
    [a, b, at_leaves(a), at_leaves(b)].map(|bytes| bytes / whole)
}

/// Grows the first tree of a family that reaches the size: any will do, as only its size matters.
fn grow(family: Trees, storage: StorageKind, request: &Request) -> Option<Counts> {
    seeds(request, 100).find_map(|seed| {
        let mut search = family.search(storage, request);
        let watch = Stopwatch::new(&[NODES]).grow(&mut search, &family.root(seed));
        Some(watch?.counts)
    })
}
