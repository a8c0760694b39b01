//! Entries of the index, one for each game.

use super::super::summary::Told;
use super::file_name;
use crate::web::escape;

/// Most characters shown of a tag.
const LONGEST: usize = 80;

/// The entry of a game, a row of the table.
pub(super) fn row(told: &Told<'_>) -> String {
    let info = &told.game.info;
    let tag = |name: &str, otherwise: &str| {
        let text = info.tag(name).unwrap_or(otherwise);
        escape(&text.chars().take(LONGEST).collect::<String>())
    };
    let [white, black] = ["White", "Black"].map(|side| tag(side, "?"));
    let opening = info.opening.as_ref();
    let opening = opening.map(|it| escape(&format!("{} {}", it.eco, it.name)));
    let accuracy = |accuracy: Option<f64>| match accuracy {
        Some(accuracy) => format!("<td class=\"number\">{accuracy:.0}</td>"),
        None => "<td class=\"number\" data-value=\"-1\">–</td>".to_owned(),
    };
    let fault = if info.error.is_some() {
        " <abbr title=\"something is wrong with this game\">(!)</abbr>"
    } else {
        ""
    };
    format!(
        "<tr><td class=\"number\">{0}</td><th scope=\"row\"><a href=\"{1}\">{white} – {black}</a>{fault}</th><td class=\"result\">{2}</td>{3}{4}<td>{5}</td><td class=\"number\">{6}</td><td class=\"date\">{7}</td><td>{8}</td></tr>\n",
        info.game,
        file_name(info.game),
        escape(&info.result).replace("1/2", "½"),
        accuracy(told.summary.accuracy.white),
        accuracy(told.summary.accuracy.black),
        opening.unwrap_or_else(|| tag("ECO", "")),
        info.plies.div_ceil(2),
        date(&tag("Date", "")),
        tag("Event", ""),
    )
}

/// Date as far as known: `2026-10` for `2026.10.??`.
fn date(tag: &str) -> String {
    let known = tag.split("??").next().unwrap_or_default();
    known.trim_end_matches('.').replace('.', "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{self, info, with_costs};
    use crate::game_report::record::Game;

    #[test]
    fn a_line_tells_what_there_is_and_keeps_strangers_words_text() {
        let mut info = info(7);
        let tags = [
            ("White", "A <b>"),
            ("Date", "2026.??.??"),
            ("Event", "\"x\" & y"),
        ];
        info.tags = tags
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        info.plies = 5;
        info.error = Some("wrong".to_owned());
        let rows = (0..9).map(|ply| fixtures::row(ply, Some("a"), "a", 10));
        let rows = with_costs(rows.collect());
        let line = row(&Told::of(&Game { info, rows }));
        assert!(
            line.contains("<a href=\"game-7.html\">A &lt;b&gt; – ?</a>"),
            "{line}"
        );
        assert!(line.contains("<td class=\"date\">2026</td>"), "{line}");
        assert_eq!(date("2026.10.??"), "2026-10");
        assert_eq!(date("2026.??.05"), "2026", "no month, but no May either");
        assert_eq!(date("????.??.??"), "");
        assert!(
            line.contains("&quot;x&quot; &amp; y") && line.contains("(!)"),
            "{line}"
        );
        assert!(line.contains("<td class=\"number\">100</td>"), "{line}");
        assert!(line.contains("<td class=\"number\">3</td>"), "{line}");
    }
}
