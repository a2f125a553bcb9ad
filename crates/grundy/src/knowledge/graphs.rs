//! What a session has found out about graphs: the values of all vertices, and who wins from each with one token.

use std::sync::Arc;

use grundy_core::{
    rulesets::digraph::DigraphGame,
    theory::{
        Convention,
        digraph::Digraph,
        loopy_value::{Label, LoopyValue, value_of},
    },
};

use super::{Knowledge, Valued};
use crate::{
    answer::Status,
    budget::{Limit, Meter, StopReason},
    retrograde::{self, Verdict},
};

/// What is known of one graph: each is found for all vertices at once, when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct GraphKnowledge {
    values: Option<VertexValues>,
    reversed: Option<Digraph>,
    normal: Option<Vec<Verdict>>,
    misere: Option<Vec<Verdict>>,
}

#[derive(Debug)]
enum VertexValues {
    /// Without cycles.
    Grundy(Vec<u32>),
    /// With cycles.
    Loopy(Vec<Label>),
}

impl GraphKnowledge {
    fn reversed(&mut self, graph: &Digraph, meter: &mut Meter) -> Result<&Digraph, StopReason> {
        if self.reversed.is_none() {
            meter.bytes(16 * graph.vertices() as u64 + 4 * graph.edges() as u64)?;
            meter.steps(4 * graph.edges() as u64)?;
        }
        Ok(self.reversed.get_or_insert_with(|| graph.reversed()))
    }

    fn values(&mut self, game: &DigraphGame, meter: &mut Meter) -> Result<&VertexValues, StopReason> {
        if self.values.is_none() {
            let graph = game.graph();
            let acyclic = match game.board().has_cycle() {
                true => None,
                false => retrograde::grundy_values(graph, meter)?.ok(),
            };
            let found = match acyclic {
                Some(values) => VertexValues::Grundy(values),
                None => VertexValues::Loopy(retrograde::labels(graph, self.reversed(graph, meter)?, meter)?),
            };
            meter.count_positions(graph.vertices() as u64);
            self.values = Some(found);
        }
        Ok(self.values.as_ref().expect("they were just found"))
    }
}

impl Knowledge {
    /// The value of a token on v.
    ///
    /// # Complexity
    /// That of [`retrograde::grundy_values`] or [`retrograde::labels`], once for each graph.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn token(&mut self, game: &Arc<DigraphGame>, v: u32, meter: &mut Meter) -> Result<LoopyValue, StopReason> {
        let known = self.graphs.entry(Arc::clone(game)).or_default();
        let values =
            known.values(game, meter).map_err(|s| s.reached("the vertices of the graph have no values yet"))?;
        Ok(match values {
            VertexValues::Grundy(values) => LoopyValue::Finite(values[v as usize].into()),
            VertexValues::Loopy(labels) => value_of(game.graph(), labels, v),
        })
    }

    /// How the values of a graph are found, for people, and the keys of `SOURCES.md`.
    pub fn graph_method(game: &DigraphGame) -> (String, [&'static str; 2]) {
        let vertices = game.graph().vertices();
        match game.board().has_cycle() {
            false => {
                let how = "a graph without cycles: mex of the followers, from the ends backwards";
                (format!("{how}, {vertices} vertices"), ["Spr35", "Gru39"])
            }
            true => {
                let how = "a graph with cycles: labels of Smith, Fraenkel and Perl, one pass a value";
                (format!("{how}, {vertices} vertices"), ["Smi66", "FP75"])
            }
        }
    }

    /// The Grundy value of a token from which play must end.
    pub(super) fn valued_token(
        &mut self,
        game: &Arc<DigraphGame>,
        v: u32,
        meter: &mut Meter,
    ) -> Result<Valued, StopReason> {
        let (reason, [source, _]) = Knowledge::graph_method(game);
        match self.token(game, v, meter)? {
            LoopyValue::Finite(value) => {
                Ok(Valued { value, status: Status::Computed, reason: reason.into(), source: Some(source) })
            }
            // plans ask for values of such tokens elsewhere
            infinite => Err(meter.stop(Limit::Width).reached(format!("it is {infinite}"))),
        }
    }

    /// Who wins with a token on v alone, and how soon.
    ///
    /// # Complexity
    /// That of [`retrograde::outcomes`], once for each graph and convention.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn token_verdict(
        &mut self,
        game: &Arc<DigraphGame>,
        v: u32,
        convention: Convention,
        meter: &mut Meter,
    ) -> Result<Verdict, StopReason> {
        let known = self.graphs.entry(Arc::clone(game)).or_default();
        let slot = |known: &GraphKnowledge| match convention {
            Convention::Normal => known.normal.as_ref().map(|all| all[v as usize]),
            Convention::Misere => known.misere.as_ref().map(|all| all[v as usize]),
        };
        if let Some(verdict) = slot(known) {
            return Ok(verdict);
        }
        let reversed = known.reversed(game.graph(), meter)?;
        let found = retrograde::outcomes(game.graph(), reversed, convention, meter)
            .map_err(|s| s.reached("no vertex of the graph is decided yet"))?;
        meter.count_positions(game.graph().vertices() as u64);
        let verdict = found[v as usize];
        match convention {
            Convention::Normal => known.normal = Some(found),
            Convention::Misere => known.misere = Some(found),
        }
        Ok(verdict)
    }

    /// Where v stands in the order in which vertices of a graph with cycles got their values; None if that is not known or v
    /// has none.
    pub fn token_counter(&self, game: &Arc<DigraphGame>, v: u32) -> Option<u32> {
        match self.graphs.get(game)?.values.as_ref()? {
            VertexValues::Loopy(labels) => match labels[v as usize] {
                Label::Finite { counter, .. } => Some(counter),
                Label::Infinite => None,
            },
            VertexValues::Grundy(_) => None,
        }
    }
}
