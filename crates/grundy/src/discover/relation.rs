//! Automatic relations: sets of tuples of natural numbers, as automata that read the numbers in binary.
//!
//! A relation has *tracks*, one for each number; a letter is one bit of each, the least significant ones first. A tuple is
//! accepted or not however many zeros are appended to it. Everything that first-order formulas over addition, order and
//! bits can say is such a relation (Büchi); the operations here are those of its decision procedure.
//!
//! # Complexity
//! A projection may square, or raise to a power, the number of states: the subsets are met one by one against the
//! [`Meter`], which counts each state as a position and its bytes as memory.
//!
//! # Sources
//! `[B60]` (decidability), `[BHMV94]` (numeration in base 2).

use std::{
    collections::{VecDeque, hash_map::Entry},
    rc::Rc,
};

use rustc_hash::FxHashMap as HashMap;

use super::partition::Partition;
use crate::budget::{Limit, Meter, StopReason};

/// The name of a number of a tuple.
pub(crate) type Track = u8;

/// A set of tuples. Automata may have several starts and several targets a letter; every state lies on the way from a start
/// to an accepting one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    /// The numbers, ascending; bit i of a letter is that of the i-th.
    tracks: Vec<Track>,
    starts: Vec<u32>,
    /// Where the targets of (state, letter) begin, at `state << tracks | letter`; one more at the end.
    offsets: Vec<u32>,
    targets: Vec<u32>,
    accepting: Vec<bool>,
}

/// Edges of a state: letter and target.
type Edges = Vec<(u32, u32)>;

/// Most states of an automaton, whatever the budget allows.
const MOST_STATES: usize = 1 << 22;

/// Bytes of the edges of a state in the making.
fn edge_bytes(edges: usize) -> u64 {
    64 + 16 * edges as u64
}

/// Counts the bytes of an automaton in the making that has come to so many states.
fn grow(states: usize, bytes: u64, meter: &mut Meter) -> Result<(), StopReason> {
    if states > MOST_STATES {
        let setting = format!("{MOST_STATES} states of an automaton");
        return Err(StopReason { limit: Limit::Memory, setting, reached: String::new() });
    }
    meter.bytes(bytes)
}

/// The sources of the edges into each state, of all letters or of 0 only: those of t stand from `first[t]` to `first[t + 1]`.
fn sources(edges: &[Edges], zero_only: bool) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; edges.len() + 1];
    let is_wanted = |letter: u32| !zero_only || letter == 0;
    for (_, t) in edges.iter().flatten().filter(|e| is_wanted(e.0)) {
        first[*t as usize + 1] += 1;
    }
    for i in 1..first.len() {
        first[i] += first[i - 1];
    }
    let mut fill = first.clone();
    let mut from = vec![0u32; first.last().map_or(0, |n| *n as usize)];
    for (s, out) in (0..).zip(edges) {
        for (_, t) in out.iter().filter(|e| is_wanted(e.0)) {
            from[fill[*t as usize] as usize] = s;
            fill[*t as usize] += 1;
        }
    }
    (first, from)
}

/// Marks the states from which edges lead to marked ones.
fn flood(marked: &mut [bool], (first, from): &(Vec<u32>, Vec<u32>), meter: &mut Meter) -> Result<(), StopReason> {
    let mut open: Vec<u32> = (0..marked.len() as u32).filter(|s| marked[*s as usize]).collect();
    while let Some(s) = open.pop() {
        let here = &from[first[s as usize] as usize..first[s as usize + 1] as usize];
        meter.steps(8 + 8 * here.len() as u64)?;
        for from in here {
            if !std::mem::replace(&mut marked[*from as usize], true) {
                open.push(*from);
            }
        }
    }
    Ok(())
}

