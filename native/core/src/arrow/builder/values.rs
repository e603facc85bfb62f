//! The values of a column, by type; nulls are kept separately.

use arrow_buffer::BooleanBufferBuilder;

use super::super::uuid_text;
use crate::plan::{Codec, Kind, Primitive};
use crate::wire::{chunk, fixed_int};

/// The error for more values than Arrow's 32-bit offsets can address.
#[derive(Debug)]
pub struct Overflow;

/// The position of one or more fixed-size values in the bytes of a message.
#[derive(Clone, Copy)]
pub struct Place {
    pub at: usize,
    /// The size in bytes.
    pub size: usize,
}

impl Place {
    /// The place of a null array.
    pub const NULL: Place = Place {
        at: usize::MAX,
        size: 0,
    };

    /// Whether it is the place of a null array.
    pub fn is_null(self) -> bool {
        self.at == usize::MAX
    }

    /// Return the bytes at the place.
    pub fn of(self, data: &[u8]) -> &[u8] {
        &data[self.at..self.at + self.size]
    }
}

/// Values of variable size: offsets, and the data that they point into.
pub struct Variable<T> {
    pub offsets: Vec<i32>,
    pub content: T,
}

impl<T> Variable<T> {
    fn new(content: T) -> Self {
        Variable {
            offsets: vec![0],
            content,
        }
    }

    /// Append empty values.
    fn pad(&mut self, count: usize) {
        let last = self.offsets[self.offsets.len() - 1];
        self.offsets.resize(self.offsets.len() + count, last);
    }
}

impl Variable<Vec<u8>> {
    /// Append a string or bytes.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> Result<(), Overflow> {
        self.content.extend_from_slice(value);
        self.offsets
            .push(i32::try_from(self.content.len()).map_err(|_| Overflow)?);
        Ok(())
    }
}

/// The Arrow type of uuids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UuidForm {
    /// `binary` of 16 bytes.
    Binary,
    /// A string, as Kafka writes uuids in JSON.
    Text,
}

/// The values of a column, by type.
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
    /// Microseconds since 1970 in UTC.
    Time(Vec<i64>),
    /// `float64`.
    Float64(Vec<f64>),
    /// `string`, and `uuid` in text form.
    Text(Variable<Vec<u8>>),
    /// `bytes`, `records`, and `uuid` as bytes.
    Bytes(Variable<Vec<u8>>),
    /// An array, with the number of the column of its elements.
    List(Variable<usize>),
    /// Unknown tagged fields, with the number of the column of their entries (structs of tag and bytes).
    Map(Variable<usize>),
    /// A struct: the number of values, and the columns of its fields.
    Struct(usize, Vec<usize>),
}

/// A match with one expression for all number types, and separate arms for other types.
macro_rules! each {
    ($values:expr, $numbers:ident => $of_numbers:expr, $($others:pat => $of_others:expr),+ $(,)?) => {
        match $values {
            Values::Int8($numbers) => $of_numbers,
            Values::Int16($numbers) => $of_numbers,
            Values::Int32($numbers) => $of_numbers,
            Values::Int64($numbers) | Values::Time($numbers) => $of_numbers,
            Values::Float64($numbers) => $of_numbers,
            $($others => $of_others,)+
        }
    };
}

impl Values {
    /// Return empty values of a Kafka type; `None` for arrays and structs.
    pub fn of_type(type_name: &str, uuids: UuidForm) -> Option<Values> {
        Some(match Primitive::named(type_name)? {
            Primitive::Fixed(Kind::Bool) => Values::bool(),
            Primitive::Fixed(Kind::Int8) => Values::Int8(Vec::new()),
            Primitive::Fixed(Kind::Int16) => Values::Int16(Vec::new()),
            Primitive::Fixed(Kind::Int32 | Kind::UInt16) => Values::Int32(Vec::new()),
            Primitive::Fixed(Kind::Int64 | Kind::UInt32) => Values::Int64(Vec::new()),
            Primitive::Fixed(Kind::Float64) => Values::Float64(Vec::new()),
            Primitive::Fixed(Kind::Uuid) if uuids == UuidForm::Binary => Values::bytes(),
            Primitive::Fixed(Kind::Uuid) | Primitive::String => Values::text(),
            Primitive::Bytes => Values::bytes(),
        })
    }

    /// Whether a column of this type can contain the values of a codec.
    pub fn accept(&self, codec: Codec) -> bool {
        match self {
            Values::Float64(_) => codec == Codec::Fixed(Kind::Float64),
            Values::Text(_) => matches!(codec, Codec::String(_) | Codec::Fixed(Kind::Uuid)),
            Values::Bytes(_) => matches!(codec, Codec::Bytes(_) | Codec::Fixed(Kind::Uuid)),
            Values::List(_) | Values::Map(_) | Values::Struct(..) => false,
            Values::Bool(_)
            | Values::Int8(_)
            | Values::Int16(_)
            | Values::Int32(_)
            | Values::Int64(_)
            | Values::Time(_) => match codec {
                Codec::Fixed(kind) => match kind {
                    Kind::Bool | Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 => true,
                    Kind::UInt32 | Kind::Int64 => true,
                    Kind::Float64 | Kind::Uuid => false,
                },
                Codec::Packed(_) | Codec::Upacked(_) => true,
                Codec::String(_) | Codec::Bytes(_) | Codec::Struct { .. } => false,
                Codec::FixedArray { .. } | Codec::Array { .. } => false,
            },
        }
    }

