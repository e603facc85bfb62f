//! What Spark's functions do, one call for each row: bytes of messages become structs, and structs become bytes.

mod decoding;
mod encoding;
mod scratch;

/// How to keep rows with errors.
const ADVICE: &str = "mode PERMISSIVE keeps such rows, with the reason in _error";
