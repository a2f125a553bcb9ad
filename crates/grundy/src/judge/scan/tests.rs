use proptest::prelude::*;

use super::*;

/// Yields the text in pieces of the sizes given, in a circle.
struct Pieces<'a> {
    text: &'a [u8],
    sizes: Vec<usize>,
    next: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes[self.next % self.sizes.len()].min(room.len());
        self.next += 1;
        self.text.read(&mut room[..size])
    }
}

/// What a scanner may be asked for.
#[derive(Clone, Debug)]
enum Ask {
    Number,
    Numbers(u64),
    InLine,
    Line,
    Word,
    AtEnd,
}

/// The scanner's twin: the whole text, an index, and nothing clever.
struct Naive<'a> {
    text: &'a [u8],
    at: usize,
}

impl Naive<'_> {
    fn space(&mut self, stop: Option<u8>) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().take_while(|&&byte| is_space(byte) && Some(byte) != stop).count();
    }

    fn token(&self) -> &[u8] {
        let rest = &self.text[self.at..];
        &rest[..rest.iter().position(|&byte| is_space(byte)).unwrap_or(rest.len())]
    }

    fn place(&self) -> (u64, u64) {
        let before = &self.text[..self.at];
        let line = before.split(|&byte| byte == b'\n').count();
        (line as u64, 1 + before.split(|&byte| byte == b'\n').next_back().map_or(0, <[u8]>::len) as u64)
    }

    fn number(&mut self) -> String {
        self.space(None);
        let token = self.token().to_vec();
        if token.is_empty() {
            return "none".into();
        }
        let digits = token.iter().all(u8::is_ascii_digit);
        match String::from_utf8_lossy(&token).parse::<u64>() {
            Ok(value) if digits => {
                self.at += token.len();
                value.to_string()
            }
            _ => {
                // A run of digits that is too long for u64 may go on as something else; then it is no number.
                let kind = if digits { ScanErrorKind::TooLarge } else { ScanErrorKind::NotANumber };
                format!("{kind:?} at {:?}", self.place())
            }
        }
    }

    fn ask(&mut self, ask: &Ask) -> String {
        match ask {
            Ask::Number => self.number(),
            Ask::Numbers(count) => {
                let mut said = vec![];
                for _ in 0..*count {
                    let number = self.number();
                    if number == "none" {
                        said.push(format!("Ended at {:?}", self.place()));
                        break;
                    }
                    let refused = number.contains("at");
                    said.push(number);
                    if refused {
                        break;
                    }
                }
                said.join(" ")
            }
            Ask::InLine => {
                self.space(Some(b'\n'));
                if matches!(self.text.get(self.at), None | Some(b'\n')) { "none".into() } else { self.number() }
            }
            Ask::Line => {
                let rest = &self.text[self.at..];
                self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |length| length + 1);
                (self.at < self.text.len()).to_string()
            }
            Ask::Word => {
                self.space(None);
                let word = self.token().to_vec();
                self.at += word.len();
                if word.is_empty() { "none".into() } else { format!("{word:?}") }
            }
            Ask::AtEnd => {
                self.space(None);
                (self.at == self.text.len()).to_string()
            }
        }
    }
}

/// A refusal as the naive twin says it.
fn refusal(error: &ScanError) -> String {
    format!("{:?} at {:?}", error.kind(), (error.place().line, error.place().column))
}

fn ask<R: Read>(scanner: &mut Scanner<R>, ask: &Ask) -> String {
    fn said<T>(answer: Result<T, ScanError>, say: impl Fn(T) -> String) -> String {
        answer.map_or_else(|error| refusal(&error), say)
    }
    let number = |number: Option<u64>| number.map_or("none".into(), |number| number.to_string());
    match ask {
        Ask::Number => said(scanner.next_u64(), number),
        Ask::Numbers(count) => {
            let mut seen = vec![];
            let answer = scanner.fold_u64(*count, |number| seen.push(number.to_string()));
            seen.extend(answer.err().map(|error| refusal(&error)));
            seen.join(" ")
        }
        Ask::InLine => said(scanner.next_in_line(), number),
        Ask::Line => said(scanner.next_line(), |more| more.to_string()),
        Ask::Word => said(scanner.next_word(), |word| word.map_or("none".into(), |word| format!("{word:?}"))),
        Ask::AtEnd => said(scanner.at_end(), |end| end.to_string()),
    }
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    let ask = prop_oneof![
        4 => Just(Ask::Number), 4 => (0..60u64).prop_map(Ask::Numbers), 4 => Just(Ask::InLine),
        1 => Just(Ask::Line),
        1 => Just(Ask::Word), 1 => Just(Ask::AtEnd),
    ];
    proptest::collection::vec(ask, 1..60)
}

