//! Fuzz targets as plain functions: they take bytes and panic only on a defect.

use std::{ops::ControlFlow, time::Duration};

use grundy::{
    Budget, Session,
    budget::Meter,
    formats::{graph, json, rules::read_rules},
    judge::{Catalogue, Program},
    misere::OutcomeSearch,
    query::SolveQuery,
    rules::RulesQuery,
};
use grundy_core::{
    notation::{SyntaxError, formula::Formula, nimber, print_sum, read_game, read_ruleset, read_sum},
    proof::{GraphCertificate, GraphClaim, digest_of_graph},
    rulesets::AnyComponent,
    theory::{
        Convention, Outcome, Sum,
        digraph::Digraph,
        loopy_value::{Label, label_plainly, value_of},
    },
};

/// The parsers never panic, every error points into the text, and what is printed reads back as the same.
pub fn notation(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    nimbers(text);
    match read_game(text) {
        Ok(sum) if sum.len() < 1 << 12 => {
            let printed = print_sum(sum.components());
            let again = read_sum(&printed).unwrap_or_else(|e| panic!("{text:?} prints as {printed:?}: {e}"));
            assert_eq!(again.components(), sum.components(), "{text:?} prints as {printed:?}");
            assert_eq!(print_sum(again.components()), printed);
        }
        Ok(_) => {}
        Err(e) => points_into(text, &e),
    }
    if let Err(e) = read_ruleset(text) {
        points_into(text, &e);
    }
    match Formula::parse(text, &["n"]) {
        Ok(f) => {
            let _ = f.eval(&[7]);
            let printed = f.to_string();
            let again =
                Formula::parse(&printed, &["n"]).unwrap_or_else(|e| panic!("{text:?} prints as {printed:?}: {e}"));
            assert_eq!(again.to_string(), printed);
        }
        Err(e) => points_into(text, &e),
    }
}

/// Files of rules never panic, their errors have places in the text, and rules that are read keep the laws or are refused.
pub fn rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match read_rules(text) {
        Ok((name, ruleset)) => {
            let query = RulesQuery { name, ruleset, from: Vec::new(), seed: 1, positions: 50 };
            let budget = Budget { time: Some(Duration::from_millis(200)), memory: Some(1 << 26), ..Budget::default() };
            let _ = Session::new().check_rules(&query, &budget);
        }
        Err(e) => {
            assert!(e.span.start <= text.len(), "{text:?}: {e}");
            assert!(e.line <= text.matches('\n').count() + 1, "{text:?}: {e}");
        }
    }
}

/// Expressions of nimbers never panic, within their limits, and what is printed reads back.
fn nimbers(text: &str) {
    match nimber::Expression::parse(text, 256) {
        Ok(e) => {
            let printed = e.to_string();
            let again = nimber::Expression::parse(&printed, 256)
                .unwrap_or_else(|e| panic!("{text:?} prints as {printed:?}: {e}"));
            assert_eq!(again, e, "{text:?} prints as {printed:?}");
            let mut left = 1000;
            let mut go_on = || {
                left -= 1;
                left > 0
            };
            if let Err(nimber::NimberError::Refused(e)) = e.value(&mut nimber::Calculation::new(&mut go_on)) {
                points_into(text, &e);
            }
        }
        Err(e) => points_into(text, &e),
    }
}

fn points_into(text: &str, error: &SyntaxError) {
    assert!(text.get(error.span.clone()).is_some(), "{text:?}: span {:?} of {error}", error.span);
    assert!(!error.message.is_empty());
}

