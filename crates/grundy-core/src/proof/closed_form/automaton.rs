//! Relations between natural numbers as finite automata with every state and every edge written down.
//!
//! The numbers of a relation are read in binary, least significant bit first, all at the same time: each number has its
//! *track*, one bit of a letter. Numbers may be followed by any number of zeros, and what an automaton accepts must not
//! depend on how many: every automaton made here accepts a word if and only if it accepts the word with a zero letter
//! after it.

use std::collections::{HashMap, hash_map::Entry};

/// One bit for each number.
pub(super) type Letter = u32;

/// What the check may spend.
pub(super) struct Effort<'a> {
    limit: usize,
    go_on: &'a mut dyn FnMut() -> bool,
    steps: usize,
}

/// Why a construction ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// An automaton would have more states than this.
    States(usize),
    /// A coefficient is too large.
    Overflow,
    /// Somebody asked to stop.
    Asked,
}

/// Steps between two looks at whether to go on.
const STEPS_PER_LOOK: usize = 1 << 12;

/// Sets of states are held as bits; so many words weigh as much as a state.
const WORDS_PER_STATE: usize = 16;

impl<'a> Effort<'a> {
    pub(super) fn new(limit: usize, go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Effort { limit, go_on, steps: 0 }
    }

    /// Counts some elementary steps.
    pub(super) fn step(&mut self, count: usize) -> Result<(), Stop> {
        self.steps += count;
        if self.steps < STEPS_PER_LOOK {
            return Ok(());
        }
        self.steps = 0;
        if (self.go_on)() { Ok(()) } else { Err(Stop::Asked) }
    }

    /// Holds the size of an automaton against the limit.
    pub(super) fn states(&mut self, count: usize) -> Result<(), Stop> {
        if count > self.limit.min(u32::MAX as usize) { Err(Stop::States(self.limit)) } else { Ok(()) }
    }
}

/// An automaton that need not be deterministic. A letter without an edge leads nowhere.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    /// The tracks that are read.
    pub tracks: Letter,
    pub start: Vec<u32>,
    /// For each state: letters and where they lead.
    pub edges: Vec<Vec<(Letter, u32)>>,
    pub accept: Vec<bool>,
}

/// All letters of some tracks.
pub(super) fn letters(tracks: Letter) -> impl Iterator<Item = Letter> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let letter: Letter = next?;
        // the next larger subset of the bits
        next = Some(letter.wrapping_sub(tracks) & tracks).filter(|l| *l != 0);
        Some(letter)
    })
}

/// Numbers things in the order in which they are met.
pub(super) struct Numbering<T> {
    numbers: HashMap<T, u32>,
    pub met: Vec<T>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbering<T> {
    pub(super) fn new() -> Self {
        Numbering { numbers: HashMap::new(), met: Vec::new() }
    }

    pub(super) fn number(&mut self, thing: T) -> u32 {
        let next = self.met.len() as u32;
        match self.numbers.entry(thing) {
            Entry::Occupied(old) => *old.get(),
            Entry::Vacant(new) => {
                self.met.push(new.key().clone());
                *new.insert(next)
            }
        }
    }
}

impl Automaton {
    /// The automaton whose states are what is met from `start` by `step`, which says where a state leads by each letter.
    pub(super) fn explore<T: Clone + Eq + std::hash::Hash>(
        tracks: Letter,
        start: impl IntoIterator<Item = T>,
        effort: &mut Effort,
        mut step: impl FnMut(&T, &mut Vec<(Letter, T)>) -> Result<(), Stop>,
        accept: impl Fn(&T) -> bool,
    ) -> Result<Automaton, Stop> {
        let mut states = Numbering::new();
        let mut edges = Vec::new();
        let start = start.into_iter().map(|s| states.number(s)).collect();
        let mut found = Vec::new();
        while let Some(state) = states.met.get(edges.len()).cloned() {
            step(&state, &mut found)?;
            effort.step(1 + found.len())?;
            edges.push(found.drain(..).map(|(letter, to)| (letter, states.number(to))).collect());
            effort.states(states.met.len())?;
        }
        let accept = states.met.iter().map(accept).collect();
        Ok(Automaton { tracks, start, edges, accept })
    }

