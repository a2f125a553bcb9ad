//! Long runs of `grundy sequence`: files, checkpoints, signals.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use serde_json::Value;

const GRUNDY: &str = env!("CARGO_BIN_EXE_grundy");

fn program(args: &[&str]) -> Command {
    let mut command = Command::new(GRUNDY);
    for key in ["GRUNDY_TIME", "GRUNDY_MEMORY", "GRUNDY_POSITIONS", "GRUNDY_THREADS", "GRUNDY_FORMAT", "HOME"] {
        command.env_remove(key);
    }
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR")).env("NO_COLOR", "1");
    command.arg("sequence").args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    program(args).output().expect("the program runs")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

/// A new folder for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sequence-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).expect("the folder for tests can be written");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).expect("a folder").map(|e| e.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// A game whose period is out of reach, and a length that takes a moment.
const LONG: &[&str] = &["0.06", "--to", "9000", "--format", "checksum"];

fn long(more: &[&str]) -> Vec<&'static str> {
    let more = more.iter().map(|m| &*Box::leak(m.to_string().into_boxed_str()));
    LONG.iter().copied().chain(more).collect()
}

/// All rows of the facts but those that take seconds without optimisation.
#[test]
fn checksums_of_known_sequences() {
    let facts = include_str!("../../../testdata/facts/heap_checksums.csv");
    let slow = [("0.06", "100000"), ("0.007", "100000"), ("0.6", "1000000")];
    // only the fast form of the engine reaches the others at once
    let plain = ["0.77", "0.156", "0.356", "4.333", "0.644", "0.16"];
    let fast = cfg!(target_arch = "x86_64");
    let mut seen = 0;
    for row in facts.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let [code, n, checksum, value, max, ..] = cells[..] else { panic!("{row}") };
        if slow.contains(&(code, n)) || !(fast || plain.contains(&code)) {
            continue;
        }
        seen += 1;
        let found = run(&[code, "--to", n, "--format", "checksum"]);
        let words: Vec<&str> = stdout(&found).trim_end().split(' ').collect();
        assert_eq!((words.len(), words[0], words[3]), (4, n, checksum), "{row}");
        assert!(value.is_empty() || (words[1], words[2]) == (value, max), "{row}: {words:?}");
    }
    assert!(seen >= if fast { 20 } else { plain.len() }, "{seen}");
}

#[test]
fn a_checksum_is_one_line_and_nothing_else() {
    let found = run(&["kayles", "--to", "5", "--format", "checksum"]);
    assert_eq!((stdout(&found), stderr(&found)), ("5 4 4 001C000B\n", ""));
    // 2^k is a number as everywhere
    assert_eq!(stdout(&run(&["0.77", "--to", "2^16", "--format", "checksum"])).split(' ').next(), Some("65536"));
    let cut = run(&["0.06", "--to", "10^6", "--format", "checksum", "--positions", "50"]);
    assert_eq!((code(&cut), stdout(&cut).split(' ').next()), (Some(3), Some("49")));
    assert!(stderr(&cut).contains("values are known to heap 49"), "{}", stderr(&cut));
}

#[test]
fn a_period_is_judged_by_the_values_up_to_the_bound() {
    let proved = run(&["0.77", "--to", "200", "--prove"]);
    assert!(code(&proved) == Some(0) && stdout(&proved).contains("period 12, preperiod 71\n"), "{}", stdout(&proved));
    // the values for machines stay alone
    let short = run(&["0.77", "--to", "100", "--prove", "--format", "checksum"]);
    assert_eq!((code(&short), stdout(&short).lines().count()), (Some(0), 1));
    assert!(stderr(&short).contains("<= 101") && !stderr(&short).contains("proved."), "{}", stderr(&short));
}

