//! Options of Moore's Nim that are P-positions: their number, and all of them one after another.
//!
//! Both go through the binary columns of the option from the highest down. A heap is *free* below the column in which
//! it first fell behind its old number: there it may hold any digit, and above that it repeats the old digits. Let a
//! column have c ones among the heaps that are not yet free, f of them being free, f <= k. An option lets t of these ones drop
//! (their heaps become free, f + t <= k) and puts m ones into the f free heaps, so that c - t + m has the wanted residue
//! modulo k + 1. Exactly one difference m - t from -(k - f) to f has it, and it can be realised: if it is
//! negative, c is at least t. So no choice made in one column is ever regretted in a later one.

use std::collections::HashMap;

use super::lowerings::choose;
use crate::theory::Convention;

/// The wanted P-options: those of `heaps`, with at most `k` lowered, in `convention`.
///
/// The residue of every column is 0, but that of the last column is 1 in misère play where all higher columns of the
/// option are empty (a *flat* option). For heaps that are themselves a P-position or have no move
/// there are none; the caller asks only for others.
#[derive(Clone)]
pub(super) struct Question {
    pub(super) heaps: Vec<u64>,
    /// At least 1, at most the number of heaps or 1.
    pub(super) k: usize,
    pub(super) convention: Convention,
}

impl Question {
    fn width(&self) -> u32 {
        64 - self.heaps.iter().fold(0, |all, h| all | h).leading_zeros()
    }

    fn residue(&self, bit: u32, flat: bool) -> usize {
        usize::from(bit == 0 && flat && self.convention == Convention::Misere)
    }

    /// The number of options, or None if there are 2^128 of them or counting takes more than about `work` steps.
    ///
    /// # Complexity
    /// Steps: for each column, the sets of fewer than k free heaps that can occur there, times the heaps, plus the ways to
    /// choose the t heaps that become free; a set of k heaps costs 64 k steps once, since nothing is left to choose
    /// but the digits of free heaps. Memory: the sets of one column.
    pub(super) fn count(&self, mut work: u64) -> Option<u128> {
        let modulus = self.k + 1;
        let width = self.width();
        let columns: Vec<usize> = (0..width).map(|b| self.heaps.iter().filter(|h| **h >> b & 1 == 1).count()).collect();
        // in normal play nothing depends on flatness, and one flag for all keeps the sets together
        let start_flat = self.convention == Convention::Misere;
        let mut layer: HashMap<(Vec<usize>, bool), u128> = HashMap::from([((Vec::new(), start_flat), 1)]);
        let mut total = 0u128;
        for bit in (0..width).rev() {
            let mut below = HashMap::new();
            for ((free, flat), ways) in layer {
                let ones: Vec<usize> = (0..self.heaps.len())
                    .filter(|i| self.heaps[*i] >> bit & 1 == 1 && free.binary_search(i).is_err())
                    .collect();
                work = work.checked_sub(self.heaps.len() as u64)?;
                for t in 0..=ones.len().min(self.k - free.len()) {
                    let m = remainder(self.residue(bit, flat) + t, ones.len(), modulus);
                    if m > free.len() {
                        continue;
                    }
                    let full = free.len() + t == self.k;
                    let each = if full { (u64::from(bit) + 1) * self.k as u64 } else { 1 + self.k as u64 };
                    let sets = u64::try_from(choose(ones.len() as u128, t as u128)?).ok()?;
                    work = work.checked_sub(sets.checked_mul(each)?)?;
                    let ways = ways.checked_mul(choose(free.len() as u128, m as u128)?)?;
                    let flat = flat && ones.len() - t + m == 0;
                    let mut chosen = Subset::first(t);
                    loop {
                        let mut now: Vec<usize> = chosen.of(&ones).chain(free.iter().copied()).collect();
                        now.sort_unstable();
                        if full {
                            let rest = self.digits_of_free(&now, bit, flat, &columns)?;
                            total = total.checked_add(ways.checked_mul(rest)?)?;
                        } else {
                            let sum = below.entry((now, flat)).or_insert(0u128);
                            *sum = sum.checked_add(ways)?;
                        }
                        if !chosen.advance(ones.len()) {
                            break;
                        }
                    }
                }
            }
            layer = below;
        }
        layer
            .into_iter()
            .filter(|((free, _), _)| !free.is_empty())
            .try_fold(total, |sum, (_, ways)| sum.checked_add(ways))
    }

