//! `grundy graph generate`

use std::{path::Path, process::ExitCode};

use grundy::{
    formats::graph::{GraphFile, GraphFormat, Names},
    parity::{Recipe, Shape},
};

use super::convert::{format_of, write_graph};
use crate::{
    args::{GenerateArgs, GenerateShape, GraphGoal},
    failure::Failure,
};

pub fn run(args: &GenerateArgs) -> Result<ExitCode, Failure> {
    let out = args.out.as_deref().unwrap_or(Path::new("-"));
    let standard = if args.out.is_none() { Some(GraphFormat::PgSolver) } else { None };
    let to = format_of(out, args.to.or(standard))?;
    let recipe = recipe(args)?;
    let (graph, owner, priority) =
        recipe.parts().map_err(|e| Failure::usage(e.to_string()).hint("lower --vertices or --degree"))?;
    // as a parity game a Büchi game needs its green vertices above the others
    let written = |p: u32| u64::from(if args.objective == GraphGoal::Buchi { 2 - p } else { p });
    let priority = Some(priority.into_iter().map(written).collect());
    let names = Names::Numbered { first: 0 };
    let file = GraphFile { owner: Some(owner), priority, ..GraphFile::new(graph, names) };
    write_graph(out, &file, to)?;
    Ok(ExitCode::SUCCESS)
}

/// What is to be generated; options without effect are refused.
fn recipe(args: &GenerateArgs) -> Result<Recipe, Failure> {
    let shape = match args.shape {
        GenerateShape::Random => Shape::Random,
        GenerateShape::Grid => Shape::Grid,
        GenerateShape::Ladder => Shape::Ladder,
        GenerateShape::Chain => Shape::Chain,
        GenerateShape::Hub => Shape::Hub,
    };
    let refuse = |why: &str, hint: &str| Err(Failure::usage(why).hint(hint));
    let is_parity = match args.objective {
        GraphGoal::Parity => true,
        GraphGoal::Buchi | GraphGoal::Cobuchi | GraphGoal::Reach | GraphGoal::Safety => false,
        _ => {
            return refuse("games of two players are generated", "--objective parity, buchi, cobuchi, reach or safety");
        }
    };
    if args.degree.is_some() && shape != Shape::Random {
        return refuse("the shape says how many moves a vertex has", "--degree belongs to random");
    }
    if args.priorities.is_some() && !is_parity {
        return refuse("vertices are green or not in this game", "--green 20 makes a fifth of them so");
    }
    if args.green.is_some() && (is_parity || shape == Shape::Chain) {
        let hint = "--green belongs to the other objectives, and to other shapes than chain";
        return refuse("how many vertices are green does not enter this game", hint);
    }
    let vertices = usize::try_from(args.vertices).unwrap_or(usize::MAX);
    let new = Recipe::new(shape, vertices, args.seed);
    Ok(Recipe {
        degree: args.degree.unwrap_or(new.degree),
        priorities: if is_parity { args.priorities.unwrap_or(4) } else { 2 },
        green: args.green.unwrap_or(if is_parity { 50 } else { new.green }),
        ..new
    })
}
