//! Two hundred and fifty-six nimbers at once, bit by bit: for machines with AVX2 alone.
//!
//! Bit i of 256 nimbers stands in one register, the *plane* i; a product of single bits is then an `and`, and the tower is
//! gone up from there by Karatsuba's rule. With H = 2^(h - 1), the top power of two of h bits, a product of 2 h bits is
//!
//! (a1 F + a0)(b1 F + b0) = (across + low) F + (low + H high), and 2^(2h - 1) times that is
//! H (across + H high) F + H^2 (across + low),
//!
//! so that of the upper halves only H high is wanted: it is computed as such, all the way down, and the additive maps by H
//! and H^2 are needed there alone. A product then takes M(2h) = 2 M(h) + T(h) + 4 h operations, and one times its H takes
//! T(2h) = M(2h) + C(h) + C2(h), where C and C2 are those of the maps by H and H^2: 3 700 for 64 bits, in place of 4 182 with
//! a map after each product. Inverses go down the tower by norms, 0 to 0, in some 5 300.
//!
//! A transposition, of which a product has three and an inverse two, takes 800 operations: bytes are brought together by
//! interleaving registers, bits by swaps within the eight registers of a byte. All in all a product is 24 operations.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the tower), `[KO62]` (three products in place of four).

use std::arch::x86_64::*;

/// Nimbers that one step takes.
pub(super) const STEP: usize = 256;

/// True if the machine has what the steps need.
#[inline]
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx2")
}

/// Some planes, that of the lowest bit first.
type Planes<const BITS: usize> = [__m256i; BITS];

/// The planes of whole nimbers. They begin with a page, and so it is known where in a page the stack below them stands: left
/// to chance, products took up to a quarter longer.
#[repr(align(4096))]
struct Room<const N: usize>([Planes<64>; N]);

macro_rules! avx2 {
    ($($item:item)*) => { $(
        #[target_feature(enable = "avx2")]
        #[inline]
        $item
    )* };
}

avx2! {
    fn xor(a: __m256i, b: __m256i) -> __m256i {
        _mm256_xor_si256(a, b)
    }

    fn and(a: __m256i, b: __m256i) -> __m256i {
        _mm256_and_si256(a, b)
    }

    fn sum<const BITS: usize>(a: &Planes<BITS>, b: &Planes<BITS>) -> Planes<BITS> {
        let mut sum = *a;
        for i in 0..BITS {
            sum[i] = xor(a[i], b[i]);
        }
        sum
    }

    fn low<const BITS: usize, const HALF: usize>(a: &Planes<BITS>) -> &Planes<HALF> {
        a.first_chunk().expect("two halves")
    }

    fn high<const BITS: usize, const HALF: usize>(a: &Planes<BITS>) -> &Planes<HALF> {
        a.last_chunk().expect("two halves")
    }

    fn joined<const BITS: usize, const HALF: usize>(low: Planes<HALF>, high: Planes<HALF>) -> Planes<BITS> {
        let mut all = [low[0]; BITS];
        all[..HALF].copy_from_slice(&low);
        all[HALF..].copy_from_slice(&high);
        all
    }

    /// The sum of both halves.
    fn folded<const BITS: usize, const HALF: usize>(a: &Planes<BITS>) -> Planes<HALF> {
        sum(low(a), high(a))
    }

    /// H c.
    fn top2(c: Planes<2>) -> Planes<2> {
        [c[1], xor(c[0], c[1])]
    }

    /// H H c.
    fn top2_twice(c: Planes<2>) -> Planes<2> {
        [xor(c[0], c[1]), c[0]]
    }

    /// H c.
    fn top4(c: Planes<4>) -> Planes<4> {
        let odd = xor(c[1], c[3]);
        [xor(c[2], c[3]), c[2], odd, xor(xor(c[0], c[2]), odd)]
    }

    /// H H c.
    fn top4_twice(c: Planes<4>) -> Planes<4> {
        let (even, odd) = (xor(c[0], c[2]), xor(c[1], c[3]));
        [even, odd, xor(c[0], odd), xor(even, c[3])]
    }

    /// H H H c.
    fn top4_thrice(c: Planes<4>) -> Planes<4> {
        let (inner, outer) = (xor(c[1], c[2]), xor(c[0], c[3]));
        [inner, xor(outer, c[1]), xor(inner, c[0]), outer]
    }
}

