//! Recorded figures in running text.
//!
//! In a sentence `{{FILE.json TABLE; ROW; COLUMN}}` stands for one cell of a recorded table, written as the
//! table writes it. A row is named by what stands in its first column, or is `last`; a column by its heading.
//! Two columns with a sign between them are worked out: `A / B` is their quotient, and `A - B` the difference
//! of two paired counts with the half width of its 95 % interval. `{{FILE.json made; NAME}}` is what was
//! chosen, by name, or `command`, `commit`, `date`, `positions`. So words can quote figures, and none of
//! them can be out of date.

use super::outcome::{Cell, Outcome, Table};
use super::text;
use cassius::output::table::thousands;

/// The line with every figure in its place. `outcome` knows the recorded outcomes by the names of their
/// files. The error says what is not there.
pub fn expand<'a>(
    line: &str,
    outcome: impl Fn(&str) -> Option<&'a Outcome>,
) -> Result<String, String> {
    let mut done = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("{{") {
        let (inner, after) = after
            .split_once("}}")
            .ok_or_else(|| format!("'{{{{{after}' is not closed"))?;
        let (file, what) = inner.trim().split_once(' ').ok_or_else(|| {
            format!("'{inner}' does not say which figure: FILE.json TABLE; ROW; COLUMN")
        })?;
        let found = outcome(file)
            .ok_or_else(|| format!("there is no {file} of an experiment in the folder"))?;
        done.push_str(before);
        done.push_str(&figure(found, what).map_err(|reason| format!("{file}: {reason}"))?);
        rest = after;
    }
    done.push_str(rest);
    Ok(done)
}

/// One figure of an outcome.
fn figure(outcome: &Outcome, what: &str) -> Result<String, String> {
    let parts: Vec<&str> = what.split(';').map(str::trim).collect();
    match parts[..] {
        ["made", name] => made(outcome, name),
        [id, row, column] => {
            let table = outcome.tables.iter().find(|table| table.id == id);
            let table = table.ok_or_else(|| format!("there is no table '{id}'"))?;
            cell(table, row, column)
        }
        _ => Err(format!(
            "'{what}' is neither TABLE; ROW; COLUMN nor made; NAME"
        )),
    }
}

/// How an outcome was made, by the name of what is asked for.
fn made(outcome: &Outcome, name: &str) -> Result<String, String> {
    let provenance = &outcome.provenance;
    match name {
        "command" => return Ok(provenance.command.clone()),
        "date" => return Ok(provenance.date.clone()),
        "commit" => {
            let commit = provenance.commit.clone();
            return commit.ok_or_else(|| "its commit is not known".to_owned());
        }
        "positions" => {
            let positions: usize = outcome.inputs.iter().map(|input| input.positions).sum();
            return Ok(thousands(positions as u64));
        }
        _ => {}
    }
    let setting = outcome.settings.iter().find(|(known, _)| known == name);
    setting
        .map(|(_, value)| value.clone())
        .ok_or_else(|| format!("there is no setting '{name}'"))
}

/// A cell, or what follows from two cells of a row.
fn cell(table: &Table, row: &str, column: &str) -> Result<String, String> {
    let id = &table.id;
    let names_it = |cells: &&Vec<Cell>| {
        let first = table.columns.first().zip(cells.first());
        first.is_some_and(|(column, cell)| text::cell(column, cell) == row)
    };
    let cells = match row {
        "last" => table.rows.last(),
        _ => table.rows.iter().find(names_it),
    };
    let cells = cells.ok_or_else(|| format!("table {id} has no row '{row}'"))?;
    let at = |name: &str| {
        let at = table.columns.iter().position(|it| it.name == name);
        at.ok_or_else(|| format!("table {id} has no column '{name}'"))
    };
    let number = |name: &str| {
        let number = cells.get(at(name)?).and_then(Cell::number);
        number.ok_or_else(|| format!("table {id}, row '{row}': '{name}' is no number"))
    };
    match at(column) {
        Ok(at) => {
            let known = table.columns.get(at).zip(cells.get(at));
            let (column, cell) = known.ok_or_else(|| format!("table {id} is too short"))?;
            Ok(text::cell(column, cell))
        }
        Err(unknown) => {
            if let Some((a, b)) = column.split_once(" / ") {
                Ok(format!("{:.2}", number(a)? / number(b)?))
            } else if let Some((a, b)) = column.split_once(" - ") {
                Ok(difference(number(a)?, number(b)?))
            } else {
                Err(unknown)
            }
        }
    }
}

/// How many more cases only the first got than only the second, with 1.96 standard errors: cases that both
/// or neither got do not count.
fn difference(only_a: f64, only_b: f64) -> String {
    let half_width = 1.96 * (only_a + only_b).sqrt();
    format!("{:+.0} ± {half_width:.0}", only_a - only_b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Column, Input};
    use cassius::output::provenance::Provenance;

    fn recorded() -> Outcome {
        let columns = [
            Column::new("nodes"),
            Column::new("only A"),
            Column::new("only B"),
            Column::decimals("mean", 1),
        ];
        let mut table = Table::new("fig9", "A table", columns);
        table.row([10_000.into(), 4.into(), 20.into(), 0.25.into()]);
        table.row([20_000.into(), 9.into(), 7.into(), Cell::Missing]);
        Outcome {
            experiment: "trial".to_owned(),
            title: String::new(),
            about: String::new(),
            cassius: String::new(),
            provenance: Provenance {
                command: "cassius lab trial".to_owned(),
                commit: None,
                date: "2026-11-24".to_owned(),
                machine: String::new(),
            },
            seconds: 0.0,
            seed: None,
            inputs: vec![Input {
                file: "a.epd".to_owned(),
                positions: 1_200,
            }],
            settings: vec![("limit".to_owned(), "7 nodes".to_owned())],
            tables: vec![table],
            notes: Vec::new(),
        }
    }

    fn expanded(line: &str) -> Result<String, String> {
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
        assert_eq!(expanded(line).unwrap(), "cassius lab trial: 1 200, 7 nodes");
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
            ("{{a.json made; commit}}", "not known"),
            ("{{a.json made; colour}}", "no setting 'colour'"),
            ("{{a.json fig9; last; mean", "not closed"),
        ] {
            let reason = expanded(line).unwrap_err();
            assert!(reason.contains(named), "{line}: {reason}");
        }
    }
}
