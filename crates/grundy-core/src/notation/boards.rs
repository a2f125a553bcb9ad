//! Boards, from tree to meaning.

use std::sync::Arc;

use super::{SyntaxError, ast::*, nearest};
use crate::{
    rulesets::{
        AnyComponent,
        catalogue::BoardRuleset,
        cells::{
            Cram, DeletionGame, Geography, GraphRule, Grid, Hackenbush, MOST_DELETED, NoBoard, NoGrid, Writing, set,
        },
    },
    theory::{named_graph::NamedGraph, undirected::Undirected},
};

/// The game of this name on a graph.
pub(super) fn on(game: &str, name: &str, board: Arc<NamedGraph>, span: &Span) -> Result<BoardRuleset, SyntaxError> {
    let vertex_name = |v: u32| board.names().get(v).into_owned();
    let wrong = |e: NoBoard| {
        let message = match e {
            NoBoard::Large(cells) => format!("{game} is played on at most {MOST_DELETED} cells, not {cells}"),
            NoBoard::Loop(v) => format!("the edge from \"{}\" to itself joins no two vertices", vertex_name(v)),
            NoBoard::Cycle(v) => {
                format!("a partially ordered set has no cycle, and one lies on or above \"{}\"", vertex_name(v))
            }
        };
        SyntaxError::new(message, span.clone())
    };
    let graph = || Undirected::of(board.graph());
    let deletion = |rule| {
        let game = DeletionGame::on_graph(name, rule, &graph(), vertex_name).map_err(wrong)?;
        Ok(BoardRuleset::Cells(Arc::new(game)))
    };
    match game {
        "node_kayles" => deletion(GraphRule::NodeKayles),
        "arc_kayles" => deletion(GraphRule::ArcKayles),
        "vertex_edge_deletion" => deletion(GraphRule::VertexEdgeDeletion),
        "geography" => Ok(BoardRuleset::Geography(Arc::new(Geography::new(name, board)))),
        "green_hackenbush" => match Hackenbush::new(name, board) {
            Some(game) => Ok(BoardRuleset::Hackenbush(Arc::new(game))),
            None => Err(SyntaxError::new("a picture has a ground, and this graph has no vertex", span.clone())),
        },
        _ => {
            let n = board.graph().vertices();
            if n > MOST_DELETED {
                return Err(wrong(NoBoard::Large(n)));
            }
            let above: Vec<Vec<u32>> = (0..n as u32).map(|v| board.graph().successors(v).to_vec()).collect();
            let names = (0..n as u32).map(vertex_name).collect();
            let game = DeletionGame::on_poset(name, names, &above, Writing::Names).map_err(wrong)?;
            Ok(BoardRuleset::Cells(Arc::new(game)))
        }
    }
}

/// `subset_takeaway`, `subset_takeaway["proper"]`.
pub(super) fn subsets(parameters: &[ParameterAst]) -> Result<BoardRuleset, SyntaxError> {
    match parameters {
        [] => Ok(BoardRuleset::SubsetTakeaway { proper: false }),
        [ParameterAst { value: ParameterValue::Text(t), .. }] if t == "proper" => {
            Ok(BoardRuleset::SubsetTakeaway { proper: true })
        }
        [p, ..] => Err(SyntaxError::new(
            "subset_takeaway is played with all non-empty sets, or \"proper\" ones",
            p.span.clone(),
        )
        .with_suggestion("\"proper\"")),
    }
}

/// The components of a term on a board; without positions, the whole board.
pub(super) fn components(
    game: &BoardRuleset,
    positions: Option<&[PositionAst]>,
    span: &Span,
) -> Result<Vec<AnyComponent>, SyntaxError> {
    let needed = |example: &str| {
        Err(SyntaxError::new("this game needs a position in parentheses", span.clone())
            .with_hint(format!("for example {example}")))
    };
    match (game, positions) {
        (BoardRuleset::Cram, None) => needed("cram(4x5)"),
        (BoardRuleset::Cram, Some(all)) => all.iter().map(|p| Ok(AnyComponent::Cram(Cram, grid(p)?))).collect(),
        (BoardRuleset::Cells(game), None) => Ok(vec![AnyComponent::Cells(game.clone(), game.whole())]),
        (BoardRuleset::Cells(game), Some(all)) => Ok(vec![AnyComponent::Cells(game.clone(), left(game, all)?)]),
        (BoardRuleset::Hackenbush(game), None) => Ok(vec![AnyComponent::Hackenbush(game.clone(), game.whole())]),
        (BoardRuleset::Hackenbush(game), Some(all)) => {
            let mut standing = vec![0; set::words(game.edges())];
            for p in all {
                let name = name_of(p, "an edge is called by its ends, as \"a-b\"")?;
                match game.edge(&name) {
                    Some(edge) => set::insert(&mut standing, edge),
                    None => return Err(no_cell("edge", &name, p, (0..game.edges()).map(|e| game.edge_name(e)))),
                }
            }
            Ok(vec![AnyComponent::Hackenbush(game.clone(), game.standing(&standing))])
        }
        (BoardRuleset::Geography(game), all) => match all {
            None | Some([]) => needed(&format!("{}(\"{}\")", shortened(game.name()), first_vertex(game))),
            Some([token, visited @ ..]) => {
                let vertex = |p: &PositionAst| {
                    let name = name_of(p, "the token lies on a vertex, and then come those where it was before")?;
                    let names =
                        (0..game.board().graph().vertices() as u32).map(|v| game.board().names().get(v).into_owned());
                    game.vertex(&name).ok_or_else(|| no_cell("vertex", &name, p, names))
                };
                let token = vertex(token)?;
                let visited = visited.iter().map(vertex).collect::<Result<Vec<u32>, _>>()?;
                Ok(vec![AnyComponent::Geography(game.clone(), game.position(token, &visited))])
            }
        },
        (BoardRuleset::SubsetTakeaway { .. }, None) => needed("subset_takeaway(4)"),
        (BoardRuleset::SubsetTakeaway { proper }, Some(all)) => {
            let (Some(PositionAst { value: PositionValue::Number(n), span }), sets) =
                (all.first(), &all[1.min(all.len())..])
            else {
                return needed("subset_takeaway(4)");
            };
            let game = u32::try_from(*n)
                .map_err(|_| NoBoard::Large(usize::MAX))
                .and_then(|n| DeletionGame::subset_takeaway(n, *proper))
                .map_err(|_| SyntaxError::new("subset_takeaway is played with at most 11 elements", span.clone()))?;
            let left = match sets {
                [] => game.whole(),
                // no set is left
                [PositionAst { value: PositionValue::Text(t), .. }] if t.is_empty() => {
                    vec![0; set::words(game.cells())]
                }
                sets => left(&game, sets)?,
            };
            Ok(vec![AnyComponent::Cells(Arc::new(game), left)])
        }
    }
}

