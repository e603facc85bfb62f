//! `messagegen_native`: runs the plans of messagegen's generated messages.
//!
//! Generated code works without it. If it is installed, the same classes use it to decode and encode. See `README.md`.

mod arrow;
mod batches;
mod columns;
mod errors;
mod logs;
mod objects;
mod panics;

// No code here needs the interpreter's lock on free-threaded builds: docs/design/025-threads.md.
#[pyo3::pymodule(gil_used = false)]
mod messagegen_native {
    use pyo3::prelude::{Bound, PyModule, PyResult};

    #[pymodule_export]
    const PLAN_FORMAT: u32 = messagegen_core::plan::PLAN_FORMAT;
    /// The version of the engine's interface: 2 adds limits and locations of errors; 3 adds lazy decoding; 4 copies all
    /// bytes; 5 requires the limits of the output.
    #[pymodule_export]
    const ENGINE_FORMAT: u32 = 5;
    /// The fixed-size types, with their sizes in bytes.
    #[pymodule_export]
    const PRIMITIVES: &[(&str, usize)] = messagegen_core::plan::Kind::TABLE;
    /// The default limits of columns: the array length, the number of tagged fields, and the memory's factor and
    /// constant.
    #[pymodule_export]
    const DEFAULT_LIMITS: (u64, u64, u64, u64) = messagegen_core::limits::Limits::DEFAULT.packed();
    #[pymodule_export]
    const PAID_PER_BYTE: u64 = messagegen_core::budget::PAID_PER_BYTE;
    #[pymodule_export]
    use crate::arrow::export::ColumnBatch;
    #[pymodule_export]
    use crate::batches::{RecordCodec, checksum, compress, decompress};
    #[pymodule_export]
    use crate::columns::{ColumnDecoder, ColumnEncoder, record_groups};
    #[pymodule_export]
    use crate::logs::{LogPlanner, LogReader, log_options};
    #[pymodule_export]
    use crate::objects::{Engine, Failure};

    #[pymodule_init]
    fn init(_module: &Bound<'_, PyModule>) -> PyResult<()> {
        messagegen_core::memory::keep_freed();
        Ok(())
    }
}
