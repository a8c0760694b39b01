//! Numbers in a place that suits vector instructions.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// Bytes of a cache line.
const LINE: usize = 64;
/// Numbers in a cache line.
const LINE_LENGTH: usize = LINE / size_of::<f32>();

/// Numbers that begin at the beginning of a cache line; use it like a slice. To add to numbers across
/// the ends of lines is a good deal slower.
pub struct Numbers {
    values: Vec<f32>,
    start: usize,
    length: usize,
}

impl Numbers {
    /// This many zeros.
    pub fn zero(length: usize) -> Numbers {
        let values = vec![0.0; length + LINE_LENGTH];
        let start = values.as_ptr().align_offset(LINE).min(LINE_LENGTH);
        Numbers {
            values,
            start,
            length,
        }
    }
}

impl Deref for Numbers {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.values[self.start..][..self.length]
    }
}

impl DerefMut for Numbers {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.values[self.start..][..self.length]
    }
}

impl Clone for Numbers {
    fn clone(&self) -> Numbers {
        let mut copy = Numbers::zero(self.length);
        copy.copy_from_slice(self);
        copy
    }
}

impl PartialEq for Numbers {
    fn eq(&self, other: &Numbers) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}
