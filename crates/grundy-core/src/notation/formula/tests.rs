use proptest::prelude::*;

use super::*;
use crate::notation::SyntaxError;

/// The value of a formula in n.
fn at(text: &str, n: i128) -> Result<i128, EvalError> {
    Formula::parse(text, &["n"]).unwrap_or_else(|e| panic!("{text}: {e:?}")).eval(&[n])
}

fn value(text: &str) -> i128 {
    at(text, 0).unwrap()
}

fn holds(text: &str, values: &[i128]) -> Result<bool, EvalError> {
    let names = &["a", "b", "c"][..values.len()];
    Claim::parse(text, names).unwrap_or_else(|e| panic!("{text}: {e:?}")).eval(values)
}

fn printed(text: &str) -> String {
    Formula::parse(text, &["n", "m"]).unwrap_or_else(|e| panic!("{text}: {e:?}")).to_string()
}

/// Checks message, marked text and hint of the error for a formula in n.
#[track_caller]
fn refuses(text: &str, message: &str, marked: (usize, &str), hint: Option<&str>) {
    let error = Formula::parse(text, &["n"]).expect_err(text);
    check(text, &error, message, marked, hint);
}

#[track_caller]
fn claim_refuses(text: &str, message: &str, marked: (usize, &str), hint: Option<&str>) {
    let error = Claim::parse(text, &["a", "b", "c"]).expect_err(text);
    check(text, &error, message, marked, hint);
}

#[track_caller]
fn check(text: &str, error: &SyntaxError, message: &str, (start, marked): (usize, &str), hint: Option<&str>) {
    assert_eq!(error.message, message, "{text}");
    assert_eq!(error.span, start..start + marked.len(), "{text}");
    assert_eq!(&text[error.span.clone()], marked, "{text}");
    assert_eq!(error.hint, hint.map(|hint| format!("did you mean \"{hint}\"?")), "{text}");
}

#[test]
fn the_values_of_laskers_nim() {
    let text = "n mod 4 == 3: n+1; n mod 4 == 0 and n > 0: n-1; else n";
    let values: Vec<i128> = (0..10).map(|n| at(text, n).unwrap()).collect();
    assert_eq!(values, [0, 1, 2, 4, 3, 5, 6, 8, 7, 9]);
    assert_eq!(printed(text), "n mod 4 = 3: n + 1; n mod 4 = 0 and n > 0: n - 1; else n");
}

#[test]
fn operators_of_one_level_go_from_the_left() {
    assert_eq!(value("10 - 3 - 2"), 5);
    assert_eq!(value("10 - 3 + 2"), 9);
    assert_eq!(value("1 + 2 * 3 mod 2"), 1); // (2 * 3) mod 2
    assert_eq!(value("7 mod 4 * 2"), 6); // (7 mod 4) * 2
    assert_eq!(value("6 div 2 mod 2"), 1);
    assert_eq!(value("7 * 5 div 2"), 17);
    assert_eq!(value("1 << 2 >> 1"), 2);
    assert_eq!(value("100 >> 1 << 1"), 100);
}

#[test]
fn precedence_from_tight_to_loose() {
    assert_eq!(value("1 + 2 * 3"), 7);
    assert_eq!(value("1 << 1 + 1"), 4);
    assert_eq!(value("12 bitand 4 << 1"), 8);
    assert_eq!(value("6 xor 3 bitand 1"), 7);
    assert_eq!(value("4 bitor 1 xor 1"), 4);
    assert_eq!(at("n xor 1 + 1", 5), Ok(7));
    assert_eq!(holds("a bitand 1 = 0", &[6]), Ok(true));
    assert_eq!(holds("not a = 1 and b = 1", &[2, 1]), Ok(true));
    assert_eq!(holds("not a = 1 and b = 1", &[2, 2]), Ok(false));
    assert_eq!(holds("a = 1 or b = 1 and c = 1", &[1, 0, 0]), Ok(true));
    assert_eq!(holds("(a = 1 or b = 1) and c = 1", &[1, 0, 0]), Ok(false));
    assert_eq!(holds("not not a = 1", &[1]), Ok(true));
}

#[test]
fn a_parenthesis_may_hold_a_term_or_a_condition() {
    assert_eq!(holds("(a + 1) * 2 = (b)", &[2, 6]), Ok(true));
    assert_eq!(holds("((a + 1) * 2 = b) and ((a) = 2 or b = 0)", &[2, 6]), Ok(true));
    assert_eq!(holds("not (a = b or not (a < b))", &[2, 6]), Ok(true));
}

