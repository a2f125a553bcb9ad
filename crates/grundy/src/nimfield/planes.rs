//! Many nimbers at once, byte by byte: for machines with GFNI.
//!
//! Of 64 nimbers (with AVX-512; else of 32, with AVX2) the bytes number i are brought into one register, the *plane* i. The
//! nimbers below 2^8 are the field of 256 elements in which GFNI multiplies, up to a change of basis that is an additive map
//! of bytes and thus one instruction; over them the tower goes up to 64 bits in three steps, and each product of bytes in it
//! is one instruction for all. Inverses go down the tower by norms and end in the byte inverse, which GFNI knows too. An
//! additive map of 64 bits is 64 maps of bytes.
//!
//! For a register of nimbers: a product 156 operations and three transpositions of 32; an inverse some 190 and two; an
//! additive map 64 with as many sums and two.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the tower).

use std::arch::x86_64::*;

use super::basis::{self, Columns};

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

/// A register of bytes.
///
/// # Safety
/// Every function needs the features that the module of the implementation asks for.
trait Register: Copy {
    /// Reads as many bytes as there are, from any place.
    unsafe fn load(from: *const u8) -> Self;
    /// Writes as many bytes as there are, to any place.
    unsafe fn store(self, to: *mut u8);
    unsafe fn xor(self, other: Self) -> Self;
    /// The products in GFNI's field.
    unsafe fn times(self, other: Self) -> Self;
    /// The products with one element of GFNI's field.
    unsafe fn times_constant(self, constant: u8) -> Self;
    unsafe fn map(self, by: ByteMap) -> Self;
    /// The inverses in GFNI's field, 0 for 0.
    unsafe fn inverse(self) -> Self;
    /// In each 16 bytes those at these places.
    unsafe fn taken(self, places: &[u8; 16]) -> Self;
    /// In each 16 bytes the pairs of both in turn: of the first halves, of the second ones.
    unsafe fn interleaved(self, other: Self) -> [Self; 2];
}

/// Implements [`Register`] by the intrinsics of a width.
macro_rules! register {
    ($register:ty, $load:ident, $store:ident, $xor:ident, $times:ident, $affine:ident, $affine_inverse:ident,
     $byte:ident, $word:ident, $places:expr, $shuffle:ident, $low:ident, $high:ident) => {
        impl Register for $register {
            #[inline(always)]
            unsafe fn load(from: *const u8) -> Self {
                // SAFETY: the caller has the features and the bytes.
                unsafe { $load(from.cast()) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut u8) {
                // SAFETY: the caller has the features and the bytes.
                unsafe { $store(to.cast(), self) }
            }
            #[inline(always)]
            unsafe fn xor(self, other: Self) -> Self {
                // SAFETY: the caller has the features.
                unsafe { $xor(self, other) }
            }
            #[inline(always)]
            unsafe fn times(self, other: Self) -> Self {
                // SAFETY: the caller has the features.
                unsafe { $times(self, other) }
            }
            #[inline(always)]
            unsafe fn times_constant(self, constant: u8) -> Self {
                // SAFETY: the caller has the features.
                unsafe { $times(self, $byte(constant as i8)) }
            }
            #[inline(always)]
            unsafe fn map(self, by: ByteMap) -> Self {
                // SAFETY: the caller has the features.
                unsafe { $affine::<0>(self, $word(by as i64)) }
            }
            #[inline(always)]
            unsafe fn inverse(self) -> Self {
                // SAFETY: the caller has the features.
                unsafe { $affine_inverse::<0>(self, $word(IDENTITY as i64)) }
            }
            #[inline(always)]
            unsafe fn taken(self, places: &[u8; 16]) -> Self {
                // SAFETY: the caller has the features, and there are 16 bytes.
                unsafe { $shuffle(self, $places(_mm_loadu_si128(places.as_ptr().cast()))) }
            }
            #[inline(always)]
            unsafe fn interleaved(self, other: Self) -> [Self; 2] {
                // SAFETY: the caller has the features.
                unsafe { [$low(self, other), $high(self, other)] }
            }
        }
    };
}

register!(
    __m512i,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_xor_si512,
    _mm512_gf2p8mul_epi8,
    _mm512_gf2p8affine_epi64_epi8,
    _mm512_gf2p8affineinv_epi64_epi8,
    _mm512_set1_epi8,
    _mm512_set1_epi64,
    _mm512_broadcast_i32x4,
    _mm512_shuffle_epi8,
    _mm512_unpacklo_epi16,
    _mm512_unpackhi_epi16
);
register!(
    __m256i,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_xor_si256,
    _mm256_gf2p8mul_epi8,
    _mm256_gf2p8affine_epi64_epi8,
    _mm256_gf2p8affineinv_epi64_epi8,
    _mm256_set1_epi8,
    _mm256_set1_epi64x,
    _mm256_broadcastsi128_si256,
    _mm256_shuffle_epi8,
    _mm256_unpacklo_epi16,
    _mm256_unpackhi_epi16
);

/// Functions that need the features of the register, and are part of what calls them. (They have no closures: the compiler
/// makes those functions without the features, and then calls every instruction.)
macro_rules! of_registers {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// Needs the features of the register, and where it takes an address as many bytes there.
        #[inline(always)]
        unsafe fn $name<R: Register>($($argument: $type),*) -> $result {
            // SAFETY: the caller has the features, and the bytes.
            unsafe { $body }
        }
    )* };
}

