//! Figures 5.2 to 5.5: problems solved, conspiracy thresholds and storage by effort.

use anyhow::Result;

use super::{
    CONSPIRE_NOTE, NODES_NOTE, States, by_mark, conspire, marks, paired, printed_set, search,
    settings, unit,
};
use crate::experiment::{EffortLimit, Experiment, Findings, Request, Subject};
use crate::outcome::{Cell, Plot, Table};
use crate::timeline::{Mark, State};
use cassius::search::best_first;
use cassius::search::registry::{Algorithm, Settings};

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
/// The thesis's 3, 10, 30 and 60 minutes, as divisors of the last.
const PARTS: [u64; 4] = [20, 6, 2, 1];

const CONSPIRE: usize = 0;
const PLAIN: usize = 1;
const BEST_FIRST: usize = 2;
const ALPHA_BETA: usize = 3;
const DEPTH_FIRST: usize = 4;

/// The searches, with their names.
const SEARCHES: [(&str, Algorithm); 5] = [
    ("conspire", Algorithm::BestFirst),
    ("alpha-beta-plain", Algorithm::AlphaBetaPlain),
    ("best-first", Algorithm::BestFirst),
    ("alpha-beta", Algorithm::AlphaBeta),
    ("depth-first", Algorithm::DepthFirst),
];

fn run(request: &Request) -> Result<Findings> {
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
    findings.note(CONSPIRE_NOTE);
    findings.note(NODES_NOTE);
    findings.note(
        "\"CT when solved\" may be a threshold still under way; \"final CT\" is the last completed one, 0 \
         if there is none.",
    );
    findings.note(
        "Each search ran once to the greatest effort; what it would have answered earlier is known \
         from what it told on the way. Depths are the deepest ply visited in quiescence search too, \
         as last told by then.",
    );
    Ok(findings)
}

/// Settings of the searches.
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

/// States of one search at one mark, over all problems.
fn of(states: &States<4>, search: usize, mark: usize) -> impl Iterator<Item = &State> + Clone {
    states.iter().map(move |problem| &problem[search][mark])
}

fn plot<Y: Into<String>>(mark: Mark, y: impl IntoIterator<Item = Y>, y_label: &str) -> Plot {
    Plot::new(unit(mark), y, y_label).log_x()
}

fn solved(request: &Request, marks: [Mark; 4], states: &States<4>) -> Table {
    let names = SEARCHES.map(|(name, _)| name);
    let headings = format!(
        "{} | conspire's depth:1 | plain's depth:1",
        names.join(" | ")
    );
    let table = by_mark("fig5.2", "Problems solved", &headings, marks, |at| {
        let mean = |search, depth: fn(&State) -> u32| {
            Cell::mean(of(states, search, at).map(|it| f64::from(depth(it))))
        };
        let solved = |search| Cell::from(super::solved(states, search, at));
        let mut row: Vec<Cell> = (0..SEARCHES.len()).map(solved).collect();
        row.push(mean(CONSPIRE, |it| it.seldepth));
        row.push(mean(PLAIN, |it| it.iteration));
        row
    });
    let (is_wac, set) = printed_set(request);
    let printed = match is_wac {
        true => [
            [3.0, 157.0, 236.0, 12.1, 6.1],
            [10.0, 208.0, 253.0, 18.4, 6.9],
            [30.0, 223.0, 269.0, 20.6, 7.6],
            [60.0, 231.0, 272.0, 20.9, 8.1],
        ],
        false => [
            [3.0, 15.0, 43.0, 13.2, 6.0],
            [10.0, 27.0, 49.0, 17.5, 6.9],
            [30.0, 35.0, 57.0, 20.3, 7.4],
            [60.0, 38.0, 58.0, 20.8, 7.8],
        ],
    };
    let mut drawn = names.to_vec();
    if is_wac && request.problems.len() == 300 {
        drawn.extend(["Conspire", "Phoenix"]);
    }
    let source = format!("thesis, figure 5.2 ({set})");
    let headings = "minutes | Conspire | Phoenix | Conspire's depth:1 | Phoenix's depth:1";
    let plot = plot(marks[0], drawn, "problems solved");
    table.printed(source, headings, printed).plotted(plot)
}

/// Problems that both, one or neither of two searches solved, at the greatest effort.
fn pairs(states: &States<4>) -> Table {
    let headings = "A and B | both | only A | only B | neither | p:3";
    let title = "Problems that only one of two solved, at the greatest effort";
    let mut table = Table::new("pairs", title, headings);
    let compared = [
        (CONSPIRE, PLAIN),
        (BEST_FIRST, PLAIN),
        (DEPTH_FIRST, PLAIN),
        (BEST_FIRST, ALPHA_BETA),
        (DEPTH_FIRST, ALPHA_BETA),
    ];
    for (a, b) in compared {
        let names = format!("{}, {}", SEARCHES[a].0, SEARCHES[b].0);
        table.named_row(names, paired(states, a, b));
    }
    table.printed(
        "thesis, section 5.2.3 (60 minutes, both sets, 395 problems; the last column follows from \
         the others)",
        "both, printed | only Conspire | only Phoenix | neither, printed",
        [[249.0, 20.0, 81.0, 45.0]],
    )
}

