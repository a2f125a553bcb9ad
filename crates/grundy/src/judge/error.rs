//! Why a judge's input was not answered to its end.

use std::{error::Error, fmt, io, ops::Range};

use grundy_core::notation::SyntaxError;

use super::scan::{ScanError, ScanErrorKind};
use crate::budget::StopReason;

/// What [`JudgeError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JudgeErrorKind {
    /// The problem's data cannot be read: a layout, a game, a formula.
    Definition,
    /// The input is not as its layout says, or a case is outside of the game or of the problem's limits.
    Input,
    /// A limit was reached.
    Stopped,
    /// The input could not be read on, or the tested program not be started.
    Read,
    /// The output could not be written.
    Write,
    /// What was asked for does not fit the problem.
    Refused,
}

/// Why a judge's input was not answered to its end; what was answered before has been written.
#[derive(Debug)]
pub struct JudgeError(Box<Report>);

#[derive(Debug)]
struct Report {
    kind: JudgeErrorKind,
    message: String,
    hint: Option<String>,
    place: Option<(String, Range<usize>)>,
    stop: Option<StopReason>,
    io: Option<io::Error>,
}

impl JudgeError {
    pub(super) fn new(kind: JudgeErrorKind, message: impl Into<String>) -> Self {
        JudgeError(Box::new(Report { kind, message: message.into(), hint: None, place: None, stop: None, io: None }))
    }

    /// A part of a problem's definition that cannot be read.
    pub(super) fn definition(text: &str, error: SyntaxError) -> Self {
        let mut new = JudgeError::new(JudgeErrorKind::Definition, error.message);
        new.0.hint = error.hint;
        new.0.place = Some((text.to_owned(), error.span));
        new
    }

    /// A definition that is wrong without a place.
    pub(super) fn wrong(message: impl Into<String>) -> Self {
        JudgeError::new(JudgeErrorKind::Definition, message)
    }

    pub(super) fn refused(message: impl Into<String>) -> Self {
        JudgeError::new(JudgeErrorKind::Refused, message)
    }

    /// A tested program that cannot be started.
    pub(super) fn not_startable(message: impl Into<String>) -> Self {
        JudgeError::new(JudgeErrorKind::Read, message)
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// A fault in the case that is called `case`.
    pub(super) fn of(fault: Fault, case: &str) -> Self {
        match fault {
            Fault::Case(message) => JudgeError::new(JudgeErrorKind::Input, format!("{case}: {message}")),
            Fault::Scan(e) if e.kind() == ScanErrorKind::Read => {
                JudgeError::new(JudgeErrorKind::Read, format!("{case}: {e}"))
            }
            Fault::Scan(e) => {
                let hint = match e.kind() {
                    ScanErrorKind::Ended => Some("the input is cut short, or its layout is another one".to_owned()),
                    ScanErrorKind::NotANumber => Some("is this the input of another problem or layout?".to_owned()),
                    _ => None,
                };
                let mut new = JudgeError::new(JudgeErrorKind::Input, format!("{case}: {e}"));
                new.0.hint = hint;
                new
            }
            Fault::Stop(stop) => {
                let mut new = JudgeError::new(JudgeErrorKind::Stopped, format!("{case}: {stop}"));
                new.0.stop = Some(stop);
                new
            }
            Fault::Write(e) => {
                let mut new = JudgeError::new(JudgeErrorKind::Write, "cannot write the answers");
                new.0.io = Some(e);
                new
            }
        }
    }

    /// What went wrong.
    pub fn kind(&self) -> JudgeErrorKind {
        self.0.kind
    }

    /// What to do.
    pub fn remedy(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The text of a definition and the bytes of it that are wrong.
    pub fn place(&self) -> Option<(&str, Range<usize>)> {
        self.0.place.as_ref().map(|(text, span)| (text.as_str(), span.clone()))
    }

    /// The limit that was reached.
    pub fn stop(&self) -> Option<&StopReason> {
        self.0.stop.as_ref()
    }

    /// The error of the writer, taken out.
    pub fn into_io(self) -> Option<io::Error> {
        self.0.io
    }
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl Error for JudgeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.io.as_ref().map(|e| e as _)
    }
}

/// What goes wrong inside a case.
#[derive(Debug)]
pub(super) enum Fault {
    /// The case is outside of the game or of the limits.
    Case(String),
    Scan(ScanError),
    Stop(StopReason),
    Write(io::Error),
}

impl From<ScanError> for Fault {
    fn from(e: ScanError) -> Self {
        Fault::Scan(e)
    }
}

impl From<io::Error> for Fault {
    fn from(e: io::Error) -> Self {
        Fault::Write(e)
    }
}
