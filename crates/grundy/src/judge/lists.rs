//! What can be done to a list before it enters a game or a claim.
//!
//! `name = list | step | step …`; a step makes a list of a list, or a number, which ends the chain:
//!
//! | step | result |
//! |---|---|
//! | `sort` `reverse` `unique` | ascending; backwards; the distinct members ascending |
//! | `differences` | the first member and each one less the member before: (a, b - a, c - b, …) |
//! | `gaps` | the free squares between tokens on the squares 1, 2, …: differences less 1 |
//! | `where(claim)` | the members for which the claim in v (the member) and i (its place, from 1) holds |
//! | `upto` | for every member the numbers 1, 2, … up to it (at most 2^22 in all) |
//! | `each(formula)` | what the formula in v and i gives for every member |
//! | `ones` | for every member its number of binary ones |
//! | `primefactors` | for every member its number of prime factors, repeated ones repeatedly |
//! | `in(set)` | for every member 1 if it belongs to a set of amounts (`fibonacci`, `powers of 2`), else 0 |
//! | `counts` | how often each distinct member occurs |
//! | `runs(c)` `places(c)` | of a word: lengths of the runs of the letter c; its places, from 0 |
//! | `letters` `numbers` | of a word: codes of its letters; the whole numbers in it |
//! | `leading(k)` | how many members from the first on equal k |
//! | `count` `sum` `xor` `max` `min` `first` `last` | one number, 0 for the empty list |

use grundy_core::{
    notation::{SyntaxError, formula::EvalError, nearest, read_heap_game},
    rulesets::heap::Amounts,
};

use super::{
    format::Kind,
    text::{Expression, Names, Value},
};

/// A chain of steps.
#[derive(Debug)]
pub(super) struct Chain {
    source: usize,
    steps: Vec<Step>,
}

#[derive(Debug)]
enum Step {
    Sort,
    Reverse,
    Unique,
    Differences,
    Gaps,
    Where(Expression),
    Each(Expression),
    UpTo,
    Ones,
    PrimeFactors,
    In(Amounts),
    Counts,
    Runs(u8),
    Places(u8),
    Letters,
    Numbers,
    Number(Number),
}

/// Steps that end in a number.
#[derive(Debug)]
enum Number {
    Leading(i128),
    Count,
    Sum,
    Xor,
    Max,
    Min,
    First,
    Last,
}

/// Every step, for suggestions.
const STEPS: [&str; 24] = [
    "upto",
    "each",
    "sort",
    "reverse",
    "unique",
    "differences",
    "gaps",
    "where",
    "ones",
    "primefactors",
    "in",
    "counts",
    "runs",
    "places",
    "letters",
    "numbers",
    "leading",
    "count",
    "sum",
    "xor",
    "max",
    "min",
    "first",
    "last",
];

impl Chain {
    /// Reads `list | step | …`, which stands at `offset` of the whole text.
    pub fn parse(text: &str, names: &Names, offset: usize) -> Result<Chain, SyntaxError> {
        let mut pieces = split(text).into_iter();
        let (at, source) = pieces.next().unwrap_or((0, ""));
        let slot = names.known(source, offset + at)?;
        let mut is_word = names.kind(slot) == Kind::Word;
        let mut steps: Vec<Step> = Vec::new();
        for (at, piece) in pieces {
            let at = offset + at;
            let span = at..at + piece.len();
            if let Some(Step::Number(_)) = steps.last() {
                return Err(SyntaxError::new("the step before ends in a number", span));
            }
            let step = step(piece, names, at)?;
            let wants_word = matches!(step, Step::Runs(_) | Step::Places(_) | Step::Letters | Step::Numbers);
            if wants_word != is_word {
                let what = if is_word { "a word" } else { "a list" };
                return Err(SyntaxError::new(format!("this step cannot be done to {what}"), span));
            }
            is_word = false;
            steps.push(step);
        }
        if is_word {
            return Err(SyntaxError::new("a word needs a step that makes a list of it", offset..offset + text.len())
                .with_hint("runs('+'), places('o'), letters or numbers"));
        }
        Ok(Chain { source: slot, steps })
    }

    /// What the result is.
    pub fn kind(&self) -> Kind {
        if let Some(Step::Number(_)) = self.steps.last() { Kind::Number } else { Kind::List }
    }

