use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use super::*;

/// Formulas with all operators, with and without negative numbers on the way, and with shifts that leave nothing.
const FORMULAS: [&str; 20] = [
    "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n",
    "7",
    "(n - 5) mod 7 + (n - 9) div 4 + 3",
    "3 - (5 - n) mod 4",
    "2 * n div 3 xor 5",
    "n bitand 12 bitor n >> 3 xor 6",
    "(n bitand 3) + 1 << 2",
    "lowbit(n) + bitlength(n) + bitlength(lowbit(n + 1))",
    "min(n, 9, n mod 5) + max(n - 20, 0) + min(n) - max(2, n mod 3)",
    "n * n mod 1000003",
    "n >> 70 bitor n mod 2",
    "columns(n, n + 1, 2 * n) mod 2 = 0: 1; columns(n, n) mod 2 = 0 and not columns(n) mod 3 = 1: 2; else 3",
    "columns(n, n >> 1, n >> 2) mod 3 = 0 or columns(n, 5) mod 1000 = 0: 1; else 2",
    "not (n < 3 or n >= 10) and n != 5 or n = 100 and n <= 200: 1; n div 2 mod 2 == 1: n div 3 - 4 * n; else -3",
    "n mod 2^40 * 40000 * 60000 div 7 - (100000 * 100000 + n) mod 9",
    "n + 2^100 - 2^100 xor 1",
    "(n << 5) - 3 * (n << 4) div 16",
    "n - (n - n mod 8) - (1 - n) div 5 * 0",
    "n bitand n + 1 = 0: n; (n xor n >> 1) bitand 1 = 1: n - lowbit(n); else 2^63 - 1",
    "-1180591620717411303424 + n * 2^10 mod 2^80 + 2^71",
];

