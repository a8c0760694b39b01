//! Curves over the plies of a game: value, leaves needed to change it by the margin, MaxCN, MinCN.

use std::f64::consts::FRAC_2_PI;

use super::super::record::Row;
use super::super::verdict::PositionVerdict;
use crate::output::table::thousands;
use crate::web::escape;

/// Width and height of a chart and its margins, in its own units.
pub(super) const WIDTH: f64 = 720.0;
pub(super) const HEIGHT: f64 = 170.0;
pub(super) const LEFT: f64 = 52.0;
pub(super) const RIGHT: f64 = 8.0;
pub(super) const TOP: f64 = 12.0;
pub(super) const BOTTOM: f64 = 26.0;
/// Middle of a chart, and the distance from there to its ends.
pub(super) const MIDDLE: f64 = (TOP + HEIGHT - BOTTOM) / 2.0;
pub(super) const REACH: f64 = (HEIGHT - BOTTOM - TOP) / 2.0;
/// Value, in pawns, drawn half-way between even and won.
const HALF_WON: f64 = 4.0;

/// CSS classes of the sides, each with whether it is Black.
pub(super) const SIDES: [(&str, bool); 2] = [("white", false), ("black", true)];
/// Legend of curves of both sides.
pub(super) const BOTH_SIDES: &str =
    "<span class=\"key white\">White</span> <span class=\"key black\">Black</span>";

/// Common properties of a game's curves.
pub(super) struct Chart<'a> {
    /// Positions, at least two.
    pub(super) rows: &'a [Row],
    /// Plies of the moments that decided the game.
    pub(super) marks: &'a [usize],
    /// Name of the engine, if one judged.
    pub(super) engine: Option<&'a str>,
    /// Ply shown first.
    pub(super) at: usize,
}

/// A point in the chart.
pub(super) type Point = (f64, f64);

