//! The bytes that Python gave, without the interpreter; the only `unsafe` of the record reader.
#![allow(unsafe_code)]

use std::slice;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A buffer of Python, held so that nobody frees, closes or resizes it.
pub struct Source {
    buffer: PyBuffer<u8>,
    end: usize,
}

impl Source {
    /// The bytes from `start` to `end` (`None`: all) of anything with the buffer protocol.
    ///
    /// `TypeError` or `BufferError` without one, `ValueError` for bytes that do not lie in one piece, and for a range
    /// outside of them.
    pub fn new(buffer: &Bound<'_, PyAny>, start: usize, end: Option<usize>) -> PyResult<Self> {
        let buffer = PyBuffer::<u8>::get(buffer)?;
        if !buffer.is_c_contiguous() {
            return Err(PyValueError::new_err("the bytes of the buffer must lie in one piece"));
        }
        let size = buffer.len_bytes();
        let end = end.unwrap_or(size);
        if start > end || end > size {
            let text = format!("start ({start}) and end ({end}) must lie in the buffer of {size} bytes, in that order");
            return Err(PyValueError::new_err(text));
        }
        Ok(Source { buffer, end })
    }

    /// The bytes up to the end. Positions count from the buffer's first byte.
    pub fn bytes(&self) -> &[u8] {
        if self.end == 0 {
            return &[];
        }
        // SAFETY: the buffer is one piece of at least `end` bytes, and exported as long as `self` is. As the type stub
        // says, the caller leaves the bytes as they are.
        unsafe { slice::from_raw_parts(self.buffer.buf_ptr().cast::<u8>(), self.end) }
    }
}
