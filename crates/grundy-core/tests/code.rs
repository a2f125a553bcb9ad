//! Codes of taking and breaking against a naive reading of what was written.

use grundy_core::{
    ruleset::options_of,
    rulesets::heap::{Code, Parts},
};
use proptest::prelude::*;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV";

fn code(text: &str) -> Code {
    Code::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn suffix(parts: Parts) -> &'static str {
    match parts {
        Parts::Any => "",
        Parts::Unequal => "!",
        Parts::NotAllEqual => "?",
        Parts::AllEqual => "=",
    }
}

/// A digit as generated: the suffixes that a naive reader applies to each number of heaps, and the text.
#[derive(Clone, Debug)]
struct Written {
    text: String,
    counts: Vec<(u64, Parts)>,
    plus: bool,
}

impl Written {
    fn allows(&self, parts: &[u64]) -> bool {
        let len = parts.len() as u64;
        let own = self.counts.iter().find(|(count, _)| *count == len);
        let restriction = own.or(self.counts.last().filter(|(count, _)| self.plus && len > *count));
        restriction.is_some_and(|(_, p)| match p {
            Parts::Any => true,
            Parts::Unequal => (1..parts.len()).all(|i| !parts[..i].contains(&parts[i])),
            Parts::NotAllEqual => parts.len() < 2 || parts.iter().any(|p| *p != parts[0]),
            Parts::AllEqual => parts.iter().all(|p| *p == parts[0]),
        })
    }
}

fn any_suffix() -> impl Strategy<Value = Parts> {
    prop_oneof![4 => Just(Parts::Any), 1 => Just(Parts::Unequal), 1 => Just(Parts::NotAllEqual), 1 => Just(Parts::AllEqual)]
}

fn digit_below(end: u64) -> impl Strategy<Value = Written> {
    (0..end, any_suffix(), any::<bool>()).prop_map(|(mask, p, number)| {
        let counts: Vec<_> = (0..64).filter(|j| mask >> j & 1 == 1).map(|j| (j, p)).collect();
        let digit = match ALPHABET.get(mask as usize) {
            Some(c) if !number => char::from(*c).to_string(),
            _ => format!("&{mask};"),
        };
        Written { text: digit + suffix(p), counts, plus: false }
    })
}

fn list_from(low: u64) -> impl Strategy<Value = Written> {
    let counts = prop::collection::btree_map(low..6, any_suffix(), 1..5);
    (counts, any::<bool>(), any_suffix(), any::<bool>()).prop_map(|(counts, plus, common, one)| {
        let counts: Vec<_> = counts.into_iter().map(|(count, p)| (count, if one { common } else { p })).collect();
        let own = |p| if one { "" } else { suffix(p) };
        let list: Vec<String> = counts.iter().map(|(count, p)| format!("{count}{}", own(*p))).collect();
        let plus_sign = if plus { "+" } else { "" };
        let text = format!("{{{}{plus_sign}}}{}", list.join(","), if one { suffix(common) } else { "" });
        Written { text, counts, plus }
    })
}

fn any_digit() -> impl Strategy<Value = Written> {
    let star = |p| Written { text: format!("*{}", suffix(p)), counts: vec![(0, p)], plus: true };
    prop_oneof![3 => digit_below(8), 2 => digit_below(16), 1 => digit_below(80), 2 => list_from(0), 1 => any_suffix().prop_map(star)]
}

prop_compose! {
    /// d0, the digits and the length of the repeating part.
    fn any_code()(
        d0 in prop_oneof![Just("0"), Just("4"), Just("00C!"), Just("{2=,4?+}"), Just("*?")],
        digits in prop::collection::vec(any_digit(), 1..6),
        period in 0usize..6,
    ) -> (&'static str, Vec<Written>, usize) {
        let period = period.min(digits.len());
        (d0, digits, period)
    }
}

fn join(d0: &str, digits: &[Written], period: usize) -> String {
    let text = |digits: &[Written]| digits.iter().map(|d| d.text.as_str()).collect::<String>();
    let (once, repeating) = digits.split_at(digits.len() - period);
    let repeating = if period > 0 { format!("[{}]", text(repeating)) } else { String::new() };
    format!("{d0}.{}{repeating}", text(once))
}