/// Solving never panics under a small budget, and small answers agree with the outcome search.
pub fn solve(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(game) = read_game(text) else { return };
    if game.len() > 1 << 10 {
        return;
    }
    for convention in [Convention::Normal, Convention::Misere] {
        let budget = Budget {
            time: Some(Duration::from_millis(50)),
            memory: Some(64 << 20),
            positions: Some(20_000),
            ..Budget::default()
        };
        let query =
            SolveQuery { limit: 50, explain: true, remoteness: true, ..SolveQuery::new(game.clone(), convention) };
        let Ok(answer) = Session::new().solve(&query, &budget) else { continue };
        let _ = json::solve(&answer).to_string();
        let mut search = OutcomeSearch::new(convention);
        let meter = || Meter::new(&budget);
        if let (Some(outcome), Ok(found)) = (answer.outcome, search.outcome(game.components(), &mut meter())) {
            assert_eq!(outcome, found, "{text:?} {convention}");
        }
        for m in &answer.moves {
            let next = game.replaced(m.component, &m.to);
            if let Ok(found) = search.outcome(next.components(), &mut meter()) {
                assert_eq!(found, Outcome::P, "{text:?} {convention}: {} -> {:?}", m.name, m.to);
            }
        }
        if let Some(all) = winning_moves(&game, &mut search, &mut meter())
            && answer.outcome.is_some()
            && answer.stop.is_none()
        {
            assert!(answer.moves_total.is_none_or(|t| t == all.len() as u128), "{text:?} {convention}: {all:?}");
            if answer.moves_complete {
                let listed: Vec<_> = answer.moves.iter().map(|m| (m.component, m.to.clone())).collect();
                assert_eq!(listed, all, "{text:?} {convention}");
            } else {
                assert!(all.len() > answer.moves.len(), "{text:?} {convention}: {all:?}");
            }
        }
    }
}

/// Every preset of the judge answers or refuses any input.
pub fn judge(data: &[u8]) {
    let Some((first, input)) = data.split_first() else { return };
    let presets = &Catalogue::built_in().presets;
    let Some(problem) = presets.get(usize::from(*first) % presets.len().max(1)) else { return };
    let program = Program::new(problem).unwrap_or_else(|e| panic!("{}: {e}", problem.name));
    let budget = Budget {
        time: Some(Duration::from_millis(50)),
        memory: Some(64 << 20),
        positions: Some(20_000),
        ..Budget::default()
    };
    let _ = program.run(input, std::io::sink(), &budget);
}

/// [`graph_file`] for every reader; what is looked at before one is chosen never panics either.
pub fn graph_files(data: &[u8]) {
    let _ = (graph::GraphFormat::of_content(data), graph::unpack(data, 1 << 20), graph::Solution::read(data, 8));
    graph::GraphFormat::ALL.iter().for_each(|format| graph_file(*format, data));
}

/// A reader of graphs never panics, its errors point into the file, and what it reads is written and read back as the same.
pub fn graph_file(from: graph::GraphFormat, data: &[u8]) {
    use graph::GraphFormat;
    let lines = data.iter().filter(|b| **b == b'\n').count() as u64 + 1;
    let file = match graph::read(data, from) {
        Ok(file) => file,
        Err(e) => {
            assert!((1..=lines).contains(&e.place().line), "{}: {e}", from.name());
            return;
        }
    };
    for to in [GraphFormat::Json, GraphFormat::PgSolver] {
        let mut text = Vec::new();
        if !graph::left_out(&file, to).is_empty() || graph::write(&mut text, &file, to).is_err() {
            continue;
        }
        let back = graph::read(&text, to).unwrap_or_else(|e| panic!("{} to {}: {e}", from.name(), to.name()));
        assert_eq!(back, file, "{} to {}", from.name(), to.name());
    }
}

