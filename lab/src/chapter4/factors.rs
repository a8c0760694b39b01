//! Figures 4.3, 4.4 and 4.5: speed by range size, branching factor and average depth.
//!
//! Trees with few children or few values grow deep by themselves, so that a series that varies one of these factors
//! varies the depth too. A second series keeps the depth about equal, by a depth limit for each member.

use anyhow::Result;
use cpu_time::ThreadTime;

use super::{
    Counts, DEPTH_LIMIT, Estimate, RATE, SHORT_NOTE, STATIC_VALUES, STORAGES, Stopwatch, Trees,
    findings_of, seeds, size,
};
use crate::experiment::{EffortLimit, Experiment, Findings, Request};
use crate::outcome::{Cell, Plot, Table};
use cassius::games::random_tree::StaticValues;
use cassius::output::progress::Progress;
use cassius::output::table::thousands;
use cassius::search::best_first::StorageKind;

/// Range sizes.
pub static RANGES: Experiment = Experiment {
    name: "ranges",
    title: "Speed of two storages by the number of values, and where they cross",
    figures: &["4.3"],
    about: "Expansions per second of storage-intensive, compromise and compromise with four numbers on the same trees (five children), \
        for more and more values. Storage-intensive keeps a number for each value, compromise as \
        many whatever their number, so that the two should cross somewhere. Where Vmin and Vmax \
        move far all the time, as with wholly random values, compromise computes many numbers anew; \
        notes say where the two cross, or that they do not. A third table has settled values again, with a depth \
        limit for each size that makes trees about equally deep.",
    effort: EffortLimit::Nodes,
    run: ranges,
    ..Experiment::PLAIN
};

/// Branching factors.
pub static BRANCHING: Experiment = Experiment {
    name: "branching",
    title: "Speed of two storages by the number of children",
    figures: &["4.4"],
    about: "Expansions per second of storage-intensive and compromise on the same trees, for more \
        and more children of each node. More children take longer to combine, with either storage. But fewer \
        children make deeper trees, whose paths take longer to update. In the second table moves lose the \
        more, the more of them there are, so that about as many of them are good, and each row has a depth limit that makes trees about equally deep.",
    effort: EffortLimit::Nodes,
    run: branching,
    ..Experiment::PLAIN
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
    effort: EffortLimit::Nodes,
    run: depths,
    ..Experiment::PLAIN
};

/// The storages compared: storage-intensive, our compromise, and the thesis's compromise with four numbers.
const COMPARED: [(&str, StorageKind); 3] = [STORAGES[1], STORAGES[2], STORAGES[3]];

/// Speeds of the storages on one family of trees.
struct Speeds {
    /// Expansions per second.
    rates: [f64; COMPARED.len()],
    /// Speeds of compromise and four numbers as fractions of storage-intensive's.
    ratios: [Estimate; 2],
    /// Each storage's speed as a fraction of its speed on the reference family.
    relative: [Estimate; COMPARED.len()],
    /// The mean ply of all nodes.
    mean_depth: f64,
    grown: usize,
}

/// One member of a series.
#[derive(Clone, Copy)]
struct Member {
    /// Number that identifies it: values, children or the depth limit.
    number: u64,
    family: Trees,
    /// Size of its trees, in nodes.
    nodes: usize,
}

/// Repetitions for each storage; the fastest time counts.
const REPEATS: usize = 3;

/// Number of trees of each family, and their size in nodes.
fn effort(request: &Request) -> (usize, usize) {
    (request.quick_or_full(10, 100), size(request, 20_000))
}

/// Growth of one tree by all storages.
struct Growth {
    /// Seconds of each storage.
    seconds: [f64; COMPARED.len()],
    counts: Counts,
}

/// Grows a tree with all storages, in turns, so that other load affects all alike; `None` if the tree is decided too
/// soon.
fn grow(member: &Member, seed: u64, request: &Request) -> Option<Growth> {
    let family = member.family;
    let mut searches = COMPARED.map(|(_, storage)| family.search(storage, request));
    let mut growth = Growth {
        seconds: [f64::INFINITY; COMPARED.len()],
        counts: Counts::default(),
    };
    for _ in 0..REPEATS {
        for (search, seconds) in searches.iter_mut().zip(&mut growth.seconds) {
            let root = family.root(seed);
            let clock = ThreadTime::now();
            // All storages grow the same tree, so either all reach the size or none.
            growth.counts = Stopwatch::new(&[member.nodes]).grow(search, &root)?.counts;
            *seconds = seconds.min(clock.elapsed().as_secs_f64());
        }
    }
    Some(growth)
}

