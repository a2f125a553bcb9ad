//! The certificate as data and as text.

use core::{fmt, str::FromStr};

use crate::theory::Periodicity;

/// First line of every certificate; the number is the version of the format.
const HEAD: &str = "grundy certificate 1";

/// What is claimed of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The Grundy values of the subject, a heap ruleset, have exactly this period, preperiod and saltus, for all heaps.
    Period(Periodicity),
}

/// A claim about a subject.
///
/// As text:
///
/// ```text
/// grundy certificate 1
/// subject kayles
/// claim period 12 preperiod 71 saltus 0
/// end
/// ```
///
/// `end` shows that the file was not cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The ruleset or position, in the notation.
    pub subject: String,
    /// The claim.
    pub claim: Claim,
}

/// Why a text is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl core::error::Error for CertificateError {}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim::Period(p) = self.claim;
        writeln!(f, "{HEAD}")?;
        writeln!(f, "subject {}", self.subject)?;
        writeln!(f, "claim period {} preperiod {} saltus {}", p.period, p.preperiod, p.saltus)?;
        writeln!(f, "end")
    }
}

impl FromStr for Certificate {
    type Err = CertificateError;

    fn from_str(text: &str) -> Result<Self, CertificateError> {
        let mut lines = text.lines().map(str::trim_end).zip(1usize..);
        let mut next = |what: &str| {
            lines.next().ok_or_else(|| CertificateError {
                line: text.lines().count() + 1,
                reason: format!("{what} is missing: the file is cut off"),
            })
        };
        let fail = |line: usize, reason: &str| Err(CertificateError { line, reason: reason.into() });
        let (head, line) = next("the head")?;
        if head != HEAD {
            return fail(line, "this is no certificate of a version that this program reads");
        }
        let (subject, line) = next("the subject")?;
        let Some(subject) = subject.strip_prefix("subject ") else { return fail(line, "expected the subject") };
        let (claim, line) = next("the claim")?;
        let words: Vec<&str> = claim.split_whitespace().collect();
        let number =
            |w: &str| w.parse::<u64>().map_err(|_| CertificateError { line, reason: format!("\"{w}\" is no number") });
        let claim = match words[..] {
            ["claim", "period", p, "preperiod", n, "saltus", s] => {
                Claim::Period(Periodicity { preperiod: number(n)?, period: number(p)?, saltus: number(s)? })
            }
            _ => return fail(line, "unknown claim"),
        };
        let (end, line) = next("the end")?;
        if end != "end" {
            return fail(line, "expected the end");
        }
        if let Some((_, line)) = lines.find(|(l, _)| !l.is_empty()) {
            return fail(line, "text after the end");
        }
        Ok(Certificate { subject: subject.to_owned(), claim })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_refuses_the_rest() {
        let c = Certificate {
            subject: "0.07".into(),
            claim: Claim::Period(Periodicity { preperiod: 53, period: 34, saltus: 0 }),
        };
        let text = c.to_string();
        assert_eq!(text.parse(), Ok(c));
        for cut in 0..text.len() - 1 {
            if text.is_char_boundary(cut) {
                assert!(text[..cut].parse::<Certificate>().is_err(), "{:?}", &text[..cut]);
            }
        }
        assert!(text.replace("certificate 1", "certificate 2").parse::<Certificate>().is_err());
        assert!(format!("{text}more\n").parse::<Certificate>().is_err());
    }
}
