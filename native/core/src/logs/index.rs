//! An open segment and its indexes: from offsets to the positions of batches, and from times to offsets (upstream:
//! `LogSegment`, `OffsetIndex`, `TimeIndex`).
//!
//! Indexes have no checksum, so each entry is compared with its batch before it is used.

use std::sync::{Arc, OnceLock};

use super::log::Segment;
use super::paths;
use super::scan::{Scan, Way, intact_at};
use super::storage::{Opened, Storage};
use crate::outcome::Outcome;
use crate::records::header::Header;
use crate::wire::chunk;

/// The number of entries that a search tries: the first one may be in the middle of the batch with the wanted offset,
/// and others may be damaged.
const TRIES: usize = 8;
const PIECE: usize = 1 << 16;

/// An entry of the offset index: the last offset of the batch that begins at a position.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub offset: i64,
    pub position: u64,
}

/// Return the entries of a segment's offset index. Where positions stop rising, the unused rest of the file begins.
fn offset_entries(storage: &Storage, segment: &Segment) -> Vec<Entry> {
    let Some(base) = segment.base_offset.filter(|_| segment.is_indexed) else {
        return Vec::new();
    };
    let entry = |bytes: &[u8]| {
        let relative = i32::from_be_bytes(chunk(bytes, 0));
        let position = i32::from_be_bytes(chunk(bytes, 4));
        (
            i64::from(position),
            Entry {
                offset: base.saturating_add(relative.into()),
                position: position.max(0) as u64,
            },
        )
    };
    entries(storage, &paths::with_suffix(&segment.path, ".index"), 8, entry).0
}

/// Return the entries of a segment's time index, and whether they fill the file.
///
/// An entry is a timestamp and an offset: all records with a later timestamp are after that offset.
fn time_entries(storage: &Storage, segment: &Segment) -> (Vec<(i64, i64)>, bool) {
    let base = segment.base_offset.unwrap_or(0);
    let entry = |bytes: &[u8]| {
        let timestamp = i64::from_be_bytes(chunk(bytes, 0));
        (
            timestamp,
            (
                timestamp,
                base.saturating_add(i32::from_be_bytes(chunk(bytes, 8)).into()),
            ),
        )
    };
    entries(storage, &paths::with_suffix(&segment.path, ".timeindex"), 12, entry)
}

/// Return the entries of an index before the first key (position or timestamp) that does not rise, and whether these
/// entries fill the whole file.
///
/// A missing or unreadable index has no entries.
fn entries<T>(storage: &Storage, path: &str, width: usize, parse: impl Fn(&[u8]) -> (i64, T)) -> (Vec<T>, bool) {
    let mut found = Vec::new();
    let Ok(Some(file)) = storage.open(path) else {
        return (found, false);
    };
    let (mut position, mut last, mut data) = (0, -1, Vec::new());
    loop {
        if file.read(position, PIECE / width * width, &mut data).is_err() || data.len() < width {
            return (found, data.is_empty());
        }
        for bytes in data.chunks_exact(width) {
            let (key, entry) = parse(bytes);
            if key <= last {
                return (found, false);
            }
            last = key;
            found.push(entry);
        }
        position += data.len() as u64;
    }
}

/// Return the latest timestamp of a segment that no longer grows; `None` unless its indexes are certainly complete.
///
/// A broker completes both indexes when it begins the next segment. The offset index then names a batch near the end.
/// If timestamps rise, the last entry of the time index is for that batch or a later one.
///
/// A truncated index, or an index of a different segment, fails these checks.
pub fn latest_time(storage: &Storage, segment: &Segment) -> Option<i64> {
    let offsets = offset_entries(storage, segment);
    let [.., before, last] = offsets[..] else { return None };
    let spacing = last.position / offsets.len() as u64;
    let is_near_end = last.position < segment.size && segment.size - last.position <= spacing.saturating_mul(4);
    if !is_near_end || !(before.offset + 1..segment.end_offset()).contains(&last.offset) {
        return None;
    }
    let (times, is_whole) = time_entries(storage, segment);
    let is_last = |(_, offset): &&(i64, i64)| (last.offset..segment.end_offset()).contains(offset);
    times
        .last()
        .filter(|_| is_whole)
        .filter(is_last)
        .map(|(latest, _)| *latest)
        .filter(|latest| *latest > 0)
}

/// A segment whose file is open.
pub struct OpenSegment {
    /// The segment as it was listed.
    pub segment: Segment,
    /// The open file.
    pub file: Arc<Opened>,
    storage: Arc<Storage>,
    entries: OnceLock<Vec<Entry>>,
    times: OnceLock<Vec<(i64, i64)>>,
}

impl OpenSegment {
    /// Open a segment; return `None` if it is damaged or no longer exists.
    pub fn new(storage: &Arc<Storage>, segment: &Segment) -> Outcome<Option<Self>> {
        let file = if segment.damage.is_none() {
            storage.open(&segment.path)?
        } else {
            None
        };
        Ok(file.map(|file| OpenSegment {
            segment: segment.clone(),
            file: Arc::new(file),
            storage: storage.clone(),
            entries: OnceLock::new(),
            times: OnceLock::new(),
        }))
    }

    /// Return the entries of the segment's offset index, which is read on the first call.
    pub fn entries(&self) -> &[Entry] {
        self.entries
            .get_or_init(|| offset_entries(&self.storage, &self.segment))
    }

