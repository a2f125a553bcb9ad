//! Fast nim arithmetic against the plain one and against tables that other implementations made.

use grundy::nimfield::*;
use grundy_core::theory::{nim_log, nim_product};
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

fn limbs(a: u128) -> [u64; 2] {
    [a as u64, (a >> 64) as u64]
}

fn trimmed(a: u128) -> Vec<u64> {
    let mut limbs = limbs(a).to_vec();
    while limbs.last() == Some(&0) {
        limbs.pop();
    }
    limbs
}

fn plain_product(a: u64, b: u64) -> u64 {
    nim_product::product(a.into(), b.into()) as u64
}

#[test]
fn nimfield_products_of_the_tables() {
    let (mut all_a, mut all_b, mut all_ab) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows(include_str!("../../../testdata/nimbers/products.csv")) {
        let [bits, a, b, ab] = [0, 1, 2, 3].map(|i| number(row[i]));
        assert_eq!(product128(a, b), ab, "{row:?}");
        assert_eq!(wide::product(&limbs(a), &limbs(b)), trimmed(ab), "{row:?}");
        if bits > 64 {
            continue;
        }
        let (a, b, ab) = (a as u64, b as u64, ab as u64);
        assert_eq!(product64(a, b), ab, "{row:?}");
        assert_eq!((NimPoly64::from_nimber(a) * NimPoly64::from_nimber(b)).to_nimber(), ab, "{row:?}");
        if bits <= 32 {
            assert_eq!(u64::from(product32(a as u32, b as u32)), ab, "{row:?}");
        }
        if bits <= 16 {
            assert_eq!(u64::from(product16(a as u16, b as u16)), ab, "{row:?}");
        }
        if bits <= 8 {
            assert_eq!(u64::from(product8(a as u8, b as u8)), ab, "{row:?}");
        }
        all_a.push(a);
        all_b.push(b);
        all_ab.push(ab);
    }
    let mut out = vec![0; all_a.len()];
    products64(&all_a, &all_b, &mut out);
    assert_eq!(out, all_ab);
}

#[test]
fn nimfield_inverses_squares_roots_and_solutions_of_the_tables() {
    for row in rows(include_str!("../../../testdata/nimbers/inverses.csv")) {
        let [bits, a, inverted, squared, root] = [0, 1, 2, 3, 4].map(|i| number(row[i]));
        assert_eq!((inverse128(a), square128(a), sqrt128(a)), (Some(inverted), squared, root), "{row:?}");
        let solution = half_solution128(a).filter(|x| bits == 128 || *x < 1 << bits);
        assert_eq!(solution, (row[5] != "none").then(|| number(row[5])), "{row:?}");
        assert_eq!(wide::inverse(&limbs(a)), Some(trimmed(inverted)), "{row:?}");
        assert_eq!((wide::square(&limbs(a)), wide::sqrt(&limbs(a))), (trimmed(squared), trimmed(root)), "{row:?}");
        if bits > 64 {
            continue;
        }
        let [a, inverted, squared, root] = [a, inverted, squared, root].map(|x| x as u64);
        assert_eq!((inverse64(a), square64(a), sqrt64(a)), (Some(inverted), squared, root), "{row:?}");
        let solution = half_solution64(a).filter(|x| bits == 64 || *x < 1 << bits);
        assert_eq!(solution, (row[5] != "none").then(|| number(row[5]) as u64), "{row:?}");
        if bits <= 32 {
            let a = a as u32;
            assert_eq!(
                (inverse32(a), square32(a), sqrt32(a)),
                (Some(inverted as u32), squared as u32, root as u32),
                "{row:?}"
            );
        }
        if bits <= 16 {
            let a = a as u16;
            assert_eq!(
                (inverse16(a), square16(a), sqrt16(a)),
                (Some(inverted as u16), squared as u16, root as u16),
                "{row:?}"
            );
        }
        if bits <= 8 {
            let a = a as u8;
            assert_eq!(
                (inverse8(a), square8(a), sqrt8(a)),
                (Some(inverted as u8), squared as u8, root as u8),
                "{row:?}"
            );
        }
    }
}

#[test]
fn nimfield_logarithms_and_orders_of_the_tables() {
    for row in rows(include_str!("../../../testdata/nimbers/logs.csv")) {
        let [base, a, expected, of] = [1, 2, 3, 4].map(|i| number(row[i]) as u64);
        assert_eq!((log64(a, base), order64(a)), (Ok(expected), Some(of)), "{row:?}");
    }
    for (a, base) in [(0, 3), (3, 0), (0, 0)] {
        assert_eq!(log64(a, base), Err(nim_log::LogError::Zero));
    }
    assert_eq!(log64(1, 1), Ok(0));
    for (a, base) in [(2, 1), (1 << 40, 1 << 20), (u64::MAX, 15)] {
        assert_eq!(log64(a, base), Err(nim_log::LogError::NoPower));
    }
}

