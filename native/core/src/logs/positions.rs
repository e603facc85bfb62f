//! How far a stream has come in a log, and how far it may go: places between batches.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::Value;

use super::error::{ErrorKind, LogError, LogResult, unless_gone};
use super::index::{last_indexed, position_before};
use super::listing::{Log, Segment};
use super::paths;
use super::scan::{Found, Scan, Tail};
use super::storage::{Opened, Storage, read_small};
use super::transactions::last_stable::is_readable;
use crate::records::header::{HEADER, Stopped, header_at, place_at, size_at};

const METADATA_FILE: &str = "partition.metadata";
const MOST_SHOWN: usize = 100;

/// A place between two batches of a partition's log.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The base offset of the segment.
    pub segment: i64,
    /// The byte in it.
    pub position: u64,
    /// The offset after the last record before it: finds the place again when segments were cleaned, merged or deleted.
    pub offset: i64,
    /// Tells a topic from one that had its name before.
    #[serde(rename = "topicId", default)]
    pub topic_id: Option<String>,
}

/// Positions by folder.
pub type Positions = BTreeMap<String, Position>;

/// The positions as JSON, with the keys in the order that they always had.
pub fn to_json(positions: &Positions) -> String {
    let mut text = String::from("{");
    for (number, (folder, at)) in positions.iter().enumerate() {
        let comma = if number == 0 { "" } else { ", " };
        let id =
            at.topic_id.as_ref().map_or(String::new(), |id| format!(", \"topicId\": {}", Value::from(id.as_str())));
        let (segment, position, offset) = (at.segment, at.position, at.offset);
        let folder = Value::from(folder.as_str());
        let _ = write!(
            text,
            "{comma}{folder}: {{\"segment\": {segment}, \"position\": {position}, \"offset\": {offset}{id}}}"
        );
    }
    text + "}"
}

/// The positions that `to_json` wrote. Fails for anything else.
pub fn from_json(text: &str) -> LogResult<Positions> {
    let other_version = |found: &str| {
        let shown: String = found.chars().take(MOST_SHOWN).collect();
        let text = format!(
            "the checkpoint has {shown} as the place in a log: another version of messagegen wrote it; \
             start with a new checkpoint folder (option checkpointLocation)"
        );
        LogError::new(ErrorKind::Checkpoint, text)
    };
    let found: BTreeMap<String, Value> = serde_json::from_str(text).map_err(|_| other_version(text))?;
    let position = |value: Value| Position::deserialize(&value).map_err(|_| other_version(&value.to_string()));
    found.into_iter().map(|(folder, value)| Ok((folder, position(value)?))).collect()
}

/// Whether two places belong to different topics of the same name. An id that is not known tells nothing.
pub fn is_other_topic(one: &Position, other: &Position) -> bool {
    one.topic_id.is_some() && other.topic_id.is_some() && one.topic_id != other.topic_id
}

/// Whether two places are the same, as far as is known of their topics.
pub fn is_same_place(one: &Position, other: &Position) -> bool {
    (one.segment, one.position, one.offset) == (other.segment, other.position, other.offset)
        && !is_other_topic(one, other)
}

/// The topic's id, which brokers write beside the segments since Kafka 2.8; `None` where it is not known.
///
/// That it can't be read says nothing of the topic: the file may be copied later, or the disk may have failed just now.
fn topic_id(storage: &dyn Storage, folder: &str) -> Option<String> {
    let data = read_small(storage, &paths::join(folder, METADATA_FILE)).ok()??;
    let text = String::from_utf8_lossy(&data).into_owned();
    let id = text.lines().find_map(|line| line.strip_prefix("topic_id: "))?.trim_end();
    (!id.is_empty() && !id.contains(char::is_whitespace)).then(|| id.to_owned())
}

/// The place before all that a log still has.
pub fn beginning(storage: &dyn Storage, log: &Log) -> Position {
    let bases = || log.segments.iter().map(|segment| segment.base_offset.unwrap_or(0));
    let base = bases().filter(|base| *base <= log.start_offset).max().or_else(|| bases().next()).unwrap_or(0);
    Position {
        segment: base,
        position: 0,
        offset: base.max(log.start_offset),
        topic_id: topic_id(storage, &log.folder),
    }
}

fn segments_from(log: &Log, start: i64) -> impl Iterator<Item = &Segment> {
    log.segments.iter().filter(move |segment| segment.base_offset.is_some_and(|base| base >= start))
}

