//! `grundy prove --tuple` and `grundy discover --tuple`: the P-positions of several heaps.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{
    Session,
    answer::Status,
    formats::json,
    tuples::{MOST_HEAPS, TupleAnswer, TupleFinding, TupleQuery, TupleRuleset, TupleSearch, TupleVerdict},
};
use grundy_core::{
    notation::{TupleRule, formula::Claim},
    theory::Convention,
};

use crate::{
    args::{LimitArgs, ProofArgs, TextOrJson},
    failure::{Failure, code},
    limits,
    render::form,
};

/// What was typed, of both commands.
pub struct Tuple<'a> {
    /// How many heaps, if that was said.
    pub heaps: Option<u8>,
    /// The ruleset in the notation.
    pub ruleset: &'a str,
    /// True if whoever cannot move wins.
    pub misere: bool,
    /// The limits.
    pub limits: &'a LimitArgs,
    /// The output format.
    pub format: TextOrJson,
}

impl<'a> Tuple<'a> {
    /// What was typed, if it asks about several heaps; `others` are the flags that ask something else.
    pub fn asked(ruleset: &'a str, args: &'a ProofArgs, others: &[(&str, bool)]) -> Result<Option<Self>, Failure> {
        if TupleRule::is_meant(ruleset) {
            let mut flags = others.iter().copied().chain([("--certificate", args.certificate.is_some())]);
            if let Some((flag, _)) = flags.find(|(_, is_given)| *is_given) {
                let message = format!("{flag} is not for a rule on several heaps");
                return Err(Failure::usage(message).hint("its P-positions are asked for, without it"));
            }
        } else if args.tuple.is_none() {
            if args.misere {
                return Err(Failure::usage("--misere needs --tuple K").hint("K is the number of heaps, 1 to 4"));
            }
            return Ok(None);
        }
        let ProofArgs { tuple, misere, certificate: _, format, limits } = args;
        Ok(Some(Tuple { heaps: *tuple, ruleset, misere: *misere, limits, format: *format }))
    }

    fn convention(&self) -> Convention {
        if self.misere { Convention::Misere } else { Convention::Normal }
    }

    /// The ruleset, and how many heaps.
    fn read(&self) -> Result<(TupleRuleset, u8), Failure> {
        let ruleset = TupleRuleset::read(self.ruleset).map_err(|e| Failure::syntax(self.ruleset, e))?;
        let heaps = match (self.heaps, ruleset.heaps()) {
            (Some(said), Some(named)) if said != named => {
                let message = format!("--tuple {said} and a rule that names {named} of the position's heaps");
                return Err(Failure::usage(message).hint(format!("leave --tuple out, or say --tuple {named}")));
            }
            (said, named) => said.or(named).unwrap_or(0),
        };
        if heaps == 0 || heaps > MOST_HEAPS {
            let message = format!("{heaps} heaps are not dealt with");
            return Err(Failure::usage(message).hint(format!("1 to {MOST_HEAPS} heaps are")));
        }
        Ok((ruleset, heaps))
    }
}

/// Proves that a claim holds at the P-positions and nowhere else, or refutes it.
pub fn prove(tuple: &Tuple, claim: &str) -> Result<ExitCode, Failure> {
    prove_to(&mut limits::stdout(), tuple, claim)
        .map(ExitCode::from)
        .map_err(|f| f.in_json(tuple.format == TextOrJson::Json))
}

fn prove_to(out: &mut impl Write, tuple: &Tuple, claim: &str) -> Result<u8, Failure> {
    let budget = limits::budget(tuple.limits, limits::Default::Interactive)?;
    let (ruleset, heaps) = tuple.read()?;
    let names = ruleset.names(heaps);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let claim = Claim::parse(claim, &names).map_err(|e| Failure::syntax(claim, e))?;
    let claim = claim.condition().clone();
    let query = TupleQuery { ruleset, heaps, convention: tuple.convention(), claim };
    let answer = Session::new().prove_tuple(&query, &budget)?;
    match tuple.format {
        TextOrJson::Json => writeln!(out, "{}", json::prove_tuple(&answer))?,
        TextOrJson::Text => text(out, &answer)?,
    }
    out.flush()?;
    Ok(match (&answer.verdict, &answer.stop) {
        (TupleVerdict::Proved, _) => 0,
        (TupleVerdict::Refuted { .. }, _) => code::DOES_NOT_HOLD,
        (TupleVerdict::Stopped, Some(stop)) => limits::exit_code(stop),
        (TupleVerdict::Stopped, None) => code::STOPPED,
    })
}

