//! Expressions of nimbers within a budget.

use grundy_core::{
    notation::{
        SyntaxError,
        nimber::{Calculation, Expression, Function, NimberError, NimberValue},
    },
    theory::{
        Convention,
        nimber::{LONG_LOG_BYTES, Roots},
    },
};

use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
};

/// Steps of the meter for an operation, so many that it looks at the clock.
const STEPS: u64 = 1 << 14;

/// What is an expression worth?
#[derive(Clone, Debug)]
pub struct NimberQuery {
    /// The expression.
    pub expression: Expression,
    /// Logarithms above 64 bits, up to 128, are worth some seconds and [`LONG_LOG_BYTES`].
    pub long_logs: bool,
}

/// What an expression is worth.
#[derive(Clone, Debug)]
pub struct NimberAnswer {
    /// Status, method, sources, cost; the convention does not matter.
    pub header: Header,
    /// The expression in canonical form.
    pub expression: String,
    /// The value; None if a limit was reached first.
    pub value: Option<NimberValue>,
    /// Bits of the field in which it was computed, the least one that holds all numbers and the value.
    pub field_bits: u64,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

impl Session {
    /// The value of an expression of nimbers.
    ///
    /// # Complexity
    /// That of the operations; a limit is looked at before each, and within powers, orders and long logarithms.
    ///
    /// # Errors
    /// What has no value, with its place: division by 0, a logarithm that there is not.
    ///
    /// # Examples
    /// ```
    /// use grundy::{Budget, Session, nimber::NimberQuery};
    /// use grundy_core::notation::nimber::Expression;
    /// let ask = |text: &str| NimberQuery { expression: Expression::parse(text, 64).unwrap(), long_logs: false };
    /// let answer = Session::new().nimber(&ask("inv(2^32-5)"), &Budget::default())?;
    /// assert_eq!(answer.value.unwrap().nimber().unwrap().to_string(), "4147990372");
    /// assert_eq!(Session::new().nimber(&ask("1 / (5 + 5)"), &Budget::default()).unwrap_err().span, 4..11);
    /// # Ok::<(), grundy_core::notation::SyntaxError>(())
    /// ```
    pub fn nimber(&mut self, query: &NimberQuery, budget: &Budget) -> Result<NimberAnswer, SyntaxError> {
        let mut meter = Meter::new(budget);
        let expression = &query.expression;
        let mut field_bits = expression.field_bits();
        let has_log = expression.calls(Function::Log);
        let mut stop = None;
        if query.long_logs && has_log && field_bits > 64 {
            stop = meter.bytes(LONG_LOG_BYTES).err();
        }
        let mut value = None;
        if stop.is_none() {
            let mut go_on = || {
                stop = meter.steps(STEPS).err();
                stop.is_none()
            };
            let mut calculation = Calculation { long_logs: query.long_logs, go_on: &mut go_on };
            match expression.value(&mut calculation) {
                Ok(found) => value = Some(found),
                Err(NimberError::Stopped) => {}
                Err(NimberError::Refused(error)) => return Err(error),
            }
        }
        if let Some(NimberValue::Roots(Roots::One(x) | Roots::Two(_, x))) = &value {
            field_bits = field_bits.max(x.field_bits());
        }
        let mut method =
            format!("arithmetic in the field of the nimbers below 2^{field_bits}, by halves: F x F = F + F/2");
        let mut sources = vec!["ONAG"];
        if expression.calls(Function::Order) {
            method.push_str("; orders by the prime factors of Fermat numbers");
            if field_bits > 64 {
                sources.push("Bre99");
            }
        }
        if has_log {
            method.push_str("; logarithms modulo each prime of the order, in steps of its root");
        }
        let status = if value.is_some() { Status::Computed } else { Status::Stopped };
        let stats = Stats { elapsed: meter.elapsed(), positions: 0 };
        let header = Header { convention: Convention::Normal, status, method, sources, stats };
        Ok(NimberAnswer { header, expression: expression.to_string(), value, field_bits, stop })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn query(text: &str, long_logs: bool) -> NimberQuery {
        NimberQuery { expression: Expression::parse(text, 4096).unwrap(), long_logs }
    }

    #[test]
    fn limits_stop_with_a_reason() {
        let budget = Budget { time: Some(Duration::ZERO), ..Budget::default() };
        let answer = Session::new().nimber(&query("pow(3, 2^4000)", false), &budget).unwrap();
        assert_eq!((answer.value, answer.header.status), (None, Status::Stopped));
        assert!(answer.stop.is_some());
        let budget = Budget { memory: Some(1 << 20), ..Budget::default() };
        let answer = Session::new().nimber(&query("log(2^64)", true), &budget).unwrap();
        assert!(answer.stop.is_some_and(|s| s.to_string().contains("memory")));
    }

    #[test]
    fn the_field_is_that_of_the_roots_too() {
        let answer = Session::new().nimber(&query("solve(1, 1, 8)", false), &Budget::default()).unwrap();
        assert_eq!(answer.field_bits, 8);
        assert!(answer.header.method.contains("below 2^8"));
    }
}
