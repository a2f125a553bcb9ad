use proptest::prelude::*;

use super::{simplify::simplified, *};
use crate::{
    ruleset::{definition::GrundyByDefinition, options_of},
    rulesets::heap::{Alternative, AmountSet, Amounts, Leave, Parts},
};

fn parse(text: &str) -> WordRule {
    let rule = WordRule::parse(text, 0).unwrap_or_else(|e| panic!("{text}: {e} at {:?}", e.span));
    let printed = rule.to_string();
    assert_eq!(WordRule::parse(&printed, 0).as_ref(), Ok(&rule), "{text} printed as {printed}");
    rule
}

fn values(text: &str, to: u64) -> Vec<u64> {
    let rule = parse(text).to_rule();
    let mut g = GrundyByDefinition::new(&rule);
    (0..to).map(|n| g.value(&n)).collect()
}

fn values_of(rule: &HeapRule, to: u64) -> Vec<u64> {
    let mut g = GrundyByDefinition::new(rule);
    (0..to).map(|n| g.value(&n)).collect()
}

fn alternatives(text: &str) -> Vec<Alternative> {
    parse(text).to_rule().alternatives().to_vec()
}

fn only(text: &str) -> Alternative {
    let mut all = alternatives(text);
    assert_eq!(all.len(), 1, "{text}: {all:?}");
    all.remove(0)
}

// The examples of the notation

#[test]
fn three_rules_of_one_sum() {
    assert_eq!(values("take 1..3", 30), (0..30).map(|n| n % 4).collect::<Vec<_>>());
    assert_eq!(values("take odd", 30), (0..30).map(|n| n % 2).collect::<Vec<_>>());
    assert_eq!(values("take any", 30), (0..30).collect::<Vec<_>>());
}

#[test]
fn powers_of_two() {
    assert_eq!(values("take powers of 2", 40), (0..40).map(|n| n % 3).collect::<Vec<_>>());
    assert_eq!(values("take powers of 2", 24)[23], 2);
}

#[test]
fn laskers_nim() {
    // 4k + 3 -> 4k + 4, 4k + 4 -> 4k + 3
    let expected: Vec<u64> = (0..40)
        .map(|n| match n % 4 {
            3 => n + 1,
            0 if n > 0 => n - 1,
            _ => n,
        })
        .collect();
    assert_eq!(values("take any | split", 40), expected);
}

#[test]
fn grundys_game() {
    // OEIS A002188
    let expected = [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0];
    assert_eq!(values("split into a, b where a != b", 21), expected);
    assert_eq!(only("split into a, b where a != b").leave, Leave { exact: vec![(2, Parts::Unequal)], from: None });
    assert_eq!(only("split into a, b where a != b").condition, None);
}

#[test]
fn at_most_half() {
    // G(2n) = n, G(2n + 1) = G(n)
    let found = values("take k where 2*k <= n", 64);
    assert!((0..32).all(|n| found[2 * n] == n as u64 && found[2 * n + 1] == found[n]));
    assert_eq!(found[15], 0);
    assert_eq!(values("take k where 2 k <= n", 64), found);
}

#[test]
fn all_but() {
    let rule = HeapRule::new(vec![Alternative {
        take: Amounts { include: vec![AmountSet::from(1)], exclude: vec![AmountSet::one(3), AmountSet::one(5)] },
        leave: Leave::rest(),
        condition: None,
    }]);
    assert_eq!(parse("take any but 3, 5").to_rule(), rule);
    assert_eq!(parse("take k where k != 3 and not 5 = k").to_rule(), rule);
    assert_eq!(values("take any but 3, 5", 21)[20], values_of(&rule, 21)[20]);
    // by hand: 0, 1, 2, 3 by taking 1 or 2, then 3 -> 2, 1 only
    assert_eq!(values("take any but 3", 8)[..4], [0, 1, 2, 0]);
}

#[test]
fn octal_codes_in_words() {
    assert_eq!(values("take k leaving a, b where k <= 2", 40), values_of(&HeapRule::octal(0, &[4, 4]), 40));
    assert_eq!(values("take 1..2 | take 1..2 leaving a, b", 40), values_of(&HeapRule::octal(0, &[7, 7]), 40));
    assert_eq!(
        values("take 1..2 | take 1..2 leaving a, b | 0.007", 40),
        values_of(&HeapRule::octal(0, &[7, 7, 7]), 40)
    );
    assert_eq!(values("take 1 where 0 < n | 0.07", 40), values_of(&HeapRule::octal(0, &[3, 7]), 40));
    let forms = alternatives("take k leaving a, b where k <= 2");
    let run = AmountSet::Run { first: 1, last: Some(2), step: 1 };
    assert_eq!(forms, [Alternative { take: Amounts::of(run), leave: Leave::exactly(2), condition: None }]);
}

