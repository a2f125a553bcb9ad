//! The trees of formulas and claims: plain data in one normal form.
//!
//! Runs of operations of one level (`a + b - c`) are kept flat, in the order in which they are carried out, and so are
//! runs of `and` and of `or`. A long formula is therefore wide, not deep, and whoever walks a tree by recursion goes as
//! deep as the text has parentheses. [`Term::then`], [`Condition::and`] and [`Condition::or`] are the only ways to build
//! such runs and keep them flat; two trees are equal exactly if they print the same.

/// How tightly the parts of a formula bind, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Compare,
    BitOr,
    Xor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Primary,
}

impl Level {
    /// The next tighter level: what the right operand of a left-associative operator must reach.
    pub(super) fn tighter(self) -> Level {
        match self {
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Compare,
            Level::Compare => Level::BitOr,
            Level::BitOr => Level::Xor,
            Level::Xor => Level::BitAnd,
            Level::BitAnd => Level::Shift,
            Level::Shift => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product | Level::Primary => Level::Primary,
        }
    }
}

/// The constant on the right of `mod` and `div`: a positive integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Divisor(i128);

impl Divisor {
    /// `value` as a divisor; `None` unless it is positive.
    pub fn new(value: i128) -> Option<Self> {
        (value > 0).then_some(Divisor(value))
    }

    /// The integer, at least 1.
    pub fn get(self) -> i128 {
        self.0
    }
}

/// The constant on the right of `<<` and `>>`: an integer from 0 to 127.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shift(u8);

impl Shift {
    /// The greatest shift: the number of bits of a non-negative value.
    pub const MAX: u8 = 127;

    /// `value` as a shift; `None` above [`Shift::MAX`].
    pub fn new(value: u8) -> Option<Self> {
        (value <= Self::MAX).then_some(Shift(value))
    }

    /// The number of bit positions, at most 127.
    pub fn get(self) -> u32 {
        u32::from(self.0)
    }
}

/// An integer expression over numbered variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// An integer, which may be negative.
    Integer(i128),
    /// The variable with this place in the list of declared names, from 0.
    Variable(usize),
    /// Operations of one level, carried out from the left; made by [`Term::then`].
    Chain(Chain),
    /// `lowbit(t)`: the greatest power of two that divides t; lowbit(0) = 0.
    LowBit(Box<Term>),
    /// `bitlength(t)`: the number of binary digits of t; bitlength(0) = 0.
    BitLength(Box<Term>),
    /// `min(t, …)`.
    Min(Arguments),
    /// `max(t, …)`.
    Max(Arguments),
}

impl Term {
    /// This term with `operation` applied to it: `a - b` then `+ c` is `a - b + c`.
    #[must_use]
    pub fn then(self, operation: Operation) -> Term {
        match self {
            Term::Chain(mut chain) if chain.level() == operation.level() => {
                chain.operations.push(operation);
                Term::Chain(chain)
            }
            first => Term::Chain(Chain { first: Box::new(first), operations: vec![operation] }),
        }
    }

    /// True if no variable occurs.
    pub fn is_constant(&self) -> bool {
        self.variable_bound() == 0
    }

    /// The least number of declared names that this term needs: one more than its greatest variable.
    pub(super) fn variable_bound(&self) -> usize {
        match self {
            Term::Integer(_) => 0,
            Term::Variable(i) => i.saturating_add(1),
            Term::Chain(chain) => {
                let rest = chain.operations.iter().filter_map(Operation::operand);
                let rest = rest.map(Term::variable_bound).max().unwrap_or(0);
                chain.first.variable_bound().max(rest)
            }
            Term::LowBit(t) | Term::BitLength(t) => t.variable_bound(),
            Term::Min(ts) | Term::Max(ts) => ts.variable_bound(),
        }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Term::Chain(chain) => chain.level(),
            _ => Level::Primary,
        }
    }
}

/// A first term and one or more operations of one level, carried out from the left.
///
/// The first term is no chain of the same level; [`Term::then`] sees to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    first: Box<Term>,
    operations: Vec<Operation>,
}

impl Chain {
    /// What the first operation is applied to.
    pub fn first(&self) -> &Term {
        &self.first
    }

    /// The operations in the order in which they are carried out; never empty.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    pub(super) fn level(&self) -> Level {
        self.operations[0].level()
    }
}

/// One step of a [`Chain`]: an operator with its right operand, applied to the value so far.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `* t`
    Times(Term),
    /// `mod m`: the remainder from 0 to m - 1, of negative values too.
    Mod(Divisor),
    /// `div m`: the quotient rounded down.
    Div(Divisor),
    /// `+ t`
    Plus(Term),
    /// `- t`
    Minus(Term),
    /// `<< s`: times 2^s.
    ShiftLeft(Shift),
    /// `>> s`: divided by 2^s, rounded down.
    ShiftRight(Shift),
    /// `bitand t`
    BitAnd(Term),
    /// `xor t`, the nim-sum.
    Xor(Term),
    /// `bitor t`
    BitOr(Term),
}

