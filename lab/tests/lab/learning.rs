//! Games of a search against itself, and what is learnt from them.

use std::fs;
use std::path::Path;

use super::{folder, json, lab, read, said, write};
use cassius::engine::limit::Limit;
use cassius::engine::spec::SearchSpec;
use cassius::game_report::from_text::{Request, analyze};
use cassius::game_report::record::RecordLine;
use cassius::games::chess::Evaluation;
use cassius::games::chess::network::weights::sha256;
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
fn positions_of_games_get_new_labels() {
    let folder = folder("relabelling");
    lab(&folder, "selfplay games --shards 0..2 --games 6 --nodes 40").success();
    let relabel = |labels: &str, more: &str| {
        let line = format!("relabel {labels} --of games --shards 0..2 --every 3 --hash 1 {more}");
        lab(&folder, &line)
    };
    let read = |file: &str| fs::read(folder.join(file)).expect("a file");
    relabel("labels", "--nodes 60 --jobs 2").success();
    relabel("again", "--nodes 60").success();
    for shard in ["games-00000.viri", "games-00001.viri"] {
        assert_eq!(
            read(&format!("labels/{shard}")),
            read(&format!("again/{shard}"))
        );
    }
    let (games, labels) = (
        json(&folder, "games/manifest.json"),
        json(&folder, "labels/manifest.json"),
    );
    assert_eq!(labels["recipe"]["labels_of"]["games"], games["recipe"]);
    let count = |of: &serde_json::Value, what: &str| of[what].as_u64().expect("a number");
    assert!((1..=12).contains(&count(&labels, "games")));
    let share = count(&games, "positions") / count(&labels, "positions");
    assert!((3..30).contains(&share), "{share}");
    lab(
        &folder,
        "train labels --output labels.net --hidden 32 --epochs 1",
    )
    .success();
    let other = relabel("again", "--nodes 61").failure();
    other.stderr(contains("--every 3 --of [cassius"));
    lab(&folder, "relabel none --of nothing")
        .failure()
        .stderr(contains("recipe.json"));
}

#[test]
fn constants_are_tuned_and_a_run_goes_on() {
    let folder = folder("tuning");
    let tune = |file: &str, more: &str| {
        let line = format!("tune {file} --nodes 60 --iterations 4 --pairs 2 --hash 1 --rate 1");
        lab(&folder, &format!("{line} {more}"))
    };
    tune("whole.jsonl", "--jobs 2 --json whole.json").success();
    tune("parts.jsonl", "--until 1 --json parts.json").success();
    let shown = tune("parts.jsonl", "--until 0 --resume").success();
    shown.stdout(contains("iterations: 1 of 4"));
    let told = tune("parts.jsonl", "--resume --json parts.json --overwrite").success();
    assert_eq!(read(&folder, "parts.jsonl"), read(&folder, "whole.jsonl"));
    let told = said(&told);
    let (_, option) = told.trim_end().split_once("Now: ").expect("an option");
    let spec: SearchSpec = format!("depth-first:{option}").parse().expect("a search");
    let tunables = spec.settings(Evaluation::default(), 1).search.tunables();
    let tables = json(&folder, "whole.json")["tables"].take();
    let rows = tables[0]["rows"].as_array().expect("rows");
    assert!(rows.iter().any(|row| row[1] != row[2]));
    for row in rows {
        let name = row[0].as_str().expect("a name");
        let now = row[2].as_f64().map(|it| it.round() as i32);
        let tuned = tunables.iter().find(|it| it.name == name);
        assert_eq!(tuned.map(|it| it.value), now, "{name}");
    }
    assert_eq!(tables[1]["plot"]["x"], "iteration");
    assert_eq!(tables[1]["rows"].as_array().map(Vec::len), Some(5));
    let other = tune("parts.jsonl", "--resume --seed 2").code(1);
    other.stderr(contains("belongs to another run (seed 1 there, 2 here)"));

    let few = "--search alpha-beta --constants null_move.reduction,reductions.base=60/5";
    let told = tune("few.jsonl", &format!("{few} --until 1")).success();
    told.stdout(contains("Alpha-Beta="));
    for (more, reason) in [
        ("--search alpha-beta:Threads=2", "leave Threads at 1"),
        ("--search minimax", "choose depth-first or alpha-beta"),
        ("--constants ltae", "no constant 'ltae'"),
    ] {
        tune("none.jsonl", more).code(1).stderr(contains(reason));
        assert!(!folder.join("none.jsonl").exists(), "{more}");
    }
}

