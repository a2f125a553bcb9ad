//! `grundy judge` as contestants meet it.

mod binary;

const GRUNDY: &str = env!("CARGO_BIN_EXE_grundy");

/// Exit code, stdout, stderr.
fn judge(args: &[&str], input: &str) -> (i32, String, String) {
    let child = binary::command(&[&["judge"], args].concat()).spawn().unwrap();
    let (code, out, error) = binary::fed(child, input);
    (code.unwrap(), out, error)
}

#[test]
fn a_preset_and_the_same_problem_by_its_parts() {
    let input = "2\n3\n2 2 3\n2\n3 3\n";
    assert_eq!(judge(&["hdu-3032"], input), (0, "Alice\nBob\n".into(), String::new()));
    assert_eq!(judge(&["--game", "lasker", "--layout", "counted", "--say", "Alice,Bob"], input).1, "Alice\nBob\n");
    let prefixed = judge(&["hdu-3032", "--say", "A,B", "--prefix", "Case #%d: "], input);
    assert_eq!(prefixed.1, "Case #1: A\nCase #2: B\n");
    assert_eq!(judge(&["--game", "[take 1..$m]($n)", "--layout", "T{ n m }"], "2\n23 2\n4 3").1, "first\nsecond\n");
    assert_eq!(judge(&["--wins", "n mod 3 != 0", "--layout", "*{ n }"], "3 4").1, "second\nfirst\n");
    let lets = ["--let", "x = p | sort | gaps | reverse", "--game", "staircase(0, $x)", "--layout", "T{ n p[n] }"];
    assert_eq!(judge(&lets, "1\n3\n1 2 3").1, "second\n");
    assert_eq!(judge(&["--game", "nim", "--misere", "--print", "moves"], "5 1\n").1, "5 0\n");
}

/// No theorem gives this rule its period of 6 from heap 1 on: it is found and proved, and far heaps have their values by it.
#[test]
fn far_heaps_of_rules_without_a_theorem_are_judged_by_a_discovered_form() {
    let args = ["--game", "[take powers of 2 | split]($p)", "--layout", "T{ n p[n] }"];
    let input = "3\n2\n2147483647 2147483641\n2\n2147483647 2147483642\n3\n2147483647 7 3\n";
    assert_eq!(judge(&args, input), (0, "second\nfirst\nsecond\n".into(), String::new()));
}

