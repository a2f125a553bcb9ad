//! `grundy graph`

#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod supervisor;

use std::{
    io::{self, Write},
    process::ExitCode,
};

#[cfg(not(feature = "cluster"))]
use grundy::budget::Budget;
use grundy::{
    formats::{graph::GraphFile, json},
    graph::{GraphAnswer, GraphObjective, GraphQuery, Vertices, answer},
};
use grundy_core::theory::{Convention, Outcome, parity_game::Objective};

use super::convert::read_graph;
use crate::{
    args::{GraphArgs, GraphGoal, TextOrJson},
    failure::{Failure, code},
    limits,
};

pub fn run(args: GraphArgs) -> Result<ExitCode, Failure> {
    let is_json = args.format == TextOrJson::Json;
    graph(&args).map_err(|f| f.in_json(is_json))
}

fn graph(args: &GraphArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    if args.workers.is_some() && args.process.is_none() {
        return supervise(args, &budget);
    }
    let mut file = read_graph(&args.file, args.from)?;
    if args.min {
        file.mirror().map_err(|why| Failure::usage(format!("--min: {why}")))?;
    }
    if !args.target.is_empty() {
        let mut target = vec![false; file.graph.vertices()];
        for v in named(&file, &args.target)? {
            target[v as usize] = true;
        }
        file.target = Some(target);
    }
    let tokens = named(&file, &args.tokens)?;
    let query = GraphQuery {
        objective: objective(args.objective),
        convention: if args.misere { Convention::Misere } else { Convention::Normal },
        tokens,
        verify: args.verify,
        file,
    };
    let tokens = query.tokens.clone();
    let answer = match args.workers {
        Some(_) => match take_part(args, query, &budget)? {
            Some(answer) => answer,
            // process 0 has it
            None => return Ok(ExitCode::SUCCESS),
        },
        None => answer(query, &budget).map_err(|e| Failure::usage(e.message).hint(e.hint))?,
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    match args.format {
        TextOrJson::Json => writeln!(out, "{}", json::graph(&answer, &tokens))?,
        TextOrJson::Text => text(&mut out, &answer, &tokens, args.strategy)?,
    }
    out.flush()?;
    if let Some(stop) = &answer.stop {
        if args.format == TextOrJson::Text {
            let _ = writeln!(io::stderr(), "{stop}");
        }
        return Ok(ExitCode::from(limits::exit_code(stop)));
    }
    if args.format == TextOrJson::Text {
        // beside the lines for other programs
        let header = &answer.header;
        let (convention, status) = (header.convention.word(), header.status.word());
        let _ = writeln!(io::stderr(), "{convention} play; {status}: {}", header.method);
    }
    if answer.verified == Some(false) {
        return Ok(ExitCode::from(code::DOES_NOT_HOLD));
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "cluster")]
use {cluster::take_part, supervisor::supervise};

#[cfg(not(feature = "cluster"))]
fn supervise(_: &GraphArgs, _: &Budget) -> Result<ExitCode, Failure> {
    Err(no_cluster())
}

#[cfg(not(feature = "cluster"))]
fn take_part(_: &GraphArgs, _: GraphQuery, _: &Budget) -> Result<Option<GraphAnswer>, Failure> {
    Err(no_cluster())
}

#[cfg(not(feature = "cluster"))]
fn no_cluster() -> Failure {
    Failure::usage("--workers: this program was built without the feature cluster")
        .hint("build it with cargo install --path crates/grundy-cli --features cluster")
}

fn objective(goal: GraphGoal) -> GraphObjective {
    match goal {
        GraphGoal::Grundy => GraphObjective::Grundy,
        GraphGoal::Loopy => GraphObjective::Loopy,
        GraphGoal::Outcome => GraphObjective::Outcome,
        GraphGoal::Reach => GraphObjective::Game(Objective::Reachability),
        GraphGoal::Safety => GraphObjective::Game(Objective::Safety),
        GraphGoal::Buchi => GraphObjective::Game(Objective::Buchi),
        GraphGoal::Cobuchi => GraphObjective::Game(Objective::CoBuchi),
        GraphGoal::Parity => GraphObjective::Game(Objective::Parity),
    }
}

/// The vertices of these names.
fn named(file: &GraphFile, names: &[String]) -> Result<Vec<u32>, Failure> {
    let find = |name: &String| {
        file.names.find(name, file.graph.vertices()).ok_or_else(|| {
            let first: Vec<_> = (0..file.graph.vertices().min(5) as u32).map(|v| file.names.get(v)).collect();
            Failure::usage(format!("there is no vertex \"{name}\"")).hint(format!("the first are {}", first.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// One line a vertex: its name, what is known of it, and with `strategy` where its winner goes.
fn text(out: &mut impl Write, answer: &GraphAnswer, tokens: &[u32], strategy: bool) -> io::Result<()> {
    let name = |v: u32| answer.file.names.get(v);
    if let Some(sum) = &answer.tokens {
        let who = match sum.outcome {
            Outcome::N => "The first player wins.",
            Outcome::P => "The second player wins.",
            Outcome::Draw => "Draw: nobody can force the end.",
        };
        writeln!(out, "{who} The tokens together are worth {}.", sum.value)?;
        if !sum.moves.is_empty() {
            writeln!(out, "Winning moves ({}):", sum.moves.len())?;
        }
        for m in &sum.moves {
            writeln!(out, "  token {}: {} -> {}", m.token + 1, name(tokens[m.token]), name(m.to))?;
        }
        return Ok(());
    }
    match &answer.vertices {
        None => {}
        Some(Vertices::Values(values)) => {
            for (v, value) in (0..).zip(values) {
                writeln!(out, "{} {value}", name(v))?;
            }
        }
        Some(Vertices::Outcomes(verdicts)) => {
            for (v, verdict) in (0..).zip(verdicts) {
                match verdict.outcome {
                    Outcome::Draw => writeln!(out, "{} Draw", name(v))?,
                    outcome => writeln!(out, "{} {} {}", name(v), outcome.word(), verdict.remoteness)?,
                }
            }
        }
        Some(Vertices::Winners(solution)) => {
            for (v, winner) in (0..).zip(&solution.winner) {
                match solution.strategy[v as usize].filter(|_| strategy) {
                    Some(to) => writeln!(out, "{} {winner} -> {}", name(v), name(to))?,
                    None => writeln!(out, "{} {winner}", name(v))?,
                }
            }
        }
    }
    match answer.verified {
        Some(true) => writeln!(io::stderr(), "the checker accepts all of it"),
        Some(false) => writeln!(io::stderr(), "the checker does not accept it: a defect of the program"),
        None => Ok(()),
    }
}
