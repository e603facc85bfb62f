//! The indexes that a broker keeps beside a segment: where batches are by their offsets and times (upstream: `OffsetIndex`, `TimeIndex`).
//!
//! They have no checksum, so what they say is held against the batches themselves before it counts.

use super::error::{LogResult, unless_gone};
use super::listing::Segment;
use super::paths;
use super::scan::{Found, Scan, intact_at};
use super::storage::{Opened, Storage};
use crate::wire::chunk;

/// So many entries are tried: the first one may be within the batch that has the offset, and others may be damaged.
const TRIES: usize = 8;
/// So many bytes after what the time index knows are looked through while a query is planned, no more.
const MOST_HOPPED: u64 = 1 << 22;
const PIECE: usize = 1 << 16;

/// An entry of the offset index: the last offset of the batch that begins at a position.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub offset: i64,
    pub position: u64,
}

/// The entries of a segment's offset index. Where positions stop rising, the rest of the file is not in use yet.
pub fn offset_entries(storage: &dyn Storage, segment: &Segment) -> LogResult<Vec<Entry>> {
    let Some(base) = segment.base_offset else { return Ok(Vec::new()) };
    let entry = |bytes: &[u8]| {
        let relative = i32::from_be_bytes(chunk(bytes, 0));
        let position = i32::from_be_bytes(chunk(bytes, 4));
        (i64::from(position), Entry { offset: base.saturating_add(relative.into()), position: position.max(0) as u64 })
    };
    entries(storage, &paths::with_suffix(&segment.path, ".index"), 8, entry)
}

/// The entries of a segment's time index: a timestamp, and the offset up to which no record is later.
fn time_entries(storage: &dyn Storage, segment: &Segment) -> LogResult<Vec<(i64, i64)>> {
    let Some(base) = segment.base_offset else { return Ok(Vec::new()) };
    let entry = |bytes: &[u8]| {
        let timestamp = i64::from_be_bytes(chunk(bytes, 0));
        (timestamp, (timestamp, base.saturating_add(i32::from_be_bytes(chunk(bytes, 8)).into())))
    };
    entries(storage, &paths::with_suffix(&segment.path, ".timeindex"), 12, entry)
}

/// The entries of an index as long as a number in them rises, from 0 on; none if the index is gone or can't be read.
fn entries<T>(storage: &dyn Storage, path: &str, width: usize, parse: impl Fn(&[u8]) -> (i64, T)) -> LogResult<Vec<T>> {
    let mut found = Vec::new();
    let Ok(file) = Opened::new(storage, path) else { return Ok(found) };
    let (mut position, mut last, mut data) = (0, -1, Vec::new());
    loop {
        if file.read(position, PIECE / width * width, &mut data).is_err() || data.len() < width {
            return Ok(found);
        }
        for bytes in data.chunks_exact(width) {
            let (key, entry) = parse(bytes);
            if key <= last {
                return Ok(found);
            }
            last = key;
            found.push(entry);
        }
        position += data.len() as u64;
    }
}

/// A place where a batch begins, with nothing of `offset` or later before it; 0 where no index tells more.
pub fn position_before(storage: &dyn Storage, file: &Opened, segment: &Segment, offset: i64) -> LogResult<u64> {
    Ok(last_indexed(storage, file, segment, 0, segment.size, offset.saturating_add(1))?.unwrap_or(0))
}

/// A place where a batch begins, with nothing up to `offset` from it on; the size of the file where no index tells less.
pub fn position_after(storage: &dyn Storage, file: &Opened, segment: &Segment, offset: i64) -> LogResult<u64> {
    let entries = offset_entries(storage, segment)?;
    let first = entries.partition_point(|entry| entry.offset <= offset);
    for entry in entries[first..].iter().take(TRIES) {
        let found = intact_at(file, entry.position, segment.size)?;
        if found.is_some_and(|found| found.place.base_offset > offset) {
            return Ok(entry.position);
        }
    }
    Ok(segment.size)
}

/// Where the last batch begins that the index names between two positions, with all of its bytes and nothing of `offset` or later there.
///
/// The bytes before `start` and at it are not looked at. `None` where no index tells.
pub fn last_indexed(
    storage: &dyn Storage,
    file: &Opened,
    segment: &Segment,
    start: u64,
    end: u64,
    offset: i64,
) -> LogResult<Option<u64>> {
    let entries = offset_entries(storage, segment)?;
    let count = entries.partition_point(|entry| entry.position < end);
    // Offsets need not rise in a damaged index: then this finds some border, whose entries are held against batches.
    let count = count.min(entries.partition_point(|entry| entry.offset < offset));
    for entry in entries[..count].iter().rev().take(TRIES) {
        if entry.position <= start {
            return Ok(None);
        }
        let found = intact_at(file, entry.position, segment.size)?;
        if found.is_some_and(|found| found.place.base_offset <= entry.offset && found.end() <= end) {
            return Ok(Some(entry.position));
        }
    }
    Ok(None)
}

