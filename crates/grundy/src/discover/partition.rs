//! Partition refinement, for the least deterministic automaton.

/// Classes of states that are split by marks.
pub(super) struct Partition {
    /// States, those of a class side by side, the marked ones first.
    order: Vec<u32>,
    place: Vec<u32>,
    class: Vec<u32>,
    /// First place, length and number of marked states of each class.
    first: Vec<u32>,
    len: Vec<u32>,
    marked: Vec<u32>,
    touched: Vec<u32>,
}

impl Partition {
    pub(super) fn new(count: usize) -> Self {
        let all: Vec<u32> = (0..count as u32).collect();
        Partition {
            order: all.clone(),
            place: all,
            class: vec![0; count],
            first: vec![0],
            len: vec![count as u32],
            marked: vec![0],
            touched: Vec::new(),
        }
    }

    pub(super) fn classes(&self) -> u32 {
        self.first.len() as u32
    }

    pub(super) fn class(&self, state: u32) -> u32 {
        self.class[state as usize]
    }

    pub(super) fn members(&self, class: u32) -> &[u32] {
        let first = self.first[class as usize] as usize;
        &self.order[first..first + self.len[class as usize] as usize]
    }

    pub(super) fn mark(&mut self, state: u32) {
        let class = self.class[state as usize] as usize;
        let (place, end) = (self.place[state as usize], self.first[class] + self.marked[class]);
        if place < end {
            return;
        }
        if self.marked[class] == 0 {
            self.touched.push(class as u32);
        }
        let other = self.order[end as usize];
        self.order.swap(place as usize, end as usize);
        (self.place[state as usize], self.place[other as usize]) = (end, place);
        self.marked[class] += 1;
    }

    /// Makes the marked states of each class that has others a class of its own; says (length, class) of the rest and of it.
    pub(super) fn split(&mut self, mut tell: impl FnMut((u32, u32), (u32, u32))) {
        while let Some(class) = self.touched.pop() {
            let c = class as usize;
            let marked = std::mem::take(&mut self.marked[c]);
            if marked == self.len[c] {
                continue;
            }
            let new = self.first.len() as u32;
            self.first.push(self.first[c]);
            self.len.push(marked);
            self.marked.push(0);
            self.first[c] += marked;
            self.len[c] -= marked;
            for i in 0..marked {
                let s = self.order[(self.first[new as usize] + i) as usize];
                self.class[s as usize] = new;
            }
            tell((self.len[c], class), (marked, new));
        }
    }
}
