//! Arrow arrays: those that Python passes in, columns that are being built, and the arrays that Python gets.

pub mod builder;
pub mod export;
pub mod import;
pub mod input;
pub mod uuid_text;
