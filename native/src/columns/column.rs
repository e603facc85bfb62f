//! One column being filled: its values by type, and which of them are null.

use arrow_buffer::BooleanBufferBuilder;

use super::defaults::FieldDefault;
use super::text_uuid;
use crate::plan::{Codec, Kind};
use crate::wire::{chunk, fixed_int};

/// Offsets and what they cut.
pub struct Cut<T> {
    pub offsets: Vec<i32>,
    pub content: T,
}

impl<T> Cut<T> {
    fn new(content: T) -> Self {
        Cut { offsets: vec![0], content }
    }

    /// Appends as many empty values.
    fn pad(&mut self, count: usize) {
        let last = self.offsets[self.offsets.len() - 1];
        self.offsets.resize(self.offsets.len() + count, last);
    }
}

/// What uuids are in Arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UuidForm {
    /// `fixed_size_binary(16)`.
    Fixed,
    /// `binary` of 16 bytes.
    Binary,
    /// A string, as Kafka writes them in JSON.
    Text,
}

impl UuidForm {
    /// The bytes of each.
    pub const fn width(self) -> usize {
        match self {
            UuidForm::Fixed | UuidForm::Binary => text_uuid::SIZE,
            UuidForm::Text => text_uuid::LENGTH,
        }
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
    /// `uuid`, each as many bytes as the form has.
    Uuid(UuidForm, Vec<u8>),
    /// `string`.
    Text(Cut<Vec<u8>>),
    /// `bytes` and `records`.
    Bytes(Cut<Vec<u8>>),
    /// An array, with the number of the column of its elements.
    List(Cut<usize>),
    /// Unknown tagged fields, with the number of the column of structs of tag and bytes.
    Map(Cut<usize>),
    /// A struct, with how many there are and the numbers of its fields' columns.
    Struct(usize, Vec<usize>),
}

impl Values {
    /// Empty values of a Kafka type that is neither array nor struct.
    pub fn of_type(type_name: &str, uuids: UuidForm) -> Option<Values> {
        Some(match type_name {
            "bool" => Values::Bool(BooleanBufferBuilder::new(0)),
            "int8" => Values::Int8(Vec::new()),
            "int16" => Values::Int16(Vec::new()),
            "int32" | "uint16" => Values::int32(),
            "int64" | "uint32" => Values::int64(),
            "float64" => Values::Float64(Vec::new()),
            "uuid" => Values::Uuid(uuids, Vec::new()),
            "string" => Values::text(),
            "bytes" | "records" => Values::bytes(),
            _ => return None,
        })
    }

    /// Whether values of a codec go into these.
    pub fn take(&self, codec: Codec) -> bool {
        match self {
            Values::Float64(_) => codec == Codec::Fixed(Kind::Float64),
            Values::Uuid(..) => codec == Codec::Fixed(Kind::Uuid),
            Values::Text(_) => matches!(codec, Codec::String(_)),
            Values::Bytes(_) => matches!(codec, Codec::Bytes { .. }),
            Values::List(_) | Values::Map(_) | Values::Struct(..) => false,
            _ => match codec {
                Codec::Fixed(kind) => !matches!(kind, Kind::Float64 | Kind::Uuid),
                _ => matches!(codec, Codec::Packed(_) | Codec::Upacked(_)),
            },
        }
    }

    /// No int32.
    pub fn int32() -> Values {
        Values::Int32(Vec::new())
    }

    /// No int64.
    pub fn int64() -> Values {
        Values::Int64(Vec::new())
    }

    /// No texts.
    pub fn text() -> Values {
        Values::Text(Cut::new(Vec::new()))
    }

    /// No bytes.
    pub fn bytes() -> Values {
        Values::Bytes(Cut::new(Vec::new()))
    }

    /// No array; elements go into another column.
    pub fn list(elements: usize) -> Values {
        Values::List(Cut::new(elements))
    }

    /// No unknown tagged fields; their tags and bytes go into another column.
    pub fn map(entries: usize) -> Values {
        Values::Map(Cut::new(entries))
    }

