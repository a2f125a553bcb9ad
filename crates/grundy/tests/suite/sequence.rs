//! Many heaps of one game: values, outcomes, misère values and superscripts, periods, checksums.

use std::sync::Arc;

use grundy::{
    Session,
    answer::Status,
    budget::{Budget, Meter},
    query::{MovesWanted, SequenceQuery, SolveQuery},
    sequence::DirectSequence,
};
use grundy_core::{
    notation::{read_game, read_heap_game},
    ruleset::{definition::GrundyByDefinition, options_of},
    rulesets::{
        AnyComponent, HeapGame,
        heap::{all_but_amounts, all_but_period},
    },
    theory::{Convention, Outcome, Periodicity, Sum},
};

use crate::{
    Report,
    data::{self, Period, Sequence},
    engines::{Tally, Twins},
};

/// Heaps that the naive twin computes too.
const NAIVE: u64 = 40;

impl From<Period> for Periodicity {
    fn from(p: Period) -> Self {
        Periodicity { period: p.period, preperiod: p.preperiod, saltus: p.saltus }
    }
}

/// A game and what its records are checked against.
struct Checker<'a> {
    id: &'a str,
    game: Arc<HeapGame>,
    session: Session,
    report: &'a mut Report,
    tally: &'a mut Tally,
}

pub fn check(record: &Sequence, tally: &mut Tally, report: &mut Report) {
    let game = match read_heap_game(&record.game) {
        Ok(game) => game,
        Err(e) => return report.fail(&record.id, format!("{}: {}", record.game, e.message)),
    };
    let mut checker = Checker { id: &record.id, game, session: Session::new(), report, tally };
    let misere = record.convention == data::Convention::Misere;
    if let Some(values) = &record.values {
        if misere { checker.misere_values(record.from, values) } else { checker.values(record.from, values) }
    }
    if let Some(outcomes) = &record.outcomes {
        checker.outcomes(record.from, outcomes, record.convention.into());
    }
    if let Some(all) = &record.superscripts {
        checker.superscripts(record.from, all);
    }
    if let Some(period) = record.period {
        checker.period(period.into());
    }
    if let Some(observed) = record.observed {
        checker.observed(observed.into(), record.to.expect("an observation says up to where"));
    }
    if let Some(most) = record.most {
        let to = record.period.or(record.observed).map_or(0, |p| p.preperiod + p.period);
        let found = checker.direct(to).into_iter().max();
        checker.report.check(checker.id, "greatest value", found, Some(most));
    }
    if let Some(checksum) = &record.checksum {
        checker.checksum(record.to.expect("a checksum says up to where"), checksum);
    }
    if let Some(to) = record.unproved {
        checker.unproved(to);
    }
    if let Some(other) = &record.same_as {
        checker.same_as(other);
    }
    if let Some(d) = &record.differs_from {
        checker.differs_from(&d.game, d.first_at);
    }
}

