//! Products in the polynomial basis, eight at once: for machines with VPCLMULQDQ and AVX-512.
//!
//! A register of eight elements takes two multiplications, one for the even places and one for the odd ones; sums of products
//! are reduced once, at their end.

use std::arch::x86_64::*;

use super::carryless;

/// True if the machine has what the functions need.
#[inline]
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("vpclmulqdq") && carryless::multiplies()
}

/// Elements of a register.
const LANES: usize = 8;

/// Longest factor of [`convolution`].
pub(super) const LONGEST: usize = 32;

macro_rules! features {
    ($($item:item)*) => { $(
        #[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
        #[inline]
        $item
    )* };
}

features! {
    /// The first elements of a slice, zeros behind.
    fn load(a: &[u64]) -> __m512i {
        let some = (1u16 << a.len().min(LANES)).wrapping_sub(1) as __mmask8;
        // SAFETY: only places of the slice are read.
        unsafe { _mm512_maskz_loadu_epi64(some, a.as_ptr().cast()) }
    }

    /// Stores as many elements as there is room for.
    fn store(x: __m512i, out: &mut [u64]) {
        let some = (1u16 << out.len().min(LANES)).wrapping_sub(1) as __mmask8;
        // SAFETY: only places of the slice are written.
        unsafe { _mm512_mask_storeu_epi64(out.as_mut_ptr().cast(), some, x) }
    }

    fn load8(a: &[u64; LANES]) -> __m512i {
        // SAFETY: it has as many bytes.
        unsafe { _mm512_loadu_si512(a.as_ptr().cast()) }
    }

    fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0x96>(a, b, c)
    }

    /// The products of eight pairs.
    fn product(a: __m512i, b: __m512i) -> __m512i {
        let (even, odd) = (_mm512_clmulepi64_epi128::<0x00>(a, b), _mm512_clmulepi64_epi128::<0x11>(a, b));
        let (low, high) = (_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd));
        // as in `carryless::reduce`
        let over = xor3(_mm512_srli_epi64::<63>(high), _mm512_srli_epi64::<61>(high), _mm512_srli_epi64::<60>(high));
        let high = _mm512_xor_si512(high, over);
        let twice = _mm512_add_epi64(high, high);
        let rest = xor3(low, high, twice);
        xor3(rest, _mm512_slli_epi64::<3>(high), _mm512_slli_epi64::<4>(high))
    }

    /// The sum of the four parts of 128 bits.
    fn total(a: __m512i) -> u128 {
        let mut words = [0u64; LANES];
        // SAFETY: it has as many bytes.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), a) };
        let [low, high] = [0, 1].map(|i| words[i] ^ words[i + 2] ^ words[i + 4] ^ words[i + 6]);
        u128::from(high) << 64 | u128::from(low)
    }

    /// The power of an element with the place as its exponent, for 32 places.
    fn powers(x: u64) -> [__m512i; 4] {
        let mut first = [1; LANES];
        for i in 1..LANES {
            first[i] = carryless::product_clmul(first[i - 1], x);
        }
        let by = _mm512_set1_epi64(carryless::product_clmul(first[LANES - 1], x) as i64);
        let p0 = load8(&first);
        let p1 = product(p0, by);
        let p2 = product(p1, by);
        [p0, p1, p2, product(p2, by)]
    }
}

/// The sum of the products of two slices of one length.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
pub(super) fn dot(a: &[u64], b: &[u64]) -> u64 {
    const REGISTERS: usize = 4;
    let mut sums = [_mm512_setzero_si512(); REGISTERS];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let ((a, a_few), (b, b_few)) = (a.as_chunks::<REGISTERS>(), b.as_chunks::<REGISTERS>());
    for (a, b) in a.iter().zip(b) {
        for i in 0..REGISTERS {
            let (a, b) = (load8(&a[i]), load8(&b[i]));
            let (even, odd) = (_mm512_clmulepi64_epi128::<0x00>(a, b), _mm512_clmulepi64_epi128::<0x11>(a, b));
            sums[i] = xor3(sums[i], even, odd);
        }
    }
    let last = [(load(a_rest), load(b_rest))];
    let few = a_few.iter().zip(b_few).map(|(a, b)| (load8(a), load8(b)));
    for (a, b) in few.chain(last) {
        let (even, odd) = (_mm512_clmulepi64_epi128::<0x00>(a, b), _mm512_clmulepi64_epi128::<0x11>(a, b));
        sums[0] = xor3(sums[0], even, odd);
    }
    let sum = _mm512_xor_si512(xor3(sums[0], sums[1], sums[2]), sums[3]);
    carryless::reduce(total(sum))
}

