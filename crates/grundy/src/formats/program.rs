//! Grundy functions as programs: a formula, a table with a period or an automaton in a language of choice.
//!
//! What is printed stands by itself: a comment that says what it is and how sure, the helpers that it needs and no others, and a
//! function `grundy(n)`.

mod automaton;
mod code;
mod latex;
mod range;
mod shapes;

use grundy_core::{
    notation::formula::Formula,
    theory::{Convention, Periodicity},
};

use crate::answer::Status;

pub use automaton::Automaton;

/// What programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// C99; `__int128`, a GCC and Clang extension, where 64 bits do not hold what is between.
    C,
    /// C++11, and `__int128` as for C.
    Cpp,
    /// Rust, with `i128`.
    Rust,
    /// Python 3.8.
    Python,
    /// JavaScript with `BigInt`.
    JavaScript,
    /// A display for LaTeX with amsmath: no program, but a definition.
    Latex,
}

/// What a program computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramForm {
    /// A formula in its first variable, which is called n.
    Formula(Formula),
    /// Values of heaps `0 .. preperiod + period`, and the period that gives all others.
    Table {
        /// The period.
        period: Periodicity,
        /// At least preperiod + period values.
        values: Vec<u64>,
    },
    /// A finite automaton that reads n and its value.
    Automaton(Automaton),
}

/// What the comment on top says.
#[derive(Clone, Debug)]
pub struct ProgramHead {
    /// The game.
    pub game: String,
    /// The convention under which the values were found.
    pub convention: Convention,
    /// How sure the form is.
    pub status: Status,
    /// By what it was found or proved.
    pub method: String,
    /// The last heap at which it was compared with the values, where it is not proved.
    pub known_to: Option<u64>,
}

/// The program that computes `form` in a language.
///
/// Values are those of [`Formula::eval`]: `mod` and `div` round down, whatever the sign. The comment says for which n no number
/// leaves its type, n < 2^62 unless the form outgrows 128 bits below that; Python has integers of any length. Where a formula has no value (`xor` of a negative number), neither has the program.
///
/// # Complexity
/// Time O(length of the program). The program takes constant time for a formula or a table, and one step a binary digit and
/// state for an automaton.
///
/// # Examples
/// ```
/// use grundy::{answer::Status, formats::program::{Language, ProgramForm, ProgramHead, program}};
/// use grundy_core::{notation::formula::Formula, theory::Convention};
/// let head = ProgramHead {
///     game: "[take 1..3]".into(),
///     convention: Convention::Normal,
///     status: Status::Proved,
///     method: "a theorem".into(),
///     known_to: None,
/// };
/// let form = ProgramForm::Formula(Formula::parse("n mod 4", &["n"])?);
/// let text = program(&form, Language::Python, &head);
/// assert!(text.ends_with("def grundy(n):\n    return n % 4\n"));
/// # Ok::<(), grundy_core::notation::SyntaxError>(())
/// ```
pub fn program(form: &ProgramForm, language: Language, head: &ProgramHead) -> String {
    let (range, body) = match (language, form) {
        (Language::Latex, _) => (None, latex::display(form)),
        (_, ProgramForm::Formula(formula)) => code::of_formula(formula, language),
        (_, ProgramForm::Table { period, values }) => shapes::of_table(*period, values, language),
        (_, ProgramForm::Automaton(automaton)) => shapes::of_automaton(automaton, language),
    };
    format!("{}\n{body}", comment(form, language, head, range))
}

/// The words of the comment, each line behind the sign for comments.
fn comment(form: &ProgramForm, language: Language, head: &ProgramHead, bits: Option<u32>) -> String {
    let convention = match head.convention {
        Convention::Normal => "normal play",
        Convention::Misere => "misère play",
    };
    let what = match form {
        ProgramForm::Formula(f) => format!("grundy(n) = {f}"),
        ProgramForm::Table { period, .. } => format!("a table: {period}"),
        ProgramForm::Automaton(a) => format!(
            "an automaton of {} states reads n and its value in binary, the lowest digits first",
            a.transitions().len()
        ),
    };
    let seen = match head.known_to {
        Some(to) if head.status != Status::Proved => format!(", compared with the values up to n = {to}"),
        _ => String::new(),
    };
    let mut lines = vec![
        format!("Grundy values of {}, {convention}.", head.game),
        what,
        format!("Status: {}{seen}.", head.status.word()),
    ];
    if !head.method.is_empty() {
        lines.push(format!("  {}", head.method));
    }
    lines.extend(bits.map(|bits| format!("For 0 <= n < 2^{bits}.")));
    match language {
        Language::Python => lines.push("For all n >= 0.".into()),
        Language::JavaScript => lines.push("Takes a number or a BigInt, gives a BigInt.".into()),
        _ => {}
    }
    let sign = match language {
        Language::Python => "#",
        Language::Latex => "%",
        _ => "//",
    };
    let mut text = String::new();
    for line in lines {
        // names are free text: they must not leave the comment
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        for part in wrapped(&line, 110) {
            // a backslash at the end would draw the next line into a comment of C
            let end = if part.ends_with('\\') { "." } else { "" };
            text.push_str(&format!("{sign} {part}{end}\n"));
        }
    }
    text
}

/// The text in lines of at most `width` characters where it has blanks, the later ones indented.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let indent = text.len() - text.trim_start().len();
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("{:1$}{word}", "", indent + 4)),
            None => lines.push(format!("{:indent$}{word}", "")),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
