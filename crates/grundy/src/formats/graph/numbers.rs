//! Lists of edges between vertices that are numbers, the lists that are large.

use std::ops::Range;

use grundy_core::theory::digraph::Digraph;
use rayon::prelude::*;

use super::{
    GraphFile, Names,
    cursor::{Cursor, is_space},
    edges::{Between, skip_empty, to_next_line},
    error::Fault,
    pieces,
};

/// A number of a vertex in a list; most lists have small ones.
pub(super) trait Number: Copy + Ord + Send {
    fn of(n: u64) -> Option<Self>;
    fn get(self) -> u64;
}

impl Number for u32 {
    #[inline(always)]
    fn of(n: u64) -> Option<u32> {
        u32::try_from(n).ok()
    }
    #[inline(always)]
    fn get(self) -> u64 {
        self.into()
    }
}

impl Number for u64 {
    fn of(n: u64) -> Option<u64> {
        Some(n)
    }
    fn get(self) -> u64 {
        self
    }
}

/// Edges between numbers, and vertices without edges.
pub(super) struct Numbers<N> {
    pub(super) edges: Vec<(N, N)>,
    pub(super) alone: Vec<N>,
}

/// The graph if both ends of all edges are numbers; None if one is not.
///
/// # Complexity
/// O(bytes), in pieces on all cores, and a sort of the ends if the numbers lie far apart.
pub(super) fn read(bytes: &[u8], body: usize, between: Between) -> Result<Option<GraphFile>, Fault> {
    if let Some(found) = in_pieces::<u32>(bytes, body, between) {
        return found.graph(bytes.len()).map(Some);
    }
    match in_pieces::<u64>(bytes, body, between) {
        Some(found) => found.graph(bytes.len()).map(Some),
        None => Ok(None),
    }
}

fn in_pieces<N: Number>(bytes: &[u8], body: usize, between: Between) -> Option<Numbers<N>> {
    of_pieces(bytes, pieces::at_line_ends(bytes, body), between)
}

fn of_pieces<N: Number>(bytes: &[u8], pieces: Vec<Range<usize>>, between: Between) -> Option<Numbers<N>> {
    let read = |piece: Range<usize>| numbers(Cursor { bytes: &bytes[..piece.end], at: piece.start }, between);
    if let [piece] = &pieces[..] {
        return read(piece.clone());
    }
    let read: Vec<_> = pieces.into_par_iter().map(read).collect::<Option<_>>()?;
    let mut read = read.into_iter();
    let mut all = read.next()?;
    for next in read {
        all.edges.extend_from_slice(&next.edges);
        all.alone.extend_from_slice(&next.alone);
    }
    Some(all)
}

/// The numbers from the cursor on; None if something is no number, or a larger one than these.
fn numbers<N: Number>(mut cursor: Cursor<'_>, between: Between) -> Option<Numbers<N>> {
    // most lines have more bytes
    let mut edges = Vec::with_capacity((cursor.bytes.len() - cursor.at) / 12);
    let mut alone = Vec::new();
    let separator = match between {
        Between::Comma => b',',
        Between::Space | Between::Tab => b'\t',
    };
    let blanks = |cursor: &mut Cursor<'_>| {
        while cursor.peek() != b'\n' && is_space(cursor.peek()) && cursor.peek() != separator {
            cursor.at += 1;
        }
    };
    let is_end = |cursor: &Cursor<'_>| cursor.at_end() || cursor.peek() == b'\n';
    loop {
        skip_empty(&mut cursor);
        if cursor.at_end() {
            return Some(Numbers { edges, alone });
        }
        let from = N::of(plain_number(&mut cursor)?)?;
        let after = cursor.at;
        blanks(&mut cursor);
        if is_end(&cursor) {
            alone.push(from);
            continue;
        }
        let is_apart = match between {
            Between::Space => cursor.eat(separator) | (cursor.at > after),
            Between::Comma | Between::Tab => cursor.eat(separator),
        };
        if !is_apart {
            return None;
        }
        match between {
            Between::Space => {
                while cursor.peek() != b'\n' && is_space(cursor.peek()) {
                    cursor.at += 1;
                }
                if is_end(&cursor) {
                    alone.push(from);
                    continue;
                }
            }
            Between::Comma | Between::Tab => blanks(&mut cursor),
        }
        let to = N::of(plain_number(&mut cursor)?)?;
        edges.push((from, to));
        if cursor.eat(b'\n') || cursor.at_end() {
            continue;
        }
        let next = cursor.peek();
        if !(is_space(next) || next == separator) {
            return None;
        }
        to_next_line(&mut cursor);
    }
}

