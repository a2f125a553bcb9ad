//! Games line by line through the program.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn grundy(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .arg("play")
        .args(args)
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the program may have ended before it reads everything
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The transcript of a game that ends with exit 0 and says nothing on stderr.
fn transcript(args: &[&str], lines: &[&str]) -> String {
    let out = grundy(args, (lines.join("\n") + "\n").as_bytes());
    assert_eq!(String::from_utf8_lossy(&out.stderr), "");
    assert_eq!(out.status.code(), Some(0));
    String::from_utf8(out.stdout).unwrap()
}

#[test]
fn the_perfect_computer_wins_misere_nim() {
    let text = transcript(&["--misere", "--first", "computer", "3", "5", "7"], &["1: take 1"; 40]);
    assert!(text.starts_with("misère play: a player who cannot move wins, taking the last object loses\n"), "{text}");
    assert!(text.contains("The computer moves first"), "{text}");
    assert!(text.contains("The computer has no move left. The computer wins (misère play"), "{text}");
    assert!(text.contains("The game in review"), "{text}");
}

#[test]
fn a_game_move_by_move() {
    let text = transcript(&["1", "2"], &["nim(2) -> nim(1)", "1: take 1"]);
    let wanted = "\
normal play: a player who cannot move loses, taking the last object wins
You move first; the computer plays at level perfect. Type a move or help.
  1: nim(1)  2: nim(2)
> nim(2) -> nim(1)
You: nim(2) -> nim(1) (take 1)
Computer: nim(1) -> 0 (take 1): lost anyway: lasts longest; 1 move follows
  1: nim(1)
> 1: take 1
You: nim(1) -> 0 (take 1)
The computer has no move left. You win (normal play: a player who cannot move loses, taking the last object wins).
The game in review, who wins from the view of the mover:
   1  You       nim(2) -> nim(1) (take 1)   before it: won, value 3
   2  Computer  nim(1) -> 0 (take 1)   before it: lost, value 0
   3  You       nim(1) -> 0 (take 1)   before it: won, value 1
";
    assert_eq!(text, wanted);
}

#[test]
fn hints_climb_a_ladder() {
    let text = transcript(&["3", "5", "7"], &["hint", "hint", "hint", "hint", "quit"]);
    let hints: Vec<&str> = text.lines().filter(|l| l.starts_with("Hint")).collect();
    assert_eq!(hints.len(), 4);
    assert!(hints[0].contains("you can win"));
    assert!(hints[1].contains("look at heap "));
    assert!(hints[2].contains("->") && hints[2].contains("nim-sum becomes 0"), "{text}");
    assert_eq!(hints[3], hints[2]);
    let text = transcript(&["1", "2", "3"], &["hint", "hint", "hint"]);
    let hints: Vec<&str> = text.lines().filter(|l| l.starts_with("Hint")).collect();
    assert!(hints[0].contains("every move loses") && hints[1].contains("lasts longest"), "{text}");
    assert_eq!(hints[1], hints[2]);
}

#[test]
fn undo_and_redo() {
    let lines = ["3: take 1", "undo", "undo", "redo", "redo", "undo", "2: take 1", "redo", "quit"];
    let text = transcript(&["3", "5", "7"], &lines);
    assert_eq!(text.matches("Taken back: 2 moves.\n  1: nim(3)  2: nim(5)  3: nim(7)\n").count(), 2, "{text}");
    assert_eq!(text.matches("There is no move of yours to take back.").count(), 1, "{text}");
    assert_eq!(text.matches("Made again: 2 moves.").count(), 1, "{text}");
    assert_eq!(text.matches("There is nothing to do again").count(), 2, "{text}");
}

