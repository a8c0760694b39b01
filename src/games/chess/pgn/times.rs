//! Times in comments, in the forms in which servers, GUIs and programs that run matches write them.

/// A time as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenTime {
    /// Milliseconds; two whole numbers (`1:30`) are read as minutes and seconds.
    pub ms: u64,
    /// Whether there are two whole numbers, which could also be hours and minutes.
    pub is_short: bool,
}

/// Longest time, in seconds: four months.
const LONGEST: f64 = 1e7;

/// The mover's clock after the move: `[%clk 1:02:03.4]`, or `tl=` of TCEC and Fastchess.
pub(super) fn clock(comment: &str) -> Option<WrittenTime> {
    command(comment, "clk").or_else(|| field(comment, "tl"))
}

/// The time that the move took: `[%emt 0:00:02]`, `mt=` of TCEC, or as Cutechess writes it: `+0.25/12 1.2s`.
pub(super) fn elapsed(comment: &str) -> Option<WrittenTime> {
    let told = command(comment, "emt").or_else(|| field(comment, "mt"));
    told.or_else(|| behind_depth(comment))
}

/// The time of a command, as in `[%clk 1:02:03.4]`.
fn command(comment: &str, name: &str) -> Option<WrittenTime> {
    let (_, rest) = comment.split_once(&format!("[%{name} "))?;
    let (text, _) = rest.split_once(']')?;
    read(text.trim())
}

/// The time of a field, as in `mt=00:01:02, tl=7049000`: a number without a unit is in milliseconds.
fn field(comment: &str, name: &str) -> Option<WrittenTime> {
    let key = format!("{name}=");
    let mut places = comment.match_indices(&key).map(|(at, _)| at);
    let at = places.find(|&at| !comment[..at].ends_with(|c: char| c.is_alphanumeric()))?;
    match leading(&comment[at + key.len()..]) {
        (time, "") if time.contains(':') => read(time),
        (time, "") if time.contains(['.', ',']) => None,
        (time, "") => in_unit(time, "ms"),
        (time, unit) => in_unit(time, unit),
    }
}

/// The time behind value and depth: `+0.25/12 1.2s`, `-M5/20 0,5s`, `+0.25/12 1:05`. A number without a unit is none:
/// it could be anything.
fn behind_depth(comment: &str) -> Option<WrittenTime> {
    let mut words = comment.split_whitespace();
    words.find(|word| is_value_and_depth(word))?;
    let (time, unit) = leading(words.next()?);
    if !time.contains(':') {
        return in_unit(time, unit);
    }
    let told = read(time).filter(|_| matches!(unit, "" | "s" | "m"))?;
    Some(WrittenTime {
        is_short: false,
        ..told
    })
}

/// Whether a word is a value with a depth: `+0.25/12`, `-M5/20`, `0,00/45`.
fn is_value_and_depth(word: &str) -> bool {
    let Some((value, depth)) = word.split_once('/') else {
        return false;
    };
    let value = value.trim_start_matches(['{', '(', '+', '-']);
    let mate = value.strip_prefix(['M', '#']);
    let is_value = mate.map_or_else(
        || value.contains(['.', ',']) && decimal(value).is_some(),
        |it| it.parse::<u32>().is_ok(),
    );
    is_value && depth.split('/').all(|it| it.parse::<u32>().is_ok())
}

/// The time at the beginning of a text, and the unit directly behind it.
fn leading(text: &str) -> (&str, &str) {
    let is_time = |c: char| c.is_ascii_digit() || ":.,".contains(c);
    let end = text.find(|c| !is_time(c)).unwrap_or(text.len());
    let (time, rest) = text.split_at(text[..end].trim_end_matches([':', '.', ',']).len());
    let end = rest.find(|c: char| !c.is_alphanumeric());
    (time, &rest[..end.unwrap_or(rest.len())])
}

/// A single number in a unit.
fn in_unit(time: &str, unit: &str) -> Option<WrittenTime> {
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3_600.0,
        _ => return None,
    };
    written(decimal(time)? * seconds, false)
}

