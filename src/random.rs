//! Random numbers from a seed, the same on every machine: the generator splitmix64 (Steele, Lea and Flood, 2014).

/// Increment of the generator's state.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output of the generator in a state; turns consecutive numbers into unrelated ones.
pub const fn mix(state: u64) -> u64 {
    let bits = state.wrapping_add(STEP);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A generator.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator with a seed; any seed is good.
    pub const fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        let bits = mix(self.state);
        self.state = self.state.wrapping_add(STEP);
        bits
    }

    /// A whole number in `0..limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// A uniform number in `-width..width`.
    pub fn within(&mut self, width: f32) -> f32 {
        let unit = (self.bits() >> 40) as f32 / (1_u32 << 24) as f32;
        width * (2.0 * unit - 1.0)
    }

    /// A random item; `all` must not be empty.
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first number for seed 0, as the authors' program gives it.
    #[test]
    fn first_bits_are_those_of_splitmix64() {
        assert_eq!(Random::new(0).bits(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::new(7).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_stay_within_their_limits() {
        let mut random = Random::new(3);
        for _ in 0..1000 {
            assert!(random.below(5) < 5);
            assert!(random.within(0.25).abs() <= 0.25);
        }
        assert_eq!(random.below(0), 0);
    }
}
