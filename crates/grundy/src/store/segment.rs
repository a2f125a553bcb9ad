//! A segment: one file with the values of a range of heaps, sealed.
//!
//! Little-endian throughout: magic `grundySV`, version (u32), width in bytes (u32), first heap (u64), heap after the last (u64),
//! length of the rule's text (u64), the text, the values at their width, and the seal of all that stands before it (u64).

use std::{
    fs::File,
    io::{self, Read, Write},
    ops::Range,
    path::Path,
};

use super::{StoreError, VERSION, seal::Seal};
use crate::sequence::{Cells, ValueTable};

const MAGIC: &[u8; 8] = b"grundySV";
const HEAD: usize = 40;

/// Bytes read or written at a time.
const PIECE: usize = 1 << 20;

/// What a manifest knows of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The heaps whose values it holds.
    pub heaps: Range<u64>,
    /// Bytes a value.
    pub width: u64,
    /// The file's seal.
    pub seal: u64,
}

impl Segment {
    /// The file's name.
    pub fn file_name(&self) -> String {
        format!("{NAME}{}-{}{EXTENSION}", self.heaps.start, self.heaps.end)
    }

    /// True for the names that [`Segment::file_name`] gives.
    pub fn is_name(name: &str) -> bool {
        let range = name.strip_prefix(NAME).and_then(|n| n.strip_suffix(EXTENSION)).and_then(|n| n.split_once('-'));
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        range.is_some_and(|(a, b)| digits(a) && digits(b))
    }

    /// Writes the values of `heaps` and gives what the manifest must know.
    ///
    /// # Errors
    /// The file's.
    pub fn write(out: &mut File, rule: &str, table: &ValueTable, heaps: Range<u64>) -> io::Result<Segment> {
        let mut seal = Seal::default();
        let mut put = |bytes: &[u8]| {
            seal.add(bytes);
            out.write_all(bytes)
        };
        put(&head(rule, table.width(), &heaps))?;
        let range = heaps.start as usize..heaps.end as usize;
        match table.cells() {
            Cells::U8(v) => v[range].chunks(PIECE).try_for_each(put)?,
            Cells::U16(v) => v[range].chunks(PIECE / 2).try_for_each(|p| put(&bytes(p, |x| x.to_le_bytes())))?,
            Cells::U32(v) => v[range].chunks(PIECE / 4).try_for_each(|p| put(&bytes(p, |x| x.to_le_bytes())))?,
            Cells::U64(v) => v[range].chunks(PIECE / 8).try_for_each(|p| put(&bytes(p, |x| x.to_le_bytes())))?,
        }
        let seal = seal.sum();
        out.write_all(&seal.to_le_bytes())?;
        Ok(Segment { heaps, width: table.width(), seal })
    }

    /// Appends the values to a table, which must end where the segment starts.
    ///
    /// # Errors
    /// A refusal if the file is not what the manifest says; the table is of no use then.
    pub fn read(&self, path: &Path, rule: &str, table: &mut ValueTable) -> Result<(), StoreError> {
        let refuse = |why: &str| StoreError::refused(format!("{}: {why}", path.display()));
        let mut file = File::open(path).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => StoreError::io(path, io::Error::new(e.kind(), "the segment is missing")),
            _ => StoreError::io(path, e),
        })?;
        let io = |e| StoreError::io(path, e);
        let values = self.heaps.end - self.heaps.start;
        let length = values.checked_mul(self.width).and_then(|b| b.checked_add((HEAD + rule.len() + 8) as u64));
        let found = file.metadata().map_err(io)?.len();
        let mut start = [0; 12];
        if found >= 12 {
            file.read_exact(&mut start).map_err(io)?;
        }
        if &start[..8] != MAGIC {
            return Err(refuse("the file is no segment of values"));
        }
        let version = u32::from_le_bytes([start[8], start[9], start[10], start[11]]);
        if version != VERSION {
            return Err(refuse(&format!("format version {version}, this program reads {VERSION}")));
        }
        if length != Some(found) {
            let length = length.map_or("more".into(), |l| l.to_string());
            return Err(refuse(&format!("truncated or overlong: {found} bytes instead of {length}")));
        }
        let mut seal = Seal::default();
        seal.add(&start);
        let expected = head(rule, self.width, &self.heaps);
        let mut rest = vec![0; expected.len() - start.len()];
        file.read_exact(&mut rest).map_err(io)?;
        seal.add(&rest);
        if rest != expected[start.len()..] {
            return Err(refuse("its head does not agree with the manifest"));
        }
        let mut left = values * self.width;
        let mut piece = vec![0; PIECE.min(left as usize)];
        while left > 0 {
            let piece = &mut piece[..PIECE.min(left as usize)];
            file.read_exact(piece).map_err(io)?;
            seal.add(piece);
            for cell in piece.chunks_exact(self.width as usize) {
                let mut whole = [0; 8];
                whole[..cell.len()].copy_from_slice(cell);
                table.push(u64::from_le_bytes(whole));
            }
            left -= piece.len() as u64;
        }
        let mut last = [0; 8];
        file.read_exact(&mut last).map_err(io)?;
        if u64::from_le_bytes(last) != seal.sum() || seal.sum() != self.seal {
            return Err(refuse("the check sum is wrong: the file was damaged"));
        }
        Ok(())
    }
}

const NAME: &str = "values-";
const EXTENSION: &str = ".grundy";

fn head(rule: &str, width: u64, heaps: &Range<u64>) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEAD + rule.len());
    head.extend(MAGIC);
    head.extend(VERSION.to_le_bytes());
    head.extend((width as u32).to_le_bytes());
    for number in [heaps.start, heaps.end, rule.len() as u64] {
        head.extend(number.to_le_bytes());
    }
    head.extend(rule.as_bytes());
    head
}

fn bytes<T: Copy, const N: usize>(cells: &[T], to_bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    cells.iter().flat_map(|x| to_bytes(*x)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let segment = Segment { heaps: 5..1 << 40, width: 1, seal: 0 };
        assert_eq!(segment.file_name(), "values-5-1099511627776.grundy");
        assert!(Segment::is_name(&segment.file_name()));
        for other in ["values-.grundy", "values-1.grundy", "values-1-x.grundy", "values-1-2.grundy.tmp", "notes.txt"] {
            assert!(!Segment::is_name(other), "{other}");
        }
    }
}
