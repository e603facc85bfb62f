//! Writing of values to bytes.

use super::error::{LONGEST_STRING, WireError, null, wrong};
use crate::plan::{Codec, Kind, Length, NullMark};

type Written = Result<(), WireError>;

/// Append an unsigned varint in the fewest bytes.
#[inline]
pub fn write_uvarint(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7F {
        out.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Whether a signed value has at most `bits` bits.
#[inline]
pub fn fits(value: i64, bits: u32) -> bool {
    let unused = 64 - bits;
    (value << unused) >> unused == value
}

/// Append a value that fits `bits` bits as a zig-zag varint.
pub fn write_packed(out: &mut Vec<u8>, value: i64) {
    write_uvarint(out, ((value << 1) ^ (value >> 63)).cast_unsigned());
}

/// Append the low `bits` bits of a value as a varint.
pub fn write_upacked(out: &mut Vec<u8>, value: i64, bits: u32) {
    write_uvarint(out, value.cast_unsigned() & (u64::MAX >> (64 - bits)));
}

/// Append a fixed-size integer, or a boolean as 0 or 1; return `false` if the value does not fit.
#[inline(always)] // A call for each number costs a seventh of the time that arrays of numbers take.
pub fn write_fixed_int(out: &mut Vec<u8>, kind: Kind, value: i64) -> bool {
    #[inline(always)]
    fn put<const SIZE: usize, T: TryFrom<i64>>(out: &mut Vec<u8>, value: i64, bytes: fn(T) -> [u8; SIZE]) -> bool {
        // `extend` is inlined for arrays; `extend_from_slice` is not.
        T::try_from(value).map(|value| out.extend(bytes(value))).is_ok()
    }
    match kind {
        Kind::Bool => put(out, value, u8::to_be_bytes),
        Kind::Int8 => put(out, value, i8::to_be_bytes),
        Kind::Int16 => put(out, value, i16::to_be_bytes),
        Kind::UInt16 => put(out, value, u16::to_be_bytes),
        Kind::Int32 => put(out, value, i32::to_be_bytes),
        Kind::UInt32 => put(out, value, u32::to_be_bytes),
        Kind::Int64 => put(out, value, i64::to_be_bytes),
        Kind::Float64 | Kind::Uuid => false,
    }
}

/// Append an integer, or a boolean as 0 or 1, with its codec; return `false` if the value does not fit.
#[inline]
pub fn write_int(out: &mut Vec<u8>, codec: Codec, value: i64) -> bool {
    match codec {
        Codec::Fixed(kind) => return write_fixed_int(out, kind, value),
        Codec::Packed(bits) if fits(value, bits) => write_packed(out, value),
        Codec::Upacked(bits) if fits(value, bits) => write_upacked(out, value, bits),
        Codec::Packed(_) | Codec::Upacked(_) | Codec::String(_) | Codec::Bytes(_) => return false,
        Codec::Struct { .. } | Codec::FixedArray { .. } | Codec::Array { .. } => return false,
    }
    true
}

/// Append a string with its length.
#[inline]
pub fn write_string(out: &mut Vec<u8>, form: Length, text: &[u8]) -> Written {
    if text.len() > LONGEST_STRING {
        let length = text.len();
        return Err(wrong(format_args!(
            "a string has at most {LONGEST_STRING} bytes of UTF-8, not {length}"
        )));
    }
    if form.compact {
        write_uvarint(out, text.len() as u64 + 1);
    } else {
        out.extend((text.len() as u16).to_be_bytes());
    }
    out.extend_from_slice(text);
    Ok(())
}

/// Append bytes with their length.
#[inline]
pub fn write_bytes(out: &mut Vec<u8>, form: Length, bytes: &[u8]) -> Written {
    write_length(out, form, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

/// Append the length of bytes, or the number of elements.
#[inline(always)]
pub fn write_length(out: &mut Vec<u8>, form: Length, count: usize) -> Written {
    match i32::try_from(count) {
        Ok(_) if form.compact => write_uvarint(out, count as u64 + 1),
        Ok(count) => out.extend(count.to_be_bytes()),
        Err(_) => return Err(wrong(format_args!("{count} is more than an int32 can count"))),
    }
    Ok(())
}

/// Append the length that means null. Unless it is compact, it has `size` bytes: 2 for a string, 4 for bytes or an
/// array.
#[inline]
pub fn write_null_length(out: &mut Vec<u8>, form: Length, size: usize) -> Written {
    match form {
        Length { nullable: false, .. } => return Err(null()),
        Length { compact: true, .. } => out.push(0),
        Length { compact: false, .. } => out.extend_from_slice(&[0xFF; 4][..size]),
    }
    Ok(())
}

/// Append the null mark before a struct that can be null.
#[inline]
pub fn write_null_mark(out: &mut Vec<u8>, mark: NullMark, is_null: bool) -> Written {
    match mark {
        NullMark::Never if is_null => return Err(null()),
        NullMark::Never => (),
        NullMark::Int8 => out.push(if is_null { 0xFF } else { 1 }),
        NullMark::Varint => out.push(u8::from(!is_null)),
    }
    Ok(())
}
