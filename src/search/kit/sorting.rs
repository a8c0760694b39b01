//! Sorting of short lists, such as moves.
//!
//! The standard library's sort is made for lists of any length, and each type of item and key adds another ten
//! kilobytes of it to the program. For the moves of a position a few lines do.

/// Stable insertion sort of `list`; `key` is called once for each item. Work grows with the square of the length.
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
