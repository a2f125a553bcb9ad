//! `grundy graph`

#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod supervisor;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use grundy::{
    budget::Budget,
    drawing,
    formats::{
        graph::{GraphFile, Names, Solution},
        json,
    },
    graph::{self, GraphAnswer, GraphObjective, GraphQuery, NotThisGame, Origin, Vertices, answer},
    positions::position_graph,
    reasons::{self, reasons},
    statistics::Statistics,
};
use grundy_core::{
    proof::Preparation,
    rulesets::AnyComponent,
    theory::{Convention, Outcome, loopy_value::LoopyValue, parity_game::Objective},
};
use serde_json::{Map, json};

use super::{
    convert::{read_graph, say_lost_ends},
    generate,
};
use crate::{
    args::{GraphArgs, GraphCommand, GraphGoal, GraphOutput, Sinks},
    failure::{Failure, code},
    files::Files,
    limits,
    output::Output,
    progress::Phases,
    render,
};

/// Components of graphs with no more edges are found in no time; in larger ones that may take longer than the answer.
const FEW_EDGES: usize = 100_000;

pub fn run(args: GraphArgs) -> Result<ExitCode, Failure> {
    if let Some(GraphCommand::Generate(args)) = &args.command {
        return generate::run(args);
    }
    let is_json = args.format == GraphOutput::Json;
    graph(&args).map_err(|f| f.in_json(is_json))
}

fn graph(args: &GraphArgs) -> Result<ExitCode, Failure> {
    let budget = limits::budget(&args.limits, limits::Default::Unlimited)?;
    if args.game.is_none() && !args.own.files.is_empty() {
        return Err(Failure::usage("--rules are for a game").hint("write it as --game 'my(3, 4)'"));
    }
    // one of them is required, or the subcommand was called
    let path = match (&args.file, &args.game) {
        (Some(path), _) => path.clone(),
        (None, Some(game)) => PathBuf::from(game),
        (None, None) => return Err(Failure::usage("no graph is given")),
    };
    let path = &path;
    if args.workers.is_some() && args.process.is_none() {
        return supervise(args, &budget);
    }
    let mut phases = Phases::new(args.progress);
    phases.begin("reading the graph");
    let is_json = args.format == GraphOutput::Json;
    let mut file = match &args.game {
        Some(text) => positions(args, text, &budget)?,
        None => limits::unmetered(&budget, "the graph was being read", is_json, || read_graph(path, args.from))?,
    };
    let with_structure = args.stats || args.objective.is_none() || file.graph.edges() <= FEW_EDGES;
    let statistics = Statistics::of(&file.graph, with_structure);
    let Some(goal) = args.objective else {
        let mut out = io::stdout().lock();
        match args.format {
            GraphOutput::Json => {
                writeln!(out, "{}", json!({"schema": json::SCHEMA, "graph": json::statistics(&statistics)}))?
            }
            _ => writeln!(out, "{}", render::statistics::line(&statistics))?,
        }
        return Ok(ExitCode::SUCCESS);
    };
    check_wishes(args, goal, &file)?;
    check_outputs(args, path)?;
    let with = preparation(args, &file)?;
    prepare(&mut file, &with)?;
    let tokens = named(&file, &args.tokens)?;
    let subject = path.display().to_string();
    if args.certificate.is_some() && subject.contains(['\n', '\r']) {
        return Err(Failure::usage("a certificate cannot name a file with a line end in its name").hint("rename it"));
    }
    let query = GraphQuery {
        objective: objective(goal),
        convention: if args.misere { Convention::Misere } else { Convention::Normal },
        tokens: tokens.clone(),
        verify: args.verify,
        certificate: args.certificate.is_some().then_some(Origin { subject, with }),
        file,
    };
    phases.begin("solving");
    let answer = match args.workers {
        Some(_) => match take_part(args, query, &budget)? {
            Some(answer) => answer,
            // process 0 has it
            None => return Ok(ExitCode::SUCCESS),
        },
        None => answer(query, &budget).map_err(not_this_game)?,
    };
    if let Some(place) = &args.certificate {
        phases.begin("writing the certificate");
        certify(&answer, place)?;
    }
    if let Some(place) = &args.svg
        && answer.vertices.is_some()
    {
        picture(place, &answer, &title(path, goal, args.misere))?;
    }
    phases.begin("writing");
    let why = args.explain.then(|| reasons(&answer)).transpose().map_err(|e| Failure::usage(e.to_string()))?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    match (args.format, &why) {
        (GraphOutput::Json, why) => {
            let mut more = Map::new();
            more.insert("graph".into(), json::statistics(&statistics));
            if let Some(why) = why {
                more.insert("explanation".into(), json::explanation(&answer, why));
            }
            json::graph::write(&mut out, &answer, &tokens, more)?;
        }
        (GraphOutput::Paritysol, _) => paritysol(&mut out, &answer)?,
        (GraphOutput::Text, Some(why)) => render::reasons::write(&mut out, &answer, why)?,
        (GraphOutput::Text, None) => text(&mut out, &answer, &tokens, args.strategy)?,
    }
    out.flush()?;
    phases.end();
    let is_json = args.format == GraphOutput::Json;
    if let Some(stop) = &answer.stop {
        if !is_json {
            let _ = writeln!(io::stderr(), "{stop}");
        }
        return Ok(ExitCode::from(limits::exit_code(stop)));
    }
    if !is_json {
        // beside the lines for other programs; at once, since several processes may write there
        let _ = io::stderr().write_all(summary(&statistics, &answer).as_bytes());
    }
    if answer.verified == Some(false) {
        return Ok(ExitCode::from(code::DOES_NOT_HOLD));
    }
    Ok(ExitCode::SUCCESS)
}

