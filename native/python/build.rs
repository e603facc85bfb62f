//! Tells the compiler which build of Python the library is for: `cfg(Py_GIL_DISABLED)`.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
