//! Names, their values, and the texts in which they occur: templates with `$name`, formulas and claims.

use std::{cell::RefCell, collections::HashMap, fmt::Write};

use grundy_core::notation::{
    SyntaxError,
    formula::{Claim, Formula},
    nearest,
};

use super::format::Kind;

/// Most texts of one template that are kept in parsed form; then all are forgotten.
const KEPT: usize = 4096;

/// The declared names in order; case does not matter.
#[derive(Debug, Default)]
pub(super) struct Names(Vec<(String, Kind)>);

/// Names with a meaning of their own.
const RESERVED: [&str; 4] = ["won", "g", "v", "i"];

impl Names {
    /// Declares a name and gives its slot.
    pub fn declare(&mut self, name: &str, kind: Kind) -> Result<usize, SyntaxError> {
        let name = name.to_ascii_lowercase();
        let error = |message: String| Err(SyntaxError::new(message, 0..0));
        if self.find(&name).is_some() {
            return error(format!("the name \"{name}\" is taken (capitals do not matter)"));
        }
        if RESERVED.contains(&name.as_str()) || Formula::parse(&name, &[&name]).is_err() {
            return error(format!("\"{name}\" has a meaning of its own and cannot be a name"));
        }
        self.0.push((name, kind));
        Ok(self.0.len() - 1)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(n, _)| n.eq_ignore_ascii_case(name))
    }

    pub fn name(&self, slot: usize) -> &str {
        &self.0[slot].0
    }

    pub fn kind(&self, slot: usize) -> Kind {
        self.0[slot].1
    }

    /// The slot of a name that must have been declared.
    pub fn known(&self, name: &str, at: usize) -> Result<usize, SyntaxError> {
        self.find(name).ok_or_else(|| {
            let error = SyntaxError::new(format!("unknown name \"{name}\""), at..at + name.len());
            match nearest(name, self.0.iter().map(|(n, _)| n.as_str())) {
                Some(near) => error.with_suggestion(near),
                None => {
                    let all: Vec<&str> = self.0.iter().map(|(n, _)| n.as_str()).collect();
                    error.with_hint(format!("the names are {}", all.join(", ")))
                }
            }
        })
    }
}

/// What a name stands for at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(i128),
    List(Vec<i128>),
    Word(Vec<u8>),
}

impl Value {
    /// An empty value of a kind.
    pub fn of(kind: Kind) -> Value {
        match kind {
            Kind::Number => Value::Number(0),
            Kind::Word => Value::Word(Vec::new()),
            Kind::List | Kind::Column => Value::List(Vec::new()),
        }
    }

    pub fn list(&self) -> &[i128] {
        if let Value::List(list) = self { list } else { &[] }
    }

    /// The list, emptied to be filled again.
    pub fn cleared(&mut self) -> &mut Vec<i128> {
        if !matches!(self, Value::List(_)) {
            *self = Value::List(Vec::new());
        }
        match self {
            Value::List(list) => {
                list.clear();
                list
            }
            // just made a list
            _ => unreachable!(),
        }
    }
}

/// A text with `$name` in it.
#[derive(Debug)]
pub(super) struct Template(Vec<Part>);

#[derive(Debug)]
enum Part {
    Text(String),
    Slot(usize),
}

