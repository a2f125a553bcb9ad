//! The certificate as data and as text.

use core::{fmt, str::FromStr};

use super::Candidate;
use crate::theory::Periodicity;

/// First line of every certificate; the number is the version of the format.
const HEAD: &str = "grundy certificate ";

/// Values of one block of a digest.
pub const BLOCK: u64 = 1 << 16;

/// Values on one line of a certificate that carries them.
const PER_LINE: usize = 32;

/// What is claimed of the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The Grundy values of the subject, a heap ruleset, have exactly this period, preperiod and saltus, for all heaps.
    Period(Periodicity),
    /// The Grundy value of every heap of the subject, a heap ruleset, is what the closed form says.
    ClosedForm(Candidate),
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

/// What a certificate says beside its claim, so that the check is faster or finds out earlier.
///
/// All of it is checked, and none of it is needed: without a bound, a split or blocks the same claim is checked in full.
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
///
/// Closed forms came with the third version. A periodic one has its values of preperiod and one period on `values` lines,
/// an automaton a line for every state, in order: where it leads by the letters 0 to 3, and whether it accepts. There are
/// no hints.
///
/// ```text
/// grundy certificate 3                          grundy certificate 3
/// subject lasker                                subject nim
/// claim form preperiod 1 period 4 saltus 4      claim form states 2
/// values 0 1 2 4 3                              state 0 1 1 0 accept
/// end                                           state 1 1 1 1 refuse
///                                               end
/// ```
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
        let hints = &self.hints;
        let version = match self.claim {
            Claim::ClosedForm(_) => 3,
            Claim::Period(_) if *hints == Hints::default() => 1,
            Claim::Period(_) => 2,
        };
        writeln!(f, "{HEAD}{version}")?;
        writeln!(f, "subject {}", self.subject)?;
        match &self.claim {
            Claim::Period(p) => {
                writeln!(f, "claim period {} preperiod {} saltus {}", p.period, p.preperiod, p.saltus)?;
            }
            Claim::ClosedForm(Candidate::Periodic { preperiod, period, saltus, values }) => {
                writeln!(f, "claim form preperiod {preperiod} period {period} saltus {saltus}")?;
                write_values(f, values)?;
            }
            Claim::ClosedForm(Candidate::Automaton { next, accept }) => {
                writeln!(f, "claim form states {}", next.len())?;
                for ([a, b, c, d], accept) in next.iter().zip(accept) {
                    writeln!(f, "state {a} {b} {c} {d} {}", if *accept { "accept" } else { "refuse" })?;
                }
            }
        }
        if let Some(bound) = hints.bound {
            writeln!(f, "bound {bound}")?;
        }
        if let Some(split) = hints.split {
            writeln!(f, "split mask {:x} parity {}", split.mask, if split.by_parity { "heap" } else { "none" })?;
        }
        for block in &hints.blocks {
            writeln!(f, "block {block:016x}")?;
        }
        write_values(f, &hints.values)?;
        writeln!(f, "end")
    }
}

fn write_values(f: &mut fmt::Formatter<'_>, values: &[u64]) -> fmt::Result {
    for values in values.chunks(PER_LINE) {
        f.write_str("values")?;
        values.iter().try_for_each(|v| write!(f, " {v}"))?;
        writeln!(f)?;
    }
    Ok(())
}

impl FromStr for Certificate {
    type Err = CertificateError;

    fn from_str(text: &str) -> Result<Self, CertificateError> {
        let mut lines = Lines { lines: text.lines().map(str::trim_end).zip(1usize..), count: text.lines().count() };
        let (head, line) = lines.next("the head")?;
        let version = match head.strip_prefix(HEAD) {
            Some("1") => 1,
            Some("2") => 2,
            Some("3") => 3,
            _ => return fail(line, "this is no certificate of a version that this program reads"),
        };
        let (subject, line) = lines.next("the subject")?;
        let Some(subject) = subject.strip_prefix("subject ") else { return fail(line, "expected the subject") };
        let (claim, line) = lines.next("the claim")?;
        let words: Vec<&str> = claim.split_whitespace().collect();
        let (claim, hints) = match (version, &words[..]) {
            (1 | 2, ["claim", "period", p, "preperiod", n, "saltus", s]) => {
                let claim = Claim::Period(Periodicity {
                    preperiod: number(n, line, 10)?,
                    period: number(p, line, 10)?,
                    saltus: number(s, line, 10)?,
                });
                (claim, read_hints(&mut lines, version)?)
            }
            (3, ["claim", "form", data @ ..]) => {
                (Claim::ClosedForm(read_form(data, line, &mut lines)?), Hints::default())
            }
            _ => return fail(line, "unknown claim"),
        };
        if let Some((_, line)) = lines.lines.find(|(l, _)| !l.is_empty()) {
            return fail(line, "text after the end");
        }
        Ok(Certificate { subject: subject.to_owned(), claim, hints })
    }
}

/// The lines of a text with their numbers.
struct Lines<I> {
    lines: I,
    count: usize,
}

impl<'a, I: Iterator<Item = (&'a str, usize)>> Lines<I> {
    fn next(&mut self, what: &str) -> Result<(&'a str, usize), CertificateError> {
        self.lines.next().ok_or_else(|| CertificateError {
            line: self.count + 1,
            reason: format!("{what} is missing: the file is cut off"),
        })
    }
}