#[test]
fn comparisons() {
    for (text, truths) in [
        ("a = b", [false, true, false]),
        ("a == b", [false, true, false]),
        ("a != b", [true, false, true]),
        ("a < b", [true, false, false]),
        ("a <= b", [true, true, false]),
        ("a > b", [false, false, true]),
        ("a >= b", [false, true, true]),
    ] {
        let found = [1, 2, 3].map(|a| holds(text, &[a, 2]).unwrap());
        assert_eq!(found, truths, "{text}");
    }
}

#[test]
fn mod_and_div_round_down() {
    for n in -9..10i128 {
        let (q, r) = (at("n div 4", n).unwrap(), at("n mod 4", n).unwrap());
        assert_eq!(4 * q + r, n);
        assert!((0..4).contains(&r), "{n}");
    }
    assert_eq!(at("n div 1", i128::MIN), Ok(i128::MIN));
    assert_eq!(at("n mod 2^126", -1), Ok((1 << 126) - 1));
}

#[test]
fn functions() {
    assert_eq!([0, 1, 12, i128::MAX].map(|n| at("lowbit(n)", n).unwrap()), [0, 1, 4, 1]);
    assert_eq!(at("lowbit(n)", 1 << 126), Ok(1 << 126));
    assert_eq!([0, 1, 12, i128::MAX].map(|n| at("bitlength(n)", n).unwrap()), [0, 1, 4, 127]);
    assert_eq!([0, 2, 9].map(|n| at("min(n, 5, n + 1)", n).unwrap()), [0, 2, 5]);
    assert_eq!([0, 2, 9].map(|n| at("max(n, 5)", n).unwrap()), [5, 5, 9]);
    assert_eq!(at("min(n)", -3), Ok(-3));
}

#[test]
fn numbers() {
    assert_eq!(value("1_000_000"), 1_000_000);
    assert_eq!(value("007"), 7);
    assert_eq!(value("2^10 + 1"), 1025);
    assert_eq!(value("3 * 2^3 + 1"), 25);
    assert_eq!([value("0^0"), value("0^9"), value("1^9999999999999999999999999999999999999999999")], [1, 0, 1]);
    assert_eq!(value("-2^2"), -4);
    assert_eq!(value("-3 mod 4"), 1);
    assert_eq!(value("2--3"), 5);
    assert_eq!(value("170141183460469231731687303715884105727"), i128::MAX);
    assert_eq!(value("-170141183460469231731687303715884105728"), i128::MIN);
    assert_eq!(value("- 2^127"), i128::MIN);
    assert_eq!(printed("n-1"), "n - 1");
    assert_eq!(printed("-0"), "0");
}

#[test]
fn overflow_names_the_operation() {
    let overflow = |operation| Err(EvalError::Overflow { operation });
    assert_eq!(at("n + 1", i128::MAX), overflow("+"));
    assert_eq!(at("n - 1", i128::MIN), overflow("-"));
    assert_eq!(at("n * 2", 1 << 126), overflow("*"));
    assert_eq!(at("n << 126", 1), Ok(1 << 126));
    assert_eq!(at("n << 127", 1), overflow("<<"));
    assert_eq!(at("n << 1", 1 << 126), overflow("<<"));
    assert_eq!(at("n << 1", (1 << 126) - 1), Ok(i128::MAX - 1));
    assert_eq!(at("n << 127", 0), Ok(0));
    assert_eq!(at("n >> 127", i128::MAX), Ok(0));
    assert_eq!(at("n + 1", i128::MAX).unwrap_err().to_string(), "\"+\" overflows 128-bit integers");
}

#[test]
fn binary_digits_of_negative_numbers_are_refused() {
    for (text, operation) in [
        ("n << 1", "<<"),
        ("n >> 1", ">>"),
        ("n bitand 1", "bitand"),
        ("1 bitand n", "bitand"),
        ("1 xor n", "xor"),
        ("n bitor 0", "bitor"),
        ("lowbit(n)", "lowbit"),
        ("bitlength(n)", "bitlength"),
        ("columns(1, n) mod 2 = 0: 1; else 0", "columns"),
        ("columns(1, n) mod 2 = 1: 1; else 0", "columns"),
    ] {
        assert_eq!(at(text, -3), Err(EvalError::Negative { operation, operand: -3 }), "{text}");
    }
    let message = at("n xor 1", -3).unwrap_err().to_string();
    assert_eq!(message, "\"xor\" is not defined for the negative number -3");
}

