//! The example by which the cost of reading and writing pairs is told from that of multiplying them:
//! `pairs_bench mul < pairs > products` against `pairs_bench xor < pairs > sums`.

use std::{env, io, process::ExitCode};

use grundy::{Budget, judge::pairs};

fn main() -> ExitCode {
    let (input, output, budget) = (io::stdin().lock(), io::stdout().lock(), Budget::default());
    let result = match env::args().nth(1).as_deref() {
        Some("mul") => pairs::nim_products(input, output, &budget),
        Some("xor") => pairs::stream(input, output, &budget, |a, b, out| {
            for ((a, b), out) in a.iter().zip(b).zip(out) {
                *out = a ^ b;
            }
        }),
        _ => {
            eprintln!("pairs_bench: say mul or xor");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pairs_bench: {error}");
            ExitCode::FAILURE
        }
    }
}
