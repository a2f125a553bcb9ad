//! The values of the coins of one game, from coin 1 on.
//!
//! # Up to an odd number of coins
//! Let t >= 3 be odd, g the values of the game of up to t - 1 coins and h those of up to t. Then h(n) is 2 g(n - 1), with
//! g(0) = 0, and a last binary digit that makes the number of ones odd. By induction: an xor of k values h before has an odd
//! number of ones if k is odd, an even one if k is even, and without its last digit it is an xor of at most k values g; h(1) = 1
//! adds nothing to that, so it makes k odd or even as wanted. Let W = g(n - 1). A number below 2W, without its last digit, is an
//! xor of at most t - 2 values g, hence an option. Of 2W and 2W + 1 the one with an odd number of ones is none, since W is no
//! xor of at most t - 2 values g. If that is 2W + 1, W has an even number of ones and is no power of 2; let b be its lowest bit.
//! Then W xor b < W is an xor of at most t - 2 values g, and b is one (no mex passes a power of 2 that is not yet spanned), so W
//! is an xor of t - 1 of them, an even number, and 2W is an option. So h(n) is the one with an odd number of ones.

use std::collections::HashMap;

use grundy_core::rulesets::coins::{CoinCode, CoinForm, Element, Spacing};

use super::{
    affine::{Affine, mex_of_union},
    levels::Levels,
};
use crate::budget::{Limit, Meter, StopReason};

/// The values of a game's coins, computed as far as they were asked for.
#[derive(Debug)]
pub struct CoinTable {
    code: CoinCode,
    /// Coin n at n - 1.
    values: Vec<u64>,
    way: Way,
}

/// How the next value is found.
#[derive(Debug)]
enum Way {
    /// By a theorem.
    Form(CoinForm),
    /// Sets of any coins, by their values; their number of coins is bounded or not.
    Levels(Levels),
    /// Up to an odd number t of coins, from the game of up to t - 1: coin n is worth twice coin n - 1 there, with a last
    /// binary digit that makes the number of ones odd.
    Parity(Box<CoinTable>),
    /// Only so many coins before matter: once they repeat, so does all that follows.
    Window { width: u64, seen: HashMap<Vec<u64>, u64>, period: Option<(u64, u64)> },
    /// Runs of so many coins.
    Runs(Runs),
    /// The sets one by one, symmetric ones as affine subspaces.
    General,
}

impl CoinTable {
    /// Nothing is computed yet.
    pub fn new(code: &CoinCode) -> Self {
        CoinTable { code: code.clone(), values: Vec::new(), way: Way::of(code) }
    }

    /// Where the values come from, for people; `far` for those that no table holds.
    pub fn reason(&self, far: bool) -> String {
        match &self.way {
            Way::Form(form) => form.theorem().into(),
            Way::Window { period: Some((preperiod, period)), .. } if far => {
                format!(
                    "values of coins have period {period} from coin {preperiod} on, proved since all coins that matter repeat"
                )
            }
            _ => "coin after coin, the mex over all sets that may be turned".into(),
        }
    }

    /// The theorem that gives the values, if there is one.
    pub fn form(&self) -> Option<CoinForm> {
        match self.way {
            Way::Form(form) => Some(form),
            _ => None,
        }
    }

    /// True if the values are those of a theorem.
    pub fn is_proved(&self) -> bool {
        matches!(self.way, Way::Form(_) | Way::Window { period: Some(_), .. })
    }

    /// Last coin whose value is in the table.
    pub fn known(&self) -> u64 {
        self.values.len() as u64
    }

    /// The value of coin n, as far as it is known; n >= 1.
    pub fn value(&self, n: u64) -> Option<u64> {
        match &self.way {
            Way::Form(form) => form.value(n),
            Way::Window { period: Some((preperiod, period)), .. } if n > self.known() => {
                self.values.get((preperiod - 1 + (n - preperiod) % period) as usize).copied()
            }
            _ => self.values.get(usize::try_from(n.checked_sub(1)?).ok()?).copied(),
        }
    }

