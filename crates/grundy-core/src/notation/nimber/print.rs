//! Trees to text.

use core::fmt;

use super::{Expression, Kind, Node, Sign};

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Node {
    fn is_loose(&self) -> bool {
        matches!(self.kind, Kind::Sum(_))
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factor = |f: &mut fmt::Formatter<'_>, node: &Node, wrapped: bool| {
            if wrapped { write!(f, "({node})") } else { write!(f, "{node}") }
        };
        match &self.kind {
            Kind::Number(n) => write!(f, "{n}"),
            Kind::Minus(n) => write!(f, "-{n}"),
            Kind::Sum(terms) => {
                for (i, term) in terms.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { " + " })?;
                    // a sum in parentheses is a term of its own, and so it stays
                    factor(f, term, term.is_loose())?;
                }
                Ok(())
            }
            Kind::Product(first, rest) => {
                factor(f, first, first.is_loose() || matches!(first.kind, Kind::Product(..)))?;
                for (sign, node) in rest {
                    f.write_str(if *sign == Sign::Times { " * " } else { " / " })?;
                    factor(f, node, node.is_loose() || matches!(node.kind, Kind::Product(..)))?;
                }
                Ok(())
            }
            Kind::Call(function, arguments) => {
                write!(f, "{}(", function.name())?;
                for (i, argument) in arguments.iter().enumerate() {
                    write!(f, "{}{argument}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
        }
    }
}
