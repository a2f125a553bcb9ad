//! Forms with binary digits that are tried on values without a period.

use grundy_core::notation::formula::{Formula, Operation, Term};

use super::terms::{bitand, bitor, div, n, plus, shift_right, xor};

/// Greatest shift that is tried.
const MOST_SHIFT: u8 = 16;

/// Formulas with `xor`, `bitand`, `bitor`, `lowbit`, `bitlength` and `>>` that agree with all the values, the shortest first.
///
/// `values[n]` is the value of heap n. Tried are the terms t = n, n + 1, `lowbit(t)`, `n - lowbit(n)`, `bitlength(t)`,
/// `n xor (n >> c)`, `n >> c` and their like, and of each t `t xor c`, `t bitand c`, `t bitor c`, `t + c` and `(t >> a) xor c`.
/// The constants are read off the values, and no formula is given that disagrees with one of them; that says nothing about
/// larger heaps. Where few values are given many formulas agree; thousands are better. Without values there is no formula.
///
/// # Complexity
/// O(N) for each of a few hundred terms at worst; most disagree at once. No panics.
///
/// # Examples
/// ```
/// use grundy::discover::simple_forms;
/// let gray: Vec<u64> = (0..1000).map(|n| n ^ (n >> 1)).collect();
/// assert_eq!(simple_forms(&gray)[0].to_string(), "n xor n >> 1");
/// let odd_part: Vec<u64> = (1..1000u64).map(|n| n * n).collect();
/// assert!(simple_forms(&odd_part).is_empty());
/// ```
pub fn simple_forms(values: &[u64]) -> Vec<Formula> {
    if values.is_empty() {
        return Vec::new();
    }
    let values: Vec<i128> = values.iter().map(|v| i128::from(*v)).collect();
    let mut found: Vec<(usize, Formula)> = Vec::new();
    let mut keep = |term: Term| {
        if values.iter().enumerate().any(|(n, v)| term.eval(&[n as i128]) != Ok(*v)) {
            return;
        }
        let Some(formula) = Formula::new(vec!["n".to_owned()], Vec::new(), term) else { return };
        if !found.iter().any(|(_, f)| *f == formula) {
            found.push((formula.to_string().len(), formula));
        }
    };
    for base in bases() {
        for a in 0..=MOST_SHIFT {
            let term = shift_right(base.clone(), a);
            for term in with_constants(&term, &values) {
                keep(term);
            }
        }
    }
    found.sort_by_key(|(length, _)| *length);
    found.into_iter().map(|(_, formula)| formula).collect()
}

fn bases() -> Vec<Term> {
    let lowbit = |t: Term| Term::LowBit(Box::new(t));
    let bitlength = |t: Term| Term::BitLength(Box::new(t));
    let minus = |a: Term, b: Term| a.then(Operation::Minus(b));
    let joined = |a: Term, b: Term| a.then(Operation::Xor(b));
    let next = || plus(n(), 1);
    let mut found = vec![
        n(),
        next(),
        lowbit(n()),
        lowbit(next()),
        minus(n(), lowbit(n())),
        minus(next(), lowbit(next())),
        n().then(Operation::Plus(lowbit(n()))),
        bitlength(n()),
        bitlength(next()),
        bitlength(lowbit(n())),
        bitlength(lowbit(next())),
        joined(n(), next()),
        n().then(Operation::BitAnd(next())),
        n().then(Operation::BitOr(next())),
        joined(n(), lowbit(next())),
    ];
    for c in 1..=MOST_SHIFT {
        let shifted = shift_right(n(), c);
        found.push(joined(n(), shifted.clone()));
        found.push(n().then(Operation::BitAnd(shifted.clone())));
        found.push(n().then(Operation::BitOr(shifted.clone())));
        found.push(minus(n(), shifted));
    }
    for k in [3, 5, 6, 7] {
        let quotient = div(n(), k);
        found.push(joined(n(), quotient.clone()));
        found.push(quotient);
    }
    found
}

/// The term, and the term with a constant for which the first values, or all of them, leave one choice.
fn with_constants(term: &Term, values: &[i128]) -> Vec<Term> {
    let at = |n: usize| term.eval(&[n as i128]).ok();
    let mut found = vec![term.clone()];
    let Some(first) = at(0) else { return found };
    if first >= 0 && first != values[0] {
        found.push(xor(term.clone(), first ^ values[0]));
    }
    if first != values[0] {
        found.push(plus(term.clone(), values[0] - first));
    }
    // bits that are never there, bits that are always there
    let (mut some, mut always) = (0, i128::from(u64::MAX));
    let (mut is_part, mut is_whole) = (true, true);
    for (n, v) in values.iter().enumerate() {
        let Some(t) = at(n).filter(|t| *t >= 0) else { return found };
        is_part &= v & !t == 0;
        is_whole &= t & !v == 0;
        if !is_part && !is_whole {
            return found;
        }
        some |= v;
        always &= v;
    }
    if is_part {
        found.push(bitand(term.clone(), some));
    }
    if is_whole {
        found.push(bitor(term.clone(), always));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(f: impl Fn(u64) -> u64) -> Option<String> {
        let values: Vec<u64> = (0..1024).map(f).collect();
        simple_forms(&values).first().map(|f| f.to_string())
    }

    #[test]
    fn forms_with_binary_digits() {
        type Row = (fn(u64) -> u64, &'static str);
        let rows: &[Row] = &[
            (|n| n ^ 5, "n xor 5"),
            (|n| n & n.wrapping_sub(1), "n - lowbit(n)"),
            (|n| n & n.wrapping_neg(), "lowbit(n)"),
            (|n| n & 10, "n bitand 10"),
            (|n| n >> 3, "n >> 3"),
            (|n| n ^ (n >> 3), "n xor n >> 3"),
            (|n| (n >> 2) ^ 9, "n >> 2 xor 9"),
            (|n| (n ^ 9) >> 2, "n >> 2 xor 2"),
            (|n| n | 3, "n bitor 3"),
            (|n| u64::from(64 - n.leading_zeros()), "bitlength(n)"),
            (|n| n ^ (n + 1), "n xor n + 1"),
            (|n| (n ^ (n >> 1)) ^ 6, "n xor n >> 1 xor 6"),
            (|n| n, "n"),
        ];
        for (f, expected) in rows {
            assert_eq!(first(f).as_deref(), Some(*expected));
        }
        assert_eq!(first(|n| n * n), None);
        assert_eq!(first(|n| n % 3), None);
    }

    #[test]
    fn few_values_and_none() {
        assert!(simple_forms(&[]).is_empty());
        assert!(simple_forms(&[u64::MAX]).iter().all(|f| f.eval(&[0]) == Ok(i128::from(u64::MAX))));
    }
}
