//! Turns `go` into a search at the current position: which searcher, and its limits.

use std::time::Duration;

use super::command::Go;
use super::info::Style;
use super::observer::ObserverSettings;
use super::options::UciSettings;
use super::time_limits::{Clock, TimeLimits};
use crate::engine::outlook;
use crate::engine::settings::ChessSearcher;
use crate::engine::strength::{self, Level};
use crate::game::{Game, Root, Side};
use crate::games::chess::tablebase::Tables;
use crate::games::chess::{Move, Position, notation};
use crate::search::Limits;

/// Command that a search waits for before it answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hold {
    /// `stop`, after `go infinite` or `go` without any limit.
    Stop,
    /// `ponderhit`, after `go ponder`; `stop` does as well.
    PonderHit,
}

/// Purpose of a searcher.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Purpose {
    /// The search that the settings name, at full strength.
    Full,
    /// Play at a limited strength.
    Level(Level),
    /// `go mate`.
    Mate,
}

impl Purpose {
    /// A searcher for this purpose.
    pub(super) fn searcher(self, settings: &UciSettings) -> ChessSearcher {
        match self {
            Purpose::Full => settings.engine.for_analysis().searcher(),
            Purpose::Level(level) => strength::searcher(level, strength::any_seed()),
            Purpose::Mate => settings.engine.mate_searcher(),
        }
    }

    /// Name of the search.
    pub(super) fn name(self, settings: &UciSettings) -> &'static str {
        match self {
            Purpose::Full => settings.engine.search.algorithm.name(),
            Purpose::Level(_) => "UCI_LimitStrength",
            Purpose::Mate => "go mate",
        }
    }
}

/// Node limit of a search whose limits were all misspelt, or that has a clock without its time: an endless search would
/// make the user or a match runner wait.
const NODES_WITHOUT_LIMIT: u64 = 10_000;

/// A search to be started by `go`.
#[derive(Debug)]
pub(super) struct SearchPlan {
    /// Limits that the search itself enforces.
    pub(super) limits: Limits<Move>,
    /// Settings of the search's observer.
    pub(super) watch: ObserverSettings,
    /// Purpose of the searcher.
    pub(super) purpose: Purpose,
    /// The command to wait for before answering.
    pub(super) hold: Option<Hold>,
    /// Messages to the user about ignored arguments.
    pub(super) notes: Vec<String>,
}

impl SearchPlan {
    /// Plans the search of `root` for `go`. `ponder_hit` means that the move pondered on has already been played.
    pub(super) fn new(
        go: &Go,
        root: &Root<Position>,
        settings: &UciSettings,
        ponder_hit: bool,
    ) -> SearchPlan {
        let mut notes = go.ignored.clone();
        let lost_limit = go.lost_limit || go.lacks_a_time();
        let no_limit_left = go.is_unlimited() && lost_limit && !go.infinite;
        if no_limit_left {
            if go.lacks_a_time() {
                notes.push("go: a clock needs 'wtime' or 'btime'".to_owned());
            }
            notes.push(format!(
                "go: no valid limit, so the search ends after {NODES_WITHOUT_LIMIT} nodes; \
                 'go infinite' searches until 'stop'"
            ));
        }
        let mut search_moves = search_moves(go, &root.position, &mut notes);
        let is_endless = go.is_unlimited() && !no_limit_left;
        let purpose = match settings.level() {
            _ if go.mate.is_some() => Purpose::Mate,
            Some(level) if !is_endless => Purpose::Level(level),
            _ => Purpose::Full,
        };
        // With tablebases the engine would play above the level.
        let tables = match purpose {
            Purpose::Level(_) => Tables::default(),
            _ => settings.engine.tables.clone(),
        };
        // The tablebases' verdict holds only for the moves that they choose: not for those of `go`, nor for several
        // lines. It says who wins, not how soon, so `go mate` must search.
        let mut verdict = None;
        if search_moves.is_empty()
            && settings.multipv == 1
            && go.mate.is_none()
            && let Some((known, moves)) = tables.root_moves(&root.position)
        {
            search_moves = moves;
            verdict = Some(known);
        }
        let choices = match search_moves.len() {
            0 => root.position.legal_moves().len(),
            n => n,
        };
        // At a limited strength the engine must not show moves other than its own.
        let lines = match purpose {
            Purpose::Level(_) => 1,
            _ => settings.multipv.min(choices),
        };
        // Nor must it show how certain values are: its choice of a move ignores that.
        let shows_evidence = settings.shows_evidence && !matches!(purpose, Purpose::Level(_));
        let tells_outlook = shows_evidence && lines == 1 && go.mate.is_none();
        SearchPlan {
            limits: Limits {
                iterations: go.depth.map(|n| n.max(1)),
                nodes: go
                    .nodes
                    .map(|n| n.max(1))
                    .or(no_limit_left.then_some(NODES_WITHOUT_LIMIT)),
                mate: go.mate.map(|n| n.max(1)),
                search_moves,
                for_play: !(is_endless || settings.analyse_mode),
                multipv: lines,
                least_iterations: u32::from(lines > 1),
            },
            watch: ObserverSettings {
                time: time_limits(go, root.position.side_to_move(), settings, choices),
                style: Style {
                    chess960: settings.chess960,
                    wdl: settings.show_wdl,
                },
                lines,
                adapts: !settings.analyse_mode,
                tables,
                shows_evidence,
                verdict,
                history: tells_outlook
                    .then(|| outlook::history(&settings.engine, &root.position, choices))
                    .flatten(),
            },
            purpose,
            hold: if is_endless {
                Some(Hold::Stop)
            } else if go.ponder && !ponder_hit {
                Some(Hold::PonderHit)
            } else {
                None
            },
            notes,
        }
    }
}

