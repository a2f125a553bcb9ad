//! What was typed after `grundy quotient`.

use clap::Args as ClapArgs;

use super::{LimitArgs, OwnRules, TextOrJson, number};

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  grundy quotient kayles
  grundy quotient 0.123 --format json
  grundy quotient 0.07 --to-heap 33 --time none

Two sums are in one class if no third one tells them apart in misère play. The classes multiply as sums add, and the lost ones,
P, say who loses. Letters are the classes of the heaps that are named; the rules bring every product to its shortest form, and a sum
is lost if its form is one of those listed. Everything is proved for sums of heaps up to the one that is named, and for all heaps
where a period is proved. It goes on to that proof, to --to-heap, or to a limit; what was proved before a limit is printed, and the
exit code is 3. Many games have no finite quotient.")]
pub struct QuotientArgs {
    /// A heap game: a name, a code such as 0.77, or a rule such as '[take 1..3]'
    pub rule: String,
    /// Last heap
    #[arg(long, value_name = "N", value_parser = number)]
    pub to_heap: Option<u64>,
    #[command(flatten)]
    pub own: OwnRules,
    /// Output format
    #[arg(long, value_enum, default_value = "text", env = "GRUNDY_FORMAT")]
    pub format: TextOrJson,
    #[command(flatten)]
    pub limits: LimitArgs,
}
