//! Arrow arrays: arrays that callers pass in, and columns that are being built.

pub mod builder;
pub mod errors;
pub mod input;
pub mod uuid_text;
