//! The outcome of an experiment in JSON, from which texts, pages and pictures are made.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::experiment::Findings;
use cassius::output::provenance::Provenance;

/// The findings of an experiment, and all that is needed to repeat it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The experiment's name.
    pub experiment: String,
    /// Subject in one line.
    pub title: String,
    /// Method and reading of the tables.
    pub about: String,
    /// Version of Cassius.
    pub cassius: String,
    /// Command, commit, date, machine.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Duration, in seconds.
    pub seconds: f64,
    /// The findings.
    #[serde(flatten)]
    pub findings: Findings,
}

impl Outcome {
    /// The table with this id.
    pub fn table(&self, id: &str) -> Option<&Table> {
        self.findings.tables.iter().find(|it| it.id == id)
    }
}

/// Indented JSON with a final newline.
pub(crate) fn pretty_json(content: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut json = serde_json::to_vec_pretty(content)?;
    json.push(b'\n');
    Ok(json)
}

/// An input file of an experiment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Name as the user gave it.
    pub file: String,
    /// Number of its positions that were used.
    pub positions: usize,
}

impl Input {
    /// The file at a path.
    pub(crate) fn new(path: &Path, positions: usize) -> Input {
        let file = path.display().to_string();
        Input { file, positions }
    }
}

/// A table, and how to draw it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Short name, unique within the outcome: `fig5.2`.
    pub id: String,
    /// Title.
    pub title: String,
    /// The columns, our own before published ones.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// Source of the published columns: `thesis, figure 5.2 (Win at Chess, 300 problems)`.
    pub source: Option<String>,
    /// The way to draw it, if any.
    pub plot: Option<Plot>,
}

/// A column of a [`Table`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Heading, unique within the table.
    pub name: String,
    /// Decimals shown; `None` for all.
    pub decimals: Option<usize>,
    /// Whether its cells were printed in a paper rather than measured here.
    pub published: bool,
}

impl Column {
    /// Columns by their headings, separated by ` | `. `:2` behind a heading means two decimals; without it, numbers are
    /// shown with all their decimals.
    fn list(headings: &str, published: bool) -> impl Iterator<Item = Column> {
        let headings = headings.split(" | ").filter(|it| !it.is_empty());
        headings.map(move |heading| {
            let (name, decimals) = heading.rsplit_once(':').unwrap_or((heading, ""));
            let decimals = decimals.parse().ok();
            Column {
                name: if decimals.is_some() { name } else { heading }.to_owned(),
                decimals,
                published,
            }
        })
    }
}

/// A cell of a [`Table`]; in JSON just its content.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A whole number.
    Whole(i64),
    /// Any other number; finite.
    Real(f64),
    /// Text.
    Text(String),
    /// Not measured, or not readable in the paper.
    Missing,
}

impl Cell {
    /// The cell as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Whole(number) => Some(*number as f64),
            Cell::Real(number) => Some(*number),
            Cell::Text(_) | Cell::Missing => None,
        }
    }

    /// The mean of numbers; missing if there are none.
    pub fn mean(numbers: impl IntoIterator<Item = f64>) -> Cell {
        let add = |(sum, count): (f64, u32), x: f64| (sum + x, count + 1);
        let (sum, count) = numbers.into_iter().fold((0.0, 0), add);
        Cell::from(sum / f64::from(count))
    }
}

impl From<f64> for Cell {
    /// Infinities and NaN become missing.
    fn from(number: f64) -> Cell {
        if number.is_finite() {
            Cell::Real(number)
        } else {
            Cell::Missing
        }
    }
}

/// Numbers and texts as cells.
macro_rules! cells {
    ($($from:ty: $cell:expr;)*) => {
        $(impl From<$from> for Cell {
            fn from(content: $from) -> Cell {
                $cell(content)
            }
        })*
    };
}

cells! {
    u64: |it| Cell::Whole(i64::try_from(it).unwrap_or(i64::MAX));
    usize: |it| Cell::from(it as u64);
    u32: |it| Cell::Whole(i64::from(it));
    i32: |it| Cell::Whole(i64::from(it));
    &str: |it: &str| Cell::Text(it.to_owned());
    String: Cell::Text;
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Cell {
        cell.map_or(Cell::Missing, Into::into)
    }
}

impl Table {
    /// A table without rows. Headings are separated by ` | `; `:2` behind one means two decimals.
    pub fn new(id: &str, title: impl Into<String>, headings: &str) -> Table {
        Table {
            id: id.to_owned(),
            title: title.into(),
            columns: Column::list(headings, false).collect(),
            rows: Vec::new(),
            source: None,
            plot: None,
        }
    }

