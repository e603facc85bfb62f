//! A batch of messages to Arrow columns: only the fields that are wanted, without a Python object for any of them.

mod ffi;
mod program;
mod read;
mod store;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

pub use self::ffi::ColumnBatch;
use self::ffi::{BinaryArray, Rows};
use self::program::{Program, ProgramError, compile};
use self::read::RowReader;
use self::store::{Columns, Default};
use crate::plan::{Field, Plan};

/// Decodes each value of a binary array as a message; see the type stub for what comes out.
#[pyfunction]
#[pyo3(signature = (plan_text, version, values, fields = None))]
pub fn decode_columns(
    py: Python<'_>,
    plan_text: &str,
    version: i64,
    values: &Bound<'_, PyAny>,
    fields: Option<Vec<String>>,
) -> PyResult<ColumnBatch> {
    let plan = Plan::parse(plan_text).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let compiled = compile(&plan, version, fields.as_deref(), &mut |field| default_of(py, field));
    let (program, columns) = compiled.map_err(|error| match error {
        ProgramError::Version => PyKeyError::new_err(version),
        ProgramError::Text(text) => PyValueError::new_err(text),
        ProgramError::Default(error) => error,
    })?;
    let array = BinaryArray::new(values)?;
    let rows = array.rows()?;
    let columns = py.detach(|| fill(&plan, &program, columns, rows)).map_err(PyValueError::new_err)?;
    Ok(ColumnBatch::new(columns.finish(program.root_column)))
}

fn fill(plan: &Plan, program: &Program, mut columns: Columns, rows: Rows<'_>) -> Result<Columns, &'static str> {
    let mut reader = RowReader::new(plan, program, &mut columns);
    for number in 0..rows.length() {
        let row = rows.get(number).ok_or("the offsets of the Arrow array do not ascend")?;
        reader.row(row).map_err(|_| "a column would have more than 2 GiB: pass fewer rows at a time")?;
    }
    Ok(columns)
}

/// A default as the plan's text gives it: JSON, with bytes and uuids in hex.
fn default_of(py: Python<'_>, field: &Field) -> PyResult<Default> {
    let text = field.default.as_str();
    if text == "null" {
        return Ok(Default::Null);
    }
    let json = || py.import("json")?.call_method1("loads", (text,));
    Ok(match field.type_name.as_str() {
        "bool" => Default::Int(i64::from(text == "true")),
        "int8" | "int16" | "uint16" | "int32" | "uint32" | "int64" => Default::Int(json()?.extract()?),
        "float64" => Default::Float(json()?.extract()?),
        "string" => Default::Bytes(json()?.extract::<String>()?.into_bytes()),
        "bytes" | "records" | "uuid" => {
            let bytes = py.get_type::<pyo3::types::PyBytes>().call_method1("fromhex", (json()?,))?;
            Default::Bytes(bytes.extract()?)
        }
        _ => Default::Empty,
    })
}
