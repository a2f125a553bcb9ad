//! What a session has found out about values, and by which plan.

mod graphs;

use std::{borrow::Cow, collections::HashMap, ops::Range, sync::Arc, time::Duration};

use grundy_core::{
    proof::Candidate,
    rulesets::{
        AnyComponent, DynRuleset, HeapGame,
        coins::{CoinCode, CoinGame, ProductGame},
        digraph::DigraphGame,
        heap::{HeapValues, all_but_period},
    },
    theory::Periodicity,
};

use graphs::GraphKnowledge;

use crate::{
    answer::Status,
    budget::{Budget, Limit, Meter, StopReason},
    chomp,
    coins::{CoinTable, Products},
    discover::{Form, discover},
    explain::{HeadValue, Step},
    nimfield::FastField,
    oracle::{Keeper, Values},
    plan::{ValuePlan, engine_for, excluded_amounts, is_fast},
    search::{Boards, NoValue, RankTable, ValueSearch},
    sequence::{Sequence, observed_period},
};

/// A value with its status and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The Grundy value.
    pub value: u64,
    /// How sure it is.
    pub status: Status,
    /// Where it comes from, for people.
    pub reason: Cow<'static, str>,
    /// Key of `SOURCES.md`.
    pub source: Option<&'static str>,
}

/// Values found so far, of all rulesets that a session has met.
#[derive(Debug, Default)]
pub struct Knowledge {
    heaps: HashMap<Arc<HeapGame>, HeapKnowledge>,
    coins: HashMap<CoinCode, CoinTable>,
    graphs: HashMap<Arc<DigraphGame>, GraphKnowledge>,
    ranks: Vec<(Arc<dyn DynRuleset>, RankTable)>,
    search: ValueSearch,
    boards: Boards,
    chomp: chomp::Boards,
}

/// What is known about one heap game.
#[derive(Debug)]
struct HeapKnowledge {
    sequence: Sequence,
    /// The values of the sequence as the finder of moves reads them.
    wide: Vec<u64>,
    all_but: Option<(Periodicity, Vec<u64>)>,
    all_but_tried: bool,
    /// A form that was discovered and proved, with the time that took.
    form: Option<(Form, Duration)>,
    form_tried: bool,
}

impl HeapKnowledge {
    /// The period of an all-but set with its values, if the game is one and its state repeats in time.
    fn all_but(&mut self, game: &HeapGame) -> Option<&(Periodicity, Vec<u64>)> {
        // the plan of a long rule costs far more than a value that is known
        if !std::mem::replace(&mut self.all_but_tried, true) && ValuePlan::of_heap_game(game) == ValuePlan::AllBut {
            self.all_but = excluded_amounts(game.rule()).and_then(|x| all_but_period(&x, ALL_BUT_RUN));
        }
        self.all_but.as_ref()
    }

    /// A closed form of the values, if one is discovered and proved within a part of the budget: for heaps that are too far to
    /// compute all values below them.
    fn discovered(&mut self, game: &HeapGame, meter: &Meter) -> Option<&(Form, Duration)> {
        if !std::mem::replace(&mut self.form_tried, true) {
            let budget = meter.budget();
            let left = budget.time.map_or(MOST_TIME, |t| t.saturating_sub(meter.elapsed()) / 4);
            let part = Budget { time: Some(left.min(MOST_TIME)), positions: Some(MOST_STATES), ..budget.clone() };
            let mut part = Meter::new(&part);
            self.form = self.discover(game, &mut part).map(|form| (form, part.elapsed()));
        }
        self.form.as_ref()
    }

    fn discover(&mut self, game: &HeapGame, meter: &mut Meter) -> Option<Form> {
        for to in [1 << 8, 1 << 10] {
            self.sequence.advance(to, meter).ok()?;
            let table = self.sequence.table();
            let period = observed_period(table, meter).ok()?;
            let values: Vec<u64> = table.iter_from(0).collect();
            let found = discover(game.rule(), &values, &values, period.as_slice(), meter);
            if found.is_proved {
                return found.form;
            }
            if found.outside.is_some() || found.stop.is_some() {
                return None;
            }
        }
        None
    }

    /// Copies the values that are new.
    fn widen(&mut self, meter: &mut Meter) -> Result<(), StopReason> {
        let table = self.sequence.table();
        let known = self.wide.len();
        meter.bytes(8 * (table.len() - known) as u64)?;
        table.read(known..table.len(), &mut self.wide);
        Ok(())
    }
}

/// Heaps from which on a closed form is looked for before the values below are computed.
const FAR: u64 = 1 << 12;

