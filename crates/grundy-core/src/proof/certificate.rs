//! The certificate as data and as text.

use core::{fmt, str::FromStr};

use crate::theory::Periodicity;

/// First line of every certificate; the number is the version of the format.
const HEAD: &str = "grundy certificate ";

/// Values of one block of a digest.
pub const BLOCK: u64 = 1 << 16;

/// Values on one line of a certificate that carries them.
const PER_LINE: usize = 32;

/// What is claimed of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The Grundy values of the subject, a heap ruleset, have exactly this period, preperiod and saltus, for all heaps.
    Period(Periodicity),
}

/// A split of heaps into rare and common ones: the parity of the bits of the value under a mask, xored, if `by_parity`,
/// with the parity of the heap and that of the amounts after which two heaps may be left.
///
/// A hint: any split gives the right values, a good one gives them fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Split {
    /// The bits of the value that count; 0 makes every heap rare.
    pub mask: u64,
    /// The parity of the heap counts too; for rules that break heaps after amounts of one parity only.
    pub by_parity: bool,
}

/// What a certificate says beside its claim, so that the check is faster or finds out earlier. All of it is checked.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Hints {
    /// Number of values that prove the claim.
    pub bound: Option<u64>,
    /// How the values are recomputed fast.
    pub split: Option<Split>,
    /// The [`digest`] of every block of 2^16 values below the bound, the last one shorter.
    pub blocks: Vec<u64>,
    /// The values below the bound.
    pub values: Vec<u64>,
}

/// A claim about a subject.
///
/// As text, in its first version and with hints in its second:
///
/// ```text
/// grundy certificate 2
/// subject kayles
/// claim period 12 preperiod 71 saltus 0
/// bound 168
/// split mask 1 parity none
/// block e1b0f0e4a2e5c1d7
/// end
/// ```
///
/// After the claim stand, in this order and each at will: `bound` and the number of values that prove the claim; `split`
/// with a hexadecimal mask and `none` or `heap`; a `block` line with a hexadecimal digest for every 2^16 values below the
/// bound; `values` lines with at most 32 of them each. `end` shows that the file was not cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The ruleset or position, in the notation.
    pub subject: String,
    /// The claim.
    pub claim: Claim,
    /// What makes the check faster; empty in the first version.
    pub hints: Hints,
}

/// The digest of some values, by which two tables that differ are told apart (but for one chance in 2^64, and no
/// safeguard against whoever wants it to fail: the checker recomputes the values).
///
/// h := CBF29CE484222325; for each value v: h := (h xor v) · 9E3779B97F4A7C15, h := h xor (h >> 29), all modulo 2^64,
/// constants in hexadecimal.
///
/// # Examples
/// ```
/// use grundy_core::proof::digest;
/// assert_eq!(digest([]), 0xCBF2_9CE4_8422_2325);
/// assert_ne!(digest([0, 1]), digest([1, 0]));
/// ```
pub fn digest(values: impl IntoIterator<Item = u64>) -> u64 {
    values.into_iter().fold(DIGEST_START, digest_step)
}

pub(super) const DIGEST_START: u64 = 0xCBF2_9CE4_8422_2325;

