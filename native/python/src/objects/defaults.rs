//! The defaults of fields, and the values that are written like them.

use messagegen_core::plan::Plan;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyMemoryView, PyString, PyTuple};

use super::error::{ObjectResult, fail};
use super::lazy::wake;
use super::part::Part;
use super::slots::{Class, View};
use super::tables::Tables;
use super::uuids::Uuids;
use super::values::{float, int, sequence};

/// A field's default.
pub struct Default {
    /// The value in new objects.
    pub value: Py<PyAny>,
    form: Form,
}

/// The comparison with a default: values are compared in their written form.
enum Form {
    /// Any empty tuple or list, but not null.
    EmptyArray,
    /// Any empty buffer, but not null.
    EmptyBytes,
    /// Null, true, false, or a value that is never on the wire: only the identical object.
    Itself,
    /// Any value that converts to this integer.
    Int(i64),
    /// Any value that converts to this float; both zeros are equal.
    Float(f64),
    /// A text of these characters.
    Text(Box<str>),
    /// A uuid of these bytes.
    Uuid([u8; 16]),
    /// A struct of that number, all of whose fields have their defaults.
    Struct(usize),
    /// No value, because the default is NaN or a struct with such a default.
    Nothing,
}

impl Default {
    /// Create the default of a field. `uuids` reads UUIDs, for plans that have some.
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

    /// Whether a field with this value is written like its default, so that it can be left out. The rule equals
    /// `is_default` in the runtime's `wire.py`: a value that can't be written is not the default.
    #[inline]
    pub fn has(&self, tables: &Tables, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
        match self.form {
            Form::Nothing => Ok(false),
            _ if value.is(&self.value) => Ok(true),
            Form::Itself => Ok(false),
            Form::Struct(number) => has_defaults(tables, number, value),
            Form::Uuid(ref bytes) => match tables.uuids()?.read(value) {
                Some(found) => Ok(found == *bytes),
                None => not_of(tables.uuids()?.class(), value),
            },
            _ => match self.equals(value) {
                Err(error) if error.is_failure(value.py()) => Ok(false),
                compared => compared,
            },
        }
    }

    /// Whether a value other than a struct or UUID is written like the default. Fails if it can't be written.
    fn equals(&self, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
        Ok(match &self.form {
            Form::EmptyArray => sequence(value)?.as_slice().is_empty(),
            Form::EmptyBytes => match value.cast_exact::<PyBytes>() {
                Ok(bytes) => bytes.as_bytes().is_empty(),
                Err(_) => PyMemoryView::from(value)?.getattr("nbytes")?.extract::<usize>()? == 0,
            },
            Form::Int(number) => int(value)? == *number,
            Form::Float(number) => float(value)? == *number,
            Form::Text(text) => value.cast::<PyString>().map_err(PyErr::from)?.to_str()? == &**text,
            Form::Uuid(_) | Form::Struct(_) | Form::Itself | Form::Nothing => false,
        })
    }
}

/// Whether a value is an instance of struct `number` with only default fields and without unknown tagged fields.
fn has_defaults(tables: &Tables, number: usize, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
    let class = &tables.structs[number].class;
    if let Some(view) = class.view(value) {
        return all_have::<false>(tables, number, view);
    }
    if let Some((layout, view)) = tables.lazy_view(number, value) {
        wake(tables, layout, view)?;
        return all_have::<true>(tables, number, view);
    }
    not_of(class, value)
}

/// Return false for an object of the wrong class, which can't be written. Fails for an instance of a subclass, which
/// this encoder does not support.
#[cold]
fn not_of(class: &Class, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
    if value.is_instance(class.class().bind(value.py()))? {
        return fail("an object of another class");
    }
    Ok(false)
}

/// Whether all slots of a struct have their defaults. If it is `LAZY`, they may be parts.
fn all_have<const LAZY: bool>(tables: &Tables, number: usize, view: View<'_, '_>) -> ObjectResult<bool> {
    for (slot, default) in tables.structs[number].defaults.iter().enumerate() {
        let Some(value) = view.get(slot) else {
            return Ok(false);
        };
        if !default.has(tables, &made::<LAZY>(value)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Return the value; a part is decoded to its value first.
#[inline]
pub fn made<const LAZY: bool>(value: Bound<'_, PyAny>) -> ObjectResult<Bound<'_, PyAny>> {
    match if LAZY { Part::of(&value) } else { None } {
        Some(part) => part.make(value.py()),
        None => Ok(value),
    }
}

/// Whether no value equals the default: it is NaN or, as for Apache's classes, a struct with such a default.
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
