//! The exceptions for errors of the core.

use messagegen_core::Error;
use messagegen_core::outcome::Kind;
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};

/// The exception for an error.
#[cold]
pub fn raised(error: Error) -> PyErr {
    match error.kind {
        Kind::Value => PyValueError::new_err(error.text),
        Kind::Type => PyTypeError::new_err(error.text),
        Kind::UnknownVersion(version) => PyKeyError::new_err(version),
    }
}