/// Chomp in a box of three sides or more, whole or after bites; None for anything else.
pub(super) fn chomp_in_box(positions: &[PositionAst]) -> Option<Result<AnyComponent, SyntaxError>> {
    let [PositionAst { value: PositionValue::Box(sides), span }, bites @ ..] = positions else { return None };
    (sides.len() > 2).then(|| {
        let small: Option<Vec<u32>> = sides.iter().map(|s| u32::try_from(*s).ok().filter(|s| *s > 0)).collect();
        let game = small.ok_or(NoBoard::Large(usize::MAX)).and_then(|sides| DeletionGame::chomp_in_box(&sides));
        let game = game.map_err(|_| {
            let why = format!("a box of three sides or more has none of 0 and at most {} cells", MOST_DELETED + 1);
            SyntaxError::new(why, span.clone())
        })?;
        let mut left = game.whole();
        for p in bites {
            let PositionValue::Points(points) = &p.value else {
                return Err(SyntaxError::new("after the box come the places of bites", p.span.clone())
                    .with_hint("for example chomp(2x3x4, {(1,1,2)})"));
            };
            for point in points {
                let name = format!("({})", point.iter().map(u128::to_string).collect::<Vec<_>>().join(","));
                let Some(bite) = game.moves().iter().find(|m| m.name == name) else {
                    return Err(SyntaxError::new(format!("{name} is no place of this box to bite"), p.span.clone())
                        .with_hint("coordinates are counted from 0, and the poison at (0,…,0) may not be bitten"));
                };
                bite.removed.iter().for_each(|cell| set::remove(&mut left, *cell as usize));
            }
        }
        Ok(AnyComponent::Cells(Arc::new(game), left))
    })
}

/// A board of Cram.
fn grid(p: &PositionAst) -> Result<Grid, SyntaxError> {
    let example = "a box is 4x5, any other board has . for free cells and # for blocked ones: cram(\"..#/...\")";
    match &p.value {
        PositionValue::Box(sides) => match sides[..] {
            [rows, columns] => {
                let side = |n: u128| usize::try_from(n).unwrap_or(usize::MAX);
                Grid::full(side(rows), side(columns)).map_err(|e| SyntaxError::new(e.to_string(), p.span.clone()))
            }
            _ => Err(SyntaxError::new("a board has two sides", p.span.clone()).with_hint(example)),
        },
        PositionValue::Text(text) => Grid::read(text).map_err(|e| {
            let start = p.span.start + 1;
            let place = match &e {
                NoGrid::Letter(c, at) => start + at..start + at + c.len_utf8(),
                _ => p.span.clone(),
            };
            SyntaxError::new(e.to_string(), place).with_hint(example)
        }),
        _ => Err(SyntaxError::new("a board is a box or a picture of its cells", p.span.clone()).with_hint(example)),
    }
}

/// The cells that are left, by their names.
fn left(game: &DeletionGame, all: &[PositionAst]) -> Result<Vec<u64>, SyntaxError> {
    let mut left = vec![0; set::words(game.cells())];
    for p in all {
        let name = name_of(p, "the cells that are left are called by their names")?;
        match game.names().iter().position(|n| *n == name) {
            Some(cell) => set::insert(&mut left, cell),
            None => return Err(no_cell("cell", &name, p, game.names().iter().cloned())),
        }
    }
    Ok(left)
}

fn name_of(p: &PositionAst, hint: &str) -> Result<String, SyntaxError> {
    match &p.value {
        PositionValue::Text(name) => Ok(name.clone()),
        PositionValue::Number(n) => Ok(n.to_string()),
        _ => Err(SyntaxError::new("a name in quotes is wanted here", p.span.clone()).with_hint(hint)),
    }
}

fn no_cell(kind: &str, name: &str, p: &PositionAst, names: impl Iterator<Item = String>) -> SyntaxError {
    const LOOKED_THROUGH: usize = 1 << 12;
    let error = SyntaxError::new(format!("there is no {kind} \"{name}\""), p.span.clone());
    let names: Vec<String> = names.take(LOOKED_THROUGH).collect();
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => error.with_suggestion(near),
        None => error.with_hint(format!("the first are {}", names[..names.len().min(5)].join(", "))),
    }
}

fn shortened(name: &str) -> &str {
    if name.len() > 60 { "geography[…]" } else { name }
}

fn first_vertex(game: &Geography) -> String {
    if game.board().graph().vertices() == 0 { "a".into() } else { game.board().names().get(0).into_owned() }
}