/// Grows trees of all families: for each seed one family after the other, so that other load affects all alike.
fn measure(members: &[Member], reference: usize, trees: usize, request: &Request) -> Vec<Speeds> {
    let progress = Progress::new(trees as u64);
    let rounds = seeds(request, trees).map(|seed| {
        let growths = members.iter().map(|it| grow(it, seed, request)).collect();
        progress.advance(format!("seed {seed}"));
        growths
    });
    let rounds: Vec<Vec<Option<Growth>>> = rounds.collect();
    progress.finish();
    let each = 0..members.len();
    each.map(|family| {
        let grown = || rounds.iter().filter_map(|round| round[family].as_ref());
        let sum = |part: fn(&Counts) -> usize| {
            let parts = grown().map(|it| part(&it.counts));
            parts.sum::<usize>() as f64
        };
        let expansions = sum(|it| it.expansions);
        let relative = |storage: usize| {
            let speed = |it: &Growth| it.counts.expansions as f64 / it.seconds[storage];
            Estimate::of_ratios(rounds.iter().filter_map(|round| {
                let own = round[family].as_ref()?;
                Some(speed(own) / speed(round[reference].as_ref()?))
            }))
        };
        let all = [0, 1, 2];
        Speeds {
            rates: all.map(|storage| {
                let seconds: f64 = grown().map(|it| it.seconds[storage]).sum();
                expansions / seconds
            }),
            ratios: [1, 2].map(|storage| {
                let times = grown().map(|it| it.seconds[storage] / it.seconds[0]);
                Estimate::of_ratios(times.map(f64::recip))
            }),
            relative: all.map(relative),
            mean_depth: sum(|it| it.plies) / sum(|it| it.nodes),
            grown: grown().count(),
        }
    })
    .collect()
}

/// Depth limits to try, in order, before none.
const LIMITS: [u16; 21] = [
    7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22, 24, 27, 30, 35, 40, 60,
];

/// The members with depth limits that bring their trees' average depths nearest to a common target: the greatest of the
/// members' least depths or, if smaller, the least of their greatest. Limits are tried on one tree of each member.
fn evenly_deep(members: &[Member], request: &Request) -> Vec<Member> {
    let (trees, _) = effort(request);
    let limited = |member: &Member, depth_limit| Trees {
        depth_limit,
        ..member.family
    };
    let mean_depth = |member: &Member, depth_limit| {
        let family = limited(member, depth_limit);
        let mut search = family.search(COMPARED[1].1, request);
        seeds(request, trees.min(2)).find_map(|seed| {
            let marks = [member.nodes];
            let watch = Stopwatch::new(&marks).grow(&mut search, &family.root(seed));
            let counts = watch?.counts;
            Some(counts.plies as f64 / counts.nodes as f64)
        })
    };
    let depths = members.iter().map(|member| {
        let limits = LIMITS.into_iter().chain([DEPTH_LIMIT]);
        let depth = |limit| Some((limit, mean_depth(member, limit)?));
        limits.filter_map(depth).collect()
    });
    let depths: Vec<Vec<(u16, f64)>> = depths.collect();
    let known = || depths.iter().filter(|it| !it.is_empty());
    let least = known().map(|it| it.iter().map(|(_, depth)| *depth).fold(f64::MAX, f64::min));
    let most = known().map(|it| it.iter().map(|(_, depth)| *depth).fold(0.0, f64::max));
    let wanted = least.fold(0.0, f64::max).min(most.fold(f64::MAX, f64::min));
    let members = members.iter().zip(&depths).map(|(member, depths)| {
        let distance = |(_, depth): &&(u16, f64)| (depth - wanted).abs();
        let nearer = |a: &&_, b: &&_| distance(a).total_cmp(&distance(b));
        let nearest = depths.iter().min_by(nearer);
        Member {
            family: limited(member, nearest.map_or(DEPTH_LIMIT, |(limit, _)| *limit)),
            ..*member
        }
    });
    members.collect()
}

