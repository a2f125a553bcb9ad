//! Faults and questions of real users of such tools, each a test named after its fact in `testdata/facts/`, with its lesson.

use std::io::BufReader;

use grundy::{
    Session,
    answer::{SolveAnswer, Status},
    budget::{Budget, Meter},
    explain::Step,
    formats::{bfile, json},
    query::SolveQuery,
};
use grundy_core::{
    notation::{print_sum, read_game, read_heap_game},
    rulesets::AnyComponent,
    theory::{Convention, Outcome, Periodicity},
};

use Convention::{Misere, Normal};
use Outcome::{Draw, N, P};

fn solve(game: &str, convention: Convention) -> SolveAnswer {
    let sum = read_game(game).unwrap_or_else(|e| panic!("{game}: {}", e.message));
    let query = SolveQuery { explain: true, ..SolveQuery::new(sum, convention) };
    let answer = Session::new().solve(&query, &Budget::default()).unwrap_or_else(|e| panic!("{game}: {e}"));
    assert_eq!(answer.stop, None, "{game}");
    answer
}

fn outcome(game: &str, convention: Convention) -> Outcome {
    solve(game, convention).outcome.expect("decided")
}

/// Winning moves as (heap before, what it becomes).
fn winning(game: &str, convention: Convention) -> Vec<(String, String)> {
    let answer = solve(game, convention);
    assert!(answer.moves_complete, "{game}");
    let text = |parts: &[AnyComponent]| print_sum(parts);
    answer.moves.iter().map(|m| (m.from.print_position(), text(&m.to))).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

/// The convention is an explicit field of every answer.
#[test]
fn f05_the_convention_is_named_in_every_answer() {
    for (convention, word, result) in [(Normal, "normal", N), (Misere, "misere", P)] {
        let answer = solve("nim(1)", convention);
        assert_eq!(answer.outcome, Some(result));
        assert_eq!(json::solve(&answer)["convention"], word);
        assert_eq!(answer.explanation.first(), Some(&Step::Convention(convention)));
    }
}

/// The key of a position tells apart what must be told apart, and reads back.
#[test]
fn f08_one_heap_of_a_hundred_is_won() {
    assert_eq!((outcome("nim(100)", Normal), outcome("nim(100)", Misere)), (N, N));
    // positions that a careless key would confuse, asked of one session
    let mut session = Session::new();
    for (game, misere) in
        [("nim(1)", P), ("nim(11)", N), ("nim(1, 1)", N), ("kayles(1)", P), ("kayles(11)", N), ("kayles(1, 1)", N)]
    {
        let sum = read_game(game).unwrap();
        assert_eq!(print_sum(sum.components()), game);
        let answer = session.solve(&SolveQuery::new(sum, Misere), &Budget::default()).unwrap();
        assert_eq!(answer.outcome, Some(misere), "{game}");
    }
}

/// The explanation names the case that decides.
#[test]
fn f09_two_twos_are_lost_in_misere_play() {
    let answer = solve("nim(2, 2)", Misere);
    assert_eq!(answer.outcome, Some(P));
    let class = answer.explanation.iter().find_map(|s| match s {
        Step::Class { class, outcome, .. } => Some((json::class_name(*class), *outcome)),
        _ => None,
    });
    assert_eq!(class, Some(("balanced", P)));
}

/// It is the xor that counts, not the number of ones.
#[test]
fn f10_one_two_three_is_lost_in_misere_play() {
    assert_eq!(outcome("2 1 3", Misere), P);
}

/// All winning moves, ordered; the last big heap goes to 1 or 0 by the parity of the ones.
#[test]
fn f11_the_last_big_heap_leaves_an_odd_number_of_ones() {
    assert_eq!(winning("1 1 2", Misere), pairs(&[("2", "nim(1)")]));
    assert_eq!(winning("1 2", Misere), pairs(&[("2", "0")]));
    let answer = solve("1 1 2", Misere);
    assert_eq!((answer.moves[0].component, answer.moves[0].result.as_deref()), (2, Some("nim(1, 1, 1)")));
}

/// Normal play: who takes the last object wins. Misère play: who takes it loses.
#[test]
fn f12_normal_play_is_won_by_the_last_move() {
    assert_eq!((outcome("1 1", Normal), outcome("1 1", Misere)), (P, N));
    assert_eq!((Normal.of_terminal(), Misere.of_terminal()), (P, N));
}

/// A move to nim-sum 0 is not what wins at the end of misère play.
#[test]
fn f14_nim_sum_zero_does_not_win_the_end_of_misere_play() {
    assert_eq!(winning("1 2", Misere), pairs(&[("2", "0")]));
    assert_eq!(winning("1 2", Normal), pairs(&[("2", "nim(1)")]));
    let misled = solve("1 2", Misere).explanation.into_iter().any(|s| matches!(s, Step::XorMisleads { .. }));
    assert!(misled, "the explanation warns of the trap");
}

/// Explanations are made for the position asked about.
#[test]
fn f15_a_single_object_is_won_in_normal_play() {
    let answer = solve("nim(1)", Normal);
    assert_eq!(answer.outcome, Some(N));
    assert!(answer.explanation.iter().any(|s| matches!(s, Step::WhyWinning { .. })));
}

/// One heap with a bound on the amount is no Nim: the xor of one heap says nothing.
#[test]
fn f16_bounded_taking_is_not_nim() {
    for game in ["subtraction[{1, 2, 3}](12)", "[take 1..3](12)", "0.333(12)"] {
        assert_eq!(outcome(game, Normal), P, "{game}");
    }
    assert_eq!(outcome("nim(12)", Normal), N);
}

/// A period, never recursion.
#[test]
fn f18_a_huge_heap_with_bounded_taking_is_answered_at_once() {
    for game in ["subtraction[{1, 2, 3}](1348820612)", "[take 1..3](1348820612)"] {
        let answer = solve(game, Normal);
        assert_eq!((answer.outcome, answer.value, answer.header.status), (Some(P), Some(0), Status::Proved), "{game}");
    }
}

/// Exact integers only.
#[test]
fn f19_wythoff_pairs_near_10_18_are_exact() {
    assert_eq!(outcome("wythoff(161803398874989484, 261803398874989484)", Normal), P);
    // what double precision takes for the cold pair
    assert_eq!(outcome("wythoff(161803398874989504, 261803398874989504)", Normal), N);
}

/// Where nothing has an end, everything is a draw, and a draw has no remoteness.
#[test]
fn f24_a_graph_without_ends_near_is_a_draw() {
    let remote = |game: &str, vertex: &str| {
        let sum = read_game(&format!("{game}({vertex})")).unwrap();
        let query = SolveQuery { remoteness: true, ..SolveQuery::new(sum, Normal) };
        let answer = Session::new().solve(&query, &Budget::default()).unwrap();
        (answer.outcome.unwrap(), answer.remoteness)
    };
    let graph = "digraph[{a: b, b: a c, c: a, d: e, e:}]";
    for (vertex, wanted) in
        [("a", (Draw, None)), ("b", (Draw, None)), ("c", (Draw, None)), ("d", (N, Some(1))), ("e", (P, Some(0)))]
    {
        assert_eq!(remote(graph, vertex), wanted, "{vertex}");
    }
    assert_eq!(remote("digraph[{a: b, b: a}]", "a"), (Draw, None));
}

/// The empty sum is 0; negative input is an error, and a failed computation is never a value.
#[test]
fn f26_the_empty_sum_is_zero_and_negative_heaps_are_refused() {
    for game in ["nim()", "0", "nim(0, 0)"] {
        let answer = solve(game, Normal);
        assert_eq!((answer.value, answer.outcome, answer.moves_total), (Some(0), Some(P), Some(0)), "{game}");
        assert_eq!(outcome(game, Misere), N, "{game}");
    }
    let error = read_game("nim(-1)").unwrap_err();
    assert_eq!((error.span, error.hint.is_some()), (4..6, true));
    let budget = Budget { positions: Some(10), ..Budget::default() };
    let query = SolveQuery::new(read_game("0.06(1000)").unwrap(), Normal);
    let stopped = Session::new().solve(&query, &budget).unwrap();
    assert!(stopped.stop.is_some());
    assert_eq!((stopped.value, stopped.outcome, stopped.header.status), (None, None, Status::Stopped));
}

/// A strict reader names the line, and a writer leaves no gaps.
#[test]
fn f27_a_gap_of_a_bfile_is_named() {
    let error = bfile::entries(BufReader::new("9673 1\n9675 2\n".as_bytes())).find_map(Result::err).unwrap();
    assert_eq!(error.to_string(), "gap: expected n=9674, got 9675 on line 2");
    let mut written = Vec::new();
    bfile::write(&mut written, &[0, 1, 2, 3, 1, 4], 9670).unwrap();
    let back: Vec<_> = bfile::entries(written.as_slice()).map(|e| e.map(|e| (e.n, e.value)).unwrap()).collect();
    assert_eq!(back, [(9670, 0), (9671, 1), (9672, 2), (9673, 3), (9674, 1), (9675, 4)]);
}

fn proved(game: &str, to: u64) -> Option<Periodicity> {
    let game = read_heap_game(game).unwrap_or_else(|e| panic!("{game}: {}", e.message));
    let mut sequence = grundy::sequence::DirectSequence::new(game.rule());
    sequence.advance(to, &mut Meter::unlimited()).unwrap();
    sequence.proved()
}

/// The fundamental period, never a multiple.
#[test]
fn n05_periods_are_fundamental() {
    for (set, period) in [("{1, 2}", 3), ("{1, 3}", 2), ("{1, 2, 5}", 3), ("{1, 3, 4}", 7), ("{2, 5, 7}", 22)] {
        let found = proved(&format!("subtraction[{set}]"), 1000);
        assert_eq!(found, Some(Periodicity { period, preperiod: 0, saltus: 0 }), "{set}");
    }
}

/// A period comes with its proof, as early as the theorem allows.
#[test]
fn n09_slow_octal_periods_are_proved() {
    for (game, period, preperiod, proved_by) in [("0.165", 1550, 5181, 13_465), ("0.356", 142, 7315, 14_917)] {
        let found = proved(game, proved_by * 5 / 4);
        assert_eq!(found, Some(Periodicity { period, preperiod, saltus: 0 }), "{game}");
        let theorem = read_heap_game(game).unwrap().rule().period_theorem().unwrap();
        assert_eq!(theorem.values_needed(preperiod, period), Some(proved_by), "{game}");
    }
}

/// "(n, n + 1, 1) is lost in misère play" holds for even n only.
#[test]
fn n15_neighbours_beside_a_one_are_lost_for_even_n() {
    for n in 1..=10u64 {
        let expected = if n % 2 == 0 { P } else { N };
        assert_eq!(outcome(&format!("nim({n}, {}, 1)", n + 1), Misere), expected, "n = {n}");
    }
    assert_eq!(winning("3 5 7", Misere), pairs(&[("3", "nim(2)"), ("5", "nim(4)"), ("7", "nim(6)")]));
}

/// A single heap in misère play: lost at 1, won from 2 on by leaving 1.
#[test]
fn n16_a_single_misere_heap_leaves_one() {
    assert_eq!(outcome("nim(1)", Misere), P);
    for n in [2, 20, 100] {
        assert_eq!(winning(&format!("nim({n})"), Misere), [(n.to_string(), "nim(1)".to_owned())]);
    }
}

/// Products, inverses and roots of 64 bits at once.
#[test]
fn n14_products_inverses_and_roots() {
    let value = crate::nimbers::value;
    let decimal = |text: &str| u128::from_str_radix(&value(text)[2..], 16).unwrap();
    assert_eq!((decimal("6 * 13"), decimal("4 * 7")), (15, 10));
    assert_eq!(decimal("(2^64-1) * (2^64-3)"), 14_554_159_489_527_431_842);
    assert_eq!(decimal("inv(2^32-5)"), 4_147_990_372);
    let roots: Vec<u128> = (0..=16).map(|n| decimal(&format!("sqrt({n})"))).collect();
    assert_eq!(roots, [0, 1, 3, 2, 7, 6, 4, 5, 14, 15, 13, 12, 9, 8, 10, 11, 30]);
}

/// The values of a graph, printed.
fn loopy_values(vertices: usize, edges: &[(u32, u32)]) -> Vec<String> {
    use grundy_core::theory::{digraph::Digraph, loopy_value::value_of};
    let graph = Digraph::from_edges(vertices, edges).unwrap();
    let mut meter = grundy::budget::Meter::unlimited();
    let labels = grundy::retrograde::labels(&graph, &graph.reversed(), &mut meter).unwrap();
    (0..vertices as u32).map(|v| value_of(&graph, &labels, v).to_string()).collect()
}

#[test]
fn n01_a_game_with_a_loop_has_values() {
    let values = loopy_values(4, &[(0, 1), (0, 2), (1, 0), (1, 2), (2, 3)]);
    assert_eq!(values, ["inf(1)", "inf(1)", "1", "0"]);
}

#[test]
fn n02_squares_or_one_more() {
    // from n take a square, or add 1 to an even number above 0; cut off far above
    let mut edges = Vec::new();
    for n in 0..200u32 {
        edges.extend((1..).map(|k| k * k).take_while(|s| *s <= n).map(|s| (n, n - s)));
        if n > 0 && n % 2 == 0 && n < 199 {
            edges.push((n, n + 1));
        }
    }
    let values = loopy_values(200, &edges);
    for n in 0..60u32 {
        let is_square = |m: u32| (1..=m).any(|k| k * k == m);
        let value = &values[n as usize];
        match n {
            0 | 5 => assert_eq!(value, "0", "{n}"),
            _ if is_square(n) || n > 5 && is_square(n - 5) => {
                assert!(value.starts_with("inf(0") || !value.starts_with("inf") && value != "0", "{n}: {value}");
            }
            _ => assert!(value.starts_with("inf(") && !value.starts_with("inf(0"), "{n}: {value}"),
        }
    }
}

#[test]
fn n03_options_that_reverse_out() {
    let edges: Vec<(u32, u32)> = (1..7u32).flat_map(|i| [1, 2, 5].map(|s| (i, (i + 7 - s) % 7))).collect();
    assert_eq!(loopy_values(7, &edges), ["0", "1", "2", "0", "1", "2", "0"]);
}
