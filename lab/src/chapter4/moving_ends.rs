//! The reason why compromise is slower than storage-intensive in the thesis's figure 4.2, and faster in ours: the rate
//! at which Vmin and Vmax move decides.

use anyhow::Result;

use super::factors::{Member, Speeds, measure};
use super::{Estimate, SHORT_NOTE, STORAGES, Trees, correlated, findings_of, settled, size};
use crate::experiment::{EffortLimit, Experiment, Findings, Request};
use crate::outcome::{Cell, Plot, Table};
use cassius::games::random_tree::StaticValues;
use cassius::output::table::thousands;

/// The experiment.
pub static EXPERIMENT: Experiment = Experiment {
    name: "moving-ends",
    title: "Time of two forms of compromise by how often Vmin and Vmax move",
    about: "Compromise keeps numbers around Vmin and Vmax and computes them anew when these move. The same trees \
        (five children, values from -20 to 20) are grown with storage-intensive, with compromise as here (eight \
        numbers around either end) and with the thesis's four numbers, for static values that make the ends \
        move seldom to often. Rows are sorted by how often they did.",
    effort: EffortLimit::Nodes,
    run,
    ..Experiment::PLAIN
};

/// Size of each tree, in nodes.
const NODES: usize = 20_000;

fn run(request: &Request) -> Result<Findings> {
    let trees = request.quick_or_full(12, 60);
    let nodes = size(request, NODES);
    let mut kinds = [8, 4, 2].map(settled).to_vec();
    kinds.extend([1, 2, 4, 8, 16].map(correlated));
    kinds.push(("random".to_owned(), StaticValues::Independent));
    let member = |(number, (_, values)): (u64, &(String, StaticValues))| Member {
        number,
        family: Trees::new(5, 20, *values),
        nodes,
    };
    let members: Vec<Member> = (0..).zip(&kinds).map(member).collect();
    let speeds = measure(&members, 0, trees, request);
    let row = |((name, _), speeds): ((String, StaticValues), Speeds)| {
        let mut row = vec![Cell::from(name), speeds.moving.into()];
        let times = speeds.times.into_iter().map(Estimate::of_ratios);
        row.extend(times.flat_map(Estimate::cells));
        row.extend([speeds.mean_depth.into(), speeds.grown.into()]);
        (speeds.moving, row)
    };
    let mut rows: Vec<(f64, Vec<Cell>)> = kinds.into_iter().zip(speeds).map(row).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let drawn =
        [STORAGES[2].0, STORAGES[3].0].map(|name| format!("{name} / storage-intensive, time"));
    let [compromise, four_numbers] = &drawn;
    let headings = format!(
        "static values | Vmin or Vmax moves, % of expansions:2 | {compromise}:2 | ± (95%):2 | \
         {four_numbers}:2 | ± (95 %):2 | average depth:1 | trees"
    );
    let title = "Time by how often the ends of the range move";
    let mut table = Table::new("moving-ends", title, &headings);
    rows.into_iter().for_each(|(_, row)| table.row(row));
    let mut findings = findings_of(request, trees);
    findings.setting("nodes of each tree", thousands(nodes as u64));
    findings.tables.push(
        table.plotted(Plot::new("static values", drawn, "time, storage-intensive's is 1").log_y()),
    );
    findings.note(SHORT_NOTE);
    findings.note(
        "Ratios are of times over the same tree, storages by turns, the fastest of three each: geometric means over trees with \
         95 % intervals. In the thesis's profile (figure 4.2) compromise took 1.68 times as long as storage-intensive.",
    );
    Ok(findings)
}
