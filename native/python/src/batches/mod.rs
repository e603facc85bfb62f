//! Parts of the record batch format for Python: records to and from bytes, compression, and the checksum.
//!
//! The runtime of generated code builds batches with these functions (`runtime/records/codec.py`), and reports errors.

mod decode;
mod encode;

use messagegen_core::records::codecs::{Decompressor, TOO_MUCH, number};
use messagegen_core::records::packing::pack;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use self::decode::{Batch, decode};
use self::encode::encode;
use crate::objects::slots::Class;
use crate::panics::catch_panics;

/// Converts records from and to bytes; see the type stub.
#[pyclass(frozen, module = "messagegen_native")]
pub struct RecordCodec {
    record: Class,
    header: Class,
}

#[pymethods]
impl RecordCodec {
    #[new]
    fn new(record: &Bound<'_, PyType>, header: &Bound<'_, PyType>) -> PyResult<Self> {
        catch_panics(|| {
            let record = Class::new(record, &["offset", "timestamp", "key", "value", "headers"])?;
            Ok(RecordCodec {
                record,
                header: Class::new(header, &["key", "value"])?,
            })
        })
    }

    #[expect(clippy::too_many_arguments, reason = "what a batch says of its records")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyBytes>,
        count: usize,
        base_offset: i64,
        base_timestamp: i64,
        append_time: Option<i64>,
        max_headers: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let batch = Batch {
            data: data.as_bytes(),
            count,
            base_offset,
            base_timestamp,
            append_time,
            max_headers,
        };
        catch_panics(|| decode(py, &self.record, &self.header, &batch))
    }

    fn encode<'py>(
        &self,
        py: Python<'py>,
        records: &Bound<'py, PyTuple>,
        base_offset: i64,
        base_timestamp: i64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        catch_panics(|| {
            let out = encode(&self.record, &self.header, records, base_offset, base_timestamp)?;
            Ok(PyBytes::new(py, &out))
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(self.record.class())?;
        visit.call(self.header.class())
    }
}

/// Return the CRC-32C of bytes; see the type stub.
#[pyfunction]
#[pyo3(name = "crc32c")]
pub fn checksum(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<u32> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(crc32c::crc32c(bytes.as_bytes()));
    }
    let buffer = PyBuffer::<u8>::get(data)?;
    // Other buffers may change during the call, so they are copied.
    Ok(crc32c::crc32c(&buffer.to_vec(py)?))
}

/// Compress records; see the type stub.
#[pyfunction]
pub fn compress<'py>(py: Python<'py>, codec: &str, data: &Bound<'py, PyBytes>) -> PyResult<Bound<'py, PyBytes>> {
    catch_panics(|| {
        let input = data.as_bytes();
        let out = py
            .detach(|| pack(codec, input))
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &out))
    })
}

/// Decompress records; see the type stub.
#[pyfunction]
pub fn decompress<'py>(
    py: Python<'py>,
    codec: &str,
    data: &Bound<'py, PyBytes>,
    most: usize,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    catch_panics(|| {
        let number = number(codec).ok_or_else(|| PyValueError::new_err("an unknown compression"))?;
        let input = data.as_bytes();
        let mut decompressor = Decompressor::new(most);
        match py.detach(|| decompressor.try_decompress(number, input)) {
            Ok(()) => Ok(Some(PyBytes::new(py, decompressor.bytes()))),
            Err(error) if error.kind() == TOO_MUCH => Ok(None),
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }
    })
}
