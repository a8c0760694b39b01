//! Checks the documents of both packages: tables of options and prices, valid commands, working links, and a place in
//! the book for each page.

use std::fs;
use std::path::{Path, PathBuf};

use cassius::cli::Cli;
use cassius::search::registry::{Algorithm, Settings};
use clap::Parser as _;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_table_of_options_is_up_to_date() {
    let table = cassius::uci::options::markdown_table();
    assert!(
        read(&root().join("docs/options.md")).contains(table.trim()),
        "docs/options.md: the options have changed; the table is now\n{table}"
    );
}

/// All Markdown files of the repository, outside hidden folders and those that builds make.
fn documents() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_link = path.is_symlink();
            let is_made = ["target", "out", "node_modules"].contains(&name.as_str());
            if path.is_dir() && !is_link && !name.starts_with('.') && !is_made {
                folders.push(path);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found
}

/// The text without code, whose brackets are no links.
fn without_code(text: &str) -> String {
    let mut kept = String::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with("    ") {
            // Every other piece between backticks is code.
            kept.extend(line.split('`').step_by(2));
            kept.push('\n');
        }
    }
    kept
}

/// Targets of the links of a page.
fn links(page: &str) -> Vec<String> {
    let text = without_code(page);
    text.split("](")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()))
        .collect()
}

/// Anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> Vec<String> {
    page.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| {
            line.trim_start_matches('#')
                .trim()
                .to_lowercase()
                .chars()
                .filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-' || c == '_')
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let documents = documents();
    assert!(documents.len() > 10, "{documents:?}");
    let mut broken = Vec::new();
    for document in documents {
        let text = read(&document);
        // Links in a section are relative to the page that is made of it, beside the sections' folder.
        let page = if document.starts_with(root().join("lab/docs/results")) {
            root().join("lab/docs/results.md")
        } else {
            document.clone()
        };
        let folder = page.parent().expect("a folder");
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() {
                page.clone()
            } else {
                folder.join(file)
            };
            let leads = target.exists()
                && (anchor.is_empty() || anchors(&read(&target)).iter().any(|a| a == anchor));
            if !leads {
                broken.push(format!("{}: {link}", document.display()));
            }
        }
    }
    let told = broken.join("\n");
    assert!(broken.is_empty(), "links that lead nowhere:\n{told}");
}

#[test]
fn every_page_has_one_place_in_the_book() {
    let docs = root().join("docs");
    let mut chapters = links(&read(&docs.join("SUMMARY.md")));
    let entries = fs::read_dir(&docs).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.collect();
    pages.retain(|name| name.ends_with(".md") && name != "SUMMARY.md");
    chapters.sort();
    pages.sort();
    assert_eq!(chapters, pages, "docs/SUMMARY.md, docs/*.md");
}

/// The book is docs/. `scripts/book` recognises links out of it by their beginning.
#[test]
fn links_out_of_the_book_begin_with_two_dots() {
    let docs = root().join("docs");
    let mut wrong = Vec::new();
    for document in documents() {
        if document.parent() != Some(&docs) {
            continue;
        }
        for link in links(&read(&document)) {
            let (file, _) = link.split_once('#').unwrap_or((&link, ""));
            let is_in_book = docs.join(file).exists() && !file.contains("..");
            let is_outside = link.starts_with("../") && !file[3..].contains("..");
            if !(link.contains("://") || file.is_empty() || is_in_book || is_outside) {
                wrong.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn links_and_anchors_are_found() {
    let page =
        "# A *b*, c (d)\n[x](y.md) `[no](no)` ![z](img/z.svg)\n    [no](no)\n```\n[no](no)\n```\n";
    assert_eq!(links(page), ["y.md", "img/z.svg"]);
    assert_eq!(anchors(page), ["a-b-c-d"]);
}

#[test]
fn the_table_of_prices_is_up_to_date() {
    let page = read(&root().join("docs/search.md"));
    let row = |line| {
        let mut cells = str::split(line, '|').map(str::trim).skip(1);
        let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        let default = cells.next()?;
        let is_number = default.parse::<i32>().is_ok();
        is_number.then(|| (name, default.to_owned()))
    };
    let rows: Vec<(&str, String)> = page.lines().filter_map(row).collect();
    let constants = Settings::of(Algorithm::DepthFirst, 1).tunables();
    let constants = constants.iter().map(|it| (it.name, it.value.to_string()));
    let constants: Vec<(&str, String)> = constants.collect();
    assert_eq!(rows, constants, "docs/search.md, \"The constants\"");
}

/// The commands of a page that run Cassius: lines of code that begin with it, and inline code with options. Code with
/// an ellipsis is no command.
fn commands(page: &str) -> Vec<String> {
    let joined = page.replace("\\\n", " ");
    let mut found = Vec::new();
    for line in joined.lines() {
        if let Some(code) = line.strip_prefix("    ") {
            let code = code.trim_start().trim_start_matches("$ ");
            found.push(code.trim_start_matches("target/release/").to_owned());
        } else {
            let pieces = line.split('`').skip(1).step_by(2);
            found.extend(pieces.filter(|it| it.contains(" --")).map(str::to_owned));
        }
    }
    found.retain(|command| command.starts_with("cassius ") && !command.contains("..."));
    found
}

/// Parts of commands that no longer exist, and the last commit with them, which the page has to name.
const GONE: [(&str, &str); 5] = [
    ("Evaluation=positional", "711657e"),
    (" lab tune ", "711657e"),
    (" --lessons ", "711657e"),
    ("lab levels", "5b17db9"),
    ("lab mate-threads", "5b17db9"),
];

#[test]
fn commands_are_understood() {
    let mut tested = 0;
    let mut wrong = Vec::new();
    for document in documents() {
        // Generated from records, with the commands of their time.
        if document.ends_with("lab/docs/results.md") {
            continue;
        }
        let page = read(&document);
        for command in commands(&page) {
            let gone = GONE.iter().find(|(part, _)| command.contains(part));
            if gone.is_some_and(|(_, commit)| page.contains(commit)) {
                continue;
            }
            let words = shlex::split(&command).unwrap_or_default().into_iter();
            // The rest belongs to the shell.
            let words = words.take_while(|word| word != ">" && word != "|");
            tested += 1;
            let words: Vec<String> = words.collect();
            let parsed = match words.get(1).map(String::as_str) {
                Some("lab") => cassius_lab::cli::Cli::try_parse_from(&words[1..]).map(drop),
                _ => Cli::try_parse_from(&words).map(drop),
            };
            if let Err(error) = parsed
                && error.use_stderr()
            {
                wrong.push(format!("{}: {command}\n{error}", document.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tested > 30, "{tested}");
}

#[test]
fn commands_are_found() {
    let page = "    $ cassius suite a.epd --nodes 1 \\\n        --jobs 2  # so\n`cassius bench` `cassius bench --nodes 5`\n\
                    target/release/cassius bench\n    cassius lab EXPERIMENT ...\n";
    let joined = "cassius suite a.epd --nodes 1          --jobs 2  # so";
    assert_eq!(commands(page), [joined, "cassius bench --nodes 5"]);
}
