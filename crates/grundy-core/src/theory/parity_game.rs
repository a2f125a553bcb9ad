//! Two players move a token along the edges of a graph, for ever: games with a winner by what is seen on the way.

use super::{digraph::Digraph, scc::Tarjan};

/// What player 0 plays for; player 1 plays against it. A vertex is *green* if its priority is even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Objective {
    /// The greatest priority that is seen infinitely often is even.
    Parity,
    /// Green vertices are seen infinitely often.
    Buchi,
    /// Vertices that are not green are seen finitely often.
    CoBuchi,
    /// A green vertex is seen, the first one included. Who must move and cannot has lost, unless one was seen.
    Reachability,
    /// Only green vertices are seen. A play that cannot go on has kept to them.
    Safety,
}

impl Objective {
    /// All of them.
    pub const ALL: &[Objective] =
        &[Objective::Parity, Objective::Buchi, Objective::CoBuchi, Objective::Reachability, Objective::Safety];

    /// Its word on the command line and in certificates.
    pub fn word(self) -> &'static str {
        match self {
            Objective::Parity => "parity",
            Objective::Buchi => "buchi",
            Objective::CoBuchi => "cobuchi",
            Objective::Reachability => "reach",
            Objective::Safety => "safety",
        }
    }

    /// True if plays may end.
    pub fn allows_dead_ends(self) -> bool {
        matches!(self, Objective::Reachability | Objective::Safety)
    }

    /// The priority that makes a parity game of this objective.
    fn priority(self, given: u32) -> u32 {
        let odd = given % 2;
        match self {
            Objective::Parity => given,
            Objective::Buchi => 2 - odd,
            Objective::CoBuchi => odd,
            // of plays that go on undecided for ever
            Objective::Reachability => 1,
            Objective::Safety => 0,
        }
    }
}

/// A game on a graph: who moves at each vertex, and what the vertex is worth.
///
/// From every vertex either player 0 or player 1 wins, and by a strategy that looks only at the vertex where the token lies
/// (`[EJ91]`).
///
/// # Examples
/// ```
/// use grundy_core::theory::{digraph::Digraph, parity_game::{Objective, ParityGame}};
/// let graph = || Digraph::from_edges(2, &[(0, 0), (0, 1)]).unwrap();
/// assert!(ParityGame::new(graph(), vec![0, 1], vec![2, 1], Objective::Safety).is_ok());
/// let refused = ParityGame::new(graph(), vec![0, 1], vec![2, 1], Objective::Parity).unwrap_err();
/// assert_eq!(refused.to_string(), "no move leads away from vertex 1, and the objective knows no end of the play");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParityGame {
    graph: Digraph,
    owner: Vec<u8>,
    priority: Vec<u32>,
    objective: Objective,
}

/// Why data are no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAGame {
    /// So many owners for so many vertices.
    Owners(usize, usize),
    /// So many priorities for so many vertices.
    Priorities(usize, usize),
    /// The owner of this vertex is neither 0 nor 1.
    NoSuchPlayer(u32),
    /// This vertex has no successor, and the objective is none of plays that end.
    DeadEnd(u32),
}

impl core::fmt::Display for NotAGame {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            NotAGame::Owners(n, vertices) => write!(f, "{n} owners are given for {vertices} vertices"),
            NotAGame::Priorities(n, vertices) => write!(f, "{n} priorities are given for {vertices} vertices"),
            NotAGame::NoSuchPlayer(v) => write!(f, "the owner of vertex {v} is neither 0 nor 1"),
            NotAGame::DeadEnd(v) => {
                write!(f, "no move leads away from vertex {v}, and the objective knows no end of the play")
            }
        }
    }
}

impl core::error::Error for NotAGame {}

impl ParityGame {
    /// The game with an owner (0 or 1) and a priority for each vertex.
    ///
    /// # Complexity
    /// O(vertices).
    ///
    /// # Errors
    /// [`NotAGame`]; a vertex without successor in parity, Büchi and co-Büchi games.
    pub fn new(
        graph: Digraph,
        owner: Vec<u8>,
        priority: Vec<u32>,
        objective: Objective,
    ) -> Result<ParityGame, NotAGame> {
        let vertices = graph.vertices();
        if owner.len() != vertices {
            return Err(NotAGame::Owners(owner.len(), vertices));
        }
        if priority.len() != vertices {
            return Err(NotAGame::Priorities(priority.len(), vertices));
        }
        if let Some(v) = owner.iter().position(|o| *o > 1) {
            return Err(NotAGame::NoSuchPlayer(v as u32));
        }
        let game = ParityGame { graph, owner, priority, objective };
        match game.dead_end() {
            Some(v) if !objective.allows_dead_ends() => Err(NotAGame::DeadEnd(v)),
            _ => Ok(game),
        }
    }

