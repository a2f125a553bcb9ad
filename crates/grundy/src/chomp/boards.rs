//! The tables of boards that were asked for, and which one a question needs.

use grundy_core::{
    ruleset::Ruleset,
    rulesets::Chomp,
    theory::{Convention, Outcome},
};

use crate::budget::{Limit, Meter, StopReason};

use super::{
    Outcomes, Shape, ThreeRows, Values,
    nimbers::{positions, words},
    shape::transposed,
};

/// Tables of boards, kept for the next question about a position below one of them.
#[derive(Debug, Default)]
pub struct Boards {
    values: Vec<Values>,
    outcomes: Vec<Outcomes>,
}

/// A position with what is known of its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// True for a P-position.
    pub is_lost: bool,
    /// All bites that win, by row, then by column.
    pub winning: Vec<(usize, u64)>,
    /// How it was found, for people.
    pub reason: String,
}

/// Tables of one kind that are kept.
const KEPT: usize = 4;

/// Most positions of a sweep: beyond, the numbers alone of a shape take long to count.
const MOST_POSITIONS: u64 = 1 << 40;

impl Boards {
    /// The values of all positions below the board `g`, or below one that holds it.
    ///
    /// # Complexity
    /// Nothing if the table is there, else that of [`Values::new`].
    ///
    /// # Errors
    /// The meter's stop; at once if the table does not fit.
    pub fn values(&mut self, g: &[u64], meter: &mut Meter) -> Result<&Values, StopReason> {
        let at = match self.values.iter().position(|table| table.holds(g)) {
            Some(at) => at,
            None => {
                let shape = shape(g, meter)?;
                refuse(&shape, meter)?;
                let table = Values::new(&shape, meter).map_err(|stop| unfinished(stop, positions(&shape)))?;
                keep(&mut self.values, table)
            }
        };
        Ok(&self.values[at])
    }

    /// True if the values of all positions below the board `g` are there, or fit into what is left of the budget.
    pub fn are_values_near(&self, g: &[u64], meter: &Meter) -> bool {
        if self.values.iter().any(|table| table.holds(g)) {
            return true;
        }
        shape(g, meter).is_ok_and(|shape| {
            let nanoseconds = positions(&shape).saturating_mul(2 * (shape.rows().len() as u64 + 4) * words(&shape));
            let is_soon = meter.time_left().is_none_or(|left| u128::from(nanoseconds) < left.as_nanos());
            is_soon && refuse(&shape, meter).is_ok()
        })
    }

    /// The outcome of the board `g` with all winning bites.
    ///
    /// # Complexity
    /// Nothing where a theorem knows all winning bites. Three rows or columns: that of [`ThreeRows`]. Else nothing if
    /// a table is there, or that of [`Outcomes::new`].
    ///
    /// # Errors
    /// The meter's stop; at once if the table does not fit.
    pub fn outcome(&mut self, g: &[u64], convention: Convention, meter: &mut Meter) -> Result<Lost, StopReason> {
        let board = g.to_vec();
        if let (Some(hint), Some(wins)) =
            (Chomp.outcome_hint(&board, convention), Chomp.winning_options(&board, convention))
        {
            let winning = wins.options.filter_map(|to| Chomp.bite_to(g, to.first()?)).collect();
            return Ok(Lost { is_lost: hint.answer == Outcome::P, winning, reason: hint.theorem.into() });
        }
        if let Some(table) = self.values.iter().find(|table| convention == Convention::Normal && table.holds(g)) {
            let is_lost = |q: &[u64]| table.value(q) == Some(0);
            return Ok(Lost { reason: SWEEP.into(), ..by_table(g, is_lost) });
        }
        let known = |table: &Outcomes| table.convention() == convention && table.holds(g);
        let at = match self.outcomes.iter().position(known) {
            Some(at) => at,
            None => {
                let wide = Chomp.canonical(&board);
                if let [first, second, third] = wide[..] {
                    return three_rows(g, [first, second, third], convention, meter);
                }
                // a theorem has answered for fewer than two rows
                let Some((first, below)) = wide.split_first() else { return Err(too_many(meter)) };
                let tails = shape_of_rows(below, meter)?;
                let first = usize::try_from(*first).map_err(|_| too_many(meter))?;
                let bytes = Outcomes::bytes_for(first, &tails);
                if meter.budget().memory.is_some_and(|m| meter.bytes_used().saturating_add(bytes) > m) {
                    return Err(needs(bytes, meter));
                }
                let table = Outcomes::new(first, &tails, convention, meter)
                    .map_err(|stop| unfinished(stop, tails.all_tails(0) as u64))?;
                keep(&mut self.outcomes, table)
            }
        };
        let table = &self.outcomes[at];
        Ok(Lost { reason: SWEEP_OF_OUTCOMES.into(), ..by_table(g, |q| table.is_lost(q) == Some(true)) })
    }
}

