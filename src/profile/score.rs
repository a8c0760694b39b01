//! Values in JSON: `{"cp": 34}`, `{"mate": 3}`, `"won"`, `"lost"`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::value::Value;

/// A value that is written in this form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Scored(#[serde(serialize_with = "serialize")] pub Value);

/// The written form of a value.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Score {
    /// Centipawns.
    Cp(i16),
    /// Moves to mate, negative if the side to move is mated.
    Mate(i32),
    /// Any win.
    Won,
    /// Any loss.
    Lost,
}

pub(crate) fn serialize<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    let score = match (*value, value.mate_in_moves()) {
        (Value::WIN, _) => Score::Won,
        (Value::LOSS, _) => Score::Lost,
        (_, Some(moves)) => Score::Mate(moves),
        (_, None) => Score::Cp(value.get()),
    };
    score.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let plies = |moves: i32| u16::try_from(moves).unwrap_or(Value::MAX_PLIES);
    Ok(match Score::deserialize(deserializer)? {
        Score::Won => Value::WIN,
        Score::Lost => Value::LOSS,
        Score::Mate(moves) if moves > 0 => Value::win_in(plies(moves).saturating_mul(2) - 1),
        Score::Mate(moves) => Value::loss_in(plies(moves.saturating_neg()).saturating_mul(2)),
        Score::Cp(centipawns) => Value::centipawns(centipawns.into()),
    })
}