/// The maps by H and H^2, one step up the tower. With G for the H of half the bits and s = c0 + c1, H c is G s F + G^2 c1, and
/// H^2 c is G^2 (s + G c1) F + G^3 s.
macro_rules! top_step {
    ($top:ident, $twice:ident, $bits:literal over $half_top:ident, $half_twice:ident, $half_thrice:ident) => {
        avx2! {
            fn $top(c: Planes<$bits>) -> Planes<$bits> {
                joined($half_twice(*high(&c)), $half_top(folded(&c)))
            }

            fn $twice(c: Planes<$bits>) -> Planes<$bits> {
                let both = folded(&c);
                joined($half_thrice(both), $half_twice(sum(&both, &$half_top(*high(&c)))))
            }
        }
    };
}

top_step!(top8, top8_twice, 8 over top4, top4_twice, top4_thrice);
top_step!(top16, top16_twice, 16 over top8, top8_twice, top8_thrice);

avx2! {
    fn top8_thrice(c: Planes<8>) -> Planes<8> {
        top8(top8_twice(c))
    }

    fn top32(c: Planes<32>) -> Planes<32> {
        joined(top16_twice(*high(&c)), top16(folded(&c)))
    }

    fn product2(a: Planes<2>, b: Planes<2>) -> Planes<2> {
        let (low, high) = (and(a[0], b[0]), and(a[1], b[1]));
        let across = and(xor(a[0], a[1]), xor(b[0], b[1]));
        [xor(low, high), xor(across, low)]
    }

    /// H a b.
    fn top_product2(a: Planes<2>, b: Planes<2>) -> Planes<2> {
        let (low, high) = (and(a[0], b[0]), and(a[1], b[1]));
        let across = and(xor(a[0], a[1]), xor(b[0], b[1]));
        [xor(across, low), xor(across, high)]
    }

    /// The product of the lower halves, that of the upper ones times H, that of the sums of both.
    fn parts4(a: &Planes<4>, b: &Planes<4>) -> [Planes<2>; 3] {
        [
            product2([a[0], a[1]], [b[0], b[1]]),
            top_product2([a[2], a[3]], [b[2], b[3]]),
            product2([xor(a[0], a[2]), xor(a[1], a[3])], [xor(b[0], b[2]), xor(b[1], b[3])]),
        ]
    }

    /// a b out of its parts.
    fn product_of<const HALF: usize, const BITS: usize>([low, high, across]: [Planes<HALF>; 3]) -> Planes<BITS> {
        joined(sum(&low, &high), sum(&across, &low))
    }

    fn product4(a: &Planes<4>, b: &Planes<4>) -> Planes<4> {
        let [low, high, across] = parts4(a, b);
        let ([a, b], [c, d]) = (sum(&low, &high), sum(&across, &low));
        [a, b, c, d]
    }

    /// H a b.
    fn top_product4(a: &Planes<4>, b: &Planes<4>) -> Planes<4> {
        let [low, high, across] = parts4(a, b);
        let ([a, b], [c, d]) = (top2_twice(sum(&across, &low)), top2(sum(&high, &across)));
        [a, b, c, d]
    }
}

// Up to eight bits all is inlined: further up registers are too few for it.

/// The product of the lower halves, that of the upper ones times H, that of the sums of both. (As a function it is compiled
/// to twice the stores.)
macro_rules! parts8 {
    ($a:ident, $b:ident) => {{
        let high_part = top_product4(high($a), high($b));
        let low_part = product4(low($a), low($b));
        (low_part, high_part, product4(&folded($a), &folded($b)))
    }};
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn product8(a: &Planes<8>, b: &Planes<8>) -> Planes<8> {
    let (low, high, across) = parts8!(a, b);
    joined(sum(&low, &high), sum(&across, &low))
}

/// H a b.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn top_product8(a: &Planes<8>, b: &Planes<8>) -> Planes<8> {
    let (low, high, across) = parts8!(a, b);
    joined(top4_twice(sum(&across, &low)), top4(sum(&high, &across)))
}