/// The graph of the positions below a game that was typed.
fn positions(args: &GraphArgs, text: &str, budget: &Budget) -> Result<GraphFile, Failure> {
    let game = Files::with(&args.own)?.game(text)?;
    if args.misere
        && let Some(reason) = game.components().iter().find_map(AnyComponent::refuses_misere)
    {
        return Err(Failure { kind: "refused", ..Failure::usage(reason) }.hint("leave --misere out"));
    }
    position_graph(&game, budget).map_err(|stop| Failure {
        code: limits::exit_code(&stop),
        kind: "stopped",
        ..Failure::usage(stop.to_string())
    })
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

/// Refuses what cannot be shown of this graph before anything is computed.
fn check_wishes(args: &GraphArgs, goal: GraphGoal, file: &GraphFile) -> Result<(), Failure> {
    let refused = |why: String, hint: &str| Err(Failure { kind: "refused", ..Failure::usage(why) }.hint(hint));
    if args.svg.is_some()
        && let Err(e) = drawing::check(&file.graph)
    {
        return refused(e.to_string(), "grundy convert writes DOT, which Graphviz lays out in any size");
    }
    if args.explain
        && let Err(e) = reasons::check(&file.graph)
    {
        let hint = "leave --explain out, or explain a part of the graph; --strategy and --verify have no such limit";
        return refused(e.to_string(), hint);
    }
    if args.format == GraphOutput::Paritysol {
        if !matches!(objective(goal), GraphObjective::Game(_)) {
            return refused("paritysol has winners, and this question has none".into(), "--objective parity, or text");
        }
        if args.explain {
            return refused("paritysol has no place for explanations".into(), "--format text or json");
        }
    }
    if args.strategy && !matches!(objective(goal), GraphObjective::Game(_)) {
        let hint = "--explain gives a reason for each vertex; --tokens lists the winning moves of a position";
        return refused("strategies are of games of two players".into(), hint);
    }
    if !args.target.is_empty()
        && !matches!(goal, GraphGoal::Reach | GraphGoal::Safety | GraphGoal::Buchi | GraphGoal::Cobuchi)
    {
        return refused("this question knows no targets".into(), "--target is for reach, safety, buchi and cobuchi");
    }
    if args.misere && matches!(objective(goal), GraphObjective::Game(_)) {
        let why = "misère play is of games in which somebody cannot move";
        return refused(why.into(), "leave --misere out, or ask for --objective outcome");
    }
    if args.sinks.is_some() && !matches!(goal, GraphGoal::Parity | GraphGoal::Buchi | GraphGoal::Cobuchi) {
        let why = "dead ends have their meaning in this game: plays end there";
        return refused(why.into(), "--sinks is for parity, buchi and cobuchi");
    }
    Ok(())
}

/// Refuses outputs that would replace the graph, or one another.
fn check_outputs(args: &GraphArgs, graph: &Path) -> Result<(), Failure> {
    let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut taken = vec![(place(graph), "the graph")];
    for (path, what) in [(&args.certificate, "the certificate"), (&args.svg, "the picture")] {
        let Some(path) = path else { continue };
        if path == Path::new("-") {
            let why = format!("{what} is a file, and - is standard output");
            return Err(Failure::usage(why).hint("name a file, or /dev/stdout"));
        }
        // devices take anything
        if let Some((_, other)) = taken.iter().find(|(other, _)| *other == place(path) && !path.starts_with("/dev")) {
            let why = format!("{what} would replace {other}, {}", path.display());
            return Err(Failure::usage(why).hint("name another file"));
        }
        taken.push((place(path), what));
    }
    Ok(())
}

/// How the game is to be made from the file.
fn preparation(args: &GraphArgs, file: &GraphFile) -> Result<Preparation, Failure> {
    let target = if args.target.is_empty() { None } else { Some(named(file, &args.target)?) };
    Ok(Preparation { min: args.min, sinks_lose: matches!(args.sinks, Some(Sinks::Lose)), target })
}

/// Makes the file the game that is meant.
fn prepare(file: &mut GraphFile, with: &Preparation) -> Result<(), Failure> {
    let ends = graph::prepare(file, with).map_err(not_this_game)?;
    say_lost_ends(ends);
    Ok(())
}

pub(super) fn not_this_game(e: NotThisGame) -> Failure {
    Failure::usage(e.message).hint(e.hint)
}

/// Writes the certificate of an answer, if there is one.
fn certify(answer: &GraphAnswer, path: &Path) -> Result<(), Failure> {
    let Some(certificate) = &answer.certificate else { return Ok(()) };
    let mut out = io::BufWriter::with_capacity(1 << 16, Output::open(Some(path))?);
    write!(out, "{certificate}")
        .and_then(|()| out.into_inner().map_err(io::IntoInnerError::into_error))
        .and_then(Output::close)
        .map_err(|e| Failure::file(path, &e))
}

/// The winners as other programs for parity games write them; vertices are numbered from 0 in the order of the input.
fn paritysol(out: &mut impl Write, answer: &GraphAnswer) -> io::Result<()> {
    let Some(Vertices::Winners(found)) = &answer.vertices else { return Ok(()) };
    Solution { winner: found.winner.iter().copied().map(Some).collect(), strategy: found.strategy.clone() }.write(out)
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

/// What is said beside the answers: the graph, how far they reach, how they were found.
fn summary(statistics: &Statistics, answer: &GraphAnswer) -> String {
    let header = &answer.header;
    let status = header.status.word();
    let play = match answer.objective {
        // the convention is of games in which somebody cannot move
        GraphObjective::Game(_) => String::new(),
        _ => format!("{} play; ", header.convention.word()),
    };
    let graph = render::statistics::line(statistics);
    let mut said = format!("{graph}{}\n{play}{status}: {}\n", levels(answer), header.method);
    match answer.verified {
        Some(true) => said += "the checker accepts all of it\n",
        Some(false) => said += "the checker does not accept it: a defect of the program\n",
        None => {}
    }
    said
}

/// How far the answers reach.
fn levels(answer: &GraphAnswer) -> String {
    match &answer.vertices {
        Some(Vertices::Outcomes(all)) => {
            let decided = all.iter().filter(|v| v.outcome != Outcome::Draw).map(|v| v.remoteness).max();
            decided.map_or("; all are draws".into(), |most| format!("; remoteness up to {most}"))
        }
        Some(Vertices::Values(values)) => {
            let finite = values.iter().filter_map(|v| if let LoopyValue::Finite(v) = v { Some(*v) } else { None });
            let infinite = values.iter().filter(|v| matches!(v, LoopyValue::Infinite(_))).count();
            let without = if infinite > 0 { format!(", {infinite} without a finite one") } else { String::new() };
            finite.max().map_or("; no finite value".into(), |most| format!("; values up to {most}{without}"))
        }
        Some(Vertices::Winners(found)) => {
            let second = found.winner.iter().filter(|w| **w == 1).count();
            let first = found.winner.len() - second;
            let rounds = match answer.rounds {
                None | Some(0) => String::new(),
                Some(1) => ", found in 1 round".into(),
                Some(n) => format!(", found in {n} rounds"),
            };
            format!("; player 0 wins from {first}, player 1 from {second}{rounds}")
        }
        None => String::new(),
    }
}

/// The title of a picture.
fn title(path: &Path, goal: GraphGoal, misere: bool) -> String {
    let what = match goal {
        GraphGoal::Grundy => "Grundy values",
        GraphGoal::Loopy => "values",
        GraphGoal::Outcome if misere => "outcomes in misère play",
        GraphGoal::Outcome => "outcomes",
        GraphGoal::Reach => "winners of the reachability game",
        GraphGoal::Safety => "winners of the safety game",
        GraphGoal::Buchi => "winners of the Büchi game",
        GraphGoal::Cobuchi => "winners of the co-Büchi game",
        GraphGoal::Parity => "winners of the parity game",
    };
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
    match name.filter(|n| n != "-") {
        Some(name) => format!("{name}: {what}"),
        None => what[..1].to_uppercase() + &what[1..],
    }
}

fn picture(place: &Path, answer: &GraphAnswer, title: &str) -> Result<(), Failure> {
    let svg = render::graph::svg(answer, title).map_err(|e| Failure::usage(e.to_string()))?;
    let failed = |e| Failure::file(place, &e);
    let mut file = Output::open(Some(place))?;
    file.write_all(svg.as_bytes()).map_err(failed)?;
    file.close().map_err(failed)
}

/// The vertices of these names.
fn named(file: &GraphFile, names: &[String]) -> Result<Vec<u32>, Failure> {
    let find = |name: &String| {
        file.names.find(name, file.graph.vertices()).ok_or_else(|| {
            let first: Vec<_> = (0..file.graph.vertices().min(5) as u32).map(|v| file.names.get(v)).collect();
            Failure::usage(format!("there is no vertex \"{name}\"")).hint(format!("the first are {}", first.join(", ")))
        })
    };
    let only = |name: &String| {
        let v = find(name)?;
        let others = v + 1..file.graph.vertices() as u32;
        match &file.names {
            Names::Given(_) if others.into_iter().any(|w| file.names.get(w) == *name) => {
                Err(Failure::usage(format!("two vertices are called \"{name}\"")).hint("give each its own name"))
            }
            _ => Ok(v),
        }
    };
    names.iter().map(only).collect()
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
    Ok(())
}
