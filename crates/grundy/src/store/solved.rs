//! Solved components in a file, for the searches of later runs.
//!
//! The file is a database that is changed by whole transactions, so that `kill -9` leaves it as it was after the last one. Each row has
//! a check of its own beside the key: eight bytes for the game, then the words of the component.

use std::{
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition};

use super::StoreError;
use crate::oracle::Keeper;

/// What is known of a component, and a check of it and its key.
const COMPONENTS: TableDefinition<&[u8], (u64, u64)> = TableDefinition::new("components");
/// What the file is.
const ABOUT: TableDefinition<&str, &str> = TableDefinition::new("about");
const FORMAT: &str = "grundy solved components 1";

/// Rows written in one transaction.
const ROWS: usize = 1 << 20;

/// A file of solved components; one process has it at a time.
#[derive(Debug)]
pub struct SolvedFile {
    path: PathBuf,
    database: Database,
    failure: Failed,
}

/// What went wrong while components were read or written, which a search does not stop for.
#[derive(Clone, Debug, Default)]
pub struct Failed(Arc<Mutex<Option<StoreError>>>);

impl Failed {
    /// The first failure.
    pub fn take(&self) -> Option<StoreError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, error: StoreError) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

impl SolvedFile {
    /// Opens a file, or makes a new one.
    ///
    /// # Errors
    /// A refusal if the file is something else, damaged or in use; what the system says if it cannot be read or written.
    pub fn open(path: &Path) -> Result<SolvedFile, StoreError> {
        guarded(path, || SolvedFile::opened(path))
    }

    fn opened(path: &Path) -> Result<SolvedFile, StoreError> {
        let database = Database::create(path).map_err(|e| match e {
            DatabaseError::DatabaseAlreadyOpen => {
                refused(path, "another program has it open", "wait, or name another file")
            }
            DatabaseError::Storage(e) => failed(path, &e),
            e => refused(path, &format!("this is no file of solved components ({e})"), "name another file"),
        })?;
        let file = SolvedFile { path: path.to_owned(), database, failure: Failed::default() };
        file.begin()?;
        Ok(file)
    }

    /// Where failures of later reading and writing are told.
    pub fn failure(&self) -> Failed {
        self.failure.clone()
    }

    /// Makes the tables, or sees whether they are ours.
    fn begin(&self) -> Result<(), StoreError> {
        let write = || -> Result<bool, redb::Error> {
            let change = self.database.begin_write()?;
            let is_ours = {
                let is_new = change.list_tables()?.next().is_none();
                let mut about = change.open_table(ABOUT)?;
                if is_new {
                    about.insert("format", FORMAT)?;
                }
                about.get("format")?.is_some_and(|format| format.value() == FORMAT)
            };
            if is_ours {
                change.open_table(COMPONENTS)?;
                change.commit()?;
            } else {
                change.abort()?;
            }
            Ok(is_ours)
        };
        match write() {
            Ok(true) => Ok(()),
            Ok(false) => Err(refused(&self.path, "the file is of another kind or version", "name another file")),
            Err(e) => Err(self.fault(&e)),
        }
    }

    fn fault(&self, error: &redb::Error) -> StoreError {
        match error {
            redb::Error::Io(e) => StoreError::io(&self.path, std::io::Error::new(e.kind(), e.to_string())),
            e => refused(&self.path, &e.to_string(), "name another file"),
        }
    }

    fn read(&self, game: &str, each: &mut dyn FnMut(&[u64], u64)) -> Result<(), StoreError> {
        let start = game_key(game);
        let mut read = || -> Result<bool, redb::Error> {
            let table = self.database.begin_read()?.open_table(COMPONENTS)?;
            let mut words = Vec::new();
            for row in table.range(&start[..]..)? {
                let (key, row) = row?;
                let (key, (known, check)) = (key.value(), row.value());
                let Some(cells) = key.strip_prefix(&start[..]) else { break };
                if check != check_of(key, known) || cells.len() % 8 != 0 {
                    return Ok(false);
                }
                words.clear();
                words.extend(cells.chunks_exact(8).map(|w| u64::from_le_bytes(w.try_into().unwrap_or_default())));
                each(&words, known);
            }
            Ok(true)
        };
        match read() {
            Ok(true) => Ok(()),
            Ok(false) => Err(refused(&self.path, "a row is damaged", "delete the file, and it is made anew")),
            Err(e) => Err(self.fault(&e)),
        }
    }

