//! Checkpoints of long runs: a directory that survives `kill -9`, and tells damage from values.
//!
//! The directory holds *segments* (`values-A-B.grundy`, never changed once they are written) and a `manifest` that says which
//! segments count. Each file is written beside its place, flushed to the disk and renamed; the manifest comes last, so at any
//! moment it names complete files only. Neighbouring segments of like size are written as one, so their number grows with the
//! logarithm of the run. A `lock` keeps a second run out; the system drops it with the process.

mod manifest;
mod seal;
mod segment;
mod solved;

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
};

use grundy_core::{notation::read_heap_game, rulesets::HeapGame};

#[cfg(feature = "cluster")]
pub(crate) use self::seal::Seal;
pub use self::solved::{Failed, SolvedFile};
use self::{manifest::Manifest, segment::Segment};
use crate::sequence::ValueTable;

/// Version of both file formats.
const VERSION: u32 = 1;

const MANIFEST: &str = "manifest";
const LOCK: &str = "lock";
/// The files in the making.
const UNFINISHED: [&str; 2] = ["manifest.tmp", "values.tmp"];

/// Largest manifest that is read.
const MANIFEST_BYTES: u64 = 1 << 24;

/// Why a checkpoint is not used.
#[derive(Debug)]
pub enum StoreError {
    /// It is damaged, foreign, of another rule or version, or in the way.
    Refused {
        /// Why.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The directory or a file in it cannot be read or written.
    Io {
        /// Which.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
}

impl StoreError {
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        let hint = "begin anew in another directory, or delete this one".into();
        StoreError::Refused { message: message.into(), hint }
    }

    pub(crate) fn io(path: &Path, error: io::Error) -> Self {
        StoreError::Io { path: path.to_owned(), error }
    }
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StoreError::Refused { message, .. } => f.write_str(message),
            StoreError::Io { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for StoreError {}

/// An open checkpoint directory; one process has it at a time.
#[derive(Debug)]
pub struct Checkpoint {
    dir: PathBuf,
    manifest: Manifest,
    _lock: File,
}

impl Checkpoint {
    /// Begins a checkpoint in a directory that is empty or does not exist yet (its parent does).
    ///
    /// # Errors
    /// A refusal if something is in the directory; what the system says if it cannot be made or written.
    pub fn create(dir: &Path, game: &HeapGame) -> Result<Checkpoint, StoreError> {
        match fs::create_dir(dir) {
            Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(StoreError::io(dir, e)),
            _ => {}
        }
        for name in names(dir)? {
            if name == LOCK || UNFINISHED.contains(&name.as_str()) {
                continue;
            }
            let is_ours = name == MANIFEST || Segment::is_name(&name);
            // that a run is at work here is the better reason
            if is_ours
                && let Err(StoreError::Io { path, error }) = lock(dir)
                && error.kind() == io::ErrorKind::ResourceBusy
            {
                return Err(StoreError::Io { path, error });
            }
            let (what, hint) = match is_ours {
                true => ("holds a checkpoint already", "add --resume to go on from it, or name another directory"),
                false => ("is not empty, and no checkpoint", "name a new or an empty directory"),
            };
            return Err(StoreError::Refused { message: format!("{} {what}", dir.display()), hint: hint.into() });
        }
        let lock = lock(dir)?;
        let manifest = Manifest { rule: game.subject().to_owned(), segments: Vec::new() };
        let checkpoint = Checkpoint { dir: dir.to_owned(), manifest, _lock: lock };
        checkpoint.write_manifest(&checkpoint.manifest)?;
        Ok(checkpoint)
    }

    /// Opens a checkpoint of the same rule, under whatever name it was begun, reads its values and removes leftovers of a
    /// run that was killed. An empty directory is begun as by [`Checkpoint::create`].
    ///
    /// # Complexity
    /// One pass over the files; memory for the table only.
    ///
    /// # Errors
    /// A refusal that says which file is wrong and how; the missing file, where the manifest or a segment is.
    pub fn open(dir: &Path, game: &HeapGame) -> Result<(Checkpoint, ValueTable), StoreError> {
        let names = names(dir)?;
        let path = dir.join(MANIFEST);
        if !names.iter().any(|n| n == MANIFEST) {
            if names.iter().any(|n| Segment::is_name(n)) {
                let missing = io::Error::new(io::ErrorKind::NotFound, "the manifest is missing");
                return Err(StoreError::io(&path, missing));
            }
            return Ok((Checkpoint::create(dir, game)?, ValueTable::new()));
        }
        let lock = lock(dir)?;
        let io = |e| StoreError::io(&path, e);
        if fs::metadata(&path).map_err(io)?.len() > MANIFEST_BYTES {
            return Err(StoreError::refused(format!("{}: the file is no manifest of a checkpoint", path.display())));
        }
        let manifest = Manifest::parse(&fs::read(&path).map_err(io)?)
            .map_err(|why| StoreError::refused(format!("{}: {why}", path.display())))?;
        let same = manifest.rule == game.subject()
            || read_heap_game(&manifest.rule).is_ok_and(|stored| stored.rule() == game.rule());
        if !same {
            return Err(StoreError::refused(format!(
                "{} holds values of {}, not of {}",
                dir.display(),
                manifest.rule,
                game.name()
            )));
        }
        let mut table = ValueTable::new();
        for segment in &manifest.segments {
            segment.read(&dir.join(segment.file_name()), &manifest.rule, &mut table)?;
        }
        let kept: Vec<String> = manifest.segments.iter().map(Segment::file_name).collect();
        for name in names {
            if UNFINISHED.contains(&name.as_str()) || (Segment::is_name(&name) && !kept.contains(&name)) {
                let leftover = dir.join(name);
                fs::remove_file(&leftover).map_err(|e| StoreError::io(&leftover, e))?;
            }
        }
        Ok((Checkpoint { dir: dir.to_owned(), manifest, _lock: lock }, table))
    }

    /// Number of values that are safe: those of heaps `0 .. values`.
    pub fn values(&self) -> u64 {
        self.manifest.values()
    }

    /// Saves the values that are new since the last time. The table must start with the values saved before.
    ///
    /// # Complexity
    /// Each value is written O(log saves) times in all.
    ///
    /// # Errors
    /// What the system says; the last good checkpoint stays as it was.
    pub fn save(&mut self, table: &ValueTable) -> Result<(), StoreError> {
        let end = table.len() as u64;
        if end <= self.values() {
            return Ok(());
        }
        let mut kept = self.manifest.segments.len();
        let mut start = self.values();
        while let Some(s) = kept.checked_sub(1).map(|k| &self.manifest.segments[k])
            && s.heaps.end - s.heaps.start <= end - start
        {
            start = s.heaps.start;
            kept -= 1;
        }
        let mut written = None;
        let path = self.dir.join(UNFINISHED[1]);
        let place = |segment: &Segment| self.dir.join(segment.file_name());
        replace(&path, |file| {
            let segment = Segment::write(file, &self.manifest.rule, table, start..end)?;
            let to = place(&segment);
            written = Some(segment);
            Ok(to)
        })
        .map_err(|e| StoreError::io(&path, e))?;
        let Some(segment) = written else { return Ok(()) };
        sync_dir(&self.dir)?;
        let mut next = self.manifest.clone();
        let replaced = next.segments.split_off(kept);
        next.segments.push(segment.clone());
        if let Err(e) = self.write_manifest(&next) {
            let _ = fs::remove_file(place(&segment));
            return Err(e);
        }
        self.manifest = next;
        for old in replaced {
            // a file that stays is a leftover, which the next run removes
            let _ = fs::remove_file(self.dir.join(old.file_name()));
        }
        Ok(())
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), StoreError> {
        let path = self.dir.join(UNFINISHED[0]);
        replace(&path, |file| {
            file.write_all(manifest.print().as_bytes())?;
            Ok(self.dir.join(MANIFEST))
        })
        .map_err(|e| StoreError::io(&path, e))?;
        sync_dir(&self.dir)
    }
}

/// Writes a file beside its place, flushes it to the disk and renames it to where `write` says.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<PathBuf>) -> io::Result<()> {
    let done = (|| {
        let mut file = File::create(path)?;
        let place = write(&mut file)?;
        file.sync_all()?;
        drop(file);
        fs::rename(path, place)
    })();
    if done.is_err() {
        let _ = fs::remove_file(path);
    }
    done
}

/// Makes renames in a directory durable, where the system can.
pub(crate) fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    if cfg!(unix) {
        File::open(dir).and_then(|d| d.sync_all()).map_err(|e| StoreError::io(dir, e))?;
    }
    Ok(())
}

fn names(dir: &Path) -> Result<Vec<String>, StoreError> {
    let io = |e| StoreError::io(dir, e);
    fs::read_dir(dir).map_err(io)?.map(|e| Ok(e.map_err(io)?.file_name().to_string_lossy().into_owned())).collect()
}

fn lock(dir: &Path) -> Result<File, StoreError> {
    let path = dir.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|e| StoreError::io(&path, e))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(StoreError::io(&path, io::Error::new(io::ErrorKind::ResourceBusy, "another run uses this checkpoint")))
        }
        // a file system without locks
        Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(e)) => Err(StoreError::io(&path, e)),
    }
}

#[cfg(test)]
mod tests;
