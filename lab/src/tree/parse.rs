//! The notation for small trees: `MAX(MIN(5,2),MIN(3,4!))`.
//!
//! A node is `MAX(...)` or `MIN(...)` with its children in the brackets, in capital or small letters; a leaf is a whole
//! number; a number followed by `!` is a terminal. Blanks may stand anywhere between these parts.

use cassius::conspiracy::Kind;
use cassius::conspiracy::definition::Tree;

/// Largest absolute value of a leaf.
pub const MAX_VALUE: i32 = 1_000_000;
/// Most nodes of a tree: larger drawings are unreadable.
pub const MAX_NODES: usize = 200;
/// Greatest depth of a leaf, in plies.
pub const MAX_DEPTH: usize = 30;

/// Forms of a tree or a child, for errors.
const NODE: &str = "MAX(...), MIN(...) or a whole number";

/// Reads a tree. The error names the character, from 1, and what was expected.
pub fn parse(text: &str) -> Result<Tree, String> {
    let mut parser = Parser {
        characters: text.chars().collect(),
        next: 0,
        nodes: 0,
    };
    let tree = parser.node(0)?;
    match parser.peek() {
        None => Ok(tree),
        Some(_) => Err(parser.expected("nothing after the tree")),
    }
}

/// Writes a tree in the notation that [`parse`] reads.
pub fn notation(tree: &Tree) -> String {
    match tree {
        Tree::Leaf(value) => value.to_string(),
        Tree::Terminal(value) => format!("{value}!"),
        Tree::Interior(kind, children) => {
            let children: Vec<String> = children.iter().map(notation).collect();
            format!("{}({})", word(*kind), children.join(","))
        }
    }
}

/// `MAX` or `MIN`.
pub fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Max => "MAX",
        Kind::Min => "MIN",
    }
}

struct Parser {
    characters: Vec<char>,
    next: usize,
    nodes: usize,
}

impl Parser {
    /// The next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        while self.here().is_some_and(char::is_whitespace) {
            self.next += 1;
        }
        self.here()
    }

    fn here(&self) -> Option<char> {
        self.characters.get(self.next).copied()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        self.next += usize::from(there);
        there
    }

    fn node(&mut self, depth: usize) -> Result<Tree, String> {
        let first = self.peek();
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(self.error(&format!("a tree may have at most {MAX_NODES} nodes")));
        }
        if depth > MAX_DEPTH {
            return Err(self.error(&format!("a tree may be at most {MAX_DEPTH} plies deep")));
        }
        match first {
            Some(c) if c.is_alphabetic() => self.interior(depth),
            Some(c) if c.is_ascii_digit() || c == '-' || c == '+' => self.leaf(),
            _ => Err(self.expected(NODE)),
        }
    }

    fn interior(&mut self, depth: usize) -> Result<Tree, String> {
        let start = self.next;
        let name = self.take_while(char::is_alphanumeric);
        let kind = match name.to_ascii_uppercase().as_str() {
            "MAX" => Kind::Max,
            "MIN" => Kind::Min,
            _ => {
                let fault = format!("'{name}' is not a kind of node; write MAX or MIN");
                return Err(at(start, &fault));
            }
        };
        if !self.accept('(') {
            return Err(self.error(&format!("expected '(' after {}", word(kind))));
        }
        let mut children = Vec::new();
        loop {
            children.push(self.node(depth + 1)?);
            if self.accept(')') {
                return Ok(Tree::Interior(kind, children));
            }
            if !self.accept(',') {
                return Err(self.expected("',' or ')'"));
            }
        }
    }

    fn leaf(&mut self) -> Result<Tree, String> {
        let start = self.next;
        let mut digits = String::new();
        if let Some(sign @ ('-' | '+')) = self.here() {
            self.next += 1;
            digits.push(sign);
        }
        digits += &self.take_while(|c| c.is_ascii_digit());
        if !digits.ends_with(|c: char| c.is_ascii_digit()) {
            return Err(at(start, &format!("expected {NODE}, found '{digits}'")));
        }
        let value = digits.parse::<i32>().ok();
        let Some(value) = value.filter(|value| value.abs() <= MAX_VALUE) else {
            let fault = format!("values go from -{MAX_VALUE} to {MAX_VALUE}");
            return Err(at(start, &fault));
        };
        Ok(if self.accept('!') {
            Tree::Terminal(value)
        } else {
            Tree::Leaf(value)
        })
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let rest = self.characters.get(self.next..).unwrap_or_default();
        let taken: String = rest.iter().copied().take_while(|c| wanted(*c)).collect();
        self.next += taken.chars().count();
        taken
    }

    /// The error for another character than expected.
    fn expected(&self, what: &str) -> String {
        let found = self.here().map(|it| format!("'{it}'"));
        let found = found.unwrap_or("the end".to_owned());
        self.error(&format!("expected {what}, found {found}"))
    }

    fn error(&self, fault: &str) -> String {
        at(self.next, fault)
    }
}

fn at(index: usize, fault: &str) -> String {
    format!("at character {}: {fault}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_read_and_written() {
        let tree = Tree::max([
            Tree::min([Tree::Leaf(5), Tree::Terminal(-2)]),
            Tree::Leaf(3),
        ]);
        assert_eq!(parse("MAX(MIN(5,-2!),3)"), Ok(tree.clone()));
        assert_eq!(parse(" max ( Min( +5 , -2 ! ) ,3 ) "), Ok(tree.clone()));
        assert_eq!(notation(&tree), "MAX(MIN(5,-2!),3)");
        assert_eq!(parse("0"), Ok(Tree::Leaf(0)));
    }

    #[test]
    fn faults_are_named_with_their_place() {
        let node = |found| format!("expected MAX(...), MIN(...) or a whole number, found {found}");
        let [end, bracket, sign] = ["the end", "')'", "'-'"].map(node);
        let not_closed = "expected ',' or ')', found the end";
        let unknown = "'MID' is not a kind of node; write MAX or MIN";
        for (text, place, fault) in [
            ("", 1, end.as_str()),
            ("MAX(5,)", 7, &bracket),
            ("MAX()", 5, &bracket),
            ("MAX(5,-)", 7, &sign),
            ("MAX(MIN(5,2),MIN(3,4)", 22, not_closed),
            ("MAX(1.5)", 6, "expected ',' or ')', found '.'"),
            ("MAX(5 2)", 7, "expected ',' or ')', found '2'"),
            ("MAX(MID(1),2)", 5, unknown),
            ("MAX 5", 5, "expected '(' after MAX"),
            ("1,2", 2, "expected nothing after the tree, found ','"),
            ("MIN(1,1000001)", 7, "values go from -1000000 to 1000000"),
            ("99999999999", 1, "values go from -1000000 to 1000000"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(error, format!("at character {place}: {fault}"), "{text}");
        }
    }

    #[test]
    fn large_trees_are_refused_without_harm() {
        let wide = format!("MAX({})", vec!["1"; MAX_NODES].join(","));
        assert!(parse(&wide).unwrap_err().contains("at most 200 nodes"));
        assert!(parse(&wide.replacen("1,", "", 1)).is_ok());
        let deep = "MAX(".repeat(100_000);
        assert!(parse(&deep).unwrap_err().contains("at most 30 plies"));
    }
}
