//! Two bases of the field of 64 bits, and additive maps as tables.
//!
//! The nimbers below 2^64 are the field GF(2)[x] / (x^64 + x^4 + x^3 + x + 1) in another basis: g = 0x7b4ce4aab8d43061 is a root
//! of that polynomial, so that the sum of the x^i of a set goes to the nim sum of the g^i. In the *polynomial basis* a
//! product is one carryless multiplication; in the *nim basis* the subfields are the numbers below a Fermat power.
//!
//! Any map that is additive (with + the xor) is given by what it makes of the 64 powers of two, its *columns*; [`Tables`]
//! holds it for bytes. All tables are made by the compiler from the 64 powers of g and the definition of the tower.
//!
//! # Sources
//! `[ONAG]` chapter 6 (the tower).

/// What an additive map makes of 2^i, for each i.
pub(super) type Columns = [u64; 64];

/// What an additive map makes of byte i alone, for each i and each byte: 16 KB.
pub(super) type Tables = [[u64; 256]; 8];

/// g^i.
pub(super) const POWERS_OF_THE_ROOT: Columns = [
    0x0000000000000001,
    0x7b4ce4aab8d43061,
    0x4465cdfa02d555a3,
    0x7d36437755e1d6af,
    0x61abc442daf08bb3,
    0x531ea1a35f90712f,
    0x4110d11bbbda06bb,
    0x36936841d31f8846,
    0x5211464dc6065e93,
    0x6b81957d4b9b7741,
    0x7d0239945c14b25c,
    0x121a77d83da7ca61,
    0x6617d22f43950241,
    0x52e8d9908e9ec964,
    0x29523cd1803c5b99,
    0x6a8fa9a4ed4a836d,
    0x7c8bbe416c183714,
    0x4166d3a5c2878686,
    0x5c8bdb220e001c74,
    0x2aade4f056c51bf6,
    0x413a421d02e54514,
    0x65b6f9c05854c9bf,
    0x1b0bc258e8dd4439,
    0x0b3fc9af3d54b654,
    0x565802ecc4e07ae2,
    0x79f04996791eff33,
    0x7c1272adc34c72c4,
    0x0beaf1776de09ad3,
    0x38e7ed555197f593,
    0x2574e524c8126364,
    0x5d037267ae967c54,
    0x54ac9d45626e1650,
    0x4068ec9ffcd3cad5,
    0x350c52af90f4fbe4,
    0x6659c895051a63ce,
    0x44b8a00aa37f6a3d,
    0x7493fff609c93f4f,
    0x19fd76c4ae8ccae7,
    0x3abbd57f2c029d6f,
    0x68d67f4b38e9c1bb,
    0x662d4dfdbf8e07fb,
    0x0e701b82ae61ff77,
    0x5473afd426be4a0e,
    0x18491b93072218e7,
    0x1772f5e5428aa996,
    0x0bda99373760210e,
    0x0f05a580c01f9c7e,
    0x6f804db280e0b350,
    0x7a90b2a7b35d811f,
    0x013cd3d29c4f9ca0,
    0x47dca8c51b0767c2,
    0x0ec51fee01550706,
    0x40a2294c958fcaea,
    0x72e15b310909e542,
    0x0fa3ec6a8fc868dd,
    0x3d8848da86ab275e,
    0x21cf869fa2e1247d,
    0x20d1698426aa388f,
    0x3346486c00816bff,
    0x38be23dcf2d302a6,
    0x75c0ed99053c3929,
    0xd62ddf1c501333ad,
    0x794397bf1defe841,
    0x83107caf1c7ced47,
];

