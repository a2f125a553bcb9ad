//! Turns a stretch of decimal text into numbers: the plain twin and the AVX2 twin.
//!
//! A *token* is a maximal run of bytes that are not white space (space, `\t`, `\n`, `\v`, `\f`, `\r`). Both twins
//! decode the tokens of a window of text from the left into a [`Batch`] and stop before the first one that they cannot
//! vouch for; the scanner then looks at that one with all the time in the world. So a twin never reports an error, and
//! the two are equal when they fill equal batches.
//!
//! # The AVX2 twin
//!
//! Two passes over a window of text, with no branch that depends on the length of a number:
//!
//! 1. Per 64 bytes, a table look-up gives the bit mask of white space; a set bit after a clear one is the *end* of a
//!    token. The positions of the ends go to a list, seven at a time, whether there are seven or not: numbers of nine
//!    and ten digits have six or seven ends in a block.
//! 2. Per four ends, four loads of the sixteen bytes *before* each end. What belongs to the token before is masked off;
//!    white space falls to zero by a saturating subtraction of `'0'`, so it counts as leading zeros and one need not
//!    know where the token begins. Then 1, 2, 4 and 8 digits are joined (`maddubs`, `madd`, `packus`, `madd`) and the
//!    two halves of all four numbers meet in one 64-bit multiplication.
//!
//! The first block with a byte that is neither digit nor white space, and numbers that reach over more than fifteen
//! bytes with the white space before them, go to the plain twin.
use super::scan::is_space;

/// The bytes one call of a twin looks at, a multiple of [`BLOCK`].
pub(super) const WINDOW: usize = 4096;

/// The bytes of one step of the first pass.
pub(super) const BLOCK: usize = 64;

/// The bytes that a caller keeps readable before the first byte and after the last byte of the text.
pub(super) const MARGIN: usize = 64;

/// The tokens that fit into a window: each has a digit and a byte of white space.
const TOKENS: usize = WINDOW / 2;

/// Numbers that are decoded and not yet consumed, first come first served.
pub(super) struct Batch {
    /// The numbers, the first `len` of them meant.
    values: [u64; TOKENS + 4],
    /// `ends[k + 1]` is the index after the last digit of number `k`, `ends[0]` where decoding began.
    ends: [u32; TOKENS + 1 + 16],
    /// The numbers already taken.
    head: usize,
    /// The numbers decoded.
    len: usize,
}

impl Batch {
    /// An empty batch.
    pub(super) fn new() -> Box<Self> {
        Box::new(Batch { values: [0; TOKENS + 4], ends: [0; TOKENS + 1 + 16], head: 0, len: 0 })
    }

    /// Forgets all numbers.
    pub(super) fn clear(&mut self) {
        self.head = 0;
        self.len = 0;
    }

    /// Forgets all numbers and notes that decoding begins at `from`.
    fn restart(&mut self, from: usize) {
        self.clear();
        self.ends[0] = from as u32;
    }

    /// Whether every number has been taken.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.head == self.len
    }

    /// Appends a number whose last digit lies before `end`; the batch must have room.
    pub(super) fn push(&mut self, value: u64, end: usize) {
        self.values[self.len] = value;
        self.ends[self.len + 1] = end as u32;
        self.len += 1;
    }

    /// The numbers not yet taken.
    #[inline]
    pub(super) fn values(&self) -> &[u64] {
        &self.values[self.head..self.len]
    }

    /// Takes the first number and says where its text ended.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u64, usize)> {
        if self.head == self.len {
            return None;
        }
        let (value, end) = (self.values[self.head], self.ends[self.head + 1]);
        self.head += 1;
        Some((value, end as usize))
    }

    /// Takes `count` numbers, one at least, and says where the text of the last one ended.
    pub(super) fn take(&mut self, count: usize) -> usize {
        self.head += count;
        self.ends[self.head] as usize
    }

    /// Takes the numbers whose text ended at or before `position`.
    pub(super) fn skip_to(&mut self, position: usize) {
        while self.head < self.len && self.ends[self.head + 1] as usize <= position {
            self.head += 1;
        }
    }
}