    /// The same relation of other numbers: each pair is an old track and the new one.
    pub(super) fn rename(&self, tracks: &[(Letter, Letter)]) -> Automaton {
        let new = |letter: Letter| tracks.iter().filter(|(old, _)| letter & old != 0).fold(0, |l, (_, new)| l | new);
        let mut renamed = self.clone();
        renamed.tracks = new(self.tracks);
        renamed.edges.iter_mut().flatten().for_each(|(letter, _)| *letter = new(*letter));
        renamed
    }

    /// What all of the relations say, of the numbers `keep`: there are numbers on the other tracks such that all hold.
    ///
    /// A state of the product is one of each; a letter is put together edge by edge, each agreeing with those before.
    pub(super) fn join(parts: &[&Automaton], keep: Letter, effort: &mut Effort) -> Result<Automaton, Stop> {
        let mut starts: Vec<Vec<u32>> = vec![Vec::new()];
        for part in parts {
            let longer = |s: &Vec<u32>| part.start.iter().map(|q| [&s[..], &[*q]].concat()).collect::<Vec<_>>();
            starts = starts.iter().flat_map(longer).collect();
            effort.states(starts.len())?;
        }
        let tracks = parts.iter().fold(0, |t, p| t | p.tracks) & keep;
        let mut open: Vec<(Vec<u32>, Letter, Letter)> = Vec::new();
        let mut joined = Automaton::explore(
            tracks,
            starts,
            effort,
            |state, found| {
                // targets so far, their letter, the tracks that it fixes
                open.push((Vec::new(), 0, 0));
                while let Some((to, letter, fixed)) = open.pop() {
                    let Some(part) = parts.get(to.len()) else {
                        found.push((letter & keep, to));
                        continue;
                    };
                    let common = fixed & part.tracks;
                    for (l, q) in &part.edges[state[to.len()] as usize] {
                        if l & common == letter & common {
                            open.push(([&to[..], &[*q]].concat(), letter | l, fixed | part.tracks));
                        }
                    }
                }
                Ok(())
            },
            |state| state.iter().zip(parts).all(|(q, part)| part.accept[*q as usize]),
        )?;
        joined.tidy(effort)?;
        Ok(joined)
    }

    /// What one of the relations says, all of the same numbers.
    pub(super) fn union(parts: &[Automaton], tracks: Letter) -> Automaton {
        let mut union = Automaton { tracks, start: Vec::new(), edges: Vec::new(), accept: Vec::new() };
        for part in parts {
            let shift = union.edges.len() as u32;
            union.start.extend(part.start.iter().map(|q| q + shift));
            union.edges.extend(part.edges.iter().map(|e| e.iter().map(|(l, q)| (*l, q + shift)).collect::<Vec<_>>()));
            union.accept.extend(&part.accept);
        }
        union
    }

    /// Accepts where zeros on the tracks lead to acceptance (what was projected away may be longer than what is left);
    /// drops the states from which nothing is accepted; merges those that cannot be told apart step by step.
    pub(super) fn tidy(&mut self, effort: &mut Effort) -> Result<(), Stop> {
        let ends = self.accept.clone();
        self.accept = self.leading_to(&ends, |letter| letter == 0);
        let alive = self.leading_to(&self.accept, |_| true);
        let numbers: Vec<Option<u32>> = alive
            .iter()
            .scan(0, |next, alive| {
                let number = *next;
                *next += u32::from(*alive);
                Some(alive.then_some(number))
            })
            .collect();
        self.renumber(&numbers);
        effort.step(numbers.len())?;
        self.merge(effort)
    }

    /// The states that lead to a goal by the letters allowed.
    fn leading_to(&self, goal: &[bool], allowed: impl Fn(Letter) -> bool) -> Vec<bool> {
        let mut back: Vec<Vec<u32>> = vec![Vec::new(); self.edges.len()];
        for (from, edges) in (0u32..).zip(&self.edges) {
            for (_, to) in edges.iter().filter(|(letter, _)| allowed(*letter)) {
                back[*to as usize].push(from);
            }
        }
        let mut leads = goal.to_vec();
        let mut open: Vec<usize> = (0..goal.len()).filter(|q| goal[*q]).collect();
        while let Some(to) = open.pop() {
            for from in &back[to] {
                if !std::mem::replace(&mut leads[*from as usize], true) {
                    open.push(*from as usize);
                }
            }
        }
        leads
    }

