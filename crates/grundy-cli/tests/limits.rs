//! Limits of time and memory hold wherever a command spends them.

use std::{
    process::{Command, Output},
    time::{Duration, Instant},
};

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    for key in ["GRUNDY_TIME", "GRUNDY_MEMORY", "GRUNDY_POSITIONS", "GRUNDY_THREADS", "GRUNDY_FORMAT", "HOME"] {
        command.env_remove(key);
    }
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR")).env("NO_COLOR", "1").args(args);
    command.output().expect("the program ends")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Far above every limit here, far below the time that the loops took.
const SLACK: Duration = Duration::from_secs(20);

#[test]
fn a_rare_move_is_not_sought_for_ever() {
    for more in [&[][..], &["--moves", "none"], &["--explain"], &["--misere"]] {
        for game in [
            "[take k where 2*k = n](10^12)",
            "[take k where 2*k = n](2^62)",
            "[split into a, b where a = 2*b](10^18)",
            "[take any | split into a, b where a = 2*b](10^12)",
        ] {
            let args = [&["solve", game, "--time", "2s"][..], more].concat();
            let started = Instant::now();
            let found = run(&args);
            assert!(matches!(found.status.code(), Some(0 | 3)), "{args:?}: {}", text(&found));
            assert!(started.elapsed() < SLACK, "{args:?}");
        }
    }
}

#[test]
fn conditions_with_large_moduli_stop_at_the_memory_limit() {
    for rule in [
        "[take k where k mod 1000000 = 17]",
        "[take k where n mod 1000000007 = 5 and k mod 999999937 < 7]",
        "[take any | split into a, b, c where a = 4611686018427387905]",
    ] {
        let started = Instant::now();
        let found = run(&["discover", rule, "--memory", "32MiB", "--time", "15s"]);
        assert_eq!(found.status.code(), Some(3), "{rule}: {}", text(&found));
        assert!(text(&found).contains("memory limit"), "{rule}: {}", text(&found));
        assert!(started.elapsed() < SLACK + SLACK, "{rule}");
    }
}
