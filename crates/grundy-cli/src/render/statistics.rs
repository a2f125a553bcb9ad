//! What kind of graph a graph is, in one line.

use grundy::statistics::Statistics;

/// `4 vertices, 5 edges, 1 end; loopy: 3 strongly connected components, the largest with 2 vertices`
pub fn line(found: &Statistics) -> String {
    let Statistics { vertices, edges, ends, loops, structure } = *found;
    let mut line = format!(
        "{}, {}, {}",
        many(vertices, "vertex", "vertices"),
        many(edges, "edge", "edges"),
        many(ends, "end", "ends")
    );
    if loops > 0 {
        line += &format!(", {}", many(loops, "loop", "loops"));
    }
    match structure {
        None => line += "; --stats says whether it is loopy",
        Some(s) if s.is_acyclic => {
            line += &format!("; acyclic: the longest play takes {}", many(s.depth as usize, "move", "moves"));
        }
        Some(s) => {
            let (components, largest) = (
                many(s.components, "strongly connected component", "strongly connected components"),
                many(s.largest, "vertex", "vertices"),
            );
            line += &format!("; loopy: {components}, the largest with {largest}");
        }
    }
    line
}

fn many(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy::statistics::Structure;

    #[test]
    fn one_and_many() {
        let structure = Some(Structure { components: 1, largest: 1, is_acyclic: true, depth: 0 });
        let mut found = Statistics { vertices: 1, edges: 0, ends: 1, loops: 0, structure };
        assert_eq!(line(&found), "1 vertex, 0 edges, 1 end; acyclic: the longest play takes 0 moves");
        found = Statistics { edges: 1, ends: 0, loops: 1, structure: None, ..found };
        assert_eq!(line(&found), "1 vertex, 1 edge, 0 ends, 1 loop; --stats says whether it is loopy");
        let structure = Some(Structure { components: 2, largest: 3, is_acyclic: false, depth: 1 });
        found = Statistics { vertices: 4, edges: 5, loops: 0, structure, ..found };
        assert_eq!(
            line(&found),
            "4 vertices, 5 edges, 0 ends; loopy: 2 strongly connected components, the largest with 3 vertices"
        );
    }
}
