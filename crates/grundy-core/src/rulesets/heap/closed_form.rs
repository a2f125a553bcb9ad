//! Heap games whose Grundy values a theorem gives for every heap at once.

use super::{HeapRule, recognition};
use crate::theory::Periodicity;

/// Most steps of a recursion that [`ClosedForm::value`] follows.
const MOST_STEPS: u32 = 1_000_000;

/// A theorem about the heap n, recognised from the rule.
///
/// Each is proved by induction: no option of n has the value g(n), and every smaller value is the value of an option.
/// S is the set of the amounts that may be taken, where it does not depend on the heap and the rest stays one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClosedForm {
    /// **g(n) = n**: any amount may be taken, leaving the rest as one heap, and every other move takes at least 1 or
    /// breaks the heap into equal parts. (Nim, `0.[7]`, any code whose digits all contain 3.)
    ///
    /// The heaps 0, 1, …, n - 1 are options. Parts a, b, … of sum below n have a xor b xor … <= a + b + … < n; equal
    /// parts of sum n have xor 0 or n / j < n.
    Identity,
    /// **n + 1 for n = 4k + 3, n - 1 for n = 4k + 4, else n**: take any amount or break the heap in two (Lasker's Nim);
    /// the two parts may have to be unequal, and breaking into 3, 4 or 6 parts, or into equal parts, may be allowed
    /// too.
    ///
    /// *Every smaller value.* The heaps below n have the values below n, except that those below 4k + 4 lack 4k + 3 and
    /// have 4k + 4. What n = 4k + 3 lacks is 4k + 3 = 1 xor (4k + 2), two unequal parts.
    ///
    /// *Not g(n).* Let d(a) = g(a) - a, which is 1, -1 or 0 and depends on a mod 4, and let n = a + b + … . If g(n) =
    /// g(a) xor g(b) xor …, then (i) the two sides agree modulo 4, (ii) d(n) <= d(a) + d(b) + …, since a xor is at most
    /// the sum, and (iii) if that is an equality nothing is carried, so the values modulo 4 have no common bit. No
    /// choice of residues modulo 4 for 2, 3, 4 or 6 parts satisfies all three (a finite check, made by
    /// [`ClosedForm::recognise`] for the numbers of parts at hand). Equal parts have value 0 or g(a) with a < n, and g
    /// is injective.
    Lasker,
    /// **n + 1 for n = 8k + 7, n - 1 for n = 8k + 8, else n**: take any amount or break the heap into exactly three,
    /// which may have to be unequal.
    ///
    /// As for [`ClosedForm::Lasker`] with residues modulo 8; what n = 8k + 7 lacks is 1 xor 2 xor (8k + 4) = 8k + 7.
    ThreeWay,
    /// **floor((n mod q) / l)**, or **floor(n / l)** without q: a subtraction game in which (i) every amount is at
    /// least l and, modulo q, in `l..=q-l`, and (ii) S holds all of `l..=q-l`, or q is a multiple of l and S holds
    /// l, 2l, …, q - l; without q: all multiples of l.
    ///
    /// Take 1..m is l = 1, q = m + 1; take l..r has q = l + r; exactly m: l = m, q = 2m; odd amounts, any of them with
    /// 1 among them: l = 1, q = 2; multiples of m: l = m without q; powers of 2: l = 1, q = 3; {1, 2, k}, k mod 3 > 0:
    /// the same; 1 and the primes: l = 1, q = 4; at least l: l without q.
    ///
    /// *Not g(n).* Modulo q the heap moves by at least l either way, so out of its class of l neighbours; without q it
    /// shrinks by at least l. *Every smaller value v.* Let r = n mod q (or n). Taking il with i = floor(r / l) - v one
    /// reaches r - il, of value v. If S holds `l..=q-l`, take r - vl where that is at most q - l (it is at least l);
    /// it is larger only for v = 0, and then q - l leaves r - q + l < l.
    Steps {
        /// l, at least 1.
        step: u64,
        /// q, at least 2l.
        modulus: Option<u64>,
    },
    /// S holds a < b, and every amount is a or b modulo q = a + b. With r = n mod q: **2 if r >= b and floor(r / a) is
    /// even, else floor(r / a) mod 2**. ({a, b}; powers of an even base b: a = 1.)
    ///
    /// Amounts are a or -a modulo q, so the options have residues r - a and r + a. For r < b - a the value changes
    /// parity with floor(r / a). For b - a <= r < b, r + a has value 1 if floor(r / a) is even and 2 if it is odd. For
    /// r >= b, r + a - q < a has value 0. So no option has the value of n. *Every smaller value.* Taking a gives 0 from
    /// value 1 if r < b; if r >= b, taking b gives r - b < a, value 0, and where g(n) = 2, taking a lowers floor(r / a)
    /// to an odd number: value 1.
    Pair {
        /// a.
        a: u64,
        /// b, more than a.
        b: u64,
    },
    /// S holds 1, 2, …, m and k, a multiple of m + 1, and every amount is one of these modulo q = k + 1. With r = n mod
    /// q: **m + 1 if r = k, else r mod (m + 1)**.
    ///
    /// *Not g(n).* Let r < k. Amounts i <= r lower r by less than m + 1. The amount r + 1 <= m leads to the residue k;
    /// a larger i <= m to k + 1 + r - i, equal to r + 1 - i modulo m + 1, which is not r since 2 <= i <= m. The amount
    /// k leads to r + 1. From k no amount leads to k. *Every smaller value.* Those below r mod (m + 1) are reached by
    /// the amounts up to m; from the residue k these reach the values 1 to m, and k reaches 0.
    OneMore {
        /// m, at least 1.
        m: u64,
        /// k.
        k: u64,
    },
    /// Take k where c k <= n - d, with d >= 0. With m = n - d: **0 for n < d, m / c if c divides m, else g(n - floor(m
    /// / c) - 1)**. (At most half of the heap: c = 2, d = 0; less than half: d = 1; anything but the last d: c = 1.)
    ///
    /// The heap n plays like m with d = 0. For these, claim: the heaps m - f, …, m, f = floor(m / c), have the values
    /// 0, …, f in some order. True for m = 0. If c divides m + 1, the options of m + 1 are those heaps, and g(m + 1) is
    /// f + 1. If not, the options are those without m - f, whose value is the least one missing: g(m + 1) = g(m - f).
    Fraction {
        /// c, at least 1.
        c: u64,
        /// d.
        d: u64,
    },
    /// Take k where c k >= n, or c k > n if strict. With M the largest option, n - ceil(n / c) or n - floor(n / c) - 1:
    /// **g(n) = g(M) + 1**, g(0) = 0. (c = 2: the number of binary digits of n, or of n + 1 less one.)
    ///
    /// The options are 0, …, M, and g does not decrease and does not skip a value, so their values are 0, …, g(M).
    AtLeast {
        /// c, at least 1, or at least 2 if strict.
        c: u64,
        /// The heap itself counts as too little.
        strict: bool,
    },
    /// Take a divisor of the heap. With z(n) the number of binary zeros that end n: **z(n) + 1**, g(0) = 0; if the
    /// whole heap may not be taken (proper divisors) **z(n)**, g(0) = 0.
    ///
    /// Let n = 2^z m, m odd. A divisor 2^y e with y < z leaves a heap with z = y: all of 0, …, z - 1 are reached. If y
    /// = z, m - e is even: nothing is left, or a heap that ends in more than z zeros.
    Divisors {
        /// The whole heap may not be taken.
        proper: bool,
    },
    /// Break the heap in two and nothing else: **(n - 1) mod 2**, g(0) = 0.
    ///
    /// A heap of n allows exactly n - 1 moves altogether, however they are played.
    Splits,
}

