//! Nim arithmetic beside what contest libraries do: ratios, measured in one run.
//!
//! The plain way, kept here, multiplies by logarithms in the field of 16 bits and by Karatsuba's rule above it. For each
//! operation both ways are timed in turn, in short bursts; the table has the shortest burst of each, and their ratio. The
//! results of both are compared first; with `--test` nothing else is done.
#![allow(missing_docs)]

use std::{
    collections::HashMap,
    hint::black_box,
    time::{Duration, Instant},
};

use grundy::{judge::pairs, nimfield::*};
use grundy_core::theory::nim_split::{PlainField, split};

/// Nimbers of a burst: their slices stay in the nearest cache.
const LENGTH: usize = 1024;

/// A primitive element.
const BASE: u64 = 0x1_0000_0006;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let test = words.iter().any(|w| w == "--test");
    let wanted: Vec<&String> = words.iter().filter(|w| !w.starts_with("--")).collect();
    let bench = Bench::new();
    let rows = bench.rows();
    let stream = [bench.stream(), bench.splits()];
    if test {
        println!("nimfield: {} operations agree with the plain ones", rows.len());
        return;
    }
    println!("{:<34}{:>12}{:>12}{:>9}", "operation, 64 bits", "plain ns", "ns", "ratio");
    let is_wanted = |row: &Row| wanted.is_empty() || wanted.iter().any(|w| row.name.contains(w.as_str()));
    for mut row in rows.into_iter().chain(stream).filter(is_wanted) {
        row.measure();
        let [plain, fast] = row.shortest.map(|d| d.as_nanos() as f64 / row.operations as f64);
        println!("{:<34}{plain:>12.3}{fast:>12.3}{:>8.1}x", row.name, plain / fast);
    }
}

/// Two ways of one operation; each does as many operations.
struct Row<'a> {
    name: &'static str,
    operations: usize,
    ways: [Box<dyn FnMut() + 'a>; 2],
    shortest: [Duration; 2],
}

impl Row<'_> {
    /// Times both ways in turn for half a second, in bursts of at least 20 microseconds.
    fn measure(&mut self) {
        let bursts = self.ways.each_mut().map(|way| {
            way();
            let start = Instant::now();
            way();
            (20_000 / start.elapsed().as_nanos().max(1) + 1) as u32
        });
        let end = Instant::now() + Duration::from_millis(500);
        while Instant::now() < end {
            for ((way, shortest), times) in self.ways.iter_mut().zip(&mut self.shortest).zip(bursts) {
                let start = Instant::now();
                for _ in 0..times {
                    way();
                }
                *shortest = (*shortest).min(start.elapsed() / times);
            }
        }
    }
}

/// What the operations work on.
struct Bench {
    plain: Plain,
    a: Vec<u64>,
    b: Vec<u64>,
    polynomials: [Vec<NimPoly64>; 2],
}