/// The product of the sums of halves, which are not written for it.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn product8_folded(a: &Planes<16>, b: &Planes<16>) -> Planes<8> {
    let (a, b): (&Planes<8>, &Planes<8>) = (&folded(a), &folded(b));
    let (low, high, across) = parts8!(a, b);
    joined(sum(&low, &high), sum(&across, &low))
}

/// A product of 16 bits out of the product of lower halves, which is not written for it, and the other parts.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn product8_joined(a: &Planes<8>, b: &Planes<8>, high: &Planes<8>, across: &Planes<8>) -> Planes<16> {
    let (low4, high4, across4) = parts8!(a, b);
    let low: Planes<8> = joined(sum(&low4, &high4), sum(&across4, &low4));
    joined(sum(&low, high), sum(&low, across))
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn product16(a: &Planes<16>, b: &Planes<16>) -> Planes<16> {
    let across = product8_folded(a, b);
    let high = top_product8(high(a), high(b));
    product8_joined(low(a), low(b), &high, &across)
}

/// H a b.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn top_product16(a: &Planes<16>, b: &Planes<16>) -> Planes<16> {
    let across = product8_folded(a, b);
    let high = top_product8(high(a), high(b));
    let low = product8(low(a), low(b));
    joined(top8_twice(sum(&across, &low)), top8(sum(&high, &across)))
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn product32(a: &Planes<32>, b: &Planes<32>) -> Planes<32> {
    let across = product16(&folded(a), &folded(b));
    let high = top_product16(high(a), high(b));
    let low = product16(low(a), low(b));
    product_of([low, high, across])
}

/// H a b.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn top_product32(a: &Planes<32>, b: &Planes<32>) -> Planes<32> {
    let across = product16(&folded(a), &folded(b));
    let high = top_product16(high(a), high(b));
    let low = product16(low(a), low(b));
    joined(top16_twice(sum(&across, &low)), top16(sum(&high, &across)))
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn product64(a: &Planes<64>, b: &Planes<64>, out: &mut Planes<64>) {
    let across = product32(&folded(a), &folded(b));
    let high = top_product32(high(a), high(b));
    let low = product32(low(a), low(b));
    for i in 0..32 {
        out[i] = xor(low[i], high[i]);
        out[32 + i] = xor(across[i], low[i]);
    }
}

avx2! {
    fn product2_of(a: &Planes<2>, b: &Planes<2>) -> Planes<2> {
        product2(*a, *b)
    }

    fn square2(a: &Planes<2>) -> Planes<2> {
        [xor(a[0], a[1]), a[1]]
    }

    /// 1 / a, 0 for 0: the square.
    fn inverse2(a: &Planes<2>) -> Planes<2> {
        square2(a)
    }
}

/// Squares, one step up the tower.
macro_rules! square_step {
    ($square:ident, $bits:literal over $half_square:ident, $half_top:ident) => {
        #[target_feature(enable = "avx2")]
        #[inline]
        fn $square(a: &Planes<$bits>) -> Planes<$bits> {
            let high = $half_square(high(a));
            joined(sum(&$half_square(low(a)), &$half_top(high)), high)
        }
    };
}

square_step!(square4, 4 over square2, top2);
square_step!(square8, 8 over square4, top4);
square_step!(square16, 16 over square8, top8);
square_step!(square32, 32 over square16, top16);

/// Inverses, 0 for 0, one step up the tower: 1 / (a1 F + a0) is (a1 F + a0 + a1) / (a0 (a0 + a1) + H a1^2).
macro_rules! inverse_step {
    ($inverse:ident, $bits:literal over $half_inverse:ident, $half_square:ident, $half_product:ident, $half_top:ident;
     $inline:meta) => {
        #[target_feature(enable = "avx2")]
        #[$inline]
        fn $inverse(a: &Planes<$bits>) -> Planes<$bits> {
            let both = folded(a);
            let norm = sum(&$half_product(low(a), &both), &$half_top($half_square(high(a))));
            let by = $half_inverse(&norm);
            joined($half_product(&both, &by), $half_product(high(a), &by))
        }
    };
}

