//! Small trees as they are written.

use super::record::TreeRecord;
use super::{growing, page};
use crate::engine::kept_tree;
use crate::game::Root;
use crate::games::chess::notation;
use crate::search::{Limits, Unobserved};
use crate::web::tests::assert_is_whole;

const PROBLEM: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
const MATE: &str = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";

fn record(fen: &str, search: &str, nodes: u64) -> TreeRecord {
    let root = Root::new(notation::parse_fen(fen).unwrap());
    let settings = growing::settings(&search.parse().unwrap(), 4);
    let limits = Limits::nodes(nodes);
    let kept = kept_tree::search(&settings, &root, &limits, &mut Unobserved);
    TreeRecord::new(&root.position, &kept.unwrap(), None)
}

#[test]
fn a_proof_is_kept() {
    let record = self::record(MATE, "proof-number-tree", 1_000);
    assert_eq!(record.numbers, "proof");
    assert_eq!((record.tree.up[0], record.tree.down[0]), (Some(0), None));
    let uci = &record.tree.uci;
    let at = uci.iter().position(|uci| uci == "e1e8").unwrap();
    assert_eq!(record.tree.san[at], "Re8#");
    assert_eq!(record.tree.up[at], Some(0));
    // The defender to move gets the attacker's tree.
    let fen = "6k1/3R4/6K1/8/8/8/8/8 b - - 0 1";
    let record = self::record(fen, "proof-number-tree", 2_000);
    assert_eq!(record.tree.up[0], Some(0));
}

#[test]
fn pages_hold_every_node() {
    let record = record(PROBLEM, "best-first", 500);
    let page = page::render(&record);
    assert_is_whole(&page);
    assert!(page.contains("\"numbers\":\"conspiracy\""));
}
