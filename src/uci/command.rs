//! The parser: turns any line of text into a [`Command`].
//!
//! It never fails. Nonsense becomes [`Command::Malformed`] or [`Command::Unknown`]; numbers too large for their type
//! saturate. Moves and FENs stay text here: only the owner of the position can tell whether they are legal.
//!
//! `go` has a file of its own.

mod go;
#[cfg(test)]
mod tests;

pub use go::Go;

use go::parse_go;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Identify the engine and declare its options.
    Uci,
    /// Turn the debug mode on or off.
    Debug(bool),
    IsReady,
    /// Set an option, or press a button.
    SetOption {
        /// Its name as given, single blanks between words.
        name: String,
        /// Its value as given, blanks within kept.
        value: Option<String>,
    },
    /// The next position belongs to another game.
    NewGame,
    /// The position to search from now on.
    Position {
        /// The FEN of the position before the moves, single blanks between its fields, not yet checked; `None` is the
        /// initial position of standard chess.
        fen: Option<String>,
        /// Moves in coordinate notation.
        moves: Vec<String>,
    },
    Go(Box<Go>),
    Stop,
    /// The opponent has played the move pondered on.
    PonderHit,
    Quit,
    /// Not UCI: show the position.
    Board,
    /// Not UCI: show the position's static value.
    Evaluate,
    /// Not UCI: list the commands.
    Help,
    /// Nothing to do.
    Empty,
    /// A line without any command.
    Unknown(String),
    /// A command with invalid arguments; the text is the error.
    Malformed(String),
}

/// The unread rest of a line, word by word.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// The next word, without reading it.
    fn peek(&self) -> Option<&'a str> {
        self.0.split_whitespace().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.0 = &self.0.trim_start()[word.len()..];
        Some(word)
    }
}

impl Command {
    /// Reads a line. Leading words that are no command are skipped, as the protocol asks; commands that are not UCI's
    /// count only at the start of a line.
    pub fn parse(line: &str) -> Command {
        let mut words = Words(line);
        match words.peek() {
            None => return Command::Empty,
            Some("d") => return Command::Board,
            Some("eval") => return Command::Evaluate,
            Some("help") => return Command::Help,
            Some(_) => {}
        }
        while let Some(name) = words.next() {
            if let Some(command) = parse_named(name, &mut words) {
                return command;
            }
        }
        Command::Unknown(line.trim().to_owned())
    }
}

/// Reads the arguments of the command `name`; `None` if there is no such command.
fn parse_named(name: &str, words: &mut Words<'_>) -> Option<Command> {
    Some(match name {
        "uci" => Command::Uci,
        "debug" => Command::Debug(words.next() != Some("off")),
        "isready" => Command::IsReady,
        "setoption" => parse_set_option(words).unwrap_or_else(Command::Malformed),
        // This engine needs no registration.
        "register" => Command::Empty,
        "ucinewgame" => Command::NewGame,
        "position" => parse_position(words).unwrap_or_else(Command::Malformed),
        "go" => Command::Go(Box::new(parse_go(words))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        _ => return None,
    })
}

/// The error for a word, or the end of the line, where `command` needs something else.
fn expected(command: &str, what: &str, found: Option<&str>) -> String {
    let found = found.map_or_else(|| "nothing".to_owned(), |word| format!("'{word}'"));
    format!("{command}: expected {what}, found {found}")
}

fn parse_set_option(words: &mut Words<'_>) -> Result<Command, String> {
    let unnamed = |found| expected("setoption", "'name <option> [value <value>]'", found);
    let first = words.next();
    if first != Some("name") {
        return Err(unnamed(first));
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.0.trim().to_owned());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(unnamed(None));
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value,
    })
}

fn parse_position(words: &mut Words<'_>) -> Result<Command, String> {
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None | Some("moves") => None,
            other => return Err(expected("position", "'moves'", other)),
        },
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            if fields.is_empty() {
                return Err(expected("position", "a FEN after 'fen'", None));
            }
            Some(fields.join(" "))
        }
        other => return Err(expected("position", "'startpos' or 'fen'", other)),
    };
    Ok(Command::Position {
        fen,
        moves: words.map(str::to_owned).collect(),
    })
}