/// Looks for a description of the P-positions.
pub fn discover(tuple: &Tuple) -> Result<ExitCode, Failure> {
    discover_to(&mut limits::stdout(), tuple)
        .map(ExitCode::from)
        .map_err(|f| f.in_json(tuple.format == TextOrJson::Json))
}

fn discover_to(out: &mut impl Write, tuple: &Tuple) -> Result<u8, Failure> {
    let budget = limits::budget(tuple.limits, limits::Default::Interactive)?;
    let (ruleset, heaps) = tuple.read()?;
    let search = TupleSearch { ruleset, heaps, convention: tuple.convention() };
    let answer = Session::new().discover_tuple(&search, &budget)?;
    match tuple.format {
        TextOrJson::Json => writeln!(out, "{}", json::discover_tuple(&answer))?,
        TextOrJson::Text => finding(out, &answer)?,
    }
    out.flush()?;
    Ok(match &answer.stop {
        Some(stop) if answer.header.status != Status::Proved => limits::exit_code(stop),
        _ => 0,
    })
}

/// `kayles(a, b, c)`, in misère play where it is.
fn subject(game: &str, names: &[String], convention: Convention) -> String {
    let play = if convention == Convention::Misere { " in misère play" } else { "" };
    format!("{game}({}){play}", names.join(", "))
}

/// The answer of `prove` for people.
pub fn text(out: &mut impl Write, answer: &TupleAnswer) -> io::Result<()> {
    let subject = subject(&answer.game, &answer.names, answer.header.convention);
    match &answer.verdict {
        TupleVerdict::Proved => {
            writeln!(out, "Proved: {subject} is a P-position exactly if {}.", answer.claim)?;
            writeln!(out, "  {}", answer.header.method)
        }
        TupleVerdict::Refuted { position, is_member, why, is_smallest } => {
            let position = list(position);
            let (claimed, is) = if *is_member { ("P", "an N") } else { ("N", "a P") };
            if *is_smallest {
                writeln!(out, "Does not hold for {subject}: the smallest wrong position is {position}.")?;
                writeln!(out, "  It is {is}-position, the claim makes it {claimed}: {why}.")
            } else {
                writeln!(out, "Does not hold for {subject}: it is wrong at {position} or at an option of it.")?;
                writeln!(out, "  {why}; a smaller wrong position may exist.")
            }
        }
        TupleVerdict::Stopped => {
            writeln!(out, "Not decided for {subject}.")?;
            answer.stop.as_ref().map_or(Ok(()), |stop| writeln!(out, "  {stop}"))
        }
    }
}

