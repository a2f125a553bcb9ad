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
