//! Fixed-size values. Callers must ensure that there are enough bytes.

use crate::plan::Kind;

/// The Rust representation of a fixed-size value.
pub enum FixedValue {
    Bool(bool),
    /// An integer that an `i64` can hold.
    Int(i64),
    Float(f64),
    Uuid([u8; 16]),
}

/// Return the fixed-size value at an offset in bytes.
#[inline(always)] // A call takes as long as reading.
pub fn fixed_value(kind: Kind, bytes: &[u8], at: usize) -> FixedValue {
    match kind {
        Kind::Bool => FixedValue::Bool(bytes[at] != 0),
        Kind::Int8 => FixedValue::Int(i64::from(bytes[at].cast_signed())),
        Kind::Int16 => FixedValue::Int(i64::from(i16::from_be_bytes(chunk(bytes, at)))),
        Kind::UInt16 => FixedValue::Int(i64::from(u16::from_be_bytes(chunk(bytes, at)))),
        Kind::Int32 => FixedValue::Int(i64::from(i32::from_be_bytes(chunk(bytes, at)))),
        Kind::UInt32 => FixedValue::Int(i64::from(u32::from_be_bytes(chunk(bytes, at)))),
        Kind::Int64 => FixedValue::Int(i64::from_be_bytes(chunk(bytes, at))),
        Kind::Float64 => FixedValue::Float(f64::from_be_bytes(chunk(bytes, at))),
        Kind::Uuid => FixedValue::Uuid(chunk(bytes, at)),
    }
}

/// Return the integer at an offset in bytes, or a bool as 0 or 1. Floats and uuids, which callers handle, are 0.
#[inline(always)]
pub fn fixed_int(kind: Kind, bytes: &[u8], at: usize) -> i64 {
    match fixed_value(kind, bytes, at) {
        FixedValue::Bool(value) => i64::from(value),
        FixedValue::Int(value) => value,
        FixedValue::Float(_) | FixedValue::Uuid(_) => 0,
    }
}

/// Return `SIZE` bytes of a run that is long enough.
#[inline]
pub fn chunk<const SIZE: usize>(run: &[u8], at: usize) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    bytes.copy_from_slice(&run[at..at + SIZE]);
    bytes
}
