//! Rows in Spark's memory format: `UnsafeRow`, `UnsafeArrayData` and `UnsafeMapData`, little-endian.
//!
//! All consist of 8-byte words, and values begin at words. Values of variable size follow the words of fixed size, and
//! a word refers to each of them.

mod message;
mod words;

pub use self::message::{FIELDS_OF_ERRORS, Refusal, RowDecoder};
pub use self::words::{BITS_OF_BYTE, WORD, bytes_of_row, words_of_marks};
