//! Formulas, claims and rules as automatic relations.

use grundy_core::{
    notation::formula::{self, Formula, Operation, Term},
    rulesets::heap::{self as rule, Alternative, AmountSet, Amounts, Atom, HeapRule, Parts, Variable},
};

use super::{
    Halt,
    atoms::{self, Linear, MOST},
    relation::{Relation, Track, exists, project},
};
use crate::budget::Meter;

/// The heap.
pub(crate) const HEAP: Track = 0;
/// Its value, or the value of an option.
pub(crate) const VALUE: Track = 1;
/// The amount taken.
const TAKEN: Track = 2;
/// The first part; the others follow.
const PART: Track = 3;
/// The value of the first part.
const PART_VALUE: Track = 11;
/// The first of the tracks for parts of terms.
const FRESH: Track = 20;
/// Tracks of one product.
const MOST_TRACKS: Track = 31;
/// Most parts of a move.
const MOST_PARTS: u32 = 6;

/// Relations that hold together, with tracks of their own.
#[derive(Clone)]
struct Context {
    parts: Vec<Relation>,
    fresh: Track,
}

impl Context {
    fn new() -> Self {
        Context { parts: Vec::new(), fresh: FRESH }
    }

    fn fresh(&mut self) -> Result<Track, Halt> {
        self.fresh += 1;
        if self.fresh > MOST_TRACKS {
            return Err(Halt::outside("a term with more than 11 operations on bits, remainders and quotients"));
        }
        Ok(self.fresh - 1)
    }

    /// A track that holds the value of `linear`; if that is negative there is none.
    fn natural(&mut self, linear: Linear, meter: &mut Meter) -> Result<Track, Halt> {
        if let ([(track, 1)], 0) = (&linear.terms[..], linear.constant) {
            return Ok(*track);
        }
        let track = self.fresh()?;
        let difference = plus(linear, &Linear::track(track), -1)?;
        self.parts.push(atoms::equal_zero(&difference, meter)?);
        Ok(track)
    }

    /// Quotient by `by` and remainder, of which `wanted` says which is used.
    fn divided(&mut self, linear: &Linear, by: i128, wanted: Divided, meter: &mut Meter) -> Result<Linear, Halt> {
        let result = self.fresh()?;
        // what is not used is quantified at once
        let mut inner = Context { parts: Vec::new(), fresh: self.fresh };
        let mut result_linear = Linear::track(result);
        let (quotient, rest) = match wanted {
            Divided::Remainder => {
                let mut quotient = Linear::track(inner.fresh()?);
                if !linear.is_natural() {
                    quotient = plus(quotient, &Linear::track(inner.fresh()?), -1)?;
                }
                (quotient, result)
            }
            Divided::Quotient => {
                if !linear.is_natural() {
                    result_linear = plus(result_linear, &Linear::track(self.fresh()?), -1)?;
                    inner.fresh = self.fresh;
                }
                (result_linear.clone(), inner.fresh()?)
            }
        };
        let difference = plus(plus(linear.clone(), &quotient, -by)?, &Linear::track(rest), -1)?;
        inner.parts.push(atoms::equal_zero(&difference, meter)?);
        let excess = plus(Linear::track(rest), &Linear::constant(by - 1), -1)?;
        inner.parts.push(atoms::at_most_zero(&excess, meter)?);
        let mut keep: Vec<Track> = linear.terms.iter().chain(&result_linear.terms).map(|(t, _)| *t).collect();
        keep.sort_unstable();
        self.parts.push(inner.close(&keep, meter)?);
        Ok(result_linear)
    }

    /// The value of a term of a formula whose variable i is track i.
    fn term(&mut self, term: &Term, meter: &mut Meter) -> Result<Linear, Halt> {
        Ok(match term {
            Term::Integer(i) => Linear::constant(*i),
            Term::Variable(i) => Linear::track(u8::try_from(*i).map_err(|_| Halt::outside("more than 20 variables"))?),
            Term::Chain(chain) => {
                let mut so_far = self.term(chain.first(), meter)?;
                for operation in chain.operations() {
                    so_far = self.operation(so_far, operation, meter)?;
                }
                so_far
            }
            Term::LowBit(t) => {
                let of = self.term(t, meter)?;
                let of = self.natural(of, meter)?;
                let low = self.fresh()?;
                self.parts.push(atoms::lowbit(of, low, meter)?);
                Linear::track(low)
            }
            Term::BitLength(_) => return Err(Halt::outside("bitlength")),
            Term::Min(terms) => self.extreme(terms.terms(), 1, meter)?,
            Term::Max(terms) => self.extreme(terms.terms(), -1, meter)?,
        })
    }

