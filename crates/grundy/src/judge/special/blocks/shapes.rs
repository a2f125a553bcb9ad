//! Sets of places: what hangs together, symmetries, mirrors.

use super::Place;

/// Places that hang together, those of each piece in their order; the places are in theirs.
pub(super) fn pieces(places: &[Place]) -> Vec<Vec<Place>> {
    let mut is_left = vec![true; places.len()];
    let mut found = Vec::new();
    for (i, first) in places.iter().enumerate() {
        if !std::mem::take(&mut is_left[i]) {
            continue;
        }
        let mut piece = vec![*first];
        let mut next = 0;
        while let Some((r, c)) = piece.get(next).copied() {
            for row in r.saturating_sub(1)..=r + 1 {
                // at most three of a row, one after another
                let from = places.partition_point(|p| *p < (row, c.saturating_sub(1)));
                let near = places[from..].iter().take_while(|p| **p <= (row, c + 1)).count();
                for j in from..from + near {
                    if std::mem::take(&mut is_left[j]) {
                        piece.push(places[j]);
                    }
                }
            }
            next += 1;
        }
        piece.sort_unstable();
        found.push(piece);
    }
    found
}

/// The images of a piece, laid in the corner, under the eight symmetries of the square.
fn images(piece: &[Place]) -> impl Iterator<Item = Vec<Place>> {
    let low = |part: fn(&Place) -> u32| piece.iter().map(part).min().unwrap_or(0);
    let (top, left) = (low(|p| p.0), low(|p| p.1));
    let bottom = piece.iter().map(|p| p.0).max().unwrap_or(0) - top;
    let right = piece.iter().map(|p| p.1).max().unwrap_or(0) - left;
    (0..8).map(move |symmetry| {
        let image = |(r, c): &Place| {
            let (r, c) = (r - top, c - left);
            let r = if symmetry & 1 == 1 { bottom - r } else { r };
            let c = if symmetry & 2 == 2 { right - c } else { c };
            if symmetry & 4 == 4 { (c, r) } else { (r, c) }
        };
        piece.iter().map(image).collect()
    })
}

/// The least image of a piece.
pub(super) fn canonical(piece: &[Place]) -> Vec<Place> {
    let sorted = images(piece).map(|mut image| {
        image.sort_unstable();
        image
    });
    sorted.min().unwrap_or_default()
}

/// True if a mirror maps the piece to itself and no place into its own neighbourhood.
pub(super) fn mirror_play_wins(piece: &[Place]) -> bool {
    let Some(laid) = images(piece).next() else { return true };
    // images have the order of the piece; two quarter turns are no mirrors, for they are not their own inverses
    images(piece).enumerate().any(|(symmetry, image)| {
        let is_apart = laid.iter().zip(&image).all(|(p, q)| p.0.abs_diff(q.0) > 1 || p.1.abs_diff(q.1) > 1);
        symmetry != 0 && symmetry != 5 && symmetry != 6 && is_apart && is_same(&laid, image)
    })
}

/// True if a half turn maps the piece to itself and one place stays where it is.
pub(super) fn has_centre(piece: &[Place]) -> bool {
    let Some(laid) = images(piece).next() else { return false };
    let Some(turned) = images(piece).nth(3) else { return false };
    laid.iter().zip(&turned).any(|(p, q)| p == q) && is_same(&laid, turned)
}

/// True if the image has the places of the piece, which is in order.
fn is_same(piece: &[Place], mut image: Vec<Place>) -> bool {
    image.sort_unstable();
    piece == image
}
