//! Arrow arrays from Python, through the Arrow PyCapsule interface.
//!
//! Arrow's import trusts the C structs that a producer filled. If one of its assertions fails, the panic becomes an
//! error.
#![allow(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::from_ffi;
use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::PyCapsule;

use super::export::{ARRAY, SCHEMA};

/// Import any object with `__arrow_c_array__`.
///
/// Raises `TypeError` for other objects and for array types that Arrow's import does not support, and `ValueError` for
/// malformed structs.
pub fn import(values: &Bound<'_, PyAny>) -> PyResult<ArrayData> {
    let Ok(export) = values.getattr("__arrow_c_array__") else {
        return Err(PyTypeError::new_err(format!(
            "an Arrow array (with __arrow_c_array__) is needed, not {}; pass a chunked array chunk by chunk",
            values.get_type().name()?
        )));
    };
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = export.call0()?.extract()?;
    let schema_pointer = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array_pointer = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules with these names hold these structs. The schema lives as long as its capsule. Moving the array
    // out marks the struct in the capsule as released, as the C data interface requires. The capsule is locked in case
    // a producer passes it to two threads: the second thread then finds the struct released.
    let (schema, array) = with_critical_section(&array, || unsafe {
        (
            schema_pointer.as_ref(),
            FFI_ArrowArray::from_raw(array_pointer.as_ptr()),
        )
    });
    if schema.release().is_none() || array.is_released() {
        return Err(PyValueError::new_err("the Arrow array was released before"));
    }
    let imported = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the interface makes the producer responsible for the structs and for the memory they point to.
        unsafe { from_ffi(array, schema) }.map_err(|error| PyTypeError::new_err(error.to_string()))
    }));
    imported.unwrap_or_else(|_| Err(PyValueError::new_err("the structs of the Arrow array are malformed")))
}
