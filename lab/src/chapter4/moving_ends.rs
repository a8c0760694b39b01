//! The reason why compromise is slower than storage-intensive in the thesis's figure 4.2, and faster in ours: the rate
//! at which Vmin and Vmax move decides.

use anyhow::Result;

use super::{
    ALL_THRESHOLDS, Estimate, SHORT_NOTE, STORAGES, Stopwatch, Trees, findings_of, is_grown, seeds,
};
use crate::experiment::{EffortLimit, Experiment, Findings, Request};
use crate::outcome::{Cell, Column, Plot, Table};
use cassius::games::random_tree::StaticValues;
use cassius::output::progress::Progress;
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
    let nodes = request.nodes.and_then(|it| it.try_into().ok());
    let nodes = nodes.unwrap_or(NODES);
    let settled = [8, 4, 2].map(|loss| {
        let values = StaticValues::Settled { loss };
        (format!("settled, loss {loss}"), values)
    });
    let correlated = [1, 2, 4, 8, 16].map(|spread| {
        let values = StaticValues::Correlated { spread };
        (format!("correlated, spread {spread}"), values)
    });
    let random = [("random".to_owned(), StaticValues::Independent)];
    let kinds: Vec<_> = settled
        .into_iter()
        .chain(correlated)
        .chain(random)
        .collect();
    let progress = Progress::new((kinds.len() * trees) as u64);
    let mut rows: Vec<(f64, Vec<Cell>)> = Vec::new();
    for (name, values) in kinds {
        let family = Trees::new(5, 20, values);
        let mut searches = [1, 2, 3].map(|it: usize| family.search(STORAGES[it].1, request));
        let mut ratios = [Vec::new(), Vec::new()];
        let (mut moving, mut expansions, mut plies, mut grown_nodes) = (0, 0, 0, 0);
        for seed in seeds(request, trees) {
            let marks = [nodes];
            let mut times = Vec::new();
            for search in &mut searches {
                let mut watch = Stopwatch::new(&marks);
                let end = search.grow(&family.root(seed), ALL_THRESHOLDS, &mut watch);
                if let (true, [(time, _)]) = (is_grown(end), &watch.laps[..]) {
                    times.push(time.as_secs_f64());
                    moving += watch.moving;
                    expansions += watch.expansions;
                    plies += watch.plies;
                    grown_nodes += watch.nodes;
                }
            }
            if let [intensive, compromise, four_numbers] = times[..] {
                ratios[0].push(compromise / intensive);
                ratios[1].push(four_numbers / intensive);
            }
            progress.advance(name.clone());
        }
        let share = 100.0 * moving as f64 / expansions as f64;
        let mut row = vec![Cell::from(name), share.into()];
        let grown = ratios[0].len();
        row.extend(
            ratios
                .into_iter()
                .flat_map(|it| Estimate::of_ratios(it).cells()),
        );
        row.extend([(plies as f64 / grown_nodes as f64).into(), grown.into()]);
        rows.push((share, row));
    }
    progress.finish();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let drawn =
        [STORAGES[2].0, STORAGES[3].0].map(|name| format!("{name} / storage-intensive, time"));
    let [compromise, four_numbers] = &drawn;
    let columns = Column::list(&format!(
        "static values | Vmin or Vmax moves, % of expansions:2 | {compromise}:2 | ± (95%):2 | \
         {four_numbers}:2 | ± (95 %):2 | average depth:1 | trees"
    ));
    let title = "Time by how often the ends of the range move";
    let mut table = Table::new("moving-ends", title, columns);
    rows.into_iter().for_each(|(_, row)| table.row(row));
    let mut findings = findings_of(request, trees);
    findings.setting("nodes of each tree", thousands(nodes as u64));
    findings.tables.push(
        table.plotted(Plot::new("static values", drawn, "time, storage-intensive's is 1").log_y()),
    );
    findings.note(SHORT_NOTE);
    findings.note(
        "Ratios are of times over the same tree, storages by turns: geometric means over trees with 95 % intervals. In the \
         thesis's profile (figure 4.2) compromise took 1.68 times as long as storage-intensive.",
    );
    Ok(findings)
}
