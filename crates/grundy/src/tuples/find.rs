//! Looks for a description of the P-positions that a proof accepts: formulas of known kinds first, then an automaton.

use std::ops::ControlFlow;

use grundy_core::{
    notation::formula::{Claim, Condition, Formula},
    rulesets::AnyRuleset,
    theory::Convention,
};

use super::{
    SOURCES, TupleRuleset, check, method, moves, outside,
    plain::{self, Game, Outcomes, Unknown},
    symbolic::{Judged, judge, undecided},
};
use crate::{
    Session,
    answer::{Header, Stats, Status},
    budget::{Budget, Meter, StopReason},
    discover::{
        Halt, Verdict, atoms, compile,
        learn::learn,
        prove,
        relation::{Relation, Track, exists},
    },
    query::SequenceQuery,
    session::Refusal,
};

mod residuals;

/// Sides of the first box of positions, by the number of heaps.
const FIRST_SIDE: [u64; 4] = [256, 32, 16, 8];
/// The same where a condition is tested for every position of no larger total.
const FIRST_SIDE_RAISED: [u64; 4] = [256, 32, 8, 4];

/// Positions of the last box.
const MOST_POSITIONS: u64 = 1 << 18;

/// Options looked at in one box.
const WORK: u64 = 100_000_000;

/// Positions that are listed.
const LISTED: usize = 20;

/// Values of a heap that its automaton is guessed from.
const VALUES: u64 = 4096;

/// How it is told that nothing was found.
const NOTHING: &str = "outcomes by the definition; no formula of a known kind and no small automaton was proved";

/// What are the P-positions?
#[derive(Clone, Debug)]
pub struct TupleSearch {
    /// The ruleset.
    pub ruleset: TupleRuleset,
    /// How many heaps, 1 to [`MOST_HEAPS`](super::MOST_HEAPS).
    pub heaps: u8,
    /// Who wins when no move is left.
    pub convention: Convention,
}

/// The answer to a [`TupleSearch`].
#[derive(Clone, Debug)]
pub struct TupleFinding {
    /// Convention, status, method, sources, cost. Proved: the claim, or the automaton, is right for all positions; conjectured: the
    /// claim is right in the box; computed: nothing was found, and the members listed are right; stopped: nor was that known.
    pub header: Header,
    /// The ruleset's name.
    pub game: String,
    /// The names of the heaps.
    pub names: Vec<String>,
    /// A claim that holds at the P-positions and nowhere else; None if no formula was found.
    pub claim: Option<Claim>,
    /// The states of the smallest automaton that accepts the P-positions, read in binary from the lowest bits on, where a
    /// proof was found; the one that accepts nothing is not counted.
    pub states: Option<u64>,
    /// All positions of numbers below this were decided by the definition.
    pub side: u64,
    /// The first P-positions, by total and then in lexicographic order.
    pub members: Vec<Vec<u64>>,
    /// The limit that was reached, if one was.
    pub stop: Option<StopReason>,
}

/// The outcomes of a box of positions.
struct Known {
    side: u64,
    heaps: usize,
    /// By the position, the last number moving fastest.
    lost: Vec<bool>,
}

impl Known {
    fn positions(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        (0..self.lost.len() as u64).map(|at| {
            let place = |i: usize| at / self.side.pow((self.heaps - 1 - i) as u32) % self.side;
            (0..self.heaps).map(place).collect()
        })
    }

    /// None if it is too much work.
    fn new(search: &TupleSearch, game: Game, side: u64, meter: &mut Meter) -> Result<Option<Known>, StopReason> {
        let heaps = usize::from(search.heaps);
        let mut outcomes = Outcomes::new(game, search.convention);
        for total in 0..=(side - 1) * heaps as u64 {
            let mut halt = None;
            let _ = plain::layer(heaps, total, game.order, |position| {
                // moves that make a heap larger lead out of the box, but not beyond its largest total
                if !game.raises && position.iter().any(|n| *n >= side) {
                    return ControlFlow::Continue(());
                }
                match outcomes.decide(position, WORK, meter) {
                    Ok(_) => ControlFlow::Continue(()),
                    Err(unknown) => {
                        halt = Some(unknown);
                        ControlFlow::Break(())
                    }
                }
            });
            match halt {
                Some(Unknown::Stop(stop)) => return Err(stop),
                Some(Unknown::TooMuch) => return Ok(None),
                None => {}
            }
        }
        let mut whole = Known { side, heaps, lost: vec![false; side.pow(heaps as u32) as usize] };
        whole.lost = whole.positions().map(|p| outcomes.is_lost(&p)).collect();
        Ok(Some(whole))
    }

    fn members(&self) -> Vec<Vec<u64>> {
        let mut all: Vec<Vec<u64>> = self.positions().zip(&self.lost).filter(|(_, l)| **l).map(|(p, _)| p).collect();
        all.sort_by_cached_key(|p| (p.iter().sum::<u64>(), p.clone()));
        all.truncate(LISTED);
        all
    }

