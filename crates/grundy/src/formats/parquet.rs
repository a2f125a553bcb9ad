//! Values as Apache Parquet: a table of two columns, written row group by row group.
//!
//! | column | type | encoding |
//! |---|---|---|
//! | `n` | INT64, unsigned | differences |
//! | `value` | INT64, unsigned | a dictionary where the values are few, else differences |
//!
//! Both columns are required, and compressed by Snappy. What the values are stands in the metadata of the file, as words
//! under keys that begin with `grundy.`.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
};

use ::parquet::{
    basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical},
    data_type::Int64Type,
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
    schema::types::{ColumnPath, Type},
};

use super::stream::{ValueSink, ValueSlice};

/// Rows of a row group.
const GROUP: usize = 1 << 20;

/// Numbers of heaps made at a time.
const PIECE: usize = 1 << 14;

/// Writes values as a Parquet file; it needs no seeking, so a pipe will do.
///
/// A file without its end is none: [`finish`](ParquetWriter::finish) writes it.
///
/// # Complexity
/// Time linear in the number of values; memory for a row group of 2^20 values and its pages, and some hundred bytes for each group
/// written.
///
/// # Examples
/// A file may hold no values:
/// ```
/// use grundy::formats::parquet::ParquetWriter;
/// let bytes = ParquetWriter::new(Vec::new(), &[("rule", "nim")]).unwrap().finish(&[]).unwrap();
/// assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
/// ```
#[derive(Debug)]
pub struct ParquetWriter<W> {
    out: W,
    /// Encodes into a buffer, from which the bytes go to `out`: so errors stay what they are, and `out` may belong to a thread.
    encoder: SerializedFileWriter<Vec<u8>>,
    /// Number of the next row group's first heap.
    first: u64,
    values: Vec<i64>,
}

impl<W: Write> ParquetWriter<W> {
    /// A writer to `out`; the notes stand in the metadata of the file, each under `grundy.` and its name.
    ///
    /// # Errors
    /// Those of the encoder, none of which is known.
    pub fn new(out: W, notes: &[(&str, &str)]) -> io::Result<Self> {
        let [n, value] = ["n", "value"].map(ColumnPath::from);
        let properties = WriterProperties::builder()
            .set_created_by(concat!("grundy version ", env!("CARGO_PKG_VERSION")).into())
            .set_key_value_metadata(Some(notes.iter().map(note).collect()))
            .set_max_row_group_row_count(Some(GROUP))
            .set_compression(Compression::SNAPPY)
            // least and largest of a group are enough to skip groups, and keep the memory small
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_column_dictionary_enabled(n.clone(), false)
            .set_column_encoding(n, Encoding::DELTA_BINARY_PACKED)
            .set_column_encoding(value, Encoding::DELTA_BINARY_PACKED)
            .build();
        let encoder = schema()
            .and_then(|schema| SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties)))
            .map_err(failed)?;
        Ok(ParquetWriter { out, encoder, first: 0, values: Vec::new() })
    }

    /// Writes what is left and the end of the file, with more notes, and gives the writer back.
    ///
    /// # Errors
    /// The writer's.
    pub fn finish(mut self, notes: &[(&str, &str)]) -> io::Result<W> {
        self.group()?;
        for note in notes.iter().map(note) {
            self.encoder.append_key_value_metadata(note);
        }
        self.encoder.finish().map_err(failed)?;
        self.pass_on()?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes the values gathered as a row group.
    fn group(&mut self) -> io::Result<()> {
        if self.values.is_empty() {
            return Ok(());
        }
        let next = self.first + self.values.len() as u64;
        encode(&mut self.encoder, self.first..next, &self.values).map_err(failed)?;
        self.first = next;
        self.values.clear();
        self.pass_on()
    }

    /// Hands the bytes encoded so far to the writer.
    fn pass_on(&mut self) -> io::Result<()> {
        self.encoder.flush()?;
        let bytes = mem::take(self.encoder.inner_mut());
        self.out.write_all(&bytes)
    }
}