#[test]
fn raw_values_have_the_least_width() {
    let raw = |rule: &str, more: &[&str]| run(&[&[rule, "--to", "300", "--format", "raw"], more].concat());
    assert_eq!(raw("0.77", &[]).stdout.len(), 301);
    let nim = raw("nim", &[]).stdout;
    assert_eq!((nim.len(), &nim[..4], &nim[600..]), (602, &[0, 0, 1, 0][..], &[44, 1][..]));
    assert_eq!(raw("0.77", &["--width", "4"]).stdout.len(), 1204);
    let narrow = raw("nim", &["--width", "1"]);
    assert_eq!((code(&narrow), narrow.stdout.len()), (Some(2), 0));
    assert!(stderr(&narrow).contains("--width 2"));
    assert_eq!(code(&run(&["nim", "--width", "2"])), Some(2));
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = Folder::new("out");
    let path = folder.path("values.csv");
    fs::write(&path, "old").unwrap();
    let found = run(&["kayles", "--to", "3", "--format", "csv", "--out", &path]);
    assert_eq!((code(&found), stdout(&found)), (Some(0), ""));
    assert_eq!(fs::read_to_string(&path).unwrap(), "n,value\n0,0\n1,1\n2,2\n3,3\n");
    assert_eq!(code(&run(&["kayles", "--out", &folder.path("none/values.csv")])), Some(4));
    assert_eq!(code(&run(&["kayles", "--out", &folder.path("")])), Some(4));
    assert_eq!(folder.names(), ["values.csv"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_with_four() {
    for format in ["text", "csv", "ndjson", "json", "bfile", "raw", "checksum"] {
        let full = run(&["nim", "--to", "10000", "--format", format, "--out", "/dev/full"]);
        assert_eq!(code(&full), Some(4), "{format}");
        let text = format!("{}{}", stderr(&full), stdout(&full));
        assert!(text.contains("/dev/full"), "{format}: {text}");
        let to_full = fs::File::options().write(true).open("/dev/full").unwrap();
        let full = program(&["nim", "--to", "10000", "--format", format]).stdout(to_full).output().unwrap();
        assert_eq!(code(&full), Some(4), "{format}");
    }
    assert!(fs::metadata("/dev/full").is_ok_and(|m| !m.is_file()));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_how_to_get_it() {
    let folder = Folder::new("no-parquet");
    let path = folder.path("values.parquet");
    let found = run(&["kayles", "--format", "parquet", "--out", &path, "--checkpoint", &folder.path("run")]);
    assert_eq!((code(&found), stdout(&found)), (Some(2), ""));
    assert!(stderr(&found).contains("--features parquet"), "{}", stderr(&found));
    assert_eq!(folder.names(), [""; 0]);
}

/// The library's tests read the values back.
#[cfg(feature = "parquet")]
#[test]
fn parquet_goes_to_files_and_pipes() {
    let folder = Folder::new("parquet");
    let path = folder.path("values.parquet");
    let args = ["kayles", "--to", "1000", "--format", "parquet"];
    let found = run(&[&args[..], &["--out", &path]].concat());
    assert_eq!((code(&found), stdout(&found), stderr(&found)), (Some(0), "", ""));
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    assert_eq!(run(&args).stdout, bytes);
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|w| w == text.as_bytes());
    for text in ["grundy.rule", "kayles", "grundy.convention", "normal", "grundy.status", "computed", "grundy.method"] {
        assert!(has(&bytes, text), "{text}");
    }
    assert!(!has(&bytes, "grundy.stop"));
    // what a stopped run found is a whole file too
    let cut = run(&["0.06", "--to", "10^6", "--format", "parquet", "--positions", "50"]);
    assert_eq!(code(&cut), Some(3));
    assert!(cut.stdout.ends_with(b"PAR1") && has(&cut.stdout, "values are known to heap 49"));
    assert_eq!(folder.names(), ["values.parquet"]);
}

#[cfg(all(feature = "parquet", target_os = "linux"))]
#[test]
fn parquet_on_a_full_disk_ends_with_four() {
    let full = run(&["nim", "--to", "10000", "--format", "parquet", "--out", "/dev/full"]);
    assert!(code(&full) == Some(4) && stderr(&full).contains("/dev/full: No space left"), "{}", stderr(&full));
}

#[test]
fn killed_at_any_moment_and_resumed() {
    let folder = Folder::new("killed");
    let whole = run(LONG);
    assert_eq!(code(&whole), Some(0));
    let dir = folder.path("run");
    let mut args = long(&["--checkpoint", &dir, "--checkpoint-every", "20ms"]);
    // times from 7 to 160 ms, in no order
    for round in 0u64..8 {
        let mut child = program(&args).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(7 + round * 67 % 155));
        let _ = child.kill();
        child.wait().unwrap();
        if round == 0 {
            // it may not have come to making it
            fs::create_dir_all(&dir).unwrap();
            args.push("--resume");
        }
    }
    let resumed = run(&args);
    assert_eq!((code(&resumed), stdout(&resumed)), (Some(0), stdout(&whole)), "{}", stderr(&resumed));
    // no trace of what was in the making
    assert!(fs::read_dir(&dir).unwrap().all(|e| !e.unwrap().file_name().to_string_lossy().ends_with(".tmp")));
    // the values are there at once now, and for fewer of them too
    let again = run(&args);
    assert_eq!(stdout(&again), stdout(&whole));
    let short = ["0.06", "--to", "700", "--checkpoint", &dir, "--resume"];
    assert_eq!(run(&short).stdout, run(&short[..3]).stdout);
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let folder = Folder::new("refused");
    let dir = folder.path("run");
    let save = ["0.6", "--to", "2000", "--format", "checksum", "--checkpoint", &dir];
    let first = run(&save);
    assert_eq!(code(&first), Some(0), "{}", stderr(&first));
    let again = run(&save);
    assert!(code(&again) == Some(2) && stderr(&again).contains("add --resume"), "{}", stderr(&again));
    let refused = |rule: &str, why: &str| {
        let refused = run(&[rule, "--checkpoint", &dir, "--resume", "--format", "json"]);
        let error: Value = serde_json::from_slice(&refused.stdout).expect("an object");
        let message = error["error"]["message"].as_str().unwrap_or_default();
        assert!(code(&refused) == Some(2) && message.contains(why), "{error}");
        assert!(error["error"]["hint"].is_string());
    };
    refused("0.7", "holds values of 0.6, not of 0.7");
    let segment = Path::new(&dir).join("values-0-2001.grundy");
    let good = fs::read(&segment).unwrap();
    fs::write(&segment, &good[..good.len() / 2]).unwrap();
    refused("0.6", "truncated");
    let mut flipped = good.clone();
    flipped[1000] ^= 1;
    fs::write(&segment, &flipped).unwrap();
    refused("0.6", "damaged");
    fs::write(&segment, "something else altogether").unwrap();
    refused("0.6", "no segment");
    fs::write(&segment, &good).unwrap();
    let same = run(&[&save[..], &["--resume"]].concat());
    assert_eq!(stdout(&same), stdout(&first));
}

#[test]
fn directories_that_cannot_be_used_end_with_four() {
    let folder = Folder::new("unusable");
    let file = folder.path("file");
    fs::write(&file, "").unwrap();
    for dir in [folder.path("none/run"), file] {
        let found = run(&["0.6", "--checkpoint", &dir]);
        assert!(code(&found) == Some(4) && stderr(&found).contains(&dir), "{}", stderr(&found));
    }
    let missing = run(&["0.6", "--checkpoint", &folder.path("none"), "--resume"]);
    assert!(code(&missing) == Some(4) && stderr(&missing).contains("leave --resume out"), "{}", stderr(&missing));
    assert_eq!(code(&run(&["0.6", "--resume"])), Some(2));
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_ends_with_four() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("read-only");
    let dir = folder.path("run");
    assert_eq!(code(&run(&["0.6", "--to", "300", "--checkpoint", &dir])), Some(0));
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o500)).unwrap();
    // some users may write anywhere
    let may_write = fs::write(Path::new(&dir).join("probe"), "").is_ok();
    let found = run(&["0.6", "--to", "400", "--checkpoint", &dir, "--resume"]);
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(code(&found), Some(if may_write { 0 } else { 4 }), "{}", stderr(&found));
}

