//! Disjunctive sums.

/// A disjunctive sum: the components in the order they were written, exactly as written.
///
/// A move changes one component. Nothing is folded, sorted or dropped by itself: `nim(3) + nim(3)` is zero in normal
/// play and is *not* zero in misère play, so simplification is left to those who know the convention.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sum<C> {
    components: Vec<C>,
}

impl<C> Default for Sum<C> {
    fn default() -> Self {
        Sum { components: Vec::new() }
    }
}

impl<C> Sum<C> {
    /// The sum of `components`, in that order.
    pub fn new(components: Vec<C>) -> Self {
        Sum { components }
    }

    /// The components in the order written.
    pub fn components(&self) -> &[C] {
        &self.components
    }

    /// Number of components, those without moves included.
    pub fn len(&self) -> usize {
        self.components.len()
    }

    /// True for the empty sum `0`.
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// Takes the components out.
    pub fn into_components(self) -> Vec<C> {
        self.components
    }

    /// The sum after component `i` became `parts`; they stand in its place.
    ///
    /// # Panics
    /// If `i` is not below [`Sum::len`].
    pub fn replaced(&self, i: usize, parts: &[C]) -> Self
    where
        C: Clone,
    {
        let mut components =
            Vec::with_capacity(self.components.len() + parts.len() - 1 + usize::from(parts.is_empty()));
        components.extend_from_slice(&self.components[..i]);
        components.extend_from_slice(parts);
        components.extend_from_slice(&self.components[i + 1..]);
        Sum { components }
    }
}

impl<C> FromIterator<C> for Sum<C> {
    fn from_iter<I: IntoIterator<Item = C>>(iter: I) -> Self {
        Sum { components: iter.into_iter().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_in_the_place_of_the_heap() {
        let s = Sum::new(vec![1, 2, 3]);
        assert_eq!(s.replaced(1, &[7, 8]).components(), [1, 7, 8, 3]);
        assert_eq!(s.replaced(0, &[]).components(), [2, 3]);
        assert_eq!(Sum::new(vec![5]).replaced(0, &[]).len(), 0);
    }
}
