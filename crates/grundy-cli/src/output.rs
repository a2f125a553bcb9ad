//! Where long answers go: standard output, or a file that appears when it is complete.

use std::{
    fs::{self, File},
    io::{self, StdoutLock, Write},
    path::{Path, PathBuf},
};

use crate::{failure::Failure, limits};

/// A writer that must be [closed](Output::close); dropped before, it leaves a file that stood there as it was.
pub enum Output {
    /// Standard output, as it comes.
    Stdout(StdoutLock<'static>),
    /// A device or a pipe, as it comes.
    Device(File),
    /// A file written beside its place and renamed at the end.
    File(Replacement),
}

/// A file in the making.
pub struct Replacement {
    file: File,
    path: PathBuf,
    place: PathBuf,
    is_placed: bool,
    /// A signal ends the writing.
    heeds_signals: bool,
}

impl Output {
    /// Standard output without a path.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn open(path: Option<&Path>) -> Result<Output, Failure> {
        let Some(path) = path else { return Ok(Output::Stdout(io::stdout().lock())) };
        let failed = |e| Failure::file(path, &e);
        // what a link points to is replaced, not the link
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&place) {
            Ok(data) if data.is_dir() => Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(data) if !data.is_file() => File::options().write(true).open(&place).map(Output::Device).map_err(failed),
            _ => {
                let name = place.file_name().ok_or_else(|| failed(io::ErrorKind::InvalidInput.into()))?;
                let beside = format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id());
                let beside = place.with_file_name(beside);
                let file = File::create(&beside).map_err(failed)?;
                Ok(Output::File(Replacement { file, path: beside, place, is_placed: false, heeds_signals: false }))
            }
        }
    }

    /// From now on a signal ends the writing with an error, so that the file in the making goes too. For what is written in one go
    /// and is worth nothing in part.
    pub fn heed_signals(&mut self) {
        // the handlers are there from now on
        let has_come = limits::interrupted();
        if let Output::File(replacement) = self {
            replacement.heeds_signals = !has_come;
        }
    }

    /// Flushes, and puts the file in its place.
    ///
    /// # Errors
    /// The system's; the file that stood there is untouched then.
    pub fn close(self) -> io::Result<()> {
        match self {
            Output::Stdout(mut out) => out.flush(),
            Output::Device(mut file) => file.flush(),
            Output::File(mut replacement) => replacement.put(),
        }
    }

    /// [`Output::close`] if the answer is whole. If a limit or a signal cut it short, a file that stood in its place is left as
    /// it is: what there is goes beside it, into `NAME.partial`, and standard error says so.
    ///
    /// # Errors
    /// The system's.
    pub fn end(mut self, is_whole: bool) -> io::Result<()> {
        let mut said = None;
        if !is_whole && let Output::File(replacement) = &mut self {
            let place = replacement.place.clone();
            let mut name = place.file_name().unwrap_or_default().to_owned();
            name.push(".partial");
            replacement.place.set_file_name(name);
            said = Some((place, replacement.place.clone()));
        }
        self.close()?;
        if let Some((place, partial)) = said {
            let (place, partial) = (place.display(), partial.display());
            let _ = writeln!(io::stderr(), "{place} is not written, what was computed is in {partial}");
        }
        Ok(())
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Output::Stdout(out) => out,
            Output::Device(file) => file,
            Output::File(replacement) => &mut replacement.file,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if matches!(self, Output::File(replacement) if replacement.heeds_signals) && limits::interrupted() {
            return Err(io::Error::other("interrupted"));
        }
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl Replacement {
    fn put(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        if let Ok(old) = fs::metadata(&self.place) {
            fs::set_permissions(&self.path, old.permissions())?;
        }
        fs::rename(&self.path, &self.place)?;
        self.is_placed = true;
        // the rename is durable once the directory is; what the system cannot do is not asked for
        let dir = self.place.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if cfg!(unix) {
            let _ = File::open(dir).and_then(|d| d.sync_all());
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.is_placed {
            let _ = fs::remove_file(&self.path);
        }
    }
}
