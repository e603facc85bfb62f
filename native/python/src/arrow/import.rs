//! Arrow arrays from Python, through the Arrow PyCapsule interface.
//!
//! Arrow's import trusts the C structs that a producer filled. What it neither checks nor tolerates (negative numbers,
//! structs that contain themselves) is checked here first; where it asserts something, the panic becomes an error.
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

/// The deepest nesting of types. Plans do not nest deeper than 64, so no message needs more.
const MAX_DEPTH: usize = 200;

/// The maximum number of nested arrays. Without it, a struct that contains itself twice at every level would not end.
const MAX_ARRAYS: usize = 20_000;

/// Imports any object with `__arrow_c_array__`.
///
/// `TypeError` for another object, or an array of a type that Arrow's import does not know; `ValueError` for malformed structs.
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
    // SAFETY: capsules of these names hold these structs. The schema lives as long as its capsule. Moving the array out marks
    // the struct in the capsule as released, as the C data interface asks for; the lock of the capsule is for producers that
    // give the same one to two threads, of which one then finds it released.
    let (schema, array) = with_critical_section(&array, || unsafe {
        (schema_pointer.as_ref(), FFI_ArrowArray::from_raw(array_pointer.as_ptr()))
    });
    if schema.release().is_none() || array.is_released() {
        return Err(PyValueError::new_err("the Arrow array was released before"));
    }
    let imported = catch_unwind(AssertUnwindSafe(|| {
        check(schema, &array, 0, &mut { MAX_ARRAYS })?;
        // SAFETY: the producer vouches for the buffers; what can be checked was checked.
        unsafe { from_ffi(array, schema) }.map_err(|error| PyTypeError::new_err(error.to_string()))
    }));
    imported.unwrap_or_else(|_| Err(PyValueError::new_err("the structs of the Arrow array are malformed")))
}

/// Checks the numbers in the structs of an array and of all arrays within it; `left` is how many arrays may still follow.
fn check(schema: &FFI_ArrowSchema, array: &FFI_ArrowArray, depth: usize, left: &mut usize) -> PyResult<()> {
    let (name, format) = (schema.name().unwrap_or_default(), schema.format());
    let malformed =
        |what: &str| Err(PyValueError::new_err(format!("the Arrow array {name:?} of format {format:?} {what}")));
    if depth > MAX_DEPTH || *left == 0 {
        return Err(PyTypeError::new_err(format!(
            "the Arrow array nests deeper than {MAX_DEPTH}, or has too many columns"
        )));
    }
    *left -= 1;
    let child_count = schema.children().size_hint().0;
    if child_count != array.num_children() {
        return malformed("does not have as many children as its schema");
    }
    // Far enough from overflow for views, which take 16 bytes each.
    if array.offset().checked_add(array.len()).is_none_or(|end| end >= isize::MAX as usize / 16) {
        return malformed("has an invalid length or offset");
    }
    if array.num_buffers() > i32::MAX as usize {
        return malformed("has an invalid number of buffers");
    }
    match (schema.dictionary(), array.dictionary()) {
        (Some(schema), Some(array)) => check(schema, array, depth + 1, left)?,
        (None, None) => (),
        _ => return malformed("has a dictionary in one of its structs only"),
    }
    (0..child_count).try_for_each(|number| check(schema.child(number), array.child(number), depth + 1, left))
}
