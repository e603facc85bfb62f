//! The classes of records and of their headers.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::objects::slots::{Class, Slot};

/// A class with its slots, in the order of their names here.
#[allow(missing_docs)]
pub struct Slots<const COUNT: usize> {
    pub class: Class,
    pub slots: [Slot; COUNT],
}

impl<const COUNT: usize> Slots<COUNT> {
    /// Finds the slots. `ValueError` for a class with other contents.
    pub fn new(class: &Bound<'_, PyType>, names: [&str; COUNT]) -> PyResult<Self> {
        let (class, slots) = Class::new(class, &names)?;
        let slots = slots.try_into().map_err(|_| PyValueError::new_err("a slot is missing"))?;
        Ok(Slots { class, slots })
    }
}

/// The classes of records and of their headers.
#[allow(missing_docs)]
pub struct Classes {
    pub record: Slots<5>,
    pub header: Slots<2>,
}