    /// The slots it looks at.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        let claims = self.steps.iter().filter_map(|s| match s {
            Step::Where(c) | Step::Each(c) => Some(c),
            _ => None,
        });
        std::iter::once(self.source).chain(claims.flat_map(Expression::slots))
    }

    /// Carries out the steps and puts the result into the slot `target`.
    pub fn run(&self, values: &mut [Value], target: usize) -> Result<(), String> {
        // the old list is reused, so that a million small cases allocate nothing
        let mut old = std::mem::replace(&mut values[target], Value::Number(0));
        let mut list = std::mem::take(old.cleared());
        match &values[self.source] {
            Value::List(l) => list.extend_from_slice(l),
            Value::Number(n) => list.push(*n),
            Value::Word(_) => {}
        }
        for step in &self.steps {
            match step {
                Step::Number(n) => {
                    values[target] = Value::Number(n.of(&list)?);
                    return Ok(());
                }
                _ => step.run(&mut list, values, self.source)?,
            }
        }
        values[target] = Value::List(list);
        Ok(())
    }
}

/// The pieces between bars, trimmed, with their places; parentheses and quotes keep theirs.
fn split(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let (mut depth, mut quoted, mut start) = (0i32, false, 0);
    let mut push = |from: usize, to: usize| {
        let piece = &text[from..to];
        let lead = piece.len() - piece.trim_start().len();
        pieces.push((from + lead, piece.trim()));
    };
    for (i, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            '|' if !quoted && depth == 0 => {
                push(start, i);
                start = i + 1;
            }
            _ => {}
        }
    }
    push(start, text.len());
    pieces
}

fn step(piece: &str, names: &Names, at: usize) -> Result<Step, SyntaxError> {
    let (word, argument) = match piece.split_once('(') {
        Some((word, rest)) => match rest.strip_suffix(')') {
            Some(argument) => (word.trim_end(), Some((argument.trim(), at + word.len() + 1))),
            None => {
                return Err(SyntaxError::new("this parenthesis is never closed", at + word.len()..at + piece.len()));
            }
        },
        None => (piece, None),
    };
    let wrong = |message: &str| SyntaxError::new(message, at..at + piece.len());
    let needs = |what: &str| wrong(&format!("{word} needs {what} in parentheses"));
    let plain = |step: Step| match argument {
        None => Ok(step),
        Some(_) => Err(wrong(&format!("{word} takes nothing in parentheses"))),
    };
    let letter = || match argument.map(|(a, _)| a.trim_matches('\'').as_bytes()) {
        Some([c]) => Ok(*c),
        _ => Err(needs("one letter")),
    };
    match word {
        "sort" => plain(Step::Sort),
        "reverse" => plain(Step::Reverse),
        "unique" => plain(Step::Unique),
        "differences" => plain(Step::Differences),
        "gaps" => plain(Step::Gaps),
        "ones" => plain(Step::Ones),
        "primefactors" => plain(Step::PrimeFactors),
        "counts" => plain(Step::Counts),
        "letters" => plain(Step::Letters),
        "numbers" => plain(Step::Numbers),
        "count" => plain(Step::Number(Number::Count)),
        "sum" => plain(Step::Number(Number::Sum)),
        "xor" => plain(Step::Number(Number::Xor)),
        "max" => plain(Step::Number(Number::Max)),
        "min" => plain(Step::Number(Number::Min)),
        "first" => plain(Step::Number(Number::First)),
        "last" => plain(Step::Number(Number::Last)),
        "runs" => letter().map(Step::Runs),
        "places" => letter().map(Step::Places),
        "leading" => match argument.and_then(|(a, _)| a.parse().ok()) {
            Some(k) => Ok(Step::Number(Number::Leading(k))),
            None => Err(needs("a number")),
        },
        "where" => match argument {
            Some((claim, at)) => Expression::claim(claim, names, &["v", "i"], at).map(Step::Where),
            None => Err(needs("a claim about v and i")),
        },
        "upto" => plain(Step::UpTo),
        "each" => match argument {
            Some((formula, at)) => Expression::formula_with_at(formula, names, &["v", "i"], at).map(Step::Each),
            None => Err(needs("a formula in v and i")),
        },
        "in" => {
            let (set, at) = argument.ok_or_else(|| needs("a set of amounts"))?;
            let game =
                read_heap_game(&format!("[take {set}]")).map_err(|e| SyntaxError { span: at..at + set.len(), ..e })?;
            match game.rule().alternatives() {
                [one] if one.condition.is_none() => Ok(Step::In(one.take.clone())),
                _ => Err(needs("a set of amounts")),
            }
        }
        _ => {
            let error = SyntaxError::new(format!("unknown step \"{word}\""), at..at + word.len());
            Err(match nearest(word, STEPS) {
                Some(near) => error.with_suggestion(near),
                None => error.with_hint(format!("the steps are {}", STEPS.join(", "))),
            })
        }
    }
}

