//! Speculation over a search that says what it is told to say, and over real ones.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use crate::games::random_tree::{RandomTree, ReadOff, Shape, StaticValues};
use crate::games::tic_tac_toe::{Cell, TicTacToe};
use crate::profile::criticality::Extremes;
use crate::search::best_first::{self, BestFirst};
use crate::search::registry::{self, Algorithm};

/// For each iteration the lines it finds, as first moves and values, best first.
type Script = Vec<Vec<(u8, i32)>>;

/// A search that finds what is written, at two hundred nodes an iteration.
struct Scripted {
    scripts: HashMap<u64, Script>,
    searches: Arc<AtomicUsize>,
}

impl Searcher<TicTacToe> for Scripted {
    fn search(
        &mut self,
        root: &Root<TicTacToe>,
        limits: &Limits<Cell>,
        observer: &mut dyn Observer<Cell>,
    ) -> Report<Cell> {
        self.searches.fetch_add(1, Ordering::Relaxed);
        let script = &self.scripts[&root.position.key()][..];
        // A single move takes no time.
        let is_single = limits.search_moves.len() == 1;
        let script = if is_single {
            &script[script.len() - 1..]
        } else {
            script
        };
        let mut nodes = 0;
        let mut last = None;
        for (iteration, lines) in (1..).zip(script) {
            nodes += 200;
            if iteration > 1 && observer.should_stop(nodes) {
                break;
            }
            let allowed =
                |m| limits.search_moves.is_empty() || limits.search_moves.contains(&Cell(m));
            let lines = lines.iter().filter(|&&(m, _)| allowed(m));
            for (line, &(m, value)) in (1..=limits.multipv).zip(lines) {
                let report = Report {
                    occasion: Occasion::Iteration,
                    iteration,
                    seldepth: iteration,
                    line,
                    value: Value::centipawns(value),
                    bound: Bound::Exact,
                    nodes,
                    fullness: 0,
                    pv: vec![Cell(m)],
                    conspiracy: None,
                };
                observer.report(&report);
                if line == 1 {
                    last = Some(report);
                }
            }
        }
        let report = Report {
            occasion: Occasion::Final,
            nodes,
            ..last.unwrap()
        };
        observer.report(&report);
        report
    }

    fn clear(&mut self) {}
}

/// Hears what is said, and says stop after so many nodes.
struct Listener {
    patience: u64,
    finals: usize,
    told: Option<Speculation<Cell>>,
}

impl Observer<Cell> for Listener {
    fn should_stop(&mut self, nodes: u64) -> bool {
        nodes >= self.patience
    }

    fn report(&mut self, report: &Report<Cell>) {
        self.finals += usize::from(report.occasion == Occasion::Final);
    }

    fn speculated(&mut self, speculation: &Speculation<Cell>) {
        self.told = Some(speculation.clone());
    }
}

/// Two moves, 0 and 1, the second worth 20 centipawns less; everybody sees the reply to the first, while
/// that to the second comes up in the last iteration.
fn trap(value: i32) -> HashMap<u64, Script> {
    let after = |cells: &[u8]| TicTacToe::after_cells(cells).unwrap().key();
    let best = vec![(0, value), (1, value - 20)];
    let obvious = vec![(2, -value), (3, -value - 200)];
    let hidden = vec![(5, -value + 20), (4, -value - 400)];
    let seeming = vec![(4, -value + 20), (5, -value - 400)];
    HashMap::from([
        (after(&[]), vec![best; 10]),
        (after(&[0]), vec![obvious; 4]),
        (after(&[1]), [vec![seeming; 3], vec![hidden]].concat()),
    ])
}

/// The move, the searches it took, and what was told.
fn play(value: i32, margin: u16, patience: u64) -> (u8, usize, Listener) {
    let settings = Settings {
        margin,
        ..Settings::default()
    };
    play_by(settings, value, patience)
}

fn play_by(settings: Settings, value: i32, patience: u64) -> (u8, usize, Listener) {
    let searches = Arc::new(AtomicUsize::new(0));
    let scripted = || {
        Box::new(Scripted {
            scripts: trap(value),
            searches: Arc::clone(&searches),
        })
    };
    let mut search = Speculative::new(settings, scripted(), scripted());
    let mut listener = Listener {
        patience,
        finals: 0,
        told: None,
    };
    let root = Root::new(TicTacToe::new());
    let report = search.search(&root, &Limits::default(), &mut listener);
    assert_eq!(listener.finals, 1);
    let m = report.best_move().unwrap().0;
    (m, searches.load(Ordering::Relaxed), listener)
}

