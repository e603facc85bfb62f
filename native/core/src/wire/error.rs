//! Errors in bytes and values.

use std::fmt;

/// The maximum number of UTF-8 bytes in a string, also in compact form.
pub const LONGEST_STRING: usize = 0x7FFF;

/// Why a value can't be read or written. The texts are those of the reference codec (`runtime/walk/`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    TooFewBytes { needed: usize, left: usize },
    EndsEarly,
    UvarintTooLong,
    UvarintTooWide,
    VarintTooLong { bits: u32 },
    VarintTooWide { bits: u32 },
    Null,
    StringTooLong { length: usize },
    TooFewBytesFor { length: usize, what: &'static str, left: usize },
    NotUtf8 { at: usize },
    TextTooLong { length: usize },
    CountTooLarge { count: usize },
    ForeignTag { tag: u32 },
    TagSize { tag: u32, size: usize, taken: usize },
    BytesLeft { left: usize },
    TooManyElements { count: u64, most: u64 },
    TooManyTags { count: u64, most: u64 },
    TooMuchMemory { factor: u64, constant: u64 },
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::TooFewBytes { needed, left } => write!(out, "unexpected end: bytes needed: {needed}, left: {left}"),
            Reason::EndsEarly => write!(out, "the bytes end early"),
            Reason::UvarintTooLong => write!(out, "the varint has more than 5 bytes"),
            Reason::UvarintTooWide => write!(out, "the varint has more than 32 bits"),
            Reason::VarintTooLong { bits } => write!(out, "the varint is too long for {bits} bits"),
            Reason::VarintTooWide { bits } => write!(out, "the varint does not fit in {bits} bits"),
            Reason::Null => write!(out, "null is not allowed here"),
            Reason::StringTooLong { length } => {
                write!(out, "a string has at most {LONGEST_STRING} bytes, not {length}")
            }
            Reason::TooFewBytesFor { length, what, left } => {
                write!(out, "invalid number of {what}, {length}; bytes left: {left}")
            }
            Reason::NotUtf8 { at } => write!(out, "the string is not UTF-8 at its byte {at}"),
            Reason::TextTooLong { length } => {
                write!(out, "a string has at most {LONGEST_STRING} bytes of UTF-8, not {length}")
            }
            Reason::CountTooLarge { count } => write!(out, "{count} is more than an int32 can count"),
            Reason::ForeignTag { tag } => write!(out, "tag {tag} is not valid in this version"),
            Reason::TagSize { tag, size, taken } => {
                write!(out, "tag {tag} has {size} bytes, but its value has {taken}")
            }
            Reason::BytesLeft { left } => write!(out, "extra bytes after the message: {left}"),
            Reason::TooManyElements { count, most } => write!(
                out,
                "{count} elements are more than {most}; to allow more, pass limits=Limits(array_length=...)"
            ),
            Reason::TooManyTags { count, most } => write!(
                out,
                "{count} tagged fields are more than {most}; to allow more, pass limits=Limits(tagged_field_count=...)"
            ),
            Reason::TooMuchMemory { factor, constant } => write!(
                out,
                "decoding takes more memory than {factor} times the bytes of the message plus {constant} bytes; \
                 to allow more, pass limits=Limits(memory_factor=...)"
            ),
        }
    }
}

/// An error of the wire format; boxed, so that a result fits in registers.
pub type WireError = Box<Reason>;
