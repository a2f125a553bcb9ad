use super::*;
use proptest::prelude::*;

proptest! {
    /// Vertices of a layer do not touch, edges keep to their ways, all is inside, and drawn again it is the same.
    #[test]
    fn any_graph_is_drawn(n in 0u32..24, edges in prop::collection::vec((0u32..24, 0u32..24), 0..80)) {
        let edges: Vec<(u32, u32)> = edges.into_iter().filter(|(a, b)| *a < n && *b < n).collect();
        let graph = Digraph::from_edges(n as usize, &edges).unwrap();
        let widths: Vec<f64> = (0..n).map(|v| 30.0 + f64::from(v % 5) * 20.0).collect();
        let drawing = draw(&graph, &widths).unwrap();
        prop_assert_eq!(&drawing, &draw(&graph, &widths).unwrap());
        for (v, a) in drawing.places.iter().enumerate() {
            prop_assert!(a.x - widths[v] / 2.0 >= 0.0 && a.x + widths[v] / 2.0 <= drawing.size.x);
            prop_assert!(a.y > 0.0 && a.y < drawing.size.y);
            for (w, b) in drawing.places.iter().enumerate().filter(|(w, b)| *w != v && b.y == a.y) {
                prop_assert!((a.x - b.x).abs() > (widths[v] + widths[w]) / 2.0, "{} {}", v, w);
            }
        }
        let mut distinct = edges.clone();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert_eq!(distinct, drawing.lines.iter().map(|l| (l.from, l.to)).collect::<Vec<_>>());
        let parts = Components::of_graph(&graph);
        for line in &drawing.lines {
            let mut ys = vec![drawing.places[line.from as usize].y];
            ys.extend(line.through.iter().map(|p| p.y));
            ys.push(drawing.places[line.to as usize].y);
            let runs = match line.way {
                Way::Loop => line.from == line.to,
                Way::Level => ys[0] == ys[1],
                Way::Down => ys.windows(2).all(|w| w[1] == w[0] + ROW),
                Way::Up => ys.windows(2).all(|w| w[1] == w[0] - ROW),
            };
            prop_assert!(runs, "{:?}", line);
            // what leaves a component leads down
            let together = parts.iter().any(|p| p.contains(&line.from) && p.contains(&line.to));
            prop_assert!(together || line.way == Way::Down);
        }
    }
}

#[test]
fn a_tree_has_no_crossings() {
    // children in an order that crosses
    let graph = Digraph::from_edges(7, &[(0, 2), (0, 1), (1, 6), (1, 3), (2, 5), (2, 4)]).unwrap();
    let widths = [40.0; 7];
    let layers = layers(&graph);
    assert_eq!(layers, [2, 1, 1, 0, 0, 0, 0]);
    let mut net = Net::new(&graph, &layers, &widths);
    net.untangle();
    let mut position = [0; 7];
    net.rows.iter().for_each(|row| row.iter().enumerate().for_each(|(i, v)| position[*v] = i));
    assert_eq!(net.crossings(&position), 0);
}

#[test]
fn large_graphs_are_refused_and_dense_ones_are_drawn() {
    let path = |n: u32| Digraph::from_edges(n as usize, &(1..n).map(|v| (v - 1, v)).collect::<Vec<_>>()).unwrap();
    assert_eq!(draw(&path(301), &[40.0; 301]), Err(TooLarge { vertices: 301, edges: 300 }));
    assert_eq!(draw(&path(300), &[40.0; 300]).unwrap().size.y, 300.0 * ROW);
    // a path with all edges to the end has more passages than are made
    let mut edges: Vec<(u32, u32)> = (1..300).map(|v| (v - 1, v)).collect();
    edges.extend((0..298).map(|v| (v, 299)));
    let drawing = draw(&Digraph::from_edges(300, &edges).unwrap(), &[40.0; 300]).unwrap();
    assert!(drawing.lines.iter().all(|l| l.through.is_empty()));
}