    fn operation(&mut self, left: Linear, operation: &Operation, meter: &mut Meter) -> Result<Linear, Halt> {
        Ok(match operation {
            Operation::Plus(t) => plus(left, &self.term(t, meter)?, 1)?,
            Operation::Minus(t) => plus(left, &self.term(t, meter)?, -1)?,
            Operation::Times(t) => {
                let right = self.term(t, meter)?;
                if right.terms.is_empty() {
                    plus(Linear::default(), &left, right.constant)?
                } else if left.terms.is_empty() {
                    plus(Linear::default(), &right, left.constant)?
                } else {
                    return Err(Halt::outside("a product of two terms with variables"));
                }
            }
            Operation::Mod(m) => self.divided(&left, m.get(), Divided::Remainder, meter)?,
            Operation::Div(m) => self.divided(&left, m.get(), Divided::Quotient, meter)?,
            Operation::ShiftLeft(s) => {
                let track = self.natural(left, meter)?;
                let factor = 1i128.checked_shl(s.get()).filter(|f| *f > 0 && *f <= MOST);
                let factor = factor.ok_or_else(|| Halt::outside("shifts by more than 100"))?;
                plus(Linear::default(), &Linear::track(track), factor)?
            }
            Operation::ShiftRight(s) => {
                let track = self.natural(left, meter)?;
                if s.get() > 100 {
                    return Err(Halt::outside("shifts by more than 100"));
                }
                self.divided(&Linear::track(track), 1 << s.get(), Divided::Quotient, meter)?
            }
            Operation::BitAnd(t) => self.bits(left, t, |a, b| a & b, meter)?,
            Operation::Xor(t) => self.bits(left, t, |a, b| a ^ b, meter)?,
            Operation::BitOr(t) => self.bits(left, t, |a, b| a | b, meter)?,
        })
    }

    fn bits(&mut self, left: Linear, right: &Term, of: fn(u32, u32) -> u32, meter: &mut Meter) -> Result<Linear, Halt> {
        let right = self.term(right, meter)?;
        let a = self.natural(left, meter)?;
        let mut b = self.natural(right, meter)?;
        if a == b {
            b = self.copy(Linear::track(b), meter)?;
        }
        let result = self.fresh()?;
        let relation = atoms::columnwise(&[0, 1, 2], |l| of(l & 1, l >> 1 & 1) == l >> 2, meter)?;
        self.parts.push(relation.renamed(&[a, b, result], meter)?);
        Ok(Linear::track(result))
    }

    /// A new track that holds the value of `linear`.
    fn copy(&mut self, linear: Linear, meter: &mut Meter) -> Result<Track, Halt> {
        let track = self.fresh()?;
        self.parts.push(atoms::equal_zero(&plus(linear, &Linear::track(track), -1)?, meter)?);
        Ok(track)
    }

    /// The least of the terms for sign 1, the greatest for -1.
    fn extreme(&mut self, terms: &[Term], sign: i128, meter: &mut Meter) -> Result<Linear, Halt> {
        let values = terms.iter().map(|t| self.term(t, meter)).collect::<Result<Vec<_>, _>>()?;
        let mut result = Linear::track(self.fresh()?);
        if !values.iter().all(Linear::is_natural) {
            result = plus(result, &Linear::track(self.fresh()?), -1)?;
        }
        // one of them, and no other beyond it
        let mut product: Option<Relation> = None;
        for value in &values {
            let difference = plus(result.clone(), value, -1)?;
            let mut tracks: Vec<Track> = difference.terms.iter().map(|(t, _)| *t).collect();
            self.parts.push(atoms::at_most_zero(&plus(Linear::default(), &difference, sign)?, meter)?);
            let equal = atoms::equal_zero(&difference, meter)?;
            product = Some(match product {
                None => equal,
                Some(other) => {
                    tracks.extend(other.tracks());
                    tracks.sort_unstable();
                    tracks.dedup();
                    let wide = |r: &Relation, meter: &mut Meter| -> Result<Relation, Halt> {
                        Ok(exists(&[r, &atoms::all(&tracks, meter)?], &tracks, meter)?)
                    };
                    wide(&equal, meter)?.or(&wide(&other, meter)?, meter)?
                }
            });
        }
        self.parts.extend(product);
        Ok(result)
    }

