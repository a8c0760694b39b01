use super::*;
use crate::random::Random;

/// The tests' data at a node: a hash of its line.
fn hash(line: &[u32]) -> u64 {
    let step = |hash: u64, &m: &u32| (hash ^ u64::from(m)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    line.iter().fold(7, step)
}

/// Checks the data of a node and its subtree against the line that leads there; returns the number of nodes.
fn check(tree: &Arena<u32, u64>, records: &Records<u64>, id: NodeId, line: &mut Vec<u32>) -> usize {
    let node = tree.node(id);
    assert_eq!(node.data, hash(line), "{id:?}");
    if let Some(place) = node.record() {
        assert_eq!(*records.get(place), hash(line), "{id:?}");
    }
    let mut nodes = 1;
    for (number, child) in tree.child_ids(id).enumerate() {
        assert!(child > id);
        assert_eq!(child, tree.child(node, number));
        assert_eq!(tree.node(child).m, number as u32);
        line.push(number as u32);
        nodes += check(tree, records, child, line);
        line.pop();
    }
    nodes
}

#[test]
fn a_tree_that_is_thinned_out_stays_a_tree() {
    let mut random = Random::new(5);
    let mut tree = Arena::new(0, Records::<u64>::BYTES);
    let mut records = Records::default();
    tree.plant(Node::new(0, hash(&[])));
    let mut reclaimed = 0;
    for _ in 0..30_000 {
        if !tree.has_room() {
            let moved = tree.reclaim();
            records.go_along(&moved);
            assert!(tree.has_room() && tree.fullness() < 700);
            reclaimed += 1;
        }
        let (mut id, mut line) = (NodeId::ROOT, Vec::new());
        while !tree.has_no_children(id) {
            tree.visit(id, None);
            let children = tree.children(tree.node(id));
            let number = random.below(children.len().min(4));
            line.push(number as u32);
            id = tree.child(tree.node(id), number);
        }
        let children = (0..1 + random.below(30) as u32).map(|m| {
            let line = [line.as_slice(), &[m]].concat();
            Node::new(m, hash(&line))
        });
        let children: Vec<Node<u32, u64>> = children.collect();
        let place = tree.expand(id, &children).unwrap();
        records.begin(place, hash(&line));
        assert!(tree.fullness() <= 1000);
    }
    assert!(reclaimed > 5, "{reclaimed}");
    assert!(!tree.has_no_children(NodeId::ROOT));
    assert_eq!(
        check(&tree, &records, NodeId::ROOT, &mut Vec::new()),
        tree.len()
    );
    assert_eq!(tree.nodes().count(), tree.len());
    assert!(tree.nodes().map(|(id, _)| id).is_sorted());
}