impl Checker<'_> {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, found: T, expected: T) {
        self.report.check(self.id, what, found, expected);
    }

    fn position(&self, n: u64) -> AnyComponent {
        AnyComponent::Heap(self.game.clone(), n)
    }

    /// Values by the direct engine, by position, to position `to`.
    fn direct(&mut self, to: u64) -> Vec<u64> {
        let mut sequence = DirectSequence::new(self.game.rule());
        let (first, last) = (self.game.heap_of(0).unwrap_or(0), self.game.heap_of(to).unwrap_or(0));
        if let Err(stop) = sequence.fill(last, &mut Meter::unlimited()) {
            self.report.fail(self.id, stop);
        }
        *self.tally.entry("direct sequence").or_default() += 1;
        sequence.values()[first as usize..=last as usize].to_vec()
    }

    fn values(&mut self, from: u64, values: &[u64]) {
        let to = from + values.len() as u64 - 1;
        let query = SequenceQuery { game: self.game.clone(), to };
        let answer = self.session.sequence(&query, &Budget::default());
        self.same("sequence ends at --to", answer.values.len() as u64, to + 1);
        self.same("values by the session", answer.values.get(from as usize..), Some(values));
        let direct = self.direct(to);
        self.same("values by the direct engine", direct.get(from as usize..), Some(values));
        let rule = self.game.rule().clone();
        let mut naive = GrundyByDefinition::new(&rule);
        for (n, value) in (from..).zip(values) {
            let what = format!("value of {n}");
            let found = self.session.valued(&self.position(n), &mut Meter::unlimited()).map(|v| v.value);
            self.same(&what, found, Ok(*value));
            if n <= NAIVE {
                let heap = self.game.heap_of(n).unwrap_or(0);
                self.same(&format!("{what} by definition"), naive.value(&heap), *value);
                *self.tally.entry("value by definition").or_default() += 1;
            }
        }
    }

    /// The outcome of a sum by the session, and by the twin if it is small.
    fn outcome(&mut self, what: &str, sum: Sum<AnyComponent>, convention: Convention, expected: Outcome) {
        if let Some(twins) = Twins::of(sum.components()) {
            self.same(&format!("{what} by definition"), twins.outcome(convention), expected);
            *self.tally.entry("outcome by definition").or_default() += 1;
        }
        let query = SolveQuery { moves: MovesWanted::None, ..SolveQuery::new(sum, convention) };
        match self.session.solve(&query, &Budget::default()) {
            Ok(answer) => {
                if answer.header.method.contains("search") {
                    *self.tally.entry("outcome search").or_default() += 1;
                }
                self.same(what, answer.outcome, Some(expected));
            }
            Err(e) => self.report.fail(self.id, format!("{what}: {e}")),
        }
    }

    fn outcomes(&mut self, from: u64, outcomes: &str, convention: Convention) {
        for (n, letter) in (from..).zip(outcomes.chars()) {
            let expected = if letter == 'P' { Outcome::P } else { Outcome::N };
            let sum = Sum::new(vec![self.position(n)]);
            self.outcome(&format!("{convention} outcome of {n}"), sum, convention, expected);
        }
    }

    /// Heap n beside the nimber *k is lost in misère play.
    fn lost_beside(&mut self, n: u64, twos: usize, k: u64) {
        let text = format!("{}({n}) + {twos}x *2 + *{k}", self.game.name()).replace("+ 0x *2 ", "");
        match read_game(&text) {
            Ok(sum) => self.outcome(&text, sum, Convention::Misere, Outcome::P),
            Err(e) => self.report.fail(self.id, format!("{text}: {}", e.message)),
        }
    }

    fn misere_values(&mut self, from: u64, values: &[u64]) {
        for (n, k) in (from..).zip(values) {
            self.lost_beside(n, 0, *k);
        }
    }

    fn superscripts(&mut self, from: u64, all: &[Vec<u64>]) {
        for (n, digits) in (from..).zip(all) {
            for (twos, k) in digits.iter().enumerate() {
                self.lost_beside(n, twos, *k);
            }
        }
    }

    fn period(&mut self, expected: Periodicity) {
        let theorem = self.game.rule().period_theorem();
        if let Some(excluded) = all_but_amounts(self.game.rule()) {
            let found = all_but_period(&excluded, 1 << 20);
            self.same("period of the all-but set", found.as_ref().map(|(p, _)| *p), Some(expected));
            if found.is_some() {
                *self.tally.entry("period of an all-but set").or_default() += 1;
            }
        } else if let Some(theorem) = theorem {
            // not later than a quarter after the first heap that proves it
            let needed = theorem.values_needed(expected.preperiod, expected.period).unwrap_or(0);
            let mut sequence = DirectSequence::new(self.game.rule());
            let mut meter = Meter::new(&Budget { positions: Some(needed * 5 / 4 + 65), ..Budget::default() });
            if let Err(stop) = sequence.advance(1 << 40, &mut meter) {
                self.report.fail(self.id, format!("no period is proved: {stop}"));
            }
            self.same("period", sequence.proved(), Some(expected));
            *self.tally.entry("period by theorem").or_default() += 1;
        } else {
            self.report.fail(self.id, "no theorem applies");
        }
        // far heaps follow from the period
        let known = self.direct(expected.preperiod + expected.period);
        for n in [10u64.pow(12), 10u64.pow(18) + 7] {
            let what = format!("value of {n}");
            match self.session.valued(&self.position(n), &mut Meter::unlimited()) {
                Ok(v) => {
                    self.same(&what, Some(v.value), expected.value(&known, n));
                    self.same(&format!("{what}, status"), v.status, Status::Proved);
                }
                Err(stop) => self.report.fail(self.id, format!("{what}: {stop}")),
            }
        }
        self.observed(expected, expected.preperiod + 3 * expected.period);
    }

    /// The equation holds for all heaps up to `to`, and for no smaller preperiod or period.
    fn observed(&mut self, expected: Periodicity, to: u64) {
        let Periodicity { period, preperiod, saltus } = expected;
        let values = self.direct(to);
        let holds =
            |p: u64, s: u64, from: u64| (from..=to - p).all(|n| values[(n + p) as usize] == values[n as usize] + s);
        self.same("regular", holds(period, saltus, preperiod), true);
        self.same("least preperiod", preperiod > 0 && holds(period, saltus, preperiod - 1), false);
        let smaller = (1..period).find(|p| {
            let (a, b) = (values[preperiod as usize], values[(preperiod + p) as usize]);
            b >= a && holds(*p, b - a, preperiod)
        });
        self.same("smaller period", smaller, None);
    }

    fn checksum(&mut self, to: u64, expected: &str) {
        let query = SequenceQuery { game: self.game.clone(), to };
        let answer = self.session.sequence(&query, &Budget::default());
        let (mut a, mut b) = (0u16, 0u16);
        for v in &answer.values {
            a = a.wrapping_add(*v as u16);
            b = b.wrapping_add(a);
        }
        self.same("number of values", answer.values.len() as u64, to + 1);
        self.same("checksum", format!("{b:04X}{a:04X}"), expected.to_owned());
    }

    fn unproved(&mut self, to: u64) {
        let query = SequenceQuery { game: self.game.clone(), to };
        let answer = self.session.sequence(&query, &Budget::default());
        self.same("a period without proof", answer.period, None);
        self.same("status", answer.header.status, Status::Computed);
    }

    fn same_as(&mut self, other: &str) {
        let other = match read_heap_game(other) {
            Ok(other) => other,
            Err(e) => return self.report.fail(self.id, format!("{other}: {}", e.message)),
        };
        for n in 0..=24 {
            let sorted = |game: &HeapGame| {
                let mut all = options_of(game.rule(), &n);
                all.sort();
                all
            };
            self.same(&format!("options of {n}"), sorted(&self.game), sorted(&other));
        }
        let mut twin = DirectSequence::new(other.rule());
        let filled = twin.fill(300, &mut Meter::unlimited());
        self.same("values of the other game", filled, Ok(()));
        let mine = self.direct(300);
        self.same("values", mine.as_slice(), &twin.values()[..=300]);
    }

    fn differs_from(&mut self, other: &str, first_at: u64) {
        let other = match read_heap_game(other) {
            Ok(other) => other,
            Err(e) => return self.report.fail(self.id, format!("{other}: {}", e.message)),
        };
        let mut twin = DirectSequence::new(other.rule());
        let filled = twin.fill(first_at, &mut Meter::unlimited());
        self.same("values of the other game", filled, Ok(()));
        let mine = self.direct(first_at);
        let first = mine.iter().zip(twin.values()).position(|(a, b)| a != b).map(|n| n as u64);
        self.same("first difference", first, Some(first_at));
    }
}
