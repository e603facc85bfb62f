//! Errors in decoding to Python objects and encoding from them.

use std::borrow::Cow;

use messagegen_core::columns::Names;
use messagegen_core::error::{Cause as MessageCause, MessageError};
use messagegen_core::plan::Plan;
use messagegen_core::wire::WireError;
use pyo3::create_exception;
use pyo3::exceptions::{PyAttributeError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    messagegen_native,
    Failure,
    PyValueError,
    "A message can't be decoded or encoded. For bytes the arguments are reason, field path and offset; for an object \
     a short reason only: the reference walk over the same object finds the field."
);

enum Cause {
    Failed(Cow<'static, str>),
    Raised(PyErr),
}

/// The reason why an object can't be decoded or encoded; boxed, so that a result fits in registers.
pub struct ObjectError(Box<Cause>);

/// The result of decoding or encoding a part of an object.
pub type ObjectResult<T> = Result<T, ObjectError>;

/// Fail for a value that can't be encoded.
#[cold]
#[inline(never)]
pub fn fail<T>(what: &'static str) -> ObjectResult<T> {
    Err(ObjectError(Box::new(Cause::Failed(what.into()))))
}

impl From<WireError> for ObjectError {
    #[cold]
    fn from(reason: WireError) -> Self {
        ObjectError(Box::new(Cause::Failed((*reason).into())))
    }
}

impl From<MessageError> for ObjectError {
    #[cold]
    fn from(error: MessageError) -> Self {
        let cause = match error.cause() {
            MessageCause::Message(reason, _) => Cause::Failed(reason.text.into()),
            MessageCause::Other(error) => match error.downcast::<PyErr>() {
                Ok(error) => Cause::Raised(*error),
                Err(error) => Cause::Failed(error.to_string().into()),
            },
        };
        ObjectError(Box::new(cause))
    }
}

impl From<PyErr> for ObjectError {
    #[cold]
    fn from(error: PyErr) -> Self {
        ObjectError(Box::new(Cause::Raised(error)))
    }
}

/// Return the exception for a field that can't be decoded; the field begins at `offset`. Exceptions from Python code
/// are returned unchanged.
#[cold]
pub fn decode_error(py: Python<'_>, plan: &Plan, error: MessageError, offset: usize) -> PyErr {
    match error.cause() {
        MessageCause::Message(reason, parts) => {
            Failure::new_err((reason.text, Names::Attributes.path(plan, &parts), offset))
        }
        MessageCause::Other(error) => ObjectError::from(MessageError::other(error)).into_error(py),
    }
}

impl ObjectError {
    /// Return the exception to raise: `Failure` for errors that the reference codec would also report, or another
    /// exception unchanged.
    #[cold]
    pub fn into_error(self, py: Python<'_>) -> PyErr {
        match *self.0 {
            Cause::Failed(reason) => Failure::new_err(reason.into_owned()),
            Cause::Raised(error) if is_failure(&error, py) => Failure::new_err(error.value(py).to_string()),
            Cause::Raised(error) => error,
        }
    }

    /// Whether the reference codec also refuses the object.
    #[cold]
    pub fn is_failure(&self, py: Python<'_>) -> bool {
        match &*self.0 {
            Cause::Failed(_) => true,
            Cause::Raised(error) => is_failure(error, py),
        }
    }
}

fn is_failure(error: &PyErr, py: Python<'_>) -> bool {
    error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyAttributeError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
}
