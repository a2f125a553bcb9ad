//! Cram: any set of cells of a rectangle.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use super::{
    board::{Board, Stages},
    cells::CellSet,
    isomorphism::Graph,
};

/// Cells by their neighbours.
#[derive(Clone, Copy, Debug)]
struct Links<C> {
    /// Those with a neighbour above, and so on.
    above: C,
    below: C,
    left: C,
    right: C,
    /// Those with a neighbour.
    some: C,
    /// Those with one neighbour: dead ends.
    ends: C,
}

/// Cells at the start of the board: values of components that lie there in whatever way are looked up without their canonical
/// form.
const SMALL: u32 = 20;

/// Rows in the middle whose moves come before all others, those across the board first. Measured on boxes of 28 to 39 cells: no
/// other choice looks at fewer options on the larger ones, and some look at twice as many.
const CUTS_ACROSS: usize = 3;
const CUTS_ALONG: usize = 4;

/// Cells whose graphs are compared.
const NAMED_CELLS: usize = 128;

/// A rectangle on which dominoes are placed.
///
/// Cell (row, column) of a board that is not taller than wide is stored turned: the width that is stored is the smaller
/// side, so that every component can be laid with its longer side along the board's.
#[derive(Clone, Debug)]
pub struct Grid<C> {
    width: u32,
    height: u32,
    turned: bool,
    first_column: C,
    last_column: C,
    /// For each set of cells of a row of at most eight cells: the same as a column.
    columns: Vec<C>,
    /// For each height of a component: its rows from the middle outwards.
    rows_from_middle: Vec<Vec<u32>>,
    /// For each column: its cells.
    in_column: Vec<C>,
    /// `2^20 / width`, rounded up: rows by multiplication.
    per_row: u32,
    /// Values of small components that lie in the corner, plus one; 0 where they are not known.
    small: Arc<[AtomicU8]>,
}

impl<C: CellSet> Grid<C> {
    /// The rectangle, or `None` if it has no cell or more than `C` holds.
    pub fn new(rows: u32, columns: u32) -> Option<Self> {
        let (width, height) = (rows.min(columns), rows.max(columns));
        if width == 0 || u64::from(width) * u64::from(height) > u64::from(C::WIDTH) {
            return None;
        }
        let column = |x: u32| (0..height).fold(C::EMPTY, |set, y| set.or(C::cell(y * width + x)));
        let patterns = if width <= 8 { 1u32 << width } else { 0 };
        let as_column =
            |row: u32| (0..width).filter(|x| row >> x & 1 == 1).fold(C::EMPTY, |set, x| set.or(C::cell(x * width)));
        let from_middle = |height: u32| {
            let mut rows: Vec<u32> = (0..height).collect();
            rows.sort_by_key(|y| (2 * y + 1).abs_diff(height));
            rows
        };
        Some(Grid {
            width,
            rows_from_middle: (0..=height).map(from_middle).collect(),
            in_column: (0..width).map(column).collect(),
            per_row: (1 << 20) / width + 1,
            height,
            turned: columns > rows,
            first_column: column(0),
            last_column: column(width - 1),
            columns: (0..patterns).map(as_column).collect(),
            small: (0..1usize << SMALL.min(width * height)).map(|_| AtomicU8::new(0)).collect(),
        })
    }

    /// The number of a cell in the sets of this board.
    pub fn cell(&self, row: u32, column: u32) -> u32 {
        if self.turned { column * self.width + row } else { row * self.width + column }
    }

    /// All cells.
    pub fn all(&self) -> C {
        C::below(self.width * self.height)
    }

    /// The cells next to `cells`, and some of `cells` themselves.
    #[inline]
    fn neighbours(&self, cells: C) -> C {
        let sides = cells.without(self.last_column).up(1).or(cells.without(self.first_column).down(1));
        sides.or(cells.up(self.width)).or(cells.down(self.width))
    }

    /// The component of `cells` that has the cell `c`, or all of `cells` as soon as it holds `enough`, a set that meets
    /// every component.
    #[inline]
    fn component(&self, cells: C, c: u32, enough: C) -> C {
        let mut part = C::cell(c);
        loop {
            let more = part.or(self.neighbours(part)).and(cells);
            if enough.without(more).is_empty() {
                return cells;
            }
            if more == part {
                return part;
            }
            part = more;
        }
    }

    /// The row of a cell.
    #[inline]
    fn row_of(&self, c: u32) -> u32 {
        // exact: cells are few
        (c * self.per_row) >> 20
    }

    #[inline]
    fn row(&self, y: u32) -> C {
        C::below(self.width).up(y * self.width)
    }

    /// Moves the component to the corner.
    #[inline]
    fn cornered(&self, cells: C) -> C {
        let mut cells = cells.down(self.row_of(cells.first()) * self.width);
        while cells.and(self.first_column).is_empty() {
            cells = cells.down(1);
        }
        cells
    }