    /// Return empty values of the same type.
    pub fn empty(&self) -> Values {
        match self {
            Values::Bool(_) => Values::bool(),
            Values::Int8(_) => Values::Int8(Vec::new()),
            Values::Int16(_) => Values::Int16(Vec::new()),
            Values::Int32(_) => Values::Int32(Vec::new()),
            Values::Int64(_) => Values::Int64(Vec::new()),
            Values::Time(_) => Values::Time(Vec::new()),
            Values::Float64(_) => Values::Float64(Vec::new()),
            Values::Text(_) => Values::text(),
            Values::Bytes(_) => Values::bytes(),
            Values::List(lists) => Values::list(lists.content),
            Values::Map(maps) => Values::map(maps.content),
            Values::Struct(_, fields) => Values::structs(fields.clone()),
        }
    }

    /// Return an empty column of booleans.
    pub fn bool() -> Values {
        Values::Bool(BooleanBufferBuilder::new(0))
    }

    /// Return an empty column of strings.
    pub fn text() -> Values {
        Values::Text(Variable::new(Vec::new()))
    }

    /// Return an empty column of bytes.
    pub fn bytes() -> Values {
        Values::Bytes(Variable::new(Vec::new()))
    }

    /// Return an empty column of arrays; their elements are in the column `elements`.
    pub fn list(elements: usize) -> Values {
        Values::List(Variable::new(elements))
    }

    /// Return an empty column of unknown tagged fields; their tags and bytes are in the column `entries`.
    pub fn map(entries: usize) -> Values {
        Values::Map(Variable::new(entries))
    }

    /// Return an empty column of structs; their fields are in other columns.
    pub fn structs(fields: Vec<usize>) -> Values {
        Values::Struct(0, fields)
    }

    /// Append an integer, or a boolean as 0 or 1, that fits the type.
    pub fn push_int(&mut self, value: i64) {
        match self {
            Values::Int32(values) => values.push(value as i32),
            Values::Int64(values) | Values::Time(values) => values.push(value),
            Values::Int16(values) => values.push(value as i16),
            Values::Int8(values) => values.push(value as i8),
            Values::Bool(values) => values.append(value != 0),
            Values::Float64(_)
            | Values::Text(_)
            | Values::Bytes(_)
            | Values::List(_)
            | Values::Map(_)
            | Values::Struct(..) => unreachable!("not a column of integers"),
        }
    }

    /// Append the same integer, or boolean as 0 or 1, several times.
    pub fn push_repeated(&mut self, value: i64, count: usize) {
        match self {
            Values::Int32(values) => values.resize(values.len() + count, value as i32),
            Values::Int64(values) => values.resize(values.len() + count, value),
            Values::Bool(values) => values.append_n(count, value != 0),
            others => (0..count).for_each(|_| others.push_int(value)),
        }
    }

    /// Append consecutive fixed-size values.
    pub fn push_run(&mut self, kind: Kind, run: &[u8]) -> Result<(), Overflow> {
        let mut uuids = run.chunks_exact(uuid_text::SIZE);
        match self {
            Values::Float64(values) => extend(values, run, f64::from_be_bytes),
            Values::Text(values) => uuids.try_for_each(|uuid| values.push(&uuid_text::write(chunk(uuid, 0))))?,
            Values::Bytes(values) => uuids.try_for_each(|uuid| values.push(uuid))?,
            Values::Int64(values) if kind == Kind::Int64 => extend(values, run, i64::from_be_bytes),
            Values::Int64(values) => values.extend(ints(run, kind)),
            Values::Int32(values) => values.extend(ints(run, kind).map(|value| value as i32)),
            Values::Int16(values) => values.extend(ints(run, kind).map(|value| value as i16)),
            Values::Int8(values) => values.extend(ints(run, kind).map(|value| value as i8)),
            Values::Bool(values) => ints(run, kind).for_each(|value| values.append(value != 0)),
            Values::Time(_) | Values::List(_) | Values::Map(_) | Values::Struct(..) => {
                unreachable!("not a column of constant size")
            }
        }
        Ok(())
    }

    /// Return the number of values.
    pub fn length(&self) -> usize {
        each!(self,
            values => values.len(),
            Values::Bool(values) => values.len(),
            Values::Text(values) | Values::Bytes(values) => values.offsets.len() - 1,
            Values::List(values) | Values::Map(values) => values.offsets.len() - 1,
            Values::Struct(length, _) => *length,
        )
    }

    /// Append `count` zeros of the type; the caller appends the fields of structs.
    pub fn pad(&mut self, count: usize) {
        let length = self.length() + count;
        each!(self,
            values => values.resize(length, Default::default()),
            Values::Bool(values) => values.resize(length),
            Values::Text(values) | Values::Bytes(values) => values.pad(count),
            Values::List(values) | Values::Map(values) => values.pad(count),
            Values::Struct(held, _) => *held = length,
        )
    }

    /// Shorten to `length` values; the caller shortens the columns below.
    pub fn truncate(&mut self, length: usize) {
        each!(self,
            values => values.truncate(length),
            Values::Bool(values) => values.truncate(length),
            Values::Text(values) | Values::Bytes(values) => {
                values.offsets.truncate(length + 1);
                values.content.truncate(values.offsets[length] as usize);
            },
            Values::List(values) | Values::Map(values) => values.offsets.truncate(length + 1),
            Values::Struct(held, _) => *held = length,
        )
    }
}

/// Append big-endian values.
#[inline]
pub fn extend<T, const SIZE: usize>(values: &mut Vec<T>, run: &[u8], of_bytes: fn([u8; SIZE]) -> T) {
    values.extend(run.as_chunks().0.iter().map(|bytes| of_bytes(*bytes)));
}

fn ints(run: &[u8], kind: Kind) -> impl Iterator<Item = i64> {
    (0..run.len())
        .step_by(kind.size())
        .map(move |at| fixed_int(kind, run, at))
}
