//! Batches of messages to Arrow columns and back: only the fields that are wanted, without a Python object for any of them.

mod c_data;
mod column;
mod constant;
mod defaults;
pub mod fault;
mod ffi;
mod finish;
mod input;
mod leaf;
mod limits;
mod program;
mod read;
mod same;
mod shape;
mod skip;
mod source;
mod store;
mod text_uuid;
mod versions;
mod walk;
mod write;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use self::column::{UuidForm, Values};
use self::defaults::{Defaults, FieldDefault};
use self::fault::{Cause, Outcome, Stop};
use self::ffi::Import;
pub use self::ffi::{ColumnBatch, ColumnSchema};
pub use self::finish::Finished;
use self::input::Input;
use self::limits::{Limits, Packed};
use self::program::{Program, compile};
use self::read::RowReader;
use self::shape::{Wish, shape};
use self::source::{Sources, sources};
use self::store::Columns;
use self::versions::{Asked, Known, Versions};
use self::write::RowWriter;
use crate::guard::guarded;
use crate::plan::Plan;

/// Decodes each value of a binary array as a message; see the type stub for what comes out.
#[pyfunction]
#[pyo3(signature = (
    plan_text, version, values, fields = None, *,
    schema_versions = None, unknown_tagged_fields = false, uuid_as = "binary", limits = None
))]
#[allow(clippy::too_many_arguments)] // they are those of the Python function
pub fn decode_columns(
    py: Python<'_>,
    plan_text: &str,
    version: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    fields: Option<Vec<String>>,
    schema_versions: Option<Vec<i64>>,
    unknown_tagged_fields: bool,
    uuid_as: &str,
    limits: Packed,
) -> PyResult<ColumnBatch> {
    let limits = Limits::from(limits);
    guarded(|| {
        let plan = parsed(plan_text)?;
        let defaults = Defaults::new(py, &plan)?;
        let asked = Asked::new(version)?;
        let layouts = expected(&plan, &asked, schema_versions)?;
        let uuids = uuid_form(uuid_as)?;
        let wish = Wish { layouts: &layouts, fields: fields.as_deref(), unknown_tagged_fields, uuids };
        let (shape, columns) = shape(&plan, &defaults, &wish).map_err(PyValueError::new_err)?;
        let program = compile(&plan, shape, &columns, &layouts);
        let import = Import::new(values)?;
        let rows = import.input()?;
        rows.check_binary()?;
        let versions = asked.rows(rows.length())?;
        let finished = py.detach(|| {
            let columns = decode(&plan, &program, columns, &limits, &versions, &rows)?;
            columns.finish(program.root_column).map_err(Stop::from)
        });
        finished.map(ColumnBatch::new).map_err(into_error)
    })
}

/// Encodes each row of a struct array as a message; see the type stub for what comes out.
#[pyfunction]
pub fn encode_columns(
    py: Python<'_>,
    plan_text: &str,
    version: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
) -> PyResult<ColumnBatch> {
    guarded(|| {
        let plan = parsed(plan_text)?;
        let defaults = Defaults::new(py, &plan)?;
        let asked = Asked::new(version)?;
        let layouts = expected(&plan, &asked, None)?;
        let import = Import::new(values)?;
        let rows = import.input()?;
        let sources = sources(&plan, &defaults, &layouts, &rows)?;
        let versions = asked.rows(rows.length())?;
        py.detach(|| encode(&plan, &sources, &versions, &rows)).map(ColumnBatch::new).map_err(into_error)
    })
}

/// The columns that messages of some versions give; see the type stub.
#[pyfunction]
#[pyo3(signature = (plan_text, versions = None, fields = None, *, unknown_tagged_fields = false, uuid_as = "binary"))]
pub fn schema_of(
    py: Python<'_>,
    plan_text: &str,
    versions: Option<Vec<i64>>,
    fields: Option<Vec<String>>,
    unknown_tagged_fields: bool,
    uuid_as: &str,
) -> PyResult<ColumnSchema> {
    guarded(|| {
        let plan = parsed(plan_text)?;
        let defaults = Defaults::new(py, &plan)?;
        let layouts = Known::of_plan(&plan, versions.as_deref())?;
        let uuids = uuid_form(uuid_as)?;
        let wish = Wish { layouts: &layouts, fields: fields.as_deref(), unknown_tagged_fields, uuids };
        let (shape, columns) = shape(&plan, &defaults, &wish).map_err(PyValueError::new_err)?;
        let finished = columns.finish(shape.message.column).map_err(|full| into_error(full.into()))?;
        Ok(ColumnSchema::new(finished.data_type))
    })
}