/// Which twin decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernel {
    /// Eight digits at a time in a general register, safe code, any processor.
    Plain,
    /// Four numbers at a time in vector registers; only [`Kernel::detect`] makes it.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Kernel {
    /// The faster twin of those that this processor runs.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Kernel::Avx2;
        }
        Kernel::Plain
    }

    /// Fills `batch` with the numbers that `text` holds from `from` on.
    ///
    /// `from` is no inner byte of a token. The text ends before `to`; the [`MARGIN`] bytes from `to` on are `'0'` when
    /// more text may follow (the last token then has no end yet and is left alone) and spaces when the input has ended.
    /// Decoding stops before the first token that is no number, is above `u64::MAX`, or ends outside of
    /// the blocks of the window that begins at `from`.
    pub(super) fn decode(self, text: &[u8], from: usize, to: usize, batch: &mut Batch) {
        batch.restart(from);
        let room = from >= MARGIN && from <= to && to + MARGIN <= text.len() && text.len() <= u32::MAX as usize;
        if !room {
            return;
        }
        let stop = from + WINDOW.min(((to - from) / BLOCK + 1) * BLOCK);
        match self {
            Kernel::Plain => decode_plain(text, from, stop, batch),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Avx2` is made by `detect` alone, so the features are there; `from >= MARGIN`, and `stop` is at
            // most `to + BLOCK`, hence not after the end of `text`; `stop - from` is a multiple of `BLOCK`, `WINDOW` at
            // most.
            Kernel::Avx2 => unsafe { avx2::decode(text, from, stop, batch) },
        }
    }

    /// Calls `f` with each value in turn; for many values compiled for the processor that the twin needs.
    #[inline]
    pub(super) fn each<F: FnMut(u64)>(self, values: &[u64], f: &mut F) {
        match self {
            // A call and a vector loop's prologue cost more than a few numbers gain.
            _ if values.len() < 24 => values.iter().for_each(|&value| f(value)),
            Kernel::Plain => values.iter().for_each(|&value| f(value)),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Avx2` is made by `detect` alone, so the features are there.
            Kernel::Avx2 => unsafe { avx2::each(values, f) },
        }
    }

    /// Counts the line feeds in `text`.
    pub(super) fn count_lines(self, text: &[u8]) -> u64 {
        match self {
            Kernel::Plain => count_lines(text),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Avx2` is made by `detect` alone, so the features are there.
            Kernel::Avx2 => unsafe { avx2::count_lines(text) },
        }
    }
}

/// Counts line feeds; short runs with a narrow counter, so that the compiler counts a whole vector at once.
#[inline(always)]
fn count_lines(text: &[u8]) -> u64 {
    text.chunks(192).map(|run| u64::from(run.iter().fold(0u8, |sum, &byte| sum + u8::from(byte == b'\n')))).sum()
}

/// The plain twin: appends to `batch` the numbers from `from` on whose ends lie before `stop`.
fn decode_plain(text: &[u8], from: usize, stop: usize, batch: &mut Batch) {
    let mut at = from;
    loop {
        while at < stop && is_space(text[at]) {
            at += 1;
        }
        let Some((value, end)) = number(text, at) else { return };
        if end >= stop || !is_space(text[end]) {
            return;
        }
        batch.push(value, end);
        at = end;
    }
}

/// Reads the digits from `at` on: their value and where they end; `None` without a digit, above `u64::MAX`, or where
/// fewer than eight bytes are left to look at.
#[inline]
pub(super) fn number(text: &[u8], mut at: usize) -> Option<(u64, usize)> {
    let begin = at;
    let mut value = 0u64;
    loop {
        let eight = u64::from_le_bytes(text.get(at..at + 8)?.try_into().ok()?);
        let count = digits(eight);
        if count < 8 {
            if count > 0 {
                at += count;
                value = value.checked_mul(POWERS[count])?.checked_add(join(eight << (64 - 8 * count)))?;
            }
            return (at > begin).then_some((value, at));
        }
        at += 8;
        value = value.checked_mul(POWERS[8])?.checked_add(join(eight))?;
    }
}

/// The powers of ten up to eight digits.
const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// How many of the eight characters, the first in the lowest byte, are digits before the first that is none.
#[inline]
fn digits(eight: u64) -> usize {
    // A digit is 0x30..=0x39: the high half is 3, and stays 3 when 6 is added. The sum may carry out of a byte above
    // 0xf9, which disturbs only characters after one that is no digit already.
    let high = 0xf0f0_f0f0_f0f0_f0f0;
    let threes = 0x3030_3030_3030_3030;
    let odd = ((eight & high) ^ threes) | ((eight.wrapping_add(0x0606_0606_0606_0606) & high) ^ threes);
    odd.trailing_zeros() as usize / 8
}

/// The value of eight digits, the first in the lowest byte; a zero byte counts as the digit 0.
#[inline]
fn join(eight: u64) -> u64 {
    let ones = eight & 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = (ones.wrapping_mul(1 + (10 << 8)) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(1 + (100 << 16)) >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(1 + (10_000 << 32)) >> 32
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{BLOCK, Batch, count_lines as count_lines_plain, decode_plain, is_space, number};
    use std::arch::x86_64::*;

    /// `MASKS[n..n + 16]` keeps the last `n` of sixteen bytes, `n` up to 15.
    static MASKS: [u8; 31] = {
        let mut masks = [0; 31];
        let mut k = 16;
        while k < 31 {
            masks[k] = 0xff;
            k += 1;
        }
        masks
    };

    /// Calls `f` with each value; the closure is compiled with the features of this function when it is inlined.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn each<F: FnMut(u64)>(values: &[u64], f: &mut F) {
        values.iter().for_each(|&value| f(value));
    }

    /// Counts line feeds, 128 bytes a step, in byte counters that are summed before they can overflow.
    #[target_feature(enable = "avx2")]
    pub(super) fn count_lines(text: &[u8]) -> u64 {
        let feed = _mm256_set1_epi8(b'\n' as i8);
        let zero = _mm256_setzero_si256();
        let mut total = zero;
        let (steps, rest) = text.as_chunks::<128>();
        for run in steps.chunks(63) {
            let mut counts = zero;
            for step in run {
                for part in step.as_chunks::<32>().0 {
                    // SAFETY: `part` has 32 bytes.
                    let bytes = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
                    counts = _mm256_sub_epi8(counts, _mm256_cmpeq_epi8(bytes, feed));
                }
            }
            total = _mm256_add_epi64(total, _mm256_sad_epu8(counts, zero));
        }
        let sum = _mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
        let sum = _mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum));
        _mm_cvtsi128_si64(sum) as u64 + count_lines_plain(rest)
    }

    /// The fast twin of [`decode_plain`].
    ///
    /// # Safety
    ///
    /// `16 <= from`, `stop <= text.len() <= u32::MAX`, and `stop - from` is a multiple of [`BLOCK`], at most
    /// [`WINDOW`](super::WINDOW).
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) unsafe fn decode(text: &[u8], from: usize, stop: usize, batch: &mut Batch) {
        // SAFETY: the caller's contract is that of `ends`.
        let clean = unsafe { ends(text, from, stop, batch) };
        // SAFETY: `ends` has listed positions of `from..stop` in ascending order.
        unsafe { values(text, batch) };
        if !clean {
            // Where a number was too large already, the plain twin stops at it again.
            let last = batch.ends[batch.len] as usize;
            decode_plain(text, last, stop, batch);
        }
    }

    /// First pass: lists the ends of the tokens before `stop`, or before the first block that holds a byte which is
    /// neither digit nor white space; says whether there was no such block.
    ///
    /// # Safety
    ///
    /// As for [`decode`].
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn ends(text: &[u8], from: usize, stop: usize, batch: &mut Batch) -> bool {
        // Indexed by the low half of a byte, holds the one white space byte with that half: a byte is white space when
        // it finds itself. No byte finds itself in a 0: only the byte 0 could, and its entry is taken. A byte above
        // 0x7f finds 0.
        let spaces = _mm256_broadcastsi128_si256(_mm_setr_epi8(0x20, 0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 0, 0));
        let zero = _mm256_set1_epi8(b'0' as i8);
        let nine = _mm256_set1_epi8(9);
        // The byte before `from` counts as white space.
        let mut before = 1u64;
        let mut len = 0usize;
        let list = batch.ends.as_mut_ptr();
        let mut at = from;
        while at < stop {
            // SAFETY: `at + 64 <= stop <= text.len()`.
            let (low, high) = unsafe {
                let block = text.as_ptr().add(at).cast::<__m256i>();
                (_mm256_loadu_si256(block), _mm256_loadu_si256(block.add(1)))
            };
            let low_space = _mm256_cmpeq_epi8(low, _mm256_shuffle_epi8(spaces, low));
            let high_space = _mm256_cmpeq_epi8(high, _mm256_shuffle_epi8(spaces, high));
            let low_digit = _mm256_sub_epi8(low, zero);
            let high_digit = _mm256_sub_epi8(high, zero);
            let low_digit = _mm256_cmpeq_epi8(low_digit, _mm256_min_epu8(low_digit, nine));
            let high_digit = _mm256_cmpeq_epi8(high_digit, _mm256_min_epu8(high_digit, nine));
            let known =
                _mm256_and_si256(_mm256_or_si256(low_space, low_digit), _mm256_or_si256(high_space, high_digit));
            if _mm256_movemask_epi8(known) != -1 {
                batch.len = len;
                return false;
            }
            let space = u64::from(_mm256_movemask_epi8(low_space) as u32)
                | u64::from(_mm256_movemask_epi8(high_space) as u32) << 32;
            let mut bits = space & !(space << 1 | before);
            before = space >> 63;
            let count = bits.count_ones() as usize;
            let mut written = 0;
            loop {
                // SAFETY: the window has at most TOKENS ends, so that `len + written <= TOKENS` (before the first round
                // `written` is 0, later it is below `count`), and `ends` has 17 places more than TOKENS.
                unsafe {
                    let place = list.add(1 + len + written);
                    // Volatile, or the compiler gathers the seven in a vector, at twice the cost of seven stores.
                    for k in 0..7 {
                        place.add(k).write_volatile((at as u32).wrapping_add(bits.trailing_zeros()));
                        bits &= bits.wrapping_sub(1);
                    }
                }
                written += 7;
                if written >= count {
                    break;
                }
            }
            len += count;
            at += BLOCK;
        }
        batch.len = len;
        true
    }

    /// Second pass: the numbers before the ends listed; cuts the batch before a number above `u64::MAX`.
    ///
    /// # Safety
    ///
    /// `batch.ends[..=batch.len]` ascends, from 16 at least to an index of `text` at most.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn values(text: &[u8], batch: &mut Batch) {
        // The last four may be fewer: repeat the last end, tokens of length 0.
        let (len, last) = (batch.len, batch.ends[batch.len]);
        batch.ends[len + 1..len + 4].fill(last);
        let mut k = 0;
        loop {
            // SAFETY: the caller's contract, and the list of ends was made a multiple of four above.
            k = unsafe { narrow(text, batch, k) };
            if k >= len {
                return;
            }
            for j in k..len.min(k + 4) {
                match token(text, batch.ends[j] as usize) {
                    Some(value) => batch.values[j] = value,
                    None => {
                        batch.len = j;
                        return;
                    }
                }
            }
            k += 4;
        }
    }

    /// The numbers from number `k` on, four at a time; says where it stopped: at four tokens of which one is wide (with
    /// the white space before it sixteen bytes or more), or at the end.
    ///
    /// Apart from its caller so that no call is in its loop: around a call the constants would live in memory.
    ///
    /// # Safety
    ///
    /// As for [`values`], and three more ends.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn narrow(text: &[u8], batch: &mut Batch, mut k: usize) -> usize {
        let zero = _mm256_set1_epi8(b'0' as i8);
        let tens = _mm256_set1_epi16(0x01_0a);
        let hundreds = _mm256_set1_epi32(0x01_0064);
        let myriads = _mm256_set1_epi32(0x01_2710);
        let halves = _mm256_set1_epi64x(100_000_000);
        while k < batch.len {
            // SAFETY: `k < len <= TOKENS`, and `ends` has more than `TOKENS + 5` places.
            let list = unsafe { *batch.ends.as_ptr().add(k).cast::<[u32; 5]>() }.map(|end| end as usize);
            let widths = [list[1] - list[0], list[2] - list[1], list[3] - list[2], list[4] - list[3]];
            if (widths[0] | widths[1] | widths[2] | widths[3]) >= 16 {
                return k;
            }
            // SAFETY: each end is at least 16 and at most `text.len()`; each width is below 16, so that sixteen bytes
            // from `MASKS[width]` on are inside of it.
            let (a, b, mask_a, mask_b) = unsafe {
                let bytes = |j: usize| _mm_loadu_si128(text.as_ptr().add(list[j] - 16).cast());
                let mask = |j: usize| _mm_loadu_si128(MASKS.as_ptr().add(widths[j]).cast());
                (
                    _mm256_set_m128i(bytes(3), bytes(1)),
                    _mm256_set_m128i(bytes(4), bytes(2)),
                    _mm256_set_m128i(mask(2), mask(0)),
                    _mm256_set_m128i(mask(3), mask(1)),
                )
            };
            let a = _mm256_and_si256(_mm256_subs_epu8(a, zero), mask_a);
            let b = _mm256_and_si256(_mm256_subs_epu8(b, zero), mask_b);
            let a = _mm256_madd_epi16(_mm256_maddubs_epi16(a, tens), hundreds);
            let b = _mm256_madd_epi16(_mm256_maddubs_epi16(b, tens), hundreds);
            // Lanes of sixteen bits, four digits each: number 0, number 1 | number 2, number 3.
            let fours = _mm256_packus_epi32(a, b);
            // The first eight digits of a number in the low half of its lane, the last eight in the high half.
            let eights = _mm256_madd_epi16(fours, myriads);
            let four = _mm256_add_epi64(_mm256_mul_epu32(eights, halves), _mm256_srli_epi64::<32>(eights));
            // SAFETY: `k + 4 <= TOKENS + 4`, the places of `values`.
            unsafe { _mm256_storeu_si256(batch.values.as_mut_ptr().add(k).cast(), four) };
            k += 4;
        }
        k
    }

    /// The number in a token that begins after white space at `from`; the text is known to be digits up to white space.
    #[cold]
    fn token(text: &[u8], from: usize) -> Option<u64> {
        let skip = text[from..].iter().position(|&byte| !is_space(byte))?;
        number(text, from + skip).map(|(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text with its margins; `ended` chooses the padding.
    fn framed(text: &[u8], ended: bool) -> Vec<u8> {
        let mut framed = vec![b'7'; MARGIN];
        framed.extend_from_slice(text);
        framed.extend_from_slice(&[if ended { b' ' } else { b'0' }; MARGIN]);
        framed
    }

    /// The batch as (number, where its text ended).
    fn decoded(kernel: Kernel, text: &[u8], from: usize, ended: bool) -> Vec<(u64, usize)> {
        let mut batch = Batch::new();
        let framed = framed(text, ended);
        kernel.decode(&framed, MARGIN + from, MARGIN + text.len(), &mut batch);
        std::iter::from_fn(|| batch.pop().map(|(value, end)| (value, end - MARGIN))).collect()
    }

    /// Text that is mostly numbers: all widths, all white space, now and then something else.
    fn text(longest: usize) -> impl Strategy<Value = Vec<u8>> {
        let token = prop_oneof![
            40 => (1u32..=20).prop_flat_map(|width| (0..=10u64.saturating_pow(width - 1)).prop_map(|n| n.to_string())),
            20 => any::<u64>().prop_map(|n| n.to_string()),
            20 => (0u64..2000).prop_map(|n| n.to_string()),
            4 => (u64::MAX - 9..=u64::MAX).prop_map(|n| n.to_string()),
            1 => Just("18446744073709551616".to_owned()),
            4 => "0{0,40}[0-9]{1,22}",
            1 => "[-+]?[0-9a-z./:é]{1,9}",
        ];
        let space = prop_oneof![
            20 => Just(" ".to_owned()), 4 => Just("\n".to_owned()), 4 => Just("\r\n".to_owned()),
            2 => "[ \t\n\x0b\x0c\r]{1,30}",
        ];
        proptest::collection::vec((token, space), 0..longest)
            .prop_map(|parts| parts.into_iter().flat_map(|(token, space)| (token + &space).into_bytes()).collect())
    }

    proptest! {
        #[test]
        fn the_twins_are_equal(text in text(400), from: prop::sample::Index, cut: prop::sample::Index, ended: bool) {
            let text = &text[..cut.index(text.len() + 1)];
            let from = from.index(text.len() + 1);
            prop_assert_eq!(decoded(Kernel::Plain, text, from, ended), decoded(Kernel::detect(), text, from, ended));
        }

        #[test]
        fn the_twins_are_equal_on_any_bytes(text in proptest::collection::vec(
            prop_oneof![60 => b'0'..=b'9', 20 => Just(b' '), 4 => 9u8..=13, 1 => any::<u8>()], 0..700), ended: bool) {
            prop_assert_eq!(decoded(Kernel::Plain, &text, 0, ended), decoded(Kernel::detect(), &text, 0, ended));
        }

        #[test]
        fn the_line_counters_are_equal(text in proptest::collection::vec(9u8..=11, 0..20_000)) {
            let naive = text.iter().filter(|&&byte| byte == b'\n').count() as u64;
            prop_assert_eq!(Kernel::Plain.count_lines(&text), naive);
            prop_assert_eq!(Kernel::detect().count_lines(&text), naive);
        }
    }

    #[test]
    fn every_byte_after_a_number_is_judged_alike() {
        for byte in 0..=u8::MAX {
            for at in 0..130 {
                let mut text = b"1 22 333 ".repeat(20);
                text[at] = byte;
                let plain = decoded(Kernel::Plain, &text, 0, true);
                assert_eq!(plain, decoded(Kernel::detect(), &text, 0, true), "byte {byte} at {at}");
                let known = byte.is_ascii_digit() || is_space(byte);
                assert_eq!(plain.last().is_some_and(|last| last.1 == 179), known, "byte {byte} at {at}");
            }
        }
    }

    #[test]
    fn a_window_full_of_the_shortest_numbers_fits() {
        let text = b"1 ".repeat(WINDOW);
        for kernel in [Kernel::Plain, Kernel::detect()] {
            for from in 0..2 {
                let batch = decoded(kernel, &text, from, false);
                assert_eq!(batch.len(), TOKENS - from, "the last end must lie inside of the window");
                assert!(batch.iter().all(|&(value, _)| value == 1));
            }
        }
    }

    #[test]
    fn a_token_without_an_end_is_left_alone() {
        for kernel in [Kernel::Plain, Kernel::detect()] {
            assert_eq!(decoded(kernel, b"12 34", 0, false), [(12, 2)]);
            assert_eq!(decoded(kernel, b"12 34", 0, true), [(12, 2), (34, 5)]);
            // The input ends with the block: the end is the first byte of the next one.
            let text = b"1234567 ".repeat(8);
            assert_eq!(decoded(kernel, &text[..63], 0, true).len(), 8);
            assert_eq!(decoded(kernel, &[b"123456 ", &text[..57]].concat(), 0, true).len(), 9);
        }
    }

    #[test]
    fn text_without_margins_is_left_alone() {
        let mut batch = Batch::new();
        for kernel in [Kernel::Plain, Kernel::detect()] {
            kernel.decode(b"1 2 3", 0, 5, &mut batch);
            assert!(batch.is_empty());
            kernel.decode(&framed(b"1 2 3", true), MARGIN + 4, MARGIN + 6, &mut batch);
            assert!(batch.is_empty());
        }
    }
}
