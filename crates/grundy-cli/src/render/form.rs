//! A function of the heap as people read it.

use grundy::discover::Form;
use grundy_core::{proof::Candidate, theory::Periodicity};

/// Longest formula, or list of values, that is printed whole.
const LONGEST: usize = 400;

/// Longest formula that is printed even if the period with its values is shorter.
const READABLE: usize = 160;

/// What is said of a form.
pub struct FormText {
    /// One line or two that say what G(n) is.
    pub lines: Vec<String>,
    /// What was left out, and how to get it.
    pub notes: Vec<String>,
}

/// The formula where it is of moderate length, or at least shorter than the rest; else the period with the values that it repeats,
/// or that there is an automaton, whose size is told in any case, and which command prints it.
pub fn form(form: &Form, game: &str, is_proved: bool) -> FormText {
    let formula = form.formula.as_ref().map(ToString::to_string);
    let mut notes = Vec::new();
    if let Candidate::Automaton { next, .. } = &form.candidate {
        notes.push(format!("automaton of {}, reads n and G(n) in binary from the lowest digits", states(next.len())));
    }
    let lines = match (formula, &form.candidate) {
        (Some(formula), _) if formula.len() <= READABLE => vec![equal(&formula)],
        (formula, Candidate::Periodic { preperiod, period, saltus, values }) => {
            let p = Periodicity { preperiod: *preperiod, period: *period, saltus: *saltus };
            let (list, is_whole) = list(values);
            if let Some(formula) = formula {
                if formula.len() <= LONGEST.min(list.len()) {
                    return FormText { lines: vec![equal(&formula)], notes };
                }
                notes.push(format!("as a formula it has {} characters: see --format json", formula.len()));
            }
            if !is_whole {
                let how = if is_proved {
                    format!("grundy discover '{game}' --certificate FILE")
                } else {
                    "grundy sequence".into()
                };
                notes.push(format!("{} values in all: see {how}", values.len()));
            }
            vec![equation(p), format!("G(0), ..., G({}) = {list}", values.len().saturating_sub(1))]
        }
        (Some(formula), _) => {
            if formula.len() > LONGEST {
                notes.push(format!("{} characters in all: see --format json", formula.len()));
            }
            vec![equal(&shortened(&formula))]
        }
        (None, _) => {
            if is_proved {
                notes.push(format!("as a program: grundy formula '{game}' --lang python, or c, rust, ..."));
                notes.push(format!("as a certificate: grundy discover '{game}' --certificate FILE"));
            }
            vec!["G(n) is given by an automaton".into()]
        }
    };
    FormText { lines, notes }
}

/// A formula with its left side; cases have equals signs of their own.
pub fn equal(formula: &str) -> String {
    let sign = if formula.contains(':') { ":" } else { " =" };
    format!("G(n){sign} {formula}")
}

/// A text that is too long without its end.
pub fn shortened(text: &str) -> String {
    if text.len() <= LONGEST { text.to_owned() } else { format!("{} ...", cut(text)) }
}

fn states(count: usize) -> String {
    if count == 1 { "1 state".into() } else { format!("{count} states") }
}

fn equation(p: Periodicity) -> String {
    let saltus = if p.saltus > 0 { format!(" + {}", p.saltus) } else { String::new() };
    format!("G(n + {}) = G(n){saltus} for n >= {}", p.period, p.preperiod)
}

/// As many values as fit, and whether these are all.
fn list(values: &[u64]) -> (String, bool) {
    let mut text = String::new();
    for (i, value) in values.iter().enumerate() {
        let more = if i == 0 { value.to_string() } else { format!(", {value}") };
        if text.len() + more.len() > LONGEST {
            return (text + ", ...", false);
        }
        text += &more;
    }
    (text, true)
}

/// The words that fit.
fn cut(text: &str) -> &str {
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= LONGEST).last().unwrap_or(0);
    let head = &text[..end];
    head.rsplit_once(' ').map_or(head, |(words, _)| words)
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::formula::Formula;

    use super::*;

    fn periodic(preperiod: u64, period: u64, saltus: u64, formula: Option<&str>) -> Form {
        let values = (0..preperiod + period).collect();
        let formula = formula.map(|f| Formula::parse(f, &["n"]).unwrap());
        Form { candidate: Candidate::Periodic { preperiod, period, saltus, values }, formula }
    }

    #[test]
    fn short_formulas_are_printed_and_long_ones_give_way_to_the_period() {
        let short = form(&periodic(0, 3, 0, Some("n mod 3")), "nim", true);
        assert_eq!((short.lines, short.notes.len()), (vec!["G(n) = n mod 3".to_owned()], 0));
        let cases = form(&periodic(0, 3, 0, Some("n = 1: 2; else 0")), "nim", true);
        assert_eq!(cases.lines, ["G(n): n = 1: 2; else 0"]);
        let none = form(&periodic(1, 3, 2, None), "nim", true);
        assert_eq!(none.lines, ["G(n + 3) = G(n) + 2 for n >= 1", "G(0), ..., G(3) = 0, 1, 2, 3"]);
        let sum = |count| vec!["n"; count].join(" + ");
        let shorter = form(&periodic(0, 100, 0, Some(&sum(50))), "nim", true);
        assert!(shorter.lines[0].starts_with("G(n) = n + n"), "{:?}", shorter.lines);
        let long = form(&periodic(0, 2, 0, Some(&sum(50))), "nim", true);
        assert_eq!(long.lines, ["G(n + 2) = G(n) for n >= 0", "G(0), ..., G(1) = 0, 1"]);
        assert_eq!(long.notes, ["as a formula it has 197 characters: see --format json"]);
    }

    #[test]
    fn what_is_cut_says_where_the_rest_is() {
        for (is_proved, how) in [(true, "grundy discover 'nim' --certificate FILE"), (false, "grundy sequence")] {
            let many = form(&periodic(0, 1000, 0, None), "nim", is_proved);
            assert!(many.lines[1].len() < 430 && many.lines[1].ends_with(", ..."), "{:?}", many.lines);
            assert_eq!(many.notes, [format!("1000 values in all: see {how}")]);
        }
        let candidate = Candidate::Automaton { next: vec![[0; 4]], accept: vec![true] };
        let long = Formula::parse(&vec!["n"; 200].join(" + "), &["n"]).unwrap();
        let cut = form(&Form { candidate: candidate.clone(), formula: Some(long) }, "nim", true);
        assert!(cut.lines[0].len() < 420 && cut.lines[0].ends_with(" ..."), "{:?}", cut.lines);
        assert!(cut.notes[0].starts_with("automaton of 1 state,") && cut.notes[1].contains("797 characters"));
        let without = Form { candidate, formula: None };
        let none = form(&without, "nim", false);
        assert_eq!(none.lines, ["G(n) is given by an automaton"]);
        assert_eq!(none.notes.len(), 1);
        let proved = form(&without, "nim", true);
        assert_eq!(proved.notes[1], "as a program: grundy formula 'nim' --lang python, or c, rust, ...");
    }
}
