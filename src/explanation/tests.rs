//! Reports of watched searches are consistent, and stories end where searches give lines up.

use proptest::prelude::*;

use super::cut_off_trace::{Cause, CutOffTrace};
use super::line_recorder::LineRecorder;
use super::record::Explanation;
use super::{ExplanationLimits, explain};
use crate::engine::settings::EngineSettings;
use crate::engine::spec::SearchSpec;
use crate::game::Root;
use crate::games::chess::{Evaluation, notation};
use crate::games::random_tree::{ChildIndex, RandomTree, ReadOff, Shape, StaticValues};
use crate::search::events::{By, Descent, Event, NodeQuery, Watcher};
use crate::search::registry::{self, Algorithm, Settings};
use crate::search::{Bound, Limits, Report, Unobserved};

const WATCHABLE: [Algorithm; 3] = [
    Algorithm::DepthFirst,
    Algorithm::AlphaBeta,
    Algorithm::AlphaBetaPlain,
];

/// Checks that events are consistent.
#[derive(Default)]
struct Checker {
    under_way: Vec<NodeQuery<ChildIndex>>,
    is_answered_by: Option<By<ChildIndex>>,
    nodes: u64,
    /// Positions visited for questions at the root, and those before the first one.
    of_root: u64,
    before: Option<u64>,
    questions: u64,
}

impl Checker {
    fn reach(&mut self, nodes: u64) {
        assert!(nodes >= self.nodes, "{nodes} after {}", self.nodes);
        self.nodes = nodes;
    }
}

impl Watcher<ChildIndex> for Checker {
    fn receive(&mut self, event: Event<ChildIndex>) {
        match event {
            Event::Asked(asked) => {
                self.reach(asked.nodes);
                self.before.get_or_insert(asked.nodes);
                self.questions += 1;
                match (self.under_way.last(), asked.descent) {
                    (None, Descent::Root) => assert_eq!(asked.ply, 0),
                    (Some(above), Descent::Move { number, .. }) => {
                        assert!(asked.ply == above.ply + 1 && number > 0);
                        assert_ne!(asked.key, above.key);
                    }
                    (Some(above), Descent::Pass) => assert_eq!(asked.ply, above.ply + 1),
                    (Some(above), Descent::Others | Descent::Verify) => {
                        assert_eq!((asked.ply, asked.key), (above.ply, above.key));
                    }
                    (above, step) => panic!("{step:?} below {above:?}"),
                }
                self.under_way.push(asked);
                self.is_answered_by = None;
            }
            Event::By(by) => {
                assert!(!self.under_way.is_empty());
                self.is_answered_by = Some(by);
            }
            Event::LeftOut(left_out) => {
                assert!(left_out.number > 1 && !self.under_way.is_empty());
            }
            Event::Answered(answer) => {
                self.reach(answer.nodes);
                let asked = self.under_way.pop().expect("a question");
                let by = self.is_answered_by.take();
                let is_null = asked.window.beta == asked.window.alpha.next_up();
                match (answer.value, by) {
                    (Some(value), Some(By::Move(_))) if is_null => {
                        assert!(value >= asked.window.beta, "{asked:?} {answer:?}");
                    }
                    (Some(value), Some(By::NoMove)) => assert!(value < asked.window.beta),
                    (Some(_), by) => assert!(by.is_some(), "{asked:?} {answer:?}"),
                    (None, _) => {}
                }
                if self.under_way.is_empty() {
                    self.of_root += answer.nodes - asked.nodes;
                }
            }
        }
    }
}

fn shape(depth: Option<u16>) -> Shape {
    Shape {
        branching: 4,
        depth,
        limit: 300,
        values: StaticValues::Correlated { spread: 80 },
    }
}

