//! Tree to meaning: the sum of components exactly as written.

use std::sync::Arc;

use super::{
    SyntaxError,
    ast::*,
    boards, chomp, coins, graphs, nearest,
    parse::{is_bare_nim, parse_bare_nim, parse_ruleset, parse_sum, size},
};
use crate::{
    rulesets::{
        AnyComponent, AnyRuleset, Chomp, HeapGame,
        catalogue::{BoardRuleset, Entry, PARTIZAN, entries, entry},
        coins::{MOST_FACTORS, ProductGame},
        digraph::DigraphGame,
        heap::{Alternative, AmountSet, Amounts, Code, HeapRule, Leave},
        tuple::{Euclid, Moore, Variant},
    },
    theory::{Sum, named_graph::NamedGraph},
};

/// Turns the names of files in the notation into graphs: this crate opens nothing itself.
///
/// Each face knows files of its own: the command line reads paths, others what they were given.
pub trait Resolver {
    /// The graph of a file, which carries its digest ([`NamedGraph::digest`]). It should be the same one each time.
    ///
    /// # Errors
    /// Why there is none.
    fn graph(&self, file: &str) -> Result<Arc<NamedGraph>, Unresolved>;

    /// The ruleset of the user's own that has this name; names of the catalogue are never asked for.
    fn ruleset(&self, name: &str) -> Option<AnyRuleset> {
        let _ = name;
        None
    }
}

/// Why a file gave no graph, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// What is wrong: a sentence in lower case without a full stop.
    pub message: String,
    /// The remedy.
    pub hint: Option<String>,
}

/// Most components of one sum.
pub const MAX_COMPONENTS: usize = 1 << 24;

/// Reads one sum in the notation; files in it are refused, see [`read_sum_with`].
///
/// # Errors
/// A [`SyntaxError`] with span and, where possible, a remedy.
///
/// # Examples
/// ```
/// use grundy_core::notation::{print_sum, read_sum};
/// let sum = read_sum("2x Kayles( 5 ) + nim(0,3)").unwrap();
/// assert_eq!(print_sum(sum.components()), "kayles(5, 5) + nim(0, 3)");
/// assert_eq!(read_sum("kayels(15)").unwrap_err().hint.as_deref(), Some("did you mean \"kayles\"?"));
/// ```
pub fn read_sum(text: &str) -> Result<Sum<AnyComponent>, SyntaxError> {
    Lower::default().sum(&parse_sum(text)?)
}

/// Reads one sum in the notation, with the graphs of `files`.
///
/// # Errors
/// A [`SyntaxError`] with span and, where possible, a remedy.
pub fn read_sum_with(text: &str, files: &dyn Resolver) -> Result<Sum<AnyComponent>, SyntaxError> {
    Lower { files: Some(files), ..Lower::default() }.sum(&parse_sum(text)?)
}

/// Reads what a user types where a game is wanted: a sum, or bare integers for Nim.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn read_game(text: &str) -> Result<Sum<AnyComponent>, SyntaxError> {
    if is_bare_nim(text) { Lower::default().sum(&parse_bare_nim(text)?) } else { read_sum(text) }
}

/// As [`read_game`], with the graphs of `files`.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn read_game_with(text: &str, files: &dyn Resolver) -> Result<Sum<AnyComponent>, SyntaxError> {
    if is_bare_nim(text) { read_game(text) } else { read_sum_with(text, files) }
}

/// Reads a ruleset without a position.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn read_ruleset(text: &str) -> Result<AnyRuleset, SyntaxError> {
    Lower::default().ruleset(&parse_ruleset(text)?)
}

/// As [`read_ruleset`], with the rulesets and graphs of `files`.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn read_ruleset_with(text: &str, files: &dyn Resolver) -> Result<AnyRuleset, SyntaxError> {
    Lower { files: Some(files), ..Lower::default() }.ruleset(&parse_ruleset(text)?)
}

/// Reads a ruleset that must be a heap game, as `sequence` and `check` take it.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn read_heap_game(text: &str) -> Result<Arc<HeapGame>, SyntaxError> {
    heap_game(text, read_ruleset(text)?)
}

