//! Record batches of log segments (magic 2, KIP-98) to Arrow columns, and their headers.

pub(crate) mod batch;
pub mod codecs;
pub(crate) mod error;
pub(crate) mod filter;
pub(crate) mod header;
mod headers;
mod prefixes;
mod reader;
pub mod record;
mod recovery;
mod source;
pub(crate) mod table;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use self::codecs::Decompressor;
use self::filter::Filter;
use self::header::Stopped;
pub use self::prefixes::record_groups;
use self::reader::Reader;
use self::record::LONGEST;
use self::recovery::Recovery;
use self::source::Source;
use self::table::{Origin, RECORD_COLUMNS};
use crate::arrow::export::ColumnBatch;
use crate::panics::catch_panics;

/// What a batch may grow to by default; brokers take 1 MiB of compressed records unless they are told otherwise.
const MAX_BATCH_BYTES: usize = 128 << 20;
/// So many headers stay within Arrow's 32-bit offsets, for each has the name of a codec.
const MOST_BATCHES: usize = 1 << 28;
/// Bytes of the records that one table holds, by default.
const MAX_BYTES: usize = 64 << 20;

/// Reads the records of a buffer; see the type stub.
#[pyclass(module = "messagegen_native")]
pub struct RecordReader {
    source: Source,
    reader: Reader,
}

#[pymethods]
impl RecordReader {
    #[new]
    #[pyo3(signature = (
        buffer, *, start = 0, end = None, verify_checksums = true, columns = None, min_offset = None, max_offset = None,
        min_timestamp = None, max_timestamp = None, max_batch_bytes = MAX_BATCH_BYTES, recover = false
    ))]
    #[allow(clippy::too_many_arguments)] // they are keywords of Python
    fn new(
        buffer: &Bound<'_, PyAny>,
        start: usize,
        end: Option<usize>,
        verify_checksums: bool,
        columns: Option<Vec<String>>,
        min_offset: Option<i64>,
        max_offset: Option<i64>,
        min_timestamp: Option<i64>,
        max_timestamp: Option<i64>,
        max_batch_bytes: usize,
        recover: bool,
    ) -> PyResult<Self> {
        within("max_batch_bytes", max_batch_bytes, i32::MAX as usize)?;
        let wanted = columns.map_or_else(|| Ok(RECORD_COLUMNS.to_vec()), |names| selected(&names))?;
        let filter = Filter {
            verify_checksums,
            min_offset: min_offset.unwrap_or(i64::MIN),
            max_offset: max_offset.unwrap_or(i64::MAX),
            min_timestamp: min_timestamp.unwrap_or(i64::MIN),
            max_timestamp: max_timestamp.unwrap_or(i64::MAX),
        };
        let source = Source::new(buffer, start, end)?;
        let recovery = recover.then(|| Recovery::new(source.bytes().len()));
        let reader = Reader::new(start, wanted, filter, Decompressor::new(max_batch_bytes), recovery);
        Ok(RecordReader { source, reader })
    }

    #[pyo3(signature = (max_records, max_bytes = MAX_BYTES))]
    fn read(&mut self, py: Python<'_>, max_records: usize, max_bytes: usize) -> PyResult<Option<ColumnBatch>> {
        within("max_records", max_records, i32::MAX as usize)?;
        within("max_bytes", max_bytes, LONGEST)?;
        let (source, reader) = (&self.source, &mut self.reader);
        catch_panics(|| {
            let table = py.detach(|| {
                let table = reader.read(source.bytes(), max_records, max_bytes);
                (table.rows() > 0).then(|| table.finish())
            });
            Ok(table.map(ColumnBatch::new))
        })
    }

    #[getter]
    fn position(&self) -> usize {
        self.reader.position()
    }

    #[getter]
    fn stopped(&self) -> Option<&'static str> {
        self.reader.stopped().map(Stopped::name)
    }
}

/// The result of `batch_headers`; see the type stub.
#[pyclass(frozen, get_all, module = "messagegen_native")]
pub struct BatchHeaders {
    headers: Py<ColumnBatch>,
    position: usize,
    stopped: &'static str,
}

/// Reads the headers of the batches of a buffer; see the type stub.
#[pyfunction]
#[pyo3(signature = (buffer, *, start = 0, end = None, max_batches = 1_000_000))]
pub fn batch_headers(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    start: usize,
    end: Option<usize>,
    max_batches: usize,
) -> PyResult<BatchHeaders> {
    within("max_batches", max_batches, MOST_BATCHES)?;
    catch_panics(|| {
        let source = Source::new(buffer, start, end)?;
        let found = py.detach(|| headers::read_headers(source.bytes(), start, max_batches));
        let headers = Py::new(py, ColumnBatch::new(found.columns))?;
        Ok(BatchHeaders { headers, position: found.position, stopped: found.stopped.name() })
    })
}

/// The columns with some names, in the order of all columns.
fn selected(names: &[String]) -> PyResult<Vec<(&'static str, Origin)>> {
    if let Some(unknown) = names.iter().find(|name| !RECORD_COLUMNS.iter().any(|(known, _)| known == name)) {
        let known: Vec<&str> = RECORD_COLUMNS.iter().map(|(name, _)| *name).collect();
        let text = format!("unknown column {unknown:?}; the columns are {}", known.join(", "));
        return Err(PyValueError::new_err(text));
    }
    Ok(RECORD_COLUMNS.into_iter().filter(|(known, _)| names.iter().any(|name| name == known)).collect())
}

fn within(name: &str, value: usize, most: usize) -> PyResult<()> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} must be between 1 and {most}, not {value}")))
}