#[test]
fn a_condition_guards_what_comes_after_it() {
    assert_eq!(at("n >= 3 and n - 3 xor 1 = 5: 1; else 0", 0), Ok(0));
    assert_eq!(at("n < 3 or n - 3 xor 1 = 5: 1; else 0", 0), Ok(1));
    assert_eq!(at("n < 3: 0; else n - 3 xor 1", 0), Ok(0));
    assert!(at("n - 3 xor 1 = 5 and n >= 3: 1; else 0", 0).is_err());
}

#[test]
fn the_number_of_values_is_checked() {
    let f = Formula::parse("0", &["n"]).unwrap();
    let error = f.eval(&[]).unwrap_err();
    assert_eq!(error, EvalError::ValueCount { expected: 1, given: 0 });
    assert_eq!(error.to_string(), "the number of values is 0, not 1");
    assert!(Claim::parse("0 = 0", &[]).unwrap().eval(&[1]).is_err());
    assert_eq!(Term::Variable(2).eval(&[0]), Err(EvalError::ValueCount { expected: 3, given: 1 }));
    assert!(Term::Variable(usize::MAX).eval(&[0]).is_err());
}

#[test]
fn columns_of_binary_digits() {
    for (a, b, c) in (0..512).map(|i| (i % 8, i / 8 % 8, i / 64)) {
        let nim = holds("columns(a, b, c) mod 2 = 0", &[a, b, c]);
        assert_eq!(nim, holds("a xor b xor c = 0", &[a, b, c]));
        let moore = (0..3).all(|i| [a, b, c].iter().filter(|v| *v >> i & 1 == 1).count() % 3 == 0);
        assert_eq!(holds("columns(a, b, c) mod 3 == 0", &[a, b, c]), Ok(moore));
        assert_eq!(holds("columns(a, b, c) mod 3 = 1", &[a, b, c]), Ok(false));
        assert_eq!(holds("columns(a, b, c) mod 1 = 0", &[a, b, c]), Ok(true));
    }
    // Every low column sums to 1: the empty columns above refute it all the same.
    assert_eq!(holds("columns(a) mod 2 = 1", &[i128::MAX]), Ok(false));
    assert_eq!(holds("columns(a, a + b) mod 2 = 0", &[i128::MAX, 0]), Ok(true));
    assert_eq!(holds("not columns(a, b) mod 2^100 = 3 - 3", &[0, 1]), Ok(true));
}

#[test]
fn names_are_those_declared() {
    let f = Formula::parse("heap_2 - HEAP_1", &["heap_1", "heap_2"]).unwrap();
    assert_eq!(f.variables(), ["heap_1", "heap_2"]);
    assert_eq!(f.eval(&[3, 5]), Ok(2));
    assert_eq!(f.to_string(), "heap_2 - heap_1");
    for (names, message) in [
        (&["mod"][..], "\"mod\" cannot be the name of a variable"),
        (&["N"], "\"N\" cannot be the name of a variable"),
        (&[""], "\"\" cannot be the name of a variable"),
        (&["1a"], "\"1a\" cannot be the name of a variable"),
        (&["a-b"], "\"a-b\" cannot be the name of a variable"),
        (&["a", "b", "a"], "the variable \"a\" is declared twice"),
    ] {
        let error = Formula::parse("1", names).unwrap_err();
        assert_eq!((error.message.as_str(), error.span), (message, 0..0));
        assert_eq!(Formula::new(names.iter().map(|s| s.to_string()).collect(), vec![], Term::Integer(1)), None);
    }
    assert_eq!(Formula::new(vec!["n".to_string()], vec![], Term::Variable(1)), None);
}

#[test]
fn case_and_white_space_do_not_matter() {
    assert_eq!(printed("N MOD 4==0:LowBit(N);Else\u{a0}\n\tmax( n,M )"), "n mod 4 = 0: lowbit(n); else max(n, m)");
    assert_eq!(printed("4mod 3xor 1"), "4 mod 3 xor 1");
}

