//! Log folders for Python: its options, its files of stores, and its exceptions.

use std::io;
use std::sync::Arc;

use messagegen_core::logs::{
    Bounds, Entry, ErrorKind, File, Kind, Limit, LocalStorage, Log, LogError, Mode, Options, Plan, Planner, Pushed,
    Reader, Storage, is_url,
};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrow::export::ColumnBatch;
use crate::panics::catch_panics;

/// Options as texts by their names.
type Texts = Vec<(String, String)>;
/// First and last offset, first and last timestamp, topics, partitions.
type PyPushed = (i64, i64, i64, i64, Option<Vec<Option<String>>>, Option<Vec<Option<i32>>>);
/// Text, bytes, rows and files of tasks, and why there are none.
type PyPlan = (Vec<(String, u64, Option<u64>, usize)>, Option<String>);
/// Path, size, base offset, next base offset, whether complete, damage.
type PySegment = (String, u64, Option<i64>, Option<i64>, bool, Option<String>);
/// Folder, topic, partition, start and end offset, segments.
type PyLog = (String, Option<String>, Option<i32>, i64, i64, Vec<PySegment>);

/// Files of this machine, and those of stores through an object of Python.
struct PyStorage(Py<PyAny>);

fn io_error(py: Python<'_>, error: PyErr) -> io::Error {
    let is_gone = error.is_instance_of::<pyo3::exceptions::PyFileNotFoundError>(py);
    let kind = if is_gone { io::ErrorKind::NotFound } else { io::ErrorKind::Other };
    io::Error::new(kind, error)
}

impl PyStorage {
    fn call<T>(&self, method: &str, path: &str) -> io::Result<T>
    where
        T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
    {
        Python::attach(|py| {
            let found = self.0.bind(py).call_method1(method, (path,)).and_then(|found| found.extract());
            found.map_err(|error: PyErr| io_error(py, error))
        })
    }
}

fn entry((name, size, is_folder, identity): (String, u64, bool, u64)) -> Entry {
    Entry { name, size, kind: if is_folder { Kind::Folder } else { Kind::File }, identity }
}

impl Storage for PyStorage {
    fn list(&self, folder: &str) -> io::Result<Vec<Entry>> {
        if !is_url(folder) {
            return LocalStorage.list(folder);
        }
        let found: Vec<(String, u64, bool, u64)> = self.call("list", folder)?;
        Ok(found.into_iter().map(entry).collect())
    }

    fn entry(&self, path: &str) -> io::Result<Option<Entry>> {
        if !is_url(path) {
            return LocalStorage.entry(path);
        }
        let found: Option<(String, u64, bool, u64)> = self.call("entry", path)?;
        Ok(found.map(entry))
    }

    fn open(&self, path: &str) -> io::Result<Box<dyn File>> {
        if !is_url(path) {
            return LocalStorage.open(path);
        }
        Python::attach(|py| {
            let opened = self.0.bind(py).call_method1("open", (path,)).map_err(|error| io_error(py, error))?;
            Ok(Box::new(PyFile(opened.unbind())) as Box<dyn File>)
        })
    }

    fn is_local(&self, path: &str) -> bool {
        !is_url(path)
    }

    fn expect(&self, folders: &[String]) -> io::Result<()> {
        let folders: Vec<&String> = folders.iter().filter(|folder| is_url(folder)).collect();
        if folders.is_empty() {
            return Ok(());
        }
        Python::attach(|py| {
            let done = self.0.bind(py).call_method1("expect", (folders,));
            done.map(|_| ()).map_err(|error| io_error(py, error))
        })
    }

    fn matches(&self, pattern: &str, topic: &str) -> Result<bool, String> {
        Python::attach(|py| {
            let found = self.0.bind(py).call_method1("matches", (pattern, topic)).and_then(|found| found.extract());
            found.map_err(|error: PyErr| error.value(py).to_string())
        })
    }
}

/// A file of a store.
struct PyFile(Py<PyAny>);

