//! Columns being filled, in the form that Arrow gives them; a row that turns out corrupt is taken back.

use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, Buffer, NullBufferBuilder};
use arrow_schema::{DataType, Field, Fields};

use crate::plan::{Codec, Kind};
use crate::wire::{chunk, fixed_int};

/// What a field holds that is not on the wire.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// Null, in a column that has nulls.
    Null,
    /// Zero, nothing, an empty list, or a struct of defaults.
    Empty,
    /// A truth, or an integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text, bytes, or the bytes of a uuid.
    Bytes(Vec<u8>),
}

/// Offsets and what they cut.
pub struct Cut<T> {
    offsets: Vec<i32>,
    content: T,
}

impl<T> Cut<T> {
    fn new(content: T) -> Self {
        Cut { offsets: vec![0], content }
    }
}

/// The values of a column, by their type.
pub enum Values {
    /// `bool`.
    Bool(BooleanBufferBuilder),
    /// `int8`.
    Int8(Vec<i8>),
    /// `int16`.
    Int16(Vec<i16>),
    /// `int32` and `uint16`.
    Int32(Vec<i32>),
    /// `int64` and `uint32`.
    Int64(Vec<i64>),
    /// `float64`.
    Float64(Vec<f64>),
    /// `uuid`: 16 bytes each.
    Uuid(Vec<u8>),
    /// `string`.
    Text(Cut<Vec<u8>>),
    /// `bytes` and `records`.
    Bytes(Cut<Vec<u8>>),
    /// An array, with the number of the column of its elements.
    List(Cut<usize>),
    /// A struct, with how many there are and the numbers of its fields' columns.
    Struct(usize, Vec<usize>),
}

impl Values {
    /// Empty values of a Kafka type that is neither array nor struct.
    pub fn of_type(type_name: &str) -> Option<Values> {
        Some(match type_name {
            "bool" => Values::Bool(BooleanBufferBuilder::new(0)),
            "int8" => Values::Int8(Vec::new()),
            "int16" => Values::Int16(Vec::new()),
            "int32" | "uint16" => Values::Int32(Vec::new()),
            "int64" | "uint32" => Values::Int64(Vec::new()),
            "float64" => Values::Float64(Vec::new()),
            "uuid" => Values::Uuid(Vec::new()),
            "string" => Values::text(),
            "bytes" | "records" => Values::Bytes(Cut::new(Vec::new())),
            _ => return None,
        })
    }

    /// Whether values of a codec go into these.
    pub fn take(&self, codec: Codec) -> bool {
        match self {
            Values::Float64(_) => codec == Codec::Fixed(Kind::Float64),
            Values::Uuid(_) => codec == Codec::Fixed(Kind::Uuid),
            Values::Text(_) => matches!(codec, Codec::String(_)),
            Values::Bytes(_) => matches!(codec, Codec::Bytes { .. }),
            Values::List(_) | Values::Struct(..) => false,
            _ => match codec {
                Codec::Fixed(kind) => !matches!(kind, Kind::Float64 | Kind::Uuid),
                _ => matches!(codec, Codec::Packed(_) | Codec::Upacked(_)),
            },
        }
    }

    /// No texts.
    pub fn text() -> Values {
        Values::Text(Cut::new(Vec::new()))
    }

    /// An empty array whose elements are in another column.
    pub fn list(elements: usize) -> Values {
        Values::List(Cut::new(elements))
    }
}

/// One column. Whether values are null is only kept where they may be.
pub struct Column {
    name: String,
    values: Values,
    nulls: Option<NullBufferBuilder>,
    default: Default,
}

/// More than Arrow's 32-bit offsets can tell apart.
#[derive(Debug)]
pub struct TooMuch;

/// All columns of a batch, by number; children have lower numbers than what holds them.
#[derive(Default)]
pub struct Columns {
    columns: Vec<Column>,
}

