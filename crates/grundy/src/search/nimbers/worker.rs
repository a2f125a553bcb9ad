//! One thread of the search for Grundy values by the question "is it one of these?".
//!
//! A question about a component is answered from its options. Known options are values that it has not. An unknown one is
//! asked only for values that can still matter: the search keeps the set of values that the component can have, given
//! what its options may still turn out to be, and stops as soon as this set is a single value or misses the request.
//! Refuted questions are kept in the table as excluded values.

use std::cmp::Reverse;

use super::{
    board::Board,
    cells::CellSet,
    isomorphism::Graph,
    table::{Known, Table},
    trail::{SHARED_DEPTH, Trail},
    value_set::{largest, shifted, up_to},
};

/// An option of the component of a frame, as far as it is not known.
#[derive(Clone, Copy, Debug)]
struct Child {
    /// Values that it is known not to have.
    excluded: u64,
    /// Children of small weight come first.
    weight: u64,
    /// Xor of its known components.
    rest: u32,
    /// Its unknown components in `Worker::parts`, the largest first.
    start: u32,
    end: u32,
}

/// A question that is being answered: is the value of `component` in `request`?
#[derive(Clone, Copy, Debug)]
struct Frame<C> {
    component: C,
    /// The component that was asked for: its graph is the same.
    shape: C,
    request: u64,
    /// Values of options.
    seen: u64,
    /// Values that the component is known not to have.
    excluded: u64,
    bound: u32,
    /// Children whose value is not known: from here to `end` in `Worker::children`.
    open: u32,
    end: u32,
    /// The child that is asked, and what its last part is asked.
    asking: u32,
    asked: u64,
    /// Where its children and parts start.
    children: u32,
    parts: u32,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The Grundy value, in the request or not.
    Exact(u32),
    /// Not in the request.
    NotIn,
    /// A value does not fit into a word of values.
    TooLarge,
}

/// A stack of questions.
#[derive(Debug)]
pub struct Worker<C> {
    frames: Vec<Frame<C>>,
    children: Vec<Child>,
    parts: Vec<C>,
    moves: Vec<C>,
    /// For the moves that are looked up together: known part of the value, end of the components.
    split: Vec<(u32, u32)>,
    graph: Graph,
    other_graph: Graph,
    /// What the question on top was told when the worker stopped.
    held: Option<Reply>,
    /// Positions whose options were looked at.
    pub positions: u64,
}

/// Where a worker works.
#[derive(Debug)]
pub struct At<'a, B> {
    /// The game.
    pub board: &'a B,
    /// What is known.
    pub table: &'a Table,
    /// The worker's own trail and that of another thread.
    pub trails: Option<(&'a Trail, &'a Trail)>,
}

impl<B> Clone for At<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for At<'_, B> {}

/// What one excluded value of an option is worth against its weight: an option known not to have some values more often
/// has the wanted one.
const WEIGHT_OF_AN_EXCLUSION: u64 = 16;

/// Moves that are looked up together, so that their slots of the table come from memory at the same time.
const LOOKED_UP_TOGETHER: usize = 3;

impl<C: CellSet> Worker<C> {
    /// A worker without questions.
    pub fn new() -> Self {
        Worker {
            frames: Vec::new(),
            children: Vec::new(),
            parts: Vec::new(),
            moves: Vec::new(),
            split: Vec::new(),
            graph: Graph::default(),
            other_graph: Graph::default(),
            held: None,
            positions: 0,
        }
    }

