//! Who wins a position of one's own game, by which moves, and whether the rules keep the laws of rulesets.

use grundy::{Budget, Session, query::SolveQuery, rules::RulesQuery};
use grundy_core::{notation::print_component, theory::Convention};

fn main() {
    let rules = my_rules::halves();
    let mut session = Session::new();
    let budget = Budget::default();

    let query =
        RulesQuery { name: "halves".into(), ruleset: rules.clone(), from: Vec::new(), seed: 1, positions: 2000 };
    match session.check_rules(&query, &budget) {
        Ok(answer) => println!("the rules: {}", if answer.accepted == Some(true) { "accepted" } else { "refused" }),
        Err(refusal) => println!("{refusal}"),
    }

    // halves(4, 7, 10): each heap is a component of its own
    let Ok(heaps) = rules.components(&[4, 7, 10]) else { return };
    let query = SolveQuery::new(heaps.into_iter().collect(), Convention::Normal);
    match session.solve(&query, &budget) {
        Ok(answer) => {
            println!("{}: value {:?}, outcome {:?}", answer.game, answer.value, answer.outcome);
            for m in &answer.moves {
                println!("  {}: {}", print_component(&m.from), m.name);
            }
        }
        Err(refusal) => println!("{refusal}"),
    }
}
