//! Figures 5.2 to 5.5: problems solved, conspiracy thresholds and storage over effort.

use super::{
    CONSPIRE_NOTE, NODES_NOTE, PrintedSet, States, conspire, limit, marks, search, settings, unit,
};
use crate::experiment::{EffortLimit, Experiment, Findings, LabError, Request, Subject};
use crate::outcome::{Cell, Column, Plot, Table};
use crate::timeline::{Mark, State};
use cassius::search::papers::best_first;
use cassius::search::registry::{Algorithm, Settings};
use cassius::suite::compare;

/// Figures 5.2 to 5.5.
pub static EXPERIMENT: Experiment = Experiment {
    name: "effort",
    title: "Problems solved, thresholds reached and memory used as effort grows",
    figures: &["5.2", "5.3", "5.4", "5.5"],
    about: "\
Conspiracy-number search against alpha-beta, as the thesis compared its program Conspire with the
alpha-beta program Phoenix: the same positions, the same leaf evaluation, four efforts in the
proportions of the thesis's 3, 10, 30 and 60 minutes. Figure 5.2 counts problems solved. Figure 5.3
tells at which conspiracy threshold (CT) and after how many nodes solved problems were solved, and
how far the search then got; figure 5.4 how far it got with problems it did not solve. Figure 5.5
tells how large the stored tree gets.",
    subject: Subject::Efforts,
    effort: EffortLimit::NodesOrTime,
    run,
};

const QUICK_NODES: u64 = 120_000;
const FULL_NODES: u64 = 4_000_000;
/// The thesis's 3, 10, 30 and 60 minutes as parts of the last.
const PARTS: [u64; 4] = [20, 6, 2, 1];
const MINUTES: [i32; 4] = [3, 10, 30, 60];

const CONSPIRE: usize = 0;
const PLAIN: usize = 1;
const BEST_FIRST: usize = 2;
const ALPHA_BETA: usize = 3;
const DEPTH_FIRST: usize = 4;

/// Who takes part, under which name.
const SEARCHES: [(&str, Algorithm); 5] = [
    ("conspire", Algorithm::BestFirst),
    ("alpha-beta-plain", Algorithm::AlphaBetaPlain),
    ("best-first", Algorithm::BestFirst),
    ("alpha-beta", Algorithm::AlphaBeta),
    ("depth-first", Algorithm::DepthFirst),
];

fn run(request: &Request) -> Result<Findings, LabError> {
    let marks = marks(request, QUICK_NODES, FULL_NODES, PARTS);
    let mut findings = Findings::default();
    let states = search(request, marks, &searches(request), &mut findings)?;
    findings.tables = vec![
        solved(request, marks, &states),
        pairs(&states),
        thresholds_of_solved(request, marks, &states, CONSPIRE),
        thresholds_of_solved(request, marks, &states, BEST_FIRST),
        thresholds_of_unsolved(marks, &states),
        storage(marks, &states),
    ];
    findings.settings.push(limit(marks[3]));
    findings.setting("hash", format!("{} MiB", request.hash_megabytes));
    findings.note(CONSPIRE_NOTE);
    findings.note(NODES_NOTE);
    findings.note(
        "A threshold at which a problem was solved may have been under way; final thresholds are \
         completed ones, 0 before the first.",
    );
    findings.note(
        "Each search ran once to the greatest effort; what it would have answered earlier is known \
         from what it told on the way. Depths are the deepest ply visited in quiescence search too, \
         as last told by then.",
    );
    Ok(findings)
}

/// The searches as the registry knows them.
fn searches(request: &Request) -> [Settings; SEARCHES.len()] {
    SEARCHES.map(|(name, algorithm)| {
        let best_first = if name == SEARCHES[CONSPIRE].0 {
            conspire()
        } else {
            best_first::Settings::default()
        };
        settings(algorithm, best_first, request)
    })
}

/// The states of one search at one mark, of those problems that it has solved or not.
fn of(states: &States<4>, search: usize, mark: usize) -> impl Iterator<Item = &State> + Clone {
    states.iter().map(move |problem| &problem[search][mark])
}

fn plot(mark: Mark, y: impl IntoIterator<Item = &'static str>, y_label: &str) -> Plot {
    Plot {
        x: unit(mark).to_owned(),
        y: y.into_iter().map(str::to_owned).collect(),
        y_label: y_label.to_owned(),
        log_x: true,
        log_y: false,
    }
}

