//! Small trees in their own notation.

#![no_main]

use cassius_lab::tree::parse::{notation, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse(text) {
        Ok(tree) => {
            let written = notation(&tree);
            assert_eq!(parse(&written).map(|tree| notation(&tree)), Ok(written));
        }
        Err(error) => assert!(error.position <= text.chars().count() + 1, "{error}"),
    }
});