impl Bench {
    fn new() -> Bench {
        let mut seed = 1u64;
        let mut draw = || {
            // splitmix
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ z >> 31).max(1)
        };
        let a: Vec<u64> = (0..LENGTH).map(|_| draw()).collect();
        let b: Vec<u64> = (0..LENGTH).map(|_| draw()).collect();
        let polynomials = [&a, &b].map(|a| a.iter().map(|a| NimPoly64::from_nimber(*a)).collect());
        Bench { plain: Plain::new(), a, b, polynomials }
    }

    /// The nim products one by one, each written to its place.
    fn all(&self, product: impl Fn(u64, u64) -> u64) -> Vec<u64> {
        self.a.iter().zip(&self.b).map(|(a, b)| product(*a, *b)).collect()
    }

    fn row<'a>(name: &'static str, plain: impl FnMut() + 'a, fast: impl FnMut() + 'a) -> Row<'a> {
        let ways: [Box<dyn FnMut() + 'a>; 2] = [Box::new(plain), Box::new(fast)];
        Row { name, operations: LENGTH, ways, shortest: [Duration::MAX; 2] }
    }

    /// Winning moves in products of coin-turning games: factors of a wanted change, by the plain field and by the fast one.
    fn splits(&self) -> Row<'_> {
        let changes: Vec<[u64; 3]> = self
            .a
            .iter()
            .zip(&self.b)
            .map(|(a, b)| {
                let product = product64(*a, *b);
                // the highest bit stays, the others are arbitrary
                [product ^ b & ((1 << product.ilog2()) - 1), *a, *b]
            })
            .collect();
        let all = |field: &dyn Fn(u64, u64, u64) -> Option<(u64, u64)>| -> Vec<_> {
            changes.iter().map(|[t, a, b]| field(*t, *a, *b)).collect()
        };
        let plain = all(&|t, a, b| split(&PlainField, t, a, b));
        assert!(plain.iter().all(Option::is_some));
        assert_eq!(plain, all(&|t, a, b| split(&FastField, t, a, b)));
        let again = changes.clone();
        let slow = move || {
            for [t, a, b] in black_box(&changes) {
                black_box(split(&PlainField, *t, *a, *b));
            }
        };
        let fast = move || {
            for [t, a, b] in black_box(&again) {
                black_box(split(&FastField, *t, *a, *b));
            }
        };
        Bench::row("split of a change, plain field", slow, fast)
    }

    /// Pairs read and written as text, with the xor as the plain operation: the ratio is the share of reading and writing.
    fn stream(&self) -> Row<'_> {
        let mut text = format!("{LENGTH}\n");
        for (a, b) in self.a.iter().zip(&self.b) {
            text.push_str(&format!("{a} {b}\n"));
        }
        let budget = grundy::Budget::default();
        let mut products = Vec::new();
        pairs::nim_products(text.as_bytes(), &mut products, &budget).expect("pairs");
        let wanted: String = self.all(product64).iter().map(|c| format!("{c}\n")).collect();
        assert_eq!(String::from_utf8_lossy(&products), wanted);
        let (sums, other) = (text.clone(), budget.clone());
        let xor = move || {
            let mut out = Vec::with_capacity(32 * LENGTH);
            let sum = |a: &[u64], b: &[u64], out: &mut [u64]| {
                for ((a, b), out) in a.iter().zip(b).zip(out) {
                    *out = a ^ b;
                }
            };
            pairs::stream(black_box(sums.as_bytes()), &mut out, &other, sum).expect("pairs");
            black_box(&out);
        };
        let product = move || {
            let mut out = Vec::with_capacity(32 * LENGTH);
            pairs::nim_products(black_box(text.as_bytes()), &mut out, &budget).expect("pairs");
            black_box(&out);
        };
        Bench::row("streamed pairs, beside their xor", xor, product)
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let Bench { plain, a, b, polynomials: [p, q] } = self;
        let one_by_one = |f: &dyn Fn(u64) -> u64| a.iter().map(|a| f(*a)).collect::<Vec<_>>();
        let slices = |f: &dyn Fn(&mut [u64])| {
            let mut out = vec![0; LENGTH];
            f(&mut out);
            out
        };
        // the same results
        let products = self.all(|a, b| plain.product(a, b));
        assert_eq!(products, self.all(product64));
        assert_eq!(products, slices(&|out| products64(a, b, out)));
        assert_eq!(products, slices(&|out| products64_without_gfni(a, b, out)));
        let inverses = one_by_one(&|a| plain.inverse(a));
        assert_eq!(inverses, one_by_one(&|a| inverse64(a).unwrap_or(0)));
        assert_eq!(inverses, slices(&|out| inverses64(a, out)));
        assert_eq!(inverses, slices(&|out| inverses64_without_gfni(a, out)));

        // a loop over slices for the plain way and for the single one
        macro_rules! each {
            ($f:expr) => {{
                let mut out = vec![0; LENGTH];
                move || {
                    for ((a, b), out) in black_box(a).iter().zip(b).zip(&mut out) {
                        *out = $f(*a, *b);
                    }
                    black_box(&out);
                }
            }};
        }
        macro_rules! whole {
            ($out:ident, $f:expr) => {{
                let mut buffer = vec![0; LENGTH];
                move || {
                    let $out = black_box(&mut buffer);
                    $f;
                }
            }};
        }
        // each product waits for the one before
        macro_rules! chain {
            ($f:expr) => {
                move || {
                    black_box(black_box(a).iter().fold(1, |sum, a| $f(sum, *a)));
                }
            };
        }
        let plain_dot = || a.iter().zip(b).fold(0, |sum, (a, b)| sum ^ plain.product(*a, *b));
        let plain_value = |x: u64| a.iter().rev().fold(0, |sum, c| plain.product(sum, x) ^ c);
        let plain_convolution = || {
            let mut out = vec![0; a.len() + b.len() - 1];
            for (i, a) in a.iter().enumerate() {
                for (j, b) in b.iter().enumerate() {
                    out[i + j] ^= plain.product(*a, *b);
                }
            }
            out
        };
        let bases = LogBase64::new(BASE).expect("not 0");
        assert_eq!(kernels::dot(p, q).to_nimber(), plain_dot());
        assert_eq!(kernels::value_at(p, q[0]).to_nimber(), plain_value(b[0]));
        let convolution: Vec<u64> = kernels::convolution(p, q).into_iter().map(NimPoly64::to_nimber).collect();
        assert_eq!(convolution, plain_convolution());
        for (a, k) in a.iter().zip(b).take(32) {
            assert_eq!(power64(*a, *k), plain.power(*a, *k));
            assert_eq!(bases.log(*a), Ok(plain.log(*a)));
            assert_eq!(plain.power(BASE, plain.log(*a)), *a);
        }
        let halves = |a: &[u64]| (u128::from(a[0]) << 64) | u128::from(a[1]);
        let pairs: Vec<[u128; 2]> = a.chunks(2).zip(b.chunks(2)).map(|(a, b)| [halves(a), halves(b)]).collect();
        for [a, b] in &pairs {
            assert_eq!(product128(*a, *b), plain.product128(*a, *b));
        }
        assert_eq!(wide::product(&a[..64], &b[..64]), plain.wide(&a[..64], &b[..64]));
        let bytes = [a, b].map(|a| a.iter().map(|a| *a as u8).collect::<Vec<u8>>());

        let product = |a: u64, b: u64| plain.product(a, b);
        let plain_dot = move || {
            black_box(black_box(a).iter().zip(b).fold(0, |sum, (a, b)| sum ^ plain.product(*a, *b)));
        };
        let mut out = vec![NimPoly64::ZERO; LENGTH];
        let mut added = p.clone();
        vec![
            Self::row("product", each!(product), each!(product64)),
            Self::row("product, each of the last", chain!(product), chain!(product64)),
            Self::row("products of slices", each!(product), whole!(out, products64(a, b, out))),
            Self::row("products of slices, no GFNI", each!(product), whole!(out, products64_without_gfni(a, b, out))),
            Row {
                operations: 256,
                ..Self::row(
                    "products of 256, no GFNI",
                    {
                        let mut out = vec![0; 256];
                        move || {
                            for ((a, b), out) in black_box(a).iter().zip(b).zip(&mut out) {
                                *out = plain.product(*a, *b);
                            }
                            black_box(&out);
                        }
                    },
                    {
                        let mut out = vec![0; 256];
                        move || products64_without_gfni(&a[..256], &b[..256], black_box(&mut out))
                    },
                )
            },
            Self::row("inverse", each!(|a, _| plain.inverse(a)), each!(|a, _| inverse64(a).unwrap_or(0))),
            Self::row("inverses of slices", each!(|a, _| plain.inverse(a)), whole!(out, inverses64(a, out))),
            Self::row(
                "inverses of slices, no GFNI",
                each!(|a, _| plain.inverse(a)),
                whole!(out, inverses64_without_gfni(a, out)),
            ),
            Self::row("square", each!(|a, _| plain.product(a, a)), each!(|a, _| square64(a))),
            Self::row("squares of slices", each!(|a, _| plain.product(a, a)), whole!(out, squares64(a, out))),
            Self::row("power, 64-bit exponent", each!(|a, b| plain.power(a, b)), each!(power64)),
            Self::row("logarithm", each!(|a, _| plain.log(a)), each!(|a, _| bases.log(a).unwrap_or(0))),
            Self::row("polynomial basis: dot", plain_dot, || {
                black_box(kernels::dot(black_box(p), q));
            }),
            Self::row("polynomial basis: products", each!(product), move || {
                kernels::products(black_box(p), q, black_box(&mut out));
            }),
            Self::row(
                "polynomial basis: multiple added",
                each!(|a, b: u64| plain.product(a, black_box(b))),
                move || {
                    kernels::add_multiple(black_box(&mut added), q[0], black_box(p));
                },
            ),
            Self::row(
                "value of a polynomial",
                move || {
                    black_box(plain_value(black_box(b[0])));
                },
                || {
                    black_box(kernels::value_at(black_box(p), q[0]));
                },
            ),
            Row {
                operations: LENGTH * LENGTH,
                ..Self::row(
                    "product of polynomials, a term",
                    move || {
                        black_box(plain_convolution());
                    },
                    || {
                        black_box(kernels::convolution(black_box(p), q));
                    },
                )
            },
            Self::row(
                "8 bits: products of slices",
                {
                    let (bytes, mut out) = (bytes.clone(), vec![0; LENGTH]);
                    move || {
                        for ((a, b), out) in bytes[0].iter().zip(&bytes[1]).zip(black_box(&mut out)) {
                            *out = plain.product8(*a, *b);
                        }
                    }
                },
                {
                    let mut out = vec![0; LENGTH];
                    move || products8(&bytes[0], &bytes[1], black_box(&mut out))
                },
            ),
            Self::row(
                "32 bits: product",
                each!(|a, b| u64::from(plain.product32(a as u32, b as u32))),
                each!(|a, b| u64::from(product32(a as u32, b as u32))),
            ),
            Row {
                operations: pairs.len(),
                ..Self::row(
                    "128 bits: product",
                    {
                        let pairs = pairs.clone();
                        move || {
                            black_box(pairs.iter().fold(0, |sum, [a, b]| sum ^ plain.product128(*a, *b)));
                        }
                    },
                    move || {
                        black_box(pairs.iter().fold(0, |sum, [a, b]| sum ^ product128(*a, *b)));
                    },
                )
            },
            Row {
                operations: 1,
                ..Self::row(
                    "4096 bits: product",
                    move || {
                        black_box(plain.wide(black_box(&a[..64]), &b[..64]));
                    },
                    move || {
                        black_box(wide::product(black_box(&a[..64]), &b[..64]));
                    },
                )
            },
        ]
    }
}

