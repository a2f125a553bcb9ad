//! Certificates of games on explicit graphs: what is claimed of every vertex, with the graph's digest.

use core::{fmt, str::FromStr};

use super::{CertificateError, certificate::digest_step};
use crate::theory::{
    Convention, Outcome,
    digraph::Digraph,
    loopy_value::{self, Label},
    mex,
    parity_game::{self, Objective, ParityGame, Solution},
    remoteness::{self, Verdict},
};

/// The first line; the number is the version of the format.
const HEAD: &str = "grundy graph certificate 1";

/// Vertices on one line of targets.
const PER_LINE: usize = 32;

/// What is claimed of every vertex, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphClaim {
    /// Its Grundy value.
    Grundy(Vec<u64>),
    /// Its label of Smith, Fraenkel and Perl, with the counter that is the strategy.
    Loopy(Vec<Label>),
    /// Its outcome and remoteness.
    Outcome(Convention, Vec<Verdict>),
    /// Its winner, and where the winner moves.
    Winners(Objective, Solution),
}

impl GraphClaim {
    fn words(&self) -> &'static str {
        match self {
            GraphClaim::Grundy(_) => "grundy",
            GraphClaim::Loopy(_) => "loopy",
            GraphClaim::Outcome(Convention::Normal, _) => "outcome normal",
            GraphClaim::Outcome(Convention::Misere, _) => "outcome misere",
            GraphClaim::Winners(objective, _) => objective.word(),
        }
    }

    /// Entries, one a vertex.
    pub fn len(&self) -> usize {
        match self {
            GraphClaim::Grundy(values) => values.len(),
            GraphClaim::Loopy(labels) => labels.len(),
            GraphClaim::Outcome(_, verdicts) => verdicts.len(),
            GraphClaim::Winners(_, solution) => solution.winner.len(),
        }
    }

    /// True for a graph without vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// How the game is made from the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preparation {
    /// The smallest priority decides in the file.
    pub min: bool,
    /// A dead end becomes a loop that its owner loses.
    pub sinks_lose: bool,
    /// These are the targets, whatever the file says.
    pub target: Option<Vec<u32>>,
}

/// A claim about every vertex of a graph.
///
/// As text:
///
/// ```text
/// grundy graph certificate 1
/// subject ring.json
/// game 3 vertices 3 edges digest 6d0f4eab3c1c9a52
/// with target 0
/// claim buchi
/// 0 1
/// 0 -
/// 1 2
/// end
/// ```
///
/// After the game stand, each at will: `with min` if the smallest priority decides, `with sinks lose` if dead ends are lost, and
/// `with target` and vertices, counted from 0, at most 32 on a line. Then the claim, and a line for every vertex: its value
/// (`grundy`); its value and counter, or `inf` (`loopy`); N, P or Draw and the remoteness (`outcome`); the winner and the
/// vertex moved to, or `-` (the others).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphCertificate {
    /// The name of the file.
    pub subject: String,
    /// How the game is made from it.
    pub with: Preparation,
    /// Number of vertices, number of edges and [`digest_of_graph`] or [`digest_of_game`].
    pub game: (u64, u64, u64),
    /// What is claimed.
    pub claim: GraphClaim,
}

/// The digest of a graph: of the numbers of its vertices and edges, and of each row its length and its targets.
pub fn digest_of_graph(graph: &Digraph) -> u64 {
    let numbers = [graph.vertices() as u64, graph.edges() as u64];
    let mut h = super::digest(numbers);
    for v in 0..graph.vertices() as u32 {
        let row = graph.successors(v);
        h = digest_step(h, row.len() as u64);
        h = row.iter().fold(h, |h, w| digest_step(h, (*w).into()));
    }
    h
}

/// The digest of a game of two players: of its graph, and of owner and priority of each vertex.
pub fn digest_of_game(game: &ParityGame) -> u64 {
    let entries = game.owner().iter().zip(game.priority());
    entries.fold(digest_of_graph(game.graph()), |h, (o, p)| digest_step(h, u64::from(*p) << 1 | u64::from(*o)))
}

impl GraphCertificate {
    /// Whether this is the game that the certificate is about, by its numbers and its digest.
    pub fn is_of(&self, graph: &Digraph, game: Option<&ParityGame>) -> bool {
        let numbers = (graph.vertices() as u64, graph.edges() as u64);
        (self.game.0, self.game.1) == numbers
            && self.game.2 == game.map_or_else(|| digest_of_graph(graph), digest_of_game)
    }

