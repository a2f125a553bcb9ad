//! What was typed, with the place of every piece.

use core::ops::Range;

use super::words::WordRule;
use crate::rulesets::heap::Code;

/// Byte offsets into the text.
pub type Span = Range<usize>;

/// A sum as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct SumAst {
    /// The terms between the plus signs.
    pub terms: Vec<TermAst>,
}

/// One term of a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct TermAst {
    /// `3x` in front; 1 if nothing was typed.
    pub copies: u64,
    /// What is copied.
    pub component: ComponentAst,
    /// The whole term.
    pub span: Span,
}

/// A component as typed.
#[derive(Clone, Debug, PartialEq)]
pub enum ComponentAst {
    /// `0`
    Zero,
    /// `*5`, `*`
    Nimber(u64),
    /// `kayles(3, 5)`
    Game {
        /// The ruleset.
        ruleset: RulesetAst,
        /// The positions in parentheses; None without parentheses.
        positions: Option<Vec<PositionAst>>,
    },
}

/// A ruleset as typed.
#[derive(Clone, Debug, PartialEq)]
pub struct RulesetAst {
    /// Which one.
    pub kind: RulesetKind,
    /// Where it stands.
    pub span: Span,
}

/// The three ways to name a ruleset.
#[derive(Clone, Debug, PartialEq)]
pub enum RulesetKind {
    /// `kayles`, `moore[2]`, `subtraction[{1, 3, 4}]`
    Named {
        /// Lower case, with `_` for `-`.
        name: String,
        /// What stood in the brackets.
        parameters: Vec<ParameterAst>,
    },
    /// `0.77`
    Code(Code),
    /// `[take 1..3]`
    Words(WordRule),
}

/// A parameter in square brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterAst {
    /// What it is.
    pub value: ParameterValue,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// A number.
    Number(u128),
    /// `"to-zero"`, without the quotes.
    Text(String),
    /// `{1, 3, 4}`
    Set(Vec<u128>),
    /// `g1 * g2`
    Product(Vec<RulesetAst>),
    /// `{a: b c, b: c, c:}`
    Graph(Vec<FollowersAst>),
}

/// A vertex of a graph with those that follow it.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowersAst {
    /// The vertex.
    pub vertex: NameAst,
    /// Where a token may go from it.
    pub to: Vec<NameAst>,
}

/// The name of a vertex, without quotes.
#[derive(Clone, Debug, PartialEq)]
pub struct NameAst {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A position in parentheses.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionAst {
    /// What it is.
    pub value: PositionValue,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of position.
#[derive(Clone, Debug, PartialEq)]
pub enum PositionValue {
    /// A number.
    Number(u128),
    /// `5x7`, `2x3x4`
    Box(Vec<u128>),
    /// `"THHT"`, without the quotes.
    Text(String),
    /// `{(1,1), (2,3)}`
    Points(Vec<Vec<u128>>),
    /// `@{1, 4}`
    Heads(Vec<u128>),
}
