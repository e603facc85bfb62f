//! Transactions of a log (KIP-98): the batches that `read_committed` returns, and the last stable offset.
//!
//! A transactional batch was committed if the next end marker of its producer is a commit. Tasks look for markers in
//! their own range and, for transactions that extend beyond it, after the range.
//!
//! Planning only finds the last stable offset. Batch queries start at a producer snapshot, which brokers write beside
//! the segments (upstream: `ProducerStateManager`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use super::index::OpenSegment;
use super::log::{Log, Segment, log_now};
use super::paths;
use super::producers::snapshot_entries;
use super::ranges::Range;
use super::scan::{Scan, Way, first_record};
use super::storage::Storage;
use crate::outcome::Outcome;
use crate::records::header::Header;
use crate::wire::chunk;

/// The maximum size of a marker in bytes; a larger marker is damaged.
const LARGEST_MARKER: usize = 1 << 20;
const LARGEST_BATCH: usize = 128 << 20;

/// The first offset of the open transaction of each producer.
type OpenTransactions = BTreeMap<i64, i64>;

/// Warnings for the user, shared between threads.
#[derive(Default)]
pub struct Notes {
    waiting: Mutex<Vec<String>>,
    added_once: Mutex<BTreeSet<String>>,
}

impl Notes {
    /// Add a warning.
    pub fn add(&self, text: String) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    /// Add a warning unless this was called with the same text before. A stream finds the same gap at each trigger.
    pub fn add_once(&self, text: String) {
        let is_new = self
            .added_once
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(text.clone());
        if is_new {
            self.add(text);
        }
    }

    /// Return all warnings, and remove them.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A record batch or a marker of a transaction.
struct Transactional {
    producer: i64,
    offset: i64,
    /// For a marker, whether it commits; `None` for records.
    is_commit: Option<bool>,
}

/// Return the role of a batch in a transaction; `None` if it does not belong to a transaction.
///
/// If the batch is a marker, its record is read. An unreadable marker counts as an abort, because its type is unknown.
fn transactional(segment: &OpenSegment, header: &Header, notes: &Notes) -> Outcome<Option<Transactional>> {
    if !header.is_transactional() {
        return Ok(None);
    }
    let (producer, offset) = (header.producer_id, header.base_offset);
    if !header.is_control() {
        return Ok(Some(Transactional {
            producer,
            offset,
            is_commit: None,
        }));
    }
    let Some(record) = first_record(&segment.file, header, LARGEST_MARKER)? else {
        let (path, position) = (&segment.file.path, header.position);
        notes.add(format!(
            "{path}: the marker at byte {position} (offset {offset}) is damaged"
        ));
        return Ok(Some(Transactional {
            producer,
            offset,
            is_commit: Some(false),
        }));
    };
    // In all versions up to now, the key consists of the schema's version and the type (upstream: `ControlRecordType`).
    let is_commit = match record
        .key
        .filter(|key| key.len() >= 4)
        .map(|key| i16::from_be_bytes(chunk(&key, 2)))
    {
        Some(0) => false,
        Some(1) => true,
        _ => return Ok(None),
    };
    Ok(Some(Transactional {
        producer,
        offset: record.offset,
        is_commit: Some(is_commit),
    }))
}

/// The decided transactions: the end markers of each producer, ascending, and whether they commit. Records from
/// `read_until` on are undecided.
pub struct Decisions {
    read_until: i64,
    markers: HashMap<i64, Vec<(i64, bool)>>,
}

impl Decisions {
    /// Find the outcomes of all transactions that have records in a range of a file.
    ///
    /// This reads the headers in the range, and later headers until the ends of all transactions that extend beyond the
    /// range are found. `read_until` is the log's last stable offset. Transactions that begin there or later are
    /// undecided, so there is no search for their ends.
    pub fn of(
        storage: &Arc<Storage>,
        segment: &OpenSegment,
        range: &Range,
        read_until: i64,
        notes: &Notes,
    ) -> Outcome<Self> {
        let mut decided = Decisions {
            read_until,
            markers: HashMap::new(),
        };
        if range.planned.is_some_and(|(first, _)| first >= read_until) {
            return Ok(decided);
        }
        let mut open = OpenTransactions::new();
        let way = Way::PastDamage(segment.segment.is_complete);
        let mut scan = Scan::new(&segment.file, range.start, range.end, way)?;
        while let Some(found) = scan.next()? {
            let Some(each) = transactional(segment, &found, notes)? else {
                continue;
            };
            if each.is_commit.is_none() {
                open.entry(each.producer).or_insert(each.offset);
            } else {
                open.remove(&each.producer);
                decided.note(&each);
            }
        }
        open.retain(|_, first| *first < read_until);
        if !open.is_empty() {
            decided.find_ends(storage, segment, range.end, &mut open, notes)?;
        }
        for markers in decided.markers.values_mut() {
            markers.sort_unstable();
        }
        Ok(decided)
    }

    /// Whether a consumer that reads only committed records receives a batch. It does not if the outcome is unknown
    /// because no marker was found.
    pub fn takes(&self, header: &Header) -> bool {
        if header.base_offset >= self.read_until || !header.is_transactional() {
            return header.base_offset < self.read_until;
        }
        let markers = self.markers.get(&header.producer_id).map_or(&[][..], Vec::as_slice);
        let next = markers.partition_point(|(offset, _)| *offset < header.base_offset);
        markers.get(next).is_some_and(|(_, is_commit)| *is_commit)
    }

    fn note(&mut self, marker: &Transactional) {
        self.markers
            .entry(marker.producer)
            .or_default()
            .push((marker.offset, marker.is_commit == Some(true)));
    }

