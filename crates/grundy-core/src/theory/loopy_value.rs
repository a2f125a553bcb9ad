//! Grundy values of impartial games that may go on for ever.
//!
//! A position of a finite graph has a finite value, an integer as usual, or an infinite one, infinity(K), where K is the set of
//! finite values among its followers: whoever is to move may go to any of these values, or play on without end. A labelling is
//! right exactly if, for a counter that orders the finite vertices,
//!
//! * (A) a vertex of finite value i has i as the mex of the finite values of its followers;
//! * (B) each follower v of it that is infinite or has a larger value has a follower of value i with a smaller counter: the
//!   opponent takes the move to v back;
//! * (C) an infinite vertex with the set K has an infinite follower in whose set the mex of K is not: there is always a way on.
//!
//! # Sources
//! `[Smi66]`, `[FP75]`

use core::fmt;

use super::{Outcome, digraph::Digraph};

/// The value of a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LoopyValue {
    /// As a Nim heap of that size.
    Finite(u64),
    /// infinity(K), the members of K ascending.
    Infinite(Vec<u64>),
}

use LoopyValue::{Finite, Infinite};

impl LoopyValue {
    /// The value of the sum of two positions.
    ///
    /// Finite values are added by xor; infinity(K) + a is infinity of all k xor a; infinity + infinity is infinity of the empty set.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::theory::loopy_value::LoopyValue::{Finite, Infinite};
    /// assert_eq!(Infinite(vec![0, 2]).sum(&Finite(3)), Infinite(vec![1, 3]));
    /// assert_eq!(Infinite(vec![0]).sum(&Infinite(vec![0])), Infinite(vec![]));
    /// ```
    pub fn sum(&self, other: &LoopyValue) -> LoopyValue {
        match (self, other) {
            (Finite(a), Finite(b)) => Finite(a ^ b),
            (Infinite(k), Finite(a)) | (Finite(a), Infinite(k)) => {
                let mut moved: Vec<u64> = k.iter().map(|v| v ^ a).collect();
                moved.sort_unstable();
                Infinite(moved)
            }
            (Infinite(_), Infinite(_)) => Infinite(Vec::new()),
        }
    }

    /// Who wins in normal play: P for 0, N for other finite values and for sets that hold 0, else a draw.
    pub fn outcome(&self) -> Outcome {
        match self {
            Finite(0) => Outcome::P,
            Finite(_) => Outcome::N,
            Infinite(k) if k.first() == Some(&0) => Outcome::N,
            Infinite(_) => Outcome::Draw,
        }
    }
}

impl fmt::Display for LoopyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finite(v) => write!(f, "{v}"),
            Infinite(k) => write!(f, "inf({})", k.iter().map(u64::to_string).collect::<Vec<_>>().join(",")),
        }
    }
}

/// What a labelling says of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// A finite value with its counter.
    Finite {
        /// The value.
        value: u32,
        /// Where the vertex stands in the order of labelling.
        counter: u32,
    },
    /// An infinite value; its set follows from the followers.
    Infinite,
}

impl Label {
    fn value(self) -> Option<u64> {
        match self {
            Label::Finite { value, .. } => Some(value.into()),
            Label::Infinite => None,
        }
    }
}

/// The finite values among the followers of a vertex, ascending, each once.
fn finite_followers(graph: &Digraph, labels: &[Label], v: u32) -> Vec<u64> {
    let mut values: Vec<u64> = graph.successors(v).iter().filter_map(|w| labels[*w as usize].value()).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The value of a vertex under a labelling.
///
/// # Complexity
/// O(d log d) for d followers.
pub fn value_of(graph: &Digraph, labels: &[Label], v: u32) -> LoopyValue {
    match labels[v as usize].value() {
        Some(value) => Finite(value),
        None => Infinite(finite_followers(graph, labels, v)),
    }
}

/// Why a labelling is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongLabel {
    /// There are not as many labels as vertices.
    Length,
    /// (A) fails: the value of the vertex is not the mex of its followers.
    NotTheMex(u32),
    /// (B) fails: the move from the vertex to its follower is not taken back.
    NotReverted(u32, u32),
    /// (C) fails: the infinite vertex has no way on.
    NoWayOn(u32),
}

