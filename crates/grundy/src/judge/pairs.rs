//! Pairs of numbers in, one number for each out: the Library Checker's Nim Product, at the speed of reading and writing.
//!
//! The input is T and then T pairs a b, all below 2^64; the output one line a pair. Pairs go through one operation in blocks of
//! [`BLOCK`], each block is written at once, and no more than a block is held.

use std::io::{Read, Write};

use super::{
    error::{Fault, JudgeError},
    scan::{Place, Scanner},
};
use crate::{
    budget::{Budget, Meter},
    nimfield::products64,
};

/// Pairs that are worked on at a time.
pub const BLOCK: usize = 4096;

/// Bytes of the longest line: 18446744073709551615 and its end.
const LINE: usize = 21;

/// Steps of the meter for a block, so many that it looks at the clock.
const STEPS: u64 = 1 << 14;

/// The nim product of every pair.
///
/// # Complexity
/// That of [`stream`], and T products.
///
/// # Errors
/// Those of [`stream`].
///
/// # Examples
/// ```
/// use grundy::{Budget, judge::pairs};
/// let mut out = Vec::new();
/// // two pairs are announced, and the second one is cut short
/// let error = pairs::nim_products(&b"2\n6 13\n4"[..], &mut out, &Budget::default()).unwrap_err();
/// assert_eq!(out, b"15\n");
/// assert_eq!(error.to_string(), "pair 2 of 2: line 3, column 2: expected a whole number, found the end of the input");
/// ```
pub fn nim_products(input: impl Read, output: impl Write, budget: &Budget) -> Result<(), JudgeError> {
    stream(input, output, budget, products64)
}

/// Reads T and T pairs, and writes what `operation` makes of them: it is given the first numbers, the second ones and the
/// places of the results, three lists of one length, at most [`BLOCK`].
///
/// # Complexity
/// Time O(bytes of input and output) beside the operation; memory for one block.
///
/// # Errors
/// The first thing that is wrong with the input, with line and column: the results of the whole pairs before it have been written.
/// A limit, looked at between blocks. What the reader and the writer say.
///
/// # Examples
/// ```
/// use grundy::{Budget, judge::pairs};
/// let mut out = Vec::new();
/// pairs::stream(&b"1 6 13"[..], &mut out, &Budget::default(), |a, b, out| out[0] = a[0] ^ b[0])?;
/// assert_eq!(out, b"11\n");
/// # Ok::<(), grundy::judge::JudgeError>(())
/// ```
pub fn stream(
    input: impl Read,
    mut output: impl Write,
    budget: &Budget,
    mut operation: impl FnMut(&[u64], &[u64], &mut [u64]),
) -> Result<(), JudgeError> {
    let mut meter = Meter::new(budget);
    let mut scanner = Scanner::new(input);
    let count = scanner.next_u64().and_then(|count| match count {
        Some(count) => Ok(count),
        // says what is missing, and where
        None => scanner.fold_u64(1, |_| ()).map(|()| 0),
    });
    let count = count.map_err(|e| JudgeError::of(e.into(), "the number of pairs"))?;
    let mut numbers = Vec::with_capacity(2 * BLOCK);
    let (mut a, mut b, mut results) = ([0; BLOCK], [0; BLOCK], [0; BLOCK]);
    let mut text = Vec::with_capacity(LINE * BLOCK);
    let mut done = 0;
    while done < count {
        let wanted = (count - done).min(BLOCK as u64);
        numbers.clear();
        let read = scanner.fold_u64(2 * wanted, |n| numbers.push(n));
        let pairs = numbers.len() / 2;
        for ((pair, a), b) in numbers.chunks_exact(2).zip(&mut a).zip(&mut b) {
            (*a, *b) = (pair[0], pair[1]);
        }
        operation(&a[..pairs], &b[..pairs], &mut results[..pairs]);
        write(&results[..pairs], &mut text);
        // flushed, since the reader may have to wait for the next block
        let written = output.write_all(&text).and_then(|()| output.flush());
        written.map_err(|e| JudgeError::of(Fault::Write(e), ""))?;
        done += pairs as u64;
        let go_on = read.map_err(Fault::from).and_then(|()| Ok(meter.steps(STEPS)?));
        // a limit that is reached with the last block has stopped nothing
        if let Err(fault) = go_on
            && done < count
        {
            return Err(JudgeError::of(fault, &format!("pair {} of {count}", done + 1)));
        }
    }
    if scanner.at_end().map_err(|e| JudgeError::of(e.into(), "the end"))? {
        return Ok(());
    }
    let Place { line, column } = scanner.place();
    let pairs = if count == 1 { "pair" } else { "pairs" };
    let fault =
        Fault::Case(format!("line {line}, column {column}: expected the end of the input after {count} {pairs}"));
    Err(JudgeError::of(fault, "the end").hint("the first number says how many pairs follow"))
}

