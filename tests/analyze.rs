//! `cassius analyze` as its users see it.

use serde_json::{Value, json};

use crate::common::{Folder, Said, said};

fn analyze(fen: &str, options: &str) -> Said {
    said(&format!("analyze --fen '{fen}' {options}"))
}

fn json_of(fen: &str, options: &str) -> Value {
    analyze(fen, &format!("{options} --json")).json()
}

/// Mate in one.
const MATE: &str = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";

/// A board that is no position.
const NO_KINGS: &str = "8/8/8/8/8/8/8/8 w - - 0 1";

const SCHOLAR: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3";

/// The text has it all, the JSON is consistent, and the same search gives the same JSON twice.
#[test]
fn a_position_is_profiled_in_words_and_in_json() {
    let folder = Folder::new("analyze-json");
    let to_file = format!("analyze --fen '{SCHOLAR}' --nodes 20000 --json profile.json");
    folder
        .run(&to_file)
        .ended(0)
        .prints("Values are for Black")
        .prints("would have to be misjudged")
        .prints("MinCN = ")
        .prints("MaxCN = ")
        .prints("up to 0")
        .prints("  3... ")
        .tells_nothing();
    folder.run(&to_file).failed().tells("--overwrite");
    let profile: Value = serde_json::from_str(&folder.read("profile.json")).expect("JSON");
    assert_eq!(profile, json_of(SCHOLAR, "--nodes 20000"));
    assert_eq!(profile["commit"], cassius::version::COMMIT);
    assert_eq!(profile["fen"], SCHOLAR);
    assert_eq!(profile["side_to_move"], "black");
    assert_eq!(profile["search"], "best-first");
    assert_eq!(profile["basis"], "tree");
    let [below, above, min] =
        ["below", "above", "min_cn"].map(|key| profile[key].as_u64().unwrap());
    assert_eq!(min, below.min(above));
    assert!(profile["max_cn"].as_u64().unwrap() >= below.max(above));
    for (side, nearest) in [("lowered", below), ("raised", above)] {
        let step = &profile[side][0];
        assert_eq!(step["conspirators"].as_u64(), Some(nearest));
        let names = step["names"].as_array().unwrap();
        assert_eq!(names.len() as u64, nearest);
        for name in names {
            assert!(name["line"]["san"].as_str().unwrap().starts_with("3... "));
            assert!(!name["line"]["uci"].as_array().unwrap().is_empty());
            assert!(name["value"].is_object());
        }
    }
    let ranges = profile["ranges"].as_array().unwrap();
    assert_eq!(ranges[0]["min"], profile["value"]);
    assert_eq!(ranges[0]["max"], profile["value"]);
    assert_ne!(ranges[below as usize]["min"], profile["value"]);
    assert_eq!(ranges[below as usize - 1]["min"], profile["value"]);
}

/// To change the value by a margin takes no fewer leaves than to change it at all, and the margin can be chosen.
#[test]
fn a_position_is_told_with_what_a_margin_takes() {
    let network = "--nodes 5000 --search best-first:Evaluation=network";
    let counts = |more: &str| json_of(SCHOLAR, &format!("{network}{more}"))["by_margin"].clone();
    let half = counts("");
    assert_eq!(half["margin"], 50);
    let step = counts(" --margin 1");
    for number in ["worse", "better", "other_move"] {
        let (half, step) = (half[number].as_u64(), step[number].as_u64());
        assert!(half >= Some(1), "{number}");
        assert!(step <= half || number == "other_move", "{number}");
    }
    let wider = counts(" --margin 80");
    assert_eq!(wider["margin"], 80);
    assert_eq!(counts("':Sureness Margin=80'"), wider);
    analyze(SCHOLAR, &format!("{network} --margin 80"))
        .ended(0)
        .prints("By 0.80: ")
        .prints("each misjudged by 1.60 at most.");
    // A search that keeps no tree counts nothing by a margin.
    let unit = json_of(SCHOLAR, "--nodes 2000 --search depth-first-unit");
    assert_eq!(unit.get("by_margin"), None);
}

#[test]
fn a_margin_that_is_none_is_refused() {
    for margin in ["0", "-5", "1001", "99999999999", "half", "", "1.5"] {
        analyze(SCHOLAR, &format!("--margin={margin}"))
            .ended(2)
            .prints_nothing()
            .tells("--margin");
    }
}

#[test]
fn unit_costs_have_two_numbers() {
    let options = "--nodes 20000 --search depth-first-unit";
    let profile = json_of(SCHOLAR, options);
    assert_eq!(profile["basis"], "certificates");
    let demand = profile["iteration"].as_u64();
    assert!(demand > Some(0));
    for number in ["below", "above"] {
        assert!(profile[number].as_u64() >= demand, "{profile}");
    }
    assert_eq!(profile["max_cn"], Value::Null);
    assert_eq!(profile["ranges"], json!([]));
    assert_eq!(profile["tree_size"], Value::Null);
    let said = analyze(SCHOLAR, options).ended(0);
    said.prints("at least").prints("misjudged for");
}

