//! A session answers queries: it plans, runs the engines, and keeps what they found for the next query.

mod chomp;
mod line;
mod moves;
mod own;
mod quotient;
mod suggest;
mod tokens;

use std::sync::Arc;

use grundy_core::{
    notation::{print_component, print_sum},
    rulesets::{AnyComponent, AnyRuleset, HeapGame, coins::ProductGame},
    theory::{
        Convention, Outcome,
        nim::{NimClass, nim_sum},
    },
};

use crate::{
    answer::{Answer, Header, SequenceAnswer, SolveAnswer, Stats, Status, TableAnswer},
    budget::{Budget, Meter, StopReason},
    explain::{self, ComponentValue, Step},
    knowledge::{Knowledge, Valued},
    misere::{OutcomeSearch, quotient::QuotientSearch},
    oracle::Keeper,
    plan::{SumPlan, ValuePlan},
    query::{MovesWanted, Query, SequenceQuery, SolveQuery, TableQuery},
    sequence::Sequence,
};

pub(crate) use own::{refuse_broken, single_numbers};
pub use suggest::Suggestion;
pub(crate) use suggest::is_small;

/// A request outside the theory: not answered, with reason and remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub message: String,
    /// What to ask instead.
    pub hint: Option<String>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// Answers queries one after another and remembers values and decided sums.
#[derive(Debug)]
pub struct Session {
    knowledge: Knowledge,
    misere: OutcomeSearch,
    /// Quotients of heap games, by their names.
    quotients: Vec<(String, QuotientSearch)>,
}

impl Default for Session {
    fn default() -> Self {
        Session {
            knowledge: Knowledge::default(),
            misere: OutcomeSearch::new(Convention::Misere),
            quotients: Vec::new(),
        }
    }
}

/// The answer in the making.
struct Draft {
    answer: SolveAnswer,
    methods: Vec<String>,
}

impl Draft {
    fn weaken(&mut self, status: Status) {
        self.answer.header.status = self.answer.header.status.max(status);
    }

    fn method(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.methods.contains(&text) {
            self.methods.push(text);
        }
    }

    fn source(&mut self, key: &'static str) {
        if !self.answer.header.sources.contains(&key) {
            self.answer.header.sources.push(key);
        }
    }

    fn stop(&mut self, stop: StopReason) {
        self.answer.stop.get_or_insert(stop);
    }
}

/// What a theorem says of the outcome of the only component, when its value is out of reach.
fn outcome_alone(query: &SolveQuery, draft: &mut Draft) {
    let [component] = query.game.components() else { return };
    let Some(hint) = component.outcome_hint(query.convention) else { return };
    draft.method(format!("{}: {}", component.ruleset_name(), hint.theorem));
    draft.source(hint.source);
    draft.answer.outcome = Some(hint.answer);
    if query.explain {
        draft.answer.explanation.push(Step::Theorem { text: hint.theorem.into(), outcome: hint.answer });
    }
}

/// Why a sum is not played in this convention.
pub(crate) fn refusal(components: &[AnyComponent], convention: Convention) -> Option<Refusal> {
    if convention == Convention::Normal {
        return None;
    }
    match components.iter().find_map(AnyComponent::refuses_misere) {
        Some(reason) => {
            Some(Refusal { message: reason.into(), hint: Some("leave --misere out, or write 0.007".into()) })
        }
        None => tokens::refused_misere(components),
    }
}

impl Session {
    /// A session that knows nothing yet.
    pub fn new() -> Self {
        Session::default()
    }

    /// Keeps what searches of boards find from now on, and knows what was kept before; [`Session::save`] at the end.
    pub fn keep_in(&mut self, keeper: Box<dyn Keeper>) {
        self.knowledge.keep_in(keeper);
    }

    /// Hands what searches of boards found to the keeper.
    pub fn save(&mut self) {
        self.knowledge.save();
    }

