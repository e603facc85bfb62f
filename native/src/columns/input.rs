//! Arrow arrays that Python gave, to be read value by value.
//!
//! A *place* is where a value lies in the buffers of its array: its number from the array's own offset on. Buffers are as
//! long as their array says, so that a place is always within them; what offsets point to is checked on the way.

use std::ops::Range;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// An array, with those below it.
pub struct Input<'a> {
    pub name: String,
    /// Arrow's name of the type, for messages.
    pub format: String,
    pub validity: Option<&'a [u8]>,
    pub first: usize,
    pub length: usize,
    pub data: Data<'a>,
}

/// Where values begin and end within what they cut.
#[derive(Clone, Copy)]
pub enum Offsets<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
    /// So many each.
    Every(usize),
}

/// The values of an array, by type.
pub enum Data<'a> {
    /// Nulls only.
    Nothing,
    Bool(&'a [u8]),
    Int8(&'a [i8]),
    Int16(&'a [i16]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    UInt8(&'a [u8]),
    UInt16(&'a [u16]),
    UInt32(&'a [u32]),
    UInt64(&'a [u64]),
    Float32(&'a [f32]),
    Float64(&'a [f64]),
    Bytes {
        text: bool,
        offsets: Offsets<'a>,
        bytes: &'a [u8],
    },
    Views {
        text: bool,
        views: &'a [[u8; 16]],
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
    /// Types that no field has.
    Other,
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
    /// The number of values.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The place of a value, by its number; `None` for a null.
    #[inline]
    pub fn place(&self, number: usize) -> Option<usize> {
        let place = self.first + number;
        match self.validity {
            Some(validity) if validity[place / 8] >> (place % 8) & 1 == 0 => None,
            _ if matches!(self.data, Data::Nothing) => None,
            _ => Some(place),
        }
    }

    /// The truth at a place; false for other types.
    #[inline]
    pub fn truth(&self, place: usize) -> bool {
        matches!(self.data, Data::Bool(bits) if bits[place / 8] >> (place % 8) & 1 == 1)
    }

    /// The integer at a place; `None` for what int64 can't hold, and for other types.
    #[inline]
    pub fn int(&self, place: usize) -> Option<i64> {
        Some(match self.data {
            Data::Int32(values) => i64::from(values[place]),
            Data::Int64(values) => values[place],
            Data::Int16(values) => i64::from(values[place]),
            Data::Int8(values) => i64::from(values[place]),
            Data::UInt8(values) => i64::from(values[place]),
            Data::UInt16(values) => i64::from(values[place]),
            Data::UInt32(values) => i64::from(values[place]),
            Data::UInt64(values) => return i64::try_from(values[place]).ok(),
            _ => return None,
        })
    }

    /// The integer at a place as text.
    #[cold]
    pub fn int_text(&self, place: usize) -> String {
        match self.data {
            Data::UInt64(values) => values[place].to_string(),
            _ => self.int(place).unwrap_or_default().to_string(),
        }
    }

    /// The float at a place; 0 for other types.
    #[inline]
    pub fn float(&self, place: usize) -> f64 {
        match self.data {
            Data::Float64(values) => values[place],
            Data::Float32(values) => f64::from(values[place]),
            _ => 0.0,
        }
    }

    /// The bytes, or those of the text, at a place; `None` where the array makes no sense, and for other types.
    #[inline]
    pub fn bytes(&self, place: usize) -> Option<&'a [u8]> {
        match &self.data {
            Data::Bytes { offsets, bytes, .. } => bytes.get(offsets.range(place)?),
            Data::Views { views, buffers, .. } => view(views.get(place)?, buffers),
            _ => None,
        }
    }

    /// The numbers of the elements of the array or map at a place; `None` where they make no sense, and for other types.
    #[inline]
    pub fn elements(&self, place: usize) -> Option<(&Input<'a>, Range<usize>)> {
        let (Data::List { offsets, elements } | Data::Map { offsets, entries: elements }) = &self.data else {
            return None;
        };
        let range = offsets.range(place)?;
        (range.start <= range.end && range.end <= elements.length).then_some((elements, range))
    }

    /// Whether there are texts (`true`) or bytes (`false`) in it.
    pub fn is_text(&self) -> Option<bool> {
        match self.data {
            Data::Bytes { text, .. } | Data::Views { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether there are integers in it.
    pub fn is_integer(&self) -> bool {
        matches!(
            self.data,
            Data::Int8(_) | Data::Int16(_) | Data::Int32(_) | Data::Int64(_) | Data::UInt8(_) | Data::UInt16(_)
        ) || matches!(self.data, Data::UInt32(_) | Data::UInt64(_))
    }

    /// `TypeError` unless it holds integers, or nothing.
    pub fn check_integers(&self, what: &str) -> PyResult<()> {
        if self.is_integer() || matches!(self.data, Data::Nothing) {
            return Ok(());
        }
        Err(PyTypeError::new_err(format!("{what} are an Arrow array of integers, not one of format {:?}", self.format)))
    }

    /// `TypeError` unless it holds bytes.
    pub fn check_binary(&self) -> PyResult<()> {
        if self.is_text() == Some(false) && !matches!(self.data, Data::Bytes { offsets: Offsets::Every(_), .. }) {
            return Ok(());
        }
        let text = format!("an Arrow array of binary or large_binary is needed, not one of format {:?}", self.format);
        Err(PyTypeError::new_err(text))
    }
}

/// The bytes of a view: up to twelve lie in it, more in the buffer that it names.
fn view<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let word =
        |at: usize| usize::try_from(i32::from_ne_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]])).ok();
    let length = word(0)?;
    if length <= 12 {
        return Some(&view[4..4 + length]);
    }
    let start = word(12)?;
    buffers.get(word(8)?)?.get(start..start + length)
}