#[test]
fn nimfield_bytes_are_those_of_the_oracle() {
    let pairs = (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b)));
    let (a, b): (Vec<u8>, Vec<u8>) = pairs.unzip();
    let mut out = vec![0; a.len()];
    products8(&a, &b, &mut out);
    for ((a, b), ab) in a.into_iter().zip(b).zip(out) {
        assert_eq!(u64::from(ab), plain_product(a.into(), b.into()), "{a} x {b}");
        assert_eq!(product8(a, b), ab);
    }
    assert_eq!((inverse8(0), inverse16(0), inverse32(0), inverse64(0)), (None, None, None, None));
}

proptest! {
    #[test]
    fn nimfield_slices_of_any_length(pairs in prop::collection::vec((any::<u64>(), any::<u64>(), 0..64u32), 0..300)) {
        let (a, b): (Vec<u64>, Vec<u64>) = pairs.into_iter().map(|(a, b, width)| (a >> width, b)).unzip();
        let mut out = vec![0; a.len()];
        products64(&a, &b, &mut out);
        for i in 0..a.len() {
            prop_assert_eq!(out[i], plain_product(a[i], b[i]));
            prop_assert_eq!(product64(a[i], b[i]), out[i]);
        }
        inverses64(&a, &mut out);
        for i in 0..a.len() {
            prop_assert_eq!((out[i] != 0).then_some(out[i]), nim_product::inverse(a[i].into()).map(|x| x as u64));
            prop_assert_eq!(inverse64(a[i]), (out[i] != 0).then_some(out[i]));
        }
        let mut roots = vec![0; a.len()];
        sqrts64(&a, &mut roots);
        squares64(&roots, &mut out);
        prop_assert_eq!(&out, &a);
        for i in 0..a.len() {
            prop_assert_eq!(roots[i], nim_product::sqrt(a[i].into()) as u64);
        }
        let mut polynomials = vec![NimPoly64::ZERO; a.len()];
        to_polynomials(&a, &mut polynomials);
        prop_assert!(a.iter().zip(&polynomials).all(|(a, p)| NimPoly64::from_nimber(*a) == *p));
        to_nimbers(&polynomials, &mut out);
        prop_assert_eq!(&out, &a);
    }

    #[test]
    fn nimfield_single_ones(a: u64, b: u64, k: u64, width in 0..64u32) {
        let (a, k) = (a >> width, k >> (63 - width));
        prop_assert_eq!(product64(a, b), plain_product(a, b));
        prop_assert_eq!(square64(a), plain_product(a, a));
        prop_assert_eq!(square64(sqrt64(b)), b);
        prop_assert_eq!(inverse64(a), nim_product::inverse(a.into()).map(|x| x as u64));
        prop_assert_eq!(divide64(plain_product(a, b), b), (b != 0).then_some(a));
        prop_assert_eq!(power64(b, k), nim_product::power(b.into(), k.into()) as u64);
        let solution = nim_product::half_solution(a.into()).and_then(|x| u64::try_from(x).ok());
        prop_assert_eq!(half_solution64(a), solution);
        let (c, d) = (a as u32, b as u32);
        prop_assert_eq!(u64::from(product32(c, d)), plain_product(c.into(), d.into()));
        prop_assert_eq!(inverse32(c), nim_product::inverse(c.into()).map(|x| x as u32));
        prop_assert_eq!(NimPoly64::from_nimber(a).inverse().map(NimPoly64::to_nimber), inverse64(a));
    }

    #[test]
    fn nimfield_twice_as_wide(a: u128, b: u128, width in 0..128u32) {
        let a = a >> width;
        let product = nim_product::product(a, b);
        prop_assert_eq!(product128(a, b), product);
        prop_assert_eq!(wide::product(&limbs(a), &limbs(b)), trimmed(product));
        prop_assert_eq!((square128(a), sqrt128(a)), (nim_product::square(a), nim_product::sqrt(a)));
        prop_assert_eq!(inverse128(a), nim_product::inverse(a));
        prop_assert_eq!(half_solution128(a), nim_product::half_solution(a));
        if let Some(x) = nim_product::half_solution(a) {
            prop_assert_eq!(wide::half_solution(&limbs(a)), trimmed(x));
        }
    }
}
