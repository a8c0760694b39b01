//! Games of a search against itself, and what is learnt from them.

use std::fs;

use super::{folder, json, lab, read, write};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn games_that_nobody_could_make_again_are_refused_or_named() {
    let folder = folder("reproducible");
    let play = |search: &str| {
        let line = format!("selfplay games --games 1 --nodes 20 --search {search}");
        lab(&folder, &line)
    };
    let refused = play("depth-first:Threads=2").code(1);
    refused.stderr(contains("2 threads").and(contains("--jobs")));
    assert!(!folder.join("games").exists());
    let is_dirty = cassius::version::is_dirty();
    let played = play("depth-first:Threads=1").success();
    let stderr = String::from_utf8_lossy(&played.get_output().stderr).into_owned();
    assert_eq!(stderr.contains("this binary only"), is_dirty, "{stderr}");
}

#[test]
fn games_are_played_and_read_again() {
    let folder = folder("selfplay");
    let play = |games: &str, shards: &str, nodes: u32| {
        let shards = format!("--shards {shards} --games 3 --nodes {nodes} --seed 7");
        lab(&folder, &format!("selfplay {games} {shards}"))
    };
    let shards = |games: &str| {
        let path = |shard| folder.join(games).join(format!("games-{shard:05}.viri"));
        [0, 1, 2, 3].map(|shard| fs::read(path(shard)).expect("a shard"))
    };
    play("games", "0..4", 100).success();
    let all = shards("games");
    // In any order, by several runs, and after one that was killed: a shard is complete or missing.
    play("again", "2..4", 100).success();
    fs::remove_file(folder.join("again/games-00002.viri")).expect("a shard");
    play("again", "0..4", 100).success();
    assert_eq!(shards("again"), all);
    let manifest = json(&folder, "games/manifest.json");
    assert_eq!(manifest, json(&folder, "again/manifest.json"));
    assert_eq!(manifest["games"], 12);
    assert_eq!(manifest["recipe"]["seed"], 7);
    let other = play("again", "0..4", 99).failure();
    other.stderr(contains("--nodes 100 --seed 7"));
    assert_eq!(shards("again"), all);

    let train = |games: &str| lab(&folder, &format!("train {games} --output none.net")).code(1);
    let twice = train("games games/games-00000.viri");
    twice.stderr(contains("games-00000.viri: is given twice"));
    // A file that ends within a game, and one that holds none.
    write(&folder, "bad.viri", &all[0][..all[0].len() - 5]);
    let cut =
        "bad.viri: the file is cut short: it ends inside game \\d+, which begins at byte \\d+\n";
    train("bad.viri").stderr(predicate::str::is_match(cut).expect("a pattern"));
    write(&folder, "bad.viri", [b'x'; 64]);
    train("bad.viri").stderr(contains("bad.viri: game 1: "));
    assert!(!folder.join("none.net").exists());
}