fn headings(factor: &str) -> String {
    let [intensive, compromise, four_numbers] = [0, 1, 2].map(relative);
    let rates = rates().join(":0 | ");
    format!(
        "{factor} | {rates}:0 | compromise / storage-intensive:2 | ± (95%):2 | \
         four numbers / storage-intensive:2 | ± (95 %):2 | {intensive}:2 | ± storage-intensive:2 | \
         {compromise}:2 | ± compromise:2 | {four_numbers}:2 | ± four numbers:2 | average depth:1 | trees"
    )
}

/// Heading for a storage's speed relative to its speed on the reference family.
fn relative(storage: usize) -> String {
    format!("{}, relative", COMPARED[storage].0)
}

/// Headings for the speeds.
fn rates() -> [String; COMPARED.len()] {
    COMPARED.map(|(name, _)| format!("{name}{RATE}"))
}

fn row(factor: u64, speeds: &Speeds) -> Vec<Cell> {
    let mut row = vec![Cell::from(factor)];
    row.extend(speeds.rates.map(Cell::from));
    let ratios = speeds.ratios.into_iter().chain(speeds.relative);
    row.extend(ratios.flat_map(Estimate::cells));
    row.extend([speeds.mean_depth.into(), speeds.grown.into()]);
    row
}

fn findings(request: &Request, tables: Vec<Table>) -> Findings {
    let (trees, nodes) = effort(request);
    let mut findings = findings_of(request, trees);
    findings.setting("nodes of each tree", thousands(nodes as u64));
    findings.tables = tables;
    findings.note(SHORT_NOTE);
    findings.note("The thesis's figure is a drawing that survives without its numbers.");
    findings
        .note("Times are of the processor that the thread used, whatever else the machine did.");
    findings.note(
        "Ratios are of times over the same tree, storages by turns, the fastest of three each: geometric means over trees with \
         95 % intervals. Relative speeds are ratios to the row where both are 1, in the same way.",
    );
    findings
}

/// Measures each member of a series; the table's first column identifies it, and speeds are relative to the member with
/// the number `reference`.
fn series(
    request: &Request,
    id: &str,
    title: &str,
    factor: &str,
    members: &[Member],
    reference: u64,
) -> (Table, Vec<(u64, Speeds)>) {
    let mut table = Table::new(id, title, &headings(factor));
    let reference = members.iter().position(|it| it.number == reference);
    let speeds = measure(members, reference.unwrap_or(0), effort(request).0, request);
    let numbers = members.iter().map(|it| it.number);
    let all: Vec<(u64, Speeds)> = numbers.zip(speeds).collect();
    for (number, speeds) in &all {
        table.row(row(*number, speeds));
    }
    let plot = Plot::new(factor, rates(), "expansions per second");
    (table.plotted(plot), all)
}

/// All points where a ratio of speeds crosses 1, by linear interpolation between measurements.
fn crossings(points: &[(u64, f64)]) -> Vec<f64> {
    let pairs = points.windows(2);
    let crossing = pairs.filter_map(|pair| {
        let [(x0, before), (x1, after)] = pair else {
            return None;
        };
        let (y0, y1) = (before - 1.0, after - 1.0);
        let share = y0 / (y0 - y1);
        ((y0 < 0.0) != (y1 < 0.0)).then(|| *x0 as f64 + share * (*x1 - *x0) as f64)
    });
    crossing.collect()
}

/// A sentence on the points where the storage `name` and storage-intensive are equally fast.
fn told(kind: &str, name: &str, points: &[(u64, f64)]) -> String {
    let crossings = crossings(points);
    let ahead = points.iter().filter(|(_, ratio)| *ratio >= 1.0).count();
    match crossings[..] {
        [] if ahead > 0 => format!("{kind}: {name} is ahead at all sizes."),
        [] => format!("{kind}: {name} is behind at all sizes."),
        [size] => {
            let ends_ahead = points.last().is_some_and(|(_, ratio)| *ratio >= 1.0);
            let verb = if ends_ahead {
                "overtakes"
            } else {
                "falls behind"
            };
            format!("{kind}: {name} {verb} once, at about {size:.0} values.")
        }
        _ => format!(
            "{kind}: the two cross {} times, so that no size can be named; {name} is ahead at {ahead} of {} sizes.",
            crossings.len(),
            points.len()
        ),
    }
}

