//! `grundy graph --workers` on real processes.

mod binary;

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Output},
    thread,
    time::{Duration, Instant},
};

/// A directory of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cluster-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// A file of hosts with so many free ports of the loopback.
    fn hosts(&self, processes: usize) -> String {
        let listeners: Vec<TcpListener> = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let lines: Vec<String> = listeners.iter().map(|l| l.local_addr().unwrap().to_string()).collect();
        self.write("hosts", &lines.join("\n"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn start(args: &[&str]) -> Child {
    binary::command(&[&["graph"], args].concat()).spawn().unwrap()
}

fn run(args: &[&str]) -> Output {
    start(args).wait_with_output().unwrap()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// A small game with everything in it.
const GAME: &str = "parity 5; 0 2 0 1,2; 1 1 1 3; 2 1 0 4,5; 3 1 1 1,0; 4 2 1 5; 5 1 0 2,4;";

/// A path that goes to and fro between the two halves of the vertices, to a target: each step is a message.
fn to_and_fro(steps: u32) -> String {
    let half = steps / 2;
    let place = |i: u32| i / 2 + i % 2 * half;
    let mut rows = vec![String::new(); steps as usize];
    for i in 0..steps {
        let to = place((i + 1).min(steps - 1));
        rows[place(i) as usize] = format!("{} {} {} {to};", place(i), u32::from(i + 1 < steps), i % 2);
    }
    format!("parity {};\n{}\n", steps - 1, rows.join("\n"))
}

/// Waits until something is there, for half a minute at most.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn wait_for_files(dir: &str) {
    let both = || (0..2).all(|k| Path::new(dir).join(format!("process-{k}-of-2.grundy")).exists()).then_some(());
    wait_for("no checkpoint", both);
}

#[test]
fn the_same_answers_as_alone() {
    let folder = Folder::new("same");
    let game = folder.write("game.pg", GAME);
    let tokens = folder.write("moves.csv", "a,b\na,c\nb,c\nd,a\n");
    for objective in ["reach", "safety", "buchi", "cobuchi"] {
        for format in ["text", "json"] {
            let args = [&game, "--objective", objective, "--strategy", "--verify", "--format", format];
            let hosts = folder.hosts(3);
            let together = run(&[&args[..], &["--workers", &hosts]].concat());
            assert_eq!(together.status.code(), Some(0), "{}", stderr(&together));
            let alone = run(&args);
            let winners = |output: &Output| -> Vec<String> {
                if format == "text" {
                    // the moves may be others that win too
                    return stdout(output).lines().map(|l| l.split(" -> ").next().unwrap().to_owned()).collect();
                }
                let json: serde_json::Value = serde_json::from_str(stdout(output)).unwrap();
                json["vertices"].as_array().unwrap().iter().map(|v| format!("{} {}", v["name"], v["winner"])).collect()
            };
            assert_eq!(winners(&together), winners(&alone));
            assert!(format == "json" || stderr(&together).contains("the checker accepts all of it"));
        }
    }
    let args = [&tokens, "--objective", "grundy", "--tokens", "a,d"];
    let together = run(&[&args[..], &["--workers", &folder.hosts(2)]].concat());
    assert_eq!((stdout(&together), together.status.code()), (stdout(&run(&args)), Some(0)), "{}", stderr(&together));
    assert!(stderr(&together).contains("mex of the followers, by 2 processes"));
}

#[test]
fn wrong_questions_are_refused_once() {
    let folder = Folder::new("wrong");
    let game = folder.write("game.pg", GAME);
    let hosts = folder.hosts(2);
    let refused = |args: &[&str], code: i32, what: &str| {
        let output = run(args);
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert_eq!(said.matches(what).count(), 1, "{what}: {said}");
    };
    refused(&[&game, "--objective", "parity", "--workers", &hosts], 2, "several processes solve");
    refused(&[&game, "--objective", "parity", "--workers", &hosts, "--format", "json"], 2, "several processes solve");
    refused(&[&game, "--objective", "reach", "--workers", &folder.path("none")], 4, "none");
    refused(&["-", "--objective", "reach", "--workers", &hosts], 2, "the same standard input");
    refused(&[&game, "--objective", "reach", "--workers", &hosts, "--process", "2"], 2, "are 0 to 1");
    let nobody = folder.write("nobody", "# here\n");
    refused(&[&game, "--objective", "reach", "--workers", &nobody], 2, "no host:port is in the file");
    // an address of documentation
    let far = folder.write("far", "192.0.2.1:4001\n");
    refused(&[&game, "--objective", "reach", "--workers", &far], 2, "is of this machine");
    // a port that somebody has
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = folder.write("taken", &listener.local_addr().unwrap().to_string());
    refused(&[&game, "--objective", "reach", "--workers", &taken], 4, "cannot listen at");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let folder = Folder::new("damaged");
    let (game, dir) = (folder.write("game.pg", GAME), folder.path("saved"));
    let run = |objective| run(&[&game, "--objective", objective, "--workers", &folder.hosts(2), "--checkpoint", &dir]);
    assert_eq!(run("buchi").status.code(), Some(0));
    let other = run("reach");
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("another objective"), "{}", stderr(&other));
    let second = Path::new(&dir).join("process-1-of-2.grundy");
    let mut bytes = fs::read(&second).unwrap();
    bytes.pop();
    fs::write(&second, bytes).unwrap();
    let cut = run("buchi");
    assert_eq!(cut.status.code(), Some(2), "{}", stderr(&cut));
    assert!(stderr(&cut).contains("process-1-of-2") && stderr(&cut).contains("truncated"), "{}", stderr(&cut));
}

#[test]
fn killed_and_started_again_by_hand() {
    let folder = Folder::new("killed");
    let (game, dir, hosts) = (folder.write("game.pg", &to_and_fro(8_000)), folder.path("saved"), folder.hosts(2));
    let args = [&game, "--objective", "reach"];
    let alone = run(&args);
    let more = ["--workers", &hosts, "--checkpoint", &dir, "--checkpoint-every", "10ms"];
    let process = |k| start(&[&args[..], &more, &["--process", k]].concat());
    let [first, mut second] = ["0", "1"].map(process);
    wait_for_files(&dir);
    second.kill().unwrap();
    second.wait().unwrap();
    let first = first.wait_with_output().unwrap();
    assert_eq!((first.status.code(), stdout(&first)), (Some(3), ""));
    assert!(stderr(&first).contains("another process is gone: what was found is saved in"), "{}", stderr(&first));
    let [first, second] = ["0", "1"].map(process).map(|p| p.wait_with_output().unwrap());
    assert_eq!((first.status.code(), stdout(&first)), (Some(0), stdout(&alone)), "{}", stderr(&first));
    assert_eq!((second.status.code(), stdout(&second)), (Some(0), ""));
}

/// The processes that another one has started.
#[cfg(target_os = "linux")]
fn children(of: u32) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
fn signal(name: &str, process: &str) {
    assert!(std::process::Command::new("kill").args([name, process]).status().unwrap().success());
}

#[test]
#[cfg(target_os = "linux")]
fn killed_and_started_again_by_the_supervisor() {
    let folder = Folder::new("supervised");
    let (game, dir) = (folder.write("game.pg", &to_and_fro(8_000)), folder.path("saved"));
    for objective in ["reach", "buchi"] {
        let args = [&game, "--objective", objective, "--verify"];
        let alone = run(&args);
        let dir = format!("{dir}-{objective}");
        let hosts = folder.hosts(2);
        let more = ["--workers", &hosts, "--checkpoint", &dir, "--checkpoint-every", "10ms"];
        let supervisor = start(&[&args[..], &more].concat());
        wait_for_files(&dir);
        let started = wait_for("no processes", || Some(children(supervisor.id())).filter(|c| c.len() == 2));
        signal("-KILL", &started[1]);
        let output = supervisor.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), stdout(&alone)), "{}", stderr(&output));
        assert!(stderr(&output).contains("process 1 died"), "{}", stderr(&output));
        assert_eq!(stderr(&output).matches("start again").count(), 1, "{}", stderr(&output));
    }
}

