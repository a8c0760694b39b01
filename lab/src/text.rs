//! Outcomes as text, for a terminal or as Markdown.

use std::fmt::Write as _;

use super::outcome::{Cell, Column, Outcome, Table};
use cassius::output::table::{self, thousands};
use cassius::version;

/// An outcome for a terminal: title, provenance, tables, notes.
pub fn outcome(outcome: &Outcome) -> String {
    let mut text = format!("{}\n", outcome.title);
    for line in origin(outcome) {
        let _ = writeln!(text, "{line}");
    }
    for table in &outcome.findings.tables {
        let _ = write!(text, "\n{}", plain(table));
    }
    text + &notes(outcome)
}

/// The notes of an outcome, a list below an empty line; empty if there are none.
pub(super) fn notes(outcome: &Outcome) -> String {
    let notes = &outcome.findings.notes;
    let lines: String = notes.iter().map(|note| format!("- {note}\n")).collect();
    if lines.is_empty() {
        lines
    } else {
        format!("\n{lines}")
    }
}

/// A table for a terminal, under its title.
pub fn plain(table: &Table) -> String {
    let mut text = format!("{}\n{}", heading(table), cells(table, true));
    if let Some(source) = &table.source {
        let _ = writeln!(text, "Columns right of the bar: {source}");
    }
    text
}

/// A table as Markdown, under its title.
pub fn markdown(table: &Table) -> String {
    let mut text = format!(
        "**{}**\n\n{}",
        heading(table),
        cells(table, false).markdown()
    );
    if let Some(source) = &table.source {
        let _ = write!(text, "\nColumns in italics: {source}.\n");
    }
    text
}

/// Provenance of an outcome, in lines: version, day, machine; files; settings.
pub fn origin(outcome: &Outcome) -> Vec<String> {
    let provenance = &outcome.provenance;
    let (date, machine) = (&provenance.date, &provenance.machine);
    let version = version::of_results(&outcome.cassius, provenance.commit.as_deref());
    let mut lines = vec![format!("Cassius {version}, {date}, {machine}")];
    let findings = &outcome.findings;
    let inputs = findings.inputs.iter();
    let inputs = inputs.map(|it| format!("{} ({} positions)", it.file, it.positions));
    let inputs: Vec<String> = inputs.collect();
    if !inputs.is_empty() {
        lines.push(inputs.join(", "));
    }
    let settings = findings.settings.iter();
    let settings = settings.map(|(name, value)| format!("{name}: {value}"));
    let seed = findings.seed.map(|seed| format!("seed: {seed}"));
    let settings: Vec<String> = settings.chain(seed).collect();
    if !settings.is_empty() {
        lines.push(settings.join("; "));
    }
    lines
}

/// The title, after `Figure 5.2: ` if the id is `fig5.2` or `fig5.2-more`.
fn heading(table: &Table) -> String {
    let figure = table.id.strip_prefix("fig");
    match figure.and_then(|rest| rest.split('-').next()) {
        Some(number) => format!("Figure {number}: {}", table.title),
        None => table.title.clone(),
    }
}

/// The cells of a table. `bar` sets published columns apart by a bar; otherwise their headings are in italics.
fn cells(table: &Table, bar: bool) -> table::Table {
    let bar_at = table.columns.iter().position(|it| it.published && bar);
    let name = |column: &Column| {
        if column.published && !bar {
            format!("*{}*", column.name)
        } else {
            column.name.clone()
        }
    };
    let mut headings: Vec<String> = table.columns.iter().map(name).collect();
    if let Some(at) = bar_at {
        headings.insert(at, "|".to_owned());
    }
    let mut text = table::Table::new(headings);
    for row in &table.rows {
        let pairs = table.columns.iter().zip(row);
        let mut cells: Vec<String> = pairs.map(|(column, it)| cell(column, it)).collect();
        if let Some(at) = bar_at {
            cells.insert(at, "|".to_owned());
        }
        text.row(cells);
    }
    text
}

/// A cell formatted by its column.
pub(super) fn cell(column: &Column, cell: &Cell) -> String {
    match cell {
        Cell::Whole(number) => {
            let sign = if *number < 0 { "-" } else { "" };
            format!("{sign}{}", thousands(number.unsigned_abs()))
        }
        Cell::Real(number) => match column.decimals {
            Some(0) if *number >= 0.0 => thousands(number.round() as u64),
            // With decimals, a positive number must not look like 0.
            Some(decimals) if *number > 0.0 && *number < 0.5 * 0.1_f64.powi(decimals as i32) => {
                format!("<{:.decimals$}", 0.1_f64.powi(decimals as i32))
            }
            Some(decimals) => format!("{number:.decimals$}"),
            None => number.to_string(),
        },
        Cell::Text(text) => text.clone(),
        Cell::Missing => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::example;

    fn recorded() -> Outcome {
        let headings = "nodes | solved | mean:1";
        let mut table = Table::new("fig5.2", "Problems solved", headings);
        table.row([10_000_u64.into(), 7_u64.into(), 2.25.into()]);
        table.row([20_000_u64.into(), (-7).into(), Cell::Missing]);
        table.row([30_000_u64.into(), 0.into(), 0.049.into()]);
        let printed = vec![vec![Cell::from(157)]];
        let table = table.beside("thesis, figure 5.2", "Conspire", printed);
        example(table)
    }

    #[test]
    fn a_terminal_gets_it_all() {
        let expected = "\
Effort
Cassius 0.1.0 (commit 0123456789ab), 2026-11-20, A machine
epd/wac.epd (1200 positions)
limit: 7 nodes; seed: 3

Figure 5.2: Problems solved
nodes   solved  mean  |  Conspire
10 000       7   2.2  |       157
20 000      -7     -  |         -
30 000       0  <0.1  |         -
Columns right of the bar: thesis, figure 5.2

- Take note.
";
        assert_eq!(outcome(&recorded()), expected);
    }

    #[test]
    fn markdown_sets_published_columns_apart() {
        let expected = "\
**Figure 5.2: Problems solved**

| nodes | solved | mean | *Conspire* |
| --- | ---: | ---: | ---: |
| 10 000 | 7 | 2.2 | 157 |
| 20 000 | -7 | - | - |
| 30 000 | 0 | <0.1 | - |

Columns in italics: thesis, figure 5.2.
";
        assert_eq!(markdown(&recorded().findings.tables[0]), expected);
    }
}
