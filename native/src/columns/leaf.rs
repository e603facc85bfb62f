//! Values that are neither structs nor arrays: which Arrow types they may have, and how they are written.

use super::fault::{Outcome, malformed, refuse, refuse_value};
use super::input::{Data, Input};
use super::text_uuid;
use crate::plan::{Codec, Kind, Length};
use crate::wire::{LONGEST_STRING, fits, utf8, write_packed, write_upacked, write_uvarint};

/// What is refused where null is not allowed.
pub const NULL: &str = "null is not allowed here";

/// What a value is, however it lies on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Leaf {
    Bool,
    Int,
    Float,
    Uuid,
    Text,
    Bytes,
}

impl Leaf {
    /// That of a Kafka type; `None` for structs and arrays.
    pub fn of_type(type_name: &str) -> Option<Leaf> {
        Some(match type_name {
            "bool" => Leaf::Bool,
            "int8" | "int16" | "uint16" | "int32" | "uint32" | "int64" => Leaf::Int,
            "float64" => Leaf::Float,
            "uuid" => Leaf::Uuid,
            "string" => Leaf::Text,
            "bytes" | "records" => Leaf::Bytes,
            _ => return None,
        })
    }

    /// That of a codec; `None` for structs and arrays.
    pub fn of_codec(codec: Codec) -> Option<Leaf> {
        Some(match codec {
            Codec::Fixed(Kind::Bool) => Leaf::Bool,
            Codec::Fixed(Kind::Float64) => Leaf::Float,
            Codec::Fixed(Kind::Uuid) => Leaf::Uuid,
            Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) => Leaf::Int,
            Codec::String(_) => Leaf::Text,
            Codec::Bytes { .. } => Leaf::Bytes,
            Codec::Struct { .. } | Codec::Array { .. } => return None,
        })
    }

    /// Whether an array has such values; one of nulls has any.
    pub fn takes(self, input: &Input<'_>) -> bool {
        let fits = match self {
            Leaf::Bool => matches!(input.data, Data::Bool(_)),
            Leaf::Int => input.is_integer(),
            Leaf::Float => matches!(input.data, Data::Float32(_) | Data::Float64(_)),
            Leaf::Uuid => input.is_text().is_some(),
            Leaf::Text => input.is_text() == Some(true),
            Leaf::Bytes => input.is_text() == Some(false),
        };
        fits || matches!(input.data, Data::Nothing)
    }

    /// The Arrow types that it may have.
    pub fn needs(self) -> &'static str {
        match self {
            Leaf::Bool => "bool",
            Leaf::Int => "integers",
            Leaf::Float => "float or double",
            Leaf::Uuid => "binary of 16 bytes, or a string",
            Leaf::Text => "string, large_string or string_view",
            Leaf::Bytes => "binary, large_binary, binary_view or fixed_size_binary",
        }
    }
}

/// The 16 bytes of a uuid at a place; `None` for other bytes and texts.
pub fn uuid(input: &Input<'_>, place: usize) -> Outcome<Option<[u8; text_uuid::SIZE]>> {
    let bytes = input.bytes(place).ok_or_else(malformed)?;
    Ok(if input.is_text() == Some(true) { text_uuid::read(bytes) } else { bytes.try_into().ok() })
}

/// Appends the value at a place, which is not null.
#[inline]
pub fn write(out: &mut Vec<u8>, codec: Codec, input: &Input<'_>, place: usize) -> Outcome<()> {
    match (codec, &input.data) {
        (Codec::Fixed(Kind::Int32), Data::Int32(values)) => out.extend(values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Int64), Data::Int64(values)) => out.extend(values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Int16), Data::Int16(values)) => out.extend(values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Int8), Data::Int8(values)) => out.extend(values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Bool), _) => out.push(u8::from(input.truth(place))),
        (Codec::Fixed(Kind::Float64), _) => out.extend(input.float(place).to_be_bytes()),
        (Codec::Fixed(Kind::Uuid), _) => match uuid(input, place)? {
            Some(uuid) => out.extend(uuid),
            None if input.is_text() == Some(true) => return refuse("a uuid is 22 letters of base64url"),
            None => return refuse("a uuid has 16 bytes"),
        },
        (Codec::String(length), _) => {
            let text = utf8(input.bytes(place).ok_or_else(malformed)?)?;
            write_string(out, length, text.as_bytes())?;
        }
        (Codec::Bytes { length, .. }, _) => write_bytes(out, length, input.bytes(place).ok_or_else(malformed)?)?,
        _ => match input.int(place) {
            Some(value) => write_int(out, codec, value)?,
            None => return too_large(codec, input.int_text(place)),
        },
    }
    Ok(())
}

