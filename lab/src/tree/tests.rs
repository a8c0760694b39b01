//! The drawings compared with published tables and with the definition.

use proptest::prelude::*;

use super::diagram::Diagram;
use super::parse::{notation, parse};
use super::text::{draw, row, table};
use super::*;
use cassius::conspiracy::Kind;

const SAMPLE: &str = "MAX(MIN(5,2),MIN(3,4))";

/// The numbers of a node, by its name.
fn numbers(tree: &str, node: &str) -> String {
    let tree = parse(tree).unwrap();
    let diagram = Diagram::new(&tree, None).unwrap();
    let index = (0..diagram.nodes().len()).find(|index| diagram::name(*index) == node);
    row(&diagram.numbers(&diagram.nodes()[index.unwrap()]))
}

#[test]
fn the_reference_tables_come_out() {
    assert_eq!(numbers(SAMPLE, "A"), "<=1:2, 2:1, 3:0, 4..5:1, >=6:2");
    assert_eq!(numbers(SAMPLE, "B"), "<=1:1, 2:0, 3..5:1, >=6:2");
    assert_eq!(numbers(SAMPLE, "C"), "<=2:1, 3:0, 4:1, >=5:2");
    assert_eq!(numbers(SAMPLE, "D"), "<=4:1, 5:0, >=6:1");
}

/// Of the encyclopedia of conspiracy numbers one page has these rows by names, the other by paths (B is 1.1, E 1.1.2).
#[test]
fn the_encyclopedia_s_conspirators_come_out() {
    let tree = parse(SAMPLE).unwrap();
    let diagram = Diagram::new(&tree, None).unwrap();
    let a = "       A  CN  conspirators
     <=1   2  (D or E) and (F or G)
       2   1  F or G
       3   0  none
       4   1  E or F
       5   1  E
     >=6   2  (D and E) or (F and G)
";
    assert_eq!(table(&diagram, 0), a);
    let b = "       B  CN  conspirators
     <=1   1  D or E
       2   0  none
    3..5   1  E
     >=6   2  D and E
";
    assert_eq!(table(&diagram, 1), b);
    let c = "       C  CN  conspirators
     <=2   1  F or G
       3   0  none
       4   1  F
     >=5   2  F and G
";
    assert_eq!(table(&diagram, 2), c);
}

#[test]
fn the_whole_drawing() {
    let tree = parse("MAX(MIN(1!,2),0)").unwrap();
    let diagram = Diagram::new(&tree, Some((0, 3))).unwrap();
    let expected = "\
A MAX 1      0:1, 1:0, 2..3:1
├─ B MIN 1   0:1, 1:0, 2..3:∞
│  ├─ D 1!   0:∞, 1:0, 2..3:∞
│  └─ E 2    0..1:1, 2:0, 3:1
└─ C 0 *     0:0, 1..3:1

       A  CN  conspirators
       0   1  E
       1   0  none
    2..3   1  C

       B  CN  conspirators
       0   1  E
       1   0  none
    2..3   ∞  nobody can

A smallest set of conspirators to make the root 3: C

Conspiracy threshold 2: likely range 0..3
";
    assert_eq!(draw(&diagram, Some(3), Some(Count::new(2))), expected);
}

#[test]
fn likely_ranges_are_open_where_values_have_no_bounds() {
    let tree = parse(SAMPLE).unwrap();
    let diagram = Diagram::new(&tree, None).unwrap();
    let range = |threshold| diagram.likely_range(Count::new(threshold)).to_string();
    assert_eq!(range(1), "3");
    assert_eq!(range(2), "2..5");
    assert_eq!(range(3), "any");
}

/// Thesis, section 2.7: all leaves 0, values from -3 to 3, threshold 2.
#[test]
fn section_2_7_comes_out() {
    for (tree, range, numbers) in [
        ("0", "-3..3", "-3..-1:1, 0:0, 1..3:1"),
        ("MAX(0,0)", "0..3", "-3..-1:2, 0:0, 1..3:1"),
        ("MAX(MIN(0,0),0)", "0..3", "-3..-1:2, 0:0, 1..3:1"),
        ("MAX(MIN(0,0),MIN(0,0))", "0", "-3..-1:2, 0:0, 1..3:2"),
    ] {
        let tree = parse(tree).unwrap();
        let diagram = Diagram::new(&tree, Some((-3, 3))).unwrap();
        assert_eq!(diagram.likely_range(Count::new(2)).to_string(), range);
        assert_eq!(row(&diagram.numbers(diagram.root())), numbers);
    }
}