fn parsed(plan_text: &str) -> PyResult<Plan> {
    Plan::parse(plan_text).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The versions that rows may have, with their layouts.
fn expected(plan: &Plan, asked: &Asked<'_>, schema_versions: Option<Vec<i64>>) -> PyResult<Known<u32>> {
    let Asked::One(version) = asked else {
        return Known::of_plan(plan, schema_versions.as_deref());
    };
    if !plan.roots.iter().any(|(known, _)| known == version) {
        return Err(PyKeyError::new_err(*version));
    }
    let known = Known::of_plan(plan, Some(schema_versions.as_deref().unwrap_or(&[*version])))?;
    match known.get(*version) {
        Some(_) => Ok(known),
        None => Err(PyValueError::new_err(format!("version {version} is not among schema_versions"))),
    }
}

fn uuid_form(name: &str) -> PyResult<UuidForm> {
    match name {
        "binary" => Ok(UuidForm::Binary),
        "string" => Ok(UuidForm::Text),
        "fixed_size_binary" => Ok(UuidForm::Fixed),
        _ => {
            let text = format!("uuid_as is \"binary\", \"string\" or \"fixed_size_binary\", not {name:?}");
            Err(PyValueError::new_err(text))
        }
    }
}

fn into_error(stop: Stop) -> PyErr {
    match stop.cause() {
        Cause::Row(reason, _) => PyValueError::new_err(reason.text),
        Cause::Batch(text) => PyValueError::new_err(text),
    }
}

fn decode(
    plan: &Plan,
    program: &Program,
    mut columns: Columns,
    limits: &Limits,
    versions: &Versions<'_>,
    rows: &Input<'_>,
) -> Outcome<Columns> {
    let mut reader = RowReader::new(plan, program, &mut columns, limits);
    for number in 0..rows.length() {
        match rows.place(number) {
            Some(place) => reader.row(versions.get(number), rows.bytes(place).ok_or_else(fault::malformed)?)?,
            None => reader.null(),
        }
    }
    Ok(columns)
}

fn encode(plan: &Plan, sources: &Sources<'_>, versions: &Versions<'_>, rows: &Input<'_>) -> Outcome<finish::Finished> {
    let mut columns = Columns::default();
    let value = columns.add("value", Values::bytes(), FieldDefault::Null);
    let message = columns.add("message", Values::text(), FieldDefault::Empty);
    let path = columns.add("path", Values::text(), FieldDefault::Empty);
    let error = columns.add("_error", Values::Struct(0, vec![message, path]), FieldDefault::Null);
    let root = columns.add_required("", Values::Struct(0, vec![value, error]));
    let mut writer = RowWriter::new(plan, sources);
    for number in 0..rows.length() {
        columns.begin_struct(root);
        let Some(place) = rows.place(number) else {
            columns.push_null(value);
            columns.push_null(error);
            continue;
        };
        match writer.row(versions.get(number), place) {
            Ok(bytes) => {
                columns.push_bytes(value, bytes)?;
                columns.push_null(error);
            }
            Err(stop) => match stop.cause() {
                Cause::Row(reason, parts) => {
                    columns.push_null(value);
                    columns.begin_struct(error);
                    columns.push_bytes(message, fault::shown_reason(plan, reason, &parts).as_bytes())?;
                    columns.push_bytes(path, fault::path(plan, &parts).as_bytes())?;
                }
                Cause::Batch(text) => return Err(Stop::batch(text)),
            },
        }
    }
    Ok(columns.finish(root)?)
}