/// Files that may not grow stand for a disk without room.
#[cfg(target_os = "linux")]
#[test]
fn the_last_good_checkpoint_outlives_a_full_disk() {
    let folder = Folder::new("full");
    let dir = folder.path("run");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let args = ["0.6", "--to", "10^6", "--format", "checksum", "--checkpoint", &dir, "--checkpoint-every", "1ms"];
    let full = Command::new("bash").args(["-c", script, GRUNDY, "sequence"]).args(args).output().expect("a shell");
    assert_eq!(code(&full), Some(4), "{}", stderr(&full));
    assert!(stderr(&full).contains("values.tmp"), "{}", stderr(&full));
    let last =
        |more: &[&str]| stdout(&run(&[&["0.6", "--to", "3000", "--format", "checksum"], more].concat())).to_owned();
    assert_eq!(last(&["--checkpoint", &dir, "--resume"]), last(&[]));
}

#[cfg(unix)]
#[test]
fn a_stop_saves_the_checkpoint_and_prints_what_was_found() {
    let folder = Folder::new("stopped");
    for (signal, expected) in [("-INT", 130), ("-TERM", 143), ("", 3)] {
        let (dir, out) = (folder.path(&format!("run{signal}")), folder.path(&format!("out{signal}.csv")));
        let mut args = vec!["0.06", "--to", "10^6", "--format", "csv", "--checkpoint", &dir, "--out", &out];
        if signal.is_empty() {
            args.extend(["--time", "300ms"]);
        }
        let child = program(&args).spawn().unwrap();
        if !signal.is_empty() {
            std::thread::sleep(Duration::from_millis(700));
            // some senders signal a program and then its group: the second one must not cut the saving short
            for _ in 0..2 {
                Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
            }
        }
        let ended = child.wait_with_output().unwrap();
        assert_eq!(code(&ended), Some(expected), "{}", stderr(&ended));
        assert!(!Path::new(&out).exists(), "only a whole answer is put in place");
        let written = fs::read_to_string(format!("{out}.partial")).unwrap();
        let last = written.lines().last().unwrap().split(',').next().unwrap().to_owned();
        assert!(stderr(&ended).contains(&format!("values are known to heap {last}")), "{last}: {}", stderr(&ended));
        let n: u64 = last.parse().unwrap();
        let manifest = fs::read_to_string(Path::new(&dir).join("manifest")).unwrap();
        assert!(n > 100 && manifest.contains(&format!(" {} ", n + 1)), "{last}: {manifest}");
        let resumed = ["0.06", "--to", "50", "--checkpoint", &dir, "--resume"];
        assert_eq!(run(&resumed).stdout, run(&resumed[..3]).stdout);
    }
}

