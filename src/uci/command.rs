//! The parser: any line of text to a [`Command`].
//!
//! It is total. What makes no sense becomes [`Command::Malformed`] or [`Command::Unknown`], never a
//! panic; numbers too large for their type saturate. Moves and FENs stay text here: whether they
//! are legal is known only to whoever has the position.

use std::fmt;

use thiserror::Error;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Say who you are and what can be set.
    Uci,
    /// Turn the debug mode on or off.
    Debug(bool),
    /// Answer `readyok`.
    IsReady,
    /// Set an option, or press it.
    SetOption {
        /// Its name as given, single blanks between words.
        name: String,
        /// Its value as given, blanks within kept.
        value: Option<String>,
    },
    /// Registration, which this engine does not ask for.
    Register,
    /// What comes next has nothing to do with what was before.
    NewGame,
    /// The position to search from now on.
    Position {
        /// Where the moves start.
        setup: Setup,
        /// Moves in coordinate notation.
        moves: Vec<String>,
    },
    /// Search.
    Go(Box<Go>),
    /// End the search.
    Stop,
    /// The move pondered on has been played.
    PonderHit,
    /// Leave.
    Quit,
    /// Not UCI: show the position.
    Board,
    /// Not UCI: show the position's static value.
    Evaluate,
    /// Not UCI: list the commands.
    Help,
    /// Nothing but blanks.
    Empty,
    /// A line without any word that is a command.
    Unknown(String),
    /// A command whose arguments make no sense.
    Malformed(CommandError),
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setup {
    /// The initial position of standard chess.
    Initial,
    /// A FEN, single blanks between its fields, not yet checked.
    Fen(String),
}

/// What `go` asks for. Times are in milliseconds as given, negative ones included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Last iteration.
    pub depth: Option<u32>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Exact time for this move.
    pub movetime: Option<i64>,
    /// White's clock.
    pub white_time: Option<i64>,
    /// Black's clock.
    pub black_time: Option<i64>,
    /// White's increment per move.
    pub white_increment: Option<i64>,
    /// Black's increment per move.
    pub black_increment: Option<i64>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Search until told to stop.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider these moves only; empty means all.
    pub search_moves: Vec<String>,
    /// What could not be understood and was left out, in words for the user.
    pub ignored: Vec<String>,
    /// Whether a limit is among it.
    pub lost_limit: bool,
}

/// Why a command makes no sense.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CommandError {
    /// `position` without a start.
    #[error("position: expected 'startpos' or 'fen', found {}", quoted(.0))]
    Setup(String),
    /// `position fen` without a FEN.
    #[error("position: expected a FEN after 'fen', found nothing")]
    NoFen,
    /// Something other than `moves` after the start.
    #[error("position: expected 'moves', found {}", quoted(.0))]
    Moves(String),
    /// `setoption` without a name.
    #[error("setoption: expected 'name <option> [value <value>]', found {}", quoted(.0))]
    OptionName(String),
}

fn quoted(found: &str) -> String {
    if found.is_empty() {
        "nothing".to_owned()
    } else {
        format!("'{found}'")
    }
}

impl Command {
    /// Reads a line. Leading words that are no command are skipped, as the protocol asks; the
    /// words that are not UCI's count only at the start of a line.
    pub fn parse(line: &str) -> Command {
        let mut words = Words(line);
        let Some(first) = words.next() else {
            return Command::Empty;
        };
        match first {
            "d" => return Command::Board,
            "eval" => return Command::Evaluate,
            "help" => return Command::Help,
            _ => {}
        }
        let mut word = Some(first);
        while let Some(name) = word {
            if let Some(command) = parse_named(name, &mut words) {
                return command;
            }
            word = words.next();
        }
        Command::Unknown(line.trim().to_owned())
    }
}

/// The command called `name` with its arguments; `None` if there is no such command.
fn parse_named(name: &str, words: &mut Words<'_>) -> Option<Command> {
    Some(match name {
        "uci" => Command::Uci,
        "debug" => Command::Debug(words.next() != Some("off")),
        "isready" => Command::IsReady,
        "setoption" => parse_set_option(words).unwrap_or_else(Command::Malformed),
        "register" => Command::Register,
        "ucinewgame" => Command::NewGame,
        "position" => parse_position(words).unwrap_or_else(Command::Malformed),
        "go" => Command::Go(Box::new(parse_go(words))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        _ => return None,
    })
}

fn parse_set_option(words: &mut Words<'_>) -> Result<Command, CommandError> {
    let first = words.next().unwrap_or_default();
    if first != "name" {
        return Err(CommandError::OptionName(first.to_owned()));
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
        return Err(CommandError::OptionName(String::new()));
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value,
    })
}

fn parse_position(words: &mut Words<'_>) -> Result<Command, CommandError> {
    let setup = match words.next() {
        Some("startpos") => {
            match words.next() {
                None | Some("moves") => {}
                Some(other) => return Err(CommandError::Moves(other.to_owned())),
            }
            Setup::Initial
        }
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            if fields.is_empty() {
                return Err(CommandError::NoFen);
            }
            Setup::Fen(fields.join(" "))
        }
        other => return Err(CommandError::Setup(other.unwrap_or_default().to_owned())),
    };
    Ok(Command::Position {
        setup,
        moves: words.map(str::to_owned).collect(),
    })
}

const GO_WORDS: [&str; 12] = [
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
];