    /// The width and height of the box around a component in the corner.
    #[inline]
    fn sides(&self, cells: C) -> (u32, u32) {
        let mut width = self.width;
        while cells.and(self.in_column[width as usize - 1]).is_empty() {
            width -= 1;
        }
        let last = C::WIDTH - 1 - cells.reversed().first();
        (width, self.row_of(last) + 1)
    }

    /// The component with left and right exchanged; the box around it lies in the corner.
    #[inline]
    fn mirrored(&self, cells: C, width: u32) -> C {
        let mut to = C::EMPTY;
        for x in 0..width / 2 {
            let by = width - 1 - 2 * x;
            let (left, right) = (self.in_column[x as usize], self.in_column[(width - 1 - x) as usize]);
            to = to.or(cells.and(left).up(by)).or(cells.and(right).down(by));
        }
        if width % 2 == 1 { to.or(cells.and(self.in_column[width as usize / 2])) } else { to }
    }

    /// The component turned by a half turn within its box in the corner.
    #[inline]
    fn half_turned(&self, cells: C, width: u32, height: u32) -> C {
        cells.reversed().down(C::WIDTH - (height - 1) * self.width - width)
    }

    /// Rows become columns; the box fits both ways.
    #[inline]
    fn transposed(&self, cells: C, height: u32) -> C {
        let mut to = C::EMPTY;
        if self.columns.is_empty() {
            let mut from = cells;
            while !from.is_empty() {
                let c = from.first();
                from = from.without(C::cell(c));
                to = to.or(C::cell(c % self.width * self.width + c / self.width));
            }
            return to;
        }
        let row = self.row(0);
        let mut from = cells;
        for y in 0..height {
            to = to.or(self.columns[from.and(row).word(0) as usize].up(y));
            from = from.down(self.width);
        }
        to
    }

    /// The place of a component in the corner among the small ones.
    #[inline]
    fn place(&self, cornered: C) -> Option<&AtomicU8> {
        let rest = cornered.without(C::from_words(|i| if i == 0 { self.small.len() as u64 - 1 } else { 0 }));
        rest.is_empty().then(|| &self.small[cornered.word(0) as usize])
    }

    /// The least of the shapes that symmetries make of a component in the corner, laid in the corner with the longer side of its box
    /// along the board; `None` if a half turn shows that its Grundy value is 0.
    #[inline]
    fn canonical(&self, cornered: C) -> Option<C> {
        let (mut width, mut height) = self.sides(cornered);
        let mut cells = cornered;
        if width > height {
            cells = self.transposed(cells, height);
            (width, height) = (height, width);
        }
        let turned = self.half_turned(cells, width, height);
        if turned == cells && self.mirror_play_wins(cells, width, height) {
            return None;
        }
        let mirrored = self.mirrored(cells, width);
        let flipped = self.half_turned(mirrored, width, height);
        let mut least = cells.min(turned).min(flipped).min(mirrored);
        if width == height {
            let cells = self.transposed(cells, height);
            let turned = self.half_turned(cells, width, height);
            let mirrored = self.mirrored(cells, width);
            let flipped = self.half_turned(mirrored, width, height);
            least = least.min(cells).min(turned).min(flipped).min(mirrored);
        }
        Some(least)
    }

    /// Whether the second player of a component that a half turn maps to itself may always answer with the turned move:
    /// no move meets the move that it is turned into.
    fn mirror_play_wins(&self, cells: C, width: u32, height: u32) -> bool {
        let middle = (height - 1) / 2 * self.width + (width - 1) / 2;
        width.is_multiple_of(2) && height.is_multiple_of(2) || !cells.has(middle)
    }

    /// Which cells have neighbours, and where.
    #[inline]
    fn links(&self, cells: C) -> Links<C> {
        let above = cells.and(cells.up(self.width));
        let below = cells.and(cells.down(self.width));
        let left = cells.and(cells.without(self.last_column).up(1));
        let right = cells.and(cells.without(self.first_column).down(1));
        let some = above.or(below).or(left).or(right);
        let two = above.and(below).or(left.and(right)).or(above.or(below).and(left.or(right)));
        Links { above, below, left, right, some, ends: some.without(two) }
    }

    /// Leaves out cells that change no value: those all of whose neighbours have another
    /// neighbour that is a dead end. Taking such a cell with a neighbour is the same as taking the dead end with it.
    #[inline]
    fn pruned(&self, cells: C) -> (C, C, bool) {
        let Links { above, below, left, right, some, ends } = self.links(cells);
        if ends.is_empty() {
            return (some, some, false);
        }
        let mut served = C::EMPTY;
        let mut kept = some;
        // the neighbour of a dead end keeps the first one only
        let by_below = ends.and(below).up(self.width);
        served = served.or(by_below);
        let by_above = ends.and(above).down(self.width);
        kept = kept.without(by_above.and(served).up(self.width));
        served = served.or(by_above);
        let by_right = ends.and(right).up(1);
        kept = kept.without(by_right.and(served).down(1));
        served = served.or(by_right);
        let by_left = ends.and(left).down(1);
        kept = kept.without(by_left.and(served).up(1));
        served = served.or(by_left);
        let free = self.neighbours(some.without(served));
        let whole = kept.and(free.or(ends));
        (some, whole, whole != kept)
    }
}

