//! Encodes Python records to bytes. Fails for values of unusual types, which Python code then converts or reports.

use messagegen_core::records::record::LONGEST;
use messagegen_core::wire::write_packed;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString, PyTuple};

use crate::objects::slots::{Class, View, as_int};

/// Encode records to bytes.
pub fn encode(
    record_class: &Class,
    header_class: &Class,
    records: &Bound<'_, PyTuple>,
    base_offset: i64,
    base_timestamp: i64,
) -> PyResult<Vec<u8>> {
    let [offset, timestamp, key, value, headers] = record_class.slots[..] else {
        return refuse();
    };
    let (mut out, mut body) = (Vec::new(), Vec::new());
    for record in records {
        let view = known(record_class.view(&record))?;
        body.clear();
        body.push(0);
        let timestamp_delta = known(int(&filled(&view, timestamp)?)?.checked_sub(base_timestamp))?;
        write_packed(&mut body, timestamp_delta);
        let offset_delta = known(int(&filled(&view, offset)?)?.checked_sub(base_offset))?;
        write_packed(&mut body, known(i32::try_from(offset_delta).ok())?.into());
        write_bytes(&mut body, &filled(&view, key)?)?;
        write_bytes(&mut body, &filled(&view, value)?)?;
        write_headers(&mut body, header_class, &filled(&view, headers)?)?;
        if body.len() > LONGEST {
            return refuse();
        }
        write_packed(&mut out, body.len() as i64);
        out.extend_from_slice(&body);
    }
    Ok(out)
}

fn write_headers(out: &mut Vec<u8>, class: &Class, headers: &Bound<'_, PyAny>) -> PyResult<()> {
    let headers = known(headers.cast_exact::<PyTuple>().ok())?;
    write_packed(out, known(i32::try_from(headers.len()).ok())?.into());
    for header in headers {
        let view = known(class.view(&header))?;
        let key = filled(&view, class.slots[0])?;
        let text = known(known(key.cast_exact::<PyString>().ok())?.to_str().ok())?;
        write_sized(out, text.as_bytes())?;
        write_bytes(out, &filled(&view, class.slots[1])?)?;
    }
    Ok(())
}

fn write_bytes(out: &mut Vec<u8>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if value.is_none() {
        write_packed(out, -1);
        return Ok(());
    }
    write_sized(out, known(value.cast_exact::<PyBytes>().ok())?.as_bytes())
}

fn write_sized(out: &mut Vec<u8>, bytes: &[u8]) -> PyResult<()> {
    write_packed(out, known(i32::try_from(bytes.len()).ok())?.into());
    out.extend_from_slice(bytes);
    Ok(())
}

fn int(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    known(value.cast_exact::<PyInt>().ok().and_then(|value| as_int(value)))
}

fn filled<'py>(view: &View<'_, 'py>, slot: usize) -> PyResult<Bound<'py, PyAny>> {
    known(view.get(slot))
}

#[inline]
fn known<T>(found: Option<T>) -> PyResult<T> {
    found.map_or_else(refuse, Ok)
}

#[cold]
#[inline(never)]
fn refuse<T>() -> PyResult<T> {
    Err(PyValueError::new_err("a record can't be written"))
}
