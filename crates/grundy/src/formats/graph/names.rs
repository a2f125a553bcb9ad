//! What the vertices of a file are called.

use std::{
    borrow::Cow,
    hash::{BuildHasher, RandomState},
};

use rustc_hash::FxHashMap;

/// The user's names of vertices 0, 1, …, in the order of the input.
///
/// Memory: nothing for numbers; 8 bytes and its length for a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// Vertex v is called v + first.
    Numbered {
        /// The name of vertex 0: 0 or 1.
        first: u64,
    },
    /// Each has its own name; an empty one stands for the number, counted from 0.
    Given(NameList),
}

impl Names {
    /// These names; numbers if they are the numbers from 0 or 1 on, in order.
    pub fn of(list: NameList) -> Names {
        let mut digits = itoa::Buffer::new();
        let mut is_numbered = |first: u64| {
            (0..list.len() as u32).all(|v| match list.get(v) {
                "" => first == 0,
                name => name == digits.format(first + u64::from(v)),
            })
        };
        match (0..2).find(|first| is_numbered(*first)) {
            Some(first) => Names::Numbered { first },
            None => Names::Given(list),
        }
    }

    /// The name of vertex v.
    ///
    /// # Examples
    /// ```
    /// use grundy::formats::graph::Names;
    /// assert_eq!(Names::Numbered { first: 1 }.get(0), "1");
    /// let names = Names::Given(["home", ""].into_iter().collect());
    /// assert_eq!([names.get(0), names.get(1)], ["home", "1"]);
    /// ```
    pub fn get(&self, v: u32) -> Cow<'_, str> {
        match self {
            Names::Numbered { first } => (first + u64::from(v)).to_string().into(),
            Names::Given(list) => match list.get(v) {
                "" => v.to_string().into(),
                name => name.into(),
            },
        }
    }

    /// The first vertex of `vertices` with this name.
    ///
    /// # Complexity
    /// O(vertices), or O(1) for numbers.
    pub fn find(&self, name: &str, vertices: usize) -> Option<u32> {
        match self {
            Names::Numbered { first } => {
                let v = name.parse::<u64>().ok()?.checked_sub(*first)?;
                u32::try_from(v).ok().filter(|v| (*v as usize) < vertices)
            }
            Names::Given(_) => (0..u32::try_from(vertices).ok()?).find(|v| self.get(*v) == name),
        }
    }
}

/// Names one after another in one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameList {
    text: String,
    ends: Vec<u64>,
}

impl NameList {
    /// The name of vertex v; empty if it has none.
    pub fn get(&self, v: u32) -> &str {
        let v = v as usize;
        let Some(end) = self.ends.get(v) else { return "" };
        let start = v.checked_sub(1).map_or(0, |b| self.ends[b]);
        &self.text[start as usize..*end as usize]
    }

    /// One more name.
    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len() as u64);
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Empty names until there are so many.
    pub(super) fn fill(&mut self, count: usize) {
        self.ends.resize(count.max(self.ends.len()), self.text.len() as u64);
    }
}

impl<S: AsRef<str>> FromIterator<S> for NameList {
    fn from_iter<T: IntoIterator<Item = S>>(names: T) -> Self {
        let mut list = NameList::default();
        names.into_iter().for_each(|n| list.push(n.as_ref()));
        list
    }
}

/// Numbers names in the order in which they come.
#[derive(Default)]
pub(super) struct Interner {
    list: NameList,
    /// By hash; names of the same hash stand in a chain.
    last: FxHashMap<u64, u32>,
    before: Vec<u32>,
    /// The last two names that were asked for, ends of an edge in turn.
    recent: [Option<u32>; 2],
    turn: usize,
    /// Random: a file cannot be made for long chains.
    hasher: RandomState,
}

const NONE: u32 = u32::MAX;

impl Interner {
    /// The vertex of a name, a new one if there is none; None if there are too many.
    pub(super) fn id(&mut self, name: &str) -> Option<u32> {
        // edges often stand together by where they begin, or where they lead
        self.turn ^= 1;
        if let Some(v) = self.recent[self.turn].filter(|v| self.list.get(*v) == name) {
            return Some(v);
        }
        let v = self.numbered(name)?;
        self.recent[self.turn] = Some(v);
        Some(v)
    }

    fn numbered(&mut self, name: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(name);
        if let Some(v) = self.look(hash, name) {
            return Some(v);
        }
        let v = u32::try_from(self.list.len()).ok().filter(|v| *v != NONE)?;
        self.list.push(name);
        self.before.push(self.last.insert(hash, v).unwrap_or(NONE));
        Some(v)
    }

    /// The vertex of a name.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.look(self.hasher.hash_one(name), name)
    }

    fn look(&self, hash: u64, name: &str) -> Option<u32> {
        let mut at = self.last.get(&hash).copied().unwrap_or(NONE);
        while at != NONE {
            if self.list.get(at) == name {
                return Some(at);
            }
            at = self.before[at as usize];
        }
        None
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn list(&self) -> &NameList {
        &self.list
    }

    pub(super) fn into_names(self) -> Names {
        Names::of(self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_once() {
        let mut interner = Interner::default();
        assert_eq!(["a", "b", "a", ""].map(|n| interner.id(n)), [Some(0), Some(1), Some(0), Some(2)]);
        assert_eq!((interner.find("b"), interner.find("c"), interner.len()), (Some(1), None, 3));
        let names = interner.into_names();
        assert_eq!((names.find("b", 3), names.find("2", 3), names.find("x", 3)), (Some(1), Some(2), None));
    }

    #[test]
    fn numbers_in_order_need_no_names() {
        let mut interner = Interner::default();
        assert_eq!(["1", "2", "3"].map(|n| interner.id(n)), [Some(0), Some(1), Some(2)]);
        let names = interner.into_names();
        assert_eq!(names, Names::Numbered { first: 1 });
        assert_eq!((names.find("3", 3), names.find("4", 3), names.find("0", 3)), (Some(2), None, None));
    }
}
