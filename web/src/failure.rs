//! Reasons why a call has no result.

use cassius::engine::fault::Fault;
use cassius::engine::memory::NotEnoughMemory;
use serde::{Serialize, Serializer};
use serde_json::json;
use thiserror::Error;

/// Reasons why a call has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The request is invalid; the message says what was expected.
    Input(String),
    /// Not enough memory.
    Memory(String),
    /// Stopped before anything was known.
    Stopped,
    /// An internal error of the engine.
    Fault(String),
}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, message) = match self {
            Failure::Input(message) => ("input", message.as_str()),
            Failure::Memory(message) => ("memory", message.as_str()),
            Failure::Stopped => return failure("stopped", &Stopped.to_string(), serializer),
            Failure::Fault(message) => ("fault", message.as_str()),
        };
        failure(kind, message, serializer)
    }
}

fn failure<S: Serializer>(kind: &str, message: &str, serializer: S) -> Result<S::Ok, S::Error> {
    json!({ "kind": kind, "message": message }).serialize(serializer)
}

/// The error of a call that was stopped before anything was known.
#[derive(Clone, Copy, Debug, Error)]
#[error("stopped before anything was known")]
pub(crate) struct Stopped;

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        let message = error.to_string();
        if error.is::<Stopped>() {
            Failure::Stopped
        } else if error.is::<Fault>() {
            Failure::Fault(message)
        } else if error.is::<NotEnoughMemory>() {
            Failure::Memory(message)
        } else {
            Failure::Input(message)
        }
    }
}