    /// Appends an integer, or a truth as 0 or 1, that fits the type.
    pub fn push_int(&mut self, value: i64) {
        match self {
            Values::Int32(values) => values.push(value as i32),
            Values::Int64(values) => values.push(value),
            Values::Int16(values) => values.push(value as i16),
            Values::Int8(values) => values.push(value as i8),
            Values::Bool(values) => values.append(value != 0),
            _ => unreachable!("no column of integers"),
        }
    }

    /// Appends values of constant size that lie one after the other.
    pub fn push_run(&mut self, kind: Kind, run: &[u8]) {
        match (self, kind) {
            (Values::Int64(values), Kind::Int64) => extend(values, run, i64::from_be_bytes),
            (Values::Float64(values), _) => extend(values, run, f64::from_be_bytes),
            (Values::Uuid(UuidForm::Text, values), _) => {
                run.chunks_exact(text_uuid::SIZE).for_each(|uuid| values.extend(text_uuid::write(chunk(uuid, 0))));
            }
            (Values::Uuid(_, values), _) => values.extend_from_slice(run),
            (Values::Int64(values), _) => values.extend(ints(run, kind)),
            (Values::Int32(values), _) => values.extend(ints(run, kind).map(|value| value as i32)),
            (Values::Int16(values), _) => values.extend(ints(run, kind).map(|value| value as i16)),
            (Values::Int8(values), _) => values.extend(ints(run, kind).map(|value| value as i8)),
            (Values::Bool(values), _) => ints(run, kind).for_each(|value| values.append(value != 0)),
            _ => unreachable!("no column of constant size"),
        }
    }

    /// How many there are.
    pub fn length(&self) -> usize {
        match self {
            Values::Bool(values) => values.len(),
            Values::Int8(values) => values.len(),
            Values::Int16(values) => values.len(),
            Values::Int32(values) => values.len(),
            Values::Int64(values) => values.len(),
            Values::Float64(values) => values.len(),
            Values::Uuid(form, values) => values.len() / form.width(),
            Values::Text(cut) | Values::Bytes(cut) => cut.offsets.len() - 1,
            Values::List(cut) | Values::Map(cut) => cut.offsets.len() - 1,
            Values::Struct(length, _) => *length,
        }
    }

    /// Makes room for so many values, beside what offsets point to.
    pub fn reserve(&mut self, count: usize) {
        match self {
            Values::Bool(values) => values.reserve(count),
            Values::Int8(values) => values.reserve(count),
            Values::Int16(values) => values.reserve(count),
            Values::Int32(values) => values.reserve(count),
            Values::Int64(values) => values.reserve(count),
            Values::Float64(values) => values.reserve(count),
            Values::Uuid(form, values) => values.reserve(count * form.width()),
            Values::Text(cut) | Values::Bytes(cut) => cut.offsets.reserve(count),
            Values::List(cut) | Values::Map(cut) => cut.offsets.reserve(count),
            Values::Struct(..) => (),
        }
    }

    /// The bits that a value takes, beside what offsets point to and the fields of structs.
    pub fn bits(&self) -> u64 {
        const OFFSET: u64 = 32;
        match self {
            Values::Bool(_) => 1,
            Values::Int8(_) => 8,
            Values::Int16(_) => 16,
            Values::Int32(_) => 32,
            Values::Int64(_) | Values::Float64(_) => 64,
            Values::Uuid(form, _) => OFFSET + 8 * form.width() as u64,
            Values::Text(_) | Values::Bytes(_) | Values::List(_) | Values::Map(_) => OFFSET,
            // So that the elements of an array cost something even if they are structs without fields.
            Values::Struct(..) => 8,
        }
    }

    /// Appends the least of the type; the fields of structs are left to the caller.
    fn pad(&mut self, count: usize) {
        let length = self.length() + count;
        match self {
            Values::Bool(values) => values.resize(length),
            Values::Int8(values) => values.resize(length, 0),
            Values::Int16(values) => values.resize(length, 0),
            Values::Int32(values) => values.resize(length, 0),
            Values::Int64(values) => values.resize(length, 0),
            Values::Float64(values) => values.resize(length, 0.0),
            Values::Uuid(form, values) => values.resize(length * form.width(), 0),
            Values::Text(cut) | Values::Bytes(cut) => cut.pad(count),
            Values::List(cut) | Values::Map(cut) => cut.pad(count),
            Values::Struct(held, _) => *held = length,
        }
    }