impl Relation {
    /// The relation of all words along which `next` leads from `start` to a state that `accepts`.
    ///
    /// # Panics
    /// If the tracks are not ascending.
    pub(crate) fn explore<S: Clone + Eq + std::hash::Hash>(
        tracks: &[Track],
        starts: Vec<S>,
        mut next: impl FnMut(&S, u32) -> Option<S>,
        accepts: impl Fn(&S) -> bool,
        meter: &mut Meter,
    ) -> Result<Relation, StopReason> {
        assert!(tracks.is_sorted_by(|a, b| a < b), "ascending tracks");
        let mut found: HashMap<S, u32> = HashMap::default();
        let mut states: Vec<S> = Vec::new();
        let mut intern = |s: S, states: &mut Vec<S>| {
            *found.entry(s).or_insert_with_key(|s| {
                states.push(s.clone());
                states.len() as u32 - 1
            })
        };
        let starts: Vec<u32> = starts.into_iter().map(|s| intern(s, &mut states)).collect();
        let mut edges: Vec<Edges> = Vec::new();
        let (mut known, mut held) = (0, 0);
        while edges.len() < states.len() {
            meter.position()?;
            meter.steps(16 << tracks.len())?;
            let state = states[edges.len()].clone();
            let letters = 0..1 << tracks.len();
            let out: Edges = letters.filter_map(|l| next(&state, l).map(|s| (l, intern(s, &mut states)))).collect();
            // each state stands in a table and in a list, both with room to grow
            let new = (states.len() - known) * (4 * size_of::<S>() + 64);
            let bytes = new as u64 + edge_bytes(out.len());
            grow(states.len(), bytes, meter)?;
            (known, held) = (states.len(), held + bytes);
            edges.push(out);
        }
        let accepting = states.iter().map(accepts).collect();
        let result = Relation::trimmed(tracks.to_vec(), starts, edges, accepting, meter)?;
        meter.release(held);
        Ok(result)
    }

    /// The automaton without the states that lead nowhere, its acceptance closed under appended zeros.
    fn trimmed(
        tracks: Vec<Track>,
        starts: Vec<u32>,
        mut edges: Vec<Edges>,
        mut accepting: Vec<bool>,
        meter: &mut Meter,
    ) -> Result<Relation, StopReason> {
        let letters = 1usize << tracks.len();
        let held = edges.iter().map(|e| 32 + 8 * letters as u64 + 16 * e.len() as u64).sum();
        meter.bytes(held)?;
        flood(&mut accepting, &sources(&edges, true), meter)?;
        let mut useful = accepting.clone();
        flood(&mut useful, &sources(&edges, false), meter)?;
        // numbered anew in the order in which they are reached
        let mut name = vec![u32::MAX; edges.len()];
        let mut order = Vec::new();
        let mut visit = |s: u32, order: &mut Vec<u32>| {
            if useful[s as usize] && name[s as usize] == u32::MAX {
                name[s as usize] = order.len() as u32;
                order.push(s);
            }
            name[s as usize]
        };
        let mut new_starts: Vec<u32> =
            starts.iter().map(|s| visit(*s, &mut order)).filter(|s| *s != u32::MAX).collect();
        new_starts.sort_unstable();
        new_starts.dedup();
        let (mut offsets, mut targets) = (Vec::new(), Vec::new());
        let mut i = 0;
        while i < order.len() {
            let mut out = std::mem::take(&mut edges[order[i] as usize]);
            meter.steps(16 + 8 * (out.len() + letters) as u64)?;
            out.sort_unstable();
            out.dedup();
            let mut rest = &out[..];
            for letter in 0..1u32 << tracks.len() {
                offsets.push(targets.len() as u32);
                while let Some(((l, to), more)) = rest.split_first()
                    && *l == letter
                {
                    let to = visit(*to, &mut order);
                    if to != u32::MAX {
                        targets.push(to);
                    }
                    rest = more;
                }
            }
            i += 1;
        }
        offsets.push(targets.len() as u32);
        let accepting = order.iter().map(|s| accepting[*s as usize]).collect();
        meter.release(held);
        Ok(Relation { tracks, starts: new_starts, offsets, targets, accepting })
    }

    /// Number of states, the one that accepts nothing not counted.
    pub(crate) fn states(&self) -> usize {
        self.accepting.len()
    }

    /// The tracks, ascending.
    pub(crate) fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// True if no tuple is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    fn targets(&self, state: u32, letter: u32) -> &[u32] {
        let at = (state as usize) << self.tracks.len() | letter as usize;
        &self.targets[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }

