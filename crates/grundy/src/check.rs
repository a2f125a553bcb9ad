//! A user's guess against the values of a game: smallest counterexample first.

use std::sync::Arc;

use grundy_core::{
    notation::formula::Formula,
    ruleset::OptionSink,
    rulesets::{AnyComponent, DynRuleset, HeapGame},
    theory::Convention,
};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    discover::compile,
    formats::bfile::Entry,
    session::{Refusal, refuse_broken, single_numbers},
};

/// What is claimed about a game.
#[derive(Clone, Debug)]
pub enum Guess {
    /// A formula in n.
    Formula(Formula),
    /// The terms of a b-file, whose indices are heaps.
    Terms(Vec<Entry>),
}

/// Does the guess agree with the values?
#[derive(Clone, Debug)]
pub struct CheckQuery {
    /// The game.
    pub game: Arc<HeapGame>,
    /// The guess.
    pub guess: Guess,
    /// Last heap tested, for a formula.
    pub to: u64,
}

/// The smallest heap at which a guess is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The heap.
    pub n: u64,
    /// What was guessed; an error of the formula in words.
    pub guessed: String,
    /// The Grundy value.
    pub actual: u64,
    /// The option that refutes the guess, or the value that no option has.
    pub why: String,
    /// Line of the b-file, from 1.
    pub line: Option<u64>,
}

/// What came of a check.
#[derive(Clone, Debug)]
pub struct CheckAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// The game's name.
    pub game: String,
    /// The formula in canonical form, for a formula.
    pub formula: Option<String>,
    /// First heap tested.
    pub from: u64,
    /// Last heap at which the guess was found right; None if there was none.
    pub checked_to: Option<u64>,
    /// Where the guess is wrong.
    pub counterexample: Option<Counterexample>,
    /// True if no counterexample was found, and [`Session::prove`] can decide the formula for all heaps.
    pub is_provable: bool,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

impl CheckAnswer {
    /// True or false, or None if a limit came first.
    pub fn holds(&self) -> Option<bool> {
        match (&self.counterexample, &self.stop) {
            (Some(_), _) => Some(false),
            (None, None) => Some(true),
            (None, Some(_)) => None,
        }
    }
}

/// Heaps at which a formula that a theorem states is tested all the same.
const LOOK: u64 = 1 << 20;

