//! Errors as the user sees them: a caret, a remedy, an exit code.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use crate::limits;
use grundy::{session::Refusal, store::StoreError};
use grundy_core::notation::SyntaxError;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report, Severity};
use serde_json::json;

/// Exit codes; a contract.
pub mod code {
    /// The claim asked for does not hold.
    pub const DOES_NOT_HOLD: u8 = 1;
    /// Wrong usage, syntax or input; a request outside the theory.
    pub const USAGE: u8 = 2;
    /// Stopped by a limit, or undecided within it.
    pub const STOPPED: u8 = 3;
    /// A file is missing or cannot be written.
    pub const FILE: u8 = 4;
    /// Interrupted by Ctrl-C.
    pub const INTERRUPTED: u8 = 130;
    /// Ended by SIGTERM.
    pub const TERMINATED: u8 = 143;
}

/// Why a command failed.
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub code: u8,
    /// A word for scripts.
    pub kind: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The text and the bytes of it that are wrong.
    pub place: Option<Box<Place>>,
    /// Report as JSON on stdout.
    pub json: bool,
}

/// Where it is wrong.
#[derive(Debug)]
pub struct Place {
    pub text: String,
    /// Bytes of the text.
    pub span: std::ops::Range<usize>,
    /// The file whose whole text that is; else it was typed.
    pub source: Option<String>,
}

impl Failure {
    /// Wrong usage, without a place.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure { code: code::USAGE, kind: "usage", message: message.into(), hint: None, place: None, json: false }
    }

    /// What clap says of the arguments: help and version too, which are no failure if they can be written.
    pub fn of_usage(error: &clap::Error, json: bool) -> ExitCode {
        if json && error.use_stderr() {
            return Failure::of_text(&error.render().to_string()).in_json(true).report();
        }
        match error.print() {
            Err(e) if error.use_stderr() => drop(e),
            Err(e) => return Failure::from(e).report(),
            Ok(()) => {}
        }
        match io::stdout().flush() {
            Err(e) if !error.use_stderr() => Failure::from(e).report(),
            _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(code::USAGE)),
        }
    }

    /// Clap's text, taken to pieces: the message, then a tip if there is one, and the usage.
    fn of_text(text: &str) -> Self {
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut parts = text.split("\n\n").map(line).filter(|part| !part.starts_with("For more information"));
        let message = parts.next().unwrap_or_default();
        let hint = parts.next();
        let failure = Failure::usage(message.strip_prefix("error: ").unwrap_or(&message));
        match hint {
            Some(hint) => failure.hint(hint.strip_prefix("tip: ").unwrap_or(&hint)),
            None => failure,
        }
    }

    /// A stream that cannot be read or written.
    pub fn stream(name: &str, error: &io::Error) -> Self {
        Failure { code: code::FILE, kind: "io", ..Failure::usage(format!("{name}: {error}")) }
    }

    /// A file that cannot be read or written.
    pub fn file(path: &std::path::Path, error: &io::Error) -> Self {
        let is_cut_short = error.kind() == io::ErrorKind::Other && limits::interrupted();
        Failure {
            code: if is_cut_short { limits::interrupted_code() } else { code::FILE },
            kind: "file",
            message: format!("{}: {error}", path.display()),
            hint: None,
            place: None,
            json: false,
        }
    }

    /// Text that is not in the notation.
    pub fn syntax(text: &str, error: SyntaxError) -> Self {
        Failure {
            code: code::USAGE,
            kind: "syntax",
            message: error.message,
            hint: error.hint,
            place: Some(Box::new(Place { text: text.to_owned(), span: error.span, source: None })),
            json: false,
        }
    }

    /// With a remedy.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Reported as JSON if `json`.
    pub fn in_json(mut self, json: bool) -> Self {
        self.json = json;
        self
    }

    /// The JSON form.
    pub fn to_json(&self) -> serde_json::Value {
        let span = self.place.as_ref().map(|p| json!([p.span.start, p.span.end]));
        json!({"error": {"code": self.kind, "message": self.message, "span": span, "hint": self.hint}})
    }

    /// Prints the failure and gives the exit code.
    pub fn report(self) -> ExitCode {
        if self.code == 0 {
            return ExitCode::SUCCESS;
        }
        if self.json {
            let _ = writeln!(io::stdout(), "{}", self.to_json());
            return ExitCode::from(self.code);
        }
        let mut diagnostic = MietteDiagnostic::new(self.message).with_severity(Severity::Error);
        if let Some(hint) = self.hint {
            diagnostic = diagnostic.with_help(hint);
        }
        let report = match self.place {
            Some(place) => {
                let Place { text, span, source } = *place;
                let (text, span) = if source.is_none() { window(&text, span) } else { (text, span) };
                let label =
                    LabeledSpan::new_primary_with_span(Some("here".into()), (span.start, span.end - span.start));
                Report::new(diagnostic.with_label(label))
                    .with_source_code(NamedSource::new(source.as_deref().unwrap_or("input"), text))
            }
            None => Report::new(diagnostic),
        };
        let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let mut text = String::new();
        let handler = GraphicalReportHandler::new_themed(theme).without_cause_chain().with_width(100);
        if handler.render_report(&mut text, report.as_ref()).is_err() {
            text = format!("{report}\n");
        }
        let _ = io::stderr().write_all(text.as_bytes());
        ExitCode::from(self.code)
    }
}

