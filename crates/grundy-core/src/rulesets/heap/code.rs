//! Codes of taking and breaking, `d0.d1d2d3…`, in the syntax of CGSuite.
//!
//! A digit is a set of numbers of heaps. If j belongs to d_k, a player may take k from a heap and leave the rest in
//! exactly j non-empty heaps; d0 breaks a heap without taking, so only j >= 2 makes a move there. Written as a number a
//! digit is the sum of 2^j: 3 = 1 + 2 leaves no heap or one (the usual taking), 7 also two (Kayles is 0.77).
//!
//! | in a code | means |
//! |---|---|
//! | `0` … `9`, `A` … `V` | the digits 0 to 31 |
//! | `&35;` | a digit by its number, below 2^64 |
//! | `{0,2}`, `{2+}` | exactly these numbers of heaps; 2 and all larger ones |
//! | `*` | any number of heaps |
//! | `!`, `?`, `=` | after a digit or after a number in braces: the parts are pairwise unequal, not all equal, all equal |
//! | `[37]` | last: these digits repeat for ever |
//!
//! Zeros before d0 don't count; any other digit there would add tokens to the heap and is refused.
//!
//! # Sources
//! Octal codes: [GS56]. The suffixes, braces and brackets are those of CGSuite's `TakeAndBreak`.

mod scan;

use core::fmt;
use std::collections::{BTreeSet, HashMap};

pub use scan::CodeError;

use super::{Alternative, AmountSet, Amounts, HeapRule, Leave, Parts};

/// The digits with a character of their own.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV";

/// A code of taking and breaking, normalised as CGSuite does.
///
/// Normalised means: trailing zeros and a repeating part of zeros are dropped, restrictions on no heap or one heap are
/// forgotten, and `+` starts as low as possible. Two codes that are equal print alike; two that print differently may
/// still be one game (`0.3[3]` and `0.[3]`, `4?.0` and `4!.0`): compare [`Code::to_rule`] for that.
///
/// # Examples
/// ```
/// use grundy_core::rulesets::heap::Code;
///
/// assert_eq!(Code::parse("04.30")?.to_string(), "4.3");
/// assert_eq!(Code::parse("0.{0!,2!,3!}")?.to_string(), "0.D!");
/// let refused = Code::parse("20.017").unwrap_err();
/// assert_eq!(refused.span, 0..1);
/// assert!(refused.message.contains("would add 1 token"));
/// # Ok::<(), grundy_core::rulesets::heap::CodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// Breaking without taking; no number below 2.
    d0: Leave,
    /// d1, d2, …; the last `period` of them repeat.
    digits: Vec<Leave>,
    /// Length of the repeating part, 0 if there is none.
    period: usize,
}

impl Code {
    fn normalised(d0: Leave, mut digits: Vec<Leave>, mut period: usize) -> Code {
        let start = digits.len() - period;
        if digits[start..].iter().all(is_zero) {
            digits.truncate(start);
            period = 0;
        }
        if period == 0 {
            let len = digits.iter().rposition(|d| !is_zero(d)).map_or(0, |last| last + 1);
            digits.truncate(len);
        }
        Code { d0, digits, period }
    }

    /// The numbers of heaps that may be left after taking `k`: the digit d_k, the empty set where the code has ended.
    pub fn digit(&self, k: u64) -> &Leave {
        const ZERO: &Leave = &Leave { exact: Vec::new(), from: None };
        let Some(i) = k.checked_sub(1) else { return &self.d0 };
        let len = self.digits.len() as u64;
        let i = match self.period as u64 {
            period if period > 0 && i >= len => len - period + (i - len) % period,
            _ => i,
        };
        usize::try_from(i).ok().and_then(|i| self.digits.get(i)).unwrap_or(ZERO)
    }

    /// True if nothing repeats for ever, so that the amounts taken are bounded.
    pub fn is_finite(&self) -> bool {
        self.period == 0
    }

    /// The largest amount that may be taken, or None without bound; 0 for a code that only breaks heaps.
    pub fn last_amount(&self) -> Option<u64> {
        self.is_finite().then_some(self.digits.len() as u64)
    }

    /// The most heaps that a move may leave, or None without bound.
    pub fn most_parts(&self) -> Option<u32> {
        self.digits.iter().chain([&self.d0]).try_fold(0, |most, d| Some(most.max(d.most()?)))
    }

