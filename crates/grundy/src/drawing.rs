//! A place for each vertex of a small graph, so that it can be drawn: data, which the faces turn into a picture.
//!
//! Ends lie at the bottom. A strongly connected component lies above those that it leads to: a vertex of it is as many layers above
//! the lowest place that is free as it has moves to go to one that leads away, or in a component without a way out, to its first
//! vertex. On graphs without cycles that is the longest path to an end. The order within a layer is improved by medians, back and
//! forth, and the best one kept; then vertices move to where their neighbours are, in that order. Nothing is random.

use grundy_core::theory::{digraph::Digraph, scc::Components};

/// Most vertices of a graph that is drawn.
pub const MOST_VERTICES: usize = 300;
/// Most edges of a graph that is drawn.
pub const MOST_EDGES: usize = 2000;

/// From one layer to the next.
const ROW: f64 = 84.0;
/// Between neighbours in a layer.
const GAP: f64 = 16.0;
/// Room for an edge that passes through a layer.
const PASSAGE: f64 = 8.0;
/// Most passages: with more of them, edges that pass layers run straight through.
const MOST_PASSAGES: usize = 4000;
/// Times that the order is improved, downwards and upwards in turn.
const SWEEPS: usize = 16;

/// A point, in units of the widths given; y grows downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// How an edge runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From a vertex to itself.
    Loop,
    /// Between vertices of one layer.
    Level,
    /// To a lower layer.
    Down,
    /// To a higher layer.
    Up,
}

/// An edge, drawn once however often it is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Where it begins.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// How it runs.
    pub way: Way,
    /// Where it passes layers in between.
    pub through: Vec<Point>,
}

/// A drawing of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The lower right corner of everything; the upper left one is 0, 0.
    pub size: Point,
    /// The middle of each vertex.
    pub places: Vec<Point>,
    /// The edges, by their ends.
    pub lines: Vec<Line>,
}

/// Why a graph is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// Its vertices.
    pub vertices: usize,
    /// Its edges.
    pub edges: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TooLarge { vertices, edges } = self;
        write!(
            f,
            "{vertices} vertices with {edges} edges are too many for a picture: it has at most {MOST_VERTICES} with {MOST_EDGES}"
        )
    }
}

impl std::error::Error for TooLarge {}

/// Whether a graph is small enough.
///
/// # Errors
/// [`TooLarge`].
pub fn check(graph: &Digraph) -> Result<(), TooLarge> {
    let (vertices, edges) = (graph.vertices(), graph.edges());
    if vertices > MOST_VERTICES || edges > MOST_EDGES { Err(TooLarge { vertices, edges }) } else { Ok(()) }
}

/// Draws a graph whose vertices are so wide.
///
/// # Complexity
/// O(p²) at worst for p vertices and passages of edges through layers, at most some thousands; next to linear where edges are short.
///
/// # Errors
/// [`TooLarge`].
///
/// # Panics
/// Without a width for each vertex.
///
/// # Examples
/// ```
/// use grundy::drawing::{Way, draw};
/// use grundy_core::theory::digraph::Digraph;
/// let graph = Digraph::from_edges(3, &[(0, 1), (1, 0), (1, 2)]).unwrap();
/// let drawing = draw(&graph, &[40.0; 3]).unwrap();
/// // the end is below, and one of the two edges of the cycle leads up
/// assert!(drawing.places[2].y > drawing.places[1].y && drawing.places[1].y > drawing.places[0].y);
/// assert_eq!(drawing.lines.iter().map(|l| l.way).collect::<Vec<_>>(), [Way::Down, Way::Up, Way::Down]);
/// ```
pub fn draw(graph: &Digraph, widths: &[f64]) -> Result<Drawing, TooLarge> {
    let vertices = graph.vertices();
    assert_eq!(widths.len(), vertices);
    check(graph)?;
    let layers = layers(graph);
    let mut net = Net::new(graph, &layers, widths);
    net.untangle();
    let x = net.columns();
    let top = net.rows.len().saturating_sub(1) as u32;
    let y = |layer: u32| (f64::from(top - layer) + 0.5) * ROW;
    let right = x.iter().zip(&net.widths).map(|(x, w)| x + w / 2.0).fold(0.0, f64::max);
    let places = (0..vertices).map(|v| Point { x: x[v], y: y(layers[v]) }).collect();
    for (line, passages) in net.lines.iter_mut().zip(&net.passages) {
        line.through = passages.iter().map(|p| Point { x: x[*p], y: y(net.layer[*p]) }).collect();
    }
    let size = Point { x: right + GAP, y: ROW * net.rows.len() as f64 };
    Ok(Drawing { size, places, lines: net.lines })
}

