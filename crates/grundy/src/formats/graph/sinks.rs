//! Dead ends of games that go on for ever.

use grundy_core::theory::digraph::Digraph;

use super::GraphFile;

impl GraphFile {
    /// Gives each dead end a loop that is lost for its owner, who must move and cannot; returns how many there were.
    ///
    /// A dead end of player 0 gets the greatest odd priority that is there (1 if there is none), one of player 1 the greatest even
    /// one (else 0): whatever it had before, only the loop is seen infinitely often. Where the file marks targets, it becomes one if
    /// its owner is player 1, and is none any more if it is player 0. So the owner loses parity, Büchi and co-Büchi games there. In
    /// reachability and safety games dead ends have a meaning of their own, which this changes.
    ///
    /// # Complexity
    /// O(vertices + edges).
    ///
    /// # Errors
    /// There are dead ends, and the file does not say who moves there. Nothing is changed then.
    ///
    /// # Examples
    /// ```
    /// use grundy::formats::graph::{GraphFormat, read};
    /// let json = br#"{"n": 3, "edges": [[0, 1], [0, 2]], "owner": [0, 0, 1], "priority": [7, 2, 2]}"#;
    /// let mut file = read(json, GraphFormat::Json).unwrap();
    /// assert_eq!(file.lose_at_dead_ends(), Ok(2));
    /// assert_eq!((file.graph.successors(1), file.graph.successors(2)), (&[1][..], &[2][..]));
    /// assert_eq!(file.priority, Some(vec![7, 7, 2]));
    /// ```
    pub fn lose_at_dead_ends(&mut self) -> Result<usize, &'static str> {
        let vertices = self.graph.vertices();
        let ends: Vec<u32> = (0..vertices as u32).filter(|v| self.graph.successors(*v).is_empty()).collect();
        if ends.is_empty() {
            return Ok(0);
        }
        let owner = self.owner.as_ref().ok_or("the file does not say who moves at the dead ends")?;
        let mut offsets = Vec::with_capacity(vertices + 1);
        let mut targets = Vec::with_capacity(self.graph.edges() + ends.len());
        offsets.push(0);
        for v in 0..vertices as u32 {
            match self.graph.successors(v) {
                [] => targets.push(v),
                successors => targets.extend_from_slice(successors),
            }
            offsets.push(targets.len() as u64);
        }
        let graph = Digraph::from_rows(offsets, targets).map_err(|_| "the graph is too large")?;
        if let Some(priority) = &mut self.priority {
            let greatest = |parity: u64| priority.iter().copied().filter(|p| p % 2 == parity).max().unwrap_or(parity);
            let lost = [greatest(1), greatest(0)];
            ends.iter().for_each(|v| priority[*v as usize] = lost[usize::from(owner[*v as usize] == 1)]);
        }
        if let Some(target) = &mut self.target {
            ends.iter().for_each(|v| target[*v as usize] = owner[*v as usize] == 1);
        }
        self.graph = graph;
        Ok(ends.len())
    }
}

#[cfg(test)]
mod tests {
    use grundy_core::theory::{
        parity_game::{Objective, ParityGame},
        zielonka,
    };

    use super::super::{GraphFormat, read};

    #[test]
    fn the_owner_of_a_dead_end_loses() {
        // from 0 player 0 chooses between an end of player 0's and one of player 1's
        for (owner, winner) in [([0, 0, 0], [1, 1, 1]), ([0, 0, 1], [0, 1, 0]), ([1, 0, 1], [1, 1, 0])] {
            let json = format!(
                r#"{{"n": 3, "edges": [[0, 1], [0, 2]], "owner": {owner:?}, "priority": [4, 6, 5], "target": [1]}}"#
            );
            let mut file = read(json.as_bytes(), GraphFormat::Json).unwrap();
            assert_eq!(file.lose_at_dead_ends(), Ok(2));
            let priority: Vec<u32> = file.priority.clone().unwrap().into_iter().map(|p| p as u32).collect();
            let green: Vec<u32> = file.target.clone().unwrap().into_iter().map(|t| u32::from(!t)).collect();
            for (objective, priority) in
                [(Objective::Parity, &priority), (Objective::Buchi, &green), (Objective::CoBuchi, &green)]
            {
                let game = ParityGame::new(file.graph.clone(), owner.to_vec(), priority.clone(), objective).unwrap();
                assert_eq!(zielonka::solve(&game).winner, winner, "{owner:?} {objective:?}");
            }
        }
    }

    #[test]
    fn without_owners_nothing_is_changed() {
        let mut file = read(b"a b\n", GraphFormat::EdgeList).unwrap();
        let before = file.clone();
        assert!(file.lose_at_dead_ends().is_err());
        assert_eq!(file, before);
        let mut cycle = read(b"a b\nb a\n", GraphFormat::EdgeList).unwrap();
        assert_eq!(cycle.lose_at_dead_ends(), Ok(0));
    }
}
