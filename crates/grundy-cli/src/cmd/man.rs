//! `grundy man`

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::CommandFactory;

use crate::{
    args::{Args, ManArgs},
    failure::Failure,
};

pub fn run(args: ManArgs) -> Result<ExitCode, Failure> {
    let mut command = Args::command();
    command.build();
    let mut page = Vec::new();
    let Some(dir) = args.out else {
        clap_mangen::Man::new(command).render(&mut page)?;
        io::stdout().write_all(&page)?;
        return Ok(ExitCode::SUCCESS);
    };
    std::fs::create_dir_all(&dir).map_err(|e| Failure::file(&dir, &e))?;
    let mut open = vec![command];
    while let Some(c) = open.pop() {
        // clap's own pages about help have nothing to say
        open.extend(c.get_subcommands().filter(|s| s.get_name() != "help").cloned());
        let name = c.get_display_name().unwrap_or_else(|| c.get_name()).to_owned();
        let path = dir.join(format!("{name}.1"));
        page.clear();
        clap_mangen::Man::new(c).render(&mut page)?;
        std::fs::write(&path, &page).map_err(|e| Failure::file(&path, &e))?;
    }
    Ok(ExitCode::SUCCESS)
}
