//! Errors in bytes and values, with the same texts as in the reference codec (`runtime/walk.py`).

use std::fmt::Arguments;

/// The maximum number of UTF-8 bytes in a string, including compact strings.
pub const LONGEST_STRING: usize = 0x7FFF;

/// The highest tag. Kafka's writer uses the next number to mark the end of a tag section (upstream:
/// `RawTaggedFieldWriter`).
pub const HIGHEST_TAG: u32 = 0x7FFF_FFFE;

/// The error text for an invalid tag; the tag replaces the `{}`.
pub const WRONG_TAG: &str = "expected a tag from 0 to 2147483646, got {}";

/// The reason why a value can't be read or written; boxed, so that a result fits in registers.
#[allow(clippy::box_collection)]
pub type WireError = Box<String>;

/// Return an error with the given text.
#[cold]
#[inline(never)]
pub fn wrong(text: Arguments<'_>) -> WireError {
    Box::new(text.to_string())
}

/// Return the error for fewer bytes than needed.
#[cold]
#[inline(never)]
pub fn too_few_bytes(needed: usize, left: usize) -> WireError {
    wrong(format_args!("the bytes end early: {needed} needed, {left} left"))
}

/// Return the error for a number of bytes, elements or tagged fields that exceeds the bytes left, regardless of limits.
#[cold]
#[inline(never)]
pub fn too_few_bytes_for(length: usize, what: &str, left: usize) -> WireError {
    wrong(format_args!(
        "invalid number of {what}, {length}; bytes left: {left}; is this the right version?"
    ))
}

/// Return the error for null.
#[cold]
#[inline(never)]
pub fn null() -> WireError {
    wrong(format_args!("null is not allowed here"))
}

/// Return the error for a tag that only other versions have.
#[cold]
#[inline(never)]
pub fn foreign_tag(tag: u32) -> WireError {
    wrong(format_args!("tag {tag} is not valid in this version"))
}

/// Return the error for an invalid tag.
#[cold]
#[inline(never)]
pub fn wrong_tag(tag: u32) -> WireError {
    Box::new(WRONG_TAG.replace("{}", &tag.to_string()))
}

/// Return the error for a tag that occurs twice in a section.
#[cold]
#[inline(never)]
pub fn repeated_tag(tag: u32) -> WireError {
    wrong(format_args!("tag {tag} comes twice"))
}

/// Return the error for a tagged field whose size differs from the announced size.
#[cold]
#[inline(never)]
pub fn wrong_tag_size(tag: u32, size: usize, taken: usize) -> WireError {
    wrong(format_args!("tag {tag} has {size} bytes, but its value has {taken}"))
}