fn parse_go(words: &mut Words<'_>) -> Go {
    let mut go = Go::default();
    let mut in_search_moves = false;
    while let Some(word) = words.next() {
        let was_in_search_moves = std::mem::replace(&mut in_search_moves, word == "searchmoves");
        match word {
            "searchmoves" => {}
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "depth" => go.depth = go.number(word, words).map(saturate_u32),
            "nodes" => go.nodes = go.number(word, words).map(saturate_u64),
            "movetime" => go.movetime = go.number(word, words).map(saturate_i64),
            "wtime" => go.white_time = go.number(word, words).map(saturate_i64),
            "btime" => go.black_time = go.number(word, words).map(saturate_i64),
            "winc" => go.white_increment = go.number(word, words).map(saturate_i64),
            "binc" => go.black_increment = go.number(word, words).map(saturate_i64),
            "movestogo" => go.moves_to_go = go.number(word, words).map(saturate_u32),
            // The side being mated asks with a negative number: the same search.
            "mate" => go.mate = go.number(word, words).map(|n| saturate_u32(n.abs())),
            _ if was_in_search_moves && looks_like_a_move(word) => {
                go.search_moves.push(word.to_owned());
                in_search_moves = true;
            }
            _ => {
                go.ignored.push(format!("go: '{word}' means nothing here"));
                in_search_moves = was_in_search_moves;
            }
        }
    }
    go
}

impl Go {
    /// Whether nothing but `stop` will end the search.
    pub fn is_unlimited(&self) -> bool {
        self.infinite
            || (self.depth.is_none()
                && self.nodes.is_none()
                && self.movetime.is_none()
                && self.white_time.is_none()
                && self.black_time.is_none()
                && self.mate.is_none())
    }

    /// The number that belongs to `keyword`, if the next word is one; else a note is left.
    fn number(&mut self, keyword: &str, words: &mut Words<'_>) -> Option<i128> {
        let next = words.peek();
        let is_keyword = next.is_some_and(|word| GO_WORDS.contains(&word));
        if next.is_some() && !is_keyword {
            words.next();
        }
        let number = next.and_then(parse_number);
        if number.is_none() {
            self.lost_limit = true;
            let found = quoted(next.unwrap_or_default());
            self.ignored.push(format!(
                "go: expected a whole number after '{keyword}', found {found}"
            ));
        }
        number
    }
}

/// A whole number of any length; beyond 30 digits only its size matters, and it saturates.
fn parse_number(word: &str) -> Option<i128> {
    let (digits, sign) = match word.strip_prefix('-') {
        Some(digits) => (digits, -1),
        None => (word.strip_prefix('+').unwrap_or(word), 1),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let digits = digits.trim_start_matches('0');
    let magnitude = match digits.len() {
        0 => 0,
        1..=30 => digits.parse().ok()?,
        _ => 10_i128.pow(30),
    };
    Some(sign * magnitude)
}

fn saturate_u32(n: i128) -> u32 {
    u32::try_from(n.max(0)).unwrap_or(u32::MAX)
}

fn saturate_u64(n: i128) -> u64 {
    u64::try_from(n.max(0)).unwrap_or(u64::MAX)
}

fn saturate_i64(n: i128) -> i64 {
    i64::try_from(n).unwrap_or(if n < 0 { i64::MIN } else { i64::MAX })
}

/// Whether a word has the shape of a move: `e2e4`, `e7e8q`, in either case.
fn looks_like_a_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    let square = |file: u8, rank: u8| {
        (b'a'..=b'h').contains(&file.to_ascii_lowercase()) && (b'1'..=b'8').contains(&rank)
    };
    matches!(bytes.len(), 4 | 5)
        && square(bytes[0], bytes[1])
        && square(bytes[2], bytes[3])
        && bytes.get(4).is_none_or(u8::is_ascii_alphabetic)
}

/// The words of a line, and what is left of it.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn split(&self) -> Option<(&'a str, &'a str)> {
        let rest = self.0.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        Some(rest.split_at(end))
    }

    fn peek(&self) -> Option<&'a str> {
        self.split().map(|(word, _)| word)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.split()?;
        self.0 = rest;
        Some(word)
    }
}

impl fmt::Display for Command {
    /// The command as a GUI would send it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value } => match value {
                Some(value) => write!(f, "setoption name {name} value {value}"),
                None => write!(f, "setoption name {name}"),
            },
            Command::Register => f.write_str("register"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position { setup, moves } => {
                match setup {
                    Setup::Initial => f.write_str("position startpos")?,
                    Setup::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if !moves.is_empty() {
                    write!(f, " moves {}", moves.join(" "))?;
                }
                Ok(())
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Board => f.write_str("d"),
            Command::Evaluate => f.write_str("eval"),
            Command::Help => f.write_str("help"),
            Command::Empty => Ok(()),
            Command::Unknown(line) => f.write_str(line),
            Command::Malformed(error) => write!(f, "({error})"),
        }
    }
}

impl fmt::Display for Go {
    /// The command as a GUI would send it, without what was ignored.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves {}", self.search_moves.join(" "))?;
        }
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let numbers = [
            ("wtime", self.white_time.map(i128::from)),
            ("btime", self.black_time.map(i128::from)),
            ("winc", self.white_increment.map(i128::from)),
            ("binc", self.black_increment.map(i128::from)),
            ("movestogo", self.moves_to_go.map(i128::from)),
            ("depth", self.depth.map(i128::from)),
            ("nodes", self.nodes.map(i128::from)),
            ("mate", self.mate.map(i128::from)),
            ("movetime", self.movetime.map(i128::from)),
        ];
        for (keyword, number) in numbers {
            if let Some(number) = number {
                write!(f, " {keyword} {number}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