fn solved(request: &Request, marks: [Mark; 4], states: &States<4>) -> Table {
    let names = SEARCHES.map(|(name, _)| name);
    let mut columns = vec![Column::new(unit(marks[0]))];
    columns.extend(names.map(Column::new));
    columns.push(Column::decimals("conspire's depth", 1));
    columns.push(Column::decimals("plain's depth", 1));
    let mut table = Table::new("fig5.2", "Problems solved", columns);
    for (at, mark) in marks.into_iter().enumerate() {
        let solved = |search| of(states, search, at).filter(|it| it.solved.is_some());
        let mut row = vec![Cell::from(mark.amount())];
        row.extend((0..SEARCHES.len()).map(|search| Cell::from(solved(search).count())));
        row.push(Cell::mean(
            of(states, CONSPIRE, at).map(|it| f64::from(it.seldepth)),
        ));
        row.push(Cell::mean(
            of(states, PLAIN, at).map(|it| f64::from(it.iteration)),
        ));
        table.row(row);
    }
    let set = PrintedSet::like(request);
    let printed = match set {
        PrintedSet::Wac => [
            (157, 12.1, 236, 6.1),
            (208, 18.4, 253, 6.9),
            (223, 20.6, 269, 7.6),
            (231, 20.9, 272, 8.1),
        ],
        PrintedSet::Emc => [
            (15, 13.2, 43, 6.0),
            (27, 17.5, 49, 6.9),
            (35, 20.3, 57, 7.4),
            (38, 20.8, 58, 7.8),
        ],
    };
    let rows = MINUTES.into_iter().zip(printed);
    let mut drawn = names.to_vec();
    if set == PrintedSet::Wac && request.problems.len() == 300 {
        drawn.extend(["Conspire", "Phoenix"]);
    }
    table
        .beside(
            format!("thesis, figure 5.2 ({})", set.name()),
            [
                Column::new("minutes"),
                Column::new("Conspire"),
                Column::new("Phoenix"),
                Column::decimals("Conspire's depth", 1),
                Column::decimals("Phoenix's depth", 1),
            ],
            rows.map(|(minutes, (conspire, deepest, phoenix, depth))| {
                let solved = [minutes.into(), conspire.into(), phoenix.into()];
                let depths = [Cell::from(deepest), Cell::from(depth)];
                solved.into_iter().chain(depths).collect()
            }),
        )
        .plotted(plot(marks[0], drawn, "problems solved"))
}

/// Who solved what the other did not, at the greatest effort.
fn pairs(states: &States<4>) -> Table {
    let columns = ["A and B", "both", "only A", "only B", "neither"].map(Column::new);
    let columns = columns.into_iter().chain([Column::decimals("p", 3)]);
    let title = "Problems that only one of two solved, at the greatest effort";
    let mut table = Table::new("pairs", title, columns);
    let compared = [
        (CONSPIRE, PLAIN),
        (BEST_FIRST, PLAIN),
        (DEPTH_FIRST, PLAIN),
        (BEST_FIRST, ALPHA_BETA),
        (DEPTH_FIRST, ALPHA_BETA),
    ];
    for (a, b) in compared {
        let by = |search: usize| states.iter().map(move |it| it[search][3].solved.is_some());
        let mut counts = [[0_u64; 2]; 2];
        for (first, second) in by(a).zip(by(b)) {
            counts[usize::from(first)][usize::from(second)] += 1;
        }
        let [[neither, only_b], [only_a, both]] = counts;
        let p = compare::mcnemar(only_a, only_b);
        let names = format!("{}, {}", SEARCHES[a].0, SEARCHES[b].0);
        let cells = [both, only_a, only_b, neither].map(Cell::from);
        table.row([names.into()].into_iter().chain(cells).chain([p.into()]));
    }
    let printed = [
        "both, printed",
        "only Conspire",
        "only Phoenix",
        "neither, printed",
    ];
    table.beside(
        "thesis, section 5.2.3 (60 minutes, both sets, 395 problems; the last column follows from \
         the others)",
        printed.map(Column::new),
        [[249, 20, 81, 45].map(Cell::from).to_vec()],
    )
}

fn thresholds_of_solved(
    request: &Request,
    marks: [Mark; 4],
    states: &States<4>,
    search: usize,
) -> Table {
    let name = SEARCHES[search].0;
    let columns = [
        Column::new(unit(marks[0])),
        Column::new("solved"),
        Column::decimals("CT when solved", 1),
        Column::decimals("nodes when solved", 0),
        Column::decimals("final CT", 1),
        Column::decimals("final nodes", 0),
    ];
    let id = if search == CONSPIRE {
        "fig5.3".to_owned()
    } else {
        format!("fig5.3-{name}")
    };
    let title = format!("Conspiracy thresholds of solved problems, {name}");
    let mut table = Table::new(&id, title, columns);
    for (at, mark) in marks.into_iter().enumerate() {
        let solved = of(states, search, at).filter_map(|it| Some((it, it.solved?)));
        table.row([
            mark.amount().into(),
            solved.clone().count().into(),
            Cell::mean(solved.clone().map(|(_, found)| f64::from(found.iteration))),
            Cell::mean(solved.clone().map(|(_, found)| found.nodes as f64)),
            Cell::mean(solved.clone().map(|(state, _)| f64::from(state.iteration))),
            Cell::mean(solved.map(|(state, _)| state.nodes)),
        ]);
    }
    let table = table.plotted(plot(
        marks[0],
        ["CT when solved", "final CT"],
        "conspiracy threshold",
    ));
    if search != CONSPIRE {
        return table;
    }
    let set = PrintedSet::like(request);
    let printed = match set {
        PrintedSet::Wac => [
            (2.1, 12_013, 5.2, 34_129),
            (2.2, 25_962, 7.1, 113_816),
            (2.3, 40_962, 9.7, 336_135),
            (2.4, 59_521, 11.1, 638_935),
        ],
        PrintedSet::Emc => [
            (2.0, 10_184, 5.1, 31_749),
            (2.3, 24_997, 6.6, 102_121),
            (2.5, 52_681, 8.2, 312_605),
            (2.5, 69_490, 9.5, 597_044),
        ],
    };
    let rows = MINUTES.into_iter().zip(printed);
    table.beside(
        format!("thesis, figure 5.3 ({})", set.name()),
        [
            Column::new("minutes"),
            Column::decimals("CT, solved", 1),
            Column::new("nodes, solved"),
            Column::decimals("CT, finish", 1),
            Column::new("nodes, finish"),
        ],
        rows.map(|(minutes, (ct, nodes, final_ct, final_nodes))| {
            vec![
                minutes.into(),
                Cell::from(ct),
                nodes.into(),
                Cell::from(final_ct),
                final_nodes.into(),
            ]
        }),
    )
}

