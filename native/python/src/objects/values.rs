//! Conversion of Python values for encoding.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyList, PyMemoryView, PyTuple};

use super::error::{ObjectResult, fail};
use super::slots::as_int;

/// Return `bytes(memoryview(value))`, for any layout and item size.
pub fn bytes_of<'py>(value: &Bound<'py, PyAny>) -> ObjectResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = value.cast_exact::<PyBytes>() {
        return Ok(bytes.clone());
    }
    let view = PyMemoryView::from(value)?;
    let bytes = value.py().get_type::<PyBytes>().call1((view,))?;
    Ok(bytes.cast_into::<PyBytes>().map_err(PyErr::from)?)
}

/// Return the current elements of a tuple or list; methods of subclasses are not called.
pub fn sequence<'py>(value: &Bound<'py, PyAny>) -> ObjectResult<Bound<'py, PyTuple>> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return Ok(tuple.clone());
    }
    match value.cast::<PyList>() {
        Ok(list) => Ok(list.to_tuple()),
        Err(_) => fail("neither a tuple nor a list"),
    }
}

/// Return a bool as 0 or 1; fail for other values.
#[inline]
pub fn truth(value: &Bound<'_, PyAny>) -> ObjectResult<i64> {
    match value.cast::<PyBool>() {
        Ok(value) => Ok(i64::from(value.is_true())),
        Err(_) => fail("not a bool"),
    }
}

/// Return a float, or a value converted to one.
#[inline]
pub fn float(value: &Bound<'_, PyAny>) -> ObjectResult<f64> {
    match value.cast_exact::<PyFloat>() {
        Ok(value) => Ok(value.value()),
        // `struct` raises the same error for all failed conversions.
        Err(_) => value.extract().or_else(|_: PyErr| fail("not a float")),
    }
}

/// Return an integer, or a value converted to one.
#[inline]
pub fn int(value: &Bound<'_, PyAny>) -> ObjectResult<i64> {
    match as_int(value) {
        Some(value) => Ok(value),
        None => Ok(value.extract()?),
    }
}
