use grundy_core::{
    ruleset::definition::GrundyByDefinition,
    rulesets::{AnyComponent, catalogue::BoardRuleset, tuple::Wythoff},
};

use super::*;
use crate::{Session, budget::Meter};

fn rules(text: &str) -> AnyRuleset {
    read_rules(text).unwrap_or_else(|e| panic!("{e}")).1
}

fn value(ruleset: &AnyRuleset, position: &[u64]) -> u64 {
    let parts = ruleset.components(position).unwrap();
    let mut session = Session::new();
    parts.iter().fold(0, |x, c| x ^ session.valued(c, &mut Meter::unlimited()).unwrap().value)
}

#[test]
fn heap_rules_are_heap_games_under_a_name() {
    for rule in ["take 1..2 | take 1..2 leaving a, b", "[take 1..2 | take 1..2 leaving a, b]", "0.77", "kayles"] {
        let AnyRuleset::Heap(game) = rules(&format!("name = \"my\"\nkind = \"heap\"\nrule = \"{rule}\"")) else {
            panic!("{rule} is a heap game")
        };
        assert_eq!(game.name(), "my");
        assert!(grundy_core::notation::read_heap_game(game.subject()).unwrap().rule() == game.rule());
    }
}

#[test]
fn a_queen_on_a_free_board_is_wythoff() {
    let queen = rules("name = \"queen\"\nkind = \"grid\"\nrides = [[-1, 0], [0, -1], [-1, -1]]");
    let mut twin = GrundyByDefinition::new(&Wythoff);
    for x in 0..8 {
        for y in 0..8 {
            assert_eq!(value(&queen, &[x, y]), twin.value(&[x, y]), "({x}, {y})");
        }
    }
}

#[test]
fn rides_end_at_obstacles_and_tokens() {
    let rook = rules(
        "name = \"rook\"\nkind = \"grid\"\nboard = [\"....\", \".#..\", \"....\"]\nrides = [[-1, 0], [0, -1]]\n\
         steps = [[-2, 0]]",
    );
    let AnyRuleset::Custom(rook) = rook else { panic!("no custom ruleset") };
    let options = |p: &[u64]| grundy_core::rulesets::custom::options_of(&*rook, p).concat();
    // the step jumps over the blocked square, and what a ride reaches is sent once
    assert_eq!(options(&[3, 1]), [vec![2, 1], vec![3, 0]]);
    assert_eq!(options(&[3, 0]), [vec![2, 0], vec![1, 0], vec![0, 0]]);
    assert_eq!(options(&[2, 1]), [vec![2, 0], vec![0, 1]]);
    assert!(rook.check_position(&[1, 1]).unwrap_err().contains("blocked"));
    assert!(rook.check_position(&[4, 1]).unwrap_err().contains("not on the board"));
    let two = rules("name = \"two\"\nkind = \"grid\"\nsize = [9]\nrides = [[-1]]\ntokens = 2");
    let AnyRuleset::Custom(two) = two else { panic!("no custom ruleset") };
    let options = |p: &[u64]| grundy_core::rulesets::custom::options_of(&*two, p).concat();
    assert_eq!(options(&[1, 3]), [vec![0, 3], vec![1, 2]]);
    assert_eq!(two.canonical(&[3, 1]), [1, 3]);
    assert_eq!(two.move_name(&[1, 3], &[vec![1, 2]]), "(3) to (2)");
}

#[test]
fn fibonacci_nim_is_lost_at_fibonacci_numbers() {
    let fib = rules("name = \"fib\"\nkind = \"memory\"\nfirst = \"k < n\"\nnext = \"k <= 2 * last\"");
    let lost: Vec<u64> = (2..60).filter(|n| value(&fib, &[*n]) == 0).collect();
    assert_eq!(lost, [2, 3, 5, 8, 13, 21, 34, 55]);
    let AnyRuleset::Custom(fib) = fib else { panic!("no custom ruleset") };
    for rank in 0..500 {
        let position = fib.unrank(rank).unwrap();
        assert_eq!(fib.rank(&position), Some(rank), "{position:?}");
        for part in grundy_core::rulesets::custom::options_of(&*fib, &position).concat() {
            assert!(fib.rank(&part) < Some(rank), "{position:?} to {part:?}");
        }
    }
    assert!(fib.check_position(&[3, 0]).is_err() && fib.check_position(&[]).is_err());
}

#[test]
fn rows_touch_what_they_may() {
    let first = rules("name = \"first\"\nkind = \"row\"\ntake = \"take any\"\nfrom = \"left\"");
    // Nim on a stack: whoever meets the first heap above 1 decides
    let lost = |p: &[u64]| value(&first, p) == 0;
    assert!(lost(&[]) && !lost(&[1]) && lost(&[1, 1]) && !lost(&[2, 1]) && !lost(&[3, 5, 1]) && lost(&[1, 3, 5]));
    let AnyRuleset::Custom(ends) = rules("name = \"ends\"\nkind = \"row\"\ntake = \"take any\"\nfrom = \"ends\"")
    else {
        panic!("no custom ruleset")
    };
    let options = |p: &[u64]| grundy_core::rulesets::custom::options_of(&*ends, p).concat();
    assert_eq!(options(&[1, 5, 2]), [vec![5, 2], vec![1, 5, 1], vec![1, 5]]);
    assert_eq!(options(&[2, 2]), [vec![1, 2], vec![2], vec![2, 1]]);
    assert_eq!(ends.move_name(&[1, 5, 2], &[vec![1, 5, 1]]), "take 1 from heap 3");
    let odd = rules("name = \"odd\"\nkind = \"row\"\ntake = \"take any\"\nwhere = \"i mod 2 = 1\"\nempty = \"stays\"");
    assert_eq!(value(&odd, &[3, 9, 5, 4]), 3 ^ 5);
}