fn ranges(request: &Request) -> Result<Findings> {
    let limits: [u8; 10] = [2, 5, 10, 15, 20, 30, 45, 60, 90, 125];
    let mut tables = Vec::new();
    let mut notes = Vec::new();
    let [random, _, settled] = STATIC_VALUES;
    let kinds = [
        ("settled", "settled values", settled.1, false),
        ("random", "random values", random.1, false),
        ("even", "settled values, about equal depth", settled.1, true),
    ];
    for (id, kind, values, is_even) in kinds {
        let members = limits.map(|limit| Member {
            number: 2 * u64::from(limit) + 1,
            family: Trees::new(5, limit, values),
            nodes: effort(request).1,
        });
        let members = if is_even {
            evenly_deep(&members, request)
        } else {
            members.to_vec()
        };
        let title = format!("Speed by range size, five children, {kind}");
        let id = format!("fig4.3-{id}");
        let (table, points) = series(request, &id, &title, "range size", &members, 41);
        tables.push(table);
        for (at, (name, _)) in COMPARED[1..].iter().enumerate() {
            let of = |(size, speeds): &(u64, Speeds)| (*size, speeds.ratios[at].value);
            let points: Vec<(u64, f64)> = points.iter().map(of).collect();
            notes.push(told(&format!("With {kind}"), name, &points));
        }
    }
    let mut findings = findings(request, tables);
    notes.into_iter().for_each(|note| findings.note(note));
    findings.note(
        "Storage-intensive keeps numbers in 32, 64, 128 or 256 lanes, whichever suffices, and \
         combines 16 of them with one instruction; so its speed falls in steps, where the thesis's, \
         one number at a time, fell steadily.",
    );
    Ok(findings)
}

/// Divisor of the number of expansions in the even series of children, which is the same for all trees: without it
/// those with forty children would be very large.
const EXPANSIONS_PART: usize = 2;

fn branching(request: &Request) -> Result<Findings> {
    let children: [u16; 7] = [2, 3, 5, 10, 20, 30, 40];
    let (_, nodes) = effort(request);
    let members = children.map(|children| Member {
        number: children.into(),
        family: Trees::new(children, 20, STATIC_VALUES[2].1),
        nodes,
    });
    let title = "Speed by branching factor, 41 values, settled";
    let (table, _) = series(request, "fig4.4", title, "children", &members, 10);
    let members = children.map(|children| {
        // Losses are from -1 to `loss`: on average one move of a node loses nothing, whatever the number of children.
        let values = StaticValues::Settled {
            loss: 2 * children - 2,
        };
        Member {
            number: children.into(),
            family: Trees::new(children, 100, values),
            // The same number of expansions for all.
            nodes: (nodes / 5 / EXPANSIONS_PART).max(1) * usize::from(children),
        }
    });
    let members = evenly_deep(&members, request);
    let title = "Speed by branching factor, 201 values, about equal depth, as many expansions";
    let (even, _) = series(request, "fig4.4-even", title, "children", &members, 10);
    Ok(findings(request, vec![table, even]))
}

fn depths(request: &Request) -> Result<Findings> {
    let limits: [u16; 8] = [8, 10, 12, 16, 20, 30, 50, 100];
    let members = limits.map(|depth_limit| Member {
        number: depth_limit.into(),
        family: Trees {
            depth_limit,
            ..Trees::new(5, 20, STATIC_VALUES[2].1)
        },
        nodes: effort(request).1,
    });
    let title = "Speed by depth, five children, 41 values, settled";
    let (table, _) = series(request, "fig4.5", title, "depth limit", &members, 10);
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
    fn crossings_lie_between_measurements_and_are_all_found() {
        assert_eq!(crossings(&[(10, 0.5), (30, 1.5)]), [20.0]);
        assert_eq!(crossings(&[(10, 0.5), (20, 1.0)]), [20.0]);
        assert_eq!(crossings(&[(10, 2.0), (20, 3.0)]), [0.0; 0]);
        let often = [(10, 1.5), (20, 0.5), (30, 1.5), (40, 0.5)];
        assert_eq!(crossings(&often), [15.0, 25.0, 35.0]);
        assert!(told("So", "it", &often).contains("cross 3 times"));
        assert!(told("So", "it", &often[..2]).contains("falls behind once, at about 15"));
        assert!(told("So", "it", &often[1..3]).contains("once, at about 25"));
        assert!(told("So", "it", &[(1, 2.0), (2, 1.0)]).contains("ahead at all"));
        assert!(told("So", "it", &[(1, 0.2), (2, 0.9)]).contains("behind at all"));
    }
}