/// Mostly numbers, in a small alphabet that has all kinds of bytes.
fn text() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(
        prop_oneof![
            30 => "[0-9]{1,10}[ \n]", 8 => "[0-9]{1,22} ", 4 => Just("\r\n".to_owned()),
            4 => Just(" \n".to_owned()), 2 => "[ \t\r\n\x0b\x0c]{0,40}",
            1 => "[-+0-9a-zé]{1,50}[ \n]?",
        ],
        0..120,
    )
    .prop_map(|parts| parts.concat().into_bytes())
}

proptest! {
    /// Whatever is asked in whatever order, over every split of the input into reads and buffers.
    #[test]
    fn a_scanner_is_equal_to_its_twin(
        text in text(), asks in asks(), room in prop_oneof![1usize..8, 1usize..300],
        sizes in proptest::collection::vec(prop_oneof![1usize..4, 1usize..300], 1..4)
    ) {
        for kernel in [Kernel::Plain, Kernel::detect()] {
            let reader = Pieces { text: &text, sizes: sizes.clone(), next: 0 };
            let mut scanner = Scanner::with(reader, kernel, room);
            let mut naive = Naive { text: &text, at: 0 };
            for what in &asks {
                prop_assert_eq!(ask(&mut scanner, what), naive.ask(what), "{:?}", what);
                let place = scanner.place();
                prop_assert_eq!((place.line, place.column), naive.place(), "after {:?}", what);
            }
        }
    }
}

#[test]
fn lines_are_the_same_over_every_split() {
    let text = b" 12 3 \n4\r\n\n  5\t6 \r\n 7 8x 9\n18446744073709551615 0018446744073709551616\n0";
    let asks = [Ask::InLine, Ask::InLine, Ask::InLine, Ask::Line];
    for split in 0..=text.len() {
        for (kernel, room) in [(Kernel::Plain, 100), (Kernel::detect(), 100), (Kernel::detect(), 1)] {
            let reader = text[..split].chain(&text[split..]);
            let mut scanner = Scanner::with(reader, kernel, room);
            let mut naive = Naive { text, at: 0 };
            for what in asks.iter().cycle().take(40) {
                assert_eq!(ask(&mut scanner, what), naive.ask(what), "{what:?} at {} of {split}", naive.at);
            }
        }
    }
}

fn scanner(text: &[u8]) -> Scanner<&[u8]> {
    Scanner::new(text)
}

fn message(text: &str) -> String {
    scanner(text.as_bytes()).fold_u64(u64::MAX, |_| ()).unwrap_err().to_string()
}

#[test]
fn messages_name_the_place_the_token_and_the_remedy() {
    assert_eq!(message("1\n 2 -3"), "line 2, column 4: expected a whole number without a sign, found \"-3\"");
    assert_eq!(message("1\r\n2,3"), "line 2, column 1: expected a whole number, found \"2,3\"");
    assert_eq!(message("1\n2\n"), "line 3, column 1: expected a whole number, found the end of the input");
    let largest = "the largest is 18446744073709551615";
    let too_large = "18446744073709551616";
    assert_eq!(message(too_large), format!("line 1, column 1: number \"{too_large}\" is too large; {largest}"));
    let long = format!("\n{}", "é".repeat(41));
    let shown = "é".repeat(40);
    assert_eq!(message(&long), format!("line 2, column 1: expected a whole number, found \"{shown}…\""));
    assert_eq!(message(&shown), format!("line 1, column 1: expected a whole number, found \"{shown}\""));
}

#[test]
fn places_are_right_far_into_the_input() {
    let text = format!("{}\n{} x", "12 34\r\n".repeat(100_000), "567890 ".repeat(100_000));
    let mut scanner = scanner(text.as_bytes());
    scanner.fold_u64(300_000, |_| ()).unwrap();
    assert_eq!(scanner.place(), Place { line: 100_002, column: 700_000 });
    let error = scanner.next_u64().unwrap_err();
    assert_eq!((error.place(), error.token()), (Place { line: 100_002, column: 700_002 }, "x"));
}

