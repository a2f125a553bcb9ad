//! `grundy table`

use std::{
    io::{self, Write},
    ops::ControlFlow,
    process::ExitCode,
};

use grundy::{Budget, Session, answer::TableAnswer, formats::json, query::TableQuery};
use grundy_core::{notation::parse::parse_number, rulesets::AnyRuleset, theory::Convention};

use crate::{
    args::{TableArgs, TextOrJson},
    failure::Failure,
    files::Files,
    limits,
};

pub fn run(args: TableArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    table(&args).map_err(|f| f.in_json(json))
}

fn table(args: &TableArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    let ruleset = Files::with(&args.own)?.any_ruleset(&args.ruleset)?;
    let query = TableQuery {
        shape: shape(args, &ruleset)?,
        convention: if args.misere { Convention::Misere } else { Convention::Normal },
        p_positions: args.p_positions,
        ruleset,
    };
    if query.p_positions && matches!(query.ruleset, AnyRuleset::Chomp) {
        return lost_boards(&query, args.format, &budget);
    }
    let answer = Session::new().table(&query, &budget)?;
    let mut out = limits::stdout();
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::table(&answer))?,
        TextOrJson::Text => {
            text(&mut out, &answer, query.shape.len() == 2, query.p_positions && answer.stop.is_none())?
        }
    }
    out.flush()?;
    if let Some(stop) = &answer.stop {
        if args.format == TextOrJson::Text {
            let _ = writeln!(io::stderr(), "{stop}");
        }
        return Ok(ExitCode::from(limits::exit_code(stop)));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes lost boards as they are found: there may be many millions.
fn lost_boards(query: &TableQuery, format: TextOrJson, budget: &Budget) -> Result<ExitCode, Failure> {
    let is_json = format == TextOrJson::Json;
    // the list stands between what does not depend on it and what is known at its end
    const LIST: &str = "\"p_positions\":[";
    let nothing = |_: &[u64]| ControlFlow::Break(());
    let frame = |answer: &TableAnswer| {
        let text = json::table(answer).to_string();
        let at = text.find(LIST).map_or(text.len(), |at| at + LIST.len());
        (text[..at].to_owned(), text[at..].to_owned())
    };
    let mut out = limits::stdout();
    let mut failed = Ok(());
    if is_json {
        let small = TableQuery { shape: vec![1; query.shape.len()], ..query.clone() };
        let answer = Session::new().lost_boards(&small, budget, &mut { nothing })?;
        failed = out.write_all(frame(&answer).0.as_bytes());
    }
    let [before, after] = if is_json { ["[", "]"] } else { ["(", ")\n"] };
    let between = if is_json { "," } else { ", " };
    let mut line = String::new();
    let mut is_empty = true;
    let answer = Session::new().lost_boards(query, budget, &mut |rows| {
        line.clear();
        if is_json && !is_empty {
            line.push(',');
        }
        is_empty = false;
        for (i, row) in rows.iter().enumerate() {
            line.push_str(if i == 0 { before } else { between });
            push_number(&mut line, *row);
        }
        line.push_str(after);
        failed = out.write_all(line.as_bytes());
        if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failed?;
    if is_json {
        writeln!(out, "{}", frame(&answer).1)?;
    } else if is_empty && answer.stop.is_none() {
        writeln!(out, "none")?;
    }
    out.flush()?;
    let Some(stop) = &answer.stop else { return Ok(ExitCode::SUCCESS) };
    if !is_json {
        let _ = writeln!(io::stderr(), "{stop}");
    }
    Ok(ExitCode::from(limits::exit_code(stop)))
}

/// Digits by hand: most of the time of a large table goes here.
fn push_number(line: &mut String, mut n: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    line.extend(digits[start..].iter().map(|d| char::from(*d)));
}

/// Most entries of a table.
const MOST: u64 = 1 << 28;

fn shape(args: &TableArgs, ruleset: &AnyRuleset) -> Result<Vec<u64>, Failure> {
    let sides = ruleset.dimension();
    let pairs = sides == Some(2);
    let shape = match (&args.shape, args.to) {
        // boards of so many rows, and columns up to --to
        (Some(rows), Some(to)) if matches!(ruleset, AnyRuleset::Chomp) => {
            let rows = parse_number(rows).ok().and_then(|r| u64::try_from(r).ok());
            match rows {
                Some(rows) => vec![rows, to],
                None => {
                    return Err(Failure::usage("--to goes with a number of rows").hint("for example chomp 3 --to 100"));
                }
            }
        }
        (Some(_), Some(_)) => return Err(Failure::usage("a shape and --to say the same; give one of them")),
        (None, Some(to)) if matches!(ruleset, AnyRuleset::Chomp) => vec![to; 2],
        (None, Some(to)) => {
            vec![to.saturating_add(1) - ruleset.first_number(); sides.unwrap_or(1)]
        }
        (Some(text), None) => {
            let sides: Result<Vec<u128>, _> = text.split(['x', 'X', '×']).map(parse_number).collect();
            let sides =
                sides.map_err(|_| Failure::usage(format!("\"{text}\" is no shape")).hint("write 20x20 or 64"))?;
            // beyond any table that can be, which is refused below
            let sides: Vec<u64> = sides.into_iter().map(|s| u64::try_from(s).unwrap_or(u64::MAX)).collect();
            if pairs && sides.len() == 1 { vec![sides[0]; 2] } else { sides }
        }
        (None, None) => return Err(Failure::usage("a shape such as 20x20, or --to, is needed")),
    };
    if shape.contains(&0) {
        return Err(Failure::usage("a side of a table holds at least one position").hint("write 20x20 or 64"));
    }
    if shape.iter().try_fold(1u64, |m, s| m.checked_mul(*s)).is_none_or(|m| m > MOST) {
        let shape = shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
        return Err(Failure::usage(format!("{shape} is too large: a table has at most {MOST} entries"))
            .hint("grundy solve answers single positions of any size"));
    }
    Ok(shape)
}

/// Rows of pairs stand under the numbers of their columns and behind those of the rows.
fn text(out: &mut impl Write, answer: &TableAnswer, is_pairs: bool, is_lost_wanted: bool) -> io::Result<()> {
    for p in &answer.p_positions {
        let numbers: Vec<String> = p.iter().map(u64::to_string).collect();
        writeln!(out, "({})", numbers.join(", "))?;
    }
    if is_lost_wanted && answer.p_positions.is_empty() {
        writeln!(out, "none")?;
    }
    let show = |v: &Option<u64>| v.map_or("-".to_owned(), |v| v.to_string());
    let columns = answer.rows.first().map_or(0, Vec::len);
    let last = |count: usize| (answer.first + count.saturating_sub(1) as u64).to_string().len();
    let widest = answer.rows.iter().flatten().map(|v| show(v).len()).max().unwrap_or(1);
    let width = if is_pairs { widest.max(last(columns)) } else { widest };
    let head = last(answer.rows.len());
    if is_pairs && columns > 0 {
        let cells: Vec<String> = (0..columns).map(|c| format!("{:>width$}", c as u64 + answer.first)).collect();
        let cells = cells.join(" ");
        writeln!(out, "{:head$} | {cells}", "")?;
        writeln!(out, "{}-+-{}", "-".repeat(head), "-".repeat(cells.len()))?;
    }
    for (r, row) in answer.rows.iter().enumerate() {
        if is_pairs {
            write!(out, "{:>head$} | ", r as u64 + answer.first)?;
        }
        let cells: Vec<String> = row.iter().map(|v| format!("{:>width$}", show(v))).collect();
        writeln!(out, "{}", cells.join(" "))?;
    }
    Ok(())
}