    /// Gives each state its new number, the same to states that become one; those without a number vanish.
    fn renumber(&mut self, numbers: &[Option<u32>]) {
        let count = numbers.iter().flatten().max().map_or(0, |last| *last as usize + 1);
        let mut edges = vec![Vec::new(); count];
        let mut accept = vec![false; count];
        for (old, new) in numbers.iter().enumerate() {
            if let Some(new) = new {
                accept[*new as usize] = self.accept[old];
                let kept = self.edges[old].iter().filter_map(|(l, q)| numbers[*q as usize].map(|q| (*l, q)));
                edges[*new as usize] = kept.collect::<Vec<_>>();
            }
        }
        edges.iter_mut().for_each(sort_out);
        self.start = self.start.iter().filter_map(|q| numbers[*q as usize]).collect();
        sort_out(&mut self.start);
        (self.edges, self.accept) = (edges, accept);
    }

    /// Refines the partition into accepting and other states until the states of a class lead to the same classes by the
    /// same letters, and makes each class one state. A deterministic automaton without dead states becomes the smallest.
    fn merge(&mut self, effort: &mut Effort) -> Result<(), Stop> {
        let mut class: Vec<u32> = self.accept.iter().map(|a| u32::from(*a)).collect();
        let mut count = 0;
        loop {
            let mut classes = Numbering::new();
            let mut finer = Vec::with_capacity(class.len());
            for (q, edges) in self.edges.iter().enumerate() {
                let mut leads: Vec<(Letter, u32)> = edges.iter().map(|(l, to)| (*l, class[*to as usize])).collect();
                sort_out(&mut leads);
                effort.step(1 + leads.len())?;
                finer.push(classes.number((class[q], leads)));
            }
            class = finer;
            if classes.met.len() == count {
                break;
            }
            count = classes.met.len();
        }
        let numbers: Vec<Option<u32>> = class.into_iter().map(Some).collect();
        self.renumber(&numbers);
        Ok(())
    }

    /// The same relation by a deterministic automaton, the smallest: its states are sets of states.
    pub(super) fn determinise(&self, effort: &mut Effort) -> Result<Automaton, Stop> {
        let sets = Sets::new(self);
        let limit = effort.limit;
        let mut weight = 0;
        let mut all = Automaton::explore(
            self.tracks,
            [sets.start.clone()],
            effort,
            |set, found| {
                let to = sets.step(set);
                found.extend(sets.letters.iter().copied().zip(to));
                weight += found.len() * set.0.len();
                if weight / WORDS_PER_STATE > limit { Err(Stop::States(limit)) } else { Ok(()) }
            },
            |set| set.meets(&sets.accept),
        )?;
        all.tidy(effort)?;
        Ok(all)
    }

    /// The pairs, triples, … that are not in the relation; for deterministic automata.
    pub(super) fn complement(&self) -> Automaton {
        let mut other = self.clone();
        let sink = self.edges.len() as u32;
        other.edges.push(Vec::new());
        other.accept.push(false);
        if other.start.is_empty() {
            other.start.push(sink);
        }
        for edges in &mut other.edges {
            let missing = letters(self.tracks).filter(|l| edges.iter().all(|(known, _)| known != l));
            let missing: Vec<(Letter, u32)> = missing.map(|l| (l, sink)).collect();
            edges.extend(missing);
        }
        other.accept.iter_mut().for_each(|a| *a = !*a);
        other
    }

    /// Merges states that cannot be told apart by what may have been read before; sets of states become smaller by that.
    pub(super) fn merge_by_past(&self, effort: &mut Effort) -> Result<Automaton, Stop> {
        let mut back = self.reverse();
        back.merge(effort)?;
        Ok(back.reverse())
    }

    /// What accepts the words read backwards.
    fn reverse(&self) -> Automaton {
        let mut edges = vec![Vec::new(); self.edges.len()];
        for (from, e) in (0u32..).zip(&self.edges) {
            for (l, to) in e {
                edges[*to as usize].push((*l, from));
            }
        }
        let mut accept = vec![false; self.edges.len()];
        self.start.iter().for_each(|q| accept[*q as usize] = true);
        let start = (0u32..).zip(&self.accept).filter(|(_, a)| **a).map(|(q, _)| q).collect();
        Automaton { tracks: self.tracks, start, edges, accept }
    }

    /// A shortest word that is accepted.
    pub(super) fn shortest(&self, effort: &mut Effort) -> Result<Option<Vec<Letter>>, Stop> {
        let everything = Automaton { tracks: self.tracks, start: Vec::new(), edges: Vec::new(), accept: Vec::new() };
        self.shortest_outside(&everything, effort)
    }

