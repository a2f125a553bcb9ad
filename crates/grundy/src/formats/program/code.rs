//! Formulas in languages for programs.

use std::collections::BTreeSet;

use grundy_core::notation::formula::{Comparison, Condition, Formula, Operation, Term};

use super::{Language, range::Bounds};

/// Functions that a program brings along if it needs them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Helper {
    FloorMod,
    FloorDiv,
    LowBit,
    BitLength,
    Least,
    Greatest,
    Columns,
}

/// How tightly an expression binds, as far as all the languages agree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Primary,
    Product,
    Sum,
    Bits,
}

/// The type of numbers in C and C++.
pub(super) fn number_type(language: Language, width: u32) -> &'static str {
    match language {
        Language::C if width <= 64 => "int64_t",
        Language::Cpp if width <= 64 => "std::int64_t",
        Language::C | Language::Cpp => "wide",
        _ => "i128",
    }
}

/// The lines of C and C++ that come before functions on numbers of this width.
pub(super) fn preamble(language: Language, width: u32) -> String {
    let head = match language {
        Language::C => "#include <stdint.h>\n",
        Language::Cpp => "#include <cstdint>\n",
        _ => return String::new(),
    };
    let wide = if width > 64 { "\n__extension__ typedef __int128 wide;\n" } else { "" };
    format!("{head}{wide}\n")
}

/// The bits of n that the program may be given, where there is a limit, and the program.
pub(super) fn of_formula(formula: &Formula, language: Language) -> (Option<u32>, String) {
    let widths: &[u32] = if matches!(language, Language::C | Language::Cpp) { &[64, 128] } else { &[128] };
    let bounds = Bounds::of(formula, widths);
    let mut writer = Writer { language, bounds, helpers: BTreeSet::new() };
    let body = writer.body(formula);
    let number = number_type(language, bounds.width);
    let uses_n = body.contains('n') && {
        // a name, and not part of a word
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        body.split(|c| !is_word(c)).any(|word| word == "n")
    };
    let function = match language {
        Language::C | Language::Cpp => {
            let idle = if uses_n { "" } else { "    (void)n;\n" };
            format!("{number} grundy({number} n) {{\n{idle}{body}}}\n")
        }
        Language::Rust => {
            let n = if uses_n { "n" } else { "_n" };
            format!("pub fn grundy({n}: i128) -> i128 {{\n{body}}}\n")
        }
        Language::Python => format!("def grundy(n):\n{body}"),
        _ => format!("function grundy(n) {{\n    n = BigInt(n);\n{body}}}\n"),
    };
    let mut text = match language {
        Language::Cpp if writer.helpers.contains(&Helper::Least) || writer.helpers.contains(&Helper::Greatest) => {
            format!("#include <algorithm>\n{}", preamble(language, bounds.width))
        }
        _ => preamble(language, bounds.width),
    };
    let parts: Vec<String> = writer.helpers.iter().filter_map(|h| writer.helper(*h)).collect();
    for part in parts {
        text.push_str(&part);
        text.push_str(if language == Language::Python { "\n\n" } else { "\n" });
    }
    text.push_str(&function);
    ((language != Language::Python).then_some(bounds.bits), text)
}

struct Writer {
    language: Language,
    bounds: Bounds,
    helpers: BTreeSet<Helper>,
}

impl Writer {
    fn body(&mut self, formula: &Formula) -> String {
        let mut text = String::new();
        for case in formula.cases() {
            let condition = self.condition(&case.condition).0;
            let value = self.value(&case.value);
            text.push_str(&match self.language {
                Language::Rust => format!("    if {condition} {{\n        return {value};\n    }}\n"),
                Language::Python => format!("    if {condition}:\n        return {value}\n"),
                _ => format!("    if ({condition}) return {value};\n"),
            });
        }
        let value = self.value(formula.otherwise());
        text.push_str(&match self.language {
            Language::Rust => format!("    {value}\n"),
            Language::Python => format!("    return {value}\n"),
            _ => format!("    return {value};\n"),
        });
        text
    }

    /// The term where it stands alone: a negative number needs no parentheses there.
    fn value(&mut self, term: &Term) -> String {
        let text = self.term(term).0;
        match text.strip_prefix("(-").and_then(|t| t.strip_suffix(')')) {
            Some(digits) if digits.bytes().all(|b| b.is_ascii_alphanumeric()) => format!("-{digits}"),
            _ => text,
        }
    }

    fn literal(&self, value: i128) -> String {
        let text = match self.language {
            Language::JavaScript => format!("{value}n"),
            Language::C | Language::Cpp if i64::try_from(value.unsigned_abs()).is_err() => {
                // there are no literals of 128 bits
                let size = value.unsigned_abs();
                let (high, low) = (size >> 64, size as u64);
                let sign = if value < 0 { "-" } else { "" };
                return format!("({sign}((wide){high} << 64 | {low}ULL))");
            }
            _ => value.to_string(),
        };
        if value < 0 { format!("({text})") } else { text }
    }

