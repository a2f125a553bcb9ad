//! Tables and automata in languages for programs.

use grundy_core::theory::Periodicity;

use super::{
    Automaton, Language,
    code::{number_type, preamble},
};

/// Greatest number that JavaScript holds exactly without `BigInt`.
const SAFE: u64 = (1 << 53) - 1;

/// The numbers in lines, each indented.
fn lines(numbers: impl Iterator<Item = String>, indent: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for number in numbers {
        if width + number.len() + 2 > 96 {
            text.push('\n');
            width = 0;
        }
        text.push_str(if width == 0 { indent } else { " " });
        text.push_str(&number);
        text.push(',');
        width += number.len() + 2;
    }
    text.push('\n');
    text
}

/// The bits of n that the program may be given, and the program.
pub(super) fn of_table(period: Periodicity, values: &[u64], language: Language) -> (Option<u32>, String) {
    let Periodicity { preperiod: n0, period: p, saltus: s } = period;
    let p = p.max(1);
    let count = n0.saturating_add(p).min(values.len() as u64) as usize;
    let values = &values[..count];
    let top = values.iter().copied().max().unwrap_or(0);
    let greatest = u128::from(top) + ((1u128 << 62) / u128::from(p) + 1) * u128::from(s);
    let width = if greatest <= i64::MAX as u128 { 64 } else { 128 };
    let number = number_type(language, width);
    let is_big = language == Language::JavaScript && top > SAFE;
    let literal = |v: &u64| match language {
        Language::C | Language::Cpp if *v > i64::MAX as u64 => format!("{v}ULL"),
        _ if is_big => format!("{v}n"),
        _ => v.to_string(),
    };
    let list = lines(values.iter().map(literal), "    ");
    // the narrowest type of the values
    let bits = [8, 16, 32, 64].into_iter().find(|b| *b == 64 || top >> *b == 0).unwrap_or(64);
    let array = match language {
        Language::C => format!("static const uint{bits}_t VALUES[{count}] = {{\n{list}}};\n\n"),
        Language::Cpp => format!("static const std::uint{bits}_t VALUES[{count}] = {{\n{list}}};\n\n"),
        Language::Rust => format!("const VALUES: [u{bits}; {count}] = [\n{list}];\n\n"),
        Language::Python => format!("VALUES = (\n{list})\n\n\n"),
        _ => format!("const VALUES = [\n{list}];\n\n"),
    };
    let suffix = if language == Language::JavaScript { "n" } else { "" };
    // numbers of the program, and how a value is looked up
    let constant = |c: u64| match language {
        Language::C | Language::Cpp if c > i64::MAX as u64 => format!("{c}ULL"),
        _ => format!("{c}{suffix}"),
    };
    let at = |place: String| match language {
        Language::Rust => format!("i128::from(VALUES[({place}) as usize])"),
        Language::JavaScript if is_big => format!("VALUES[{place}]"),
        Language::JavaScript => format!("BigInt(VALUES[{place}])"),
        _ => format!("VALUES[{place}]"),
    };
    let beyond = if n0 == 0 { "n".to_owned() } else { format!("(n - {})", constant(n0)) };
    let turn = format!("{beyond} % {}", constant(p));
    let place = if n0 == 0 { turn } else { format!("{} + {turn}", constant(n0)) };
    let quotient = if language == Language::Python { "//" } else { "/" };
    let mut value = at(place);
    if s > 0 {
        let turns = if p == 1 { beyond } else { format!("{beyond} {quotient} {}", constant(p)) };
        let wide = if matches!(language, Language::C | Language::Cpp) { format!("({number})") } else { String::new() };
        value = match s {
            1 => format!("{value} + {turns}"),
            _ => format!("{value} + {turns} * {wide}{}", constant(s)),
        };
        if !wide.is_empty() {
            value = format!("{wide}{value}");
        }
    }
    let early = at("n".into());
    let body = match language {
        _ if n0 == 0 => String::new(),
        Language::Python => format!("    if n < {n0}:\n        return {early}\n"),
        Language::Rust => format!("    if n < {n0} {{\n        return {early};\n    }}\n"),
        _ => format!("    if (n < {}) return {early};\n", constant(n0)),
    };
    let function = match language {
        Language::C | Language::Cpp => format!("{number} grundy({number} n) {{\n{body}    return {value};\n}}\n"),
        Language::Rust => format!("pub fn grundy(n: i128) -> i128 {{\n{body}    {value}\n}}\n"),
        Language::Python => format!("def grundy(n):\n{body}    return {value}\n"),
        _ => format!("function grundy(n) {{\n    n = BigInt(n);\n{body}    return {value};\n}}\n"),
    };
    let bits = if matches!(language, Language::Python | Language::JavaScript) { None } else { Some(62) };
    (bits, format!("{}{array}{function}", preamble(language, width)))
}

