//! The files of a suite's results: continued, locked, left alone.

use std::process::Stdio;
use std::time::Duration;

use super::{ROW, SUITE, column, folder};
use crate::common::{Has, timed};

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = folder("resume");
    let whole = folder.put_whole();
    // Killed in the middle of writing the fourth entry.
    let lines: Vec<&str> = whole.lines().collect();
    let kept = lines[..4].join("\n") + "\n";
    folder.write("r.json", format!("{kept}{}", &lines[4][..40]));

    folder.six_fails("--json r.json", "--resume");

    let resume = "--json r.json --csv r.csv --resume";
    folder.six(resume, 0).prints(ROW);
    let resumed = folder.read("r.json");
    assert!(resumed.starts_with(&kept), "what was there stays as it was");
    let (_, entries) = folder.results("r.json");
    assert_eq!(column(&entries, "position"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(folder.read("r.csv").lines().count(), 7);

    // Nothing is left to run: the results are shown, and nothing is added.
    folder.six(resume, 0).prints(ROW);
    assert_eq!(folder.read("r.json"), resumed);
}

#[test]
fn files_that_are_there_are_left_alone_unless_told_otherwise() {
    let folder = folder("overwrite");
    for (option, name) in [("--json", "r.json"), ("--csv", "r.csv")] {
        folder.write(name, "mine\n");
        let refused = folder.six(&format!("{option} {name}"), 1);
        refused.tells(name).tells("--overwrite");
        assert_eq!(folder.read(name), "mine\n");
    }
    // There is no run to be continued, so the CSV file belongs to another one.
    folder.six("--json new.json --csv r.csv --resume", 1);
    let empty = folder.bytes("new.json").is_empty();
    assert!(empty, "else the next run takes r.csv for its own");
    folder.six_fails("--json r.json --resume", "cannot be continued");
    assert_eq!(folder.read("r.json"), "mine\n");
    assert_eq!(folder.read("r.csv"), "mine\n");

    folder.six("--json r.json --csv r.csv --overwrite", 0);
    assert_eq!(folder.results("r.json").1.len(), 6);
    assert_eq!(folder.read("r.csv").lines().count(), 7);
    let merge = "suite merge r.json --json m.json --csv r.csv";
    folder.ends(merge, 1);
    folder.ends(&format!("{merge} --overwrite"), 0);
    folder.fails("suite merge r.json --csv r.json", "given twice");
    folder.six_fails("--json x --csv x --overwrite", "given twice");
}

#[test]
fn two_runs_do_not_write_to_one_file() {
    let folder = folder("lock");
    let slow =
        "suite six.epd --search minimax --movetime 2000 --filter wrong.2 --json r.json --resume";
    let _timed = timed();
    let mut command = folder.command(slow);
    let mut first = command.stdout(Stdio::null()).spawn().expect("it starts");
    let text = || std::fs::read_to_string(folder.join("r.json")).unwrap_or_default();
    while !text().contains('\n') {
        std::thread::sleep(Duration::from_millis(5));
    }
    folder.fails(slow, "r.json: another run is writing to it");
    assert!(first.wait().expect("it ends").success());
    assert_eq!(folder.results("r.json").1.len(), 1);
}

#[test]
fn an_entry_that_is_there_twice_is_refused() {
    let folder = folder("twice");
    let text = folder.put_whole();
    let last = text.lines().last().expect("an entry");
    folder.write("r.json", format!("{text}{last}\n"));
    let known = "r.json:8: wrong.2 by minimax is in the file already";
    folder.six_fails("--json r.json --resume", known);
    folder.fails("suite merge r.json", "r.json:8: wrong.2");
}

#[test]
fn a_run_killed_before_its_first_line_was_whole_begins_again() {
    let folder = folder("header");
    let whole = folder.put_whole();
    for length in [0, 5, 100] {
        folder.write("r.json", &whole[..length]);
        folder.six("--json r.json --resume", 0);
        assert_eq!(folder.results("r.json").1.len(), 6);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_with_the_name_of_the_file() {
    let folder = folder("full");
    for option in ["--json", "--csv"] {
        folder.six_fails(&format!("{option} /dev/full"), "/dev/full: No space left");
    }
    let said = folder.six("--csv /dev/stdout", 0);
    said.prints("\n1,mate.white,minimax,true");
}

#[test]
fn another_run_is_not_continued() {
    let folder = folder("other");
    let text = folder.put_whole();
    let other = "suite six.epd --search minimax --nodes 2999 --json r.json --resume";
    folder.fails(other, "different conditions (limits)");

    // Another commit may find other results; an unknown one, as in old files, is accepted.
    let own = format!(",\"commit\":\"{}\"", cassius::version::COMMIT);
    text.has(&own);
    let known = cassius::version::COMMIT != cassius::version::UNKNOWN;
    for (commit, code) in [
        ("", 0),
        (r#","commit":"unknown""#, 0),
        (r#","commit":"0123456789ab""#, i32::from(known)),
    ] {
        folder.write("r.json", text.replacen(&own, commit, 1));
        let error = folder.six("--json r.json --resume", code).err;
        let is_told = error.contains("different conditions (commit of cassius)");
        assert_eq!(is_told, code == 1, "{error}");
    }
    folder.write("r.json", text);

    // Nor may the network be another one of the same name.
    let mut bytes = std::fs::read("networks/default.net").expect("readable");
    let with_network =
        "suite six.epd --search depth-first:EvalFile=my.net --nodes 100 --json n.json --resume";
    folder.write("my.net", &bytes);
    folder.ends(with_network, 0);
    folder.ends(with_network, 0);
    *bytes.last_mut().expect("a weight") ^= 1;
    folder.write("my.net", &bytes);
    folder.fails(with_network, "different conditions (networks)");

    folder.write("six.epd", SUITE.replace("bm Kf1", "bm Kh1"));
    folder.six_fails("--json r.json --resume", "position 6");
}
