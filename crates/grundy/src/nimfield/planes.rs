//! Sixty-four nimbers at once, byte by byte: for machines with GFNI and AVX-512.
//!
//! Of 64 nimbers the bytes number i are brought into one register, the *plane* i. The nimbers below 2^8 are the field of 256
//! elements in which GFNI multiplies, up to a change of basis that is an additive map of bytes and thus one instruction; over
//! them the tower goes up to 64 bits in three steps, and each product of bytes in it is one instruction for all 64. Inverses
//! go down the tower by norms and end in the byte inverse, which GFNI knows too. An additive map of 64 bits is 64 maps of
//! bytes.
//!
//! For 64 nimbers at once: a product 138 operations and three transpositions of 32; an inverse some 190 and two; an additive
//! map 64 with as many sums and two.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the tower).

use std::arch::x86_64::*;

use super::basis::{self, Columns};

/// Nimbers that one step takes.
pub(super) const STEP: usize = 64;

/// Byte i of 64 nimbers in register i.
type Planes = [__m512i; 8];

/// True if the machine has what the steps need.
#[inline]
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("gfni")
}

/// An additive map of bytes, as GFNI takes it: byte 7 - i has the bits of the argument whose sum is bit i.
type ByteMap = u64;

/// An additive map of 64 bits: `[j][i]` makes of byte i its part of byte j.
pub(super) type Matrix = [[ByteMap; 8]; 8];

const fn byte_map(columns: [u8; 8]) -> ByteMap {
    let (mut map, mut i) = (0, 0);
    while i < 8 {
        let mut j = 0;
        while j < 8 {
            map |= ((columns[j] >> i & 1) as u64) << (8 * (7 - i) + j);
            j += 1;
        }
        i += 1;
    }
    map
}

/// The additive map with these columns.
pub(super) const fn matrix(columns: &Columns) -> Matrix {
    let mut matrix = [[0; 8]; 8];
    let mut j = 0;
    while j < 8 {
        let mut i = 0;
        while i < 8 {
            let (mut part, mut bit) = ([0; 8], 0);
            while bit < 8 {
                part[bit] = (columns[8 * i + bit] >> (8 * j)) as u8;
                bit += 1;
            }
            matrix[j][i] = byte_map(part);
            i += 1;
        }
        j += 1;
    }
    matrix
}

/// A root of x^8 + x^4 + x^3 + x + 1, the polynomial of GFNI's field, among the nimbers.
const ROOT: u64 = 0x41;

/// The powers of the root: columns of the map from GFNI's field to the nimbers.
const FROM_GFNI_COLUMNS: [u8; 8] = {
    let (mut columns, mut i, mut power) = ([0; 8], 0, 1);
    while i < 8 {
        columns[i] = power as u8;
        power = basis::product(power, ROOT, 8);
        i += 1;
    }
    columns
};

const fn from_gfni(a: u8) -> u8 {
    let (mut sum, mut i) = (0, 0);
    while i < 8 {
        sum ^= FROM_GFNI_COLUMNS[i] * (a >> i & 1);
        i += 1;
    }
    sum
}

/// The element of GFNI's field that a nimber is.
const fn to_gfni(nimber: u8) -> u8 {
    let mut a = 0;
    while from_gfni(a) != nimber {
        a += 1;
    }
    a
}

const TO_GFNI: ByteMap =
    byte_map([to_gfni(1), to_gfni(2), to_gfni(4), to_gfni(8), to_gfni(16), to_gfni(32), to_gfni(64), to_gfni(128)]);
const FROM_GFNI: ByteMap = byte_map(FROM_GFNI_COLUMNS);
const IDENTITY: ByteMap = byte_map([1, 2, 4, 8, 16, 32, 64, 128]);

/// The columns of a to k x a x a in GFNI's field, for a nimber k.
const fn square_times(k: u64) -> ByteMap {
    let (mut columns, mut i) = ([0; 8], 0);
    while i < 8 {
        let a = from_gfni(1 << i) as u64;
        columns[i] = to_gfni(basis::product(k, basis::product(a, a, 8), 8) as u8);
        i += 1;
    }
    byte_map(columns)
}

const TOP: u64 = 1 << 7;
const SQUARE: ByteMap = square_times(1);
const SQUARE_TOP: ByteMap = square_times(TOP);
/// 2^7, its square and its cube in GFNI's field.
const TOP1: u8 = to_gfni(TOP as u8);
const TOP2: u8 = to_gfni(basis::product(TOP, TOP, 8) as u8);
const TOP3: u8 = to_gfni(basis::product(TOP, basis::product(TOP, TOP, 8), 8) as u8);