#[test]
fn printing_leaves_out_what_can_be_left_out() {
    for (text, canonical) in [
        ("else n", "n"),
        ("((n))", "n"),
        ("(n + 1) + m", "n + 1 + m"),
        ("n + (1 + m)", "n + (1 + m)"),
        ("n - (1 - m)", "n - (1 - m)"),
        ("(n * m) mod 4", "n * m mod 4"),
        ("n * (m mod 4)", "n * (m mod 4)"),
        ("(n + 1) * 2", "(n + 1) * 2"),
        ("(n xor m) + 1", "(n xor m) + 1"),
        ("n xor (m + 1)", "n xor m + 1"),
        ("n mod (1 << 2 + 1)", "n mod 8"),
        ("n << 1 + 1", "n << 2"),
        ("2 - (-3)", "2 - -3"),
        ("(-3) * n", "-3 * n"),
        ("(not ((n) = 1)): 1; else 0", "not n = 1: 1; else 0"),
        (
            "(n = 1 and m = 1) and n = 2 or (n = 3 or n = 4): 1; else 0",
            "n = 1 and m = 1 and n = 2 or n = 3 or n = 4: 1; else 0",
        ),
        ("n = 1 and (m = 1 and n = 2): 1; else 0", "n = 1 and m = 1 and n = 2: 1; else 0"),
        ("not (n = 1 and m = 1): 1; else 0", "not (n = 1 and m = 1): 1; else 0"),
        ("columns((n), m + 1) mod (2) == 1 - 1: 1; else 0", "columns(n, m + 1) mod 2 = 0: 1; else 0"),
    ] {
        assert_eq!(printed(text), canonical);
        assert_eq!(printed(canonical), canonical);
    }
}

#[test]
fn trees_can_be_built_and_shown() {
    let n = || Term::Variable(0);
    let four = Divisor::new(4).unwrap();
    let residue = n().then(Operation::Mod(four));
    let case = Case {
        condition: Condition::Compare(residue.clone(), Comparison::Equal, Term::Integer(3)),
        value: n().then(Operation::Plus(Term::Integer(1))),
    };
    let f = Formula::new(vec!["n".to_string()], vec![case], n()).unwrap();
    assert_eq!(f, Formula::parse("n mod 4 = 3: n + 1; else n", &["n"]).unwrap());
    assert_eq!(residue.display(&[]).to_string(), "?0 mod 4");
    assert_eq!([Divisor::new(0), Divisor::new(-1)], [None, None]);
    assert_eq!((Shift::new(127).map(Shift::get), Shift::new(128)), (Some(127), None));
    assert_eq!(Arguments::new(vec![]), None);
    let one = || Arguments::new(vec![n()]).unwrap();
    assert_eq!((Columns::new(one(), four, 4), Columns::new(one(), four, -1)), (None, None));
}

#[test]
fn signs_of_other_languages() {
    for (text, start, sign, hint) in [
        ("n % 2", 2, "%", "mod"),
        ("n ^ 1", 2, "^", "xor"),
        ("2 ^ 3", 2, "^", "xor"),
        ("2^n", 1, "^", "xor"),
        ("2^3^2", 3, "^", "xor"),
        ("n & 1", 2, "&", "bitand"),
        ("n | 1", 2, "|", "bitor"),
        ("n / 2", 2, "/", "div"),
        ("n // 2", 2, "//", "div"),
        ("n=1 && n=2: 1; else 2", 4, "&&", "and"),
        ("n=1||n=2: 1; else 2", 3, "||", "or"),
        ("!(n=1): 1; else 2", 0, "!", "not"),
        ("n === 1: 1; else 2", 2, "===", "="),
        ("n <> 1: 1; else 2", 2, "<>", "!="),
        ("n => 1: 1; else 2", 2, "=>", ">="),
        ("n \u{2264} 1: 1; else 2", 2, "\u{2264}", "<="),
        ("n \u{2212} 1", 2, "\u{2212}", "-"),
        ("n \u{2295} 1", 2, "\u{2295}", "xor"),
    ] {
        refuses(text, &format!("\"{sign}\" is not a sign of formulas"), (start, sign), Some(hint));
    }
    let question = "\"?\" is not a sign of formulas; cases are written condition: term; else term";
    refuses("n = 1 ? 2 : 3", question, (6, "?"), None);
    refuses("n + é", "unexpected character \"é\"", (4, "é"), None);
    refuses("n + \u{1b}", "unexpected character \"\\u{1b}\"", (4, "\u{1b}"), None);
    refuses("n[0]", "unexpected character \"[\"", (1, "["), None);
}