impl ClosedForm {
    /// The theorem that applies to `rule`, if one is seen to.
    ///
    /// Alternatives that allow the same amounts in another form (unions, `but`, conditions on the amount) are seen
    /// through as far as the amounts can be brought to one normal form.
    ///
    /// # Complexity
    /// At most about 10^6 simple steps; microseconds for the rules people write.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::rulesets::heap::{Alternative, AmountSet, ClosedForm, HeapRule};
    /// let rule = HeapRule::new(vec![Alternative::taking(AmountSet::PowersOf(2))]);
    /// let form = ClosedForm::recognise(&rule).unwrap();
    /// assert_eq!(form.formula(), "n mod 3");
    /// assert_eq!(form.value(u64::MAX), Some(0));
    /// assert_eq!(ClosedForm::recognise(&HeapRule::octal(0, &[7, 7])), None);
    /// ```
    pub fn recognise(rule: &HeapRule) -> Option<ClosedForm> {
        recognition::recognise(rule.alternatives())
    }

    /// g(n).
    ///
    /// None if the value does not fit in 64 bits, or if a recursion ([`ClosedForm::Fraction`], [`ClosedForm::AtLeast`])
    /// with a huge c would take more than 10^6 steps.
    ///
    /// # Complexity
    /// O(1), except Fraction and AtLeast: O(c log n), less where many steps of equal length are made at once.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::rulesets::heap::ClosedForm;
    /// assert_eq!(ClosedForm::Lasker.value(2147483647), Some(2147483648));
    /// assert_eq!(ClosedForm::Lasker.value(u64::MAX), None);
    /// let half = ClosedForm::Fraction { c: 2, d: 0 };
    /// assert_eq!(half.value((1 << 60) - 1), Some(0));
    /// ```
    pub fn value(&self, n: u64) -> Option<u64> {
        match *self {
            ClosedForm::Identity => Some(n),
            ClosedForm::Lasker => swapped(n, 4),
            ClosedForm::ThreeWay => swapped(n, 8),
            ClosedForm::Steps { step, modulus } => Some(modulus.map_or(n, |q| n % q.max(1)) / step.max(1)),
            ClosedForm::Pair { a, b } => {
                let a = a.max(1);
                let r = u128::from(n) % (u128::from(a) + u128::from(b));
                let turns = (r / u128::from(a)) as u64;
                Some(if r >= u128::from(b) && turns.is_multiple_of(2) { 2 } else { turns % 2 })
            }
            ClosedForm::OneMore { m, k } => {
                let r = u128::from(n) % (u128::from(k) + 1);
                let next = m.saturating_add(1);
                Some(if r == u128::from(k) { next } else { (r as u64) % next })
            }
            ClosedForm::Fraction { c, d } => n.checked_sub(d).map_or(Some(0), |m| at_most(m, c.max(1))),
            ClosedForm::AtLeast { c, strict } => at_least(n, c.max(1), strict),
            ClosedForm::Divisors { .. } if n == 0 => Some(0),
            ClosedForm::Divisors { proper } => Some(u64::from(n.trailing_zeros()) + u64::from(!proper)),
            ClosedForm::Splits => Some(if n == 0 { 0 } else { (n - 1) % 2 }),
        }
    }

