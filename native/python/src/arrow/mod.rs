//! Arrow arrays and schemas to and from Python.

pub mod export;
pub mod import;