fn formula(text: &str) -> Formula {
    Formula::parse(text, &["n"]).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn table(preperiod: u64, saltus: u64, values: &[u64]) -> ProgramForm {
    let period = Periodicity { preperiod, period: values.len() as u64 - preperiod, saltus };
    ProgramForm::Table { period, values: values.to_vec() }
}

fn forms() -> Vec<ProgramForm> {
    let mut forms: Vec<ProgramForm> = FORMULAS.iter().map(|t| ProgramForm::Formula(formula(t))).collect();
    forms.extend([
        table(0, 0, &[0, 1, 2, 3, 300]),
        table(3, 0, &[9, 70000, 9, 0, 1, 2, 1]),
        table(1, 4, &[0, 1, 2, 4, 3]),
        table(0, 1, &[5]),
        table(2, 1 << 40, &[u64::MAX, 1, 0, 7, 7, 1 << 50]),
        // v = n + 1: the carry is 1, or 0, or all is wrong
        ProgramForm::Automaton(
            Automaton::new(&[[2, 0, 1, 2], [1, 2, 2, 1], [2, 2, 2, 2]], &[false, true, false]).unwrap(),
        ),
        // v = 4 n: the places are the two digits of n that are owed
        ProgramForm::Automaton(
            Automaton::new(
                &[[0, 2, 4, 4], [4, 4, 0, 2], [1, 3, 4, 4], [4, 4, 1, 3], [4, 4, 4, 4]],
                &[true, false, false, false, false],
            )
            .unwrap(),
        ),
    ]);
    forms
}

fn head() -> ProgramHead {
    ProgramHead {
        game: "a game */ with a name \\".into(),
        convention: Convention::Normal,
        status: Status::Conjectured,
        method: "a guess\nwith a line end".into(),
        known_to: Some(4096),
    }
}

fn value(form: &ProgramForm, n: u64) -> i128 {
    match form {
        ProgramForm::Formula(f) => f.eval(&[n.into()]).unwrap_or_else(|e| panic!("{f} at {n}: {e}")),
        ProgramForm::Table { period, values } => match n.checked_sub(period.preperiod) {
            None => values[n as usize].into(),
            Some(m) => {
                let base = values[(period.preperiod + m % period.period) as usize];
                i128::from(base) + i128::from(m / period.period) * i128::from(period.saltus)
            }
        },
        ProgramForm::Automaton(a) => a.value(n).expect("every n has a value") as i128,
    }
}

/// 0 to 200 and numbers near powers of 2, as far as the program promises values.
fn numbers(form: &ProgramForm, language: Language) -> Vec<u64> {
    let bits = match form {
        ProgramForm::Formula(f) => code::of_formula(f, language).0.unwrap_or(62),
        _ => 62,
    };
    let far = [31, 32, 40, 53, 61].into_iter().flat_map(|e| (0..7).map(move |d| (1u64 << e) + d - 3));
    let all = (0..=200).chain(far).chain([(1 << 62) - 1]);
    all.filter(|n| *n < 1 << bits).collect()
}

/// All programs in one file with a main part that prints all values, a line each.
fn file(language: Language) -> (String, Vec<(usize, u64, i128)>) {
    let (mut text, mut calls, mut expected) = (String::new(), String::new(), Vec::new());
    let names = ["floor_mod", "floor_div", "lowbit", "bitlength", "least", "greatest", "columns", "VALUES", "NEXT"];
    for (i, form) in forms().iter().enumerate() {
        let program = program(form, language, &head());
        let wide = program.contains("typedef __int128");
        let program: String = program
            .lines()
            .filter(|l| !l.starts_with("#include") && !l.starts_with("__extension__"))
            .map(|l| format!("{l}\n"))
            .collect();
        let list = numbers(form, language);
        expected.extend(list.iter().map(|n| (i, *n, value(form, *n))));
        let count = list.len();
        let texts: Vec<String> = list.iter().map(u64::to_string).collect();
        let texts = texts.join(", ");
        match language {
            Language::C | Language::Cpp => {
                assert_eq!(wide, program.contains("wide"), "{program}");
                if language == Language::C {
                    for name in names.iter().chain(&["grundy", "ACCEPTS"]) {
                        text.push_str(&format!("#undef {name}\n#define {name} {name}_{i}\n"));
                    }
                    text.push_str(&program);
                } else {
                    text.push_str(&format!("namespace p{i} {{\n{program}}}\n"));
                }
                let call = if language == Language::C { format!("grundy_{i}") } else { format!("p{i}::grundy") };
                calls.push_str(&format!(
                    "{{ static const int64_t n[] = {{{texts}}}; for (int i = 0; i < {count}; i++) print({call}(n[i])); }}\n"
                ));
            }
            Language::Rust => {
                text.push_str(&format!("mod p{i} {{\n{program}}}\n"));
                calls.push_str(&format!("for n in [{texts}] {{ println!(\"{{}}\", p{i}::grundy(n)); }}\n"));
            }
            Language::Python => {
                text.push_str(&program);
                text.push_str(&format!("for n in [{texts}]:\n    print(grundy(n))\n"));
            }
            _ => {
                text.push_str(&format!(
                    "{{\n{program}for (const n of [{}]) console.log(String(grundy(n)));\n}}\n",
                    texts.replace(',', "n,") + "n"
                ));
            }
        }
    }
    let print = "static void print(__int128 v) {\n    if (v < 0) { putchar('-'); v = -v; }\n    char d[50]; int k = 0;\n    \
                 do { d[k++] = (char)('0' + (int)(v % 10)); v /= 10; } while (v > 0);\n    while (k > 0) putchar(d[--k]);\n    \
                 putchar('\\n');\n}\n";
    let wide = "__extension__ typedef __int128 wide;\n";
    let text = match language {
        Language::C => format!(
            "#include <stdint.h>\n#include <stdio.h>\n{wide}{print}{text}int main(void) {{\n{calls}return 0;\n}}\n"
        ),
        Language::Cpp => format!(
            "#include <algorithm>\n#include <cstdint>\n#include <cstdio>\n{wide}{print}{text}int main() {{\n{calls}}}\n"
        ),
        Language::Rust => format!("{text}fn main() {{\n{calls}}}\n"),
        _ => text,
    };
    (text, expected)
}

/// Runs a command; None, with a note, where there is no such program.
fn run(name: &str, arguments: &[&str], dir: &Path) -> Option<Output> {
    match Command::new(name).args(arguments).current_dir(dir).output() {
        Ok(out) => Some(out),
        Err(e) => {
            println!("skipped: {name}: {e}");
            None
        }
    }
}

fn check(language: Language, name: &str, build: Option<(&str, &[&str])>, start: &[&str]) {
    let dir = std::env::temp_dir().join(format!("grundy-programs-{}-{name}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let (text, expected) = file(language);
    fs::write(dir.join(name), &text).unwrap();
    let built = match build {
        Some((compiler, arguments)) => run(compiler, arguments, &dir).map(|out| {
            let errors = String::from_utf8_lossy(&out.stderr).into_owned();
            assert!(out.status.success() && errors.is_empty(), "{errors}");
        }),
        None => Some(()),
    };
    let program = if build.is_some() { dir.join("program").display().to_string() } else { start[0].to_owned() };
    let out = built.and_then(|()| run(&program, &start[1..], &dir));
    if let Some(out) = out {
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let printed = String::from_utf8(out.stdout).unwrap();
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(printed.len(), expected.len());
        let forms = forms();
        for (got, (i, n, value)) in printed.iter().zip(expected) {
            assert_eq!(*got, value.to_string(), "{:?} at {n}: {}", forms[i], program_of(&forms[i], language));
        }
    }
    let _ = fs::remove_dir_all(dir);
}

fn program_of(form: &ProgramForm, language: Language) -> String {
    program(form, language, &head())
}

#[test]
fn c_computes_the_same() {
    let flags = ["-std=c99", "-Wall", "-Wextra", "-o", "program", "program.c"];
    check(Language::C, "program.c", Some(("cc", &flags)), &[""]);
}

#[test]
fn cpp_computes_the_same() {
    let flags = ["-std=c++11", "-Wall", "-Wextra", "-o", "program", "program.cpp"];
    check(Language::Cpp, "program.cpp", Some(("g++", &flags)), &[""]);
}

#[test]
fn rust_computes_the_same() {
    let flags = ["--edition=2021", "-o", "program", "program.rs"];
    check(Language::Rust, "program.rs", Some(("rustc", &flags)), &[""]);
}

#[test]
fn python_computes_the_same() {
    check(Language::Python, "program.py", None, &["python3", "program.py"]);
}

#[test]
fn javascript_computes_the_same() {
    check(Language::JavaScript, "program.js", None, &["node", "program.js"]);
}

#[test]
fn the_comment_says_what_is_claimed() {
    let text = program_of(&forms()[0], Language::C);
    assert_eq!(
        text,
        "// Grundy values of a game */ with a name \\, normal play.\n\
         // grundy(n) = n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n\n\
         // Status: conjectured, compared with the values up to n = 4096.\n\
         //   a guess with a line end\n\
         // For 0 <= n < 2^62.\n\n\
         #include <stdint.h>\n\n\
         int64_t grundy(int64_t n) {\n    if (n % 4 == 3) return n + 1;\n    if (n % 4 == 0 && n > 0) return n - 1;\n    return n;\n}\n"
    );
}

#[test]
fn no_helper_is_dead() {
    let plain = ProgramForm::Formula(formula("n mod 4 + n div 3"));
    for language in [Language::C, Language::Cpp, Language::Rust, Language::JavaScript] {
        assert!(!program_of(&plain, language).contains("floor"), "{language:?}");
    }
    let negative = ProgramForm::Formula(formula("(n - 7) mod 4"));
    assert!(program_of(&negative, Language::C).contains("floor_mod(n - 7, 4)"));
    assert!(!program_of(&negative, Language::C).contains("floor_div"));
    assert!(program_of(&negative, Language::Rust).ends_with("(n - 7).rem_euclid(4)\n}\n"));
    assert!(program_of(&negative, Language::Python).ends_with("return (n - 7) % 4\n"));
}

#[test]
fn ranges_end_where_numbers_do() {
    let bits = |text: &str, language| code::of_formula(&formula(text), language).0;
    assert_eq!(bits("2 * n", Language::C), Some(62));
    assert_eq!(bits("n << 100", Language::C), Some(27));
    assert_eq!(bits("n << 100", Language::Rust), Some(27));
    assert_eq!(bits("n * n * n", Language::Rust), Some(42));
    assert!(program_of(&ProgramForm::Formula(formula("3 * n div 4")), Language::C).contains("wide grundy(wide n)"));
    assert!(program_of(&ProgramForm::Formula(formula("n + 1")), Language::C).contains("int64_t grundy(int64_t n)"));
}

#[test]
fn latex_displays() {
    let display = |text: &str| latex::display(&ProgramForm::Formula(formula(text)));
    assert_eq!(display("n mod 3"), "\\[\n  g(n) = n \\bmod 3\n\\]\n");
    assert_eq!(
        display(FORMULAS[0]),
        "\\[\n  g(n) = \\begin{cases}\n    n + 1 & \\text{if } n \\bmod 4 = 3, \\\\\n    n - 1 & \\text{if } n \\bmod 4 = 0 \
         \\text{ and } n > 0, \\\\\n    n & \\text{otherwise}\n  \\end{cases}\n\\]\n"
    );
    assert_eq!(
        display("(n + 1) div 2 * 4 + n mod 2"),
        "\\[\n  g(n) = \\left\\lfloor \\frac{n + 1}{2} \\right\\rfloor \\cdot 4 + (n \\bmod 2)\n\\]\n"
    );
    assert_eq!(display("n + 1 xor n bitand 3"), "\\[\n  g(n) = (n + 1) \\oplus (n \\mathbin{\\&} 3)\n\\]\n");
    for form in forms() {
        let text = latex::display(&form);
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        assert_eq!(text.matches("\\left").count(), text.matches("\\right").count(), "{text}");
    }
}