#[test]
fn operands_without_an_operator() {
    let missing = |a: &str, b: &str| format!("missing operator between \"{a}\" and \"{b}\"");
    refuses("2n", &missing("2", "n"), (0, "2n"), Some("2*n"));
    refuses("1 + 2 n", &missing("2", "n"), (4, "2 n"), Some("2*n"));
    refuses("(n+1)(n-1)", &missing(")", "("), (4, ")("), Some(")*("));
    refuses("3lowbit(n)", &missing("3", "lowbit"), (0, "3lowbit"), Some("3*lowbit"));
    refuses("n 2", &missing("n", "2"), (0, "n 2"), Some("n*2"));
    refuses("n xro 1", "unknown operator \"xro\"", (2, "xro"), Some("xor"));
    refuses("n bxor 1", "unknown operator \"bxor\"", (2, "bxor"), Some("xor"));
    refuses("n modulo 2", "unknown operator \"modulo\"", (2, "modulo"), Some("mod"));
    refuses("n plus 2", "unknown operator \"plus\"", (2, "plus"), None);
    refuses("n = 1 not n = 2: 1; else 0", "expected an operator, found \"not\"", (6, "not"), None);
}

#[test]
fn unknown_names() {
    refuses("m + 1", "unknown name \"m\" (the variable is n)", (0, "m"), Some("n"));
    refuses("maxx + 1", "unknown name \"maxx\" (the variable is n)", (0, "maxx"), Some("max"));
    refuses("1 + Lowbits(n)", "unknown function \"Lowbits\"", (4, "Lowbits"), Some("lowbit"));
    refuses("gcd (n, 2)", "unknown function \"gcd\"", (0, "gcd"), None);
    refuses("true: 1; else 2", "unknown name \"true\" (the variable is n)", (0, "true"), Some("0 = 0"));
    let error = Formula::parse("heap1 + haep_2", &["heap_1", "heap_2"]).unwrap_err();
    assert_eq!(error.message, "unknown name \"heap1\" (the variables are heap_1, heap_2)");
    assert_eq!((error.span, error.hint.as_deref()), (0..5, Some("did you mean \"heap_1\"?")));
    let error = Formula::parse("n", &[]).unwrap_err();
    assert_eq!(error.message, "unknown name \"n\"");
    let long = "z".repeat(100_000);
    let error = Formula::parse(&long, &["n"]).unwrap_err();
    assert!(error.message.len() < 100 && error.hint.is_none());
}

#[test]
fn constants_on_the_right() {
    let (modulus, shift) = ("takes a positive constant on its right", "takes a constant from 0 to 127 on its right");
    refuses("n mod n", &format!("\"mod\" {modulus}"), (6, "n"), None);
    refuses("7 div (n + 1) + 2", &format!("\"div\" {modulus}"), (6, "(n + 1)"), None);
    refuses("n mod 0", &format!("\"mod\" {modulus}, not 0"), (6, "0"), None);
    refuses("n div -4", &format!("\"div\" {modulus}, not -4"), (6, "-4"), None);
    refuses("1 << n", &format!("\"<<\" {shift}"), (5, "n"), None);
    refuses("n << 100 + 28", &format!("\"<<\" {shift}, not 128"), (5, "100 + 28"), None);
    refuses("n >> -1", &format!("\">>\" {shift}, not -1"), (5, "-1"), None);
    refuses("n mod (2^126 * 2)", "\"*\" overflows 128-bit integers", (6, "(2^126 * 2)"), None);
    refuses("1 << 126 + n * 0", &format!("\"<<\" {shift}"), (5, "126 + n * 0"), None);
}

#[test]
fn comparisons_do_not_chain() {
    let message = "comparisons do not chain";
    claim_refuses("0 < a < b", message, (0, "0 < a < b"), Some("0 < a and a < b"));
    claim_refuses(
        "c=1 or a = b=c+1 <= 4 and c = 2",
        message,
        (7, "a = b=c+1 <= 4"),
        Some("a = b and b = c+1 and c+1 <= 4"),
    );
    claim_refuses("not 0 < a < b", message, (4, "0 < a < b"), Some("(0 < a and a < b)"));
    claim_refuses("a < b < ", message, (0, "a < b <"), None);
    claim_refuses("(a < b) < c", "expected a number, found a condition", (0, "(a < b)"), None);
}

#[test]
fn numbers_and_conditions_in_each_others_place() {
    let (truth, number) = ("expected a condition, found a number", "expected a number, found a condition");
    claim_refuses("a", truth, (0, "a"), Some("a != 0"));
    claim_refuses("a = 1 and (b + 1)", truth, (10, "(b + 1)"), Some("(b + 1) != 0"));
    claim_refuses("not a", truth, (4, "a"), Some("a != 0"));
    claim_refuses("1 + (a = b) = 2", number, (4, "(a = b)"), None);
    claim_refuses("max(a, b = c) = 1", number, (7, "b = c"), None);
    claim_refuses("1 + not a = b", "expected a number, found \"not\"", (4, "not"), None);
    refuses("n mod 2: 1; else 0", truth, (0, "n mod 2"), Some("n mod 2 != 0"));
    refuses("n = 2: n = 1; else 0", number, (7, "n = 1"), None);
}

