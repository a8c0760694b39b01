//! Sorting of lists as short as those of moves.
//!
//! The standard library's sort is made for lists of any length, and each kind of item and key brings another ten
//! kilobytes of it into the program. For the moves of a position a few lines do.

/// Sorts `list` by a key that is asked for once for each item; equals stay in their order. Shifts items one place at
/// a time, so that the work grows with the square of the length.
pub(in crate::search) fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    let mut keys = Vec::with_capacity(list.len());
    for end in 0..list.len() {
        let own = key(&list[end]);
        let place = keys.partition_point(|it| *it <= own);
        keys.insert(place, own);
        list[place..=end].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_are_sorted_as_by_the_standard_library(list: Vec<(u8, u8)>) {
            let (mut sorted, mut expected) = (list.clone(), list);
            sort_by_key(&mut sorted, |it| it.0 % 8);
            expected.sort_by_key(|it| it.0 % 8);
            prop_assert_eq!(sorted, expected);
        }
    }
}
