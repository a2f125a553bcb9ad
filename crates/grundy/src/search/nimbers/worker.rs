//! One thread of the search for Grundy values by the question "is it one of these?".
//!
//! A question about a component is answered from its options. Known options are values that it has not. An unknown one
//! is asked only for values that can still matter: the search keeps the set of values that the component can have,
//! given what its options may still turn out to be, and stops as soon as this set is a single value or misses the
//! request. Refuted questions are kept in the table as excluded values.

use std::cmp::Reverse;

use super::{
    board::{Board, Stages},
    cells::CellSet,
    isomorphism::Graph,
    table::{Known, Table},
    trail::{At, SHARED_DEPTH},
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
    /// How often a question about it was given up.
    tries: u32,
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
    /// Number of positions at which the question is given up.
    limit: u64,
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
    /// Given up for now.
    Later,
}

/// A stack of questions; those of two threads share no cache line.
#[derive(Debug)]
#[repr(align(128))]
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
    /// Number of positions at which the next question is given up.
    limit: u64,
    /// Positions whose options were looked at.
    pub positions: u64,
}

/// What one excluded value of an option is worth against its weight: an option known not to have some values more often
/// has the wanted one.
const WEIGHT_OF_AN_EXCLUSION: u64 = 13;

/// Positions that a question about a component of so many cells may cost before others are tried.
///
/// A wrong choice high in the tree costs more than all the rest; what was found before it is given up stays in the
/// table. The growth is about that of the cost of an answer (measured on Cram); smaller allowances lose more than they
/// save.
fn allowance(cells: u32, tries: u32) -> u64 {
    let log = (cells / 2).saturating_sub(2) + 2 * tries;
    let whole = 1u64 << log.min(60);
    // odd numbers of cells: the square root of two more
    if cells % 2 == 1 { whole + whole * 2 / 5 } else { whole }
}

/// Components of which something is known from which on graphs are compared: it saves positions and memory from the start,
/// but time only in long searches, if at all (a tenth is lost on Cram 5x7).
const NAMED_FROM: usize = if cfg!(test) { 1 } else { 1 << 20 };