#[test]
fn cases_are_closed_by_else() {
    refuses("n = 2", "expected \":\" and a term after the condition, found the end of the text", (5, ""), None);
    refuses("n = 2: 1", "expected \";\" after the term of a case, found the end of the text", (8, ""), None);
    refuses("n = 2: 1;", "the cases end without \"else\" and a term", (9, ""), None);
    refuses("n = 2: 1; n", "the term for all other cases has \"else\" before it", (10, "n"), Some("else n"));
    refuses("n = 2: 1 else n", "expected \";\" after the term of a case, found \"else\"", (9, "else"), Some("; else"));
    refuses("n = 2: 1; else: n", "\"else\" is followed by a term without \":\"", (14, ":"), None);
    refuses("n = 2: 1; else n;", "expected the end of the text, found \";\"", (16, ";"), None);
    refuses("n = 2: else n", "\"else\" stands after a \";\"", (7, "else"), None);
    claim_refuses("a = 2: 1; else 2", "expected the end of the text, found \":\"", (5, ":"), None);
}

#[test]
fn parentheses_and_arguments() {
    let operand = "expected a number, a variable or a parenthesis, found";
    refuses("", &format!("{operand} the end of the text"), (0, ""), None);
    refuses("n +  ", &format!("{operand} the end of the text"), (5, ""), None);
    refuses("n + * 2", &format!("{operand} \"*\""), (4, "*"), None);
    refuses("()", &format!("{operand} \")\""), (1, ")"), None);
    refuses("2 * (n + 1", "this parenthesis is not closed", (4, "("), None);
    refuses("(n + 1; 2)", "expected \")\", found \";\"", (6, ";"), None);
    refuses("n + 1)", "\")\" without \"(\"", (5, ")"), None);
    refuses("min + 1", "expected \"(\" and arguments after \"min\", found \"+\"", (4, "+"), None);
    refuses("min()", &format!("{operand} \")\""), (4, ")"), None);
    refuses("min(n,)", &format!("{operand} \")\""), (6, ")"), None);
    refuses("lowbit(n, 1)", "\"lowbit\" takes one argument", (10, "1"), None);
    claim_refuses("columns(a, b) = 0", "expected \"mod m = r\" after the columns, found \"=\"", (14, "="), None);
    claim_refuses(
        "columns(a) mod 2 != 0",
        "expected \"=\" and the residue of the columns, found \"!=\"",
        (17, "!="),
        None,
    );
    claim_refuses("columns(a) mod 3 = 4", "a residue modulo 3 is at least 0 and below 3", (19, "4"), Some("1"));
    claim_refuses("columns(a) mod 3 = b", "the residue of the columns is a constant", (19, "b"), None);
}

#[test]
fn signs_and_numbers_that_are_refused() {
    let minus = "a minus sign stands between two terms or before a number";
    refuses("2 * -n", minus, (4, "-n"), Some("(0 - n)"));
    refuses("-(n)", minus, (0, "-"), None);
    refuses("--1", minus, (0, "-"), None);
    let large = "number too large: the greatest is 2^127 - 1";
    refuses("n + 170141183460469231731687303715884105728", large, (4, "170141183460469231731687303715884105728"), None);
    refuses("-2^127 - 2^127", large, (9, "2^127"), None);
    refuses("-2^128", large, (1, "2^128"), None);
    refuses(
        "7^9999999999999999999999999999999999999999",
        large,
        (0, "7^9999999999999999999999999999999999999999"),
        None,
    );
    refuses("0x1F + n", "numbers are written in decimal here", (0, "0x1F"), Some("31"));
    refuses("2.5", "numbers are integers here", (0, "2.5"), None);
    refuses("1_ + n", "\"_\" in a number stands between two digits", (1, "_"), None);
    refuses("2_n", "\"_\" in a number stands between two digits", (1, "_"), None);
}

/// Runs `f` on half of the stack that a thread gets; without optimisation the deepest formula takes most of it.
fn on_a_small_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1024 << 10).spawn(f).unwrap().join().unwrap();
}

#[test]
fn nesting_is_limited() {
    on_a_small_stack(|| {
        let message = "more than 128 levels of nesting";
        for open in ["(", "not ", "max(", "1 + (", "n = 1 or n = 1 and not 1 < (", "columns("] {
            let text = open.repeat(50_000 / open.len());
            assert_eq!(Formula::parse(&text, &["n"]).unwrap_err().message, message);
        }
        refuses(&"(".repeat(129), message, (128, "("), None);
        assert_eq!(value(&format!("{}5{}", "(".repeat(128), ")".repeat(128))), 5);
    });
}