macro_rules! features {
    ($($item:item)*) => { $(
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
        #[inline]
        $item
    )* };
}

features! {
    fn map(a: __m512i, by: ByteMap) -> __m512i {
        _mm512_gf2p8affine_epi64_epi8::<0>(a, _mm512_set1_epi64(by as i64))
    }

    fn times(a: __m512i, constant: u8) -> __m512i {
        _mm512_gf2p8mul_epi8(a, _mm512_set1_epi8(constant as i8))
    }

    fn sum<const N: usize>(a: [__m512i; N], b: [__m512i; N]) -> [__m512i; N] {
        let mut sum = a;
        for (s, b) in sum.iter_mut().zip(b) {
            *s = _mm512_xor_si512(*s, b);
        }
        sum
    }

    /// A product of 16 bits.
    fn product2(a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 2] {
        let low = _mm512_gf2p8mul_epi8(a[0], b[0]);
        let high = _mm512_gf2p8mul_epi8(a[1], b[1]);
        let across = _mm512_gf2p8mul_epi8(_mm512_xor_si512(a[0], a[1]), _mm512_xor_si512(b[0], b[1]));
        [_mm512_xor_si512(low, times(high, TOP1)), _mm512_xor_si512(across, low)]
    }

    /// 2^15 x c.
    fn top2(c: [__m512i; 2]) -> [__m512i; 2] {
        [times(c[1], TOP2), times(_mm512_xor_si512(c[0], c[1]), TOP1)]
    }

    /// 2^15 x 2^15 x c.
    fn top2_twice(c: [__m512i; 2]) -> [__m512i; 2] {
        let both = _mm512_xor_si512(c[0], c[1]);
        [times(both, TOP3), _mm512_xor_si512(times(c[1], TOP3), times(both, TOP2))]
    }

    /// A product of 32 bits.
    fn product4(a: [__m512i; 4], b: [__m512i; 4]) -> [__m512i; 4] {
        let ([a0, a1], [b0, b1]) = (halves4(a), halves4(b));
        let (low, high) = (product2(a0, b0), product2(a1, b1));
        let across = product2(sum(a0, a1), sum(b0, b1));
        joined4(sum(low, top2(high)), sum(across, low))
    }

    fn halves4(a: [__m512i; 4]) -> [[__m512i; 2]; 2] {
        [[a[0], a[1]], [a[2], a[3]]]
    }

    fn joined4(low: [__m512i; 2], high: [__m512i; 2]) -> [__m512i; 4] {
        [low[0], low[1], high[0], high[1]]
    }

    /// 2^31 x c.
    fn top4(c: [__m512i; 4]) -> [__m512i; 4] {
        let [low, high] = halves4(c);
        joined4(top2_twice(high), top2(sum(low, high)))
    }

    fn halves8(a: Planes) -> [[__m512i; 4]; 2] {
        [[a[0], a[1], a[2], a[3]], [a[4], a[5], a[6], a[7]]]
    }

    fn joined8(low: [__m512i; 4], high: [__m512i; 4]) -> Planes {
        [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]]
    }

    /// A product of 64 bits.
    fn product8(a: Planes, b: Planes) -> Planes {
        let ([a0, a1], [b0, b1]) = (halves8(a), halves8(b));
        let (low, high) = (product4(a0, b0), product4(a1, b1));
        let across = product4(sum(a0, a1), sum(b0, b1));
        joined8(sum(low, top4(high)), sum(across, low))
    }

    fn square2(a: [__m512i; 2]) -> [__m512i; 2] {
        [_mm512_xor_si512(map(a[0], SQUARE), map(a[1], SQUARE_TOP)), map(a[1], SQUARE)]
    }

    fn square4(a: [__m512i; 4]) -> [__m512i; 4] {
        let [low, high] = halves4(a).map(|half| square2(half));
        joined4(sum(low, top2(high)), high)
    }

    /// 1 / a of 16 bits, 0 for 0.
    fn inverse2(a: [__m512i; 2]) -> [__m512i; 2] {
        let both = _mm512_xor_si512(a[0], a[1]);
        let norm = _mm512_xor_si512(_mm512_gf2p8mul_epi8(a[0], both), map(a[1], SQUARE_TOP));
        let by = _mm512_gf2p8affineinv_epi64_epi8::<0>(norm, _mm512_set1_epi64(IDENTITY as i64));
        [_mm512_gf2p8mul_epi8(both, by), _mm512_gf2p8mul_epi8(a[1], by)]
    }

    /// 1 / a of 32 bits, 0 for 0.
    fn inverse4(a: [__m512i; 4]) -> [__m512i; 4] {
        let [a0, a1] = halves4(a);
        let both = sum(a0, a1);
        let by = inverse2(sum(product2(a0, both), top2(square2(a1))));
        joined4(product2(both, by), product2(a1, by))
    }

    /// 1 / a of 64 bits, 0 for 0.
    fn inverse8(a: Planes) -> Planes {
        let [a0, a1] = halves8(a);
        let both = sum(a0, a1);
        let by = inverse4(sum(product4(a0, both), top4(square4(a1))));
        joined8(product4(both, by), product4(a1, by))
    }

    fn map_all(a: Planes, by: ByteMap) -> Planes {
        a.map(|a| map(a, by))
    }

    /// Byte i of word e at byte e of word i.
    fn turned(a: __m512i) -> __m512i {
        const PLACES: [u8; 64] = {
            let (mut places, mut i) = ([0; 64], 0);
            while i < 64 {
                places[i] = (8 * (i % 8) + i / 8) as u8;
                i += 1;
            }
            places
        };
        // SAFETY: both have 64 bytes.
        let places = unsafe { _mm512_loadu_si512(PLACES.as_ptr().cast()) };
        _mm512_permutexvar_epi8(places, a)
    }

    /// Word i of register r in word r of register i.
    fn transposed(r: Planes) -> Planes {
        let even = [0, 2, 4, 6].map(|i| _mm512_unpacklo_epi64(r[i], r[i + 1]));
        let odd = [0, 2, 4, 6].map(|i| _mm512_unpackhi_epi64(r[i], r[i + 1]));
        let [even, odd] = [even, odd].map(|x| {
            // lane i of register k to lane k of register i
            let (a, b) = (_mm512_shuffle_i64x2::<0x44>(x[0], x[1]), _mm512_shuffle_i64x2::<0xee>(x[0], x[1]));
            let (c, d) = (_mm512_shuffle_i64x2::<0x44>(x[2], x[3]), _mm512_shuffle_i64x2::<0xee>(x[2], x[3]));
            let (y0, y1) = (_mm512_shuffle_i64x2::<0x88>(a, c), _mm512_shuffle_i64x2::<0xdd>(a, c));
            [y0, y1, _mm512_shuffle_i64x2::<0x88>(b, d), _mm512_shuffle_i64x2::<0xdd>(b, d)]
        });
        [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
    }

    fn load(words: &[u64; STEP]) -> Planes {
        // SAFETY: eight words stand at each of these places.
        let r = [0, 8, 16, 24, 32, 40, 48, 56].map(|i| unsafe { _mm512_loadu_si512(words.as_ptr().add(i).cast()) });
        transposed(r.map(|r| turned(r)))
    }

    fn store(planes: Planes, words: &mut [u64; STEP]) {
        for (words, r) in words.as_chunks_mut::<8>().0.iter_mut().zip(transposed(planes)) {
            // SAFETY: as many bytes.
            unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), turned(r)) };
        }
    }

    fn load_gfni(words: &[u64; STEP]) -> Planes {
        map_all(load(words), TO_GFNI)
    }
}