#[test]
fn posets_and_deletions() {
    // a chain is a heap of Nim; two of them beside each other are two heaps
    let chains = rules("name = \"p\"\nkind = \"poset\"\nelements = 5\ncovers = [[1, 2], [2, 3], [4, 5]]");
    let whole = |ruleset| {
        let AnyRuleset::Board(BoardRuleset::Cells(game)) = ruleset else { panic!("no board") };
        AnyComponent::Cells(game.clone(), game.whole())
    };
    let start = whole(chains);
    assert_eq!(Session::new().valued(&start, &mut Meter::unlimited()).unwrap().value, 3 ^ 2);
    // Node Kayles on a path of n is Dawson's Kayles 0.07 with n + 1
    let path = |n: usize, delete: &str| {
        let edges: Vec<String> = (1..n).map(|i| format!("[{i}, {}]", i + 1)).collect();
        let text = format!(
            "name = \"d\"\nkind = \"deletion\"\nvertices = {n}\nedges = [{}]\ndelete = [{delete}]",
            edges.join(", ")
        );
        let start = whole(rules(&text));
        Session::new().valued(&start, &mut Meter::unlimited()).unwrap().value
    };
    let dawson = grundy_core::rulesets::heap::HeapRule::octal(0, &[0, 7]);
    let mut dawson = GrundyByDefinition::new(&dawson);
    for n in (1..9).chain([40]) {
        assert_eq!(path(n, "\"vertex-with-neighbours\""), dawson.value(&(n as u64 + 1)), "nodes of a path of {n}");
        assert_eq!(path(n, "\"edge-with-ends\""), dawson.value(&(n as u64)), "arcs of a path of {n}");
        assert_eq!(path(n, "\"vertex\""), n as u64 % 2);
    }
    assert_eq!(path(3, "\"vertex\", \"edge\""), 1, "a path has an edge less than vertices");
}

#[test]
fn neighbours_are_those_of_the_edges_that_are_left() {
    let text = "name = \"iso\"\nkind = \"deletion\"\nvertices = 3\nedges = [[1, 2], [2, 3]]\n\
                delete = [\"vertex-with-neighbours\", \"edge\"]";
    let AnyRuleset::Custom(iso) = rules(text) else { panic!("no custom ruleset") };
    let value = |position: &[u64]| {
        let component = AnyComponent::Custom(iso.clone(), position.to_vec());
        Session::new().valued(&component, &mut Meter::unlimited()).unwrap().value
    };
    // cells 4 and 5 are the edges; two vertices without an edge are two games of one move each
    assert_eq!((value(&[1, 2]), value(&[1, 2, 4]), value(&[1, 2, 3]), value(&[])), (0, 1, 1, 0));
    // 1 with 2, and 2 with both, leave vertices alone; an edge leaves an edge beside a vertex
    assert_eq!(value(&[1, 2, 3, 4, 5]), 2);
    assert!(iso.check_position(&[1, 4]).is_err());
}

#[test]
fn errors_have_a_place_and_a_remedy() {
    let cases = [
        ("kind = \"heap\"", 1, 1, "missing field `name`"),
        ("name = \"my\"\nkind = \"heep\"", 2, 8, "no kind of rules"),
        ("name = \"nim\"\nkind = \"heap\"\nrule = \"0.7\"", 1, 8, "a game of the notation already"),
        ("name = \"My game\"\nkind = \"heap\"\nrule = \"0.7\"", 1, 8, "no name for rules"),
        ("name = \"my\"\nkind = \"heap\"\nrule = \"take 1..3 |\"", 3, 20, ""),
        ("name = \"my\"\nkind = \"heap\"\nrule = \"0.7\"\nsteps = []", 4, 1, "unknown field"),
        ("name = \"my\"\nkind = \"heap\"\nrule = 7", 3, 8, "invalid type"),
        ("name = \"my\"\nkind = \"grid\"\nsteps = [[-1, 0], [0, 0]]", 3, 19, "a move changes the square"),
        ("name = \"my\"\nkind = \"grid\"\nrides = [[1, 0]]", 3, 10, "no end on a board without size"),
        ("name = \"my\"\nkind = \"grid\"\nboard = [\"..\", \"...\"]\nsteps = [[1, 0]]", 3, 16, "not 2 squares"),
        ("name = \"my\"\nkind = \"memory\"\nnext = \"k <= 2 * lost\"", 3, 18, ""),
        ("name = \"my\"\nkind = \"row\"\ntake = \"split\"", 3, 8, "may not be broken"),
        ("name = \"my\"\nkind = \"poset\"\nelements = 2\ncovers = [[1, 2], [2, 1]]", 4, 11, "and below it"),
        ("name = \"my\"\nkind = \"deletion\"\nvertices = 2\nedges = [[1, 3]]\ndelete = [\"edge\"]", 4, 10, "no \"3\""),
        (
            "name = \"my\"\nkind = \"deletion\"\nvertices = 3\nedges = [[1, 2, 3]]\ndelete = [\"edge\"]",
            4,
            10,
            "two vertices",
        ),
        ("name = \"my\"\nkind = \"poset\"\nelements = 2\ncovers = [[1]]", 4, 11, "here are 1 names"),
        (
            "name = \"my\"\nkind = \"grid\"\nsize = [3, 3]\nblocked = [[5, 5]]\nsteps = [[1, 0]]",
            4,
            12,
            "outside the board",
        ),
        ("name = \"my\"\nkind = ", 2, 8, ""),
    ];
    for (text, line, column, message) in cases {
        let error = read_rules(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {}", error.message);
        assert_eq!((error.line, error.column), (line, column), "{text}: {}", error.message);
        assert!(error.hint.is_some(), "{text}: {}", error.message);
    }
}