    /// Checks the claim of the graph, or of the game of two players on it.
    ///
    /// # Complexity
    /// O(vertices + edges), and the search for lost cycles (O(priorities · edges)) in parity games.
    ///
    /// # Errors
    /// Why it is refused: another graph, or the first vertex at which the claim does not hold.
    ///
    /// # Examples
    /// ```
    /// use grundy_core::{proof::{GraphCertificate, GraphClaim, digest_of_graph}, theory::digraph::Digraph};
    /// let graph = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 2)]).unwrap();
    /// let claim = GraphClaim::Grundy(vec![2, 1, 0]);
    /// let mut certificate = GraphCertificate {
    ///     subject: "path.json".into(), with: Default::default(), game: (3, 3, digest_of_graph(&graph)), claim,
    /// };
    /// assert_eq!(certificate.check(&graph, None), Ok(()));
    /// assert_eq!(certificate.to_string().parse(), Ok(certificate.clone()));
    /// certificate.claim = GraphClaim::Grundy(vec![1, 1, 0]);
    /// assert!(certificate.check(&graph, None).is_err());
    /// ```
    pub fn check(&self, graph: &Digraph, game: Option<&ParityGame>) -> Result<(), String> {
        if !self.is_of(graph, game) {
            return Err("the file holds another game than the one that was solved".into());
        }
        match (&self.claim, game) {
            (GraphClaim::Grundy(values), _) => check_grundy(graph, values),
            (GraphClaim::Loopy(labels), _) => loopy_value::check(graph, labels).map_err(|e| e.to_string()),
            (GraphClaim::Outcome(convention, verdicts), _) => {
                remoteness::check(graph, *convention, verdicts).map_err(|e| e.to_string())
            }
            (GraphClaim::Winners(objective, solution), Some(game)) if game.objective() == *objective => {
                parity_game::check(game, solution).map_err(|e| e.to_string())
            }
            (GraphClaim::Winners(..), _) => Err("the claim is about a game of two players".into()),
        }
    }
}

fn check_grundy(graph: &Digraph, values: &[u64]) -> Result<(), String> {
    if values.len() != graph.vertices() {
        return Err("there is not one value for each vertex".into());
    }
    // labels with the mex of the followers are values only without cycles
    if let Err(cycle) = graph.topological_order() {
        return Err(format!("the graph has a cycle through vertex {}, so it has no Grundy values", cycle[0]));
    }
    let is_mex = |v: &u32| values[*v as usize] == mex(graph.successors(*v).iter().map(|w| values[*w as usize]));
    match (0..values.len() as u32).find(|v| !is_mex(v)) {
        None => Ok(()),
        Some(v) => Err(format!("the value of vertex {v} is not the mex of those of its followers")),
    }
}

impl fmt::Display for GraphCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (vertices, edges, digest) = self.game;
        writeln!(f, "{HEAD}\nsubject {}", self.subject)?;
        writeln!(f, "game {vertices} vertices {edges} edges digest {digest:016x}")?;
        if self.with.min {
            writeln!(f, "with min")?;
        }
        if self.with.sinks_lose {
            writeln!(f, "with sinks lose")?;
        }
        if let Some(target) = &self.with.target {
            // one line even of none
            for line in target.chunks(PER_LINE).chain(target.is_empty().then_some(&[][..])) {
                f.write_str("with target")?;
                line.iter().try_for_each(|v| write!(f, " {v}"))?;
                writeln!(f)?;
            }
        }
        writeln!(f, "claim {}", self.claim.words())?;
        match &self.claim {
            GraphClaim::Grundy(values) => values.iter().try_for_each(|v| writeln!(f, "{v}"))?,
            GraphClaim::Loopy(labels) => {
                for label in labels {
                    match label {
                        Label::Finite { value, counter } => writeln!(f, "{value} {counter}")?,
                        Label::Infinite => writeln!(f, "inf")?,
                    }
                }
            }
            GraphClaim::Outcome(_, verdicts) => {
                for verdict in verdicts {
                    writeln!(f, "{} {}", verdict.outcome.word(), verdict.remoteness)?;
                }
            }
            GraphClaim::Winners(_, solution) => {
                for (winner, to) in solution.winner.iter().zip(&solution.strategy) {
                    match to {
                        Some(to) => writeln!(f, "{winner} {to}")?,
                        None => writeln!(f, "{winner} -")?,
                    }
                }
            }
        }
        writeln!(f, "end")
    }
}