/// The place up to which a log can be read from `start` on.
///
/// At most `budget` bytes further, but at least a batch, and before the first batch that begins at `limit_offset` or after it. What is
/// not yet a whole batch at the end of the last segment is left for later.
pub fn advanced(
    storage: &dyn Storage,
    log: &Log,
    start: &Position,
    budget: u64,
    limit_offset: i64,
) -> LogResult<Position> {
    let (mut at, mut left) = (start.clone(), budget);
    for segment in segments_from(log, start.segment) {
        let base = segment.base_offset.unwrap_or(0);
        if base != at.segment {
            at = Position { segment: base, position: 0, offset: base, ..at };
        }
        let size = segment.size.saturating_sub(at.position);
        let is_whole = segment.next_base_offset.filter(|next| size <= left && *next <= limit_offset);
        match is_whole {
            Some(next) => {
                at = Position { position: segment.size, offset: at.offset.max(next), ..at };
                left -= size;
            }
            None if segment.damage.is_some() => return Ok(at),
            None => return hop(storage, segment, at, left, limit_offset, left == budget),
        }
    }
    Ok(at)
}

/// The furthest place in one segment. Headers are looked at from what the index names last of all that may be taken.
fn hop(
    storage: &dyn Storage,
    segment: &Segment,
    start: Position,
    budget: u64,
    limit_offset: i64,
    mut is_one_needed: bool,
) -> LogResult<Position> {
    let end = start.position.saturating_add(budget);
    let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(start) };
    let named = last_indexed(storage, &file, segment, start.position, end.min(segment.size), limit_offset)?;
    let first = named.unwrap_or(start.position);
    let least = start.offset;
    let mut at = start;
    let mut scan = Scan::past_damage(&file, first, segment.size, segment.is_complete)?;
    let mut last = None;
    while let Some(found) = scan.next()? {
        let base = found.place.base_offset;
        if base >= limit_offset || (found.end() > end && !is_one_needed) {
            // A base offset may be wrong, which the next one shows.
            let offset = at.offset.min(base).max(least);
            return Ok(Position { offset, ..at });
        }
        is_one_needed = false;
        at = Position { position: found.end(), offset: least.max(found.last_offset().saturating_add(1)), ..at };
        last = Some(found);
    }
    at_tail(&file, segment, at, last, scan.tail())
}

/// The place at the end of a segment: what is damaged or will never be a batch is read too, as an error.
fn at_tail(
    file: &Opened,
    segment: &Segment,
    at: Position,
    last: Option<Found>,
    tail: Option<Tail>,
) -> LogResult<Position> {
    let Some(tail) = tail.filter(|tail| tail.stopped != Stopped::End) else { return Ok(at) };
    if segment.is_complete || tail.stopped == Stopped::Damaged {
        return Ok(Position { position: segment.size, ..at });
    }
    if let Some(found) = last.filter(|_| tail.stopped == Stopped::Preallocated)
        && !is_readable(file, &found)?
    {
        // A broker has not written all of its bytes into preallocated zeros yet.
        return Ok(Position { position: found.position(), offset: found.place.base_offset, ..at });
    }
    Ok(at)
}

/// The segments between two places, each with the positions from and to which it is to be read.
pub fn between<'l>(log: &'l Log, start: &Position, end: &Position) -> Vec<(&'l Segment, u64, u64)> {
    let mut found = Vec::new();
    for segment in segments_from(log, start.segment) {
        let base = segment.base_offset.unwrap_or(0);
        if base > end.segment {
            break;
        }
        let first = if base == start.segment { start.position } else { 0 };
        let stop = if base == end.segment { end.position } else { segment.size };
        let is_lost = base < end.segment && segment.size == 0 && (segment.damage.is_some() || segment.is_indexed);
        if stop > first || is_lost {
            found.push((segment, first, stop));
        }
    }
    found
}

/// How many bytes follow a place.
pub fn unread_bytes(log: &Log, start: &Position) -> u64 {
    segments_from(log, start.segment).map(|segment| segment.size).sum::<u64>().saturating_sub(start.position)
}