    /// Answers any query.
    ///
    /// # Errors
    /// A [`Refusal`] if the request lies outside the theory. A limit that was reached is an answer with `stop` set.
    pub fn answer(&mut self, query: &Query, budget: &Budget) -> Result<Answer, Refusal> {
        Ok(match query {
            Query::Solve(q) => Answer::Solve(Box::new(self.solve(q, budget)?)),
            Query::Sequence(q) => Answer::Sequence(self.sequence(q, budget)),
            Query::Table(q) => Answer::Table(self.table(q, budget)?),
        })
    }

    /// Who wins, by which moves, why.
    ///
    /// # Errors
    /// A [`Refusal`] if a ruleset has no misère play, or if play may go on for ever and nothing follows from the components: in
    /// misère play and for remoteness, unless one token alone can move.
    pub fn solve(&mut self, query: &SolveQuery, budget: &Budget) -> Result<SolveAnswer, Refusal> {
        let components = query.game.components();
        if let Some(refusal) = refusal(components, query.convention).or_else(|| tokens::refused_remoteness(query)) {
            return Err(refusal);
        }
        let mut meter = Meter::new(budget);
        own::forget_faults(components);
        let mut draft = Draft {
            answer: SolveAnswer {
                header: Header {
                    convention: query.convention,
                    status: Status::Proved,
                    method: String::new(),
                    sources: Vec::new(),
                    stats: Stats::default(),
                },
                game: print_sum(components),
                outcome: None,
                value: None,
                infinite: None,
                moves_total: None,
                moves_complete: false,
                moves: Vec::new(),
                suggestion: None,
                suggestion_is_longest: false,
                suggestion_gave_up: false,
                remoteness: None,
                explanation: Vec::new(),
                stop: None,
            },
            methods: Vec::new(),
        };
        if query.explain {
            draft.answer.explanation.push(Step::Convention(query.convention));
        }
        if let Some(stop) = self.endless(query, &mut meter) {
            draft.stop(stop);
            return own::settled(draft.answer, query);
        }
        match SumPlan::of(components, query.convention) {
            SumPlan::SpragueGrundy => self.solve_by_values(query, &mut draft, &mut meter),
            SumPlan::LoopyValues => self.solve_by_loopy_values(query, &mut draft, &mut meter),
            SumPlan::MisereToken => self.solve_misere_token(query, &mut draft, &mut meter),
            SumPlan::Board => {
                if let [AnyComponent::Chomp(_, g)] = components {
                    self.solve_board(query, g, &mut draft, &mut meter);
                }
            }
            SumPlan::OutcomeTheorem => self.solve_by_theorem(query, &mut draft, &mut meter),
            SumPlan::MisereNim(class) => self.solve_misere_nim(query, class, &mut draft, &mut meter),
            SumPlan::MisereSearch => self.solve_misere_search(query, &mut draft, &mut meter),
        }
        if matches!(draft.answer.outcome, Some(Outcome::P | Outcome::Draw)) {
            draft.answer.moves_total = Some(0);
            draft.answer.moves_complete = true;
        }
        self.resist(query, &mut draft, &mut meter);
        if query.remoteness && draft.answer.outcome.is_some() {
            match self.remoteness(components, query.convention, &mut meter) {
                Ok(remoteness) => draft.answer.remoteness = remoteness,
                Err(stop) => draft.stop(stop.reached("the remoteness was not found")),
            }
        }
        if query.explain && draft.answer.outcome.is_some() {
            draft.answer.explanation.extend(self.line(query, &mut meter));
        }
        let Draft { mut answer, methods } = draft;
        if answer.outcome.is_none() {
            answer.header.status = Status::Stopped;
        }
        answer.header.method = methods.join("; ");
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        own::settled(answer, query)
    }

