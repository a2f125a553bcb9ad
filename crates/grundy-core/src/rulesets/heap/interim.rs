//! Stand-ins.
#![allow(missing_docs)]
use super::*;
use crate::theory::Periodicity;
pub enum HeapValues<'a> {
    Closed(&'a ClosedForm),
    Periodic { values: &'a [u64], periodicity: Periodicity },
    Table(&'a [u64]),
}
impl HeapValues<'_> {
    pub fn at(&self, n: u64) -> Option<u64> {
        match self {
            HeapValues::Closed(f) => f.value(n),
            HeapValues::Periodic { values, periodicity } => periodicity.value(values, n),
            HeapValues::Table(t) => t.get(n as usize).copied(),
        }
    }
}
pub enum Found {
    Option(Vec<u64>),
    OutOfSteps,
    Done,
}
pub struct Finder<'a> {
    all: Vec<Vec<u64>>,
    at: usize,
    _p: core::marker::PhantomData<&'a ()>,
}
impl Finder<'_> {
    pub fn count(&self) -> Option<u128> {
        None
    }
    pub fn next(&mut self, _steps: &mut u64) -> Found {
        self.at += 1;
        self.all.get(self.at - 1).cloned().map_or(Found::Done, Found::Option)
    }
}
pub fn options_of_value_finder<'a>(rule: &'a HeapRule, n: u64, target: u64, values: HeapValues<'a>) -> Finder<'a> {
    let mut all = crate::ruleset::options_of(rule, &n);
    all.retain(|o| o.iter().fold(Some(0), |x: Option<u64>, p| Some(x? ^ values.at(*p)?)) == Some(target));
    Finder { all, at: 0, _p: core::marker::PhantomData }
}
pub fn all_but_set(rule: &HeapRule) -> Option<Vec<u64>> {
    let _ = rule;
    None
}