// The rest of the language

#[test]
fn every_set_of_amounts() {
    let amounts = |set: &str| -> Vec<u64> {
        let take = only(&format!("take {set}")).take;
        (1..=20).filter(|k| take.contains(*k, 20)).collect()
    };
    assert_eq!(amounts("1, 3, 4"), [1, 3, 4]);
    assert_eq!(amounts("18.."), [18, 19, 20]);
    assert_eq!(amounts("5..7, 2^4"), [5, 6, 7, 16]);
    assert_eq!(amounts("even but multiples of 4, 6"), [2, 10, 14, 18]);
    assert_eq!(amounts("powers of 3"), [1, 3, 9]);
    assert_eq!(amounts("powers of 1"), [1]);
    assert_eq!(amounts("squares, primes"), [1, 2, 3, 4, 5, 7, 9, 11, 13, 16, 17, 19]);
    assert_eq!(amounts("fibonacci"), [1, 2, 3, 5, 8, 13]);
    assert_eq!(amounts("divisors but 1"), [2, 4, 5, 10, 20]);
    assert_eq!(amounts("odd but primes"), [1, 9, 15]);
    assert_eq!(amounts("k"), (1..=20).collect::<Vec<_>>());
}

#[test]
fn canonical_text() {
    for (text, canonical) in [
        ("TAKE  1 , 3,4", "take 1, 3, 4"),
        ("take 1 ..3,5..", "take 1..3, 5.."),
        ("take 1_000..2^10", "take 1000..1024"),
        ("Take K Where K Mod 3==1", "take k where k mod 3 = 1"),
        ("split|take any|4.07", "split | take any | 4.07"),
        ("take k where ((2 k)) mod 3 <= (n)", "take k where 2*k mod 3 <= n"),
        ("take k where 2 (k mod 3) <= n", "take k where 2*(k mod 3) <= n"),
        ("take k where k mod 3*2 != 4", "take k where k mod 3*2 != 4"),
        ("take k where -(2*k) + - 3 k>-n", "take k where -(2*k) + -3*k > -n"),
        ("take k where 3*2 k < n-(k-1)", "take k where 3*2*k < n - (k - 1)"),
        ("take k where not(k=1 and n=2)or((k=3))", "take k where not (k = 1 and n = 2) or k = 3"),
        ("take k where (k = 1 or k = 2) and n > 5", "take k where (k = 1 or k = 2) and n > 5"),
        ("split into a,b where gcd ( a ,2 b ) = 1", "split into a, b where gcd(a, 2*b) = 1"),
        ("take multiples  of 3 but 6,9", "take multiples of 3 but 6, 9"),
        ("take x leaving y where y = 2 x", "take x leaving y where y = 2*x"),
    ] {
        assert_eq!(parse(text).to_string(), canonical, "{text}");
    }
}

#[test]
fn meaning_of_conditions() {
    let options = |text: &str, n: u64| options_of(&parse(text).to_rule(), &n);
    assert_eq!(options("take k leaving a, b where a = 2*b and k = 1", 7), [vec![2, 4]] as [Vec<u64>; 1]);
    assert_eq!(options("split into a, b where gcd(a, b) = 2", 8), [vec![2, 6]] as [Vec<u64>; 1]);
    assert_eq!(options("take k where -k mod 3 = 1", 6), [vec![4], vec![1]] as [Vec<u64>; 2]);
    // (k mod 3)*2, and not k mod 6
    assert_eq!(options("take k where k mod 3*2 = 4", 6), [vec![4], vec![1]] as [Vec<u64>; 2]);
    // `not` before `and` before `or`
    assert_eq!(options("take k where not k = 1 and k < 3 or k = 5", 6), [vec![4], vec![1]] as [Vec<u64>; 2]);
    // exists an order: every pair satisfies a <= b or not a <= b
    assert_eq!(options("split into a, b where a < b or a > b", 4), [vec![1, 3]] as [Vec<u64>; 1]);
    assert_eq!(options("split into a, b where not a <= b", 4), [vec![1, 3]] as [Vec<u64>; 1]);
    assert_eq!(options("take 3 leaving a where a >= 2", 4), Vec::<Vec<u64>>::new());
    assert_eq!(options("take 3 leaving a", 3), Vec::<Vec<u64>>::new());
}