    fn edges_of(&self, state: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..1u32 << self.tracks.len()).flat_map(move |l| self.targets(state, l).iter().map(move |t| (l, *t)))
    }

    /// Bytes of a list of all edges by their states.
    fn edge_bytes(&self) -> u64 {
        64 * self.states() as u64 + 16 * self.targets.len() as u64
    }

    fn is_deterministic(&self) -> bool {
        self.starts.len() <= 1 && self.offsets.windows(2).all(|w| w[1] - w[0] <= 1)
    }

    /// The relation as a complete automaton: next states by letter, from state 0; the last state may accept nothing.
    pub(crate) fn table(&self, meter: &mut Meter) -> Result<(Vec<Vec<u32>>, Vec<bool>), StopReason> {
        let d = self.minimised(meter)?;
        let dead = d.states() as u32;
        let target = |s: u32, l: u32| d.targets(s, l).first().copied().unwrap_or(dead);
        let letters = 1u32 << d.tracks.len();
        let held = u64::from(dead) * (48 + 4 * u64::from(letters));
        meter.bytes(held)?;
        let mut next: Vec<Vec<u32>> = (0..dead).map(|s| (0..letters).map(|l| target(s, l)).collect()).collect();
        let mut accepting = d.accepting.clone();
        if next.is_empty() || next.iter().flatten().any(|t| *t == dead) {
            next.push(vec![dead; letters as usize]);
            accepting.push(false);
        }
        meter.release(held);
        Ok((next, accepting))
    }

    /// The same relation between other numbers: track i is called `names[i]`.
    ///
    /// # Panics
    /// If there are not as many names as tracks, or one twice.
    pub(crate) fn renamed(&self, names: &[Track], meter: &mut Meter) -> Result<Relation, StopReason> {
        let mut sorted: Vec<(Track, usize)> = names.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        assert!(names.len() == self.tracks.len() && sorted.windows(2).all(|w| w[0].0 < w[1].0), "one name a track");
        let letter = |old: u32| sorted.iter().enumerate().map(|(new, (_, i))| (old >> i & 1) << new).sum::<u32>();
        let edges =
            (0..self.states() as u32).map(|s| self.edges_of(s).map(|(l, t)| (letter(l), t)).collect()).collect();
        let tracks = sorted.iter().map(|(t, _)| *t).collect();
        let held = self.edge_bytes();
        meter.bytes(held)?;
        let result = Relation::trimmed(tracks, self.starts.clone(), edges, self.accepting.clone(), meter)?;
        meter.release(held);
        Ok(result)
    }

    /// Tuples of one or the other relation, which have the same tracks.
    pub(crate) fn or(&self, other: &Relation, meter: &mut Meter) -> Result<Relation, StopReason> {
        self.union(other, meter)?.minimised(meter)
    }

    /// [`Relation::or`], left with several targets a letter.
    pub(crate) fn union(&self, other: &Relation, meter: &mut Meter) -> Result<Relation, StopReason> {
        assert_eq!(self.tracks, other.tracks, "the same tracks");
        let held = self.edge_bytes() + other.edge_bytes();
        grow(self.states() + other.states(), held, meter)?;
        let shift = self.states() as u32;
        let starts = self.starts.iter().copied().chain(other.starts.iter().map(|s| s + shift)).collect();
        let mut edges: Vec<Edges> = (0..shift).map(|s| self.edges_of(s).collect()).collect();
        edges.extend(
            (0..other.states() as u32).map(|s| other.edges_of(s).map(|(l, t)| (l, t + shift)).collect::<Edges>()),
        );
        let accepting = self.accepting.iter().chain(&other.accepting).copied().collect();
        let result = Relation::trimmed(self.tracks.clone(), starts, edges, accepting, meter)?;
        meter.release(held);
        Ok(result)
    }

    /// Tuples that are not in it.
    pub(crate) fn not(&self, meter: &mut Meter) -> Result<Relation, StopReason> {
        let (next, accepting) = self.table(meter)?;
        let held = next.iter().map(|row| 2 * edge_bytes(row.len())).sum();
        meter.bytes(held)?;
        let edges = next.into_iter().map(|row| (0..).zip(row).collect()).collect();
        let accepting = accepting.iter().map(|a| !a).collect();
        let result = Relation::trimmed(self.tracks.clone(), vec![0], edges, accepting, meter)?;
        meter.release(held);
        Ok(result)
    }

    /// The automaton with the fewest states among the deterministic ones.
    pub(crate) fn minimised(&self, meter: &mut Meter) -> Result<Relation, StopReason> {
        if self.is_deterministic() {
            return self.hopcroft(meter);
        }
        self.bisimilar(meter)?.determinised(meter)?.hopcroft(meter)
    }

    /// States that have edges to the same states become one, over and over. What is made of such relations has many states
    /// that are the same in this sense too.
    pub(crate) fn bisimilar(&self, meter: &mut Meter) -> Result<Relation, StopReason> {
        let held = self.edge_bytes();
        meter.bytes(held)?;
        let ahead: Vec<Edges> = (0..self.states() as u32).map(|s| self.edges_of(s).collect()).collect();
        let class = self.accepting.iter().map(|a| u32::from(*a)).collect();
        let class = refined(class, &ahead, meter)?;
        drop(ahead);
        meter.release(held);
        self.merged(&class, meter)
    }

    /// States that words lead to from the same states become one, over and over.
    fn bisimilar_backwards(&self, meter: &mut Meter) -> Result<Relation, StopReason> {
        let held = self.edge_bytes();
        meter.bytes(held)?;
        let mut back: Vec<Edges> = vec![Edges::new(); self.states()];
        for s in 0..self.states() as u32 {
            for (l, t) in self.edges_of(s) {
                back[t as usize].push((l, s));
            }
        }
        let mut class: Vec<u32> = vec![0; self.states()];
        self.starts.iter().for_each(|s| class[*s as usize] = 1);
        let class = refined(class, &back, meter)?;
        drop(back);
        meter.release(held);
        self.merged(&class, meter)
    }

    /// The states of each class as one, with the edges of all.
    fn merged(&self, class: &[u32], meter: &mut Meter) -> Result<Relation, StopReason> {
        let held = self.edge_bytes();
        meter.bytes(held)?;
        let classes = class.iter().max().map_or(0, |c| *c as usize + 1);
        let mut edges = vec![Edges::new(); classes];
        let mut accepting = vec![false; classes];
        for (s, c) in (0..).zip(class) {
            edges[*c as usize].extend(self.edges_of(s).map(|(l, t)| (l, class[t as usize])));
            accepting[*c as usize] |= self.accepting[s as usize];
        }
        let starts = self.starts.iter().map(|s| class[*s as usize]).collect();
        let result = Relation::trimmed(self.tracks.clone(), starts, edges, accepting, meter)?;
        meter.release(held);
        Ok(result)
    }

    /// Fewer states of the same relation, without making it deterministic.
    pub(crate) fn reduced(&self, meter: &mut Meter) -> Result<Relation, StopReason> {
        let mut states = self.states();
        let mut less = self.bisimilar(meter)?.bisimilar_backwards(meter)?;
        while less.states() < states {
            states = less.states();
            less = less.bisimilar(meter)?.bisimilar_backwards(meter)?;
        }
        Ok(less)
    }

    fn determinised(&self, meter: &mut Meter) -> Result<Relation, StopReason> {
        let mut found: HashMap<Box<[u32]>, u32> = HashMap::default();
        let mut sets: Vec<Box<[u32]>> = Vec::new();
        let mut edges: Vec<Edges> = Vec::new();
        if !self.starts.is_empty() {
            sets.push(self.starts.clone().into());
            found.insert(sets[0].clone(), 0);
        }
        let letters = 1u32 << self.tracks.len();
        let mut held = 0;
        while edges.len() < sets.len() {
            let set = sets[edges.len()].clone();
            let mut out = Edges::new();
            for letter in 0..letters {
                let mut union: Vec<u32> = set.iter().flat_map(|s| self.targets(*s, letter)).copied().collect();
                union.sort_unstable();
                union.dedup();
                meter.steps(8 + 4 * set.len() as u64)?;
                if union.is_empty() {
                    continue;
                }
                let next = sets.len() as u32;
                let to = match found.entry(union.into()) {
                    Entry::Occupied(e) => *e.get(),
                    Entry::Vacant(e) => {
                        meter.position()?;
                        let bytes = 8 * e.key().len() as u64 + 160;
                        grow(sets.len(), bytes, meter)?;
                        held += bytes;
                        sets.push(e.key().clone());
                        *e.insert(next)
                    }
                };
                out.push((letter, to));
            }
            meter.bytes(edge_bytes(out.len()))?;
            held += edge_bytes(out.len());
            edges.push(out);
        }
        let starts = vec![0; usize::from(!sets.is_empty())];
        let accepting = sets.iter().map(|set| set.iter().any(|s| self.accepting[*s as usize])).collect();
        let result = Relation::trimmed(self.tracks.clone(), starts, edges, accepting, meter)?;
        meter.release(held);
        Ok(result)
    }

    /// Minimises a deterministic automaton by splitting classes (Hopcroft).
    fn hopcroft(&self, meter: &mut Meter) -> Result<Relation, StopReason> {
        let letters = 1usize << self.tracks.len();
        // one more state, which accepts nothing
        let dead = self.states();
        let count = dead + 1;
        let target = |s: usize, l: usize| match s {
            s if s == dead => dead,
            s => self.targets(s as u32, l as u32).first().map_or(dead, |t| *t as usize),
        };
        let held = count as u64 * (100 + 20 * letters as u64);
        meter.bytes(held)?;
        // sources by (letter, target)
        let mut starts = vec![0u32; letters * count + 1];
        for s in 0..count {
            meter.steps(4 * letters as u64)?;
            for l in 0..letters {
                starts[l * count + target(s, l) + 1] += 1;
            }
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut fill = starts.clone();
        let mut sources = vec![0u32; letters * count];
        for s in 0..count {
            meter.steps(8 * letters as u64)?;
            for l in 0..letters {
                let at = &mut fill[l * count + target(s, l)];
                sources[*at as usize] = s as u32;
                *at += 1;
            }
        }
        let mut partition = Partition::new(count);
        for s in 0..dead {
            if self.accepting[s] {
                partition.mark(s as u32);
            }
        }
        partition.split(|_, _| {});
        let mut waiting: VecDeque<u32> = (0..partition.classes()).collect();
        let mut is_waiting = vec![true; partition.classes() as usize];
        while let Some(splitter) = waiting.pop_front() {
            is_waiting[splitter as usize] = false;
            let members = partition.members(splitter).to_vec();
            for l in 0..letters {
                for m in &members {
                    let at = l * count + *m as usize;
                    let sources = &sources[starts[at] as usize..starts[at + 1] as usize];
                    meter.steps(4 + 8 * sources.len() as u64)?;
                    for s in sources {
                        partition.mark(*s);
                    }
                }
                partition.split(|old, new| {
                    is_waiting.resize(new.1 as usize + 1, false);
                    let chosen = if is_waiting[old.1 as usize] || new.0 <= old.0 { new.1 } else { old.1 };
                    if !std::mem::replace(&mut is_waiting[chosen as usize], true) {
                        waiting.push_back(chosen);
                    }
                });
            }
        }
        let classes = partition.classes() as usize;
        let mut edges = vec![Edges::new(); classes];
        let mut accepting = vec![false; classes];
        for class in 0..classes as u32 {
            let s = partition.members(class)[0] as usize;
            edges[class as usize] = (0..letters).map(|l| (l as u32, partition.class(target(s, l) as u32))).collect();
            accepting[class as usize] = s != dead && self.accepting[s];
        }
        let starts = self.starts.iter().map(|s| partition.class(*s)).collect();
        let result = Relation::trimmed(self.tracks.clone(), starts, edges, accepting, meter)?;
        meter.release(held);
        Ok(result)
    }

    /// The least number in it, of a relation on one track; None if there is none within 128 bits.
    pub(crate) fn least(&self) -> Option<u128> {
        // the states after each number of bits, until one accepts: the least number has the fewest bits
        let mut layers = vec![self.starts.clone()];
        while !layers.last()?.iter().any(|s| self.accepting[*s as usize]) {
            if layers.len() > 128 {
                return None;
            }
            let last = layers.last()?;
            let mut next: Vec<u32> = last.iter().flat_map(|s| self.edges_of(*s).map(|(_, t)| t)).collect();
            next.sort_unstable();
            next.dedup();
            if next.is_empty() {
                return None;
            }
            layers.push(next);
        }
        // from the highest bit down, 0 where possible
        let mut goals = layers.pop()?;
        goals.retain(|s| self.accepting[*s as usize]);
        let mut number = 0;
        for (bit, layer) in layers.iter().enumerate().rev() {
            let before = |letter: u32| -> Vec<u32> {
                let leads = |s: &u32| self.targets(*s, letter).iter().any(|t| goals.contains(t));
                layer.iter().copied().filter(leads).collect()
            };
            let zero = before(0);
            goals = if zero.is_empty() {
                number |= 1u128 << bit;
                before(1)
            } else {
                zero
            };
        }
        Some(number)
    }

    /// True if the tuple, in the order of the tracks, is in the relation.
    pub(crate) fn contains(&self, numbers: &[u128]) -> bool {
        let bits = numbers.iter().map(|x| 128 - x.leading_zeros()).max().unwrap_or(0);
        let mut set = self.starts.clone();
        for bit in 0..bits {
            let letter = numbers.iter().enumerate().map(|(i, x)| ((x >> bit & 1) as u32) << i).sum();
            let mut next: Vec<u32> = set.iter().flat_map(|s| self.targets(*s, letter)).copied().collect();
            next.sort_unstable();
            next.dedup();
            set = next;
        }
        set.iter().any(|s| self.accepting[*s as usize])
    }
}

