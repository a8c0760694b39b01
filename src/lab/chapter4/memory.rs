//! Figure 4.6: memory that the three storages take.

use super::{ALL_THRESHOLDS, SHORT_NOTE, STORAGES, Stopwatch, Trees, describe, is_grown, seeds};
use crate::games::random_tree::StaticValues;
use crate::lab::experiment::{Experiment, Findings, LabError, Request, Subject};
use crate::lab::outcome::{Cell, Column, Table};
use crate::search::best_first::{Expansion, Phase, Watcher};
use std::ops::ControlFlow;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "memory",
    title: "Memory the three storages take on random trees",
    figures: &["4.6"],
    about: "Bytes of a tree of some 10 000 nodes. A leaf takes the same with all storages: value, \
        move and a link, never numbers. An interior node takes more, with storage-intensive a byte \
        for each value of the range, with compromise four. So few values and many sons favour \
        storage-intensive, and many values and few sons do not.",
    subject: Subject::Own,
    run,
};

/// Limit of the values, sons of a node, and the thesis's bytes per node for each storage.
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
    let columns = [
        Column::new("storage"),
        Column::new("range"),
        Column::new("sons"),
        Column::new("nodes"),
        Column::new("bytes"),
        Column::decimals("bytes a node", 1),
    ];
    let mut table = Table::new("fig4.6", "Memory of a tree", columns);
    let mut printed = Vec::new();
    for (limit, sons, of_thesis) in CASES {
        let family = Trees::new(sons, limit, StaticValues::Independent);
        for ((name, storage), bytes) in STORAGES.into_iter().zip(of_thesis) {
            // The first tree that gets there: any will do, as only its size matters.
            let grown = seeds(request, 100).find_map(|seed| {
                let mut search = family.search(storage, request);
                let marks = [NODES];
                let mut scales = Scales {
                    inner: Stopwatch::new(&marks),
                    bytes: 0,
                };
                let end = search.grow(&family.root(seed), ALL_THRESHOLDS, &mut scales);
                is_grown(end).then_some((scales.inner.nodes, scales.bytes))
            });
            let range = 2 * u64::from(limit) + 1;
            let head = [name.into(), range.into(), u64::from(sons).into()];
            let tail = grown.map(|(nodes, bytes)| {
                let each = bytes as f64 / nodes as f64;
                [nodes.into(), bytes.into(), Cell::from(each)]
            });
            table.row(head.into_iter().chain(tail.into_iter().flatten()));
            printed.push(vec![Cell::from(bytes)]);
        }
    }
    let mut findings = Findings::default();
    describe(&mut findings, request, 1);
    findings.tables.push(table.beside(
        "thesis, figure 4.6 (ranges of 10 and 60, 10 001 nodes)",
        [Column::decimals("bytes a node, thesis", 1)],
        printed,
    ));
    findings.note(SHORT_NOTE);
    findings.note(
        "The thesis's basic and compromise store the sons' number and pointer with every node; \
         here all storages keep them with interior nodes only, and each node holds a move, which \
         random trees hardly need but chess does. The chunks that memory is taken in, and what \
         is set aside for thinning out a full tree, come on top.",
    );
    Ok(findings)
}