impl fmt::Display for WrongLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongLabel::Length => f.write_str("there are not as many labels as vertices"),
            WrongLabel::NotTheMex(v) => write!(f, "the value of vertex {v} is not the mex of those of its followers"),
            WrongLabel::NotReverted(u, v) => write!(f, "the move from vertex {u} to vertex {v} cannot be taken back"),
            WrongLabel::NoWayOn(v) => {
                write!(f, "vertex {v} is called infinite, but its follower cannot go on for ever")
            }
        }
    }
}

impl core::error::Error for WrongLabel {}

/// Accepts a labelling exactly if (A), (B) and (C) hold: there is one such assignment of values only.
///
/// # Complexity
/// O(edges log(largest out-degree)) time; 8 bytes for each vertex and for each value among the followers of a vertex.
///
/// # Errors
/// The first vertex that is wrong.
pub fn check(graph: &Digraph, labels: &[Label]) -> Result<(), WrongLabel> {
    if labels.len() != graph.vertices() {
        return Err(WrongLabel::Length);
    }
    let below = ValuesBelow::of(graph, labels);
    for u in 0..graph.vertices() as u32 {
        let least = below.mex(u);
        match labels[u as usize] {
            Label::Finite { value, counter } => {
                if least != value {
                    return Err(WrongLabel::NotTheMex(u));
                }
                for v in graph.successors(u) {
                    let is_larger = labels[*v as usize].value().is_none_or(|w| w > u64::from(value));
                    if is_larger && below.earliest(*v, value).is_none_or(|before| before >= counter) {
                        return Err(WrongLabel::NotReverted(u, *v));
                    }
                }
            }
            Label::Infinite => {
                let goes_on = |v: &u32| labels[*v as usize] == Label::Infinite && below.earliest(*v, least).is_none();
                if !graph.successors(u).iter().any(goes_on) {
                    return Err(WrongLabel::NoWayOn(u));
                }
            }
        }
    }
    Ok(())
}

/// The finite values among the followers of each vertex, ascending, each with the smallest counter that it has there. A vertex is asked
/// for as often as edges lead to it, and may have as many followers.
struct ValuesBelow {
    /// Where the values of each vertex begin; one more entry than vertices.
    offsets: Vec<usize>,
    values: Vec<(u32, u32)>,
}

impl ValuesBelow {
    fn of(graph: &Digraph, labels: &[Label]) -> ValuesBelow {
        let mut all = ValuesBelow { offsets: vec![0], values: Vec::new() };
        let mut here = Vec::new();
        for v in 0..graph.vertices() as u32 {
            here.clear();
            here.extend(graph.successors(v).iter().filter_map(|w| match labels[*w as usize] {
                Label::Finite { value, counter } => Some((value, counter)),
                Label::Infinite => None,
            }));
            here.sort_unstable();
            here.dedup_by_key(|(value, _)| *value);
            all.values.extend_from_slice(&here);
            all.offsets.push(all.values.len());
        }
        all
    }

