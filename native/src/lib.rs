//! `messagegen_native`: runs the plans of messagegen's generated messages.
//!
//! Vendored output works without it. Where it is installed, the same classes decode and encode through it; whatever it
//! refuses, the runtime's slow walk refuses too, and that one says which field at which byte. See `README.md`.

mod columns;
mod costs;
mod decode;
mod encode;
mod guard;
mod judge;
mod objects;
mod plan;
mod records;
mod seen;
mod stop;
mod tables;
mod wire;

use std::sync::Mutex;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::costs::Limits;
use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::guard::guarded;
use crate::judge::judge;
use crate::plan::Plan;
use crate::stop::Stop;
use crate::tables::Tables;
use crate::wire::Cursor;

/// Batches of columns come and go at the same sizes. The system's allocator gives their pages back and has them cleared again,
/// which took a third of the time of large messages; this one keeps them. AddressSanitizer needs its own and builds without.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Buffers above this size are not kept for the next message.
const LARGEST_KEPT: usize = 1 << 20;

/// One message's plan, bound to its classes.
#[pyclass(frozen, module = "messagegen_native")]
struct Engine {
    plan: Plan,
    tables: Tables,
    /// Version to number of a layout.
    roots: Py<PyDict>,
    /// What the latest message was written into, to be used again.
    buffer: Mutex<Vec<u8>>,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(plan_text: &str, classes: &Bound<'_, PyTuple>) -> PyResult<Self> {
        guarded(|| {
            let plan = Plan::parse(plan_text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            let roots = PyDict::new(classes.py());
            for (version, layout) in &plan.roots {
                roots.set_item(version, layout)?;
            }
            let tables = Tables::new(&plan, classes)?;
            Ok(Engine { plan, tables, roots: roots.unbind(), buffer: Mutex::new(Vec::new()) })
        })
    }

    /// Reads a message that starts at `offset`; gives it and the offset after it.
    #[pyo3(signature = (version, buffer, offset, source, limits=None))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        version: &Bound<'py, PyAny>,
        buffer: &Bound<'py, PyBytes>,
        offset: usize,
        source: &Bound<'py, PyAny>,
        limits: Option<(u64, u64, u64, u64)>,
    ) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let layout = self.root(version)?;
        let source = (!source.is(buffer)).then_some(source);
        let limits = limits.map_or(Limits::DEFAULT, Limits::from);
        guarded(|| {
            let cursor = Cursor::new(buffer.as_bytes(), offset).map_err(|reason| Stop::from(reason).into_error(py))?;
            Decoder::new(py, &self.tables, cursor, source, &limits).message(layout).map_err(|stop| {
                let found = stop.located(py, || judge(&self.plan, layout, cursor, source.is_some(), &limits));
                found.into_error(py)
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
        // Whoever is not first, such as a message encoded while another is compared, starts with an empty buffer.
        let mut out = self.buffer.try_lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default();
        let result = guarded(|| {
            let written = Encoder::new(&self.tables, &mut out).structure(layout, message);
            written.map(|()| PyBytes::new(py, &out)).map_err(|stop| stop.into_error(py))
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

// Slots are read and written directly, which only the interpreter's lock makes safe.
#[pymodule(gil_used = true)]
mod messagegen_native {
    #[pymodule_export]
    const PLAN_FORMAT: u32 = crate::plan::PLAN_FORMAT;
    /// The form of engines: 2 takes limits, and says where something is wrong.
    #[pymodule_export]
    const ENGINE_FORMAT: u32 = 2;
    #[pymodule_export]
    use crate::Engine;
    #[pymodule_export]
    use crate::columns::{ColumnBatch, ColumnSchema, decode_columns, encode_columns, schema_of};
    #[pymodule_export]
    use crate::records::{BatchHeaders, RecordReader, batch_headers};
    #[pymodule_export]
    use crate::stop::Failure;
}
