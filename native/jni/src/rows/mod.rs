//! Rows as Spark keeps them: its `UnsafeRow`, `UnsafeArrayData` and `UnsafeMapData`, where the lowest byte of a number
//! comes first.
//!
//! All consist of words of 8 bytes, at which values begin. What has no constant size follows everything else, and a
//! word says where.

mod message;
mod words;

pub use self::message::{FIELDS_OF_ERRORS, Refusal, RowDecoder};
pub use self::words::{BITS_OF_BYTE, WORD, bytes_of_row, words_of_marks};