impl Chart<'_> {
    /// Curve of the value for White.
    pub(super) fn value(&self) -> String {
        let height = |pawns: f64| {
            let share = FRAC_2_PI * (pawns / HALF_WON).atan();
            TOP + (1.0 - share) / 2.0 * (HEIGHT - TOP - BOTTOM)
        };
        let mut grid = String::new();
        for pawns in [-9_i32, -3, -1, 0, 1, 3, 9] {
            let class = if pawns == 0 { "zero" } else { "line" };
            // Not all labels have room.
            let label = match pawns {
                0 => "0".to_owned(),
                -1 | 1 => String::new(),
                pawns => format!("{pawns:+}"),
            };
            grid += &line(class, height(pawns.into()), &label);
        }
        let point = |row: &Row, verdict: &PositionVerdict| {
            let mate = verdict.mate.map(|moves| match moves {
                0 if row.black => f64::INFINITY,
                0 => f64::NEG_INFINITY,
                moves => f64::from(moves.signum()) * f64::INFINITY,
            });
            let pawns = mate.or(verdict.cp.map(|cp| f64::from(cp) / 100.0))?;
            Some((self.x(row.ply), height(pawns)))
        };
        let points = self.rows.iter().map(|row| point(row, &row.verdict));
        let points: Vec<Option<Point>> = points.collect();
        let own = self.rows.iter();
        let own = path(own.map(|row| point(row, &row.own.as_ref()?.verdict)));
        let area = area(&points, height(0.0));
        let limits = self.rows.iter().map(|row| {
            let [value, error] = [row.verdict.cp?, row.error(&row.verdict)? as i32];
            let limit = |cp: i32| (self.x(row.ply), height(f64::from(cp) / 100.0));
            Some([limit(value + error), limit(value - error)])
        });
        let limits: Vec<Option<[Point; 2]>> = limits.collect();
        let band = band(&limits);
        let legend = match (self.engine, band.as_str()) {
            (Some(engine), _) => format!(
                "<span class=\"key value\">{}</span> <span class=\"key own\">Cassius</span>",
                escape(engine)
            ),
            (None, "") => String::new(),
            (None, _) => "<span class=\"key band\">give or take</span>".to_owned(),
        };
        let curves = format!(
            "{area}{band}{}<path class=\"own\" d=\"{own}\"/><path class=\"value\" d=\"{}\"/>{}",
            self.phase_names(),
            path(points.iter().copied()),
            self.moments(&points)
        );
        let told = self.in_words();
        self.frame("Value for White, in pawns", &legend, &told, &grid, &curves)
    }

    /// Curves of the leaves needed for White to stand worse, and better, by the margin.
    pub(super) fn sureness(&self) -> String {
        type Number = fn(&Row) -> Option<u32>;
        let sides: [(&str, Number); 2] = [
            ("worse", |row| row.verdict.margin_lower),
            ("better", |row| row.verdict.margin_higher),
        ];
        let numbers = self.rows.iter();
        let numbers = numbers.flat_map(|row| sides.map(|(_, number)| number(row)));
        let (height, grid) = counts(numbers.flatten().max().unwrap_or(0));
        let curves = sides
            .map(|(class, number)| self.curve(class, |row| Some(height(number(row)?)), |_| true));
        let legend =
            "<span class=\"key worse\">White worse</span> <span class=\"key better\">better</span>";
        let name = "Leaves that must be wrong to change the value by the margin";
        self.frame(name, legend, "", &grid, &curves.concat())
    }

    /// Curves of a number for either player, with a dot where it `falls` abruptly.
    pub(super) fn numbers(
        &self,
        name: &str,
        number: impl Fn(&Row) -> Option<u32>,
        falls: impl Fn(&Row) -> bool,
    ) -> String {
        let most = self.rows.iter().filter_map(&number).max();
        let (height, grid) = counts(most.unwrap_or(0));
        let y = |row: &Row| Some(height(number(row)?));
        let curves =
            SIDES.map(|(class, black)| self.curve(class, y, |row: &Row| row.black == black));
        let dots =
            SIDES.map(|(class, black)| self.dots(class, y, |row| row.black == black && falls(row)));
        let curves = [curves, dots].concat().concat();
        self.frame(name, BOTH_SIDES, "", &grid, &curves)
    }

    /// Horizontal place of a ply.
    pub(super) fn x(&self, ply: usize) -> f64 {
        LEFT + ply as f64 * self.step()
    }

    /// Distance between two plies.
    pub(super) fn step(&self) -> f64 {
        (WIDTH - LEFT - RIGHT) / (self.rows.len() - 1) as f64
    }

    /// Curve through the rows that have a height, broken at others.
    fn curve(
        &self,
        class: &str,
        y: impl Fn(&Row) -> Option<f64>,
        has: impl Fn(&Row) -> bool,
    ) -> String {
        let rows = self.rows.iter().filter(|row| has(row));
        let points = rows.map(|row| Some((self.x(row.ply), y(row)?)));
        format!("<path class=\"{class}\" d=\"{}\"/>", path(points))
    }

    /// Dots at some rows, with links to them.
    fn dots(
        &self,
        class: &str,
        y: impl Fn(&Row) -> Option<f64>,
        has: impl Fn(&Row) -> bool,
    ) -> String {
        let rows = self.rows.iter().filter(|row| has(row));
        let dots = rows.filter_map(|row| {
            let (x, y) = (self.x(row.ply), y(row)?);
            Some(format!(
                "<a href=\"#g{}p{}\"><title>{}</title><circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/></a>",
                row.game,
                row.ply,
                escape(&row.move_text()),
            ))
        });
        dots.collect()
    }

    /// A chart without its curves. `told` describes it for screen readers.
    pub(super) fn frame(
        &self,
        name: &str,
        legend: &str,
        told: &str,
        grid: &str,
        curves: &str,
    ) -> String {
        let bottom = HEIGHT - BOTTOM;
        let phases = self.phases();
        let x = self.x(self.at);
        format!(
            "<figure class=\"chart\"><figcaption>{name} {legend}</figcaption>\
             <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" data-left=\"{LEFT}\" data-step=\"{:.4}\" role=\"group\" aria-label=\"{name}. {told} The table of moves has all numbers.\">\
             {phases}{grid}{}{curves}<path class=\"now\" d=\"M0 {TOP}V{bottom}\" transform=\"translate({x:.1} 0)\"/></svg></figure>",
            self.step(),
            self.move_numbers(),
        )
    }

    /// Move numbers along the bottom.
    fn move_numbers(&self) -> String {
        // A phone has room for some fifteen.
        let every = match self.rows.len() {
            0..=120 => 10,
            121..=400 => 20,
            _ => 50,
        };
        let begin_moves = self.rows.iter().filter(|row| !row.black);
        let shown = begin_moves.filter(|row| row.number.is_multiple_of(every));
        let numbers = shown.map(|row| {
            let (x, y, number) = (self.x(row.ply), HEIGHT - 6.0, row.number);
            format!("<text class=\"move\" x=\"{x:.1}\" y=\"{y}\">{number}</text>")
        });
        numbers.collect()
    }
}

