//! Values that have not been created yet and are still bytes.

use std::ops::Range;

use messagegen_core::plan::Codec;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

use super::slots::{View, as_int};
use super::tables::{StructTable, Tables};

/// The data that all parts of one message share.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Source {
    /// The tables for reading the message.
    pub tables: Py<Tables>,
    /// The buffer with the bytes of the message.
    pub buffer: Py<PyBytes>,
}

impl Source {
    /// Return the bytes at `place`.
    pub fn bytes<'a>(&'a self, py: Python<'a>, place: &Range<usize>) -> &'a [u8] {
        &self.buffer.as_bytes(py)[place.clone()]
    }
}

/// A value that is still bytes.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Part {
    /// The data of the message.
    pub source: Py<Source>,
    /// The place of the value's bytes in the message's buffer.
    pub place: Range<usize>,
    /// The codec for reading the value.
    pub codec: Codec,
}

impl Part {
    /// Return `value` as a part, if it is one.
    #[inline]
    pub fn of<'a>(value: &'a Bound<'_, PyAny>) -> Option<&'a Part> {
        value.cast_exact::<Part>().ok().map(Bound::get)
    }
}

/// The size above which values stay bytes when their struct wakes. For smaller values, creating a [`Part`] takes longer
/// than creating the value.
pub const SHORTEST_PART: usize = 48;

/// The maximum size of a buffer for lazy decoding, because the place of a struct is stored as two numbers in one
/// integer.
///
/// It is 0 on free-threaded interpreters, where two threads could create the values of the same struct.
pub const LARGEST: usize = if cfg!(Py_GIL_DISABLED) { 0 } else { i32::MAX as usize };

/// Put a new struct to sleep.
#[inline]
pub fn put_to_sleep<'py>(view: View<'_, 'py>, table: &StructTable, source: &Bound<'py, Source>, place: &Range<usize>) {
    let number = (place.start as u64) << 32 | place.len() as u64;
    let Ok(number) = number.into_pyobject(source.py());
    view.set(table.unknown, Some(number.into_any()));
    view.set(table.class.slots[0], Some(source.clone().into_any()));
}

/// Return the source and the place of a sleeping struct; `None` for other structs.
#[inline]
pub fn asleep<'py>(view: View<'_, 'py>, table: &StructTable) -> Option<(Bound<'py, Source>, Range<usize>)> {
    let number = view.get(table.unknown)?;
    if !is_int(&number) {
        return None;
    }
    let source = view.get(table.class.slots[0])?.cast_into_exact::<Source>().ok()?;
    let number = as_int(&number)?.cast_unsigned();
    let (start, length) = ((number >> 32) as usize, (number & u64::from(u32::MAX)) as usize);
    Some((source, start..start + length))
}

/// Whether an object is a value: neither a part nor the source or the place of a sleeping struct.
#[inline]
pub fn is_value(value: &Bound<'_, PyAny>, is_unknown: bool) -> bool {
    !(value.is_exact_instance_of::<Part>() || value.is_exact_instance_of::<Source>() || is_unknown && is_int(value))
}

#[inline]
fn is_int(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyInt>()
}
