//! Compares the library's public items with `public.txt`: those that are promised, and those that the laboratory, the
//! package for browsers, the fuzz targets and these tests also need.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const LIST: &str = include_str!("public.txt");
/// Heading of the items that are not promised.
const BESIDES: &str = "# Not promised: for the program, the laboratory, the package for browsers, the fuzz targets and the tests.";

/// The source of a module: `src/a/b.rs` or `src/a/b/mod.rs`.
fn source(module: &[String]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let path = module.iter().fold(folder.clone(), |path, it| path.join(it));
    let files = match module {
        [] => vec![folder.join("lib.rs")],
        _ => vec![path.with_extension("rs"), path.join("mod.rs")],
    };
    let texts = files.iter().find_map(|file| fs::read_to_string(file).ok());
    texts.unwrap_or_else(|| panic!("no file has the module {module:?}"))
}

/// The names exported by a `pub use`: the last one of each path, or its new name.
fn reexported(paths: &str) -> Vec<String> {
    let names = paths.split([',', '{', '}']).map(|path| {
        let last = path.rsplit("::").next().unwrap_or_default().trim();
        last.rsplit(' ').next().unwrap_or_default().to_owned()
    });
    names.filter(|it| !it.is_empty() && it != "self").collect()
}

/// Adds the public items of a module and its submodules: `engine::limit Limit`. Items begin at the left margin.
fn add_shown(module: &[String], shown: &mut BTreeSet<String>) {
    const KINDS: [&str; 8] = [
        "fn ",
        "const fn ",
        "struct ",
        "enum ",
        "trait ",
        "type ",
        "const ",
        "static ",
    ];
    let text = source(module);
    let path = module.join("::");
    for (at, _) in text.match_indices("\npub ") {
        let item = &text[at + "\npub ".len()..];
        let word = |rest: &str| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            rest[..end.unwrap_or(rest.len())].to_owned()
        };
        if let Some(rest) = item.strip_prefix("mod ") {
            add_shown(&[module, &[word(rest)]].concat(), shown);
        } else if let Some(rest) = item.strip_prefix("use ") {
            let (paths, _) = rest.split_once(';').expect("an end");
            shown.extend(reexported(paths).iter().map(|it| format!("{path} {it}")));
        } else {
            // The longest prefix that fits: `const fn` is no constant.
            let kinds = KINDS.iter().filter(|it| item.starts_with(*it));
            let kind = kinds.max_by_key(|it| it.len());
            let kind = kind.unwrap_or_else(|| panic!("{path}: {item:.40}"));
            shown.insert(format!("{path} {}", word(&item[kind.len()..])));
        }
    }
}

/// The entries of a part of the list, one for each item: `engine::limit Limit`.
fn listed(part: &str) -> BTreeSet<String> {
    let is_entry = |line: &&str| !line.starts_with('#') && !line.is_empty();
    let lines = part.lines().filter(is_entry);
    let entries = lines.flat_map(|line| {
        let (path, items) = line.split_once(": ").expect("a module and its items");
        items.split(' ').map(move |it| format!("{path} {it}"))
    });
    entries.collect()
}

#[test]
fn nothing_is_public_that_is_not_listed() {
    let mut shown = BTreeSet::new();
    add_shown(&[], &mut shown);
    let listed = listed(LIST);
    let unlisted: Vec<_> = shown.difference(&listed).collect();
    let missing: Vec<_> = listed.difference(&shown).collect();
    assert!(
        unlisted.is_empty() && missing.is_empty(),
        "public, and not in tests/architecture/public.txt: {unlisted:#?}\nthere, and not public: {missing:#?}"
    );
}

/// Documentation shows what is promised. `games`, and the modules below `search`, have both.
#[test]
fn what_is_not_promised_is_hidden() {
    let (promised, besides) = LIST.split_once(BESIDES).expect("two parts");
    let rooms = |part| -> BTreeSet<String> {
        let paths = listed(part).into_iter();
        let rooms = paths.map(|it| it.split([':', ' ']).next().unwrap_or_default().to_owned());
        rooms.collect()
    };
    let (promised, besides) = (rooms(promised), rooms(besides));
    let library = source(&[]);
    for room in promised.union(&besides) {
        let declared = format!("\npub mod {room};");
        let (before, _) = library.split_once(&declared).expect("a module");
        let is_hidden = before.lines().next_back() == Some("#[doc(hidden)]");
        assert_eq!(is_hidden, !promised.contains(room), "{room}");
    }
}

#[test]
fn names_are_found_in_every_form() {
    assert_eq!(reexported("a::{B, c::D as E}"), ["B", "E"]);
    assert_eq!(reexported("a::b::C"), ["C"]);
    assert_eq!(reexported("a::{\n    self, B,\n}"), ["B"]);
}
