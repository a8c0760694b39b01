//! Figures 4.3, 4.4 and 4.5: range size, branching factor and average depth against speed.

use std::time::Duration;

use super::{
    ALL_THRESHOLDS, SHORT_NOTE, STATIC_VALUES, STORAGES, Stopwatch, Trees, describe, is_grown,
    rate, seeds,
};
use crate::lab::experiment::{Experiment, Findings, LabError, Request, Subject};
use crate::lab::outcome::{Cell, Column, Plot, Table};
use crate::report::progress::Progress;

/// Range sizes.
pub static RANGES: Experiment = Experiment {
    name: "ranges",
    title: "Speed of two storages by the number of values, and where they cross",
    figures: &["4.3"],
    about: "Expansions per second of storage-intensive and compromise on the same trees (five children), \
        for more and more values. Storage-intensive keeps a number for each value, compromise as \
        many whatever their number, so that the two should cross somewhere. Where Vmin and Vmax \
        move far all the time, as with wholly random values, compromise computes many numbers anew; \
        notes say where the two cross, or that they do not.",
    subject: Subject::Own,
    run: ranges,
};

/// Branching factors.
pub static BRANCHING: Experiment = Experiment {
    name: "branching",
    title: "Speed of two storages by the number of children",
    figures: &["4.4"],
    about: "Expansions per second of storage-intensive and compromise on the same trees, for more \
        and more children of each node. More children take longer to combine, with either storage.",
    subject: Subject::Own,
    run: branching,
};

/// Average depths.
pub static DEPTHS: Experiment = Experiment {
    name: "depths",
    title: "Speed of two storages by the average depth of the tree",
    figures: &["4.5"],
    about: "Expansions per second of storage-intensive and compromise on the same trees. The deeper \
        a leaf, the longer the path that has to be brought up to date. Trees are made deeper or \
        shallower by the depth limit; what is measured is the mean ply of all nodes, the thesis's \
        average depth.",
    subject: Subject::Own,
    run: depths,
};

/// What one family of trees came to with both storages.
struct Speeds {
    /// Expansions per second.
    intensive: f64,
    compromise: f64,
    mean_depth: f64,
    grown: usize,
}

/// How much is measured.
fn effort(request: &Request) -> (usize, [usize; 1]) {
    let trees = if request.full { 100 } else { 6 };
    let nodes = request.nodes.and_then(|it| it.try_into().ok());
    (trees, [nodes.unwrap_or(20_000)])
}

/// Grows the trees with both storages, turn by turn so that both suffer alike from whatever else the
/// machine is doing.
fn measure(family: Trees, request: &Request) -> Speeds {
    let (trees, marks) = effort(request);
    let mut sums = [(Duration::ZERO, 0); 2];
    let (mut plies, mut nodes, mut grown) = (0, 0, 0);
    let compared = [STORAGES[1].1, STORAGES[2].1];
    let mut searches = compared.map(|storage| family.search(storage, request));
    for seed in seeds(request, trees) {
        for (sum, search) in sums.iter_mut().zip(&mut searches) {
            let mut watch = Stopwatch::new(&marks);
            let end = search.grow(&family.root(seed), ALL_THRESHOLDS, &mut watch);
            if let (true, [(time, expansions)]) = (is_grown(end), &watch.laps[..]) {
                *sum = (sum.0 + *time, sum.1 + expansions);
                plies += watch.plies;
                nodes += watch.nodes;
                grown += 1;
            }
        }
    }
    let [intensive, compromise] = sums.map(|(time, count)| count as f64 / time.as_secs_f64());
    Speeds {
        intensive,
        compromise,
        mean_depth: plies as f64 / nodes as f64,
        grown: grown / 2,
    }
}

fn columns(factor: &str) -> Vec<Column> {
    vec![
        Column::new(factor),
        rate(STORAGES[1].0),
        rate(STORAGES[2].0),
        Column::decimals("compromise / storage-intensive", 2),
        Column::decimals("average depth", 1),
        Column::new("trees"),
    ]
}

fn row(factor: u64, speeds: &Speeds) -> Vec<Cell> {
    vec![
        factor.into(),
        speeds.intensive.into(),
        speeds.compromise.into(),
        (speeds.compromise / speeds.intensive).into(),
        speeds.mean_depth.into(),
        speeds.grown.into(),
    ]
}

fn plotted(table: Table, x: &str) -> Table {
    table.plotted(Plot {
        x: x.to_owned(),
        y: STORAGES[1..]
            .iter()
            .map(|(name, _)| rate(name).name)
            .collect(),
        y_label: "expansions per second".to_owned(),
        log_x: false,
        log_y: false,
    })
}