    /// The ways to fill the columns below `bit` when k heaps are free.
    fn digits_of_free(&self, free: &[usize], bit: u32, mut flat: bool, columns: &[usize]) -> Option<u128> {
        let mut ways = 1u128;
        for b in (0..bit).rev() {
            let fixed = columns[b as usize] - free.iter().filter(|i| self.heaps[**i] >> b & 1 == 1).count();
            let m = remainder(self.residue(b, flat), fixed, self.k + 1);
            ways = ways.checked_mul(choose(free.len() as u128, m as u128)?)?;
            flat = flat && fixed + m == 0;
        }
        Some(ways)
    }

    /// All options, without end or dead end, in the order of their columns from the highest down.
    pub(super) fn options(&self) -> Columns {
        Columns::new(self.clone())
    }
}

/// (a - b) modulo m, not negative.
fn remainder(a: usize, b: usize, m: usize) -> usize {
    (a % m + (m - b % m)) % m
}

/// A subset of 0..n of fixed size, as ascending indices.
struct Subset(Vec<usize>);

impl Subset {
    fn first(size: usize) -> Self {
        Subset((0..size).collect())
    }

    fn of<'a>(&'a self, items: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
        self.0.iter().map(|i| items[*i])
    }

    fn advance(&mut self, n: usize) -> bool {
        let size = self.0.len();
        let Some(at) = (0..size).rev().find(|at| self.0[*at] < n - size + at) else { return false };
        self.0[at] += 1;
        for next in at + 1..size {
            self.0[next] = self.0[next - 1] + 1;
        }
        true
    }
}

/// The walk over all options, digit by digit: column by column from the highest, heap by heap in each column, 0 before 1.
///
/// A digit is put only if the rest of its column can still reach the wanted residue; the number of ones that the
/// rest can make is any of an interval, so this is one comparison.
///
/// # Complexity
/// O(64 · number of heaps) for each option, the same memory.
pub(super) struct Columns {
    question: Question,
    width: u32,
    /// The least multiple of k + 1 from the number of heaps on.
    lift: usize,
    /// Digits so far, column by column, and whether 1 is still to be tried there.
    digits: Vec<(bool, bool)>,
    /// The option so far.
    option: Vec<u64>,
    /// The column in which each heap became free.
    freed: Vec<Option<u32>>,
    free: usize,
    /// Ones in the higher columns of the option, column by column.
    ones: Vec<usize>,
    /// In the current column: ones so far, fixed heaps with digit 1 to come, free heaps to come.
    column: Rest,
    stage: Stage,
}

#[derive(Clone, Copy, Default)]
struct Rest {
    placed: usize,
    fixed_ones: usize,
    free: usize,
}

enum Stage {
    Fresh,
    Running,
    Done,
}

/// What a heap may do in a column.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Free,
    FixedZero,
    FixedOne,
}

impl Columns {
    fn new(question: Question) -> Self {
        let n = question.heaps.len();
        let width = question.width();
        let mut walk = Columns {
            lift: n.next_multiple_of(question.k + 1),
            question,
            width,
            digits: Vec::new(),
            option: vec![0; n],
            freed: vec![None; n],
            free: 0,
            ones: Vec::new(),
            column: Rest::default(),
            stage: if width == 0 { Stage::Done } else { Stage::Fresh },
        };
        walk.open_column();
        walk
    }

    fn cells(&self) -> usize {
        self.width as usize * self.option.len()
    }

    /// The column and the heap of a cell.
    fn place(&self, cell: usize) -> (u32, usize) {
        let n = self.option.len();
        (self.width - 1 - (cell / n) as u32, cell % n)
    }