#[test]
fn progress_for_scripts() {
    let found = run(&["0.6", "--to", "1000", "--format", "checksum", "--progress", "json"]);
    let last: Value = serde_json::from_str(stderr(&found).lines().last().expect("a line")).expect("an object");
    assert_eq!((&last["heaps"], &last["of"]), (&1001.into(), &1001.into()));
    for key in ["values_per_s", "max", "rares", "eta_s", "elapsed_s"] {
        assert!(last.get(key).is_some(), "{key}: {last}");
    }
    assert_eq!(stderr(&run(&["0.6", "--to", "1000"])), "");
}

#[test]
fn a_plot_stands_alone() {
    let folder = Folder::new("plot");
    for (rule, to, inside) in [
        ("kayles", "300", "Grundy values of kayles, n = 0 to 300"),
        ("0.6", "5000", "least to largest of each 6 heaps"),
        ("[take k where 2*k <= n]", "3000", "2*k &lt;= n"),
        ("nim", "0", ">0<"),
    ] {
        let path = folder.path("plot.svg");
        let found = run(&[rule, "--to", to, "--plot", &path, "--format", "checksum"]);
        assert_eq!(code(&found), Some(0), "{}", stderr(&found));
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.starts_with("<svg xmlns=") && text.ends_with("</svg>\n") && text.contains(inside),
            "{rule}: {text}"
        );
        assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("href"), "{rule}");
    }
    assert_eq!(folder.names(), ["plot.svg"]);
    assert_eq!(code(&run(&["kayles", "--plot", &folder.path("none/plot.svg")])), Some(4));
}