/// The layer of each vertex, counted from the bottom.
fn layers(graph: &Digraph) -> Vec<u32> {
    let parts = Components::of_graph(graph);
    let before = graph.reversed();
    let mut part_of = vec![0; graph.vertices()];
    for (c, part) in parts.iter().enumerate() {
        part.iter().for_each(|v| part_of[*v as usize] = c);
    }
    const NONE: u32 = u32::MAX;
    let mut layers = vec![NONE; graph.vertices()];
    for (c, part) in parts.iter().enumerate() {
        let outside = |v: &u32| part_of[*v as usize] != c;
        let below = part.iter().flat_map(|v| graph.successors(*v)).filter(|w| outside(w));
        // components come after those that they lead to
        let base = below.map(|w| layers[*w as usize] + 1).max().unwrap_or(0);
        let mut queue: Vec<u32> = part.iter().copied().filter(|v| graph.successors(*v).iter().any(outside)).collect();
        if queue.is_empty() {
            queue.extend(part.iter().min());
        }
        queue.sort_unstable();
        queue.iter().for_each(|v| layers[*v as usize] = base);
        let mut next = 0;
        while let Some(v) = queue.get(next).copied() {
            next += 1;
            for u in before.successors(v) {
                if !outside(u) && layers[*u as usize] == NONE {
                    layers[*u as usize] = layers[v as usize] + 1;
                    queue.push(*u);
                }
            }
        }
    }
    layers
}

/// Vertices and, after them, passages of long edges through layers, as nodes of a graph whose edges join neighbouring layers.
struct Net {
    widths: Vec<f64>,
    layer: Vec<u32>,
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// The nodes of each layer from left to right.
    rows: Vec<Vec<usize>>,
    lines: Vec<Line>,
    /// Of each line, from its beginning.
    passages: Vec<Vec<usize>>,
}

impl Net {
    fn new(graph: &Digraph, layers: &[u32], widths: &[f64]) -> Net {
        let n = graph.vertices();
        let mut lines = Vec::new();
        for from in 0..n as u32 {
            let mut followers = graph.successors(from).to_vec();
            followers.sort_unstable();
            followers.dedup();
            for to in followers {
                let way = match layers[from as usize].cmp(&layers[to as usize]) {
                    _ if from == to => Way::Loop,
                    std::cmp::Ordering::Equal => Way::Level,
                    std::cmp::Ordering::Greater => Way::Down,
                    std::cmp::Ordering::Less => Way::Up,
                };
                lines.push(Line { from, to, way, through: Vec::new() });
            }
        }
        let span = |line: &Line| layers[line.from as usize].abs_diff(layers[line.to as usize]) as usize;
        let is_bent = lines.iter().map(|l| span(l).saturating_sub(1)).sum::<usize>() <= MOST_PASSAGES;
        let mut net = Net {
            widths: widths.to_vec(),
            layer: layers.to_vec(),
            above: vec![Vec::new(); n],
            below: vec![Vec::new(); n],
            rows: vec![Vec::new(); layers.iter().max().map_or(0, |l| *l as usize + 1)],
            lines: Vec::new(),
            passages: Vec::new(),
        };
        for line in &lines {
            let mut passages = Vec::new();
            let (low, high) = (layers[line.from as usize].min(layers[line.to as usize]), span(line) as u32);
            let (upper, lower) = if line.way == Way::Up { (line.to, line.from) } else { (line.from, line.to) };
            let (mut node, end) = (upper as usize, lower as usize);
            if high == 1 || (high > 1 && is_bent) {
                for layer in (low + 1..low + high).rev() {
                    let passage = net.widths.len();
                    net.widths.push(PASSAGE);
                    net.layer.push(layer);
                    net.above.push(vec![node]);
                    net.below.push(Vec::new());
                    net.below[node].push(passage);
                    passages.push(passage);
                    node = passage;
                }
                net.below[node].push(end);
                net.above[end].push(node);
            }
            if line.way == Way::Up {
                passages.reverse();
            }
            net.passages.push(passages);
        }
        net.lines = lines;
        for (node, layer) in net.layer.iter().enumerate() {
            net.rows[*layer as usize].push(node);
        }
        net
    }

