//! The legal moves of a position: one by one, forwards and back, from a wanted amount on.
//!
//! Huge heaps are never listed: for them one seeks the amount first. Every walk looks at a bounded number of candidates.

use std::ops::ControlFlow;

use grundy_core::{
    notation::print_result,
    ruleset::OptionSink,
    rulesets::{AnyComponent, heap::HeapRule},
    theory::Sum,
};

use crate::answer::Move;

/// What a component becomes.
pub type Parts = Vec<AnyComponent>;

/// Most options that one step of a walk looks at.
const OPTIONS: u64 = 1 << 17;

/// Most rejected candidates that one step of a walk looks at.
const TICKS: u64 = 1 << 24;

/// The move of component `i` to the sum of `to`, whose empty heaps vanish; None if the rules do not allow it.
pub fn legal_move(game: &Sum<AnyComponent>, i: usize, to: &[AnyComponent]) -> Option<Move> {
    let from = game.components().get(i)?;
    let mut to: Parts = to.iter().filter(|c| !c.is_empty_heap()).cloned().collect();
    to.sort_by_key(|c| if let AnyComponent::Heap(_, n) = c { *n } else { 0 });
    if !from.is_option(&to) {
        return None;
    }
    Some(Move {
        component: i,
        from: from.clone(),
        name: from.move_name(&to),
        count: 1,
        result: (game.len() <= 64).then(|| print_result(game.replaced(i, &to).components())),
        to,
    })
}

/// True unless no component has a move. Where a move is so rare that the search gives up, there may be one.
pub fn has_moves(game: &Sum<AnyComponent>) -> bool {
    game.components().iter().any(has_move)
}

/// True unless the component has no move, or so rare ones that the search gives up.
pub fn has_move(component: &AnyComponent) -> bool {
    if component.is_empty_heap() {
        return false;
    }
    let mut seek = Seek::new(|_: &[AnyComponent]| ControlFlow::Break(()));
    component.options(&mut seek).is_break()
}

