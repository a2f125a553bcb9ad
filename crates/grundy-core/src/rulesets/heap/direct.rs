//! The naive twin of every sequence engine: G(n) = mex over the options of n, heap after heap.

use core::ops::ControlFlow;

use super::HeapRule;
use crate::theory::Mex;

/// G(0), G(1), …, G(count - 1) straight from the rule's list of options.
///
/// # Complexity
/// All options of all heaps below `count`: O(count^2) for an octal code, count words of memory.
///
/// # Examples
/// ```
/// use grundy_core::rulesets::heap::{HeapRule, direct_values};
/// assert_eq!(direct_values(&HeapRule::octal(0, &[0, 7]), 10), [0, 0, 1, 1, 2, 0, 3, 1, 1, 0]);
/// ```
pub fn direct_values(rule: &HeapRule, count: u64) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::new();
    let mut seen = Mex::default();
    for n in 0..count {
        seen.clear();
        let _ = rule.each_option(n, &mut |parts: &[u64]| {
            seen.insert(parts.iter().fold(0, |x, p| x ^ values[*p as usize]));
            ControlFlow::Continue(())
        });
        values.push(seen.mex());
    }
    values
}
