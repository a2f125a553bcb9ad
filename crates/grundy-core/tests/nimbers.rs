//! Nimber arithmetic against tables that other implementations made.

use grundy_core::theory::{
    nim_log::{log, order},
    nim_product::{half_solution, inverse, product, sqrt, square},
};

fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

fn number(text: &str) -> u128 {
    match text.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).unwrap(),
        None => text.parse().unwrap(),
    }
}

#[test]
fn products() {
    for row in rows(include_str!("../../../testdata/nimbers/products.csv")) {
        let [a, b, expected] = [1, 2, 3].map(|i| number(row[i]));
        assert_eq!(product(a, b), expected, "{row:?}");
        assert_eq!(product(b, a), expected, "{row:?}");
    }
}

#[test]
fn inverses_squares_roots_and_solutions() {
    for row in rows(include_str!("../../../testdata/nimbers/inverses.csv")) {
        let [bits, a, inverted, squared, root] = [0, 1, 2, 3, 4].map(|i| number(row[i]));
        assert_eq!((inverse(a), square(a), sqrt(a)), (Some(inverted), squared, root), "{row:?}");
        assert_eq!((product(a, inverted), square(root), product(a, a)), (1, a, squared), "{row:?}");
        let within = half_solution(a).filter(|x| bits == 128 || *x < 1 << bits);
        let expected = (row[5] != "none").then(|| number(row[5]));
        assert_eq!(within, expected, "{row:?}");
        if let Some(x) = half_solution(a) {
            assert_eq!(square(x) ^ x, a, "{row:?}");
        }
    }
}

#[test]
fn logarithms_and_orders() {
    // all of them in an optimised build
    let few = if cfg!(debug_assertions) { 5 } else { 1 };
    for row in rows(include_str!("../../../testdata/nimbers/logs.csv")).step_by(few) {
        let [base, a, expected, of] = [1, 2, 3, 4].map(|i| number(row[i]));
        assert_eq!((log(a, base).map(u128::from), order(a)), (Ok(expected), Some(of)), "{row:?}");
    }
}
