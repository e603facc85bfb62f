//! Rows in Spark's memory format: `UnsafeRow`, `UnsafeArrayData` and `UnsafeMapData`, little-endian.
//!
//! All of them consist of 8-byte words, and each value begins at a word. Variable-size values follow the fixed-size
//! words, and each of them is referred to by one of these words.

mod message;
mod words;

pub use self::message::{FIELDS_OF_ERRORS, Refusal, RowDecoder};
pub use self::words::{BITS_OF_BYTE, WORD, bytes_of_row, words_of_marks};