fn thresholds_of_solved(
    request: &Request,
    marks: [Mark; 4],
    states: &States<4>,
    search: usize,
) -> Table {
    let name = SEARCHES[search].0;
    let id = match search {
        CONSPIRE => "fig5.3".to_owned(),
        _ => format!("fig5.3-{name}"),
    };
    let title = format!("Conspiracy thresholds of solved problems, {name}");
    let headings = "solved | CT when solved:1 | nodes when solved:0 | final CT:1 | final nodes:0";
    let table = by_mark(&id, &title, headings, marks, |at| {
        let solved = of(states, search, at).filter_map(|it| Some((it, it.solved?)));
        vec![
            solved.clone().count().into(),
            Cell::mean(solved.clone().map(|(_, found)| f64::from(found.iteration))),
            Cell::mean(solved.clone().map(|(_, found)| found.nodes as f64)),
            Cell::mean(solved.clone().map(|(state, _)| f64::from(state.iteration))),
            Cell::mean(solved.map(|(state, _)| state.nodes)),
        ]
    });
    let drawn = ["CT when solved", "final CT"];
    let table = table.plotted(plot(marks[0], drawn, "conspiracy threshold"));
    if search != CONSPIRE {
        return table;
    }
    let (is_wac, set) = printed_set(request);
    let printed = match is_wac {
        true => [
            [3.0, 2.1, 12_013.0, 5.2, 34_129.0],
            [10.0, 2.2, 25_962.0, 7.1, 113_816.0],
            [30.0, 2.3, 40_962.0, 9.7, 336_135.0],
            [60.0, 2.4, 59_521.0, 11.1, 638_935.0],
        ],
        false => [
            [3.0, 2.0, 10_184.0, 5.1, 31_749.0],
            [10.0, 2.3, 24_997.0, 6.6, 102_121.0],
            [30.0, 2.5, 52_681.0, 8.2, 312_605.0],
            [60.0, 2.5, 69_490.0, 9.5, 597_044.0],
        ],
    };
    table.printed(
        format!("thesis, figure 5.3 ({set})"),
        "minutes | CT, solved:1 | nodes, solved | CT, finish:1 | nodes, finish",
        printed,
    )
}

fn thresholds_of_unsolved(marks: [Mark; 4], states: &States<4>) -> Table {
    let title = "Final conspiracy thresholds of unsolved problems";
    let headings = "conspire unsolved | conspire CT:1 | best-first unsolved | best-first CT:1";
    let table = by_mark("fig5.4", title, headings, marks, |at| {
        let cells = [CONSPIRE, BEST_FIRST].map(|search| {
            let unsolved = of(states, search, at).filter(|it| it.solved.is_none());
            let thresholds = unsolved.clone().map(|it| f64::from(it.iteration));
            [unsolved.count().into(), Cell::mean(thresholds)]
        });
        cells.concat()
    });
    let printed = [
        [3.0, 4.2, 3.4],
        [10.0, 5.7, 4.6],
        [30.0, 7.9, 5.8],
        [60.0, 8.5, 6.6],
    ];
    let headings = "minutes | CT, Win at Chess:1 | CT, Encyclopedia:1";
    let drawn = ["conspire CT", "best-first CT"];
    table
        .printed("thesis, figure 5.4", headings, printed)
        .plotted(plot(marks[0], drawn, "conspiracy threshold"))
}

fn storage(marks: [Mark; 4], states: &States<4>) -> Table {
    let title = "Positions visited, nodes of the stored tree, and its bytes";
    let headings = "conspire visits:0 | conspire tree:0 | conspire bytes:0 | best-first visits:0 | \
        best-first tree:0 | best-first bytes:0 | alpha-beta-plain visits:0";
    let table = by_mark("fig5.5", title, headings, marks, |at| {
        let of = |search| of(states, search, at);
        let stored = [CONSPIRE, BEST_FIRST].map(|search| {
            [
                Cell::mean(of(search).map(|it| it.nodes)),
                Cell::mean(of(search).map(|it| it.tree_nodes)),
                Cell::mean(of(search).map(|it| it.tree_bytes)),
            ]
        });
        let mut row = stored.concat();
        row.push(Cell::mean(of(PLAIN).map(|it| it.nodes)));
        row
    });
    let printed = [
        [3.0, 25_624.0, 177_830.0, 112_531.0],
        [10.0, 90_969.0, 633_370.0, 351_314.0],
        [30.0, 291_996.0, 2_039_333.0, 1_019_293.0],
        [60.0, 556_585.0, 3_876_672.0, 2_001_220.0],
    ];
    let drawn = [
        "conspire tree",
        "best-first tree",
        "alpha-beta-plain visits",
    ];
    table
        .printed(
            "thesis, figure 5.5; Phoenix stored no tree",
            "minutes | Conspire nodes | Conspire bytes | Phoenix nodes",
            printed,
        )
        .plotted(plot(marks[0], drawn, "nodes").log_y())
}