#[test]
fn conditions_become_plain_data() {
    let run = |first, last, step| Amounts::of(AmountSet::Run { first, last, step });
    for (text, take) in [
        ("take k", run(1, None, 1)),
        ("take k where k >= 1 and k <= n", run(1, None, 1)),
        ("take k where k <= 5", run(1, Some(5), 1)),
        ("take k where 2 <= k and 2*k < 11", run(2, Some(5), 1)),
        ("take k where k = 4", run(4, Some(4), 1)),
        ("take k where -3*k >= -10", run(1, Some(3), 1)),
        ("take k where k + 1 < 2^63 + 2^63", run(1, Some(u64::MAX - 1), 1)),
        ("take k where k mod 2 = 1", run(1, None, 2)),
        ("take k where not k mod 2 = 1", run(2, None, 2)),
        ("take k where k mod 3 = 0", run(3, None, 3)),
        ("take k where k mod 4 >= 3", run(3, None, 4)),
        ("take k where k mod 3 = 1 and k mod 5 = 2 and k <= 40", run(7, Some(37), 15)),
        ("take k where k mod 5 = 2 and k > 7", run(12, None, 5)),
        ("take k where k != 1", run(2, None, 1)),
        ("take k where (k - 1) mod 3 = 0 and 1 = 1", run(1, None, 3)),
    ] {
        let alternative = only(text);
        assert_eq!(alternative.take, take, "{text}");
        assert_eq!(alternative.leave, Leave::rest(), "{text}");
        assert_eq!(alternative.condition, None, "{text}");
    }
    let three = AmountSet::Run { first: 3, last: None, step: 3 };
    let take = Amounts { include: vec![AmountSet::from(1)], exclude: vec![three] };
    assert_eq!(only("take k where k mod 3 != 0").take, take);
    let take = Amounts { include: [1, 3, 4].map(AmountSet::one).to_vec(), exclude: vec![] };
    assert_eq!(only("take k where (k = 1 or k = 4 or k = 3) and n > 0").take, take);
    assert_eq!(only("take k where k < n").leave, Leave::exactly(1));
    assert_eq!(only("take k where n - k = 0").leave, Leave::exactly(0));
    assert_eq!(only("take k where k < n and k <= 3").take, run(1, Some(3), 1));
}

#[test]
fn conditions_on_parts_become_restrictions() {
    for (text, parts) in [
        ("split into a, b where a != b", Parts::Unequal),
        ("split into a, b where 2*a - 2*b != 0", Parts::Unequal),
        ("split into a, b where a < b", Parts::Unequal),
        ("split into a, b where a <= b", Parts::Any),
        ("split into a, b where a = b", Parts::AllEqual),
        ("split into a, b, c where a = b and c = b", Parts::AllEqual),
        ("split into a, b, c where a != b and b != c and a != c", Parts::Unequal),
        ("split into a, b, c where a < b and c > b", Parts::Unequal),
        ("split into a, b, c where a >= b and b >= c", Parts::Any),
        ("split into a, b, c where a != b or b != c", Parts::NotAllEqual),
        ("split into a, b, c where not (a = b and b = c)", Parts::NotAllEqual),
        ("take k leaving a, b where a = b and k = 1", Parts::AllEqual),
    ] {
        let alternative = only(text);
        let count = alternative.leave.exact[0].0;
        assert_eq!(alternative.leave.exact, [(count, parts)], "{text}");
        assert_eq!(alternative.condition, None, "{text}");
    }
    for text in [
        "split into a, b where a < b and a > 2",
        "split into a, b, c where a != b",
        "split into a, b, c where a != b and b != c",
        "split into a, b, c where a < b and a < c",
        "split into a, b where a < b + 1",
    ] {
        assert!(only(text).condition.is_some(), "{text}");
        assert_eq!(only(text).leave.exact[0].1, Parts::Any, "{text}");
    }
    for text in
        ["take k where k > 3 and k < 3", "take 1 where 1 = 2", "take k where k > n", "split into a, b where a < a"]
    {
        assert_eq!(alternatives(text), [], "{text}");
    }
}

