//! Games of given shapes, the same for a seed on all machines; in linear time.

use std::{error::Error, fmt};

use grundy_core::theory::{
    digraph::Digraph,
    parity_game::{NotAGame, Objective, ParityGame},
};

/// What the graph of a generated game looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One to four moves to anywhere.
    Random,
    /// A square, a move to the right and one down, and back to a random place from the last row and column.
    Grid,
    /// Triples of which the Büchi game must take away one a round: the classical way takes as many rounds as there are triples.
    Chain,
    /// Two rails of vertices, each with a move one rung up and one across.
    Ladder,
    /// Random, but each vertex has a move to one vertex that has moves to all.
    Hub,
}

/// Most moves of a generated graph.
const MOST: u64 = 1 << 30;

/// What to generate. The same recipe gives the same game on all machines.
///
/// Random numbers are those of SplitMix64; a number below n is the upper half of a product with n.
///
/// # Examples
/// ```
/// use grundy::parity::{Recipe, Shape};
/// let (graph, owner, priority) = Recipe { priorities: 3, ..Recipe::new(Shape::Grid, 4, 7) }.parts().unwrap();
/// assert_eq!((graph.successors(0), owner, priority), (&[1, 2][..], vec![0, 1, 0, 0], vec![0, 1, 0, 0]));
/// ```
///
/// # Sources
/// `[SLF14]`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What the graph looks like.
    pub shape: Shape,
    /// Least number of vertices: grids are filled up to a square, chains to triples, ladders to pairs.
    pub vertices: usize,
    /// Most moves of a vertex of [`Shape::Random`], where each number of them from 1 up is as likely.
    pub degree: u32,
    /// Priorities are below this number, each as likely, but for two.
    pub priorities: u32,
    /// Of two priorities, 0 is the one of so many vertices in a hundred; chains have it at the end of each triple.
    pub green: u32,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// The graph, who moves at each vertex, and its priority.
pub type Parts = (Digraph, Vec<u8>, Vec<u32>);

/// A recipe is for more than 2^30 moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the graph may have more than 2^30 moves, the most that are generated")
    }
}

impl Error for TooLarge {}

impl Recipe {
    /// Up to four moves a vertex and two priorities, green at every tenth vertex.
    pub fn new(shape: Shape, vertices: usize, seed: u64) -> Recipe {
        Recipe { shape, vertices, degree: 4, priorities: 2, green: 10, seed }
    }

    /// The game. No vertex is a dead end. Who owns a vertex and its priority are random, but for chains, of which only priorities
    /// are, and those only if there are not two.
    ///
    /// # Complexity
    /// O(vertices + edges).
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn parts(&self) -> Result<Parts, TooLarge> {
        let Recipe { shape, vertices, degree, priorities, green, seed } = *self;
        let most_moves = if shape == Shape::Random { u64::from(degree.max(1)) } else { 3 };
        // a grid or a triple may be filled up
        if (vertices as u64).saturating_mul(most_moves) >= MOST {
            return Err(TooLarge);
        }
        let mut random = Random(seed);
        let side = (1..).find(|s: &usize| s * s >= vertices).unwrap_or(1);
        let n = match shape {
            Shape::Random | Shape::Hub => vertices.max(1),
            Shape::Grid => side * side,
            Shape::Chain => 3 * vertices.div_ceil(3).max(1),
            Shape::Ladder => 2 * vertices.div_ceil(2).max(1),
        } as u32;
        let side = side as u32;
        let (mut offsets, mut targets) = (Vec::with_capacity(n as usize + 1), Vec::with_capacity(3 * n as usize));
        let (mut owner, mut priority) = (Vec::with_capacity(n as usize), Vec::with_capacity(n as usize));
        offsets.push(0);
        for v in 0..n {
            match shape {
                Shape::Random => {
                    let moves = 1 + random.below(degree.max(1));
                    targets.extend((0..moves).map(|_| random.below(n)));
                }
                Shape::Grid => {
                    let (row, column) = (v / side, v % side);
                    if column + 1 < side {
                        targets.push(v + 1);
                    }
                    if row + 1 < side {
                        targets.push(v + side);
                    }
                    if column + 1 == side || row + 1 == side {
                        targets.push(random.below(n));
                    }
                }
                Shape::Chain => match v % 3 {
                    0 => {
                        targets.push(v + 1);
                        // the green vertex of the triple before
                        targets.extend(v.checked_sub(1));
                    }
                    1 => targets.push(v - 1),
                    _ => targets.push(v - 2),
                },
                Shape::Ladder => targets.extend([(v + 2) % n, v ^ 1]),
                Shape::Hub if v == 0 => targets.extend(0..n),
                Shape::Hub => {
                    targets.push(0);
                    targets.push(random.below(n));
                }
            }
            offsets.push(targets.len() as u64);
            let chain = shape == Shape::Chain;
            owner.push(if chain { u8::from(v % 3 == 1) } else { random.below(2) as u8 });
            priority.push(match priorities {
                2 if chain => u32::from(v % 3 != 2),
                2 => u32::from(random.below(100) >= green),
                _ => random.below(priorities.max(1)),
            });
        }
        // all targets are vertices
        let graph = Digraph::from_rows(offsets, targets).map_err(|_| TooLarge)?;
        Ok((graph, owner, priority))
    }
}