/// Counts the options of a component up to `most`; None if there are more, or if the count takes too long.
pub fn count(component: &AnyComponent, most: u64) -> Option<u64> {
    let mut seen = 0;
    let mut seek = Seek::new(|_: &[AnyComponent]| {
        seen += 1;
        if seen > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    component.options(&mut seek).is_continue().then_some(seen)
}

/// The first `most` options of a component in the order of moves, and whether these are all.
pub fn list(component: &AnyComponent, most: usize) -> (Vec<Parts>, bool) {
    let mut all = Vec::new();
    let mut seek = Seek::new(|parts: &[AnyComponent]| {
        if all.len() == most {
            return ControlFlow::Break(());
        }
        all.push(parts.to_vec());
        ControlFlow::Continue(())
    });
    let complete = component.options(&mut seek).is_continue();
    (all, complete)
}

/// The option with index `k` in the order of moves.
pub fn nth(component: &AnyComponent, k: u64) -> Option<Parts> {
    let mut left = k;
    find_from(component, 0, |_| {
        let here = left == 0;
        left = left.saturating_sub(1);
        here
    })
}

/// The first option.
pub fn first(component: &AnyComponent) -> Option<Parts> {
    find_from(component, 0, |_| true)
}

/// The last option of the largest amount of a heap, as far as the walk looks; of others the last of the first 2^17.
pub fn last(component: &AnyComponent) -> Option<Parts> {
    match takes(component) {
        Some((_, heap)) => last_below(component, heap.checked_add(1)),
        None => list(component, OPTIONS as usize).0.pop(),
    }
}

/// The option after `parts`.
pub fn next(component: &AnyComponent, parts: &[AnyComponent]) -> Option<Parts> {
    let amount = amount(component, parts).unwrap_or(0);
    let mut met = false;
    let found = find_from(component, amount, |option| {
        let after = met;
        met |= option == parts;
        after
    });
    match (found, takes(component)) {
        (Some(found), _) => Some(found),
        // too many of this amount: on to the next one
        (None, Some((rule, heap))) if !met => of_amount(component, rule.next_amount(amount.checked_add(1)?, heap)?),
        _ => None,
    }
}

/// The option before `parts`.
pub fn previous(component: &AnyComponent, parts: &[AnyComponent]) -> Option<Parts> {
    let amount = amount(component, parts);
    let mut before = None;
    let _ = find_from(component, amount.unwrap_or(0), |option| {
        let here = option == parts;
        if !here {
            before = Some(option.to_vec());
        }
        here
    });
    before.or_else(|| last_below(component, Some(amount?)))
}

/// The first option that takes at least `amount` from a heap.
pub fn of_amount(component: &AnyComponent, amount: u64) -> Option<Parts> {
    takes(component)?;
    find_from(component, amount, |_| true)
}

/// What is taken from the heap by the move to `parts`; None where moves do not take amounts from one heap.
pub fn amount(component: &AnyComponent, parts: &[AnyComponent]) -> Option<u64> {
    let (_, heap) = takes(component)?;
    parts.iter().try_fold(heap, |left, p| match p {
        AnyComponent::Heap(_, n) => left.checked_sub(*n),
        _ => None,
    })
}

/// The amounts from `first` on that may be taken with some remainder, at most `most`; empty where moves are no amounts.
pub fn amounts(component: &AnyComponent, first: u64, most: usize) -> Vec<u64> {
    let mut all = Vec::new();
    let mut from = Some(first);
    while let (Some(k), true) = (from, all.len() < most) {
        let Some(taken) = of_amount(component, k).and_then(|parts| amount(component, &parts)) else { break };
        all.push(taken);
        from = taken.checked_add(1);
    }
    all
}

/// The rule and size of a heap from which amounts are taken. A row for three marks is none: there one marks a square.
pub(super) fn takes(component: &AnyComponent) -> Option<(&HeapRule, u64)> {
    match component {
        AnyComponent::Heap(game, n) if !game.is_normal_only() => Some((game.rule(), *n)),
        _ => None,
    }
}

/// The numbers of a position that is a list of them; None for positions of other kinds.
pub fn numbers(component: &AnyComponent) -> Option<&[u64]> {
    match component {
        AnyComponent::Heap(_, n) => Some(std::slice::from_ref(n)),
        AnyComponent::Moore(_, p)
        | AnyComponent::Staircase(_, p)
        | AnyComponent::Nimble(_, p)
        | AnyComponent::Coins(_, p)
        | AnyComponent::Tartan(_, p)
        | AnyComponent::Chomp(_, p)
        | AnyComponent::Custom(_, p) => Some(p),
        AnyComponent::Digraph(..)
        | AnyComponent::Cram(..)
        | AnyComponent::Cells(..)
        | AnyComponent::Hackenbush(..)
        | AnyComponent::Geography(..) => None,
        AnyComponent::Wythoff(_, p) | AnyComponent::Euclid(_, p) => Some(p),
    }
}

/// A position of the ruleset to which options of `component` belong, with other numbers; None if it has no such position.
pub fn with_numbers(component: &AnyComponent, numbers: Vec<u64>) -> Option<AnyComponent> {
    Some(match component {
        AnyComponent::Heap(game, _) => match numbers[..] {
            [n] => AnyComponent::Heap(game.options_game(), n),
            _ => return None,
        },
        AnyComponent::Moore(r, _) => AnyComponent::Moore(*r, numbers),
        AnyComponent::Staircase(r, _) => AnyComponent::Staircase(*r, numbers),
        AnyComponent::Nimble(r, _) => AnyComponent::Nimble(*r, numbers),
        AnyComponent::Coins(r, _) => AnyComponent::Coins(r.clone(), numbers),
        AnyComponent::Tartan(r, _) if numbers.len().is_multiple_of(r.factors().len()) => {
            AnyComponent::Tartan(r.clone(), numbers)
        }
        AnyComponent::Tartan(..)
        | AnyComponent::Digraph(..)
        | AnyComponent::Cram(..)
        | AnyComponent::Cells(..)
        | AnyComponent::Hackenbush(..)
        | AnyComponent::Geography(..) => return None,
        AnyComponent::Wythoff(r, _) => AnyComponent::Wythoff(*r, numbers.try_into().ok()?),
        AnyComponent::Euclid(r, _) => AnyComponent::Euclid(*r, numbers.try_into().ok()?),
        AnyComponent::Chomp(r, _) => AnyComponent::Chomp(*r, r.board(&numbers).ok()?),
        AnyComponent::Custom(r, _) => AnyComponent::Custom(r.clone(), numbers),
    })
}

/// The last option of the largest amount below `end` that has one; None for `end` stands for 2^64.
fn last_below(component: &AnyComponent, end: Option<u64>) -> Option<Parts> {
    const AMOUNTS: u64 = 1000;
    let (rule, heap) = takes(component)?;
    let mut end = end;
    for _ in 0..AMOUNTS {
        let k = amount_below(rule, heap, end)?;
        let mut last = None;
        // all of these amounts together are one step of a walk
        let _ = find_within(component, k, TICKS / AMOUNTS, |option| {
            let here = amount(component, option) == Some(k);
            if here {
                last = Some(option.to_vec());
            }
            !here
        });
        if last.is_some() {
            return last;
        }
        end = Some(k);
    }
    None
}

/// The largest amount below `end` that the rule takes from `heap`.
fn amount_below(rule: &HeapRule, heap: u64, end: Option<u64>) -> Option<u64> {
    let below = |k: u64| rule.next_amount(k, heap).is_some_and(|a| end.is_none_or(|e| a < e));
    if !below(0) {
        return None;
    }
    // below holds up to the wanted amount and not beyond it; gallop down, for it is often near
    let mut high = end.map_or(heap, |e| (e - 1).min(heap));
    if below(high) {
        return Some(high);
    }
    let mut step = 1;
    let mut low = loop {
        let low = high.saturating_sub(step);
        if below(low) {
            break low;
        }
        high = low;
        step = step.saturating_mul(2);
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if below(middle) { low = middle } else { high = middle }
    }
    Some(low)
}

/// The first option from `amount` on (from the first option where there are no amounts) that `wanted` accepts.
fn find_from(component: &AnyComponent, amount: u64, wanted: impl FnMut(&[AnyComponent]) -> bool) -> Option<Parts> {
    find_within(component, amount, TICKS, wanted)
}

/// [`find_from`], which gives up after so many rejected candidates.
fn find_within(
    component: &AnyComponent,
    amount: u64,
    ticks: u64,
    mut wanted: impl FnMut(&[AnyComponent]) -> bool,
) -> Option<Parts> {
    let mut found = None;
    let mut seek = Seek::new(|parts: &[AnyComponent]| {
        if wanted(parts) {
            found = Some(parts.to_vec());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    seek.ticks = ticks;
    let _ = match component {
        AnyComponent::Heap(game, _) if takes(component).is_some() => {
            let (rule, heap) = (game.rule(), game.heap_of(component_size(component)).unwrap_or(0));
            let to = game.options_game();
            let mut parts = Vec::new();
            rule.each_option_from(
                heap,
                amount,
                &mut Sizes(|sizes: Option<&[u64]>| match sizes {
                    Some(sizes) => {
                        parts.clear();
                        parts.extend(sizes.iter().map(|n| AnyComponent::Heap(to.clone(), *n)));
                        seek.push_sum(&parts)
                    }
                    None => seek.tick(),
                }),
            )
        }
        _ => component.options(&mut seek),
    };
    found
}

fn component_size(component: &AnyComponent) -> u64 {
    if let AnyComponent::Heap(_, n) = component { *n } else { 0 }
}

/// A sink of heap sizes; None is a tick.
struct Sizes<F>(F);

impl<F: FnMut(Option<&[u64]>) -> ControlFlow<()>> OptionSink<u64> for Sizes<F> {
    fn push_sum(&mut self, parts: &[u64]) -> ControlFlow<()> {
        self.0(Some(parts))
    }

    fn tick(&mut self) -> ControlFlow<()> {
        self.0(None)
    }
}

/// A sink that gives up after so many options and rejected candidates.
struct Seek<F> {
    each: F,
    options: u64,
    ticks: u64,
}

impl<F> Seek<F> {
    fn new(each: F) -> Self {
        Seek { each, options: OPTIONS, ticks: TICKS }
    }
}

fn spend(left: &mut u64) -> ControlFlow<()> {
    match left.checked_sub(1) {
        Some(rest) => {
            *left = rest;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    }
}

impl<F: FnMut(&[AnyComponent]) -> ControlFlow<()>> OptionSink<AnyComponent> for Seek<F> {
    fn push_sum(&mut self, parts: &[AnyComponent]) -> ControlFlow<()> {
        spend(&mut self.options)?;
        (self.each)(parts)
    }

    fn tick(&mut self) -> ControlFlow<()> {
        spend(&mut self.ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_core::notation::{print_sum, read_sum};

    fn one(text: &str) -> AnyComponent {
        read_sum(text).unwrap().into_components().remove(0)
    }

    #[test]
    fn forwards_and_back_over_all_options() {
        for text in [
            "nim(6)",
            "kayles(9)",
            "lasker(8)",
            "grundy_game(9)",
            "[take squares](30)",
            "[take primes | split](12)",
            "[take k where n mod 3 = 0](9)",
            "8.07(9)",
            "wythoff(4, 6)",
            "moore[2](2, 3, 1)",
            "treblecross(7)",
        ] {
            let c = one(text);
            let (all, complete) = list(&c, 10_000);
            assert!(complete && !all.is_empty(), "{text}");
            let mut at = first(&c);
            for (k, option) in all.iter().enumerate() {
                assert_eq!(at.as_ref(), Some(option), "{text}");
                assert_eq!(nth(&c, k as u64).as_ref(), Some(option));
                if takes(&c).is_some() {
                    assert_eq!(previous(&c, option), k.checked_sub(1).map(|j| all[j].clone()), "{text} {k}");
                }
                at = next(&c, option);
            }
            assert_eq!(at, None);
            assert_eq!(last(&c).as_ref(), all.last(), "{text}");
            assert_eq!(count(&c, 10_000), Some(all.len() as u64));
            assert_eq!(count(&c, all.len() as u64 - 1), None);
        }
    }

    #[test]
    fn huge_heaps_are_sought_not_listed() {
        let c = one("nim(10^18)");
        let near = of_amount(&c, 999_999_999_999_999_000).unwrap();
        assert_eq!(print_sum(&near), "nim(1000)");
        assert_eq!(print_sum(&next(&c, &near).unwrap()), "nim(999)");
        assert_eq!(print_sum(&previous(&c, &near).unwrap()), "nim(1001)");
        assert_eq!(last(&c), Some(vec![]));
        assert_eq!(count(&c, 1000), None);
        let c = one("[take squares](10^18)");
        assert_eq!(amounts(&c, 10, 3), [16, 25, 36]);
        assert_eq!(amount(&c, &last(&c).unwrap()), Some(1_000_000_000_000_000_000));
        assert_eq!(
            amount(&c, &previous(&c, &of_amount(&c, 1 << 40).unwrap()).unwrap()),
            Some(((1 << 20) - 1u64).pow(2))
        );
    }

    #[test]
    fn rare_moves_are_given_up() {
        let c = one("[take any leaving a, b where a = 2*b and n = 5](10^18)");
        let started = std::time::Instant::now();
        assert!(last(&c).is_none() && first(&c).is_none());
        assert!(started.elapsed() < std::time::Duration::from_secs(60));
    }

    #[test]
    fn legal_moves_have_names_and_results() {
        let game = read_sum("nim(3) + lasker(7)").unwrap();
        let m = legal_move(&game, 1, read_sum("lasker(6, 0, 1)").unwrap().components()).unwrap();
        assert_eq!((m.name.as_str(), m.result.as_deref()), ("split into 1 + 6", Some("nim(3) + lasker(1, 6)")));
        assert_eq!(legal_move(&game, 0, read_sum("lasker(1)").unwrap().components()), None);
        assert_eq!(legal_move(&game, 0, read_sum("nim(3)").unwrap().components()), None);
    }
}