/// Place by place.
///
/// # Safety
/// Needs the features of the register.
#[inline(always)]
unsafe fn sum<R: Register, const N: usize>(a: [R; N], b: [R; N]) -> [R; N] {
    let mut sum = a;
    for i in 0..N {
        // SAFETY: the caller has the features.
        sum[i] = unsafe { a[i].xor(b[i]) };
    }
    sum
}

of_registers! {
    /// A product of 16 bits.
    fn product2(a: [R; 2], b: [R; 2]) -> [R; 2] {
        let (low, high) = (a[0].times(b[0]), a[1].times(b[1]));
        let across = a[0].xor(a[1]).times(b[0].xor(b[1]));
        [low.xor(high.times_constant(TOP1)), across.xor(low)]
    }

    /// 2^15 x c.
    fn top2(c: [R; 2]) -> [R; 2] {
        [c[1].times_constant(TOP2), c[0].xor(c[1]).times_constant(TOP1)]
    }

    /// 2^15 x 2^15 x c.
    fn top2_twice(c: [R; 2]) -> [R; 2] {
        let both = c[0].xor(c[1]);
        [both.times_constant(TOP3), c[1].times_constant(TOP3).xor(both.times_constant(TOP2))]
    }

    /// A product of 32 bits.
    fn product4(a: [R; 4], b: [R; 4]) -> [R; 4] {
        let ([a0, a1], [b0, b1]) = (halves4(a), halves4(b));
        let (low, high) = (product2(a0, b0), product2(a1, b1));
        let across = product2(sum(a0, a1), sum(b0, b1));
        joined4(sum(low, top2(high)), sum(across, low))
    }

    /// 2^31 x c.
    fn top4(c: [R; 4]) -> [R; 4] {
        let [low, high] = halves4(c);
        joined4(top2_twice(high), top2(sum(low, high)))
    }

    /// A product of 64 bits.
    fn product8(a: [R; 8], b: [R; 8]) -> [R; 8] {
        let ([a0, a1], [b0, b1]) = (halves8(a), halves8(b));
        let (low, high) = (product4(a0, b0), product4(a1, b1));
        let across = product4(sum(a0, a1), sum(b0, b1));
        joined8(sum(low, top4(high)), sum(across, low))
    }

    /// A square of 16 bits.
    fn square2(a: [R; 2]) -> [R; 2] {
        [a[0].map(SQUARE).xor(a[1].map(SQUARE_TOP)), a[1].map(SQUARE)]
    }

    /// A square of 32 bits.
    fn square4(a: [R; 4]) -> [R; 4] {
        let [low, high] = halves4(a);
        let (low, high) = (square2(low), square2(high));
        joined4(sum(low, top2(high)), high)
    }

    /// 1 / a of 16 bits, 0 for 0.
    fn inverse2(a: [R; 2]) -> [R; 2] {
        let both = a[0].xor(a[1]);
        let by = a[0].times(both).xor(a[1].map(SQUARE_TOP)).inverse();
        [both.times(by), a[1].times(by)]
    }

    /// 1 / a of 32 bits, 0 for 0.
    fn inverse4(a: [R; 4]) -> [R; 4] {
        let [a0, a1] = halves4(a);
        let both = sum(a0, a1);
        let by = inverse2(sum(product2(a0, both), top2(square2(a1))));
        joined4(product2(both, by), product2(a1, by))
    }

    /// 1 / a of 64 bits, 0 for 0.
    fn inverse8(a: [R; 8]) -> [R; 8] {
        let [a0, a1] = halves8(a);
        let both = sum(a0, a1);
        let by = inverse4(sum(product4(a0, both), top4(square4(a1))));
        joined8(product4(both, by), product4(a1, by))
    }

    /// What an additive map makes of 64 bits.
    fn image(a: [R; 8], by: &Matrix) -> [R; 8] {
        let mut image = a;
        for (image, by) in image.iter_mut().zip(by) {
            let parts = [
                a[0].map(by[0]), a[1].map(by[1]), a[2].map(by[2]), a[3].map(by[3]),
                a[4].map(by[4]), a[5].map(by[5]), a[6].map(by[6]), a[7].map(by[7]),
            ];
            let [low, high] = halves8(parts);
            let [low, high] = halves4(sum(low, high));
            let [x, y] = sum(low, high);
            *image = x.xor(y);
        }
        image
    }

    /// Eight registers, each with its pairs of bytes in 16 for a row: rows become columns.
    fn transposed(r: [R; 8]) -> [R; 8] {
        let mut r = r;
        // three times what stands in registers i and i + 4 is interleaved
        for _ in 0..3 {
            let before = r;
            for i in 0..4 {
                [r[2 * i], r[2 * i + 1]] = before[i].interleaved(before[i + 4]);
            }
        }
        r
    }

    /// The planes of eight registers of nimbers; which nimber is where, only [`store`] knows.
    fn load(from: *const u8) -> [R; 8] {
        // byte i of both words of 16 bytes side by side
        const PAIRS: [u8; 16] = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];
        let mut r = [R::load(from); 8];
        for (i, r) in r.iter_mut().enumerate() {
            *r = R::load(from.add(i * size_of::<R>())).taken(&PAIRS);
        }
        transposed(r)
    }

    /// The reverse of [`load`].
    fn store(planes: [R; 8], to: *mut u8) -> () {
        const WORDS: [u8; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];
        for (i, r) in transposed(planes).into_iter().enumerate() {
            r.taken(&WORDS).store(to.add(i * size_of::<R>()));
        }
    }

    /// [`load`] in GFNI's field.
    fn load_gfni(from: *const u8) -> [R; 8] {
        let mut planes = load::<R>(from);
        for plane in &mut planes {
            *plane = plane.map(TO_GFNI);
        }
        planes
    }

    /// [`store`] from GFNI's field.
    fn store_gfni(planes: [R; 8], to: *mut u8) -> () {
        let mut planes = planes;
        for plane in &mut planes {
            *plane = plane.map(FROM_GFNI);
        }
        store(planes, to);
    }
}