impl Columns {
    /// Adds a column and gives its number.
    pub fn add(&mut self, name: &str, values: Values, nullable: bool, default: Default) -> usize {
        let nulls = nullable.then(|| NullBufferBuilder::new(0));
        self.columns.push(Column { name: name.to_owned(), values, nulls, default });
        self.columns.len() - 1
    }

    /// How many columns there are.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// Appends an integer, or a truth as 0 or 1, that fits the column's type.
    #[inline]
    pub fn push_int(&mut self, column: usize, value: i64) {
        let column = &mut self.columns[column];
        match &mut column.values {
            Values::Bool(values) => values.append(value != 0),
            Values::Int8(values) => values.push(value as i8),
            Values::Int16(values) => values.push(value as i16),
            Values::Int32(values) => values.push(value as i32),
            Values::Int64(values) => values.push(value),
            _ => unreachable!("no column of integers"),
        }
        column.valid();
    }

    /// Appends values of constant size that lie one after the other, as elements of an array.
    pub fn push_run(&mut self, number: usize, kind: Kind, run: &[u8]) {
        match (&mut self.columns[number].values, kind) {
            (Values::Int32(values), Kind::Int32) => {
                values.extend(run.chunks_exact(4).map(|bytes| i32::from_be_bytes(chunk(bytes, 0))));
            }
            (Values::Float64(values), _) => {
                values.extend(run.chunks_exact(8).map(|bytes| f64::from_be_bytes(chunk(bytes, 0))));
            }
            (Values::Uuid(values), _) => values.extend_from_slice(run),
            _ => (0..run.len()).step_by(kind.size()).for_each(|at| self.push_int(number, fixed_int(kind, run, at))),
        }
    }

    /// Appends a float.
    pub fn push_float(&mut self, column: usize, value: f64) {
        let column = &mut self.columns[column];
        match &mut column.values {
            Values::Float64(values) => values.push(value),
            _ => unreachable!("no column of floats"),
        }
        column.valid();
    }

    /// Appends a text, bytes or the bytes of a uuid.
    #[inline]
    pub fn push_bytes(&mut self, column: usize, value: &[u8]) -> Result<(), TooMuch> {
        let column = &mut self.columns[column];
        match &mut column.values {
            Values::Text(cut) | Values::Bytes(cut) => {
                cut.content.extend_from_slice(value);
                cut.offsets.push(i32::try_from(cut.content.len()).map_err(|_| TooMuch)?);
            }
            Values::Uuid(values) => values.extend_from_slice(value),
            _ => unreachable!("no column of bytes"),
        }
        column.valid();
        Ok(())
    }

    /// Ends an array whose elements were appended to their own column.
    pub fn end_list(&mut self, column: usize) -> Result<(), TooMuch> {
        let Values::List(cut) = &self.columns[column].values else { unreachable!("no column of arrays") };
        let end = i32::try_from(self.length(cut.content)).map_err(|_| TooMuch)?;
        let column = &mut self.columns[column];
        if let Values::List(cut) = &mut column.values {
            cut.offsets.push(end);
        }
        column.valid();
        Ok(())
    }

    /// Ends a struct whose fields were appended to their own columns.
    #[inline]
    pub fn end_struct(&mut self, column: usize) {
        let column = &mut self.columns[column];
        if let Values::Struct(length, _) = &mut column.values {
            *length += 1;
        }
        column.valid();
    }

    /// Appends a null, below which are nulls or, where there can be none, empty values.
    pub fn push_null(&mut self, number: usize) {
        self.push_empty(number, Columns::push_null);
        self.columns[number].null();
    }

    /// Appends what a field holds that is not on the wire.
    pub fn push_default(&mut self, number: usize) -> Result<(), TooMuch> {
        match self.columns[number].default.clone() {
            Default::Null => self.push_null(number),
            Default::Int(value) => self.push_int(number, value),
            Default::Float(value) => self.push_float(number, value),
            Default::Bytes(value) => self.push_bytes(number, &value)?,
            Default::Empty => {
                let mut result = Ok(());
                self.push_empty(number, |columns, child| {
                    if let Err(error) = columns.push_default(child) {
                        result = Err(error);
                    }
                });
                self.columns[number].valid();
                result?;
            }
        }
        Ok(())
    }