    fn agrees(&self, claim: &Condition) -> bool {
        self.positions().zip(&self.lost).all(|(p, lost)| plain::holds(claim, &p) == Ok(*lost))
    }
}

impl Session {
    /// Looks for a description of the P-positions and proves it.
    ///
    /// # Complexity
    /// The outcomes of some thousand positions by the definition, up to 2^18 where no formula of a known kind agrees; a proof
    /// for each formula that agrees, and for each automaton that these outcomes suggest.
    ///
    /// # Errors
    /// A [`Refusal`] if the ruleset lies outside the theory.
    pub fn discover_tuple(&mut self, search: &TupleSearch, budget: &Budget) -> Result<TupleFinding, Refusal> {
        let game = check(&search.ruleset, search.heaps)?;
        let mut meter = Meter::new(budget);
        let mut answer = TupleFinding {
            header: Header {
                convention: search.convention,
                status: Status::Stopped,
                method: "a limit came before the first positions were known".into(),
                sources: Vec::new(),
                stats: Stats::default(),
            },
            game,
            names: search.ruleset.names(search.heaps),
            claim: None,
            states: None,
            side: 0,
            members: Vec::new(),
            stop: None,
        };
        match self.look(search, &mut answer, &mut meter) {
            Ok(()) => {}
            Err(Halt::Stop(stop)) => answer.stop = Some(stop),
            Err(Halt::Outside(what)) => return Err(outside(&what, &search.ruleset)),
        }
        answer.header.stats = Stats { elapsed: meter.elapsed(), positions: meter.positions_seen() };
        Ok(answer)
    }

    fn look(&mut self, search: &TupleSearch, answer: &mut TupleFinding, meter: &mut Meter) -> Result<(), Halt> {
        let (moves, game) = moves::compile(&search.ruleset, search.heaps, meter)?;
        let heaps = usize::from(search.heaps);
        let is_raised = game.raises && matches!(game.ruleset, TupleRuleset::Own(_));
        let mut side = if is_raised { FIRST_SIDE_RAISED[heaps - 1] } else { FIRST_SIDE[heaps - 1] };
        let mut is_first = true;
        while side.pow(search.heaps.into()) <= MOST_POSITIONS {
            let Some(known) = Known::new(search, game, side, meter)? else { break };
            answer.side = side;
            answer.members = known.members();
            answer.header.status = Status::Computed;
            answer.header.method = NOTHING.into();
            if is_first && formulas(search, game, &known, &moves, answer, meter)? {
                return Ok(());
            }
            if is_first && let Some(set) = self.by_values(search, meter)? {
                return accept(search, game, &set, &moves, answer, meter).map(drop);
            }
            if let Some(set) = residuals::learn_set(&known.lost, side, search.heaps, meter)?
                && accept(search, game, &set, &moves, answer, meter)?
            {
                return Ok(());
            }
            is_first = false;
            side *= 2;
        }
        if answer.side == 0 {
            answer.header.method = "the first positions have too many options".into();
        }
        Ok(())
    }

    /// The positions with nim-sum 0, where the values of a heap are given by a small automaton that is proved.
    fn by_values(&mut self, search: &TupleSearch, meter: &mut Meter) -> Result<Option<Relation>, Halt> {
        let (TupleRuleset::Named(AnyRuleset::Heap(game)), Convention::Normal) = (&search.ruleset, search.convention)
        else {
            return Ok(None);
        };
        let mut budget = meter.budget().clone();
        budget.time = budget.time.map(|t| t.saturating_sub(meter.elapsed()));
        let query = SequenceQuery { game: game.clone(), to: VALUES - 1 };
        let values = self.sequence(&query, &budget);
        if let Some(stop) = values.stop {
            return Err(stop.into());
        }
        let Some(graph) = learn(&values.values, meter)? else { return Ok(None) };
        match prove(game.rule(), &graph, meter) {
            Ok(Verdict::Proved) => {}
            Ok(_) | Err(Halt::Outside(_)) => return Ok(None),
            Err(stop) => return Err(stop),
        }
        let here: Vec<Track> = (0..search.heaps).collect();
        let there: Vec<Track> = (search.heaps..2 * search.heaps).collect();
        let heaps = here.iter().zip(&there).map(|(x, u)| graph.renamed(&[*x, *u], meter));
        let mut parts: Vec<Relation> = heaps.collect::<Result<_, _>>()?;
        parts.push(atoms::columnwise(&there, |bits| bits.count_ones() % 2 == 0, meter)?);
        let parts: Vec<&Relation> = parts.iter().collect();
        Ok(Some(exists(&parts, &here, meter)?))
    }
}