#[inline(always)]
fn halves4<R: Copy>(a: [R; 4]) -> [[R; 2]; 2] {
    [[a[0], a[1]], [a[2], a[3]]]
}

#[inline(always)]
fn joined4<R: Copy>(low: [R; 2], high: [R; 2]) -> [R; 4] {
    [low[0], low[1], high[0], high[1]]
}

#[inline(always)]
fn halves8<R: Copy>(a: [R; 8]) -> [[R; 4]; 2] {
    [[a[0], a[1], a[2], a[3]], [a[4], a[5], a[6], a[7]]]
}

#[inline(always)]
fn joined8<R: Copy>(low: [R; 4], high: [R; 4]) -> [R; 8] {
    [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]]
}

/// The operations on slices with registers of one width.
macro_rules! steps {
    ($(#[$doc:meta])* $module:ident, $register:ty, $features:literal, $($feature:tt),*) => {
        $(#[$doc])*
        pub(super) mod $module {
            use super::*;

            /// Nimbers that one step takes.
            pub(in super::super) const STEP: usize = size_of::<$register>();

            /// True if the machine has what the steps need.
            #[inline]
            pub(in super::super) fn available() -> bool {
                $(is_x86_feature_detected!($feature))&&*
            }

            /// The nim products of steps, place by place.
            #[target_feature(enable = $features)]
            pub(in super::super) fn products(a: &[[u64; STEP]], b: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
                for ((a, b), out) in a.iter().zip(b).zip(out) {
                    // SAFETY: the features are there, and a step has eight registers.
                    unsafe {
                        let (a, b) = (load_gfni::<$register>(a.as_ptr().cast()), load_gfni(b.as_ptr().cast()));
                        store_gfni(product8(a, b), out.as_mut_ptr().cast());
                    }
                }
            }

            /// The nim inverses of steps, 0 for 0.
            #[target_feature(enable = $features)]
            pub(in super::super) fn inverses(a: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
                for (a, out) in a.iter().zip(out) {
                    // SAFETY: the features are there, and a step has eight registers.
                    unsafe {
                        let a = load_gfni::<$register>(a.as_ptr().cast());
                        store_gfni(inverse8(a), out.as_mut_ptr().cast());
                    }
                }
            }

            /// What an additive map makes of steps.
            #[target_feature(enable = $features)]
            pub(in super::super) fn images(matrix: &Matrix, a: &[[u64; STEP]], out: &mut [[u64; STEP]]) {
                for (a, out) in a.iter().zip(out) {
                    // SAFETY: the features are there, and a step has eight registers.
                    unsafe {
                        let a = load::<$register>(a.as_ptr().cast());
                        store(image(a, matrix), out.as_mut_ptr().cast());
                    }
                }
            }

            /// The nim products of bytes.
            #[target_feature(enable = $features)]
            pub(in super::super) fn products_of_bytes(a: &[[u8; STEP]], b: &[[u8; STEP]], out: &mut [[u8; STEP]]) {
                for ((a, b), out) in a.iter().zip(b).zip(out) {
                    // SAFETY: the features are there, and a step is a register.
                    unsafe {
                        let (a, b) = (<$register>::load(a.as_ptr()), <$register>::load(b.as_ptr()));
                        a.map(TO_GFNI).times(b.map(TO_GFNI)).map(FROM_GFNI).store(out.as_mut_ptr());
                    }
                }
            }
        }
    };
}

steps!(
    /// Registers of 64 bytes.
    avx512, __m512i, "avx512f,avx512bw,gfni", "avx512f", "avx512bw", "gfni"
);
steps!(
    /// Registers of 32 bytes.
    avx2, __m256i, "avx2,gfni", "avx2", "gfni"
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Checks the steps of one width against single ones.
    macro_rules! check {
        ($module:ident, $a:expr, $b:expr) => {
            if $module::available() {
                let (a, b) = ($a.as_chunks::<{ $module::STEP }>().0, $b.as_chunks::<{ $module::STEP }>().0);
                let [mut products, mut inverses, mut images] = [0, 1, 2].map(|_| a.to_vec());
                // SAFETY: what they need is there.
                unsafe {
                    $module::products(a, b, &mut products);
                    $module::inverses(a, &mut inverses);
                    $module::images(&matrix(&basis::SQRT_COLUMNS), a, &mut images);
                }
                for (i, (a, b)) in a.as_flattened().iter().zip(b.as_flattened()).enumerate() {
                    prop_assert_eq!(products.as_flattened()[i], super::super::product64(*a, *b));
                    prop_assert_eq!(inverses.as_flattened()[i], super::super::inverse64(*a).unwrap_or(0));
                    prop_assert_eq!(images.as_flattened()[i], super::super::sqrt64(*a));
                }
                let bytes = [a, b].map(|a| a.as_flattened().iter().map(|a| *a as u8).collect::<Vec<u8>>());
                let [a, b] = bytes.each_ref().map(|a| a.as_chunks().0);
                let mut products = a.to_vec();
                // SAFETY: what it needs is there.
                unsafe { $module::products_of_bytes(a, b, &mut products) };
                for (i, (a, b)) in bytes[0].iter().zip(&bytes[1]).enumerate() {
                    prop_assert_eq!(products.as_flattened()[i], super::super::product8(*a, *b));
                }
            }
        };
    }

    proptest! {
        #[test]
        fn both_widths_do_what_single_ones_do(pairs in prop::collection::vec((any::<u64>(), any::<u64>(), 0..9u32), 128)) {
            let (a, b): (Vec<u64>, Vec<u64>) =
                pairs.into_iter().map(|(a, b, kind)| (if kind == 0 { 0 } else { a }, b)).unzip();
            check!(avx512, a, b);
            check!(avx2, a, b);
        }
    }
}