/// Nim basis to polynomial basis.
pub(super) static TO_POLYNOMIAL: Tables = tables(&TO_POLYNOMIAL_COLUMNS);
pub(super) const TO_POLYNOMIAL_COLUMNS: Columns = inverted(&POWERS_OF_THE_ROOT);
/// Polynomial basis to nim basis.
pub(super) static TO_NIM: Tables = tables(&POWERS_OF_THE_ROOT);
/// a to a x a, in the nim basis.
pub(super) static SQUARE: Tables = tables(&SQUARE_COLUMNS);
pub(super) const SQUARE_COLUMNS: Columns = columns_of_tower(Additive::Square);
/// The inverse of [`SQUARE`].
pub(super) static SQRT: Tables = tables(&SQRT_COLUMNS);
pub(super) const SQRT_COLUMNS: Columns = columns_of_tower(Additive::Sqrt);
/// a to the even x with x x x + x = a for a below 2^63, in the nim basis; 2^63 goes to 0.
pub(super) static HALF_SOLUTION: Tables = tables(&HALF_SOLUTION_COLUMNS);
pub(super) const HALF_SOLUTION_COLUMNS: Columns = columns_of_tower(Additive::HalfSolution);

/// [`SQRT`] in the polynomial basis.
pub(super) static SQRT_OF_POLYNOMIAL: Tables = tables(&in_polynomials(&SQRT_COLUMNS));
/// [`HALF_SOLUTION`] in the polynomial basis.
pub(super) static HALF_SOLUTION_OF_POLYNOMIAL: Tables = tables(&in_polynomials(&HALF_SOLUTION_COLUMNS));

/// An additive map of nimbers, for their polynomials.
const fn in_polynomials(columns: &Columns) -> Columns {
    let (mut all, mut i) = ([0; 64], 0);
    while i < 64 {
        all[i] = apply_columns(&TO_POLYNOMIAL_COLUMNS, apply_columns(columns, POWERS_OF_THE_ROOT[i]));
        i += 1;
    }
    all
}

/// Bit 63 of the nimber that a polynomial is: its trace.
#[inline(always)]
pub(super) fn top_bit_of_polynomial(a: u64) -> u64 {
    /// The powers of the root that have the bit.
    const ODD: u64 = {
        let (mut odd, mut i) = (0, 0);
        while i < 64 {
            odd |= (POWERS_OF_THE_ROOT[i] >> 63) << i;
            i += 1;
        }
        odd
    };
    u64::from((a & ODD).count_ones() & 1)
}

/// The places of four bytes of a polynomial that tell the nimbers below 2^32 apart.
const WINDOWS: [u32; 4] = [0, 16, 35, 53];

/// What each of the four bytes of an element of the field of 32 bits, given as a polynomial, makes of the nimber: 4 KB.
static FROM_WINDOWS: [[u32; 256]; 4] = {
    let mut seen = [0; 64];
    let mut i = 0;
    while i < 64 {
        // the upper columns only make the map one of 64 bits that can be inverted
        seen[i] = if i < 32 { windows(TO_POLYNOMIAL_COLUMNS[i]) as u64 } else { 1 << i };
        i += 1;
    }
    let wide = tables(&inverted(&seen));
    let mut narrow = [[0; 256]; 4];
    let mut i = 0;
    while i < 4 {
        let mut byte = 0;
        while byte < 256 {
            narrow[i][byte] = wide[i][byte] as u32;
            byte += 1;
        }
        i += 1;
    }
    narrow
};

const fn windows(a: u64) -> u32 {
    u32::from_le_bytes([
        (a >> WINDOWS[0]) as u8,
        (a >> WINDOWS[1]) as u8,
        (a >> WINDOWS[2]) as u8,
        (a >> WINDOWS[3]) as u8,
    ])
}

/// The nimber below 2^32 that a polynomial is, which must be one.
#[inline(always)]
pub(super) fn to_nim32(a: u64) -> u32 {
    let b = windows(a).to_le_bytes().map(usize::from);
    FROM_WINDOWS[0][b[0]] ^ FROM_WINDOWS[1][b[1]] ^ (FROM_WINDOWS[2][b[2]] ^ FROM_WINDOWS[3][b[3]])
}