    /// The same vertices played for another objective.
    ///
    /// # Errors
    /// [`NotAGame::DeadEnd`].
    pub fn played_for(self, objective: Objective) -> Result<ParityGame, NotAGame> {
        ParityGame::new(self.graph, self.owner, self.priority, objective)
    }

    /// The graph.
    pub fn graph(&self) -> &Digraph {
        &self.graph
    }

    /// Who moves at each vertex: 0 or 1.
    pub fn owner(&self) -> &[u8] {
        &self.owner
    }

    /// What each vertex is worth; even is green.
    pub fn priority(&self) -> &[u32] {
        &self.priority
    }

    /// What player 0 plays for.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The first vertex without successor.
    pub fn dead_end(&self) -> Option<u32> {
        (0..self.graph.vertices() as u32).find(|v| self.graph.successors(*v).is_empty())
    }

    /// Who has won as soon as v is reached, if that is decided there.
    ///
    /// In reachability games player 0 on green, else whoever's opponent cannot move; in safety games player 1 off green, else
    /// player 0 where the play ends.
    #[inline]
    pub fn decided(&self, v: u32) -> Option<u8> {
        let green = self.priority[v as usize].is_multiple_of(2);
        let ends = || self.graph.successors(v).is_empty();
        match self.objective {
            Objective::Reachability if green => Some(0),
            Objective::Reachability => ends().then_some(1 - self.owner[v as usize]),
            Objective::Safety if !green => Some(1),
            Objective::Safety => ends().then_some(0),
            _ => None,
        }
    }

    /// The priority of v in the parity game that this game is: plays that are not [`ParityGame::decided`] are won by player 0
    /// if and only if the greatest one that is seen infinitely often is even.
    #[inline]
    pub fn parity_priority(&self, v: u32) -> u32 {
        self.objective.priority(self.priority[v as usize])
    }

    /// The moves that matter at v: none where the play is decided.
    #[inline]
    pub fn moves(&self, v: u32) -> &[u32] {
        if self.decided(v).is_some() { &[] } else { self.graph.successors(v) }
    }
}

/// Who wins from each vertex, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// The player, 0 or 1, who wins when the token starts at the vertex.
    pub winner: Vec<u8>,
    /// Where the winner moves to from a vertex that is the winner's own; nothing at the other player's vertices, and nothing
    /// needed where the play is decided.
    pub strategy: Vec<Option<u32>>,
}

/// What is wrong with a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not one winner and one entry of the strategy for each vertex.
    WrongLength,
    /// The winner of this vertex is neither 0 nor 1.
    NoSuchPlayer(u32),
    /// The play is decided at this vertex, for the other player.
    Decided(u32),
    /// The strategy moves at a vertex that is not its player's.
    StrayMove(u32),
    /// The winner must move at this vertex and the strategy does not say where to.
    NoMove(u32),
    /// The strategy's move at this vertex is no edge.
    NoSuchEdge(u32),
    /// From the first vertex, where one player is said to win, a move that the solution allows leads to the second one, where
    /// the other player wins.
    LeavesRegion(u32, u32),
    /// Against the strategy the loser can come back to this vertex again and again, so that no greater priority is seen and
    /// this one is the loser's.
    LostCycle(u32),
}

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Fault::WrongLength => f.write_str("the solution is none of a game with so many vertices"),
            Fault::NoSuchPlayer(v) => write!(f, "the winner of vertex {v} is neither 0 nor 1"),
            Fault::Decided(v) => write!(f, "the play is decided at vertex {v}, for the other player"),
            Fault::StrayMove(v) => write!(f, "the strategy moves at vertex {v}, which is the loser's"),
            Fault::NoMove(v) => write!(f, "the strategy does not say where to move from vertex {v}"),
            Fault::NoSuchEdge(v) => write!(f, "the strategy's move from vertex {v} is no edge"),
            Fault::LeavesRegion(v, w) => write!(f, "the play can go from {v} to {w}, which the other player wins"),
            Fault::LostCycle(v) => write!(f, "the strategy lets the loser come back to vertex {v} for ever and win"),
        }
    }
}

