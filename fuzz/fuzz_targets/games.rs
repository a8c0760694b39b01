//! Any bytes as recorded games: only legal moves come out, and what is read is written as it was.

#![no_main]

use cassius::game::Game;
use cassius_lab::selfplay::record::Games;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut games = Games::new(bytes);
    while let Ok(Some(game)) = games.next_game() {
        let mut position = game.start.clone();
        for &(m, _) in &game.moves {
            assert!(position.legal_moves().contains(&m));
            position.play(m);
        }
        let mut written = Vec::new();
        game.write(&mut written).expect("memory");
        let again = Games::new(written.as_slice()).next_game();
        let again = again.expect("what was written is read").expect("a game");
        assert_eq!(again.moves, game.moves);
    }
});
