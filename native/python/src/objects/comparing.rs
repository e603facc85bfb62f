//! Comparison of values with the defaults of their fields, by their written form.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView, PyString};

use super::defaults::{Default, Form};
use super::error::{ObjectResult, fail};
use super::lazy::wake;
use super::part::Part;
use super::slots::{Class, View};
use super::tables::Tables;
use super::values::{float, int, sequence};

/// Whether a value is written like the default of its field, so that it can be left out. The rule is the same as for
/// `is_default` in the runtime's `wire.py`: a value that can't be written is not the default.
#[inline]
pub fn is_default(default: &Default, tables: &Tables, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
    match default.form {
        Form::Nothing => Ok(false),
        _ if value.is(&default.value) => Ok(true),
        Form::Itself => Ok(false),
        Form::Struct(number) => has_defaults(tables, number, value),
        Form::Uuid(ref bytes) => match tables.uuids()?.read(value) {
            Some(found) => Ok(found == *bytes),
            None => not_of(tables.uuids()?.class(), value),
        },
        _ => match equals(&default.form, value) {
            Err(error) if error.is_failure(value.py()) => Ok(false),
            compared => compared,
        },
    }
}

/// Whether a value other than a struct or UUID is written like the default. Fails if the value can't be written.
fn equals(form: &Form, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
    Ok(match form {
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

/// Whether a value is an instance of struct `number` whose fields all have their defaults, without unknown tagged
/// fields.
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

/// Return false for an object of a wrong class, because it can't be written. Fails for an instance of a subclass, which
/// this encoder does not support.
#[cold]
fn not_of(class: &Class, value: &Bound<'_, PyAny>) -> ObjectResult<bool> {
    if value.is_instance(class.class().bind(value.py()))? {
        return fail("an object of another class");
    }
    Ok(false)
}

/// Whether all slots of a struct contain the defaults of their fields. In a `LAZY` struct, slots may contain parts.
fn all_have<const LAZY: bool>(tables: &Tables, number: usize, view: View<'_, '_>) -> ObjectResult<bool> {
    for (slot, default) in tables.structs[number].defaults.iter().enumerate() {
        let Some(value) = view.get(slot) else {
            return Ok(false);
        };
        if !is_default(default, tables, &made::<LAZY>(value)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Return the value; if it is a part, decode it first.
#[inline]
pub fn made<const LAZY: bool>(value: Bound<'_, PyAny>) -> ObjectResult<Bound<'_, PyAny>> {
    match if LAZY { Part::of(&value) } else { None } {
        Some(part) => part.make(value.py()),
        None => Ok(value),
    }
}