impl Step {
    fn run(&self, list: &mut Vec<i128>, values: &[Value], source: usize) -> Result<(), String> {
        let too_large = || "a difference leaves the integers of 128 bits".to_owned();
        match self {
            Step::Sort => list.sort_unstable(),
            Step::Reverse => list.reverse(),
            Step::Unique => {
                list.sort_unstable();
                list.dedup();
            }
            Step::Differences | Step::Gaps => {
                let less = i128::from(matches!(self, Step::Gaps));
                let mut before = 0i128;
                for v in list.iter_mut() {
                    let now = *v;
                    *v = now.checked_sub(before).and_then(|d| d.checked_sub(less)).ok_or_else(too_large)?;
                    before = now;
                }
            }
            Step::Where(claim) => {
                let (mut i, mut failed) = (0, None);
                list.retain(|v| {
                    i += 1;
                    let holds = claim.value(values, &[*v, i], None);
                    holds.map_err(|e| failed.get_or_insert(e).clone()).is_ok_and(|h| h == 1)
                });
                if let Some(error) = failed {
                    return Err(error);
                }
            }
            Step::UpTo => {
                const MOST: i128 = 1 << 22;
                let total = list.iter().try_fold(0i128, |t, n| t.checked_add((*n).max(0)));
                if total.is_none_or(|t| t > MOST) {
                    return Err(format!("upto makes at most {MOST} numbers"));
                }
                *list = list.iter().flat_map(|n| 1..=*n).collect();
            }
            Step::Each(formula) => {
                for (i, v) in list.iter_mut().enumerate() {
                    *v = formula.value(values, &[*v, i as i128 + 1], None)?;
                }
            }
            Step::Ones => list.iter_mut().for_each(|v| *v = i128::from(v.count_ones())),
            Step::PrimeFactors => {
                for v in list.iter_mut() {
                    *v = prime_factors(*v)?;
                }
            }
            Step::In(amounts) => {
                for v in list.iter_mut() {
                    *v = u64::try_from(*v).is_ok_and(|n| amounts.contains(n, n)).into();
                }
            }
            Step::Counts => {
                list.sort_unstable();
                *list = list.chunk_by(|a, b| a == b).map(|run| run.len() as i128).collect();
            }
            Step::Runs(_) | Step::Places(_) | Step::Letters | Step::Numbers => {
                if let Value::Word(word) = &values[source] {
                    self.read(word, list)?;
                }
            }
            Step::Number(_) => {}
        }
        Ok(())
    }

    /// A list from a word.
    fn read(&self, word: &[u8], list: &mut Vec<i128>) -> Result<(), String> {
        match self {
            Step::Runs(c) => {
                let runs = word.chunk_by(|a, b| a == b).filter(|run| run[0] == *c);
                list.extend(runs.map(|run| run.len() as i128));
            }
            Step::Places(c) => list.extend(word.iter().zip(0..).filter(|(l, _)| *l == c).map(|(_, i)| i)),
            Step::Letters => list.extend(word.iter().map(|l| i128::from(*l))),
            _ => {
                for digits in word.split(|c| !c.is_ascii_digit()).filter(|d| !d.is_empty()) {
                    let number = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok());
                    list.push(number.ok_or("a number in a word is too large")?);
                }
            }
        }
        Ok(())
    }
}