    /// Return the entries of the segment's time index, which is read on the first call. Each is a timestamp and an
    /// offset: all records with a later timestamp are after that offset.
    pub fn times(&self) -> &[(i64, i64)] {
        self.times.get_or_init(|| match self.segment.base_offset {
            Some(_) => time_entries(&self.storage, &self.segment).0,
            None => Vec::new(),
        })
    }

    /// Scan the segment's batches from a position on, including batches after damage.
    pub fn scan(&self, start: u64) -> Outcome<Scan> {
        Scan::new(
            &self.file,
            start,
            self.segment.size,
            Way::PastDamage(self.segment.is_complete),
        )
    }

    /// Return the batch at a position if its checksum is valid.
    pub fn intact_at(&self, position: u64) -> Outcome<Option<Header>> {
        intact_at(&self.file, position, self.segment.size)
    }

    /// Return the start of a batch that is preceded only by offsets less than `offset`; 0 if the index has no such
    /// batch.
    pub fn position_before(&self, offset: i64) -> Outcome<u64> {
        Ok(self
            .last_indexed(0, self.segment.size, offset.saturating_add(1))?
            .unwrap_or(0))
    }

    /// Return the start of a batch such that all offsets from there on are greater than `offset`. Return the file's
    /// size if the index has no such batch.
    pub fn position_after(&self, offset: i64) -> Outcome<u64> {
        let first = self.entries().partition_point(|entry| entry.offset <= offset);
        for entry in self.entries()[first..].iter().take(TRIES) {
            if self
                .intact_at(entry.position)?
                .is_some_and(|found| found.first_offset().is_some_and(|first| first > offset))
            {
                return Ok(entry.position);
            }
        }
        Ok(self.segment.size)
    }

    /// Return the start of the last batch between `start` and `end` whose offsets are less than `offset`, according to
    /// the index and to the batch.
    ///
    /// The batch must be intact, begin after `start`, and end at or before `end`. Return `None` if the index has no
    /// such batch.
    pub fn last_indexed(&self, start: u64, end: u64, offset: i64) -> Outcome<Option<u64>> {
        let entries = self.entries();
        let count = entries.partition_point(|entry| entry.position < end);
        // If a damaged index has offsets that do not rise, this search finds an arbitrary entry. That is safe, because
        // each entry is compared with its batch before it is used.
        let count = count.min(entries.partition_point(|entry| entry.offset < offset));
        for entry in entries[..count]
            .iter()
            .rev()
            .take(TRIES)
            .take_while(|entry| entry.position > start)
        {
            let found = self.intact_at(entry.position)?;
            if found.is_some_and(|found| {
                found.base_offset <= entry.offset && found.last_offset() < offset && found.end() <= end
            }) {
                return Ok(Some(entry.position));
            }
        }
        Ok(None)
    }

    /// Return the start of a batch that is preceded only by records earlier than `timestamp`; 0 if the indexes have no
    /// such batch.
    ///
    /// An entry is only used if its timestamp is the maximum timestamp of its batch.
    pub fn position_of_time(&self, timestamp: i64) -> Outcome<u64> {
        let entries = self.times();
        let before = entries.partition_point(|(time, _)| *time < timestamp);
        for (time, offset) in entries[..before].iter().rev().take(TRIES) {
            let mut scan = self.scan(self.position_before(*offset)?)?;
            while let Some(found) = scan.next()? {
                if found.last_offset() >= *offset {
                    if found.max_timestamp == *time && self.intact_at(found.position)?.is_some() {
                        return Ok(found.end());
                    }
                    break;
                }
            }
        }
        Ok(0)
    }

    /// Return a batch at or after `goal` at which a part may begin: the first batch that the index names, or else the
    /// first intact batch that a scan from `start` finds.
    ///
    /// Return `None` if the segment has no such batch.
    pub fn border(&self, start: u64, goal: u64) -> Outcome<Option<Header>> {
        // Parts store their first offset, so they can only begin at a batch whose first offset is known.
        let is_border = |found: &Header| found.first_offset().is_some();
        let entries = self.entries();
        if let Some(entry) = entries.get(entries.partition_point(|entry| entry.position < goal))
            && let Some(found) = self.intact_at(entry.position)?.filter(is_border)
        {
            return Ok(Some(found));
        }
        // After a damaged length, headers are unreliable, so a part may only begin at an intact batch.
        let mut scan = Scan::new(&self.file, start, self.segment.size, Way::PastDamage(true))?;
        while let Some(found) = scan.next()? {
            if found.position >= goal && is_border(&found) && self.intact_at(found.position)?.is_some() {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Return the start of the batch that the second-to-last index entry before `position` names.
    ///
    /// Return 0 if the index has no such entry or its batch is not intact, and `None` if the segment has no indexes.
    pub fn some_before(&self, position: u64) -> Outcome<Option<u64>> {
        if self.entries().is_empty() && self.times().is_empty() {
            return Ok(None);
        }
        let before = self.entries().partition_point(|entry| entry.position < position);
        let Some(entry) = before
            .checked_sub(1)
            .and_then(|last| self.entries().get(last.saturating_sub(1)))
        else {
            return Ok(Some(0));
        };
        Ok(Some(
            intact_at(&self.file, entry.position, position)?.map_or(0, |_| entry.position),
        ))
    }
}