impl File for PyFile {
    fn read_at(&self, position: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let found = self.0.bind(py).call_method1("read_at", (buffer.len(), position));
            let found = found.map_err(|error| io_error(py, error))?;
            let data = found.cast::<PyBytes>().map_err(|error| io_error(py, error.into()))?.as_bytes();
            let count = data.len().min(buffer.len());
            buffer[..count].copy_from_slice(&data[..count]);
            Ok(count)
        })
    }

    fn size(&self) -> io::Result<u64> {
        self.number("size")
    }

    fn identity(&self) -> io::Result<u64> {
        self.number("inode")
    }
}

impl PyFile {
    fn number(&self, method: &str) -> io::Result<u64> {
        Python::attach(|py| {
            let found = self.0.bind(py).call_method0(method).and_then(|found| found.extract());
            found.map_err(|error: PyErr| io_error(py, error))
        })
    }
}

/// The exception for an error: that of the host, or a `ValueError` of the kind and the text, of which Python makes its own.
fn raised(py: Python<'_>, error: LogError) -> PyErr {
    let Some(cause) = error.io else {
        return PyValueError::new_err((kind_name(error.kind), error.text));
    };
    match cause.downcast::<PyErr>() {
        Ok(own) => own,
        Err(cause) => {
            let path = error.path.unwrap_or_default();
            let number = cause.raw_os_error();
            let text = number.map_or_else(|| cause.to_string(), |number| strerror(py, number));
            PyOSError::new_err((number.unwrap_or(5), text, path))
        }
    }
}

/// What the system calls an error, as `OSError` has it.
fn strerror(py: Python<'_>, number: i32) -> String {
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,))).and_then(|text| text.extract());
    text.unwrap_or_else(|_| format!("error {number}"))
}

fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Path => "path",
        ErrorKind::Option => "option",
        ErrorKind::Malformed => "malformed",
        ErrorKind::Truncated => "truncated",
        ErrorKind::DataLoss => "data-loss",
        ErrorKind::Gap => "gap",
        ErrorKind::Checkpoint => "checkpoint",
        ErrorKind::Tiered => "tiered",
        ErrorKind::Io => "io",
    }
}

fn pushed((min_offset, max_offset, min_timestamp, max_timestamp, topics, partitions): PyPushed) -> Pushed {
    Pushed { bounds: Bounds { min_offset, max_offset, min_timestamp, max_timestamp }, topics, partitions }
}

fn parsed(py: Python<'_>, options: Texts) -> PyResult<Options> {
    Options::parse(&options, &[]).map_err(|error| raised(py, error))
}

/// Plans what is read of log folders; see the type stub.
#[pyclass(module = "messagegen_native")]
pub struct LogPlanner {
    planner: Planner,
}

impl LogPlanner {
    fn run<T: Send>(
        &mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Planner) -> Result<T, LogError> + Send,
    ) -> PyResult<T> {
        let planner = &mut self.planner;
        catch_panics(|| py.detach(|| work(planner)).map_err(|error| raised(py, error)))
    }
}

#[pymethods]
impl LogPlanner {
    #[new]
    fn new(py: Python<'_>, options: Texts, storage: Py<PyAny>) -> PyResult<Self> {
        let options = parsed(py, options)?;
        let planner = Planner::new(options, Arc::new(PyStorage(storage))).map_err(|error| raised(py, error))?;
        Ok(LogPlanner { planner })
    }

    fn plan(&mut self, py: Python<'_>, filters: PyPushed) -> PyResult<PyPlan> {
        self.run(py, |planner| planner.plan(&pushed(filters))).map(of_plan)
    }

    fn logs(&mut self, py: Python<'_>, filters: PyPushed) -> PyResult<Vec<PyLog>> {
        let found = self.run(py, |planner| planner.logs(&pushed(filters)))?;
        Ok(found.into_iter().map(of_log).collect())
    }

    fn initial(&mut self, py: Python<'_>) -> PyResult<String> {
        self.run(py, Planner::initial)
    }

    fn available_now(&mut self, py: Python<'_>) -> PyResult<()> {
        self.run(py, Planner::available_now)
    }