/// True if a formula was proved.
fn formulas(
    search: &TupleSearch,
    game: Game,
    known: &Known,
    moves: &Relation,
    answer: &mut TupleFinding,
    meter: &mut Meter,
) -> Result<bool, Halt> {
    let names = search.ruleset.names(search.heaps);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for text in candidates(search) {
        meter.steps(1 << 14)?;
        let Ok(claim) = Claim::parse(&text, &names) else { continue };
        if !known.agrees(claim.condition()) {
            continue;
        }
        answer.claim = Some(claim.clone());
        answer.header.status = Status::Conjectured;
        answer.header.method = format!("agrees with the outcomes of all positions of numbers below {}", known.side);
        match proved(search, claim.condition(), moves, meter) {
            Ok(Some(set)) => {
                accept_proved(search, game, &set, answer, meter)?;
                return Ok(true);
            }
            Ok(None) | Err(Halt::Outside(_)) => answer.claim = None,
            Err(stop) => return Err(stop),
        }
        answer.header.status = Status::Computed;
        answer.header.method = NOTHING.into();
    }
    Ok(false)
}

/// True if the set is proved.
fn accept(
    search: &TupleSearch,
    game: Game,
    set: &Relation,
    moves: &Relation,
    answer: &mut TupleFinding,
    meter: &mut Meter,
) -> Result<bool, Halt> {
    let others = set.not(meter)?;
    let judged = judge(set, &others, moves, search.heaps, search.convention, meter)?;
    if matches!(judged, Judged::Fails(_)) {
        return Ok(false);
    }
    accept_proved(search, game, set, answer, meter)?;
    Ok(true)
}

fn accept_proved(
    search: &TupleSearch,
    game: Game,
    set: &Relation,
    answer: &mut TupleFinding,
    meter: &mut Meter,
) -> Result<(), Halt> {
    // proved before it is counted, whatever limit comes now
    answer.header.status = Status::Proved;
    answer.header.method = method(search.convention, game);
    answer.header.sources = SOURCES.to_vec();
    answer.states = Some(set.minimised(meter)?.states() as u64);
    Ok(())
}

/// The set of a claim, if it is that of the P-positions.
fn proved(
    search: &TupleSearch,
    claim: &Condition,
    moves: &Relation,
    meter: &mut Meter,
) -> Result<Option<Relation>, Halt> {
    let (yes, no) = compile::claim(claim, search.heaps, meter)?;
    if undecided(&yes, &no, meter)?.is_some() {
        return Ok(None);
    }
    let judged = judge(&yes, &no, moves, search.heaps, search.convention, meter)?;
    Ok(matches!(judged, Judged::Proved).then_some(yes))
}

/// Formulas of known kinds, the simplest first.
fn candidates(search: &TupleSearch) -> Vec<String> {
    let names = search.ruleset.names(search.heaps);
    let join = |terms: &[String], by: &str| terms.join(by);
    let each = |of: &dyn Fn(&str) -> String| -> Vec<String> { names.iter().map(|n| of(n)).collect() };
    // heaps that balance, and in misère play an odd number of ones where no heap is larger
    let balanced = |terms: &[String], modulus: u64| match (search.convention, modulus, terms) {
        (_, 2, [one]) => format!("{one} = 0"),
        (_, 2, [one, two]) => format!("{one} = {two}"),
        (_, 2, terms) => format!("{} = 0", join(terms, " xor ")),
        (_, m, terms) => format!("columns({}) mod {m} = 0", join(terms, ", ")),
    };
    let misere = |terms: &[String], modulus: u64| {
        if let [one] = terms {
            return format!("{one} = 1");
        }
        let most = format!("max({})", join(terms, ", "));
        let balanced = balanced(terms, modulus);
        format!("{most} <= 1 and ({}) mod {modulus} = 1 or {most} > 1 and {balanced}", join(terms, " + "))
    };
    let mut kinds: Vec<Vec<String>> = vec![names.clone()];
    if let TupleRuleset::Named(AnyRuleset::Heap(game)) = &search.ruleset
        && let Some(form) = game.closed_form()
        && let Ok(formula) = Formula::parse(&form.formula(), &["n"])
        && formula.cases().is_empty()
    {
        kinds.push(each(&|n| format!("({})", formula.otherwise().display(&[n.to_owned()]))));
    }
    kinds.extend((2..=16u64).map(|m| each(&|n| format!("({n} mod {m})"))));
    kinds.extend((2..=4u64).map(|m| each(&|n| format!("({n} div {m})"))));
    if names.len() > 1 {
        // every second stair
        kinds.push(names.iter().skip(1).step_by(2).cloned().collect());
        // one heap alone, the smallest, the largest
        kinds.extend(names.iter().map(|name| vec![name.clone()]));
        kinds.extend(["min", "max"].map(|of| vec![format!("{of}({})", join(&names, ", "))]));
    }
    let sum = join(&names, " + ");
    let sums = (2..=16u64).flat_map(|m| (0..m).map(move |r| (m, r)));
    let mut all: Vec<String> = sums.map(|(m, r)| format!("({sum}) mod {m} = {r}")).collect();
    for modulus in 2..=5 {
        for terms in &kinds {
            all.push(match search.convention {
                Convention::Normal => balanced(terms, modulus),
                Convention::Misere => misere(terms, modulus),
            });
            // a claim that holds in one convention may hold in the other
            if search.convention == Convention::Misere {
                all.push(balanced(terms, modulus));
            }
        }
    }
    all
}