/// A time of one to three numbers, of which the last are the seconds.
fn read(text: &str) -> Option<WrittenTime> {
    let mut numbers = text.rsplit(':');
    let last = numbers.next()?;
    let seconds = decimal(last)?;
    let mut whole = || numbers.next().map(|it| it.parse::<u32>().ok());
    let (minutes, hours) = (whole(), whole());
    // A number that could be one of the next unit is not what it seems.
    let is_time = match (minutes, hours) {
        (None, _) => seconds < 3_600.0,
        (Some(minutes), None) => minutes.is_some() && seconds < 60.0,
        (Some(minutes), Some(hours)) => {
            hours.is_some() && minutes.is_some_and(|it| it < 60) && seconds < 60.0
        }
    };
    if !is_time || numbers.next().is_some() {
        return None;
    }
    let is_short = minutes.is_some() && hours.is_none() && !last.contains(['.', ',']);
    let [minutes, hours] = [minutes, hours].map(|it| f64::from(it.flatten().unwrap_or(0)));
    written(3_600.0 * hours + 60.0 * minutes + seconds, is_short)
}

/// A number without a sign, with a point or a comma.
fn decimal(text: &str) -> Option<f64> {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_number = text.starts_with(is_digit) && text.ends_with(is_digit);
    is_number.then(|| text.replace(',', ".").parse().ok())?
}

fn written(seconds: f64, is_short: bool) -> Option<WrittenTime> {
    (0.0..LONGEST).contains(&seconds).then(|| WrittenTime {
        ms: (1_000.0 * seconds).round() as u64,
        is_short,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: Option<WrittenTime>) -> Option<u64> {
        time.map(|it| it.ms)
    }

    #[test]
    fn times_are_read_in_all_their_forms() {
        for (text, expected) in [
            ("[%clk 1:02:03]", 3_723_000),
            ("so [%eval 0.3] [%clk 0:00:01.25] so", 1_250),
            ("[%clk 59.5]", 59_500),
            ("[%clk  12:05 ]", 725_000),
            ("[%clk 0:01:02,5]", 62_500),
            ("[%clk 335:58:38]", 1_209_518_000),
            ("d=16, mt=161000, tl=7049000, s=219832,", 7_049_000),
            ("{+1.00/10 0.100s, tl=9.9s, n=1}", 9_900),
            ("ev=0.00,d=20,mt=00:01:59,tl=01:58:31,nps=1", 7_111_000),
        ] {
            assert_eq!(ms(clock(text)), Some(expected), "{text}");
        }
        for (text, expected) in [
            ("[%emt 0,8] [%clk 0:10]", 800),
            ("{d=16, sd=51, mt=161000, tl=7049000, pv=Nb3,}", 161_000),
            ("mt=161000,tl=7049000", 161_000),
            ("mt=00:01:02, tl=01:58:00", 62_000),
            ("{+0.25/12 1.2s}", 1_200),
            ("{ +0.25/12 13s }", 13_000),
            ("+0,25/12 1,2s", 1_200),
            ("{-M5/20 0.50s, Black mates}", 500),
            ("0.00/45 1.1s, Draw by 3-fold repetition", 1_100),
            ("+0.25/12/30 120ms, n=5", 120),
            ("(Nf3) +0.25/12 1:05", 65_000),
            ("+0.25/12 1:05m", 65_000),
        ] {
            assert_eq!(ms(elapsed(text)), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_unknown() {
        for text in [
            "",
            "[%clk 0:10",
            "[%clk x]",
            "[%clk -1]",
            "[%clk 1:2:3:4]",
            "[%clk 0:00:NaN]",
            "[%clk -1:00:00]",
            "[%clk 0:75]",
            "[%clk 0:75:00]",
            "[%clk 1,2,3]",
            "[%clk 99999:00:00]",
            "[%emt 0:01]",
            "ctl=5s",
            "tl=5.5",
            "tl=",
        ] {
            assert_eq!(clock(text), None, "{text}");
        }
        // A number without a unit, a score of a match, a date, words.
        for text in [
            "+0.25/12 16",
            "1/2 3s",
            "12/24 5s",
            "book",
            "+0.25/12",
            "+0.25/12 5x",
        ] {
            assert_eq!(elapsed(text), None, "{text}");
        }
    }

    #[test]
    fn two_whole_numbers_could_be_hours_and_minutes() {
        for (text, is_short) in [("1:30", true), ("1:30.0", false), ("0:01:30", false)] {
            let time = read(text).unwrap();
            assert_eq!((time.ms, time.is_short), (90_000, is_short), "{text}");
        }
        assert!(!elapsed("+0.25/12 1:30").unwrap().is_short);
    }
}
