//! The loop in which all time is spent: who is forced into a set, backwards along the edges.

use grundy_core::theory::digraph::Digraph;

use crate::budget::{Meter, StopReason};

/// A counter of the moves that are left to a vertex: a byte where no vertex has more than 255 moves, which is four times as many
/// in a cache.
pub(super) trait Counter: Copy + Eq {
    const ZERO: Self;
    const ONE: Self;
    /// The number, which must fit.
    fn of(n: u64) -> Self;
    /// One less, but not below zero.
    fn less(self) -> Self;
    /// One more.
    fn more(self) -> Self;
}

macro_rules! counters {
    ($($t:ty),+) => {$(
        impl Counter for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline]
            fn of(n: u64) -> Self {
                n as $t
            }
            #[inline]
            fn less(self) -> Self {
                self - <$t>::from(self != 0)
            }
            #[inline]
            fn more(self) -> Self {
                self + 1
            }
        }
    )+};
}

counters!(u8, u32);

/// Goes on from the vertices `queue[from..len]`, which are in the set: a vertex joins it, and the queue, when its counter of moves
/// falls to zero by moves into the set. Returns the new length.
///
/// The counter of a vertex is one if its player wants to get into the set, the number of its moves if the player does not, zero
/// if it is in the set already or not in the game. So no branch depends on the graph: the predecessor is written behind the end
/// of the queue in any case, and the end moves if it was the last move. Asking the memory some places ahead of the queue for
/// offsets, predecessors and counters changed whole solutions by less than the machine's noise, and is left out.
///
/// # Panics
/// Unless the queue has one place more than there are vertices.
#[inline]
pub(super) fn force<C: Counter>(
    before: &Digraph,
    moves_left: &mut [C],
    queue: &mut [u32],
    from: usize,
    mut len: usize,
    meter: &mut Meter,
) -> Result<usize, StopReason> {
    let mut next = from;
    while next < len {
        let predecessors = before.successors(queue[next]);
        next += 1;
        meter.steps(predecessors.len() as u64 + 1)?;
        for u in predecessors {
            let left = &mut moves_left[*u as usize];
            queue[len] = *u;
            len += usize::from(*left == C::ONE);
            *left = left.less();
        }
    }
    Ok(len)
}
