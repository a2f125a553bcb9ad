//! The checkpoint of one process: a file that outlives `kill -9` and tells damage from results.
//!
//! Little-endian throughout: magic `grundyCP`, version (u32), process and number of processes (u32 each), digest of the game
//! (u64), first vertex and number of places (u32 each), rounds done (u32), how many numbers and how many words follow (u32 each),
//! the numbers (u32 each), the words (u64 each), and the seal of all that stands before it (u64).

use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{attract::Bits, block::Block};
use crate::store::{Seal, StoreError, replace, sync_dir};

const MAGIC: &[u8; 8] = b"grundyCP";
const VERSION: u32 = 1;
/// Bytes before the numbers.
const HEAD: usize = 48;

/// The name of a process's file.
pub fn name(process: usize, processes: usize) -> String {
    format!("process-{process}-of-{processes}.grundy")
}

/// The seal at the end of a file, if there is one.
pub fn mark(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let mut seal = [0; 8];
    file.seek(SeekFrom::End(-8)).ok()?;
    file.read_exact(&mut seal).ok()?;
    Some(u64::from_le_bytes(seal))
}

/// What is kept: true results only, of which any part is a sound beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Rounds that are done.
    pub round: u32,
    /// A number a place: the layer in Büchi games, else the value; or none at all.
    pub numbers: Vec<u32>,
    /// The attractor that is being found; or no words at all.
    pub won: Bits,
}

/// The file of one process in the directory of all.
#[derive(Debug)]
pub struct Saved {
    dir: PathBuf,
    name: String,
    head: [u8; 32],
    places: usize,
    /// The seal of what is on the disk.
    last: Option<u64>,
}

impl Saved {
    /// The file of process `process` of `processes` in a directory, which is made if it is not there; and what it holds, if it is
    /// there. `digest` stands for the game.
    ///
    /// # Errors
    /// A refusal that says what is wrong with the file: damaged, truncated, of another game, of other processes.
    pub fn open(
        dir: &Path,
        (process, processes): (usize, usize),
        digest: u64,
        block: &Block,
    ) -> Result<(Saved, Option<Found>), StoreError> {
        match fs::create_dir(dir) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(StoreError::io(dir, e)),
            _ => {}
        }
        let mut head = [0; 32];
        let numbers = [VERSION, process as u32, processes as u32].map(u32::to_le_bytes).concat();
        head[..8].copy_from_slice(MAGIC);
        head[8..20].copy_from_slice(&numbers);
        head[20..28].copy_from_slice(&digest.to_le_bytes());
        head[28..].copy_from_slice(&block.range().start.to_le_bytes());
        let name = name(process, processes);
        let mut saved = Saved { dir: dir.to_owned(), name, head, places: block.len(), last: None };
        let path = saved.path();
        let found = match fs::read(&path) {
            Ok(bytes) => {
                let refuse = |why| StoreError::refused(format!("{}: {why}", path.display()));
                Some(saved.read(&bytes).map_err(refuse)?)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(StoreError::io(&path, e)),
        };
        Ok((saved, found))
    }

    fn path(&self) -> PathBuf {
        self.dir.join(&self.name)
    }

    fn read(&mut self, bytes: &[u8]) -> Result<Found, String> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        if bytes.len() < 12 || &bytes[..8] != MAGIC {
            return Err("the file is no checkpoint of a process".into());
        }
        if word(8) != VERSION {
            return Err(format!("format version {}, this program reads {VERSION}", word(8)));
        }
        if bytes.len() < HEAD + 8 {
            return Err(format!("truncated: {} bytes", bytes.len()));
        }
        let (numbers, words) = (word(40) as usize, word(44) as usize);
        let expected = HEAD as u64 + 4 * numbers as u64 + 8 * words as u64 + 8;
        if bytes.len() as u64 != expected {
            return Err(format!("truncated or overlong: {} bytes instead of {expected}", bytes.len()));
        }
        let (content, seal) = bytes.split_at(bytes.len() - 8);
        let sum = Seal::of(content);
        if seal != sum.to_le_bytes() {
            return Err("the check sum is wrong: the file was damaged".into());
        }
        if bytes[12..20] != self.head[12..20] {
            return Err(format!("it is of process {} of {}", word(12), word(16)));
        }
        let fits = [0, self.places].contains(&numbers) && [0, self.places.div_ceil(64)].contains(&words);
        if bytes[20..32] != self.head[20..32] || word(32) as usize != self.places || !fits {
            return Err("it is of another graph, or of another objective".into());
        }
        self.last = Some(sum);
        let (first, second) = content[HEAD..].split_at(4 * numbers);
        let number = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let wide = |b: &[u8]| u64::from(number(b)) | u64::from(number(&b[4..])) << 32;
        Ok(Found {
            round: word(36),
            numbers: first.chunks_exact(4).map(number).collect(),
            won: Bits::of_words(second.chunks_exact(8).map(wide).collect()),
        })
    }

    /// Replaces the file, unless it holds the same already: written beside its place, flushed to the disk, renamed.
    ///
    /// # Errors
    /// What the system says; the file stays as it was.
    pub fn save(&mut self, round: u32, numbers: &[u32], won: &Bits) -> Result<(), StoreError> {
        let words = won.words();
        let mut bytes = Vec::with_capacity(HEAD + 4 * numbers.len() + 8 * words.len() + 8);
        bytes.extend(self.head);
        for n in [self.places, round as usize, numbers.len(), words.len()] {
            bytes.extend((n as u32).to_le_bytes());
        }
        numbers.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        words.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
        let sum = Seal::of(&bytes);
        if self.last == Some(sum) {
            return Ok(());
        }
        bytes.extend(sum.to_le_bytes());
        let beside = self.dir.join(format!("{}.tmp", self.name));
        replace(&beside, |file| {
            file.write_all(&bytes)?;
            Ok(self.path())
        })
        .map_err(|e| StoreError::io(&beside, e))?;
        sync_dir(&self.dir)?;
        self.last = Some(sum);
        Ok(())
    }
}
