//! The walk along all options, and the laws of single positions.

use std::{collections::HashMap, ops::ControlFlow};

use grundy_core::{
    notation::{print_component, print_sum, read_sum_with},
    ruleset::OptionSink,
    rulesets::AnyComponent,
    theory::Mex,
};

use super::{Halt, Law, Only, RulesQuery, Violation};
use crate::{
    Session,
    budget::{Limit, Meter, StopReason},
    play::Random,
};

/// Most options of one position that are looked at.
const MOST_OPTIONS: usize = 1 << 16;

/// An option: the positions that are its parts, by number.
pub(super) type Option_ = Vec<u32>;

/// Positions met, by number.
pub(super) struct Walk<'a> {
    query: &'a RulesQuery,
    ids: HashMap<AnyComponent, u32>,
    pub(super) positions: Vec<AnyComponent>,
    /// The options of the positions that were looked at.
    pub(super) options: Vec<Vec<Option_>>,
    /// The values of those that are done.
    pub(super) value: Vec<Option<u64>>,
    open: Vec<bool>,
    done: u64,
    tried: [u64; Law::ALL.len()],
}

struct Frame {
    id: u32,
    /// The parts that are still to be looked at.
    left: Vec<u32>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(query: &'a RulesQuery) -> Self {
        Walk {
            query,
            ids: HashMap::new(),
            positions: Vec::new(),
            options: Vec::new(),
            value: Vec::new(),
            open: Vec::new(),
            done: 0,
            tried: [0; Law::ALL.len()],
        }
    }

    /// Number of positions that all laws were tried on.
    pub(super) fn finished(&self) -> u64 {
        self.done
    }

    pub(super) fn tried(&self) -> Vec<(Law, u64)> {
        Law::ALL.iter().zip(self.tried).map(|(law, n)| (*law, n)).collect()
    }

    pub(super) fn count(&mut self, law: Law) {
        let at = Law::ALL.iter().position(|l| *l == law).unwrap_or(0);
        self.tried[at] += 1;
    }

    fn id(&mut self, position: &AnyComponent) -> u32 {
        if let Some(id) = self.ids.get(position) {
            return *id;
        }
        let id = self.positions.len() as u32;
        self.ids.insert(position.clone(), id);
        self.positions.push(position.clone());
        self.options.push(Vec::new());
        self.value.push(None);
        self.open.push(false);
        id
    }

    pub(super) fn violated<T>(&self, law: Law, position: &AnyComponent, what: impl Into<String>) -> Result<T, Halt> {
        let position = print_component(position);
        Err(Halt::Violated(Violation { law, position, what: what.into(), cycle: Vec::new() }))
    }

    /// Looks at all positions below `start`, options before positions, and at the representative of each.
    pub(super) fn visit(&mut self, start: &AnyComponent, meter: &mut Meter) -> Result<(), Halt> {
        self.open.iter_mut().for_each(|open| *open = false);
        let mut starts = vec![(start.clone(), None)];
        while let Some((start, of)) = starts.pop() {
            let goal = self.id(&start);
            let mut met = Vec::new();
            self.descend(goal, &mut met, meter)?;
            if let Some(of) = of
                && self.value[goal as usize] != self.value[of as usize]
            {
                let position = self.positions[of as usize].clone();
                return self.violated(
                    Law::Canonical,
                    &position,
                    format!("its representative {} has another Grundy value", print_component(&start)),
                );
            }
            for id in met {
                let position = self.positions[id as usize].clone();
                let canonical = position.canonical();
                if canonical != position {
                    starts.push((canonical, Some(id)));
                }
            }
        }
        Ok(())
    }

    fn descend(&mut self, goal: u32, met: &mut Vec<u32>, meter: &mut Meter) -> Result<(), Halt> {
        if self.value[goal as usize].is_some() {
            return Ok(());
        }
        let first = self.open(goal, meter)?;
        let mut stack = vec![Frame { id: goal, left: first }];
        while let Some(frame) = stack.last_mut() {
            let Some(next) = frame.left.pop() else {
                let id = frame.id;
                self.close(id)?;
                met.push(id);
                stack.pop();
                continue;
            };
            if self.open[next as usize] {
                return Err(Halt::Violated(self.cycle(&stack, next)));
            }
            if self.value[next as usize].is_none() {
                let left = self.open(next, meter)?;
                stack.push(Frame { id: next, left });
            }
        }
        Ok(())
    }