const SWEEP: &str = "one sweep over all positions below";
const SWEEP_OF_OUTCOMES: &str = "one sweep over all positions below: for each tail of rows the first row that loses";
const SWEEP_OF_THREE: &str = "all lost positions of three rows, one first row after another";

/// Adds a table, in the place of the oldest one if there are many; where it stands.
fn keep<T>(tables: &mut Vec<T>, table: T) -> usize {
    if tables.len() == KEPT {
        tables.remove(0);
    }
    tables.push(table);
    tables.len() - 1
}

/// The shape of a board, turned to have as few rows as may be.
fn shape(g: &[u64], meter: &Meter) -> Result<Shape, StopReason> {
    shape_of_rows(&Chomp.canonical(&g.to_vec()), meter)
}

/// The shape of these rows as they are.
fn shape_of_rows(rows: &[u64], meter: &Meter) -> Result<Shape, StopReason> {
    let most = meter.positions_left().min(MOST_POSITIONS);
    let squares = rows.iter().fold(0u64, |sum, row| sum.saturating_add(*row));
    // there are more positions than squares
    if squares > most.min(1 << 28) {
        return Err(too_many(meter));
    }
    Shape::new(rows, most.saturating_add(1)).ok_or_else(|| too_many(meter))
}

/// The stop of a sweep, with what it was to go through.
fn unfinished(stop: StopReason, positions: u64) -> StopReason {
    let says_more = !stop.reached.is_empty();
    if says_more { stop } else { stop.reached(format!("the sweep over {positions} positions was not finished")) }
}

fn too_many(meter: &Meter) -> StopReason {
    let limit = if meter.budget().positions.is_some() { Limit::Positions } else { Limit::Memory };
    meter.stop(limit).reached("the positions below the board are too many for a table")
}

/// Stops where the table of values does not fit.
fn refuse(shape: &Shape, meter: &Meter) -> Result<(), StopReason> {
    let bytes = Values::bytes_for(shape, words(shape));
    match meter.budget().memory.is_some_and(|m| meter.bytes_used().saturating_add(bytes) > m) {
        true => Err(needs(bytes, meter)),
        false => Ok(()),
    }
}

fn needs(bytes: u64, meter: &Meter) -> StopReason {
    let text = format!("the positions below the board need about {} MiB", bytes >> 20);
    meter.stop(Limit::Memory).reached(text)
}

/// The outcome and the winning bites of a position in a table.
fn by_table(g: &[u64], is_lost: impl Fn(&[u64]) -> bool) -> Lost {
    let wins = |(r, c): &(usize, u64)| Chomp.bite(g, *r, *c).is_some_and(|to| is_lost(&to));
    Lost { is_lost: is_lost(g), winning: Chomp.bites(g).filter(wins).collect(), reason: String::new() }
}

/// The outcome and the winning bites of a board that turns into these rows.
fn three_rows(g: &[u64], rows: [u64; 3], convention: Convention, meter: &mut Meter) -> Result<Lost, StopReason> {
    // measured on rows of 10^4 to 4 * 10^4 squares; the true time may be a few times less
    let [a, b, c] = rows.map(u128::from);
    let nanoseconds = a.saturating_mul(c).saturating_mul(20 + b / 5000);
    if meter.time_left().is_some_and(|left| nanoseconds > 16 * left.as_nanos()) {
        let text = format!("the lost positions below three rows of {} squares take far longer", rows[0]);
        return Err(meter.stop(Limit::Time).reached(text));
    }
    let mut sweep = ThreeRows::new(rows, convention, meter)?;
    let mut found = Lost { is_lost: false, winning: Vec::new(), reason: SWEEP_OF_THREE.into() };
    let mut lost = Vec::new();
    while !sweep.is_done() {
        let reached = format!("the lost positions with first rows below {} are known", sweep.first());
        lost.clear();
        sweep.advance(&mut lost, meter).map_err(|stop| stop.reached(reached))?;
        meter.count_positions(lost.len() as u64);
        for [a, b, c] in lost.iter().map(|p| p.map(u64::from)) {
            // rows that the position keeps from the top, and what it bites the others to
            let bite = match [a == rows[0], b == rows[1], c == rows[2]] {
                [true, true, true] => {
                    found.is_lost = true;
                    continue;
                }
                [true, true, false] => (2, c),
                [true, false, _] if c == rows[2].min(b) => (1, b),
                [false, ..] if b == rows[1].min(a) && c == rows[2].min(a) => (0, a),
                _ => continue,
            };
            found.winning.push(bite);
        }
    }
    if g.len() != 3 || g[..] != rows {
        // the board was turned: rows were its columns
        for bite in &mut found.winning {
            *bite = (bite.1 as usize, bite.0 as u64);
        }
    }
    found.winning.sort_unstable();
    Ok(found)
}

impl Values {
    /// True if `g`, or `g` turned, lies below the board.
    pub fn holds(&self, g: &[u64]) -> bool {
        let shape = self.shape();
        shape.holds(g) || transposed(g, shape.rows().len() as u64).is_some_and(|turned| shape.holds(&turned))
    }
}
