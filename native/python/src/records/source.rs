//! The bytes that Python gave, without the interpreter; the only `unsafe` of the record reader.
#![allow(unsafe_code)]

use std::slice;

use pyo3::buffer::{PyBuffer, PyUntypedBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyMemoryView;

/// Bytes that nobody changes while they are read without the interpreter's lock.
pub struct Source {
    bytes: Bytes,
    end: usize,
}

enum Bytes {
    /// A buffer of Python that nobody may write to, held so that nobody frees, closes or resizes it.
    Shared(PyBuffer<u8>),
    /// A copy of one that somebody may write to.
    Own(Vec<u8>),
}

impl Source {
    /// The bytes from `start` to `end` (`None`: all) of anything with the buffer protocol.
    ///
    /// `TypeError` or `BufferError` without one, `ValueError` for bytes that do not lie in one piece, and for a range
    /// outside of them.
    pub fn new(object: &Bound<'_, PyAny>, start: usize, end: Option<usize>) -> PyResult<Self> {
        let buffer = PyBuffer::<u8>::get(object)?;
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err("the bytes of the buffer must lie in one piece"));
        }
        let size = buffer.len_bytes();
        let end = end.unwrap_or(size);
        if start > end || end > size {
            let text = format!("start ({start}) and end ({end}) must lie in the buffer of {size} bytes, in that order");
            return Err(PyValueError::new_err(text));
        }
        if is_constant(object, &buffer)? {
            return Ok(Source { bytes: Bytes::Shared(buffer), end });
        }
        let bytes = Bytes::Own(buffer.to_vec(object.py())?);
        Ok(Source { bytes, end })
    }

    /// The bytes up to the end. Positions count from the buffer's first byte.
    pub fn bytes(&self) -> &[u8] {
        let buffer = match &self.bytes {
            Bytes::Own(bytes) => return &bytes[..self.end],
            Bytes::Shared(_) if self.end == 0 => return &[],
            Bytes::Shared(buffer) => buffer,
        };
        // SAFETY: the buffer is one piece of at least `end` bytes, which is checked, and exported as long as `self` is, so
        // that it stays where it is. `is_constant` saw that its owner lets nobody write to it. A file behind a map is the
        // exception that nobody can rule out: the type stub says that it must stay as it is.
        unsafe { slice::from_raw_parts(buffer.buf_ptr().cast::<u8>(), self.end) }
    }
}

/// Whether nobody can write to a buffer: its owner says so, whatever a view of it says, which may be a read-only one of bytes
/// that others write to.
fn is_constant(object: &Bound<'_, PyAny>, buffer: &PyBuffer<u8>) -> PyResult<bool> {
    let Ok(view) = object.cast::<PyMemoryView>() else { return Ok(buffer.readonly()) };
    let owner = view.getattr("obj")?;
    // A view of bare memory has no owner.
    Ok(buffer.readonly() && !owner.is_none() && PyUntypedBuffer::get(&owner)?.readonly())
}
