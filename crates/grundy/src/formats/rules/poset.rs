//! `kind = "poset"`: choose an element; it goes, and all that lie above it.

use grundy_core::rulesets::{AnyRuleset, cells::Deletion};
use serde::{Deserialize, de::IgnoredAny};
use toml::Spanned;

use super::{
    Wrong,
    cells::{self, CellName, CellNames, board},
    parse,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PosetFile {
    #[serde(rename = "name")]
    _name: IgnoredAny,
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "about")]
    _about: Option<String>,
    elements: Spanned<CellNames>,
    covers: Vec<Spanned<Vec<CellName>>>,
}

/// Most pairs.
const MOST_COVERS: usize = 1 << 16;

/// A finite ordered set by its cover relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PosetData {
    /// The names of the elements.
    pub elements: Vec<String>,
    /// Pairs of indices: the second lies just above the first.
    pub covers: Vec<(usize, usize)>,
}

impl PosetData {
    /// For each element what lies above it, itself included, ascending.
    ///
    /// # Complexity
    /// Elements times covers.
    ///
    /// # Errors
    /// A cover whose upper element lies below its lower one, by its index.
    pub fn above(&self) -> Result<Vec<Vec<usize>>, usize> {
        let count = self.elements.len();
        let mut up = vec![Vec::new(); count];
        self.covers.iter().for_each(|(low, high)| up[*low].push(*high));
        let mut all = Vec::with_capacity(count);
        let reached = |from: &[usize]| {
            let mut seen = vec![false; count];
            let mut stack = from.to_vec();
            while let Some(y) = stack.pop() {
                if !std::mem::replace(&mut seen[y], true) {
                    stack.extend(&up[y]);
                }
            }
            seen
        };
        for x in 0..count {
            let mut seen = reached(&up[x]);
            if std::mem::replace(&mut seen[x], true) {
                let closes = |(low, high): &(usize, usize)| *low == x && (*high == x || reached(&[*high])[x]);
                return Err(self.covers.iter().position(closes).unwrap_or(0));
            }
            all.push((0..count).filter(|y| seen[*y]).collect());
        }
        Ok(all)
    }
}

pub(super) fn read(text: &str, name: &str) -> Result<AnyRuleset, Wrong> {
    let file: PosetFile = parse(text)?;
    let span = file.elements.span();
    let elements = file.elements.into_inner().read(span.clone(), "elements")?;
    if file.covers.len() > MOST_COVERS {
        return Err(Wrong::new(format!("there are at most {MOST_COVERS} covers"), span.clone())
            .hint("pairs that follow from others may be left out"));
    }
    let mut covers = Vec::with_capacity(file.covers.len());
    for pair in &file.covers {
        let (low, high) = cells::pair(pair, "a cover is a pair [lower, upper]")?;
        covers.push((low.index(&elements, pair.span())?, high.index(&elements, pair.span())?));
    }
    let data = PosetData { elements, covers };
    let above = data.above().map_err(|bad| {
        let (low, high) = (&data.elements[data.covers[bad].0], &data.elements[data.covers[bad].1]);
        Wrong::new(format!("\"{high}\" lies above \"{low}\" and below it"), file.covers[bad].span())
            .hint("covers are pairs [lower, upper] of an order, which does not go round")
    })?;
    let moves = above
        .iter()
        .enumerate()
        .map(|(x, gone)| Deletion {
            needed: vec![x as u32],
            removed: gone.iter().map(|y| *y as u32).collect(),
            name: data.elements[x].clone(),
        })
        .collect();
    board(name, data.elements, moves, span)
}