    /// Appends the least of the type, without saying whether it is null; `child` does so for the fields of a struct.
    fn push_empty(&mut self, number: usize, mut child: impl FnMut(&mut Columns, usize)) {
        match &mut self.columns[number].values {
            Values::Bool(values) => values.append(false),
            Values::Int8(values) => values.push(0),
            Values::Int16(values) => values.push(0),
            Values::Int32(values) => values.push(0),
            Values::Int64(values) => values.push(0),
            Values::Float64(values) => values.push(0.0),
            Values::Uuid(values) => values.extend([0; 16]),
            Values::Text(cut) | Values::Bytes(cut) => repeat_last(&mut cut.offsets),
            Values::List(cut) => repeat_last(&mut cut.offsets),
            Values::Struct(length, children) => {
                *length += 1;
                children.clone().into_iter().for_each(|number| child(self, number));
            }
        }
    }

    /// The number of values in a column.
    pub fn length(&self, column: usize) -> usize {
        self.columns[column].length()
    }

    /// Notes how long the columns are.
    pub fn mark(&self, marks: &mut Vec<usize>) {
        marks.clear();
        marks.extend(self.columns.iter().map(Column::length));
    }

    /// Makes the columns as long as they were.
    pub fn take_back(&mut self, marks: &[usize]) {
        for (column, mark) in self.columns.iter_mut().zip(marks) {
            column.truncate(*mark);
        }
    }

    /// The columns as one struct array, from the column that holds the others.
    pub fn finish(mut self, root: usize) -> Finished {
        self.finish_column(root).1
    }

    fn finish_column(&mut self, number: usize) -> (Field, Finished) {
        let column = &mut self.columns[number];
        let (name, nullable) = (std::mem::take(&mut column.name), column.nulls.is_some());
        let length = column.length();
        let nulls = column.nulls.take().and_then(NullBufferBuilder::build);
        let values = std::mem::replace(&mut column.values, Values::Struct(0, Vec::new()));
        let mut finished = Finished { data_type: DataType::Null, length, nulls, buffers: vec![], children: vec![] };
        match values {
            Values::Bool(mut values) => finished.plain(DataType::Boolean, values.finish().into_inner()),
            Values::Int8(values) => finished.plain(DataType::Int8, buffer(values)),
            Values::Int16(values) => finished.plain(DataType::Int16, buffer(values)),
            Values::Int32(values) => finished.plain(DataType::Int32, buffer(values)),
            Values::Int64(values) => finished.plain(DataType::Int64, buffer(values)),
            Values::Float64(values) => finished.plain(DataType::Float64, buffer(values)),
            Values::Uuid(values) => finished.plain(DataType::FixedSizeBinary(16), buffer(values)),
            Values::Text(cut) => finished.cut(DataType::Utf8, cut),
            Values::Bytes(cut) => finished.cut(DataType::Binary, cut),
            Values::List(cut) => {
                let (field, elements) = self.finish_column(cut.content);
                finished.plain(DataType::List(field.into()), buffer(cut.offsets));
                finished.children.push(elements);
            }
            Values::Struct(_, children) => {
                let (fields, children): (Vec<Field>, _) =
                    children.into_iter().map(|child| self.finish_column(child)).unzip();
                finished.data_type = DataType::Struct(Fields::from(fields));
                finished.children = children;
            }
        }
        (Field::new(name, finished.data_type.clone(), nullable), finished)
    }
}

/// A column as Arrow's parts.
pub struct Finished {
    /// Arrow's type.
    pub data_type: DataType,
    /// The number of values.
    pub length: usize,
    /// Which are null; `None` where none is.
    pub nulls: Option<arrow_buffer::NullBuffer>,
    /// Offsets and values.
    pub buffers: Vec<Buffer>,
    /// What lies below.
    pub children: Vec<Finished>,
}

