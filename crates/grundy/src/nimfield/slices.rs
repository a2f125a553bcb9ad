//! Whole slices of nimbers at once.

/// The nim products of two slices, place by place.
///
/// # Panics
/// If the slices have different lengths.
///
/// # Examples
/// ```
/// use grundy::nimfield::products64;
/// let mut out = [0; 3];
/// products64(&[6, 4, 0], &[13, 7, 9], &mut out);
/// assert_eq!(out, [15, 10, 0]);
/// ```
pub fn products64(a: &[u64], b: &[u64], out: &mut [u64]) {
    assert!(a.len() == b.len() && a.len() == out.len(), "slices of different lengths");
    for ((a, b), out) in a.iter().zip(b).zip(out) {
        *out = super::product64(*a, *b);
    }
}