/// The sum of the columns that a has bits for.
#[inline(always)]
pub(super) fn apply(tables: &Tables, a: u64) -> u64 {
    let b = a.to_le_bytes().map(usize::from);
    let low = tables[0][b[0]] ^ tables[1][b[1]] ^ (tables[2][b[2]] ^ tables[3][b[3]]);
    low ^ (tables[4][b[4]] ^ tables[5][b[5]] ^ (tables[6][b[6]] ^ tables[7][b[7]]))
}

/// [`apply`] for an a below 2^32.
#[inline(always)]
pub(super) fn apply32(tables: &Tables, a: u32) -> u64 {
    let b = a.to_le_bytes().map(usize::from);
    tables[0][b[0]] ^ tables[1][b[1]] ^ (tables[2][b[2]] ^ tables[3][b[3]])
}

/// [`apply`] for an a below 2^16.
#[inline(always)]
pub(super) fn apply16(tables: &Tables, a: u16) -> u64 {
    let b = a.to_le_bytes().map(usize::from);
    tables[0][b[0]] ^ tables[1][b[1]]
}

/// [`apply`] by the definition.
pub(super) const fn apply_columns(columns: &Columns, a: u64) -> u64 {
    let (mut rest, mut sum) = (a, 0);
    while rest != 0 {
        sum ^= columns[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    sum
}

pub(super) const fn tables(columns: &Columns) -> Tables {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 {
        let mut byte = 1;
        while byte < 256usize {
            let rest = byte & (byte - 1);
            tables[i][byte] = tables[i][rest] ^ columns[8 * i + byte.trailing_zeros() as usize];
            byte += 1;
        }
        i += 1;
    }
    tables
}

/// The columns of the inverse map, which must exist.
const fn inverted(columns: &Columns) -> Columns {
    let (mut left, mut right) = (*columns, [0; 64]);
    let mut i = 0;
    while i < 64 {
        right[i] = 1 << i;
        i += 1;
    }
    // Gauss and Jordan: column operations make the left side the identity
    let mut bit = 0;
    while bit < 64 {
        let mut pivot = bit;
        while left[pivot] >> bit & 1 == 0 {
            pivot += 1;
        }
        (left[bit], left[pivot]) = (left[pivot], left[bit]);
        (right[bit], right[pivot]) = (right[pivot], right[bit]);
        let mut other = 0;
        while other < 64 {
            if other != bit && left[other] >> bit & 1 == 1 {
                left[other] ^= left[bit];
                right[other] ^= right[bit];
            }
            other += 1;
        }
        bit += 1;
    }
    right
}

/// Additive maps of the tower.
enum Additive {
    Square,
    Sqrt,
    HalfSolution,
}

const fn columns_of_tower(map: Additive) -> Columns {
    let mut columns = [0; 64];
    let mut i = 0;
    while i < 64 {
        columns[i] = match map {
            Additive::Square => square(1 << i, 64),
            Additive::Sqrt => sqrt(1 << i, 64),
            Additive::HalfSolution if i == 63 => 0,
            Additive::HalfSolution => half_solution(1 << i, 64),
        };
        i += 1;
    }
    columns
}

/// The parts of a number of `bits` bits above and below the middle.
const fn split(a: u64, bits: u32) -> (u64, u64) {
    let half = bits / 2;
    (a >> half, a & ((1 << half) - 1))
}

/// 2^(bits - 1) x c for a c of `bits` bits: with H' for half of the bits, H c = H'(c0 + c1) F' + H'(H' c1).
pub(super) const fn times_top(c: u64, bits: u32) -> u64 {
    if bits == 1 {
        return c;
    }
    let (c1, c0) = split(c, bits);
    times_top(c0 ^ c1, bits / 2) << (bits / 2) | times_top(times_top(c1, bits / 2), bits / 2)
}

/// a x b for numbers of `bits` bits.
pub(super) const fn product(a: u64, b: u64, bits: u32) -> u64 {
    if bits == 1 {
        return a & b;
    }
    let ((a1, a0), (b1, b0)) = (split(a, bits), split(b, bits));
    let (low, high) = (product(a0, b0, bits / 2), product(a1, b1, bits / 2));
    let across = product(a1 ^ a0, b1 ^ b0, bits / 2);
    (across ^ low) << (bits / 2) | (low ^ times_top(high, bits / 2))
}

/// a x a for a number of `bits` bits.
pub(super) const fn square(a: u64, bits: u32) -> u64 {
    if bits == 1 {
        return a;
    }
    let (a1, a0) = split(a, bits);
    let high = square(a1, bits / 2);
    high << (bits / 2) | (square(a0, bits / 2) ^ times_top(high, bits / 2))
}

const fn sqrt(a: u64, bits: u32) -> u64 {
    if bits == 1 {
        return a;
    }
    let (a1, a0) = split(a, bits);
    sqrt(a1, bits / 2) << (bits / 2) | sqrt(a0 ^ times_top(a1, bits / 2), bits / 2)
}

/// The even x with x x x + x = a for a number of `bits` bits whose top bit is 0.
const fn half_solution(a: u64, bits: u32) -> u64 {
    if bits == 1 {
        return 0;
    }
    let (a1, a0) = split(a, bits);
    let x1 = half_solution(a1, bits / 2);
    let rest = a0 ^ times_top(square(x1, bits / 2), bits / 2);
    // x1 + 1 solves the upper part too, and changes the rest by its top bit
    let top = rest >> (bits / 2 - 1) & 1;
    let x0 = half_solution(rest ^ top << (bits / 2 - 1), bits / 2);
    (x1 ^ top) << (bits / 2) | x0
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::nim_product;

    #[test]
    fn the_powers_of_the_root_are_what_they_say() {
        let g = u128::from(POWERS_OF_THE_ROOT[1]);
        for i in 1..64 {
            let expected = nim_product::product(u128::from(POWERS_OF_THE_ROOT[i - 1]), g);
            assert_eq!(u128::from(POWERS_OF_THE_ROOT[i]), expected, "{i}");
        }
        let next = nim_product::product(u128::from(POWERS_OF_THE_ROOT[63]), g) as u64;
        assert_eq!(next, POWERS_OF_THE_ROOT[4] ^ POWERS_OF_THE_ROOT[3] ^ POWERS_OF_THE_ROOT[1] ^ 1);
    }

    #[test]
    fn maps_of_powers_of_two_are_those_of_the_oracle() {
        for i in 0..64 {
            let (a, wide) = (1u64 << i, 1u128 << i);
            assert_eq!(apply(&TO_NIM, apply(&TO_POLYNOMIAL, a)), a);
            assert_eq!(u128::from(apply(&SQUARE, a)), nim_product::square(wide));
            assert_eq!(u128::from(apply(&SQRT, a)), nim_product::sqrt(wide));
            let solution = nim_product::half_solution(wide).filter(|_| i < 63).unwrap_or(0);
            assert_eq!(u128::from(apply(&HALF_SOLUTION, a)), solution);
        }
        for a in [0, 1, u32::MAX, 0x0123_4567, 0xffff, 0xfe00_0000] {
            assert_eq!(to_nim32(apply32(&TO_POLYNOMIAL, a)), a);
        }
        for a in [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef] {
            let polynomial = apply(&TO_POLYNOMIAL, a);
            assert_eq!(apply(&TO_NIM, apply(&SQRT_OF_POLYNOMIAL, polynomial)), apply(&SQRT, a));
            assert_eq!(apply(&TO_NIM, apply(&HALF_SOLUTION_OF_POLYNOMIAL, polynomial)), apply(&HALF_SOLUTION, a));
            assert_eq!(top_bit_of_polynomial(polynomial), a >> 63);
            assert_eq!(apply(&SQUARE, a), apply_columns(&SQUARE_COLUMNS, a));
            assert_eq!(apply32(&SQUARE, a as u32), apply_columns(&SQUARE_COLUMNS, a & 0xffff_ffff));
            assert_eq!(apply16(&SQUARE, a as u16), apply_columns(&SQUARE_COLUMNS, a & 0xffff));
        }
    }
}
