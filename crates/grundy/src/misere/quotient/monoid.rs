//! Finite commutative monoids with a set of elements, P, by what heaps do to their elements.

use rustc_hash::FxHashMap;

use super::{bits::Bits, word::Word};
use crate::budget::{Meter, StopReason};

/// What multiplication by an element does to all of them, for some elements.
pub(super) type Rows = FxHashMap<u32, Vec<u32>>;

/// The options of each heap, as lists of heaps.
pub(super) type Options = Vec<Vec<Vec<usize>>>;

const NONE: u32 = u32::MAX;

/// A finite commutative monoid that the values of heaps generate. Element 0 is the identity, and elements are numbered in the order
/// of their least words.
#[derive(Clone, Debug)]
pub(super) struct Monoid {
    /// Number of elements.
    pub order: usize,
    /// Heaps whose values are no sums of values of smaller heaps, ascending.
    pub generators: Vec<usize>,
    /// For each generator: what it makes of each element.
    pub actions: Vec<Vec<u32>>,
    /// For each element but the first: its least word is that of an element before, times a generator.
    pub before: Vec<(u32, u32)>,
    /// The pretending function: the value of each heap from 0 on.
    pub values: Vec<u32>,
    /// The elements of P.
    pub lost: Bits,
}

/// A monoid with elements in any order.
struct Raw {
    one: u32,
    order: usize,
    values: Vec<u32>,
    rows: Rows,
}

impl Monoid {
    /// The quotient of no heaps.
    pub fn trivial() -> Self {
        let lost = Bits::new(1);
        Monoid { order: 1, generators: Vec::new(), actions: Vec::new(), before: vec![(0, 0)], values: vec![0], lost }
    }

    /// What multiplication by `y` makes of each element.
    pub fn row(&self, y: u32) -> Vec<u32> {
        let mut path = Vec::new();
        let mut at = y;
        while at != 0 {
            let (before, generator) = self.before[at as usize];
            path.push(generator);
            at = before;
        }
        let mut row: Vec<u32> = (0..self.order as u32).collect();
        for generator in path.into_iter().rev() {
            let action = &self.actions[generator as usize];
            row.iter_mut().for_each(|x| *x = action[*x as usize]);
        }
        row
    }

    /// The rows of the values of all heaps.
    pub fn rows(&self) -> Rows {
        let mut rows = Rows::default();
        for v in &self.values {
            rows.entry(*v).or_insert_with(|| self.row(*v));
        }
        rows
    }

    /// The least word of an element.
    pub fn word(&self, x: u32) -> Word {
        let mut word = Word::default();
        let mut at = x;
        while at != 0 {
            let (before, generator) = self.before[at as usize];
            word = word.times(self.generators[generator as usize]);
            at = before;
        }
        word
    }

    /// The value of a sum of heaps.
    pub fn value(&self, word: &Word, rows: &Rows) -> u32 {
        let heaps = word.0.iter().flat_map(|(heap, count)| (0..*count).map(|_| *heap));
        heaps.fold(0, |x, heap| rows[&self.values[heap]][x as usize])
    }

    /// The elements that heaps reach, in the order of their least words; P is empty.
    fn of(raw: &Raw) -> Monoid {
        let mut at = vec![NONE; raw.order];
        let mut list = vec![raw.one];
        let mut before = vec![(0, 0)];
        at[raw.one as usize] = 0;
        let (mut generators, mut by) = (Vec::new(), Vec::new());
        for (heap, v) in raw.values.iter().enumerate().skip(1) {
            if at[*v as usize] != NONE {
                continue;
            }
            let row = &raw.rows[v];
            let generator = generators.len() as u32;
            generators.push(heap);
            by.push(row);
            // once more the new heap, to all words so far, then to those that were new
            let mut round = 0..list.len();
            while !round.is_empty() {
                let end = list.len();
                for i in round {
                    let x = row[list[i] as usize];
                    if at[x as usize] == NONE {
                        at[x as usize] = list.len() as u32;
                        list.push(x);
                        before.push((i as u32, generator));
                    }
                }
                round = end..list.len();
            }
        }
        let action = |row: &&Vec<u32>| list.iter().map(|x| at[row[*x as usize] as usize]).collect();
        Monoid {
            order: list.len(),
            generators,
            actions: by.iter().map(action).collect(),
            before,
            values: raw.values.iter().map(|v| at[*v as usize]).collect(),
            lost: Bits::new(list.len()),
        }
    }

    /// The values of the options of a heap, each once, ascending.
    pub fn option_values(&self, options: &[Vec<usize>], rows: &Rows) -> Vec<u32> {
        let value = |parts: &Vec<usize>| parts.iter().fold(0, |x, heap| rows[&self.values[*heap]][x as usize]);
        let mut values: Vec<u32> = options.iter().map(value).collect();
        values.sort_unstable();
        values.dedup();
        values
    }

