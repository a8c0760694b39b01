//! Whether a game was won on time, from its tag `Termination`.
//!
//! The tag is free text: `Time forfeit`, `anna won on time`, `Black ran out of time`, `Normal; no time trouble`. Whole
//! phrases count, outside the players' names, and not in a clause that denies something or tells the opposite of the
//! result.

use super::record::GameInfo;

/// Words, each followed by anything, that say that somebody's time was over; of `|` one.
const PHRASES: [&str; 17] = [
    "won|wins|win|winning|victory|lost|loses|loss|lose|losing|defeat|forfeits|forfeited|forfeit on time",
    "forfeits|forfeited|forfeit by|due|through|via time",
    "time forfeit|forfeits|forfeited|forfeiture",
    "time loss|expired|expiry|expires|exceeded|exhausted",
    "time has|was expired|exceeded",
    "time ran|runs|run|was out",
    "time limit exceeded|overstepped",
    "overstepped|exceeded|exceeds|oversteps the time",
    "overstepped|exceeded|exceeds|oversteps time",
    "out of time",
    "timed out",
    "times out",
    "by|after|to timeout",
    "won|wins|win|lost|loses|loss by|due|on timeout",
    "flag fell|fall|falls|fallen|dropped",
    "flagged",
    "outoftime",
];

/// Texts that as a whole say so.
const WHOLE: [&str; 9] = [
    "time",
    "on time",
    "timeout",
    "time out",
    "flag",
    "by time",
    "on the clock",
    "clock",
    "flag fall",
];

/// Words that deny what is said in their clause.
const DENIALS: [&str; 10] = [
    "no", "not", "never", "without", "neither", "nobody", "none", "nor", "t", "cannot",
];

/// Words that make the side that is named the winner.
const WINNING: [&str; 5] = ["won", "wins", "win", "winning", "victory"];

/// Whether the tag says that this side won on time.
pub(super) fn is_on_time(info: &GameInfo, winner_is_black: bool) -> bool {
    let text = info.tag("Termination").unwrap_or_default().to_lowercase();
    // A standard text is none with a name in it, even of a player called Time.
    if is_phrase(&words(&text)) {
        return true;
    }
    let name = |tag| info.tag(tag).unwrap_or_default().to_lowercase();
    let mut names = [(name("White"), " white "), (name("Black"), " black ")];
    // One may be a part of the other.
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let text = names
        .iter()
        .fold(text, |text, (name, side)| without_name(text, name, side));
    let mut clauses = text.split([';', ',', '.', '(', ')', ':']);
    clauses.any(|clause| says_so(&words(clause), winner_is_black))
}

/// The words of a text.
fn words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|it| !it.is_empty()).collect()
}

/// Whether a clause says that this side won on time.
fn says_so(words: &[&str], winner_is_black: bool) -> bool {
    let has = |list: &[&str]| words.iter().any(|it| list.contains(it));
    let named = words.iter().find(|it| ["white", "black"].contains(*it));
    let is_won = has(&WINNING);
    // The side that is named has won, or else it has lost.
    let fits = named.is_none_or(|it| ((*it == "black") == winner_is_black) == is_won);
    let others: Vec<&str> = words
        .iter()
        .copied()
        .filter(|it| !["white", "black"].contains(it))
        .collect();
    fits && !has(&DENIALS) && (is_phrase(&others) || PHRASES.iter().any(|it| has_phrase(words, it)))
}

/// Whether a text as a whole says that time was over.
fn is_phrase(words: &[&str]) -> bool {
    let text = words.join(" ");
    text == "time forfeit" || WHOLE.contains(&text.as_str())
}

/// Whether the words of a phrase stand in a text, one behind the other.
fn has_phrase(words: &[&str], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|window| {
        let mut pairs = window.iter().zip(&phrase);
        pairs.all(|(word, choices)| choices.split('|').any(|it| it == *word))
    })
}

