//! Arrow arrays from and to Python through the Arrow PyCapsule interface.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::slice;

use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::DataType;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::c_data::{Array, Schema};
use super::finish::Finished;
use super::input::{Data, Input, Offsets};

const SCHEMA: &std::ffi::CStr = c"arrow_schema";
const ARRAY: &std::ffi::CStr = c"arrow_array";

/// Types within each other; as plans do not nest deeper than 64, this is more than any message needs.
const DEEPEST: usize = 200;

/// Arrays within each other; a struct that holds itself twice at every level would not end otherwise.
const MOST_ARRAYS: usize = 20_000;

/// An array that Python gave, alive as long as this is.
pub struct Import<'py> {
    schema: Bound<'py, PyCapsule>,
    array: Bound<'py, PyCapsule>,
}

impl<'py> Import<'py> {
    /// Asks for the capsules of an array. `TypeError` for anything else.
    pub fn new(values: &Bound<'py, PyAny>) -> PyResult<Self> {
        let Ok(export) = values.getattr("__arrow_c_array__") else {
            return Err(PyTypeError::new_err(format!(
                "an Arrow array (with __arrow_c_array__) is needed, not {}; pass a chunked array chunk by chunk",
                values.get_type().name()?
            )));
        };
        let (schema, array) = export.call0()?.extract()?;
        Ok(Import { schema, array })
    }

    /// The values. `ValueError` for buffers that are not laid out as Arrow wants it.
    pub fn input(&self) -> PyResult<Input<'_>> {
        let schema = self.schema.pointer_checked(Some(SCHEMA))?.cast::<Schema>();
        let array = self.array.pointer_checked(Some(ARRAY))?.cast::<Array>();
        // SAFETY: capsules of those names hold a schema and an array, which nobody else has moved out of them, for they are
        // new; `self` keeps them, and so the buffers, alive and unmoved.
        let (schema, array) = unsafe { (Schema::from_capsule(schema), Array::from_capsule(array)) };
        let (Some(schema), Some(array)) = (schema, array) else {
            return Err(PyValueError::new_err("the Arrow array was released already"));
        };
        let importer = Importer { left: Cell::new(MOST_ARRAYS) };
        // SAFETY: Arrow's format says what the buffers of an array of that schema are.
        unsafe { importer.input(schema, array, 0) }
    }
}

/// Goes through an array and those below it.
struct Importer {
    /// How many arrays may still follow.
    left: Cell<usize>,
}

impl Importer {
    /// An array and those below it.
    ///
    /// # Safety
    /// The array must be one of that schema, laid out as Arrow says.
    unsafe fn input<'a>(&self, schema: &'a Schema, array: &'a Array, depth: usize) -> PyResult<Input<'a>> {
        let (Some(format), Some(name)) = (schema.format(), schema.name()) else {
            return Err(PyValueError::new_err("the Arrow schema has a type or a name that is missing or not UTF-8"));
        };
        let Some(left) = self.left.get().checked_sub(1).filter(|_| depth <= DEEPEST) else {
            return Err(PyTypeError::new_err(format!("{name:?} nests deeper than {DEEPEST}, or has too many columns")));
        };
        self.left.set(left);
        if schema.child_count() != array.child_count() {
            return Err(PyValueError::new_err(format!("{name:?} has not as many children as its schema")));
        }
        let (first, length) = extent(name, array)?;
        let source = Source { array, end: first + length };
        // SAFETY: the caller says what the array is.
        let data = unsafe { self.data(schema, source, depth) }?;
        let may_have_nulls = array.may_have_nulls() && !matches!(data, Data::Nothing | Data::Other);
        let has_validity = may_have_nulls && array.buffer(0).is_some();
        // SAFETY: the first buffer of an array of these types has a bit for each value.
        let validity = if has_validity { Some(unsafe { source.items(0, source.end.div_ceil(8)) }?) } else { None };
        Ok(Input { name: name.to_owned(), format: format.to_owned(), validity, first, length, data })
    }

