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

#[cfg(test)]
mod tests {
    use super::catch_panics;
    use pyo3::prelude::*;

    #[test]
    fn a_panic_is_an_exception_that_programs_catch() {
        Python::initialize();
        let nothing: [u8; 0] = [];
        let outcome = catch_panics(|| Ok(nothing[std::hint::black_box(3)]));
        Python::attach(|py| {
            let error = outcome.expect_err("a panic");
            assert!(error.is_instance_of::<pyo3::exceptions::PyRuntimeError>(py));
            assert!(error.to_string().contains("index out of bounds"));
        });
        assert_eq!(catch_panics(|| Ok(7)).ok(), Some(7));
    }
}
