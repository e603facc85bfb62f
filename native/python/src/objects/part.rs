//! Bytes of values that were not created yet.

use std::ops::Range;

use messagegen_core::plan::Codec;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

use super::slots::{View, as_int};
use super::tables::{StructTable, Tables};

/// The data that all parts of one message share.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Source {
    /// How the message is read.
    pub tables: Py<Tables>,
    /// The buffer with the bytes of the message.
    pub buffer: Py<PyBytes>,
}

impl Source {
    /// Some of its bytes.
    pub fn bytes<'a>(&'a self, py: Python<'a>, place: &Range<usize>) -> &'a [u8] {
        &self.buffer.as_bytes(py)[place.clone()]
    }
}

/// A value that is still bytes.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Part {
    /// Where the bytes are.
    pub source: Py<Source>,
    /// Their place.
    pub place: Range<usize>,
    /// How they are read.
    pub codec: Codec,
}

impl Part {
    /// The part, if an object is one.
    #[inline]
    pub fn of<'a>(value: &'a Bound<'_, PyAny>) -> Option<&'a Part> {
        value.cast_exact::<Part>().ok().map(Bound::get)
    }
}

/// Values of more bytes stay bytes when the struct around them awakes. For fewer, a [`Part`] takes longer than the
/// value.
pub const SHORTEST_PART: usize = 48;

/// Larger buffers are decoded at once, because the place of a struct is kept as two numbers in one.
///
/// On free-threaded interpreters, all messages are, because two threads could create values of the same struct.
pub const LARGEST: usize = if cfg!(Py_GIL_DISABLED) { 0 } else { i32::MAX as usize };

/// Makes a new struct a sleeping one.
#[inline]
pub fn put_to_sleep<'py>(view: View<'_, 'py>, table: &StructTable, source: &Bound<'py, Source>, place: &Range<usize>) {
    let number = (place.start as u64) << 32 | place.len() as u64;
    let Ok(number) = number.into_pyobject(source.py());
    view.set(table.unknown, Some(number.into_any()));
    view.set(table.class.slots[0], Some(source.clone().into_any()));
}

/// Where the bytes of a sleeping struct are, otherwise `None`.
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

/// Whether an object is a value: neither a part nor the source of a sleeping struct.
#[inline]
pub fn is_value(value: &Bound<'_, PyAny>, is_unknown: bool) -> bool {
    !(value.is_exact_instance_of::<Part>() || value.is_exact_instance_of::<Source>() || is_unknown && is_int(value))
}

#[inline]
fn is_int(value: &Bound<'_, PyAny>) -> bool {
    value.is_exact_instance_of::<PyInt>()
}
