//! Parquet files, read back by the reader of the library that wrote them. Apart from the unit tests, since only builds with
//! the feature have them.

use std::io::{self, Write};

use bytes::Bytes;
use grundy::formats::{
    parquet::ParquetWriter,
    stream::{ValueSink, ValueSlice},
};
use parquet::{
    basic::ConvertedType,
    file::reader::{FileReader, SerializedFileReader},
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
