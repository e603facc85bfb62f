//! Errors of decoding to and encoding from Python objects.

use messagegen_core::wire::WireError;
use pyo3::create_exception;
use pyo3::exceptions::{PyAttributeError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::locate::Located;

create_exception!(
    messagegen_native,
    Failure,
    PyValueError,
    "A message can't be decoded or encoded. For bytes the arguments are reason, field path and offset; for an object a short \
     reason only: the reference walk over the same object finds the field."
);

enum Cause {
    Wire(WireError),
    Value(&'static str),
    Raised(PyErr),
}

/// Why an object can't be decoded or encoded; boxed, so that a result fits in registers.
pub struct ObjectError(Box<Cause>);

/// The result of decoding or encoding a part of an object.
pub type ObjectResult<T> = Result<T, ObjectError>;

/// Fails for a value that can't be encoded.
#[cold]
#[inline(never)]
pub fn fail<T>(what: &'static str) -> ObjectResult<T> {
    Err(ObjectError(Box::new(Cause::Value(what))))
}

impl From<WireError> for ObjectError {
    #[cold]
    fn from(reason: WireError) -> Self {
        ObjectError(Box::new(Cause::Wire(reason)))
    }
}

impl From<PyErr> for ObjectError {
    #[cold]
    fn from(error: PyErr) -> Self {
        ObjectError(Box::new(Cause::Raised(error)))
    }
}

impl ObjectError {
    /// The exception for bytes, with the location that `locate` finds. Exceptions of Python code are not changed.
    #[cold]
    pub fn located(self, py: Python<'_>, locate: impl FnOnce() -> Result<(), Located>) -> PyErr {
        if !matches!(&*self.0, Cause::Raised(error) if !is_failure(error, py))
            && let Err(located) = locate()
        {
            return Failure::new_err(located);
        }
        self.into_error(py)
    }

    /// The exception to raise: `Failure` for errors that the reference codec also has, other exceptions unchanged.
    #[cold]
    pub fn into_error(self, py: Python<'_>) -> PyErr {
        match *self.0 {
            Cause::Wire(reason) => Failure::new_err(reason.to_string()),
            Cause::Value(what) => Failure::new_err(what),
            Cause::Raised(error) if is_failure(&error, py) => Failure::new_err(error.value(py).to_string()),
            Cause::Raised(error) => error,
        }
    }
}

fn is_failure(error: &PyErr, py: Python<'_>) -> bool {
    error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyAttributeError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
}