/// Splits classes of states until those of one have edges to the same classes.
fn refined(mut class: Vec<u32>, edges: &[Edges], meter: &mut Meter) -> Result<Vec<u32>, StopReason> {
    let mut classes = 0;
    let held = edges.iter().map(|e| 2 * edge_bytes(e.len())).sum();
    meter.bytes(held)?;
    loop {
        let mut found: HashMap<(u32, Edges), u32> = HashMap::default();
        let mut new = Vec::with_capacity(class.len());
        for (s, edges) in edges.iter().enumerate() {
            let mut edges: Edges = edges.iter().map(|(l, t)| (*l, class[*t as usize])).collect();
            meter.steps(16 + 8 * edges.len() as u64)?;
            edges.sort_unstable();
            edges.dedup();
            let next = found.len() as u32;
            new.push(*found.entry((class[s], edges)).or_insert(next));
        }
        class = new;
        if found.len() == classes {
            meter.release(held);
            return Ok(class);
        }
        classes = found.len();
    }
}

/// Several relations at once, over all their tracks.
struct Product<'a> {
    parts: &'a [&'a Relation],
    /// All tracks, in the order in which their bits are chosen.
    order: Vec<Track>,
    /// For each place in the order the relations that know all of their bits there.
    complete: Vec<Vec<usize>>,
    /// For each relation the places of its tracks.
    places: Vec<Vec<usize>>,
}

