//! Creates and reads `uuid.UUID`s through their slots.

use pyo3::prelude::*;
use pyo3::types::{PyInt, PyType};

use super::slots::Class;

/// Creates and reads `uuid.UUID`s.
pub struct Uuids {
    class: Class,
    unknown: Py<PyAny>,
    zero: Py<PyAny>,
}

impl Uuids {
    /// Inspect the class in the standard library. Raises `ValueError` if it does not use slots.
    pub fn new(py: Python<'_>) -> PyResult<Self> {
        let module = py.import("uuid")?;
        let class = module.getattr("UUID")?.cast_into::<PyType>()?;
        let unknown = module.getattr("SafeUUID")?.getattr("unknown")?.unbind();
        let class = Class::new(&class, &["int", "is_safe"])?;
        let mut uuids = Uuids {
            class,
            unknown,
            zero: py.None(),
        };
        uuids.zero = uuids.fresh(py, 0)?.unbind();
        Ok(uuids)
    }

    /// Create a UUID from its 16 bytes.
    pub fn make<'py>(&self, py: Python<'py>, bytes: [u8; 16]) -> PyResult<Bound<'py, PyAny>> {
        match u128::from_be_bytes(bytes) {
            0 => Ok(self.zero.bind(py).clone()),
            number => self.fresh(py, number),
        }
    }

    fn fresh<'py>(&self, py: Python<'py>, number: u128) -> PyResult<Bound<'py, PyAny>> {
        let instance = self.class.instantiate(py)?;
        instance.set(self.class.slots[0], number.into_pyobject(py)?.into_any());
        instance.set(self.class.slots[1], self.unknown.bind(py).clone());
        Ok(instance.finish())
    }

    /// Return the class `uuid.UUID`.
    pub fn class(&self) -> &Class {
        &self.class
    }

    /// Return the 16 bytes of a `uuid.UUID`; `None` for anything else.
    pub fn read(&self, value: &Bound<'_, PyAny>) -> Option<[u8; 16]> {
        let number = self.class.view(value)?.get(self.class.slots[0])?;
        number
            .cast::<PyInt>()
            .ok()?
            .extract::<u128>()
            .ok()
            .map(u128::to_be_bytes)
    }
}