#[test]
fn tokens_have_places_over_every_split() {
    let text = b"\n 12 3 \n\n4\r\n  0005\t6 word \n7";
    let places = [(2, 2), (2, 5), (4, 1), (5, 3), (5, 8), (5, 10), (6, 1)];
    for split in 0..=text.len() {
        for (kernel, room) in [(Kernel::Plain, 100), (Kernel::detect(), 100), (Kernel::detect(), 1)] {
            let mut scanner = Scanner::with(text[..split].chain(&text[split..]), kernel, room);
            for (i, (line, column)) in places.into_iter().enumerate() {
                let found =
                    if i == 5 { scanner.next_word().unwrap().is_some() } else { scanner.next_u64().unwrap().is_some() };
                assert!(found);
                assert_eq!(scanner.place_of_last(), Place { line, column }, "token {i}, split {split}");
            }
            assert_eq!(scanner.place(), Place { line: 6, column: 2 });
        }
    }
}

#[test]
fn a_refused_token_is_not_consumed() {
    let mut scanner = scanner(b"1 two 3");
    assert_eq!(scanner.next_u64().unwrap(), Some(1));
    for _ in 0..2 {
        assert_eq!(scanner.next_u64().unwrap_err().kind(), ScanErrorKind::NotANumber);
    }
    assert_eq!(scanner.next_word().unwrap(), Some(&b"two"[..]));
    assert_eq!(scanner.next_u64().unwrap(), Some(3));
    assert!(scanner.at_end().unwrap());
}

#[test]
fn tokens_have_a_longest_length() {
    let mut text = vec![b'0'; LONGEST];
    text[LONGEST - 1] = b'1';
    assert_eq!(scanner(&text).next_u64().unwrap(), Some(1));
    assert_eq!(scanner(&text).next_word().unwrap(), Some(&text[..]));
    text.push(b'1');
    for error in [scanner(&text).next_u64().unwrap_err(), scanner(&text).next_word().unwrap_err()] {
        assert_eq!((error.kind(), error.token().chars().count()), (ScanErrorKind::TooLong, SHOWN + 1));
    }
    // A line of any length is skipped in constant memory.
    text.extend_from_slice(&text.repeat(3));
    text.extend_from_slice(b"\n7");
    let mut scanner = scanner(&text);
    assert!(scanner.next_line().unwrap());
    assert_eq!(scanner.buffer.len(), MARGIN + READ + MARGIN);
    assert_eq!(scanner.next_in_line().unwrap(), Some(7));
}

#[test]
fn a_byte_order_mark_is_skipped_at_the_beginning_only() {
    for size in 1..5 {
        let reader = Pieces { text: b"\xef\xbb\xbf12 \xef\xbb\xbf3", sizes: vec![size], next: 0 };
        let mut scanner = Scanner::new(reader);
        assert_eq!(scanner.next_u64().unwrap(), Some(12));
        assert_eq!(scanner.next_u64().unwrap_err().place(), Place { line: 1, column: 7 });
    }
    assert_eq!(scanner(b"\xef\xbb").next_word().unwrap(), Some(&b"\xef\xbb"[..]));
    assert_eq!(scanner(b"\xef\xbb\xbf").next_word().unwrap(), None);
}

#[test]
fn the_readers_whims_are_borne() {
    /// Interrupted, then `1 2`, then a space, then a lie about the length, then broken.
    struct Whims(u32);
    impl Read for Whims {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.0 += 1;
            match self.0 {
                2 => room[..3].copy_from_slice(b"1 2"),
                3 => room[..1].copy_from_slice(b" "),
                4 => return Ok(usize::MAX),
                5 => return Err(io::Error::other("the cable is out")),
                _ => return Err(io::ErrorKind::Interrupted.into()),
            }
            Ok(if self.0 == 2 { 3 } else { 1 })
        }
    }
    let mut scanner = Scanner::new(Whims(0));
    assert_eq!(scanner.next_u64().unwrap(), Some(1));
    assert_eq!(scanner.next_u64().unwrap(), Some(2));
    let error = scanner.next_u64().unwrap_err();
    assert_eq!((error.kind(), error.place().column), (ScanErrorKind::Read, 5));
    assert!(error.to_string().contains("claims more bytes"));
    let error = scanner.next_u64().unwrap_err();
    assert!(error.to_string().ends_with("cannot read on: the cable is out"));
    assert!(error.source().is_some());
}

#[test]
fn nothing_is_read_before_it_is_wanted() {
    /// Panics when it is asked for a second line.
    struct Typist(bool);
    impl Read for Typist {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            assert!(!std::mem::replace(&mut self.0, true), "nobody has typed the next line yet");
            room[..4].copy_from_slice(b"3 4\n");
            Ok(4)
        }
    }
    let mut scanner = Scanner::new(Typist(false));
    scanner.fold_u64(2, |_| ()).unwrap();
    assert_eq!(scanner.next_in_line().unwrap(), None);
}