    fn solve_by_values(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        let components = query.game.components();
        draft.method("Sprague-Grundy: the value of a sum is the xor of the values of its components");
        draft.source("Spr35");
        draft.source("Gru39");
        let mut values = Vec::with_capacity(components.len());
        let mut listed = Vec::new();
        let mut last: Option<(&AnyComponent, Valued)> = None;
        for c in components {
            // neighbours are often equal, and 10^6 of them should cost no more than one
            let valued = match &last {
                Some((same, valued)) if *same == c => valued.clone(),
                _ => match self.knowledge.valued(c, meter) {
                    Ok(valued) => valued,
                    Err(stop) => {
                        draft.stop(stop);
                        outcome_alone(query, draft);
                        self.moves_out_of_reach(query, draft, meter);
                        return;
                    }
                },
            };
            if !last.as_ref().is_some_and(|(before, v)| before.same_ruleset(c) && v.reason == valued.reason) {
                draft.weaken(valued.status);
                draft.method(format!("{}: {}", c.ruleset_name(), valued.reason));
                if let Some(key) = valued.source {
                    draft.source(key);
                }
            }
            values.push(valued.value);
            if query.explain && listed.len() < 64 {
                listed.push(ComponentValue {
                    text: print_component(c),
                    value: valued.value,
                    reason: valued.reason.clone().into_owned(),
                });
            }
            last = Some((c, valued));
        }
        let total = nim_sum(&values);
        draft.answer.value = Some(total);
        draft.answer.outcome = Some(if total == 0 { Outcome::P } else { Outcome::N });
        if query.explain {
            let steps = &mut draft.answer.explanation;
            match listed.len() {
                0 => steps.push(Step::NoMoves(query.convention)),
                _ => steps.push(Step::Components(listed)),
            }
            for (c, value) in components.iter().zip(&values).take(16) {
                steps.extend(self.knowledge.heads(c, *value));
            }
            steps.extend(explain::columns(&values));
            if components.iter().all(moves::is_plain_nim) && !components.is_empty() {
                let class = NimClass::of(&values);
                steps.push(Step::Class {
                    class,
                    outcome: class.outcome(query.convention),
                    convention: query.convention,
                });
            }
        }
        if total != 0 && query.moves != MovesWanted::None {
            self.moves_to_zero(query, &values, draft, meter);
        }
        if query.explain {
            explain_moves(&values, draft);
        }
    }

    fn solve_by_theorem(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        let component = &query.game.components()[0];
        let Some(hint) = component.outcome_hint(query.convention) else { return };
        draft.method(format!("{}: {}", component.ruleset_name(), hint.theorem));
        draft.source(hint.source);
        draft.answer.outcome = Some(hint.answer);
        if query.convention == Convention::Normal {
            // the value too, where a short search finds it: computed, and so is the answer then
            draft.answer.value = match hint.answer {
                Outcome::P => Some(0),
                _ => self.knowledge.valued(component, &mut small_meter(meter, 20_000, 100)).ok().map(|valued| {
                    draft.weaken(valued.status);
                    draft.method(format!("{}: the value by {}", component.ruleset_name(), valued.reason));
                    valued.value
                }),
            };
        }
        if query.explain {
            draft.answer.explanation.extend(explain::moore_columns(component));
            draft.answer.explanation.push(Step::Theorem { text: hint.theorem.into(), outcome: hint.answer });
        }
        if hint.answer == Outcome::N && query.moves != MovesWanted::None {
            self.moves_by_theorem(query, draft, meter);
        }
    }

    fn solve_misere_nim(&mut self, query: &SolveQuery, class: NimClass, draft: &mut Draft, meter: &mut Meter) {
        let components = query.game.components();
        draft.source("Bou02");
        draft.method("misère Nim by Bouton's rule");
        let heaps: Vec<u64> = components.iter().filter_map(AnyComponent::misere_nim_value).collect();
        let plain = components.iter().all(moves::is_plain_nim);
        let mut listed = Vec::new();
        if !plain {
            draft.method("by theorem each component acts as a Nim heap of its Grundy value in misère sums too");
            draft.source("Fer74");
            for c in components {
                let Some(hint) = c.value_hint() else { continue };
                draft.method(format!("{}: {}", c.ruleset_name(), hint.theorem));
                draft.source(hint.source);
                if query.explain && listed.len() < 64 {
                    let (text, reason) = (print_component(c), hint.theorem.to_owned());
                    listed.push(ComponentValue { text, value: hint.answer, reason });
                }
            }
        }
        let outcome = class.outcome(Convention::Misere);
        draft.answer.outcome = Some(outcome);
        if query.explain {
            let steps = &mut draft.answer.explanation;
            if !listed.is_empty() {
                steps.push(Step::Components(listed));
            }
            if heaps.iter().all(|h| *h == 0) {
                steps.push(Step::NoMoves(Convention::Misere));
            } else {
                steps.extend(explain::columns(&heaps));
                steps.push(Step::Class { class, outcome, convention: Convention::Misere });
            }
        }
        if outcome == Outcome::N && query.moves != MovesWanted::None {
            self.moves_misere_nim(query, &heaps, draft, meter);
        }
        if query.explain {
            self.compare_with_normal(query, draft, meter);
        }
    }