impl<'a> Product<'a> {
    fn new(parts: &'a [&'a Relation]) -> Self {
        // relations one after another, those that share most tracks with what is chosen first
        let mut order: Vec<Track> = Vec::new();
        let mut left: Vec<usize> = (0..parts.len()).collect();
        while !left.is_empty() {
            let new = |i: usize| parts[i].tracks.iter().filter(|t| !order.contains(t)).count();
            let Some(best) = (0..left.len()).min_by_key(|j| (new(left[*j]), parts[left[*j]].tracks.len())) else {
                break;
            };
            let i = left.remove(best);
            let more: Vec<Track> = parts[i].tracks.iter().copied().filter(|t| !order.contains(t)).collect();
            order.extend(more);
        }
        let places: Vec<Vec<usize>> = parts
            .iter()
            .map(|r| r.tracks.iter().map(|t| order.iter().position(|o| o == t).unwrap_or_default()).collect())
            .collect();
        let mut complete = vec![Vec::new(); order.len()];
        for (i, places) in places.iter().enumerate() {
            if let Some(last) = places.iter().max() {
                complete[*last].push(i);
            }
        }
        Product { parts, order, complete, places }
    }

    fn letter(&self, part: usize, bits: u32) -> u32 {
        self.places[part].iter().enumerate().map(|(i, p)| (bits >> p & 1) << i).sum()
    }

    /// Every choice of bits, place i at bit i, that no relation refuses, with one choice of targets each.
    fn successors(&self, state: &[u32], depth: usize, bits: u32, each: &mut impl FnMut(u32, &[u32])) {
        if depth == self.order.len() {
            let mut targets = vec![0; state.len()];
            self.choose(state, bits, 0, &mut targets, each);
            return;
        }
        for bit in 0..2 {
            let bits = bits | bit << depth;
            let possible = |i: &usize| !self.parts[*i].targets(state[*i], self.letter(*i, bits)).is_empty();
            if self.complete[depth].iter().all(possible) {
                self.successors(state, depth + 1, bits, each);
            }
        }
    }

    fn choose(
        &self,
        state: &[u32],
        bits: u32,
        part: usize,
        targets: &mut Vec<u32>,
        each: &mut impl FnMut(u32, &[u32]),
    ) {
        if part == state.len() {
            each(bits, targets);
            return;
        }
        for to in self.parts[part].targets(state[part], self.letter(part, bits)) {
            targets[part] = *to;
            self.choose(state, bits, part + 1, targets, each);
        }
    }

    fn count_starts(&self) -> usize {
        self.parts.iter().map(|r| r.starts.len()).fold(1, usize::saturating_mul)
    }

    fn starts(&self) -> Vec<Vec<u32>> {
        self.parts.iter().fold(vec![Vec::new()], |tuples, r| {
            tuples.iter().flat_map(|t| r.starts.iter().map(move |s| t.iter().copied().chain([*s]).collect())).collect()
        })
    }

    fn accepts(&self, state: &[u32]) -> bool {
        self.parts.iter().zip(state).all(|(r, s)| r.accepting[*s as usize])
    }
}

