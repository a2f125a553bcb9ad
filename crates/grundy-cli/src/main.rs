//! The command line of grundy. This file is a table of contents: one module a command.

mod args;
mod cmd;
mod failure;
mod files;
mod limits;
mod output;
mod progress;
mod render;

use std::process::ExitCode;

use args::Command;
use clap::Parser;
use failure::Failure;

fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(e) => return Failure::of_usage(&e, args::wants_json(std::env::args_os())),
    };
    let result = match args.command {
        Command::Solve(a) => cmd::solve::run(a),
        Command::Play(a) => cmd::play::run(a),
        Command::Discover(a) => cmd::discover::run(a),
        Command::Prove(a) => cmd::prove::run(a),
        Command::Check(a) => cmd::check::run(a),
        Command::Sequence(a) => cmd::sequence::run(*a),
        Command::Period(a) => cmd::period::run(a),
        Command::Compare(a) => cmd::compare::run(a),
        Command::Quotient(a) => cmd::quotient::run(a),
        Command::Sweep(a) => cmd::sweep::run(a),
        Command::Verify(a) => cmd::verify::run(a),
        Command::Table(a) => cmd::table::run(a),
        Command::Formula(a) => cmd::formula::run(a),
        Command::Nimber(a) => cmd::nimber::run(a),
        Command::Judge(a) => cmd::judge::run(*a),
        Command::Graph(a) => cmd::graph::run(*a),
        Command::Convert(a) => cmd::convert::run(a),
        Command::Rules(a) => cmd::rules::run(a),
        Command::Games(a) => cmd::games::run(a),
        Command::Completions(a) => cmd::completions::run(a),
        Command::Man(a) => cmd::man::run(a),
    };
    match result {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
