//! Laws of play, over random small sums in both conventions.

use grundy::{
    Budget,
    play::{Advice, Game, Hint, Level, Player, Random, Side, random_move, read_move, walk},
};
use grundy_core::{
    notation::{print_component, print_sum, read_sum},
    theory::{Convention, Outcome},
};
use proptest::prelude::*;

fn component() -> impl Strategy<Value = String> {
    prop_oneof![
        (0u64..8).prop_map(|n| format!("nim({n})")),
        (0u64..8).prop_map(|n| format!("kayles({n})")),
        (0u64..7).prop_map(|n| format!("lasker({n})")),
        (0u64..8).prop_map(|n| format!("grundy_game({n})")),
        (0u64..9).prop_map(|n| format!("[take 1..3]({n})")),
        (0u64..9).prop_map(|n| format!("[take squares]({n})")),
        (0u64..4, 0u64..4).prop_map(|(a, b)| format!("wythoff({a}, {b})")),
        (1u64..6, 1u64..6).prop_map(|(a, b)| format!("euclid({a}, {b})")),
        (0u64..3, 0u64..3).prop_map(|(a, b)| format!("nimble({a}, {b})")),
        (0u64..3, 0u64..3).prop_map(|(a, b)| format!("staircase(1, {a}, {b})")),
        (1u64..4, 0u64..3, 0u64..3).prop_map(|(a, b, c)| format!("chomp({}, {}, {c})", a + b + c, b + c)),
        (0u64..3, 0u64..3, 0u64..2).prop_map(|(a, b, c)| format!("moore[2]({a}, {b}, {c})")),
    ]
}

fn sum() -> impl Strategy<Value = String> {
    prop::collection::vec(component(), 1..4).prop_map(|all| all.join(" + "))
}

fn convention() -> impl Strategy<Value = Convention> {
    prop_oneof![Just(Convention::Normal), Just(Convention::Misere)]
}

fn game(text: &str, convention: Convention, first: Side) -> Game {
    Game::new(read_sum(text).unwrap(), convention, first).unwrap()
}

fn is_legal(game: &Game, m: &grundy::answer::Move) -> bool {
    let all = game.position().components();
    // by the definition: among the options
    let (options, complete) = walk::list(&all[m.component], 1 << 16);
    complete && all[m.component] == m.from && options.contains(&m.to)
}

/// Every rung of the ladder speaks of one legal move.
fn check_advice(game: &Game, advice: &Advice) {
    for rung in 1..=4 {
        match advice.hint(rung) {
            Hint::Standing(known) => assert_eq!((rung, known), (1, advice.known.clone())),
            Hint::Component { index, component } => {
                assert_eq!(advice.known.outcome, Some(Outcome::N));
                assert!(game.position().components()[index] == component && walk::has_move(&component));
            }
            Hint::Move(choice) => assert!(is_legal(game, &choice.played), "{:?}", choice.played),
            Hint::NoMove => assert!(game.ending().is_some()),
        }
    }
}

/// Plays the game to its end, the computer by `player`, the person by `other`; the winner.
fn play_out(game: &mut Game, player: &mut Player, other: &mut impl FnMut(&Game) -> (usize, walk::Parts)) -> Side {
    let budget = Budget::default();
    while game.ending().is_none() {
        let (i, to) = match game.to_move() {
            Side::Computer => {
                let choice = player.choose(game, &budget).expect("the game is not over");
                assert!(is_legal(game, &choice.played), "{:?}", choice.played);
                (choice.played.component, choice.played.to)
            }
            Side::You => other(game),
        };
        game.play(i, &to).expect("both sides play legal moves");
    }
    game.ending().expect("the loop ended").winner
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn perfect_play_keeps_a_won_game(text in sum(), convention in convention(), seed in any::<u64>()) {
        let mut player = Player::new(Level::Perfect, 0);
        let mut g = game(&text, convention, Side::Computer);
        let advice = player.advise(&g, &Budget::default());
        check_advice(&g, &advice);
        let wanted = match advice.known.outcome {
            Some(Outcome::N) => Side::Computer,
            _ => Side::You,
        };
        // two perfect players: the outcome decides, whoever it favours
        let mut twin = Player::new(Level::Perfect, 1);
        let mut perfect = |g: &Game| {
            let best = twin.advise(g, &Budget::default()).best.expect("the game is not over");
            (best.played.component, best.played.to)
        };
        prop_assert_eq!(play_out(&mut g.clone(), &mut player, &mut perfect), wanted, "{} {}", text, convention);
        // against chance the one who can win does
        let mut random = Random::new(seed);
        let mut chance = |g: &Game| {
            let m = random_move(g.position(), &mut random).expect("the game is not over");
            assert!(is_legal(g, &m));
            (m.component, m.to)
        };
        if wanted == Side::Computer {
            prop_assert_eq!(play_out(&mut g, &mut player, &mut chance), Side::Computer, "{} {}", text, convention);
        }
    }

    #[test]
    fn all_levels_play_by_the_rules(text in sum(), convention in convention(), seed in any::<u64>()) {
        for level in [Level::Club, Level::Beginner] {
            let mut player = Player::new(level, seed);
            let mut helper = Player::new(Level::Perfect, seed);
            let mut advised = |g: &Game| {
                let advice = helper.advise(g, &Budget::default());
                check_advice(g, &advice);
                let best = advice.best.expect("the game is not over");
                (best.played.component, best.played.to)
            };
            play_out(&mut game(&text, convention, Side::Computer), &mut player, &mut advised);
        }
    }

    #[test]
    fn undo_and_redo_go_through_the_same_positions(text in sum(), seed in any::<u64>()) {
        let mut g = game(&text, Convention::Normal, Side::You);
        let mut random = Random::new(seed);
        let mut met = vec![print_sum(g.position().components())];
        while let (None, Some(m)) = (g.ending(), random_move(g.position(), &mut random)) {
            g.play(m.component, &m.to).unwrap();
            met.push(print_sum(g.position().components()));
        }
        prop_assert!(g.ending().is_some());
        let turns = g.turns().to_vec();
        for k in (0..turns.len()).rev() {
            prop_assert_eq!(print_sum(g.position_before(k).components()), met[k].as_str());
            prop_assert!(g.undo());
            prop_assert_eq!(print_sum(g.position().components()), met[k].as_str());
        }
        prop_assert!(!g.undo());
        for text in &met[1..] {
            prop_assert!(g.redo());
            prop_assert_eq!(&print_sum(g.position().components()), text);
        }
        prop_assert!(!g.redo());
        prop_assert_eq!(g.turns(), &turns[..]);
    }

    #[test]
    fn printed_moves_are_read_as_the_same_move(text in sum(), seed in any::<u64>()) {
        let g = read_sum(&text).unwrap();
        if let Some(m) = random_move(&g, &mut Random::new(seed)) {
            let by_name = read_move(&format!("{}: {}", m.component + 1, m.name), &g);
            prop_assert_eq!(by_name.map(|r| (r.component, r.to)), Ok((m.component, m.to.clone())));
            let by_arrow = read_move(&format!("{} -> {}", print_component(&m.from), print_sum(&m.to)), &g).unwrap();
            prop_assert_eq!((by_arrow.from, by_arrow.to), (m.from, m.to));
        }
    }

    #[test]
    fn any_text_is_answered(line in "[-0-9a-z:>,+() ^]{0,20}", text in sum()) {
        let g = read_sum(&text).unwrap();
        if let Ok(m) = read_move(&line, &g) {
            prop_assert!(walk::legal_move(&g, m.component, &m.to).is_some());
        }
    }
}