#[test]
fn refusals_name_the_reason() {
    let refused = |args: &[&str], what: &str| {
        let (code, out, err) = judge(args, "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        // a terminal's width may break the line
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        assert!(err.contains(what), "{args:?}: {err}");
    };
    refused(&["cf-1704f"], "the players have different moves");
    refused(&["hdu-2873"], "is not answered yet: pairs that split into two pairs");
    refused(&["hdu-2486", "--print", "value"], "values and moves are those of a game");
    refused(&["hdu-1729", "--layout", "*{ n }"], "boxes needs a list \"s\" in the layout");
    refused(&["hdu-3023"], "did you mean hdu-3032");
    refused(&["--game", "kayels"], "did you mean \"kayles\"?");
    refused(&["--game", "nim", "--layout", "countd"], "did you mean \"counted\"?");
    refused(&["--game", "nim", "--say", "Alice"], "is not two words");
    refused(&["arc-091f", "--generate", "2"], "holds one case");
    let (code, _, err) = judge(&["hdu-3032", "--against", "./no-such-program"], "");
    assert!(code == 4 && err.contains("cannot start ./no-such-program"), "{code} {err}");
}

#[test]
fn the_list_names_every_problem() {
    let (code, out, _) = judge(&["--list"], "");
    assert_eq!(code, 0);
    for name in ["hdu-3032", "poj-3480", "agc-017d", "cf-1704f"] {
        assert!(out.contains(name), "{name}");
    }
    assert!(judge(&["hdu-3537", "--about"], "").1.contains("Yes means that the second player wins"));
}

#[test]
fn a_right_program_passes_the_stress_test() {
    let command = format!("'{GRUNDY}' judge hdu-3032");
    let (code, out, _) = judge(&["hdu-3032", "--against", &command, "--rounds", "20"], "");
    assert_eq!((code, out.as_str()), (0, "20 inputs with 110 cases: every answer is right\n"));
}

#[test]
fn a_wrong_program_is_shown_a_small_input() {
    // Nim is not Lasker's Nim: 1, 2 and 3 are the least heaps that tell them apart, or two 3 or 4 of them
    let command = format!("'{GRUNDY}' judge cses-1730 --say Alice,Bob");
    let (code, out, _) = judge(&["hdu-3032", "--against", &command], "");
    assert_eq!(code, 1, "{out}");
    let input = out.split("--- input\n").nth(1).unwrap().split("--- expected\n").next().unwrap();
    let numbers: Vec<u64> = input.split_whitespace().map(|n| n.parse().unwrap()).collect();
    assert_eq!(numbers[..2], [1, 3], "{out}");
    assert!(numbers.iter().all(|n| *n <= 8), "{out}");
    assert!(out.contains("--- expected\nAlice\n--- got\nBob\n") || out.contains("--- expected\nBob\n--- got\nAlice\n"));
}

#[test]
fn a_crash_is_told_with_its_status() {
    let command = format!("'{GRUNDY}' judge cf-1704f");
    let (code, out, _) = judge(&["hdu-3032", "--against", &command], "");
    assert_eq!(code, 1);
    assert!(out.contains("the program ended with exit status 2"), "{out}");
}

#[cfg(unix)]
#[test]
fn a_program_that_hangs_is_ended() {
    let start = std::time::Instant::now();
    let (code, out, _) = judge(&["hdu-3032", "--against", "sleep 100", "--timeout", "200ms"], "");
    assert_eq!(code, 1);
    assert!(out.contains("the program does not end in time"), "{out}");
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn games_with_programs_of_their_own_are_read_answered_made_and_tested() {
    let graph = "4\n2 1 2\n0\n1 3\n0\n1 0\n2 0 2\n0\n";
    assert_eq!(judge(&["hdu-1524"], graph), (0, "WIN\nWIN\n".into(), String::new()));
    assert_eq!(judge(&["poj-2425", "--say", "A,B"], graph).1, "A\nA\n");
    assert_eq!(judge(&["poj-2425", "--print", "value", "--prefix", "#%d "], graph).1, "#1 2\n#2 3\n");
    let (code, out, error) = judge(&["poj-2425"], &graph.replace("1 3", "1 4"));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("case 1.1: line 4, column 3: there is no vertex 4: they are 0 to 3"), "{error}");
    // the layout may be another one as long as it has the names
    assert_eq!(judge(&["hdu-1729", "--layout", "*{ s[1] c[1] }"], "2 1 3 0").1, "Case 1:\nYes\nCase 2:\nNo\n");
    assert!(judge(&["poj-3922", "--about"], "").1.contains("prints    the smallest winning move\n"));
    let (_, list, _) = judge(&["--list"], "");
    let answered = list.split("Not answered yet").next().unwrap();
    for name in ["hdu-3595", "hdu-5724", "poj-2425", "hdu-1729", "hdu-1760", "hdu-1404", "hdu-2486", "poj-2068"] {
        assert!(answered.contains(name), "{name}");
        let (code, made, error) = judge(&[name, "--generate", "20", "--seed", "3"], "");
        assert_eq!(code, 0, "{name} {error}");
        assert!(error.contains("won by the first player"), "{name} {error}");
        assert_eq!(judge(&[name], &made).0, 0, "{name} {made}");
        let right = format!("'{GRUNDY}' judge {name}");
        assert_eq!(judge(&[name, "--against", &right, "--rounds", "20"], "").0, 0, "{name}");
        let (code, out, _) = judge(&[name, "--against", "echo 0", "--rounds", "20"], "");
        assert!(code == 1 && out.contains("--- expected\n"), "{name} {out}");
    }
}

#[test]
fn the_green_game_is_read_answered_made_and_tested() {
    let game = "3 2\n1 1 4\n0 1 5\n0 2 2 4\n0 2 1 3\n1 2 3 2\n";
    assert_eq!(judge(&["green-game"], game), (0, "5\n1\n2\n3\n4\n5\n".into(), String::new()));
    let (code, out, error) = judge(&["green-game"], &game.replace("0 1 5", "0 1 6"));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("field 2: line 3, column 5: there is no field 6"), "{error}");
    assert!(judge(&["--list"], "").1.contains("green-game"));
    assert!(judge(&["green-game", "--about"], "").1.contains("as remembered"));
    let (code, made, _) = judge(&["green-game", "--generate", "1", "--seed", "3"], "");
    assert_eq!(code, 0);
    assert_eq!(judge(&["green-game"], &made).0, 0, "{made}");
    let right = format!("'{GRUNDY}' judge green-game");
    assert_eq!(judge(&["green-game", "--against", &right, "--rounds", "20"], "").0, 0);
    let (code, out, _) = judge(&["green-game", "--against", "echo 0", "--rounds", "20"], "");
    assert!(code == 1 && out.contains("--- expected\n"), "{out}");
}