/// Values of rules made at random, computed from the text by another program (brute force in Python, whose operators
/// have the same precedence).
#[test]
fn values_found_elsewhere() {
    for (text, expected) in [
        (
            "split into a, b, c where (-(b) < (gcd(c, c))*2) or a*2 <= c mod 4",
            [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7],
        ),
        (
            "take k leaving a, b where 1 < b | take k leaving a where not (5 <= n)",
            [0, 0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 11],
        ),
        ("take odd, powers of 2 leaving a, b, c where (b)*2 >= n", [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 0, 0, 0, 3, 3]),
        ("take 1..3 | split into a, b, c where (-n < c)", [0, 1, 2, 3, 0, 4, 1, 2, 3, 0, 4, 5, 6, 8, 7, 9]),
        (
            "take 5, squares, 2 but even leaving a, b where 3*n mod 5 = 0",
            [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3],
        ),
        ("take k leaving a, b, c where 3*(c) mod 5*0 < 2", [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]),
        (
            "take 1..3, 4.., odd but fibonacci leaving a where gcd(gcd(3, n), 2) != 2",
            [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3],
        ),
        ("take k leaving a, b, c where (not (k > b))", [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]),
        (
            "take k leaving a where not (gcd(2*a, n) = -(n mod 5*0))",
            [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
        ),
        (
            "take powers of 2, fibonacci, 2 but primes, 5 where 3 <= n*2",
            [0, 0, 1, 0, 1, 2, 0, 1, 2, 1, 2, 3, 0, 3, 1, 0],
        ),
        ("take primes, multiples of 3, squares where 0*(0*n) < n", [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]),
        ("take k leaving a where a <= n and not (a > n)", [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
    ] {
        assert_eq!(values(text, 16), expected, "{text}");
    }
}

// What cannot be read

fn fail(text: &str) -> super::super::SyntaxError {
    match WordRule::parse(text, 0) {
        Ok(rule) => panic!("{text} was read as {rule}"),
        Err(error) => error,
    }
}

/// `text` marks the span of the error by brackets; the hint put in its place gives `mended`, which can be read.
#[test]
fn slips_are_mended_by_their_hints() {
    for (marked, mended) in [
        ("take [1-3]", "take 1..3"),
        ("take 2, [4 - 6] leaving a", "take 2, 4..6 leaving a"),
        ("take [1 to 3]", "take 1..3"),
        ("take [up to 3]", "take 1..3"),
        ("take [at most 2^3]", "take 1..8"),
        ("take [at least 3]", "take 3.."),
        ("take [from 1 to 3]", "take 1..3"),
        ("take [between 1 and 3]", "take 1..3"),
        ("take 1[...]3", "take 1..3"),
        ("take 1[…]3", "take 1..3"),
        ("take 1[.]3", "take 1..3"),
        ("take 1[–]3", "take 1..3"),
        ("take [0..3]", "take 1..3"),
        ("take [3..1]", "take 1..3"),
        ("take 1,2 [or] 3", "take 1,2 , 3"),
        ("take 1,2 [and] 3", "take 1,2 , 3"),
        ("take 1,2[, or] 3", "take 1,2, 3"),
        ("take 1 []3 4", "take 1 , 3 4"),
        ("take [{1, 3, 4}]", "take 1, 3, 4"),
        ("take [3 coins]", "take 3"),
        ("take [odd numbers]", "take odd"),
        ("take [three]", "take 3"),
        ("take [prime]", "take primes"),
        ("take [squres] leaving a, b", "take squares leaving a, b"),
        ("take [power] of 2", "take powers of 2"),
        ("take [mulitples] of 2", "take multiples of 2"),
        ("take powers []2", "take powers of 2"),
        ("[remove] 3", "take 3"),
        ("[Subtract] 3", "take 3"),
        ("[tak] 3", "take 3"),
        ("[divide]", "split"),
        ("[]3", "take 3"),
        ("take any [or] split", "take any | split"),
        ("take k where k = 1 [or] split", "take k where k = 1 | split"),
        ("take any[,] split", "take any| split"),
        ("take any[;] split", "take any| split"),
        ("take any []split", "take any | split"),
        ("take k []2*k <= n", "take k where 2*k <= n"),
        ("take k []k <= 2", "take k where k <= 2"),
        ("take 3 []n > 3", "take 3 where n > 3"),
        ("split into a, b []a != b", "split into a, b where a != b"),
        ("take k [if] k <= 2", "take k where k <= 2"),
        ("take k [such that] k <= 2", "take k where k <= 2"),
        ("take k [wehre] k <= 2", "take k where k <= 2"),
        ("take 3 [leavin] a, b", "take 3 leaving a, b"),
        ("take 3 [into] a, b", "take 3 leaving a, b"),
        ("take 3 leaving [2]", "take 3 leaving a, b"),
        ("take a leaving [two heaps]", "take a leaving b, c"),
        ("take 3 leaving a [and] b", "take 3 leaving a , b"),
        ("take 3 leaving a []b", "take 3 leaving a , b"),
        ("split [leaving] a, b", "split into a, b"),
        ("split [in] a, b", "split into a, b"),
        ("split into [three]", "split into a, b, c"),
        ("split into [3 parts]", "split into a, b, c"),
        ("split [into a]", "split into a, b"),
        ("split into a, b where a [<>] b", "split into a, b where a != b"),
        ("take k where k [=<] 3", "take k where k <= 3"),
        ("take k where k [≤] 3", "take k where k <= 3"),
        ("take k where k [%] 3 = 0", "take k where k mod 3 = 0"),
        ("take k where k [modulo] 3 = 0", "take k where k mod 3 = 0"),
        ("take k where 3 [times] k < n", "take k where 3 * k < n"),
        ("take k where k = 1 [||] k = 2", "take k where k = 1 or k = 2"),
        ("take k where k = 1 [adn] k = 2", "take k where k = 1 and k = 2"),
        ("take k where [1 <= k <= 3]", "take k where 1 <= k and k <= 3"),
        ("take k where n > 9 and [k is odd]", "take k where n > 9 and k mod 2 = 1"),
        ("take k where k [is] 3", "take k where k = 3"),
        ("take amount where [amuont] < 3", "take amount where amount < 3"),
        ("take k where k > 2 [where] k < 5", "take k where k > 2 and k < 5"),
    ] {
        let (before, rest) = marked.split_once('[').expect("a mark");
        let (inside, after) = rest.split_once(']').expect("a mark");
        let text = format!("{before}{inside}{after}");
        let error = fail(&text);
        assert_eq!(error.span, before.len()..before.len() + inside.len(), "{text}: {error} {:?}", error.hint);
        let hint = error.hint.unwrap_or_else(|| panic!("{text}: no hint: {}", error.message));
        let replaced = hint.strip_prefix("did you mean \"").and_then(|hint| hint.strip_suffix("\"?"));
        let inserted = hint.strip_prefix("write \"").and_then(|hint| hint.strip_suffix("\" here"));
        let found = match (replaced, inserted) {
            (Some(new), _) if !inside.is_empty() => format!("{before}{new}{after}"),
            (_, Some(new)) if inside.is_empty() => format!("{before}{new} {after}"),
            _ => panic!("{text}: {hint}"),
        };
        assert_eq!(found, mended, "{text}");
        if !marked.contains("3 4") {
            parse(&found);
        }
    }
}

/// `text` marks the span of the error by brackets.
#[test]
fn errors_point_at_their_place() {
    for (marked, message) in [
        ("[]", "expected \"take\", \"split\" or a code, found the end"),
        ("take 1 | []", "expected \"take\", \"split\" or a code, found the end"),
        ("take[]", "expected an amount, found the end"),
        ("take 1,[]", "expected an amount, found the end"),
        ("take any but[]", "expected an amount, found the end"),
        ("take [0]", "the amount 0 is no move; \"split\" breaks a heap without taking"),
        ("take [-]1", "amounts are positive"),
        ("take [18446744073709551616]", "number too large: heaps are below 2^64"),
        ("take 1..[2^64]", "number too large: heaps are below 2^64"),
        ("take 1[_]", "\"_\" in a number stands between two digits"),
        ("take powers of [0]", "\"powers of\" takes a number from 1 on"),
        ("take multiples of [0]", "\"multiples of\" takes a number from 1 on"),
        ("take multiples of []", "expected a number, found the end"),
        ("take k leaving a, [k]", "the name \"k\" is given twice"),
        ("take k leaving a, [A]", "the name \"a\" is given twice"),
        ("take [n]", "\"n\" is the heap and cannot name the amount"),
        ("take 1 leaving [n]", "\"n\" is the heap and cannot name a part"),
        ("take 1 leaving [odd]", "\"odd\" is a word of the language and cannot name a part"),
        ("take 1 leaving [nothing]", "to leave nothing, write \"take k where k = n\""),
        ("split into a, b, c, d, e, f, [g]", "at most 6 parts can be named"),
        ("split into [7]", "the parts are named, not counted"),
        ("take [k], 3", "\"k\" is a name of the amount and stands alone after \"take\""),
        ("take k where k = 1 [leaving] a, b", "the parts are named before \"where\""),
        ("take k where [k]", "expected a comparison, found a number"),
        ("take k where k < [(k = 1)]", "expected a number, found a condition"),
        ("take k where k < 3 and [n]", "expected a comparison, found a number"),
        ("take k where [k*n] = 3", "terms are linear: one factor of a product is a constant"),
        ("take k where k[^]2 = 3", "only a number has a power, and a number is its exponent: 2^10"),
        ("take k where k[/]2 = 3", "terms have no division; multiply the other side instead"),
        ("take k where k mod [n] = 0", "expected a number after \"mod\", found \"n\""),
        ("take k where k mod [0] = 0", "\"mod\" takes a number from 1 on"),
        ("take k where k []2 = 3", "an operator is missing"),
        ("take k where [(]k = 3", "this parenthesis is not closed"),
        ("take k where k = 3[)]", "\")\" without \"(\""),
        ("take k where [j] = 3", "unknown name \"j\" (known: n, k)"),
        (
            "take 1..3 where [k] = 3",
            "unknown name \"k\" (known: n); to speak of the amount, name it: \"take k where …\"",
        ),
        ("take k where k = [?]", "unexpected character \"?\""),
        ("take 1 [é]", "unexpected character \"é\""),
        ("take 1 [xyz]", "unknown word \"xyz\""),
        ("take k where [2^40*2^40*k = n]", "the numbers in this comparison may grow beyond 127 bits"),
        ("0.7 [take] 1", "expected \"|\" or the end after a code, found \"take\""),
    ] {
        let (before, rest) = marked.split_once('[').expect("a mark");
        let (inside, after) = rest.split_once(']').expect("a mark");
        let text = format!("{before}{inside}{after}");
        let error = fail(&text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!(error.span, before.len()..before.len() + inside.len(), "{text}: {error}");
        let shifted = WordRule::parse(&text, 100).expect_err("as before").span;
        assert_eq!(shifted, error.span.start + 100..error.span.end + 100);
    }
}

#[test]
fn codes_stand_among_alternatives() {
    let rule = parse("take 1 | 0.{0, 2} |4.[3]| split into a, b where a = b");
    assert_eq!(rule.to_string(), "take 1 | 0.5 | 4.[3] | split into a, b where a = b");
    let error = fail("take 1 | 20.7");
    assert_eq!((error.span, error.message.contains("add 1 token")), (9..10, true));
    assert_eq!(fail("take 1 | 0.3W").span, 12..13);
}

#[test]
fn deep_and_long_texts_need_little_stack() {
    let small = std::thread::Builder::new().stack_size(1 << 20).spawn(deep_and_long_texts).expect("a thread");
    small.join().expect("no overflow, no failed assertion");
}

fn deep_and_long_texts() {
    let nested = |d: usize| format!("take k where {}k = 1{}", "(".repeat(d), ")".repeat(d));
    parse(&nested(64));
    assert!(fail(&nested(65)).message.contains("64 levels"));
    assert!(fail(&nested(100_000)).message.contains("64 levels"));
    assert!(fail(&format!("take k where {}k = 1", "not ".repeat(100_000))).message.contains("64 levels"));
    assert!(fail(&format!("take k where k = {}1", "-".repeat(100_000))).message.contains("64 levels"));
    assert!(fail(&format!("take k where k{} = 1", " mod 5".repeat(100_000))).message.contains("64 operations"));
    parse(&format!("take k where k{} = 1", " mod 5".repeat(60)));
    // long is not deep
    let sum = parse(&format!("take k where k{} = 100001", " + 1".repeat(100_000)));
    assert_eq!(options_of(&sum.to_rule(), &3), [vec![2]] as [Vec<u64>; 1]);
    let chain = parse(&format!("take k where k = 2{}", " or n = 2".repeat(10_000)));
    assert_eq!(options_of(&chain.to_rule(), &3), [vec![1]] as [Vec<u64>; 1]);
    let chain = parse(&format!("take k where k = 2{}", " and n > k".repeat(10_000)));
    assert_eq!(options_of(&chain.to_rule(), &3), [vec![1]] as [Vec<u64>; 1]);
    assert!(fail(&format!("take {}", "x".repeat(100_000) + " , 1")).message.len() < 200);
}

// Random rules

fn integer() -> impl Strategy<Value = u64> {
    prop_oneof![8 => 0..6u64, 2 => 0..40u64, 1 => 0..1u64 << 20]
}

fn comparison() -> impl Strategy<Value = Comparison> {
    prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::Greater,
        Comparison::GreaterEqual,
    ])
}

fn variable(taken: bool, parts: usize) -> impl Strategy<Value = Variable> {
    let mut all = vec![Variable::Heap];
    all.extend(taken.then_some(Variable::Taken));
    all.extend((0..parts as u8).map(Variable::Part));
    prop::sample::select(all)
}

fn term(taken: bool, parts: usize) -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        1 => integer().prop_map(Term::Integer),
        3 => variable(taken, parts).prop_map(Term::Variable),
    ];
    let constant = prop_oneof![
        4 => integer().prop_map(Term::Integer),
        1 => integer().prop_map(|c| Term::Minus(Box::new(Term::Integer(c)))),
        1 => (integer(), integer())
            .prop_map(|(a, b)| Term::Sum(Box::new(Term::Integer(a)), vec![(Sign::Minus, Term::Integer(b))])),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let sign = prop::sample::select(vec![Sign::Plus, Sign::Minus]);
        prop_oneof![
            inner.clone().prop_map(|t| Term::Minus(Box::new(t))),
            (constant.clone(), inner.clone(), any::<bool>()).prop_map(|(c, t, first)| {
                let (a, b) = if first { (c, t) } else { (t, c) };
                Term::Times(Box::new(a), Box::new(b))
            }),
            (inner.clone(), 1..7u64).prop_map(|(t, m)| Term::Mod(Box::new(t), m)),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Term::Gcd(Box::new(a), Box::new(b))),
            (inner.clone(), prop::collection::vec((sign, inner), 1..3)).prop_map(|(t, r)| Term::Sum(Box::new(t), r)),
        ]
    })
}

