//! Boxes of s places with c stones in them; a move adds 1 to c² stones to one box.
//!
//! # The value of a box
//!
//! For c = 0 there is no move and the value is 0. Else let t be the largest number with t + t² < s. Then the value of (s, c) is
//! s - c for c > t, it is 0 for c = t, and it is that of (t, c) for c < t, a box with about the root of the places.
//!
//! *Proof*, by induction from c = s downwards. For c > t all of c + 1, …, s can be reached, and their values are s - c - 1, …, 0. From
//! c = t the numbers t + 1, …, t + t² < s can be reached, and none of their values, s - t - 1, s - t - 2, …, is 0. Let c < t. From c one
//! reaches up to c + c² <= (t - 1) + (t - 1)² < s, so s ends nothing. If c + c² <= t the options are those in (t, c), and those have
//! the same values in both boxes by induction (t itself has the value 0 in both). If c + c² > t there are also options d with
//! t < d <= c + c², whose values are s - d >= s - c - c²; and in (t, c) all of c + 1, …, t can be reached, so its value is t - c, the
//! number of these. The further values are larger than that, since s - c² > t + t² - (t - 1)² = 3t - 1 >= t; so they change no mex.

use super::{Case, Ruling};
use crate::judge::error::Fault;

/// The sum of the boxes `s` with `c` stones.
///
/// # Complexity
/// O(log log s) a box.
pub(super) fn ruling(case: &Case<'_>) -> Result<Ruling, Fault> {
    let (sizes, stones) = (case.list("s")?, case.list("c")?);
    let mut value = 0;
    for (i, (size, stones)) in sizes.iter().zip(&stones).enumerate() {
        if stones > size {
            return Err(case.fault("c", i, format!("{stones} stones are more than the box holds, which is {size}")));
        }
        value ^= value_of(*size, *stones);
    }
    Ok(Ruling::of_value(value))
}

/// The value of one box.
fn value_of(mut size: u64, stones: u64) -> u64 {
    if stones == 0 {
        return 0;
    }
    loop {
        let t = largest_that_cannot_fill(size);
        if stones >= t {
            return if stones == t { 0 } else { size - stones };
        }
        size = t;
    }
}

/// The largest t with t + t² < s, for s > 0: t + t² <= s - 1 says that (2t + 1)² <= 4 (s - 1) + 1.
fn largest_that_cannot_fill(size: u64) -> u64 {
    let root = (4 * u128::from(size - 1) + 1).isqrt() as u64;
    (root - 1) / 2
}

#[cfg(test)]
mod tests {
    use grundy_core::theory::mex;

    use super::{super::tests::run, *};
    use crate::judge::Special;

    #[test]
    fn boxes_by_their_definition() {
        for size in 0..400usize {
            let mut values = vec![0; size + 1];
            for c in (0..=size).rev() {
                values[c] = mex((c + 1..=size.min(c + c * c)).map(|d| values[d]));
                assert_eq!(value_of(size as u64, c as u64), values[c], "{size} {c}");
            }
        }
    }

    #[test]
    fn roots_are_exact_at_the_ends() {
        for t in [1, 2, 1000, (1 << 31) - 1, (1 << 32) - 2] {
            // t + t² is not below itself
            assert_eq!(largest_that_cannot_fill(t * t + t), t - 1);
            assert_eq!(largest_that_cannot_fill(t * t + t + 1), t);
        }
        assert_eq!(value_of(1_000_000_000_000_000_000, 1_000_000_000), 1_000_000_000_000_000_000 - 1_000_000_000);
        assert_eq!(value_of(1_000_000_000_000_000_000, 999_999_999), 0);
    }

    #[test]
    fn faults_have_a_place() {
        let input = "1\n3 2\n2\n5 5\n7 8\n0\n";
        let expected = "first\ncase 2: line 5, column 3: 8 stones are more than the box holds, which is 7";
        assert_eq!(run(Special::Boxes, "until 0 { n (s c)[n] }", input), expected);
    }
}