fn watched(
    algorithm: Algorithm,
    root: RandomTree,
    nodes: u64,
    watcher: &mut dyn Watcher<ChildIndex>,
) -> Report<ChildIndex> {
    let settings = Settings::of(algorithm, 1);
    let mut search = registry::build_watchable(&settings, ReadOff).expect("one to watch");
    let limits = Limits::nodes(nodes);
    search.search_watched(&Root::new(root), &limits, &mut Unobserved, watcher)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Questions nest, each has an answer and its source, and those at the root account for all positions visited since.
    #[test]
    fn what_is_told_fits_together(seed: u64, nodes in 1u64..5_000, ends: bool) {
        for algorithm in WATCHABLE {
            let root = RandomTree::new(shape(ends.then_some(6)), seed);
            let mut checker = Checker::default();
            let report = watched(algorithm, root, nodes, &mut checker);
            prop_assert!(checker.under_way.is_empty());
            let before = checker.before.unwrap_or(report.nodes);
            prop_assert_eq!(before + checker.of_root, report.nodes, "{}", algorithm);
            prop_assert!(nodes < 100 || checker.questions > 10);
        }
    }

    /// A move that is not played has been rejected, and the story begins with that move and goes down the line.
    #[test]
    fn stories_go_down_the_line(seed: u64, moves in prop::collection::vec(0u16..4, 1..6)) {
        for algorithm in WATCHABLE {
            let root = RandomTree::new(shape(None), seed);
            let line: Vec<ChildIndex> = moves.iter().copied().map(ChildIndex).collect();
            let mut follower = LineRecorder::new(&root, &line);
            let report = watched(algorithm, root, 3_000, &mut follower);
            let story = CutOffTrace::new(&follower, u64::MAX);
            if report.best_move() != Some(line[0]) {
                prop_assert_ne!(story.cause, Cause::NotRefused, "{}", algorithm);
            }
            for (ply, stage) in story.stages.iter().enumerate() {
                let question = stage.worked_on();
                prop_assert_eq!(question.after, ply + 1);
                // No answer favours the side that began the line.
                let wrong = if ply % 2 == 0 { Bound::Upper } else { Bound::Lower };
                prop_assert_ne!(question.bound(), Some(wrong), "{} {:?}", algorithm, question);
                prop_assert!(question.nodes() <= report.nodes);
            }
            prop_assert!(story.stages.len() <= line.len());
        }
    }
}

/// The queen for a mate in two: not found by a search that looks at few positions.
const SACRIFICE: &str = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";

fn settings(search: &str) -> EngineSettings {
    let spec: SearchSpec = search.parse().expect("a search");
    spec.settings(Evaluation::Tactical, 8)
}

#[test]
fn a_line_is_made_longer_to_where_it_is_cut_off() {
    let position = notation::parse_fen(SACRIFICE).expect("a position");
    let root = Root::new(position);
    let line = [notation::parse_san(&root.position, "Qg6").expect("a move")];
    let explained = |search, nodes, until_found, deeper| {
        let effort = ExplanationLimits {
            nodes,
            until_found,
            deeper,
        };
        explain(&root, &line, &settings(search), effort)
    };
    for search in ["depth-first", "alpha-beta"] {
        let short = explained(search, 400, false, 0).expect("an explanation");
        let long = explained(search, 400, false, 20_000).expect("an explanation");
        assert!(short.found.is_none(), "{search}: {short:?}");
        assert!(
            !matches!(long.cause, Cause::LineEnds | Cause::OtherReply),
            "{long:?}"
        );
        assert!(long.stages.len() >= short.stages.len());
        let found = explained(search, 1_000_000, true, 0).expect("an explanation");
        let found_at = found.found.expect("the move").nodes;
        assert!(
            found_at <= found.nodes && found.nodes < 1_000_000,
            "{search}"
        );
        assert_eq!(found.course.last().expect("an iteration").plays, "Qg6");
    }
    let error = explained("best-first", 400, false, 0).expect_err("no watcher");
    assert!(error.to_string().contains("best-first cannot be explained"));
}

/// Alpha-beta without pruning, which has open windows, on a line of a small position.
fn plain(nodes: u64, deeper: u64, moves: &str) -> Explanation {
    let fen = "4k3/pp6/8/3q4/4P3/8/PP6/4K3 w - - 0 1";
    let root = Root::new(notation::parse_fen(fen).expect("a position"));
    let mut game = root.clone();
    let line = moves.split(' ').map(|word| {
        let m = notation::parse_san(&game.position, word).expect("a move");
        game.play(m);
        m
    });
    let line: Vec<_> = line.collect();
    let effort = ExplanationLimits {
        nodes,
        until_found: false,
        deeper,
    };
    explain(&root, &line, &settings("alpha-beta-plain"), effort).expect("an explanation")
}

#[test]
fn questions_and_moves_are_told_as_they_were() {
    let it = plain(300, 100, "Ke2 Ke7 e5 Ke6 Ke3");
    assert_eq!(it.stages[1].more_than, it.stages[0].more_than);
    // The search has put its own move in the place of the second.
    assert_eq!(it.line.uci[..2], ["e1e2", "d5a2"]);
    assert_eq!(it.given, 1);
}

#[test]
fn an_iteration_cut_short_is_not_completed() {
    let it = plain(300, 0, "Ke2");
    let last = it.course.last().expect("an iteration");
    assert_eq!((it.iterations, last.iteration), (3, 4));
    assert_eq!(last.nodes, it.nodes);
}
