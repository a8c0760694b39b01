//! Lines of test suites.

#![no_main]

use cassius::suite::epd;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        match epd::parse_line(line, "fuzz") {
            Ok(record) => assert!(!record.id.is_empty(), "a position without a name"),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
