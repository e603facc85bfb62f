//! The input of decoding: bytes, layout and limits.

use messagegen_core::limits::Limits;
use messagegen_core::wire::Cursor;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::tables::Tables;

/// A message that is decoded.
pub struct Input<'a, 'py> {
    /// The tables to decode it with.
    pub tables: &'a Bound<'py, Tables>,
    /// The number of its layout.
    pub layout: u32,
    /// The buffer with its bytes.
    pub buffer: &'a Bound<'py, PyBytes>,
    /// Where the message begins.
    pub cursor: Cursor<'a>,
    /// The memoryview that zero-copy fields are slices of; `None` if they are copied.
    pub view: Option<&'a Bound<'py, PyAny>>,
    /// Its limits.
    pub limits: &'a Limits,
}
