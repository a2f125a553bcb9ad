//! All lost positions of a box, one after another.

use core::ops::ControlFlow;

use grundy_core::theory::Convention;

use crate::budget::{Meter, StopReason};

use super::{Outcomes, ThreeRows};

/// Sends every lost position with at most `rows` rows of at most `columns` squares to `sink`, all rows of it, empty
/// ones too, in lexicographic order, until the sink breaks.
///
/// # Complexity
/// Two rows or three, in normal play: as they are found, three by [`ThreeRows`]. Else that of [`Outcomes::new`], and
/// eight bytes for each lost position.
///
/// # Errors
/// The meter's stop, with how far the positions are known.
pub fn each_lost(
    rows: u64,
    columns: u64,
    convention: Convention,
    meter: &mut Meter,
    sink: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> Result<(), StopReason> {
    if rows == 3 {
        return each_of_three(columns, convention, meter, sink);
    }
    match (rows, convention) {
        (0, _) => return Ok(()),
        (1, _) => {
            let lost = if convention == Convention::Normal { 1 } else { 2 };
            if lost <= columns {
                let _ = sink(&[lost]);
            }
            return Ok(());
        }
        // by theorem
        (2, Convention::Normal) => {
            for first in 1..=columns {
                meter.position()?;
                if sink(&[first, first - 1]).is_break() {
                    break;
                }
            }
            return Ok(());
        }
        _ => {}
    }
    let table = Outcomes::of_box(rows, columns, convention, meter)?;
    meter.bytes(8 * table.tails().all_tails(0) as u64)?;
    let mut order: Vec<(u32, u32)> = Vec::new();
    table.each(|first, tail| order.push((first as u32, tail as u32)));
    order.sort_unstable();
    let mut position = vec![0; rows as usize];
    for (first, tail) in order {
        meter.steps(64)?;
        position[0] = first.into();
        table.tails().unrank(0, tail as usize, &mut position[1..]);
        if sink(&position).is_break() {
            break;
        }
    }
    Ok(())
}

fn each_of_three(
    columns: u64,
    convention: Convention,
    meter: &mut Meter,
    sink: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> Result<(), StopReason> {
    let mut sweep = ThreeRows::new([columns; 3], convention, meter)?;
    let mut lost = Vec::new();
    while !sweep.is_done() {
        let reached = format!("complete to a first row of {} squares", sweep.first() - 1);
        lost.clear();
        sweep.advance(&mut lost, meter).map_err(|stop| stop.reached(reached))?;
        meter.count_positions(lost.len() as u64);
        for p in &lost {
            if sink(&p.map(u64::from)).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
