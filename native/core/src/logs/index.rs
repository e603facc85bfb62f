//! A segment that is open, and the indexes that a broker keeps beside it: where batches are by their offsets and times
//! (upstream: `LogSegment`, `OffsetIndex`, `TimeIndex`).
//!
//! Indexes have no checksum, so what they say is held against the batches themselves before it counts.

use std::sync::{Arc, OnceLock};

use super::log::Segment;
use super::paths;
use super::scan::{Scan, Way, intact_at};
use super::storage::{Opened, Storage};
use crate::outcome::Outcome;
use crate::records::header::Header;
use crate::wire::chunk;

/// This many entries are tried: the first one may be within the batch that has the offset, and others may be damaged.
const TRIES: usize = 8;
const PIECE: usize = 1 << 16;

/// An entry of the offset index: the last offset of the batch that begins at a position.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Entry {
    pub offset: i64,
    pub position: u64,
}

/// The entries of a segment's offset index. Where positions stop rising, the rest of the file is not in use yet.
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

/// The entries of a segment's time index: a timestamp, and the offset up to which no record is later; and whether they
/// fill the file.
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

/// The entries of an index as long as a number in them rises, from 0 on, and whether these are all of it. None if the
/// index is gone or can't be read.
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

/// The latest timestamp of a segment to which nothing is appended, if its indexes are sure to be whole; without them
/// `None`.
///
/// A broker ends both indexes when it begins the next segment: the offset index names a batch near the end, and where
/// timestamps rise, the last entry of the time index is of a batch after that one. An index that was cut off, or is of
/// something else, does not show that.
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
    /// As it was listed.
    pub segment: Segment,
    /// Its file.
    pub file: Arc<Opened>,
    storage: Arc<Storage>,
    entries: OnceLock<Vec<Entry>>,
    times: OnceLock<Vec<(i64, i64)>>,
}

impl OpenSegment {
    /// Opens a segment; `None` for one that is damaged or gone.
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

    /// The entries of its offset index.
    pub fn entries(&self) -> &[Entry] {
        self.entries
            .get_or_init(|| offset_entries(&self.storage, &self.segment))
    }

    /// The entries of its time index: timestamps, and offsets of records that have them.
    pub fn times(&self) -> &[(i64, i64)] {
        self.times.get_or_init(|| match self.segment.base_offset {
            Some(_) => time_entries(&self.storage, &self.segment).0,
            None => Vec::new(),
        })
    }

    /// Its batches from a position on, those after damage too.
    pub fn scan(&self, start: u64) -> Outcome<Scan> {
        Scan::new(
            &self.file,
            start,
            self.segment.size,
            Way::PastDamage(self.segment.is_complete),
        )
    }

    /// The batch with the right checksum at a position.
    pub fn intact_at(&self, position: u64) -> Outcome<Option<Header>> {
        intact_at(&self.file, position, self.segment.size)
    }

    /// A place where a batch begins, with nothing of `offset` or later before it; 0 where no index tells more.
    pub fn position_before(&self, offset: i64) -> Outcome<u64> {
        Ok(self
            .last_indexed(0, self.segment.size, offset.saturating_add(1))?
            .unwrap_or(0))
    }

    /// A place where a batch begins, with nothing up to `offset` from it on; the size of the file where no index tells
    /// less.
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

    /// Where the last batch begins that the index names between two positions, with all of its bytes and nothing of
    /// `offset` or later there.
    ///
    /// The bytes before `start` and at it are not looked at. `None` where no index tells.
    pub fn last_indexed(&self, start: u64, end: u64, offset: i64) -> Outcome<Option<u64>> {
        let entries = self.entries();
        let count = entries.partition_point(|entry| entry.position < end);
        // Offsets need not rise in a damaged index: then this finds some border, whose entries are held against
        // batches.
        let count = count.min(entries.partition_point(|entry| entry.offset < offset));
        for entry in entries[..count]
            .iter()
            .rev()
            .take(TRIES)
            .take_while(|entry| entry.position > start)
        {
            let found = self.intact_at(entry.position)?;
            if found.is_some_and(|found| found.base_offset <= entry.offset && found.end() <= end) {
                return Ok(Some(entry.position));
            }
        }
        Ok(None)
    }

    /// A place where a batch begins, with nothing as late as `timestamp` before it; 0 where no index tells more.
    ///
    /// An entry says up to which offset no record is later than its own timestamp. It counts if its batch has that
    /// timestamp.
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

    /// The first batch at a position or after it; `None` if there is none. Without an index its search begins at
    /// `start`.
    pub fn border(&self, start: u64, goal: u64) -> Outcome<Option<Header>> {
        // Parts know which offsets they have, so they begin where the offset is known.
        let is_border = |found: &Header| found.first_offset().is_some();
        let entries = self.entries();
        if let Some(entry) = entries.get(entries.partition_point(|entry| entry.position < goal))
            && let Some(found) = self.intact_at(entry.position)?.filter(is_border)
        {
            return Ok(Some(found));
        }
        // Behind a damaged length headers lead astray, so only an intact batch is a border.
        let mut scan = Scan::new(&self.file, start, self.segment.size, Way::PastDamage(true))?;
        while let Some(found) = scan.next()? {
            if found.position >= goal && is_border(&found) && self.intact_at(found.position)?.is_some() {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Where a batch begins that the index names some entries before a position; the beginning where what it names is
    /// not there. `None` without any index.
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