    /// Appends a row of our own; cells not given are missing.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut row: Vec<Cell> = cells.into_iter().collect();
        row.resize(self.columns.len(), Cell::Missing);
        self.rows.push(row);
    }

    /// Appends a row whose first cell is of another kind than the others, such as a name.
    pub fn named_row<C: Into<Cell>>(
        &mut self,
        name: impl Into<Cell>,
        cells: impl IntoIterator<Item = C>,
    ) {
        let cells = cells.into_iter().map(Into::into);
        self.row([name.into()].into_iter().chain(cells));
    }

    /// Puts a paper's rows beside ours, in columns of their own: first to first, second to second. Call it after the
    /// last row of ours; the shorter side gets empty cells.
    #[must_use]
    pub fn beside(
        mut self,
        source: impl Into<String>,
        headings: &str,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Table {
        let own = self.columns.len();
        self.columns.extend(Column::list(headings, true));
        for (index, printed) in rows.into_iter().enumerate() {
            if index == self.rows.len() {
                self.rows.push(vec![Cell::Missing; own]);
            }
            self.rows[index].extend(printed);
        }
        let width = self.columns.len();
        for row in &mut self.rows {
            row.resize(width, Cell::Missing);
        }
        self.source = Some(source.into());
        self
    }

    /// Puts printed numbers beside our rows; in columns without decimals they become whole.
    #[must_use]
    pub fn printed<const N: usize>(
        self,
        source: impl Into<String>,
        headings: &str,
        rows: impl IntoIterator<Item = [f64; N]>,
    ) -> Table {
        let cells = |row: [f64; N]| {
            let pairs = Column::list(headings, true).zip(row);
            let cells = pairs.map(|(column, number)| match column.decimals {
                Some(_) => Cell::from(number),
                None => Cell::Whole(number as i64),
            });
            cells.collect()
        };
        self.beside(source, headings, rows.into_iter().map(cells))
    }

    /// Sets the way to draw it.
    #[must_use]
    pub fn plotted(mut self, plot: Plot) -> Table {
        self.plot = Some(plot);
        self
    }
}

/// Name of a row that sums up the others.
pub const TOTAL: &str = "total";

/// The way to draw a table: columns by name. Text on the x axis makes bars, numbers make lines; published columns are
/// dashed, and a [`TOTAL`] is not drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plot {
    /// The column along the x axis.
    pub x: String,
    /// The columns drawn.
    pub y: Vec<String>,
    /// Label of the y axis.
    pub y_label: String,
    /// Whether the x axis is logarithmic.
    pub log_x: bool,
    /// Whether the y axis is logarithmic.
    pub log_y: bool,
}

impl Plot {
    /// Draws the columns `y` over the column `x`, with linear axes.
    pub fn new<Y: Into<String>>(
        x: &str,
        y: impl IntoIterator<Item = Y>,
        y_label: impl Into<String>,
    ) -> Plot {
        Plot {
            x: x.to_owned(),
            y: y.into_iter().map(Into::into).collect(),
            y_label: y_label.into(),
            log_x: false,
            log_y: false,
        }
    }

    /// Makes the x axis logarithmic.
    #[must_use]
    pub fn log_x(mut self) -> Plot {
        self.log_x = true;
        self
    }

    /// Makes the y axis logarithmic.
    #[must_use]
    pub fn log_y(mut self) -> Plot {
        self.log_y = true;
        self
    }
}

/// An outcome with this table, for tests.
#[cfg(test)]
pub(crate) fn example(table: Table) -> Outcome {
    Outcome {
        experiment: "effort".to_owned(),
        title: "Effort".to_owned(),
        about: "Searches.".to_owned(),
        cassius: "0.1.0".to_owned(),
        provenance: Provenance {
            command: "cassius lab effort".to_owned(),
            commit: Some("0123456789ab".to_owned()),
            date: "2026-11-20".to_owned(),
            machine: "A machine".to_owned(),
        },
        seconds: 1.5,
        findings: Findings {
            seed: Some(3),
            inputs: vec![Input::new(Path::new("epd/wac.epd"), 1_200)],
            settings: vec![("limit".to_owned(), "7 nodes".to_owned())],
            tables: vec![table],
            notes: vec!["Take note.".to_owned()],
            left_out: Vec::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_plain_json_and_survive_it() {
        let cells = [
            Cell::from(7_u64),
            Cell::from(2.0),
            Cell::from("x"),
            Cell::from(f64::NAN),
            Cell::from(None::<u64>),
            Cell::mean([1.0, 2.0]),
            Cell::mean([]),
        ];
        let json = serde_json::to_string(&cells).unwrap();
        assert_eq!(json, r#"[7,2.0,"x",null,null,1.5,null]"#);
        let back: Vec<Cell> = serde_json::from_str(&json).unwrap();
        assert_eq!(back, cells);
    }

    #[test]
    fn published_rows_stand_beside_ours_however_many() {
        let ours = |rows: u64| {
            let mut table = Table::new("t", "T", "n");
            (0..rows).for_each(|row| table.row([row.into()]));
            table
        };
        let printed = || vec![vec![1.into(), 2.into()], vec![3.into(), 4.into()]];
        let longer = ours(3).beside("paper", "a | b", printed());
        assert_eq!(longer.rows[1], [1_u64.into(), 3.into(), 4.into()]);
        assert_eq!(longer.rows[2][1..], [Cell::Missing, Cell::Missing]);
        let shorter = ours(1).beside("paper", "a | b", printed());
        assert_eq!(shorter.rows[1], [Cell::Missing, 3.into(), 4.into()]);
        let published: Vec<bool> = shorter.columns.iter().map(|it| it.published).collect();
        assert_eq!(published, [false, true, true]);
    }
}
