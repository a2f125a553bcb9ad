//! `grundy completions`

use std::{io, process::ExitCode};

use clap::CommandFactory;

use crate::{
    args::{Args, CompletionsArgs},
    failure::Failure,
};

pub fn run(args: CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "grundy", &mut script);
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(ExitCode::SUCCESS)
}
