//! Canonical text: single spaces, lower case, no more parentheses than needed.

use core::fmt;

use super::{Alt, Amount, Set, Sign, Term, Truth, WordRule};
use crate::rulesets::heap::{Comparison, Variable};

impl fmt::Display for WordRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, alternative) in self.alternatives.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " | " })?;
            write!(f, "{alternative}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Alt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, condition) = match self {
            Alt::Code(code) => return write!(f, "{code}"),
            Alt::Take { amount, leaving, condition } => {
                write!(f, "take {amount}")?;
                write_names(f, " leaving ", leaving)?;
                let taken = if let Amount::Named(name) = amount { name } else { "" };
                (Names { taken, parts: leaving }, condition)
            }
            Alt::Split { into, condition } => {
                f.write_str("split")?;
                write_names(f, " into ", into)?;
                (Names { taken: "", parts: into }, condition)
            }
        };
        if let Some(condition) = condition {
            f.write_str(" where ")?;
            names.write_truth(f, condition, Level::Or)?;
        }
        Ok(())
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Named(name) => f.write_str(name),
            Amount::Listed { include, but } => {
                write_sets(f, "", include)?;
                write_sets(f, " but ", but)
            }
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Set::One(k) => write!(f, "{k}"),
            Set::Range(first, None) => write!(f, "{first}.."),
            Set::Range(first, Some(last)) => write!(f, "{first}..{last}"),
            Set::Any => f.write_str("any"),
            Set::Odd => f.write_str("odd"),
            Set::Even => f.write_str("even"),
            Set::MultiplesOf(m) => write!(f, "multiples of {m}"),
            Set::PowersOf(b) => write!(f, "powers of {b}"),
            Set::Squares => f.write_str("squares"),
            Set::Primes => f.write_str("primes"),
            Set::Fibonacci => f.write_str("fibonacci"),
            Set::Divisors => f.write_str("divisors"),
        }
    }
}

fn write_names(f: &mut fmt::Formatter<'_>, before: &str, names: &[String]) -> fmt::Result {
    if names.is_empty() { Ok(()) } else { write!(f, "{before}{}", names.join(", ")) }
}

fn write_sets(f: &mut fmt::Formatter<'_>, before: &str, sets: &[Set]) -> fmt::Result {
    for (i, set) in sets.iter().enumerate() {
        f.write_str(if i == 0 { before } else { ", " })?;
        write!(f, "{set}")?;
    }
    Ok(())
}

/// How tightly a term or condition binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Sum,
    Product,
    Minus,
}

impl Term {
    fn level(&self) -> Level {
        match self {
            Term::Sum(..) => Level::Sum,
            Term::Times(..) | Term::Mod(..) => Level::Product,
            Term::Integer(_) | Term::Variable(_) | Term::Minus(_) | Term::Gcd(..) => Level::Minus,
        }
    }
}

impl Truth {
    fn level(&self) -> Level {
        match self {
            Truth::Or(_) => Level::Or,
            Truth::And(_) => Level::And,
            Truth::Not(_) | Truth::Compare(..) => Level::Not,
        }
    }
}

/// The names of one alternative.
struct Names<'a> {
    taken: &'a str,
    parts: &'a [String],
}

impl Names<'_> {
    fn name(&self, variable: Variable) -> &str {
        match variable {
            Variable::Heap => "n",
            Variable::Taken => self.taken,
            Variable::Part(i) => self.parts.get(usize::from(i)).map_or("", String::as_str),
        }
    }

    /// Writes `truth`, in parentheses if it binds less tightly than `floor`.
    fn write_truth(&self, f: &mut fmt::Formatter<'_>, truth: &Truth, floor: Level) -> fmt::Result {
        if truth.level() < floor {
            f.write_str("(")?;
            self.write_truth(f, truth, Level::Or)?;
            return f.write_str(")");
        }
        match truth {
            Truth::Compare(left, comparison, right) => {
                self.write_term(f, left, Level::Sum)?;
                write!(f, " {} ", sign(*comparison))?;
                self.write_term(f, right, Level::Sum)
            }
            Truth::Not(c) => {
                f.write_str("not ")?;
                self.write_truth(f, c, Level::Not)
            }
            Truth::And(members) | Truth::Or(members) => {
                let (word, floor) =
                    if truth.level() == Level::And { (" and ", Level::Not) } else { (" or ", Level::And) };
                for (i, member) in members.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { word })?;
                    self.write_truth(f, member, floor)?;
                }
                Ok(())
            }
        }
    }

    /// Writes `term`, in parentheses if it binds less tightly than `floor`.
    fn write_term(&self, f: &mut fmt::Formatter<'_>, term: &Term, floor: Level) -> fmt::Result {
        if term.level() < floor {
            f.write_str("(")?;
            self.write_term(f, term, Level::Sum)?;
            return f.write_str(")");
        }
        match term {
            Term::Integer(c) => write!(f, "{c}"),
            Term::Variable(v) => f.write_str(self.name(*v)),
            Term::Minus(t) => {
                f.write_str("-")?;
                self.write_term(f, t, Level::Minus)
            }
            Term::Times(a, b) => {
                self.write_term(f, a, Level::Product)?;
                f.write_str("*")?;
                self.write_term(f, b, Level::Minus)
            }
            Term::Mod(t, m) => {
                self.write_term(f, t, Level::Product)?;
                write!(f, " mod {m}")
            }
            Term::Gcd(a, b) => {
                f.write_str("gcd(")?;
                self.write_term(f, a, Level::Sum)?;
                f.write_str(", ")?;
                self.write_term(f, b, Level::Sum)?;
                f.write_str(")")
            }
            Term::Sum(first, rest) => {
                self.write_term(f, first, Level::Product)?;
                for (sign, t) in rest {
                    f.write_str(if *sign == Sign::Plus { " + " } else { " - " })?;
                    self.write_term(f, t, Level::Product)?;
                }
                Ok(())
            }
        }
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}