/// A place where a batch begins, with nothing as late as `timestamp` before it; the size of the file if nothing is.
///
/// An entry says up to which offset no record is later than its own timestamp. It counts if its batch has that timestamp; then the
/// headers after it tell how much further that goes, as far as they are few. 0 where no index tells more.
pub fn position_of_time(storage: &dyn Storage, file: &Opened, segment: &Segment, timestamp: i64) -> LogResult<u64> {
    let entries = time_entries(storage, segment)?;
    let before = entries.partition_point(|(time, _)| *time < timestamp);
    for (time, offset) in entries[..before].iter().rev().take(TRIES) {
        if let Some(after) = after_latest(storage, file, segment, *offset, *time)? {
            return hopped(file, segment, after, timestamp);
        }
    }
    Ok(0)
}

/// The end of the batch that has an offset, if it is intact and its largest timestamp is the one that is given.
fn after_latest(
    storage: &dyn Storage,
    file: &Opened,
    segment: &Segment,
    offset: i64,
    timestamp: i64,
) -> LogResult<Option<u64>> {
    let start = position_before(storage, file, segment, offset)?;
    let mut scan = Scan::past_damage(file, start, segment.size, segment.is_complete)?;
    while let Some(found) = scan.next()? {
        if found.last_offset() >= offset {
            let is_it = found.header.is_some_and(|header| header.max_timestamp == timestamp);
            let is_intact = is_it && intact_at(file, found.position(), segment.size)?.is_some();
            return Ok(is_intact.then(|| found.end()));
        }
    }
    Ok(None)
}

/// Where the first batch from `start` on begins that may be as late as `timestamp`, or where hopping ended before it.
fn hopped(file: &Opened, segment: &Segment, start: u64, timestamp: i64) -> LogResult<u64> {
    let mut scan = Scan::new(file, start, segment.size.min(start.saturating_add(MOST_HOPPED)))?;
    let mut position = start;
    while let Some(found) = scan.next()? {
        if found.may_be_as_late_as(timestamp) {
            return Ok(found.position());
        }
        position = found.end();
    }
    Ok(position)
}

/// The first batch at a position or after it, with what entries of the index tell; `None` if there is none.
pub fn border_among(
    entries: &[Entry],
    file: &Opened,
    segment: &Segment,
    start: u64,
    goal: u64,
) -> LogResult<Option<Found>> {
    if let Some(entry) = entries.get(entries.partition_point(|entry| entry.position < goal))
        && let Some(found) = intact_at(file, entry.position, segment.size)?
    {
        return Ok(Some(found));
    }
    // Behind a damaged length headers lead astray, so only an intact batch is a border.
    let mut scan = Scan::past_damage(file, start, segment.size, true)?;
    while let Some(found) = scan.next()? {
        if found.position() >= goal && intact_at(file, found.position(), segment.size)?.is_some() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Where a batch begins that the index names some entries before a position.
pub fn some_before(storage: &dyn Storage, file: &Opened, segment: &Segment, position: u64) -> LogResult<Option<u64>> {
    let entries = offset_entries(storage, segment)?;
    let before = entries.partition_point(|entry| entry.position < position);
    let Some(entry) = before.checked_sub(1).and_then(|last| entries.get(last.saturating_sub(1))) else {
        return Ok(None);
    };
    Ok(intact_at(file, entry.position, position)?.map(|_| entry.position))
}

/// The latest timestamp of a segment to which nothing is appended, if its indexes are sure to be whole; without them `None`.
///
/// A broker ends both indexes when it begins the next segment: the offset index names a batch near the end, and where timestamps rise, the
/// last entry of the time index is of a batch after that one. An index that was cut off, or is of something else, does not show that.
pub fn latest_time(storage: &dyn Storage, segment: &Segment) -> LogResult<Option<i64>> {
    let offsets = offset_entries(storage, segment)?;
    let [.., before, last] = offsets[..] else { return Ok(None) };
    let spacing = last.position / offsets.len() as u64;
    let is_near_end = last.position < segment.size && segment.size - last.position <= spacing.saturating_mul(4);
    let is_rising = before.offset < last.offset && last.offset < segment.end_offset();
    if !is_near_end || !is_rising {
        return Ok(None);
    }
    let path = paths::with_suffix(&segment.path, ".timeindex");
    let times = time_entries(storage, segment)?;
    let size = unless_gone(Opened::new(storage, &path))?.map(|file| file.size()).transpose()?;
    let Some((latest, offset)) = times.last().filter(|_| size == Some(times.len() as u64 * 12)) else {
        return Ok(None);
    };
    let is_last = (last.offset..segment.end_offset()).contains(offset);
    Ok((is_last && *latest > 0).then_some(*latest))
}
