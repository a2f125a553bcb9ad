//! Questions about games on explicit graphs: values, outcomes and winners of all vertices, and sums of tokens.

use std::fmt;

use grundy_core::{
    proof::{GraphCertificate, GraphClaim, Preparation, digest_of_game, digest_of_graph},
    theory::{
        Convention, Outcome,
        digraph::Digraph,
        loopy_value::{self, LoopyValue},
        parity_game::{self, Objective, ParityGame, Solution},
    },
};

use crate::{
    answer::{Header, Stats, Status},
    budget::{Budget, Limit, Meter, StopReason},
    formats::graph::GraphFile,
    parity, retrograde,
    verify::VerifyAnswer,
};

/// What is asked of every vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphObjective {
    /// The Grundy value, on a graph without cycles.
    Grundy,
    /// The loopy value, on any graph.
    Loopy,
    /// Who wins, and how long that takes.
    Outcome,
    /// Who wins a game of two players with vertices of their own.
    Game(Objective),
}

impl GraphObjective {
    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            GraphObjective::Grundy => "grundy",
            GraphObjective::Loopy => "loopy",
            GraphObjective::Outcome => "outcome",
            GraphObjective::Game(objective) => objective.word(),
        }
    }
}

/// A question about a graph.
#[derive(Clone, Debug)]
pub struct GraphQuery {
    /// The graph with its names, owners, priorities and targets.
    pub file: GraphFile,
    /// What is asked.
    pub objective: GraphObjective,
    /// Who wins when no move is left, for [`GraphObjective::Outcome`].
    pub convention: Convention,
    /// Vertices with a token on them: who wins their sum, and by which moves. Normal play.
    pub tokens: Vec<u32>,
    /// Have the checker of the core look at what was found.
    pub verify: bool,
    /// Make a certificate, which says where the graph is from.
    pub certificate: Option<Origin>,
}

/// Where a game comes from, as certificates say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The name of the file.
    pub subject: String,
    /// How the game was made from it.
    pub with: Preparation,
}

/// What is known of all vertices, in the order of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// Values.
    Values(Vec<LoopyValue>),
    /// Outcomes with remoteness.
    Outcomes(Vec<retrograde::Verdict>),
    /// Winners and strategies.
    Winners(Solution),
}

/// A winning move of a sum of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenMove {
    /// Which token, counted from 0.
    pub token: usize,
    /// Where it goes.
    pub to: u32,
}

/// Who wins a sum of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenAnswer {
    /// The value of the sum.
    pub value: LoopyValue,
    /// Who wins.
    pub outcome: Outcome,
    /// All moves that win.
    pub moves: Vec<TokenMove>,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct GraphAnswer {
    /// Convention, status, method, sources, cost.
    pub header: Header,
    /// What was asked.
    pub objective: GraphObjective,
    /// The graph with its names.
    pub file: GraphFile,
    /// None if a limit was reached first.
    pub vertices: Option<Vertices>,
    /// The sum of tokens, if one was asked for.
    pub tokens: Option<TokenAnswer>,
    /// True if the checker accepted what was found; None if it was not asked.
    pub verified: Option<bool>,
    /// The certificate, if one was wanted and all was found.
    pub certificate: Option<GraphCertificate>,
    /// Rounds that a game of two players took, see [`parity::solve_counted`].
    pub rounds: Option<u64>,
    /// The limit that was reached.
    pub stop: Option<StopReason>,
}

/// Why a graph is not the game that was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotThisGame {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl fmt::Display for NotThisGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NotThisGame {}

fn refuse<T>(message: impl Into<String>, hint: impl Into<String>) -> Result<T, NotThisGame> {
    Err(NotThisGame { message: message.into(), hint: hint.into() })
}

/// What was found of the vertices.
#[derive(Debug)]
pub(crate) struct Found {
    /// What is known, or the limit that was reached.
    pub claim: Result<GraphClaim, StopReason>,
    /// The game of two players that was solved, where it was made.
    pub game: Option<ParityGame>,
    /// Rounds that it took, where they were counted.
    pub rounds: Option<u64>,
}

