//! What decoded objects cost, and the limits that this is held against: `runtime/costs.py` and `limits.py`, number for number.

use crate::plan::Kind;
use crate::wire::{Reason, Refused, fixed_int};

/// A struct without its fields.
const STRUCT: u64 = 32;
/// A field of a struct, the unknown tagged fields among them.
const FIELD: u64 = 8;
/// Memory is given in multiples of it.
const BLOCK: u64 = 16;
/// A tuple that is not empty, without its elements, and the rest of its last block.
pub const ARRAY: u64 = 48;
/// The place of a number in its tuple.
const NUMBER_PLACE: u64 = 8;
/// The place of any other element.
const PLACE: u64 = 18;
const INT: u64 = 32;
const INT64: u64 = 48;
const FLOAT: u64 = 32;
const UUID: u64 = 112;
const ASCII: u64 = 64;
const TEXT: u64 = 80;
const TEXT_BYTE: u64 = 4;
const BYTES: u64 = 48;
/// A memoryview.
pub const VIEW: u64 = 200;
const TAG: u64 = 64;

/// What one message may hold and take when it is decoded.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Limits {
    pub array_length: u64,
    pub tagged_field_count: u64,
    pub memory_factor: u64,
    pub memory_constant: u64,
}

impl Limits {
    /// Kafka 4.4's, and those of the runtime.
    pub const DEFAULT: Limits =
        Limits { array_length: 1_000_000, tagged_field_count: 10_000, memory_factor: 10, memory_constant: 1_000_000 };

    /// Refuses an array of too many elements.
    #[inline]
    pub fn check_elements(&self, count: usize) -> Result<(), Refused> {
        let (count, most) = (count as u64, self.array_length);
        if count > most { Err(Box::new(Reason::TooManyElements { count, most })) } else { Ok(()) }
    }

    /// Refuses a tag section of too many fields.
    #[inline]
    pub fn check_tags(&self, count: u32) -> Result<(), Refused> {
        let (count, most) = (u64::from(count), self.tagged_field_count);
        if count > most { Err(Box::new(Reason::TooManyTags { count, most })) } else { Ok(()) }
    }

    /// What may be made of so many bytes.
    pub fn memory(&self, size: usize) -> u64 {
        self.memory_factor.saturating_mul(size as u64).saturating_add(self.memory_constant)
    }
}

impl From<(u64, u64, u64, u64)> for Limits {
    fn from((array_length, tagged_field_count, memory_factor, memory_constant): (u64, u64, u64, u64)) -> Self {
        Limits { array_length, tagged_field_count, memory_factor, memory_constant }
    }
}

/// A struct of so many fields.
#[inline]
pub const fn structure(fields: usize) -> u64 {
    (STRUCT + FIELD * (fields as u64 + 1)).next_multiple_of(BLOCK)
}

/// An array of anything but numbers, without what its elements hold.
#[inline]
pub const fn array(count: usize) -> u64 {
    if count == 0 { 0 } else { ARRAY + PLACE * count as u64 }
}

#[inline]
const fn is_large(value: i64) -> bool {
    value.wrapping_add(5).cast_unsigned() > 261
}

/// An int of so many bits on the wire.
#[inline]
pub const fn int(value: i64, bits: u32) -> u64 {
    if !is_large(value) {
        0
    } else if bits == 64 {
        INT64
    } else {
        INT
    }
}

/// A value of constant size, within a run of bytes.
#[inline]
pub fn fixed(kind: Kind, run: &[u8], at: usize) -> u64 {
    match kind {
        Kind::Bool => 0,
        Kind::Float64 => FLOAT,
        Kind::Uuid => UUID,
        Kind::Int64 => int(fixed_int(kind, run, at), 64),
        _ => int(fixed_int(kind, run, at), 32),
    }
}

/// An array of numbers.
pub fn numbers(kind: Kind, run: &[u8]) -> u64 {
    let count = (run.len() / kind.size()) as u64;
    if count == 0 {
        return 0;
    }
    let places = ARRAY + NUMBER_PLACE * count;
    match kind {
        Kind::Bool => places,
        _ => places + (0..run.len()).step_by(kind.size()).map(|at| fixed(kind, run, at)).sum::<u64>(),
    }
}

/// An array of values of constant size; only uuids are no numbers.
#[inline]
pub fn fixed_array(kind: Kind, run: &[u8]) -> u64 {
    match kind {
        Kind::Uuid => {
            let count = run.len() / kind.size();
            array(count) + UUID * count as u64
        }
        _ => numbers(kind, run),
    }
}

/// A string by its bytes.
#[inline]
pub fn string(text: &[u8]) -> u64 {
    if !text.is_ascii() {
        TEXT + TEXT_BYTE * text.len() as u64
    } else if text.len() > 1 {
        ASCII + text.len() as u64
    } else {
        0
    }
}

/// So many bytes.
#[inline]
pub const fn bytes(length: usize) -> u64 {
    if length > 1 { BYTES + length as u64 } else { 0 }
}

/// An unknown tagged field.
pub fn tag(tag: u32, size: usize) -> u64 {
    PLACE + TAG + int(i64::from(tag), 32) + bytes(size)
}
