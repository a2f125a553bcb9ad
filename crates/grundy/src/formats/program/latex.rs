//! Forms as displays for LaTeX with amsmath.

use grundy_core::notation::formula::{Comparison, Condition, Formula, Operation, Term};

use super::{Automaton, ProgramForm};

/// How tightly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    BitOr,
    Xor,
    BitAnd,
    Sum,
    Mod,
    Product,
    Primary,
}

/// The display, from `\[` to `\]`.
pub(super) fn display(form: &ProgramForm) -> String {
    match form {
        ProgramForm::Formula(formula) => of_formula(formula),
        ProgramForm::Table { period, values } => {
            let count = period.preperiod.saturating_add(period.period);
            let count = usize::try_from(count).unwrap_or(usize::MAX).min(values.len());
            let (mut heads, mut rows) = (Vec::new(), Vec::new());
            for (i, chunk) in values[..count].chunks(12).enumerate() {
                heads.push(format!("{}", 12 * i));
                rows.push(chunk.iter().map(u64::to_string).collect::<Vec<_>>().join(" & "));
            }
            let body: Vec<String> = heads.iter().zip(rows).map(|(h, r)| format!("    {h} & {r}")).collect();
            let saltus = if period.saltus > 0 { format!(" + {}", period.saltus) } else { String::new() };
            format!(
                "\\[\n  g(n + {}) = g(n){saltus} \\quad \\text{{for }} n \\ge {}\n\\]\n\
                 % a line holds n and g(n), g(n + 1), \\dots\n\\[\n  \\begin{{array}}{{r|*{{12}}{{r}}}}\n{}\n  \\end{{array}}\n\\]\n",
                period.period,
                period.preperiod,
                body.join(" \\\\\n")
            )
        }
        ProgramForm::Automaton(automaton) => of_automaton(automaton),
    }
}

fn of_automaton(automaton: &Automaton) -> String {
    let mut rows = Vec::new();
    for (q, row) in automaton.transitions().iter().enumerate() {
        let sign = if automaton.accepting()[q] { "^*" } else { "" };
        let row = row.map(|t| t.map_or("-".to_owned(), |t| t.to_string()));
        rows.push(format!("    {q}{sign} & {}", row.join(" & ")));
    }
    format!(
        "% Digits of (n, g(n)) in binary, the lowest first; from 0 to a place with a star.\n\\[\n  \\begin{{array}}{{r|rrrr}}\n    \
         & (0,0) & (1,0) & (0,1) & (1,1) \\\\ \\hline\n{}\n  \\end{{array}}\n\\]\n",
        rows.join(" \\\\\n")
    )
}

fn of_formula(formula: &Formula) -> String {
    let otherwise = term(formula.otherwise()).0;
    if formula.cases().is_empty() {
        return format!("\\[\n  g(n) = {otherwise}\n\\]\n");
    }
    let mut text = "\\[\n  g(n) = \\begin{cases}\n".to_owned();
    for case in formula.cases() {
        text.push_str(&format!("    {} & \\text{{if }} {}, \\\\\n", term(&case.value).0, condition(&case.condition).0));
    }
    text.push_str(&format!("    {otherwise} & \\text{{otherwise}}\n  \\end{{cases}}\n\\]\n"));
    text
}

fn within(t: &Term, floor: Class) -> String {
    closed(term(t), floor)
}

fn closed((text, class): (String, Class), floor: Class) -> String {
    if class < floor { format!("({text})") } else { text }
}

fn call(name: &str, terms: &[Term]) -> (String, Class) {
    let all: Vec<String> = terms.iter().map(|t| term(t).0).collect();
    (format!("{name}({})", all.join(", ")), Class::Primary)
}

fn term(t: &Term) -> (String, Class) {
    match t {
        Term::Integer(v) => (v.to_string(), if *v < 0 { Class::Sum } else { Class::Primary }),
        Term::Variable(_) => ("n".into(), Class::Primary),
        Term::LowBit(t) => call("\\operatorname{lowbit}", std::slice::from_ref(&**t)),
        Term::BitLength(t) => call("\\operatorname{bitlength}", std::slice::from_ref(&**t)),
        Term::Min(ts) => call("\\min", ts.terms()),
        Term::Max(ts) => call("\\max", ts.terms()),
        Term::Chain(chain) => chain.operations().iter().fold(term(chain.first()), after),
    }
}

fn after(left: (String, Class), operation: &Operation) -> (String, Class) {
    use Class::*;
    let floor = |left: (String, Class), by: String| {
        (format!("\\left\\lfloor \\frac{{{}}}{{{by}}} \\right\\rfloor", left.0), Primary)
    };
    match operation {
        Operation::Times(t) => (format!("{} \\cdot {}", closed(left, Product), within(t, Primary)), Product),
        Operation::Mod(m) => (format!("{} \\bmod {}", closed(left, Product), m.get()), Mod),
        Operation::Div(m) => floor(left, m.get().to_string()),
        // a remainder in a sum stands in parentheses
        Operation::Plus(t) => (format!("{} + {}", summand(left), summand(term(t))), Sum),
        Operation::Minus(t) => {
            let right = closed(term(t), Product);
            (format!("{} - {right}", summand(left)), Sum)
        }
        Operation::ShiftLeft(s) => (format!("{} \\cdot 2^{{{}}}", closed(left, Product), s.get()), Product),
        Operation::ShiftRight(s) => floor(left, format!("2^{{{}}}", s.get())),
        Operation::BitAnd(t) => (format!("{} \\mathbin{{\\&}} {}", loose(left, BitAnd), bits(t)), BitAnd),
        Operation::Xor(t) => (format!("{} \\oplus {}", loose(left, Xor), bits(t)), Xor),
        Operation::BitOr(t) => (format!("{} \\mathbin{{|}} {}", loose(left, BitOr), bits(t)), BitOr),
    }
}

fn summand((text, class): (String, Class)) -> String {
    if class == Class::Mod { format!("({text})") } else { closed((text, class), Class::Sum) }
}

/// Operands of operations on digits: readers do not know how tightly these bind.
fn bits(t: &Term) -> String {
    within(t, Class::Product)
}

fn loose((text, class): (String, Class), own: Class) -> String {
    if class == own { text } else { closed((text, class), Class::Product) }
}

/// The condition, and whether it is one comparison.
fn condition(c: &Condition) -> (String, bool) {
    match c {
        Condition::Compare(a, comparison, b) => {
            let sign = match comparison {
                Comparison::NotEqual => "\\ne",
                Comparison::LessOrEqual => "\\le",
                Comparison::GreaterOrEqual => "\\ge",
                other => other.symbol(),
            };
            (format!("{} {sign} {}", term(a).0, term(b).0), true)
        }
        Condition::Columns(columns) => {
            let terms: Vec<String> = columns.arguments().terms().iter().map(|t| term(t).0).collect();
            let (m, r) = (columns.modulus().get(), columns.residue());
            let text =
                format!("\\text{{the binary columns of }} {} \\text{{ sum to }} {r} \\bmod {m}", terms.join(", "));
            (text, true)
        }
        Condition::Not(c) => (format!("\\neg ({})", condition(c).0), true),
        Condition::And(cs) | Condition::Or(cs) => {
            let word = if matches!(c, Condition::And(_)) { " \\text{ and } " } else { " \\text{ or } " };
            let parts: Vec<String> = cs
                .parts()
                .iter()
                .map(|c| match condition(c) {
                    (text, true) => text,
                    (text, false) => format!("({text})"),
                })
                .collect();
            (parts.join(word), false)
        }
    }
}
