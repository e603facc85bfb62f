//! Log folders for Python: options, files in object stores, and exceptions.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Instant;

use messagegen_core::logs::{Entry, File, Given, Host, Limit, Options, Planner, Pushed, Reader, Storage, Task};
use messagegen_core::{Error, Outcome};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;

use crate::arrow::export::ColumnBatch;
use crate::errors::raised;
use crate::panics::catch_panics;

/// The first and last offset, and the first and last timestamp; the mode, the columns, and whether headers are read.
type PyOptions = ((i64, i64, i64, i64), String, Option<Vec<String>>, bool);
/// The text of a task, and its number of bytes.
type PyTask = (String, u64);

/// The minimum time between two checks for signals, in milliseconds.
const BETWEEN_CHECKS: u64 = 50;

/// The files in an object store, read through a Python object.
struct PyStorage {
    object: Py<PyAny>,
    signals: Arc<Signals>,
}

/// Runs Python's signal handlers, such as the one that raises `KeyboardInterrupt` at Ctrl-C. They cannot run unless the
/// engine lets them.
#[derive(Default)]
struct Signals {
    /// The time of the last check, in milliseconds since `CLOCK`.
    last_check: AtomicU64,
    /// The exception that a handler raised. Every check raises it again until the call ends, because some file errors
    /// are ignored.
    raised: Mutex<Option<PyErr>>,
}

static CLOCK: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Signals {
    /// Run pending signal handlers, and fail with the exception that a handler has raised. Handlers only run in the
    /// main thread.
    fn check(&self) -> io::Result<()> {
        let now = CLOCK.elapsed().as_millis() as u64;
        let last_check = self.last_check.load(Ordering::Relaxed);
        let is_first = |next| {
            self.last_check
                .compare_exchange(last_check, next, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        };
        if now < last_check + BETWEEN_CHECKS || !is_first(now) {
            return Ok(());
        }
        Python::attach(|py| {
            let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = py.check_signals() {
                *raised = Some(error);
            }
            match &*raised {
                Some(error) => Err(io::Error::other(error.clone_ref(py))),
                None => Ok(()),
            }
        })
    }

    /// Return the outcome of a call, or the exception that a handler raised in the meantime.
    fn instead_of<T>(&self, found: PyResult<T>) -> PyResult<T> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(found, Err)
    }
}

fn io_error(py: Python<'_>, error: PyErr) -> io::Error {
    let is_gone = error.is_instance_of::<pyo3::exceptions::PyFileNotFoundError>(py);
    let kind = if is_gone {
        io::ErrorKind::NotFound
    } else {
        io::ErrorKind::Other
    };
    io::Error::new(kind, error)
}

/// Call a method of a Python object.
fn call<T>(object: &Py<PyAny>, method: &str, arguments: impl for<'py> PyCallArgs<'py>) -> io::Result<T>
where
    T: for<'a, 'py> FromPyObject<'a, 'py>,
{
    Python::attach(|py| {
        let found = object.bind(py).call_method1(method, arguments);
        found
            .and_then(|found| found.extract().map_err(Into::into))
            .map_err(|error| io_error(py, error))
    })
}

fn entry((name, size, is_folder, identity): (String, u64, bool, u64)) -> Entry {
    Entry::new(name, size, is_folder, identity)
}

impl Host for PyStorage {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        let found: Vec<_> = call(&self.object, "list", (folder,))?;
        Ok(found.into_iter().map(entry).collect())
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        let found: Option<_> = call(&self.object, "entry", (path,))?;
        Ok(found.map(entry))
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        Ok(Box::new(PyFile(call(&self.object, "open", (path,))?)))
    }

    fn expect(&self, folders: &[&str]) -> io::Result<()> {
        call::<Py<PyAny>>(&self.object, "expect", (folders.to_vec(),)).map(|_| ())
    }

    fn check_interrupt(&self) -> io::Result<()> {
        self.signals.check()
    }
}

/// A file in an object store.
struct PyFile(Py<PyAny>);

impl File for PyFile {
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let found = self.0.bind(py).call_method1("read_at", (buffer.len(), position));
            let found = found.map_err(|error| io_error(py, error))?;
            let data = found
                .cast::<PyBytes>()
                .map_err(|error| io_error(py, error.into()))?
                .as_bytes();
            let count = data.len().min(buffer.len());
            buffer[..count].copy_from_slice(&data[..count]);
            Ok(count)
        })
    }

    fn size(&self) -> io::Result<u64> {
        call(&self.0, "size", ())
    }

    fn identity(&self) -> io::Result<u64> {
        call(&self.0, "inode", ())
    }
}

/// Parse options from a JSON object.
fn parsed(options: &str) -> Outcome<Options> {
    Options::take(Given::from_json(options)?)
}