#[test]
fn searches_are_followed_to_the_end() {
    let folder = folder("sampling");
    lab(&folder, "selfplay games --games 6 --nodes 60 --seed 2").success();
    let sample = |file: &str, more: &str| {
        let line = format!("sample-outlook games --output {file} --hash 1 {more}");
        lab(
            &folder,
            &format!("{line} --least-nodes 16000 --most-nodes 32000 --every 60"),
        )
    };
    let lines = |file: &str| -> Vec<String> {
        let text = read(&folder, file);
        text.lines().map(str::to_owned).collect()
    };
    sample("whole.jsonl", "").success();
    let whole = lines("whole.jsonl");
    assert!(whole.len() > 6, "{}", whole.len());
    let search: serde_json::Value = serde_json::from_str(&whole[1]).expect("JSON");
    let course = search["course"].as_array().expect("reports");
    assert!(course.len() > 3 && course[0]["n"].as_u64() > Some(0));
    assert!(search["width"].as_f64() > Some(1.0));
    // A run that was killed in the middle of a line goes on behind the last whole one.
    let cut = format!("{}\n{}\n{}", whole[0], whole[1], &whole[2][..40]);
    write(&folder, "cut.jsonl", cut);
    sample("cut.jsonl", "").failure();
    sample("cut.jsonl", "--resume").success();
    assert_eq!(lines("cut.jsonl"), whole);
    // Parts have what the whole has, and tell that they are parts. One does not go on with another.
    sample("1.jsonl", "--shard 1/2").success();
    sample("2.jsonl", "--shard 2/2").success();
    let [one, two] = ["1.jsonl", "2.jsonl"].map(lines);
    assert!(one[0].contains(r#""shard":{"part":1,"parts":2}"#));
    for (index, line) in whole[1..].iter().enumerate() {
        assert_eq!(line, &[&one, &two][index % 2][1 + index / 2]);
    }
    assert_eq!(one.len() + two.len(), whole.len() + 1);
    fs::create_dir(folder.join("none")).expect("writable");
    let none = lab(&folder, "sample-outlook none --output none.jsonl").code(1);
    none.stderr(contains("no positions to draw"));
    assert!(!folder.join("none.jsonl").exists());
    lab(
        &folder,
        "selfplay games --games 6 --nodes 60 --seed 2 --shards 1..2",
    )
    .success();
    fs::remove_file(folder.join("games/games-00000.viri")).expect("a shard");
    for (file, more, reason) in [
        ("cut.jsonl", "--resume --seed 9", "choose another file"),
        ("1.jsonl", "--shard 2/2 --resume", "choose another file"),
        ("3.jsonl", "--shard 3/2", "expected PART/PARTS"),
        ("cut.jsonl", "--resume", "cut.jsonl: has another position"),
    ] {
        sample(file, more).failure().stderr(contains(reason));
    }
    assert_eq!(lines("cut.jsonl"), whole);
}

#[test]
fn searches_are_learnt_from() {
    let folder = folder("outlook");
    lab(&folder, "selfplay games --games 6 --nodes 60 --seed 2").success();
    let sample = "sample-outlook games --output whole.jsonl --hash 1 --every 60";
    lab(
        &folder,
        &format!("{sample} --least-nodes 16000 --most-nodes 32000"),
    )
    .success();
    let fit = |more: &str| lab(&folder, &format!("fit-outlook whole.jsonl {more}"));
    let told = fit("--output weights.rs --json outlook.json").success();
    told.stdout(contains("the value stays"));
    let weights = read(&folder, "weights.rs");
    assert!(weights.contains("pub static MOVE_STAYS: [f64; TERMS] = [\n"));
    assert!(!weights.contains("NaN"));
    let brier = json(&folder, "outlook.json")["tables"][0]["rows"][1][2].as_f64();
    assert!(brier > Some(0.0) && brier < Some(1.0));
    fit("--judge-only")
        .success()
        .stdout(contains("Brier score"));
    write(
        &folder,
        "torn.jsonl",
        read(&folder, "whole.jsonl").trim_end(),
    );
    let torn = lab(&folder, "fit-outlook torn.jsonl").code(1);
    torn.stderr(
        "torn.jsonl: the last line is cut short and left out\n\
         1 malformed item skipped, whole or in part\n",
    );
    fit("whole.jsonl")
        .failure()
        .stderr(contains("give each part once"));
    let other = lab(&folder, "fit-outlook four.epd").failure();
    other.stderr(contains("four.epd is not a file that this command reads"));
}

/// Nothing can be learnt with them, and the network or the weights would say so only in the end.
#[test]
fn what_is_no_number_is_refused() {
    let folder = folder("numbers");
    for (command, options) in [
        ("fit-outlook searches.jsonl", "--ridge"),
        (
            "train games --output n.net",
            "--epochs --rate --result-share",
        ),
        ("train-scale n.net games --output m.net", "--epochs --rate"),
    ] {
        for option in options.split(' ') {
            for number in ["NaN", "inf", "-inf", "-1", "1e300"] {
                let refused = lab(&folder, &format!("{command} {option}={number}")).code(2);
                refused.stderr(contains(option).and(contains("expected a number from ")));
            }
        }
    }
}