    /// True if all digits are 0 to 7 without a suffix (so d0 is 0 or 4): an octal code, finite or repeating.
    pub fn is_octal(&self) -> bool {
        let plain = |d: &Leave| d.from.is_none() && d.exact.iter().all(|(c, p)| *c <= 2 && *p == Parts::Any);
        self.digits.iter().chain([&self.d0]).all(plain)
    }

    /// The rule that the code means, in a form that depends on the game only.
    ///
    /// * One alternative per digit that occurs, with all its amounts; breaking without taking stands in one of its own.
    /// * Alternatives ascend by their least amount, the sets of one alternative by theirs.
    /// * A digit that recurs for ever gives one endless run for each residue modulo the least period of its amounts,
    ///   starting as low as possible; what is left is split, from below, into longest runs: of neighbours, or of three
    ///   and more amounts at equal distance.
    /// * In `leave`, no heap and one heap are unrestricted, two heaps "not all equal" are two unequal heaps, and `from`
    ///   is as low as possible.
    ///
    /// So two codes have the same options from every heap exactly if their rules are equal.
    ///
    /// # Complexity
    /// Time O(b log b) for b bytes of the code's text, and O(sqrt b) for each different digit of a repeating part.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::rulesets::heap::{Alternative, AmountSet, Code, HeapRule};
    ///
    /// let nim = HeapRule::new(vec![Alternative::taking(AmountSet::from(1))]);
    /// assert_eq!(Code::parse("0.3[33]")?.to_rule(), nim);
    /// # Ok::<(), grundy_core::rulesets::heap::CodeError>(())
    /// ```
    pub fn to_rule(&self) -> HeapRule {
        let mut taking: HashMap<Leave, (BTreeSet<u64>, Vec<u64>)> = HashMap::new();
        let start = self.digits.len() - self.period;
        for (i, digit) in self.digits.iter().enumerate().filter(|(_, d)| !is_zero(d)) {
            let (once, offsets) = taking.entry(meaning(digit)).or_default();
            match i.checked_sub(start) {
                Some(offset) => offsets.push(offset as u64),
                None => {
                    once.insert(i as u64 + 1);
                }
            }
        }
        let mut ways: Vec<(u64, Alternative)> = taking
            .into_iter()
            .map(|(leave, (once, offsets))| {
                let include = runs(once, offsets, start as u64 + 1, self.period as u64);
                let least = include.iter().map(first_of).min().unwrap_or(0);
                (least, Alternative { take: Amounts { include, exclude: Vec::new() }, leave, condition: None })
            })
            .collect();
        if !is_zero(&self.d0) {
            let split = Alternative { take: Amounts::nothing(), leave: meaning(&self.d0), condition: None };
            ways.push((0, split));
        }
        // each amount belongs to one digit, so no two alternatives begin alike
        ways.sort_unstable_by_key(|(least, _)| *least);
        HeapRule::new(ways.into_iter().map(|(_, way)| way).collect())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (once, repeating) = self.digits.split_at(self.digits.len() - self.period);
        write_digit(f, &self.d0)?;
        f.write_str(".")?;
        if self.digits.is_empty() {
            return f.write_str("0");
        }
        once.iter().try_for_each(|d| write_digit(f, d))?;
        if !repeating.is_empty() {
            f.write_str("[")?;
            repeating.iter().try_for_each(|d| write_digit(f, d))?;
            f.write_str("]")?;
        }
        Ok(())
    }
}

fn is_zero(digit: &Leave) -> bool {
    digit.exact.is_empty() && digit.from.is_none()
}

/// The digit with these numbers of heaps: ascending, no heap and one heap unrestricted, `from` as low as possible.
fn leave(mut exact: Vec<(u32, Parts)>, mut from: Option<(u32, Parts)>) -> Leave {
    if let Some((start, _)) = &mut from {
        exact.extend((*start..2).map(|count| (count, Parts::Any)));
        *start = (*start).max(2);
    }
    exact.sort_unstable();
    for (_, parts) in exact.iter_mut().filter(|(count, _)| *count < 2) {
        *parts = Parts::Any;
    }
    if let Some((start, parts)) = &mut from {
        while *start > 0 && exact.last() == Some(&(*start - 1, *parts)) {
            exact.pop();
            *start -= 1;
        }
    }
    Leave { exact, from }
}

/// The same digit up to what it means: of two heaps, "not all equal" is "unequal".
fn meaning(digit: &Leave) -> Leave {
    let mut exact = digit.exact.clone();
    let mut from = digit.from;
    if let Some((start @ 2, Parts::NotAllEqual)) = &mut from {
        exact.push((2, Parts::Unequal));
        *start = 3;
    }
    for entry in exact.iter_mut().filter(|entry| **entry == (2, Parts::NotAllEqual)) {
        entry.1 = Parts::Unequal;
    }
    leave(exact, from)
}

