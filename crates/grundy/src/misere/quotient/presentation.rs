//! A quotient in words: generators and complete rewriting rules.

use std::{collections::VecDeque, fmt};

use super::monoid::Monoid;

/// A word in the generators: for each its exponent.
pub type Exponents = Vec<u32>;

/// A rule `left = right`; right is the normal form, and less in the order of words by length, then letter by letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// A word all of whose parts are in normal form.
    pub left: Exponents,
    /// Its normal form.
    pub right: Exponents,
}

/// Generators and relations of a quotient, its lost classes and the classes of heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The heaps whose classes are the letters a, b, c, …
    pub generators: Vec<u64>,
    /// The rules, which bring every word to its normal form whatever the order in which they are used.
    pub relations: Vec<Relation>,
    /// The lost classes, shorter words first.
    pub lost: Vec<Exponents>,
    /// The classes of heaps 0, 1, …
    pub heaps: Vec<Exponents>,
}

impl Presentation {
    pub(super) fn of(monoid: &Monoid) -> Presentation {
        let letters = monoid.generators.len();
        let mut normal: Vec<Option<Exponents>> = vec![None; monoid.order];
        normal[0] = Some(vec![0; letters]);
        let mut order = vec![0u32];
        let mut relations: Vec<Relation> = Vec::new();
        // normal forms in their order; a word is tried as its part without the last letter times this letter
        let mut queue = VecDeque::from([0u32]);
        while let Some(x) = queue.pop_front() {
            let word = normal[x as usize].clone().unwrap_or_default();
            let last = word.iter().rposition(|e| *e > 0).unwrap_or(0);
            for letter in last..letters {
                let mut longer = word.clone();
                longer[letter] += 1;
                let y = monoid.actions[letter][x as usize];
                match &normal[y as usize] {
                    None => {
                        normal[y as usize] = Some(longer);
                        order.push(y);
                        queue.push_back(y);
                    }
                    Some(form) => {
                        let follows = relations.iter().any(|r| r.left.iter().zip(&longer).all(|(a, b)| a <= b));
                        if !follows {
                            relations.push(Relation { left: longer, right: form.clone() });
                        }
                    }
                }
            }
        }
        let form = |x: u32| normal[x as usize].clone().unwrap_or_default();
        Presentation {
            generators: monoid.generators.iter().map(|heap| *heap as u64).collect(),
            relations,
            lost: order.iter().filter(|x| monoid.lost.has(**x as usize)).map(|x| form(*x)).collect(),
            heaps: monoid.values.iter().map(|x| form(*x)).collect(),
        }
    }

    /// A word with letters: `1`, `ab2`.
    pub fn print(&self, word: &[u32]) -> String {
        struct Printed<'a>(&'a Presentation, &'a [u32]);
        impl fmt::Display for Printed<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut is_one = true;
                for (i, e) in self.1.iter().enumerate().filter(|(_, e)| **e > 0) {
                    is_one = false;
                    f.write_str(&self.0.letter(i))?;
                    if *e > 1 {
                        write!(f, "{e}")?;
                    }
                }
                if is_one { f.write_str("1") } else { Ok(()) }
            }
        }
        Printed(self, word).to_string()
    }

    /// The letter of a generator: a, b, …, z, and then `<28>` by its heap.
    pub fn letter(&self, generator: usize) -> String {
        match u8::try_from(generator) {
            Ok(i @ 0..26) => char::from(b'a' + i).to_string(),
            _ => format!("<{}>", self.generators[generator]),
        }
    }
}