/// The plain way: tables of logarithms and powers for 16 bits, three products of half the width above.
struct Plain {
    log: Box<[u32; 1 << 16]>,
    power: Box<[u16; 1 << 18]>,
    /// 2^15 x a, 2^15 x 2^15 x a.
    top: [Box<[u16; 1 << 16]>; 2],
    inverse: Box<[u16; 1 << 16]>,
    subgroups: Vec<Subgroup>,
}

/// What logarithms in a subgroup of prime order need.
struct Subgroup {
    prime: u64,
    /// Powers of the base's part, up to the root of the order.
    small: HashMap<u64, u64>,
    /// The inverse of the next one.
    back: u64,
    /// 1 modulo the prime, 0 modulo the others.
    idempotent: u64,
}

impl Plain {
    fn new() -> Plain {
        let product = |a: u64, b: u64| grundy_core::theory::nim_product::product(a.into(), b.into()) as u16;
        let mut plain = Plain {
            log: vec![131_070; 1 << 16].try_into().unwrap(),
            power: vec![0; 1 << 18].try_into().unwrap(),
            top: [0, 1].map(|_| vec![0; 1 << 16].try_into().unwrap()),
            inverse: vec![0; 1 << 16].try_into().unwrap(),
            subgroups: Vec::new(),
        };
        let mut a = 1;
        for k in 0..65_535 {
            plain.log[usize::from(a)] = k as u32;
            plain.power[k] = a;
            plain.power[k + 65_535] = a;
            a = product(a.into(), 0x102);
        }
        for a in 1..1 << 16 {
            let top = plain.product16(a as u16, 1 << 15);
            plain.top[0][a] = top;
            plain.top[1][a] = plain.product16(top, 1 << 15);
            plain.inverse[a] = plain.power[65_535 - plain.log[a] as usize];
        }
        plain.subgroups = [3, 5, 17, 257, 641, 65_537, 6_700_417].map(|prime| plain.subgroup(prime)).into();
        plain
    }

