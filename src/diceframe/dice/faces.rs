//! Where faces come from.

use rand_xoshiro::Xoshiro256StarStar;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The random layer: it yields faces and decides nothing.
pub trait Faces {
    /// A face of a die of so many sides, from 1. A die has at least one side.
    fn face(&mut self, sides: u32) -> u32;
}

/// Faces of a fair die, the same for the same seed on every machine and in every release: xoshiro256**, seeded by
/// SplitMix64 as its authors advise, its numbers brought into range by Lemire's multiplication without bias.
#[derive(Clone, Debug)]
pub struct Generator(Xoshiro256StarStar);

impl Generator {
    pub fn seeded(seed: u64) -> Self {
        Generator(Xoshiro256StarStar::seed_from_u64(seed))
    }

    /// An integer from `low` to `high`, both included; `low` where that is nothing. Of all 2^32 there are, the highest
    /// is never drawn.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        let many = (i64::from(high) - i64::from(low) + 1).clamp(1, u32::MAX.into()) as u32;
        (i64::from(low) + i64::from(self.below(many))) as i32
    }

    /// An integer below `bound`, each as likely as the other.
    fn below(&mut self, bound: u32) -> u32 {
        loop {
            // The upper half of the 64 bits is the better one, and the upper half of the product is the number.
            let product = u64::from((self.0.next_u64() >> 32) as u32) * u64::from(bound);
            // The lowest 2^32 mod bound products would make some numbers likelier than others.
            if product as u32 >= bound.wrapping_neg() % bound {
                return (product >> 32) as u32;
            }
        }
    }
}

impl Faces for Generator {
    fn face(&mut self, sides: u32) -> u32 {
        self.below(sides.max(1)) + 1
    }
}

/// Faces laid out before, for tests.
#[cfg(test)]
pub(super) struct Scripted(std::collections::VecDeque<u32>);

#[cfg(test)]
impl Scripted {
    pub fn new(faces: impl IntoIterator<Item = u32>) -> Self {
        Scripted(faces.into_iter().collect())
    }

    pub fn left(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
impl Faces for Scripted {
    fn face(&mut self, _: u32) -> u32 {
        self.0.pop_front().expect("the script has a face for every die")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_seed_gives_the_same_faces_for_ever() {
        let faces = |seed| {
            let mut generator = Generator::seeded(seed);
            (0..8).map(|_| generator.face(20)).collect::<Vec<_>>()
        };
        assert_eq!(faces(20_260_822), faces(20_260_822));
        assert_ne!(faces(1), faces(2));
        assert_eq!(faces(20_260_822), PINNED);
    }

    /// What reports of earlier releases were made with.
    const PINNED: [u32; 8] = [8, 13, 5, 17, 8, 9, 19, 13];

    proptest! {
        #[test]
        fn a_face_is_of_the_die(seed: u64, sides in 1_u32..) {
            prop_assert!((1..=sides).contains(&Generator::seeded(seed).face(sides)));
        }

        #[test]
        fn what_lies_between_is_between(seed: u64, low: i32, high: i32) {
            let drawn = Generator::seeded(seed).between(low, high);
            prop_assert!(drawn == low || (low..=high).contains(&drawn));
        }
    }
}