/// The amounts `once`, and `start + o`, `start + o + period`, … for every o of `offsets` (ascending, below `period`), as runs.
fn runs(mut once: BTreeSet<u64>, mut offsets: Vec<u64>, start: u64, mut period: u64) -> Vec<AmountSet> {
    let (mut rest, mut q) = (period, 2);
    while rest > 1 && !offsets.is_empty() {
        if q * q > rest {
            q = rest;
        }
        while rest.is_multiple_of(q) {
            rest /= q;
            // offsets repeat with period / q if each q-th part of them is the one before, shifted
            let share = offsets.len() / q as usize;
            let shift = period / q;
            if share * q as usize == offsets.len()
                && (share..offsets.len()).all(|i| offsets[i] == offsets[i - share] + shift)
            {
                offsets.truncate(share);
                period = shift;
            }
        }
        q += 1;
    }
    let mut sets = Vec::new();
    for offset in offsets {
        let mut first = start + offset;
        while first > period && once.remove(&(first - period)) {
            first -= period;
        }
        sets.push(AmountSet::Run { first, last: None, step: period });
    }
    let once: Vec<u64> = once.into_iter().collect();
    let mut rest = &once[..];
    while let [first, others @ ..] = rest {
        let step = others.first().map_or(1, |second| second - first);
        let mut len = 1;
        while rest.get(len).is_some_and(|next| next - rest[len - 1] == step) {
            len += 1;
        }
        if len == 1 || (len == 2 && step > 1) {
            sets.push(AmountSet::one(*first));
            rest = others;
        } else {
            sets.push(AmountSet::Run { first: *first, last: Some(rest[len - 1]), step });
            rest = &rest[len..];
        }
    }
    sets.sort_unstable_by_key(first_of);
    sets
}

fn first_of(set: &AmountSet) -> u64 {
    match set {
        AmountSet::Run { first, .. } => *first,
        _ => 1,
    }
}

fn suffix(parts: Parts) -> &'static str {
    match parts {
        Parts::Any => "",
        Parts::Unequal => "!",
        Parts::NotAllEqual => "?",
        Parts::AllEqual => "=",
    }
}

/// The digit as CGSuite writes it: one suffix at its end if all numbers of two heaps and more have the same.
fn write_digit(f: &mut fmt::Formatter<'_>, digit: &Leave) -> fmt::Result {
    let mut restrictions = digit.exact.iter().chain(&digit.from).filter(|(count, _)| *count >= 2).map(|(_, p)| *p);
    let common = restrictions.next().unwrap_or(Parts::Any);
    let uniform = restrictions.all(|p| p == common);
    let mut exact = &digit.exact[..];
    let mut from = digit.from;
    if let Some((start, _)) = &mut from
        && uniform
    {
        // {0,1,2+}! is *!: no heap and one heap go with any restriction
        while *start > 0 && exact.last().is_some_and(|(count, _)| count + 1 == *start) {
            exact = &exact[..exact.len() - 1];
            *start -= 1;
        }
    }
    match (from, exact.last()) {
        (Some((0, _)), _) => write!(f, "*{}", suffix(common)),
        (None, last) if uniform && last.is_none_or(|(count, _)| *count < 64) => {
            let mask = exact.iter().fold(0u64, |mask, (count, _)| mask | 1 << count);
            match ALPHABET.get(usize::try_from(mask).unwrap_or(usize::MAX)) {
                Some(c) => write!(f, "{}{}", char::from(*c), suffix(common)),
                None => write!(f, "&{mask};{}", suffix(common)),
            }
        }
        _ => {
            let own = |parts| if uniform { "" } else { suffix(parts) };
            for (i, (count, parts)) in exact.iter().chain(&from).enumerate() {
                write!(f, "{}{count}{}", if i == 0 { "{" } else { "," }, own(*parts))?;
            }
            f.write_str(if from.is_some() { "+}" } else { "}" })?;
            f.write_str(if uniform { suffix(common) } else { "" })
        }
    }
}

/// A digit for messages.
struct Digit<'a>(&'a Leave);

impl fmt::Display for Digit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_digit(f, self.0)
    }
}

#[cfg(test)]
mod tests {
    use core::ops::ControlFlow;

    use super::*;
    use crate::ruleset::{definition::GrundyByDefinition, options_of};

