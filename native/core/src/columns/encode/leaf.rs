//! Values that are neither structs nor arrays: which Arrow types they may have, and how they are written.

use crate::arrow::input::{Data, Input};
use crate::arrow::uuid_text;
use crate::error::{MessageResult, fail, fail_with_value, malformed};
use crate::plan::{Codec, Kind};
use crate::wire::{Reason, utf8, write_bytes, write_int, write_null_length, write_string};

/// The kind of a value, whatever its bytes on the wire.
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
    /// The kind of a Kafka type; `None` for structs and arrays.
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

    /// The kind of a codec; `None` for structs and arrays.
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

    /// Whether an array has such values. An array of nulls has any.
    pub fn accepts(self, input: &Input<'_>) -> bool {
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

    /// The Arrow types that are accepted.
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
pub fn uuid(input: &Input<'_>, place: usize) -> MessageResult<Option<[u8; uuid_text::SIZE]>> {
    let bytes = input.bytes(place).ok_or_else(malformed)?;
    Ok(if input.is_text() == Some(true) { uuid_text::read(bytes) } else { bytes.try_into().ok() })
}

/// Appends the value at a place, which is not null.
#[inline]
pub fn write(out: &mut Vec<u8>, codec: Codec, input: &Input<'_>, place: usize) -> MessageResult<()> {
    match (codec, &input.data) {
        (Codec::Fixed(Kind::Int32), Data::Int32(values)) => out.extend_from_slice(&values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Int64), Data::Int64(values)) => out.extend_from_slice(&values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Int16), Data::Int16(values)) => out.extend(values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Int8), Data::Int8(values)) => out.extend(values[place].to_be_bytes()),
        (Codec::Fixed(Kind::Bool), _) => out.push(u8::from(input.truth(place))),
        (Codec::Fixed(Kind::Float64), _) => out.extend(input.float(place).to_be_bytes()),
        (Codec::Fixed(Kind::Uuid), _) => match uuid(input, place)? {
            Some(uuid) => out.extend(uuid),
            None if input.is_text() == Some(true) => return fail("a uuid is 22 letters of base64url"),
            None => return fail("a uuid has 16 bytes"),
        },
        (Codec::String(length), _) => {
            let text = utf8(input.bytes(place).ok_or_else(malformed)?)?;
            write_string(out, length, text.as_bytes())?;
        }
        (Codec::Bytes { length, .. }, _) => write_bytes(out, length, input.bytes(place).ok_or_else(malformed)?)?,
        _ => match input.int(place) {
            Some(value) if write_int(out, codec, value) => (),
            _ => return does_not_fit(codec, &input.int_text(place)),
        },
    }
    Ok(())
}

#[cold]
fn does_not_fit<T>(codec: Codec, value: &str) -> MessageResult<T> {
    let size = match codec {
        Codec::Packed(bits) | Codec::Upacked(bits) => format!("{bits} bits"),
        Codec::Fixed(kind) => format!("{kind:?}").to_lowercase(),
        _ => "it".to_owned(),
    };
    fail_with_value(&format!("{{}} does not fit in {size}"), value)
}

/// Appends null.
#[inline]
pub fn write_null(out: &mut Vec<u8>, codec: Codec) -> MessageResult<()> {
    match codec {
        Codec::String(length) => write_null_length(out, length, 2)?,
        Codec::Bytes { length, .. } => write_null_length(out, length, 4)?,
        _ => return Err(Box::new(Reason::Null).into()),
    }
    Ok(())
}