impl core::error::Error for Fault {}

/// Accepts a solution if and only if it is right: the winners, and strategies that win from all vertices that they are said to
/// win from. Knows no way of solving games.
///
/// The moves that are left when a player follows the strategy must stay among the vertices won, and on every cycle of them the
/// greatest priority must be the player's. Of a strongly connected part, let b be the greatest priority of the other player: if
/// no greater one is there, a lost cycle goes through it; else every cycle through a greater one is won, and what is left
/// without these is looked at again. For reachability and for what player 1 wins in safety games this says that there is no
/// cycle at all among what is undecided.
///
/// # Complexity
/// O((vertices + edges) · number of priorities) time, 40 bytes a vertex; no recursion.
///
/// # Errors
/// The first [`Fault`] found.
///
/// # Examples
/// ```
/// use grundy_core::theory::{digraph::Digraph, parity_game::{Fault, Objective, ParityGame, Solution, check}};
/// let graph = Digraph::from_edges(2, &[(0, 0), (0, 1), (1, 0)]).unwrap();
/// let game = ParityGame::new(graph, vec![0, 1], vec![1, 2], Objective::Parity).unwrap();
/// let mut solution = Solution { winner: vec![0, 0], strategy: vec![Some(1), None] };
/// assert_eq!(check(&game, &solution), Ok(()));
/// solution.strategy[0] = Some(0);
/// assert_eq!(check(&game, &solution), Err(Fault::LostCycle(0)));
/// ```
pub fn check(game: &ParityGame, solution: &Solution) -> Result<(), Fault> {
    let vertices = game.graph.vertices();
    let Solution { winner, strategy } = solution;
    if winner.len() != vertices || strategy.len() != vertices {
        return Err(Fault::WrongLength);
    }
    if let Some(v) = winner.iter().position(|w| *w > 1) {
        return Err(Fault::NoSuchPlayer(v as u32));
    }
    for v in 0..vertices as u32 {
        stays(game, solution, v)?;
    }
    let mut tarjan = Tarjan::new(vertices);
    for player in [0, 1] {
        let undecided = |v: &u32| winner[*v as usize] == player && game.decided(*v).is_none();
        let region: Vec<u32> = (0..vertices as u32).filter(undecided).collect();
        let moves = |v: u32| match &strategy[v as usize] {
            Some(to) if game.decided(v).is_none() => core::slice::from_ref(to),
            _ => game.moves(v),
        };
        cycles_are_won(game, player, region, moves, &mut tarjan)?;
    }
    Ok(())
}

/// The moves from v that the solution allows are moves, and stay with the winner.
fn stays(game: &ParityGame, Solution { winner, strategy }: &Solution, v: u32) -> Result<(), Fault> {
    let player = winner[v as usize];
    let own = game.owner[v as usize] == player;
    let to = strategy[v as usize];
    if to.is_some() && !own {
        return Err(Fault::StrayMove(v));
    }
    if to.is_some_and(|w| !game.graph.successors(v).contains(&w)) {
        return Err(Fault::NoSuchEdge(v));
    }
    if let Some(decided) = game.decided(v) {
        return if decided == player { Ok(()) } else { Err(Fault::Decided(v)) };
    }
    let lost = |w: &&u32| winner[**w as usize] != player;
    let left = match &to {
        None if own => return Err(Fault::NoMove(v)),
        Some(w) => Some(w).filter(lost),
        None => game.graph.successors(v).iter().find(lost),
    };
    left.map_or(Ok(()), |w| Err(Fault::LeavesRegion(v, *w)))
}

