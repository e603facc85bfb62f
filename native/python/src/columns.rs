//! Conversion of message batches to columns and back, and grouping of records in internal topics.

use messagegen_core::columns::{Decoder, Encoder, Options, VersionArgument};
use messagegen_core::limits::{Limits, PackedLimits};
use messagegen_core::records::{self, Prefix};
use pyo3::prelude::*;

use crate::arrow::export::ColumnBatch;
use crate::arrow::import::import;
use crate::errors::raised;
use crate::panics::catch_panics;
use crate::profile::with_profile;

/// Decodes batches of one message into columns; see the type stub.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnDecoder {
    decoder: Decoder,
}

#[pymethods]
impl ColumnDecoder {
    fn __repr__(&self) -> String {
        with_profile("ColumnDecoder")
    }

    #[new]
    #[pyo3(signature = (
        plan_text, versions = None, fields = None, *,
        names = "attribute", unknown_tagged_fields = false, uuid_as = "binary", limits = None
    ))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn new(
        plan_text: &str,
        versions: Option<Vec<i64>>,
        fields: Option<Vec<String>>,
        names: &str,
        unknown_tagged_fields: bool,
        uuid_as: &str,
        limits: Option<PackedLimits>,
    ) -> PyResult<Self> {
        catch_panics(|| {
            let options = Options {
                versions: versions.as_deref(),
                fields: fields.as_deref(),
                include_secrets: true,
                names,
                unknown_tagged_fields,
                uuid_as,
                limits: limits.map_or(Limits::DEFAULT, Limits::from),
            };
            let decoder = Decoder::new(plan_text, &options).map_err(raised)?;
            Ok(ColumnDecoder { decoder })
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
            let versions = version_argument(version)?;
            let array = import(values)?;
            py.detach(|| self.decoder.decode(&array, &versions, skip))
                .map(ColumnBatch::new)
                .map_err(raised)
        })
    }

    fn ends(&self, py: Python<'_>, values: &Bound<'_, PyAny>, version: i64) -> PyResult<ColumnBatch> {
        catch_panics(|| {
            let array = import(values)?;
            py.detach(|| self.decoder.ends(&array, version))
                .map(ColumnBatch::new)
                .map_err(raised)
        })
    }
}

/// Encodes rows as messages; see the type stub.
#[pyclass(frozen, module = "messagegen_native")]
pub struct ColumnEncoder {
    encoder: Encoder,
}

#[pymethods]
impl ColumnEncoder {
    fn __repr__(&self) -> String {
        with_profile("ColumnEncoder")
    }

    #[new]
    fn new(plan_text: &str) -> PyResult<Self> {
        catch_panics(|| {
            Ok(ColumnEncoder {
                encoder: Encoder::new(plan_text).map_err(raised)?,
            })
        })
    }

    fn encode(&self, py: Python<'_>, values: &Bound<'_, PyAny>, version: &Bound<'_, PyAny>) -> PyResult<ColumnBatch> {
        catch_panics(|| {
            let versions = version_argument(version)?;
            let array = import(values)?;
            py.detach(|| self.encoder.encode(&array, &versions))
                .map(ColumnBatch::new)
                .map_err(raised)
        })
    }
}

/// Convert a version argument, which is a number or an Arrow array. Raises `TypeError` for other types.
fn version_argument(version: &Bound<'_, PyAny>) -> PyResult<VersionArgument> {
    if version.hasattr("__arrow_c_array__")? {
        import(version).map(VersionArgument::Each)
    } else {
        version.extract().map(VersionArgument::One)
    }
}

/// Group records by their leading bytes; see the type stub.
#[pyfunction]
pub fn record_groups(
    py: Python<'_>,
    framing: &str,
    keys: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
) -> PyResult<(Vec<Prefix>, ColumnBatch)> {
    catch_panics(|| {
        let (keys, values) = (import(keys)?, import(values)?);
        let (prefixes, batch) = py
            .detach(|| records::record_groups(framing, &keys, &values))
            .map_err(raised)?;
        Ok((prefixes, ColumnBatch::new(batch)))
    })
}
