//! What decoded objects cost in bytes of memory; the same numbers as in `runtime/costs.py`.

use crate::limits::Limits;
use crate::plan::{Codec, Kind, Plan};
use crate::wire::fixed_int;

/// A struct without its fields.
const STRUCT: u64 = 32;
/// A field of a struct, including the unknown tagged fields.
const FIELD: u64 = 8;
/// Allocations are multiples of this size.
const BLOCK: u64 = 16;
/// A tuple that is not empty, without its elements, and the rest of its last block.
pub const ARRAY: u64 = 48;
/// The place of a number in its tuple.
const NUMBER_PLACE: u64 = 8;
/// The place of any other element.
const PLACE: u64 = 18;
/// The position of an element that is asleep in a lazily decoded message. It counts in every form of decoding, so that
/// all accept the same.
const SLEEPING: u64 = 48;
const INT: u64 = 32;
const INT64: u64 = 48;
const FLOAT: u64 = 32;
const UUID: u64 = 112;
const ASCII: u64 = 64;
const TEXT: u64 = 80;
const TEXT_BYTE: u64 = 4;
const BYTES: u64 = 48;
const TAG: u64 = 64;

/// The size in bytes up to which no message can exceed the limits.
///
/// Every byte of a message belongs to one value. The costs of values are divided by the bytes that they take at least,
/// so a message costs at most its size times the largest of these rates, and what its struct costs without any array.
pub fn small(plan: &Plan, limits: &Limits) -> usize {
    let mut structs: Vec<u64> = Vec::with_capacity(plan.layouts.len());
    for (number, layout) in (0..).zip(&plan.layouts) {
        let values = layout.fields().map(|(_, codec)| fixed_cost(&structs, codec));
        structs.push(values.fold(of_struct(plan, number), u64::saturating_add));
    }
    let rate = |cost: u64, bytes: usize| {
        if bytes == 0 {
            u64::MAX
        } else {
            cost.div_ceil(bytes as u64)
        }
    };
    let of_codec = |codec: &Codec| match *codec {
        // The shortest that is neither empty nor shared.
        Codec::String(_) => rate(TEXT + 2 * TEXT_BYTE, 2),
        Codec::Bytes(_) => rate(bytes(2), 2),
        Codec::FixedArray { kind, .. } => rate(array(1, false) + most(kind), kind.size()),
        Codec::Array { element, .. } => {
            let element = plan.codecs[element as usize];
            rate(
                array(1, plan.sleeps(element)) + fixed_cost(&structs, element),
                plan.smallest(element),
            )
        }
        Codec::Struct { layout, .. } => rate(structs[layout as usize], plan.layouts[layout as usize].smallest),
        Codec::Fixed(_) | Codec::Packed(_) | Codec::Upacked(_) => {
            rate(fixed_cost(&structs, *codec), plan.smallest(*codec))
        }
    };
    // An unknown tagged field without bytes, the first of its struct.
    let tagged = rate(ARRAY + PLACE + TAG, 2);
    let rate = plan.codecs.iter().map(of_codec).fold(tagged, u64::max);
    let most = structs.iter().copied().fold(0, u64::max);
    let size = limits
        .memory_constant
        .saturating_sub(most)
        .checked_div(rate.saturating_sub(limits.memory_factor));
    usize::try_from(size.unwrap_or(0).min(limits.array_length)).unwrap_or(0)
}

/// The most that a struct costs with its values of constant size, but without its other values, by layout.
pub fn bounds(plan: &Plan) -> Box<[u64]> {
    let fixed = |codec| if let Codec::Fixed(kind) = codec { most(kind) } else { 0 };
    let layouts = (0..).zip(&plan.layouts);
    layouts
        .map(|(number, layout)| of_struct(plan, number) + layout.fields().map(|(_, codec)| fixed(codec)).sum::<u64>())
        .collect()
}

/// The cost of a value without the contents of texts, bytes and arrays; `structs` are the costs of the layouts above.
fn fixed_cost(structs: &[u64], codec: Codec) -> u64 {
    match codec {
        Codec::String(_) | Codec::Bytes(_) | Codec::FixedArray { .. } | Codec::Array { .. } => 0,
        Codec::Fixed(kind) => most(kind),
        Codec::Packed(_) | Codec::Upacked(_) => INT64,
        Codec::Struct { layout, .. } => structs[layout as usize],
    }
}

/// The most that a value of constant size costs.
pub const fn most(kind: Kind) -> u64 {
    match kind {
        Kind::Bool => 0,
        Kind::Float64 => FLOAT,
        Kind::Uuid => UUID,
        Kind::Int64 => INT64,
        Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 => INT,
    }
}

/// A struct in a layout, without its values.
#[inline]
pub fn of_struct(plan: &Plan, layout: u32) -> u64 {
    let fields = plan.structs[plan.layouts[layout as usize].struct_number].fields.len() as u64;
    (STRUCT + FIELD * (fields + 1)).next_multiple_of(BLOCK)
}

/// An array of anything but numbers, without the contents of its elements; `sleeps` if these may be asleep.
#[inline]
pub const fn array(count: usize, sleeps: bool) -> u64 {
    let place = if sleeps { PLACE + SLEEPING } else { PLACE };
    if count == 0 { 0 } else { ARRAY + place * count as u64 }
}

/// An int with this number of bits on the wire. The interpreter shares those from -5 to 256.
#[inline]
pub const fn int(value: i64, bits: u32) -> u64 {
    match (value.wrapping_add(5).cast_unsigned() <= 261, bits) {
        (true, _) => 0,
        (false, 64) => INT64,
        (false, _) => INT,
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
        Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 => int(fixed_int(kind, run, at), 32),
    }
}

/// An array of values of constant size: uuids or numbers.
#[inline]
pub fn fixed_array(kind: Kind, run: &[u8]) -> u64 {
    let count = (run.len() / kind.size()) as u64;
    if count == 0 {
        return 0;
    }
    ARRAY
        + match kind {
            Kind::Bool => NUMBER_PLACE * count,
            Kind::Uuid => (PLACE + UUID) * count,
            Kind::Int8 | Kind::Int16 | Kind::UInt16 | Kind::Int32 | Kind::UInt32 | Kind::Int64 | Kind::Float64 => {
                NUMBER_PLACE * count
                    + run
                        .chunks_exact(kind.size())
                        .map(|value| fixed(kind, value, 0))
                        .sum::<u64>()
            }
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

/// Bytes of this length.
#[inline]
pub const fn bytes(length: usize) -> u64 {
    if length > 1 { BYTES + length as u64 } else { 0 }
}

/// An unknown tagged field.
pub fn tag(tag: u32, size: usize) -> u64 {
    PLACE + TAG + int(i64::from(tag), 32) + bytes(size)
}