    fn solve_misere_search(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        if self.solve_by_quotient(query, draft, meter) {
            if query.explain {
                self.compare_with_normal(query, draft, meter);
            }
            return;
        }
        let components = query.game.components();
        draft.method("misère outcome search over sums of components");
        if components.iter().any(|c| matches!(c, AnyComponent::Chomp(..))) {
            draft.method(chomp::MISERE);
        }
        draft.source("ONAG");
        draft.weaken(Status::Computed);
        let before = self.misere.decided();
        match self.misere.outcome(components, meter) {
            Ok(outcome) => draft.answer.outcome = Some(outcome),
            Err(stop) => {
                let states = self.misere.decided() - before;
                draft.stop(
                    stop.reached(format!("{states} sums below this one were decided, the position itself was not")),
                );
                return;
            }
        }
        if draft.answer.outcome == Some(Outcome::N) && query.moves != MovesWanted::None {
            self.moves_misere_search(query, draft, meter);
        }
        if query.explain {
            if components.iter().all(AnyComponent::is_empty_heap) {
                draft.answer.explanation.push(Step::NoMoves(Convention::Misere));
            } else {
                draft.answer.explanation.push(Step::Searched { states: self.misere.decided() as u64 });
            }
            self.compare_with_normal(query, draft, meter);
        }
    }

    /// Says how normal play of the same position differs, and names a move that only normal play recommends.
    fn compare_with_normal(&mut self, query: &SolveQuery, draft: &mut Draft, meter: &mut Meter) {
        let Some(misere) = draft.answer.outcome else { return };
        let normal = SolveQuery {
            convention: Convention::Normal,
            explain: false,
            remoteness: false,
            limit: 64,
            ..query.clone()
        };
        let budget = small_meter(meter, 100_000, 200).budget().clone();
        let Ok(answer) = self.solve(&normal, &budget) else { return };
        let Some(outcome) = answer.outcome else { return };
        let trap = answer
            .moves
            .iter()
            .find(|m| !draft.answer.moves.iter().any(|w| w.component == m.component && w.to == m.to))
            .filter(|_| draft.answer.moves_complete || misere == Outcome::P)
            .map(|m| format!("{} -> {} ({})", print_component(&m.from), moves::print_parts(&m.to), m.name));
        if outcome != misere || trap.is_some() {
            draft.answer.explanation.push(Step::XorMisleads { normal: outcome, misere, trap });
        }
    }