    /// The values of an array.
    ///
    /// # Safety
    /// As for [`Importer::input`].
    unsafe fn data<'a>(&self, schema: &'a Schema, source: Source<'a>, depth: usize) -> PyResult<Data<'a>> {
        let end = source.end;
        let format = schema.format().unwrap_or_default();
        // SAFETY: children of an array are those of its schema.
        let child = |number, least| unsafe { self.child(schema, source.array, number, least, depth) };
        // SAFETY: the format says what lies in which buffer.
        unsafe {
            Ok(match format {
                "n" => Data::Nothing,
                "b" => Data::Bool(source.items(1, end.div_ceil(8))?),
                "c" => Data::Int8(source.items(1, end)?),
                "C" => Data::UInt8(source.items(1, end)?),
                "s" => Data::Int16(source.items(1, end)?),
                "S" => Data::UInt16(source.items(1, end)?),
                "i" => Data::Int32(source.items(1, end)?),
                "I" => Data::UInt32(source.items(1, end)?),
                "l" => Data::Int64(source.items(1, end)?),
                "L" => Data::UInt64(source.items(1, end)?),
                "f" => Data::Float32(source.items(1, end)?),
                "g" => Data::Float64(source.items(1, end)?),
                "z" | "u" => source.bytes(format == "u", source.narrow()?)?,
                "Z" | "U" => source.bytes(format == "U", source.wide()?)?,
                "vz" | "vu" => source.views(format == "vu")?,
                "+l" => Data::List { offsets: source.narrow()?, elements: Box::new(child(0, 0)?) },
                "+L" => Data::List { offsets: source.wide()?, elements: Box::new(child(0, 0)?) },
                "+m" => Data::Map { offsets: source.narrow()?, entries: Box::new(child(0, 0)?) },
                "+s" => {
                    let children = (0..source.array.child_count()).map(|number| child(number, end));
                    Data::Struct(children.collect::<PyResult<_>>()?)
                }
                _ => match fixed_width(format) {
                    Some((true, width)) => {
                        Data::List { offsets: Offsets::Every(width), elements: Box::new(child(0, 0)?) }
                    }
                    Some((false, width)) => {
                        let size = end.checked_mul(width).filter(|size| *size <= isize::MAX as usize);
                        let size = size.ok_or_else(|| PyValueError::new_err("the Arrow array is too long"))?;
                        let bytes = source.items(1, size)?;
                        Data::Bytes { text: false, offsets: Offsets::Every(width), bytes }
                    }
                    None => Data::Other,
                },
            })
        }
    }

    /// A child of at least so many values.
    ///
    /// # Safety
    /// As for [`Importer::input`].
    unsafe fn child<'a>(
        &self,
        schema: &'a Schema,
        array: &'a Array,
        number: usize,
        least: usize,
        depth: usize,
    ) -> PyResult<Input<'a>> {
        let name = schema.name().unwrap_or_default();
        let (Some(schema), Some(array)) = (schema.child(number), array.child(number)) else {
            return Err(PyValueError::new_err(format!("{name:?} lacks a child")));
        };
        // SAFETY: the caller says that they belong together.
        let child = unsafe { self.input(schema, array, depth + 1) }?;
        if child.length < least {
            return Err(PyValueError::new_err(format!("{name:?} has a child that is too short")));
        }
        Ok(child)
    }
}

/// Where the values of an array begin in its buffers, and how many there are; the end of both is far from overflowing.
fn extent(name: &str, array: &Array) -> PyResult<(usize, usize)> {
    let length = array.length();
    let first = if length == Some(0) { Some(0) } else { array.offset() };
    let is_sound =
        |(first, length): &(usize, usize)| first.checked_add(*length).is_some_and(|end| end < isize::MAX as usize / 16);
    first
        .zip(length)
        .filter(is_sound)
        .ok_or_else(|| PyValueError::new_err(format!("{name:?} has a length or an offset that makes no sense")))
}

/// `w:16` for 16 bytes each (`false`), `+w:3` for three elements each (`true`).
fn fixed_width(format: &str) -> Option<(bool, usize)> {
    let is_list = format.starts_with('+');
    let width: u32 = format.trim_start_matches('+').strip_prefix("w:")?.parse().ok()?;
    Some((is_list, width as usize))
}