    /// How many sets of coins up to `last`, of all last coins, change the value of a position by each amount: one entry an
    /// amount. The coins must be known.
    ///
    /// # Complexity
    /// All sets that may be turned; O(1) for each run of consecutive coins.
    ///
    /// # Errors
    /// The meter's stop.
    pub fn census(&self, last: u64, meter: &mut Meter) -> Result<HashMap<u64, u128>, StopReason> {
        let mut census: HashMap<u64, u128> = HashMap::new();
        if let Way::Runs(runs) = &self.way
            && last == self.known()
        {
            return Ok((0u64..)
                .zip(runs.census.iter().copied().map(u128::from))
                .filter(|(_, count)| *count > 0)
                .collect());
        }
        // runs of any lengths are differences of prefix sums
        if let [Element { least, most, within: None, spacing: Spacing::Consecutive, first: false }] =
            self.code.elements()
        {
            let mut sums = vec![0];
            for n in 1..=last {
                sums.push(sums[n as usize - 1] ^ self.value(n).unwrap_or_default());
                meter.steps(8 + 10 * (n + 1).saturating_sub(*least).min(most.unwrap_or(n)))?;
                let first = n.saturating_sub(most.unwrap_or(n));
                for front in first..=n.saturating_sub(*least) {
                    if front + least <= n {
                        *census.entry(sums[n as usize] ^ sums[front as usize]).or_default() += 1;
                    }
                }
            }
            return Ok(census);
        }
        for n in 1..=last {
            let value = self.value(n).unwrap_or_default();
            for set in self.code.companions(n) {
                meter.steps(30 + 4 * set.len() as u64)?;
                let change = set.iter().fold(value, |x, c| x ^ self.value(*c).unwrap_or_default());
                *census.entry(change).or_default() += 1;
            }
        }
        Ok(census)
    }

    /// Computes until [`CoinTable::value`] knows coin n.
    ///
    /// # Complexity
    /// For sets of up to t coins: O(t x range / 64) a coin, where the range is the power of 2 above the largest value, and
    /// as many bits of memory. For symmetric sets of any size O(n^2) and the branches of the union of n subspaces. For bounded
    /// windows the number of sets, until the window repeats. Else the number of sets.
    ///
    /// # Errors
    /// The meter's stop, with how far the values are known.
    pub fn advance(&mut self, n: u64, meter: &mut Meter) -> Result<(), StopReason> {
        let mut name = self.code.to_string();
        if name.len() > 40 {
            name.truncate(name.floor_char_boundary(40));
            name.push('…');
        }
        let known = |s: StopReason, known: usize| {
            s.reached(format!("coin {n} of coins[\"{name}\"] is out of reach, values are known to coin {known}"))
        };
        if let Way::Form(form) = self.way {
            let far = |meter: &Meter| meter.stop(Limit::Width).reached(format!("coin {n} of coins[\"{name}\"]"));
            return form.value(n).map(drop).ok_or_else(|| far(meter));
        }
        while self.value(n).is_none() {
            // before the value, so that a stop finds every way where it was
            let spent = meter.position().and_then(|()| meter.bytes(self.bytes_of_a_coin()));
            match spent.and_then(|()| self.next(meter)) {
                Ok(value) => self.values.push(value),
                Err(stop) => return Err(known(stop, self.values.len())),
            }
            if let Way::Levels(levels) = &mut self.way {
                let value = self.values[self.values.len() - 1];
                if let Err(stop) = levels.add(value, meter) {
                    self.values.pop();
                    return Err(known(stop, self.values.len()));
                }
            }
            self.look_for_period();
        }
        Ok(())
    }

    fn bytes_of_a_coin(&self) -> u64 {
        match self.way {
            Way::Window { width, period: None, .. } => 8 * width + 72,
            _ => 16,
        }
    }