/// All ascending lists of positive parts with this sum, by number of parts.
fn partitions(sum: u64) -> Vec<Vec<u64>> {
    fn extend(sum: u64, least: u64, parts: &mut Vec<u64>, all: &mut Vec<Vec<u64>>) {
        if sum == 0 {
            all.push(parts.clone());
        }
        for part in least..=sum {
            parts.push(part);
            extend(sum - part, part, parts, all);
            parts.pop();
        }
    }
    let mut all = Vec::new();
    extend(sum, 1, &mut Vec::new(), &mut all);
    all.sort_by_key(Vec::len);
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_are_inverse((d0, digits, period) in any_code()) {
        let c = code(&join(d0, &digits, period));
        let printed = c.to_string();
        let again = code(&printed);
        prop_assert_eq!(&again, &c);
        prop_assert_eq!(again.to_string(), printed);
        prop_assert_eq!(again.to_rule(), c.to_rule());
    }

    #[test]
    fn options_are_those_of_a_naive_reading((d0, digits, period) in any_code(), n in 0u64..=12) {
        let text = join(d0, &digits, period);
        let (start, count) = (digits.len() - period, digits.len());
        let mut expected = Vec::new();
        for k in 0..=n {
            let breaks = |parts: &[u64]| match d0 {
                "4" => parts.len() == 2,
                "00C!" => parts.len() == 2 && parts[0] != parts[1] || parts.len() == 3 && parts[0] != parts[1] && parts[1] != parts[2],
                "{2=,4?+}" => parts.len() == 2 && parts[0] == parts[1] || parts.len() > 3 && parts[0] != parts[parts.len() - 1],
                "*?" => parts.len() > 1 && parts[0] != parts[parts.len() - 1],
                _ => false,
            };
            let mut i = k as usize;
            while period > 0 && i > count {
                i -= period;
            }
            prop_assert!(period == 0 || k as usize <= count || i > start);
            for parts in partitions(n - k) {
                let allowed = match i {
                    0 => breaks(&parts),
                    _ => digits.get(i - 1).is_some_and(|d| d.allows(&parts)),
                };
                if allowed {
                    expected.push(parts);
                }
            }
        }
        prop_assert_eq!(options_of(&code(&text).to_rule(), &n), expected, "{} {}", text, n);
    }

    #[test]
    fn unrolling_the_repeating_part_changes_nothing((d0, digits, period) in any_code(), more in 0usize..5, times in 1usize..7) {
        let period = period.max(1);
        let c = code(&join(d0, &digits, period));
        let repeating = &digits[digits.len() - period..];
        let turn = more % period;
        let unrolled: Vec<Written> = digits.iter().chain(repeating.iter().cycle().take(more)).cloned()
            .chain(repeating.iter().cycle().skip(turn).take(times * period).cloned()).collect();
        prop_assert_eq!(code(&join(d0, &unrolled, times * period)).to_rule(), c.to_rule());
    }

    #[test]
    fn the_scanner_finds_the_code((d0, digits, period) in any_code()) {
        let text = join(d0, &digits, period);
        prop_assert_eq!(Code::prefix_len(&(text.clone() + "(5)")), text.len());
    }

    #[test]
    fn any_text_is_read_or_refused(text in r"[0-9AVWdf.\[\]{}&;*!?=+, é(-]{0,12}|\PC{0,8}") {
        let len = Code::prefix_len(&text);
        prop_assert!(text.is_char_boundary(len));
        match Code::parse(&text) {
            Ok(c) => prop_assert_eq!(len, text.len(), "{}", c),
            Err(e) => prop_assert!(text.get(e.span).is_some()),
        }
    }
}

/// Every code over two digits with at most three once and at most four repeating: one rule for each sequence of digits.
#[test]
fn rules_are_equal_exactly_if_the_digits_are() {
    let mut rules = std::collections::HashMap::new();
    for (once, period) in (0..=3).flat_map(|once| (0..=4).map(move |period| (once, period))) {
        for bits in 0..1u32 << (once + period) {
            let digit = |i: usize| if bits >> i & 1 == 1 { '3' } else { '0' };
            let text: String = (0..once).map(digit).collect();
            let repeating: String = (once..once + period).map(digit).collect();
            let text = format!("0.{text}{}", if period > 0 { format!("[{repeating}]") } else { "0".into() });
            // sequences with preperiod at most 3 and periods at most 4 that differ do so within 3 + 12 digits
            let sequence: String = (0..15)
                .map(|i| {
                    if i < once {
                        digit(i)
                    } else if period > 0 {
                        digit(once + (i - once) % period)
                    } else {
                        '0'
                    }
                })
                .collect();
            let rule = code(&text).to_rule();
            assert_eq!(*rules.entry(sequence).or_insert_with(|| rule.clone()), rule, "{text}");
        }
    }
    let different: std::collections::HashSet<_> = rules.values().collect();
    assert_eq!(different.len(), rules.len());
}
