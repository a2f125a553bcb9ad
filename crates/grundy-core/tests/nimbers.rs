//! Nimber arithmetic against tables that other implementations made.

use grundy_core::theory::{
    Natural, Nimber,
    nim_log::{log, order},
    nim_product::{half_solution, inverse, product, sqrt, square},
    nimber::{Roots, solve},
};
use proptest::prelude::*;

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

/// What the tables of other implementations say of the type of any width.
#[test]
fn nimbers_of_any_width_agree_with_the_tables() {
    let n = |text: &str| Nimber::from(number(text));
    for row in rows(include_str!("../../../testdata/nimbers/products.csv")) {
        assert_eq!(n(row[1]).product(&n(row[2])), n(row[3]), "{row:?}");
    }
    for row in rows(include_str!("../../../testdata/nimbers/inverses.csv")) {
        let a = n(row[1]);
        assert_eq!((a.inverse(), a.square(), a.sqrt()), (Some(n(row[2])), n(row[3]), n(row[4])), "{row:?}");
        assert_eq!(a.quotient(&a), Some(Nimber::ONE));
        // solvable in the field of the row exactly if the trace there is 0
        let bits = row[0].parse().unwrap();
        assert_eq!(a.trace(bits), Some(row[5] == "none"), "{row:?}");
        let root = a.half_root();
        match row[5] {
            "none" => assert_eq!(root.field_bits(), 2 * bits),
            even => assert_eq!(root, n(even), "{row:?}"),
        }
        let odd = root.sum(&Nimber::ONE);
        assert_eq!(solve(&Nimber::ONE, &Nimber::ONE, &a), Roots::Two(root, odd), "{row:?}");
    }
    for row in rows(include_str!("../../../testdata/nimbers/logs.csv")).step_by(10) {
        assert_eq!(n(row[2]).log(&n(row[1])), Ok(number(row[3])), "{row:?}");
        assert_eq!(n(row[2]).order(), Ok(Natural::from(number(row[4]))), "{row:?}");
    }
}

#[test]
fn an_order_in_the_widest_field() {
    let a = Nimber::from(Natural::power_of_two(2048)).sum(&Nimber::from(12_345u64));
    let order = a.order().unwrap();
    assert_eq!(a.power(&order), Nimber::ONE);
    assert!(order.bits() > 2048 && order <= a.group().unwrap());
}

/// Nimbers of up to 1024 bits, of the small fields and on the borders of fields too.
fn nimber() -> impl Strategy<Value = Nimber> {
    let limbs = proptest::collection::vec(any::<u64>(), 1..17);
    prop_oneof![
        4 => limbs.prop_map(|limbs| Nimber::from(Natural::from_limbs(limbs))),
        2 => any::<u64>().prop_map(Nimber::from),
        1 => (0u64..300).prop_map(Nimber::from),
        1 => (0u32..1024).prop_map(|k| Nimber::from(Natural::power_of_two(k))),
        1 => (0u32..1024, 0u64..9).prop_map(|(k, c)| Nimber::from(Natural::power_of_two(k)).sum(&Nimber::from(c))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn products_up_to_128_bits_are_the_plain_ones(a: u128, b: u128) {
        let (x, y) = (Nimber::from(a), Nimber::from(b));
        prop_assert_eq!(x.product(&y).size().to_u128(), Some(product(a, b)));
        prop_assert_eq!(x.inverse().map(|i| i.size().to_u128()), inverse(a).map(Some));
        prop_assert_eq!((x.square(), x.sqrt()), (Nimber::from(square(a)), Nimber::from(sqrt(a))));
        if let Some(root) = half_solution(a) {
            prop_assert_eq!(x.half_root(), Nimber::from(root));
        }
    }

    #[test]
    fn axioms_of_a_field(a in nimber(), b in nimber(), c in nimber()) {
        let ab = a.product(&b);
        prop_assert!(ab.field_bits() <= a.field_bits().max(b.field_bits()));
        prop_assert_eq!(&ab, &b.product(&a));
        prop_assert_eq!(ab.product(&c), a.product(&b.product(&c)));
        prop_assert_eq!(a.sum(&b).product(&c), a.product(&c).sum(&b.product(&c)));
        prop_assert_eq!(a.sum(&a), Nimber::ZERO);
        prop_assert_eq!((&a.product(&Nimber::ONE), a.product(&Nimber::ZERO)), (&a, Nimber::ZERO));
        prop_assert_eq!(a.inverse().is_none(), a.is_zero());
        if let Some(inverse) = a.inverse() {
            prop_assert_eq!(inverse.product(&a), Nimber::ONE);
            prop_assert_eq!(ab.quotient(&a), Some(b.clone()));
        }
    }

    #[test]
    fn squares_roots_and_traces(a in nimber(), b in nimber()) {
        prop_assert_eq!(a.square(), a.product(&a));
        prop_assert_eq!(a.square().sqrt(), a.clone());
        prop_assert_eq!(a.sqrt().square(), a.clone());
        let bits = a.field_bits().max(b.field_bits());
        let traces = (a.trace(bits).unwrap(), b.trace(bits).unwrap());
        prop_assert_eq!(a.sum(&b).trace(bits), Some(traces.0 ^ traces.1));
        prop_assert_eq!(a.square().trace(bits), Some(traces.0));
        let root = a.half_root();
        prop_assert_eq!(root.square().sum(&root), a.clone());
        prop_assert!(!root.size().bit(0));
        prop_assert_eq!(root.field_bits() > a.field_bits(), a.trace(a.field_bits()) == Some(true));
    }

    #[test]
    fn roots_are_roots(a in nimber(), b in nimber(), c in nimber()) {
        let value = |x: &Nimber| a.product(&x.square()).sum(&b.product(x)).sum(&c);
        match solve(&a, &b, &c) {
            Roots::Two(x, y) => {
                prop_assert!(x < y && !a.is_zero() && !b.is_zero());
                prop_assert_eq!((value(&x), value(&y)), (Nimber::ZERO, Nimber::ZERO));
            }
            Roots::One(x) => {
                prop_assert!(a.is_zero() != b.is_zero());
                prop_assert_eq!(value(&x), Nimber::ZERO);
            }
            _ => prop_assert!(a.is_zero() && b.is_zero()),
        }
    }

    #[test]
    fn powers_add_in_the_exponent(a in nimber(), k: u64, l: u64) {
        let (k, l) = (Natural::from(k % 1000), Natural::from(l % 1000));
        prop_assert_eq!(a.power(&k).product(&a.power(&l)), a.power(&k.plus(&l)));
    }
}