    /// The expression in parentheses unless it is one word, or a product in a sum.
    fn operand(&mut self, term: &Term, around: Class) -> String {
        let (text, class) = self.term(term);
        match class {
            Class::Primary => text,
            Class::Product if around == Class::Sum => text,
            _ => format!("({text})"),
        }
    }

    fn call(&mut self, helper: Helper, name: &str, arguments: &[Term]) -> (String, Class) {
        self.helpers.insert(helper);
        let arguments: Vec<String> = arguments.iter().map(|t| self.term(t).0).collect();
        (format!("{name}({})", arguments.join(", ")), Class::Primary)
    }

    fn term(&mut self, term: &Term) -> (String, Class) {
        if term.is_constant()
            && let Ok(value) = term.eval(&[])
        {
            return (self.literal(value), Class::Primary);
        }
        match term {
            Term::Integer(value) => (self.literal(*value), Class::Primary),
            Term::Variable(_) => ("n".into(), Class::Primary),
            Term::Chain(chain) => {
                let first = chain.first();
                let mut left = self.term(first);
                let starts = chain.operations()[0].operand();
                if first.is_constant() && starts.is_none_or(Term::is_constant) {
                    // two literals would be numbers of a narrower type
                    if matches!(self.language, Language::C | Language::Cpp) {
                        let number = number_type(self.language, self.bounds.width);
                        left.0 = format!("({number}){}", left.0);
                    }
                }
                let mut bounds = self.bounds.of_term(first);
                let mut last = "";
                for operation in chain.operations() {
                    let is_natural = bounds.is_some_and(|b| b.0 >= 0);
                    bounds = bounds.and_then(|b| self.bounds.after(b, operation));
                    left = self.apply(left, last, operation, is_natural);
                    last = operation.symbol();
                }
                left
            }
            Term::LowBit(t) => self.call(Helper::LowBit, "lowbit", std::slice::from_ref(&**t)),
            Term::BitLength(t) => match self.language {
                Language::Python => (format!("{}.bit_length()", self.operand(t, Class::Bits)), Class::Primary),
                Language::Rust => {
                    (format!("i128::from(128 - {}.leading_zeros())", self.operand(t, Class::Bits)), Class::Primary)
                }
                _ => self.call(Helper::BitLength, "bitlength", std::slice::from_ref(&**t)),
            },
            Term::Min(ts) => self.extreme(Helper::Least, ts.terms()),
            Term::Max(ts) => self.extreme(Helper::Greatest, ts.terms()),
        }
    }

    fn extreme(&mut self, helper: Helper, terms: &[Term]) -> (String, Class) {
        let [first, rest @ ..] = terms else { return (self.literal(0), Class::Primary) };
        if rest.is_empty() {
            return self.term(first);
        }
        let is_least = helper == Helper::Least;
        let (name, short) = if is_least { ("least", "min") } else { ("greatest", "max") };
        match self.language {
            Language::Python => {
                let all: Vec<String> = terms.iter().map(|t| self.term(t).0).collect();
                (format!("{short}({})", all.join(", ")), Class::Primary)
            }
            Language::Cpp => {
                self.helpers.insert(helper);
                let number = number_type(self.language, self.bounds.width);
                let all: Vec<String> = terms.iter().map(|t| self.term(t).0).collect();
                (format!("std::{short}<{number}>({{{}}})", all.join(", ")), Class::Primary)
            }
            Language::JavaScript => self.call(helper, name, terms),
            // functions of two numbers
            language => {
                let name = match language {
                    Language::Rust => format!("std::cmp::{short}"),
                    _ => {
                        self.helpers.insert(helper);
                        name.to_owned()
                    }
                };
                let mut text = self.term(first).0;
                for t in rest {
                    text = format!("{name}({text}, {})", self.term(t).0);
                }
                (text, Class::Primary)
            }
        }
    }

