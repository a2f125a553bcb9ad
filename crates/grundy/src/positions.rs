//! The positions of a game as the vertices of a graph, for questions that are asked of graphs.

use grundy_core::{
    notation::print_sum,
    rulesets::AnyComponent,
    theory::{Sum, digraph::Digraph},
};
use rustc_hash::FxHashMap;

use crate::{
    budget::{Budget, Meter, StopReason},
    formats::graph::{GraphFile, NameList, Names},
    interner::{Interner, State},
};

/// The graph of all positions that play can reach from a sum, which is vertex 0 and the start; play need not end.
///
/// Vertices are named as positions are printed. Positions are told apart as by searches: their pieces in any order and in the
/// form that represents them, pieces without moves left out, so that a lost end is `0`.
///
/// # Complexity
/// The moves of all positions. Memory: about 100 bytes a position and its name, twice, and 4 bytes a move.
///
/// # Errors
/// The stop of a limit, as of a game without end that has endlessly many positions.
///
/// # Examples
/// ```
/// use grundy::{budget::Budget, positions::position_graph};
/// use grundy_core::notation::read_game;
/// let file = position_graph(&read_game("nim(1, 2)").unwrap(), &Budget::default()).unwrap();
/// assert_eq!((file.graph.vertices(), file.graph.edges()), (5, 7));
/// assert_eq!(file.names.get(0), "nim(1, 2)");
/// ```
pub fn position_graph(start: &Sum<AnyComponent>, budget: &Budget) -> Result<GraphFile, StopReason> {
    let mut meter = Meter::new(budget);
    let mut found = Found::default();
    let mut interner = Interner::default();
    let first = interner.state(start.components(), &mut meter)?;
    found.vertex(first, &mut meter)?;
    let (mut offsets, mut targets) = (vec![0u64], Vec::new());
    let mut at = 0;
    while let Some(state) = found.states.get(at).cloned() {
        let row = targets.len();
        for i in 0..state.len() {
            if i > 0 && state[i - 1] == state[i] {
                continue;
            }
            for option in interner.options(state[i], &mut meter)?.iter() {
                targets.push(found.vertex(Interner::child(&state, i, option), &mut meter)?);
            }
        }
        targets[row..].sort_unstable();
        // two moves may lead to the same position
        let mut kept = row;
        for i in row..targets.len() {
            if i == row || targets[i] != targets[i - 1] {
                targets[kept] = targets[i];
                kept += 1;
            }
        }
        targets.truncate(kept);
        meter.bytes(4 * (kept - row) as u64)?;
        offsets.push(kept as u64);
        at += 1;
    }
    let mut names = NameList::default();
    for state in &found.states {
        meter.steps(1000)?;
        let components: Vec<AnyComponent> = state.iter().map(|id| interner.component(*id).clone()).collect();
        let name = print_sum(&components);
        meter.bytes(name.len() as u64 + 8)?;
        names.push(&name);
    }
    let graph = Digraph::from_rows(offsets, targets).expect("rows of vertices");
    Ok(GraphFile { start: Some(0), ..GraphFile::new(graph, Names::Given(names)) })
}

#[derive(Default)]
struct Found {
    vertices: FxHashMap<State, u32>,
    states: Vec<State>,
}

impl Found {
    /// The vertex of a position, a new one if need be.
    fn vertex(&mut self, state: State, meter: &mut Meter) -> Result<u32, StopReason> {
        if let Some(v) = self.vertices.get(&state) {
            return Ok(*v);
        }
        let told = |stop: StopReason, n: usize| stop.reached(format!("the positions were being listed: {n} so far"));
        meter.position().map_err(|stop| told(stop, self.states.len()))?;
        meter.bytes(8 * state.len() as u64 + 96).map_err(|stop| told(stop, self.states.len()))?;
        let v = self.states.len() as u32;
        self.vertices.insert(state.clone(), v);
        self.states.push(state);
        Ok(v)
    }
}

#[cfg(test)]
mod tests {
    use grundy_core::notation::read_game;

    use grundy_core::theory::loopy_value::LoopyValue;

    use super::*;
    use crate::{
        Session,
        graph::{GraphObjective, GraphQuery, Vertices, answer},
    };

    #[test]
    fn values_of_the_graph_are_those_of_the_game() {
        for text in ["kayles(9)", "nim(2, 2) + 0.07(7)", "wythoff(4, 5)", "cram(3x3)", "chomp(3x4)"] {
            let game = read_game(text).unwrap();
            let file = position_graph(&game, &Budget::default()).unwrap();
            let query = GraphQuery {
                file,
                objective: GraphObjective::Grundy,
                convention: grundy_core::theory::Convention::Normal,
                tokens: Vec::new(),
                verify: true,
                certificate: None,
            };
            let answer = answer(query, &Budget::default()).unwrap();
            let Vertices::Values(values) = answer.vertices.as_ref().unwrap() else { panic!() };
            let mut session = Session::new();
            let known =
                game.components().iter().fold(0, |x, c| x ^ session.valued(c, &mut Meter::unlimited()).unwrap().value);
            assert_eq!(values[0], LoopyValue::Finite(known), "{text}");
        }
    }

    #[test]
    fn limits_stop_it() {
        let budget = Budget { positions: Some(100), ..Budget::default() };
        let stop = position_graph(&read_game("nim(9, 9, 9)").unwrap(), &budget).unwrap_err();
        assert!(stop.to_string().contains("100 so far"), "{stop}");
    }
}