/// A text with a side in place of a player's name: as a whole, with first and last name exchanged, or the last name.
/// The name at the beginning counts, else the first one that does not stand behind `on` (`won on time`).
fn without_name(text: String, name: &str, side: &str) -> String {
    let (last, first) = name.split_once(',').unwrap_or((name, ""));
    let exchanged = format!("{} {}", first.trim(), last.trim());
    for form in [name, exchanged.trim(), last.trim()] {
        let mut places = text.match_indices(form).map(|(at, _)| at);
        let is_letter = |c: char| c.is_alphanumeric() || "_-".contains(c);
        let found = places.find(|&at| {
            let (before, behind) = (&text[..at], &text[at + form.len()..]);
            let is_word = !before.ends_with(is_letter) && !behind.starts_with(is_letter);
            is_word && !before.ends_with("on ")
        });
        if let Some(at) = found.filter(|_| !form.is_empty()) {
            return [&text[..at], side, &text[at + form.len()..]].concat();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_report::fixtures::{info, tags};

    /// Whether a text says that White, the winner, won on time.
    fn on_time(white: &str, black: &str, text: &str) -> bool {
        let mut info = info(1);
        info.tags = tags(&[("White", white), ("Black", black), ("Termination", text)]);
        is_on_time(&info, false)
    }

    #[test]
    fn the_phrases_of_servers_and_programs_are_known() {
        for text in [
            "Time forfeit",
            "time forfeit",
            "time",
            "Timeout",
            "White wins on time",
            "anna won on time",
            "Boris lost on time",
            "Boris forfeits on time",
            "Black forfeits on time",
            "White wins on time forfeit",
            "Black ran out of time",
            "Black's flag fell",
            "Black flagged",
            "Flag fall",
            "won on time",
            "Loss on time",
            "Black's time has expired",
            "Boris overstepped the time limit",
            "White won; Black's flag fell.",
            "Normal (time forfeit)",
            "White mates: no. Black lost on time",
        ] {
            assert!(on_time("Anna", "Boris", text), "{text}");
        }
    }

    #[test]
    fn other_ends_are_not_on_time() {
        for text in [
            "",
            "Normal",
            "Abandoned",
            "anna won by resignation",
            "anna won - game abandoned",
            "Normal; no time trouble",
            "not on time, by resignation",
            "Lost not on time but by mate",
            "Neither side lost on time",
            "Black didn't lose on time",
            "time trouble",
            "Resigned in time trouble",
            "Time control: 40 moves in two hours",
            "The game began on time",
            "adjudication",
            // The opposite of the result.
            "Black won on time",
            "anna lost on time",
            "White flagged",
        ] {
            assert!(!on_time("Anna", "Boris", text), "{text}");
        }
    }

    #[test]
    fn names_are_no_words_of_the_text() {
        for name in [
            "tea-time",
            "Out_of_time",
            "Time",
            "On time",
            "Out of time",
            "time forfeit",
            "Flag",
            "Timeout",
            "Won on time",
            "Time, Anna",
            "Timeless",
            "won_on_time",
            "Big Time",
        ] {
            for end in ["resignation", "checkmate", "abandonment"] {
                let text = format!("{name} won by {end}");
                assert!(!on_time(name, "Boris", &text), "{text}");
            }
            let text = format!("{name} won on time");
            assert!(on_time(name, "Boris", &text), "{text}");
            assert!(on_time(name, "Boris", "Time forfeit"), "{name}");
            assert!(!on_time("Anna", name, "Anna won by resignation"), "{name}");
            assert!(!on_time("Anna", name, &format!("{name} resigns")), "{name}");
            let text = format!("{name} forfeits on time");
            assert!(on_time("Anna", name, &text), "{text}");
        }
        assert!(!on_time("Boris", "Time, Anna", "Anna Time resigned"));
        assert!(!on_time("Boris", "Time, Anna", "Time forfeits"));
    }
}
