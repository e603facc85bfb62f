//! Errors in bytes and values, in the words of the reference codec (`runtime/walk/`).

use std::fmt::Arguments;

/// The maximum number of UTF-8 bytes in a string, also in compact form.
pub const LONGEST_STRING: usize = 0x7FFF;

/// Why a value can't be read or written; boxed, so that a result fits in registers.
#[allow(clippy::box_collection)]
pub type WireError = Box<String>;

/// An error.
#[cold]
#[inline(never)]
pub fn wrong(text: Arguments<'_>) -> WireError {
    Box::new(text.to_string())
}

/// The error for fewer bytes than needed.
#[cold]
#[inline(never)]
pub fn too_few_bytes(needed: usize, left: usize) -> WireError {
    wrong(format_args!("unexpected end: bytes needed: {needed}, left: {left}"))
}

/// The error for a length of more bytes, or elements, than are left.
#[cold]
#[inline(never)]
pub fn too_few_bytes_for(length: usize, what: &str, left: usize) -> WireError {
    wrong(format_args!("invalid number of {what}, {length}; bytes left: {left}"))
}

/// The error for null.
#[cold]
#[inline(never)]
pub fn null() -> WireError {
    wrong(format_args!("null is not allowed here"))
}

/// The error for a tag of other versions.
#[cold]
#[inline(never)]
pub fn foreign_tag(tag: u32) -> WireError {
    wrong(format_args!("tag {tag} is not valid in this version"))
}

/// The error for a tagged field of another size than announced.
#[cold]
#[inline(never)]
pub fn wrong_tag_size(tag: u32, size: usize, taken: usize) -> WireError {
    wrong(format_args!("tag {tag} has {size} bytes, but its value has {taken}"))
}