/// Games, and searches of their positions.
const PLAY: &str = "selfplay games --games 6 --nodes 60 --seed 2";
const SAMPLE: &str = "sample-outlook games --hash 1 --least-nodes 16000 --most-nodes 32000";

#[test]
fn searches_are_followed_to_the_end() {
    let folder = folder("sampling");
    lab(&folder, PLAY).success();
    let sample = |file: &str, more: &str| {
        let line = format!("{SAMPLE} --output {file} --every 40 {more}");
        lab(&folder, &line)
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
    fs::create_dir(folder.join("none")).expect("writable");
    let none = lab(&folder, "sample-outlook none --output none.jsonl").code(1);
    none.stderr(contains("no positions to draw"));
    assert!(!folder.join("none.jsonl").exists());
    lab(&folder, &format!("{PLAY} --shards 1..2")).success();
    fs::remove_file(folder.join("games/games-00000.viri")).expect("a shard");
    for (file, more, reason) in [
        ("cut.jsonl", "--resume --seed 9", "choose another file"),
        ("cut.jsonl", "--resume", "cut.jsonl: has another position"),
    ] {
        sample(file, more).failure().stderr(contains(reason));
    }
    assert_eq!(lines("cut.jsonl"), whole);
}

#[test]
fn searches_are_learnt_from() {
    let folder = folder("outlook");
    lab(&folder, PLAY).success();
    let sample = format!("{SAMPLE} --output whole.jsonl --every 30");
    lab(&folder, &sample).success();
    let fit = |more: &str| lab(&folder, &format!("fit-outlook whole.jsonl {more}"));
    let told = fit("--output weights.rs --json outlook.json").success();
    told.stdout(contains("the value stays"));
    let weights = read(&folder, "weights.rs");
    assert!(weights.contains("pub(crate) static MOVE_STAYS: [f64; TERMS] = [\n"));
    assert!(!weights.contains("NaN"));
    let brier = json(&folder, "outlook.json")["tables"][0]["rows"][1][2].as_f64();
    assert!(brier > Some(0.0) && brier < Some(1.0));
    let judged = fit("--judge-only").success();
    judged.stdout(contains("Brier score"));
    let whole = read(&folder, "whole.jsonl");
    write(&folder, "torn.jsonl", whole.trim_end());
    let torn = lab(&folder, "fit-outlook torn.jsonl").code(1);
    torn.stderr(
        "torn.jsonl: the last line is cut short and left out\n\
         1 malformed item skipped, whole or in part\n",
    );
    let twice = fit("whole.jsonl").failure();
    twice.stderr(contains("give each file once"));
    let other = lab(&folder, "fit-outlook four.epd").failure();
    other.stderr(contains("four.epd is not a file that this command reads"));
}

/// Twelve games that are alike but for the first move, in each of which the sixth move loses three pawns by the judge.
fn games_and_labels(folder: &Path) {
    let moves = "abcdefg".chars().map(|file| format!("{file}3"));
    let moves = moves.chain(["a4", "b4", "c4", "d4", "e4"].map(str::to_owned));
    let games = moves.map(|m| format!("1. {m} e5 2. Nh3 f6 3. Ng1 g5 *\n\n"));
    let pgn: String = games.collect();
    let limit = Limit {
        nodes: Some(300),
        ..Limit::default()
    };
    let request = Request {
        hash_megabytes: 1,
        second_look: false,
        ..Request::new("games.pgn", "depth-first".parse().expect("a search"), limit)
    };
    let record = analyze(pgn.as_bytes(), &request).expect("games");
    let mut lines = vec![RecordLine::Header(record.header)];
    let mut labels = String::from("{\"measure\": \"labels\"}\n");
    for game in record.games {
        let played = game.rows.iter().flat_map(|row| &row.played);
        let played: Vec<&str> = played.map(|it| it.uci.as_str()).collect();
        let name = sha256(format!("{} {}", game.info.start, played.join(" ")).as_bytes());
        for ply in 0..=played.len() {
            let cp = if ply == 6 { 300 } else { 0 };
            labels += &serde_json::json!({
                "game": &name[..16], "ply": ply, "played": played.get(ply), "best": "0000", "cp": cp
            })
            .to_string();
            labels.push('\n');
        }
        lines.push(RecordLine::Game(game.info));
        let rows = game.rows.into_iter().map(Box::new);
        lines.extend(rows.map(RecordLine::Position));
    }
    let text = |line| serde_json::to_string(line).expect("JSON") + "\n";
    let lines = lines.iter().map(text);
    write(folder, "games.json", lines.collect::<String>());
    write(folder, "labels.jsonl", labels);
}

#[test]
fn chances_of_marks_are_learnt() {
    let folder = folder("marks");
    games_and_labels(&folder);
    let fit = |more: &str| lab(&folder, &format!("fit-marks games.json {more}"));
    let told = fit("--labels labels.jsonl --output weights.rs --json marks.json").success();
    told.stdout(contains("games: 12; moves: 72").and(contains("surely")));
    let weights = read(&folder, "weights.rs");
    assert!(weights.contains("static WEIGHTS: [f64; FEATURES] = [\n") && !weights.contains("NaN"));
    let scores = &json(&folder, "marks.json")["tables"][0]["rows"];
    // One move in six is a loss of a fifth by the judge.
    assert_eq!(scores[2][1], 72);
    let rate = scores[2][2].as_f64().expect("a rate");
    assert!((rate - 100.0 / 6.0).abs() < 0.1, "{rate}");
    let judged = fit("--labels labels.jsonl --judge-only").success();
    judged.stdout(contains("Brier score"));
    let labels = read(&folder, "labels.jsonl");
    let few: Vec<&str> = labels.lines().take(1 + 3 * 7).collect();
    write(&folder, "few.jsonl", few.join("\n") + "\n");
    let few = fit("--labels few.jsonl").failure();
    few.stderr(contains("there are labels for 3 of the games; expected 10"));
    write(&folder, "other.jsonl", "{\"measure\": \"positions\"}\n");
    let other = fit("--labels other.jsonl").failure();
    other.stderr(contains("expected labels, found 'positions'"));
}

/// Nothing can be learnt with such numbers, and the network or the weights would show it only in the end.
#[test]
fn what_is_no_number_is_refused() {
    let folder = folder("numbers");
    for (command, options) in [
        ("fit-outlook searches.jsonl", "--ridge"),
        ("fit-marks games.json --labels labels.jsonl", "--ridge"),
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

#[test]
fn verdicts_are_followed_to_their_fall() {
    let folder = folder("falls");
    let moves = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 \
                 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";
    write(&folder, "games.pgn", moves.repeat(2));
    let sample = |options: &str| {
        let line = format!("falls games.pgn --output falls.jsonl --nodes 200 --every 2 {options}");
        lab(&folder, &line)
    };
    sample("").success();
    let whole = read(&folder, "falls.jsonl");
    let verdicts: Vec<serde_json::Value> = whole
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert!(verdicts.len() > 10, "{whole}");
    for verdict in &verdicts {
        let line = verdict["line"].as_array().expect("a line");
        assert!(!line.is_empty());
        assert!(verdict["look"].as_u64() < Some(400), "{verdict}");
        // The verdict's move was kept only where the longer search chose another.
        let chose_it = verdict["longer"]["line"][0] == line[0];
        assert_eq!(chose_it, verdict["kept"].is_null(), "{verdict}");
        for named in verdict["places"].as_array().expect("places") {
            let ply = named["ply"].as_u64().expect("a number") as usize;
            assert_ne!(named["m"], line[ply], "{verdict}");
        }
    }
    // A run that was killed goes on.
    let lines: Vec<&str> = whole.lines().collect();
    write(
        &folder,
        "falls.jsonl",
        format!("{}\n", lines[..4].join("\n")),
    );
    sample("--resume").success();
    assert_eq!(read(&folder, "falls.jsonl"), whole);
    sample("--resume --seed 5")
        .code(1)
        .stderr(contains("choose another file"));
    let judged = lab(&folder, "judge-falls falls.jsonl --json judged.json").success();
    judged.stdout(contains("the likeliest by the model").and(contains("looked at")));
    let rows = json(&folder, "judged.json");
    assert_eq!(rows["tables"][1]["rows"].as_array().map(Vec::len), Some(5));
}
