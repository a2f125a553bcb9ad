//! Games of given shapes, the same for a seed on all machines; in linear time.

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

/// A game of this shape with at least this many vertices, priorities below `priorities`; green and not green for two. Who owns a
/// vertex and its priority are random, but for chains.
///
/// Random numbers are those of SplitMix64; a number below n is the upper half of a product with n.
///
/// # Complexity
/// O(vertices).
///
/// # Errors
/// Never: the shapes have no dead ends.
///
/// # Panics
/// With more than 2^31 vertices.
///
/// # Sources
/// `[SLF14]`
pub fn generate(
    shape: Shape,
    vertices: usize,
    priorities: u32,
    objective: Objective,
    seed: u64,
) -> Result<ParityGame, NotAGame> {
    assert!(vertices <= 1 << 31, "too many vertices");
    let mut random = Random(seed);
    let side = (1..).find(|s: &usize| s * s >= vertices).unwrap_or(1).max(1);
    let n = match shape {
        Shape::Random | Shape::Hub => vertices.max(1),
        Shape::Grid => side * side,
        Shape::Chain => 3 * vertices.div_ceil(3).max(1),
        Shape::Ladder => 2 * vertices.div_ceil(2).max(1),
    } as u32;
    let side = side as u32;
    let (mut offsets, mut targets) = (vec![0u64], Vec::with_capacity(3 * n as usize));
    let (mut owner, mut priority) = (Vec::with_capacity(n as usize), Vec::with_capacity(n as usize));
    for v in 0..n {
        match shape {
            Shape::Random => {
                let moves = 1 + random.below(4);
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
            // every tenth vertex is green
            2 => u32::from(random.below(10) != 0),
            _ => random.below(priorities.max(1)),
        });
    }
    // all targets are vertices
    let graph = Digraph::from_rows(offsets, targets).map_err(|_| NotAGame::DeadEnd(0))?;
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