    fn at(&self, v: u32) -> &[(u32, u32)] {
        &self.values[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }

    fn mex(&self, v: u32) -> u32 {
        (0..).zip(self.at(v)).take_while(|(i, (value, _))| i == value).count() as u32
    }

    /// The smallest counter of a follower with this value.
    fn earliest(&self, v: u32, value: u32) -> Option<u32> {
        let here = self.at(v);
        here.binary_search_by_key(&value, |(value, _)| *value).ok().map(|i| here[i].1)
    }
}

/// The labelling, by its definition: in pass i every vertex gets the value i that may have it.
///
/// # Complexity
/// O(vertices x edges x largest out-degree) for each value: for tests and as the twin of faster ways.
///
/// # Sources
/// `[Smi66]`, `[FP75]`
///
/// # Examples
/// ```
/// use grundy_core::theory::{digraph::Digraph, loopy_value::{label_plainly, value_of}};
/// // from 0 one may go to 1 and back, or end in 2
/// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 0), (1, 2)]).unwrap();
/// let labels = label_plainly(&graph);
/// assert_eq!(value_of(&graph, &labels, 0).to_string(), "inf(0)");
/// assert_eq!(value_of(&graph, &labels, 2).to_string(), "0");
/// ```
pub fn label_plainly(graph: &Digraph) -> Vec<Label> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Open,
        Infinite,
        Finite(u32, u32),
    }
    let mut states = vec![State::Open; graph.vertices()];
    let mut counter = 0;
    for i in 0.. {
        if !states.contains(&State::Open) {
            break;
        }
        let has = |states: &[State], v: u32| {
            graph.successors(v).iter().any(|w| matches!(states[*w as usize], State::Finite(value, _) if value == i))
        };
        loop {
            let fits = |u: &u32| {
                states[*u as usize] == State::Open
                    && !has(&states, *u)
                    && graph.successors(*u).iter().all(|v| match states[*v as usize] {
                        State::Finite(value, _) => value < i,
                        _ => has(&states, *v),
                    })
            };
            let Some(u) = (0..graph.vertices() as u32).find(fits) else { break };
            states[u as usize] = State::Finite(i, counter);
            counter += 1;
        }
        for u in 0..graph.vertices() as u32 {
            if states[u as usize] == State::Open && !has(&states, u) {
                states[u as usize] = State::Infinite;
            }
        }
    }
    let label = |s: &State| match s {
        State::Finite(value, counter) => Label::Finite { value: *value, counter: *counter },
        _ => Label::Infinite,
    };
    states.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Who wins from each vertex of a graph with a Nim heap of k beside it, by retrograde analysis of the whole.
    fn beside(graph: &Digraph, heap: u64) -> Vec<Outcome> {
        let (n, k) = (graph.vertices(), heap as usize + 1);
        let moves = |p: usize| -> Vec<usize> {
            let (v, h) = (p / k, p % k);
            let along = graph.successors(v as u32).iter().map(move |w| *w as usize * k + h);
            along.chain((0..h).map(move |l| v * k + l)).collect()
        };
        let mut outcome = vec![None; n * k];
        loop {
            let mut changed = false;
            for p in 0..n * k {
                if outcome[p].is_some() {
                    continue;
                }
                let to = moves(p);
                let found = if to.iter().any(|q| outcome[*q] == Some(Outcome::P)) {
                    Some(Outcome::N)
                } else if to.iter().all(|q| outcome[*q] == Some(Outcome::N)) {
                    Some(Outcome::P)
                } else {
                    None
                };
                changed |= found.is_some();
                outcome[p] = found;
            }
            if !changed {
                break;
            }
        }
        (0..n).map(|v| outcome[v * k + heap as usize].unwrap_or(Outcome::Draw)).collect()
    }

    proptest! {
        #[test]
        fn labels_say_who_wins_beside_any_heap(edges in prop::collection::vec((0u32..8, 0u32..8), 0..20)) {
            let graph = Digraph::from_edges(8, &edges).unwrap();
            let labels = label_plainly(&graph);
            prop_assert_eq!(check(&graph, &labels), Ok(()));
            for heap in 0..5 {
                for (v, outcome) in beside(&graph, heap).into_iter().enumerate() {
                    let value = value_of(&graph, &labels, v as u32).sum(&Finite(heap));
                    prop_assert_eq!(value.outcome(), outcome, "vertex {} beside {}", v, heap);
                }
            }
        }

        #[test]
        fn other_labels_are_refused(
            edges in prop::collection::vec((0u32..7, 0u32..7), 1..18), v in 0usize..7, by in 1u32..3, infinite in any::<bool>(),
        ) {
            let graph = Digraph::from_edges(7, &edges).unwrap();
            let mut labels = label_plainly(&graph);
            labels[v] = match labels[v] {
                Label::Finite { .. } if infinite => Label::Infinite,
                Label::Finite { value, counter } => Label::Finite { value: value + by, counter },
                Label::Infinite => Label::Finite { value: by - 1, counter: 100 },
            };
            prop_assert!(check(&graph, &labels).is_err());
        }
    }

    #[test]
    fn values_as_text() {
        assert_eq!(Infinite(vec![0, 2]).to_string(), "inf(0,2)");
        assert_eq!(Infinite(vec![]).to_string(), "inf()");
        assert_eq!(Infinite(vec![1]).outcome(), Outcome::Draw);
    }
}
