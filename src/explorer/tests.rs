//! Small trees as they are written.

use anyhow::Result;

use super::record::TreeRecord;
use super::{growing, page};
use crate::engine::analyst::{Analyst, Sureness};
use crate::engine::kept_tree::{self, KeptTree};
use crate::engine::settings::EngineSettings;
use crate::game::Root;
use crate::games::chess::{Position, notation};
use crate::search::{Limits, Unobserved};
use crate::web::tests::assert_is_whole;

const PROBLEM: &str = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - 0 1";
const MATE: &str = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";

fn settings(search: &str) -> EngineSettings {
    growing::settings(&search.parse().unwrap(), 4)
}

fn grown(fen: &str, search: &str, nodes: u64) -> (Root<Position>, Result<KeptTree>) {
    let root = Root::new(notation::parse_fen(fen).unwrap());
    let limits = Limits::nodes(nodes);
    let kept = kept_tree::search(&settings(search), &root, &limits, &mut Unobserved);
    (root, kept)
}

fn record(fen: &str, search: &str, nodes: u64) -> TreeRecord {
    let (root, kept) = grown(fen, search, nodes);
    TreeRecord::new(&root.position, &kept.unwrap(), None)
}

#[test]
fn a_tree_says_what_the_profile_says() {
    let (root, kept) = grown(PROBLEM, "best-first", 5_000);
    let kept = kept.unwrap();
    let mut analyst = Analyst::new(&settings("best-first")).unwrap();
    let profile = analyst.profile(&root, &Limits::nodes(5_000), &mut Unobserved);
    let profile = profile.unwrap();
    let Sureness::Counted(counted) = &profile.sureness else {
        panic!("counted");
    };
    let record = TreeRecord::new(&root.position, &kept, None);
    let tree = &record.tree;
    assert_eq!(record.size as u64, profile.tree_size.unwrap());
    assert_eq!((tree.up[0], tree.down[0]), (counted.above, counted.below));
    assert_eq!(tree.raisers.len(), counted.above.unwrap() as usize);
    assert_eq!(tree.lowerers.len(), counted.below.unwrap() as usize);
    assert_eq!(tree.children.iter().sum::<usize>() + 1, record.size);
    assert_eq!(tree.state.len(), record.size);
    assert!(!tree.is_cut);
    let short = TreeRecord::new(&root.position, &kept, Some(2));
    let shown = short.tree.children.len();
    assert!(short.tree.is_cut && shown < record.size && short.size == record.size);
    assert_eq!(short.tree.children.iter().sum::<usize>() + 1, shown);
    assert_eq!(short.tree.up, tree.up[..shown]);
    assert_eq!(short.tree.san, tree.san[..shown]);
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
fn a_game_that_is_over_has_no_tree() {
    for search in ["best-first", "proof-number-tree"] {
        let (_, kept) = grown("7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", search, 100);
        let error = kept.unwrap_err().to_string();
        assert!(error.contains("the game is over here"), "{error}");
    }
}

#[test]
fn pages_hold_every_node() {
    let record = record(PROBLEM, "best-first", 500);
    let page = page::render(&record);
    assert_is_whole(&page);
    assert!(page.contains("\"numbers\":\"conspiracy\""));
}
