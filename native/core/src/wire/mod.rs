//! Reading and writing of values, without Python or Arrow.
//!
//! Memory is never allocated for an unchecked length: lengths are first compared with the number of bytes left. Code
//! for most values is always inlined, because a call takes as long as reading the value. Code for rare values is not.

mod error;
mod fixed;
mod read;
mod write;

pub use self::error::{
    HIGHEST_TAG, WRONG_TAG, WireError, foreign_tag, null, repeated_tag, too_few_bytes, too_few_bytes_for, wrong,
    wrong_tag_size,
};
pub use self::fixed::{FixedValue, chunk, fixed_int, fixed_value};
pub use self::read::{Cursor, text_bytes, utf8};
pub use self::write::{
    write_bytes, write_fixed_int, write_int, write_length, write_null_length, write_null_mark, write_packed,
    write_string, write_uvarint,
};