/// Comparisons of the kinds that are simplified, and others.
fn compare(taken: bool, parts: usize) -> impl Strategy<Value = Truth> {
    let v = move || variable(taken, parts).prop_map(Term::Variable);
    let c = || integer().prop_map(Term::Integer);
    let small = (v(), comparison(), c()).prop_map(|(a, s, b)| Truth::Compare(a, s, b));
    let pair = (v(), comparison(), v()).prop_map(|(a, s, b)| Truth::Compare(a, s, b));
    let scaled = (-4i64..5, v(), comparison(), c()).prop_map(|(f, a, s, b)| {
        let factor = Term::Integer(f.unsigned_abs());
        let factor = if f < 0 { Term::Minus(Box::new(factor)) } else { factor };
        Truth::Compare(Term::Times(Box::new(factor), Box::new(a)), s, b)
    });
    let remainder =
        (v(), any::<bool>(), integer(), 1..6u64, comparison(), 0..6u64).prop_map(|(a, minus, c, m, s, r)| {
            let a = if minus { Term::Minus(Box::new(a)) } else { a };
            let shifted = Term::Sum(Box::new(a), vec![(Sign::Plus, Term::Integer(c))]);
            Truth::Compare(Term::Mod(Box::new(shifted), m), s, Term::Integer(r))
        });
    let any = (term(taken, parts), comparison(), term(taken, parts)).prop_map(|(a, s, b)| Truth::Compare(a, s, b));
    prop_oneof![3 => small, 3 => pair, 2 => scaled, 2 => remainder, 1 => any]
}

