//! Rules stand in for files of tables here: real ones are too large to come with the sources.

use std::fs;

use shakmaty::Role;

use super::*;
use crate::game::Root;
use crate::games::chess::{Quiescence, notation};
use crate::search::registry::{self, Algorithm, Settings};
use crate::search::{Limits, Report, Unobserved};

/// Kings and one piece, with verdicts unlike any evaluation: a rook wins, a queen only draws.
struct ByRule {
    /// Whether the clock has spoilt every win.
    is_late: bool,
}

impl Tablebase for ByRule {
    fn max_pieces(&self) -> usize {
        3
    }

    fn verdict(&self, position: &Position) -> Option<TablebaseResult> {
        let rooks = position.by_role(Role::Rook);
        Some(if (rooks & position.by_color(position.turn())).any() {
            TablebaseResult::Win
        } else if rooks.any() {
            TablebaseResult::Loss
        } else {
            TablebaseResult::Draw
        })
    }

    fn verdict_now(&self, position: &Position) -> Option<TablebaseResult> {
        if self.is_late {
            return Some(TablebaseResult::Draw);
        }
        self.verdict(position)
    }

    fn best_move(&self, position: &Position) -> Option<Move> {
        position.legal_moves().last().copied()
    }
}

fn tables() -> Tables {
    Tables::new("by rule", ByRule { is_late: false })
}

fn position(fen: &str) -> Position {
    notation::parse_fen(fen).unwrap()
}

fn search(algorithm: Algorithm, fen: &str, tables: &Tables) -> Report<Move> {
    let settings = Settings::of(algorithm, 1);
    let evaluator = Quiescence::tactical().with_tables(tables.clone());
    let limits = Limits {
        iterations: Some(3),
        ..Limits::nodes(20_000)
    };
    registry::build(&settings, evaluator).search(
        &Root::new(position(fen)),
        &limits,
        &mut Unobserved,
    )
}

/// The best line as text.
fn line(report: &Report<Move>) -> Vec<String> {
    let write = |&m: &Move| notation::to_uci(m, false);
    report.pv.iter().map(write).collect()
}

#[test]
fn every_search_takes_the_tables_word_over_its_own() {
    let tables = tables();
    // The pawn promotes in one move, or takes a knight on the way.
    let promotion = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let capture = "1n6/P6k/8/8/8/8/8/K7 w - - 0 1";
    for algorithm in Algorithm::ALL {
        for fen in [promotion, capture] {
            let hits = tables.hits();
            let report = search(algorithm, fen, &tables);
            assert!(tables.hits() > hits, "{algorithm} {fen}");
            let line = line(&report);
            assert_eq!(report.value, TABLE_WIN, "{algorithm} {fen} {line:?}");
            let promoted = line.iter().find(|m| m.len() == 5);
            assert!(
                promoted.unwrap().ends_with('r'),
                "{algorithm} {fen} {line:?}"
            );
            let without = search(algorithm, fen, &Tables::default());
            assert!(without.value < TABLE_WIN, "{algorithm} {fen}");
        }
    }
}

#[test]
fn the_side_without_the_rook_seeks_the_draw() {
    let tables = tables();
    // Black takes the rook with its king, or the pawn, after which the rook wins.
    let fen = "8/8/8/8/8/1P6/1kR5/7K b - - 0 1";
    for algorithm in Algorithm::ALL {
        let report = search(algorithm, fen, &tables);
        assert_eq!(line(&report)[0], "b2c2", "{algorithm} {report:?}");
    }
}

#[test]
fn only_captures_and_pawn_moves_are_looked_up_and_mate_comes_first() {
    let tables = tables();
    let verdict = |fen| tables.verdict(&position(fen));
    assert_eq!(
        verdict("7k/8/8/8/8/8/8/KR6 w - - 0 1"),
        Some(TablebaseResult::Win)
    );
    assert_eq!(
        verdict("7k/8/8/8/8/8/8/KR6 b - - 0 1"),
        Some(TablebaseResult::Loss)
    );
    assert_eq!(
        verdict("7k/8/8/8/8/8/8/KQ6 w - - 0 1"),
        Some(TablebaseResult::Draw)
    );
    assert_eq!(verdict("7k/8/8/8/8/8/8/KR6 w - - 1 1"), None);
    assert_eq!(verdict("7k/8/8/8/8/8/8/KRR5 w - - 0 1"), None);
    assert_eq!(verdict("k7/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    assert_eq!(verdict("k6R/8/1K6/8/8/8/8/8 b - - 0 1"), None, "mated");
    assert_eq!(tables.hits(), 3);
    assert_eq!(
        Tables::default().verdict(&position("7k/8/8/8/8/8/8/KR6 w - - 0 1")),
        None
    );
}

#[test]
fn a_root_in_the_tables_is_played_by_them() {
    let tables = tables();
    // A win: the one move that makes progress, whatever the clock.
    let won = position("7k/8/8/8/8/8/8/KR6 w - - 9 1");
    let last = won.legal_moves().last().copied();
    let best = vec![last.unwrap()];
    assert_eq!(tables.root_moves(&won), Some((TablebaseResult::Win, best)));
    // A draw: all moves that hold it; promotion to a rook would not, as the promoting side wins.
    let drawn = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    let (verdict, moves) = tables.root_moves(&drawn).unwrap();
    let moves: Vec<String> = moves.iter().map(|&m| notation::to_uci(m, false)).collect();
    assert_eq!(verdict, TablebaseResult::Draw);
    assert!(moves.contains(&"a7a8q".to_owned()) && !moves.contains(&"a7a8r".to_owned()));
    assert_eq!(tables.root_moves(&Position::initial()), None);
}

/// The only moves that draw with any clock give the rook away.
#[test]
fn a_win_that_the_clock_has_spoilt_is_searched() {
    let tables = Tables::new("late", ByRule { is_late: true });
    let late = position("8/8/8/3k4/8/8/8/K3R3 w - - 90 100");
    assert_eq!(tables.root_moves(&late), None);
}

#[test]
fn what_is_no_folder_of_tables_is_refused() {
    let base = std::env::temp_dir().join(format!("cassius-syzygy-{}", std::process::id()));
    let folder = |name: &str| {
        let folder = base.join(name);
        fs::create_dir_all(&folder).unwrap();
        folder.to_str().unwrap().to_owned()
    };
    let (empty, odd, damaged) = (folder("empty"), folder("odd"), folder("damaged"));
    fs::write(base.join("odd/KQvK.rtbw"), "short").unwrap();
    fs::write(base.join("odd/readme.txt"), "not a table").unwrap();
    fs::write(base.join("damaged/KQvK.rtbw"), [0; 80]).unwrap();

    let error = |path: &str| Tables::open(path).unwrap_err().to_string();
    assert!(error(&empty).contains("no Syzygy tables"));
    assert!(error(&odd).contains("no Syzygy tables"));
    assert!(error("/no/such/folder").contains("/no/such/folder"));
    assert_eq!(Tables::open("").unwrap().size(), (0, 0));

    // A table found damaged when read knows nothing; files of an impossible size and a separator too many do no harm.
    let path = std::env::join_paths([&empty, &odd, &damaged, ""]).unwrap();
    let tables = Tables::open(path.to_str().unwrap()).unwrap();
    assert_eq!(tables.size(), (1, 3));
    let queen = position("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    assert_eq!(tables.verdict(&queen), None);
    assert_eq!(tables.root_moves(&queen), None);
    assert_eq!(tables.hits(), 0);
    fs::remove_dir_all(&base).unwrap();
}
