//! Converts panics to exceptions that Python programs can catch. A panic is always a bug.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Calls a function; a panic becomes a `RuntimeError`, because PyO3 would make it a `BaseException`.
///
/// Objects that the function changed are sound in memory afterwards, but may be half changed.
#[inline(always)]
pub fn catch_panics<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => Err(defect(panic.as_ref())),
    }
}

#[cold]
fn defect(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("no reason was given");
    PyRuntimeError::new_err(format!("a defect of messagegen_native, please report it: {text}"))
}