impl<W: Write> ValueSink for ParquetWriter<W> {
    fn take(&mut self, first: u64, values: ValueSlice<'_>) -> io::Result<()> {
        if self.values.is_empty() {
            self.first = first;
        }
        let mut error = None;
        values.each(|v| {
            // bit by bit: the column is unsigned
            self.values.push(v.cast_signed());
            if self.values.len() == GROUP && error.is_none() {
                error = self.group().err();
            }
        });
        error.map_or(Ok(()), Err)
    }
}

fn schema() -> Result<Type, ParquetError> {
    let column = |name| {
        Type::primitive_type_builder(name, Physical::INT64)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(Some(LogicalType::integer(64, false)))
            .build()
            .map(Arc::new)
    };
    Type::group_type_builder("values").with_fields(vec![column("n")?, column("value")?]).build()
}

fn encode(
    encoder: &mut SerializedFileWriter<Vec<u8>>,
    heaps: std::ops::Range<u64>,
    values: &[i64],
) -> Result<(), ParquetError> {
    let mut group = encoder.next_row_group()?;
    if let Some(mut column) = group.next_column()? {
        let mut heaps = heaps.map(u64::cast_signed);
        let mut piece = Vec::with_capacity(PIECE);
        loop {
            piece.clear();
            piece.extend(heaps.by_ref().take(PIECE));
            if piece.is_empty() {
                break;
            }
            column.typed::<Int64Type>().write_batch(&piece, None, None)?;
        }
        column.close()?;
    }
    if let Some(mut column) = group.next_column()? {
        column.typed::<Int64Type>().write_batch(values, None, None)?;
        column.close()?;
    }
    group.close()?;
    Ok(())
}

fn note((name, text): &(&str, &str)) -> KeyValue {
    KeyValue::new(format!("grundy.{name}"), (*text).to_owned())
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::bytes::Bytes;
    use ::parquet::{
        basic::ConvertedType,
        file::reader::{FileReader, SerializedFileReader},
        record::RowAccessor,
    };

    /// Values and the sizes of the row groups, read back by the library's reader.
    fn read(bytes: Vec<u8>) -> (Vec<(u64, u64)>, Vec<i64>, Vec<(String, String)>) {
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
        (rows.collect(), groups, notes)
    }

    #[test]
    fn what_is_written_is_read() {
        let values: Vec<u64> = (0..GROUP as u64 + 7).map(|n| n % 9).chain([u64::MAX, 1 << 63, 0]).collect();
        let mut writer = ParquetWriter::new(Vec::new(), &[("rule", "kayles"), ("convention", "normal")]).unwrap();
        let (head, rest) = values.split_at(1000);
        writer.take(0, ValueSlice::U8(&head.iter().map(|v| *v as u8).collect::<Vec<_>>())).unwrap();
        writer.take(1000, ValueSlice::U64(rest)).unwrap();
        let (rows, groups, notes) = read(writer.finish(&[("status", "computed")]).unwrap());
        assert!(rows.into_iter().eq((0..).zip(values)));
        assert_eq!(groups, [GROUP as i64, 10]);
        let notes: Vec<_> = notes.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(notes, [("grundy.rule", "kayles"), ("grundy.convention", "normal"), ("grundy.status", "computed")]);
    }

    #[test]
    fn values_beyond_a_dictionary_take_little_room() {
        let values: Vec<u64> = (0..300_000).collect();
        let mut writer = ParquetWriter::new(Vec::new(), &[]).unwrap();
        writer.take(0, ValueSlice::U64(&values)).unwrap();
        let bytes = writer.finish(&[]).unwrap();
        assert!(bytes.len() < 2 * 8 * values.len(), "{}", bytes.len());
        assert!(read(bytes).0.into_iter().eq(values.iter().map(|v| (*v, *v))));
    }

    #[test]
    fn an_error_keeps_its_kind_and_the_file_may_be_empty() {
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
        assert_eq!(read(empty).0, []);
    }
}