/// Moves that are looked up together, so that their slots of the table come from memory at the same time.
const LOOKED_UP_TOGETHER: usize = 2;

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
            limit: u64::MAX,
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
        'stages: for stage in 0.. {
            moves.clear();
            let stages = board.moves(component, stage, &mut moves);
            for chunk in moves.chunks(LOOKED_UP_TOGETHER) {
                self.look_up(board, table, component, chunk, &mut seen);
                if request & !seen == 0 {
                    break 'stages;
                }
            }
            if stages == Stages::Done {
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
        for child in &mut self.children[children..] {
            let unknown = &self.parts[child.start as usize..child.end as usize];
            child.weight = unknown.iter().map(|p| board.weight(*p)).sum();
            if let [part] = unknown {
                child.excluded = shifted(table.excluded(part), child.rest);
                let hint = WEIGHT_OF_AN_EXCLUSION * u64::from((child.excluded & 255).count_ones());
                child.weight = child.weight.saturating_sub(hint);
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
            limit: self.limit,
            children: children as u32,
            parts: parts as u32,
        });
        None
    }

    /// Adds the values of known options to `seen` and the others to the children, without their weights.
    #[inline]
    fn look_up<B: Board<Cells = C>>(&mut self, board: &B, table: &Table, component: C, options: &[C], seen: &mut u64) {
        self.split.clear();
        let first = self.parts.len();
        for option in options {
            let rest = board.split(component, *option, &mut self.parts);
            self.split.push((rest, self.parts.len() as u32));
        }
        table.touch(&self.parts[first..]);
        let (mut from, mut end) = (first, first);
        for (rest, to) in &self.split {
            let mut rest = *rest;
            let start = end;
            for i in from..*to as usize {
                let part = self.parts[i];
                // equal components cancel
                if let Some(twin) = (start..end).find(|twin| self.parts[*twin] == part) {
                    end -= 1;
                    self.parts[twin] = self.parts[end];
                    continue;
                }
                match table.value(&part) {
                    Some(value) => rest ^= value,
                    None => {
                        self.parts[end] = part;
                        end += 1;
                    }
                }
            }
            from = *to as usize;
            if start == end {
                *seen |= 1 << rest;
                continue;
            }
            if end - start > 1 {
                self.parts[start..end].sort_unstable_by_key(|p| Reverse((p.count(), *p)));
            }
            self.children.push(Child { excluded: 0, weight: 0, rest, start: start as u32, end: end as u32, tries: 0 });
        }
        self.parts.truncate(end);
    }

    /// An earlier component with the same graph, if there is one and the search is long.
    fn same_graph<B: Board<Cells = C>>(&mut self, board: &B, table: &Table, component: C) -> Option<C> {
        if table.known().1 < NAMED_FROM || !board.graph(component, &mut self.graph) {
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
    fn close<B: Board<Cells = C>>(&mut self, at: At<'_, B>, reply: Reply) -> Option<Reply> {
        let frame = self.frames.pop()?;
        self.children.truncate(frame.children as usize);
        self.parts.truncate(frame.parts as usize);
        let known = match reply {
            Reply::Exact(value) => {
                at.board.keep(frame.component, value);
                Known::exact(value)
            }
            Reply::NotIn => Known::not_in(frame.request | frame.seen | frame.excluded),
            Reply::TooLarge | Reply::Later => Known::NOTHING,
        };
        at.table.add(&frame.component, known);
        if frame.shape != frame.component {
            at.table.add(&frame.shape, known);
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
            Reply::Later => child.tries += 1,
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
                Some(Reply::NotIn) if frame.asked == !0 => return self.close(at, Reply::TooLarge),
                Some(Reply::TooLarge) => return self.close(at, Reply::TooLarge),
                Some(reply) => Self::take_in(frame, &mut self.children, reply),
                None => {}
            }
            if self.positions >= frame.limit {
                return self.close(at, Reply::Later);
            }
            let open = &self.children[frame.open as usize..frame.end as usize];
            let (possible, wanted) = Self::possible(frame, open);
            if possible & frame.request == 0 {
                return self.close(at, Reply::NotIn);
            }
            if possible.is_power_of_two() {
                return self.close(at, Reply::Exact(possible.trailing_zeros()));
            }
            // the largest wanted value is most often the one that was asked for: an option that has it decides
            let target = 1u64 << largest(wanted);
            let fits = |child: &Child| child.end - child.start > 1 || target & !child.excluded != 0;
            // of those given up least often the first; without any the answer would be known
            let fitting = open.iter().enumerate().filter(|(_, child)| fits(child));
            let (mut chosen, tries) = fitting.map(|(i, child)| (i, child.tries)).min_by_key(|(_, tries)| *tries)?;
            if depth <= SHARED_DEPTH
                && let Some((_, other)) = at.trails
            {
                let elsewhere = |child: &Child| !other.has(&self.parts[child.end as usize - 1]);
                let free = |child: &Child| fits(child) && child.tries == tries && elsewhere(child);
                chosen = open[chosen..].iter().position(free).map_or(chosen, |i| chosen + i);
            }
            frame.asking = frame.open + chosen as u32;
            let child = &self.children[frame.asking as usize];
            let part = self.parts[child.end as usize - 1];
            frame.asked = if child.end - child.start == 1 { shifted(target, child.rest) } else { !0 };
            let asked = frame.asked;
            self.limit = frame.limit.min(self.positions.saturating_add(allowance(part.count(), child.tries)));
            reply = Some(self.open(at.board, at.table, part, asked)?);
        }
    }

    /// Closes the lowest question that another thread has answered meanwhile, with all above it.
    fn look_around<B: Board<Cells = C>>(&mut self, at: At<'_, B>) -> Option<Reply> {
        for (i, frame) in self.frames.iter().enumerate() {
            let known = at.table.get(&frame.component);
            let reply = match known.value() {
                Some(value) => Reply::Exact(value),
                None if frame.request & !known.excluded() == 0 => Reply::NotIn,
                None => continue,
            };
            self.frames.truncate(i + 1);
            return self.close(at, reply);
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

    /// Asks whether the value of a canonical component is in `request` and works at it, for about `positions`
    /// positions. Called again with the same question, it goes on. `None` if there is no answer yet.
    pub fn ask<B: Board<Cells = C>>(
        &mut self,
        at: At<'_, B>,
        component: C,
        request: u64,
        positions: u64,
    ) -> Option<Reply> {
        let to = self.positions + positions;
        let mut reply = if self.frames.is_empty() {
            self.limit = u64::MAX;
            self.open(at.board, at.table, component, request)
        } else {
            at.trails.and_then(|_| self.look_around(at)).or(self.held)
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