/// The buffers of an array, of which the first `end` values matter.
#[derive(Clone, Copy)]
struct Source<'a> {
    array: &'a Array,
    end: usize,
}

impl<'a> Source<'a> {
    /// A buffer of `count` items; it may be missing where there are none.
    ///
    /// # Safety
    /// The array must have that many items of that type in that buffer.
    unsafe fn items<T>(&self, number: usize, count: usize) -> PyResult<&'a [T]> {
        if count == 0 {
            return Ok(&[]);
        }
        let start = self.array.buffer(number).map(|start| start.cast::<T>()).filter(|start| start.is_aligned());
        let Some(start) = start else {
            return Err(PyValueError::new_err("a buffer of the Arrow array is missing or not aligned"));
        };
        // SAFETY: not null, aligned, and as long as the caller says; `count` items are less than `isize::MAX` bytes, for
        // `extent` and the sizes of bytes see to that.
        Ok(unsafe { slice::from_raw_parts(start.as_ptr(), count) })
    }

    /// # Safety
    /// As for an array of offsets of 32 bits.
    unsafe fn narrow(&self) -> PyResult<Offsets<'a>> {
        let count = if self.end == 0 { 0 } else { self.end + 1 };
        // SAFETY: there is one more offset than there are values.
        Ok(Offsets::Narrow(unsafe { self.items(1, count) }?))
    }

    /// # Safety
    /// As for an array of offsets of 64 bits.
    unsafe fn wide(&self) -> PyResult<Offsets<'a>> {
        let count = if self.end == 0 { 0 } else { self.end + 1 };
        // SAFETY: there is one more offset than there are values.
        Ok(Offsets::Wide(unsafe { self.items(1, count) }?))
    }

    /// # Safety
    /// As for an array of binary or text with those offsets.
    unsafe fn bytes(&self, text: bool, offsets: Offsets<'a>) -> PyResult<Data<'a>> {
        let last = match offsets {
            Offsets::Narrow(offsets) => offsets.last().map(|last| i64::from(*last)),
            Offsets::Wide(offsets) => offsets.last().copied(),
            Offsets::Every(_) => None,
        };
        let size = usize::try_from(last.unwrap_or(0)).unwrap_or(0);
        // SAFETY: the data is as long as the last offset says.
        Ok(Data::Bytes { text, offsets, bytes: unsafe { self.items(2, size) }? })
    }

    /// # Safety
    /// As for an array of views.
    unsafe fn views(&self, text: bool) -> PyResult<Data<'a>> {
        let count = self.array.buffer_count().saturating_sub(3);
        // SAFETY: validity and views come first, then the data, and last an int64 for the size of each of these.
        unsafe {
            let views = self.items(1, self.end)?;
            let sizes: &[i64] = if count == 0 { &[] } else { self.items(2 + count, count)? };
            let size = |number: usize| usize::try_from(sizes[number]).unwrap_or(0);
            let buffers = (0..count).map(|number| self.items(2 + number, size(number))).collect::<PyResult<_>>()?;
            Ok(Data::Views { text, views, buffers })
        }
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
        schema_capsule(py, self.data.data_type())
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

/// The schema of a struct array, for any Arrow library.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnSchema {
    data_type: DataType,
}

impl ColumnSchema {
    /// The schema of columns.
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
    let schema = FFI_ArrowSchema::try_from(data_type);
    PyCapsule::new_with_value(py, schema.map_err(|error| PyValueError::new_err(error.to_string()))?, SCHEMA)
}

fn array_data(finished: Finished) -> ArrayData {
    let children = finished.children.into_iter().map(array_data).collect();
    let builder = ArrayData::builder(finished.data_type)
        .len(finished.length)
        .nulls(finished.nulls)
        .buffers(finished.buffers)
        .child_data(children);
    // SAFETY: columns keep offsets ascending and within their content, for they refuse more than 2 GiB, texts are checked
    // UTF-8, and all fields of a struct are as long as it.
    let data = unsafe { builder.build_unchecked() };
    // So that a mistake in that is found where the tests and the fuzzers run, and costs nothing elsewhere.
    if cfg!(debug_assertions) {
        data.validate_full().expect("columns as Arrow wants them");
    }
    data
}
