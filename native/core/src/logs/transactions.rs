//! Transactions of a log (KIP-98): which batches `read_committed` gives, and the last stable offset.
//!
//! A batch of a transaction is decided by the next end marker of its producer. Tasks look for it: in their own range, and after it for
//! transactions that reach further. Planning only finds the last stable offset, with the snapshots of the producers' states that
//! brokers write beside the segments (upstream: `ProducerStateManager`).

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use super::error::{LogResult, unless_gone};
use super::index::position_before;
use super::listing::{Log, Segment, log_now};
use super::scan::{Found, Scan, frame_of};
use super::storage::{Opened, Storage, read_small};
use super::{names, paths};
use crate::records::batch::{Batch, ReadBudget};
use crate::records::codecs::Decompressor;
use crate::records::filter::Filter;
use crate::records::header::HEADER;
use crate::wire::chunk;

/// A marker has fewer bytes than this; a batch that says otherwise is damaged.
const LARGEST_MARKER: usize = 1 << 20;
const SNAPSHOT_VERSION: i16 = 1;
/// Version, checksum and the number of entries.
const SNAPSHOT_HEADER: usize = 10;
const SNAPSHOT_ENTRY: usize = 46;

/// The offsets at which the open transactions of producers begin.
pub type OpenTransactions = BTreeMap<i64, i64>;

/// Warnings for whoever runs this.
#[derive(Default)]
pub struct Notes(Mutex<Vec<String>>);

impl Notes {
    /// Adds one.
    pub fn add(&self, text: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }

    /// Takes all.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a batch of a transaction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Data,
    Abort,
    Commit,
}

struct Transactional {
    producer: i64,
    what: What,
    offset: i64,
}

/// What a batch is to transactions; `None` if it is not of one. The record of a marker is read. A marker that can't be read is an abort:
/// what it says is not known.
fn transactional(file: &Opened, found: &Found, notes: &Notes) -> LogResult<Option<Transactional>> {
    let Some(header) = found.header.filter(|header| header.is_transactional()) else { return Ok(None) };
    let base = header.place.base_offset;
    let (what, offset) = if header.is_control() {
        match marker(file, found)? {
            Some((None, _)) => return Ok(None),
            Some((Some(what), offset)) => (what, offset),
            None => {
                let (path, position) = (&file.path, found.position());
                notes.add(format!("{path}: the marker at byte {position} (offset {base}) is damaged"));
                (What::Abort, base)
            }
        }
    } else {
        (What::Data, base)
    };
    Ok(Some(Transactional { producer: header.producer_id, what, offset }))
}

/// What the first record of a control batch says (`None`: something else than the end of a transaction), and its offset.
fn marker(file: &Opened, found: &Found) -> LogResult<Option<(Option<What>, i64)>> {
    if found.place.length > LARGEST_MARKER {
        return Ok(None);
    }
    let data = file.bytes(found.position(), found.place.length)?;
    let Some(frame) = frame_of(&data) else { return Ok(None) };
    let mut decompressor = Decompressor::new(LARGEST_MARKER);
    let Ok(Some(mut batch)) = Batch::open(&frame, &Filter::ALL, &mut decompressor) else { return Ok(None) };
    let bytes = batch.bytes(&frame, &decompressor);
    let mut records = Vec::new();
    let mut budget = ReadBudget { records: 1, bytes: usize::MAX, is_empty: true };
    if batch.read(bytes, &Filter::ALL, &mut budget, &mut records).is_err() {
        return Ok(None);
    }
    let Some(record) = records.first() else { return Ok(None) };
    // The key is the schema's version and then the type, in every version so far (upstream: `ControlRecordType`).
    let key = record.key.of(bytes).filter(|key| key.len() >= 4);
    let what = key.and_then(|key| match i16::from_be_bytes(chunk(key, 2)) {
        0 => Some(What::Abort),
        1 => Some(What::Commit),
        _ => None,
    });
    Ok(Some((what, batch.header.offset(record))))
}

/// For each producer its end markers, ascending, and whether they commit; what begins at `read_until` or later is undecided.
pub struct Decisions {
    read_until: i64,
    markers: HashMap<i64, Vec<(i64, bool)>>,
}

impl Decisions {
    /// Whether a consumer of committed records gets a batch. Where no marker is known, for it is damaged or gone, neither is the end of
    /// the transaction.
    pub fn takes(&self, found: &Found) -> bool {
        if found.place.base_offset >= self.read_until {
            return false;
        }
        let Some(header) = found.header.filter(|header| header.is_transactional()) else { return true };
        let markers = self.markers.get(&header.producer_id).map_or(&[][..], Vec::as_slice);
        let next = markers.partition_point(|(offset, _)| *offset < header.place.base_offset);
        markers.get(next).is_some_and(|(_, is_commit)| *is_commit)
    }
}