/// Answers a question about a graph.
///
/// # Complexity
/// That of [`retrograde::grundy_values`], [`retrograde::labels`], [`retrograde::outcomes`] or [`parity::solve`].
///
/// # Errors
/// [`NotThisGame`]: a cycle where there must be none, a missing owner or priority, a dead end where play must go on.
pub fn answer(query: GraphQuery, budget: &Budget) -> Result<GraphAnswer, NotThisGame> {
    let mut meter = Meter::new(budget);
    fits(&query)?;
    let graph = &query.file.graph;
    if budget.positions.is_some_and(|most| most < graph.vertices() as u64) {
        let claim = Err(meter.stop(Limit::Positions));
        return put_together(query, Found { claim, game: None, rounds: None }, "nothing", &[], &meter);
    }
    let (mut game, mut rounds) = (None, None);
    let (claim, method, sources): (_, _, &[_]) = match query.objective {
        GraphObjective::Grundy => {
            let claim = match retrograde::grundy_values(graph, &mut meter) {
                Ok(Err(cycle)) => return Err(has_cycle(&query.file, &cycle)),
                Ok(Ok(values)) => Ok(GraphClaim::Grundy(values.into_iter().map(u64::from).collect())),
                Err(stop) => Err(stop),
            };
            (claim, "mex of the followers, from the ends backwards", &["Spr35", "Gru39"])
        }
        GraphObjective::Loopy => {
            let labels = reversed(graph, &mut meter).and_then(|r| retrograde::labels(graph, &r, &mut meter));
            (labels.map(GraphClaim::Loopy), "labels of Smith, Fraenkel and Perl, one pass a value", &["Smi66", "FP75"])
        }
        GraphObjective::Outcome => {
            let found =
                reversed(graph, &mut meter).and_then(|r| retrograde::outcomes(graph, &r, query.convention, &mut meter));
            let claim = found.map(|verdicts| GraphClaim::Outcome(query.convention, verdicts));
            (claim, "backwards from the ends", &["Smi66"])
        }
        GraphObjective::Game(objective) => {
            let game = game.insert(game_of(&query.file, graph.clone(), objective)?);
            let claim = parity::solve_counted(game, &mut meter).map(|(solution, count)| {
                rounds = Some(count);
                GraphClaim::Winners(objective, solution)
            });
            (claim, "attractors, with a strategy for the winner of each vertex", &["EJ91"])
        }
    };
    put_together(query, Found { claim, game, rounds }, method, sources, &meter)
}

/// Refuses misère play of what has no misère theory.
pub(crate) fn fits(query: &GraphQuery) -> Result<(), NotThisGame> {
    let one_outcome = query.objective == GraphObjective::Outcome && query.tokens.len() <= 1;
    if query.convention == Convention::Misere && !one_outcome {
        return refuse(
            "misère play has no values: sums of tokens do not follow from those of single ones",
            "ask for --objective outcome of one token",
        );
    }
    Ok(())
}

/// Grundy values were asked for, and there is this cycle.
pub(crate) fn has_cycle(file: &GraphFile, cycle: &[u32]) -> NotThisGame {
    let names: Vec<_> = cycle.iter().take(8).map(|v| file.names.get(*v).into_owned()).collect();
    let dots = if cycle.len() > 8 { " -> …" } else { "" };
    NotThisGame {
        message: format!("the graph has a cycle: {}{dots} -> {}", names.join(" -> "), names[0]),
        hint: "ask for --objective loopy, which has values for such graphs".into(),
    }
}

