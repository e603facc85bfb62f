//! Arrow arrays and schemas for Python, through the Arrow PyCapsule interface.

use std::ffi::CStr;

use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::DataType;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The name of capsules that hold a schema.
pub const SCHEMA: &CStr = c"arrow_schema";
/// The name of capsules that hold an array.
pub const ARRAY: &CStr = c"arrow_array";

/// A struct array that any Arrow library can take over.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnBatch {
    data: ArrayData,
}

impl ColumnBatch {
    /// Wraps a struct array.
    pub fn new(data: ArrayData) -> Self {
        ColumnBatch { data }
    }
}

#[pymethods]
impl ColumnBatch {
    fn __len__(&self) -> usize {
        self.data.len()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, self.data.data_type())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface lets a producer ignore the requested schema.
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&self.data), ARRAY)?;
        Ok((self.__arrow_c_schema__(py)?, array))
    }
}

/// The schema of a struct array, for any Arrow library.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnSchema {
    data_type: DataType,
}

impl ColumnSchema {
    /// Wraps the type of a struct array.
    pub fn new(data_type: DataType) -> Self {
        ColumnSchema { data_type }
    }
}

#[pymethods]
impl ColumnSchema {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.data_type)
    }
}

fn schema_capsule<'py>(py: Python<'py>, data_type: &DataType) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(data_type).map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
