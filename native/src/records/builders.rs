//! Columns being filled, a run of values at a time.

use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, NullBufferBuilder};
use arrow_schema::{DataType, Field, Fields};

use crate::columns::Finished;

/// Texts or bytes.
pub struct Cut {
    offsets: Vec<i32>,
    content: Vec<u8>,
    nulls: NullBufferBuilder,
    data_type: DataType,
}

impl Cut {
    /// No texts.
    pub fn text() -> Self {
        Cut::new(DataType::Utf8)
    }

    /// No bytes.
    pub fn bytes() -> Self {
        Cut::new(DataType::Binary)
    }

    fn new(data_type: DataType) -> Self {
        Cut { offsets: vec![0], content: Vec::new(), nulls: NullBufferBuilder::new(0), data_type }
    }

    /// Appends a value. The caller sees to it that all of them stay below 2 GiB.
    #[inline]
    pub fn push(&mut self, value: Option<&[u8]>) {
        match value {
            Some(value) => {
                self.content.extend_from_slice(value);
                self.nulls.append_non_null();
            }
            None => self.nulls.append_null(),
        }
        self.offsets.push(offset(self.content.len()));
    }

    /// Appends values.
    pub fn extend<'a>(&mut self, values: impl ExactSizeIterator<Item = Option<&'a [u8]>>) {
        self.offsets.reserve(values.len());
        values.for_each(|value| self.push(value));
    }

    /// Appends nulls until there are so many values.
    pub fn push_nulls_up_to(&mut self, count: usize) {
        self.nulls.append_n_nulls(count.saturating_sub(self.offsets.len() - 1));
        self.offsets.resize(count + 1, offset(self.content.len()));
    }

    fn finish(self) -> Finished {
        Finished {
            data_type: self.data_type,
            length: self.offsets.len() - 1,
            nulls: self.nulls.build(),
            buffers: vec![Buffer::from_vec(self.offsets), Buffer::from_vec(self.content)],
            children: Vec::new(),
        }
    }
}

/// An offset as Arrow has it. Limits of the reader keep columns below 2 GiB; if one did not, wrong offsets would be worse than
/// the end of the call.
#[inline]
fn offset(at: usize) -> i32 {
    i32::try_from(at).expect("a column has at most 2 GiB")
}

/// The headers of records.
pub struct HeaderLists {
    offsets: Vec<i32>,
    pub keys: Cut,
    pub values: Cut,
}

impl HeaderLists {
    /// No lists.
    pub fn new() -> Self {
        HeaderLists { offsets: vec![0], keys: Cut::text(), values: Cut::bytes() }
    }

    /// Ends the list of a record whose keys and values were appended.
    #[inline]
    pub fn end(&mut self) {
        self.offsets.push(offset(self.keys.offsets.len() - 1));
    }

    fn finish(self) -> Finished {
        let structs = structure([("key", self.keys.finish()), ("value", self.values.finish())], None);
        Finished {
            data_type: DataType::List(Field::new("item", structs.data_type.clone(), true).into()),
            length: self.offsets.len() - 1,
            nulls: None,
            buffers: vec![Buffer::from_vec(self.offsets)],
            children: vec![structs],
        }
    }
}

/// The values of a column.
pub enum Values {
    /// `int32`.
    Int32(Vec<i32>),
    /// `int64`.
    Int64(Vec<i64>),
    /// `bool`.
    Bool(BooleanBufferBuilder),
    /// `string` and `binary`.
    Cut(Cut),
    /// The headers of records.
    Headers(HeaderLists),
}

impl Values {
    /// An empty column of int32.
    pub fn int32() -> Self {
        Values::Int32(Vec::new())
    }

    /// An empty column of int64.
    pub fn int64() -> Self {
        Values::Int64(Vec::new())
    }

    /// An empty column of truths.
    pub fn bool() -> Self {
        Values::Bool(BooleanBufferBuilder::new(0))
    }

    /// Appends something, for a row that is null.
    pub fn push_nothing(&mut self) {
        match self {
            Values::Int32(values) => values.push(0),
            Values::Int64(values) => values.push(0),
            Values::Bool(values) => values.append(false),
            Values::Cut(values) => values.push(None),
            Values::Headers(lists) => lists.end(),
        }
    }

    /// The column; rows are null where its values say so, or these `nulls`.
    pub fn finish(self, nulls: Option<&NullBuffer>) -> Finished {
        let mut finished = match self {
            Values::Int32(values) => plain(DataType::Int32, values.len(), Buffer::from_vec(values)),
            Values::Int64(values) => plain(DataType::Int64, values.len(), Buffer::from_vec(values)),
            Values::Bool(mut values) => plain(DataType::Boolean, values.len(), values.finish().into_inner()),
            Values::Cut(values) => values.finish(),
            Values::Headers(lists) => lists.finish(),
        };
        if finished.nulls.is_none() {
            finished.nulls = nulls.cloned();
        }
        finished
    }
}

fn plain(data_type: DataType, length: usize, values: Buffer) -> Finished {
    Finished { data_type, length, nulls: None, buffers: vec![values], children: Vec::new() }
}

/// Columns of equal length as one struct.
pub fn structure<'a>(columns: impl IntoIterator<Item = (&'a str, Finished)>, nulls: Option<NullBuffer>) -> Finished {
    let (fields, children): (Vec<Field>, Vec<Finished>) =
        columns.into_iter().map(|(name, column)| (Field::new(name, column.data_type.clone(), true), column)).unzip();
    Finished {
        data_type: DataType::Struct(Fields::from(fields)),
        length: children.first().map_or(0, |column| column.length),
        nulls,
        buffers: Vec::new(),
        children,
    }
}
