//! `grundy games`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use grundy::{Session, plan::ValuePlan};
use grundy_core::{
    notation::read_ruleset,
    rulesets::{
        AnyRuleset,
        catalogue::{Entry, entries, entry},
        coins::CoinGame,
    },
};
use serde_json::{Value, json};

use crate::{
    args::{GamesArgs, TextOrJson},
    failure::Failure,
};

pub fn run(args: GamesArgs) -> Result<ExitCode, Failure> {
    let json = args.format == TextOrJson::Json;
    games(&args).map_err(|f| f.in_json(json))
}

fn games(args: &GamesArgs) -> Result<ExitCode, Failure> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match (&args.name, args.format) {
        (None, TextOrJson::Json) => {
            let all: Vec<Value> = entries().iter().map(to_json).collect();
            writeln!(out, "{}", json!({"schema": 1, "games": all}))?;
        }
        (None, TextOrJson::Text) => {
            for e in entries() {
                writeln!(out, "{:22}{}", e.name, first_sentence(e.rules))?;
            }
            writeln!(out, "\nAlso codes of taking and breaking (0.77) and rules in words ([take 1..3 | split]).")?;
            writeln!(out, "grundy games NAME says more about one of them.")?;
        }
        (Some(name), format) => {
            let key = name.trim().to_ascii_lowercase().replace('-', "_");
            let bare = key.split(['[', '(']).next().unwrap_or(&key);
            match (entry(bare), format) {
                (Some(e), TextOrJson::Json) => writeln!(out, "{}", to_json(e))?,
                (Some(e), TextOrJson::Text) => describe(&mut out, e)?,
                (None, _) => {
                    let ruleset = read_ruleset(name).map_err(|e| Failure::syntax(name, e))?;
                    describe_rule(&mut out, &ruleset, format)?;
                }
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn first_sentence(text: &str) -> &str {
    text.split_once(['.', ';', ':']).map_or(text, |(head, _)| head)
}

fn to_json(e: &Entry) -> Value {
    json!({
        "name": e.name, "code": e.code, "usage": e.usage, "rules": e.rules, "theory": e.theory, "example": e.example,
        "sources": e.sources, "judge": e.judge,
    })
}

fn describe(out: &mut impl Write, e: &Entry) -> io::Result<()> {
    writeln!(out, "{}", e.name)?;
    writeln!(out, "  rules     {}", e.rules)?;
    writeln!(out, "  write     {}", e.usage)?;
    if let Some(code) = e.code {
        writeln!(out, "  code      {code}")?;
    }
    writeln!(out, "  theory    {}", e.theory)?;
    writeln!(out, "  try       grundy solve '{}'", e.example)?;
    writeln!(out, "  sources   {}", e.sources.join(", "))?;
    if !e.judge.is_empty() {
        writeln!(out, "  judges    {}", e.judge.join(", "))?;
    }
    Ok(())
}

/// What is known about a code or a rule that has no name.
fn describe_rule(out: &mut impl Write, ruleset: &AnyRuleset, format: TextOrJson) -> io::Result<()> {
    let coins = |game: &CoinGame| {
        let values = game.form().map_or("computed one after another; no formula is known", |f| f.theorem());
        (format!("turn {}", game.code().words()), values.to_owned())
    };
    let described = match ruleset {
        AnyRuleset::Coins(game) => {
            let (rules, values) = coins(game);
            Some((game.name(), vec![rules], values, "(@{2, 3})".to_owned()))
        }
        AnyRuleset::Tartan(game) => {
            let rules = game.factors().iter().map(|f| format!("{}: {}; {}", f.name(), coins(f).0, coins(f).1));
            let cell = game.factors().iter().map(|_| "2").collect::<Vec<_>>().join(", ");
            let values = "by the Tartan theorem a head is worth the nim product of the values of its coordinates";
            Some((game.name(), rules.collect(), values.to_owned(), format!("({{({cell})}})")))
        }
        _ => None,
    };
    if let Some((name, rules, values, position)) = described {
        return match format {
            TextOrJson::Json => writeln!(out, "{}", json!({"name": name, "rules": rules, "theory": values})),
            TextOrJson::Text => {
                writeln!(out, "{name}")?;
                for rule in rules {
                    writeln!(out, "  rules     {rule}")?;
                }
                writeln!(out, "  values    {values}")?;
                writeln!(out, "  try       grundy solve '{name}{position}'")
            }
        };
    }
    let AnyRuleset::Heap(game) = ruleset else { return Ok(()) };
    let formula = game.closed_form().map(|f| f.formula());
    let values = match Session::plan_of(game) {
        ValuePlan::Theorem => game.closed_form().map_or("by theorem", |f| f.theorem()).to_owned(),
        ValuePlan::AllBut => "an arithmetic period, proved when the state of the sequence repeats".into(),
        ValuePlan::Sequence { provable: true } => match game.rule().period_theorem() {
            Some(t) => format!("computed; a period is proved by the {}", t.name()),
            None => "computed".into(),
        },
        ValuePlan::Sequence { provable: false }
        | ValuePlan::Coins
        | ValuePlan::Product
        | ValuePlan::Ranks
        | ValuePlan::Graph
        | ValuePlan::Board
        | ValuePlan::Boards
        | ValuePlan::Search => "computed one after another; no theorem gives a period".into(),
    };
    match format {
        TextOrJson::Json => writeln!(out, "{}", json!({"name": game.name(), "formula": formula, "theory": values})),
        TextOrJson::Text => {
            writeln!(out, "{}", game.name())?;
            writeln!(out, "  values    {values}")?;
            if let Some(f) = formula {
                writeln!(out, "  formula   {f}")?;
            }
            writeln!(out, "  try       grundy solve '{}(20)'", game.name())
        }
    }
}
