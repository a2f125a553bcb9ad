//! Rulesets that a user brings at run time; positions are lists of numbers.
//!
//! [`DynRuleset`] is what the faces need of such a ruleset: two required methods, `name` and `options`; the rest is provided.
//! A [`Ruleset`] written in Rust becomes one by [`Named`].

use core::{fmt, ops::ControlFlow};

use crate::ruleset::{OptionSink, Ruleset};

/// Receives the options of a position of a [`DynRuleset`]: the parts of an option, then its end.
///
/// Nothing is allocated on the way, so a ruleset may be asked millions of times.
pub trait DynSink {
    /// Adds a position to the option in the making; the numbers are only lent.
    fn part(&mut self, position: &[u64]);

    /// The option in the making is complete, the sum of the parts since the one before it.
    fn option(&mut self) -> ControlFlow<()>;

    /// Called now and then while many candidates are rejected, so that a search for options can be stopped too.
    fn tick(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl dyn DynSink + '_ {
    /// An option that is a single position.
    pub fn push(&mut self, position: &[u64]) -> ControlFlow<()> {
        self.part(position);
        self.option()
    }

    /// An option that is the sum of `parts`.
    pub fn push_sum<'a>(&mut self, parts: impl IntoIterator<Item = &'a [u64]>) -> ControlFlow<()> {
        parts.into_iter().for_each(|p| self.part(p));
        self.option()
    }
}

/// Why the options of a position were not all sent, though the sink did not ask to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// True if the rules were stopped by a limit of their own, such as time or memory; false if they are wrong.
    pub is_limit: bool,
    /// What happened: a sentence in lower case without a full stop.
    pub message: String,
}

/// A ruleset that a user brings at run time; positions are lists of numbers.
///
/// # Examples
/// ```
/// use core::ops::ControlFlow;
/// use grundy_core::rulesets::custom::{DynRuleset, DynSink, options_of};
///
/// /// Take 1 to 3.
/// #[derive(Debug)]
/// struct Small;
///
/// impl DynRuleset for Small {
///     fn name(&self) -> &str {
///         "small"
///     }
///     fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
///         (1..=3).filter_map(|k| position[0].checked_sub(k)).try_for_each(|left| sink.push(&[left]))
///     }
/// }
/// assert_eq!(options_of(&Small, &[2]), [vec![vec![1]], vec![vec![0]]]);
/// ```
pub trait DynRuleset: Send + Sync + fmt::Debug {
    /// The name it is printed under, in lower case.
    fn name(&self) -> &str;

    /// Sends every option of `position`, each a sum of positions, to the sink; stops when the sink breaks.
    ///
    /// The position is one that [`DynRuleset::check_position`] accepts.
    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()>;

    // The rest is provided.

    /// The rules in a sentence or two, for people; empty if nothing is said.
    fn about(&self) -> &str {
        ""
    }

    /// How many numbers a position has; None where it may have any number.
    fn dimension(&self) -> Option<usize> {
        None
    }

    /// True if each number in the parentheses is a component of its own, as in heap games.
    fn is_heap(&self) -> bool {
        false
    }

    /// Accepts the lists of numbers that are positions.
    ///
    /// # Errors
    /// What is wrong with the list and what would be right, in words.
    fn check_position(&self, position: &[u64]) -> Result<(), String> {
        match self.dimension() {
            Some(d) if d != position.len() => Err(wrong_length(self.name(), d, position.len())),
            _ => Ok(()),
        }
    }

    /// The position that is meant where the parentheses are left out.
    fn start(&self) -> Option<Vec<u64>> {
        None
    }

    /// The number that a word in quotes stands for, in a position.
    fn number_of(&self, word: &str) -> Option<u64> {
        let _ = word;
        None
    }

    /// A representative of all positions that are the same up to order or symmetry; idempotent.
    fn canonical(&self, position: &[u64]) -> Vec<u64> {
        position.to_vec()
    }

    /// The position as it is written inside the parentheses.
    fn print_position(&self, position: &[u64]) -> String {
        join(position)
    }

    /// The name of the move from `position` to the sum of `to`, an option.
    fn move_name(&self, position: &[u64], to: &[Vec<u64>]) -> String {
        let _ = position;
        leads_to(to)
    }

    /// The number of a position in an order in which every part of every option comes before it, where the ruleset knows one.
    /// Values of all positions up to a rank are then found one after another, without search.
    fn rank(&self, position: &[u64]) -> Option<u64> {
        let _ = position;
        None
    }