/// The bits of n that the program may be given, and the program.
pub(super) fn of_automaton(automaton: &Automaton, language: Language) -> (Option<u32>, String) {
    let longer = automaton.longer();
    let width = if 62 + longer <= 63 { 64 } else { 128 };
    let number = number_type(language, width);
    let count = automaton.transitions().len();
    let digits = 62 + longer;
    let (open, close) = match language {
        Language::C | Language::Cpp => ("{", "}"),
        Language::Python => ("(", ")"),
        _ => ("[", "]"),
    };
    // the place `count` is where nothing can be accepted any more
    let row = |row: &[Option<usize>; 4]| {
        let row: Vec<String> = row.iter().map(|t| t.unwrap_or(count).to_string()).collect();
        format!("{open}{}{close}", row.join(", "))
    };
    let next = lines(automaton.transitions().iter().map(row), "    ");
    let flag = |a: &bool| match language {
        Language::C | Language::Cpp => u8::from(*a).to_string(),
        Language::Python => if *a { "True" } else { "False" }.to_owned(),
        _ => a.to_string(),
    };
    let accepting = lines(automaton.accepting().iter().map(flag), "    ");
    let why =
        "The beginnings of values that may still be right, one a place: where the value may stand after i digits.";
    let text = match language {
        Language::C | Language::Cpp => format!(
            "// NEXT[place][digit of n + 2 * digit of the value]; {count} is a dead end.\n\
             static const int NEXT[{count}][4] = {{\n{next}}};\n\
             static const int ACCEPTS[{count}] = {{\n{accepting}}};\n\n\
             {number} grundy({number} n) {{\n\
             \x20   // {why}\n\
             \x20   {number} value[2][{size}];\n\
             \x20   for (int q = 0; q <= {count}; q++) value[0][q] = q == 0 ? 0 : -1;\n\
             \x20   for (int i = 0; i < {digits}; i++) {{\n\
             \x20       {number} *now = value[i % 2], *then = value[1 - i % 2];\n\
             \x20       for (int q = 0; q <= {count}; q++) then[q] = -1;\n\
             \x20       for (int q = 0; q < {count}; q++) {{\n\
             \x20           if (now[q] < 0) continue;\n\
             \x20           for (int b = 0; b < 2; b++) then[NEXT[q][(int)(n >> i & 1) + 2 * b]] = now[q] | ({number})b << i;\n\
             \x20       }}\n\
             \x20   }}\n\
             \x20   for (int q = 0; q < {count}; q++) {{\n\
             \x20       if (ACCEPTS[q] && value[{last}][q] >= 0) return value[{last}][q];\n\
             \x20   }}\n\
             \x20   return -1;\n\
             }}\n",
            size = count + 1,
            last = digits % 2,
        ),
        Language::Rust => format!(
            "/// NEXT[place][digit of n + 2 * digit of the value]; {count} is a dead end.\n\
             const NEXT: [[usize; 4]; {count}] = [\n{next}];\n\
             const ACCEPTS: [bool; {count}] = [\n{accepting}];\n\n\
             pub fn grundy(n: i128) -> i128 {{\n\
             \x20   // {why}\n\
             \x20   let mut value = [None; {size}];\n\
             \x20   value[0] = Some(0);\n\
             \x20   for i in 0..{digits} {{\n\
             \x20       let mut then = [None; {size}];\n\
             \x20       for (row, v) in NEXT.iter().zip(value) {{\n\
             \x20           let Some(v) = v else {{ continue }};\n\
             \x20           for b in 0..2 {{\n\
             \x20               then[row[(n >> i & 1) as usize + 2 * b]] = Some(v | (b as i128) << i);\n\
             \x20           }}\n\
             \x20       }}\n\
             \x20       value = then;\n\
             \x20   }}\n\
             \x20   (0..{count}).filter(|q| ACCEPTS[*q]).find_map(|q| value[q]).expect(\"every n has a value\")\n\
             }}\n",
            size = count + 1,
        ),
        Language::Python => format!(
            "# NEXT[place][digit of n + 2 * digit of the value]; {count} is a dead end.\n\
             NEXT = (\n{next})\n\
             ACCEPTS = (\n{accepting})\n\n\n\
             def grundy(n):\n\
             \x20   # {why}\n\
             \x20   value = {{0: 0}}\n\
             \x20   for i in range(n.bit_length() + {longer}):\n\
             \x20       value = {{NEXT[q][(n >> i & 1) + 2 * b]: v | b << i for q, v in value.items() if q < {count} for b in (0, 1)}}\n\
             \x20   return next(v for q, v in value.items() if q < {count} and ACCEPTS[q])\n"
        ),
        _ => format!(
            "// NEXT[place][digit of n + 2 * digit of the value]; {count} is a dead end.\n\
             const NEXT = [\n{next}];\n\
             const ACCEPTS = [\n{accepting}];\n\n\
             function grundy(n) {{\n\
             \x20   n = BigInt(n);\n\
             \x20   // {why}\n\
             \x20   let value = new Map([[0, 0n]]);\n\
             \x20   for (let i = 0n, rest = {longer}; n >> i > 0n || rest-- > 0; i++) {{\n\
             \x20       const then = new Map();\n\
             \x20       for (const [q, v] of value) {{\n\
             \x20           if (q === {count}) continue;\n\
             \x20           for (const b of [0, 1]) then.set(NEXT[q][Number((n >> i) & 1n) + 2 * b], v | (BigInt(b) << i));\n\
             \x20       }}\n\
             \x20       value = then;\n\
             \x20   }}\n\
             \x20   for (const [q, v] of value) if (q < {count} && ACCEPTS[q]) return v;\n\
             }}\n"
        ),
    };
    let bits = if matches!(language, Language::Python | Language::JavaScript) { None } else { Some(62) };
    (bits, format!("{}{text}", preamble(language, width)))
}
