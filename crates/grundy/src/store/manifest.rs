//! The manifest of a checkpoint: which segments it consists of, sealed.
//!
//! Text, a line a fact:
//!
//! ```text
//! grundy checkpoint 1
//! rule 0.6
//! segment 0 65536 1 8f0c…          first heap, heap after the last, bytes a value, seal
//! seal 77aa…                       of all lines above
//! ```

use std::fmt::Write;

use super::{VERSION, seal::Seal, segment::Segment};

const TITLE: &str = "grundy checkpoint ";

/// What a checkpoint holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The rule in canonical notation.
    pub rule: String,
    /// The segments in order, without gaps, from heap 0.
    pub segments: Vec<Segment>,
}

impl Manifest {
    /// Number of values held: those of heaps `0 .. values`.
    pub fn values(&self) -> u64 {
        self.segments.last().map_or(0, |s| s.heaps.end)
    }

    /// The file's text.
    pub fn print(&self) -> String {
        let mut text = format!("{TITLE}{VERSION}\nrule {}\n", self.rule);
        for s in &self.segments {
            let _ = writeln!(text, "segment {} {} {} {:016x}", s.heaps.start, s.heaps.end, s.width, s.seal);
        }
        let _ = writeln!(text, "seal {:016x}", Seal::of(text.as_bytes()));
        text
    }

    /// Reads what [`Manifest::print`] wrote.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        let foreign = || "the file is no manifest of a checkpoint".to_owned();
        let damaged = || "the check sum is wrong: the file was damaged".to_owned();
        let rest = bytes.strip_prefix(TITLE.as_bytes()).ok_or_else(foreign)?;
        let version = rest.split(|b| *b == b'\n').next().unwrap_or(b"");
        if version != VERSION.to_string().as_bytes() {
            let version: String = String::from_utf8_lossy(version).chars().take(20).collect();
            return Err(format!("format version {version}, this program reads {VERSION}"));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| damaged())?;
        let truncated = || "truncated: the seal at the end is missing".to_owned();
        let body = text.strip_suffix('\n').ok_or_else(truncated)?;
        let (body, seal) = body.split_at(body.rfind('\n').ok_or_else(truncated)? + 1);
        let seal = seal.strip_prefix("seal ").ok_or_else(truncated)?;
        if seal != format!("{:016x}", Seal::of(body.as_bytes())) {
            return Err(damaged());
        }
        let mut lines = body.lines().skip(1);
        let rule = lines.next().and_then(|l| l.strip_prefix("rule ")).ok_or_else(foreign)?.to_owned();
        let mut manifest = Manifest { rule, segments: Vec::new() };
        for line in lines {
            let segment = segment(line).ok_or_else(|| format!("\"{line}\" is no segment"))?;
            if segment.heaps.start != manifest.values() {
                return Err(format!("the values of heap {} are missing", manifest.values()));
            }
            manifest.segments.push(segment);
        }
        Ok(manifest)
    }
}

fn segment(line: &str) -> Option<Segment> {
    let mut words = line.strip_prefix("segment ")?.split(' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let (start, end, width) = (number()?, number()?, number()?);
    let seal = u64::from_str_radix(words.next()?, 16).ok()?;
    let fine = start < end && [1, 2, 4, 8].contains(&width) && words.next().is_none();
    fine.then_some(Segment { heaps: start..end, width, seal })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints_and_nothing_else() {
        let segments = vec![
            Segment { heaps: 0..4096, width: 1, seal: 7 },
            Segment { heaps: 4096..5000, width: 2, seal: u64::MAX },
        ];
        let manifest = Manifest { rule: "[take 1..3]".into(), segments };
        let text = manifest.print();
        assert_eq!(Manifest::parse(text.as_bytes()), Ok(manifest.clone()));
        assert_eq!(manifest.values(), 5000);
        for end in 0..text.len() {
            assert!(Manifest::parse(&text.as_bytes()[..end]).is_err(), "{end}");
        }
        for bit in 0..8 * text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Manifest::parse(&bytes).is_err(), "{bit}");
        }
        let other = text.replacen("checkpoint 1", "checkpoint 2", 1);
        assert!(Manifest::parse(other.as_bytes()).unwrap_err().contains("version 2"));
    }

    #[test]
    fn gaps_are_refused() {
        let segments = vec![Segment { heaps: 0..10, width: 1, seal: 0 }, Segment { heaps: 11..12, width: 1, seal: 0 }];
        let text = Manifest { rule: "0.6".into(), segments }.print();
        assert_eq!(Manifest::parse(text.as_bytes()), Err("the values of heap 10 are missing".into()));
    }
}