fn truth(taken: bool, parts: usize) -> impl Strategy<Value = Truth> {
    compare(taken, parts).prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|c| Truth::Not(Box::new(c))),
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(Truth::And),
            2 => prop::collection::vec(inner, 2..4).prop_map(Truth::Or),
        ]
    })
}

fn set() -> impl Strategy<Value = Set> {
    prop_oneof![
        4 => (1..9u64).prop_map(Set::One),
        1 => (1..=u64::MAX).prop_map(Set::One),
        2 => (1..9u64, 0..9u64).prop_map(|(a, b)| Set::Range(a, Some(a + b))),
        1 => (1..9u64).prop_map(|a| Set::Range(a, None)),
        1 => (1..9u64).prop_map(Set::MultiplesOf),
        1 => (1..9u64).prop_map(Set::PowersOf),
        4 => prop::sample::select(
            vec![Set::Any, Set::Odd, Set::Even, Set::Squares, Set::Primes, Set::Fibonacci, Set::Divisors]
        ),
    ]
}

fn names(count: usize) -> Vec<String> {
    // neither words of the language nor near to one
    ["a", "b", "part_3", "x4", "yy", "zzzzzz"][..count].iter().map(|name| name.to_string()).collect()
}

fn alternative(most_parts: usize) -> impl Strategy<Value = Alt> {
    let condition = |taken, parts| prop::option::weighted(0.8, truth(taken, parts));
    let named = (0..=most_parts).prop_flat_map(move |parts| {
        (condition(true, parts), prop::sample::select(vec!["k", "taken1"])).prop_map(move |(condition, name)| {
            Alt::Take { amount: Amount::Named(name.to_string()), leaving: names(parts), condition }
        })
    });
    let listed = (0..=most_parts).prop_flat_map(move |parts| {
        let sets = (prop::collection::vec(set(), 1..4), prop::collection::vec(set(), 0..3));
        (sets, condition(false, parts)).prop_map(move |((include, but), condition)| Alt::Take {
            amount: Amount::Listed { include, but },
            leaving: names(parts),
            condition,
        })
    });
    let split = (1..=most_parts).prop_flat_map(move |parts| {
        let parts = if parts < 2 { 0 } else { parts };
        condition(false, parts).prop_map(move |condition| Alt::Split { into: names(parts), condition })
    });
    let code = prop::sample::select(vec!["0.77", "4.07", "0.137"])
        .prop_map(|code| Alt::Code(Code::parse(code).expect("a code")));
    prop_oneof![6 => named, 3 => listed, 4 => split, 1 => code]
}

