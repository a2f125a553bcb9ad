//! `kind = "heap"`: a rule in words, or a code.

use std::sync::Arc;

use grundy_core::{notation::read_heap_game, rulesets::AnyRuleset};
use serde::{Deserialize, de::IgnoredAny};
use toml::Spanned;

use super::{Wrong, inside, parse};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeapFile {
    #[serde(rename = "name")]
    _name: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "about")]
    _about: Option<String>,
    rule: Spanned<String>,
}

pub(super) fn read(text: &str, name: &str) -> Result<AnyRuleset, Wrong> {
    let file: HeapFile = parse(text)?;
    let rule = file.rule.get_ref().trim();
    let is_bare = ["take", "split"].iter().any(|word| rule.starts_with(word)) || rule.contains('|');
    let lead = file.rule.get_ref().len() - file.rule.get_ref().trim_start().len();
    let (notation, shift) = match is_bare && !rule.starts_with('[') {
        true => (format!("[{rule}]"), 1),
        false => (rule.to_owned(), 0),
    };
    let game = read_heap_game(&notation).map_err(|mut e| {
        e.span = e.span.start + lead..e.span.end + lead;
        let error = inside(text, &file.rule, e, shift);
        match error.hint {
            Some(_) => error,
            None => error.hint("for example rule = \"take 1..3 | split into a, b where a = b\", or rule = \"0.77\""),
        }
    })?;
    Ok(AnyRuleset::Heap(Arc::new(game.renamed(name))))
}