    #[pyo3(signature = (start, *, max_bytes = None, max_offsets = None))]
    fn latest(
        &mut self,
        py: Python<'_>,
        start: &str,
        max_bytes: Option<u64>,
        max_offsets: Option<u64>,
    ) -> PyResult<String> {
        let limit = match (max_bytes, max_offsets) {
            (Some(most), _) => Limit::Bytes(most),
            (None, Some(most)) => Limit::Offsets(most),
            (None, None) => Limit::All,
        };
        self.run(py, |planner| planner.latest(start, limit))
    }

    fn between(&mut self, py: Python<'_>, start: &str, end: &str, filters: PyPushed) -> PyResult<PyPlan> {
        self.run(py, |planner| planner.between(start, end, &pushed(filters))).map(of_plan)
    }

    fn warnings(&self) -> Vec<String> {
        self.planner.take_warnings()
    }
}

fn of_plan(plan: Plan) -> PyPlan {
    let tasks = plan.tasks.into_iter().map(|task| (task.text, task.bytes, task.rows, task.files)).collect();
    (tasks, plan.nothing)
}

fn of_log(log: Log) -> PyLog {
    let segments = log
        .segments
        .into_iter()
        .map(|each| (each.path, each.size, each.base_offset, each.next_base_offset, each.is_complete, each.damage));
    (log.folder, log.topic, log.partition, log.start_offset, log.end_offset, segments.collect())
}

/// Reads a task of log folders; see the type stub.
#[pyclass(module = "messagegen_native")]
pub struct LogReader {
    reader: Reader,
}

#[pymethods]
impl LogReader {
    #[new]
    #[pyo3(signature = (task, columns, options, storage, filters, *, batch_bytes = 16 << 20))]
    #[allow(clippy::too_many_arguments)] // they are arguments of Python
    fn new(
        py: Python<'_>,
        task: &str,
        columns: Vec<String>,
        options: Texts,
        storage: Py<PyAny>,
        filters: PyPushed,
        batch_bytes: usize,
    ) -> PyResult<Self> {
        let options = parsed(py, options)?;
        let storage = Arc::new(PyStorage(storage));
        let reader = Reader::new(task, &columns, &options, &pushed(filters), false, storage);
        let reader = reader.map_err(|error| raised(py, error))?.with_batch_bytes(batch_bytes);
        Ok(LogReader { reader })
    }

    fn read(&mut self, py: Python<'_>) -> PyResult<Option<ColumnBatch>> {
        let reader = &mut self.reader;
        let found = catch_panics(|| py.detach(|| reader.next()).map_err(|error| raised(py, error)))?;
        Ok(found.map(ColumnBatch::new))
    }

    fn tally<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tally = self.reader.tally();
        let counts = PyDict::new(py);
        for (name, count) in [
            ("files", tally.files),
            ("bytes", tally.bytes),
            ("rows", tally.rows),
            ("damaged", tally.damaged),
            ("control", tally.control),
            ("aborted", tally.aborted),
            ("by_mode", tally.by_mode),
        ] {
            counts.set_item(name, count)?;
        }
        Ok(counts)
    }

    fn warnings(&mut self) -> Vec<String> {
        self.reader.take_warnings()
    }
}

/// Checks options, and gives what a host needs of them; see the type stub.
#[pyfunction]
pub fn log_options(py: Python<'_>, options: Texts) -> PyResult<Bound<'_, PyDict>> {
    let options = parsed(py, options)?;
    let bounds = options.bounds();
    let mode = match options.mode {
        Mode::Permissive => "PERMISSIVE",
        Mode::FailFast => "FAILFAST",
        Mode::DropMalformed => "DROPMALFORMED",
    };
    let found = PyDict::new(py);
    found.set_item("bounds", (bounds.min_offset, bounds.max_offset, bounds.min_timestamp, bounds.max_timestamp))?;
    found.set_item("mode", mode)?;
    found.set_item("columns", options.columns)?;
    found.set_item("include_headers", options.include_headers)?;
    found.set_item("topics_pattern", options.topics_pattern)?;
    Ok(found)
}
