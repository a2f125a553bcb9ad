//! The error of everything that reads the notation.

use core::fmt;
use core::ops::Range;

/// Why a text could not be read, where, and what to write instead.
///
/// `Display` prints the message alone; a face draws the caret from `span` and prints `hint` as help.
///
/// # Examples
/// ```
/// use grundy_core::notation::SyntaxError;
/// let error = SyntaxError::new("unknown game \"kayels\"", 0..6).with_suggestion("kayles");
/// assert_eq!(error.to_string(), "unknown game \"kayels\"");
/// assert_eq!(error.hint.as_deref(), Some("did you mean \"kayles\"?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// What is wrong: a sentence in lower case without a full stop, complete without the hint.
    pub message: String,
    /// Byte offsets into the text that was read, on character boundaries; empty where something is missing.
    pub span: Range<usize>,
    /// The remedy: what to write instead, for people.
    pub hint: Option<String>,
}

impl SyntaxError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        SyntaxError { message: message.into(), span, hint: None }
    }

    /// The same error with a remedy in words.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same error with a text to write in place of its span: the hint becomes `did you mean "…"?`.
    #[must_use]
    pub fn with_suggestion(self, replacement: impl core::fmt::Display) -> Self {
        self.with_hint(format!("did you mean \"{replacement}\"?"))
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for SyntaxError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_an_error_that_prints_its_message() {
        let error: Box<dyn core::error::Error> = Box::new(SyntaxError::new("unknown name \"x\"", 3..4).with_hint("n"));
        assert_eq!(error.to_string(), "unknown name \"x\"");
    }
}