impl Template {
    /// Reads a template that stands at `offset` of the whole text.
    pub fn parse(text: &str, names: &Names, offset: usize) -> Result<Template, SyntaxError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            if dollar > 0 {
                parts.push(Part::Text(rest[..dollar].to_owned()));
            }
            let at = offset + text.len() - rest.len() + dollar + 1;
            rest = &rest[dollar + 1..];
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if length == 0 {
                return Err(SyntaxError::new("a name follows \"$\"", at - 1..at));
            }
            let slot = names.known(&rest[..length], at)?;
            if names.kind(slot) == Kind::Word {
                return Err(SyntaxError::new("a word cannot stand in a rule or a formula", at..at + length)
                    .with_hint("turn it into a list first, for example x = s | runs('+')"));
            }
            parts.push(Part::Slot(slot));
            rest = &rest[length..];
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest.to_owned()));
        }
        Ok(Template(parts))
    }

    /// The slots of the names in it.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        self.0.iter().filter_map(|p| if let Part::Slot(s) = p { Some(*s) } else { None })
    }

    /// True without names.
    pub fn is_fixed(&self) -> bool {
        self.slots().next().is_none()
    }

    /// Writes the text with values for names: a list as `1, 3, 4`, or its member `row`.
    pub fn fill(&self, values: &[Value], row: Option<usize>, out: &mut String) {
        out.clear();
        for part in &self.0 {
            match part {
                Part::Text(t) => out.push_str(t),
                Part::Slot(s) => match (&values[*s], row) {
                    (Value::Number(n), _) => push_number(*n, out),
                    (Value::List(l), Some(row)) => push_number(l.get(row).copied().unwrap_or(0), out),
                    (Value::List(l), None) => {
                        for (i, n) in l.iter().enumerate() {
                            if i > 0 {
                                out.push_str(", ");
                            }
                            push_number(*n, out);
                        }
                    }
                    (Value::Word(_), _) => {}
                },
            }
        }
    }

    /// The text with 1 for every name, to try whether it can be read at all.
    fn tried(&self) -> String {
        self.0.iter().map(|p| if let Part::Text(t) = p { t.as_str() } else { "1" }).collect()
    }
}

fn push_number(n: i128, out: &mut String) {
    // writing to a string cannot fail
    let _ = if n < 0 { write!(out, "({n})") } else { write!(out, "{n}") };
}

/// A formula or a claim over names, in which `$name` stands for the digits of a number (where the language of formulas
/// wants a constant, as after `mod`).
#[derive(Debug)]
pub(super) struct Expression {
    template: Template,
    is_claim: bool,
    variables: Vec<(String, Source)>,
    fixed: Option<Box<Parsed>>,
    kept: Box<RefCell<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    parsed: HashMap<String, Parsed>,
    text: String,
    numbers: Vec<i128>,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Slot(usize),
    Extra(usize),
}

#[derive(Debug)]
enum Parsed {
    Formula(Formula),
    Claim(Claim),
}

impl Expression {
    /// A formula that stands at `offset` of the whole text.
    pub fn formula(text: &str, names: &Names, offset: usize) -> Result<Expression, SyntaxError> {
        Expression::new(text, names, &[], false, offset)
    }

    /// A formula with some names beside the declared ones.
    pub fn formula_with(text: &str, names: &Names, extra: &[&str]) -> Result<Expression, SyntaxError> {
        Expression::formula_with_at(text, names, extra, 0)
    }

    /// The same, for a formula that stands at `offset` of the whole text.
    pub fn formula_with_at(
        text: &str,
        names: &Names,
        extra: &[&str],
        offset: usize,
    ) -> Result<Expression, SyntaxError> {
        Expression::new(text, names, extra, false, offset)
    }

    /// A claim with some names beside the declared ones.
    pub fn claim(text: &str, names: &Names, extra: &[&str], offset: usize) -> Result<Expression, SyntaxError> {
        Expression::new(text, names, extra, true, offset)
    }