/// The tuples of the tracks `keep` that some numbers on the other tracks complete to tuples of all the relations: one product
/// of all of them, projected, then made deterministic and minimised.
///
/// # Panics
/// If a kept track is on none of them, or they are not ascending.
pub(crate) fn exists(parts: &[&Relation], keep: &[Track], meter: &mut Meter) -> Result<Relation, StopReason> {
    project(parts, keep, meter)?.minimised(meter)
}

/// [`exists`] without the last step: with several targets a letter.
pub(crate) fn project(parts: &[&Relation], keep: &[Track], meter: &mut Meter) -> Result<Relation, StopReason> {
    assert!(keep.is_sorted_by(|a, b| a < b), "ascending tracks");
    let product = Product::new(parts);
    let place = |t: &Track| product.order.iter().position(|o| o == t);
    let places: Vec<usize> = keep.iter().map(|t| place(t).expect("a kept track is somewhere")).collect();
    let mut found: HashMap<Box<[u32]>, u32> = HashMap::default();
    let mut states: Vec<Box<[u32]>> = Vec::new();
    let mut edges: Vec<Edges> = Vec::new();
    let bytes = 8 * parts.len() as u64 + 96;
    let mut starts = Vec::new();
    let mut held = bytes * product.count_starts() as u64;
    grow(product.count_starts(), held, meter)?;
    for start in product.starts() {
        starts.push(states.len() as u32);
        found.insert(start.clone().into(), states.len() as u32);
        states.push(start.into());
    }
    while edges.len() < states.len() {
        let state = states[edges.len()].clone();
        let mut out = Edges::new();
        let known = states.len();
        product.successors(&state, 0, 0, &mut |bits, targets| {
            let letter = places.iter().enumerate().map(|(i, p)| (bits >> p & 1) << i).sum();
            let to = found.get(targets).copied().unwrap_or_else(|| {
                let new = states.len() as u32;
                found.insert(targets.into(), new);
                states.push(targets.into());
                new
            });
            out.push((letter, to));
        });
        meter.position()?;
        meter.steps(64 * (out.len() as u64 + 1))?;
        out.sort_unstable();
        out.dedup();
        let new = bytes * (states.len() - known) as u64 + edge_bytes(out.len());
        grow(states.len(), new, meter)?;
        held += new;
        edges.push(out);
    }
    let accepting = states.iter().map(|s| product.accepts(s)).collect();
    let result = Relation::trimmed(keep.to_vec(), starts, edges, accepting, meter)?;
    meter.release(held);
    Ok(result)
}

