//! `profile`: a command for people that shows how certain the position's value is.

use std::fmt;

use super::words::{Words, quoted};

/// Arguments of `profile`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileRequest {
    pub nodes: Option<u64>,
    /// Time limit, in milliseconds.
    pub movetime: Option<u64>,
    /// The search, with options as on the command line: `best-first:Best-First=delta=1`.
    pub search: Option<String>,
}

/// Keywords after `profile`.
const KEYWORDS: [&str; 3] = ["nodes", "movetime", "search"];

/// Reads the words after `profile`.
pub(super) fn parse_profile(words: &mut Words<'_>) -> Result<ProfileRequest, String> {
    let mut request = ProfileRequest::default();
    while let Some(word) = words.next() {
        match word {
            "nodes" => request.nodes = Some(number("nodes", words)?),
            "movetime" => request.movetime = Some(number("movetime", words)?),
            "search" => request.search = Some(search(words)?),
            _ => {
                let found = quoted(word);
                return Err(format!(
                    "profile: expected 'nodes', 'movetime' or 'search', found {found}"
                ));
            }
        }
    }
    Ok(request)
}

/// The name of a search with its options, which may hold blanks, up to the next limit.
fn search(words: &mut Words<'_>) -> Result<String, String> {
    let name = words.next();
    let mut name = name
        .ok_or("profile: expected the name of a search after 'search', found nothing")?
        .to_owned();
    while let Some(word) = words.peek().filter(|word| !KEYWORDS.contains(word)) {
        words.next();
        name.push(' ');
        name.push_str(word);
    }
    Ok(name)
}

fn number(keyword: &'static str, words: &mut Words<'_>) -> Result<u64, String> {
    let found = words.next().unwrap_or_default();
    let number = found.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| {
        let found = quoted(found);
        format!("profile: expected a whole number from 1 on after '{keyword}', found {found}")
    })
}

impl fmt::Display for ProfileRequest {
    /// The command as one would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("profile")?;
        let numbers = [("nodes", self.nodes), ("movetime", self.movetime)];
        for (keyword, number) in numbers {
            if let Some(number) = number {
                write!(f, " {keyword} {number}")?;
            }
        }
        match &self.search {
            Some(search) => write!(f, " search {search}"),
            None => Ok(()),
        }
    }
}
