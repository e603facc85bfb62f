//! The prefixes of records in internal topics, which contain their type and version. Rows with the same prefix form a
//! group.

use std::collections::HashMap;

use arrow_data::ArrayData;

use crate::arrow::builder::{Columns, Values};
use crate::arrow::input::Input;
use crate::error::{MessageError, malformed};
use crate::outcome::{Error, Outcome};
use crate::wire::Cursor;

/// The version of a null value. Real versions are lower, because they have 16 bits.
const TOMBSTONE: i32 = 1 << 16;

/// The problem (0 for success), the key's version, the number of the type, the value's version, and the number of bytes
/// before the message.
pub type Prefix = (u8, i32, i32, i32, usize);

/// The reason why the type or version of a record is unknown.
#[derive(Clone, Copy)]
enum Problem {
    NoKey = 1,
    ShortKey = 2,
    NoValue = 3,
    ShortValue = 4,
    BadVarint = 5,
    FrameVersion = 6,
}

type Bytes<'a> = Option<&'a [u8]>;
type Framing = fn(Bytes<'_>, Bytes<'_>) -> Result<Prefix, Problem>;

/// Group records by their prefixes. Return the prefix of each group, and a struct array with the group of each record.
///
/// Fail with `Kind::Value` for an unknown framing or if the columns have different lengths, and with `Kind::Type` for
/// columns that are not binary.
pub fn record_groups(framing: &str, keys: &ArrayData, values: &ArrayData) -> Outcome<(Vec<Prefix>, ArrayData)> {
    let read: Framing = match framing {
        "coordinator" => coordinator,
        "control" => control,
        "metadata" => metadata,
        "remote-log-metadata" => remote_log_metadata,
        _ => return Err(Error::value(format!("unknown framing {framing:?}"))),
    };
    let (keys, values) = (Input::new("", keys)?, Input::new("", values)?);
    keys.check_binary()?;
    values.check_binary()?;
    if keys.length != values.length {
        return Err(Error::value(format!(
            "there are {} keys for {} values",
            keys.length, values.length
        )));
    }
    Ok(groups(read, &keys, &values)?)
}

fn groups(read: Framing, keys: &Input<'_>, values: &Input<'_>) -> Result<(Vec<Prefix>, ArrayData), MessageError> {
    let mut columns = Columns::default();
    let group = columns.add("group", Values::Int32(Vec::new()), false);
    let root = columns.add("", Values::structs(vec![group]), false);
    let (mut prefixes, mut numbers) = (Vec::new(), HashMap::new());
    let mut last = None;
    for row in 0..keys.length {
        let prefix = read(bytes(keys, row)?, bytes(values, row)?).unwrap_or_else(|problem| (problem as u8, 0, 0, 0, 0));
        let number = match last {
            // Most rows have the same prefix as the previous row.
            Some((known, number)) if known == prefix => number,
            _ => *numbers.entry(prefix).or_insert_with(|| {
                prefixes.push(prefix);
                prefixes.len() as i64 - 1
            }),
        };
        last = Some((prefix, number));
        columns.push_int(group, number);
    }
    columns.begin_structs(root, keys.length);
    Ok((prefixes, columns.finish(root)))
}

fn bytes<'a>(rows: &Input<'a>, row: usize) -> Result<Bytes<'a>, MessageError> {
    rows.place(row)
        .map(|place| rows.bytes(place).ok_or_else(malformed))
        .transpose()
}

fn coordinator(key: Bytes<'_>, value: Bytes<'_>) -> Result<Prefix, Problem> {
    let number = i32::from(int16(key.ok_or(Problem::NoKey)?, 0).ok_or(Problem::ShortKey)?);
    let version = value.map_or(Ok(TOMBSTONE), version)?;
    Ok((0, number, number, version, 2))
}

fn control(key: Bytes<'_>, value: Bytes<'_>) -> Result<Prefix, Problem> {
    let key = key.ok_or(Problem::NoKey)?;
    let number = int16(key, 2).ok_or(Problem::ShortKey)?;
    let key_version = int16(key, 0).ok_or(Problem::ShortKey)?;
    Ok((
        0,
        key_version.into(),
        number.into(),
        version(value.ok_or(Problem::NoValue)?)?,
        2,
    ))
}

fn metadata(_: Bytes<'_>, value: Bytes<'_>) -> Result<Prefix, Problem> {
    let mut cursor = at_start(value)?;
    match cursor.uvarint() {
        Ok(1) => framed(cursor),
        Ok(_) => Err(Problem::FrameVersion),
        Err(_) => Err(Problem::BadVarint),
    }
}

fn remote_log_metadata(_: Bytes<'_>, value: Bytes<'_>) -> Result<Prefix, Problem> {
    framed(at_start(value)?)
}

fn at_start(value: Bytes<'_>) -> Result<Cursor<'_>, Problem> {
    Cursor::new(value.ok_or(Problem::NoValue)?, 0).map_err(|_| Problem::BadVarint)
}

/// Read the type and version at the cursor.
fn framed(mut cursor: Cursor<'_>) -> Result<Prefix, Problem> {
    let mut next = || {
        let number = cursor.uvarint().ok().and_then(|number| i32::try_from(number).ok());
        number.filter(|number| *number < TOMBSTONE).ok_or(Problem::BadVarint)
    };
    let (number, version) = (next()?, next()?);
    Ok((0, -1, number, version, cursor.at()))
}

/// Return the version at the start of a value.
fn version(value: &[u8]) -> Result<i32, Problem> {
    int16(value, 0).map(i32::from).ok_or(Problem::ShortValue)
}

fn int16(data: &[u8], at: usize) -> Option<i16> {
    Some(i16::from_be_bytes(data.get(at..at + 2)?.try_into().ok()?))
}