/// A range of a file.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Place<'p> {
    pub file: &'p Opened,
    pub start: u64,
    pub end: u64,
    pub is_complete: bool,
    pub first_offset: Option<i64>,
}

/// What became of the transactions with records in a range of a file.
///
/// Its headers are read, and those after it until each transaction that reaches further has its end. `read_until` is the log's last
/// stable offset; what begins there or later is undecided, and its end is not looked for.
pub fn decisions(storage: &dyn Storage, place: Place<'_>, read_until: i64, notes: &Notes) -> LogResult<Decisions> {
    let mut decided = Decisions { read_until, markers: HashMap::new() };
    if place.first_offset.is_some_and(|first| first >= read_until) {
        return Ok(decided);
    }
    let mut open = OpenTransactions::new();
    let mut scan = Scan::past_damage(place.file, place.start, place.end, place.is_complete)?;
    while let Some(found) = scan.next()? {
        let Some(each) = transactional(place.file, &found, notes)? else { continue };
        if each.what == What::Data {
            open.entry(each.producer).or_insert(each.offset);
        } else {
            open.remove(&each.producer);
            decided.note(&each);
        }
    }
    open.retain(|_, first| *first < read_until);
    if !open.is_empty() {
        decided.find_ends(storage, place, &mut open, notes)?;
    }
    for markers in decided.markers.values_mut() {
        markers.sort_unstable();
    }
    Ok(decided)
}

impl Decisions {
    fn note(&mut self, marker: &Transactional) {
        self.markers.entry(marker.producer).or_default().push((marker.offset, marker.what == What::Commit));
    }

    /// Adds the markers after a range that end transactions, which are taken out of `open`.
    fn find_ends(
        &mut self,
        storage: &dyn Storage,
        place: Place<'_>,
        open: &mut OpenTransactions,
        notes: &Notes,
    ) -> LogResult<()> {
        let path = &place.file.path;
        let folder = paths::parent(path);
        let segments = log_now(storage, &folder)?.segments;
        let own = segments.iter().position(|segment| segment.path == *path);
        let size = place.file.size()?;
        if !own.is_some_and(|own| are_open_after(storage, &folder, &segments[own], open)) {
            self.find_ends_in(place.file, place.end, size, place.is_complete, open, notes)?;
        }
        for segment in own.map_or(&[][..], |own| &segments[own + 1..]) {
            if open.is_empty() {
                return Ok(());
            }
            if segment.damage.is_some() || are_open_after(storage, &folder, segment, open) {
                continue;
            }
            match unless_gone(Opened::new(storage, &segment.path))? {
                Some(file) => self.find_ends_in(&file, 0, segment.size, segment.is_complete, open, notes)?,
                None => notes.add(gone(segment, "the ends of transactions in it are not known")),
            }
        }
        if !open.is_empty() {
            let (path, count) = (path, open.len());
            notes.add(format!("{path}: the ends of the transactions of {count} producers are not known"));
        }
        Ok(())
    }

    fn find_ends_in(
        &mut self,
        file: &Opened,
        start: u64,
        end: u64,
        is_complete: bool,
        open: &mut OpenTransactions,
        notes: &Notes,
    ) -> LogResult<()> {
        let mut scan = Scan::past_damage(file, start, end, is_complete)?;
        while !open.is_empty() {
            let Some(found) = scan.next()? else { return Ok(()) };
            let Some(each) = transactional(file, &found, notes)? else { continue };
            // The first marker of each producer is the one that counts.
            if each.what != What::Data && open.remove(&each.producer).is_some() {
                self.note(&each);
            }
        }
        Ok(())
    }
}

fn gone(segment: &Segment, so: &str) -> String {
    format!("{} is gone, so {so}", &segment.path)
}

/// Whether a snapshot tells that all these transactions were still open after a segment, which then has none of their ends.
fn are_open_after(storage: &dyn Storage, folder: &str, segment: &Segment, open: &OpenTransactions) -> bool {
    let known = segment.next_base_offset.and_then(|offset| open_transactions_at(storage, folder, offset));
    known.is_some_and(|known| open.iter().all(|(producer, first)| known.get(producer).is_some_and(|at| at <= first)))
}