/// A shortest tuple that is in `some` and not in `other`, which has the same tracks and is never made deterministic.
///
/// A state of `some` is met with the set of states that `other` may be in, and of the sets that belong to a state only the
/// least count: what a set does not accept, no smaller one does.
pub(crate) fn find_outside(
    some: &Relation,
    other: &Relation,
    meter: &mut Meter,
) -> Result<Option<Vec<(Track, u128)>>, StopReason> {
    assert_eq!(some.tracks, other.tracks, "the same tracks");
    struct Met {
        state: u32,
        set: Rc<[u64]>,
        before: u32,
        letter: u32,
        is_dropped: bool,
    }
    let words = other.states().div_ceil(64);
    let set_of = |states: &mut dyn Iterator<Item = u32>| {
        let mut set = vec![0u64; words];
        states.for_each(|s| set[s as usize / 64] |= 1 << (s % 64));
        Rc::<[u64]>::from(set)
    };
    let within = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a & !b == 0);
    let accepting = set_of(&mut (0..other.states() as u32).filter(|s| other.accepting[*s as usize]));
    let mut met: Vec<Met> = Vec::new();
    let mut least: Vec<Vec<u32>> = vec![Vec::new(); some.states()];
    let mut add = |new: Met, met: &mut Vec<Met>, meter: &mut Meter| {
        let known = &mut least[new.state as usize];
        meter.steps(16 + known.len() as u64 * (4 + words as u64 / 4))?;
        if known.iter().any(|m| within(&met[*m as usize].set, &new.set)) {
            return Ok(());
        }
        known.retain(|m| {
            let is_beyond = within(&new.set, &met[*m as usize].set);
            met[*m as usize].is_dropped |= is_beyond;
            !is_beyond
        });
        known.push(met.len() as u32);
        met.push(new);
        meter.position()?;
        meter.bytes(8 * words as u64 + 64)
    };
    let first = set_of(&mut other.starts.iter().copied());
    for state in &some.starts {
        let start = Met { state: *state, set: first.clone(), before: u32::MAX, letter: 0, is_dropped: false };
        add(start, &mut met, meter)?;
    }
    let mut at = 0;
    while at < met.len() {
        let Met { state, ref set, is_dropped, .. } = met[at];
        let set = set.clone();
        if !is_dropped {
            if some.accepting[state as usize] && set.iter().zip(&*accepting).all(|(a, b)| a & b == 0) {
                let back = std::iter::successors(Some(at as u32), |m| Some(met[*m as usize].before));
                let path = back.map_while(|m| met.get(m as usize)).take_while(|m| m.before != u32::MAX);
                let mut letters: Vec<u32> = path.map(|m| m.letter).collect();
                letters.reverse();
                return Ok(Some(numbers(&some.tracks, &letters)));
            }
            for letter in 0..1u32 << some.tracks.len() {
                let targets = some.targets(state, letter);
                if targets.is_empty() {
                    continue;
                }
                let mut union = vec![0u64; words];
                let mut edges = 0;
                for (w, word) in set.iter().enumerate() {
                    let mut word = *word;
                    while word != 0 {
                        let s = 64 * w as u32 + word.trailing_zeros();
                        word &= word - 1;
                        for t in other.targets(s, letter) {
                            union[*t as usize / 64] |= 1 << (t % 64);
                            edges += 1;
                        }
                    }
                }
                meter.steps(words as u64 + edges)?;
                let union: Rc<[u64]> = union.into();
                for t in targets {
                    let new = Met { state: *t, set: union.clone(), before: at as u32, letter, is_dropped: false };
                    add(new, &mut met, meter)?;
                }
            }
        }
        at += 1;
    }
    Ok(None)
}

