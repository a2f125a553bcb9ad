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
    /// The input could not be read on.
    Read,
    /// The output could not be written.
    Write,
    /// What was asked for does not fit the problem.
    Refused,
}

/// Why a judge's input was not answered to its end; what was answered before has been written.
#[derive(Debug)]
pub struct JudgeError {
    kind: JudgeErrorKind,
    message: String,
    hint: Option<String>,
    place: Option<(String, Range<usize>)>,
    stop: Option<StopReason>,
    io: Option<io::Error>,
}

impl JudgeError {
    fn new(kind: JudgeErrorKind, message: impl Into<String>) -> Self {
        JudgeError { kind, message: message.into(), hint: None, place: None, stop: None, io: None }
    }

    /// A part of a problem's definition that cannot be read.
    pub(super) fn definition(text: &str, error: SyntaxError) -> Self {
        JudgeError {
            hint: error.hint,
            place: Some((text.to_owned(), error.span)),
            ..JudgeError::new(JudgeErrorKind::Definition, error.message)
        }
    }

    /// A definition that is wrong without a place.
    pub(super) fn wrong(message: impl Into<String>) -> Self {
        JudgeError::new(JudgeErrorKind::Definition, message)
    }

    pub(super) fn refused(message: impl Into<String>) -> Self {
        JudgeError::new(JudgeErrorKind::Refused, message)
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
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
                JudgeError { hint, ..JudgeError::new(JudgeErrorKind::Input, format!("{case}: {e}")) }
            }
            Fault::Stop(stop) => {
                let message = format!("{case}: {stop}");
                JudgeError { stop: Some(stop), ..JudgeError::new(JudgeErrorKind::Stopped, message) }
            }
            Fault::Write(e) => {
                JudgeError { io: Some(e), ..JudgeError::new(JudgeErrorKind::Write, "cannot write the answers") }
            }
        }
    }

    /// What went wrong.
    pub fn kind(&self) -> JudgeErrorKind {
        self.kind
    }

    /// What to do.
    pub fn remedy(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The text of a definition and the bytes of it that are wrong.
    pub fn place(&self) -> Option<(&str, Range<usize>)> {
        self.place.as_ref().map(|(text, span)| (text.as_str(), span.clone()))
    }

    /// The limit that was reached.
    pub fn stop(&self) -> Option<&StopReason> {
        self.stop.as_ref()
    }

    /// The error of the writer, taken out.
    pub fn into_io(self) -> Option<io::Error> {
        self.io
    }
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for JudgeError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.io.as_ref().map(|e| e as _)
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