/// As [`read_heap_game`], with the rulesets of `files`.
///
/// # Errors
/// A [`SyntaxError`] with span.
pub fn read_heap_game_with(text: &str, files: &dyn Resolver) -> Result<Arc<HeapGame>, SyntaxError> {
    heap_game(text, read_ruleset_with(text, files)?)
}

fn heap_game(text: &str, ruleset: AnyRuleset) -> Result<Arc<HeapGame>, SyntaxError> {
    match ruleset {
        AnyRuleset::Heap(game) => Ok(game),
        AnyRuleset::Coins(game) => {
            Err(SyntaxError::new("a heap game is wanted here, and this is a row of coins", 0..text.len())
                .with_hint(format!("the values of its coins are listed by grundy table '{}' --to 64", game.name())))
        }
        AnyRuleset::Custom(own) => {
            let error =
                SyntaxError::new("a heap game is wanted here, and these rules are no rule of heaps", 0..text.len());
            let all = if own.is_heap() {
                "solve, play, sequence, check and table"
            } else {
                "solve, play, table and graph --game"
            };
            Err(error.with_hint(format!("{all} take {}", own.name())))
        }
        _ => Err(SyntaxError::new("a heap game is wanted here: one with a value for every heap size", 0..text.len())
            .with_hint("for example kayles, 0.07, subtraction[{1, 3, 4}] or [take 1..3]")),
    }
}

/// Lowers trees; heap games and graphs met before are shared.
#[derive(Default)]
struct Lower<'a> {
    games: Vec<Arc<HeapGame>>,
    graphs: Vec<Arc<DigraphGame>>,
    boards: Vec<(String, BoardRuleset)>,
    files: Option<&'a dyn Resolver>,
}