/// The transactions that were open before an offset, as a broker wrote it down for a new segment or at an orderly shutdown; `None` where
/// no intact snapshot tells.
pub fn open_transactions_at(storage: &dyn Storage, folder: &str, offset: i64) -> Option<OpenTransactions> {
    let data = read_small(storage, &paths::join(folder, &format!("{offset:020}.snapshot"))).ok()??;
    if data.len() < SNAPSHOT_HEADER || i16::from_be_bytes(chunk(&data, 0)) != SNAPSHOT_VERSION {
        return None;
    }
    let entries = &data[SNAPSHOT_HEADER..];
    let count = usize::try_from(i32::from_be_bytes(chunk(&data, 6))).ok()?;
    let is_intact = crc32c::crc32c(&data[6..]) == u32::from_be_bytes(chunk(&data, 2));
    if !is_intact || count.checked_mul(SNAPSHOT_ENTRY) != Some(entries.len()) {
        return None;
    }
    let entries = entries.chunks_exact(SNAPSHOT_ENTRY);
    let first = |entry: &[u8]| (i64::from_be_bytes(chunk(entry, 0)), i64::from_be_bytes(chunk(entry, 38)));
    Some(entries.map(first).filter(|(_, first)| *first >= 0).collect())
}

/// The transactions that were open at a place of a log; a later search goes on from there.
#[derive(Clone, Default)]
pub struct OpenAt {
    /// The number of the segment in the log.
    segment: usize,
    position: u64,
    open: OpenTransactions,
    /// Identity, position and header of the last batch before the place that was read.
    seen: Option<(u64, u64, Vec<u8>)>,
}

/// The offset of the first record of a transaction that begins up to `last_offset` and has no end in the log, `None` if there is no such
/// transaction; and the place that was reached.
///
/// Headers are read from `known` on, or from the last place that an intact snapshot of the producers' states tells of, or else from the
/// beginning; up to the end of the log, or until each transaction that begins up to `last_offset` has its end. A segment that is gone
/// is passed over.
pub fn last_stable_offset(
    storage: &dyn Storage,
    log: &Log,
    last_offset: i64,
    known: Option<&OpenAt>,
    notes: &Notes,
) -> LogResult<(Option<i64>, OpenAt)> {
    let mut at = match known.map(|known| known.again(storage, log)).transpose()?.flatten() {
        Some(at) => at,
        None => from_snapshot(storage, log)?.unwrap_or_default(),
    };
    at.advance(storage, log, last_offset, notes)?;
    let mut undecided: Vec<(i64, i64)> = at.open.iter().map(|(producer, first)| (*first, *producer)).collect();
    undecided.retain(|(first, _)| *first <= last_offset);
    undecided.sort_unstable();
    let mut found: Option<i64> = None;
    for (first, producer) in undecided {
        if found.is_some_and(|found| found <= first) {
            break;
        }
        let offset = first_intact(storage, log, producer, first, notes)?.filter(|offset| *offset <= last_offset);
        found = found.into_iter().chain(offset).min();
    }
    Ok((found, at))
}

/// The latest place for which a snapshot is there, is intact, and does not tell of what lies after the log's end.
fn from_snapshot(storage: &dyn Storage, log: &Log) -> LogResult<Option<OpenAt>> {
    let has_holes = log.segments.iter().any(|each| each.base_offset.is_none() || each.damage.is_some());
    let follows = log.segments.windows(2).all(|pair| pair[0].next_base_offset == pair[1].base_offset);
    if log.segments.is_empty() || has_holes || !follows {
        return Ok(None);
    }
    let Ok(listed) = storage.list(&log.folder) else { return Ok(None) };
    let mut offsets: Vec<i64> = listed.iter().filter_map(|entry| names::offset_of_snapshot(&entry.name)).collect();
    offsets.sort_unstable();
    for offset in offsets.into_iter().rev() {
        if let Some((segment, position)) = place_of(storage, log, offset)?
            && let Some(open) = open_transactions_at(storage, &log.folder, offset)
        {
            return Ok(Some(OpenAt { segment, position, open, seen: None }));
        }
    }
    Ok(None)
}

/// Number of the segment and position at which the batches from an offset on begin.
fn place_of(storage: &dyn Storage, log: &Log, offset: i64) -> LogResult<Option<(usize, u64)>> {
    if let Some(number) = log.segments.iter().position(|segment| segment.base_offset == Some(offset)) {
        return Ok(Some((number, 0)));
    }
    let Some(last) = log.segments.last().filter(|last| last.base_offset.is_some_and(|base| base <= offset)) else {
        return Ok(None);
    };
    let Some(file) = unless_gone(Opened::new(storage, &last.path))? else { return Ok(None) };
    let start = position_before(storage, &file, last, offset - 1)?;
    let mut scan = Scan::past_damage(&file, start, last.size, false)?;
    let mut end = None;
    while let Some(found) = scan.next()? {
        if found.place.base_offset >= offset {
            break;
        }
        end = (found.last_offset() == offset - 1).then(|| found.end());
    }
    Ok(end.map(|end| (log.segments.len() - 1, end)))
}

