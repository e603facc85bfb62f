//! Imported Arrow arrays, read value by value.
//!
//! A *place* is the position of a value in the buffers of its array: its index plus the offset of the array. Buffers
//! are as long as their array requires, so a place is always within them. The offsets of variable-size values are
//! checked when values are read.

use std::ops::Range;

use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, ToByteSlice};
use arrow_data::ArrayData;
use arrow_schema::DataType;

use crate::outcome::{Error, Outcome};
use crate::wire::chunk;

/// An array, with the arrays within it.
pub struct Input<'a> {
    pub name: String,
    pub data_type: &'a DataType,
    pub nulls: Option<&'a NullBuffer>,
    /// The offset of the array.
    pub first: usize,
    pub length: usize,
    pub data: Data<'a>,
}

/// The start and end of each value in the bytes or elements of an array.
#[derive(Clone, Copy)]
pub enum Offsets<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
    /// All values have the same size.
    Every(usize),
}

/// The values of an array, by type.
pub enum Data<'a> {
    /// Nulls only.
    Nothing,
    Bool(&'a [u8]),
    Int {
        width: usize,
        signed: bool,
        bytes: &'a [u8],
    },
    Float32(&'a [f32]),
    Float64(&'a [f64]),
    Bytes {
        text: bool,
        offsets: Offsets<'a>,
        bytes: &'a [u8],
    },
    Views {
        text: bool,
        views: &'a [u128],
        buffers: Vec<&'a [u8]>,
    },
    List {
        offsets: Offsets<'a>,
        elements: Box<Input<'a>>,
    },
    Map {
        offsets: Offsets<'a>,
        entries: Box<Input<'a>>,
    },
    Struct(Vec<Input<'a>>),
    /// A type that no field has.
    Other,
}

impl<'a> Data<'a> {
    /// Return the values of an array. If it is a struct array, each of its children must have at least `end` values.
    fn new(array: &'a ArrayData, end: usize) -> Outcome<Self> {
        let offsets = |is_wide: bool| match is_wide {
            true => Offsets::Wide(typed(array)),
            false => Offsets::Narrow(typed(array)),
        };
        let child = || Ok::<_, Error>(Box::new(Input::new("", &array.child_data()[0])?));
        Ok(match array.data_type() {
            DataType::Null => Data::Nothing,
            DataType::Boolean => Data::Bool(bytes(&array.buffers()[0])),
            data_type if data_type.is_integer() => Data::Int {
                width: data_type.primitive_width().unwrap_or_default(),
                signed: data_type.is_signed_integer(),
                bytes: bytes(&array.buffers()[0]),
            },
            DataType::Float32 => Data::Float32(typed(array)),
            DataType::Float64 => Data::Float64(typed(array)),
            data_type @ (DataType::Utf8 | DataType::Binary | DataType::LargeUtf8 | DataType::LargeBinary) => {
                Data::Bytes {
                    text: matches!(data_type, DataType::Utf8 | DataType::LargeUtf8),
                    offsets: offsets(matches!(data_type, DataType::LargeUtf8 | DataType::LargeBinary)),
                    bytes: bytes(&array.buffers()[1]),
                }
            }
            DataType::FixedSizeBinary(width) => {
                let offsets = Offsets::Every(usize::try_from(*width).unwrap_or(0));
                Data::Bytes {
                    text: false,
                    offsets,
                    bytes: bytes(&array.buffers()[0]),
                }
            }
            data_type @ (DataType::Utf8View | DataType::BinaryView) => Data::Views {
                text: *data_type == DataType::Utf8View,
                views: typed(array),
                buffers: array.buffers()[1..].iter().map(bytes).collect(),
            },
            DataType::List(_) => Data::List {
                offsets: offsets(false),
                elements: child()?,
            },
            DataType::LargeList(_) => Data::List {
                offsets: offsets(true),
                elements: child()?,
            },
            DataType::FixedSizeList(_, width) => Data::List {
                offsets: Offsets::Every(usize::try_from(*width).unwrap_or(0)),
                elements: child()?,
            },
            DataType::Map(..) => Data::Map {
                offsets: offsets(false),
                entries: child()?,
            },
            DataType::Struct(fields) => {
                let children = fields.iter().zip(array.child_data());
                let children = children.map(|(field, child)| {
                    if child.len() < end {
                        let text = format!("the field {:?} of an Arrow struct is too short", field.name());
                        return Err(Error::value(text));
                    }
                    Input::new(field.name(), child)
                });
                Data::Struct(children.collect::<Outcome<_>>()?)
            }
            _ => Data::Other,
        })
    }
}

/// Return the first buffer of an array as values.
fn typed<T: ArrowNativeType>(array: &ArrayData) -> &[T] {
    array.buffers()[0].typed_data()
}

/// Return the bytes of a buffer; empty if its length is negative because of an invalid offset.
fn bytes(buffer: &Buffer) -> &[u8] {
    if isize::try_from(buffer.len()).is_ok() {
        buffer.as_slice()
    } else {
        &[]
    }
}

impl Offsets<'_> {
    fn range(&self, place: usize) -> Option<Range<usize>> {
        match self {
            Offsets::Narrow(offsets) => {
                Some(usize::try_from(*offsets.get(place)?).ok()?..usize::try_from(*offsets.get(place + 1)?).ok()?)
            }
            Offsets::Wide(offsets) => {
                Some(usize::try_from(*offsets.get(place)?).ok()?..usize::try_from(*offsets.get(place + 1)?).ok()?)
            }
            Offsets::Every(width) => Some(place.checked_mul(*width)?..place.checked_add(1)?.checked_mul(*width)?),
        }
    }
}

impl<'a> Input<'a> {
    /// Read an imported array. Fail with `Kind::Value` if a field of a struct has fewer values than the struct.
    pub fn new(name: &str, array: &'a ArrayData) -> Outcome<Self> {
        // An empty array may have any offset.
        let first = if array.is_empty() { 0 } else { array.offset() };
        let data = Data::new(array, first + array.len())?;
        let (name, data_type) = (name.to_owned(), array.data_type());
        Ok(Input {
            name,
            data_type,
            nulls: array.nulls(),
            first,
            length: array.len(),
            data,
        })
    }

    /// Return the place of a value, by its index; `None` for a null.
    #[inline]
    pub fn place(&self, number: usize) -> Option<usize> {
        match self.nulls {
            Some(nulls) if nulls.is_null(number) => None,
            _ if matches!(self.data, Data::Nothing) => None,
            _ => Some(self.first + number),
        }
    }

    /// Return the integer at a place, or the boolean as 0 or 1; `None` for values beyond int64 and for other types.
    #[inline]
    pub fn int(&self, place: usize) -> Option<i64> {
        self.wide_int(place)?.try_into().ok()
    }

    /// Return the integer at a place, whatever its width, or the boolean as 0 or 1; `None` for other types.
    #[inline]
    pub fn wide_int(&self, place: usize) -> Option<i128> {
        let (width, signed, bytes) = match self.data {
            Data::Int { width, signed, bytes } => (width, signed, bytes),
            Data::Bool(bits) => return Some((bits[place / 8] >> (place % 8) & 1).into()),
            _ => return None,
        };
        let at = place * width;
        Some(match (width, signed) {
            (1, true) => i8::from_ne_bytes(chunk(bytes, at)).into(),
            (2, true) => i16::from_ne_bytes(chunk(bytes, at)).into(),
            (4, true) => i32::from_ne_bytes(chunk(bytes, at)).into(),
            (_, true) => i64::from_ne_bytes(chunk(bytes, at)).into(),
            (1, false) => bytes[at].into(),
            (2, false) => u16::from_ne_bytes(chunk(bytes, at)).into(),
            (4, false) => u32::from_ne_bytes(chunk(bytes, at)).into(),
            (_, false) => u64::from_ne_bytes(chunk(bytes, at)).into(),
        })
    }

    /// Return the integer at a place as text.
    #[cold]
    pub fn int_text(&self, place: usize) -> String {
        self.wide_int(place).unwrap_or_default().to_string()
    }

    /// Return the float at a place; 0 for other types.
    #[inline]
    pub fn float(&self, place: usize) -> f64 {
        match self.data {
            Data::Float64(values) => values[place],
            Data::Float32(values) => f64::from(values[place]),
            _ => 0.0,
        }
    }

    /// Return the bytes or the string at a place; `None` if the array is invalid, and for other types.
    #[inline]
    pub fn bytes(&self, place: usize) -> Option<&'a [u8]> {
        match &self.data {
            Data::Bytes { offsets, bytes, .. } => bytes.get(offsets.range(place)?),
            Data::Views { views, buffers, .. } => view(views.get(place)?, buffers),
            _ => None,
        }
    }

    /// Return the elements of the array or map at a place, and the range of their indexes. Return `None` for invalid
    /// offsets and for other types.
    #[inline]
    pub fn elements(&self, place: usize) -> Option<(&Input<'a>, Range<usize>)> {
        let (Data::List { offsets, elements }
        | Data::Map {
            offsets,
            entries: elements,
        }) = &self.data
        else {
            return None;
        };
        let range = offsets.range(place)?;
        (range.start <= range.end && range.end <= elements.length).then_some((elements, range))
    }

    /// Whether the values are strings (`true`) or bytes (`false`); `None` for other types.
    pub fn is_text(&self) -> Option<bool> {
        match self.data {
            Data::Bytes { text, .. } | Data::Views { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether the values are integers.
    pub fn is_integer(&self) -> bool {
        matches!(self.data, Data::Int { .. })
    }

    /// Fail with `Kind::Type` unless the array has integers or only nulls.
    pub fn check_integers(&self, what: &str) -> Outcome<()> {
        if self.is_integer() || matches!(self.data, Data::Nothing) {
            return Ok(());
        }
        Err(Error::wrong_type(format!(
            "{what} must be an Arrow array of integers, not of {}",
            self.data_type
        )))
    }

    /// Fail with `Kind::Type` unless the array has the type binary, large_binary or binary_view.
    pub fn check_binary(&self) -> Outcome<()> {
        if self.is_text() == Some(false)
            && !matches!(
                self.data,
                Data::Bytes {
                    offsets: Offsets::Every(_),
                    ..
                }
            )
        {
            return Ok(());
        }
        let text = format!(
            "an Arrow array of binary or large_binary is needed, not of {}",
            self.data_type
        );
        Err(Error::wrong_type(text))
    }
}

/// Return the bytes of a view. Up to twelve bytes are in the view itself; longer values are in a buffer that it refers
/// to.
fn view<'a>(view: &'a u128, buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let view = view.to_byte_slice();
    let word = |at: usize| usize::try_from(i32::from_ne_bytes(chunk(view, at))).ok();
    let length = word(0)?;
    if length <= 12 {
        return view.get(4..4 + length);
    }
    let start = word(12)?;
    buffers.get(word(8)?)?.get(start..start + length)
}