    /// The tuples of `keep` for which all parts hold.
    fn close(&self, keep: &[Track], meter: &mut Meter) -> Result<Relation, Halt> {
        let every = atoms::all(keep, meter)?;
        let parts: Vec<&Relation> = self.parts.iter().chain([&every]).collect();
        Ok(exists(&parts, keep, meter)?)
    }
}

/// Which result of a division is used.
#[derive(Clone, Copy)]
enum Divided {
    Quotient,
    Remainder,
}

fn plus(left: Linear, right: &Linear, factor: i128) -> Result<Linear, Halt> {
    let sum = left
        .plus(right, factor)
        .filter(|sum| sum.constant.abs() <= MOST && sum.terms.iter().all(|(_, c)| c.abs() <= MOST));
    sum.ok_or_else(|| Halt::outside("constants beyond 2^100"))
}

/// Where a condition is true and where it is false; it may have no value elsewhere.
struct Truth {
    yes: Relation,
    no: Relation,
}

impl Truth {
    fn not(self) -> Truth {
        Truth { yes: self.no, no: self.yes }
    }

    /// The second is asked only where the first is true.
    fn and(self, other: Truth, meter: &mut Meter) -> Result<Truth, Halt> {
        let keep = self.yes.tracks().to_vec();
        let both = |a: &Relation, b: &Relation, meter: &mut Meter| exists(&[a, b], &keep, meter);
        let later = both(&self.yes, &other.no, meter)?;
        Ok(Truth { yes: both(&self.yes, &other.yes, meter)?, no: self.no.or(&later, meter)? })
    }

    fn or(self, other: Truth, meter: &mut Meter) -> Result<Truth, Halt> {
        Ok(self.not().and(other.not(), meter)?.not())
    }
}

/// What a condition of a formula says of the tracks `0 .. variables`.
fn truth(condition: &formula::Condition, variables: &[Track], meter: &mut Meter) -> Result<Truth, Halt> {
    use formula::{Comparison as C, Condition};
    match condition {
        Condition::Compare(left, comparison, right) => {
            let mut context = Context::new();
            let left = context.term(left, meter)?;
            let right = context.term(right, meter)?;
            let difference = plus(left, &right, -1)?;
            let sign = match comparison {
                C::Equal => Sign::Zero,
                C::NotEqual => Sign::NotZero,
                C::Less => Sign::Negative,
                C::LessOrEqual => Sign::NotPositive,
                C::Greater => Sign::Positive,
                C::GreaterOrEqual => Sign::NotNegative,
            };
            context.compare(&difference, sign, variables, meter)
        }
        Condition::Columns(columns) => {
            let mut context = Context::new();
            let terms = columns.arguments().terms();
            let mut tracks = Vec::new();
            for t in terms {
                let value = context.term(t, meter)?;
                tracks.push(context.copy(value, meter)?);
            }
            let (m, r) = (columns.modulus().get(), columns.residue());
            let places: Vec<Track> = (0..tracks.len() as Track).collect();
            let mut no = context.clone();
            // far enough up all columns are empty
            let empty = r == 0;
            let fits = |l: u32| i128::from(l.count_ones()) % m == r;
            let yes = atoms::columnwise(&places, |l| empty && fits(l), meter)?.renamed(&tracks, meter)?;
            no.parts.push(yes.not(meter)?);
            context.parts.push(yes);
            Ok(Truth { yes: context.close(variables, meter)?, no: no.close(variables, meter)? })
        }
        Condition::Not(c) => Ok(truth(c, variables, meter)?.not()),
        Condition::And(parts) => fold(parts.parts(), Truth::and, variables, meter),
        Condition::Or(parts) => fold(parts.parts(), Truth::or, variables, meter),
    }
}