fn findings(request: &Request, tables: Vec<Table>) -> Findings {
    let mut findings = Findings::default();
    let (trees, [nodes]) = effort(request);
    describe(&mut findings, request, trees);
    findings.setting("nodes of each tree", nodes.to_string());
    findings.tables = tables;
    findings.note(SHORT_NOTE);
    findings.note("The thesis's figure is a drawing that survives without its numbers.");
    findings
}

/// Measures each member of a series; the table's first column is what tells them apart.
fn series(
    request: &Request,
    id: &str,
    title: &str,
    factor: &str,
    members: &[(u64, Trees)],
) -> (Table, Vec<(u64, Speeds)>) {
    let progress = Progress::new(members.len() as u64);
    let mut table = Table::new(id, title, columns(factor));
    let mut all = Vec::new();
    for &(number, family) in members {
        let speeds = measure(family, request);
        table.row(row(number, &speeds));
        all.push((number, speeds));
        progress.advance(format!("{factor} {number}"));
    }
    progress.finish();
    (plotted(table, factor), all)
}

/// Where the second of two speeds overtakes the first, by straight lines between measurements.
fn crossing(points: &[(u64, Speeds)]) -> Option<f64> {
    let ahead = |speeds: &Speeds| speeds.compromise / speeds.intensive - 1.0;
    points.windows(2).find_map(|pair| {
        let [(x0, before), (x1, after)] = pair else {
            return None;
        };
        let (y0, y1) = (ahead(before), ahead(after));
        let share = y0 / (y0 - y1);
        (y0 < 0.0 && y1 >= 0.0).then(|| *x0 as f64 + share * (*x1 - *x0) as f64)
    })
}

fn ranges(request: &Request) -> Result<Findings, LabError> {
    let limits: [u8; 10] = [2, 5, 10, 15, 20, 30, 45, 60, 90, 125];
    let mut tables = Vec::new();
    let mut crossings = Vec::new();
    for (name, values) in [STATIC_VALUES[2], STATIC_VALUES[0]] {
        let members = limits.map(|limit| {
            let size = 2 * u64::from(limit) + 1;
            (size, Trees::new(5, limit, values))
        });
        let title = format!("Speed by range size, five children, {name} values");
        let id = format!("fig4.3-{name}");
        let (table, points) = series(request, &id, &title, "range size", &members);
        tables.push(table);
        crossings.push(match crossing(&points) {
            Some(size) => {
                format!("With {name} values compromise overtakes at about {size:.0} values.")
            }
            None => format!("With {name} values the two do not cross within these ranges."),
        });
    }
    let mut findings = findings(request, tables);
    crossings.into_iter().for_each(|note| findings.note(note));
    findings.note(
        "Storage-intensive keeps numbers in 32, 48, 64, 128 or 256 lanes, whichever suffices, and \
         combines 16 of them with one instruction; so its speed falls in steps, where the thesis's, \
         one number at a time, fell steadily.",
    );
    Ok(findings)
}

fn branching(request: &Request) -> Result<Findings, LabError> {
    let children: [u16; 7] = [2, 3, 5, 10, 20, 30, 40];
    let members = children.map(|children| {
        let family = Trees::new(children, 20, STATIC_VALUES[2].1);
        (u64::from(children), family)
    });
    let title = "Speed by branching factor, 41 values, settled";
    let (table, _) = series(request, "fig4.4", title, "children", &members);
    Ok(findings(request, vec![table]))
}

fn depths(request: &Request) -> Result<Findings, LabError> {
    let limits: [u16; 8] = [8, 10, 12, 16, 20, 30, 50, 100];
    let members = limits.map(|depth_limit| {
        let family = Trees {
            depth_limit,
            ..Trees::new(5, 20, STATIC_VALUES[2].1)
        };
        (u64::from(depth_limit), family)
    });
    let title = "Speed by depth, five children, 41 values, settled";
    let (table, _) = series(request, "fig4.5", title, "depth limit", &members);
    let plot = table.plot.clone().map(|plot| Plot {
        x: "average depth".to_owned(),
        ..plot
    });
    Ok(findings(request, vec![Table { plot, ..table }]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crossing_lies_between_measurements() {
        let speeds = |intensive, compromise| Speeds {
            intensive,
            compromise,
            mean_depth: 1.0,
            grown: 1,
        };
        let falling = [(10, speeds(4.0, 2.0)), (20, speeds(2.0, 2.0))];
        assert_eq!(crossing(&falling), Some(20.0));
        let half_way = [(10, speeds(2.0, 1.0)), (30, speeds(2.0, 3.0))];
        assert_eq!(crossing(&half_way), Some(20.0));
        assert_eq!(crossing(&[(10, speeds(2.0, 1.0))]), None);
        assert_eq!(
            crossing(&[(10, speeds(1.0, 2.0)), (20, speeds(1.0, 3.0))]),
            None
        );
    }
}
