//! Properties of all formats: what is written is read back, and no bytes make a reader panic.

use proptest::prelude::*;

use super::*;

fn bytes_of(file: &GraphFile, format: GraphFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, file, format).unwrap_or_else(|e| panic!("{file:?} as {}: {e}", format.name()));
    bytes
}

fn back(bytes: &[u8], format: GraphFormat) -> GraphFile {
    read(bytes, format).unwrap_or_else(|e| panic!("{}: {e}\n{}", format.name(), String::from_utf8_lossy(bytes)))
}

/// A graph with everything a file may say, each vertex with a successor; names hold a letter and none of `without`.
fn full(names: &'static str) -> impl Strategy<Value = GraphFile> {
    (1usize..9).prop_flat_map(move |n| {
        let vertex = 0..n as u32;
        let rows = prop::collection::vec(prop::collection::vec(vertex.clone(), 1..4), n);
        let names = prop_oneof![
            Just(Names::Numbered { first: 0 }),
            Just(Names::Numbered { first: 1 }),
            prop::collection::vec(names, n).prop_map(|names| {
                Names::Given(names.iter().enumerate().map(|(i, name)| format!("v{i}{name}")).collect())
            }),
        ];
        let owner = prop::collection::vec(0u8..2, n);
        let priority = prop::collection::vec(prop_oneof![0u64..9, any::<u64>()], n);
        let target = prop::collection::vec(any::<bool>(), n);
        (rows, names, owner, priority, target, prop::option::of(vertex)).prop_map(
            |(rows, names, owner, priority, target, start)| {
                let edges: Vec<(u32, u32)> =
                    (0..).zip(&rows).flat_map(|(v, row)| row.iter().map(move |t| (v, *t))).collect();
                let graph = Digraph::from_edges(rows.len(), &edges).unwrap();
                GraphFile {
                    owner: Some(owner),
                    priority: Some(priority),
                    target: Some(target),
                    start,
                    ..GraphFile::new(graph, names)
                }
            },
        )
    })
}

