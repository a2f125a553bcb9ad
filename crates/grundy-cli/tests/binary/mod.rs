//! The real binary with text on its standard input.

use std::{
    io::Write,
    process::{Child, Command, Stdio},
};

/// The program with these arguments, without the settings of whoever runs the tests.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    for key in ["GRUNDY_TIME", "GRUNDY_MEMORY", "GRUNDY_FORMAT", "HOME"] {
        command.env_remove(key);
    }
    command
        .args(args)
        .env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Exit code, stdout and stderr of a program that reads this.
#[allow(dead_code)] // not all tests feed it
pub fn fed(mut child: Child, input: &str) -> (Option<i32>, String, String) {
    // a program that refuses its arguments reads nothing
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let out = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code(), text(out.stdout), text(out.stderr))
}