    #[inline(always)]
    fn product16(&self, a: u16, b: u16) -> u16 {
        // 0 has a logarithm beyond all sums, where the powers are 0
        self.power[(self.log[usize::from(a)] + self.log[usize::from(b)]) as usize & ((1 << 18) - 1)]
    }

    #[inline(always)]
    fn product32(&self, a: u32, b: u32) -> u32 {
        let [a1, a0, b1, b0] = [(a >> 16) as u16, a as u16, (b >> 16) as u16, b as u16];
        let [low, high] = [self.product16(a0, b0), self.product16(a1, b1)];
        let across = self.product16(a0 ^ a1, b0 ^ b1);
        u32::from(across ^ low) << 16 | u32::from(low ^ self.top[0][usize::from(high)])
    }

    /// 2^31 x a.
    #[inline(always)]
    fn top32(&self, a: u32) -> u32 {
        let [a1, a0] = [a >> 16, a & 0xffff];
        u32::from(self.top[0][(a1 ^ a0) as usize]) << 16 | u32::from(self.top[1][a1 as usize])
    }

    #[inline(always)]
    fn product(&self, a: u64, b: u64) -> u64 {
        let [a1, a0, b1, b0] = [(a >> 32) as u32, a as u32, (b >> 32) as u32, b as u32];
        let [low, high] = [self.product32(a0, b0), self.product32(a1, b1)];
        let across = self.product32(a0 ^ a1, b0 ^ b1);
        u64::from(across ^ low) << 32 | u64::from(low ^ self.top32(high))
    }