/// The lines of a text, counted.
struct Lines<'a> {
    lines: core::str::Lines<'a>,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, CertificateError> {
        self.at += 1;
        match self.lines.next() {
            Some(line) => Ok(line.trim_end()),
            None => self.fail(format!("{what} is missing: the file is cut off")),
        }
    }

    fn fail<T>(&self, reason: impl Into<String>) -> Result<T, CertificateError> {
        Err(CertificateError { line: self.at, reason: reason.into() })
    }

    fn number<N: TryFrom<u64>>(&self, word: &str) -> Result<N, CertificateError> {
        let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        let number = word.parse::<u64>().ok().filter(|_| digits).and_then(|n| N::try_from(n).ok());
        number.map_or_else(|| self.fail(format!("\"{word}\" is no number that can stand here")), Ok)
    }
}

impl FromStr for GraphCertificate {
    type Err = CertificateError;

    fn from_str(text: &str) -> Result<Self, CertificateError> {
        let mut lines = Lines { lines: text.lines(), at: 0 };
        if lines.next("the head")? != HEAD {
            return lines.fail("this is no certificate of a version that this program reads");
        }
        let Some(subject) = lines.next("the subject")?.strip_prefix("subject ") else {
            return lines.fail("expected the subject");
        };
        let line = lines.next("the game")?;
        let game = match line.split(' ').collect::<Vec<_>>()[..] {
            ["game", vertices, "vertices", edges, "edges", "digest", digest] => {
                let Some(digest) = u64::from_str_radix(digest, 16).ok().filter(|d| format!("{d:016x}") == digest)
                else {
                    return lines.fail(format!("\"{digest}\" is no digest"));
                };
                (lines.number(vertices)?, lines.number(edges)?, digest)
            }
            _ => return lines.fail("expected the game: numbers of vertices and edges, and the digest"),
        };
        let mut with = Preparation::default();
        let claim = loop {
            let line = lines.next("the claim")?;
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["with", "min"] => with.min = true,
                ["with", "sinks", "lose"] => with.sinks_lose = true,
                ["with", "target", ref vertices @ ..] => {
                    let target = with.target.get_or_insert_default();
                    for v in vertices {
                        target.push(lines.number(v)?);
                    }
                }
                ["claim", ref words @ ..] => break read_claim(words, game.0, &mut lines)?,
                _ => return lines.fail("expected the claim"),
            }
        };
        while let Some(line) = lines.lines.next() {
            lines.at += 1;
            if !line.trim_end().is_empty() {
                return lines.fail("text after the end");
            }
        }
        Ok(GraphCertificate { subject: subject.to_owned(), with, game, claim })
    }
}

fn read_claim(words: &[&str], vertices: u64, lines: &mut Lines<'_>) -> Result<GraphClaim, CertificateError> {
    Ok(match words {
        ["grundy"] => GraphClaim::Grundy(rows(vertices, lines, |line, lines| lines.number(line))?),
        ["loopy"] => GraphClaim::Loopy(rows(vertices, lines, |line, lines| match line.split_once(' ') {
            None if line == "inf" => Ok(Label::Infinite),
            Some((value, counter)) => {
                Ok(Label::Finite { value: lines.number(value)?, counter: lines.number(counter)? })
            }
            None => lines.fail("expected a value and its counter, or inf"),
        })?),
        ["outcome", word @ ("normal" | "misere")] => {
            let convention = if *word == "misere" { Convention::Misere } else { Convention::Normal };
            let verdict = |line: &str, lines: &Lines<'_>| {
                let (outcome, remoteness) = match line.split_once(' ') {
                    Some(("N", remoteness)) => (Outcome::N, remoteness),
                    Some(("P", remoteness)) => (Outcome::P, remoteness),
                    Some(("Draw", remoteness)) => (Outcome::Draw, remoteness),
                    _ => return lines.fail("expected N, P or Draw and the remoteness"),
                };
                Ok(Verdict::new(outcome, lines.number(remoteness)?))
            };
            GraphClaim::Outcome(convention, rows(vertices, lines, verdict)?)
        }
        [word] if Objective::ALL.iter().any(|o| o.word() == *word) => {
            let objective = Objective::ALL.iter().copied().find(|o| o.word() == *word).unwrap_or(Objective::Parity);
            let pairs = rows(vertices, lines, |line, lines| match line.split_once(' ') {
                Some((winner, "-")) => Ok((lines.number::<u8>(winner)?, None)),
                Some((winner, to)) => Ok((lines.number::<u8>(winner)?, Some(lines.number::<u32>(to)?))),
                None => lines.fail("expected a winner, and a vertex or -"),
            })?;
            let (winner, strategy) = pairs.into_iter().unzip();
            GraphClaim::Winners(objective, Solution { winner, strategy })
        }
        _ => return lines.fail("unknown claim"),
    })
}

