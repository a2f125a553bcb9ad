//! A period written as a formula that people read.

use grundy_core::{notation::formula::Formula, theory::Periodicity};

use super::{cases::shortest, terms::Data};

/// Longest period, and longest preperiod, of which a formula is sought.
const LONGEST: u64 = 1 << 16;

/// Values beyond three periods on which a formula is tried.
const BEYOND: u64 = 64;

/// The shortest formula found that equals, for every n, the sequence with this period and these values of heaps
/// `0 .. preperiod + period`.
///
/// The numbers are cut into the heaps below n0 and the residue classes modulo p from n0 on. Terms with `mod`, `div`, `xor`,
/// `bitand`, `min` and `max` are tried, alone and in cases `condition: term;`, whose conditions are about single heaps and
/// residues. On a class the sequence is linear, and so is every term that is tried, from n0 + p on at the latest; so three
/// values of a class tell whether a term is right on it, and the choice holds for every n. The formula is evaluated on
/// `0 .. n0 + 3p + 64` all the same before it is given.
///
/// None if nothing shorter than about 24 cases was found (a table says it better), if `values` is too short, or if p = 0.
/// The period given need not be the least.
///
/// # Complexity
/// Time O((n0 + p) c) for c candidates, some thousands where n0 + p is at most 256 and a few dozen beyond, and a search within
/// a fixed amount of work; memory O(n0 + p + c).
///
/// # Examples
/// ```
/// use grundy::discover::readable;
/// use grundy_core::theory::Periodicity;
/// let lasker = readable(Periodicity { preperiod: 1, period: 4, saltus: 4 }, &[0, 1, 2, 4, 3]).unwrap();
/// assert_eq!(lasker.to_string(), "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n");
/// // no regularity within a period of 40: a table says it better
/// let digits: Vec<u64> = (0..40).map(|i| i * i * i % 41).collect();
/// assert_eq!(readable(Periodicity { preperiod: 0, period: 40, saltus: 0 }, &digits), None);
/// ```
pub fn readable(period: Periodicity, values: &[u64]) -> Option<Formula> {
    let given = period;
    if given.period == 0 || given.period > LONGEST || given.preperiod > LONGEST {
        return None;
    }
    let needed = usize::try_from(given.preperiod + given.period).ok()?;
    let values = values.get(..needed)?;
    let at = |n: u64| value(given, values, n);
    let least = least(given, &at);
    let data = Data {
        values: (0..least.preperiod + 3 * least.period + BEYOND).map(&at).collect(),
        preperiod: least.preperiod as usize,
        period: least.period as usize,
        saltus: i128::from(least.saltus),
    };
    let formula = shortest(&data)?;
    let holds = |n: u64| formula.eval(&[i128::from(n)]) == Ok(at(n));
    (0..given.preperiod + 3 * given.period + BEYOND).all(holds).then_some(formula)
}

/// G(n), however large; n0 + p values are there.
fn value(p: Periodicity, values: &[u64], n: u64) -> i128 {
    let (turns, i) = match n.checked_sub(p.preperiod) {
        Some(beyond) => (beyond / p.period, p.preperiod + beyond % p.period),
        None => (0, n),
    };
    i128::from(values[i as usize]) + i128::from(turns) * i128::from(p.saltus)
}

