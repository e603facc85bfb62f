//! The defaults of fields, and which values are written as they are.

use messagegen_core::plan::Plan;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyMemoryView, PyString, PyTuple};

use super::error::{ObjectResult, fail};
use super::lazy::wake;
use super::part::Part;
use super::slots::{Class, Uuids, View};
use super::tables::Tables;
use super::values::{float, int, sequence};

/// A field's default.
pub struct Default {
    /// What new objects hold.
    pub value: Py<PyAny>,
    form: Form,
}

/// How values are compared with a default: as they are written.
enum Form {
    /// Any empty tuple or list, but not null.
    EmptyArray,
    /// Any empty buffer, but not null.
    EmptyBytes,
    /// Null, true, false, or a value that is never on the wire: only itself.
    Itself,
    /// Whatever converts to this integer.
    Int(i64),
    /// Whatever converts to this float, or to the other zero.
    Float(f64),
    /// The same characters.
    Text(Box<str>),
    /// A uuid of these bytes.
    Uuid([u8; 16]),
    /// A struct of that number, all of whose fields have their defaults.
    Struct(usize),
    /// Nothing, because it is NaN or a struct with such a default.
    Nothing,
}

impl Default {
    /// The default of a field of a plan. `uuids` reads the uuids of the plan, if it has some.
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

    /// Whether a field with this value is written as its default is, so that it can be left out. The rule is that of
    /// `is_default` in the runtime's `wire.py`; a value that can't be written is not the default.
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

    /// Whether a value other than a struct or uuid is written as the default is. Fails if it can't be written.
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

/// Whether a value is a struct of that number without unknown tagged fields, all of whose fields have their defaults.
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

/// False for an object that can't be written where a class is needed. Fails for one of a subclass, which is left to the
/// walk.
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

/// A value, which a part becomes.
#[inline]
pub fn made<const LAZY: bool>(value: Bound<'_, PyAny>) -> ObjectResult<Bound<'_, PyAny>> {
    match if LAZY { Part::of(&value) } else { None } {
        Some(part) => part.make(value.py()),
        None => Ok(value),
    }
}

/// Whether no value equals a default: NaN, or a struct with such a default, as for Apache's classes.
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
