//! The boards of deletion games: graphs, partially ordered sets, boxes, subsets.

use super::{
    deletion::{Deletion, DeletionGame, Writing},
    set,
};
use crate::theory::undirected::Undirected;

/// What is deleted on a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphRule {
    /// A vertex with all its neighbours.
    NodeKayles,
    /// Two vertices that an edge joins, and so all edges at them.
    ArcKayles,
    /// An edge, or a vertex with its edges.
    VertexEdgeDeletion,
}

/// Why a graph is no board of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBoard {
    /// More cells than [`super::deletion::MOST_CELLS`].
    Large(usize),
    /// A loop at this vertex.
    Loop(u32),
    /// A cycle in what should be an order, through this vertex.
    Cycle(u32),
}

impl DeletionGame {
    /// The game of a rule on a graph; parallel edges count once in Arc Kayles, and loops never in Node Kayles.
    ///
    /// # Errors
    /// More cells than are allowed, or a loop in Arc Kayles, where an edge joins two vertices.
    pub fn on_graph(
        name: impl Into<String>,
        rule: GraphRule,
        graph: &Undirected,
        vertex_name: impl Fn(u32) -> String,
    ) -> Result<DeletionGame, NoBoard> {
        let n = graph.vertices() as u32;
        let cells = match rule {
            GraphRule::VertexEdgeDeletion => graph.vertices() + graph.edges().len(),
            _ => graph.vertices(),
        };
        if cells > super::deletion::MOST_CELLS {
            return Err(NoBoard::Large(cells));
        }
        let mut names: Vec<String> = (0..n).map(&vertex_name).collect();
        let one = |v: u32, removed: Vec<u32>| Deletion { needed: vec![v], removed, name: vertex_name(v) };
        let edge_name = |[a, b]: [u32; 2]| format!("{}-{}", vertex_name(a), vertex_name(b));
        let moves: Vec<Deletion> = match rule {
            GraphRule::NodeKayles => (0..n).map(|v| one(v, [vec![v], graph.neighbours(v)].concat())).collect(),
            GraphRule::ArcKayles => {
                let mut pairs = graph.edges().to_vec();
                pairs.dedup();
                if let Some([v, _]) = pairs.iter().find(|[a, b]| a == b) {
                    return Err(NoBoard::Loop(*v));
                }
                let both = |e: [u32; 2]| Deletion { needed: e.to_vec(), removed: e.to_vec(), name: edge_name(e) };
                pairs.into_iter().map(both).collect()
            }
            GraphRule::VertexEdgeDeletion => {
                for e in graph.edges() {
                    let mut name = edge_name(*e);
                    // a parallel edge, or a vertex that is called like an edge
                    while names.contains(&name) {
                        name.push('\'');
                    }
                    names.push(name);
                }
                let at = |v: u32| graph.incident(v).iter().map(|(_, e)| n + e);
                let vertices = (0..n).map(|v| one(v, [v].into_iter().chain(at(v)).collect()));
                let edges = (0..graph.edges().len() as u32).map(|e| Deletion {
                    needed: vec![n + e],
                    removed: vec![n + e],
                    name: names[(n + e) as usize].clone(),
                });
                vertices.chain(edges).collect()
            }
        };
        DeletionGame::new(name, names, moves, Writing::Names).ok_or(NoBoard::Large(cells))
    }

    /// The game on a partially ordered set: a move takes an element with everything above it. `above[x]` are elements above x, those
    /// right above it at least.
    ///
    /// # Complexity
    /// O(elements³ / 64) at worst.
    ///
    /// # Errors
    /// More elements than are allowed, or a cycle.
    pub fn on_poset(
        name: impl Into<String>,
        names: Vec<String>,
        above: &[Vec<u32>],
        writing: Writing,
    ) -> Result<DeletionGame, NoBoard> {
        let n = names.len();
        if n > super::deletion::MOST_CELLS {
            return Err(NoBoard::Large(n));
        }
        // elements whose upper neighbours are all done, from the top
        let mut below = vec![Vec::new(); n];
        let mut missing: Vec<usize> = above.iter().map(Vec::len).collect();
        above.iter().enumerate().for_each(|(x, list)| list.iter().for_each(|y| below[*y as usize].push(x)));
        let mut ready: Vec<usize> = (0..n).filter(|x| missing[*x] == 0).collect();
        let mut up: Vec<Vec<u64>> = vec![vec![0; set::words(n)]; n];
        let mut done = 0;
        while let Some(x) = ready.pop() {
            done += 1;
            let mut all = core::mem::take(&mut up[x]);
            set::insert(&mut all, x);
            for y in &above[x] {
                all.iter_mut().zip(&up[*y as usize]).for_each(|(a, b)| *a |= b);
            }
            up[x] = all;
            for w in &below[x] {
                missing[*w] -= 1;
                if missing[*w] == 0 {
                    ready.push(*w);
                }
            }
        }
        if done < n {
            let on_or_below = (0..n).find(|x| missing[*x] > 0).unwrap_or_default();
            return Err(NoBoard::Cycle(on_or_below as u32));
        }
        let moves = (0..n).map(|x| Deletion {
            needed: vec![x as u32],
            removed: set::iter(&up[x]).map(|y| y as u32).collect(),
            name: names[x].clone(),
        });
        let moves = moves.collect();
        DeletionGame::new(name, names, moves, writing).ok_or(NoBoard::Large(n))
    }