#[test]
fn a_process_elsewhere_is_lost_and_comes_back() {
    let folder = Folder::new("elsewhere");
    let (game, dir, hosts) = (folder.write("game.pg", &to_and_fro(8_000)), folder.path("saved"), folder.hosts(2));
    let args = [&game, "--objective", "reach"];
    let alone = run(&args);
    let more = ["--checkpoint", &dir, "--checkpoint-every", "10ms", "--workers"];
    // to the supervisor, process 1 is at an address of documentation; it is the one who calls, from here
    let text = fs::read_to_string(&hosts).unwrap();
    let far = folder.write("far", &format!("{}\n192.0.2.1:4001\n", text.lines().next().unwrap()));
    let supervisor = start(&[&args[..], &more, &[&far]].concat());
    let elsewhere = || start(&[&args[..], &more, &[&hosts, "--process", "1"]].concat());
    let mut lost = elsewhere();
    wait_for_files(&dir);
    lost.kill().unwrap();
    lost.wait().unwrap();
    let back = elsewhere().wait_with_output().unwrap();
    assert_eq!((back.status.code(), stdout(&back)), (Some(0), ""), "{}", stderr(&back));
    let output = supervisor.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), stdout(&alone)), "{}", stderr(&output));
    for said in ["process 1 is to be started on 192.0.2.1:4001 with --process 1", "a process elsewhere is gone; all"] {
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_process_outlives_its_supervisor() {
    let folder = Folder::new("signals");
    let game = folder.write("game.pg", &to_and_fro(100_000));
    for (name, code) in [("-TERM", Some(143)), ("-INT", Some(130)), ("-KILL", None)] {
        let (dir, hosts) = (folder.path(name), folder.hosts(2));
        let more = ["--workers", &hosts, "--checkpoint", &dir, "--checkpoint-every", "10ms"];
        let supervisor = start(&[&[&*game, "--objective", "reach"], &more[..]].concat());
        wait_for_files(&dir);
        let started = children(supervisor.id());
        assert_eq!(started.len(), 2);
        signal(name, &supervisor.id().to_string());
        let output = supervisor.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stdout(&output)), (code, ""), "{}", stderr(&output));
        // lines are broken at spaces and within long paths
        let together = |text: &str| text.replace("\n  │ ", "").replace(' ', "");
        let saved = together(&format!("what was found is saved in {dir}"));
        assert!(code.is_none() || together(stderr(&output)).contains(&saved), "{}", stderr(&output));
        let is_gone = |process: &String| !Path::new("/proc").join(process).exists();
        wait_for("a process goes on", || started.iter().all(is_gone).then_some(()));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn one_that_dies_again_and_again() {
    let folder = Folder::new("again");
    let (game, hosts) = (folder.write("game.pg", &to_and_fro(100_000)), folder.hosts(2));
    let supervisor = start(&[&game, "--objective", "reach", "--workers", &hosts]);
    let mut killed = Vec::new();
    for _ in 0..4 {
        let new = |c: &Vec<String>| c.len() == 2 && !killed.contains(&c[1]);
        let started = wait_for("not started again", || Some(children(supervisor.id())).filter(new));
        signal("-KILL", &started[1]);
        killed.push(started[1].clone());
    }
    let output = supervisor.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(3), ""));
    let said = stderr(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("started again 3 times") && said.contains("--checkpoint DIR"), "{said}");
}