impl Lower<'_> {
    fn sum(&mut self, ast: &SumAst) -> Result<Sum<AnyComponent>, SyntaxError> {
        let mut components = Vec::new();
        for term in &ast.terms {
            let one = self.component(term)?;
            let copies = usize::try_from(term.copies).unwrap_or(usize::MAX);
            let total = copies.checked_mul(one.len()).and_then(|m| m.checked_add(components.len()));
            if total.is_none_or(|t| t > MAX_COMPONENTS) {
                return Err(SyntaxError::new(
                    format!("a sum has at most {MAX_COMPONENTS} components"),
                    term.span.clone(),
                )
                .with_hint("in normal play two equal components cancel: leave such pairs out"));
            }
            for _ in 0..copies {
                components.extend_from_slice(&one);
                if one.is_empty() {
                    break;
                }
            }
        }
        Ok(Sum::new(components))
    }

    fn component(&mut self, term: &TermAst) -> Result<Vec<AnyComponent>, SyntaxError> {
        let (ruleset, positions) = match &term.component {
            ComponentAst::Zero => return Ok(Vec::new()),
            ComponentAst::Nimber(n) => {
                let game = self.shared("*", nim_rule);
                return Ok(vec![AnyComponent::Heap(game, *n)]);
            }
            ComponentAst::Game { ruleset, positions } => (ruleset, positions),
        };
        let lowered = self.ruleset(ruleset)?;
        if let AnyRuleset::Board(game) = &lowered {
            return boards::components(game, positions.as_deref(), &term.span);
        }
        let Some(positions) = positions else {
            if let AnyRuleset::Custom(game) = &lowered
                && let Some(start) = game.start()
            {
                return Ok(vec![AnyComponent::Custom(game.clone(), start)]);
            }
            if let AnyRuleset::Digraph(game) = &lowered {
                return Err(graphs::no_tokens(game, &ruleset.span));
            }
            let name = match &ruleset.kind {
                RulesetKind::Named { name, .. } => entry(name).map_or("nim(3, 5, 7)", |e| e.example),
                _ => "0.77(15)",
            };
            return Err(SyntaxError::new("this game needs a position in parentheses", ruleset.span.clone())
                .with_hint(format!("for example {name}")));
        };
        let bare: Option<Vec<String>> = positions
            .iter()
            .map(|p| if let PositionValue::Number(n) = p.value { Some(n.to_string()) } else { None })
            .collect();
        match &lowered {
            AnyRuleset::Coins(game) if bare.as_ref().is_some_and(|b| b.len() > 1) => {
                let heads = bare.unwrap_or_default().join(", ");
                return Err(SyntaxError::new("a row of coins is written by its coins or its heads", term.span.clone())
                    .with_suggestion(format!("{}(@{{{heads}}})", game.name())));
            }
            AnyRuleset::Coins(game) => {
                return positions.iter().map(|p| Ok(AnyComponent::Coins(game.clone(), coins::row(game, p)?))).collect();
            }
            AnyRuleset::Tartan(game) => {
                return positions
                    .iter()
                    .map(|p| Ok(AnyComponent::Tartan(game.clone(), coins::board(game, p)?)))
                    .collect();
            }
            AnyRuleset::Chomp => {
                if let Some(found) = boards::chomp_in_box(positions) {
                    return Ok(vec![found?]);
                }
                return Ok(vec![AnyComponent::Chomp(Chomp, chomp::board(positions, &term.span)?)]);
            }
            AnyRuleset::Digraph(game) => return positions.iter().map(|p| graphs::token(game, p)).collect(),
            _ => {}
        }
        let mut numbers = Vec::with_capacity(positions.len());
        for p in positions {
            match &p.value {
                PositionValue::Number(v) => numbers.push(size(*v, p.span.clone())?),
                PositionValue::Text(word) if matches!(lowered, AnyRuleset::Custom(_)) => {
                    let AnyRuleset::Custom(game) = &lowered else { continue };
                    let number = game.number_of(word);
                    numbers.push(number.ok_or_else(|| {
                        SyntaxError::new(format!("{} knows no \"{word}\"", game.name()), p.span.clone())
                    })?);
                }
                _ => {
                    return Err(SyntaxError::new("this game is played with numbers", p.span.clone())
                        .with_hint("for example nim(3, 5, 7)"));
                }
            }
        }
        lowered.components(&numbers).map_err(|message| SyntaxError::new(message, term.span.clone()))
    }

    fn ruleset(&mut self, ast: &RulesetAst) -> Result<AnyRuleset, SyntaxError> {
        match &ast.kind {
            RulesetKind::Code(code) => Ok(AnyRuleset::Heap(self.shared(&code.to_string(), || code.to_rule()))),
            RulesetKind::Words(rule) => Ok(AnyRuleset::Heap(self.shared(&format!("[{rule}]"), || rule.to_rule()))),
            RulesetKind::Named { name, parameters } => self.named(name, parameters, &ast.span),
        }
    }

    fn shared(&mut self, name: &str, rule: impl FnOnce() -> HeapRule) -> Arc<HeapGame> {
        if let Some(game) = self.games.iter().find(|g| g.name() == name) {
            return Arc::clone(game);
        }
        let game = Arc::new(HeapGame::new(name, rule()));
        self.games.push(Arc::clone(&game));
        game
    }

    fn named(&mut self, name: &str, parameters: &[ParameterAst], span: &Span) -> Result<AnyRuleset, SyntaxError> {
        let Some(entry) = entry(name) else {
            let own = self.files.and_then(|files| files.ruleset(name));
            return match (own, parameters.first()) {
                (Some(own), None) => Ok(own),
                (Some(_), Some(p)) => Err(SyntaxError::new(format!("{name} has no parameters"), p.span.clone())),
                (None, _) => Err(unknown_game(name, span)),
            };
        };
        if let Some(code) = entry.code {
            no_parameters(entry, parameters)?;
            match parse_ruleset(code)?.kind {
                RulesetKind::Named { name: general, parameters } if general == "coins" => {
                    return Ok(AnyRuleset::Coins(Arc::new(coins::game(Some(name), &parameters, span)?)));
                }
                RulesetKind::Named { parameters, .. } => return self.product(Some(name), &parameters, span),
                _ => {}
            }
            let rule = Code::parse(code).map(|c| c.to_rule()).map_err(|e| SyntaxError::new(e.message, span.clone()))?;
            return Ok(AnyRuleset::Heap(self.shared(name, || rule)));
        }
        match name {
            "subtraction" => {
                let set = set_parameter(entry, parameters, span)?;
                let rule = HeapRule::new(vec![Alternative {
                    take: Amounts { include: runs(&set), exclude: vec![] },
                    leave: Leave::rest(),
                    condition: None,
                }]);
                Ok(AnyRuleset::Heap(self.shared(&with_set("subtraction", &set), || rule)))
            }
            "allbut" => {
                let set = set_parameter(entry, parameters, span)?;
                let take = Amounts { include: vec![AmountSet::from(1)], exclude: runs(&set) };
                let rule = HeapRule::new(vec![Alternative { take, leave: Leave::rest(), condition: None }]);
                Ok(AnyRuleset::Heap(self.shared(&with_set("allbut", &set), || rule)))
            }
            "treblecross" => {
                no_parameters(entry, parameters)?;
                if let Some(game) = self.games.iter().find(|g| g.name() == name) {
                    return Ok(AnyRuleset::Heap(Arc::clone(game)));
                }
                let game = Arc::new(HeapGame::treblecross());
                self.games.push(Arc::clone(&game));
                Ok(AnyRuleset::Heap(game))
            }
            "moore" => {
                match parameters {
                    [ParameterAst { value: ParameterValue::Number(k), span }] => {
                        let k = size(*k, span.clone())?;
                        Moore::new(k).map(AnyRuleset::Moore).ok_or_else(|| {
                            SyntaxError::new(
                                "a move of moore[k] lowers at least one heap, so k is at least 1",
                                span.clone(),
                            )
                        })
                    }
                    [other, ..] => {
                        Err(SyntaxError::new("moore takes one number, the most heaps of a move", other.span.clone())
                            .with_suggestion("moore[2]"))
                    }
                    [] => Err(SyntaxError::new("moore needs the most heaps of a move", span.clone())
                        .with_suggestion("moore[2]")),
                }
            }
            "euclid" => {
                let variant = match parameters {
                    [] => Variant::ToZero,
                    [ParameterAst { value: ParameterValue::Text(t), .. }] if t == "to-zero" => Variant::ToZero,
                    [ParameterAst { value: ParameterValue::Text(t), .. }] if t == "to-equal" => Variant::ToEqual,
                    [p, ..] => {
                        return Err(SyntaxError::new("euclid is played \"to-zero\" or \"to-equal\"", p.span.clone())
                            .with_suggestion("\"to-zero\""));
                    }
                };
                Ok(AnyRuleset::Euclid(Euclid { variant }))
            }
            "coins" => Ok(AnyRuleset::Coins(Arc::new(coins::game(None, parameters, span)?))),
            "tartan" => self.product(None, parameters, span),
            "digraph" => {
                let (board, written) = graphs::board(name, parameters, span, self.files)?;
                let game = DigraphGame::new(written, board);
                if let Some(known) = self.graphs.iter().find(|g| g.name() == game.name()) {
                    return Ok(AnyRuleset::Digraph(Arc::clone(known)));
                }
                let game = Arc::new(game);
                self.graphs.push(Arc::clone(&game));
                Ok(AnyRuleset::Digraph(game))
            }
            "cram" => no_parameters(entry, parameters).map(|()| AnyRuleset::Board(BoardRuleset::Cram)),
            "subset_takeaway" => boards::subsets(parameters).map(AnyRuleset::Board),
            "node_kayles" | "arc_kayles" | "vertex_edge_deletion" | "green_hackenbush" | "geography" | "poset" => {
                let (board, name) = graphs::board(name, parameters, span, self.files)?;
                // the same board for all components that name it
                if let Some((_, known)) = self.boards.iter().find(|(known, _)| *known == name) {
                    return Ok(AnyRuleset::Board(known.clone()));
                }
                let game = boards::on(entry.name, &name, board, span)?;
                self.boards.push((name, game.clone()));
                Ok(AnyRuleset::Board(game))
            }
            "wythoff" => no_parameters(entry, parameters).map(|()| AnyRuleset::Wythoff),
            "staircase" => no_parameters(entry, parameters).map(|()| AnyRuleset::Staircase),
            "chomp" => no_parameters(entry, parameters).map(|()| AnyRuleset::Chomp),
            "nimble" => no_parameters(entry, parameters).map(|()| AnyRuleset::Nimble),
            _ => Err(unknown_game(name, span)),
        }
    }
}

