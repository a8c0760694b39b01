//! What `scripts/wasm` runs natively and as WebAssembly: both must tell the same numbers.

use std::error::Error;

use cassius::analysis::Analysis;
use cassius::engine::limit::Limit;
use cassius::explorer::growing;
use cassius::game_report::from_text::{self as games, Request};
use cassius::puzzles::finding::Terms;
use cassius::puzzles::from_text as puzzles;

const POSITION: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
const GAME: &[u8] =
    b"[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";

/// Positions that searches of one visit; 0 if a search fails.
#[no_mangle]
pub extern "C" fn nodes() -> u32 {
    let search = |name| Analysis::of(POSITION)?.search(name)?.nodes(20_000).run();
    let nodes = |name| search(name).map_or(0, |verdict| verdict.profile.nodes as u32);
    nodes("depth-first") + nodes("best-first")
}

/// A checksum (FNV-1a) of all texts that are made of a game and of a position; 0 if there are none.
#[no_mangle]
pub extern "C" fn checksum() -> u32 {
    let fold = |sum: u32, byte: u8| (sum ^ u32::from(byte)).wrapping_mul(16_777_619);
    texts().map_or(0, |texts| texts.concat().into_iter().fold(2_166_136_261, fold))
}

fn texts() -> Result<[Vec<u8>; 5], Box<dyn Error>> {
    let limit = Limit { nodes: Some(1_000), ..Limit::default() };
    let search = "best-first".parse()?;
    let request = Request { hash_megabytes: 1, ..Request::new("a game", search, limit) };
    let record = games::analyze(GAME, &request)?;
    let terms = Terms { nodes: 2_000, gap: 0.1, hash_megabytes: 1 };
    let found = puzzles::find(GAME, "a game", &terms)?;
    let tree = growing::page(POSITION, &"best-first".parse()?, 1, limit)?;
    Ok([
        games::page(&record).into(),
        games::annotated(GAME, &record)?,
        found.epd().into(),
        found.page().into(),
        tree.into(),
    ])
}

fn main() {
    println!("{} {}", nodes(), checksum());
}