fn thresholds_of_unsolved(marks: [Mark; 4], states: &States<4>) -> Table {
    let columns = [
        Column::new(unit(marks[0])),
        Column::new("conspire unsolved"),
        Column::decimals("conspire CT", 1),
        Column::new("best-first unsolved"),
        Column::decimals("best-first CT", 1),
    ];
    let title = "Final conspiracy thresholds of unsolved problems";
    let mut table = Table::new("fig5.4", title, columns);
    for (at, mark) in marks.into_iter().enumerate() {
        let mut row = vec![Cell::from(mark.amount())];
        for search in [CONSPIRE, BEST_FIRST] {
            let unsolved = of(states, search, at).filter(|it| it.solved.is_none());
            row.push(unsolved.clone().count().into());
            row.push(Cell::mean(unsolved.map(|it| f64::from(it.iteration))));
        }
        table.row(row);
    }
    let printed = [(4.2, 3.4), (5.7, 4.6), (7.9, 5.8), (8.5, 6.6)];
    let rows = MINUTES.into_iter().zip(printed);
    table
        .beside(
            "thesis, figure 5.4",
            [
                Column::new("minutes"),
                Column::decimals("CT, Win at Chess", 1),
                Column::decimals("CT, Encyclopedia", 1),
            ],
            rows.map(|(minutes, (wac, emc))| vec![minutes.into(), wac.into(), emc.into()]),
        )
        .plotted(plot(
            marks[0],
            ["conspire CT", "best-first CT"],
            "conspiracy threshold",
        ))
}

fn storage(marks: [Mark; 4], states: &States<4>) -> Table {
    let columns = [
        Column::new(unit(marks[0])),
        Column::decimals("conspire visits", 0),
        Column::decimals("conspire tree", 0),
        Column::decimals("conspire bytes", 0),
        Column::decimals("best-first visits", 0),
        Column::decimals("best-first tree", 0),
        Column::decimals("best-first bytes", 0),
        Column::decimals("alpha-beta-plain visits", 0),
    ];
    let title = "Positions visited, nodes of the stored tree, and its bytes";
    let mut table = Table::new("fig5.5", title, columns);
    for (at, mark) in marks.into_iter().enumerate() {
        let mean =
            |search, of_state: fn(&State) -> f64| Cell::mean(of(states, search, at).map(of_state));
        table.row([
            mark.amount().into(),
            mean(CONSPIRE, |it| it.nodes),
            mean(CONSPIRE, |it| it.tree_nodes),
            mean(CONSPIRE, |it| it.tree_bytes),
            mean(BEST_FIRST, |it| it.nodes),
            mean(BEST_FIRST, |it| it.tree_nodes),
            mean(BEST_FIRST, |it| it.tree_bytes),
            mean(PLAIN, |it| it.nodes),
        ]);
    }
    let printed = [
        (25_624, 177_830, 112_531),
        (90_969, 633_370, 351_314),
        (291_996, 2_039_333, 1_019_293),
        (556_585, 3_876_672, 2_001_220),
    ];
    let rows = MINUTES.into_iter().zip(printed);
    table
        .beside(
            "thesis, figure 5.5; Phoenix stored no tree",
            [
                "minutes",
                "Conspire nodes",
                "Conspire bytes",
                "Phoenix nodes",
            ]
            .map(Column::new),
            rows.map(|(minutes, (nodes, bytes, phoenix))| {
                [minutes, nodes, bytes, phoenix].map(Cell::from).to_vec()
            }),
        )
        .plotted(Plot {
            log_y: true,
            ..plot(
                marks[0],
                [
                    "conspire tree",
                    "best-first tree",
                    "alpha-beta-plain visits",
                ],
                "nodes",
            )
        })
}
