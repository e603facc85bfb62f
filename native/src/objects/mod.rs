//! Messages as Python objects: one engine for each message, bound to its classes.

mod cache;
mod costs;
mod decode;
mod encode;
mod error;
mod locate;
mod slots;
mod tables;
mod values;

use std::sync::Mutex;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use self::decode::Decoder;
use self::encode::Encoder;
pub use self::error::Failure;
use self::error::ObjectError;
use self::locate::locate;
use self::tables::Tables;
use crate::limits::{Limits, PackedLimits};
use crate::panics::catch_panics;
use crate::plan::Plan;
use crate::wire::Cursor;

/// Buffers above this size are not kept for the next message.
const LARGEST_KEPT: usize = 1 << 20;

/// One message's plan, bound to its classes.
#[pyclass(frozen, module = "messagegen_native")]
pub struct Engine {
    plan: Plan,
    tables: Tables,
    /// Version to number of a layout.
    roots: Py<PyDict>,
    /// The buffer of the latest message, to be used again.
    buffer: Mutex<Vec<u8>>,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(plan_text: &str, classes: &Bound<'_, PyTuple>) -> PyResult<Self> {
        catch_panics(|| {
            let plan = Plan::parse(plan_text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            let roots = PyDict::new(classes.py());
            for (version, layout) in &plan.roots {
                roots.set_item(version, layout)?;
            }
            let tables = Tables::new(&plan, classes)?;
            Ok(Engine { plan, tables, roots: roots.unbind(), buffer: Mutex::new(Vec::new()) })
        })
    }

    /// Reads a message that starts at `offset`; returns it and the offset after it.
    #[pyo3(signature = (version, buffer, offset, source, limits=None))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        version: &Bound<'py, PyAny>,
        buffer: &Bound<'py, PyBytes>,
        offset: usize,
        source: &Bound<'py, PyAny>,
        limits: PackedLimits,
    ) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let layout = self.root(version)?;
        let source = (!source.is(buffer)).then_some(source);
        catch_panics(|| {
            let cursor =
                Cursor::new(buffer.as_bytes(), offset).map_err(|error| ObjectError::from(error).into_error(py))?;
            let is_small = limits.is_none() && source.is_none() && cursor.left() <= self.tables.small;
            let limits = Limits::from(limits);
            let decoded = if is_small {
                Decoder::<false>::new(py, &self.tables, cursor, source, &limits).message(layout)
            } else {
                Decoder::<true>::new(py, &self.tables, cursor, source, &limits).message(layout)
            };
            decoded.map_err(|error| {
                let located = error.located(py, || locate(&self.plan, layout, cursor, source.is_some(), &limits));
                located.into_error(py)
            })
        })
    }

    /// The bytes of a message.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        version: &Bound<'py, PyAny>,
        message: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let layout = self.root(version)?;
        // A message that is encoded while another is, from a comparison in Python, starts with an empty buffer.
        let mut out = self.buffer.try_lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default();
        let result = catch_panics(|| {
            let written = Encoder::new(&self.tables, &mut out).structure(layout, message);
            written.map(|()| PyBytes::new(py, &out)).map_err(|error| error.into_error(py))
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
        self.tables.traverse(&visit)
    }
}

impl Engine {
    fn root(&self, version: &Bound<'_, PyAny>) -> PyResult<u32> {
        match self.roots.bind(version.py()).get_item(version)? {
            Some(layout) => layout.extract(),
            None => Err(PyKeyError::new_err(version.clone().unbind())),
        }
    }
}