    /// Values from heap 0 on.
    pub fn sequence(&mut self, query: &SequenceQuery, budget: &Budget) -> SequenceAnswer {
        let mut meter = Meter::new(budget);
        let (values, period, stop) = self.knowledge.sequence(&query.game, query.to, &mut meter);
        let (status, method, source) = match query.game.closed_form() {
            Some(form) => (Status::Proved, form.theorem().to_owned(), Some(form.source())),
            None => (Status::Computed, "direct computation from the definition".to_owned(), None),
        };
        SequenceAnswer {
            header: Header {
                convention: Convention::Normal,
                status: if stop.is_some() && values.is_empty() { Status::Stopped } else { status },
                method,
                sources: source.into_iter().collect(),
                stats: Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() },
            },
            game: query.game.name().to_owned(),
            values,
            period,
            stop,
        }
    }

    /// Takes over the values of a game's rule that were computed elsewhere, so that they need not be computed again.
    pub fn adopt(&mut self, game: &Arc<HeapGame>, sequence: Sequence) {
        self.knowledge.adopt(game, sequence);
    }

    /// What was found out so far, for the questions that have a module of their own.
    pub(crate) fn knowledge(&mut self) -> &mut Knowledge {
        &mut self.knowledge
    }

    /// The value of a heap game's closed form, period or table, at one heap.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn valued(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<Valued, StopReason> {
        self.knowledge.valued(component, meter)
    }

    /// The value of a board full of heads in a product of coin-turning games, with the number of its winning moves, of sides
    /// that no list of cells could hold.
    ///
    /// # Complexity
    /// The sets that each game may turn.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn full_board(
        &mut self,
        game: &ProductGame,
        sides: &[u64],
        meter: &mut Meter,
    ) -> Result<(u64, u128), StopReason> {
        self.knowledge.full_board(game, sides, meter)
    }

    /// Values, or lost positions, of all positions of a shape.
    ///
    /// # Errors
    /// A [`Refusal`] if the ruleset has no positions of that shape, or values were asked for in misère play.
    pub fn table(&mut self, query: &TableQuery, budget: &Budget) -> Result<TableAnswer, Refusal> {
        if let AnyRuleset::Digraph(_) = &query.ruleset {
            return Err(Refusal {
                message: "the vertices of a graph stand in no table".into(),
                hint: Some("grundy graph FILE --objective loopy lists the values of all vertices".into()),
            });
        }
        if let AnyRuleset::Board(game) = &query.ruleset {
            return Err(Refusal {
                message: format!("the boards of {} stand in no table", game.name()),
                hint: Some("grundy solve answers boards, one after another from a file too".into()),
            });
        }
        if query.convention == Convention::Misere && !query.p_positions {
            return Err(Refusal {
                message: "Grundy values belong to normal play".into(),
                hint: Some("ask for --p-positions in misère play".into()),
            });
        }
        if let AnyRuleset::Chomp = &query.ruleset {
            return self.table_of_boards(query, budget);
        }
        if let Some(d) = query.ruleset.dimension()
            && d != query.shape.len()
        {
            return Err(Refusal {
                message: match d {
                    1 => "positions of this game are single numbers, so its table has one side".into(),
                    2 => "positions of this game are pairs, so its table has two sides".into(),
                    _ => format!("positions of this game have {d} numbers, and a table has one side or two"),
                },
                hint: Some(
                    match d {
                        1 => "for example 64",
                        2 => "for example 20x20",
                        _ => "grundy solve answers single positions",
                    }
                    .into(),
                ),
            });
        }
        // one row of single numbers, or rows of pairs; walked, never stored
        let (rows, columns) = match query.shape[..] {
            [n] => (1, n),
            [r, c] => (r, c),
            _ => {
                return Err(Refusal {
                    message: "a table has one side or two".into(),
                    hint: Some("for example 64 or 20x20".into()),
                });
            }
        };
        let first = query.ruleset.first_number();
        let mut meter = Meter::new(budget);
        let mut answer = TableAnswer {
            header: Header {
                convention: query.convention,
                status: Status::Proved,
                method: String::new(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            first,
            ruleset: match &query.ruleset {
                AnyRuleset::Heap(game) => game.name().to_owned(),
                other => other
                    .components(&vec![1; query.shape.len()])
                    .ok()
                    .and_then(|c| Some(c.first()?.ruleset_name()))
                    .unwrap_or_default(),
            },
            rows: Vec::new(),
            p_positions: Vec::new(),
            stop: None,
        };
        let mut methods: Vec<String> = Vec::new();
        'rows: for row in 0..rows {
            let mut line = Vec::new();
            for column in 0..columns {
                let position =
                    if query.shape.len() == 1 { vec![first + column] } else { vec![first + row, first + column] };
                // an entry is 16 bytes, a lost position about 48
                if let Err(stop) = meter.bytes(if query.p_positions { 64 } else { 16 }).and_then(|()| meter.steps(64)) {
                    answer.stop = Some(stop.reached(format!("stopped before position ({})", join(&position))));
                    answer.rows.push(line);
                    break 'rows;
                }
                let Ok(components) = query.ruleset.components(&position) else {
                    line.push(None);
                    continue;
                };
                match self.table_entry(&components, query, &mut meter, &mut answer.header, &mut methods) {
                    Ok((value, lost)) => {
                        if lost && query.p_positions {
                            answer.p_positions.push(position);
                        }
                        line.push(value);
                    }
                    Err(stop) => {
                        own::refuse_broken(&stop)?;
                        answer.stop = Some(stop.reached(format!("stopped before position ({})", join(&position))));
                        if !line.is_empty() {
                            answer.rows.push(line);
                        }
                        break 'rows;
                    }
                }
            }
            answer.rows.push(line);
        }
        if query.p_positions {
            answer.rows.clear();
        }
        answer.header.method = methods.join("; ");
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    fn table_entry(
        &mut self,
        components: &[AnyComponent],
        query: &TableQuery,
        meter: &mut Meter,
        header: &mut Header,
        methods: &mut Vec<String>,
    ) -> Result<(Option<u64>, bool), StopReason> {
        if query.convention == Convention::Misere {
            header.status = Status::Computed;
            if methods.is_empty() {
                methods.push("misère outcome search".into());
            }
            let solve = SolveQuery {
                moves: MovesWanted::None,
                ..SolveQuery::new(components.iter().cloned().collect(), Convention::Misere)
            };
            let rest = meter.budget().clone();
            let answer = self.solve(&solve, &rest).map_err(|_| meter.stop(crate::budget::Limit::Width))?;
            return match (answer.outcome, answer.stop) {
                (Some(outcome), _) => meter.position().map(|()| (None, outcome == Outcome::P)),
                (None, Some(stop)) => Err(stop),
                (None, None) => Ok((None, false)),
            };
        }
        if let ([one], true) = (components, query.p_positions)
            && let Some(hint) = one.outcome_hint(Convention::Normal)
        {
            if !header.sources.contains(&hint.source) {
                header.sources.push(hint.source);
                methods.push(hint.theorem.into());
            }
            return meter.position().map(|()| (None, hint.answer == Outcome::P));
        }
        let mut total = 0;
        for c in components {
            let valued = self.knowledge.valued(c, meter)?;
            header.status = header.status.max(valued.status);
            if methods.len() < 4 && !methods.iter().any(|m| *m == valued.reason) {
                methods.push(valued.reason.into_owned());
            }
            if let Some(key) = valued.source
                && !header.sources.contains(&key)
            {
                header.sources.push(key);
            }
            total ^= valued.value;
        }
        Ok((Some(total), total == 0))
    }

    /// How the values of a heap game are found, for people.
    pub fn plan_of(game: &Arc<grundy_core::rulesets::HeapGame>) -> ValuePlan {
        ValuePlan::of_heap_game(game)
    }
}

fn join(position: &[u64]) -> String {
    position.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// A meter for a side question: a share of the positions and of the time that is left.
fn small_meter(meter: &Meter, positions: u64, millis: u64) -> Meter {
    let budget = meter.budget();
    let left = budget.time.map(|t| t.saturating_sub(meter.elapsed()));
    let time = std::time::Duration::from_millis(millis);
    Meter::new(&Budget {
        time: Some(left.map_or(time, |l| l.min(time))),
        memory: Some(budget.memory.unwrap_or(u64::MAX).min(256 << 20)),
        positions: Some(budget.positions.unwrap_or(u64::MAX).min(positions)),
        threads: budget.threads,
        cancel: budget.cancel.clone(),
    })
}

/// Says why the first few winning moves win, or why there is none.
fn explain_moves(values: &[u64], draft: &mut Draft) {
    let total = nim_sum(values);
    let answer = &mut draft.answer;
    if total == 0 {
        if !values.is_empty() && values.iter().any(|v| *v != 0) {
            answer.explanation.push(Step::WhyLost);
        }
        return;
    }
    for m in answer.moves.iter().take(4) {
        let before = values[m.component];
        answer.explanation.push(Step::WhyWinning {
            name: m.name.clone(),
            from: print_component(&m.from),
            to: moves::print_parts(&m.to),
            before,
            after: before ^ total,
        });
    }
}
