//! One board of Chomp, and tables of boards.

use core::ops::ControlFlow;

use grundy_core::{
    ruleset::Ruleset,
    rulesets::{AnyComponent, Chomp},
    theory::{Convention, Outcome},
};

use super::{Draft, Refusal, Session, moves::Collector, moves::Winning};
use crate::{
    answer::{Header, Stats, Status, TableAnswer},
    budget::{Budget, Limit, Meter, StopReason},
    chomp::each_lost,
    explain::Step,
    query::{MovesWanted, SolveQuery, TableQuery},
};

impl Session {
    /// One board whose value no theorem knows: its value and so its winning bites where one sweep reaches them, else
    /// its outcome, by a sweep over fewer positions or by a theorem.
    pub(super) fn solve_board(&mut self, query: &SolveQuery, g: &[u64], draft: &mut Draft, meter: &mut Meter) {
        let convention = query.convention;
        let hint = Chomp.outcome_hint(&g.to_vec(), convention);
        if query.explain {
            draft.answer.explanation.push(Step::Rules { text: rules(convention).into() });
        }
        if query.explain
            && let Some(hint) = &hint
        {
            draft.answer.explanation.push(Step::Theorem { text: hint.theorem.into(), outcome: hint.answer });
        }
        if convention == Convention::Misere {
            draft.method(MISERE);
        }
        if convention == Convention::Normal && self.knowledge.chomp().are_values_near(g, meter) {
            self.solve_by_values(query, draft, meter);
            let is_over = |stop: &StopReason| !matches!(stop.limit, Limit::Memory | Limit::Positions);
            if draft.answer.outcome.is_some() || draft.answer.stop.as_ref().is_some_and(is_over) {
                self.board_by_theorem(query, g, draft, meter);
                return;
            }
            // the outcome needs less than the value
            draft.answer.stop = None;
            draft.methods.clear();
            draft.answer.header.sources.clear();
        }
        let is_proved = Chomp.winning_options(&g.to_vec(), convention).is_some();
        if !is_proved {
            match self.knowledge.chomp().outcome(g, convention, meter) {
                Ok(found) => {
                    draft.method(format!("chomp: {}", found.reason));
                    draft.weaken(Status::Computed);
                    draft.answer.outcome = Some(if found.is_lost { Outcome::P } else { Outcome::N });
                    self.list_bites(query, g, &found.winning, Some(found.winning.len() as u128), draft, meter);
                    return;
                }
                Err(stop) => draft.stop(stop),
            }
        }
        self.board_by_theorem(query, g, draft, meter);
    }

    /// What a theorem says of a board that no sweep has answered: it is true whatever stopped the sweep.
    fn board_by_theorem(&mut self, query: &SolveQuery, g: &[u64], draft: &mut Draft, meter: &mut Meter) {
        let convention = query.convention;
        let hint = Chomp.outcome_hint(&g.to_vec(), convention).filter(|_| draft.answer.outcome.is_none());
        let Some(hint) = hint else { return };
        draft.method(format!("chomp: {}", hint.theorem));
        draft.source(hint.source);
        draft.answer.outcome = Some(hint.answer);
        if hint.answer == Outcome::N && query.moves != MovesWanted::None {
            let is_complete = Chomp.winning_options(&g.to_vec(), convention).is_some();
            let bite = Chomp.proved_bite(g).filter(|_| convention == Convention::Normal).map(|(bite, _)| bite);
            let total = is_complete.then_some(u128::from(bite.is_some()));
            self.list_bites(query, g, bite.as_slice(), total, draft, meter);
        }
    }

    fn list_bites(
        &mut self,
        query: &SolveQuery,
        g: &[u64],
        bites: &[(usize, u64)],
        total: Option<u128>,
        draft: &mut Draft,
        meter: &mut Meter,
    ) {
        if bites.is_empty() && total == Some(0) || query.moves == MovesWanted::None {
            return;
        }
        let mut collector = Collector::new(query);
        let room = collector.room();
        let listed = bites.iter().take(room).filter_map(|(r, c)| Chomp.bite(g, *r, *c));
        let listed = listed.map(|to| vec![AnyComponent::Chomp(Chomp, to)]).collect();
        collector.add(0, &Winning { listed, total }, meter);
        collector.finish(draft);
    }

    /// The bites of a board to positions of value `target`: at most `room` of them, and their number.
    pub(super) fn bites_to_value(
        &mut self,
        g: &[u64],
        target: u64,
        room: usize,
        meter: &mut Meter,
    ) -> (Winning, Option<StopReason>) {
        let table = match self.knowledge.chomp().values(g, meter) {
            Ok(table) => table,
            Err(stop) => return (Winning::default(), Some(stop.reached(super::moves::UNLISTED))),
        };
        let mut winning = Winning { listed: Vec::new(), total: Some(0) };
        for to in Chomp.bites(g).filter_map(|(r, c)| Chomp.bite(g, r, c)) {
            if table.value(&to) != Some(target) {
                continue;
            }
            winning.total = winning.total.map(|t| t + 1);
            if winning.listed.len() < room {
                winning.listed.push(vec![AnyComponent::Chomp(Chomp, to)]);
            }
        }
        (winning, None)
    }