/// Appends the results of taking the two cells `c` and `c + step` for all `c` of `lower`.
#[inline]
fn take_pairs<C: CellSet>(cells: C, mut lower: C, step: u32, out: &mut Vec<C>) {
    while !lower.is_empty() {
        let c = lower.first();
        let one = C::cell(c);
        lower = lower.without(one);
        out.push(cells.without(one.or(one.up(step))));
    }
}

impl<C: CellSet> Board for Grid<C> {
    type Cells = C;

    fn moves(&self, cells: C, stage: u32, out: &mut Vec<C>) -> Stages {
        if cells.is_empty() {
            return Stages::Done;
        }
        let last = C::WIDTH - 1 - cells.reversed().first();
        let rows = &self.rows_from_middle[self.row_of(last) as usize + 1];
        // what takes a dead end changes little and comes last
        let ends = self.links(cells).ends;
        let across = cells.and(cells.without(self.first_column).down(1));
        let along = cells.and(cells.down(self.width));
        let (across_end, along_end) = (ends.or(ends.down(1)), ends.or(ends.down(self.width)));
        let (across_end, across) = (across.and(across_end), across.without(across_end));
        let (along_end, along) = (along.and(along_end), along.without(along_end));
        match stage {
            0 => {
                for y in rows.iter().take(CUTS_ACROSS) {
                    take_pairs(cells, across.and(self.row(*y)), 1, out);
                }
                Stages::More
            }
            1 => {
                for y in rows.iter().take(CUTS_ALONG) {
                    take_pairs(cells, along.and(self.row(*y)), self.width, out);
                }
                Stages::More
            }
            _ => {
                for (i, y) in rows.iter().enumerate().skip(CUTS_ACROSS) {
                    take_pairs(cells, across.and(self.row(*y)), 1, out);
                    if i >= CUTS_ALONG {
                        take_pairs(cells, along.and(self.row(*y)), self.width, out);
                    }
                }
                for y in rows {
                    take_pairs(cells, across_end.and(self.row(*y)), 1, out);
                    take_pairs(cells, along_end.and(self.row(*y)), self.width, out);
                }
                Stages::Done
            }
        }
    }

    fn split(&self, from: C, cells: C, out: &mut Vec<C>) -> u32 {
        let (linked, mut left, cut) = self.pruned(cells);
        // every component meets the cells beside the taken ones, if there are any
        let near = self.neighbours(from.without(cells)).and(linked);
        let connected = !cut && !near.is_empty() && self.component(linked, near.first(), near) == linked;
        let mut value = 0;
        while !left.is_empty() {
            let part = if connected { left } else { self.component(left, left.first(), left) };
            left = left.without(part);
            match part.count() {
                1 => {}
                2 | 3 => value ^= 1,
                _ => {
                    let part = self.cornered(part);
                    match self.place(part).map_or(0, |place| place.load(Ordering::Relaxed)) {
                        0 => out.extend(self.canonical(part)),
                        known => value ^= u32::from(known) - 1,
                    }
                }
            }
        }
        value
    }

    fn keep(&self, component: C, value: u32) {
        let (width, height) = self.sides(component);
        let keep_all = |cells: C, width, height| {
            let mirrored = self.mirrored(cells, width);
            let turned = [cells, mirrored].map(|c| self.half_turned(c, width, height));
            for place in [cells, mirrored].into_iter().chain(turned).filter_map(|c| self.place(c)) {
                place.store(value as u8 + 1, Ordering::Relaxed);
            }
        };
        keep_all(component, width, height);
        if height <= self.width {
            keep_all(self.transposed(component, height), height, width);
        }
    }

    fn graph(&self, component: C, graph: &mut Graph) -> bool {
        // different shapes with the same graph nearly always differ by bent tails
        if self.links(component).ends.is_empty() {
            return false;
        }
        graph.clear();
        let (above, left) = (component.up(self.width), component.without(self.last_column).up(1));
        let mut numbers = [0u8; NAMED_CELLS];
        let mut rest = component;
        while !rest.is_empty() {
            let c = rest.first() as usize;
            rest = rest.without(C::cell(c as u32));
            let v = graph.vertex();
            if c >= NAMED_CELLS || v > usize::from(u8::MAX) {
                return false;
            }
            numbers[c] = v as u8;
            let up = above.has(c as u32) && !graph.edge(v, usize::from(numbers[c - self.width as usize]));
            let side = left.has(c as u32) && !graph.edge(v, usize::from(numbers[c - 1]));
            if up || side {
                return false;
            }
        }
        true
    }

    fn weight(&self, component: C) -> u64 {
        let sides = component.and(component.without(self.first_column).down(1)).count();
        let pairs = sides + component.and(component.down(self.width)).count();
        // measured: either alone visits up to twice the positions on some boards
        u64::from(8 * component.count() + 5 * pairs)
    }

    #[inline]
    fn bound(&self, component: C) -> u32 {
        component.count() / 2
    }
}