/// The network knows how far it may be wrong, material does not, and a proven mate is not.
#[test]
fn a_position_is_told_with_how_far_its_value_may_be_wrong() {
    for search in ["best-first", "depth-first"] {
        let material = format!("--nodes 2000 --search {search}");
        let network = format!("{material}:Evaluation=network");
        assert!(json_of(SCHOLAR, &network)["give_or_take"].as_u64() > Some(0));
        let said = analyze(SCHOLAR, &network).ended(0);
        said.prints("give or take");
        assert_eq!(json_of(SCHOLAR, &material)["give_or_take"], Value::Null);
        let text = analyze(SCHOLAR, &material).ended(0).out;
        assert!(!text.contains("give or take"), "{text}");
        assert_eq!(json_of(MATE, &network)["give_or_take"], Value::Null);
    }
}

/// The outlook, what more thinking is likely to change, is known for the default search with the network only.
#[test]
fn a_position_is_told_with_what_more_thinking_may_change() {
    // A mate is proven: nothing is left open.
    let network = "--nodes 5000 --search depth-first:Evaluation=network";
    assert_eq!(json_of(MATE, network)["outlook"], Value::Null);
    let open = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    for (search, is_known) in [
        ("depth-first:Evaluation=network", true),
        ("depth-first:Evaluation=tactical", false),
        ("best-first:Evaluation=network", false),
    ] {
        let options = format!("--nodes 5000 --search {search}");
        let outlook = &json_of(open, &options)["outlook"];
        assert_eq!(outlook["move_stays"].is_f64(), is_known, "{outlook}");
        assert_eq!(outlook["value_stays"].is_f64(), is_known, "{outlook}");
        let text = analyze(open, &options).ended(0).out;
        assert_eq!(text.contains("stays the choice with "), is_known, "{text}");
        // The hint is right below the value.
        let hint = "The judge that plays: --search depth-first:Evaluation=network";
        let is_there = text.lines().nth(1).is_some_and(|it| it.ends_with(hint));
        assert_eq!(is_there, search.contains("tactical"), "{text}");
    }
}

/// The default search counts no leaves, and does not claim to.
#[test]
fn graded_costs_are_prices() {
    let options = "--nodes 20000 --search depth-first";
    let profile = json_of(SCHOLAR, options);
    assert_eq!(profile["basis"], "prices");
    assert!(profile["value"].is_object() && profile["at_most"].is_object());
    for price in ["price_below", "price_above"] {
        assert!(profile[price].as_f64() > Some(0.0), "{profile}");
    }
    let counts = [
        "below", "above", "min_cn", "max_cn", "lowered", "raised", "ranges",
    ];
    for count in counts {
        assert!(profile.get(count).is_none(), "{count}");
    }
    let said = analyze(SCHOLAR, options)
        .ended(0)
        .prints("Price of less than ")
        .prints("an ordinary ply costs 1");
    for counted in ["would have to be", "C<", "MinCN"] {
        assert!(!said.out.contains(counted), "{said:?}");
    }
}

/// A proven mate has no conspirators; a game that is over is only reported as such.
#[test]
fn what_is_proven_takes_infinitely_many() {
    let profile = json_of(MATE, "--nodes 2000");
    assert_eq!(profile["value"], json!({"mate": 1}));
    assert_eq!(profile["below"], Value::Null);
    assert_eq!(profile["above"], Value::Null);
    let said = analyze(MATE, "--nodes 2000").ended(0);
    said.prints("The mate is proven, and that there is no shorter one.");
    let mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1";
    let said = analyze(mated, "").ended(0);
    said.prints("the game is over here");
    assert_eq!(json_of(mated, "")["line"]["uci"], json!([]));
}

#[test]
fn what_makes_no_sense_is_explained() {
    let (search, unknown) = ("choose best-first", "there is no search called");
    for (fen, options, code, told) in [
        ("joho", "--nodes 9", 1, "'joho' is not a FEN"),
        (NO_KINGS, "--nodes 9", 1, "not a legal position"),
        (SCHOLAR, "--search minimax", 1, search),
        (SCHOLAR, "--search joho", 2, unknown),
        (SCHOLAR, "--nodes 0", 2, "--nodes"),
    ] {
        let said = analyze(fen, options).ended(code);
        said.tells(told).prints_nothing();
    }
    said("analyze").ended(2).tells("--fen").prints_nothing();
}