/// The surroundings of the span, so that a megabyte of heaps is not printed for one wrong digit.
fn window(text: &str, span: std::ops::Range<usize>) -> (String, std::ops::Range<usize>) {
    const AROUND: usize = 60;
    let start = text.floor_char_boundary(span.start.min(text.len()));
    let end = text.ceil_char_boundary(span.end.clamp(start, text.len()));
    let from = text.floor_char_boundary(start.saturating_sub(AROUND));
    let to = text.ceil_char_boundary((end.min(start + AROUND) + AROUND).min(text.len()));
    if from == 0 && to >= text.len() {
        return (text.to_owned(), start..end);
    }
    let head = if from > 0 { "… " } else { "" };
    let tail = if to < text.len() { " …" } else { "" };
    let shown = format!("{head}{}{tail}", &text[from..to]);
    let at = head.len() + start - from;
    (shown, at..at + (end - start).min(to - start))
}

/// What writing to standard output failed with; files say their names by [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let failure = Failure::stream("standard output", &error);
        match error.kind() {
            // a reader that went away is no failure
            io::ErrorKind::BrokenPipe => Failure { code: 0, ..failure },
            io::ErrorKind::Other if limits::interrupted() => {
                Failure { code: limits::interrupted_code(), message: error.to_string(), ..failure }
            }
            _ => failure,
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused { message, hint } => Failure { kind: "refused", ..Failure::usage(message).hint(hint) },
            StoreError::Io { path, error } => Failure::file(&path, &error),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure {
            code: code::USAGE,
            kind: "refused",
            message: refusal.message,
            hint: refusal.hint,
            place: None,
            json: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_errors_are_taken_to_pieces() {
        let text = "error: unexpected argument '--tow' found\n\n  tip: a similar argument exists: '--to'\n\nUsage: grundy\n\nFor \
                    more information, try '--help'.\n";
        let failure = Failure::of_text(text);
        assert_eq!(failure.message, "unexpected argument '--tow' found");
        assert_eq!(failure.hint.as_deref(), Some("a similar argument exists: '--to'"));
        let text = "error: the following required arguments were not provided:\n  <RULE>\n\nUsage: grundy sequence <RULE>\n\nFor \
                    more information, try '--help'.\n";
        let failure = Failure::of_text(text);
        assert_eq!(failure.message, "the following required arguments were not provided: <RULE>");
        assert_eq!(failure.hint.as_deref(), Some("Usage: grundy sequence <RULE>"));
        assert_eq!(Failure::of_text("error: no\n").hint, None);
    }
}
