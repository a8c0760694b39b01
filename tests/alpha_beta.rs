//! Alpha-beta on collections of positions.

use cassius::game::{Game, Root};
use cassius::games::chess::{Evaluation, notation};
use cassius::search::registry::{Algorithm, Settings};
use cassius::search::{Bound, Limits, Unobserved};
use cassius::value::Value;

use crate::common::searcher;

/// Every claimed mate is one, and its line reaches the mate unless the claim took the last nodes.
#[test]
fn claimed_mates_are_mates() {
    let text = include_str!("../epd/wac.epd");
    let (mut claimed, mut shown) = (0, 0);
    for algorithm in [Algorithm::AlphaBeta, Algorithm::AlphaBetaPlain] {
        let mut search = searcher(Settings::of(algorithm, 4), Evaluation::Tactical);
        for line in text.lines() {
            let fen: Vec<&str> = line.split_whitespace().take(4).collect();
            let root = Root::new(notation::parse_fen(&fen.join(" ")).unwrap());
            let report = search.search(&root, &Limits::nodes(20_000), &mut Unobserved);
            let plies = report.value.plies_to_end();
            let Some(plies) = plies.filter(|_| report.bound == Bound::Exact) else {
                continue;
            };
            claimed += 1;
            if report.pv.len() == usize::from(plies) {
                shown += 1;
                let mut game = root;
                for &m in &report.pv {
                    assert!(game.position.legal_moves().contains(&m), "{line}");
                    game.play(m);
                }
                assert_eq!(game.position.outcome(), Some(Value::LOSS), "{line}");
            }
        }
    }
    assert!(claimed > 50, "{claimed}");
    assert!(shown * 100 >= claimed * 97, "{shown} of {claimed}");
}
