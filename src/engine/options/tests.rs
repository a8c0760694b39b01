//! Options accept the values they declare: tests for this table and the protocol's.

use std::fmt::Debug;
use std::path::PathBuf;

use super::*;

/// A valid value that is not the default, and an invalid one.
fn other_and_impossible<S: Clone + Default>(option: &EngineOption<S>) -> (String, String) {
    let default = option.value(&S::default());
    match &option.kind {
        OptionKind::Spin { range, .. } => (range.1.to_string(), (range.1 + 1).to_string()),
        OptionKind::Check(_) => {
            let other = if default == "true" { "False" } else { "True" };
            (other.to_owned(), "maybe".to_owned())
        }
        OptionKind::Combo { choices, .. } => {
            let other = choices().into_iter().find(|&choice| choice != default);
            let other = other.map_or(default, str::to_uppercase);
            (other, "no such choice".to_owned())
        }
        OptionKind::Text { .. } if option.name == "SyzygyPath" => {
            (folder_with_a_table(), "/no/such/folder".to_owned())
        }
        OptionKind::Text { .. } if option.name == "EvalFile" => {
            ("networks/default.net".to_owned(), "/no/such.net".to_owned())
        }
        OptionKind::Text { .. } if option.name == "Best-First" => {
            let other = "strategy=higher-cn delta=2";
            (other.to_owned(), "strategy=best".to_owned())
        }
        OptionKind::Text { .. } if option.name == "Alpha-Beta" => (
            "null_move.reduction=3 correction=8".to_owned(),
            "null_move.reduction=0".to_owned(),
        ),
        OptionKind::Text { .. } => ("ply=20 late=9".to_owned(), "late=many".to_owned()),
    }
}

/// A folder for tables, one for each process.
fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("cassius-tables-{}", std::process::id()))
}

/// A folder with a file of a table's name and size.
fn folder_with_a_table() -> String {
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("KQvK.rtbw"), [0; 80]).unwrap();
    folder.to_str().unwrap().to_owned()
}

/// Every option accepts the declared values and no others, and its default.
pub(crate) fn takes_what_it_declares<S>(options: &'static [EngineOption<S>])
where
    S: Clone + Debug + Default + PartialEq,
{
    for option in options {
        let mut settings = S::default();
        let value = option.value(&settings);
        assert!(option.set(&mut settings, &value).is_ok(), "{}", option.name);
        assert_eq!(settings, S::default());
        let name = option.name.to_uppercase();
        let (other, impossible) = other_and_impossible(option);
        assert_eq!(set(options, &mut settings, &name, &other), Ok(()));
        assert!(option.value(&settings).eq_ignore_ascii_case(&other));
        let before = settings.clone();
        let mut bads = vec![impossible.as_str(), "1 2"];
        // Valid even if empty: no tables, and the built-in network.
        if !["SyzygyPath", "EvalFile"].contains(&option.name) {
            bads.push("");
        }
        for bad in bads {
            let error = set(options, &mut settings, &name, bad).unwrap_err();
            assert!(error.contains(option.name), "{error}");
            assert!(error.contains(&option.value(&before)), "{error}");
            assert_eq!(settings, before, "{name} {bad:?}");
        }
    }
}

#[test]
fn every_option_takes_what_it_declares_and_nothing_else() {
    takes_what_it_declares(OPTIONS);
    std::fs::remove_dir_all(folder()).unwrap();
}

/// Clients tell an option's fields apart by these words, some of them even within a value.
#[test]
fn no_choice_holds_a_word_of_the_protocol() {
    let words = ["name", "type", "default", "min", "max", "var"];
    for option in OPTIONS {
        let OptionKind::Combo { choices, .. } = &option.kind else {
            continue;
        };
        for choice in choices() {
            let mut parts = choice.split(|c: char| !c.is_alphanumeric());
            assert!(!parts.any(|part| words.contains(&part)), "{choice}");
        }
    }
}
