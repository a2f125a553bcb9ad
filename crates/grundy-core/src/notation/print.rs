//! Meaning to text: the canonical form.

use core::fmt::Write;

use crate::rulesets::AnyComponent;

/// Writes a sum: the order is kept, neighbouring heaps of one game share their parentheses, `*n` stays `*n`, the empty
/// sum is `0`. Nothing is dropped.
pub fn print_sum(components: &[AnyComponent]) -> String {
    let mut text = String::new();
    let mut i = 0;
    while i < components.len() {
        let first = &components[i];
        if i > 0 {
            text.push_str(" + ");
        }
        let mut end = i + 1;
        if first.joins_neighbours() {
            end += components[end..].iter().take_while(|c| c.same_ruleset(first)).count();
        }
        print_group(&mut text, &components[i..end]);
        i = end;
    }
    if text.is_empty() {
        text.push('0');
    }
    text
}

/// Writes one component: `nim(3)`, `*5`, `moore[2](3, 4)`.
pub fn print_component(component: &AnyComponent) -> String {
    print_sum(core::slice::from_ref(component))
}

/// Writes a result of play: as [`print_sum`] without the empty heaps.
pub fn print_result<'a>(components: impl IntoIterator<Item = &'a AnyComponent>) -> String {
    let kept: Vec<AnyComponent> = components.into_iter().filter(|c| !c.is_empty_heap()).cloned().collect();
    print_sum(&kept)
}

fn print_group(text: &mut String, group: &[AnyComponent]) {
    if let Some(n) = group[0].as_nimber() {
        let _ = write!(text, "*{n}");
        return;
    }
    text.push_str(&group[0].ruleset_name());
    if group[0].is_whole_board() {
        return;
    }
    text.push('(');
    for (i, c) in group.iter().enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        text.push_str(&c.print_position());
    }
    text.push(')');
}
