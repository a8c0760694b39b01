//! What the README says is so.

use std::fs;
use std::path::Path;

#[test]
fn the_readme_has_the_table_of_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(path).expect("a README");
    let table = cassius::uci::options::markdown_table();
    assert!(
        readme.contains(table.trim()),
        "README.md: the options have changed; the table is now\n{table}"
    );
}