    /// The period, with least preperiod and period, if the values have one (perhaps with a saltus).
    pub fn periodicity(&self) -> Option<Periodicity> {
        let (preperiod, period, saltus) = match *self {
            ClosedForm::Identity => (0, 1, 1),
            ClosedForm::Lasker => (1, 4, 4),
            ClosedForm::ThreeWay => (1, 8, 8),
            ClosedForm::Steps { step, modulus: None } => (0, step.max(1), 1),
            ClosedForm::Steps { modulus: Some(q), .. } => (0, q.max(1), 0),
            ClosedForm::Pair { a, b } => (0, a.max(1).checked_add(b)?, 0),
            ClosedForm::OneMore { k, .. } => (0, k.checked_add(1)?, 0),
            ClosedForm::Fraction { c: 1, d } => (d, 1, 1),
            ClosedForm::AtLeast { c: 1, .. } => (1, 1, 0),
            ClosedForm::Splits => (1, 2, 0),
            ClosedForm::Fraction { .. } | ClosedForm::AtLeast { .. } | ClosedForm::Divisors { .. } => return None,
        };
        Some(Periodicity { preperiod, period, saltus })
    }

    /// Why the values of a form without [`ClosedForm::periodicity`] have no period, with or without a saltus.
    ///
    /// *Fraction, c >= 2.* The heaps m - f, …, m have the values 0, …, f, and f grows without bound. So every value is
    /// taken infinitely often, which a saltus above 0 forbids, and the values are unbounded, which saltus 0 forbids.
    /// *Divisors.* The same: all odd heaps have one value, those of the heaps 2^i grow. *AtLeast, c >= 2.* The values
    /// are unbounded, so the saltus would be above 0 and they would grow like n; they grow like log n, since g(n) = g(M)
    /// + 1 with M <= n (c - 1) / c.
    pub fn why_no_period(&self) -> &'static str {
        match self {
            ClosedForm::AtLeast { .. } => "they grow without bound, but only like the logarithm of the heap",
            _ => "they grow without bound, and yet some value recurs for ever",
        }
    }

    /// g(n) in the language of formulas; where that has no words for it, the recursion, with `G(…)` for smaller heaps.
    pub fn formula(&self) -> String {
        match *self {
            ClosedForm::Identity => "n".into(),
            ClosedForm::Lasker => "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n".into(),
            ClosedForm::ThreeWay => "n mod 8 = 7: n + 1; n mod 8 = 0 and n > 0: n - 1; else n".into(),
            ClosedForm::Steps { step: 1, modulus: None } => "n".into(),
            ClosedForm::Steps { step: 1, modulus: Some(q) } => format!("n mod {q}"),
            ClosedForm::Steps { step, modulus: None } => format!("n div {step}"),
            ClosedForm::Steps { step, modulus: Some(q) } => format!("(n mod {q}) div {step}"),
            ClosedForm::Pair { a, b } => {
                let q = u128::from(a) + u128::from(b);
                if a == 1 {
                    format!("n mod {q} = {b}: 2; else (n mod {q}) mod 2")
                } else {
                    let turns = format!("((n mod {q}) div {a}) mod 2");
                    format!("n mod {q} >= {b} and {turns} = 0: 2; else {turns}")
                }
            }
            ClosedForm::OneMore { m, k } => {
                let (q, next) = (u128::from(k) + 1, u128::from(m) + 1);
                format!("n mod {q} = {k}: {next}; else (n mod {q}) mod {next}")
            }
            ClosedForm::Fraction { c: 1, d } => format!("n < {d}: 0; else n - {d}"),
            ClosedForm::Fraction { c, d: 0 } => format!("n mod {c} = 0: n div {c}; else G(n - n div {c} - 1)"),
            ClosedForm::Fraction { c, d } => {
                format!("n < {d}: 0; (n - {d}) mod {c} = 0: (n - {d}) div {c}; else G(n - (n - {d}) div {c} - 1)")
            }
            ClosedForm::AtLeast { c: 1, .. } => "n = 0: 0; else 1".into(),
            ClosedForm::AtLeast { c: 2, strict: false } => "bitlength(n)".into(),
            ClosedForm::AtLeast { c: 2, strict: true } => "bitlength(n + 1) - 1".into(),
            ClosedForm::AtLeast { c, strict: false } => {
                format!("n = 0: 0; else G(n - (n + {}) div {c}) + 1", c.saturating_sub(1))
            }
            ClosedForm::AtLeast { c, strict: true } => format!("n = 0: 0; else G(n - n div {c} - 1) + 1"),
            ClosedForm::Divisors { proper: false } => "bitlength(lowbit(n))".into(),
            ClosedForm::Divisors { proper: true } => "n = 0: 0; else bitlength(lowbit(n)) - 1".into(),
            ClosedForm::Splits => "n = 0: 0; else (n + 1) mod 2".into(),
        }
    }

    /// The theorem in one line.
    pub fn theorem(&self) -> &'static str {
        match self {
            ClosedForm::Identity => {
                "any amount may be taken, and no option has parts of sum n, but for equal ones: the value is n"
            }
            ClosedForm::Lasker => "take any or split in two: the heaps 4k+3 and 4k+4 exchange their values",
            ClosedForm::ThreeWay => "take any or split in three: the heaps 8k+7 and 8k+8 exchange their values",
            ClosedForm::Steps { step: 1, modulus: Some(2) } => "odd amounts only, 1 among them: the parity of n",
            ClosedForm::Steps { step: 1, modulus: Some(_) } => "amounts 1 to q-1 and no multiple of q: n mod q",
            ClosedForm::Steps { modulus: None, .. } => "all multiples of l and no amount below l: floor(n / l)",
            ClosedForm::Steps { .. } => "amounts l to q-l modulo q: floor((n mod q) / l)",
            ClosedForm::Pair { .. } => "amounts a and b, and others equal to them modulo a+b: period a+b",
            ClosedForm::OneMore { .. } => "amounts 1 to m and a multiple k of m+1: period k+1, value m+1 at k",
            ClosedForm::Fraction { .. } => {
                "take at most f, a fraction: the heap and its f options have the values 0, …, f in some order"
            }
            ClosedForm::AtLeast { .. } => "take at least a fraction: one more than the value of the largest option",
            ClosedForm::Divisors { proper: false } => {
                "take a divisor: one more than the number of binary zeros at the end of n"
            }
            ClosedForm::Divisors { proper: true } => {
                "take a proper divisor: the number of binary zeros at the end of n"
            }
            ClosedForm::Splits => "every heap of n allows exactly n-1 moves: the parity of n-1",
        }
    }

    /// Key of `SOURCES.md`; `own` where the proof stands in the documentation of the variant.
    pub fn source(&self) -> &'static str {
        match self {
            ClosedForm::Identity => "Bou02",
            ClosedForm::Lasker => "Las31",
            ClosedForm::Steps { modulus: Some(_), .. } => "Gol66",
            ClosedForm::Pair { .. } | ClosedForm::OneMore { .. } => "WW",
            ClosedForm::Fraction { .. } => "Lev06",
            ClosedForm::Steps { modulus: None, .. }
            | ClosedForm::ThreeWay
            | ClosedForm::AtLeast { .. }
            | ClosedForm::Divisors { .. }
            | ClosedForm::Splits => "own",
        }
    }

    /// True if a sum of such heaps has, in misère play, the outcome of misère Nim with heaps of sizes g(n1), g(n2), …:
    /// P if some value exceeds 1 and the xor is 0, or no value exceeds 1 and an odd number of them is 1.
    ///
    /// *Criterion.* Call a sum of values at most 1 *small*, odd or even by the number of ones among its heaps, and a
    /// heap of value 2 and more *big*. It suffices that (a) every heap of value 0 that has a move can become a small
    /// odd sum, every heap of value 1 a small even sum, every big heap either; (b) no heap of value x <= 1 has an
    /// option of value 1 - x with a big heap in it. Then P as stated is right: from a small odd sum one gets, by the
    /// mex rule and (b), to a small even sum or to one with big heaps and xor not 0; a sum with big heaps and xor 0 has
    /// at least two, and a move changes one, and the xor: neither is P. From other sums: even and small, (a) gives an
    /// odd small one (or no move is left, which is a win); one big heap, (a) gives a small odd one; two or more, the
    /// move of Nim by the mex rule leaves a big one and xor 0.
    ///
    /// *Subtraction games.* (b) is clear, since options are single heaps, and so is (a) for values 1 and more. Let s be
    /// the least amount. g(n) = 1 iff n >= s and g(n - s) = 0: if g(n) = 1 and g(n - s) > 0, some g(n - s - k) = 0, by
    /// induction g(n - k) = 1, which g(n) = 1 forbids; if g(n - s) = 0 and g(n) > 1, some g(n - k) = 1, by induction
    /// g(n - k - s) = 0, which g(n - s) = 0 forbids. Now let g(n) = 0, n >= s. Then g(n - s) > 0; if it is not 1, some
    /// g(n - s - k) = 0, so g(n - k) = 1, an option as wanted. *Fraction.* The options of m with c <= m and g(m) = 0
    /// have all the values 1, …, f. *AtLeast, Divisors, Identity, Lasker, ThreeWay*: value 0 only for the empty heap,
    /// value 1 only for heaps all of whose options have values 0 (AtLeast, Divisors: options are single heaps), and (a)
    /// by single heaps. *Splits*: all values are at most 1 and every move changes the parity. For *proper divisors* it
    /// is false: 5 has value 0, and the player who must move from it in misère play loses.
    ///
    /// # Sources
    /// `[Bou02]`, `[Fer74]` (subtraction games)
    pub fn misere_is_nim(&self) -> bool {
        !matches!(self, ClosedForm::Divisors { proper: true })
    }
}