#[test]
fn the_deepest_trees_are_walked_on_a_small_stack() {
    on_a_small_stack(|| {
        let open = "0 bitor 1 xor 3 bitand 1 + 2 * (";
        let text = format!("{}n{}", open.repeat(128), ")".repeat(128));
        let f = Formula::parse(&text, &["n"]).unwrap();
        assert_eq!(f.eval(&[0]).unwrap(), f.clone().eval(&[0]).unwrap());
        assert_eq!(Formula::parse(&f.to_string(), &["n"]).as_ref(), Ok(&f));
        let text = format!("{}n = 2{}", "n = 1 or n = 2 and not (".repeat(64), ")".repeat(64));
        let claim = Claim::parse(&text, &["n"]).unwrap();
        assert_eq!(claim.eval(&[2]), Ok(true));
        assert_eq!(Claim::parse(&claim.to_string(), &["n"]), Ok(claim));
    });
}

#[test]
fn long_texts_are_wide_and_not_deep() {
    on_a_small_stack(|| {
        let sum = format!("n{}", " + 1".repeat(60_000));
        assert_eq!(at(&sum, 5), Ok(60_005));
        let odd = format!("n = 1{}: 7; else 0", " or n = 3".repeat(20_000));
        assert_eq!((at(&odd, 3), at(&odd, 2)), (Ok(7), Ok(0)));
        let cases = format!("{}else 0", "n = 9: 1; ".repeat(20_000));
        assert_eq!(at(&cases, 3), Ok(0));
        let args = format!("max(0{})", ", n".repeat(80_000));
        assert_eq!(at(&args, 3), Ok(3));
        assert_eq!(printed(&sum), sum);
        let chain = "1 < ".repeat(60_000) + "1";
        let error = Claim::parse(&chain, &[]).unwrap_err();
        assert_eq!((error.span, error.hint), (0..chain.len(), None));
    });
}

#[test]
fn texts_that_are_too_long_are_refused() {
    let text = " ".repeat(parse::MAX_LENGTH - 1) + "é";
    let error = Formula::parse(&text, &["n"]).unwrap_err();
    assert_eq!(error.message, "the text is longer than 262144 bytes");
    assert_eq!(error.span, parse::MAX_LENGTH - 1..parse::MAX_LENGTH + 1);
    assert!(Formula::parse(&(" ".repeat(parse::MAX_LENGTH - 1) + "n"), &["n"]).is_ok());
}

const NAMES: [&str; 3] = ["a", "b", "heap_3"];

fn names() -> Vec<String> {
    NAMES.iter().map(|name| name.to_string()).collect()
}

fn integer() -> impl Strategy<Value = i128> {
    prop_oneof![4 => -3..20i128, 1 => any::<i128>(), 1 => Just(i128::MIN), 1 => Just(i128::MAX)]
}

fn divisor() -> impl Strategy<Value = Divisor> {
    prop_oneof![1..9i128, 1..=i128::MAX].prop_map(|m| Divisor::new(m).unwrap())
}

fn term() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![integer().prop_map(Term::Integer), (0..NAMES.len()).prop_map(Term::Variable)];
    leaf.prop_recursive(6, 40, 4, |inner| {
        let operation = prop_oneof![
            inner.clone().prop_map(Operation::Times),
            divisor().prop_map(Operation::Mod),
            divisor().prop_map(Operation::Div),
            inner.clone().prop_map(Operation::Plus),
            inner.clone().prop_map(Operation::Minus),
            (0..=Shift::MAX).prop_map(|s| Operation::ShiftLeft(Shift::new(s).unwrap())),
            (0..=Shift::MAX).prop_map(|s| Operation::ShiftRight(Shift::new(s).unwrap())),
            inner.clone().prop_map(Operation::BitAnd),
            inner.clone().prop_map(Operation::Xor),
            inner.clone().prop_map(Operation::BitOr),
        ];
        let operations = prop::collection::vec(operation, 1..4);
        let arguments = prop::collection::vec(inner.clone(), 1..4).prop_map(|ts| Arguments::new(ts).unwrap());
        prop_oneof![
            6 => (inner.clone(), operations).prop_map(|(t, ops)| ops.into_iter().fold(t, Term::then)),
            1 => inner.clone().prop_map(|t| Term::LowBit(Box::new(t))),
            1 => inner.prop_map(|t| Term::BitLength(Box::new(t))),
            1 => arguments.clone().prop_map(Term::Min),
            1 => arguments.prop_map(Term::Max),
        ]
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let comparison = prop::sample::select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ]);
    let columns = (prop::collection::vec(term(), 1..4), divisor(), 0..=i128::MAX)
        .prop_map(|(ts, m, r)| Columns::new(Arguments::new(ts).unwrap(), m, r % m.get()).unwrap());
    let leaf = prop_oneof![
        3 => (term(), comparison, term()).prop_map(|(l, c, r)| Condition::Compare(l, c, r)),
        1 => columns.prop_map(Condition::Columns),
    ];
    leaf.prop_recursive(5, 20, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(Condition::negated),
            (inner.clone(), inner.clone()).prop_map(|(l, r)| l.and(r)),
            (inner.clone(), inner).prop_map(|(l, r)| l.or(r)),
        ]
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    let case = (condition(), term()).prop_map(|(condition, value)| Case { condition, value });
    (prop::collection::vec(case, 0..3), term())
        .prop_map(|(cases, otherwise)| Formula::new(names(), cases, otherwise).unwrap())
}