    /// The answer to a query for the lost positions of boards, without these: each goes to `sink` as it is found, all rows of it,
    /// empty ones too, in lexicographic order, until the sink breaks.
    ///
    /// # Errors
    /// A [`Refusal`] if the shape is no box.
    pub fn lost_boards(
        &mut self,
        query: &TableQuery,
        budget: &Budget,
        sink: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> Result<TableAnswer, Refusal> {
        let [rows, columns] = sides(query)?;
        let mut answer = empty_table(query);
        let mut meter = Meter::new(budget);
        answer.header.method = match rows {
            2 if query.convention == Convention::Normal => {
                "two rows are lost if the second is one square shorter".into()
            }
            3 => "all lost positions of three rows, one first row after another".into(),
            _ => "one sweep over all positions: for each tail of rows the first row that loses".into(),
        };
        if query.convention == Convention::Misere {
            answer.header.method = format!("{}; {MISERE}", answer.header.method);
        }
        answer.stop = each_lost(rows, columns, query.convention, &mut meter, sink).err();
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    /// The values of all rectangles of at most so many rows and columns, or the lost positions within the largest.
    pub(super) fn table_of_boards(&mut self, query: &TableQuery, budget: &Budget) -> Result<TableAnswer, Refusal> {
        let sides = sides(query)?;
        if query.p_positions {
            let entry = 48 + 8 * sides[0];
            let most = budget.memory.map_or(u64::MAX, |m| m / entry);
            let mut kept = Vec::new();
            let mut is_full = false;
            let mut answer = self.lost_boards(query, budget, &mut |p| {
                is_full = kept.len() as u64 >= most;
                if is_full {
                    return ControlFlow::Break(());
                }
                kept.push(p.to_vec());
                ControlFlow::Continue(())
            })?;
            answer.p_positions = kept;
            if is_full {
                let account = format!("{} lost positions fit", answer.p_positions.len());
                answer.stop = Some(Meter::new(budget).stop(Limit::Memory).reached(account));
            }
            return Ok(answer);
        }
        let mut answer = empty_table(query);
        let mut meter = Meter::new(budget);
        answer.header.method = "one sweep over all positions below the largest board".into();
        answer.stop = self.values_of_boards(sides, &mut answer.rows, &mut meter).err();
        if answer.stop.is_some() && answer.rows.is_empty() {
            answer.header.status = Status::Stopped;
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    fn values_of_boards(
        &mut self,
        [rows, columns]: [u64; 2],
        lines: &mut Vec<Vec<Option<u64>>>,
        meter: &mut Meter,
    ) -> Result<(), StopReason> {
        // a board is a list of its rows
        if rows > 1 << 16 {
            return Err(meter.stop(Limit::Memory).reached("the boards of the table have too many rows"));
        }
        let largest = vec![columns; rows as usize];
        if let Some(line) = (rows == 1).then(|| (0..columns).map(Some).collect()) {
            meter.bytes(16 * columns)?;
            lines.push(line);
            return Ok(());
        }
        let table = self.knowledge.chomp().values(&largest, meter)?;
        for r in 1..=rows as usize {
            meter.bytes(16 * columns)?;
            lines.push((1..=columns).map(|c| table.value(&vec![c; r])).collect());
        }
        Ok(())
    }
}

/// Rows and columns of the largest board of a table.
fn sides(query: &TableQuery) -> Result<[u64; 2], Refusal> {
    <[u64; 2]>::try_from(&query.shape[..]).map_err(|_| Refusal {
        message: "a table of chomp has two sides".into(),
        hint: Some("for example 8x10, or 3 --to 100 --p-positions".into()),
    })
}

fn empty_table(query: &TableQuery) -> TableAnswer {
    TableAnswer {
        header: Header {
            convention: query.convention,
            status: Status::Computed,
            method: String::new(),
            sources: Vec::new(),
            stats: Stats::default(),
        },
        first: 1,
        ruleset: "chomp".into(),
        rows: Vec::new(),
        p_positions: Vec::new(),
        stop: None,
    }
}

/// What a convention means for a board.
fn rules(convention: Convention) -> &'static str {
    match convention {
        Convention::Normal => {
            "in chomp the poison (0,0) may not be bitten, so who has only the poison left loses, as its eater does in \
             the usual game"
        }
        Convention::Misere => MISERE,
    }
}

/// What misère play of a board means.
pub(super) const MISERE: &str = "misère chomp: the poison may not be bitten, and who cannot bite wins (the usual \
                                 game, where the eater of the poison loses, is normal play)";
