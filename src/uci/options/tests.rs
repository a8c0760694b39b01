//! Options take what they declare.

use std::path::PathBuf;

use super::kind::Kind;
use super::*;

/// A value the option can have that is not its default, and one it cannot have.
fn other_and_impossible(option: &UciOption) -> Option<(String, String)> {
    let default = option.value(&EngineSettings::default());
    match &option.kind {
        Kind::Spin { range, .. } => {
            let top = range.1.to_string();
            Some((top, (range.1 + 1).to_string()))
        }
        Kind::Check { .. } => {
            let other = if default == "true" { "False" } else { "True" };
            Some((other.to_owned(), "maybe".to_owned()))
        }
        Kind::Combo { choices, .. } => {
            let other = choices().into_iter().find(|&choice| choice != default);
            let other = other.map_or(default, str::to_uppercase);
            Some((other, "no such choice".to_owned()))
        }
        Kind::Text { .. } if option.name == "SyzygyPath" => {
            Some((folder_with_a_table(), "/no/such/folder".to_owned()))
        }
        Kind::Text { .. } if option.name == "Best-First" => {
            let other = "strategy=higher-cn delta=2";
            Some((other.to_owned(), "strategy=best".to_owned()))
        }
        Kind::Text { .. } => Some(("ply=20 late=7".to_owned(), "late=many".to_owned())),
        Kind::Button(_) | Kind::About(_) => None,
    }
}

/// A folder of this process for a table.
fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("cassius-tables-{}", std::process::id()))
}

/// A folder with a file that has the name and the size of a table.
fn folder_with_a_table() -> String {
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("KQvK.rtbw"), [0; 80]).unwrap();
    folder.to_str().unwrap().to_owned()
}

#[test]
fn every_option_takes_what_it_declares_and_nothing_else() {
    for option in OPTIONS {
        let mut settings = EngineSettings::default();
        let name = option.name.to_uppercase();
        let Some((other, impossible)) = other_and_impossible(option) else {
            let is_button = matches!(option.kind, Kind::Button(_));
            assert_eq!(
                set(&mut settings, &name, None).unwrap().is_some(),
                is_button
            );
            assert_eq!(settings, EngineSettings::default());
            continue;
        };
        assert_eq!(set(&mut settings, &name, Some(&other)), Ok(None));
        assert!(option.value(&settings).eq_ignore_ascii_case(&other));
        let before = settings.clone();
        let mut bads = vec![Some(impossible.as_str()), Some("1 2")];
        // No tables at all is a choice.
        if option.name != "SyzygyPath" {
            bads.extend([Some(""), None]);
        }
        for bad in bads {
            let error = set(&mut settings, &name, bad).unwrap_err().to_string();
            assert!(error.contains(option.name), "{error}");
            assert!(error.contains(&option.value(&before)), "{error}");
            assert_eq!(settings, before, "{name} {bad:?}");
        }
    }
    std::fs::remove_dir_all(folder()).unwrap();
}

#[test]
fn defaults_lie_in_the_ranges_they_are_declared_with() {
    for option in OPTIONS {
        let mut settings = EngineSettings::default();
        let value = option.value(&settings);
        assert!(
            option.set(&mut settings, &value).is_ok(),
            "{}",
            option.declaration()
        );
        assert_eq!(settings, EngineSettings::default());
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let mut settings = EngineSettings::default();
    let error = set(&mut settings, "Hsah", Some("3")).unwrap_err();
    assert!(error.to_string().contains("Hsah") && error.to_string().contains("Move Overhead"));
}

#[test]
fn options_are_declared_in_the_protocols_words() {
    let lines: Vec<String> = OPTIONS.iter().map(UciOption::declaration).collect();
    assert!(lines.contains(&"option name Hash type spin default 64 min 1 max 65536".to_owned()));
    assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
    assert!(lines.contains(&"option name UCI_Chess960 type check default false".to_owned()));
}

/// GUIs show a field for each: no search takes more than one for its fine points.
#[test]
fn each_search_has_one_option_for_its_settings() {
    assert!(OPTIONS.len() <= 20, "{}", OPTIONS.len());
    let mut settings = EngineSettings::default();
    let mut error = |name, text| {
        set(&mut settings, name, Some(text))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error("Best-First", "delta=40"),
        "option Best-First: delta must be a whole number from 0 to 30, not '40'; it stays default"
    );
    let unknown = error("Depth-First", "ltae=3");
    assert!(unknown.contains("'ltae'") && unknown.contains("the constants are leaf, "));
}