    /// Find the markers after a range that end the transactions in `open`. Add them, and remove the transactions from
    /// `open`.
    fn find_ends(
        &mut self,
        storage: &Arc<Storage>,
        own: &OpenSegment,
        end: u64,
        open: &mut OpenTransactions,
        notes: &Notes,
    ) -> Outcome<()> {
        let path = &own.file.path;
        let mut rest = own.segment.clone();
        rest.size = own.file.size()?;
        let mut following = vec![(rest, end)];
        let segments = log_now(storage, &paths::parent(path))?.segments;
        if let Some(number) = segments.iter().position(|segment| segment.path == *path) {
            following.extend(segments.into_iter().skip(number + 1).map(|segment| (segment, 0)));
        }
        for (segment, start) in following {
            let Some(file) = there(storage, &segment, notes)? else {
                continue;
            };
            let mut scan = file.scan(start)?;
            while let Some(found) = scan.next()? {
                let Some(each) = transactional(&file, &found, notes)? else {
                    continue;
                };
                // Only the first marker of each producer ends a transaction in `open`.
                if each.is_commit.is_some() && open.remove(&each.producer).is_some() {
                    self.note(&each);
                    if open.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
        notes.add(format!(
            "{path}: the outcome of transactions of {} producers is unknown",
            open.len()
        ));
        Ok(())
    }
}

/// Open a segment, and warn if it is gone.
fn there(storage: &Arc<Storage>, segment: &Segment, notes: &Notes) -> Outcome<Option<OpenSegment>> {
    let file = OpenSegment::new(storage, segment)?;
    if file.is_none() && segment.damage.is_none() {
        notes.add(format!(
            "{} is gone, so the outcome of transactions in it is unknown",
            segment.path
        ));
    }
    Ok(file)
}

/// A position in a log, with the transactions that are open there.
pub struct OpenAt {
    /// The base offset of the segment.
    segment: i64,
    position: u64,
    open: OpenTransactions,
}

impl OpenAt {
    /// Return a position without open transactions: streams only read decided records, so none is open at their
    /// positions.
    pub fn place(segment: i64, position: u64) -> Self {
        OpenAt {
            segment,
            position,
            open: OpenTransactions::new(),
        }
    }

    /// Return the beginning of the latest segment that has an intact snapshot, or else the beginning of the log.
    pub fn known(storage: &Storage, log: &Log) -> Self {
        let listed = storage.list(&log.folder).unwrap_or_default();
        for segment in log.segments.iter().rev().filter_map(|segment| segment.base_offset) {
            let name = format!("{segment:020}.snapshot");
            if listed.contains_key(&name)
                && let Some(entries) = snapshot_entries(storage, &paths::join(&log.folder, &name))
            {
                let all = entries.into_iter().map(|entry| (entry.producer, entry.open_from));
                return OpenAt {
                    segment,
                    position: 0,
                    open: all.filter(|(_, first)| *first >= 0).collect(),
                };
            }
        }
        OpenAt::place(i64::MIN, 0)
    }
}

/// Return the lowest first offset of all transactions whose end is not in the log; `None` if no such transaction begins
/// at or before `last_offset`.
///
/// This reads headers from `at` to the end of the log, or until all transactions that begin at or before `last_offset`
/// have ended. It skips segments that no longer exist.
pub fn last_stable_offset(
    storage: &Arc<Storage>,
    log: &Log,
    at: OpenAt,
    last_offset: i64,
    notes: &Notes,
) -> Outcome<Option<i64>> {
    let mut open = at.open;
    let from = log
        .segments
        .iter()
        .filter(|segment| segment.base_offset.unwrap_or(0) >= at.segment);
    'log: for segment in from {
        let Some(file) = there(storage, segment, notes)? else {
            continue;
        };
        let start = if segment.base_offset == Some(at.segment) {
            at.position
        } else {
            0
        };
        let mut scan = file.scan(start)?;
        while let Some(found) = scan.next()? {
            if found.base_offset > last_offset && !open.values().any(|first| *first <= last_offset) {
                break 'log;
            }
            match transactional(&file, &found, notes)? {
                Some(each) if each.is_commit.is_none() => _ = open.entry(each.producer).or_insert(each.offset),
                Some(each) => _ = open.remove(&each.producer),
                None => {}
            }
        }
    }
    let mut undecided: Vec<(i64, i64)> = open.into_iter().map(|(producer, first)| (first, producer)).collect();
    undecided.sort_unstable();
    let mut stable: Option<i64> = None;
    for (first, producer) in undecided {
        if first <= last_offset && stable.is_none_or(|stable| first < stable) {
            let offset = first_intact(storage, log, producer, first)?.filter(|offset| *offset <= last_offset);
            stable = stable.into_iter().chain(offset).min();
        }
    }
    Ok(stable)
}

/// Return the base offset of the first readable batch in an open transaction.
///
/// Return `None` if no batch is readable: a damaged header must not make all later records look undecided.
fn first_intact(storage: &Arc<Storage>, log: &Log, producer: i64, first: i64) -> Outcome<Option<i64>> {
    for segment in log.segments.iter().filter(|segment| segment.end_offset() > first) {
        let Some(file) = OpenSegment::new(storage, segment)? else {
            continue;
        };
        let mut scan = file.scan(file.position_before(first)?)?;
        while let Some(found) = scan.next()? {
            let is_own = found.is_transactional() && !found.is_control() && found.producer_id == producer;
            if is_own && found.base_offset >= first && is_readable(&file, &found)? {
                return Ok(Some(found.base_offset));
            }
        }
    }
    Ok(None)
}

/// Whether all records of a batch can be read.
pub fn is_readable(segment: &OpenSegment, header: &Header) -> Outcome<bool> {
    Ok(first_record(&segment.file, header, LARGEST_BATCH)?.is_some())
}
