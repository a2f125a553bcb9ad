//! The loop in which walks over graphs spend their time: counters fall along the edges, and who reaches zero comes next.

use grundy_core::theory::digraph::Digraph;

use crate::budget::{Meter, StopReason};

/// A counter of the moves that are left to a vertex: a byte where no vertex has more than 255 moves, which is four times as many
/// in a cache.
pub(crate) trait Counter: Copy + Eq {
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

counters!(u8, u32, u64);

/// Places ahead in the queue at which counters are asked for; neighbours at twice, offsets at three times as many.
pub(crate) const AHEAD: usize = 8;

/// Goes on from the vertices `queue[from..len]`: each lowers the counters of its neighbours along `edges`, and a neighbour whose counter
/// falls to zero joins the queue. Returns the new length.
///
/// Backwards along the moves of a game this finds who is forced into a set: the counter of a vertex is one if its player wants to
/// get into the set, the number of its moves if the player does not, zero if it is in the set already or not in the game. Along
/// the edges of a graph, with numbers of entering edges as counters, it is a topological order.
///
/// No branch depends on the graph: the neighbour is written behind the end of the queue in any case, and the end moves if its
/// counter fell to zero. Offsets, neighbours and counters are asked for some places ahead in the queue, which halves the time where
/// edges lead anywhere.
///
/// # Panics
/// Unless the queue has one place more than there are vertices.
#[inline]
pub(crate) fn force<C: Counter>(
    edges: &Digraph,
    counters: &mut [C],
    queue: &mut [u32],
    from: usize,
    mut len: usize,
    meter: &mut Meter,
) -> Result<usize, StopReason> {
    let (offsets, targets) = (edges.offsets(), edges.targets());
    let mut next = from;
    while next < len {
        // what stands behind the end is old, but vertices too
        if let Some(v) = queue.get(next + 3 * AHEAD) {
            prefetch(offsets, *v as usize);
        }
        if let Some(v) = queue.get(next + 2 * AHEAD) {
            prefetch(targets, offsets[*v as usize] as usize);
        }
        if let Some(v) = queue.get(next + AHEAD) {
            edges.successors(*v).iter().take(4).for_each(|u| prefetch(counters, *u as usize));
        }
        let neighbours = edges.successors(queue[next]);
        next += 1;
        meter.steps(neighbours.len() as u64 + 1)?;
        for u in neighbours {
            let left = &mut counters[*u as usize];
            queue[len] = *u;
            len += usize::from(*left == C::ONE);
            *left = left.less();
        }
    }
    Ok(len)
}

/// Asks the memory for an entry that is needed soon; nothing where the processor has no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(table: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, and any address is allowed; the instruction is part of every x86-64.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(table.as_ptr().wrapping_add(index).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (table, index);
}