    fn truncate(&mut self, length: usize) {
        match self {
            Values::Bool(values) => values.truncate(length),
            Values::Int8(values) => values.truncate(length),
            Values::Int16(values) => values.truncate(length),
            Values::Int32(values) => values.truncate(length),
            Values::Int64(values) => values.truncate(length),
            Values::Float64(values) => values.truncate(length),
            Values::Uuid(form, values) => values.truncate(length * form.width()),
            Values::Text(cut) | Values::Bytes(cut) => {
                cut.offsets.truncate(length + 1);
                cut.content.truncate(cut.offsets[length] as usize);
            }
            Values::List(cut) | Values::Map(cut) => cut.offsets.truncate(length + 1),
            Values::Struct(held, _) => *held = length,
        }
    }
}

/// One column. Nulls are counted until a value follows them, and noted one by one only from the first of them on, so that
/// neither a column without nulls nor one of nothing else costs anything.
pub struct Column {
    pub name: String,
    pub values: Values,
    /// Whether the schema says that there may be nulls.
    pub nullable: bool,
    pub default: FieldDefault,
    /// Which of the values are not null; `None` as long as none is.
    pub validity: Option<BooleanBufferBuilder>,
    /// Nulls at the end for which there are no values yet.
    pending: usize,
    /// Whether there was a null ever: then a value needs [`Column::mend`] before it.
    pub sparse: bool,
}

impl Column {
    /// An empty column.
    pub fn new(name: &str, values: Values, nullable: bool, default: FieldDefault) -> Self {
        Column { name: name.to_owned(), values, nullable, default, validity: None, pending: 0, sparse: false }
    }

    /// How many values and nulls it has.
    pub fn length(&self) -> usize {
        self.values.length() + self.pending
    }

    /// Appends nulls.
    #[inline]
    pub fn nulls(&mut self, count: usize) {
        self.pending += count;
        self.sparse = true;
    }

    /// Gives the nulls at the end their values, and says how many and for which fields of a struct the same has to be done.
    pub fn settle(&mut self) -> (usize, &[usize]) {
        let count = std::mem::take(&mut self.pending);
        if count > 0 {
            self.validity().append_n(count, false);
            self.values.pad(count);
        }
        match &self.values {
            Values::Struct(_, fields) => (count, fields),
            _ => (count, &[]),
        }
    }

    /// Notes that values follow that are not null; what [`Column::settle`] does comes first.
    pub fn valid(&mut self, count: usize) {
        self.validity().append_n(count, true);
    }

    fn validity(&mut self) -> &mut BooleanBufferBuilder {
        let length = self.values.length();
        self.validity.get_or_insert_with(|| {
            let mut validity = BooleanBufferBuilder::new(length);
            validity.append_n(length, true);
            validity
        })
    }

    /// Makes it as long as it was, and says to what length and which columns below have to be cut in turn.
    pub fn truncate(&mut self, length: usize) -> (usize, &[usize]) {
        let kept = length.min(self.values.length());
        self.pending = length - kept;
        self.values.truncate(kept);
        if let Some(validity) = &mut self.validity {
            validity.truncate(kept);
        }
        match &self.values {
            Values::List(cut) | Values::Map(cut) => (cut.offsets[kept] as usize, std::slice::from_ref(&cut.content)),
            Values::Struct(_, fields) => (kept, fields),
            _ => (kept, &[]),
        }
    }
}

/// Appends values out of their bytes.
#[inline]
pub fn extend<T, const SIZE: usize>(values: &mut Vec<T>, run: &[u8], of_bytes: fn([u8; SIZE]) -> T) {
    values.extend(run.chunks_exact(SIZE).map(|bytes| of_bytes(chunk(bytes, 0))));
}

fn ints(run: &[u8], kind: Kind) -> impl Iterator<Item = i64> {
    (0..run.len()).step_by(kind.size()).map(move |at| fixed_int(kind, run, at))
}