impl OpenAt {
    /// The same place, if the log is what it was up to there, as far as its last header tells.
    fn again(&self, storage: &dyn Storage, log: &Log) -> LogResult<Option<Self>> {
        let Some((identity, position, header)) = &self.seen else { return Ok(None) };
        for (number, segment) in log.segments.iter().enumerate() {
            if segment.identity != *identity || segment.size < self.position || segment.damage.is_some() {
                continue;
            }
            let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else { return Ok(None) };
            if file.bytes(*position, HEADER)? == *header {
                return Ok(Some(OpenAt { segment: number, ..self.clone() }));
            }
        }
        Ok(None)
    }

    /// Takes note of what begins and ends after a place, as far as that matters.
    fn advance(&mut self, storage: &dyn Storage, log: &Log, last_offset: i64, notes: &Notes) -> LogResult<()> {
        for number in self.segment..log.segments.len() {
            let segment = &log.segments[number];
            if number > self.segment {
                *self = OpenAt { segment: number, position: 0, seen: None, open: std::mem::take(&mut self.open) };
            }
            if segment.damage.is_some() {
                continue;
            }
            let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else {
                notes.add(gone(segment, "the ends of transactions in it are not known"));
                continue;
            };
            let mut scan = Scan::past_damage(&file, self.position, segment.size, segment.is_complete)?;
            let mut last = None;
            while let Some(found) = scan.next()? {
                let is_past = found.place.base_offset > last_offset;
                if is_past && !self.open.values().any(|first| *first <= last_offset) {
                    return self.reach(&file, segment, last);
                }
                match transactional(&file, &found, notes)? {
                    Some(each) if each.what == What::Data => {
                        self.open.entry(each.producer).or_insert(each.offset);
                    }
                    Some(each) => {
                        self.open.remove(&each.producer);
                    }
                    None => {}
                }
                last = Some(found);
            }
            self.reach(&file, segment, last)?;
        }
        Ok(())
    }

    fn reach(&mut self, file: &Opened, segment: &Segment, last: Option<Found>) -> LogResult<()> {
        if let Some(found) = last {
            self.position = found.end();
            self.seen = Some((segment.identity, found.position(), file.bytes(found.position(), HEADER)?));
        }
        Ok(())
    }
}

/// The base offset of the first batch of an open transaction that can be read.
///
/// `None` if there is none: a damaged header must not make all that follows it look undecided.
fn first_intact(storage: &dyn Storage, log: &Log, producer: i64, first: i64, notes: &Notes) -> LogResult<Option<i64>> {
    for segment in &log.segments {
        if segment.end_offset() <= first || segment.damage.is_some() {
            continue;
        }
        let Some(file) = unless_gone(Opened::new(storage, &segment.path))? else {
            notes.add(gone(segment, "an open transaction in it is not known"));
            continue;
        };
        let start = position_before(storage, &file, segment, first)?;
        let mut scan = Scan::past_damage(&file, start, segment.size, segment.is_complete)?;
        while let Some(found) = scan.next()? {
            let is_own = found.header.is_some_and(|header| {
                header.is_transactional() && !header.is_control() && header.producer_id == producer
            });
            if is_own && found.place.base_offset >= first && is_readable(&file, &found)? {
                return Ok(Some(found.place.base_offset));
            }
        }
    }
    Ok(None)
}

/// Whether all records of a batch can be read.
pub fn is_readable(file: &Opened, found: &Found) -> LogResult<bool> {
    let data = file.bytes(found.position(), found.place.length)?;
    let Some(frame) = frame_of(&data) else { return Ok(false) };
    let mut decompressor = Decompressor::new(128 << 20);
    let Ok(batch) = Batch::open(&frame, &Filter::ALL, &mut decompressor) else { return Ok(false) };
    let Some(mut batch) = batch else { return Ok(true) };
    let bytes = batch.bytes(&frame, &decompressor);
    let mut budget = ReadBudget { records: 1, bytes: usize::MAX, is_empty: true };
    Ok(batch.read(bytes, &Filter::ALL, &mut budget, &mut Vec::new()).is_ok())
}
