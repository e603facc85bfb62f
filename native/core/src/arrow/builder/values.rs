//! The values of a column by type, without its nulls.

use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, MutableBuffer};
use arrow_schema::DataType;

use super::super::uuid_text;
use crate::plan::{Codec, Kind};
use crate::wire::{chunk, fixed_int};

/// More values than Arrow's 32-bit offsets can address.
#[derive(Debug)]
pub struct Overflow;

/// The position of values of constant size in the bytes of a message.
#[derive(Clone, Copy)]
pub struct Place {
    pub at: usize,
    /// In bytes.
    pub size: usize,
}

impl Place {
    /// That of an array that is null.
    pub const NULL: Place = Place { at: usize::MAX, size: 0 };

    /// Whether it is that of a null array.
    pub fn is_null(self) -> bool {
        self.at == usize::MAX
    }

    /// The bytes at the place.
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
        Variable { offsets: vec![0], content }
    }
}

/// The last of some offsets.
pub fn last(offsets: &[i32]) -> i32 {
    offsets[offsets.len() - 1]
}

impl Variable<Vec<u8>> {
    /// Appends a text or bytes.
    #[inline]
    pub fn push(&mut self, value: &[u8]) -> Result<(), Overflow> {
        self.content.extend_from_slice(value);
        self.offsets.push(i32::try_from(self.content.len()).map_err(|_| Overflow)?);
        Ok(())
    }
}

/// The Arrow type of uuids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UuidForm {
    /// `binary` of 16 bytes.
    Binary,
    /// A string, as Kafka writes them in JSON.
    Text,
}

/// Values of constant size, in the bytes of an Arrow buffer.
pub struct Fixed {
    /// That of a number, or `Binary` or `Utf8` for uuids, which get offsets at the end.
    pub data_type: DataType,
    /// The bytes of one value.
    pub width: usize,
    pub bytes: MutableBuffer,
}

/// The values of a column, by type.
pub enum Values {
    Bool(BooleanBufferBuilder),
    /// Numbers and uuids.
    Fixed(Fixed),
    /// `Utf8` or `Binary`.
    Bytes(DataType, Variable<Vec<u8>>),
    /// An array, with the number of the column of its elements; or a map, with that of its entries (structs of key and value).
    List {
        is_map: bool,
        lists: Variable<usize>,
    },
    /// A struct: the number of values, and the columns of its fields.
    Struct(usize, Vec<usize>),
}

impl Values {
    /// Empty values of a Kafka type that is neither array nor struct.
    pub fn of_type(type_name: &str, uuids: UuidForm) -> Option<Values> {
        Some(match (type_name, uuids) {
            ("bool", _) => Values::bool(),
            ("int8", _) => Values::fixed(DataType::Int8, 1),
            ("int16", _) => Values::fixed(DataType::Int16, 2),
            ("int32" | "uint16", _) => Values::int32(),
            ("int64" | "uint32", _) => Values::int64(),
            ("float64", _) => Values::fixed(DataType::Float64, 8),
            ("uuid", UuidForm::Binary) => Values::fixed(DataType::Binary, uuid_text::SIZE),
            ("uuid", UuidForm::Text) => Values::fixed(DataType::Utf8, uuid_text::LENGTH),
            ("string", _) => Values::text(),
            ("bytes" | "records", _) => Values::bytes(),
            _ => return None,
        })
    }