    /// The value of the first coin that is not known.
    fn next(&mut self, meter: &mut Meter) -> Result<u64, StopReason> {
        let n = self.known() + 1;
        match &mut self.way {
            Way::Levels(levels) => Ok(levels.value()),
            Way::Parity(even) => {
                let mut front = 0;
                if n > 1 {
                    even.advance(n - 1, meter)?;
                    front = even.value(n - 1).unwrap_or_default();
                }
                let double = front.checked_mul(2).ok_or_else(|| meter.stop(Limit::Width))?;
                Ok(double | u64::from(front.count_ones().is_multiple_of(2)))
            }
            Way::Runs(runs) => {
                meter.steps(2 * runs.lengths.len() as u64)?;
                Ok(runs.next())
            }
            _ => self.by_sets(n, meter),
        }
    }

    /// The mex over the sets of coins before n.
    fn by_sets(&self, n: u64, meter: &mut Meter) -> Result<u64, StopReason> {
        let mut spaces = Vec::new();
        for element in self.code.elements() {
            self.options(element, n, &mut spaces, meter)?;
        }
        mex_of_union(&spaces, meter)?.ok_or_else(|| meter.stop(Limit::Width))
    }

    /// The values of the sets of one kind, as subspaces.
    fn options(&self, e: &Element, n: u64, spaces: &mut Vec<Affine>, meter: &mut Meter) -> Result<(), StopReason> {
        let value = |c: u64| self.values[c as usize - 1];
        let low = e.within.map_or(1, |w| n.saturating_sub(w - 1).max(1));
        let most = e.most.unwrap_or(u64::MAX);
        let mut points: Vec<u64> = Vec::new();
        match e.spacing {
            Spacing::Consecutive => {
                let mut xor = 0;
                for first in (low..=n).rev() {
                    let count = n - first + 1;
                    xor ^= if first < n { value(first) } else { 0 };
                    if count > most {
                        break;
                    }
                    meter.steps(2)?;
                    if count >= e.least && (!e.first || first == 1) {
                        points.push(xor);
                    }
                }
            }
            Spacing::Equal => {
                if e.least == 1 && (!e.first || n == 1) {
                    points.push(0);
                }
                for distance in 1..n {
                    let mut xor = 0;
                    let coins = (1..most).map_while(|i| n.checked_sub(i * distance).filter(|c| *c >= low));
                    for (i, c) in coins.enumerate() {
                        xor ^= value(c);
                        meter.steps(2)?;
                        if i as u64 + 2 >= e.least && (!e.first || c == 1) {
                            points.push(xor);
                        }
                    }
                    if distance > n - low {
                        break;
                    }
                }
            }
            // of any size: a pair may be turned or not, and so may the middle
            Spacing::Symmetric if e.most.is_none() && e.least <= 2 => {
                if e.least == 1 && (!e.first || n == 1) {
                    points.push(0);
                }
                let highest = if e.first { 1 } else { n - 1 };
                for first in low..=highest.min(n - 1) {
                    let mut space = Affine::point(value(first));
                    for i in 1..=(n - first - 1) / 2 {
                        space.generate(value(first + i) ^ value(n - i));
                    }
                    if (n - first).is_multiple_of(2) {
                        space.generate(value(first + (n - first) / 2));
                    }
                    meter.steps(8 * (n - first))?;
                    meter.bytes(24)?;
                    spaces.push(space);
                }
                meter.release(24 * (n - low));
            }
            _ => {
                let one = CoinCode::of(*e);
                for set in one.companions(n) {
                    meter.steps(100 + 4 * set.len() as u64)?;
                    points.push(set.iter().fold(0, |x, c| x ^ value(*c)));
                    if points.len() >= 1 << 20 && points.len().is_power_of_two() {
                        points.sort_unstable();
                        points.dedup();
                    }
                }
            }
        }
        points.sort_unstable();
        points.dedup();
        spaces.extend(points.into_iter().map(Affine::point));
        Ok(())
    }

