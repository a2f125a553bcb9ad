//! Explanations as data: what a good text would say about a position, step by step. Faces render them to words.

use grundy_core::{
    rulesets::AnyComponent,
    theory::{
        Convention, Outcome,
        loopy_value::LoopyValue,
        nim::{NimClass, nim_sum},
    },
};

/// A move of a play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMove {
    /// In which component, counted from 0, of what is left then.
    pub component: usize,
    /// Its name.
    pub name: String,
}

/// One step of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// What the convention means.
    Convention(Convention),
    /// What is to be known about the rules of a game in this convention.
    Rules {
        /// The rules, for people.
        text: String,
    },
    /// The position has no moves.
    NoMoves(Convention),
    /// The components, what each is worth and why.
    Components(Vec<ComponentValue>),
    /// What the heads of a row or a board of coins are worth: by the xor of these the component.
    Heads {
        /// The component in notation.
        component: String,
        /// Its heads.
        heads: Vec<HeadValue>,
        /// Their xor.
        value: u64,
    },
    /// Binary columns of the values, and their xor.
    Columns {
        /// The values, in the order of the components.
        values: Vec<u64>,
        /// Their xor.
        sum: u64,
    },
    /// Two equal values cancel.
    Pair(u64),
    /// Three values x, 2x, 2x + 1 (or any three with xor 0) cancel.
    Triple([u64; 3]),
    /// The kind of Nim position, its outcome, and which kinds one must leave.
    Class {
        /// The class of the position.
        class: NimClass,
        /// Who wins it.
        outcome: Outcome,
        /// The convention.
        convention: Convention,
    },
    /// Why the winning moves win: each leaves this value.
    WhyWinning {
        /// The move's name.
        name: String,
        /// The component it is made in.
        from: String,
        /// What the component becomes.
        to: String,
        /// The value of the component before.
        before: u64,
        /// The value after, which makes the xor 0.
        after: u64,
    },
    /// What each component is worth where play may go on for ever, and the value of the sum.
    LoopyValues {
        /// The components.
        components: Vec<LoopyComponent>,
        /// Their sum.
        sum: LoopyValue,
    },
    /// Why a move wins where play may go on for ever: the sum becomes 0.
    WhyWinningLoopy {
        /// The move's name.
        name: String,
        /// The component it is made in.
        from: String,
        /// What the component becomes.
        to: String,
        /// The value of the component before.
        before: LoopyValue,
        /// The value after.
        after: u64,
    },
    /// Why a position is lost: every move spoils a xor of 0.
    WhyLost,
    /// A theorem decides the position.
    Theorem {
        /// The theorem, for people.
        text: String,
        /// Who wins.
        outcome: Outcome,
    },
    /// Column sums of Moore's Nim.
    MooreColumns {
        /// Most heaps of a move.
        k: u64,
        /// The heaps.
        heaps: Vec<u64>,
        /// Sum of each binary column, lowest first.
        sums: Vec<u64>,
    },
    /// A whole play in which the winner hurries and the loser delays.
    Line {
        /// Its moves, as far as they are spelled out.
        moves: Vec<LineMove>,
    },
    /// Misère play was decided by searching all followers.
    Searched {
        /// Sums decided.
        states: u64,
    },
    /// The rule of normal play misleads here.
    XorMisleads {
        /// Who wins in normal play.
        normal: Outcome,
        /// Who wins in misère play.
        misere: Outcome,
        /// A move that wins in normal play and loses in misère play, if there is one.
        trap: Option<String>,
    },
}

/// A component with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentValue {
    /// The component in notation.
    pub text: String,
    /// Its Grundy value.
    pub value: u64,
    /// Where the value comes from.
    pub reason: String,
}

/// A component with its value where play may go on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopyComponent {
    /// The component in notation.
    pub text: String,
    /// Its value.
    pub value: LoopyValue,
    /// Where the value comes from.
    pub reason: String,
}

/// A coin that is heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadValue {
    /// Its number, or those of its row, column, ….
    pub at: Vec<u64>,
    /// The value of each of these numbers in the game of its own.
    pub coordinates: Vec<u64>,
    /// The value of the head: their nim product.
    pub value: u64,
}

/// Largest number of components whose columns and cancellations are spelled out.
const SPELLED_OUT: usize = 64;

/// The cancelling pairs and triples among `values`, in the order found; each value is used once.
///
/// Pairs (x, x) first, then triples a, b, a xor b: among them every (1, 2x, 2x + 1).
pub fn cancellations(values: &[u64]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut left: Vec<u64> = values.iter().copied().filter(|v| *v > 0).collect();
    if left.len() > SPELLED_OUT {
        return steps;
    }
    left.sort_unstable();
    let mut i = 0;
    while i + 1 < left.len() {
        if left[i] == left[i + 1] {
            steps.push(Step::Pair(left[i]));
            left.drain(i..i + 2);
        } else {
            i += 1;
        }
    }
    'again: loop {
        for a in 0..left.len() {
            for b in a + 1..left.len() {
                if let Some(c) = (b + 1..left.len()).find(|c| left[*c] == left[a] ^ left[b]) {
                    steps.push(Step::Triple([left[a], left[b], left[c]]));
                    for i in [c, b, a] {
                        left.remove(i);
                    }
                    continue 'again;
                }
            }
        }
        return steps;
    }
}

/// The columns of the values and what cancels in them.
pub fn columns(values: &[u64]) -> Vec<Step> {
    let sum = nim_sum(values);
    let mut steps = Vec::new();
    if values.len() > 1 && values.len() <= SPELLED_OUT {
        steps.push(Step::Columns { values: values.to_vec(), sum });
        steps.extend(cancellations(values));
    }
    steps
}

/// The column sums of a position of Moore's Nim, if it is one.
pub fn moore_columns(component: &AnyComponent) -> Option<Step> {
    let AnyComponent::Moore(m, heaps) = component else { return None };
    let bits = heaps.iter().map(|h| 64 - h.leading_zeros()).max().unwrap_or(0);
    let sums = (0..bits).map(|b| heaps.iter().map(|h| h >> b & 1).sum()).collect();
    Some(Step::MooreColumns { k: m.k(), heaps: heaps.clone(), sums })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balanced_parts_are_found() {
        assert_eq!(cancellations(&[5, 1, 5, 3, 2]), [Step::Pair(5), Step::Triple([1, 2, 3])]);
        assert_eq!(cancellations(&[1, 4, 5, 7]), [Step::Triple([1, 4, 5])]);
        assert_eq!(cancellations(&[1, 2, 4]), []);
        assert_eq!(cancellations(&[0, 0]), []);
    }
}