#[test]
fn who_stands_worse_sets_a_trap() {
    let (m, searches, listener) = play(-150, 30, u64::MAX);
    assert_eq!((m, searches), (1, 8));
    let told = listener.told.unwrap();
    let [plain, other] = &told.candidates[..] else {
        panic!("{told:?}");
    };
    assert_eq!(told.chosen, 1);
    assert_eq!(other.value, Value::centipawns(-170));
    assert!(plain.replies[0].odds > 0.9 && other.replies[0].odds < 0.45);
    // Two of five find the reply, the others lose 4 pawns.
    let points = |centipawns| crate::wdl::points(Value::centipawns(centipawns));
    let expected = 0.4 * points(-170) + 0.6 * points(250);
    assert!((other.expectation - expected).abs() < 1e-9);
    // What an obvious reply promises is what the move is worth.
    assert!((plain.expectation - crate::wdl::points(plain.value)).abs() < 0.01);
}

#[test]
fn a_control_takes_the_same_searches_and_plays_the_best_move() {
    let control = Settings {
        control: true,
        ..Settings::default()
    };
    let (m, searches, listener) = play_by(control, -150, u64::MAX);
    assert_eq!((m, searches, listener.finals), (0, 8, 1));
    assert_eq!(listener.told.unwrap().chosen, 0);
}

/// Numbers that are told one after the other, at 50 nodes a search.
struct ScriptedGauge {
    numbers: Vec<Extremes>,
    searches: usize,
}

impl Searcher<TicTacToe> for ScriptedGauge {
    fn search(
        &mut self,
        root: &Root<TicTacToe>,
        limits: &Limits<Cell>,
        observer: &mut dyn Observer<Cell>,
    ) -> Report<Cell> {
        assert_eq!(limits.nodes, Some(GAUGE_NODES));
        assert!(!observer.should_stop(50));
        self.searches += 1;
        Report {
            nodes: 50,
            ..Report::before_search(Value::DRAW, vec![root.position.legal_moves()[0]])
        }
    }

    fn clear(&mut self) {}
}

impl Gauge<TicTacToe> for ScriptedGauge {
    fn extremes(&self) -> Extremes {
        self.numbers[self.searches - 1]
    }
}

/// Two positions of a game, where the side to move stands a pawn better: the moves, and whether there was speculation at
/// the second. The scout sees no more than the reply that seems best.
fn two_moves(rule: Rule, control: bool, numbers: [(u32, u32); 2]) -> ([u8; 2], bool) {
    let after = |cells: &[u8]| TicTacToe::after_cells(cells).unwrap().key();
    let line = |m, value| vec![vec![(m, value)]; 3];
    let inner = HashMap::from([
        (after(&[]), line(8, 100)),
        (after(&[8, 7]), vec![vec![(0, 100), (1, 80)]; 10]),
        (after(&[8, 7, 0]), line(2, -100)),
        (after(&[8, 7, 1]), vec![vec![(5, -80), (4, -400)]; 3]),
    ]);
    let mut seen = inner.clone();
    seen.insert(after(&[8, 7, 1]), line(4, -60));
    let scripted = |scripts| {
        Box::new(Scripted {
            scripts,
            searches: Arc::default(),
        })
    };
    let settings = Settings {
        rule,
        control,
        ..Settings::default()
    };
    let gauge = ScriptedGauge {
        numbers: numbers
            .map(|(max_cn, min_cn)| Extremes {
                max_cn: Some(max_cn),
                min_cn: Some(min_cn),
            })
            .to_vec(),
        searches: 0,
    };
    let search = Speculative::new(settings, scripted(inner), scripted(seen));
    let mut search = search.with_gauge(Box::new(gauge));
    let mut listener = Listener {
        patience: u64::MAX,
        finals: 0,
        told: None,
    };
    let mut root = Root::new(TicTacToe::new());
    let mut moves = [0; 2];
    for (index, m) in moves.iter_mut().enumerate() {
        let report = search.search(&root, &Limits::default(), &mut listener);
        *m = report.best_move().unwrap().0;
        if index == 0 {
            assert!(listener.told.is_none());
            assert_eq!(report.nodes, 650);
            root.play(Cell(*m));
            root.play(Cell(7));
        }
    }
    (moves, listener.told.is_some())
}

#[test]
fn the_papers_rules_speculate_where_a_number_has_fallen_abruptly() {
    let fallen = |rule, numbers| two_moves(rule, false, numbers);
    let (kept, max_cn, min_cn) = ([(22, 4), (11, 2)], [(22, 4), (8, 4)], [(22, 4), (22, 1)]);
    for (rule, calls) in [
        (Rule::MaxCn, [false, true, false]),
        (Rule::MinCn, [false, false, true]),
        (Rule::EitherCn, [false, true, true]),
    ] {
        for (numbers, calls) in [kept, max_cn, min_cn].into_iter().zip(calls) {
            let second = u8::from(calls);
            assert_eq!(fallen(rule, numbers), ([8, second], calls), "{rule:?}");
        }
    }
}

