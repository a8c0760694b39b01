//! `cassius suite merge`: merges the shards of a suite.

use super::{ROW, WHOLE, column, folder};

#[test]
fn shards_put_together_are_the_whole() {
    let folder = folder("shards");
    for part in 1..=4 {
        folder.six(&format!("--shard {part}/4 --json {part}.json"), 0);
    }
    let parts = ["4.json", "2.json", "1.json", "3.json"];
    let merge = format!("suite merge {} --json merged.json", parts.join(" "));
    folder.ends(&merge, 0).prints(ROW);
    let (mut whole_header, _) = WHOLE.0.results("r.json");
    let (mut merged_header, _) = folder.results("merged.json");
    let whole_runs = whole_header["runs"].take();
    let merged_runs = merged_header["runs"].take();
    assert_eq!(whole_header, merged_header);
    assert_eq!(whole_runs.as_array().map(Vec::len), Some(1));
    let commands = column(merged_runs.as_array().expect("a list"), "command");
    assert_eq!(commands.len(), 4);
    for (command, part) in commands.into_iter().zip(parts) {
        let command = command.as_str().expect("a command");
        assert!(command.starts_with("cassius suite six.epd"), "{command}");
        assert!(command.ends_with(part), "{command}");
    }
    let whole = WHOLE.0.timeless("r.json").split_off(1);
    assert_eq!(whole, folder.timeless("merged.json").split_off(1));

    // The same part twice adds nothing; results of another run are refused.
    folder
        .ends("suite merge 1.json 1.json", 0)
        .prints("minimax       1   2  50.0");
    folder.ends("suite six.epd --search minimax --nodes 10 --json o.json", 0);
    let refused = folder.ends("suite merge 1.json o.json", 1);
    refused.tells("o.json").tells("limits");
}

#[test]
fn merging_tells_of_lines_cut_short() {
    let folder = folder("torn");
    let whole = folder.put_whole();
    folder.write("torn.json", whole.trim_end());
    let said = folder.ends("suite merge torn.json --json m.json", 1);
    let told = "torn.json: the last line is cut short and left out\n\
        1 malformed item skipped, whole or in part\n";
    assert_eq!(said.err, told);
    said.prints("minimax");
    assert_eq!(folder.results("m.json").1.len(), 5);
    let header = whole.lines().next().expect("a header");
    folder.write("header.json", format!("{header}\n"));
    let nothing = "cassius: header.json: there are no results in this file\n";
    assert_eq!(folder.ends("suite merge header.json", 1).err, nothing);
}