    fn cycle(&self, stack: &[Frame], again: u32) -> Violation {
        let print = |id: u32| print_component(&self.positions[id as usize]);
        let from = stack.iter().position(|f| f.id == again).unwrap_or(0);
        let cycle: Vec<String> = stack[from..].iter().map(|f| print(f.id)).chain([print(again)]).collect();
        let what = format!("play can go on for ever: {}", cycle.join(" -> "));
        Violation { law: Law::Termination, position: print(again), what, cycle }
    }

    /// Lists the options of a position, tries the laws that need no values, and gives its parts in the order to look at them.
    fn open(&mut self, id: u32, meter: &mut Meter) -> Result<Vec<u32>, Halt> {
        if self.positions.len() as u64 > self.query.positions {
            let stop = meter.stop(Limit::Positions);
            let setting = self.query.positions.to_string();
            return Err(StopReason { setting, ..stop }.into());
        }
        meter.position()?;
        self.open[id as usize] = true;
        let position = self.positions[id as usize].clone();
        let options = self.listed(&position, meter)?;
        self.count(Law::Determinism);
        if self.listed(&position, meter)? != options {
            return self.violated(Law::Determinism, &position, "its options are others when asked again");
        }
        self.options_are_positions(&position, &options)?;
        self.canonical(&position)?;
        self.printed(&position)?;
        self.rank(&position, &options)?;
        let ids: Vec<Option_> = options.iter().map(|o| o.iter().map(|part| self.id(part)).collect()).collect();
        let mut parts: Vec<u32> = ids.iter().flatten().copied().collect();
        // small positions first: they are taken from the end
        parts.sort_by_key(|p| std::cmp::Reverse(self.positions[*p as usize].numbers().iter().sum::<u64>()));
        parts.dedup();
        self.options[id as usize] = ids;
        Ok(parts)
    }

    fn close(&mut self, id: u32) -> Result<(), Halt> {
        self.open[id as usize] = false;
        let mut mex = Mex::default();
        for option in &self.options[id as usize] {
            mex.insert(option.iter().fold(0, |x, p| x ^ self.value[*p as usize].unwrap_or_default()));
        }
        self.value[id as usize] = Some(mex.mex());
        self.done += 1;
        self.count(Law::Termination);
        Ok(())
    }

    fn listed(&self, position: &AnyComponent, meter: &mut Meter) -> Result<Vec<Vec<AnyComponent>>, Halt> {
        let mut collect = Collect { options: Vec::new(), meter, stop: None };
        let _ = position.options(&mut collect);
        let Collect { options, stop, .. } = collect;
        match position.take_fault() {
            Some(fault) if fault.is_limit => Err(StopReason::of_rules(fault).into()),
            Some(fault) => self.violated(Law::Options, position, fault.message),
            None => stop.map_or(Ok(options), |s| Err(s.into())),
        }
    }

    fn options_are_positions(&mut self, position: &AnyComponent, options: &[Vec<AnyComponent>]) -> Result<(), Halt> {
        self.count(Law::Options);
        let mut seen = std::collections::HashSet::new();
        for option in options {
            for part in option {
                if let AnyComponent::Custom(own, numbers) = part
                    && let Err(why) = own.check_position(numbers)
                {
                    let what = format!("a move leads to {}, which is no position: {why}", print_component(part));
                    return self.violated(Law::Options, position, what);
                }
            }
            let mut sorted = option.clone();
            sorted.sort_by(|a, b| a.numbers().cmp(b.numbers()));
            if !seen.insert(sorted) {
                let what = format!("the option {} is listed twice", print_sum(option));
                return self.violated(Law::Options, position, what);
            }
        }
        Ok(())
    }