/// Whether the segment of a place is there and, as far as the next header tells, is what it was.
pub fn is_there(storage: &dyn Storage, log: &Log, place: &Position) -> LogResult<bool> {
    let segment = log.segments.iter().find(|segment| segment.base_offset == Some(place.segment));
    let Some(segment) = segment.filter(|segment| place.position <= segment.size) else { return Ok(false) };
    if place.position == segment.size
        && let Some(next) = segment.next_base_offset
    {
        // After a copy that came back in parts, the next segment may hold what was read before.
        return Ok(next >= place.offset);
    }
    if place.position == 0 || place.position == segment.size {
        return Ok(true);
    }
    let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(false) };
    let start = file.bytes(place.position, HEADER)?;
    match size_at(&start, segment.size - place.position) {
        Ok(size) => {
            let found = place_at(&start, 0, size);
            Ok(found.base_offset >= place.offset && (0..=2).contains(&found.magic))
        }
        // A tail that is no batch yet is where the last segment was left.
        Err(stopped) => Ok(!segment.is_complete || matches!(stopped, Stopped::Truncated | Stopped::Preallocated)),
    }
}

/// The first batch that has the offset a place reached, or a later one.
pub fn found_by_offset(storage: &dyn Storage, log: &Log, before: &Position) -> LogResult<Position> {
    let reached = log.segments.iter().rfind(|segment| segment.base_offset.unwrap_or(0) <= before.offset);
    let Some(segment) = reached else { return Ok(before.clone()) };
    let base = segment.base_offset.unwrap_or(0);
    let at = |position| Position { segment: base, position, ..before.clone() };
    let file = if segment.damage.is_some() { None } else { unless_gone(Opened::new(storage, &segment.path))? };
    let Some(file) = file else { return Ok(at(segment.size)) };
    let mut position = position_before(storage, &file, segment, before.offset)?;
    let mut scan = Scan::past_damage(&file, position, segment.size, segment.is_complete)?;
    while let Some(found) = scan.next()? {
        if found.last_offset() >= before.offset {
            return Ok(at(found.position()));
        }
        position = found.end();
    }
    if segment.base_offset == Some(before.segment) && position < before.position && before.position <= segment.size {
        // Hopping met damage that was reported before.
        position = before.position;
    }
    Ok(at(position))
}

/// The offset of a place if it is within the batch there, as one that an option names may; otherwise 0.
pub fn within_batch(storage: &dyn Storage, log: &Log, begin: &Position) -> LogResult<i64> {
    let segment = log.segments.iter().find(|segment| segment.base_offset == Some(begin.segment));
    let Some(segment) = segment.filter(|segment| segment.damage.is_none()) else { return Ok(0) };
    let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(0) };
    let start = file.bytes(begin.position, HEADER)?;
    let header = size_at(&start, u64::MAX).ok().and_then(|size| header_at(&start, place_at(&start, 0, size)));
    let is_within =
        header.is_some_and(|header| header.place.base_offset < begin.offset && begin.offset <= header.last_offset());
    Ok(if is_within { begin.offset } else { 0 })
}

/// How many bytes of each log may be read, the same for all that have so many, so that none has to wait.
pub fn shares(unread: &[u64], limit: u64) -> Vec<u64> {
    let mut order: Vec<usize> = (0..unread.len()).collect();
    order.sort_by_key(|number| unread[*number]);
    let (mut shares, mut left) = (vec![0; unread.len()], limit);
    for (number, log) in order.into_iter().enumerate() {
        shares[log] = unread[log].min(left / (unread.len() - number) as u64);
        left -= shares[log];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_keep_their_json() {
        let text = r#"{"/logs/a-0": {"segment": 0, "position": 85, "offset": 3}, "/logs/b-0": {"segment": 7, "position": 0, "offset": 7, "topicId": "x"}}"#;
        let positions = from_json(text).expect("positions");
        assert_eq!(to_json(&positions), text);
        for other in [
            "[]",
            "{\"a\": 1}",
            "{\"a\": {\"segment\": 0, \"position\": 1}}",
            "{\"a\": {\"segment\": 0, \"position\": 1, \"offset\": \"3\"}}",
            "{\"a\": {\"segment\": 0, \"position\": 1, \"offset\": 3, \"leaderEpoch\": 1}}",
            "{\"a\": {\"segment\": 0, \"position\": 1, \"offset\": 3, \"topicId\": 7}}",
        ] {
            assert_eq!(from_json(other).map_err(|error| error.kind).err(), Some(ErrorKind::Checkpoint), "{other}");
        }
    }
}
