//! Lists of edges in Apache Parquet: two columns of a table, an edge a row.
//!
//! The ends are the columns called source and target, from and to, src and dst, or tail and head; else the first two. They hold numbers,
//! by which the vertices are called and in whose order they stand, or names. Other columns (weights, times) are passed over.

use ::parquet::{
    basic::{ConvertedType, Type},
    column::reader::{ColumnReader, ColumnReaderImpl},
    data_type::DataType,
    errors::ParquetError,
    file::reader::{FileReader, SerializedFileReader},
};
use std::panic::{self, AssertUnwindSafe};

use bytes::Bytes;

use super::{GraphFile, edges::column_of_ends, error::Fault, names::Interner, numbers::Numbers};

/// Rows read at a time.
const ROWS: usize = 1 << 16;

/// The ends of edges on one side.
enum Ends {
    Numbers(Vec<u64>),
    Names(Vec<String>),
}

/// # Complexity
/// O(bytes, unpacked).
pub(super) fn read(bytes: &[u8]) -> Result<GraphFile, Fault> {
    // the library panics on some damaged files; it shares nothing with this program that could be left half done
    panic::catch_unwind(AssertUnwindSafe(|| table(bytes)))
        .unwrap_or_else(|_| Err(Fault::new(0, "the Parquet file is damaged: its reader gave up")))
}

fn table(bytes: &[u8]) -> Result<GraphFile, Fault> {
    let failed = |e: ParquetError| Fault::new(0, format!("the Parquet file cannot be read: {e}"));
    let reader = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<&str> = schema.columns().iter().map(|c| c.name()).collect();
    if names.len() < 2 {
        return Err(Fault::new(0, format!("an edge needs two columns, and the table has {}", names.len())));
    }
    let (from, to) = column_of_ends(&names).unwrap_or((0, 1));
    let [from, to] = [from, to].map(|c| column(&reader, c, names[c]));
    graph(from?, to?, bytes.len())
}

fn graph(from: Ends, to: Ends, at: usize) -> Result<GraphFile, Fault> {
    match (from, to) {
        (Ends::Numbers(from), Ends::Numbers(to)) => {
            Numbers { edges: from.into_iter().zip(to).collect(), alone: Vec::new() }.graph(at)
        }
        (Ends::Names(from), Ends::Names(to)) => {
            let mut names = Interner::default();
            let mut edges = Vec::with_capacity(from.len());
            for (from, to) in from.iter().zip(&to) {
                match (names.id(from), names.id(to)) {
                    (Some(from), Some(to)) => edges.push((from, to)),
                    _ => return Err(Fault::new(at, "more than 2^32 - 1 vertices")),
                }
            }
            let graph = grundy_core::theory::digraph::Digraph::from_edges(names.len(), &edges)
                .map_err(|e| Fault::new(at, e.to_string()))?;
            Ok(GraphFile::new(graph, names.into_names()))
        }
        _ => Err(Fault::new(0, "the ends of edges are numbers in one column and names in the other")),
    }
}

fn column(reader: &SerializedFileReader<Bytes>, index: usize, name: &str) -> Result<Ends, Fault> {
    let failed = |e: ParquetError| Fault::new(0, format!("column {name} cannot be read: {e}"));
    let about = reader.metadata().file_metadata().schema_descr().column(index);
    let kind = about.physical_type();
    // their bits are those of numbers with a sign
    let is_unsigned = matches!(about.converted_type(), ConvertedType::UINT_32 | ConvertedType::UINT_64);
    let mut ends = if kind == Type::BYTE_ARRAY { Ends::Names(Vec::new()) } else { Ends::Numbers(Vec::new()) };
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(failed)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let pages = group.get_column_reader(index).map_err(failed)?;
        let wrong = |what: &str| Fault::new(0, format!("column {name} has {what}"));
        match (&mut ends, pages) {
            (Ends::Numbers(to), ColumnReader::Int32ColumnReader(pages)) => {
                for n in all(pages, rows).map_err(failed)?.ok_or_else(|| wrong("rows without a value"))? {
                    if n < 0 && !is_unsigned {
                        return Err(wrong("negative numbers"));
                    }
                    to.push(u64::from(n as u32));
                }
            }
            (Ends::Numbers(to), ColumnReader::Int64ColumnReader(pages)) => {
                for n in all(pages, rows).map_err(failed)?.ok_or_else(|| wrong("rows without a value"))? {
                    if n < 0 && !is_unsigned {
                        return Err(wrong("negative numbers"));
                    }
                    to.push(n as u64);
                }
            }
            (Ends::Names(to), ColumnReader::ByteArrayColumnReader(pages)) => {
                for text in all(pages, rows).map_err(failed)?.ok_or_else(|| wrong("rows without a value"))? {
                    let text = text.as_utf8().map_err(|_| wrong("names that are no UTF-8"))?;
                    to.push(text.to_owned());
                }
            }
            _ => return Err(wrong("neither whole numbers nor names")),
        }
    }
    Ok(ends)
}

/// The values of a column in a row group; None if a row has none, or several.
fn all<T: DataType>(mut pages: ColumnReaderImpl<T>, rows: usize) -> Result<Option<Vec<T::T>>, ParquetError> {
    let mut values = Vec::new();
    let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
    let mut records = 0;
    while records < rows {
        let (read, ..) = pages.read_records(ROWS, Some(&mut definitions), Some(&mut repetitions), &mut values)?;
        if read == 0 {
            break;
        }
        records += read;
    }
    Ok((values.len() == rows && records == rows).then_some(values))
}
