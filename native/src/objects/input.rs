//! What is decoded, and how.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::tables::Tables;
use crate::limits::Limits;
use crate::wire::Cursor;

/// A message that is decoded.
pub struct Input<'a, 'py> {
    /// How it is read.
    pub tables: &'a Bound<'py, Tables>,
    /// The number of its layout.
    pub layout: u32,
    /// Its bytes, and whatever surrounds them.
    pub buffer: &'a Bound<'py, PyBytes>,
    /// Where the message begins.
    pub cursor: Cursor<'a>,
    /// What zero-copy fields are cut from; `None` where they are copied.
    pub view: Option<&'a Bound<'py, PyAny>>,
    /// What it may cost.
    pub limits: &'a Limits,
}
