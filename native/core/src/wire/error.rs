//! Errors in bytes and values, in the words of the reference codec (`runtime/walk.py`).

use std::fmt::Arguments;

/// The maximum number of UTF-8 bytes in a string, also in compact form.
pub const LONGEST_STRING: usize = 0x7FFF;

/// The highest tag: Kafka's writer takes the next number as the end of a tag section (upstream:
/// `RawTaggedFieldWriter`).
pub const HIGHEST_TAG: u32 = 0x7FFF_FFFE;

/// The error for a number that no tagged field has, in place of `{}`.
pub const WRONG_TAG: &str = "expected a tag from 0 to 2147483646, got {}";

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
    wrong(format_args!("the bytes end early: {needed} needed, {left} left"))
}

/// The error for more bytes, elements or tagged fields than bytes are left, which no limit allows.
#[cold]
#[inline(never)]
pub fn too_few_bytes_for(length: usize, what: &str, left: usize) -> WireError {
    wrong(format_args!(
        "invalid number of {what}, {length}; bytes left: {left}; is this the right version?"
    ))
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

/// The error for a number that no tagged field has.
#[cold]
#[inline(never)]
pub fn wrong_tag(tag: u32) -> WireError {
    Box::new(WRONG_TAG.replace("{}", &tag.to_string()))
}

/// The error for a tag that a section has twice.
#[cold]
#[inline(never)]
pub fn repeated_tag(tag: u32) -> WireError {
    wrong(format_args!("tag {tag} comes twice"))
}

/// The error for a tagged field of another size than announced.
#[cold]
#[inline(never)]
pub fn wrong_tag_size(tag: u32, size: usize, taken: usize) -> WireError {
    wrong(format_args!("tag {tag} has {size} bytes, but its value has {taken}"))
}