fn cycles_are_won<'a>(
    game: &ParityGame,
    player: u8,
    region: Vec<u32>,
    moves: impl Fn(u32) -> &'a [u32],
    tarjan: &mut Tarjan,
) -> Result<(), Fault> {
    let theirs = |v: &u32| game.parity_priority(*v) % 2 != u32::from(player);
    // 0 where no cycle is looked for; else the number of the part
    let mut part_of = vec![0u32; game.graph.vertices()];
    region.iter().for_each(|v| part_of[*v as usize] = 1);
    let mut parts = vec![(1, region)];
    let mut number = 1u32;
    while let Some((mine, part)) = parts.pop() {
        let components = tarjan.components(&part, &moves, |v| part_of[v as usize] == mine);
        part.iter().for_each(|v| part_of[*v as usize] = 0);
        for c in (0..components.len()).filter(|c| !components.is_trivial(*c)) {
            let vertices = components.vertices(c);
            let greatest = |v: &&u32| game.parity_priority(**v);
            let Some(worst) = vertices.iter().filter(|v| theirs(v)).max_by_key(greatest) else { continue };
            let bound = game.parity_priority(*worst);
            let rest: Vec<u32> = vertices.iter().copied().filter(|v| game.parity_priority(*v) <= bound).collect();
            if rest.len() == vertices.len() {
                return Err(Fault::LostCycle(*worst));
            }
            // numbers are used again only after 2^32 parts, all of which are gone by then
            number = number.checked_add(1).unwrap_or(2);
            rest.iter().for_each(|v| part_of[*v as usize] = number);
            parts.push((number, rest));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Objective; 5] =
        [Objective::Parity, Objective::Buchi, Objective::CoBuchi, Objective::Reachability, Objective::Safety];

    /// Small games of all objectives, dead ends where they are allowed.
    fn games() -> impl Strategy<Value = ParityGame> {
        let vertex = |n: usize| (0u8..2, 0u32..5, prop::collection::vec(0..n as u32, 0..4));
        (1usize..6, 0usize..5).prop_flat_map(move |(n, objective)| {
            prop::collection::vec(vertex(n), n).prop_map(move |rows| {
                let objective = ALL[objective];
                let mut edges = Vec::new();
                for (v, (_, _, to)) in (0u32..).zip(&rows) {
                    edges.extend(to.iter().map(|w| (v, *w)));
                    if to.is_empty() && !objective.allows_dead_ends() {
                        edges.push((v, (v + 1) % rows.len() as u32));
                    }
                }
                let graph = Digraph::from_edges(rows.len(), &edges).unwrap();
                let (owner, priority) = rows.iter().map(|(o, p, _)| (*o, *p)).unzip();
                ParityGame::new(graph, owner, priority, objective).unwrap()
            })
        })
    }

    /// Who wins the play from v when both players follow their choices, by the words of the objective.
    fn winner_of_play(game: &ParityGame, choice: &[u32], start: u32) -> u8 {
        let mut seen = Vec::new();
        let mut at = start;
        let green = |v: &u32| game.priority()[*v as usize].is_multiple_of(2);
        loop {
            let cycle = seen.iter().position(|v| *v == at);
            let ends = cycle.is_none() && game.graph().successors(at).is_empty();
            if cycle.is_none() {
                seen.push(at);
            }
            if cycle.is_none() && !ends {
                at = choice[at as usize];
                continue;
            }
            let for_ever = &seen[cycle.unwrap_or(seen.len())..];
            let even = match game.objective() {
                Objective::Parity => {
                    for_ever.iter().map(|v| game.priority()[*v as usize]).max().unwrap().is_multiple_of(2)
                }
                Objective::Buchi => for_ever.iter().any(green),
                Objective::CoBuchi => for_ever.iter().all(green),
                Objective::Safety => seen.iter().all(green),
                Objective::Reachability => seen.iter().any(green) || (ends && game.owner()[at as usize] == 1),
            };
            return u8::from(!even);
        }
    }

    /// All ways to choose a successor at each vertex of one owner, the others staying as they are.
    fn choices(game: &ParityGame, player: u8, fixed: &[u32]) -> Vec<Vec<u32>> {
        let mut all = vec![fixed.to_vec()];
        for v in (0..fixed.len()).filter(|v| game.owner()[*v] == player) {
            let successors = game.graph().successors(v as u32);
            if successors.is_empty() {
                continue;
            }
            all = all
                .iter()
                .flat_map(|c| {
                    successors.iter().map(move |w| {
                        let mut c = c.clone();
                        c[v] = *w;
                        c
                    })
                })
                .collect();
        }
        all
    }

    /// Winners by trying all pairs of strategies.
    fn by_definition(game: &ParityGame) -> Vec<u8> {
        let n = game.graph().vertices();
        let mut winner = vec![1; n];
        for mine in choices(game, 0, &vec![0; n]) {
            let answers = choices(game, 1, &mine);
            for v in 0..n as u32 {
                if answers.iter().all(|both| winner_of_play(game, both, v) == 0) {
                    winner[v as usize] = 0;
                }
            }
        }
        winner
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn the_twin_and_the_checker_hold_by_definition(game in games(), flips in prop::collection::vec(any::<u32>(), 5)) {
            let solution = crate::theory::zielonka::solve(&game);
            prop_assert_eq!(&solution.winner, &by_definition(&game));
            prop_assert_eq!(check(&game, &solution), Ok(()));
            let n = game.graph().vertices();
            for v in 0..n {
                // another winner is refused, whatever the strategy
                let mut wrong = solution.clone();
                wrong.winner[v] = 1 - wrong.winner[v];
                prop_assert!(check(&game, &wrong).is_err());
                wrong.strategy[v] = game.graph().successors(v as u32).first().copied();
                prop_assert!(check(&game, &wrong).is_err());
            }
            // any strategy is accepted exactly if it wins all that is won
            let mut other = solution.clone();
            for (v, flip) in flips.iter().enumerate().take(n) {
                let successors = game.graph().successors(v as u32);
                if let (Some(to), false) = (&mut other.strategy[v], successors.is_empty()) {
                    *to = successors[*flip as usize % successors.len()];
                }
            }
            let wins = [0u8, 1].into_iter().all(|player| {
                let fixed: Vec<u32> = (0..n).map(|v| {
                    other.strategy[v].or(game.graph().successors(v as u32).first().copied()).unwrap_or(0)
                }).collect();
                // where the player loses, no choice matters
                choices(&game, 1 - player, &fixed).iter().all(|both| {
                    (0..n as u32).all(|v| {
                        solution.winner[v as usize] != player || winner_of_play(&game, both, v) == player
                    })
                })
            });
            prop_assert_eq!(check(&game, &other).is_ok(), wins);
        }
    }

    #[test]
    fn each_fault_has_its_name() {
        let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2), (2, 2)]).unwrap();
        let game = ParityGame::new(graph, vec![0, 1, 0], vec![1, 1, 2], Objective::Buchi).unwrap();
        let right = Solution { winner: vec![1, 1, 0], strategy: vec![None, Some(0), Some(2)] };
        assert_eq!(check(&game, &right), Ok(()));
        let fault = |change: fn(&mut Solution)| {
            let mut wrong = right.clone();
            change(&mut wrong);
            check(&game, &wrong).unwrap_err()
        };
        assert_eq!(fault(|s| s.winner.truncate(2)), Fault::WrongLength);
        assert_eq!(fault(|s| s.winner[1] = 2), Fault::NoSuchPlayer(1));
        assert_eq!(fault(|s| s.strategy[0] = Some(1)), Fault::StrayMove(0));
        assert_eq!(fault(|s| s.strategy[1] = None), Fault::NoMove(1));
        assert_eq!(fault(|s| s.strategy[1] = Some(1)), Fault::NoSuchEdge(1));
        assert_eq!(fault(|s| s.strategy[1] = Some(2)), Fault::LeavesRegion(1, 2));
        let game = game.played_for(Objective::Safety).unwrap();
        assert_eq!(check(&game, &right), Ok(()));
        let wrong = Solution { winner: vec![0, 1, 0], strategy: vec![Some(1), None, Some(2)] };
        assert_eq!(check(&game, &wrong), Err(Fault::Decided(0)));
    }

    #[test]
    fn what_is_no_game() {
        let graph = Digraph::from_edges(2, &[(0, 1)]).unwrap();
        let new = |owner, priority, objective| ParityGame::new(graph.clone(), owner, priority, objective).err();
        assert_eq!(new(vec![0], vec![0, 0], Objective::Parity), Some(NotAGame::Owners(1, 2)));
        assert_eq!(new(vec![0, 0], vec![0], Objective::Parity), Some(NotAGame::Priorities(1, 2)));
        assert_eq!(new(vec![0, 2], vec![0, 0], Objective::Safety), Some(NotAGame::NoSuchPlayer(1)));
        assert_eq!(new(vec![0, 1], vec![0, 0], Objective::CoBuchi), Some(NotAGame::DeadEnd(1)));
        assert_eq!(new(vec![0, 1], vec![0, 0], Objective::Reachability), None);
    }
}
