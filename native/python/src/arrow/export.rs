//! Arrow arrays for Python, through the Arrow PyCapsule interface.

use std::ffi::CStr;

use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
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
    /// Wrap a struct array.
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
        let schema = FFI_ArrowSchema::try_from(self.data.data_type());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, SCHEMA)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface allows producers to ignore the requested schema.
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&self.data), ARRAY)?;
        Ok((self.__arrow_c_schema__(py)?, array))
    }
}