    /// Whether the values of a codec go into a column of this type.
    pub fn accept(&self, codec: Codec) -> bool {
        match (self, codec) {
            (Values::Fixed(fixed), Codec::Fixed(Kind::Float64)) => fixed.data_type == DataType::Float64,
            (Values::Fixed(fixed), Codec::Fixed(Kind::Uuid)) => fixed.width >= uuid_text::SIZE,
            (Values::Bool(_), Codec::Fixed(Kind::Float64 | Kind::Uuid)) => false,
            (Values::Bool(_), Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_)) => true,
            (Values::Fixed(fixed), Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_)) => {
                fixed.data_type.is_integer()
            }
            (Values::Bytes(data_type, _), Codec::String(_)) => *data_type == DataType::Utf8,
            (Values::Bytes(data_type, _), Codec::Bytes { .. }) => *data_type == DataType::Binary,
            _ => false,
        }
    }

    /// Empty values of the same type.
    pub fn empty(&self) -> Values {
        match self {
            Values::Bool(_) => Values::bool(),
            Values::Fixed(fixed) => Values::fixed(fixed.data_type.clone(), fixed.width),
            Values::Bytes(data_type, _) => Values::Bytes(data_type.clone(), Variable::new(Vec::new())),
            Values::List { is_map, lists } => Values::List { is_map: *is_map, lists: Variable::new(lists.content) },
            Values::Struct(_, fields) => Values::structs(fields.clone()),
        }
    }

    /// No booleans.
    pub fn bool() -> Values {
        Values::Bool(BooleanBufferBuilder::new(0))
    }

    fn fixed(data_type: DataType, width: usize) -> Values {
        Values::Fixed(Fixed { data_type, width, bytes: MutableBuffer::new(0) })
    }

    /// No integers of 32 bits.
    pub fn int32() -> Values {
        Values::fixed(DataType::Int32, 4)
    }

    /// No integers of 64 bits.
    pub fn int64() -> Values {
        Values::fixed(DataType::Int64, 8)
    }

    /// No texts.
    pub fn text() -> Values {
        Values::Bytes(DataType::Utf8, Variable::new(Vec::new()))
    }

    /// No bytes.
    pub fn bytes() -> Values {
        Values::Bytes(DataType::Binary, Variable::new(Vec::new()))
    }

    /// No array; elements go into another column.
    pub fn list(elements: usize) -> Values {
        Values::List { is_map: false, lists: Variable::new(elements) }
    }

    /// No map; entries go into another column.
    pub fn map(entries: usize) -> Values {
        Values::List { is_map: true, lists: Variable::new(entries) }
    }

    /// No structs; their fields go into other columns.
    pub fn structs(fields: Vec<usize>) -> Values {
        Values::Struct(0, fields)
    }

    /// Appends an integer, or a boolean as 0 or 1, that fits the type.
    #[inline]
    pub fn push_int(&mut self, value: i64) {
        match self {
            Values::Fixed(Fixed { width: 4, bytes, .. }) => bytes.push(value as i32),
            Values::Fixed(Fixed { width: 8, bytes, .. }) => bytes.push(value),
            Values::Fixed(Fixed { width: 2, bytes, .. }) => bytes.push(value as i16),
            Values::Fixed(Fixed { bytes, .. }) => bytes.push(value as i8),
            Values::Bool(values) => values.append(value != 0),
            _ => unreachable!("not a column of integers"),
        }
    }

    /// Appends the same integer, or boolean as 0 or 1, several times.
    pub fn push_repeated(&mut self, value: i64, count: usize) {
        match self {
            Values::Bool(values) => values.append_n(count, value != 0),
            _ => (0..count).for_each(|_| self.push_int(value)),
        }
    }

    /// Appends consecutive values of constant size.
    pub fn push_run(&mut self, kind: Kind, run: &[u8]) {
        match self {
            Values::Fixed(Fixed { width: uuid_text::LENGTH, bytes, .. }) => {
                let uuids = run.chunks_exact(uuid_text::SIZE);
                uuids.for_each(|uuid| bytes.extend_from_slice(&uuid_text::write(chunk(uuid, 0))));
            }
            Values::Fixed(Fixed { width, bytes, .. }) if *width == kind.size() && kind != Kind::Bool => {
                let at = bytes.len() / kind.size();
                bytes.extend_from_slice(run);
                match kind.size() {
                    2 => swap(bytes, at, u16::from_be),
                    4 => swap(bytes, at, u32::from_be),
                    8 => swap(bytes, at, u64::from_be),
                    _ => (),
                }
            }
            values => (0..run.len()).step_by(kind.size()).for_each(|at| values.push_int(fixed_int(kind, run, at))),
        }
    }

    /// The number of values.
    pub fn length(&self) -> usize {
        match self {
            Values::Bool(values) => values.len(),
            Values::Fixed(fixed) => fixed.bytes.len() / fixed.width,
            Values::Bytes(_, Variable { offsets, .. }) | Values::List { lists: Variable { offsets, .. }, .. } => {
                offsets.len() - 1
            }
            Values::Struct(length, _) => *length,
        }
    }

    /// Reserves memory for more values, without what offsets point to.
    pub fn reserve(&mut self, count: usize) {
        match self {
            Values::Bool(values) => values.reserve(count),
            Values::Fixed(fixed) => fixed.bytes.reserve(count * fixed.width),
            Values::Bytes(_, Variable { offsets, .. }) | Values::List { lists: Variable { offsets, .. }, .. } => {
                offsets.reserve(count)
            }
            Values::Struct(..) => (),
        }
    }

    /// The bits of one value, without what offsets point to and the fields of structs.
    pub fn bits(&self) -> u64 {
        const OFFSET: u64 = 32;
        match self {
            Values::Bool(_) => 1,
            Values::Fixed(fixed) if fixed.width >= uuid_text::SIZE => OFFSET + 8 * fixed.width as u64,
            Values::Fixed(fixed) => 8 * fixed.width as u64,
            Values::Bytes(..) | Values::List { .. } => OFFSET,
            // Structs without fields must cost something, too.
            Values::Struct(..) => 8,
        }
    }

    /// Appends the zero of the type; the fields of structs are left to the caller.
    pub fn pad(&mut self, count: usize) {
        match self {
            Values::Bool(values) => values.append_n(count, false),
            Values::Fixed(fixed) => fixed.bytes.extend_zeros(count * fixed.width),
            Values::Bytes(_, Variable { offsets, .. }) | Values::List { lists: Variable { offsets, .. }, .. } => {
                offsets.resize(offsets.len() + count, last(offsets));
            }
            Values::Struct(held, _) => *held += count,
        }
    }

    /// Shortens to a number of values; the columns below are left to the caller.
    pub fn truncate(&mut self, length: usize) {
        match self {
            Values::Bool(values) => values.truncate(length),
            Values::Fixed(fixed) => fixed.bytes.truncate(length * fixed.width),
            Values::Bytes(_, values) => {
                values.offsets.truncate(length + 1);
                values.content.truncate(last(&values.offsets) as usize);
            }
            Values::List { lists, .. } => lists.offsets.truncate(length + 1),
            Values::Struct(held, _) => *held = length,
        }
    }
}

/// Turns big-endian numbers, from the one at a place on, into those of the machine.
fn swap<T: ArrowNativeType>(bytes: &mut MutableBuffer, at: usize, of_be: fn(T) -> T) {
    bytes.typed_data_mut::<T>()[at..].iter_mut().for_each(|value| *value = of_be(*value));
}