    fn new(text: &str, names: &Names, extra: &[&str], is_claim: bool, offset: usize) -> Result<Self, SyntaxError> {
        let template = Template::parse(text, names, offset)?;
        let mut variables: Vec<(String, Source)> = Vec::new();
        let mut before = ' ';
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if length == 0 || c.is_ascii_digit() || before == '$' {
                before = c;
                rest = &rest[c.len_utf8().max(length)..];
                continue;
            }
            let word = rest[..length].to_ascii_lowercase();
            let source = match (extra.iter().position(|e| *e == word), names.find(&word)) {
                (Some(i), _) => Some(Source::Extra(i)),
                (None, Some(slot)) => Some(Source::Slot(slot)),
                (None, None) => None,
            };
            if let Some(source) = source
                && !variables.iter().any(|(name, _)| *name == word)
            {
                if let Source::Slot(slot) = source
                    && names.kind(slot) == Kind::Word
                {
                    let at = offset + text.len() - rest.len();
                    return Err(SyntaxError::new("a formula is about numbers, not words", at..at + length));
                }
                variables.push((word, source));
            }
            before = 'x';
            rest = &rest[length..];
        }
        let mut expression = Expression { template, is_claim, variables, fixed: None, kept: Box::default() };
        let tried = expression.template.tried();
        let fixed = expression.template.is_fixed();
        let parsed = expression.parse(&tried).map_err(|e| {
            let span = if fixed { e.span.start + offset..e.span.end + offset } else { offset..offset + text.len() };
            SyntaxError { span, ..e }
        })?;
        expression.fixed = fixed.then(|| Box::new(parsed));
        Ok(expression)
    }

    fn parse(&self, text: &str) -> Result<Parsed, SyntaxError> {
        let names: Vec<&str> = self.variables.iter().map(|(name, _)| name.as_str()).collect();
        Ok(match self.is_claim {
            true => Parsed::Claim(Claim::parse(text, &names)?),
            false => Parsed::Formula(Formula::parse(text, &names)?),
        })
    }

    /// The slots it looks at.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        let named = self.variables.iter().filter_map(|(_, s)| if let Source::Slot(s) = s { Some(*s) } else { None });
        self.template.slots().chain(named)
    }

    /// True if the extra name of this index occurs.
    pub fn uses_extra(&self, index: usize) -> bool {
        self.variables.iter().any(|(_, s)| matches!(s, Source::Extra(i) if *i == index))
    }

    /// The value; for a claim 1 if it holds, else 0. Of lists the member `row` counts.
    pub fn value(&self, values: &[Value], extra: &[i128], row: Option<usize>) -> Result<i128, String> {
        let mut kept = self.kept.borrow_mut();
        let Kept { parsed, text, numbers } = &mut *kept;
        numbers.clear();
        for (_, source) in &self.variables {
            numbers.push(match source {
                Source::Extra(i) => extra.get(*i).copied().unwrap_or(0),
                Source::Slot(s) => match (&values[*s], row) {
                    (Value::Number(n), _) => *n,
                    (Value::List(l), Some(row)) => l.get(row).copied().unwrap_or(0),
                    _ => return Err("a list stands where a number is wanted".into()),
                },
            });
        }
        let parsed = match &self.fixed {
            Some(fixed) => &**fixed,
            None => {
                self.template.fill(values, row, text);
                if !parsed.contains_key(text.as_str()) {
                    if parsed.len() >= KEPT {
                        parsed.clear();
                    }
                    let new = self.parse(text).map_err(|e| format!("{text}: {e}"))?;
                    parsed.insert(text.clone(), new);
                }
                &parsed[text.as_str()]
            }
        };
        match parsed {
            Parsed::Formula(f) => f.eval(numbers).map_err(|e| e.to_string()),
            Parsed::Claim(c) => c.eval(numbers).map(i128::from).map_err(|e| e.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_and_formulas_take_values() {
        let mut names = Names::default();
        let (n, s) = (names.declare("N", Kind::Number).unwrap(), names.declare("S", Kind::List).unwrap());
        assert_eq!((n, s), (0, 1));
        let values = [Value::Number(12), Value::List(vec![2, 5])];
        let mut out = String::new();
        Template::parse("subtraction[{$s}]", &names, 0).unwrap().fill(&values, None, &mut out);
        assert_eq!(out, "subtraction[{2, 5}]");
        let f = Expression::formula("100 mod $n + n", &names, 0).unwrap();
        assert_eq!(f.value(&values, &[], None), Ok(16));
        let f = Expression::formula("s + n", &names, 0).unwrap();
        assert_eq!((f.value(&values, &[], Some(1)), f.value(&values, &[], None).is_err()), (Ok(17), true));
        let c = Expression::claim("won = 0 and n > 3", &names, &["won"], 0).unwrap();
        assert_eq!((c.value(&values, &[0], None), c.value(&values, &[1], None)), (Ok(1), Ok(0)));
    }

    #[test]
    fn wrong_names_are_refused() {
        let mut names = Names::default();
        names.declare("heap", Kind::Number).unwrap();
        assert!(names.declare("HEAP", Kind::List).is_err());
        assert!(names.declare("mod", Kind::List).is_err());
        assert!(names.declare("won", Kind::List).is_err());
        let e = Template::parse("nim($heep)", &names, 0).unwrap_err();
        assert_eq!((e.span, e.hint.as_deref()), (5..9, Some("did you mean \"heap\"?")));
        assert!(Expression::formula("heep + 1", &names, 0).is_err());
    }
}