/// A line for each vertex, and the end.
fn rows<T>(
    vertices: u64,
    lines: &mut Lines<'_>,
    read: impl Fn(&str, &Lines<'_>) -> Result<T, CertificateError>,
) -> Result<Vec<T>, CertificateError> {
    let mut rows = Vec::new();
    loop {
        match lines.next("the end")? {
            "end" if rows.len() as u64 == vertices => return Ok(rows),
            "end" => return lines.fail(format!("there are {} lines of vertices, not {vertices}", rows.len())),
            line => rows.push(read(line, lines)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::{loopy_value::label_plainly, zielonka};

    fn graph() -> Digraph {
        Digraph::from_edges(5, &[(0, 1), (1, 0), (1, 2), (2, 3), (2, 4), (3, 4), (4, 4)]).unwrap()
    }

    fn certificate(graph: &Digraph, game: Option<&ParityGame>, claim: GraphClaim) -> GraphCertificate {
        let digest = game.map_or_else(|| digest_of_graph(graph), digest_of_game);
        let game = (graph.vertices() as u64, graph.edges() as u64, digest);
        GraphCertificate { subject: "a file.pg".into(), with: Preparation::default(), game, claim }
    }

    /// One certificate of each kind, with its game.
    fn all() -> Vec<(GraphCertificate, Digraph, Option<ParityGame>)> {
        let path = Digraph::from_edges(3, &[(0, 1), (0, 2), (1, 2)]).unwrap();
        let mut all = vec![
            (certificate(&path, None, GraphClaim::Grundy(vec![2, 1, 0])), path.clone(), None),
            (certificate(&graph(), None, GraphClaim::Loopy(label_plainly(&graph()))), graph(), None),
        ];
        let verdicts = [(Outcome::N, 1), (Outcome::N, 1), (Outcome::P, 0)].map(|(o, n)| Verdict::new(o, n)).to_vec();
        let claim = GraphClaim::Outcome(Convention::Normal, verdicts);
        all.push((certificate(&path, None, claim), path, None));
        for objective in Objective::ALL {
            let game = ParityGame::new(graph(), vec![0, 1, 1, 0, 1], vec![1, 0, 2, 1, 0], *objective).unwrap();
            let claim = GraphClaim::Winners(*objective, zielonka::solve(&game));
            all.push((certificate(&graph(), Some(&game), claim), graph(), Some(game)));
        }
        all
    }

    #[test]
    fn reads_what_it_writes_and_refuses_what_is_cut() {
        for (mut c, ..) in all() {
            c.with = Preparation { min: true, sinks_lose: true, target: Some((0..70).collect()) };
            let text = c.to_string();
            assert_eq!(text.parse(), Ok(c));
            for cut in 0..text.len() - 1 {
                assert!(text[..cut].parse::<GraphCertificate>().is_err(), "{:?}", &text[..cut]);
            }
            assert!(format!("{text}more\n").parse::<GraphCertificate>().is_err());
            assert!(text.replace("certificate 1", "certificate 2").parse::<GraphCertificate>().is_err());
        }
    }

    #[test]
    fn right_claims_are_accepted_and_changed_rows_are_not() {
        for (c, graph, game) in all() {
            assert_eq!(c.check(&graph, game.as_ref()), Ok(()), "{c}");
            // each row replaced by that of another vertex: accepted only where nothing changes
            let text = c.to_string();
            let lines: Vec<&str> = text.lines().collect();
            let first = lines.iter().position(|l| l.starts_with("claim")).unwrap() + 1;
            for at in first..lines.len() - 1 {
                for other in ["7", "7 9", "inf", "N 9", "P 9", "Draw 9", "0 9", "1 9", "0 -", "1 -"] {
                    let mut changed = lines.clone();
                    changed[at] = other;
                    let Ok(changed) = changed.join("\n").parse::<GraphCertificate>() else { continue };
                    if changed != c && !only_the_counter(&c, &changed) {
                        assert!(changed.check(&graph, game.as_ref()).is_err(), "{c}\n{changed}");
                    }
                }
            }
            let mut other = c.clone();
            other.game.2 ^= 1;
            assert!(other.check(&graph, game.as_ref()).is_err());
        }
    }

    /// Other counters may be as good.
    fn only_the_counter(a: &GraphCertificate, b: &GraphCertificate) -> bool {
        let values = |c: &GraphCertificate| match &c.claim {
            GraphClaim::Loopy(labels) => labels
                .iter()
                .map(|l| if let Label::Finite { value, .. } = l { Some(*value) } else { None })
                .collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        !values(a).is_empty() && values(a) == values(b)
    }
}