    /// Opens a question. Some replies are known at once.
    fn open<B: Board<Cells = C>>(&mut self, board: &B, table: &Table, component: C, request: u64) -> Option<Reply> {
        let known = table.get(&component);
        if let Some(value) = known.value() {
            return Some(Reply::Exact(value));
        }
        let bound = board.bound(component).min(63);
        let request = request & up_to(bound) & !known.excluded();
        if request == 0 {
            return Some(Reply::NotIn);
        }
        self.positions += 1;
        let (children, parts) = (self.children.len(), self.parts.len());
        let mut seen = 0;
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        board.moves(component, &mut moves);
        for chunk in moves.chunks(LOOKED_UP_TOGETHER) {
            self.split.clear();
            let first = self.parts.len();
            for result in chunk {
                let rest = board.split(component, *result, &mut self.parts);
                self.split.push((rest, self.parts.len() as u32));
            }
            table.touch(&self.parts[first..]);
            let mut from = first;
            let mut end = first;
            for i in 0..self.split.len() {
                let (mut rest, to) = self.split[i];
                let start = end;
                for j in from..to as usize {
                    let part = self.parts[j];
                    // equal components cancel
                    if let Some(k) = (start..end).find(|k| self.parts[*k] == part) {
                        end -= 1;
                        self.parts[k] = self.parts[end];
                        continue;
                    }
                    match table.get(&part).value() {
                        Some(value) => rest ^= value,
                        None => {
                            self.parts[end] = part;
                            end += 1;
                        }
                    }
                }
                from = to as usize;
                if start == end {
                    seen |= 1 << rest;
                    continue;
                }
                let unknown = &mut self.parts[start..end];
                if unknown.len() > 1 {
                    unknown.sort_unstable_by_key(|p| Reverse((p.count(), *p)));
                }
                let excluded = if unknown.len() == 1 { shifted(table.get(&unknown[0]).excluded(), rest) } else { 0 };
                let weight = unknown.iter().map(|p| board.weight(*p)).sum::<u64>() * 8;
                let hint = WEIGHT_OF_AN_EXCLUSION * u64::from((excluded & 255).count_ones());
                let weight = weight.saturating_sub(hint);
                self.children.push(Child { excluded, weight, rest, start: start as u32, end: end as u32 });
            }
            self.parts.truncate(end);
            if request & !seen == 0 {
                break;
            }
        }
        self.moves = moves;
        if request & !seen == 0 {
            table.add(&component, Known::not_in(seen | known.excluded()));
            self.children.truncate(children);
            self.parts.truncate(parts);
            return Some(Reply::NotIn);
        }
        let shape = component;
        let mut component = component;
        let mut excluded = known.excluded();
        if let Some(same) = self.same_graph(board, table, component) {
            let known = table.get(&same);
            component = same;
            excluded |= known.excluded();
            if known.value().is_some() || request & !excluded == 0 {
                table.add(&shape, known);
                self.children.truncate(children);
                self.parts.truncate(parts);
                return Some(known.value().map_or(Reply::NotIn, Reply::Exact));
            }
        }
        self.children[children..].sort_unstable_by_key(|c| (c.weight, c.start));
        self.drop_twins(children);
        let end = self.children.len() as u32;
        self.frames.push(Frame {
            component,
            shape,
            request: request & !excluded,
            seen,
            excluded,
            bound,
            open: children as u32,
            end,
            asking: children as u32,
            asked: 0,
            children: children as u32,
            parts: parts as u32,
        });
        None
    }

    /// An earlier component with the same graph, if there is one.
    fn same_graph<B: Board<Cells = C>>(&mut self, board: &B, table: &Table, component: C) -> Option<C> {
        if !board.graph(component, &mut self.graph) {
            return None;
        }
        let hash = self.graph.make_name();
        let other: C = table.namesake(hash, &component)?;
        if other == component {
            return None;
        }
        // two graphs may have the same hash, and another thread may be writing
        let same = board.graph(other, &mut self.other_graph)
            && self.other_graph.make_name() == hash
            && self.other_graph.name() == self.graph.name();
        same.then_some(other)
    }

    /// Of equal children from `first` on, which lie together, leaves one.
    fn drop_twins(&mut self, first: usize) {
        let mut kept = first;
        for i in first..self.children.len() {
            let child = self.children[i];
            let parts = &self.parts[child.start as usize..child.end as usize];
            let twin = self.children[first..kept]
                .iter()
                .rev()
                .take_while(|o| o.weight == child.weight)
                .any(|o| o.rest == child.rest && self.parts[o.start as usize..o.end as usize] == *parts);
            if !twin {
                self.children[kept] = child;
                kept += 1;
            }
        }
        self.children.truncate(kept);
    }

    /// Takes the question on top off and keeps its answer in the table.
    fn close(&mut self, table: &Table, reply: Reply) -> Option<Reply> {
        let frame = self.frames.pop()?;
        self.children.truncate(frame.children as usize);
        self.parts.truncate(frame.parts as usize);
        let known = match reply {
            Reply::Exact(value) => Known::exact(value),
            Reply::NotIn => Known::not_in(frame.request | frame.seen | frame.excluded),
            Reply::TooLarge => Known::NOTHING,
        };
        table.add(&frame.component, known);
        if frame.shape != frame.component {
            table.add(&frame.shape, known);
        }
        Some(reply)
    }

    /// Takes in what the child that was asked replied.
    fn take_in(frame: &mut Frame<C>, children: &mut [Child], reply: Reply) {
        let child = &mut children[frame.asking as usize];
        match reply {
            Reply::NotIn => child.excluded |= shifted(frame.asked, child.rest),
            Reply::Exact(value) => {
                child.rest ^= value;
                child.end -= 1;
                if child.start == child.end {
                    frame.seen |= 1 << child.rest;
                    // known children leave the open ones at the front; the others keep their order
                    children[frame.open as usize..=frame.asking as usize].rotate_right(1);
                    frame.open += 1;
                }
            }
            Reply::TooLarge => {}
        }
    }