    fn write(&self, game: &str, entries: &mut dyn Iterator<Item = (Vec<u64>, u64)>) -> Result<(), redb::Error> {
        let start = game_key(game);
        let mut entries = entries.peekable();
        while entries.peek().is_some() {
            let change = self.database.begin_write()?;
            {
                let mut table = change.open_table(COMPONENTS)?;
                let mut key = Vec::new();
                for (words, known) in entries.by_ref().take(ROWS) {
                    key.clear();
                    key.extend_from_slice(&start);
                    words.iter().for_each(|word| key.extend_from_slice(&word.to_le_bytes()));
                    table.insert(&key[..], (known, check_of(&key, known)))?;
                }
            }
            change.commit()?;
        }
        Ok(())
    }
}

impl Keeper for SolvedFile {
    fn load(&mut self, game: &str, each: &mut dyn FnMut(&[u64], u64)) {
        if let Err(error) = guarded(&self.path, || self.read(game, each)) {
            self.failure.set(error);
        }
    }

    fn save(&mut self, game: &str, entries: &mut dyn Iterator<Item = (Vec<u64>, u64)>) {
        if let Err(error) = guarded(&self.path, || self.write(game, entries).map_err(|e| self.fault(&e))) {
            self.failure.set(error);
        }
    }
}

/// The work, or the refusal of a file whose pages are so damaged that the library that reads them panics.
fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    panic::set_hook(hook);
    done.unwrap_or_else(|_| Err(refused(path, "a page is damaged", "delete the file, and it is made anew")))
}

fn refused(path: &Path, why: &str, hint: &str) -> StoreError {
    StoreError::Refused { message: format!("{}: {why}", path.display()), hint: hint.into() }
}

fn failed(path: &Path, error: &redb::StorageError) -> StoreError {
    match error {
        redb::StorageError::Io(e) if e.kind() == std::io::ErrorKind::InvalidData => {
            refused(path, "this is no file of solved components", "name another file")
        }
        redb::StorageError::Io(e) => StoreError::io(path, std::io::Error::new(e.kind(), e.to_string())),
        e => refused(path, &format!("this is no file of solved components ({e})"), "name another file"),
    }
}

/// FNV-1a with a last stir.
fn digest(bytes: impl Iterator<Item = u8>) -> u64 {
    let sum = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    sum ^ sum >> 29
}

fn game_key(game: &str) -> [u8; 8] {
    digest(game.bytes()).to_le_bytes()
}

fn check_of(key: &[u8], known: u64) -> u64 {
    digest(key.iter().copied().chain(known.to_le_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_loaded_and_other_files_are_refused() {
        let folder = std::env::temp_dir().join(format!("grundy-solved-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("table");
        let mut file = SolvedFile::open(&path).unwrap();
        file.save("a", &mut [(vec![1, 2], 3), (vec![4, 5], 6)].into_iter());
        file.save("b", &mut [(vec![7], 8)].into_iter());
        file.save("a", &mut [(vec![4, 5], 9)].into_iter());
        assert!(SolvedFile::open(&path).unwrap_err().to_string().contains("another program"));
        drop(file);
        let mut file = SolvedFile::open(&path).unwrap();
        let mut loaded = |game: &str| {
            let mut all = Vec::new();
            file.load(game, &mut |words, known| all.push((words.to_vec(), known)));
            all.sort();
            all
        };
        assert_eq!(loaded("a"), [(vec![1, 2], 3), (vec![4, 5], 9)]);
        assert_eq!((loaded("b"), loaded("c")), (vec![(vec![7], 8)], vec![]));
        assert!(file.failure().take().is_none());
        drop(file);

        let foreign = folder.join("foreign");
        std::fs::write(&foreign, "nothing of ours").unwrap();
        assert!(matches!(SolvedFile::open(&foreign), Err(StoreError::Refused { .. })));
        let full = std::fs::read(&path).unwrap();
        std::fs::write(&path, &full[..full.len() / 2]).unwrap();
        assert!(SolvedFile::open(&path).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
