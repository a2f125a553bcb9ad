//! The bytes of a file, mapped into memory where that is possible.

use std::{
    fs::{self, File},
    io,
    ops::Deref,
    path::Path,
};

use memmap2::Mmap;

/// Smaller files are read: mapping them costs more.
const LEAST: u64 = 1 << 20;

/// The bytes of a file.
#[derive(Debug)]
pub enum Source {
    /// In the page cache, where they are.
    Mapped(Mmap),
    /// A copy.
    Read(Vec<u8>),
}

impl Source {
    /// Opens a file. A large regular file is mapped, so that its bytes are not copied and not counted twice; it must not be
    /// changed while it is read; if it is cut off then, the system ends the program.
    ///
    /// # Errors
    /// The system's.
    pub fn open(path: &Path) -> io::Result<Source> {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if !data.is_file() || data.len() < LEAST {
            return fs::read(path).map(Source::Read);
        }
        // SAFETY: the map is read only and private to this value. As with every map of a file, other programs must not write to the
        // file meanwhile: the readers check all bounds and would at worst read other numbers, but text that was found to be UTF-8 and
        // then changed is outside of what the language allows.
        match unsafe { Mmap::map(&file) } {
            Ok(map) => Ok(Source::Mapped(map)),
            Err(_) => fs::read(path).map(Source::Read),
        }
    }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Source::Mapped(map) => map,
            Source::Read(bytes) => bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_files_are_read_and_large_ones_mapped() {
        let path = std::env::temp_dir().join(format!("grundy-source-{}", std::process::id()));
        for (length, is_mapped) in [(0, false), (1000, false), (LEAST as usize + 1, true)] {
            let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            fs::write(&path, &bytes).unwrap();
            let source = Source::open(&path).unwrap();
            assert_eq!(&*source, &bytes[..]);
            assert_eq!(matches!(source, Source::Mapped(_)), is_mapped);
        }
        fs::remove_file(&path).unwrap();
        assert!(Source::open(&path).is_err());
    }
}