/// The term with every operation in parentheses: what the printer would be without precedence.
fn plain(term: &Term) -> String {
    let list = |ts: &Arguments| ts.terms().iter().map(plain).collect::<Vec<_>>().join(",");
    match term {
        Term::Integer(value) => format!("({value})"),
        Term::Variable(i) => NAMES[*i].to_string(),
        Term::Chain(chain) => chain.operations().iter().fold(plain(chain.first()), |left, operation| {
            let right = match operation {
                Operation::Mod(m) | Operation::Div(m) => m.get().to_string(),
                Operation::ShiftLeft(s) | Operation::ShiftRight(s) => s.get().to_string(),
                _ => plain(operation.operand().unwrap()),
            };
            format!("({left} {} {right})", operation.symbol())
        }),
        Term::LowBit(t) => format!("lowbit({})", plain(t)),
        Term::BitLength(t) => format!("bitlength({})", plain(t)),
        Term::Min(ts) => format!("min({})", list(ts)),
        Term::Max(ts) => format!("max({})", list(ts)),
    }
}

/// Words that make up texts which are nearly formulas.
const SOUP: [&str; 40] = [
    "a", "b", "heap_3", "z", "0", "1", "2^3", "2^", "9_9", "_", "+", "-", "*", "mod", "div", "<<", ">>", "bitand",
    "xor", "bitor", "lowbit", "min", "max", "columns", "(", ")", "(", ")", ",", ":", ";", "else", "=", "!=", "<",
    "and", "or", "not", "^", "é",
];

proptest! {
    #[test]
    fn what_is_printed_reads_as_the_same_formula(f in formula()) {
        let text = f.to_string();
        prop_assert_eq!(Formula::parse(&text, &NAMES), Ok(f), "{}", text);
    }

    #[test]
    fn what_is_printed_reads_as_the_same_claim(c in condition()) {
        let claim = Claim::new(names(), c).unwrap();
        let text = claim.to_string();
        prop_assert_eq!(Claim::parse(&text, &NAMES), Ok(claim), "{}", text);
    }

    #[test]
    fn needless_parentheses_change_nothing(t in term()) {
        let f = Formula::parse(&plain(&t), &NAMES).unwrap();
        prop_assert_eq!(f.otherwise(), &t);
    }

    #[test]
    fn evaluation_never_panics(f in formula(), values in prop::collection::vec(integer(), 3)) {
        let _ = f.eval(&values);
    }

    #[test]
    fn whatever_is_typed_is_read_or_marked(words in prop::collection::vec(prop::sample::select(SOUP.to_vec()), 0..12), tight: bool) {
        let text = words.join(if tight { "" } else { " " });
        marked(&text)?;
    }

    #[test]
    fn any_characters_are_read_or_marked(text in "\\PC{0,20}") {
        marked(&text)?;
    }
}

/// Reads `text`: what is read prints to a fixed point, what is refused is marked within the text.
fn marked(text: &str) -> Result<(), TestCaseError> {
    match Formula::parse(text, &NAMES) {
        Ok(f) => {
            let printed = f.to_string();
            prop_assert_eq!(Formula::parse(&printed, &NAMES), Ok(f));
        }
        Err(error) => prop_assert!(text.get(error.span.clone()).is_some(), "{:?}", error),
    }
    let _ = Claim::parse(text, &NAMES);
    Ok(())
}