/// The least period and preperiod of the sequence.
fn least(given: Periodicity, at: &impl Fn(u64) -> i128) -> Periodicity {
    let (n0, p, s) = (given.preperiod, given.period, given.saltus);
    let holds = |q: u64| {
        let s = i128::from(s / (p / q));
        s * i128::from(p / q) == i128::from(given.saltus) && (n0..n0 + p).all(|n| at(n + q) == at(n) + s)
    };
    let q = (1..=p).find(|q| p % q == 0 && holds(*q)).unwrap_or(p);
    let saltus = s / (p / q);
    let below = (0..n0).rev().take_while(|n| at(n + q) == at(*n) + i128::from(saltus)).count();
    Periodicity { preperiod: n0 - below as u64, period: q, saltus }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn form(preperiod: u64, saltus: u64, values: &[u64]) -> Option<String> {
        let period = Periodicity { preperiod, period: values.len() as u64 - preperiod, saltus };
        readable(period, values).map(|f| f.to_string())
    }

    #[test]
    fn plain_terms() {
        // preperiod, saltus, values; formula
        let rows: &[(u64, u64, &[u64], &str)] = &[
            (0, 0, &[0, 1, 2], "n mod 3"),
            (0, 1, &[0], "n"),
            (0, 0, &[0], "0"),
            (0, 0, &[0, 1], "n mod 2"),
            (0, 0, &[7, 7], "7"),
            (0, 6, &[0, 3], "3 * n"),
            (0, 1, &[1], "n + 1"),
            (0, 1, &[0, 0], "n div 2"),
            (0, 1, &[0, 1], "(n + 1) div 2"),
            (0, 2, &[0, 1, 0, 1], "n div 4 * 2 + n mod 2"),
            (0, 2, &[0, 0, 1], "2 * n div 3"),
            (0, 2, &[1, 0], "n xor 1"),
            (0, 4, &[2, 3, 0, 1], "n xor 2"),
            (0, 4, &[3, 2, 1, 0], "n xor 3"),
            (0, 4, &[3, 4, 1, 2], "(n xor 2) + 1"),
            (0, 4, &[0, 3, 2, 5], "n + 1 xor 1"),
            (0, 0, &[0, 0, 0, 1, 1, 1], "n mod 6 div 3"),
            (0, 0, &[2, 1, 0], "2 - n mod 3"),
            (3, 0, &[0, 1, 2, 3], "min(n, 3)"),
            (1, 1, &[0, 0], "max(n - 1, 0)"),
        ];
        for (n0, s, values, expected) in rows {
            assert_eq!(form(*n0, *s, values).as_deref(), Some(*expected), "{values:?}");
        }
    }

    #[test]
    fn cases() {
        let rows: &[(u64, u64, &[u64], &str)] = &[
            (1, 4, &[0, 1, 2, 4, 3], "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n"),
            (6, 0, &[0, 1, 2, 0, 1, 3, 0, 1, 2], "n = 5: 3; else n mod 3"),
            (1, 0, &[0, 1, 2, 0, 3, 4, 6], "n mod 6 > 3: n mod 2 + 3; n mod 6 = 0 and n > 0: 6; else n mod 3"),
            (0, 0, &[0, 1, 0, 2, 1], "n mod 5 = 0 or n mod 5 = 2: 0; n mod 5 = 3: 2; else 1"),
            (
                0,
                16,
                &[0, 1, 2, 3, 4, 5, 7, 6, 8, 9, 10, 11],
                "n mod 12 = 6: n div 12 * 16 + 7; n mod 12 = 7: n div 12 * 16 + 6; else n div 12 * 16 + n mod 12",
            ),
        ];
        for (n0, s, values, expected) in rows {
            assert_eq!(form(*n0, *s, values).as_deref(), Some(*expected), "{values:?}");
        }
    }

    const KAYLES: [u64; 83] = [
        0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7, 4,
        1, 2, 3, 1, 4, 7, 2, 1, 8, 2, 7, 4, 1, 2, 8, 1, 4, 7, 2, 1, 4, 2, 7, 4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 6, 7, 4, 1,
        2, 8, 1, 4, 7, 2, 1, 8, 2,
    ];

    #[test]
    fn nothing_readable() {
        let noise: Vec<u64> = (0..200u64).map(|i| i * i * i % 211 % 17).collect();
        assert_eq!(form(0, 0, &noise), None);
        assert_eq!(form(100, 3, &noise), None);
        assert_eq!(form(71, 0, &KAYLES), None);
        assert_eq!(readable(Periodicity { preperiod: 0, period: 0, saltus: 0 }, &[]), None);
        assert_eq!(readable(Periodicity { preperiod: 2, period: 3, saltus: 0 }, &[0, 1, 2, 3]), None);
        assert_eq!(readable(Periodicity { preperiod: u64::MAX, period: u64::MAX, saltus: 0 }, &[0]), None);
        let long: Vec<u64> = (0..1000).collect();
        assert_eq!(form(0, 0, &long).as_deref(), Some("n mod 1000"));
        assert_eq!(form(0, 0, &long.iter().map(|v| v / 7).collect::<Vec<_>>()).as_deref(), Some("n mod 1000 div 7"));
        assert!(form(0, u64::MAX, &[u64::MAX, 0]).is_some());
    }

    fn sequence() -> impl Strategy<Value = (u64, u64, Vec<u64>)> {
        (0..6u64, 1..9usize, 0..9u64, 1..7u64)
            .prop_flat_map(|(n0, p, s, top)| (Just(n0), Just(s), prop::collection::vec(0..top, n0 as usize + p)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn what_is_written_is_the_sequence((n0, s, values) in sequence(), lift: bool) {
            let p = values.len() as u64 - n0;
            // rising ones look like what games have
            let rising = |(i, v): (usize, &u64)| if lift { v + i as u64 * s / p } else { *v };
            let values: Vec<u64> = values.iter().enumerate().map(rising).collect();
            let period = Periodicity { preperiod: n0, period: p, saltus: s };
            let formula = readable(period, &values).expect("there are few cells");
            for n in (0..n0 + 9 * p + 100).chain([1 << 40, (1 << 59) + 5]) {
                prop_assert_eq!(formula.eval(&[i128::from(n)]), Ok(i128::from(period.value(&values, n).unwrap())), "{} at {}", formula, n);
            }
        }

        #[test]
        fn nothing_makes_it_panic(n0 in 0..40u64, p in 0..40u64, s: u64, values in prop::collection::vec(any::<u64>(), 0..80)) {
            let _ = readable(Periodicity { preperiod: n0, period: p, saltus: s }, &values);
        }
    }
}