impl Finished {
    fn plain(&mut self, data_type: DataType, values: Buffer) {
        self.data_type = data_type;
        self.buffers.push(values);
    }

    fn cut(&mut self, data_type: DataType, cut: Cut<Vec<u8>>) {
        self.data_type = data_type;
        self.buffers = vec![buffer(cut.offsets), buffer(cut.content)];
    }
}

impl Column {
    fn length(&self) -> usize {
        match &self.values {
            Values::Bool(values) => values.len(),
            Values::Int8(values) => values.len(),
            Values::Int16(values) => values.len(),
            Values::Int32(values) => values.len(),
            Values::Int64(values) => values.len(),
            Values::Float64(values) => values.len(),
            Values::Uuid(values) => values.len() / 16,
            Values::Text(cut) | Values::Bytes(cut) => cut.offsets.len() - 1,
            Values::List(cut) => cut.offsets.len() - 1,
            Values::Struct(length, _) => *length,
        }
    }

    fn truncate(&mut self, length: usize) {
        match &mut self.values {
            Values::Bool(values) => values.truncate(length),
            Values::Int8(values) => values.truncate(length),
            Values::Int16(values) => values.truncate(length),
            Values::Int32(values) => values.truncate(length),
            Values::Int64(values) => values.truncate(length),
            Values::Float64(values) => values.truncate(length),
            Values::Uuid(values) => values.truncate(16 * length),
            Values::Text(cut) | Values::Bytes(cut) => {
                cut.offsets.truncate(length + 1);
                cut.content.truncate(cut.offsets[length] as usize);
            }
            Values::List(cut) => cut.offsets.truncate(length + 1),
            Values::Struct(count, _) => *count = length,
        }
        if let Some(nulls) = &mut self.nulls {
            nulls.truncate(length);
        }
    }

    #[inline]
    fn valid(&mut self) {
        if let Some(nulls) = &mut self.nulls {
            nulls.append_non_null();
        }
    }

    fn null(&mut self) {
        if let Some(nulls) = &mut self.nulls {
            nulls.append_null();
        }
    }
}

fn repeat_last(offsets: &mut Vec<i32>) {
    offsets.push(offsets[offsets.len() - 1]);
}

fn buffer<T: ArrowNativeType>(values: Vec<T>) -> Buffer {
    Buffer::from_vec(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list of structs of a nullable text and an int8, as a column of the root.
    fn columns() -> (Columns, [usize; 4]) {
        let mut columns = Columns::default();
        let text = columns.add("text", Values::of_type("string").expect("a type"), true, Default::Null);
        let number = columns.add("number", Values::of_type("int8").expect("a type"), false, Default::Int(7));
        let element = columns.add("item", Values::Struct(0, vec![text, number]), false, Default::Empty);
        let list = columns.add("list", Values::list(element), true, Default::Empty);
        (columns, [text, number, element, list])
    }

    #[test]
    fn a_row_that_is_taken_back_leaves_nothing() {
        let (mut columns, [text, number, element, list]) = columns();
        columns.push_default(element).expect("room");
        columns.end_list(list).expect("room");
        let mut marks = Vec::new();
        columns.mark(&mut marks);
        columns.push_bytes(text, b"half").expect("room");
        columns.push_int(number, 3);
        columns.push_null(list);
        columns.take_back(&marks);
        assert_eq!([text, number, element, list].map(|column| columns.length(column)), [1; 4]);
        let finished = columns.finish(list);
        assert_eq!(finished.children[0].children[1].buffers[0].as_slice(), [7]);
        assert_eq!(finished.children[0].children[0].buffers[1].len(), 0);
    }

    #[test]
    fn a_null_struct_has_fields_all_the_same() {
        let (mut columns, [text, number, element, _]) = columns();
        columns.push_null(element);
        assert_eq!([text, number, element].map(|column| columns.length(column)), [1; 3]);
    }
}