    /// Fills P by the rule of misère play on least words, whose options are values of smaller words.
    ///
    /// # Errors
    /// The stop of a limit.
    pub fn colour(&mut self, options: &Options, meter: &mut Meter) -> Result<(), StopReason> {
        let mut rows = self.rows();
        let of_generators: Vec<Vec<u32>> =
            self.generators.iter().map(|heap| self.option_values(&options[*heap], &rows)).collect();
        for v in of_generators.iter().flatten() {
            rows.entry(*v).or_insert_with(|| self.row(*v));
        }
        let mut reached = vec![Bits::new(self.order)];
        self.lost = Bits::new(self.order);
        for x in 1..self.order {
            let (before, generator) = self.before[x];
            let action = &self.actions[generator as usize];
            let mut options = Bits::new(self.order);
            reached[before as usize].iter().for_each(|y| options.insert(action[y] as usize));
            for v in &of_generators[generator as usize] {
                options.insert(rows[v][before as usize] as usize);
            }
            meter.steps(options.count() as u64 + self.order as u64 / 64)?;
            if !options.is_empty() && !options.meets(&self.lost) {
                self.lost.insert(x);
            }
            reached.push(options);
        }
        Ok(())
    }

    /// The monoid in which elements are one that no multiplication tells apart.
    ///
    /// # Errors
    /// The stop of a limit.
    pub fn reduced(&self, meter: &mut Meter) -> Result<Monoid, StopReason> {
        let mut class: Vec<u32> = (0..self.order).map(|x| u32::from(self.lost.has(x))).collect();
        let mut count = 0;
        loop {
            let mut ids: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            let mut next = Vec::with_capacity(self.order);
            for x in 0..self.order {
                let after = self.actions.iter().map(|action| class[action[x] as usize]);
                let key: Vec<u32> = [class[x]].into_iter().chain(after).collect();
                let id = ids.len() as u32;
                next.push(*ids.entry(key).or_insert(id));
            }
            meter.steps((self.order * (self.actions.len() + 10)) as u64)?;
            class = next;
            if ids.len() == count {
                break;
            }
            count = ids.len();
        }
        let mut first = vec![0u32; count];
        (0..self.order).rev().for_each(|x| first[class[x] as usize] = x as u32);
        let rows = self.rows();
        let of_classes = |row: &Vec<u32>| first.iter().map(|x| class[row[*x as usize] as usize]).collect();
        let raw = Raw {
            one: class[0],
            order: count,
            values: self.values.iter().map(|v| class[*v as usize]).collect(),
            rows: rows.iter().map(|(v, row)| (class[*v as usize], of_classes(row))).collect(),
        };
        let mut reduced = Monoid::of(&raw);
        let mut here = vec![0u32; reduced.order];
        for x in 1..reduced.order {
            let (before, generator) = reduced.before[x];
            let heap = reduced.generators[generator as usize];
            here[x] = rows[&self.values[heap]][here[before as usize] as usize];
        }
        reduced.lost = Bits::of(reduced.order, |x| self.lost.has(here[x] as usize));
        Ok(reduced)
    }

    /// The least i and p with `v^(i + p) = v^i`.
    pub fn index_and_period(&self, v: u32) -> (u32, u32) {
        let row = self.row(v);
        let mut seen = vec![NONE; self.order];
        let (mut x, mut i) = (0u32, 0);
        while seen[x as usize] == NONE {
            seen[x as usize] = i;
            x = row[x as usize];
            i += 1;
        }
        (seen[x as usize], i - seen[x as usize])
    }

    /// The part that the other heaps generate, times a cyclic monoid of given index and period for each of these heaps; None if it
    /// has more than `most` elements.
    pub fn freed(&self, free: &[(usize, u32, u32)], most: usize) -> Option<Monoid> {
        let rows = self.rows();
        let place = |heap: usize| free.iter().position(|(h, ..)| *h == heap);
        let mut values: Vec<u32> =
            (1..self.values.len()).filter(|heap| place(*heap).is_none()).map(|heap| self.values[heap]).collect();
        values.sort_unstable();
        values.dedup();
        let mut at = vec![NONE; self.order];
        let mut list = vec![0u32];
        at[0] = 0;
        let mut next = 0;
        while let Some(x) = list.get(next).copied() {
            for v in &values {
                let y = rows[v][x as usize];
                if at[y as usize] == NONE {
                    at[y as usize] = list.len() as u32;
                    list.push(y);
                }
            }
            next += 1;
        }
        // element x of the part with exponents e, f, … is x + size * (e + exponents of e * (f + …))
        let size = list.len();
        let exponents = |f: &(usize, u32, u32)| (f.1 + f.2) as usize;
        let order = free.iter().try_fold(size, |n, f| n.checked_mul(exponents(f))).filter(|n| *n <= most)?;
        let mut raw = Raw { one: 0, order, values: vec![0; self.values.len()], rows: Rows::default() };
        for heap in 1..self.values.len() {
            let (value, row): (u32, Vec<u32>) = match place(heap) {
                Some(k) => {
                    let stride = free[..k].iter().fold(size, |n, f| n * exponents(f));
                    let (count, index) = (exponents(&free[k]), free[k].1 as usize);
                    let once_more = |z: usize| {
                        let e = z / stride % count;
                        let f = if e + 1 == count { index } else { e + 1 };
                        (z + f * stride - e * stride) as u32
                    };
                    (stride as u32, (0..order).map(once_more).collect())
                }
                None => {
                    let row = &rows[&self.values[heap]];
                    let small: Vec<u32> = list.iter().map(|x| at[row[*x as usize] as usize]).collect();
                    (
                        at[self.values[heap] as usize],
                        (0..order).map(|z| (z / size * size) as u32 + small[z % size]).collect(),
                    )
                }
            };
            raw.values[heap] = value;
            raw.rows.entry(value).or_insert(row);
        }
        Some(Monoid::of(&raw))
    }
}