#[test]
fn wrong_lines_are_answered_and_the_game_goes_on() {
    let lines = [
        "banana",
        "9 -> 3",
        "4: take 1",
        "2: take 9",
        "2: take",
        "nim(5) -> kayles(3)",
        "7",
        "moves 9",
        "moves 2",
        "99",
        "",
        "2: take 5",
    ];
    let text = transcript(&["3", "5", "7"], &lines);
    for wanted in [
        "\"banana\" is no move and no command. Type for example 1: take 1, or help.",
        "There is no 9 here. The position is nim(3, 5, 7).",
        "There is no heap \"4\". Heaps are numbered 1 to 3.",
        "There are only 5 in nim(5). One may take 1 to 5.",
        "A heap of nim does not become kayles(3).",
        "Which heap? Type for example 1: take 7; or moves, and then the number of a move.",
        "Heaps are numbered 1 to 3; type for example moves 1.",
        "There are moves 1 to 5 in the list.",
        "You: nim(5) -> 0 (take 5)",
        "Computer: ",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
    let out = grundy(&["3"], b"\xff\xfe\n1: take 1\n");
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(text.contains("no UTF-8") && text.contains("You: nim(3) -> nim(2)"), "{text}");
    let out = grundy(&["3"], &[vec![b'1'; 1 << 18], b"\n3 -> 1\n".to_vec()].concat());
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(text.contains("too long") && text.contains("You: nim(3) -> nim(1)"), "{text}");
}

#[test]
fn moves_by_their_number() {
    let text = transcript(&["kayles(4)"], &["moves", "2"]);
    assert!(text.contains("    2  1: kayles(4) -> kayles(1, 2) (take 1, leave 1 + 2)\n"), "{text}");
    assert!(text.contains("You: kayles(4) -> kayles(1, 2) (take 1, leave 1 + 2)\n"), "{text}");
    let text = transcript(&["10^18", "2"], &["moves", "quit"]);
    assert!(
        text.contains("1: … more moves of nim(1000000000000000000)") && text.contains("These are not all"),
        "{text}"
    );
}

#[test]
fn splits_and_tuples() {
    let text = transcript(&["lasker(9)", "--seed", "1"], &["1: take 2 leave 7", "quit"]);
    assert!(text.contains("You: lasker(9) -> lasker(7) (take 2)"), "{text}");
    let text = transcript(&["0.07(9)", "--level", "beginner", "--seed", "1"], &["1: take 2 leave 1 6", "quit"]);
    assert!(text.contains("You: 0.07(9) -> 0.07(1, 6)") && text.contains("a random move (level beginner)"), "{text}");
    let text = transcript(&["wythoff(3, 5)"], &["1: (1, 3)", "quit"]);
    assert!(text.contains("You: wythoff(3, 5) -> wythoff(1, 3)"), "{text}");
}

#[test]
fn huge_heaps_and_seeds() {
    let args = ["nim(10^18, 5)", "--level", "beginner", "--seed", "42"];
    let one = transcript(&args, &["1: take 10^17", "hint", "hint", "hint"]);
    assert!(one.contains("You: nim(1000000000000000000) -> nim(900000000000000000)"), "{one}");
    assert!(one.contains("(level beginner)"), "{one}");
    assert_eq!(one, transcript(&args, &["1: take 10^17", "hint", "hint", "hint"]));
    let text = transcript(&["nim(10^18, 5)", "--first", "computer"], &[]);
    assert!(text.contains("Computer: nim(1000000000000000000) -> nim(5)"), "{text}");
}

#[test]
fn limits_are_said_aloud() {
    let args = ["kayles(130, 131, 132)", "--misere", "--first", "computer", "--positions", "20"];
    let text = transcript(&args, &["hint", "hint"]);
    assert!(
        text.contains("by rule of thumb, for who wins is undecided (stopped by the positions limit (20)"),
        "{text}"
    );
    assert!(text.contains("Hint: who wins is undecided"), "{text}");
}

#[test]
fn ends() {
    let text = transcript(&["3"], &["resign"]);
    assert!(text.ends_with("The computer wins: you have resigned.\n"), "{text}");
    assert!(transcript(&["0", "0"], &[]).contains("You have no move left. The computer wins"));
    assert!(transcript(&["nim()", "--misere"], &[]).contains("You have no move left. You win"));
    assert!(!transcript(&["3", "5"], &["1: take 1"]).contains("win ("), "the end of input ends quietly");
    assert!(transcript(&["3", "5"], &["quit", "1: take 1"]).ends_with("> quit\n"));
    let out = grundy(&["treblecross(5)", "--misere"], b"");
    assert_eq!(out.status.code(), Some(2));
    let out = grundy(&["kayels(5)"], b"");
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("did you mean \"kayles\"?"));
}
