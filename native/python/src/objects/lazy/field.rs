//! The attributes of lazily decoded structs.

use pyo3::exceptions::{PyAttributeError, PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::make::{complete, wake};
use crate::objects::error::ObjectError;
use crate::objects::part::{Part, asleep, is_value};
use crate::objects::slots::{Class, View};
use crate::objects::tables::{StructTable, Tables};
use crate::panics::catch_panics;

/// A descriptor that creates the value on first access.
#[pyclass(frozen, module = "messagegen_native")]
pub struct LazyField {
    tables: Py<Tables>,
    layout: u32,
    slot: usize,
}

#[pymethods]
impl LazyField {
    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<&Bound<'py, PyAny>>,
        owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = owner;
        match instance {
            Some(instance) => catch_panics(|| slf.get().value(instance)),
            None => Ok(slf.clone().into_any()),
        }
    }

    fn __set__(&self, instance: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        catch_panics(|| self.put(instance, Some(value.clone())))
    }

    fn __delete__(&self, instance: &Bound<'_, PyAny>) -> PyResult<()> {
        catch_panics(|| self.put(instance, None))
    }

    /// Return a copy of a struct with different values for some attributes. Values that are still bytes stay bytes in
    /// the copy.
    ///
    /// Raises `KeyError` for an attribute that the struct does not have.
    fn replace<'py>(&self, instance: &Bound<'py, PyAny>, changes: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        catch_panics(|| {
            let attributes = &self.table().attributes;
            let view = self.view(instance)?;
            let copy = self.class()?.instantiate(instance.py())?;
            for slot in 0..attributes.len() {
                copy.as_view().set(slot, view.get(slot));
            }
            self.wake(copy.as_view())?;
            for (name, value) in changes {
                let known = name.cast::<PyString>()?.to_str()?;
                match attributes.iter().position(|attribute| attribute == known) {
                    Some(slot) => copy.as_view().set(slot, Some(value)),
                    None => return Err(PyKeyError::new_err(name.unbind())),
                }
            }
            Ok(copy.finish())
        })
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.tables)
    }
}

impl LazyField {
    /// Create the descriptor for slot `slot` of a struct in a layout.
    pub fn new(tables: Py<Tables>, layout: u32, slot: usize) -> Self {
        LazyField { tables, layout, slot }
    }

    fn value<'py>(&self, instance: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let view = self.view(instance)?;
        let is_unknown = self.slot == self.table().unknown;
        match view.get(self.slot) {
            Some(value) if is_value(&value, is_unknown) => return Ok(value),
            Some(value) if Part::of(&value).is_some() => {}
            _ => self.wake(view)?,
        }
        let Some(value) = view.get(self.slot) else {
            return Err(PyAttributeError::new_err(self.name().to_owned()));
        };
        match Part::of(&value) {
            Some(part) => self.make(view, part),
            None => Ok(value),
        }
    }

    #[inline(never)]
    fn make<'py>(&self, view: View<'_, 'py>, part: &Part) -> PyResult<Bound<'py, PyAny>> {
        let py = view.object().py();
        let value = part.make(py).map_err(|error| error.into_error(py))?;
        view.set(self.slot, Some(value.clone()));
        complete(self.tables.get(), self.layout, view);
        Ok(value)
    }

    fn put(&self, instance: &Bound<'_, PyAny>, value: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let view = self.view(instance)?;
        if asleep(view, self.table()).is_some() {
            self.wake(view)?;
        }
        if value.is_none() && view.get(self.slot).is_none() {
            return Err(PyAttributeError::new_err(self.name().to_owned()));
        }
        view.set(self.slot, value);
        Ok(())
    }

    fn wake(&self, view: View<'_, '_>) -> PyResult<()> {
        let py = view.object().py();
        wake(self.tables.get(), self.layout, view).map_err(|error: ObjectError| error.into_error(py))
    }

    #[inline]
    fn view<'a, 'py>(&'a self, instance: &'a Bound<'py, PyAny>) -> PyResult<View<'a, 'py>> {
        match self.class()?.view(instance) {
            Some(view) => Ok(view),
            None => Err(PyTypeError::new_err(format!(
                "the attribute {} of another class",
                self.name()
            ))),
        }
    }

    #[inline]
    fn table(&self) -> &StructTable {
        self.tables.get().layout(self.layout).1
    }

    fn name(&self) -> &str {
        &self.table().attributes[self.slot]
    }

    #[inline]
    fn class(&self) -> PyResult<&Class> {
        match self.tables.get().lazy(self.layout) {
            Some(class) => Ok(class),
            None => Err(PyTypeError::new_err(format!(
                "the attribute {} of no class",
                self.name()
            ))),
        }
    }
}