/// Appends an integer that fits its codec.
pub fn write_int(out: &mut Vec<u8>, codec: Codec, value: i64) -> Outcome<()> {
    match codec {
        Codec::Packed(bits) if fits(value, bits) => write_packed(out, value),
        Codec::Upacked(bits) if fits(value, bits) => write_upacked(out, value, bits),
        Codec::Fixed(Kind::Bool) => out.push(u8::from(value != 0)),
        Codec::Fixed(Kind::Int8) => out.extend(narrow::<i8>(codec, value)?.to_be_bytes()),
        Codec::Fixed(Kind::Int16) => out.extend(narrow::<i16>(codec, value)?.to_be_bytes()),
        Codec::Fixed(Kind::UInt16) => out.extend(narrow::<u16>(codec, value)?.to_be_bytes()),
        Codec::Fixed(Kind::Int32) => out.extend(narrow::<i32>(codec, value)?.to_be_bytes()),
        Codec::Fixed(Kind::UInt32) => out.extend(narrow::<u32>(codec, value)?.to_be_bytes()),
        Codec::Fixed(Kind::Int64) => out.extend(value.to_be_bytes()),
        _ => return too_large(codec, value),
    }
    Ok(())
}

#[inline]
fn narrow<T: TryFrom<i64>>(codec: Codec, value: i64) -> Outcome<T> {
    T::try_from(value).or_else(|_| too_large(codec, value))
}

#[cold]
fn too_large<T>(codec: Codec, value: impl std::fmt::Display) -> Outcome<T> {
    refuse_value(&format!("{{}} does not fit in {}", int_name(codec)), value)
}

#[cold]
fn int_name(codec: Codec) -> String {
    match codec {
        Codec::Packed(bits) | Codec::Upacked(bits) => format!("{bits} bits"),
        Codec::Fixed(kind) => format!("{kind:?}").to_lowercase(),
        _ => "it".to_owned(),
    }
}

/// Appends a text with its length.
#[inline]
pub fn write_string(out: &mut Vec<u8>, form: Length, text: &[u8]) -> Outcome<()> {
    if text.len() > LONGEST_STRING {
        return refuse(format!("a string has at most {LONGEST_STRING} bytes of UTF-8, not {}", text.len()));
    }
    if form.compact {
        write_uvarint(out, text.len() as u64 + 1);
    } else {
        out.extend((text.len() as u16).to_be_bytes());
    }
    out.extend_from_slice(text);
    Ok(())
}

/// Appends bytes with their length.
#[inline]
pub fn write_bytes(out: &mut Vec<u8>, form: Length, bytes: &[u8]) -> Outcome<()> {
    write_length(out, form, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

/// Appends the length of bytes, or the number of elements.
#[inline]
pub fn write_length(out: &mut Vec<u8>, form: Length, length: usize) -> Outcome<()> {
    match i32::try_from(length) {
        Ok(_) if form.compact => write_uvarint(out, length as u64 + 1),
        Ok(length) => out.extend(length.to_be_bytes()),
        Err(_) => return refuse(format!("{length} is more than an int32 can count")),
    }
    Ok(())
}

/// Appends what stands for null.
#[inline]
pub fn write_null(out: &mut Vec<u8>, codec: Codec) -> Outcome<()> {
    let (Codec::String(length) | Codec::Bytes { length, .. } | Codec::Array { length, .. }) = codec else {
        return refuse(NULL);
    };
    match length {
        Length { nullable: false, .. } => return refuse(NULL),
        Length { compact: true, .. } => out.push(0),
        Length { compact: false, .. } if matches!(codec, Codec::String(_)) => out.extend([0xFF; 2]),
        Length { compact: false, .. } => out.extend([0xFF; 4]),
    }
    Ok(())
}