/// The nim products of steps, place by place.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn products(a: &[[u64; STEP]], b: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        store(map_all(product8(load_gfni(a), load_gfni(b)), FROM_GFNI), out);
    }
}

/// The nim inverses of steps, 0 for 0.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn inverses(a: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
    for (a, out) in a.iter().zip(out) {
        store(map_all(inverse8(load_gfni(a)), FROM_GFNI), out);
    }
}

/// What an additive map makes of steps.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn images(matrix: &Matrix, a: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
    for (a, out) in a.iter().zip(out) {
        let a = load(a);
        let planes = matrix.each_ref().map(|row| {
            let parts: Planes = std::array::from_fn(|i| map(a[i], row[i]));
            let pairs = sum([parts[0], parts[1], parts[2], parts[3]], [parts[4], parts[5], parts[6], parts[7]]);
            let [x, y] = sum([pairs[0], pairs[1]], [pairs[2], pairs[3]]);
            _mm512_xor_si512(x, y)
        });
        store(planes, out);
    }
}

/// The nim products of bytes.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub(super) fn products_of_bytes(a: &[[u8; STEP]], b: &[[u8; STEP]], out: &mut [[u8; STEP]]) {
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        // SAFETY: 64 bytes are read from each.
        let (a, b) = unsafe { (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast())) };
        let ab = map(_mm512_gf2p8mul_epi8(map(a, TO_GFNI), map(b, TO_GFNI)), FROM_GFNI);
        // SAFETY: as many bytes.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), ab) };
    }
}
