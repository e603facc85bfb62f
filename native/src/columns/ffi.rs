//! Arrow arrays from and to Python through the Arrow PyCapsule interface; all `unsafe` of the Arrow sink.
#![allow(unsafe_code)]

use std::slice;

use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::store::Finished;

const SCHEMA: &std::ffi::CStr = c"arrow_schema";
const ARRAY: &std::ffi::CStr = c"arrow_array";

/// An array of binary values that Python gave, alive as long as this is.
pub struct BinaryArray<'py> {
    capsule: Bound<'py, PyCapsule>,
    wide: bool,
}

/// Where values begin and end within the data.
#[derive(Clone, Copy)]
enum Offsets<'a> {
    Narrow(&'a [i32]),
    Wide(&'a [i64]),
}

/// The rows of a [`BinaryArray`], without the interpreter.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    validity: Option<&'a [u8]>,
    first: usize,
    offsets: Offsets<'a>,
    data: &'a [u8],
    length: usize,
}

impl<'py> BinaryArray<'py> {
    /// Asks for the capsules of an array of `binary` or `large_binary`. `TypeError` for anything else.
    pub fn new(values: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(export) = values.getattr("__arrow_c_array__") else {
            return Err(PyTypeError::new_err(format!(
                "an Arrow array (with __arrow_c_array__) is needed, not {}; pass a chunked array chunk by chunk",
                values.get_type().name()?
            )));
        };
        let (schema, capsule): (Bound<'py, PyCapsule>, Bound<'py, PyCapsule>) = export.call0()?.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        // SAFETY: a capsule of that name holds a schema, which nobody else has moved out of it, for it is new.
        let wide = match unsafe { schema.as_ref() }.format() {
            "z" => false,
            "Z" => true,
            other => {
                let text = format!("an Arrow array of binary or large_binary is needed, not one of format {other:?}");
                return Err(PyTypeError::new_err(text));
            }
        };
        capsule.pointer_checked(Some(ARRAY))?;
        Ok(BinaryArray { capsule, wide })
    }

    /// The rows. `ValueError` for buffers that are not laid out as Arrow wants it.
    pub fn rows(&self) -> PyResult<Rows<'_>> {
        let array = self.capsule.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: a capsule of that name holds an array; `self` keeps it, and so its buffers, alive and unmoved.
        let array = unsafe { array.as_ref() };
        let (first, length) = (array.offset(), array.len());
        if length == 0 {
            return Ok(Rows { validity: None, first: 0, offsets: Offsets::Narrow(&[0]), data: &[], length });
        }
        if array.num_buffers() != 3 {
            return Err(PyValueError::new_err("an Arrow binary array has three buffers"));
        }
        let count = first + length + 1;
        // SAFETY: Arrow's format says how long each buffer of a binary array is, given offset, length and last offset.
        unsafe {
            let offsets = match self.wide {
                false => Offsets::Narrow(buffer(array, 1, count)?),
                true => Offsets::Wide(buffer(array, 1, count)?),
            };
            let end = offsets.get(count - 1).unwrap_or(0);
            let validity =
                if array.buffer(0).is_null() { None } else { Some(buffer(array, 0, (count - 1).div_ceil(8))?) };
            Ok(Rows { validity, first, offsets, data: buffer(array, 2, end)?, length })
        }
    }
}

/// A buffer of `count` items; it may be missing where there are none.
///
/// # Safety
/// The array must have that many items in that buffer, and live as long as the result.
unsafe fn buffer<T>(array: &FFI_ArrowArray, number: usize, count: usize) -> PyResult<&[T]> {
    let start = array.buffer(number).cast::<T>();
    if count == 0 {
        return Ok(&[]);
    }
    if start.is_null() || !start.is_aligned() {
        return Err(PyValueError::new_err("a buffer of the Arrow array is missing or not aligned"));
    }
    // SAFETY: not null, aligned, and as long as the caller says.
    Ok(unsafe { slice::from_raw_parts(start, count) })
}

impl Offsets<'_> {
    fn get(&self, number: usize) -> Option<usize> {
        match self {
            Offsets::Narrow(offsets) => usize::try_from(*offsets.get(number)?).ok(),
            Offsets::Wide(offsets) => usize::try_from(*offsets.get(number)?).ok(),
        }
    }
}

impl<'a> Rows<'a> {
    /// The number of rows.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The bytes of a row, `Some(None)` for a null; `None` where the offsets make no sense.
    pub fn get(&self, number: usize) -> Option<Option<&'a [u8]>> {
        let number = self.first + number;
        if let Some(validity) = self.validity
            && validity.get(number / 8)? >> (number % 8) & 1 == 0
        {
            return Some(None);
        }
        let (start, end) = (self.offsets.get(number)?, self.offsets.get(number + 1)?);
        self.data.get(start..end).map(Some)
    }
}

/// A struct array that any Arrow library can take over.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnBatch {
    data: ArrayData,
}

impl ColumnBatch {
    /// The array of finished columns.
    pub fn new(finished: Finished) -> Self {
        ColumnBatch { data: array_data(finished) }
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
        // Another schema is a wish that may be left open (Arrow PyCapsule interface).
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, FFI_ArrowArray::new(&self.data), ARRAY)?;
        Ok((self.__arrow_c_schema__(py)?, array))
    }
}

fn array_data(finished: Finished) -> ArrayData {
    let children = finished.children.into_iter().map(array_data).collect();
    let builder = ArrayData::builder(finished.data_type)
        .len(finished.length)
        .nulls(finished.nulls)
        .buffers(finished.buffers)
        .child_data(children);
    // SAFETY: columns keep offsets ascending and within their content, texts are checked UTF-8, and all fields of a
    // struct are as long as it. The tests have Arrow validate the result in full.
    unsafe { builder.build_unchecked() }
}
