use super::*;
use crate::theory::{Nimber, nimber::Roots};
use proptest::prelude::*;

fn value(text: &str) -> Result<NimberValue, NimberError> {
    Expression::parse(text, USUAL_BITS)?.value(&mut Calculation::new(&mut || true))
}

/// The value as text.
fn shown(text: &str) -> String {
    match value(text) {
        Ok(NimberValue::Nimber(n)) => n.to_string(),
        Ok(NimberValue::Number(n)) => n.to_string(),
        Ok(NimberValue::Roots(roots)) => format!("{roots:?}"),
        Err(e) => panic!("{text}: {e}"),
    }
}

/// The refusal: the marked text, and the message.
fn refused(text: &str) -> (String, String) {
    match value(text) {
        Err(NimberError::Refused(e)) => (text[e.span.clone()].to_owned(), e.message),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn values() {
    for (text, expected) in [
        ("6 * 13", "15"),
        ("4 * 7", "10"),
        ("6 + 13", "11"),
        ("1 + 2 * 3", "0"),
        ("(1 + 2) * 3", "2"),
        ("6 / 13 * 13", "6"),
        ("(2^64-1) * (2^64-3)", "14554159489527431842"),
        ("inv(2^32-5)", "4147990372"),
        ("inv(inv(2^32 - 5))", "4294967291"),
        ("0xF_f + 1_0", "245"),
        ("0XFF", "255"),
        ("sqrt(square(123456789))", "123456789"),
        ("pow(2, 3)", "1"),
        ("pow(0, 0)", "1"),
        ("pow(5, -1) * 5", "1"),
        ("pow(6, 2^64-1)", "1"),
        ("pow(7, order(7))", "1"),
        ("order(1)", "1"),
        ("order(0x12)", "255"),
        ("log(3)", "2"),
        ("log(1)", "0"),
        ("log(pow(18, 77), 18)", "77"),
        ("pow(18, log(77, 18))", "77"),
        ("trace(8)", "1"),
        ("trace(8, 8)", "0"),
        ("trace(0)", "0"),
        ("(2^64+1)", "18446744073709551617"),
        ("((2^4) + 16)", "0"),
        ("(2^64-2^32+1)", "18446744069414584321"),
        ("solve(1, 1, 1)", "Two(*2, *3)"),
        ("solve(0, 2, 2)", "One(*1)"),
        ("solve(0, 0, 0)", "All"),
        ("solve(0, 0, 7)", "None"),
        ("SOLVE(1,1,8)", "Two(*16, *17)"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
    let root = Nimber::from(16u64).sqrt();
    assert_eq!(value("solve(1, 0, 2^4)"), Ok(NimberValue::Roots(Roots::One(root))));
}

#[test]
fn wide_numbers() {
    let all = shown("(2^4096-1)");
    assert_eq!((all.len(), shown(&format!("{all} + 1"))), (1234, shown("(2^4096-2)")));
    assert_eq!(shown("(2^256) * (2^256-1) + (2^256-1) * (2^256)"), "0");
    assert_eq!(shown("inv(2^4096-1) * (2^4096-1)"), "1");
    let (marked, message) = refused("1 + (2^4096)");
    assert_eq!((&marked[..], &message[..]), ("2^4096", "this number has more than 4096 binary digits"));
    assert_eq!(refused(&format!("{all}0")).0.len(), 1235);
    assert_eq!(refused("(7^99999999999999999999)").0, "7^99999999999999999999");
    assert!(Expression::parse("(2^8000)", 8192).is_ok());
}

#[test]
fn refusals_have_their_place() {
    for (text, marked, message) in [
        ("inv(0)", "0", "0 has no inverse"),
        ("inv(5 + 5)", "5 + 5", "0 has no inverse"),
        ("7 / (3 + 3)", "(3 + 3)", "division by 0"),
        ("pow(0, -2)", "0", "0 has no inverse"),
        ("log(0)", "0", "0 has no logarithm"),
        ("log(5, 0)", "log(5, 0)", "0 is the base"),
        ("log(4, 2)", "log(4, 2)", "no power of the base"),
        ("log(2^64)", "log(2^64)", "logarithms above 64 bits"),
        ("log(2^128)", "2^128", "logarithms are found up to 128 bits"),
        ("order(0)", "0", "0 has no order"),
        ("order(3) + 1", "order(3)", "order(…) is an ordinary number"),
        ("1 * solve(1, 1, 1)", "solve(1, 1, 1)", "solve(…) is a list"),
        ("pow(3, 1 + 1)", "1 + 1", "an ordinary number has to stand here"),
        ("trace(5, 3)", "3", "no field has so many bits"),
        ("trace(5, 2)", "5", "this nimber is not in the field of 2 bits"),
        ("", "", "expected a number"),
        ("6 *", "", "expected a number"),
        ("6 - 13", "-", "nimbers are not subtracted"),
        ("-6", "-", "a nimber has no sign"),
        ("*6", "*", "expected a number"),
        ("6 13", "1", "expected an operator or the end, found \"1\""),
        ("6 x 13", "x", "the product is written"),
        ("6x13", "x", "\"x\" is no digit"),
        ("6 ⊗ 13", "⊗", "the product is written"),
        ("6 xor 13", "xor", "the nim-sum, or xor"),
        ("2^64-1", "2^64", "\"^\" is the ordinary power"),
        ("inv(6)^2", "^", "\"^\" stands only between"),
        ("(6", "(", "this parenthesis is never closed"),
        ("6)", ")", "this bracket was never opened"),
        ("6, 13", ",", "a comma stands between"),
        ("inv", "inv", "\"inv\" needs its arguments"),
        ("inv()", "inv()", "\"inv\" takes one argument, not 0"),
        ("pow(3)", "pow(3)", "\"pow\" takes 2 arguments, not 1"),
        ("log(1, 2, 3)", "log(1, 2, 3)", "\"log\" takes 1 or 2 arguments"),
        ("inv(3", "(", "this parenthesis is never closed"),
        ("inv(3; 4)", ";", "expected an operator, \",\" or \")\""),
        ("sqrd(3)", "sqrd", "unknown function"),
        ("1.5", "1.", "nimbers are whole numbers"),
        ("1e5", "e", "\"e\" is no digit"),
        ("0x", "0x", "hexadecimal digits are missing"),
        ("1_", "1_", "an underscore"),
        ("ff", "ff", "unknown function"),
        ("(2^4+16)", "2^4+16", "the nim-sum and the ordinary sum differ"),
        ("(2^4+1+1)", "2^4+1+1", "the nim-sum and the ordinary sum differ"),
        ("(2^4-17)", "2^4-17", "a nimber cannot be negative"),
        ("(2^4-1*3)", "2^4-1*", "what is multiplied is not clear"),
        ("(2^4-)", "-", "nimbers are not subtracted"),
    ] {
        let (found, told) = refused(text);
        assert_eq!(found, marked, "{text}: {told}");
        assert!(told.starts_with(message), "{text}: {told}");
    }
    let hint = |text: &str| Expression::parse(text, USUAL_BITS).unwrap_err().hint.unwrap_or_default();
    assert_eq!(hint("inverse(3)"), "did you mean \"inv\"?");
    assert_eq!(hint("sqr(3)"), "did you mean \"sqrt\"?");
    assert!(hint("2^64").starts_with("write (2^64) for that number, pow(2, 64)"));
}

#[test]
fn texts_of_any_shape_are_no_trouble() {
    assert_eq!(shown(&("1".to_owned() + &"+1".repeat(100_000))), "1");
    assert_eq!(shown(&("1".to_owned() + &"*1".repeat(100_000))), "1");
    assert!(refused(&"(".repeat(1000)).1.starts_with("more than 100 parentheses"));
    assert!(refused(&"inv(".repeat(1000)).1.starts_with("more than 100 parentheses"));
    assert_eq!(shown(&format!("{}7{}", "(".repeat(100), ")".repeat(100))), "7");
}

#[test]
fn a_stop_is_told() {
    let e = Expression::parse("pow(7, 2^4000)", USUAL_BITS).unwrap();
    let mut left = 100;
    let mut go_on = || {
        left -= 1;
        left > 0
    };
    assert_eq!(e.value(&mut Calculation { long_logs: false, go_on: &mut go_on }), Err(NimberError::Stopped));
}

#[test]
fn fields_of_expressions() {
    let bits = |text: &str| Expression::parse(text, USUAL_BITS).unwrap().field_bits();
    assert_eq!((bits("1"), bits("6 * 13"), bits("pow(3, 2^64)"), bits("inv(2^64)")), (1, 4, 2, 128));
    assert!(Expression::parse("1 + pow(2, order(3))", 64).unwrap().calls(Function::Order));
}

proptest! {
    #[test]
    fn no_text_is_a_panic(text in "[0-9a-z+*/^() ,_x-]{0,40}|\\PC{0,20}") {
        match Expression::parse(&text, 256) {
            Ok(e) => {
                let again = Expression::parse(&e.to_string(), 256);
                prop_assert_eq!(Ok(e), again);
            }
            Err(e) => prop_assert!(text.get(e.span.clone()).is_some(), "{:?}", e),
        }
    }

    #[test]
    fn what_is_printed_reads_back(text in expression()) {
        let e = Expression::parse(&text, 256).unwrap();
        let again = Expression::parse(&e.to_string(), 256).unwrap();
        prop_assert_eq!(&e, &again, "{} {}", text, e);
        let value = |e: &Expression| e.value(&mut Calculation::new(&mut || true)).map_err(|_| ());
        prop_assert_eq!(value(&e), value(&again));
    }
}

fn expression() -> impl Strategy<Value = String> {
    let leaf =
        prop_oneof![(0u64..300).prop_map(|n| n.to_string()), Just("0x1F".to_owned()), Just("(2^20-3)".to_owned())];
    leaf.prop_recursive(4, 40, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone(), 0usize..3).prop_map(|(a, b, i)| format!("{a} {} {b}", ["+", "*", "/"][i])),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) * ({b})")),
            inner.clone().prop_map(|a| format!("sqrt({a})")),
            inner.clone().prop_map(|a| format!("pow({a}, -3)")),
            inner.prop_map(|a| format!("(inv({a}))")),
        ]
    })
}