/// One line a number.
fn write(numbers: &[u64], text: &mut Vec<u8>) {
    let mut digits = itoa::Buffer::new();
    text.clear();
    for n in numbers {
        text.extend_from_slice(digits.format(*n).as_bytes());
        text.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::JudgeErrorKind;
    use grundy_core::theory::nim_product;
    use proptest::prelude::*;

    fn answered(input: &str) -> (String, Option<(JudgeErrorKind, String)>) {
        let mut out = Vec::new();
        let result = nim_products(input.as_bytes(), &mut out, &Budget::default());
        (String::from_utf8(out).unwrap(), result.err().map(|e| (e.kind(), e.to_string())))
    }

    #[test]
    fn products_line_by_line() {
        let input = "4\n6 13\n4 7\r\n18446744073709551615 18446744073709551613\n0 5";
        assert_eq!(answered(input), ("15\n10\n14554159489527431842\n0\n".into(), None));
        assert_eq!(answered("0"), (String::new(), None));
        assert_eq!(answered("0\n \n"), (String::new(), None));
    }

    #[test]
    fn what_is_wrong_has_a_place_and_what_was_right_is_answered() {
        for (input, out, message) in [
            ("", "", "the number of pairs: line 1, column 1: expected a whole number, found the end of the input"),
            ("x", "", "the number of pairs: line 1, column 1: expected a whole number, found \"x\""),
            (
                "3\n6 13\n4 7\n",
                "15\n10\n",
                "pair 3 of 3: line 4, column 1: expected a whole number, found the end of the input",
            ),
            (
                "2\n6 13\n4 -7\n",
                "15\n",
                "pair 2 of 2: line 3, column 3: expected a whole number without a sign, found \"-7\"",
            ),
            (
                "1\n18446744073709551616 1",
                "",
                "pair 1 of 1: line 2, column 1: number \"18446744073709551616\" is too large; the largest is 18446744073709551615",
            ),
            ("1\n6 13\n7", "15\n", "the end: line 3, column 1: expected the end of the input after 1 pair"),
        ] {
            assert_eq!(answered(input), (out.into(), Some((JudgeErrorKind::Input, message.into()))), "{input:?}");
        }
    }

    #[test]
    fn a_huge_count_is_no_huge_memory() {
        let (out, error) = answered("18446744073709551615\n1 1\n");
        assert_eq!((&out[..], error.unwrap().0), ("1\n", JudgeErrorKind::Input));
    }

    #[test]
    fn a_stop_leaves_what_was_answered() {
        let budget = Budget::default();
        budget.cancel.cancel();
        let input = format!("10000\n{}", "1 1\n".repeat(10_000));
        let mut out = Vec::new();
        let error = nim_products(input.as_bytes(), &mut out, &budget).unwrap_err();
        assert_eq!((error.kind(), out.len()), (JudgeErrorKind::Stopped, 2 * BLOCK));
        let short = nim_products(&b"1 1 1"[..], &mut Vec::new(), &budget);
        assert!(short.is_ok());
    }

    proptest! {
        #[test]
        fn all_pairs_in_their_order(pairs in proptest::collection::vec((any::<u64>(), 0u64..300), 0..9000)) {
            let mut input = format!("{}\n", pairs.len());
            let mut expected = String::new();
            for (i, (a, b)) in pairs.iter().enumerate() {
                input.push_str(&format!("{a} {b}\n"));
                let sum = (a ^ b).wrapping_add(i as u64);
                expected.push_str(&format!("{sum}\n"));
            }
            let mut out = Vec::new();
            let mut i = 0;
            stream(input.as_bytes(), &mut out, &Budget::default(), |a, b, out| {
                for ((a, b), out) in a.iter().zip(b).zip(out) {
                    *out = (a ^ b).wrapping_add(i);
                    i += 1;
                }
            })
            .unwrap();
            prop_assert_eq!(String::from_utf8(out).unwrap(), expected);
        }

        #[test]
        fn the_products_are_those_of_the_definition(pairs in proptest::collection::vec(any::<(u64, u64)>(), 0..9)) {
            let (a, b): (Vec<u64>, Vec<u64>) = pairs.into_iter().unzip();
            let mut out = vec![0; a.len()];
            products64(&a, &b, &mut out);
            for i in 0..a.len() {
                prop_assert_eq!(u128::from(out[i]), nim_product::product(a[i].into(), b[i].into()));
            }
        }
    }
}