fn fail<T>(line: usize, reason: &str) -> Result<T, CertificateError> {
    Err(CertificateError { line, reason: reason.into() })
}

fn number(word: &str, line: usize, radix: u32) -> Result<u64, CertificateError> {
    let digits = word.bytes().all(|b| char::from(b).is_digit(radix));
    let read = u64::from_str_radix(word, radix).ok().filter(|_| digits);
    read.ok_or_else(|| CertificateError { line, reason: format!("\"{word}\" is no number") })
}

/// Reads hints, up to the end.
fn read_hints<'a>(
    lines: &mut Lines<impl Iterator<Item = (&'a str, usize)>>,
    version: u32,
) -> Result<Hints, CertificateError> {
    let mut hints = Hints::default();
    // hints come in one order, so that a certificate has one text
    let mut last = 0;
    loop {
        let (text, line) = lines.next("the end")?;
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let (place, again) = match word {
            "bound" => (1, false),
            "split" => (2, false),
            "block" => (3, true),
            "values" => (4, true),
            "end" if words.is_empty() => return Ok(hints),
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
}

/// Reads the data of a closed form, up to the end.
fn read_form<'a>(
    data: &[&str],
    line: usize,
    lines: &mut Lines<impl Iterator<Item = (&'a str, usize)>>,
) -> Result<Candidate, CertificateError> {
    match *data {
        ["preperiod", n, "period", p, "saltus", s] => {
            let (preperiod, period) = (number(n, line, 10)?, number(p, line, 10)?);
            let saltus = number(s, line, 10)?;
            let mut values = Vec::new();
            loop {
                let (text, line) = lines.next("the end")?;
                let words: Vec<&str> = text.split_whitespace().collect();
                match words[..] {
                    ["values", _, ..] => {
                        for w in &words[1..] {
                            values.push(number(w, line, 10)?);
                        }
                    }
                    ["end"] if preperiod.checked_add(period) == Some(values.len() as u64) => {
                        return Ok(Candidate::Periodic { preperiod, period, saltus, values });
                    }
                    ["end"] => return fail(line, "the values are not those of preperiod and one period"),
                    _ => return fail(line, "expected values or the end"),
                }
            }
        }
        ["states", count] => {
            let count = number(count, line, 10)?;
            let (mut next, mut accept) = (Vec::new(), Vec::new());
            loop {
                let (text, line) = lines.next("the end")?;
                let words: Vec<&str> = text.split_whitespace().collect();
                match words[..] {
                    ["state", a, b, c, d, word @ ("accept" | "refuse")] => {
                        let mut to = [0; 4];
                        for (to, w) in to.iter_mut().zip([a, b, c, d]) {
                            let state = number(w, line, 10)?;
                            if state >= count {
                                return fail(line, &format!("there is no state {state}"));
                            }
                            let Ok(state) = u32::try_from(state) else { return fail(line, "too many states") };
                            *to = state;
                        }
                        next.push(to);
                        accept.push(word == "accept");
                    }
                    ["end"] if count == next.len() as u64 => return Ok(Candidate::Automaton { next, accept }),
                    ["end"] => return fail(line, "the number of states is not as claimed"),
                    _ => return fail(line, "expected a state or the end"),
                }
            }
        }
        _ => fail(line, "unknown claim"),
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
        for c in [dawson(Hints::default()), dawson(full), lasker(), nim()] {
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

    fn lasker() -> Certificate {
        let form = Candidate::Periodic { preperiod: 1, period: 4, saltus: 4, values: vec![0, 1, 2, 4, 3] };
        Certificate { subject: "lasker".into(), claim: Claim::ClosedForm(form), hints: Hints::default() }
    }

    fn nim() -> Certificate {
        let form = Candidate::Automaton { next: vec![[0, 1, 1, 0], [1; 4]], accept: vec![true, false] };
        Certificate { subject: "nim".into(), claim: Claim::ClosedForm(form), hints: Hints::default() }
    }

    #[test]
    fn damage_to_a_closed_form_is_told_by_its_line() {
        let line = |c: Certificate, from: &str, to: &str| {
            let text = c.to_string();
            assert!(text.contains(from));
            text.replace(from, to).parse::<Certificate>().unwrap_err().line
        };
        assert_eq!(line(lasker(), "certificate 3", "certificate 2"), 3);
        assert_eq!(line(lasker(), "period 4", "period x"), 3);
        assert_eq!(line(lasker(), "period 4", "period 5"), 5);
        assert_eq!(line(lasker(), "values 0 1", "values 0 -1"), 4);
        assert_eq!(line(lasker(), "end\n", "bound 9\nend\n"), 5);
        assert_eq!(line(lasker(), "end\n", ""), 5);
        assert_eq!(line(nim(), "states 2", "states 3"), 6);
        assert_eq!(line(nim(), "1 1 1 1 refuse", "1 1 2 1 refuse"), 5);
        assert_eq!(line(nim(), "1 1 1 1 refuse", "1 1 1 refuse"), 5);
        assert_eq!(line(nim(), "refuse", "maybe"), 5);
        assert_eq!(line(dawson(Hints::default()), "certificate 1", "certificate 3"), 3);
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