    fn code(text: &str) -> Code {
        Code::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn values(rule: &HeapRule, to: u64) -> Vec<u64> {
        let mut g = GrundyByDefinition::new(rule);
        (1..=to).map(|n| g.value(&n)).collect()
    }

    fn count(rule: &HeapRule, n: u64) -> usize {
        let mut count = 0;
        let _ = rule.each_option(n, &mut |_: &[u64]| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    // CGSuite 2, core library, tests of its take-and-break codes
    #[test]
    fn prints_as_cgsuite_does() {
        for (typed, printed) in [
            ("04.30", "4.3"),
            ("04.00[30]", "4.00[30]"),
            ("04.00[00]", "4.0"),
            ("00.00[00]", "0.0"),
            ("0.{1,2!}", "0.6!"),
            ("0.{0!,2!,3!}", "0.D!"),
            ("0.{0,2!,4!+}", "0.{0,2,4+}!"),
            ("0.{0!,2!,4+}", "0.{0,2!,4+}"),
            ("0.{0!,2=,3?,4?+}", "0.{0,2=,3?+}"),
            ("0.{0,2=,3?,4?+}", "0.{0,2=,3?+}"),
            ("0.{0!,2?,3?,4?+}", "0.{0,2+}?"),
            ("0.{0,1!,2,3,4+}", "0.*"),
            ("0.{0,1,2!,3!,4!+}", "0.*!"),
            ("0.3F", "0.3F"),
            ("0.0330003", "0.0330003"),
            ("4!.0", "4!.0"),
            ("0.[37]", "0.[37]"),
        ] {
            assert_eq!(code(typed).to_string(), printed, "{typed}");
        }
    }

    #[test]
    fn prints_the_edges() {
        for (typed, printed) in [
            ("0.3!", "0.3"),
            ("0.0=", "0.0"),
            ("0.&35;", "0.&35;"),
            ("0.&31;&0;&18446744073709551615;", "0.V0&18446744073709551615;"),
            ("0.{63}{64}", "0.&9223372036854775808;{64}"),
            ("0.{65535, 1 }=", "0.{1,65535}="),
            ("0.{0,5}?", "0.&33;?"),
            ("0.{1+}!", "0.{1+}!"),
            ("0.{0+}=", "0.*="),
            ("*!.0", "{2+}!.0"),
            ("00!&0;4.0", "4.0"),
            ("C?.[3]", "C?.[3]"),
        ] {
            assert_eq!(code(typed).to_string(), printed, "{typed}");
        }
    }

    // The same source: options in the order amount taken, number of parts, parts
    #[test]
    fn options_as_cgsuite_lists_them() {
        for (text, n, expected) in [
            ("0.7", 9, "8  1,7  2,6  3,5  4,4"),
            ("0.77", 9, "8  1,7  2,6  3,5  4,4  7  1,6  2,5  3,4"),
            ("0.3F", 9, "8  7  1,6  2,5  3,4  1,1,5  1,2,4  1,3,3  2,2,3"),
            ("0.3F!", 9, "8  7  1,6  2,5  3,4  1,2,4"),
            ("0.[3]", 7, "6  5  4  3  2  1  -"),
            ("0.3[1]", 7, "6  -"),
            ("0.{0,1,3+}", 1, "-"),
            ("0.{0,1,3+}", 7, "6  1,1,4  1,2,3  2,2,2  1,1,1,3  1,1,2,2  1,1,1,1,2  1,1,1,1,1,1"),
            ("0.{1,3+}", 1, ""),
        ] {
            let name = |parts: &Vec<u64>| match parts[..] {
                [] => "-".to_owned(),
                _ => parts.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
            };
            let found: Vec<String> = options_of(&code(text).to_rule(), &n).iter().map(name).collect();
            assert_eq!(found.join("  "), expected, "{text} {n}");
        }
    }

    // The same source: numbers of options and values of its named heap games
    #[test]
    fn named_games_as_in_cgsuite() {
        for (text, n, expected) in [
            ("0.[3]", 20, 20),
            ("0.77", 20, 20),
            ("0.07", 20, 10),
            ("4!.0", 20, 9),
            ("4!.0", 92679, 46339),
            ("0.0330003", 20, 3),
            ("0.3003330[3]", 20, 17),
        ] {
            assert_eq!(count(&code(text).to_rule(), n), expected, "{text} {n}");
        }
        assert_eq!(values(&code("0.[3]").to_rule(), 20), (1..=20).collect::<Vec<_>>());
        let grundys_game = [0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0];
        assert_eq!(values(&code("4!.0").to_rule(), 20), grundys_game);
        let subtraction = [0, 1, 1, 2, 0, 0, 1, 1, 2, 0, 0, 1, 1, 2, 0, 0, 1, 1, 2, 0];
        assert_eq!(values(&code("0.0330003").to_rule(), 20), subtraction);
        // all but 2, 3 and 7
        let allbut = code("0.3003330[3]").to_rule();
        assert_eq!(values(&allbut, 20), [1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 8, 9, 8, 9, 10]);
    }

    fn run(first: u64, last: Option<u64>, step: u64) -> AmountSet {
        AmountSet::Run { first, last, step }
    }

    #[test]
    fn lowers_to_few_alternatives() {
        let rule = |ways: &[(&[AmountSet], &[u32])]| {
            let way = |(sets, counts): &(&[AmountSet], &[u32])| Alternative {
                take: Amounts { include: sets.to_vec(), exclude: Vec::new() },
                leave: Leave { exact: counts.iter().map(|c| (*c, Parts::Any)).collect(), from: None },
                condition: None,
            };
            HeapRule::new(ways.iter().map(way).collect())
        };
        for (text, expected) in [
            ("0.77", rule(&[(&[run(1, Some(2), 1)], &[0, 1, 2])])),
            (
                "0.137",
                rule(&[
                    (&[run(1, Some(1), 1)], &[0]),
                    (&[run(2, Some(2), 1)], &[0, 1]),
                    (&[run(3, Some(3), 1)], &[0, 1, 2]),
                ]),
            ),
            ("4.[3]", rule(&[(&[run(0, Some(0), 1)], &[2]), (&[run(1, None, 1)], &[0, 1])])),
            ("4.4", rule(&[(&[run(0, Some(0), 1)], &[2]), (&[run(1, Some(1), 1)], &[2])])),
            ("0.[37]", rule(&[(&[run(1, None, 2)], &[0, 1]), (&[run(2, None, 2)], &[0, 1, 2])])),
            (
                "0.[3733]",
                rule(&[
                    (&[run(1, None, 4), run(3, None, 4), run(4, None, 4)], &[0, 1]),
                    (&[run(2, None, 4)], &[0, 1, 2]),
                ]),
            ),
            ("0.303030033", rule(&[(&[run(1, Some(5), 2), run(8, Some(9), 1)], &[0, 1])])),
            ("0.0", rule(&[])),
        ] {
            assert_eq!(code(text).to_rule(), expected, "{text}");
        }
    }

    #[test]
    fn codes_of_one_game_have_one_rule() {
        for same in [
            &["0.[3]", "0.3[3]", "0.[333]", "0.33[33]"][..],
            &["4.00[30]", "4.0[03]", "4.003[03]", "4.00[303030]"],
            &["0.[37]", "0.3[73]", "0.37[3737]"],
            &["4!.0", "4?.0", "{2!}.0", "{2?}.[0]"],
            &["*?.0", "{2!,3?+}.0", "{2,3,4+}?.0"],
            &["0.1!", "0.1"],
        ] {
            for other in same {
                assert_eq!(code(other).to_rule(), code(same[0]).to_rule(), "{other}");
            }
        }
        assert_ne!(code("8!.0").to_rule(), code("8?.0").to_rule());
        assert_ne!(code("0.03[3]").to_rule(), code("0.[3]").to_rule());
    }

    #[test]
    fn digits_and_kinds() {
        let lasker = code("4.[3]");
        assert_eq!(lasker.digit(u64::MAX), &Leave::rest());
        assert_eq!(lasker.digit(0), &Leave::exactly(2));
        assert!(lasker.is_octal() && !lasker.is_finite());
        assert_eq!((lasker.last_amount(), lasker.most_parts()), (None, Some(2)));
        let c = code("0.03[07]");
        let octal = |k| c.digit(k).exact.iter().map(|(j, _)| 1 << j).sum::<u32>();
        assert_eq!((1..9).map(octal).collect::<Vec<_>>(), [0, 3, 0, 7, 0, 7, 0, 7]);
        let c = code("0.8");
        assert!(!c.is_octal() && c.is_finite() && c.digit(2).exact.is_empty());
        assert_eq!((c.last_amount(), c.most_parts()), (Some(1), Some(3)));
        assert_eq!(code("*.0").most_parts(), None);
        assert!(!code("4!.0").is_octal());
    }
}