    /// Chomp in a box of any number of dimensions: a bite at a cell takes all cells with no coordinate smaller. The cell of zeros is
    /// poisoned and no move.
    ///
    /// # Errors
    /// More cells than are allowed.
    pub fn chomp_in_box(sides: &[u32]) -> Result<DeletionGame, NoBoard> {
        let cells = sides.iter().try_fold(1usize, |c, s| c.checked_mul(*s as usize)).unwrap_or(usize::MAX);
        if cells > super::deletion::MOST_CELLS + 1 {
            return Err(NoBoard::Large(cells));
        }
        // mixed radix, the last coordinate fastest; the poison is left out
        let places: Vec<Vec<u32>> = (1..cells)
            .map(|mut index| {
                let mut place = vec![0; sides.len()];
                for (x, side) in place.iter_mut().zip(sides).rev() {
                    *x = (index % *side as usize) as u32;
                    index /= *side as usize;
                }
                place
            })
            .collect();
        let mut step = cells;
        let steps: Vec<usize> = sides
            .iter()
            .map(|s| {
                step /= (*s).max(1) as usize;
                step
            })
            .collect();
        let above: Vec<Vec<u32>> = places
            .iter()
            .enumerate()
            .map(|(i, place)| {
                let inside = place.iter().zip(sides).zip(&steps).filter(|((x, side), _)| **x + 1 < **side);
                inside.map(|(_, step)| (i + step) as u32).collect()
            })
            .collect();
        let names = places.iter().map(|p| format!("({})", p.iter().map(u32::to_string).collect::<Vec<_>>().join(",")));
        DeletionGame::on_poset("chomp", names.collect(), &above, Writing::Box(sides.to_vec()))
    }

