//! The calls: their names, requests and answers.

mod bench;
mod games;
mod moves;
mod position;
mod profile;
mod request;
mod trees;
mod verdict;
mod watch;
mod written;

use anyhow::Result;
use serde_json::{Map, Value as Json};

use crate::desk::State;
use crate::failure::Failure;
use request::Request;

/// A message other than a line of UCI.
pub(crate) enum Call {
    /// Ends the call with this number, or all.
    Stop(Option<u64>),
    /// A call with its number.
    Asked(u64, Box<Asked>),
}

/// Request of a call.
pub(crate) struct Asked {
    name: Name,
    request: Request,
    /// Bytes received before it: the text of games.
    bytes: Option<Vec<u8>>,
}

/// Name of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Name {
    Position,
    Verdict,
    Profile,
    Tree,
    Children,
    Conspirators,
    Grow,
    Close,
    Move,
    Game,
    Puzzles,
    Bench,
}

const NAMES: [(&str, Name); 12] = [
    ("position", Name::Position),
    ("verdict", Name::Verdict),
    ("profile", Name::Profile),
    ("tree", Name::Tree),
    ("children", Name::Children),
    ("conspirators", Name::Conspirators),
    ("grow", Name::Grow),
    ("close", Name::Close),
    ("move", Name::Move),
    ("game", Name::Game),
    ("puzzles", Name::Puzzles),
    ("bench", Name::Bench),
];

impl Call {
    /// Parses a call; a failure comes with the call's number, if it has one.
    pub(crate) fn read(text: &str, bytes: Option<Vec<u8>>) -> Result<Call, (Option<u64>, Failure)> {
        let no_object = |error: serde_json::Error| {
            let message = format!("a call is a JSON object with 'id' and 'call': {error}");
            (None, Failure::Input(message))
        };
        let mut fields: Map<String, Json> = serde_json::from_str(text).map_err(no_object)?;
        let id = fields.remove("id").and_then(|id| id.as_u64());
        let wrong = |message: String| (id, Failure::Input(message));
        let name = fields.remove("call");
        let name = name.as_ref().and_then(Json::as_str).unwrap_or_default();
        if name == "stop" {
            return Ok(Call::Stop(id));
        }
        let known = NAMES.iter().find(|it| it.0 == name);
        let Some(&(_, known)) = known else {
            let names: Vec<&str> = NAMES.iter().map(|it| it.0).collect();
            let names = names.join(", ");
            return Err(wrong(format!(
                "there is no call '{name}'; there are {names}, stop"
            )));
        };
        let Some(number) = id else {
            return Err(wrong(format!(
                "the call '{name}' needs a number as its 'id'"
            )));
        };
        let request = serde_json::from_value(Json::Object(fields));
        let request = request.map_err(|error| wrong(format!("{name}: {error}")))?;
        let asked = Asked {
            name: known,
            request,
            bytes,
        };
        Ok(Call::Asked(number, Box::new(asked)))
    }

    /// Number of the call; for a stop, of the call to be stopped.
    pub(crate) fn id(&self) -> Option<u64> {
        match self {
            Call::Stop(id) => *id,
            Call::Asked(id, _) => Some(*id),
        }
    }
}

impl Asked {
    /// Whether it is answered at once, even while a search runs.
    pub(crate) fn is_quick(&self) -> bool {
        matches!(
            self.name,
            Name::Position | Name::Children | Name::Conspirators
        )
    }
}

/// Answers a call.
pub(crate) fn answer(state: &State, asked: &Asked) -> Result<Json> {
    let Asked {
        name,
        request,
        bytes,
    } = asked;
    match name {
        Name::Position => position::answer(request),
        Name::Verdict => verdict::answer(state, request),
        Name::Profile => profile::answer(state, request),
        Name::Tree => trees::open(state, request),
        Name::Children => trees::children(state, request),
        Name::Conspirators => trees::conspirators(state, request),
        Name::Grow => trees::grow(state, request),
        Name::Close => trees::close(state, request),
        Name::Move => moves::answer(state, request),
        Name::Game => games::game(state, request, bytes.as_deref()),
        Name::Puzzles => games::puzzles(state, request, bytes.as_deref()),
        Name::Bench => bench::answer(state, request),
    }
}