/// Logarithmic scale of counts up to `most`: a function to heights, and its lines.
fn counts(most: u32) -> (impl Fn(u32) -> f64, String) {
    let most = most.max(3);
    let scale = |count: u32| (f64::from(count) + 1.0).ln();
    let height =
        move |count: u32| TOP + (1.0 - scale(count) / scale(most)) * (HEIGHT - TOP - BOTTOM);
    let mut grid = String::new();
    let ticks = [0, 1, 3, 10, 30, 100, 300, 1_000, 10_000, 100_000];
    let mut last = f64::INFINITY;
    for tick in ticks.into_iter().filter(|&tick| tick <= most) {
        // Keeps labels apart.
        if last - height(tick) > 22.0 {
            last = height(tick);
            grid += &line("line", last, &thousands(tick.into()));
        }
    }
    (height, grid)
}

/// Horizontal line with its label.
pub(super) fn line(class: &str, y: f64, label: &str) -> String {
    format!(
        "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{}\"/><text x=\"{:.0}\" y=\"{:.1}\">{label}</text>",
        WIDTH - RIGHT,
        LEFT - 6.0,
        y + 4.5
    )
}

/// Path through points, broken where one is missing.
fn path(points: impl Iterator<Item = Option<Point>>) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for point in points {
        let Some((x, y)) = point else {
            pen = 'M';
            continue;
        };
        path += &format!("{pen}{x:.1} {y:.1}");
        pen = 'L';
    }
    path
}

/// Area between upper and lower points, in pieces where some are missing.
fn band(limits: &[Option<[Point; 2]>]) -> String {
    let pieces = limits.split(Option::is_none).filter(|it| !it.is_empty());
    let pieces = pieces.map(|piece| {
        let piece = piece.iter().flatten();
        let upper = piece.clone().map(|it| Some(it[0]));
        let lower = piece.rev().map(|it| Some(it[1]));
        path(upper.chain(lower)) + "Z"
    });
    let pieces: String = pieces.collect();
    match pieces.as_str() {
        "" => pieces,
        _ => format!("<path class=\"band\" d=\"{pieces}\"/>"),
    }
}

/// Area between points and a base line.
fn area(points: &[Option<Point>], base: f64) -> String {
    let known: Vec<Point> = points.iter().copied().flatten().collect();
    let (Some(first), Some(last)) = (known.first(), known.last()) else {
        return String::new();
    };
    let curve = path(known.iter().copied().map(Some)).replacen('M', "L", 1);
    let (first, last) = (first.0, last.0);
    format!("<path class=\"area\" d=\"M{first:.1} {base:.1}{curve}L{last:.1} {base:.1}Z\"/>")
}