/// Certificates of graphs: what is read is written as the same, and no claim about a small graph is accepted unless it is true.
pub fn graph_certificate(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(mut certificate) = text.parse::<GraphCertificate>() else { return };
    assert_eq!(certificate.to_string().parse(), Ok(certificate.clone()));
    // a ring with a way out of it, whose digest is put in: the claim alone decides
    let graph = Digraph::from_edges(4, &[(0, 1), (1, 0), (1, 2), (0, 3)]).expect("edges between its vertices");
    certificate.game = (4, 4, digest_of_graph(&graph));
    let is_accepted = certificate.check(&graph, None).is_ok();
    match &certificate.claim {
        GraphClaim::Loopy(labels) => {
            let values = |labels: &[Label]| [0, 1, 2, 3].map(|v| value_of(&graph, labels, v));
            let is_true = labels.len() == 4 && values(labels) == values(&label_plainly(&graph));
            assert!(is_true || !is_accepted, "{text:?}");
        }
        GraphClaim::Outcome(..) => {}
        // there is a cycle, and there are no owners
        GraphClaim::Grundy(_) | GraphClaim::Winners(..) => assert!(!is_accepted, "{text:?}"),
    }
}

/// All winning moves in the order of moves, by trying every option; None if that is too much.
fn winning_moves(
    game: &Sum<AnyComponent>,
    search: &mut OutcomeSearch,
    meter: &mut Meter,
) -> Option<Vec<(usize, Vec<AnyComponent>)>> {
    let mut all = Vec::new();
    for (i, c) in game.components().iter().enumerate() {
        let mut options = Vec::new();
        let listed = c.options(&mut |parts: &[AnyComponent]| {
            options.push(parts.to_vec());
            if options.len() < 500 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if listed.is_break() {
            return None;
        }
        for parts in options {
            if search.outcome(game.replaced(i, &parts).components(), meter).ok()? == Outcome::P {
                all.push((i, parts));
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts from pieces of the notation, cut, doubled and spoiled: a deterministic stand-in for a fuzzer.
    fn texts(count: u64, mut visit: impl FnMut(&[u8])) {
        const PIECES: &[&str] = &[
            "nim",
            "(",
            ")",
            "3",
            "5, 7",
            "+",
            " ",
            "kayles(9)",
            "0.77",
            "4.[3](6)",
            "2x ",
            "*",
            "*3",
            "[take ",
            "1..3",
            "any",
            "odd",
            " but ",
            " | ",
            "split",
            " into a, b",
            " where a != b",
            "]",
            "lasker",
            "moore[2](1, 2, 3)",
            "wythoff(3, 4)",
            "euclid(5, 8)",
            "staircase(1, 2, 3)",
            "nimble(1, 4)",
            "subtraction[{1, 3}](8)",
            "{",
            "}",
            "^",
            "10^3",
            "-",
            "0",
            "0.{1,2!}",
            "grundy_game(9)",
            "treblecross(8)",
            "\"",
            "é",
            "&35;",
            "!",
            "n mod 4",
            ";",
            "else",
            ": n + 1",
            "99999999999999999999",
            "2^63",
            "_",
            "\n",
            "#",
            "@{1}",
            "take k where 2*k <= n",
            "primes",
            "inv(",
            "pow(6, -",
            "solve(1, 1, 6)",
            "order(",
            "/",
        ];
        let mut x = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = |below: usize| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x % below as u64) as usize
        };
        for _ in 0..count {
            let mut text = String::new();
            for _ in 0..1 + random(8) {
                text.push_str(PIECES[random(PIECES.len())]);
            }
            let mut bytes = text.into_bytes();
            if random(4) == 0 && !bytes.is_empty() {
                let at = random(bytes.len());
                bytes[at] = b" ()[]{}+*,.0129azAZ\"\xff"[random(21)];
            }
            visit(&bytes);
        }
    }

    /// Small sums of all kinds of rules, every winning move counted.
    #[test]
    fn sums_smoke() {
        const RULES: &[&str] = &[
            "nim",
            "lasker",
            "kayles",
            "0.07",
            "0.137",
            "4!.0",
            "0.6",
            "8.[3]",
            "0.[7]",
            "[take 1..3]",
            "[take 2..4]",
            "[take odd]",
            "[take even]",
            "[take powers of 2]",
            "[take powers of 4]",
            "[take k where 2*k <= n]",
            "[take k where 2*k >= n]",
            "allbut[{2}]",
            "allbut[{1, 3}]",
            "subtraction[{2, 5}]",
            "subtraction[{1, 2, 6}]",
            "0.3F",
            "0.123",
            "[take divisors]",
            "[take squares | split into a, b, c where a < b]",
            "[split]",
            "0.{0,2!,3}",
            "[take primes | split into a, b where a != b]",
            "[take fibonacci]",
            "[take any | split into a, b where a != b]",
            "[take k leaving a, b where k mod 2 = 1]",
            "officers",
            "dawsons_kayles",
            "grundy_game",
        ];
        const TUPLES: &[&str] = &[
            "moore[2](1, 2, 3)",
            "moore[2](2, 2)",
            "wythoff(2, 4)",
            "euclid(5, 3)",
            "euclid[\"to-equal\"](4, 6)",
            "staircase(0, 2, 1, 1)",
            "nimble(1, 3)",
            "*2",
            "*",
            "0",
            "treblecross(5)",
        ];
        let mut x = 88_172_645_463_325_252u64;
        let mut random = |below: usize| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x % below as u64) as usize
        };
        for rule in RULES {
            for n in 0..14 {
                let text = format!("{rule}({n})");
                assert!(read_game(&text).is_ok(), "{text}");
                solve(text.as_bytes());
            }
        }
        for _ in 0..1500 {
            let mut terms = Vec::new();
            for _ in 0..2 + random(2) {
                match random(6) {
                    0 => terms.push(TUPLES[random(TUPLES.len())].to_owned()),
                    _ => terms.push(format!("{}({})", RULES[random(RULES.len())], random(8))),
                }
            }
            let text = terms.join(" + ");
            assert!(read_game(&text).is_ok(), "{text}");
            solve(text.as_bytes());
        }
    }

    #[test]
    fn judge_smoke() {
        let mut x = 0x2545_F491_4F6C_DD1Du64;
        let mut random = |below: usize| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x % below as u64) as usize
        };
        for round in 0..1500usize {
            let mut data = vec![(round % 256) as u8];
            for _ in 0..random(30) {
                match random(12) {
                    0 => data.extend_from_slice(
                        [" 99999999999999999999 ", " -1 ", " x ", " 1e9 ", "\n\n"][random(5)].as_bytes(),
                    ),
                    1 => data.extend_from_slice(b"++-o.RL"),
                    2 => data.extend_from_slice(b"1000000000 "),
                    _ => data.extend_from_slice(format!("{}{}", random(9), [" ", "\n"][random(2)]).as_bytes()),
                }
            }
            judge(&data);
        }
    }

    #[test]
    fn graph_files_smoke() {
        const FILES: &[&str] = &[
            "parity 2;\nstart 1;\n0 2 0 1,2 \"a; b\";\n2 1 0 2;\n1 1 1 0;\n",
            "# c\n0 1\n1 2 0.5\n7\n",
            "source,target\n\"a\"\"b\",c\nc,d\n",
            "digraph { a [owner=0, priority=2]; b [owner=1 priority=3]; a -> b -> a; }",
            "{\"n\": 2, \"edges\": [[0, 1], [1, 0]], \"owner\": [0, 1], \"priority\": [1, 2], \"names\": [\"a\", \"b\"]}",
            "{\"directed\": false, \"nodes\": [{\"id\": 1, \"green\": true}, {\"id\": \"b\"}], \"links\": [{\"source\": 1, \"target\": \"b\"}]}",
            "<graphml><key id=\"k\" for=\"node\" attr.name=\"owner\"><default>0</default></key><graph><node id=\"a\"><data \
             key=\"k\">1</data></node><edge source=\"a\" target=\"a\"/></graph></graphml>",
            "3 2 11\n1 2 7\n1 1 7 3 8\n1 2 8\n",
        ];
        let mut x = 0x0123_4567_89AB_CDEFu64;
        let mut random = |below: usize| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x % below.max(1) as u64) as usize
        };
        for round in 0..20_000 {
            let mut data = FILES[round % FILES.len()].as_bytes().to_vec();
            for _ in 0..random(4) {
                let at = random(data.len());
                match random(3) {
                    0 => data[at] = random(256) as u8,
                    1 => data.insert(at, b"\"<>{}[];,:-\n09 "[random(15)]),
                    _ => drop(data.splice(at..(at + random(6)).min(data.len()), [])),
                }
                if data.is_empty() {
                    break;
                }
            }
            graph_files(&data);
        }
    }

    #[test]
    fn rules_smoke() {
        const FILES: &[&str] = &[
            "name = \"h\"\nkind = \"heap\"\nrule = \"take 1..3 | split into a, b where a = b\"\n",
            "name = \"g\"\nkind = \"grid\"\nboard = [\"..#\", \"...\"]\nrides = [[-1, 0], [0, -1]]\nsteps = [[1, -1]]\n",
            "name = \"t\"\nkind = \"grid\"\nsize = [4]\nrides = [[-1]]\ntokens = 2\nblocked = [[1]]\n",
            "name = \"m\"\nkind = \"memory\"\nfirst = \"k < n\"\nnext = \"k <= 2 * last\"\n",
            "name = \"r\"\nkind = \"row\"\ntake = \"take any\"\nfrom = \"ends\"\nwhere = \"i = 1 or n > 1\"\nempty = \"stays\"\n",
            "name = \"p\"\nkind = \"poset\"\nelements = 4\ncovers = [[1, 2], [1, 3]]\n",
            "name = \"d\"\nkind = \"deletion\"\nvertices = 3\nedges = [[1, 2], [2, 3]]\ndelete = [\"vertex\", \"edge\"]\n",
        ];
        let mut x = 0x1234_5678_9ABC_DEF0u64;
        let mut random = |below: usize| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x % below.max(1) as u64) as usize
        };
        for round in 0..600 {
            let mut data = FILES[round % FILES.len()].as_bytes().to_vec();
            for _ in 0..random(4) {
                let at = random(data.len());
                match random(3) {
                    0 => data[at] = random(256) as u8,
                    1 => data.insert(at, b"\"[]=-,#\n09"[random(10)]),
                    _ => drop(data.splice(at..(at + random(6)).min(data.len()), [])),
                }
            }
            rules(&data);
        }
    }

    #[test]
    fn graph_certificate_smoke() {
        const CLAIMS: &[&str] = &["grundy", "loopy", "outcome normal", "outcome misere", "buchi", "loopy x"];
        const ROWS: &[&str] =
            &["0 0", "0 1", "0 2", "1 0", "1 2", "1 3", "2 1", "inf", "N 1", "P 0", "Draw 0", "0", "0 -", "x"];
        let mut x = 0x0F1E_2D3C_4B5A_6978u64;
        let mut random = |below: usize| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x % below as u64) as usize
        };
        for _ in 0..20_000 {
            let claim = CLAIMS[random(CLAIMS.len())];
            let kind = random(4);
            let row = |random: &mut dyn FnMut(usize) -> usize| match (claim, kind) {
                // mostly of the right kind
                ("loopy", 1..) => ROWS[random(8)],
                _ => ROWS[random(ROWS.len())],
            };
            let rows: Vec<&str> = (0..4).map(|_| row(&mut random)).collect();
            let text = format!(
                "grundy graph certificate 1\nsubject x\ngame 4 vertices 4 edges digest 0000000000000000\nclaim {claim}\n{}\nend\n",
                rows.join("\n")
            );
            graph_certificate(text.as_bytes());
        }
    }

    #[test]
    fn notation_smoke() {
        texts(20_000, notation);
    }

    #[test]
    fn solve_smoke() {
        texts(1_500, solve);
        for text in
            ["nim(3, 5) + kayles(6)", "moore[2](2, 3, 3)", "wythoff(5, 6) + *2", "staircase(1, 2, 2) + lasker(5)"]
        {
            solve(text.as_bytes());
        }
    }
}
