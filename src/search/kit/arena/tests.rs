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

/// Expands a leaf below the root, whose line from the first root is `first`.
fn grow(
    tree: &mut Arena<u32, u64>,
    records: &mut Records<u64>,
    random: &mut Random,
    first: &[u32],
) {
    let (mut id, mut line) = (NodeId::ROOT, first.to_vec());
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

/// A poll that stops the work at the given call.
fn until(most: usize) -> impl FnMut() -> bool {
    let mut asked = 0;
    move || {
        asked += 1;
        asked < most
    }
}

#[test]
fn a_tree_that_is_thinned_out_stays_a_tree() {
    let mut random = Random::new(5);
    let mut tree = Arena::new(0, Records::<u64>::BYTES);
    let mut records = Records::default();
    tree.plant(Node::new(0, hash(&[])));
    let (mut reclaimed, mut broken_off) = (0, 0);
    for _ in 0..30_000 {
        if !tree.has_room() {
            // Stopped work leaves a valid tree.
            let moved = tree.reclaim(&mut until(1 + reclaimed % 8));
            records.go_along(&moved);
            broken_off += usize::from(!tree.has_room());
            let left = check(&tree, &records, NodeId::ROOT, &mut Vec::new());
            assert_eq!(left, tree.len());
            let moved = tree.reclaim(&mut || true);
            records.go_along(&moved);
            assert!(tree.has_room() && tree.fullness() < 700);
            reclaimed += 1;
        }
        grow(&mut tree, &mut records, &mut random, &[]);
    }
    assert!(
        reclaimed > 5 && broken_off > 2,
        "{broken_off} of {reclaimed}"
    );
    assert!(!tree.has_no_children(NodeId::ROOT));
    assert_eq!(
        check(&tree, &records, NodeId::ROOT, &mut Vec::new()),
        tree.len()
    );
    assert_eq!(tree.nodes().count(), tree.len());
    assert!(tree.nodes().map(|(id, _)| id).is_sorted());
}

#[test]
fn a_branch_that_is_kept_stays_a_tree_if_cutting_the_rest_is_broken_off() {
    for most in [1, 2, 3, 4, 5, usize::MAX] {
        let mut random = Random::new(7);
        let mut tree = Arena::new(0, Records::<u64>::BYTES);
        let mut records = Records::default();
        tree.plant(Node::new(0, hash(&[])));
        let mut first = Vec::new();
        for turn in 0..30 {
            for _ in 0..1_500 {
                if !tree.has_room() {
                    let moved = tree.reclaim(&mut || true);
                    records.go_along(&moved);
                    let left = check(&tree, &records, NodeId::ROOT, &mut first);
                    assert_eq!(left, tree.len(), "{most} {turn}");
                }
                grow(&mut tree, &mut records, &mut random, &first);
            }
            let children = tree.child_ids(NodeId::ROOT).enumerate();
            let mut grown = children.filter(|&(_, id)| !tree.has_no_children(id));
            let Some((number, id)) = grown.next() else {
                break;
            };
            first.push(number as u32);
            let before = check(&tree, &records, id, &mut first);
            let (moved, height) = tree.make_root(id, &mut until(most));
            records.go_along(&moved);
            let left = check(&tree, &records, NodeId::ROOT, &mut first);
            assert_eq!(left, before, "{most} {turn}");
            assert!(height.is_none() || tree.len() == left);
        }
        assert!(first.len() > 3);
    }
}
