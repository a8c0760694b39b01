//! `profile`: by hand, how sure the position's value is.

use std::fmt;

use super::CommandError;
use super::words::{Words, quoted};

/// What `profile` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileRequest {
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Most time, in milliseconds.
    pub movetime: Option<u64>,
    /// The search, with options as on the command line: `best-first:Best-First=delta=1`.
    pub search: Option<String>,
}

/// What can follow the word `profile`.
const KEYWORDS: [&str; 3] = ["nodes", "movetime", "search"];

/// Reads what follows the word `profile`.
pub(super) fn parse_profile(words: &mut Words<'_>) -> Result<ProfileRequest, CommandError> {
    let mut request = ProfileRequest::default();
    while let Some(word) = words.next() {
        match word {
            "nodes" => request.nodes = Some(number("nodes", words)?),
            "movetime" => request.movetime = Some(number("movetime", words)?),
            "search" => request.search = Some(search(words)?),
            _ => return Err(CommandError::Profile(word.to_owned())),
        }
    }
    Ok(request)
}

/// The name of a search with its options, which may hold blanks: it ends where a limit begins.
fn search(words: &mut Words<'_>) -> Result<String, CommandError> {
    let mut name = words.next().ok_or(CommandError::ProfileSearch)?.to_owned();
    while let Some(word) = words.peek().filter(|word| !KEYWORDS.contains(word)) {
        words.next();
        name.push(' ');
        name.push_str(word);
    }
    Ok(name)
}

fn number(keyword: &'static str, words: &mut Words<'_>) -> Result<u64, CommandError> {
    let found = words.next().unwrap_or_default();
    let number = found.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| CommandError::ProfileNumber {
        keyword,
        found: quoted(found),
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