fn fold(
    parts: &[formula::Condition],
    join: fn(Truth, Truth, &mut Meter) -> Result<Truth, Halt>,
    variables: &[Track],
    meter: &mut Meter,
) -> Result<Truth, Halt> {
    let mut whole: Option<Truth> = None;
    for part in parts {
        let part = truth(part, variables, meter)?;
        whole = Some(match whole {
            None => part,
            Some(before) => join(before, part, meter)?,
        });
    }
    whole.ok_or_else(|| Halt::outside("an empty condition"))
}

/// What is asked of a number.
#[derive(Clone, Copy)]
enum Sign {
    Zero,
    NotZero,
    Negative,
    NotPositive,
    Positive,
    NotNegative,
}

impl Context {
    fn compare(mut self, difference: &Linear, sign: Sign, keep: &[Track], meter: &mut Meter) -> Result<Truth, Halt> {
        let negated = plus(Linear::default(), difference, -1)?;
        let one = Linear::constant(1);
        let zero = |d: &Linear, m: &mut Meter| atoms::equal_zero(d, m);
        let (yes, no) = match sign {
            Sign::Zero | Sign::NotZero => {
                let yes = zero(difference, meter)?;
                let no = yes.not(meter)?;
                if matches!(sign, Sign::Zero) { (yes, no) } else { (no, yes) }
            }
            Sign::NotPositive | Sign::Positive => {
                let yes = atoms::at_most_zero(difference, meter)?;
                let no = atoms::at_most_zero(&plus(negated, &one, 1)?, meter)?;
                if matches!(sign, Sign::NotPositive) { (yes, no) } else { (no, yes) }
            }
            Sign::NotNegative | Sign::Negative => {
                let yes = atoms::at_most_zero(&negated, meter)?;
                let no = atoms::at_most_zero(&plus(difference.clone(), &one, 1)?, meter)?;
                if matches!(sign, Sign::NotNegative) { (yes, no) } else { (no, yes) }
            }
        };
        let mut other = self.clone();
        self.parts.push(yes);
        other.parts.push(no);
        Ok(Truth { yes: self.close(keep, meter)?, no: other.close(keep, meter)? })
    }
}

/// `v = formula(n)`, on the tracks [`HEAP`] and [`VALUE`].
pub(crate) fn graph(formula: &Formula, meter: &mut Meter) -> Result<Relation, Halt> {
    let heap = [HEAP];
    let mut open = atoms::all(&heap, meter)?;
    let mut whole: Option<Relation> = None;
    let mut add = |open: &Relation, value: &Term, meter: &mut Meter| -> Result<(), Halt> {
        let mut context = Context::new();
        context.parts.push(open.clone());
        let value = context.term(value, meter)?;
        context.parts.push(atoms::equal_zero(&plus(value, &Linear::track(VALUE), -1)?, meter)?);
        let piece = context.close(&[HEAP, VALUE], meter)?;
        whole = Some(match whole.take() {
            None => piece,
            Some(before) => before.or(&piece, meter)?,
        });
        Ok(())
    };
    for case in formula.cases() {
        let truth = truth(&case.condition, &heap, meter)?;
        add(&exists(&[&open, &truth.yes], &heap, meter)?, &case.value, meter)?;
        open = exists(&[&open, &truth.no], &heap, meter)?;
    }
    add(&open, formula.otherwise(), meter)?;
    whole.ok_or_else(|| Halt::outside("an empty formula"))
}

/// The tuples of the tracks `0 .. variables` for which a claim holds, and those for which it does not.
pub(crate) fn claim(
    condition: &formula::Condition,
    variables: u8,
    meter: &mut Meter,
) -> Result<(Relation, Relation), Halt> {
    let tracks: Vec<Track> = (0..variables).collect();
    let truth = truth(condition, &tracks, meter)?;
    Ok((truth.yes, truth.no))
}

