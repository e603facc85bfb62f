//! Sets `cfg(Py_GIL_DISABLED)` if the library is built for a free-threaded Python.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
