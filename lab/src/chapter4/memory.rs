//! Figure 4.6: memory that the three storages take.

use super::{ALL_THRESHOLDS, SHORT_NOTE, STORAGES, Stopwatch, Trees, describe, is_grown, seeds};
use crate::experiment::{EffortLimit, Experiment, Findings, LabError, Request, Subject};
use crate::outcome::{Cell, Column, Plot, Table};
use cassius::games::random_tree::StaticValues;
use cassius::search::papers::best_first::{Expansion, Phase, StorageKind, Watcher};
use std::ops::ControlFlow;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "memory",
    title: "Memory the three storages take on random trees",
    figures: &["4.6"],
    about: "Bytes of a tree of some 10 000 nodes. A leaf takes the same with all storages: value, \
        move and a link, never numbers. An interior node takes more, with storage-intensive a byte \
        for each value of the range, with compromise two windows of eight. So few values and many children favour \
        storage-intensive, and many values and few children do not.",
    subject: Subject::Own,
    effort: EffortLimit::Fixed,
    run,
};

/// Limit of the values, children of a node, and the thesis's bytes per node for each storage.
const CASES: [(u8, u16, [f64; 3]); 2] = [(5, 40, [8.0, 6.4, 12.0]), (30, 5, [8.0, 19.2, 12.0])];

/// The size of the thesis's trees.
const NODES: usize = 10_001;

/// Notes the bytes at the end.
struct Scales<'a> {
    inner: Stopwatch<'a>,
    bytes: usize,
}

impl Watcher for Scales<'_> {
    fn enters(&mut self, phase: Phase) {
        self.inner.enters(phase);
    }

    fn expanded(&mut self, expansion: &Expansion) -> ControlFlow<()> {
        self.bytes = expansion.bytes;
        self.inner.expanded(expansion)
    }
}

fn run(request: &Request) -> Result<Findings, LabError> {
    let each = |suffix: &str| {
        let name = |(name, _)| Column::decimals(format!("{name}{suffix}, bytes a node"), 1);
        STORAGES.map(name)
    };
    let printed_columns = || each(", thesis").into_iter().take(CASES[0].2.len());
    let mut columns = vec![Column::new("trees"), Column::new("nodes")];
    columns.extend(each(""));
    let drawn = each("").into_iter().chain(printed_columns());
    let plot = Plot {
        x: "trees".to_owned(),
        y: drawn.map(|column| column.name).collect(),
        y_label: "bytes a node".to_owned(),
        log_x: false,
        log_y: false,
    };
    let mut table = Table::new("fig4.6", "Memory of a tree", columns);
    for (limit, children, _) in CASES {
        let family = Trees::new(children, limit, StaticValues::Independent);
        let grown = STORAGES.map(|(_, storage)| grow(family, storage, request));
        let nodes = grown[0].map(|(nodes, _)| nodes);
        let head = [family.name().into(), nodes.into()];
        let each = grown.map(|it| it.map(|(nodes, bytes)| bytes as f64 / nodes as f64));
        table.row(head.into_iter().chain(each.map(Cell::from)));
    }
    let printed = CASES.map(|(.., bytes)| bytes.map(Cell::from).to_vec());
    let at_leaves_too = numbers_at_leaves_too(request);
    let mut findings = Findings::default();
    describe(&mut findings, request, 1);
    findings.tables.push(table.plotted(plot).beside(
        "thesis, figure 4.6 (ranges of 10 and 60, 10 001 nodes)",
        printed_columns(),
        printed,
    ));
    findings.tables.push(at_leaves_too);
    findings.note(SHORT_NOTE);
    findings.note(
        "The thesis's basic and compromise store the children' number and pointer with every node; \
         here all storages keep them with interior nodes only, and each node holds a move, which \
         random trees hardly need but chess does. The chunks that memory is taken in, and what \
         is set aside for thinning out a full tree, come on top.",
    );
    Ok(findings)
}

/// The same trees had compromise kept its numbers at leaves too, as the thesis's does. What a record takes is
/// what storages differ by, for each interior node.
fn numbers_at_leaves_too(request: &Request) -> Table {
    let name = |(name, _): &(&str, StorageKind)| {
        Column::decimals(format!("{name} / storage-intensive"), 2)
    };
    let mut columns = vec![Column::new("trees")];
    columns.extend(STORAGES[2..].iter().map(name));
    let at_leaves = |column: Column| Column {
        name: format!("{}, numbers at leaves too", column.name),
        ..column
    };
    columns.extend(STORAGES[2..].iter().map(name).map(at_leaves));
    columns.push(Column::decimals(
        "compromise / storage-intensive, thesis",
        2,
    ));
    let title = "Memory as parts of storage-intensive's, with numbers at interior nodes and at all";
    let mut table = Table::new("fig4.6-leaves", title, columns);
    for (limit, children, [_, intensive, compromise]) in CASES {
        let family = Trees::new(children, limit, StaticValues::Independent);
        let grown = STORAGES.map(|(_, storage)| grow(family, storage, request));
        let [Some(basic), Some(stored), others @ ..] = grown else {
            continue;
        };
        let bytes = |of: Option<(usize, usize)>| of.map_or(f64::NAN, |(_, bytes)| bytes as f64);
        let interior = (basic.0 - 1) as f64 / f64::from(children);
        let (least, whole) = (bytes(Some(basic)), bytes(Some(stored)));
        let mut row = vec![Cell::from(family.name())];
        row.extend(others.map(|it| Cell::from(bytes(it) / whole)));
        row.extend(others.map(|it| {
            let record = (bytes(it) - least) / interior;
            Cell::from((least + record * basic.0 as f64) / whole)
        }));
        row.push((compromise / intensive).into());
        table.row(row);
    }
    table
}

/// Grows the first tree of a family that gets to the size: any will do, as only its size matters.
/// Returns its nodes and bytes.
fn grow(family: Trees, storage: StorageKind, request: &Request) -> Option<(usize, usize)> {
    seeds(request, 100).find_map(|seed| {
        let mut search = family.search(storage, request);
        let marks = [NODES];
        let mut scales = Scales {
            inner: Stopwatch::new(&marks),
            bytes: 0,
        };
        let end = search.grow(&family.root(seed), ALL_THRESHOLDS, &mut scales);
        is_grown(end).then_some((scales.inner.nodes, scales.bytes))
    })
}