/// The numbers of a set of amounts, on a track.
fn amounts(take: &Amounts, track: Track, meter: &mut Meter) -> Result<Relation, Halt> {
    let union = |sets: &[AmountSet], meter: &mut Meter| -> Result<Option<Relation>, Halt> {
        let mut whole: Option<Relation> = None;
        for set in sets {
            let one = amount_set(set, track, meter)?;
            whole = Some(match whole {
                None => one,
                Some(before) => before.or(&one, meter)?,
            });
        }
        Ok(whole)
    };
    let include = union(&take.include, meter)?.ok_or_else(|| Halt::outside("no amounts"))?;
    Ok(match union(&take.exclude, meter)? {
        None => include,
        Some(exclude) => exists(&[&include, &exclude.not(meter)?], &[track], meter)?,
    })
}

fn amount_set(set: &AmountSet, track: Track, meter: &mut Meter) -> Result<Relation, Halt> {
    match set {
        AmountSet::Run { first, last, step } => {
            let mut context = Context::new();
            let number = Linear::track(track);
            let first = i128::from(*first);
            context.parts.push(atoms::at_most_zero(&plus(Linear::constant(first), &number, -1)?, meter)?);
            if let Some(last) = last {
                let excess = plus(number.clone(), &Linear::constant(i128::from(*last)), -1)?;
                context.parts.push(atoms::at_most_zero(&excess, meter)?);
            }
            let step = i128::from((*step).max(1));
            if step > 1 {
                let above = plus(number, &Linear::constant(first), -1)?;
                let rest = context.divided(&above, step, Divided::Remainder, meter)?;
                context.parts.push(atoms::equal_zero(&rest, meter)?);
            }
            context.close(&[track], meter)
        }
        AmountSet::PowersOf(1) => amount_set(&AmountSet::one(1), track, meter),
        AmountSet::PowersOf(b) if b.is_power_of_two() => Ok(atoms::powers(track, b.trailing_zeros(), meter)?),
        AmountSet::PowersOf(_) => Err(Halt::outside("powers of a number that is no power of two")),
        AmountSet::Squares => Err(Halt::outside("squares")),
        AmountSet::Primes => Err(Halt::outside("primes")),
        AmountSet::Fibonacci => Err(Halt::outside("Fibonacci numbers")),
        AmountSet::Divisors => Err(Halt::outside("divisors")),
    }
}

/// The value of a linear term of a rule.
fn rule_linear(context: &mut Context, linear: &rule::Linear, meter: &mut Meter) -> Result<Linear, Halt> {
    let mut total = plus(Linear::default(), &Linear::constant(linear.constant), 1)?;
    for (factor, atom) in &linear.terms {
        let value = match atom {
            Atom::Variable(Variable::Heap) => Linear::track(HEAP),
            Atom::Variable(Variable::Taken) => Linear::track(TAKEN),
            Atom::Variable(Variable::Part(i)) => Linear::track(PART + i),
            Atom::Mod(t, m) => {
                let value = rule_linear(context, t, meter)?;
                context.divided(&value, i128::from((*m).max(1)), Divided::Remainder, meter)?
            }
            Atom::Gcd(..) => return Err(Halt::outside("gcd")),
        };
        total = plus(total, &value, *factor)?;
    }
    Ok(total)
}

fn rule_truth(condition: &rule::Condition, tracks: &[Track], meter: &mut Meter) -> Result<Truth, Halt> {
    use rule::{Comparison as C, Condition};
    match condition {
        Condition::Compare(left, comparison, right) => {
            let mut context = Context::new();
            let left = rule_linear(&mut context, left, meter)?;
            let right = rule_linear(&mut context, right, meter)?;
            let sign = match comparison {
                C::Equal => Sign::Zero,
                C::NotEqual => Sign::NotZero,
                C::Less => Sign::Negative,
                C::LessEqual => Sign::NotPositive,
                C::Greater => Sign::Positive,
                C::GreaterEqual => Sign::NotNegative,
            };
            context.compare(&plus(left, &right, -1)?, sign, tracks, meter)
        }
        Condition::Not(c) => Ok(rule_truth(c, tracks, meter)?.not()),
        Condition::And(a, b) => {
            let a = rule_truth(a, tracks, meter)?;
            a.and(rule_truth(b, tracks, meter)?, meter)
        }
        Condition::Or(a, b) => {
            let a = rule_truth(a, tracks, meter)?;
            a.or(rule_truth(b, tracks, meter)?, meter)
        }
    }
}