    /// `left` with one operation more; `last` is the operator before, if it stands in the same run.
    fn apply(&mut self, left: (String, Class), last: &str, operation: &Operation, is_natural: bool) -> (String, Class) {
        let symbol = operation.symbol();
        let closed = |(text, class): (String, Class), is_open: bool| match class {
            Class::Primary => text,
            _ if is_open => text,
            _ => format!("({text})"),
        };
        let is_sum = matches!(left.1, Class::Sum | Class::Product);
        match operation {
            Operation::Times(t) => {
                let left = closed(left, last == "*");
                let right = self.operand(t, Class::Product);
                (format!("{left} * {right}"), Class::Product)
            }
            Operation::Mod(m) | Operation::Div(m) => {
                let is_mod = matches!(operation, Operation::Mod(_));
                let m = self.literal(m.get());
                let python = if is_mod { "%" } else { "//" };
                let plain = if is_mod { "%" } else { "/" };
                match self.language {
                    Language::Python => (format!("{} {python} {m}", closed(left, false)), Class::Product),
                    _ if is_natural => (format!("{} {plain} {m}", closed(left, false)), Class::Product),
                    Language::Rust => {
                        let name = if is_mod { "rem_euclid" } else { "div_euclid" };
                        (format!("{}.{name}({m})", closed(left, false)), Class::Primary)
                    }
                    _ => {
                        let (helper, name) =
                            if is_mod { (Helper::FloorMod, "floor_mod") } else { (Helper::FloorDiv, "floor_div") };
                        self.helpers.insert(helper);
                        (format!("{name}({}, {m})", left.0), Class::Primary)
                    }
                }
            }
            Operation::Plus(t) | Operation::Minus(t) => {
                let left = closed(left, is_sum);
                (format!("{left} {symbol} {}", self.operand(t, Class::Sum)), Class::Sum)
            }
            Operation::ShiftLeft(s) | Operation::ShiftRight(s) => {
                let is_right = matches!(operation, Operation::ShiftRight(_));
                let is_unlimited = matches!(self.language, Language::Python | Language::JavaScript);
                if is_right && s.get() + 1 >= self.bounds.width && !is_unlimited {
                    // nothing is left of a number of this width
                    return (self.literal(0), Class::Primary);
                }
                let s =
                    if self.language == Language::JavaScript { format!("{}n", s.get()) } else { s.get().to_string() };
                (format!("{} {symbol} {s}", closed(left, false)), Class::Bits)
            }
            Operation::BitAnd(t) | Operation::Xor(t) | Operation::BitOr(t) => {
                let sign = match operation {
                    Operation::BitAnd(_) => "&",
                    Operation::Xor(_) => "^",
                    _ => "|",
                };
                let left = closed(left, last == symbol);
                (format!("{left} {sign} {}", self.operand(t, Class::Bits)), Class::Bits)
            }
        }
    }

    /// The condition, and whether it is one comparison.
    fn condition(&mut self, condition: &Condition) -> (String, bool) {
        let is_python = self.language == Language::Python;
        match condition {
            Condition::Compare(a, comparison, b) => {
                let sign = match comparison {
                    Comparison::Equal if self.language == Language::JavaScript => "===",
                    Comparison::NotEqual if self.language == Language::JavaScript => "!==",
                    Comparison::Equal => "==",
                    other => other.symbol(),
                };
                // what is no sum binds less tightly than a comparison in C
                let mut side = |t: &Term| match self.term(t) {
                    (text, Class::Bits) => format!("({text})"),
                    (text, _) => text,
                };
                let (a, b) = (side(a), side(b));
                (format!("{a} {sign} {b}"), true)
            }
            Condition::Columns(columns) => {
                let terms = columns.arguments().terms();
                let all: Vec<String> = terms.iter().map(|t| self.term(t).0).collect();
                let (all, count) = (all.join(", "), terms.len());
                let modulus = columns.modulus().get();
                if columns.residue() != 0 {
                    // far up every column is empty
                    let never = match self.language {
                        Language::Python => "False",
                        Language::C => "0",
                        _ => "false",
                    };
                    return (never.into(), true);
                }
                self.helpers.insert(Helper::Columns);
                // as many columns as there are arguments hold no greater sum
                let modulus = modulus.min(count as i128 + 1);
                let number = number_type(self.language, self.bounds.width);
                let text = match self.language {
                    Language::C => format!("columns((const {number}[]){{{all}}}, {count}, {modulus})"),
                    Language::Cpp => format!("columns({{{all}}}, {modulus})"),
                    Language::Rust => format!("columns(&[{all}], {modulus})"),
                    Language::Python => format!("columns([{all}], {modulus})"),
                    _ => format!("columns([{all}], {modulus})"),
                };
                (text, true)
            }
            Condition::Not(c) => {
                let inner = self.condition(c).0;
                (if is_python { format!("not ({inner})") } else { format!("!({inner})") }, false)
            }
            Condition::And(cs) | Condition::Or(cs) => {
                let is_and = matches!(condition, Condition::And(_));
                let word = match (is_and, is_python) {
                    (true, true) => " and ",
                    (false, true) => " or ",
                    (true, false) => " && ",
                    (false, false) => " || ",
                };
                let mut parts = Vec::new();
                for c in cs.parts() {
                    let (text, is_simple) = self.condition(c);
                    parts.push(if is_simple { text } else { format!("({text})") });
                }
                (parts.join(word), false)
            }
        }
    }