/// Most time and states of that search.
const MOST_TIME: Duration = Duration::from_secs(2);
const MOST_STATES: u64 = 1 << 18;

/// Longest run of an all-but set before its state must have repeated.
const ALL_BUT_RUN: u64 = 1 << 20;

impl Knowledge {
    fn heap_entry(&mut self, game: &Arc<HeapGame>) -> &mut HeapKnowledge {
        self.heaps.entry(Arc::clone(game)).or_insert_with(|| HeapKnowledge {
            sequence: Sequence::new(game.rule(), engine_for(game.rule())),
            wide: Vec::new(),
            all_but: None,
            all_but_tried: false,
            form: None,
            form_tried: false,
        })
    }

    /// The value of a component with its status and reason.
    ///
    /// # Errors
    /// The meter's stop, with how far the values are known.
    pub fn valued(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<Valued, StopReason> {
        if let AnyComponent::Tartan(game, heads) = component {
            return self.valued_board(game, heads, meter);
        }
        if let Some(hint) = component.value_hint() {
            return Ok(Valued {
                value: hint.answer,
                status: Status::Proved,
                reason: hint.theorem.into(),
                source: Some(hint.source),
            });
        }
        match component {
            AnyComponent::Heap(game, n) => self.valued_heap(game, *n, meter),
            AnyComponent::Coins(game, heads) => self.valued_row(game, heads, meter),
            AnyComponent::Digraph(game, v) => self.valued_token(game, *v, meter),
            AnyComponent::Cram(..) | AnyComponent::Cells(..) => self.valued_cells(component, meter),
            AnyComponent::Chomp(_, g) => self.valued_chomp(g, meter),
            AnyComponent::Custom(ruleset, position) if ValuePlan::of(component) == ValuePlan::Ranks => {
                let rank = ruleset.rank(position).unwrap_or_default();
                self.valued_rank(component, ruleset, rank, meter)
            }
            _ => self.valued_by_search(component, meter),
        }
    }

    /// Keeps what searches of boards find, and knows what was kept before.
    pub fn keep_in(&mut self, keeper: Box<dyn Keeper>) {
        self.boards.keep_in(keeper);
    }

    /// Hands what searches of boards found to the keeper.
    pub fn save(&mut self) {
        self.boards.save();
    }

    /// A board, by a search that asks whether its value is in a set; by the search over all options where that one does not reach.
    fn valued_cells(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<Valued, StopReason> {
        match self.boards.value(component, meter) {
            Ok(value) => Ok(Valued {
                value,
                status: Status::Computed,
                reason: "search for the value, one question after another whether it is in a set, pieces apart".into(),
                source: Some("BR20"),
            }),
            Err(NoValue::Stopped(stop)) => {
                Err(stop.reached(format!("the positions below {} are too many", print(component))))
            }
            Err(NoValue::NotHere) => self.valued_by_search(component, meter),
        }
    }

    fn valued_by_search(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<Valued, StopReason> {
        let value = self
            .search
            .value(component, meter)
            .map_err(|s| s.reached(format!("the positions below {} are too many", print(component))))?;
        Ok(Valued { value, status: Status::Computed, reason: "search over all options".into(), source: None })
    }

    /// The tables of boards of Chomp.
    pub fn chomp(&mut self) -> &mut chomp::Boards {
        &mut self.chomp
    }

    fn valued_chomp(&mut self, g: &[u64], meter: &mut Meter) -> Result<Valued, StopReason> {
        let table = self.chomp.values(g, meter)?;
        let value = table.value(g).unwrap_or_default();
        let reason = "one sweep over all positions below".into();
        Ok(Valued { value, status: Status::Computed, reason, source: None })
    }

    /// The value of a position by its rank: all positions before it one after another; but far out, a short search is tried
    /// first, since it may have few followers.
    fn valued_rank(
        &mut self,
        component: &AnyComponent,
        ruleset: &Arc<dyn DynRuleset>,
        rank: u64,
        meter: &mut Meter,
    ) -> Result<Valued, StopReason> {
        /// Ranks that are computed without a search before, and the positions that the search may look at.
        const FAR_RANK: u64 = 1 << 16;
        const SHORT: u64 = 1 << 10;
        let computed = |value, reason: &'static str| Valued {
            value,
            status: Status::Computed,
            reason: reason.into(),
            source: None,
        };
        let by_rank = "all positions before it in the order of the rules, each from its options";
        let table = self.ranks.iter().position(|(known, _)| Arc::ptr_eq(known, ruleset)).unwrap_or_else(|| {
            self.ranks.push((ruleset.clone(), RankTable::new(ruleset.clone())));
            self.ranks.len() - 1
        });
        if rank >= FAR_RANK.saturating_add(self.ranks[table].1.values().len() as u64) {
            match self.search.value(component, &mut meter.part(SHORT)) {
                Ok(value) => return Ok(computed(value, "search over all options")),
                Err(stop) if stop.limit == Limit::Broken || stop.limit == Limit::Rules => return Err(stop),
                Err(_) => {}
            }
        }
        let table = &mut self.ranks[table].1;
        let advanced = table.advance(rank, meter);
        let last = table.values().len();
        advanced.map_err(|s| s.reached(format!("{last} positions before {} are known", print(component))))?;
        let value = table.values().get(rank as usize).copied().ok_or_else(|| meter.stop(Limit::Width))?;
        Ok(computed(value, by_rank))
    }

    /// The values of a game's coins, at least to coin `last`.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn coins(&mut self, game: &CoinGame, last: u64, meter: &mut Meter) -> Result<&CoinTable, StopReason> {
        let table = self.coins.entry(game.code().clone()).or_insert_with(|| CoinTable::new(game.code()));
        if last > 0 {
            table.advance(last, meter)?;
        }
        Ok(table)
    }

    /// The values of a game's coins, as far as they are known.
    pub fn known_coins(&self, game: &CoinGame) -> Option<&CoinTable> {
        self.coins.get(game.code())
    }

    fn valued_row(&mut self, game: &CoinGame, heads: &[u64], meter: &mut Meter) -> Result<Valued, StopReason> {
        let last = heads.last().copied().unwrap_or(0);
        let table = self.coins(game, last, meter)?;
        let value = heads.iter().fold(0, |x, n| x ^ table.value(*n).unwrap_or_default());
        let by_theorem = last == 0 || table.is_proved() && last > table.known();
        Ok(Valued {
            value,
            status: if by_theorem { Status::Proved } else { Status::Computed },
            reason: table.reason(by_theorem).into(),
            source: Some("WW"),
        })
    }

    fn valued_board(
        &mut self,
        game: &Arc<ProductGame>,
        heads: &[u64],
        meter: &mut Meter,
    ) -> Result<Valued, StopReason> {
        let d = game.factors().len();
        let mut reasons: Vec<String> = Vec::new();
        let mut status = Status::Proved;
        for (axis, factor) in game.factors().iter().enumerate() {
            let last = heads.iter().skip(axis).step_by(d).copied().max().unwrap_or(0);
            let table = self.coins(factor, last, meter)?;
            let by_theorem = last == 0 || table.is_proved() && last > table.known();
            if !by_theorem {
                status = Status::Computed;
            }
            let reason = format!("{}: {}", factor.name(), table.reason(by_theorem));
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let value = self.products(game).value(heads, meter)?;
        let reason = format!(
            "by the Tartan theorem a head is worth the nim product of the values of its coordinates ({})",
            reasons.join(", and ")
        );
        Ok(Valued { value, status, reason: reason.into(), source: Some("WW") })
    }

    /// A product with the values that are known; those of the coins asked for must have been computed.
    pub fn products<'a>(&'a self, game: &'a ProductGame) -> Products<'a, FastField> {
        let tables = game.factors().iter().filter_map(|f| self.known_coins(f)).collect();
        Products::new(game, tables, &FastField)
    }

    /// The value of a board full of heads, with the number of moves to value 0.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn full_board(
        &mut self,
        game: &ProductGame,
        sides: &[u64],
        meter: &mut Meter,
    ) -> Result<(u64, u128), StopReason> {
        for (factor, side) in game.factors().iter().zip(sides) {
            self.coins(factor, *side, meter)?;
        }
        self.products(game).full_board(sides, meter)
    }

    /// What the heads of a component of coins are worth, if there are few; the component must have been valued.
    pub fn heads(&self, component: &AnyComponent, value: u64) -> Option<Step> {
        const SPELLED_OUT: usize = 32;
        let heads: Vec<HeadValue> = match component {
            AnyComponent::Coins(game, heads) if (1..=SPELLED_OUT).contains(&heads.len()) => {
                let table = self.known_coins(game);
                let worth = |n: u64| game.form().map_or_else(|| table?.value(n), |form| form.value(n));
                let head = |n: &u64| Some(HeadValue { at: vec![*n], coordinates: vec![worth(*n)?], value: worth(*n)? });
                heads.iter().map(head).collect::<Option<_>>()?
            }
            AnyComponent::Tartan(game, heads) if (1..=SPELLED_OUT).contains(&(heads.len() / game.factors().len())) => {
                let products = self.products(game);
                let head = |cell: &[u64]| HeadValue {
                    at: cell.to_vec(),
                    coordinates: products.coordinates(cell),
                    value: products.cell(cell),
                };
                game.cells(heads).map(head).collect()
            }
            _ => return None,
        };
        Some(Step::Heads { component: print(component), heads, value })
    }

    fn valued_heap(&mut self, game: &Arc<HeapGame>, n: u64, meter: &mut Meter) -> Result<Valued, StopReason> {
        let Some(heap) = game.heap_of(n) else { return Err(meter.stop(Limit::Width)) };
        if game.closed_form().is_some() {
            // a theorem applies, but its value does not fit
            return Err(meter.stop(Limit::Width));
        }
        let known = self.heap_entry(game);
        if let Some((period, values)) = known.all_but(game) {
            let value = period.value(values, heap).ok_or_else(|| meter.stop(Limit::Width))?;
            return Ok(Valued {
                value,
                status: Status::Proved,
                reason: format!("{period}, proved since the state of the all-but set repeats").into(),
                source: Some("Sie13"),
            });
        }
        let provable = known.sequence.theorem().is_some();
        let is_far = heap >= FAR.max(known.sequence.table().len() as u64);
        if is_far
            && known.sequence.proved().is_none()
            && !is_fast(game)
            && let Some((form, time)) = known.discovered(game, meter)
        {
            let value = form.value(heap).ok_or_else(|| meter.stop(Limit::Width))?;
            return Ok(Valued {
                value,
                status: Status::Proved,
                reason: format!("by the closed form, discovered and proved by automata in {} ms", time.as_millis())
                    .into(),
                source: Some("BHMV94"),
            });
        }
        if !provable {
            refuse_hopeless(heap, game, meter)?;
        }
        let advanced = known.sequence.advance(heap, meter);
        let last = known.sequence.table().len().saturating_sub(1);
        let widened = known.widen(meter).map_err(|s| {
            s.reached(format!(
                "heap {heap} of {} needs the values below it twice, they are known to heap {last}",
                game.name()
            ))
        });
        advanced.map_err(|s| {
            let hope = if provable { "no period proved yet" } else { "no theorem gives this rule a period" };
            s.reached(format!(
                "heap {heap} of {} is out of reach, values are known to heap {last}, {hope}",
                game.name()
            ))
        })?;
        widened?;
        let value = known.sequence.value(heap).ok_or_else(|| meter.stop(Limit::Width))?;
        if let Some(period) = known.sequence.proved()
            && heap >= known.wide.len() as u64
        {
            let theorem = known.sequence.theorem();
            return Ok(Valued {
                value,
                status: Status::Proved,
                reason: format!("{period}, by the {}", theorem.map_or("", |t| t.name())).into(),
                source: theorem.map(|t| t.source()),
            });
        }
        Ok(Valued { value, status: Status::Computed, reason: "computed from all smaller heaps".into(), source: None })
    }

    /// All values of a heap game as far as needed for the options of a heap of `heap`, which must have been valued.
    pub fn heap_values<'a>(&'a self, game: &'a Arc<HeapGame>) -> HeapValues<'a> {
        if let Some(form) = game.closed_form() {
            return HeapValues::Closed(form);
        }
        match self.heaps.get(game) {
            Some(HeapKnowledge { all_but: Some((periodicity, values)), .. }) => {
                HeapValues::Periodic { values, periodicity: *periodicity }
            }
            Some(HeapKnowledge {
                form: Some((Form { candidate: Candidate::Periodic { preperiod, period, saltus, values }, .. }, _)),
                ..
            }) => {
                let periodicity = Periodicity { preperiod: *preperiod, period: *period, saltus: *saltus };
                HeapValues::Periodic { values, periodicity }
            }
            Some(HeapKnowledge { form: Some((form, _)), .. }) => HeapValues::Form(&form.candidate),
            Some(known) => match known.sequence.proved() {
                Some(periodicity) => HeapValues::Periodic { values: &known.wide, periodicity },
                None => HeapValues::Table(&known.wide),
            },
            None => HeapValues::Table(&[]),
        }
    }

    /// The period of an all-but set, proved by its state, with the values of heaps `0 .. preperiod + period`.
    pub fn all_but(&mut self, game: &Arc<HeapGame>) -> Option<&(Periodicity, Vec<u64>)> {
        self.heap_entry(game).all_but(game)
    }

    /// Takes over a sequence of the rule of a game that was computed elsewhere.
    pub fn adopt(&mut self, game: &Arc<HeapGame>, sequence: Sequence) {
        let known = self.heap_entry(game);
        known.sequence = sequence;
        known.wide.clear();
    }

    /// The sequence of the rule of a game, run until heap `to` of the rule is known, or its period is proved, or the meter
    /// stops.
    pub fn run(&mut self, game: &Arc<HeapGame>, to: u64, meter: &mut Meter) -> (&Sequence, Option<StopReason>) {
        let known = self.heap_entry(game);
        let stop = known.sequence.advance(to, meter).err();
        (&known.sequence, stop)
    }

    /// The values of positions `range` of a game: by theorem where there is one, else from the sequence.
    ///
    /// # Errors
    /// The meter's stop; `out` holds the values before it.
    pub fn values_of(
        &mut self,
        game: &Arc<HeapGame>,
        range: Range<u64>,
        meter: &mut Meter,
        out: &mut Vec<u64>,
    ) -> Result<(), StopReason> {
        out.clear();
        let Some(last) = range.end.checked_sub(1) else { return Ok(()) };
        if let Some(form) = game.closed_form() {
            for n in range {
                meter.steps(8)?;
                let value = game.heap_of(n).and_then(|n| form.value(n));
                out.push(value.ok_or_else(|| meter.stop(Limit::Width))?);
            }
            return Ok(());
        }
        let last = game.heap_of(last).ok_or_else(|| meter.stop(Limit::Width))?;
        let (sequence, stop) = self.run(game, last, meter);
        for n in range {
            match game.heap_of(n).and_then(|n| sequence.value(n)) {
                Some(v) => out.push(v),
                None => return Err(stop.unwrap_or_else(|| meter.stop(Limit::Width))),
            }
            meter.steps(2)?;
        }
        Ok(())
    }

    /// The values of heaps `0 ..= to` of a game, as far as the meter allows, with a proved period if one was met.
    pub fn sequence(
        &mut self,
        game: &Arc<HeapGame>,
        to: u64,
        meter: &mut Meter,
    ) -> (Vec<u64>, Option<Periodicity>, Option<StopReason>) {
        let stop_at = |last: usize, s: StopReason| match last {
            0 => s.reached("no value was computed"),
            _ => s.reached(format!("values are known to heap {}", last - 1)),
        };
        let mut values = Vec::new();
        let closed = game.closed_form().filter(|_| game.heap_of(0) == Some(0));
        if let Some(form) = closed {
            for n in 0..=to {
                let spent = meter.position().and_then(|()| if n % 1024 == 0 { meter.bytes(8192) } else { Ok(()) });
                if let Err(stop) = spent {
                    let stop = stop_at(values.len(), stop);
                    return (values, None, Some(stop));
                }
                match form.value(n) {
                    Some(v) => values.push(v),
                    None => {
                        let stop = stop_at(values.len(), meter.stop(Limit::Width));
                        return (values, None, Some(stop));
                    }
                }
            }
            return (values, None, None);
        }
        let Some(last) = game.heap_of(to) else { return (values, None, Some(meter.stop(Limit::Width))) };
        let first = game.heap_of(0).unwrap_or(0) as usize;
        let known = self.heap_entry(game);
        let mut stop = known.sequence.advance(last, meter).err();
        for n in first as u64..=last {
            let Some(v) = known.sequence.value(n) else { break };
            let spent = meter.steps(2).and_then(|()| if n % 1024 == 0 { meter.bytes(8192) } else { Ok(()) });
            if stop.is_none()
                && let Err(s) = spent
            {
                stop = Some(s);
                break;
            }
            values.push(v);
        }
        let stop = stop.map(|s| stop_at(values.len(), s));
        (values, known.sequence.proved(), stop)
    }
}

/// Stops at once where no theorem can help and the table would not fit.
fn refuse_hopeless(heap: u64, game: &HeapGame, meter: &Meter) -> Result<(), StopReason> {
    let account = |s: StopReason| {
        s.reached(format!("no theorem gives {} a period, and heap {heap} needs all values below it", game.name()))
    };
    let budget = meter.budget();
    if budget.positions.is_some_and(|p| heap > p) {
        return Err(account(meter.stop(Limit::Positions)));
    }
    if budget.memory.is_some_and(|m| heap > m / 8) {
        return Err(account(meter.stop(Limit::Memory)));
    }
    Ok(())
}

fn print(component: &AnyComponent) -> String {
    grundy_core::notation::print_component(component)
}

impl Values for Knowledge {
    fn value(&mut self, component: &AnyComponent, meter: &mut Meter) -> Result<u64, StopReason> {
        self.valued(component, meter).map(|v| v.value)
    }
}