    fn role(&self, bit: u32, heap: usize) -> Role {
        match self.freed[heap] {
            Some(at) if at > bit => Role::Free,
            _ if self.question.heaps[heap] >> bit & 1 == 1 => Role::FixedOne,
            _ => Role::FixedZero,
        }
    }

    /// Counts what the column of the next cell, its first, has to come.
    fn open_column(&mut self) {
        if self.digits.len() == self.cells() {
            return;
        }
        let (bit, _) = self.place(self.digits.len());
        let mut rest = Rest::default();
        for heap in 0..self.option.len() {
            match self.role(bit, heap) {
                Role::Free => rest.free += 1,
                Role::FixedOne => rest.fixed_ones += 1,
                Role::FixedZero => {}
            }
        }
        self.column = rest;
    }

    /// True if `ones` placed, with `rest` to come and so many heaps that may still become free, can have the residue.
    fn feasible(&self, bit: u32, placed: usize, fixed_ones: usize, free: usize, budget: usize) -> bool {
        let flat = bit == 0 && self.ones.iter().all(|o| *o == 0);
        let low = placed + fixed_ones - fixed_ones.min(budget);
        let high = placed + fixed_ones + free;
        // `lift` is a multiple of k + 1 not below any number of ones
        low + (self.lift + self.question.residue(bit, flat) - low) % (self.question.k + 1) <= high
    }

    /// Puts `digit` into the next cell if the column can then be completed.
    fn put(&mut self, digit: bool, more: bool) -> bool {
        let (bit, heap) = self.place(self.digits.len());
        let role = self.role(bit, heap);
        let drops = role == Role::FixedOne && !digit;
        let budget = self.question.k - self.free;
        if (role == Role::FixedZero && digit) || (drops && budget == 0) {
            return false;
        }
        let after = Rest {
            placed: self.column.placed + usize::from(digit),
            fixed_ones: self.column.fixed_ones - usize::from(role == Role::FixedOne),
            free: self.column.free - usize::from(role == Role::Free),
        };
        if !self.feasible(bit, after.placed, after.fixed_ones, after.free, budget - usize::from(drops)) {
            return false;
        }
        self.column = after;
        if drops {
            self.freed[heap] = Some(bit);
            self.free += 1;
        }
        self.option[heap] |= u64::from(digit) << bit;
        self.digits.push((digit, more && role != Role::FixedZero));
        if heap + 1 == self.option.len() {
            self.ones.push(self.column.placed);
            self.open_column();
        }
        true
    }

    /// Takes the last digit back.
    fn take_back(&mut self) -> Option<(bool, bool)> {
        let last = self.digits.pop()?;
        let (bit, heap) = self.place(self.digits.len());
        if heap + 1 == self.option.len() {
            let placed = self.ones.pop().unwrap_or(0);
            self.column = Rest { placed, fixed_ones: 0, free: 0 };
        }
        self.option[heap] &= !(1 << bit);
        if self.freed[heap] == Some(bit) {
            self.freed[heap] = None;
            self.free -= 1;
        }
        match self.role(bit, heap) {
            Role::Free => self.column.free += 1,
            Role::FixedOne => self.column.fixed_ones += 1,
            Role::FixedZero => {}
        }
        self.column.placed -= usize::from(last.0);
        Some(last)
    }

    /// Completes the digits with the least ones possible.
    fn fill(&mut self) -> bool {
        while self.digits.len() < self.cells() {
            if !self.put(false, true) && !self.put(true, false) {
                return false;
            }
        }
        true
    }

    fn step(&mut self) -> bool {
        while let Some((_, more)) = self.take_back() {
            if more && self.put(true, false) {
                return self.fill();
            }
        }
        false
    }
}

impl Iterator for Columns {
    type Item = Vec<u64>;

    fn next(&mut self) -> Option<Vec<u64>> {
        let found = match self.stage {
            Stage::Fresh => self.fill(),
            Stage::Running => self.step(),
            Stage::Done => false,
        };
        self.stage = if found { Stage::Running } else { Stage::Done };
        // with no heap free the digits are those of the position itself, which only a P-position allows
        (found && self.free > 0).then(|| self.option.clone())
    }
}
