//! Any bytes as recorded games: only legal moves come out, and what is read is written as it was.

#![no_main]

use cassius::game::Game;
use cassius_lab::selfplay::record::read_all;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The games before a flaw are read.
    let _ = read_all(bytes, |game| {
        let mut position = game.start.clone();
        for &(m, _) in &game.moves {
            assert!(position.legal_moves().contains(&m));
            position.play(m);
        }
        let mut written = Vec::new();
        game.write(&mut written).expect("memory");
        let mut again = Vec::new();
        read_all(&written, |it| again.push(it.moves.clone())).expect("what was written is read");
        assert_eq!(again, [game.moves.clone()]);
    });
});