/// The answer to a question from what was found, checked and certified if that was asked for.
pub(crate) fn put_together(
    query: GraphQuery,
    found: Found,
    method: impl Into<String>,
    sources: &[&'static str],
    meter: &Meter,
) -> Result<GraphAnswer, NotThisGame> {
    let GraphQuery { file, objective, convention, tokens, verify, certificate: origin } = query;
    let Found { claim, game, rounds } = found;
    let (mut verified, mut certificate) = (None, None);
    let claim = match claim {
        Ok(claim) if verify || origin.is_some() => {
            let is_wanted = origin.is_some();
            let made = certify(&file.graph, game.as_ref(), origin.unwrap_or_default(), claim);
            verified = verify.then(|| made.check(&file.graph, game.as_ref()).is_ok());
            Ok(if is_wanted { certificate.insert(made).claim.clone() } else { made.claim })
        }
        other => other,
    };
    drop(game);
    let (vertices, stop) = match claim {
        Ok(claim) => (Some(known(&file.graph, claim)), None),
        Err(stop) => (None, Some(stop.reached("no vertex is decided"))),
    };
    let tokens = match (&vertices, tokens.is_empty()) {
        (Some(Vertices::Values(values)), false) => Some(sum_of(&file.graph, values, &tokens)),
        (Some(_), false) => return refuse("tokens are added by their values", "ask for --objective grundy or loopy"),
        _ => None,
    };
    let status = if stop.is_some() { Status::Stopped } else { Status::Computed };
    let stats = Stats { elapsed: meter.elapsed(), positions: file.graph.vertices() as u64 };
    let header = Header { convention, status, method: method.into(), sources: sources.to_vec(), stats };
    Ok(GraphAnswer { header, objective, file, vertices, tokens, verified, certificate, rounds, stop })
}

/// The edges turned round, counted before they are.
fn reversed(graph: &Digraph, meter: &mut Meter) -> Result<Digraph, StopReason> {
    meter.bytes(16 * graph.vertices() as u64 + 4 * graph.edges() as u64)?;
    meter.steps(4 * graph.edges() as u64)?;
    Ok(graph.reversed())
}

/// The certificate of a claim.
fn certify(graph: &Digraph, game: Option<&ParityGame>, origin: Origin, claim: GraphClaim) -> GraphCertificate {
    let digest = game.map_or_else(|| digest_of_graph(graph), digest_of_game);
    let game = (graph.vertices() as u64, graph.edges() as u64, digest);
    GraphCertificate { subject: origin.subject, with: origin.with, game, claim }
}

/// What a claim says of the vertices.
fn known(graph: &Digraph, claim: GraphClaim) -> Vertices {
    match claim {
        GraphClaim::Grundy(values) => Vertices::Values(values.into_iter().map(LoopyValue::Finite).collect()),
        GraphClaim::Loopy(labels) => {
            let all = 0..graph.vertices() as u32;
            Vertices::Values(all.map(|v| loopy_value::value_of(graph, &labels, v)).collect())
        }
        GraphClaim::Outcome(_, verdicts) => Vertices::Outcomes(verdicts),
        GraphClaim::Winners(_, solution) => Vertices::Winners(solution),
    }
}

/// Makes the game of a file; says how many dead ends became lost.
///
/// # Errors
/// [`NotThisGame`]: no priorities to turn round, a target that is not there, dead ends without an owner.
pub fn prepare(file: &mut GraphFile, with: &Preparation) -> Result<usize, NotThisGame> {
    if with.min
        && let Err(why) = file.mirror()
    {
        return refuse(why, "--min is for files of parity games in which the smallest priority decides");
    }
    if let Some(targets) = &with.target {
        let mut target = vec![false; file.graph.vertices()];
        for v in targets {
            match target.get_mut(*v as usize) {
                Some(target) => *target = true,
                None => return refuse(format!("there is no vertex {v}, counted from 0"), "the file is another one"),
            }
        }
        file.target = Some(target);
    }
    if !with.sinks_lose {
        return Ok(0);
    }
    file.lose_at_dead_ends()
        .or_else(|why| refuse(why, "give owners 0 and 1: a parity game (.pg), or owner= in DOT, GraphML and JSON"))
}

/// Checks a certificate against the graph of its file, which nothing was done to yet.
///
/// # Complexity
/// That of [`GraphCertificate::check`].
///
/// # Errors
/// [`NotThisGame`] if the graph is no game of that kind.
pub fn verify(mut file: GraphFile, certificate: &GraphCertificate) -> Result<VerifyAnswer, NotThisGame> {
    let meter = Meter::unlimited();
    let with = &certificate.with;
    prepare(&mut file, with)?;
    let (convention, what) = match &certificate.claim {
        GraphClaim::Grundy(_) => (Convention::Normal, "the Grundy value of each vertex".to_owned()),
        GraphClaim::Loopy(_) => (Convention::Normal, "the loopy value of each vertex".to_owned()),
        GraphClaim::Outcome(convention, _) => {
            let play = if *convention == Convention::Misere { "misère" } else { "normal" };
            (*convention, format!("the outcome and remoteness of each vertex in {play} play"))
        }
        GraphClaim::Winners(objective, _) => {
            (Convention::Normal, format!("the winner from each vertex, with a strategy ({})", objective.word()))
        }
    };
    let game = match &certificate.claim {
        GraphClaim::Winners(objective, _) => Some(game_of(&file, file.graph.clone(), *objective)?),
        _ => None,
    };
    let checked = certificate.check(&file.graph, game.as_ref());
    let is_same = certificate.is_of(&file.graph, game.as_ref());
    let stats = Stats { elapsed: meter.elapsed(), positions: file.graph.vertices() as u64 };
    let method =
        if is_same { "every vertex against its followers, every strategy against every play" } else { "digests" };
    let how = [
        (with.min, "the smallest priority decides"),
        (with.sinks_lose, "dead ends are lost"),
        (with.target.is_some(), "with targets of its own"),
    ];
    let how: String = how.iter().filter(|(is_so, _)| *is_so).map(|(_, words)| format!("; {words}")).collect();
    Ok(VerifyAnswer {
        header: Header { convention, status: Status::Proved, method: method.into(), sources: Vec::new(), stats },
        game: certificate.subject.clone(),
        claim: what + &how,
        accepted: Some(checked.is_ok()),
        reason: match checked {
            Ok(()) => "the claim holds at every vertex".into(),
            Err(why) if is_same => format!("{why} (vertices are counted from 0)"),
            Err(why) => why,
        },
        checked: match is_same {
            true => format!("{} vertices, {} edges", file.graph.vertices(), file.graph.edges()),
            false => String::new(),
        },
        stop: None,
    })
}

/// The value of a sum of tokens, and every move after which the opponent has lost.
fn sum_of(graph: &Digraph, values: &[LoopyValue], tokens: &[u32]) -> TokenAnswer {
    let total = |except: Option<usize>| {
        let rest = tokens.iter().enumerate().filter(|(i, _)| Some(*i) != except);
        rest.fold(LoopyValue::Finite(0), |sum, (_, v)| sum.sum(&values[*v as usize]))
    };
    let value = total(None);
    let mut moves = Vec::new();
    for (token, at) in tokens.iter().enumerate() {
        let rest = total(Some(token));
        let mut followers = graph.successors(*at).to_vec();
        followers.sort_unstable();
        followers.dedup();
        let wins = followers.into_iter().filter(|to| rest.sum(&values[*to as usize]).outcome() == Outcome::P);
        moves.extend(wins.map(|to| TokenMove { token, to }));
    }
    TokenAnswer { outcome: value.outcome(), value, moves }
}

/// The game of two players that a file describes, on its graph.
pub(crate) fn game_of(file: &GraphFile, graph: Digraph, objective: Objective) -> Result<ParityGame, NotThisGame> {
    let Some(owner) = file.owner.clone() else {
        return refuse(
            "the file does not say who moves at each vertex",
            "give owners 0 and 1: a parity game (.pg), or owner= in DOT, GraphML and JSON",
        );
    };
    let priority = match (objective, &file.priority, &file.target) {
        (Objective::Parity, Some(p), _) | (_, Some(p), None) => narrowed(p),
        (Objective::Parity, None, _) => return refuse("a parity game needs priorities", "ask for --objective buchi"),
        (_, _, Some(target)) => target.iter().map(|green| u32::from(!green)).collect(),
        (_, None, None) => {
            return refuse("no vertex is green", "name the targets with --target a,b, or mark them in the file");
        }
    };
    ParityGame::new(graph, owner, priority, objective).map_err(|e| {
        let message = match e {
            parity_game::NotAGame::DeadEnd(v) => format!("no move leads away from vertex {}", file.names.get(v)),
            other => other.to_string(),
        };
        NotThisGame {
            message,
            hint: "such plays must go on for ever: --sinks lose makes dead ends lost for whoever must move there"
                .into(),
        }
    })
}

/// Priorities in 32 bits: neighbours of one parity become one where they are too large.
fn narrowed(priority: &[u64]) -> Vec<u32> {
    if let Ok(fit) = priority.iter().map(|p| u32::try_from(*p)).collect() {
        return fit;
    }
    let mut distinct = priority.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut ranks: Vec<u32> = Vec::with_capacity(distinct.len());
    for p in &distinct {
        let parity = (p % 2) as u32;
        ranks.push(ranks.last().map_or(parity, |last| last + (last + parity) % 2));
    }
    priority.iter().map(|p| distinct.binary_search(p).map_or(0, |i| ranks[i])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::graph::{GraphFormat, read};

    fn ask(text: &str, format: GraphFormat, objective: GraphObjective, tokens: &[u32]) -> GraphAnswer {
        let file = read(text.as_bytes(), format).unwrap();
        let query = GraphQuery {
            file,
            objective,
            convention: Convention::Normal,
            tokens: tokens.to_vec(),
            verify: true,
            certificate: None,
        };
        let answer = answer(query, &Budget::default()).unwrap();
        assert_ne!(answer.verified, Some(false));
        answer
    }

    #[test]
    fn tokens_are_added() {
        // heaps of Nim up to 3 as a graph
        let nim = r#"{"n": 4, "edges": [[1, 0], [2, 0], [2, 1], [3, 0], [3, 1], [3, 2]]}"#;
        let answer = ask(nim, GraphFormat::Json, GraphObjective::Grundy, &[3, 1]);
        let tokens = answer.tokens.unwrap();
        assert_eq!((tokens.value, tokens.outcome), (LoopyValue::Finite(2), Outcome::N));
        assert_eq!(tokens.moves, [TokenMove { token: 0, to: 1 }]);
    }

    #[test]
    fn a_parity_game_has_winners() {
        let answer = ask("0 2 0 1; 1 1 1 0,1;", GraphFormat::PgSolver, GraphObjective::Game(Objective::Parity), &[]);
        let Some(Vertices::Winners(solution)) = answer.vertices else { panic!() };
        assert_eq!(solution.winner, [1, 1]);
    }

    #[test]
    fn wide_priorities_keep_their_order_and_parity() {
        assert_eq!(narrowed(&[u64::MAX, 4, 6, 9, u64::MAX - 1]), [3, 0, 0, 1, 2]);
        assert_eq!(narrowed(&[3, 1 << 40]), [1, 2]);
        assert_eq!(narrowed(&[7, 2]), [7, 2]);
    }

    #[test]
    fn what_is_no_such_game() {
        let refused = |text: &str, objective| {
            let file = read(text.as_bytes(), GraphFormat::Json).unwrap();
            let query = GraphQuery {
                file,
                objective,
                convention: Convention::Normal,
                tokens: vec![],
                verify: false,
                certificate: None,
            };
            answer(query, &Budget::default()).unwrap_err().message
        };
        let cycle = r#"{"n": 2, "edges": [[0, 1], [1, 0]]}"#;
        assert!(refused(cycle, GraphObjective::Grundy).contains("cycle"));
        assert!(refused(cycle, GraphObjective::Game(Objective::Buchi)).contains("who moves"));
    }
}