    /// Notices that the coins that matter are as they were before.
    fn look_for_period(&mut self) {
        let n = self.known();
        let Way::Window { width, seen, period } = &mut self.way else { return };
        // the leftmost coin of the row must be out of reach
        if period.is_some() || n < *width + 1 {
            return;
        }
        let recent = self.values[(n - *width) as usize..].to_vec();
        match seen.get(&recent) {
            Some(before) => {
                let (mut preperiod, length) = (before + 1 - *width, n - before);
                // the first coins, short of a whole window, may belong to it too
                let value = |c: u64| self.values[c as usize - 1];
                while preperiod > 1 && value(preperiod - 1) == value(preperiod - 1 + length) {
                    preperiod -= 1;
                }
                *period = Some((preperiod, length));
            }
            None => {
                seen.insert(recent, n);
            }
        }
    }
}

/// The game of runs of given lengths: options are differences of prefix sums.
#[derive(Debug)]
struct Runs {
    /// Coins beside the last one, ascending.
    lengths: Vec<u64>,
    /// The xors of the first 0, 1, 2, … values, which stay below twice the number of lengths.
    sums: Vec<u32>,
    /// How many options of the present coin have each value; all 0 between coins.
    counts: Vec<u32>,
    /// How many runs so far, the last coin included, have each xor.
    census: Vec<u64>,
}

impl Runs {
    /// The value of the next coin.
    fn next(&mut self) -> u64 {
        let n = self.sums.len() as u64;
        let before = self.sums[n as usize - 1];
        let mut widest = 0;
        let (sums, counts) = (&self.sums, &mut self.counts);
        for l in self.lengths.iter().take_while(|l| **l < n) {
            let value = before ^ sums[(n - 1 - l) as usize];
            if value as usize >= counts.len() {
                counts.resize((value as usize + 1).next_power_of_two(), 0);
            }
            counts[value as usize] += 1;
            widest = widest.max(value);
        }
        let mex = counts.iter().position(|c| *c == 0).unwrap_or(counts.len());
        let most = (widest as usize).max(mex).next_power_of_two().max(1) * 2;
        if self.census.len() < most {
            self.census.resize(most, 0);
        }
        for (value, count) in counts.iter_mut().enumerate().take(widest as usize + 1) {
            self.census[value ^ mex] += u64::from(std::mem::take(count));
        }
        self.sums.push(before ^ mex as u32);
        mex as u64
    }
}

impl Way {
    fn of(code: &CoinCode) -> Way {
        if let Some(form) = CoinForm::recognise(code) {
            return Way::Form(form);
        }
        let runs = |e: &Element| {
            e.spacing == Spacing::Consecutive && e.least == e.most.unwrap_or(0) && !e.first && e.within.is_none()
        };
        let window = code.window();
        if window.is_some_and(|w| w > MOST_REPEATING) && code.elements().iter().all(runs) {
            let mut lengths: Vec<u64> = code.elements().iter().map(|e| e.least - 1).collect();
            lengths.sort_unstable();
            return Way::Runs(Runs { lengths, sums: vec![0], counts: Vec::new(), census: Vec::new() });
        }
        if let Some(width) = window {
            return Way::Window { width, seen: HashMap::new(), period: None };
        }
        if let [e] = code.elements()
            && e.spacing == Spacing::Any
            && e.within.is_none()
            && !e.first
        {
            if let (1, Some(most)) = (e.least, e.most)
                && most % 2 == 1
                && most >= 3
            {
                let even = CoinCode::of(Element { most: Some(most - 1), ..*e });
                return Way::Parity(Box::new(CoinTable::new(&even)));
            }
            if e.most.unwrap_or(e.least) <= MOST_LEVELS {
                return Way::Levels(Levels::new(e.least as usize - 1, e.most.map(|m| m as usize - 1)));
            }
        }
        Way::General
    }
}

/// Widest window whose repetition is looked for where there is another way.
const MOST_REPEATING: u64 = 64;

