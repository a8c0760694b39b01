//! Marks the phases and moments of a game on its curves, and puts the curve of values into words.

use super::super::phase::Phase;
use super::super::record::Row;
use super::chart::{BOTTOM, Chart, HEIGHT, Point, TOP, WIDTH};
use crate::web::escape;

/// Width of a phase's name.
const NAME_WIDTH: f64 = 80.0;

impl Chart<'_> {
    /// Lines where the middlegame and the endgame begin.
    pub(super) fn phases(&self) -> String {
        let bottom = HEIGHT - BOTTOM;
        let lines = self.new_phases().map(|row| {
            let x = self.x(row.ply);
            format!("<path class=\"phase\" d=\"M{x:.1} {TOP}V{bottom}\"/>")
        });
        lines.collect()
    }

    /// Names of the phases, where there is room.
    pub(super) fn phase_names(&self) -> String {
        let mut names = String::new();
        let mut begins = self.new_phases().peekable();
        while let Some(row) = begins.next() {
            let end = begins.peek().map_or(WIDTH, |next| self.x(next.ply));
            let (x, y) = (self.x(row.ply) + 4.0, TOP + 2.0);
            let name = row.facts.phase.map_or("", Phase::name).to_lowercase();
            if end - x > NAME_WIDTH {
                names += &format!("<text class=\"phase\" x=\"{x:.1}\" y=\"{y}\">{name}</text>");
            }
        }
        names
    }

    /// Positions at which the middlegame and the endgame begin.
    fn new_phases(&self) -> impl Iterator<Item = &Row> {
        let pairs = self.rows.windows(2);
        let changes = pairs.filter(|pair| pair[0].facts.phase != pair[1].facts.phase);
        changes.map(|pair| &pair[1])
    }

    /// Numbered moments at the points of a curve, with links to their puzzles.
    pub(super) fn moments(&self, points: &[Option<Point>]) -> String {
        let dots = (1..).zip(self.marks).filter_map(|(number, &ply)| {
            let row = self.rows.get(ply)?;
            let (x, y) = (*points.get(ply)?)?;
            Some(format!(
                "<a href=\"#g{0}m{ply}\" aria-label=\"moment {number}: {1}\"><circle class=\"value\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\"/><text class=\"moment\" x=\"{x:.1}\" y=\"{2:.1}\">{number}</text></a>",
                row.game,
                escape(&row.move_text()),
                y + 4.0,
            ))
        });
        dots.collect()
    }

    /// Describes the curve of values in words, for an attribute.
    pub(super) fn in_words(&self) -> String {
        let value = |row: &Row| row.verdict.value_for_white();
        let known = || self.rows.iter().filter(|row| value(row).is_some());
        let at = |name: &str, row: Option<&Row>| {
            row.map_or_else(String::new, |row| {
                format!(
                    "{name} {} before {}. ",
                    row.verdict.value(),
                    row.move_text()
                )
            })
        };
        let highest = known().max_by_key(|row| value(row));
        let lowest = known().min_by_key(|row| value(row));
        let mut told = at("Highest:", highest) + &at("Lowest:", lowest);
        for row in self.new_phases() {
            let name = row.facts.phase.map_or("", Phase::name);
            told += &format!("{name} from {}. ", row.move_text());
        }
        escape(told.trim_end())
    }
}