/// n with q k + q - 1 and q k + q exchanged.
fn swapped(n: u64, q: u64) -> Option<u64> {
    match n % q {
        r if r == q - 1 => n.checked_add(1),
        0 if n > 0 => Some(n - 1),
        _ => Some(n),
    }
}

/// The value of m where k may be taken if c k <= m.
fn at_most(mut m: u64, c: u64) -> Option<u64> {
    for _ in 0..MOST_STEPS {
        let f = m / c;
        let over = m % c;
        if over == 0 {
            return Some(f);
        }
        // steps of f + 1 until c f is reached or passed
        let steps = over.div_ceil(f + 1);
        m -= steps * (f + 1);
    }
    None
}

/// The value of n where k may be taken if c k >= n (or > n).
fn at_least(mut n: u64, c: u64, strict: bool) -> Option<u64> {
    if strict && c == 1 {
        return Some(0);
    }
    let mut value = 0u64;
    for _ in 0..MOST_STEPS {
        // the least amount; it stays the same down to the heap `bottom`, included
        let (least, bottom) = if strict {
            let f = n / c;
            (f + 1, c * f)
        } else {
            let f = n.div_ceil(c);
            (f, (c * f.saturating_sub(1)).saturating_add(1))
        };
        if n == 0 || least > n {
            return Some(value);
        }
        let steps = ((n - bottom) / least + 1).min(n / least);
        n -= steps * least;
        value += steps;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Alternative, AmountSet, Amounts, Atom, Comparison, Condition, Leave, Linear, Parts, Variable};
    use super::*;
    use crate::{
        ruleset::definition::{GrundyByDefinition, OutcomeByDefinition},
        theory::{Convention, Outcome, nim::nim_sum},
    };

    fn run(first: u64, last: Option<u64>, step: u64) -> AmountSet {
        AmountSet::Run { first, last, step }
    }

    fn taking(sets: &[AmountSet]) -> HeapRule {
        HeapRule::new(sets.iter().cloned().map(Alternative::taking).collect())
    }

    fn breaking(count: u32, parts: Parts) -> Alternative {
        let leave = Leave { exact: vec![(count, parts)], from: None };
        Alternative { take: Amounts::nothing(), leave, condition: None }
    }

    /// Takes amounts of the set and leaves fewer than `most` heaps.
    fn leaving(set: AmountSet, most: u32) -> Alternative {
        let leave = Leave { exact: (0..most).map(|c| (c, Parts::Any)).collect(), from: None };
        Alternative { take: Amounts::of(set), leave, condition: None }
    }

    fn with(mut rule: Vec<Alternative>, more: impl IntoIterator<Item = Alternative>) -> HeapRule {
        rule.extend(more);
        HeapRule::new(rule)
    }

    fn any() -> Vec<Alternative> {
        vec![Alternative::taking(AmountSet::from(1))]
    }

    fn linear(taken: i128, heap: i128, constant: i128) -> Linear {
        let terms = vec![(taken, Atom::Variable(Variable::Taken)), (heap, Atom::Variable(Variable::Heap))];
        Linear { terms, constant }
    }

    /// Any amount k with taken * k + heap * n + constant ? 0.
    fn where_(taken: i128, heap: i128, constant: i128, c: Comparison) -> HeapRule {
        let condition = Some(Condition::Compare(linear(taken, heap, constant), c, Linear::constant(0)));
        HeapRule::new(vec![Alternative { condition, ..Alternative::taking(AmountSet::from(1)) }])
    }

    /// Recognises the rule, compares the values with the definition, and gives the form.
    fn check(rule: &HeapRule, to: u64) -> ClosedForm {
        let form = ClosedForm::recognise(rule).unwrap_or_else(|| panic!("not recognised: {rule:?}"));
        agrees(&form, rule, to);
        form
    }

    fn agrees(form: &ClosedForm, rule: &HeapRule, to: u64) {
        let mut g = GrundyByDefinition::new(rule);
        for n in 0..=to {
            assert_eq!(form.value(n), Some(g.value(&n)), "{form:?} at heap {n} of {rule:?}");
        }
        if let Some(p) = form.periodicity() {
            let values: Vec<u64> = (0..=to).map_while(|n| form.value(n)).collect();
            for n in 0..to {
                assert_eq!(p.value(&values, n), Some(values[n as usize]), "{form:?} {p} {n}");
            }
            if p.preperiod + 2 * p.period < to {
                let at = |n: u64| values[n as usize];
                assert!(p.preperiod == 0 || at(p.preperiod - 1 + p.period) != at(p.preperiod - 1) + p.saltus);
                for d in 1..p.period {
                    let s = at(p.preperiod + d).saturating_sub(at(p.preperiod));
                    assert!((p.preperiod..p.preperiod + p.period).any(|n| at(n + d) != at(n) + s), "{form:?} {d}");
                }
            }
        }
    }

    #[test]
    fn any_amount() {
        let after_one = Alternative { take: Amounts::of(AmountSet::from(1)), ..breaking(2, Parts::Any) };
        let rules = [
            HeapRule::new(any()),
            with(any(), [after_one.clone()]),
            // 0.[7] and 0.[3F]
            HeapRule::new(vec![leaving(run(1, None, 1), 3)]),
            HeapRule::new(vec![leaving(run(1, None, 2), 2), leaving(run(2, None, 2), 4)]),
            with(any(), [breaking(2, Parts::AllEqual), breaking(3, Parts::AllEqual), breaking(4, Parts::AllEqual)]),
            with(any(), [Alternative::taking(AmountSet::Squares)]),
            taking(&[run(1, None, 2), run(2, None, 2)]),
            where_(1, -1, 0, Comparison::LessEqual),
            with(
                vec![Alternative { leave: Leave::exactly(1), ..any()[0].clone() }],
                [Alternative { leave: Leave::exactly(0), ..any()[0].clone() }],
            ),
        ];
        for rule in rules {
            assert_eq!(check(&rule, 40), ClosedForm::Identity);
        }
        assert_eq!(ClosedForm::Identity.formula(), "n");
    }

    #[test]
    fn breaking_in_two() {
        let unequal = Condition::Compare(
            Linear::variable(Variable::Part(0)),
            Comparison::NotEqual,
            Linear::variable(Variable::Part(1)),
        );
        let rules = [
            with(any(), [breaking(2, Parts::Any)]),
            with(any(), [breaking(2, Parts::Unequal)]),
            with(any(), [breaking(2, Parts::NotAllEqual), breaking(2, Parts::AllEqual)]),
            with(any(), [Alternative { condition: Some(unequal), ..breaking(2, Parts::Any) }]),
            with(any(), [breaking(2, Parts::Unequal), breaking(3, Parts::Any)]),
            with(any(), [Alternative::taking(AmountSet::Primes), breaking(2, Parts::Any)]),
        ];
        for rule in rules {
            assert_eq!(check(&rule, 100), ClosedForm::Lasker);
        }
        let four = with(any(), [breaking(2, Parts::Any), breaking(3, Parts::Unequal), breaking(4, Parts::Any)]);
        assert_eq!(check(&four, 40), ClosedForm::Lasker);
        let six = with(any(), [breaking(2, Parts::Any), breaking(6, Parts::Any)]);
        assert_eq!(check(&six, 30), ClosedForm::Lasker);
        assert_eq!(ClosedForm::Lasker.value(2147483647), Some(2147483648));
    }

    #[test]
    fn breaking_in_three() {
        for parts in [Parts::Any, Parts::Unequal, Parts::NotAllEqual] {
            assert_eq!(check(&with(any(), [breaking(3, parts)]), 100), ClosedForm::ThreeWay);
        }
    }

    #[test]
    fn other_ways_of_breaking_are_other_games() {
        for counts in [&[2, 5][..], &[3, 4], &[4], &[5], &[2, 3, 4, 5]] {
            let rule = with(any(), counts.iter().map(|c| breaking(*c, Parts::Any)));
            assert_eq!(ClosedForm::recognise(&rule), None, "{counts:?}");
        }
        let after_one = Alternative { take: Amounts::of(AmountSet::one(1)), ..breaking(2, Parts::Any) };
        assert_eq!(ClosedForm::recognise(&with(any(), [breaking(2, Parts::Any), after_one])), None);
        let some = Leave { exact: vec![], from: Some((2, Parts::Any)) };
        let breaks = Alternative { take: Amounts::nothing(), leave: some, condition: None };
        assert_eq!(ClosedForm::recognise(&with(any(), [breaks])), None);
    }

    #[test]
    fn intervals_of_amounts() {
        for l in 1..12 {
            for r in l..16 {
                let form = check(&taking(&[run(l, Some(r), 1)]), 100);
                assert_eq!(form, ClosedForm::Steps { step: l, modulus: Some(l + r) });
            }
            let from = check(&taking(&[AmountSet::from(l)]), 60);
            assert!(from == ClosedForm::Steps { step: l, modulus: None } || (l == 1 && from == ClosedForm::Identity));
            for t in 1..6 {
                let form = check(&taking(&[run(l, Some(l * t), l)]), 100);
                assert_eq!(form, ClosedForm::Steps { step: l, modulus: Some(l * t + l) });
            }
            if l > 1 {
                let form = check(&taking(&[run(l, None, l)]), 100);
                assert_eq!(form, ClosedForm::Steps { step: l, modulus: None });
            }
        }
    }

    #[test]
    fn any_odd_amounts_with_one() {
        let parity = ClosedForm::Steps { step: 1, modulus: Some(2) };
        for set in [run(1, None, 2), AmountSet::PowersOf(1), AmountSet::PowersOf(3), AmountSet::PowersOf(15)] {
            assert_eq!(check(&taking(&[set]), 100), parity);
        }
        assert_eq!(check(&taking(&[AmountSet::one(1), AmountSet::one(3), AmountSet::PowersOf(7)]), 100), parity);
        let but = Amounts { include: vec![AmountSet::from(1)], exclude: vec![run(2, None, 2), AmountSet::one(5)] };
        let rule = HeapRule::new(vec![Alternative { take: but, ..any()[0].clone() }]);
        assert_eq!(check(&rule, 100), parity);
    }

    #[test]
    fn one_and_no_multiple() {
        let modulo = |q| ClosedForm::Steps { step: 1, modulus: Some(q) };
        assert_eq!(check(&taking(&[AmountSet::PowersOf(2)]), 100), modulo(3));
        assert_eq!(check(&taking(&[AmountSet::one(1), AmountSet::Primes]), 100), modulo(4));
        for q in 2..9 {
            let but = Amounts { include: vec![AmountSet::from(1)], exclude: vec![run(q, None, q)] };
            let rule = HeapRule::new(vec![Alternative { take: but, ..any()[0].clone() }]);
            assert_eq!(check(&rule, 100), modulo(q));
        }
    }

    #[test]
    fn powers() {
        for b in 2..30 {
            let form = check(&taking(&[AmountSet::PowersOf(b)]), 150);
            for n in 0..200 {
                let r = n % (b + 1);
                let expect = if b % 2 == 1 {
                    n % 2
                } else if r == b {
                    2
                } else {
                    r % 2
                };
                assert_eq!(form.value(n), Some(expect), "{b} {n}");
            }
        }
    }

    #[test]
    fn one_two_and_k() {
        for k in 3..40 {
            let form = check(&taking(&[run(1, Some(2), 1), AmountSet::one(k)]), 130);
            for n in 0..130 {
                let r = n % (k + 1);
                let expect = if k % 3 != 0 {
                    n % 3
                } else if r == k {
                    3
                } else {
                    r % 3
                };
                assert_eq!(form.value(n), Some(expect), "{k} {n}");
            }
        }
    }

    #[test]
    fn one_to_m_and_k() {
        for m in 1..8 {
            for k in m + 2..40 {
                check(&taking(&[run(1, Some(m), 1), AmountSet::one(k)]), 120);
            }
        }
        let more = taking(&[run(1, Some(2), 1), AmountSet::one(6), AmountSet::one(8), run(9, None, 7)]);
        assert_eq!(check(&more, 150), ClosedForm::OneMore { m: 2, k: 6 });
    }

    #[test]
    fn two_amounts() {
        for a in 1..16 {
            for b in a + 1..40 {
                check(&taking(&[AmountSet::one(a), AmountSet::one(b)]), 150);
            }
        }
        let more = taking(&[AmountSet::one(2), run(5, None, 7), run(9, None, 7)]);
        assert_eq!(check(&more, 150), ClosedForm::Pair { a: 2, b: 5 });
    }

    /// Whatever is recognised among all small sets of amounts is right.
    #[test]
    fn every_small_set() {
        let mut seen = 0;
        for bits in 1u64..1 << 10 {
            let sets: Vec<AmountSet> = (0..10).filter(|i| bits >> i & 1 == 1).map(|i| AmountSet::one(i + 1)).collect();
            if let Some(form) = ClosedForm::recognise(&taking(&sets)) {
                seen += 1;
                agrees(&form, &taking(&sets), 60);
            }
        }
        assert!(seen > 150, "{seen}");
    }

    #[test]
    fn at_most_a_fraction() {
        use Comparison::*;
        for c in 1..9 {
            for d in 0..6 {
                let form = check(&where_(-c, 1, -d, GreaterEqual), 150);
                if (c, d) == (1, 0) {
                    assert_eq!(form, ClosedForm::Identity);
                } else {
                    assert_eq!(form, ClosedForm::Fraction { c: c as u64, d: d as u64 });
                }
                assert_eq!(check(&where_(c, -1, d, LessEqual), 20), form);
                assert_eq!(check(&where_(2 * c, -2, 2 * d, LessEqual), 20), form);
                assert_eq!(check(&where_(c, -1, d - 1, Less), 20), form);
            }
        }
        // 3 k <= 2 n + 1 and c k <= n + 1 are other games
        assert_eq!(ClosedForm::recognise(&where_(3, -2, -1, LessEqual)), None);
        assert_eq!(ClosedForm::recognise(&where_(3, -1, -1, LessEqual)), None);
        let not_all = HeapRule::new(vec![Alternative { leave: Leave::exactly(1), ..any()[0].clone() }]);
        assert_eq!(check(&not_all, 50), ClosedForm::Fraction { c: 1, d: 1 });
        let half = ClosedForm::Fraction { c: 2, d: 0 };
        for n in 0..1u64 << 12 {
            let odd = (n + 1) >> (n + 1).trailing_zeros();
            assert_eq!(half.value(n), Some(odd / 2));
        }
        assert_eq!(half.value(u64::MAX - 1), Some(u64::MAX / 2));
    }

    #[test]
    fn huge_heaps_take_few_steps() {
        for c in [2, 3, 10, 1000, 20_000, 1 << 45, 1 << 62, u64::MAX] {
            let form = ClosedForm::Fraction { c, d: 0 };
            let n = 1u64 << 63;
            let v = form.value(n).unwrap();
            assert!(v <= n / c);
            for strict in [false, true] {
                let least = ClosedForm::AtLeast { c, strict };
                assert!(least.value(n).is_some_and(|v| v >= 63.min(c)), "{c}");
            }
        }
    }

    #[test]
    fn at_least_a_fraction() {
        use Comparison::*;
        for c in 1..9 {
            let form = check(&where_(c, -1, 0, GreaterEqual), 150);
            assert_eq!(form, ClosedForm::AtLeast { c: c as u64, strict: false });
            if c > 1 {
                let strict = check(&where_(c, -1, 0, Greater), 150);
                assert_eq!(strict, ClosedForm::AtLeast { c: c as u64, strict: true });
            }
        }
        let half = ClosedForm::AtLeast { c: 2, strict: false };
        assert_eq!((0..20).map(|k| half.value(1 << k)).collect::<Vec<_>>(), (1..21).map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn divisors() {
        let all = taking(&[AmountSet::Divisors]);
        assert_eq!(check(&all, 200), ClosedForm::Divisors { proper: false });
        let proper = ClosedForm::Divisors { proper: true };
        // 12 ends in two binary zeros
        let whole = ClosedForm::Divisors { proper: false };
        assert_eq!((whole.value(12), proper.value(12)), (Some(3), Some(2)));
        assert_eq!(whole.theorem(), "take a divisor: one more than the number of binary zeros at the end of n");
        assert_eq!(proper.theorem(), "take a proper divisor: the number of binary zeros at the end of n");
        let [a] = all.alternatives() else { panic!() };
        let leave_some = HeapRule::new(vec![Alternative { leave: Leave::exactly(1), ..a.clone() }]);
        assert_eq!(check(&leave_some, 200), proper);
        for (taken, heap, constant, c) in [
            (1, -1, 0, Comparison::Less),
            (-1, 1, 0, Comparison::Greater),
            (1, -1, 1, Comparison::LessEqual),
            (1, -1, 0, Comparison::NotEqual),
        ] {
            let condition = Some(Condition::Compare(linear(taken, heap, constant), c, Linear::constant(0)));
            assert_eq!(check(&HeapRule::new(vec![Alternative { condition, ..a.clone() }]), 100), proper);
        }
    }

    #[test]
    fn only_splits() {
        assert_eq!(check(&HeapRule::new(vec![breaking(2, Parts::Any)]), 60), ClosedForm::Splits);
        assert_eq!(ClosedForm::recognise(&HeapRule::new(vec![breaking(2, Parts::Unequal)])), None);
        assert_eq!(ClosedForm::recognise(&HeapRule::new(vec![breaking(3, Parts::Any)])), None);
    }

    #[test]
    fn nothing_is_claimed_for_other_rules() {
        for rule in [
            HeapRule::default(),
            HeapRule::octal(0, &[7, 7]),
            HeapRule::octal(0, &[1, 3, 7]),
            HeapRule::octal(4, &[3]),
            taking(&[AmountSet::Squares]),
            taking(&[AmountSet::Fibonacci]),
            taking(&[AmountSet::Primes]),
            taking(&[AmountSet::Divisors, AmountSet::one(3)]),
            taking(&[AmountSet::one(1), AmountSet::one(4), AmountSet::one(6)].map(|s| s)),
        ] {
            if let Some(form) = ClosedForm::recognise(&rule) {
                agrees(&form, &rule, 150);
                assert!(matches!(form, ClosedForm::Pair { a: 1, b: 4 }), "{form:?}");
            }
        }
    }

    /// Sums in misère play by definition against Nim on the values.
    #[test]
    fn misere_sums() {
        let half = where_(2, -1, 0, Comparison::LessEqual);
        let rules: Vec<(HeapRule, u64)> = vec![
            (HeapRule::new(any()), 5),
            (with(any(), [Alternative { take: Amounts::of(AmountSet::from(1)), ..breaking(2, Parts::Any) }]), 5),
            (with(any(), [breaking(2, Parts::AllEqual)]), 5),
            (with(any(), [breaking(2, Parts::Any)]), 5),
            (with(any(), [breaking(3, Parts::Any)]), 5),
            (taking(&[run(1, Some(3), 1)]), 9),
            (taking(&[run(2, Some(3), 1)]), 9),
            (taking(&[AmountSet::PowersOf(2)]), 8),
            (taking(&[AmountSet::PowersOf(4)]), 10),
            (taking(&[run(2, None, 2)]), 8),
            (taking(&[AmountSet::one(1), AmountSet::one(2), AmountSet::one(6)]), 9),
            (taking(&[AmountSet::one(3), AmountSet::one(4)]), 9),
            (half, 11),
            (where_(2, -1, 1, Comparison::LessEqual), 11),
            (where_(3, -1, 0, Comparison::LessEqual), 12),
            (where_(2, -1, 0, Comparison::GreaterEqual), 8),
            (where_(3, -1, 0, Comparison::Greater), 8),
            (taking(&[AmountSet::Divisors]), 9),
            (HeapRule::new(vec![breaking(2, Parts::Any)]), 5),
        ];
        for (rule, to) in rules {
            let form = ClosedForm::recognise(&rule).unwrap();
            assert!(form.misere_is_nim());
            let mut misere = OutcomeByDefinition::new(&rule, Convention::Misere);
            for a in 0..=to {
                for b in a..=to {
                    for c in b..=to {
                        let values = [a, b, c].map(|n| form.value(n).unwrap());
                        let ones = values.iter().filter(|v| **v == 1).count();
                        let big = values.iter().any(|v| *v > 1);
                        let lost = if big { nim_sum(&values) == 0 } else { ones % 2 == 1 };
                        let expect = if lost { Outcome::P } else { Outcome::N };
                        assert_eq!(misere.outcome(&[a, b, c]), expect, "{form:?} {a} {b} {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn proper_divisors_are_not_nim_in_misere_play() {
        let rule =
            HeapRule::new(vec![Alternative { leave: Leave::exactly(1), ..Alternative::taking(AmountSet::Divisors) }]);
        let form = ClosedForm::recognise(&rule).unwrap();
        assert!(!form.misere_is_nim());
        assert_eq!(form.value(5), Some(0));
        assert_eq!(OutcomeByDefinition::new(&rule, Convention::Misere).outcome(&[5]), Outcome::P);
    }
}
