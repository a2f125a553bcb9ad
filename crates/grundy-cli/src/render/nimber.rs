//! Values of nimber expressions.

use std::io::{self, Write};

use grundy::nimber::NimberAnswer;
use grundy_core::{
    notation::nimber::NimberValue,
    theory::{Natural, nimber::Roots},
};

/// The value alone, one root a line; then, if `explain`, what is known of it.
pub fn text(out: &mut impl Write, answer: &NimberAnswer, explain: bool) -> io::Result<()> {
    let Some(value) = &answer.value else { return Ok(()) };
    let shown: Vec<&Natural> = match value {
        NimberValue::Nimber(n) => vec![n.size()],
        NimberValue::Number(n) => vec![n],
        NimberValue::Roots(roots) => roots.list().unwrap_or_default().into_iter().map(|x| x.size()).collect(),
    };
    match value {
        NimberValue::Roots(Roots::None) => writeln!(out, "none")?,
        NimberValue::Roots(Roots::All) => writeln!(out, "all")?,
        _ => shown.iter().try_for_each(|n| writeln!(out, "{n}"))?,
    }
    if !explain {
        return Ok(());
    }
    match value {
        NimberValue::Number(_) => writeln!(out, "An ordinary number, no nimber.")?,
        NimberValue::Roots(Roots::None) => writeln!(out, "No nimber is a root: the equation is c = 0 for another c.")?,
        NimberValue::Roots(Roots::All) => writeln!(out, "Every nimber is a root: the equation is 0 = 0.")?,
        _ => {}
    }
    for n in shown {
        writeln!(out, "Hexadecimal: {n:#x}.")?;
    }
    let bits = answer.field_bits;
    writeln!(out, "Field: the nimbers below 2^{bits}{}.", if bits <= 64 { elements(bits) } else { String::new() })?;
    writeln!(out, "Status: {}.", answer.header.status.word())?;
    writeln!(out, "  {}", answer.header.method)
}

fn elements(bits: u64) -> String {
    format!(" = {}", 1u128 << bits)
}
