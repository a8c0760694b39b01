//! Figure 4.6: memory of the three storages.

use anyhow::Result;

use super::{ALL_THRESHOLDS, SHORT_NOTE, STORAGES, Stopwatch, Trees, findings_of, is_grown, seeds};
use crate::experiment::{Experiment, Findings, Request};
use crate::outcome::{Cell, Column, Plot, Table};
use cassius::games::random_tree::StaticValues;
use cassius::search::papers::best_first::StorageKind;

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
    let headings = |of: &[(&str, StorageKind)], suffix: &str| {
        let names = of.iter();
        names
            .map(|(name, _)| format!("{name}{suffix}"))
            .collect::<Vec<_>>()
    };
    let own = headings(&STORAGES, ", bytes a node");
    let thesis = headings(&STORAGES[..3], ", thesis, bytes a node");
    let columns = Column::list(&format!("trees | nodes | {}:1", own.join(":1 | ")));
    let mut table = Table::new("fig4.6", "Memory of a tree", columns);
    let columns = Column::list(&format!(
        "trees | {}:2 | {}:2 | compromise / storage-intensive, thesis:2",
        headings(&STORAGES[2..], " / storage-intensive").join(":2 | "),
        headings(
            &STORAGES[2..],
            " / storage-intensive, numbers at leaves too"
        )
        .join(":2 | "),
    ));
    let title = "Memory as parts of storage-intensive's, with numbers at interior nodes and at all";
    let mut at_leaves = Table::new("fig4.6-leaves", title, columns);
    for (limit, children, printed) in CASES {
        let family = Trees::new(children, limit, StaticValues::Independent);
        let grown = STORAGES.map(|(_, storage)| grow(family, storage, request));
        let nodes = grown[0].map(|(nodes, _)| nodes);
        let head = [family.name().into(), nodes.into()];
        let each = grown.map(|it| it.map(|(nodes, bytes)| bytes as f64 / nodes as f64));
        table.row(head.into_iter().chain(each.map(Cell::from)));
        if let [
            Some(basic),
            Some(intensive),
            Some(compromise),
            Some(four_numbers),
        ] = grown
        {
            let numbers = parts(children, basic, intensive, [compromise, four_numbers]);
            let row = numbers.into_iter().chain([printed[2] / printed[1]]);
            at_leaves.row(
                [family.name().into()]
                    .into_iter()
                    .chain(row.map(Cell::from)),
            );
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
fn parts(children: u16, basic: Size, intensive: Size, others: [Size; 2]) -> [f64; 4] {
    let interior = (basic.0 - 1) as f64 / f64::from(children);
    let (least, whole) = (basic.1 as f64, intensive.1 as f64);
    let [a, b] = others.map(|it| it.1 as f64);
    let at_leaves = |bytes: f64| least + (bytes - least) / interior * basic.0 as f64;
    [a, b, at_leaves(a), at_leaves(b)].map(|bytes| bytes / whole)
}

/// Nodes and bytes of a tree.
type Size = (usize, usize);

/// Grows the first tree of a family that reaches the size: any will do, as only its size matters.
fn grow(family: Trees, storage: StorageKind, request: &Request) -> Option<Size> {
    seeds(request, 100).find_map(|seed| {
        let mut search = family.search(storage, request);
        let marks = [NODES];
        let mut watch = Stopwatch::new(&marks);
        let end = search.grow(&family.root(seed), ALL_THRESHOLDS, &mut watch);
        is_grown(end).then_some((watch.nodes, watch.bytes))
    })
}