/// The answer of `discover` for people.
pub fn finding(out: &mut impl Write, answer: &TupleFinding) -> io::Result<()> {
    let subject = subject(&answer.game, &answer.names, answer.header.convention);
    let word = answer.header.status.word();
    match (&answer.claim, &answer.by_values, answer.theorem, answer.states) {
        (Some(claim), ..) => writeln!(out, "{subject} is a P-position exactly if {claim} (status: {word}).")?,
        (None, Some(by), ..) => {
            writeln!(
                out,
                "{subject} is a P-position exactly if {} (status: {word}), where for every heap n",
                by.claim
            )?;
            let values = form::form(&by.form, &answer.game, true);
            values.lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            values.notes.iter().try_for_each(|note| writeln!(out, "  ({note})"))?;
        }
        (None, None, Some(theorem), _) => {
            writeln!(out, "The P-positions of {subject} are given by a theorem: {theorem} (status: {word}).")?;
        }
        (None, None, None, Some(states)) if answer.header.status == Status::Proved => writeln!(
            out,
            "The P-positions of {subject} are those that an automaton of {states} states accepts, reading all heaps in binary \
             at once, lowest bits first (status: {word})."
        )?,
        _ if answer.side > 0 => {
            writeln!(out, "No description of the P-positions of {subject} was found (status: {word}).")?;
        }
        _ => writeln!(out, "Nothing was found out about {subject}.")?,
    }
    writeln!(out, "  {}", answer.header.method)?;
    if !answer.members.is_empty() {
        let first: Vec<String> = answer.members.iter().map(|p| list(p)).collect();
        writeln!(out, "  the first P-positions, numbers below {}: {}", answer.side, first.join(" "))?;
        let shape = ["1000", "20x20"].get(answer.names.len() - 1);
        if let Some(shape) = shape.filter(|_| answer.claim.is_none() && !TupleRule::is_meant(&answer.game)) {
            let misere = if answer.header.convention == Convention::Misere { " --misere" } else { "" };
            writeln!(out, "  all of a box: grundy table '{}' {shape} --p-positions{misere}", answer.game)?;
        }
    }
    if let Some(stop) = &answer.stop {
        writeln!(out, "  {stop}")?;
    }
    Ok(())
}