fn pushed(filters: &str) -> Outcome<Pushed> {
    serde_json::from_str(filters).map_err(|problem| Error::value(problem.to_string()))
}

/// Plans the reading of log folders; see the type stub.
#[pyclass(module = "messagegen_native")]
pub struct LogPlanner {
    planner: Planner,
    signals: Arc<Signals>,
}

impl LogPlanner {
    fn run<T: Send>(&mut self, py: Python<'_>, work: impl FnOnce(&mut Planner) -> Outcome<T> + Send) -> PyResult<T> {
        let planner = &mut self.planner;
        self.signals
            .instead_of(catch_panics(|| py.detach(|| work(planner)).map_err(raised)))
    }
}

#[pymethods]
impl LogPlanner {
    #[new]
    fn new(options: &str, storage: Py<PyAny>) -> PyResult<Self> {
        let options = parsed(options).map_err(raised)?;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let signals = Arc::new(Signals::default());
        let storage = Storage::new(PyStorage {
            object: storage,
            signals: signals.clone(),
        });
        let planner = Planner::new(options, cores, storage).map_err(raised)?;
        Ok(LogPlanner { planner, signals })
    }

    fn plan(&mut self, py: Python<'_>, filters: &str) -> PyResult<Vec<PyTask>> {
        self.run(py, |planner| planner.plan(&pushed(filters)?)).map(of_tasks)
    }

    fn logs(&mut self, py: Python<'_>) -> PyResult<String> {
        self.run(py, |planner| Ok(json!(planner.logs(&Pushed::default())?).to_string()))
    }

    fn initial(&mut self, py: Python<'_>) -> PyResult<String> {
        self.run(py, |planner| planner.initial())
    }

    fn available_now(&mut self, py: Python<'_>) -> PyResult<()> {
        self.run(py, Planner::available_now)
    }

    fn latest(
        &mut self,
        py: Python<'_>,
        start: &str,
        bytes: Option<u64>,
        offsets: Option<u64>,
    ) -> PyResult<(String, String)> {
        let ends = self.run(py, |planner| planner.latest(start, Limit { bytes, offsets }))?;
        Ok((ends.end, ends.latest))
    }

    fn between(&mut self, py: Python<'_>, start: &str, end: &str, filters: &str) -> PyResult<Vec<PyTask>> {
        self.run(py, |planner| planner.between(start, end, &pushed(filters)?))
            .map(of_tasks)
    }

    fn warnings(&self) -> Vec<String> {
        self.planner.take_warnings()
    }
}

fn of_tasks(tasks: Vec<Task>) -> Vec<PyTask> {
    tasks.into_iter().map(|task| (task.text, task.bytes)).collect()
}

/// Reads a task of log folders; see the type stub.
#[pyclass(module = "messagegen_native")]
pub struct LogReader {
    reader: Reader,
    signals: Arc<Signals>,
}

#[pymethods]
impl LogReader {
    #[new]
    #[pyo3(signature = (task, columns, options, storage, filters, *, batch_bytes = 16 << 20))]
    fn new(
        task: &str,
        columns: Vec<String>,
        options: &str,
        storage: Py<PyAny>,
        filters: &str,
        batch_bytes: usize,
    ) -> PyResult<Self> {
        let options = parsed(options).map_err(raised)?;
        let signals = Arc::new(Signals::default());
        let storage = Storage::new(PyStorage {
            object: storage,
            signals: signals.clone(),
        });
        let filters = pushed(filters).map_err(raised)?;
        let reader = Reader::new(task, &columns, options, &filters, false, batch_bytes, storage);
        Ok(LogReader {
            reader: reader.map_err(raised)?,
            signals,
        })
    }

    fn read(&mut self, py: Python<'_>) -> PyResult<Option<ColumnBatch>> {
        let reader = &mut self.reader;
        let found = catch_panics(|| py.detach(|| reader.next()).map_err(raised));
        Ok(self.signals.instead_of(found)?.map(ColumnBatch::new))
    }

    fn tally(&self) -> [u64; 7] {
        self.reader.tally().counts()
    }

    fn warnings(&self) -> Vec<String> {
        self.reader.take_warnings()
    }
}

/// Check options, and return the values that a host needs; see the type stub.
#[pyfunction]
pub fn log_options(options: &str) -> PyResult<PyOptions> {
    let Options {
        bounds,
        mode,
        columns,
        include_headers,
        ..
    } = parsed(options).map_err(raised)?;
    let bounds = (
        bounds.min_offset,
        bounds.max_offset,
        bounds.min_timestamp,
        bounds.max_timestamp,
    );
    Ok((bounds, format!("{mode:?}").to_uppercase(), columns, include_headers))
}
