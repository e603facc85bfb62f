//! Record batches of log segments to columns, their headers, and groups of records of internal topics.

mod source;

use messagegen_core::records::{
    self, Filter, MAX_BATCH_BYTES, MAX_BYTES, Options, Prefix, Reader, Stopped, check_headers, check_table,
    read_headers,
};
use pyo3::prelude::*;

use self::source::Source;
use crate::arrow::export::ColumnBatch;
use crate::arrow::import::import;
use crate::errors::raised;
use crate::panics::catch_panics;

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
        let filter = Filter {
            verify_checksums,
            min_offset: min_offset.unwrap_or(i64::MIN),
            max_offset: max_offset.unwrap_or(i64::MAX),
            min_timestamp: min_timestamp.unwrap_or(i64::MIN),
            max_timestamp: max_timestamp.unwrap_or(i64::MAX),
        };
        let source = Source::new(buffer, start, end)?;
        let options = Options { start, columns: columns.as_deref(), filter, max_batch_bytes, recover };
        let reader = Reader::with_options(source.bytes().len(), options).map_err(raised)?;
        Ok(RecordReader { source, reader })
    }

    #[pyo3(signature = (max_records, max_bytes = MAX_BYTES))]
    fn read(&mut self, py: Python<'_>, max_records: usize, max_bytes: usize) -> PyResult<Option<ColumnBatch>> {
        check_table(max_records, max_bytes).map_err(raised)?;
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
    check_headers(max_batches).map_err(raised)?;
    catch_panics(|| {
        let source = Source::new(buffer, start, end)?;
        let found = py.detach(|| read_headers(source.bytes(), start, max_batches));
        let headers = Py::new(py, ColumnBatch::new(found.columns))?;
        Ok(BatchHeaders { headers, position: found.position, stopped: found.stopped.name() })
    })
}

/// Groups records by what they begin with; see the type stub.
#[pyfunction]
pub fn record_groups(
    py: Python<'_>,
    framing: &str,
    keys: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
) -> PyResult<(Vec<Prefix>, ColumnBatch)> {
    catch_panics(|| {
        let (keys, values) = (import(keys)?, import(values)?);
        let (prefixes, batch) = py.detach(|| records::record_groups(framing, &keys, &values)).map_err(raised)?;
        Ok((prefixes, ColumnBatch::new(batch)))
    })
}