inverse_step!(inverse4, 4 over inverse2, square2, product2_of, top2; inline);
inverse_step!(inverse8, 8 over inverse4, square4, product4, top4; inline);
inverse_step!(inverse16, 16 over inverse8, square8, product8, top8; inline(never));
inverse_step!(inverse32, 32 over inverse16, square16, product16, top16; inline(never));
inverse_step!(inverse64, 64 over inverse32, square32, product32, top32; inline(never));

/// Words that stand in eight registers.
const GROUP: usize = STEP / 8;

avx2! {
    /// The bytes of registers i and i + 4 in turn, for each i. Of the seven bits that say where a byte stands in its 128-bit
    /// column (three its register, one its word, three its place in that) this takes the top ones to the bottom: four times,
    /// and equal bytes of the words are in one register; three times more, and all is as before.
    fn interleaved(r: Planes<8>) -> Planes<8> {
        let mut all = r;
        for i in 0..4 {
            all[2 * i] = _mm256_unpacklo_epi8(r[i], r[i + 4]);
            all[2 * i + 1] = _mm256_unpackhi_epi8(r[i], r[i + 4]);
        }
        all
    }

    /// Swaps those bits of `a` that stand `BY` above `lower` with the bits `lower` of `b`.
    fn swapped<const BY: i32>(a: __m256i, b: __m256i, lower: i8) -> [__m256i; 2] {
        let differ = and(xor(_mm256_srli_epi16::<BY>(a), b), _mm256_set1_epi8(lower));
        // doubling is done where other operations are, shifts at fewer places
        let raised = if BY == 1 { _mm256_add_epi8(differ, differ) } else { _mm256_slli_epi16::<BY>(differ) };
        [xor(a, raised), xor(b, differ)]
    }

    /// Bit i of byte k of register r at bit r of byte k of register i.
    fn transposed(r: Planes<8>) -> Planes<8> {
        let mut r = r;
        for i in [0, 1, 2, 3] {
            [r[i], r[i + 4]] = swapped::<4>(r[i], r[i + 4], 0x0f);
        }
        for i in [0, 1, 4, 5] {
            [r[i], r[i + 2]] = swapped::<2>(r[i], r[i + 2], 0x33);
        }
        for i in [0, 2, 4, 6] {
            [r[i], r[i + 1]] = swapped::<1>(r[i], r[i + 1], 0x55);
        }
        r
    }

    /// The bytes of a group, byte j in register 8 j + `group`.
    fn load_group(words: &[u64; STEP], group: usize, planes: &mut Planes<64>) {
        let words = &words.as_chunks::<GROUP>().0[group];
        let mut r = [_mm256_setzero_si256(); 8];
        for (r, words) in r.iter_mut().zip(words.as_chunks::<4>().0) {
            // SAFETY: four words have as many bytes.
            *r = unsafe { _mm256_loadu_si256(words.as_ptr().cast()) };
        }
        let r = interleaved(interleaved(interleaved(interleaved(r))));
        for (j, r) in r.into_iter().enumerate() {
            planes[8 * j + group] = r;
        }
    }

    /// The reverse of [`load_group`], with as many turns as are left.
    fn store_group(planes: &Planes<64>, group: usize, words: &mut [u64; STEP]) {
        let words = &mut words.as_chunks_mut::<GROUP>().0[group];
        let mut r = [_mm256_setzero_si256(); 8];
        for (j, r) in r.iter_mut().enumerate() {
            *r = planes[8 * j + group];
        }
        let r = interleaved(interleaved(interleaved(r)));
        for (r, words) in r.into_iter().zip(words.as_chunks_mut::<4>().0) {
            // SAFETY: four words have as many bytes.
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), r) };
        }
    }

    /// The planes of byte `byte`, from its registers of all groups, or the reverse.
    fn transpose_byte(planes: &mut Planes<64>, byte: usize) {
        let planes = &mut planes.as_chunks_mut::<8>().0[byte];
        *planes = transposed(*planes);
    }
}