impl Lower<'_> {
    /// A product of coin-turning games, printed as `name` if it has one.
    fn product(
        &mut self,
        name: Option<&str>,
        parameters: &[ParameterAst],
        span: &Span,
    ) -> Result<AnyRuleset, SyntaxError> {
        let [ParameterAst { value: ParameterValue::Product(asts), span: place }] = parameters else {
            return Err(SyntaxError::new("tartan needs the games of the product", span.clone())
                .with_suggestion("tartan[mock_turtles * ruler]"));
        };
        let mut factors = Vec::with_capacity(asts.len());
        for ast in asts {
            match self.ruleset(ast)? {
                AnyRuleset::Coins(game) => factors.push(game),
                // a product within a product is one product
                AnyRuleset::Tartan(game) => factors.extend(game.factors().iter().cloned()),
                _ => {
                    return Err(SyntaxError::new("only coin-turning games can be multiplied", ast.span.clone())
                        .with_hint(
                            "the Tartan theorem needs moves that turn sets of coins, as in tartan[twins * ruler]",
                        ));
                }
            }
        }
        let product = factors.iter().map(|f| f.name()).collect::<Vec<_>>().join(" * ");
        let name = name.map_or_else(|| format!("tartan[{product}]"), str::to_owned);
        ProductGame::new(name, factors)
            .map(|game| AnyRuleset::Tartan(Arc::new(game)))
            .ok_or_else(|| SyntaxError::new(format!("a product has at most {MOST_FACTORS} games"), place.clone()))
    }
}

