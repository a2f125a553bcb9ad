//! Checks that a heap ruleset has a claimed period.
//!
//! All values up to the bound of the theorem are recomputed from the definition, the equation is compared on them, and
//! the period and the preperiod are checked to be the least.

use super::{CheckLimits, Verdict};
use crate::{notation::read_heap_game, rulesets::heap::direct_values, theory::Periodicity};

pub(super) fn check(subject: &str, claimed: Periodicity, limits: CheckLimits) -> Verdict {
    let refuse = |reason: String| Verdict::Refused(reason);
    let game = match read_heap_game(subject) {
        Ok(game) => game,
        Err(e) => return refuse(format!("the subject is not readable: {e}")),
    };
    let Some(theorem) = game.rule().period_theorem() else {
        return refuse("no theorem proves a period of this rule from finitely many values".into());
    };
    if claimed.saltus != 0 {
        return refuse("the theorem proves periods with saltus 0 only".into());
    }
    if claimed.period == 0 {
        return refuse("a period is at least 1".into());
    }
    let Some(needed) = theorem.values_needed(claimed.preperiod, claimed.period) else {
        return refuse("the bound of the theorem does not fit in 64 bits".into());
    };
    if needed > limits.heaps {
        return Verdict::TooLarge(format!("{needed} values are needed, {} are allowed", limits.heaps));
    }
    let values = direct_values(game.rule(), needed);
    let (n0, p) = (claimed.preperiod as usize, claimed.period as usize);
    if let Some(n) = (n0..values.len() - p).find(|n| values[*n] != values[n + p]) {
        return refuse(format!("G({n}) = {} but G({}) = {}", values[n], n + p, values[n + p]));
    }
    if n0 > 0 && values[n0 - 1] == values[n0 - 1 + p] {
        return refuse(format!("the preperiod is smaller: G({}) = G({}) already", n0 - 1, n0 - 1 + p));
    }
    // the least period divides every period of the periodic part
    for q in (1..p).filter(|q| p.is_multiple_of(*q)) {
        if (n0..n0 + p).all(|n| values[n] == values[n0 + (n - n0 + q) % p]) {
            return refuse(format!("{q} is a smaller period"));
        }
    }
    Verdict::Accepted
}

#[cfg(test)]
mod tests {
    use crate::{
        proof::{Certificate, CheckLimits, Claim, Verdict, check},
        theory::Periodicity,
    };

    fn verdict(subject: &str, period: u64, preperiod: u64, saltus: u64) -> Verdict {
        let claim = Claim::Period(Periodicity { preperiod, period, saltus });
        check(&Certificate { subject: subject.into(), claim }, CheckLimits::default())
    }

    #[test]
    fn every_changed_claim_is_refused() {
        for (subject, period, preperiod) in
            [("0.77", 12, 71), ("dawsons_kayles", 34, 53), ("subtraction[{1, 3, 4}]", 7, 0), ("0.123", 5, 5)]
        {
            assert_eq!(verdict(subject, period, preperiod, 0), Verdict::Accepted, "{subject}");
            let refused = |p: u64, n: u64, s: u64| matches!(verdict(subject, p, n, s), Verdict::Refused(_));
            assert!(refused(2 * period, preperiod, 0) && refused(period + 1, preperiod, 0) && refused(0, preperiod, 0));
            assert!(refused(period, preperiod + 1, 0) && refused(period, preperiod, 1));
            assert!(preperiod == 0 || refused(period, preperiod - 1, 0));
        }
    }

    #[test]
    fn outside_the_theorems() {
        assert!(matches!(verdict("grundy_game", 3, 5, 0), Verdict::Refused(_)));
        assert!(matches!(verdict("0.02", 1, 0, 0), Verdict::Refused(_)));
        assert!(matches!(verdict("nim", 1, 0, 1), Verdict::Refused(_)));
        assert!(matches!(verdict("no such game", 1, 0, 0), Verdict::Refused(_)));
        assert!(matches!(verdict("0.77", 12, 1 << 40, 0), Verdict::TooLarge(_)));
        assert!(matches!(verdict("0.77", u64::MAX, u64::MAX, 0), Verdict::Refused(_)));
    }
}
