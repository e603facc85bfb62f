//! Messages to columns.

mod message;
mod plain;
mod program;
mod row;
mod schema;

use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

use self::program::Program;
use self::row::RowReader;
use self::schema::{Selection, schema};
use super::defaults::Defaults;
use super::versions::{VersionArgument, VersionMap};
use crate::arrow::builder::UuidForm;
use crate::arrow::export::{ColumnBatch, ColumnSchema};
use crate::arrow::import::import;
use crate::arrow::input::Input;
use crate::error::{MessageError, malformed};
use crate::limits::{Limits, PackedLimits};
use crate::panics::catch_panics;
use crate::plan::Plan;

/// Decodes batches of one message into columns; see the type stub.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnDecoder {
    plan: Plan,
    program: Program,
    limits: Limits,
}

#[pymethods]
impl ColumnDecoder {
    #[new]
    #[pyo3(signature = (
        plan_text, versions = None, fields = None, *,
        names = "attribute", unknown_tagged_fields = false, uuid_as = "binary", limits = None
    ))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn new(
        py: Python<'_>,
        plan_text: &str,
        versions: Option<Vec<i64>>,
        fields: Option<Vec<String>>,
        names: &str,
        unknown_tagged_fields: bool,
        uuid_as: &str,
        limits: PackedLimits,
    ) -> PyResult<Self> {
        catch_panics(|| {
            let plan = Plan::parse(plan_text).map_err(|error| PyValueError::new_err(error.to_string()))?;
            let defaults = Defaults::new(py, &plan)?;
            let layouts = VersionMap::of_plan(&plan, versions.as_deref())?;
            let uuids = option("uuid_as", uuid_as, &UUID_FORMS)?;
            let kafka_names = option("names", names, &NAMES)?;
            let fields = fields.as_deref();
            let selection = Selection { layouts: &layouts, fields, unknown_tagged_fields, uuids, kafka_names };
            let schema = schema(&plan, &defaults, &selection).map_err(PyValueError::new_err)?;
            let program = Program::new(&plan, schema, &layouts);
            Ok(ColumnDecoder { plan, program, limits: limits.into() })
        })
    }

    #[getter]
    fn schema(&self) -> PyResult<ColumnSchema> {
        catch_panics(|| {
            let finished = self.program.columns.empty().finish(self.program.root_column);
            let array = finished.map_err(|overflow| MessageError::from(overflow).into_value_error())?;
            Ok(ColumnSchema::new(array.data_type().clone()))
        })
    }

    #[pyo3(signature = (values, version, skip = 0))]
    fn decode(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        version: &Bound<'_, PyAny>,
        skip: usize,
    ) -> PyResult<ColumnBatch> {
        catch_panics(|| {
            let versions = VersionArgument::new(version)?;
            if let VersionArgument::One(version) = versions {
                self.check_version(version)?;
            }
            let array = import(values)?;
            let rows = Input::new("", &array)?;
            rows.check_binary()?;
            let versions = versions.rows(rows.length)?;
            let decoded = py.detach(|| {
                let mut reader = RowReader::new(&self.plan, &self.program, &self.limits);
                for number in 0..rows.length {
                    match rows.place(number) {
                        Some(place) => {
                            let data = rows.bytes(place).ok_or_else(malformed)?;
                            reader.row(versions.get(number), data.get(skip..).unwrap_or_default())?;
                        }
                        None => reader.null(),
                    }
                }
                reader.columns.finish(self.program.root_column).map_err(MessageError::from)
            });
            decoded.map(ColumnBatch::new).map_err(MessageError::into_value_error)
        })
    }
}

impl ColumnDecoder {
    fn check_version(&self, version: i64) -> PyResult<()> {
        if !self.plan.roots.iter().any(|(known, _)| *known == version) {
            return Err(PyKeyError::new_err(version));
        }
        if self.program.roots.get(version.into()).is_none() {
            return Err(PyValueError::new_err(format!("version {version} is not among the versions of the columns")));
        }
        Ok(())
    }
}

const UUID_FORMS: [(&str, UuidForm); 3] =
    [("binary", UuidForm::Binary), ("string", UuidForm::Text), ("fixed_size_binary", UuidForm::Fixed)];

/// Whether names are Kafka's.
const NAMES: [(&str, bool); 2] = [("attribute", false), ("kafka", true)];

fn option<T: Copy>(name: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find(|(known, _)| *known == word).map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<String> = known.iter().map(|(known, _)| format!("{known:?}")).collect();
        PyValueError::new_err(format!("{name} must be {}, not {word:?}", known.join(" or ")))
    })
}