    /// The position of a rank.
    fn unrank(&self, rank: u64) -> Option<Vec<u64>> {
        let _ = rank;
        None
    }

    /// What went wrong since this was last asked, if the options of a position could not be found.
    fn take_fault(&self) -> Option<Fault> {
        None
    }
}

/// All options as owned sums; for tests and small positions.
pub fn options_of(ruleset: &dyn DynRuleset, position: &[u64]) -> Vec<Vec<Vec<u64>>> {
    let mut all = Vec::new();
    let _ = each_option(ruleset, position, |option| {
        all.push(option.to_vec());
        ControlFlow::Continue(())
    });
    all
}

/// Hands every option to `take` as a list of positions.
pub fn each_option(
    ruleset: &dyn DynRuleset,
    position: &[u64],
    take: impl FnMut(&[Vec<u64>]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    struct Lists<F> {
        parts: Vec<Vec<u64>>,
        take: F,
    }
    impl<F: FnMut(&[Vec<u64>]) -> ControlFlow<()>> DynSink for Lists<F> {
        fn part(&mut self, position: &[u64]) {
            self.parts.push(position.to_vec());
        }
        fn option(&mut self) -> ControlFlow<()> {
            let seen = (self.take)(&self.parts);
            self.parts.clear();
            seen
        }
    }
    ruleset.options(position, &mut Lists { parts: Vec::new(), take })
}

/// The name of a move of which nothing is known but where it leads.
fn leads_to(to: &[Vec<u64>]) -> String {
    match to {
        [] => "to the end".into(),
        _ => format!("to {}", to.iter().map(|p| format!("({})", join(p))).collect::<Vec<_>>().join(" + ")),
    }
}

/// What is said of a position with a wrong number of numbers.
pub fn wrong_length(name: &str, wanted: usize, found: usize) -> String {
    let numbers = if wanted == 1 { "number" } else { "numbers" };
    format!("a position of {name} has {wanted} {numbers}, not {found}")
}

pub(super) fn join(position: &[u64]) -> String {
    position.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

/// A position that is a list of numbers.
pub trait Numbers: Sized {
    /// How many numbers, where that is fixed.
    const COUNT: Option<usize>;
    /// The numbers.
    fn numbers(&self) -> &[u64];
    /// The position of these numbers.
    fn from_numbers(numbers: &[u64]) -> Option<Self>;
}

impl Numbers for u64 {
    const COUNT: Option<usize> = Some(1);
    fn numbers(&self) -> &[u64] {
        core::slice::from_ref(self)
    }
    fn from_numbers(numbers: &[u64]) -> Option<Self> {
        if let [n] = numbers { Some(*n) } else { None }
    }
}

impl<const N: usize> Numbers for [u64; N] {
    const COUNT: Option<usize> = Some(N);
    fn numbers(&self) -> &[u64] {
        self
    }
    fn from_numbers(numbers: &[u64]) -> Option<Self> {
        numbers.try_into().ok()
    }
}

impl Numbers for Vec<u64> {
    const COUNT: Option<usize> = None;
    fn numbers(&self) -> &[u64] {
        self
    }
    fn from_numbers(numbers: &[u64]) -> Option<Self> {
        Some(numbers.to_vec())
    }
}

/// What names moves: the ruleset, a position, and the parts of one of its options.
pub type MoveNames<R> = fn(&R, &<R as Ruleset>::Position, &[<R as Ruleset>::Position]) -> String;

/// A [`Ruleset`] written in Rust, under a name, as the faces take it.
///
/// # Examples
/// ```
/// use core::ops::ControlFlow;
/// use grundy_core::{
///     ruleset::{OptionSink, Ruleset},
///     rulesets::custom::{DynRuleset, Named, options_of},
/// };
///
/// #[derive(Debug)]
/// struct Small;
///
/// impl Ruleset for Small {
///     type Position = u64;
///     fn options(&self, n: &u64, sink: &mut impl OptionSink<u64>) -> ControlFlow<()> {
///         (1..=3.min(*n)).try_for_each(|k| sink.push(n - k))
///     }
/// }
/// let small = Named::new("small", Small).counting_down();
/// assert_eq!(options_of(&small, &[2]), [vec![vec![1]], vec![vec![0]]]);
/// ```
pub struct Named<R: Ruleset> {
    name: String,
    about: String,
    ruleset: R,
    counts_down: bool,
    move_names: Option<MoveNames<R>>,
}

impl<R: Ruleset> fmt::Debug for Named<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<R: Ruleset> Named<R>
where
    R::Position: Numbers,
{
    /// The ruleset under this name, which should be in lower case: letters, digits and underscores.
    pub fn new(name: impl Into<String>, ruleset: R) -> Self {
        Named { name: name.into(), about: String::new(), ruleset, counts_down: false, move_names: None }
    }

    /// With a sentence for people.
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = about.into();
        self
    }

    /// With names of moves; without them a move is called by where it leads to.
    pub fn naming_moves(mut self, names: MoveNames<R>) -> Self {
        self.move_names = Some(names);
        self
    }

    /// States that positions are single numbers, each a component of its own in a list, and that every part of every option is
    /// a smaller number. Values are then found one after another, from 0 on.
    pub fn counting_down(mut self) -> Self {
        self.counts_down = R::Position::COUNT == Some(1);
        self
    }

    /// The ruleset itself.
    pub fn ruleset(&self) -> &R {
        &self.ruleset
    }
}

impl<R> DynRuleset for Named<R>
where
    R: Ruleset + Send + Sync,
    R::Position: Numbers,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn options(&self, position: &[u64], sink: &mut dyn DynSink) -> ControlFlow<()> {
        struct Wrapped<'a>(&'a mut dyn DynSink);
        impl<P: Numbers> OptionSink<P> for Wrapped<'_> {
            fn push_sum(&mut self, parts: &[P]) -> ControlFlow<()> {
                parts.iter().for_each(|p| self.0.part(p.numbers()));
                self.0.option()
            }
            fn tick(&mut self) -> ControlFlow<()> {
                self.0.tick()
            }
        }
        match R::Position::from_numbers(position) {
            Some(p) => self.ruleset.options(&p, &mut Wrapped(sink)),
            None => ControlFlow::Continue(()),
        }
    }

    fn dimension(&self) -> Option<usize> {
        R::Position::COUNT
    }

    fn is_heap(&self) -> bool {
        self.counts_down
    }

    fn canonical(&self, position: &[u64]) -> Vec<u64> {
        R::Position::from_numbers(position)
            .map_or_else(|| position.to_vec(), |p| self.ruleset.canonical(&p).numbers().to_vec())
    }

    fn move_name(&self, position: &[u64], to: &[Vec<u64>]) -> String {
        let parts: Option<Vec<R::Position>> = to.iter().map(|q| R::Position::from_numbers(q)).collect();
        match (self.move_names, R::Position::from_numbers(position), parts) {
            (Some(names), Some(p), Some(parts)) => names(&self.ruleset, &p, &parts),
            _ => leads_to(to),
        }
    }

    fn rank(&self, position: &[u64]) -> Option<u64> {
        if self.counts_down { position.first().copied() } else { None }
    }

    fn unrank(&self, rank: u64) -> Option<Vec<u64>> {
        self.counts_down.then(|| vec![rank])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ruleset::{Playable, options_of as of_ruleset},
        rulesets::{heap::HeapRule, tuple::Wythoff},
    };

    #[test]
    fn a_ruleset_under_a_name_has_the_same_options() {
        let kayles = Named::new("my", HeapRule::octal(0, &[7, 7])).counting_down().naming_moves(Playable::move_name);
        for n in 0..12u64 {
            let lists: Vec<Vec<Vec<u64>>> = of_ruleset(kayles.ruleset(), &n)
                .into_iter()
                .map(|o| o.into_iter().map(|p| vec![p]).collect())
                .collect();
            assert_eq!(options_of(&kayles, &[n]), lists);
        }
        assert_eq!(kayles.move_name(&[9], &[vec![1], vec![6]]), "take 2, leave 1 + 6");
        assert_eq!((kayles.rank(&[9]), kayles.unrank(9)), (Some(9), Some(vec![9])));
        assert_eq!(kayles.check_position(&[1, 2]).unwrap_err(), "a position of my has 1 number, not 2");
        let queen = Named::new("queen", Wythoff).counting_down();
        assert_eq!((queen.rank(&[1, 2]), queen.is_heap(), queen.dimension()), (None, false, Some(2)));
        assert_eq!(queen.canonical(&[5, 3]), Wythoff.canonical(&[5, 3]));
        // a position of the wrong length has no options, and nothing breaks
        assert!(options_of(&queen, &[1]).is_empty());
    }
}