    /// The values that the component of a frame can have, and those that are worth asking its open children for.
    fn possible(frame: &mut Frame<C>, open: &[Child]) -> (u64, u64) {
        let may = open.iter().fold(0, |may, child| may | !child.excluded);
        let top = largest(frame.request);
        let (mut possible, mut wanted) = (0u64, 0u64);
        let mut left = open.len();
        let mut unseen = !frame.seen & up_to(frame.bound);
        while unseen != 0 {
            let bit = unseen & unseen.wrapping_neg();
            unseen &= unseen - 1;
            if frame.excluded & bit == 0 {
                possible |= bit;
            } else if possible == 0 {
                // all smaller values are options and this is not the component's own: it is an option's too
                frame.seen |= bit;
                continue;
            }
            // larger values need an option of this one
            if may & bit == 0 || left == 0 {
                break;
            }
            left -= 1;
            if bit.trailing_zeros() <= top {
                wanted |= bit;
            }
        }
        (possible, wanted)
    }

    /// Goes on with the question on top until it opens another (`None`) or is answered.
    fn advance<B: Board<Cells = C>>(&mut self, at: At<'_, B>, reply: Option<Reply>) -> Option<Reply> {
        let mut reply = reply;
        loop {
            let depth = self.frames.len();
            let frame = self.frames.last_mut()?;
            match reply.take() {
                Some(Reply::NotIn) if frame.asked == !0 => return self.close(at.table, Reply::TooLarge),
                Some(Reply::TooLarge) => return self.close(at.table, Reply::TooLarge),
                Some(reply) => Self::take_in(frame, &mut self.children, reply),
                None => {}
            }
            let open = &self.children[frame.open as usize..frame.end as usize];
            let (possible, wanted) = Self::possible(frame, open);
            if possible & frame.request == 0 {
                return self.close(at.table, Reply::NotIn);
            }
            if possible.is_power_of_two() {
                return self.close(at.table, Reply::Exact(possible.trailing_zeros()));
            }
            // the largest wanted value is most often the one that was asked for: an option that has it decides
            let target = 1u64 << largest(wanted);
            let fits = |child: &Child| child.end - child.start > 1 || target & !child.excluded != 0;
            let mut chosen = open.iter().position(fits)?;
            if depth <= SHARED_DEPTH
                && let Some((_, other)) = at.trails
            {
                let elsewhere = |child: &Child| !other.has(&self.parts[child.end as usize - 1]);
                let free = |child: &Child| fits(child) && elsewhere(child);
                chosen = open[chosen..].iter().position(free).map_or(chosen, |i| chosen + i);
            }
            frame.asking = frame.open + chosen as u32;
            let child = &self.children[frame.asking as usize];
            let part = self.parts[child.end as usize - 1];
            frame.asked = if child.end - child.start == 1 { shifted(target, child.rest) } else { !0 };
            let asked = frame.asked;
            reply = Some(self.open(at.board, at.table, part, asked)?);
        }
    }

    /// Closes the lowest question that another thread has answered meanwhile, with all above it.
    fn look_around(&mut self, table: &Table) -> Option<Reply> {
        for (i, frame) in self.frames.iter().enumerate() {
            let known = table.get(&frame.component);
            let reply = match known.value() {
                Some(value) => Reply::Exact(value),
                None if frame.request & !known.excluded() == 0 => Reply::NotIn,
                None => continue,
            };
            self.frames.truncate(i + 1);
            return self.close(table, reply);
        }
        None
    }

    /// Forgets all questions.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.children.clear();
        self.parts.clear();
        self.held = None;
    }

    /// Asks whether the value of a canonical component is in `request` and works at it, for about `positions` positions.
    /// Called again with the same question, it goes on. `None` if there is no answer yet.
    pub fn ask<B: Board<Cells = C>>(
        &mut self,
        at: At<'_, B>,
        component: C,
        request: u64,
        positions: u64,
    ) -> Option<Reply> {
        let to = self.positions + positions;
        let mut reply = if self.frames.is_empty() {
            self.open(at.board, at.table, component, request)
        } else {
            at.trails.and_then(|_| self.look_around(at.table)).or(self.held)
        };
        while !self.frames.is_empty() {
            if self.positions >= to {
                self.held = reply;
                return None;
            }
            reply = self.advance(at, reply);
            if let (Some((own, _)), Some(frame)) = (at.trails, self.frames.last()) {
                own.step(self.frames.len(), &frame.shape);
            }
        }
        reply
    }
}
