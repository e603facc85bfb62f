//! Columns to messages.

mod constant;
mod default_test;
mod fields;
mod leaf;
mod row;
mod sources;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use self::row::RowWriter;
use self::sources::{Sources, sources};
use super::defaults::Defaults;
use super::versions::{RowVersions, VersionArgument, VersionMap};
use crate::arrow::builder::{Columns, Values};
use crate::arrow::export::ColumnBatch;
use crate::arrow::import::import;
use crate::arrow::input::Input;
use crate::error::{Cause, MessageError, MessageResult, path, shown_reason};
use crate::panics::catch_panics;
use crate::plan::Plan;

/// Encodes rows as messages; see the type stub.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnEncoder {
    plan: Plan,
    defaults: Defaults,
}

#[pymethods]
impl ColumnEncoder {
    #[new]
    fn new(py: Python<'_>, plan_text: &str) -> PyResult<Self> {
        catch_panics(|| {
            let plan = Plan::parse(plan_text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            let defaults = Defaults::new(py, &plan)?;
            Ok(ColumnEncoder { plan, defaults })
        })
    }

    fn encode(&self, py: Python<'_>, values: &Bound<'_, PyAny>, version: &Bound<'_, PyAny>) -> PyResult<ColumnBatch> {
        catch_panics(|| {
            let versions = VersionArgument::new(version)?;
            let layouts = match &versions {
                VersionArgument::One(version) => VersionMap::of_plan(&self.plan, Some(&[*version]))?,
                VersionArgument::Each(_) => VersionMap::of_plan(&self.plan, None)?,
            };
            let array = import(values)?;
            let rows = Input::new("", &array)?;
            let sources = sources(&self.plan, &self.defaults, &layouts, &rows)?;
            let versions = versions.rows(rows.length)?;
            let encoded = py.detach(|| encode(&self.plan, &sources, &versions, &rows));
            encoded.map(ColumnBatch::new).map_err(MessageError::into_value_error)
        })
    }
}

fn encode(
    plan: &Plan,
    sources: &Sources<'_>,
    versions: &RowVersions<'_>,
    rows: &Input<'_>,
) -> MessageResult<arrow_data::ArrayData> {
    let mut columns = Columns::default();
    let value = columns.add("value", Values::bytes(), true);
    let message = columns.add("message", Values::text(), true);
    let path_column = columns.add("path", Values::text(), true);
    let error = columns.add("_error", Values::structs(vec![message, path_column]), true);
    let root = columns.add("", Values::structs(vec![value, error]), false);
    let mut writer = RowWriter::new(plan, sources);
    for number in 0..rows.length {
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
            Err(failed) => match failed.cause() {
                Cause::Message(reason, parts) => {
                    columns.push_null(value);
                    columns.begin_struct(error);
                    columns.push_bytes(message, shown_reason(plan, reason, &parts).as_bytes())?;
                    columns.push_bytes(path_column, path(plan, &parts).as_bytes())?;
                }
                Cause::Batch(text) => return Err(MessageError::batch(text)),
            },
        }
    }
    Ok(columns.finish(root)?)
}