/// The planes of a step.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn load(words: &[u64; STEP], planes: &mut Planes<64>) {
    for group in 0..8 {
        load_group(words, group, planes);
    }
    for byte in 0..8 {
        transpose_byte(planes, byte);
    }
}

/// The planes of two steps: bytes of one are interleaved while bits of the other are swapped, which other parts of the
/// machine do.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn load_both(a: &[u64; STEP], b: &[u64; STEP], a_planes: &mut Planes<64>, b_planes: &mut Planes<64>) {
    for group in 0..8 {
        load_group(a, group, a_planes);
    }
    for i in 0..8 {
        load_group(b, i, b_planes);
        transpose_byte(a_planes, i);
    }
    for byte in 0..8 {
        transpose_byte(b_planes, byte);
    }
}

/// The nimbers of planes, which are used up.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn store(planes: &mut Planes<64>, words: &mut [u64; STEP]) {
    for byte in 0..8 {
        transpose_byte(planes, byte);
    }
    for group in 0..8 {
        store_group(planes, group, words);
    }
}

/// [`store`] of one step and [`load_both`] of the next: bytes are interleaved while bits of other planes are swapped
/// throughout.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn store_and_load_both(
    planes: &mut Planes<64>,
    words: &mut [u64; STEP],
    [a, b]: [&[u64; STEP]; 2],
    [a_planes, b_planes]: [&mut Planes<64>; 2],
) {
    for i in 0..8 {
        load_group(a, i, a_planes);
        transpose_byte(planes, i);
    }
    for i in 0..8 {
        load_group(b, i, b_planes);
        transpose_byte(a_planes, i);
    }
    for i in 0..8 {
        store_group(planes, i, words);
        transpose_byte(b_planes, i);
    }
}

/// The nim products of steps, place by place.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx2")]
pub(super) fn products(a: &[[u64; STEP]], b: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
    let mut room = Room([[_mm256_setzero_si256(); 64]; 3]);
    let [a_planes, b_planes, planes] = &mut room.0;
    let mut out = out.iter_mut();
    let mut last: Option<&mut [u64; STEP]> = None;
    for (a, b) in a.iter().zip(b) {
        match last {
            None => load_both(a, b, a_planes, b_planes),
            Some(last) => store_and_load_both(planes, last, [a, b], [a_planes, b_planes]),
        }
        product64(a_planes, b_planes, planes);
        last = out.next();
    }
    if let Some(last) = last {
        store(planes, last);
    }
}

/// The nim inverses of steps, 0 for 0.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx2")]
pub(super) fn inverses(a: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
    let mut room = Room([[_mm256_setzero_si256(); 64]; 2]);
    let [a_planes, planes] = &mut room.0;
    for (a, out) in a.iter().zip(out) {
        load(a, a_planes);
        *planes = inverse64(a_planes);
        store(planes, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]
        #[test]
        fn products_and_inverses_are_those_of_single_ones(
            a in prop::collection::vec(any::<u64>(), STEP),
            b in prop::collection::vec(any::<u64>(), STEP),
            width in 0..64u32,
        ) {
            let (mut a, b): ([u64; STEP], [u64; STEP]) = (a.try_into().unwrap(), b.try_into().unwrap());
            a.iter_mut().step_by(3).for_each(|a| *a >>= width);
            a[7] = 0;
            if available() {
                let [mut products_found, mut inverses_found] = [[[1; STEP]]; 2];
                // SAFETY: what they need is there.
                unsafe {
                    products(&[a], &[b], &mut products_found);
                    inverses(&[a], &mut inverses_found);
                }
                for i in 0..STEP {
                    prop_assert_eq!(products_found[0][i], super::super::product64(a[i], b[i]));
                    prop_assert_eq!(inverses_found[0][i], super::super::inverse64(a[i]).unwrap_or(0));
                }
            }
        }
    }
}
