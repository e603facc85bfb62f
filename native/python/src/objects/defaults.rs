//! The defaults of fields.

use messagegen_core::plan::Plan;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString, PyTuple};

use super::uuids::Uuids;

/// A field's default.
pub struct Default {
    /// The value in new objects.
    pub value: Py<PyAny>,
    pub form: Form,
}

/// The comparison of a value with a default, by their written form.
pub enum Form {
    /// Any empty tuple or list, but not null.
    EmptyArray,
    /// Any empty buffer, but not null.
    EmptyBytes,
    /// Only the identical object: for null, true, false, and values that are never on the wire.
    Itself,
    /// Any value that converts to this integer.
    Int(i64),
    /// Any value that converts to this float; both zeros are equal.
    Float(f64),
    /// This string.
    Text(Box<str>),
    /// A UUID with these bytes.
    Uuid([u8; 16]),
    /// An instance of the struct with this number whose fields all have their defaults.
    Struct(usize),
    /// No value, because the default is NaN or a struct with such a default.
    Nothing,
}

impl Default {
    /// Create the default of a field. `uuids` reads UUIDs, if the plan has any.
    pub fn new(value: &Bound<'_, PyAny>, plan: &Plan, uuids: Option<&Uuids>) -> PyResult<Self> {
        let form = if equals_nothing(value) {
            Form::Nothing
        } else if value.is_exact_instance_of::<PyTuple>() {
            Form::EmptyArray
        } else if value.is_exact_instance_of::<PyBytes>() {
            Form::EmptyBytes
        } else if value.is_exact_instance_of::<PyInt>() {
            Form::Int(value.extract()?)
        } else if let Ok(number) = value.cast_exact::<PyFloat>() {
            Form::Float(number.value())
        } else if let Ok(text) = value.cast_exact::<PyString>() {
            Form::Text(text.to_str()?.into())
        } else if value.is_none() || value.is_exact_instance_of::<PyBool>() {
            Form::Itself
        } else if let Some(bytes) = uuids.and_then(|uuids| uuids.read(value)) {
            Form::Uuid(bytes)
        } else if let Some(number) = plan.struct_of(value.get_type().name()?.to_str()?) {
            Form::Struct(number)
        } else {
            Form::Itself
        };
        Ok(Default {
            value: value.clone().unbind(),
            form,
        })
    }
}

/// Whether no value equals the default, as in Apache's classes: it is NaN, or a struct with such a default.
fn equals_nothing(default: &Bound<'_, PyAny>) -> bool {
    if let Ok(number) = default.cast_exact::<PyFloat>() {
        return number.value().is_nan();
    }
    let Ok(defaults) = default.getattr("__defaults__") else {
        return false;
    };
    defaults
        .cast_into::<PyDict>()
        .is_ok_and(|defaults| defaults.iter().any(|(_, inner)| equals_nothing(&inner)))
}
