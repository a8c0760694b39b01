//! Recorded figures in running text.
//!
//! In a sentence `{{FILE.json TABLE; ROW; COLUMN}}` stands for one cell of a recorded table, formatted as in the table.
//! A row is named by its first cell, or is `last`; a column by its heading. Two columns with a sign between them are
//! computed: `A / B` is their quotient, and `A - B` the difference of two paired counts with the half width of its 95 %
//! interval. `{{FILE.json made; NAME}}` is a setting, or `command`, `commit`, `date`, `positions`. So figures in
//! sentences cannot go out of date.

use anyhow::{Context as _, Result, anyhow, bail};

use super::outcome::{Cell, Outcome, Table};
use super::statistics::Z95;
use super::text;
use cassius::output::table::thousands;

/// Puts figures in place of all `{{...}}` in a line. `outcome` returns a recorded outcome by the name of its file. The
/// error names what is missing.
pub fn expand<'a>(line: &str, outcome: impl Fn(&str) -> Option<&'a Outcome>) -> Result<String> {
    let mut done = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let not_closed = || format!("'{{{{{after}' is not closed");
        let (inner, after) = after.split_once("}}").with_context(not_closed)?;
        let unsaid =
            || format!("'{inner}' does not say which figure: FILE.json TABLE; ROW; COLUMN");
        let (file, what) = inner.trim().split_once(' ').with_context(unsaid)?;
        let missing = || format!("there is no {file} of an experiment in the folder");
        let found = outcome(file).with_context(missing)?;
        done.push_str(before);
        done.push_str(&figure(found, what).with_context(|| file.to_owned())?);
        rest = after;
    }
    done.push_str(rest);
    Ok(done)
}

/// The text of one figure of an outcome.
fn figure(outcome: &Outcome, what: &str) -> Result<String> {
    let parts: Vec<&str> = what.split(';').map(str::trim).collect();
    match parts[..] {
        ["made", name] => made(outcome, name),
        [id, row, column] => {
            let table = outcome.table(id);
            let table = table.with_context(|| format!("there is no table '{id}'"))?;
            cell(table, row, column).with_context(|| format!("table {id}"))
        }
        _ => bail!("'{what}' is neither TABLE; ROW; COLUMN nor made; NAME"),
    }
}

/// A setting or a fact of provenance, by its name.
fn made(outcome: &Outcome, name: &str) -> Result<String> {
    let provenance = &outcome.provenance;
    let made = match name {
        "command" => Some(provenance.command.clone()),
        "date" => Some(provenance.date.clone()),
        "commit" => provenance.commit.clone(),
        "positions" => {
            let inputs = outcome.findings.inputs.iter();
            let positions: usize = inputs.map(|input| input.positions).sum();
            Some(thousands(positions as u64))
        }
        _ => {
            let mut settings = outcome.findings.settings.iter();
            settings.find_map(|(known, value)| (known == name).then(|| value.clone()))
        }
    };
    made.with_context(|| format!("its {name} is not known"))
}

/// The text of a cell, or of a computation with two cells of a row.
fn cell(table: &Table, row: &str, column: &str) -> Result<String> {
    let shown = |cells: &[Cell], at: usize| {
        let known = table.columns.get(at).zip(cells.get(at));
        known.map(|(column, cell)| text::cell(column, cell))
    };
    let is_it = |cells: &&Vec<Cell>| shown(cells, 0).as_deref() == Some(row);
    let cells = match row {
        "last" => table.rows.last(),
        _ => table.rows.iter().find(is_it),
    };
    let cells = cells.with_context(|| format!("no row '{row}'"))?;
    let at = |name: &str| table.columns.iter().position(|it| it.name == name);
    let number = |name: &str| {
        let number = at(name).and_then(|at| cells.get(at)?.number());
        number.with_context(|| format!("row '{row}': '{name}' is no number"))
    };
    if let Some(text) = at(column).and_then(|at| shown(cells, at)) {
        Ok(text)
    } else if let Some((a, b)) = column.split_once(" / ") {
        Ok(format!("{:.2}", number(a)? / number(b)?))
    } else if let Some((a, b)) = column.split_once(" - ") {
        Ok(difference(number(a)?, number(b)?))
    } else {
        Err(anyhow!("no column '{column}'"))
    }
}

/// The difference of the counts of cases that only A and only B got, with the half width of its 95 % interval. Cases
/// that both or neither got do not matter.
fn difference(only_a: f64, only_b: f64) -> String {
    let half_width = Z95 * (only_a + only_b).sqrt();
    format!("{:+.0} ± {half_width:.0}", only_a - only_b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::example;

    fn recorded() -> Outcome {
        let headings = "nodes | only A | only B | mean:1";
        let mut table = Table::new("fig9", "A table", headings);
        table.row([10_000.into(), 4.into(), 20.into(), 0.25.into()]);
        table.row([20_000.into(), 9.into(), 7.into(), Cell::Missing]);
        example(table)
    }

    fn expanded(line: &str) -> Result<String> {
        let outcome = recorded();
        expand(line, |file| (file == "a.json").then_some(&outcome))
    }

    #[test]
    fn figures_are_written_as_their_table_writes_them() {
        let line = "So {{a.json fig9; 10 000; mean}} of {{ a.json fig9; last; nodes }}, no more.";
        assert_eq!(expanded(line).unwrap(), "So 0.2 of 20 000, no more.");
        assert_eq!(expanded("{{a.json fig9; last; mean}}").unwrap(), "-");
        assert_eq!(expanded("none at all").unwrap(), "none at all");
    }

    #[test]
    fn quotients_and_differences_are_worked_out() {
        let line = "{{a.json fig9; last; only A / only B}}, {{a.json fig9; last; only A - only B}}";
        assert_eq!(expanded(line).unwrap(), "1.29, +2 ± 8");
        let worse = expanded("{{a.json fig9; 10 000; only A - only B}}");
        assert_eq!(worse.unwrap(), "-16 ± 10");
    }

    #[test]
    fn how_it_was_made_can_be_quoted() {
        let line = "{{a.json made; command}}: {{a.json made; positions}}, {{a.json made; limit}}";
        let expected = "cassius lab effort: 1 200, 7 nodes";
        assert_eq!(expanded(line).unwrap(), expected);
    }

    #[test]
    fn what_is_not_there_is_named() {
        for (line, named) in [
            ("{{b.json fig9; last; mean}}", "no b.json"),
            ("{{a.json fig8; last; mean}}", "no table 'fig8'"),
            ("{{a.json fig9; 30 000; mean}}", "no row '30 000'"),
            ("{{a.json fig9; last; median}}", "no column 'median'"),
            ("{{a.json fig9; last; mean / nodes}}", "'mean' is no number"),
            ("{{a.json fig9; last}}", "neither"),
            ("{{a.json}}", "does not say"),
            ("{{a.json made; Commit}}", "not known"),
            ("{{a.json made; colour}}", "its colour is not known"),
            ("{{a.json fig9; last; mean", "not closed"),
        ] {
            let reason = format!("{:#}", expanded(line).unwrap_err());
            assert!(reason.contains(named), "{line}: {reason}");
        }
    }
}
