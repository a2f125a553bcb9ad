//! `kind = "memory"`: one heap, and the amount that was taken last.

use std::{ops::ControlFlow, sync::Arc};

use grundy_core::{
    notation::formula::Claim,
    rulesets::{
        AnyRuleset,
        custom::{DynRuleset, DynSink},
    },
};
use serde::{Deserialize, de::IgnoredAny};
use toml::Spanned;

use super::{Wrong, inside, parse};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryFile {
    #[serde(rename = "name")]
    _name: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    about: Option<String>,
    next: Spanned<String>,
    first: Option<Spanned<String>>,
}

/// A heap of n, and `last` taken before; `last` is 0 before the first move. A move takes k >= 1 where the condition holds.
///
/// Positions are written (n) before the first move and (n, last) after it. Every option (n - k, k) of (n, last) has a smaller sum
/// n, and those of (n) the same: that is their order.
#[derive(Debug)]
struct Memory {
    name: String,
    about: String,
    /// Of n and k; None if any amount may be taken first.
    first: Option<Claim>,
    /// Of n, last and k.
    next: Claim,
}

pub(super) fn read(text: &str, name: &str) -> Result<AnyRuleset, Wrong> {
    let file: MemoryFile = parse(text)?;
    let claim = |value: &Spanned<String>, variables: &[&str], example: &str| {
        Claim::parse(value.get_ref(), variables).map_err(|e| {
            let error = inside(text, value, e, 0);
            let hint = format!("a condition on {}, for example {example}", variables.join(", "));
            if error.hint.is_some() { error } else { error.hint(hint) }
        })
    };
    let next = claim(&file.next, &["n", "last", "k"], "next = \"k <= 2 * last\"")?;
    let first = file.first.as_ref().map(|f| claim(f, &["n", "k"], "first = \"k < n\"")).transpose()?;
    Ok(AnyRuleset::Custom(Arc::new(Memory { name: name.into(), about: file.about.unwrap_or_default(), first, next })))
}

impl Memory {
    fn parts(position: &[u64]) -> Option<(u64, u64)> {
        match position {
            [n] => Some((*n, 0)),
            [n, last] if *last > 0 => Some((*n, *last)),
            _ => None,
        }
    }
}

impl DynRuleset for Memory {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        let Some((n, last)) = Memory::parts(position) else { return ControlFlow::Continue(()) };
        for k in 1..=n {
            let (heap, taken) = (i128::from(n), i128::from(k));
            let allowed = match (last, &self.first) {
                (0, None) => Ok(true),
                (0, Some(first)) => first.eval(&[heap, taken]),
                _ => self.next.eval(&[heap, i128::from(last), taken]),
            };
            // a condition without a value does not hold
            match allowed {
                Ok(true) => sink.push(&[n - k, k])?,
                _ => sink.tick()?,
            }
        }
        ControlFlow::Continue(())
    }

    fn check_position(&self, position: &[u64]) -> Result<(), String> {
        Memory::parts(position).map(|_| ()).ok_or_else(|| {
            format!("{0} is played as {0}(n) before the first move, {0}(n, last) after taking last >= 1", self.name)
        })
    }

    fn move_name(&self, _: &[u64], to: &[Vec<u64>]) -> String {
        match to {
            [to] => format!("take {}", to.get(1).copied().unwrap_or_default()),
            _ => "no move".into(),
        }
    }

    fn rank(&self, position: &[u64]) -> Option<u64> {
        let (n, last) = Memory::parts(position)?;
        let sum = n.checked_add(last)?;
        let before = sum.checked_mul(sum.checked_add(1)?)? / 2;
        before.checked_add(if last == 0 { sum } else { last - 1 })
    }

    fn unrank(&self, rank: u64) -> Option<Vec<u64>> {
        // the greatest sum with sum (sum + 1) / 2 <= rank
        let root = (u128::from(rank) * 8 + 1).isqrt();
        let sum = u64::try_from((root - 1) / 2).ok()?;
        let rest = rank - u64::try_from(u128::from(sum) * (u128::from(sum) + 1) / 2).ok()?;
        Some(if rest == sum { vec![sum] } else { vec![sum - rest - 1, rest + 1] })
    }
}
