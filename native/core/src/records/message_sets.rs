//! Messages of magic 0 and 1, the format that batches replaced in Kafka 0.11. Each message is read as a batch of one
//! record, and a compressed message as a batch of its inner messages (upstream: `LegacyRecord`,
//! `AbstractLegacyRecordBatch`).
//!
//! Their records are translated to magic 2, so that the same code reads the records of all formats.

use twox_hash::XxHash32;

use super::codecs::{Decompressor, LZ4, ZSTD, lz4_descriptor};
use super::error::{RecordsResult, fail_at};
use super::header::{Header, LENGTH_AT, OLD_ATTRIBUTES_AT, OLD_TIMESTAMP_AT, is_intact, key_at, shortest_message};
use crate::wire::chunk;
use crate::wire::write_packed;

/// The part of a message that an error is about.
type Part = &'static str;

/// The parts of a message.
struct Message<'d> {
    offset: i64,
    timestamp: i64,
    key: Option<&'d [u8]>,
    value: Option<&'d [u8]>,
    /// The position of the value.
    value_at: usize,
}

/// Translate the records of a message of magic 0 or 1 to magic 2, and make them the latest batch of `decompressor`.
/// Return the header of that batch. `data` is the whole message.
///
/// Positions in errors count from the start of the message.
pub fn translate(
    header: &Header,
    data: &[u8],
    is_verified: bool,
    decompressor: &mut Decompressor,
) -> RecordsResult<Header> {
    let mut out = decompressor.take_spare();
    let outcome = translate_into(&mut out, header, data, is_verified, decompressor);
    decompressor.hold(out);
    outcome
}

fn translate_into(
    out: &mut Vec<u8>,
    header: &Header,
    data: &[u8],
    is_verified: bool,
    decompressor: &mut Decompressor,
) -> RecordsResult<Header> {
    out.clear();
    let outer = message(data, header.magic)?;
    if header.codec() == 0 {
        return batch_of(header, std::slice::from_ref(&outer), outer.value_at, out);
    }
    if header.codec() >= ZSTD {
        return fail_at(
            format!("unknown compression type {}", header.codec()),
            "attributes",
            OLD_ATTRIBUTES_AT,
        );
    }
    let Some(stored) = outer.value else {
        return fail_at(
            "null is not allowed where messages are compressed".to_owned(),
            "value",
            outer.value_at,
        );
    };
    let mended = if header.codec() == LZ4 && header.magic == 0 {
        with_right_checksum(stored)
    } else {
        None
    };
    let outcome = decompressor.decompress(header.codec(), mended.as_deref().unwrap_or(stored));
    outcome.or_else(|text| fail_at(text, "value", outer.value_at))?;
    let mut found = inner_messages(decompressor.bytes(), header, is_verified, outer.value_at)?;
    let Some(last) = found.last() else {
        return fail_at("no messages are compressed here".to_owned(), "value", outer.value_at);
    };
    // Since magic 1, inner offsets count from 0, and the outer offset belongs to the last message.
    let first = if header.magic == 1 {
        outer.offset.wrapping_sub(last.offset).max(0)
    } else {
        0
    };
    for each in &mut found {
        each.offset = each.offset.wrapping_add(first);
        if header.is_log_append_time() {
            each.timestamp = outer.timestamp;
        }
    }
    batch_of(header, &found, outer.value_at, out)
}

/// Append messages to `out` as records, and return the header of their batch. `at` is the position for errors.
fn batch_of(header: &Header, messages: &[Message<'_>], at: usize, out: &mut Vec<u8>) -> RecordsResult<Header> {
    let (base_offset, base_timestamp) = messages.first().map_or((0, 0), |one| (one.offset, one.timestamp));
    let delta = |offset: i64| {
        i32::try_from(offset.wrapping_sub(base_offset))
            .ok()
            .filter(|delta| *delta >= 0)
    };
    let mut body = Vec::new();
    let mut last_offset_delta = 0;
    for (number, record) in messages.iter().enumerate() {
        let Some(offset_delta) = delta(record.offset).filter(|delta| *delta >= last_offset_delta) else {
            let text = format!(
                "the offset {} does not follow those before it, from {base_offset} on",
                record.offset
            );
            return fail_at(text, format!("value[{number}].offset"), at);
        };
        last_offset_delta = offset_delta;
        body.clear();
        body.push(0);
        write_packed(&mut body, record.timestamp.wrapping_sub(base_timestamp));
        write_packed(&mut body, offset_delta.into());
        write_bytes(&mut body, record.key);
        write_bytes(&mut body, record.value);
        write_packed(&mut body, 0);
        write_packed(out, body.len() as i64);
        out.extend_from_slice(&body);
    }
    let record_count = i32::try_from(messages.len()).unwrap_or(i32::MAX);
    Ok(Header {
        base_offset,
        base_timestamp,
        last_offset_delta,
        record_count,
        ..*header
    })
}

fn write_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        None => write_packed(out, -1),
        Some(bytes) => {
            write_packed(out, bytes.len() as i64);
            out.extend_from_slice(bytes);
        }
    }
}

