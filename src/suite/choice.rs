//! Choice of the positions of a suite to run.

/// A choice of positions by number or name: `even` is every other position from the second on, `odd` from the first on.
/// Any other text is a pattern for names, in upper or lower case: `*` stands for any characters, `?` for one; a pattern
/// without these matches any part of the name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Filter(pub(super) String);

impl Filter {
    /// Whether the position with this number (from 1) and name is chosen.
    pub fn accepts(&self, number: usize, id: &str) -> bool {
        match self.0.as_str() {
            "even" => number.is_multiple_of(2),
            "odd" => !number.is_multiple_of(2),
            pattern => {
                let (pattern, id) = (pattern.to_lowercase(), id.to_lowercase());
                if pattern.contains(['*', '?']) {
                    matches(&pattern, &id)
                } else {
                    id.contains(&pattern)
                }
            }
        }
    }
}

/// Whether a pattern with wildcards matches the whole text.
fn matches(pattern: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    // Which beginnings of the text, by length, match the pattern as far as it has been read.
    let mut matched = vec![false; text.len() + 1];
    matched[0] = true;
    for wanted in pattern.chars() {
        if wanted == '*' {
            if let Some(shortest) = matched.iter().position(|&it| it) {
                matched[shortest..].fill(true);
            }
        } else {
            for (place, &c) in text.iter().enumerate().rev() {
                matched[place + 1] = matched[place] && (wanted == '?' || wanted == c);
            }
            matched[0] = false;
        }
    }
    matched[text.len()]
}

impl From<&str> for Filter {
    fn from(text: &str) -> Filter {
        Filter(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_choose_by_number_or_name() {
        let chosen = |filter: &str| -> Vec<usize> {
            let filter = Filter::from(filter);
            let ids = ["WAC.001", "WAC.002", "BK.01", "BK.12"];
            (1..=4)
                .filter(|&number| filter.accepts(number, ids[number - 1]))
                .collect()
        };
        assert_eq!(chosen("even"), [2, 4]);
        assert_eq!(chosen("odd"), [1, 3]);
        assert_eq!(chosen("wac"), [1, 2]);
        assert_eq!(chosen("BK.?1"), [3]);
        assert_eq!(chosen("*1"), [1, 3]);
        assert_eq!(chosen("*0*1*"), [1, 3]);
        assert_eq!(chosen("B*2"), [4]);
        assert_eq!(chosen("?"), [0; 0]);
        assert_eq!(chosen("*"), [1, 2, 3, 4]);
        assert_eq!(chosen(""), [1, 2, 3, 4]);
    }
}