fn without(mut file: GraphFile, fields: &[&str]) -> GraphFile {
    for field in fields {
        match *field {
            "owner" => file.owner = None,
            "priority" => file.priority = None,
            "target" => file.target = None,
            _ => file.start = None,
        }
    }
    file
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(file in full("[a-zé;\"#%]{0,3}")) {
        for format in GraphFormat::ALL.iter().copied().filter(|f| f.is_written()) {
            let has_quotes = matches!(&file.names, Names::Given(l) if (0..l.len() as u32).any(|v| l.get(v).contains('"')));
            if format == GraphFormat::PgSolver && has_quotes {
                prop_assert!(write(&mut Vec::new(), &file, format).is_err());
                continue;
            }
            let bytes = bytes_of(&file, format);
            let kept = without(file.clone(), &left_out(&file, format));
            prop_assert_eq!(back(&bytes, format), kept, "{}:\n{}", format.name(), String::from_utf8_lossy(&bytes));
            // tabs are blanks too, and a first line of one name could be anything
            if !matches!(format, GraphFormat::Tsv | GraphFormat::EdgeList) {
                prop_assert_eq!(GraphFormat::detect("-", &bytes), Some(format), "{}", String::from_utf8_lossy(&bytes));
            }
        }
    }

    /// Dead ends, vertices alone, and no vertices at all, where they are allowed.
    #[test]
    fn sparse_graphs_are_read_back(n in 0usize..6, edges in prop::collection::vec((0u32..6, 0u32..6), 0..6), first in 0u64..2) {
        let edges: Vec<_> = edges.into_iter().filter(|(a, b)| (*a as usize) < n && (*b as usize) < n).collect();
        let graph = Digraph::from_edges(n, &edges).unwrap();
        let file = GraphFile::new(graph, Names::Numbered { first: if n == 0 { 0 } else { first } });
        for format in [GraphFormat::EdgeList, GraphFormat::Csv, GraphFormat::Tsv, GraphFormat::Dot, GraphFormat::Json] {
            prop_assert_eq!(&back(&bytes_of(&file, format), format), &file, "{}", format.name());
        }
    }

    /// Names of any characters survive where they can be written at all.
    #[test]
    fn odd_names_are_read_back_or_refused(file in full("[ \\\\\"\t\n\r,;>a-]{0,4}")) {
        for format in GraphFormat::ALL.iter().copied().filter(|f| f.is_written()) {
            let mut bytes = Vec::new();
            if write(&mut bytes, &file, format).is_ok() {
                let kept = without(file.clone(), &left_out(&file, format));
                prop_assert_eq!(back(&bytes, format), kept, "{}:\n{}", format.name(), String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[test]
    fn rows_in_any_order_are_the_same_game(file in full("[a-z;,]{0,3}"), seed in any::<u64>()) {
        let file = without(file, &["target"]);
        let text = String::from_utf8(bytes_of(&file, GraphFormat::PgSolver)).unwrap();
        let (head, mut rows): (Vec<&str>, Vec<&str>) = text.lines().partition(|l| l.starts_with(['p', 's']));
        let turn = seed as usize % rows.len();
        rows.rotate_left(turn);
        let other = (seed >> 32) as usize % rows.len();
        rows.swap(0, other);
        let shuffled = [head, rows].concat().join(" ");
        prop_assert_eq!(back(shuffled.as_bytes(), GraphFormat::PgSolver), file);
    }

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        try_all(&bytes);
    }

    #[test]
    fn nor_do_files_with_a_fault(
        file in full("[a-z]{0,2}"), at in any::<prop::sample::Index>(), byte in any::<u8>(), kind in 0..4, which in 0..SAMPLES.len() * 2
    ) {
        for format in GraphFormat::ALL {
            let mut bytes = match SAMPLES.get(which) {
                Some(sample) => sample.as_bytes().to_vec(),
                None if format.is_written() => bytes_of(&file, *format),
                None => continue,
            };
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.truncate(at),
                2 => bytes.insert(at, b"\"<>{}[];,:-\n"[byte as usize % 12]),
                _ => drop(bytes.remove(at)),
            }
            try_all(&bytes);
        }
    }
}

const SAMPLES: &[&str] = &[
    "3 2 11\n1 2 7\n1 1 7 3 8\n1 2 8\n",
    "{\"directed\": true, \"nodes\": [{\"id\": 1}, {\"id\": \"b\"}], \"links\": [{\"source\": 1, \"target\": \"b\"}]}",
    "<graphml><key id=\"k\" for=\"node\" attr.name=\"owner\"><default>0</default></key><graph edgedefault=\"undirected\"><node id=\"a\"/><node \
     id=\"b\"><data key=\"k\">1</data></node><edge source=\"a\" target=\"b\"/></graph></graphml>",
    "source,target,w\n\"a\"\"b\",c,1\nc,\"a\"\"b\",2\n",
    "digraph { a [owner=0]; b [owner=1, label=\"x\\\"y\"]; a -> b -> a /* c */ }",
];

/// All readers on the same bytes; places are within them.
fn try_all(bytes: &[u8]) {
    let lines = bytes.iter().filter(|b| **b == b'\n').count() as u64 + 1;
    for format in GraphFormat::ALL {
        match read(bytes, *format) {
            Ok(file) => {
                let n = file.graph.vertices();
                assert!(file.owner.is_none_or(|o| o.len() == n) && file.priority.is_none_or(|p| p.len() == n));
                assert!(file.target.is_none_or(|t| t.len() == n));
            }
            Err(e) => {
                assert!((1..=lines).contains(&e.place().line), "{}: {e}", format.name());
                assert!(
                    e.place().column as usize <= bytes.len() + 1 && !e.message().is_empty(),
                    "{}: {e}",
                    format.name()
                );
            }
        }
    }
    let _ = (GraphFormat::of_content(bytes), unpack(bytes, 1 << 16), Solution::read(bytes, 4));
}

#[test]
fn packed_files() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(b"0 0 0 1; 1 1 1 0;").unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(unpack(&packed, 17).unwrap(), &b"0 0 0 1; 1 1 1 0;"[..]);
    assert_eq!(unpack(&packed, 16).unwrap_err().message(), "the file unpacks to more than 16 bytes");
    assert!(unpack(&packed[..packed.len() - 3], 99).is_err());
}

#[test]
fn formats_are_told_by_their_content() {
    for (text, format) in [
        ("0 0 0 1;", Some(GraphFormat::PgSolver)),
        ("parity 2;", Some(GraphFormat::PgSolver)),
        ("% c\n# d\n1\t2\n", Some(GraphFormat::EdgeList)),
        ("a,b\n", Some(GraphFormat::Csv)),
        ("// c\ndigraph {}", Some(GraphFormat::Dot)),
        ("# c\ndigraph {}", Some(GraphFormat::Dot)),
        ("<?xml?>", Some(GraphFormat::GraphMl)),
        ("{\"n\": 1, \"edges\": []}", Some(GraphFormat::Json)),
        ("{\"nodes\": [], \"edges\": []}", Some(GraphFormat::NodeLink)),
        ("", None),
        ("word", None),
    ] {
        assert_eq!(GraphFormat::of_content(text.as_bytes()), format, "{text:?}");
    }
    let names = [("a.gv", GraphFormat::Dot), ("B.GM", GraphFormat::PgSolver), ("x.tsv.gz", GraphFormat::Tsv)];
    assert!(names.into_iter().all(|(name, format)| GraphFormat::of_name(name) == Some(format)));
    assert!(GraphFormat::ALL.iter().all(|f| GraphFormat::of_name(&format!("x.{}", f.name())).is_none_or(|g| g == *f)));
}