/// The legal moves among those that `go` restricts the search to, each once.
fn search_moves(go: &Go, position: &Position, notes: &mut Vec<String>) -> Vec<Move> {
    let mut moves = Vec::new();
    for text in &go.search_moves {
        match notation::parse_uci(position, text) {
            Ok(m) if moves.contains(&m) => {}
            Ok(m) => moves.push(m),
            Err(error) => notes.push(format!("go searchmoves: {error}")),
        }
    }
    if moves.is_empty() && !go.search_moves.is_empty() {
        notes.push("go searchmoves: none is legal, so all moves are searched".to_owned());
    }
    moves
}

/// The time limits for the side to move, which has `choices` moves to choose from.
fn time_limits(go: &Go, side: Side, settings: &UciSettings, choices: usize) -> TimeLimits {
    let fixed = go.movetime.map(Duration::from_millis);
    let mut time = TimeLimits::new(clock_of(go, side), fixed, settings.move_overhead);
    if settings.ponder {
        time = time.for_pondering();
    }
    if choices == 1 && !settings.analyse_mode {
        time = time.for_only_move();
    }
    time
}

/// The clock of the side to move, or the opponent's if only that is given. A side with a clock of its own never takes
/// the opponent's increment, as GUIs may omit increments of 0.
fn clock_of(go: &Go, side: Side) -> Option<Clock> {
    let white = (go.white_time, go.white_increment);
    let black = (go.black_time, go.black_increment);
    let (own, other) = match side {
        Side::First => (white, black),
        Side::Second => (black, white),
    };
    let increment = match own.0 {
        Some(_) => own.1,
        None => own.1.or(other.1),
    };
    Some(Clock {
        remaining: Duration::from_millis(own.0.or(other.0)?),
        increment: Duration::from_millis(increment.unwrap_or_default()),
        moves_to_go: go.moves_to_go,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::settings::EngineSettings;
    use crate::games::chess::tablebase::{Tablebase, TablebaseResult, Tables};
    use crate::uci::command::Command;

    fn plan_with(settings: &UciSettings, fen: &str, line: &str) -> SearchPlan {
        let Command::Go(go) = Command::parse(line) else {
            panic!("{line}");
        };
        let root = Root::new(notation::parse_fen(fen).unwrap());
        SearchPlan::new(&go, &root, settings, false)
    }

    fn plan_for(fen: &str, line: &str) -> SearchPlan {
        plan_with(&UciSettings::default(), fen, line)
    }

    const WHITE: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    const BLACK: &str = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";

    fn hard(fen: &str, line: &str) -> Option<Duration> {
        plan_for(fen, line).watch.time.hard
    }

    #[test]
    fn each_side_looks_at_its_own_clock() {
        let line = "go wtime 60000 btime 1000 winc 500 binc 0";
        assert_eq!(
            hard(WHITE, line),
            hard(BLACK, "go btime 60000 wtime 1 binc 500 winc 0")
        );
        assert_eq!(hard(BLACK, line), hard(WHITE, "go wtime 1000 winc 0"));
        assert!(hard(WHITE, line) > hard(BLACK, line));
        assert_eq!(hard(WHITE, "go btime 1000"), hard(WHITE, "go wtime 1000"));
        assert_eq!(
            hard(WHITE, "go wtime 10000 btime 10000 binc 1000"),
            hard(WHITE, "go wtime 10000")
        );
        assert_eq!(
            hard(WHITE, "go btime 10000 binc 1000"),
            hard(WHITE, "go wtime 10000 winc 1000")
        );
        assert_eq!(
            hard(WHITE, "go wtime -5000"),
            Some(Duration::from_millis(1))
        );
    }

    #[test]
    fn searches_without_an_end_hold_their_move() {
        let hold = |line: &str| plan_for(WHITE, line).hold;
        assert_eq!(hold("go"), Some(Hold::Stop));
        assert_eq!(hold("go infinite depth 3"), Some(Hold::Stop));
        assert_eq!(hold("go ponder wtime 100"), Some(Hold::PonderHit));
        assert_eq!(hold("go ponder"), Some(Hold::Stop));
        assert_eq!(hold("go mate 2"), None);
        assert_eq!(hold("go depth x"), None);
        assert_eq!(hold("go depth x ponder"), Some(Hold::PonderHit));
        assert_eq!(hold("go depth x nodes 5"), None);
        assert_eq!(hold("go depth x infinite"), Some(Hold::Stop));
    }

    #[test]
    fn limits_of_zero_still_find_a_move() {
        let limits = plan_for(WHITE, "go depth 0 nodes 0 mate 0").limits;
        assert_eq!(limits.iterations, Some(1));
        assert_eq!(limits.nodes, Some(1));
        assert_eq!(limits.mate, Some(1));
    }

    #[test]
    fn a_misspelt_limit_does_not_make_a_search_endless() {
        let misspelt = ["go depth", "go nodes x", "go wtime x btime", "go mate -"];
        let timeless = ["go winc 200 binc 200", "go movestogo 10", "go winc 9 wtime"];
        for line in misspelt.into_iter().chain(timeless) {
            let plan = plan_for(WHITE, line);
            assert_eq!(plan.limits.nodes, Some(NODES_WITHOUT_LIMIT), "{line}");
            assert_eq!(plan.hold, None);
            let is_told = plan.notes.iter().any(|it| it.contains("a clock needs"));
            assert_eq!(is_told, timeless.contains(&line), "{line}");
        }
        let plan = plan_for(WHITE, "go ponder winc 200 binc 200");
        assert_eq!(plan.limits.nodes, Some(NODES_WITHOUT_LIMIT));
        assert_eq!(plan.hold, Some(Hold::PonderHit));
        for line in [
            "go winc 200 nodes 5",
            "go movestogo 1 btime 5",
            "go winc 200 infinite",
        ] {
            let plan = plan_for(WHITE, line);
            assert_ne!(plan.limits.nodes, Some(NODES_WITHOUT_LIMIT), "{line}");
            assert!(plan.notes.is_empty(), "{line}: {:?}", plan.notes);
        }
        let plan = plan_for(WHITE, "go depth 3 nodes x");
        assert_eq!(plan.limits.nodes, None);
    }

    #[test]
    fn search_moves_are_checked_one_by_one() {
        let plan = plan_for(WHITE, "go depth 1 searchmoves e2e4 e2e5 e2e4 e1d1");
        let moves = plan.limits.search_moves.iter();
        let moves = moves.map(|&m| notation::to_uci(m, false));
        assert_eq!(moves.collect::<Vec<_>>(), ["e2e4", "e1d1"]);
        assert_eq!(plan.notes.len(), 1, "{:?}", plan.notes);
        let none = plan_for(WHITE, "go depth 1 searchmoves e2e5");
        assert!(none.limits.search_moves.is_empty());
        assert_eq!(none.notes.len(), 2, "{:?}", none.notes);
    }

    /// Tablebases that call every position won by its first legal move.
    struct Optimist;

    impl Tablebase for Optimist {
        fn max_pieces(&self) -> usize {
            3
        }

        fn verdict(&self, _position: &Position) -> Option<TablebaseResult> {
            Some(TablebaseResult::Win)
        }

        fn best_move(&self, position: &Position) -> Option<Move> {
            position.legal_moves().first().copied()
        }
    }

    #[test]
    fn a_root_in_the_tables_leaves_no_choice() {
        let first = notation::parse_fen(WHITE).unwrap().legal_moves()[0];
        let mut settings = UciSettings {
            engine: EngineSettings {
                tables: Tables::new("optimist", Optimist),
                ..EngineSettings::default()
            },
            ..UciSettings::default()
        };
        let plan = |settings: &UciSettings, line: &str| plan_with(settings, WHITE, line);
        let planned = plan(&settings, "go wtime 60000");
        assert_eq!(planned.limits.search_moves, [first]);
        assert_eq!(planned.watch.verdict, Some(TablebaseResult::Win));
        assert!(planned.watch.time.hard < hard(WHITE, "go wtime 60000"));
        // Moves that the user asks for replace those of the tables.
        let asked = plan(&settings, "go depth 1 searchmoves e1d1 e2e4");
        assert_eq!(asked.limits.search_moves.len(), 2);
        // A mate may begin with another move, and must answer every defence.
        assert!(plan(&settings, "go mate 2").limits.search_moves.is_empty());
        settings.multipv = 3;
        assert!(plan(&settings, "go depth 1").limits.search_moves.is_empty());
    }

    #[test]
    fn an_only_move_is_quick_on_a_clock() {
        let free = hard(WHITE, "go wtime 60000");
        let forced = hard(WHITE, "go wtime 60000 searchmoves e2e4");
        assert!(forced < free, "{forced:?} {free:?}");
        let analysis = UciSettings {
            analyse_mode: true,
            ..UciSettings::default()
        };
        let plan = plan_with(&analysis, WHITE, "go wtime 60000 searchmoves e2e4");
        assert_eq!(plan.watch.time.hard, free);
        assert!(!plan.watch.adapts);
    }
}
