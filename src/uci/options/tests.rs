//! Options accept the values they declare.

use super::*;
use crate::engine::options::tests::takes_what_it_declares;

#[test]
fn the_protocols_options_take_what_they_declare_and_nothing_else() {
    takes_what_it_declares(OPTIONS);
}

#[test]
fn every_option_is_found_by_its_name_and_names_are_unique() {
    for (index, option) in all().iter().enumerate() {
        let mut settings = UciSettings::default();
        let name = option.name.to_uppercase();
        let pressed = set(&mut settings, &name, Some(&option.default)).unwrap();
        assert_eq!(pressed, option.kind == "button");
        assert_eq!(settings, UciSettings::default());
        let same = |other: &OptionText| other.name.eq_ignore_ascii_case(&name);
        assert_eq!(all().iter().position(same), Some(index), "{name}");
    }
    let mut settings = UciSettings::default();
    assert_eq!(set(&mut settings, "hash", Some("7")), Ok(false));
    assert_eq!(settings.engine.search.hash_megabytes, 7);
    assert!(set(&mut settings, "Hash", None).is_err());
}

#[test]
fn guis_are_told_of_no_more_than_they_can_show() {
    let names: Vec<&str> = declared().map(|option| option.name).collect();
    assert!(
        names.len() <= 18,
        "GUIs show 18 options at most: list one in FOR_EXPERIMENTS, or remove one: {names:?}"
    );
    let shown = ["Hash", "Search", "Best-First"];
    assert!(shown.iter().all(|it| names.contains(it)));
    for name in engine::FOR_EXPERIMENTS {
        assert!(!names.contains(&name), "{name}");
        assert!(all().iter().any(|option| option.name == name), "{name}");
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let mut settings = UciSettings::default();
    let error = set(&mut settings, "Hsah", Some("3")).unwrap_err();
    for part in ["Hsah", "Hash", "Move Overhead", "Clear Hash"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn options_are_declared_in_the_protocols_words() {
    let lines: Vec<String> = all().iter().map(OptionText::declaration).collect();
    assert!(lines.contains(&"option name Hash type spin default 64 min 1 max 65536".to_owned()));
    assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
    assert!(lines.contains(&"option name UCI_Chess960 type check default false".to_owned()));
    let version = crate::version::WITH_NETWORK;
    let about = format!("option name UCI_EngineAbout type string default Cassius {version} ");
    assert!(lines.iter().any(|line| line.starts_with(&about)), "{about}");
}

/// GUIs show a field for each option: every search has one for all its settings.
#[test]
fn each_search_has_one_option_for_its_settings() {
    let count = all().len();
    assert!(
        count <= 23,
        "{count} options: what belongs to one search goes into its settings"
    );
    let mut settings = UciSettings::default();
    let mut error = |name, text| set(&mut settings, name, Some(text)).unwrap_err();
    assert_eq!(
        error("Best-First", "delta=40"),
        "option Best-First: delta must be a whole number from 0 to 30, not '40'; it stays default"
    );
    let unknown = error("Depth-First", "ltae=3");
    assert!(unknown.contains("'ltae'") && unknown.contains("the constants are leaf, "));
}