#[test]
fn pictures_hold_what_was_asked_for() {
    let tree = parse(SAMPLE).unwrap();
    let diagram = Diagram::new(&tree, None).unwrap();
    let plain = svg::draw(&diagram, None, None);
    assert!(plain.starts_with("<svg ") && plain.ends_with("</svg>\n"));
    assert!(plain.contains("<title>MAX(MIN(5,2),MIN(3,4))</title>"));
    assert_eq!(plain.matches("<circle").count(), 2, "two MIN nodes");
    assert_eq!(plain.matches("stroke-width=\"3\"").count(), 0);
    let marked = svg::draw(&diagram, Some(6), Some(Count::new(2)));
    assert_eq!(marked.matches("stroke-width=\"3\"").count(), 2, "D and E");
    let likely = marked.matches("#cfe3f7").count();
    assert_eq!(likely, 3, "2, 3 and 4..5 are likely");
}

#[test]
fn values_outside_the_range_are_refused() {
    let request = |target| Request {
        tree: parse("MAX(4,-1)").unwrap(),
        range: Some((0, 3)),
        target,
        threshold: None,
        svg: None,
        overwrite: OverwriteArgs { overwrite: false },
    };
    let refused = |target| {
        let drawn = super::draw(&request(target), &mut Vec::new());
        drawn.unwrap_err().to_string()
    };
    assert_eq!(refused(None), "the value -1 is not in the range 0..3");
    assert_eq!(refused(Some(9)), "the value 9 is not in the range 0..3");
}

#[test]
fn ranges_are_read() {
    assert_eq!(parse_range("-3..3"), Ok((-3, 3)));
    for wrong in ["3", "3..-3", "a..b", "..", "0..1000001"] {
        assert!(parse_range(wrong).is_err(), "{wrong}");
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let ends = prop_oneof![
        4 => (-9..=9).prop_map(Tree::Leaf),
        1 => (-9..=9).prop_map(Tree::Terminal)
    ];
    ends.prop_recursive(4, 40, 4, |inner| {
        (any::<bool>(), prop::collection::vec(inner, 1..4)).prop_map(|(max, children)| {
            Tree::Interior(if max { Kind::Max } else { Kind::Min }, children)
        })
    })
}

/// The tree with these leaves of the diagram changed to `target`.
fn changed(diagram: &Diagram<'_>, index: usize, leaves: &[usize], target: i32) -> Tree {
    let node = &diagram.nodes()[index];
    match node.kind() {
        None if leaves.contains(&index) => Tree::Leaf(target),
        None => node.tree.clone(),
        Some(kind) => Tree::Interior(
            kind,
            node.children
                .clone()
                .map(|child| changed(diagram, child, leaves, target))
                .collect(),
        ),
    }
}

proptest! {
    #[test]
    fn notation_is_read_back(tree in trees()) {
        prop_assert_eq!(parse(&notation(&tree)), Ok(tree));
    }

    #[test]
    fn spans_hold_every_number(tree in trees()) {
        let diagram = Diagram::new(&tree, Some((-12, 12))).unwrap();
        for node in diagram.nodes() {
            let mut next = -12;
            for span in diagram.numbers(node) {
                prop_assert_eq!(span.values.low, Some(next));
                for target in next..=span.values.high.unwrap() {
                    prop_assert_eq!(node.tree.conspiracy_number(target), span.what);
                }
                next = span.values.high.unwrap() + 1;
            }
            prop_assert_eq!(next, 13);
        }
    }

    #[test]
    fn likely_ranges_are_those_of_the_definition(tree in trees(), threshold in 1u32..6) {
        let diagram = Diagram::new(&tree, Some((-12, 12))).unwrap();
        let threshold = Count::new(threshold);
        let range = diagram.likely_range(threshold);
        let defined = tree.likely_range(-12, 12, threshold);
        prop_assert_eq!(range.low, Some(i32::from(defined.min) - 12));
        prop_assert_eq!(range.high, Some(i32::from(defined.max) - 12));
    }

    /// Conspirators are as many as the number, and suffice.
    #[test]
    fn conspirators_conspire(tree in trees(), target in -10..=10) {
        let diagram = Diagram::new(&tree, None).unwrap();
        let number = tree.conspiracy_number(target);
        let conspirators = diagram.conspirators(0, target);
        if let Some(number) = number.get() {
            let leaves = conspirators.leftmost();
            prop_assert_eq!(leaves.len(), number as usize);
            prop_assert_eq!(changed(&diagram, 0, &leaves, target).value(), target);
        } else {
            prop_assert_eq!(conspirators, diagram::Conspirators::Impossible);
        }
    }
}