#[test]
fn threads_change_no_value() {
    let sum = |threads: &str| run(&["0.161", "--to", "60000", "--format", "checksum", "--threads", threads]);
    let (one, two) = (sum("1"), sum("2"));
    assert_eq!((code(&one), code(&two)), (Some(0), Some(0)));
    assert_eq!(stdout(&one), stdout(&two));
    let none = sum("0");
    assert_eq!(code(&none), Some(2));
    assert!(stderr(&none).contains("write a number of threads, 1 or more"), "{}", stderr(&none));
}

/// A second thread does not outlive a run that a limit stops.
#[test]
fn two_threads_stop_in_time() {
    let start = std::time::Instant::now();
    let stopped = run(&["0.6", "--to", "10^9", "--format", "checksum", "--threads", "2", "--time", "700ms"]);
    assert_eq!(code(&stopped), Some(3), "{}", stderr(&stopped));
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_stopped_run_leaves_the_old_file_alone() {
    let folder = Folder::new("partial");
    for format in ["text", "raw", "json", "csv", "checksum"] {
        let path = folder.path(format);
        fs::write(&path, "old").unwrap();
        let plot = folder.path(&format!("{format}.svg"));
        let wanted =
            ["0.6", "--to", "2^26", "--format", format, "--out", &path, "--positions", "5000", "--plot", &plot];
        let stopped = run(&wanted);
        assert_eq!(code(&stopped), Some(3), "{}", stderr(&stopped));
        assert!(stderr(&stopped).contains(&format!("what was computed is in {path}.partial")), "{}", stderr(&stopped));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old", "{format}");
        assert!(fs::metadata(format!("{path}.partial")).unwrap().len() > 3, "{format}");
        assert!(Path::new(&format!("{plot}.partial")).exists() && !Path::new(&plot).exists());
        let whole = run(&["0.6", "--to", "9", "--format", format, "--out", &path]);
        assert_eq!(code(&whole), Some(0), "{}", stderr(&whole));
        assert_ne!(fs::read(&path).unwrap(), b"old");
    }
}

/// The limit of time is that of the command, not of each of its steps.
#[test]
fn values_and_their_proof_share_the_time() {
    let started = std::time::Instant::now();
    let found = run(&[
        "[take k where k mod 100003 = n mod 7]",
        "--to",
        "1500",
        "--prove",
        "--time",
        "4s",
        "--format",
        "checksum",
    ]);
    assert!(matches!(code(&found), Some(0 | 3)), "{}", stderr(&found));
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_missing_part_of_a_checkpoint_is_a_missing_file() {
    let folder = Folder::new("missing");
    let dir = folder.path("work");
    let begin = run(&["0.6", "--to", "2000", "--format", "checksum", "--checkpoint", &dir]);
    assert_eq!(code(&begin), Some(0), "{}", stderr(&begin));
    let names = fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path());
    let segment = names.into_iter().find(|p| !p.ends_with("manifest") && fs::metadata(p).unwrap().len() > 0).unwrap();
    let resume = ["0.6", "--to", "2000", "--format", "checksum", "--checkpoint", &dir, "--resume"];
    for lost in [segment, Path::new(&dir).join("manifest")] {
        let kept = fs::read(&lost).unwrap();
        fs::remove_file(&lost).unwrap();
        let found = run(&resume);
        assert_eq!(code(&found), Some(4), "{lost:?}: {}", stderr(&found));
        assert!(stderr(&found).contains("is missing"), "{}", stderr(&found));
        fs::write(&lost, kept).unwrap();
    }
    assert_eq!(code(&run(&resume)), Some(0));
}