/// Most coins of a set whose values are kept as bit sets.
const MOST_LEVELS: u64 = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::theory::mex;

    /// By the definition.
    fn plain(code: &CoinCode, to: u64) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        for n in 1..=to {
            let next = mex(code.companions(n).map(|s| s.iter().fold(0, |x, c| x ^ values[*c as usize - 1])));
            values.push(next);
        }
        values
    }

    fn table(text: &str) -> CoinTable {
        CoinTable::new(&text.parse().unwrap())
    }

    #[test]
    fn every_way_computes_what_the_definition_says() {
        for text in [
            "1", "2", "1-2", "1-3", "1-4", "1-5", "1-7", "3", "4", "2-4", "3-4", "5", "1+", "2+", "3+", "1+C", "2+C",
            "3-5C", "1-5C", "1-3C(5)", "3C(5)", "2E", "3E", "1+E", "2-4E", "1+EC(6)", "4FS", "1+S", "2+S", "3S", "3+S",
            "1-4S", "1+SC(7)", "1+FS", "1+F", "3F", "1+FC", "3FE", "1+FC(4)", "1,3", "2,1+C", "1+S,3E", "1-2,4FS",
            "1C,4C", "2-3C(4)F",
        ] {
            let code: CoinCode = text.parse().unwrap();
            let mut table = CoinTable::new(&code);
            let last = 15;
            table.advance(last, &mut Meter::unlimited()).unwrap();
            let values: Vec<u64> = (1..=last).map(|n| table.value(n).unwrap()).collect();
            assert_eq!(values, plain(&code, last), "{text}");
        }
    }

    #[test]
    fn periods_reach_far_coins() {
        for (text, cycle) in
            [("1-5C", vec![1, 2, 1, 4]), ("1-3C(5)", vec![1, 2, 4, 7, 8]), ("3C(5)", vec![0, 0, 1, 2, 4])]
        {
            let mut table = table(text);
            table.advance(1 << 60, &mut Meter::unlimited()).unwrap();
            assert!(table.is_proved());
            for n in [1u64, 2, 57, (1 << 60) - 3, 1 << 60] {
                assert_eq!(table.value(n), Some(cycle[(n - 1) as usize % cycle.len()]), "{text} {n}");
            }
        }
        for text in ["1C,4C,9C", "2-3C(6)", "1-4C(7)F", "1,3C"] {
            let mut near = table(text);
            near.advance(60, &mut Meter::unlimited()).unwrap();
            assert_eq!(
                (1..=60).map(|n| near.value(n).unwrap()).collect::<Vec<_>>(),
                plain(&text.parse().unwrap(), 60),
                "{text}"
            );
            near.advance(1 << 40, &mut Meter::unlimited()).unwrap();
        }
    }

    #[test]
    fn runs_of_many_lengths() {
        let text = "{1,4,9,16,25,36,49,64,81,100}C";
        let code: CoinCode = text.parse().unwrap();
        let mut table = CoinTable::new(&code);
        assert!(matches!(table.way, Way::Runs(_)));
        table.advance(60, &mut Meter::unlimited()).unwrap();
        table.advance(130, &mut Meter::unlimited()).unwrap();
        assert_eq!((1..=130).map(|n| table.value(n).unwrap()).collect::<Vec<_>>(), plain(&code, 130));
        // what the runs change, counted on the way and again
        let counted = table.census(130, &mut Meter::unlimited()).unwrap();
        let mut again = table.census(129, &mut Meter::unlimited()).unwrap();
        for set in code.companions(130) {
            let worth = set.iter().fold(table.value(130).unwrap(), |x, c| x ^ table.value(*c).unwrap());
            *again.entry(worth).or_default() += 1;
        }
        assert_eq!(counted, again);
    }

    #[test]
    fn limits_are_heard() {
        let budget = crate::budget::Budget { memory: Some(1 << 20), ..Default::default() };
        let stop = table("1-9").advance(64, &mut Meter::new(&budget)).unwrap_err();
        assert_eq!(stop.limit, Limit::Memory);
        assert!(stop.reached.contains("values are known to coin"), "{}", stop.reached);
        let budget = crate::budget::Budget { positions: Some(5), ..Default::default() };
        assert_eq!(table("3E").advance(64, &mut Meter::new(&budget)).unwrap_err().limit, Limit::Positions);
        assert_eq!(table("1+").advance(65, &mut Meter::unlimited()).unwrap_err().limit, Limit::Width);
    }
}