#[test]
fn a_control_by_the_papers_rules_plays_the_best_move() {
    let fallen = [(22, 4), (8, 4)];
    assert_eq!(two_moves(Rule::MaxCn, true, fallen), ([8, 0], true));
}

#[test]
fn the_margin_is_kept() {
    assert_eq!(play(-150, 20, u64::MAX).0, 1);
    assert_eq!(play(-150, 19, u64::MAX).0, 0);
    // Without a second move near enough there are no studies: a margin of 0 is no control.
    let (m, searches, listener) = play(-150, 0, u64::MAX);
    assert_eq!((m, searches), (0, 2));
    assert!(listener.told.is_none());
}

#[test]
fn who_does_not_stand_worse_plays_the_best_move() {
    let (m, searches, listener) = play(-40, 30, u64::MAX);
    assert_eq!((m, searches), (0, 1));
    assert!(listener.told.is_none());
}

#[test]
fn a_stop_on_the_way_leaves_the_best_move() {
    for patience in [300, 2_300, 2_900, 4_400] {
        let (m, _, listener) = play(-150, 30, patience);
        assert!(m == 0 && listener.told.is_none(), "{patience}");
    }
}

#[test]
fn decided_values_are_near_nothing_else() {
    let near = |value, best| is_within(30, value, best);
    assert!(near(Value::centipawns(-70), Value::centipawns(-40)));
    assert!(!near(Value::centipawns(-71), Value::centipawns(-40)));
    assert!(!near(Value::loss_in(4), Value::loss_in(6)));
    assert!(near(Value::loss_in(6), Value::loss_in(6)));
    assert!(near(Value::win_in(3), Value::centipawns(-40)));
}

/// Keeps what it is told.
#[derive(Default)]
struct Notes<M> {
    told: Option<Speculation<M>>,
    most_nodes: u64,
}

impl<M: Clone> Observer<M> for Notes<M> {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.most_nodes = self.most_nodes.max(nodes);
        false
    }

    fn speculated(&mut self, speculation: &Speculation<M>) {
        self.told = Some(speculation.clone());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// With each search: the move is as good as the margin asks, the budget is kept, and the same
    /// question has the same answer.
    #[test]
    fn no_move_is_worse_than_the_margin(
        seed in any::<u64>(), margin in 0..200_u16, nodes in 200..5_000_u64,
        algorithm in prop::sample::select(&Algorithm::ALL[..]),
        rule in prop::sample::select(&Rule::ALL[..]), control in any::<bool>(),
    ) {
        let shape = Shape {
            branching: 6,
            depth: Some(30),
            limit: 400,
            values: StaticValues::Correlated { spread: 60 },
        };
        let root = Root::new(RandomTree::new(shape, seed));
        let settings = registry::Settings { algorithm, hash_megabytes: 1, ..registry::Settings::default() };
        let run = || {
            let build = || registry::build(&settings, ReadOff);
            let told = Settings { margin, rule, control };
            let gauge = BestFirst::new(best_first::Settings::default(), 1, ReadOff);
            let mut search = Speculative::new(told, build(), build()).with_gauge(Box::new(gauge));
            let mut notes = Notes { told: None, most_nodes: 0 };
            let report = search.search(&root, &Limits::nodes(nodes), &mut notes);
            (report, notes)
        };
        let (report, notes) = run();
        // A search looks at its limit before a position, which counts twice if it is evaluated and
        // then expanded.
        prop_assert!(report.nodes <= nodes + 1, "{} of {nodes}", report.nodes);
        prop_assert!(notes.most_nodes <= nodes + 1, "{} of {nodes}", notes.most_nodes);
        prop_assert!(report.best_move().is_some());
        if let Some(told) = notes.told {
            let (plain, chosen) = (&told.candidates[0], &told.candidates[told.chosen]);
            prop_assert!(is_within(margin, chosen.value, plain.value), "{told:?}");
            prop_assert_eq!(Some(chosen.m), report.best_move());
            prop_assert!(told.chosen == 0 || !control);
            for candidate in &told.candidates {
                let sum: f64 = candidate.replies.iter().map(|reply| reply.odds).sum();
                prop_assert!(candidate.replies.is_empty() || (sum - 1.0).abs() < 1e-9);
            }
        }
        let again = run().0;
        prop_assert_eq!((again.pv, again.nodes), (report.pv, report.nodes));
    }
}