/// A number as it is printed: `007` is the name of another vertex than `7`.
#[inline(always)]
fn plain_number(cursor: &mut Cursor<'_>) -> Option<u64> {
    let start = cursor.at;
    let number = cursor.number("vertex").ok()?;
    let has_zeros = cursor.bytes[start] == b'0' && cursor.at > start + 1;
    (!has_zeros).then_some(number)
}

impl<N: Number> Numbers<N> {
    /// The graph on the numbers that occur, in their order.
    ///
    /// # Complexity
    /// O(vertices + edges), and a sort of the ends if the numbers lie far apart.
    pub(super) fn graph(&self, at: usize) -> Result<GraphFile, Fault> {
        let Numbers { edges, alone } = self;
        let all = || edges.iter().flat_map(|(from, to)| [from.get(), to.get()]).chain(alone.iter().map(|v| v.get()));
        let most = all().max().unwrap_or(0);
        let occurring = 2 * edges.len() + alone.len();
        if most >= 64 * occurring as u64 {
            let mut sorted: Vec<u64> = all().collect();
            sorted.sort_unstable();
            sorted.dedup();
            let names = Names::of(sorted.iter().map(u64::to_string).collect());
            return self.ranked(sorted.len(), names, at, |v| sorted.partition_point(|s| *s < v) as u32);
        }
        // a bit a number, and how many stand before each word of them
        let mut bits = vec![0u64; most as usize / 64 + 1];
        all().for_each(|v| bits[v as usize / 64] |= 1 << (v % 64));
        let mut count = 0u64;
        let mut before = Vec::with_capacity(bits.len());
        for word in &bits {
            before.push(count);
            count += u64::from(word.count_ones());
        }
        let first = bits.iter().position(|w| *w != 0).map_or(0, |i| 64 * i + bits[i].trailing_zeros() as usize) as u64;
        if occurring > 0 && most - first + 1 == count {
            let names = match first {
                0 | 1 => Names::Numbered { first },
                _ => Names::Given((first..=most).map(|v| v.to_string()).collect()),
            };
            return self.ranked(count as usize, names, at, |v| (v - first) as u32);
        }
        let is_there = |v: &u64| bits[*v as usize / 64] >> (v % 64) & 1 == 1;
        let names = Names::Given((0..=most).filter(is_there).map(|v| v.to_string()).collect());
        self.ranked(count as usize, names, at, |v| {
            let below = bits[v as usize / 64] & ((1 << (v % 64)) - 1);
            (before[v as usize / 64] + u64::from(below.count_ones())) as u32
        })
    }

    fn ranked(&self, count: usize, names: Names, at: usize, rank: impl Fn(u64) -> u32) -> Result<GraphFile, Fault> {
        let edges = self.edges.iter().map(|(from, to)| (rank(from.get()), rank(to.get())));
        let graph = Digraph::from_edge_iter(count, edges).map_err(|e| Fault::new(at, e.to_string()))?;
        Ok(GraphFile::new(graph, names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_read_like_the_whole() {
        let text = b"# heading\n0\t1\n2 0 17\n\n5\n3 4\r\n% no edge\n4294967296 1";
        for length in 1..text.len() {
            let read = of_pieces::<u64>(text, pieces::at_line_ends_by(text, 0, length), Between::Space).unwrap();
            assert_eq!((read.edges, read.alone), (vec![(0, 1), (2, 0), (3, 4), (4294967296, 1)], vec![5]), "{length}");
            assert!(of_pieces::<u32>(text, pieces::at_line_ends_by(text, 0, length), Between::Space).is_none());
        }
    }
}
