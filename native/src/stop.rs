//! Why decoding or encoding stopped: something refused, or an exception that Python code raised.

use pyo3::create_exception;
use pyo3::exceptions::{PyAttributeError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::judge::Fault;
use crate::wire::Refused;

create_exception!(
    messagegen_native,
    Failure,
    PyValueError,
    "Something can't be read or written. Of bytes it has reason, field path and offset as its arguments; of a value only a short \
     reason: whoever called finds out by the slow walk which one."
);

enum Cause {
    Located(Fault),
    Wire(Refused),
    Value(&'static str),
    Raised(PyErr),
}

/// A reason to stop; boxed, so that a result fits in registers.
pub struct Stop(Box<Cause>);

/// What may stop.
pub type Outcome<T> = Result<T, Stop>;

/// Stops for something that can't be written.
#[cold]
#[inline(never)]
pub fn refuse<T>(what: &'static str) -> Outcome<T> {
    Err(Stop(Box::new(Cause::Value(what))))
}

impl From<Refused> for Stop {
    #[cold]
    fn from(reason: Refused) -> Self {
        Stop(Box::new(Cause::Wire(reason)))
    }
}

impl From<Fault> for Stop {
    #[cold]
    fn from(fault: Fault) -> Self {
        Stop(Box::new(Cause::Located(fault)))
    }
}

impl From<PyErr> for Stop {
    #[cold]
    fn from(error: PyErr) -> Self {
        Stop(Box::new(Cause::Raised(error)))
    }
}

impl Stop {
    /// Says where bytes can't be read, as `judge` finds it; an exception that is none of bytes stays as it is.
    #[cold]
    pub fn located(self, py: Python<'_>, judge: impl FnOnce() -> Result<(), Fault>) -> Self {
        if matches!(&*self.0, Cause::Located(_)) || matches!(&*self.0, Cause::Raised(error) if !is_refusal(error, py)) {
            return self;
        }
        judge().map_or_else(Stop::from, |()| self)
    }

    /// The exception to raise: `Failure` for what the slow walk refuses too, anything else as it came.
    #[cold]
    pub fn into_error(self, py: Python<'_>) -> PyErr {
        match *self.0 {
            Cause::Located(fault) => Failure::new_err((fault.reason, fault.path, fault.offset)),
            Cause::Wire(reason) => Failure::new_err(reason.to_string()),
            Cause::Value(what) => Failure::new_err(what),
            Cause::Raised(error) if is_refusal(&error, py) => Failure::new_err(error.value(py).to_string()),
            Cause::Raised(error) => error,
        }
    }
}

fn is_refusal(error: &PyErr, py: Python<'_>) -> bool {
    error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyAttributeError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
}