/// `(3, 5)`
fn list(position: &[u64]) -> String {
    format!("({})", position.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNLIMITED: LimitArgs = LimitArgs { time: None, memory: None, positions: None, threads: None };

    fn typed<'a>(heaps: u8, ruleset: &'a str, limits: &'a LimitArgs, format: TextOrJson) -> Tuple<'a> {
        Tuple { heaps: Some(heaps), ruleset, misere: false, limits, format }
    }

    fn proved(tuple: &Tuple, claim: &str) -> (u8, String) {
        let mut out = Vec::new();
        let code = prove_to(&mut out, tuple, claim).unwrap_or_else(|f| f.code);
        (code, String::from_utf8(out).unwrap())
    }

    #[test]
    fn proofs_and_their_exit_codes() {
        let moore = typed(3, "moore[2]", &UNLIMITED, TextOrJson::Text);
        let (code, text) = proved(&moore, "columns(a,b,c) mod 3 = 0");
        let first = "Proved: moore[2](a, b, c) is a P-position exactly if columns(a, b, c) mod 3 = 0.\n";
        assert!(code == 0 && text.starts_with(first), "{text}");
        let (code, text) = proved(&moore, "a xor b xor c = 0");
        assert_eq!((code, text.as_str()), (1, WRONG));
        let none = LimitArgs { positions: Some(3), ..UNLIMITED };
        let (code, text) = proved(&typed(3, "moore[2]", &none, TextOrJson::Text), "a = b");
        assert!(code == 3 && text.contains("positions limit"), "{text}");
        for (heaps, ruleset, claim) in [
            (0, "nim", "a = 0"),
            (5, "nim", "a = 0"),
            (2, "[take primes]", "a = b"),
            (2, "nim", "a = c"),
            (2, "nym", "a = b"),
        ] {
            assert_eq!(
                proved(&typed(heaps, ruleset, &UNLIMITED, TextOrJson::Text), claim).0,
                2,
                "{heaps} {ruleset} {claim}"
            );
        }
    }

    const WRONG: &str = "Does not hold for moore[2](a, b, c): the smallest wrong position is (0, 1, 1).\n  It is an N-position, the claim \
                         makes it P: the claim holds there and at its option (0, 0, 0) too.\n";

    #[test]
    fn answers_in_json() {
        let misere = Tuple { misere: true, ..typed(2, "nim", &UNLIMITED, TextOrJson::Json) };
        let (code, text) = proved(&misere, "a = b");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((code, &json["holds"], &json["convention"]), (1, &false.into(), &"misere".into()));
        assert_eq!(json["counterexample"]["position"], serde_json::json!([0, 0]));
        assert_eq!(json["heaps"], serde_json::json!(["a", "b"]));
    }

    const NIM: &str = "[p, q -> x, y where x < p and y = q or x = p and y < q]";

    #[test]
    fn rules_of_ones_own() {
        let own =
            |heaps, ruleset, misere, format| Tuple { heaps, misere, format, ..typed(2, ruleset, &UNLIMITED, format) };
        let (code, text) = proved(&own(None, NIM, false, TextOrJson::Text), "p = q");
        assert_eq!(code, 0, "{text}");
        let first =
            format!("Proved: {NIM}(p, q) is a P-position exactly if p = q.\n  every move makes the total smaller; ");
        assert!(text.starts_with(&first), "{text}");
        let (code, text) = proved(&own(Some(2), NIM, true, TextOrJson::Json), "p = q");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((code, &json["game"], &json["heaps"]), (1, &NIM.into(), &serde_json::json!(["p", "q"])));
        assert_eq!(json["counterexample"]["position"], serde_json::json!([0, 0]));
        let refused = |tuple: &Tuple, claim: &str| prove_to(&mut Vec::new(), tuple, claim).unwrap_err();
        let failure = refused(&own(Some(3), NIM, false, TextOrJson::Text), "p = q");
        assert_eq!(
            (failure.code, failure.message.as_str()),
            (2, "--tuple 3 and a rule that names 2 of the position's heaps")
        );
        let endless = "[a, b -> x, y where x < a]";
        let failure = refused(&own(None, endless, false, TextOrJson::Text), "a = b");
        assert_eq!(failure.code, 2);
        assert!(failure.message.ends_with("the move (1, 0) -> (0, 2) makes the total larger"), "{}", failure.message);
        // its own names, and no others
        assert_eq!(refused(&own(None, NIM, false, TextOrJson::Text), "a = b").code, 2);
    }

    #[test]
    fn findings() {
        let found = |tuple: &Tuple| {
            let mut out = Vec::new();
            let code = discover_to(&mut out, tuple).unwrap_or_else(|f| f.code);
            (code, String::from_utf8(out).unwrap())
        };
        let (code, text) = found(&typed(3, "[take 1..3]", &UNLIMITED, TextOrJson::Text));
        let first =
            "[take 1..3](a, b, c) is a P-position exactly if a mod 4 xor b mod 4 xor c mod 4 = 0 (status: proved).\n";
        assert!(code == 0 && text.starts_with(first), "{text}");
        let (code, text) = found(&typed(1, "subtraction[{1,3,4}]", &UNLIMITED, TextOrJson::Text));
        let first = "subtraction[{1, 3, 4}](a) is a P-position exactly if G(a) = 0 (status: proved), where for every heap n\n  G(n)";
        assert!(code == 0 && text.starts_with(first), "{text}");
        assert!(text.contains("\n  by Sprague-Grundy") && text.contains(" --p-positions\n"), "{text}");
        let (code, text) = found(&typed(2, "nim", &UNLIMITED, TextOrJson::Json));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((code, &json["claim"], &json["status"]), (0, &"a = b".into(), &"proved".into()));
        let none = LimitArgs { positions: Some(30), ..UNLIMITED };
        assert_eq!(found(&typed(2, "nim", &none, TextOrJson::Text)).0, 3);
        let (code, text) = found(&typed(3, "lasker", &UNLIMITED, TextOrJson::Json));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let by = &json["by_values"];
        assert_eq!(
            (code, &json["claim"], &by["claim"]),
            (0, &serde_json::Value::Null, &"G(a) xor G(b) xor G(c) = 0".into())
        );
        assert!(by["formula"].as_str().is_some_and(|f| f.starts_with("n mod 4 = 3: n + 1; ")), "{text}");
        let (code, text) = found(&typed(2, "wythoff", &UNLIMITED, TextOrJson::Text));
        assert!(code == 0 && text.lines().next().is_some_and(|first| first.contains("golden ratio")), "{text}");
        let misere = Tuple { misere: true, ..typed(2, "lasker", &UNLIMITED, TextOrJson::Text) };
        assert_eq!(found(&misere).0, 2);
    }
}