/// The game of [`Recipe::new`] with other priorities.
///
/// # Complexity
/// O(vertices).
///
/// # Errors
/// Never: the shapes have no dead ends.
///
/// # Panics
/// With 2^28 vertices or more.
pub fn generate(
    shape: Shape,
    vertices: usize,
    priorities: u32,
    objective: Objective,
    seed: u64,
) -> Result<ParityGame, NotAGame> {
    let recipe = Recipe { priorities, ..Recipe::new(shape, vertices, seed) };
    let (graph, owner, priority) = recipe.parts().expect("less than 2^28 vertices");
    ParityGame::new(graph, owner, priority, objective)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * u128::from(n)) >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was generated once is generated for ever, everywhere.
    #[test]
    fn the_same_on_all_machines() {
        let sum = |shape| {
            let recipe = Recipe { degree: 5, green: 30, ..Recipe::new(shape, 1000, 42) };
            let (graph, owner, priority) = recipe.parts().unwrap();
            let all = owner.iter().map(|o| u32::from(*o)).chain(priority).chain(graph.targets().iter().copied());
            all.fold(0u32, |sum, n| sum.wrapping_mul(31).wrapping_add(n))
        };
        let shapes = [Shape::Random, Shape::Grid, Shape::Chain, Shape::Ladder, Shape::Hub];
        assert_eq!(shapes.map(sum), [2_521_237_551, 710_814_602, 4_092_474_279, 1_588_388_302, 2_526_590_245]);
    }

    #[test]
    fn shares_and_degrees_are_kept() {
        let recipe = Recipe { degree: 9, green: 30, ..Recipe::new(Shape::Random, 10_000, 1) };
        let (graph, _, priority) = recipe.parts().unwrap();
        let green = priority.iter().filter(|p| **p == 0).count();
        assert!((2800..3200).contains(&green), "{green}");
        let moves: Vec<usize> = (0..10_000).map(|v| graph.successors(v).len()).collect();
        assert_eq!((moves.iter().min(), moves.iter().max()), (Some(&1), Some(&9)));
        assert_eq!(Recipe { degree: 1 << 20, ..recipe }.parts(), Err(TooLarge));
        assert_eq!(Recipe::new(Shape::Grid, usize::MAX, 1).parts(), Err(TooLarge));
        for shape in [Shape::Random, Shape::Grid, Shape::Chain, Shape::Ladder, Shape::Hub] {
            assert!(Recipe::new(shape, 0, 1).parts().unwrap().0.vertices() > 0);
        }
    }
}
