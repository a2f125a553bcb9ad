//! The answer of `period`.

use std::io::{self, Write};

use grundy::period::{Finding, PeriodAnswer};

use super::solve::{capital, shorten};

/// Writes the whole answer: a line with the numbers, what is claimed, how sure it is and why.
pub fn write(out: &mut impl Write, answer: &PeriodAnswer) -> io::Result<()> {
    match answer.finding {
        Finding::Periodic(p) => writeln!(out, "{}: {p}", shorten(&answer.game))?,
        Finding::Never(_) => writeln!(out, "{}: no period", shorten(&answer.game))?,
        Finding::Excluded | Finding::Nothing => writeln!(out, "{}: no period found", shorten(&answer.game))?,
    }
    writeln!(out, "{}.", capital(&answer.statement))?;
    if let Some(stop) = &answer.stop {
        writeln!(out, "{}", capital(&stop.to_string()))?;
    }
    writeln!(out, "Status: {}.", answer.header.status.word())?;
    if let Some(theorem) = answer.theorem {
        writeln!(out, "  {}", shorten(theorem))?;
    }
    writeln!(out, "  {}", shorten(&answer.header.method))
}
