//! The exceptions for errors of the core.

use messagegen_core::Error;
use messagegen_core::outcome::Kind;
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyError, PyOSError, PyTypeError, PyValueError};

/// Return the exception for an error. For log errors, it is a `ValueError` with the kind and the text, which Python
/// code converts to an exception of its own. For file errors, it is the exception that the storage raised, or an
/// `OSError`.
#[cold]
pub fn raised(error: Error) -> PyErr {
    match (error.kind, error.io) {
        (Kind::Value, _) => PyValueError::new_err(error.text),
        (Kind::Type, _) => PyTypeError::new_err(error.text),
        (Kind::UnknownVersion(version), _) => PyKeyError::new_err(version),
        (kind, None) => PyValueError::new_err((format!("{kind:?}"), error.text)),
        (_, Some(cause)) => {
            let (path, cause) = *cause;
            cause.downcast::<PyErr>().unwrap_or_else(|cause| {
                let text = cause.to_string();
                let text = text.split(" (os error").next().unwrap_or_default().to_owned();
                PyOSError::new_err((cause.raw_os_error().unwrap_or(5), text, path))
            })
        }
    }
}
