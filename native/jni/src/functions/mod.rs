//! Spark's functions, called once for each row: they decode bytes to structs and encode structs to bytes.

mod decoding;
mod encoding;
mod scratch;

/// The advice in errors about rows.
const ADVICE: &str = "mode PERMISSIVE keeps such rows, with the reason in _error";
