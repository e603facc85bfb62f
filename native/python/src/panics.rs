//! Converts panics to exceptions that Python programs can catch. A panic is always a bug.

use std::panic::{AssertUnwindSafe, catch_unwind};

use messagegen_core::outcome::panic_text;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Call a function, and convert a panic to a `RuntimeError`; PyO3 itself would raise a `BaseException`.
///
/// After a panic, the objects that the function was changing are memory-safe, but may be half changed.
#[inline(always)]
pub fn catch_panics<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => {
            let text = panic_text(panic.as_ref());
            Err(PyRuntimeError::new_err(format!(
                "a defect of messagegen_native, please report it: {text}"
            )))
        }
    }
}