    #[inline(always)]
    fn inverse32(&self, a: u32) -> u32 {
        let [a1, a0] = [(a >> 16) as u16, a as u16];
        let norm = self.product16(a0, a0 ^ a1) ^ self.top[0][usize::from(self.product16(a1, a1))];
        let by = self.inverse[usize::from(norm)];
        u32::from(self.product16(a1, by)) << 16 | u32::from(self.product16(a0 ^ a1, by))
    }

    #[inline(always)]
    fn inverse(&self, a: u64) -> u64 {
        let [a1, a0] = [(a >> 32) as u32, a as u32];
        let by = self.inverse32(self.product32(a0, a0 ^ a1) ^ self.top32(self.product32(a1, a1)));
        u64::from(self.product32(a1, by)) << 32 | u64::from(self.product32(a0 ^ a1, by))
    }

    /// By squares and products.
    fn power(&self, a: u64, k: u64) -> u64 {
        let (mut result, mut a, mut k) = (1, a, k);
        while k > 0 {
            if k & 1 == 1 {
                result = self.product(result, a);
            }
            a = self.product(a, a);
            k >>= 1;
        }
        result
    }

    fn subgroup(&self, prime: u64) -> Subgroup {
        let others = u64::MAX / prime;
        let part = self.power(BASE, others);
        let (mut small, mut a) = (HashMap::new(), 1);
        for k in 0..=prime.isqrt() {
            small.insert(a, k);
            a = self.product(a, part);
        }
        let idempotent = (1..prime).map(|k| k * others).find(|e| e % prime == 1).unwrap();
        Subgroup { prime, small, back: self.inverse(a), idempotent }
    }

    /// The logarithm to the base [`BASE`]: in each subgroup by steps of two sizes, the small ones from a table.
    fn log(&self, a: u64) -> u64 {
        let mut sum = 0u128;
        for Subgroup { prime, small, back, idempotent } in &self.subgroups {
            let step = prime.isqrt() + 1;
            let mut part = self.power(a, u64::MAX / prime);
            for turn in 0..step {
                if let Some(k) = small.get(&part) {
                    sum += u128::from((turn * step + k) % prime) * u128::from(*idempotent);
                    break;
                }
                part = self.product(part, *back);
            }
        }
        (sum % u128::from(u64::MAX)) as u64
    }

    #[inline(always)]
    fn product8(&self, a: u8, b: u8) -> u8 {
        self.product16(a.into(), b.into()) as u8
    }

    #[inline(always)]
    fn product128(&self, a: u128, b: u128) -> u128 {
        let [a1, a0, b1, b0] = [(a >> 64) as u64, a as u64, (b >> 64) as u64, b as u64];
        let [low, high] = [self.product(a0, b0), self.product(a1, b1)];
        let across = self.product(a0 ^ a1, b0 ^ b1);
        u128::from(across ^ low) << 64 | u128::from(low ^ self.product(high, 1 << 63))
    }

    /// As many limbs as a power of two, for both.
    fn wide(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        if let ([a], [b]) = (a, b) {
            return vec![self.product(*a, *b)];
        }
        let half = a.len() / 2;
        let ([a0, a1], [b0, b1]) = ([&a[..half], &a[half..]], [&b[..half], &b[half..]]);
        let sum = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a ^ b).collect::<Vec<u64>>();
        let (low, high) = (self.wide(a0, b0), self.wide(a1, b1));
        let across = self.wide(&sum(a0, a1), &sum(b0, b1));
        [sum(&low, &self.wide_top(&high)), sum(&across, &low)].concat()
    }

    /// The product with the topmost power of two.
    fn wide_top(&self, c: &[u64]) -> Vec<u64> {
        if let [c] = c {
            return vec![self.product(*c, 1 << 63)];
        }
        let (c0, c1) = c.split_at(c.len() / 2);
        let both: Vec<u64> = c0.iter().zip(c1).map(|(a, b)| a ^ b).collect();
        [self.wide_top(&self.wide_top(c1)), self.wide_top(&both)].concat()
    }
}