pub(super) fn digest_step(h: u64, v: u64) -> u64 {
    let h = (h ^ v).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h ^ (h >> 29)
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
        let hints = &self.hints;
        writeln!(f, "{HEAD}{}", if *hints == Hints::default() { 1 } else { 2 })?;
        writeln!(f, "subject {}", self.subject)?;
        writeln!(f, "claim period {} preperiod {} saltus {}", p.period, p.preperiod, p.saltus)?;
        if let Some(bound) = hints.bound {
            writeln!(f, "bound {bound}")?;
        }
        if let Some(split) = hints.split {
            writeln!(f, "split mask {:x} parity {}", split.mask, if split.by_parity { "heap" } else { "none" })?;
        }
        for block in &hints.blocks {
            writeln!(f, "block {block:016x}")?;
        }
        for values in hints.values.chunks(PER_LINE) {
            f.write_str("values")?;
            values.iter().try_for_each(|v| write!(f, " {v}"))?;
            writeln!(f)?;
        }
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
        let version = match head.strip_prefix(HEAD) {
            Some("1") => 1,
            Some("2") => 2,
            _ => return fail(line, "this is no certificate of a version that this program reads"),
        };
        let (subject, line) = next("the subject")?;
        let Some(subject) = subject.strip_prefix("subject ") else { return fail(line, "expected the subject") };
        let (claim, line) = next("the claim")?;
        let number = |w: &str, line: usize, radix: u32| {
            let digits = w.bytes().all(|b| char::from(b).is_digit(radix));
            let read = u64::from_str_radix(w, radix).ok().filter(|_| digits);
            read.ok_or_else(|| CertificateError { line, reason: format!("\"{w}\" is no number") })
        };
        let words: Vec<&str> = claim.split_whitespace().collect();
        let claim = match words[..] {
            ["claim", "period", p, "preperiod", n, "saltus", s] => Claim::Period(Periodicity {
                preperiod: number(n, line, 10)?,
                period: number(p, line, 10)?,
                saltus: number(s, line, 10)?,
            }),
            _ => return fail(line, "unknown claim"),
        };
        let mut hints = Hints::default();
        // hints come in one order, so that a certificate has one text
        let mut last = 0;
        loop {
            let (text, line) = next("the end")?;
            let mut words = text.split_whitespace();
            let word = words.next().unwrap_or_default();
            let words: Vec<&str> = words.collect();
            let (place, again) = match word {
                "bound" => (1, false),
                "split" => (2, false),
                "block" => (3, true),
                "values" => (4, true),
                "end" if words.is_empty() => break,
                _ => return fail(line, "expected a hint or the end"),
            };
            if version == 1 || place < last || (place == last && !again) {
                return fail(line, "this line is out of place");
            }
            last = place;
            match (word, &words[..]) {
                ("bound", [n]) => hints.bound = Some(number(n, line, 10)?),
                ("split", ["mask", mask, "parity", parity @ ("none" | "heap")]) => {
                    hints.split = Some(Split { mask: number(mask, line, 16)?, by_parity: *parity == "heap" });
                }
                ("block", [hash]) => hints.blocks.push(number(hash, line, 16)?),
                ("values", [_, ..]) => {
                    for w in &words {
                        hints.values.push(number(w, line, 10)?);
                    }
                }
                _ => return fail(line, "this line is incomplete"),
            }
        }
        if let Some((_, line)) = lines.find(|(l, _)| !l.is_empty()) {
            return fail(line, "text after the end");
        }
        Ok(Certificate { subject: subject.to_owned(), claim, hints })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dawson(hints: Hints) -> Certificate {
        let claim = Claim::Period(Periodicity { preperiod: 53, period: 34, saltus: 0 });
        Certificate { subject: "0.07".into(), claim, hints }
    }

    #[test]
    fn reads_what_it_writes_and_refuses_the_rest() {
        let full = Hints {
            bound: Some(176),
            split: Some(Split { mask: 0x1F, by_parity: true }),
            blocks: vec![7, u64::MAX],
            values: (0..70).collect(),
        };
        for c in [dawson(Hints::default()), dawson(full)] {
            let text = c.to_string();
            assert_eq!(text.parse(), Ok(c));
            for cut in 0..text.len() - 1 {
                if text.is_char_boundary(cut) {
                    assert!(text[..cut].parse::<Certificate>().is_err(), "{:?}", &text[..cut]);
                }
            }
            assert!(text.replace("certificate ", "certificate 1").parse::<Certificate>().is_err());
            assert!(format!("{text}more\n").parse::<Certificate>().is_err());
        }
    }

    #[test]
    fn hints_belong_to_the_second_version_and_have_one_order() {
        let text = dawson(Hints { bound: Some(176), blocks: vec![1, 2], ..Hints::default() }).to_string();
        assert!(text.starts_with("grundy certificate 2\n"));
        assert!(text.replace("certificate 2", "certificate 1").parse::<Certificate>().is_err());
        assert!(text.replace("bound 176\n", "bound 176\nbound 176\n").parse::<Certificate>().is_err());
        assert!(text.replace("end\n", "bound 176\nend\n").parse::<Certificate>().is_err());
        assert!(text.replace("bound 176", "bound +176").parse::<Certificate>().is_err());
        assert!(text.replace("bound 176", "bound").parse::<Certificate>().is_err());
    }
}