/// [`exists`] for what is part of further products: left with several targets a letter.
///
/// States are merged by what lies ahead only. Where they are merged by what lies behind them too, sums of two heaps are
/// smaller, but those of three have many times the states.
fn open(parts: &[&Relation], keep: &[Track], meter: &mut Meter) -> Result<Relation, Halt> {
    Ok(project(parts, keep, meter)?.bisimilar(meter)?)
}

/// The options of a rule under a candidate.
pub(crate) struct Options<'a> {
    rule: &'a HeapRule,
    graph: &'a Relation,
    /// For j = 1, 2, … the pairs (m, v) for which m falls into j heaps of values with nim-sum v.
    sums: Vec<Relation>,
}

impl<'a> Options<'a> {
    /// Of the rule if heaps have the values of `graph`, a relation on [`HEAP`] and [`VALUE`].
    pub(crate) fn new(rule: &'a HeapRule, graph: &'a Relation) -> Self {
        Options { rule, graph, sums: Vec::new() }
    }

    /// The pairs (n, v) for which some option of the heap n has value v; there may be several targets a letter.
    pub(crate) fn all(&mut self, meter: &mut Meter) -> Result<Relation, Halt> {
        let mut whole: Option<Relation> = None;
        for alternative in self.rule.alternatives() {
            for (count, parts) in counts(alternative)? {
                let Some(piece) = self.piece(alternative, count, parts, meter)? else { continue };
                whole = Some(match whole {
                    None => piece,
                    Some(before) => before.union(&piece, meter)?,
                });
            }
        }
        match whole {
            Some(whole) => Ok(whole.reduced(meter)?),
            None => Ok(atoms::all(&[HEAP, VALUE], meter)?.not(meter)?),
        }
    }

    /// Those of one alternative that leave `count` heaps.
    fn piece(
        &mut self,
        a: &Alternative,
        count: u32,
        parts: Parts,
        meter: &mut Meter,
    ) -> Result<Option<Relation>, Halt> {
        let keep = [HEAP, VALUE];
        let mut relations = vec![amounts(&a.take, TAKEN, meter)?];
        if count < 2 {
            let least = plus(Linear::constant(1), &Linear::track(TAKEN), -1)?;
            relations.push(atoms::at_most_zero(&least, meter)?);
        }
        if a.condition.is_none() && (count < 2 || parts == Parts::Any) {
            let rest = PART;
            let sum = plus(plus(Linear::track(TAKEN), &Linear::track(rest), 1)?, &Linear::track(HEAP), -1)?;
            relations.push(atoms::equal_zero(&sum, meter)?);
            relations.push(self.sum(count, meter)?.renamed(&[rest, VALUE], meter)?);
        } else {
            let tracks: Vec<Track> = (0..count as u8).map(|i| PART + i).collect();
            let mut sum = plus(Linear::track(TAKEN), &Linear::track(HEAP), -1)?;
            let mut values = vec![VALUE];
            for (i, t) in (0..).zip(&tracks) {
                sum = plus(sum, &Linear::track(*t), 1)?;
                relations.push(self.heap(meter)?.renamed(&[*t, PART_VALUE + i], meter)?);
                values.push(PART_VALUE + i);
            }
            relations.push(atoms::equal_zero(&sum, meter)?);
            relations.push(
                atoms::columnwise(&(0..values.len() as u8).collect::<Vec<_>>(), |l| l.count_ones() % 2 == 0, meter)?
                    .renamed(&values, meter)?,
            );
            let symmetric = a.condition.is_none();
            for (i, t) in tracks.iter().enumerate() {
                for u in &tracks[i + 1..] {
                    let difference = plus(Linear::track(*t), &Linear::track(*u), -1)?;
                    match parts {
                        Parts::AllEqual => relations.push(atoms::equal_zero(&difference, meter)?),
                        // in order, if no condition tells the parts
                        Parts::Unequal if symmetric => {
                            relations.push(atoms::at_most_zero(&plus(difference, &Linear::constant(1), 1)?, meter)?);
                        }
                        Parts::Unequal => relations.push(atoms::equal_zero(&difference, meter)?.not(meter)?),
                        Parts::Any | Parts::NotAllEqual => {}
                    }
                }
            }
            if let (Parts::NotAllEqual, Some((first, others))) = (parts, tracks.split_first()) {
                let mut equal = Context::new();
                for t in others {
                    let difference = plus(Linear::track(*first), &Linear::track(*t), -1)?;
                    equal.parts.push(atoms::equal_zero(&difference, meter)?);
                }
                relations.push(equal.close(&tracks, meter)?.not(meter)?);
            }
            if let Some(condition) = &a.condition {
                let all: Vec<Track> = [HEAP, TAKEN].into_iter().chain(tracks).collect();
                relations.push(rule_truth(condition, &all, meter)?.yes);
            }
        }
        if relations.iter().any(Relation::is_empty) {
            return Ok(None);
        }
        let every = atoms::all(&keep, meter)?;
        let parts: Vec<&Relation> = relations.iter().chain([&every]).collect();
        Ok(Some(open(&parts, &keep, meter)?))
    }

