//! The Spark functions that decode bytes to structs and encode structs to bytes, called once for each row.

mod decoding;
mod encoding;
mod scratch;

/// The advice in errors about rows.
const ADVICE: &str = "mode PERMISSIVE keeps such rows, with the reason in _error";