impl Number {
    fn of(&self, list: &[i128]) -> Result<i128, String> {
        Ok(match self {
            Number::Leading(k) => list.iter().take_while(|v| *v == k).count() as i128,
            Number::Count => list.len() as i128,
            Number::Sum => {
                let sum = list.iter().try_fold(0i128, |sum, v| sum.checked_add(*v));
                sum.ok_or("a sum leaves the integers of 128 bits")?
            }
            Number::Xor if list.iter().any(|v| *v < 0) => {
                let operand = list.iter().copied().find(|v| *v < 0).unwrap_or(0);
                return Err(EvalError::Negative { operation: "xor", operand }.to_string());
            }
            Number::Xor => list.iter().fold(0, |x, v| x ^ v),
            Number::Max => list.iter().copied().max().unwrap_or(0),
            Number::Min => list.iter().copied().min().unwrap_or(0),
            Number::First => list.first().copied().unwrap_or(0),
            Number::Last => list.last().copied().unwrap_or(0),
        })
    }
}

/// The number of prime factors with multiplicity, by trial division; of numbers up to 10^12, above which it takes too long.
fn prime_factors(v: i128) -> Result<i128, String> {
    if !(1..=1_000_000_000_000).contains(&v) {
        return Err(format!("primefactors is for numbers from 1 to 10^12, not {v}"));
    }
    let (mut n, mut p, mut count) = (v as u64, 2, 0);
    while p * p <= n {
        while n.is_multiple_of(p) {
            n /= p;
            count += 1;
        }
        p += 1;
    }
    Ok(count + i128::from(n > 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, source: Value) -> Value {
        let mut names = Names::default();
        let kind = if matches!(source, Value::Word(_)) { Kind::Word } else { Kind::List };
        names.declare("a", kind).unwrap();
        let chain = Chain::parse(text, &names, 0).unwrap();
        let mut values = [source, Value::Number(0)];
        chain.run(&mut values, 1).unwrap();
        let [_, result] = values;
        result
    }

    fn list(l: &[i128]) -> Value {
        Value::List(l.to_vec())
    }

    #[test]
    fn steps() {
        let a = list(&[5, 1, 1, 8]);
        assert_eq!(run("a | sort | gaps | reverse", a.clone()), list(&[2, 3, -1, 0]));
        assert_eq!(run("a | differences", a.clone()), list(&[5, -4, 0, 7]));
        assert_eq!(run("a | where(v > 1 and i < 4)", a.clone()), list(&[5]));
        assert_eq!(run("a | unique | count", a.clone()), Value::Number(3));
        assert_eq!(run("a | counts", a.clone()), list(&[2, 1, 1]));
        assert_eq!(run("a | in(fibonacci)", a.clone()), list(&[1, 1, 1, 1]));
        assert_eq!(run("a | primefactors", a.clone()), list(&[1, 0, 0, 3]));
        assert_eq!(run("a | ones | sum", a.clone()), Value::Number(5));
        assert_eq!(run("a | xor", a), Value::Number(13));
        assert_eq!(run("a | leading(1)", list(&[1, 1, 2, 1])), Value::Number(2));
        let word = |w: &str| Value::Word(w.as_bytes().to_vec());
        assert_eq!(run("a | runs('+')", word("++-+")), list(&[2, 1]));
        assert_eq!(run("a | places('o')", word("o..o")), list(&[0, 3]));
        assert_eq!(run("a | numbers", word("[1,20,3]")), list(&[1, 20, 3]));
        assert_eq!(run("a | letters | counts | where(v mod 2 = 1) | count", word("aba")), Value::Number(1));
        assert_eq!(run("a | min", list(&[])), Value::Number(0));
    }

    #[test]
    fn wrong_chains_are_refused() {
        let mut names = Names::default();
        names.declare("a", Kind::List).unwrap();
        names.declare("s", Kind::Word).unwrap();
        let error = |text: &str| Chain::parse(text, &names, 0).unwrap_err();
        assert_eq!(error("a | srot").hint.as_deref(), Some("did you mean \"sort\"?"));
        assert_eq!(error("a | srot").span, 4..8);
        assert_eq!(error("a | count | sort").message, "the step before ends in a number");
        assert_eq!(error("s | sort").message, "this step cannot be done to a word");
        assert!(error("a | where").message.contains("needs a claim"));
        assert!(error("a | sort(3)").message.contains("nothing in parentheses"));
        assert!(error("b | sort").message.contains("unknown name"));
    }
}