    /// The definition of a helper, if the language lacks it.
    fn helper(&self, helper: Helper) -> Option<String> {
        let t = number_type(self.language, self.bounds.width);
        let c = match helper {
            Helper::FloorMod => format!(
                "static {t} floor_mod({t} a, {t} m) {{\n    {t} r = a % m;\n    return r < 0 ? r + m : r;\n}}\n"
            ),
            Helper::FloorDiv => {
                format!("static {t} floor_div({t} a, {t} m) {{\n    return a / m - (a % m < 0);\n}}\n")
            }
            Helper::LowBit => format!("static {t} lowbit({t} a) {{\n    return a & -a;\n}}\n"),
            Helper::BitLength => format!(
                "static {t} bitlength({t} a) {{\n    {t} bits = 0;\n    for (; a > 0; a >>= 1) bits++;\n    return bits;\n}}\n"
            ),
            Helper::Least => format!("static {t} least({t} a, {t} b) {{\n    return a < b ? a : b;\n}}\n"),
            Helper::Greatest => format!("static {t} greatest({t} a, {t} b) {{\n    return a > b ? a : b;\n}}\n"),
            Helper::Columns => format!(
                "// Does m divide the number of ones in every binary column?\n\
                 static int columns(const {t} *numbers, int count, int m) {{\n    for (int i = 0; i < {}; i++) {{\n        \
                 int ones = 0;\n        for (int j = 0; j < count; j++) ones += (int)(numbers[j] >> i & 1);\n        \
                 if (ones % m != 0) return 0;\n    }}\n    return 1;\n}}\n",
                self.bounds.width - 1
            ),
        };
        match (self.language, helper) {
            (Language::Cpp, Helper::Least | Helper::Greatest) => None,
            (Language::Cpp, Helper::Columns) => Some(format!(
                "// Does m divide the number of ones in every binary column?\n\
                 static bool columns(std::initializer_list<{t}> numbers, int m) {{\n    for (int i = 0; i < {}; i++) {{\n        \
                 int ones = 0;\n        for ({t} a : numbers) ones += static_cast<int>(a >> i & 1);\n        \
                 if (ones % m != 0) return false;\n    }}\n    return true;\n}}\n",
                self.bounds.width - 1
            )),
            (Language::C | Language::Cpp, _) => Some(c),
            (Language::Rust, Helper::LowBit) => Some("fn lowbit(a: i128) -> i128 {\n    a & -a\n}\n".into()),
            (Language::Rust, Helper::Columns) => Some(
                "/// Does m divide the number of ones in every binary column?\n\
                 fn columns(numbers: &[i128], m: usize) -> bool {\n    \
                 (0..127).all(|i| numbers.iter().filter(|a| **a >> i & 1 == 1).count() % m == 0)\n}\n"
                    .into(),
            ),
            (Language::Python, Helper::LowBit) => Some("def lowbit(a):\n    return a & -a\n".into()),
            (Language::Python, Helper::Columns) => Some(
                "def columns(numbers, m):\n    \"\"\"Does m divide the number of ones in every binary column?\"\"\"\n    \
                 bits = max(numbers).bit_length()\n    \
                 return all(sum(a >> i & 1 for a in numbers) % m == 0 for i in range(bits))\n"
                    .into(),
            ),
            (Language::JavaScript, Helper::FloorMod) => {
                Some("function floor_mod(a, m) {\n    const r = a % m;\n    return r < 0n ? r + m : r;\n}\n".into())
            }
            (Language::JavaScript, Helper::FloorDiv) => {
                Some("function floor_div(a, m) {\n    return a / m - (a % m < 0n ? 1n : 0n);\n}\n".into())
            }
            (Language::JavaScript, Helper::LowBit) => {
                Some("function lowbit(a) {\n    return a & -a;\n}\n".into())
            }
            (Language::JavaScript, Helper::BitLength) => Some(
                "function bitlength(a) {\n    return a > 0n ? BigInt(a.toString(2).length) : 0n;\n}\n".into(),
            ),
            (Language::JavaScript, Helper::Least) => {
                Some("function least(...numbers) {\n    return numbers.reduce((a, b) => (a < b ? a : b));\n}\n".into())
            }
            (Language::JavaScript, Helper::Greatest) => {
                Some("function greatest(...numbers) {\n    return numbers.reduce((a, b) => (a > b ? a : b));\n}\n".into())
            }
            (Language::JavaScript, Helper::Columns) => Some(
                "// Does m divide the number of ones in every binary column?\n\
                 function columns(numbers, m) {\n    const any = numbers.reduce((a, b) => a | b);\n    \
                 for (let i = 0n; any >> i > 0n; i++) {\n        \
                 if (numbers.filter((a) => (a >> i) & 1n).length % m !== 0) return false;\n    }\n    return true;\n}\n"
                    .into(),
            ),
            _ => None,
        }
    }
}