fn nim_rule() -> HeapRule {
    HeapRule::new(vec![Alternative::taking(AmountSet::from(1))])
}

fn unknown_game(name: &str, span: &Span) -> SyntaxError {
    let head = span.start..span.start + name.len().min(span.len());
    if let Some((_, near)) = PARTIZAN.iter().find(|(partizan, _)| *partizan == name) {
        let why = format!(
            "{name} is partizan: its players have different moves, and Grundy values belong to impartial games"
        );
        return SyntaxError::new(why, head).with_hint(match near {
            Some(near) => format!("the impartial game nearest to it is {near}"),
            None => "grundy games lists what it plays".into(),
        });
    }
    let error = SyntaxError::new(format!("unknown game \"{name}\""), head);
    match nearest(name, entries().iter().map(|e| e.name)) {
        Some(near) => error.with_suggestion(near),
        None => error.with_hint("grundy games lists what it plays"),
    }
}

fn no_parameters(entry: &Entry, parameters: &[ParameterAst]) -> Result<(), SyntaxError> {
    match parameters.first() {
        None => Ok(()),
        Some(p) => Err(SyntaxError::new(format!("{} has no parameters", entry.name), p.span.clone())
            .with_hint(format!("for example {}", entry.example))),
    }
}

fn set_parameter(entry: &Entry, parameters: &[ParameterAst], span: &Span) -> Result<Vec<u64>, SyntaxError> {
    let (values, span) = match parameters {
        [ParameterAst { value: ParameterValue::Set(s), span }] => (s.clone(), span.clone()),
        [] => {
            return Err(SyntaxError::new(format!("{} needs a set of amounts", entry.name), span.clone())
                .with_hint(format!("for example {}", entry.example)));
        }
        // the braces may be forgotten
        all => {
            let mut values = Vec::new();
            for p in all {
                match &p.value {
                    ParameterValue::Number(v) => values.push(*v),
                    _ => {
                        return Err(SyntaxError::new(
                            format!("{} takes one set of amounts", entry.name),
                            p.span.clone(),
                        )
                        .with_hint(format!("for example {}", entry.example)));
                    }
                }
            }
            (values, all[0].span.start..all[all.len() - 1].span.end)
        }
    };
    let mut set = Vec::with_capacity(values.len());
    for v in values {
        if v == 0 {
            return Err(SyntaxError::new("taking 0 is no move", span));
        }
        set.push(size(v, span.clone())?);
    }
    set.sort_unstable();
    set.dedup();
    Ok(set)
}

/// A sorted set as runs of neighbours.
fn runs(set: &[u64]) -> Vec<AmountSet> {
    let mut runs: Vec<AmountSet> = Vec::new();
    for k in set {
        if let Some(AmountSet::Run { last: Some(l), .. }) = runs.last_mut()
            && *l + 1 == *k
        {
            *l = *k;
        } else {
            runs.push(AmountSet::one(*k));
        }
    }
    runs
}

fn with_set(name: &str, set: &[u64]) -> String {
    format!("{name}[{{{}}}]", set.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
}
