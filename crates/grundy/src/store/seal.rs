//! The 64-bit check sum that seals a file.

/// Mixes bytes into 64 bits: each 8-byte little-endian word is xored in, multiplied by an odd constant, and shifted over.
///
/// Every step is a bijection of the sum, and of the word for a given sum: a change within one word never goes unseen, any other
/// change does with probability about 2^-64. It guards against accidents, not against forgery.
#[derive(Clone, Debug)]
pub struct Seal {
    sum: u64,
    /// Bytes of a word that is not complete.
    open: Vec<u8>,
    bytes: u64,
}

impl Default for Seal {
    fn default() -> Self {
        Seal { sum: 0x6772_756e_6479_2e31, open: Vec::with_capacity(8), bytes: 0 }
    }
}

impl Seal {
    /// Mixes bytes in; how they are cut into calls does not matter.
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.bytes = self.bytes.wrapping_add(bytes.len() as u64);
        if !self.open.is_empty() {
            let (head, rest) = bytes.split_at((8 - self.open.len()).min(bytes.len()));
            self.open.extend(head);
            bytes = rest;
            if self.open.len() < 8 {
                return;
            }
            self.sum = mix(self.sum, word(&self.open));
            self.open.clear();
        }
        let words = bytes.chunks_exact(8);
        self.open.extend(words.remainder());
        self.sum = words.fold(self.sum, |sum, w| mix(sum, word(w)));
    }

    /// The sum of all bytes and of their number.
    pub fn sum(&self) -> u64 {
        mix(mix(self.sum, word(&self.open)), self.bytes)
    }

    /// The sum of one text.
    pub fn of(bytes: &[u8]) -> u64 {
        let mut seal = Seal::default();
        seal.add(bytes);
        seal.sum()
    }
}

fn mix(sum: u64, word: u64) -> u64 {
    let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// At most 8 bytes, filled up with zeros.
fn word(bytes: &[u8]) -> u64 {
    let mut whole = [0; 8];
    whole[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_do_not_matter_and_every_bit_does() {
        let bytes: Vec<u8> = (0..61).collect();
        let sum = Seal::of(&bytes);
        for cut in 0..bytes.len() {
            let mut seal = Seal::default();
            seal.add(&bytes[..cut]);
            seal.add(&bytes[cut..]);
            assert_eq!(seal.sum(), sum, "{cut}");
            assert_ne!(Seal::of(&bytes[..cut]), sum);
        }
        for bit in 0..8 * bytes.len() {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(Seal::of(&other), sum, "{bit}");
        }
        assert_ne!(Seal::of(&[0]), Seal::of(&[0, 0]));
    }
}