impl Session {
    /// Tests a guess heap by heap, from the smallest on.
    ///
    /// # Complexity
    /// One value of the game and one evaluation of the guess a heap.
    pub fn check(&mut self, query: &CheckQuery, budget: &Budget) -> CheckAnswer {
        let mut meter = Meter::new(budget);
        let mut answer = CheckAnswer {
            header: Header {
                convention: Convention::Normal,
                status: Status::Conjectured,
                method: "values compared heap by heap".into(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            game: query.game.name().to_owned(),
            formula: match &query.guess {
                Guess::Formula(f) => Some(f.to_string()),
                Guess::Terms(_) => None,
            },
            from: 0,
            checked_to: None,
            counterexample: None,
            is_provable: false,
            stop: None,
        };
        let component = |n| AnyComponent::Heap(query.game.clone(), n);
        match &query.guess {
            Guess::Formula(formula) => {
                if let Some(form) = query.game.closed_form()
                    && Formula::parse(&form.formula(), &["n"]).is_ok_and(|f| f == *formula)
                    && query.game.heap_of(0) == Some(0)
                {
                    // the theorem's own formula: right for every heap
                    answer.header.status = Status::Proved;
                    answer.header.method = form.theorem().into();
                    answer.header.sources.push(form.source());
                }
                // a theorem needs no more than a look
                let to = if answer.header.status == Status::Proved { query.to.min(LOOK) } else { query.to };
                for n in 0..=to {
                    let guessed = formula.eval(&[i128::from(n)]).map_err(|e| e.to_string());
                    if !self.holds_at(component(n), n, guessed, None, &mut answer, &mut meter) {
                        break;
                    }
                }
            }
            Guess::Terms(entries) => {
                answer.from = entries.first().and_then(|e| u64::try_from(e.n).ok()).unwrap_or(0);
                for e in entries {
                    let Ok(n) = u64::try_from(e.n) else { continue };
                    if !self.holds_at(component(n), n, Ok(e.value), Some(e.line), &mut answer, &mut meter) {
                        break;
                    }
                }
            }
        }
        if answer.header.status == Status::Proved && answer.counterexample.is_none() {
            answer.stop = None;
        }
        if let Guess::Formula(formula) = &query.guess
            && answer.counterexample.is_none()
            && answer.header.status != Status::Proved
        {
            answer.is_provable = is_in_theory(&query.game, formula);
        }
        if answer.counterexample.is_some() {
            answer.header.status = Status::Computed;
        } else if answer.stop.is_some() && answer.checked_to.is_none() {
            answer.header.status = Status::Stopped;
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        answer
    }

    /// Tests a guess about rules of the user whose positions are single numbers, as [`Session::check`] does.
    ///
    /// # Errors
    /// A [`Refusal`] if positions are other than single numbers from 0 on, or if the rules are broken.
    pub fn check_own(
        &mut self,
        own: &Arc<dyn DynRuleset>,
        guess: &Guess,
        to: u64,
        budget: &Budget,
    ) -> Result<CheckAnswer, Refusal> {
        single_numbers(own)?;
        let mut meter = Meter::new(budget);
        let mut answer = CheckAnswer {
            header: Header {
                convention: Convention::Normal,
                status: Status::Conjectured,
                method: "values compared position by position".into(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            game: own.name().to_owned(),
            formula: if let Guess::Formula(f) = guess { Some(f.to_string()) } else { None },
            from: 0,
            checked_to: None,
            counterexample: None,
            is_provable: false,
            stop: None,
        };
        let component = |n| AnyComponent::Custom(own.clone(), vec![n]);
        match guess {
            Guess::Formula(formula) => {
                for n in 0..=to {
                    let guessed = formula.eval(&[i128::from(n)]).map_err(|e| e.to_string());
                    if !self.holds_at(component(n), n, guessed, None, &mut answer, &mut meter) {
                        break;
                    }
                }
            }
            Guess::Terms(entries) => {
                answer.from = entries.first().and_then(|e| u64::try_from(e.n).ok()).unwrap_or(0);
                for e in entries {
                    let Ok(n) = u64::try_from(e.n) else { continue };
                    if !self.holds_at(component(n), n, Ok(e.value), Some(e.line), &mut answer, &mut meter) {
                        break;
                    }
                }
            }
        }
        answer.stop.as_ref().map_or(Ok(()), refuse_broken)?;
        if answer.counterexample.is_some() {
            answer.header.status = Status::Computed;
        } else if answer.stop.is_some() && answer.checked_to.is_none() {
            answer.header.status = Status::Stopped;
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    /// True if the guess is right at n and the check goes on.
    fn holds_at(
        &mut self,
        component: AnyComponent,
        n: u64,
        guessed: Result<i128, String>,
        line: Option<u64>,
        answer: &mut CheckAnswer,
        meter: &mut Meter,
    ) -> bool {
        let spent = meter.steps(64);
        let actual = match spent.and_then(|()| self.valued(&component, meter)) {
            Ok(v) => v.value,
            Err(stop) => {
                answer.stop = Some(stop);
                return false;
            }
        };
        if guessed == Ok(i128::from(actual)) {
            answer.checked_to = Some(n);
            return true;
        }
        let why = self.why_wrong(&component, &guessed, actual, meter);
        let guessed = guessed.map_or_else(|e| format!("undefined ({e})"), |g| g.to_string());
        answer.counterexample = Some(Counterexample { n, guessed, actual, why, line });
        false
    }

    fn why_wrong(
        &mut self,
        component: &AnyComponent,
        guessed: &Result<i128, String>,
        actual: u64,
        meter: &mut Meter,
    ) -> String {
        let guessed = match guessed {
            Err(_) => return "a Grundy value is a number".into(),
            Ok(g) if *g < 0 => return "a Grundy value is never negative".into(),
            Ok(g) => *g,
        };
        if guessed > i128::from(actual) {
            return format!("no option of {} has value {actual}", print(component));
        }
        let mut sums = Vec::new();
        let mut found = None;
        let _ = component.options(&mut Collect { sums: &mut sums, room: 1 << 16, meter });
        for sum in &sums {
            let value = sum.iter().try_fold(0, |x, c| Ok::<_, StopReason>(x ^ self.valued(c, meter)?.value));
            if value.is_ok_and(|v| i128::from(v) == guessed) {
                found = Some(sum);
                break;
            }
        }
        match found {
            Some(sum) => format!("its option {} has value {guessed} already", grundy_core::notation::print_sum(sum)),
            None => format!("an option of {} has value {guessed} already", print(component)),
        }
    }
}

/// True if rule and formula have small automata, so that it can be decided whether the formula holds for all heaps.
fn is_in_theory(game: &HeapGame, formula: &Formula) -> bool {
    const MOST_STATES: u64 = 1 << 14;
    let mut meter = Meter::new(&Budget { positions: Some(MOST_STATES), ..Budget::default() });
    game.heap_of(0) == Some(0)
        && compile::inside(game.rule(), &mut meter).is_ok()
        && compile::graph(formula, &mut meter).is_ok()
}

fn print(component: &AnyComponent) -> String {
    grundy_core::notation::print_component(component)
}

/// The first options, up to a number.
struct Collect<'a> {
    sums: &'a mut Vec<Vec<AnyComponent>>,
    room: usize,
    meter: &'a mut Meter,
}

impl OptionSink<AnyComponent> for Collect<'_> {
    fn push_sum(&mut self, parts: &[AnyComponent]) -> std::ops::ControlFlow<()> {
        self.sums.push(parts.to_vec());
        if self.sums.len() < self.room { std::ops::ControlFlow::Continue(()) } else { std::ops::ControlFlow::Break(()) }
    }

    fn tick(&mut self) -> std::ops::ControlFlow<()> {
        if self.meter.steps(16).is_err() {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    }
}