fn word_rule(most_parts: usize) -> impl Strategy<Value = WordRule> {
    prop::collection::vec(alternative(most_parts), 1..3).prop_map(|alternatives| WordRule { alternatives })
}

proptest! {
    #[test]
    fn printed_rules_are_read_as_they_were(rule in word_rule(6)) {
        let printed = rule.to_string();
        let read = WordRule::parse(&printed, 0);
        prop_assert_eq!(read.as_ref().map_err(|e| format!("{e} at {:?}: {printed}", e.span)), Ok(&rule));
        prop_assert_eq!(read.map(|r| r.to_string()), Ok(printed));
    }

    #[test]
    fn simplifying_keeps_the_options(rule in word_rule(3)) {
        let plain = HeapRule::new(rule.lowered());
        let simple = rule.to_rule();
        for n in 0..=14u64 {
            prop_assert_eq!(options_of(&simple, &n), options_of(&plain, &n), "{} at {}: {:?}", rule, n, simple);
        }
    }

    #[test]
    fn simplifying_twice_is_simplifying_once(rule in word_rule(4)) {
        let simple = rule.to_rule();
        let twice: Vec<_> = simple.alternatives().iter().cloned().filter_map(simplified).collect();
        prop_assert_eq!(twice, simple.alternatives());
    }

    #[test]
    fn any_text_is_read_or_refused_at_a_place(words in prop::collection::vec(prop::sample::select(vec![
        "take", "split", "into", "leaving", "where", "but", "any", "odd", "powers", "of", "k", "a", "b", "n", ",", "..",
        "|", "(", ")", "*", "+", "-", "=", "<", "!=", "mod", "gcd", "and", "or", "not", "1", "3", "0", "2^5", "0.7",
        "to", "up", "é", "≤", "x", "is", "{", "}", "three", ".", "^", "_", "18446744073709551615",
    ]), 0..14)) {
        let text = words.join(" ");
        match WordRule::parse(&text, 0) {
            Ok(rule) => {
                let printed = rule.to_string();
                prop_assert_eq!(WordRule::parse(&printed, 0).ok(), Some(rule.clone()), "{} printed {}", text, printed);
                rule.to_rule();
            }
            Err(error) => {
                prop_assert!(text.get(error.span.clone()).is_some(), "{}: {:?}", text, error);
                prop_assert!(!error.message.is_empty() && !error.message.ends_with('.'));
            }
        }
    }
}
