//! Collections of games, in any encoding.

#![no_main]

use cassius::game::Game;
use cassius::games::chess::pgn;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for game in pgn::Games::new(bytes).flatten() {
        let mut position = game.start;
        for m in game.moves {
            let may_pass = m.is_pass() && !position.in_check();
            assert!(may_pass || position.legal_moves().contains(&m), "an illegal move");
            position.play_recorded(m);
        }
        for error in game.oddities.iter().chain(&game.flaw) {
            assert!(!error.to_string().is_empty());
        }
    }
});
