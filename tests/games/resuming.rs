//! Runs that were killed, and parts of runs.

use super::{GAME, MALFORMED, cut_short};
use crate::common::Folder;

/// A record of a version whose values had no errors can be continued.
#[test]
fn an_older_record_without_errors_goes_on() {
    let folder = Folder::new("games-older");
    let options = "--nodes 300 --json g.json --html g.html";
    folder.analyze(GAME, options);
    let whole = folder.read("g.json");
    let cut = whole.lines().take(20).map(|line| {
        let without = line.split_once("\"give_or_take\":").map(|(before, after)| {
            let (_, rest) = after.split_once(',').expect("another field");
            format!("{before}{rest}")
        });
        without.unwrap_or(line.to_owned()) + "\n"
    });
    let cut: String = cut.collect();
    assert!(!cut.contains("give_or_take"));
    folder.write("g.json", &cut);
    let resumed = folder.analyze(GAME, &format!("{options} --resume"));
    resumed.ended(0);
    assert!(folder.read("g.json").starts_with(&cut));
    assert_eq!(folder.lines("g.json", "position").len(), 47);
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = Folder::new("games-resume");
    let pgn = format!("{MALFORMED}\n{GAME}");
    let options = "--nodes 300 --json g.json --html g.html";
    folder.analyze(&pgn, options);
    let (whole, page) = (folder.read("g.json"), folder.read("g.html"));
    let values = folder.timeless("g.json");
    folder.analyze(&pgn, options).tells("--resume");

    // As a kill leaves it: some lines whole, one cut short.
    let cut: usize = whole.split_inclusive('\n').take(20).map(str::len).sum();
    folder.write("g.json", &whole[..cut + 30]);
    std::fs::remove_file(folder.join("g.html")).expect("no page");
    folder.analyze(&pgn, &format!("{options} --resume"));
    assert_eq!(folder.timeless("g.json"), values);
    assert!(folder.read("g.json").starts_with(&whole[..cut]));
    assert_eq!(folder.read("g.html"), page);

    let other = folder.analyze(&pgn, "--nodes 400 --json g.json --resume");
    other.tells("different conditions (limits)");
}

#[test]
fn a_run_on_several_games_at_a_time_goes_on_too() {
    let folder = Folder::new("games-jobs");
    let pgn = format!("{MALFORMED}\n{GAME}\n{MALFORMED}\n{GAME}");
    let options = "--nodes 200 --json g.json --csv g.csv --jobs 2";
    folder.analyze(&pgn, options);
    let whole = folder.read("g.json");
    let values = folder.timeless("g.json");
    for jobs in [1, 3] {
        let options = format!("--nodes 200 --json other.json --overwrite --jobs {jobs}");
        folder.analyze(&pgn, &options);
        assert_eq!(folder.timeless("other.json"), values, "{jobs} jobs");
    }
    let csv = folder.read("g.csv").lines().count();
    for kept in [1, 2, 5, 30, 60, whole.lines().count() - 1] {
        folder.write("g.json", cut_short(&whole, kept));
        let said = folder.analyze(&pgn, &format!("{options} --resume"));
        assert_eq!(said.out.matches("Game ").count(), 6, "{}", said.out);
        assert_eq!(said.err.matches("Ke4").count(), 2, "{}", said.err);
        assert_eq!(folder.timeless("g.json"), values, "{kept}");
        assert_eq!(folder.read("g.csv").lines().count(), csv);
    }
}

#[test]
fn parts_of_the_games_join_to_the_whole() {
    let folder = Folder::new("games-shards");
    let pgn = format!("{GAME}\n{MALFORMED}\n{GAME}");
    let analyze =
        |json: &str, rest: &str| folder.analyze(&pgn, &format!("--nodes 50 --json {json} {rest}"));
    let whole = analyze("whole.json", "");
    assert_eq!(whole.code, Some(1), "a malformed game: {whole:?}");
    let mut joined = String::new();
    for part in 1..=3 {
        let json = format!("part-{part}.json");
        analyze(&json, &format!("--shard {part}/3"));
        let games = folder.lines(&json, "game");
        assert!(!games.is_empty(), "{part}");
        for game in games {
            let number = game["game"].as_u64().expect("a number");
            assert_eq!((number - 1) % 3 + 1, part);
        }
        joined += &folder.read(&json);
    }
    folder.write("joined.json", joined);
    // A part of the whole may be asked for, too.
    let part = analyze("joined.json", "--resume --shard 2/2");
    assert!(!part.err.contains("different"), "{}", part.err);
    analyze("joined.json", "--resume");
    let whole = folder.timeless("whole.json");
    let joined = folder.timeless("joined.json");
    let headers = joined.iter().filter(|it| it["kind"] == "header").count();
    assert_eq!(joined.len() - headers, whole.len() - 1);
    for line in whole {
        assert!(joined.contains(&line), "{line}");
    }
    analyze("wrong.json", "--shard 3/2").ended(2);
}

#[test]
fn other_games_are_not_continued_and_more_of_them_are() {
    let folder = Folder::new("games-more");
    let options = "--nodes 100 --json g.json --resume";
    let two = format!("{MALFORMED}\n{GAME}");
    folder.analyze(&two, options);
    let json = folder.read("g.json");
    let other = two.replace("2. e4 *", "2. d4 *");
    for pgn in [&other, MALFORMED, GAME] {
        let refused = folder.analyze(pgn, options);
        refused.tells("different conditions (list of games)");
        assert_eq!(folder.read("g.json"), json);
    }
    folder.analyze(format!("{two}\n{GAME}"), options);
    assert!(folder.read("g.json").starts_with(&json));
    assert_eq!(folder.lines("g.json", "game").len(), 4);
}

#[test]
fn a_position_that_is_there_twice_is_refused() {
    let folder = Folder::new("games-twice");
    let options = "--nodes 100 --json g.json";
    folder.analyze(GAME, options);
    let text = folder.read("g.json");
    let last = text.lines().rfind(|line| line.contains("\"position\""));
    folder.write("g.json", format!("{text}{}\n", last.expect("a position")));
    let resumed = folder.analyze(GAME, &format!("{options} --resume"));
    resumed.tells("position 46 of game 1 is there twice");
}