/// The numbers that letters, the least significant ones first, spell on tracks.
fn numbers(tracks: &[Track], letters: &[u32]) -> Vec<(Track, u128)> {
    let number = |place: usize| {
        let bits = letters.iter().enumerate().take(128);
        bits.map(|(i, letter)| u128::from(letter >> place & 1) << i).sum()
    };
    tracks.iter().enumerate().map(|(place, t)| (*t, number(place))).collect()
}

/// A shortest tuple of all tracks, by their names, that is in all the relations.
pub(crate) fn find(parts: &[&Relation], meter: &mut Meter) -> Result<Option<Vec<(Track, u128)>>, StopReason> {
    let product = Product::new(parts);
    let mut found: HashMap<Box<[u32]>, u32> = HashMap::default();
    // state, the state before it and the bits between
    let mut states: Vec<(Box<[u32]>, u32, u32)> = Vec::new();
    grow(product.count_starts(), 0, meter)?;
    for start in product.starts() {
        found.insert(start.clone().into(), 0);
        states.push((start.into(), u32::MAX, 0));
    }
    let (mut at, mut known, mut held) = (0, 0, 0);
    while at < states.len() {
        let state = states[at].0.clone();
        if product.accepts(&state) {
            let mut letters = Vec::new();
            let mut s = at;
            while states[s].1 != u32::MAX {
                letters.push(states[s].2);
                s = states[s].1 as usize;
            }
            letters.reverse();
            return Ok(Some(numbers(&product.order, &letters)));
        }
        let mut edges = 0;
        product.successors(&state, 0, 0, &mut |bits, targets| {
            edges += 1;
            if !found.contains_key(targets) {
                found.insert(targets.into(), 0);
                states.push((targets.into(), at as u32, bits));
            }
        });
        meter.position()?;
        meter.steps(64 * (edges + 1))?;
        let bytes = (states.len() - known) as u64 * (16 * parts.len() as u64 + 128);
        grow(states.len(), bytes, meter)?;
        (known, held) = (states.len(), held + bytes);
        at += 1;
    }
    meter.release(held);
    Ok(None)
}