    /// A shortest word that is accepted here and not by `other`, over the same tracks.
    ///
    /// A state of the search is one of here and the set of those that `other` may be in. If it was met with a smaller set
    /// before, whatever ends outside from now on did so from there.
    pub(super) fn shortest_outside(&self, other: &Automaton, effort: &mut Effort) -> Result<Option<Vec<Letter>>, Stop> {
        struct Met {
            state: u32,
            set: Set,
            from: usize,
            letter: Letter,
        }
        let sets = Sets::new(other);
        let start = self.start.iter().map(|q| Met { state: *q, set: sets.start.clone(), from: usize::MAX, letter: 0 });
        let mut new: Vec<Met> = start.collect();
        let mut queue: Vec<Met> = Vec::new();
        // of each state the smallest sets with which it was met
        let mut smallest: Vec<Vec<usize>> = vec![Vec::new(); self.edges.len()];
        let mut next = 0;
        loop {
            for met in new.drain(..) {
                let before = &mut smallest[met.state as usize];
                effort.step(1 + before.len() * met.set.0.len() / 8)?;
                if before.iter().any(|at| queue[*at].set.is_within(&met.set)) {
                    continue;
                }
                if self.accept[met.state as usize] && !met.set.meets(&sets.accept) {
                    let mut word = vec![met.letter];
                    let mut at = met.from;
                    while let Some(met) = queue.get(at) {
                        word.push(met.letter);
                        at = met.from;
                    }
                    // the start was reached by no letter
                    word.pop();
                    word.reverse();
                    return Ok(Some(word));
                }
                before.retain(|at| !met.set.is_within(&queue[*at].set));
                before.push(queue.len());
                queue.push(met);
                effort.states(queue.len().max(queue.len() * sets.start.0.len() / WORDS_PER_STATE))?;
            }
            let Some(met) = queue.get(next) else { return Ok(None) };
            let to = sets.step(&met.set);
            effort.step(sets.letters.len() * met.set.0.len())?;
            for (letter, state) in &self.edges[met.state as usize] {
                let at = sets.letters.iter().position(|l| l == letter);
                let set = at.map_or_else(|| sets.none(), |at| to[at].clone());
                new.push(Met { state: *state, set, from: next, letter: *letter });
            }
            next += 1;
        }
    }
}

/// A set of states, a bit for each.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Set(Box<[u64]>);

impl Set {
    fn insert(&mut self, q: u32) {
        self.0[q as usize / 64] |= 1 << (q % 64);
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.0).flat_map(|(i, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(64 * i + bit)
            })
        })
    }

    fn is_within(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

/// The sets of states of an automaton, and how they move.
struct Sets {
    letters: Vec<Letter>,
    /// For each state: places of letters and where they lead.
    edges: Vec<Vec<(usize, u32)>>,
    start: Set,
    accept: Set,
}

impl Sets {
    fn new(automaton: &Automaton) -> Self {
        let letters: Vec<Letter> = letters(automaton.tracks).collect();
        let place = |letter: Letter| letters.iter().position(|l| *l == letter).unwrap_or(0);
        let edges = automaton.edges.iter().map(|e| e.iter().map(|(l, q)| (place(*l), *q)).collect()).collect();
        let none = Set(vec![0; automaton.edges.len().div_ceil(64)].into());
        let (mut start, mut accept) = (none.clone(), none);
        automaton.start.iter().for_each(|q| start.insert(*q));
        (0..).zip(&automaton.accept).filter(|(_, a)| **a).for_each(|(q, _)| accept.insert(q));
        Sets { letters, edges, start, accept }
    }

    fn none(&self) -> Set {
        Set(vec![0; self.start.0.len()].into())
    }

    /// Where a set leads by each letter.
    fn step(&self, set: &Set) -> Vec<Set> {
        let mut to = vec![self.none(); self.letters.len()];
        for q in set.members() {
            for (place, q) in &self.edges[q] {
                to[*place].insert(*q);
            }
        }
        to
    }
}

fn sort_out<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

/// The number on one track of a word; None beyond 64 bits.
pub(super) fn number(word: &[Letter], track: Letter) -> Option<u64> {
    let mut n = 0;
    for (bit, _) in word.iter().enumerate().filter(|(_, letter)| *letter & track != 0) {
        n |= 1u64.checked_shl(bit as u32)?;
    }
    Some(n)
}
