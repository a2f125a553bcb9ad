//! The conditions on a set of P-positions as sentences about automatic relations.

use grundy_core::theory::Convention;

use super::TupleQuery;
use crate::{
    budget::{Meter, StopReason},
    discover::{
        Halt,
        atoms::{self, Linear},
        relation::{Relation, Track, exists, find, project},
    },
};

/// What became of a set.
pub(super) enum Judged {
    /// It is that of the P-positions.
    Proved,
    /// At this position a condition fails.
    Fails(Vec<u64>),
}

/// A position at which a claim has no value: it is neither in `yes` nor in `no`.
pub(super) fn undecided(yes: &Relation, no: &Relation, meter: &mut Meter) -> Result<Option<Vec<u64>>, Halt> {
    position(&[&yes.or(no, meter)?.not(meter)?], yes.tracks(), meter)
}

/// Decides whether the positions `yes`, `no` being the others, are the P-positions under these moves.
pub(super) fn judge(
    yes: &Relation,
    no: &Relation,
    moves: &Relation,
    heaps: u8,
    convention: Convention,
    meter: &mut Meter,
) -> Result<Judged, Halt> {
    let here: Vec<Track> = (0..heaps).collect();
    // no set is needed to find a member with an option that is one
    let there = renamed(yes, heaps, meter)?;
    if let Some(p) = position(&[yes, &there, moves], &here, meter)? {
        return Ok(Judged::Fails(p));
    }
    let movable = match convention {
        Convention::Normal => None,
        Convention::Misere => Some(exists(&[moves], &here, meter)?),
    };
    if let Some(movable) = &movable
        && let Some(p) = position(&[yes, &movable.not(meter)?], &here, meter)?
    {
        return Ok(Judged::Fails(p));
    }
    let lost = exists(&[&there, moves], &here, meter)?.not(meter)?;
    let parts: Vec<&Relation> = [no, &lost].into_iter().chain(&movable).collect();
    Ok(position(&parts, &here, meter)?.map_or(Judged::Proved, Judged::Fails))
}

/// The position with the least total, of these the first in lexicographic order, at which a condition fails; None if
/// there is none within 64 bits.
pub(super) fn smallest_failing(
    yes: &Relation,
    no: &Relation,
    moves: &Relation,
    query: &TupleQuery,
    meter: &mut Meter,
) -> Result<Option<Vec<u64>>, Halt> {
    let here: Vec<Track> = (0..query.heaps).collect();
    let won = exists(&[&renamed(yes, query.heaps, meter)?, moves], &here, meter)?;
    let lost = won.not(meter)?;
    let mut failing = exists(&[yes, &won], &here, meter)?;
    match query.convention {
        Convention::Normal => failing = failing.or(&exists(&[no, &lost], &here, meter)?, meter)?,
        Convention::Misere => {
            let movable = exists(&[moves], &here, meter)?;
            failing = failing.or(&exists(&[no, &lost, &movable], &here, meter)?, meter)?;
            failing = failing.or(&exists(&[yes, &movable.not(meter)?], &here, meter)?, meter)?;
        }
    }
    least(vec![failing], query.heaps, meter)
}

/// Of the tuples in all these relations the one whose first `heaps` numbers have the least total, of these the first in
/// lexicographic order; the first relation is on all tracks. None if there is none within 64 bits.
pub(super) fn least(mut known: Vec<Relation>, heaps: u8, meter: &mut Meter) -> Result<Option<Vec<u64>>, Halt> {
    let tracks = known[0].tracks().to_vec();
    let total = tracks.len() as Track;
    let mut terms: Vec<(Track, i128)> = (0..heaps).map(|t| (t, 1)).collect();
    terms.push((total, -1));
    known.push(atoms::equal_zero(&Linear { terms, constant: 0 }, meter)?);
    let mut found = Vec::new();
    for track in std::iter::once(total).chain(tracks) {
        let parts: Vec<&Relation> = known.iter().collect();
        let Some(least) = project(&parts, &[track], meter)?.least() else { return Ok(None) };
        let Ok(fixed) = i128::try_from(least) else { return Ok(None) };
        known.push(atoms::equal_zero(&Linear { terms: vec![(track, 1)], constant: -fixed }, meter)?);
        if track != total {
            let Ok(number) = u64::try_from(least) else { return Ok(None) };
            found.push(number);
        }
    }
    Ok(Some(found))
}

/// An option of the position, in the set if there is one.
pub(super) fn option_in(
    set: Option<&Relation>,
    moves: &Relation,
    from: &[u64],
    heaps: u8,
    meter: &mut Meter,
) -> Result<Option<Vec<u64>>, Halt> {
    let mut parts = vec![moves.clone()];
    parts.extend(set.map(|set| renamed(set, heaps, meter)).transpose()?);
    for (track, number) in (0..heaps).zip(from) {
        let linear = Linear { terms: vec![(track, 1)], constant: -i128::from(*number) };
        parts.push(atoms::equal_zero(&linear, meter)?);
    }
    let parts: Vec<&Relation> = parts.iter().collect();
    position(&parts, &(heaps..2 * heaps).collect::<Vec<_>>(), meter)
}

/// A shortest position in all the relations, which may have other tracks too.
pub(super) fn position(parts: &[&Relation], here: &[Track], meter: &mut Meter) -> Result<Option<Vec<u64>>, Halt> {
    let Some(tuple) = find(parts, meter)? else { return Ok(None) };
    let number = |track: &Track| tuple.iter().find(|(t, _)| t == track).map_or(0, |(_, x)| *x);
    let numbers: Result<Vec<u64>, _> = here.iter().map(|t| u64::try_from(number(t))).collect();
    numbers.map(Some).map_err(|_| Halt::outside("counterexamples beyond 64 bits"))
}

/// The relation between options.
fn renamed(relation: &Relation, heaps: u8, meter: &mut Meter) -> Result<Relation, StopReason> {
    relation.renamed(&(heaps..2 * heaps).collect::<Vec<_>>(), meter)
}