impl Operation {
    /// The operator as it is written.
    pub fn symbol(&self) -> &'static str {
        match self {
            Operation::Times(_) => "*",
            Operation::Mod(_) => "mod",
            Operation::Div(_) => "div",
            Operation::Plus(_) => "+",
            Operation::Minus(_) => "-",
            Operation::ShiftLeft(_) => "<<",
            Operation::ShiftRight(_) => ">>",
            Operation::BitAnd(_) => "bitand",
            Operation::Xor(_) => "xor",
            Operation::BitOr(_) => "bitor",
        }
    }

    /// The right operand, if it is a term and not a constant.
    pub fn operand(&self) -> Option<&Term> {
        match self {
            Operation::Mod(_) | Operation::Div(_) | Operation::ShiftLeft(_) | Operation::ShiftRight(_) => None,
            Operation::Times(t) | Operation::Plus(t) | Operation::Minus(t) => Some(t),
            Operation::BitAnd(t) | Operation::Xor(t) | Operation::BitOr(t) => Some(t),
        }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Operation::Times(_) | Operation::Mod(_) | Operation::Div(_) => Level::Product,
            Operation::Plus(_) | Operation::Minus(_) => Level::Sum,
            Operation::ShiftLeft(_) | Operation::ShiftRight(_) => Level::Shift,
            Operation::BitAnd(_) => Level::BitAnd,
            Operation::Xor(_) => Level::Xor,
            Operation::BitOr(_) => Level::BitOr,
        }
    }
}

/// The arguments of `min`, `max` or `columns`: at least one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arguments(Vec<Term>);

impl Arguments {
    /// These arguments; `None` if there is none.
    pub fn new(terms: Vec<Term>) -> Option<Self> {
        (!terms.is_empty()).then_some(Arguments(terms))
    }

    /// The arguments in the order written; never empty.
    pub fn terms(&self) -> &[Term] {
        &self.0
    }

    fn variable_bound(&self) -> usize {
        self.0.iter().map(Term::variable_bound).max().unwrap_or(0)
    }
}

/// A comparison sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`, also read as `==`.
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// The sign as it is printed.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }

    /// True if `left` stands in this relation to `right`.
    pub fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

/// What is true or false of the values of the variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `left comparison right`
    Compare(Term, Comparison, Term),
    /// `columns(t, …) mod m = r`; see [`Columns`].
    Columns(Columns),
    /// `not c`
    Not(Box<Condition>),
    /// `c and c and …`; made by [`Condition::and`].
    And(Conditions),
    /// `c or c or …`; made by [`Condition::or`].
    Or(Conditions),
}

impl Condition {
    /// Both conditions; runs of `and` stay flat.
    #[must_use]
    pub fn and(self, other: Condition) -> Condition {
        let mut parts = match self {
            Condition::And(Conditions(parts)) => parts,
            one => vec![one],
        };
        match other {
            Condition::And(Conditions(more)) => parts.extend(more),
            one => parts.push(one),
        }
        Condition::And(Conditions(parts))
    }

    /// At least one of the conditions; runs of `or` stay flat.
    #[must_use]
    pub fn or(self, other: Condition) -> Condition {
        let mut parts = match self {
            Condition::Or(Conditions(parts)) => parts,
            one => vec![one],
        };
        match other {
            Condition::Or(Conditions(more)) => parts.extend(more),
            one => parts.push(one),
        }
        Condition::Or(Conditions(parts))
    }

    /// The opposite, as `not c`.
    #[must_use]
    pub fn negated(self) -> Condition {
        Condition::Not(Box::new(self))
    }

    pub(super) fn variable_bound(&self) -> usize {
        match self {
            Condition::Compare(left, _, right) => left.variable_bound().max(right.variable_bound()),
            Condition::Columns(columns) => columns.arguments.variable_bound(),
            Condition::Not(c) => c.variable_bound(),
            Condition::And(cs) | Condition::Or(cs) => cs.0.iter().map(Condition::variable_bound).max().unwrap_or(0),
        }
    }

    pub(super) fn level(&self) -> Level {
        match self {
            Condition::Compare(..) | Condition::Columns(_) => Level::Compare,
            Condition::Not(_) => Level::Not,
            Condition::And(_) => Level::And,
            Condition::Or(_) => Level::Or,
        }
    }
}

/// The parts of a run of `and` or of `or`: at least two, none of them a run of the same kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Conditions(Vec<Condition>);

impl Conditions {
    /// The parts in the order written.
    pub fn parts(&self) -> &[Condition] {
        &self.0
    }
}

/// `columns(a, b, …) mod m = r`: for every i >= 0, the number of arguments with binary digit i set is r modulo m.
///
/// `columns(a, b, …) mod 2 = 0` says that the nim-sum is 0, and `mod k + 1` describes the P-positions of Moore's Nim in
/// which a move lowers up to k heaps. Far enough up every column is empty, so with r != 0 the condition is never true
/// (for m = 1 the only residue is 0, and the condition is always true).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Columns {
    arguments: Arguments,
    modulus: Divisor,
    residue: i128,
}

impl Columns {
    /// The condition; `None` unless 0 <= `residue` < `modulus`.
    pub fn new(arguments: Arguments, modulus: Divisor, residue: i128) -> Option<Self> {
        (0..modulus.get()).contains(&residue).then_some(Columns { arguments, modulus, residue })
    }

    /// The numbers that are written below one another.
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// What the columns are counted modulo.
    pub fn modulus(&self) -> Divisor {
        self.modulus
    }

    /// The residue, at least 0 and below the modulus.
    pub fn residue(&self) -> i128 {
        self.residue
    }
}
