//! `cassius lab tree`: a small tree drawn with its conspiracy numbers, as text and as SVG.
//!
//! - [`parse`]: the notation, `MAX(MIN(5,2),MIN(3,4))`.
//! - [`diagram`]: the contents: nodes, numbers, conspirators. The numbers are those of the recursive definition,
//!   [`Tree::conspiracy_number`].
//! - [`text`] and [`svg`]: the drawings.

pub mod diagram;
pub mod parse;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use clap::builder::TypedValueParser as _;

use self::diagram::Diagram;
use cassius::conspiracy::Count;
use cassius::conspiracy::definition::Tree;
use cassius::output::output_file::{self, OverwriteArgs};

const EXAMPLES: &str = "\
Examples:
  cassius lab tree 'MAX(MIN(5,2),MIN(3,4))'
  cassius lab tree 'MAX(MIN(5,2),MIN(3,4))' --target 6 --threshold 2 --svg tree.svg
  cassius lab tree 'MAX(0,0)' --range -3..3 --threshold 2";

/// Tree to draw, and marks on it.
#[derive(Clone, Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Request {
    /// The tree
    #[arg(value_name = "TREE", value_parser = parse::parse, allow_hyphen_values = true)]
    pub tree: Tree,
    /// The least and the greatest value there is, as -3..3 [default: no bounds]
    #[arg(long, value_name = "LOW..HIGH", value_parser = parse_range,
          allow_hyphen_values = true)]
    pub range: Option<(i32, i32)>,
    /// Mark a smallest set of conspirators to make the root this value
    #[arg(long, value_name = "V", allow_negative_numbers = true,
          value_parser = clap::value_parser!(i32).range(
              -i64::from(parse::MAX_VALUE)..=i64::from(parse::MAX_VALUE)))]
    pub target: Option<i32>,
    /// Show the likely range at this conspiracy threshold
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=254).map(Count::new))]
    pub threshold: Option<Count>,
    /// Draw the tree into this file, too
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Whether existing files are replaced.
    #[command(flatten)]
    pub overwrite: OverwriteArgs,
}

/// Draws a tree as text on `out` and, if asked for, as SVG to a file.
pub fn draw(request: &Request, out: &mut dyn Write) -> Result<()> {
    let (low, high) = request.range.unwrap_or_default();
    let outside = |value| anyhow!("the value {value} is not in the range {low}..{high}");
    if let Some(value) = request.target {
        let is_inside = request.range.is_none() || (low..=high).contains(&value);
        ensure!(is_inside, outside(value));
    }
    let diagram = Diagram::new(&request.tree, request.range).map_err(outside)?;
    if let Some(path) = &request.svg {
        output_file::check_distinct([], [Some(path.as_path())])?;
        let drawing = svg::draw(&diagram, request.target, request.threshold);
        output_file::write(path, request.overwrite.existing(), drawing.as_bytes())?;
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