    /// Subset take-away: the non-empty subsets of 1 to n, and a move takes one with all its supersets. `proper` leaves out the set of
    /// all n, which would be a move too.
    ///
    /// # Errors
    /// More subsets than are allowed.
    pub fn subset_takeaway(n: u32, proper: bool) -> Result<DeletionGame, NoBoard> {
        if n > 11 {
            return Err(NoBoard::Large(1usize.checked_shl(n).map_or(usize::MAX, |all| all - 1)));
        }
        let full = (1u32 << n) - 1;
        let mut sets: Vec<u32> = (1..=full).filter(|s| !(proper && *s == full)).collect();
        sets.sort_by_key(|s| (s.count_ones(), s.reverse_bits().wrapping_neg()));
        let mut number = vec![None; 1 << n];
        sets.iter().enumerate().for_each(|(i, s)| number[*s as usize] = Some(i as u32));
        let above: Vec<Vec<u32>> = sets
            .iter()
            .map(|s| (0..n).filter(|i| s >> i & 1 == 0).filter_map(|i| number[(s | 1 << i) as usize]).collect())
            .collect();
        // one letter an element: 1 to 9, then a and b
        let letter = |i: u32| char::from_digit(i + 1, 12).unwrap_or('?');
        let name = |s: &u32| (0..n).filter(|i| s >> i & 1 == 1).map(letter).collect::<String>();
        let names = sets.iter().map(name).collect();
        let game = if proper { "subset_takeaway[\"proper\"]" } else { "subset_takeaway" };
        DeletionGame::on_poset(game, names, &above, Writing::Subsets(n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::{Playable, Ruleset, definition::GrundyByDefinition, laws::laws, options_of};

    fn graph() -> Undirected {
        // a square with a diagonal and a tail, a triangle apart
        Undirected::new(8, &[[0, 1], [1, 2], [2, 3], [3, 0], [0, 2], [2, 4], [5, 6], [6, 7], [7, 5]])
    }

    fn on(rule: GraphRule) -> DeletionGame {
        DeletionGame::on_graph("test", rule, &graph(), |v| v.to_string()).unwrap()
    }

    fn positions(game: &DeletionGame) -> Vec<Vec<u64>> {
        let cells = game.cells();
        let sets = (0..40u64).map(|i| vec![(i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 17) & ((1 << cells) - 1)]);
        sets.chain([game.whole(), vec![0]]).filter(|g| set::count(g) < 12).collect()
    }

    /// The number of the first move that leads there.
    fn first(game: &DeletionGame) -> impl Fn(&Vec<u64>, &[Vec<u64>]) -> u128 {
        |g, to| {
            let nothing = vec![0; g.len()];
            let to = to.first().unwrap_or(&nothing);
            game.moves().iter().position(|m| DeletionGame::option(m, g).as_ref() == Some(to)).unwrap() as u128
        }
    }

    laws! {
        node_kayles: on(GraphRule::NodeKayles), positions(&on(GraphRule::NodeKayles)), first(&on(GraphRule::NodeKayles));
        arc_kayles: on(GraphRule::ArcKayles), positions(&on(GraphRule::ArcKayles)), first(&on(GraphRule::ArcKayles));
        vertex_edge_deletion: on(GraphRule::VertexEdgeDeletion), positions(&on(GraphRule::VertexEdgeDeletion)), first(&on(GraphRule::VertexEdgeDeletion));
        posets: DeletionGame::subset_takeaway(3, false).unwrap(), positions(&DeletionGame::subset_takeaway(3, false).unwrap()), first(&DeletionGame::subset_takeaway(3, false).unwrap());
    }

    #[test]
    fn parts_have_the_value_of_the_whole() {
        for game in [
            on(GraphRule::NodeKayles),
            on(GraphRule::ArcKayles),
            on(GraphRule::VertexEdgeDeletion),
            DeletionGame::chomp_in_box(&[2, 2, 3]).unwrap(),
        ] {
            let mut twin = GrundyByDefinition::new(&game);
            for g in positions(&game) {
                let parts = game.split(&g).unwrap_or_else(|| vec![g.clone()]);
                assert_eq!(parts.iter().fold(0, |x, p| x ^ twin.value(p)), twin.value(&g), "{} {g:?}", game.name());
                assert!(parts.iter().all(|p| game.split(p).is_none()));
            }
        }
    }

    #[test]
    fn boxes_and_subsets_are_posets() {
        let game = DeletionGame::chomp_in_box(&[2, 3]).unwrap();
        assert_eq!(game.names(), ["(0,1)", "(0,2)", "(1,0)", "(1,1)", "(1,2)"]);
        assert_eq!(GrundyByDefinition::new(&game).value(&game.whole()), 4);
        let bitten = &options_of(&game, &game.whole())[3][0];
        assert_eq!(
            (game.print_position(bitten), game.move_name(&game.whole(), std::slice::from_ref(bitten))),
            ("2x3, {(1,1)}".into(), "take (1,1)".into())
        );
        assert_eq!(game.print_position(&vec![0]), "2x3, {(0,1), (1,0)}");

        let game = DeletionGame::subset_takeaway(3, false).unwrap();
        assert_eq!(game.names(), ["1", "2", "3", "12", "13", "23", "123"]);
        let values = [1, 2, 3].map(|n| {
            [false, true].map(|proper| {
                let game = DeletionGame::subset_takeaway(n, proper).unwrap();
                GrundyByDefinition::new(&game).value(&game.whole())
            })
        });
        assert_eq!(values, [[1, 0], [2, 0], [3, 0]]);
        assert_eq!(DeletionGame::subset_takeaway(12, true).err(), Some(NoBoard::Large(4095)));
        let circle = DeletionGame::on_poset("p", vec!["a".into(), "b".into()], &[vec![1], vec![0]], Writing::Names);
        assert_eq!(circle.err(), Some(NoBoard::Cycle(0)));
    }

    #[test]
    fn moves_that_coincide_are_one() {
        let complete = Undirected::new(4, &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        let game = DeletionGame::on_graph("k4", GraphRule::NodeKayles, &complete, |v| v.to_string()).unwrap();
        let options = options_of(&game, &game.whole());
        assert_eq!(options, [Vec::<Vec<u64>>::new()]);
        assert_eq!(game.move_name(&game.whole(), &options[0]), "take 0, 1, 2 or 3");
        let looped = Undirected::new(1, &[[0, 0]]);
        assert!(DeletionGame::on_graph("x", GraphRule::ArcKayles, &looped, |v| v.to_string()).is_err());
    }
}
