//! `cassius lab tree`: a small tree drawn with its conspiracy numbers, as text and as SVG.
//!
//! - [`parse`]: the notation, `MAX(MIN(5,2),MIN(3,4))`.
//! - [`diagram`]: what is drawn: nodes, numbers, conspirators. The numbers are those of the recursive
//!   definition, [`Tree::conspiracy_number`].
//! - [`text`] and [`svg`]: the drawings.

pub mod diagram;
pub mod parse;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use thiserror::Error;

use self::diagram::Diagram;
use cassius::conspiracy::Count;
use cassius::conspiracy::definition::Tree;
use cassius::output::output_file::{self, Existing, OutputError};

/// What to draw.
#[derive(Clone, Debug)]
pub struct Request {
    /// The tree.
    pub tree: Tree,
    /// The least and the greatest value there is; without, there are no bounds.
    pub range: Option<(i32, i32)>,
    /// Mark the leftmost smallest set of conspirators that moves the root to this value.
    pub target: Option<i32>,
    /// Show the likely range at this conspiracy threshold.
    pub threshold: Option<Count>,
    /// Draw the tree into this file, too.
    pub svg: Option<PathBuf>,
    /// What becomes of a file that is there already.
    pub existing: Existing,
}

/// Why a tree cannot be drawn.
#[derive(Debug, Error)]
pub enum TreeError {
    /// A value of a leaf, or the target, is none of those there are.
    #[error("the value {value} is not in the range {low}..{high}")]
    OutOfRange {
        /// The value.
        value: i32,
        /// The least there is.
        low: i32,
        /// The greatest there is.
        high: i32,
    },
    /// The drawing cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// Standard output.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Draws a tree as text on `out` and, if asked for, as SVG into a file.
pub fn draw(request: &Request, out: &mut dyn Write) -> Result<(), TreeError> {
    if let (Some((low, high)), Some(value)) = (request.range, request.target)
        && !(low..=high).contains(&value)
    {
        return Err(TreeError::OutOfRange { value, low, high });
    }
    let diagram = Diagram::new(&request.tree, request.range).map_err(|value| {
        let (low, high) = request.range.unwrap_or_default();
        TreeError::OutOfRange { value, low, high }
    })?;
    if let Some(path) = &request.svg {
        let drawing = svg::draw(&diagram, request.target, request.threshold);
        output_file::write(path, request.existing, drawing.as_bytes())?;
    }
    let drawing = text::draw(&diagram, request.target, request.threshold);
    Ok(out.write_all(drawing.as_bytes())?)
}

/// Reads a range of values, `-3..3`.
pub fn parse_range(text: &str) -> Result<(i32, i32), String> {
    let limit = parse::MAX_VALUE;
    let end = |text: &str| text.trim().parse::<i32>().ok();
    let ends = text.split_once("..");
    match ends.and_then(|(low, high)| Some((end(low)?, end(high)?))) {
        Some((low, high)) if -limit <= low && low <= high && high <= limit => Ok((low, high)),
        Some(_) => Err(format!(
            "a range goes from a value to one no smaller, both from -{limit} to {limit}"
        )),
        None => Err("expected two whole numbers as in -3..3".to_owned()),
    }
}