    /// Puts the rows into an order with few crossings.
    fn untangle(&mut self) {
        let mut position = vec![0usize; self.widths.len()];
        let mut best = (usize::MAX, self.rows.clone());
        for sweep in 0..=SWEEPS {
            for row in &self.rows {
                row.iter().enumerate().for_each(|(i, node)| position[*node] = i);
            }
            let crossings = self.crossings(&position);
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
            if crossings == 0 || sweep == SWEEPS {
                break;
            }
            let downwards = sweep % 2 == 0;
            let order: Vec<usize> =
                if downwards { (0..self.rows.len()).rev().collect() } else { (0..self.rows.len()).collect() };
            for layer in order {
                let beside = if downwards { &self.above } else { &self.below };
                let row = &mut self.rows[layer];
                let keyed = row.iter().map(|node| {
                    let mut places: Vec<usize> = beside[*node].iter().map(|b| position[*b]).collect();
                    places.sort_unstable();
                    // twice the median; who has no neighbour stays about where it is
                    let middle = |i: usize| places.get(i).copied();
                    let median = middle(places.len() / 2).zip(middle(places.len().saturating_sub(1) / 2));
                    (median.map_or(2 * position[*node], |(a, b)| a + b), *node)
                });
                let mut keyed: Vec<(usize, usize)> = keyed.collect();
                // stable, so that equal ones keep their order
                keyed.sort_by_key(|(median, _)| *median);
                *row = keyed.into_iter().map(|(_, node)| node).collect();
                row.iter().enumerate().for_each(|(i, node)| position[*node] = i);
            }
        }
        self.rows = best.1;
    }

    /// The number of crossings between neighbouring layers.
    fn crossings(&self, position: &[usize]) -> usize {
        let of_row = |row: &Vec<usize>| {
            let mut ends = Vec::new();
            for node in row {
                let mut below: Vec<usize> = self.below[*node].iter().map(|b| position[*b]).collect();
                below.sort_unstable();
                ends.extend(below);
            }
            // pairs of which the left one ends further right
            let mut seen: Vec<usize> = Vec::with_capacity(ends.len());
            let mut count = 0;
            for end in ends {
                let at = seen.partition_point(|s| *s <= end);
                count += seen.len() - at;
                seen.insert(at, end);
            }
            count
        };
        self.rows.iter().map(of_row).sum()
    }

    /// Where each node lies from left to right: near its neighbours, in the order of its row, no closer than their widths allow.
    fn columns(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.widths.len()];
        for row in &self.rows {
            let free = self.fit(row, &vec![0.0; row.len()]);
            row.iter().zip(free).for_each(|(node, place)| x[*node] = place);
        }
        for pass in 0..SWEEPS {
            for layer in 0..self.rows.len() {
                let row = &self.rows[if pass % 2 == 0 { layer } else { self.rows.len() - 1 - layer }];
                let wanted: Vec<f64> = row
                    .iter()
                    .map(|node| {
                        let beside = || self.above[*node].iter().chain(&self.below[*node]);
                        let count = beside().count();
                        if count == 0 { x[*node] } else { beside().map(|b| x[*b]).sum::<f64>() / count as f64 }
                    })
                    .collect();
                let fitted = self.fit(row, &wanted);
                row.iter().zip(fitted).for_each(|(node, place)| x[*node] = place);
            }
        }
        let left = x.iter().zip(&self.widths).map(|(x, w)| x - w / 2.0).fold(f64::INFINITY, f64::min);
        x.iter().map(|x| x - left + GAP).collect()
    }

    /// The places in a row nearest to the wanted ones, by least squares, that keep order and distances: blocks of nodes that push one
    /// another are joined, and lie at their mean.
    fn fit(&self, row: &[usize], wanted: &[f64]) -> Vec<f64> {
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(row.len());
        // the sum of what its nodes want, and how many they are
        let mut blocks: Vec<(f64, usize)> = Vec::new();
        for (i, (node, wanted)) in row.iter().zip(wanted).enumerate() {
            if i > 0 {
                offset += (self.widths[row[i - 1]] + self.widths[*node]) / 2.0 + GAP;
            }
            offsets.push(offset);
            blocks.push((wanted - offset, 1));
            while let [.., (a, n), (b, m)] = blocks[..]
                && a * m as f64 >= b * n as f64
            {
                blocks.truncate(blocks.len() - 2);
                blocks.push((a + b, n + m));
            }
        }
        let means = blocks.iter().flat_map(|(sum, count)| vec![sum / *count as f64; *count]);
        means.zip(offsets).map(|(mean, offset)| mean + offset).collect()
    }
}

#[cfg(test)]
mod tests;