    /// The non-empty heaps and their values.
    fn heap(&self, meter: &mut Meter) -> Result<Relation, Halt> {
        let positive = atoms::at_most_zero(&plus(Linear::constant(1), &Linear::track(HEAP), -1)?, meter)?;
        open(&[self.graph, &positive], &[HEAP, VALUE], meter)
    }

    /// The pairs (m, v) for which m falls into `count` heaps of values with nim-sum v.
    fn sum(&mut self, count: u32, meter: &mut Meter) -> Result<Relation, Halt> {
        if count == 0 {
            return Ok(atoms::columnwise(&[HEAP, VALUE], |l| l == 0, meter)?);
        }
        while self.sums.len() < count as usize {
            let heap = self.heap(meter)?;
            let next = match self.sums.last() {
                None => heap,
                Some(before) => {
                    // quantified here at once: all three parts together are far too many states
                    let [a, b, u, w] = [PART, PART + 1, PART_VALUE, PART_VALUE + 1];
                    let sum = plus(plus(Linear::track(a), &Linear::track(b), 1)?, &Linear::track(HEAP), -1)?;
                    let sum = atoms::equal_zero(&sum, meter)?;
                    let xor = atoms::columnwise(&[VALUE, u, w], |l| l.count_ones() % 2 == 0, meter)?;
                    let (before, heap) = (before.renamed(&[a, u], meter)?, heap.renamed(&[b, w], meter)?);
                    open(&[&before, &heap, &sum, &xor], &[HEAP, VALUE], meter)?
                }
            };
            self.sums.push(next);
        }
        Ok(self.sums[count as usize - 1].clone())
    }
}

/// Says whether the rule is in the theory.
///
/// # Errors
/// What it has that automata cannot say.
pub(crate) fn inside(rule: &HeapRule, meter: &mut Meter) -> Result<(), Halt> {
    for a in rule.alternatives() {
        let counts = counts(a)?;
        amounts(&a.take, TAKEN, meter)?;
        let most = counts.iter().map(|(count, _)| *count).max().unwrap_or(0);
        let tracks: Vec<Track> = [HEAP, TAKEN].into_iter().chain((0..most as u8).map(|i| PART + i)).collect();
        if let Some(condition) = &a.condition {
            rule_truth(condition, &tracks, meter)?;
        }
    }
    Ok(())
}

/// The numbers of heaps that may be left.
fn counts(a: &Alternative) -> Result<Vec<(u32, Parts)>, Halt> {
    match a.leave.most() {
        None => Err(Halt::outside("moves that leave any number of heaps")),
        Some(most) if most > MOST_PARTS => Err(Halt::outside("moves that leave more than six heaps")),
        Some(_) => Ok(a.leave.exact.clone()),
    }
}
