//! Misère quotients of octal codes: orders, lost classes, periods, presentations.

use std::{collections::BTreeSet, fs, path::Path};

use grundy::{Budget, Session, quotient::QuotientQuery};
use grundy_core::notation::{read_game as read_sum, read_heap_game};

/// Larger quotients, and those of more heaps, take seconds each.
const MOST: usize = 60;
const FARTHEST: u64 = 100;

#[test]
fn quotients_of_octal_codes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/facts/misere_quotients.csv");
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let (mut proved, mut partial) = (0, 0);
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let field = |name: &str| fields[head.iter().position(|h| *h == name).unwrap()].trim_matches('"');
        let (code, order): (&str, usize) = (field("code"), field("Q_order").parse().unwrap());
        let is_proved = field("status").starts_with("solved");
        let to: u64 = field("proved_to_heap").parse().unwrap();
        if order > MOST || to > FARTHEST {
            continue;
        }
        let query = QuotientQuery { game: read_heap_game(code).unwrap(), to: Some(to) };
        let answer = Session::new().quotient(&query, &Budget::default()).unwrap();
        assert_eq!((answer.order, answer.lost), (order, field("P_order").parse().unwrap()), "{code}");
        let period = answer.period.map(|p| (p.period.to_string(), p.preperiod.to_string()));
        if is_proved {
            assert_eq!(period, Some((field("period").into(), field("preperiod_n0").into())), "{code}");
            proved += 1;
        } else {
            assert_eq!((period, answer.to), (None, to), "{code}");
            partial += 1;
        }
        assert_eq!(answer.is_tame, field("class") == "tame", "{code}");
        let words = &answer.presentation;
        let generators: Vec<String> = words.generators.iter().map(u64::to_string).collect();
        assert_eq!(generators.join(" "), field("generator_heaps"), "{code}");
        let relations: BTreeSet<String> =
            words.relations.iter().map(|r| format!("{}={}", words.print(&r.left), words.print(&r.right))).collect();
        match field("relations").strip_prefix("(in quotients_full.jsonl: ") {
            // only counted
            Some(count) => assert_eq!(format!("{} relations)", relations.len()), count, "{code}"),
            None => {
                let known = field("relations").split("; ").filter(|r| !r.is_empty()).map(String::from);
                assert_eq!(relations, known.collect(), "{code}");
            }
        }
        let lost: BTreeSet<String> = words.lost.iter().map(|w| words.print(w)).collect();
        if !field("P_portion").starts_with('(') {
            assert_eq!(
                lost,
                field("P_portion").split(' ').filter(|w| !w.is_empty()).map(String::from).collect(),
                "{code}"
            );
        }
    }
    assert!(proved > 60 && partial > 30, "{proved} and {partial}");
}

#[test]
fn sums_by_quotient_are_those_of_the_search() {
    use grundy::query::SolveQuery;
    use grundy_core::theory::Convention;
    // more than 64 objects go by the quotient; with another game beside them they are searched
    let no_quotient = |text: &str| format!("{text} + nim(0)");
    for (rule, heaps) in [("kayles", "22, 21, 22"), ("0.123", "30, 21, 9, 8"), ("0.75", "25, 24, 23")] {
        let text = format!("{rule}({heaps})");
        let solve = |text: &str| {
            let query = SolveQuery { limit: 1000, ..SolveQuery::new(read_sum(text).unwrap(), Convention::Misere) };
            Session::new().solve(&query, &Budget::default()).unwrap()
        };
        let (by_quotient, by_search) = (solve(&text), solve(&no_quotient(&text)));
        assert!(by_quotient.header.method.contains("quotient"), "{text}: {}", by_quotient.header.method);
        assert!(by_search.header.method.contains("search"), "{text}: {}", by_search.header.method);
        assert_eq!(by_quotient.outcome, by_search.outcome, "{text}");
        assert_eq!(by_quotient.moves_total, by_search.moves_total, "{text}");
        let moves = |answer: &grundy::answer::SolveAnswer| {
            answer.moves.iter().map(|m| (m.component, m.name.clone())).collect::<Vec<_>>()
        };
        assert_eq!(moves(&by_quotient), moves(&by_search), "{text}");
    }
    let far = SolveQuery::new(read_sum("kayles(1000, 2000)").unwrap(), Convention::Misere);
    let answer = Session::new().solve(&far, &Budget::default()).unwrap();
    assert!(answer.outcome.is_some() && answer.stop.is_none(), "{answer:?}");
}