    fn canonical(&mut self, position: &AnyComponent) -> Result<(), Halt> {
        self.count(Law::Canonical);
        let once = position.canonical();
        if let AnyComponent::Custom(own, numbers) = &once
            && let Err(why) = own.check_position(numbers)
        {
            let what = format!("its representative {} is no position: {why}", print_component(&once));
            return self.violated(Law::Canonical, position, what);
        }
        let twice = once.canonical();
        if twice != once {
            let (once, twice) = (print_component(&once), print_component(&twice));
            let what = format!("its representative {once} is represented by {twice}, not by itself");
            return self.violated(Law::Canonical, position, what);
        }
        Ok(())
    }

    fn printed(&mut self, position: &AnyComponent) -> Result<(), Halt> {
        self.count(Law::Printing);
        let text = print_component(position);
        let files = Only { name: &self.query.name, ruleset: &self.query.ruleset };
        match read_sum_with(&text, &files) {
            Ok(sum) if sum.components() == std::slice::from_ref(position) => Ok(()),
            Ok(sum) => {
                let what = format!("it is printed as {text}, which is read as {}", print_sum(sum.components()));
                self.violated(Law::Printing, position, what)
            }
            Err(e) => {
                let what = format!("it is printed as {text}, which cannot be read: {}", e.message);
                self.violated(Law::Printing, position, what)
            }
        }
    }

    fn rank(&mut self, position: &AnyComponent, options: &[Vec<AnyComponent>]) -> Result<(), Halt> {
        let AnyComponent::Custom(own, numbers) = position else { return Ok(()) };
        let Some(rank) = own.rank(numbers) else { return Ok(()) };
        self.count(Law::Rank);
        match own.unrank(rank) {
            Some(back) if back == *numbers => {}
            other => {
                let back = other.map_or("nothing".into(), |p| format!("({})", own.print_position(&p)));
                return self.violated(Law::Rank, position, format!("its number is {rank}, which leads to {back}"));
            }
        }
        for part in options.iter().flatten() {
            let later = own.rank(part.numbers()).is_none_or(|r| r >= rank);
            if later {
                let what =
                    format!("a move leads to {}, which does not come before it as claimed", print_component(part));
                return self.violated(Law::Rank, position, what);
            }
        }
        Ok(())
    }

    /// Compares values with those of the engines, at some positions.
    pub(super) fn values(&mut self, session: &mut Session, random: &mut Random, meter: &mut Meter) -> Result<(), Halt> {
        const COMPARED: usize = 256;
        let all: Vec<usize> = (0..self.positions.len()).filter(|i| self.value[*i].is_some()).collect();
        let chosen: Vec<usize> = match all.len() <= COMPARED {
            true => all,
            false => (0..COMPARED).map(|_| all[random.below(all.len() as u64) as usize]).collect(),
        };
        for i in chosen {
            let position = self.positions[i].clone();
            let found = session.valued(&position, meter);
            let found = match found {
                Ok(valued) => valued.value,
                Err(stop) if stop.limit == Limit::Broken => {
                    return self.violated(Law::Values, &position, stop.setting);
                }
                Err(stop) => return Err(stop.into()),
            };
            self.count(Law::Values);
            let by_definition = self.value[i].unwrap_or_default();
            if found != by_definition {
                let what = format!("its Grundy value is {by_definition} by definition, and an engine finds {found}");
                return self.violated(Law::Values, &position, what);
            }
        }
        Ok(())
    }
}

/// Owned options, up to a number.
struct Collect<'a> {
    options: Vec<Vec<AnyComponent>>,
    meter: &'a mut Meter,
    stop: Option<StopReason>,
}

impl Collect<'_> {
    fn spend(&mut self, steps: u64) -> ControlFlow<()> {
        let spent = match self.options.len() < MOST_OPTIONS {
            true => self.meter.steps(steps),
            false => Err(self.meter.stop(Limit::Positions).reached("a position has too many options to list")),
        };
        match spent {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}

impl OptionSink<AnyComponent> for Collect<'_> {
    fn push_sum(&mut self, parts: &[AnyComponent]) -> ControlFlow<()> {
        self.options.push(parts.to_vec());
        self.spend(200)
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.spend(16)
    }
}