/// The products of two slices of one length, place by place.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
pub(super) fn products(a: &[u64], b: &[u64], out: &mut [u64]) {
    for ((a, b), out) in a.chunks(LANES).zip(b.chunks(LANES)).zip(out.chunks_mut(LANES)) {
        store(product(load(a), load(b)), out);
    }
}

/// Adds c times one slice to another of the same length.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
pub(super) fn add_multiple(sum: &mut [u64], c: u64, a: &[u64]) {
    let c = _mm512_set1_epi64(c as i64);
    for (sum, a) in sum.chunks_mut(LANES).zip(a.chunks(LANES)) {
        store(_mm512_xor_si512(load(sum), product(load(a), c)), sum);
    }
}

/// The value at x of the polynomial with these coefficients, that of x^0 first.
///
/// By Horner's rule in x^32, for 32 remainders of the exponent side by side.
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
pub(super) fn value_at(coefficients: &[u64], x: u64) -> u64 {
    let powers = powers(x);
    let mut last = [0; LANES];
    store(powers[3], &mut last);
    let by = _mm512_set1_epi64(carryless::product_clmul(last[LANES - 1], x) as i64);
    let (whole, rest) = coefficients.as_chunks::<{ 4 * LANES }>();
    let mut sums = [0, 1, 2, 3].map(|i| load(&rest[(LANES * i).min(rest.len())..]));
    for block in whole.iter().rev() {
        for (sum, block) in sums.iter_mut().zip(block.as_chunks().0) {
            *sum = _mm512_xor_si512(product(*sum, by), load8(block));
        }
    }
    let mut all = _mm512_setzero_si512();
    for (sum, power) in sums.into_iter().zip(powers) {
        all = xor3(all, _mm512_clmulepi64_epi128::<0x00>(sum, power), _mm512_clmulepi64_epi128::<0x11>(sum, power));
    }
    carryless::reduce(total(all))
}

/// The coefficients of the product of two polynomials of at most [`LONGEST`] coefficients, not reduced; as many as both
/// have, the last one 0.
///
/// A register of b\[8 j..\] times a\[i\] makes the terms of the places 8 j + i + 0, 2, 4, 6, and one place on those of 1, 3,
/// 5, 7. All that begin at one place are summed in a register, and its four parts are sent to their places at the end. (To
/// load the four neighbours that end in one register anew for each a\[i\] took four times as long.)
///
/// # Safety
/// Needs what [`available`] asks for.
#[target_feature(enable = "avx512f,vpclmulqdq,pclmulqdq")]
pub(super) fn convolution(a: &[u64], b: &[u64], out: &mut [u128]) {
    const BLOCKS: usize = LONGEST / LANES;
    /// The parts of a register go up to so many places further.
    const REACH: usize = 6;
    assert!(a.len() <= LONGEST && b.len() <= LONGEST && out.len() == a.len() + b.len(), "short factors");
    let blocks: [__m512i; BLOCKS] = std::array::from_fn(|j| load(&b[(LANES * j).min(b.len())..]));
    // zeros around, so that there is an a[i] for each place and block
    let mut spread = [0; 3 * LONGEST];
    spread[LONGEST..LONGEST + a.len()].copy_from_slice(a);
    let mut sums = [[0u128; 4]; REACH + 2 * LONGEST];
    for (place, sum) in sums[REACH..].iter_mut().take(out.len()).enumerate() {
        let near: &[u64; LONGEST] = spread[place + 1..].first_chunk().expect("zeros behind");
        let mut all = _mm512_setzero_si512();
        for (j, block) in blocks.iter().enumerate() {
            // a[place - 8 j] and the one before
            let at = LONGEST - 1 - LANES * j;
            let even = _mm512_clmulepi64_epi128::<0x00>(*block, _mm512_set1_epi64(near[at] as i64));
            let odd = _mm512_clmulepi64_epi128::<0x01>(*block, _mm512_set1_epi64(near[at - 1] as i64));
            all = xor3(all, even, odd);
        }
        // SAFETY: it has as many bytes.
        unsafe { _mm512_storeu_si512(sum.as_mut_ptr().cast(), all) };
    }
    for (place, out) in out.iter_mut().enumerate() {
        // the sums that begin 0, 2, 4 and 6 places before
        let sums: &[[u128; 4]; REACH + 1] = sums[place..].first_chunk().expect("as many");
        *out = sums[6][0] ^ sums[4][1] ^ sums[2][2] ^ sums[0][3];
    }
}
