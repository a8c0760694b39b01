//! Any bytes as a network: refused with a reason, or a network that gives values. Most of a file is weights, so
//! what is given here stands for its beginning and its end.

#![no_main]

use std::sync::Arc;

use cassius::games::chess::Position;
use cassius::games::chess::network::{Learnt, Network};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = Network::from_bytes(bytes);
    let mut file = Network::embedded().to_bytes();
    let half = bytes.len() / 2;
    if bytes.len() <= file.len() {
        // The signature stays.
        let begin = 8.min(file.len() - half);
        file[begin..begin + half].copy_from_slice(&bytes[..half]);
        let end = file.len() - (bytes.len() - half);
        file[end..].copy_from_slice(&bytes[half..]);
    }
    if let Ok(network) = Network::from_bytes(&file) {
        let mut evaluation = Learnt::new(Arc::new(network));
        let _ = evaluation.value(&Position::initial());
        let _ = evaluation.width(&Position::initial());
    }
});
