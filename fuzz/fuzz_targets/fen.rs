//! FENs: what is accepted is a position that is written as it is read, whose moves are written as they are read,
//! and that can be searched.

#![no_main]

use cassius::game::{Game, Root};
use cassius::games::chess::notation::Castling;
use cassius::games::chess::{Position, Quiescence, notation};
use cassius::search::registry::{self, Settings};
use cassius::search::{Limits, Unobserved};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for castling in [Castling::Standard, Castling::Chess960] {
        if let Ok(read) = notation::read_fen(text, castling) {
            check(read.position);
        }
    }
});

fn check(position: Position) {
    let fen = notation::to_fen(&position);
    let again = notation::parse_chess960_fen(&fen).expect("what we write we can read");
    assert_eq!(notation::to_fen(&again), fen);
    assert_eq!(again.key(), position.key());
    let chess960 = notation::is_chess960(&position);
    for m in position.legal_moves() {
        let uci = notation::to_uci(m, chess960);
        assert_eq!(notation::parse_uci(&position, &uci).ok(), Some(m), "{uci}");
        let san = notation::to_san(&position, m);
        assert_eq!(notation::parse_san(&position, &san).ok(), Some(m), "{san}");
        let child = position.after(m);
        assert_eq!(
            notation::parse_chess960_fen(&notation::to_fen(&child))
                .map(|read| read.key())
                .ok(),
            Some(child.key()),
            "{uci}"
        );
    }
    let settings = Settings {
        hash_megabytes: 1,
        ..Settings::default()
    };
    let mut searcher = registry::build(&settings, Quiescence::default());
    searcher.search(&Root::new(position), &Limits::nodes(200), &mut Unobserved);
}