/// Return the messages inside a compressed message. Fail if one of them has a different magic or is compressed itself.
fn inner_messages<'d>(
    bytes: &'d [u8],
    outer: &Header,
    is_verified: bool,
    value_at: usize,
) -> RecordsResult<Vec<Message<'d>>> {
    let (mut found, mut position) = (Vec::new(), 0);
    while position < bytes.len() {
        let (rest, number) = (&bytes[position..], found.len());
        let fail = |text: String, part: Part| fail_at(text, format!("value[{number}]{part}"), value_at);
        let left = rest.len() as u64;
        let Some(header) = Header::at(rest, position as u64, left).ok() else {
            return fail("the compressed messages are not complete".to_owned(), "");
        };
        if header.magic != outer.magic {
            return fail(
                format!("a message of magic {} in one of magic {}", header.magic, outer.magic),
                ".magic",
            );
        }
        if header.codec() != 0 {
            return fail("a compressed message in a compressed message".to_owned(), "");
        }
        let data = &rest[..header.length];
        if is_verified && !is_intact(data) {
            return fail("the checksum is wrong: the message was damaged".to_owned(), ".crc");
        }
        match message(data, header.magic) {
            Ok(each) => found.push(each),
            Err(error) => return fail_at(error.message, format!("value[{number}].{}", error.path), value_at),
        }
        position += header.length;
    }
    Ok(found)
}

/// Return the error text for a message with too few bytes.
pub fn too_short(magic: i8, size: usize) -> String {
    format!(
        "a message of magic {magic} has at least {} bytes, not {size}",
        shortest_message(magic)
    )
}

/// Parse the bytes of one message.
fn message(data: &[u8], magic: i8) -> RecordsResult<Message<'_>> {
    if data.len() < shortest_message(magic) {
        return fail_at(too_short(magic, data.len()), "length", LENGTH_AT);
    }
    let timestamp = if magic == 1 {
        i64::from_be_bytes(chunk(data, OLD_TIMESTAMP_AT))
    } else {
        -1
    };
    let (key, value_at) = bytes_at(data, key_at(magic), "key")?;
    let (value, end) = bytes_at(data, value_at, "value")?;
    if end != data.len() {
        return fail_at(
            format!("extra bytes after the value: {}", data.len() - end),
            "value",
            end,
        );
    }
    Ok(Message {
        offset: i64::from_be_bytes(chunk(data, 0)),
        timestamp,
        key,
        value,
        value_at,
    })
}

/// Return the bytes that follow a length, and where they end; any negative length is null.
fn bytes_at(data: &[u8], at: usize, part: Part) -> RecordsResult<(Option<&[u8]>, usize)> {
    let Some((length, rest)) = data.get(at..).and_then(<[u8]>::split_first_chunk) else {
        return fail_at("the bytes end early".to_owned(), part, at);
    };
    let length = i32::from_be_bytes(*length);
    match usize::try_from(length) {
        Err(_) => Ok((None, at + 4)),
        Ok(size) if size <= rest.len() => Ok((Some(&rest[..size]), at + 4 + size)),
        Ok(_) => fail_at(
            format!("invalid number of bytes, {length}; bytes left: {}", rest.len()),
            part,
            at,
        ),
    }
}

/// Return an LZ4 frame with the header checksum corrected: clients of magic 0 wrongly included the bytes before the
/// header in that checksum (KAFKA-3160).
fn with_right_checksum(frame: &[u8]) -> Option<Vec<u8>> {
    let checked = lz4_descriptor(frame)?;
    let checksum = XxHash32::oneshot(0, frame.get(checked.clone())?);
    let mut mended = frame.to_vec();
    *mended.get_mut(checked.end)? = (checksum >> 8) as u8;
    Some(mended)
}
