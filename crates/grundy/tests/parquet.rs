//! Parquet files, read back by the reader of the library that wrote them. Apart from the unit tests, since only builds with
//! the feature have them.

use std::io::{self, Write};

use bytes::Bytes;
use grundy::formats::{
    graph::{self, GraphFormat},
    parquet::ParquetWriter,
    stream::{ValueSink, ValueSlice},
};
use parquet::{
    basic::ConvertedType,
    column::writer::ColumnWriter,
    data_type::ByteArray,
    file::{
        reader::{FileReader, SerializedFileReader},
        writer::SerializedFileWriter,
    },
    record::RowAccessor,
};

/// Rows of a full row group.
const GROUP: usize = 1 << 20;

/// What stands in a file.
struct Found {
    rows: Vec<(u64, u64)>,
    /// Rows of each group.
    groups: Vec<i64>,
    notes: Vec<(String, String)>,
}

fn read(bytes: Vec<u8>) -> Found {
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    let metadata = reader.metadata();
    let file = metadata.file_metadata();
    for (i, name) in ["n", "value"].into_iter().enumerate() {
        let column = file.schema_descr().column(i);
        assert_eq!((column.name(), column.converted_type()), (name, ConvertedType::UINT_64));
    }
    assert!(file.created_by().is_some_and(|by| by.starts_with("grundy version ")));
    let groups = metadata.row_groups().iter().map(|g| g.num_rows()).collect();
    let notes = file.key_value_metadata().into_iter().flatten();
    let notes = notes.map(|n| (n.key.clone(), n.value.clone().unwrap())).collect();
    let rows = reader.get_row_iter(None).unwrap().map(|row| {
        let row = row.unwrap();
        (row.get_ulong(0).unwrap(), row.get_ulong(1).unwrap())
    });
    Found { rows: rows.collect(), groups, notes }
}

#[test]
fn parquet_is_read_as_it_was_written() {
    let values: Vec<u64> = (0..GROUP as u64 + 7).map(|n| n % 9).chain([u64::MAX, 1 << 63, 0]).collect();
    let mut writer = ParquetWriter::new(Vec::new(), &[("rule", "kayles"), ("convention", "normal")]).unwrap();
    let (head, rest) = values.split_at(1000);
    writer.take(0, ValueSlice::U8(&head.iter().map(|v| *v as u8).collect::<Vec<_>>())).unwrap();
    writer.take(1000, ValueSlice::U64(rest)).unwrap();
    let Found { rows, groups, notes } = read(writer.finish(&[("status", "computed")]).unwrap());
    assert!(rows.into_iter().eq((0..).zip(values)));
    assert_eq!(groups, [GROUP as i64, 10]);
    let notes: Vec<_> = notes.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(notes, [("grundy.rule", "kayles"), ("grundy.convention", "normal"), ("grundy.status", "computed")]);
}

#[test]
fn parquet_takes_little_room_beyond_a_dictionary() {
    let values: Vec<u64> = (0..300_000).collect();
    let mut writer = ParquetWriter::new(Vec::new(), &[]).unwrap();
    writer.take(0, ValueSlice::U64(&values)).unwrap();
    let bytes = writer.finish(&[]).unwrap();
    assert!(bytes.len() < 2 * 8 * values.len(), "{}", bytes.len());
    assert!(read(bytes).rows.into_iter().eq(values.iter().map(|v| (*v, *v))));
}

#[test]
fn parquet_keeps_the_kind_of_an_error_and_may_be_empty() {
    /// Full from the start.
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = ParquetWriter::new(Full, &[]).unwrap();
    writer.take(0, ValueSlice::U8(&[0])).unwrap();
    let error = writer.take(1, ValueSlice::U8(&vec![1; GROUP])).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    let empty = ParquetWriter::new(Vec::new(), &[]).unwrap().finish(&[]).unwrap();
    assert_eq!(read(empty).rows, []);
}

/// A table of two columns in row groups of two rows.
fn table(names: [&str; 2], kind: &str, edges: &[(i64, i64)]) -> Vec<u8> {
    let schema = format!("message edges {{ REQUIRED {kind} {}; REQUIRED {kind} {}; }}", names[0], names[1]);
    let schema = std::sync::Arc::new(parquet::schema::parser::parse_message_type(&schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    for edges in edges.chunks(2) {
        let mut group = writer.next_row_group().unwrap();
        for side in [|e: &(i64, i64)| e.0, |e: &(i64, i64)| e.1] {
            let mut column = group.next_column().unwrap().unwrap();
            let values = edges.iter().map(side);
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(to) => {
                    to.write_batch(&values.collect::<Vec<i64>>(), None, None).unwrap();
                }
                ColumnWriter::Int32ColumnWriter(to) => {
                    to.write_batch(&values.map(|v| v as i32).collect::<Vec<i32>>(), None, None).unwrap();
                }
                ColumnWriter::ByteArrayColumnWriter(to) => {
                    let names: Vec<ByteArray> = values.map(|v| format!("v{v}").as_str().into()).collect();
                    to.write_batch(&names, None, None).unwrap();
                }
                _ => panic!("{kind}"),
            }
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn tables_of_edges_are_graphs() {
    let edges = [(1, 2), (2, 3), (3, 1)];
    for kind in ["INT64", "INT32", "BYTE_ARRAY"] {
        let bytes = table(["src", "dst"], kind, &edges);
        assert_eq!(GraphFormat::of_content(&bytes), Some(GraphFormat::Parquet));
        let file = graph::read(&bytes, GraphFormat::Parquet).unwrap();
        assert_eq!(file.graph.targets(), [1, 2, 0], "{kind}");
        assert_eq!(file.names.get(0), if kind == "BYTE_ARRAY" { "v1" } else { "1" });
    }
    let turned = graph::read(&table(["target", "Source"], "INT64", &edges), GraphFormat::Parquet).unwrap();
    assert_eq!(turned.graph.targets(), [2, 0, 1]);
    let refused = |bytes: &[u8]| graph::read(bytes, GraphFormat::Parquet).unwrap_err().to_string();
    assert!(refused(&table(["a", "b"], "INT64", &[(1, -2)])).contains("column b has negative numbers"));
    let mut cut = table(["a", "b"], "INT64", &edges);
    cut.truncate(cut.len() - 9);
    assert!(refused(&cut).contains("cannot be read"));
}

#[test]
fn damaged_tables_are_refused() {
    let whole = table(["a", "b"], "INT64", &[(1, 2), (2, 3), (3, 1)]);
    for at in 0..whole.len() {
        for bits in [1, 0x80, 0xFF] {
            let mut damaged = whole.clone();
            damaged[at] ^= bits;
            // read as something, or refused
            let _ = graph::read(&damaged, GraphFormat::Parquet);
        }
    }
}
