//! Printing: canonical text with no more parentheses than needed.

use core::fmt;

use super::ast::{Arguments, Condition, Level, Operation, Term};
use super::{Claim, Formula};

/// A term or condition together with the names of its variables, ready to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a, T> {
    tree: &'a T,
    names: &'a [String],
}

impl Term {
    /// The term with its variables called `names`, to be printed; a variable without a name prints as `?` and its place.
    pub fn display<'a>(&'a self, names: &'a [String]) -> Named<'a, Term> {
        Named { tree: self, names }
    }
}

impl Condition {
    /// The condition with its variables called `names`, to be printed; a variable without a name prints as `?` and its
    /// place.
    pub fn display<'a>(&'a self, names: &'a [String]) -> Named<'a, Condition> {
        Named { tree: self, names }
    }
}

impl fmt::Display for Named<'_, Term> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_term(f, self.tree, self.names, Level::BitOr)
    }
}

impl fmt::Display for Named<'_, Condition> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_condition(f, self.tree, self.names, Level::Or)
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.variables();
        for case in self.cases() {
            write!(f, "{}: {}; ", case.condition.display(names), case.value.display(names))?;
        }
        if !self.cases().is_empty() {
            f.write_str("else ")?;
        }
        write!(f, "{}", self.otherwise().display(names))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.condition().display(self.variables()))
    }
}

/// Writes `term`, in parentheses if it binds less tightly than `floor`.
fn write_term(f: &mut fmt::Formatter<'_>, term: &Term, names: &[String], floor: Level) -> fmt::Result {
    if term.level() < floor {
        f.write_str("(")?;
        write_term(f, term, names, Level::BitOr)?;
        return f.write_str(")");
    }
    match term {
        Term::Integer(value) => write!(f, "{value}"),
        Term::Variable(i) => match names.get(*i) {
            Some(name) => f.write_str(name),
            None => write!(f, "?{i}"),
        },
        Term::Chain(chain) => {
            write_term(f, chain.first(), names, chain.level())?;
            for operation in chain.operations() {
                write!(f, " {} ", operation.symbol())?;
                match operation {
                    Operation::Mod(m) | Operation::Div(m) => write!(f, "{}", m.get())?,
                    Operation::ShiftLeft(s) | Operation::ShiftRight(s) => write!(f, "{}", s.get())?,
                    _ => {}
                }
                if let Some(t) = operation.operand() {
                    write_term(f, t, names, operation.level().tighter())?;
                }
            }
            Ok(())
        }
        Term::LowBit(t) => write_call(f, "lowbit", core::slice::from_ref(&**t), names),
        Term::BitLength(t) => write_call(f, "bitlength", core::slice::from_ref(&**t), names),
        Term::Min(ts) => write_call(f, "min", Arguments::terms(ts), names),
        Term::Max(ts) => write_call(f, "max", Arguments::terms(ts), names),
    }
}

fn write_call(f: &mut fmt::Formatter<'_>, name: &str, arguments: &[Term], names: &[String]) -> fmt::Result {
    f.write_str(name)?;
    for (i, t) in arguments.iter().enumerate() {
        f.write_str(if i == 0 { "(" } else { ", " })?;
        write_term(f, t, names, Level::BitOr)?;
    }
    f.write_str(")")
}

/// Writes `condition`, in parentheses if it binds less tightly than `floor`.
fn write_condition(f: &mut fmt::Formatter<'_>, condition: &Condition, names: &[String], floor: Level) -> fmt::Result {
    if condition.level() < floor {
        f.write_str("(")?;
        write_condition(f, condition, names, Level::Or)?;
        return f.write_str(")");
    }
    match condition {
        Condition::Compare(left, comparison, right) => {
            write_term(f, left, names, Level::BitOr)?;
            write!(f, " {} ", comparison.symbol())?;
            write_term(f, right, names, Level::BitOr)
        }
        Condition::Columns(columns) => {
            write_call(f, "columns", columns.arguments().terms(), names)?;
            write!(f, " mod {} = {}", columns.modulus().get(), columns.residue())
        }
        Condition::Not(c) => {
            f.write_str("not ")?;
            write_condition(f, c, names, Level::Not)
        }
        Condition::And(cs) | Condition::Or(cs) => {
            let word = if condition.level() == Level::And { " and " } else { " or " };
            for (i, c) in cs.parts().iter().enumerate() {
                f.write_str(if i == 0 { "" } else { word })?;
                write_condition(f, c, names, condition.level().tighter())?;
            }
            Ok(())
        }
    }
}
