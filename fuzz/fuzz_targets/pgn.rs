//! Collections of games, in any encoding.

#![no_main]

use cassius::game::Game;
use cassius::games::chess::pgn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for game in pgn::Games::new(bytes).flatten() {
        let mut position = game.start;
        for m in game.moves {
            assert!(position.legal_moves().contains(&m), "an illegal move");
            position.play(m);
        }
        if let Some(flaw) = game.flaw {
            assert!(!flaw.to_string().is_empty());
        }
    }
});
