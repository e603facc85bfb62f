//! Messages as Python objects: one engine for each message, bound to its classes.

mod cache;
mod comparing;
mod decode;
mod defaults;
mod encode;
mod error;
mod lazy;
mod part;
pub mod slots;
mod tables;
mod uuids;
mod values;

use std::sync::Mutex;

use messagegen_core::error::MessageResult;
use messagegen_core::limits::{Limits, PackedLimits};
use messagegen_core::plan::Plan;
use messagegen_core::walk::Walk;
use messagegen_core::wire::Cursor;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use self::decode::ObjectSink;
use self::encode::Encoder;
pub use self::error::Failure;
use self::error::{ObjectError, decode_error};
use self::lazy::{fill_message, prepare};
use self::part::{LARGEST, SHORTEST_PART, Source};
use self::tables::Tables;
use crate::panics::catch_panics;
use crate::profile::with_profile;

/// The maximum size of a buffer that is kept for the next message.
const LARGEST_KEPT: usize = 1 << 20;

/// One message's plan, bound to its classes.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Engine {
    tables: Py<Tables>,
    /// The Python function that creates the classes of lazily decoded structs.
    make_class: Option<Py<PyAny>>,
    /// The default limits for decoding, as set for the generated output.
    limits: Limits,
    /// The layout number of each version.
    roots: Py<PyDict>,
    /// The buffer of the latest message, to be reused.
    buffer: Mutex<Vec<u8>>,
}

#[pymethods]
impl Engine {
    fn __repr__(&self) -> String {
        with_profile("Engine")
    }

    #[new]
    fn new(
        plan_text: &str,
        classes: &Bound<'_, PyTuple>,
        make_class: Option<Py<PyAny>>,
        limits: PackedLimits,
    ) -> PyResult<Self> {
        catch_panics(|| {
            let plan = Plan::parse(plan_text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            let roots = PyDict::new(classes.py());
            for (version, layout) in &plan.roots {
                roots.set_item(version, layout)?;
            }
            let tables = Py::new(classes.py(), Tables::new(plan, classes)?)?;
            Ok(Engine {
                tables,
                make_class,
                limits: limits.into(),
                roots: roots.unbind(),
                buffer: Mutex::new(Vec::new()),
            })
        })
    }

    /// Read the message at `offset`, and return it and the offset after it.
    #[pyo3(signature = (version, buffer, offset, limits=None))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        version: &Bound<'py, PyAny>,
        buffer: &Bound<'py, PyBytes>,
        offset: usize,
        limits: Option<PackedLimits>,
    ) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let layout = self.root(version)?;
        catch_panics(|| {
            let tables = self.tables.get();
            self.walk(py, buffer.as_bytes(), offset, limits, |walk| {
                walk.message(&mut ObjectSink::new(py, tables), (), layout)
            })
        })
    }

    /// Read as `decode` does, but create values only when they are accessed.
    #[pyo3(signature = (version, buffer, offset, limits=None))]
    fn decode_lazily<'py>(
        &self,
        py: Python<'py>,
        version: &Bound<'py, PyAny>,
        buffer: &Bound<'py, PyBytes>,
        offset: usize,
        limits: Option<PackedLimits>,
    ) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let layout = self.root(version)?;
        let bytes = buffer.as_bytes();
        let is_large_enough = bytes.len().saturating_sub(offset) > SHORTEST_PART;
        if !is_large_enough || bytes.len() > LARGEST {
            return self.decode(py, version, buffer, offset, limits);
        }
        let lazily = catch_panics(|| {
            let tables = self.tables.get();
            if let Some(make_class) = &self.make_class {
                prepare(self.tables.bind(py), layout, make_class.bind(py))?;
            }
            let Some(class) = tables.lazy(layout) else {
                return Ok(None);
            };
            let source = Source {
                tables: self.tables.clone_ref(py),
                buffer: buffer.clone().unbind(),
            };
            let source = Bound::new(py, source)?;
            let message = class.instantiate(py)?;
            self.walk(py, bytes, offset, limits, |walk| {
                fill_message(walk, tables, layout, message, &source)
            })
            .map(Some)
        })?;
        match lazily {
            Some(decoded) => Ok(decoded),
            None => self.decode(py, version, buffer, offset, limits),
        }
    }

    /// Encode a message to bytes.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        version: &Bound<'py, PyAny>,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let layout = self.root(version)?;
        // A nested call, from a comparison in Python code, begins with an empty buffer.
        let mut out = self
            .buffer
            .try_lock()
            .map(|mut kept| std::mem::take(&mut *kept))
            .unwrap_or_default();
        let result = catch_panics(|| {
            let written = Encoder::new(self.tables.get(), &mut out).structure(layout, message);
            written
                .map(|()| PyBytes::new(py, &out))
                .map_err(|error| error.into_error(py))
        });
        if out.capacity() <= LARGEST_KEPT
            && let Ok(mut kept) = self.buffer.try_lock()
        {
            out.clear();
            *kept = out;
        }
        result
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.roots)?;
        visit.call(&self.make_class)?;
        visit.call(&self.tables)
    }
}

impl Engine {
    /// Walk over the message at `offset`; return the result of `read` and the offset after the message.
    #[inline(always)]
    fn walk<'a, T>(
        &'a self,
        py: Python<'_>,
        bytes: &'a [u8],
        offset: usize,
        limits: Option<PackedLimits>,
        read: impl FnOnce(&mut Walk<'a, 'a>) -> MessageResult<T>,
    ) -> PyResult<(T, usize)> {
        let cursor = Cursor::new(bytes, offset).map_err(|error| ObjectError::from(error).into_error(py))?;
        let plan = &self.tables.get().plan;
        let mut walk = Walk::new(plan, limits.map_or(self.limits, Limits::from), cursor);
        match read(&mut walk) {
            Ok(value) => Ok((value, walk.cursor.at())),
            Err(error) => Err(decode_error(py, plan, error, walk.start)),
        }
    }

    fn root(&self, version: &Bound<'_, PyAny>) -> PyResult<u32> {
        match self.roots.bind(version.py()).get_item(version)? {
            Some(layout) => layout.extract(),
            None => Err(PyKeyError::new_err(version.clone().unbind())),
        }
    }
}
