//! Answers Lasker's Nim from standard input (T, then T times N and N heaps): nearly all of its time is that of reading.
//!
//! The example by which the speed of the scanner is measured: `scan_bench < heaps.txt` against a program with `scanf`.
use std::error::Error;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use grundy::judge::scan::{ScanError, Scanner};

/// The Grundy value of a heap in Lasker's Nim, without branches: nobody foresees a heap modulo 4. Heaps below
/// `u64::MAX`.
#[inline]
fn lasker(heap: u64) -> u64 {
    heap.wrapping_add(u64::from(heap % 4 == 3)) - u64::from(heap.is_multiple_of(4) && heap != 0)
}

/// Reads a number that has to be there.
fn number<R: Read>(scanner: &mut Scanner<R>) -> Result<u64, ScanError> {
    let mut number = 0;
    scanner.fold_u64(1, |value| number = value)?;
    Ok(number)
}

fn answer(input: impl Read, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let mut scanner = Scanner::new(input);
    for _ in 0..number(&mut scanner)? {
        let heaps = number(&mut scanner)?;
        let mut value = 0;
        scanner.fold_u64(heaps, |heap| value ^= lasker(heap))?;
        writeln!(out, "{} {value}", if value != 0 { "Alice" } else { "Bob" })?;
    }
    Ok(out.flush()?)
}

fn main() -> ExitCode {
    match answer(io::stdin().lock(), io::BufWriter::new(io::stdout().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scan_bench: {error}");
            ExitCode::from(2)
        }
    }
}
