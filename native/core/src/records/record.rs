//! One record of a batch (Kafka's `DefaultRecord`): the positions of its parts.

use super::error::{RecordsError, RecordsResult, fail, fail_at};
use crate::wire::{Cursor, null, too_few_bytes_for};

/// The minimum size of a record: seven numbers with one byte each.
pub const SMALLEST: usize = 7;
/// The maximum size of a record, so that a column of any batch stays within Arrow's 32-bit offsets.
pub const LONGEST: usize = 1 << 29;

/// A span in the bytes of a batch's records; a length of -1 means null.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    start: u32,
    length: i32,
}

impl Span {
    /// Return the bytes of the span; `records` must be the buffer that contains it.
    #[inline]
    pub fn of<'a>(&self, records: &'a [u8]) -> Option<&'a [u8]> {
        let length = usize::try_from(self.length).ok()?;
        Some(&records[self.start as usize..][..length])
    }
}

/// A record, as positions in the bytes of its batch.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs)]
pub struct Record {
    pub offset_delta: i32,
    pub timestamp_delta: i64,
    pub key: Span,
    pub value: Span,
    pub header_count: u32,
    /// The position of the headers.
    pub headers_at: u32,
    /// The size of the record in bytes, including its length field.
    pub size: usize,
}

/// Read the record at the cursor, and check all its parts.
#[inline]
pub fn read_record(cursor: &mut Cursor<'_>) -> RecordsResult<Record> {
    let start = cursor.at();
    let length = part(cursor, "length", record_length)?;
    let body = cursor.at();
    part(cursor, "attributes", |cursor| Ok(cursor.take(1)?))?;
    let timestamp_delta = part(cursor, "timestamp_delta", |cursor| Ok(cursor.packed(64)?))?;
    let offset_delta = part(cursor, "offset_delta", |cursor| Ok(cursor.packed(32)?))? as i32;
    let key = part(cursor, "key", span)?;
    let value = part(cursor, "value", span)?;
    let header_count = part(cursor, "headers", header_count)?;
    let headers_at = cursor.at() as u32;
    for _ in 0..header_count {
        read_header(cursor)?;
    }
    let taken = cursor.at() - body;
    if taken != length {
        return fail_at(
            format!("the record has {length} bytes, but its parts take {taken}"),
            "length",
            start,
        );
    }
    let size = cursor.at() - start;
    Ok(Record {
        offset_delta,
        timestamp_delta,
        key,
        value,
        header_count,
        headers_at,
        size,
    })
}

/// Read the key and the value of a header; fail for a null key.
#[inline]
pub fn read_header(cursor: &mut Cursor<'_>) -> RecordsResult<(Span, Span)> {
    let key = part(cursor, "headers.key", |cursor| {
        let found = span(cursor)?;
        if found.length < 0 { Err(null())? } else { Ok(found) }
    })?;
    let value = part(cursor, "headers.value", span)?;
    Ok((key, value))
}

fn record_length(cursor: &mut Cursor<'_>) -> RecordsResult<usize> {
    let length = cursor.packed(32)?;
    match usize::try_from(length) {
        Ok(length) if length > LONGEST => fail(format!(
            "a record of {length} bytes is too long; the maximum is {LONGEST}"
        )),
        Ok(length) => within(cursor, length),
        Err(_) => fail(format!("invalid record length {length}")),
    }
}

fn header_count(cursor: &mut Cursor<'_>) -> RecordsResult<u32> {
    let count = cursor.packed(32)?;
    let left = cursor.left();
    match usize::try_from(count) {
        // A header has at least two bytes: the lengths of its key and its value.
        Ok(count) if count > left / 2 => fail(format!("invalid number of headers, {count}; bytes left: {left}")),
        Ok(count) => Ok(count as u32),
        Err(_) => fail(format!("invalid number of headers: {count}")),
    }
}

/// Read a length and bytes; as in Kafka, any negative length is null.
#[inline]
fn span(cursor: &mut Cursor<'_>) -> RecordsResult<Span> {
    let length = cursor.packed(32)?;
    let start = cursor.at() as u32;
    match usize::try_from(length) {
        Ok(size) => {
            let size = within(cursor, size)?;
            cursor.take(size)?;
            Ok(Span {
                start,
                length: length as i32,
            })
        }
        Err(_) => Ok(Span { start, length: -1 }),
    }
}

#[inline]
fn within(cursor: &Cursor<'_>, length: usize) -> RecordsResult<usize> {
    let left = cursor.left();
    if length > left {
        Err(too_few_bytes_for(length, "bytes", left))?
    } else {
        Ok(length)
    }
}

#[inline]
fn part<'a, T>(
    cursor: &mut Cursor<'a>,
    name: &'static str,
    read: impl FnOnce(&mut Cursor<'a>) -> RecordsResult<T>,
) -> RecordsResult<T> {
    let at = cursor.at();
    read(cursor).map_err(|error| in_part(error, name, at))
}

#[cold]
#[inline(never)]
fn in_part(mut error: Box<RecordsError>, name: &str, at: usize) -> Box<RecordsError> {
    name.clone_into(&mut error.path);
    error.at = at;
    error
}
