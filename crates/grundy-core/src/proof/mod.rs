//! Certificates and their checker: who proves is not who searches.
//!
//! A certificate is a claim about a subject in our notation, with hints. The checker depends on rules and theory only,
//! recomputes everything it needs by plain code (`replay.rs`), and never trusts a hint. A changed claim is refused, whatever the hints
//! say.
//!
//! Periods are checked by `period.rs`, closed forms by `closed_form/`; what is claimed of the vertices of a graph, whose certificates are
//! files of another kind, by `graph.rs`.
//!
//! A further kind of certificate is one more [`Claim`], one checker file beside `period.rs`, and one mutation test.

mod certificate;
mod closed_form;
mod graph;
mod period;
mod replay;

pub use certificate::{BLOCK, Certificate, CertificateError, Claim, Hints, Split, digest};
pub use closed_form::{
    Candidate, ClosedFormError, Counterexample, Mistake, check_closed_form, check_closed_form_while,
};
pub use graph::{GraphCertificate, GraphClaim, Preparation, digest_of_game, digest_of_graph};
pub use period::{Check, Sample};

/// What the checker may spend.
#[derive(Clone, Copy, Debug)]
pub struct CheckLimits {
    /// Most heaps whose values are recomputed.
    pub heaps: u64,
    /// Most states of one automaton.
    pub states: usize,
}

impl Default for CheckLimits {
    fn default() -> Self {
        CheckLimits { heaps: 1 << 16, states: 1 << 20 }
    }
}

/// The checker's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim is true; it was checked completely.
    Accepted,
    /// The claim is false, or the certificate does not prove it.
    Refused(String),
    /// The subject cannot be read, or claims of this kind about it are not in the theory; nothing is said about the claim.
    Outside(String),
    /// The check would need more than the limits allow; nothing is said about the claim.
    TooLarge(String),
}

/// Checks a certificate from its subject alone, at once; [`Check`] does it in steps.
///
/// # Examples
/// ```
/// use grundy_core::proof::{Certificate, CheckLimits, Verdict, check};
/// let text = "grundy certificate 1\nsubject kayles\nclaim period 12 preperiod 71 saltus 0\nend\n";
/// let certificate: Certificate = text.parse().unwrap();
/// assert_eq!(check(&certificate, CheckLimits::default()), Verdict::Accepted);
/// let wrong: Certificate = text.replace("preperiod 71", "preperiod 70").parse().unwrap();
/// assert!(matches!(check(&wrong, CheckLimits::default()), Verdict::Refused(_)));
/// ```
pub fn check(certificate: &Certificate, limits: CheckLimits) -> Verdict {
    if let Claim::ClosedForm(form) = &certificate.claim {
        return check_form(certificate, form, limits, &mut || true);
    }
    let mut check = Check::new(certificate);
    if check.needed() > limits.heaps {
        return Verdict::TooLarge(format!("{} values are needed, {} are allowed", check.needed(), limits.heaps));
    }
    loop {
        if let Some(verdict) = check.advance(u64::MAX) {
            return verdict;
        }
    }
}

/// Checks a certificate of a closed form, until `go_on` says no.
pub fn check_form(
    certificate: &Certificate,
    form: &Candidate,
    limits: CheckLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Verdict {
    let game = match period::read(&certificate.subject) {
        Ok(game) => game,
        Err(verdict) => return verdict,
    };
    if certificate.hints != Hints::default() {
        return Verdict::Refused("a closed form is checked without hints".into());
    }
    match check_closed_form_while(game.rule(), form, limits.states, go_on) {
        Ok(()) => Verdict::Accepted,
        Err(ClosedFormError::Limit(reason)) => Verdict::TooLarge(reason),
        Err(ClosedFormError::OutOfTheory(reason)) => Verdict::Outside(reason),
        Err(error) => Verdict::Refused(error.to_string()),
    }
}
